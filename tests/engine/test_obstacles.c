/* SPDX-License-Identifier: MIT */
/* Obstacles, and avoiding them: single steps worked out by hand, adding, reading back, mistakes. */
#include "tests/lib/scene.h"

/* ---- one step, by hand ------------------------------------------------------------------------------------------------- */

/* An agent, at most as fast as 5, that looks 20 time units ahead. */
static dunlin_avoid *avoiding(scene *s, int dimensions, float x, float y, float z, float vx, float vy, float vz) {
    *s = scene_empty(dimensions);
    s->species.max_speed = 5;
    scene_add(s, x, y, z, vx, vy, vz);
    dunlin_avoid *avoid = &scene_behave(s, DUNLIN_BEHAVIOUR_AVOID)->avoid;
    avoid->look_ahead = 20;
    return avoid;
}

static dunlin_obstacle_def *ball(scene *s, float x, float y, float z, float radius) {
    dunlin_obstacle_def *o = scene_obstruct(s, DUNLIN_OBSTACLE_BALL, x, y, z, NAN, NAN, NAN);
    o->radius = radius;
    return o;
}

static dunlin_obstacle_def *box(scene *s, float ax, float ay, float az, float bx, float by, float bz) {
    dunlin_obstacle_def *o = scene_obstruct(s, DUNLIN_OBSTACLE_BOX, ax, ay, az, bx, by, bz);
    o->radius = NAN;
    return o;
}

static dunlin_obstacle_def *capsule(scene *s, float ax, float ay, float az, float bx, float by, float bz, float radius) {
    dunlin_obstacle_def *o = scene_obstruct(s, DUNLIN_OBSTACLE_CAPSULE, ax, ay, az, bx, by, bz);
    o->radius = radius;
    return o;
}

/* Its velocity after the step, at the maximum speed: nothing limits the force. */
static void expect_way(const scene *s, double x, double y, double z) {
    const double scale = 5 / sqrt(x * x + y * y + z * z);
    scene_expect_velocity(s, 0, x * scale, y * scale, z * scale);
}

static void expect_straight_on(const scene *s) {
    scene_expect_velocity(s, 0, (double)s->velocity[0][0], (double)s->velocity[0][1], (double)s->velocity[0][2]);
}

TEST(just_touching_is_no_hit) {
    scene s;
    dunlin_avoid *avoid = avoiding(&s, 2, 20, 40, 0, 2, 0, 0);
    ball(&s, 50, 50, 0, 10);
    expect_straight_on(&s);
    avoid->agent_radius = 0.01f;
    expect_way(&s, 1, -1, 0);
    avoid->agent_radius = 0;
    s.position[0][1] = 40.01f;
    expect_way(&s, 1, -1, 0);
    s.obstacles = 0;
    box(&s, 40, 40, 0, 60, 60, 0); /* along its faces */
    for (int way = 0; way < 2; way++) {
        s.position[0][1 - way] = 20;
        s.velocity[0][way] = 2;
        s.velocity[0][1 - way] = 0;
        for (int side = 0; side < 2; side++) {
            s.position[0][way] = 20;
            s.position[0][1 - way] = side ? 40 : 60;
            expect_straight_on(&s);
        }
    }
    s.position[0][0] = 40.01f;
    expect_way(&s, -1, 1, 0);
    s.obstacles = 0;
    dunlin_obstacle_def *wall = capsule(&s, 40, 20, 0, 40, 80, 0, 0); /* along it */
    s.position[0][0] = 40;
    s.position[0][1] = 10;
    s.velocity[0][0] = 0;
    s.velocity[0][1] = 2;
    expect_straight_on(&s);
    wall->radius = 1;
    expect_way(&s, -1, 1, 0);
}

TEST(head_on_an_agent_turns_left) {
    scene s;
    avoiding(&s, 2, 20, 50, 0, 2, 0, 0);
    ball(&s, 50, 50, 0, 10);
    expect_way(&s, 1, 1, 0);
    s.position[0][0] = 80;
    s.velocity[0][0] = -3;
    expect_way(&s, -1, -1, 0);
    s.obstacles = 0;
    box(&s, 40, 40, 0, 60, 60, 0);
    expect_way(&s, -1, -1, 0);
    s.obstacles = 0;
    capsule(&s, 50, 20, 0, 50, 80, 0, 0);
    expect_way(&s, -1, -1, 0);
}

