/* SPDX-License-Identifier: MIT */
/* Flow and wind: how agents look up the vectors of fields, and what they make of them. test_kernels_flow.c has an oracle of
 * look-ups, test_conformance.c a sketch. */
#include "tests/lib/worlds.h"

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
    float weight, limit, look_ahead, look_distance;
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
    world_destroy(world);
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
    world_add_species(world, &species);
    ACCEPT(dunlin_world_add_field(world, &g->field, NULL, &refusal));
    const dunlin_field_view view = dunlin_world_field_view(world, 0);
    number_cells(&view, def.dimensions);
    dunlin_behaviour_def wind = dunlin_behaviour_def_default(world, g->kind);
    wind.weight = g->weight;
    wind.max_force = g->limit;
    wind.flow.look_ahead = g->look_ahead;
    wind.flow.look_distance = g->look_distance;
    world_add_behaviour(world, &wind);
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
        world_destroy(world);
    }
}

static void expect(const gust *g, float x, float y, float z, double vx, double vy, double vz) {
    expect_edited(g, NULL, (const float[]){x, y, z}, (const double[]){vx, vy, vz});
}

/* ---- look-ups ---------------------------------------------------------------------------------------------------------- */

TEST(look_ups_in_space) {
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

TEST(a_field_that_covers_a_periodic_world_goes_around) {
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

TEST(agents_look_ahead) {
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
    g.velocity[0] = 3;
    g.velocity[1] = -4;
    g.look_ahead = 5;
    g.look_distance = 30; /* at (50 + 15 + 18, 50 - 20 - 24) */
    expect(&g, 50, 50, 0, 3 + 5, -4 + 10, 0);
    g.velocity[0] = g.velocity[1] = 0; /* at rest nothing is ahead */
    expect(&g, 50, 50, 0, 3, 12, 0);
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

TEST(a_flow_is_followed_at_full_speed) {
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

TEST(a_wind_is_a_force) {
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

TEST(vectors_that_are_not_finite_do_nothing) {
    for (int kind = 0; kind < 2; kind++)
        for (int cell = 0; cell < 6; cell++) {
            const gust g = row(kind ? DUNLIN_BEHAVIOUR_WIND : DUNLIN_BEHAVIOUR_FLOW);
            expect_edited(&g, unusual_vectors, (const float[]){11 + 2 * (float)cell, 20, 0}, (const double[]){1, 0.5, 0});
        }
}

/* Between the last, (3, -4), and one that counts as zero. */
TEST(a_vector_that_is_not_finite_counts_as_zero_between_centres) {
    gust g = row(DUNLIN_BEHAVIOUR_WIND);
    g.field.lookup = DUNLIN_LOOKUP_LINEAR;
    expect_edited(&g, unusual_vectors, (const float[]){22.5f, 20, 0}, (const double[]){1 + 0.75 * 3, 0.5 - 0.75 * 4, 0});
    expect_edited(&g, unusual_vectors, (const float[]){23, 20, 0}, (const double[]){4, -3.5, 0});
}

/* ---- the same bits ----------------------------------------------------------------------------------------------------- */

/* Farther than binary32 numbers are exact. */
TEST_EACH(looking_far_ahead_is_safe, is_open, 0, 2) {
    gust g = around(DUNLIN_LOOKUP_LINEAR);
    g.look_ahead = 1e6f;
    g.max_speed = 1e9f;
    g.world.boundary = is_open ? DUNLIN_BOUNDARY_OPEN : DUNLIN_BOUNDARY_PERIODIC;
    for (int v = 0; v < world_variant_count(); v++) {
        dunlin_world *world = blow(&g, world_variant_at(v));
        world_spawn(world, 0, (const float[]){0, 99, 0}, (const float[]){2e9f, -2e9f, 0});
        world_run(world, 5);
        const dunlin_view view = dunlin_world_view(world, 0);
        for (int a = 0; a < 2; a++) assert_true(isfinite(view.position[a][0]) && isfinite(view.velocity[a][0]));
        world_destroy(world);
    }
}
