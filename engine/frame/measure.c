/* SPDX-License-Identifier: MIT */
#include "engine/frame/measure.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/cluster/cluster.h"
#include "engine/frame/stages.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/interaction.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"

/* In cells far smaller than the distances between agents the search for the nearest is long; in far larger ones a dense flock
 * in a large world is crowded. So a cell is no smaller than this part of the spacing in an even spread. */
#define SPACING_SHARE 64.0f

/* ---- the centre ------------------------------------------------------------------------------------------------------- */

static void add_places(const dun_measured *m, int a, uint32_t begin, uint32_t end, dun_totals *totals) {
    double place[DUN_BLOCK];
    for (uint32_t at = begin; at < end; at += DUN_BLOCK) {
        const uint32_t count = min_u32(DUN_BLOCK, end - at);
        for (uint32_t i = 0; i < count; i++) place[i] = (double)m->agents->position[a][at + i];
        dun_exact_add_all(&totals->place[a][0], m->world->kernel, place, count);
    }
}

static void add_circles(const dun_measured *m, int a, uint32_t begin, uint32_t end, dun_totals *totals) {
    int64_t sums[2];
    m->world->kernel->circle(m->agents->position[a] + begin, end - begin, m->motion.size[a], sums);
    for (int i = 0; i < 2; i++) dun_exact_add_whole(&totals->place[a][i], sums[i], DUN_UNIT_EXPONENT);
}

static bool repeats(const dun_measured *m, int axis) {
    return m->motion.size[axis] > 0.0;
}

static void place_tile(void *context, uint32_t tile, uint32_t worker) {
    const dun_measured *m = context;
    const uint32_t begin = tile * DUN_TILE, end = min_u32(begin + DUN_TILE, m->count);
    for (int a = 0; a < m->motion.dimensions; a++)
        (repeats(m, a) ? add_circles : add_places)(m, a, begin, end, &m->totals[worker]);
}

/* The mean on a circle as long as the world. If agents are spread all around, it is arbitrary and rotation means nothing. */
static double circular_mean(double cosine, double sine, double size) {
    const double mean = atan2(sine, cosine) / (2.0 * acos(-1.0)) * size;
    return mean < 0.0 ? mean + size : mean;
}

static double add_up(const dun_measured *m, size_t offset) {
    dun_exact sum = {0};
    for (uint32_t w = 0; w < m->world->executor.workers; w++)
        dun_exact_add_sum(&sum, (const dun_exact *)(const void *)((const char *)&m->totals[w] + offset));
    return dun_exact_value(&sum);
}

#define ADD_UP(m, field) add_up(m, offsetof(dun_totals, field))

/* `alone`: by one worker. */
static void find_centre(dun_measured *m, bool alone) {
    const uint32_t tiles = dun_tiles_of(m->count);
    const dun_executor *executor = &m->world->executor;
    double max_coordinate = 0.0;
    if (!alone) executor->run(executor, tiles, place_tile, m);
    for (uint32_t tile = 0; tile < tiles && alone; tile++) place_tile(m, tile, 0);
    for (int a = 0; a < m->motion.dimensions; a++) {
        const double first = ADD_UP(m, place[a][0]), size = (double)m->world->def.size[a];
        m->motion.centre[a] = repeats(m, a) ? circular_mean(first, ADD_UP(m, place[a][1]), size) : first / (double)m->count;
        max_coordinate = fmax(max_coordinate, fmax(size, fabs(m->motion.centre[a])));
    }
    m->motion.min_r2 = 1e-24 * max_coordinate * max_coordinate; /* the error of a centre, squared */
}

/* ---- neighbours ------------------------------------------------------------------------------------------------------- */

/* For stragglers all agents are one run: their search would reach so far that testing all agents is no more work. */
static uint32_t list_ranges(const dun_measured *m, dun_walk *walk, const dun_scratch *scratch) {
    dun_query *query = &walk->query;
    const dun_index_type *type = walk->observed->type;
    if (!query->reach.everywhere && type->max_ranges(walk->observed, &query->reach, true) <= scratch->range_room)
        return dun_walk_ranges(walk, scratch->ranges);
    query->reach.everywhere = true;
    scratch->ranges[0] = (dun_range){.begin = 0, .end = m->count, .folds = dun_space_folds(&m->space)};
    return 1;
}

static dun_walk walk_through(const dun_measured *m, uint32_t begin, uint32_t end) {
    const dun_index *index = m->world->species[m->species]->index;
    return dun_walk_through(m->world, index, index, m->motion.position, m->space.radius, begin, end);
}

static dun_totals *totals_of(const dun_measured *m, const dun_scratch *scratch) {
    return &m->totals[scratch - m->world->memory.scratch];
}

