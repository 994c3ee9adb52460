/* SPDX-License-Identifier: MIT */
/*
 * Takes the runs of a sweep that are missing.
 *
 * Simulations share nothing, so several are run at once by POSIX threads of this process: small worlds on one thread each,
 * which wastes no time with sharing out their few agents. Compared with child processes, threads need no second way to hand
 * figures and errors back, and nothing is left running where the program ends. A fault in one run ends all, but rows
 * that are in the file stay. Large worlds, which fill memory and caches, come after that, one at a time with all cores.
 *
 *   calling thread           draws progress, notices signals, has rows written to the disk
 *     └─ workers             each takes the next run, runs it, and appends its row
 */
#ifndef DUNLIN_HARNESS_SWEEP_CREW_H
#define DUNLIN_HARNESS_SWEEP_CREW_H

#include "harness/sweep/results.h"

/* From this many agents on a world is large: two threads then take no more processor time than one. On a busy machine they took
 * three times as much with 20 000 agents, and fourteen times as much with 5 000. */
enum { LARGE_WORLD = 200000 };

/* Runs until all runs have been tried, a row cannot be written, or a signal comes. jobs: >= 1, the cores to use */
dunlin_result crew_run(sweep_results *results, int jobs, bool shows_progress, dunlin_error *error);

#endif
