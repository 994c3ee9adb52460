/* SPDX-License-Identifier: MIT */
/* The program as one rank of an MPI job. */
#include "harness/command/ranks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <dunlin/mpi.h>

#define PATIENCE 5.0 /* seconds that a rank which has failed waits for the others to fail, too */

enum { SHORTEST_NAP = 20 * 1000, LONGEST_NAP = 2 * 1000 * 1000 /* ns */ };

/* The transports of the lowest ranks, made when they are first asked for. */
typedef struct crew {
    dunlin_transport *of; /* [ranks + 1] by the number of ranks; context NULL: none yet */
} crew;

static crew crews;
static command_ranks here;
static int messages = -1; /* a copy of standard error */

/* Ranks that wait in MPI's own way keep their core busy. */
static bool wait_for(MPI_Request *request, double seconds) {
    struct timespec nap = {.tv_nsec = SHORTEST_NAP};
    const double end = MPI_Wtime() + seconds;
    int done = 0;
    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done || MPI_Wtime() > end) return done;
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < LONGEST_NAP) nap.tv_nsec *= 2;
    }
}

static void broadcast(void *context, void *bytes, size_t count) {
    (void)context;
    MPI_Request request;
    MPI_Ibcast(bytes, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(&request, 1e9);
}

static void make_transport(dunlin_transport *transport, uint32_t count) {
    dunlin_error error;
    MPI_Group all, lowest;
    MPI_Comm communicator;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, (int[1][3]){{0, (int)count - 1, 1}}, &lowest);
    MPI_Comm_create_group(MPI_COMM_WORLD, lowest, 0, &communicator);
    if (dunlin_mpi_transport(communicator, transport, &error)) {
        fprintf(stderr, "dunlin-mpi: %s\n", error.message);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    MPI_Comm_free(&communicator);
    MPI_Group_free(&lowest);
    MPI_Group_free(&all);
}

static dunlin_transport lowest(void *context, uint32_t count) {
    crew *c = context;
    if (!c->of[count].context) make_transport(&c->of[count], count);
    return c->of[count];
}

/* Each rank runs the whole program, and all would say the same. */
static void be_silent(void) {
    const int nowhere = open("/dev/null", O_WRONLY);
    messages = dup(STDERR_FILENO);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

/* Of "Open MPI v4.1.4, package: ..." or "MPICH Version:\t4.0.2\n..." the words up to the comma or the end of the line. */
static const char *describe_mpi(void) {
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, kept = 0;
    MPI_Get_library_version(text, &length);
    for (const char *at = text; *at && !strchr(",\n", *at); at++) {
        const bool is_gap = strchr(": \t", *at);
        if (!is_gap || (kept > 0 && text[kept - 1] != ' ')) text[kept++] = is_gap ? ' ' : *at;
    }
    text[kept] = '\0';
    return text;
}

void ranks_begin(int *argc, char ***argv) {
    int level, rank, ranks, sharing;
    MPI_Comm machine;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &sharing);
    MPI_Comm_free(&machine);
    crews.of = calloc((size_t)ranks + 1, sizeof *crews.of);
    if (!crews.of) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    here = (command_ranks){.rank = (uint32_t)rank,
                           .ranks = (uint32_t)ranks,
                           .here = (uint32_t)sharing,
                           .launched = true,
                           .mpi = describe_mpi(),
                           .context = &crews,
                           .broadcast = broadcast,
                           .lowest = lowest};
    if (rank > 0) be_silent();
}

/* One that has failed in its own way would leave the others waiting for it. */
static void meet_others(int status) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (wait_for(&request, status == 0 ? 1e9 : PATIENCE)) return;
    if (messages >= 0) dprintf(messages, "dunlin-mpi: rank %u has failed, with status %d; the job ends\n", here.rank, status);
    MPI_Abort(MPI_COMM_WORLD, status);
}

int ranks_end(int status) {
    meet_others(status);
    for (uint32_t count = 1; count <= here.ranks; count++)
        if (crews.of[count].context) dunlin_mpi_transport_free(&crews.of[count]);
    free(crews.of);
    MPI_Finalize();
    const struct timespec a_moment = {.tv_nsec = 100000000};
    if (here.rank == 0 && status != 0) nanosleep(&a_moment, NULL);
    return here.rank == 0 ? status : 0; /* or the launcher would send signals to ranks that have not ended yet */
}

const command_ranks *ranks_here(void) {
    return &here;
}

const char *ranks_program_name(void) {
    return "dunlin-mpi";
}
