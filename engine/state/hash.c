/* SPDX-License-Identifier: MIT */
/* The hash of a state: of its bits, whatever the storage order. */
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/use.h"

_Static_assert(DUN_MAX_HASHED >= 6 + DUNLIN_MAX_ATTRIBUTES, "a kernel hashes all columns of an agent");

/* Each agent's hash begins with its id, so the sum of all hashes depends on no order, and nothing has to be sorted. */
static uint64_t hash_species(const dun_kernel *kernel, int dimensions, int species, const dunlin_view *view) {
    dun_hashed hashed = {.species = (uint32_t)species, .id = view->id};
    for (int a = 0; a < dimensions; a++) hashed.column[hashed.columns++] = view->position[a];
    for (int a = 0; a < dimensions; a++) hashed.column[hashed.columns++] = view->velocity[a];
    for (int k = 0; k < DUNLIN_MAX_ATTRIBUTES && view->attribute[k]; k++) hashed.column[hashed.columns++] = view->attribute[k];
    return kernel->hash(&hashed, view->count);
}

/* The same bits in every kernel. */
static uint64_t hash_all(int dimensions, const dunlin_view *species, int count) {
    const dun_kernel *kernel = dun_kernels_at(dun_kernels_find("auto"));
    uint64_t sum = 0;
    for (int s = 0; s < count; s++) sum += hash_species(kernel, dimensions, s, &species[s]);
    return sum;
}

uint64_t dunlin_agents_hash(int dimensions, const dunlin_view *species, int count) {
    return dun_mix(dun_mix((uint64_t)dimensions) + hash_all(dimensions, species, count));
}

uint64_t dunlin_world_state_hash(const dunlin_world *world) {
    dunlin_view species[DUNLIN_MAX_SPECIES];
    if (!dun_may_look(world, __func__)) return 0;
    for (int s = 0; s < world->species_count; s++) species[s] = dun_view(world, s);
    uint64_t sum = hash_all(world->def.dimensions, species, world->species_count);
    dun_all_reduce(world, &sum, 1);
    return dun_mix(dun_mix((uint64_t)world->def.dimensions) + sum);
}
