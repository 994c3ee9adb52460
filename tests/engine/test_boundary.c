/* SPDX-License-Identifier: MIT */
/* The world's edge: how agents cross it, and what they see across it. */
#include "tests/lib/scene.h"

static const dunlin_boundary boundaries[] = {DUNLIN_BOUNDARY_PERIODIC, DUNLIN_BOUNDARY_TELEPORT, DUNLIN_BOUNDARY_REFLECT,
                                             DUNLIN_BOUNDARY_OPEN};
enum { BOUNDARIES = 4 };

/* One agent that moves freely in a world 100 wide and 50 high. */
static scene simulation(dunlin_boundary boundary, float x, float y, float vx, float vy) {
    scene s = scene_empty(2);
    s.world.boundary = boundary;
    s.world.size[1] = 50;
    scene_add(&s, x, y, 0, vx, vy, 0);
    return s;
}

/* ---- crossing ---------------------------------------------------------------------------------------------------------- */

typedef struct crossing {
    dunlin_boundary boundary;
    float margin;
    bool keeps_overshoot;
    float x, y, vx, vy;
    int steps;
    double to_x, to_y;
    bool turns_x, turns_y;
} crossing;

/* test_kernels_oracle.c has all that may happen at an edge: this is how worlds ask for it. */
static const crossing crossings[] = {
    {DUNLIN_BOUNDARY_PERIODIC, 0, false, 98, 1, 5, -3, 1, 3, 48, false, false},
    {DUNLIN_BOUNDARY_PERIODIC, 0, false, 95, 45, 5, 5, 1, 0, 0, false, false},          /* the far edge is the near one */
    {DUNLIN_BOUNDARY_PERIODIC, 0, false, 50, 25, 1000, -1000, 1, 100, 0, false, false}, /* further than a world */
    {DUNLIN_BOUNDARY_TELEPORT, 0, false, 98, 1, 5, -3, 1, 0, 50, false, false},
    {DUNLIN_BOUNDARY_TELEPORT, 0, false, 95, 5, 5, -5, 1, 100, 0, false, false}, /* on the edge is not beyond it */
    {DUNLIN_BOUNDARY_TELEPORT, 3, false, 98, 1, 5, -3, 1, 103, -2, false, false},
    {DUNLIN_BOUNDARY_TELEPORT, 3, false, 98, 1, 5, -3, 2, -3, 53, false, false},
    {DUNLIN_BOUNDARY_TELEPORT, 0, true, 98, 1, 5, -3, 1, 3, 48, false, false},
    {DUNLIN_BOUNDARY_REFLECT, 0, false, 98, 1, 5, -3, 1, 97, 2, true, true},
    {DUNLIN_BOUNDARY_REFLECT, 0, false, 50, 25, 1000, 0, 1, 0, 25, true, false},
    {DUNLIN_BOUNDARY_REFLECT, 0, false, 95, 5, 5, -5, 1, 100, 0, false, false},
    {DUNLIN_BOUNDARY_OPEN, 0, false, 98, 1, 5, -3, 4, 118, -11, false, false},
};

TEST(agents_cross_the_edge) {
    for (size_t i = 0; i < sizeof crossings / sizeof *crossings; i++) {
        const crossing *c = &crossings[i];
        scene s = simulation(c->boundary, c->x, c->y, c->vx, c->vy);
        s.world.margin = c->margin;
        s.world.keep_overshoot = c->keeps_overshoot;
        s.steps = c->steps;
        scene_expect_position(&s, 0, c->to_x, c->to_y, 0);
        scene_expect_velocity(&s, 0, (double)(c->turns_x ? -c->vx : c->vx), (double)(c->turns_y ? -c->vy : c->vy), 0);
    }
}

/* The boundary is applied at the start of the step, before agents observe each other and before they move. */
TEST(boundary_first) {
    scene s = simulation(DUNLIN_BOUNDARY_TELEPORT, 98, 1, 5, -3);
    s.world.boundary_first = true;
    scene_expect_position(&s, 0, 103, -2, 0);
    s.steps = 2;
    scene_expect_position(&s, 0, 5, 47, 0);
    s.world.boundary = DUNLIN_BOUNDARY_REFLECT;
    scene_expect_position(&s, 0, 92, 5, 0);
    scene_expect_velocity(&s, 0, -5, 3, 0);
}

