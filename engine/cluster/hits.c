/* SPDX-License-Identifier: MIT */
/* Which agents go to which rank. */
#include <string.h>

#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum {
    BLOCK = 512 /* agents; their keys stay in L1 */,
    BLOCKS_PER_TASK = 32 /* some 6 µs of work, or more where others see them */
};

/* A species that is not sorted only moves if agents have been appended to it, because its order is that of its segments, or if
 * rank 0 has all of it. */
void dun_choose_movers(const dunlin_world *world, bool gathers) {
    const bool all_move = gathers || world->cluster->all_move;
    for (int s = 0; s < world->species_count; s++) {
        dun_spread *spread = &world->cluster->spread[s];
        const dun_species *species = world->species[s];
        spread->moves = all_move || species->indexed || species->segments.last_key > 0;
        spread->leaves = spread->moves && (gathers || !species->indexed);
        spread->hit_begin = spread->hit_end = 0;
    }
}

void dun_find_places_of(const dunlin_world *world, const dun_species *species, uint64_t *place) {
    const dunlin_transport *t = world->transport;
    const uint32_t keys = species->segments.last_key + 1;
    uint64_t *all = place + keys;
    memset(place, 0, keys * sizeof *place);
    for (uint32_t k = 0; k < dun_segment_count(species); k++)
        place[dun_segment_key(species, k)] += dun_segment_begin(species, k + 1) - dun_segment_begin(species, k);
    memcpy(all, place, keys * sizeof *all);
    t->exclusive_scan(t->context, place, keys);
    dun_all_reduce(world, all, keys);
    for (uint64_t k = 0, before = 0; k < keys; before += all[k++]) place[k] += before;
}

void dun_find_places(dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++)
        if (world->cluster->spread[s].leaves) dun_find_places_of(world, world->species[s], world->cluster->spread[s].place);
}

static bool hit(dunlin_world *world, uint32_t rank, uint32_t slot) {
    struct dun_cluster *cluster = world->cluster;
    if (cluster->hit_count == cluster->hit_room && !dun_array_reserve(world->heap, &cluster->hits, &cluster->hit_room,
                                                                      cluster->hit_count * 2 + 1024, sizeof *cluster->hits))
        return false;
    cluster->hits[cluster->hit_count++] = (dun_hit){rank, slot};
    return true;
}

/* Most blocks are in rows that no other rank sees. */
static bool are_seen(const dun_spread *spread, const uint32_t *keys, uint32_t count) {
    const double rows_per_cell = 1.0 / spread->shape.cells[0];
    uint8_t any = 0;
    for (uint32_t i = 0; i < count; i++) any |= spread->row_seen[dun_row_of(keys[i], rows_per_cell)];
    return any;
}

/* The agents of one species, in blocks. Some tasks count the hits of each block, and then some list them where those of the
 * blocks before end. */
typedef struct watch {
    const dun_spread *spread;
    uint32_t agents, rank;
    dun_block_hits *blocks;
    dun_hit *hits;
} watch;

/* The ranks that see an agent are row_rank[from the first .. to the second). */
static uint32_t row_of(const dun_spread *spread, uint32_t agent) {
    return spread->keys[agent] / spread->shape.cells[0];
}

static void count_block(const watch *w, uint32_t begin, uint32_t end, dun_block_hits *counted) {
    *counted = (dun_block_hits){0};
    if (!are_seen(w->spread, w->spread->keys + begin, end - begin)) return;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t row = row_of(w->spread, i), *at = w->spread->row_first + row;
        if (at[0] == at[1]) continue; /* this rank's own row */
        const bool leaves = !dun_block_has(w->spread, w->rank, w->spread->keys[i]);
        counted->leaving += leaves;
        counted->held += leaves && w->spread->row_place[row] != DUN_NOT_HELD;
        counted->hits += at[1] - at[0];
    }
}

static void list_block(const watch *w, uint32_t begin, uint32_t end, const dun_block_hits *counted) {
    dun_hit *hit = w->hits + counted->first;
    for (uint32_t i = begin; i < end && counted->hits; i++) {
        const uint32_t *at = w->spread->row_first + row_of(w->spread, i);
        for (uint32_t r = at[0]; r < at[1]; r++) *hit++ = (dun_hit){w->spread->row_rank[r], i};
    }
}

