/* SPDX-License-Identifier: MIT */
/*
 * How far a run is, on stderr: on a terminal a bar that is redrawn at most ten times a second, elsewhere a line at every tenth
 * and after half a minute without one.
 */
#ifndef DUNLIN_HARNESS_PROGRESS_H
#define DUNLIN_HARNESS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct run_progress {
    bool shown;
    bool on_terminal;
    const char *unit;    /* what is counted: "step" */
    uint64_t count;      /* of them, in all */
    uint64_t next_tenth; /* of the next line, where there is no terminal */
    double started;      /* seconds of clock_seconds() */
    double patience; /* seconds between two lines at least, where there is no terminal; 0 unless the caller says otherwise */
    double drawn;    /* when bar or line were last drawn; at first, when it began */
} run_progress;

/* Counts up to `count` units, such as "step". With `shown` false nothing is ever written. */
run_progress progress_begin(const char *unit, uint64_t count, bool shown);

/* After every unit; `agent_updates` counts those of the whole run so far, 0: the speed is not shown. */
void progress_update(run_progress *progress, uint64_t done, uint64_t agent_updates);

/* Instead, where units differ: `share` of the whole, up to 1, is done, and `what` is being done. */
void progress_show(run_progress *progress, double share, const char *what);

/* Removes the bar. */
void progress_end(run_progress *progress);

#endif
