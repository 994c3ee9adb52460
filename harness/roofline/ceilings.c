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

#include "roofline_kernels.h"

#include <dunlin/dunlin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 256 };
static const double chain_seconds = 50e-6; /* long against reading the clock, short against a time slice */
static const double loop_seconds = 100e-6;

/* ---- loops ------------------------------------------------------------------------------------------------------------ */

#define DECLARE(name) extern const roofline_loops roofline_loops_##name;
ROOFLINE_KERNELS(DECLARE)

const roofline_loops *roofline_loops_find(const char *kernel) {
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
    const bool needs_fma = kind == LOOP_FMA || kind == LOOP_MULTIPLY_FMA || kind == LOOP_ADD_FMA;
    return kind != LOOP_CLOCK && loops->loops[kind] && (!needs_fma || has_fma());
}

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

static double time_rounds(loop_fn *loop, uint64_t rounds, uint64_t *operations) {
    const double begin = clock_seconds();
    *operations = loop(rounds);
    return clock_seconds() - begin;
}

/* The number of rounds that take about that long. The fastest of a few tries counts, because the others may be disturbed. */
static uint64_t rounds_for(loop_fn *loop, double seconds) {
    uint64_t operations, rounds = 16;
    for (; rounds < UINT64_C(1) << 40; rounds *= 2) {
        double min = HUGE_VAL;
        for (int i = 0; i < 4; i++) min = fmin(min, time_rounds(loop, rounds, &operations));
        if (min >= seconds / 2) break;
    }
    return rounds;
}

static double measure_rate(loop_fn *loop, uint64_t rounds) {
    uint64_t operations;
    const double seconds = time_rounds(loop, rounds, &operations);
    return (double)operations / seconds;
}

/* A loop, and the clock beside it. */
typedef struct samples {
    loop_fn *loop; /* NULL: not measured */
    uint64_t rounds;
    double rates[MAX_REPEATS], clocks[MAX_REPEATS];
} samples;

/* All kinds in turn, repeat by repeat: a disturbance may last longer than all repeats of one kind. */
static void take_samples(loop_fn *chain, samples of[LOOP_KINDS], int repeats) {
    const uint64_t chain_rounds = rounds_for(chain, chain_seconds);
    for (int i = 0; i < repeats; i++) {
        for (samples *s = of; s < of + LOOP_KINDS; s++) {
            if (!s->loop) continue;
            s->clocks[i] = measure_rate(chain, chain_rounds);
            s->rates[i] = measure_rate(s->loop, s->rounds);
        }
    }
}

ceiling ceiling_of(double *rates, int count) {
    const spread of = spread_of(rates, count);
    return (ceiling){.best = of.high, .median = of.median, .min = of.low};
}

static void sum_up(width_ceilings *result, samples of[LOOP_KINDS], int repeats) {
    result->clock_min = HUGE_VAL;
    for (int kind = 0; kind < LOOP_KINDS; kind++) {
        if (!of[kind].loop) continue;
        const ceiling clock = ceiling_of(of[kind].clocks, repeats);
        ceiling *rate = &result->kinds[kind];
        *rate = ceiling_of(of[kind].rates, repeats);
        rate->per_cycle = rate->best / clock.best;
        result->clock = fmax(result->clock, clock.best);
        result->clock_min = fmin(result->clock_min, clock.median);
    }
}

width_ceilings ceilings_measure(const char *kernel, int repeats) {
    const roofline_loops *loops = roofline_loops_find(kernel);
    if (!loops || !kernel_find(kernel).runs_here)
        return (width_ceilings){.kernel = kernel, .missing = "this processor has no such instructions"};
    width_ceilings result = {.kernel = kernel, .lanes = loops->lanes};
    samples *of = calloc(LOOP_KINDS, sizeof *of);
    if (!of) result.missing = "no memory";
    if (!of) return result;
    if (repeats > MAX_REPEATS) repeats = MAX_REPEATS;
    for (int kind = 0; kind < LOOP_KINDS; kind++) {
        if (!has_kind(loops, kind)) continue;
        of[kind].loop = loops->loops[kind];
        of[kind].rounds = rounds_for(of[kind].loop, loop_seconds);
    }
    take_samples(loops->loops[LOOP_CLOCK], of, repeats);
    sum_up(&result, of, repeats);
    free(of);
    return result;
}
