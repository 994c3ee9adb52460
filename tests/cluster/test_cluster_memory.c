/* SPDX-License-Identifier: MIT */
/*
 * Memory in parts: steady steps ask for none. Where it runs out on one rank, all ranks get the same error and none of them
 * hangs, and once there is memory again they run on to the same state.
 */
#include "engine/cluster/cluster.h"
#include "tests/lib/local.h"
#include "tests/lib/allocations.h"
#include "tests/lib/golden_worlds.h"

enum { RANKS = 3, WARM_STEPS = 100, CUT_STEPS = 5, STEADY_STEPS = 20, FEW_STEPS = TEST_EFFORT(1, 3, 3) };

static const golden_world *golden; /* set before ranks start */
static uint64_t failing, failed;   /* the call that fails; how many did */
static uint64_t wanted;            /* the hash at the end */

/* What memory may be missing for: a call, which is repeated if it has failed. */
typedef struct deed {
    const char *name;
    dunlin_result (*act)(dunlin_world *world, dunlin_error *error);
    uint64_t min_calls; /* of all ranks, that ask for memory */
    bool later;         /* the flock has run, and then cells and cuts have changed */
} deed;

static const deed *missing_for; /* that call is one of this deed */

static dunlin_world *furnish(const dunlin_transport *transport, int threads) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    golden->define(&def);
    def.threads = threads;
    ACCEPT(dunlin_world_create_part(&def, transport, &world, &refusal));
    golden->furnish(world);
    golden_populate(golden, world);
    return world;
}

/* Assertions of cmocka belong to the thread of the test. */
static void check(bool holds, const char *what, uint64_t number) {
    if (holds) return;
    fprintf(stderr, "%s: %s, call %llu: %s: %llu\n", golden->name, missing_for ? missing_for->name : "run",
            (unsigned long long)failing, what, (unsigned long long)number);
    abort();
}

/* The hash is the same everywhere, and no rank continues before all have come. */
static void meet(const dunlin_world *world) {
    dunlin_world_state_hash(world);
}

/* ---- steady steps ------------------------------------------------------------------------------------------------------ */

static void run_steadily(void *context, const dunlin_transport *transport) {
    const int *threads = context;
    dunlin_world *world = furnish(transport, *threads);
    dun_cut_at_random(world, 1); /* by and by each rank has held most of the flock */
    world_run(world, WARM_STEPS);
    dun_cut_at_random(world, 0);
    world_run(world, CUT_STEPS); /* the first cuts by work, and the next does so after the test */
    meet(world);
    if (transport->rank == 0) allocations_watch();
    meet(world);
    world_run(world, STEADY_STEPS);
    meet(world);
    if (transport->rank == 0) {
        allocations_ignore();
        check(allocations_asked() == 0, "calls that ask for memory", allocations_asked());
        check(allocations_freed() == 0, "calls that free memory", allocations_freed());
    }
    meet(world);
    world_destroy(world);
}

TEST_EACH(steady_steps_ask_for_no_memory, i, 0, GOLDEN_WORLDS) {
    golden = &golden_worlds[i];
    if (golden_refused_on_ranks(golden) || golden->grow || golden->rich) return; /* newborn agents need memory */
    if (!TEST_NIGHTLY && golden->no_brute) return;                               /* many agents */
    for (int threads = TEST_NIGHTLY ? 1 : 2; threads <= 2; threads++) dun_local_run(RANKS, run_steadily, &threads);
}

/* ---- no memory --------------------------------------------------------------------------------------------------------- */

static dunlin_result gather(dunlin_world *world, dunlin_error *error) {
    const dunlin_result result = dunlin_world_gather(world, error);
    if (!result) ACCEPT(dunlin_world_share(world, error));
    return result;
}

static dunlin_result measure(dunlin_world *world, dunlin_error *error) {
    dunlin_metrics metrics;
    return dunlin_world_measured(world, 0, &metrics, error);
}

static dunlin_result spawn(dunlin_world *world, dunlin_error *error) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = 3000;
    return dunlin_world_scatter(world, 0, &def, error);
}

static dunlin_result add_attribute(dunlin_world *world, dunlin_error *error) {
    dunlin_attribute_def def = dunlin_attribute_def_default();
    def.name = "one more";
    return dunlin_world_add_attribute(world, &def, NULL, error);
}

