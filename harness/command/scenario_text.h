/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCENARIO_TEXT_H
#define DUNLIN_HARNESS_SCENARIO_TEXT_H

#include <dunlin/scenario.h>

/* The scenario as dunlin_scenario_write() has it, in memory that the caller frees; NULL: out of memory. */
char *scenario_text(const dunlin_scenario *scenario, dunlin_error *error);

#endif
