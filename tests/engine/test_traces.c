/* SPDX-License-Identifier: MIT */
/* Traces: what agents leave in a field, how it spreads and fades, and agents that steer by it. */
#include "tests/lib/executors.h"
#include "tests/lib/stream.h"
#include "tests/lib/worlds.h"

/* A world of 100 in each direction with one trace in field 0, which covers it. */
static dunlin_world *trace_world(dunlin_world_def def, const int cells[3], dunlin_trace_def trace) {
    dunlin_world *world = world_create(&def);
    world_add_fliers(world, "ants", 3);
    dunlin_field_def field = dunlin_field_def_default(world);
    memcpy(field.cells, cells, sizeof field.cells);
    world_add_field(world, &field);
    const int number = world_add_trace(world, &trace);
    assert_int_equal(number, 0);
    return world;
}

static size_t count_cells(const dunlin_trace_view *view) {
    return (size_t)view->cells[0] * (size_t)view->cells[1] * (size_t)view->cells[2];
}

static double total_of(dunlin_world *world, int trace) {
    const dunlin_trace_view view = dunlin_world_trace_view(world, trace);
    double total = 0;
    for (size_t i = 0; i < count_cells(&view); i++) total += (double)view.values[i];
    return total;
}

/* ---- an oracle --------------------------------------------------------------------------------------------------------- */

/* The element of the cell `step` further along an axis; where nothing continues an edge, of the cell itself. */
static size_t beside(const dunlin_trace_view *view, size_t index, int axis, int step, bool wraps) {
    size_t stride = 1;
    for (int a = 0; a < axis; a++) stride *= (size_t)view->cells[a];
    const long n = view->cells[axis], at = (long)(index / stride) % n;
    const long to = wraps ? (at + step + n) % n : at + step;
    return to < 0 || to >= n ? index : (size_t)((long)index + (to - at) * (long)stride);
}

/* What a step should make of the numbers before it, and the gradient that agents should read in it. */
typedef struct oracle {
    dunlin_trace_view view;
    double *after, *left, *slope[3];
} oracle;

static void leave(oracle *o, dunlin_world *world, const dunlin_trace_def *def) {
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        if (def->species != s && def->species != DUNLIN_ALL_SPECIES) continue;
        const dunlin_view agents = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < agents.count; i++) {
            size_t cell = 0, stride = 1;
            bool inside = true;
            for (int a = 0; a < dunlin_world_get_def(world).dimensions; a++) {
                const float per_unit = (float)o->view.cells[a] / (o->view.max[a] - o->view.min[a]);
                const float place = (agents.position[a][i] - o->view.min[a]) * per_unit;
                inside = inside && place >= 0 && place <= (float)o->view.cells[a];
                cell += stride * (size_t)fmax(0, fmin((double)place, o->view.cells[a] - 1));
                stride *= (size_t)o->view.cells[a];
            }
            const double factor = def->attribute < 0 ? 1 : (double)agents.attribute[def->attribute][i];
            if (inside) o->left[cell] += (double)def->deposit * fmin(fmax(factor, 0), 1024);
        }
    }
}

static oracle oracle_before(dunlin_world *world, const dunlin_trace_def *def, bool wraps) {
    oracle o = {.view = dunlin_world_trace_view(world, 0)};
    const size_t cells = count_cells(&o.view);
    const int dimensions = dunlin_world_get_def(world).dimensions;
    o.after = calloc(cells, sizeof *o.after);
    o.left = calloc(cells, sizeof *o.left);
    for (int a = 0; a < 3; a++) o.slope[a] = calloc(cells, sizeof *o.slope[a]);
    for (size_t i = 0; i < cells; i++) {
        o.left[i] = (double)o.view.values[i];
        for (int a = 0; a < dimensions; a++) {
            const size_t below = beside(&o.view, i, a, -1, wraps), above = beside(&o.view, i, a, 1, wraps);
            const double width = (double)(o.view.max[a] - o.view.min[a]) / o.view.cells[a];
            const double apart = below == i || above == i ? width : 2 * width;
            o.slope[a][i] = ((double)o.view.values[above] - (double)o.view.values[below]) / apart;
        }
    }
    leave(&o, world, def);
    for (size_t i = 0; i < cells; i++) {
        double mean = 0;
        for (int a = 0; a < dimensions; a++)
            mean += (o.left[beside(&o.view, i, a, -1, wraps)] + o.left[beside(&o.view, i, a, 1, wraps)]) / (2 * dimensions);
        const double diffusion = (double)def->diffusion, stays = 1 - (double)def->evaporation;
        o.after[i] = stays * ((1 - diffusion) * o.left[i] + diffusion * mean);
    }
    return o;
}

