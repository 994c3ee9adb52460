/* SPDX-License-Identifier: MIT */
/* Metrics of a flock: by hand, against all pairs, and the same however they are computed. */
#include "tests/lib/worlds.h"

/* ---- by hand ----------------------------------------------------------------------------------------------------------- */

/* The same agents for every kernel and index; metrics are compared with those of the first. */
typedef struct flock_of_few {
    dunlin_world_def def;
    float radius; /* 0: no species observes */
    uint32_t count;
    float position[64][3], velocity[64][3];
} flock_of_few;

static flock_of_few few(int dimensions) {
    flock_of_few f = {.def = dunlin_world_def_default(), .radius = 10};
    f.def.dimensions = dimensions;
    f.def.boundary = DUNLIN_BOUNDARY_REFLECT;
    f.def.threads = 1;
    return f;
}

static void add(flock_of_few *f, float x, float y, float z, float vx, float vy, float vz) {
    const float position[] = {x, y, z}, velocity[] = {vx, vy, vz};
    memcpy(f->position[f->count], position, sizeof position);
    memcpy(f->velocity[f->count++], velocity, sizeof velocity);
}

static dunlin_metrics measure_as(const flock_of_few *f, world_variant variant) {
    const dunlin_world_def def = world_def_for(f->def, variant);
    const dunlin_interaction_def rules = world_flocking_rules(f->radius);
    dunlin_world *world = world_create(&def);
    world_add_species(world, NULL);
    if (f->radius > 0) world_add_interaction(world, &rules);
    for (uint32_t i = 0; i < f->count; i++) world_spawn(world, 0, f->position[i], f->velocity[i]);
    const dunlin_metrics metrics = world_measure(world, 0);
    world_destroy(world);
    return metrics;
}

static dunlin_metrics measure(const flock_of_few *f) {
    const dunlin_metrics first = measure_as(f, world_variant_at(0));
    for (int v = 1; v < world_variant_count(); v++) {
        const dunlin_metrics other = measure_as(f, world_variant_at(v));
        assert_memory_equal(&first, &other, sizeof first);
    }
    return first;
}

static void assert_near(double got, double want, double tolerance) {
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.15g instead of %.15g", got, want);
}

TEST(resting_agents_have_no_heading) {
    flock_of_few f = few(2);
    for (int i = 0; i < 3; i++) add(&f, 10, 10 + (float)i, 0, 0, 0, 0);
    assert_near(measure(&f).polarization, 0, 0);
    assert_near(measure(&f).rotation, 0, 0);
    assert_near(measure(&f).mean_speed, 0, 0);
    add(&f, 20, 10, 0, 2, 0, 0);
    assert_near(measure(&f).polarization, 0.25, 1e-15);
    assert_near(measure(&f).mean_speed, 0.5, 1e-15);
}

TEST(nothing_to_measure) {
    flock_of_few f = few(2);
    dunlin_metrics m = measure(&f);
    assert_true(m.agents == 0 && isnan(m.polarization) && isnan(m.rotation) && isnan(m.mean_speed) && isnan(m.mean_neighbours));
    assert_true(isnan(m.mean_nearest) && m.outside == 0 && m.neighbour_radius == 10);
    for (int a = 0; a < 3; a++) assert_true(isnan(m.angular_momentum[a]));
    add(&f, 50, 50, 0, 0, 2, 0);
    m = measure(&f);
    assert_true(m.agents == 1 && m.polarization == 1 && m.rotation == 0 && m.mean_speed == 2 && m.mean_neighbours == 0);
    assert_true(isnan(m.mean_nearest));
    add(&f, 50, 50, 0, 0, 2, 0);
    m = measure(&f);
    assert_true(m.mean_nearest == 0 && m.mean_neighbours == 1);
    f = few(2);
    f.def.boundary = DUNLIN_BOUNDARY_PERIODIC;
    f.def.size[0] = 97.3f;
    f.def.size[1] = 61.7f;
    for (int i = 0; i < 5; i++) {
        add(&f, 13.1f, 55.5f, 0, 0, 2, 0); /* the centre, but for rounding: no direction from it */
        assert_true(measure(&f).rotation == 0);
    }
}

/* A world puts no agent outside, so a view does it here. */
static uint64_t outside_after_moving(dunlin_world_def def, float x, float y) {
    dunlin_world *world = world_of(&def, 5, 20);
    const dunlin_view view = dunlin_world_view(world, 0);
    ((float *)view.position[0])[7] = x;
    ((float *)view.position[1])[7] = y;
    const dunlin_metrics metrics = world_measure(world, 0);
    world_destroy(world);
    return metrics.outside;
}

