/* SPDX-License-Identifier: MIT */
/*
 * Whatever change is accepted, what is written then reads back with the same bits; and what is refused changes nothing. For all
 * fields of the shipped scenarios, of everything.yaml, and of forms that neither has; in scenarios, during a run, and by
 * schedules.
 */
#include "harness/scenario/scenario.h"
#include "tests/lib/files.h"
#include "tests/lib/scenario_helpers.h"

static const char everything[] = DUNLIN_TESTS_DIR "/files/everything.yaml";

/* Fields of each kind that excludes others. */
static const char forms[] =
    "species: [{name: a, agents: 9, groups: 2, attributes: [{role: group, in_turn: [0, 1]}, {name: b, normal: {mean: 1, "
    "deviation: 2, min: 0, max: 3}}]}]\n"
    "paths: [{name: p, points: [[1, 2], [3, 4]]}, {name: q, agents: [1, 2]}]\n"
    "behaviours: [{contain: {margins: [1, 2]}}, {contain: {margin: 2}}, {follow_path: {path: p, prediction_time: 3}},\n"
    "  {follow_path: {path: q}}, {seek: {nearest: a, radius: 5}}, {flee: {agent: 3}}, {arrive: {target: [1, 2]}}]\n"
    "fields: [{name: f, noise: {angle_range: [0, 180]}}, {name: g, noise: {angle_range: [0, 90]}}]\n"
    "models: [{vicsek: {radius: 1, whole_noise: 30}}]\n"
    "schedules: [{parameter: 'species.a.drag', sine: {amplitude: 0, phase_angle: 180, period: 9}}]\n";

/* ---- what is tried ----------------------------------------------------------------------------------------------------- */

typedef dunlin_scenario *open_fn(const char *source);

static dunlin_scenario *open_file(const char *path) {
    dunlin_scenario *scenario;
    ACCEPT(dunlin_scenario_open(path, NULL, &scenario, &refusal));
    return scenario;
}

static dunlin_scenario *open_forms(const char *text) {
    dunlin_scenario *scenario;
    ACCEPT(parse(text, &scenario));
    return scenario;
}

typedef void try_fn(dunlin_scenario *scenario, uint32_t most);
static try_fn *try_scenario;

static void try_file(const char *path, int number) {
    if (!TEST_SLOW || number % 8 == 0) try_scenario(open_file(path), 16);
}

/* `try` gets each scenario, and how many of its fields to try, spread over all. */
static void for_all(try_fn *try) {
    try_scenario = try;
    for_each_file(DUNLIN_SCENARIOS_DIR, ".yaml", 31, try_file);
    try(open_file(everything), TEST_SLOW ? 60 : 2000);
    try(open_forms(forms), 2000);
}

/* At the ends of the range, near them on both sides, and anywhere; powers of ten as often as each other. */
static double any_value(test_random *random, const dunlin_scenario_number *number) {
    const double end = test_below(random, 2) ? number->min : number->max;
    switch (test_below(random, 8)) {
    case 0:
        return end;
    case 1:
        return nextafter(end, test_below(random, 2) ? -(double)INFINITY : (double)INFINITY);
    case 2:
        return (double)nextafterf((float)end, test_below(random, 2) ? -INFINITY : INFINITY);
    case 3:
        return number->whole ? floor(test_share(random) * 4.0) : -0.0;
    case 4:
        return number->value;
    case 5:
        return number->min + test_share(random) * fmin(number->max - number->min, 10.0);
    default:
        return (test_below(random, 4) ? 1.0 : -1.0) * pow(10.0, 80.0 * test_share(random) - 40.0);
    }
}

static uint32_t stride_of(uint32_t count, uint32_t most) {
    return count / most + 1;
}

/* ---- scenarios --------------------------------------------------------------------------------------------------------- */

enum { TEXT_SIZE = 1 << 18 };
static char text_now[TEXT_SIZE], text_before[TEXT_SIZE];

/* What is written now is in text_now, and what was written before in text_before. */
static void write_again(const dunlin_scenario *scenario) {
    memcpy(text_before, text_now, sizeof text_now);
    assert_in_range(dunlin_scenario_write(scenario, text_now, TEXT_SIZE), 1, TEXT_SIZE - 1);
}

static bool is_same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* What has a value has the same one; a default that no value stands for stays left out. */
static void expect_same_numbers(const dunlin_scenario *scenario, const dunlin_scenario *again, const char *what) {
    const uint32_t count = dunlin_scenario_number_count(scenario);
    if (dunlin_scenario_number_count(again) != count) fail_msg("%s: other numbers", what);
    for (uint32_t i = 0; i < count; i++) {
        char place[PLACE_LENGTH], problem[PROBLEM_LENGTH];
        uint32_t found;
        const slot *one = &scenario->file.slots[scenario->numbers[i]];
        dun_place(one, place);
        if (!dun_find_number(&again->file, place, &found, problem)) fail_msg("%s: %s is lost: %s", what, place, problem);
        const slot *other = &again->file.slots[found];
        const bool same = one->type == VALUE_WHOLE ? one->whole == other->whole : is_same(one->number, other->number);
        if (!same || (one->line > 0 && other->line == 0)) fail_msg("%s: %s changes when it is read again", what, place);
    }
}

