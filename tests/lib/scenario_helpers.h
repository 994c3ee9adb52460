/* SPDX-License-Identifier: MIT */
/* What the tests of scenarios share: a scenario in the working folder, its simulation and its world. */
#ifndef DUNLIN_TESTS_SCENARIO_HELPERS_H
#define DUNLIN_TESTS_SCENARIO_HELPERS_H

#include <dunlin/scenario.h>
#include "tests/lib/worlds.h"

/* The file that write_text() and scenario_begin() replace. */
extern const char scenario_file[];
void write_text(const char *text);

/* For cmocka, after the last test. */
int remove_scenario_file(void **state);

/* A scenario's simulation and its world. */
typedef struct scenario_run {
    dunlin_simulation *simulation;
    dunlin_world *world;
} scenario_run;

/* Opens the file and builds its world. After an error, both pointers are NULL. */
dunlin_result open_and_build(const char *from, const dunlin_scenario_def *open, const dunlin_simulation_def *def,
                             scenario_run *f);

/* Writes the text and builds its world, or fails the test. It lives until the test ends, or until scenario_end(). */
scenario_run scenario_begin(const char *text, const dunlin_simulation_def *def);
void scenario_step(const scenario_run *f, int steps);
void scenario_end(scenario_run *f);

/* Whether the test is repeated in another locale (comma.c), which long simulations do not see. */
bool is_repeated(void);

/* For callbacks: fails unless they are called in the locale that the test runs in (comma.c). */
void expect_own_locale(void);

/* Both read a scenario from memory; parse() names it text.yaml. It lives until the test ends, or until scenario_close(). */
dunlin_result open_text(const char *name, const char *text, size_t length, dunlin_scenario **scenario);
dunlin_result parse(const char *text, dunlin_scenario **scenario);
void scenario_close(dunlin_scenario *scenario);

/* `begin`, then `unit` `times` times, then `end`. The caller frees it. */
char *repeated(const char *begin, const char *unit, size_t times, const char *end);

#endif
