/* SPDX-License-Identifier: MIT */
/* Scenario files: what they say is what flies, and every mistake is told by file, line, field and what is allowed. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cairo.h>

#include "harness/models/model.h"
#include <dunlin/scenario.h>
#include "harness/scenario/grid.h"
#include "tests/lib/files.h"
#include "tests/lib/effort.h"
#include "tests/lib/random.h"
#include "tests/lib/worlds.h"

static const char path[] = "scenario.yaml";

/* ---- files ------------------------------------------------------------------------------------------------------------- */

static void write_text(const char *text) {
    write_file(path, text);
}

/* A scenario's flight and its world. */
typedef struct scenario_run {
    dunlin_flight *flight;
    dunlin_world *world;
} scenario_run;

/* Opens the file and builds its world, as far as it goes. */
static dunlin_result open_and_build(const char *from, const dunlin_scenario_def *open, const dunlin_flight_def *def,
                                    scenario_run *f) {
    dunlin_scenario *scenario = NULL;
    *f = (scenario_run){0};
    dunlin_result result = dunlin_scenario_open(from, open, &scenario, &refusal);
    assert_true((result == DUNLIN_OK) == !!scenario);
    if (result == DUNLIN_OK) result = dunlin_flight_create(scenario, def, &f->flight, &refusal);
    dunlin_scenario_close(scenario);
    assert_true((result == DUNLIN_OK) == !!f->flight);
    if (f->flight) f->world = dunlin_flight_world(f->flight);
    return result;
}

static scenario_run take_off(const char *text, const dunlin_flight_def *def) {
    scenario_run f;
    write_text(text);
    ACCEPT(open_and_build(path, NULL, def, &f));
    return f;
}

static void fly(const scenario_run *f, int steps) {
    for (int i = 0; i < steps; i++) ACCEPT(dunlin_flight_step(f->flight, &refusal));
}

static void land(scenario_run *f) {
    dunlin_flight_destroy(f->flight);
    *f = (scenario_run){0};
}

/* ---- what a file says -------------------------------------------------------------------------------------------------- */

static void what_is_left_out_has_a_default(void **state) {
    (void)state;
    dunlin_scenario *scenario = NULL;
    write_text("{}\n");
    ACCEPT(dunlin_scenario_open(path, NULL, &scenario, &refusal));
    assert_string_equal(dunlin_scenario_name(scenario), "scenario");
    assert_string_equal(dunlin_scenario_description(scenario), "");
    assert_string_equal(dunlin_scenario_path(scenario), path);
    assert_true(dunlin_scenario_steps(scenario) == 1000);
    dunlin_scenario_close(scenario);
    dunlin_scenario_close(NULL);
    scenario_run f = take_off("{}\n", NULL);
    dunlin_world *world = f.world;
    const dunlin_world_def def = dunlin_world_get_def(world), standard = dunlin_world_def_default();
    assert_true(def.dimensions == 2 && def.size[0] == standard.size[0] && def.boundary == standard.boundary && def.seed == 1);
    assert_int_equal(dunlin_world_species_count(world), 1);
    assert_int_equal(dunlin_world_agent_count(world), 1000);
    world_fly(world, 1);
    assert_int_equal(dunlin_world_stats(world).pairs_useful, 0); /* nobody observes anybody */
    land(&f);
}

static void every_field_of_a_world_arrives(void **state) {
    (void)state;
    scenario_run f = take_off("name: a name\n"
                              "seed: 18446744073709551615\n"
                              "world:\n"
                              "  dimensions: 3\n"
                              "  size: [10, 20.5, 3e1]\n"
                              "  boundary: teleport\n"
                              "  margin: 1.5\n"
                              "  boundary_first: true\n"
                              "  integrator: explicit\n"
                              "  time_step: 0.25\n"
                              "  forces: increment\n"
                              "species:\n"
                              "  - {name: first, min_speed: 0.5, max_speed: 2, max_force: 0.25, drag: 0.125, agents: 3}\n"
                              "  - {name: second, agents: 0}\n",
                              NULL);
    dunlin_world *world = f.world;
    const dunlin_world_def def = dunlin_world_get_def(world);
    assert_true(def.dimensions == 3 && def.size[0] == 10 && def.size[1] == 20.5f && def.size[2] == 30);
    assert_true(def.boundary == DUNLIN_BOUNDARY_TELEPORT && def.margin == 1.5f && def.boundary_first && !def.keep_overshoot);
    assert_true(def.integrator == DUNLIN_INTEGRATOR_EXPLICIT && def.time_step == 0.25f && def.forces_are_increments);
    assert_true(def.seed == UINT64_MAX);
    const dunlin_species_def first = dunlin_world_get_species(world, 0);
    assert_string_equal(first.name, "first");
    assert_true(first.min_speed == 0.5f && first.max_speed == 2 && first.max_force == 0.25f && first.drag == 0.125f);
    assert_true(dunlin_world_view(world, 0).count == 3 && dunlin_world_view(world, 1).count == 0);
    land(&f);
}

/* One agent that pulls another, as the rules say; the fields are felt in a step. */
static void every_field_of_a_rule_arrives(void **state) {
    (void)state;
    static const struct {
        const char *rules;
        float vx, vy;
    } cases[] = {
        {"cohesion: {radius: 5, response: direct}", 3, 4},
        {"cohesion: {radius: 4.9, response: direct}", 0, 0},
        {"cohesion: {radius: 5, response: direct, weight: -2}", -6, -8},
        {"nearest: 1\n    cohesion: {radius: 5, response: direct}", 3, 4},
        {"max_neighbours: 1\n    cohesion: {radius: 5, response: direct}", 3, 4},
        {"cohesion: {radius: 5, min_radius: 5, response: direct}", 3, 4},
        {"cohesion: {radius: 8, min_radius: 5.1, response: direct}", 0, 0},
        {"cohesion: {radius: 5, view: 180, response: direct}", 3, 4},
        {"cohesion: {radius: 5, response: direct, limit: 1}", 0.6f, 0.8f},
        {"cohesion: {radius: 5}", 0.06f, 0.08f}, /* max_force 0.1 */
        {"separation: {radius: 10, response: direct}", -0.12f, -0.16f},
        {"separation: {radius: 10, response: direct, falloff: linear}", -0.3f, -0.4f},
        {"separation: {radius: 10, response: direct, falloff: constant}", -0.6f, -0.8f},
        {"alignment: {radius: 5, response: direct}", 0, 7},
        {"alignment: {radius: 5, response: direct}\n    cohesion: {radius: 5, response: direct}", 3, 11},
        {"in_turn: true\n    alignment: {radius: 5, response: direct}\n    cohesion: {radius: 5, response: direct}", 3, 11},
        {"in_turn: true\n    order: [cohesion, separation, alignment]\n    alignment: {radius: 5, response: direct}\n"
         "    cohesion: {radius: 5, response: direct}",
         0, 7},
    };
    FILE *start = fopen("start.csv", "w");
    assert_non_null(start);
    fputs("id,x,y,vx,vy\n0,10,10,0,0\n1,13,14,0,7\n", start);
    fclose(start);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        dunlin_flight_def options = dunlin_flight_def_default();
        options.init = "start.csv";
        snprintf(text, sizeof text, "species:\n  - max_speed: 1000\ninteractions:\n  - %s\n", cases[i].rules);
        scenario_run f = take_off(text, &options);
        dunlin_world *world = f.world;
        world_fly(world, 1);
        const dunlin_view view = dunlin_world_view(world, 0);
        const uint32_t slot = dunlin_world_find_agent(world, 0).index;
        const bool near =
            fabsf(view.velocity[0][slot] - cases[i].vx) < 1e-5f && fabsf(view.velocity[1][slot] - cases[i].vy) < 1e-5f;
        if (!near) fail_msg("%s: %g, %g", cases[i].rules, (double)view.velocity[0][slot], (double)view.velocity[1][slot]);
        land(&f);
    }
    remove("start.csv");
}

static void species_observe_by_name(void **state) {
    (void)state;
    scenario_run f = take_off("species:\n"
                              "  - {name: dove, agents: 40}\n"
                              "  - {name: hawk, agents: 2}\n"
                              "interactions:\n"
                              "  - {observer: hawk, observed: dove, cohesion: {radius: 1000}}\n",
                              NULL);
    dunlin_world *world = f.world;
    world_fly(world, 1);
    assert_int_equal(dunlin_world_stats(world).pairs_useful, 80);
    land(&f);
}