static void expect_readable(const dunlin_scenario *scenario, const char *what) {
    dunlin_scenario *again = NULL;
    if (parse(text_now, &again) != DUNLIN_OK) fail_msg("%s: what is written is refused: %s", what, refusal.message);
    expect_same_numbers(scenario, again, what);
    scenario_close(again);
}

static uint32_t accepted_count, refused_count;

static void expect_kept(const dunlin_scenario *scenario, dunlin_result result, const char *what) {
    write_again(scenario);
    if (result == DUNLIN_OK) {
        accepted_count++;
        expect_readable(scenario, what);
    } else {
        refused_count++;
        if (strcmp(text_now, text_before) != 0) fail_msg("%s: it was refused, and has changed the scenario", what);
    }
}

/* What the number says of itself is what is accepted. A float that rounds to an end is as good or bad as that. */
static void expect_range(const dunlin_scenario *scenario, uint32_t position, double value, dunlin_result result,
                         const char *what) {
    const dunlin_scenario_number number = dunlin_scenario_number_at(scenario, position);
    const double end = fabs(value - number.min) < fabs(value - number.max) ? number.min : number.max;
    const double kept = number.whole ? floor(value + 0.5) : value;
    const bool above = kept > number.min || (kept == number.min && !number.above_min);
    const bool below = kept < number.max || (kept == number.max && !number.below_max);
    const bool accepts = above && below && !dun_given_instead(&scenario->file.slots[scenario->numbers[position]]);
    if (!number.whole && value != end && (float)value == (float)end) return; /* it depends on how the number is stored */
    if ((result == DUNLIN_OK) != accepts)
        fail_msg("%s is %s: %s", what, accepts ? "refused" : "accepted", accepts ? refusal.message : "out of range");
}

static void set_numbers(dunlin_scenario *scenario, uint32_t most) {
    static test_random random;
    const uint32_t count = dunlin_scenario_number_count(scenario), stride = stride_of(count, most);
    write_again(scenario);
    for (uint32_t i = test_below(&random, stride); i < count; i += stride) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(scenario, i);
        const double value = any_value(&random, &number);
        char what[400];
        snprintf(what, sizeof what, "%s: %s = %.17g", dunlin_scenario_path(scenario), number.path, value);
        const dunlin_result result = dunlin_scenario_set_number(scenario, number.path, value, &refusal);
        expect_range(scenario, i, value, result, what);
        expect_kept(scenario, result, what);
    }
    scenario_close(scenario);
}

TEST(numbers_that_are_set_read_back) {
    accepted_count = refused_count = 0;
    for_all(set_numbers);
    assert_true(accepted_count > 30 && refused_count > 30);
}

/* ---- any value --------------------------------------------------------------------------------------------------------- */

static void set_value(dunlin_scenario *scenario, const char *path, const char *value) {
    const dunlin_scenario_setting setting = {path, value};
    char what[400];
    snprintf(what, sizeof what, "%s: %s=%s", dunlin_scenario_path(scenario), path, value);
    expect_kept(scenario, dunlin_scenario_set(scenario, &setting, 1, &refusal), what);
}

/* Of a value: each choice, texts that YAML reads as something else; of the rest what it may hold. */
static void set_values(dunlin_scenario *scenario, uint32_t most) {
    static const char *const others[] = {"{}", "[1, 2]", "[[1, 2], [3, 4]]", "7", "0.1", "no: \"'", "a"};
    const uint32_t count = scenario->file.count, stride = stride_of(count, most);
    char(*paths)[PLACE_LENGTH] = malloc(count * sizeof *paths);
    write_again(scenario);
    assert_non_null(paths);
    for (uint32_t i = 0; i < count; i++) dun_place(&scenario->file.slots[i], paths[i]);
    for (uint32_t i = 1; i < count; i += stride) {
        const choice *choices = NULL;
        for (uint32_t s = 1; s < scenario->file.count && !choices; s++) {
            char place[PLACE_LENGTH];
            dun_place(&scenario->file.slots[s], place);
            if (strcmp(place, paths[i]) == 0) choices = scenario->file.slots[s].row->choices;
        }
        for (; choices && choices->name; choices++) set_value(scenario, paths[i], choices->name);
        for (size_t v = i % 3; v < sizeof others / sizeof *others; v += 3) set_value(scenario, paths[i], others[v]);
    }
    free(paths);
    scenario_close(scenario);
}

TEST(values_that_are_set_read_back) {
    accepted_count = refused_count = 0;
    set_values(open_file(everything), TEST_SLOW ? 50 : 400);
    set_values(open_forms(forms), TEST_SLOW ? 50 : 2000);
    assert_true(accepted_count > 10 && refused_count > 30);
}

/* ---- during a run ---------------------------------------------------------------------------------------------------------
 */

typedef struct saved {
    size_t count;
    void *bytes;
} saved;

