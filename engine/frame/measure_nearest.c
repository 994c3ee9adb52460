/* SPDX-License-Identifier: MIT */
/* Measuring: neighbours and the nearest agent, among the agents that a rank holds. */
#include <math.h>

#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/world/interaction.h"

/* ---- neighbours ------------------------------------------------------------------------------------------------------- */

/* For stragglers all agents are one range: their search would reach so far that testing all agents is no more work. */
uint32_t dun_measure_ranges(const dun_measured *m, dun_walk *walk, const dun_scratch *scratch) {
    dun_query *query = &walk->query;
    const dun_index_type *type = walk->observed->type;
    if (!query->reach.everywhere && type->max_ranges(walk->observed, &query->reach, query->own) <= scratch->range_room)
        return dun_walk_ranges(walk, scratch->ranges);
    query->reach.everywhere = true;
    scratch->ranges[0] = (dun_range){.begin = 0, .end = m->held, .folds = dun_space_folds(&m->space)};
    return 1;
}

static dun_walk walk_through(const dun_measured *m, uint32_t begin, uint32_t end) {
    const dun_index *index = m->world->species[m->species]->index;
    return dun_walk_through(m->world, index, index, m->motion.position, m->space.radius, begin, end);
}

dun_interact dun_measure_interact(const dun_measured *m) {
    dun_interact job = dun_interact_between(m->world, m->agents, m->agents);
    job.shape = (dun_shape){.dimensions = m->motion.dimensions, .alignment = true, .cohesion = true, .nearest = true};
    job.shape.nested = m->radius == m->space.radius;
    job.max_r2 = dun_squared_radius(m->space.radius);
    job.alignment_r2 = dun_squared_radius(m->radius);
    job.cohesion_r2 = job.separation_r2 = -1.0f;
    return job;
}

/* Counts neighbours as an interaction would: alignment has the radius of the metric, the search reaches as far as a cell. */
uint64_t dun_measure_count(const dun_measured *m, uint32_t begin, uint32_t end, dun_scratch *scratch) {
    const dun_interact job = dun_measure_interact(m);
    dun_walk walk = walk_through(m, begin, end);
    dun_interact_fn *interact = m->world->kernel->interact(&job.shape);
    while (dun_walk_on(&walk))
        interact(&job, walk.query.packet, scratch->ranges, dun_measure_ranges(m, &walk, scratch), &scratch->sums,
                 walk.query.packet.first - begin);
    const int32_t *neighbours = job.shape.nested ? scratch->sums.seen : scratch->sums.aligned;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < end - begin; i++) sum += (uint64_t)neighbours[i];
    return sum;
}

/* ---- the nearest ------------------------------------------------------------------------------------------------------ */

/* Doubles the radius until the nearest is certain. INFINITY: there is no other agent. */
static float search_one(const dun_measured *m, const dun_interact *job, uint32_t agent, const dun_scratch *scratch) {
    dun_walk walk = walk_through(m, agent, agent + 1);
    float nearest = INFINITY;
    walk.query.packet.count = 1;
    for (bool certain = false; !certain;) {
        if (!walk.query.reach.everywhere) dun_walk_set_radius(&walk, 2.0f * walk.radius);
        const uint32_t ranges = dun_measure_ranges(m, &walk, scratch);
        nearest = m->world->kernel->nearest_of(job, m->motion.dimensions, agent, scratch->ranges, ranges);
        certain = walk.query.reach.everywhere || nearest <= dun_squared_radius(walk.radius);
    }
    return nearest;
}

void dun_measure_search_on(const dun_measured *m, uint32_t first, uint32_t count, float *nearest, const dun_scratch *scratch) {
    const dun_interact job = dun_interact_between(m->world, m->agents, m->agents);
    const float max_d2 = dun_squared_radius(m->space.radius);
    for (uint32_t i = 0; i < count; i++)
        if (!(nearest[i] <= max_d2)) nearest[i] = search_one(m, &job, first + i, scratch);
}
