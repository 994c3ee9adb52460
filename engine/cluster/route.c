/* SPDX-License-Identifier: MIT */
/*
 * Routes: which ranks see which rows of cells. They follow from the cut, from looks, and from the shapes of the species' cells,
 * so most steps have those of the step before.
 */
#include <math.h>
#include <string.h>

#include "engine/cluster/cluster.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

/* ---- what each rank owns ------------------------------------------------------------------------------------------------- */

static uint32_t place_at(double share, uint32_t numbers) {
    return (uint32_t)(share * numbers);
}

/* In 3D a rank owns whole lines. */
static dun_block block_of(const dun_cut *cut, const dun_cell_shape *shape, int dimensions) {
    const uint32_t row = dimensions == 2 ? 1 : shape->cells[0],
                   all = dimensions == 2 ? shape->cells[0] * shape->cells[1] : shape->cells[1];
    dun_block block = {{place_at(cut->slab, shape->cells[2]), place_at(cut->slab_end, shape->cells[2])},
                       {place_at(cut->cell, all) * row, place_at(cut->cell_end, all) * row}};
    return block;
}

static bool is_empty(const dun_block *block) {
    return block->slab.begin == block->slab.end || block->cells.begin == block->cells.end;
}

/* The pieces of all ranks, band by band. */
static void count_pieces(dunlin_world *world, dun_spread *spread) {
    const dun_cut *cut = world->cluster->cut;
    const uint32_t ranks = world->transport->ranks, own = world->transport->rank;
    spread->key_count = spread->most_pieces = 0;
    for (uint32_t first = 0, end; first < ranks; first = end) {
        for (end = first + 1; end < ranks && cut[end].slab == cut[first].slab && cut[end].slab_end == cut[first].slab_end;)
            end++;
        const dun_stretch slab = spread->block[first].slab;
        const uint32_t pieces = end - first == 1 ? 1 : slab.end - slab.begin;
        if (own >= first && own < end) {
            spread->first_key = spread->key_count;
            spread->pieces = pieces;
        }
        spread->key_count += pieces;
        spread->most_pieces = max_u32(spread->most_pieces, pieces);
    }
}

static bool find_blocks(dunlin_world *world, int species) {
    const struct dun_cluster *cluster = world->cluster;
    dun_spread *spread = &world->cluster->spread[species];
    const uint32_t ranks = cluster->transport.ranks;
    spread->shape = dun_grid_shape_of(world->species[species]->index);
    if (!dun_array_reserve(world->heap, &spread->block, &spread->block_room, ranks, sizeof *spread->block)) return false;
    for (uint32_t r = 0; r < ranks; r++) spread->block[r] = block_of(&cluster->cut[r], &spread->shape, world->def.dimensions);
    count_pieces(world, spread);
    return dun_array_reserve(world->heap, &spread->piece_end, &spread->piece_room, spread->pieces, sizeof *spread->piece_end) &&
           dun_segments_reserve(world, species, spread->pieces);
}

bool dun_block_has(const dun_spread *spread, uint32_t rank, uint32_t cell) {
    const dun_block *block = &spread->block[rank];
    const uint32_t slab_cells = spread->shape.cells[0] * spread->shape.cells[1], slab = cell / slab_cells;
    const uint32_t at = cell - slab * slab_cells;
    return slab - block->slab.begin < block->slab.end - block->slab.begin &&
           at - block->cells.begin < block->cells.end - block->cells.begin;
}

/* ---- rows that ranks see --------------------------------------------------------------------------------------------------
 */

/* What observers of this rank's own look at, and also the food that its eaters may eat: dun_gains_reserve() counts it. */
static int count_looks(const dunlin_world *world) {
    return world->look_count + world->meal_count;
}

static dun_look look_at(const dunlin_world *world, int number) {
    if (number < world->look_count) return world->looks[number];
    const dunlin_meal_def *meal = &world->meals[number - world->look_count];
    return (dun_look){.observer = meal->eater, .observed = meal->food, .radius = meal->radius};
}

/* Lists the ranks of rows in two passes: the first counts, and the second fills. Another one finds what this rank holds. */
typedef enum pass { COUNTS, FILLS, HOLDS } pass;

typedef struct router {
    const dunlin_world *world;
    int species;
    dun_spread *spread;
    pass pass;
} router;

