/* SPDX-License-Identifier: MIT */
/* Obstacles that block: single steps worked out by hand. No agent gets through, at any speed. */
#include "tests/lib/scene.h"

/* ---- one step, by hand ------------------------------------------------------------------------------------------------- */

/* An agent of radius 1 that moves straight until something blocks it. */
static scene blocked(int dimensions, float x, float y, float z, float vx, float vy, float vz) {
    scene s = scene_empty(dimensions);
    s.species.obstacles_block = true;
    s.species.clearance = 1;
    scene_add(&s, x, y, z, vx, vy, vz);
    return s;
}

static void ball(scene *s, float x, float y, float z, float radius) {
    scene_obstruct(s, DUNLIN_OBSTACLE_BALL, x, y, z, NAN, NAN, NAN)->radius = radius;
}

static void box(scene *s, float ax, float ay, float az, float bx, float by, float bz) {
    scene_obstruct(s, DUNLIN_OBSTACLE_BOX, ax, ay, az, bx, by, bz)->radius = NAN;
}

static void capsule(scene *s, float ax, float ay, float az, float bx, float by, float bz, float radius) {
    scene_obstruct(s, DUNLIN_OBSTACLE_CAPSULE, ax, ay, az, bx, by, bz)->radius = radius;
}

static void expect(const scene *s, double x, double y, double z, double vx, double vy, double vz) {
    scene_expect_position(s, 0, x, y, z);
    scene_expect_velocity(s, 0, vx, vy, vz);
}

static double skin_of(double largest) {
    return largest * 0x1p-20;
}

/* It stops at x = 39, then slides. */
TEST(boxes_stop_agents) {
    const double skin = skin_of(71);
    scene s = blocked(2, 30, 50, 0, 15, 3, 0);
    box(&s, 40, 40, 0, 60, 70, 0);
    expect(&s, 39 - skin, 53, 0, 0, 3, 0);
    s.species.clearance = 0;
    expect(&s, 40 - skin_of(70), 53, 0, 0, 3, 0);
    s.velocity[0][0] = 9.9f; /* not so far */
    expect(&s, 39.9, 53, 0, 9.9, 3, 0);
    s.species.clearance = 1;
    s.velocity[0][1] = 0; /* head on */
    expect(&s, 39 - skin, 50, 0, 0, 0, 0);
    s.velocity[0][0] = 1e6f;
    expect(&s, 39 - skin, 50, 0, 0, 0, 0);
    s.velocity[0][0] = -15;
    expect(&s, 15, 50, 0, -15, 0, 0);
    s.obstacles = 0;
    box(&s, 5, 40, 0, 25, 70, 0);
    expect(&s, 26 + skin, 50, 0, 0, 0, 0);
    s.species.obstacles_block = false;
    expect(&s, 15, 50, 0, -15, 0, 0);
}

/* A point that moves along a plain wall. */
static dunlin_world *world_beside(float wall, float x) {
    dunlin_world *world = world_create(NULL);
    dunlin_species_def species = dunlin_species_def_default();
    species.obstacles_block = true;
    world_add_species(world, &species);
    const dunlin_obstacle_def plain = {.shape = DUNLIN_OBSTACLE_CAPSULE, .a = {wall, 0}, .b = {wall, 60}};
    world_obstruct(world, &plain, 1);
    world_spawn(world, 0, (const float[]){x, 32, 0}, (const float[]){0, 1, 0});
    return world;
}

/*
 * An agent that rounding brings nearer to a wall than three quarters of the skin is lifted to that distance. Farther away it
 * stays.
 */
TEST_EACH(a_skin_that_gets_thin_is_restored, i, 0, 5) {
    static const float shares[][2] = {{0.3125f, 1.0f}, {0.5f, 1.0f}, {0.6875f, 1.0f}, {0.75f, 0.75f}, {0.9375f, 0.9375f}};
    const float wall = 64, skin = 0x1p-14f; /* 64·2^-20 */
    dunlin_world *world = world_beside(wall, wall - skin * shares[i][0]);
    world_run(world, 1);
    const dunlin_view view = dunlin_world_view(world, 0);
    assert_true(view.position[0][0] == wall - skin * shares[i][1]);
    assert_true(view.position[1][0] == 33 && view.velocity[0][0] == 0 && view.velocity[1][0] == 1);
}