static dunlin_result despawn(dunlin_world *world, dunlin_error *error) {
    const uint32_t ids[] = {400, 3, 77};
    return dunlin_world_despawn(world, ids, 3, error);
}

/* A checkpoint in memory, which all ranks write and read. */
static unsigned char sheet[1 << 23];

static bool put(void *context, const void *bytes, size_t count, uint64_t at) {
    (void)context;
    check(count <= sizeof sheet && at <= sizeof sheet - count, "bytes of a checkpoint", at + count);
    memcpy(sheet + at, bytes, count);
    return true;
}

static bool take(void *context, void *bytes, size_t count, uint64_t at) {
    (void)context;
    memcpy(bytes, sheet + at, count);
    return true;
}

static dunlin_result go_back(dunlin_world *world, dunlin_error *error) {
    const dunlin_result result = dunlin_world_save_parts(world, put, NULL, error);
    return result ? result : dunlin_world_restore_parts(world, take, NULL, error);
}

static const deed deeds[] = {{"step", dunlin_world_step, 20, false}, {"gather", gather, 3, false},
                             {"measure", measure, 3, false},         {"spawn", spawn, 10, false},
                             {"despawn", despawn, 3, false},         {"a later step", dunlin_world_step, 3, true},
                             {"attribute", add_attribute, 3, false}, {"checkpoint", go_back, 20, false}};

/* Agents have the numbers of their cells from the last step, and then these are other cells. */
static void begin_deed(dunlin_world *world) {
    if (!missing_for->later) return;
    dun_cut_at_random(world, 7);
    world_run(world, 2);
    dunlin_interaction_def rules = dunlin_world_get_interaction(world, 0);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) rules.rules[r].radius *= 0.75f;
    ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
}

/* All ranks fail, or none. */
static void check_result(const dunlin_transport *t, dunlin_result result, const dunlin_error *error) {
    char first[sizeof error->message];
    uint64_t numbers[2] = {result == DUNLIN_ERROR_MEMORY, result == DUNLIN_OK};
    t->all_reduce(t->context, numbers, 2);
    check(numbers[0] == RANKS || numbers[1] == RANKS, "ranks that have succeeded", numbers[1]);
    if (!result) return;
    memcpy(first, error->message, sizeof first);
    t->broadcast(t->context, 0, first, sizeof first);
    check(strcmp(first, error->message) == 0, error->message, t->rank);
}

static void run_without(void *context, const dunlin_transport *transport) {
    (void)context;
    dunlin_world *world = furnish(transport, 1);
    dunlin_error error;
    begin_deed(world);
    if (!missing_for->later) ACCEPT(dunlin_world_measure_in_step(world, &refusal)); /* for a deed */
    const uint64_t before = dunlin_world_state_hash(world);
    if (transport->rank == 0) allocations_fail(failing, false);
    meet(world);
    const dunlin_result result = missing_for->act(world, &error);
    meet(world);
    if (transport->rank == 0) {
        allocations_ignore();
        failed = allocations_failed();
    }
    check_result(transport, result, &error);
    check(!result || dunlin_world_state_hash(world) == before, "a state that a failure has changed", before);
    if (result) ACCEPT(missing_for->act(world, &refusal));
    world_run(world, FEW_STEPS);
    const uint64_t hash = dunlin_world_state_hash(world);
    check(hash == wanted, "another state", hash);
    world_destroy(world);
}

static void do_without_memory(void) {
    print_message("%s: %s\n", golden->name, missing_for->name);
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_world *world = furnish(&alone, 1);
    begin_deed(world);
    if (!missing_for->later) ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    ACCEPT(missing_for->act(world, &refusal));
    world_run(world, FEW_STEPS);
    wanted = dunlin_world_state_hash(world);
    world_destroy(world);
    failed = 1;
    for (failing = 0; failed > 0; failing++) dun_local_run(RANKS, run_without, NULL);
    assert_true(failing > missing_for->min_calls);
}

TEST_EACH(without_memory_all_ranks_fail_alike, i, 0, GOLDEN_WORLDS) {
    golden = &golden_worlds[i];
    if (golden_refused_on_ranks(golden) || golden->no_brute) return; /* many agents */
    for (size_t d = 0; d < sizeof deeds / sizeof *deeds; d++) {
        if ((d + (size_t)i) % TEST_EFFORT(18, 9, 3) != 0) continue;
        missing_for = &deeds[d];
        do_without_memory();
    }
}
