/* SPDX-License-Identifier: MIT */
/* Numbers of agents in boxes. The counting sort of indexes counts them: its cells are the boxes. */
#include <math.h>

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/survey/survey.h"
#include "engine/world/edges.h"
#include "engine/world/use.h"

typedef struct box_axis {
    double begin;    /* world units */
    double per_unit; /* boxes per world unit */
    uint32_t boxes;
} box_axis;

typedef struct box_grid {
    const dun_crowd *crowd;
    const float *position[3];
    int dimensions;
    box_axis axis[3];
    uint32_t count;
} box_grid;

/* ---- where the boxes are ---------------------------------------------------------------------------------------------- */

static dunlin_result fail_boxes(double box_size, dunlin_error *error) {
    return dun_fail(error, DUNLIN_ERROR_VALUE, "box_size is %g: it makes more than %d boxes, which is the maximum", box_size,
                    DUNLIN_MAX_BOXES);
}

/* `count` boxes along an axis, as many as fill it: at least one. */
static dunlin_result cut_axis(box_grid *b, int a, double count, double box_size, dunlin_error *error) {
    const double boxes = count < 1.0 ? 1.0 : count;
    if (boxes * b->count > DUNLIN_MAX_BOXES) return fail_boxes(box_size, error);
    b->axis[a].boxes = (uint32_t)boxes;
    b->count *= b->axis[a].boxes;
    return DUNLIN_OK;
}

static dunlin_result cut_world(box_grid *b, double box_size, dunlin_density *density, dunlin_error *error) {
    const dunlin_world_def *def = &b->crowd->world->def;
    dunlin_result result = DUNLIN_OK;
    for (int a = 0; a < b->dimensions && !result; a++) {
        const double size = (double)def->size[a];
        result = cut_axis(b, a, floor(size / box_size + 0.5), box_size, error);
        b->axis[a].per_unit = b->axis[a].boxes / size;
        density->box_size[a] = size / b->axis[a].boxes;
    }
    return result;
}

static dunlin_result cut_around_agents(box_grid *b, double box_size, dunlin_density *density, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int a = 0; a < b->dimensions && !result; a++) {
        float ends[2] = {0.0f, 0.0f};
        if (b->crowd->count) b->crowd->world->kernel->min_max(b->position[a], b->crowd->count, ends);
        b->axis[a].begin = (double)ends[0];
        result = cut_axis(b, a, ceil(((double)ends[1] - (double)ends[0]) / box_size), box_size, error);
        b->axis[a].per_unit = 1.0 / box_size;
        density->box_size[a] = box_size;
    }
    return result;
}

/* ---- counting --------------------------------------------------------------------------------------------------------- */

static inline uint32_t box_along(const box_axis *axis, float x) {
    double box = ((double)x - axis->begin) * axis->per_unit;
    const double last = axis->boxes - 1;
    box = box > 0.0 ? box : 0.0;
    return (uint32_t)(box < last ? box : last);
}

static void find_boxes(const void *context, const dun_columns *columns, uint32_t begin, uint32_t end, uint32_t *key) {
    (void)columns;
    const box_grid *b = context;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t box = 0;
        for (int a = b->dimensions - 1; a >= 0; a--) box = box * b->axis[a].boxes + box_along(&b->axis[a], b->position[a][i]);
        key[i] = box;
    }
}

/* A sort moves at least one column. */
static bool sort_by_box(const box_grid *b) {
    const dun_crowd *crowd = b->crowd;
    dun_sorter *sorter = &crowd->survey->sorter;
    dun_columns columns = {.agents = crowd->count, .columns = 1, .from = {(const dun_word *)b->position[0]}};
    columns.to[0] = dun_survey_keep(crowd->survey, DUN_KEPT_SORTED, crowd->count, sizeof **columns.to);
    if (!columns.to[0] ||
        !dun_sorter_reserve(sorter, crowd->survey->index->heap, crowd->count, b->count, crowd->world->executor.workers))
        return false;
    dun_sort(sorter, &columns, b->count, find_boxes, b, &crowd->world->executor);
    return true;
}

