/* SPDX-License-Identifier: MIT */
/**
 * @file dunlin/mpi.h
 * A transport for dunlin_world_create_part(), with the processes of an MPI communicator as ranks. It is the component `mpi` of
 * the CMake package, and the library dunlin-mpi, which is built for one implementation of MPI: the program must use the same.
 */
#ifndef DUNLIN_MPI_H
#define DUNLIN_MPI_H

#include <dunlin/cluster.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a transport of a communicator; collective over it. MPI must have been initialized, with MPI_THREAD_FUNNELED at least if
 * worlds have more than one thread: only the thread that makes the collective calls calls MPI. Messages use a copy of the
 * communicator. An error of MPI ends the job, as MPI_ERRORS_ARE_FATAL says. At most 65536 ranks.
 *
 * Free it with dunlin_mpi_transport_free() after the worlds that use it, and before MPI_Finalize().
 */
DUNLIN_API dunlin_result dunlin_mpi_transport(MPI_Comm communicator, dunlin_transport *transport, dunlin_error *error);

/** Frees what the transport uses, and makes it dunlin_transport_default(); collective. */
DUNLIN_API void dunlin_mpi_transport_free(dunlin_transport *transport);

#ifdef __cplusplus
}
#endif

#endif
