/* SPDX-License-Identifier: MIT */
/* What a scenario file says is what its world has. */
#include <errno.h>

#include <cairo.h>

#include "engine/base/c_locale.h"
#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/scenario_helpers.h"

/* ---- what a file says -------------------------------------------------------------------------------------------------- */

TEST(fields_that_are_left_out_have_defaults) {
    dunlin_scenario *scenario = NULL;
    write_text("{}\n");
    ACCEPT(dunlin_scenario_open(scenario_file, NULL, &scenario, &refusal));
    assert_string_equal(dunlin_scenario_name(scenario), "scenario");
    assert_string_equal(dunlin_scenario_description(scenario), "");
    assert_string_equal(dunlin_scenario_path(scenario), scenario_file);
    assert_true(dunlin_scenario_steps(scenario) == 1000);
    scenario_close(scenario);
    dunlin_scenario_close(NULL);
    scenario_run f = scenario_begin("{}\n", NULL);
    dunlin_world *world = f.world;
    const dunlin_world_def def = dunlin_world_get_def(world), standard = dunlin_world_def_default();
    assert_true(def.dimensions == 2 && def.size[0] == standard.size[0] && def.boundary == standard.boundary && def.seed == 1);
    assert_int_equal(dunlin_world_species_count(world), 1);
    assert_int_equal(dunlin_world_agent_count(world), 1000);
    world_run(world, 1);
    assert_int_equal(dunlin_world_stats(world).pairs_useful, 0); /* no species observes another */
}

TEST(every_field_of_a_world_arrives) {
    scenario_run f = scenario_begin(case_text("every_field_of_a_world.yaml"), NULL);
    dunlin_world *world = f.world;
    const dunlin_world_def def = dunlin_world_get_def(world);
    assert_true(def.dimensions == 3 && def.size[0] == 10 && def.size[1] == 20.5f && def.size[2] == 30);
    assert_true(def.boundary == DUNLIN_BOUNDARY_TELEPORT && def.margin == 1.5f && def.boundary_first && !def.keep_overshoot);
    assert_true(def.integrator == DUNLIN_INTEGRATOR_EXPLICIT && def.time_step == 0.25f && def.forces_are_increments);
    assert_true(def.seed == UINT64_MAX);
    const dunlin_species_def first = dunlin_world_get_species(world, 0);
    assert_string_equal(first.name, "first");
    assert_true(first.min_speed == 0.5f && first.max_speed == 2 && first.max_force == 0.25f && first.drag == 0.125f &&
                first.friction == 0.0625f);
    assert_true(dunlin_world_view(world, 0).count == 3 && dunlin_world_view(world, 1).count == 0);
}

/* One agent pulls another as the rules say: each field changes the velocity after a step. */
static void expect_velocity(const test_case *c) {
    char text[512];
    dunlin_simulation_def options = dunlin_simulation_def_default();
    options.init = "start.csv";
    snprintf(text, sizeof text, "species:\n  - max_speed: 1000\ninteractions:\n%s", c->text);
    scenario_run f = scenario_begin(text, &options);
    world_run(f.world, 1);
    const dunlin_view view = dunlin_world_view(f.world, 0);
    const uint32_t slot = dunlin_world_find_agent(f.world, 0).index;
    for (int a = 0; a < 2; a++) {
        DUN_C_LOCALE();
        const float want = strtof(c->word[a], NULL), got = view.velocity[a][slot];
        if (!(fabsf(got - want) < 1e-5f)) fail_msg("line %d: %g, not %g", c->line, (double)got, (double)want);
    }
    scenario_end(&f);
}

TEST(every_field_of_a_rule_arrives) {
    write_file("start.csv", "id,x,y,vx,vy\n0,10,10,0,0\n1,13,14,0,7\n");
    for_each_case("program/cases/rules.txt", 17, expect_velocity);
    remove("start.csv");
}

TEST(species_observe_by_name) {
    scenario_run f = scenario_begin("species:\n"
                                    "  - {name: dove, agents: 40}\n"
                                    "  - {name: hawk, agents: 2}\n"
                                    "interactions:\n"
                                    "  - {observer: hawk, observed: dove, cohesion: {radius: 1000}}\n",
                                    NULL);
    dunlin_world *world = f.world;
    world_run(world, 1);
    assert_int_equal(dunlin_world_stats(world).pairs_useful, 80);
}

