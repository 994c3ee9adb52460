/* SPDX-License-Identifier: MIT */
/*
 * A world of 29 000 agents with everything that threads share: the parallel sort, varying fields, every kind of observation,
 * callbacks, births, deaths, meals, obstacles, metrics. It has one hash for any number of threads, and make test-tsan searches
 * it for races.
 */
#include "tests/lib/effort.h"
#include "tests/lib/worlds.h"

enum { GRAZERS, GRASS, FOXES };

static int add_species(dunlin_world *world, const char *name, float max_speed) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = name;
    def.max_speed = max_speed;
    def.obstacles_block = true;
    def.clearance = 0.1f;
    return world_add_species(world, &def);
}

static void add_attribute(dunlin_world *world, int species, const char *name, dunlin_role role) {
    dunlin_attribute_def def = world_attribute(species, name, role);
    def.distribution = DUNLIN_DISTRIBUTION_EVEN;
    def.min_value = 0.5f;
    world_add_attribute(world, &def);
}

static dunlin_behaviour_def behave(const dunlin_world *world, int species, dunlin_behaviour_kind kind) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, kind);
    def.species = species;
    return def;
}

static void add_behaviour(dunlin_world *world, dunlin_behaviour_def def) {
    world_add_behaviour(world, &def);
}

/* ---- callbacks --------------------------------------------------------------------------------------------------------- */

static void live(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        float drawn[4];
        dunlin_draw(7, tile->id[i], tile->step, 0, drawn);
        tile->dies[i] = drawn[0] < 0.03f;
        const float place[] = {tile->position[0][i], tile->position[1][i], tile->position[2] ? tile->position[2][i] : 0.0f};
        const float velocity[] = {drawn[2] - 0.5f, drawn[3] - 0.5f, 0.0f};
        if (drawn[1] < 0.04f) dunlin_tile_spawn(tile, i, tile->species, place, velocity, NULL, NULL);
        if (tile->next_attribute[0]) tile->next_attribute[0][i] = tile->attribute[0][i] * 0.75f + drawn[1];
        tile->force[0][i] += drawn[2] - 0.5f;
    }
}

/* Only agents within the radius, which is 1, count: the other agents of the runs depend on the kernel. */
static void crowd_out(void *user, const dunlin_packet *packet) {
    (void)user;
    for (uint32_t k = 0; k < packet->count; k++) {
        const uint32_t i = packet->first + k;
        for (uint32_t r = 0; r < packet->range_count; r++) {
            for (uint32_t j = packet->ranges[r].begin; j < packet->ranges[r].end; j++) {
                const float x = packet->observed_position[0][j] - packet->position[0][i];
                const float y = packet->observed_position[1][j] - packet->position[1][i];
                if (x * x + y * y < 1.0f) packet->force[1][k] += 0.01f * y;
            }
        }
    }
}

/* ---- the world --------------------------------------------------------------------------------------------------------- */

static void add_flocks(dunlin_world *world) {
    for (int s = GRAZERS; s <= FOXES; s += FOXES) {
        dunlin_interaction_def flock = world_flocking_rules(s == GRAZERS ? 3.0f : 12.0f);
        flock.observer = flock.observed = s;
        if (s == FOXES) flock.nearest = 3;
        world_add_interaction(world, &flock);
    }
    dunlin_interaction_def shun = world_flocking_rules(9.0f); /* a few agents that many observe */
    shun.observed = FOXES;
    world_add_interaction(world, &shun);
}

static void add_meal(dunlin_world *world, int eater, int food) {
    dunlin_meal_def def = dunlin_meal_def_default();
    def.eater = eater;
    def.food = food;
    def.energy = 0;
    world_add_meal(world, &def);
}

