/* SPDX-License-Identifier: MIT */
/*
 * The grid, or the tree if too many agents from afar share the grid's cells. This matters only in an open world: its table is
 * folded evenly on all axes, and a flock in a long line, or flocks that are a multiple of the table apart, leave most of it
 * empty. A sample of the agents shows it: of two agents in the same cell of the table, how often do they share a cell of the
 * lattice? Every build chooses again from its agents alone, so the choice is the same on every machine and after a load.
 */
#include <string.h>

#include "spatial/index.h"
#include "spatial/parts.h"

enum {
    MAX_SAMPLES = 4096,
    MIN_SAMPLES = 64,
    AGENTS_PER_SAMPLE = 16 /* at least: then sampling takes a hundredth of a frame */
};

/* So many more candidates has the tree than an evenly filled grid (measurements: docs/indices.md). */
#define WORTH_SHARE 1.5 /* agents from afar in a cell, per agent of the lattice's cell … */
#define WORTH_MORE  4.0 /* … and this many more: a few agents more in a cell cost nothing */

typedef struct counter {
    uint64_t key;
    uint32_t count; /* 0: empty */
} counter;

typedef struct chooser {
    dun_index index;
    dun_index *grid, *tree;
    const dun_index *chosen;
    counter *counters; /* [2 · sample_room] */
    uint64_t *key[2];  /* [sample_room] behind the counters: cells of the table, and cells of the lattice */
    size_t sample_room;
} chooser;

static const dun_index *chosen_of(const dun_index *index) {
    return ((const chooser *)index)->chosen;
}

/* ---- the choice ------------------------------------------------------------------------------------------------------- */

/* A power of two; 0: too few agents. */
static uint32_t samples_of(uint32_t agents) {
    uint32_t samples = MIN_SAMPLES;
    if (agents / AGENTS_PER_SAMPLE < samples) return 0;
    while (samples < MAX_SAMPLES && 2 * samples <= agents / AGENTS_PER_SAMPLE) samples *= 2;
    return samples;
}

/* Counts the pairs of equal keys. The table has open addressing, and is at most half full. */
static uint64_t equal_pairs(const uint64_t *key, uint32_t count, counter *counters) {
    const uint32_t last = 2 * count - 1;
    uint64_t pairs = 0;
    memset(counters, 0, 2 * (size_t)count * sizeof *counters);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)(key[i] * 0x9e3779b97f4a7c15u >> 40) & last;
        while (counters[at].count && counters[at].key != key[i]) at = (at + 1) & last;
        counters[at].key = key[i];
        pairs += counters[at].count++;
    }
    return pairs;
}

static bool is_shared_from_afar(chooser *c, const dun_space *space, const dun_columns *columns) {
    const uint32_t samples = samples_of(columns->agents);
    if (!samples) return false;
    dun_grid_places(c->grid, space, columns, samples, c->key[0], c->key[1]);
    const uint64_t shared = equal_pairs(c->key[0], samples, c->counters), local = equal_pairs(c->key[1], samples, c->counters);
    const double others = 2.0 * (double)columns->agents / samples / samples; /* in an agent's cell, per pair */
    return others * (double)(shared - local) > WORTH_SHARE * others * (double)local + WORTH_MORE;
}

static void auto_build(dun_index *index, const dun_space *space, const dun_columns *columns, const dun_executor *executor) {
    chooser *c = (chooser *)index;
    dun_index *choice = space->open && !space->agents && is_shared_from_afar(c, space, columns) ? c->tree : c->grid;
    choice->type->build(choice, space, columns, executor);
    c->chosen = choice;
}

/* ---- what the chosen index does --------------------------------------------------------------------------------------- */

static uint32_t *auto_next_cells(dun_index *index, dun_cells *cells) {
    dun_index *chosen = (dun_index *)chosen_of(index);
    return chosen->type->next_cells ? chosen->type->next_cells(chosen, cells) : NULL;
}

/* Holds what either index's max_ranges() needs. */
static dun_reach auto_reach(const dun_index *index, float radius) {
    const chooser *c = (const chooser *)index;
    dun_reach reach = dun_grid_index.reach(c->grid, radius);
    if (c->chosen == c->grid) return reach;
    reach.radius = radius;
    reach.everywhere = dun_tree_index.reach(c->tree, radius).everywhere;
    return reach;
}

/* Another frame may choose the other index. */
static uint32_t auto_max_ranges(const dun_index *index, const dun_reach *reach, bool own) {
    const chooser *c = (const chooser *)index;
    const uint32_t grid = dun_grid_index.max_ranges(c->grid, reach, own), tree = dun_tree_index.max_ranges(c->tree, reach, own);
    return max_u32(grid, tree);
}

static uint32_t auto_packet_end(const dun_index *index, uint32_t first) {
    return chosen_of(index)->type->packet_end(chosen_of(index), first);
}

static uint32_t auto_list_ranges(const dun_index *index, dun_query *query, dun_range *ranges) {
    return chosen_of(index)->type->list_ranges(chosen_of(index), query, ranges);
}

static uint64_t auto_cells(const dun_index *index) {
    return chosen_of(index)->type->cells(chosen_of(index));
}

/* ---- the rest --------------------------------------------------------------------------------------------------------- */

static void auto_destroy(dun_index *index) {
    chooser *c = (chooser *)index;
    if (!c) return;
    dun_grid_index.destroy(c->grid);
    dun_tree_index.destroy(c->tree);
    dun_free(c->counters);
    dun_free(c);
}

static dun_index *auto_create(dun_heap *heap) {
    chooser *c = (chooser *)dun_index_new(&dun_auto_index, heap, sizeof *c);
    if (!c) return NULL;
    c->grid = dun_grid_index.create(heap);
    c->tree = dun_tree_index.create(heap);
    c->chosen = c->grid;
    if (c->grid && c->tree) return &c->index;
    auto_destroy(&c->index);
    return NULL;
}

static bool reserve_samples(chooser *c, uint32_t samples) {
    const size_t bytes = 2 * sizeof *c->counters + 2 * sizeof **c->key;
    if (!dun_array_fit(c->index.heap, &c->counters, &c->sample_room, samples, bytes)) return false;
    c->key[0] = (uint64_t *)(c->counters + 2 * c->sample_room);
    c->key[1] = c->key[0] + c->sample_room;
    return true;
}

/* The tree takes no memory if it can never be chosen. */
static bool auto_reserve(dun_index *index, const dun_space *space, uint32_t agents, uint32_t workers) {
    chooser *c = (chooser *)index;
    if (!dun_grid_index.reserve(c->grid, space, agents, workers)) return false;
    if (!space->open || space->agents || !samples_of(agents)) return true;
    return dun_tree_index.reserve(c->tree, space, agents, workers) && reserve_samples(c, samples_of(agents));
}

const dun_index_type dun_auto_index = DUN_INDEX_TYPE(auto, true, auto_next_cells);
