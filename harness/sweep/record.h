/* SPDX-License-Identifier: MIT */
/* The trajectory of a run, where the study wants one. */
#ifndef DUNLIN_HARNESS_SWEEP_RECORD_H
#define DUNLIN_HARNESS_SWEEP_RECORD_H

#include "harness/sweep/plan.h"
#include "harness/trajectory/trajectory.h"

/* {0} before it begins. */
typedef struct run_record {
    uint64_t every; /* 0: no trajectory */
    trajectory *trajectory;
    char *path, *scenario_text;
} run_record;

/* Writes the first frame. `meter` must outlive the record; the scenario need not. */
/* Whether several trajectories can be written at once. Debian's HDF5 allows it; many others are built for one thread at a time.
 */
bool record_goes_side_by_side(void);

dunlin_result record_begin(run_record *record, const sweep_plan *plan, uint32_t run, const dunlin_scenario *scenario,
                           metrics_meter *meter, dunlin_world *world, dunlin_error *error);
dunlin_result record_step(run_record *record, uint64_t step, dunlin_world *world, dunlin_error *error);
dunlin_result record_finish(run_record *record, dunlin_world *world, dunlin_error *error);
void record_drop(run_record *record);

#endif