/* It is 20 away at speed 2, so in 10. */
TEST(an_agent_looks_ahead_by_time_and_distance) {
    scene s;
    dunlin_avoid *avoid = avoiding(&s, 2, 20, 51, 0, 2, 0, 0);
    box(&s, 40, 30, 0, 60, 70, 0);
    avoid->look_ahead = 6;
    avoid->look_distance = 7.9f;
    expect_straight_on(&s);
    avoid->look_distance = 8.1f;
    expect_way(&s, 1, 1, 0);
    avoid->look_ahead = 0;
    avoid->look_distance = 20.1f;
    expect_way(&s, 1, 1, 0);
}

TEST(an_agent_in_the_middle_steers_back) {
    scene s;
    avoiding(&s, 2, 50, 50, 0, 2, 0, 0)->look_ahead = 0;
    ball(&s, 50, 50, 0, 10);
    expect_way(&s, -1, 0, 0);
}

TEST(the_nearest_counts_or_the_first_of_equals) {
    scene s;
    avoiding(&s, 2, 20, 50, 0, 1.75f, 0, 0);
    ball(&s, 50, 55, 0, 10);
    ball(&s, 50, 45, 0, 10);
    expect_way(&s, 1, -1, 0);
    s.obstacle[0].a[0] += 0.5f;
    expect_way(&s, 1, 1, 0);
    s.obstacle[0].a[0] = 50;
    s.obstacle[0].a[1] = 45;
    s.obstacle[1].a[1] = 55;
    expect_way(&s, 1, 1, 0);
    ball(&s, 40, 52, 0, 5);
    expect_way(&s, 1, -1, 0);
}

TEST(the_force_is_limited_and_weighted) {
    scene s;
    avoiding(&s, 2, 20, 45, 0, 4, 0, 0);
    ball(&s, 50, 50, 0, 10);
    const double way = 5 / sqrt(2), dx = way - 4, dy = -way, scale = 1.5 / sqrt(dx * dx + dy * dy);
    s.behaviour[0].max_force = 3;
    s.behaviour[0].weight = 0.5f;
    scene_expect_velocity(&s, 0, 4 + dx * scale, dy * scale, 0);
}

TEST(agents_do_not_look_across_the_edge) {
    scene s;
    avoiding(&s, 2, 90, 51, 0, 2, 0, 0);
    s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    ball(&s, 5, 50, 0, 4);
    expect_straight_on(&s);
    ball(&s, 105, 50, 0, 4);
    expect_way(&s, 1, 1, 0);
}

/* ---- many -------------------------------------------------------------------------------------------------------------- */

static dunlin_obstacle_def any_obstacle(test_random *random) {
    dunlin_obstacle_def o = dunlin_obstacle_def_default((dunlin_obstacle_shape)test_below(random, 3));
    o.radius = test_uniform(random, 0, 2);
    for (int a = 0; a < 3; a++) {
        o.a[a] = test_uniform(random, 0, 200);
        o.b[a] = o.a[a] + test_uniform(random, 0, o.shape == DUNLIN_OBSTACLE_BOX ? 5 : 10);
    }
    return o;
}

/* ---- adding and reading back ------------------------------------------------------------------------------------------- */

static dunlin_world *empty_world(int dimensions) {
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    return world_create(&def);
}

TEST(obstacles_can_be_read_back) {
    dunlin_world *world = empty_world(2);
    assert_int_equal(dunlin_world_obstacle_view(world).count, 0);
    assert_non_null(dunlin_world_obstacle_view(world).obstacles);
    test_random random = {1};
    int last = 7;
    dunlin_obstacle_def given[100];
    for (int i = 0; i < 100; i++) given[i] = any_obstacle(&random);
    world_obstruct(world, given, 3);
    const size_t bytes = dunlin_world_bytes(world);
    world_obstruct(world, given + 3, 96);
    last = world_add_obstacle(world, given + 99);
    assert_int_equal(last, 99);
    assert_true(dunlin_world_bytes(world) >= bytes + 90 * sizeof *given);
    const size_t unsorted = dunlin_world_bytes(world);
    world_run(world, 1);
    assert_true(dunlin_world_bytes(world) >= unsorted + 100 * 12 * sizeof(float));
    const dunlin_obstacle_view view = dunlin_world_obstacle_view(world);
    assert_int_equal(view.count, 100);
    assert_memory_equal(view.obstacles, given, sizeof given);
}

