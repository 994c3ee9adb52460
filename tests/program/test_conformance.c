/* SPDX-License-Identifier: MIT */
/*
 * The sketches that taught flocking to the world, reproduced: states recorded from them in binary64, in vectors/, one folder a
 * case, against what a scenario file says of the case. The sketches themselves update boids in place, one after another; what
 * was recorded, and what Dunlin does, is what they would do with a snapshot, in which all see the state before the step. Held
 * to: positions 1e-4 of the longer world side; velocities 1e-4 of the maximum speed after one step and 1e-3 after ten or fifty,
 * for rounding grows from step to step.
 */
#include <dunlin/scenario.h>
#include "tests/lib/recordings.h"

typedef struct case_after_run {
    const char *name;
    int steps;           /* of the last recording */
    const char *shipped; /* the shipped scenario of the same sketch and size, or NULL: the case's own */
} case_after_run;

static const case_after_run cases[] = {
    {"noc_5_01_seek", 50, NULL},
    {"noc_5_01_seek", 50, "noc_5_01_seek.yaml"},
    {"noc_5_02_arrive", 50, NULL},
    {"noc_5_02_arrive", 50, "noc_5_02_arrive.yaml"},
    {"noc_5_03_walls", 50, NULL},
    {"noc_5_03_walls", 50, "noc_5_03_walls.yaml"},
    {"noc_5_04_flow_field", 50, NULL},
    {"noc_5_06_path", 50, NULL},
    {"noc_5_07_separation_60", 10, NULL},
    {"noc_5_07_separation_60", 10, "noc_5_07_separation.yaml"},
    {"noc_5_08_separate_seek_50", 10, NULL},
    {"noc_5_08_separate_seek_50", 10, "noc_5_08_separate_seek.yaml"},
    {"noc_5_09_flock_120", 10, NULL},
    {"noc_5_09_flock_120", 10, "noc_5_09_flock.yaml"},
    {"noc_5_09_flock_800", 10, NULL},
    {"noc_5_09_flock_from_centre", 10, NULL},
    {"noc_5_09_flock_from_centre", 10, "noc_5_09_flock.yaml"},
    {"noc_ex_5_02_evade", 50, NULL},
    {"noc_ex_5_02_pursue", 50, NULL},
    {"noc_ex_5_13_crowd_path", 10, NULL},
    {"cc124_flock_200", 10, NULL},
    {"cc124_flock_200", 10, "cc124_flock.yaml"},
    {"doherty_v1_100", 10, NULL},
    {"doherty_v1_100", 10, "doherty_boids.yaml"},
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- recorded states --------------------------------------------------------------------------------------------------- */

static void path_of(char path[512], const char *name, const char *file) {
    snprintf(path, 512, "%s/vectors/%s/%s", DUNLIN_TESTS_DIR, name, file);
}

/* ---- the engine's states ----------------------------------------------------------------------------------------------- */

static dunlin_simulation *simulation_of_case(const case_after_run *run, world_variant variant) {
    char path[512], before[512];
    path_of(path, run->name, "scenario.yaml");
    if (run->shipped) snprintf(path, sizeof path, "%s/%s", DUNLIN_SCENARIOS_DIR, run->shipped);
    path_of(before, run->name, "before.csv");
    dunlin_simulation_def options = dunlin_simulation_def_default();
    options.kernel = variant.kernel;
    options.index = variant.index;
    options.threads = 2;
    options.init = before;
    dunlin_scenario *scenario;
    dunlin_simulation *simulation;
    ACCEPT(dunlin_scenario_open(path, NULL, &scenario, &refusal));
    ACCEPT(dunlin_simulation_create(scenario, &options, &simulation, &refusal));
    dunlin_scenario_close(scenario);
    return simulation;
}

/* As shares of the allowed deviations. */
static deviation compare(dunlin_world *world, const recording *want, double allowed_velocity) {
    const deviation d = deviation_from(world, want);
    return (deviation){d.position / 1e-4, d.velocity / allowed_velocity};
}

static deviation larger(deviation a, deviation b) {
    return (deviation){fmax(a.position, b.position), fmax(a.velocity, b.velocity)};
}

static void check(const char *name, int steps, world_variant variant, deviation d) {
    if (d.position <= 1.0 && d.velocity <= 1.0) return;
    fail_msg("%s after %d: positions %.3g, velocities %.3g of what is allowed (%s, %s)", name, steps, d.position, d.velocity,
             variant.kernel, variant.index);
}

static recording read_last(const case_after_run *run) {
    char file[32];
    snprintf(file, sizeof file, "after_%d.csv", run->steps);
    return read_recording(run->name, file);
}

static void simulate(dunlin_simulation *simulation, int steps) {
    for (int i = 0; i < steps; i++) ACCEPT(dunlin_simulation_step(simulation, &refusal));
}

static void reproduce(const case_after_run *run) {
    const char *name = run->name;
    const recording first = read_recording(name, "after_1.csv"), last = read_last(run);
    deviation worst_first = {0, 0}, worst_last = {0, 0};
    for (int v = 0; v < world_variant_count(); v++) {
        const world_variant variant = world_variant_at(v);
        dunlin_simulation *simulation = simulation_of_case(run, variant);
        dunlin_world *world = dunlin_simulation_world(simulation);
        simulate(simulation, 1);
        const deviation d_first = compare(world, &first, 1e-4);
        simulate(simulation, run->steps - 1);
        const deviation d_last = compare(world, &last, 1e-3);
        dunlin_simulation_destroy(simulation);
        check(name, 1, variant, d_first);
        check(name, run->steps, variant, d_last);
        worst_first = larger(worst_first, d_first);
        worst_last = larger(worst_last, d_last);
    }
    print_message("%-28s after 1: positions %.1e of the side, velocities %.1e of the maximum; after %d: %.1e, %.1e\n", name,
                  1e-4 * worst_first.position, 1e-4 * worst_first.velocity, run->steps, 1e-4 * worst_last.position,
                  1e-3 * worst_last.velocity);
}

TEST(every_sketch_is_reproduced) {
    for (int i = 0; i < CASES; i++) reproduce(&cases[i]);
}

/* Otherwise the other test would pass even if it compared nothing. */
TEST(the_recordings_move) {
    for (int i = 0; i < CASES; i++) {
        const recording last = read_last(&cases[i]);
        dunlin_simulation *simulation = simulation_of_case(&cases[i], world_variant_at(0));
        dunlin_world *world = dunlin_simulation_world(simulation);
        assert_true(last.count >= 16);
        assert_true(compare(world, &last, 1e-3).position > 50 && compare(world, &last, 1e-3).velocity > 50);
        dunlin_simulation_destroy(simulation);
    }
}
