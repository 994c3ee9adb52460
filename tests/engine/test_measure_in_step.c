/* SPDX-License-Identifier: MIT */
/* Metrics that a step measures in passing: the same bits as those of dunlin_world_measure(), whatever the species see. */
#include "tests/lib/worlds.h"

enum { MANY = 500, STRAGGLERS = 10, KINDS = 12, STEPS = 2, THREAD_COUNTS = 4 };

static const int thread_counts[THREAD_COUNTS] = {1, 2, 3, 7};

/* ---- worlds whose species see in different ways ------------------------------------------------------------------------ */

/* Kinds of which a frame's sums hold the neighbours within the radius, and from 6 on kinds of which they do not. */
static dunlin_interaction_def rules_of(int kind) {
    dunlin_interaction_def rules = world_flocking_rules(3);
    dunlin_rule *separation = &rules.rules[DUNLIN_RULE_SEPARATION], *alignment = &rules.rules[DUNLIN_RULE_ALIGNMENT],
                *cohesion = &rules.rules[DUNLIN_RULE_COHESION];
    if (kind == 1 || kind == 2) alignment->radius = cohesion->radius = 0; /* separation alone */
    if (kind == 2) separation->falloff = DUNLIN_FALLOFF_LINEAR;
    if (kind == 3) separation->radius = cohesion->radius = 0;
    if (kind == 4) alignment->radius = 1, cohesion->radius = 4; /* radii that differ */
    if (kind == 5) separation->radius = 5, separation->falloff = DUNLIN_FALLOFF_CONSTANT;
    if (kind == 6) alignment->half_angle = cohesion->half_angle = separation->half_angle = 1.5f;
    if (kind == 7) rules.nearest = 5;
    if (kind == 8) rules.max_neighbours = 4;
    if (kind == 9) rules.ignore_coincident = true;
    return rules;
}

static void spawn_spread(dunlin_world *world) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    test_random random = {7};
    for (int i = 0; i < MANY; i++) {
        const double width = i < STRAGGLERS ? 1.0 : 0.3; /* a clump, and a few that see none */
        float x[3], v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = (float)((double)def.size[a] * (0.99 - 0.98 * width * test_share(&random)));
            v[a] = test_uniform(&random, -0.5f, 0.5f);
        }
        world_spawn(world, 0, x, v);
    }
}

static void do_nothing(void *user, const dunlin_packet *group) {
    (void)user, (void)group;
}

/* Kind 10: a behaviour sees further than the interaction; 11: radii are scaled agent by agent. */
static dunlin_world *world_of_kind(const dunlin_world_def *def, int kind) {
    dunlin_world *world = world_create(def);
    const dunlin_interaction_def rules = rules_of(kind);
    world_add_species(world, NULL);
    world_add_named(world, "others");
    world_add_interaction(world, &rules);
    if (kind == 10) {
        dunlin_behaviour_def wide = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
        wide.pairs = (dunlin_pairs){.radius = 6, .callback = do_nothing};
        world_add_behaviour(world, &wide);
    }
    if (kind == 11) world_add_value(world, 0, "sight", DUNLIN_ROLE_RADIUS_SCALE, 0.5f);
    spawn_spread(world);
    for (int i = 0; i < 3; i++) world_spawn(world, 1, (const float[3]){10.0f + (float)i, 20, 30}, (const float[3]){1, 0, 0});
    return world;
}

static dunlin_world_def def_of(int dimensions, dunlin_boundary boundary, int threads) {
    const dunlin_world_def def =
        world_def_with((world_parts){.dimensions = dimensions, .boundary = boundary, .threads = threads});
    return def;
}

/* ---- against measuring alone --------------------------------------------------------------------------------------------- */

/* Runs a few steps. The metrics of the last are returned. */
static void run_measuring(dunlin_world *world, dunlin_metrics last[2]) {
    for (int step = 0; step < STEPS; step++) {
        dunlin_metrics want[2], got;
        for (int s = 0; s < 2; s++) ACCEPT(dunlin_world_measure(world, s, &want[s], &refusal));
        ACCEPT(dunlin_world_measure_in_step(world, &refusal));
        world_run(world, 1);
        for (int s = 0; s < 2; s++) {
            ACCEPT(dunlin_world_measured(world, s, &got, &refusal));
            assert_memory_equal(&got, &want[s], sizeof got);
            last[s] = got;
        }
    }
}

