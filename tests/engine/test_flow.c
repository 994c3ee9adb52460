/* SPDX-License-Identifier: MIT */
/* Fields of vectors: what they are filled with, how agents look them up, and what they make of it. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/scenery/noise.h"
#include "tests/lib/effort.h"
#include "tests/lib/random.h"
#include "tests/lib/support.h"
#include "tests/lib/worlds.h"

/* ---- one agent in a wind ----------------------------------------------------------------------------------------------- */

/*
 * A field whose cell (i, j, k) holds (1 + i, 10 + j, 100 + k), and an agent that rests in it. The wind is all that moves it, so
 * after a step of time 1 its velocity is what it has looked up.
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
        world_fly(world, 1);
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

static void the_nearest_is_the_cell_it_is_in(void **state) {
    (void)state;
    const gust g = small(2, DUNLIN_LOOKUP_NEAREST);
    expect(&g, 10, 20, 0, 1, 10, 0);
    expect(&g, 11.999f, 21.999f, 0, 1, 10, 0);
    expect(&g, 12, 20, 0, 2, 10, 0);
    expect(&g, 12, 22, 0, 2, 11, 0);
    expect(&g, 16.5f, 25, 0, 4, 12, 0);
    expect(&g, 17.999f, 25.999f, 0, 4, 12, 0);
}

static void beyond_the_grid_its_edge_goes_on(void **state) {
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

static void linear_goes_between_the_centres(void **state) {
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

/* The four cells' shares are 3/4·1/4, ...: of i·j, 0.75·1.25. */
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

/* 7 cells of 2 in a row, of which only the last says anything. */
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
    g.max_force = 0.1f; /* of what steers */
    static const float at[] = {23, 20, 0};
    expect_edited(&g, unusual_vectors, at, (const double[]){4, -3.5, 0});
    g.weight = -0.5f;
    expect_edited(&g, unusual_vectors, at, (const double[]){-0.5, 2.5, 0});
    g.weight = 1;
    g.limit = 2.5f;
    expect_edited(&g, unusual_vectors, at, (const double[]){2.5, -1.5, 0});
}

static void what_is_no_vector_does_nothing(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (int cell = 0; cell < 6; cell++) {
            const gust g = row(kind ? DUNLIN_BEHAVIOUR_WIND : DUNLIN_BEHAVIOUR_FLOW);
            expect_edited(&g, unusual_vectors, (const float[]){11 + 2 * (float)cell, 20, 0}, (const double[]){1, 0.5, 0});
        }
}

/* Between the last, (3, -4), and one that counts as zero. */
static void a_hole_counts_as_zero_between_centres(void **state) {
    (void)state;
    gust g = row(DUNLIN_BEHAVIOUR_WIND);
    g.field.lookup = DUNLIN_LOOKUP_LINEAR;
    expect_edited(&g, unusual_vectors, (const float[]){22.5f, 20, 0}, (const double[]){1 + 0.75 * 3, 0.5 - 0.75 * 4, 0});
    expect_edited(&g, unusual_vectors, (const float[]){23, 20, 0}, (const double[]){4, -3.5, 0});
}

/* ---- sources ----------------------------------------------------------------------------------------------------------- */

/* A world of 100 in each direction with a field of so many cells on each axis. */
static dunlin_world *field_of(int dimensions, int cells, dunlin_boundary boundary) {
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = dimensions;
    def.boundary = boundary;
    def.seed = 77;
    def.threads = 2;
    dunlin_world *world = world_create(&def);
    dunlin_field_def field = dunlin_field_def_default(world);
    for (int a = 0; a < dimensions; a++) field.cells[a] = cells;
    int number = -1;
    ACCEPT(dunlin_world_add_field(world, &field, &number, &refusal));
    assert_int_equal(number, 0);
    return world;
}

static dunlin_field_source source_of(const dunlin_world *world, dunlin_field_kind kind) {
    return dunlin_field_source_default(world, kind);
}

static void expect_cell(dunlin_world *world, uint32_t index, double x, double y, double z) {
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    const double want[] = {x, y, z};
    for (int a = 0; a < 3 && view.vectors[a]; a++) {
        if (fabs((double)view.vectors[a][index] - want[a]) <= 1e-6) continue;
        fail_msg("cell %u, %c: %.9g instead of %.9g", index, "xyz"[a], (double)view.vectors[a][index], want[a]);
    }
}

static double length_at(dunlin_world *world, uint32_t index) {
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    double sum = 0;
    for (int a = 0; a < 3 && view.vectors[a]; a++) sum += pow((double)view.vectors[a][index], 2);
    return sqrt(sum);
}

