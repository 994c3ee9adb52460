/* SPDX-License-Identifier: MIT */
/* Attributes: numbers that every agent has. How they are drawn and set, that they stay with their agents, and what they do. */
#include "tests/lib/files.h"
#include "tests/lib/worlds.h"

#include <unistd.h>

enum { AGENTS = 60 };

static int add(dunlin_world *world, const char *name, dunlin_role role) {
    return world_add_value(world, 0, name, role, 1);
}

/* ---- each agent with its own parameters runs as in a world where all have these --------------------------------------- */

/* How the agents observe each other. */
typedef struct manner_case {
    int dimensions;
    dunlin_falloff falloff;
    bool selects, apart, direct;
    bool farther; /* the scale of all radii is up to 2; those of rules, up to 4, take the place of weights */
} manner_case;

/* The values of one agent. Scales and masses are powers of two, so that r·s and F/m are exact. */
typedef struct manner {
    float max_speed, max_force, mass, scale, rule_scale[DUNLIN_RULE_COUNT], weight[DUNLIN_RULE_COUNT], seek;
} manner;

static manner manner_of(const manner_case *c, uint32_t id) {
    static const float scales[] = {1.0f, 0.5f, 0.25f, 0.0078125f}, masses[] = {1.0f, 2.0f, 0.5f};
    static const float far_scales[] = {0.5f, 1.0f, 2.0f, 0.0078125f}, rule_scales[] = {1.0f, 4.0f, 0.125f, 0.5f, 2.0f};
    manner m = {.max_speed = 0.5f + 0.125f * (float)(id % 7),
                .max_force = 0.05f * (float)(1 + id % 5),
                .mass = masses[id % 3],
                .scale = (c->farther ? far_scales : scales)[id % 4],
                .seek = (float)(id % 3) - 1.0f};
    for (uint32_t r = 0; r < DUNLIN_RULE_COUNT; r++) {
        m.rule_scale[r] = c->farther ? rule_scales[(id + 2 * r) % 5] : 1.0f;
        m.weight[r] = c->farther ? 1.0f : (float)((id + r) % 4) - 1.0f;
    }
    return m;
}

/* `own`: of one agent; NULL: of all. */
static dunlin_interaction_def rules_of(const manner_case *c, const manner *own) {
    static const float radii[] = {8.0f, 16.0f, 16.0f};
    dunlin_interaction_def def = dunlin_interaction_def_default();
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        const float scale = own ? own->scale * own->rule_scale[r] : 1.0f;
        def.rules[r].radius = (c->apart && r == DUNLIN_RULE_COHESION ? 24.0f : radii[r]) * scale;
        if (c->selects && r == DUNLIN_RULE_COHESION) def.rules[r].min_radius = 2.0f * scale;
        if (own) def.rules[r].weight *= own->weight[r] / own->mass;
    }
    def.rules[DUNLIN_RULE_SEPARATION].falloff = c->falloff;
    if (c->direct) def.rules[DUNLIN_RULE_SEPARATION].response = DUNLIN_RESPONSE_DIRECT;
    if (c->selects) def.nearest = 6;
    return def;
}

/* Has the maximum radius: then cells, and so the order of the sums, are the same for all radii. */
static void see_far(void *user, const dunlin_packet *packet) {
    (void)user;
    (void)packet;
}

static dunlin_world *manner_world(const manner_case *c, world_variant variant, const manner *all) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = c->dimensions, .threads = 2});
    def = world_def_for(def, variant);
    dunlin_world *world = world_create(&def);
    dunlin_species_def species = dunlin_species_def_default();
    const dunlin_interaction_def rules = rules_of(c, all);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.position[0] = 30.0f;
    if (all) {
        species.max_speed = all->max_speed;
        species.max_force = all->max_force;
        seek.weight = all->seek / all->mass;
    }
    world_add_species(world, &species);
    world_add_interaction(world, &rules);
    world_add_behaviour(world, &seek);
    dunlin_behaviour_def far = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    far.pairs.radius = c->farther ? 8 * 24.0f : 24.0f;
    far.pairs.callback = see_far;
    world_add_behaviour(world, &far);
    dunlin_scatter_def crowd = dunlin_scatter_def_default(world);
    crowd.count = AGENTS;
    for (int a = 0; a < c->dimensions; a++) crowd.extent[a] = 15.0f;
    crowd.max_speed = 0.5f;
    ACCEPT(dunlin_world_scatter(world, 0, &crowd, &refusal));
    return world;
}

/* With the maximum for a scale of radii. */
static int add_up_to(dunlin_world *world, const char *name, dunlin_role role, float max_scale) {
    dunlin_attribute_def def = world_attribute(0, name, role);
    def.max_scale = max_scale;
    return world_add_attribute(world, &def);
}

