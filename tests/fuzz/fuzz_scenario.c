/* SPDX-License-Identifier: MIT */
/*
 * A scenario's YAML, read, built and stepped a little. Other files that it names are looked for in a folder that is not there.
 * What a scenario may ask for is bounded, so that what is found is faults and not slow inputs: an option cuts the agents down,
 * births are cut down here, and what has more cells or entries than a fuzzer has time for is read but not built.
 */
#include "tests/fuzz/checks.h"
#include "harness/scenario/file.h"

#include <math.h>

enum { STEPS = 3, MOST_AGENTS = 600, MOST_BORN = 50, MOST_CELLS = 20000, MOST_ENTRIES = 100 };

static double count_cells(const scenario_field *field) {
    if (!field->cells) return 32 * 32 * 32;
    double cells = 1;
    for (unsigned a = 0; a < field->cells_count; a++) cells *= field->cells[a];
    return cells;
}

static bool takes_long(const scenario_file *file) {
    double cells = 0;
    for (unsigned i = 0; i < file->fields_count; i++) cells += count_cells(&file->fields[i]);
    const double entries = (double)file->species_count + file->interactions_count + file->behaviours_count +
                           file->models_count + file->obstacles_count + file->paths_count + file->meals_count +
                           file->schedules_count;
    return cells > MOST_CELLS || entries > MOST_ENTRIES;
}

/* Numbers that are refused stay. */
static void cut_births(scenario_file *file) {
    for (unsigned s = 0; s < file->species_count; s++)
        for (unsigned i = 0; i < file->species[s].growth_count; i++) {
            double *born = &file->species[s].growth[i].per_step;
            if (*born > MOST_BORN && *born <= 1e6) *born = MOST_BORN;
        }
}

static void fly(const scenario *script, dunlin_world *world) {
    for (int s = 0; s < STEPS && dunlin_world_agent_count(world) < 4 * MOST_AGENTS; s++) {
        dunlin_error error = {0};
        const dunlin_result result = scenario_step(script, world, &error);
        check_answer(result, &error, "scenario_step");
        if (result != DUNLIN_OK) return;
        check_agents(world);
    }
}

static void build(const scenario *script) {
    const uint32_t agents = MOST_AGENTS;
    dunlin_world *world = NULL;
    dunlin_error error = {0};
    scenario_options options = scenario_options_default();
    options.agents = &agents;
    options.threads = 1;
    const dunlin_result result = scenario_build(script, &options, &world, &error);
    check_answer(result, &error, "scenario_build");
    if (result != DUNLIN_OK) return;
    fly(script, world);
    dunlin_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    scenario *script = NULL;
    dunlin_error error = {0};
    const dunlin_result result = scenario_parse("/nowhere/fuzz.yaml", (const char *)data, size, &script, &error);
    check_answer(result, &error, "scenario_parse");
    if (result != DUNLIN_OK) return 0;
    cut_births(script->file);
    if (!takes_long(script->file)) build(script);
    scenario_free(script);
    return 0;
}
