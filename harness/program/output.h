/* SPDX-License-Identifier: MIT */
/* What a run leaves behind or shows. Each kind is a file, output_NAME.c, and a row of the table in outputs.c. */
#ifndef DUNLIN_HARNESS_OUTPUT_H
#define DUNLIN_HARNESS_OUTPUT_H

#include "harness/program/run_options.h"
#include "harness/program/run_report.h"
#include "harness/report/output_file.h"

#include <stddef.h>

/* Where outputs of a run that resumes continue: the mark of each that has one, and its path, as texts with their terminators.
 */
typedef struct run_marks {
    char *texts; /* NULL: the run begins */
    size_t bytes;
} run_marks;

typedef struct run_context {
    const run_options *options;
    dunlin_scenario *scenario;
    dunlin_simulation *simulation;
    dunlin_world *world;
    uint64_t steps; /* wanted */
    run_totals totals;
    metrics_meter meter; /* for all that shows metrics */
    run_marks marks;
    dunlin_transport transport; /* to the other ranks that run it; rank 0 writes all files */
    run_ranks ranks;
    bool is_time;     /* for a checkpoint, by the clock */
    bool uses_stdout; /* an output goes there */
} run_context;

/* How much of the run is done, 0 .. 1. */
static inline double run_share(const run_context *run) {
    return run->steps > 0 ? (double)run->totals.steps / (double)run->steps : 0.0;
}

/* How pictures look: what the options ask for, and what the scenario says. */
static inline picture_look look_of(const run_context *run) {
    picture_look look = run->options->picture_look;
    look.scenario = run->scenario;
    return look;
}

/* `state` is the output's own: `bytes` of memory, zero at first, which do not move. An output without functions to open, finish
 * and drop it has an output_file as the first member of its state, which is opened, finished and dropped instead. */
typedef struct output_type {
    size_t bytes;
    const char *option; /* which asks for it; NULL: it is no file */
    size_t path;        /* the member of run_options that says where it goes: "-" is standard output, NULL: it is not wanted */
    /* The member with the number of steps after each of which the state is recorded. There 0, or no member: only the last state
     * counts. */
    size_t every;
    /* Before the first step: finds every problem that can be found then, and claims the place. */
    dunlin_result (*open)(void *state, run_context *run, const char *path, dunlin_error *error);
    /* Before the first step and after each one that is such a multiple: records the state. */
    dunlin_result (*record)(void *state, run_context *run, dunlin_error *error);
    /* After other steps, and of the world's agents it sees none: finds problems. NULL: there are none to find. */
    dunlin_result (*check)(void *state, run_context *run, dunlin_error *error);
    /* After the last step: puts what was made in place. */
    dunlin_result (*finish)(void *state, run_context *run, dunlin_error *error);
    /*
     * For checkpoints: makes what was recorded safe on the disk, and says how far it reaches, as a number of the output's own.
     * NULL: no record depends on earlier ones, so `open` serves a run that resumes, too.
     */
    dunlin_result (*mark)(void *state, run_context *run, uint64_t *mark, dunlin_error *error);
    /* Instead of `open` when a run resumes: continues from a mark, and cuts off what was recorded after it. */
    dunlin_result (*reopen)(void *state, run_context *run, const char *path, uint64_t mark, dunlin_error *error);
    bool is_numbered;  /* `every` is of files that have the step's number in their names */
    bool in_one_piece; /* no other run can continue it, so that it cannot go with checkpoints */
    /* Frees the state, also of an output that was not opened or not to the end, and removes what was not finished. */
    void (*drop)(void *state);
} output_type;

extern const output_type output_curves, output_film, output_final, output_groups, output_metrics, output_picture,
    output_trajectory, output_watch;

/* For files that a run writes every so many steps: the path with the present step's number before its ending. It has as many
 * digits as that of the last step, so that names sort by steps: after step 100 of 5000, flock.png is flock-0100.png. The caller
 * frees *numbered. */
dunlin_result numbered_path(const run_context *run, const char *path, char **numbered, dunlin_error *error);

/* CSV with rows of many steps. With checkpoints it is written in place: a run that continues needs the rows written before it.
 */
typedef struct rows_output {
    output_file file;
    bool has_head; /* not before all outputs are open: an error must leave nothing behind */
} rows_output;

/* As output_type has them. The mark is the length of the file. */
dunlin_result rows_open(void *state, run_context *run, const char *path, dunlin_error *error);
dunlin_result rows_reopen(void *state, run_context *run, const char *path, uint64_t length, dunlin_error *error);
dunlin_result rows_mark(void *state, run_context *run, uint64_t *length, dunlin_error *error);

/* Before each row: writes the head if it is the first. */
dunlin_result rows_begin(rows_output *output, run_context *run, void (*write_head)(FILE *, const run_context *),
                         dunlin_error *error);

enum { MAX_OUTPUTS = 8 };

/* All outputs of a run. One that has failed is left alone from then on; the others continue. */
typedef struct run_outputs {
    void *states[MAX_OUTPUTS]; /* by the table; NULL: not wanted */
    bool has_failed[MAX_OUTPUTS];
} run_outputs;

/* Claims the places of all: harness/report/claim.h. */
dunlin_result outputs_claim(const run_options *options, dunlin_error *error);

dunlin_result outputs_open(run_outputs *outputs, run_context *run, dunlin_error *error);
/* Both return the first failure, and print others. */
dunlin_result outputs_record(run_outputs *outputs, run_context *run, dunlin_error *error);
dunlin_result outputs_finish(run_outputs *outputs, run_context *run, dunlin_error *error);

void outputs_drop(run_outputs *outputs);

/* Whether any output is wanted, and whether one records the present state: on any rank, though only rank 0 has outputs. */
bool outputs_are_wanted(const run_options *options);
bool outputs_are_due(const run_context *run);

/* Whether all outputs that have marks are whole so far: from what one has lost, no run could continue. */
bool outputs_can_be_marked(const run_outputs *outputs);

/* Writes the marks of all outputs, for checkpoints. */
dunlin_result outputs_mark(run_outputs *outputs, run_context *run, FILE *marks, dunlin_error *error);

/* An error if an output cannot go with checkpoints. */
dunlin_result outputs_check_marks(const run_options *options, dunlin_error *error);

/* Whether any of them goes to standard output, with which reports would mix. */
bool outputs_use_stdout(const run_options *options);

#endif
