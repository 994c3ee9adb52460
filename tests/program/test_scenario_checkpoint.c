/* SPDX-License-Identifier: MIT */
/* Simulations continue from their checkpoints bit for bit, with nothing else. */
#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/scenario_helpers.h"
#include "tests/lib/stream.h"

static const char everything[] = DUNLIN_TESTS_DIR "/files/everything.yaml";

/* ---- there and back ---------------------------------------------------------------------------------------------------- */

static stream save(const scenario_run *f) {
    stream s = {.bytes = NULL};
    ACCEPT(dunlin_simulation_save_to(f->simulation, stream_put, &s, &refusal));
    assert_int_equal(s.count, dunlin_simulation_saved_bytes(f->simulation));
    return s;
}

/* With another kernel and number of threads. */
static scenario_run reopen(stream *s, dunlin_scenario **scenario) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.kernel = "scalar";
    def.threads = 2;
    scenario_run f = {.simulation = NULL};
    s->at = 0;
    ACCEPT(dunlin_simulation_open_from(&def, stream_take, s, scenario, &f.simulation, &refusal));
    assert_int_equal(s->at, s->count);
    f.world = dunlin_simulation_world(f.simulation);
    assert_string_equal(dunlin_world_get_def(f.world).kernel, "scalar");
    return f;
}

static void assert_same_bytes(const stream *s, const scenario_run *f) {
    stream again = save(f);
    assert_int_equal(again.count, s->count);
    assert_memory_equal(again.bytes, s->bytes, s->count);
    free(again.bytes);
}

/* Saves the simulation, and runs the copy beside it. */
static void part_and_compare(const scenario_run *f, int steps, const char *what) {
    stream s = save(f);
    scenario_run copy = reopen(&s, NULL);
    assert_same_bytes(&s, &copy);
    for (int step = 0; step < steps; step++) {
        scenario_step(f, 1);
        scenario_step(&copy, 1);
        if (dunlin_world_state_hash(f->world) != dunlin_world_state_hash(copy.world)) fail_msg("%s, step %d", what, step);
        if (dunlin_world_fingerprint(f->world) != dunlin_world_fingerprint(copy.world)) fail_msg("%s, step %d", what, step);
        assert_true(dunlin_world_stats(f->world).time == dunlin_world_stats(copy.world).time);
    }
    scenario_end(&copy);
    free(s.bytes);
}

static scenario_run start(const char *path, uint32_t agents) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    scenario_run f;
    if (agents > 0) def.agents = &agents;
    def.threads = 1;
    ACCEPT(open_and_build(path, NULL, &def, &f));
    return f;
}

static void expect_goes_on(const char *path, int number) {
    (void)number;
    scenario_run f = start(path, 300);
    scenario_step(&f, 7);
    part_and_compare(&f, 7, path);
    scenario_end(&f);
}

/* A state is enough, but for traces, which it does not have: schedules, growth and lives follow from the step and the agents.
 */
static void expect_goes_on_from_state(const char *path, int number) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    scenario_run f = start(path, 300), copy;
    scenario_step(&f, 5 + number % 5);
    ACCEPT(dunlin_world_save(f.world, "state.csv", &refusal));
    def.init = "state.csv";
    def.threads = 2;
    if (dunlin_world_trace_count(f.world) == 0) {
        ACCEPT(open_and_build(path, NULL, &def, &copy));
        for (int step = 0; step < 20; step++) {
            scenario_step(&f, 1);
            scenario_step(&copy, 1);
            if (dunlin_world_state_hash(f.world) != dunlin_world_state_hash(copy.world)) fail_msg("%s, step %d", path, step);
        }
        scenario_end(&copy);
    }
    scenario_end(&f);
    remove("state.csv");
}

TEST(every_shipped_scenario_goes_on) {
    for_each_file(DUNLIN_SCENARIOS_DIR, ".yaml", 31, expect_goes_on);
    for_each_file(DUNLIN_SCENARIOS_DIR, ".yaml", 31, expect_goes_on_from_state);
}

TEST(a_simulation_with_everything_goes_on_from_any_step) {
    scenario_run f = start(everything, 0);
    for (int step = 0; step < 60; step += TEST_SLOW ? 7 : 1) {
        part_and_compare(&f, TEST_SLOW ? 2 : 5, "everything");
        scenario_step(&f, 1);
    }
    scenario_end(&f);
}