static void add_manners(dunlin_world *world, const manner_case *c) {
    static const char *const names[] = {"separates", "aligns", "coheres"};
    float values[AGENTS];
    const dunlin_view view = dunlin_world_view(world, 0);
    const int speed = add(world, "speed", DUNLIN_ROLE_MAX_SPEED), force = add(world, "force", DUNLIN_ROLE_MAX_FORCE);
    const int mass = add(world, "mass", DUNLIN_ROLE_MASS);
    const int scale = add_up_to(world, "sight", DUNLIN_ROLE_RADIUS_SCALE, c->farther ? 2 : 1);
#define SET(attribute, what)                                                                                                   \
    do {                                                                                                                       \
        for (uint32_t i = 0; i < AGENTS; i++) values[i] = manner_of(c, view.id[i]).what;                                       \
        ACCEPT(dunlin_world_set_attribute_values(world, 0, (attribute), values, &refusal));                                    \
    } while (0)
    SET(speed, max_speed);
    SET(force, max_force);
    SET(mass, mass);
    SET(scale, scale);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        const int first = c->farther ? DUNLIN_ROLE_SEPARATION_RADIUS_SCALE : DUNLIN_ROLE_SEPARATION_WEIGHT;
        const int own = add_up_to(world, names[r], (dunlin_role)(first + r), 4);
        if (c->farther)
            SET(own, rule_scale[r]);
        else
            SET(own, weight[r]);
    }
    const int number = world_add_value(world, 0, "seeks", DUNLIN_ROLE_BEHAVIOUR_WEIGHT, 1);
    SET(number, seek);
#undef SET
}

static void same_agent(dunlin_world *got, dunlin_world *want, uint32_t id, int dimensions) {
    const dunlin_slot a = dunlin_world_find_agent(got, id), b = dunlin_world_find_agent(want, id);
    const dunlin_view x = dunlin_world_view(got, 0), y = dunlin_world_view(want, 0);
    for (int axis = 0; axis < dimensions; axis++) {
        assert_memory_equal(&x.position[axis][a.index], &y.position[axis][b.index], sizeof(float));
        assert_memory_equal(&x.velocity[axis][a.index], &y.velocity[axis][b.index], sizeof(float));
    }
}

static void check_manners(const manner_case *c, world_variant variant) {
    dunlin_world *varied = manner_world(c, variant, NULL);
    add_manners(varied, c);
    world_run(varied, 1);
    for (uint32_t id = 0; id < AGENTS; id++) {
        const manner m = manner_of(c, id);
        dunlin_world *same = manner_world(c, variant, &m);
        world_run(same, 1);
        same_agent(varied, same, id, c->dimensions);
        world_destroy(same);
    }
    world_destroy(varied);
}

TEST(test_values_act_agent_by_agent) {
    static const manner_case cases[] = {
        {.dimensions = 2, .falloff = DUNLIN_FALLOFF_INVERSE},
        {.dimensions = 3, .falloff = DUNLIN_FALLOFF_LINEAR},
        {.dimensions = 2, .falloff = DUNLIN_FALLOFF_LINEAR, .apart = true, .direct = true},
        {.dimensions = 2, .falloff = DUNLIN_FALLOFF_LINEAR, .selects = true, .apart = true},
        {.dimensions = 3, .falloff = DUNLIN_FALLOFF_CONSTANT, .selects = true},
        {.dimensions = 2, .falloff = DUNLIN_FALLOFF_LINEAR, .farther = true},
        {.dimensions = 3, .falloff = DUNLIN_FALLOFF_INVERSE, .farther = true, .selects = true, .apart = true},
    };
    for (int v = 0; v < world_variant_count(); v++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) check_manners(&cases[c], world_variant_at(v));
}

static dunlin_result set_both(dunlin_world *world, float first, float second) {
    float values[2];
    values[dunlin_world_find_agent(world, 0).index] = first;
    values[dunlin_world_find_agent(world, 1).index] = second;
    return dunlin_world_set_attribute_values(world, 0, 0, values, &refusal);
}

/* Fails unless, after a step, those agents move away from each other that should. */
static void expect_moving(dunlin_world *world, bool first, bool second) {
    world_run(world, 1);
    const dunlin_view view = dunlin_world_view(world, 0);
    const float a = view.velocity[0][dunlin_world_find_agent(world, 0).index];
    const float b = view.velocity[0][dunlin_world_find_agent(world, 1).index];
    assert_true((first ? a < -0.5f : a == 0.0f) && (second ? b > 0.5f : b == 0.0f));
}

