/* SPDX-License-Identifier: MIT */
#include "harness/command/scenario_text.h"
#include "harness/report/message.h"

#include <stdlib.h>

char *scenario_text(const dunlin_scenario *scenario, dunlin_error *error) {
    const size_t length = dunlin_scenario_write(scenario, NULL, 0);
    char *text = length > 0 ? malloc(length + 1) : NULL;
    if (text)
        dunlin_scenario_write(scenario, text, length + 1);
    else
        bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the scenario's text");
    return text;
}
