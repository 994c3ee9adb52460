/* SPDX-License-Identifier: MIT */
#include "harness/command/scenario_open.h"
#include "harness/command/scenario_find.h"
#include "harness/report/claim.h"
#include "harness/report/input.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/report/broadcast.h"

#include <stdlib.h>
#include <string.h>

typedef struct source {
    char *path, *text; /* path: as messages have it, with its terminator */
    size_t path_bytes, length;
} source;

static dunlin_result read_source(source *from, const char *name, dunlin_error *error) {
    char *path = NULL;
    dunlin_result result = scenario_find(name, &path, error);
    if (result == DUNLIN_OK) result = input_read_text("the scenario", path, &from->text, &from->length, error);
    if (result == DUNLIN_OK && !(from->path = strdup(input_name(path))))
        result = bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a path");
    if (result == DUNLIN_OK) from->path_bytes = strlen(from->path) + 1;
    free(path);
    return result;
}

dunlin_result scenario_open(const char *name, const dunlin_scenario_def *def, const dunlin_transport *transport,
                            dunlin_scenario **scenario, dunlin_error *error) {
    const dunlin_transport alone = dunlin_transport_default();
    dunlin_scenario_def named = def ? *def : dunlin_scenario_def_default();
    source from = {.path = NULL};
    *scenario = NULL;
    if (!transport) transport = &alone;
    dunlin_result result = transport->rank == 0 ? read_source(&from, name, error) : DUNLIN_OK;
    result = broadcast_bytes(transport, result, &from.path, &from.path_bytes, error);
    if (result == DUNLIN_OK) result = broadcast_bytes(transport, result, &from.text, &from.length, error);
    named.name = from.path;
    if (result == DUNLIN_OK) result = dunlin_scenario_open_text(from.text, from.length, &named, scenario, error);
    free(from.path);
    free(from.text);
    return result;
}

dunlin_result scenario_claim_files(const dunlin_scenario *scenario, dunlin_error *error) {
    const char *own = dunlin_scenario_path(scenario), *name;
    const int folder = (int)(path_name(own) - own);
    dunlin_result result = DUNLIN_OK;
    for (uint32_t i = 0; result == DUNLIN_OK && (name = dunlin_scenario_file_at(scenario, i)); i++) {
        char *path;
        if (asprintf(&path, "%.*s%s", *name == '/' ? 0 : folder, own, name) < 0)
            return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a path");
        result = claim_input("a file of the scenario", path, error);
        free(path);
    }
    return result;
}

char *scenario_text(const dunlin_scenario *scenario, dunlin_error *error) {
    const size_t length = dunlin_scenario_write(scenario, NULL, 0);
    char *text = length > 0 ? malloc(length + 1) : NULL;
    if (text)
        dunlin_scenario_write(scenario, text, length + 1);
    else
        bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the scenario's text");
    return text;
}

bool settings_check(const option_list *settings) {
    for (int i = 0; i < settings->count; i++) {
        const char *equals = strchr(settings->items[i], '=');
        if (!equals || equals == settings->items[i])
            return option_reject("set", settings->items[i], "PATH=VALUE, such as species.starlings.max_speed=0.7");
    }
    return true;
}

static dunlin_result apply(const option_list *settings, dunlin_scenario *scenario, dunlin_scenario_setting *all, char **paths,
                           dunlin_error *error) {
    for (int i = 0; i < settings->count; i++) {
        const char *equals = strchr(settings->items[i], '=');
        paths[i] = strndup(settings->items[i], (size_t)(equals - settings->items[i]));
        if (!paths[i]) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for --set");
        all[i] = (dunlin_scenario_setting){paths[i], equals + 1};
    }
    return dunlin_scenario_set(scenario, all, (size_t)settings->count, error);
}

dunlin_result settings_apply(const option_list *settings, dunlin_scenario *scenario, dunlin_error *error) {
    if (settings->count == 0) return DUNLIN_OK;
    dunlin_scenario_setting *all = calloc((size_t)settings->count, sizeof *all);
    char **paths = calloc((size_t)settings->count, sizeof *paths);
    dunlin_result result = all && paths ? apply(settings, scenario, all, paths, error)
                                        : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for --set");
    for (int i = 0; i < settings->count && paths; i++) free(paths[i]);
    free(paths);
    free(all);
    if (result == DUNLIN_OK) return result;
    const dunlin_error inner = *error;
    const char *file = dunlin_scenario_path(scenario);
    const bool is_whole = strncmp(inner.message, file, strlen(file)) == 0; /* what all settings together lead to */
    return bench_fail(error, result, "%s%.300s", is_whole ? "with --set: " : "--set ", inner.message);
}