/* By hand: two resting agents, 15 apart, of which one that sees 10 far is pushed if its scale is at least 1.5. */
TEST_EACH(test_a_scale_of_one_rule_by_hand, v, 0, world_variant_count()) {
    const dunlin_world_def variant = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_create(&variant);
    dunlin_interaction_def rules = dunlin_interaction_def_default();
    const float at[2][3] = {{40, 50, 0}, {55, 50, 0}}, rest[3] = {0};
    rules.rules[DUNLIN_RULE_SEPARATION].radius = rules.rules[DUNLIN_RULE_COHESION].radius = 10;
    rules.rules[DUNLIN_RULE_SEPARATION].response = DUNLIN_RESPONSE_UNIT;
    world_add_species(world, NULL);
    world_add_interaction(world, &rules);
    for (int i = 0; i < 2; i++) world_spawn(world, 0, at[i], rest);
    expect_moving(world, false, false);
    add_up_to(world, "shyness", DUNLIN_ROLE_SEPARATION_RADIUS_SCALE, 1.5f);
    REFUSE(set_both(world, 1, 1.6f), DUNLIN_ERROR_VALUE, "shyness is 1.6", "at most 1.5 (max_scale)");
    ACCEPT(set_both(world, 1, 1.5f));
    expect_moving(world, false, true);
    dunlin_attribute_def def = dunlin_world_get_attribute(world, 0, 0);
    def.max_scale = 1.25f;
    REFUSE(dunlin_world_set_attribute(world, 0, 0, &def, &refusal), DUNLIN_ERROR_VALUE, "shyness is 1.5", "at most 1.25");
    def.max_scale = 2;
    ACCEPT(dunlin_world_set_attribute(world, 0, 0, &def, &refusal));
    ACCEPT(set_both(world, 2, 1));
    expect_moving(world, true, true);
}

/* A radius, the scales of all rules and of one, and the first distance at which an agent does not see by them. */
typedef struct edge {
    float radius, all, own, beyond;
} edge;

/* The i-th of those where the engine, which looks as far as r·s, would miss by rounding what an agent sees by r² · s². */
static edge edge_at(int i) {
    for (uint32_t seed = 1;; seed++) {
        edge e = {.radius = 1.0f + 0x1.3p-9f * (float)(seed % 997),
                  .all = 1.0f + 0x1.5p-10f * (float)(seed % 773),
                  .own = 1.0f + 0x1.7p-8f * (float)(seed % 509)};
        const float scale = e.all * e.own, reach = e.radius * scale, r2 = e.radius * e.radius * (scale * scale);
        e.beyond = reach;
        while (e.beyond * e.beyond <= r2) e.beyond = nextafterf(e.beyond, HUGE_VALF);
        const float last = nextafterf(e.beyond, 0.0f);
        if (last * last > reach * reach && i-- == 0) return e;
    }
}

/* Whether two agents at rest, or passing each other, of that distance and those scales act on each other by the rule. */
static bool act(const edge *e, int rule, float distance, world_variant variant) {
    dunlin_world_def def =
        world_def_for(world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_OPEN, .threads = 1}), variant);
    dunlin_world *world = world_create(&def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 8.0f;
    world_add_species(world, &species);
    dunlin_interaction_def rules = dunlin_interaction_def_default();
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) rules.rules[r].radius = r == rule ? e->radius : 0.0f;
    rules.rules[rule].response = DUNLIN_RESPONSE_UNIT;
    world_add_interaction(world, &rules);
    for (int i = 0; i < 2; i++) {
        const float speed = rule == DUNLIN_RULE_ALIGNMENT ? 0.25f - 0.5f * (float)i : 0.0f;
        world_spawn(world, 0, (const float[]){i ? distance : 0.0f, 0, 0}, (const float[]){0, speed, 0});
    }
    const int all = add_up_to(world, "sight", DUNLIN_ROLE_RADIUS_SCALE, e->all);
    const int own = add_up_to(world, "one", (dunlin_role)(DUNLIN_ROLE_SEPARATION_RADIUS_SCALE + rule), e->own);
    ACCEPT(dunlin_world_set_attribute_values(world, 0, all, (const float[]){e->all, e->all}, &refusal));
    ACCEPT(dunlin_world_set_attribute_values(world, 0, own, (const float[]){e->own, e->own}, &refusal));
    world_run(world, 1);
    const dunlin_view view = dunlin_world_view(world, 0);
    bool acted[2];
    for (int i = 0; i < 2; i++)
        acted[i] = view.velocity[0][i] != 0.0f || (rule == DUNLIN_RULE_ALIGNMENT && fabsf(view.velocity[1][i]) != 0.25f);
    assert_int_equal(acted[0], acted[1]);
    world_destroy(world);
    return acted[0];
}

/* At the edge of a scaled radius agents see each other, as far as their own scales say, and no farther. */
TEST_EACH(test_scaled_radii_end_where_each_agent_s_does, v, 0, world_variant_count()) {
    for (int i = 0; i < 8; i++) {
        const edge e = edge_at(i);
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
            assert_true(act(&e, r, nextafterf(e.beyond, 0.0f), world_variant_at(v)));
            assert_false(act(&e, r, e.beyond, world_variant_at(v)));
        }
    }
}

/*
 * By hand: two resting agents, pushed by 8 for one step of time 1. The heavier one gets half of it, the slower one at most 1.
 */
