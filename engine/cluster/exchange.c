/* SPDX-License-Identifier: MIT */
/*
 * The exchange. A message is an array of words: for each species that takes part the number of agents in each segment, then its
 * agents, column by column, in their order. A rank that gets no agents gets no message.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/cluster/cluster.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"

enum { BLOCK = 512 /* agents; their keys stay in L1 */, BLOCKS_PER_TASK = 256 /* some 50 µs of work */ };

dun_columns dun_state_columns(const dunlin_world *world, const dun_species *species) {
    dun_word *words[DUN_MAX_COLUMNS];
    dun_columns columns = {.agents = species->count};
    columns.columns =
        dun_agents_columns(&species->buffer[species->current], world->def.dimensions, species->attribute_count, words);
    for (int c = 0; c < columns.columns; c++) columns.from[c] = words[c];
    return columns;
}

/* ---- who goes where ---------------------------------------------------------------------------------------------------- */

static bool hit(struct dun_cluster *cluster, uint32_t rank, uint32_t slot) {
    if (cluster->hit_count == cluster->hit_room &&
        !dun_cluster_reserve(&cluster->hits, &cluster->hit_room, cluster->hit_count * 2 + 1024, sizeof *cluster->hits))
        return false;
    cluster->hits[cluster->hit_count++] = (dun_hit){rank, slot};
    return true;
}

/* Most blocks are in cells that nobody else sees. */
static bool are_alone(const uint32_t *keys, uint32_t count, dun_stretch alone) {
    bool all = true;
    for (uint32_t i = 0; i < count; i++) all &= keys[i] - alone.begin < alone.end - alone.begin;
    return all;
}

/* The blocks of one species. */
typedef struct watch {
    const dun_spread *spread;
    uint32_t agents;
    uint8_t *seen; /* [blocks] */
} watch;

static void watch_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const watch *w = context;
    const uint32_t last = min_u32((task + 1) * BLOCKS_PER_TASK, w->agents / BLOCK + 1);
    for (uint32_t block = task * BLOCKS_PER_TASK; block < last; block++) {
        const uint32_t begin = block * BLOCK, end = min_u32(begin + BLOCK, w->agents);
        w->seen[block] = !are_alone(w->spread->keys + begin, end - begin, w->spread->alone);
    }
}

static bool lie_outside(struct dun_cluster *cluster, uint32_t slot) {
    if (cluster->outside_count == cluster->outside_room &&
        !dun_cluster_reserve(&cluster->outside, &cluster->outside_room, cluster->outside_count * 2 + 1024,
                             sizeof *cluster->outside))
        return false;
    cluster->outside[cluster->outside_count++] = slot;
    return true;
}

static bool hit_by_cells(dunlin_world *world, int number) {
    struct dun_cluster *cluster = world->cluster;
    const dun_spread *spread = &cluster->spread[number];
    const dun_species *species = world->species[number];
    const dun_stretch own = spread->cells[cluster->transport.rank], alone = spread->alone;
    const uint32_t row = dun_grid_row_cells(species->index), blocks = species->count / BLOCK + 1;
    if (!dun_cluster_reserve(&cluster->seen, &cluster->seen_room, blocks, sizeof *cluster->seen)) return false;
    watch w = {spread, species->count, cluster->seen};
    world->executor.run(&world->executor, blocks / BLOCKS_PER_TASK + 1, watch_part, &w);
    for (uint32_t block = 0; block < blocks; block++) {
        const uint32_t begin = block * BLOCK, end = min_u32(begin + BLOCK, species->count);
        if (!cluster->seen[block]) continue;
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t *at = spread->row_first + spread->keys[i] / row;
            cluster->leaving += spread->keys[i] - own.begin >= own.end - own.begin;
            for (uint32_t r = at[0]; r < at[1]; r++)
                if (!hit(cluster, spread->row_rank[r], i)) return false;
            if (spread->keys[i] - alone.begin >= alone.end - alone.begin && !lie_outside(cluster, i)) return false;
        }
    }
    return true;
}

