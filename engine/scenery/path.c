/* SPDX-License-Identifier: MIT */
/* Paths: polylines through points or agents, with boxes around stretches of their segments. */
#include "engine/scenery/scenery.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/scenery/boxes.h"
#include "engine/world/list.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

enum {
    MAX_POINTS = 1000000,
    MAX_WITHOUT_BOXES = 16, /* segments: visiting so few is faster than finding the near ones */
    FEW_AGENTS = 8          /* ids: searching for so few one by one is faster than one pass over all agents */
};
static const float max_coordinate = 1e9f; /* world units */

/* ---- ids: the points that an agent is --------------------------------------------------------------------------------- */

/* Open addressing, at most half full. An id that several points share has one entry; `same` leads from point to point. */
static uint32_t *entry_of(const dun_path *path, uint32_t id) {
    const uint32_t mask = path->table_room - 1;
    uint32_t slot = (id * 2654435769u) >> 7 & mask;
    while (path->table[slot] && path->agents[path->table[slot] - 1] != id) slot = (slot + 1) & mask;
    return &path->table[slot];
}

static void enter_ids(dun_path *path) {
    for (uint32_t i = 0; i < path->count; i++) {
        uint32_t *entry = entry_of(path, path->agents[i]);
        path->same[i] = *entry;
        *entry = i + 1;
    }
}

/* ---- segments and boxes ----------------------------------------------------------------------------------------------- */

static void fit_segments(const dun_polyline *line, int dimensions) {
    for (uint32_t k = 0; k < line->segments; k++) {
        float length2 = 0.0f;
        for (int a = 0; a < dimensions; a++) {
            const float along = line->point[a][k + 1] - line->point[a][k];
            line->along[a][k] = along;
            length2 += along * along;
        }
        line->inverse2[k] = length2 >= FLT_MIN ? 1.0f / length2 : 0.0f;
    }
}

/* start + along may differ from the end by rounding. Whatever a kernel computes from a segment lies between the three. */
static void fit_bottom_boxes(const dun_polyline *line, int dimensions) {
    const dun_boxes *boxes = &line->boxes[0];
    for (int a = 0; a < dimensions && line->levels > 0; a++) {
        const float *point = line->point[a], *along = line->along[a];
        for (uint32_t b = 0; b < boxes->count; b++) {
            const uint32_t begin = b * DUN_BOX_FAN, end = min_u32(begin + DUN_BOX_FAN, line->segments);
            float min = point[begin], max = min;
            for (uint32_t k = begin; k < end; k++) {
                const float reached = point[k] + along[k];
                min = min_float(min_float(min, point[k + 1]), reached);
                max = max_float(max_float(max, point[k + 1]), reached);
            }
            boxes->min[a][b] = min;
            boxes->max[a][b] = max;
        }
    }
}

static void fit(dun_path *path, int dimensions) {
    const dun_polyline *line = &path->line;
    for (int a = 0; a < dimensions; a++)
        if (line->closed) line->point[a][path->count] = line->point[a][0];
    fit_segments(line, dimensions);
    fit_bottom_boxes(line, dimensions);
    dun_boxes_fit(line->boxes, line->levels, dimensions);
}

/* ---- memory: one block ------------------------------------------------------------------------------------------------ */

static void carve_path(dun_path *path, int dimensions, bool agents, dun_carver *c) {
    dun_polyline *line = &path->line;
    for (int a = 0; a < dimensions; a++) {
        line->point[a] = dun_carve(c, (size_t)line->segments + 1);
        line->along[a] = dun_carve(c, line->segments);
    }
    dun_boxes_carve(line->boxes, line->levels, dimensions, c);
    line->inverse2 = dun_carve(c, line->segments);
    if (!agents) return;
    path->agents = dun_carve(c, path->count);
    path->same = dun_carve(c, path->count);
    path->table = dun_carve(c, path->table_room);
}

