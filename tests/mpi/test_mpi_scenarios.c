/* SPDX-License-Identifier: MIT */
/* Every shipped scenario, small, has the same bits on the ranks of an MPI job after each step, however many ranks and threads.
 */
#include <inttypes.h>

#include <dunlin/scenario.h>

#include "tests/lib/files.h"
#include "tests/lib/in_parts.h"
#include "tests/lib/worlds.h"

enum { STEPS = 20 };

typedef struct course {
    const char *file;
    dunlin_scenario *scenario;
    int threads;
    const char *refused;      /* what the message says where ranks cannot run it; NULL: they can */
    uint64_t hash[STEPS + 1]; /* of one world */
} course;

static dunlin_result make(const course *c, const dunlin_transport *transport, dunlin_simulation **simulation) {
    static const uint32_t agents = 600;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.agents = &agents;
    def.threads = transport ? c->threads : 1;
    def.kernel = transport ? "auto" : "scalar";
    def.transport = transport;
    return dunlin_simulation_create(c->scenario, &def, simulation, &refusal);
}

static void run(course *c, const dunlin_transport *transport, dunlin_simulation *simulation) {
    for (int step = 0; step <= STEPS; step++) {
        if (step > 0) ACCEPT(dunlin_simulation_step(simulation, &refusal));
        const uint64_t hash = dunlin_world_state_hash(dunlin_simulation_world(simulation));
        if (!transport)
            c->hash[step] = hash;
        else if (hash != c->hash[step])
            fail_msg("%s, rank %u of %u, %d threads, step %d: %016" PRIx64 " instead of %016" PRIx64, c->file, transport->rank,
                     transport->ranks, c->threads, step, hash, c->hash[step]);
    }
    dunlin_simulation_destroy(simulation);
}

static void run_part(void *context, const dunlin_transport *transport) {
    course *c = context;
    dunlin_simulation *simulation;
    if (c->refused && transport->ranks > 1) {
        REFUSE(make(c, transport, &simulation), DUNLIN_ERROR_VALUE, c->file, c->refused);
        return;
    }
    ACCEPT(make(c, transport, &simulation));
    run(c, transport, simulation);
}

static void run_everywhere(const char *file, int number) {
    static const uint32_t ranks[] = {1, 2, 3, 5, 7};
    course c = {.file = file};
    dunlin_simulation *simulation;
    (void)number;
    ACCEPT(dunlin_scenario_open(file, NULL, &c.scenario, &refusal));
    ACCEPT(make(&c, NULL, &simulation));
    c.refused = parts_refusal(dunlin_simulation_world(simulation));
    run(&c, NULL, simulation);
    for (int r = 0; r < 5; r++)
        for (c.threads = 1; c.threads <= 2; c.threads++) dun_local_run(ranks[r], run_part, &c);
    dunlin_scenario_close(c.scenario);
}

TEST(every_shipped_scenario_has_the_same_bits_by_mpi) {
    for_each_file(DUNLIN_SCENARIOS_DIR, ".yaml", 40, run_everywhere);
}
