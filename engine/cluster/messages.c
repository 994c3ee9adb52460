/* SPDX-License-Identifier: MIT */
/*
 * Messages. A message is an array of words: for each species the key and the number of agents of each piece that it has agents
 * of, then for each species its agents, column by column, in their order. A rank that gets no agents gets no message.
 */
#include <string.h>

#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum { PIECE_WORDS = 2 };

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

static void write_species(const dunlin_world *world, int number) {
    struct dun_cluster *cluster = world->cluster;
    const dun_spread *spread = &cluster->spread[number];
    const dun_columns columns = dun_species_columns(world, world->species[number]);
    for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
        const dun_hit to = cluster->hits[h];
        const uint64_t agents = dun_agents_in(*dun_agents_of(world, cluster->out_agents, to.rank, number));
        uint32_t *word = cluster->out + cluster->out_cursor[to.rank]++;
        for (int c = 0; c < columns.columns; c++, word += agents) *word = columns.from[c][to.slot];
    }
    for (uint32_t r = 0; r < cluster->transport.ranks; r++)
        cluster->out_cursor[r] +=
            (uint64_t)(columns.columns - 1) * dun_agents_in(*dun_agents_of(world, cluster->out_agents, r, number));
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
