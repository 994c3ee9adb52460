/* SPDX-License-Identifier: MIT */
/*
 * The interior: what a rank does while messages travel. Before them ranks tell each other how many agents they send, and how
 * near to the middle of the receiver's cells these land. So a rank knows the cells in which nobody arrives, which as a rule are
 * all that no other rank sees: the `early` ones. Their agents are sorted to where they stay, and those that see only early
 * cells, the `inner` ones, fly.
 */
#include <string.h>

#include "engine/behaviours/type.h"
#include "engine/cluster/cluster.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"

enum {
    MIN_PARTS = 2,   /* of a rank's agents at most one is not early or arrives: otherwise sorting them apart takes too long */
    MAX_NARROWER = 8 /* planes of rows, or rows in 2D, at each end */
};

/* ---- telling ----------------------------------------------------------------------------------------------------------- */

static uint32_t middle_of(dun_stretch cells) {
    return cells.begin + (cells.end - cells.begin) / 2;
}

/* What a rank tells another one about a species: two words. */
typedef struct told {
    uint32_t agents, below;          /* how many are sent, and how many of them land below the middle of the receiver's cells */
    uint32_t last_below, first_from; /* the cell behind the last of these, and the first of the others */
} told;

static told *told_about(uint64_t *words, const dunlin_world *world, uint32_t rank, int species) {
    return (told *)(void *)(words + (size_t)rank * dun_told_words(world) + 1 + 2 * (size_t)species);
}

uint32_t dun_told_words(const dunlin_world *world) {
    return 1 + 2 * (uint32_t)world->species_count;
}

void dun_interior_tell(const dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    for (int s = 0; s < world->species_count; s++) {
        const dun_spread *spread = &cluster->spread[s];
        for (uint32_t r = 0; r < cluster->transport.ranks; r++)
            *told_about(cluster->out_told, world, r, s) = (told){.first_from = UINT32_MAX};
        for (uint64_t h = spread->hit_begin; h < spread->hit_end; h++) {
            const dun_hit hit = cluster->hits[h];
            told *to = told_about(cluster->out_told, world, hit.rank, s);
            to->agents++;
            if (spread->leaves) continue;
            const uint32_t cell = spread->keys[hit.slot];
            const bool below = cell < middle_of(spread->cells[hit.rank]);
            to->below += below;
            if (below && cell >= to->last_below) to->last_below = cell + 1;
            if (!below && cell < to->first_from) to->first_from = cell;
        }
    }
}

uint64_t dun_interior_arrivals(const dunlin_world *world, int species, uint32_t begin_rank, uint32_t end_rank) {
    uint64_t agents = 0;
    for (uint32_t r = begin_rank; r < end_rank; r++) agents += told_about(world->cluster->in_told, world, r, species)->agents;
    return agents;
}

/* ---- which cells ------------------------------------------------------------------------------------------------------- */

static bool is_in(uint32_t cell, dun_stretch cells) {
    return cell - cells.begin < cells.end - cells.begin;
}

/* This rank's agents before its early ones. */
static uint32_t own_before(const dunlin_world *world, int species) {
    const struct dun_cluster *cluster = world->cluster;
    const dun_spread *spread = &cluster->spread[species];
    dun_stretch held[2];
    uint32_t before = 0;
    dun_route_own(world, species, held);
    for (uint64_t i = spread->outside_begin; i < spread->outside_end; i++) {
        const uint32_t cell = spread->keys[cluster->outside[i]];
        before += cell < spread->alone.begin && (is_in(cell, held[0]) || is_in(cell, held[1]));
    }
    return before;
}

