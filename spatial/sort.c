/* SPDX-License-Identifier: MIT */
#include "spatial/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TABLES = 64,       /* workers: tables are added up one by one, buckets' histograms are small */
    COUNTS_PER_AGENT = 2,  /* of all tables but the first, at most: they are cleared and added up in every sort */
    TASKS_PER_CHUNK = 4,   /* chunks are equal, so more tasks than workers even out what the system takes away */
    MAX_BUCKETS = 1024,    /* few enough that a chunk's histogram stays in L1, many enough to share out */
    CHUNKS_PER_WORKER = 4, /* where there are buckets; as with tasks */
    MIN_CHUNK = 16384,     /* agents, some 0.1 ms of work; below this a task costs more than it shares */
    BUCKETS_A_TASK = 128,  /* when the chunks' histograms are added up */
    BLOCK = 2048           /* agents; their keys and places stay in L1 from pass to pass */
};

typedef struct sort_job {
    dun_sorter *sorter;
    const dun_columns *columns;
    dun_key_fn *keys;
    const void *context;
    uint32_t cells, chunks;
    uint32_t stripes;        /* of cells, where sorted by tables */
    uint32_t buckets, shift; /* of cells, where sorted by buckets */
} sort_job;

static uint32_t chunk_begin(const sort_job *job, uint32_t chunk) {
    return (uint32_t)((uint64_t)job->columns->agents * chunk / job->chunks);
}

