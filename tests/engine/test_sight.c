/* SPDX-License-Identifier: MIT */
/* Obstacles that hide agents: worked out by hand, by an oracle in binary64, and by properties. */
#include <math.h>

#include "tests/lib/scene.h"

#define BALL    DUNLIN_OBSTACLE_BALL
#define BOX     DUNLIN_OBSTACLE_BOX
#define CAPSULE DUNLIN_OBSTACLE_CAPSULE

/* ---- by hand ----------------------------------------------------------------------------------------------------------- */

/* Agent 0 at (50, 50, 50) is drawn to those that it sees within 20. */
static scene looking(int dimensions) {
    scene s = scene_empty(dimensions);
    s.rules.sight_blocked = true;
    scene_direct(&s, DUNLIN_RULE_COHESION, 20);
    scene_rest(&s, 50, 50, 50);
    return s;
}

static void expect_drawn(const scene *s, double x, double y) {
    scene_expect_velocity(s, 0, x, y, 0);
}

/* The neighbour is at (10, 0, 0) from the agent. `hidden`: whether the obstacle hides it. */
static void expect_hidden(int dimensions, dunlin_obstacle_def obstacle, bool hidden) {
    scene s = looking(dimensions);
    scene_rest(&s, 60, 50, 50);
    dunlin_obstacle_def *o = scene_obstruct(&s, obstacle.shape, obstacle.a[0], obstacle.a[1], obstacle.a[2], obstacle.b[0],
                                            obstacle.b[1], obstacle.b[2]);
    o->radius = obstacle.radius;
    expect_drawn(&s, hidden ? 0 : 10, 0);
    scene_expect_velocity(&s, 1, hidden ? 0 : -10, 0, 0);
}

TEST(every_shape_hides_what_is_behind_it) {
    static const struct {
        dunlin_obstacle_def obstacle;
        bool hides[2]; /* in 2D, in 3D */
    } cases[] = {
        {{.shape = BALL, .a = {55, 51, 50}, .radius = 2}, {true, true}},
        {{.shape = BALL, .a = {55, 52, 50}, .radius = 2}, {true, true}}, /* the surface is part of it */
        {{.shape = BALL, .a = {55, 52, 50}, .radius = 1.9f}, {false, false}},
        {{.shape = BALL, .a = {55, 51, 53}, .radius = 2}, {true, false}},
        {{.shape = BALL, .a = {47, 50, 50}, .radius = 2}, {false, false}}, /* behind the agent */
        {{.shape = BALL, .a = {63, 50, 50}, .radius = 2}, {false, false}}, /* behind the neighbour */
        {{.shape = BOX, .a = {54, 40, 40}, .b = {56, 60, 60}}, {true, true}},
        {{.shape = BOX, .a = {54, 51, 40}, .b = {56, 60, 60}}, {false, false}},
        {{.shape = BOX, .a = {54, 40, 51}, .b = {56, 60, 60}}, {true, false}},
        {{.shape = BOX, .a = {55, 40, 40}, .b = {55, 60, 60}}, {true, true}}, /* a plate */
        {{.shape = CAPSULE, .a = {55, 40, 50}, .b = {55, 60, 50}, .radius = 0.5f}, {true, true}},
        {{.shape = CAPSULE, .a = {55, 40, 50}, .b = {55, 60, 50}}, {true, true}},  /* a line, met exactly in 3D */
        {{.shape = CAPSULE, .a = {54, 40, 52}, .b = {56, 60, 52}}, {true, false}}, /* and not met */
        {{.shape = CAPSULE, .a = {55, 51, 50}, .b = {55, 60, 50}, .radius = 0.5f}, {false, false}},
        {{.shape = CAPSULE, .a = {55, 51, 50}, .b = {55, 60, 50}, .radius = 1.5f}, {true, true}},  /* its end */
        {{.shape = CAPSULE, .a = {52, 50, 50}, .b = {57, 50, 50}, .radius = 0.5f}, {true, true}},  /* lengthwise */
        {{.shape = CAPSULE, .a = {52, 51, 50}, .b = {57, 51, 50}, .radius = 0.5f}, {false, false}} /* parallel */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int d = 2; d <= 3; d++) expect_hidden(d, cases[i].obstacle, cases[i].hides[d - 2]);
}

