/* SPDX-License-Identifier: MIT */
/* Ranks that are threads of one process: one machine, sanitizers and debuggers see all of a cluster. */
#ifndef DUNLIN_TESTS_LOCAL_H
#define DUNLIN_TESTS_LOCAL_H

#include <dunlin/cluster.h>

/* One rank's work. The transport is valid during the call, for this thread. */
typedef void dun_local_fn(void *context, const dunlin_transport *transport);

/*
 * Calls function(context, …) for each rank, all at the same time, each on a thread of its own, and returns when all calls have
 * returned. Calls of the transport must match: if one rank makes another call than the others, or returns while they make one,
 * the process says so and aborts, where MPI would hang.
 */
void dun_local_run(uint32_t ranks, dun_local_fn *function, void *context);

#endif