static uint32_t chunk_count(uint32_t agents, uint32_t most) {
    const uint32_t worth = agents / MIN_CHUNK;
    return worth < 1 ? 1 : worth < most ? worth : most;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static bool grow(uint32_t **array, size_t count) {
    uint32_t *grown = realloc(*array, count * sizeof **array);
    if (grown) *array = grown;
    return grown;
}

bool dun_sorter_reserve(dun_sorter *sorter, uint32_t agents, uint32_t cells, uint32_t workers) {
    const uint32_t chunks = workers > 1 ? workers * CHUNKS_PER_WORKER : 0;
    const uint64_t counts = workers <= MAX_TABLES ? (uint64_t)(workers - 1) * cells : 0;
    if (agents > sorter->agent_room) {
        if (!grow(&sorter->key, agents) || !grow(&sorter->place, agents)) return false;
        sorter->agent_room = agents;
    }
    if (workers > 1 && agents > sorter->order_room) {
        if (!grow(&sorter->order, agents)) return false;
        sorter->order_room = agents;
    }
    if (counts > sorter->count_room && counts <= (uint64_t)agents * COUNTS_PER_AGENT) {
        if (!grow(&sorter->counts, counts)) return false;
        sorter->count_room = counts;
    }
    if (cells > sorter->cell_room) {
        if (!grow(&sorter->edge, (size_t)cells + 1)) return false;
        sorter->cell_room = cells;
    }
    if (chunks > sorter->chunk_room) {
        if (!grow(&sorter->histogram, ((size_t)chunks + 1) * MAX_BUCKETS + 1)) return false;
        sorter->chunk_room = chunks;
    }
    return true;
}

void dun_sorter_free(dun_sorter *sorter) {
    free(sorter->key);
    free(sorter->order);
    free(sorter->place);
    free(sorter->edge);
    free(sorter->counts);
    free(sorter->histogram);
    *sorter = (dun_sorter){0};
}

size_t dun_sorter_bytes(const dun_sorter *sorter) {
    const size_t words = (size_t)sorter->agent_room * 2 + sorter->order_room + (size_t)sorter->cell_room + 1 +
                         sorter->count_room + (sorter->chunk_room ? ((size_t)sorter->chunk_room + 1) * MAX_BUCKETS + 1 : 0);
    return words * sizeof(uint32_t);
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* ---- what all ways do ------------------------------------------------------------------------------------------------- */

/* Counts become what is before each, `first` before the first. Returns what is before the one after the last. */
static uint32_t become_sums(uint32_t *restrict count, uint32_t counts, uint32_t first) {
    for (uint32_t i = 0; i < counts; i++) {
        const uint32_t one = count[i];
        count[i] = first;
        first += one;
    }
    return first;
}

enum {
    COLUMNS_AT_ONCE = 5, /* as many as there are registers for */
    AHEAD = 64           /* agents whose slots are on their way to the first cache: they are in the rows around, too */
};

static inline void move_agent(const dun_word *const *from, dun_word *const *to, int count, uint32_t agent, uint32_t slot) {
    for (int c = 0; c < count; c++) to[c][slot] = from[c][agent];
}

/* Moves `count` columns of agents, from where `order` says, or, where it is NULL, one after another. */
static inline void move_few(const dun_columns *columns, int column, int count, const uint32_t *order, const uint32_t *place,
                            uint32_t begin, uint32_t end) {
    const dun_word *from[COLUMNS_AT_ONCE];
    dun_word *to[COLUMNS_AT_ONCE];
    for (int c = 0; c < count; c++) from[c] = columns->from[column + c], to[c] = columns->to[column + c];
    uint32_t i = begin;
    for (; i + AHEAD < end; i++) {
        for (int c = 0; c < count; c++) __builtin_prefetch(to[c] + place[i + AHEAD], 1);
        move_agent(from, to, count, order ? order[i] : i, place[i]);
    }
    for (; i < end; i++) move_agent(from, to, count, order ? order[i] : i, place[i]);
}

/* A few columns at a time, so that an agent's place is read once for all of them. */
static inline void move_columns(const dun_columns *columns, const uint32_t *order, const uint32_t *place, uint32_t begin,
                                uint32_t end) {
    int column = 0;
    for (; columns->columns - column > COLUMNS_AT_ONCE; column += 4) move_few(columns, column, 4, order, place, begin, end);
    switch (columns->columns - column) {
    case 5:
        move_few(columns, column, 5, order, place, begin, end);
        break;
    case 4:
        move_few(columns, column, 4, order, place, begin, end);
        break;
    case 3:
        move_few(columns, column, 3, order, place, begin, end);
        break;
    case 2:
        move_few(columns, column, 2, order, place, begin, end);
        break;
    default:
        move_few(columns, column, 1, order, place, begin, end);
        break;
    }
}

/* The agents [begin, end) of the order, once their ranks and the first slots of their cells are known; ranks become places. */
static inline void move_agents(const sort_job *job, const uint32_t *order, const uint32_t *first, uint32_t begin,
                               uint32_t end) {
    const dun_sorter *sorter = job->sorter;
    for (uint32_t block = begin; block < end; block += BLOCK) {
        const uint32_t stop = end - block > BLOCK ? block + BLOCK : end;
        for (uint32_t i = block; i < stop; i++) sorter->place[i] += first[sorter->key[order ? order[i] : i]];
        move_columns(job->columns, order, sorter->place, block, stop);
    }
}

/* ---- by tables -------------------------------------------------------------------------------------------------------- */

/* The chunk's counts of cells. */
static uint32_t *table_of(const sort_job *job, uint32_t chunk) {
    return chunk ? job->sorter->counts + (size_t)(chunk - 1) * job->cells : job->sorter->edge;
}

/*
 * Keys, and ranks: how many of its cell come before an agent in the chunk. Once the cells' first slots are known no second pass
 * has to wait for its own last write to a cell.
 */
static void rank_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t begin = chunk_begin(job, chunk), end = chunk_begin(job, chunk + 1);
    uint32_t *key = job->sorter->key, *place = job->sorter->place, *count = table_of(job, chunk);
    memset(count, 0, job->cells * sizeof *count);
    for (uint32_t block = begin; block < end; block += BLOCK) {
        const uint32_t stop = end - block > BLOCK ? block + BLOCK : end;
        job->keys(job->context, job->columns, block, stop, key);
        for (uint32_t i = block; i < stop; i++) place[i] = count[key[i]]++;
    }
}

static uint32_t stripe_begin(const sort_job *job, uint32_t stripe) {
    return (uint32_t)((uint64_t)job->cells * stripe / job->stripes);
}

static void count_stripe(void *context, uint32_t stripe, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t begin = stripe_begin(job, stripe), end = stripe_begin(job, stripe + 1);
    uint32_t sum = 0;
    for (uint32_t chunk = 0; chunk < job->chunks; chunk++) {
        const uint32_t *count = table_of(job, chunk);
        for (uint32_t cell = begin; cell < end; cell++) sum += count[cell];
    }
    job->sorter->histogram[stripe] = sum;
}

/* Adds a table's counts to `sum`, or makes them the slots in there, which go on. */
static void add_counts(const uint32_t *restrict count, uint32_t cells, uint32_t *restrict sum) {
    for (uint32_t cell = 0; cell < cells; cell++) sum[cell] += count[cell];
}

static void take_slots(uint32_t *restrict count, uint32_t cells, uint32_t *restrict slot) {
    for (uint32_t cell = 0; cell < cells; cell++) {
        const uint32_t one = count[cell];
        count[cell] = slot[cell];
        slot[cell] += one;
    }
}

/* Counts become first slots: of a cell's agents in the first chunk, which are the cell's edge, in the second, and so on. */
static void find_stripe(void *context, uint32_t stripe, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t begin = stripe_begin(job, stripe), end = stripe_begin(job, stripe + 1);
    uint32_t first = job->sorter->histogram[stripe];
    for (uint32_t block = begin; block < end; block += BLOCK) {
        const uint32_t cells = least(BLOCK, end - block);
        uint32_t slot[BLOCK] = {0};
        for (uint32_t chunk = 0; chunk < job->chunks; chunk++) add_counts(table_of(job, chunk) + block, cells, slot);
        first = become_sums(slot, cells, first);
        for (uint32_t chunk = 0; chunk < job->chunks; chunk++) take_slots(table_of(job, chunk) + block, cells, slot);
    }
}

static void move_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t chunk = task / TASKS_PER_CHUNK, part = task % TASKS_PER_CHUNK;
    const uint32_t begin = chunk_begin(job, chunk), count = chunk_begin(job, chunk + 1) - begin;
    const uint32_t part_begin = begin + (uint32_t)((uint64_t)count * part / TASKS_PER_CHUNK);
    const uint32_t part_end = begin + (uint32_t)((uint64_t)count * (part + 1) / TASKS_PER_CHUNK);
    move_agents(job, NULL, table_of(job, chunk), part_begin, part_end);
}

