/* SPDX-License-Identifier: MIT */
/*
 * Metrics: a flock's state in a few numbers. Each tile has partial sums, which are added up in the order of tiles, so the
 * thread count changes nothing. They are computed in binary64, with libm: metrics describe the state but are no part of it.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/frame/stages.h"
#include "engine/world/look.h"
#include "engine/world/walk.h"
#include "engine/world/species.h"

/* In cells far smaller than the distances between agents the search for the nearest is long; in far larger ones a dense flock
 * in a large world is crowded. So a cell is no smaller than this part of the spacing in an even spread. */
#define SPACING_SHARE 64.0f

/* What is summed up: numbers of agents too, which binary64 holds exactly. */
enum { HEADING, TURNING = HEADING + 3, SPEED = TURNING + 3, NEAREST, WITH_NEAREST, NEIGHBOURS, OUTSIDE, SUMS };

/* One tile's sums. */
typedef struct partial {
    double of[SUMS];
} partial;

typedef struct measurement {
    dunlin_world *world;
    dun_index *index;
    const dun_agents *agents;
    dun_interact job;
    uint32_t count;
    float radius;    /* within which neighbours are counted; 0: no neighbours */
    dun_space space; /* its radius is that of the first search, at least the one above */
    double centre[3];
    double centre_error; /* world units: an agent nearer to the centre than this has no direction from it */
    partial *partials;   /* [tiles] */
} measurement;

/* ---- the centre ------------------------------------------------------------------------------------------------------- */

/* The mean on a circle as long as the world. If agents are spread all around, it is arbitrary and rotation means nothing. */
static double circular_mean(const float *x, uint32_t count, double size) {
    const double turn = 2.0 * acos(-1.0);
    double sine = 0.0, cosine = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const double angle = turn * (double)x[i] / size;
        sine += sin(angle);
        cosine += cos(angle);
    }
    const double mean = atan2(sine, cosine) / turn * size;
    return mean < 0.0 ? mean + size : mean;
}

static double plain_mean(const float *x, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) sum += (double)x[i];
    return sum / (double)count;
}

static void find_centre(measurement *m) {
    double max_coordinate = 0.0;
    for (int a = 0; a < m->world->def.dimensions; a++) {
        const float *x = m->agents->position[a];
        m->centre[a] = m->world->def.boundary == DUNLIN_BOUNDARY_PERIODIC
                           ? circular_mean(x, m->count, (double)m->world->def.size[a])
                           : plain_mean(x, m->count);
        max_coordinate = fmax(max_coordinate, fmax((double)m->world->def.size[a], fabs(m->centre[a])));
    }
    m->centre_error = 1e-12 * max_coordinate;
}

static double from_centre(const measurement *m, int axis, uint32_t agent) {
    const double offset = (double)m->agents->position[axis][agent] - m->centre[axis];
    const double size = (double)m->world->def.size[axis];
    if (m->world->def.boundary != DUNLIN_BOUNDARY_PERIODIC) return offset;
    return offset > 0.5 * size ? offset - size : offset < -0.5 * size ? offset + size : offset;
}

/* ---- heading, speed, milling ------------------------------------------------------------------------------------------ */

static double normalise(double v[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3 && length > 0.0; a++) v[a] /= length;
    return length;
}

static void add_motion(const measurement *m, uint32_t agent, partial *sum) {
    double h[3] = {0}, r[3] = {0};
    for (int a = 0; a < m->world->def.dimensions; a++) {
        h[a] = (double)m->agents->velocity[a][agent];
        r[a] = from_centre(m, a, agent);
    }
    sum->of[SPEED] += normalise(h);
    if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] > m->centre_error * m->centre_error)
        normalise(r);
    else
        memset(r, 0, sizeof r);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        sum->of[HEADING + a] += h[a];
        sum->of[TURNING + a] += r[b] * h[c] - r[c] * h[b];
    }
}

static bool is_outside(const measurement *m, uint32_t agent) {
    const dunlin_world_def *def = &m->world->def;
    if (def->boundary == DUNLIN_BOUNDARY_OPEN || def->boundary_first) return false;
    for (int a = 0; a < def->dimensions; a++) {
        const float x = m->agents->position[a][agent];
        if (!(x >= -def->margin && x <= def->size[a] + def->margin)) return true;
    }
    return false;
}

/* ---- neighbours ------------------------------------------------------------------------------------------------------- */

/* For stragglers all agents are one run: their search would reach so far that testing all agents is no more work. */
static uint32_t list_runs(const measurement *m, dun_query *query, const dun_scratch *scratch) {
    const dun_index_type *type = m->index->type;
    if (!query->reach.everywhere && type->max_runs(m->index, &query->reach, true) <= scratch->run_room)
        return type->list_runs(m->index, query, scratch->runs);
    query->reach.everywhere = true;
    scratch->runs[0] = (dun_run){.begin = 0, .end = m->count, .folds = m->world->def.boundary == DUNLIN_BOUNDARY_PERIODIC};
    return 1;
}

static void count_neighbours(const measurement *m, dun_group group, const dun_scratch *scratch, uint32_t runs, partial *sum) {
    if (!(m->radius > 0.0f)) return;
    dun_interact within = m->job;
    within.shape = (dun_shape){.dimensions = m->world->def.dimensions, .alignment = true, .nested = true};
    within.max_r2 = m->radius * m->radius;
    m->world->kernel->interact (&within.shape)(&within, group, scratch->runs, runs, &scratch->sums, 0);
    for (uint32_t i = 0; i < group.count; i++) sum->of[NEIGHBOURS] += scratch->sums.seen[i];
}

