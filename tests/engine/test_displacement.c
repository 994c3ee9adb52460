/* SPDX-License-Identifier: MIT */
/* Displacements: by hand, against plain loops over unwrapped ways, and across saving. */
#include "tests/lib/worlds.h"

static void assert_near(double got, double want, double tolerance) {
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.15g instead of %.15g", got, want);
}

static dunlin_displacements measure(const dunlin_displacement *d, const dunlin_world *world, int species) {
    dunlin_displacements got;
    ACCEPT(dunlin_displacement_measure(d, world, species, &got, &refusal));
    return got;
}

static dunlin_displacement *start(const dunlin_world *world) {
    dunlin_displacement *d;
    ACCEPT(dunlin_displacement_create(world, &d, &refusal));
    return d;
}

static void simulate(dunlin_world *world, dunlin_displacement *d, int steps) {
    for (int i = 0; i < steps; i++) {
        world_run(world, 1);
        ACCEPT(dunlin_displacement_follow(d, world, &refusal));
    }
}

/* Nothing turns its agents. */
static dunlin_world *empty_world(const dunlin_world_def *def) {
    dunlin_world *world = world_create(def);
    world_add_species(world, NULL);
    return world;
}

/* Each runs v·t, several times around the world. */
TEST_EACH(straight_simulation_goes_on_across_edges, k, 0, 6) {
    static const dunlin_boundary boundaries[] = {DUNLIN_BOUNDARY_PERIODIC, DUNLIN_BOUNDARY_TELEPORT, DUNLIN_BOUNDARY_OPEN};
    dunlin_world_def def = world_def_with((world_parts){.dimensions = 2 + k % 2, .boundary = boundaries[k / 2]});
    def.keep_overshoot = def.boundary == DUNLIN_BOUNDARY_TELEPORT;
    for (int a = 0; a < 3; a++) def.size[a] = 10;
    dunlin_world *world = empty_world(&def);
    world_spawn(world, 0, (const float[3]){9, 1, 5}, (const float[3]){0.5f, -0.25f, 0});
    world_spawn(world, 0, (const float[3]){1, 9, 5}, (const float[3]){-0.5f, 0, 0});
    dunlin_displacement *d = start(world);
    simulate(world, d, 100);
    const dunlin_displacements m = measure(d, world, 0);
    assert_int_equal(m.agents, 2);
    assert_near(m.mean_squared, (50.0 * 50 + 25.0 * 25 + 50.0 * 50) / 2, 1e-2);
    assert_near(m.mean[0], 0, 1e-3);
    assert_near(m.mean[1], -12.5, 1e-3);
    assert_true(m.mean[2] == 0 && m.time == 100);
    dunlin_displacement_destroy(d);
}

/* A world of 10 with margins of 1: from 11 the agent goes to -1, which is the same place. What it would have gone beyond is
 * lost. */
TEST(a_teleport_is_no_way) {
    dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_TELEPORT, .margin = 1});
    for (int a = 0; a < 3; a++) def.size[a] = 10;
    dunlin_world *world = empty_world(&def);
    world_spawn(world, 0, (const float[3]){9, 5, 0}, (const float[3]){0.5f, 0, 0});
    dunlin_displacement *d = start(world);
    simulate(world, d, 100);
    const dunlin_displacements m = measure(d, world, 0);
    assert_true(m.mean[0] == 50 - 4 * 0.5 && m.mean[1] == 0);
    dunlin_displacement_destroy(d);
}

enum { AGENTS = 400, STEPS = 40 };

/* The same ways, by id, in the plainest way. */
typedef struct ways {
    double way[AGENTS][3];
    float last[AGENTS][3];
} ways;

static void follow_plainly(ways *w, const dunlin_world *world, bool first) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) {
        for (int a = 0; a < def.dimensions; a++) {
            const float x = view.position[a][i];
            const double size = (double)def.size[a], step = (double)x - (double)w->last[view.id[i]][a];
            if (!first) w->way[view.id[i]][a] += step - size * nearbyint(step / size);
            w->last[view.id[i]][a] = x;
        }
    }
}

TEST_EACH(flocks_are_those_of_plain_loops, threads, 1, 4) {
    static dunlin_displacements first = {0};
    dunlin_world_def def = world_def_with((world_parts){.threads = threads});
    for (int a = 0; a < 2; a++) def.size[a] = 20;
    dunlin_world *world = world_of(&def, 3, AGENTS);
    dunlin_displacement *d = start(world);
    static ways w;
    memset(&w, 0, sizeof w);
    follow_plainly(&w, world, true);
    for (int i = 0; i < STEPS; i++) {
        simulate(world, d, 1);
        follow_plainly(&w, world, false);
    }
    double sum = 0;
    for (int i = 0; i < AGENTS; i++) sum += w.way[i][0] * w.way[i][0] + w.way[i][1] * w.way[i][1];
    const dunlin_displacements m = measure(d, world, 0), all = measure(d, world, DUNLIN_ALL_SPECIES);
    assert_near(m.mean_squared, sum / AGENTS, 1e-12 * sum);
    assert_memory_equal(&all, &m, sizeof m);
    if (threads == 1) first = m;
    assert_memory_equal(&first, &m, sizeof m);
    dunlin_displacement_destroy(d);
}