TEST(starts_share_out_the_agents) {
    scenario_run f =
        scenario_begin("species:\n"
                       "  - agents: 100\n"
                       "    start:\n"
                       "      - {region: ball, centre: [20, 20], extent: [5], share: 3, min_speed: 0, max_speed: 0}\n"
                       "      - {centre: [80, 80], extent: [5, 1]}\n",
                       NULL);
    dunlin_world *world = f.world;
    const dunlin_view view = dunlin_world_view(world, 0);
    assert_int_equal(view.count, 100);
    for (uint32_t i = 0; i < 100; i++) {
        const float x = view.position[0][i], y = view.position[1][i];
        if (i < 75)
            assert_true(hypotf(x - 20, y - 20) <= 5.001f && view.velocity[0][i] == 0);
        else
            assert_true(fabsf(x - 80) <= 5.001f && fabsf(y - 80) <= 1.001f);
    }
    scenario_end(&f);
}

/* A start's velocity is exact unless the file gives speeds: then each agent adds such a speed in a random direction. */
TEST(starts_may_have_a_velocity) {
    scenario_run f = scenario_begin("species:\n"
                                    "  - agents: 100\n"
                                    "    start:\n"
                                    "      - {velocity: [3, -4]}\n"
                                    "      - {velocity: [3, -4], min_speed: 0.5, max_speed: 0.5}\n",
                                    NULL);
    dunlin_world *world = f.world;
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < 100; i++) {
        const float besides = hypotf(view.velocity[0][i] - 3, view.velocity[1][i] + 4);
        assert_true(i < 50 ? besides == 0 : fabsf(besides - 0.5f) < 1e-5f);
    }
}

TEST(a_ball_fits_into_its_world) {
    scenario_run f = scenario_begin("world: {size: [640, 240]}\nspecies:\n  - {agents: 200, start: [{region: ball}]}\n", NULL);
    dunlin_world *world = f.world;
    const dunlin_view view = dunlin_world_view(world, 0);
    float furthest = 0;
    for (uint32_t i = 0; i < 200; i++) furthest = fmaxf(furthest, hypotf(view.position[0][i] - 320, view.position[1][i] - 120));
    assert_true(furthest > 100 && furthest < 120.001f);
}

/* ---- options ----------------------------------------------------------------------------------------------------------- */

static const char two_species[] = "species:\n  - {name: a, agents: 300}\n  - {name: b, agents: 100}\nseed: 4\n";

TEST(options_override_the_file) {
    const uint32_t agents = 41;
    const uint64_t seed = 77;
    dunlin_simulation_def options = dunlin_simulation_def_default();
    options.agents = &agents;
    options.seed = &seed;
    options.threads = 3;
    options.kernel = "scalar";
    options.index = "brute";
    scenario_run f = scenario_begin(two_species, &options);
    dunlin_world *world = f.world;
    const dunlin_world_def def = dunlin_world_get_def(world);
    assert_true(def.seed == 77 && def.threads == 3);
    assert_string_equal(def.kernel, "scalar");
    assert_string_equal(def.index, "brute");
    assert_true(dunlin_world_view(world, 0).count == 31 && dunlin_world_view(world, 1).count == 10); /* in proportion */
}

TEST(few_agents_are_all_distributed) {
    for (uint32_t agents = 0; agents < 9; agents++) {
        dunlin_simulation_def options = dunlin_simulation_def_default();
        options.agents = &agents;
        scenario_run f = scenario_begin(two_species, &options);
        dunlin_world *world = f.world;
        assert_int_equal(dunlin_world_agent_count(world), agents);
        scenario_end(&f);
    }
}

TEST(the_seed_makes_the_flock) {
    uint64_t hash[4];
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t seed = i == 3 ? 0 : i + 3; /* 3, 4, 5, 0 */
        dunlin_simulation_def options = dunlin_simulation_def_default();
        options.seed = &seed;
        scenario_run f = scenario_begin(two_species, &options), again = scenario_begin(two_species, i == 1 ? NULL : &options);
        dunlin_world *world = f.world;
        hash[i] = dunlin_world_state_hash(world);
        assert_true(dunlin_world_state_hash(again.world) == hash[i]);
        for (uint64_t j = 0; j < i; j++) assert_true(hash[j] != hash[i]);
        scenario_end(&f);
        scenario_end(&again);
    }
}