static void find_early(const dunlin_world *world, int species) {
    const struct dun_cluster *cluster = world->cluster;
    dun_spread *spread = &world->cluster->spread[species];
    const dun_stretch alone = spread->alone;
    const uint32_t middle = middle_of(spread->cells[cluster->transport.rank]);
    bool clear = alone.begin < alone.end && alone.begin <= middle && middle <= alone.end;
    spread->before = 0;
    for (uint32_t r = 0; r < cluster->transport.ranks; r++) {
        const told *from = told_about(cluster->in_told, world, r, species);
        if (r == cluster->transport.rank || from->agents == 0) continue;
        clear = clear && from->last_below <= alone.begin && from->first_from >= alone.end;
        spread->before += from->below;
    }
    spread->early = clear ? alone : (dun_stretch){0, 0};
    spread->before = clear ? spread->before + own_before(world, species) : 0;
}

static bool are_early(const dunlin_world *world, int species, const dun_seen *seen) {
    const dun_stretch early = world->cluster->spread[species].early;
    const uint32_t row = dun_grid_row_cells(world->species[species]->index);
    bool all = true;
    for (int z = 0; z < seen->slabs; z++)
        for (int y = 0; y < seen->lines; y++)
            all = all && (seen->slab[z].begin * seen->rows + seen->line[y].begin) * row >= early.begin &&
                  ((seen->slab[z].end - 1) * seen->rows + seen->line[y].end) * row <= early.end;
    return all;
}

static bool sees_only_early(const dunlin_world *world, int observer, dun_stretch cells) {
    bool all = true;
    for (int i = 0; i < world->look_count && all; i++) {
        const dun_look *look = &world->looks[i];
        if (look->observer != observer) continue;
        const dun_seen seen =
            dun_grid_seen(world->species[observer]->index, cells, world->species[look->observed]->index, look->radius);
        all = are_early(world, look->observed, &seen);
    }
    return all;
}

/* Early cells, less some planes of rows at both ends. */
static void find_inner(const dunlin_world *world, int species) {
    dun_spread *spread = &world->cluster->spread[species];
    const dun_index *index = world->species[species]->index;
    const uint32_t plane = (uint32_t)(index->type->cells(index) / dun_grid_slabs(index));
    dun_stretch cells = spread->early;
    for (int i = 0; i <= MAX_NARROWER && cells.begin < cells.end; i++) {
        if (sees_only_early(world, species, cells)) {
            spread->inner = cells;
            return;
        }
        if (cells.end - cells.begin <= 2 * plane) return;
        cells = (dun_stretch){cells.begin + plane, cells.end - plane};
    }
}

/* Callbacks may look at all agents. Bodies feel forces before the agents that they stand for. */
static bool may_fly_early(const dunlin_world *world) {
    for (int b = 0; b < world->behaviour_count; b++)
        if (world->behaviours[b].type->call) return false;
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        const dun_spread *spread = &world->cluster->spread[s];
        if (species->def.body_of >= 0 || (spread->moves && (spread->leaves || species->segments.count > 0))) return false;
        if (species->indexed && species->count == 0) return false;
    }
    return true;
}

/* Tests that cut at random see whatever can be. */
static bool is_worth_it(const dunlin_world *world) {
    uint64_t agents = 0, rest = 0, inner = 0;
    for (int s = 0; s < world->species_count; s++) {
        const dun_spread *spread = &world->cluster->spread[s];
        if (!world->species[s]->indexed) continue;
        agents += world->species[s]->count;
        rest += spread->rest_count;
        inner += spread->inner.end - spread->inner.begin;
    }
    return inner > 0 && (rest <= agents / MIN_PARTS || world->cluster->cut_seed > 0);
}

bool dun_interior_find(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const bool may = may_fly_early(world);
    for (int s = 0; s < world->species_count; s++) {
        dun_spread *spread = &cluster->spread[s];
        spread->rest_count = 0;
        spread->early = spread->inner = (dun_stretch){0, 0}; /* those of the step before may lie in other cells */
        if (!world->species[s]->indexed || !may) continue;
        find_early(world, s);
        const uint64_t outside =
            spread->early.begin < spread->early.end ? spread->outside_end - spread->outside_begin : world->species[s]->count;
        spread->rest_count = outside + dun_interior_arrivals(world, s, 0, cluster->transport.ranks);
    }
    for (int s = 0; s < world->species_count && may; s++)
        if (world->species[s]->indexed) find_inner(world, s);
    return may && is_worth_it(world);
}