TEST(an_obstacle_hides_nothing_from_agents_in_it) {
    static const dunlin_obstacle_def around[] = {
        {.shape = BALL, .a = {50, 50, 50}, .radius = 4},
        {.shape = BALL, .a = {60, 50, 50}, .radius = 4},
        {.shape = BALL, .a = {55, 50, 50}, .radius = 5}, /* both are on its surface */
        {.shape = BOX, .a = {40, 40, 40}, .b = {55, 60, 60}},
        {.shape = BOX, .a = {40, 40, 40}, .b = {50, 60, 60}},
        {.shape = BOX, .a = {40, 40, 40}, .b = {70, 60, 60}},
        {.shape = CAPSULE, .a = {50, 40, 50}, .b = {50, 60, 50}, .radius = 1},
        {.shape = CAPSULE, .a = {60, 40, 50}, .b = {60, 60, 50}},
    };
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        for (int d = 2; d <= 3; d++) expect_hidden(d, around[i], false);
}

/* Lines that share an end leave no gap there, and an agent looks along an edge of the lattice. */
TEST(nothing_is_seen_through_a_corner) {
    scene s = looking(2);
    scene_rest(&s, 60, 60, 0);
    scene_obstruct(&s, DUNLIN_OBSTACLE_CAPSULE, 55, 55, 0, 55, 70, 0);
    scene_obstruct(&s, DUNLIN_OBSTACLE_CAPSULE, 70, 55, 0, 55, 55, 0);
    expect_drawn(&s, 0, 0);
    s.obstacles = 1;
    expect_drawn(&s, 0, 0);
    s.obstacles = 0;
    expect_drawn(&s, 10, 10);
}

TEST(sight_goes_across_a_periodic_edge_and_so_do_obstacles) {
    scene s = looking(2);
    s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    s.position[0][0] = 98;
    scene_rest(&s, 2, 50, 0);
    expect_drawn(&s, 4, 0);
    static const float places[] = {99, 1, 0, 100, 50};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        s.obstacles = 0;
        scene_obstruct(&s, DUNLIN_OBSTACLE_BALL, places[i], 50, 0, NAN, NAN, NAN)->radius = 0.5f;
        expect_drawn(&s, places[i] == 50.0f ? 4 : 0, 0);
        scene_expect_velocity(&s, 1, places[i] == 50.0f ? -4 : 0, 0, 0);
    }
}

/* Selections are made among what is seen. */
TEST(the_nearest_are_those_that_are_seen) {
    scene s = looking(2);
    s.rules.nearest = 1;
    scene_rest(&s, 54, 50, 0);
    scene_rest(&s, 50, 45, 0);
    expect_drawn(&s, 4, 0);
    scene_obstruct(&s, DUNLIN_OBSTACLE_CAPSULE, 52, 40, 0, 52, 60, 0);
    expect_drawn(&s, 0, -5);
    s.rules.nearest = 0;
    s.rules.max_neighbours = 1;
    expect_drawn(&s, 0, -5);
}

/* ---- targets ----------------------------------------------------------------------------------------------------------- */

/* Agent 0 has velocity 0 and seeks at 1. `target`: 0 nearest, 1 centre, 2 an agent, 3 a place; all at (10, 0), but that two
 * other agents are at (-14, 0) and beyond the wall at (12, 0). */
