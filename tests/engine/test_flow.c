/* SPDX-License-Identifier: MIT */
/* Flow and wind: how agents look up the vectors of fields, and what they make of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/effort.h"
#include "tests/lib/recordings.h"

/* ---- one agent in a wind ----------------------------------------------------------------------------------------------- */

/*
 * A field whose cell (i, j, k) holds (1 + i, 10 + j, 100 + k), and an agent at rest in it. Only the wind moves the agent, so
 * after a step of time 1 its velocity is the vector that it has looked up.
 */
typedef struct gust {
    dunlin_world_def world;
    dunlin_field_def field;
    dunlin_behaviour_kind kind;
    float max_speed, max_force;
    float weight, limit, look_ahead;
    float velocity[3];
} gust;

static gust calm(int dimensions) {
    gust g = {.world = dunlin_world_def_default(),
              .kind = DUNLIN_BEHAVIOUR_WIND,
              .max_speed = 1e6f,
              .max_force = 1e6f,
              .weight = 1,
              .limit = -1};
    g.world.dimensions = dimensions;
    g.world.boundary = DUNLIN_BOUNDARY_TELEPORT;
    g.world.threads = 1;
    dunlin_world *world = world_create(&g.world);
    g.field = dunlin_field_def_default(world);
    dunlin_world_destroy(world);
    return g;
}

/* Cells of size 2 from (10, 20, 30) on: 4 x 3 x 2. */
static gust small(int dimensions, dunlin_lookup lookup) {
    gust g = calm(dimensions);
    for (int a = 0; a < 3; a++) {
        g.field.cells[a] = 4 - a;
        g.field.min[a] = 10.0f * (float)(a + 1);
        g.field.max[a] = g.field.min[a] + 2.0f * (float)g.field.cells[a];
    }
    g.field.lookup = lookup;
    return g;
}

static void number_cells(const dunlin_field_view *view, int dimensions) {
    uint32_t index = 0;
    for (int k = 0; k < view->cells[2]; k++)
        for (int j = 0; j < view->cells[1]; j++)
            for (int i = 0; i < view->cells[0]; i++, index++) {
                const float v[] = {(float)(1 + i), (float)(10 + j), (float)(100 + k)};
                for (int a = 0; a < dimensions; a++) view->vectors[a][index] = v[a];
            }
}

static dunlin_world *blow(const gust *g, world_variant variant) {
    const dunlin_world_def def = world_def_for(g->world, variant);
    dunlin_world *world = world_create(&def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = g->max_speed;
    species.max_force = g->max_force;
    ACCEPT(dunlin_world_add_species(world, &species, NULL, &refusal));
    ACCEPT(dunlin_world_add_field(world, &g->field, NULL, &refusal));
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    number_cells(&view, def.dimensions);
    dunlin_behaviour_def wind = dunlin_behaviour_def_default(world, g->kind);
    wind.weight = g->weight;
    wind.max_force = g->limit;
    wind.flow.look_ahead = g->look_ahead;
    ACCEPT(dunlin_world_add_behaviour(world, &wind, NULL, &refusal));
    return world;
}

/* Fails unless an agent there has that velocity after a step, whatever the kernel. `edit` may change the field before. */
static void expect_edited(const gust *g, void (*edit)(dunlin_field_view view), const float at[3], const double want[3]) {
    for (int v = 0; v < world_variant_count(); v++) {
        dunlin_world *world = blow(g, world_variant_at(v));
        if (edit) edit(dunlin_world_field_view(world, 0));
        world_spawn(world, 0, at, g->velocity);
        world_run(world, 1);
        const dunlin_view view = dunlin_world_view(world, 0);
        for (int a = 0; a < g->world.dimensions; a++) {
            const double got = (double)view.velocity[a][0];
            if (fabs(got - want[a]) <= 1e-5 * fmax(1.0, fabs(want[a]))) continue;
            fail_msg("at (%g, %g, %g): %c is %.9g instead of %.9g (kernel %s)", (double)at[0], (double)at[1], (double)at[2],
                     "xyz"[a], got, want[a], world_variant_at(v).kernel);
        }
        dunlin_world_destroy(world);
    }
}

static void expect(const gust *g, float x, float y, float z, double vx, double vy, double vz) {
    expect_edited(g, NULL, (const float[]){x, y, z}, (const double[]){vx, vy, vz});
}

/* ---- look-ups ---------------------------------------------------------------------------------------------------------- */

static void nearest_takes_the_agents_cell(void **state) {
    (void)state;
    const gust g = small(2, DUNLIN_LOOKUP_NEAREST);
    expect(&g, 10, 20, 0, 1, 10, 0);
    expect(&g, 11.999f, 21.999f, 0, 1, 10, 0);
    expect(&g, 12, 20, 0, 2, 10, 0);
    expect(&g, 12, 22, 0, 2, 11, 0);
    expect(&g, 16.5f, 25, 0, 4, 12, 0);
    expect(&g, 17.999f, 25.999f, 0, 4, 12, 0);
}

static void the_edge_cells_continue_beyond_the_grid(void **state) {
    (void)state;
    for (int lookup = 0; lookup < 2; lookup++) {
        gust g = small(2, (dunlin_lookup)lookup);
        expect(&g, 18, 26, 0, 4, 12, 0);
        expect(&g, 99, 1, 0, 4, 10, 0);
        expect(&g, 0, 99, 0, 1, 12, 0);
        g.world.boundary = DUNLIN_BOUNDARY_OPEN;
        g.max_speed = 1e9f;
        expect(&g, 1e38f, -1e38f, 0, 4, 10, 0);
        expect(&g, -1e38f, 1e38f, 0, 1, 12, 0);
        expect(&g, 1e9f, -3e9f, 0, 4, 10, 0);
    }
}

static void linear_interpolates_between_centres(void **state) {
    (void)state;
    const gust g = small(2, DUNLIN_LOOKUP_LINEAR);
    expect(&g, 11, 21, 0, 1, 10, 0); /* centres */
    expect(&g, 15, 23, 0, 3, 11, 0);
    expect(&g, 12, 22, 0, 1.5, 10.5, 0);
    expect(&g, 13.5f, 24.5f, 0, 2.25, 11.75, 0);
    expect(&g, 10.5f, 20, 0, 1, 10, 0); /* the outer halves of the outer cells */
    expect(&g, 17.5f, 25.5f, 0, 4, 12, 0);
}

static void product_of_axes(dunlin_field_view view) {
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 4; i++) view.vectors[0][i + 4 * j] = (float)(i * j);
}

