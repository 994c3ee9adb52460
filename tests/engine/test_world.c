/* SPDX-License-Identifier: MIT */
/* Worlds and their agents: born, seen, found, counted; few, none, and many worlds at once. */
#include <pthread.h>

#include "tests/lib/system.h"
#include "tests/lib/worlds.h"

/* ---- few agents, and none ---------------------------------------------------------------------------------------------- */

TEST_EACH(a_world_without_species, v, 0, world_variant_count()) {
    const dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_create(&def);
    world_run(world, 3);
    assert_int_equal(dunlin_world_stats(world).step, 3);
    assert_int_equal(dunlin_world_agent_count(world), 0);
    assert_int_equal(dunlin_world_find_agent(world, 0).species, -1);
}

TEST_EACH(a_species_without_agents, v, 0, world_variant_count()) {
    const dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_without_agents(&def, 5);
    world_run(world, 3);
    assert_int_equal(dunlin_world_view(world, 0).count, 0);
    assert_int_equal(dunlin_world_stats(world).pairs_useful, 0);
    world_spawn(world, 0, (const float[3]){1, 2}, (const float[3]){0.5f, 0}); /* and now it has one */
    world_run(world, 1);
    assert_true(dunlin_world_view(world, 0).position[0][0] == 1.5f);
}

TEST_EACH(one_agent, v, 0, world_variant_count()) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    def.threads = 3;
    dunlin_world *world = world_without_agents(&def, 500);
    world_spawn(world, 0, (const float[3]){99, 50}, (const float[3]){0.5f, 0});
    world_run(world, 2);
    assert_true(dunlin_world_view(world, 0).position[0][0] == 0.0f);
    const dunlin_stats stats = dunlin_world_stats(world);
    assert_true(stats.agents == 1 && stats.groups == 1 && stats.pairs_useful == 0 && stats.step == 2);
}

TEST(missing_species_and_agents) {
    dunlin_world *world = world_of(NULL, 5, 10);
    const dunlin_view before = dunlin_world_view(world, -1), after = dunlin_world_view(world, 1);
    assert_true(before.count == 0 && !before.id && after.count == 0 && !after.position[0]);
    assert_int_equal(dunlin_world_find_agent(world, 10).species, -1);
    assert_int_equal(dunlin_world_find_agent(world, UINT32_MAX).species, -1);
}

/* ---- several worlds at once -------------------------------------------------------------------------------------------- */

static dunlin_world_def odd_def(int number) {
    const dunlin_world_def def = world_def_with((world_parts){.seed = 100 + (uint64_t)number,
                                                              .dimensions = 2 + number % 2,
                                                              .threads = 1 + number % 3,
                                                              .boundary = (dunlin_boundary)(number % 4)});
    return def;
}

static uint64_t hash_after(int number, int steps) {
    const dunlin_world_def def = odd_def(number);
    dunlin_world *world = world_of(&def, 6, 800);
    world_run(world, steps);
    return world_end(world);
}

TEST(worlds_do_not_affect_each_other) {
    enum { WORLDS = 6 };
    dunlin_world *worlds[WORLDS];
    for (int i = 0; i < WORLDS; i++) {
        const dunlin_world_def def = odd_def(i);
        worlds[i] = world_of(&def, 6, 800);
    }
    for (int step = 0; step < 5; step++)
        for (int i = 0; i < WORLDS; i++) world_run(worlds[i], 1);
    for (int i = 0; i < WORLDS; i++) {
        assert_true(dunlin_world_state_hash(worlds[i]) == hash_after(i, 5));
        world_destroy(worlds[i]);
    }
}

typedef struct pilot {
    pthread_t thread;
    int number;
    uint64_t hash;
    bool ran;
} pilot;