/* The rank that has the agents of that place in the flock's order, and the first place behind its own. */
static uint32_t rank_of_place(const dunlin_transport *t, uint64_t place, uint64_t whole, uint64_t *end) {
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
            const uint64_t place = spread->place[k] + (slot - begin);
            uint64_t place_end = UINT64_MAX;
            const uint32_t rank = all_to_first ? 0 : rank_of_place(t, place, species->whole_count, &place_end);
            const uint64_t left = place_end - place;
            const uint32_t end = left < segment_end - slot ? slot + (uint32_t)left : segment_end;
            if (rank == t->rank) *staying = (dun_stretch){slot, end};
            if (rank != t->rank) cluster->leaving += end - slot;
            for (; slot < end && rank != t->rank; slot++)
                if (!hit(cluster, rank, slot)) return false;
            slot = end;
        }
    }
    return true;
}

/* ---- messages ---------------------------------------------------------------------------------------------------------- */

/* Words before a message's agents. */
static uint64_t head_words(const dunlin_world *world) {
    uint64_t words = 0;
    for (int s = 0; s < world->species_count; s++)
        if (world->cluster->spread[s].moves) words += dun_segment_count(world->species[s]);
    return words;
}

static void set_sizes(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint64_t head = head_words(world);
    memset(cluster->out_bytes, 0, cluster->transport.ranks * sizeof *cluster->out_bytes);
    for (int s = 0; s < world->species_count; s++) {
        const dun_spread *spread = &cluster->spread[s];
        const uint64_t columns = (uint64_t)dun_state_columns(world, world->species[s]).columns;
        for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
            uint64_t *bytes = &cluster->out_bytes[cluster->hits[h].rank];
            *bytes += (columns + (*bytes == 0 ? head : 0)) * sizeof(uint32_t);
        }
    }
}

/* Sets cursors to where each rank's message begins; returns the words of all. */
static uint64_t set_cursors(const uint64_t *bytes, uint32_t ranks, uint64_t *cursor) {
    uint64_t words = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        cursor[r] = words;
        words += bytes[r] / sizeof(uint32_t);
    }
    return words;
}

/* Writes the numbers of agents in each segment, and leaves the cursors behind them. */
static void write_heads(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const size_t head = (size_t)head_words(world);
    uint64_t first = 0;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        if (cluster->out_bytes[r]) memset(cluster->out + cluster->out_cursor[r], 0, head * sizeof *cluster->out);
    for (int s = 0; s < world->species_count; s++) {
        const dun_spread *spread = &cluster->spread[s];
        const dun_species *species = world->species[s];
        uint32_t k = 0;
        for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
            while (cluster->hits[h].slot >= dun_segment_begin(species, k + 1)) k++;
            cluster->out[cluster->out_cursor[cluster->hits[h].rank] + first + k]++;
        }
        if (spread->moves) first += dun_segment_count(species);
    }
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        if (cluster->out_bytes[r]) cluster->out_cursor[r] += head;
}

static void write_species(const dunlin_world *world, int number) {
    struct dun_cluster *cluster = world->cluster;
    const dun_spread *spread = &cluster->spread[number];
    const dun_columns columns = dun_state_columns(world, world->species[number]);
    const uint32_t ranks = cluster->transport.ranks;
    memset(cluster->to_send, 0, ranks * sizeof *cluster->to_send);
    for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) cluster->to_send[cluster->hits[h].rank]++;
    for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
        const dun_hit to = cluster->hits[h];
        uint32_t *word = cluster->out + cluster->out_cursor[to.rank]++;
        for (int c = 0; c < columns.columns; c++, word += cluster->to_send[to.rank]) *word = columns.from[c][to.slot];
    }
    for (uint32_t r = 0; r < ranks; r++) cluster->out_cursor[r] += (uint64_t)(columns.columns - 1) * cluster->to_send[r];
}

/* ---- sending ----------------------------------------------------------------------------------------------------------- */

/* Learns the flock's numbers of agents, and, where agents go by their places, those of this rank's first in each segment. */
static void find_places(dunlin_world *world) {
    const dunlin_transport *t = world->transport;
    for (int s = 0; s < world->species_count; s++) {
        dun_spread *spread = &world->cluster->spread[s];
        const dun_species *species = world->species[s];
        if (!spread->leaves) continue;
        const uint32_t segments = dun_segment_count(species);
        uint64_t *place = spread->place, *all = spread->place + segments;
        for (uint32_t k = 0; k < segments; k++)
            place[k] = all[k] = dun_segment_begin(species, k + 1) - dun_segment_begin(species, k);
        t->scan(t->context, place, segments);
        t->sum(t->context, all, segments);
        for (uint64_t k = 0, before = 0; k < segments; before += all[k++]) place[k] += before;
    }
}

