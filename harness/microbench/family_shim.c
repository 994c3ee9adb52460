/* SPDX-License-Identifier: MIT */
/*
 * shim/… checks the measurements themselves. `empty` is an iteration that does nothing, so its time is the overhead.
 * `own_clock` is a row of kernel/… that also times itself: its counter `own_time` must equal the library's time of the row.
 */
#include "harness/microbench/kernel_row.h"
#include "harness/microbench/microbench.h"

#include <stdio.h>
#include <time.h>

/* ---- nothing ---------------------------------------------------------------------------------------------------------- */

static void run_empty(void *user, int64_t iterations) {
    (void)user;
    for (int64_t i = 0; i < iterations; i++) __asm__ volatile(""); /* keeps the loop */
}

/* ---- two clocks ------------------------------------------------------------------------------------------------------- */

typedef struct own_clock_row {
    kernel_row row; /* first, because the kernel row's functions take it */
    double seconds;
} own_clock_row;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void run_with_clock(void *user, int64_t iterations) {
    own_clock_row *row = user;
    double begin = now();
    kernel_row_run(&row->row, iterations);
    row->seconds = now() - begin;
}

static void report_both(void *user, gbench_state *state) {
    own_clock_row *row = user;
    kernel_row_report(&row->row, state);
    gbench_counter(state, "own_time", row->seconds, GBENCH_PER_ITERATION);
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

static bool register_own_clock(const dun_kernel *kernel) {
    own_clock_row row = {.row = {.kernel = kernel, .rules = flock_rules, .dimensions = 2, .neighbours = 20}};
    char name[64];
    snprintf(name, sizeof name, "shim/own_clock/%s", kernel->name);
    void *user = microbench_keep(&row, sizeof row);
    return user && gbench_register(&(gbench_benchmark){.name = name,
                                                       .user = user,
                                                       .real_time = true,
                                                       .setup = kernel_row_setup,
                                                       .run = run_with_clock,
                                                       .report = report_both,
                                                       .teardown = kernel_row_teardown});
}

bool register_shim_rows(void) {
    return gbench_register(&(gbench_benchmark){.name = "shim/empty", .run = run_empty}) &&
           register_for_kernels("shim/own_clock", register_own_clock);
}
