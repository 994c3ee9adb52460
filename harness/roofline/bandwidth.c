/* SPDX-License-Identifier: MIT */
/*
 * Each thread has its own stretch of memory, which it touches first, so that its pages are close. A cache is measured with half
 * of it in use, memory with four times the last cache, or 256 MiB if that is more and the machine can spare it. As in
 * ceilings.c the best repeat counts, because nothing makes memory faster than it is.
 */
#include "harness/roofline/bandwidth.h"

#include "harness/report/clock.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CACHES = 3, MAX_REPEATS = 64 };
static const uint64_t min_memory = UINT64_C(256) << 20;
static const double pass_seconds = 1e-3; /* long against a barrier */

typedef struct team {
    const roofline_loops *loops;
    int threads;
    size_t count;   /* floats a thread, a multiple of 2 x LOOPS_BLOCK */
    float **memory; /* [threads] */
} team;

static void pass(const team *t, bandwidth_kind kind, float *mine) {
    const size_t half = t->count / 2;
    switch (kind) {
    case BANDWIDTH_READ:
        t->loops->read(mine, t->count);
        break;
    case BANDWIDTH_WRITE:
        t->loops->write(mine, t->count);
        break;
    case BANDWIDTH_COPY:
        t->loops->copy(mine + half, mine, half);
        break;
    default:
        t->loops->stream(mine + half, mine, half);
        break;
    }
}

/* Seconds from when all threads begin until the last one ends. */
static double time_passes(const team *t, bandwidth_kind kind, int passes) {
    double begin = 0.0, end = 0.0;
#pragma omp parallel num_threads(t->threads)
    {
        float *mine = t->memory[omp_get_thread_num()];
#pragma omp barrier
#pragma omp master
        begin = clock_seconds();
#pragma omp barrier
        for (int i = 0; i < passes; i++) pass(t, kind, mine);
#pragma omp barrier
#pragma omp master
        end = clock_seconds();
    }
    return end - begin;
}

/* More passes if they take too little time beside a barrier, which only undisturbed repeats can tell. */
static ceiling measure_kind(const team *t, bandwidth_kind kind, int repeats) {
    if (kind == BANDWIDTH_STREAM && !t->loops->stream) return (ceiling){0};
    double rates[MAX_REPEATS] = {0.0};
    for (int passes = 1;; passes *= 2) {
        const double bytes = (double)t->count * sizeof(float) * t->threads * passes;
        double min = HUGE_VAL;
        for (int i = 0; i < repeats && (min >= pass_seconds / 2 || i < 3); i++) {
            const double seconds = time_passes(t, kind, passes);
            min = fmin(min, seconds);
            rates[i] = bytes / seconds;
        }
        if (min >= pass_seconds / 2 || passes == 1 << 24) return ceiling_of(rates, repeats);
    }
}

static void drop_memory(team *t) {
    for (int i = 0; t->memory && i < t->threads; i++) free(t->memory[i]);
    free(t->memory);
}

/* false: there is too little memory, or OpenMP grants fewer threads. */
static bool take_memory(team *t) {
    t->memory = calloc((size_t)t->threads, sizeof *t->memory);
    if (!t->memory) return false;
    bool complete = true;
#pragma omp parallel num_threads(t->threads) reduction(&& : complete)
    {
        const size_t bytes = t->count * sizeof(float);
        float *mine = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        if (mine) memset(mine, 0, bytes);
        t->memory[omp_get_thread_num()] = mine;
        complete = mine && omp_get_num_threads() == t->threads;
    }
    return complete;
}

static void measure_bytes(level_bandwidth *level, const roofline_loops *loops, uint64_t bytes, int repeats) {
    const size_t block = (size_t)2 * LOOPS_BLOCK;
    team t = {.loops = loops, .threads = level->threads};
    t.count = bytes / sizeof(float) / (size_t)level->threads / block * block;
    level->bytes = (uint64_t)t.count * sizeof(float) * (uint64_t)t.threads;
    if (t.count == 0) {
        snprintf(level->missing, sizeof level->missing, "too small to be shared by %d threads", level->threads);
    } else if (!take_memory(&t)) {
        snprintf(level->missing, sizeof level->missing, "no memory for it, or fewer threads than requested");
    } else {
        for (int kind = 0; kind < BANDWIDTH_KINDS; kind++) level->kinds[kind] = measure_kind(&t, (bandwidth_kind)kind, repeats);
    }
    drop_memory(&t);
}

