/* SPDX-License-Identifier: MIT */
/*
 * Messages. A message is an array of words: for each species the pieces that it has agents of, and these agents, column by
 * column, in their order. Of a piece it has the key, and the place in the columns of the first agent. A rank that gets no
 * agents gets no message.
 *
 * Tasks write stretches of a species' hits. They count first, so that each knows where its agents go, whatever the number of
 * tasks.
 */
#include <string.h>

#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum { HITS_PER_TASK = 4096 /* some 40 µs of work */, RANKS_PER_TASK = 256 };

void dun_message_clear(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    const size_t ranks = cluster->transport.ranks;
    memset(cluster->out_agents, 0, ranks * (size_t)world->species_count * sizeof *cluster->out_agents);
    memset(cluster->out_bytes, 0, ranks * sizeof *cluster->out_bytes);
}

static uint64_t words_of_agents(uint64_t sent, int columns) {
    return dun_agents_in(sent) * (uint64_t)columns + (uint64_t)dun_pieces_in(sent) * DUN_PIECE_WORDS;
}

void dun_message_sizes(const dunlin_world *world, uint64_t *agents, uint64_t *bytes) {
    const uint32_t ranks = world->transport->ranks;
    memset(bytes, 0, ranks * sizeof *bytes);
    for (int s = 0; s < world->species_count; s++) {
        const int columns = dun_species_columns(world, world->species[s]).columns;
        for (uint32_t r = 0; r < ranks; r++)
            bytes[r] += words_of_agents(*dun_agents_of(world, agents, r, s), columns) * sizeof(uint32_t);
    }
}

uint64_t dun_message_cursors(const uint64_t *bytes, size_t size, uint32_t ranks, uint64_t *cursor) {
    uint64_t all = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        if (cursor) cursor[r] = all;
        all += bytes[r] / size;
    }
    return all;
}

/* ---- tasks -------------------------------------------------------------------------------------------------------------- */

/* One species, as tasks write it. */
typedef struct writing {
    const dunlin_world *world;
    const dun_species *species;
    const dun_spread *spread;
    int number;
    uint32_t tasks;
    dun_sent *sent; /* [tasks + 1][message_row(ranks)] by each task, and in all */
    const dun_columns *columns;
} writing;

/* No two tasks write to the same cache line. */
static size_t message_row(uint32_t ranks) {
    return ranks + DUN_CACHE_LINE / sizeof(dun_sent);
}

static dun_sent *sent_by(const writing *w, uint32_t task) {
    return w->sent + task * message_row(w->world->transport->ranks);
}

static uint64_t hit_of(const writing *w, uint32_t task) {
    return w->spread->hit_begin + (w->spread->hit_end - w->spread->hit_begin) * task / w->tasks;
}

/* Whether an agent is the first of its piece in a message. `piece`: that of the agent before it, and then its own. */
static bool begins_piece(const writing *w, uint32_t slot, uint32_t *piece, dun_sent *sent) {
    while (slot >= dun_segment_begin(w->species, *piece)) ++*piece;
    const bool begins = sent->last != *piece;
    sent->last = *piece;
    return begins;
}

static void count_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const writing *w = context;
    dun_sent *row = sent_by(w, task);
    uint32_t piece = 1;
    memset(row, 0, w->world->transport->ranks * sizeof *row);
    for (uint64_t h = hit_of(w, task), end = hit_of(w, task + 1); h < end; h++) {
        const dun_hit to = w->world->cluster->hits[h];
        dun_sent *sent = &row[to.rank];
        if (begins_piece(w, to.slot, &piece, sent) && sent->pieces++ == 0) sent->first = piece;
        sent->agents++;
    }
}

/* Where a task begins: those of lower numbers have earlier hits, and may have the last one's piece, too. */
static void place_task(dun_sent *sent, dun_sent *all) {
    const dun_sent own = *sent;
    if (own.agents == 0) return;
    *sent = *all;
    all->agents += own.agents;
    all->pieces += own.pieces - (own.first == all->last);
    all->last = own.last;
}

static void place_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const writing *w = context;
    const uint32_t begin = task * RANKS_PER_TASK, end = min_u32(begin + RANKS_PER_TASK, w->world->transport->ranks);
    dun_sent *all = sent_by(w, w->tasks);
    memset(all + begin, 0, (end - begin) * sizeof *all);
    for (uint32_t t = 0; t < w->tasks; t++)
        for (uint32_t r = begin; r < end; r++) place_task(&sent_by(w, t)[r], &all[r]);
    for (uint32_t r = begin; r < end; r++)
        *dun_agents_of(w->world, w->world->cluster->out_agents, r, w->number) = dun_sent_of(all[r].agents, all[r].pieces);
}

