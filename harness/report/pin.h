/* SPDX-License-Identifier: MIT */
/*
 * Binds threads to cores. OpenMP reads where to bind its threads once, while the program is loaded, so the program sets
 * OMP_PLACES and OMP_PROC_BIND and restarts itself, once.
 */
#ifndef DUNLIN_HARNESS_BENCH_PIN_H
#define DUNLIN_HARNESS_BENCH_PIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Binds this process' threads to cores, adjacent cores first. `argv` is what main() got; main() calls this, for the commands
 * that `pins_threads`, before it changes anything in there. Returns when nothing is left to do: after the restart, if the user
 * has chosen a binding (even OMP_PROC_BIND=false), or if restarting fails.
 */
void pin_threads(char **argv);

/* What is in force: "OMP_PLACES=cores OMP_PROC_BIND=close", or "none". */
void pin_describe(char *text, size_t size);

/* Whether a binding that is described like this keeps threads where they are. */
bool pin_binds(const char *pinning);

#endif
