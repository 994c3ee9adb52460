/* SPDX-License-Identifier: MIT */
/*
 * What lives for one frame: the context that all stages share, and a tile. Nothing of it stands in definitions. The world keeps
 * the memory from one frame to the next, so a steady frame allocates nothing.
 */
#ifndef DUNLIN_ENGINE_WORLD_FRAME_H
#define DUNLIN_ENGINE_WORLD_FRAME_H
#include "engine/base/bits.h"
#include "engine/world/world.h"

typedef struct dun_birth {
    uint32_t parent; /* in its tile */
    uint32_t order;  /* in the list of a tile's births: place k has the number of the k-th by parent, then by call */
    int species;     /* the child's */
    float position[3], velocity[3], attribute[DUNLIN_MAX_ATTRIBUTES];
    bool drawn; /* attributes are not given */
} dun_birth;

/* The births of all tiles that a worker has run in this frame. */
typedef struct dun_births {
    uint32_t count;
    size_t room;
    dun_birth *list; /* [room] in the order of the calls */
    bool lost;       /* there was no memory for one */
} dun_births;

/* Makes room for so many; false: no memory. */
static inline bool dun_births_reserve(dun_heap *heap, dun_births *births, uint64_t count) {
    return dun_array_fit(heap, &births->list, &births->room, count, sizeof *births->list);
}

/* What a tile's callbacks get to report births. */
struct dunlin_nest {
    const dunlin_world *world;
    dun_births *births;
};

/* What a tile's callbacks asked for. The species flags the agents that die. */
typedef struct dun_tally {
    uint32_t deaths, births;
    const dun_births *list; /* the births are those from list[first] on */
    uint32_t first;
} dun_tally;

/* A worker's own memory: one tile's sums and forces, a packet's ranges, the few agents that a stretch of many may see, births.
 */
typedef struct dun_scratch {
    void *block; /* all of these arrays */
    dun_sums sums;
    float *force[3];
    dun_agents few;
    dun_range *ranges;
    dunlin_range *views; /* the runs as a callback sees them */
    size_t range_room, view_room;
    dun_births births;
    uint64_t groups, pairs_tested, pairs_useful;
    bool timed;                                               /* the present tile is */
    uint64_t clock;                                           /* when the present stage of a timed tile began */
    uint64_t ns_interact, ns_steer, ns_integrate, ns_measure; /* of timed tiles */
    uint64_t ns_shared;                                       /* of all tiles that several workers share */
    uint64_t ns_kernel[DUN_MAX_CONTENDERS];                   /* of a trial */
    char padding[DUN_CACHE_LINE];                             /* workers count without sharing a cache line */
} dun_scratch;

/* Consecutive tiles of one species, of about as much estimated work as every other share. */
typedef struct dun_share {
    int species;
    uint32_t begin, end; /* slots */
} dun_share;

/* What one behaviour does in this frame. */
typedef struct dun_act {
    bool acts;      /* false: its target does not exist */
    dun_behave job; /* without the arrays, which differ from tile to tile */
} dun_act;

/* Up to DUN_TILE consecutive agents of one species, and the worker's memory for them. */
typedef struct dun_tile {
    int species;
    uint32_t begin, end; /* slots of the snapshot */
    dun_scratch *scratch;
    const dun_kernel *kernel; /* set for the stages that go tile by tile */
} dun_tile;

/* An agent that a definition names, in a part of a flock: numbers that are 0 but on one rank, so that sums give them to all
 * ranks. */
typedef struct dun_named {
    uint64_t there;                 /* 1: there is such an agent */
    uint64_t place[3], velocity[3]; /* the bits of binary32 numbers */
} dun_named;

