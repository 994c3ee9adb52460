/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCENARIO_FIND_H
#define DUNLIN_HARNESS_SCENARIO_FIND_H

#include <dunlin/dunlin.h>

/*
 * The path of the scenario that a user names: a path, or the name of a shipped one, such as `starlings`. The caller frees
 * *path. If the name is not found, the error says how to list the shipped ones.
 */
dunlin_result scenario_find(const char *name, char **path, dunlin_error *error);

/* The paths of all shipped scenarios, sorted by name, NULL after the last; to be freed by scenario_list_free(). On failure
 * *paths is NULL. */
dunlin_result scenario_list(char ***paths, dunlin_error *error);

/* NULL is fine. */
void scenario_list_free(char **paths);

#endif
