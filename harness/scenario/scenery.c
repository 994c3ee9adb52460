/* SPDX-License-Identifier: MIT */
/* The fields, paths and obstacles of a scenario. */
#include "harness/scenario/build.h"
#include "harness/scenario/grid.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

static bool read_grid(dunlin_simulation *simulation, const slot *file, const dunlin_field_view *view, scenario_grid *grid,
                      dunlin_field_source *source) {
    char problem[SCENARIO_PROBLEM_LENGTH];
    const bool picture = source->kind == DUNLIN_FIELD_GRADIENT;
    const size_t max_bytes = picture ? SCENARIO_PNG_MAX_BYTES : dun_grid_csv_max_bytes(view);
    scenario_input input;
    bool done = dun_input_read(simulation, file->text, max_bytes, &input, problem);
    if (done)
        done = (picture ? dun_grid_read_png : dun_grid_read_csv)(file->text, input.bytes, input.length, view, grid, problem);
    dun_input_free(&input);
    source->values = grid->columns[0];
    for (int a = 0; a < 3; a++) source->vectors[a] = grid->columns[a];
    return done || FAIL(simulation, file, "%s", problem);
}

static bool fill_field(dunlin_simulation *simulation, const slot *kind, int field, dunlin_field_source *source) {
    const dunlin_field_view view = dunlin_world_field_view(simulation->world, field);
    scenario_grid grid = {0};
    bool done = true;
    if (source->kind == DUNLIN_FIELD_SWIRL && has(kind, "axis") && dun_axes(simulation) == 2)
        return FAIL_FIELD(simulation, kind, "axis", "allowed: only in 3 dimensions, for a plane has no axis to turn around");
    if (source->kind == DUNLIN_FIELD_GRADIENT || source->kind == DUNLIN_FIELD_VECTORS)
        done = read_grid(simulation, dun_field(kind, "file"), &view, &grid, source);
    done = done && dun_located(simulation, kind, "source",
                               dunlin_world_fill_field(simulation->world, field, source, simulation->error));
    dun_grid_free(&grid);
    return done;
}

static uint64_t count_cells(const int cells[3]) {
    return (uint64_t)cells[0] * (uint64_t)cells[1] * (uint64_t)cells[2];
}

static bool check_cells(dunlin_simulation *simulation, const slot *entry, const dunlin_field_def *def) {
    uint64_t cells = count_cells(def->cells);
    for (int i = 0; i < dunlin_world_field_count(simulation->world); i++) {
        const dunlin_field_view other = dunlin_world_field_view(simulation->world, i);
        cells += count_cells(other.cells);
    }
    return cells <= simulation->files.max_cells ||
           FAIL_FIELD(simulation, entry, "cells", "with it the fields have %" PRIu64 " cells; the caller allows %" PRIu64,
                      cells, simulation->files.max_cells);
}

static bool is_trace(const slot *kind) {
    return kind->row->tag == DUNLIN_FIELD_COUNT;
}

static field_defs defs_of(const dunlin_simulation *simulation, const slot *kind) {
    return (field_defs){dunlin_field_def_default(simulation->world),
                        dunlin_field_source_default(simulation->world, (dunlin_field_kind)kind->row->tag),
                        dunlin_trace_def_default()};
}

bool dun_put_field(dunlin_simulation *simulation, const slot *entry) {
    const slot *kind = dun_one_of(entry);
    const int number = (int)dun_position(entry);
    const bool there = number < dunlin_world_field_count(simulation->world);
    field_defs defs = defs_of(simulation, kind);
    if (!dun_bind(simulation, entry, &defs) || (!there && !check_cells(simulation, entry, &defs.grid))) return false;
    if (!there && !dun_located(simulation, entry, "field",
                               dunlin_world_add_field(simulation->world, &defs.grid, NULL, simulation->error)))
        return false;
    if (!is_trace(kind)) return fill_field(simulation, kind, number, &defs.source);
    return !there || dun_put_trace(simulation, entry);
}

/* ---- traces ----------------------------------------------------------------------------------------------------------- */

