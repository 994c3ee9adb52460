/* SPDX-License-Identifier: MIT */
/* Agents that divide and die: cells in a dish that is poisoned towards its right side. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

/* Shared by all threads, so only read. */
typedef struct dish {
    float width;      /* world units */
    float divisions;  /* a cell a step */
    float poisonings; /* likewise, at the right side; none at the left */
} dish;

/*
 * Evenly distributed in [0, 1), and a function of cell, step and purpose alone. A stream of random numbers, shared or a
 * thread's own, would make a life depend on which thread comes first. (Murmur3's finalizer.)
 */
static float chance(uint32_t id, uint64_t step, uint32_t purpose) {
    uint32_t h = id * 0x9e3779b9u + (uint32_t)step * 0x85ebca77u + purpose;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    h ^= h >> 16;
    return (float)(h >> 8) / 16777216.0f;
}

/*
 * A tile is handed to one thread: its forces and its `dies` are this call's alone, and children go to a list of the thread's,
 * which Dunlin puts in the order of the parents afterwards. So nothing here needs a lock. A cell that divides stays as it is,
 * and its other half is born at its place, and moves the other way.
 */
static void live(void *user, const dunlin_tile *tile) {
    const dish *d = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const float place[] = {tile->position[0][i], tile->position[1][i]};
        const float back[] = {-tile->velocity[0][i], -tile->velocity[1][i]};
        const float poison = d->poisonings * place[0] / d->width;
        if (chance(tile->id[i], tile->step, 0) < poison)
            tile->dies[i] = 1;
        else if (chance(tile->id[i], tile->step, 1) < d->divisions)
            dunlin_tile_spawn(tile, i, tile->species, place, back, NULL, NULL);
    }
}

int main(void) {
    dunlin_world_def def = dunlin_world_def_default();
    def.boundary = DUNLIN_BOUNDARY_REFLECT;
    dunlin_world *world = NULL;
    dunlin_error error;
    if (dunlin_world_create(&def, &world, &error)) return fprintf(stderr, "%s\n", error.message), 1;

    dunlin_species_def cells = dunlin_species_def_default();
    cells.max_speed = 0.2f;
    dunlin_interaction_def apart = dunlin_interaction_def_default();
    apart.rules[DUNLIN_RULE_SEPARATION].radius = 1.0f;
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 4000;
    everywhere.max_speed = 0.2f;

    dish petri = {.width = def.size[0], .divisions = 0.01f, .poisonings = 0.04f}; /* lives as long as the world */
    dunlin_behaviour_def life = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    life.custom = live;
    life.user = &petri;

    bool failed =
        dunlin_world_add_species(world, &cells, NULL, &error) || dunlin_world_add_interaction(world, &apart, NULL, &error) ||
        dunlin_world_add_behaviour(world, &life, NULL, &error) || dunlin_world_scatter(world, 0, &everywhere, &error) ||
        dunlin_world_reserve(world, 0, 10000, &error); /* so that births allocate nothing */
    for (int step = 0; step < 100 && !failed; step++) failed = dunlin_world_step(world, &error);
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("state hash: %016" PRIx64 "\n", dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return failed;
}
