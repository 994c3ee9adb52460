/* SPDX-License-Identifier: MIT */
/*
 * One flock in several worlds. The global storage order is that of one world which holds the whole flock: by cells, and in a
 * cell by the order before the step. In 2D each rank owns the agents in a stretch of cells, so it owns a stretch of that order.
 * In 3D it owns a block: the same lines of some consecutive slabs. Ranks with the same slabs are a band; the ranks of a band
 * follow each other, from line to line, and the bands from slab to slab. docs/cluster.md draws it.
 *
 * Pieces. What a rank owns in one slab is a stretch of the global order, a piece. A piece's key says where it is: the order is
 * by keys, and then by ranks. In 2D, and in a band of one rank, all that the rank owns is one piece.
 *
 * A step begins with one exchange. Every agent goes to all ranks that see its row; its owner is one of them. Each rank learns
 * how long the pieces are that come, and sorts its own agents and the others as if they lay in the order of their pieces. As
 * sorting is stable, the agents of each cell are then in the global order.
 */
#ifndef DUNLIN_ENGINE_CLUSTER_H
#define DUNLIN_ENGINE_CLUSTER_H

#include "engine/base/radix.h"
#include "engine/world/frame.h"
#include "spatial/grid.h"

/* An agent goes to a rank. */
typedef struct dun_hit {
    uint32_t rank, slot;
} dun_hit;

/* What a task writes of a species into a rank's message: first how much, and then where the next goes. */
typedef struct dun_sent {
    uint32_t agents, pieces;
    uint32_t first, last; /* of these pieces, counted from 1; 0: there is none */
} dun_sent;

/* What others see of a block of agents: its hits are from `first` on. */
typedef struct dun_block_hits {
    uint64_t first;
    uint32_t hits, leaving, held; /* agents that another rank will own, and those of them that this rank still sees */
} dun_block_hits;

/* Agents that are copied: from their place in the columns of a rank's message, or in this rank's own, to a slot. */
typedef struct dun_copy {
    uint64_t from;
    uint32_t rank, to, agents;
} dun_copy;

/* What an eater gains by one agent of its food. */
typedef struct dun_gain {
    uint32_t meal;
    uint32_t key;               /* of the food's piece */
    uint32_t rank, cell, place; /* the eater's: its owner, its cell, and how many agents are before it in the cell */
    float energy;
} dun_gain;

/* What a rank owns of each species, as shares of the way through the slabs, and through the cells of a slab. */
typedef struct dun_cut {
    double slab, slab_end, cell, cell_end;
} dun_cut;

/* Agents of one piece that have come from a rank. */
typedef struct dun_arrival {
    uint32_t key, rank, agents;
    uint64_t at; /* in the columns of their message */
} dun_arrival;

/* How one species is spread in this step. */
typedef struct dun_spread {
    bool moves;  /* the species takes part in the exchange */
    bool leaves; /* its agents go to one rank each, and leave this one */

    /* routes; they are kept as long as what they follow from is the same */
    dun_cell_shape shape; /* of the cells */
    dun_block *block;     /* [ranks] what each rank owns */
    size_t block_room;
    uint32_t *row_first, *row_rank; /* row_rank[row_first[row] .. row_first[row + 1]) are the other ranks that see a row */
    uint32_t *row_stamp, *row_place;
    uint8_t *row_seen; /* whether there are any */
    size_t row_room, row_rank_room, row_stamp_room, row_place_room, row_seen_room;
    dun_held held; /* the rows that this rank sees */

    /* pieces */
    uint32_t key_count;   /* of all ranks' pieces */
    uint32_t first_key;   /* of this rank's */
    uint32_t pieces;      /* of this rank; their keys follow each other */
    uint32_t *piece_end;  /* [pieces] in a step: slots of the snapshot */
    uint32_t most_pieces; /* of any rank */
    uint32_t born_at;     /* the first one's element in dun_cluster.born_before */
    size_t piece_room;

    /* what is sent, and what stays */
    uint64_t hit_begin, hit_end;
    uint64_t left_and_held; /* agents that another rank will own, and that this rank still sees */
    uint64_t *place;      /* [keys] if agents leave: the place of this rank's first agent with each key in the flock's order */
    dun_stretch *staying; /* [segments] slots */
    size_t place_room, staying_room;

    const uint32_t *keys; /* the cells of the agents before the exchange, … */
    uint32_t numbered;    /* … of which so many are the first after it */
} dun_spread;

struct dun_cluster {
    dunlin_transport transport; /* the caller's, with functions that count calls */
    dunlin_transport callers;
    uint64_t collectives;  /* calls since the step began, without exchanges */
    dunlin_sum_fn *brings; /* the caller's numbers for the sum that ends a step; NULL: there are none */
    void *brings_context;
    dunlin_traffic traffic;
    dun_spread spread[DUNLIN_MAX_SPECIES];