static bool reserve_places(dunlin_world *world) {
    bool whole = true;
    for (int s = 0; s < world->species_count && whole; s++) {
        dun_spread *spread = &world->cluster->spread[s];
        const uint64_t segments = dun_segment_count(world->species[s]);
        if (!spread->moves) continue;
        whole = dun_cluster_reserve(&spread->place, &spread->place_room, 2 * segments, sizeof *spread->place) &&
                dun_cluster_reserve(&spread->staying, &spread->staying_room, segments, sizeof *spread->staying);
    }
    const uint64_t told = (uint64_t)world->transport->ranks * dun_told_words(world);
    struct dun_cluster *cluster = world->cluster;
    return whole && dun_cluster_reserve(&cluster->out_told, &cluster->out_told_room, told, sizeof *cluster->out_told) &&
           dun_cluster_reserve(&cluster->in_told, &cluster->in_told_room, told, sizeof *cluster->in_told);
}

/* A species that is not sorted only moves if agents have been appended to it, because its order is that of its segments, or if
 * rank 0 has all of it. */
static void choose_movers(const dunlin_world *world, bool gathers) {
    const bool all_move = gathers || world->cluster->on_first;
    for (int s = 0; s < world->species_count; s++) {
        dun_spread *spread = &world->cluster->spread[s];
        const dun_species *species = world->species[s];
        spread->moves = all_move || species->indexed || species->segments.count > 0;
        spread->leaves = spread->moves && (gathers || !species->indexed);
        spread->hit_begin = spread->hit_end = 0;
    }
}

/* Everybody learns the whole counts and, unless one has failed, the agents that definitions name. */
static dunlin_result agree_on_counts(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    uint64_t numbers[DUNLIN_MAX_SPECIES + 1] = {result != DUNLIN_OK};
    for (int s = 0; s < world->species_count; s++) numbers[s + 1] = world->species[s]->count;
    dun_sum(world, numbers, (uint32_t)world->species_count + 1);
    result = dun_agree_on_failure(world, numbers[0], result, error);
    for (int s = 0; s < world->species_count && !result; s++) {
        dun_species *species = world->species[s];
        if (species->whole_count != numbers[s + 1]) world->prepared = false;
        species->whole_count = numbers[s + 1];
    }
    return result;
}

static bool find_routes(dunlin_world *world) {
    bool whole = true;
    for (int s = 0; s < world->species_count && whole; s++)
        if (world->species[s]->indexed) whole = dun_cut_species(world, s);
    for (int s = 0; s < world->species_count && whole; s++)
        if (world->species[s]->indexed) whole = dun_route(world, s);
    return whole;
}

/* Gives the indexes this step's cells, and finds the numbers of those that agents are in. */
static void number_agents(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (!species->indexed) continue;
        const dun_space space = dun_species_space(world, s, species->count);
        dun_columns columns = dun_state_columns(world, species);
        columns.numbered = species->numbered == world->generation && !world->def.boundary_first;
        dun_grid_shape(species->index, &space, species->count);
        world->cluster->spread[s].keys = dun_grid_numbers(species->index, &columns, species->numbered_from, &world->executor);
    }
}

static bool write_messages(dunlin_world *world, bool gathers) {
    struct dun_cluster *cluster = world->cluster;
    bool whole = true;
    cluster->hit_count = cluster->leaving = cluster->outside_count = 0;
    for (int s = 0; s < world->species_count && whole; s++) {
        dun_spread *spread = &cluster->spread[s];
        spread->hit_begin = cluster->hit_count;
        spread->outside_begin = cluster->outside_count;
        if (spread->moves) whole = spread->leaves ? hit_by_places(world, s, gathers) : hit_by_cells(world, s);
        spread->hit_end = cluster->hit_count;
        spread->outside_end = cluster->outside_count;
    }
    if (!whole) return false;
    set_sizes(world);
    const uint64_t words = set_cursors(cluster->out_bytes, cluster->transport.ranks, cluster->out_cursor);
    if (!dun_cluster_reserve(&cluster->out, &cluster->out_room, words, sizeof *cluster->out)) return false;
    write_heads(world);
    for (int s = 0; s < world->species_count; s++)
        if (cluster->spread[s].moves) write_species(world, s);
    return true;
}

