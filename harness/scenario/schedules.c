/* SPDX-License-Identifier: MIT */
/*
 * A schedule's number is written into the file, as if that had said it from the start, and what it is an entry of is put into
 * the world anew. First all numbers are the file's own again, so that what flies follows from the file and the step alone.
 */
#include "harness/scenario/schedules.h"
#include "harness/scenario/builder.h"
#include "harness/scenario/parameter.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef union number {
    float real;
    uint32_t whole;
} number;

struct scheduled {
    scenario_parameter parameter;
    number original; /* where the file says one */
    number own;      /* where it leaves it out */
    bool leads;      /* the first schedule of its entry */
};

/* ---- curves ------------------------------------------------------------------------------------------------------------- */

static double linear_at(const scenario_linear *curve, uint64_t step) {
    if (step <= curve->begin) return curve->from;
    if (step >= curve->end) return curve->to;
    double share = (double)(step - curve->begin) / (double)(curve->end - curve->begin);
    return curve->from + (curve->to - curve->from) * share;
}

static double sine_at(const scenario_sine *curve, uint64_t step) {
    double turns = (double)step / curve->period + curve->phase;
    return curve->mean + curve->amplitude * (double)dunlin_sine_of_turns(turns);
}

static double noise_at(const scenario_gust *curve, uint64_t step) {
    int octaves = curve->octaves ? (int)*curve->octaves : 1;
    uint64_t seed = curve->seed ? *curve->seed : 1;
    return curve->mean + curve->amplitude * (double)dunlin_noise_over_time(seed, octaves, (double)step / curve->scale);
}

static double value_at(const scenario_schedule *schedule, uint64_t step) {
    if (schedule->constant) return schedule->constant->value;
    if (schedule->linear) return linear_at(schedule->linear, step);
    return schedule->sine ? sine_at(schedule->sine, step) : noise_at(schedule->noise, step);
}

/* ---- reading them ------------------------------------------------------------------------------------------------------- */

static dunlin_result fail(const scenario *script, unsigned position, const char *field, dunlin_result code, dunlin_error *error,
                          const char *problem) {
    char place[PLACE_LENGTH];
    snprintf(place, sizeof place, "schedules[%u]%s%s", position, *field != '\0' ? "." : "", field);
    return yaml_tree_fail(script->tree, place, code, error, "%s", problem);
}

static dunlin_result check_curve(const scenario *script, unsigned position, dunlin_error *error) {
    const scenario_schedule *s = &script->file->schedules[position];
    const scenario_gust *noise = s->noise;
    if (!!s->constant + !!s->linear + !!s->sine + !!s->noise != 1)
        return fail(script, position, "", DUNLIN_ERROR_FILE, error, "it needs one of constant, linear, sine, noise");
    if (s->linear && s->linear->end <= s->linear->begin)
        return fail(script, position, "linear.end", DUNLIN_ERROR_FILE, error, "it is not after begin; allowed: a later step");
    if (s->sine && !(s->sine->period > 0.0))
        return fail(script, position, "sine.period", DUNLIN_ERROR_FILE, error, "it is not above 0; allowed: > 0 steps");
    if (noise && !(noise->scale > 0.0))
        return fail(script, position, "noise.scale", DUNLIN_ERROR_FILE, error, "it is not above 0; allowed: > 0 steps");
    if (noise && noise->octaves && (*noise->octaves < 1 || *noise->octaves > 8))
        return fail(script, position, "noise.octaves", DUNLIN_ERROR_FILE, error, "it is out of range; allowed: 1 .. 8");
    return DUNLIN_OK;
}

static bool same_entry(const scenario_parameter *a, const scenario_parameter *b) {
    return strcmp(a->list, b->list) == 0 && a->position == b->position;
}

static dunlin_result load_schedule(scenario *script, unsigned position, dunlin_error *error) {
    struct scheduled *s = &script->scheduled[position];
    char place[PLACE_LENGTH];
    snprintf(place, sizeof place, "schedules[%u].parameter", position);
    const char *name = script->file->schedules[position].parameter;
    dunlin_result result = scenario_parameter_find(script, name, place, &s->parameter, error);
    if (result == DUNLIN_OK) result = check_curve(script, position, error);
    if (result != DUNLIN_OK) return result;
    if (s->parameter.number) memcpy(&s->original, s->parameter.number, sizeof s->original);
    s->leads = true;
    for (unsigned i = 0; i < position; i++) {
        s->leads = s->leads && !same_entry(&s->parameter, &script->scheduled[i].parameter);
    }
    return DUNLIN_OK;
}

dunlin_result scenario_schedules_load(scenario *script, dunlin_error *error) {
    unsigned count = script->file->schedules_count;
    struct scheduled *scheduled = calloc(count + 1, sizeof *scheduled);
    if (!scheduled) return yaml_tree_fail(script->tree, "schedules", DUNLIN_ERROR_MEMORY, error, "out of memory");
    script->scheduled = scheduled;
    dunlin_result result = DUNLIN_OK;
    for (unsigned i = 0; i < count && result == DUNLIN_OK; i++) result = load_schedule(script, i, error);
    return result;
}

