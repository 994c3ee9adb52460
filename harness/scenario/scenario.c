/* SPDX-License-Identifier: MIT */
#include "harness/scenario/scenario.h"
#include "engine/base/control.h"
#include "engine/base/entry.h"
#include "engine/base/stream.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE_BYTES = 1 << 20, COOKIE = 0x5ce2a210 };

static bool fail_file(const char *path, dunlin_result code, const char *problem, dunlin_error *error) {
    error->code = code;
    snprintf(error->message, sizeof error->message, "%.200s: %.100s", path, problem);
    return false;
}

bool dun_is_given(const void *argument, const char *name, dunlin_error *error) {
    if (argument) return true;
    error->code = DUNLIN_ERROR_VALUE;
    snprintf(error->message, sizeof error->message, "%s is NULL", name);
    return false;
}

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

dunlin_scenario_def dunlin_scenario_def_default(void) {
    return (dunlin_scenario_def){.cookie = COOKIE, .max_agents = UINT32_MAX, .max_cells = UINT64_MAX};
}

/* The last part of the path, without its ending. */
static char *copy_stem(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

static char *copy_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
}

static bool check_name(const dunlin_scenario *scenario, dunlin_error *error) {
    const char *name = dunlin_scenario_name(scenario);
    return !dun_has_control(name) ||
           dun_fail_at(scenario->file.name, dun_field(scenario->file.slots, "name"), DUNLIN_ERROR_FILE, error,
                       "it is '%.60s'; allowed: no line breaks or other control characters", name);
}

static bool list_numbers(dunlin_scenario *scenario, dunlin_error *error) {
    const tree *file = &scenario->file;
    scenario->numbers = malloc(file->count * sizeof *scenario->numbers);
    if (!scenario->numbers) return fail_file(file->name, DUNLIN_ERROR_MEMORY, "out of memory", error);
    for (uint32_t i = 0; i < file->count; i++) {
        if (dun_is_number(&file->slots[i])) scenario->numbers[scenario->number_count++] = i;
    }
    return true;
}

static bool read_scenario(dunlin_scenario *made, const char *path, const char *text, size_t length, dunlin_error *error) {
    made->stem = copy_stem(path);
    made->folder = made->def.folder ? strdup(made->def.folder) : copy_folder(path);
    if (!made->stem || !made->folder) return fail_file(path, DUNLIN_ERROR_MEMORY, "out of memory", error);
    findings all = {.report = made->def.report, .user = made->def.report_user};
    findings *const wanted = all.report ? &all : NULL;
    if (!dun_tree_read_scenario(path, length > 0 ? text : "", length, wanted, &made->file, error)) return false;
    if (!check_name(made, error)) {
        if (!wanted) return false;
        dun_report_mistake(wanted, path, &made->file.slots[dun_field(made->file.slots, "name") - made->file.slots], error);
    }
    if (!list_numbers(made, error)) return false;
    if (wanted) dun_check_all(made, wanted);
    if (all.mistakes > 0) *error = all.first;
    return all.mistakes == 0;
}

dunlin_result dun_scenario_open(const char *text, size_t length, const dunlin_scenario_def *def, dunlin_scenario **scenario,
                                dunlin_error *error) {
    const char *path = def->name ? def->name : "scenario";
    dunlin_scenario *made = calloc(1, sizeof *made);
    if (made) made->def = *def;
    if (!made)
        fail_file(path, DUNLIN_ERROR_MEMORY, "out of memory", error);
    else if (read_scenario(made, path, text, length, error))
        *scenario = made;
    if (!*scenario) dunlin_scenario_close(made);
    return *scenario ? DUNLIN_OK : error->code;
}

