/* SPDX-License-Identifier: MIT */
#include "tests/lib/transports.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/ranks.h"

enum { ROUNDS = 24, MOST_NUMBERS = 1000, LONG_MESSAGE = 300007, CANARY = 0xa5 };

/* What a rank brings to a round: each rank can compute what the others bring. */
static uint64_t number_of(uint32_t rank, uint32_t round, uint64_t i) {
    uint64_t hash = (((uint64_t)rank << 32 | round) + 1) * 0x9e3779b97f4a7c15u + (i + 1) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 31) * 0x94d049bb133111ebu;
    return hash ^ hash >> 29; /* of 64 bits, so that sums wrap around */
}

static uint8_t byte_of(uint32_t from, uint32_t to, uint32_t round, uint64_t i) {
    return (uint8_t)number_of(from, round, i * 65536 + to);
}

/* Some ranks come late. */
static void tarry(const dunlin_transport *t, uint32_t round) {
    for (uint64_t i = number_of(t->rank, round, 77) % 4; i > 0; i--) sched_yield();
}

static uint8_t *bytes_new(uint64_t count) {
    uint8_t *bytes = malloc(count + 1);
    ASSERT_ON_RANK(bytes);
    memset(bytes, CANARY, count + 1);
    return bytes;
}

static void check_tell(const dunlin_transport *t, uint32_t round) {
    const uint32_t count = 1 + round % 5;
    uint64_t *out = calloc(t->ranks * count, sizeof *out), *in = calloc(t->ranks * count, sizeof *in);
    ASSERT_ON_RANK(out && in);
    for (uint32_t i = 0; i < t->ranks * count; i++) out[i] = number_of(t->rank, round, i);
    t->all_to_all(t->context, out, in, count);
    for (uint32_t i = 0; i < t->ranks * count; i++) {
        ASSERT_ON_RANK(in[i] == number_of(i / count, round, t->rank * count + i % count));
        ASSERT_ON_RANK(out[i] == number_of(t->rank, round, i));
    }
    free(out);
    free(in);
}

/* ---- messages --------------------------------------------------------------------------------------------------------- */

/* The bytes of a message: by round, nothing at all, only between neighbours, all to one, one to all, any, long. */
static uint64_t length_of(uint32_t from, uint32_t to, uint32_t ranks, uint32_t round) {
    static const uint64_t lengths[] = {0, 1, 3, 8, 64, 1000, 4097, 30001};
    const uint32_t one = round % ranks;
    const uint64_t any = lengths[number_of(from, round, to) % (sizeof lengths / sizeof *lengths)];
    if (from == to) return 0;
    switch (round % 6) {
    case 0:
        return 0;
    case 1:
        return (from + 1) % ranks == to || (to + 1) % ranks == from ? 12 * (from + 1) : 0;
    case 2:
        return to == one ? any : 0;
    case 3:
        return from == one ? any : 0;
    case 4:
        return any;
    default:
        return (from + to) % 2 ? LONG_MESSAGE + from : 5;
    }
}

static uint64_t total(const uint64_t *bytes, uint32_t ranks) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < ranks; r++) sum += bytes[r];
    return sum;
}

static void write_messages(const dunlin_transport *t, uint32_t round, const uint64_t *bytes, uint8_t *to) {
    for (uint32_t r = 0; r < t->ranks; r++)
        for (uint64_t i = 0; i < bytes[r]; i++) *to++ = byte_of(t->rank, r, round, i);
}

static void check_messages(const dunlin_transport *t, uint32_t round, const uint64_t *bytes, const uint8_t *from) {
    for (uint32_t r = 0; r < t->ranks; r++)
        for (uint64_t i = 0; i < bytes[r]; i++)
            if (*from++ != byte_of(r, t->rank, round, i)) fail_msg("a wrong byte from rank %u in round %u", r, round);
    ASSERT_ON_RANK(*from == CANARY);
}

static void check_exchange(const dunlin_transport *t, uint32_t round) {
    uint64_t *out_bytes = calloc(t->ranks, sizeof *out_bytes), *in_bytes = calloc(t->ranks, sizeof *in_bytes);
    ASSERT_ON_RANK(out_bytes && in_bytes);
    for (uint32_t r = 0; r < t->ranks; r++) {
        out_bytes[r] = length_of(t->rank, r, t->ranks, round);
        in_bytes[r] = length_of(r, t->rank, t->ranks, round);
    }
    uint8_t *out = bytes_new(total(out_bytes, t->ranks)), *in = bytes_new(total(in_bytes, t->ranks));
    write_messages(t, round, out_bytes, out);
    t->exchange(t->context, out, out_bytes, in, in_bytes);
    memset(out, 0, total(out_bytes, t->ranks)); /* it has been sent */
    check_messages(t, round, in_bytes, in);
    free(out_bytes);
    free(in_bytes);
    free(out);
    free(in);
}

/* Who sends and receives nothing needs no memory. */
static void check_empty_exchange(const dunlin_transport *t) {
    uint64_t *none = calloc(t->ranks, sizeof *none);
    ASSERT_ON_RANK(none);
    t->exchange(t->context, NULL, none, NULL, none);
    free(none);
}

/* ---- sums and broadcasts ---------------------------------------------------------------------------------------------- */

static void check_sums(const dunlin_transport *t, uint32_t round) {
    static const uint32_t counts[] = {1, 0, 2, 255, 256, 257, MOST_NUMBERS};
    const uint32_t count = counts[round % (sizeof counts / sizeof *counts)];
    uint64_t numbers[MOST_NUMBERS + 1], lower[MOST_NUMBERS + 1];
    for (uint32_t i = 0; i <= count; i++) numbers[i] = lower[i] = number_of(t->rank, round, i);
    t->all_reduce(t->context, numbers, count);
    tarry(t, round);
    t->exclusive_scan(t->context, lower, count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sum = 0, below = 0;
        for (uint32_t r = 0; r < t->ranks; r++) {
            if (r < t->rank) below += number_of(r, round, i);
            sum += number_of(r, round, i);
        }
        if (numbers[i] != sum) fail_msg("a wrong sum of number %u in round %u", i, round);
        if (lower[i] != below) fail_msg("a wrong sum over lower ranks of number %u in round %u", i, round);
    }
    ASSERT_ON_RANK(numbers[count] == number_of(t->rank, round, count) && lower[count] == numbers[count]);
}

static void check_broadcast(const dunlin_transport *t, uint32_t round) {
    static const uint64_t counts[] = {1, 0, 8, 1021, LONG_MESSAGE};
    const uint64_t count = counts[round % (sizeof counts / sizeof *counts)];
    const uint32_t root = round % t->ranks;
    uint8_t *bytes = bytes_new(count);
    for (uint64_t i = 0; i < count && t->rank == root; i++) bytes[i] = byte_of(root, 0, round, i);
    t->broadcast(t->context, root, bytes, count);
    for (uint64_t i = 0; i < count; i++)
        if (bytes[i] != byte_of(root, 0, round, i)) fail_msg("a wrong byte of a broadcast in round %u", round);
    ASSERT_ON_RANK(bytes[count] == CANARY);
    free(bytes);
}

void check_transport(const dunlin_transport *t) {
    ASSERT_ON_RANK(t->cookie == WORLD_COOKIE);
    ASSERT_ON_RANK(t->rank < t->ranks);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        tarry(t, round);
        check_tell(t, round);
        tarry(t, round + ROUNDS);
        check_exchange(t, round);
        check_empty_exchange(t);
        tarry(t, round + 2 * ROUNDS);
        check_sums(t, round);
        check_broadcast(t, round);
    }
}
