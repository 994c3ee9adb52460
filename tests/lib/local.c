/* SPDX-License-Identifier: MIT */
/*
 * Every call of the transport is a meeting of all ranks:
 *
 *   offer     each rank lays out where the others find what it brings
 *   wait      until all have: now every offer is complete, and no rank changes what it brings
 *   take      each rank copies what it needs straight from the others' buffers
 *   wait      until all have: now each rank may change its own buffers, and call again
 *
 * Nothing is allocated, and ranks share nothing but offers, so threads only meet at the lock of the meeting.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "tests/lib/local.h"

enum { SUMS = 256 /* numbers that a rank adds up at once, before it writes them over its own */ };

typedef enum call_kind {
    CALL_ALL_TO_ALL,
    CALL_EXCHANGE,
    CALL_ALL_REDUCE,
    CALL_EXCLUSIVE_SCAN,
    CALL_BROADCAST,
    CALL_RETURN
} call_kind;

typedef struct offer {
    call_kind call;
    uint64_t count; /* numbers or bytes, where all ranks have as many; otherwise 0 */
    uint32_t root;
    const void *data;
    const uint64_t *bytes; /* [ranks] of `data`, for each rank */
} offer;

typedef struct meeting {
    uint32_t ranks;
    pthread_mutex_t lock;
    pthread_cond_t all_came;
    uint32_t came;
    uint64_t number; /* of waits that are over */
    struct local_rank *rank;
} meeting;

typedef struct local_rank {
    meeting *meeting;
    pthread_t thread;
    dunlin_transport transport;
    dun_local_fn *function;
    void *context;
    offer offer;
} local_rank;

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "a transport among threads: %s\n", what);
    abort();
}

static void wait_for_all(meeting *m) {
    pthread_mutex_lock(&m->lock);
    const uint64_t number = m->number;
    if (++m->came == m->ranks) {
        m->came = 0;
        m->number++;
        pthread_cond_broadcast(&m->all_came);
    }
    while (m->number == number) pthread_cond_wait(&m->all_came, &m->lock);
    pthread_mutex_unlock(&m->lock);
}

/* Shows the others what this rank brings, and waits for what they bring. */
static void meet(local_rank *own, offer brought) {
    const meeting *m = own->meeting;
    own->offer = brought;
    wait_for_all(own->meeting);
    for (uint32_t r = 0; r < m->ranks; r++) {
        const offer *other = &m->rank[r].offer;
        if (other->call != brought.call) give_up("ranks make different calls, or one has returned");
        if (other->count != brought.count || other->root != brought.root) give_up("ranks call with different arguments");
    }
}

static void copy(void *to, const void *from, uint64_t bytes) {
    if (bytes > 0) memcpy(to, from, bytes); /* without any, both may be NULL */
}

/* ---- the transport's functions ---------------------------------------------------------------------------------------- */

static void local_all_to_all(void *context, const uint64_t *out, uint64_t *in, uint32_t count) {
    local_rank *own = context;
    const meeting *m = own->meeting;
    meet(own, (offer){.call = CALL_ALL_TO_ALL, .count = count, .data = out});
    for (uint32_t r = 0; r < m->ranks; r++) {
        const uint64_t *offered = m->rank[r].offer.data;
        memcpy(in + (size_t)r * count, offered + (size_t)own->transport.rank * count, count * sizeof *in);
    }
    wait_for_all(own->meeting);
}

/* Where what one rank sends to another begins among all that it sends. */
static const char *sent(const offer *from, uint32_t to) {
    uint64_t before = 0;
    for (uint32_t r = 0; r < to; r++) before += from->bytes[r];
    return before > 0 ? (const char *)from->data + before : from->data;
}

static void local_exchange(void *context, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes) {
    local_rank *own = context;
    const meeting *m = own->meeting;
    const uint32_t rank = own->transport.rank;
    char *to = in;
    if (out_bytes[rank] || in_bytes[rank]) give_up("a rank sends to itself");
    meet(own, (offer){.call = CALL_EXCHANGE, .data = out, .bytes = out_bytes});
    for (uint32_t r = 0; r < m->ranks; r++) {
        const offer *from = &m->rank[r].offer;
        if (from->bytes[rank] != in_bytes[r]) give_up("a rank sends more or fewer bytes than the other expects");
        if (in_bytes[r] == 0) continue;
        copy(to, sent(from, rank), in_bytes[r]);
        to += in_bytes[r];
    }
    wait_for_all(own->meeting);
}

/* Adds up the numbers of the ranks below `end`. They are written over a rank's own once all have read them. */
static void add_up(local_rank *own, call_kind call, uint32_t end, uint64_t *numbers, uint32_t count) {
    const meeting *m = own->meeting;
    for (uint32_t begin = 0; begin < count; begin += SUMS) {
        const uint32_t some = count - begin < SUMS ? count - begin : SUMS;
        uint64_t sums[SUMS] = {0};
        meet(own, (offer){.call = call, .count = count, .data = numbers + begin});
        for (uint32_t r = 0; r < end; r++) {
            const uint64_t *from = m->rank[r].offer.data;
            for (uint32_t i = 0; i < some; i++) sums[i] += from[i];
        }
        wait_for_all(own->meeting);
        memcpy(numbers + begin, sums, some * sizeof *sums);
    }
}

static void local_all_reduce(void *context, uint64_t *numbers, uint32_t count) {
    local_rank *own = context;
    add_up(own, CALL_ALL_REDUCE, own->meeting->ranks, numbers, count);
}

static void local_exclusive_scan(void *context, uint64_t *numbers, uint32_t count) {
    local_rank *own = context;
    add_up(own, CALL_EXCLUSIVE_SCAN, own->transport.rank, numbers, count);
}

static void local_broadcast(void *context, uint32_t root, void *bytes, uint64_t count) {
    local_rank *own = context;
    meet(own, (offer){.call = CALL_BROADCAST, .count = count, .root = root, .data = bytes});
    if (own->transport.rank != root) copy(bytes, own->meeting->rank[root].offer.data, count);
    wait_for_all(own->meeting);
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

static void *run_rank(void *context) {
    local_rank *own = context;
    own->function(own->context, &own->transport);
    meet(own, (offer){.call = CALL_RETURN});
    return NULL;
}

static dunlin_transport transport_of(local_rank *own, uint32_t rank, uint32_t ranks) {
    return (dunlin_transport){.cookie = DUN_COOKIE,
                              .context = own,
                              .rank = rank,
                              .ranks = ranks,
                              .all_to_all = local_all_to_all,
                              .exchange = local_exchange,
                              .all_reduce = local_all_reduce,
                              .exclusive_scan = local_exclusive_scan,
                              .broadcast = local_broadcast};
}

void dun_local_run(uint32_t ranks, dun_local_fn *function, void *context) {
    meeting m = {.ranks = ranks, .rank = calloc(ranks, sizeof *m.rank)};
    if (!m.rank) give_up("no memory");
    pthread_mutex_init(&m.lock, NULL);
    pthread_cond_init(&m.all_came, NULL);
    for (uint32_t r = 0; r < ranks; r++) {
        local_rank *rank = &m.rank[r];
        *rank = (local_rank){.meeting = &m, .function = function, .context = context};
        rank->transport = transport_of(rank, r, ranks);
        if (pthread_create(&rank->thread, NULL, run_rank, rank)) give_up("no thread");
    }
    for (uint32_t r = 0; r < ranks; r++) pthread_join(m.rank[r].thread, NULL);
    pthread_cond_destroy(&m.all_came);
    pthread_mutex_destroy(&m.lock);
    free(m.rank);
}