TEST(options_are_refused_like_fields) {
    scenario_run f;
    dunlin_simulation_def options = dunlin_simulation_def_default();
    options.kernel = "warp";
    write_text(two_species);
    REFUSE(open_and_build(scenario_file, NULL, &options, &f), DUNLIN_ERROR_UNSUPPORTED, "unknown kernel 'warp'", "scalar");
    options = dunlin_simulation_def_default();
    options.index = "oak";
    REFUSE(open_and_build(scenario_file, NULL, &options, &f), DUNLIN_ERROR_UNSUPPORTED, "unknown index 'oak'",
           "grid, tree, brute");
    options = dunlin_simulation_def_default();
    options.threads = 5000;
    REFUSE(open_and_build(scenario_file, NULL, &options, &f), DUNLIN_ERROR_VALUE, "threads is 5000", "1024");
    options = dunlin_simulation_def_default();
    options.init = "no_such_state.csv";
    REFUSE(open_and_build(scenario_file, NULL, &options, &f), DUNLIN_ERROR_FILE, "no_such_state.csv", strerror(ENOENT));
}

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

static dunlin_behaviour_def behaviour_of(const char *text) {
    scenario_run f = scenario_begin(text, NULL);
    dunlin_world *world = f.world;
    assert_int_equal(dunlin_world_behaviour_count(world), 1);
    const dunlin_behaviour_def def = dunlin_world_get_behaviour(world, 0);
    scenario_end(&f);
    return def;
}