static void a_new_field_is_zero(void **state) {
    (void)state;
    dunlin_world *world = field_of(2, 3, DUNLIN_BOUNDARY_OPEN);
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    assert_true(view.cells[0] == 3 && view.cells[1] == 3 && view.cells[2] == 1 && !view.vectors[2]);
    assert_true(view.min[0] == 0 && view.max[1] == 100);
    for (uint32_t i = 0; i < 9; i++) expect_cell(world, i, 0, 0, 0);
    assert_int_equal(dunlin_world_field_count(world), 1);
    assert_null(dunlin_world_field_view(world, 1).vectors[0]);
    assert_null(dunlin_world_field_view(world, -1).vectors[0]);
    dunlin_world_destroy(world);
}

static void constant(void **state) {
    (void)state;
    dunlin_world *world = field_of(3, 2, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_CONSTANT);
    source.vector[0] = 1;
    source.vector[1] = -2;
    source.vector[2] = 30;
    source.weight = 0.5f;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    for (uint32_t i = 0; i < 8; i++) expect_cell(world, i, 0.5, -1, 15);
    dunlin_world_destroy(world);
}

static void the_callers_vectors(void **state) {
    (void)state;
    static const float x[] = {1, 2, 3, 4}, y[] = {-5, -6, -7, -8};
    dunlin_world *world = field_of(2, 2, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_VECTORS);
    source.vectors[0] = x;
    source.vectors[1] = y;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    for (uint32_t i = 0; i < 4; i++) expect_cell(world, i, (double)x[i], (double)y[i], 0);
    dunlin_world_destroy(world);
}

/* Cells' centres at 50/3, 50, 250/3. */
static void a_swirl_turns_counter_clockwise(void **state) {
    (void)state;
    const double half = sqrt(0.5);
    dunlin_world *world = field_of(2, 3, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_SWIRL);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 5, 0, 1, 0);  /* right of the centre: up */
    expect_cell(world, 7, -1, 0, 0); /* above: to the left */
    expect_cell(world, 0, half, -half, 0);
    expect_cell(world, 4, 0, 0, 0); /* the centre itself */
    source.weight = -2;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 5, 0, -2, 0);
    dunlin_world_destroy(world);
}

static void a_swirl_in_space_turns_around_its_axis(void **state) {
    (void)state;
    dunlin_world *world = field_of(3, 3, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_SWIRL);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 5 + 9 * 2, 0, 1, 0);
    source.axis[0] = 7; /* of any length */
    source.axis[2] = 0;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 1 + 3 * 2 + 9, 0, 0, 1);  /* above in y: towards z */
    expect_cell(world, 2 + 3 + 9 * 2, 0, -1, 0); /* above in z: away from y */
    expect_cell(world, 2 + 3 + 9, 0, 0, 0);      /* on the axis */
    dunlin_world_destroy(world);
}

static void the_centre_attracts(void **state) {
    (void)state;
    dunlin_world *world = field_of(2, 5, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_CENTRE);
    source.centre[0] = 10;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 14, -1, 0, 0); /* (90, 50) */
    expect_cell(world, 10, 0, 0, 0);
    expect_cell(world, 1, -sqrt(0.2), sqrt(0.8), 0); /* (30, 10): by (-20, 40) */
    dunlin_world_destroy(world);
    world = field_of(2, 5, DUNLIN_BOUNDARY_PERIODIC);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 14, 1, 0, 0); /* across the edge */
    source.weight = -1;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 14, -1, 0, 0);
    dunlin_world_destroy(world);
}

static void a_gradient_climbs(void **state) {
    (void)state;
    float plane[9], values[9] = {0, 1, 0, 5, 5, 5, NAN, INFINITY, 1};
    for (int i = 0; i < 9; i++) plane[i] = (float)(3 * (i % 3) + 4 * (i / 3));
    dunlin_world *world = field_of(2, 3, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_GRADIENT);
    source.values = plane;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    for (uint32_t i = 0; i < 9; i++) expect_cell(world, i, 0.6, 0.8, 0);
    source.values = values;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    expect_cell(world, 0, 1 / sqrt(26), 5 / sqrt(26), 0);
    expect_cell(world, 2, -1 / sqrt(26), 5 / sqrt(26), 0);
    for (uint32_t i = 3; i < 8; i++)
        if (i != 5) expect_cell(world, i, 0, 0, 0); /* not finite */
    expect_cell(world, 5, 0, 1, 0);                 /* between 0 and 1 */
    dunlin_world_destroy(world);
}

static void around_the_world_a_gradient_climbs_across_the_edge(void **state) {
    (void)state;
    static const float hill[] = {2, 3, 1, 0, 2, 3, 1, 0, 2, 3, 1, 0, 2, 3, 1, 0};
    for (int periodic = 0; periodic < 2; periodic++) {
        dunlin_world *world = field_of(2, 4, periodic ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_OPEN);
        dunlin_field_source source = source_of(world, DUNLIN_FIELD_GRADIENT);
        source.values = hill;
        ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
        expect_cell(world, 4, 1, 0, 0);                 /* 3 - 0, or 3 - 2 */
        expect_cell(world, 7, periodic ? 1 : -1, 0, 0); /* 2 - 1, or 0 - 1 */
        dunlin_world_destroy(world);
    }
}