    dun_cut *cut;                      /* [ranks] */
    uint64_t cut_seed;                 /* for tests: above 0, every step cuts at random */
    bool balanced;                     /* the cut has followed from agents */
    uint64_t ns_worked, steps_counted; /* by this rank since the balance was last looked at */
    uint32_t *band_end;                /* see cut.c, as the next */
    uint64_t *bins;                    /* work along the way through the cells */

    /* what the routes follow from, besides shapes; see route.c */
    bool routed;
    dun_cut *routed_cut;                /* [ranks] */
    const dun_species **routed_species; /* [routed_count] those that are sorted; NULL: it is not */
    dun_look *routed_looks;
    int routed_count, routed_look_count;
    size_t routed_room, routed_look_room;

    /* messages, in words; those of rank r come after those of all lower ranks */
    dun_hit *hits;
    uint32_t *out, *in;
    uint64_t *out_bytes, *in_bytes;   /* [ranks] each; with the next three one block */
    uint64_t *out_cursor, *in_cursor; /* [ranks] words: where the next species begins; of gains: the next one */
    uint64_t *in_end;                 /* [ranks] gains */
    uint64_t *out_agents, *in_agents; /* [ranks][species] how many are sent, and in how many pieces: see exchange.h; later, see
                                         gains.c and pieces.c */
    dun_sent *sent;                   /* see messages.c */
    dun_block_hits *block_hits;       /* by blocks of agents of one species */
    dun_copy *copies;                 /* of one species, by slots */
    uint64_t leaving;                 /* agents that another rank will own */
    uint64_t hit_count;
    size_t hit_room, out_room, in_room, block_room, copy_room, sent_room, out_agents_room, in_agents_room;

    dun_arrival *arrivals; /* of one species, in the flock's order, with what sorts them */
    dun_keyed *keyed, *spare_keyed;
    size_t arrival_room, keyed_room, spare_keyed_room;

    uint64_t *born_before; /* [born_count] by the parents' pieces on this rank: births before them in the whole flock */
    uint32_t born_count;   /* of the species that may bear: as many as the rank with the most pieces has */
    size_t born_room;

    dun_named *named; /* see dun_frame.named */
    size_t named_room;

    /* what eaters gain from this rank's food, and from that of others */
    dun_gain *gains, *gains_out, *gains_in;
    uint64_t gain_count;
    size_t gain_room, gain_out_room, gain_in_room;

    bool gathered;
    bool all_move; /* in the next exchange: rank 0 has all of the flock, which was gathered, or each rank the stretch of its
                      order that it has read */
};

/* Makes the world a part; false: no memory. The transport is checked. */
bool dun_cluster_create(dunlin_world *world, const dunlin_transport *transport);

/* ---- in a step ---------------------------------------------------------------------------------------------------------- */

/*
 * A frame calls these, which do nothing in a world alone. All ranks make each call, also one that has failed. After
 * dun_exchange() and dun_agree_on_life() all of them have failed then, and have the status of the lowest.
 *
 * Before the snapshot: sends agents to the ranks that see them, and puts those that come in their places. If that fails, the
 * state is as it was.
 */
void dun_exchange(dun_frame *f);

/* After meals: sends what dun_gain_add() has listed to the eaters' owners. Returns whether dun_gains_next() has
 * it: false if a rank has failed. Gives all ranks the births, too. */
bool dun_exchange_gains(dun_frame *f);

/* Before the new state becomes the state: the sum that ends the step. */
void dun_agree_on_life(dun_frame *f);

/* Once it is the state, with the dead and the newborn: the next step need not count the flock. */
void dun_keep_counts(const dun_frame *f);

/* Around a step: counts the collective calls that it makes. */
void dun_calls_begin(dunlin_world *world);
void dun_calls_end(dunlin_world *world);

/* ---- meals -------------------------------------------------------------------------------------------------------------- */

void dun_gain_list(dun_frame *f, int meal, uint32_t food, uint32_t eater, float energy);

/* Whether an eater gains anything by the meal. */
bool dun_meal_gains(const dunlin_world *world, int meal);

/* Lists what an eater gains from this rank's food, by meals and then by the food's slots; false: the world is alone, and
 * nothing is listed. */
static inline bool dun_gain_add(dun_frame *f, int meal, uint32_t food, uint32_t eater, float energy) {
    if (f->world->transport) dun_gain_list(f, meal, food, eater, energy);
    return f->world->transport;
}

/* The rank and the piece of the food that the last gain of a meal was by; before the first UINT32_MAX. */
typedef struct dun_gain_source {
    uint32_t rank, key;
} dun_gain_source;

/* The next gain of one of this rank's agents by a meal, in the order of the whole flock's food. Meals must be asked for in
 * their order. false: there is none left. */
bool dun_gains_next(const dunlin_world *world, int meal, dun_gain_source *from, uint32_t *slot, float *energy);

/* ---- pieces ------------------------------------------------------------------------------------------------------------- */

/* In how many pieces this rank has the agents of a species. A world alone, and a species that is not sorted, have one. */
static inline uint32_t dun_pieces_of(const dunlin_world *world, int species) {
    return world->transport && world->species[species]->indexed ? world->cluster->spread[species].pieces : 1;
}

