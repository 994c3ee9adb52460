/* SPDX-License-Identifier: MIT */
/* Any value of a scenario can be set, and then the scenario is as if its file said so. */
#include "harness/scenario/schema.h"
#include "tests/lib/cases.h"
#include "tests/lib/scenario_helpers.h"

static const char settings[] = "program/cases/settings.txt";

static const char file[] = "world: {size: [50, 40]}\n"
                           "species:\n"
                           "  - {name: knots, agents: 200, max_speed: 0.7}\n"
                           "  - {name: gulls, agents: 20, attributes: [{role: mass, even: [1, 2]}]}\n"
                           "interactions:\n"
                           "  - {observer: knots, cohesion: {radius: 3, half_angle: 120}}\n"
                           "behaviours:\n"
                           "  - {species: gulls, pursue: {nearest: knots, radius: 9}}\n";

static dunlin_result set(dunlin_scenario *scenario, const char *path, const char *value) {
    const dunlin_scenario_setting setting = {path, value};
    return dunlin_scenario_set(scenario, &setting, 1, &refusal);
}

static uint64_t hash_of(const dunlin_scenario *scenario) {
    scenario_run f;
    ACCEPT(dunlin_simulation_create(scenario, NULL, &f.simulation, &refusal));
    f.world = dunlin_simulation_world(f.simulation);
    scenario_step(&f, 5);
    const uint64_t hash = dunlin_world_state_hash(f.world);
    scenario_end(&f);
    return hash;
}

