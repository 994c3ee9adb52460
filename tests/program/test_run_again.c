/* SPDX-License-Identifier: MIT */
/* The scenario in a trajectory is the one that was run: as it stands there it ends in the same state. */
#include <inttypes.h>
#include <unistd.h>

#include <dunlin/scenario.h>
#include <hdf5.h>

#include "harness/trajectory/layout.h"
#include "harness/trajectory/reader.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"

/* Both species start at random, births come in the third step, and the noise has the scenario's seed. */
static const char flock[] = "steps: 4\n"
                            "species:\n"
                            "  - {name: knots, agents: 70, growth: [{per_step: 1.5}]}\n"
                            "  - {name: gulls, agents: 30, start: [{share: 1, extent: [5, 5]}, {share: 2}]}\n"
                            "interactions: [{observer: knots, cohesion: {radius: 9}, alignment: {radius: 5}}]\n"
                            "fields: [{name: gusts, noise: {scale: 20, rate: 0.5}}]\n"
                            "behaviours: [{species: all, wander: {}}, {species: gulls, wind: {field: gusts}}]\n"
                            "schedules: [{parameter: species.gulls.max_speed, linear: {from: 1, to: 2, end: 4}}]\n";

static int set_up(void **state) {
    if (empty_own_folder(state) != 0) return -1;
    write_file("flock.yaml", flock);
    return system("mkdir inside && printf 'vx,vy\\n1,0\\n0,1\\n1,1\\n0,0\\n' >table.csv");
}

/* ---- there and back ---------------------------------------------------------------------------------------------------- */

/* Writes the scenario of a trajectory to a file. */
static void extract(const char *path, const char *to) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, TRAJECTORY_SCENARIO, H5P_DEFAULT), type = H5Dget_type(dataset);
    char *text = calloc(1, H5Tget_size(type) + 1);
    assert_non_null(text);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    H5Tclose(type);
    H5Dclose(dataset);
    H5Fclose(file);
    write_file(to, text);
    free(text);
}

