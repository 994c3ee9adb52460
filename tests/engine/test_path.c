/* SPDX-License-Identifier: MIT */
/* Following paths: single steps worked out by hand, and the sketches that taught it. */
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tests/lib/recordings.h"
#include "tests/lib/scene.h"

/* ---- one step, by hand ------------------------------------------------------------------------------------------------- */

/* No agents yet. Maximum speed 5. Predicts and looks 5 ahead, on a path 20 wide. */
static dunlin_follow *following(scene *s, int dimensions) {
    *s = scene_empty(dimensions);
    s->species.max_speed = 5;
    dunlin_follow *follow = &scene_behave(s, DUNLIN_BEHAVIOUR_FOLLOW_PATH)->follow;
    follow->prediction.distance = follow->ahead.distance = 5;
    return follow;
}

/* The agent moves towards its position + Δ: nothing limits the force. */
static void expect_towards(const scene *s, double dx, double dy, double dz) {
    const double scale = 5 / sqrt(dx * dx + dy * dy + dz * dz);
    scene_expect_velocity(s, 0, dx * scale, dy * scale, dz * scale);
}

/* p = (15, 30), n = (15, 50), 20 away: to (20, 50). */
static void an_agent_that_leaves_the_path_turns_back(void **state) {
    (void)state;
    scene s;
    dunlin_follow *follow = following(&s, 2);
    scene_add(&s, 10, 30, 0, 2, 0, 0);
    scene_lead(&s, 0, 50, 0);
    scene_lead(&s, 100, 50, 0);
    expect_towards(&s, 10, 20, 0);
    follow->radius = 20; /* exactly */
    scene_expect_velocity(&s, 0, 2, 0, 0);
    follow->radius = 19.9f;
    expect_towards(&s, 10, 20, 0);
    follow->prediction = (dunlin_ahead){DUNLIN_AHEAD_BY_SPEED, 0, 5}; /* n = (20, 50), to (25, 50) */
    expect_towards(&s, 15, 20, 0);
    follow->ahead = (dunlin_ahead){DUNLIN_AHEAD_BY_SPEED, 0, 7}; /* to (34, 50) */
    expect_towards(&s, 24, 20, 0);
}

static void the_force_is_limited_and_weighted(void **state) {
    (void)state;
    scene s;
    following(&s, 2);
    s.behaviour[0].max_force = 3;
    s.behaviour[0].weight = 0.5f;
    scene_rest(&s, 10, 30, 0);
    scene_lead(&s, 5, 0, 0);
    scene_lead(&s, 5, 100, 0); /* n = (5, 30), within 10: to (5, 35) only once the path is narrower */
    scene_expect_velocity(&s, 0, 0, 0, 0);
    s.behaviour[0].follow.radius = 1;
    scene_expect_velocity(&s, 0, -1.5 / sqrt(2), 1.5 / sqrt(2), 0);
}

static void at_rest_the_agents_position_counts(void **state) {
    (void)state;
    scene s;
    following(&s, 2);
    scene_rest(&s, 10, 30, 0);
    scene_lead(&s, 0, 50, 0);
    scene_lead(&s, 100, 50, 0);
    expect_towards(&s, 5, 20, 0);
}

static void in_space(void **state) {
    (void)state;
    scene s;
    following(&s, 3)->ahead.distance = 50;
    scene_rest(&s, 30, 40, 10);
    scene_lead(&s, 0, 0, 0);
    scene_lead(&s, 0, 0, 100);
    expect_towards(&s, -30, -40, 50);
}

static void at_the_point_itself_there_is_no_direction(void **state) {
    (void)state;
    scene s;
    following(&s, 2)->ahead.distance = 0;
    s.behaviour[0].follow.prediction.distance = 20;
    scene_add(&s, 16, 50, 0, 0, 1, 0); /* p = (16, 70), n = (16, 50), exactly */
    scene_lead(&s, 0, 50, 0);
    scene_lead(&s, 64, 50, 0);
    scene_expect_velocity(&s, 0, 0, 1, 0);
}

static void beyond_the_ends_of_an_open_path(void **state) {
    (void)state;
    scene s;
    dunlin_follow *follow = following(&s, 2);
    scene_rest(&s, 10, 20, 0);
    scene_lead(&s, 20, 50, 0);
    scene_lead(&s, 60, 50, 0);
    expect_towards(&s, 15, 30, 0); /* to (25, 50) */
    follow->off_segment = DUNLIN_OFF_SEGMENT_END;
    expect_towards(&s, 55, 30, 0); /* to (65, 50) */
    follow->off_segment = DUNLIN_OFF_SEGMENT_NEXT;
    expect_towards(&s, 55, 30, 0);
    for (int off = DUNLIN_OFF_SEGMENT_CLAMP; off <= DUNLIN_OFF_SEGMENT_NEXT; off++) {
        follow->off_segment = (dunlin_off_segment)off;
        s.position[0][0] = 80;
        expect_towards(&s, -15, 30, 0);
    }
}