static scene seeking(int target, bool blocked) {
    scene s = scene_empty(2);
    s.species.max_speed = s.species.max_force = 1;
    scene_rest(&s, 50, 50, 0);
    scene_rest(&s, 60, 50, 0);
    scene_rest(&s, 36, 50, 0);
    dunlin_behaviour_def *seek = scene_behave(&s, DUNLIN_BEHAVIOUR_SEEK);
    static const dunlin_target_kind kinds[] = {DUNLIN_TARGET_NEAREST, DUNLIN_TARGET_CENTRE, DUNLIN_TARGET_AGENT,
                                               DUNLIN_TARGET_POINT};
    seek->target.kind = kinds[target];
    seek->target.agent = 1;
    seek->target.position[0] = 60;
    seek->target.position[1] = 50;
    seek->radius = 20;
    seek->sight_blocked = blocked;
    return s;
}

TEST_EACH(targets_are_what_an_agent_sees, target, 0, 4) {
    scene s = seeking(target, true);
    const double straight = target == 1 ? -1 : 1;
    expect_drawn(&s, straight, 0);
    scene_obstruct(&s, DUNLIN_OBSTACLE_CAPSULE, 55, 40, 0, 55, 60, 0);
    expect_drawn(&s, target < 2 ? -1 : 0, 0);
    s.behaviour[0].sight_blocked = false;
    expect_drawn(&s, straight, 0);
    s.obstacles = 0;
    s.behaviour[0].sight_blocked = true;
    scene_obstruct(&s, DUNLIN_OBSTACLE_CAPSULE, 45, 40, 0, 45, 60, 0); /* on the other side */
    expect_drawn(&s, 1, 0);
}

