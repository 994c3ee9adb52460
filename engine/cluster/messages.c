/* SPDX-License-Identifier: MIT */
/*
 * Messages. A message is an array of words: for each species the key and the number of agents of each piece that it has agents
 * of, then for each species its agents, column by column, in their order. A rank that gets no agents gets no message.
 */
#include <string.h>

#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum { PIECE_WORDS = 2, HITS_PER_TASK = 4096 /* some 40 µs of work */ };

void dun_message_clear(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    const size_t ranks = cluster->transport.ranks;
    memset(cluster->out_agents, 0, ranks * (size_t)world->species_count * sizeof *cluster->out_agents);
    memset(cluster->out_bytes, 0, ranks * sizeof *cluster->out_bytes);
}

static void count_hits(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    dun_message_clear(world);
    for (int s = 0; s < world->species_count; s++) {
        uint32_t k = 0;
        memset(cluster->last_piece, 0, cluster->transport.ranks * sizeof *cluster->last_piece);
        for (uint64_t h = cluster->spread[s].hit_begin; h < cluster->spread[s].hit_end; h++) {
            const dun_hit to = cluster->hits[h];
            while (to.slot >= dun_segment_begin(world->species[s], k + 1)) k++;
            const bool another = cluster->last_piece[to.rank] != k + 1;
            *dun_agents_of(world, cluster->out_agents, to.rank, s) += 1 + ((uint64_t)another << 32);
            cluster->last_piece[to.rank] = k + 1;
        }
    }
}

void dun_message_sizes(const dunlin_world *world, uint64_t *agents, uint64_t *bytes) {
    for (uint32_t r = 0; r < world->transport->ranks; r++) {
        uint64_t words = 0;
        for (int s = 0; s < world->species_count; s++) {
            const uint64_t sent = *dun_agents_of(world, agents, r, s);
            words += dun_agents_in(sent) * (uint64_t)dun_species_columns(world, world->species[s]).columns;
            words += (uint64_t)dun_pieces_in(sent) * PIECE_WORDS;
        }
        bytes[r] = words * sizeof(uint32_t);
    }
}

uint64_t dun_message_cursors(const uint64_t *bytes, uint32_t ranks, uint64_t *cursor) {
    uint64_t words = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        cursor[r] = words;
        words += bytes[r] / sizeof(uint32_t);
    }
    return words;
}

/* Writes how many agents of each piece a message has, and moves the cursors to where its agents begin. */
static void write_heads(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    for (int s = 0; s < world->species_count; s++) {
        const dun_spread *spread = &cluster->spread[s];
        const dun_species *species = world->species[s];
        uint32_t k = 0;
        memset(cluster->last_piece, 0, cluster->transport.ranks * sizeof *cluster->last_piece);
        for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
            const dun_hit to = cluster->hits[h];
            while (to.slot >= dun_segment_begin(species, k + 1)) k++;
            const bool another = cluster->last_piece[to.rank] != k + 1;
            uint32_t *piece = cluster->out + cluster->out_cursor[to.rank] - (another ? 0 : PIECE_WORDS);
            piece[0] = dun_segment_key(species, k);
            piece[1] = another ? 1 : piece[1] + 1;
            if (another) cluster->out_cursor[to.rank] += PIECE_WORDS;
            cluster->last_piece[to.rank] = k + 1;
        }
    }
}

/* One species' agents, as tasks write them: each has a stretch of the hits. */
typedef struct writing {
    const dunlin_world *world;
    const dun_spread *spread;
    int number;
    uint32_t tasks;
    dun_columns columns;
} writing;

static uint64_t hit_of(const writing *w, uint32_t task) {
    return w->spread->hit_begin + (w->spread->hit_end - w->spread->hit_begin) * task / w->tasks;
}

static uint64_t *agents_of_task(const writing *w, uint32_t task) {
    return w->world->cluster->task_agents + (size_t)task * w->world->transport->ranks;
}