static void one_cell_has_no_gradient(void **state) {
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        dunlin_world *world = field_of(3, 1, periodic ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_OPEN);
        dunlin_field_source source = source_of(world, DUNLIN_FIELD_GRADIENT);
        source.values = (const float[]){5};
        ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
        expect_cell(world, 0, 0, 0, 0);
        dunlin_world_destroy(world);
    }
}

static void random_directions(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        dunlin_world *world = field_of(dimensions, 16, DUNLIN_BOUNDARY_OPEN);
        const dunlin_field_source source = source_of(world, DUNLIN_FIELD_RANDOM);
        assert_true(source.seed == 77);
        ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
        const uint32_t cells = dimensions == 3 ? 4096 : 256;
        const dunlin_field_view view = dunlin_world_field_view(world, 0);
        double mean[3] = {0};
        for (uint32_t i = 0; i < cells; i++) {
            assert_true(fabs(length_at(world, i) - 1.0) < 1e-6);
            for (int a = 0; a < dimensions; a++) mean[a] += (double)view.vectors[a][i] / cells;
            assert_true(i == 0 || view.vectors[0][i] != view.vectors[0][i - 1]);
        }
        for (int a = 0; a < dimensions; a++) assert_true(fabs(mean[a]) < 4 * sqrt(0.5 / cells));
        const float first = view.vectors[0][0];
        dunlin_field_source other = source;
        other.seed = 78;
        ACCEPT(dunlin_world_fill_field(world, 0, &other, &refusal));
        assert_true(view.vectors[0][0] != first);
        dunlin_world_destroy(world);
    }
}

static void noise_turns_smoothly(void **state) {
    (void)state;
    dunlin_world *world = field_of(2, 10, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_NOISE);
    source.noise = (dunlin_field_noise){.scale = 7, .octaves = 2, .min_angle = -0.25f, .max_angle = 0.5f, .time = 0.75};
    source.weight = 2;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    uint32_t seeds[DUN_MAX_OCTAVES];
    dun_noise_seeds(77, 0, seeds);
    const double turn = 2 * acos(-1.0);
    for (int i = 0; i < 100; i++) {
        const double point[4] = {(10 * (i % 10) + 5) / 7.0, (10 * (i / 10) + 5) / 7.0, 0.75, 0};
        const double n = (double)dun_noise_octaves(seeds, 2, 3, point), angle = turn * (-0.25 + (n + 1) / 2 * 0.75);
        const dunlin_field_view view = dunlin_world_field_view(world, 0);
        assert_true(fabs((double)view.vectors[0][i] - 2 * cos(angle)) < 4e-6);
        assert_true(fabs((double)view.vectors[1][i] - 2 * sin(angle)) < 4e-6);
    }
    dunlin_world_destroy(world);
}

static void noise_in_space(void **state) {
    (void)state;
    dunlin_world *world = field_of(3, 10, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_NOISE);
    source.noise.scale = 5; /* all centres are lattice points of the first component's noise */
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    uint32_t seeds[3][DUN_MAX_OCTAVES];
    for (uint32_t n = 0; n < 3; n++) dun_noise_seeds(77, n, seeds[n]);
    for (int i = 0; i < 1000; i++) {
        const int at[] = {i % 10, i / 10 % 10, i / 100};
        double n[3], length = 0;
        for (int c = 0; c < 3; c++) {
            const double point[4] = {2 * at[0] + 1 + c / 3.0, 2 * at[1] + 1 + c / 3.0, 2 * at[2] + 1 + c / 3.0, 0};
            n[c] = (double)dun_noise(seeds[c][0], 4, point);
            length += n[c] * n[c];
        }
        assert_true(view.vectors[0][i] == 0.0f);
        expect_cell(world, (uint32_t)i, n[0] / sqrt(length), n[1] / sqrt(length), n[2] / sqrt(length));
    }
    dunlin_world_destroy(world);
}

/* ---- fields that vary -------------------------------------------------------------------------------------------------- */

/* The step that begins after n steps is flown in the field of n time steps; what was written in between is gone. */
static void noise_that_varies_is_filled_anew_every_step(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        dunlin_world *world = field_of(dimensions, 9, DUNLIN_BOUNDARY_OPEN),
                     *by_hand = field_of(dimensions, 9, DUNLIN_BOUNDARY_OPEN);
        const dunlin_field_view view = dunlin_world_field_view(world, 0), want = dunlin_world_field_view(by_hand, 0);
        dunlin_field_source source = source_of(world, DUNLIN_FIELD_NOISE), still = source;
        source.noise.rate = 0.125f;
        source.noise.time = 40;
        ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
        float before = 0;
        for (int steps = 0; steps < 5; steps++) {
            view.vectors[0][0] = 99;
            world_fly(world, 1);
            still.noise.time = 40 + 0.125 * steps;
            ACCEPT(dunlin_world_fill_field(by_hand, 0, &still, &refusal));
            const uint32_t cells = dimensions == 3 ? 729 : 81;
            for (int a = 0; a < dimensions; a++) test_same_bits(view.vectors[a], want.vectors[a], cells, "a field that varies");
            assert_true(view.vectors[0][31] != before);
            before = view.vectors[0][31];
        }
        const dunlin_field_source end = source_of(world, DUNLIN_FIELD_CONSTANT);
        ACCEPT(dunlin_world_fill_field(world, 0, &end, &refusal));
        view.vectors[0][31] = 99; /* stays: nothing is filled any more */
        world_fly(world, 1);
        expect_cell(world, 31, 99, 0, 0);
        expect_cell(world, 40, 0, 0, 0);
        dunlin_world_destroy(world);
        dunlin_world_destroy(by_hand);
    }
}

