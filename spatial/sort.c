/* SPDX-License-Identifier: MIT */
#include "sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_BUCKETS = 1024,     /* few enough that a chunk's histogram stays in L1, many enough to share out */
    CHUNKS_PER_WORKER = 4,  /* chunks are equal, so a few more than workers even out what the system takes away */
    MIN_CHUNK = 16384,      /* agents, some 0.1 ms of work; below this a task costs more than it shares */
    GATHER_BLOCK = 2048     /* agents; their source[] stays in L1 from column to column */
};

typedef struct sort_job {
    dunlin_sorter *sorter;
    const dunlin_columns *columns;
    dunlin_key_fn *keys;
    const void *context;
    uint32_t cells, chunks, buckets, shift;
} sort_job;

static uint32_t chunk_begin(const sort_job *job, uint32_t chunk) {
    return (uint32_t)((uint64_t)job->columns->agents * chunk / job->chunks);
}

static uint32_t chunk_count(uint32_t agents, uint32_t workers) {
    if (workers == 1) return 1;
    const uint32_t most = workers * CHUNKS_PER_WORKER, worth = agents / MIN_CHUNK;
    return worth < 1 ? 1 : worth < most ? worth : most;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static bool grow(uint32_t **array, size_t count) {
    uint32_t *grown = realloc(*array, count * sizeof **array);
    if (grown) *array = grown;
    return grown != NULL;
}

bool dunlin_sorter_reserve(dunlin_sorter *sorter, uint32_t agents, uint32_t cells, uint32_t workers) {
    const uint32_t chunks = workers * CHUNKS_PER_WORKER;
    if (agents > sorter->agent_room) {
        if (!grow(&sorter->key, agents) || !grow(&sorter->source, agents)) return false;
        sorter->agent_room = agents;
    }
    if (workers > 1 && agents > sorter->order_room) {
        if (!grow(&sorter->order, agents)) return false;
        sorter->order_room = agents;
    }
    if (cells > sorter->cell_room) {
        if (!grow(&sorter->edge, (size_t)cells + 1)) return false;
        sorter->cell_room = cells;
    }
    if (chunks > sorter->chunk_room) {
        if (!grow(&sorter->histogram, (size_t)chunks * MAX_BUCKETS)) return false;
        sorter->chunk_room = chunks;
    }
    return true;
}

void dunlin_sorter_free(dunlin_sorter *sorter) {
    free(sorter->key);
    free(sorter->order);
    free(sorter->source);
    free(sorter->edge);
    free(sorter->histogram);
    *sorter = (dunlin_sorter){0};
}

size_t dunlin_sorter_bytes(const dunlin_sorter *sorter) {
    const size_t words = (size_t)sorter->agent_room * 2 + sorter->order_room + (size_t)sorter->cell_room + 1 +
                         (size_t)sorter->chunk_room * MAX_BUCKETS;
    return words * sizeof(uint32_t);
}

/* ---- the passes ------------------------------------------------------------------------------------------------------- */

static void find_keys(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t begin = chunk_begin(job, chunk), end = chunk_begin(job, chunk + 1);
    uint32_t *key = job->sorter->key;
    job->keys(job->context, job->columns, begin, end, key);
    if (job->buckets == 1) return;
    uint32_t *count = job->sorter->histogram + (size_t)chunk * job->buckets;
    memset(count, 0, job->buckets * sizeof *count);
    for (uint32_t i = begin; i < end; i++) count[key[i] >> job->shift]++;
}

/* Counts become the first place of each chunk in each bucket; the last chunk's row then is where its buckets end. */
static void find_offsets(const sort_job *job) {
    uint32_t sum = 0;
    for (uint32_t bucket = 0; bucket < job->buckets; bucket++) {
        for (uint32_t chunk = 0; chunk < job->chunks; chunk++) {
            uint32_t *place = job->sorter->histogram + (size_t)chunk * job->buckets + bucket;
            const uint32_t count = *place;
            *place = sum;
            sum += count;
        }
    }
}

static void fill_buckets(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t *key = job->sorter->key;
    uint32_t *next = job->sorter->histogram + (size_t)chunk * job->buckets;
    for (uint32_t i = chunk_begin(job, chunk); i < chunk_begin(job, chunk + 1); i++)
        job->sorter->order[next[key[i] >> job->shift]++] = i;
}

static void gather(const dunlin_columns *columns, const uint32_t *source, uint32_t begin, uint32_t end) {
    for (uint32_t block = begin; block < end; block += GATHER_BLOCK) {
        const uint32_t stop = end - block > GATHER_BLOCK ? block + GATHER_BLOCK : end;
        for (int column = 0; column < columns->columns; column++) {
            const dunlin_word *from = columns->from[column];
            dunlin_word *to = columns->to[column];
            for (uint32_t i = block; i < stop; i++) to[i] = from[source[i]];
        }
    }
}

/* The bucket's agents are order[begin .. end), or, where there is one bucket, simply all. */
static void sort_bucket(void *context, uint32_t bucket, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    dunlin_sorter *sorter = job->sorter;
    const bool all = job->buckets == 1;
    const uint32_t *ends = sorter->histogram + (size_t)(job->chunks - 1) * job->buckets;
    const uint32_t begin = all || bucket == 0 ? 0 : ends[bucket - 1];
    const uint32_t end = all ? job->columns->agents : ends[bucket];
    const uint32_t cell_begin = bucket << job->shift;
    const uint32_t cell_end = all || bucket + 1 == job->buckets ? job->cells : (bucket + 1) << job->shift;

    /* next[c] walks from the first slot of cell c to its end, which is the first of c + 1: edge[] is then as promised. */
    uint32_t *next = sorter->edge + 1;
    memset(next + cell_begin, 0, (cell_end - cell_begin) * sizeof *next);
    for (uint32_t i = begin; i < end; i++) next[sorter->key[all ? i : sorter->order[i]]]++;
    uint32_t sum = begin;
    for (uint32_t cell = cell_begin; cell < cell_end; cell++) {
        const uint32_t count = next[cell];
        next[cell] = sum;
        sum += count;
    }
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t agent = all ? i : sorter->order[i];
        sorter->source[next[sorter->key[agent]]++] = agent;
    }
    gather(job->columns, sorter->source, begin, end);
}

void dunlin_sort(dunlin_sorter *sorter, const dunlin_columns *columns, uint32_t cells, dunlin_key_fn *keys, const void *context,
                 const dunlin_executor *executor) {
    assert(cells <= sorter->cell_room && columns->agents <= sorter->agent_room);
    sort_job job = {.sorter = sorter, .columns = columns, .keys = keys, .context = context, .cells = cells, .buckets = 1};
    job.chunks = chunk_count(columns->agents, executor->workers);
    if (job.chunks > 1) {
        while ((cells - 1) >> job.shift >= MAX_BUCKETS) job.shift++;
        job.buckets = ((cells - 1) >> job.shift) + 1;
    }
    sorter->edge[0] = 0;
    executor->run(executor, job.chunks, find_keys, &job);
    if (job.buckets > 1) {
        find_offsets(&job);
        executor->run(executor, job.chunks, fill_buckets, &job);
    }
    executor->run(executor, job.buckets, sort_bucket, &job);
}
