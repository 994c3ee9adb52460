/* SPDX-License-Identifier: MIT */
/*
 * What surveys share. A survey looks at agents between steps. It sorts copies of what it needs by an index of its own, so it
 * changes nothing in the world and does not depend on how the world finds neighbours. Its results are whole numbers, minima and
 * sums of whole numbers, which have no order: neither threads nor storage order show in them.
 */
#ifndef DUNLIN_ENGINE_SURVEY_H
#define DUNLIN_ENGINE_SURVEY_H

#include "engine/base/fold.h"
#include "engine/world/walk.h"
#include "spatial/sort.h"

enum { DUN_CROWD_COLUMNS = 7, DUN_EXTRA_COLUMNS = 4 }; /* positions, velocities, ids; what goes with sorted positions */

/* The survey's arrays. Each is one for all kinds of survey that use its name. */
enum {
    DUN_KEPT_GATHERED,
    DUN_KEPT_SORTED = DUN_KEPT_GATHERED + DUN_CROWD_COLUMNS,
    DUN_KEPT_RANGES = DUN_KEPT_SORTED + 3 + DUN_EXTRA_COLUMNS,
    DUN_KEPT_WORKERS,
    DUN_KEPT_SLOTS,
    DUN_KEPT_PARENTS,
    DUN_KEPT_COUNTS,
    DUN_KEPT_MINIMA,
    DUN_KEPT_LABELS,
    DUN_KEPT_SIZES,
    DUN_KEPT_HISTOGRAM,
    DUN_KEPT_FLUCTUATIONS,
    DUN_KEPT_DRAWN = DUN_KEPT_FLUCTUATIONS + 3,
    DUN_KEPT_CURVE,
    DUN_KEPT_PAIRS,
    DUN_KEPT_ARRAYS
};

typedef struct dun_kept {
    void *array;
    size_t bytes;
} dun_kept;

struct dunlin_survey {
    dun_index *index;
    dun_sorter sorter;
    dun_kept kept[DUN_KEPT_ARRAYS];
};

/* As dunlin_survey_create(), with memory from a heap. */
dunlin_result dun_survey_create(dun_heap *heap, dunlin_survey **survey, dunlin_error *error);

/* One of the arrays, with room for `count` elements; NULL: no memory. It loses its contents when it grows. */
void *dun_survey_keep(dunlin_survey *survey, int which, uint64_t count, size_t element);

/* The agents that are surveyed: those of one species, or of all, one species after another. */
typedef struct dun_crowd {
    dunlin_survey *survey;
    dunlin_world *world;
    int first, end;                         /* species, [first, end) */
    uint32_t begin[DUNLIN_MAX_SPECIES + 1]; /* of each species; [end]: their count */
    uint32_t count;
} dun_crowd;

dunlin_result dun_crowd_gather(dun_crowd *crowd, dunlin_survey *survey, dunlin_world *world, int species, dunlin_error *error);

/* A column of all its agents, numbered as in dun_agents_columns(): the species' own, or a copy. NULL: no memory. */
const dun_word *dun_crowd_column(const dun_crowd *crowd, int column);

/* Runs the task for each tile of the crowd. */
void dun_crowd_run(const dun_crowd *crowd, dun_task_fn *task, void *context);

static inline uint32_t dun_crowd_tile_end(const dun_crowd *crowd, uint32_t tile) {
    return min_u32(crowd->count, (tile + 1) * DUN_TILE);
}

/* What the workers add up: `bytes` for each, zeroed, a multiple of 8. NULL: no memory. */
void *dun_crowd_workers(const dun_crowd *crowd, size_t bytes);

/* As dunlin_survey_components(), also within a step. `components` is zeroed. */
dunlin_result dun_survey_components(dunlin_survey *survey, dunlin_world *world, int species, float radius,
                                    dunlin_components *components, dunlin_error *error);

/* The crowd in the order of cells that suit a radius. */
typedef struct dun_sorted {
    const dun_crowd *crowd;
    float radius, max_r2; /* world units */
    bool periodic;
    float size[3];
    const float *position[3];
    const dun_word *extra[DUN_EXTRA_COLUMNS];
    dun_range *ranges; /* [workers][range_room] */
    uint32_t range_room;
} dun_sorted;

/* Sorts positions and other columns of the crowd, which is not empty. false: no memory. */
bool dun_crowd_sort(const dun_crowd *crowd, float radius, const dun_word *const *extra, int extras, dun_sorted *sorted);

/* A walk through a tile of the sorted crowd, in packets of up to `max_agents`. */
dun_walk dun_sorted_walk(const dun_sorted *sorted, uint32_t tile, uint32_t max_agents);

/* The squared distance of two agents, rounded as in kernels. `folds`: as in a range. */
static inline __attribute__((always_inline)) float dun_sorted_distance2(const dun_sorted *sorted, int dimensions, bool folds,
                                                                        uint32_t i, uint32_t j) {
    float d2 = 0.0f;
    for (int a = 0; a < dimensions; a++) {
        float d = sorted->position[a][j] - sorted->position[a][i];
        if (folds) d = dun_fold(d, sorted->size[a]);
        d2 = a == 0 ? d * d : d2 + d * d;
    }
    return d2;
}

#endif
