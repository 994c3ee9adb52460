/* SPDX-License-Identifier: MIT */
/*
 * Reads a scenario's YAML, builds its world and takes a few steps. Other files that it names are searched in a folder that
 * does not exist. The work is bounded, so that findings are faults and not slow inputs: an option limits the number of agents,
 * births are limited here, and a scenario with more cells or entries than a fuzzer has time for is read but not built.
 */
#include "tests/fuzz/checks.h"
#include "harness/scenario/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, MAX_AGENTS = 600, MAX_BORN = 50, MAX_CELLS = 20000, MAX_ENTRIES = 100 };

static double count_cells(const slot *field) {
    const slot *cells = dun_field(field, "cells");
    double count = cells->count == 0 ? 32 * 32 * 32 : 1;
    for (uint32_t a = 0; a < cells->count; a++) count *= (double)dun_inside(cells, a)->whole;
    return count;
}

static bool takes_long(const tree *file) {
    static const char *const lists[] = {"species",   "interactions", "behaviours", "models",
                                        "obstacles", "paths",        "meals",      "schedules"};
    double cells = 0, entries = 0;
    const slot *fields = dun_field(file->slots, "fields");
    for (uint32_t i = 0; i < fields->count; i++) cells += count_cells(dun_inside(fields, i));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) entries += dun_field(file->slots, lists[i])->count;
    return cells > MAX_CELLS || entries > MAX_ENTRIES;
}

/* Every number is listed, found by its path, and set to its own value. Births are limited. */
static void set_numbers(dunlin_scenario *scenario) {
    for (uint32_t i = 0; i < dunlin_scenario_number_count(scenario) && i < 1000; i++) {
        const dunlin_scenario_number number = dunlin_scenario_number_at(scenario, i);
        dunlin_error error = {0};
        if (!isfinite(number.value) || !number.given) continue;
        const bool births = strstr(number.path, ".per_step");
        const double value = births ? fmin(number.value, MAX_BORN) : number.value;
        const dunlin_result result = dunlin_scenario_set_number(scenario, number.path, value, &error);
        check_answer(result, &error, "dunlin_scenario_set_number");
        if (result != DUNLIN_OK && value < 0x1p63) abort(); /* the nearest double may be above the maximum of a whole number */
    }
}

/* Part of the input as the value of a path of it: most are refused, and those that are not leave a scenario that can be run.
 */
static void set_values(dunlin_scenario *scenario, const uint8_t *data, size_t size) {
    static const char *const paths[] = {"species", "world", "interactions[0]", "behaviours[0]", "fields[0].noise", "schedules"};
    char value[200] = "";
    memcpy(value, data + size / 2, size / 2 < sizeof value ? size / 2 : sizeof value - 1);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const dunlin_scenario_setting setting = {paths[i], value};
        dunlin_error error = {0};
        check_answer(dunlin_scenario_set(scenario, &setting, 1, &error), &error, "dunlin_scenario_set");
    }
}

static void simulate(dunlin_simulation *simulation) {
    dunlin_world *world = dunlin_simulation_world(simulation);
    for (int s = 0; s < STEPS && dunlin_world_agent_count(world) < 4 * MAX_AGENTS; s++) {
        dunlin_error error = {0};
        const dunlin_result result = dunlin_simulation_step(simulation, &error);
        check_answer(result, &error, "dunlin_simulation_step");
        if (result != DUNLIN_OK) return;
        check_agents(world);
    }
}

static void build(const dunlin_scenario *scenario) {
    const uint32_t agents = MAX_AGENTS;
    dunlin_simulation *simulation;
    dunlin_error error = {0};
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.agents = &agents;
    def.threads = 1;
    const dunlin_result result = dunlin_simulation_create(scenario, &def, &simulation, &error);
    check_answer(result, &error, "dunlin_simulation_create");
    if (result == DUNLIN_OK) simulate(simulation);
    dunlin_simulation_destroy(simulation);
}

static void count_finding(void *user, const dunlin_scenario_finding *finding) {
    *(int *)user += finding->is_mistake;
    if (strlen(finding->message) < 5) abort();
}

/* All mistakes are found, whatever they are; and there are some if and only if there is an error. */
static void find_all(const uint8_t *data, size_t size) {
    dunlin_scenario *scenario;
    dunlin_error error = {0};
    int mistakes = 0;
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.name = "/nowhere/fuzz.yaml";
    def.max_cells = MAX_CELLS;
    def.report = count_finding;
    def.report_user = &mistakes;
    const dunlin_result result = dunlin_scenario_open_text((const char *)data, size, &def, &scenario, &error);
    check_answer(result, &error, "dunlin_scenario_open_text");
    if (result == DUNLIN_OK && mistakes > 0) abort();
    dunlin_scenario_close(scenario);
}

/* It is written as a file that can be read. */
static void write_and_read(const dunlin_scenario *written) {
    const size_t length = dunlin_scenario_write(written, NULL, 0);
    dunlin_scenario *read;
    char *text = malloc(length + 1);
    if (!text || length == 0) abort();
    dunlin_scenario_write(written, text, length + 1);
    if (length < 1 << 20 && dunlin_scenario_open_text(text, length, NULL, &read, NULL) != DUNLIN_OK) abort();
    if (length < 1 << 20) dunlin_scenario_close(read);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dunlin_scenario *scenario;
    dunlin_error error = {0};
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.name = "/nowhere/fuzz.yaml";
    const dunlin_result result = dunlin_scenario_open_text((const char *)data, size, &def, &scenario, &error);
    check_answer(result, &error, "dunlin_scenario_open_text");
    find_all(data, size);
    if (result != DUNLIN_OK) return 0;
    write_and_read(scenario);
    set_values(scenario, data, size);
    set_numbers(scenario);
    if (!takes_long(&scenario->file)) build(scenario);
    dunlin_scenario_close(scenario);
    return 0;
}