TEST(test_mass_and_speed_by_hand) {
    dunlin_world *world = world_create(NULL);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_speed = 100.0f;
    species.min_speed = 3.0f;
    world_add_species(world, &species);
    dunlin_behaviour_def push = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FORCE);
    push.force[0] = 8.0f;
    world_add_behaviour(world, &push);
    const float at[3] = {10, 10, 0}, rest[3] = {0};
    for (int i = 0; i < 3; i++) world_spawn(world, 0, at, rest);
    const int mass = add(world, "mass", DUNLIN_ROLE_MASS), speed = add(world, "speed", DUNLIN_ROLE_MAX_SPEED);
    ACCEPT(dunlin_world_set_attribute_values(world, 0, mass, (const float[]){1, 2, 1}, &refusal));
    ACCEPT(dunlin_world_set_attribute_values(world, 0, speed, (const float[]){50, 50, 1}, &refusal));
    world_run(world, 1);
    dunlin_view view = dunlin_world_view(world, 0);
    assert_true(view.velocity[0][0] == 8.0f && view.velocity[0][1] == 4.0f && view.velocity[0][2] == 1.0f);
    push.weight = 0.0f;
    ACCEPT(dunlin_world_set_behaviour(world, 0, &push, &refusal));
    world_run(world, 1);
    view = dunlin_world_view(world, 0);
    assert_true(view.velocity[0][1] == 4.0f && view.velocity[0][2] == 1.0f); /* below min_speed, max_speed is both */
}

/* ---- they go where the agent goes --------------------------------------------------------------------------------------- */

TEST_EACH(test_values_stay_with_their_agents, v, 0, world_variant_count()) {
    enum { SORTED = TEST_AGENTS(3000) };
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_of(&def, 5.0f, SORTED);
    const int one = add(world, "one", DUNLIN_ROLE_VALUE), two = add(world, "two", DUNLIN_ROLE_VALUE);
    float values[SORTED];
    dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) values[i] = (float)view.id[i];
    ACCEPT(dunlin_world_set_attribute_values(world, 0, one, values, &refusal));
    for (int step = 0; step < 5; step++) {
        world_run(world, 1);
        view = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < view.count; i++)
            assert_true(view.attribute[one][i] == (float)view.id[i] && view.attribute[two][i] == 1.0f);
        assert_null(view.attribute[2]);
    }
}

/* In each step every agent's count grows by one plus the value that the callback read for the same agent. */
static void grow_older(void *user, const dunlin_tile *tile) {
    assert_null(tile->next_attribute[2]);
    for (uint32_t i = 0; i < tile->count; i++) {
        assert_true(tile->next_attribute[0][i] == (user ? tile->attribute[0][i] + 1.0f : tile->attribute[0][i]));
        tile->next_attribute[0][i] += 1.0f;
    }
}

TEST_EACH(test_callbacks_rewrite_values, v, 0, world_variant_count()) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    def.threads = 3;
    dunlin_world *world = world_of(&def, 5.0f, TEST_AGENTS(2000));
    add(world, "age", DUNLIN_ROLE_VALUE);
    add(world, "speed", DUNLIN_ROLE_MAX_SPEED);
    dunlin_behaviour_def old = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    old.custom = grow_older;
    world_add_behaviour(world, &old);
    old.user = world; /* the second sees what the first has made of it */
    world_add_behaviour(world, &old);
    world_run(world, 7);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) assert_true(view.attribute[0][i] == 15.0f && view.attribute[1][i] == 1.0f);
}

/* A value beyond its role's range is clamped, and NaN leaves the old value. */
static void overdo(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        if (tile->step == 0) {
            tile->next_attribute[0][i] = 1e38f;
            tile->next_attribute[1][i] = -5.0f;
            tile->next_attribute[2][i] = NAN;
        } else {
            tile->next_attribute[0][i] = NAN;
            tile->next_attribute[1][i] = 0.5f;
            tile->next_attribute[2][i] = INFINITY;
        }
    }
}

static void overdo_pairs(void *user, const dunlin_packet *packet) {
    (void)user;
    assert_null(packet->next_attribute[3]);
    for (uint32_t k = 0; k < packet->count; k++) {
        assert_true(packet->next_attribute[2][k] == packet->attribute[2][packet->first + k]);
        const uint32_t id = packet->id[packet->first + k];
        packet->next_attribute[0][k] = packet->step == 0 ? 1e38f : NAN;
        packet->next_attribute[1][k] = packet->step == 0 ? -5.0f : 0.5f;
        packet->next_attribute[2][k] = packet->step == 0 ? NAN : id % 2 ? INFINITY : 1e7f;
    }
}

TEST_EACH(test_callbacks_rewrite_any_role_within_its_range, v, 0, 2 * world_variant_count()) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v / 2));
    def.threads = 3;
    dunlin_world *world = world_of(&def, 5.0f, TEST_AGENTS(2000));
    add(world, "own", DUNLIN_ROLE_VALUE);
    add(world, "speed", DUNLIN_ROLE_MAX_SPEED);
    add(world, "mass", DUNLIN_ROLE_MASS);
    dunlin_behaviour_def over = dunlin_behaviour_def_default(world, v % 2 ? DUNLIN_BEHAVIOUR_PAIRS : DUNLIN_BEHAVIOUR_CUSTOM);
    over.custom = overdo;
    over.pairs = (dunlin_pairs){.radius = 5, .callback = overdo_pairs};
    world_add_behaviour(world, &over);
    world_run(world, 1);
    dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++)
        assert_true(view.attribute[0][i] == 1e30f && view.attribute[1][i] == 0 && view.attribute[2][i] == 1);
    world_run(world, 1);
    view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) {
        assert_true(view.attribute[0][i] == 1e30f && view.attribute[1][i] == 0.5f && view.attribute[2][i] == 1e6f);
        assert_true(view.velocity[0][i] == 0 && view.velocity[1][i] == 0); /* the speed that the step began with */
    }
}