/* The four cells' weights are 3/4·1/4, ...: of i·j, 0.75·1.25. */
static void linear_weighs_all_corners(void **state) {
    (void)state;
    const gust g = small(2, DUNLIN_LOOKUP_LINEAR);
    expect_edited(&g, product_of_axes, (const float[]){12.5f, 23.5f, 0}, (const double[]){0.75 * 1.25, 11.25, 0});
}

static void look_ups_in_space(void **state) {
    (void)state;
    gust g = small(3, DUNLIN_LOOKUP_NEAREST);
    expect(&g, 10, 20, 30, 1, 10, 100);
    expect(&g, 13, 24, 32, 2, 12, 101);
    expect(&g, 99, 1, 99, 4, 10, 101);
    g.field.lookup = DUNLIN_LOOKUP_LINEAR;
    expect(&g, 12, 22, 32, 1.5, 10.5, 100.5);
    expect(&g, 13.5f, 24.5f, 31.5f, 2.25, 11.75, 100.25);
    expect(&g, 99, 1, 99, 4, 10, 101);
}

/* 5 x 5 cells of 20 in a periodic world of 100. */
static gust around(dunlin_lookup lookup) {
    gust g = calm(2);
    g.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    g.field.cells[0] = g.field.cells[1] = 5;
    g.field.lookup = lookup;
    return g;
}

static void a_field_that_covers_a_periodic_world_goes_around(void **state) {
    (void)state;
    gust g = around(DUNLIN_LOOKUP_LINEAR);
    expect(&g, 0, 50, 0, 3, 12, 0); /* between 1 and 5 */
    expect(&g, 95, 50, 0, 4, 12, 0);
    expect(&g, 5, 50, 0, 2, 12, 0);
    expect(&g, 50, 0, 0, 3, 12, 0);
    g.world.boundary = DUNLIN_BOUNDARY_TELEPORT;
    expect(&g, 0, 50, 0, 1, 12, 0);
    g.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    g.field.max[1] = 99;
    expect(&g, 0, 50, 0, 1, 10 + 50 / 19.8 - 0.5, 0); /* does not cover it */
}