/* `text` with the first `part` replaced. */
static void replace(char made[2000], const char *text, const char *part, const char *by) {
    const char *at = strstr(text, part);
    assert_non_null(at);
    snprintf(made, 2000, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

/* Of each type: a setting does what the same words do in the file. */
static void expect_as_in_file(const test_case *c) {
    dunlin_scenario *from_file, *changed;
    char text[2000], by[200];
    snprintf(by, sizeof by, "%.*s", (int)strlen(c->text) - 1, c->text);
    replace(text, file, c->word[3], by);
    ACCEPT(parse(text, &from_file));
    ACCEPT(parse(file, &changed));
    ACCEPT(set(changed, c->word[1], c->word[2]));
    if (hash_of(changed) != hash_of(from_file)) fail_msg("line %d: the scenario runs in another way", c->line);
    assert_int_equal(dunlin_scenario_number_count(changed), dunlin_scenario_number_count(from_file));
}

/* Sets every list that the table has to the empty one, alone. */
static int empty_lists(const table *of, const char *place) {
    int emptied = 0;
    for (int i = 0; i < dun_table_count(of); i++) {
        const row *at = dun_table_row(of, i);
        char path[100];
        dunlin_scenario *scenario, *without;
        if (at->type != VALUE_LIST || at->of != VALUE_ENTRY) continue;
        snprintf(path, sizeof path, "%s%s", place, at->name);
        ACCEPT(parse(case_text("lists.yaml"), &scenario));
        const uint32_t before = dunlin_scenario_number_count(scenario);
        if (strcmp(path, "species") == 0) {
            REFUSE(set(scenario, path, "[]"), DUNLIN_ERROR_FILE, "species=[]: ", "0 entries; allowed: 1 .. 64");
        } else {
            ACCEPT(set(scenario, path, "[]"));
            emptied++;
            if (dunlin_scenario_number_count(scenario) >= before) fail_msg("%s=[] leaves the list as it was", path);
            ACCEPT(set(scenario, path, "[]")); /* again */
            scenario_run f;
            ACCEPT(dunlin_simulation_create(scenario, NULL, &f.simulation, &refusal));
            f.world = dunlin_simulation_world(f.simulation);
            scenario_step(&f, 1);
            scenario_end(&f);
            const size_t size = dunlin_scenario_write(scenario, NULL, 0) + 1;
            char *text = malloc(size);
            assert_true(text && dunlin_scenario_write(scenario, text, size) > 0);
            ACCEPT(parse(text, &without));
            assert_int_equal(dunlin_scenario_number_count(without), dunlin_scenario_number_count(scenario));
            scenario_close(without);
            free(text);
        }
        scenario_close(scenario);
    }
    return emptied;
}

TEST(an_empty_list_replaces_a_list) {
    const int species = dun_table_find(&dun_schema, "species", strlen("species"));
    int count = empty_lists(&dun_schema, "");
    count += empty_lists(dun_table_row(&dun_schema, species)->table, "species[0].");
    assert_int_equal(count, 12);
}

TEST(texts_need_no_quotes) {
    dunlin_scenario *scenario;
    ACCEPT(parse(file, &scenario));
    ACCEPT(set(scenario, "name", "It's: a \"test\" # [1"));
    ACCEPT(set(scenario, "description", ""));
    ACCEPT(set(scenario, "steps", "12"));
    assert_string_equal(dunlin_scenario_name(scenario), "It's: a \"test\" # [1");
    assert_string_equal(dunlin_scenario_description(scenario), "");
    assert_int_equal(dunlin_scenario_steps(scenario), 12);
}

/* Settings may need each other, and may use what the ones before have made. */
TEST(settings_are_checked_together) {
    static const dunlin_scenario_setting space[] = {{"world.dimensions", "3"}, {"world.size", "[9, 9, 9]"}},
                                         rule[] = {{"interactions[0].separation.weight", "2"},
                                                   {"interactions[0].separation.radius", "1"}},
                                         named[] = {{"species", "[]"}};
    dunlin_scenario *scenario;
    dunlin_scenario_number number;
    ACCEPT(parse(file, &scenario));
    ACCEPT(dunlin_scenario_set(scenario, space, 2, &refusal));
    ACCEPT(dunlin_scenario_check(scenario, &refusal));
    ACCEPT(dunlin_scenario_set(scenario, rule, 2, &refusal));
    ACCEPT(dunlin_scenario_find_number(scenario, "interactions[0].separation.weight", &number, &refusal));
    assert_true(number.value == 2 && number.given);
    ACCEPT(dunlin_scenario_set(scenario, NULL, 0, &refusal));
    REFUSE(dunlin_scenario_set(scenario, named, 1, &refusal), DUNLIN_ERROR_FILE, "species=[]: species", "0 entries");
}

/* Whatever was replaced, each number is still found by its own path. */
TEST(numbers_are_listed_again) {
    dunlin_scenario *scenario;
    ACCEPT(parse(file, &scenario));
    const uint32_t before = dunlin_scenario_number_count(scenario);
    ACCEPT(set(scenario, "species", "[{name: one, start: [{share: 2}]}, {name: gulls}, {name: knots, agents: 5}]"));
    ACCEPT(set(scenario, "species.one.start[0].centre", "[1, 2]"));
    ACCEPT(set(scenario, "interactions[0].alignment.radius", "2"));
    assert_true(dunlin_scenario_number_count(scenario) > before);
    for (uint32_t i = 0; i < dunlin_scenario_number_count(scenario); i++) {
        const dunlin_scenario_number listed = dunlin_scenario_number_at(scenario, i);
        dunlin_scenario_number found;
        ACCEPT(dunlin_scenario_find_number(scenario, listed.path, &found, &refusal));
        assert_string_equal(found.path, listed.path);
        assert_true(found.value == listed.value || (isnan(found.value) && isnan(listed.value)));
    }
    ACCEPT(dunlin_scenario_check(scenario, &refusal));
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

/* Each names the setting, what is wrong and what is allowed; and nothing has changed. */
static void expect_refused(const test_case *c) {
    dunlin_scenario *scenario;
    char value[200];
    snprintf(value, sizeof value, "%s", *c->text ? c->text : c->word[2]);
    if (*c->text) value[strlen(value) - 1] = '\0'; /* the text's last line ends */
    const dunlin_scenario_setting both[] = {{"seed", "5"}, {c->word[1], value}};
    ACCEPT(parse(file, &scenario));
    const uint64_t before = hash_of(scenario);
    const uint32_t count = dunlin_scenario_number_count(scenario);
    assert_int_not_equal(dunlin_scenario_set(scenario, both, 2, &refusal), DUNLIN_OK);
    expect_words(c, c->word + 3, refusal.message);
    assert_int_equal(dunlin_scenario_number_count(scenario), count);
    assert_true(hash_of(scenario) == before);
}

static void check_setting(const test_case *c) {
    const bool is_same = strcmp(c->word[0], "same") == 0;
    if (!is_same && strcmp(c->word[0], "refused") != 0)
        fail_msg("line %d: there is no case of the kind '%s'", c->line, c->word[0]);
    is_same ? expect_as_in_file(c) : expect_refused(c);
}

TEST(a_setting_is_as_the_file_or_changes_nothing) {
    for_each_case(settings, 37, check_setting);
}

/* What shows only when the world is built says that the value was set. */
TEST(builders_say_what_was_set) {
    dunlin_scenario *scenario;
    ACCEPT(parse(file, &scenario));
    ACCEPT(set(scenario, "species.knots.min_speed", "3"));
    REFUSE(dunlin_scenario_check(scenario, &refusal), DUNLIN_ERROR_VALUE, "text.yaml, as set: species[0]: min_speed is 3");
}

TEST_FIXTURE(.after_all = remove_scenario_file)
