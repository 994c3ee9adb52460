/* SPDX-License-Identifier: MIT */
#include "spatial/sort.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_TABLES = 64,        /* workers: tables are added up one by one, histograms of buckets are small */
    COUNTS_PER_AGENT = 2,   /* at most, in all tables but the first: every sort clears them and adds them up */
    TASKS_PER_CHUNK = 4,    /* more tasks than workers even out what the system takes from one of them */
    MAX_BUCKETS = 1024,     /* few enough that a chunk's histogram stays in L1, enough to share */
    CHUNKS_PER_WORKER = 4,  /* when sorting by buckets; for the same reason */
    MIN_CHUNK = 4096,       /* agents, about 15 µs of work: less is not worth waking a worker */
    MIN_STRIPE = 16384,     /* cells, for the same reason */
    BUCKETS_PER_TASK = 128, /* when histograms are added up */
    SORT_BLOCK = 2048       /* agents; their keys and slots stay in L1 from pass to pass */
};

typedef struct sort_job {
    dun_sorter *sorter;
    const dun_columns *columns;
    dun_key_fn *keys;
    const void *context;
    uint32_t cells, chunks;
    uint32_t stripes;        /* of cells, when sorting by tables */
    uint32_t buckets, shift; /* of cells, when sorting by buckets */
} sort_job;

/* The agents from a place to another one in the order before the sort, as stretches of slots. */
typedef struct span {
    uint32_t at, end;      /* places */
    uint32_t part, before; /* of the order; places before it */
} span;

static span chunk_span(const sort_job *job, uint32_t chunk) {
    const uint32_t agents = job->columns->agents;
    return (span){part_begin(agents, chunk, job->chunks), part_begin(agents, chunk + 1, job->chunks), 0, 0};
}

static bool next_stretch(const sort_job *job, span *r, dun_stretch *slots) {
    const dun_stretch whole = {0, job->columns->agents}, *order = job->columns->parts ? job->columns->order : &whole;
    if (r->at == r->end) return false;
    while (r->at - r->before >= order[r->part].end - order[r->part].begin) {
        r->before += order[r->part].end - order[r->part].begin;
        r->part++;
    }
    slots->begin = order[r->part].begin + (r->at - r->before);
    slots->end = slots->begin + min_u32(order[r->part].end - slots->begin, r->end - r->at);
    r->at += slots->end - slots->begin;
    return true;
}