static void watch_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const watch *w = context;
    const uint32_t last = min_u32((task + 1) * BLOCKS_PER_TASK, w->agents / BLOCK + 1);
    for (uint32_t block = task * BLOCKS_PER_TASK; block < last; block++) {
        const uint32_t begin = block * BLOCK, end = min_u32(begin + BLOCK, w->agents);
        if (w->hits)
            list_block(w, begin, end, &w->blocks[block]);
        else
            count_block(w, begin, end, &w->blocks[block]);
    }
}

static bool hit_by_cells(dunlin_world *world, int number) {
    struct dun_cluster *cluster = world->cluster;
    dun_spread *spread = &cluster->spread[number];
    const dun_species *species = world->species[number];
    const uint32_t blocks = species->count / BLOCK + 1, tasks = blocks / BLOCKS_PER_TASK + 1;
    if (!dun_array_reserve(world->heap, &cluster->block_hits, &cluster->block_room, blocks, sizeof *cluster->block_hits))
        return false;
    watch w = {.spread = spread, .agents = species->count, .rank = cluster->transport.rank, .blocks = cluster->block_hits};
    world->executor.run(&world->executor, tasks, watch_part, &w);
    for (uint32_t block = 0; block < blocks; block++) {
        w.blocks[block].first = cluster->hit_count;
        cluster->hit_count += w.blocks[block].hits;
        cluster->leaving += w.blocks[block].leaving;
        spread->left_and_held += w.blocks[block].held;
    }
    if (cluster->hit_count == spread->hit_begin) return true;
    if (!dun_array_reserve(world->heap, &cluster->hits, &cluster->hit_room, cluster->hit_count, sizeof *cluster->hits))
        return false;
    w.hits = cluster->hits;
    world->executor.run(&world->executor, tasks, watch_part, &w);
    return true;
}

uint32_t dun_rank_of_place(const dunlin_transport *t, uint64_t place, uint64_t whole, uint64_t *end) {
    uint32_t rank = (uint32_t)((double)place / (double)whole * t->ranks);
    if (rank >= t->ranks) rank = t->ranks - 1;
    while (rank > 0 && whole * rank / t->ranks > place) rank--;
    while (whole * (rank + 1) / t->ranks <= place) rank++;
    *end = whole * (rank + 1) / t->ranks;
    return rank;
}

/* Each agent goes to one rank: by its place in the flock's order, or, if `all_to_first`, to rank 0. */
static bool hit_by_places(dunlin_world *world, int number, bool all_to_first) {
    struct dun_cluster *cluster = world->cluster;
    const dunlin_transport *t = &cluster->transport;
    dun_spread *spread = &cluster->spread[number];
    const dun_species *species = world->species[number];
    for (uint32_t k = 0; k < dun_segment_count(species); k++) {
        const uint32_t begin = dun_segment_begin(species, k), segment_end = dun_segment_begin(species, k + 1);
        dun_stretch *staying = &spread->staying[k];
        *staying = (dun_stretch){begin, begin};
        for (uint32_t slot = begin; slot < segment_end;) {
            const uint64_t place = all_to_first ? 0 : spread->place[dun_segment_key(species, k)] + (slot - begin);
            uint64_t place_end = UINT64_MAX;
            const uint32_t rank = all_to_first ? 0 : dun_rank_of_place(t, place, species->whole_count, &place_end);
            const uint64_t left = place_end - place;
            const uint32_t end = left < segment_end - slot ? slot + (uint32_t)left : segment_end;
            if (rank == t->rank) *staying = (dun_stretch){slot, end};
            if (rank != t->rank) cluster->leaving += end - slot;
            for (; slot < end && rank != t->rank; slot++)
                if (!hit(world, rank, slot)) return false;
            slot = end;
        }
    }
    return true;
}

bool dun_find_hits(dunlin_world *world, bool gathers) {
    struct dun_cluster *cluster = world->cluster;
    bool whole = true;
    cluster->hit_count = cluster->leaving = 0;
    for (int s = 0; s < world->species_count && whole; s++) {
        dun_spread *spread = &cluster->spread[s];
        spread->hit_begin = cluster->hit_count;
        spread->left_and_held = 0;
        if (spread->moves) whole = spread->leaves ? hit_by_places(world, s, gathers) : hit_by_cells(world, s);
        spread->hit_end = cluster->hit_count;
    }
    return whole;
}
