/* SPDX-License-Identifier: MIT */
/* Scatter: agents at random positions, with random velocities. */
#include <math.h>

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/base/entry.h"
#include "engine/base/random.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/ids.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

dunlin_scatter_def dunlin_scatter_def_default(const dunlin_world *world) {
    DUN_OWN_FLOATS();
    dunlin_scatter_def def = {.cookie = DUN_COOKIE, .region = DUNLIN_REGION_BOX, .max_speed = 1.0f};
    for (int a = 0; a < world->def.dimensions; a++) def.centre[a] = def.extent[a] = 0.5f * world->def.size[a];
    return def;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_scatter_axis(const dunlin_world *world, const dunlin_scatter_def *def, int a, dunlin_error *error) {
    static const dun_limits any_centre = {"scatter.centre", -1e9, 1e9, false, NULL};
    static const dun_limits any_extent = {"scatter.extent", 0, 1e9, false, NULL};
    static const dun_limits any_velocity = {"scatter.velocity", -1e9, 1e9, false, NULL};
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

static dunlin_result check_scatter(const dunlin_world *world, int species, const dunlin_scatter_def *def, dunlin_error *error) {
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_scatter_def", error);
    if (!result) result = dun_check_choice((int)def->region, "scatter.region", &dun_names_of_region, error);
    const dun_number numbers[] = {
        {(double)def->max_speed, {"scatter.max_speed", 0, 1e9, false, NULL}},
        {(double)def->min_speed, {"scatter.min_speed", 0, (double)def->max_speed, false, "(scatter.max_speed)"}},
        {(double)def->group_radius, {"scatter.group_radius", 0, 1e9, false, "world units"}}};
    if (!result) result = dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
    if (!result && def->group_radius > 0.0f && dun_attribute_of_role(world->species[species], DUNLIN_ROLE_GROUP) < 0)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "scatter.group_radius is %g: the species has no attribute of role group",
                          (double)def->group_radius);
    for (int a = 0; a < world->def.dimensions && !result; a++) result = check_scatter_axis(world, def, a, error);
    return result;
}

/* ---- drawing ---------------------------------------------------------------------------------------------------------- */

/* Whose numbers are drawn, and for what: an agent's or a group's. */
typedef struct lot {
    uint32_t number;
    dun_purpose position, heading, speed;
} lot;

static float extent_of(const dunlin_scatter_def *def, int axis) {
    return max_float(def->extent[def->region == DUNLIN_REGION_BALL ? 0 : axis] - def->group_radius, 0.0f);
}

static void draw_position(const dunlin_world *world, const dunlin_scatter_def *def, const lot *of, float x[3]) {
    const int dimensions = world->def.dimensions;
    float u[4];
    if (def->region == DUNLIN_REGION_BALL) {
        dun_random_in_ball(world->def.seed, of->number, of->position, dimensions, u);
    } else {
        dun_random(world->def.seed, of->number, of->position, 0, u);
        for (int a = 0; a < dimensions; a++) u[a] = 2.0f * u[a] - 1.0f;
    }
    for (int a = 0; a < dimensions; a++) x[a] = def->centre[a] + u[a] * extent_of(def, a);
}

static void draw_velocity(const dunlin_world *world, const dunlin_scatter_def *def, const lot *of, float v[3]) {
    const int dimensions = world->def.dimensions;
    float u[4], length2 = 0.0f;
    dun_random_in_ball(world->def.seed, of->number, of->heading, dimensions, v);
    dun_random(world->def.seed, of->number, of->speed, 0, u);
    for (int a = 0; a < dimensions; a++) length2 += v[a] * v[a];
    const float speed = def->min_speed + u[0] * (def->max_speed - def->min_speed);
    const float scale = speed / sqrtf(length2);
    for (int a = 0; a < dimensions; a++) v[a] = v[a] * scale + def->velocity[a];
}

/* The agent's place around its group's. */
static void draw_in_group(const dunlin_world *world, const dunlin_scatter_def *def, uint32_t id, float x[3]) {
    float u[3];
    dun_random_in_ball(world->def.seed, id, DUN_DRAW_POSITION, world->def.dimensions, u);
    for (int a = 0; a < world->def.dimensions; a++) x[a] += u[a] * def->group_radius;
}

/* `group`: the attribute that says which group an agent is in; below 0: agents are drawn one by one. */
static void draw_agent(const dunlin_world *world, int species, const dunlin_scatter_def *def, int group, uint32_t id,
                       float x[3], float v[3]) {
    lot of = {id, DUN_DRAW_POSITION, DUN_DRAW_HEADING, DUN_DRAW_SPEED};
    if (group >= 0)
        of = (lot){(uint32_t)dun_attribute_draw(world, species, group, id), DUN_DRAW_GROUP, DUN_DRAW_GROUP_HEADING,
                   DUN_DRAW_GROUP_SPEED};
    draw_position(world, def, &of, x);
    draw_velocity(world, def, &of, v);
    if (group >= 0) draw_in_group(world, def, id, x);
    for (int a = 0; a < world->def.dimensions; a++) {
        float min, max;
        dun_world_limits(&world->def, a, &min, &max);
        x[a] = min_float(max_float(x[a], min), max);
    }
}

/* Draws the agents from `first_id` on. */
static void draw_some(const dunlin_world *world, int species, const dunlin_scatter_def *def, uint32_t first_id, size_t count,
                      float *columns) {
    const int dimensions = world->def.dimensions;
    const int group = def->group_radius > 0.0f ? dun_attribute_of_role(world->species[species], DUNLIN_ROLE_GROUP) : -1;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = first_id + i;
        float x[3], v[3];
        draw_agent(world, species, def, group, id, x, v);
        for (int a = 0; a < dimensions; a++) {
            columns[(size_t)a * count + i] = x[a];
            columns[(size_t)(a + dimensions) * count + i] = v[a];
        }
    }
}