/* The whole simulation must have all of this to show anything. */
TEST(that_simulation_has_everything) {
    scenario_run f = start(everything, 0);
    uint64_t births = 0, deaths = 0;
    for (int step = 0; step < 60; step++) {
        scenario_step(&f, 1);
        births += dunlin_world_stats(f.world).births;
        deaths += dunlin_world_stats(f.world).deaths;
    }
    assert_true(births > 10 && deaths > 100);
    const dunlin_behaviour_def scheduled = dunlin_world_get_behaviour(f.world, 8); /* entry 5, behind one of all species */
    assert_true(scheduled.kind == DUNLIN_BEHAVIOUR_SEEK && scheduled.weight != 0.2f);
    assert_int_equal(dunlin_world_field_count(f.world), 4);
    assert_int_equal(dunlin_world_trace_count(f.world), 1);
    assert_true(dunlin_world_field_view(f.world, 1).vectors[0][2] == -1); /* from everything.csv */
    scenario_end(&f);
}

/* ---- numbers that were set --------------------------------------------------------------------------------------------- */

static const char knots[] = "world: {size: [50, 40]}\n"
                            "species: [{name: knots, agents: 30}]\n"
                            "interactions: [{cohesion: {radius: 6, half_angle: 120}}]\n"
                            "behaviours: [{contain: {margin: 5}}, {seek: {target: [1, 2], velocity: [0.5, 0.1]}}]\n"
                            "schedules: [{parameter: species.knots.max_speed, linear: {from: 0.5, to: 1, end: 9}}]\n";

static dunlin_scenario_number number_of(const dunlin_scenario *scenario, const char *path) {
    dunlin_scenario_number number = {.value = -1};
    ACCEPT(dunlin_scenario_find_number(scenario, path, &number, &refusal));
    return number;
}

TEST(numbers_that_were_set_are_kept) {
    static const dunlin_scenario_setting settings[] = {{"interactions[0].nearest", "3"},
                                                       {"species.knots.obstacles_block", "true"},
                                                       {"seed", "18446744073709551615"},
                                                       {"description", "a 'quoted' \"text\", ü: [1]"}};
    dunlin_scenario *scenario = NULL, *again = NULL;
    scenario_run f = {.simulation = NULL};
    ACCEPT(parse(knots, &scenario));
    ACCEPT(dunlin_scenario_set(scenario, settings, sizeof settings / sizeof *settings, &refusal));
    ACCEPT(dunlin_scenario_set_number(scenario, "interactions[0].cohesion.radius", 0.1, &refusal));
    ACCEPT(dunlin_simulation_create(scenario, NULL, &f.simulation, &refusal));
    f.world = dunlin_simulation_world(f.simulation);
    scenario_step(&f, 3);
    ACCEPT(dunlin_simulation_set_number(f.simulation, "behaviours[1].seek.weight", 0.3, &refusal));
    ACCEPT(dunlin_simulation_set_number(f.simulation, "world.time_step", 0.7, &refusal));
    ACCEPT(dunlin_simulation_set_number(f.simulation, "species.knots.max_speed", 0.9, &refusal)); /* which a schedule changes */
    stream s = save(&f);
    scenario_run copy = reopen(&s, &again);
    assert_true(number_of(again, "interactions[0].cohesion.radius").value == (double)0.1f);
    assert_true(number_of(again, "behaviours[1].seek.weight").value == (double)0.3f);
    assert_true(number_of(again, "species[0].max_speed").value == (double)0.9f);
    assert_true(number_of(again, "world.time_step").given && !number_of(again, "species[0].drag").given);
    assert_true(dunlin_world_get_species(copy.world, 0).obstacles_block);
    assert_true(dunlin_world_get_def(copy.world).seed == UINT64_MAX);
    assert_string_equal(dunlin_scenario_description(again), settings[3].value);
    assert_string_equal(dunlin_scenario_path(again), "text.yaml");
    assert_int_equal(dunlin_scenario_steps(again), 1000);
    scenario_close(again);
    scenario_end(&copy);
    free(s.bytes);
    part_and_compare(&f, 12, "knots");
    scenario_end(&f);
}

static uint64_t hash_after(const dunlin_scenario *scenario, const dunlin_simulation_def *def, int steps) {
    scenario_run f = {.simulation = NULL};
    ACCEPT(dunlin_simulation_create(scenario, def, &f.simulation, &refusal));
    f.world = dunlin_simulation_world(f.simulation);
    scenario_step(&f, steps);
    const uint64_t hash = dunlin_world_state_hash(f.world);
    scenario_end(&f);
    return hash;
}