static void expect_near(double got, double want, double scale, const char *what, size_t cell) {
    if (fabs(got - want) <= 4e-7 * scale + 1e-30) return;
    fail_msg("%s of cell %zu: %.9g instead of %.9g", what, cell, got, want);
}

static void expect_oracle(const oracle *o, dunlin_world *world) {
    const dunlin_trace_view view = dunlin_world_trace_view(world, 0);
    const dunlin_field_view field = dunlin_world_field_view(world, 0);
    double max = 0, steepest = 0;
    for (size_t i = 0; i < count_cells(&view); i++) {
        max = fmax(max, o->left[i]);
        for (int a = 0; a < 3; a++) steepest = fmax(steepest, fabs(o->slope[a][i]));
    }
    for (size_t i = 0; i < count_cells(&view); i++) {
        expect_near((double)view.values[i], o->after[i], max, "number", i);
        for (int a = 0; a < 3 && field.vectors[a]; a++)
            expect_near((double)field.vectors[a][i], o->slope[a][i], steepest, "slope", i);
    }
    free(o->after);
    free(o->left);
    for (int a = 0; a < 3; a++) free(o->slope[a]);
}

static void expect_steps(dunlin_world *world, const dunlin_trace_def *def, bool wraps) {
    for (int step = 0; step < 12; step++) {
        const oracle o = oracle_before(world, def, wraps);
        world_run(world, 1);
        expect_oracle(&o, world);
    }
    assert_true(def->evaporation == 1 || total_of(world, 0) > 0);
}

TEST_EACH(numbers_follow_the_formula, run, 0, 2 * 2 * 6 * 4) {
    static const float rates[][2] = {{0, 0}, {0.3f, 0.05f}, {1, 0}, {1, 1}, {0.5f, 1}, {0, 0.5f}};
    static const int cells[][3] = {{7, 5, 4}, {1, 2, 3}, {16, 1, 2}, {2, 16, 1}};
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + run % 2});
    const bool wraps = run / 2 % 2;
    def.boundary = wraps ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_REFLECT;
    def.threads = 2;
    dunlin_trace_def trace = dunlin_trace_def_default();
    trace.deposit = 0.75f;
    trace.diffusion = rates[run / 4 % 6][0];
    trace.evaporation = rates[run / 4 % 6][1];
    dunlin_world *world = trace_world(def, cells[run / 24], trace);
    world_scatter(world, 0, 500);
    expect_steps(world, &trace, wraps);
}

/* Several tasks' worth of agents of two species; a grid that covers a part of the world never repeats. */
TEST_EACH(agents_outside_leave_nothing, dimensions, 2, 4) {
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    dunlin_trace_def trace = dunlin_trace_def_default();
    trace.diffusion = 0.2f;
    trace.species = DUNLIN_ALL_SPECIES;
    dunlin_world *world = trace_world(def, (int[]){9, 8, 7}, trace);
    dunlin_field_def field = dunlin_world_get_field(world, 0);
    field.min[0] = 20;
    field.max[1] = 55;
    ACCEPT(dunlin_world_set_field(world, 0, &field, &refusal));
    world_add_named(world, "beetles");
    world_scatter(world, 0, TEST_AGENTS(20000));
    world_scatter(world, 1, TEST_AGENTS(3000));
    expect_steps(world, &trace, false);
}