/* The second segment leads back from (60, 50) to (20, 50). */
static void a_closed_path_leads_back(void **state) {
    (void)state;
    scene s;
    dunlin_follow *follow = following(&s, 2);
    follow->off_segment = DUNLIN_OFF_SEGMENT_NEXT;
    s.path_closed = true;
    scene_rest(&s, 70, 80, 0);
    scene_lead(&s, 20, 50, 0);
    scene_lead(&s, 60, 50, 0);
    expect_towards(&s, -15, -30, 0); /* (60, 50), and on to (55, 50) */
    s.position[0][0] = 10;
    expect_towards(&s, 15, -30, 0); /* (20, 50), and on along the first to (25, 50) */
    scene_lead(&s, 60, 90, 0);
    s.position[0][0] = 25; /* beside the middle of (60, 90) -> (20, 50), at (40, 70) */
    s.position[0][1] = 85;
    follow->off_segment = DUNLIN_OFF_SEGMENT_CLAMP;
    follow->ahead.distance = 5 * sqrtf(2);
    expect_towards(&s, 10, -20, 0);
    s.path_closed = false;
    s.position[0][0] = 30; /* (60, 85) */
    expect_towards(&s, 30, 5 * sqrt(2), 0);
}

static void the_next_segment_gives_the_direction(void **state) {
    (void)state;
    scene s;
    following(&s, 2)->off_segment = DUNLIN_OFF_SEGMENT_NEXT;
    scene_rest(&s, 10, 20, 0);
    scene_lead(&s, 20, 50, 0);
    scene_lead(&s, 60, 50, 0);
    scene_lead(&s, 60, 90, 0);
    expect_towards(&s, 50, 35, 0); /* (60, 50), and on to (60, 55) */
    s.position[0][0] = 72;         /* no segment follows the last: straight on, to (60, 95) */
    s.position[0][1] = 95;
    expect_towards(&s, -12, 0, 0);
}

static void the_first_of_the_nearest_counts(void **state) {
    (void)state;
    scene s;
    following(&s, 2);
    scene_rest(&s, 50, 40, 0);
    scene_lead(&s, 20, 20, 0);
    scene_lead(&s, 80, 20, 0);
    scene_lead(&s, 80, 60, 0);
    scene_lead(&s, 20, 60, 0);
    expect_towards(&s, 5, -20, 0);
    s.position[0][0] = 90; /* the corner (80, 20), of the first and the second */
    s.position[0][1] = 10;
    expect_towards(&s, -5, 10, 0);
}

/* If b - a is rounded, a + (b - a) may differ from b. A corner still belongs to both of its segments. */
static void corners_are_tied_however_they_round(void **state) {
    (void)state;
    for (int i = 1; i < 40; i++) {
        scene s;
        following(&s, 2);
        const float corner = 60.1f + 0.37f * (float)i;
        scene_rest(&s, corner + 10, 20, 0);
        scene_lead(&s, -100.1f / (float)i, 50.3f, 0);
        scene_lead(&s, corner, 50.3f, 0);
        scene_lead(&s, corner - 1, 90, 0);
        const double dx = (double)corner + 5 - (double)(corner + 10), dy = (double)50.3f - 20;
        expect_towards(&s, dx, dy, 0);
    }
}

static void equal_points_are_allowed(void **state) {
    (void)state;
    scene s;
    dunlin_follow *follow = following(&s, 2);
    scene_rest(&s, 40, 40, 0);
    scene_lead(&s, 20, 20, 0);
    scene_lead(&s, 20, 20, 0);
    scene_lead(&s, 60, 20, 0);
    scene_lead(&s, 60, 20, 0);
    for (int off = DUNLIN_OFF_SEGMENT_CLAMP; off <= DUNLIN_OFF_SEGMENT_NEXT; off++) {
        follow->off_segment = (dunlin_off_segment)off;
        s.position[0][0] = 40;
        expect_towards(&s, 5, -20, 0);
        s.position[0][0] = 10; /* (20, 20), of the first, which leads nowhere */
        expect_towards(&s, 10, -20, 0);
    }
    s.path_points = 2;
    expect_towards(&s, 10, -20, 0);
}