TEST(others_see_the_agent_after_the_boundary) {
    scene s = scene_empty(2);
    s.world.boundary_first = true;
    scene_rest(&s, 1, 50, 0);
    scene_rest(&s, 104, 50, 0); /* teleported to 0 before the others observe it */
    scene_direct(&s, DUNLIN_RULE_COHESION, 5);
    scene_expect_velocity(&s, 0, -1, 0, 0);
    scene_expect_velocity(&s, 1, 1, 0, 0);
    scene_expect_position(&s, 1, 1, 50, 0);
}

/* Agents stay in a bounded world at any speed. Metrics and spawning agree with the frame about its edge. */
TEST_EACH(no_agent_leaves_a_bounded_world, b, 0, BOUNDARIES - 1) {
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        dunlin_world_def def = world_def_with((world_parts){.boundary = boundaries[b], .dimensions = dimensions});
        def.margin = def.boundary == DUNLIN_BOUNDARY_TELEPORT ? 2 : 0;
        dunlin_world *world = world_of(&def, 5, 300);
        for (int i = 0; i < 60; i++) {
            dunlin_metrics metrics;
            world_run(world, 1);
            ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
            assert_int_equal(metrics.outside, 0);
        }
        world_destroy(world);
    }
}

/* ---- the far edge of a periodic world is the near one ------------------------------------------------------------------- */

enum { EDGE_WORLDS = 40, EDGE_STEPS = 6, EDGE_AGENTS = 40, CELLS = 0, BODIES = 1 };

/* Mostly at an edge, or the next numbers to it. */
static float near_an_edge(test_random *random, float size) {
    const float at[] = {0.0f, size, size, test_uniform(random, 0, size)};
    return fmaxf(fminf(test_nudge(random, at[test_below(random, 4)], 2), size), 0.0f);
}

/* So slow that a step may round away, or as far as the world. */
static float some_velocity(test_random *random, float size) {
    const float speeds[] = {0.0f, 1e-30f, size * 0x1p-25f, size * 0x1p-24f, size};
    const float speed = speeds[test_below(random, 5)];
    return test_below(random, 2) ? speed : -speed;
}

static void put_near_edges(test_random *random, const dunlin_world_def *def, float position[3], float velocity[3]) {
    for (int a = 0; a < def->dimensions; a++) {
        position[a] = near_an_edge(random, def->size[a]);
        velocity[a] = some_velocity(random, def->size[a]);
    }
}

/* A child is where its parent was, or near an edge. */
static void bear_near_edges(void *user, const dunlin_tile *tile) {
    const dunlin_world_def *def = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        test_random random = {((uint64_t)tile->id[i] << 20) + tile->step};
        float position[3], velocity[3];
        put_near_edges(&random, def, position, velocity);
        for (int a = 0; a < def->dimensions && test_below(&random, 2); a++) position[a] = tile->position[a][i];
        if (test_below(&random, 3) == 0)
            assert_int_equal(dunlin_tile_spawn(tile, i, CELLS, position, velocity, NULL, NULL), DUNLIN_OK);
        tile->dies[i] = test_below(&random, 4) == 0;
    }
}

/* Cells in groups that have bodies, split and merge, and bear children. */
static dunlin_world *edge_world(test_random *random, dunlin_world_def *def) {
    *def = dunlin_world_def_default();
    def->dimensions = 2 + (int)test_below(random, 2);
    for (int a = 0; a < def->dimensions; a++) def->size[a] = test_uniform(random, 1, 300);
    *def = world_def_for(*def, world_variant_at((int)test_below(random, (uint32_t)world_variant_count())));
    dunlin_world *world = world_create(def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 1e3f;
    species.groups = 5;
    species.regroup.every = 2;
    species.regroup.radius = 0.1f;
    world_add_species(world, &species);
    dunlin_species_def bodies = dunlin_species_def_default();
    bodies.name = "bodies";
    bodies.body_of = CELLS;
    world_add_species(world, &bodies);
    world_add_drawn(world, CELLS, "group", DUNLIN_ROLE_GROUP, 0, 4);
    world_add_drawn(world, BODIES, "body", DUNLIN_ROLE_BODY, 0, 4);
    world_call_back(world, 0, bear_near_edges, def);
    return world;
}

static void expect_inside(const dunlin_world *world, const char *after) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count; i++)
            for (int a = 0; a < def.dimensions; a++)
                if (!(view.position[a][i] >= 0.0f && view.position[a][i] < def.size[a]))
                    fail_msg("after %s: species %d, agent %u is at %.9g in %c: the world ends before %.9g", after, s,
                             view.id[i], (double)view.position[a][i], "xyz"[a], (double)def.size[a]);
    }
}

