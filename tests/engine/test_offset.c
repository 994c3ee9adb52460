/* SPDX-License-Identifier: MIT */
/* dunlin_world_offset() has the oracle's bits and those of every kernel, in random worlds. */
#include "tests/lib/oracle.h"
#include "tests/lib/worlds.h"

enum { WORLDS = 200, PLACES = 40, BOUNDARIES = DUNLIN_BOUNDARY_OPEN + 1 };

static dunlin_world_def random_world(test_random *random) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + (int)test_below(random, 2)});
    def.boundary = (dunlin_boundary)test_below(random, BOUNDARIES);
    for (int a = 0; a < 3 && test_below(random, 2); a++)
        def.axis_boundary[a] = (dunlin_boundary)test_below(random, DUNLIN_BOUNDARY_SAME + 1);
    for (int a = 0; a < 3; a++) def.size[a] = test_uniform(random, 1e-3f, test_below(random, 2) ? 1.0f : 1e4f);
    def.integrator = DUNLIN_INTEGRATOR_EXPLICIT;
    return def;
}

/* Often on an edge, or half the size from another one. */
static float random_coordinate(test_random *random, float size) {
    switch (test_below(random, 6)) {
    case 0:
        return 0.0f;
    case 1:
        return 0.5f * size;
    case 2:
        return test_nudge(random, 0.5f * size, 3);
    case 3:
        return test_nudge(random, 0.75f * size, 1);
    case 4:
        return 0.25f * size;
    default:
        return 0.999f * test_uniform(random, 0.0f, size);
    }
}

static oracle_scene scene_of(const dunlin_world_def *def, const float *to) {
    oracle_scene scene = {.dimensions = def->dimensions, .periodic = true, .count = 1};
    for (int a = 0; a < 3; a++) {
        scene.walled |= (uint32_t)!world_repeats(def, a) << a;
        scene.size[a] = def->size[a];
        scene.position[a] = to + a;
    }
    return scene;
}

TEST_EACH(offsets_are_the_oracles, w, 0, WORLDS) {
    static test_random random = {4712};
    const dunlin_world_def def = random_world(&random);
    dunlin_world *world = world_create(&def);
    for (int p = 0; p < PLACES; p++) {
        float from[3], to[3], want[3] = {0}, got[3] = {-1, -1, -1}, back[3];
        for (int a = 0; a < 3; a++) from[a] = random_coordinate(&random, def.size[a]);
        for (int a = 0; a < 3; a++) to[a] = random_coordinate(&random, def.size[a]);
        const oracle_scene scene = scene_of(&def, to);
        oracle_offset(&scene, from, 0, want);
        dunlin_world_offset(world, from, to, got);
        dunlin_world_offset(world, to, from, back);
        for (int a = 0; a < 3; a++) {
            assert_true(want[a] == got[a] && got[a] == -back[a]);
            if (got[a] != 0.0f) assert_memory_equal(&want[a], &got[a], sizeof want[a]);
        }
    }
}

/* An agent at rest that is attracted by the only other one: after a step its velocity is the offset. */
static void expect_of_kernel(const dunlin_world_def *def, const float from[3], const float to[3]) {
    static const float rest[3];
    dunlin_world *world = world_create(def);
    world_add_fliers(world, "agents", 1e9f);
    dunlin_interaction_def cohesion = world_interaction(0, 0);
    cohesion.rules[DUNLIN_RULE_COHESION].radius = 1e6f;
    cohesion.rules[DUNLIN_RULE_COHESION].response = DUNLIN_RESPONSE_DIRECT;
    world_add_interaction(world, &cohesion);
    const uint32_t id = world_spawn(world, 0, from, rest);
    world_spawn(world, 0, to, rest);
    float want[3];
    dunlin_world_offset(world, from, to, want);
    world_run(world, 1);
    const dunlin_view view = dunlin_world_view(world, 0);
    const uint32_t slot = dunlin_world_find_agent(world, id).index;
    for (int a = 0; a < def->dimensions; a++)
        if (view.velocity[a][slot] != want[a])
            fail_msg("%s, %s: axis %d, %a to %a: %a and not %a", def->kernel, def->index, a, (double)from[a], (double)to[a],
                     (double)view.velocity[a][slot], (double)want[a]);
    world_destroy(world);
}

TEST_EACH(kernels_have_the_same_offsets, w, 0, WORLDS / 2) {
    static test_random random = {4713};
    const dunlin_world_def def = random_world(&random);
    float from[3], to[3];
    for (int a = 0; a < 3; a++) from[a] = random_coordinate(&random, def.size[a]);
    for (int a = 0; a < 3; a++) to[a] = random_coordinate(&random, def.size[a]);
    for (int v = 0; v < world_variant_count(); v++) {
        const dunlin_world_def variant = world_def_for(def, world_variant_at(v));
        expect_of_kernel(&variant, from, to);
    }
}
