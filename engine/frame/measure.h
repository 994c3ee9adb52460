/* SPDX-License-Identifier: MIT */
/*
 * Measuring the agents of a snapshot, tile by tile. A frame's own passes already have most of the sums over neighbours;
 * otherwise measuring takes passes of its own. All sums are exact (engine/base/exact.h), so both ways give the same bits.
 *
 * In a part of a flock each rank measures its own agents, and the ranks add up their totals: one sum for the centre, and one
 * for the rest. Only the nearest of an agent may be out of sight, on another rank: measure_ranks.c asks the other ranks then.
 */
#ifndef DUNLIN_ENGINE_MEASURE_H
#define DUNLIN_ENGINE_MEASURE_H

#include "engine/base/exact.h"
#include "engine/world/walk.h"

/* Exact sums: of positions, by axis, or of their cosines and sines on a circle of the world's length; then what needs the
 * centre. */
enum {
    DUN_TOTAL_PLACE,                           /* [3][2] */
    DUN_TOTAL_HEADING = DUN_TOTAL_PLACE + 6,   /* [3], like the next two */
    DUN_TOTAL_TURNING = DUN_TOTAL_HEADING + 3, /* … */
    DUN_TOTAL_MOMENTUM = DUN_TOTAL_TURNING + 3,
    DUN_TOTAL_SPEED = DUN_TOTAL_MOMENTUM + 3,
    DUN_TOTAL_NEAREST,
    DUN_TOTALS
};

/* Sums over some of the agents of a species. All of it is words of 64 bits, which ranks add up. */
typedef struct dun_totals {
    dun_exact sum[DUN_TOTALS];
    uint64_t neighbours, with_nearest, outside;
} dun_totals;

/* One species of a snapshot. */
typedef struct dun_measured {
    const dunlin_world *world;
    int species;
    const dun_agents *agents;
    uint32_t begin, end; /* slots of the agents that are measured, of … */
    uint32_t held;       /* … so many; the others are only seen */
    uint64_t count;      /* of the whole flock */
    float radius;        /* world units: within which neighbours are counted; 0: none */
    dun_space space;     /* its radius is that of the first search, at least the one above */
    dun_motion motion;
    dun_totals *totals; /* [workers] */

    /* in a frame only */
    bool in_frame;                      /* false: it is measured before the frame */
    bool by_tiles;                      /* the frame's tiles measure it */
    const dun_interaction *interaction; /* its pass counts the neighbours; NULL: dun_measure_tile() does */
    dun_shape shape;                    /* of that pass */
    bool asks;                          /* in a part: the nearest agent may be out of sight */
} dun_measured;

typedef struct dun_asking dun_asking;

/* What a world keeps of measuring in a step. */
struct dun_measuring {
    bool asked; /* the next step measures */
    bool done;  /* the metrics are there */
    int species_count;
    dunlin_metrics metrics[DUNLIN_MAX_SPECIES];
    dun_measured species[DUNLIN_MAX_SPECIES];
    dun_totals *totals; /* [totals_room] */
    size_t totals_room;
    dun_asking *asking; /* NULL: the world has never been a part */
};

/* Measures the present state of a species in passes of their own. The world is prepared. */
dunlin_result dun_measure_alone(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/* Measures all species of a flock in parts, which were asked for, on rank 0; collective. `result`: that of what came before. */
dunlin_result dun_measure_gathered(dunlin_world *world, dunlin_result result, dunlin_error *error);

/* The metrics of all species are there. `asked`: the next step still measures. */
void dun_measure_finish(dunlin_world *world, bool asked);

/* Makes room for measuring in a step; false: no memory. */
bool dun_measure_reserve(dunlin_world *world);

/* ---- in a frame, if the world was asked to measure --------------------------------------------------------------------- */

/* Before anything has changed: measures the species that tiles cannot measure. */
void dun_measure_begin(dun_frame *f);

/* Once tiles are shared out: finds the centres of the other species. */
void dun_measure_centres(dun_frame *f);

/* After the pass of the interaction that counts the neighbours. */
void dun_measure_neighbours(const dun_measured *m, uint64_t neighbours, const dun_scratch *scratch);

/* After it, when nothing reads the tile's sums any more. */
void dun_observe_tile(const dun_frame *f, const dun_tile *tile);

/* After all tiles: adds up what they have measured, in a part on all ranks. */
void dun_measure_sum(dun_frame *f);

/* After a step that has not failed. */
void dun_measure_end(const dun_frame *f);

/* ---- shared by the files of measuring ---------------------------------------------------------------------------------- */

/* Finds the centre, with `run` of the world's executor; collective. */
void dun_measure_centre(dun_measured *m, void (*run)(const dun_executor *, uint32_t, dun_task_fn *, void *));

/* Measures a tile. `counted`: an interaction's pass has counted the neighbours. */
void dun_measure_tile(const dun_measured *m, uint32_t begin, uint32_t end, bool counted, dun_scratch *scratch);

/* All tiles, in a pass of their own. */
void dun_measure_tiles(const dun_measured *m);

/* What the totals of all tiles say; collective. */
dunlin_metrics dun_measure_metrics(const dun_measured *m);

/* How many neighbours the agents [begin, end) have; leaves the squared distances to their nearest in the scratch. Searches on
 * for those with none within the first search's radius. */
uint64_t dun_measure_count(const dun_measured *m, uint32_t begin, uint32_t end, dun_scratch *scratch);
void dun_measure_search_on(const dun_measured *m, uint32_t first, uint32_t count, float *nearest, const dun_scratch *scratch);

/* The ranges of a walk's packet, however far it reaches; and a pass that finds the nearest. */
uint32_t dun_measure_ranges(const dun_measured *m, dun_walk *walk, const dun_scratch *scratch);
dun_interact dun_measure_interact(const dun_measured *m);

/* In a part of a flock, to ask other ranks for the nearest. Makes room; false: no memory. */
bool dun_asking_reserve(dunlin_world *world);

/* Gives all ranks the box around each rank's agents; collective. */
void dun_asking_begin(const dun_measured *m);

/* Asks about all agents that are listed, and adds the answers to the totals; collective. */
dunlin_result dun_asking_answer(dunlin_world *world, dunlin_error *error);

/* Some of the agents [first, first + count) may have their nearest on another rank. Lists these, so that the other ranks are
 * asked, and makes their distances infinite. */
void dun_asking_list(const dun_measured *m, uint32_t first, uint32_t count, float *nearest, const dun_scratch *scratch);

#endif
