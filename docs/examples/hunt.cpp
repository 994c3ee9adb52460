// SPDX-License-Identifier: MIT
// hunt.c in C++17: the flock, the hawk and the wind, with the same numbers.
#include <dunlin/dunlin.hpp>
#include <cstdio>
#include <vector>

static dunlin_scatter_def everywhere(const dunlin::world &world, std::uint32_t count) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world.get());
    def.count = count;
    return def;
}

// A behaviour that has the nearest agent of a species as its target.
static dunlin_behaviour_def nearest(const dunlin::world &world, dunlin_behaviour_kind kind, int species, int target) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world.get(), kind);
    def.species = species;
    def.target.kind = DUNLIN_TARGET_NEAREST;
    def.target.species = target;
    return def;
}

static void run() {
    dunlin::world world; // 100 by 100, and periodic; it ends with the block
    const int starlings = world.add_species(dunlin_species_def_default());
    dunlin_interaction_def flock = dunlin_interaction_def_default();
    flock.rules[DUNLIN_RULE_SEPARATION].radius = 1;
    flock.rules[DUNLIN_RULE_ALIGNMENT].radius = flock.rules[DUNLIN_RULE_COHESION].radius = 3;
    world.add_interaction(flock);
    world.scatter(starlings, everywhere(world, 2000));

    dunlin_species_def hawk = dunlin_species_def_default();
    hawk.name = "hawks";
    hawk.max_speed = 1.2f;
    const int hawks = world.add_species(hawk);
    dunlin_behaviour_def hunt = nearest(world, DUNLIN_BEHAVIOUR_PURSUE, hawks, starlings);
    hunt.radius = 40;
    world.add_behaviour(hunt);
    dunlin_behaviour_def flee = nearest(world, DUNLIN_BEHAVIOUR_FLEE, starlings, hawks);
    flee.radius = 10;
    flee.weight = 10;
    world.add_behaviour(flee);
    world.scatter(hawks, everywhere(world, 1));

    // Called for one tile of agents after another, from several threads at once. What it throws, step() throws.
    const float strength = 0.01f;
    world.add_behaviour(dunlin_behaviour_def_default(world.get(), DUNLIN_BEHAVIOUR_CUSTOM), [=](const dunlin_tile &tile) {
        for (std::uint32_t i = 0; i < tile.count; i++)
            if (tile.position[0][i] > 40 && tile.position[0][i] < 60) tile.force[1][i] += strength;
    });

    dunlin::found found;
    for (int step = 100; step <= 400; step += 100) {
        world.step(100);
        const dunlin_ball around = {{world.position(hawks, 0)[0], world.position(hawks, 1)[0], 0}, 5};
        world.find(dunlin_world_find_in_balls, starlings, std::vector<dunlin_ball>{around}, found);
        std::printf("step %d: %zu starlings near the hawk\n", step, found.ids.size());
    }
}

int main() {
    try {
        run();
    } catch (const dunlin::error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
