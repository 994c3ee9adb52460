/* SPDX-License-Identifier: MIT */
/*
 * The exchange. A message is an array of words: for each species that takes part the number of agents in each segment, then its
 * agents, column by column, in their order. A rank that gets no agents gets no message.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/cluster/cluster.h"
#include "engine/prepare/prepare.h"
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

static bool hit(dunlin_world *world, uint32_t rank, uint32_t slot) {
    struct dun_cluster *cluster = world->cluster;
    if (cluster->hit_count == cluster->hit_room && !dun_array_reserve(world->heap, &cluster->hits, &cluster->hit_room,
                                                                      cluster->hit_count * 2 + 1024, sizeof *cluster->hits))
        return false;
    cluster->hits[cluster->hit_count++] = (dun_hit){rank, slot};
    return true;
}

/* Most blocks are in cells that no other rank sees. */
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

static bool hit_by_cells(dunlin_world *world, int number) {
    struct dun_cluster *cluster = world->cluster;
    const dun_spread *spread = &cluster->spread[number];
    const dun_species *species = world->species[number];
    const dun_stretch own = spread->cells[cluster->transport.rank];
    const uint32_t row = dun_grid_row_cells(species->index), blocks = species->count / BLOCK + 1;
    if (!dun_array_reserve(world->heap, &cluster->seen, &cluster->seen_room, blocks, sizeof *cluster->seen)) return false;
    watch w = {spread, species->count, cluster->seen};
    world->executor.run(&world->executor, blocks / BLOCKS_PER_TASK + 1, watch_part, &w);
    for (uint32_t block = 0; block < blocks; block++) {
        const uint32_t begin = block * BLOCK, end = min_u32(begin + BLOCK, species->count);
        if (!cluster->seen[block]) continue;
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t *at = spread->row_first + spread->keys[i] / row;
            cluster->leaving += spread->keys[i] - own.begin >= own.end - own.begin;
            for (uint32_t r = at[0]; r < at[1]; r++)
                if (!hit(world, spread->row_rank[r], i)) return false;
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
                if (!hit(world, rank, slot)) return false;
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

/* How many agents of a species go to a rank, or come from it. */
static uint64_t *agents_of(const dunlin_world *world, uint64_t *agents, uint32_t rank, int species) {
    return &agents[(size_t)rank * (size_t)world->species_count + (size_t)species];
}

static void clear_counts(const dunlin_world *world) {
    for (uint32_t r = 0; r < world->transport->ranks; r++)
        for (int s = 0; s < world->species_count; s++) *agents_of(world, world->cluster->out_agents, r, s) = 0;
}

static void count_hits(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    clear_counts(world);
    for (int s = 0; s < world->species_count; s++)
        for (uint64_t h = cluster->spread[s].hit_begin; h < cluster->spread[s].hit_end; h++)
            ++*agents_of(world, cluster->out_agents, cluster->hits[h].rank, s);
}

/* The bytes of messages with so many agents. */
static void set_sizes(const dunlin_world *world, uint64_t *agents, uint64_t *bytes) {
    const uint64_t head = head_words(world);
    for (uint32_t r = 0; r < world->transport->ranks; r++) {
        uint64_t words = 0;
        for (int s = 0; s < world->species_count; s++)
            words += *agents_of(world, agents, r, s) * (uint64_t)dun_state_columns(world, world->species[s]).columns;
        bytes[r] = (words ? words + head : 0) * sizeof(uint32_t);
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
    for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
        const dun_hit to = cluster->hits[h];
        const uint64_t agents = *agents_of(world, cluster->out_agents, to.rank, number);
        uint32_t *word = cluster->out + cluster->out_cursor[to.rank]++;
        for (int c = 0; c < columns.columns; c++, word += agents) *word = columns.from[c][to.slot];
    }
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->out_cursor[r] += (uint64_t)(columns.columns - 1) * *agents_of(world, cluster->out_agents, r, number);
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
        t->exclusive_scan(t->context, place, segments);
        t->all_reduce(t->context, all, segments);
        for (uint64_t k = 0, before = 0; k < segments; before += all[k++]) place[k] += before;
    }
}

static bool reserve_places(dunlin_world *world) {
    bool whole = true;
    for (int s = 0; s < world->species_count && whole; s++) {
        dun_spread *spread = &world->cluster->spread[s];
        const uint64_t segments = dun_segment_count(world->species[s]);
        if (!spread->moves) continue;
        whole = dun_array_reserve(world->heap, &spread->place, &spread->place_room, 2 * segments, sizeof *spread->place) &&
                dun_array_reserve(world->heap, &spread->staying, &spread->staying_room, segments, sizeof *spread->staying);
    }
    const uint64_t counts = (uint64_t)world->transport->ranks * (uint64_t)world->species_count;
    struct dun_cluster *cluster = world->cluster;
    return whole &&
           dun_array_reserve(world->heap, &cluster->out_agents, &cluster->out_agents_room, counts,
                             sizeof *cluster->out_agents) &&
           dun_array_reserve(world->heap, &cluster->in_agents, &cluster->in_agents_room, counts, sizeof *cluster->in_agents);
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

/* Gives all ranks the whole counts and, unless one has failed, the agents that definitions name. */
static dunlin_result agree_on_counts(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    uint64_t numbers[DUNLIN_MAX_SPECIES + 1] = {result != DUNLIN_OK};
    for (int s = 0; s < world->species_count; s++) numbers[s + 1] = world->species[s]->count;
    dun_all_reduce(world, numbers, (uint32_t)world->species_count + 1);
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
    cluster->hit_count = cluster->leaving = 0;
    for (int s = 0; s < world->species_count && whole; s++) {
        dun_spread *spread = &cluster->spread[s];
        spread->hit_begin = cluster->hit_count;
        if (spread->moves) whole = spread->leaves ? hit_by_places(world, s, gathers) : hit_by_cells(world, s);
        spread->hit_end = cluster->hit_count;
    }
    if (!whole) return false;
    count_hits(world);
    set_sizes(world, cluster->out_agents, cluster->out_bytes);
    const uint64_t words = set_cursors(cluster->out_bytes, cluster->transport.ranks, cluster->out_cursor);
    if (!dun_array_reserve(world->heap, &cluster->out, &cluster->out_room, words, sizeof *cluster->out)) return false;
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

static uint64_t arrivals(const dunlin_world *world, int species) {
    uint64_t agents = 0;
    for (uint32_t r = 0; r < world->transport->ranks; r++) agents += *agents_of(world, world->cluster->in_agents, r, species);
    return agents;
}

static uint64_t count_staying(const dun_spread *spread, const dun_species *species) {
    uint64_t count = 0;
    if (!spread->leaves) return species->count;
    for (uint32_t k = 0; k < dun_segment_count(species); k++) count += spread->staying[k].end - spread->staying[k].begin;
    return count;
}

/* Exchanges sizes, and allocates memory for what comes. */
static dunlin_result agree_on_sizes(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    struct dun_cluster *cluster = world->cluster;
    const dunlin_transport *t = &cluster->transport;
    if (result) clear_counts(world);
    set_sizes(world, cluster->out_agents, cluster->out_bytes);
    if (world->species_count > 0)
        t->all_to_all(t->context, cluster->out_agents, cluster->in_agents, (uint32_t)world->species_count);
    set_sizes(world, cluster->in_agents, cluster->in_bytes);
    const uint64_t words = set_cursors(cluster->in_bytes, t->ranks, cluster->in_cursor);
    if (!result && !dun_array_reserve(world->heap, &cluster->in, &cluster->in_room, words, sizeof *cluster->in))
        result = dun_fail_memory(error, "agents from other ranks");
    uint64_t numbers[5] = {result != DUNLIN_OK, 0, 0, cluster->hit_count - cluster->leaving, cluster->leaving};
    for (uint32_t r = 0; r < t->ranks; r++) {
        numbers[1] += cluster->out_bytes[r];
        numbers[2] += cluster->out_bytes[r] > 0;
    }
    dun_all_reduce(world, numbers, 5);
    cluster->traffic.bytes = numbers[1];
    cluster->traffic.messages = numbers[2];
    cluster->traffic.halo = numbers[3];
    cluster->traffic.migrants = numbers[4];
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

static dunlin_result reserve(dunlin_world *world, dunlin_error *error) {
    const struct dun_cluster *cluster = world->cluster;
    dunlin_result result = DUNLIN_OK;
    for (int s = 0; s < world->species_count && !result; s++) {
        const dun_spread *spread = &cluster->spread[s];
        const dun_species *species = world->species[s];
        const uint64_t count = spread->moves ? count_staying(spread, species) + arrivals(world, s) : 0;
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
    const uint64_t all = *agents_of(m->world, cluster->in_agents, rank, m->number);
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
        cluster->in_body[r] += (uint64_t)m->columns * *agents_of(m->world, cluster->in_agents, r, m->number);
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
    const dun_columns columns = dun_state_columns(world, species);
    dun_stretch held[2];
    dun_route_own(world, number, held);
    const dun_stretch own = dun_grid_hold(species->index, held, &columns, spread->numbered,
                                          spread->cells[world->transport->rank], &world->executor);
    species->own_begin = own.begin;
    species->own_end = own.end;
}

/* Puts those that have come in their places. */
static void merge_all(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint64_t head = head_words(world);
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

static void send(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const dunlin_transport *t = &cluster->transport;
    const uint64_t begin = dun_now_ns();
    t->exchange(t->context, cluster->out, cluster->out_bytes, cluster->in, cluster->in_bytes);
    cluster->traffic.ms_exchange += 1e-6 * (double)(dun_now_ns() - begin);
    merge_all(world);
}

/* Nothing of the world changes but whole counts, capacities and memory. */
static dunlin_result prepare(dunlin_world *world, dunlin_result result, dunlin_error *error) {
    const uint64_t begin = dun_now_ns();
    result = write(world, result, false, error);
    world->cluster->traffic.ms_exchange = 1e-6 * (double)(dun_now_ns() - begin);
    if (result) return result;
    result = reserve(world, error);
    if (!result) result = dun_world_prepare(world, error);
    return dun_agree(world, result, error);
}

void dun_exchange(dun_frame *f) {
    const uint64_t begun = dun_now_ns();
    if (!f->world->transport) return;
    f->world->cluster->gain_count = 0;
    f->status = prepare(f->world, f->status, f->error);
    if (f->status) return;
    f->named = dun_named_find(f->world);
    send(f->world);
    f->ns_waited += dun_now_ns() - begun;
}

/* On rank 0, of messages that are still on their way. */
static dunlin_result check_gathered(const dunlin_world *world, dunlin_error *error) {
    const struct dun_cluster *cluster = world->cluster;
    for (int s = 0; s < world->species_count && cluster->transport.rank == 0; s++) {
        const dun_species *species = world->species[s];
        const uint64_t count = count_staying(&cluster->spread[s], species) + arrivals(world, s);
        if (count != species->whole_count)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "species '%s': rank 0 received %llu agents instead of %llu",
                            species->name, (unsigned long long)count, (unsigned long long)species->whole_count);
    }
    return DUNLIN_OK;
}

dunlin_result dun_exchange_gather(dunlin_world *world, dunlin_error *error) {
    dunlin_result result = write(world, DUNLIN_OK, true, error);
    if (result) return result;
    result = reserve(world, error);
    if (!result) result = check_gathered(world, error);
    result = dun_agree(world, result, error);
    if (result) return result;
    send(world);
    /* Rank 0 may load another flock, whose cells follow from its own number. */
    for (int s = 0; s < world->species_count; s++) world->species[s]->whole_count = 0;
    world->prepared = false;
    return DUNLIN_OK;
}
