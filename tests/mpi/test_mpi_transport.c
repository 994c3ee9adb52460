/* SPDX-License-Identifier: MIT */
/* MPI's transport does what a transport must, in pieces of few bytes, too. Started by a launcher, on any number of ranks. */
#include <dunlin/mpi.h>

#include "tests/lib/transports.h"
#include "tests/lib/worlds.h"

/* Of the ranks from `first` on, which have others' numbers in a communicator of their own. */
static void check_from(int first) {
    int rank;
    MPI_Comm some;
    MPI_Request awaited;
    char letter = 0;
    dunlin_transport transport;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank >= first, -rank, &some);
    if (rank >= first) {
        ACCEPT(dunlin_mpi_transport(some, &transport, &refusal));
        assert_int_equal(transport.ranks - 1 - transport.rank, rank - first);
        MPI_Irecv(&letter, 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, some, &awaited); /* nothing that the transport sends */
        check_transport(&transport);
        MPI_Send("x", 1, MPI_CHAR, (int)transport.rank, 0, some);
        MPI_Wait(&awaited, MPI_STATUS_IGNORE);
        assert_int_equal(letter, 'x');
        dunlin_mpi_transport_free(&transport);
        assert_null(transport.context);
        assert_int_equal(transport.ranks, 1);
    }
    MPI_Comm_free(&some);
}

static void the_transport_works(void **state) {
    (void)state;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check_from(0);
    check_from(ranks / 2);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    dunlin_error error;
    assert_int_equal(dunlin_mpi_transport(MPI_COMM_WORLD, NULL, &error), DUNLIN_ERROR_VALUE);
    assert_string_equal(error.message, "transport is NULL: it must point at a dunlin_transport");
}

static void before_mpi_there_is_no_transport(void) {
    dunlin_transport transport;
    dunlin_error error;
    if (dunlin_mpi_transport(MPI_COMM_WORLD, &transport, &error) == DUNLIN_ERROR_VALUE &&
        strcmp(error.message, "MPI is not initialized: call MPI_Init_thread() first") == 0)
        return;
    fprintf(stderr, "a transport without MPI\n");
    exit(1);
}

int main(int argc, char **argv) {
    int level;
    before_mpi_there_is_no_transport();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_refused), cmocka_unit_test(the_transport_works)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) MPI_Abort(MPI_COMM_WORLD, failed);
    MPI_Finalize();
    return 0;
}
