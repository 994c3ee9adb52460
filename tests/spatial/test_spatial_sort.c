/* SPDX-License-Identifier: MIT */
/* The counting sort gives the one stable order, whichever worker does which task, and when. */
#include "engine/base/parallel.h"
#include "spatial/sort.h"
#include "tests/lib/support.h"

/* ---- keys -------------------------------------------------------------------------------------------------------------- */

typedef enum key_kind { RANDOM, ASCENDING, DESCENDING, ONE_CELL, LAST_CELL, FEW_CELLS, KEYS } key_kind;

static uint32_t key_of(test_random *random, key_kind kind, uint32_t agent, uint32_t agents, uint32_t cells) {
    switch (kind) {
    case ASCENDING:
        return (uint32_t)((uint64_t)agent * cells / agents);
    case DESCENDING:
        return (uint32_t)((uint64_t)(agents - 1 - agent) * cells / agents);
    case ONE_CELL:
        return cells / 2;
    case LAST_CELL:
        return cells - 1;
    case FEW_CELLS:
        return (uint32_t)((uint64_t)test_below(random, 3) * (cells - 1) / 2);
    default:
        return test_below(random, cells);
    }
}

/* ---- a case: what is to be sorted, and the order it must come in ------------------------------------------------------- */

enum { COLUMNS = 3 /* the key, the agent's number, and noise */, MAX_PARTS = 8 };

typedef struct sort_case {
    uint32_t agents, cells;
    test_array from[COLUMNS], want[COLUMNS];
    uint32_t *edge; /* [cells + 1] */
    uint32_t parts;
    dun_stretch order[MAX_PARTS];
} sort_case;

/* Half of all cases have an order before the sort: parts of the agents, of which some may be empty, turned round. */
static void find_parts(sort_case *c, test_random *random) {
    if (test_below(random, 2)) return;
    c->parts = 1 + test_below(random, MAX_PARTS);
    for (uint32_t p = c->parts, begin = 0; p-- > 0; begin = c->order[p].end)
        c->order[p] = (dun_stretch){begin, p == 0 ? c->agents : begin + test_below(random, c->agents - begin + 1)};
}

static uint32_t place_of(const sort_case *c, uint32_t agent) {
    uint32_t before = 0, part = 0;
    while (part < c->parts && (agent < c->order[part].begin || agent >= c->order[part].end)) {
        before += c->order[part].end - c->order[part].begin;
        part++;
    }
    return part < c->parts ? before + agent - c->order[part].begin : agent;
}

/* Rows of key, place before the sort, and agent. Places break ties, so that any sort is stable. */
static int compare_rows(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    const int cell = (a[0] > b[0]) - (a[0] < b[0]);
    return cell ? cell : (a[1] > b[1]) - (a[1] < b[1]);
}

static dun_word *words(const test_array *array) {
    return (dun_word *)array->at;
}

static void find_order(sort_case *c) {
    uint32_t(*rows)[3] = malloc((c->agents + 1u) * sizeof *rows);
    assert_non_null(rows);
    for (uint32_t i = 0; i < c->agents; i++) {
        rows[i][0] = words(&c->from[0])[i];
        rows[i][1] = place_of(c, i);
        rows[i][2] = i;
    }
    qsort(rows, c->agents, sizeof *rows, compare_rows);
    for (uint32_t i = 0, cell = 0; i <= c->agents; i++) {
        const uint32_t stop = i < c->agents ? rows[i][0] : c->cells;
        while (cell <= stop) c->edge[cell++] = i;
        for (int k = 0; k < COLUMNS && i < c->agents; k++) words(&c->want[k])[i] = words(&c->from[k])[rows[i][2]];
    }
    free(rows);
}

static sort_case sort_case_new(key_kind kind, uint32_t agents, uint32_t cells) {
    test_random random = {.state = kind + agents};
    sort_case c = {.agents = agents, .cells = cells, .edge = malloc((cells + 1u) * sizeof(uint32_t))};
    assert_non_null(c.edge);
    for (int k = 0; k < COLUMNS; k++) {
        c.from[k] = test_array_new(agents);
        c.want[k] = test_array_new(agents);
    }
    for (uint32_t i = 0; i < agents; i++) {
        words(&c.from[0])[i] = key_of(&random, kind, i, agents, cells);
        words(&c.from[1])[i] = i;
        words(&c.from[2])[i] = (uint32_t)test_bits(&random);
    }
    find_parts(&c, &random);
    find_order(&c);
    return c;
}

static void sort_case_free(sort_case *c) {
    for (int k = 0; k < COLUMNS; k++) {
        test_array_free(&c->from[k]);
        test_array_free(&c->want[k]);
    }
    free(c->edge);
}

/* ---- sorting ----------------------------------------------------------------------------------------------------------- */

