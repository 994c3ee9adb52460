/* SPDX-License-Identifier: MIT */
/* Ranks that are processes of an MPI job. This is the only file of the library that calls MPI. */
#include <dunlin/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MPI_STATUSES_IGNORE is an address that no array has, and gcc takes it for one. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

/* MPI counts by int, so what is longer goes in pieces. Tests make them short. */
#ifndef DUNLIN_MPI_PIECE
#define DUNLIN_MPI_PIECE (1u << 30) /* bytes */
#endif

enum { MAX_RANKS = 65536, TAG = 1 };

typedef struct link {
    MPI_Comm communicator;
    int ranks;
    MPI_Request *requests; /* [room] */
    size_t room;
} link;

static void all_to_all(void *context, const uint64_t *out, uint64_t *in, uint32_t count) {
    const link *l = context;
    MPI_Alltoall(out, (int)count, MPI_UINT64_T, in, (int)count, MPI_UINT64_T, l->communicator);
}

static size_t pieces_of(uint64_t bytes) {
    return (size_t)(bytes / DUNLIN_MPI_PIECE + (bytes % DUNLIN_MPI_PIECE != 0));
}

/* Without memory for requests nothing can be sent, and the other ranks wait. */
static void reserve(link *l, size_t requests) {
    if (requests <= l->room) return;
    MPI_Request *grown = realloc(l->requests, 2 * requests * sizeof(MPI_Request));
    if (!grown) MPI_Abort(l->communicator, EXIT_FAILURE);
    l->requests = grown;
    l->room = 2 * requests;
}

static int piece_at(uint64_t bytes, uint64_t from) {
    return bytes - from < DUNLIN_MPI_PIECE ? (int)(bytes - from) : (int)DUNLIN_MPI_PIECE;
}

/* MPI keeps the order of messages between two ranks, so pieces need no numbers. */
static void exchange(void *context, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes) {
    link *l = context;
    size_t requests = 0;
    const char *from = out;
    char *to = in;
    for (int r = 0; r < l->ranks; r++) requests += pieces_of(in_bytes[r]) + pieces_of(out_bytes[r]);
    if (requests == 0) return;
    reserve(l, requests);
    requests = 0;
    for (int r = 0; r < l->ranks; to += in_bytes[r++])
        for (uint64_t at = 0; at < in_bytes[r]; at += DUNLIN_MPI_PIECE)
            MPI_Irecv(to + at, piece_at(in_bytes[r], at), MPI_BYTE, r, TAG, l->communicator, &l->requests[requests++]);
    for (int r = 0; r < l->ranks; from += out_bytes[r++])
        for (uint64_t at = 0; at < out_bytes[r]; at += DUNLIN_MPI_PIECE)
            MPI_Isend(from + at, piece_at(out_bytes[r], at), MPI_BYTE, r, TAG, l->communicator, &l->requests[requests++]);
    MPI_Waitall((int)requests, l->requests, MPI_STATUSES_IGNORE);
}

static void all_reduce(void *context, uint64_t *numbers, uint32_t count) {
    const link *l = context;
    if (count) MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, l->communicator);
}

/* What rank 0 gets from MPI_Exscan() is undefined. */
static void exclusive_scan(void *context, uint64_t *numbers, uint32_t count) {
    const link *l = context;
    int rank;
    MPI_Comm_rank(l->communicator, &rank);
    if (count) MPI_Exscan(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, l->communicator);
    if (rank == 0) memset(numbers, 0, count * sizeof *numbers);
}

static void broadcast(void *context, uint32_t root, void *bytes, uint64_t count) {
    const link *l = context;
    for (uint64_t at = 0; at < count; at += DUNLIN_MPI_PIECE)
        MPI_Bcast((char *)bytes + at, piece_at(count, at), MPI_BYTE, (int)root, l->communicator);
}

/* The library's own functions for this are not to be seen from outside of it. */
static dunlin_result fail(dunlin_error *error, dunlin_result code, const char *message) {
    if (!error) return code;
    error->code = code;
    snprintf(error->message, sizeof error->message, "%s", message);
    return code;
}

dunlin_result dunlin_mpi_transport(MPI_Comm communicator, dunlin_transport *transport, dunlin_error *error) {
    int initialized = 0, rank = 0;
    if (!transport) return fail(error, DUNLIN_ERROR_VALUE, "transport is NULL: it must point at a dunlin_transport");
    *transport = dunlin_transport_default();
    MPI_Initialized(&initialized);
    if (!initialized) return fail(error, DUNLIN_ERROR_VALUE, "MPI is not initialized: call MPI_Init_thread() first");
    link *l = calloc(1, sizeof *l);
    if (!l) return fail(error, DUNLIN_ERROR_MEMORY, "no memory for a transport");
    MPI_Comm_size(communicator, &l->ranks);
    MPI_Comm_rank(communicator, &rank);
    if (l->ranks > MAX_RANKS) {
        free(l);
        return fail(error, DUNLIN_ERROR_VALUE, "the communicator has more than 65536 ranks");
    }
    MPI_Comm_dup(communicator, &l->communicator);
    transport->context = l;
    transport->rank = (uint32_t)rank;
    transport->ranks = (uint32_t)l->ranks;
    transport->all_to_all = all_to_all;
    transport->exchange = exchange;
    transport->all_reduce = all_reduce;
    transport->exclusive_scan = exclusive_scan;
    transport->broadcast = broadcast;
    return DUNLIN_OK;
}

void dunlin_mpi_transport_free(dunlin_transport *transport) {
    link *l = transport->context;
    if (l) {
        MPI_Comm_free(&l->communicator);
        free(l->requests);
        free(l);
    }
    *transport = dunlin_transport_default();
}
