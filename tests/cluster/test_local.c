/* SPDX-License-Identifier: MIT */
/* Ranks that are threads: they all run, their transport works, and what would hang is found. */
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/local.h"
#include "tests/lib/transports.h"
#include "tests/lib/worlds.h"

enum { MOST_RANKS = 9 };

/* ---- calls that do not match ------------------------------------------------------------------------------------------ */

static void return_early(void *context, const dunlin_transport *t) {
    (void)context;
    uint64_t number = 1;
    if (t->rank != 1) t->all_reduce(t->context, &number, 1);
}

static void call_another(void *context, const dunlin_transport *t) {
    (void)context;
    uint64_t number = 1;
    (t->rank == 1 ? t->exclusive_scan : t->all_reduce)(t->context, &number, 1);
}

static void bring_more(void *context, const dunlin_transport *t) {
    (void)context;
    uint64_t numbers[2] = {1, 1};
    t->all_reduce(t->context, numbers, t->rank == 1 ? 2 : 1);
}

static void name_another_root(void *context, const dunlin_transport *t) {
    (void)context;
    char byte = 0;
    t->broadcast(t->context, t->rank == 1 ? 1 : 0, &byte, 1);
}

static void expect_more(void *context, const dunlin_transport *t) {
    (void)context;
    const char out[3] = {0};
    char in[4];
    const uint64_t bytes[3] = {t->rank != 0, t->rank != 1, t->rank != 2};
    uint64_t in_bytes[3] = {bytes[0], bytes[1], bytes[2]};
    if (t->rank == 1) in_bytes[2] = 2;
    t->exchange(t->context, out, bytes, in, in_bytes);
}

static void send_to_oneself(void *context, const dunlin_transport *t) {
    (void)context;
    const uint64_t bytes[3] = {1, 1, 1};
    char in[3];
    t->exchange(t->context, "abc", bytes, in, bytes);
}

/* In another process, which must end at once and by abort(). */
static void aborts(dun_local_fn *function) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        alarm(60);
        dun_local_run(3, function, NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

/* First, while the process has one thread to fork. */
TEST(calls_that_do_not_match_abort) {
    aborts(return_early);
    aborts(call_another);
    aborts(bring_more);
    aborts(name_another_root);
    aborts(expect_more);
    aborts(send_to_oneself);
}

/* ---- ranks that do their work ------------------------------------------------------------------------------------------ */

static void count_rank(void *context, const dunlin_transport *transport) {
    atomic_int *const counts = context;
    atomic_fetch_add(&counts[transport->rank], 1);
    atomic_fetch_add(&counts[MOST_RANKS], (int)transport->ranks);
}

TEST(every_rank_runs_once) {
    for (uint32_t ranks = 1; ranks <= MOST_RANKS; ranks++) {
        atomic_int counts[MOST_RANKS + 1] = {0};
        dun_local_run(ranks, count_rank, counts);
        for (uint32_t r = 0; r < MOST_RANKS; r++) assert_int_equal(counts[r], r < ranks);
        assert_int_equal(counts[MOST_RANKS], ranks * ranks);
    }
}

static void check(void *context, const dunlin_transport *transport) {
    (void)context;
    check_transport(transport);
}

TEST(the_transport_works) {
    for (uint32_t ranks = 1; ranks <= MOST_RANKS; ranks++) dun_local_run(ranks, check, NULL);
}
