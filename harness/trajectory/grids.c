/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/layout.h"
#include "harness/trajectory/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static grid *add(grid_list *list, grid_kind kind, int number, int rank, const unsigned long long *size) {
    grid *grids = realloc(list->grids, ((size_t)list->count + 1) * sizeof *grids);
    if (!grids) return NULL;
    list->grids = grids;
    grid *added = &grids[list->count++];
    *added = (grid){.kind = kind, .number = number, .rank = rank, .first = list->words, .words = 1};
    for (int a = 0; a < rank; a++) added->words *= (size_t)(added->size[a] = size[a]);
    list->words += added->words;
    return added;
}

static bool add_groups(grid_list *list, int species, unsigned groups) {
    static const char *const names[] = {
        [GRID_AGENTS] = "agents",     [GRID_LEADER] = "leader", [GRID_CENTRE] = "centre",
        [GRID_VELOCITY] = "velocity", [GRID_SPREAD] = "spread", [GRID_POLARIZATION] = "polarization"};
    bool is_added = true;
    for (grid_kind kind = GRID_AGENTS; kind <= GRID_POLARIZATION && is_added; kind++) {
        const bool is_vector = kind == GRID_CENTRE || kind == GRID_VELOCITY;
        grid *g = add(list, kind, species, is_vector ? 2 : 1, (const unsigned long long[]){groups, 3});
        if (g) snprintf(g->path, sizeof g->path, TRAJECTORY_GROUPS "%d_%s", species, names[kind]);
        is_added = g;
    }
    return is_added;
}

/* As the field's cells lie in memory: x changes fastest. */
static bool add_trace(grid_list *list, dunlin_world *world, int trace) {
    const dunlin_trace_view view = dunlin_world_trace_view(world, trace);
    unsigned long long size[3];
    for (int a = 0; a < 3; a++) size[a] = (unsigned long long)view.cells[2 - a];
    grid *g = add(list, GRID_TRACE, trace, 3, size);
    if (g) snprintf(g->path, sizeof g->path, TRAJECTORY_TRACE "%d", trace);
    return g;
}

bool grids_list(grid_list *list, dunlin_world *world, bool groups, bool traces) {
    bool is_listed = true;
    *list = (grid_list){0};
    for (int s = 0; s < dunlin_world_species_count(world) && groups && is_listed; s++) {
        const int groups_here = dunlin_world_get_species(world, s).groups;
        is_listed = groups_here == 0 || add_groups(list, s, (unsigned)groups_here);
    }
    for (int t = 0; t < dunlin_world_trace_count(world) && traces && is_listed; t++) is_listed = add_trace(list, world, t);
    return is_listed;
}

void grids_free(grid_list *list) {
    free(list->grids);
    *list = (grid_list){0};
}

bool grid_is_number(const grid *g) {
    return g->kind != GRID_AGENTS && g->kind != GRID_LEADER;
}

static const void *values_of(const dunlin_group_sums *sums, grid_kind kind) {
    if (kind == GRID_AGENTS) return sums->agents;
    if (kind == GRID_LEADER) return sums->leader;
    return kind == GRID_SPREAD ? sums->spread : sums->polarization;
}

static void copy_vectors(const float *const from[3], uint32_t count, uint32_t *words) {
    for (int a = 0; a < 3; a++)
        for (size_t i = 0; i < count; i++)
            if (from[a])
                memcpy(&words[3 * i + (size_t)a], &from[a][i], sizeof *words);
            else
                words[3 * i + (size_t)a] = 0;
}

static void copy_groups(const grid *g, const dunlin_group_sums *sums, uint32_t *words) {
    if (g->rank == 2)
        copy_vectors(g->kind == GRID_CENTRE ? sums->centre : sums->velocity, sums->count, words);
    else
        memcpy(words, values_of(sums, g->kind), g->words * sizeof *words);
}

dunlin_result grids_copy(const grid_list *list, dunlin_world *world, int precision, uint32_t *words, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    dunlin_group_sums sums;
    for (int i = 0; i < list->count && result == DUNLIN_OK; i++) {
        const grid *g = &list->grids[i];
        uint32_t *to = words + g->first;
        if (g->kind == GRID_AGENTS) result = dunlin_world_sum_groups(world, g->number, &sums, error);
        if (result != DUNLIN_OK) break;
        if (g->kind == GRID_TRACE)
            memcpy(to, dunlin_world_trace_view(world, g->number).values, g->words * sizeof *to);
        else
            copy_groups(g, &sums, to);
        if (precision && grid_is_number(g)) round_bits(to, g->words, precision);
    }
    return result;
}