static void starts_share_out_the_agents(void **state) {
    (void)state;
    scenario_run f = take_off("species:\n"
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
    land(&f);
}

/* Theirs alone, unless speeds are said; then those besides, in any direction. */
static void starts_may_have_a_velocity(void **state) {
    (void)state;
    scenario_run f = take_off("species:\n"
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
    land(&f);
}

static void a_ball_fits_into_its_world(void **state) {
    (void)state;
    scenario_run f = take_off("world: {size: [640, 240]}\nspecies:\n  - {agents: 200, start: [{region: ball}]}\n", NULL);
    dunlin_world *world = f.world;
    const dunlin_view view = dunlin_world_view(world, 0);
    float furthest = 0;
    for (uint32_t i = 0; i < 200; i++) furthest = fmaxf(furthest, hypotf(view.position[0][i] - 320, view.position[1][i] - 120));
    assert_true(furthest > 100 && furthest < 120.001f);
    land(&f);
}

/* ---- options ----------------------------------------------------------------------------------------------------------- */

static const char two_species[] = "species:\n  - {name: a, agents: 300}\n  - {name: b, agents: 100}\nseed: 4\n";

static void options_override_the_file(void **state) {
    (void)state;
    const uint32_t agents = 41;
    const uint64_t seed = 77;
    dunlin_flight_def options = dunlin_flight_def_default();
    options.agents = &agents;
    options.seed = &seed;
    options.threads = 3;
    options.kernel = "scalar";
    options.index = "brute";
    scenario_run f = take_off(two_species, &options);
    dunlin_world *world = f.world;
    const dunlin_world_def def = dunlin_world_get_def(world);
    assert_true(def.seed == 77 && def.threads == 3);
    assert_string_equal(def.kernel, "scalar");
    assert_string_equal(def.index, "brute");
    assert_true(dunlin_world_view(world, 0).count == 31 && dunlin_world_view(world, 1).count == 10); /* in proportion */
    land(&f);
}

static void few_agents_are_shared_out_to_the_last(void **state) {
    (void)state;
    for (uint32_t agents = 0; agents < 9; agents++) {
        dunlin_flight_def options = dunlin_flight_def_default();
        options.agents = &agents;
        scenario_run f = take_off(two_species, &options);
        dunlin_world *world = f.world;
        assert_int_equal(dunlin_world_agent_count(world), agents);
        land(&f);
    }
}

static void the_seed_makes_the_flock(void **state) {
    (void)state;
    uint64_t hash[4];
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t seed = i == 3 ? 0 : i + 3; /* 3, 4, 5, 0 */
        dunlin_flight_def options = dunlin_flight_def_default();
        options.seed = &seed;
        scenario_run f = take_off(two_species, &options), again = take_off(two_species, i == 1 ? NULL : &options);
        dunlin_world *world = f.world;
        hash[i] = dunlin_world_state_hash(world);
        assert_true(dunlin_world_state_hash(again.world) == hash[i]);
        for (uint64_t j = 0; j < i; j++) assert_true(hash[j] != hash[i]);
        land(&f);
        land(&again);
    }
}

static void options_are_refused_like_fields(void **state) {
    (void)state;
    scenario_run f;
    dunlin_flight_def options = dunlin_flight_def_default();
    options.kernel = "warp";
    write_text(two_species);
    REFUSE(open_and_build(path, NULL, &options, &f), DUNLIN_ERROR_KERNEL, "kernel 'warp' is unknown", "scalar");
    options = dunlin_flight_def_default();
    options.index = "oak";
    REFUSE(open_and_build(path, NULL, &options, &f), DUNLIN_ERROR_KERNEL, "index 'oak' is unknown", "grid, tree, brute");
    options = dunlin_flight_def_default();
    options.threads = 5000;
    REFUSE(open_and_build(path, NULL, &options, &f), DUNLIN_ERROR_VALUE, "threads is 5000", "1024");
    options = dunlin_flight_def_default();
    options.init = "no_such_state.csv";
    REFUSE(open_and_build(path, NULL, &options, &f), DUNLIN_ERROR_FILE, "no_such_state.csv", strerror(ENOENT));
}

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

static dunlin_behaviour_def behaviour_of(const char *text) {
    scenario_run f = take_off(text, NULL);
    dunlin_world *world = f.world;
    assert_int_equal(dunlin_world_behaviour_count(world), 1);
    const dunlin_behaviour_def def = dunlin_world_get_behaviour(world, 0);
    land(&f);
    return def;
}

static void behaviours_are_taken_over(void **state) {
    (void)state;
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
    def = behaviour_of("behaviours:\n  - pursue: {target: [1, 2], prediction: by-distance, prediction_time: 3}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_PURSUE && def.pursuit.prediction == DUNLIN_PREDICTION_BY_DISTANCE &&
                def.pursuit.time == 3);
    def = behaviour_of("behaviours:\n  - evade: {target: [1, 2]}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_EVADE && def.pursuit.prediction == DUNLIN_PREDICTION_FIXED &&
                def.pursuit.time == 10);
    def = behaviour_of("behaviours:\n  - contain: {margin: 3, low: [1, 2], high: [30, 40], corner: last}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_CONTAIN && def.contain.margin[0] == 3 && def.contain.margin[1] == 3);
    assert_true(def.contain.low[1] == 2 && def.contain.high[0] == 30 && def.contain.corner == DUNLIN_CORNER_LAST);
    def = behaviour_of("behaviours:\n  - contain: {margins: [3, -1]}\n");
    assert_true(def.contain.margin[0] == 3 && def.contain.margin[1] == -1 && def.contain.high[0] == 100);
    def = behaviour_of("behaviours:\n  - wander: {distance: 1, radius: 2, jitter: 0.5}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_WANDER && def.wander.distance == 1 && def.wander.radius == 2 &&
                def.wander.jitter == 0.5f);
    def = behaviour_of(
        "paths:\n  - {name: a, points: [1, 2, 3, 4]}\n  - {name: b, points: [1, 2, 3, 4]}\n"
        "behaviours:\n  - follow_path: {path: b, radius: 3, prediction_time: 4, ahead_distance: 5, off_segment: end}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_FOLLOW_PATH && def.follow.path == 1 && def.follow.radius == 3 &&
                def.follow.off_segment == DUNLIN_OFF_SEGMENT_END);
    assert_true(def.follow.prediction.kind == DUNLIN_AHEAD_BY_SPEED && def.follow.prediction.time == 4);
    assert_true(def.follow.ahead.kind == DUNLIN_AHEAD_FIXED && def.follow.ahead.distance == 5);
    def =
        behaviour_of("fields:\n  - random: {}\n  - {name: f, random: {}}\nbehaviours:\n  - flow: {field: f, look_ahead: 2}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_FLOW && def.flow.field == 1 && def.flow.look_ahead == 2);
    def = behaviour_of("fields:\n  - random: {}\nbehaviours:\n  - wind: {weight: 2}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_WIND && def.flow.field == 0 && def.weight == 2);
    def = behaviour_of("behaviours:\n  - avoid: {look_ahead: 2, agent_radius: 3}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_AVOID && def.avoid.look_ahead == 2 && def.avoid.agent_radius == 3);
    def = behaviour_of("species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: a, flee: {nearest: b, radius: 5}}\n");
    assert_true(def.target.kind == DUNLIN_TARGET_NEAREST && def.target.species == 1 && def.radius == 5);
    def = behaviour_of("species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: b, arrive: {centre: b, radius: 6}}\n");
    assert_true(def.target.kind == DUNLIN_TARGET_CENTRE && def.target.species == 1 && def.species == 1 && def.radius == 6);
    def = behaviour_of(
        "species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: b, view: {observed: a, radius: 7, angle: 90}}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_VIEW && def.view.observed == 0 && def.radius == 7 &&
                fabsf(def.view.angle - 1.570796f) < 1e-6f);
    def = behaviour_of("species: [{name: a}, {name: b}]\nbehaviours:\n  - {species: b, view: {radius: 7}}\n");
    assert_true(def.view.observed == 1 && fabsf(def.view.angle - 0.785398f) < 1e-6f);
    def = behaviour_of("behaviours:\n  - force: {vector: [1, 2]}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_FORCE && def.force[0] == 1 && def.force[1] == 2);
    def = behaviour_of("behaviours:\n  - drag: {linear: 1, quadratic: 2}\n");
    assert_true(def.kind == DUNLIN_BEHAVIOUR_DRAG && def.linear_drag == 1 && def.quadratic_drag == 2);
}

/* ---- fields and paths ------------------------------------------------------------------------------------------------- */

/* The vectors of a field of 2 x 3 cells, or as `grid` says. */
static void field_is(const char *source, const float want[][2], int cells) {
    char text[512];
    snprintf(text, sizeof text, "world:\n  size: [20, 30]\n  boundary: open\nfields:\n  - cells: [2, 3]\n    %s\n", source);
    scenario_run f = take_off(text, NULL);
    dunlin_world *world = f.world;
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    assert_int_equal(view.cells[0] * view.cells[1] * view.cells[2], cells);
    for (int c = 0; c < cells; c++)
        for (int a = 0; a < 2; a++)
            if (fabsf(view.vectors[a][c] - want[c][a]) > 1e-6f)
                fail_msg("%s: cell %d axis %d is %g", source, c, a, (double)view.vectors[a][c]);
    land(&f);
}

static void fields_are_filled(void **state) {
    (void)state;
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

/* White above, black below, so uphill is up. */
static void images_are_climbed(void **state) {
    (void)state;
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

static void noise_is_taken_over(void **state) {
    (void)state;
    scenario_run f =
        take_off("fields:\n  - {cells: [8, 8], seed: 9, noise: {scale: 20, octaves: 2, angles: [0, 0.5], rate: 0.1, "
                 "time: 3}}\n  - {cells: [8, 8], random: {}}\n",
                 NULL);
    dunlin_world *world = f.world;
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.seed = 9;
    source.noise = (dunlin_field_noise){.scale = 20, .octaves = 2, .angle_low = 0, .angle_high = 0.5f, .rate = 0.1f, .time = 3};
    ACCEPT(dunlin_world_fill_field(world, 1, &source, &refusal));
    for (int step = 0; step < 2; step++) {
        const dunlin_field_view got = dunlin_world_field_view(world, 0), want = dunlin_world_field_view(world, 1);
        for (int a = 0; a < 2; a++) assert_memory_equal(got.vectors[a], want.vectors[a], 64 * sizeof(float));
        world_fly(world, 5);
    }
    land(&f);
}

static void paths_are_taken_over(void **state) {
    (void)state;
    scenario_run f = take_off("paths:\n  - points: [1, 2,  3, 4,  5, 6]\n    closed: true\n  - agents: [7, 8]\n", NULL);
    dunlin_world *world = f.world;
    assert_int_equal(dunlin_world_path_count(world), 2);
    dunlin_path_def path_view = dunlin_world_get_path(world, 0);
    assert_true(path_view.count == 3 && path_view.closed && path_view.points[0][2] == 5 && path_view.points[1][0] == 2);
    path_view = dunlin_world_get_path(world, 1);
    assert_true(path_view.count == 2 && !path_view.closed && path_view.agents[1] == 8);
    land(&f);
}

static void obstacles_are_taken_over(void **state) {
    (void)state;
    scenario_run f =
        take_off("species:\n  - {obstacles_block: true, body_radius: 2}\nobstacles:\n  - {ball: [1, 2], radius: 3}\n"
                 "  - box: [1, 2, 3, 4]\n  - capsule: [5, 6, 7, 8]\n",
                 NULL);
    dunlin_world *world = f.world;
    assert_true(dunlin_world_get_species(world, 0).obstacles_block && dunlin_world_get_species(world, 0).body_radius == 2);
    const dunlin_obstacle_view view = dunlin_world_obstacle_view(world);
    assert_int_equal(view.count, 3);
    assert_true(view.obstacles[0].shape == DUNLIN_OBSTACLE_BALL && view.obstacles[0].a[1] == 2 &&
                view.obstacles[0].radius == 3);
    assert_true(view.obstacles[1].shape == DUNLIN_OBSTACLE_BOX && view.obstacles[1].a[1] == 2 && view.obstacles[1].b[0] == 3);
    assert_true(view.obstacles[2].shape == DUNLIN_OBSTACLE_CAPSULE && view.obstacles[2].b[1] == 8 &&
                view.obstacles[2].radius == 0);
    land(&f);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

typedef struct mistake {
    const char *text;
    const char *words[4]; /* what the message must say; the first is the line */
} mistake;

#define CURVE ", constant: {value: 0.5}"
#define SCHEDULED(parameter, curve)                                                                                            \
    "schedules:\n  - {parameter: '" parameter "'" curve "}\n"                                                                  \
    "world: {}\nspecies:\n  - {name: knots, start: [{share: 1}], growth: [{per_step: 1}], attributes: [{name: age, value: "    \
    "1}]}\n"                                                                                                                   \
    "behaviours:\n  - seek: {target: [1, 2], velocity: [1, 0]}\npaths:\n  - {points: [1, 2, 3, 4]}\n"                          \
    "fields:\n  - {cells: [1, 3], csv: {file: long.csv}}\n"

#define ATTRIBUTE(fields)                                                                                                      \
    "species:\n  - attributes:\n      - {" fields "}\n  - name: gulls\nbehaviours:\n"                                          \
    "  - {species: agents, drag: {linear: 1}}\n  - {species: gulls, drag: {linear: 1}}\n"
#define LIFE(fields)                                                                                                           \
    "species:\n  - {name: gulls, attributes: [{name: energy, value: 1}, {role: mass, value: 1}]}\n"                            \
    "  - {name: fish, attributes: [{name: size, value: 1}]}\n" fields "\n"
#define GROWTH(fields) "species:\n  - growth:\n      - {" fields "}\n"

static const mistake mistakes[] = {
    /* no scenario at all */
    {"", {"", "empty"}},
    {"# nothing here\n", {"", "empty"}},
    {"just words\n", {":1: ", "fields"}},
    {"- a\n- list\n", {":1: ", "fields"}},
    {"name: x\nworld: {\n", {":3: "}},
    {"name: x\nworld:\n\tsize: [1, 1]\n", {":3: "}},
    {"name: x\n---\nname: y\n", {":2: ", "second document"}},
    /* unknown, missing, twice */
    {"wrold: {}\n", {":1: ", "unknown field 'wrold'; did you mean 'world'?"}},
    {"world:\n  boundary: perodic\n", {":2: ", "'perodic'; did you mean 'periodic'?"}},
    {"species: [{name: knots}, {name: gulls}]\nlives:\n  - {species: gull, energy: x}\n", {":3: ", "did you mean 'gulls'?"}},
    {"models:\n  - vicsek: {radius: 1, noise: 1, whole_noise: 1}\n", {":2: ", "older form of whole_noise"}},
    {"paths:\n  - points: [[1, 2, 3], [4, 5, 6]]\n", {":2: ", "paths[0].points", "each point needs 2 numbers"}},
    {"paths:\n  - points: [[1, 2], [4]]\n", {":2: ", "paths[0].points"}},
    {"name: x\nwrold: {}\n",
     {":2: ", "wrold", "unknown", "world, species, interactions, fields, paths, obstacles, behaviours"}},
    {"world:\n  size: [1, 1]\n  colour: red\n",
     {":3: ", "world: unknown field 'colour'", "allowed: dimensions, size, boundary, margin, keep_ove"}},
    {"species:\n  - {name: a}\n  - {name: b, wings: 2}\n",
     {":3: ", "species[1]: unknown field 'wings'", "allowed: name, min_speed, max_speed, max_force, drag,"}},
    {"interactions:\n  - wander: {radius: 3}\n",
     {":2: ", "interactions[0]: unknown field 'wander'", "allowed: observer, observed, ignore_coincident, in_tu"}},
    {"interactions:\n  - alignment: {radius: 3, falloff: linear}\n",
     {":2: ", "interactions[0].alignment: unknown field 'falloff'", "allowed: radius, weight, response, limit, min_radius,"}},
    {"interactions:\n  - cohesion: {weight: 3}\n", {":2: ", "interactions[0].cohesion", "radius is missing"}},
    {"seed: 4\nsteps: 3\nsteps: 5\n", {":2: ", "steps", "twice"}},
    /* of another kind */
    {"steps: ten\n", {":1: ", "steps", "'ten'", "whole number"}},
    {"steps: -1\n", {":1: ", "steps", "'-1'", "whole number"}},
    {"steps: 1.5\n", {":1: ", "steps", "'1.5'", "whole number"}},
    {"steps: 0x10\n", {":1: ", "steps", "'0x10'", "whole number"}},
    {"steps: 010\n", {":1: ", "steps", "'010'", "whole number"}},
    {"steps: [1]\n", {":1: ", "steps"}},
    {"steps:\n", {":1: ", "steps"}},
    {"world: 5\n", {":1: ", "world", "fields"}},
    {"world:\n  size: 100\n", {":2: ", "world.size", "list"}},
    {"world:\n  size: [100, wide]\n", {":2: ", "world.size[1]", "'wide'", "number"}},
    {"world:\n  time_step: 1s\n", {":2: ", "world.time_step", "'1s'", "number"}},
    {"world:\n  time_step: .nan\n", {":2: ", "world.time_step", "'.nan'", "number"}},
    {"world:\n  keep_overshoot: maybe\n", {":2: ", "world.keep_overshoot", "'maybe'", "true, false"}},
    {"world:\n  boundary: torus\n", {":2: ", "world.boundary", "'torus'", "periodic, teleport, reflect, open"}},
    {"world:\n  integrator: euler\n", {":2: ", "world.integrator", "'euler'", "semi-implicit, explicit"}},
    {"world:\n  forces: big\n", {":2: ", "world.forces", "'big'", "acceleration, increment"}},
    {"world:\n  dimensions: 4\n", {":2: ", "world.dimensions", "'4'", "2, 3"}},
    {"species: {name: a}\n", {":1: ", "species", "list"}},
    {"species:\n  - name: [a]\n", {":2: ", "species[0].name"}},
    {"species:\n  - start:\n      - region: cube\n", {":3: ", "species[0].start[0].region", "'cube'", "box, ball"}},
    {"interactions:\n  - separation: {radius: 1, falloff: cubic}\n", {":2: ", "'cubic'", "inverse, linear, constant"}},
    {"interactions:\n  - cohesion: {radius: 1, response: push}\n", {":2: ", "'push'", "steer, direct"}},
    {"interactions:\n  - order: [wander, cohesion, separation]\n    cohesion: {radius: 1}\n", {":2: ", "order[0]", "'wander'"}},
    {"world:\n  time_step: 0x10p2\n", {":2: ", "world.time_step", "'0x10p2'", "number"}},
    {"world:\n  size: [0x1F, 1]\n", {":2: ", "world.size[0]", "'0x1F'", "number"}},
    {"steps: \"1\\0 hidden\"\n", {":1: ", "steps", "'1'", "NUL"}},
    {"world: {time_step: \"1\\0 hidden\"}\n", {":1: ", "world.time_step", "'1'", "NUL"}},
    {"name: \"x\\0 hidden\"\n", {":1: ", "name", "'x'", "NUL"}},
    {"\"steps\\0hidden\": 1\n", {":1: ", "NUL", "unknown field"}},
    /* out of range */
    {"steps: 1000000000001\n", {":1: ", "steps", "1000000000001", "0 .. 1000000000000"}},
    {"seed: 18446744073709551616\n", {":1: ", "seed", "18446744073709551616"}},
    {"name: ''\n", {":1: ", "name", "1 .. 200"}},
    {"name: \"two\\nlines\"\n", {":1: ", "name", "two?lines", "control characters"}},
    {"name: \"a\\x9b31m\"\n", {":1: ", "name", "a??31m", "control characters"}},
    {"steps: \"\\e[31m5\"\n", {":1: ", "steps", "'?[31m5'"}},
    {"interactions:\n  - cohesion: {radius: 1, limit: 2}\n", {":2: ", "cohesion.limit", "it is 2", "response: direct"}},
    {"interactions:\n  - cohesion: {radius: 1, weight: 1000001}\n",
     {":2: ", "interactions[0].cohesion.weight: it is '1000001'", "allowed: -1e+06 .. 1e+06"}},
    {"world:\n  size: [0, 5]\n", {":2: ", "world.size[0]: it is '0'", "allowed: 1e-09 .. 1e+09 world units"}},
    {"world:\n  size: [1, 2, 3]\n", {":2: ", "world.size", "3 numbers", "2"}},
    {"world:\n  dimensions: 3\n  size: [1, 2]\n", {":3: ", "world.size", "2 numbers", "3"}},
    {"world:\n  time_step: 0\n", {":2: ", "world.time_step: it is '0'", "allowed: > 0, <= 1e+06 time units"}},
    {"world:\n  time_step: 1e39\n", {":2: ", "world.time_step", "'1e39'"}},
    {"world:\n  boundary: teleport\n  margin: -1\n", {":3: ", "world.margin: it is '-1'", "allowed: 0 .. 1e+09 world units"}},
    {"world:\n  margin: 1\n", {":2: ", "margin is 1", "teleport"}},
    {"world:\n  size: [5, 5]\n  boundary_first: true\n", {":3: ", "boundary_first", "teleport or reflect"}},
    {"species: []\n", {":1: ", "species", "0 entries", "1 .. 64"}},
    {"species:\n  - name: a\n  - name: b\n    max_speed: -2\n",
     {":4: ", "species[1].max_speed: it is '-2'", "allowed: 0 .. 1e+09 world units per time unit"}},
    {"species:\n  - min_speed: 2\n    max_speed: 1\n", {":2: ", "species[0]", "min_speed is 2", "at most 1"}},
    {"species:\n  - drag: 1.5\n", {":2: ", "species[0].drag: it is '1.5'", "allowed: 0 .. 1"}},
    {"species:\n  - name: a\n  - name: a\n", {":3: ", "species[1]", "'a'", "already"}},
    {"species:\n  - name: 'a,b'\n", {":2: ", "species[0]", "'a,b'", "comma"}},
    {"species:\n  - agents: 4294967296\n", {":2: ", "species[0].agents", "4294967296"}},
    {"species:\n  - start:\n      - centre: [99, 50]\n", {":3: ", "species[0].start[0]", "from 0 to 100"}},
    {"species:\n  - start:\n      - share: 0\n", {":2: ", "species[0].start", "share"}},
    {"species:\n  - start:\n      - share: -1\n", {":3: ", "species[0].start[0].share: it is '-1'", "allowed: 0 .. 3.4e+38"}},
    {"interactions:\n  - cohesion: {radius: -1}\n",
     {":2: ", "interactions[0].cohesion.radius: it is '-1'", "allowed: 0 .. 1e+09 world units"}},
    {"interactions:\n  - cohesion:\n      radius: 1\n      weight: 1e7\n",
     {":4: ", "interactions[0].cohesion.weight: it is '1e7'", "allowed: -1e+06 .. 1e+06"}},
    {"interactions:\n  - cohesion: {radius: 0}\n", {":2: ", "interactions[0]", "above 0"}},
    {"interactions:\n  - cohesion: {radius: 1}\n  - cohesion: {radius: 1}\n", {":3: ", "interactions[1]", "already"}},
    {"interactions:\n  - order: [cohesion, cohesion, separation]\n    cohesion: {radius: 1}\n", {":2: ", "order", "once"}},
    /* species that are not there */
    {"fields:\n  - cells: [2, 2]\n", {":2: ", "fields[0]", "needs one of constant"}},
    {"fields:\n  - {random: {}, noise: {}}\n",
     {":2: ", "fields[0].noise:", "allowed: only one of constant, random, noise, swirl, "}},
    {"fields:\n  - cells: [2, 2, 2]\n    random: {}\n",
     {":2: ", "fields[0].cells: the list has 3 numbers; allowed here: 2, one per dimension"}},
    {"fields:\n  - cells: [2, 0]\n    random: {}\n",
     {":2: ", "fields[0].cells[1]: it is '0'", "allowed: a whole number, 1 .. 65536"}},
    {"fields:\n  - cells: [2, 70000]\n    random: {}\n", {":2: ", "fields[0]", "cells[1]", "65536"}},
    {"fields:\n  - noise: {octaves: 9}\n", {":2: ", "fields[0].noise.octaves: it is '9'", "allowed: a whole number, 1 .. 8"}},
    {"fields:\n  - swirl: {axis: [0, 0, 1]}\n", {":2: ", "fields[0].swirl.axis", "plane"}},
    {"fields:\n  - image: {file: no.png}\n", {":2: ", "fields[0].image.file", "no.png"}},
    {"fields:\n  - csv: {file: no.csv}\n", {":2: ", "fields[0].csv.file", "no.csv", "No such file"}},
    {"fields:\n  - cells: [1, 2]\n    csv: {file: short.csv}\n", {":3: ", "csv.file", "1 rows", "2 cells"}},
    {"fields:\n  - cells: [1, 2]\n    csv: {file: long.csv}\n", {":3: ", "csv.file", "long.csv:4", "too many"}},
    {"fields:\n  - cells: [1, 2]\n    csv: {file: odd.csv}\n", {":3: ", "csv.file", "odd.csv:3", "finite"}},
    {"fields:\n  - cells: [1, 2]\n    csv: {file: head.csv}\n", {":3: ", "csv.file", "head.csv:1", "vx,vy"}},
    {"paths:\n  - closed: true\n", {":2: ", "paths[0]: it needs one of points, agents"}},
    {"paths:\n  - points: [1, 2, 3, 4, 5]\n", {":2: ", "paths[0].points: each point needs 2 numbers, one per dimension"}},
    {"paths:\n  - points: [1, 2, 3, 2e9]\n",
     {":2: ", "paths[0].points[3]: it is '2e9'", "allowed: -1e+09 .. 1e+09 world units"}},
    {"behaviours:\n  - flow: {}\n",
     {":2: ", "behaviours[0].flow.field: it is required where fields do not have exactly one entry"}},
    {"fields:\n  - {name: a, random: {}}\nbehaviours:\n  - flow: {field: b}\n", {":4: ", "flow.field", "none of that name"}},
    {"behaviours:\n  - follow_path: {path: b}\n", {":2: ", "follow_path.path", "none of that name"}},
    {"paths:\n  - points: [1, 2, 3, 4]\nbehaviours:\n  - follow_path: {ahead_time: 1, ahead_distance: 1}\n",
     {":4: ", "follow_path.ahead_time", "not both"}},
    {"interactions:\n  - nearest: 33\n    cohesion: {radius: 1}\n",
     {":2: ", "interactions[0].nearest: it is '33'", "allowed: a whole number, 0 .. 32"}},
    {"interactions:\n  - cohesion: {radius: 1, min_radius: 2}\n", {":2: ", "cohesion.min_radius is 2"}},
    {"interactions:\n  - cohesion: {radius: 1, view: 181}\n",
     {":2: ", "interactions[0].cohesion.half_view: it is '181'", "allowed: 0 .. 180 degrees"}},
    {"obstacles:\n  - radius: 1\n", {":2: ", "obstacles[0]", "one of ball, box, capsule"}},
    {"obstacles:\n  - ball: [1, 2]\n", {":2: ", "obstacles[0]", "needs a radius"}},
    {"obstacles:\n  - {ball: [1, 2, 3], radius: 1}\n",
     {":2: ", "obstacles[0].ball: the list has 3 numbers; allowed here: 2, one per dimension"}},
    {"obstacles:\n  - box: [1, 2, 3, 4, 5]\n", {":2: ", "obstacles[0].box", "two places"}},
    {"obstacles:\n  - {box: [1, 2, 3, 4], radius: 1}\n", {":2: ", "obstacles[0].radius", "none"}},
    {"obstacles:\n  - box: [3, 2, 1, 4]\n", {":2: ", "obstacles[0]", "b[0]"}},
    {"behaviours:\n  - swim: {}\n",
     {":2: ", "behaviours[0]: unknown field 'swim'", "allowed: species, seek, flee, arrive, pursue, evade, "}},
    {"behaviours:\n  - species: agents\n",
     {":2: ", "behaviours[0]: it needs one of seek, flee, arrive, pursue, evade, wander, contain, follow_"}},
    {"behaviours:\n  - seek: {target: [1, 2]}\n    flee: {target: [1, 2]}\n",
     {":3: ", "behaviours[0].flee:", "allowed: only one of seek, flee, arrive, pursue, evad"}},
    {"behaviours:\n  - seek: {weight: 2}\n", {":2: ", "behaviours[0].seek: it needs one of target, agent, nearest, centre"}},
    {"behaviours:\n  - seek:\n      target: [1, 2]\n      agent: 3\n",
     {":4: ", "seek.agent", "only one of target, agent, nearest, centre"}},
    {"behaviours:\n  - seek:\n      nearest: agents\n      radius: 1\n      centre: agents\n",
     {":5: ", "seek.centre", "only one of"}},
    {"behaviours:\n  - seek:\n      nearest: agents\n", {":2: ", "seek.radius", "missing"}},
    {"behaviours:\n  - seek:\n      nearest: agents\n      radius: 0\n", {":4: ", "seek", "radius is 0", "1e-09"}},
    {"behaviours:\n  - evade: {centre: gulls, radius: 1}\n", {":2: ", "evade.centre", "'gulls'", "agents"}},
    {"behaviours:\n  - evade: {nearest: gulls, radius: 1}\n", {":2: ", "evade.nearest", "'gulls'", "agents"}},
    {"behaviours:\n  - pursue:\n      nearest: agents\n      radius: 1\n      velocity: [1, 2]\n",
     {":5: ", "pursue.velocity", "its own"}},
    {"behaviours:\n  - view: {angle: 30}\n", {":2: ", "view", "radius", "missing"}},
    {"behaviours:\n  - view: {radius: 1, observed: gulls}\n", {":2: ", "view.observed", "'gulls'", "agents"}},
    {"behaviours:\n  - view:\n      radius: 1\n      angle: 190\n",
     {":4: ", "behaviours[0].view.half_angle: it is '190'", "allowed: > 0, <= 180 degrees"}},
    {"behaviours:\n  - flee:\n      agent: 3\n      velocity: [1, 2]\n", {":4: ", "flee.velocity", "its own"}},
    {"behaviours:\n  - seek:\n      target: [1, 2, 3]\n", {":3: ", "seek.target", "3 numbers", "2"}},
    {"behaviours:\n  - arrive:\n      target: [1, 2]\n      slowing_radius: 0\n",
     {":4: ", "behaviours[0].arrive.slowing_radius: it is '0'", "allowed: > 0, <= 1e+09 world units"}},
    {"behaviours:\n  - seek: {target: [1, 2], slowing_radius: 1}\n",
     {":2: ", "behaviours[0].seek: unknown field 'slowing_radius'", "allowed: weight, max_force, target, agent, nearest, c"}},
    {"behaviours:\n  - pursue: {target: [1, 2], prediction: far}\n", {":2: ", "'far'", "fixed, by-distance"}},
    {"behaviours:\n  - contain: {margin: 1, margins: [1, 2]}\n", {":2: ", "contain.margins", "not both"}},
    {"behaviours:\n  - wander: {jitter: 0}\n",
     {":2: ", "behaviours[0].wander.jitter: it is '0'", "allowed: > 0, <= 1 1 / step"}},
    {"behaviours:\n  - contain: {margin: 1, corner: first}\n", {":2: ", "'first'", "all, last"}},
    {"behaviours:\n  - force: {weight: 1}\n", {":2: ", "force", "vector is missing"}},
    {"behaviours:\n  - species: gulls\n    drag: {linear: 1}\n", {":2: ", "behaviours[0].species", "'gulls'", "agents"}},
    {"interactions:\n  - observer: gulls\n    cohesion: {radius: 1}\n", {":2: ", "observer", "'gulls'", "agents"}},
    {"species:\n  - start:\n      - velocity: [1]\n", {":3: ", "start[0].velocity", "1 entries", "2 .. 3"}},
    {"species:\n  - start:\n      - velocity: [1, 2, 3]\n", {":3: ", "start[0].velocity", "3 numbers", "2"}},
    {"species:\n  - start:\n      - velocity: [1, 2e9]\n",
     {":3: ", "species[0].start[0].velocity[1]: it is '2e9'", "allowed: -1e+09 .. 1e+09 world units per time unit"}},
    {ATTRIBUTE("value: 1"), {":3: ", "species[0].attributes[0].name", "missing"}},
    {ATTRIBUTE("name: age"), {":3: ", "species[0].attributes[0]: it needs one of value, even, normal"}},
    {ATTRIBUTE("name: age, value: 1, even: [0, 1]"), {":3: ", "one of value, even, normal"}},
    {ATTRIBUTE("name: vx, value: 1"), {":3: ", "name is 'vx'", "column"}},
    {ATTRIBUTE("name: 'a,b', value: 1"), {":3: ", "name", "'a,b'", "comma"}},
    {ATTRIBUTE("role: speed, value: 1"), {":3: ", "attributes[0].role", "'speed'", "value, max_speed, max_force, mass"}},
    {ATTRIBUTE("role: mass, value: 0"), {":3: ", "attributes[0]: value is 0", "at least 1e-06"}},
    {ATTRIBUTE("role: mass, even: [1]"), {":3: ", "attributes[0].even", "1 entries", "2 .. 2"}},
    {ATTRIBUTE("role: radius_scale,\n         even: [0.5, 2]"), {":4: ", "attributes[0].even[1]: it is 2", "1 (of a radius)"}},
    {ATTRIBUTE("role: mass, even: [3, 2]"), {":3: ", "even[1]: it is 2", "3"}},
    {ATTRIBUTE("role: mass, normal: {mean: 1, low: 1, high: 1}"), {":3: ", "attributes[0].normal", "deviation is missing"}},
    {ATTRIBUTE("role: mass,\n         normal: {mean: 0,\n           deviation: 1, low: 1, high: 1}"),
     {":4: ", "normal.mean: it is 0"}},
    {ATTRIBUTE("role: mass,\n         normal: {mean: 1,\n           deviation: -1, low: 1, high: 1}"),
     {":5: ", "species[0].attributes[0].normal.deviation: it is '-1'", "allowed: 0 .. 1e+30"}},
    {ATTRIBUTE("name: age, normal: {mean: 1,\n           deviation: 1, low: -1e31, high: 1}"),
     {":4: ", "normal.low: it is -1e+31", "-1e+30"}},
    {ATTRIBUTE("role: mass, normal: {mean: 1,\n           deviation: 1, low: 2, high: 1}"),
     {":4: ", "normal.high: it is 1", "2"}},
    {ATTRIBUTE("role: mass, behaviour: 0, value: 1"), {":3: ", "attributes[0].behaviour", "only with role: behaviour_weight"}},
    {ATTRIBUTE("role: behaviour_weight, value: 1"), {":3: ", "attributes[0].behaviour", "missing", "from 0"}},
    {ATTRIBUTE("role: behaviour_weight, behaviour: 2, value: 1"),
     {":3: ", "species[0].attributes[0].behaviour: it is 2; the file has 2 behaviours, counted from 0"}},
    {ATTRIBUTE("role: behaviour_weight, behaviour: 1, value: 1"), {":3: ", "behaviour is 1", "species 1, not 0"}},
    {ATTRIBUTE("role: mass, value: 1}\n      - {role: mass, name: b, value: 2"),
     {":4: ", "attributes[1]", "'mass' has it already"}},
    {ATTRIBUTE("name: a, value: 1}\n      - {role: mass, name: a, value: 2"),
     {":4: ", "attributes[1]: name is 'a'", "already"}},
    {LIFE("lives:\n  - {species: gulls}"), {":5: ", "lives[0]", "energy is missing"}},
    {LIFE("lives:\n  - {energy: energy}"), {":5: ", "lives[0].species", "several", "gulls, fish"}},
    {LIFE("lives:\n  - {species: gulls, energy: size}"), {":5: ", "lives[0].energy", "no attribute of that name"}},
    {LIFE("lives:\n  - {species: gulls, energy: mass}"), {":5: ", "lives[0].energy", "role is value"}},
    {LIFE("lives:\n  - {species: gulls, energy: energy, cost: 1e7}"),
     {":5: ", "lives[0].cost: it is '1e7'", "allowed: -1e+06 .. 1e+06 1 / time unit"}},
    {LIFE("lives:\n  - {species: gulls, energy: energy, divides_at: 0}"),
     {":5: ", "lives[0].divides_at: it is '0'", "allowed: > 0, <= 1e+30"}},
    {LIFE("lives:\n  - {species: gulls, energy: energy,\n     share: 1}"),
     {":6: ", "lives[0].share: it is '1'", "allowed: > 0, < 1"}},
    {LIFE("lives:\n  - {species: gulls, energy: energy}\n  - {species: gulls, energy: energy}"),
     {":6: ", "lives[1]: the species has such an entry already", "allowed: one per species"}},
    {LIFE("meals:\n  - {eater: gulls, food: fish}"), {":5: ", "meals[0]", "radius is missing"}},
    {LIFE("meals:\n  - {eater: gulls, food: gulls, radius: 1}"), {":5: ", "meals[0]: food is 0", "another species"}},
    {LIFE("meals:\n  - {eater: gulls, food: worms, radius: 1}"), {":5: ", "meals[0].food", "worms"}},
    {LIFE("meals:\n  - {eater: gulls, food: fish, radius: 0}"),
     {":5: ", "meals[0].radius: it is '0'", "allowed: 1e-09 .. 1e+09 world units"}},
    {LIFE("meals:\n  - {eater: gulls, food: fish, radius: 1, energy: size}"), {":5: ", "meals[0].energy", "no attribute"}},
    {LIFE("meals:\n  - {eater: gulls, food: fish, radius: 1, worth: mass}"), {":5: ", "meals[0].worth", "no attribute"}},
    {LIFE("meals:\n  - {eater: gulls, food: fish, radius: 1, gain: 1e7}"),
     {":5: ", "meals[0].gain: it is '1e7'", "allowed: -1e+06 .. 1e+06"}},
    {"models:\n  - {}\n", {":2: ", "models[0]", "one of vicsek, couzin, circles, matching"}},
    {"models:\n  - vicsek: {radius: 1, noise: 1}\n    circles: {radius: 1, strength: 1}\n",
     {":3: ", "models[0].circles:", "allowed: only one of vicsek, couzin, circles, matchin"}},
    {"models:\n  - eagles: {radius: 1}\n",
     {":2: ", "models[0]: unknown field 'eagles'", "allowed: species, vicsek, couzin, circles, matching"}},
    {"models:\n  - vicsek: {radius: 1}\n", {":2: ", "models[0].vicsek", "noise is missing"}},
    {"models:\n  - vicsek: {radius: 1, noise: loud}\n", {":2: ", "models[0].vicsek.noise", "'loud'"}},
    {"models:\n  - vicsek: {radius: 1, noise: 7}\n",
     {":2: ", "models[0].vicsek.noise: it is '7'", "allowed: 0 .. 6.28319 radians"}},
    {"models:\n  - vicsek: {radius: 0, noise: 1}\n",
     {":2: ", "models[0].vicsek.radius: it is '0'", "allowed: 1e-09 .. 1e+09 world units"}},
    {"models:\n  - circles: {radius: 1, strength: 1}\n", {":2: ", "models[0].circles", "3 dimensions"}},
    {"models:\n  - species: gulls\n    vicsek: {radius: 1, noise: 1}\n", {":2: ", "models[0].species", "gulls"}},
    {"models:\n  - vicsek: {radius: 1, noise: 1}\n  - vicsek: {radius: 1, noise: 1}\n",
     {":3: ", "models[1]: the species has such an entry already", "allowed: one per species"}},
    {GROWTH("most: 3"), {":3: ", "species[0].growth[0]", "per_step is missing"}},
    {GROWTH("per_step: -1"), {":3: ", "species[0].growth[0].per_step: it is '-1'", "allowed: 0 .. 1e+06"}},
    {GROWTH("per_step: 1e7"), {":3: ", "species[0].growth[0].per_step: it is '1e7'", "allowed: 0 .. 1e+06"}},
    {GROWTH("per_step: 1, most: -1"),
     {":3: ", "species[0].growth[0].max_agents: it is '-1'", "allowed: a whole number, 0 .. 4294967295"}},
    {GROWTH("per_step: 1, begin: 4,\n         end: 4"), {":4: ", "growth[0].end", "not after begin"}},
    {GROWTH("per_step: 1, start: {share: 1}"),
     {":3: ", "species[0].growth[0].start: unknown field 'share'", "allowed: region, centre, extent, velocity, min_speed,"}},
    {GROWTH("per_step: 1, start: {centre: [1]}"), {":3: ", "growth[0].start.centre", "1 entries"}},
    {GROWTH("per_step: 1, start:\n         {centre: [1, 2, 3]}"), {":4: ", "growth[0].start.centre", "3 numbers", "2"}},
    {GROWTH("per_step: 0, start:\n         {centre: [99, 50]}"), {":3: ", "species[0].growth[0].start", "from 0 to 100"}},
    {"models:\n  - vicsek: {radius: 1, noise: 1}\nschedules:\n"
     "  - {parameter: 'models[0].vicsek.noise', constant: {value: 7}}\n",
     {":4: ", "schedules[0]: models[0].vicsek.noise is 7 at step 0", "allowed: 0 .. 6.28319 radians"}},
    {SCHEDULED("species[0].attributes[0].value", CURVE),
     {":2: ", "schedules[0].parameter: 'species[0].attributes[0].value': an agent gets its numbers at bir"}},
    {SCHEDULED("species[0].growth[0].per_step", CURVE),
     {":2: ", "schedules[0].parameter: 'species[0].growth[0].per_step': it cannot change in flight"}},
    {SCHEDULED("seed", CURVE), {":2: ", "schedules[0].parameter", "'seed'", "cannot change"}},
    {SCHEDULED("paths[0].points[1]", CURVE),
     {":2: ", "schedules[0].parameter: 'paths[0].points[1]': it cannot change in flight"}},
    {SCHEDULED("gulls", CURVE), {":2: ", "unknown field 'gulls'", "world, species"}},
    {SCHEDULED("world.size[0]", CURVE),
     {":2: ", "schedules[0].parameter: 'world.size[0]' leads no further than 'world.size': the file leave",
      "allowed: what the file has, even if only as {}"}},
    {SCHEDULED("world.margin", CURVE), {":2: ", "'world.margin'", "cannot change"}},
    {SCHEDULED("world.boundary", CURVE), {":2: ", "'world.boundary'", "no number"}},
    {SCHEDULED("species[0].agents", CURVE), {":2: ", "'species[0].agents'", "cannot change"}},
    {SCHEDULED("species[0].start[0].share", CURVE),
     {":2: ", "schedules[0].parameter: 'species[0].start[0].share': it cannot change in flight"}},
    {SCHEDULED("species[1].drag", CURVE), {":2: ", "'species'", "no such entry", "[0] .. [0]"}},
    {SCHEDULED("species.ducks.drag", CURVE), {":2: ", "'species'", "of that name", "[0] .. [0]"}},
    {SCHEDULED("species[x].drag", CURVE), {":2: ", "'species'", "no such entry"}},
    {SCHEDULED("species[0].drag.x", CURVE), {":2: ", "'species[0].drag'", "nothing inside"}},
    {SCHEDULED("species[0]", CURVE), {":2: ", "'species[0]'", "a number of its name, min_speed"}},
    {SCHEDULED("species", CURVE), {":2: ", "'species'", "no number"}},
    {SCHEDULED("interactions[0].drag", CURVE), {":2: ", "'interactions'", "leaves it out"}},
    {SCHEDULED("behaviours[0].seek.velocity[0]", CURVE),
     {":2: ", "schedules[0].parameter: 'behaviours[0].seek.velocity[0]': it cannot change in flight",
      "allowed: a schedule for target, which says where it i"}},
    {SCHEDULED("behaviours[0].flee.weight", CURVE), {":2: ", "behaviours[0].flee'", "leaves it out"}},
    {SCHEDULED("fields[0].cells[0]", CURVE),
     {":2: ", "schedules[0].parameter: 'fields[0].cells[0]': it cannot change in flight"}},
    {SCHEDULED("fields[0].weight", CURVE), {":2: ", "fields[0].weight'", "from a file"}},
    {SCHEDULED("species[0].drag", ""), {":2: ", "schedules[0]", "one of constant, linear, sine, noise"}},
    {SCHEDULED("species[0].drag", CURVE ", linear: {from: 1, to: 0, end: 1}"), {":2: ", "one of constant, linear"}},
    {SCHEDULED("species[0].drag", ", linear: {from: 1, to: 0, begin: 4, end: 4}"), {":2: ", "linear.end", "not after begin"}},
    {SCHEDULED("species[0].drag", ", sine: {amplitude: 1, period: 0}"),
     {":2: ", "schedules[0].sine.period: it is '0'", "allowed: > 0, <= 1e+300 steps"}},
    {SCHEDULED("species[0].drag", ", noise: {amplitude: 1, scale: -1}"),
     {":2: ", "schedules[0].noise.scale: it is '-1'", "allowed: > 0, <= 1e+300 steps"}},
    {SCHEDULED("species[0].drag", ", noise: {amplitude: 1, scale: 1, octaves: 9}"), {":2: ", "noise.octaves", "1 .. 8"}},
    {SCHEDULED("species[0].drag", ", constant: {value: 2}"),
     {":2: ", "schedules[0]: species[0].drag is 2 at step 0", "allowed: 0 .. 1"}},
    {"species:\n  - name: a\n  - name: b\ninteractions:\n  - cohesion: {radius: 1}\n", {":5: ", "observer", "several", "a, b"}},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

/* One line, of this file, without what a terminal would obey. */
static void is_told_well(const char *message) {
    if (strncmp(message, path, strlen(path)) != 0) fail_msg("without its file: %s", message);
    for (const char *c = message; *c; c++)
        if (iscntrl((unsigned char)*c)) fail_msg("with a control character: %s", message);
}

static void every_mistake_is_told_by_line_and_field(void **state) {
    (void)state;
    write_file("short.csv", "vx,vy\n1,2\n");
    write_file("long.csv", "vx,vy\n1,2\n1,2\n1,2\n");
    write_file("odd.csv", "vx,vy\n1,2\n1,nan\n");
    write_file("head.csv", "x,y\n1,2\n1,2\n");
    for (int i = 0; i < MISTAKES; i++) {
        const mistake *m = &mistakes[i];
        scenario_run f;
        write_text(m->text);
        const dunlin_result result = open_and_build(path, NULL, NULL, &f);
        if (result == DUNLIN_OK) fail_msg("this was not refused:\n%s", m->text);
        is_told_well(refusal.message);
        for (int w = 0; w < 4 && m->words[w]; w++)
            if (!strstr(refusal.message, m->words[w])) fail_msg("'%s' is not said by: %s", m->words[w], refusal.message);
    }
}

static void files_that_are_none(void **state) {
    (void)state;
    scenario_run f;
    REFUSE(open_and_build("no_such_file.yaml", NULL, NULL, &f), DUNLIN_ERROR_FILE, "no_such_file.yaml", strerror(ENOENT));
    REFUSE(open_and_build(".", NULL, NULL, &f), DUNLIN_ERROR_FILE, ".: ", strerror(EISDIR));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 300000; i++) fputs("# so long\n", file);
    fclose(file);
    REFUSE(open_and_build(path, NULL, NULL, &f), DUNLIN_ERROR_FILE, path, "larger than 1 MiB");
    dunlin_scenario *scenario;
    assert_int_equal(dunlin_scenario_open("no_such_file.yaml", NULL, &scenario, NULL), DUNLIN_ERROR_FILE);
}

/* `begin`, `unit` so many times, and `end`; the caller frees it. */
static char *repeated(const char *begin, const char *unit, size_t times, const char *end) {
    const size_t length = strlen(unit);
    char *text = malloc(strlen(begin) + times * length + strlen(end) + 1);
    assert_non_null(text);
    strcpy(text, begin);
    char *at = text + strlen(begin);
    for (size_t i = 0; i < times; i++, at += length) memcpy(at, unit, length + 1);
    strcpy(at, end);
    return text;
}

static dunlin_result open_text(const char *name, const char *text, size_t length, dunlin_scenario **scenario) {
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.name = name;
    return dunlin_scenario_open_text(text, length, &def, scenario, &refusal);
}

static dunlin_result parse(const char *text, dunlin_scenario **scenario) {
    return open_text("text.yaml", text, strlen(text), scenario);
}

static void parse_refuses(char *text, const char *line, const char *word, const char *other) {
    dunlin_scenario *scenario;
    REFUSE(parse(text, &scenario), DUNLIN_ERROR_FILE, line, word, other);
    assert_null(scenario);
    free(text);
}

/* What would take minutes, or gigabytes, is refused before anything is made of it. */
static void work_is_bounded(void **state) {
    (void)state;
    char *list = repeated("paths:\n  - points: &a [10", ", 10", 57000, "]\n");
    parse_refuses(repeated(list, "  - points: *a\n", 999, ""), "text.yaml:19: ", "values", "1000000");
    free(list);
    list = repeated("paths:\n  - points: &a [10", ", 10", 999, "]\n");
    char *within = repeated(list, "  - points: *a\n", 996, "");
    dunlin_scenario *scenario;
    ACCEPT(parse(within, &scenario));
    dunlin_scenario_close(scenario);
    free(within);
    parse_refuses(repeated(list, "  - points: *a\n", 997, ""), "text.yaml:999: ", "values", "1000000");
    free(list);
    parse_refuses(repeated("name: x\nworld: ", "[", 400000, ""), "text.yaml:2: ", "nest deeper", "32");
    parse_refuses(repeated("\n", "- ", 400000, "x"), "text.yaml:2: ", "nest deeper", "32");
    parse_refuses(repeated("", "[", 33, "]"), ":1: ", "nest deeper", "32");
    parse_refuses(repeated("", "[", 32, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"), ":1: ", "fields are expected", "name: value");
    parse_refuses(repeated("a: [", "&x 1, ", 1001, "]"), ":1: ", "more anchors", "1000");
    parse_refuses(repeated("a:\n", "", 0, "  - &x\n  - &x [1, *x]\n"), ":3: ", "an alias refers to", "that contains it");
    parse_refuses(repeated("", "%TAG !x! y\n", 101, "---\nname: x\n"), ":101: ", "directives", "100");
    parse_refuses(repeated("world: {time_step: &x 0.", "1", 100, "}"), ":1: ", "world.time_step", "at most 100 bytes");
}

static void texts_need_no_file(void **state) {
    (void)state;
    static const char text[] = "steps: 12345";
    dunlin_scenario *scenario;
    ACCEPT(open_text("folder/flock.yaml", text, strlen("steps: 123"), &scenario));
    assert_true(dunlin_scenario_steps(scenario) == 123);
    assert_string_equal(dunlin_scenario_name(scenario), "flock");
    dunlin_scenario_close(scenario);
    REFUSE(open_text("flock.yaml", NULL, 0, &scenario), DUNLIN_ERROR_FILE, "flock.yaml", "empty");
    ACCEPT(parse("\xef\xbb\xbfsteps: 5\n", &scenario)); /* as some editors begin a file */
    assert_true(dunlin_scenario_steps(scenario) == 5);
    dunlin_scenario_close(scenario);
}

/* Names no field, so it is refused, or says nothing: then the world is that of an empty file. */
static void garbage(void **state) {
    (void)state;
    scenario_run plain = take_off("{}\n", NULL);
    const uint64_t hash = dunlin_world_state_hash(plain.world);
    land(&plain);
    test_random random = {9};
    int refused = 0;
    for (int i = 1; i < 400; i++) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        for (int n = 0; n < i; n++)
            fputc(i % 2 ? (int)test_below(&random, 256) : "{}[]:-&*#|>'\"\n ?,"[test_below(&random, 17)], file);
        fclose(file);
        scenario_run f;
        if (open_and_build(path, NULL, NULL, &f) == DUNLIN_OK) {
            assert_true(dunlin_world_state_hash(f.world) == hash);
            land(&f);
        } else {
            is_told_well(refusal.message);
            refused++;
        }
    }
    assert_in_range(refused, 350, 399);
}

/* ---- files that a scenario names --------------------------------------------------------------------------------------- */

/* Of two cells, one above the other. */
static bool reads_table(const char *text, size_t length, scenario_grid *grid, char problem[SCENARIO_PROBLEM_LENGTH]) {
    float unused = 0;
    const dunlin_field_view field = {.cells = {1, 2, 1}, .vectors = {&unused, &unused}};
    *grid = (scenario_grid){0};
    return dun_grid_read_csv("wind.csv", text, length, &field, grid, problem);
}

static void tables_are_read(void **state) {
    (void)state;
    static const char *const texts[] = {"vx,vy\n1,2\n-3,4e1\n", "vx,vy\r\n1,2\r\n-3,4e1\r\n", "vx,vy\n+1.,02\n-3,.4e+2",
                                        "\xef\xbb\xbfvx,vy\n1,2\n-3,40\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char problem[SCENARIO_PROBLEM_LENGTH] = "";
        scenario_grid grid;
        if (!reads_table(texts[i], strlen(texts[i]), &grid, problem)) fail_msg("%s", problem);
        assert_true(grid.columns[0][0] == 1 && grid.columns[1][0] == 2 && grid.columns[0][1] == -3 && grid.columns[1][1] == 40);
        dun_grid_free(&grid);
    }
}

#define TABLE(text) text, sizeof text - 1
#define ZEROS       "0000000000000000000000000000000000000000000000000000000000000000"

static void tables_are_read_strictly(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *words[3];
    } cases[] = {
        {TABLE(""), {":1: ", "header is ''", "vx,vy"}},
        {TABLE("vx;vy\n1,2\n3,4\n"), {":1: ", "header is 'vx;vy'", "vx,vy"}},
        {TABLE("vx,vy,vz\n1,2\n3,4\n"), {":1: ", "header is 'vx,vy,vz'", "vx,vy"}},
        {TABLE("vx,vy\r1,2\r3,4\r"), {":1: ", "header is"}},
        {TABLE("vx,vy\n1\n3,4\n"), {":2: ", "1 columns", "needed: 2"}},
        {TABLE("vx,vy\n1,2,3\n3,4\n"), {":2: ", "3 columns", "needed: 2"}},
        {TABLE("vx,vy\n1,2,\n3,4\n"), {":2: ", "3 columns", "needed: 2"}},
        {TABLE("vx,vy\n1,2\n\n3,4\n"), {":3: ", "1 columns", "needed: 2"}},
        {TABLE("vx,vy\n1,\n3,4\n"), {":2: ", "vy is ''"}},
        {TABLE("vx,vy\n1,2\n3,four\n"), {":3: ", "vy is 'four'", "number"}},
        {TABLE("vx,vy\n1,2\n3,0x10\n"), {":3: ", "vy is '0x10'"}},
        {TABLE("vx,vy\n0x1p2,2\n3,4\n"), {":2: ", "vx is '0x1p2'"}},
        {TABLE("vx,vy\ninf,2\n3,4\n"), {":2: ", "vx is 'inf'", "finite"}},
        {TABLE("vx,vy\n1,nan\n3,4\n"), {":2: ", "vy is 'nan'"}},
        {TABLE("vx,vy\n1e39,2\n3,4\n"), {":2: ", "vx is '1e39'", "finite"}},
        {TABLE("vx,vy\n 1,2\n3,4\n"), {":2: ", "vx is ' 1'"}},
        {TABLE("vx,vy\n1, 2\n3,4\n"), {":2: ", "vy is ' 2'"}},
        {TABLE("vx,vy\n1,2 \n3,4\n"), {":2: ", "vy is '2 '"}},
        {TABLE("vx,vy\n1,2\r\r\n3,4\n"), {":2: ", "vy is '2\r'"}},
        {TABLE("vx,vy\n1,2\0,hidden\n3,4\n"), {":2: ", "NUL"}},
        {TABLE("vx,vy\n1,0." ZEROS ZEROS ZEROS ZEROS "3,4\n"), {":2: ", "263 bytes", "256"}},
        {TABLE("vx,vy\n1,2\n"), {":2: ", "1 rows", "2 cells"}},
        {TABLE("vx,vy\n1,2\n3,4\n5,6\n"), {":4: ", "too many", "2 cells"}},
        {TABLE("vx,vy\n1,2\n3,4\n\n"), {":4: ", "too many"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char problem[SCENARIO_PROBLEM_LENGTH] = "";
        scenario_grid grid;
        if (reads_table(cases[i].text, cases[i].length, &grid, problem)) fail_msg("this was not refused:\n%s", cases[i].text);
        dun_grid_free(&grid);
        for (int w = 0; w < 3 && cases[i].words[w]; w++)
            if (!strstr(problem, cases[i].words[w])) fail_msg("'%s' is not said by: %s", cases[i].words[w], problem);
    }
}

/* 24 bytes are enough to claim any size. */
static void pictures_are_bounded(void **state) {
    (void)state;
    static const char large[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x75\x30\0\0\x75\x30\1\0\0\0\0";
    static const char largest[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0\0\0";
    static const char empty[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\1\1\0\0\0\0";
    static const char wide[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x80\0\0\0\0\1\1\0\0\0\0";
    static const char broken[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\1\0\0\0\0";
    static const struct {
        const char *bytes;
        size_t length;
        const char *word, *other;
    } cases[] = {{TABLE(large), "30000x30000 pixels", "67108864"},
                 {TABLE(largest), "4294967295x4294967295 pixels", "67108864"},
                 {TABLE(empty), "0x1 pixels", "1 .. 32767"},
                 {TABLE(wide), "32768x1 pixels", "1 .. 32767"},
                 {TABLE(broken), "hill.png: ", ""},
                 {large, 23, "no PNG", ""},
                 {TABLE("GIF89a, and some more of that"), "no PNG", ""},
                 {"", 0, "no PNG", ""}};
    const dunlin_field_view field = {.cells = {1, 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char problem[SCENARIO_PROBLEM_LENGTH] = "";
        scenario_grid grid = {0};
        assert_false(dun_grid_read_png("hill.png", cases[i].bytes, cases[i].length, &field, &grid, problem));
        dun_grid_free(&grid);
        if (!strstr(problem, cases[i].word) || !strstr(problem, cases[i].other)) fail_msg("case %zu: %s", i, problem);
    }
}

/* A scenario in the folder `nest`, or where `from` says, whose only field comes from the file. */
static dunlin_result build_from(const char *from, const char *file, const dunlin_scenario_def *files) {
    char text[8192];
    dunlin_scenario *scenario;
    dunlin_flight *flight;
    dunlin_scenario_def def = files ? *files : dunlin_scenario_def_default();
    def.name = from;
    snprintf(text, sizeof text, "fields:\n  - {cells: [1, 1], csv: {file: '%s'}}\n", file);
    ACCEPT(dunlin_scenario_open_text(text, strlen(text), &def, &scenario, &refusal));
    const dunlin_result result = dunlin_flight_create(scenario, NULL, &flight, &refusal);
    dunlin_flight_destroy(flight);
    dunlin_scenario_close(scenario);
    return result;
}

static const char *const nest_links[][2] = {
    {"../outside.csv", "nest/link.csv"}, {"..", "nest/up"}, {"inside.csv", "nest/alias.csv"}, {"nest", "nest_link"}};
enum { NEST_LINKS = sizeof nest_links / sizeof *nest_links };

static void make_nest(void) {
    static const char row[] = "vx,vy\n1,2\n";
    assert_int_equal(mkdir("nest", 0777) | mkdir("nest/sub", 0777) | mkdir("nest_other", 0777) | mkfifo("nest/pipe", 0666), 0);
    write_file("outside.csv", row);
    write_file("nest/inside.csv", row);
    write_file("nest/sub/deep.csv", row);
    write_file("nest_other/near.csv", row);
    for (int i = 0; i < NEST_LINKS; i++) assert_int_equal(symlink(nest_links[i][0], nest_links[i][1]), 0);
}

static void remove_nest(void) {
    static const char *const files[] = {"outside.csv", "nest/inside.csv", "nest/sub/deep.csv", "nest_other/near.csv",
                                        "nest/pipe"};
    for (int i = 0; i < NEST_LINKS; i++) unlink(nest_links[i][1]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
    rmdir("nest/sub");
    rmdir("nest_other");
    rmdir("nest");
}

static void files_lie_in_the_scenarios_folder(void **state) {
    (void)state;
    static const char *const inside[] = {"inside.csv",        "./inside.csv", "sub/deep.csv",
                                         "sub/../inside.csv", "alias.csv",    "up/nest/inside.csv"};
    static const char *const outside[] = {"../outside.csv", "link.csv", "up/outside.csv", "../nest_other/near.csv"};
    char *here = realpath(".", NULL), absolute[4096];
    assert_non_null(here);
    remove_nest();
    make_nest();
    dunlin_scenario_def anywhere = dunlin_scenario_def_default();
    anywhere.allow_outside = true;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        ACCEPT(build_from("nest/scenario.yaml", inside[i], NULL));
        ACCEPT(build_from("nest_link/scenario.yaml", inside[i], NULL));
    }
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        REFUSE(build_from("nest/scenario.yaml", outside[i], NULL), DUNLIN_ERROR_FILE,
               "nest/scenario.yaml:2: fields[0].csv.file: ", outside[i], "outside the scenario's folder", "--allow-outside");
        ACCEPT(build_from("nest/scenario.yaml", outside[i], &anywhere));
    }
    REFUSE(build_from("nest/s.yaml", "../nothing.csv", NULL), DUNLIN_ERROR_FILE,
           "outside the scenario's folder"); /* nor told */
    REFUSE(build_from("nest/s.yaml", "nothing.csv", NULL), DUNLIN_ERROR_FILE, strerror(ENOENT));
    snprintf(absolute, sizeof absolute, "%s/outside.csv", here);
    REFUSE(build_from("nest/s.yaml", absolute, NULL), DUNLIN_ERROR_FILE, "outside the scenario's folder", "--allow-outside");
    ACCEPT(build_from("nest/s.yaml", absolute, &anywhere));
    ACCEPT(build_from("scenario.yaml", absolute, NULL));
    REFUSE(build_from("nest/s.yaml", "no.csv", NULL), DUNLIN_ERROR_FILE, "no.csv", strerror(ENOENT));
    REFUSE(build_from("nowhere/s.yaml", "no.csv", NULL), DUNLIN_ERROR_FILE, "folder", strerror(ENOENT));
    REFUSE(build_from("nest/s.yaml", "sub", NULL), DUNLIN_ERROR_FILE, "sub: it is a folder");
    REFUSE(build_from("nest/s.yaml", "pipe", NULL), DUNLIN_ERROR_FILE, "pipe: it is a device, pipe or socket");
    REFUSE(build_from("nest/s.yaml", "/dev/zero", &anywhere), DUNLIN_ERROR_FILE, "/dev/zero: it is a device, pipe or socket");
    char *rows = repeated("vx,vy\n", "1,2\n", 300000, "");
    write_file("nest/inside.csv", rows);
    REFUSE(build_from("nest/s.yaml", "inside.csv", NULL), DUNLIN_ERROR_FILE, "1200006 bytes", "allowed here: 1048");
    free(rows);
    remove_nest();
    free(here);
}

/* What a caller allows a file of others to ask for. */
static void callers_limit_what_a_file_asks_for(void **state) {
    (void)state;
    scenario_run f;
    dunlin_scenario_def limits = dunlin_scenario_def_default();
    limits.max_agents = 1000;
    limits.max_cells = 100;
    static const char *const within[] = {
        "species:\n  - {agents: 600, growth: [{per_step: 999.5}]}\n  - {name: b, agents: 400}\n",
        "fields:\n  - {cells: [9, 10], random: {}}\n  - {cells: [5, 2], random: {}}\n"};
    for (size_t i = 0; i < 2; i++) {
        write_text(within[i]);
        ACCEPT(open_and_build(path, &limits, NULL, &f));
        land(&f);
    }
    static const mistake refused[] = {
        {"species:\n  - agents: 4000000000\n", {":1: ", "species", "4000000000 agents", "allows 1000"}},
        {"species:\n  - {agents: 600}\n  - {name: b, agents: 401}\n", {":1: ", "1001 agents", "allows 1000"}},
        {"species:\n  - {agents: 0, growth: [{per_step: 500.5}, {per_step: 499.5}]}\n",
         {":1: ", "1001 agents born", "allows 1000"}},
        {"fields:\n  - {cells: [65536, 65536], random: {}}\n", {":2: ", "fields[0].cells", "4294967296 cells", "allows 100"}},
        {"fields:\n  - {cells: [9, 10], random: {}}\n  - {cells: [1, 11], random: {}}\n",
         {":3: ", "fields[1].cells", "101 cells"}},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        write_text(refused[i].text);
        REFUSE(open_and_build(path, &limits, NULL, &f), DUNLIN_ERROR_FILE, refused[i].words[0], refused[i].words[1],
               refused[i].words[2], refused[i].words[3]);
    }
}

/* ---- warnings ---------------------------------------------------------------------------------------------------------- */

typedef struct warnings {
    char text[4][sizeof(dunlin_error){0}.message];
    int count;
} warnings;

static void keep_warning(void *user, const char *warning) {
    warnings *kept = user;
    assert_true(kept->count < 4);
    snprintf(kept->text[kept->count++], sizeof kept->text[0], "%s", warning);
}

static warnings warnings_of(const char *text, const char *shown) {
    warnings kept = {.count = 0};
    dunlin_flight_def options = dunlin_flight_def_default();
    options.warn = keep_warning;
    options.user = &kept;
    options.shown = shown;
    scenario_run f = take_off(text, &options);
    land(&f);
    return kept;
}

#define ALL_USED                                                                                                               \
    "species:\n"                                                                                                               \
    "  - {name: fish, attributes: [{name: size, value: 1}, {role: mass, value: 1}, {name: top, role: max_speed, value: 1}]}\n" \
    "  - {name: gulls, attributes: [{name: energy, value: 1}, {name: life, value: 1}]}\n"                                      \
    "meals:\n  - {eater: gulls, food: fish, radius: 1, energy: energy, worth: size}\n"                                         \
    "lives:\n  - {species: gulls, energy: life}\n"                                                                             \
    "fields:\n  - {name: calm, random: {}}\n  - {name: gusts, random: {}}\n"                                                   \
    "paths:\n  - {points: [1, 2, 3, 4]}\n"                                                                                     \
    "behaviours:\n  - {species: fish, follow_path: {}}\n  - {species: fish, flow: {field: calm}}\n"                            \
    "  - {species: fish, wind: {field: gusts}}\n"

static void what_nothing_uses_is_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *words[3];
    } cases[] = {
        {"fields:\n  - {name: a, random: {}}\n  - {name: b, random: {}}\nbehaviours:\n  - wind: {field: b}\n",
         {"scenario.yaml:2: fields[0]: ", "no flow or wind"}},
        {"paths:\n  - {name: a, points: [1, 2, 3, 4]}\n", {"scenario.yaml:2: paths[0]: ", "no follow_path"}},
        {"species:\n  - name: fish\n    attributes:\n      - {name: size, value: 1}\n",
         {"scenario.yaml:4: species[0].attributes[0]: ", "no meal or life"}},
        {"species:\n  - attributes:\n      - {role: mass, value: 1}\n      - {name: max_speed, value: 2}\n",
         {"scenario.yaml:4: species[0].attributes[1]: ", "only called max_speed, its role is value", "role: max_speed"}},
        {"species:\n  - attributes:\n      - {name: mass, role: max_speed, value: 2}\n",
         {"scenario.yaml:3: species[0].attributes[0]: ", "only called mass, its role is max_speed", "role: mass"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const warnings kept = warnings_of(cases[i].text, NULL);
        assert_int_equal(kept.count, 1);
        for (int w = 0; w < 3 && cases[i].words[w]; w++)
            if (!strstr(kept.text[0], cases[i].words[w])) fail_msg("'%s' is not said by: %s", cases[i].words[w], kept.text[0]);
    }
    assert_int_equal(warnings_of(ALL_USED, NULL).count, 0);
    assert_int_equal(warnings_of(cases[2].text, "size").count, 0); /* as the colour of a picture */
    assert_int_equal(warnings_of(cases[2].text, "age").count, 1);
    assert_int_equal(warnings_of("fields:\n  - random: {}\n  - random: {}\npaths:\n  - points: [1, 2, 3, 4]\n", NULL).count, 3);
}

/* ---- models ------------------------------------------------------------------------------------------------------------ */

/* As a world flies that somebody gives the model by hand, and what else it follows. */
static void models_fly_as_they_do_by_hand(void **state) {
    (void)state;
    scenario_run f = take_off("world: {size: [10, 10], integrator: explicit}\nseed: 5\n"
                              "species:\n  - {name: calm, agents: 0}\n"
                              "  - {name: noisy, min_speed: 0.5, max_speed: 0.5, agents: 300}\n"
                              "models:\n  - {species: noisy, vicsek: {radius: 2, noise: 1.5}}\n"
                              "schedules:\n"
                              "  - {parameter: 'models[0].vicsek.noise', linear: {from: 1.5, to: 0.5, end: 4}}\n"
                              "  - {parameter: world.time_step, constant: {value: 0.5, begin: 2}}\n"
                              "  - {parameter: species.noisy.max_speed, constant: {value: 0.75, begin: 3}}\n",
                              NULL);
    dunlin_world_def def = dunlin_world_get_def(f.world);
    dunlin_world *by_hand = world_create(&def);
    for (int s = 0; s < 2; s++) {
        const dunlin_species_def species = dunlin_world_get_species(f.world, s);
        ACCEPT(dunlin_world_add_species(by_hand, &species, NULL, &refusal));
    }
    const dunlin_view view = dunlin_world_view(f.world, 1);
    const dunlin_batch batch = {.count = view.count,
                                .position = {view.position[0], view.position[1]},
                                .velocity = {view.velocity[0], view.velocity[1]},
                                .ids = view.id};
    ACCEPT(dunlin_world_spawn(by_hand, 1, &batch, NULL, &refusal));
    model m = {.kind = MODEL_VICSEK, .vicsek = {2, 1.5f}};
    fly(&f, 5);
    for (int step = 0; step < 5; step++) {
        dunlin_species_def noisy = dunlin_world_get_species(by_hand, 1);
        def.time_step = step < 2 ? 1 : 0.5f;
        noisy.max_speed = step < 3 ? 0.5f : 0.75f;
        m.vicsek.noise = 1.5f - 0.25f * (float)step;
        ACCEPT(dunlin_world_set_def(by_hand, &def, &refusal));
        ACCEPT(dunlin_world_set_species(by_hand, 1, &noisy, &refusal));
        ACCEPT(model_put(by_hand, 1, 0, &m, &refusal));
        world_fly(by_hand, 1);
    }
    assert_int_equal(dunlin_world_view(by_hand, 1).count, 300);
    assert_true(dunlin_world_state_hash(by_hand) == dunlin_world_state_hash(f.world));
    dunlin_world_destroy(by_hand);
    land(&f);
}

/* ---- schedules --------------------------------------------------------------------------------------------------------- */

static float max_speed_of(const scenario_run *f) {
    return dunlin_world_get_species(f->world, 0).max_speed;
}

static float cohesion_of(const scenario_run *f) {
    return dunlin_world_get_interaction(f->world, 0).rules[DUNLIN_RULE_COHESION].weight;
}

/* After the n-th step the world is as the schedules have it for step n - 1, in which it was taken. */
static void schedules_say_what_holds_in_which_step(void **state) {
    (void)state;
    scenario_run f =
        take_off("world: {}\n"
                 "species:\n  - {name: knots, agents: 5}\n"
                 "interactions:\n  - {cohesion: {radius: 1}, nearest: 2}\n"
                 "behaviours:\n  - wind: {weight: 7}\n"
                 "fields:\n  - {name: gusts, cells: [2, 2], constant: {vector: [1, 2]}}\n"
                 "schedules:\n"
                 "  - {parameter: species.knots.max_speed, linear: {from: 2, to: 3, begin: 2, end: 6}}\n"
                 "  - {parameter: 'interactions[0].cohesion.weight', sine: {mean: 1, amplitude: 0.5, period: 4}}\n"
                 "  - {parameter: 'interactions[0].nearest', constant: {value: 4.6, begin: 3}}\n"
                 "  - {parameter: 'behaviours[0].wind.weight', noise: {mean: 1, amplitude: 3, scale: 8, seed: 5}}\n"
                 "  - {parameter: 'fields.gusts.constant.vector[1]', linear: {from: 2, to: 10, end: 4}}\n"
                 "  - {parameter: world.time_step, constant: {value: 0.5, begin: 2}}\n"
                 "  - {parameter: world.time_step, constant: {value: 0.25, begin: 4}}\n",
                 NULL);
    static const float speeds[] = {2, 2, 2, 2.25f, 2.5f, 2.75f, 3, 3}, sines[] = {1, 1.5f, 1, 0.5f, 1, 1.5f, 1, 0.5f};
    static const float gusts[] = {2, 4, 6, 8, 10, 10, 10, 10}, paces[] = {1, 1, 0.5f, 0.5f, 0.25f, 0.25f, 0.25f, 0.25f};
    for (int step = 0; step < 8; step++) {
        if (step == 0) assert_true(max_speed_of(&f) == 2.0f); /* it is built as it takes its first step */
        fly(&f, 1);
        assert_true(max_speed_of(&f) == speeds[step] && cohesion_of(&f) == sines[step]);
        assert_int_equal(dunlin_world_get_interaction(f.world, 0).nearest, step < 3 ? 2 : 5);
        assert_true(dunlin_world_field_view(f.world, 0).vectors[1][3] == gusts[step]);
        assert_true(dunlin_world_field_view(f.world, 0).vectors[0][3] == 1);
        assert_true(dunlin_world_get_def(f.world).time_step == paces[step]);
        const float noise = (float)(1 + 3 * (double)dunlin_noise_over_time(5, 1, step / 8.0));
        assert_true(dunlin_world_get_behaviour(f.world, 0).weight == noise);
    }
    assert_true(dunlin_world_stats(f.world).time == 4);
    land(&f);
}

static const char swarm[] =
    "world: {size: [60, 60]}\n"
    "species:\n  - {name: knots, agents: 150}\n"
    "interactions:\n  - {separation: {radius: 1}, cohesion: {radius: 4, view: 120}}\n"
    "fields:\n  - {cells: [8, 8], noise: {scale: 20, rate: 0.03}}\n"
    "behaviours:\n"
    "  - seek: {target: [10, 50], velocity: [0.3, -0.7], weight: 0.5}\n"
    "  - flow: {weight: 0.3}\n"
    "schedules:\n"
    "  - {parameter: 'behaviours[0].seek.weight', noise: {amplitude: 2, scale: 7, octaves: 3}}\n"
    "  - {parameter: 'interactions[0].cohesion.radius', linear: {from: 6, to: 1.5, begin: 3, end: 20}}\n"
    "  - {parameter: 'interactions[0].cohesion.view', sine: {mean: 90, amplitude: 60, period: 31}}\n"
    "  - {parameter: 'fields[0].weight', sine: {amplitude: 1, period: 10.5, phase: 0.2}}\n"
    "  - {parameter: world.time_step, linear: {from: 0.9, to: 0.4, begin: 5, end: 25}}\n"
    "  - {parameter: 'species[0].min_speed', constant: {value: 0.3, begin: 9}}\n";

/* The same with each kernel and any threads, by the grid: in another order the same agents may have other sums and children. */
static void ends_alike(const char *text, int steps, void (*check)(const scenario_run *f)) {
    uint64_t want = 0;
    for (int v = 0; v < world_variant_count(); v++) {
        dunlin_flight_def options = dunlin_flight_def_default();
        options.kernel = world_variant_at(v).kernel;
        options.index = world_variant_at(v).index;
        if (strcmp(options.index, "grid") != 0) continue;
        for (options.threads = 1; options.threads <= 3; options.threads++) {
            scenario_run f = take_off(text, &options);
            fly(&f, steps);
            const uint64_t hash = dunlin_world_state_hash(f.world);
            if (want == 0) want = hash;
            if (hash != want) fail_msg("%s, %d threads: another state", options.kernel, options.threads);
            if (check) check(&f);
            land(&f);
        }
    }
    assert_true(want != 0);
}

/* A target that moves is not set back by being weighed anew. */
static void target_has_moved_on(const scenario_run *f) {
    const double time = dunlin_world_stats(f->world).time;
    double x = fmod(10 + (double)0.3f * time, 60);
    assert_true(fabs((double)dunlin_world_get_behaviour(f->world, 0).target.position[0] - x) < 1e-4);
}

static void scheduled_flights_end_alike(void **state) {
    (void)state;
    ends_alike(swarm, 40, target_has_moved_on);
}

static void scheduled_flights_continue(void **state) {
    (void)state;
    scenario_run whole = take_off(swarm, NULL);
    for (int broken = 0; broken < 30; broken += 7) {
        scenario_run first = take_off(swarm, NULL);
        fly(&first, broken);
        ACCEPT(dunlin_world_save(first.world, "broken.csv", &refusal));
        dunlin_flight_def options = dunlin_flight_def_default();
        options.init = "broken.csv";
        scenario_run second = take_off(swarm, &options);
        assert_true(cohesion_of(&second) == cohesion_of(&first) && max_speed_of(&second) == max_speed_of(&first));
        for (int step = broken; step < 40; step++) {
            fly(&first, 1);
            fly(&second, 1);
            if (dunlin_world_state_hash(first.world) != dunlin_world_state_hash(second.world))
                fail_msg("broken at %d: another state after step %d", broken, step);
        }
        land(&first);
        land(&second);
    }
    land(&whole);
}

/* No behaviours, and yet the step matters. */
static void a_schedule_alone_continues(void **state) {
    (void)state;
    static const char text[] = "interactions:\n  - cohesion: {radius: 5}\n"
                               "species:\n  - {name: knots, agents: 100}\n"
                               "schedules:\n  - {parameter: species.knots.max_speed, linear: {from: 1, to: 3, end: 20}}\n";
    scenario_run first = take_off(text, NULL);
    fly(&first, 8);
    ACCEPT(dunlin_world_save(first.world, "broken.csv", &refusal));
    dunlin_flight_def options = dunlin_flight_def_default();
    options.init = "broken.csv";
    scenario_run second = take_off(text, &options);
    assert_true(max_speed_of(&second) == 1.8f); /* that of step 8 */
    fly(&first, 5);
    fly(&second, 5);
    assert_true(dunlin_world_state_hash(first.world) == dunlin_world_state_hash(second.world));
    land(&first);
    land(&second);
}

/* A target whose place is scheduled is there in each step; its velocity is for who pursues it. */
static void a_scheduled_target_is_where_the_schedule_says(void **state) {
    (void)state;
    scenario_run f =
        take_off("world: {size: [100, 100]}\n"
                 "behaviours:\n  - pursue: {target: [10, 20], velocity: [5, 0]}\n"
                 "schedules:\n  - {parameter: 'behaviours[0].pursue.target[1]', linear: {from: 20, to: 40, end: 10}}\n",
                 NULL);
    fly(&f, 6);
    const dunlin_behaviour_def now = dunlin_world_get_behaviour(f.world, 0);
    assert_true(now.target.position[0] == 15 && now.target.position[1] == 30); /* set for step 5, and one step further */
    land(&f);
}

/* What the schedules of one flight have written is not seen by another, nor by the scenario. */
static void flights_of_one_scenario_do_not_meet(void **state) {
    (void)state;
    dunlin_scenario *scenario;
    scenario_run f, other;
    ACCEPT(parse(swarm, &scenario));
    ACCEPT(dunlin_flight_create(scenario, NULL, &f.flight, &refusal));
    f.world = dunlin_flight_world(f.flight);
    const uint64_t hash = dunlin_world_state_hash(f.world);
    fly(&f, 30);
    ACCEPT(dunlin_flight_create(scenario, NULL, &other.flight, &refusal));
    other.world = dunlin_flight_world(other.flight);
    dunlin_scenario_close(scenario);
    assert_true(dunlin_world_state_hash(other.world) == hash);
    assert_true(dunlin_world_get_species(other.world, 0).min_speed == 0);
    fly(&other, 30);
    assert_true(dunlin_world_state_hash(other.world) == dunlin_world_state_hash(f.world));
    land(&other);
    land(&f);
}

static void values_out_of_range_are_told_by_step(void **state) {
    (void)state;
    scenario_run f = take_off("species:\n  - {name: knots, agents: 5}\n"
                              "interactions:\n  - {cohesion: {radius: 1}}\n"
                              "schedules:\n"
                              "  - {parameter: species.knots.min_speed, constant: {value: 0}}\n"
                              "  - {parameter: species.knots.max_speed, linear: {from: 1.5, to: -2.5, end: 8}}\n"
                              "  - {parameter: 'interactions[0].nearest', linear: {from: 30, to: 38, begin: 4, end: 12}}\n",
                              NULL);
    fly(&f, 4);
    const uint64_t hash = dunlin_world_state_hash(f.world);
    REFUSE(dunlin_flight_step(f.flight, &refusal), DUNLIN_ERROR_VALUE, "scenario.yaml:7: schedules[1]",
           "max_speed is -0.5 at step 4", "0 .. 1e+09");
    assert_true(dunlin_world_state_hash(f.world) == hash && dunlin_world_stats(f.world).step == 4);
    assert_int_equal(dunlin_flight_step(f.flight, NULL), DUNLIN_ERROR_VALUE);
    land(&f);
    f = take_off("interactions:\n  - {cohesion: {radius: 1}}\n"
                 "schedules:\n  - {parameter: 'interactions[0].nearest', linear: {from: 2, to: -2, end: 4}}\n",
                 NULL);
    fly(&f, 3);
    REFUSE(dunlin_flight_step(f.flight, &refusal), DUNLIN_ERROR_VALUE, "scenario.yaml:4: schedules[0]",
           "nearest is -1 at step 3", "0 .. 32");
    land(&f);
}

/* ---- attributes -------------------------------------------------------------------------------------------------------- */

static const float *column_of(const scenario_run *f, int species, const char *name) {
    return dunlin_world_view(f->world, species).attribute[dunlin_world_find_attribute(f->world, species, name)];
}

static void attributes_are_taken_over(void **state) {
    (void)state;
    scenario_run f = take_off("species:\n"
                              "  - {name: gulls}\n"
                              "  - name: knots\n"
                              "    attributes:\n"
                              "      - {name: energy, value: 10}\n"
                              "      - {name: speed, role: max_speed, even: [0.3, 0.6]}\n"
                              "      - {name: size, role: mass, normal: {mean: 1.25, deviation: 0.5, low: 0.75, high: 2}}\n"
                              "      - {role: radius_scale, value: 0.5}\n"
                              "      - {role: behaviour_weight, behaviour: 1, even: [-3, 4]}\n"
                              "behaviours:\n"
                              "  - {species: gulls, drag: {linear: 1}}\n"
                              "  - {species: knots, seek: {target: [1, 2]}}\n",
                              NULL);
    assert_true(dunlin_world_attribute_count(f.world, 0) == 0 && dunlin_world_attribute_count(f.world, 1) == 5);
    static const char *const names[] = {"energy", "speed", "size", "radius_scale", "behaviour_weight"};
    static const dunlin_attribute_role roles[] = {DUNLIN_ROLE_VALUE, DUNLIN_ROLE_MAX_SPEED, DUNLIN_ROLE_MASS,
                                                  DUNLIN_ROLE_RADIUS_SCALE, DUNLIN_ROLE_BEHAVIOUR_WEIGHT};
    dunlin_attribute_def def[5];
    for (int i = 0; i < 5; i++) {
        def[i] = dunlin_world_get_attribute(f.world, 1, i);
        assert_string_equal(def[i].name, names[i]);
        assert_int_equal(def[i].role, roles[i]);
    }
    assert_true(def[0].distribution == DUNLIN_DISTRIBUTION_SAME && def[0].value == 10 && def[3].value == 0.5f);
    assert_true(def[1].distribution == DUNLIN_DISTRIBUTION_EVEN && def[1].low == 0.3f && def[1].high == 0.6f);
    assert_true(def[2].distribution == DUNLIN_DISTRIBUTION_NORMAL && def[2].value == 1.25f && def[2].deviation == 0.5f);
    assert_true(def[2].low == 0.75f && def[2].high == 2 && def[4].behaviour == 1 && def[4].low == -3 && def[4].high == 4);
    land(&f);
}

/* Drawn by the seed and the id: means and limits as they are said, and in the same flock again the same. */
static void attributes_are_drawn(void **state) {
    (void)state;
    static const char text[] = "species:\n"
                               "  - agents: 4000\n"
                               "    attributes:\n"
                               "      - {role: max_speed, even: [0.25, 0.75]}\n"
                               "      - {role: mass, normal: {mean: 2, deviation: 0.5, low: 1, high: 3}}\n"
                               "      - {name: energy, value: 10}\n";
    const uint64_t seed = 2;
    dunlin_flight_def options = dunlin_flight_def_default();
    options.seed = &seed;
    scenario_run f = take_off(text, NULL), again = take_off(text, NULL), other = take_off(text, &options);
    const float *speed = column_of(&f, 0, "max_speed"), *mass = column_of(&f, 0, "mass"), *energy = column_of(&f, 0, "energy");
    double mean_speed = 0, mean_mass = 0, square = 0;
    int least = 0, most = 0;
    for (int i = 0; i < 4000; i++) {
        assert_true(speed[i] >= 0.25f && speed[i] <= 0.75f && mass[i] >= 1 && mass[i] <= 3 && energy[i] == 10);
        mean_speed += (double)speed[i] / 4000;
        mean_mass += (double)mass[i] / 4000;
        square += ((double)mass[i] - 2) * ((double)mass[i] - 2) / 4000;
        least += mass[i] == 1;
        most += mass[i] == 3;
    }
    assert_true(fabs(mean_speed - 0.5) < 0.01 && fabs(mean_mass - 2) < 0.03 && fabs(sqrt(square) - 0.48) < 0.02);
    assert_true(least > 50 && least < 140 && most > 50 && most < 140); /* beyond two deviations: 2.3 % each */
    assert_memory_equal(column_of(&again, 0, "max_speed"), speed, 4000 * sizeof *speed);
    assert_memory_not_equal(column_of(&other, 0, "max_speed"), speed, 4000 * sizeof *speed);
    land(&f);
    land(&again);
    land(&other);
}

/* Everyone begins faster than it may. */
static void attributes_act(void **state) {
    (void)state;
    scenario_run f = take_off("species:\n"
                              "  - attributes: [{role: max_speed, even: [0.25, 0.75]}]\n"
                              "    start: [{min_speed: 5, max_speed: 5}]\n",
                              NULL);
    fly(&f, 1);
    const dunlin_view view = dunlin_world_view(f.world, 0);
    for (uint32_t i = 0; i < view.count; i++)
        assert_true(fabsf(hypotf(view.velocity[0][i], view.velocity[1][i]) - view.attribute[0][i]) < 1e-6f);
    land(&f);
}

/* ---- growth ------------------------------------------------------------------------------------------------------------ */

/* How many there are after each step is `want`. */
static void grows_to(const char *growth, const uint32_t *want, int steps) {
    char text[512];
    snprintf(text, sizeof text, "species:\n  - {name: gulls, agents: 3}\n  - {name: food, agents: 2, growth: [%s]}\n", growth);
    scenario_run f = take_off(text, NULL);
    for (int step = 0; step < steps; step++) {
        fly(&f, 1);
        const uint32_t got = dunlin_world_view(f.world, 1).count;
        if (got != want[step]) fail_msg("%s: %u after step %d, not %u", growth, got, step, want[step]);
        assert_int_equal(dunlin_world_view(f.world, 0).count, 3);
    }
    land(&f);
}

static void growth_is_as_said(void **state) {
    (void)state;
    grows_to("{per_step: 3}", (const uint32_t[]){5, 8, 11, 14}, 4);
    grows_to("{per_step: 3, most: 10}", (const uint32_t[]){5, 8, 10, 10}, 4);
    grows_to("{per_step: 3, most: 2}", (const uint32_t[]){2, 2, 2}, 3);
    grows_to("{per_step: 3, most: 1}", (const uint32_t[]){2, 2, 2}, 3);
    grows_to("{per_step: 0}", (const uint32_t[]){2, 2, 2}, 3);
    grows_to("{per_step: 0.25}", (const uint32_t[]){2, 2, 2, 3, 3, 3, 3, 4}, 8);
    grows_to("{per_step: 1.5}", (const uint32_t[]){3, 5, 6, 8, 9}, 5);
    grows_to("{per_step: 2, begin: 2, end: 4}", (const uint32_t[]){2, 2, 4, 6, 6, 6}, 6);
    grows_to("{per_step: 0.5, begin: 1}", (const uint32_t[]){2, 2, 3, 3, 4, 4}, 6);
    grows_to("{per_step: 1, most: 4}, {per_step: 2, most: 7}", (const uint32_t[]){5, 7, 7}, 3);
}

/* Where it is said, or where the species' first start has them; each with a step's flight behind it. */
static void the_born_start_where_they_should(void **state) {
    (void)state;
    scenario_run f = take_off("world: {boundary: open}\n"
                              "species:\n"
                              "  - {name: food, agents: 0, growth: [{per_step: 40}]}\n"
                              "  - name: knots\n"
                              "    agents: 0\n"
                              "    max_speed: 9\n"
                              "    start:\n"
                              "      - {region: ball, centre: [20, 30], extent: [5], velocity: [0, 0]}\n"
                              "      - {centre: [80, 80]}\n"
                              "    growth:\n"
                              "      - {per_step: 40}\n"
                              "      - {per_step: 2, start: {centre: [60, 70], extent: [0, 0], velocity: [3, -4]}}\n",
                              NULL);
    fly(&f, 1);
    dunlin_view view = dunlin_world_view(f.world, 0);
    float low = 100, high = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        low = fminf(low, view.position[0][i]);
        high = fmaxf(high, view.position[0][i]);
    }
    assert_true(view.count == 40 && low < 15 && high > 85);
    view = dunlin_world_view(f.world, 1);
    assert_int_equal(view.count, 42);
    for (uint32_t i = 0; i < 42; i++) {
        const float x = view.position[0][i], y = view.position[1][i];
        assert_true(view.id[i] == 40 + i);
        assert_true(i < 40 ? hypotf(x - 20, y - 30) < 5.001f : fabsf(x - 63) < 1e-5f && fabsf(y - 66) < 1e-5f);
    }
    land(&f);
}

static const char colony[] =
    "world: {size: [60, 60]}\n"
    "species:\n"
    "  - name: knots\n"
    "    agents: 150\n"
    "    start: [{region: ball, extent: [12]}]\n"
    "    attributes:\n"
    "      - {role: max_speed, even: [0.4, 1]}\n"
    "      - {role: mass, normal: {mean: 1, deviation: 0.3, low: 0.5, high: 2}}\n"
    "      - {role: behaviour_weight, behaviour: 0, even: [0, 2]}\n"
    "      - {name: energy, value: 10}\n"
    "    growth:\n"
    "      - {per_step: 1.75, most: 190}\n"
    "      - {per_step: 0.5, begin: 7, end: 33, start: {centre: [5, 5], extent: [0, 0], velocity: [0.5, 0.25]}}\n"
    "  - {name: food, agents: 0, growth: [{per_step: 2.25, most: 60}]}\n"
    "interactions:\n"
    "  - {observer: knots, separation: {radius: 1.5}, cohesion: {radius: 4}}\n"
    "  - {observer: knots, observed: food, cohesion: {radius: 3}}\n"
    "behaviours:\n"
    "  - {species: knots, seek: {target: [10, 50], weight: 0.5}}\n";

/* 190 after step 19; the stream brings 7 more in steps 20 to 32. */
static void knots_have_grown_to_197(const scenario_run *f) {
    assert_int_equal(dunlin_world_view(f->world, 0).count, 197);
}

static void colonies_end_alike(void **state) {
    (void)state;
    ends_alike(colony, 40, knots_have_grown_to_197);
}

/* Those who were there keep their numbers, and the same are born, with the same ids and numbers. */
static void colonies_continue(void **state) {
    (void)state;
    for (int broken = 0; broken < 30; broken += 7) {
        scenario_run first = take_off(colony, NULL);
        fly(&first, broken);
        ACCEPT(dunlin_world_save(first.world, "broken.csv", &refusal));
        dunlin_flight_def options = dunlin_flight_def_default();
        options.init = "broken.csv";
        scenario_run second = take_off(colony, &options);
        const dunlin_view one = dunlin_world_view(first.world, 0), two = dunlin_world_view(second.world, 0);
        assert_int_equal(two.count, one.count);
        for (int k = 0; k < 4; k++) assert_memory_equal(two.attribute[k], one.attribute[k], one.count * sizeof(float));
        for (int step = broken; step < 40; step++) {
            fly(&first, 1);
            fly(&second, 1);
            if (dunlin_world_state_hash(first.world) != dunlin_world_state_hash(second.world))
                fail_msg("broken at %d: another state after step %d", broken, step);
        }
        land(&first);
        land(&second);
    }
    remove("broken.csv");
}

/* No id is used twice, so at some time there are none left. */
static void too_many_births_are_refused(void **state) {
    (void)state;
    scenario_run f = take_off("species:\n  - {agents: 0, growth: [{per_step: 2}]}\n", NULL);
    const uint32_t last = UINT32_MAX - 2;
    const float zero = 0;
    const dunlin_batch batch = {.count = 1, .position = {&zero, &zero}, .velocity = {&zero, &zero}, .ids = &last};
    ACCEPT(dunlin_world_spawn(f.world, 0, &batch, NULL, &refusal));
    REFUSE(dunlin_flight_step(f.flight, &refusal), DUNLIN_ERROR_VALUE, "scenario.yaml:2: species[0].growth[0]: 2 more agents",
           "only 1 ids are left");
    assert_true(dunlin_world_agent_count(f.world) == 1 && dunlin_world_stats(f.world).step == 0);
    land(&f);
}

/* ---- lives and meals --------------------------------------------------------------------------------------------------- */

/* Of energies 10, 3 and 1 each loses 0.5 a step; a quarter of what is left goes to a child, which inherits the rest. */
static void agents_live_on_their_energy(void **state) {
    (void)state;
    scenario_run f = take_off("world: {time_step: 2}\n"
                              "species:\n"
                              "  - {name: hens, agents: 3, attributes: [{name: energy, value: 3}, {role: mass, value: 2}]}\n"
                              "lives:\n"
                              "  - {energy: energy, cost: 0.25, divides_at: 8, share: 0.25}\n",
                              NULL);
    ACCEPT(dunlin_world_set_attribute_values(f.world, 0, 0, (const float[]){10, 3, 1}, &refusal));
    ACCEPT(dunlin_world_set_attribute_values(f.world, 0, 1, (const float[]){5, 2, 2}, &refusal));
    const dunlin_view before = dunlin_world_view(f.world, 0);
    const float x = before.position[0][0], vx = before.velocity[0][0];
    fly(&f, 1);
    dunlin_view view = dunlin_world_view(f.world, 0);
    assert_int_equal(view.count, 4);
    assert_true(view.attribute[0][0] == 7.125f && view.attribute[0][1] == 2.5f && view.attribute[0][2] == 0.5f);
    assert_true(view.attribute[0][3] == 2.375f && view.attribute[1][3] == 5.0f); /* the child */
    assert_true(view.id[3] == 3 && view.position[0][3] == x && view.velocity[0][3] == -vx);
    fly(&f, 1);
    assert_int_equal(dunlin_world_view(f.world, 0).count, 3); /* the third has starved */
    assert_true(dunlin_world_find_agent(f.world, 2).species < 0);
    land(&f);
}

static const char dish[] = "world: {size: [30, 30]}\n"
                           "species:\n"
                           "  - {name: algae, agents: 300, max_speed: 0.01, growth: [{per_step: 7.5, most: 400}],\n"
                           "     attributes: [{name: size, even: [0.5, 1.5]}]}\n"
                           "  - {name: snails, agents: 60, max_speed: 0.5, attributes: [{name: energy, even: [1, 6]}]}\n"
                           "behaviours:\n"
                           "  - {species: snails, seek: {nearest: algae, radius: 5}}\n"
                           "  - {species: snails, wander: {}}\n"
                           "lives:\n"
                           "  - {species: snails, energy: energy, cost: 0.1, divides_at: 8}\n"
                           "meals:\n"
                           "  - {eater: snails, food: algae, radius: 0.75, energy: energy, gain: 0.5, worth: size}\n"
                           "schedules:\n"
                           "  - {parameter: 'lives[0].cost', linear: {from: 0.1, to: 0.15, end: 40}}\n"
                           "  - {parameter: 'meals[0].gain', linear: {from: 0.5, to: 0.75, end: 40}}\n";

static void meals_are_taken_over(void **state) {
    (void)state;
    scenario_run f = take_off(dish, NULL);
    dunlin_meal_def meal = dunlin_world_get_meal(f.world, 0);
    assert_true(meal.eater == 1 && meal.food == 0 && meal.radius == 0.75f && meal.energy == 0 && meal.worth == 0);
    assert_true(meal.gain == 0.5f);
    fly(&f, 21);
    assert_true(dunlin_world_get_meal(f.world, 0).gain == 0.625f); /* by schedule, in step 20 */
    land(&f);
}

static void dishes_end_alike(void **state) {
    (void)state;
    ends_alike(dish, 60, NULL);
}

/* The second flight begins from the first one's file; they step in turns. */
static void dishes_continue(void **state) {
    (void)state;
    scenario_run f = take_off(dish, NULL);
    fly(&f, 25);
    ACCEPT(dunlin_world_save(f.world, "broken.csv", &refusal));
    dunlin_flight_def options = dunlin_flight_def_default();
    options.init = "broken.csv";
    scenario_run again = take_off(dish, &options);
    for (int step = 0; step < 25; step++) {
        fly(&f, 1);
        fly(&again, 1);
        if (dunlin_world_state_hash(f.world) != dunlin_world_state_hash(again.world))
            fail_msg("another state after %d more steps", step);
    }
    land(&again);
    land(&f);
    remove("broken.csv");
}

/* Neither dies out nor explodes. Where steps are slow it is shorter. */
static void the_ecosystem_goes_on(void **state) {
    (void)state;
    scenario_run f;
    ACCEPT(open_and_build(DUNLIN_SCENARIOS_DIR "/ecosystem.yaml", NULL, NULL, &f));
    const dunlin_world *world = f.world;
    const int steps = TEST_SLOW ? 300 : 10000;
    uint64_t births = 0, deaths = 0;
    for (int step = 0; step < steps; step++) {
        fly(&f, 1);
        births += dunlin_world_stats(world).births;
        deaths += dunlin_world_stats(world).deaths;
        for (int s = 0; s < 3; s++) assert_in_range(dunlin_world_view(world, s).count, 10, 6000);
    }
    print_message("after %d steps: %u grass, %u rabbits, %u foxes; %llu born, %llu died\n", steps,
                  dunlin_world_view(world, 0).count, dunlin_world_view(world, 1).count, dunlin_world_view(world, 2).count,
                  (unsigned long long)births, (unsigned long long)deaths);
    assert_true(births > (uint64_t)steps && deaths > (uint64_t)steps);
    land(&f);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------- */

static const char numbered[] = "world: {size: [50, 40]}\n"
                               "species:\n  - {name: knots, agents: 20, max_speed: 0.7}\n"
                               "interactions:\n  - {cohesion: {radius: 3, view: 120}}\n"
                               "behaviours:\n  - wander: {}\n";

/* Each is found by its own path, and what is missing in the file has its default. */
static void numbers_are_listed(void **state) {
    (void)state;
    dunlin_scenario *scenario;
    dunlin_number number;
    ACCEPT(parse(numbered, &scenario));
    const uint32_t count = dunlin_scenario_number_count(scenario);
    assert_in_range(count, 20, 60);
    for (uint32_t i = 0; i < count; i++) {
        const dunlin_number listed = dunlin_scenario_number_at(scenario, i);
        ACCEPT(dunlin_scenario_find_number(scenario, listed.path, &number, &refusal));
        assert_string_equal(number.path, listed.path);
        assert_true(number.doc[0] != '\0' && number.low < number.high);
        if (!isnan(number.value)) assert_true(number.value >= number.low && number.value <= number.high);
    }
    ACCEPT(dunlin_scenario_find_number(scenario, "species.knots.max_speed", &number, &refusal));
    assert_string_equal(number.path, "species[0].max_speed");
    assert_string_equal(number.unit, "world units per time unit");
    assert_true(number.given && number.live && !number.whole && number.value == (double)0.7f && number.standard == 1);
    assert_true(number.low == 0 && number.high == 1e9 && !number.above_low);
    ACCEPT(dunlin_scenario_find_number(scenario, "world.time_step", &number, &refusal));
    assert_true(!number.given && number.live && number.value == 1 && number.above_low);
    ACCEPT(dunlin_scenario_find_number(scenario, "world.size[1]", &number, &refusal));
    assert_true(number.value == 40 && !number.live && isnan(number.standard));
    assert_string_equal(number.default_text, "100 each");
    REFUSE(dunlin_scenario_find_number(scenario, "species[0].maxspeed", NULL, &refusal), DUNLIN_ERROR_VALUE,
           "leads no further than 'species[0]'", "did you mean 'max_speed'?");
    dunlin_scenario_close(scenario);
}

static void numbers_are_set(void **state) {
    (void)state;
    dunlin_scenario *scenario;
    dunlin_number number;
    scenario_run f;
    ACCEPT(parse(numbered, &scenario));
    ACCEPT(dunlin_scenario_set_number(scenario, "species[0].agents", 7.4, &refusal));
    ACCEPT(dunlin_scenario_set_number(scenario, "world.time_step", 0.5, &refusal));
    REFUSE(dunlin_scenario_set_number(scenario, "species.knots.drag", 2, &refusal), DUNLIN_ERROR_VALUE, "species[0].drag",
           "it is 2", "0 .. 1");
    REFUSE(dunlin_scenario_set_number(scenario, "species.knots.drag", (double)NAN, &refusal), DUNLIN_ERROR_VALUE, "0 .. 1");
    ACCEPT(dunlin_scenario_find_number(scenario, "species[0].drag", &number, &refusal));
    assert_true(!number.given && number.value == 0);
    ACCEPT(dunlin_flight_create(scenario, NULL, &f.flight, &refusal));
    f.world = dunlin_flight_world(f.flight);
    assert_true(dunlin_world_agent_count(f.world) == 7 && dunlin_world_get_def(f.world).time_step == 0.5f);
    fly(&f, 2);
    REFUSE(dunlin_flight_set_number(f.flight, "species[0].min_speed", 1, &refusal), DUNLIN_ERROR_VALUE, "min_speed is 1");
    ACCEPT(dunlin_flight_set_number(f.flight, "species[0].max_speed", 0.25, &refusal));
    ACCEPT(dunlin_flight_set_number(f.flight, "behaviours[0].wander.radius", 3, &refusal));
    assert_true(dunlin_world_get_behaviour(f.world, 0).wander.radius == 3);
    REFUSE(dunlin_flight_set_number(f.flight, "world.size[0]", 9, &refusal), DUNLIN_ERROR_FILE, "cannot change in flight");
    fly(&f, 1);
    assert_true(dunlin_world_get_species(f.world, 0).max_speed == 0.25f && dunlin_world_get_species(f.world, 0).min_speed == 0);
    ACCEPT(dunlin_scenario_find_number(scenario, "species[0].max_speed", &number, &refusal));
    assert_true(number.value == (double)0.7f); /* the scenario keeps its own */
    land(&f);
    dunlin_scenario_close(scenario);
}

/* ---- forms of the file ------------------------------------------------------------------------------------------------- */

static uint64_t hash_after(const char *text, int steps) {
    scenario_run f = take_off(text, NULL);
    fly(&f, steps);
    const uint64_t hash = dunlin_world_state_hash(f.world);
    land(&f);
    return hash;
}

/* What can be said in two ways, an older one among them, is the same flock. */
static void forms_mean_the_same(void **state) {
    (void)state;
#define TWO "species: [{name: a, agents: 50}, {name: b, agents: 50}]\n"
    static const char *const same[][2] = {
        {TWO "behaviours:\n  - {species: all, wander: {}}\n",
         TWO "behaviours:\n  - {species: a, wander: {}}\n  - {species: b, wander: {}}\n"},
        {"interactions:\n  - {half_view: 60, cohesion: {radius: 9}, alignment: {radius: 9, half_view: 120}}\n",
         "interactions:\n  - {cohesion: {radius: 9, view: 60}, alignment: {radius: 9, view: 120}}\n"},
        {"paths:\n  - points: [[1, 2], [30, 4], [50, 60]]\nbehaviours:\n  - follow_path: {}\n",
         "paths:\n  - points: [1, 2, 30, 4, 50, 60]\nbehaviours:\n  - follow_path: {}\n"},
        {"obstacles:\n  - box: [[20, 20], [70, 70]]\nbehaviours:\n  - avoid: {}\n",
         "obstacles:\n  - box: [20, 20, 70, 70]\nbehaviours:\n  - avoid: {}\n"},
        {"fields:\n  - noise: {angle_range: [0, 180]}\nbehaviours:\n  - wind: {}\n",
         "fields:\n  - noise: {angles: [0, 0.5]}\nbehaviours:\n  - wind: {}\n"},
        {"models:\n  - vicsek: {radius: 2, whole_noise: 180}\n", "models:\n  - vicsek: {radius: 2, noise: 3.1415927}\n"},
        {"behaviours:\n  - wander: {}\nschedules:\n  - {parameter: 'behaviours[0].wander.weight', sine: {amplitude: 1, period: "
         "9, "
         "phase_angle: 90}}\n",
         "behaviours:\n  - wander: {}\nschedules:\n  - {parameter: 'behaviours[0].wander.weight', sine: {amplitude: 1, period: "
         "9, "
         "phase: 0.25}}\n"},
        {"behaviours:\n  - view: {radius: 9, half_angle: 30}\n", "behaviours:\n  - view: {radius: 9, angle: 30}\n"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (hash_after(same[i][0], 5) != hash_after(same[i][1], 5)) fail_msg("another flock:\n%s", same[i][0]);
    }
    assert_true(hash_after(same[1][0], 5) !=
                hash_after("interactions:\n  - {cohesion: {radius: 9}, alignment: {radius: 9}}\n", 5));
}

static const void *read_wind(void *user, const char *name, size_t *length) {
    static const char rows[] = "vx,vy\n3,4\n";
    ++*(int *)user;
    *length = sizeof rows - 1;
    return strcmp(name, "wind.csv") == 0 ? rows : NULL;
}

static void callers_may_read_files_themselves(void **state) {
    (void)state;
    int calls = 0;
    scenario_run f;
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.read = read_wind;
    def.user = &calls;
    write_text("fields:\n  - {cells: [1, 1], csv: {file: wind.csv}}\n");
    ACCEPT(open_and_build(path, &def, NULL, &f));
    assert_true(calls == 1 && dunlin_world_field_view(f.world, 0).vectors[1][0] == 4);
    land(&f);
    write_text("fields:\n  - {cells: [1, 1], csv: {file: other.csv}}\n");
    REFUSE(open_and_build(path, &def, NULL, &f), DUNLIN_ERROR_FILE, "fields[0].csv.file", "other.csv: there is no such file");
    dunlin_scenario *scenario;
    def.cookie = 0;
    REFUSE(dunlin_scenario_open(path, &def, &scenario, &refusal), DUNLIN_ERROR_VALUE, "default function");
}

/* ---- what is shipped, and what is documented --------------------------------------------------------------------------- */

static int is_scenario(const struct dirent *entry) {
    return !!strstr(entry->d_name, ".yaml");
}

/* Who neither observes nor does anything by itself may stand still. */
static bool steers(const dunlin_world *world, int species) {
    for (int i = 0; i < dunlin_world_interaction_count(world); i++)
        if (dunlin_world_get_interaction(world, i).observer == species) return true;
    for (int b = 0; b < dunlin_world_behaviour_count(world); b++)
        if (dunlin_world_get_behaviour(world, b).species == species) return true;
    return false;
}

static void fly_shipped(const char *name) {
    char file[512];
    const uint32_t agents = 600;
    dunlin_flight_def options = dunlin_flight_def_default();
    options.agents = &agents;
    warnings kept = {.count = 0};
    options.warn = keep_warning;
    options.user = &kept;
    snprintf(file, sizeof file, "%s/%s", DUNLIN_SCENARIOS_DIR, name);
    scenario_run f;
    dunlin_scenario *scenario;
    ACCEPT(dunlin_scenario_open(file, NULL, &scenario, &refusal));
    ACCEPT(dunlin_scenario_check(scenario, &refusal));
    assert_true(dunlin_scenario_description(scenario)[0] != '\0');
    dunlin_scenario_close(scenario);
    ACCEPT(open_and_build(file, NULL, &options, &f));
    dunlin_world *world = f.world;
    assert_int_equal(dunlin_world_agent_count(world), agents);
    assert_int_equal(kept.count, 0);
    const uint64_t hash = dunlin_world_state_hash(world);
    fly(&f, 3);
    assert_true(dunlin_world_state_hash(world) != hash);
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        dunlin_metrics metrics;
        ACCEPT(dunlin_world_measure(world, s, &metrics, &refusal));
        assert_true(isfinite(metrics.polarization));
        assert_true(metrics.mean_speed > 0 || metrics.agents == 0 || !steers(world, s));
        if (!dunlin_world_get_def(world).boundary_first) assert_int_equal(metrics.outside, 0);
    }
    land(&f);
}

static void every_shipped_scenario_flies(void **state) {
    (void)state;
    static const char *const promised[] = {"default.yaml", "million.yaml", "starlings.yaml"};
    struct dirent **entries;
    const int count = scandir(DUNLIN_SCENARIOS_DIR, &entries, is_scenario, alphasort);
    assert_true(count >= 7);
    int found = 0;
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < 3; p++) found += strcmp(entries[i]->d_name, promised[p]) == 0;
        fly_shipped(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(found, 3);
}

/* Every block of YAML in docs/scenarios.md is a scenario, or the part of one that can stand alone. */
static void documented_examples_load(void **state) {
    (void)state;
    char line[512];
    FILE *docs = fopen(DUNLIN_TESTS_DIR "/../docs/scenarios.md", "r"), *block = NULL;
    assert_non_null(docs);
    int blocks = 0;
    while (fgets(line, sizeof line, docs)) {
        const bool fence = strncmp(line, "```", 3) == 0;
        if (block && fence) {
            scenario_run f;
            fclose(block);
            block = NULL;
            blocks++;
            ACCEPT(open_and_build(path, NULL, NULL, &f));
            fly(&f, 1);
            land(&f);
        } else if (block) {
            fputs(line, block);
        } else if (fence && strncmp(line, "```yaml", 7) == 0) {
            block = fopen(path, "w");
            assert_non_null(block);
        }
    }
    fclose(docs);
    assert_true(blocks >= 1);
}

static int remove_file(void **state) {
    (void)state;
    remove(path);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_has_a_default),
        cmocka_unit_test(every_field_of_a_world_arrives),
        cmocka_unit_test(every_field_of_a_rule_arrives),
        cmocka_unit_test(species_observe_by_name),
        cmocka_unit_test(starts_share_out_the_agents),
        cmocka_unit_test(starts_may_have_a_velocity),
        cmocka_unit_test(a_ball_fits_into_its_world),
        cmocka_unit_test(options_override_the_file),
        cmocka_unit_test(few_agents_are_shared_out_to_the_last),
        cmocka_unit_test(the_seed_makes_the_flock),
        cmocka_unit_test(options_are_refused_like_fields),
        cmocka_unit_test(behaviours_are_taken_over),
        cmocka_unit_test(fields_are_filled),
        cmocka_unit_test(images_are_climbed),
        cmocka_unit_test(noise_is_taken_over),
        cmocka_unit_test(paths_are_taken_over),
        cmocka_unit_test(obstacles_are_taken_over),
        cmocka_unit_test(every_mistake_is_told_by_line_and_field),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(texts_need_no_file),
        cmocka_unit_test(garbage),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(tables_are_read_strictly),
        cmocka_unit_test(pictures_are_bounded),
        cmocka_unit_test(files_lie_in_the_scenarios_folder),
        cmocka_unit_test(callers_limit_what_a_file_asks_for),
        cmocka_unit_test(what_nothing_uses_is_told),
        cmocka_unit_test(models_fly_as_they_do_by_hand),
        cmocka_unit_test(schedules_say_what_holds_in_which_step),
        cmocka_unit_test(scheduled_flights_end_alike),
        cmocka_unit_test(scheduled_flights_continue),
        cmocka_unit_test(a_schedule_alone_continues),
        cmocka_unit_test(a_scheduled_target_is_where_the_schedule_says),
        cmocka_unit_test(flights_of_one_scenario_do_not_meet),
        cmocka_unit_test(values_out_of_range_are_told_by_step),
        cmocka_unit_test(attributes_are_taken_over),
        cmocka_unit_test(attributes_are_drawn),
        cmocka_unit_test(attributes_act),
        cmocka_unit_test(growth_is_as_said),
        cmocka_unit_test(the_born_start_where_they_should),
        cmocka_unit_test(colonies_end_alike),
        cmocka_unit_test(colonies_continue),
        cmocka_unit_test(too_many_births_are_refused),
        cmocka_unit_test(agents_live_on_their_energy),
        cmocka_unit_test(meals_are_taken_over),
        cmocka_unit_test(dishes_end_alike),
        cmocka_unit_test(dishes_continue),
        cmocka_unit_test(the_ecosystem_goes_on),
        cmocka_unit_test(numbers_are_listed),
        cmocka_unit_test(numbers_are_set),
        cmocka_unit_test(forms_mean_the_same),
        cmocka_unit_test(callers_may_read_files_themselves),
        cmocka_unit_test(every_shipped_scenario_flies),
        cmocka_unit_test(documented_examples_load),
    };
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