/* Differences from the mean, rounded down, are small where fluctuations are: their squares cancel nothing. */
static double variance_of_counts(const uint32_t *edge, uint32_t count, uint32_t agents) {
    const uint32_t middle = agents / count;
    uint64_t squares = 0; /* no more than the square of the number of agents */
    for (uint32_t box = 0; box < count; box++) {
        const int64_t away = (int64_t)(edge[box + 1] - edge[box]) - (int64_t)middle;
        squares += (uint64_t)(away * away);
    }
    const double mean_away = (double)(agents - middle * count) / count;
    return ((double)squares - count * mean_away * mean_away) / (count - 1.0);
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

static void take_density(const box_grid *b, dunlin_density *density) {
    double volume = 1.0;
    for (int a = 0; a < b->dimensions; a++) volume *= density->box_size[a];
    density->boxes = b->count;
    density->mean_count = (double)b->crowd->count / b->count;
    density->count_variance =
        b->count > 1 ? variance_of_counts(b->crowd->survey->sorter.edge, b->count, b->crowd->count) : (double)NAN;
    density->mean_density = density->mean_count / volume;
    density->density_variance = density->count_variance / (volume * volume);
}

static dunlin_result count_in_boxes(const dun_crowd *crowd, double box_size, dunlin_density *density, dunlin_error *error) {
    box_grid b = {.crowd = crowd, .dimensions = crowd->world->def.dimensions, .count = 1};
    for (int a = 0; a < b.dimensions; a++) {
        b.position[a] = (const float *)dun_crowd_column(crowd, a);
        if (!b.position[a] && crowd->count) return dun_fail_memory(error, "a density");
    }
    const bool open = dun_is_open(&crowd->world->def);
    const dunlin_result result =
        open ? cut_around_agents(&b, box_size, density, error) : cut_world(&b, box_size, density, error);
    if (result) return result;
    if (!sort_by_box(&b)) return dun_fail_memory(error, "a density");
    take_density(&b, density);
    return DUNLIN_OK;
}

dunlin_result dunlin_survey_density(dunlin_survey *survey, dunlin_world *world, int species, double box_size,
                                    dunlin_density *density, dunlin_error *error) {
    static const dun_limits sizes = {"box_size", 1e-9, 1e9, false, "world units"};
    if (!density) return dun_fail(error, DUNLIN_ERROR_VALUE, "density is NULL: it must point at a dunlin_density");
    *density = (dunlin_density){0};
    DUN_CHANGE(world, error);
    dun_crowd crowd;
    dunlin_result result = dun_check(box_size, &sizes, error);
    if (!result) result = dun_crowd_gather(&crowd, survey, world, species, error);
    if (!result) result = count_in_boxes(&crowd, box_size, density, error);
    if (result) *density = (dunlin_density){0};
    return result;
}

/* ---- over boxes of several sizes -------------------------------------------------------------------------------------- */

/* Relative to the first one's mean, so that equal means differ by exactly 0. */
double dunlin_fluctuation_exponent(const dunlin_density *densities, int count) {
    DUN_OWN_FLOATS();
    double first = 0.0, n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < count; i++) {
        if (!(densities[i].count_variance > 0.0)) continue;
        if (n == 0.0) first = densities[i].mean_count;
        const double mean = log(densities[i].mean_count / first), deviation = 0.5 * log(densities[i].count_variance);
        n += 1.0;
        x += mean;
        y += deviation;
        xx += mean * mean;
        xy += mean * deviation;
    }
    const double spread = n * xx - x * x;
    double exponent = spread > 0.0 ? (n * xy - x * y) / spread : (double)NAN;
    DUN_PIN(exponent);
    return exponent;
}