/* ---- drawing ----------------------------------------------------------------------------------------------------------- */

TEST(test_values_are_drawn) {
    enum { MANY = 40000 };
    dunlin_world *world = world_of(NULL, 5.0f, MANY);
    dunlin_attribute_def drawn = dunlin_attribute_def_default();
    world_add_drawn(world, 0, "even", DUNLIN_ROLE_VALUE, 2.0f, 4.0f);
    drawn.name = "normal";
    drawn.distribution = DUNLIN_DISTRIBUTION_NORMAL;
    drawn.value = 10.0f;
    drawn.deviation = 2.0f;
    drawn.min_value = 5.0f;
    drawn.max_value = 100.0f;
    world_add_attribute(world, &drawn);
    const dunlin_view view = dunlin_world_view(world, 0);
    double sum[2] = {0}, squares[2] = {0}, both = 0.0;
    uint32_t cut = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        const double even = (double)view.attribute[0][i], normal = (double)view.attribute[1][i];
        assert_true(even >= 2.0 && even <= 4.0 && normal >= 5.0 && normal <= 22.0);
        cut += normal == 5.0;
        sum[0] += even, sum[1] += normal;
        squares[0] += even * even, squares[1] += normal * normal;
        both += (even - 3.0) * (normal - 10.0);
    }
    for (int k = 0; k < 2; k++) sum[k] /= MANY, squares[k] = squares[k] / MANY - sum[k] * sum[k];
    assert_true(fabs(sum[0] - 3.0) < 0.015 && fabs(squares[0] - 1.0 / 3.0) < 0.01);
    assert_true(fabs(sum[1] - 10.0) < 0.06 && fabs(squares[1] - 4.0) < 0.12);
    assert_true(fabs(both / MANY) < 0.05);                 /* independent of each other */
    assert_true(cut > MANY * 0.003 && cut < MANY * 0.010); /* 2.5 deviations below: 0.6 % */
}

/* fmaxf() may choose either of two zeros, and on another machine the other. */
TEST(test_the_sign_of_zero_is_that_of_the_end) {
    dunlin_world *world = world_of(NULL, 5.0f, 100);
    dunlin_attribute_def drawn = dunlin_attribute_def_default();
    drawn.name = "zero";
    drawn.distribution = DUNLIN_DISTRIBUTION_NORMAL;
    drawn.value = -0.0f;
    world_add_attribute(world, &drawn);
    for (uint32_t i = 0; i < 100; i++) assert_false(signbit(dunlin_world_view(world, 0).attribute[0][i]));
}

/* 1e30f is above 1e30. */
TEST(test_a_range_includes_its_ends) {
    dunlin_world *world = world_of(NULL, 5.0f, 10);
    dunlin_attribute_def drawn = dunlin_attribute_def_default();
    drawn.name = "same";
    drawn.value = -1e30f;
    world_add_attribute(world, &drawn);
    drawn.name = "normal";
    drawn.distribution = DUNLIN_DISTRIBUTION_NORMAL;
    drawn.value = drawn.max_value = drawn.deviation = 1e30f;
    drawn.min_value = -1e30f;
    world_add_attribute(world, &drawn);
    drawn.value = 2e30f;
    drawn.name = "greater";
    REFUSE(dunlin_world_add_attribute(world, &drawn, NULL, &refusal), DUNLIN_ERROR_VALUE, "2e+30", "at most 1e+30");
}

/* A newborn agent draws the values that it would have drawn at the start, or has the values that it is given. */
TEST(test_newborn_agents_draw_or_are_given_values) {
    dunlin_world *before = world_without_agents(NULL, 5.0f), *after = world_of(NULL, 5.0f, 100);
    world_add_drawn(before, 0, "even", DUNLIN_ROLE_VALUE, 0, 1);
    world_add_drawn(after, 0, "even", DUNLIN_ROLE_VALUE, 0, 1);
    world_scatter(before, 0, 100);
    assert_memory_equal(dunlin_world_view(before, 0).attribute[0], dunlin_world_view(after, 0).attribute[0],
                        100 * sizeof(float));

    const float x[] = {1, 2}, v[] = {0, 0}, own[] = {0.25f, 7.0f}, wrong[] = {1.0f, NAN};
    dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = 2, .position = {x, x}, .velocity = {v, v}, .attribute = {own}};
    ACCEPT(dunlin_world_spawn(before, 0, &batch, NULL, &refusal));
    const dunlin_view view = dunlin_world_view(before, 0);
    assert_true(view.count == 102 && view.attribute[0][100] == 0.25f && view.attribute[0][101] == 7.0f);
    batch.attribute[0] = wrong;
    REFUSE(dunlin_world_spawn(before, 0, &batch, NULL, &refusal), DUNLIN_ERROR_VALUE, "agent 1", "even", "nan");
    assert_int_equal(dunlin_world_agent_count(before), 102);
}