static void agents_look_ahead(void **state) {
    (void)state;
    gust g = around(DUNLIN_LOOKUP_NEAREST);
    g.velocity[0] = 2;
    g.velocity[1] = -3;
    expect(&g, 50, 50, 0, 2 + 3, -3 + 12, 0);
    g.look_ahead = 10; /* at (70, 20) */
    expect(&g, 50, 50, 0, 2 + 4, -3 + 11, 0);
    g.look_ahead = 30; /* at (110, -40), so at (10, 60) */
    expect(&g, 50, 50, 0, 2 + 1, -3 + 13, 0);
    g.look_ahead = 200; /* at (450, -550), so at (50, 50) */
    expect(&g, 50, 50, 0, 2 + 3, -3 + 12, 0);
    g.world.boundary = DUNLIN_BOUNDARY_TELEPORT;
    g.look_ahead = 30;
    expect(&g, 50, 50, 0, 2 + 5, -3 + 10, 0);
}

/* ---- flow, wind -------------------------------------------------------------------------------------------------------- */

static void unusual_vectors(dunlin_field_view view) {
    const float x[] = {NAN, 0, 0, 3e38f, INFINITY, 1.1e18f, 3}, y[] = {1, 0, -INFINITY, 1, 0, 0, -4};
    for (int i = 0; i < 7; i++) {
        view.vectors[0][i] = x[i];
        view.vectors[1][i] = y[i];
    }
}

/* 7 cells of 2 in a row, of which only the last holds a vector. */
static gust row(dunlin_behaviour_kind kind) {
    gust g = small(2, DUNLIN_LOOKUP_NEAREST);
    g.kind = kind;
    g.field.cells[0] = 7;
    g.field.cells[1] = 1;
    g.field.max[0] = 24;
    g.velocity[0] = 1;
    g.velocity[1] = 0.5f;
    return g;
}

static void a_flow_is_followed_at_full_speed(void **state) {
    (void)state;
    gust g = row(DUNLIN_BEHAVIOUR_FLOW);
    g.max_speed = 10;
    static const float at[] = {23, 20, 0};
    expect_edited(&g, unusual_vectors, at, (const double[]){6, -8, 0});
    g.max_force = 1; /* towards (5, -8.5) */
    const double length = sqrt(5 * 5 + 8.5 * 8.5);
    expect_edited(&g, unusual_vectors, at, (const double[]){1 + 5 / length, 0.5 - 8.5 / length, 0});
    g.limit = 2;
    g.weight = 0.25f;
    expect_edited(&g, unusual_vectors, at, (const double[]){1 + 2.5 / length, 0.5 - 4.25 / length, 0});
}

static void a_wind_is_a_force(void **state) {
    (void)state;
    gust g = row(DUNLIN_BEHAVIOUR_WIND);
    g.max_force = 0.1f; /* limits steering only */
    static const float at[] = {23, 20, 0};
    expect_edited(&g, unusual_vectors, at, (const double[]){4, -3.5, 0});
    g.weight = -0.5f;
    expect_edited(&g, unusual_vectors, at, (const double[]){-0.5, 2.5, 0});
    g.weight = 1;
    g.limit = 2.5f;
    expect_edited(&g, unusual_vectors, at, (const double[]){2.5, -1.5, 0});
}

static void vectors_that_are_not_finite_do_nothing(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (int cell = 0; cell < 6; cell++) {
            const gust g = row(kind ? DUNLIN_BEHAVIOUR_WIND : DUNLIN_BEHAVIOUR_FLOW);
            expect_edited(&g, unusual_vectors, (const float[]){11 + 2 * (float)cell, 20, 0}, (const double[]){1, 0.5, 0});
        }
}

/* Between the last, (3, -4), and one that counts as zero. */
static void a_vector_that_is_not_finite_counts_as_zero_between_centres(void **state) {
    (void)state;
    gust g = row(DUNLIN_BEHAVIOUR_WIND);
    g.field.lookup = DUNLIN_LOOKUP_LINEAR;
    expect_edited(&g, unusual_vectors, (const float[]){22.5f, 20, 0}, (const double[]){1 + 0.75 * 3, 0.5 - 0.75 * 4, 0});
    expect_edited(&g, unusual_vectors, (const float[]){23, 20, 0}, (const double[]){4, -3.5, 0});
}

/* ---- the same bits ----------------------------------------------------------------------------------------------------- */