TEST_EACH(a_step_measures_what_measuring_alone_does, kind, 0, KINDS) {
    for (int w = 0; w < 8; w++) {
        dunlin_metrics first[2], other[2];
        uint64_t hash = 0;
        for (int v = 0; v < world_variant_count(); v++) {
            if (!TEST_NIGHTLY && v > 0 && (v + kind + w / 2) % 2) continue;
            const int threads = kind == 0 || kind == 7 ? thread_counts[v % THREAD_COUNTS] : 1;
            const dunlin_world_def plain = def_of(2 + w % 2, (dunlin_boundary)(w / 2), threads);
            const dunlin_world_def def = world_def_for(plain, world_variant_at(v));
            dunlin_world *world = world_of_kind(&def, kind), *unmeasured = world_of_kind(&def, kind);
            run_measuring(world, v == 0 ? first : other);
            world_run(unmeasured, STEPS);
            assert_int_equal(dunlin_world_state_hash(world), dunlin_world_state_hash(unmeasured));
            if (v == 0) hash = dunlin_world_state_hash(world);
            if (v > 0 && dunlin_world_state_hash(world) == hash) assert_memory_equal(first, other, sizeof first);
            world_destroy(world);
            world_destroy(unmeasured);
        }
    }
}

/* Positions are measured before the boundary is applied. */
TEST(a_boundary_that_comes_first_is_no_part_of_the_state) {
    dunlin_world_def def = def_of(2, DUNLIN_BOUNDARY_REFLECT, 2);
    def.boundary_first = true;
    dunlin_world *world = world_of_kind(&def, 0);
    dunlin_metrics last[2];
    run_measuring(world, last);
}

/* The order in which agents were spawned is that in memory under `brute`. */
TEST_EACH(the_order_of_agents_changes_no_bit, dimensions, 2, 4) {
    static test_random random = {9};
    dunlin_metrics first = {0}, other;
    for (int t = 0; t < THREAD_COUNTS; t++) {
        dunlin_world_def def = def_of(dimensions, DUNLIN_BOUNDARY_PERIODIC, thread_counts[t]);
        def.index = "brute";
        dunlin_world *source = world_of_kind(&def, 0), *world = world_without_agents(&def, 3);
        const dunlin_view view = dunlin_world_view(source, 0);
        uint32_t order[MANY];
        test_shuffle(&random, order, MANY);
        for (int i = 0; i < MANY; i++) {
            float x[3] = {0}, velocity[3] = {0};
            for (int a = 0; a < dimensions; a++) {
                x[a] = view.position[a][order[i]];
                velocity[a] = view.velocity[a][order[i]];
            }
            world_spawn(world, 0, x, velocity);
        }
        ACCEPT(dunlin_world_measure(world, 0, t == 0 ? &first : &other, &refusal));
        if (t > 0) assert_memory_equal(&other, &first, sizeof first);
        world_destroy(world);
        world_destroy(source);
    }
}

/* ---- when it is asked ---------------------------------------------------------------------------------------------------- */

TEST(one_request_is_for_one_step) {
    const dunlin_world_def def = def_of(2, DUNLIN_BOUNDARY_PERIODIC, 1);
    dunlin_world *world = world_of_kind(&def, 0);
    dunlin_metrics before, after, got;
    REFUSE(dunlin_world_measured(world, 0, &got, &refusal), DUNLIN_ERROR_VALUE, "nothing was measured");
    ACCEPT(dunlin_world_measure(world, 0, &before, &refusal));
    ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    world_run(world, 3);
    ACCEPT(dunlin_world_measured(world, 0, &got, &refusal));
    assert_memory_equal(&got, &before, sizeof got);
    REFUSE(dunlin_world_measured(world, 2, &got, &refusal), DUNLIN_ERROR_VALUE, "species is 2", "2 species that were measured");

    ACCEPT(dunlin_world_measure_in_step(world, &refusal)); /* before a step has come, what is asked for is measured at once */
    ACCEPT(dunlin_world_measure(world, 0, &after, &refusal));
    ACCEPT(dunlin_world_measured(world, 0, &got, &refusal));
    assert_memory_equal(&got, &after, sizeof got);
    world_run(world, 1);
    ACCEPT(dunlin_world_measured(world, 0, &got, &refusal));
    assert_memory_equal(&got, &after, sizeof got);
}

TEST(a_species_may_come_after_the_request) {
    const dunlin_world_def def = def_of(2, DUNLIN_BOUNDARY_PERIODIC, 3);
    dunlin_world *world = world_of_kind(&def, 0);
    ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    world_add_named(world, "late");
    world_spawn(world, 2, (const float[3]){1, 2}, (const float[3]){0, 1});
    world_run(world, 1);
    dunlin_metrics got;
    ACCEPT(dunlin_world_measured(world, 2, &got, &refusal));
    assert_true(got.agents == 1 && got.polarization == 1 && got.mean_speed == 1 && isnan(got.mean_nearest));
}