/*
 * 16 above the middle of a disc of radius 20, skin included: of the rest of the way and of the velocity, the part across the
 * normal stays.
 */
TEST(agents_slide_along_discs) {
    const double skin = skin_of(70), r = 20 + skin;
    scene s = blocked(2, 28, 66, 0, 24, 0, 0);
    ball(&s, 50, 50, 0, 19);
    const double x = 50 - sqrt(r * r - 16 * 16), nx = (x - 50) / r, ny = 16 / r, left = 52 - x;
    expect(&s, x + left * ny * ny, 66 - left * nx * ny, 0, 24 * ny * ny, -24 * nx * ny, 0);
    s.position[0][1] = 50; /* head on */
    expect(&s, 30 - skin, 50, 0, 0, 0, 0);
    s.position[0][1] = 70.1f; /* past it */
    expect(&s, 52, 70.1, 0, 24, 0, 0);
}

/* On to the wall's line at 45°, and a ball at its end. */
TEST(agents_slide_along_walls) {
    scene s = blocked(2, 40, 50, 0, 20, 0, 0);
    s.species.clearance = 0;
    capsule(&s, 40, 40, 0, 60, 60, 0, 0);
    const double skin = skin_of(60) * sqrt(2);
    expect(&s, 50 - skin + 5, 50 + 5, 0, 10, 10, 0);
    s.obstacle[0].b[0] = s.obstacle[0].b[1] = 49.9f; /* too short */
    expect(&s, 60, 50, 0, 20, 0, 0);
    s.obstacle[0] = (dunlin_obstacle_def){0, DUNLIN_OBSTACLE_CAPSULE, {50, 50, 0}, {50, 20, 0}, 0}; /* exactly its end */
    expect(&s, 50 - skin_of(50), 50, 0, 0, 0, 0);
    s.obstacle[0].radius = 5; /* at the normal (-4, 3) / 5 of the ball at the end */
    s.position[0][1] = 53;
    const double r = 5 + skin_of(55), x = 50 - sqrt(r * r - 9), nx = (x - 50) / r, ny = 3 / r, left = 60 - x;
    expect(&s, x + left * ny * ny, 53 - left * nx * ny, 0, 20 * ny * ny, -20 * nx * ny, 0);
}

TEST(obstacles_block_in_3d) {
    scene s = blocked(3, 50, 50, 30, 3, 4, 40);
    s.species.clearance = 2;
    box(&s, 0, 0, 60, 100, 100, 70);
    expect(&s, 53, 54, 58 - skin_of(102), 3, 4, 0);
    s.obstacles = 0;
    capsule(&s, 0, 0, 60, 100, 100, 60, 3);
    s.velocity[0][1] = 3;
    expect(&s, 53, 53, 55 - skin_of(105), 3, 3, 0);
    s.obstacles = 0;
    ball(&s, 50, 50, 60, 8);
    s.velocity[0][0] = s.velocity[0][1] = 0;
    expect(&s, 50, 50, 50 - skin_of(70), 0, 0, 0);
    s.obstacles = 0;
    capsule(&s, 50, 50, 50, 50, 50, 90, 0);
    s.species.clearance = 0; /* even a line */
    expect(&s, 50, 50, 50 - skin_of(90), 0, 0, 0);
}

/* The first wall turns it into the second. */
TEST(corners_block) {
    scene s = blocked(2, 30, 30, 0, 1000, 900, 0);
    s.species.clearance = 0;
    capsule(&s, 60, 0, 0, 60, 100, 0, 0);
    capsule(&s, 0, 70, 0, 100, 70, 0, 0);
    expect(&s, 60 - skin_of(100), 70 - skin_of(100), 0, 0, 0, 0);
    s.obstacles = 0;
    capsule(&s, 40, 40, 0, 60, 60, 0, 0); /* acute */
    capsule(&s, 60, 60, 0, 30, 60, 0, 0);
    s.position[0][1] = 58;
    s.velocity[0][1] = 0;
    s.steps = 20;
    scene_expect_position(&s, 0, 60 - 2.42 * skin_of(60), 60 - skin_of(60), 0);
    s.steps = 1;
    s.velocity[0][0] = -5;
    expect(&s, 25, 58, 0, -5, 0, 0);
}

