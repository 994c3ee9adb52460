/* SPDX-License-Identifier: MIT */
/* A plugin: its host opens it, has it run a flock, and closes it. */
#include <dunlin/dunlin.h>

int run_flock(const char *executor);

static dunlin_result simulate(dunlin_world *world) {
    const dunlin_species_def birds = dunlin_species_def_default();
    dunlin_interaction_def rules = dunlin_interaction_def_default();
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) rules.rules[r].radius = 1.0f;
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = 20000;
    dunlin_result result = dunlin_world_add_species(world, &birds, NULL, NULL);
    if (!result) result = dunlin_world_add_interaction(world, &rules, NULL, NULL);
    if (!result) result = dunlin_world_scatter(world, 0, &scatter, NULL);
    for (int step = 0; step < 3 && !result; step++) result = dunlin_world_step(world, NULL);
    return result;
}

int run_flock(const char *executor) {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = executor;
    def.threads = 2;
    dunlin_world *world;
    dunlin_result result = dunlin_world_create(&def, &world, NULL);
    if (!result) result = simulate(world);
    dunlin_world_destroy(world);
    return (int)result;
}
