/* SPDX-License-Identifier: MIT */
/*
 * How ceilings are measured.
 *
 * Every disturbance of a loop (another process, an interrupt, another user of a shared core) makes it slower. Only a faster
 * clock makes it faster, and that is divided out: the clock is measured right before every repeat. So the best of all repeats
 * is closest to the truth, for the loop and for the clock, and the ceiling per cycle is best over best. A mean would measure
 * the disturbances. The median and the minimum are kept, because they say how quiet the machine was.
 *
 * The clock follows from a chain of integer adds, each of which waits for the one before. The only assumption is that an add
 * has a latency of one cycle, as it has on every processor that runs our kernels.
 */
#include "harness/roofline/ceilings.h"

#include "harness/command/kernel_names.h"
#include "harness/report/clock.h"
#include "harness/report/statistics.h"

#include <dunlin/dunlin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 256 };
static const double chain_seconds = 50e-6; /* long against reading the clock, short against a time slice */
static const double loop_seconds = 100e-6;

static double time_rounds(const loop *l, uint64_t rounds) {
    const double begin = clock_seconds();
    l->run(rounds);
    return clock_seconds() - begin;
}

/* The minimum of a few, so that one disturbance does not look like work. */
static double min_time(const loop *l, uint64_t rounds) {
    double min = time_rounds(l, rounds);
    for (int i = 0; i < 3; i++) min = fmin(min, time_rounds(l, rounds));
    return min;
}

/* The number of rounds that take about so long. */
static uint64_t rounds_for(const loop *l, double seconds) {
    uint64_t rounds = 16;
    while (min_time(l, rounds) < seconds / 2 && rounds < UINT64_C(1) << 40) rounds *= 2;
    return rounds;
}

ceiling ceiling_of(double *rates, int count) {
    spread of = spread_of(rates, count);
    return (ceiling){.best = of.high, .median = of.median, .min = of.low};
}

static bool has_fma(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma") != 0;
#else
    return true;
#endif
}

/* A loop, and the clock beside it. */
typedef struct samples {
    const loop *loop;
    uint64_t rounds;
    double rates[MAX_REPEATS], clocks[MAX_REPEATS];
} samples;

static bool has_kind(const roofline_loops *loops, int kind) {
    const bool needs_fma = kind == LOOP_FMA || kind == LOOP_MULTIPLY_FMA || kind == LOOP_ADD_FMA;
    return kind != LOOP_CLOCK && loops->kinds[kind].run && (!needs_fma || has_fma());
}

/* All kinds in turn, repeat by repeat: a disturbance may last longer than all repeats of one kind. */
static void take_samples(const loop *chain, samples of[LOOP_KINDS], int repeats) {
    const uint64_t chain_rounds = rounds_for(chain, chain_seconds);
    for (int i = 0; i < repeats; i++) {
        for (int kind = 0; kind < LOOP_KINDS; kind++) {
            samples *s = &of[kind];
            if (!s->loop) continue;
            s->clocks[i] = (double)chain_rounds * chain->operations / time_rounds(chain, chain_rounds);
            s->rates[i] = (double)s->rounds * s->loop->operations / time_rounds(s->loop, s->rounds);
        }
    }
}

static void sum_up(width_ceilings *result, samples of[LOOP_KINDS], int repeats) {
    for (int kind = 0; kind < LOOP_KINDS; kind++) {
        if (!of[kind].loop) continue;
        const ceiling clock = ceiling_of(of[kind].clocks, repeats);
        ceiling *rate = &result->kinds[kind];
        *rate = ceiling_of(of[kind].rates, repeats);
        rate->per_cycle = rate->best / clock.best;
        if (clock.best > result->clock) result->clock = clock.best;
        if (result->clock_min == 0.0 || clock.median < result->clock_min) result->clock_min = clock.median;
    }
}

static const char *reason_to_skip(const roofline_loops *loops, const char *kernel) {
    if (!loops) return "there are no loops for this kernel";
    return kernel_find(kernel).runs_here ? NULL : "this processor has no such instructions";
}

width_ceilings ceilings_measure(const char *kernel, int repeats) {
    const roofline_loops *loops = roofline_loops_find(kernel);
    width_ceilings result = {.kernel = kernel, .lanes = loops ? loops->lanes : 0};
    result.missing = reason_to_skip(loops, kernel);
    samples *of = !result.missing ? calloc(LOOP_KINDS, sizeof *of) : NULL;
    if (!result.missing && !of) result.missing = "no memory";
    if (!of) return result;
    if (repeats > MAX_REPEATS) repeats = MAX_REPEATS;
    for (int kind = 0; kind < LOOP_KINDS; kind++) {
        if (!has_kind(loops, kind)) continue;
        of[kind].loop = &loops->kinds[kind];
        of[kind].rounds = rounds_for(of[kind].loop, loop_seconds);
    }
    take_samples(&loops->kinds[LOOP_CLOCK], of, repeats);
    sum_up(&result, of, repeats);
    free(of);
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