static void enter(dunlin_world *world, test_random *random, const dunlin_world_def *def) {
    for (int i = 0; i < EDGE_AGENTS; i++) {
        float position[3], velocity[3];
        put_near_edges(random, def, position, velocity);
        world_spawn(world, CELLS, position, velocity);
    }
    expect_inside(world, "spawning");
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = EDGE_AGENTS;
    for (int a = 0; a < def->dimensions; a++) {
        scatter.extent[a] = 0; /* all at the edge */
        scatter.centre[a] = def->size[a];
    }
    ACCEPT(dunlin_world_scatter(world, CELLS, &scatter, &refusal));
    expect_inside(world, "scattering");
}

static void write_all(dunlin_world *world, test_random *random, const dunlin_world_def *def) {
    static float to[3][EDGE_AGENTS];
    uint32_t slots[EDGE_AGENTS];
    dunlin_write write = dunlin_write_default();
    const uint32_t count = dunlin_world_view(world, CELLS).count;
    write.count = count < EDGE_AGENTS ? count : EDGE_AGENTS;
    write.slots = slots;
    for (uint32_t i = 0; i < write.count; i++) slots[i] = i;
    for (int a = 0; a < def->dimensions; a++) {
        for (uint32_t i = 0; i < write.count; i++) to[a][i] = near_an_edge(random, def->size[a]);
        write.position[a] = to[a];
    }
    ACCEPT(dunlin_world_write(world, &write, &refusal));
    expect_inside(world, "writing");
}

/* The world becomes as large as its agents are far. */
static void shrink(dunlin_world *world, dunlin_world_def *def) {
    for (int a = 0; a < def->dimensions; a++) {
        float most = 0.5f;
        for (int s = 0; s < 2; s++) {
            const dunlin_view view = dunlin_world_view(world, s);
            for (uint32_t i = 0; i < view.count; i++) most = fmaxf(most, view.position[a][i]);
        }
        def->size[a] = most;
    }
    ACCEPT(dunlin_world_set_def(world, def, &refusal));
    expect_inside(world, "shrinking");
}

TEST_EACH(positions_in_periodic_worlds_are_below_the_size, w, 0, EDGE_WORLDS) {
    static test_random random = {4};
    dunlin_world_def def;
    dunlin_world *world = edge_world(&random, &def);
    enter(world, &random, &def);
    for (int step = 0; step < EDGE_STEPS; step++) {
        world_run(world, 1);
        expect_inside(world, "a step");
        if (step == 2) write_all(world, &random, &def);
        if (step == 3) shrink(world, &def);
    }
}

/* ---- seeing ------------------------------------------------------------------------------------------------------------ */

static scene across(dunlin_boundary boundary, float x0, float y0, float x1, float y1) {
    scene s = scene_empty(2);
    s.world.boundary = boundary;
    scene_rest(&s, x0, y0, 0);
    scene_rest(&s, x1, y1, 0);
    scene_direct(&s, DUNLIN_RULE_COHESION, 5);
    return s;
}

TEST_EACH(agents_see_across_the_edge_only_in_periodic_worlds, b, 0, BOUNDARIES) {
    const double seen = boundaries[b] == DUNLIN_BOUNDARY_PERIODIC;
    scene s = across(boundaries[b], 1, 50, 98, 50);
    scene_expect_velocity(&s, 0, -3 * seen, 0, 0);
    scene_expect_velocity(&s, 1, 3 * seen, 0, 0);
    s = across(boundaries[b], 50, 98, 50, 2);
    scene_expect_velocity(&s, 0, 0, 4 * seen, 0);
}

