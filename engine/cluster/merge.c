/* SPDX-License-Identifier: MIT */
/*
 * Agents that have come from other ranks are put in their places. What comes of each piece is a stretch of its message, and so
 * are this rank's own pieces of its arrays: by keys, and then by ranks, they are what this rank holds in the flock's order.
 *
 * Agents that will be sorted need not lie in that order. Those that come are appended, and the sort learns the order.
 */
#include <string.h>

#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

/* One species, as it is put together. */
typedef struct merge {
    dunlin_world *world;
    dun_spread *spread;
    dun_species *species;
    int number, columns;
    bool behind; /* the agents that come are appended to this rank's own, which stay */
    dun_columns own;
    dun_word *to[DUN_MAX_COLUMNS];
    uint32_t begin, filled; /* slots: where copies begin and end */
    uint32_t copies;
} merge;

/* ---- what comes ---------------------------------------------------------------------------------------------------------- */

static uint64_t count_arrivals(const dunlin_world *world, int species) {
    uint64_t count = 0;
    for (uint32_t r = 0; r < world->transport->ranks; r++)
        count += dun_pieces_in(*dun_agents_of(world, world->cluster->in_agents, r, species));
    return count;
}

bool dun_merge_reserve(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    uint64_t most = 0;
    bool whole = true;
    for (int s = 0; s < world->species_count && whole; s++) {
        dun_species *species = world->species[s];
        const uint64_t parts = 2 * (uint64_t)dun_segment_count(species) + 1;
        most = max_u64(most, count_arrivals(world, s) + parts);
        whole = dun_array_reserve(world->heap, &species->order, &species->order_room, parts, sizeof *species->order);
    }
    return whole && dun_array_reserve(world->heap, &cluster->copies, &cluster->copy_room, most, sizeof *cluster->copies) &&
           dun_array_reserve(world->heap, &cluster->arrivals, &cluster->arrival_room, most, sizeof *cluster->arrivals) &&
           dun_array_reserve(world->heap, &cluster->keyed, &cluster->keyed_room, most, sizeof *cluster->keyed) &&
           dun_array_reserve(world->heap, &cluster->spare_keyed, &cluster->spare_keyed_room, most,
                             sizeof *cluster->spare_keyed);
}

/* Lists what comes by ranks, and by keys: an order for `keyed`, which is stable. Moves the cursors to where agents begin. */
static uint32_t list_arrivals(const merge *m) {
    const struct dun_cluster *cluster = m->world->cluster;
    uint32_t count = 0;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++) {
        const uint64_t sent = *dun_agents_of(m->world, cluster->in_agents, r, m->number);
        const uint32_t *piece = cluster->in + cluster->in_cursor[r];
        for (uint32_t i = dun_pieces_in(sent); i > 0; i--, piece += DUN_PIECE_WORDS) {
            const uint32_t end = i > 1 ? piece[DUN_PIECE_WORDS + 1] : dun_agents_in(sent);
            cluster->keyed[count] = (dun_keyed){piece[0], count};
            cluster->arrivals[count++] = (dun_arrival){.key = piece[0], .rank = r, .agents = end - piece[1], .at = piece[1]};
        }
        cluster->in_cursor[r] += (uint64_t)dun_pieces_in(sent) * DUN_PIECE_WORDS;
    }
    dun_radix_sort(cluster->keyed, cluster->spare_keyed, count);
    return count;
}

/* ---- copying ------------------------------------------------------------------------------------------------------------ */

enum { AGENTS_PER_TASK = 1024 /* some 5 µs of work */ };

static const dun_word *column_of(const merge *m, uint32_t rank, int column) {
    const struct dun_cluster *cluster = m->world->cluster;
    if (rank == cluster->transport.rank) return m->own.from[column];
    return cluster->in + cluster->in_cursor[rank] +
           (uint64_t)column * dun_agents_in(*dun_agents_of(m->world, cluster->in_agents, rank, m->number));
}

static void copy_agents(const merge *m, const dun_copy *copy, uint32_t begin, uint32_t end) {
    begin = max_u32(begin, copy->to);
    end = min_u32(end, copy->to + copy->agents);
    for (int c = 0; c < m->columns; c++)
        memcpy(m->to[c] + begin, column_of(m, copy->rank, c) + copy->from + (begin - copy->to),
               (end - begin) * sizeof(dun_word));
}