static saved save(const dunlin_simulation *simulation) {
    saved all = {.count = dunlin_simulation_saved_bytes(simulation)};
    all.bytes = malloc(all.count);
    assert_non_null(all.bytes);
    ACCEPT(dunlin_simulation_save_memory(simulation, all.bytes, all.count, &refusal));
    return all;
}

static void expect_saved(const dunlin_simulation *simulation, const saved *want, const char *what) {
    saved now = save(simulation);
    if (now.count != want->count || memcmp(now.bytes, want->bytes, now.count) != 0) fail_msg("%s: another checkpoint", what);
    free(now.bytes);
}

/* Both step alike, or both cannot. */
static void step_both(dunlin_simulation *simulation, dunlin_simulation *copy, const char *what) {
    const dunlin_result one = dunlin_simulation_step(simulation, NULL), other = dunlin_simulation_step(copy, NULL);
    const uint64_t hash = dunlin_world_state_hash(dunlin_simulation_world(simulation));
    if (one != other || dunlin_world_state_hash(dunlin_simulation_world(copy)) != hash) fail_msg("%s: another step", what);
}

static void expect_opens(dunlin_simulation *simulation, bool steps, const char *what) {
    dunlin_simulation *copy;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.threads = 1;
    saved all = save(simulation);
    if (dunlin_simulation_open_memory(&def, all.bytes, all.count, NULL, &copy, &refusal) != DUNLIN_OK)
        fail_msg("%s: its checkpoint does not open: %s", what, refusal.message);
    expect_saved(copy, &all, what);
    if (steps) step_both(simulation, copy, what);
    dunlin_simulation_destroy(copy);
    free(all.bytes);
}

static void set_in_simulation(dunlin_scenario *scenario, uint32_t most) {
    static test_random random;
    const uint32_t few = 40, count = dunlin_scenario_number_count(scenario), stride = stride_of(count, most);
    dunlin_simulation_def def = dunlin_simulation_def_default();
    dunlin_simulation *simulation;
    def.agents = &few;
    def.threads = 1;
    ACCEPT(dunlin_simulation_create(scenario, &def, &simulation, &refusal));
    for (uint32_t i = test_below(&random, stride); i < count; i += stride) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(scenario, i);
        const double value = any_value(&random, &number);
        char what[400];
        snprintf(what, sizeof what, "%s, during a run: %s = %.17g", dunlin_scenario_path(scenario), number.path, value);
        saved before = save(simulation);
        if (dunlin_simulation_set_number(simulation, number.path, value, &refusal) == DUNLIN_OK) {
            accepted_count++;
            expect_opens(simulation, accepted_count % 8 == 0, what);
        } else {
            refused_count++;
            snprintf(what + strlen(what), sizeof what - strlen(what), ": %.100s", refusal.message);
            expect_saved(simulation, &before, what);
        }
        free(before.bytes);
    }
    dunlin_simulation_destroy(simulation);
    scenario_close(scenario);
}

TEST(numbers_that_are_set_in_simulation_read_back) {
    accepted_count = refused_count = 0;
    for_all(set_in_simulation);
    assert_true(accepted_count > 20 && refused_count > 20);
}

/* ---- schedules --------------------------------------------------------------------------------------------------------- */

/* Whether the scenario runs if the file gives the number. */
static bool runs_with(open_fn *open, const char *source, const char *path, double value) {
    dunlin_scenario *scenario = open(source);
    const bool runs = dunlin_scenario_set_number(scenario, path, value, &refusal) == DUNLIN_OK &&
                      dunlin_scenario_check(scenario, &refusal) == DUNLIN_OK;
    scenario_close(scenario);
    return runs;
}

/* Whether it runs if a schedule sets it from the first step on. */
static bool runs_scheduled(open_fn *open, const char *source, const char *path, double value) {
    char text[400];
    const dunlin_scenario_setting setting = {"schedules", text};
    dunlin_scenario *scenario = open(source);
    snprintf(text, sizeof text, "[{parameter: '%s', constant: {value: %.0f}}]", path, value);
    ACCEPT(dunlin_scenario_set(scenario, &setting, 1, &refusal));
    const bool runs = dunlin_scenario_check(scenario, &refusal) == DUNLIN_OK;
    scenario_close(scenario);
    return runs;
}

static void schedule_all(open_fn *open, const char *source) {
    dunlin_scenario *scenario = open(source);
    uint32_t run = 0, refused = 0;
    for (uint32_t i = 0; i < dunlin_scenario_number_count(scenario); i += TEST_SLOW ? 2 : 1) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(scenario, i);
        if (!number.live) continue;
        const double value = 1.0;
        const bool runs = runs_scheduled(open, source, number.path, value);
        if (runs && !runs_with(open, source, number.path, value))
            fail_msg("a schedule sets %s, but not the file: %s", number.path, refusal.message);
        run += runs;
        refused += !runs;
    }
    assert_true(run > 2 && refused > 0);
    scenario_close(scenario);
}

TEST(schedules_set_what_a_file_may_give) {
    schedule_all(open_file, everything);
    schedule_all(open_forms, forms);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