void dun_measure_neighbours(const dun_measured *m, uint64_t neighbours, const dun_scratch *scratch) {
    totals_of(m, scratch)->neighbours += neighbours;
}

/* Counts neighbours as an interaction would: alignment has the radius of the metric, the cells are as large as the search
 * needs. */
static void count_neighbours(const dun_measured *m, uint32_t begin, uint32_t end, dun_scratch *scratch) {
    dun_interact job = dun_interact_between(m->world, m->agents, m->agents);
    dun_walk walk = walk_through(m, begin, end);
    job.shape = (dun_shape){.dimensions = m->motion.dimensions, .alignment = true, .cohesion = true, .nearest = true};
    job.shape.nested = m->radius == m->space.radius;
    job.max_r2 = dun_squared_radius(m->space.radius);
    job.alignment_r2 = dun_squared_radius(m->radius);
    job.cohesion_r2 = job.separation_r2 = -1.0f;
    dun_interact_fn *interact = m->world->kernel->interact(&job.shape);
    while (dun_walk_on(&walk))
        interact(&job, walk.query.packet, scratch->ranges, list_ranges(m, &walk, scratch), &scratch->sums,
                 walk.query.packet.first - begin);
    const int32_t *neighbours = job.shape.nested ? scratch->sums.seen : scratch->sums.aligned;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < end - begin; i++) sum += (uint64_t)neighbours[i];
    dun_measure_neighbours(m, sum, scratch);
}

/* ---- the nearest ------------------------------------------------------------------------------------------------------ */

/* Doubles the radius until the nearest is certain. INFINITY: there is no other agent. */
static float search_one(const dun_measured *m, const dun_interact *job, uint32_t agent, const dun_scratch *scratch) {
    dun_walk walk = walk_through(m, agent, agent + 1);
    float nearest = INFINITY;
    walk.query.packet.count = 1;
    for (bool certain = false; !certain;) {
        if (!walk.query.reach.everywhere) dun_walk_set_radius(&walk, 2.0f * walk.radius);
        const uint32_t ranges = list_ranges(m, &walk, scratch);
        nearest = m->world->kernel->nearest_of(job, m->motion.dimensions, agent, scratch->ranges, ranges);
        certain = walk.query.reach.everywhere || nearest <= dun_squared_radius(walk.radius);
    }
    return nearest;
}

static void search_on(const dun_measured *m, uint32_t first, uint32_t count, float *nearest, const dun_scratch *scratch) {
    const dun_interact job = dun_interact_between(m->world, m->agents, m->agents);
    const float max_d2 = dun_squared_radius(m->space.radius);
    for (uint32_t i = 0; i < count; i++)
        if (!(nearest[i] <= max_d2)) nearest[i] = search_one(m, &job, first + i, scratch);
}

/* ---- a tile ----------------------------------------------------------------------------------------------------------- */

static void add_nearest(const dun_measured *m, uint32_t first, uint32_t count, float *nearest, const dun_scratch *scratch,
                        dun_totals *totals) {
    const dun_kernel *kernel = m->world->kernel;
    double distances[DUN_BLOCK];
    uint32_t found = kernel->distances(nearest, count, dun_squared_radius(m->space.radius), distances);
    if (found < count) {
        search_on(m, first, count, nearest, scratch);
        found = kernel->distances(nearest, count, FLT_MAX, distances);
    }
    totals->with_nearest += found;
    dun_exact_add_all(&totals->nearest, kernel, distances, count);
}

static void add_motion(const dun_measured *m, uint32_t begin, uint32_t count, dun_totals *totals) {
    const dun_kernel *kernel = m->world->kernel;
    dun_motion_sums sums;
    kernel->motion(&m->motion, begin, count, &sums);
    dun_exact_add_all(&totals->speed, kernel, sums.speed, count);
    for (int a = 0; a < m->motion.dimensions; a++) dun_exact_add_whole(&totals->heading[a], sums.heading[a], DUN_UNIT_EXPONENT);
    for (int a = m->motion.dimensions == 3 ? 0 : 2; a < 3; a++) {
        dun_exact_add_whole(&totals->turning[a], sums.turning[a], DUN_UNIT_EXPONENT);
        dun_exact_add_all(&totals->momentum[a], kernel, sums.momentum[a], count);
    }
}

static bool is_outside(const dunlin_world_def *def, int axis, float x) {
    const float margin = dun_margin_of(def, axis);
    return dun_boundary_of(def, axis) != DUNLIN_BOUNDARY_OPEN && !(x >= -margin && x <= def->size[axis] + margin);
}