/* ---- they are part of the state ------------------------------------------------------------------------------------------ */

TEST(test_the_hash_covers_attributes) {
    dunlin_world *world = world_of(NULL, 5.0f, 10);
    const uint64_t without = dunlin_world_state_hash(world);
    const int one = add(world, "one", DUNLIN_ROLE_VALUE);
    const uint64_t with = dunlin_world_state_hash(world);
    ACCEPT(dunlin_world_set_attribute_values(world, 0, one, (const float[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, &refusal));
    assert_true(without != with && with != dunlin_world_state_hash(world));
}

static const char *state_path(void) {
    static char path[64];
    snprintf(path, sizeof path, "attributes_%ld.csv", (long)getpid());
    return path;
}

/* Two species, of which one has "energy" and "speed", the other "energy" and a name of its own. */
static dunlin_world *two_species(void) {
    dunlin_world *world = world_without_agents(NULL, 5.0f);
    world_add_named(world, "others");
    for (int species = 0; species < 2; species++) world_add_drawn(world, species, "energy", DUNLIN_ROLE_VALUE, 0.1f, 1);
    world_add_drawn(world, 0, "speed", DUNLIN_ROLE_MAX_SPEED, 0.1f, 1);
    world_add_drawn(world, 1, "shyness", DUNLIN_ROLE_VALUE, 0.1f, 1);
    return world;
}

TEST(test_wrong_files_are_refused) {
    static const struct {
        const char *text, *word;
    } cases[] = {
        {"id,species,x,y,vx,vy,energy,speed\n0,agents,1,1,0,0,,1\n", ":2: energy ''"},
        {"id,species,x,y,vx,vy,energy,speed\n0,agents,1,1,0,0,1,-1\n", ":2: speed"},
        {"id,species,x,y,vx,vy,energy,speed\n0,others,1,1,0,0,1,3\n", ":2: speed '3'"},
        {"id,species,x,y,vx,vy,energy\n0,agents,1,1,0,0,inf\n", ":2: energy 'inf'"},
        {"id,species,x,y,vx,vy,energy,energy\n0,agents,1,1,0,0,1,1\n", ":1: column 'energy'"},
        {"id,species,x,y,vx,vy,hunger\n0,agents,1,1,0,0,1\n", ":1: column 'hunger'"},
    };
    dunlin_world *world = two_species();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(state_path(), cases[i].text);
        REFUSE(dunlin_world_load(world, state_path(), &refusal), DUNLIN_ERROR_FILE, cases[i].word);
        assert_int_equal(dunlin_world_agent_count(world), 0);
    }
    write_file(state_path(), "id,species,x,y,vx,vy,shyness\n0,others,1,1,0,0,3\n1,agents,1,1,0,0,\n");
    ACCEPT(dunlin_world_load(world, state_path(), &refusal)); /* what the file leaves out is drawn */
    assert_true(dunlin_world_view(world, 1).attribute[1][0] == 3.0f && dunlin_world_view(world, 1).attribute[0][0] >= 0.1f);
    assert_true(dunlin_world_view(world, 0).attribute[1][0] >= 0.1f);
    world_destroy(world);
    remove(state_path());
}

/* ---- mistakes ------------------------------------------------------------------------------------------------------------ */

TEST(test_definitions_are_checked) {
    dunlin_world *world = world_of(NULL, 5.0f, 10);
    world_add_named(world, "others");
    dunlin_behaviour_def behaviour = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    behaviour.species = 1;
    world_add_behaviour(world, &behaviour);
    behaviour = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    behaviour.custom = grow_older;
    world_add_behaviour(world, &behaviour);
    add(world, "speed", DUNLIN_ROLE_MAX_SPEED);
#define WRONG(word, ...)                                                                                                       \
    do {                                                                                                                       \
        dunlin_attribute_def def = dunlin_attribute_def_default();                                                             \
        def.name = "mine";                                                                                                     \
        __VA_ARGS__;                                                                                                           \
        REFUSE(dunlin_world_add_attribute(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, word);                             \
    } while (0)
    WRONG("attribute.species is 2", def.species = 2);
    WRONG("attribute.name is NULL: set it", def.name = NULL);
    WRONG("attribute.name is 'a,b'", def.name = "a,b");
    WRONG("column", def.name = "vx");
    WRONG("already", def.name = "speed");
    WRONG("attribute.behaviour is 2", (def.role = DUNLIN_ROLE_BEHAVIOUR_WEIGHT, def.behaviour = 2));
    WRONG("species 1, not 0", def.role = DUNLIN_ROLE_BEHAVIOUR_WEIGHT);
    WRONG("no weight", (def.role = DUNLIN_ROLE_BEHAVIOUR_WEIGHT, def.behaviour = 1));
    WRONG("attribute.value is 0", (def.role = DUNLIN_ROLE_MASS, def.value = 0));
    WRONG("attribute.value is 1.5", (def.role = DUNLIN_ROLE_RADIUS_SCALE, def.value = 1.5f));
    WRONG("attribute.max_value is 3", (def.role = DUNLIN_ROLE_COHESION_RADIUS_SCALE, def.max_scale = 2, def.max_value = 3,
                                       def.distribution = DUNLIN_DISTRIBUTION_EVEN, def.min_value = 1));
    WRONG("attribute.max_scale is 0.5", def.max_scale = 0.5f);
    WRONG("attribute.max_scale is 1001", def.max_scale = 1001);
    WRONG("attribute.value is nan", def.value = NAN);
    WRONG("attribute.deviation is -1", (def.distribution = DUNLIN_DISTRIBUTION_NORMAL, def.deviation = -1));
    WRONG("attribute.min_value is inf", (def.distribution = DUNLIN_DISTRIBUTION_EVEN, def.min_value = INFINITY));
    WRONG("attribute.max_value is 1: it must be at least 2", (def.distribution = DUNLIN_DISTRIBUTION_EVEN, def.min_value = 2));
#undef WRONG
    const float wrong[10] = {1, 1, 1, -1};
    REFUSE(dunlin_world_set_attribute_values(world, 0, 0, wrong, &refusal), DUNLIN_ERROR_VALUE, "agent 3", "speed is -1");
    REFUSE(dunlin_world_set_attribute_values(world, 2, 0, wrong, &refusal), DUNLIN_ERROR_VALUE, "species");
    REFUSE(dunlin_world_set_attribute_values(world, 0, 0, NULL, &refusal), DUNLIN_ERROR_VALUE, "NULL");
    assert_true(dunlin_world_view(world, 0).attribute[0][3] == 1.0f);

    assert_int_equal(dunlin_world_attribute_count(world, 0), 1);
    assert_int_equal(dunlin_world_attribute_count(world, 7), 0);
    assert_string_equal(dunlin_world_get_attribute(world, 0, 0).name, "speed");
    assert_null(dunlin_world_get_attribute(world, 0, 1).name);
    assert_int_equal(dunlin_world_find_attribute(world, 0, "speed"), 0);
    assert_int_equal(dunlin_world_find_attribute(world, 1, "speed"), -1);
    assert_int_equal(dunlin_world_find_attribute(world, 0, NULL), -1);
    for (char name[] = "a"; name[0] < 'h'; name[0]++) add(world, name, DUNLIN_ROLE_VALUE);
    dunlin_attribute_def one_more = dunlin_attribute_def_default();
    one_more.name = "z1";
    REFUSE(dunlin_world_add_attribute(world, &one_more, NULL, &refusal), DUNLIN_ERROR_VALUE, "8 attributes already");
}

static void ignore_pairs(void *user, const dunlin_packet *packet) {
    (void)user, (void)packet;
}

/* The weights would be ignored. */
TEST(test_a_behaviour_with_weights_stays_with_its_species) {
    dunlin_world *world = world_of(NULL, 5.0f, 10);
    world_add_named(world, "others");
    for (int s = 0; s < 2; s++) {
        dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
        dunlin_attribute_def zeal = dunlin_attribute_def_default();
        seek.species = zeal.species = zeal.behaviour = s;
        zeal.name = "zeal";
        zeal.role = DUNLIN_ROLE_BEHAVIOUR_WEIGHT;
        world_add_behaviour(world, &seek);
        ACCEPT(dunlin_world_set_behaviour(world, s, &seek, &refusal));
        world_add_attribute(world, &zeal);
        seek.species = 1 - s;
        REFUSE(dunlin_world_set_behaviour(world, s, &seek, &refusal), DUNLIN_ERROR_VALUE,
               s ? "behaviour.species is 0: it must stay 1" : "behaviour.species is 1: it must stay 0", "'zeal'");
        dunlin_behaviour_def custom = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
        custom.species = s;
        custom.custom = grow_older;
        REFUSE(dunlin_world_set_behaviour(world, s, &custom, &refusal), DUNLIN_ERROR_VALUE, "behaviour.kind",
               "no weight: attribute 'zeal'");
        dunlin_behaviour_def pairs = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
        pairs.species = s;
        pairs.pairs.callback = ignore_pairs;
        REFUSE(dunlin_world_set_behaviour(world, s, &pairs, &refusal), DUNLIN_ERROR_VALUE, "behaviour.kind",
               "no weight: attribute 'zeal'");
        assert_int_equal(dunlin_world_get_behaviour(world, s).species, s);
        assert_int_equal(dunlin_world_get_behaviour(world, s).kind, DUNLIN_BEHAVIOUR_SEEK);
        dunlin_behaviour_def flee = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLEE);
        flee.species = s;
        ACCEPT(dunlin_world_set_behaviour(world, s, &flee, &refusal));
    }
}

/* ---- groups ----------------------------------------------------------------------------------------------------------- */

enum { GROUPS = 7 };

static dunlin_world *world_in_groups(dunlin_distribution distribution) {
    dunlin_world *world = world_without_agents(NULL, 5.0f);
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.groups = GROUPS;
    ACCEPT(dunlin_world_set_species(world, 0, &species, &refusal));
    dunlin_attribute_def group = world_attribute(0, "group", DUNLIN_ROLE_GROUP);
    group.distribution = distribution;
    group.value = 3.0f;
    group.deviation = 2.0f;
    group.max_value = GROUPS - 1;
    world_add_attribute(world, &group);
    return world;
}

TEST_EACH(test_groups_are_drawn_whole_and_evenly, d, 0, DUNLIN_DISTRIBUTION_IN_TURN + 1) {
    dunlin_world *world = world_in_groups((dunlin_distribution)d);
    world_scatter(world, 0, 7000);
    uint32_t members[GROUPS] = {0};
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++) {
        const float group = view.attribute[0][i];
        assert_true(group >= 0.0f && group < GROUPS && group == floorf(group));
        if (d == DUNLIN_DISTRIBUTION_IN_TURN) assert_true(group == (float)(view.id[i] % GROUPS));
        members[(int)group]++;
    }
    for (int g = 0; g < GROUPS; g++) {
        if (d == DUNLIN_DISTRIBUTION_SAME) assert_int_equal(members[g], g == 3 ? 7000 : 0);
        if (d == DUNLIN_DISTRIBUTION_EVEN) assert_in_range(members[g], 880, 1120); /* four deviations */
        if (d == DUNLIN_DISTRIBUTION_IN_TURN) assert_int_equal(members[g], 1000);
    }
}