/* No assertions here: cmocka's work only in the test's own thread. */
static void *run_own_world(void *argument) {
    pilot *p = argument;
    const dunlin_world_def def = odd_def(p->number);
    const dunlin_interaction_def rules = world_flocking_rules(6);
    dunlin_world *world = NULL;
    dunlin_error error;
    p->ran = dunlin_world_create(&def, &world, &error) == DUNLIN_OK;
    const dunlin_species_def species = dunlin_species_def_default();
    p->ran = p->ran && dunlin_world_add_species(world, &species, NULL, &error) == DUNLIN_OK;
    p->ran = p->ran && dunlin_world_add_interaction(world, &rules, NULL, &error) == DUNLIN_OK;
    if (p->ran) {
        dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
        scatter.count = 800;
        p->ran = dunlin_world_scatter(world, 0, &scatter, &error) == DUNLIN_OK;
    }
    for (int i = 0; i < 5 && p->ran; i++) p->ran = dunlin_world_step(world, &error) == DUNLIN_OK;
    if (p->ran) p->hash = dunlin_world_state_hash(world);
    world_destroy(world);
    return NULL;
}

TEST(worlds_run_in_threads_of_their_callers) {
    enum { PILOTS = 8 };
    pilot pilots[PILOTS];
    if (!TEST_HAS_THREADS) skip();
    for (int i = 0; i < PILOTS; i++) {
        pilots[i] = (pilot){.number = i};
        assert_int_equal(pthread_create(&pilots[i].thread, NULL, run_own_world, &pilots[i]), 0);
    }
    for (int i = 0; i < PILOTS; i++) {
        assert_int_equal(pthread_join(pilots[i].thread, NULL), 0);
        assert_true(pilots[i].ran);
        assert_true(pilots[i].hash == hash_after(i, 5));
    }
}

/* ---- the hash ---------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const dunlin_batch *batch, int species) {
    static const char *const names[] = {"a", "b"};
    dunlin_world *world = world_create(NULL);
    for (int s = 0; s < 2; s++) world_add_named(world, names[s]);
    ACCEPT(dunlin_world_spawn(world, species, batch, NULL, &refusal));
    return world_end(world);
}

TEST(the_hash_covers_every_bit_but_not_the_order) {
    float column[4][3] = {{1, 2, 3}, {4, 5, 0}, {7, 8, 9}, {10, 11, 12}};
    uint32_t ids[] = {5, 3, 9};
    const dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = 3, .position = {column[0], column[1]}, .velocity = {column[2], column[3]}, .ids = ids};
    const uint64_t hash = hash_of(&batch, 0);
    assert_true(hash_of(&batch, 1) != hash);
    for (int c = 0; c < 4; c++) {
        const float kept = column[c][1];
        column[c][1] = nextafterf(kept, 50);
        assert_true(hash_of(&batch, 0) != hash);
        column[c][1] = kept;
    }
    column[1][2] = -0.0f; /* an equal number, but another state */
    assert_true(hash_of(&batch, 0) != hash);
    column[1][2] = 0;
    ids[0] = 6;
    assert_true(hash_of(&batch, 0) != hash);
    float turned[4][3] = {{3, 2, 1}, {0, 5, 4}, {9, 8, 7}, {12, 11, 10}};
    const dunlin_batch same = {.cookie = WORLD_COOKIE,
                               .count = 3,
                               .position = {turned[0], turned[1]},
                               .velocity = {turned[2], turned[3]},
                               .ids = (const uint32_t[]){9, 3, 5}};
    assert_true(hash_of(&same, 0) == hash);
}

/* ---- memory an agent --------------------------------------------------------------------------------------------------- */

/* Twenty neighbours within the radius, as in the scenario of the speed measurements. */
TEST_EACH(a_hundred_bytes_per_agent, dimensions, 2, 4) {
    enum { AGENTS = 100000 };
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    const double share = 21.0 / AGENTS, pi = acos(-1.0);
    const double radius = 100.0 * (dimensions == 2 ? sqrt(share / pi) : cbrt(share * 3.0 / (4.0 * pi)));
    dunlin_world *world = world_of(&def, (float)radius, AGENTS);
    world_run(world, 1);
    const double frame = (double)dunlin_world_bytes(world) / AGENTS;
    dunlin_world_find_agent(world, 0);
    const double found = (double)dunlin_world_bytes(world) / AGENTS;
    print_message("%dD: %.1f bytes per agent, %.1f after agents are looked up by id\n", dimensions, frame, found);
    assert_true(frame <= 100.0);
    assert_true((double)dunlin_world_stats(world).pairs_useful / AGENTS > 18.0);
}