bool scenario_is_scheduled(const scenario *script, const char *list, unsigned position, const char *field) {
    for (unsigned i = 0; i < script->file->schedules_count; i++) {
        const scenario_parameter *p = &script->scheduled[i].parameter;
        if (strcmp(p->list, list) == 0 && p->position == position && strcmp(p->field, field) == 0) return true;
    }
    return false;
}

/* ---- writing numbers ---------------------------------------------------------------------------------------------------- */

static void restore(const struct scheduled *s) {
    if (s->parameter.left_out) *s->parameter.left_out = NULL;
    if (s->parameter.number) memcpy(s->parameter.number, &s->original, sizeof s->original);
}

static void restore_all(const scenario *script) {
    for (unsigned i = 0; i < script->file->schedules_count; i++) restore(&script->scheduled[i]);
}

void scenario_schedules_free(scenario *script) {
    if (script->scheduled) restore_all(script);
    free(script->scheduled);
    script->scheduled = NULL;
}

/* To the nearest; false: not a number that there is. */
static bool convert(double value, bool whole, number *to) {
    double rounded = floor(value + 0.5);
    if (!whole)
        to->real = (float)fmax(fmin(value, (double)FLT_MAX), -(double)FLT_MAX);
    else if (rounded >= 0.0 && rounded <= (double)UINT32_MAX)
        to->whole = (uint32_t)rounded;
    else
        return false;
    return true;
}

static dunlin_result write_number(const builder *build, unsigned position, uint64_t step) {
    struct scheduled *s = &build->script->scheduled[position];
    const scenario_parameter *p = &s->parameter;
    const scenario_schedule *schedule = &build->script->file->schedules[position];
    if (schedule->constant && step < schedule->constant->begin) return DUNLIN_OK;
    double value = value_at(schedule, step);
    if (!convert(value, p->whole, &s->own)) {
        char problem[PLACE_LENGTH + 120];
        snprintf(problem, sizeof problem, "%s is %g at step %" PRIu64 "; allowed: 0 .. 4294967295", schedule->parameter, value,
                 step);
        return fail(build->script, position, "", DUNLIN_ERROR_VALUE, build->error, problem);
    }
    if (p->left_out)
        *p->left_out = &s->own;
    else
        memcpy(p->number, &s->own, sizeof s->own);
    return DUNLIN_OK;
}

/* ---- putting it into the world ------------------------------------------------------------------------------------------ */

static dunlin_result put_entry(builder *build, const scenario_parameter *p) {
    static const struct {
        const char *list;
        dunlin_result (*put)(const builder *build, unsigned position);
    } lists[] = {{"species", builder_put_species}, {"interactions", builder_put_interaction},
                 {"fields", builder_put_field},    {"behaviours", builder_put_behaviour},
                 {"meals", builder_put_meal},      {"lives", builder_put_life},
                 {"models", builder_put_model}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(p->list, lists[i].list) == 0) return lists[i].put(build, p->position);
    }
    return builder_put_world(build);
}

/* The entry's schedule whose field the message is about; where none is named, its first. */
static unsigned find_blamed(const scenario *script, unsigned leader, const char *message) {
    for (unsigned i = leader; i < script->file->schedules_count; i++) {
        const scenario_parameter *p = &script->scheduled[i].parameter;
        if (same_entry(p, &script->scheduled[leader].parameter) && strstr(message, p->field)) return i;
    }
    return leader;
}

/* The message has the place of the number's entry: it gets that of the schedule, and the step. */
static dunlin_result blame(const builder *build, unsigned leader, uint64_t step) {
    const dunlin_error inner = *build->error;
    const char *message = strstr(inner.message, ": ");
    if (inner.code == DUNLIN_ERROR_MEMORY || !message) return inner.code;
    char problem[sizeof inner.message + 40];
    snprintf(problem, sizeof problem, "at step %" PRIu64 ": %s", step, message + 2);
    return fail(build->script, find_blamed(build->script, leader, message), "", inner.code, build->error, problem);
}

dunlin_result builder_apply_schedules(builder *build) {
    const scenario *script = build->script;
    uint64_t step = dunlin_world_stats(build->world).step;
    unsigned count = script->file->schedules_count;
    dunlin_result result = DUNLIN_OK;
    restore_all(script);
    for (unsigned i = 0; i < count && result == DUNLIN_OK; i++) result = write_number(build, i, step);
    for (unsigned i = 0; i < count && result == DUNLIN_OK; i++) {
        if (!script->scheduled[i].leads) continue;
        result = put_entry(build, &script->scheduled[i].parameter);
        if (result != DUNLIN_OK) result = blame(build, i, step);
    }
    return result;
}