/* How many parts of at least that size are worth it. */
static uint32_t part_count(uint32_t all, uint32_t min_part, uint32_t max) {
    const uint32_t worth = all / min_part;
    return worth < 1 ? 1 : min_u32(worth, max);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

bool dun_sorter_reserve(dun_sorter *sorter, dun_heap *heap, uint32_t agents, uint32_t cells, uint32_t workers) {
    const size_t chunks = workers > 1 ? (size_t)workers * CHUNKS_PER_WORKER : 0;
    const uint32_t parts = part_count(agents, MIN_CHUNK, workers);
    const uint64_t tables = workers <= MAX_TABLES ? (uint64_t)(parts - 1) * cells : 0;
    const size_t word = sizeof(uint32_t), counts = tables <= (uint64_t)agents * COUNTS_PER_AGENT ? (size_t)tables : 0;
    return dun_array_fit(heap, &sorter->key, &sorter->key_room, (size_t)agents + DUN_CELL_PADDING, word) &&
           dun_array_fit(heap, &sorter->rank, &sorter->rank_room, agents, word) &&
           dun_array_fit(heap, &sorter->order, &sorter->order_room, chunks ? agents : 0, word) &&
           dun_array_fit(heap, &sorter->counts, &sorter->count_room, counts, word) &&
           dun_array_fit(heap, &sorter->edge, &sorter->edge_room, (size_t)cells + 1, word) &&
           dun_array_fit(heap, &sorter->histogram, &sorter->histogram_room, chunks ? (chunks + 1) * MAX_BUCKETS + 1 : 0, word);
}

void dun_sorter_free(dun_sorter *sorter) {
    dun_free(sorter->key);
    dun_free(sorter->order);
    dun_free(sorter->rank);
    dun_free(sorter->edge);
    dun_free(sorter->counts);
    dun_free(sorter->histogram);
    *sorter = (dun_sorter){0};
}

/* ---- what both ways do ------------------------------------------------------------------------------------------------ */

/* Turns counts into the sums of `first` and all counts before each. Returns the sum of all. */
static uint32_t become_sums(uint32_t *restrict count, uint32_t counts, uint32_t first) {
    for (uint32_t i = 0; i < counts; i++) {
        const uint32_t one = count[i];
        count[i] = first;
        first += one;
    }
    return first;
}

enum {
    COLUMNS_AT_ONCE = 6,     /* more would not fit into registers */
    AHEAD = 64,              /* agents: their slots are prefetched, … */
    MIN_PREFETCHED = 3 << 20 /* … if all columns have so many bytes: those of less are in a cache already */
};

/* A block of agents that go to the slots `to`: order[begin ..], or, if `order` is NULL, begin and those behind it. */
typedef struct move {
    const dun_columns *columns;
    const uint32_t *order, *slot; /* slot[0] is the first's */
    uint32_t begin, agents;
    bool prefetches;
} move;

static inline void move_agent(const dun_word *const *from, dun_word *const *to, int count, const move *m, uint32_t i) {
    const uint32_t agent = m->order ? m->order[m->begin + i] : m->begin + i, slot = m->slot[i];
    for (int c = 0; c < count; c++) to[c][slot] = from[c][agent];
}

static inline void move_few(const move *block, int column, int count) {
    const move m = *block;
    const dun_word *from[COLUMNS_AT_ONCE];
    dun_word *to[COLUMNS_AT_ONCE];
    for (int c = 0; c < count; c++) from[c] = m.columns->from[column + c], to[c] = m.columns->to[column + c];
    uint32_t i = 0;
    for (; m.prefetches && i + AHEAD < m.agents; i++) {
        for (int c = 0; c < count; c++) __builtin_prefetch(to[c] + m.slot[i + AHEAD], 1);
        move_agent(from, to, count, &m, i);
    }
    for (; i < m.agents; i++) move_agent(from, to, count, &m, i);
}

/* Several columns at a time, so that an agent's slot is read once for all of them. */
static inline void move_block(const move *block) {
    int column = 0;
    for (; block->columns->columns - column > COLUMNS_AT_ONCE; column += 4) move_few(block, column, 4);
    const int left = block->columns->columns - column;
    if (left == 6)
        move_few(block, column, 6);
    else if (left == 5)
        move_few(block, column, 5);
    else if (left == 4)
        move_few(block, column, 4);
    else if (left == 3)
        move_few(block, column, 3);
    else if (left == 2)
        move_few(block, column, 2);
    else
        move_few(block, column, 1);
}

/* Moves agents once their ranks and the first slots of their cells are known. The sum of both is an agent's slot. */
static inline void move_agents(const sort_job *job, const uint32_t *order, const uint32_t *first, uint32_t begin,
                               uint32_t end) {
    const dun_sorter *sorter = job->sorter;
    const size_t bytes = (size_t)job->columns->agents * (size_t)job->columns->columns * sizeof(dun_word);
    uint32_t slot[SORT_BLOCK];
    move block = {.columns = job->columns, .order = order, .slot = slot, .prefetches = bytes >= MIN_PREFETCHED};
    for (block.begin = begin; block.begin < end; block.begin += SORT_BLOCK) {
        block.agents = min_u32(end - block.begin, SORT_BLOCK);
        for (uint32_t i = 0; i < block.agents; i++) {
            const uint32_t agent = order ? order[block.begin + i] : block.begin + i;
            slot[i] = first[sorter->key[agent]] + sorter->rank[block.begin + i];
        }
        move_block(&block);
    }
}

/* ---- by tables -------------------------------------------------------------------------------------------------------- */

/* The chunk's count of each cell. */
static uint32_t *table_of(const sort_job *job, uint32_t chunk) {
    return chunk ? job->sorter->counts + (size_t)(chunk - 1) * job->cells : job->sorter->edge;
}

static void rank_stretch(const sort_job *job, dun_stretch agents, uint32_t *count) {
    uint32_t *key = job->sorter->key, *rank = job->sorter->rank;
    for (uint32_t block = agents.begin; block < agents.end; block += SORT_BLOCK) {
        const uint32_t stop = agents.end - block > SORT_BLOCK ? block + SORT_BLOCK : agents.end;
        if (job->keys) job->keys(job->context, job->columns, block, stop, key);
        for (uint32_t i = block; i < stop; i++) rank[i] = count[key[i]]++;
    }
}

/*
 * Finds keys and ranks: an agent's rank is the number of agents of its cell that come before it in the chunk. With ranks, the
 * pass that moves agents need not write to the table, and so never waits for its own last write.
 */
static void rank_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    uint32_t *count = table_of(job, chunk);
    span all = chunk_span(job, chunk);
    dun_stretch slots;
    memset(count, 0, job->cells * sizeof *count);
    while (next_stretch(job, &all, &slots)) rank_stretch(job, slots, count);
}

