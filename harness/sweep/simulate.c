/* SPDX-License-Identifier: MIT */
#include "harness/sweep/simulate.h"
#include "harness/command/scenario_open.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/trajectory/trajectory.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* What is measured of a run, and its sums so far. */
typedef struct tally {
    int species;
    study_window window;
    uint64_t count; /* of steps that could be measured */
    double sum;
} tally;

typedef struct run {
    const sweep_plan *plan;
    const plan_point *point;
    dunlin_simulation *simulation;
    dunlin_world *world;
    metrics_meter meter;
    trajectory *trajectory; /* NULL: none is wanted */
    char *trajectory_path, *scenario_text;
    tally tallies[STUDY_MEASURES];
} run;

/* ---- the trajectory --------------------------------------------------------------------------------------------------- */

/* Output files have one list in a program (harness/report/output_file.c), in which a trajectory stands until its first frame.
 */
static pthread_mutex_t places = PTHREAD_MUTEX_INITIALIZER;

static dunlin_result create_trajectory(run *r, const trajectory_def *def, dunlin_error *error) {
    pthread_mutex_lock(&places);
    dunlin_result result = trajectory_create(&r->trajectory, def, r->world, error);
    if (result == DUNLIN_OK) result = trajectory_record(r->trajectory, r->world, error);
    pthread_mutex_unlock(&places);
    return result;
}

