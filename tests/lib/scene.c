/* SPDX-License-Identifier: MIT */
#include "tests/lib/scene.h"

#include <math.h>

scene scene_empty(int dimensions) {
    scene s = {.world = dunlin_world_def_default(),
               .species = dunlin_species_def_default(),
               .rules = dunlin_interaction_def_default(),
               .steps = 1};
    s.world.dimensions = dimensions;
    s.world.boundary = DUNLIN_BOUNDARY_TELEPORT;
    s.world.threads = 1;
    s.species.max_speed = 1e6f;
    s.species.max_force = 1e6f;
    return s;
}

uint32_t scene_add(scene *s, float x, float y, float z, float vx, float vy, float vz) {
    const float position[] = {x, y, z}, velocity[] = {vx, vy, vz};
    assert_true(s->agents < SCENE_AGENTS);
    for (int a = 0; a < 3; a++) {
        s->position[s->agents][a] = position[a];
        s->velocity[s->agents][a] = velocity[a];
    }
    return s->agents++;
}

uint32_t scene_rest(scene *s, float x, float y, float z) {
    return scene_add(s, x, y, z, 0, 0, 0);
}

static void switch_on(scene *s, dunlin_rule_kind rule, float radius, dunlin_response response) {
    s->rules.rules[rule].radius = radius;
    s->rules.rules[rule].response = response;
}

void scene_direct(scene *s, dunlin_rule_kind rule, float radius) {
    switch_on(s, rule, radius, DUNLIN_RESPONSE_DIRECT);
}

void scene_steer(scene *s, dunlin_rule_kind rule, float radius) {
    switch_on(s, rule, radius, DUNLIN_RESPONSE_STEER);
}

dunlin_behaviour_def *scene_behave(scene *s, dunlin_behaviour_kind kind) {
    assert_true(s->behaviours < SCENE_BEHAVIOURS);
    dunlin_world *world = world_create(&s->world);
    s->behaviour[s->behaviours] = dunlin_behaviour_def_default(world, kind);
    world_destroy(world);
    return &s->behaviour[s->behaviours++];
}

void scene_lead(scene *s, float x, float y, float z) {
    const float point[] = {x, y, z};
    assert_true(s->path_points < SCENE_PATH_POINTS);
    for (int a = 0; a < 3; a++) s->path[a][s->path_points] = point[a];
    s->path_points++;
}

dunlin_obstacle_def *scene_obstruct(scene *s, dunlin_obstacle_shape shape, float ax, float ay, float az, float bx, float by,
                                    float bz) {
    assert_true(s->obstacles < SCENE_OBSTACLES);
    s->obstacle[s->obstacles] = (dunlin_obstacle_def){.shape = shape, .a = {ax, ay, az}, .b = {bx, by, bz}};
    return &s->obstacle[s->obstacles++];
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

static bool has_rules(const scene *s) {
    bool any = false;
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) any = any || s->rules.rules[r].radius > 0.0f;
    return any;
}

static void add_path(const scene *s, dunlin_world *world) {
    dunlin_path_def def = dunlin_path_def_default(world);
    def.count = s->path_points;
    for (int a = 0; a < 3; a++) def.points[a] = s->path[a];
    def.closed = s->path_closed;
    world_add_path(world, &def);
}

static dunlin_world *run(const scene *s, world_variant variant) {
    const dunlin_world_def def = world_def_for(s->world, variant);
    dunlin_world *world = world_create(&def);
    world_add_species(world, &s->species);
    if (has_rules(s)) world_add_interaction(world, &s->rules);
    if (s->path_points) add_path(s, world);
    if (s->obstacles) world_obstruct(world, s->obstacle, s->obstacles);
    for (int b = 0; b < s->behaviours; b++) world_add_behaviour(world, &s->behaviour[b]);
    for (uint32_t i = 0; i < s->agents; i++) world_spawn(world, 0, s->position[i], s->velocity[i]);
    world_run(world, s->steps);
    return world;
}

static void compare(const char *what, world_variant variant, const float *const got[3], uint32_t slot, const double want[3],
                    int dimensions) {
    for (int a = 0; a < dimensions; a++) {
        const double value = (double)got[a][slot];
        if (fabs(value - want[a]) <= 1e-6 * fmax(1.0, fabs(want[a]))) continue;
        fail_msg("%s %c is %.9g instead of %.9g (kernel %s, index %s)", what, "xyz"[a], value, want[a], variant.kernel,
                 variant.index);
    }
}

static void expect(const scene *s, uint32_t agent, bool is_position, const double want[3]) {
    for (int v = 0; v < world_variant_count(); v++) {
        dunlin_world *world = run(s, world_variant_at(v));
        const dunlin_view view = dunlin_world_view(world, 0);
        const uint32_t slot = dunlin_world_find_agent(world, agent).index;
        compare(is_position ? "position" : "velocity", world_variant_at(v), is_position ? view.position : view.velocity, slot,
                want, s->world.dimensions);
        world_destroy(world);
    }
}

void scene_expect_position(const scene *s, uint32_t agent, double x, double y, double z) {
    expect(s, agent, true, (const double[]){x, y, z});
}

void scene_expect_velocity(const scene *s, uint32_t agent, double vx, double vy, double vz) {
    expect(s, agent, false, (const double[]){vx, vy, vz});
}
