/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_RUN_REPORT_H
#define DUNLIN_HARNESS_RUN_REPORT_H

#include "harness/report/metrics.h"

#include <dunlin/cluster.h>
#include <dunlin/scenario.h>

#include <stdio.h>

/* Sums over all steps of a run. */
typedef struct run_totals {
    uint64_t steps;
    uint64_t agent_updates;
    uint64_t pairs_tested;
    uint64_t pairs_useful;
    uint64_t frames;   /* of the film */
    double ms_waiting; /* for ffmpeg, over all frames */
    double ms_drawing; /* the frames */
    double ms_snapshot;
    double ms_interact;
    double ms_steer;
    double ms_integrate;
    double ms_frame;
    double seconds; /* wall time of the whole run, metrics included */
} run_totals;

/* Adds the world's last step. */
void run_totals_add(run_totals *totals, const dunlin_world *world);

/* The ranks that run the flock, and what they have sent over all steps since the program was started. */
typedef struct run_ranks {
    uint32_t count;
    uint64_t memory; /* bytes of all their worlds after the last step */
    uint64_t steps, bytes, messages, collectives, halo, migrants, cuts;
    double imbalance; /* of the last step */
} run_ranks;

/* Adds the traffic of the world's last step. */
void run_ranks_add(run_ranks *ranks, const dunlin_world *world);

/* Prints what the run did, and the metrics of the flock now. `kernel`: what was asked for; NULL: "auto". */
dunlin_result run_report_print(FILE *file, const dunlin_scenario *scenario, dunlin_world *world, metrics_meter *meter,
                               const run_totals *totals, const run_ranks *ranks, uint64_t steps_wanted, const char *kernel,
                               dunlin_error *error);

/* Prints a line for each reason to doubt the run or its speed that the last state shows; usually there is none. */
void run_remarks_print(FILE *file, const dunlin_world *world, const run_totals *totals);

#endif
