/* SPDX-License-Identifier: MIT */
/* Snapshot: each species' agents are counting-sorted into cell order. From here on no stage writes them. */
#include <math.h>

#include "engine/cluster/cluster.h"
#include "engine/frame/stages.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"

int dun_species_snapshot(const dunlin_world *world, int number, const dun_space *space) {
    dun_species *species = world->species[number];
    const dun_agents *to = &species->buffer[1 - species->current];
    dun_columns columns = dun_species_columns(world, species);
    columns.parts = species->parts;
    columns.order = species->order;
    columns.numbered = species->numbered == world->generation && species->numbered_from == 0 && !world->def.boundary_first;
    dun_agents_columns(to, world->def.dimensions, species->attribute_count, columns.to);
    world->index_type->build(species->index, space, &columns, &world->executor);
    return world->index_type->sorts ? 1 - species->current : species->current;
}

static int sort_species(dun_frame *f, int number) {
    dun_species *species = f->world->species[number];
    const dun_space space = dun_species_space(f->world, number, species->count);
    const int snapshot = dun_species_snapshot(f->world, number, &space);
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
