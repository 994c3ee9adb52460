/* SPDX-License-Identifier: MIT */
/* The hash of a state: of its bits, whatever the storage order. */
#include <string.h>

#include "engine/world/world.h"

/* The finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t mix(uint64_t a) {
    a = (a ^ (a >> 30)) * 0xbf58476d1ce4e5b9u;
    a = (a ^ (a >> 27)) * 0x94d049bb133111ebu;
    return a ^ (a >> 31);
}

static uint64_t mix_float(uint64_t hash, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix(hash + 0x9e3779b97f4a7c15u + bits);
}

static uint64_t hash_agent(int dimensions, int species, const dunlin_view *view, uint32_t i) {
    uint64_t hash = mix(((uint64_t)species << 32) + view->id[i]);
    for (int a = 0; a < dimensions; a++) hash = mix_float(hash, view->position[a][i]);
    for (int a = 0; a < dimensions; a++) hash = mix_float(hash, view->velocity[a][i]);
    for (int k = 0; k < DUNLIN_MAX_ATTRIBUTES && view->attribute[k]; k++) hash = mix_float(hash, view->attribute[k][i]);
    return hash;
}

/* Each agent's hash begins with its id, so the sum of all hashes depends on no order, and nothing has to be sorted. */
uint64_t dunlin_agents_hash(int dimensions, const dunlin_view *species, int count) {
    uint64_t sum = mix((uint64_t)dimensions);
    for (int s = 0; s < count; s++)
        for (uint32_t i = 0; i < species[s].count; i++) sum += hash_agent(dimensions, s, &species[s], i);
    return mix(sum);
}

uint64_t dunlin_world_state_hash(const dunlin_world *world) {
    dunlin_view species[DUNLIN_MAX_SPECIES];
    for (int s = 0; s < world->species_count; s++) species[s] = dunlin_world_view(world, s);
    return dunlin_agents_hash(world->def.dimensions, species, world->species_count);
}