dunlin_result dunlin_scenario_open_text(const char *text, size_t length, const dunlin_scenario_def *def,
                                        dunlin_scenario **scenario, dunlin_error *error) {
    DUN_OWN_FLOATS();
    const dunlin_scenario_def used = def ? *def : dunlin_scenario_def_default();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(scenario, "scenario", error)) return error->code;
    *scenario = NULL;
    if (length > 0 && !dun_is_given(text, "text", error)) return error->code;
    if (used.cookie != COOKIE) {
        *error = (dunlin_error){DUNLIN_ERROR_VALUE, "scenario: the dunlin_scenario_def was not made by its default function"};
        return error->code;
    }
    if (length <= MAX_FILE_BYTES) return dun_scenario_open(text, length, &used, scenario, error);
    fail_file(used.name ? used.name : "scenario", DUNLIN_ERROR_FILE, "larger than 1 MiB, so it is not a scenario", error);
    return error->code;
}

static bool read_text(const char *path, char *text, size_t *length, dunlin_error *error) {
    FILE *file = dun_stream_open(path);
    if (!file) return fail_file(path, DUNLIN_ERROR_FILE, strerror(errno), error);
    *length = fread(text, 1, MAX_FILE_BYTES + 1, file);
    const bool done = !ferror(file) || fail_file(path, DUNLIN_ERROR_FILE, strerror(errno), error);
    fclose(file);
    return done;
}

dunlin_result dunlin_scenario_open(const char *path, const dunlin_scenario_def *def, dunlin_scenario **scenario,
                                   dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_scenario_def named = def ? *def : dunlin_scenario_def_default();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!named.name) named.name = path;
    if (!dun_is_given(scenario, "scenario", error)) return error->code;
    *scenario = NULL;
    if (!dun_is_given(path, "path", error)) return error->code;
    char *text = malloc(MAX_FILE_BYTES + 1);
    size_t length;
    if (!text)
        fail_file(path, DUNLIN_ERROR_MEMORY, "out of memory", error);
    else if (read_text(path, text, &length, error))
        dunlin_scenario_open_text(text, length, &named, scenario, error);
    free(text);
    return *scenario ? DUNLIN_OK : error->code;
}

void dunlin_scenario_close(dunlin_scenario *scenario) {
    if (!scenario) return;
    dun_tree_free(&scenario->file);
    free(scenario->numbers);
    free(scenario->stem);
    free(scenario->folder);
    free(scenario);
}

/* ---- what the file says ----------------------------------------------------------------------------------------------- */

const char *dunlin_scenario_path(const dunlin_scenario *scenario) {
    return scenario->file.name;
}

const char *dunlin_scenario_stem(const dunlin_scenario *scenario) {
    return scenario->stem;
}

const char *dunlin_scenario_file_at(const dunlin_scenario *scenario, uint32_t position) {
    for (uint32_t i = 0; i < scenario->file.count; i++) {
        const slot *at = &scenario->file.slots[i];
        if (at->type == VALUE_TEXT && at->line > 0 && strcmp(at->row->name, "file") == 0 && position-- == 0) return at->text;
    }
    return NULL;
}

const char *dunlin_scenario_name(const dunlin_scenario *scenario) {
    const char *name = text_of(scenario->file.slots, "name");
    return name ? name : scenario->stem;
}

const char *dunlin_scenario_description(const dunlin_scenario *scenario) {
    const char *description = text_of(scenario->file.slots, "description");
    return description ? description : "";
}

