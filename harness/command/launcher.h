/* SPDX-License-Identifier: MIT */
/* Whether the launcher of this process, such as mpirun or srun, is one that the process' MPI understands. */
#ifndef DUNLIN_HARNESS_COMMAND_LAUNCHER_H
#define DUNLIN_HARNESS_COMMAND_LAUNCHER_H

#include <stdbool.h>

#include "harness/command/ranks.h"

/* At the beginning of the program: reads what the launcher says, before MPI, which may overwrite it. */
void launcher_note(void);

/*
 * Without MPI, or with another one than its launcher's, each of a job's processes believes that it is alone, runs the whole
 * flock, and writes the same files as all others. A launcher gives its processes their number in environment variables. If
 * they say so to a process that is alone: false, with a message, where it has MPI; with a warning true where it has none, since
 * a user may start independent runs like this.
 */
bool launcher_check(const command_ranks *ranks);

#endif