TEST(an_agent_that_begins_inside_is_put_outside) {
    scene s = blocked(2, 45, 50, 0, 0, 0, 0);
    box(&s, 40, 40, 0, 60, 70, 0);
    expect(&s, 39 - skin_of(71), 50, 0, 0, 0, 0);
    s.velocity[0][0] = 3; /* from there on it is blocked */
    s.velocity[0][1] = 2;
    expect(&s, 39 - skin_of(71), 52, 0, 0, 2, 0);
    s.velocity[0][0] = -3;
    expect(&s, 36 - skin_of(71), 52, 0, -3, 2, 0);
    box(&s, 30, 0, 0, 50, 90, 0); /* from the first into the second, out of that on the other side */
    s.velocity[0][0] = s.velocity[0][1] = 0;
    expect(&s, 29 - skin_of(91), 50, 0, 0, 0, 0);
    s.obstacles = 0;
    ball(&s, 48, 54, 0, 10);
    expect(&s, 48 - (11 + skin_of(65)) * 0.6, 54 - (11 + skin_of(65)) * 0.8, 0, 0, 0, 0);
    s.position[0][0] = 48; /* the middle */
    s.position[0][1] = 54;
    expect(&s, 59 + skin_of(65), 54, 0, 0, 0, 0);
    s.obstacles = 0;
    capsule(&s, 48, 0, 0, 48, 100, 0, 3);
    expect(&s, 44 - skin_of(104), 54, 0, 0, 0, 0);
}

/* The way out of each leads into the other. The agent moves on as if there were none, and is free some day. */
TEST_EACH(no_agent_is_trapped, v, 0, world_variant_count()) {
    scene s = blocked(2, 50, 50, 0, 1, 0.5f, 0);
    box(&s, 0, 48, 0, 51, 52, 0);
    box(&s, 49, 47.5f, 0, 100, 52.5f, 0);
    box(&s, 0, 44, 0, 100, 49, 0);
    box(&s, 0, 51, 0, 100, 56, 0);
    s.steps = 60;
    dunlin_world_def def = world_def_for(s.world, world_variant_at(v));
    dunlin_world *world = world_create(&def);
    ACCEPT(dunlin_world_add_species(world, &s.species, NULL, &refusal));
    world_obstruct(world, s.obstacle, s.obstacles);
    world_spawn(world, 0, s.position[0], s.velocity[0]);
    int steps = 0;
    for (bool inside = true; inside && steps < 100; steps++) {
        world_run(world, 1);
        const dunlin_view view = dunlin_world_view(world, 0);
        inside = view.position[1][0] > 43 && view.position[1][0] < 57;
    }
    assert_in_range(steps, 1, 60);
}

TEST(the_edge_is_applied_after_obstacles) {
    scene s = blocked(2, 90, 50, 0, 30, 0, 0);
    s.world.boundary = DUNLIN_BOUNDARY_REFLECT;
    expect(&s, 80, 50, 0, -30, 0, 0);
    box(&s, 102, 0, 0, 110, 100, 0); /* stands outside */
    expect(&s, 99 + skin_of(111), 50, 0, 0, 0, 0);
    s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    expect(&s, 1 - skin_of(111), 50, 0, 0, 0, 0);
    s.world.integrator = DUNLIN_INTEGRATOR_EXPLICIT;
    expect(&s, 1 - skin_of(111), 50, 0, 0, 0, 0);
}

/* ---- no agent gets through ----------------------------------------------------------------------------------------------- */

enum { PRISONERS = TEST_SLOW ? 50 : 400 };

typedef struct prison {
    int dimensions;
    float clearance, speed;
    uint32_t count;
    dunlin_obstacle_def walls[64];
} prison;