TEST(groups_as_targets_are_never_hidden) {
    dunlin_world *world = world_create(NULL);
    dunlin_species_def grouped = dunlin_species_def_default();
    grouped.groups = 2;
    world_add_species(world, &grouped);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.kind = DUNLIN_TARGET_GROUP_CENTRE;
    seek.sight_blocked = true;
    REFUSE(dunlin_world_add_behaviour(world, &seek, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.sight_blocked", "group");
}

/* ---- random scenes ----------------------------------------------------------------------------------------------------- */

typedef struct crowd {
    int dimensions;
    dunlin_boundary boundary;
    int agents, obstacles;
    uint64_t seed;
} crowd;

static dunlin_obstacle_def any_obstacle(test_random *seed, int dimensions) {
    dunlin_obstacle_def o = {.shape = (dunlin_obstacle_shape)test_below(seed, 3), .radius = test_uniform(seed, 0, 2)};
    for (int a = 0; a < dimensions; a++) {
        o.a[a] = test_uniform(seed, 0, 60);
        o.b[a] = o.shape == DUNLIN_OBSTACLE_BOX ? o.a[a] + test_uniform(seed, 0, 8) : o.a[a] + test_uniform(seed, -9, 9);
    }
    if (dimensions == 2 && o.shape == DUNLIN_OBSTACLE_CAPSULE && test_below(seed, 2)) o.radius = 0;
    return o;
}

static dunlin_world *world_among(dunlin_world_def def, const void *context) {
    const crowd *c = context;
    test_random seed = {c->seed};
    def.dimensions = c->dimensions;
    def.boundary = c->boundary;
    for (int a = 0; a < 3; a++) def.size[a] = 60;
    dunlin_world *world = world_create(&def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 100;
    world_add_species(world, &species);
    for (int i = 0; i < c->obstacles; i++) {
        const dunlin_obstacle_def o = any_obstacle(&seed, c->dimensions);
        world_obstruct(world, &o, 1);
    }
    for (int i = 0; i < c->agents; i++) {
        float at[3] = {0}, velocity[3] = {0};
        for (int a = 0; a < c->dimensions; a++) {
            at[a] = test_uniform(&seed, 0, 60);
            velocity[a] = test_uniform(&seed, -1, 1);
        }
        world_spawn(world, 0, at, velocity);
    }
    return world;
}

/* ---- the oracle ---------------------------------------------------------------------------------------------------------- */

/* How far outside of an obstacle a place is: a convex function, in binary64. */
static double gap_of(const dunlin_obstacle_def *o, int dimensions, const double p[3]) {
    if (o->shape == DUNLIN_OBSTACLE_BOX) {
        double gap = -HUGE_VAL;
        for (int a = 0; a < dimensions; a++) gap = fmax(gap, fmax((double)o->a[a] - p[a], p[a] - (double)o->b[a]));
        return gap;
    }
    double along[3] = {0}, length2 = 0, share = 0, d2 = 0;
    for (int a = 0; a < dimensions && o->shape == DUNLIN_OBSTACLE_CAPSULE; a++) along[a] = (double)o->b[a] - (double)o->a[a];
    for (int a = 0; a < dimensions; a++) {
        length2 += along[a] * along[a];
        share += along[a] * (p[a] - (double)o->a[a]);
    }
    share = length2 > 0 ? fmin(fmax(share / length2, 0), 1) : 0;
    for (int a = 0; a < dimensions; a++) {
        const double off = p[a] - (double)o->a[a] - share * along[a];
        d2 += off * off;
    }
    return sqrt(d2) - (double)o->radius;
}

static double gap_at(const dunlin_obstacle_def *o, int dimensions, const double from[3], const double step[3], double share) {
    double p[3] = {0};
    for (int a = 0; a < dimensions; a++) p[a] = from[a] + share * step[a];
    return gap_of(o, dimensions, p);
}

static double min_gap(const dunlin_obstacle_def *o, int dimensions, const double from[3], const double step[3]) {
    double begin = 0, end = 1;
    for (int i = 0; i < 60; i++) {
        const double third = (end - begin) / 3;
        if (gap_at(o, dimensions, from, step, begin + third) < gap_at(o, dimensions, from, step, end - third))
            end -= third;
        else
            begin += third;
    }
    return gap_at(o, dimensions, from, step, begin);
}

typedef enum verdict { CLEAR, HIDDEN, CLOSE } verdict;

/* CLOSE: rounding to binary32 may decide. */
static verdict verdict_of(const dunlin_obstacle_def *o, int dimensions, const double from[3], const double step[3]) {
    const double close = 1e-4, half = 0.5 * sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    if (gap_at(o, dimensions, from, step, 0.5) > half + close) return CLEAR; /* no gap changes by more than a place does */
    const double first = gap_at(o, dimensions, from, step, 0), last = gap_at(o, dimensions, from, step, 1);
    const double min = min_gap(o, dimensions, from, step);
    const bool thin = o->radius == 0.0f || o->shape == DUNLIN_OBSTACLE_BOX;
    if (min > close) return CLEAR;
    if (fmin(fabs(first), fabs(last)) < close) return CLOSE;
    if (first < 0 || last < 0) return CLEAR;
    if (min < -close) return HIDDEN;
    return thin && dimensions == 2 && o->shape != DUNLIN_OBSTACLE_BALL && min < 1e-9 ? HIDDEN : CLOSE;
}

static verdict look(const dunlin_world *world, const double from[3], const double step[3]) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_obstacle_view all = dunlin_world_obstacle_view(world);
    const int images = def.boundary == DUNLIN_BOUNDARY_PERIODIC ? (def.dimensions == 3 ? 27 : 9) : 1;
    verdict worst = CLEAR;
    for (int image = 0; image < images; image++) {
        const int n = images == 1 ? 13 : images == 9 ? image + 9 : image, way[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        double at[3] = {0};
        for (int a = 0; a < def.dimensions; a++) at[a] = from[a] + way[a] * (double)def.size[a];
        for (uint32_t k = 0; k < all.count && worst != HIDDEN; k++) {
            const verdict v = verdict_of(&all.obstacles[k], def.dimensions, at, step);
            if (v != CLEAR) worst = v;
        }
    }
    return worst;
}

/* How many agent i sees within the radius; -1: it is too close to call. */
static int seen_by(const dunlin_world *world, uint32_t i, float radius) {
    const dunlin_view view = dunlin_world_view(world, 0);
    const dunlin_world_def def = dunlin_world_get_def(world);
    int seen = 0;
    for (uint32_t j = 0; j < view.count; j++) {
        double from[3] = {0}, step[3] = {0};
        float a_at[3] = {0}, b_at[3] = {0}, offset[3];
        for (int a = 0; a < def.dimensions; a++) {
            a_at[a] = view.position[a][i];
            b_at[a] = view.position[a][j];
        }
        dunlin_world_offset(world, a_at, b_at, offset);
        for (int a = 0; a < def.dimensions; a++) {
            from[a] = (double)a_at[a];
            step[a] = (double)offset[a];
        }
        if (j == i || !(world_distance2(&def, &view, i, j) <= radius * radius)) continue;
        const verdict v = look(world, from, step);
        if (v == CLOSE) return -1;
        seen += v == CLEAR;
    }
    return seen;
}

static uint32_t slot_of(dunlin_world *world, uint32_t id) {
    return dunlin_world_find_agent(world, id).index;
}

/* The attribute counts what each agent has seen in a step. */
static void expect_counts(const crowd *c, const char *kernel) {
    enum { RADIUS = 9 };
    dunlin_world_def def = dunlin_world_def_default();
    def.kernel = kernel;
    dunlin_world *world = world_among(def, c);
    world_add_value(world, 0, "seen", DUNLIN_ROLE_VALUE, 0);
    dunlin_behaviour_def counts = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ADAPT);
    counts.radius = RADIUS;
    counts.sight_blocked = true;
    counts.adapt.rate = 1;
    counts.adapt.high = 1e6f;
    world_add_behaviour(world, &counts);
    int *want = calloc((size_t)c->agents, sizeof *want), close = 0, hidden = 0;
    for (int id = 0; id < c->agents; id++) want[id] = seen_by(world, slot_of(world, (uint32_t)id), RADIUS);
    world_run(world, 1);
    for (int id = 0; id < c->agents; id++) {
        const float got = dunlin_world_view(world, 0).attribute[0][slot_of(world, (uint32_t)id)];
        close += want[id] < 0;
        hidden += want[id] == 0;
        if (want[id] >= 0 && got != (float)want[id])
            fail_msg("seed %d, %dD, kernel %s: agent %d sees %g, not %d", (int)c->seed, c->dimensions, kernel, id, (double)got,
                     want[id]);
    }
    assert_true(close < c->agents / 10 && hidden < c->agents);
    free(want);
    world_destroy(world);
}

TEST(agents_see_what_the_oracle_sees) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const crowd c = {.dimensions = 2 + (int)seed % 2,
                         .boundary = seed % 3 ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_REFLECT,
                         .agents = 200,
                         .obstacles = seed % 4 ? 20 : 80,
                         .seed = seed};
        expect_counts(&c, seed % 2 ? "auto" : "scalar");
    }
}

