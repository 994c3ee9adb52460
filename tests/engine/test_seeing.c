/* SPDX-License-Identifier: MIT */
/*
 * Which agents an agent sees: fields of view, shells, the nearest, the first. Worked out by hand, and the same however it is
 * computed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/effort.h"
#include "tests/lib/random.h"
#include "tests/lib/scene.h"

static const float quarter = 1.57079637f; /* of a turn, in radians */

/* Agent 0 in the middle runs along x. Cohesion turns it towards the mean of the agents that it sees. */
static scene looking(int dimensions, float vx) {
    scene s = scene_empty(dimensions);
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    scene_add(&s, 50, 50, 50, vx, 0, 0);
    return s;
}

static uint32_t place(scene *s, float x, float y, float z) {
    return scene_rest(s, 50 + x, 50 + y, 50 + z);
}

/* Fails unless the one neighbour at that offset is seen, or is not seen, as expected. */
static void expect_seen(const scene *empty, float x, float y, float z, bool seen) {
    scene s = *empty;
    const float *v = s.velocity[0];
    place(&s, x, y, z);
    scene_expect_velocity(&s, 0, (double)(v[0] + seen * x), (double)(v[1] + seen * y), (double)(v[2] + seen * z));
}

/* ---- fields of view ---------------------------------------------------------------------------------------------------- */

static void half_a_turn_is_all_around(void **state) {
    (void)state;
    scene s = looking(2, 1);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 2 * quarter;
    expect_seen(&s, -5, 0, 0, true);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0;
    expect_seen(&s, -5, 0, 0, true);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 3;
    expect_seen(&s, -5, 0, 0, false);
    expect_seen(&s, -5, 1, 0, true);      /* 2.94 */
    expect_seen(&s, -5, -0.5f, 0, false); /* 3.04 */
    expect_seen(&s, 5, 0, 0, true);
}

static void a_neighbour_beside_is_a_quarter_turn_away(void **state) {
    (void)state;
    for (int speed = 0; speed < 3; speed++) {
        scene s = looking(2, speed == 0 ? 1.0f : speed == 1 ? 1e-9f : 3.7f);
        s.rules.rules[DUNLIN_RULE_COHESION].half_angle = quarter;
        expect_seen(&s, 0, 5, 0, true);
        expect_seen(&s, 0, -5, 0, true);
        expect_seen(&s, 0x1p-12f, 5, 0, true);
        expect_seen(&s, -0x1p-12f, 5, 0, false);
    }
}

static void narrow_views_end_where_they_should(void **state) {
    (void)state;
    scene s = looking(2, 3);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.5f * quarter;
    expect_seen(&s, 4, 4 - 0x1p-16f, 0, true);
    expect_seen(&s, 4, 4 + 0x1p-16f, 0, false);
    expect_seen(&s, 4, -4 - 0x1p-16f, 0, false);
    expect_seen(&s, -4, 4, 0, false);
    s.velocity[0][1] = 4;
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.01f;
    expect_seen(&s, 3, 4, 0, true);
    expect_seen(&s, 3.02f, 4, 0, true);
    expect_seen(&s, 3.1f, 4, 0, false);
    expect_seen(&s, -3, -4, 0, false);
}

static void views_are_cones_in_space(void **state) {
    (void)state;
    scene s = looking(3, 2);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.9273f; /* acos 0.6, 0.92729… */
    expect_seen(&s, 3, 0, 4, true);
    expect_seen(&s, 3, 0, -4, true);
    expect_seen(&s, 3, 4, 0, true);
    expect_seen(&s, 3, 2.8284f, -2.8284f, true);
    expect_seen(&s, 3, 2.829f, -2.829f, false);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.9272f;
    expect_seen(&s, 3, 0, 4, false);
    s.velocity[0][0] = 0;
    s.velocity[0][2] = -1;
    expect_seen(&s, 3, 0, -4.01f, true);
    expect_seen(&s, 0, 0, 4, false);
}

