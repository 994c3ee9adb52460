/* SPDX-License-Identifier: MIT */
/*
 * Measuring the agents of a snapshot, tile by tile. A frame's own passes already have most of the sums over neighbours;
 * otherwise measuring takes passes of its own. All sums are exact (engine/base/exact.h), so both ways give the same bits.
 */
#ifndef DUNLIN_ENGINE_MEASURE_H
#define DUNLIN_ENGINE_MEASURE_H

#include "engine/base/exact.h"
#include "engine/world/walk.h"

/* Sums over some of the agents of a species. */
typedef struct dun_totals {
    dun_exact place[3][2]; /* positions; in a periodic world their cosines and sines on a circle of the world's length */
    dun_exact heading[3], turning[3], momentum[3], speed, nearest;
    uint64_t neighbours, with_nearest, outside;
} dun_totals;

/* One species of a snapshot. */
typedef struct dun_measured {
    const dunlin_world *world;
    int species;
    const dun_agents *agents;
    uint32_t count;
    float radius;    /* world units: within which neighbours are counted; 0: none */
    dun_space space; /* its radius is that of the first search, at least the one above */
    dun_motion motion;
    dun_totals *totals; /* [workers] */

    /* in a frame only */
    const dun_interaction *interaction; /* its pass counts the neighbours; NULL: the species is measured before the frame */
    dun_shape shape;                    /* of that pass */
} dun_measured;

/* What a world keeps of measuring in a step. */
struct dun_measuring {
    bool asked; /* the next step measures */
    bool done;  /* the metrics are there */
    int species_count;
    dunlin_metrics metrics[DUNLIN_MAX_SPECIES];
    dun_measured species[DUNLIN_MAX_SPECIES];
    dun_totals *totals; /* [totals_room] */
    uint32_t totals_room;
};

/* Measures the present state of a species in passes of their own. The world is prepared. */
dunlin_result dun_measure_alone(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/* Measures all species of a flock in parts, which were asked for; collective. `result`: that of what came before. */
dunlin_result dun_measure_gathered(dunlin_world *world, dunlin_result result, dunlin_error *error);

/* Makes room for measuring in a step; false: no memory. */
bool dun_measure_reserve(dunlin_world *world);
void dun_measure_free(dunlin_world *world);

/* ---- in a frame, if the world was asked to measure --------------------------------------------------------------------- */

/* Before anything has changed: measures the species for which the frame counts no neighbours; in a part of a flock, all. */
void dun_measure_begin(dun_frame *f);

/* Once tiles are shared out: finds the centres of the other species. */
void dun_measure_centres(const dun_frame *f);

/* After the pass of the interaction that counts the neighbours. */
void dun_measure_neighbours(const dun_measured *m, uint64_t neighbours, const dun_scratch *scratch);

/* After it, when nothing reads the tile's sums any more. */
void dun_observe_tile(const dun_frame *f, const dun_tile *tile);

/* After a step that has not failed. */
void dun_measure_end(const dun_frame *f);

#endif