/* ---- sorting ----------------------------------------------------------------------------------------------------------- */

static bool are_any_early(const dun_spread *spread) {
    return spread->early.begin < spread->early.end;
}

/* Also where it is not worth it in this step, as far as it may be in the next one. */
static bool reserve(const dunlin_world *world, int number) {
    dun_spread *spread = &world->cluster->spread[number];
    const dun_species *species = world->species[number];
    const uint64_t columns = (uint64_t)dun_state_columns(world, species).columns, worth_it = species->count / MIN_PARTS;
    const uint64_t count = world->cluster->early || spread->rest_count < worth_it ? spread->rest_count : worth_it;
    dun_stretch held[2];
    dun_route_own(world, number, held);
    return dun_cluster_reserve(&spread->rest, &spread->rest_room, 2 * columns * (count + DUN_CELL_PADDING),
                               sizeof *spread->rest) &&
           dun_grid_reserve_rest(species->index, held, spread->early, (uint32_t)count, world->executor.workers);
}

bool dun_interior_reserve(const dunlin_world *world) {
    bool whole = true;
    for (int s = 0; s < world->species_count && whole; s++)
        if (world->species[s]->indexed) whole = reserve(world, s);
    return whole;
}

void dun_interior_rest(const dunlin_world *world, int number, dun_columns *columns) {
    const dun_spread *spread = &world->cluster->spread[number];
    *columns = dun_state_columns(world, world->species[number]);
    columns->agents = (uint32_t)spread->rest_count;
    columns->numbered = false;
    dun_word *at = spread->rest;
    for (int c = 0; c < columns->columns; c++, at += 2 * (spread->rest_count + DUN_CELL_PADDING)) {
        columns->from[c] = at;
        columns->to[c] = at + spread->rest_count + DUN_CELL_PADDING;
    }
}

/* Copies the agents that are not early, behind the room for those of lower ranks: tiles will write where they are. */
static void copy_rest(const dunlin_world *world, int number) {
    const struct dun_cluster *cluster = world->cluster;
    const dun_spread *spread = &cluster->spread[number];
    const dun_columns state = dun_state_columns(world, world->species[number]);
    const uint64_t lower = dun_interior_arrivals(world, number, 0, cluster->transport.rank);
    const uint32_t *outside = cluster->outside + spread->outside_begin;
    const uint64_t count = spread->outside_end - spread->outside_begin;
    dun_columns rest;
    dun_interior_rest(world, number, &rest);
    for (int c = 0; c < rest.columns; c++) {
        dun_word *to = spread->rest + (rest.from[c] - spread->rest) + lower;
        if (!are_any_early(spread)) memcpy(to, state.from[c], state.agents * sizeof *to);
        for (uint64_t i = 0; i < count && are_any_early(spread); i++) to[i] = state.from[c][outside[i]];
    }
}

int dun_interior_sort(dunlin_world *world, int number) {
    const dun_spread *spread = &world->cluster->spread[number];
    dun_species *species = world->species[number];
    dun_columns columns = dun_state_columns(world, species);
    dun_agents_columns(&species->buffer[1 - species->current], world->def.dimensions, species->attribute_count, columns.to);
    dun_stretch held[2];
    dun_route_own(world, number, held);
    columns.first = spread->before;
    copy_rest(world, number);
    species->count += (uint32_t)dun_interior_arrivals(world, number, 0, world->transport->ranks);
    dun_grid_build_early(species->index, held, spread->early, species->count, &columns, &world->executor);
    return 1 - species->current;
}

dun_stretch dun_interior_slots(const dunlin_world *world, int number) {
    if (!world->species[number]->indexed) return (dun_stretch){0, 0};
    return dun_grid_slots(world->species[number]->index, world->cluster->spread[number].inner);
}
