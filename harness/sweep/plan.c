/* SPDX-License-Identifier: MIT */
#include "harness/sweep/plan.h"
#include "harness/command/scenario_find.h"
#include "harness/command/scenario_open.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/scenario/tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files ------------------------------------------------------------------------------------------------------------ */

static dunlin_result out_of_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the study's runs");
}

static dunlin_result read_scenario(sweep_plan *plan, dunlin_error *error) {
    dunlin_result result = input_read_text("the scenario", plan->scenario, &plan->text, &plan->length, error);
    if (result == DUNLIN_OK && plan->length > INPUT_TEXT_BYTES)
        result = bench_fail(error, DUNLIN_ERROR_FILE, "%.200s: larger than 1 MiB, so it is not a scenario", plan->scenario);
    return result;
}

/* From the study's folder on, or a shipped one. */
static dunlin_result find_scenario(sweep_plan *plan, dunlin_error *error) {
    const study *in = &plan->study;
    const slot *at = dun_field(in->file->slots, "scenario");
    const char *folder = *in->scenario == '/' ? "" : in->folder;
    if (asprintf(&plan->scenario, "%s%s", folder, in->scenario) < 0) plan->scenario = NULL;
    if (!plan->scenario) return out_of_memory(error);
    if (access(plan->scenario, F_OK) == 0) return DUNLIN_OK;
    free(plan->scenario);
    plan->scenario = NULL;
    dunlin_result result = scenario_find_shipped(in->scenario, &plan->scenario, error);
    if (result == DUNLIN_OK) return DUNLIN_OK;
    const dunlin_error inner = *error;
    study_fail(in, at, error, "%s", inner.message);
    return result;
}

/* ---- points ----------------------------------------------------------------------------------------------------------- */

uint32_t sweep_plan_value(const sweep_plan *plan, uint32_t point, uint32_t parameter) {
    for (uint32_t i = plan->study.parameters; --i > parameter;) point /= plan->study.parameter[i].count;
    return point % plan->study.parameter[parameter].count;
}

static uint32_t count_settings(const sweep_plan *plan, uint32_t point) {
    const study *in = &plan->study;
    uint32_t count = in->set.count + in->parameters;
    for (uint32_t p = 0; p < in->parameters; p++) count += in->parameter[p].values[sweep_plan_value(plan, point, p)].set.count;
    return count;
}

/* Everything that is set at a point, or NULL: no memory. */
static dunlin_scenario_setting *collect(const sweep_plan *plan, uint32_t point, uint32_t *count) {
    const study *in = &plan->study;
    dunlin_scenario_setting *all = calloc(count_settings(plan, point) + 1, sizeof *all), *to = all;
    if (!all) return NULL;
    for (uint32_t i = 0; i < in->set.count; i++) *to++ = in->set.all[i];
    for (uint32_t p = 0; p < in->parameters; p++) {
        const study_parameter *parameter = &in->parameter[p];
        const study_value *value = &parameter->values[sweep_plan_value(plan, point, p)];
        for (uint32_t i = 0; i < value->set.count; i++) *to++ = value->set.all[i];
        if (parameter->path) *to++ = (dunlin_scenario_setting){parameter->path, value->label};
    }
    *count = (uint32_t)(to - all);
    return all;
}

void sweep_plan_describe(const sweep_plan *plan, uint32_t run, char *text, size_t size) {
    const study *in = &plan->study;
    const uint32_t point = run / in->seeds;
    size_t length = 0;
    *text = '\0';
    for (uint32_t p = 0; p < in->parameters && length < size; p++) {
        const study_parameter *parameter = &in->parameter[p];
        const char *label = parameter->values[sweep_plan_value(plan, point, p)].label;
        length += (size_t)snprintf(text + length, size - length, "%s %s, ", parameter->name, label);
    }
    if (length < size) snprintf(text + length, size - length, "seed %" PRIu64, in->seed[run % in->seeds]);
}