uint64_t dunlin_scenario_steps(const dunlin_scenario *scenario) {
    return dun_field(scenario->file.slots, "steps")->whole;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

uint32_t dunlin_scenario_number_count(const dunlin_scenario *scenario) {
    return scenario->number_count;
}

static double value_of(const slot *at) {
    if (at->line == 0 && !at->row->has_default) return (double)NAN;
    return at->type == VALUE_WHOLE ? (double)at->whole : at->number;
}

static dunlin_scenario_number describe(const tree *file, uint32_t index) {
    const slot *at = &file->slots[index];
    const row *of = at->row;
    const bool any = of->max <= of->min; /* whole number */
    dunlin_scenario_number number = {
        .value = value_of(at),
        .standard = of->has_default ? of->standard : (double)NAN,
        .min = of->min,
        .max = any ? 0x1p64 : of->max,
        .above_min = of->above,
        .below_max = of->below || any,
        .whole = at->type == VALUE_WHOLE,
        .given = at->line > 0,
        .live = !dun_fixed(at),
        .unit = of->unit ? of->unit : "",
        .default_text = of->otherwise ? of->otherwise : "",
        .doc = of->doc,
    };
    dun_place(at, number.path);
    return number;
}

dunlin_scenario_number dunlin_scenario_number_at(const dunlin_scenario *scenario, uint32_t position) {
    DUN_OWN_FLOATS();
    if (position >= scenario->number_count) return (dunlin_scenario_number){0};
    return describe(&scenario->file, scenario->numbers[position]);
}

static bool find(const dunlin_scenario *scenario, const char *path, uint32_t *number, dunlin_error *error) {
    char problem[PROBLEM_LENGTH];
    if (!dun_is_given(scenario, "scenario", error) || !dun_is_given(path, "path", error)) return false;
    const tree *file = &scenario->file;
    return dun_find_number(file, path, number, problem) ||
           dun_fail_at(file->name, file->slots, DUNLIN_ERROR_VALUE, error, "%s", problem);
}

dunlin_result dunlin_scenario_find_number(const dunlin_scenario *scenario, const char *path, dunlin_scenario_number *number,
                                          dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    uint32_t at;
    if (!error) error = &unwanted;
    if (!find(scenario, path, &at, error)) return error->code;
    if (number) *number = describe(&scenario->file, at);
    return DUNLIN_OK;
}

dunlin_result dunlin_scenario_set_number(dunlin_scenario *scenario, const char *path, double value, dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    char allowed[RANGE_LENGTH];
    uint32_t number;
    if (!error) error = &unwanted;
    if (!find(scenario, path, &number, error)) return error->code;
    slot *at = &scenario->file.slots[number];
    const char *given = dun_given_instead(at);
    if (given)
        dun_fail_at(scenario->file.name, at, DUNLIN_ERROR_VALUE, error, "allowed: either %s or %s, not both", given,
                    at->row->name);
    else if (dun_set_number(at, value, allowed))
        return DUNLIN_OK;
    else
        dun_fail_at(scenario->file.name, at, DUNLIN_ERROR_VALUE, error, "it is %g; allowed: %s", value, allowed);
    return error->code;
}

/* ---- any value -------------------------------------------------------------------------------------------------------- */

static bool set_all(dunlin_scenario *changed, const dunlin_scenario_setting *settings, size_t count, dunlin_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!dun_is_given(settings[i].path, "path", error) || !dun_is_given(settings[i].value, "value", error)) return false;
        if (!dun_tree_set(&changed->file, settings[i].path, settings[i].value, error)) return false;
    }
    return dun_tree_settle(&changed->file, error) && check_name(changed, error) && list_numbers(changed, error);
}

dunlin_result dunlin_scenario_set(dunlin_scenario *scenario, const dunlin_scenario_setting *settings, size_t count,
                                  dunlin_error *error) {
    DUN_OWN_FLOATS();
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    if (!dun_is_given(scenario, "scenario", error) || (count > 0 && !dun_is_given(settings, "settings", error)))
        return error->code;
    dunlin_scenario old = *scenario, changed = *scenario;
    changed.numbers = NULL;
    changed.number_count = 0;
    const bool copied =
        dun_tree_copy(&old.file, &changed.file) || fail_file(old.file.name, DUNLIN_ERROR_MEMORY, "out of memory", error);
    const bool done = copied && set_all(&changed, settings, count, error);
    if (done) *scenario = changed;
    dunlin_scenario *dropped = done ? &old : &changed;
    dun_tree_free(&dropped->file);
    free(dropped->numbers);
    return done ? DUNLIN_OK : error->code;
}
