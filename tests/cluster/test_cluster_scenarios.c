/* SPDX-License-Identifier: MIT */
/* Every shipped scenario, small, has the same bits in parts, after each of 50 steps; and continues from a checkpoint on any
 * other number of ranks. */
#include <inttypes.h>

#include <dunlin/cluster.h>
#include <dunlin/scenario.h>

#include "engine/base/sections.h"

#include "engine/cluster/cluster.h"
#include "tests/lib/files.h"
#include "tests/lib/in_parts.h"
#include "tests/lib/worlds.h"

enum { STEPS = 50 };

static const uint32_t many = 600; /* agents */

/* ---- worlds of scenarios ---------------------------------------------------------------------------------------------- */

typedef struct course {
    const char *name;
    const uint32_t *agents; /* NULL: the scenario's */
    dunlin_scenario *scenario;
    uint64_t hash[STEPS + 1];
    uint32_t ranks;
    int threads;
    const char *kernel;
    const char *refused; /* what the message says where ranks cannot run it; NULL: they can */
    void *checkpoint;    /* the last one, [bytes] */
    size_t bytes;
} course;

/* `transport` NULL: alone. */
static dunlin_simulation_def def_of(const course *c, const dunlin_transport *transport) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.agents = c->agents;
    def.threads = transport ? c->threads : 1;
    def.kernel = transport ? c->kernel : "scalar";
    def.transport = transport;
    return def;
}

static void run_alone(course *c) {
    const dunlin_simulation_def def = def_of(c, NULL);
    dunlin_simulation *simulation;
    ACCEPT(dunlin_simulation_create(c->scenario, &def, &simulation, &refusal));
    c->refused = parts_refusal(dunlin_simulation_world(simulation));
    for (int step = 0; step <= STEPS; step++) {
        if (step > 0) ACCEPT(dunlin_simulation_step(simulation, &refusal));
        c->hash[step] = dunlin_world_state_hash(dunlin_simulation_world(simulation));
    }
    dunlin_simulation_destroy(simulation);
}

static void refuse_part(void *context, const dunlin_transport *transport) {
    const course *c = context;
    const dunlin_simulation_def def = def_of(c, transport);
    dunlin_simulation *simulation;
    REFUSE(dunlin_simulation_create(c->scenario, &def, &simulation, &refusal), DUNLIN_ERROR_VALUE, c->name, c->refused);
}

static void check_hash(const course *c, dunlin_simulation *simulation, int step) {
    const uint64_t hash = dunlin_world_state_hash(dunlin_simulation_world(simulation));
    if (hash == c->hash[step]) return;
    fail_msg("%s, %u ranks, %d threads, %s, step %d: %016" PRIx64 " instead of %016" PRIx64, c->name, c->ranks, c->threads,
             c->kernel, step, hash, c->hash[step]);
}

/* Rank 0 has the only checkpoint, from which the next crew continues. */
static void save(course *c, dunlin_simulation *simulation, const dunlin_transport *transport) {
    ACCEPT(dunlin_world_gather(dunlin_simulation_world(simulation), &refusal));
    if (transport->rank == 0) {
        c->bytes = dunlin_simulation_saved_bytes(simulation);
        c->checkpoint = realloc(c->checkpoint, c->bytes);
        assert_non_null(c->checkpoint);
        ACCEPT(dunlin_simulation_save_memory(simulation, c->checkpoint, c->bytes, &refusal));
    }
    ACCEPT(dunlin_world_share(dunlin_simulation_world(simulation), &refusal));
}

static void run_part(void *context, const dunlin_transport *transport) {
    course *c = context;
    const dunlin_simulation_def def = def_of(c, transport);
    dunlin_simulation *simulation;
    ACCEPT(dunlin_simulation_create(c->scenario, &def, &simulation, &refusal));
    dun_cut_at_random(dunlin_simulation_world(simulation), c->ranks % 2);
    for (int step = 0; step <= STEPS; step++) {
        if (step > 0) ACCEPT(dunlin_simulation_step(simulation, &refusal));
        check_hash(c, simulation, step);
        if (step == STEPS / 2) save(c, simulation, transport);
    }
    dunlin_simulation_destroy(simulation);
}