/* What went wrong at a point is the study's mistake. */
static dunlin_result blame(const sweep_plan *plan, uint32_t point, dunlin_error *error) {
    const dunlin_error inner = *error;
    char where[160];
    sweep_plan_describe(plan, point * plan->study.seeds, where, sizeof where);
    study_fail(&plan->study, dun_field(plan->study.file->slots, "parameters"), error, "at %s: %s", where, inner.message);
    return error->code = inner.code;
}

dunlin_result sweep_plan_open(const sweep_plan *plan, uint32_t point, dunlin_scenario **scenario, dunlin_error *error) {
    dunlin_scenario_def def = dunlin_scenario_def_default();
    uint32_t count;
    dunlin_scenario_setting *settings = collect(plan, point, &count);
    def.name = plan->scenario;
    *scenario = NULL;
    if (!settings) return out_of_memory(error);
    dunlin_result result = dunlin_scenario_open_text(plan->text, plan->length, &def, scenario, error);
    if (result == DUNLIN_OK && dunlin_scenario_set(*scenario, settings, count, error) != DUNLIN_OK) {
        result = blame(plan, point, error);
        dunlin_scenario_close(*scenario);
        *scenario = NULL;
    }
    free(settings);
    return result;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

#define NOTHING_MIXED UINT64_C(0xcbf29ce484222325)

/* FNV-1a: fingerprints show whether something has changed; they need not resist attacks. */
static void mix(uint64_t *fingerprint, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) *fingerprint = (*fingerprint ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void mix_text(uint64_t *fingerprint, const char *text) {
    mix(fingerprint, text, strlen(text) + 1);
}

/* Titles and labels may change, and so may values and seeds: they are a run's own. */
static void mix_study(sweep_plan *plan) {
    const study *in = &plan->study;
    plan->fingerprint = NOTHING_MIXED;
    mix(&plan->fingerprint, plan->text, plan->length);
    const study_trajectory *t = &in->trajectory;
    const uint64_t numbers[] = {t->every, (uint64_t)t->precision, (uint64_t)t->compression};
    mix(&plan->fingerprint, numbers, sizeof numbers);
    mix_text(&plan->fingerprint, t->fields ? t->fields : "");
    mix_text(&plan->fingerprint, t->species ? t->species : "");
    for (uint32_t i = 0; i < in->measures; i++) {
        mix(&plan->fingerprint, &in->measure[i].length, sizeof in->measure[i].length);
        mix_text(&plan->fingerprint, in->measure[i].column->name);
        mix_text(&plan->fingerprint, in->measure[i].species ? in->measure[i].species : "");
    }
}

static bool mix_settings(sweep_plan *plan, uint32_t point, dunlin_error *error) {
    uint64_t *fingerprint = &plan->point[point].fingerprint;
    uint32_t count;
    dunlin_scenario_setting *settings = collect(plan, point, &count);
    if (!settings) return out_of_memory(error) == DUNLIN_OK;
    for (uint32_t i = 0; i < count; i++) {
        mix_text(fingerprint, settings[i].path);
        mix_text(fingerprint, settings[i].value);
    }
    free(settings);
    return true;
}

/* The world has what files beside the scenario hold, too. */
static void mix_world(sweep_plan *plan, uint32_t point, const dunlin_world *world) {
    uint64_t *fingerprint = &plan->point[point].fingerprint;
    const uint64_t numbers[] = {dunlin_world_fingerprint(world), plan->point[point].steps};
    *fingerprint = NOTHING_MIXED;
    mix(fingerprint, numbers, sizeof numbers);
    for (uint32_t i = 0; i < plan->study.measures; i++) {
        study_window window;
        study_window_of(&plan->study, &plan->study.measure[i], plan->point[point].steps, &window);
        const uint64_t steps[] = {window.begin, window.end, window.every};
        mix(fingerprint, steps, sizeof steps);
    }
}

uint64_t sweep_plan_fingerprint(const sweep_plan *plan, uint32_t run) {
    uint64_t own = plan->point[run / plan->study.seeds].fingerprint;
    mix(&own, &plan->study.seed[run % plan->study.seeds], sizeof *plan->study.seed);
    return (plan->fingerprint & ~(uint64_t)UINT32_MAX) | own >> 32;
}

static uint64_t count_agents(const dunlin_scenario *scenario) {
    uint64_t agents = 0;
    for (int i = 0; i < DUNLIN_MAX_SPECIES; i++) {
        char path[32];
        dunlin_scenario_number number;
        snprintf(path, sizeof path, "species[%d].agents", i);
        if (dunlin_scenario_find_number(scenario, path, &number, NULL) != DUNLIN_OK) break;
        if (number.value > 0.0) agents += (uint64_t)number.value;
    }
    return agents;
}

/* Where the scenario has one species, that is measured. */
static bool check_species(const sweep_plan *plan, const study_measure *measure, dunlin_world *world, dunlin_error *error) {
    const int count = dunlin_world_species_count(world);
    const slot *at = measure->at;
    char allowed[200] = "";
    if (measure->species ? dunlin_world_find_species(world, measure->species) >= 0 : count == 1) return true;
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(allowed);
        const dunlin_species_def species = dunlin_world_get_species(world, i);
        snprintf(allowed + length, sizeof allowed - length, "%s%s", i > 0 ? ", " : "", species.name);
    }
    if (!measure->species) return study_fail(&plan->study, at, error, "species is missing; allowed: %s", allowed);
    return study_fail(&plan->study, dun_field(at, "species"), error, "it is '%.60s'; allowed: %s", measure->species, allowed);
}

static bool check_measure(const sweep_plan *plan, const study_measure *measure, uint64_t steps, dunlin_world *world,
                          dunlin_error *error) {
    study_window window;
    if (!check_species(plan, measure, world, error)) return false;
    if (study_window_of(&plan->study, measure, steps, &window)) return true;
    return study_fail(&plan->study, measure->window, error, "it %s after the run, which has %" PRIu64 " steps",
                      window.begin > steps ? "begins" : "ends", steps);
}

static bool check_world(sweep_plan *plan, uint32_t point, dunlin_simulation *simulation, dunlin_error *error) {
    study *in = &plan->study;
    dunlin_world *world = dunlin_simulation_world(simulation);
    const dunlin_species_def first = dunlin_world_get_species(world, 0);
    bool done = true;
    for (uint32_t i = 0; i < in->measures && done; i++)
        done = check_measure(plan, &in->measure[i], plan->point[point].steps, world, error);
    mix_world(plan, point, world);
    return done && mix_settings(plan, point, error) && study_name_measures(in, first.name, error);
}

static dunlin_result check_point(sweep_plan *plan, uint32_t point, void (*warn)(void *, const char *), dunlin_error *error) {
    const uint32_t none = 0;
    dunlin_scenario *scenario;
    dunlin_simulation *simulation = NULL;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.agents = &none;
    def.threads = 1;
    def.warn = point == 0 ? warn : NULL;
    dunlin_result result = sweep_plan_open(plan, point, &scenario, error);
    if (result == DUNLIN_OK) result = scenario_claim_files(scenario, error);
    if (result != DUNLIN_OK) {
        dunlin_scenario_close(scenario);
        return result;
    }
    const uint64_t steps = plan->study.has_steps ? plan->study.steps : dunlin_scenario_steps(scenario);
    plan->point[point] =
        (plan_point){.agents = count_agents(scenario), .steps = (steps + plan->study.shorter - 1) / plan->study.shorter};
    result = dunlin_simulation_create(scenario, &def, &simulation, error);
    if (result != DUNLIN_OK)
        result = blame(plan, point, error);
    else if (!check_world(plan, point, simulation, error))
        result = error->code;
    dunlin_simulation_destroy(simulation);
    dunlin_scenario_close(scenario);
    return result;
}

/* ---- whole numbers ---------------------------------------------------------------------------------------------------- */

static bool is_whole(const dunlin_scenario *scenario, const char *path) {
    dunlin_scenario_number number;
    return path && dunlin_scenario_find_number(scenario, path, &number, NULL) == DUNLIN_OK && number.whole;
}

/* A range of agents, say, has the nearest whole numbers; of equal ones the first. */
static void round_range(study_parameter *parameter) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < parameter->count; i++) {
        study_value value = parameter->values[i];
        value.number = round(value.number);
        if (kept > 0 && parameter->values[kept - 1].number == value.number) continue;
        snprintf(parameter->texts[kept], STUDY_LABEL, "%.0f", value.number);
        value.label = parameter->texts[kept];
        parameter->values[kept++] = value;
    }
    parameter->count = kept;
}

