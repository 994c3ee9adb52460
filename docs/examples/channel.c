/* SPDX-License-Identifier: MIT */
/* A channel: it has no ends along x, where agents see each other across the edge, and walls along y. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

static int fail(const dunlin_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void) {
    dunlin_error error;
    dunlin_world_def channel = dunlin_world_def_default();
    channel.size[1] = 20.0f;
    channel.boundary = DUNLIN_BOUNDARY_PERIODIC;
    channel.axis_boundary[1] = DUNLIN_BOUNDARY_REFLECT; /* the others are as `boundary` says */
    dunlin_world *world;
    if (dunlin_world_create(&channel, &world, &error)) return fail(&error);

    const dunlin_species_def fish = dunlin_species_def_default();
    dunlin_interaction_def shoal = dunlin_interaction_def_default();
    shoal.rules[DUNLIN_RULE_SEPARATION].radius = 1;
    shoal.rules[DUNLIN_RULE_ALIGNMENT].radius = 3;
    shoal.rules[DUNLIN_RULE_COHESION].radius = 3;
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 1000;
    if (dunlin_world_add_species(world, &fish, NULL, &error)) return fail(&error);
    if (dunlin_world_add_interaction(world, &shoal, NULL, &error)) return fail(&error);
    if (dunlin_world_scatter(world, 0, &everywhere, &error)) return fail(&error);
    for (int step = 0; step < 100; step++)
        if (dunlin_world_step(world, &error)) return fail(&error);

    static const float upper[3] = {50, 19}, lower[3] = {50, 1}, left[3] = {1, 10}, right[3] = {99, 10};
    float across[3], along[3];
    dunlin_world_offset(world, lower, upper, across);
    dunlin_world_offset(world, left, right, along);
    printf("from wall to wall %g, and from end to end %g\n", (double)across[1], (double)along[0]);
    printf("state hash: %016" PRIx64 "\n", dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return 0;
}
