/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/scenario_open.h"

#include <stdio.h>
#include <stdlib.h>

static dunlin_result print_scenario(const dunlin_scenario *scenario, dunlin_error *error) {
    char *text = scenario_text(scenario, error);
    if (!text) return error->code;
    fputs(text, stdout);
    free(text);
    return DUNLIN_OK;
}

static dunlin_result show(const char *name, const option_list *settings, dunlin_error *error) {
    dunlin_scenario *scenario = NULL;
    dunlin_result result = scenario_open(name, NULL, NULL, &scenario, error);
    if (result == DUNLIN_OK) result = settings_apply(settings, scenario, error);
    if (result == DUNLIN_OK) result = print_scenario(scenario, error);
    dunlin_scenario_close(scenario);
    return result;
}

int command_show(int argc, const char **argv) {
    option_list settings = {0};
    option_values read;
    dunlin_error error;
    int status;
    const option_row rows[] = {ROW_SET(&settings)};
    if (options_read(&read, argc, argv, rows, sizeof rows / sizeof *rows, "SCENARIO", &status))
        status = settings_check(&settings) ? command_end(show(read.argument, &settings, &error), &error, NULL) : EXIT_USAGE;
    options_free(&read);
    return status;
}
