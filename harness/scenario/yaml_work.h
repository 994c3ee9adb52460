/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_YAML_WORK_H
#define DUNLIN_HARNESS_YAML_WORK_H

#include <dunlin/dunlin.h>

/* What a YAML text may ask for. A scenario nests 7 deep, and 1 MiB holds at most half a million values without aliases. */
enum {
    YAML_MAX_VALUES = 1000000, /* scalars, lists and mappings, keys included; those that an alias names count once more */
    YAML_MAX_DEPTH = 32,
    YAML_MAX_ANCHORS = 1000,
    YAML_MAX_DIRECTIVES = 100, /* lines that begin with % */
};

/*
 * Finds whether the text stays within these bounds, in time and memory proportional to its length. Text that is not YAML
 * passes: the parser says what is wrong with it.
 */
dunlin_result yaml_work_check(const char *path, const char *text, size_t length, dunlin_error *error);

#endif
