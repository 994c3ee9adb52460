/* SPDX-License-Identifier: MIT */
/*
 * What eaters gain. A food's owner decides which agent eats it, and sends that to the eater's owner. Both hold all agents of
 * the eater's cell, so an eater is known by its cell and its place there.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/cluster/cluster.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

static uint32_t owner_of(const dun_spread *spread, uint32_t ranks, uint32_t cell) {
    uint32_t low = 0, high = ranks - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (spread->cells[middle].end <= cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void dun_gain_list(dun_frame *f, int meal, uint32_t eater, float energy) {
    struct dun_cluster *cluster = f->world->cluster;
    const int number = f->world->meals[meal].eater;
    const dun_index *index = f->world->species[number]->index;
    dun_gain gain = {.meal = (uint32_t)meal, .energy = energy};
    dun_columns one = {.agents = 1};
    for (int a = 0; a < f->world->def.dimensions; a++) one.from[a] = (const dun_word *)f->snapshot[number]->position[a] + eater;
    dun_grid_keys(index, &one, 0, 1, &gain.cell);
    gain.place = eater - dun_grid_cell_begin(index, gain.cell);
    gain.rank = owner_of(&cluster->spread[number], cluster->transport.ranks, gain.cell);
    if (cluster->gain_count == cluster->gain_room &&
        !dun_array_reserve(f->world->heap, &cluster->gains, &cluster->gain_room, 2 * cluster->gain_count + 64, sizeof gain))
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
    if (!dun_array_reserve(world->heap, &cluster->gains_out, &cluster->gain_out_room, all, sizeof(dun_gain))) return false;
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
    cluster->in_cursor[t->rank] = 0;
    if (!f->status && !dun_array_reserve(f->world->heap, &cluster->gains_in, &cluster->gain_in_room, all, sizeof(dun_gain)))
        f->status = dun_fail_memory(f->error, "meals");
    f->status = dun_agree(f->world, f->status, f->error);
}

bool dun_exchange_gains(dun_frame *f) {
    const struct dun_cluster *cluster = f->world->cluster;
    const dunlin_transport *t = f->world->transport;
    const uint64_t begin = dun_now_ns();
    if (!t) return false;
    agree_on_gains(f);
    if (!f->status) t->exchange(t->context, cluster->gains_out, cluster->out_bytes, cluster->gains_in, cluster->in_bytes);
    f->ns_waited += dun_now_ns() - begin;
    return !f->status;
}

/* The next gain of a meal by a rank's food; NULL: there is none. */
static const dun_gain *next_of(struct dun_cluster *cluster, uint32_t rank, uint32_t meal) {
    const bool own = rank == cluster->transport.rank;
    const dun_gain *gains = own ? cluster->gains : cluster->gains_in;
    const uint64_t end = own ? cluster->gain_count : cluster->in_body[rank];
    uint64_t *at = &cluster->in_cursor[rank];
    while (own && *at < end && gains[*at].rank != rank) ++*at;
    return *at < end && gains[*at].meal == meal ? &gains[(*at)++] : NULL;
}

bool dun_gains_next(const dunlin_world *world, int meal, uint32_t *rank, uint32_t *slot, float *energy) {
    struct dun_cluster *cluster = world->cluster;
    for (; *rank < cluster->transport.ranks; ++*rank) {
        const dun_gain *gain = next_of(cluster, *rank, (uint32_t)meal);
        if (!gain) continue;
        *slot = dun_grid_cell_begin(world->species[world->meals[meal].eater]->index, gain->cell) + gain->place;
        *energy = gain->energy;
        return true;
    }
    return false;
}
