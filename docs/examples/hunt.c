/* SPDX-License-Identifier: MIT */
/* The second program of docs/hello.md: a flock, a hawk, and a wind. Ctrl-C ends it. */
#include <dunlin/dunlin.h>
#include <signal.h>
#include <stdio.h>

enum { STARLINGS, HAWKS };

static volatile sig_atomic_t stopped;

static void stop(int signal) {
    (void)signal;
    stopped = 1;
}

static int fail(const dunlin_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

static dunlin_result add_flock(dunlin_world *world, dunlin_error *error) {
    const dunlin_species_def starlings = dunlin_species_def_default();
    dunlin_interaction_def flock = dunlin_interaction_def_default();
    flock.rules[DUNLIN_RULE_SEPARATION].radius = 1;
    flock.rules[DUNLIN_RULE_ALIGNMENT].radius = 3;
    flock.rules[DUNLIN_RULE_COHESION].radius = 3;
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 2000;
    dunlin_result result = dunlin_world_add_species(world, &starlings, NULL, error);
    if (!result) result = dunlin_world_add_interaction(world, &flock, NULL, error);
    return result ? result : dunlin_world_scatter(world, STARLINGS, &everywhere, error);
}

/* The hawk pursues the nearest starling, and starlings flee the hawk. */
static dunlin_result add_hawk(dunlin_world *world, dunlin_error *error) {
    dunlin_species_def hawks = dunlin_species_def_default();
    hawks.name = "hawks";
    hawks.max_speed = 1.2f;
    dunlin_scatter_def somewhere = dunlin_scatter_def_default(world);
    somewhere.count = 1;
    dunlin_behaviour_def hunt = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PURSUE);
    hunt.species = HAWKS;
    hunt.target.kind = DUNLIN_TARGET_NEAREST;
    hunt.target.species = STARLINGS;
    hunt.radius = 40;
    dunlin_behaviour_def flee = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLEE);
    flee.species = STARLINGS;
    flee.target.kind = DUNLIN_TARGET_NEAREST;
    flee.target.species = HAWKS;
    flee.radius = 10;
    flee.weight = 10;
    dunlin_result result = dunlin_world_add_species(world, &hawks, NULL, error);
    if (!result) result = dunlin_world_add_behaviour(world, &hunt, NULL, error);
    if (!result) result = dunlin_world_add_behaviour(world, &flee, NULL, error);
    return result ? result : dunlin_world_scatter(world, HAWKS, &somewhere, error);
}

/* Called for one tile of agents after another, from several threads at once: a call writes to its own tile only. */
static void blow(void *user, const dunlin_tile *tile) {
    const float strength = *(const float *)user;
    for (uint32_t i = 0; i < tile->count; i++)
        if (tile->position[0][i] > 40 && tile->position[0][i] < 60) tile->force[1][i] += strength;
}

static dunlin_result add_wind(dunlin_world *world, float *strength, dunlin_error *error) {
    dunlin_behaviour_def wind = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    wind.species = STARLINGS;
    wind.custom = blow;
    wind.user = strength;
    return dunlin_world_add_behaviour(world, &wind, NULL, error);
}

/* How many starlings are within 5 of the hawk. */
static int count_near(const dunlin_world *world) {
    const dunlin_view hawk = dunlin_world_view(world, HAWKS), flock = dunlin_world_view(world, STARLINGS);
    int near = 0;
    for (uint32_t i = 0; i < flock.count; i++) {
        const float x = flock.position[0][i] - hawk.position[0][0], y = flock.position[1][i] - hawk.position[1][0];
        near += x * x + y * y < 5 * 5;
    }
    return near;
}

int main(void) {
    dunlin_error error;
    const dunlin_world_def place = dunlin_world_def_default();
    dunlin_world *world;
    float strength = 0.01f; /* lives as long as the world */
    if (dunlin_world_create(&place, &world, &error)) return fail(&error);
    if (add_flock(world, &error) || add_hawk(world, &error) || add_wind(world, &strength, &error)) return fail(&error);
    signal(SIGINT, stop);
    for (int step = 1; step <= 400 && !stopped; step++) {
        if (dunlin_world_step(world, &error)) return fail(&error);
        if (step % 100 == 0) printf("step %d: %d starlings near the hawk\n", step, count_near(world));
    }
    dunlin_world_destroy(world);
    return 0;
}
