/* SPDX-License-Identifier: MIT */
/*
 * How far a run is, on stderr: on a terminal a bar that is redrawn at most ten times a second, elsewhere a line at every tenth,
 * but not within five seconds of the last, and after half a minute without one.
 */
#ifndef DUNLIN_HARNESS_PROGRESS_H
#define DUNLIN_HARNESS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct run_progress {
    bool shown;
    bool on_terminal;
    const char *unit;                     /* what is counted: "step" */
    uint64_t count;                       /* of them, in all */
    uint64_t next_tenth;                  /* of the next line, where there is no terminal */
    double started;                       /* clock_seconds() */
    uint64_t done_before, updates_before; /* of a run that continues: by the parts of it that came before */
    double drawn;                         /* when the bar or line was last drawn; at first, when the run began */
} run_progress;

/* Counts up to `count` units, such as "step". If `shown` is false, nothing is ever written. */
run_progress progress_begin(const char *unit, uint64_t count, bool shown);

/* Leaves out of its speed what an earlier run has done. */
void progress_skip(run_progress *progress, uint64_t done, uint64_t agent_updates);

/* After every unit. `agent_updates` are those of the whole run so far; if 0, the speed is not shown. */
void progress_update(run_progress *progress, uint64_t done, uint64_t agent_updates);

/* The same if units differ: `share` of the whole, up to 1, is done, and `what` is being done. */
void progress_show(run_progress *progress, double share, const char *what);

/* Removes the bar. */
void progress_end(run_progress *progress);

#endif
