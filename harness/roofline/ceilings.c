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
#include "harness/roofline/ceilings.h"

#include "harness/command/kernel_names.h"
#include "harness/report/clock.h"
#include "harness/report/statistics.h"

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
    for (int i = 0; i < 3; i++) least = fmin(least, time_rounds(l, rounds));
    return least;
}

/* How many rounds take about so long. */
static uint64_t rounds_for(const loop *l, double seconds) {
    uint64_t rounds = 16;
    while (least_time(l, rounds) < seconds / 2 && rounds < UINT64_C(1) << 40) rounds *= 2;
    return rounds;
}

ceiling ceiling_of(double *rates, int count) {
    spread of = spread_of(rates, count);
    return (ceiling){.best = of.high, .median = of.median, .least = of.low};
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
    double rates[MOST_REPEATS], clocks[MOST_REPEATS];
} samples;

static bool has_kind(const roofline_loops *loops, int kind) {
    const bool needs_fma = kind == LOOP_FMA || kind == LOOP_MULTIPLY_FMA || kind == LOOP_ADD_FMA;
    return kind != LOOP_CLOCK && loops->kinds[kind].run && (!needs_fma || has_fma());
}

/* Repeat by repeat, all kinds in turn: who shares the core may stay for longer than all repeats of one kind would take. */
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
        if (result->clock_least == 0.0 || clock.median < result->clock_least) result->clock_least = clock.median;
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
    if (!result.missing && !of) result.missing = "no memory to measure in";
    if (!of) return result;
    if (repeats > MOST_REPEATS) repeats = MOST_REPEATS;
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
