/* SPDX-License-Identifier: MIT */
#include "harness/command/settings.h"
#include "harness/report/message.h"

#include <stdlib.h>
#include <string.h>

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
