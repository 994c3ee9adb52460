/* SPDX-License-Identifier: MIT */
/* Paths: through points and through agents, as they are given, moved and replaced; mistakes. */
#include <sys/stat.h>

#include "tests/lib/scene.h"

/* ---- paths through agents ---------------------------------------------------------------------------------------------- */

enum { FOLLOWERS = 50, LEADERS = 30 };

/* Followers, species 0; leaders, species 1, move straight on, and are sorted each frame where they look at each other. */
static dunlin_world *led(world_variant variant, bool sorted) {
    const dunlin_world_def def = world_def_for(world_def_with((world_parts){.dimensions = 3}), variant);
    dunlin_world *world = world_create(&def);
    world_add_species(world, NULL);
    world_add_named(world, "leaders");
    if (sorted) world_add_flocking(world, 1, 1, 8);
    world_scatter(world, 0, FOLLOWERS);
    world_scatter(world, 1, LEADERS);
    return world;
}

static void follow(dunlin_world *world, const dunlin_path_def *path) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    def.follow.path = world_add_path(world, path);
    def.follow.radius = 1;
    world_add_behaviour(world, &def);
}

static void where_they_are(dunlin_world *world, const uint32_t *ids, uint32_t count, float places[3][LEADERS]) {
    const dunlin_view view = dunlin_world_view(world, 1);
    for (uint32_t i = 0; i < count; i++) {
        const dunlin_slot slot = dunlin_world_find_agent(world, ids[i]);
        assert_int_equal(slot.species, 1);
        for (int a = 0; a < 3; a++) places[a][i] = view.position[a][slot.index];
    }
}

/* A twin follows points that are put before each step where the agents are. */
static void compare_with_points(world_variant variant, const uint32_t *ids, uint32_t count, bool sorted) {
    float places[3][LEADERS];
    const float *const points[] = {places[0], places[1], places[2]};
    dunlin_world *world = led(variant, sorted), *twin = led(variant, sorted);
    where_they_are(world, ids, count, places);
    dunlin_path_def def = dunlin_path_def_default(world);
    def.count = count;
    def.closed = count % 2;
    def.agents = ids;
    follow(world, &def);
    def.agents = NULL;
    for (int a = 0; a < 3; a++) def.points[a] = points[a];
    follow(twin, &def);
    const uint64_t before = dunlin_world_state_hash(world);
    for (int step = 0; step < 10; step++) {
        where_they_are(twin, ids, count, places);
        ACCEPT(dunlin_world_move_path(twin, 0, points, &refusal));
        world_run(world, 1);
        world_run(twin, 1);
        for (int a = 0; a < 3; a++)
            assert_memory_equal(dunlin_world_get_path(world, 0).points[a], places[a], count * sizeof(float));
        assert_true(dunlin_world_state_hash(world) == dunlin_world_state_hash(twin));
    }
    assert_true(dunlin_world_state_hash(world) != before);
    world_destroy(world);
    world_destroy(twin);
}

TEST_EACH(agents_are_followed, v, 0, world_variant_count()) {
    static const uint32_t few[] = {71, 55, 71},
                          many[] = {50, 79, 61, 50, 52, 77, 63, 61, 70, 71, 72, 73, 50, 58, 59, 60, 75, 76, 51};
    for (int sorted = 0; sorted < 2; sorted++) {
        compare_with_points(world_variant_at(v), few, sizeof few / sizeof *few, sorted);
        compare_with_points(world_variant_at(v), many, sizeof many / sizeof *many, sorted);
    }
}

/* Agent 100 is missing, until it is born. */
TEST(a_path_through_nobody_is_not_followed) {
    uint32_t ids[12];
    for (uint32_t count = 2; count <= 12; count += 10) {
        for (uint32_t i = 0; i < 12; i++) ids[i] = 50 + i;
        ids[count - 1] = 100;
        dunlin_world *world = led(world_variant_at(0), false), *twin = led(world_variant_at(0), false);
        dunlin_path_def def = dunlin_path_def_default(world);
        def.count = count;
        def.agents = ids;
        follow(world, &def);
        world_run_alike(world, twin, 3);
        const float place[] = {1, 2, 3}, rest[] = {0, 0, 0};
        const dunlin_batch batch = {.cookie = WORLD_COOKIE,
                                    .count = 1,
                                    .position = {place, place + 1, place + 2},
                                    .velocity = {rest, rest, rest},
                                    .ids = (const uint32_t[]){100}};
        ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
        ACCEPT(dunlin_world_spawn(twin, 0, &batch, NULL, &refusal));
        world_run(world, 1);
        world_run(twin, 1);
        assert_true(dunlin_world_state_hash(world) != dunlin_world_state_hash(twin));
        assert_true(dunlin_world_get_path(world, 0).points[2][count - 1] == 3);
        world_destroy(world);
        world_destroy(twin);
    }
}