/* What the caller gave instead of the file is in the scenario of a checkpoint, and in one that is resolved. */
TEST(the_scenario_is_the_one_that_runs) {
    static const char two[] = "species: [{name: a, agents: 30}, {name: b, agents: 11}]\n"
                              "fields: [{noise: {}}]\nbehaviours: [{species: all, wander: {}}, {species: b, wind: {}}]\n";
    const uint64_t seed = UINT64_MAX - 1;
    const uint32_t agents = 24;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_scenario *scenario = NULL, *again = NULL;
    def.seed = &seed;
    def.agents = &agents;
    ACCEPT(parse(two, &scenario));
    const uint64_t hash = hash_after(scenario, &def, 5);
    assert_true(hash_after(scenario, NULL, 5) != hash);
    scenario_run f = {.simulation = NULL};
    ACCEPT(dunlin_simulation_create(scenario, &def, &f.simulation, &refusal));
    stream s = save(&f);
    scenario_run copy = reopen(&s, &again);
    assert_true(hash_after(again, NULL, 5) == hash);
    ACCEPT(dunlin_scenario_resolve(scenario, NULL, &refusal));
    assert_true(number_of(scenario, "species.b.agents").value == 11);
    ACCEPT(dunlin_scenario_resolve(scenario, &def, &refusal));
    assert_true(number_of(scenario, "species.b.agents").value == 6);
    assert_true(hash_after(scenario, NULL, 5) == hash && hash_after(scenario, &def, 5) == hash);
    scenario_close(again);
    scenario_end(&copy);
    scenario_end(&f);
    free(s.bytes);
}

TEST(what_cannot_be_resolved_is_refused) {
    const uint64_t seed = 5;
    const uint32_t agents = 24;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_scenario *scenario = NULL;
    def.seed = &seed;
    def.agents = &agents;
    ACCEPT(parse("species: [{agents: 0}]\n", &scenario));
    REFUSE(dunlin_scenario_resolve(scenario, &def, &refusal), DUNLIN_ERROR_FILE, "24 agents cannot be divided");
    assert_true(!number_of(scenario, "seed").given);
    def.init = "state.csv"; /* which says how many there are */
    ACCEPT(dunlin_scenario_resolve(scenario, &def, &refusal));
    assert_true(number_of(scenario, "seed").value == 5 && number_of(scenario, "species[0].agents").value == 0);
}

/* An entry that was put into the world before another number changed stays as it was. */
TEST(definitions_are_saved_and_not_made_anew) {
    scenario_run f = scenario_begin(knots, NULL);
    dunlin_world_def def = dunlin_world_get_def(f.world);
    def.size[0] = 70;
    ACCEPT(dunlin_world_set_def(f.world, &def, &refusal));
    assert_true(dunlin_world_get_behaviour(f.world, 0).contain.max[0] == 50);
    stream s = save(&f);
    scenario_run copy = reopen(&s, NULL);
    assert_true(dunlin_world_get_behaviour(copy.world, 0).contain.max[0] == 50);
    assert_true(dunlin_world_get_def(copy.world).size[0] == 70);
    scenario_end(&copy);
    free(s.bytes);
    part_and_compare(&f, 5, "a larger world");
}

static void expect_reads_as_written(const test_case *of) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_scenario *first = NULL, *again = NULL;
    const uint32_t few = 5;
    def.agents = &few;
    scenario_run f = scenario_begin(of->text, &def);
    ACCEPT(parse(of->text, &first));
    stream s = save(&f);
    scenario_run copy = reopen(&s, &again);
    assert_same_bytes(&s, &copy);
    const uint32_t count = dunlin_scenario_number_count(first);
    assert_int_equal(count, dunlin_scenario_number_count(again));
    for (uint32_t n = 0; n < count; n++) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(first, n);
        if (!number.given) continue;
        if (number_of(again, number.path).value != number.value) fail_msg("line %d: %s", of->line, number.path);
    }
    assert_string_equal(dunlin_scenario_description(first), dunlin_scenario_description(again));
    scenario_close(again);
    scenario_end(&f);
    scenario_end(&copy);
    free(s.bytes);
}

TEST(any_scenario_reads_as_it_was_written) {
    for_each_case("program/cases/texts.txt", 11, expect_reads_as_written);
}

