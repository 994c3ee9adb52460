/* SPDX-License-Identifier: MIT */
/* Files that a scenario names. */
#ifndef DUNLIN_HARNESS_SCENARIO_INPUT_H
#define DUNLIN_HARNESS_SCENARIO_INPUT_H

#include <dunlin/scenario.h>

enum { SCENARIO_PROBLEM_LENGTH = 200 };

typedef struct scenario_input {
    char *bytes; /* [length], not terminated */
    size_t length;
} scenario_input;

/*
 * Reads the regular file `name`, from the scenario's folder, of at most `max_bytes`. After links are resolved it must lie in
 * that folder or below it, unless the caller allows more. false: `problem` says why, and what is allowed.
 */
bool dun_input_read(const dunlin_flight *flight, const char *name, size_t max_bytes, scenario_input *input,
                    char problem[SCENARIO_PROBLEM_LENGTH]);

/* Fills `problem` with `name: message`, or with `name:line: message` where the line is not 0, and returns false. */
bool dun_input_fail(char problem[SCENARIO_PROBLEM_LENGTH], const char *name, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void dun_input_free(scenario_input *input);

#endif
