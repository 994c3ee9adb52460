/* SPDX-License-Identifier: MIT */
/* What a scenario says of fields, paths and obstacles, as the engine takes it. */
#include "harness/scenario/builder.h"
#include "harness/scenario/grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

static const char *const source_names[DUNLIN_FIELD_KIND_COUNT] = {
    [DUNLIN_FIELD_CONSTANT] = "constant", [DUNLIN_FIELD_RANDOM] = "random",  [DUNLIN_FIELD_NOISE] = "noise",
    [DUNLIN_FIELD_SWIRL] = "swirl",       [DUNLIN_FIELD_CENTRE] = "towards", [DUNLIN_FIELD_GRADIENT] = "image",
    [DUNLIN_FIELD_VECTORS] = "csv",
};

static dunlin_result set_grid(const builder_entry *e, const scenario_field *file, dunlin_field_def *def) {
    if (file->cells && file->cells_count != e->axes) return builder_entry_fail(e, "cells", "one number a dimension is needed");
    for (unsigned a = 0; a < e->axes && file->cells; a++) {
        def->cells[a] = file->cells[a] <= 65536 ? (int)file->cells[a] : 65537; /* too many, which the engine says */
    }
    SET(def->lookup, file->lookup);
    dunlin_result result = builder_entry_set(e, "low", def->low, file->low, file->low_count);
    return result != DUNLIN_OK ? result : builder_entry_set(e, "high", def->high, file->high, file->high_count);
}

static void set_noise(const scenario_noise *file, dunlin_field_noise *noise) {
    SET(noise->scale, file->scale);
    if (file->octaves) noise->octaves = *file->octaves <= 100 ? (int)*file->octaves : 100;
    if (file->angles) noise->angle_low = file->angles[0];
    if (file->angles) noise->angle_high = file->angles[1];
    SET(noise->rate, file->rate);
    if (file->time) noise->time = (double)*file->time;
}

/* Which kind the entry is, or -1 for none or several. */
static int source_kind(const scenario_field *file) {
    int count = file->noise ? 1 : 0, kind = file->noise ? DUNLIN_FIELD_NOISE : -1;
    for (int i = 0; i < DUNLIN_FIELD_KIND_COUNT; i++) {
        if (!file->source[i]) continue;
        kind = i;
        count++;
    }
    return count == 1 ? kind : -1;
}

static dunlin_result set_source(const builder_entry *e, const scenario_source *file, dunlin_field_source *source) {
    dunlin_result result = builder_entry_set(e, "vector", source->vector, file->vector, file->vector_count);
    if (result == DUNLIN_OK) result = builder_entry_set(e, "centre", source->centre, file->centre, file->centre_count);
    if (result == DUNLIN_OK && file->axis && e->axes == 2)
        return builder_entry_fail(e, "axis", "a plane has no axis to turn around");
    return result != DUNLIN_OK ? result : builder_entry_set(e, "axis", source->axis, file->axis, file->axis_count);
}

static dunlin_result read_grid(const builder_entry *e, const char *file, const dunlin_field_view *view, scenario_grid *grid,
                               dunlin_field_source *source) {
    char problem[SCENARIO_PROBLEM_LENGTH];
    const bool picture = source->kind == DUNLIN_FIELD_GRADIENT;
    const size_t most = picture ? SCENARIO_PNG_MAX_BYTES : scenario_grid_csv_most(view);
    scenario_input input;
    bool done = scenario_input_read(e->build->script, file, e->build->options->allow_outside, most, &input, problem);
    if (done)
        done = picture ? scenario_grid_png_bytes(file, input.bytes, input.length, view, grid, problem)
                       : scenario_grid_csv_text(file, input.bytes, input.length, view, grid, problem);
    scenario_input_free(&input);
    if (!done) return builder_entry_fail(e, "file", problem);
    source->values = grid->columns[0];
    for (unsigned a = 0; a < e->axes; a++) source->vectors[a] = grid->columns[a];
    return DUNLIN_OK;
}

static dunlin_result fill_field(builder_entry *e, const scenario_field *file, int kind, int field) {
    dunlin_field_source source = dunlin_field_source_default(e->build->world, (dunlin_field_kind)kind);
    SET(source.weight, file->weight);
    SET(source.seed, file->seed);
    builder_enter(e, source_names[kind]);
    scenario_grid grid = {0};
    dunlin_result result = DUNLIN_OK;
    if (kind == DUNLIN_FIELD_NOISE) {
        set_noise(file->noise, &source.noise);
    } else {
        result = set_source(e, file->source[kind], &source);
        const dunlin_field_view view = dunlin_world_field_view(e->build->world, field);
        bool from_file = kind == DUNLIN_FIELD_GRADIENT || kind == DUNLIN_FIELD_VECTORS;
        if (result == DUNLIN_OK && from_file) result = read_grid(e, file->source[kind]->file, &view, &grid, &source);
    }
    if (result == DUNLIN_OK)
        result = builder_entry_locate(e, dunlin_world_fill_field(e->build->world, field, &source, e->build->error), "source");
    scenario_grid_free(&grid);
    return result;
}

static uint64_t count_cells(const int cells[3]) {
    return (uint64_t)cells[0] * (uint64_t)cells[1] * (uint64_t)cells[2];
}

