/* SPDX-License-Identifier: MIT */
/* Ranks that are processes, in place of the threads of tests/lib/local.c: tests of flocks in parts run by MPI as they are, as
 * long as ranks share no memory. The job has as many ranks as the largest number that a test wants. */
#include <time.h>

#include <dunlin/mpi.h>

#include "tests/lib/local.h"
#include "tests/lib/worlds.h"

/* ---- waiting ----------------------------------------------------------------------------------------------------------- */

/* Asleep: an MPI that has no such mode would keep the cores busy on which others work. */
static int finish(int started, MPI_Request *request) {
    const struct timespec moment = {.tv_nsec = 20000};
    int done = 0;
    while (started == MPI_SUCCESS && (started = PMPI_Test(request, &done, MPI_STATUS_IGNORE), !done)) nanosleep(&moment, NULL);
    return started;
}

/* What the transport calls: MPI lets a program put its own functions before its. */
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    (void)statuses;
    int verdict = MPI_SUCCESS;
    for (int i = 0; i < count && verdict == MPI_SUCCESS; i++) verdict = finish(MPI_SUCCESS, &requests[i]);
    return verdict;
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    return finish(PMPI_Iallreduce(from, to, count, type, op, comm, &request), &request);
}

int MPI_Exscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    return finish(PMPI_Iexscan(from, to, count, type, op, comm, &request), &request);
}

int MPI_Bcast(void *bytes, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    return finish(PMPI_Ibcast(bytes, count, type, root, comm, &request), &request);
}

int MPI_Alltoall(const void *from, int sent, MPI_Datatype sent_type, void *to, int taken, MPI_Datatype type, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    return finish(PMPI_Ialltoall(from, sent, sent_type, to, taken, type, comm, &request), &request);
}

int MPI_Barrier(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    return finish(PMPI_Ibarrier(comm, &request), &request);
}

/* ---- ranks ------------------------------------------------------------------------------------------------------------- */

static void run_rank(MPI_Comm communicator, dun_local_fn *function, void *context) {
    dunlin_transport transport;
    ACCEPT(dunlin_mpi_transport(communicator, &transport, &refusal));
    function(context, &transport);
    dunlin_mpi_transport_free(&transport);
}

void dun_local_run(uint32_t ranks, dun_local_fn *function, void *context) {
    int rank, all;
    MPI_Comm some;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    assert_in_range(ranks, 1, all);
    MPI_Comm_split(MPI_COMM_WORLD, rank < (int)ranks ? 0 : MPI_UNDEFINED, rank, &some);
    if (some != MPI_COMM_NULL) {
        run_rank(some, function, context);
        MPI_Comm_free(&some);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A rank that fails ends all of them: the others wait for it. */
int main(int argc, char **argv) {
    int level;
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const int failed = run_all_tests();
    if (failed) MPI_Abort(MPI_COMM_WORLD, failed);
    MPI_Finalize();
    return 0;
}