/* Between steps agents may be outside if the boundary is applied first. An open world has no outside. */
TEST(agents_outside_are_counted) {
    flock_of_few f = few(2);
    f.def.boundary = DUNLIN_BOUNDARY_TELEPORT;
    f.def.boundary_first = true;
    f.def.margin = 5;
    add(&f, -5, 50, 0, 0, 0, 0);
    add(&f, 105, 105, 0, 0, 0, 0);
    assert_int_equal(measure(&f).outside, 0);
    f.def.boundary_first = false;
    assert_int_equal(measure(&f).outside, 0);
    assert_int_equal(outside_after_moving(f.def, 105.1f, 50), 1);
    assert_int_equal(outside_after_moving(f.def, 50, -5.1f), 1);
    f.def.boundary_first = true; /* the boundary has not been applied yet */
    assert_int_equal(outside_after_moving(f.def, 105.1f, 50), 0);
    add(&f, 1e6f, -1e6f, 0, 0, 0, 0);
    assert_int_equal(measure(&f).outside, 0);
    f.def.boundary = DUNLIN_BOUNDARY_OPEN;
    f.def.boundary_first = false;
    f.def.margin = 0;
    assert_int_equal(measure(&f).outside, 0);
}

/* ---- against all pairs ------------------------------------------------------------------------------------------------- */

enum { MANY = 1200, STRAGGLERS = 12 };

/* In binary32 as in kernels, since the decision which agents are within the radius must have the same bits. */
static void by_all_pairs(const dunlin_world *world, float radius, double *mean_neighbours, double *mean_nearest) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, 0);
    double seen = 0, nearest_sum = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        float nearest = INFINITY;
        for (uint32_t j = 0; j < view.count; j++) {
            if (j == i) continue;
            const float d2 = world_distance2(&def, &view, i, j);
            seen += d2 <= radius * radius;
            nearest = fminf(nearest, d2);
        }
        nearest_sum += sqrt((double)nearest);
    }
    *mean_neighbours = seen / view.count;
    *mean_nearest = nearest_sum / view.count;
}

/* A dense clump, and stragglers far from it and from each other. */
static void spawn_with_stragglers(dunlin_world *world) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    test_random random = {11};
    for (int i = 0; i < MANY; i++) {
        const double width = i < STRAGGLERS ? 1.0 : 0.1;
        float x[3];
        for (int a = 0; a < 3; a++) x[a] = (float)((double)def.size[a] * (0.9 - width * test_share(&random)) * 0.99);
        for (int a = 0; a < 3; a++) x[a] = x[a] < 0 ? 0 : x[a];
        if (def.boundary == DUNLIN_BOUNDARY_OPEN && i < STRAGGLERS)
            for (int a = 0; a < 3; a++) x[a] *= (float)(1 << 2 * i);
        world_spawn(world, 0, x, (const float[3]){1, 0, 0});
    }
}

TEST_EACH(neighbours_and_nearest_are_those_of_all_pairs, k, 0, 18) {
    static const dunlin_boundary boundaries[] = {DUNLIN_BOUNDARY_PERIODIC, DUNLIN_BOUNDARY_TELEPORT, DUNLIN_BOUNDARY_OPEN};
    static const float radii[] = {0.05f, 1.5f, 30};
    const dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + k % 2, .boundary = boundaries[k / 2 % 3]});
    const float radius = radii[k / 6];
    double neighbours = 0, nearest = 0;
    for (int v = 0; v < world_variant_count(); v++) {
        const dunlin_world_def variant = world_def_for(def, world_variant_at(v));
        dunlin_world *world = world_without_agents(&variant, radius);
        spawn_with_stragglers(world);
        if (v == 0) by_all_pairs(world, radius, &neighbours, &nearest);
        const dunlin_metrics metrics = world_measure(world, 0);
        assert_true(metrics.mean_neighbours == neighbours);
        assert_near(metrics.mean_nearest, nearest, 1e-12 * nearest);
        world_destroy(world);
    }
}

/* ---- against plain loops ----------------------------------------------------------------------------------------------- */

static double folded(const dunlin_world_def *def, int axis, double d) {
    const double size = (double)def->size[axis];
    if (def->boundary != DUNLIN_BOUNDARY_PERIODIC) return d;
    return d > 0.5 * size ? d - size : d < -0.5 * size ? d + size : d;
}

