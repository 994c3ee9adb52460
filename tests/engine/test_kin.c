/* SPDX-License-Identifier: MIT */
/* Rules that count only an agent's own group, or only other groups: against plain loops in double precision. */
#include "tests/lib/worlds.h"

enum { MANY = 600, GROUPS = 3 };

/* One way to observe. */
typedef struct sight {
    int dimensions;
    uint32_t observed; /* agents of the second species; 0: the first observes itself */
    float radius[DUNLIN_RULE_COUNT];
    dunlin_kin kin[DUNLIN_RULE_COUNT];
    int nearest;
    float view, min_radius; /* of cohesion */
} sight;

static const sight sights[] = {
    /* the shapes that kernels have for kin */
    {2, 0, {2, 5, 5}, {DUNLIN_KIN_ALL, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 0, 0, 0},
    {3, 0, {9, 18, 18}, {DUNLIN_KIN_OTHER_GROUPS, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 0, 0, 0},
    {2, 0, {5, 0, 5}, {DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_ALL, DUNLIN_KIN_SAME_GROUP}, 0, 0, 0},
    {3, 0, {0, 15, 0}, {DUNLIN_KIN_ALL, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_ALL}, 0, 0, 0},
    {2, 0, {0, 5, 5}, {DUNLIN_KIN_OTHER_GROUPS, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 0, 0, 0},
    /* and those that are selections */
    {2, 0, {6, 5, 5}, {DUNLIN_KIN_ALL, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 0, 0, 0},
    {2, 0, {5, 4, 6}, {DUNLIN_KIN_OTHER_GROUPS, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_ALL}, 0, 0, 0},
    {3, 0, {10, 0, 0}, {DUNLIN_KIN_OTHER_GROUPS, DUNLIN_KIN_ALL, DUNLIN_KIN_ALL}, 0, 0, 0},
    {3, 0, {10, 20, 20}, {DUNLIN_KIN_ALL, DUNLIN_KIN_OTHER_GROUPS, DUNLIN_KIN_OTHER_GROUPS}, 0, 0, 0},
    {2, 0, {3, 6, 6}, {DUNLIN_KIN_ALL, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 6, 0, 0},
    {2, 0, {3, 6, 6}, {DUNLIN_KIN_OTHER_GROUPS, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 0, 2, 0},
    {3, 0, {9, 18, 18}, {DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 0, 0, 4},
    /* and another species, of many and of few */
    {2, 400, {3, 6, 6}, {DUNLIN_KIN_OTHER_GROUPS, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 0, 0, 0},
    {2, 20, {10, 25, 25}, {DUNLIN_KIN_ALL, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_SAME_GROUP}, 0, 0, 0},
    {3, 20, {30, 30, 40}, {DUNLIN_KIN_OTHER_GROUPS, DUNLIN_KIN_SAME_GROUP, DUNLIN_KIN_ALL}, 0, 0, 0},
};
enum { SIGHTS = sizeof sights / sizeof *sights };

static void add_flock(dunlin_world *world, const char *name, uint32_t count) {
    dunlin_species_def species = dunlin_species_def_default();
    species.name = name;
    species.groups = GROUPS;
    species.max_speed = 1e6f;
    const int number = world_add_species(world, &species);
    world_add_drawn(world, number, "group", DUNLIN_ROLE_GROUP, 0, GROUPS - 1);
    world_scatter(world, number, count);
}

static dunlin_world *world_of_sight(dunlin_world_def def, const void *context) {
    const sight *s = context;
    def.dimensions = s->dimensions;
    dunlin_world *world = world_create(&def);
    add_flock(world, "first", MANY);
    if (s->observed) add_flock(world, "second", s->observed);
    dunlin_interaction_def rules = world_interaction(0, s->observed > 0);
    rules.nearest = s->nearest;
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        rules.rules[r].radius = s->radius[r];
        rules.rules[r].kin = s->kin[r];
        rules.rules[r].response = DUNLIN_RESPONSE_DIRECT;
    }
    rules.rules[DUNLIN_RULE_COHESION].half_angle = s->view;
    rules.rules[DUNLIN_RULE_COHESION].min_radius = s->min_radius;
    world_add_interaction(world, &rules);
    return world;
}

/* ---- plain loops ------------------------------------------------------------------------------------------------------ */

/* A candidate that some rule counts. */
typedef struct seen {
    double d2, delta[3];
    uint32_t slot;
    bool by[DUNLIN_RULE_COUNT];
} seen;

static int by_distance(const void *a, const void *b) {
    const seen *p = a, *q = b;
    return p->d2 < q->d2 ? -1 : p->d2 > q->d2;
}

static bool counts(const sight *s, int rule, double d2, double along, double speed, bool same) {
    const double d = sqrt(d2);
    if (s->radius[rule] <= 0.0f || d > (double)s->radius[rule]) return false;
    if (s->kin[rule] == DUNLIN_KIN_SAME_GROUP && !same) return false;
    if (s->kin[rule] == DUNLIN_KIN_OTHER_GROUPS && same) return false;
    if (rule != DUNLIN_RULE_COHESION) return true;
    return d >= (double)s->min_radius && (s->view == 0.0f || speed == 0.0 || along >= cos((double)s->view) * d * speed);
}

static uint32_t look(const sight *s, const dunlin_view *own, const dunlin_view *others, uint32_t i, seen *list) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < others->count; j++) {
        seen one = {.slot = j};
        double along = 0.0, speed2 = 0.0;
        bool any = false;
        if (own->id == others->id && i == j) continue;
        for (int a = 0; a < s->dimensions; a++) {
            const double d = (double)others->position[a][j] - (double)own->position[a][i], v = (double)own->velocity[a][i];
            one.delta[a] = d - 100.0 * round(d / 100.0);
            one.d2 += one.delta[a] * one.delta[a];
            along += one.delta[a] * v;
            speed2 += v * v;
        }
        const bool same = own->attribute[0][i] == others->attribute[0][j];
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) any |= one.by[r] = counts(s, r, one.d2, along, sqrt(speed2), same);
        if (any) list[count++] = one;
    }
    if (s->nearest == 0 || count <= (uint32_t)s->nearest) return count;
    qsort(list, count, sizeof *list, by_distance);
    return (uint32_t)s->nearest;
}

/* Separation sums -Δ/d², alignment averages velocities minus the own, cohesion averages Δ. */
static uint32_t plain_force(const sight *s, const dunlin_view *own, const dunlin_view *others, uint32_t i, double force[3]) {
    static seen list[MANY];
    const uint32_t count = look(s, own, others, i, list);
    double sum[DUNLIN_RULE_COUNT][3] = {{0}}, by[DUNLIN_RULE_COUNT] = {0};
    for (uint32_t k = 0; k < count; k++) {
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) by[r] += list[k].by[r];
        for (int a = 0; a < s->dimensions; a++) {
            if (list[k].by[0]) sum[0][a] -= list[k].delta[a] / list[k].d2;
            if (list[k].by[1]) sum[1][a] += (double)others->velocity[a][list[k].slot] - (double)own->velocity[a][i];
            if (list[k].by[2]) sum[2][a] += list[k].delta[a];
        }
    }
    for (int a = 0; a < s->dimensions; a++)
        force[a] = sum[0][a] + (by[1] > 0 ? sum[1][a] / by[1] : 0.0) + (by[2] > 0 ? sum[2][a] / by[2] : 0.0);
    return count;
}

static void check_sight(const sight *s, dunlin_world_def def) {
    dunlin_world *world = world_of_sight(def, s);
    const dunlin_view own = dunlin_world_view(world, 0);
    const dunlin_view others = dunlin_world_view(world, s->observed > 0);
    double(*expected)[3] = calloc(MANY, sizeof *expected);
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        pairs += plain_force(s, &own, &others, i, expected[own.id[i]]);
        for (int a = 0; a < s->dimensions; a++) expected[own.id[i]][a] += (double)own.velocity[a][i];
    }
    assert_true(pairs > MANY / 2);
    ACCEPT(dunlin_world_step(world, &refusal));
    assert_int_equal(dunlin_world_stats(world).pairs_useful, pairs);
    const dunlin_view after = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < MANY; i++)
        for (int a = 0; a < s->dimensions; a++) {
            const double wanted = expected[after.id[i]][a];
            assert_true(fabs((double)after.velocity[a][i] - wanted) <= 2e-4 * (1.0 + fabs(wanted)));
        }
    free(expected);
    world_destroy(world);
}

TEST(test_rules_count_kin) {
    for (int k = 0; k < SIGHTS; k++)
        for (int v = 0; v < world_variant_count(); v++)
            check_sight(&sights[k], world_def_for(dunlin_world_def_default(), world_variant_at(v)));
}

/* ---- the same bits ---------------------------------------------------------------------------------------------------- */

/* A step that measures runs as one that does not, and counts all neighbours. */
TEST(test_metrics_count_all_groups) {
    dunlin_world *world = world_of_sight(dunlin_world_def_default(), &sights[0]);
    dunlin_metrics alone, in_step;
    ACCEPT(dunlin_world_measure(world, 0, &alone, &refusal));
    ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    ACCEPT(dunlin_world_step(world, &refusal));
    ACCEPT(dunlin_world_measured(world, 0, &in_step, &refusal));
    assert_true(alone.mean_neighbours == in_step.mean_neighbours && alone.mean_nearest == in_step.mean_nearest);
}

/* The bits of a group decide, so there must be no second zero. */
TEST(test_zero_is_one_group) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        dunlin_world *world = world_of_sight(dunlin_world_def_default(), &sights[0]);
        float groups[MANY];
        for (int i = 0; i < MANY; i++) groups[i] = k && i % 2 ? -0.0f : 0.0f;
        ACCEPT(dunlin_world_set_attribute_values(world, 0, 0, groups, &refusal));
        world_run(world, 2);
        hash[k] = dunlin_world_state_hash(world);
        world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

TEST(test_kin_needs_groups) {
    dunlin_world *world = world_of_sight(dunlin_world_def_default(), &sights[0]);
    ACCEPT(dunlin_world_remove_attribute(world, 0, 0, &refusal));
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "interaction 0", "kin", "species 0");
}
