/* SPDX-License-Identifier: MIT */
/* A game picks agents: those in a rectangle on the screen, what the player clicks, what an owl sees; and a scientist asks which
 * five agents are the nearest of each. */
#include <dunlin/dunlin.h>
#include <math.h>
#include <stdio.h>

enum { AGENTS = 2000, NEAREST = 5, ROOM = 6 * AGENTS };

static uint32_t ids[ROOM];
static dunlin_slot slots[ROOM];
static float distances[ROOM];
static dunlin_nearest points[AGENTS];

static dunlin_result fill(dunlin_world *world, dunlin_error *error) {
    const dunlin_species_def species = dunlin_species_def_default();
    const dunlin_interaction_def flock = dunlin_interaction_boids(5.0f);
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = AGENTS;
    dunlin_result result = dunlin_world_add_species(world, &species, NULL, error);
    if (!result) result = dunlin_world_add_interaction(world, &flock, NULL, error);
    return result ? result : dunlin_world_scatter(world, 0, &everywhere, error);
}

/* One question at a time. The first one sorts the agents, and the next step takes that over. */
static dunlin_result pick(dunlin_world *world, dunlin_found *found, dunlin_error *error) {
    const dunlin_box screen = {.min = {20, 30}, .max = {60, 50}};
    const dunlin_ray click = {.from = {0, 50}, .direction = {1, 0}, .length = 100, .radius = 0.5f};
    const dunlin_cone owl = {.tip = {95, 50}, .direction = {1, 0}, .length = 20, .half_angle = 0.5f}; /* across the edge */
    dunlin_result result = dunlin_world_find_in_boxes(world, 0, &screen, 1, found, error);
    if (result) return result;
    printf("in the rectangle: %d\n", (int)found->count);
    result = dunlin_world_find_on_rays(world, 0, &click, 1, found, error);
    if (result) return result;
    const dunlin_view view = dunlin_world_view(world, slots[0].species);
    printf("clicked on agent %u at x = %.1f\n", ids[0], (double)view.position[0][slots[0].index]);
    result = dunlin_world_find_in_cones(world, 0, &owl, 1, found, error);
    if (!result) printf("the owl sees: %d\n", (int)found->count);
    return result;
}

/* Many questions at once, which all threads of the world answer. An agent is the nearest of its own place. */
static dunlin_result measure(dunlin_world *world, dunlin_found *found, dunlin_error *error) {
    const dunlin_view view = dunlin_world_view(world, 0);
    double sum = 0.0;
    for (uint32_t i = 0; i < AGENTS; i++)
        points[i] =
            (dunlin_nearest){.centre = {view.position[0][i], view.position[1][i]}, .radius = INFINITY, .count = 1 + NEAREST};
    const dunlin_result result = dunlin_world_find_nearest(world, 0, points, AGENTS, found, error);
    if (result) return result;
    for (uint64_t h = 0; h < found->count; h++) sum += (double)distances[h];
    printf("mean distance of the nearest five: %.4f\n", sum / AGENTS / NEAREST);
    return DUNLIN_OK;
}

int main(void) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    dunlin_error error;
    dunlin_found found = dunlin_found_default();
    found.room = ROOM;
    found.ids = ids;
    found.slots = slots;
    found.distances = distances;
    bool failed = dunlin_world_create(&def, &world, &error) || fill(world, &error);
    for (int step = 0; step < 20 && !failed; step++) failed = dunlin_world_step(world, &error);
    failed = failed || pick(world, &found, &error) || measure(world, &found, &error);
    if (failed) fprintf(stderr, "%s\n", error.message);
    dunlin_world_destroy(world);
    return failed;
}
