/* SPDX-License-Identifier: MIT */
/* Snapshot: each species' agents are counting-sorted into cell order. From here on no stage writes them. */
#include <math.h>

#include "engine/cluster/cluster.h"
#include "engine/frame/stages.h"
#include "engine/groups/groups.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"

int dun_species_snapshot(const dunlin_world *world, int number, const dun_space *space, bool slots) {
    dun_species *species = world->species[number];
    const dun_agents *to = &species->buffer[1 - species->current];
    dun_columns columns = dun_species_columns(world, species);
    columns.parts = species->parts;
    columns.order = species->order;
    columns.numbered = species->numbered == world->generation && species->numbered_from == 0 && !world->def.boundary_first;
    dun_agents_columns(to, world->def.dimensions, species->attribute_count, columns.to);
    if (slots) {
        columns.from[columns.columns] = species->slots[0];
        columns.to[columns.columns++] = species->slots[1];
    }
    species->sorted = 0;
    world->index_type->build(species->index, space, &columns, &world->executor);
    return world->index_type->sorts ? 1 - species->current : species->current;
}

/* ---- between steps ---------------------------------------------------------------------------------------------------- */

/* Whether nothing has changed the world since the sort: the function that runs now is the next after it. */
static bool is_sorted(const dunlin_world *world, const dun_species *species) {
    return species->sorted > 0 && species->sorted + 1 == world->changes;
}

void dun_sorts_keep(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++)
        if (is_sorted(world, world->species[s])) world->species[s]->sorted = world->changes;
}

static bool fit_slots(dun_heap *heap, dun_species *species, int i) {
    return dun_array_fit(heap, &species->slots[i], &species->slot_room[i], species->count, sizeof *species->slots[i]);
}

/* The first ones are filled as soon as they are there, for the other ones may lack memory. */
static bool reserve_slots(dun_heap *heap, dun_species *species) {
    const size_t had = species->slot_room[0];
    const bool whole = fit_slots(heap, species, 0);
    for (size_t i = had; i < species->slot_room[0]; i++) species->slots[0][i] = (uint32_t)i;
    return whole && fit_slots(heap, species, 1);
}

bool dun_species_sort(const dunlin_world *world, int number, bool slots) {
    dun_species *species = world->species[number];
    const dun_index_type *type = species->index->type;
    const bool sorts_slots = slots && type->sorts;
    if (species->sorted == world->changes && species->sorted_slots >= sorts_slots) return true;
    const dun_space space = dun_species_space(world, number, species->count);
    if (!type->reserve(species->index, &space, species->count, world->executor.workers)) return false;
    if (sorts_slots && !reserve_slots(world->heap, species)) return false;
    (void)dun_species_snapshot(world, number, &space, sorts_slots);
    species->sorted_slots = sorts_slots;
    species->has_around = false;
    species->sorted = world->changes;
    return true;
}

int dun_species_sorted(const dun_species *species) {
    return species->index->type->sorts ? 1 - species->current : species->current;
}

void dun_sorts_check(dunlin_world *world) {
    bool keeps = world->prepared && !world->def.boundary_first && !world->cluster && !dun_has_bodies(world);
    for (int s = 0; s < world->species_count; s++) keeps = keeps && world->species[s]->def.regroup.every == 0;
    if (!keeps) world->changes++;
}

/* ---- in a step -------------------------------------------------------------------------------------------------------- */

static int sort_species(dun_frame *f, int number) {
    dun_species *species = f->world->species[number];
    const dun_space space = dun_species_space(f->world, number, species->count);
    const int snapshot =
        is_sorted(f->world, species) ? dun_species_sorted(species) : dun_species_snapshot(f->world, number, &space, false);
    species->sorted = 0;
    species->parts = 0;
    if (species->index->type->next_cells)
        species->next_cell = species->index->type->next_cells(species->index, &species->cells);
    const bool everywhere = species->index->type->reach(species->index, space.radius).everywhere;
    f->cell_radius[number] = everywhere ? INFINITY : space.radius;
    return snapshot;
}

/* A species that observes nothing and that nothing observes needs no order. */
void dun_take_snapshot(dun_frame *f) {
    if (f->status) return;
    f->at.sort = dun_now_ns();
    for (int s = 0; s < f->world->species_count; s++) {
        dun_species *species = f->world->species[s];
        species->next_cell = NULL;
        if (!species->indexed || !species->index->type->sorts) dun_species_unshift(f->world, species);
        const int snapshot = species->indexed ? sort_species(f, s) : species->current;
        f->snapshot[s] = &species->buffer[snapshot];
        f->next[s] = &species->buffer[1 - snapshot];
        if (snapshot != species->current) dun_agents_shift(f->next[s], 0); /* its agents are in the snapshot now */
        f->own_begin[s] = species->own_begin;
        f->own_end[s] = min_u32(species->own_end, species->count);
    }
    dun_pieces_find(f);
    f->at.sorted = dun_now_ns();
}