/* In an open world agents may be where no path may be. */
TEST_EACH(a_path_through_lost_agents_does_no_harm, v, 0, world_variant_count()) {
    const dunlin_world_def open = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_OPEN});
    const dunlin_world_def varied = world_def_for(open, world_variant_at(v));
    dunlin_world *world = world_create(&varied);
    world_add_species(world, NULL);
    dunlin_path_def def = dunlin_path_def_default(world);
    def.count = 2;
    def.agents = (const uint32_t[]){0, 1};
    follow(world, &def);
    const float x[] = {-1e38f, 1e38f, 0, 1e38f}, y[] = {1e38f, 1e38f, 0, -1e38f}, rest[] = {0, 0, 0, 0};
    const dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = 4, .position = {x, y}, .velocity = {rest, rest}};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    world_run(world, 3);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < 4; i++)
        for (int a = 0; a < 2; a++) assert_true(isfinite(view.position[a][i]) && isfinite(view.velocity[a][i]));
    assert_true(dunlin_world_get_path(world, 0).points[0][1] == 1e9f);
    assert_true(view.velocity[1][2] > 0.09f); /* up to the line y = 1e9 */
}

/* ---- paths themselves -------------------------------------------------------------------------------------------------- */

static const float good[] = {1, 2, 3}, infinite[] = {1, 2, INFINITY}, distant[] = {1, -2e9f, 3}, absent[] = {NAN, 2, 3};

static dunlin_world *of_three_points(dunlin_path_def *def) {
    const dunlin_world_def three = world_def_with((world_parts){.dimensions = 3});
    dunlin_world *world = world_create(&three);
    world_add_species(world, NULL);
    *def = dunlin_path_def_default(world);
    def->count = 3;
    for (int a = 0; a < 3; a++) def->points[a] = good;
    return world;
}

TEST(a_path_is_as_it_was_given) {
    dunlin_path_def def;
    dunlin_world *world = of_three_points(&def);
    int first = -1, second = -1;
    const size_t bytes = dunlin_world_bytes(world);
    first = world_add_path(world, &def);
    assert_true(dunlin_world_bytes(world) > bytes + 3 * 3 * sizeof(float));
    def.closed = true;
    for (int a = 0; a < 3; a++) def.points[a] = NULL;
    def.agents = (const uint32_t[]){5, 6, 5};
    second = world_add_path(world, &def);
    assert_int_equal(first, 0);
    assert_int_equal(second, 1);
    assert_int_equal(dunlin_world_path_count(world), 2);
    dunlin_path_def view = dunlin_world_get_path(world, 0);
    assert_int_equal(view.count, 3);
    assert_false(view.closed);
    assert_null(view.agents);
    for (int a = 0; a < 3; a++) assert_memory_equal(view.points[a], good, sizeof good);
    assert_ptr_not_equal(view.points[0], good);
    view = dunlin_world_get_path(world, 1);
    assert_true(view.closed);
    assert_memory_equal(view.agents, def.agents, 3 * sizeof(uint32_t));
    assert_int_equal(dunlin_world_get_path(world, 2).count, 0);
    assert_int_equal(dunlin_world_get_path(world, -1).count, 0);
}

TEST(its_points_can_be_moved) {
    dunlin_path_def def;
    dunlin_world *world = of_three_points(&def);
    world_add_path(world, &def);
    const dunlin_path_def view = dunlin_world_get_path(world, 0);
    const float other[] = {7, 8, 9};
    const float *const points[] = {other, good, other};
    ACCEPT(dunlin_world_move_path(world, 0, points, &refusal));
    assert_memory_equal(view.points[0], other, sizeof other);
    assert_memory_equal(view.points[1], good, sizeof good);
    const float *const bad[][3] = {{good, good, infinite}, {good, distant, good}, {absent, good, good}, {good, good, NULL}};
    const char *const said[][2] = {
        {"points[2][2]", "inf"}, {"points[1][1]", "-2e+09"}, {"points[0][0]", "nan"}, {"points[2]", "NULL"}};
    for (int i = 0; i < 4; i++) {
        REFUSE(dunlin_world_move_path(world, 0, bad[i], &refusal), DUNLIN_ERROR_VALUE, said[i][0], said[i][1]);
        assert_memory_equal(view.points[0], other, sizeof other);
    }
    for (int a = 0; a < 3; a++) def.points[a] = NULL;
    def.agents = (const uint32_t[]){0, 1, 2};
    world_add_path(world, &def);
    REFUSE(dunlin_world_move_path(world, 1, points, &refusal), DUNLIN_ERROR_VALUE, "path is 1", "agents");
}