static void see_row(const router *r, uint32_t row, uint32_t rank) {
    dun_spread *spread = r->spread;
    const uint32_t stamp = 2 * rank + 1 + (r->pass == FILLS);
    if (r->pass == HOLDS) spread->row_place[row] = 0;
    if (r->pass == HOLDS || spread->row_stamp[row] == stamp) return;
    spread->row_stamp[row] = stamp;
    if (r->pass == FILLS) spread->row_rank[spread->row_first[row]] = rank;
    spread->row_first[r->pass == FILLS ? row : row + 1]++;
}

static void see_rows(const router *r, dun_stretch slabs, dun_stretch lines, uint32_t rank) {
    for (uint32_t slab = slabs.begin; slab < slabs.end; slab++)
        for (uint32_t line = lines.begin; line < lines.end; line++) see_row(r, slab * r->spread->shape.cells[1] + line, rank);
}

/* The lines that a block has, or has a part of. */
static dun_stretch lines_of(const dun_block *block, uint32_t row) {
    return (dun_stretch){block->cells.begin / row, (block->cells.end - 1) / row + 1};
}

/* A rank gets all rows that it owns a part of, and those that its observers may see. */
static void see_all(const router *r, uint32_t rank) {
    const dunlin_world *world = r->world;
    const dun_index *observed = world->species[r->species]->index;
    const dun_block *own = &r->spread->block[rank];
    if (!is_empty(own)) see_rows(r, own->slab, lines_of(own, r->spread->shape.cells[0]), rank);
    for (int i = 0; i < count_looks(world); i++) {
        const dun_look look = look_at(world, i);
        const dun_block *block = &world->cluster->spread[look.observer].block[rank];
        if (look.observed != r->species || is_empty(block)) continue;
        const dun_seen seen = dun_grid_seen(world->species[look.observer]->index, *block, observed, look.radius);
        for (int z = 0; z < seen.slabs; z++)
            for (int y = 0; y < seen.lines; y++) see_rows(r, seen.slab[z], seen.line[y], rank);
    }
}

static void see_by_all_others(router *r, pass which) {
    const dunlin_transport *t = r->world->transport;
    r->pass = which;
    for (uint32_t rank = 0; rank < t->ranks; rank++)
        if (rank != t->rank) see_all(r, rank);
}

/* ---- rows that this rank holds --------------------------------------------------------------------------------------------
 */

static void place_row(dun_spread *spread, uint32_t row) {
    spread->row_place[row] = spread->held.cells;
    spread->held.cells += spread->shape.cells[0];
}

/* In 2D rows stay in their order, since this rank may own parts of some. In 3D its own come first, so that they are one stretch
 * of places. */
static void place_rows(dun_spread *spread, const dun_block *own, uint32_t rows) {
    const bool first = spread->shape.cells[2] > 1 && !is_empty(own);
    const dun_stretch lines = first ? lines_of(own, spread->shape.cells[0]) : (dun_stretch){0, 0};
    const dun_stretch slabs = first ? own->slab : (dun_stretch){0, 0};
    spread->held.cells = 0;
    for (uint32_t slab = slabs.begin; slab < slabs.end; slab++)
        for (uint32_t line = lines.begin; line < lines.end; line++) place_row(spread, slab * spread->shape.cells[1] + line);
    for (uint32_t row = 0, slab = 0, line = 0; row < rows; row++) {
        const bool placed = slab - slabs.begin < slabs.end - slabs.begin && line - lines.begin < lines.end - lines.begin;
        if (spread->row_place[row] != DUN_NOT_HELD && !placed) place_row(spread, row);
        if (++line == spread->shape.cells[1]) slab++, line = 0;
    }
}

static void hold_rows(router *r, uint32_t rows) {
    dun_spread *spread = r->spread;
    const uint32_t rank = r->world->transport->rank, row = spread->shape.cells[0];
    const dun_block *own = &spread->block[rank];
    r->pass = HOLDS;
    memset(spread->row_place, 0xff, rows * sizeof *spread->row_place);
    see_all(r, rank);
    place_rows(spread, own, rows);
    spread->held.place = spread->row_place;
    spread->held.own = (dun_stretch){0, 0};
    if (is_empty(own)) return;
    const uint32_t first = own->slab.begin * spread->shape.cells[1] + own->cells.begin / row;
    const uint32_t begin = spread->row_place[first] + own->cells.begin % row;
    spread->held.own = (dun_stretch){begin, begin + (own->slab.end - own->slab.begin) * (own->cells.end - own->cells.begin)};
}

/* ---- routes ---------------------------------------------------------------------------------------------------------------
 */