static dunlin_result check_cells(const builder_entry *e, const dunlin_field_def *def) {
    uint64_t cells = count_cells(def->cells);
    const uint64_t *most = e->build->options->max_cells;
    for (int i = 0; i < dunlin_world_field_count(e->build->world); i++) {
        const dunlin_field_view other = dunlin_world_field_view(e->build->world, i);
        cells += count_cells(other.cells);
    }
    if (!most || cells <= *most) return DUNLIN_OK;
    char problem[120];
    snprintf(problem, sizeof problem, "with it the fields have %" PRIu64 " cells; the caller allows %" PRIu64, cells, *most);
    return builder_entry_fail(e, "cells", problem);
}

static dunlin_result add_field(const builder_entry *e, const scenario_field *file) {
    dunlin_field_def def = dunlin_field_def_default(e->build->world);
    dunlin_result result = set_grid(e, file, &def);
    if (result == DUNLIN_OK) result = check_cells(e, &def);
    if (result != DUNLIN_OK) return result;
    return builder_entry_locate(e, dunlin_world_add_field(e->build->world, &def, NULL, e->build->error), "field");
}

dunlin_result builder_put_field(const builder *build, unsigned position) {
    const scenario_field *file = &build->script->file->fields[position];
    builder_entry e = builder_entry_at(build, "fields", position);
    const int kind = source_kind(file);
    if (kind < 0) return builder_entry_fail(&e, "", "it needs one of constant, random, noise, swirl, towards, image, csv");
    bool there = (int)position < dunlin_world_field_count(build->world);
    dunlin_result result = there ? DUNLIN_OK : add_field(&e, file);
    return result != DUNLIN_OK ? result : fill_field(&e, file, kind, (int)position);
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

/* The file has x, y[, z] of one point after another; the engine takes columns. */
static dunlin_result add_points(const builder_entry *e, const scenario_polyline *file, dunlin_path_def *def) {
    if (file->points_count % e->axes != 0)
        return builder_entry_fail(e, "points", "the list must have one number a dimension for each point");
    def->count = file->points_count / e->axes;
    float *columns = malloc(file->points_count * sizeof *columns);
    if (!columns) return builder_entry_fail(e, "points", "out of memory");
    for (unsigned i = 0; i < file->points_count; i++) {
        columns[i % e->axes * def->count + i / e->axes] = file->points[i];
    }
    for (unsigned a = 0; a < e->axes; a++) def->points[a] = columns + a * def->count;
    dunlin_result result = builder_entry_locate(e, dunlin_world_add_path(e->build->world, def, NULL, e->build->error), "path");
    free(columns);
    return result;
}

static dunlin_result add_path(const builder *build, unsigned position) {
    const scenario_polyline *file = &build->script->file->paths[position];
    builder_entry e = builder_entry_at(build, "paths", position);
    if (!!file->points == !!file->agents) return builder_entry_fail(&e, "", "it needs points or agents, one of them");
    dunlin_path_def def = dunlin_path_def_default(build->world);
    SET(def.closed, file->closed);
    if (file->points) return add_points(&e, file, &def);
    def.agents = file->agents;
    def.count = file->agents_count;
    return builder_entry_locate(&e, dunlin_world_add_path(build->world, &def, NULL, build->error), "path");
}

dunlin_result builder_add_paths(const builder *build) {
    dunlin_result result = DUNLIN_OK;
    for (unsigned i = 0; i < build->script->file->paths_count && result == DUNLIN_OK; i++) result = add_path(build, i);
    return result;
}

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

/* `count` numbers where there should be `points` places. */
static dunlin_result set_places(const builder_entry *e, const char *field, const float *values, unsigned count, unsigned points,
                                dunlin_obstacle *obstacle) {
    if (count != points * e->axes)
        return builder_entry_fail(e, field, points == 1 ? "it needs one number a dimension" : "it needs two places");
    for (unsigned a = 0; a < e->axes; a++) {
        obstacle->a[a] = values[a];
        if (points == 2) obstacle->b[a] = values[e->axes + a];
    }
    return DUNLIN_OK;
}

static dunlin_result add_obstacle(const builder *build, unsigned position) {
    const scenario_obstacle *file = &build->script->file->obstacles[position];
    builder_entry e = builder_entry_at(build, "obstacles", position);
    if (!!file->ball + !!file->box + !!file->capsule != 1)
        return builder_entry_fail(&e, "", "it needs one of ball, box, capsule");
    if (file->box && file->radius) return builder_entry_fail(&e, "radius", "a box has none");
    if (file->ball && !file->radius) return builder_entry_fail(&e, "", "a ball needs a radius");
    dunlin_obstacle obstacle = {.shape = DUNLIN_OBSTACLE_BALL};
    SET(obstacle.radius, file->radius);
    dunlin_result result;
    if (file->ball) {
        result = set_places(&e, "ball", file->ball, file->ball_count, 1, &obstacle);
    } else if (file->box) {
        obstacle.shape = DUNLIN_OBSTACLE_BOX;
        result = set_places(&e, "box", file->box, file->box_count, 2, &obstacle);
    } else {
        obstacle.shape = DUNLIN_OBSTACLE_CAPSULE;
        result = set_places(&e, "capsule", file->capsule, file->capsule_count, 2, &obstacle);
    }
    if (result != DUNLIN_OK) return result;
    return builder_entry_locate(&e, dunlin_world_add_obstacles(build->world, &obstacle, 1, NULL, build->error), "obstacle");
}

dunlin_result builder_add_obstacles(const builder *build) {
    dunlin_result result = DUNLIN_OK;
    for (unsigned i = 0; i < build->script->file->obstacles_count && result == DUNLIN_OK; i++) result = add_obstacle(build, i);
    return result;
}