static bool path_allocate(dun_heap *heap, dun_path *path, int dimensions, const dunlin_path_def *def) {
    *path =
        (dun_path){.count = def->count, .line = {.segments = def->closed ? def->count : def->count - 1, .closed = def->closed}};
    if (path->line.segments > MAX_WITHOUT_BOXES) path->line.levels = dun_boxes_stack(path->line.boxes, 0, path->line.segments);
    if (def->agents)
        for (path->table_room = 4; path->table_room < 2 * def->count;) path->table_room *= 2;
    dun_carver c = {0};
    carve_path(path, dimensions, def->agents, &c);
    path->block = dun_array(heap, c.used);
    c = (dun_carver){.block = path->block};
    if (path->block) carve_path(path, dimensions, def->agents, &c);
    return path->block;
}

void dun_path_free(void *path) {
    dun_free(((dun_path *)path)->block);
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_points(const dunlin_world *world, const float *const points[3], uint32_t count,
                                  dunlin_error *error) {
    for (int a = 0; a < world->def.dimensions; a++) {
        if (!points[a]) return dun_fail(error, DUNLIN_ERROR_VALUE, "path.points[%d] is NULL: set it to path.count numbers", a);
        for (uint32_t i = 0; i < count; i++)
            if (!(fabsf(points[a][i]) <= max_coordinate))
                return dun_fail(error, DUNLIN_ERROR_VALUE, "path.points[%d][%u] is %g: it must be -1e+09 to 1e+09 world units",
                                a, i, (double)points[a][i]);
    }
    return DUNLIN_OK;
}

static dunlin_result check_path(const dunlin_world *world, const dunlin_path_def *def, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_path_def_default()");
    const dun_limits any_count = {"path.count", 2, MAX_POINTS, false, "points"};
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_path_def", error);
    if (!result && def->count == 0 && !def->points[0] && !def->agents)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "path has no points: set path.count and path.points, or path.agents");
    if (!result) result = dun_check(def->count, &any_count, error);
    if (!result && !def->agents) result = check_points(world, def->points, def->count, error);
    return result;
}

/* ---- adding, asking, changing ----------------------------------------------------------------------------------------- */

dunlin_path_def dunlin_path_def_default(const dunlin_world *world) {
    DUN_OWN_FLOATS();
    (void)world;
    return (dunlin_path_def){.cookie = DUN_COOKIE};
}

static void take_points(const dunlin_world *world, dun_path *path, const float *const points[3]) {
    for (int a = 0; a < world->def.dimensions; a++) memmove(path->line.point[a], points[a], path->count * sizeof(float));
    fit(path, world->def.dimensions);
}

static bool make_path(const dunlin_world *world, const dunlin_path_def *def, dun_path *made) {
    if (!path_allocate(world->heap, made, world->def.dimensions, def)) return false;
    if (def->agents) {
        memcpy(made->agents, def->agents, def->count * sizeof *made->agents);
        enter_ids(made);
    } else {
        take_points(world, made, def->points);
    }
    return true;
}

dunlin_result dunlin_world_add_path(dunlin_world *world, const dunlin_path_def *def, int *path, dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result result = check_path(world, def, error);
    if (result) return result;
    dun_path made;
    if (!make_path(world, def, &made)) return dun_fail_memory(error, "a path");
    const dunlin_result added = dun_list_add(world, DUN_LIST_PATHS, &made, path, error);
    if (added) dun_path_free(&made);
    return added;
}

int dunlin_world_path_count(const dunlin_world *world) {
    return world->path_count;
}

dunlin_path_def dunlin_world_get_path(const dunlin_world *world, int number) {
    if (dun_list_check(world, DUN_LIST_PATHS, number, NULL, NULL)) return (dunlin_path_def){0};
    const dun_path *path = &world->paths[number];
    dunlin_path_def def = {.cookie = DUN_COOKIE, .count = path->count, .agents = path->agents, .closed = path->line.closed};
    for (int a = 0; a < world->def.dimensions; a++) def.points[a] = path->line.point[a];
    return def;
}