static bool reserve_rows(const dunlin_world *world, dun_spread *spread, uint64_t rows) {
    return dun_array_reserve(world->heap, &spread->row_first, &spread->row_room, rows + 1, sizeof *spread->row_first) &&
           dun_array_reserve(world->heap, &spread->row_stamp, &spread->row_stamp_room, rows, sizeof *spread->row_stamp) &&
           dun_array_reserve(world->heap, &spread->row_place, &spread->row_place_room, rows, sizeof *spread->row_place) &&
           dun_array_reserve(world->heap, &spread->row_seen, &spread->row_seen_room, rows, sizeof *spread->row_seen);
}

static bool find_routes(const dunlin_world *world, int species) {
    dun_spread *spread = &world->cluster->spread[species];
    const uint32_t rows = spread->shape.cells[1] * spread->shape.cells[2];
    router r = {.world = world, .species = species, .spread = spread};
    if (!reserve_rows(world, spread, rows)) return false;
    memset(spread->row_stamp, 0, rows * sizeof *spread->row_stamp);
    memset(spread->row_first, 0, ((size_t)rows + 1) * sizeof *spread->row_first);
    see_by_all_others(&r, COUNTS);
    for (uint32_t at = 0; at < rows; at++) {
        spread->row_seen[at] = spread->row_first[at + 1] > 0;
        spread->row_first[at + 1] += spread->row_first[at];
    }
    if (!dun_array_reserve(world->heap, &spread->row_rank, &spread->row_rank_room, spread->row_first[rows],
                           sizeof *spread->row_rank))
        return false;
    see_by_all_others(&r, FILLS);
    memmove(spread->row_first + 1, spread->row_first, rows * sizeof *spread->row_first);
    spread->row_first[0] = 0;
    hold_rows(&r, rows);
    return true;
}

/* ---- what they follow from ------------------------------------------------------------------------------------------------
 */

static const dun_species *sorted_species(const dunlin_world *world, int species) {
    return world->species[species]->indexed ? world->species[species] : NULL;
}

static bool same_looks(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    bool same = cluster->routed_look_count == count_looks(world);
    for (int i = 0; i < count_looks(world) && same; i++) {
        const dun_look a = look_at(world, i), *b = &cluster->routed_looks[i];
        same = a.observer == b->observer && a.observed == b->observed && a.radius == b->radius;
    }
    return same;
}

static bool same_species(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    bool same = cluster->routed_count == world->species_count;
    for (int s = 0; s < world->species_count && same; s++) {
        const dun_species *species = sorted_species(world, s);
        same = cluster->routed_species[s] == species;
        if (!species || !same) continue;
        const dun_cell_shape shape = dun_grid_shape_of(species->index);
        same = memcmp(&shape, &cluster->spread[s].shape, sizeof shape) == 0;
    }
    return same;
}

static bool are_kept(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    return cluster->routed && same_looks(world) && same_species(world) &&
           memcmp(cluster->cut, cluster->routed_cut, cluster->transport.ranks * sizeof *cluster->cut) == 0;
}

static bool keep(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint64_t looks = (uint64_t)count_looks(world), species = (uint64_t)world->species_count;
    if (!dun_array_reserve(world->heap, &cluster->routed_looks, &cluster->routed_look_room, looks,
                           sizeof *cluster->routed_looks) ||
        !dun_array_reserve(world->heap, &cluster->routed_species, &cluster->routed_room, species,
                           sizeof *cluster->routed_species))
        return false;
    cluster->routed_count = world->species_count;
    cluster->routed_look_count = count_looks(world);
    for (int i = 0; i < count_looks(world); i++) cluster->routed_looks[i] = look_at(world, i);
    for (int s = 0; s < world->species_count; s++) cluster->routed_species[s] = sorted_species(world, s);
    memcpy(cluster->routed_cut, cluster->cut, cluster->transport.ranks * sizeof *cluster->cut);
    cluster->routed = true;
    return true;
}

bool dun_routes_find(dunlin_world *world) {
    bool whole = true;
    if (are_kept(world)) return dun_births_prepare(world);
    world->cluster->routed = false;
    for (int s = 0; s < world->species_count && whole; s++)
        if (world->species[s]->indexed) whole = find_blocks(world, s);
    for (int s = 0; s < world->species_count && whole; s++)
        if (world->species[s]->indexed) whole = find_routes(world, s);
    return whole && keep(world) && dun_births_prepare(world);
}