/* In a world of one or two cells an agent must still be seen once, at its nearest image. */
TEST_EACH(worlds_narrower_than_three_cells, i, 0, 4) {
    static const float sizes[] = {6, 8, 11, 16}; /* with a radius of 5: one cell to three */
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scene s = scene_empty(dimensions);
        s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
        for (int a = 0; a < 3; a++) s.world.size[a] = sizes[i];
        scene_rest(&s, 0.5f, 1, 3);
        scene_rest(&s, sizes[i] - 0.5f, 2, 3);
        scene_rest(&s, 2.5f, sizes[i] - 1, 3);
        scene_direct(&s, DUNLIN_RULE_COHESION, 5);
        scene_expect_velocity(&s, 0, 0.5 * (-1 + 2), 0.5 * (1 - 2), 0);
        scene_direct(&s, DUNLIN_RULE_SEPARATION, 5);
        s.rules.rules[DUNLIN_RULE_COHESION].radius = 0;
        scene_expect_velocity(&s, 0, 0.5 - 2.0 / 8, -0.5 + 2.0 / 8, 0);
    }
}

/*
 * Half a world away both images are equally near. Each agent of the pair takes one, in opposite directions, so momentum is
 * conserved.
 */
TEST_EACH(neighbours_half_a_world_away, v, 0, world_variant_count()) {
    dunlin_world_def def = world_def_for(scene_empty(2).world, world_variant_at(v));
    def.boundary = DUNLIN_BOUNDARY_PERIODIC;
    dunlin_world *world = world_without_agents(&def, 60);
    world_spawn(world, 0, (const float[3]){10, 50}, (const float[3]){0});
    world_spawn(world, 0, (const float[3]){60, 50}, (const float[3]){0});
    world_run(world, 1);
    assert_int_equal(dunlin_world_stats(world).pairs_useful, 2);
    const float *vx = dunlin_world_view(world, 0).velocity[0];
    assert_true(fabsf(vx[0]) > 0.0f && vx[0] == -vx[1]);
}

/* ---- far out ----------------------------------------------------------------------------------------------------------- */

enum { CLUMP = 200 };

static void spawn_clump(dunlin_world *world, float x, float y) {
    dunlin_scatter_def clump = dunlin_scatter_def_default(world);
    clump.count = CLUMP;
    clump.region = DUNLIN_REGION_BALL;
    clump.centre[0] = x;
    clump.centre[1] = y;
    clump.extent[0] = 4;
    ACCEPT(dunlin_world_scatter(world, 0, &clump, &refusal));
}

/* Those of a, which are b's too. */
static void same_agents(const dunlin_world *a, dunlin_world *b) {
    const dunlin_view va = dunlin_world_view(a, 0), vb = dunlin_world_view(b, 0);
    for (uint32_t i = 0; i < va.count; i++) {
        const dunlin_slot slot = dunlin_world_find_agent(b, va.id[i]);
        for (int axis = 0; axis < 2; axis++) {
            const float there = vb.position[axis][slot.index];
            assert_true(fabsf(va.position[axis][i] - there) <= 1e-6f * fmaxf(1.0f, fabsf(there)));
            assert_float_equal((double)va.velocity[axis][i], (double)vb.velocity[axis][slot.index], 1e-6);
        }
    }
}

/* Two clumps more than a million radii apart run as each would alone, and need no more memory than two adjacent clumps. */
TEST_EACH(clumps_a_million_radii_apart, v, 0, world_variant_count()) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    dunlin_world *both = world_without_agents(&def, 2), *alone = world_without_agents(&def, 2),
                 *close = world_without_agents(&def, 2);
    spawn_clump(both, 10, 10);
    spawn_clump(alone, 10, 10);
    spawn_clump(close, 10, 10);
    spawn_clump(both, 1.6777216e7f, -3.3554432e7f);
    spawn_clump(close, 30, 10);
    world_run(both, 5);
    world_run(alone, 5);
    world_run(close, 5);
    assert_int_equal(dunlin_world_bytes(both), dunlin_world_bytes(close));
    same_agents(alone, both);
}