static void paths_do_not_reach_across_the_edge(void **state) {
    (void)state;
    scene s;
    following(&s, 2)->ahead.distance = 0;
    s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    scene_rest(&s, 95, 50, 0);
    scene_lead(&s, 5, 0, 0);
    scene_lead(&s, 5, 100, 0);
    expect_towards(&s, -90, 0, 0);
}

/* ---- the sketches ------------------------------------------------------------------------------------------------------ */

/* What a case.json says. */
typedef struct sketch {
    const char *name, *after_many;
    int many;
    float max_speed, max_force, separation_radius;
    uint32_t count;
    float points[2][8];
    bool closed;
    float prediction, ahead, weight;
    dunlin_off_segment off;
} sketch;

static const sketch sketches[] = {
    {"noc_5_06_path",
     "after_50.csv",
     50,
     4,
     0.1f,
     0,
     4,
     {{-20, 150, 430, 660}, {120, 60, 200, 120}},
     false,
     50,
     10,
     1,
     DUNLIN_OFF_SEGMENT_END},
    {"noc_ex_5_13_crowd_path",
     "after_10.csv",
     10,
     3,
     0.3f,
     24,
     5,
     {{30, 610, 610, 320, 30}, {30, 30, 210, 150, 210}},
     true,
     25,
     25,
     3,
     DUNLIN_OFF_SEGMENT_NEXT},
};
enum { SKETCHES = sizeof sketches / sizeof *sketches };
static const float side = 640;

static void add_rules(dunlin_world *world, const sketch *k) {
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = k->max_speed;
    species.max_force = k->max_force;
    world_add_species(world, &species);
    dunlin_interaction_def separation = dunlin_interaction_def_default();
    separation.rules[DUNLIN_RULE_SEPARATION].radius = k->separation_radius;
    if (k->separation_radius > 0) world_add_interaction(world, &separation);
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = k->count;
    path.points[0] = k->points[0];
    path.points[1] = k->points[1];
    path.closed = k->closed;
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    def.follow.path = world_add_path(world, &path);
    def.weight = k->weight;
    def.follow.radius = 20;
    def.follow.prediction.distance = k->prediction;
    def.follow.ahead.distance = k->ahead;
    def.follow.off_segment = k->off;
    world_add_behaviour(world, &def);
}

static dunlin_world *world_of_sketch(const sketch *k, world_variant variant) {
    dunlin_world_def def = dunlin_world_def_default();
    def.size[0] = side;
    def.size[1] = 240;
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    def.threads = 2;
    def = world_def_for(def, variant);
    dunlin_world *world = world_create(&def);
    add_rules(world, k);
    const recording r = read_recording(k->name, "before.csv");
    spawn_recording(world, &r);
    return world;
}

static void the_sketches_are_reproduced(void **state) {
    (void)state;
    for (int i = 0; i < SKETCHES; i++) {
        for (int v = 0; v < world_variant_count(); v++) {
            const sketch *k = &sketches[i];
            const recording first = read_recording(k->name, "after_1.csv"), last = read_recording(k->name, k->after_many);
            dunlin_world *world = world_of_sketch(k, world_variant_at(v));
            assert_true(deviation_from(world, &last).velocity > 0.05); /* they do run */
            world_run(world, 1);
            const deviation one = deviation_from(world, &first);
            world_run(world, k->many - 1);
            const deviation many = deviation_from(world, &last);
            if (v == 0)
                print_message("%-24s after 1: positions %.1e, velocities %.1e; after %d: %.1e, %.1e\n", k->name, one.position,
                              one.velocity, k->many, many.position, many.velocity);
            assert_true(one.position <= 1e-4 && one.velocity <= 1e-4);
            assert_true(many.position <= 1e-4 && many.velocity <= 1e-3);
            dunlin_world_destroy(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_that_leaves_the_path_turns_back),
        cmocka_unit_test(the_force_is_limited_and_weighted),
        cmocka_unit_test(at_rest_the_agents_position_counts),
        cmocka_unit_test(in_space),
        cmocka_unit_test(at_the_point_itself_there_is_no_direction),
        cmocka_unit_test(beyond_the_ends_of_an_open_path),
        cmocka_unit_test(a_closed_path_leads_back),
        cmocka_unit_test(the_next_segment_gives_the_direction),
        cmocka_unit_test(the_first_of_the_nearest_counts),
        cmocka_unit_test(corners_are_tied_however_they_round),
        cmocka_unit_test(equal_points_are_allowed),
        cmocka_unit_test(paths_do_not_reach_across_the_edge),
        cmocka_unit_test(the_sketches_are_reproduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
