/* SPDX-License-Identifier: MIT */
/*
 * Messages. A message is an array of words: for each species that takes part the number of agents in each segment, then its
 * agents, column by column, in their order. A rank that gets no agents gets no message.
 */
#include <string.h>

#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

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

static void count_hits(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    dun_message_clear(world);
    for (int s = 0; s < world->species_count; s++)
        for (uint64_t h = cluster->spread[s].hit_begin; h < cluster->spread[s].hit_end; h++)
            ++*dun_agents_of(world, cluster->out_agents, cluster->hits[h].rank, s);
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

/* Writes how many agents of each segment a message has, and moves the cursors to where its agents begin. */
static void write_heads(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const size_t head = (size_t)dun_message_head(world);
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
    const dun_columns columns = dun_species_columns(world, world->species[number]);
    for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
        const dun_hit to = cluster->hits[h];
        const uint64_t agents = *dun_agents_of(world, cluster->out_agents, to.rank, number);
        uint32_t *word = cluster->out + cluster->out_cursor[to.rank]++;
        for (int c = 0; c < columns.columns; c++, word += agents) *word = columns.from[c][to.slot];
    }
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->out_cursor[r] += (uint64_t)(columns.columns - 1) * *dun_agents_of(world, cluster->out_agents, r, number);
}

bool dun_write_messages(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    count_hits(world);
    dun_message_sizes(world, cluster->out_agents, cluster->out_bytes);
    const uint64_t words = dun_message_cursors(cluster->out_bytes, cluster->transport.ranks, cluster->out_cursor);
    if (!dun_array_reserve(world->heap, &cluster->out, &cluster->out_room, words, sizeof *cluster->out)) return false;
    write_heads(world);
    for (int s = 0; s < world->species_count; s++)
        if (cluster->spread[s].moves) write_species(world, s);
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