/* Factors below 0 count as 0, and those above 1024 as 1024. */
TEST(an_attribute_multiplies_the_deposit) {
    dunlin_trace_def trace = dunlin_trace_def_default();
    dunlin_world *world = trace_world(dunlin_world_def_default(), (int[]){10, 10, 1}, trace);
    trace.attribute = world_add_drawn(world, 0, "scent", DUNLIN_ROLE_VALUE, -500, 2000);
    trace.deposit = 3;
    trace.diffusion = 0.5f;
    ACCEPT(dunlin_world_set_trace(world, 0, &trace, &refusal));
    world_scatter(world, 0, 400);
    expect_steps(world, &trace, true);
    REFUSE(dunlin_world_remove_attribute(world, 0, 0, &refusal), DUNLIN_ERROR_VALUE, "attribute 0", "trace 0 uses it");
}

/* ---- rates ------------------------------------------------------------------------------------------------------------- */

/* A single cell's 1 in a world without agents. */
static dunlin_world *spot(int dimensions, dunlin_boundary boundary, float diffusion, float evaporation) {
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .boundary = boundary, .threads = 1});
    dunlin_trace_def trace = dunlin_trace_def_default();
    trace.diffusion = diffusion;
    trace.evaporation = evaporation;
    dunlin_world *world = trace_world(def, (int[]){9, 8, dimensions == 3 ? 7 : 1}, trace);
    dunlin_world_trace_view(world, 0).values[0] = 1;
    return world;
}

TEST_EACH(diffusion_keeps_the_total, run, 0, 8) {
    dunlin_world *world =
        spot(2 + run % 2, run & 2 ? DUNLIN_BOUNDARY_PERIODIC : DUNLIN_BOUNDARY_REFLECT, run & 4 ? 1 : 0.4f, 0);
    world_run(world, 3000);
    assert_true(fabs(total_of(world, 0) - 1) < 1e-4);
    const dunlin_trace_view view = dunlin_world_trace_view(world, 0);
    for (size_t i = 0; i < count_cells(&view); i++) assert_true(view.values[i] >= 0 && view.values[i] <= 1);
    const double even = 1.0 / (double)count_cells(&view);
    for (size_t i = 0; i < count_cells(&view) && !(run & 4); i++) assert_true(fabs((double)view.values[i] - even) < 1e-6);
}

/* An even trace stays exactly as it is. */
TEST_EACH(nothing_grows_from_rounding, dimensions, 2, 4) {
    dunlin_world *world = spot(dimensions, DUNLIN_BOUNDARY_PERIODIC, 1, 0);
    const dunlin_trace_view before = dunlin_world_trace_view(world, 0);
    for (size_t i = 0; i < count_cells(&before); i++) before.values[i] = 0.1f;
    world_run(world, 1000);
    const dunlin_trace_view after = dunlin_world_trace_view(world, 0);
    for (size_t i = 0; i < count_cells(&after); i++) assert_true(after.values[i] == 0.1f);
}

TEST(what_fades_becomes_nothing) {
    dunlin_world *world = spot(2, DUNLIN_BOUNDARY_PERIODIC, 0, 1);
    world_run(world, 1);
    assert_true(total_of(world, 0) == 0);
    world_destroy(world);
    world = spot(2, DUNLIN_BOUNDARY_PERIODIC, 0, 0.01f);
    world_run(world, 100);
    assert_true(fabs(total_of(world, 0) - pow(0.99, 100)) < 1e-5);
    world_run(world, 7000); /* 0.99^6874 is 1e-30 */
    assert_true(total_of(world, 0) == 0);
}

TEST(written_numbers_are_brought_into_range) {
    dunlin_world *world = spot(2, DUNLIN_BOUNDARY_PERIODIC, 0, 0);
    float *values = dunlin_world_trace_view(world, 0).values;
    const float written[] = {-1, NAN, INFINITY, 2e18f, 5}, want[] = {0, 0, 1e18f, 1e18f, 5};
    memcpy(values, written, sizeof written);
    world_run(world, 1);
    assert_memory_equal(dunlin_world_trace_view(world, 0).values, want, sizeof want);
}