/* ---- properties -------------------------------------------------------------------------------------------------------- */

/* Pairs far from each other, on a lattice, where many segments touch surfaces, corners and ends. */
TEST_EACH(sight_is_mutual, seed, 1, 9) {
    enum { SIDE = 20, APART = 40 };
    test_random random = {(uint64_t)seed};
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = 2 + seed % 2;
    for (int a = 0; a < 3; a++) def.size[a] = SIDE * APART;
    dunlin_world *world = world_create(&def);
    world_add_species(world, NULL);
    dunlin_interaction_def rules = dunlin_interaction_def_default();
    rules.rules[DUNLIN_RULE_COHESION].radius = 12;
    rules.sight_blocked = true;
    world_add_interaction(world, &rules);
    for (int site = 0; site < SIDE * SIDE; site++) {
        const float middle[3] = {(float)(site % SIDE * APART + 5), (float)(site / SIDE * APART + 5), 5};
        dunlin_obstacle_def o = {.shape = (dunlin_obstacle_shape)test_below(&random, 3),
                                 .radius = (float)test_below(&random, 3)};
        float at[2][3] = {{0}};
        const float still[3] = {0};
        for (int a = 0; a < def.dimensions; a++) {
            o.a[a] = middle[a] + (float)test_below(&random, 5);
            o.b[a] = o.a[a] + (float)test_below(&random, 4);
            for (int i = 0; i < 2; i++) at[i][a] = middle[a] + (float)test_below(&random, 9) - (seed < 5 ? 0 : 0.1f);
        }
        world_obstruct(world, &o, 1);
        for (int i = 0; i < 2; i++) world_spawn(world, 0, at[i], still);
    }
    world_run(world, 1);
    const dunlin_view view = dunlin_world_view(world, 0);
    int sees = 0;
    for (uint32_t id = 0; id < 2 * SIDE * SIDE; id += 2) {
        const uint32_t i = slot_of(world, id), j = slot_of(world, id + 1);
        bool moves[2] = {false, false};
        for (int a = 0; a < def.dimensions; a++) {
            moves[0] = moves[0] || view.velocity[a][i] != 0.0f;
            moves[1] = moves[1] || view.velocity[a][j] != 0.0f;
        }
        assert_int_equal(moves[0], moves[1]);
        sees += moves[0];
    }
    assert_in_range(sees, SIDE * SIDE / 2, SIDE * SIDE - 8);
}

