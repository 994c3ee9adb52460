/* SPDX-License-Identifier: MIT */
/* Obstacles. They are added in any order, and the next frame sorts them into bins. */
#include "engine/scenery/obstacles.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/scenery/boxes.h"
#include "engine/world/memory.h"

enum { MAX_OBSTACLES = 1000000 };

dunlin_obstacle dunlin_obstacle_default(dunlin_obstacle_shape shape) {
    dunlin_obstacle obstacle = {.shape = shape, .radius = 1.0f};
    for (int a = 0; a < 3 && shape == DUNLIN_OBSTACLE_BOX; a++) obstacle.b[a] = 1.0f;
    return obstacle;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_field(double value, uint32_t obstacle, const char *name, double min, dunlin_error *error) {
    char field[48];
    snprintf(field, sizeof field, "obstacles[%u].%s", obstacle, name);
    return dun_check(value, &(dun_range){field, min, 1e9, false, "world units"}, error);
}

static dunlin_result check_obstacle(const dunlin_world *world, const dunlin_obstacle *o, uint32_t number, dunlin_error *error) {
    static const char *const a_names[] = {"a[0]", "a[1]", "a[2]"}, *const b_names[] = {"b[0]", "b[1]", "b[2]"};
    const bool ball = o->shape == DUNLIN_OBSTACLE_BALL, box = o->shape == DUNLIN_OBSTACLE_BOX;
    if (!ball && !box && o->shape != DUNLIN_OBSTACLE_CAPSULE)
        return dun_fail(error, DUNLIN_ERROR_VALUE,
                        "obstacles[%u].shape is %d: it must be one of ball (0), box (1), capsule (2)", number, (int)o->shape);
    dunlin_result result = DUNLIN_OK;
    for (int a = 0; a < world->def.dimensions && !result; a++) {
        result = check_field((double)o->a[a], number, a_names[a], -1e9, error);
        if (!result && !ball) result = check_field((double)o->b[a], number, b_names[a], box ? (double)o->a[a] : -1e9, error);
    }
    return result || box ? result : check_field((double)o->radius, number, "radius", 0, error);
}

static dunlin_result check_obstacles(const dunlin_world *world, const dunlin_obstacle *obstacles, uint32_t count,
                                     dunlin_error *error) {
    if (!obstacles && count > 0) return dun_fail(error, DUNLIN_ERROR_VALUE, "obstacles is NULL");
    dunlin_result result = DUNLIN_OK;
    for (uint32_t i = 0; i < count && !result; i++) result = check_obstacle(world, &obstacles[i], i, error);
    return result;
}

static dunlin_result check_stretch(const dunlin_world *world, uint32_t first, uint32_t count, dunlin_error *error) {
    const uint32_t all = world->obstacles.count;
    if (first <= all && count <= all - first) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "obstacles %u to %llu: the world has %u obstacles, numbered from 0", first,
                    (unsigned long long)first + count - (count > 0), all);
}

/* ---- adding and asking ------------------------------------------------------------------------------------------------ */

/* Doubles the room, so that adding obstacles one by one stays cheap. The old array stays for the caller to free. */
static bool grow(dun_obstacles *obstacles, uint32_t count) {
    if (count <= obstacles->room) return true;
    uint32_t room = obstacles->room ? obstacles->room : 8;
    while (room < count) room *= 2;
    dunlin_obstacle *grown = malloc(room * sizeof *grown);
    if (!grown) return false;
    if (obstacles->count > 0) memcpy(grown, obstacles->given, obstacles->count * sizeof *grown);
    obstacles->given = grown;
    obstacles->room = room;
    return true;
}

/* The obstacles may be the world's own, as dunlin_world_obstacle_view() shows them. */
dunlin_result dunlin_world_add_obstacles(dunlin_world *world, const dunlin_obstacle *obstacles, uint32_t count, uint32_t *first,
                                         dunlin_error *error) {
    dun_obstacles *all = &world->obstacles;
    if (count > MAX_OBSTACLES - all->count)
        return dun_fail(error, DUNLIN_ERROR_VALUE,
                        "count is %u: the world has %u obstacles already, and it may have at most %d", count, all->count,
                        MAX_OBSTACLES);
    const dunlin_result result = check_obstacles(world, obstacles, count, error);
    if (result) return result;
    dunlin_obstacle *before = all->given;
    if (!grow(all, all->count + count)) return dun_fail_memory(error, "obstacles");
    if (first) *first = all->count;
    if (count > 0) memcpy(all->given + all->count, obstacles, count * sizeof *obstacles);
    if (all->given != before) free(before);
    all->count += count;
    world->prepared = false;
    return DUNLIN_OK;
}

/* Without bins the next frame sorts all obstacles anew. */
static void discard_bins(dunlin_world *world) {
    dun_obstacles *all = &world->obstacles;
    free(all->block);
    *all = (dun_obstacles){.count = all->count, .room = all->room, .given = all->given};
    world->prepared = false;
}