/* Writes the first frame, where the study wants any. */
static dunlin_result begin_trajectory(run *r, uint32_t number, const dunlin_scenario *scenario, dunlin_error *error) {
    const study_trajectory *wanted = &r->plan->study.trajectory;
    if (wanted->every == 0) return DUNLIN_OK;
    r->trajectory_path = output_folder_path(r->plan->trajectories, "run-%05" PRIu32 ".h5", r->plan->number[number]);
    if (!r->trajectory_path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a trajectory");
    r->scenario_text = scenario_text(scenario, error);
    if (!r->scenario_text) return error->code;
    const trajectory_def def = {.path = r->trajectory_path,
                                .fields = wanted->fields,
                                .species = wanted->species,
                                .precision = wanted->precision,
                                .compression = wanted->compression,
                                .every = wanted->every,
                                .scenario = dunlin_scenario_name(scenario),
                                .scenario_path = r->plan->scenario,
                                .scenario_text = r->scenario_text,
                                .meter = &r->meter};
    return create_trajectory(r, &def, error);
}

static dunlin_result record_step(run *r, uint64_t step, dunlin_error *error) {
    if (!r->trajectory) return DUNLIN_OK;
    return (step % r->plan->study.trajectory.every == 0 ? trajectory_record : trajectory_check)(r->trajectory, r->world, error);
}

static void drop_trajectory(run *r) {
    pthread_mutex_lock(&places);
    trajectory_drop(r->trajectory);
    pthread_mutex_unlock(&places);
    free(r->trajectory_path);
    free(r->scenario_text);
}

/* ---- the measures ----------------------------------------------------------------------------------------------------- */

static void begin_tallies(run *r) {
    const study *in = &r->plan->study;
    for (uint32_t i = 0; i < in->measures; i++) {
        const char *species = in->measure[i].species;
        r->meter.measures[in->measure[i].column->part] = true;
        r->meter.lengths[in->measure[i].column->part] = in->measure[i].length;
        r->tallies[i] = (tally){.species = species ? dunlin_world_find_species(r->world, species) : 0};
        study_window_of(in, &in->measure[i], r->point->steps, &r->tallies[i].window);
    }
}

static bool is_due(const tally *t, uint64_t step) {
    const study_window *w = &t->window;
    return step >= w->begin && step <= w->end && (step % w->every == 0 || step == w->begin || step == w->end);
}

static bool is_any_due(const run *r, uint64_t step) {
    for (uint32_t i = 0; i < r->plan->study.measures; i++)
        if (is_due(&r->tallies[i], step)) return true;
    return false;
}

/* What the step after this one has measured; else the meter, which measures a species once for all of its metrics. */
static dunlin_result read_metrics(run *r, int species, bool in_step, metrics_row *row, dunlin_error *error) {
    return in_step ? dunlin_world_measured(r->world, species, &row->flock, error)
                   : metrics_measure(&r->meter, r->world, species, row, error);
}

static dunlin_result add_up(run *r, uint64_t step, bool in_step, dunlin_error *error) {
    for (uint32_t i = 0; i < r->plan->study.measures; i++) {
        tally *t = &r->tallies[i];
        metrics_row row;
        if (!is_due(t, step)) continue;
        dunlin_result result = read_metrics(r, t->species, in_step, &row, error);
        if (result != DUNLIN_OK) return result;
        const double value = metrics_value(&row, r->plan->study.measure[i].column);
        if (isnan(value)) continue;
        t->sum += value;
        t->count++;
    }
    return DUNLIN_OK;
}

/* Takes a step, which measures the state that it begins with if that is all there is to measure: this costs least. */
static dunlin_result take_step(run *r, uint64_t step, dunlin_error *error) {
    const bool in_step = metrics_meter_in_passing(&r->meter) && is_any_due(r, step - 1);
    dunlin_result result = in_step ? dunlin_world_measure_in_step(r->world, error) : add_up(r, step - 1, false, error);
    if (result == DUNLIN_OK) result = dunlin_simulation_step(r->simulation, error);
    if (result == DUNLIN_OK) result = metrics_follow(&r->meter, r->world, error);
    if (result == DUNLIN_OK && in_step) result = add_up(r, step - 1, true, error);
    return result == DUNLIN_OK ? record_step(r, step, error) : result;
}

static dunlin_result take_steps(run *r, run_after_step *after_step, void *context, bool *is_done, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (uint64_t step = 1; step <= r->point->steps && result == DUNLIN_OK; step++) {
        result = take_step(r, step, error);
        if (result == DUNLIN_OK && !after_step(context, r->point)) return result;
    }
    if (result == DUNLIN_OK) result = add_up(r, r->point->steps, false, error);
    if (result == DUNLIN_OK && r->trajectory) result = trajectory_finish(r->trajectory, r->world, error);
    *is_done = result == DUNLIN_OK;
    return result;
}

static void take_figures(const run *r, run_figures *figures) {
    for (uint32_t i = 0; i < r->plan->study.measures; i++) {
        const tally *t = &r->tallies[i];
        figures->measured[i] = t->count > 0 ? t->sum / (double)t->count : (double)NAN;
        figures->samples[i] = t->count;
    }
    figures->hash = dunlin_world_state_hash(r->world);
    figures->is_there = true;
}

/* The scenario gets the run's seed and steps, so that its text is what runs. */
static dunlin_result begin(run *r, uint32_t number, int threads, dunlin_scenario *scenario, dunlin_error *error) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.seed = &r->plan->study.seed[number % r->plan->study.seeds];
    def.threads = threads;
    dunlin_result result = dunlin_scenario_set_number(scenario, "steps", (double)r->point->steps, error);
    if (result == DUNLIN_OK) result = dunlin_scenario_resolve(scenario, &def, error);
    if (result == DUNLIN_OK) result = dunlin_simulation_create(scenario, &def, &r->simulation, error);
    if (result != DUNLIN_OK) return result;
    r->world = dunlin_simulation_world(r->simulation);
    begin_tallies(r);
    result = metrics_follow(&r->meter, r->world, error); /* first: a trajectory has the metrics of the start */
    return result == DUNLIN_OK ? begin_trajectory(r, number, scenario, error) : result;
}

dunlin_result sweep_run(const sweep_plan *plan, uint32_t number, int threads, run_after_step *after_step, void *context,
                        run_figures *figures, dunlin_error *error) {
    const uint32_t point = number / plan->study.seeds;
    run r = {.plan = plan, .point = &plan->point[point]};
    dunlin_scenario *scenario;
    bool is_done = false;
    dunlin_result result = sweep_plan_open(plan, point, &scenario, error);
    if (result == DUNLIN_OK) result = begin(&r, number, threads, scenario, error);
    dunlin_scenario_close(scenario);
    if (result == DUNLIN_OK) result = take_steps(&r, after_step, context, &is_done, error);
    if (is_done) take_figures(&r, figures);
    drop_trajectory(&r);
    metrics_meter_free(&r.meter);
    dunlin_simulation_destroy(r.simulation);
    return result;
}
