/* SPDX-License-Identifier: MIT */
/* A number of a scenario file that can change while the flock flies, found by its name. */
#ifndef DUNLIN_HARNESS_SCENARIO_PARAMETER_H
#define DUNLIN_HARNESS_SCENARIO_PARAMETER_H

#include "harness/scenario/file.h"

typedef struct scenario_parameter {
    const char *list;  /* the file's field that it is in, such as `species` */
    unsigned position; /* of its entry, where that is a list */
    const char *field; /* the innermost field, such as `weight` */
    bool whole;        /* a uint32_t, not a float */
    void *number;      /* NULL: the file leaves it out … */
    void **left_out;   /* … and would have it here */
} scenario_parameter;

/*
 * `interactions[0].cohesion.weight`, and entries with a name by that as well: `species.starlings.max_speed`. A name that leads
 * to no such number is an error at `place` that says how far it leads, and what is allowed there.
 */
dunlin_result scenario_parameter_find(const scenario *script, const char *name, const char *place, scenario_parameter *found,
                                      dunlin_error *error);

#endif