static void resting_agents_see_all_around(void **state) {
    (void)state;
    scene s = looking(2, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.1f;
    expect_seen(&s, -5, 0, 0, true);
    expect_seen(&s, 0, 5, 0, true);
    s.velocity[0][0] = 1e-25f; /* its square has lost its precision */
    expect_seen(&s, -5, 0, 0, true);
    s = looking(3, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.1f;
    expect_seen(&s, 1, 2, -3, true);
}

static void an_agent_at_the_same_place_is_in_view(void **state) {
    (void)state;
    scene s = looking(2, 1);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.5f;
    place(&s, 4, 0, 0);
    place(&s, -4, 0, 0);
    place(&s, 0, 0, 0);
    scene_expect_velocity(&s, 0, 1 + 2, 0, 0);
    s.rules.ignore_coincident = true;
    scene_expect_velocity(&s, 0, 1 + 4, 0, 0);
}

static void each_rule_has_its_view(void **state) {
    (void)state;
    scene s = looking(2, 1);
    scene_direct(&s, DUNLIN_RULE_SEPARATION, 10);
    scene_direct(&s, DUNLIN_RULE_ALIGNMENT, 10);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.5f;
    s.rules.rules[DUNLIN_RULE_ALIGNMENT].half_angle = quarter;
    place(&s, 4, 0, 0);
    place(&s, 1, 5, 0);
    place(&s, -2, 0, 0);
    s.velocity[1][1] = 6;
    s.velocity[3][1] = 100;
    /* pushed by all: -(4, 0)/16 - (1, 5)/26 + (2, 0)/4; aligned with two: (0, 6)/2 - (1, 0); drawn to one: (4, 0) */
    scene_expect_velocity(&s, 0, 1 - 0.25 - 1.0 / 26 + 0.5 - 1 + 4, -5.0 / 26 + 3, 0);
}

static void views_look_across_the_seam(void **state) {
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        scene s = scene_empty(2);
        s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
        scene_direct(&s, DUNLIN_RULE_COHESION, 10);
        s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.5f;
        scene_add(&s, 1, 50, 0, forward ? -1 : 1, 0, 0);
        scene_rest(&s, 99, 50, 0);
        scene_expect_velocity(&s, 0, forward ? -1 - 2 : 1, 0, 0);
    }
}

/* ---- shells ------------------------------------------------------------------------------------------------------------ */

static void shells_begin_at_their_inner_radius(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scene s = looking(dimensions, 1);
        s.rules.rules[DUNLIN_RULE_COHESION].min_radius = 5;
        expect_seen(&s, 3, 4, 0, true);
        expect_seen(&s, 3, 4 - 0x1p-18f, 0, false);
        expect_seen(&s, 3, 4 + 0x1p-18f, 0, true);
        expect_seen(&s, 0, 0, 0, false);
        expect_seen(&s, 6, -8, 0, true);
        expect_seen(&s, 6, -8 - 0x1p-17f, 0, false);
    }
}

static void a_shell_may_be_as_thin_as_its_radius(void **state) {
    (void)state;
    scene s = looking(2, 1);
    s.rules.rules[DUNLIN_RULE_COHESION].radius = s.rules.rules[DUNLIN_RULE_COHESION].min_radius = 5;
    expect_seen(&s, 3, 4, 0, true);
    expect_seen(&s, 4, 4, 0, false);
    expect_seen(&s, 2, 4, 0, false);
}

static void each_rule_has_its_shell(void **state) {
    (void)state;
    scene s = looking(2, 1);
    scene_direct(&s, DUNLIN_RULE_SEPARATION, 10);
    scene_direct(&s, DUNLIN_RULE_ALIGNMENT, 10);
    s.rules.rules[DUNLIN_RULE_SEPARATION].falloff = DUNLIN_FALLOFF_LINEAR;
    s.rules.rules[DUNLIN_RULE_SEPARATION].min_radius = 3;
    s.rules.rules[DUNLIN_RULE_COHESION].min_radius = 8;
    place(&s, 0, 2, 0);
    place(&s, 0, 5, 0);
    place(&s, 0, 8, 0);
    for (int i = 1; i < 4; i++) s.velocity[i][0] = (float)(3 * i);
    /* pushed by the two that are farther: 1 - 5/10 and 1 - 8/10; aligned with all three: (6, 0) - (1, 0); drawn to the last */
    scene_expect_velocity(&s, 0, 1 + 5, -0.5 - 0.2 + 8, 0);
}

/* ---- the nearest ------------------------------------------------------------------------------------------------------- */

static void only_the_nearest_are_seen(void **state) {
    (void)state;
    scene s = looking(2, 1);
    place(&s, 4, 0, 0);
    place(&s, 0, -3, 0);
    place(&s, -6, 0, 0);
    s.rules.nearest = 1;
    scene_expect_velocity(&s, 0, 1, -3, 0);
    s.rules.nearest = 2;
    scene_expect_velocity(&s, 0, 1 + 2, -1.5, 0);
    s.rules.nearest = 3;
    scene_expect_velocity(&s, 0, 1 - 2.0 / 3, -1, 0);
    s.rules.nearest = 7;
    scene_expect_velocity(&s, 0, 1 - 2.0 / 3, -1, 0);
    s.rules.nearest = 8;
    scene_expect_velocity(&s, 0, 1 - 2.0 / 3, -1, 0);
    s.rules.nearest = 32;
    scene_expect_velocity(&s, 0, 1 - 2.0 / 3, -1, 0);
}

