/* SPDX-License-Identifier: MIT */
/* A hundred thousand dunlins flock on a torus. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

static dunlin_result scatter(dunlin_world *world, uint32_t count, dunlin_error *error) {
    dunlin_scatter_def everywhere = dunlin_world_scatter_def_default(world);
    everywhere.count = count;
    return dunlin_world_scatter(world, 0, &everywhere, error);
}

int main(void) {
    dunlin_world_def def = dunlin_world_def_default();
    def.size[0] = def.size[1] = 1000.0f;
    dunlin_species_def dunlins = dunlin_species_def_default();
    dunlin_interaction_def flock = dunlin_interaction_def_default(); /* species 0 observes itself */
    flock.rules[DUNLIN_SEPARATION].radius = 4.0f;
    flock.rules[DUNLIN_SEPARATION].weight = 1.5f;
    flock.rules[DUNLIN_ALIGNMENT].radius = 8.0f;
    flock.rules[DUNLIN_COHESION].radius = 8.0f;

    dunlin_world *world = NULL;
    dunlin_metrics metrics;
    dunlin_error error;
    dunlin_result result = dunlin_world_create(&def, &world, &error);
    if (!result) result = dunlin_world_add_species(world, &dunlins, NULL, &error);
    if (!result) result = dunlin_world_add_interaction(world, &flock, &error);
    if (!result) result = scatter(world, 100000, &error);
    for (int step = 0; step < 100 && !result; step++) result = dunlin_world_step(world, &error);
    if (!result) result = dunlin_world_measure(world, 0, &metrics, &error);

    if (result) fprintf(stderr, "%s\n", error.message);
    else printf("polarization %.3f, state %016" PRIx64 "\n", metrics.polarization, dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return result ? 1 : 0;
}