/* ---- receiving --------------------------------------------------------------------------------------------------------- */

static const uint32_t *head_of(const dunlin_world *world, uint32_t rank, int number) {
    const struct dun_cluster *cluster = world->cluster;
    const uint32_t *head = cluster->in + cluster->in_cursor[rank];
    if (cluster->in_bytes[rank] == 0) return NULL;
    for (int s = 0; s < number; s++)
        if (cluster->spread[s].moves) head += dun_segment_count(world->species[s]);
    return head;
}

static uint64_t count_in(const uint32_t *head, uint32_t segments) {
    uint64_t count = 0;
    for (uint32_t k = 0; k < segments && head; k++) count += head[k];
    return count;
}

static uint64_t count_staying(const dun_spread *spread, const dun_species *species) {
    uint64_t count = 0;
    if (!spread->leaves) return species->count;
    for (uint32_t k = 0; k < dun_segment_count(species); k++) count += spread->staying[k].end - spread->staying[k].begin;
    return count;
}

static void tell(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    const dunlin_transport *t = &cluster->transport;
    const uint32_t count = dun_told_words(world);
    dun_interior_tell(world);
    for (uint32_t r = 0; r < t->ranks; r++) cluster->out_told[(size_t)r * count] = cluster->out_bytes[r];
    t->tell(t->context, cluster->out_told, cluster->in_told, count);
    for (uint32_t r = 0; r < t->ranks; r++) cluster->in_bytes[r] = cluster->in_told[(size_t)r * count];
}

/* Tells sizes, and makes room for what comes. */
static dunlin_result agree_on_sizes(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    struct dun_cluster *cluster = world->cluster;
    const dunlin_transport *t = &cluster->transport;
    if (result) memset(cluster->out_bytes, 0, t->ranks * sizeof *cluster->out_bytes);
    tell(world);
    const uint64_t words = set_cursors(cluster->in_bytes, t->ranks, cluster->in_cursor);
    if (!result && !dun_cluster_reserve(&cluster->in, &cluster->in_room, words, sizeof *cluster->in))
        result = dun_fail_memory(error, "agents from other ranks");
    uint64_t numbers[5] = {result != DUNLIN_OK, 0, 0, cluster->hit_count - cluster->leaving, cluster->leaving};
    for (uint32_t r = 0; r < t->ranks; r++) {
        numbers[1] += cluster->out_bytes[r];
        numbers[2] += cluster->out_bytes[r] > 0;
    }
    dun_sum(world, numbers, 5);
    cluster->traffic.bytes = numbers[1];
    cluster->traffic.messages = numbers[2];
    cluster->traffic.halo = numbers[3];
    cluster->traffic.migrants = numbers[4];
    cluster->traffic.early = 0;
    return dun_agree_on_failure(world, numbers[0], result, error);
}

static dunlin_result write(dunlin_world *world, dunlin_result result, bool gathers, dunlin_error *error) {
    choose_movers(world, gathers);
    if (!result && !(reserve_places(world) && dun_named_reserve(world))) result = dun_fail_memory(error, "an exchange");
    result = agree_on_counts(world, result, error);
    if (result) return result;
    find_places(world);
    if (!gathers) {
        number_agents(world);
        dun_cut_again(world);
        if (!find_routes(world)) result = dun_fail_memory(error, "an exchange");
    }
    if (!result && !write_messages(world, gathers)) result = dun_fail_memory(error, "an exchange");
    return agree_on_sizes(world, result, error);
}

dunlin_result dun_exchange_write(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    const uint64_t begin = dun_now_ns();
    result = write(world, result, false, error);
    world->cluster->traffic.ms_exchange = 1e-6 * (double)(dun_now_ns() - begin);
    return result;
}

void dun_exchange_send(dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    const dunlin_transport *t = &cluster->transport;
    t->exchange(t->context, cluster->out, cluster->out_bytes, cluster->in, cluster->in_bytes);
}

