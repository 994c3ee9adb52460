/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of runs: the simulation's (dunlin_simulation_save_to()), and behind it what the program needs to continue with
 * the run.
 *
 *     the simulation, and where agents were at the start, if their displacement is measured
 *     an opening, and sections (engine/base/sections.h): the totals of the run; the marks of its outputs; its arguments; how
 *         many bytes come before all this
 *
 * The last section has a fixed length, so what follows the simulation is found from the end, and read first: it has the
 * options that the simulation is opened with.
 *
 * A checkpoint is written beside the last one and synced: by all ranks, each its part of the simulation. Then the last one
 * becomes FILE.1, and the new one FILE. Whenever the program is killed, FILE is whole.
 */
#ifndef DUNLIN_HARNESS_CHECKPOINT_H
#define DUNLIN_HARNESS_CHECKPOINT_H

#include "harness/program/output.h"

typedef struct checkpoints {
    output_file next;  /* the one that will be written next; NULL stream: none is wanted */
    double written;    /* clock_seconds() of the last one */
    uint64_t at_steps; /* the run's steps at the last one */
    bool has_failed;   /* one could not be written: there will be no more */
} checkpoints;

/* Claims the places of a checkpoint and the one before it, if checkpoints are wanted. They may be those that the run continues
 * from. */
dunlin_result checkpoints_claim(const run_options *options, dunlin_error *error);

/* Begins the first, if checkpoints are wanted, and checks that all outputs can go with them. */
dunlin_result checkpoints_open(checkpoints *c, run_context *run, dunlin_error *error);

/* Whether the clock says so; not if they come after so many steps. */
bool checkpoints_are_late(const checkpoints *c, const run_context *run);

/* Whether one is due in the present step: on any rank. */
bool checkpoints_are_due(const run_context *run);

/* Before the first step and after each one: writes one if it is due. Collective, as what follows. */
dunlin_result checkpoints_record(checkpoints *c, run_context *run, run_outputs *outputs, dunlin_error *error);

/* After the last step: writes one, unless the last one is of this step, or no run could continue from it with all outputs. */
dunlin_result checkpoints_finish(checkpoints *c, run_context *run, run_outputs *outputs, dunlin_error *error);

/* Drops one that is not whole. */
void checkpoints_drop(checkpoints *c);

typedef struct checkpoint_source {
    FILE *file;
    const char *path; /* for messages */
    bool in_parts;    /* each rank has the file, and reads its part */
    uint64_t end;     /* of what this rank has read */
    uint64_t simulation_bytes;
    run_totals totals;
    run_marks marks;
    char *arguments; /* of the run, as texts with their terminators */
    size_t argument_bytes;
} checkpoint_source;

/* Reads what follows the simulation: rank 0 does so, for all. If all see its file, they open it, too. If there is no such file,
 * but the one before it, FILE.1, that one is opened, which is said. Always close it. */
dunlin_result checkpoint_open(checkpoint_source *source, const char *path, const dunlin_transport *transport,
                              dunlin_error *error);

/* Reads the simulation, with the threads and the kernel of the run's options, and sets the run back to where it was. */
dunlin_result checkpoint_restore(checkpoint_source *source, run_context *run, dunlin_error *error);

void checkpoint_close(checkpoint_source *source);

typedef dunlin_result work_fn(run_context *run, void *context, dunlin_error *error);

/*
 * Does the work on rank 0 for all; if `whole`, with all agents in its world meanwhile. Its error is that of all. Rank 0 alone
 * measures, writes files and reports. Ranks must go the same way, or one waits for another that never comes. So whatever may
 * differ among them is agreed on: errors here, signals and clocks in goes_on() of command_run.c.
 */
dunlin_result on_first(run_context *run, bool whole, work_fn *work, void *context, dunlin_error *error);

/* Takes the number of steps from the scenario, after it has that of the options. */
dunlin_result run_set_steps(run_context *run, dunlin_error *error);

/* Takes the run to its end, from its scenario, or, if `from` is not NULL, from a checkpoint. Returns the exit status. */
int run_advance(const run_options *options, checkpoint_source *from);

#endif
