/* SPDX-License-Identifier: MIT */
#include "harness/report/control.h"
#include "harness/scenario/schedules.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE_BYTES = 1 << 20 };

/* ---- what libcyaml says ----------------------------------------------------------------------------------------------- */

/*
 * libcyaml logs what is wrong, then a backtrace of which the innermost line has the position: that makes one line of ours.
 * yaml_tree_check() has said most things before, and better; this is for what it does not know.
 */
typedef struct log_lines {
    char problem[200];
    char position[80];
} log_lines;

static void keep_first(char *kept, size_t size, const char *format, va_list arguments) {
    if (kept[0] != '\0') return;
    vsnprintf(kept, size, format, arguments);
    kept[strcspn(kept, "\n")] = '\0';
}

static void on_log(cyaml_log_t level, void *context, const char *format, va_list arguments) {
    log_lines *lines = context;
    if (level < CYAML_LOG_ERROR || strstr(format, "Backtrace")) return;
    if (strncmp(format, "  in ", 5) == 0) {
        keep_first(lines->position, sizeof lines->position, format, arguments);
    } else {
        keep_first(lines->problem, sizeof lines->problem, format, arguments);
    }
}

static cyaml_config_t make_config(log_lines *lines) {
    return (cyaml_config_t){.log_fn = on_log, .log_ctx = lines, .mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};
}

static dunlin_result load_file(scenario *script, const char *text, size_t length, dunlin_error *error) {
    log_lines lines = {{0}, {0}};
    cyaml_config_t config = make_config(&lines);
    cyaml_data_t *data = NULL;
    cyaml_err_t status = cyaml_load_data((const uint8_t *)text, length, &config, &scenario_schema, &data, NULL);
    if (status == CYAML_OK && data) {
        script->file = data;
        return DUNLIN_OK;
    }
    error->code = status == CYAML_ERR_OOM ? DUNLIN_ERROR_MEMORY : DUNLIN_ERROR_FILE;
    const char *problem = status == CYAML_OK ? "the file says nothing" : cyaml_strerror(status);
    snprintf(error->message, sizeof error->message, "%.120s: %.60s%s%.80s%.40s", script->path, problem,
             lines.problem[0] != '\0' ? ": " : "", lines.problem, lines.position);
    return error->code;
}

/* ---- reading the file ------------------------------------------------------------------------------------------------- */

static dunlin_result fail_file(const char *path, const char *problem, dunlin_error *error) {
    error->code = DUNLIN_ERROR_FILE;
    snprintf(error->message, sizeof error->message, "%s: %s", path, problem);
    return error->code;
}

static dunlin_result read_text(const char *path, char **text, size_t *length, dunlin_error *error) {
    FILE *file = fopen(path, "rb");
    if (!file) return fail_file(path, strerror(errno), error);
    dunlin_result result = DUNLIN_OK;
    *text = malloc(MAX_FILE_BYTES + 1);
    if (!*text) {
        result = fail_file(path, "out of memory", error);
    } else {
        *length = fread(*text, 1, MAX_FILE_BYTES + 1, file);
        if (ferror(file)) result = fail_file(path, strerror(errno), error);
    }
    fclose(file);
    return result;
}

/* The file's name without folder and ending. */
static char *copy_stem(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

static dunlin_result check_name(const scenario *script, dunlin_error *error) {
    for (const char *name = scenario_name(script); *name != '\0'; name++) {
        if (control_length(name) == 0) continue;
        return yaml_tree_fail(script->tree, "name", DUNLIN_ERROR_FILE, error,
                              "it is '%.60s'; allowed: no line breaks or other control characters", scenario_name(script));
    }
    return DUNLIN_OK;
}

static dunlin_result check_steps(const scenario *script, dunlin_error *error) {
    if (scenario_steps(script) <= SCENARIO_MAX_STEPS) return DUNLIN_OK;
    return yaml_tree_fail(script->tree, "steps", DUNLIN_ERROR_FILE, error, "it is %llu; allowed: 0 .. %llu",
                          (unsigned long long)scenario_steps(script), (unsigned long long)SCENARIO_MAX_STEPS);
}

static dunlin_result load(scenario *script, const char *text, size_t length, dunlin_error *error) {
    if (length > MAX_FILE_BYTES) return fail_file(script->path, "larger than 1 MiB, so it is not a scenario", error);
    dunlin_result result = yaml_tree_create(script->path, text, length, &script->tree, error);
    if (result == DUNLIN_OK) result = yaml_tree_check(script->tree, &scenario_schema, error);
    if (result == DUNLIN_OK) result = load_file(script, text, length, error);
    if (result == DUNLIN_OK) result = check_name(script, error);
    if (result == DUNLIN_OK) result = check_steps(script, error);
    if (result == DUNLIN_OK) result = scenario_schedules_load(script, error);
    if (result != DUNLIN_OK) return result;
    script->metabolism = calloc(script->file->lives_count + 1, sizeof *script->metabolism);
    script->models = calloc(script->file->models_count + 1, sizeof *script->models);
    const bool whole = script->metabolism && script->models;
    return whole ? DUNLIN_OK : fail_file(script->path, "out of memory", error);
}

dunlin_result scenario_parse(const char *path, const char *text, size_t length, scenario **loaded, dunlin_error *error) {
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    *loaded = NULL;
    if (length == 0) text = ""; /* whatever it was: libyaml takes no NULL */
    scenario *made = calloc(1, sizeof *made);
    if (!made) return fail_file(path, "out of memory", error);
    made->path = strdup(path);
    made->stem = copy_stem(path);
    bool named = made->path && made->stem;
    dunlin_result result = named ? load(made, text, length, error) : fail_file(path, "out of memory", error);
    if (result != DUNLIN_OK) {
        scenario_free(made);
        return result;
    }
    *loaded = made;
    return DUNLIN_OK;
}

dunlin_result scenario_load(const char *path, scenario **loaded, dunlin_error *error) {
    dunlin_error unwanted;
    if (!error) error = &unwanted;
    *loaded = NULL;
    char *text = NULL;
    size_t length = 0;
    dunlin_result result = read_text(path, &text, &length, error);
    if (result == DUNLIN_OK) result = scenario_parse(path, text, length, loaded, error);
    free(text);
    return result;
}

void scenario_free(scenario *script) {
    if (!script) return;
    scenario_schedules_free(script);
    log_lines lines = {{0}, {0}};
    cyaml_config_t config = make_config(&lines);
    cyaml_free(&config, &scenario_schema, script->file, 0);
    yaml_tree_destroy(script->tree);
    free(script->path);
    free(script->stem);
    free(script->metabolism);
    free(script->models);
    free(script);
}

/* ---- what the file says ----------------------------------------------------------------------------------------------- */

const char *scenario_path(const scenario *script) {
    return script->path;
}

const char *scenario_stem(const scenario *script) {
    return script->stem;
}

const char *scenario_name(const scenario *script) {
    return script->file->name ? script->file->name : script->stem;
}

const char *scenario_description(const scenario *script) {
    return script->file->description ? script->file->description : "";
}

uint64_t scenario_steps(const scenario *script) {
    return script->file->steps ? *script->file->steps : 1000;
}