/* ---- levels ----------------------------------------------------------------------------------------------------------- */

static const machine_cache *find_cache(const machine *host, int level) {
    for (int i = 0; i < host->cache_count; i++) {
        if (host->caches[i].level == level && host->caches[i].bytes > 0) return &host->caches[i];
    }
    return NULL;
}

/* How many such caches so many threads have, bound to one core after another. 0: unknown. */
static int caches_of(const machine *host, const machine_cache *cache, int threads) {
    if (threads == 1) return 1;
    if (cache->shared_by < 1) return 0;
    const int threads_a_core = host->cores > 0 && host->threads > host->cores ? host->threads / host->cores : 1;
    const int cores = host->cores > 0 && threads > host->cores ? host->cores : threads;
    return (cores * threads_a_core + cache->shared_by - 1) / cache->shared_by;
}

static void measure_cache(level_bandwidth *level, const machine *host, const roofline_loops *loops, int repeats) {
    const machine_cache *cache = find_cache(host, level->level);
    const int caches = cache ? caches_of(host, cache, level->threads) : 0;
    if (!cache) {
        snprintf(level->missing, sizeof level->missing, "the system reports no such cache");
    } else if (caches == 0) {
        snprintf(level->missing, sizeof level->missing, "the system does not report which threads share it");
    } else {
        measure_bytes(level, loops, cache->bytes / 2 * (uint64_t)caches, repeats);
    }
}

static uint64_t last_cache_bytes(const machine *host, int threads) {
    if (host->cache_count == 0) return 0;
    const machine_cache *last = &host->caches[host->cache_count - 1];
    const int caches = caches_of(host, last, threads);
    return last->bytes * (uint64_t)(caches > 0 ? caches : 1);
}

static void measure_memory(level_bandwidth *level, const machine *host, const roofline_loops *loops, int repeats,
                           uint64_t max) {
    const uint64_t caches = last_cache_bytes(host, level->threads);
    uint64_t bytes = 4 * caches > min_memory ? 4 * caches : min_memory;
    if (bytes > max) bytes = max;
    if (bytes < 2 * caches) {
        snprintf(level->missing, sizeof level->missing, "there is too little memory to spare to measure outside the caches");
    } else {
        measure_bytes(level, loops, bytes, repeats);
    }
}

int bandwidth_measure(const machine *host, const roofline_loops *loops, int threads, int repeats, uint64_t max_memory,
                      level_bandwidth levels[BANDWIDTH_LEVELS]) {
    int count = 0;
    if (repeats > MAX_REPEATS) repeats = MAX_REPEATS;
    for (int cache = 1; cache <= MACHINE_CACHES; cache++) {
        if (cache > MIN_CACHES && !find_cache(host, cache)) continue;
        levels[count] = (level_bandwidth){.level = cache, .threads = threads};
        measure_cache(&levels[count++], host, loops, repeats);
    }
    levels[count] = (level_bandwidth){.level = BANDWIDTH_MEMORY, .threads = threads};
    /* A pass through memory takes as long as dozens through a cache, and is as exact. */
    measure_memory(&levels[count++], host, loops, (repeats + 2) / 3, max_memory);
    return count;
}

void bandwidth_level_name(int level, char text[16]) {
    if (level == BANDWIDTH_MEMORY)
        snprintf(text, 16, "memory");
    else
        snprintf(text, 16, "L%d", level);
}

const char *bandwidth_kind_name(bandwidth_kind kind) {
    static const char *const names[] = {"read", "write", "copy", "copy past the caches"};
    return names[kind];
}
