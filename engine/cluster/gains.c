/* SPDX-License-Identifier: MIT */
/*
 * What eaters gain. A food's owner decides which agent eats it, and sends that to the eater's owner. Both hold all agents of
 * the eater's cell, so an eater is known by its cell and its place there. Gains are added up in the order of the whole flock's
 * food: by the keys of its pieces, by ranks, and by slots.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/cluster/exchange.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"

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
        !dun_array_reserve(f->world->heap, &cluster->gains, &cluster->gain_room, 2 * cluster->gain_count + 64, sizeof gain))
        f->status = dun_fail_memory(f->error, "meals");
    else
        cluster->gains[cluster->gain_count++] = gain;
}

/* Sorts what goes to others by rank; the order of each rank's stays. */
static bool write_gains(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint32_t ranks = cluster->transport.ranks, own = cluster->transport.rank;
    memset(cluster->out_bytes, 0, ranks * sizeof *cluster->out_bytes);
    for (uint64_t i = 0; i < cluster->gain_count; i++)
        if (cluster->gains[i].rank != own) cluster->out_bytes[cluster->gains[i].rank] += sizeof(dun_gain);
    const uint64_t all = dun_message_cursors(cluster->out_bytes, sizeof(dun_gain), ranks, cluster->out_cursor);
    if (!dun_array_reserve(world->heap, &cluster->gains_out, &cluster->gain_out_room, all, sizeof(dun_gain))) return false;
    for (uint64_t i = 0; i < cluster->gain_count; i++)
        if (cluster->gains[i].rank != own)
            cluster->gains_out[cluster->out_cursor[cluster->gains[i].rank]++] = cluster->gains[i];
    return true;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------------- */

bool dun_meal_gains(const dunlin_world *world, int meal) {
    const dunlin_meal_def *def = &world->meals[meal];
    return def->energy >= 0 || dun_attribute_of_role(world->species[def->eater], DUNLIN_ROLE_SINCE_MEAL) >= 0;
}

/* What a rank sends to each other one first: its bytes, whether it has failed, and its births by the parents' pieces. The
 * numbers of agents that were exchanged are not needed any more. */
enum { BYTES, FAILED, BORN = DUN_GAINS_HEAD };

/* A rank sees all food that its eaters may eat, and each agent is eaten once. That of others comes now, or leaves this rank. */
bool dun_gains_reserve(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    uint64_t most = 0;
    for (int m = 0; m < world->meal_count; m++) {
        const int food = world->meals[m].food;
        if (dun_meal_gains(world, m)) most += cluster->spread[food].left_and_held + dun_arrivals(world, food);
    }
    return dun_array_reserve(world->heap, &cluster->gains_in, &cluster->gain_in_room, most, sizeof(dun_gain));
}

static void send_sizes(const dun_frame *f) {
    const struct dun_cluster *cluster = f->world->cluster;
    const dunlin_transport *t = &cluster->transport;
    const size_t count = (size_t)dun_gains_numbers(f->world);
    dun_births_write(f, cluster->out_agents + BORN);
    for (uint32_t r = 0; r < t->ranks; r++) {
        uint64_t *numbers = cluster->out_agents + r * count;
        numbers[BYTES] = cluster->out_bytes[r];
        numbers[FAILED] = f->status != DUNLIN_OK;
        if (r > 0) memcpy(numbers + BORN, cluster->out_agents + BORN, (count - BORN) * sizeof *numbers);
    }
    t->all_to_all(t->context, cluster->out_agents, cluster->in_agents, (uint32_t)count);
}

/* Returns whether no rank has failed. */
static bool take_sizes(dun_frame *f) {
    struct dun_cluster *cluster = f->world->cluster;
    const size_t count = (size_t)dun_gains_numbers(f->world);
    uint64_t failed = 0;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++) {
        const uint64_t *numbers = cluster->in_agents + r * count;
        failed += numbers[FAILED];
        dun_births_read(f, r, numbers + BORN);
        cluster->in_bytes[r] = numbers[BYTES];
    }
    f->births_known = true;
    dun_message_cursors(cluster->in_bytes, sizeof(dun_gain), cluster->transport.ranks, cluster->in_cursor);
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->in_end[r] = cluster->in_cursor[r] + cluster->in_bytes[r] / sizeof(dun_gain);
    cluster->in_cursor[cluster->transport.rank] = 0;
    return failed == 0;
}

bool dun_exchange_gains(dun_frame *f) {
    struct dun_cluster *cluster = f->world->cluster;
    const dunlin_transport *t = f->world->transport;
    const uint64_t begin = dun_now_ns();
    if (!t) return false;
    if (!f->status && !write_gains(f->world)) f->status = dun_fail_memory(f->error, "meals");
    if (f->status) memset(cluster->out_bytes, 0, t->ranks * sizeof *cluster->out_bytes);
    send_sizes(f);
    const bool whole = take_sizes(f);
    if (whole) t->exchange(t->context, cluster->gains_out, cluster->out_bytes, cluster->gains_in, cluster->in_bytes);
    f->ns_waited += dun_now_ns() - begin;
    return whole;
}

/* The next gain by a rank's food; NULL: there is none. */
static const dun_gain *next_of(struct dun_cluster *cluster, uint32_t rank) {
    const bool own = rank == cluster->transport.rank;
    const dun_gain *gains = own ? cluster->gains : cluster->gains_in;
    const uint64_t end = own ? cluster->gain_count : cluster->in_end[rank];
    uint64_t *at = &cluster->in_cursor[rank];
    while (own && *at < end && gains[*at].rank != rank) ++*at;
    return *at < end ? &gains[*at] : NULL;
}

/* Of the next gains of all ranks by this meal that with the smallest key, and of these the lowest rank's; NULL: there is none.
 */
static const dun_gain *first_of(struct dun_cluster *cluster, uint32_t meal, dun_gain_source *from) {
    const dun_gain *first = NULL;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++) {
        const dun_gain *gain = next_of(cluster, r);
        if (!gain || gain->meal != meal || (first && gain->key >= first->key)) continue;
        first = gain;
        *from = (dun_gain_source){r, gain->key};
    }
    return first;
}

bool dun_gains_next(const dunlin_world *world, int meal, dun_gain_source *from, uint32_t *slot, float *energy) {
    struct dun_cluster *cluster = world->cluster;
    const dun_gain *gain = from->rank < cluster->transport.ranks ? next_of(cluster, from->rank) : NULL;
    if (!gain || gain->meal != (uint32_t)meal || gain->key != from->key) gain = first_of(cluster, (uint32_t)meal, from);
    if (!gain) return false;
    cluster->in_cursor[from->rank]++;
    *slot = dun_grid_cell_begin(world->species[world->meals[meal].eater]->index, gain->cell) + gain->place;
    *energy = gain->energy;
    return true;
}
