/* SPDX-License-Identifier: MIT */
/* No agent sees another's new state: the order of the agents changes only the rounding of sums. Were each agent updated in its
 * place, another order would make another flock, a whole world apart after ten steps. */
#include "tests/lib/worlds.h"

enum { AGENTS = 600 };
#define SIDE   60.0
#define RADIUS 6.0

typedef struct flock {
    double x[AGENTS][2], v[AGENTS][2];
} flock;

static flock start_flock(void) {
    flock t;
    test_random random = {7};
    for (int i = 0; i < AGENTS; i++) {
        for (int a = 0; a < 2; a++) {
            t.x[i][a] = SIDE * test_share(&random);
            t.v[i][a] = 2.0 * test_share(&random) - 1.0;
        }
    }
    return t;
}

/* order[n]: the agent at place n. Seed 0: each in its own place. */
static void permute(uint32_t order[AGENTS], uint64_t seed) {
    test_random random = {seed};
    if (seed) test_shuffle(&random, order, AGENTS);
    for (uint32_t i = 0; i < AGENTS && !seed; i++) order[i] = i;
}

/* An agent's id is its number in the flock, whatever its slot. */
static void spawn(dunlin_world *world, const flock *start, const uint32_t order[AGENTS]) {
    float column[4][AGENTS];
    for (int i = 0; i < AGENTS; i++) {
        for (int a = 0; a < 2; a++) {
            column[a][i] = (float)start->x[order[i]][a];
            column[2 + a][i] = (float)start->v[order[i]][a];
        }
    }
    const dunlin_batch batch = {.cookie = WORLD_COOKIE,
                                .count = AGENTS,
                                .position = {column[0], column[1]},
                                .velocity = {column[2], column[3]},
                                .ids = order};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
}

/* Direct responses: nothing is normalised, so that a rounding error keeps its size. */
static dunlin_interaction_def direct_rules(void) {
    dunlin_interaction_def def = world_flocking_rules((float)RADIUS);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) def.rules[r].response = DUNLIN_RESPONSE_DIRECT;
    def.rules[DUNLIN_RULE_SEPARATION].falloff = DUNLIN_FALLOFF_LINEAR;
    def.rules[DUNLIN_RULE_COHESION].weight = 0.05f;
    return def;
}

static dunlin_world *run(world_variant variant, const dunlin_interaction_def *rules, const flock *start, uint64_t seed,
                         int steps) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    for (int a = 0; a < 2; a++) def.size[a] = (float)SIDE;
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 100;
    uint32_t order[AGENTS];
    dunlin_world *world = world_create(&def);
    world_add_species(world, &species);
    world_add_interaction(world, rules);
    permute(order, seed);
    spawn(world, start, order);
    world_run(world, steps);
    return world;
}

static double apart(double x, double y) {
    const double d = fabs(x - y);
    return d > 0.5 * SIDE ? SIDE - d : d;
}

/*
 * How much another order may change agent i's velocity. It is a sum of n terms in two orders: a linear push is at most 1 long,
 * a velocity of the flock at most √2, a weighted offset at most 0.05 radii, and means are divided by n. Roundings within a sum
 * have both signs and nearly cancel, so two roundings of the maximum length of a sum are allowed, 2^-24 of it each.
 */
static void find_bounds(const flock *start, double bound[AGENTS]) {
    for (int i = 0; i < AGENTS; i++) {
        double n = 0;
        for (int j = 0; j < AGENTS; j++) {
            const double dx = apart(start->x[j][0], start->x[i][0]), dy = apart(start->x[j][1], start->x[i][1]);
            n += j != i && dx * dx + dy * dy <= RADIUS * RADIUS * 1.0001;
        }
        bound[i] = 2.0 * 0x1p-24 * (n + sqrt(2.0) + 0.05 * RADIUS);
    }
}

static double worst_share_of_bound(const double bound[AGENTS], dunlin_world *a, dunlin_world *b) {
    const dunlin_view va = dunlin_world_view(a, 0), vb = dunlin_world_view(b, 0);
    double worst = 0;
    for (uint32_t id = 0; id < AGENTS; id++) {
        const uint32_t i = dunlin_world_find_agent(a, id).index, j = dunlin_world_find_agent(b, id).index;
        for (int axis = 0; axis < 2; axis++) {
            const double change = fabs((double)va.velocity[axis][i] - (double)vb.velocity[axis][j]);
            worst = fmax(worst, change / bound[id]);
        }
    }
    return worst;
}

TEST_EACH(another_order_of_rows_changes_a_step_by_rounding, v, 0, world_variant_count()) {
    const dunlin_interaction_def rules = direct_rules();
    const flock start = start_flock();
    double bound[AGENTS];
    find_bounds(&start, bound);
    const world_variant variant = world_variant_at(v);
    dunlin_world *straight = run(variant, &rules, &start, 0, 1);
    double worst = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        dunlin_world *permuted = run(variant, &rules, &start, seed, 1);
        worst = fmax(worst, worst_share_of_bound(bound, straight, permuted));
        world_destroy(permuted);
    }
    world_destroy(straight);
    print_message("%s, %s: another order of rows: at most %.3f of the bound\n", variant.kernel, variant.index, worst);
    assert_true(worst <= 1.0);
    assert_true(worst > 0.0); /* otherwise nothing was permuted */
}

TEST_EACH(another_order_of_rows_stays_the_same_flock, v, 0, world_variant_count()) {
    const dunlin_interaction_def rules = direct_rules();
    const flock start = start_flock();
    dunlin_world *a = run(world_variant_at(v), &rules, &start, 0, 10), *b = run(world_variant_at(v), &rules, &start, 1, 10);
    const dunlin_view va = dunlin_world_view(a, 0), vb = dunlin_world_view(b, 0);
    double worst = 0;
    for (uint32_t id = 0; id < AGENTS; id++) {
        const uint32_t i = dunlin_world_find_agent(a, id).index, j = dunlin_world_find_agent(b, id).index;
        for (int axis = 0; axis < 2; axis++)
            worst = fmax(worst, apart((double)va.position[axis][i], (double)vb.position[axis][j]));
    }
    if (v == 0) print_message("engine, other order: up to %g world units apart after 10 steps\n", worst);
    assert_true(worst < 0.01);
}

/* On a lattice sums are exact in any order, so no bit may change. */
TEST_EACH(where_sums_are_exact_another_order_changes_nothing, v, 0, world_variant_count()) {
    dunlin_interaction_def rules = direct_rules();
    rules.rules[DUNLIN_RULE_SEPARATION].radius = 0;
    flock start = start_flock();
    for (int i = 0; i < AGENTS; i++) {
        for (int a = 0; a < 2; a++) {
            start.x[i][a] = rint(start.x[i][a] * 8) / 8;
            start.v[i][a] = rint(start.v[i][a] * 64) / 64;
        }
    }
    uint64_t hash[4];
    for (uint64_t seed = 0; seed < 4; seed++) {
        dunlin_world *world = run(world_variant_at(v), &rules, &start, seed, 1);
        hash[seed] = dunlin_world_state_hash(world);
        world_destroy(world);
        assert_true(hash[seed] == hash[0]);
    }
}
