/* SPDX-License-Identifier: MIT */
/* Flies a small flock on two threads and prints the library's version and the state's hash. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

static dunlin_result fly(dunlin_world *world, dunlin_error *error) {
    dunlin_species_def starlings = dunlin_species_def_default();
    dunlin_interaction_def flock = dunlin_interaction_def_default();
    flock.rules[DUNLIN_RULE_SEPARATION] = (dunlin_rule){.radius = 2.0f, .weight = 1.5f};
    flock.rules[DUNLIN_RULE_ALIGNMENT] = (dunlin_rule){.radius = 5.0f, .weight = 1.0f};
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 500;

    dunlin_result result = dunlin_world_add_species(world, &starlings, NULL, error);
    if (result == DUNLIN_OK) result = dunlin_world_add_interaction(world, &flock, NULL, error);
    if (result == DUNLIN_OK) result = dunlin_world_scatter(world, 0, &everywhere, error);
    for (int step = 0; step < 10 && result == DUNLIN_OK; step++) result = dunlin_world_step(world, error);
    return result;
}

int main(void) {
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = 2;
    dunlin_world *world = NULL;
    dunlin_error error;
    dunlin_result result = dunlin_world_create(&def, &world, &error);
    if (result == DUNLIN_OK) result = fly(world, &error);
    if (result == DUNLIN_OK)
        printf("%s %016" PRIx64 "\n", dunlin_version(), dunlin_world_state_hash(world));
    else
        fprintf(stderr, "%s\n", error.message);
    dunlin_world_destroy(world);
    return result == DUNLIN_OK ? 0 : 1;
}