/* Adding obstacles moves the world's own array: memory behind it keeps it from growing in place. */
TEST(the_worlds_own_obstacles_can_be_added_again) {
    dunlin_world *world = world_create(NULL);
    dunlin_obstacle_def given[8];
    for (int i = 0; i < 8; i++) {
        given[i] = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BOX);
        given[i].a[0] = -(float)i;
    }
    world_obstruct(world, given, 8);
    void *behind = malloc(sizeof given);
    dunlin_obstacle_view view = dunlin_world_obstacle_view(world);
    for (int i = 0; i < 8; i++) {
        view = dunlin_world_obstacle_view(world);
        world_add_obstacle(world, &view.obstacles[i]);
    }
    view = dunlin_world_obstacle_view(world);
    assert_int_equal(view.count, 16);
    for (int half = 0; half < 2; half++) assert_memory_equal(view.obstacles + 8 * half, given, sizeof given);
    free(behind);
}

TEST(a_million_are_allowed_and_no_more) {
    enum { MOST = 1000000 };
    dunlin_world *world = empty_world(3);
    dunlin_obstacle_def one = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
    for (int i = 0; i < MOST; i++) {
        one.a[0] = (float)i;
        world_add_obstacle(world, &one);
    }
    REFUSE(dunlin_world_add_obstacle(world, &one, NULL, &refusal), DUNLIN_ERROR_VALUE, "has 1000000 obstacles", "maximum");
    world_run(world, 1);
}

TEST(mistaken_obstacles_are_refused) {
    dunlin_world *world = empty_world(2);
    dunlin_obstacle_def right[3] = {{0, DUNLIN_OBSTACLE_BALL, {1, 2, NAN}, {NAN, NAN, NAN}, 1},
                                    {0, DUNLIN_OBSTACLE_BOX, {1, 2, NAN}, {1, 3, NAN}, NAN},
                                    {0, DUNLIN_OBSTACLE_CAPSULE, {1, 2, NAN}, {0, -3, NAN}, 0}};
    world_obstruct(world, right, 3);
    for (int i = 0; i < 3; i++) right[i].cookie = WORLD_COOKIE;
    dunlin_obstacle_def wrong;
#define REFUSED(number, field, value, ...)                                                                                     \
    wrong = right[number];                                                                                                     \
    wrong.field = value;                                                                                                       \
    REFUSE(dunlin_world_add_obstacle(world, &wrong, NULL, &refusal), DUNLIN_ERROR_VALUE, #field, __VA_ARGS__)
    REFUSED(0, a[1], NAN, "nan");
    REFUSED(0, radius, -1, "-1");
    REFUSED(0, radius, NAN, "nan");
    REFUSED(1, a[0], INFINITY, "inf");
    REFUSED(1, b[1], 1.5f, "1.5", "at least 2");
    REFUSED(1, b[0], 2e9f, "2e+09");
    REFUSED(2, b[1], NAN, "nan");
    REFUSED(2, a[0], -2e9f, "-2e+09");
    REFUSED(2, radius, 2e9f, "world units");
#undef REFUSED
    assert_int_equal(dunlin_world_obstacle_view(world).count, 3);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_AVOID);
    dunlin_species_def species = dunlin_species_def_default();
    world_add_species(world, &species);
    def.avoid.look_ahead = -1;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.avoid.look_ahead", "time");
    def.avoid.look_ahead = 10;
    def.avoid.agent_radius = 2e9f;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.avoid.agent_radius",
           "world");
    species.name = "others";
    species.clearance = -1;
    REFUSE(dunlin_world_add_species(world, &species, NULL, &refusal), DUNLIN_ERROR_VALUE, "species.clearance", "-1");
}