static void write_agent(const dun_columns *columns, uint32_t slot, uint32_t agents, uint32_t *word) {
    for (int c = 0; c < columns->columns; c++, word += agents) *word = columns->from[c][slot];
}

static void write_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const writing *w = context;
    const struct dun_cluster *cluster = w->world->cluster;
    dun_sent *row = sent_by(w, task);
    const dun_sent *all = sent_by(w, w->tasks);
    uint32_t piece = 1;
    for (uint64_t h = hit_of(w, task), end = hit_of(w, task + 1); h < end; h++) {
        const dun_hit to = cluster->hits[h];
        dun_sent *sent = &row[to.rank];
        uint32_t *message = cluster->out + cluster->out_cursor[to.rank];
        if (begins_piece(w, to.slot, &piece, sent)) {
            uint32_t *head = message + (size_t)sent->pieces++ * DUN_PIECE_WORDS;
            head[0] = dun_segment_key(w->species, piece - 1);
            head[1] = sent->agents;
        }
        uint32_t *agents = message + (size_t)all[to.rank].pieces * DUN_PIECE_WORDS;
        write_agent(w->columns, to.slot, all[to.rank].agents, agents + sent->agents++);
    }
}

/* ---- what goes ---------------------------------------------------------------------------------------------------------- */

/* Gives each species its tasks, and these their memory; false: there is none. */
static bool make_tasks(const dunlin_world *world, writing all[]) {
    struct dun_cluster *cluster = world->cluster;
    const size_t row = message_row(cluster->transport.ranks);
    size_t rows = 0;
    for (int s = 0; s < world->species_count; s++) {
        const dun_spread *spread = &cluster->spread[s];
        all[s] = (writing){.world = world, .species = world->species[s], .spread = spread, .number = s};
        const uint64_t hits = spread->hit_end - spread->hit_begin, wanted = hits / HITS_PER_TASK + (hits > 0);
        all[s].tasks = wanted < world->executor.workers ? (uint32_t)wanted : world->executor.workers;
        rows += all[s].tasks + 1;
    }
    if (!dun_array_reserve(world->heap, &cluster->sent, &cluster->sent_room, rows * row, sizeof *cluster->sent)) return false;
    dun_sent *next = cluster->sent;
    for (int s = 0; s < world->species_count; next += (all[s++].tasks + 1) * row) all[s].sent = next;
    return true;
}

static void count(const dunlin_world *world, writing all[]) {
    const dun_executor *executor = &world->executor;
    for (int s = 0; s < world->species_count; s++) {
        if (all[s].tasks == 0) continue;
        executor->run(executor, all[s].tasks, count_part, &all[s]);
        executor->run(executor, (world->transport->ranks - 1) / RANKS_PER_TASK + 1, place_part, &all[s]);
    }
}

/* Moves the cursors to where the next species begins. */
static void write_species(const dunlin_world *world, writing *w) {
    const struct dun_cluster *cluster = world->cluster;
    const dun_columns columns = dun_species_columns(world, w->species);
    w->columns = &columns;
    world->executor.run(&world->executor, w->tasks, write_part, w);
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->out_cursor[r] += words_of_agents(*dun_agents_of(world, cluster->out_agents, r, w->number), columns.columns);
}

bool dun_write_messages(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint32_t ranks = cluster->transport.ranks;
    writing all[DUNLIN_MAX_SPECIES];
    dun_message_clear(world);
    if (!make_tasks(world, all)) return false;
    count(world, all);
    dun_message_sizes(world, cluster->out_agents, cluster->out_bytes);
    const uint64_t words = dun_message_cursors(cluster->out_bytes, sizeof(uint32_t), ranks, cluster->out_cursor);
    if (!dun_array_reserve(world->heap, &cluster->out, &cluster->out_room, words, sizeof *cluster->out)) return false;
    for (int s = 0; s < world->species_count; s++)
        if (all[s].tasks > 0) write_species(world, &all[s]);
    return true;
}

/* ---- what comes -------------------------------------------------------------------------------------------------------- */

uint64_t dun_arrivals(const dunlin_world *world, int species) {
    uint64_t agents = 0;
    for (uint32_t r = 0; r < world->transport->ranks; r++)
        agents += dun_agents_in(*dun_agents_of(world, world->cluster->in_agents, r, species));
    return agents;
}

uint64_t dun_count_staying(const dun_spread *spread, const dun_species *species) {
    uint64_t count = 0;
    if (!spread->leaves) return species->count;
    for (uint32_t k = 0; k < dun_segment_count(species); k++) count += spread->staying[k].end - spread->staying[k].begin;
    return count;
}
