/* SPDX-License-Identifier: MIT */
/* Following paths: single steps worked out by hand. test_kernels_path.c has an oracle, test_conformance.c the sketches. */
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
TEST(an_agent_that_leaves_the_path_turns_back) {
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
    follow->prediction = (dunlin_ahead){0, 5}; /* n = (20, 50), to (25, 50) */
    expect_towards(&s, 15, 20, 0);
    follow->ahead = (dunlin_ahead){0, 7}; /* to (34, 50) */
    expect_towards(&s, 24, 20, 0);
}

/* p = 6 + 2·5 further, (26, 30), and n = (26, 50), 20 away: 3 + 2·4 + 20/4 ahead, to (42, 50). */
TEST(distance_speed_and_the_distance_from_the_path_add_up) {
    scene s;
    dunlin_follow *follow = following(&s, 2);
    scene_add(&s, 10, 30, 0, 2, 0, 0);
    scene_lead(&s, 0, 50, 0);
    scene_lead(&s, 100, 50, 0);
    follow->prediction = (dunlin_ahead){6, 5};
    follow->ahead = (dunlin_ahead){3, 4};
    follow->ahead_share = 0.25f;
    expect_towards(&s, 32, 20, 0);
    s.velocity[0][0] = 0; /* at rest there is only the distance: n = (10, 50), to (18, 50) */
    expect_towards(&s, 8, 20, 0);
}

TEST(the_force_is_limited_and_weighted) {
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

TEST(at_the_point_itself_there_is_no_direction) {
    scene s;
    following(&s, 2)->ahead.distance = 0;
    s.behaviour[0].follow.prediction.distance = 20;
    scene_add(&s, 16, 50, 0, 0, 1, 0); /* p = (16, 70), n = (16, 50), exactly */
    scene_lead(&s, 0, 50, 0);
    scene_lead(&s, 64, 50, 0);
    scene_expect_velocity(&s, 0, 0, 1, 0);
}

TEST(beyond_the_ends_of_an_open_path) {
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

TEST(the_first_of_the_nearest_counts) {
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
TEST_EACH(corners_are_tied_however_they_round, i, 1, 40) {
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

TEST(equal_points_are_allowed) {
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

TEST(paths_do_not_reach_across_the_edge) {
    scene s;
    following(&s, 2)->ahead.distance = 0;
    s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    scene_rest(&s, 95, 50, 0);
    scene_lead(&s, 5, 0, 0);
    scene_lead(&s, 5, 100, 0);
    expect_towards(&s, -90, 0, 0);
}