static double centre_of(const dunlin_world *world, int axis) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, 0);
    const double turn = 2.0 * acos(-1.0), size = (double)def.size[axis];
    double sum = 0, sine = 0, cosine = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        const double x = (double)view.position[axis][i];
        sum += x;
        sine += sin(turn * x / size);
        cosine += cos(turn * x / size);
    }
    const double angle = atan2(sine, cosine) / turn * size;
    return def.boundary != DUNLIN_BOUNDARY_PERIODIC ? sum / view.count : angle < 0 ? angle + size : angle;
}

/* The vectors of one agent: its offset from the centre, its velocity, their directions. */
typedef struct moving {
    double r[3], v[3], from[3], heading[3];
} moving;

static void to_unit(const double v[3], double unit[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++) unit[a] = length > 0 ? v[a] / length : 0;
}

static moving agent_at(const dunlin_world *world, const double centre[3], uint32_t i) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, 0);
    moving m = {0};
    for (int a = 0; a < def.dimensions; a++) {
        m.r[a] = folded(&def, a, (double)view.position[a][i] - centre[a]);
        m.v[a] = (double)view.velocity[a][i];
    }
    to_unit(m.r, m.from);
    to_unit(m.v, m.heading);
    return m;
}

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

TEST_EACH(motion_is_that_of_plain_loops, k, 0, 6) {
    static const dunlin_boundary boundaries[] = {DUNLIN_BOUNDARY_PERIODIC, DUNLIN_BOUNDARY_TELEPORT, DUNLIN_BOUNDARY_OPEN};
    const dunlin_world_def def =
        world_def_with((world_parts){.threads = 1, .dimensions = 2 + k % 2, .boundary = boundaries[k / 2]});
    dunlin_world *world = world_of(&def, 4, 3000);
    world_run(world, 5);
    double centre[3] = {0}, heading[3] = {0}, turning[3] = {0}, momentum[3] = {0}, speed = 0;
    for (int a = 0; a < def.dimensions; a++) centre[a] = centre_of(world, a);
    for (uint32_t i = 0; i < 3000; i++) {
        const moving m = agent_at(world, centre, i);
        speed += length_of(m.v) / 3000;
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            heading[a] += m.heading[a] / 3000;
            turning[a] += (m.from[b] * m.heading[c] - m.from[c] * m.heading[b]) / 3000;
            momentum[a] += (m.r[b] * m.v[c] - m.r[c] * m.v[b]) / 3000;
        }
    }
    const dunlin_metrics m = world_measure(world, 0);
    assert_near(m.polarization, length_of(heading), 1e-13);
    assert_near(m.rotation, length_of(turning), 1e-12);
    assert_near(m.mean_speed, speed, 1e-13);
    for (int a = 0; a < 3; a++) assert_near(m.angular_momentum[a], momentum[a], 1e-11);
}

/* ---- however it is computed -------------------------------------------------------------------------------------------- */

TEST_EACH(metrics_are_the_same_for_every_thread_count_and_kernel, dimensions, 2, 4) {
    static const int threads[] = {1, 2, 3, 5, 8};
    dunlin_metrics first = {0};
    for (int v = 0; v < world_variant_count(); v++) {
        for (int t = 0; t < 5; t++) {
            dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
            if (strcmp(def.index, "grid") != 0) continue;
            def.dimensions = dimensions;
            def.threads = threads[t];
            dunlin_world *world = world_of(&def, 4, 3000);
            world_run(world, 3);
            dunlin_metrics metrics;
            ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
            if (v == 0 && t == 0) first = metrics;
            assert_memory_equal(&metrics, &first, sizeof metrics);
            world_destroy(world);
        }
    }
}

TEST(another_species_is_not_counted) {
    dunlin_world *world = world_without_agents(NULL, 10);
    world_add_named(world, "others");
    world_spawn(world, 0, (const float[3]){50, 50}, (const float[3]){1, 0});
    world_spawn(world, 1, (const float[3]){51, 50}, (const float[3]){0, 1});
    world_spawn(world, 0, (const float[3]){53, 50}, (const float[3]){1, 0});
    dunlin_metrics metrics;
    ACCEPT(dunlin_world_measure(world, 0, &metrics, &refusal));
    assert_true(metrics.agents == 2 && metrics.polarization == 1 && metrics.mean_neighbours == 1 && metrics.mean_nearest == 3);
    ACCEPT(dunlin_world_measure(world, 1, &metrics, &refusal));
    assert_true(metrics.agents == 1 && metrics.mean_neighbours == 0 && metrics.neighbour_radius == 0);
    assert_true(isnan(metrics.mean_nearest));
}
