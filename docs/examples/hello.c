/* SPDX-License-Identifier: MIT */
/* The first program of docs/hello.md: a flock. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

static int fail(const dunlin_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void) {
    dunlin_error error;
    /* 100 by 100, and periodic: its edges meet. */
    const dunlin_world_def place = dunlin_world_def_default();
    dunlin_world *world;
    if (dunlin_world_create(&place, &world, &error)) return fail(&error);

    /* The first species has the number 0, and sees itself. */
    const dunlin_species_def starlings = dunlin_species_def_default();
    dunlin_interaction_def flock = dunlin_interaction_def_default();
    flock.rules[DUNLIN_RULE_SEPARATION].radius = 1;
    flock.rules[DUNLIN_RULE_ALIGNMENT].radius = 3;
    flock.rules[DUNLIN_RULE_COHESION].radius = 3;
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 2000;
    if (dunlin_world_add_species(world, &starlings, NULL, &error)) return fail(&error);
    if (dunlin_world_add_interaction(world, &flock, NULL, &error)) return fail(&error);
    if (dunlin_world_scatter(world, 0, &everywhere, &error)) return fail(&error);

    for (int step = 0; step < 300; step++)
        if (dunlin_world_step(world, &error)) return fail(&error);

    printf("state hash: %016" PRIx64 "\n", dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return 0;
}