/* Squared distances to the nearest in the runs, rounded as in kernels. INFINITY: there is no other agent. */
static void find_nearest(const measurement *m, dun_group group, const dun_scratch *scratch, uint32_t runs, float *nearest_d2) {
    const dun_sums *sums = &scratch->sums;
    m->world->kernel->nearest[m->world->def.dimensions - 2](&m->job, group, scratch->runs, runs, sums, 0);
    for (uint32_t i = 0; i < group.count; i++) {
        float d2 = 0.0f;
        for (int a = 0; a < m->world->def.dimensions; a++) d2 += sums->offset[a][i] * sums->offset[a][i];
        nearest_d2[i] = sums->seen[i] ? d2 : INFINITY;
    }
}

/* Doubles the radius until the nearest of every agent of the group is certain. The first search also counts neighbours. */
static void search_group(const measurement *m, dun_walk walk, const dun_scratch *scratch, partial *sum) {
    float nearest[DUN_PADDING];
    dun_query *query = &walk.query;
    for (bool first = true, certain = false; !certain; first = false) {
        if (!first) dun_walk_set_radius(&walk, 2.0f * walk.radius);
        const uint32_t count = list_runs(m, query, scratch);
        if (first) count_neighbours(m, query->group, scratch, count, sum);
        find_nearest(m, query->group, scratch, count, nearest);
        certain = true;
        for (uint32_t i = 0; i < query->group.count; i++)
            certain = certain && (query->reach.everywhere || nearest[i] <= walk.radius * walk.radius);
    }
    for (uint32_t i = 0; i < query->group.count; i++) {
        if (!(nearest[i] < INFINITY)) continue;
        sum->of[NEAREST] += sqrt((double)nearest[i]);
        sum->of[WITH_NEAREST]++;
    }
}

static void measure_tile(void *context, uint32_t tile, uint32_t worker) {
    const measurement *m = context;
    partial *sum = &m->partials[tile];
    const uint32_t begin = tile * DUN_TILE, end = min_u32(begin + DUN_TILE, m->count);
    dun_walk walk = dun_walk_through(m->world, m->index, m->index, m->job.observer, m->space.radius, begin, end);
    while (dun_walk_on(&walk)) search_group(m, walk, &m->world->memory.scratch[worker], sum);
    for (uint32_t i = begin; i < end; i++) {
        add_motion(m, i, sum);
        sum->of[OUTSIDE] += is_outside(m, i);
    }
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

static partial add_up(const measurement *m) {
    partial sum = {0};
    for (uint32_t t = 0; t < dun_tiles_of(m->count); t++)
        for (int i = 0; i < SUMS; i++) sum.of[i] += m->partials[t].of[i];
    return sum;
}

static dunlin_metrics metrics_of(const measurement *m) {
    partial sum = add_up(m);
    const double count = (double)m->count, *of = sum.of;
    return (dunlin_metrics){.agents = m->count,
                            .polarization = normalise(&sum.of[HEADING]) / count,
                            .rotation = normalise(&sum.of[TURNING]) / count,
                            .mean_speed = of[SPEED] / count,
                            .mean_neighbours = of[NEIGHBOURS] / count,
                            .neighbour_radius = (double)m->radius,
                            .mean_nearest = of[WITH_NEAREST] > 0.0 ? of[NEAREST] / of[WITH_NEAREST] : (double)NAN,
                            .outside = (uint64_t)of[OUTSIDE]};
}

static void take_snapshot(measurement *m, int species) {
    m->agents = &m->world->species[species]->buffer[dun_species_snapshot(m->world, species, &m->space)];
    m->job = dun_interact_between(m->world, m->agents, m->agents);
    m->job.max_r2 = INFINITY;
    find_centre(m);
}

/* There may be more cells than in a frame, because their size differs. */
dunlin_result dunlin_world_measure(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error) {
    if (!metrics) return dun_fail(error, DUNLIN_ERROR_VALUE, "metrics is NULL: it must point at a dunlin_metrics");
    dunlin_result result = dun_species_check(world, species, error);
    if (!result) result = dun_world_prepare(world, error);
    if (result) return result;
    measurement m = {.world = world,
                     .index = world->species[species]->index,
                     .count = world->species[species]->count,
                     .radius = dun_species_own_radius(world, species)};
    *metrics = (dunlin_metrics){.mean_nearest = (double)NAN, .neighbour_radius = (double)m.radius};
    if (m.count == 0) return DUNLIN_OK;
    m.space = dun_species_space(world, species, m.count);
    m.space.radius = fmaxf(m.space.radius, dun_world_spacing(world, m.count) / SPACING_SHARE);
    m.partials = calloc(dun_tiles_of(m.count), sizeof *m.partials);
    if (m.partials && m.index->type->reserve(m.index, &m.space, m.count, world->executor.workers)) {
        take_snapshot(&m, species);
        world->executor.run(&world->executor, dun_tiles_of(m.count), measure_tile, &m);
        *metrics = metrics_of(&m);
    } else {
        result = dun_fail_memory(error, "a measurement");
    }
    free(m.partials);
    return result;
}