static void the_nearest_are_within_the_radius(void **state) {
    (void)state;
    scene s = looking(3, 1);
    s.rules.nearest = 2;
    place(&s, 0, 0, 5);
    place(&s, 0, 11, 0);
    scene_expect_velocity(&s, 0, 1, 0, 5);
}

/* The grid and the tree store those on the left first, brute force those with the lower ids. */
static void the_minimum_ids_of_equally_near_agents_are_seen(void **state) {
    (void)state;
    for (int mirror = -1; mirror < 2; mirror += 2) {
        const float left = (float)mirror;
        scene s = looking(2, 0);
        place(&s, 5 * left, 0, 0);
        place(&s, -5 * left, 0, 0);
        place(&s, 3 * left, 4, 0);
        place(&s, -3 * left, -4, 0);
        s.rules.nearest = 1;
        scene_expect_velocity(&s, 0, (double)(5 * left), 0, 0);
        s.rules.nearest = 2;
        scene_expect_velocity(&s, 0, 0, 0, 0);
        s.rules.nearest = 3;
        scene_expect_velocity(&s, 0, (double)left, 4.0 / 3, 0);
        place(&s, left, 0, 0); /* it is nearer, so one of the others is not seen */
        scene_expect_velocity(&s, 0, (double)left / 3, 0, 0);
    }
}

static void the_last_id_at_the_radius_itself_is_seen(void **state) {
    (void)state;
    scene s = looking(2, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].radius = 5;
    place(&s, 3, 4, 0);
    place(&s, 3, -4, 0);
    place(&s, 5, 0, 0);
    for (int nearest = 3; nearest <= 9; nearest += 3) {
        s.rules.nearest = nearest;
        scene_expect_velocity(&s, 0, 11.0 / 3, 0, 0);
    }
}

/* Agents behind do not count among the nearest, nor do those inside the shell. */
static void the_nearest_are_among_those_that_a_rule_counts(void **state) {
    (void)state;
    scene s = looking(2, 1);
    place(&s, -2, 0, 0);
    place(&s, 6, 0, 0);
    place(&s, 8, 0, 0);
    s.rules.nearest = 1;
    scene_expect_velocity(&s, 0, 1 - 2, 0, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = quarter;
    scene_expect_velocity(&s, 0, 1 + 6, 0, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].min_radius = 7;
    scene_expect_velocity(&s, 0, 1 + 8, 0, 0);
    scene_direct(&s, DUNLIN_RULE_SEPARATION, 3); /* counts the agent behind, which then is the nearest */
    scene_expect_velocity(&s, 0, 1 + 0.5, 0, 0);
    s.rules.nearest = 2;
    scene_expect_velocity(&s, 0, 1 + 0.5 + 8, 0, 0);
}

static void coincident_ones_are_nearest_unless_they_are_ignored(void **state) {
    (void)state;
    scene s = looking(2, 0);
    s.rules.nearest = 1;
    place(&s, 0, 2, 0);
    place(&s, 0, 0, 0);
    scene_expect_velocity(&s, 0, 0, 0, 0);
    s.rules.ignore_coincident = true;
    scene_expect_velocity(&s, 0, 0, 2, 0);
}

/* ---- the first --------------------------------------------------------------------------------------------------------- */

/* All indexes store these in the order of x: the world is small enough for a grid that is not folded. */
static void only_the_first_are_seen(void **state) {
    (void)state;
    scene s = scene_empty(2);
    s.world.size[0] = s.world.size[1] = 32;
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    scene_rest(&s, 8, 16, 0);
    scene_rest(&s, 12, 16, 0);
    scene_add(&s, 16, 16, 0, 0, 1, 0);
    scene_rest(&s, 22, 16, 0);
    s.rules.max_neighbours = 1;
    scene_expect_velocity(&s, 2, -8, 1, 0);
    s.rules.max_neighbours = 2;
    scene_expect_velocity(&s, 2, -6, 1, 0);
    s.rules.max_neighbours = 3;
    scene_expect_velocity(&s, 2, -2, 1, 0);
    s.rules.max_neighbours = INT32_MAX;
    scene_expect_velocity(&s, 2, -2, 1, 0);
    s.rules.nearest = 2;
    s.rules.max_neighbours = 1; /* of the nearest two */
    scene_expect_velocity(&s, 2, -4, 1, 0);
    s.rules.nearest = 0;
    s.rules.rules[DUNLIN_RULE_COHESION].min_radius = 5; /* agents that do not count take no place */
    s.rules.max_neighbours = 2;
    scene_expect_velocity(&s, 2, -1, 1, 0);
}

/* ---- however it is computed -------------------------------------------------------------------------------------------- */

static dunlin_interaction_def any_sight(int variant) {
    dunlin_interaction_def def = world_flocking_rules(6);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        def.rules[r].response = DUNLIN_RESPONSE_DIRECT;
        if (variant & 1) def.rules[r].half_angle = 2.0f;
    }
    if (variant & 2) def.rules[DUNLIN_RULE_COHESION].half_angle = 1.0f;
    if (variant & 4) def.nearest = variant & 16 ? 12 : 5;
    if (variant & 8) def.rules[DUNLIN_RULE_COHESION].min_radius = 3;
    if (variant & 32) def.max_neighbours = 9;
    return def;
}

