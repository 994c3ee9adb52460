/* SPDX-License-Identifier: MIT */
/*
 * What a study runs: a *point* is a combination of the parameters' values, a *run* is a point with a seed. Runs are counted
 * point by point, the last parameter's values change first; that is their order in files.
 */
#ifndef DUNLIN_HARNESS_SWEEP_PLAN_H
#define DUNLIN_HARNESS_SWEEP_PLAN_H

#include "harness/sweep/study.h"

typedef struct plan_point {
    uint64_t agents, steps;
    uint64_t fingerprint; /* of what is set, and of the world that follows */
} plan_point;

typedef struct sweep_plan {
    study study;
    char *scenario; /* the path */
    char *text;     /* of the scenario */
    size_t length;
    uint32_t points, runs;
    plan_point *point;    /* [points] */
    uint32_t *number;     /* [runs] by which files call a run: as they are counted, unless rows of earlier runs have others */
    char *trajectories;   /* the folder of the runs' trajectories; NULL: they have none */
    uint64_t fingerprint; /* of the scenario and of all that is measured */
} sweep_plan;

/* Of everything that decides what a run measures: in the upper half what all runs of the study share, in the lower one its own.
 */
uint64_t sweep_plan_fingerprint(const sweep_plan *plan, uint32_t run);

/* Reads the study and its scenario, and builds the world of each point without its agents, so that every mistake is found.
 * `warn` is called as dunlin_simulation_def.warn is, for the first point; it may be NULL. Free the plan also after a failure.
 */
dunlin_result sweep_plan_make(sweep_plan *plan, const char *path, bool is_quick, void (*warn)(void *user, const char *warning),
                              dunlin_error *error);
/* Does the same with the text of the study, which messages call `name`. */
dunlin_result sweep_plan_make_of(sweep_plan *plan, const char *name, const char *text, size_t length, bool is_quick,
                                 void (*warn)(void *user, const char *warning), dunlin_error *error);

void sweep_plan_free(sweep_plan *plan);

/* The number of a parameter's value at a point. */
uint32_t sweep_plan_value(const sweep_plan *plan, uint32_t point, uint32_t parameter);

/* The point's scenario, with everything set; close it. */
dunlin_result sweep_plan_open(const sweep_plan *plan, uint32_t point, dunlin_scenario **scenario, dunlin_error *error);

/* "noise 0.5, agents 400, seed 3" for messages. */
void sweep_plan_describe(const sweep_plan *plan, uint32_t run, char *text, size_t size);

#endif
