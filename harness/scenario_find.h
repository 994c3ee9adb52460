/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCENARIO_FIND_H
#define DUNLIN_HARNESS_SCENARIO_FIND_H

#include <dunlin/dunlin.h>

/*
 * The path of the scenario that a user names: a path, or the bare name of a shipped one, such as `starlings`. *path is the
 * caller's to free. A name that is not found is an error that lists the shipped ones.
 */
dunlin_result scenario_find(const char *name, char **path, dunlin_error *error);

#endif