/* Everything that depends on sight. */
static dunlin_world *world_of_all(dunlin_world_def def, const void *context) {
    dunlin_world *world = world_among(def, context);
    dunlin_interaction_def rules = world_flocking_rules(6);
    rules.sight_blocked = true;
    rules.nearest = (int)(((const crowd *)context)->seed % 3) * 4;
    if (rules.nearest == 8) rules.rules[DUNLIN_RULE_ALIGNMENT].half_angle = 2;
    world_add_interaction(world, &rules);
    world_add_fliers(world, "hawks", 2);
    world_scatter(world, 1, 5);
    for (int k = 0; k < 8; k++) {
        dunlin_behaviour_def b = dunlin_behaviour_def_default(world, k == 4  ? DUNLIN_BEHAVIOUR_SIDESTEP
                                                                     : k % 2 ? DUNLIN_BEHAVIOUR_PURSUE
                                                                             : DUNLIN_BEHAVIOUR_FLEE);
        b.species = k % 2;
        b.radius = (float)(10 + 5 * k);
        b.sight_blocked = true;
        b.target.kind = (dunlin_target_kind)(k % 4);
        b.target.species = 1 - k % 2;
        b.target.agent = 7;
        b.target.position[0] = b.target.position[1] = 30;
        if (k == 7) b.species = b.target.species = 0;
        world_add_behaviour(world, &b);
    }
    return world;
}

TEST_EACH(every_kernel_and_number_of_threads_sees_the_same, seed, 0, 2) {
    const crowd c = {.dimensions = 2 + seed % 2,
                     .boundary = seed == 0 ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_REFLECT,
                     .agents = 100,
                     .obstacles = seed ? 80 : 20,
                     .seed = 5 + (uint64_t)seed};
    world_expect_one_state(dunlin_world_def_default(), world_of_all, &c, 3);
}

/* The same agents, which do or do not look at obstacles. */
static uint64_t flock_among(const dunlin_obstacle_def *obstacles, uint32_t count, bool blocked) {
    dunlin_world_def def = dunlin_world_def_default();
    def.boundary = DUNLIN_BOUNDARY_REFLECT;
    dunlin_world *world = world_create(&def);
    world_add_fliers(world, "birds", 1);
    dunlin_interaction_def rules = world_flocking_rules(8);
    rules.sight_blocked = blocked;
    world_add_interaction(world, &rules);
    world_obstruct(world, obstacles, count);
    world_scatter(world, 0, 400);
    world_run(world, 20);
    return world_end(world);
}

