/* SPDX-License-Identifier: MIT */
/**
 * @file dunlin/mpi.h
 * Ranks that are the processes of an MPI communicator: a transport for dunlin_world_create_part().
 *
 * This header and its functions are the component `mpi` of the CMake package, and the library dunlin-mpi. They are built for
 * one implementation of MPI, and the program must use the same.
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
 * worlds have more than one thread: the thread that makes the collective calls is the only one that calls MPI. Messages go over
 * a copy of the communicator, so they never mix with the program's own.
 *
 * Free it with dunlin_mpi_transport_free() after the worlds that use it, and before MPI_Finalize().
 *
 * What MPI reports as an error ends the job, as MPI_ERRORS_ARE_FATAL says.
 *
 * Errors: `transport` is NULL; MPI is not initialized; no memory; more than 65536 ranks.
 */
DUNLIN_API dunlin_result dunlin_mpi_transport(MPI_Comm communicator, dunlin_transport *transport, dunlin_error *error);

/** Frees what the transport uses, and makes it one rank alone; collective. A transport of one rank alone stays as it is. */
DUNLIN_API void dunlin_mpi_transport_free(dunlin_transport *transport);

#ifdef __cplusplus
}
#endif

#endif
