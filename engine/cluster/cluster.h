/* SPDX-License-Identifier: MIT */
/*
 * One flock in several worlds. The global storage order is that of one world which holds the whole flock: by cells, and in a
 * cell by the order before the step. Each rank owns the agents in a stretch of cells, so it owns a stretch of that order.
 * docs/cluster.md draws it.
 *
 * A step begins with one exchange. Every agent goes to all ranks that see its row; its owner is one of them. Each rank puts
 * what comes from lower ranks before its own agents, what comes from higher ranks behind them, and sorts. As sorting is stable,
 * the agents of each cell are then in the global order.
 */
#ifndef DUNLIN_ENGINE_CLUSTER_H
#define DUNLIN_ENGINE_CLUSTER_H

#include "engine/world/frame.h"
#include "spatial/grid.h"

/* An agent goes to a rank. */
typedef struct dun_hit {
    uint32_t rank, slot;
} dun_hit;

/* What an eater gains by one agent of its food. */
typedef struct dun_gain {
    uint32_t meal, rank, cell, place; /* the eater's: its owner, its cell, and how many agents are before it in the cell */
    float energy;
} dun_gain;

/* How one species is spread in this step. */
typedef struct dun_spread {
    bool moves;         /* the species takes part in the exchange */
    bool leaves;        /* its agents go to one rank each, and leave this one */
    dun_stretch *cells; /* [ranks] cells that each rank owns */
    size_t cells_room;

    /* the rows' routes, by row: row_rank[row_first[row] .. row_first[row + 1]) are the other ranks that see it, ascending */
    uint32_t *row_first, *row_rank, *row_stamp;
    size_t row_room, row_rank_room, row_stamp_room;
    dun_stretch alone; /* cells of this rank that no other rank sees */

    /* what is sent, and what stays */
    uint64_t hit_begin, hit_end;
    uint64_t *place;      /* [segments] if agents leave: the place of this rank's first agent in the flock's order */
    dun_stretch *staying; /* [segments] slots */
    size_t place_room, staying_room;

    const uint32_t *keys; /* the cells of the agents before the exchange, … */
    uint32_t numbered;    /* … of which so many are the first after it */
} dun_spread;

struct dun_cluster {
    dunlin_transport transport;
    dunlin_traffic traffic;
    dun_spread spread[DUNLIN_MAX_SPECIES];

    /* the cut: rank r owns the cells from cut[r]·cells to cut[r + 1]·cells of each species, with whatever number of cells */
    double *cut;                       /* [ranks + 1] */
    uint64_t cut_seed;                 /* for tests: above 0, every step cuts at random */
    bool balanced;                     /* the cut has followed from agents */
    uint64_t ns_worked, steps_counted; /* by this rank since the balance was last looked at */
    uint32_t *bins;                    /* of agents, along the way through the cells */
    uint64_t *bin_sums;                /* of all bins before each */

    /* messages, in words; those of rank r come after those of all lower ranks */
    dun_hit *hits;
    uint32_t *out, *in;
    uint64_t *out_bytes, *in_bytes;   /* [ranks] each; with the next three one block */
    uint64_t *out_cursor, *in_cursor; /* [ranks] words */
    uint64_t *in_body;                /* [ranks] words: where the next species begins */
    uint64_t *out_agents, *in_agents; /* [ranks][species] how many are sent */
    uint8_t *seen;                    /* by blocks of agents: whether others see some of them */
    uint64_t leaving;                 /* agents that another rank will own */
    uint64_t hit_count;
    size_t hit_room, out_room, in_room, seen_room, out_agents_room, in_agents_room;

    dun_named *named; /* see dun_frame.named */
    size_t named_room;

    /* what eaters gain from this rank's food, and from that of others */
    dun_gain *gains, *gains_out, *gains_in;
    uint64_t gain_count;
    size_t gain_room, gain_out_room, gain_in_room;

    bool gathered;
    bool on_first; /* until the next exchange: rank 0 has all of the flock, which was gathered, or each rank the stretch of its
                      order that it has read */
};

/* Makes the world a part; false: no memory. The transport is checked. */
bool dun_cluster_create(dunlin_world *world, const dunlin_transport *transport);

/* ---- in a step ---------------------------------------------------------------------------------------------------------- */

/*
 * A frame calls these three, which do nothing in a world alone. All ranks make each call, also one that has failed: then all
 * of them have, and get the status of the lowest.
 *
 * Before the snapshot: sends agents to the ranks that see them, and puts those that come in their places. If that fails, the
 * state is as it was.
 */
void dun_exchange(dun_frame *f);

/* After meals: sends what dun_gain_add() has listed to the eaters' owners. Returns whether dun_gains_next() has it. */
bool dun_exchange_gains(dun_frame *f);

/* Before the new state becomes the state. */
void dun_agree_on_life(dun_frame *f);

/* ---- meals -------------------------------------------------------------------------------------------------------------- */

void dun_gain_list(dun_frame *f, int meal, uint32_t eater, float energy);

/* Lists what an eater gains from this rank's food, in the order of meals; false: the world is alone, and nothing is listed. */
static inline bool dun_gain_add(dun_frame *f, int meal, uint32_t eater, float energy) {
    if (f->world->transport) dun_gain_list(f, meal, eater, energy);
    return f->world->transport;
}

/* The next gain of one of this rank's agents by a meal: by the food's rank, from *rank = 0 on, and then in the order of its
 * food. Meals must be asked for in their order. false: there is none left. */
bool dun_gains_next(const dunlin_world *world, int meal, uint32_t *rank, uint32_t *slot, float *energy);

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

/* Finds which ranks see which rows of a species; false: no memory. All species' cells are set. */
bool dun_route(const dunlin_world *world, int species);

/* The rows that this rank sees of a species, as one or two ascending stretches of cells; what is between them may be in, too.
 */
void dun_route_own(const dunlin_world *world, int species, dun_stretch cells[2]);

/* Sets the cells of every rank in a species whose index has been shaped; false: no memory. */
bool dun_cut_species(const dunlin_world *world, int species);

/* Cuts again where that pays; collective. All sorted species' agents have been numbered. */
void dun_cut_again(dunlin_world *world);

/* Counts a step that took this rank so long, without waiting. */
void dun_cut_count(dunlin_world *world, uint64_t ns);

bool dun_cut_create(dun_heap *heap, struct dun_cluster *cluster); /* false: no memory */

/* For tests: cuts at random places in every step. 0: no longer. */
void dun_cut_at_random(dunlin_world *world, uint64_t seed);

#endif