/* Far out, where adjacent binary32 numbers are ten billion radii apart, agents that move side by side still see each other. */
TEST_EACH(agents_run_far_out, v, 0, world_variant_count()) {
    dunlin_world_def def = world_def_for(scene_empty(2).world, world_variant_at(v));
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    def.time_step = 1e6f;
    dunlin_world *world = world_create(&def);
    world_add_fliers(world, "agents", 1e9f);
    world_add_flocking(world, 0, 0, 2);
    for (int i = 0; i < 8; i++)
        world_spawn(world, 0, (const float[3]){50, 50}, (const float[3]){i < 4 ? 1e9f : -1e9f, i % 2 ? 1e-3f : 1e8f});
    world_run(world, 1);
    const size_t bytes = dunlin_world_bytes(world);
    world_run(world, 300);
    assert_int_equal(dunlin_world_bytes(world), bytes);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) {
        assert_true(isfinite(view.position[0][i]) && isfinite(view.position[1][i]));
        assert_true(fabsf(view.position[0][i]) > 1e17f);
    }
    assert_int_equal(dunlin_world_stats(world).pairs_useful, 8); /* four ways, two agents each, which see each other */
}

/* 1e38 is the maximum coordinate, and nothing overflows between both ends. An agent there runs on as if it were alone. */
TEST_EACH(the_ends_of_open_worlds, v, 0, world_variant_count()) {
    dunlin_world_def def = world_def_for(scene_empty(2).world, world_variant_at(v));
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    def.time_step = 1e6f;
    dunlin_world *world = world_without_agents(&def, 2);
    const float end = 1e38f;
    for (int i = 0; i < 20; i++)
        world_spawn(world, 0, (const float[3]){i % 2 ? end : -end, i % 3 ? end : -end},
                    (const float[3]){i % 2 ? 1.0f : -1.0f, 0});
    world_run(world, 3);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) {
        for (int a = 0; a < 2; a++) {
            assert_true(fabsf(view.position[a][i]) == end);
            assert_true(isfinite(view.velocity[a][i]));
        }
    }
}

/* ---- axes with boundaries of their own ----------------------------------------------------------------------------------- */

static scene channel(float x, float y, float vx, float vy) {
    scene s = simulation(DUNLIN_BOUNDARY_TELEPORT, x, y, vx, vy);
    s.world.axis_boundary[0] = DUNLIN_BOUNDARY_PERIODIC;
    s.world.axis_boundary[1] = DUNLIN_BOUNDARY_REFLECT;
    return s;
}

TEST(each_axis_has_its_boundary) {
    scene s = channel(98, 1, 5, -3);
    scene_expect_position(&s, 0, 3, 2, 0);
    scene_expect_velocity(&s, 0, 5, 3, 0);
    s.world.axis_boundary[1] = DUNLIN_BOUNDARY_SAME; /* teleport */
    scene_expect_position(&s, 0, 3, 50, 0);
    scene_expect_velocity(&s, 0, 5, -3, 0);
    s.world.margin = 4; /* of that axis alone */
    scene_expect_position(&s, 0, 3, -2, 0);
    s.world.margin = 0;
    s.world.axis_boundary[1] = DUNLIN_BOUNDARY_OPEN;
    s.steps = 10;
    scene_expect_position(&s, 0, 48, -29, 0);
}

TEST(agents_see_across_the_edges_of_periodic_axes_alone) {
    scene s = channel(1, 49, 0, 0);
    scene_rest(&s, 98, 49, 0);
    scene_rest(&s, 1, 1, 0);
    scene_direct(&s, DUNLIN_RULE_COHESION, 5);
    scene_expect_velocity(&s, 0, -3, 0, 0);
    scene_expect_velocity(&s, 1, 3, 0, 0);
    scene_expect_velocity(&s, 2, 0, 0, 0);
}

static dunlin_world_def mixed_def(test_random *random) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + (int)test_below(random, 2)});
    def.boundary = boundaries[test_below(random, BOUNDARIES)];
    for (int a = 0; a < 3; a++) {
        def.axis_boundary[a] = (dunlin_boundary)test_below(random, DUNLIN_BOUNDARY_SAME + 1);
        def.size[a] = test_uniform(random, 20, 60);
    }
    return def;
}