/* Of the first or last frame. */
static uint64_t frame_of(const char *path, bool last, uint64_t *hash) {
    dunlin_error error;
    trajectory_reader *reader;
    const trajectory_frame *frame;
    if (reader_open(path, &reader, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    if (reader_read(reader, last ? reader_info(reader)->frames - 1 : 0, &frame, &error) != DUNLIN_OK)
        fail_msg("%s", error.message);
    const uint64_t step = frame->step;
    *hash = frame->state_hash;
    reader_close(reader);
    return step;
}

/* Runs a scenario as it stands there. */
static uint64_t simulate(const char *path) {
    dunlin_error error;
    dunlin_scenario *scenario;
    dunlin_simulation *simulation;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.threads = 1;
    if (dunlin_scenario_open(path, NULL, &scenario, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    if (dunlin_simulation_create(scenario, &def, &simulation, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    for (uint64_t step = 0; step < dunlin_scenario_steps(scenario); step++)
        if (dunlin_simulation_step(simulation, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    const uint64_t hash = dunlin_world_state_hash(dunlin_simulation_world(simulation));
    dunlin_simulation_destroy(simulation);
    dunlin_scenario_close(scenario);
    return hash;
}

/* Runs what is in the trajectory. `options` are about the machine, or name the state that it began with; NULL: none. */
static void expect_runs_again(const char *path, const char *text, const char *options) {
    char arguments[600];
    uint64_t hash;
    frame_of(path, true, &hash);
    extract(path, text);
    if (!options) {
        if (simulate(text) != hash) fail_msg("the scenario in %s runs to another state", path);
        return;
    }
    snprintf(arguments, sizeof arguments, "run %s --quiet --hash %s", text, options);
    expect_success(arguments);
    if (hash_printed() != hash) fail_msg("dunlin %s: another state than %s", arguments, path);
}

static void expect_run(const char *scenario, const char *options, const char *again) {
    char arguments[600];
    snprintf(arguments, sizeof arguments, "run %s --quiet --trajectory simulation.h5 %s", scenario, options);
    expect_success(arguments);
    expect_runs_again("simulation.h5", "run.yaml", again);
}

/* ---- options ----------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *options, *again;
} cases[] = {
    {"", NULL},
    {"--steps 7", NULL},
    {"--steps 0", NULL},
    {"--seed 99", NULL},
    {"--seed 18446744073709551615", NULL},
    {"--agents 37", NULL},
    {"--agents 0", NULL},
    {"--agents 1 --seed 3 --steps 2", NULL},
    {"--set seed=5 --set steps=3 --set species.knots.agents=11 --set 'world.size=[50, 40.1]' --set world.time_step=0.3", NULL},
    {"--set species.gulls.agents=5 --agents 10 --set steps=9 --steps 2", NULL},
    {"--threads 2 --kernel scalar", NULL},
    {"--index tree --agents 50", "--index tree"},
    {"--init begin.csv", "--init simulation.h5@4"},
    {"--init begin.csv --steps 2 --every 2", "--init simulation.h5@4"},
    {"--init begin.csv --seed 8 --reseed", "--init simulation.h5@4"},
};

TEST(options_are_in_the_scenario) {
    expect_success("run flock.yaml --quiet --final begin.csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_run("flock.yaml", cases[i].options, cases[i].again);
    write_file("inside/outside.yaml", "species: [{agents: 9}]\nsteps: 3\nfields: [{cells: [2, 2], csv: {file: ../table.csv}}]\n"
                                      "behaviours: [{wind: {}}]\n");
    expect_success("run inside/outside.yaml --quiet --agents 5 --allow-outside --trajectory simulation.h5");
    expect_runs_again("simulation.h5", "inside/run.yaml", "--allow-outside");
}

/* Whatever changes the simulation is among these cases. */
TEST(every_option_is_tested) {
    expect_success("run --help");
    const char *at = strstr(out, "\nSimulation:"), *end = strstr(out, "\nStates:");
    assert_true(at && end);
    for (int options = 0;; options++) {
        char name[40];
        at = strstr(at, "\n  --");
        if (!at || at > end) {
            assert_in_range(options, 10, 20);
            return;
        }
        at += 3;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "= \n"), at);
        bool found = strcmp(name, "--allow-outside") == 0;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) found = found || strstr(cases[i].options, name);
        if (!found) fail_msg("%s is not tested", name);
    }
}

static void run_again(const char *path, int number) {
    if (!TEST_SLOW || number % 4 == 0) expect_run(path, "--agents 50 --seed 6 --steps 2 --threads 1 --every 2", NULL);
}

TEST(every_shipped_scenario_runs_again) {
    for_each_file(DUNLIN_SCENARIOS_DIR, ".yaml", 31, run_again);
}

/* ---- other ways to run ------------------------------------------------------------------------------------------------- */

TEST(a_run_that_goes_on_is_whole) {
    char straight[OUTPUT];
    expect_success("run flock.yaml --quiet --agents 60 --seed 4 --steps 9 --trajectory simulation.h5");
    extract("simulation.h5", "run.yaml");
    read_file("run.yaml", straight);
    expect_success("run flock.yaml --quiet --agents 60 --seed 4 --steps 5 --trajectory simulation.h5 --checkpoint run.ckpt");
    expect_success("resume run.ckpt --quiet --steps 9");
    expect_runs_again("simulation.h5", "run.yaml", NULL);
    read_file("run.yaml", out);
    assert_string_equal(out, straight);
}

TEST(every_run_of_a_sweep_runs_again) {
    uint64_t hash, before = 0;
    write_file("study.yaml", "scenario: flock.yaml\nset: ['steps=6']\nseeds: 2\ntrajectory: {every: 5}\nsteps: 5\n"
                             "parameters: [{path: species.knots.max_speed, values: [0.5, 1.7]}]\n"
                             "measure: [{metric: agents, species: knots}]\n");
    expect_success("sweep study.yaml --quiet --no-plots --output swept");
    for (int i = 0; i < 4; i++) {
        char path[80];
        snprintf(path, sizeof path, "swept/trajectories/run-%05d.h5", i);
        assert_int_equal(frame_of(path, true, &hash), 5);
        assert_true(hash != before);
        before = hash;
        expect_runs_again(path, "run.yaml", NULL);
    }
}

TEST_FIXTURE(.before_all = set_up, .after_all = empty_own_folder)
