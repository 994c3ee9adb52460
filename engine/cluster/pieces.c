/* SPDX-License-Identifier: MIT */
/* Pieces: where this rank's agents stand in the order of the whole flock, and what is born there. */
#include <string.h>

#include "engine/cluster/exchange.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

static uint32_t keys_of(const dunlin_world *world, int species) {
    return world->species[species]->indexed ? world->cluster->spread[species].key_count : 1;
}

static uint32_t first_key_of(const dunlin_world *world, int species) {
    return world->species[species]->indexed ? world->cluster->spread[species].first_key : 0;
}

/* Where a rank has several pieces, each is its part of a slab, and they lie one after another from place 0 of the table on. */
void dun_pieces_find(dun_frame *f) {
    const dunlin_world *world = f->world;
    for (int s = 0; s < world->species_count && world->transport; s++) {
        dun_spread *spread = &world->cluster->spread[s];
        const uint32_t pieces = dun_pieces_of(world, s);
        if (pieces < 2 || f->own_begin[s] == f->own_end[s]) {
            for (uint32_t i = 0; i < pieces && pieces > 1; i++) spread->piece_end[i] = f->own_end[s];
            continue;
        }
        const uint32_t places = (spread->held.own.end - spread->held.own.begin) / pieces;
        for (uint32_t i = 0; i < pieces; i++)
            spread->piece_end[i] = dun_grid_place_begin(world->species[s]->index, (i + 1) * places);
    }
}

/* There is room: routes have reserved it. */
void dun_pieces_settle(const dun_frame *f, int number) {
    const dunlin_world *world = f->world;
    const dun_species *species = world->species[number];
    if (!world->transport || !species->indexed) return;
    for (uint32_t i = 0; i < dun_pieces_of(world, number); i++) {
        const uint32_t begin = i == 0 ? f->own_begin[number] : dun_piece_end(f, number, i - 1);
        const uint32_t key = first_key_of(world, number) + i;
        if (key > 0) dun_segment_add(world, number, key, begin - f->own_begin[number]); /* the first is there always */
    }
    dun_segments_close(world, number, keys_of(world, number) - 1);
}

bool dun_pieces_reserve(const dunlin_world *world) {
    uint32_t more = 0;
    bool whole = true;
    for (int s = 0; s < world->species_count; s++) more += dun_pieces_of(world, s);
    for (int s = 0; s < world->species_count && whole; s++)
        whole = dun_segments_reserve(world, s, dun_pieces_of(world, s) + more);
    return whole;
}

/* ---- births ---------------------------------------------------------------------------------------------------------------
 */

bool dun_births_prepare(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    cluster->born_count = 0;
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        cluster->spread[s].born_at = cluster->born_count;
        if (species->calls_back) cluster->born_count += species->indexed ? cluster->spread[s].most_pieces : 1;
    }
    const uint64_t numbers = cluster->transport.ranks * dun_gains_numbers(world);
    return dun_array_reserve(world->heap, &cluster->born_before, &cluster->born_room, cluster->born_count,
                             sizeof *cluster->born_before) &&
           dun_array_reserve(world->heap, &cluster->out_agents, &cluster->out_agents_room, numbers,
                             sizeof *cluster->out_agents) &&
           dun_array_reserve(world->heap, &cluster->in_agents, &cluster->in_agents_room, numbers, sizeof *cluster->in_agents);
}

/* Adds up the births of parents in each of this rank's pieces. */
static void count_births(const dun_frame *f, int species, uint64_t *born) {
    uint32_t piece = 0;
    for (uint32_t t = f->first_tile[species]; t < f->first_tile[species + 1]; t++) {
        const uint32_t begin = dun_frame_tile_begin(f, species, t - f->first_tile[species]);
        const dun_tally *tally = &f->memory->tallies[t];
        for (uint32_t b = 0; b < tally->births; b++) {
            const uint32_t parent = begin + dun_birth_of(tally, b)->parent;
            while (parent >= dun_piece_end(f, species, piece)) piece++;
            born[piece]++;
        }
    }
}

void dun_births_write(const dun_frame *f, uint64_t *births) {
    const dunlin_world *world = f->world;
    memset(births, 0, world->cluster->born_count * sizeof *births);
    for (int s = 0; s < world->species_count && !f->status; s++)
        if (world->species[s]->calls_back) count_births(f, s, births + world->cluster->spread[s].born_at);
}

static bool share_a_band(const struct dun_cluster *cluster, uint32_t a, uint32_t b) {
    return cluster->cut[a].slab == cluster->cut[b].slab && cluster->cut[a].slab_end == cluster->cut[b].slab_end;
}

/* Adds the births of a rank that are before each of this rank's pieces. In a band, pieces with the same number are of one slab,
 * rank by rank. */
static void add_births(const dun_frame *f, int species, uint32_t rank, const uint64_t *births, uint64_t *before) {
    const struct dun_cluster *cluster = f->world->cluster;
    const uint32_t own = cluster->transport.rank, pieces = dun_pieces_of(f->world, species);
    const bool sorted = f->world->species[species]->indexed, shares = sorted && share_a_band(cluster, rank, own);
    uint64_t all = 0;
    for (uint32_t i = 0; i < (sorted ? cluster->spread[species].most_pieces : 1); i++) {
        if (shares && i < pieces) before[i] += all + (rank < own ? births[i] : 0);
        all += births[i];
    }
    for (uint32_t i = 0; i < pieces && !shares && rank < own; i++) before[i] += all;
}

void dun_births_read(const dun_frame *f, uint32_t rank, const uint64_t *births) {
    const struct dun_cluster *cluster = f->world->cluster;
    if (rank == 0 && cluster->born_count) memset(cluster->born_before, 0, cluster->born_count * sizeof *cluster->born_before);
    for (int s = 0; s < f->world->species_count; s++) {
        const uint32_t at = cluster->spread[s].born_at;
        if (f->world->species[s]->calls_back) add_births(f, s, rank, births + at, cluster->born_before + at);
    }
}

void dun_births_share(const dun_frame *f) {
    const struct dun_cluster *cluster = f->world->cluster;
    const dunlin_transport *t = f->world->transport;
    const size_t count = cluster->born_count;
    dun_births_write(f, cluster->out_agents);
    for (uint32_t r = 1; r < t->ranks; r++)
        memcpy(cluster->out_agents + r * count, cluster->out_agents, count * sizeof(uint64_t));
    t->all_to_all(t->context, cluster->out_agents, cluster->in_agents, cluster->born_count);
    for (uint32_t r = 0; r < t->ranks; r++) dun_births_read(f, r, cluster->in_agents + r * count);
}

uint64_t dun_piece_bears(const dun_frame *f, int species, uint32_t piece) {
    const dunlin_world *world = f->world;
    if (!world->transport) return 0;
    const uint32_t key = first_key_of(world, species) + piece;
    for (int s = 0; s < world->species_count; s++)
        if (f->newborn[s]) dun_segment_add(world, s, world->species[s]->segments.last_key + 1 + key, world->species[s]->count);
    return world->cluster->born_before[world->cluster->spread[species].born_at + piece];
}

void dun_pieces_close(const dun_frame *f, int species) {
    const dunlin_world *world = f->world;
    for (int s = 0; s < world->species_count && world->transport; s++)
        if (f->newborn[s]) dun_segments_close(world, s, world->species[s]->segments.last_key + keys_of(world, species));
}