/* Agents that are born or die in between do not count. */
TEST(only_those_alive_at_both_ends_count) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = empty_world(&def);
    for (int i = 0; i < 4; i++)
        world_spawn(world, 0, (const float[3]){10.0f * (float)i, 50}, (const float[3]){0.25f * (float)i, 0});
    dunlin_displacement *d = start(world);
    simulate(world, d, 4);
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){3}, 1, &refusal));
    world_spawn(world, 0, (const float[3]){90, 90}, (const float[3]){1, 0});
    simulate(world, d, 4);
    dunlin_displacements m = measure(d, world, 0);
    assert_int_equal(m.agents, 3);
    assert_near(m.mean_squared, (0 + 4 + 16) / 3.0, 1e-12);
    ACCEPT(dunlin_world_despawn(world, (const uint32_t[]){0, 1, 2}, 3, &refusal));
    m = measure(d, world, 0);
    assert_true(m.agents == 0 && isnan(m.mean_squared) && isnan(m.mean[0]));
    dunlin_displacement_destroy(d);
}

/* ---- saving ------------------------------------------------------------------------------------------------------------ */

typedef struct memory {
    unsigned char bytes[100000];
    size_t count, at;
} memory;

static bool put(void *context, const void *bytes, size_t count) {
    memory *m = context;
    if (count > sizeof m->bytes - m->count) return false;
    memcpy(m->bytes + m->count, bytes, count);
    m->count += count;
    return true;
}

static bool get(void *context, void *bytes, size_t count) {
    memory *m = context;
    if (count > m->count - m->at) return false;
    memcpy(bytes, m->bytes + m->at, count);
    m->at += count;
    return true;
}

TEST_EACH(saved_ways_go_on, sparse, 0, 2) {
    static memory m;
    dunlin_world *world = world_of(NULL, 3, AGENTS);
    if (sparse) { /* ids far apart */
        const uint32_t id = 4000000000u;
        dunlin_batch batch = dunlin_batch_default();
        const float x[] = {5}, v[] = {0.5f};
        batch.count = 1;
        batch.ids = &id;
        for (int a = 0; a < 2; a++) batch.position[a] = x, batch.velocity[a] = v;
        ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    }
    dunlin_displacement *whole = start(world), *again;
    simulate(world, whole, 5);
    m.count = m.at = 0;
    ACCEPT(dunlin_displacement_save_to(whole, put, &m, &refusal));
    ACCEPT(dunlin_displacement_restore_from(world, &again, get, &m, &refusal));
    world_run(world, 1);
    ACCEPT(dunlin_displacement_follow(whole, world, &refusal));
    ACCEPT(dunlin_displacement_follow(again, world, &refusal));
    const dunlin_displacements want = measure(whole, world, 0), got = measure(again, world, 0);
    assert_int_equal(got.agents, AGENTS + (uint64_t)sparse);
    assert_memory_equal(&got, &want, sizeof got);
    dunlin_displacement_destroy(whole);
    dunlin_displacement_destroy(again);
}

TEST(what_is_damaged_is_refused) {
    static memory m, bad;
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = world_of(&def, 3, 3);
    dunlin_displacement *d = start(world), *none = d;
    m.count = 0;
    ACCEPT(dunlin_displacement_save_to(d, put, &m, &refusal));
    for (size_t i = 0; i < m.count; i++) {
        bad = m;
        bad.at = 0;
        bad.bytes[i] ^= 1;
        REFUSE(dunlin_displacement_restore_from(world, &none, get, &bad, &refusal), DUNLIN_ERROR_FILE,
               i < 6   ? "begins as something else"
               : i < 8 ? "of another version"
                       : "damaged");
        assert_null(none);
        bad = m;
        bad.at = 0;
        bad.count = i;
        REFUSE(dunlin_displacement_restore_from(world, &none, get, &bad, &refusal), DUNLIN_ERROR_FILE, "cut short");
    }
    dunlin_world_def flat = def;
    flat.dimensions = 3;
    dunlin_world *other = world_of(&flat, 3, 3);
    REFUSE(dunlin_displacement_follow(d, other, &refusal), DUNLIN_ERROR_VALUE, "3 dimensions", "in 2");
    dunlin_displacement_destroy(d);
    dunlin_displacement_destroy(NULL);
}
