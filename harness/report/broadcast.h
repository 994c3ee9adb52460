/* SPDX-License-Identifier: MIT */
/*
 * What rank 0 has read, for all ranks: files are read once, and need not be on every machine. Like sections.h this file uses
 * the public headers alone, so that libraries include it, too.
 */
#ifndef DUNLIN_HARNESS_BROADCAST_H
#define DUNLIN_HARNESS_BROADCAST_H

#include <dunlin/cluster.h>

#include <stdio.h>
#include <stdlib.h>

/* Gives all ranks the bytes of rank 0 that *bytes points at, unless it has failed; collective. Others get memory for them,
 * which they free. An error of one rank is that of all. */
static inline dunlin_result broadcast_bytes(const dunlin_transport *transport, dunlin_result result, char **bytes,
                                            size_t *count, dunlin_error *error) {
    uint64_t length = *count;
    result = dunlin_agree(transport, result, error);
    if (result || transport->ranks == 1) return result;
    transport->broadcast(transport->context, 0, &length, sizeof length);
    *count = (size_t)length;
    if (transport->rank > 0) *bytes = malloc((size_t)length + 1);
    if (!*bytes && length > 0) {
        *error = (dunlin_error){.code = DUNLIN_ERROR_MEMORY};
        snprintf(error->message, sizeof error->message, "no memory for what rank 0 has read");
        result = DUNLIN_ERROR_MEMORY;
    }
    result = dunlin_agree(transport, result, error);
    if (!result) transport->broadcast(transport->context, 0, *bytes, length);
    return result;
}

#endif
