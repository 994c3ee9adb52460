/* SPDX-License-Identifier: MIT */
#include "harness/command/options.h"
#include "harness/command/commands.h"
#include "harness/program/scenario_find.h"

#include <dunlin/scenario.h>

#include <stdio.h>
#include <stdlib.h>

static dunlin_result print_scenario(const char *path, dunlin_error *error) {
    dunlin_scenario *scenario = NULL;
    dunlin_result result = dunlin_scenario_open(path, NULL, &scenario, error);
    if (result == DUNLIN_OK) printf("%-24s %s\n", dunlin_scenario_stem(scenario), dunlin_scenario_description(scenario));
    dunlin_scenario_close(scenario);
    return result;
}

static int print_all(void) {
    char **paths = NULL;
    dunlin_error error;
    dunlin_result result = scenario_list(&paths, &error);
    for (int i = 0; result == DUNLIN_OK && paths[i]; i++) result = print_scenario(paths[i], &error);
    scenario_list_free(paths);
    return command_end(result, &error, NULL);
}

int command_scenarios(int argc, const char **argv) {
    option_values read;
    int status;
    if (options_read(&read, argc, argv, NULL, 0, NULL, &status)) status = print_all();
    options_free(&read);
    return status;
}