static uint64_t count_outside(const dun_measured *m, uint32_t begin, uint32_t end) {
    const dunlin_world_def *def = &m->world->def;
    bool any = false;
    if (dun_is_open(def) || def->boundary_first) return 0;
    for (int a = 0; a < def->dimensions; a++) {
        float ends[2];
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

static void measure_tile(const dun_measured *m, uint32_t begin, uint32_t end, dun_scratch *scratch) {
    dun_totals *totals = totals_of(m, scratch);
    for (uint32_t at = begin; at < end; at += DUN_BLOCK) {
        const uint32_t count = min_u32(DUN_BLOCK, end - at);
        add_nearest(m, at, count, scratch->sums.nearest + (at - begin), scratch, totals);
        add_motion(m, at, count, totals);
    }
    totals->outside += count_outside(m, begin, end);
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static dunlin_metrics metrics_of(const dun_measured *m) {
    const double count = (double)m->count;
    double heading[3], turning[3];
    dunlin_metrics metrics = {.agents = m->count, .neighbour_radius = (double)m->radius};
    uint64_t neighbours = 0, with_nearest = 0;
    for (int a = 0; a < 3; a++) {
        heading[a] = ADD_UP(m, heading[a]);
        turning[a] = ADD_UP(m, turning[a]);
        metrics.angular_momentum[a] = ADD_UP(m, momentum[a]) / count;
    }
    for (uint32_t w = 0; w < m->world->executor.workers; w++) {
        neighbours += m->totals[w].neighbours;
        with_nearest += m->totals[w].with_nearest;
        metrics.outside += m->totals[w].outside;
    }
    metrics.polarization = length(heading) / count;
    metrics.rotation = length(turning) / count;
    metrics.mean_speed = ADD_UP(m, speed) / count;
    metrics.mean_neighbours = (double)neighbours / count;
    metrics.mean_nearest = with_nearest ? ADD_UP(m, nearest) / (double)with_nearest : (double)NAN;
    return metrics;
}

/* Without agents. */
static dunlin_metrics metrics_of_none(const dun_measured *m) {
    const double none = (double)NAN;
    return (dunlin_metrics){.polarization = none,
                            .rotation = none,
                            .angular_momentum = {none, none, none},
                            .mean_speed = none,
                            .mean_neighbours = none,
                            .neighbour_radius = (double)m->radius,
                            .mean_nearest = none};
}

static dun_measured measured_of(const dunlin_world *world, int species, dun_totals *totals) {
    dun_measured m = {.world = world,
                      .species = species,
                      .count = world->species[species]->count,
                      .radius = dun_species_own_radius(world, species),
                      .motion = {.dimensions = world->def.dimensions},
                      .totals = totals};
    m.space = dun_species_space(world, species, m.count);
    m.space.radius = fmaxf(m.space.radius, dun_world_spacing(world, m.count) / SPACING_SHARE);
    for (int a = 0; a < 3; a++)
        m.motion.size[a] = a < world->def.dimensions && dun_repeats(&world->def, a) ? (double)world->def.size[a] : 0.0;
    return m;
}

static void set_agents(dun_measured *m, const dun_agents *agents) {
    m->agents = agents;
    for (int a = 0; a < m->motion.dimensions; a++) {
        m->motion.position[a] = agents->position[a];
        m->motion.velocity[a] = agents->velocity[a];
    }
}

/* ---- in passes of their own -------------------------------------------------------------------------------------------- */

static void run_tile(void *context, uint32_t tile, uint32_t worker) {
    const dun_measured *m = context;
    dun_scratch *scratch = &m->world->memory.scratch[worker];
    const uint32_t begin = tile * DUN_TILE, end = min_u32(begin + DUN_TILE, m->count);
    count_neighbours(m, begin, end, scratch);
    measure_tile(m, begin, end, scratch);
}

/* There may be more cells than in a frame, because their size differs. */
dunlin_result dun_measure_alone(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error) {
    const dun_executor *executor = &world->executor;
    dun_index *index = world->species[species]->index;
    dun_measured m = measured_of(world, species, NULL);
    *metrics = metrics_of_none(&m);
    if (m.count == 0) return DUNLIN_OK;
    m.totals = dun_allocate_zeros(world->heap, executor->workers, sizeof *m.totals);
    if (!m.totals || !index->type->reserve(index, &m.space, m.count, executor->workers)) {
        dun_free(m.totals);
        return dun_fail_memory(error, "a measurement");
    }
    set_agents(&m, &world->species[species]->buffer[dun_species_snapshot(world, species, &m.space)]);
    find_centre(&m, false);
    executor->run(executor, dun_tiles_of(m.count), run_tile, &m);
    *metrics = metrics_of(&m);
    dun_free(m.totals);
    return DUNLIN_OK;
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

/* The interaction that sees all neighbours within the radius; NULL: there is none, or the frame's snapshot is not the state. */
static const dun_interaction *interaction_for(const dun_measured *m) {
    const dunlin_world *world = m->world;
    const dun_species *species = world->species[m->species];
    const dun_agents *agents = &species->buffer[species->current];
    if (dun_attribute_column(species, agents, DUNLIN_ROLE_RADIUS_SCALE)) return NULL;
    if (world->def.boundary_first || m->count == 0 || species->own_begin != 0 || species->own_end < species->count) return NULL;
    for (int i = 0; i < world->interaction_count; i++) {
        const dun_interaction *interaction = &world->interactions[i];
        const dun_look *look = &interaction->look;
        if (look->observer == m->species && look->observed == m->species && look->radius == m->space.radius &&
            interaction->sums_over == DUN_SUMS_NEIGHBOURS && !interaction->kin)
            return interaction;
    }
    return NULL;
}

bool dun_measure_reserve(dunlin_world *world) {
    if (!world->measuring) world->measuring = dun_allocate_zeros(world->heap, 1, sizeof *world->measuring);
    struct dun_measuring *all = world->measuring;
    const uint32_t room = (uint32_t)world->species_count * world->executor.workers;
    if (!all || room <= all->totals_room) return all;
    if (!dun_array_grow(world->heap, &all->totals, room, sizeof *all->totals)) return false;
    all->totals_room = room;
    return true;
}

void dun_measure_free(dunlin_world *world) {
    if (world->measuring) dun_free(world->measuring->totals);
    dun_free(world->measuring);
}

/* A part of a flock is measured whole, on rank 0. */
dunlin_result dun_measure_gathered(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    struct dun_measuring *all = world->measuring;
    result = dun_agree(world, result, error);
    if (!result) result = dun_gather(world, error);
    if (result) return result;
    const dunlin_transport *t = &world->cluster->transport;
    for (int s = 0; s < world->species_count && t->rank == 0 && !result; s++)
        result = dun_measure_alone(world, s, &all->metrics[s], error);
    dun_ungather(world, NULL);
    t->broadcast(t->context, 0, all->metrics, (uint64_t)world->species_count * sizeof *all->metrics);
    result = dun_agree(world, result, error);
    all->species_count = world->species_count;
    if (result) return result;
    all->asked = false;
    all->done = true;
    return DUNLIN_OK;
}

/* The passes of the frame's own interactions measure as many species as they can. */
static dunlin_result begin(dun_frame *f) {
    dunlin_world *world = f->world;
    struct dun_measuring *all = world->measuring;
    dunlin_result result = DUNLIN_OK;
    if (!dun_measure_reserve(world)) return dun_fail_memory(f->error, "a measurement"); /* there may be another species */
    f->measured = all->species;
    memset(all->totals, 0, all->totals_room * sizeof *all->totals);
    for (int s = 0; s < world->species_count && !result; s++) {
        dun_measured *m = &all->species[s];
        *m = measured_of(world, s, all->totals + (uint32_t)s * world->executor.workers);
        m->interaction = interaction_for(m);
        if (!m->interaction) {
            result = dun_measure_alone(world, s, &all->metrics[s], f->error);
            continue;
        }
        m->shape = m->interaction->shape;
        m->shape.nearest = true;
    }
    return result;
}

/* A rank that has failed measures with the others: they agree on that. */
void dun_measure_begin(dun_frame *f) {
    const struct dun_measuring *all = f->world->measuring;
    if (!all || !all->asked) return;
    if (f->world->transport)
        f->status = dun_measure_gathered(f->world, f->status, f->error);
    else if (!f->status)
        f->status = begin(f);
}

void dun_observe_tile(const dun_frame *f, const dun_tile *tile) {
    if (!f->measured || !f->measured[tile->species].interaction) return;
    measure_tile(&f->measured[tile->species], tile->begin, tile->end, tile->scratch);
    dun_lap(tile->scratch, &tile->scratch->ns_measure);
}

void dun_measure_centres(const dun_frame *f) {
    for (int s = 0; s < f->world->species_count && f->measured; s++) {
        dun_measured *m = &f->measured[s];
        if (!m->interaction) continue;
        set_agents(m, f->snapshot[s]);
        find_centre(m, f->alone);
    }
}

void dun_measure_end(const dun_frame *f) {
    if (!f->measured) return;
    struct dun_measuring *all = f->world->measuring;
    for (int s = 0; s < f->world->species_count; s++)
        if (f->measured[s].interaction) all->metrics[s] = metrics_of(&f->measured[s]);
    all->species_count = f->world->species_count;
    all->asked = false;
    all->done = true;
}