static void add_wall(prison *p, dunlin_obstacle_def wall) {
    assert_true(p->count < 64);
    p->walls[p->count++] = wall;
}

/* A room from 40 to 60: of plain walls, of capsules, of boxes, or of balls large enough to close it. */
static void add_room(prison *p, dunlin_obstacle_shape shape, float thick) {
    for (int a = 0; a < p->dimensions; a++) {
        for (int side = 0; side < 2; side++) {
            dunlin_obstacle_def wall = {.shape = shape, .a = {35, 35, 35}, .b = {65, 65, 65}, .radius = thick};
            if (shape == DUNLIN_OBSTACLE_BALL) {
                for (int other = 0; other < 3; other++) wall.a[other] = 50;
                wall.radius = 100;
                wall.a[a] = side ? 154 : -54;
            } else if (shape == DUNLIN_OBSTACLE_BOX) {
                wall.a[a] = side ? 60 : 40 - thick;
                wall.b[a] = side ? 60 + thick : 40;
            } else
                wall.a[a] = wall.b[a] = side ? 60 : 40;
            add_wall(p, wall);
        }
    }
}

static void push_randomly(void *user, const dunlin_tile *tile) {
    const prison *p = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        test_random random = {(uint64_t)tile->id[i] * 1000003 + tile->step};
        const bool changes = test_share(&random) < 0.3;
        const float speed = p->speed * (float)pow(10, -6 * test_share(&random));
        for (int a = 0; a < p->dimensions && changes; a++)
            tile->force[a][i] = test_uniform(&random, -speed, speed) - tile->velocity[a][i];
    }
}

static dunlin_world *world_of_prison(prison *p, test_random *random, float low, float high) {
    const dunlin_world_def def =
        world_def_with((world_parts){.dimensions = p->dimensions, .boundary = DUNLIN_BOUNDARY_OPEN, .threads = 1});
    dunlin_world *world = world_create(&def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 1e9f;
    species.obstacles_block = true;
    species.clearance = p->clearance;
    world_add_species(world, &species);
    world_obstruct(world, p->walls, p->count);
    dunlin_behaviour_def push = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    push.custom = push_randomly;
    push.user = p;
    world_add_behaviour(world, &push);
    for (int i = 0; i < PRISONERS; i++) {
        const float at[] = {test_uniform(random, low, high), test_uniform(random, low, high), test_uniform(random, low, high)};
        const float v[] = {test_uniform(random, -p->speed, p->speed), test_uniform(random, -p->speed, p->speed),
                           test_uniform(random, -p->speed, p->speed)};
        world_spawn(world, 0, at, v);
    }
    return world;
}

static void expect_all_between(const dunlin_world *world, int dimensions, float low, float high, const char *what) {
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++)
        for (int a = 0; a < dimensions; a++)
            if (!(view.position[a][i] >= low && view.position[a][i] <= high))
                fail_msg("%s: agent %u is at %c = %.9g", what, view.id[i], "xyz"[a], (double)view.position[a][i]);
}

TEST_EACH(agents_stay_in_closed_rooms, r, 0, 8) {
    static const float speeds[] = {1, 100, 3e4f, 1e9f}, radii[] = {0, 0.5f};
    static const struct {
        int dimensions;
        dunlin_obstacle_shape shape;
        float thick;
        const char *name;
    } rooms[] = {
        {2, DUNLIN_OBSTACLE_CAPSULE, 0, "plain walls"}, {2, DUNLIN_OBSTACLE_CAPSULE, 0.01f, "capsules"},
        {2, DUNLIN_OBSTACLE_BOX, 0, "flat boxes"},      {2, DUNLIN_OBSTACLE_BOX, 2, "boxes"},
        {2, DUNLIN_OBSTACLE_BALL, 0, "discs"},          {3, DUNLIN_OBSTACLE_BOX, 0, "flat boxes in space"},
        {3, DUNLIN_OBSTACLE_BOX, 2, "boxes in space"},  {3, DUNLIN_OBSTACLE_BALL, 0, "balls in space"},
    };
    static test_random random = {3};
    for (int s = 0; s < 8; s++) {
        prison p = {.dimensions = rooms[r].dimensions, .speed = speeds[s / 2], .clearance = radii[s % 2]};
        add_room(&p, rooms[r].shape, rooms[r].thick);
        dunlin_world *world = world_of_prison(&p, &random, 47, 53);
        for (int step = 0; step < 100; step++) {
            world_run(world, 1);
            const bool balls = rooms[r].shape == DUNLIN_OBSTACLE_BALL;
            expect_all_between(world, p.dimensions, balls ? 40 : 40 + p.clearance, balls ? 60 : 60 - p.clearance,
                               rooms[r].name);
        }
        world_destroy(world);
    }
}

