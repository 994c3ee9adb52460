/* SPDX-License-Identifier: MIT */
/*
 * Google Benchmark for C: benchmarks are structs of functions, registered from tables and run by gbench_run().
 *
 * Only `run` is timed: it gets the number of iterations and loops itself. The library reads its clocks once before that call
 * and once after it, and does nothing in between. So it does not matter to an iteration
 * how the library was compiled. Debian compiles it with assertions, and it calls itself a debug build; that can only change the
 * few microseconds of reading the clocks, in a measurement of half a second. Rows `shim/` of dunlin_microbench measure this,
 * and tests/program/test_microbench.c holds them to it.
 *
 * Not thread-safe: everything happens in the thread that calls gbench_run().
 */
#ifndef DUNLIN_HARNESS_GBENCH_SHIM_H
#define DUNLIN_HARNESS_GBENCH_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One measurement: valid until `report` returns. */
typedef struct gbench_state gbench_state;

typedef struct gbench_benchmark {
    const char *name;  /* "kernel/avx2/2d"; copied */
    void *user;        /* passed to the functions; must outlive gbench_run(), unless the next field says more */
    size_t user_bytes; /* > 0: `user` points to so many bytes, of which the benchmark gets a copy */
    bool real_time;    /* rates follow wall time (appends "/real_time"), not the CPU time of the thread */

    /* Before and after a measurement, not timed; NULL: nothing to do. A setup that fails calls gbench_fail() or gbench_skip()
     * and returns false; then there is no run and no report, but a teardown. */
    bool (*setup)(void *user, gbench_state *state);
    void (*report)(void *user, gbench_state *state); /* counters */
    void (*teardown)(void *user);

    void (*run)(void *user, int64_t iterations); /* all that is timed; iterations >= 1 */
} gbench_benchmark;

void gbench_register(const gbench_benchmark *benchmark);

/* Adds a line to the description of the machine, in every output. Later values of a key are ignored. */
void gbench_add_context(const char *key, const char *value);

/*
 * Reads the command line, runs the benchmarks that it selects, and forgets all. All of Google Benchmark's flags work; --help
 * prints `help` before them. Returns the exit status: 0; 1 if a benchmark failed or output cannot be written; 2 if a flag is
 * unknown or the filter matches nothing. The library itself ends the program after --help or a wrong value with 0, and with 1
 * if it cannot open the file of --benchmark_out.
 */
int gbench_run(int argc, char **argv, const char *help);

/* ---- for setup and report --------------------------------------------------------------------------------------------- */

/* The iterations that were timed; in setup 0. */
int64_t gbench_iterations(const gbench_state *state);

/* Makes the measurement void; `message` is copied. A failure makes gbench_run() return 1; a skipped benchmark does not. */
void gbench_fail(gbench_state *state, const char *message);
void gbench_skip(gbench_state *state, const char *message);

/* The total over all iterations, for items_per_second. This and the following are for report only. */
void gbench_items(gbench_state *state, double items);

typedef enum gbench_kind {
    GBENCH_PLAIN = 0,    /* the value */
    GBENCH_RATE,         /* the value per second: give the total */
    GBENCH_TIME_EACH,    /* seconds for one: give the total */
    GBENCH_PER_ITERATION /* the value per iteration: give the total */
} gbench_kind;

void gbench_counter(gbench_state *state, const char *name, double value, gbench_kind kind);

#ifdef __cplusplus
}
#endif

#endif
