/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/options.h"
#include "harness/command/scenario_find.h"
#include "harness/report/message.h"

#include <dunlin/scenario.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dunlin_result print_scenario(const char *folder, const char *name, dunlin_error *error) {
    char *path = NULL;
    dunlin_scenario *scenario = NULL;
    if (asprintf(&path, "%s/%s.yaml", folder, name) < 0) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a path");
    dunlin_result result = dunlin_scenario_open(path, NULL, &scenario, error);
    if (result == DUNLIN_OK) printf("%-24s %s\n", dunlin_scenario_stem(scenario), dunlin_scenario_description(scenario));
    dunlin_scenario_close(scenario);
    free(path);
    return result;
}

static dunlin_result print_all(dunlin_error *error) {
    struct dirent **files = NULL;
    char *folder = scenario_folder();
    const int count = folder ? scenario_list("", &files) : 0;
    dunlin_result result = DUNLIN_OK;
    if (count == 0)
        result = bench_fail(error, DUNLIN_ERROR_FILE, "no shipped scenarios beside the program: %s", strerror(ENOENT));
    for (int i = 0; i < count; i++) {
        if (result == DUNLIN_OK) result = print_scenario(folder, files[i]->d_name, error);
        free(files[i]);
    }
    free(files);
    free(folder);
    return result;
}

int command_scenarios(int argc, const char **argv) {
    option_values read;
    dunlin_error error;
    int status;
    if (options_read(&read, argc, argv, NULL, 0, NULL, &status)) status = command_end(print_all(&error), &error, NULL);
    options_free(&read);
    return status;
}
