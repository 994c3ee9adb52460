/* SPDX-License-Identifier: MIT */
/* All pairs: no cells, one range. Tests compare the other indexes with it, and it is the fastest for a few hundred agents. */

#include "spatial/index.h"

typedef struct brute {
    dun_index index;
    uint32_t agents;
    uint8_t folds;
} brute;

static dun_index *brute_create(dun_heap *heap) {
    return dun_index_new(&dun_brute_index, heap, sizeof(brute));
}

static void brute_destroy(dun_index *index) {
    dun_free(index);
}

static bool brute_reserve(dun_index *index, const dun_space *space, uint32_t agents, uint32_t workers) {
    (void)index, (void)space, (void)agents, (void)workers;
    return true;
}

static void brute_build(dun_index *index, const dun_space *space, const dun_columns *columns, const dun_executor *executor) {
    (void)executor;
    brute *b = (brute *)index;
    b->agents = columns->agents;
    b->folds = dun_space_folds(space);
}

static dun_reach brute_reach(const dun_index *index, float radius) {
    (void)index, (void)radius;
    return (dun_reach){.everywhere = true};
}

static uint32_t brute_packet_end(const dun_index *index, uint32_t first) {
    (void)first;
    return ((const brute *)index)->agents;
}

static uint32_t brute_max_ranges(const dun_index *index, const dun_reach *reach, bool own) {
    (void)index, (void)reach, (void)own;
    return 1;
}

static uint32_t brute_list_ranges(const dun_index *index, dun_query *query, dun_range *ranges) {
    (void)query;
    const brute *b = (const brute *)index;
    if (b->agents == 0) return 0;
    ranges[0] = (dun_range){.begin = 0, .end = b->agents, .folds = b->folds};
    return 1;
}

static uint64_t brute_cells(const dun_index *index) {
    return ((const brute *)index)->agents > 0;
}

const dun_index_type dun_brute_index = DUN_INDEX_TYPE(brute, false, NULL);
