/* SPDX-License-Identifier: MIT */
/* Agents that definitions name: one rank has each of them, and all ranks learn where it is. */
#include "engine/base/bits.h"
#include "engine/cluster/cluster.h"
#include "engine/world/agree.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"

static bool names_agent(const dun_behaviour *behaviour) {
    return behaviour->def.target.kind == DUNLIN_TARGET_AGENT;
}

static bool names_any(const dunlin_world *world, uint64_t *count) {
    bool any = false;
    *count = (uint64_t)world->behaviour_count;
    for (int b = 0; b < world->behaviour_count; b++) any = any || names_agent(&world->behaviours[b]);
    for (int p = 0; p < world->path_count; p++) {
        if (!world->paths[p].agents) continue;
        any = true;
        *count += world->paths[p].count;
    }
    return any;
}

bool dun_named_reserve(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    uint64_t count;
    if (!names_any(world, &count)) return true;
    return dun_array_reserve(world->heap, &cluster->named, &cluster->named_room, count, sizeof *cluster->named);
}

/* Searching costs a pass over the agents, and a table of all of them about twenty. */
static dun_named find_named(dunlin_world *world, uint32_t id, bool by_table) {
    const dunlin_slot at = by_table ? dun_ids_find(world, id) : dun_ids_search(world, id);
    dun_named named = {.there = at.species >= 0};
    if (!named.there) return named;
    const dun_species *species = world->species[at.species];
    for (int a = 0; a < world->def.dimensions; a++) {
        named.place[a] = dun_bits_of(species->buffer[species->current].position[a][at.index]);
        named.velocity[a] = dun_bits_of(species->buffer[species->current].velocity[a][at.index]);
    }
    return named;
}

/* Each agent is on one rank before the exchange. */
const dun_named *dun_named_find(dunlin_world *world) {
    enum { MANY = 20 };
    dun_named *named = world->cluster->named;
    uint64_t count, filled = 0;
    if (!names_any(world, &count)) return NULL;
    const bool by_table = count > MANY;
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &world->behaviours[b];
        named[filled++] = names_agent(behaviour) ? find_named(world, behaviour->def.target.agent, by_table) : (dun_named){0};
    }
    for (int p = 0; p < world->path_count; p++)
        for (uint32_t i = 0; world->paths[p].agents && i < world->paths[p].count; i++)
            named[filled++] = find_named(world, world->paths[p].agents[i], by_table);
    dun_all_reduce(world, &named->there, count * (sizeof *named / sizeof named->there));
    return named;
}