static dunlin_world *crowd(const dunlin_world_def *def, const dunlin_interaction_def *rules) {
    dunlin_world *world = world_create(def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_force = 1e6f;
    species.max_speed = 1e6f;
    world_add_species(world, &species);
    world_add_interaction(world, rules);
    return world;
}

/*
 * On a lattice with short velocities all sums are exact, so that their order does not matter. Many neighbours are equally
 * near.
 */
static void spawn_lattice(dunlin_world *world, uint32_t count) {
    test_random random = {5};
    for (uint32_t i = 0; i < count; i++) {
        float position[3], velocity[3];
        for (int a = 0; a < 3; a++) {
            position[a] = 0.5f * (float)test_below(&random, 64);
            velocity[a] = (float)test_below(&random, 9) - 4.0f;
        }
        world_spawn(world, 0, position, velocity);
    }
}

static uint64_t lattice_hash(const char *index, int dimensions, int variant, uint64_t *seen) {
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = dimensions;
    for (int a = 0; a < 3; a++) def.size[a] = 32;
    def.index = index;
    dunlin_interaction_def rules = any_sight(variant);
    rules.rules[DUNLIN_RULE_SEPARATION].radius = 0; /* its push is not exact */
    dunlin_world *world = crowd(&def, &rules);
    spawn_lattice(world, TEST_SLOW ? 300 : dimensions == 3 ? 1000 : 600);
    world_run(world, 1);
    const uint64_t hash = dunlin_world_state_hash(world);
    *seen = dunlin_world_stats(world).pairs_useful;
    dunlin_world_destroy(world);
    return hash;
}

static void every_index_sees_what_all_pairs_see(void **state) {
    (void)state;
    for (int variant = 1; variant < 32; variant++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            uint64_t grid, tree, brute;
            const uint64_t hash = lattice_hash("brute", dimensions, variant, &brute);
            assert_true(lattice_hash("grid", dimensions, variant, &grid) == hash);
            assert_true(lattice_hash("tree", dimensions, variant, &tree) == hash);
            assert_true(grid == brute && tree == brute && brute > 0);
        }
    }
}

static uint64_t run_hash(const char *kernel, int threads, int dimensions, int variant) {
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = dimensions;
    for (int a = 0; a < 3; a++) def.size[a] = dimensions == 3 ? 30.0f : 60.0f;
    def.kernel = kernel;
    def.threads = threads;
    const dunlin_interaction_def rules = any_sight(variant);
    dunlin_world *world = crowd(&def, &rules);
    world_scatter(world, 0, 2903);
    world_run(world, 3);
    const uint64_t hash = dunlin_world_state_hash(world);
    dunlin_world_destroy(world);
    return hash;
}

/* One state for every machine; DUNLIN_PRINT_GOLDEN=1 prints them. */
static const struct {
    int dimensions, variant;
    uint64_t hash;
} golden[] = {
    {2, 1, 0xa03ae0486b937a36},                              /* one view */
    {3, 1, 0x2621741a36cb0b20},  {2, 4, 0xfcbccfe87c97705f}, /* nearest */
    {3, 5, 0x16116de11e631506},                              /* in view */
    {3, 30, 0x1a7bb725ce7a89ad},                             /* in a rule's view and shell */
    {2, 43, 0xa0aaa37beb30dcc8},                             /* and the first */
};