TEST(behaviours_are_taken_over) {
    dunlin_behaviour_def def =
        behaviour_of("behaviours:\n  - seek: {target: [1, 2], velocity: [3, 4], weight: 0.5, max_force: 6, "
                     "negate_force: true, radius: 7}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_SEEK && def.target.kind == DUNLIN_TARGET_POINT && def.species == 0);
    assert_true(def.target.position[0] == 1 && def.target.position[1] == 2 && def.target.velocity[0] == 3 &&
                def.target.velocity[1] == 4);
    assert_true(def.weight == 0.5f && def.max_force == 6 && def.negate_force && def.radius == 7);
    def = behaviour_of("species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: b, flee: {agent: 5}}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_FLEE && def.species == 1 && def.target.kind == DUNLIN_TARGET_AGENT &&
                def.target.agent == 5);
    assert_true(def.weight == 1 && def.max_force < 0 && !def.negate_force && isinf(def.radius));
    def = behaviour_of("behaviours:\n  - arrive: {target: [1, 2], slowing_radius: 3}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_ARRIVE && def.slowing_radius == 3);
    def = behaviour_of(
        "behaviours:\n  - pursue: {target: [1, 2], prediction: by-distance, prediction_time: 3, prediction_distance: 7}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_PURSUE && def.pursuit.prediction == DUNLIN_PREDICTION_BY_DISTANCE &&
                def.pursuit.time == 3 && def.pursuit.distance == 7);
    def = behaviour_of("behaviours:\n  - evade: {target: [1, 2]}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_EVADE && def.pursuit.prediction == DUNLIN_PREDICTION_FIXED &&
                def.pursuit.time == 10);
    def = behaviour_of("behaviours:\n  - contain: {margin: 3, min: [1, 2], max: [30, 40], corner: last}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_CONTAIN && def.contain.margin[0] == 3 && def.contain.margin[1] == 3);
    assert_true(def.contain.min[1] == 2 && def.contain.max[0] == 30 && def.contain.corner == DUNLIN_CORNER_LAST);
    def = behaviour_of("behaviours:\n  - contain: {margins: [3, -1]}\n");
    assert_true(def.contain.margin[0] == 3 && def.contain.margin[1] == -1 && def.contain.max[0] == 100);
    def = behaviour_of("behaviours:\n  - wander: {distance: 1, radius: 2, angle_change: 90}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_WANDER && def.wander.distance == 1 && def.wander.radius == 2 &&
                def.wander.angle_change == 1.57079637f);
    def = behaviour_of(
        "paths:\n  - {name: a, points: [1, 2, 3, 4]}\n  - {name: b, points: [1, 2, 3, 4]}\n"
        "behaviours:\n  - follow_path: {path: b, radius: 3, prediction_time: 4, ahead_distance: 5, ahead_share: 0.5, "
        "off_segment: end}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_FOLLOW_PATH && def.follow.path == 1 && def.follow.radius == 3 &&
                def.follow.off_segment == DUNLIN_OFF_SEGMENT_END);
    assert_true(def.follow.prediction.distance == 25 && def.follow.prediction.time == 4);
    assert_true(def.follow.ahead.distance == 5 && def.follow.ahead.time == 0 && def.follow.ahead_share == 0.5f);
    def = behaviour_of("fields:\n  - random: {}\n  - {name: f, random: {}}\nbehaviours:\n  - flow: {field: f, look_ahead: 2, "
                       "look_distance: 3}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_FLOW && def.flow.field == 1 && def.flow.look_ahead == 2 &&
                def.flow.look_distance == 3);
    def = behaviour_of("fields:\n  - random: {}\nbehaviours:\n  - wind: {weight: 2}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_WIND && def.flow.field == 0 && def.weight == 2);
    def = behaviour_of("behaviours:\n  - avoid: {look_ahead: 2, look_distance: 4, agent_radius: 3}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_AVOID && def.avoid.look_ahead == 2 && def.avoid.agent_radius == 3);
    assert_true(def.avoid.look_distance == 4);
    def = behaviour_of("behaviours:\n  - attract: {agent: 2, strength: -3, power: 1, min_distance: 2, max_distance: 9}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_ATTRACT && def.target.kind == DUNLIN_TARGET_AGENT && def.attract.strength == -3);
    assert_true(def.attract.power == 1 && def.attract.min_distance == 2 && def.attract.max_distance == 9);
    def = behaviour_of("species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: a, flee: {nearest: b, radius: 5}}\n");
    assert_true(def.target.kind == DUNLIN_TARGET_NEAREST && def.target.species == 1 && def.radius == 5);
    def = behaviour_of("species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: b, arrive: {centre: b, radius: 6}}\n");
    assert_true(def.target.kind == DUNLIN_TARGET_CENTRE && def.target.species == 1 && def.species == 1 && def.radius == 6);
    def = behaviour_of(
        "species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: b, sidestep: {observed: a, radius: 7, half_angle: 90}}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_SIDESTEP && def.sidestep.observed == 0 && def.radius == 7 &&
                fabsf(def.sidestep.half_angle - 1.570796f) < 1e-6f);
    def = behaviour_of("species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: b, sidestep: {radius: 7}}\n");
    assert_true(def.sidestep.observed == 1 && fabsf(def.sidestep.half_angle - 0.785398f) < 1e-6f);
    def = behaviour_of("behaviours:\n  - force: {vector: [1, 2]}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_FORCE && def.force[0] == 1 && def.force[1] == 2);
    def = behaviour_of("behaviours:\n  - drag: {linear: 1, quadratic: 2}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_DRAG && def.linear_drag == 1 && def.quadratic_drag == 2);
}

/* ---- fields and paths ------------------------------------------------------------------------------------------------- */

/* Fails unless a field of 2 x 3 cells from this source has these vectors. */
static void field_is(const char *source, const float want[][2], int cells) {
    char text[512];
    snprintf(text, sizeof text, "world:\n  size: [20, 30]\n  boundary: open\nfields:\n  - cells: [2, 3]\n    %s\n", source);
    scenario_run f = scenario_begin(text, NULL);
    dunlin_world *world = f.world;
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    assert_int_equal(view.cells[0] * view.cells[1] * view.cells[2], cells);
    for (int c = 0; c < cells; c++)
        for (int a = 0; a < 2; a++)
            if (fabsf(view.vectors[a][c] - want[c][a]) > 1e-6f)
                fail_msg("%s: cell %d axis %d is %g", source, c, a, (double)view.vectors[a][c]);
    scenario_end(&f);
}

TEST(fields_are_filled) {
    static const float same[6][2] = {{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}};
    field_is("constant: {vector: [1, 2]}", same, 6);
    field_is("weight: 0.5\n    constant: {vector: [2, 4]}", same, 6);
    field_is("towards: {centre: [5, 5]}",
             (const float[6][2]){{0, 0}, {-1, 0}, {0, -1}, {-0.70710678f, -0.70710678f}, {0, -1}, {-0.4472136f, -0.8944272f}},
             6);
    field_is("swirl: {centre: [5, 5]}",
             (const float[6][2]){{0, 0}, {0, 1}, {-1, 0}, {-0.70710678f, 0.70710678f}, {-1, 0}, {-0.8944272f, 0.4472136f}}, 6);
    write_file("field.csv", "vx,vy\n1,2\n3,4\n5,6\n7,8\n9,10\n-1.5,1e-3\n");
    field_is("csv: {file: field.csv}", (const float[6][2]){{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {-1.5f, 1e-3f}}, 6);
}

/* The image is white above and black below, so that uphill is up. */
TEST(images_are_climbed) {
    cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 40, 60);
    cairo_t *cairo = cairo_create(picture);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_rectangle(cairo, 0, 0, 40, 20);
    cairo_fill(cairo);
    cairo_set_source_rgb(cairo, 0.5, 0.5, 0.5);
    cairo_rectangle(cairo, 0, 20, 40, 20);
    cairo_fill(cairo);
    cairo_destroy(cairo);
    assert_int_equal(cairo_surface_write_to_png(picture, "hill.png"), CAIRO_STATUS_SUCCESS);
    cairo_surface_destroy(picture);
    static const float up[6][2] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
    field_is("image: {file: hill.png}", up, 6);
}

TEST(noise_is_taken_over) {
    scenario_run f =
        scenario_begin("fields:\n  - {cells: [8, 8], seed: 9, noise: {scale: 20, octaves: 2, angle_range: [0, 180], rate: 0.1, "
                       "time: 3}}\n  - {cells: [8, 8], random: {}}\n",
                       NULL);
    dunlin_world *world = f.world;
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.seed = 9;
    source.noise = (dunlin_field_noise){.scale = 20, .octaves = 2, .min_angle = 0, .max_angle = 0.5f, .rate = 0.1f, .time = 3};
    ACCEPT(dunlin_world_fill_field(world, 1, &source, &refusal));
    for (int step = 0; step < 2; step++) {
        const dunlin_field_view got = dunlin_world_field_view(world, 0), want = dunlin_world_field_view(world, 1);
        for (int a = 0; a < 2; a++) assert_memory_equal(got.vectors[a], want.vectors[a], 64 * sizeof(float));
        world_run(world, 5);
    }
    scenario_end(&f);
}

TEST(paths_are_taken_over) {
    scenario_run f = scenario_begin("paths:\n  - points: [1, 2,  3, 4,  5, 6]\n    closed: true\n  - agents: [7, 8]\n", NULL);
    dunlin_world *world = f.world;
    assert_int_equal(dunlin_world_path_count(world), 2);
    dunlin_path_def path_view = dunlin_world_get_path(world, 0);
    assert_true(path_view.count == 3 && path_view.closed && path_view.points[0][2] == 5 && path_view.points[1][0] == 2);
    path_view = dunlin_world_get_path(world, 1);
    assert_true(path_view.count == 2 && !path_view.closed && path_view.agents[1] == 8);
}

TEST(obstacles_are_taken_over) {
    scenario_run f =
        scenario_begin("species:\n  - {obstacles_block: true, clearance: 2}\nobstacles:\n  - {ball: [1, 2], radius: 3}\n"
                       "  - box: [1, 2, 3, 4]\n  - capsule: [5, 6, 7, 8]\n",
                       NULL);
    dunlin_world *world = f.world;
    assert_true(dunlin_world_get_species(world, 0).obstacles_block && dunlin_world_get_species(world, 0).clearance == 2);
    const dunlin_obstacle_view view = dunlin_world_obstacle_view(world);
    assert_int_equal(view.count, 3);
    assert_true(view.obstacles[0].shape == DUNLIN_OBSTACLE_BALL && view.obstacles[0].a[1] == 2 &&
                view.obstacles[0].radius == 3);
    assert_true(view.obstacles[1].shape == DUNLIN_OBSTACLE_BOX && view.obstacles[1].a[1] == 2 && view.obstacles[1].b[0] == 3);
    assert_true(view.obstacles[2].shape == DUNLIN_OBSTACLE_CAPSULE && view.obstacles[2].b[1] == 8 &&
                view.obstacles[2].radius == 0);
    scenario_end(&f);
}

TEST_FIXTURE(.after_all = remove_scenario_file)