static void count_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const writing *w = context;
    uint64_t *agents = agents_of_task(w, task);
    memset(agents, 0, w->world->transport->ranks * sizeof *agents);
    for (uint64_t h = hit_of(w, task); h < hit_of(w, task + 1); h++) agents[w->world->cluster->hits[h].rank]++;
}

static void write_part(void *context, uint32_t task, uint32_t worker) {
    (void)worker;
    const writing *w = context;
    const struct dun_cluster *cluster = w->world->cluster;
    uint64_t *place = agents_of_task(w, task);
    for (uint64_t h = hit_of(w, task), end = hit_of(w, task + 1); h < end; h++) {
        const dun_hit to = cluster->hits[h];
        const uint64_t agents = dun_agents_in(*dun_agents_of(w->world, cluster->out_agents, to.rank, w->number));
        uint32_t *word = cluster->out + cluster->out_cursor[to.rank] + place[to.rank]++;
        for (int c = 0; c < w->columns.columns; c++, word += agents) *word = w->columns.from[c][to.slot];
    }
}

/* Where in the columns each task begins: those of lower numbers have earlier hits. */
static void place_tasks(const writing *w) {
    for (uint32_t r = 0; r < w->world->transport->ranks; r++)
        for (uint64_t task = 0, before = 0; task < w->tasks; task++) {
            uint64_t *agents = agents_of_task(w, (uint32_t)task), count = agents[r];
            agents[r] = before;
            before += count;
        }
}

static uint32_t tasks_for(const dunlin_world *world, const dun_spread *spread) {
    const uint64_t tasks = (spread->hit_end - spread->hit_begin) / HITS_PER_TASK + 1;
    return tasks < world->executor.workers ? (uint32_t)tasks : world->executor.workers;
}

static void write_species(const dunlin_world *world, int number) {
    const struct dun_cluster *cluster = world->cluster;
    writing w = {.world = world, .spread = &cluster->spread[number], .number = number};
    w.tasks = tasks_for(world, w.spread);
    w.columns = dun_species_columns(world, world->species[number]);
    world->executor.run(&world->executor, w.tasks, count_part, &w);
    place_tasks(&w);
    world->executor.run(&world->executor, w.tasks, write_part, &w);
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->out_cursor[r] +=
            (uint64_t)w.columns.columns * dun_agents_in(*dun_agents_of(world, cluster->out_agents, r, number));
}

static bool reserve_tasks(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    uint32_t most = 0;
    for (int s = 0; s < world->species_count; s++) most = max_u32(most, tasks_for(world, &cluster->spread[s]));
    return dun_array_reserve(world->heap, &cluster->task_agents, &cluster->task_room, (uint64_t)most * cluster->transport.ranks,
                             sizeof *cluster->task_agents);
}

bool dun_write_messages(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    count_hits(world);
    dun_message_sizes(world, cluster->out_agents, cluster->out_bytes);
    const uint64_t words = dun_message_cursors(cluster->out_bytes, cluster->transport.ranks, cluster->out_cursor);
    if (!dun_array_reserve(world->heap, &cluster->out, &cluster->out_room, words, sizeof *cluster->out) ||
        !reserve_tasks(world))
        return false;
    write_heads(world);
    for (int s = 0; s < world->species_count; s++)
        if (cluster->spread[s].moves) write_species(world, s);
    return true;
}

/* ---- what comes -------------------------------------------------------------------------------------------------------- */

/* Of the species before this one. */
static uint64_t piece_words(const dunlin_world *world, uint32_t rank, int number) {
    uint64_t words = 0;
    for (int s = 0; s < number; s++)
        words += (uint64_t)dun_pieces_in(*dun_agents_of(world, world->cluster->in_agents, rank, s)) * PIECE_WORDS;
    return words;
}

const uint32_t *dun_message_pieces(const dunlin_world *world, uint32_t rank, int number) {
    return world->cluster->in + world->cluster->in_cursor[rank] + piece_words(world, rank, number);
}

uint64_t dun_message_head(const dunlin_world *world, uint32_t rank) {
    return piece_words(world, rank, world->species_count);
}

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