/* Filled between steps, it is at once what the next step will use. */
static void a_fill_between_steps_is_of_now(void **state) {
    (void)state;
    dunlin_world *world = field_of(2, 9, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_NOISE);
    source.noise.rate = 0.3f;
    world_fly(world, 3);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    float filled[81];
    memcpy(filled, view.vectors[0], sizeof filled);
    world_fly(world, 1);
    test_same_bits(view.vectors[0], filled, 81, "a fill between steps");
    dunlin_world_destroy(world);
}

/* ---- the same bits ----------------------------------------------------------------------------------------------------- */

/* A flow that varies and a steady wind, looked up both ways. */
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
    dunlin_field_source noise = source_of(world, DUNLIN_FIELD_NOISE);
    noise.noise.rate = 0.2f;
    noise.noise.octaves = 3;
    ACCEPT(dunlin_world_fill_field(world, 0, &noise, &refusal));
    const dunlin_field_source random = source_of(world, DUNLIN_FIELD_RANDOM);
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

/* After 4 steps, and after 20 where there is time to fill so many fields. */
static void check_windy_flock(int dimensions, const char *kernel, int threads) {
    static const struct {
        int steps;
        uint64_t hash[2];
    } golden[] = {{4, {0x61a0fad78d607639u, 0x53c5b133684f3e48u}}, {20, {0x8a4c5a7b6a3c71bau, 0x5dbdfd08a547edf5u}}};
    dunlin_world *world = windy_flock(dimensions, kernel, threads);
    for (int g = 0; g < (TEST_SLOW ? 1 : 2); g++) {
        world_fly(world, golden[g].steps - (g ? golden[g - 1].steps : 0));
        const uint64_t hash = dunlin_world_state_hash(world);
        if (hash != golden[g].hash[dimensions - 2])
            fail_msg("%dD, %s, %d threads, step %d: 0x%016llx", dimensions, kernel, threads, golden[g].steps,
                     (unsigned long long)hash);
    }
    dunlin_world_destroy(world);
}

static void all_kernels_and_threads_agree_for_ever(void **state) {
    (void)state;
    static const int threads[] = TEST_THREADS(1, 2, 3);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int k = 0; k < dunlin_kernel_count(); k++)
            for (size_t t = 0; t < sizeof threads / sizeof *threads && dunlin_kernel_at(k).runs_here; t++)
                check_windy_flock(dimensions, dunlin_kernel_at(k).name, threads[t]);
}

static void filling_by_many_threads_is_filling_by_one(void **state) {
    (void)state;
    enum { CELLS = 23 * 17 * 5 };
    static float want[3][CELLS];
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = 3;
    for (int kind = DUNLIN_FIELD_RANDOM; kind <= DUNLIN_FIELD_CENTRE; kind++)
        for (def.threads = 1; def.threads <= 3; def.threads++) {
            dunlin_world *world = world_create(&def);
            dunlin_field_def grid = dunlin_field_def_default(world);
            memcpy(grid.cells, (const int[]){23, 17, 5}, sizeof grid.cells);
            ACCEPT(dunlin_world_add_field(world, &grid, NULL, &refusal));
            const dunlin_field_source source = source_of(world, (dunlin_field_kind)kind);
            ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
            const dunlin_field_view view = dunlin_world_field_view(world, 0);
            for (int a = 0; a < 3; a++) {
                if (def.threads == 1) memcpy(want[a], view.vectors[a], sizeof want[a]);
                test_same_bits(view.vectors[a], want[a], CELLS, "a fill");
            }
            dunlin_world_destroy(world);
        }
}

/* ---- kernels ----------------------------------------------------------------------------------------------------------- */

enum { MOST_AGENTS = 37, MOST_CELLS = 6 * 5 * 4 };

typedef struct look_up {
    dun_behave job;
    test_array position[3], velocity[3], force[3];
    float *cells[3]; /* no byte longer than the field, so that address sanitizers see who reads beyond it */
    uint32_t count;
} look_up;

static float any_component(test_random *random, bool odd) {
    static const float odd_ones[] = {NAN, INFINITY, -INFINITY, 3e38f, -1e30f, 1e18f, 1e-30f, 1e-42f, -0.0f, 0.0f};
    if (odd && test_below(random, 3) == 0) return odd_ones[test_below(random, sizeof odd_ones / sizeof *odd_ones)];
    return test_uniform(random, -5.0f, 5.0f);
}