/* What get gives, set takes: its arrays are the path's own. */
TEST(a_path_can_be_replaced) {
    dunlin_path_def def;
    dunlin_world *world = of_three_points(&def);
    world_add_path(world, &def);
    dunlin_path_def changed = dunlin_world_get_path(world, 0);
    changed.count = 2;
    changed.closed = true;
    ACCEPT(dunlin_world_set_path(world, 0, &changed, &refusal));
    dunlin_path_def now = dunlin_world_get_path(world, 0);
    assert_true(now.count == 2 && now.closed && !now.agents);
    for (int a = 0; a < 3; a++) assert_memory_equal(now.points[a], good, 2 * sizeof(float));
    changed = now;
    changed.agents = (const uint32_t[]){7, 9}; /* then its points are not read */
    changed.points[0] = absent;
    ACCEPT(dunlin_world_set_path(world, 0, &changed, &refusal));
    now = dunlin_world_get_path(world, 0);
    assert_true(now.agents[0] == 7 && now.agents[1] == 9 && now.points[0][0] == 0);
    ACCEPT(dunlin_world_set_path(world, 0, &now, &refusal));
    changed.agents = NULL;
    REFUSE(dunlin_world_set_path(world, 0, &changed, &refusal), DUNLIN_ERROR_VALUE, "path.points[0]");
    assert_true(dunlin_world_get_path(world, 0).agents[1] == 9);
}

TEST(mistaken_paths_are_refused) {
    dunlin_path_def right;
    dunlin_world *world = of_three_points(&right);
    dunlin_path_def def = right;
    def.count = 1;
    REFUSE(dunlin_world_add_path(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "path.count is 1", "2");
    def.count = 1000001;
    REFUSE(dunlin_world_add_path(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "path.count", "1e+06");
    def = right;
    def.points[2] = NULL;
    REFUSE(dunlin_world_add_path(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "path.points[2] is NULL");
    def.points[2] = infinite;
    REFUSE(dunlin_world_add_path(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "path.points[2][2] is inf");
    def.points[2] = distant;
    REFUSE(dunlin_world_add_path(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "path.points[2][1] is -2e+09");
    def.points[2] = absent;
    REFUSE(dunlin_world_add_path(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "path.points[2][0] is nan");
    assert_int_equal(dunlin_world_path_count(world), 0);
}

/* Both ends of what is allowed; and in a plane no third axis is read. */
TEST(what_is_just_allowed_is_accepted) {
    enum { MOST = 1000000 };
    float *many = calloc(MOST, sizeof *many);
    assert_non_null(many);
    many[0] = -1e9f;
    many[1] = 1e9f;
    dunlin_world *world = world_create(NULL);
    dunlin_path_def def = dunlin_path_def_default(world);
    def.points[0] = def.points[1] = many;
    def.points[2] = infinite;
    def.count = 2;
    world_add_path(world, &def);
    def.count = MOST;
    world_add_path(world, &def);
    ACCEPT(dunlin_world_move_path(world, 0, (const float *const[]){many, many, NULL}, &refusal));
    assert_true(!dunlin_world_get_path(world, 0).points[2] && dunlin_world_get_path(world, 0).points[0][1] == 1e9f);
    free(many);
}

TEST(mistaken_followers_are_refused) {
    dunlin_path_def path;
    dunlin_world *world = of_three_points(&path);
    dunlin_behaviour_def right = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH), def = right;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.follow.path is 0", "has 0");
    world_add_path(world, &path);
    world_add_behaviour(world, &def);
#define REFUSED(field, value, ...)                                                                                             \
    def = right;                                                                                                               \
    def.follow.field = value;                                                                                                  \
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.follow." #field, __VA_ARGS__)
    REFUSED(path, 1, "is 1");
    REFUSED(path, -1, "is -1");
    REFUSED(radius, -1, "at least 0");
    REFUSED(radius, INFINITY, "inf");
    REFUSED(prediction.distance, 2e9f, "world units");
    REFUSED(ahead.distance, NAN, "nan");
    REFUSED(prediction.time, -1, "time units");
    REFUSED(ahead.time, 2e6f, "time units");
    REFUSED(ahead_share, -1, "at least 0");
#undef REFUSED
    assert_int_equal(dunlin_world_behaviour_count(world), 1);
}