static void one_state_for_all_threads_and_kernels(void **state) {
    (void)state;
    static const int threads[] = TEST_THREADS(1, 2, 3, 5);
    for (size_t g = 0; g < sizeof golden / sizeof *golden; g++) {
        const int dimensions = golden[g].dimensions, variant = golden[g].variant;
        if (getenv("DUNLIN_PRINT_GOLDEN")) {
            printf("    {%d, %d, 0x%016" PRIx64 "},\n", dimensions, variant, run_hash("scalar", 1, dimensions, variant));
            continue;
        }
        for (int k = 0; k < dunlin_kernel_count(); k++) {
            const dunlin_kernel_info kernel = dunlin_kernel_at(k);
            for (size_t t = 0; t < sizeof threads / sizeof *threads && kernel.runs_here; t++)
                if (run_hash(kernel.name, threads[t], dimensions, variant) != golden[g].hash)
                    fail_msg("%dD, variant %d: another state with %s and %d threads", dimensions, variant, kernel.name,
                             threads[t]);
        }
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------------- */

static void refuse(dunlin_interaction_def def, const char *field, const char *allowed) {
    const dunlin_world_def world_def = dunlin_world_def_default();
    const dunlin_species_def species = dunlin_species_def_default();
    dunlin_world *world = world_create(&world_def);
    world_add_species(world, &species);
    REFUSE(dunlin_world_add_interaction(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, field, allowed);
    dunlin_world_destroy(world);
}

static void mistakes_are_named(void **state) {
    (void)state;
    static const char *const views[] = {"interaction.separation.half_angle is", "interaction.alignment.half_angle is",
                                        "interaction.cohesion.half_angle is"};
    static const float bad_views[] = {-0.1f, 3.1416f, INFINITY, NAN}, bad_shells[] = {-1, 6.5f, INFINITY, NAN};
    static const int bad_counts[] = {-1, 33, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 4; i++) {
        dunlin_interaction_def def = world_flocking_rules(6);
        def.rules[i % 3].half_angle = bad_views[i];
        refuse(def, views[i % 3], "at least 0 and at most 3.14159 radians");
        def = world_flocking_rules(6);
        def.rules[DUNLIN_RULE_ALIGNMENT].min_radius = bad_shells[i];
        refuse(def, "interaction.alignment.min_radius is", "at least 0 and at most 6 world units");
        def = world_flocking_rules(6);
        def.nearest = bad_counts[i];
        refuse(def, "interaction.nearest is", "at least 0 and at most 32");
    }
    dunlin_interaction_def def = world_flocking_rules(6);
    def.max_neighbours = -1;
    refuse(def, "interaction.max_neighbours is -1", "at least 0");
    def = world_flocking_rules(6);
    def.rules[DUNLIN_RULE_COHESION].radius = 0;
    def.rules[DUNLIN_RULE_COHESION].min_radius = 1; /* of a rule that is off */
    refuse(def, "interaction.cohesion.min_radius is 1", "at most 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_turn_is_all_around),
        cmocka_unit_test(a_neighbour_beside_is_a_quarter_turn_away),
        cmocka_unit_test(narrow_views_end_where_they_should),
        cmocka_unit_test(views_are_cones_in_space),
        cmocka_unit_test(resting_agents_see_all_around),
        cmocka_unit_test(an_agent_at_the_same_place_is_in_view),
        cmocka_unit_test(each_rule_has_its_view),
        cmocka_unit_test(views_look_across_the_seam),
        cmocka_unit_test(shells_begin_at_their_inner_radius),
        cmocka_unit_test(a_shell_may_be_as_thin_as_its_radius),
        cmocka_unit_test(each_rule_has_its_shell),
        cmocka_unit_test(only_the_nearest_are_seen),
        cmocka_unit_test(the_nearest_are_within_the_radius),
        cmocka_unit_test(the_minimum_ids_of_equally_near_agents_are_seen),
        cmocka_unit_test(the_last_id_at_the_radius_itself_is_seen),
        cmocka_unit_test(the_nearest_are_among_those_that_a_rule_counts),
        cmocka_unit_test(coincident_ones_are_nearest_unless_they_are_ignored),
        cmocka_unit_test(only_the_first_are_seen),
        cmocka_unit_test(every_index_sees_what_all_pairs_see),
        cmocka_unit_test(one_state_for_all_threads_and_kernels),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests_name("seeing", tests, NULL, NULL);
}
