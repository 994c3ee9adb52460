/* SPDX-License-Identifier: MIT */
/*
 * What eaters gain. A food's owner decides which agent eats it, and sends that to the eater's owner. Both hold all agents of
 * the eater's cell, so an eater is known by its cell and its place there. Gains are added up in the order of the whole flock's
 * food: by the keys of its pieces, by ranks, and by slots.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/cluster/cluster.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum { FEW = 64 /* so many more gains need no memory */ };

/* Whether all cells of a block come before this one, by bands, and in a band by lines. */
static bool is_before(const dun_block *block, uint32_t slab, uint32_t cell) {
    return block->slab.end <= slab || (block->slab.begin <= slab && block->cells.end <= cell);
}

static uint32_t owner_of(const dun_spread *spread, uint32_t ranks, uint32_t cell) {
    const uint32_t slab_cells = spread->shape.cells[0] * spread->shape.cells[1], slab = cell / slab_cells;
    uint32_t low = 0, high = ranks - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (is_before(&spread->block[middle], slab, cell - slab * slab_cells))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t key_of_food(const dun_frame *f, int species, uint32_t slot) {
    uint32_t low = 0, high = dun_pieces_of(f->world, species) - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (dun_piece_end(f, species, middle) <= slot)
            low = middle + 1;
        else
            high = middle;
    }
    return f->world->species[species]->indexed ? f->world->cluster->spread[species].first_key + low : 0;
}

void dun_gain_list(dun_frame *f, int meal, uint32_t food, uint32_t eater, float energy) {
    struct dun_cluster *cluster = f->world->cluster;
    const int number = f->world->meals[meal].eater;
    const dun_index *index = f->world->species[number]->index;
    dun_gain gain = {.meal = (uint32_t)meal, .energy = energy};
    gain.key = key_of_food(f, f->world->meals[meal].food, food);
    dun_columns one = {.agents = 1};
    for (int a = 0; a < f->world->def.dimensions; a++) one.from[a] = (const dun_word *)f->snapshot[number]->position[a] + eater;
    dun_grid_keys(index, &one, 0, 1, &gain.cell);
    gain.place = eater - dun_grid_cell_begin(index, gain.cell);
    gain.rank = owner_of(&cluster->spread[number], cluster->transport.ranks, gain.cell);
    if (cluster->gain_count == cluster->gain_room &&
        !dun_array_reserve(f->world->heap, &cluster->gains, &cluster->gain_room, 2 * cluster->gain_count + FEW, sizeof gain))
        f->status = dun_fail_memory(f->error, "meals");
    else
        cluster->gains[cluster->gain_count++] = gain;
}

/* Sorts what goes to others by rank; the order of each rank's stays. */
static bool write_gains(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint32_t ranks = cluster->transport.ranks, own = cluster->transport.rank;
    uint64_t all = 0;
    memset(cluster->out_bytes, 0, ranks * sizeof *cluster->out_bytes);
    for (uint64_t i = 0; i < cluster->gain_count; i++)
        if (cluster->gains[i].rank != own) cluster->out_bytes[cluster->gains[i].rank] += sizeof(dun_gain);
    for (uint32_t r = 0; r < ranks; r++) {
        cluster->out_cursor[r] = all;
        all += cluster->out_bytes[r] / sizeof(dun_gain);
    }
    if (!dun_array_reserve(world->heap, &cluster->gains_out, &cluster->gain_out_room, all + FEW, sizeof(dun_gain)))
        return false;
    for (uint64_t i = 0; i < cluster->gain_count; i++)
        if (cluster->gains[i].rank != own)
            cluster->gains_out[cluster->out_cursor[cluster->gains[i].rank]++] = cluster->gains[i];
    return true;
}

/* Exchanges how much comes, and allocates memory for it. */
static void agree_on_gains(dun_frame *f) {
    struct dun_cluster *cluster = f->world->cluster;
    const dunlin_transport *t = &cluster->transport;
    uint64_t all = 0;
    if (!f->status && !write_gains(f->world)) f->status = dun_fail_memory(f->error, "meals");
    if (f->status) memset(cluster->out_bytes, 0, t->ranks * sizeof *cluster->out_bytes);
    t->all_to_all(t->context, cluster->out_bytes, cluster->in_bytes, 1);
    for (uint32_t r = 0; r < t->ranks; r++) {
        cluster->in_cursor[r] = all;
        all += cluster->in_bytes[r] / sizeof(dun_gain);
        cluster->in_body[r] = all;
    }
    const uint64_t due = all + cluster->gain_count + FEW;
    if (!f->status &&
        !(dun_array_reserve(f->world->heap, &cluster->gains_in, &cluster->gain_in_room, all + FEW, sizeof(dun_gain)) &&
          dun_array_reserve(f->world->heap, &cluster->gains_due, &cluster->gain_due_room, due, sizeof(dun_gain)) &&
          dun_array_reserve(f->world->heap, &cluster->keyed, &cluster->keyed_room, due, sizeof *cluster->keyed) &&
          dun_array_reserve(f->world->heap, &cluster->spare_keyed, &cluster->spare_keyed_room, due, sizeof *cluster->keyed)))
        f->status = dun_fail_memory(f->error, "meals");
    f->status = dun_agree(f->world, f->status, f->error);
}

/* Takes the gains of this rank's eaters from those of the food of one rank. */
static void take_due(struct dun_cluster *cluster, const dun_gain *gains, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        if (gains[i].rank != cluster->transport.rank) continue;
        cluster->keyed[cluster->due_count] =
            (dun_keyed){(uint64_t)gains[i].meal << 32 | gains[i].key, (uint32_t)cluster->due_count};
        cluster->gains_due[cluster->due_count++] = gains[i];
    }
}

/* The sort is stable, so gains with the same key stay in the order of ranks. */
static void order_due(struct dun_cluster *cluster) {
    cluster->due_count = 0;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        if (r == cluster->transport.rank)
            take_due(cluster, cluster->gains, cluster->gain_count);
        else
            take_due(cluster, cluster->gains_in + cluster->in_cursor[r], cluster->in_body[r] - cluster->in_cursor[r]);
    dun_radix_sort(cluster->keyed, cluster->spare_keyed, (uint32_t)cluster->due_count);
}

bool dun_exchange_gains(dun_frame *f) {
    struct dun_cluster *cluster = f->world->cluster;
    const dunlin_transport *t = f->world->transport;
    const uint64_t begin = dun_now_ns();
    if (!t) return false;
    agree_on_gains(f);
    if (!f->status) t->exchange(t->context, cluster->gains_out, cluster->out_bytes, cluster->gains_in, cluster->in_bytes);
    if (!f->status) order_due(cluster);
    f->ns_waited += dun_now_ns() - begin;
    return !f->status;
}

bool dun_gains_next(const dunlin_world *world, int meal, uint64_t *at, uint32_t *slot, float *energy) {
    const struct dun_cluster *cluster = world->cluster;
    if (*at == cluster->due_count) return false;
    const dun_gain *gain = &cluster->gains_due[cluster->keyed[*at].value];
    if (gain->meal != (uint32_t)meal) return false;
    ++*at;
    *slot = dun_grid_cell_begin(world->species[world->meals[meal].eater]->index, gain->cell) + gain->place;
    *energy = gain->energy;
    return true;
}
