/* SPDX-License-Identifier: MIT */
/* All pairs: no cells, one run. The judge of every other index, and the fastest for a few hundred agents. */
#include <stdlib.h>

#include "index.h"

typedef struct brute {
    dunlin_index index;
    uint32_t agents;
    bool periodic;
} brute;

static dunlin_index *brute_create(void) {
    brute *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->index.type = &dunlin_brute_index;
    return &b->index;
}

static void brute_destroy(dunlin_index *index) {
    free(index);
}

static bool brute_reserve(dunlin_index *index, const dunlin_space *space, uint32_t agents, uint32_t workers) {
    (void)index, (void)space, (void)agents, (void)workers;
    return true;
}

static void brute_build(dunlin_index *index, const dunlin_space *space, const dunlin_columns *columns,
                        const dunlin_executor *executor) {
    (void)executor;
    brute *b = (brute *)index;
    b->agents = columns->agents;
    b->periodic = space->periodic;
}

static dunlin_reach brute_reach(const dunlin_index *index, float radius) {
    (void)index, (void)radius;
    return (dunlin_reach){.everywhere = true};
}

static uint32_t brute_group_end(const dunlin_index *index, uint32_t first) {
    (void)first;
    return ((const brute *)index)->agents;
}

static uint32_t brute_max_runs(const dunlin_index *index, const dunlin_reach *reach, bool own) {
    (void)index, (void)reach, (void)own;
    return 1;
}

static uint32_t brute_list_runs(const dunlin_index *index, dunlin_query *query, dunlin_run *runs) {
    (void)query;
    const brute *b = (const brute *)index;
    if (b->agents == 0) return 0;
    runs[0] = (dunlin_run){.begin = 0, .end = b->agents, .folds = b->periodic};
    return 1;
}

static uint64_t brute_cells(const dunlin_index *index) {
    return ((const brute *)index)->agents > 0;
}

static size_t brute_bytes(const dunlin_index *index) {
    (void)index;
    return sizeof(brute);
}

const dunlin_index_type dunlin_brute_index = {
    .name = "brute",
    .sorts = false,
    .create = brute_create,
    .destroy = brute_destroy,
    .reserve = brute_reserve,
    .build = brute_build,
    .reach = brute_reach,
    .group_end = brute_group_end,
    .max_runs = brute_max_runs,
    .list_runs = brute_list_runs,
    .cells = brute_cells,
    .bytes = brute_bytes,
};
