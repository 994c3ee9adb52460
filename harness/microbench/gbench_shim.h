/* SPDX-License-Identifier: MIT */
/*
 * Google Benchmark for C: benchmarks are structs of functions, registered from tables and run by gbench_run().
 *
 * Only `run` is timed: it gets the number of iterations and loops itself. The library reads its clocks once before that call
 * and once after it, and does nothing in between. So it does not matter to an iteration
 * how the library was compiled. Debian compiles it with assertions, and it calls itself a debug build; that can only change the
 * few microseconds of reading the clocks, in a measurement of half a second. tests/program/test_gbench_shim.c measures it.
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
    const char *name; /* "kernel/avx2/2d"; copied */
    const void *user; /* passed to the functions; must outlive gbench_run() */

    /* Before and after a measurement, not timed; NULL: nothing to do. A setup that fails calls gbench_fail() and returns false;
     * then there is no run and no report, but a teardown. */
    bool (*setup)(const void *user, gbench_state *state);
    void (*report)(const void *user, gbench_state *state); /* counters */
    void (*teardown)(const void *user);

    void (*run)(const void *user, int64_t iterations); /* all that is timed; iterations >= 1 */
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

/* Makes the measurement void, and gbench_run() return 1; `message` is copied. */
void gbench_fail(gbench_state *state, const char *message);

typedef enum gbench_kind {
    GBENCH_PLAIN = 0, /* the value */
    GBENCH_RATE,      /* the value per second: give the total over all iterations */
    GBENCH_TIME_EACH  /* seconds for one: give the total */
} gbench_kind;

/* For report only. The counter "items_per_second" has a column of its own. */
void gbench_counter(gbench_state *state, const char *name, double value, gbench_kind kind);

#ifdef __cplusplus
}
#endif

#endif