/* ---- steering ---------------------------------------------------------------------------------------------------------- */

/* An agent reads the trace of the steps before, not what this step adds. */
TEST(agents_climb_what_was_there) {
    dunlin_world *world = trace_world(dunlin_world_def_default(), (int[]){10, 10, 1}, dunlin_trace_def_default());
    world_add_default(world, DUNLIN_BEHAVIOUR_FLOW);
    world_spawn(world, 0, (float[]){55, 55, 0}, (float[]){0, 0, 0});
    world_spawn(world, 0, (float[]){65, 55, 0}, (float[]){0, 0, 0});
    world_run(world, 1);
    assert_true(dunlin_world_view(world, 0).velocity[0][0] == 0);
    world_run(world, 1); /* each is drawn to the other's cell; its own makes no slope */
    const dunlin_view agents = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true((agents.id[i] == 0) == (agents.velocity[0][i] > 0) && agents.velocity[0][i] != 0);
        assert_true(agents.velocity[1][i] == 0);
    }
}

/* ---- the same bits ----------------------------------------------------------------------------------------------------- */

enum { RUN = 8 };

/* Agents that flock with one neighbour, so that no sum has an order, and climb a trace that other agents leave, too. */
static dunlin_world *flock_on_trace(dunlin_world_def def) {
    def.seed = 5;
    dunlin_trace_def trace = dunlin_trace_def_default();
    trace.species = DUNLIN_ALL_SPECIES;
    trace.diffusion = 0.3f;
    trace.evaporation = 0.02f;
    dunlin_world *world = trace_world(def, (int[]){40, 30, def.dimensions == 3 ? 20 : 1}, trace);
    world_add_named(world, "beetles");
    dunlin_interaction_def rules = world_flocking_rules(3);
    rules.nearest = 1;
    world_add_interaction(world, &rules);
    dunlin_behaviour_def flow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLOW);
    flow.flow.look_ahead = 2;
    world_add_behaviour(world, &flow);
    return world;
}

/* Numbers belong to the state and do not count among the definitions; rates do. */
TEST(definitions_have_traces) {
    dunlin_world *world = flock_on_trace(dunlin_world_def_default()), *other;
    stream saved = {.count = 0};
    ACCEPT(dunlin_world_save_definitions_to(world, stream_put, &saved, &refusal));
    ACCEPT(dunlin_world_create_from(NULL, stream_take, NULL, &saved, &other, &refusal));
    free(saved.bytes);
    dunlin_trace_def trace = dunlin_world_get_trace(other, 0);
    assert_true(trace.species == DUNLIN_ALL_SPECIES && trace.diffusion == 0.3f && trace.evaporation == 0.02f);
    world_scatter(world, 0, 50);
    world_run(world, 3);
    assert_int_equal(dunlin_world_fingerprint(other), dunlin_world_fingerprint(world));
    trace.deposit = 2;
    ACCEPT(dunlin_world_set_trace(other, 0, &trace, &refusal));
    assert_int_not_equal(dunlin_world_fingerprint(other), dunlin_world_fingerprint(world));
    world_destroy(other);
}

/* ---- definitions ------------------------------------------------------------------------------------------------------- */

