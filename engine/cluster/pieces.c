/* SPDX-License-Identifier: MIT */
/* Pieces: where this rank's agents stand in the order of the whole flock, and what is born there. */
#include <string.h>

#include "engine/cluster/cluster.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

static uint32_t keys_of(const dunlin_world *world, int species) {
    return world->species[species]->indexed ? world->cluster->spread[species].key_count : 1;
}

static uint32_t first_key_of(const dunlin_world *world, int species) {
    return world->species[species]->indexed ? world->cluster->spread[species].first_key : 0;
}

/* More than one piece are slabs, whose places follow each other from 0 on. */
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
    struct dun_cluster *cluster = world->cluster;
    uint32_t more = 0, keys = 0;
    bool whole = true;
    if (!world->transport) return true;
    for (int s = 0; s < world->species_count; s++) {
        more += dun_pieces_of(world, s);
        cluster->spread[s].born_at = keys;
        keys += keys_of(world, s);
    }
    for (int s = 0; s < world->species_count && whole; s++)
        whole = dun_segments_reserve(world, s, dun_pieces_of(world, s) + more);
    return whole && dun_array_reserve(world->heap, &cluster->born, &cluster->born_room, keys, sizeof *cluster->born) &&
           dun_array_reserve(world->heap, &cluster->all_born, &cluster->all_born_room, keys, sizeof *cluster->all_born);
}

/* ---- births ---------------------------------------------------------------------------------------------------------------
 */

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

/* Only where several ranks have pieces of a slab must the flock's births in each of them be known. */
void dun_births_share(const dun_frame *f) {
    const dunlin_world *world = f->world;
    const dunlin_transport *t = world->transport;
    struct dun_cluster *cluster = world->cluster;
    const int last = world->species_count - 1;
    const uint32_t keys = cluster->spread[last].born_at + keys_of(world, last);
    memset(cluster->born, 0, keys * sizeof *cluster->born);
    for (int s = 0; s < world->species_count; s++)
        if (world->species[s]->calls_back)
            count_births(f, s, cluster->born + cluster->spread[s].born_at + first_key_of(world, s));
    memcpy(cluster->all_born, cluster->born, keys * sizeof *cluster->born);
    t->exclusive_scan(t->context, cluster->born, keys);
    if (keys > (uint32_t)world->species_count) dun_all_reduce(world, cluster->all_born, keys);
}

uint64_t dun_piece_bears(const dun_frame *f, int species, uint32_t piece) {
    const dunlin_world *world = f->world;
    if (!world->transport) return 0;
    const struct dun_cluster *cluster = world->cluster;
    const uint32_t key = first_key_of(world, species) + piece, at = cluster->spread[species].born_at;
    uint64_t before = cluster->born[at + key];
    for (uint32_t k = 0; k < key; k++) before += cluster->all_born[at + k];
    for (int s = 0; s < world->species_count; s++)
        dun_segment_add(world, s, world->species[s]->segments.last_key + 1 + key, world->species[s]->count);
    return before;
}

void dun_pieces_close(const dun_frame *f, int species) {
    const dunlin_world *world = f->world;
    for (int s = 0; s < world->species_count && world->transport; s++)
        dun_segments_close(world, s, world->species[s]->segments.last_key + keys_of(world, species));
}