/* In a step: the slot of the snapshot behind a piece's last one. */
static inline uint32_t dun_piece_end(const dun_frame *f, int species, uint32_t piece) {
    return dun_pieces_of(f->world, species) > 1 ? f->world->cluster->spread[species].piece_end[piece] : f->own_end[species];
}

/* After the snapshot: finds where pieces end. */
void dun_pieces_find(dun_frame *f);

/* When a species' agents are those of the snapshot, or come from them: makes their pieces its segments. */
void dun_pieces_settle(const dun_frame *f, int species);

/* Makes room for the segments of this step's births; false: no memory. */
bool dun_pieces_reserve(const dunlin_world *world);

/* Opens the segments of those that are born to parents in a piece; returns how many of these parents' other children come
 * before them in the whole flock. */
uint64_t dun_piece_bears(const dun_frame *f, int species, uint32_t piece);

/* After the last piece. */
void dun_pieces_close(const dun_frame *f, int species);

/* ---- the whole flock ---------------------------------------------------------------------------------------------------- */

/* Brings the whole flock to rank 0. */
dunlin_result dun_exchange_gather(dunlin_world *world, dunlin_error *error);

/* As dunlin_world_gather() and dunlin_world_share(), also within a step. */
dunlin_result dun_gather(dunlin_world *world, dunlin_error *error);
dunlin_result dun_ungather(dunlin_world *world, dunlin_error *error);

/* Checks that the flock has not been gathered. */
dunlin_result dun_check_spread(const dunlin_world *world, dunlin_error *error);

/* After reading a state, of which each rank has a stretch of the flock's order: the next step distributes the agents. */
void dun_cluster_restart(dunlin_world *world);

/* ---- portions of the flock's order ----------------------------------------------------------------------------------------
 */

/* A species' agents of the places [begin, begin + count) in the flock's order. */
typedef struct dun_portion {
    uint64_t begin, count;
    int columns;
    const dun_word *column[DUN_MAX_COLUMNS]; /* [count] each: of the state, or of … */
    dun_word *words;                         /* … memory of its own */
} dun_portion;

/* Sets begin and count of this rank's portion: of blocks of `block` agents, the last of fewer, all ranks get about as many, in
 * their order. In a world alone it is everything. */
void dun_portion_find(const dunlin_world *world, uint64_t agents, uint32_t block, dun_portion *portion);

/* Brings each rank its portion of a species, of which there are `agents`; collective. dun_portion_free() it if that succeeds.
 */
dunlin_result dun_portion_take(const dunlin_world *world, int species, uint64_t agents, uint32_t block, dun_portion *portion,
                               dunlin_error *error);
void dun_portion_free(dun_portion *portion);

/* Sends each number below `whole` of some lists to the rank that has its share (dun_own_share()); collective, not in a world
 * alone. dun_free() *divided in any case. */
dunlin_result dun_numbers_divide(const dunlin_world *world, const uint32_t *const *lists, const uint32_t *counts,
                                 int list_count, uint64_t whole, uint32_t **divided, uint64_t *count, dunlin_error *error);

/* ---- shared by the files of this module --------------------------------------------------------------------------------- */

/* Before an exchange: makes room for the agents that definitions name; false: no memory. */
bool dun_named_reserve(dunlin_world *world);

/* Gives all ranks the places of these agents; collective. NULL: none is named. */
const dun_named *dun_named_find(dunlin_world *world);

/* Finds what each rank owns of each sorted species, and which ranks see which rows; false: no memory. All indexes have been
 * shaped. Nothing is done as long as cuts, looks and shapes are the same. */
bool dun_routes_find(dunlin_world *world);

/* Whether a rank owns a cell. */
bool dun_block_has(const dun_spread *spread, uint32_t rank, uint32_t cell);

/* Makes room for what ranks learn of births; false: no memory. Routes have been found. */
bool dun_births_prepare(dunlin_world *world);

/* Gives all ranks the births by pieces; collective. */
void dun_births_share(const dun_frame *f);

/* Its parts: writes this rank's births[born_count], and takes those of each rank, from rank 0 on. */
void dun_births_write(const dun_frame *f, uint64_t *births);
void dun_births_read(const dun_frame *f, uint32_t rank, const uint64_t *births);

/* Whether this step may cut again by the work of all ranks; the same on all of them. */
bool dun_cut_is_due(const dunlin_world *world);

/* Cuts again where that pays; collective if it is due. All sorted species' agents have been numbered. */
void dun_cut_again(dunlin_world *world);

/* Counts a step that took this rank so long, without waiting. */
void dun_cut_count(dunlin_world *world, uint64_t ns);

bool dun_cut_create(dun_heap *heap, struct dun_cluster *cluster); /* false: no memory */

/* For tests: cuts at random places in every step. 0: no longer. */
void dun_cut_at_random(dunlin_world *world, uint64_t seed);

#endif
