/* SPDX-License-Identifier: MIT */
/*
 * Threads that stay where they are. OpenMP reads where to bind its threads once, while the program is loaded, so the program
 * sets OMP_PLACES and OMP_PROC_BIND and starts itself anew, once.
 */
#ifndef DUNLIN_HARNESS_BENCH_PIN_H
#define DUNLIN_HARNESS_BENCH_PIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Binds this process' threads to cores, neighbours first. `argv` is the program's own, as main() got it: main() calls this for
 * the commands that `pins_threads`, before it changes anything in there; commands don't. Returns where nothing is left to do:
 * after the restart, where the user has said how to bind (even with OMP_PROC_BIND=false), and where restarting fails.
 */
void pin_threads(char **argv);

/* What is in force: "OMP_PLACES=cores OMP_PROC_BIND=close", or "none". */
void pin_describe(char *text, size_t size);

/* Whether threads that are pinned as described stay where they are. */
bool pin_binds(const char *pinning);

#endif