/* On a grid of 64ths, so that where an agent is is exact; or anywhere that an agent may be at all. */
static float any_place(test_random *random, const dun_behave_flow *f, int a, bool odd) {
    static const float far[] = {1e38f, -1e38f, 1e20f, -1e20f, 3e9f, -16777216.0f, 0.0f, -0.0f, 1e-40f};
    const float width = 1.0f / f->per_unit[a], from = f->min[a] - 9.0f * width, to = f->min[a] + 15.0f * width;
    if (!odd) return floorf(test_uniform(random, 64.0f * from, 64.0f * to)) / 64.0f;
    switch (test_below(random, 4)) {
    case 0:
        return far[test_below(random, sizeof far / sizeof *far)];
    case 1:
        return test_nudge(random, f->min[a] + 0.5f * width * (float)test_below(random, 14), 2);
    default:
        return test_uniform(random, from, to);
    }
}

static look_up look_up_new(test_random *random, int dimensions, bool odd) {
    look_up l = {.count = 1 + test_below(random, MOST_AGENTS)};
    dun_behave_flow *f = &l.job.flow;
    l.job =
        (dun_behave){.dimensions = dimensions, .max_speed = {.all = 7.0f}, .max_force = {.all = 3.0f}, .weight = {.all = 1.5f}};
    f->linear = test_below(random, 2);
    f->wraps = test_below(random, 2);
    f->look_ahead = odd ? test_uniform(random, 0.0f, 4.0f) : (float)test_below(random, 3);
    int32_t cells = 1;
    for (int a = 0; a < dimensions; a++) {
        const int most[] = {6, 5, 4};
        const int32_t here = 1 + (int32_t)test_below(random, (uint32_t)most[a]);
        f->cells[a] = (float)here;
        f->stride[a] = cells;
        f->min[a] = odd ? test_uniform(random, -20.0f, 20.0f) : (float)test_below(random, 9);
        f->per_unit[a] = odd ? test_uniform(random, 0.1f, 100.0f) : 0.25f;
        f->per_cell[a] = 1.0f / f->cells[a];
        cells *= here;
    }
    for (int a = 0; a < dimensions; a++) {
        l.cells[a] = malloc((size_t)cells * sizeof(float));
        assert_non_null(l.cells[a]);
        for (int32_t c = 0; c < cells; c++) l.cells[a][c] = any_component(random, odd);
        f->vectors[a] = l.cells[a];
        l.position[a] = test_array_new(l.count);
        l.velocity[a] = test_array_new(l.count);
        l.force[a] = test_array_new(l.count);
        for (uint32_t i = 0; i < l.count; i++) {
            l.position[a].at[i] = any_place(random, f, a, odd);
            l.velocity[a].at[i] = odd ? test_uniform(random, -3.0f, 3.0f) : (float)test_below(random, 5) - 2.0f;
        }
        l.job.position[a] = l.position[a].at;
        l.job.velocity[a] = l.velocity[a].at;
        l.job.force[a] = l.force[a].at;
    }
    return l;
}

static void look_up_free(look_up *l) {
    for (int a = 0; a < l->job.dimensions; a++) {
        free(l->cells[a]);
        test_array_free(&l->position[a]);
        test_array_free(&l->velocity[a]);
        test_array_free(&l->force[a]);
    }
}

static void look_up_by(look_up *l, const dun_kernel *kernel, dun_behave_kind kind) {
    for (int a = 0; a < l->job.dimensions; a++) {
        test_array_reset(&l->force[a]);
        for (uint32_t i = 0; i < l->count; i++) l->force[a].at[i] = 0.25f * (float)a;
    }
    kernel->behave[kind](&l->job, l->count);
    for (int a = 0; a < l->job.dimensions; a++) test_array_check(&l->force[a]);
}

static void every_kernel_looks_up_the_same_bits(void **state) {
    (void)state;
    test_random random = {11};
    for (int round = 0; round < TEST_ROUNDS(4000); round++) {
        const dun_behave_kind kind = round % 2 ? DUN_BEHAVE_WIND : DUN_BEHAVE_FLOW;
        look_up l = look_up_new(&random, 2 + round / 2 % 2, round % 8 >= 4);
        float want[3][MOST_AGENTS];
        look_up_by(&l, test_kernel(0), kind);
        for (int a = 0; a < l.job.dimensions; a++) {
            memcpy(want[a], l.force[a].at, l.count * sizeof(float));
            for (uint32_t i = 0; i < l.count; i++) assert_true(fabs((double)want[a][i]) < 1e19);
        }
        for (int k = 1; k < test_kernel_count(); k++) {
            look_up_by(&l, test_kernel(k), kind);
            for (int a = 0; a < l.job.dimensions; a++) test_same_bits(l.force[a].at, want[a], l.count, test_kernel(k)->name);
        }
        look_up_free(&l);
    }
}

