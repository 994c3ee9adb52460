/* SPDX-License-Identifier: MIT */
/*
 * A world of 25 000 agents with everything that threads share: the parallel sort, varying fields, every kind of observation,
 * callbacks, births, deaths, meals, obstacles, metrics. It has one hash for any number of threads, and make test-tsan searches
 * it for races.
 */
#include "tests/lib/golden_worlds.h"

/* The results that threads could spoil: the state, and the metrics, which are sums. */
typedef struct outcome {
    uint64_t hash, births, deaths;
    dunlin_metrics metrics;
} outcome;

static outcome simulate(world_variant variant, int dimensions, int threads) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    define_reserve(&def);
    def.dimensions = dimensions;
    def.threads = threads;
    for (int a = 0; a < 3; a++) def.size[a] *= dimensions == 2 ? 4.5f : 2.5f;
    dunlin_world *world = world_create(&def);
    furnish_reserve(world);
    world_scatter(world, 0, 25000);
    world_scatter(world, 1, 100); /* a few agents that many observe */
    world_run(world, 3);
    const outcome o = {dunlin_world_state_hash(world), dunlin_world_stats(world).births, dunlin_world_stats(world).deaths,
                       world_measure(world, 0)};
    world_destroy(world);
    return o;
}

TEST_EACH(threads_share_a_large_world, number, 0, 4) {
    static const int threads[] = TEST_THREADS(2, 3, 5);
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