TEST(a_text_that_no_file_can_have_is_refused) {
    static const dunlin_scenario_setting settings[] = {{"description", "\xff\xc0\x80"}};
    dunlin_scenario *scenario = NULL;
    scenario_run f = {.simulation = NULL};
    stream s = {.bytes = NULL};
    ACCEPT(parse(knots, &scenario));
    ACCEPT(dunlin_scenario_set(scenario, settings, 1, &refusal));
    ACCEPT(dunlin_simulation_create(scenario, NULL, &f.simulation, &refusal));
    REFUSE(dunlin_simulation_save_to(f.simulation, stream_put, &s, &refusal), DUNLIN_ERROR_VALUE, "not UTF-8");
    assert_int_equal(s.count, 0);
    scenario_end(&f);
}

/* ---- what is refused --------------------------------------------------------------------------------------------------- */

static scenario_run small(void) {
    scenario_run f =
        scenario_begin("species: [{name: knots, agents: 3}]\nschedules: [{parameter: species.knots.drag, sine: {mean: 0.5, "
                       "amplitude: 0.1, period: 9}}]\n",
                       NULL);
    scenario_step(&f, 2);
    return f;
}

static void refuse(stream *s, const char *words) {
    dunlin_simulation *simulation = (dunlin_simulation *)s;
    dunlin_scenario *scenario = (dunlin_scenario *)s;
    s->at = 0;
    REFUSE(dunlin_simulation_open_from(NULL, stream_take, s, &scenario, &simulation, &refusal), DUNLIN_ERROR_FILE, words);
    assert_true(!simulation && !scenario);
}

TEST(any_flipped_byte_is_refused) {
    scenario_run f = small();
    stream s = save(&f);
    for (size_t byte = 0; byte < s.count; byte++) {
        for (int bit = byte % 8; bit < 8; bit += 5) {
            s.bytes[byte] ^= (char)(1 << bit);
            refuse(&s, "the ");
            s.bytes[byte] ^= (char)(1 << bit);
        }
        s.bytes[byte] = (char)~s.bytes[byte];
        refuse(&s, "the ");
        s.bytes[byte] = (char)~s.bytes[byte];
    }
    scenario_end(&f);
    free(s.bytes);
}

TEST(any_cut_is_refused) {
    scenario_run f = small();
    stream s = save(&f);
    while (s.count > 0) {
        s.count--;
        refuse(&s, "cut short");
    }
    scenario_end(&f);
    free(s.bytes);
}

TEST(a_sink_may_refuse_at_any_piece) {
    scenario_run f = small();
    stream all = save(&f);
    for (size_t piece = 1; piece <= all.pieces; piece++) {
        stream s = {.refuses = piece};
        REFUSE(dunlin_simulation_save_to(f.simulation, stream_put, &s, &refusal), DUNLIN_ERROR_FILE, "write() returned false");
        free(s.bytes);
    }
    scenario_end(&f);
    free(all.bytes);
}

TEST(memory_serves_as_well) {
    scenario_run f = small(), copy = {.simulation = NULL};
    const size_t count = dunlin_simulation_saved_bytes(f.simulation);
    char *bytes = malloc(count);
    assert_non_null(bytes);
    REFUSE(dunlin_simulation_save_memory(f.simulation, bytes, count - 1, &refusal), DUNLIN_ERROR_FILE,
           "cannot be written whole");
    ACCEPT(dunlin_simulation_save_memory(f.simulation, bytes, count, &refusal));
    ACCEPT(dunlin_simulation_open_memory(NULL, bytes, count, NULL, &copy.simulation, &refusal));
    assert_true(dunlin_world_state_hash(dunlin_simulation_world(copy.simulation)) == dunlin_world_state_hash(f.world));
    scenario_end(&copy);
    REFUSE(dunlin_simulation_open_memory(NULL, bytes, count - 1, NULL, &copy.simulation, &refusal), DUNLIN_ERROR_FILE,
           "cut short");
    scenario_end(&f);
    free(bytes);
}

TEST(an_unknown_kernel_is_named) {
    scenario_run f = small();
    stream s = save(&f);
    dunlin_simulation *simulation = f.simulation;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.kernel = "abacus";
    REFUSE(dunlin_simulation_open_from(&def, stream_take, &s, NULL, &simulation, &refusal), DUNLIN_ERROR_UNSUPPORTED, "abacus");
    assert_null(simulation);
    scenario_end(&f);
    free(s.bytes);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
