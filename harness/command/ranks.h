/* SPDX-License-Identifier: MIT */
/* The processes that this program runs in: one, or, in dunlin-mpi, all ranks of a job. */
#ifndef DUNLIN_HARNESS_COMMAND_RANKS_H
#define DUNLIN_HARNESS_COMMAND_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include <dunlin/cluster.h>

typedef struct command_ranks {
    uint32_t rank;   /* this one, 0 .. ranks - 1 */
    uint32_t ranks;  /* how many there are */
    uint32_t here;   /* how many of them share this rank's machine */
    bool launched;   /* by a launcher, such as mpirun, which decides on which cores each rank runs */
    const char *mpi; /* what connects them: "Open MPI v4.1.4"; "": nothing */
    void *context;

    /* Gives all ranks, which all make this call, the bytes of rank 0. A rank that waits sleeps, because others may need its
     * core. */
    void (*broadcast)(void *context, void *bytes, size_t count);

    /* The transport of the lowest `count` ranks, all of which make this call, and no other. It lasts as long as the program. */
    dunlin_transport (*lowest)(void *context, uint32_t count);
} command_ranks;

/* At the beginning of the program: joins the other ranks. From then on only rank 0 prints. */
void ranks_begin(int *argc, char ***argv);

/* At its end: waits for the others; rank 0 gives the system the status. If a rank has failed alone, ends them all. */
int ranks_end(int status);

/* Constant between the two. */
const command_ranks *ranks_here(void);

/* The name of this program, for messages. */
const char *ranks_program_name(void);

/* ---- launchers -------------------------------------------------------------------------------------------------------- */

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
