/* SPDX-License-Identifier: MIT */
/* Ranks that are processes, in place of the threads of tests/lib/local.c: tests of flocks in parts run by MPI as they are, as
 * long as ranks share no memory. The job has as many ranks as the largest number that a test wants. */
#include <time.h>

#include <dunlin/mpi.h>

#include "tests/lib/local.h"
#include "tests/lib/worlds.h"

/* Until all ranks have come, asleep: MPI itself would keep the cores busy on which others work. */
static void meet(void) {
    const struct timespec moment = {.tv_nsec = 1000000};
    MPI_Request all;
    int came = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (MPI_Test(&all, &came, MPI_STATUS_IGNORE), !came) nanosleep(&moment, NULL);
}

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
    meet();
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
