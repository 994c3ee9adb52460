/* SPDX-License-Identifier: MIT */
/* Measuring: the sums over the agents of one tile, and what all of them together say. */
#include <float.h>
#include <math.h>

#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/world/agree.h"
#include "engine/world/interaction.h"

static dun_totals *totals_of(const dun_measured *m, const dun_scratch *scratch) {
    return &m->totals[scratch - m->world->memory.scratch];
}

void dun_measure_neighbours(const dun_measured *m, uint64_t neighbours, const dun_scratch *scratch) {
    totals_of(m, scratch)->neighbours += neighbours;
}

/* Adds up the sums of all workers, from `first` on, for the first worker. */
static void join_workers(const dun_measured *m, int first, int end) {
    for (int i = first; i < end; i++) {
        dun_exact sum = {0};
        for (uint32_t w = 0; w < m->world->executor.workers; w++) dun_exact_add_sum(&sum, &m->totals[w].sum[i]);
        m->totals[0].sum[i] = sum;
    }
}

/* ---- the centre ------------------------------------------------------------------------------------------------------- */

static void add_places(const dun_measured *m, int axis, uint32_t begin, uint32_t end, dun_totals *totals) {
    double place[DUN_BLOCK];
    for (uint32_t at = begin; at < end; at += DUN_BLOCK) {
        const uint32_t count = min_u32(DUN_BLOCK, end - at);
        for (uint32_t i = 0; i < count; i++) place[i] = (double)m->agents->position[axis][at + i];
        dun_exact_add_all(&totals->sum[DUN_TOTAL_PLACE + 2 * axis], m->world->kernel, place, count);
    }
}

static void add_circles(const dun_measured *m, int axis, uint32_t begin, uint32_t end, dun_totals *totals) {
    int64_t sums[2];
    m->world->kernel->circle(m->agents->position[axis] + begin, end - begin, m->motion.size[axis], sums);
    for (int i = 0; i < 2; i++) dun_exact_add_whole(&totals->sum[DUN_TOTAL_PLACE + 2 * axis + i], sums[i], DUN_UNIT_EXPONENT);
}

static bool repeats(const dun_measured *m, int axis) {
    return m->motion.size[axis] > 0.0;
}

static void place_tile(void *context, uint32_t tile, uint32_t worker) {
    const dun_measured *m = context;
    const uint32_t begin = m->begin + tile * DUN_TILE, end = min_u32(begin + DUN_TILE, m->end);
    for (int a = 0; a < m->motion.dimensions; a++)
        (repeats(m, a) ? add_circles : add_places)(m, a, begin, end, &m->totals[worker]);
}

/* The mean on a circle as long as the world. If agents are spread all around, it is arbitrary and rotation means nothing. */
static double circular_mean(double cosine, double sine, double size) {
    const double mean = atan2(sine, cosine) / (2.0 * acos(-1.0)) * size;
    return mean < 0.0 ? mean + size : mean;
}

void dun_measure_centre(dun_measured *m, void (*run)(const dun_executor *, uint32_t, dun_task_fn *, void *)) {
    dun_exact *place = &m->totals[0].sum[DUN_TOTAL_PLACE];
    double max_coordinate = 0.0;
    run(&m->world->executor, dun_tiles_of(m->end - m->begin), place_tile, m);
    join_workers(m, DUN_TOTAL_PLACE, DUN_TOTAL_HEADING);
    dun_all_reduce(m->world, (uint64_t *)(void *)place, DUN_TOTAL_HEADING * (sizeof *place / sizeof(uint64_t)));
    for (int a = 0; a < m->motion.dimensions; a++) {
        const double first = dun_exact_value(&place[2 * a]), size = (double)m->world->def.size[a];
        m->motion.centre[a] =
            repeats(m, a) ? circular_mean(first, dun_exact_value(&place[2 * a + 1]), size) : first / (double)m->count;
        max_coordinate = fmax(max_coordinate, fmax(size, fabs(m->motion.centre[a])));
    }
    m->motion.min_r2 = 1e-24 * max_coordinate * max_coordinate; /* the error of a centre, squared */
}

/* ---- a tile ----------------------------------------------------------------------------------------------------------- */

static void add_nearest(const dun_measured *m, uint32_t first, uint32_t count, float *nearest, const dun_scratch *scratch,
                        dun_totals *totals) {
    const dun_kernel *kernel = m->world->kernel;
    double distances[DUN_BLOCK];
    uint32_t found = kernel->distances(nearest, count, dun_squared_radius(m->space.radius), distances);
    if (found < count || m->asks) {
        if (found < count) dun_measure_search_on(m, first, count, nearest, scratch);
        if (m->asks) dun_asking_list(m, first, count, nearest, scratch);
        found = kernel->distances(nearest, count, FLT_MAX, distances);
    }
    totals->with_nearest += found;
    dun_exact_add_all(&totals->sum[DUN_TOTAL_NEAREST], kernel, distances, count);
}