static void add_weather(dunlin_world *world) {
    const dunlin_field_def field = dunlin_field_def_default(world);
    world_add_field(world, &field);
    dunlin_field_source gusts = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    gusts.noise.rate = 0.1f;
    ACCEPT(dunlin_world_fill_field(world, 0, &gusts, &refusal));
    const dunlin_obstacle_def rocks[] = {{.shape = DUNLIN_OBSTACLE_BALL, .a = {30, 30, 10}, .radius = 8},
                                         {.shape = DUNLIN_OBSTACLE_BALL, .a = {90, 50, 20}, .radius = 5}};
    world_obstruct(world, rocks, 2);
}

static void add_behaviours(dunlin_world *world) {
    for (int s = GRAZERS; s <= FOXES; s++) {
        dunlin_behaviour_def lives = behave(world, s, DUNLIN_BEHAVIOUR_CUSTOM);
        lives.custom = live;
        add_behaviour(world, lives);
    }
    dunlin_behaviour_def crowd = behave(world, GRAZERS, DUNLIN_BEHAVIOUR_PAIRS),
                         chase = behave(world, FOXES, DUNLIN_BEHAVIOUR_PURSUE);
    crowd.pairs.callback = crowd_out;
    crowd.pairs.observed = GRASS;
    chase.target.kind = DUNLIN_TARGET_NEAREST;
    chase.target.species = GRAZERS;
    chase.radius = 10.0f;
    add_behaviour(world, crowd);
    add_behaviour(world, chase);
    add_behaviour(world, behave(world, GRAZERS, DUNLIN_BEHAVIOUR_WANDER));
    add_behaviour(world, behave(world, GRAZERS, DUNLIN_BEHAVIOUR_WIND));
    add_behaviour(world, behave(world, GRAZERS, DUNLIN_BEHAVIOUR_AVOID));
}

static dunlin_world *meadow(world_variant variant, int dimensions, int threads) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    def.dimensions = dimensions;
    def.threads = threads;
    def.size[0] = def.size[1] = dimensions == 2 ? 300.0f : 120.0f;
    def.size[2] = 40.0f;
    dunlin_world *world = world_create(&def);
    static const char *const names[] = {"grazers", "grass", "foxes"};
    static const float speeds[] = {1.0f, 0.1f, 1.5f};
    static const uint32_t counts[] = {18000, 10900, 100};
    for (int s = GRAZERS; s <= FOXES; s++) {
        add_species(world, names[s], speeds[s]);
        add_attribute(world, s, "energy", DUNLIN_ROLE_VALUE);
        add_attribute(world, s, "mass", DUNLIN_ROLE_MASS);
        world_scatter(world, s, counts[s]);
    }
    add_flocks(world);
    add_weather(world);
    add_meal(world, GRAZERS, GRASS);
    add_meal(world, FOXES, GRAZERS);
    add_behaviours(world);
    return world;
}

/* The results that threads could spoil: the state, and the metrics, which are sums. */
typedef struct outcome {
    uint64_t hash, births, deaths;
    dunlin_metrics metrics;
} outcome;

static outcome simulate(world_variant variant, int dimensions, int threads) {
    dunlin_world *world = meadow(variant, dimensions, threads);
    world_run(world, 3);
    outcome o = {.hash = dunlin_world_state_hash(world),
                 .births = dunlin_world_stats(world).births,
                 .deaths = dunlin_world_stats(world).deaths};
    ACCEPT(dunlin_world_measure(world, GRAZERS, &o.metrics, &refusal));
    dunlin_world_destroy(world);
    return o;
}

static void threads_share_a_large_world(void **state) {
    (void)state;
    static const int threads[] = TEST_THREADS(2, 3, 5);
    for (int number = 0; number < 4; number++) {
        const world_variant variant = {"auto", world_indexes[number / 2]};
        const int dimensions = 2 + number % 2;
        const outcome want = simulate(variant, dimensions, 1);
        assert_true(want.births > 100 && want.deaths > 100);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            const outcome got = simulate(variant, dimensions, threads[t]);
            assert_int_equal(got.hash, want.hash);
            assert_int_equal(got.births, want.births);
            assert_memory_equal(&got.metrics, &want.metrics, sizeof want.metrics);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_large_world)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