static dunlin_result round_ranges(sweep_plan *plan, dunlin_error *error) {
    dunlin_scenario_def def = dunlin_scenario_def_default();
    dunlin_scenario *scenario;
    def.name = plan->scenario;
    dunlin_result result = dunlin_scenario_open_text(plan->text, plan->length, &def, &scenario, error);
    for (uint32_t i = 0; i < plan->study.parameters && result == DUNLIN_OK; i++) {
        study_parameter *parameter = &plan->study.parameter[i];
        if (dun_field(parameter->at, "range")->line > 0 && is_whole(scenario, parameter->path)) round_range(parameter);
    }
    dunlin_scenario_close(scenario);
    return result;
}

/* ---- the plan --------------------------------------------------------------------------------------------------------- */

static dunlin_result check_points(sweep_plan *plan, void (*warn)(void *, const char *), dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    plan->points = 1;
    for (uint32_t i = 0; i < plan->study.parameters; i++) plan->points *= plan->study.parameter[i].count;
    plan->runs = plan->points * plan->study.seeds;
    plan->point = calloc(plan->points, sizeof *plan->point);
    plan->number = calloc(plan->runs, sizeof *plan->number);
    if (!plan->point || !plan->number) return out_of_memory(error);
    for (uint32_t run = 0; run < plan->runs; run++) plan->number[run] = run;
    mix_study(plan);
    for (uint32_t i = 0; i < plan->points && result == DUNLIN_OK; i++) result = check_point(plan, i, warn, error);
    return result;
}