static void sort_by_tables(sort_job *job, const dun_executor *executor) {
    job->stripes = job->chunks * TASKS_PER_CHUNK;
    executor->run(executor, job->chunks, rank_chunk, job);
    executor->run(executor, job->stripes, count_stripe, job);
    become_sums(job->sorter->histogram, job->stripes, 0);
    executor->run(executor, job->stripes, find_stripe, job);
    executor->run(executor, job->chunks * TASKS_PER_CHUNK, move_part, job);
}

/* One chunk, whose table is that of the edges. Nobody is woken. */
static void sort_alone(sort_job *job) {
    rank_chunk(job, 0, 0);
    become_sums(job->sorter->edge, job->cells, 0);
    move_agents(job, NULL, job->sorter->edge, 0, job->columns->agents);
}

/* ---- by buckets ------------------------------------------------------------------------------------------------------- */

static void find_keys(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    const uint32_t begin = chunk_begin(job, chunk), end = chunk_begin(job, chunk + 1);
    uint32_t *key = job->sorter->key;
    job->keys(job->context, job->columns, begin, end, key);
    uint32_t *count = job->sorter->histogram + (size_t)chunk * job->buckets;
    memset(count, 0, job->buckets * sizeof *count);
    for (uint32_t i = begin; i < end; i++) count[key[i] >> job->shift]++;
}

/* Counts become how many of a bucket's agents are in the chunks before; its total goes to the row after the last chunk's. */
static void find_offsets(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const sort_job *job = context;
    uint32_t *total = job->sorter->histogram + (size_t)job->chunks * job->buckets;
    const uint32_t begin = task * BUCKETS_A_TASK, end = least(begin + BUCKETS_A_TASK, job->buckets);
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
    const uint32_t begin = chunk_begin(job, chunk), end = chunk_begin(job, chunk + 1);
    const uint32_t *key = job->sorter->key, *first = job->sorter->histogram + (size_t)job->chunks * job->buckets;
    uint32_t *next = job->sorter->histogram + (size_t)chunk * job->buckets;
    for (uint32_t bucket = 0; bucket < job->buckets; bucket++) next[bucket] += first[bucket];
    for (uint32_t i = begin; i < end; i++) job->sorter->order[next[key[i] >> job->shift]++] = i;
}

/* The bucket's agents are order[begin .. end). */
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
    for (uint32_t i = begin; i < end; i++) sorter->place[i] = count[sorter->key[sorter->order[i]]]++;
    become_sums(count + cell_begin, cell_end - cell_begin, begin);
    move_agents(job, sorter->order, sorter->edge, begin, end);
}

static void sort_by_buckets(sort_job *job, const dun_executor *executor) {
    while ((job->cells - 1) >> job->shift >= MAX_BUCKETS) job->shift++;
    job->buckets = ((job->cells - 1) >> job->shift) + 1;
    executor->run(executor, job->chunks, find_keys, job);
    executor->run(executor, (job->buckets + BUCKETS_A_TASK - 1) / BUCKETS_A_TASK, find_offsets, job);
    uint32_t *const total = job->sorter->histogram + (size_t)job->chunks * job->buckets;
    total[job->buckets] = become_sums(total, job->buckets, 0);
    executor->run(executor, job->chunks, fill_buckets, job);
    executor->run(executor, job->buckets, sort_bucket, job);
}

void dun_sort(dun_sorter *sorter, const dun_columns *columns, uint32_t cells, dun_key_fn *keys, const void *context,
              const dun_executor *executor) {
    assert(cells <= sorter->cell_room && columns->agents <= sorter->agent_room);
    sort_job job = {.sorter = sorter, .columns = columns, .keys = keys, .context = context, .cells = cells};
    sorter->edge[cells] = columns->agents;
    job.chunks = chunk_count(columns->agents, executor->workers);
    if (job.chunks == 1) {
        sort_alone(&job);
    } else if ((uint64_t)(job.chunks - 1) * cells <= sorter->count_room) {
        sort_by_tables(&job, executor);
    } else {
        job.chunks = chunk_count(columns->agents, executor->workers * CHUNKS_PER_WORKER);
        sort_by_buckets(&job, executor);
    }
}
