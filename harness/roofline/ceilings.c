/* SPDX-License-Identifier: MIT */
/*
 * Every disturbance of a loop (another process, an interrupt, another user of a shared core) makes it slower, and nothing makes
 * it faster than the machine is. So the best of all repeats is closest to the truth; a mean would measure the disturbances.
 *
 * The clock follows from a chain of integer adds, each of which waits for the one before. The only assumption is that an add
 * has a latency of one cycle, as it has on every processor that runs our kernels.
 */
#include "harness/roofline/ceilings.h"

#include "harness/command/kernel_names.h"
#include "harness/report/clock.h"

#include "roofline_kernels.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- instructions ----------------------------------------------------------------------------------------------------- */

static const double loop_seconds = 100e-6; /* long against reading the clock, short against a time slice */

#define DECLARE(name) extern const roofline_loops roofline_loops_##name;
ROOFLINE_KERNELS(DECLARE)

static const roofline_loops *find_loops(const char *kernel) {
#define ENTRY(name)                                                                                                            \
    if (strcmp(kernel, #name) == 0) return &roofline_loops_##name;
    ROOFLINE_KERNELS(ENTRY)
    return NULL;
}

const char *ceilings_kind_name(loop_kind kind) {
#define NAME(kind, function, name) [LOOP_##kind] = name,
    static const char *const names[LOOP_KINDS] = {LOOP_LIST(NAME)};
    return names[kind];
}

static bool has_fma(void) {
#if defined(__x86_64__)
    return kernel_find("avx2").runs_here; /* which needs both */
#else
    return true;
#endif
}

static bool has_kind(const roofline_loops *loops, int kind) {
    const bool needs_fma = kind == LOOP_FMA || kind == LOOP_ADD_FMA;
    return loops->loops[kind] && (!needs_fma || has_fma());
}

static double measure_rate(loop_fn *loop, uint64_t rounds) {
    const double begin = clock_seconds();
    const uint64_t operations = loop(rounds);
    return (double)operations / (clock_seconds() - begin);
}

/* The number of rounds that take about as long as they should. The fastest of a few tries counts. */
static uint64_t rounds_for(loop_fn *loop) {
    const double operations = (double)loop(1);
    uint64_t rounds = 16;
    for (double best = 0.0; rounds < UINT64_C(1) << 40; rounds *= 2) {
        for (int i = 0; i < 4; i++) best = fmax(best, measure_rate(loop, rounds));
        if ((double)rounds * operations >= best * loop_seconds) break;
    }
    return rounds;
}

/* All kinds in turn, repeat by repeat: a disturbance may last longer than all repeats of one kind. */
kernel_ceilings ceilings_measure(const char *kernel, int repeats) {
    const roofline_loops *of = find_loops(kernel);
    kernel_ceilings c = {{0.0}};
    uint64_t rounds[LOOP_KINDS] = {0};
    if (!of || !kernel_find(kernel).runs_here) return c;
    for (int kind = 0; kind < LOOP_KINDS; kind++)
        if (has_kind(of, kind)) rounds[kind] = rounds_for(of->loops[kind]);
    for (int i = 0; i < repeats * LOOP_KINDS; i++) {
        const int kind = i % LOOP_KINDS;
        if (rounds[kind] > 0) c.per_second[kind] = fmax(c.per_second[kind], measure_rate(of->loops[kind], rounds[kind]));
    }
    return c;
}

/* ---- bandwidth -------------------------------------------------------------------------------------------------------- */

/* Memory of zeros, a part for each thread, which touches it first, so that its pages are close. */
typedef struct team {
    int threads, passes;
    size_t bytes; /* per thread */
    char *memory;
} team;

/* The C library has the fastest loops for these on every processor. A search that finds nothing reads all. */
static void move(char *memory, size_t bytes, bandwidth_kind kind) {
    if (kind == BANDWIDTH_READ)
        memory = memchr(memory, 1, bytes);
    else if (kind == BANDWIDTH_WRITE)
        memset(memory, 0, bytes);
    else
        memcpy(memory + bytes / 2, memory, bytes / 2);
    __asm__ volatile("" : : "r"(memory) : "memory");
}

/* Seconds from when all threads begin until the last one ends. */
static double time_passes(const team *t, bandwidth_kind kind) {
    double begin = 0.0, end = 0.0;
#pragma omp parallel num_threads(t->threads)
    {
        char *mine = t->memory + (size_t)omp_get_thread_num() * t->bytes;
#pragma omp barrier
#pragma omp master
        begin = clock_seconds();
#pragma omp barrier
        for (int i = 0; i < t->passes; i++) move(mine, t->bytes, kind);
#pragma omp barrier
#pragma omp master
        end = clock_seconds();
    }
    return end - begin;
}

bandwidths bandwidth_measure(double bytes, int threads, int repeats) {
    enum { PAGE = 4096 };
    const double least = 32e6; /* bytes per repeat and thread: milliseconds, which is long against a barrier */
    bandwidths found = {{0.0}};
    team t = {.threads = threads, .bytes = PAGE * (size_t)ceil(bytes / threads / PAGE)};
    t.passes = (int)ceil(least / (double)t.bytes);
    t.memory = aligned_alloc(PAGE, (size_t)threads * t.bytes);
    if (!t.memory) return found;
    time_passes(&t, BANDWIDTH_WRITE);
    for (int i = 0; i < repeats * BANDWIDTH_KINDS; i++) {
        const bandwidth_kind kind = (bandwidth_kind)(i % BANDWIDTH_KINDS);
        const double moved = (double)t.bytes * threads * t.passes;
        found.per_second[kind] = fmax(found.per_second[kind], moved / time_passes(&t, kind));
    }
    free(t.memory);
    return found;
}