/* In binary64, by floor and by a sum over weighted corners, each index by itself around or to the edge. */
static void look_up_slowly(const dun_behave_flow *f, int dimensions, const double x[3], double out[3]) {
    double share[3], lower[3];
    out[0] = out[1] = out[2] = 0;
    for (int a = 0; a < dimensions; a++) {
        const double at = (x[a] - (double)f->min[a]) * (double)f->per_unit[a] - (f->linear ? 0.5 : 0.0);
        lower[a] = floor(at);
        share[a] = f->linear ? at - lower[a] : 0.0;
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        size_t index = 0;
        for (int a = 0; a < dimensions; a++) {
            const double cells = (double)f->cells[a], cell = lower[a] + (corner >> a & 1);
            const double inside = f->wraps ? cell - cells * floor(cell / cells) : fmin(fmax(cell, 0), cells - 1);
            weight *= corner >> a & 1 ? share[a] : 1 - share[a];
            index += (size_t)inside * (size_t)f->stride[a];
        }
        if (dimensions == 2 && corner >= 4) continue;
        for (int a = 0; a < dimensions; a++) out[a] += weight * (double)f->vectors[a][index];
    }
}

static void the_scalar_kernel_looks_up_what_it_should(void **state) {
    (void)state;
    test_random random = {12};
    for (int round = 0; round < TEST_ROUNDS(4000); round++) {
        look_up l = look_up_new(&random, 2 + round % 2, false);
        l.job.max_force.all = INFINITY;
        look_up_by(&l, test_kernel(0), DUN_BEHAVE_WIND);
        for (uint32_t i = 0; i < l.count; i++) {
            double x[3], want[3];
            for (int a = 0; a < l.job.dimensions; a++)
                x[a] = (double)l.position[a].at[i] + (double)l.velocity[a].at[i] * (double)l.job.flow.look_ahead;
            look_up_slowly(&l.job.flow, l.job.dimensions, x, want);
            for (int a = 0; a < l.job.dimensions; a++)
                assert_true(fabs((double)l.force[a].at[i] - 0.25 * a - 1.5 * want[a]) < 1e-5);
        }
        look_up_free(&l);
    }
}

/* ---- a sketch, reproduced ---------------------------------------------------------------------------------------------- */

enum { BOIDS = 120, COLUMNS = 32, ROWS = 12 };

static FILE *open_recording(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/vectors/noc_5_04_flow_field/%s", DUNLIN_TESTS_DIR, name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    return file;
}

/* Rows of x, y, vx, vy, by id. */
static uint32_t read_boids(const char *name, double boid[BOIDS][4]) {
    FILE *file = open_recording(name);
    uint32_t count = 0, id;
    char line[256];
    assert_non_null(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file); count++) {
        double n[4];
        assert_int_equal(sscanf(line, "%u,%lf,%lf,%lf,%lf", &id, &n[0], &n[1], &n[2], &n[3]), 5);
        assert_true(id < BOIDS);
        memcpy(boid[id], n, sizeof n);
    }
    fclose(file);
    return count;
}

static void read_field(dunlin_world *world) {
    static float x[COLUMNS * ROWS], y[COLUMNS * ROWS];
    FILE *file = open_recording("field.csv");
    char line[256];
    int cells = 0;
    assert_non_null(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file); cells++) {
        assert_true(cells < COLUMNS * ROWS);
        assert_int_equal(sscanf(line, "%f,%f", &x[cells], &y[cells]), 2);
    }
    fclose(file);
    assert_int_equal(cells, COLUMNS * ROWS);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_VECTORS);
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
    static double boid[BOIDS][4];
    const uint32_t count = read_boids("before.csv", boid);
    assert_int_equal(count, BOIDS);
    for (uint32_t i = 0; i < BOIDS; i++)
        world_spawn(world, 0, (const float[]){(float)boid[i][0], (float)boid[i][1], 0},
                    (const float[]){(float)boid[i][2], (float)boid[i][3], 0});
    return world;
}

/* The worst deviations, as shares of the longer side and of the maximum speed. */
static void compare(dunlin_world *world, const char *name, double worst[2]) {
    static double boid[BOIDS][4];
    assert_int_equal(read_boids(name, boid), BOIDS);
    const dunlin_view view = dunlin_world_view(world, 0);
    worst[0] = worst[1] = 0;
    for (uint32_t i = 0; i < BOIDS; i++) {
        const uint32_t slot = dunlin_world_find_agent(world, i).index;
        for (int a = 0; a < 2; a++) {
            worst[0] = fmax(worst[0], fabs((double)view.position[a][slot] - boid[i][a]) / 640);
            worst[1] = fmax(worst[1], fabs((double)view.velocity[a][slot] - boid[i][2 + a]) / 3.5);
        }
    }
}