static void add_motion(const dun_measured *m, uint32_t begin, uint32_t count, dun_totals *totals) {
    const dun_kernel *kernel = m->world->kernel;
    dun_motion_sums sums;
    kernel->motion(&m->motion, begin, count, &sums);
    dun_exact_add_all(&totals->sum[DUN_TOTAL_SPEED], kernel, sums.speed, count);
    for (int a = 0; a < m->motion.dimensions; a++)
        dun_exact_add_whole(&totals->sum[DUN_TOTAL_HEADING + a], sums.heading[a], DUN_UNIT_EXPONENT);
    for (int a = m->motion.dimensions == 3 ? 0 : 2; a < 3; a++) {
        dun_exact_add_whole(&totals->sum[DUN_TOTAL_TURNING + a], sums.turning[a], DUN_UNIT_EXPONENT);
        dun_exact_add_all(&totals->sum[DUN_TOTAL_MOMENTUM + a], kernel, sums.momentum[a], count);
    }
}

/* No agent leaves a periodic axis. */
static bool is_outside(const dunlin_world_def *def, int axis, float x) {
    const float margin = dun_margin_of(def, axis);
    return !dun_repeats(def, axis) && dun_boundary_of(def, axis) != DUNLIN_BOUNDARY_OPEN &&
           !(x >= -margin && x <= def->size[axis] + margin);
}

static uint64_t count_outside(const dun_measured *m, uint32_t begin, uint32_t end) {
    const dunlin_world_def *def = &m->world->def;
    bool any = false;
    if (dun_is_open(def) || def->boundary_first) return 0;
    for (int a = 0; a < def->dimensions; a++) {
        float ends[2];
        if (repeats(m, a)) continue;
        m->world->kernel->min_max(m->agents->position[a] + begin, end - begin, ends);
        any = any || is_outside(def, a, ends[0]) || is_outside(def, a, ends[1]);
    }
    uint64_t outside = 0;
    for (uint32_t i = begin; i < end && any; i++) {
        bool is = false;
        for (int a = 0; a < def->dimensions; a++) is = is || is_outside(def, a, m->agents->position[a][i]);
        outside += is;
    }
    return outside;
}

/* `counted`: an interaction's pass has counted the neighbours. */
void dun_measure_tile(const dun_measured *m, uint32_t begin, uint32_t end, bool counted, dun_scratch *scratch) {
    dun_totals *totals = totals_of(m, scratch);
    if (!counted) dun_measure_neighbours(m, dun_measure_count(m, begin, end, scratch), scratch);
    for (uint32_t at = begin; at < end; at += DUN_BLOCK) {
        const uint32_t count = min_u32(DUN_BLOCK, end - at);
        add_nearest(m, at, count, scratch->sums.nearest + (at - begin), scratch, totals);
        add_motion(m, at, count, totals);
    }
    totals->outside += count_outside(m, begin, end);
}

static void measure_tile(void *context, uint32_t tile, uint32_t worker) {
    const dun_measured *m = context;
    const uint32_t begin = m->begin + tile * DUN_TILE, end = min_u32(begin + DUN_TILE, m->end);
    dun_measure_tile(m, begin, end, false, &m->world->memory.scratch[worker]);
}

void dun_measure_tiles(const dun_measured *m) {
    const dun_executor *executor = &m->world->executor;
    executor->run(executor, dun_tiles_of(m->end - m->begin), measure_tile, (void *)(uintptr_t)m);
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

/* A rank's words are added up as they are: digits of sums, and counts. */
static void join_totals(const dun_measured *m) {
    dun_totals *all = &m->totals[0];
    dun_exact *first = &all->sum[DUN_TOTAL_HEADING];
    join_workers(m, DUN_TOTAL_HEADING, DUN_TOTALS);
    for (uint32_t w = 1; w < m->world->executor.workers; w++) {
        all->neighbours += m->totals[w].neighbours;
        all->with_nearest += m->totals[w].with_nearest;
        all->outside += m->totals[w].outside;
    }
    dun_all_reduce(m->world, (uint64_t *)(void *)first, (uint32_t)((char *)(all + 1) - (char *)first) / sizeof(uint64_t));
}

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Without agents there are no means. */
dunlin_metrics dun_measure_metrics(const dun_measured *m) {
    const dun_totals *all = &m->totals[0];
    const double count = m->count ? (double)m->count : (double)NAN;
    double heading[3], turning[3];
    join_totals(m);
    dunlin_metrics metrics = {.agents = m->count, .neighbour_radius = (double)m->radius, .outside = all->outside};
    for (int a = 0; a < 3; a++) {
        heading[a] = dun_exact_value(&all->sum[DUN_TOTAL_HEADING + a]);
        turning[a] = dun_exact_value(&all->sum[DUN_TOTAL_TURNING + a]);
        metrics.angular_momentum[a] = dun_exact_value(&all->sum[DUN_TOTAL_MOMENTUM + a]) / count;
    }
    metrics.polarization = length(heading) / count;
    metrics.rotation = length(turning) / count;
    metrics.mean_speed = dun_exact_value(&all->sum[DUN_TOTAL_SPEED]) / count;
    metrics.mean_neighbours = (double)all->neighbours / count;
    metrics.mean_nearest =
        all->with_nearest ? dun_exact_value(&all->sum[DUN_TOTAL_NEAREST]) / (double)all->with_nearest : (double)NAN;
    return metrics;
}