/* A varying flow and a steady wind, each looked up in both ways. */
static dunlin_world *windy_flock(int dimensions, const char *kernel, int threads) {
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = dimensions;
    def.kernel = kernel;
    def.threads = threads;
    dunlin_world *world = world_of(&def, 5, 1500);
    dunlin_field_def grid = dunlin_field_def_default(world);
    ACCEPT(dunlin_world_add_field(world, &grid, NULL, &refusal));
    grid.lookup = DUNLIN_LOOKUP_LINEAR;
    grid.cells[0] = 7;
    grid.max[1] = 60;
    ACCEPT(dunlin_world_add_field(world, &grid, NULL, &refusal));
    dunlin_field_source noise = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    noise.noise.rate = 0.2f;
    noise.noise.octaves = 3;
    noise.noise.min_angle = 0.0f;
    noise.noise.max_angle = 1.0f;
    ACCEPT(dunlin_world_fill_field(world, 0, &noise, &refusal));
    const dunlin_field_source random = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
    ACCEPT(dunlin_world_fill_field(world, 1, &random, &refusal));
    dunlin_behaviour_def flow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLOW);
    flow.flow.look_ahead = 3;
    dunlin_behaviour_def wind = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WIND);
    wind.flow.field = 1;
    wind.weight = 0.05f;
    ACCEPT(dunlin_world_add_behaviour(world, &flow, NULL, &refusal));
    ACCEPT(dunlin_world_add_behaviour(world, &wind, NULL, &refusal));
    return world;
}

/* After 4 steps, and in nightly builds after 20. */
static void check_windy_flock(int dimensions, const char *kernel, int threads) {
    static const struct {
        int steps;
        uint64_t hash[2];
    } golden[] = {{4, {0x61a0fad78d607639u, 0x53c5b133684f3e48u}}, {20, {0x8a4c5a7b6a3c71bau, 0x5dbdfd08a547edf5u}}};
    dunlin_world *world = windy_flock(dimensions, kernel, threads);
    for (int g = 0; g < TEST_EFFORT(1, 1, 2); g++) {
        world_run(world, golden[g].steps - (g ? golden[g - 1].steps : 0));
        const uint64_t hash = dunlin_world_state_hash(world);
        if (hash != golden[g].hash[dimensions - 2])
            fail_msg("%dD, %s, %d threads, step %d: 0x%016llx", dimensions, kernel, threads, golden[g].steps,
                     (unsigned long long)hash);
    }
    dunlin_world_destroy(world);
}

static void all_kernels_and_threads_agree(void **state) {
    (void)state;
    static const int threads[] = TEST_THREADS(1, 2, 3);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int k = 0; k < dunlin_kernel_count(); k++)
            for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
                if (!dunlin_kernel_at(k).runs_here) continue;
                if (TEST_NIGHTLY || t == (size_t)k % (sizeof threads / sizeof *threads))
                    check_windy_flock(dimensions, dunlin_kernel_at(k).name, threads[t]);
            }
}

/* ---- a sketch, reproduced ---------------------------------------------------------------------------------------------- */

enum { COLUMNS = 32, ROWS = 12 };

static void read_field(dunlin_world *world) {
    static float x[COLUMNS * ROWS], y[COLUMNS * ROWS];
    FILE *file = fopen(DUNLIN_TESTS_DIR "/vectors/noc_5_04_flow_field/field.csv", "r");
    assert_non_null(file);
    char line[256];
    int cells = 0;
    assert_non_null(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file); cells++) {
        assert_true(cells < COLUMNS * ROWS);
        assert_int_equal(sscanf(line, "%f,%f", &x[cells], &y[cells]), 2);
    }
    fclose(file);
    assert_int_equal(cells, COLUMNS * ROWS);
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_VECTORS);
    source.vectors[0] = x;
    source.vectors[1] = y;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
}

static dunlin_world *sketch(world_variant variant) {
    dunlin_world_def def = dunlin_world_def_default();
    def.size[0] = 640;
    def.size[1] = 240;
    def.boundary = DUNLIN_BOUNDARY_TELEPORT;
    def.margin = 4;
    def = world_def_for(def, variant);
    dunlin_world *world = world_create(&def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 3.5f;
    species.max_force = 0.3f;
    ACCEPT(dunlin_world_add_species(world, &species, NULL, &refusal));
    dunlin_field_def field = dunlin_field_def_default(world);
    field.cells[0] = COLUMNS;
    field.cells[1] = ROWS;
    ACCEPT(dunlin_world_add_field(world, &field, NULL, &refusal));
    read_field(world);
    const dunlin_behaviour_def flow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLOW);
    ACCEPT(dunlin_world_add_behaviour(world, &flow, NULL, &refusal));
    const recording r = read_recording("noc_5_04_flow_field", "before.csv");
    spawn_recording(world, &r);
    return world;
}