dunlin_result dun_exchange_reserve(dunlin_world *world, bool early, dunlin_error *error) {
    struct dun_cluster *cluster = world->cluster;
    dunlin_result result = DUNLIN_OK;
    cluster->early = early && dun_interior_find(world);
    if (early && !dun_interior_reserve(world)) return dun_fail_memory(error, "agents from other ranks");
    for (int s = 0; s < world->species_count && !result; s++) {
        dun_spread *spread = &cluster->spread[s];
        const dun_species *species = world->species[s];
        uint64_t count = spread->moves ? count_staying(spread, species) : 0;
        if (spread->moves) count += dun_interior_arrivals(world, s, 0, cluster->transport.ranks);
        if (cluster->early && species->indexed)
            count += spread->rest_count; /* those behind the early ones, before they are overwritten */
        if (count > DUNLIN_MAX_AGENTS)
            result = dun_fail(error, DUNLIN_ERROR_MEMORY, "species '%s': a rank would hold %llu agents, and holds %u at most",
                              species->name, (unsigned long long)count, (unsigned)DUNLIN_MAX_AGENTS);
        else
            result = dun_species_make_room(world, s, count, false, error);
    }
    return result;
}

/* ---- merging ----------------------------------------------------------------------------------------------------------- */

/* One species, as it is put together. */
typedef struct merge {
    dunlin_world *world;
    dun_spread *spread;
    dun_species *species;
    int number, columns;
    dun_word *to[DUN_MAX_COLUMNS];
    uint32_t filled; /* agents */
} merge;

/* Appends agents whose columns lie `stride` words apart, or, if that is 0, as `from` says. */
static void append(merge *m, const dun_word *const *from, uint32_t count) {
    for (int c = 0; c < m->columns; c++) memcpy(m->to[c] + m->filled, from[c], count * sizeof *from[c]);
    m->filled += count;
}

static void append_own(merge *m, uint32_t segment) {
    dun_columns own = dun_state_columns(m->world, m->species);
    dun_stretch stays = {dun_segment_begin(m->species, segment), dun_segment_begin(m->species, segment + 1)};
    if (m->spread->leaves) stays = m->spread->staying[segment];
    if (stays.begin == stays.end) return;
    for (int c = 0; c < m->columns; c++) own.from[c] += stays.begin;
    append(m, own.from, stays.end - stays.begin);
}

static void append_arrivals(merge *m, uint32_t segment, uint32_t rank) {
    const struct dun_cluster *cluster = m->world->cluster;
    const uint32_t *head = head_of(m->world, rank, m->number);
    if (!head || head[segment] == 0) return;
    const uint64_t all = count_in(head, dun_segment_count(m->species)), before = count_in(head, segment);
    const dun_word *from[DUN_MAX_COLUMNS];
    for (int c = 0; c < m->columns; c++) from[c] = cluster->in + cluster->in_body[rank] + (uint64_t)c * all + before;
    append(m, from, head[segment]);
}

/* Puts everybody in order in the species' other buffer. */
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
        cluster->in_body[r] += (uint64_t)m->columns * count_in(head_of(m->world, r, m->number), dun_segment_count(m->species));
}

static merge merge_of(dunlin_world *world, int number) {
    return (merge){
        .world = world, .spread = &world->cluster->spread[number], .species = world->species[number], .number = number};
}

/* Sorts the agents that are not early, and puts them before and behind those that are. */
static void merge_around(dunlin_world *world, int number) {
    dun_species *species = world->species[number];
    merge m = merge_of(world, number);
    const uint32_t ranks = world->transport->ranks, own = world->transport->rank;
    dun_columns rest;
    dun_word *to[DUN_MAX_COLUMNS];
    dun_interior_rest(world, number, &rest);
    m.columns = rest.columns;
    for (int c = 0; c < m.columns; c++) m.to[c] = m.spread->rest + (rest.from[c] - m.spread->rest);
    for (uint32_t r = 0; r < own; r++) append_arrivals(&m, 0, r);
    m.filled = rest.agents - (uint32_t)dun_interior_arrivals(world, number, own + 1, ranks);
    for (uint32_t r = own + 1; r < ranks; r++) append_arrivals(&m, 0, r);
    pass_on(&m);
    const uint32_t before = dun_grid_build_rest(species->index, &rest, &world->executor), behind = rest.agents - before;
    dun_agents_columns(&species->buffer[1 - species->current], world->def.dimensions, species->attribute_count, to);
    for (int c = 0; c < m.columns; c++) {
        memcpy(to[c], rest.to[c], before * sizeof *to[c]);
        memcpy(to[c] + (species->count - behind), rest.to[c] + before, behind * sizeof *to[c]);
    }
    const dun_stretch slots = dun_grid_slots(species->index, m.spread->cells[own]);
    species->own_begin = slots.begin;
    species->own_end = slots.end;
}

