/* SPDX-License-Identifier: MIT */
/* A program that takes part: it moves one bird itself, keeps a view for as long as it is valid, and removes a species. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

enum { STARLINGS, VISITORS };

static int fail(const dunlin_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

static dunlin_result fill(dunlin_world *world, dunlin_error *error) {
    dunlin_species_def species = dunlin_species_def_default();
    dunlin_interaction_def flock = dunlin_interaction_def_default();
    flock.rules[DUNLIN_RULE_ALIGNMENT].radius = flock.rules[DUNLIN_RULE_COHESION].radius = 5.0f;
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 500;
    dunlin_result result = dunlin_world_add_species(world, &species, NULL, error);
    species.name = "visitors";
    if (!result) result = dunlin_world_add_species(world, &species, NULL, error);
    if (!result) result = dunlin_world_add_interaction(world, &flock, NULL, error);
    if (!result) result = dunlin_world_scatter(world, STARLINGS, &everywhere, error);
    return result ? result : dunlin_world_scatter(world, VISITORS, &everywhere, error);
}

/* The bird with id 0 moves from left to right, at the mean height of the flock. */
static dunlin_result lead(dunlin_world *world, const dunlin_view *view, int step, dunlin_error *error) {
    const uint32_t leader = 0;
    float sum = 0.0f;
    for (uint32_t i = 0; i < view->count; i++) sum += view->position[1][i];
    const float x = (float)(step % 100), y = sum / (float)view->count, vx = 1.0f, vy = 0.0f;
    dunlin_write write = dunlin_write_default();
    write.count = 1;
    write.ids = &leader;
    write.position[0] = &x;
    write.position[1] = &y;
    write.velocity[0] = &vx;
    write.velocity[1] = &vy;
    return dunlin_world_write(world, &write, error);
}

int main(void) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    dunlin_error error;
    if (dunlin_world_create(&def, &world, &error) || fill(world, &error)) return fail(&error);
    dunlin_view view = dunlin_world_view(world, STARLINGS);
    for (int step = 0; step < 50; step++) {
        if (lead(world, &view, step, &error) || dunlin_world_step(world, &error)) return fail(&error);
        if (step == 25 && dunlin_world_remove_species(world, VISITORS, &error)) return fail(&error);
        if (view.generation != dunlin_world_generation(world)) view = dunlin_world_view(world, STARLINGS);
    }
    printf("state hash: %016" PRIx64 "\n", dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return 0;
}