static void the_sketch_of_a_flow_field_is_reproduced(void **state) {
    (void)state;
    const recording first = read_recording("noc_5_04_flow_field", "after_1.csv");
    const recording last = read_recording("noc_5_04_flow_field", "after_50.csv");
    for (int v = 0; v < world_variant_count(); v++) {
        dunlin_world *world = sketch(world_variant_at(v));
        const deviation before = deviation_from(world, &last);
        assert_true(before.position > 1e-2 && before.velocity > 1e-1); /* it moves */
        world_run(world, 1);
        const deviation one = deviation_from(world, &first);
        world_run(world, 49);
        const deviation fifty = deviation_from(world, &last);
        dunlin_world_destroy(world);
        if (v == 0)
            print_message("after 1: positions %.1e of the side, velocities %.1e of the maximum; after 50: %.1e, %.1e\n",
                          one.position, one.velocity, fifty.position, fifty.velocity);
        assert_true(one.position <= 1e-4 && one.velocity <= 1e-4);
        assert_true(fifty.position <= 1e-4 && fifty.velocity <= 1e-3);
    }
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

static dunlin_world *two_dimensional(void) {
    const dunlin_world_def def = dunlin_world_def_default();
    const dunlin_species_def species = dunlin_species_def_default();
    dunlin_world *world = world_create(&def);
    const dunlin_field_def field = dunlin_field_def_default(world);
    ACCEPT(dunlin_world_add_field(world, &field, NULL, &refusal));
    ACCEPT(dunlin_world_add_species(world, &species, NULL, &refusal));
    return world;
}

static void mistaken_behaviours_are_refused(void **state) {
    (void)state;
    dunlin_world *world = two_dimensional();
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLOW);
    ACCEPT(dunlin_world_add_behaviour(world, &def, NULL, &refusal));
    def.flow.field = 1;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.flow.field is 1", "has 1");
    def.flow.field = -1;
    REFUSE(dunlin_world_set_behaviour(world, 0, &def, &refusal), DUNLIN_ERROR_VALUE, "behaviour.flow.field is -1");
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WIND);
    def.flow.look_ahead = -0.5f;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.flow.look_ahead", "-0.5");
    def.flow.look_ahead = NAN;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.flow.look_ahead", "nan");
    dunlin_world_destroy(world);
}

/* Farther than binary32 numbers are exact. */
static void looking_far_ahead_is_safe_in_an_open_world(void **state) {
    (void)state;
    gust g = around(DUNLIN_LOOKUP_LINEAR);
    g.look_ahead = 1e6f;
    g.max_speed = 1e9f;
    for (int dimensions = 0; dimensions < 2; dimensions++) {
        g.world.boundary = dimensions ? DUNLIN_BOUNDARY_OPEN : DUNLIN_BOUNDARY_PERIODIC;
        for (int v = 0; v < world_variant_count(); v++) {
            dunlin_world *world = blow(&g, world_variant_at(v));
            world_spawn(world, 0, (const float[]){0, 99, 0}, (const float[]){2e9f, -2e9f, 0});
            world_run(world, 5);
            const dunlin_view view = dunlin_world_view(world, 0);
            for (int a = 0; a < 2; a++) assert_true(isfinite(view.position[a][0]) && isfinite(view.velocity[a][0]));
            dunlin_world_destroy(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_takes_the_agents_cell),
        cmocka_unit_test(the_edge_cells_continue_beyond_the_grid),
        cmocka_unit_test(linear_interpolates_between_centres),
        cmocka_unit_test(linear_weighs_all_corners),
        cmocka_unit_test(look_ups_in_space),
        cmocka_unit_test(a_field_that_covers_a_periodic_world_goes_around),
        cmocka_unit_test(agents_look_ahead),
        cmocka_unit_test(a_flow_is_followed_at_full_speed),
        cmocka_unit_test(a_wind_is_a_force),
        cmocka_unit_test(vectors_that_are_not_finite_do_nothing),
        cmocka_unit_test(a_vector_that_is_not_finite_counts_as_zero_between_centres),
        cmocka_unit_test(all_kernels_and_threads_agree),
        cmocka_unit_test(the_sketch_of_a_flow_field_is_reproduced),
        cmocka_unit_test(mistaken_behaviours_are_refused),
        cmocka_unit_test(looking_far_ahead_is_safe_in_an_open_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