static bool find_attribute(dunlin_simulation *simulation, const slot *field, dunlin_trace_def *def) {
    if (!field->text) return true;
    if (def->species == DUNLIN_ALL_SPECIES)
        return FAIL(simulation, field, "allowed: only with a species, whose attribute it is");
    return dun_find_attribute(simulation, field, def->species, &def->attribute);
}

int dun_trace_of(const dunlin_world *world, int field) {
    int trace = 0;
    while (trace < dunlin_world_trace_count(world) && dunlin_world_get_trace(world, trace).field != field) trace++;
    return trace;
}

bool dun_put_trace(dunlin_simulation *simulation, const slot *entry) {
    const slot *kind = dun_one_of(entry);
    if (!is_trace(kind)) return true;
    if (number_of(entry, "weight") != 1.0)
        return FAIL_FIELD(simulation, entry, "weight", "a trace has none; flow and wind have one");
    field_defs defs = defs_of(simulation, kind);
    const int only = dun_only_species(simulation);
    defs.trace.field = (int)dun_position(entry);
    defs.trace.species = only < 0 ? DUNLIN_ALL_SPECIES : only;
    return dun_bind(simulation, entry, &defs) && find_attribute(simulation, dun_field(kind, "attribute"), &defs.trace) &&
           PUT(simulation, kind, trace, dun_trace_of(simulation->world, defs.trace.field), &defs.trace);
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

/* The file has x, y[, z] of one point after another; the engine takes columns. Ids stay in a row. */
static void copy_numbers(const slot *list, unsigned axes, dunlin_path_def *def, void *memory) {
    float *columns = memory;
    uint32_t *ids = memory;
    const bool points = list->row->of == VALUE_NUMBER;
    for (uint32_t i = 0; i < list->count; i++) {
        const slot *at = dun_inside(list, i);
        if (points)
            columns[i % axes * def->count + i / axes] = (float)at->number;
        else
            ids[i] = (uint32_t)at->whole;
    }
    for (unsigned a = 0; a < axes && points; a++) def->points[a] = columns + a * def->count;
    def->agents = points ? NULL : ids;
}

bool dun_add_path(dunlin_simulation *simulation, const slot *entry) {
    const slot *list = dun_one_of(entry);
    const unsigned axes = list->row->of == VALUE_NUMBER ? dun_axes(simulation) : 1;
    dunlin_path_def def = dunlin_path_def_default(simulation->world);
    dun_bind(simulation, entry, &def);
    def.count = list->count / axes;
    void *memory = malloc(list->count * sizeof(float));
    if (!memory) return dun_fail_at(simulation->file.name, list, DUNLIN_ERROR_MEMORY, simulation->error, "out of memory");
    copy_numbers(list, axes, &def, memory);
    const bool done =
        dun_located(simulation, entry, "path", dunlin_world_add_path(simulation->world, &def, NULL, simulation->error));
    free(memory);
    return done;
}

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

bool dun_add_obstacle(dunlin_simulation *simulation, const slot *entry) {
    const slot *places = dun_one_of(entry);
    const unsigned axes = dun_axes(simulation);
    dunlin_obstacle_def obstacle = dunlin_obstacle_def_default((dunlin_obstacle_shape)places->row->tag);
    obstacle.radius = 0.0f; /* the file's default */
    if (obstacle.shape == DUNLIN_OBSTACLE_BOX && has(entry, "radius"))
        return FAIL_FIELD(simulation, entry, "radius", "a box has none");
    if (obstacle.shape == DUNLIN_OBSTACLE_BALL && !has(entry, "radius"))
        return FAIL(simulation, entry, "a ball needs a radius");
    dun_bind(simulation, entry, &obstacle);
    for (uint32_t i = 0; i < places->count; i++)
        (i < axes ? obstacle.a : obstacle.b)[i % axes] = (float)dun_inside(places, i)->number;
    return dun_located(simulation, entry, "obstacle",
                       dunlin_world_add_obstacle(simulation->world, &obstacle, NULL, simulation->error));
}
