/* SPDX-License-Identifier: MIT */
/*
 * How ceilings are measured.
 *
 * Whatever disturbs a loop (another process, an interrupt, a neighbour on a shared core) makes it slower. Nothing makes it
 * faster than the processor is, but its clock, and that is taken out: the clock's chain runs right before every repeat, so both
 * see the same one. So of all repeats the best is nearest to the truth, for the loop and for the clock alike, and a ceiling a
 * cycle is best over best. A mean would tell of the neighbours. Median and least are kept: they say how quiet the machine was.
 *
 * The clock is known from a chain of integer adds, each of which waits for the one before. That an add's latency is one cycle
 * is the one thing that is assumed here; it holds for every processor that runs our kernels.
 */
#include "ceilings.h"

#include "../clock.h"

#include <dunlin/dunlin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 256 };
static const double chain_seconds = 50e-6; /* long against reading the clock, short against a time slice */
static const double loop_seconds = 100e-6;

static double time_rounds(const loop *l, uint64_t rounds) {
    const double begin = clock_seconds();
    l->run(rounds);
    return clock_seconds() - begin;
}

/* Of a few: one disturbance must not look like work. */
static double least_time(const loop *l, uint64_t rounds) {
    double least = time_rounds(l, rounds);
    for (int i = 0; i < 3; ++i) least = fmin(least, time_rounds(l, rounds));
    return least;
}

/* How many rounds take about so long. */
static uint64_t rounds_for(const loop *l, double seconds) {
    uint64_t rounds = 16;
    while (least_time(l, rounds) < seconds / 2 && rounds < UINT64_C(1) << 40) rounds *= 2;
    return rounds;
}

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

ceiling ceiling_of(double *rates, int count) {
    qsort(rates, (size_t)count, sizeof *rates, compare_numbers);
    return (ceiling){.best = rates[count - 1], .median = rates[count / 2], .least = rates[0]};
}

static ceiling measure_kind(const loop *chain, const loop *l, int repeats, double *best_clock, double *least_clock) {
    double rates[MOST_REPEATS], clocks[MOST_REPEATS];
    const uint64_t chain_rounds = rounds_for(chain, chain_seconds), rounds = rounds_for(l, loop_seconds);
    for (int i = 0; i < repeats; ++i) {
        clocks[i] = (double)chain_rounds * chain->operations / time_rounds(chain, chain_rounds);
        rates[i] = (double)rounds * l->operations / time_rounds(l, rounds);
    }
    const ceiling clock = ceiling_of(clocks, repeats);
    ceiling result = ceiling_of(rates, repeats);
    result.per_cycle = result.best / clock.best;
    if (clock.best > *best_clock) *best_clock = clock.best;
    if (*least_clock == 0.0 || clock.median < *least_clock) *least_clock = clock.median;
    return result;
}

static bool runs_here(const char *kernel) {
    for (int i = 0; i < dunlin_kernel_count(); ++i) {
        const dunlin_kernel_info info = dunlin_kernel_at(i);
        if (strcmp(info.name, kernel) == 0) return info.runs_here;
    }
    return false;
}

static bool has_fma(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma") != 0;
#else
    return true;
#endif
}

width_ceilings ceilings_measure(const char *kernel, int repeats) {
    const roofline_loops *loops = roofline_loops_find(kernel);
    width_ceilings result = {.kernel = kernel, .lanes = loops != NULL ? loops->lanes : 0};
    if (loops == NULL)
        result.missing = "there are no loops for this kernel";
    else if (!runs_here(kernel))
        result.missing = "this processor has no such instructions";
    if (result.missing != NULL) return result;
    if (repeats > MOST_REPEATS) repeats = MOST_REPEATS;
    for (int kind = LOOP_CLOCK + 1; kind < LOOP_KINDS; ++kind) {
        const bool needs_fma = kind == LOOP_FMA || kind == LOOP_MULTIPLY_FMA || kind == LOOP_ADD_FMA;
        if (loops->kinds[kind].run == NULL || (needs_fma && !has_fma())) continue;
        result.kinds[kind] =
            measure_kind(&loops->kinds[LOOP_CLOCK], &loops->kinds[kind], repeats, &result.clock, &result.clock_least);
    }
    return result;
}

const char *ceilings_kind_name(loop_kind kind) {
    static const char *const names[LOOP_KINDS] = {
        [LOOP_CLOCK] = "cycles",
        [LOOP_ADD] = "adds",
        [LOOP_MULTIPLY] = "multiplies",
        [LOOP_ADD_MULTIPLY] = "adds and multiplies, 1 : 1",
        [LOOP_ADD_ADD_MULTIPLY] = "adds and multiplies, 2 : 1",
        [LOOP_ADD_MULTIPLY_MULTIPLY] = "adds and multiplies, 1 : 2",
        [LOOP_FMA] = "fused multiply-adds (FMAs)",
        [LOOP_MULTIPLY_FMA] = "multiplies and FMAs, 1 : 1",
        [LOOP_ADD_FMA] = "adds and FMAs, 1 : 1",
        [LOOP_COMPARE] = "comparisons",
        [LOOP_MAX] = "maxima",
        [LOOP_ADD_COMPARE] = "adds and comparisons, 2 : 1",
        [LOOP_LOGIC] = "mask logic",
        [LOOP_ADD_LOGIC] = "adds and mask logic, 1 : 1",
        [LOOP_INTEGER] = "masked counts",
        [LOOP_MIX] = "adds, multiplies, mask logic",
        [LOOP_DIVIDE] = "divides",
        [LOOP_ROOT] = "square roots",
        [LOOP_DIVIDE_ROOT] = "divides and roots, 1 : 1",
        [LOOP_LOAD] = "loads",
        [LOOP_BROADCAST] = "broadcast loads",
        [LOOP_STORE] = "stores",
        [LOOP_ISSUE] = "arithmetic or logic, and loads, 2 : 1",
    };
    return names[kind];
}