dunlin_result dunlin_world_set_obstacles(dunlin_world *world, uint32_t first, const dunlin_obstacle *obstacles, uint32_t count,
                                         dunlin_error *error) {
    dunlin_result result = check_stretch(world, first, count, error);
    if (!result) result = check_obstacles(world, obstacles, count, error);
    if (result || count == 0) return result;
    memmove(world->obstacles.given + first, obstacles, count * sizeof *obstacles);
    discard_bins(world);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_remove_obstacles(dunlin_world *world, uint32_t first, uint32_t count, dunlin_error *error) {
    const dunlin_result result = check_stretch(world, first, count, error);
    if (result || count == 0) return result;
    dun_obstacles *all = &world->obstacles;
    all->count -= count;
    memmove(all->given + first, all->given + first + count, (all->count - first) * sizeof *all->given);
    discard_bins(world);
    return DUNLIN_OK;
}

uint32_t dunlin_world_obstacle_count(const dunlin_world *world) {
    return world->obstacles.count;
}

dunlin_obstacle dunlin_world_get_obstacle(const dunlin_world *world, uint32_t obstacle) {
    return obstacle < world->obstacles.count ? world->obstacles.given[obstacle] : (dunlin_obstacle){0};
}

dunlin_obstacle_view dunlin_world_obstacle_view(const dunlin_world *world) {
    static const dunlin_obstacle none;
    const dun_obstacles *all = &world->obstacles;
    return (dunlin_obstacle_view){all->count, all->count > 0 ? all->given : &none};
}

void dun_obstacles_free(dun_obstacles *obstacles) {
    free(obstacles->given);
    free(obstacles->block);
}

size_t dun_obstacles_bytes(const dun_obstacles *obstacles) {
    const size_t block = obstacles->block ? dun_array_bytes(obstacles->words) : 0;
    return obstacles->room * sizeof *obstacles->given + block;
}

/* ---- an order that keeps obstacles near each other together ----------------------------------------------------------- */

typedef struct entry {
    uint64_t code;
    uint32_t number;
} entry;

static double middle_of(const dunlin_obstacle *o, int axis) {
    return o->shape == DUNLIN_OBSTACLE_BALL ? (double)o->a[axis] : 0.5 * ((double)o->a[axis] + (double)o->b[axis]);
}

/* The middle's place on a Z-order curve (G. Morton, 1966): the bits of its lattice coordinates in turn. */
static uint64_t place_on_curve(const dunlin_obstacle *o, int dimensions, const double min[3], const double max[3]) {
    const int bits = 63 / dimensions;
    uint64_t column[3] = {0}, code = 0;
    for (int a = 0; a < dimensions; a++)
        if (max[a] > min[a])
            column[a] = (uint64_t)((middle_of(o, a) - min[a]) / (max[a] - min[a]) * (double)(((uint64_t)1 << bits) - 1));
    for (int bit = bits - 1; bit >= 0; bit--)
        for (int a = 0; a < dimensions; a++) code = code << 1 | (column[a] >> bit & 1);
    return code;
}

static int compare_entries(const void *left, const void *right) {
    const entry *l = left, *r = right;
    if (l->code != r->code) return l->code < r->code ? -1 : 1;
    return l->number < r->number ? -1 : 1;
}

static void sort_entries(const dun_obstacles *obstacles, int dimensions, entry *entries) {
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < obstacles->count; i++) {
        for (int a = 0; a < dimensions; a++) {
            min[a] = fmin(min[a], middle_of(&obstacles->given[i], a));
            max[a] = fmax(max[a], middle_of(&obstacles->given[i], a));
        }
    }
    for (uint32_t i = 0; i < obstacles->count; i++)
        entries[i] = (entry){place_on_curve(&obstacles->given[i], dimensions, min, max), i};
    qsort(entries, obstacles->count, sizeof *entries, compare_entries);
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

static bool allocate_bins(dun_obstacle_bins *bins, uint32_t count, int dimensions, void **block, size_t *words) {
    *bins = (dun_obstacle_bins){.count = count, .dimensions = dimensions, .boxes = {{.count = count}}};
    bins->levels = dun_boxes_stack(bins->boxes, 1, count);
    dun_carver c = {0};
    carve_bins(bins, &c);
    *words = c.used;
    *block = dun_array(*words);
    c = (dun_carver){.block = *block};
    if (*block) carve_bins(bins, &c);
    return *block;
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

static void fit_obstacle(const dun_obstacle_bins *bins, uint32_t k, const dunlin_obstacle *o, uint32_t number) {
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
    dun_obstacles *obstacles = &world->obstacles;
    if (obstacles->count == obstacles->bins.count) return true;
    dun_obstacle_bins bins;
    void *block = NULL;
    size_t words;
    entry *entries = malloc(obstacles->count * sizeof *entries);
    if (!entries || !allocate_bins(&bins, obstacles->count, world->def.dimensions, &block, &words)) {
        free(entries);
        return false;
    }
    sort_entries(obstacles, bins.dimensions, entries);
    for (uint32_t k = 0; k < bins.count; k++) fit_obstacle(&bins, k, &obstacles->given[entries[k].number], entries[k].number);
    dun_boxes_fit(bins.boxes, bins.levels, bins.dimensions);
    free(entries);
    free(obstacles->block);
    obstacles->bins = bins;
    obstacles->block = block;
    obstacles->words = words;
    return true;
}
