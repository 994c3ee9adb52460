/* SPDX-License-Identifier: MIT */
/* Group by group through a stretch of a snapshot: what kernels, callbacks and measurements ask an index for. */
#ifndef DUNLIN_ENGINE_WALK_H
#define DUNLIN_ENGINE_WALK_H

#include "engine/world/world.h"

typedef struct dun_walk {
    const dun_index *observer, *observed;
    float radius;    /* how far it looks, world units */
    dun_query query; /* its group is the present one; before the first it has no agents */
    int dimensions;
    bool apart;    /* observers of others may be few in their cells and stand far apart: then in groups of their own */
    uint32_t most; /* agents a group: as many as the kernel has lanes, unless it is said otherwise */
    uint32_t stretch_end, end;
} dun_walk;

static inline void dun_walk_look(dun_walk *walk, float radius) {
    walk->radius = radius;
    walk->query.reach = walk->observed->type->reach(walk->observed, radius);
    walk->query.rows = (dun_rows){0};
}

/* Through the observers [begin, end), whose positions in the snapshot these are. */
static inline dun_walk dun_walk_through(const dunlin_world *world, const dun_index *observer, const dun_index *observed,
                                        const float *const position[3], float radius, uint32_t begin, uint32_t end) {
    dun_walk walk = {.observer = observer,
                     .observed = observed,
                     .query = {.own = observer == observed, .group = {.first = begin}},
                     .dimensions = world->def.dimensions,
                     .most = world->kernel->lanes,
                     .stretch_end = begin,
                     .end = end};
    for (int a = 0; a < walk.dimensions; a++) walk.query.position[a] = position[a];
    dun_walk_look(&walk, radius);
    walk.apart = !walk.query.own && !walk.query.reach.everywhere;
    return walk;
}

/* A group of agents that are far apart would be asked about all between them. */
static inline uint32_t dun_walk_close_by(const dun_walk *walk, dun_group group) {
    uint32_t count = group.count;
    for (int a = 0; a < walk->dimensions; a++) {
        const float *x = walk->query.position[a] + group.first;
        for (uint32_t i = 1; i < count; i++)
            if (x[i] - x[0] > walk->radius || x[0] - x[i] > walk->radius) count = i;
    }
    return count;
}

/* On to the next group; false: there is none. */
static inline bool dun_walk_on(dun_walk *walk) {
    dun_group *group = &walk->query.group;
    group->first += group->count;
    if (group->first >= walk->end) return false;
    if (group->first >= walk->stretch_end)
        walk->stretch_end = smaller(walk->end, walk->observer->type->group_end(walk->observer, group->first));
    group->count = smaller(walk->most, walk->stretch_end - group->first);
    if (walk->apart) group->count = dun_walk_close_by(walk, *group);
    return true;
}

static inline uint32_t dun_walk_runs(dun_walk *walk, dun_run *runs) {
    return walk->observed->type->list_runs(walk->observed, &walk->query, runs);
}

#endif
