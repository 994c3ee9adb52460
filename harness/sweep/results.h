/* SPDX-License-Identifier: MIT */
/*
 * The runs that have been run, and the file that keeps them: FOLDER/runs.csv, a row per run. Rows are appended as runs end,
 * in any order, so that an interrupted sweep continues where it was; at the end they are put in order. A run that failed has a
 * row that says why, until it is run again.
 */
#ifndef DUNLIN_HARNESS_SWEEP_RESULTS_H
#define DUNLIN_HARNESS_SWEEP_RESULTS_H

#include "harness/sweep/simulate.h"

typedef struct sweep_results {
    sweep_plan *plan;
    const char *commit; /* of the program, without commas */
    char *path;
    int file;                 /* descriptor; it holds a lock, so that no two sweeps write the same rows */
    bool has_new_rows;        /* that may not be on the disk yet */
    uint32_t present, failed; /* runs that are there, and that are not since they failed */
    run_figures *figures;     /* [plan->runs] */
    char **problem;           /* [plan->runs] why it failed; NULL: it has not */
    char *others;             /* rows of values or seeds that the study no longer has, as they stand in the file; a string */
    size_t others_length;
} sweep_results;

/*
 * Takes the rows that are there; half a row at the end, as a killed program leaves it, is removed. A row counts if its
 * parameters and seed are in the study, and keeps its number. It is an error if what else decides a run has changed since: its
 * scenario, what is measured, the program's commit. `fresh`: forgets all rows. Close the results also after a failure.
 */
dunlin_result results_open(sweep_results *results, sweep_plan *plan, const char *folder, const char *commit, bool fresh,
                           dunlin_error *error);

/* Takes the rows of a text like the file's, which it changes; *whole: the bytes of all lines that have an end. */
dunlin_result results_take(sweep_results *results, char *text, size_t *whole, dunlin_error *error);

/* Keeps a run's figures, or why it failed, and appends its row. */
dunlin_result results_add(sweep_results *results, uint32_t run, const run_figures *figures, const char *problem,
                          dunlin_error *error);

/* Has what was appended written to the disk. */
void results_sync(sweep_results *results);

/* Writes all rows in the order of runs. */
dunlin_result results_finish(sweep_results *results, dunlin_error *error);

void results_close(sweep_results *results);

#endif