static void find_keys(const void *context, const dun_columns *columns, uint32_t begin, uint32_t end, uint32_t *key) {
    (void)context;
    for (uint32_t i = begin; i < end; i++) key[i] = columns->from[0][i];
}

static dun_heap *memory; /* of sorters */

static void check_sort(dun_sorter *sorter, const sort_case *c, const dun_executor *executor) {
    test_array to[COLUMNS];
    dun_columns columns = {.agents = c->agents, .columns = COLUMNS, .parts = c->parts, .order = c->order};
    for (int k = 0; k < COLUMNS; k++) {
        to[k] = test_array_new(c->agents);
        columns.from[k] = words(&c->from[k]);
        columns.to[k] = words(&to[k]);
    }
    assert_true(dun_sorter_reserve(sorter, memory, c->agents, c->cells, executor->workers));
    dun_sort(sorter, &columns, c->cells, find_keys, NULL, executor);
    for (int k = 0; k < COLUMNS; k++) {
        test_same_bits(to[k].at, c->want[k].at, c->agents, "a sorted column");
        test_array_check(&to[k]);
        test_array_free(&to[k]);
    }
    test_same_bits(sorter->edge, c->edge, c->cells + 1, "a cell's first slot");
}

/* The last are too many workers for tables: they sort by buckets for any number of cells. */
static const uint32_t worker_counts[] = {1, 2, 3, 5, 65};
enum { WORKER_COUNTS = 5 };

/* Runs tasks in ascending, descending and shuffled order, and on real threads. In a slow build each of these with one number of
 * workers: `turn` says which. */
static void check_every_way(const sort_case *c, int turn) {
    for (int w = 0; w < WORKER_COUNTS; w++) {
        const uint32_t workers = worker_counts[w];
        dun_executor executors[4] = {test_executor_serial(workers), test_executor_reverse(workers),
                                     test_executor_shuffled(workers), test_executor_threads(workers)};
        for (int e = 0; e < 4; e++) {
            if (TEST_SLOW && (e + turn) % WORKER_COUNTS != w) continue;
            dun_sorter sorter = {0};
            check_sort(&sorter, c, &executors[e]);
            dun_sorter_free(&sorter);
        }
        dun_parallel_destroy(&executors[3]);
    }
}

/* ---- tests ------------------------------------------------------------------------------------------------------------- */

/* Below 8192 agents there is one chunk, so one table. A bucket is one cell up to 1024 cells, then 2, 4, … From 3 MiB on, slots
 * are prefetched. */
TEST_EACH(the_order_is_the_stable_one, s, 0, 13) {
    static const uint32_t sizes[][2] = {{0, 1},        {0, 100},      {1, 1},        {2, 7},        {777, 64},
                                        {8191, 5000},  {8192, 1},     {8192, 2},     {40000, 1023}, {40000, 1024},
                                        {40000, 1025}, {49153, 2049}, {70000, 99991}};
    for (int kind = 0; kind < KEYS; kind++) {
        sort_case c = sort_case_new((key_kind)kind, sizes[s][0], sizes[s][1]);
        check_every_way(&c, s + kind);
        sort_case_free(&c);
    }
}

TEST_EACH(many_agents_and_cells, i, 0, 4) {
    static const uint32_t cells[] = {3, 2049, 262144, 777777};
    sort_case c = sort_case_new(RANDOM, 270000, cells[i]);
    check_every_way(&c, i);
    sort_case_free(&c);
}

/* A sorter lives as long as its species. What an earlier sort left in it must not matter. */
TEST_EACH(sorters_can_be_used_again, round, 0, TEST_ROUNDS(16)) {
    static test_random random = {.state = 30};
    dun_sorter sorter = {0};
    memory = dun_heap_create(NULL);
    size_t bytes = dun_heap_bytes(memory);
    for (int i = 0; i < 6; i++) {
        const uint32_t agents = test_below(&random, 2) ? test_below(&random, 90000) : test_below(&random, 50);
        sort_case c = sort_case_new((key_kind)test_below(&random, KEYS), agents, 1 + test_below(&random, 3 * agents + 1));
        const dun_executor executor = test_executor_shuffled(worker_counts[test_below(&random, WORKER_COUNTS)]);
        check_sort(&sorter, &c, &executor);
        assert_true(dun_heap_bytes(memory) >= bytes);
        bytes = dun_heap_bytes(memory);
        sort_case_free(&c);
    }
    dun_sorter_free(&sorter);
    dun_heap_end(memory);
    memory = NULL;
}

/* The same agents, first for one worker, then for many. */
TEST(more_workers_for_the_same_agents) {
    sort_case c = sort_case_new(RANDOM, 70000, 5000);
    dun_sorter sorter = {0};
    for (int w = 0; w < WORKER_COUNTS; w++) {
        const dun_executor executor = test_executor_serial(worker_counts[w]);
        check_sort(&sorter, &c, &executor);
    }
    dun_sorter_free(&sorter);
    sort_case_free(&c);
}
