/* SPDX-License-Identifier: MIT */
/* A walk through observers, packet by packet, that asks an index for each packet's candidates. */
#ifndef DUNLIN_ENGINE_WALK_H
#define DUNLIN_ENGINE_WALK_H

#include "engine/world/frame.h"

typedef struct dun_walk {
    const dun_index *observer, *observed;
    float radius;    /* world units, of the present query */
    dun_query query; /* its packet is the present one; before the first it has no agents */
    int dimensions;
    bool apart;          /* observers of another species may stand far apart: such packets are cut */
    uint32_t max_agents; /* per packet: the kernel's lanes, unless a caller says otherwise */
    uint32_t stretch_end, end;
} dun_walk;

static inline void dun_walk_set_radius(dun_walk *walk, float radius) {
    walk->radius = radius;
    walk->query.reach = walk->observed->type->reach(walk->observed, radius);
    walk->query.rows = (dun_rows){0};
}

/* Through the observers [begin, end), whose positions in the snapshot are given. */
static inline dun_walk dun_walk_through(const dunlin_world *world, const dun_index *observer, const dun_index *observed,
                                        const float *const position[3], float radius, uint32_t begin, uint32_t end) {
    dun_walk walk = {.observer = observer,
                     .observed = observed,
                     .query = {.own = observer == observed, .packet = {.first = begin}},
                     .dimensions = world->def.dimensions,
                     .max_agents = world->kernel->lanes,
                     .stretch_end = begin,
                     .end = end};
    for (int a = 0; a < walk.dimensions; a++) walk.query.position[a] = position[a];
    dun_walk_set_radius(&walk, radius);
    walk.apart = !walk.query.own && !walk.query.reach.everywhere;
    return walk;
}

/* Through the observers [begin, end) of a look. A search begins with the radius that the observed species' cells have. */
static inline dun_walk dun_look_walk(const dun_frame *f, const dun_look *look, uint32_t begin, uint32_t end) {
    const dunlin_world *world = f->world;
    const float radius = look->searches ? min_float(f->cell_radius[look->observed], look->radius) : look->radius;
    return dun_walk_through(world, world->species[look->observer]->index, world->species[look->observed]->index,
                            (const float *const *)f->snapshot[look->observer]->position, radius, begin, end);
}

/* Agents that stand far apart share no packet: the index would list all agents between them. */
static inline uint32_t dun_walk_cut(const dun_walk *walk, dun_packet packet) {
    uint32_t count = packet.count;
    for (int a = 0; a < walk->dimensions; a++) {
        const float *x = walk->query.position[a] + packet.first;
        for (uint32_t i = 1; i < count; i++)
            if (x[i] - x[0] > walk->radius || x[0] - x[i] > walk->radius) count = i;
    }
    return count;
}

/* Moves to the next packet; false: there is none. */
static inline bool dun_walk_on(dun_walk *walk) {
    dun_packet *packet = &walk->query.packet;
    packet->first += packet->count;
    if (packet->first >= walk->end) return false;
    if (packet->first >= walk->stretch_end)
        walk->stretch_end = min_u32(walk->end, walk->observer->type->packet_end(walk->observer, packet->first));
    packet->count = min_u32(walk->max_agents, walk->stretch_end - packet->first);
    if (walk->apart) packet->count = dun_walk_cut(walk, *packet);
    return true;
}

/* Lists the ranges that hold all candidates of the present packet; returns how many. */
static inline uint32_t dun_walk_ranges(dun_walk *walk, dun_range *ranges) {
    return walk->observed->type->list_ranges(walk->observed, &walk->query, ranges);
}

#endif
