/* SPDX-License-Identifier: MIT */
#include "harness/sweep/record.h"
#include "harness/command/scenario_open.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"

#include <hdf5.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Output files have one list in a program (harness/report/output_file.c), in which a trajectory stands until its first frame.
 */
static pthread_mutex_t places = PTHREAD_MUTEX_INITIALIZER;

static dunlin_result name_file(run_record *record, const sweep_plan *plan, uint32_t run, dunlin_error *error) {
    record->path = output_folder_path(plan->trajectories, "run-%05" PRIu32 ".h5", plan->number[run]);
    return record->path ? DUNLIN_OK : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a trajectory");
}

static dunlin_result begin(run_record *record, const trajectory_def *def, dunlin_world *world, dunlin_error *error) {
    pthread_mutex_lock(&places);
    dunlin_result result = trajectory_create(&record->trajectory, def, world, error);
    if (result == DUNLIN_OK) result = trajectory_record(record->trajectory, world, error);
    pthread_mutex_unlock(&places);
    return result;
}

bool record_goes_side_by_side(void) {
    hbool_t is_safe = false;
    return H5is_library_threadsafe(&is_safe) >= 0 && is_safe;
}

dunlin_result record_begin(run_record *record, const sweep_plan *plan, uint32_t run, const dunlin_scenario *scenario,
                           metrics_meter *meter, dunlin_world *world, dunlin_error *error) {
    const study_trajectory *wanted = &plan->study.trajectory;
    if (wanted->every == 0) return DUNLIN_OK;
    record->every = wanted->every;
    const dunlin_result result = name_file(record, plan, run, error);
    if (result != DUNLIN_OK) return result;
    record->scenario_text = scenario_text(scenario, error);
    if (!record->scenario_text) return error->code;
    const trajectory_def def = {.path = record->path,
                                .fields = wanted->fields,
                                .species = wanted->species,
                                .precision = wanted->precision,
                                .compression = wanted->compression,
                                .every = wanted->every,
                                .scenario = dunlin_scenario_name(scenario),
                                .scenario_path = plan->scenario,
                                .scenario_text = record->scenario_text,
                                .meter = meter};
    return begin(record, &def, world, error);
}

dunlin_result record_step(run_record *record, uint64_t step, dunlin_world *world, dunlin_error *error) {
    if (record->every == 0) return DUNLIN_OK;
    if (step % record->every != 0) return trajectory_check(record->trajectory, world, error);
    return trajectory_record(record->trajectory, world, error);
}

dunlin_result record_finish(run_record *record, dunlin_world *world, dunlin_error *error) {
    return record->trajectory ? trajectory_finish(record->trajectory, world, error) : DUNLIN_OK;
}

void record_drop(run_record *record) {
    pthread_mutex_lock(&places);
    trajectory_drop(record->trajectory);
    pthread_mutex_unlock(&places);
    free(record->path);
    free(record->scenario_text);
    *record = (run_record){0};
}
