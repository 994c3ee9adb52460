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
    dun_word *to[DUN_MAX_COLUMNS];
    uint32_t filled; /* agents */
} merge;

/* Appends agents with their columns at `from`. */
static void append(merge *m, const dun_word *const *from, uint32_t count) {
    for (int c = 0; c < m->columns; c++) memcpy(m->to[c] + m->filled, from[c], count * sizeof *from[c]);
    m->filled += count;
}

static void append_own(merge *m, uint32_t segment) {
    dun_columns own = dun_species_columns(m->world, m->species);
    dun_stretch stays = {dun_segment_begin(m->species, segment), dun_segment_begin(m->species, segment + 1)};
    if (m->spread->leaves) stays = m->spread->staying[segment];
    if (stays.begin == stays.end) return;
    for (int c = 0; c < m->columns; c++) own.from[c] += stays.begin;
    append(m, own.from, stays.end - stays.begin);
}

static void append_arrivals(merge *m, uint32_t segment, uint32_t rank) {
    const struct dun_cluster *cluster = m->world->cluster;
    const uint32_t *head = dun_message_head_of(m->world, rank, m->number);
    if (!head || head[segment] == 0) return;
    const uint64_t all = *dun_agents_of(m->world, cluster->in_agents, rank, m->number);
    uint64_t before = 0;
    for (uint32_t k = 0; k < segment; k++) before += head[k];
    const dun_word *from[DUN_MAX_COLUMNS];
    for (int c = 0; c < m->columns; c++) from[c] = cluster->in + cluster->in_body[rank] + (uint64_t)c * all + before;
    append(m, from, head[segment]);
}

/* Puts all agents in order in the species' other buffer. */
static void merge_segments(merge *m) {
    const uint32_t ranks = m->world->transport->ranks, own = m->world->transport->rank;
    for (uint32_t k = 0; k < dun_segment_count(m->species); k++) {
        for (uint32_t r = 0; r < own; r++) append_arrivals(m, k, r);
        append_own(m, k);
        for (uint32_t r = own + 1; r < ranks; r++) append_arrivals(m, k, r);
    }
    dun_agents_shift(&m->species->buffer[m->species->current], 0);
    m->species->current = 1 - m->species->current;
}

/* Appends what comes to the state: first from higher ranks, then from lower ones, which the sort will take first. */
static void merge_behind(merge *m) {
    const uint32_t ranks = m->world->transport->ranks, own = m->world->transport->rank;
    m->filled = m->species->count;
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
    (behind ? merge_behind : merge_segments)(&m);
    pass_on(&m);
    m.spread->numbered = behind ? species->count : 0;
    species->count = m.filled;
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
