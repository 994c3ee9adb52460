/* SPDX-License-Identifier: MIT */
/* Fields that agents write: their entries in a file, and the trails of a shipped scenario. */
#include "tests/lib/scenario_helpers.h"

/* ---- entries ----------------------------------------------------------------------------------------------------------- */

#define TWO_SPECIES                                                                                                            \
    "world: {size: [20, 20]}\n"                                                                                                \
    "species:\n  - {name: ants, agents: 30, attributes: [{name: food, value: 2}]}\n  - {name: bugs, agents: 20}\n"
#define FOLLOWED "behaviours:\n  - {species: all, flow: {field: a}}\n  - {species: all, wind: {field: c}}\n"

static double total_of(dunlin_world *world, int trace) {
    const dunlin_trace_view view = dunlin_world_trace_view(world, trace);
    double total = 0;
    for (int i = 0; i < view.cells[0] * view.cells[1]; i++) total += (double)view.values[i];
    return total;
}

TEST(traces_are_read) {
    scenario_run f =
        scenario_begin(TWO_SPECIES "fields:\n  - {name: a, cells: [8, 4], trace: {}}\n  - {name: b, random: {}}\n"
                                   "  - {name: c, trace: {species: ants, attribute: food, deposit: 3, diffusion: 1, "
                                   "evaporation: 0.25}}\n" FOLLOWED,
                       NULL);
    assert_int_equal(dunlin_world_trace_count(f.world), 2);
    dunlin_trace_def def = dunlin_world_get_trace(f.world, 0);
    assert_true(def.field == 0 && def.species == DUNLIN_ALL_SPECIES && def.attribute == -1);
    assert_true(def.deposit == 1 && def.diffusion == 0 && def.evaporation == 0);
    assert_int_equal(dunlin_world_trace_view(f.world, 0).cells[1], 4);
    def = dunlin_world_get_trace(f.world, 1);
    assert_true(def.field == 2 && def.species == 0 && def.attribute == 0);
    assert_true(def.deposit == 3 && def.diffusion == 1 && def.evaporation == 0.25f);
    scenario_step(&f, 2);
    assert_true(total_of(f.world, 0) == 100);
    assert_true(total_of(f.world, 1) > 236 && total_of(f.world, 1) < 236.5); /* 180·(0.75 + 0.75²) */
    scenario_end(&f);
    f = scenario_begin("species: [{agents: 5}]\nfields:\n  - trace: {}\nbehaviours:\n  - flow: {}\n", NULL);
    assert_int_equal(dunlin_world_get_trace(f.world, 0).species, 0);
}

/* A changed rate acts from the next step on, and the trace stays. */
TEST(rates_change_in_simulation) {
    scenario_run f = scenario_begin("species: [{agents: 5}]\nfields:\n  - trace: {}\nbehaviours:\n  - flow: {}\n"
                                    "schedules:\n  - {parameter: 'fields[0].trace.deposit', constant: {value: 0, begin: 3}}\n",
                                    NULL);
    scenario_step(&f, 4);
    assert_true(total_of(f.world, 0) == 15);
    ACCEPT(dunlin_simulation_set_number(f.simulation, "fields[0].trace.evaporation", 0.5, &refusal));
    scenario_step(&f, 1);
    assert_true(total_of(f.world, 0) == 7.5);
    assert_int_equal(dunlin_world_trace_count(f.world), 1);
}

static void count_warning(void *user, const char *warning) {
    assert_non_null(strstr(warning, "fields[0].trace: it begins at 0"));
    ++*(int *)user;
}

/* A state file has agents, but nothing of what they have left. */
TEST(a_state_begins_without_traces) {
    static const char text[] = "species: [{agents: 5}]\nfields:\n  - trace: {}\nbehaviours:\n  - flow: {}\n",
                      path[] = "trace_state.csv";
    int warnings = 0;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.warn = count_warning;
    def.user = &warnings;
    scenario_run f = scenario_begin(text, &def);
    scenario_step(&f, 3);
    ACCEPT(dunlin_world_save(f.world, path, &refusal));
    scenario_end(&f);
    assert_int_equal(warnings, 0);
    def.init = path;
    f = scenario_begin(text, &def);
    assert_int_equal(warnings, 1);
    assert_int_equal(dunlin_world_stats(f.world).step, 3);
    assert_true(total_of(f.world, 0) == 0);
    remove(path);
}

/* With the numbers, too, it continues as if the simulation had never stopped. */
TEST(a_state_may_come_with_traces) {
    static const char text[] = "species: [{agents: 40}]\nfields:\n  - trace: {diffusion: 0.1}\nbehaviours:\n  - flow: {}\n",
                      path[] = "trace_state.csv";
    int warnings = 0;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.warn = count_warning;
    def.user = &warnings;
    scenario_run f = scenario_begin(text, &def);
    scenario_step(&f, 9);
    ACCEPT(dunlin_world_save(f.world, path, &refusal));
    const dunlin_trace_view view = dunlin_world_trace_view(f.world, 0);
    dunlin_trace_view given = view;
    given.values = malloc(32 * 32 * sizeof(float));
    memcpy(given.values, view.values, 32 * 32 * sizeof(float));
    def.init = path;
    def.init_traces = &given;
    def.init_trace_count = 1;
    scenario_run g = scenario_begin(text, &def);
    assert_int_equal(warnings, 0);
    scenario_step(&f, 9);
    scenario_step(&g, 9);
    assert_true(dunlin_world_state_hash(f.world) == dunlin_world_state_hash(g.world));
    assert_memory_equal(dunlin_world_trace_view(g.world, 0).values, dunlin_world_trace_view(f.world, 0).values,
                        32 * 32 * sizeof(float));
    scenario_end(&f);
    scenario_end(&g);
    given.cells[1] = 31;
    g = scenario_begin(text, &def);
    assert_int_equal(warnings, 1);
    assert_true(total_of(g.world, 0) == 0);
    free(given.values);
    remove(path);
}

/* ---- trails ------------------------------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b) {
    const float l = *(const float *)a, r = *(const float *)b;
    return (l < r) - (l > r);
}

/* The share of all scent that lies in the strongest tenth of the cells. */
static double strongest_tenth(dunlin_world *world) {
    const dunlin_trace_view view = dunlin_world_trace_view(world, 0);
    const size_t cells = (size_t)view.cells[0] * (size_t)view.cells[1];
    float *sorted = malloc(cells * sizeof *sorted);
    double strongest = 0;
    memcpy(sorted, view.values, cells * sizeof *sorted);
    qsort(sorted, cells, sizeof *sorted, by_value);
    for (size_t i = 0; i < cells / 10; i++) strongest += (double)sorted[i];
    free(sorted);
    return strongest / total_of(world, 0);
}

static double trails_after(int steps, double weight) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    scenario_run f;
    def.threads = 1;
    ACCEPT(open_and_build(DUNLIN_SCENARIOS_DIR "/trails.yaml", NULL, &def, &f));
    ACCEPT(dunlin_simulation_set_number(f.simulation, "behaviours[0].flow.weight", weight, &refusal));
    scenario_step(&f, steps);
    const double share = strongest_tenth(f.world);
    print_message("after %d steps with weight %g the strongest tenth has %.3f\n", steps, weight, share);
    scenario_end(&f);
    return share;
}

/* Ants that do not follow the scent spread it evenly. */
TEST(ants_walk_in_trails) {
    if (is_repeated() || TEST_SLOW) skip();
    assert_true(trails_after(800, 1) > 0.7);
    assert_true(trails_after(800, 0) < 0.3);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
