/* SPDX-License-Identifier: MIT */
/*
 * Each thread has its own part of the memory, which it touches first, so that its pages are close. A cache is measured with
 * half of it in use, memory with four times the last cache, or 256 MiB if that is more and the machine can spare it. As in
 * ceilings.c the best repeat counts, because nothing makes memory faster than it is.
 */
#include "harness/roofline/ceilings.h"

#include "harness/report/clock.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CACHES = 3, MAX_REPEATS = 64, PAGE = 4096 };
static const uint64_t min_memory = UINT64_C(256) << 20;
static const double pass_seconds = 1e-3; /* long against a barrier */

typedef struct team {
    int threads;
    size_t count;  /* floats per thread, a multiple of LOOPS_BLOCK */
    size_t stride; /* the same in whole pages */
    float *memory; /* [threads][stride] */
} team;

/* Seconds from when all threads begin until the last one ends. `moving`: for how many of them a thread moved bytes, on average.
 */
static double time_passes(const team *t, move_fn *move, int passes, double *moving) {
    double begin = 0.0, end = 0.0, busy = 0.0;
#pragma omp parallel num_threads(t->threads) reduction(+ : busy)
    {
        float *mine = t->memory + (size_t)omp_get_thread_num() * t->stride;
#pragma omp barrier
#pragma omp master
        begin = clock_seconds();
#pragma omp barrier
        const double moves_begin = clock_thread_seconds();
        for (int i = 0; i < passes; i++) move(mine, t->count);
        busy = clock_thread_seconds() - moves_begin;
#pragma omp barrier
#pragma omp master
        end = clock_seconds();
    }
    *moving = busy / t->threads;
    return end - begin;
}

/* Doubles the passes until threads move bytes for long enough, compared with a barrier. The fastest repeat decides: others may
 * be disturbed. `share` falls to the part of it for which threads moved bytes, if that is less. */
static ceiling measure_move(const team *t, move_fn *move, int repeats, double *share) {
    if (!move) return (ceiling){0};
    double rates[MAX_REPEATS] = {0.0};
    for (int passes = 1;; passes *= 2) {
        const double bytes = (double)t->count * sizeof(float) * t->threads * passes;
        double min = HUGE_VAL, min_moving = HUGE_VAL, share_of_min = 1.0, moving;
        for (int i = 0; i < repeats && (min_moving >= pass_seconds / 2 || i < 3); i++) {
            const double seconds = time_passes(t, move, passes, &moving);
            if (seconds < min) share_of_min = moving / seconds;
            min = fmin(min, seconds);
            min_moving = fmin(min_moving, moving);
            rates[i] = bytes / seconds;
        }
        if (min_moving < pass_seconds / 2 && passes < 1 << 24) continue;
        *share = fmin(*share, share_of_min);
        return ceiling_of(rates, repeats);
    }
}

/* false: OpenMP grants fewer threads. */
static bool touch_memory(const team *t) {
    bool complete = true;
#pragma omp parallel num_threads(t->threads) reduction(&& : complete)
    {
        memset(t->memory + (size_t)omp_get_thread_num() * t->stride, 0, t->stride * sizeof(float));
        complete = omp_get_num_threads() == t->threads;
    }
    return complete;
}

/* This and the following return NULL, or why nothing was measured. */
static const char *measure_bytes(level_bandwidth *level, const roofline_loops *loops, uint64_t bytes, int repeats) {
    const size_t page = PAGE / sizeof(float);
    team t = {.threads = level->threads};
    t.count = bytes / sizeof(float) / (size_t)t.threads / LOOPS_BLOCK * LOOPS_BLOCK;
    t.stride = (t.count + page - 1) / page * page;
    level->bytes = (uint64_t)t.count * sizeof(float) * (uint64_t)t.threads;
    if (t.count == 0) return "too small for so many threads";
    t.memory = aligned_alloc(PAGE, (size_t)t.threads * t.stride * sizeof(float));
    const bool is_ready = t.memory && touch_memory(&t);
    level->processor_share = 1.0;
    for (int kind = 0; kind < BANDWIDTH_KINDS && is_ready; kind++)
        level->kinds[kind] = measure_move(&t, loops->moves[kind], repeats, &level->processor_share);
    free(t.memory);
    return is_ready ? NULL : "no memory for it, or fewer threads than requested";
}

/* ---- levels ----------------------------------------------------------------------------------------------------------- */

static const machine_cache *find_cache(const machine *host, int level) {
    for (int i = 0; i < host->cache_count; i++) {
        if (host->caches[i].level == level && host->caches[i].bytes > 0) return &host->caches[i];
    }
    return NULL;
}

/* How many such caches the threads use if they are bound to one core after another; 0: unknown. */
static int caches_of(const machine *host, const machine_cache *cache, int threads) {
    if (threads == 1) return 1;
    if (cache->shared_by < 1) return 0;
    const int threads_per_core = host->cores > 0 && host->threads > host->cores ? host->threads / host->cores : 1;
    const int cores = host->cores > 0 && threads > host->cores ? host->cores : threads;
    return (cores * threads_per_core + cache->shared_by - 1) / cache->shared_by;
}

static const char *measure_cache(level_bandwidth *level, const machine *host, const roofline_loops *loops, int repeats) {
    const machine_cache *cache = find_cache(host, level->level);
    if (!cache) return "the system reports no such cache";
    const int caches = caches_of(host, cache, level->threads);
    if (caches == 0) return "the system does not report which threads share it";
    return measure_bytes(level, loops, cache->bytes / 2 * (uint64_t)caches, repeats);
}

static uint64_t last_cache_bytes(const machine *host, int threads) {
    if (host->cache_count == 0) return 0;
    const machine_cache *last = &host->caches[host->cache_count - 1];
    const int caches = caches_of(host, last, threads);
    return last->bytes * (uint64_t)(caches > 0 ? caches : 1);
}

static const char *measure_memory(level_bandwidth *level, const machine *host, const roofline_loops *loops, int repeats,
                                  uint64_t max) {
    const uint64_t caches = last_cache_bytes(host, level->threads);
    uint64_t bytes = 4 * caches > min_memory ? 4 * caches : min_memory;
    if (bytes > max) bytes = max;
    if (bytes < 2 * caches) return "there is too little memory to spare to measure outside the caches";
    return measure_bytes(level, loops, bytes, repeats);
}

int bandwidth_measure(const machine *host, const roofline_loops *loops, int threads, int repeats, uint64_t max_memory,
                      level_bandwidth levels[BANDWIDTH_LEVELS]) {
    level_bandwidth *level = levels;
    if (repeats > MAX_REPEATS) repeats = MAX_REPEATS;
    for (int cache = 1; cache <= MACHINE_CACHES; cache++) {
        if (cache > MIN_CACHES && !find_cache(host, cache)) continue;
        *level = (level_bandwidth){.level = cache, .threads = threads};
        snprintf(level->name, sizeof level->name, "L%d", cache);
        level->missing = measure_cache(level, host, loops, repeats);
        level++;
    }
    *level = (level_bandwidth){.level = BANDWIDTH_MEMORY, .name = "memory", .threads = threads};
    /* A pass through memory takes as long as dozens through a cache, and is as exact. */
    level->missing = measure_memory(level, host, loops, (repeats + 2) / 3, max_memory);
    return (int)(level + 1 - levels);
}

const char *bandwidth_kind_name(bandwidth_kind kind) {
    static const char *const names[] = {"read", "write", "copy", "copy past the caches"};
    return names[kind];
}