/* Agents that see none move along each axis as in a world that is like this axis everywhere. */
TEST_EACH(axes_do_not_depend_on_each_other, round, 0, 50) {
    static test_random random = {31};
    const dunlin_world_def def = mixed_def(&random);
    for (int a = 0; a < def.dimensions; a++) {
        dunlin_world_def like = def;
        dunlin_world *worlds[2] = {world_create(&def), NULL};
        like.boundary = dunlin_world_boundary(worlds[0], a);
        for (int b = 0; b < 3; b++) like.axis_boundary[b] = DUNLIN_BOUNDARY_SAME;
        worlds[1] = world_create(&like);
        for (int w = 0; w < 2; w++) {
            world_add_fliers(worlds[w], "agents", 9);
            dunlin_scatter_def scatter = dunlin_scatter_def_default(worlds[w]);
            scatter.count = 100;
            scatter.max_speed = 9;
            ACCEPT(dunlin_world_scatter(worlds[w], 0, &scatter, &refusal));
            world_run(worlds[w], 12);
        }
        const dunlin_view mixed = dunlin_world_view(worlds[0], 0), plain = dunlin_world_view(worlds[1], 0);
        assert_memory_equal(mixed.position[a], plain.position[a], mixed.count * sizeof(float));
        assert_memory_equal(mixed.velocity[a], plain.velocity[a], mixed.count * sizeof(float));
        for (int w = 0; w < 2; w++) world_destroy(worlds[w]);
    }
}

static dunlin_world *mixed_flock(dunlin_world_def def, const void *context) {
    (void)context;
    dunlin_world *world = world_without_agents(&def, 4);
    world_add_default(world, DUNLIN_BEHAVIOUR_WANDER);
    world_scatter(world, 0, 700);
    return world;
}

/* Lengths are whole numbers of eighths, so that sums have no rounding, and every order gives the same. */
TEST_EACH(indexes_agree_in_mixed_worlds, round, 0, 12) {
    static test_random random = {33};
    dunlin_world_def def = mixed_def(&random);
    dunlin_world *worlds[WORLD_INDEXES];
    for (int a = 0; a < 3; a++) def.size[a] = 16.0f + (float)test_below(&random, 30);
    const uint64_t seed = test_bits(&random);
    for (int i = 0; i < WORLD_INDEXES; i++) {
        static const float rest[3];
        test_random places = {seed};
        def.index = world_indexes[i];
        worlds[i] = world_create(&def);
        world_add_fliers(worlds[i], "agents", 1e9f);
        dunlin_interaction_def sum = world_interaction(0, 0);
        for (int r = DUNLIN_RULE_ALIGNMENT; r <= DUNLIN_RULE_COHESION; r++) {
            sum.rules[r].radius = r == DUNLIN_RULE_COHESION ? 5.0f : 3.0f;
            sum.rules[r].response = DUNLIN_RESPONSE_DIRECT;
        }
        world_add_interaction(worlds[i], &sum);
        for (int n = 0; n < 300; n++) {
            float at[3];
            for (int a = 0; a < 3; a++) at[a] = 0.125f * (float)test_below(&places, (uint32_t)(8 * def.size[a]));
            world_spawn(worlds[i], 0, at, rest);
        }
        world_run(worlds[i], 1);
        assert_true(dunlin_world_stats(worlds[i]).pairs_useful == dunlin_world_stats(worlds[0]).pairs_useful);
        assert_true(dunlin_world_state_hash(worlds[i]) == dunlin_world_state_hash(worlds[0]));
    }
}

TEST(mixed_worlds_have_one_state) {
    test_random random = {32};
    for (int round = 0; round < 4; round++) world_expect_one_state(mixed_def(&random), mixed_flock, NULL, 8);
}

static bool count_bytes(void *context, const void *bytes, size_t count) {
    char **to = context;
    memcpy(*to, bytes, count);
    *to += count;
    return true;
}

static bool give_bytes(void *context, void *bytes, size_t count) {
    const char **from = context;
    memcpy(bytes, *from, count);
    *from += count;
    return true;
}

