/* SPDX-License-Identifier: MIT */
/*
 * Messages. A message is an array of words: for each species that takes part the number of agents in each segment, then its
 * agents, column by column, in their order. A rank that gets no agents gets no message.
 */
#include <string.h>

#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum { HITS_PER_TASK = 4096 /* some 40 µs of work */ };

uint64_t dun_message_head(const dunlin_world *world) {
    uint64_t words = 0;
    for (int s = 0; s < world->species_count; s++)
        if (world->cluster->spread[s].moves) words += dun_segment_count(world->species[s]);
    return words;
}

void dun_message_clear(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    const size_t ranks = cluster->transport.ranks;
    memset(cluster->out_agents, 0, ranks * (size_t)world->species_count * sizeof *cluster->out_agents);
    memset(cluster->out_bytes, 0, ranks * sizeof *cluster->out_bytes);
}

void dun_message_sizes(const dunlin_world *world, uint64_t *agents, uint64_t *bytes) {
    const uint64_t head = dun_message_head(world);
    for (uint32_t r = 0; r < world->transport->ranks; r++) {
        uint64_t words = 0;
        for (int s = 0; s < world->species_count; s++)
            words += *dun_agents_of(world, agents, r, s) * (uint64_t)dun_species_columns(world, world->species[s]).columns;
        bytes[r] = (words ? words + head : 0) * sizeof(uint32_t);
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

/* Of a species, how many agents of each segment each message has, from the word `first` on. */
static void write_heads_of(const dunlin_world *world, int number, uint64_t first) {
    const struct dun_cluster *cluster = world->cluster;
    const dun_spread *spread = &cluster->spread[number];
    const dun_species *species = world->species[number];
    if (species->segments.count == 0) {
        for (uint32_t r = 0; r < cluster->transport.ranks; r++)
            if (cluster->out_bytes[r])
                cluster->out[cluster->out_cursor[r] + first] = (uint32_t)*dun_agents_of(world, cluster->out_agents, r, number);
        return;
    }
    uint32_t k = 0;
    for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
        while (cluster->hits[h].slot >= dun_segment_begin(species, k + 1)) k++;
        cluster->out[cluster->out_cursor[cluster->hits[h].rank] + first + k]++;
    }
}

/* Writes them for all species, and moves the cursors to where the agents begin. */
static void write_heads(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const size_t head = (size_t)dun_message_head(world);
    uint64_t first = 0;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        if (cluster->out_bytes[r]) memset(cluster->out + cluster->out_cursor[r], 0, head * sizeof *cluster->out);
    for (int s = 0; s < world->species_count; s++) {
        if (!cluster->spread[s].moves) continue;
        write_heads_of(world, s, first);
        first += dun_segment_count(world->species[s]);
    }
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        if (cluster->out_bytes[r]) cluster->out_cursor[r] += head;
}

/* One species' agents, as tasks write them: each has a stretch of the hits. */
typedef struct writing {
    const dunlin_world *world;
    const dun_spread *spread;
    int number;
    uint32_t first_task, tasks;
    dun_columns columns;
} writing;

static uint64_t hit_of(const writing *w, uint32_t task) {
    return w->spread->hit_begin + (w->spread->hit_end - w->spread->hit_begin) * task / w->tasks;
}

static uint64_t *agents_of_task(const writing *w, uint32_t task) {
    return w->world->cluster->task_agents + (size_t)(w->first_task + task) * w->world->transport->ranks;
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
        const uint64_t agents = *dun_agents_of(w->world, cluster->out_agents, to.rank, w->number);
        uint32_t *word = cluster->out + cluster->out_cursor[to.rank] + place[to.rank]++;
        for (int c = 0; c < w->columns.columns; c++, word += agents) *word = w->columns.from[c][to.slot];
    }
}

/* Where in the columns each task begins: those of lower numbers have earlier hits. And how many agents go to each rank. */
static void place_tasks(const writing *w) {
    for (uint32_t task = 0; task < w->tasks; task++)
        for (uint32_t r = 0; r < w->world->transport->ranks; r++) {
            uint64_t *place = &agents_of_task(w, task)[r],
                     *all = dun_agents_of(w->world, w->world->cluster->out_agents, r, w->number);
            const uint64_t agents = *place;
            *place = *all;
            *all += agents;
        }
}

/* Gives each species its tasks, and these their memory; false: there is none. */
static bool share_hits(const dunlin_world *world, writing all[]) {
    struct dun_cluster *cluster = world->cluster;
    uint32_t tasks = 0;
    for (int s = 0; s < world->species_count; s++) {
        const dun_spread *spread = &cluster->spread[s];
        const uint64_t hits = spread->hit_end - spread->hit_begin, wanted = hits / HITS_PER_TASK + (hits > 0);
        all[s] = (writing){.world = world, .spread = spread, .number = s, .first_task = tasks};
        all[s].tasks = wanted < world->executor.workers ? (uint32_t)wanted : world->executor.workers;
        tasks += all[s].tasks;
    }
    return dun_array_reserve(world->heap, &cluster->task_agents, &cluster->task_room,
                             (uint64_t)tasks * cluster->transport.ranks, sizeof *cluster->task_agents);
}

static void count_hits(const dunlin_world *world, writing all[]) {
    dun_message_clear(world);
    for (int s = 0; s < world->species_count; s++) {
        world->executor.run(&world->executor, all[s].tasks, count_part, &all[s]);
        place_tasks(&all[s]);
    }
}

static void write_species(const dunlin_world *world, writing *w) {
    const struct dun_cluster *cluster = world->cluster;
    w->columns = dun_species_columns(world, world->species[w->number]);
    world->executor.run(&world->executor, w->tasks, write_part, w);
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->out_cursor[r] += (uint64_t)w->columns.columns * *dun_agents_of(world, cluster->out_agents, r, w->number);
}

bool dun_write_messages(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    writing all[DUNLIN_MAX_SPECIES];
    if (!share_hits(world, all)) return false;
    count_hits(world, all);
    dun_message_sizes(world, cluster->out_agents, cluster->out_bytes);
    const uint64_t words = dun_message_cursors(cluster->out_bytes, cluster->transport.ranks, cluster->out_cursor);
    if (!dun_array_reserve(world->heap, &cluster->out, &cluster->out_room, words, sizeof *cluster->out)) return false;
    write_heads(world);
    for (int s = 0; s < world->species_count; s++)
        if (all[s].tasks > 0) write_species(world, &all[s]);
    return true;
}

/* ---- what comes -------------------------------------------------------------------------------------------------------- */

const uint32_t *dun_message_head_of(const dunlin_world *world, uint32_t rank, int number) {
    const struct dun_cluster *cluster = world->cluster;
    const uint32_t *head = cluster->in + cluster->in_cursor[rank];
    if (cluster->in_bytes[rank] == 0) return NULL;
    for (int s = 0; s < number; s++)
        if (cluster->spread[s].moves) head += dun_segment_count(world->species[s]);
    return head;
}

uint64_t dun_arrivals(const dunlin_world *world, int species) {
    uint64_t agents = 0;
    for (uint32_t r = 0; r < world->transport->ranks; r++)
        agents += *dun_agents_of(world, world->cluster->in_agents, r, species);
    return agents;
}

uint64_t dun_count_staying(const dun_spread *spread, const dun_species *species) {
    uint64_t count = 0;
    if (!spread->leaves) return species->count;
    for (uint32_t k = 0; k < dun_segment_count(species); k++) count += spread->staying[k].end - spread->staying[k].begin;
    return count;
}
