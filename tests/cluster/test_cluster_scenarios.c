/* SPDX-License-Identifier: MIT */
/* Every shipped scenario, small, has the same bits in parts, after each of 50 steps. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dunlin/cluster.h>
#include <dunlin/scenario.h>

#include "engine/cluster/cluster.h"
#include "engine/cluster/local.h"
#include "tests/lib/effort.h"
#include "tests/lib/worlds.h"

enum { STEPS = 50, AGENTS = 600 };

/* ---- worlds of scenarios ---------------------------------------------------------------------------------------------- */

/* Ranks make parts, and the main thread makes plain worlds: the linker brings the scenario's call here. */
static _Thread_local const dunlin_transport *own_transport;

dunlin_result __real_dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error);
dunlin_result __wrap_dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error);
dunlin_result __wrap_dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error) {
    return own_transport ? dunlin_world_create_part(def, own_transport, world, error)
                         : __real_dunlin_world_create(def, world, error);
}

typedef struct course {
    const char *name;
    dunlin_scenario *scenario;
    uint64_t hash[STEPS + 1];
    uint32_t ranks;
    int threads;
    const char *kernel;
    bool open;
} course;

static dunlin_result create(const course *c, int threads, const char *kernel, dunlin_flight **flight) {
    const uint32_t agents = AGENTS;
    dunlin_flight_def def = dunlin_flight_def_default();
    def.agents = &agents;
    def.threads = threads;
    def.kernel = kernel;
    return dunlin_flight_create(c->scenario, &def, flight, &refusal);
}

static dunlin_flight *take_off(const course *c, int threads, const char *kernel) {
    dunlin_flight *flight;
    ACCEPT(create(c, threads, kernel, &flight));
    return flight;
}

static void fly_alone(course *c) {
    dunlin_flight *flight = take_off(c, 1, "scalar");
    c->open = dunlin_world_get_def(dunlin_flight_world(flight)).boundary == DUNLIN_BOUNDARY_OPEN;
    for (int step = 0; step <= STEPS; step++) {
        if (step > 0) ACCEPT(dunlin_flight_step(flight, &refusal));
        c->hash[step] = dunlin_world_state_hash(dunlin_flight_world(flight));
    }
    dunlin_flight_destroy(flight);
}

/* Ranks share bounds. */
static void refuse_part(void *context, const dunlin_transport *transport) {
    const course *c = context;
    dunlin_flight *flight;
    own_transport = transport;
    REFUSE(create(c, c->threads, c->kernel, &flight), DUNLIN_ERROR_VALUE, c->name, "world: boundary is open");
    own_transport = NULL;
}

static void fly_part(void *context, const dunlin_transport *transport) {
    const course *c = context;
    own_transport = transport;
    dunlin_flight *flight = take_off(c, c->threads, c->kernel);
    dun_cut_at_random(dunlin_flight_world(flight), c->ranks % 2);
    for (int step = 0; step <= STEPS; step++) {
        if (step > 0) ACCEPT(dunlin_flight_step(flight, &refusal));
        const uint64_t hash = dunlin_world_state_hash(dunlin_flight_world(flight));
        if (hash != c->hash[step])
            fail_msg("%s, %u ranks, %d threads, %s, step %d: %016" PRIx64 " instead of %016" PRIx64, c->name, c->ranks,
                     c->threads, c->kernel, step, hash, c->hash[step]);
    }
    dunlin_flight_destroy(flight);
    own_transport = NULL;
}

/* ---- every one of them ------------------------------------------------------------------------------------------------ */

static int is_scenario(const struct dirent *entry) {
    return !!strstr(entry->d_name, ".yaml");
}

static void fly(const char *name, int turn) {
    static const uint32_t ranks[] = {2, 3, 4, 7, 1};
    char file[512];
    course c = {.name = name};
    snprintf(file, sizeof file, "%s/%s", DUNLIN_SCENARIOS_DIR, name);
    ACCEPT(dunlin_scenario_open(file, NULL, &c.scenario, &refusal));
    fly_alone(&c);
    for (int r = 0; r < 5; r++) {
        if (TEST_SLOW && r != turn % 4) continue;
        c.ranks = ranks[r];
        c.threads = 1 + (turn + r) % 2;
        c.kernel = (turn + r) % 3 ? "auto" : "scalar";
        dun_local_run(c.ranks, c.open && c.ranks > 1 ? refuse_part : fly_part, &c);
    }
    dunlin_scenario_close(c.scenario);
}

static void every_shipped_scenario_has_the_same_bits_in_parts(void **state) {
    (void)state;
    struct dirent **entries;
    const int count = scandir(DUNLIN_SCENARIOS_DIR, &entries, is_scenario, alphasort);
    assert_true(count >= 40);
    for (int i = 0; i < count; i++) {
        fly(entries[i]->d_name, i);
        free(entries[i]);
    }
    free(entries);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shipped_scenario_has_the_same_bits_in_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