/* Axes that agree are what `boundary` says, in files, too. */
TEST_EACH(mixed_worlds_are_saved, round, 0, 60) {
    static test_random random = {34};
    char saved[4096], plain_saved[4096], *end = saved, *plain_end = plain_saved;
    const char *from = saved;
    const dunlin_world_def def = mixed_def(&random);
    dunlin_world *world = world_create(&def), *read = NULL;
    dunlin_world_def plain = dunlin_world_get_def(world);
    ACCEPT(dunlin_world_save_definitions_to(world, count_bytes, &end, &refusal));
    ACCEPT(dunlin_world_create_from(NULL, give_bytes, NULL, &from, &read, &refusal));
    assert_true(dunlin_world_fingerprint(read) == dunlin_world_fingerprint(world));
    bool same = true;
    for (int a = 0; a < def.dimensions; a++) {
        assert_int_equal(dunlin_world_boundary(read, a), dunlin_world_boundary(world, a));
        same = same && dunlin_world_boundary(world, a) == dunlin_world_boundary(world, 0);
    }
    for (int a = 0; a < def.dimensions; a++) assert_true(same == (plain.axis_boundary[a] == DUNLIN_BOUNDARY_SAME));
    plain.boundary = dunlin_world_boundary(world, 0);
    for (int a = 0; a < 3; a++) plain.axis_boundary[a] = DUNLIN_BOUNDARY_SAME;
    dunlin_world *other = world_create(&plain);
    ACCEPT(dunlin_world_save_definitions_to(other, count_bytes, &plain_end, &refusal));
    assert_true(end - saved == plain_end - plain_saved);
    assert_true(same == (memcmp(saved, plain_saved, (size_t)(end - saved)) == 0));
    assert_true(same == (dunlin_world_fingerprint(other) == dunlin_world_fingerprint(world)));
    ACCEPT(dunlin_world_set_def(other, &def, &refusal));
    assert_true(dunlin_world_fingerprint(other) == dunlin_world_fingerprint(world));
    world_destroy(read);
}

TEST(groups_have_centres_in_mixed_worlds) {
    static const float first[3] = {1, 10}, second[3] = {97, 46}, rest[3];
    dunlin_world_def def = dunlin_world_def_default();
    def.axis_boundary[1] = DUNLIN_BOUNDARY_REFLECT;
    dunlin_world *world = world_create(&def);
    dunlin_species_def species = dunlin_species_def_default();
    dunlin_group_sums sums;
    species.groups = 1;
    world_add_species(world, &species);
    world_add_value(world, 0, "group", DUNLIN_ROLE_GROUP, 0);
    world_spawn(world, 0, first, rest);
    world_spawn(world, 0, second, rest);
    ACCEPT(dunlin_world_sum_groups(world, 0, &sums, &refusal));
    assert_true(fabsf(sums.centre[0][0] - 99) < 1e-4f && fabsf(sums.centre[1][0] - 28) < 1e-4f);
}

TEST(mistakes_of_axes_are_named) {
    dunlin_world *world;
    dunlin_world_def def = dunlin_world_def_default();
    def.axis_boundary[2] = (dunlin_boundary)77; /* not read in 2D */
    world = world_create(&def);
    assert_int_equal(dunlin_world_boundary(world, 2), DUNLIN_BOUNDARY_SAME);
    assert_int_equal(dunlin_world_boundary(world, -1), DUNLIN_BOUNDARY_SAME);
    world_destroy(world);
    def.axis_boundary[1] = (dunlin_boundary)77;
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.axis_boundary[1] is 77");
    def = dunlin_world_def_default();
    def.boundary = DUNLIN_BOUNDARY_SAME;
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.boundary is 4");
    def = dunlin_world_def_default();
    def.boundary = DUNLIN_BOUNDARY_TELEPORT;
    def.axis_boundary[0] = def.axis_boundary[1] = DUNLIN_BOUNDARY_REFLECT;
    def.margin = 1;
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.margin is 1", "teleport");
    def.margin = 0;
    def.boundary_first = true;
    def.axis_boundary[1] = DUNLIN_BOUNDARY_PERIODIC;
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.boundary_first is set");
}