/* Rebuilt in every step. Stages take this and, if they go tile by tile, a tile. */
typedef struct dun_frame {
    dunlin_world *world;             /* definitions; no stage changes them */
    struct dun_frame_memory *memory; /* the world's */
    dunlin_result status;            /* stages return at once where it is not DUNLIN_OK */
    dunlin_error *error;             /* what to fill in when it ceases to be */
    bool tries_kernels;              /* tiles take turns among kernels, and are timed */

    /* ns: when the step began, its snapshot began and ended, and its tiles began and ended */
    struct {
        uint64_t begin, sort, sorted, tiles, moved;
    } at;
    uint64_t ns_waited; /* in a part of a flock: for other ranks, and for messages */

    /* written by snapshot, read by every stage after it */
    const dun_agents *snapshot[DUNLIN_MAX_SPECIES];
    uint32_t own_begin[DUNLIN_MAX_SPECIES], own_end[DUNLIN_MAX_SPECIES]; /* slots; tiles go over these, looks over all */
    float cell_radius[DUNLIN_MAX_SPECIES]; /* world units: the radius that the cells are made for; INFINITY: one covers all */

    /* written before the snapshot and once it is shared out, read by interact and measure */
    struct dun_measured *measured; /* [species]; NULL: this frame does not measure */

    /* written before the snapshot, in a part of a flock; read before the tiles */
    const dun_named *named; /* [behaviour_count] targets, then the points of each path of agents; NULL: all agents are here */

    /* written by share, read by what runs tiles, and by life */
    uint32_t first_tile[DUNLIN_MAX_SPECIES + 1]; /* tiles are numbered through all species */
    uint32_t share_count;
    uint32_t phases, phase_end[DUNLIN_MAX_SPECIES]; /* the shares of bodies come before those of what they stand for */
    uint32_t phase_begin;                           /* of the phase that is being run */
    bool alone;                                     /* there is too little work for a second worker */

    /* written by integrate, behave and meals: each agent by the one worker that runs its tile, or by the caller's thread */
    dun_agents *next[DUNLIN_MAX_SPECIES];

    /* written by meals, read by life */
    uint32_t eaten[DUNLIN_MAX_SPECIES]; /* agents */

    /* written by life, read by finish; in a part, of the whole flock */
    uint64_t agents, births, deaths, groups, pairs_tested, pairs_useful;
    uint64_t after[DUNLIN_MAX_SPECIES];   /* the agents that there are after the step */
    uint64_t born[DUNLIN_MAX_SPECIES];    /* by the parents' species … */
    uint64_t newborn[DUNLIN_MAX_SPECIES]; /* … and by their own */
    bool births_known;                    /* how many there are on other ranks is known already */
} dun_frame;

static inline uint32_t dun_tiles_of(uint32_t agents) {
    return agents / DUN_TILE + (agents % DUN_TILE != 0);
}

static inline uint32_t dun_own_tiles(const dun_frame *f, int species) {
    return dun_tiles_of(f->own_end[species] - f->own_begin[species]);
}

/* Tile 0, 1, ... of a species, and its first slot. */
static inline uint32_t dun_frame_tile_begin(const dun_frame *f, int species, uint32_t number) {
    return f->own_begin[species] + number * DUN_TILE;
}

static inline dun_tile dun_frame_tile(const dun_frame *f, int species, uint32_t number, dun_scratch *scratch) {
    const uint32_t begin = dun_frame_tile_begin(f, species, number);
    return (dun_tile){species, begin, min_u32(begin + DUN_TILE, f->own_end[species]), scratch, f->world->kernel};
}

/* A tile's number among those of all species. */
static inline uint32_t dun_tile_number(const dun_frame *f, const dun_tile *tile) {
    return f->first_tile[tile->species] + (tile->begin - f->own_begin[tile->species]) / DUN_TILE;
}

/* A tile's births, in the order of the parents. */
static inline const dun_birth *dun_birth_of(const dun_tally *tally, uint32_t number) {
    return &tally->list->list[tally->list->list[tally->first + number].order];
}

/* Where the agent of that id lies in the snapshot; species -1: nowhere. It searches all agents. */
dunlin_slot dun_frame_find(const dun_frame *f, uint32_t id);

/* In a part of a flock: where and how fast a named agent is; false: there is none. `velocity` may be NULL. */
static inline bool dun_named_take(const dun_named *named, int dimensions, float *place, float *velocity) {
    for (int a = 0; a < dimensions && named->there; a++) {
        place[a] = dun_float_of((uint32_t)named->place[a]);
        if (velocity) velocity[a] = dun_float_of((uint32_t)named->velocity[a]);
    }
    return named->there;
}

#endif