TEST(mistakes_are_refused) {
    static const struct {
        dunlin_trace_def def;
        const char *words[2];
    } mistakes[] = {{{.field = 1}, {"trace.field is 1"}},
                    {{.field = 0}, {"trace.field is 0", "a trace already"}},
                    {{.field = 2, .species = 1}, {"trace.species is 1"}},
                    {{.field = 2, .species = -2}, {"trace.species is -2"}},
                    {{.field = 2, .attribute = 0}, {"trace.attribute is 0"}},
                    {{.field = 2, .species = -1, .attribute = 0}, {"trace.attribute is 0", "-1"}},
                    {{.field = 2, .attribute = -1, .deposit = -1}, {"trace.deposit is -1"}},
                    {{.field = 2, .attribute = -1, .diffusion = 1.5f}, {"trace.diffusion is 1.5"}},
                    {{.field = 2, .attribute = -1, .evaporation = -0.1f}, {"trace.evaporation is -0.1"}}};
    dunlin_world *world = spot(2, DUNLIN_BOUNDARY_OPEN, 0, 0);
    const dunlin_field_def field = dunlin_field_def_default(world);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        dunlin_trace_def def = mistakes[i].def;
        def.cookie = WORLD_COOKIE;
        if (i == 2)
            for (int k = 0; k < 2; k++) world_add_field(world, &field);
        REFUSE(dunlin_world_add_trace(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, mistakes[i].words[0],
               mistakes[i].words[1]);
    }
    assert_int_equal(dunlin_world_trace_count(world), 1);
    const dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
    REFUSE(dunlin_world_fill_field(world, 0, &source, &refusal), DUNLIN_ERROR_VALUE, "field 0 is a trace");
    REFUSE(dunlin_world_remove_field(world, 0, &refusal), DUNLIN_ERROR_VALUE, "field 0", "trace 0 uses it");
    REFUSE(dunlin_world_remove_species(world, 0, &refusal), DUNLIN_ERROR_VALUE, "species 0", "trace 0 uses it");
    assert_null(dunlin_world_trace_view(world, 1).values);
    assert_int_equal(dunlin_world_get_trace(world, 1).cookie, 0);
}

static uint32_t count_vectors(dunlin_world *world, int field) {
    const dunlin_field_view view = dunlin_world_field_view(world, field);
    uint32_t count = 0;
    for (int i = 0; i < view.cells[0] * view.cells[1]; i++) count += view.vectors[0][i] != 0.0f || view.vectors[1][i] != 0.0f;
    return count;
}

/* A trace moves to another field, which begins at 0, and lets go of the first. No vector of a step is left, for a world that
 * has been restored since would have none. */
TEST(traces_are_changed_and_removed) {
    dunlin_world *world = spot(2, DUNLIN_BOUNDARY_PERIODIC, 0.5f, 0);
    dunlin_field_def field = dunlin_field_def_default(world);
    world_add_field(world, &field);
    dunlin_trace_def trace = dunlin_world_get_trace(world, 0);
    trace.deposit = 2;
    ACCEPT(dunlin_world_set_trace(world, 0, &trace, &refusal));
    assert_true(total_of(world, 0) == 1);
    field = dunlin_world_get_field(world, 0);
    ACCEPT(dunlin_world_set_field(world, 0, &field, &refusal));
    assert_true(total_of(world, 0) == 1);
    field.cells[0] = 3;
    ACCEPT(dunlin_world_set_field(world, 0, &field, &refusal));
    assert_true(total_of(world, 0) == 0);
    trace.field = 1;
    const size_t bytes = dunlin_world_bytes(world);
    ACCEPT(dunlin_world_set_trace(world, 0, &trace, &refusal));
    assert_int_equal(dunlin_world_trace_view(world, 0).cells[0], 32);
    assert_true(dunlin_world_bytes(world) > bytes);
    const dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    ACCEPT(dunlin_world_remove_field(world, 0, &refusal));
    assert_int_equal(dunlin_world_get_trace(world, 0).field, 0);
    dunlin_world_trace_view(world, 0).values[100] = 1.0f;
    world_run(world, 2);
    assert_true(count_vectors(world, 0) > 0);
    ACCEPT(dunlin_world_remove_trace(world, 0, &refusal));
    assert_int_equal(dunlin_world_trace_count(world), 0);
    assert_int_equal(count_vectors(world, 0), 0);
    ACCEPT(dunlin_world_fill_field(world, 0, &source, &refusal));
    ACCEPT(dunlin_world_remove_field(world, 0, &refusal));
    world_run(world, 1);
}