static void count_stripe(void *context, uint32_t stripe, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t begin = part_begin(job->cells, stripe, job->stripes), end = part_begin(job->cells, stripe + 1, job->stripes);
    uint32_t sum = 0;
    for (uint32_t chunk = 0; chunk < job->chunks; chunk++) {
        const uint32_t *count = table_of(job, chunk);
        for (uint32_t cell = begin; cell < end; cell++) sum += count[cell];
    }
    job->sorter->histogram[stripe] = sum;
}

/* Adds a table's counts to `sum`. */
static void add_counts(const uint32_t *restrict count, uint32_t cells, uint32_t *restrict sum) {
    for (uint32_t cell = 0; cell < cells; cell++) sum[cell] += count[cell];
}

/* Replaces a table's counts by the first slots, and moves these on by the counts. */
static void take_slots(uint32_t *restrict count, uint32_t cells, uint32_t *restrict slot) {
    for (uint32_t cell = 0; cell < cells; cell++) {
        const uint32_t one = count[cell];
        count[cell] = slot[cell];
        slot[cell] += one;
    }
}

/* Replaces each chunk's counts by the first slots of its agents. Those of the first chunk are the edges of the cells. */
static void find_stripe(void *context, uint32_t stripe, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t begin = part_begin(job->cells, stripe, job->stripes), end = part_begin(job->cells, stripe + 1, job->stripes);
    uint32_t first = job->sorter->histogram[stripe];
    for (uint32_t block = begin; block < end; block += SORT_BLOCK) {
        const uint32_t cells = min_u32(SORT_BLOCK, end - block);
        uint32_t slot[SORT_BLOCK] = {0};
        for (uint32_t chunk = 0; chunk < job->chunks; chunk++) add_counts(table_of(job, chunk) + block, cells, slot);
        first = become_sums(slot, cells, first);
        for (uint32_t chunk = 0; chunk < job->chunks; chunk++) take_slots(table_of(job, chunk) + block, cells, slot);
    }
}

static void move_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t chunk = task / TASKS_PER_CHUNK, part = task % TASKS_PER_CHUNK;
    span all = chunk_span(job, chunk);
    const uint32_t begin = all.at, count = all.end - begin;
    dun_stretch slots;
    all.at = begin + part_begin(count, part, TASKS_PER_CHUNK);
    all.end = begin + part_begin(count, part + 1, TASKS_PER_CHUNK);
    while (next_stretch(job, &all, &slots)) move_agents(job, NULL, table_of(job, chunk), slots.begin, slots.end);
}

static void sort_by_tables(sort_job *job, const dun_executor *executor) {
    job->stripes = part_count(job->cells, MIN_STRIPE, job->chunks * TASKS_PER_CHUNK);
    executor->run(executor, job->chunks, rank_chunk, job);
    if (job->stripes > 1) executor->run(executor, job->stripes, count_stripe, job);
    become_sums(job->sorter->histogram, job->stripes, 0);
    executor->run(executor, job->stripes, find_stripe, job);
    executor->run(executor, job->chunks * TASKS_PER_CHUNK, move_part, job);
}

/* One chunk, whose table is `edge`; no other worker is woken. */
static void sort_alone(sort_job *job) {
    rank_chunk(job, 0, 0);
    become_sums(job->sorter->edge, job->cells, 0);
    move_agents(job, NULL, job->sorter->edge, 0, job->columns->agents);
}

/* ---- by buckets ------------------------------------------------------------------------------------------------------- */

