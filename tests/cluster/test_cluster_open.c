/* SPDX-License-Identifier: MIT */
/* Ranks open a checkpoint while one of them has no memory: all of them get the same error, none hangs, and none has a
 * simulation alone. */
#include <stdlib.h>
#include <string.h>

#include <dunlin/scenario.h>

#include "tests/lib/allocations.h"
#include "tests/lib/effort.h"
#include "tests/lib/local.h"
#include "tests/lib/ranks.h"
#include "tests/lib/worlds.h"

enum { RANKS = 3, AGENTS = 90 };

/* With schedules, lives and meals, models, bodies. Ranks refuse the last. */
static const char *const names[] = {"gusts", "ecosystem", "vicsek", "fish_of_fish"};
enum { NAMES = sizeof names / sizeof *names, REFUSED = NAMES - 1 };

typedef struct kept {
    unsigned char *bytes;
    size_t count;
    uint64_t hash;
    bool in_parts;            /* each rank reads its part */
    bool refused;             /* with enough memory, too */
    uint64_t failing, failed; /* the call for memory that fails; how many did */
} kept;

static kept keep(const char *name) {
    const uint32_t agents = AGENTS;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_scenario *scenario;
    dunlin_simulation *simulation;
    kept k = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.yaml", DUNLIN_SCENARIOS_DIR, name);
    def.threads = 1;
    def.agents = &agents;
    ACCEPT(dunlin_scenario_open(path, NULL, &scenario, &refusal));
    ACCEPT(dunlin_simulation_create(scenario, &def, &simulation, &refusal));
    ACCEPT(dunlin_simulation_step(simulation, &refusal));
    k.count = dunlin_simulation_saved_bytes(simulation);
    k.bytes = malloc(k.count);
    assert_non_null(k.bytes);
    ACCEPT(dunlin_simulation_save_memory(simulation, k.bytes, k.count, &refusal));
    ACCEPT(dunlin_simulation_step(simulation, &refusal));
    k.hash = dunlin_world_state_hash(dunlin_simulation_world(simulation));
    dunlin_simulation_destroy(simulation);
    dunlin_scenario_close(scenario);
    return k;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------ */

static bool take(void *context, void *bytes, size_t count, uint64_t at) {
    const kept *k = context;
    if (at > k->count || count > k->count - at) return false;
    memcpy(bytes, k->bytes + at, count);
    return true;
}

typedef struct place {
    kept *of;
    uint64_t at;
} place;

static bool take_next(void *context, void *bytes, size_t count) {
    place *p = context;
    p->at += count;
    return take(p->of, bytes, count, p->at - count);
}

static void meet(const dunlin_transport *t) {
    uint64_t none = 0;
    t->all_reduce(t->context, &none, 1);
}

static void check_result(const dunlin_transport *t, dunlin_result result, const dunlin_error *error, bool refused) {
    char first[sizeof error->message] = "";
    const bool no_memory = result == DUNLIN_ERROR_MEMORY;
    uint64_t numbers[2] = {no_memory, refused ? result && !no_memory : !result};
    t->all_reduce(t->context, numbers, 2);
    ASSERT_ON_RANK(numbers[0] == RANKS || numbers[1] == RANKS);
    if (result) memcpy(first, error->message, sizeof first);
    t->broadcast(t->context, 0, first, sizeof first);
    ASSERT_ON_RANK(!result || strcmp(first, error->message) == 0);
}

static void open_without(void *context, const dunlin_transport *t) {
    kept *k = context;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_simulation *simulation = NULL;
    dunlin_error error;
    place from = {.of = k};
    def.threads = 1;
    def.transport = t;
    if (t->rank == 0) allocations_fail(k->failing, false);
    meet(t);
    const dunlin_result result = k->in_parts ? dunlin_simulation_open_parts(&def, take, k, NULL, &simulation, &error)
                                             : dunlin_simulation_open_from(&def, take_next, &from, NULL, &simulation, &error);
    meet(t);
    if (t->rank == 0) {
        allocations_ignore();
        k->failed = allocations_failed();
    }
    check_result(t, result, &error, k->refused);
    ASSERT_ON_RANK((simulation == NULL) == (result != DUNLIN_OK));
    if (result) return;
    ACCEPT(dunlin_simulation_step(simulation, &refusal));
    ASSERT_ON_RANK(dunlin_world_state_hash(dunlin_simulation_world(simulation)) == k->hash);
    dunlin_simulation_destroy(simulation);
}

TEST_EACH(without_memory_no_rank_opens_a_checkpoint_alone, number, 0, NAMES) {
    kept k = keep(names[number]);
    k.refused = number == REFUSED;
    for (int way = 0; way < 2; way++) {
        const uint64_t step = TEST_EFFORT(13, 3, 1);
        k.in_parts = way == 1;
        k.failed = 1;
        for (k.failing = 0; k.failed > 0; k.failing += step) dun_local_run(RANKS, open_without, &k);
        assert_true(k.failing > 100);
        print_message("%s: %s: %llu calls\n", names[number], k.in_parts ? "in parts" : "by rank 0",
                      (unsigned long long)k.failing);
    }
    free(k.bytes);
}
