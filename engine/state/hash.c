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

/* Each agent's hash begins with its id, so the sum of all hashes depends on no order, and nothing has to be sorted. */
uint64_t dunlin_world_state_hash(const dunlin_world *world) {
    uint64_t sum = mix((uint64_t)world->def.dimensions);
    for (int s = 0; s < world->species_count; s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count; i++) {
            uint64_t hash = mix(((uint64_t)s << 32) + view.id[i]);
            for (int a = 0; a < world->def.dimensions; a++) hash = mix_float(hash, view.position[a][i]);
            for (int a = 0; a < world->def.dimensions; a++) hash = mix_float(hash, view.velocity[a][i]);
            for (int k = 0; k < world->species[s]->attribute_count; k++) hash = mix_float(hash, view.attribute[k][i]);
            sum += hash;
        }
    }
    return mix(sum);
}