/* The last copy that begins at a slot or before it. */
static uint32_t copy_at(const merge *m, uint32_t slot) {
    uint32_t low = 0, high = m->copies - 1;
    while (low < high) {
        const uint32_t middle = high - (high - low) / 2;
        if (m->world->cluster->copies[middle].to <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void copy_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const merge *m = context;
    const uint32_t begin = m->begin + task * AGENTS_PER_TASK, end = min_u32(begin + AGENTS_PER_TASK, m->filled);
    for (uint32_t i = copy_at(m, begin); i < m->copies && m->world->cluster->copies[i].to < end; i++)
        copy_agents(m, &m->world->cluster->copies[i], begin, end);
}

static void copy_all(merge *m) {
    if (m->copies == 0) return;
    m->world->executor.run(&m->world->executor, (m->filled - m->begin - 1) / AGENTS_PER_TASK + 1, copy_part, m);
}

/* ---- in order ------------------------------------------------------------------------------------------------------------ */

/* Appends agents that lie from `from` on in the columns of a rank's message, or of this rank itself. */
static void append(merge *m, uint32_t rank, uint64_t from, uint32_t count) {
    if (count) m->world->cluster->copies[m->copies++] = (dun_copy){from, rank, m->filled, count};
    m->filled += count;
}

/* What is next in the order of the sort. */
static void order(merge *m, uint32_t begin, uint32_t end) {
    dun_species *species = m->species;
    dun_stretch *last = &species->order[species->parts ? species->parts - 1 : 0];
    if (begin == end || !m->behind) return;
    if (species->parts && last->end == begin)
        last->end = end;
    else
        species->order[species->parts++] = (dun_stretch){begin, end};
}

static void take_own(merge *m, uint32_t segment) {
    dun_stretch stays = {dun_segment_begin(m->species, segment), dun_segment_begin(m->species, segment + 1)};
    order(m, stays.begin, stays.end);
    if (m->behind) return;
    stays = m->spread->staying[segment];
    append(m, m->world->transport->rank, stays.begin, stays.end - stays.begin);
}

static void take_arrival(merge *m, const dun_arrival *arrival) {
    order(m, m->filled, m->filled + arrival->agents);
    append(m, arrival->rank, arrival->at, arrival->agents);
}

static bool arrives_before(const dun_arrival *arrival, uint32_t key, uint32_t rank) {
    return arrival->key < key || (arrival->key == key && arrival->rank < rank);
}

static void take_all(merge *m) {
    const struct dun_cluster *cluster = m->world->cluster;
    const uint32_t count = list_arrivals(m);
    uint32_t next = 0;
    for (uint32_t k = 0; k < dun_segment_count(m->species); k++) {
        const uint32_t key = dun_segment_key(m->species, k);
        for (; next < count && arrives_before(&cluster->arrivals[cluster->keyed[next].value], key, cluster->transport.rank);
             next++)
            take_arrival(m, &cluster->arrivals[cluster->keyed[next].value]);
        take_own(m, k);
    }
    for (; next < count; next++) take_arrival(m, &cluster->arrivals[cluster->keyed[next].value]);
}

/* Moves the cursors to where the next species begins. */
static void pass_on(const merge *m) {
    struct dun_cluster *cluster = m->world->cluster;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->in_cursor[r] +=
            (uint64_t)m->columns * dun_agents_in(*dun_agents_of(m->world, cluster->in_agents, r, m->number));
}

static void merge_species(dunlin_world *world, int number) {
    dun_species *species = world->species[number];
    merge m = {.world = world, .spread = &world->cluster->spread[number], .species = species, .number = number};
    m.behind = !m.spread->leaves;
    m.begin = m.filled = m.behind ? species->count : 0;
    const dun_agents *to = &species->buffer[m.behind ? species->current : 1 - species->current];
    m.columns = dun_agents_columns(to, world->def.dimensions, species->attribute_count, m.to);
    m.own = dun_species_columns(world, species);
    species->parts = 0;
    take_all(&m);
    copy_all(&m);
    pass_on(&m);
    m.spread->numbered = m.behind ? species->count : 0;
    species->count = m.filled;
    if (m.behind) return;
    dun_agents_shift(&species->buffer[species->current], 0);
    species->current = 1 - species->current;
}

/* Finds the places of arrivals, and the range of slots of this rank's own agents. */
static void set_own(const dunlin_world *world, int number) {
    dun_spread *spread = &world->cluster->spread[number];
    dun_species *species = world->species[number];
    species->own_begin = 0;
    species->own_end = UINT32_MAX;
    if (!species->indexed || spread->leaves || species->whole_count == 0) return;
    const dun_columns columns = dun_species_columns(world, species);
    const dun_stretch own = dun_grid_hold(species->index, &spread->held, &columns, spread->numbered, &world->executor);
    species->own_begin = own.begin;
    species->own_end = own.end;
}

/* Puts those that have come in their places. */
void dun_merge(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    for (int s = 0; s < world->species_count; s++)
        if (cluster->spread[s].moves) merge_species(world, s);
    for (int s = 0; s < world->species_count; s++) {
        world->species[s]->segments.count = world->species[s]->segments.last_key = 0;
        set_own(world, s);
    }
    cluster->all_move = false;
    world->ids.valid = false;
    world->generation++;
}
