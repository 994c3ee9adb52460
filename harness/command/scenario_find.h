/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCENARIO_FIND_H
#define DUNLIN_HARNESS_SCENARIO_FIND_H

#include <dunlin/dunlin.h>

#include <dirent.h>

/* The folder of the shipped scenarios, or NULL; to be freed. */
char *scenario_folder(void);

/* Lists the shipped names in one of its folders ("": in itself), without their ending. Returns how many; free the list and
 * each. */
int scenario_list(const char *below, struct dirent ***files);

/*
 * The path of the scenario that a user names: a path, "-" for standard input, or the name of a shipped one, such as
 * `starlings`. The caller frees *path. If the name is not found, the error says how to list the shipped ones.
 */
dunlin_result scenario_find(const char *name, char **path, dunlin_error *error);

/* The same where `name` cannot be a path. */
dunlin_result scenario_find_shipped(const char *name, char **path, dunlin_error *error);

/* The same of a study. The error lists the shipped ones. */
dunlin_result study_find(const char *name, char **path, dunlin_error *error);

#endif
