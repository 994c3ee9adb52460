/* SPDX-License-Identifier: MIT */
/* A hundred thousand dunlins flock on a torus. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    dunlin_world_def def = dunlin_world_def_default();
    def.size[0] = def.size[1] = 1000.0f;
    dunlin_world *world = NULL;
    dunlin_error error;
    if (dunlin_world_create(&def, &world, &error)) return fprintf(stderr, "%s\n", error.message), 1;

    dunlin_species_def dunlins = dunlin_species_def_default();
    const dunlin_interaction_def flock = dunlin_interaction_boids(8.0f); /* species 0 observes itself */
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 100000;

    bool failed = dunlin_world_add_species(world, &dunlins, NULL, &error) ||
                  dunlin_world_add_interaction(world, &flock, NULL, &error) ||
                  dunlin_world_scatter(world, 0, &everywhere, &error);
    for (int step = 0; step < 100 && !failed; step++) failed = dunlin_world_step(world, &error);
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("state hash: %016" PRIx64 "\n", dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return failed;
}
