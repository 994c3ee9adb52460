/* SPDX-License-Identifier: MIT */
/* Agents that have come from other ranks are put in their places. */
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
    dun_columns own;
    dun_word *to[DUN_MAX_COLUMNS];
    uint32_t begin, filled; /* slots: where copies begin and end */
    uint32_t copies;
} merge;

/* ---- copying ------------------------------------------------------------------------------------------------------------ */

enum { AGENTS_PER_TASK = 1024 /* some 5 µs of work */ };

bool dun_merge_reserve(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    uint64_t most = 0;
    for (int s = 0; s < world->species_count; s++) {
        uint64_t sources = 1;
        for (uint32_t r = 0; r < cluster->transport.ranks; r++) sources += *dun_agents_of(world, cluster->in_agents, r, s) > 0;
        most = max_u64(most, sources * dun_segment_count(world->species[s]));
    }
    return dun_array_reserve(world->heap, &cluster->copies, &cluster->copy_room, most, sizeof *cluster->copies);
}

/* Appends agents that lie from `from` on in the columns of a rank's message, or of this rank itself. */
static void append(merge *m, uint32_t rank, uint64_t from, uint32_t count) {
    if (count) m->world->cluster->copies[m->copies++] = (dun_copy){from, rank, m->filled, count};
    m->filled += count;
}

static const dun_word *column_of(const merge *m, uint32_t rank, int column) {
    const struct dun_cluster *cluster = m->world->cluster;
    if (rank == cluster->transport.rank) return m->own.from[column];
    return cluster->in + cluster->in_body[rank] +
           (uint64_t)column * *dun_agents_of(m->world, cluster->in_agents, rank, m->number);
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

/* ---- the order ---------------------------------------------------------------------------------------------------------- */

static void append_own(merge *m, uint32_t segment) {
    dun_stretch stays = {dun_segment_begin(m->species, segment), dun_segment_begin(m->species, segment + 1)};
    if (m->spread->leaves) stays = m->spread->staying[segment];
    append(m, m->world->transport->rank, stays.begin, stays.end - stays.begin);
}

static void append_arrivals(merge *m, uint32_t segment, uint32_t rank) {
    const uint32_t *head = dun_message_head_of(m->world, rank, m->number);
    uint64_t before = 0;
    if (!head) return;
    for (uint32_t k = 0; k < segment; k++) before += head[k];
    append(m, rank, before, head[segment]);
}

/* Puts all agents in order in the species' other buffer. */
static void merge_segments(merge *m) {
    const uint32_t ranks = m->world->transport->ranks, own = m->world->transport->rank;
    for (uint32_t k = 0; k < dun_segment_count(m->species); k++) {
        for (uint32_t r = 0; r < own; r++) append_arrivals(m, k, r);
        append_own(m, k);
        for (uint32_t r = own + 1; r < ranks; r++) append_arrivals(m, k, r);
    }
}

/* Appends what comes to the state: first from higher ranks, then from lower ones, which the sort will take first. */
static void merge_behind(merge *m) {
    const uint32_t ranks = m->world->transport->ranks, own = m->world->transport->rank;
    m->begin = m->filled = m->species->count;
    for (uint32_t r = own + 1; r < ranks; r++) append_arrivals(m, 0, r);
    const uint32_t lead = m->filled;
    for (uint32_t r = 0; r < own; r++) append_arrivals(m, 0, r);
    m->species->lead = m->filled - lead;
}

/* Where the messages' agents of the next species begin. */
static void pass_on(const merge *m) {
    struct dun_cluster *cluster = m->world->cluster;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->in_body[r] += (uint64_t)m->columns * *dun_agents_of(m->world, cluster->in_agents, r, m->number);
}

static void merge_species(dunlin_world *world, int number) {
    dun_species *species = world->species[number];
    merge m = {.world = world, .spread = &world->cluster->spread[number], .species = species, .number = number};
    const bool behind = species->segments.count == 0 && !m.spread->leaves;
    const dun_agents *to = &species->buffer[behind ? species->current : 1 - species->current];
    m.columns = dun_agents_columns(to, world->def.dimensions, species->attribute_count, m.to);
    m.own = dun_species_columns(world, species);
    (behind ? merge_behind : merge_segments)(&m);
    copy_all(&m);
    pass_on(&m);
    m.spread->numbered = behind ? species->count : 0;
    species->count = m.filled;
    if (behind) return;
    dun_agents_shift(&species->buffer[species->current], 0);
    species->current = 1 - species->current;
}

/* Finds the cells of arrivals, and the range of slots of this rank's own agents. */
static void set_own(const dunlin_world *world, int number) {
    dun_spread *spread = &world->cluster->spread[number];
    dun_species *species = world->species[number];
    species->own_begin = 0;
    species->own_end = UINT32_MAX;
    if (!species->indexed || spread->leaves || species->whole_count == 0) return;
    const dun_columns columns = dun_species_columns(world, species);
    dun_stretch held[2];
    dun_route_own(world, number, held);
    const dun_stretch own = dun_grid_hold(species->index, held, &columns, spread->numbered,
                                          spread->cells[world->transport->rank], &world->executor);
    species->own_begin = own.begin;
    species->own_end = own.end;
}

/* Puts those that have come in their places. */
void dun_merge(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint64_t head = dun_message_head(world);
    for (uint32_t r = 0; r < cluster->transport.ranks; r++) cluster->in_body[r] = cluster->in_cursor[r] + head;
    for (int s = 0; s < world->species_count; s++)
        if (cluster->spread[s].moves) merge_species(world, s);
    for (int s = 0; s < world->species_count; s++) {
        world->species[s]->segments.count = 0; /* only now: heads have as many numbers as there were segments */
        set_own(world, s);
    }
    cluster->on_first = false;
    world->ids.valid = false;
    world->generation++;
}
