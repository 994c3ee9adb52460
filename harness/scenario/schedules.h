/* SPDX-License-Identifier: MIT */
/* Schedules: numbers of a scenario file that follow from the steps taken. */
#ifndef DUNLIN_HARNESS_SCENARIO_SCHEDULES_H
#define DUNLIN_HARNESS_SCENARIO_SCHEDULES_H

#include "harness/scenario/file.h"

/* Finds the numbers that the file's schedules are of. */
dunlin_result scenario_schedules_load(scenario *script, dunlin_error *error);

/* Leaves the file as it was. */
void scenario_schedules_free(scenario *script);

/* Whether there is a schedule for that field of that entry. */
bool scenario_is_scheduled(const scenario *script, const char *list, unsigned position, const char *field);

#endif