static void find_chunk_keys(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    uint32_t *key = job->sorter->key, *count = job->sorter->histogram + (size_t)chunk * job->buckets;
    span all = chunk_span(job, chunk);
    dun_stretch slots;
    memset(count, 0, job->buckets * sizeof *count);
    while (next_stretch(job, &all, &slots)) {
        if (job->keys) job->keys(job->context, job->columns, slots.begin, slots.end, key);
        for (uint32_t i = slots.begin; i < slots.end; i++) count[key[i] >> job->shift]++;
    }
}

/* Replaces each chunk's count of a bucket by the sum of the chunks before. The total goes to the row behind the last chunk's.
 */
static void find_offsets(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    uint32_t *total = job->sorter->histogram + (size_t)job->chunks * job->buckets;
    const uint32_t begin = task * BUCKETS_PER_TASK, end = min_u32(begin + BUCKETS_PER_TASK, job->buckets);
    for (uint32_t bucket = begin; bucket < end; bucket++) total[bucket] = 0;
    for (uint32_t chunk = 0; chunk < job->chunks; chunk++) {
        uint32_t *row = job->sorter->histogram + (size_t)chunk * job->buckets;
        for (uint32_t bucket = begin; bucket < end; bucket++) {
            const uint32_t count = row[bucket];
            row[bucket] = total[bucket];
            total[bucket] += count;
        }
    }
}

static void fill_buckets(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t *key = job->sorter->key, *first = job->sorter->histogram + (size_t)job->chunks * job->buckets;
    uint32_t *next = job->sorter->histogram + (size_t)chunk * job->buckets;
    span all = chunk_span(job, chunk);
    dun_stretch slots;
    for (uint32_t bucket = 0; bucket < job->buckets; bucket++) next[bucket] += first[bucket];
    while (next_stretch(job, &all, &slots))
        for (uint32_t i = slots.begin; i < slots.end; i++) job->sorter->order[next[key[i] >> job->shift]++] = i;
}

/* Counting sort of the agents order[begin .. end), which are the bucket's. */
static void sort_bucket(void *context, uint32_t bucket, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const dun_sorter *sorter = job->sorter;
    const uint32_t *first = sorter->histogram + (size_t)job->chunks * job->buckets;
    const uint32_t begin = first[bucket], end = first[bucket + 1];
    const uint32_t cell_begin = bucket << job->shift;
    const uint32_t cell_end = bucket + 1 == job->buckets ? job->cells : (bucket + 1) << job->shift;
    uint32_t *count = sorter->edge;
    memset(count + cell_begin, 0, (cell_end - cell_begin) * sizeof *count);
    for (uint32_t i = begin; i < end; i++) sorter->rank[i] = count[sorter->key[sorter->order[i]]]++;
    become_sums(count + cell_begin, cell_end - cell_begin, begin);
    move_agents(job, sorter->order, sorter->edge, begin, end);
}

static void sort_by_buckets(sort_job *job, const dun_executor *executor) {
    while ((job->cells - 1) >> job->shift >= MAX_BUCKETS) job->shift++;
    job->buckets = ((job->cells - 1) >> job->shift) + 1;
    executor->run(executor, job->chunks, find_chunk_keys, job);
    executor->run(executor, (job->buckets + BUCKETS_PER_TASK - 1) / BUCKETS_PER_TASK, find_offsets, job);
    uint32_t *const total = job->sorter->histogram + (size_t)job->chunks * job->buckets;
    total[job->buckets] = become_sums(total, job->buckets, 0);
    executor->run(executor, job->chunks, fill_buckets, job);
    executor->run(executor, job->buckets, sort_bucket, job);
}

void dun_sort(dun_sorter *sorter, const dun_columns *columns, uint32_t cells, dun_key_fn *keys, const void *context,
              const dun_executor *executor) {
    assert(cells < sorter->edge_room && columns->agents <= sorter->rank_room);
    sort_job job = {.sorter = sorter, .columns = columns, .keys = keys, .context = context, .cells = cells};
    sorter->edge[cells] = columns->agents;
    job.chunks = part_count(columns->agents, MIN_CHUNK, executor->workers);
    if (job.chunks == 1) {
        sort_alone(&job);
    } else if ((uint64_t)(job.chunks - 1) * cells <= sorter->count_room) {
        sort_by_tables(&job, executor);
    } else {
        job.chunks = part_count(columns->agents, MIN_CHUNK, executor->workers * CHUNKS_PER_WORKER);
        sort_by_buckets(&job, executor);
    }
}