/* Plain walls from corner to corner of a convex polygon, with acute corners where there are few. */
static uint32_t add_polygon(prison *p, test_random *random, double middle, double size) {
    const uint32_t corners = 3 + test_below(random, 6);
    const double turn = 6.283185307 / corners, first = test_share(random) * turn;
    for (uint32_t c = 0; c < corners; c++) p->walls[c] = (dunlin_obstacle_def){.shape = DUNLIN_OBSTACLE_CAPSULE};
    for (uint32_t c = 0; c < corners; c++) {
        const double at = first + turn * (c + 0.35 * test_share(random)), stretch = c == 0 && corners < 5 ? 5 : 1;
        const float corner[] = {(float)(middle + stretch * size * cos(at)), (float)(middle + stretch * size * sin(at))};
        for (int a = 0; a < 2; a++) p->walls[c].a[a] = p->walls[(c + corners - 1) % corners].b[a] = corner[a];
    }
    return p->count = corners;
}

static void expect_all_within(const dunlin_world *world, const prison *p, const char *what) {
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) {
        for (uint32_t w = 0; w < p->count; w++) {
            const dunlin_obstacle_def *wall = &p->walls[w];
            const double ux = (double)wall->b[0] - (double)wall->a[0], uy = (double)wall->b[1] - (double)wall->a[1];
            const double dx = (double)view.position[0][i] - (double)wall->a[0],
                         dy = (double)view.position[1][i] - (double)wall->a[1];
            if (!((ux * dy - uy * dx) / sqrt(ux * ux + uy * uy) > (double)p->clearance))
                fail_msg("%s: agent %u is beyond wall %u", what, view.id[i], w);
        }
    }
}

TEST_EACH(agents_stay_in_polygons, round, 0, 36) {
    static const double middles[] = {0, 50, 1e5}, sizes[] = {10, 10, 60};
    static test_random random = {4};
    prison p = {.dimensions = 2, .speed = (float)pow(10, round / 3 % 4 * 3 - 1), .clearance = round % 2 ? 0.3f : 0};
    const double middle = middles[round % 3], size = sizes[round % 3];
    add_polygon(&p, &random, middle, size);
    dunlin_world *world = world_of_prison(&p, &random, (float)(middle - 0.05 * size), (float)(middle + 0.05 * size));
    for (int step = 0; step < 200; step++) {
        world_run(world, 1);
        expect_all_within(world, &p, "a push now and then");
    }
}

/* Pressed against walls and into corners all the time. */
TEST_EACH(walls_block_for_ever, round, 0, 8) {
    static test_random random = {5};
    prison p = {.dimensions = 2, .speed = 0, .clearance = round % 2 ? 0.3f : 0};
    const double middle = round / 2 % 2 ? 50 : 1e4;
    add_polygon(&p, &random, middle, 10);
    dunlin_world *world = world_of_prison(&p, &random, (float)middle - 0.5f, (float)middle + 0.5f);
    dunlin_behaviour_def fall = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FORCE);
    fall.force[0] = test_uniform(&random, -0.1f, 0.1f);
    fall.force[1] = test_uniform(&random, -0.1f, 0.1f);
    ACCEPT(dunlin_world_set_behaviour(world, 0, &fall, &refusal));
    for (int step = 0; step < 800; step++) {
        world_run(world, 1);
        if (step % 10 == 0) expect_all_within(world, &p, "falling");
    }
}
