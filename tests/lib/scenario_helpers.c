/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/files.h"
#include "tests/lib/scenario_helpers.h"

const char scenario_file[] = "scenario.yaml";

void write_text(const char *text) {
    write_file(scenario_file, text);
}

int remove_scenario_file(void **state) {
    (void)state;
    remove(scenario_file);
    return 0;
}

dunlin_result open_and_build(const char *from, const dunlin_scenario_def *open, const dunlin_simulation_def *def,
                             scenario_run *f) {
    dunlin_scenario *scenario = NULL;
    *f = (scenario_run){0};
    dunlin_result result = dunlin_scenario_open(from, open, &scenario, &refusal);
    assert_true((result == DUNLIN_OK) == !!scenario);
    if (result == DUNLIN_OK) result = dunlin_simulation_create(scenario, def, &f->simulation, &refusal);
    dunlin_scenario_close(scenario);
    assert_true((result == DUNLIN_OK) == !!f->simulation);
    if (f->simulation) f->world = dunlin_simulation_world(f->simulation);
    return result;
}

static void destroy_simulation(void *simulation) {
    dunlin_simulation_destroy(simulation);
}

scenario_run scenario_begin(const char *text, const dunlin_simulation_def *def) {
    scenario_run f;
    write_text(text);
    ACCEPT(open_and_build(scenario_file, NULL, def, &f));
    end_after_test(f.simulation, destroy_simulation);
    return f;
}

void scenario_step(const scenario_run *f, int steps) {
    for (int i = 0; i < steps; i++) ACCEPT(dunlin_simulation_step(f->simulation, &refusal));
}

void scenario_end(scenario_run *f) {
    forget(f->simulation);
    dunlin_simulation_destroy(f->simulation);
    *f = (scenario_run){0};
}

bool is_repeated(void) {
    return getenv("DUNLIN_TEST_LOCALE");
}

void expect_own_locale(void) {
    assert_string_equal(localeconv()->decimal_point, is_repeated() ? "," : ".");
}

static void close_scenario(void *scenario) {
    dunlin_scenario_close(scenario);
}

dunlin_result open_text(const char *name, const char *text, size_t length, dunlin_scenario **scenario) {
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.name = name;
    const dunlin_result result = dunlin_scenario_open_text(text, length, &def, scenario, &refusal);
    if (result == DUNLIN_OK) end_after_test(*scenario, close_scenario);
    return result;
}

void scenario_close(dunlin_scenario *scenario) {
    forget(scenario);
    dunlin_scenario_close(scenario);
}

dunlin_result parse(const char *text, dunlin_scenario **scenario) {
    return open_text("text.yaml", text, strlen(text), scenario);
}

char *repeated(const char *begin, const char *unit, size_t times, const char *end) {
    const size_t length = strlen(unit);
    char *text = malloc(strlen(begin) + times * length + strlen(end) + 1);
    assert_non_null(text);
    strcpy(text, begin);
    char *at = text + strlen(begin);
    for (size_t i = 0; i < times; i++, at += length) memcpy(at, unit, length + 1);
    strcpy(at, end);
    return text;
}