/* All that can fail. */
static dunlin_result prepare_scatter(dunlin_world *world, int species, const dunlin_scatter_def *def, dunlin_error *error) {
    dunlin_result result = dun_species_check(world, species, error);
    if (!result && !def)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_scatter_def_default()");
    if (!result) result = check_scatter(world, species, def, error);
    if (!result) result = dun_species_check_room(world, species, def->count, error);
    if (!result) result = dun_ids_check(world, def->count, error);
    return result ? result : dun_species_make_room_for_share(world, species, def->count, error);
}

static dunlin_result draw(const dunlin_world *world, int species, const dunlin_scatter_def *def, dunlin_batch *share,
                          float **drawn, dunlin_error *error) {
    const size_t columns = 2 * (size_t)world->def.dimensions;
    uint64_t begin, end;
    size_t bytes;
    dun_own_share(world, def->count, &begin, &end);
    const size_t count = (size_t)(end - begin);
    *drawn = __builtin_mul_overflow(count + 1, columns * sizeof **drawn, &bytes) ? NULL : dun_allocate(world->heap, bytes);
    if (!*drawn) return dun_fail_memory(error, "agents to scatter");
    draw_some(world, species, def, world->next_id + (uint32_t)begin, count, *drawn);
    share->count = (uint32_t)count;
    for (size_t a = 0; a < columns / 2; a++) {
        share->position[a] = *drawn + a * count;
        share->velocity[a] = *drawn + (a + columns / 2) * count;
    }
    return dun_batch_check(world, share, error);
}

/* Each rank draws its share. */
dunlin_result dunlin_world_scatter(dunlin_world *world, int species, const dunlin_scatter_def *def, dunlin_error *error) {
    DUN_CHANGE(world, error);
    float *drawn = NULL;
    dunlin_batch share = {.cookie = DUN_COOKIE};
    dunlin_result result = prepare_scatter(world, species, def, error);
    if (!result && def->count) result = draw(world, species, def, &share, &drawn, error);
    result = dun_agree(world, result, error);
    if (!result && def->count) {
        uint64_t begin, end;
        dun_own_share(world, def->count, &begin, &end);
        dun_species_append_share(world, species, &share, (uint32_t)begin, world->next_id + def->count);
        dun_count_add(world, species, def->count);
    }
    dun_free(drawn);
    return result;
}
