/* SPDX-License-Identifier: MIT */
/* Scatter: agents at random positions, with random velocities. */
#include <math.h>
#include <stdlib.h>

#include "engine/base/check.h"
#include "engine/base/random.h"
#include "engine/world/agents.h"
#include "engine/world/species.h"

dunlin_scatter_def dunlin_scatter_def_default(const dunlin_world *world) {
    dunlin_scatter_def def = {.cookie = DUN_COOKIE, .region = DUNLIN_REGION_BOX, .max_speed = 1.0f};
    for (int a = 0; a < world->def.dimensions; a++) def.centre[a] = def.extent[a] = 0.5f * world->def.size[a];
    return def;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_axis(const dunlin_world *world, const dunlin_scatter_def *def, int a, dunlin_error *error) {
    static const dun_range any_centre = {"scatter.centre", -1e9, 1e9, false, NULL};
    static const dun_range any_extent = {"scatter.extent", 0, 1e9, false, NULL};
    static const dun_range any_velocity = {"scatter.velocity", -1e9, 1e9, false, NULL};
    const float extent = def->extent[def->region == DUNLIN_REGION_BALL ? 0 : a];
    const float from = def->centre[a] - extent, to = def->centre[a] + extent;
    dunlin_result result = dun_check_axis((double)def->centre[a], a, &any_centre, error);
    if (!result) result = dun_check_axis((double)extent, a, &any_extent, error);
    if (!result) result = dun_check_axis((double)def->velocity[a], a, &any_velocity, error);
    float min, max;
    dun_world_limits(&world->def, a, &min, &max);
    if (result || (from >= min && to <= max)) return result;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "scatter extends from %.9g to %.9g in %c: the world is from %.9g to %.9g",
                    (double)from, (double)to, "xyz"[a], (double)min, (double)max);
}

static dunlin_result check_scatter(const dunlin_world *world, const dunlin_scatter_def *def, dunlin_error *error) {
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_scatter_def", error);
    if (!result && def->region != DUNLIN_REGION_BOX && def->region != DUNLIN_REGION_BALL)
        result =
            dun_fail(error, DUNLIN_ERROR_VALUE, "scatter.region is %d: it must be one of box (0), ball (1)", (int)def->region);
    const dun_number numbers[] = {
        {(double)def->max_speed, {"scatter.max_speed", 0, 1e9, false, NULL}},
        {(double)def->min_speed, {"scatter.min_speed", 0, (double)def->max_speed, false, "(scatter.max_speed)"}}};
    if (!result) result = dun_check_numbers(numbers, 2, error);
    for (int a = 0; a < world->def.dimensions && !result; a++) result = check_axis(world, def, a, error);
    return result;
}

/* ---- drawing ---------------------------------------------------------------------------------------------------------- */

static void draw_position(const dunlin_world *world, const dunlin_scatter_def *def, uint32_t id, float x[3]) {
    const int dimensions = world->def.dimensions;
    float u[4];
    if (def->region == DUNLIN_REGION_BALL) {
        dun_random_in_ball(world->def.seed, id, DUN_DRAW_POSITION, dimensions, u);
    } else {
        dun_random(world->def.seed, id, DUN_DRAW_POSITION, 0, u);
        for (int a = 0; a < dimensions; a++) u[a] = 2.0f * u[a] - 1.0f;
    }
    for (int a = 0; a < dimensions; a++) {
        float min, max;
        dun_world_limits(&world->def, a, &min, &max);
        const float extent = def->extent[def->region == DUNLIN_REGION_BALL ? 0 : a];
        x[a] = min_float(max_float(def->centre[a] + u[a] * extent, min), max);
    }
}

static void draw_velocity(const dunlin_world *world, const dunlin_scatter_def *def, uint32_t id, float v[3]) {
    const int dimensions = world->def.dimensions;
    float u[4], length2 = 0.0f;
    dun_random_in_ball(world->def.seed, id, DUN_DRAW_HEADING, dimensions, v);
    dun_random(world->def.seed, id, DUN_DRAW_SPEED, 0, u);
    for (int a = 0; a < dimensions; a++) length2 += v[a] * v[a];
    const float speed = def->min_speed + u[0] * (def->max_speed - def->min_speed);
    const float scale = speed / sqrtf(length2);
    for (int a = 0; a < dimensions; a++) v[a] = v[a] * scale + def->velocity[a];
}

static void draw_all(const dunlin_world *world, const dunlin_scatter_def *def, float *columns) {
    const size_t count = def->count;
    const int dimensions = world->def.dimensions;
    for (uint32_t i = 0; i < def->count; i++) {
        const uint32_t id = world->next_id + i;
        float x[3], v[3];
        draw_position(world, def, id, x);
        draw_velocity(world, def, id, v);
        for (int a = 0; a < dimensions; a++) {
            columns[(size_t)a * count + i] = x[a];
            columns[(size_t)(a + dimensions) * count + i] = v[a];
        }
    }
}

dunlin_result dunlin_world_scatter(dunlin_world *world, int species, const dunlin_scatter_def *def, dunlin_error *error) {
    dunlin_result result = dun_species_check(world, species, error);
    if (!result && !def) result = dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL");
    if (!result) result = check_scatter(world, def, error);
    if (!result) result = dun_species_check_room(world, species, def->count, error);
    if (result || def->count == 0) return result;
    const size_t columns = 2 * (size_t)world->def.dimensions;
    size_t bytes;
    float *drawn = __builtin_mul_overflow(def->count, columns * sizeof *drawn, &bytes) ? NULL : malloc(bytes);
    if (!drawn) return dun_fail_memory(error, "agents to scatter");
    draw_all(world, def, drawn);
    dunlin_batch batch = {.cookie = DUN_COOKIE, .count = def->count};
    for (size_t a = 0; a < columns / 2; a++) {
        batch.position[a] = drawn + a * def->count;
        batch.velocity[a] = drawn + (a + columns / 2) * def->count;
    }
    result = dunlin_world_spawn(world, species, &batch, NULL, error);
    free(drawn);
    return result;
}