static bool take(void *context, void *bytes, size_t count) {
    return dun_memory_read(context, bytes, count);
}

static bool take_nothing(void *context, void *bytes, size_t count) {
    (void)context, (void)bytes, (void)count;
    fail_msg("only rank 0 reads a checkpoint");
    return false;
}

/* From the middle to the end. */
static void go_on(void *context, const dunlin_transport *transport) {
    course *c = context;
    const bool first = !transport || transport->rank == 0;
    const dunlin_simulation_def def = def_of(c, transport);
    dun_memory from = {.from = c->checkpoint, .left = c->bytes};
    dunlin_simulation *simulation;
    ACCEPT(dunlin_simulation_open_from(&def, first ? take : take_nothing, &from, NULL, &simulation, &refusal));
    for (int step = STEPS / 2; step <= STEPS; step++) {
        if (step > STEPS / 2) ACCEPT(dunlin_simulation_step(simulation, &refusal));
        check_hash(c, simulation, step);
    }
    dunlin_simulation_destroy(simulation);
}

/* A checkpoint that is cut short is an error of all ranks, wherever it is cut. */
static void refuse_cut(void *context, const dunlin_transport *transport) {
    const course *c = context;
    const dunlin_simulation_def def = def_of(c, transport);
    for (size_t bytes = 0; bytes < c->bytes; bytes += 1 + c->bytes / 37) {
        dun_memory from = {.from = c->checkpoint, .left = bytes};
        dunlin_simulation *simulation;
        REFUSE(dunlin_simulation_open_from(&def, take, &from, NULL, &simulation, &refusal), DUNLIN_ERROR_FILE, "cut short");
    }
}

/* ---- every one of them ------------------------------------------------------------------------------------------------ */

/* Takes over the scenario. */
static void simulate(const char *name, dunlin_scenario *scenario, const uint32_t *agents, int turn) {
    static const uint32_t ranks[] = {2, 3, 4, 7, 1};
    course c = {.name = name, .agents = agents, .scenario = scenario};
    run_alone(&c);
    for (int r = 0; r < 5; r++) {
        if (!TEST_NIGHTLY && r != turn % 4) continue;
        c.ranks = ranks[r];
        c.threads = 1 + (turn + r) % 2;
        c.kernel = (turn + r) % 3 ? "auto" : "scalar";
        dun_local_run(c.ranks, c.refused && c.ranks > 1 ? refuse_part : run_part, &c);
        if (c.refused) continue;
        go_on(&c, NULL);
        dun_local_run(c.ranks % 4 + 1, go_on, &c);
        if (turn == 0) dun_local_run(c.ranks, refuse_cut, &c);
    }
    dunlin_scenario_close(c.scenario);
    free(c.checkpoint);
}

static void run_in_parts(const char *file, int number) {
    if (TEST_SLOW && number % 3 != 0) return;
    dunlin_scenario *scenario;
    ACCEPT(dunlin_scenario_open(file, NULL, &scenario, &refusal));
    simulate(file, scenario, &many, number);
}

TEST(every_shipped_scenario_has_the_same_bits_in_parts) {
    for_each_file(DUNLIN_SCENARIOS_DIR, ".yaml", 40, run_in_parts);
}

/* The maximum is that of all ranks together. */
TEST(growth_ends_at_the_maximum_of_the_flock) {
    static const char text[] = "species: [{name: fish, agents: 10, growth: [{per_step: 7, max_agents: 700}]}]\n"
                               "interactions: [{cohesion: {radius: 5}}]\n";
    dunlin_scenario *scenario;
    ACCEPT(dunlin_scenario_open_text(text, strlen(text), NULL, &scenario, &refusal));
    simulate("growth", scenario, &many, 1);
}

/* Where few agents are left, the grid's last axis is folded. A rank without deaths has to notice, too. */
TEST_EACH(a_corridor_loses_no_agent, i, 0, 2) {
    static const char *const names[] = {"corridor.yaml", "corridor_lives.yaml"};
    char file[512];
    dunlin_scenario *scenario;
    snprintf(file, sizeof file, DUNLIN_TESTS_DIR "/files/%s", names[i]);
    ACCEPT(dunlin_scenario_open(file, NULL, &scenario, &refusal));
    simulate(names[i], scenario, NULL, i + 1);
}
