/* SPDX-License-Identifier: MIT */
/* Obstacles. They are added in any order, and the next frame sorts them into bins. */
#include "engine/scenery/scenery.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/base/radix.h"
#include "engine/scenery/boxes.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

enum { MAX_OBSTACLES = 1000000 };

dunlin_obstacle_def dunlin_obstacle_def_default(dunlin_obstacle_shape shape) {
    dunlin_obstacle_def def = {.cookie = DUN_COOKIE, .shape = shape, .radius = 1.0f};
    for (int a = 0; a < 3 && shape == DUNLIN_OBSTACLE_BOX; a++) def.b[a] = 1.0f;
    return def;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_obstacle_field(double value, const char *field, int axis, double min, dunlin_error *error) {
    return dun_check_axis(value, axis, &(dun_limits){field, min, 1e9, false, "world units"}, error);
}

static dunlin_result check_obstacle(const dunlin_world *world, const dunlin_obstacle_def *def, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_obstacle_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_obstacle_def", error);
    const bool ball = def->shape == DUNLIN_OBSTACLE_BALL, box = def->shape == DUNLIN_OBSTACLE_BOX;
    if (!result) result = dun_check_choice((int)def->shape, "obstacle.shape", &dun_names_of_obstacle, error);
    for (int a = 0; a < world->def.dimensions && !result; a++) {
        result = check_obstacle_field((double)def->a[a], "obstacle.a", a, -1e9, error);
        if (!result && !ball)
            result = check_obstacle_field((double)def->b[a], "obstacle.b", a, box ? (double)def->a[a] : -1e9, error);
    }
    if (result || box) return result;
    return dun_check((double)def->radius, &(dun_limits){"obstacle.radius", 0, 1e9, false, "world units"}, error);
}

static dunlin_result check_obstacle_number(const dunlin_world *world, int obstacle, dunlin_error *error) {
    return dun_check_position(obstacle, (int)world->obstacles.count, "obstacle", " obstacles", error);
}

/* ---- adding, asking, changing ----------------------------------------------------------------------------------------- */

/* Without bins the next frame sorts all obstacles again. */
static void discard_bins(dunlin_world *world) {
    dun_obstacles *all = &world->obstacles;
    dun_free(all->block);
    *all = (dun_obstacles){.count = all->count, .room = all->room, .given = all->given};
    dun_unprepare(world);
}

dunlin_result dunlin_world_add_obstacle(dunlin_world *world, const dunlin_obstacle_def *def, int *obstacle,
                                        dunlin_error *error) {
    DUN_CHANGE(world, error);
    dun_obstacles *all = &world->obstacles;
    const dunlin_result result = check_obstacle(world, def, error);
    if (result) return result;
    if (all->count == MAX_OBSTACLES)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "the world has %d obstacles already, which is the maximum", MAX_OBSTACLES);
    const dunlin_obstacle_def copy = *def; /* it may be the world's own, as dunlin_world_obstacle_view() shows it */
    if (!dun_array_reserve(world->heap, &all->given, &all->room, (uint64_t)all->count + 1, sizeof copy))
        return dun_fail_memory(error, "an obstacle");
    if (obstacle) *obstacle = (int)all->count;
    all->given[all->count++] = copy;
    discard_bins(world);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_set_obstacle(dunlin_world *world, int obstacle, const dunlin_obstacle_def *def,
                                        dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = check_obstacle_number(world, obstacle, error);
    if (!result) result = check_obstacle(world, def, error);
    if (result) return result;
    world->obstacles.given[obstacle] = *def;
    discard_bins(world);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_remove_obstacle(dunlin_world *world, int obstacle, dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result result = check_obstacle_number(world, obstacle, error);
    if (result) return result;
    dun_obstacles *all = &world->obstacles;
    dunlin_obstacle_def *gone = all->given + obstacle;
    memmove(gone, gone + 1, (--all->count - (uint32_t)obstacle) * sizeof *gone);
    discard_bins(world);
    return DUNLIN_OK;
}

int dunlin_world_obstacle_count(const dunlin_world *world) {
    return (int)world->obstacles.count;
}

dunlin_obstacle_def dunlin_world_get_obstacle(const dunlin_world *world, int obstacle) {
    return check_obstacle_number(world, obstacle, NULL) ? (dunlin_obstacle_def){0} : world->obstacles.given[obstacle];
}

dunlin_obstacle_view dunlin_world_obstacle_view(const dunlin_world *world) {
    static const dunlin_obstacle_def none;
    const dun_obstacles *all = &world->obstacles;
    return (dunlin_obstacle_view){all->count, all->count > 0 ? all->given : &none};
}

/* ---- an order that keeps obstacles near each other together ----------------------------------------------------------- */

static double middle_of(const dunlin_obstacle_def *o, int axis) {
    return o->shape == DUNLIN_OBSTACLE_BALL ? (double)o->a[axis] : 0.5 * ((double)o->a[axis] + (double)o->b[axis]);
}

/* The middle's place on a Z-order curve (G. Morton, 1966): the bits of its lattice coordinates in turn. */
static uint64_t place_on_curve(const dunlin_obstacle_def *o, int dimensions, const double min[3], const double max[3]) {
    const int bits = 63 / dimensions;
    uint64_t column[3] = {0}, code = 0;
    for (int a = 0; a < dimensions; a++)
        if (max[a] > min[a])
            column[a] = (uint64_t)((middle_of(o, a) - min[a]) / (max[a] - min[a]) * (double)(((uint64_t)1 << bits) - 1));
    for (int bit = bits - 1; bit >= 0; bit--)
        for (int a = 0; a < dimensions; a++) code = code << 1 | (column[a] >> bit & 1);
    return code;
}

static void sort_entries(const dun_obstacles *obstacles, int dimensions, dun_keyed *entries) {
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < obstacles->count; i++) {
        for (int a = 0; a < dimensions; a++) {
            min[a] = fmin(min[a], middle_of(&obstacles->given[i], a));
            max[a] = fmax(max[a], middle_of(&obstacles->given[i], a));
        }
    }
    for (uint32_t i = 0; i < obstacles->count; i++)
        entries[i] = (dun_keyed){place_on_curve(&obstacles->given[i], dimensions, min, max), i};
    dun_radix_sort(entries, entries + obstacles->count, obstacles->count);
}

/* ---- bins ------------------------------------------------------------------------------------------------------------- */

static void carve_bins(dun_obstacle_bins *bins, dun_carver *c) {
    bins->number = dun_carve(c, bins->count);
    bins->solid = dun_carve(c, bins->count);
    bins->radius = dun_carve(c, bins->count);
    bins->inverse2 = dun_carve(c, bins->count);
    for (int a = 0; a < bins->dimensions; a++) {
        bins->a[a] = dun_carve(c, bins->count);
        bins->b[a] = dun_carve(c, bins->count);
    }
    dun_boxes_carve(bins->boxes, bins->levels, bins->dimensions, c);
}

static bool allocate_bins(dun_heap *heap, dun_obstacles *obstacles, int dimensions) {
    const uint32_t count = obstacles->count;
    dun_obstacle_bins *bins = &obstacles->bins;
    *bins = (dun_obstacle_bins){.count = count, .dimensions = dimensions, .boxes = {{.count = count}}};
    bins->levels = dun_boxes_stack(bins->boxes, 1, count);
    dun_carver c = {0};
    carve_bins(bins, &c);
    obstacles->block = dun_array(heap, c.used);
    c = (dun_carver){.block = obstacles->block};
    if (obstacles->block) carve_bins(bins, &c);
    return obstacles->block;
}

static void fit_own_box(const dun_obstacle_bins *bins, uint32_t k) {
    double max_coordinate = 0.0;
    for (int a = 0; a < bins->dimensions; a++)
        max_coordinate = fmax(max_coordinate, fmax(fabs((double)bins->a[a][k]), fabs((double)bins->b[a][k])));
    const double more = (double)bins->radius[k] + DUN_OBSTACLE_SLACK * (max_coordinate + (double)bins->radius[k]);
    for (int a = 0; a < bins->dimensions; a++) {
        bins->boxes[0].min[a][k] = (float)((double)min_float(bins->a[a][k], bins->b[a][k]) - more);
        bins->boxes[0].max[a][k] = (float)((double)max_float(bins->a[a][k], bins->b[a][k]) + more);
    }
}

static void fit_obstacle(const dun_obstacle_bins *bins, uint32_t k, const dunlin_obstacle_def *o, uint32_t number) {
    float length2 = 0.0f;
    bins->number[k] = number;
    bins->solid[k] = (uint32_t)o->shape;
    bins->radius[k] = o->shape == DUNLIN_OBSTACLE_BOX ? 0.0f : o->radius;
    for (int a = 0; a < bins->dimensions; a++) {
        bins->a[a][k] = o->a[a];
        bins->b[a][k] = o->shape == DUNLIN_OBSTACLE_BALL ? o->a[a] : o->b[a];
        const float along = bins->b[a][k] - bins->a[a][k];
        length2 += along * along;
    }
    bins->inverse2[k] = length2 >= FLT_MIN ? 1.0f / length2 : 0.0f;
    fit_own_box(bins, k);
}

bool dun_obstacles_prepare(dunlin_world *world) {
    if (world->obstacles.count == world->obstacles.bins.count) return true;
    dun_obstacles made = world->obstacles;
    dun_keyed *entries = dun_allocate(world->heap, 2 * (size_t)made.count * sizeof *entries);
    const bool whole = entries && allocate_bins(world->heap, &made, world->def.dimensions);
    if (whole) {
        sort_entries(&made, made.bins.dimensions, entries);
        for (uint32_t k = 0; k < made.count; k++) fit_obstacle(&made.bins, k, &made.given[entries[k].value], entries[k].value);
        dun_boxes_fit(made.bins.boxes, made.bins.levels, made.bins.dimensions);
        world->obstacles = made;
    }
    dun_free(entries);
    return whole;
}
