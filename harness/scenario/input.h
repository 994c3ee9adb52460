/* SPDX-License-Identifier: MIT */
/* Files that a scenario names. */
#ifndef DUNLIN_HARNESS_SCENARIO_INPUT_H
#define DUNLIN_HARNESS_SCENARIO_INPUT_H

#include "harness/scenario/scenario.h"

enum { SCENARIO_PROBLEM_LENGTH = 200 };

typedef struct scenario_input {
    char *bytes; /* [length], not terminated */
    size_t length;
} scenario_input;

/*
 * Reads the regular file `name`, as seen from the scenario's folder, of at most `most` bytes. Once links are resolved it must
 * lie in that folder or below, unless `allow_outside`. false: `problem` says why, and what is allowed.
 */
bool scenario_input_read(const scenario *script, const char *name, bool allow_outside, size_t most, scenario_input *input,
                         char problem[SCENARIO_PROBLEM_LENGTH]);

void scenario_input_free(scenario_input *input);

#endif