/* Members start around one place and run alike; groups do not. */
TEST(test_groups_start_together) {
    dunlin_world *world = world_in_groups(DUNLIN_DISTRIBUTION_IN_TURN);
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = 700;
    scatter.group_radius = 2.0f;
    ACCEPT(dunlin_world_scatter(world, 0, &scatter, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    double farthest = 0.0;
    for (uint32_t i = 0; i < view.count; i++) {
        const uint32_t first = view.id[i] % GROUPS, next = (first + 1) % GROUPS;
        const double far = hypot((double)(view.position[0][i] - view.position[0][first]),
                                 (double)(view.position[1][i] - view.position[1][first]));
        assert_true(far <= 4.0 + 1e-5);
        farthest = fmax(farthest, far);
        assert_true(view.velocity[0][i] == view.velocity[0][first] && view.velocity[0][i] != view.velocity[0][next]);
        for (int a = 0; a < 2; a++) assert_true(view.position[a][i] >= 0.0f && view.position[a][i] <= 100.0f);
    }
    assert_true(farthest > 2.0);
    scatter.group_radius = -1.0f;
    REFUSE(dunlin_world_scatter(world, 0, &scatter, &refusal), DUNLIN_ERROR_VALUE, "scatter.group_radius is -1");
    world_destroy(world);
    world = world_without_agents(NULL, 5.0f);
    scatter.group_radius = 1.0f;
    REFUSE(dunlin_world_scatter(world, 0, &scatter, &refusal), DUNLIN_ERROR_VALUE, "scatter.group_radius is 1", "no attribute");
}

TEST(test_groups_are_checked) {
    dunlin_world *world = world_in_groups(DUNLIN_DISTRIBUTION_IN_TURN);
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.groups = GROUPS - 1;
    REFUSE(dunlin_world_set_species(world, 0, &species, &refusal), DUNLIN_ERROR_VALUE, "species.groups is 6", "at least 7");
    species.groups = DUNLIN_MAX_GROUPS + 1;
    REFUSE(dunlin_world_set_species(world, 0, &species, &refusal), DUNLIN_ERROR_VALUE, "species.groups is 1048577");
    world_scatter(world, 0, 2);
    const float wrong[2] = {0.0f, 0.5f}, high[2] = {0.0f, GROUPS}, fits[2] = {0.0f, GROUPS - 1};
    REFUSE(dunlin_world_set_attribute_values(world, 0, 0, wrong, &refusal), DUNLIN_ERROR_VALUE, "agent 1", "whole number");
    REFUSE(dunlin_world_set_attribute_values(world, 0, 0, high, &refusal), DUNLIN_ERROR_VALUE, "agent 1", "at most 6");
    ACCEPT(dunlin_world_set_attribute_values(world, 0, 0, fits, &refusal));
    dunlin_attribute_def group = dunlin_world_get_attribute(world, 0, 0);
    group.max_value = 2.0f;
    ACCEPT(dunlin_world_set_attribute(world, 0, 0, &group, &refusal));
    species.groups = 5;
    REFUSE(dunlin_world_set_species(world, 0, &species, &refusal), DUNLIN_ERROR_VALUE, "species.groups is 5", "at least 7");
    species.groups = 0;
    ACCEPT(dunlin_world_remove_attribute(world, 0, 0, &refusal));
    ACCEPT(dunlin_world_set_species(world, 0, &species, &refusal));
    REFUSE(dunlin_world_add_attribute(world, &group, NULL, &refusal), DUNLIN_ERROR_VALUE, "no groups");
}