static void the_sketch_of_a_flow_field_is_reproduced(void **state) {
    (void)state;
    for (int v = 0; v < world_variant_count(); v++) {
        double one[2], fifty[2];
        dunlin_world *world = sketch(world_variant_at(v));
        compare(world, "after_50.csv", fifty);
        assert_true(fifty[0] > 1e-2 && fifty[1] > 1e-1); /* it moves */
        world_fly(world, 1);
        compare(world, "after_1.csv", one);
        world_fly(world, 49);
        compare(world, "after_50.csv", fifty);
        dunlin_world_destroy(world);
        if (v == 0)
            print_message("after 1: positions %.1e of the side, velocities %.1e of the maximum; after 50: %.1e, %.1e\n", one[0],
                          one[1], fifty[0], fifty[1]);
        assert_true(one[0] <= 1e-4 && one[1] <= 1e-4);
        assert_true(fifty[0] <= 1e-4 && fifty[1] <= 1e-3);
    }
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

static dunlin_world *two_dimensional(void) {
    dunlin_world *world = field_of(2, 2, DUNLIN_BOUNDARY_OPEN);
    const dunlin_species_def species = dunlin_species_def_default();
    ACCEPT(dunlin_world_add_species(world, &species, NULL, &refusal));
    return world;
}

static void mistaken_fields_are_refused(void **state) {
    (void)state;
    dunlin_world *world = two_dimensional();
    const dunlin_field_def good = dunlin_field_def_default(world);
    dunlin_field_def def = good;
    def.cells[2] = -1; /* a third axis means nothing here */
    ACCEPT(dunlin_world_add_field(world, &def, NULL, &refusal));
    def = good;
    def.cells[1] = 0;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.cells[1]", "at least 1");
    def.cells[1] = 65537;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.cells[1]", "65537");
    def.cells[0] = def.cells[1] = 65536;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.cells", "4294967296", "268435456");
    def = good;
    def.min[0] = NAN;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.min[0]", "nan");
    def.min[0] = 100;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.max[0]", "above 100");
    def = good;
    def.max[1] = 2e9f;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.max[1]", "2e+09");
    def = good;
    def.lookup = (dunlin_lookup)2;
    REFUSE(dunlin_world_add_field(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "field.lookup is 2");
    REFUSE(dunlin_world_add_field(world, NULL, NULL, &refusal), DUNLIN_ERROR_VALUE, "dunlin_field_def_default");
    REFUSE(dunlin_world_add_field(world, &(dunlin_field_def){0}, NULL, &refusal), DUNLIN_ERROR_VALUE, "default function");
    assert_int_equal(dunlin_world_field_count(world), 2);
    dunlin_world_destroy(world);
}

typedef struct mistake {
    dunlin_field_kind kind;
    size_t offset; /* of a float in the source */
    float value;
    const char *field, *said;
} mistake;

#define AT(field) offsetof(dunlin_field_source, field)

static void mistaken_sources_are_refused(void **state) {
    (void)state;
    static const mistake mistakes[] = {
        {DUNLIN_FIELD_RANDOM, AT(weight), 2e6f, "source.weight", "2e+06"},
        {DUNLIN_FIELD_CONSTANT, AT(vector[2]), NAN, "source.vector[2]", "nan"},
        {DUNLIN_FIELD_SWIRL, AT(centre[1]), INFINITY, "source.centre[1]", "inf"},
        {DUNLIN_FIELD_SWIRL, AT(axis[0]), -2e9f, "source.axis[0]", "-2e+09"},
        {DUNLIN_FIELD_SWIRL, AT(axis[2]), 0, "source.axis", "direction"},
        {DUNLIN_FIELD_CENTRE, AT(centre[0]), 2e9f, "source.centre[0]", "2e+09"},
        {DUNLIN_FIELD_NOISE, AT(noise.scale), 0, "source.noise.scale", "1e-09"},
        {DUNLIN_FIELD_NOISE, AT(noise.min_angle), -1001, "source.noise.min_angle", "turns"},
        {DUNLIN_FIELD_NOISE, AT(noise.max_angle), NAN, "source.noise.max_angle", "nan"},
        {DUNLIN_FIELD_NOISE, AT(noise.rate), -1, "source.noise.rate", "at least 0"},
    };
    dunlin_world *world = field_of(3, 2, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source;
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; m++) {
        source = source_of(world, mistakes[m].kind);
        ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
        memcpy((char *)&source + mistakes[m].offset, &mistakes[m].value, sizeof(float));
        REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, mistakes[m].field, mistakes[m].said);
    }
    source = source_of(world, DUNLIN_FIELD_NOISE);
    source.noise.octaves = 9;
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.noise.octaves", "at most 8");
    source = source_of(world, DUNLIN_FIELD_NOISE);
    source.noise.time = (double)NAN;
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.noise.time", "nan");
    source = source_of(world, DUNLIN_FIELD_GRADIENT);
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.values", "NULL");
    source = source_of(world, DUNLIN_FIELD_VECTORS);
    source.vectors[0] = source.vectors[1] = (const float[8]){0};
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.vectors", "NULL");
    source = source_of(world, DUNLIN_FIELD_COUNT);
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.kind is 7");
    source = source_of(world, DUNLIN_FIELD_RANDOM);
    REFUSE(dunlin_world_fill_field(world, 1, &source, &refusal), DUNLIN_ERROR_VALUE, "field is 1", "has 1");
    REFUSE(dunlin_world_fill_field(world, -1, &source, &refusal), DUNLIN_ERROR_VALUE, "field is -1");
    REFUSE(dunlin_world_fill_field(world, 0, NULL, &refusal), DUNLIN_ERROR_VALUE, "dunlin_field_source_default");
    REFUSE(dunlin_world_fill_field(world, 0, &(dunlin_field_source){0}, &refusal), DUNLIN_ERROR_VALUE, "default function");
    dunlin_world_destroy(world);
}

/* What was refused changes nothing: the field goes on as it was filled before. */
static void a_refused_fill_leaves_the_field_alone(void **state) {
    (void)state;
    dunlin_world *world = field_of(2, 4, DUNLIN_BOUNDARY_OPEN);
    dunlin_field_source source = source_of(world, DUNLIN_FIELD_NOISE);
    source.noise.rate = 0.25f;
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    world_fly(world, 1);
    const float before = dunlin_world_field_view(world, 0).vectors[0][5];
    source.noise.scale = -1;
    source.noise.rate = 0;
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "source.noise.scale");
    assert_true(dunlin_world_field_view(world, 0).vectors[0][5] == before);
    world_fly(world, 1);
    assert_true(dunlin_world_field_view(world, 0).vectors[0][5] != before);
    dunlin_world_destroy(world);
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

/* Farther than any binary32 number is exact. */
static void looking_far_ahead_of_an_open_world_does_no_harm(void **state) {
    (void)state;
    gust g = around(DUNLIN_LOOKUP_LINEAR);
    g.look_ahead = 1e6f;
    g.max_speed = 1e9f;
    for (int dimensions = 0; dimensions < 2; dimensions++) {
        g.world.boundary = dimensions ? DUNLIN_BOUNDARY_OPEN : DUNLIN_BOUNDARY_PERIODIC;
        for (int v = 0; v < world_variant_count(); v++) {
            dunlin_world *world = blow(&g, world_variant_at(v));
            world_spawn(world, 0, (const float[]){0, 99, 0}, (const float[]){2e9f, -2e9f, 0});
            world_fly(world, 5);
            const dunlin_view view = dunlin_world_view(world, 0);
            for (int a = 0; a < 2; a++) assert_true(isfinite(view.position[a][0]) && isfinite(view.velocity[a][0]));
            dunlin_world_destroy(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_is_the_cell_it_is_in),
        cmocka_unit_test(beyond_the_grid_its_edge_goes_on),
        cmocka_unit_test(linear_goes_between_the_centres),
        cmocka_unit_test(linear_weighs_all_corners),
        cmocka_unit_test(look_ups_in_space),
        cmocka_unit_test(a_field_that_covers_a_periodic_world_goes_around),
        cmocka_unit_test(agents_look_ahead),
        cmocka_unit_test(a_flow_is_followed_at_full_speed),
        cmocka_unit_test(a_wind_is_a_force),
        cmocka_unit_test(what_is_no_vector_does_nothing),
        cmocka_unit_test(a_hole_counts_as_zero_between_centres),
        cmocka_unit_test(a_new_field_is_zero),
        cmocka_unit_test(constant),
        cmocka_unit_test(the_callers_vectors),
        cmocka_unit_test(a_swirl_turns_counter_clockwise),
        cmocka_unit_test(a_swirl_in_space_turns_around_its_axis),
        cmocka_unit_test(the_centre_attracts),
        cmocka_unit_test(a_gradient_climbs),
        cmocka_unit_test(around_the_world_a_gradient_climbs_across_the_edge),
        cmocka_unit_test(one_cell_has_no_gradient),
        cmocka_unit_test(random_directions),
        cmocka_unit_test(noise_turns_smoothly),
        cmocka_unit_test(noise_in_space),
        cmocka_unit_test(noise_that_varies_is_filled_anew_every_step),
        cmocka_unit_test(a_fill_between_steps_is_of_now),
        cmocka_unit_test(all_kernels_and_threads_agree_for_ever),
        cmocka_unit_test(filling_by_many_threads_is_filling_by_one),
        cmocka_unit_test(every_kernel_looks_up_the_same_bits),
        cmocka_unit_test(the_scalar_kernel_looks_up_what_it_should),
        cmocka_unit_test(the_sketch_of_a_flow_field_is_reproduced),
        cmocka_unit_test(mistaken_fields_are_refused),
        cmocka_unit_test(mistaken_sources_are_refused),
        cmocka_unit_test(a_refused_fill_leaves_the_field_alone),
        cmocka_unit_test(mistaken_behaviours_are_refused),
        cmocka_unit_test(looking_far_ahead_of_an_open_world_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