/* Near: each packet sums over its candidates one by one, but no obstacle is in between. */
TEST(an_obstacle_that_is_not_in_between_changes_nothing) {
    const dunlin_obstacle_def far = {.shape = DUNLIN_OBSTACLE_BALL, .a = {5000, 50}, .radius = 3};
    const dunlin_obstacle_def near = {.shape = DUNLIN_OBSTACLE_BOX, .a = {-9, -3}, .b = {120, -0.5f}};
    const uint64_t want = flock_among(NULL, 0, false);
    assert_true(flock_among(NULL, 0, true) == want);
    assert_true(flock_among(&far, 1, true) == want && flock_among(&near, 1, true) == want);
    const dunlin_obstacle_def within = {.shape = DUNLIN_OBSTACLE_BALL, .a = {50, 50}, .radius = 10};
    assert_true(flock_among(&within, 1, false) == want && flock_among(&within, 1, true) != want);
}

/* ---- a wall through the world ------------------------------------------------------------------------------------------- */

enum { HALF = 250 };

/* Walls from edge to edge, that agents do not pass; `which` halves have agents, bit h each. */
static dunlin_world *divided(dunlin_boundary boundary, int which) {
    dunlin_world_def def = dunlin_world_def_default();
    def.boundary = boundary;
    dunlin_world *world = world_create(&def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 1;
    species.obstacles_block = true;
    world_add_species(world, &species);
    dunlin_interaction_def rules = world_flocking_rules(10);
    rules.sight_blocked = true;
    world_add_interaction(world, &rules);
    dunlin_behaviour_def flee = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLEE);
    flee.target.kind = DUNLIN_TARGET_NEAREST;
    flee.radius = 30;
    flee.sight_blocked = true;
    world_add_behaviour(world, &flee);
    const dunlin_obstacle_def walls[] = {{.shape = DUNLIN_OBSTACLE_BOX, .a = {49, -10}, .b = {50, 110}},
                                         {.shape = DUNLIN_OBSTACLE_CAPSULE, .a = {3, -10}, .b = {3, 110}}};
    world_obstruct(world, walls, boundary == DUNLIN_BOUNDARY_PERIODIC ? 2 : 1);
    test_random seed = {11};
    for (int i = 0; i < 2 * HALF; i++) {
        const float x = i < HALF ? test_uniform(&seed, 5, 48) : test_uniform(&seed, 51, 99), y = test_uniform(&seed, 0, 99);
        const float at[3] = {x, y, 0}, velocity[3] = {test_uniform(&seed, -1, 1), test_uniform(&seed, -1, 1), 0};
        if (which >> (i >= HALF) & 1) world_spawn(world, 0, at, velocity);
    }
    return world;
}

static void expect_alike(dunlin_world *both, dunlin_world *half, uint32_t first) {
    const dunlin_view a = dunlin_world_view(both, 0), b = dunlin_world_view(half, 0);
    for (uint32_t id = 0; id < HALF; id++) {
        const uint32_t i = slot_of(both, first + id), j = slot_of(half, id);
        for (int axis = 0; axis < 2; axis++) {
            assert_memory_equal(a.position[axis] + i, b.position[axis] + j, sizeof(float));
            assert_memory_equal(a.velocity[axis] + i, b.velocity[axis] + j, sizeof(float));
        }
    }
}

TEST_EACH(a_wall_divides_a_flock, periodic, 0, 2) {
    const dunlin_boundary boundary = periodic ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_REFLECT;
    dunlin_world *both = divided(boundary, 3), *left = divided(boundary, 1), *right = divided(boundary, 2);
    for (int i = 0; i < 60; i++) {
        world_run(both, 1);
        world_run(left, 1);
        world_run(right, 1);
        expect_alike(both, left, 0);
        expect_alike(both, right, HALF);
    }
}