/* The definition's arrays may be the path's own, as dunlin_world_get_path() gives them. */
dunlin_result dunlin_world_set_path(dunlin_world *world, int number, const dunlin_path_def *def, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_list_check(world, DUN_LIST_PATHS, number, NULL, error);
    if (!result) result = check_path(world, def, error);
    if (result) return result;
    dun_path made;
    if (!make_path(world, def, &made)) return dun_fail_memory(error, "a path");
    dun_path_free(&world->paths[number]);
    world->paths[number] = made;
    return DUNLIN_OK;
}

dunlin_result dunlin_world_move_path(dunlin_world *world, int number, const float *const points[3], dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_list_check(world, DUN_LIST_PATHS, number, NULL, error);
    if (result) return result;
    dun_path *path = &world->paths[number];
    if (path->agents)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "path is %d: its points are agents, so they cannot be moved", number);
    if (!points) return dun_fail(error, DUNLIN_ERROR_VALUE, "points is NULL: it must point at the new points");
    result = check_points(world, points, path->count, error);
    if (!result) take_points(world, path, points);
    return result;
}

dunlin_result dunlin_world_remove_path(dunlin_world *world, int path, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return dun_list_remove(world, DUN_LIST_PATHS, path, dun_path_free, error);
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

/* In an open world agents may be further out than points of paths may. */
static float clamp_point(float x) {
    return max_float(min_float(x, max_coordinate), -max_coordinate);
}

static void take_agent(dun_path *path, uint32_t point, const dun_agents *from, uint32_t slot, int dimensions) {
    for (int a = 0; a < dimensions; a++) path->line.point[a][point] = clamp_point(from->position[a][slot]);
}

static bool take_named(dun_path *path, const dun_named *named, int dimensions) {
    bool all = true;
    for (uint32_t i = 0; i < path->count; i++) {
        float place[3];
        all = all && dun_named_take(&named[i], dimensions, place, NULL);
        for (int a = 0; a < dimensions && all; a++) path->line.point[a][i] = clamp_point(place[a]);
    }
    return all;
}

static bool find_one_by_one(const dun_frame *f, dun_path *path) {
    for (uint32_t i = 0; i < path->count; i++) {
        const dunlin_slot at = dun_frame_find(f, path->agents[i]);
        if (at.species < 0) return false;
        take_agent(path, i, f->snapshot[at.species], at.index, f->world->def.dimensions);
    }
    return true;
}

static bool find_in_one_pass(const dun_frame *f, dun_path *path) {
    uint32_t left = path->count;
    for (int s = 0; s < f->world->species_count; s++) {
        for (uint32_t slot = 0; slot < f->world->species[s]->count && left > 0; slot++) {
            for (uint32_t entry = *entry_of(path, f->snapshot[s]->id[slot]); entry; entry = path->same[entry - 1], left--)
                take_agent(path, entry - 1, f->snapshot[s], slot, f->world->def.dimensions);
        }
    }
    return left == 0;
}

static bool find_path_points(const dun_frame *f, dun_path *path, const dun_named *named) {
    if (named) return take_named(path, named, f->world->def.dimensions);
    return path->count <= FEW_AGENTS ? find_one_by_one(f, path) : find_in_one_pass(f, path);
}

void dun_paths_prepare(dun_frame *f) {
    const dun_named *named = f->named ? f->named + f->world->behaviour_count : NULL;
    for (int p = 0; p < f->world->path_count; p++) {
        dun_path *path = &f->world->paths[p];
        f->memory->path_is_whole[p] = true;
        if (!path->agents) continue;
        f->memory->path_is_whole[p] = find_path_points(f, path, named);
        if (named) named += path->count;
        if (f->memory->path_is_whole[p]) fit(path, f->world->def.dimensions);
    }
}