static dunlin_result read_study(sweep_plan *plan, const char *name, const char *text, size_t length, dunlin_error *error) {
    if (length > INPUT_TEXT_BYTES)
        return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s: larger than 1 MiB, so it is not a study", name);
    return study_read(&plan->study, name, text, length, error) ? DUNLIN_OK : error->code;
}

dunlin_result sweep_plan_make_of(sweep_plan *plan, const char *name, const char *text, size_t length, bool is_quick,
                                 void (*warn)(void *, const char *), dunlin_error *error) {
    *plan = (sweep_plan){.points = 0};
    dunlin_result result = read_study(plan, name, text, length, error);
    if (result == DUNLIN_OK) result = find_scenario(plan, error);
    if (result == DUNLIN_OK) result = read_scenario(plan, error);
    if (result == DUNLIN_OK) result = round_ranges(plan, error);
    if (result == DUNLIN_OK && is_quick) study_make_quick(&plan->study);
    return result == DUNLIN_OK ? check_points(plan, warn, error) : result;
}

dunlin_result sweep_plan_make(sweep_plan *plan, const char *path, bool is_quick, void (*warn)(void *, const char *),
                              dunlin_error *error) {
    char *text;
    size_t length;
    *plan = (sweep_plan){.points = 0};
    dunlin_result result = input_read_text("the study", path, &text, &length, error);
    if (result == DUNLIN_OK) result = sweep_plan_make_of(plan, input_name(path), text, length, is_quick, warn, error);
    free(text);
    return result;
}

void sweep_plan_free(sweep_plan *plan) {
    study_free(&plan->study);
    free(plan->scenario);
    free(plan->text);
    free(plan->point);
    free(plan->number);
    free(plan->trajectories);
    *plan = (sweep_plan){0};
}