static void merge_species(dunlin_world *world, int number) {
    dun_species *species = world->species[number];
    merge m = merge_of(world, number);
    const bool behind = species->segments.count == 0 && !m.spread->leaves;
    const dun_agents *to = &species->buffer[behind ? species->current : 1 - species->current];
    m.columns = dun_agents_columns(to, world->def.dimensions, species->attribute_count, m.to);
    (behind ? merge_behind : merge_segments)(&m);
    pass_on(&m);
    m.spread->numbered = behind ? species->count : 0;
    species->count = m.filled;
}

/* Numbers those who have come, and finds out who of all is this rank's own. */
static void set_own(const dunlin_world *world, int number) {
    dun_spread *spread = &world->cluster->spread[number];
    dun_species *species = world->species[number];
    species->own_begin = 0;
    species->own_end = UINT32_MAX;
    if (!species->indexed || spread->leaves || species->whole_count == 0) return;
    const dun_columns columns = dun_state_columns(world, species);
    dun_stretch held[2];
    dun_route_own(world, number, held);
    const dun_stretch own = dun_grid_hold(species->index, held, &columns, spread->numbered,
                                          spread->cells[world->transport->rank], &world->executor);
    species->own_begin = own.begin;
    species->own_end = own.end;
}

uint64_t dun_exchange_merge(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint64_t head = head_words(world), begin = dun_now_ns();
    cluster->transport.wait(cluster->transport.context);
    const uint64_t here = dun_now_ns();
    cluster->traffic.ms_exchange += 1e-6 * (double)(here - begin);
    for (uint32_t r = 0; r < cluster->transport.ranks; r++) cluster->in_body[r] = cluster->in_cursor[r] + head;
    for (int s = 0; s < world->species_count; s++)
        if (cluster->spread[s].moves) (cluster->early ? merge_around : merge_species)(world, s);
    for (int s = 0; s < world->species_count; s++) {
        dun_species *species = world->species[s];
        species->segments.count = 0; /* only now: heads have as many numbers as there were segments */
        if (!cluster->early || !species->indexed) set_own(world, s);
    }
    cluster->on_first = false;
    world->ids.valid = false;
    world->generation++;
    return dun_now_ns() - here;
}

/* On rank 0, of messages that are still on their way. */
static dunlin_result check_gathered(const dunlin_world *world, dunlin_error *error) {
    const struct dun_cluster *cluster = world->cluster;
    for (int s = 0; s < world->species_count && cluster->transport.rank == 0; s++) {
        const dun_species *species = world->species[s];
        const uint64_t count =
            count_staying(&cluster->spread[s], species) + dun_interior_arrivals(world, s, 0, cluster->transport.ranks);
        if (count != species->whole_count)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "species '%s': %llu agents come to rank 0 instead of %llu",
                            species->name, (unsigned long long)count, (unsigned long long)species->whole_count);
    }
    return DUNLIN_OK;
}

dunlin_result dun_exchange_gather(dunlin_world *world, dunlin_error *error) {
    dunlin_result result = write(world, DUNLIN_OK, true, error);
    if (result) return result;
    result = dun_exchange_reserve(world, false, error);
    if (!result) result = check_gathered(world, error);
    result = dun_agree(world, result, error);
    if (result) return result;
    dun_exchange_send(world);
    dun_exchange_merge(world);
    /* Rank 0 may load another flock, whose cells follow from its own number. */
    for (int s = 0; s < world->species_count; s++) world->species[s]->whole_count = 0;
    world->prepared = false;
    return DUNLIN_OK;
}
