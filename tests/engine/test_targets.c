/* SPDX-License-Identifier: MIT */
/*
 * Targets among an agent's neighbours, and the clear view: worked out by hand, against an oracle, and the same however they
 * are computed.
 */
#include "tests/lib/scene.h"

/* Agent 0 in the middle moves along x and looks 10 far. All of u - v is allowed, so its velocity becomes u, of length 5. */
static scene looking(int dimensions, dunlin_behaviour_kind kind, dunlin_target_kind target) {
    scene s = scene_empty(dimensions);
    s.species.max_speed = 5;
    scene_add(&s, 50, 50, 50, 1, 0, 0);
    dunlin_behaviour_def *def = scene_behave(&s, kind);
    def->target.kind = target;
    def->radius = 10;
    return s;
}

static uint32_t place(scene *s, float x, float y, float z) {
    return scene_rest(s, 50 + x, 50 + y, 50 + z);
}

/* ---- the nearest ------------------------------------------------------------------------------------------------------- */

TEST(the_nearest_of_several_is_sought) {
    scene s = looking(2, DUNLIN_BEHAVIOUR_SEEK, DUNLIN_TARGET_NEAREST);
    place(&s, 6, 0, 0);
    place(&s, -3, 4, 0);
    place(&s, 0, 5.5f, 0);
    scene_expect_velocity(&s, 0, -3, 4, 0);
    s.behaviour[0].kind = DUNLIN_BEHAVIOUR_FLEE;
    scene_expect_velocity(&s, 0, 3, -4, 0);
    s.behaviour[0].kind = DUNLIN_BEHAVIOUR_ARRIVE;
    s.behaviour[0].slowing_radius = 10;
    scene_expect_velocity(&s, 0, -1.5, 2, 0);
}

TEST(the_minimum_id_of_equally_near_agents_is_sought) {
    scene s = looking(2, DUNLIN_BEHAVIOUR_SEEK, DUNLIN_TARGET_NEAREST);
    place(&s, 0, -5, 0);
    place(&s, -4, -3, 0);
    place(&s, -5, 0, 0);
    scene_expect_velocity(&s, 0, 0, -5, 0);
    s.position[1][0] = 99; /* the first is now out of range */
    scene_expect_velocity(&s, 0, -4, -3, 0);
    s.position[2][0] = 99;
    scene_expect_velocity(&s, 0, -5, 0, 0);
}

TEST(the_nearest_may_be_at_the_same_place) {
    scene s = looking(2, DUNLIN_BEHAVIOUR_SEEK, DUNLIN_TARGET_NEAREST);
    place(&s, 3, 4, 0);
    place(&s, 0, 0, 0); /* the nearest, with no direction to it */
    scene_expect_velocity(&s, 0, 1, 0, 0);
    s.behaviour[0].kind = DUNLIN_BEHAVIOUR_ARRIVE;
    scene_expect_velocity(&s, 0, 0, 0, 0);
}

/* In 10 the nearest will be at Δ = (3, 4); evading it turns away from there. */
TEST(the_nearest_is_pursued) {
    scene s = looking(2, DUNLIN_BEHAVIOUR_PURSUE, DUNLIN_TARGET_NEAREST);
    scene_add(&s, 58, 50, 0, -0.5f, 0.4f, 0);
    place(&s, -9, 0, 0);
    scene_expect_velocity(&s, 0, 3, 4, 0);
    s.behaviour[0].kind = DUNLIN_BEHAVIOUR_EVADE;
    scene_expect_velocity(&s, 0, -3, -4, 0);
}

/* ---- the centre -------------------------------------------------------------------------------------------------------- */

TEST(the_mean_position_of_seen_agents_is_sought) {
    scene s = looking(2, DUNLIN_BEHAVIOUR_SEEK, DUNLIN_TARGET_CENTRE);
    scene_expect_velocity(&s, 0, 1, 0, 0);
    place(&s, 6, 0, 0);
    place(&s, 0, 8, 0);
    place(&s, 40, 0, 0);
    scene_expect_velocity(&s, 0, 3, 4, 0);
    s.behaviour[0].kind = DUNLIN_BEHAVIOUR_ARRIVE;
    s.behaviour[0].slowing_radius = 10; /* it is 5 away */
    scene_expect_velocity(&s, 0, 1.5, 2, 0);
    s.behaviour[0].kind = DUNLIN_BEHAVIOUR_PURSUE;
    s.velocity[1][0] = 1.2f; /* the mean is (0.6, -0.8): in 10 at (9, -4) */
    s.velocity[2][1] = -1.6f;
    const double length = sqrt(81 + 16);
    scene_expect_velocity(&s, 0, 45 / length, -20 / length, 0);
}

/* ---- the view ---------------------------------------------------------------------------------------------------------- */

TEST(agents_move_aside_for_a_clear_view) {
    scene s = looking(2, DUNLIN_BEHAVIOUR_SIDESTEP, DUNLIN_TARGET_POINT);
    scene_expect_velocity(&s, 0, 1, 0, 0); /* no agent does */
    place(&s, 4, 1, 0);
    scene_expect_velocity(&s, 0, 0, -5, 0);
    place(&s, 4, -3, 0);
    scene_expect_velocity(&s, 0, 0, 5, 0);
    s.position[1][0] = 45; /* behind */
    s.position[2][1] = 45; /* more than an eighth of a turn to the side */
    scene_expect_velocity(&s, 0, 1, 0, 0);
    s.behaviour[0].sidestep.half_angle = 1;
    scene_expect_velocity(&s, 0, 0, 5, 0);
    s.behaviour[0].radius = 6; /* it is 6.4 away */
    scene_expect_velocity(&s, 0, 1, 0, 0);
}

/* Turned by 3 : 4, to the right of (3, 4) is (4, -3). */
TEST(an_agent_passes_one_straight_ahead_on_the_right) {
    scene s = looking(2, DUNLIN_BEHAVIOUR_SIDESTEP, DUNLIN_TARGET_POINT);
    place(&s, 4, 0, 0);
    scene_expect_velocity(&s, 0, 0, -5, 0);
    s.position[1][1] = 50 - 0x1p-12f; /* hardly to the right */
    scene_expect_velocity(&s, 0, 0, -5, 0);
    s.position[1][1] = 50 - 0x1p-10f;
    scene_expect_velocity(&s, 0, 0, 5, 0);
    s.position[1][0] = 53;
    s.position[1][1] = 54;
    s.velocity[0][0] = 0.3f;
    s.velocity[0][1] = 0.4f;
    scene_expect_velocity(&s, 0, 4, -3, 0);
    s.behaviour[0].sidestep.half_angle = 1; /* as much to the left as to the right: together 14 straight ahead */
    s.position[1][0] = 50 + 3 - 4;
    s.position[1][1] = 50 + 4 + 3;
    place(&s, 3 + 4, 4 - 3, 0);
    scene_expect_velocity(&s, 0, 4, -3, 0);
}

TEST(at_rest_no_agent_blocks_the_view) {
    scene s = looking(2, DUNLIN_BEHAVIOUR_SIDESTEP, DUNLIN_TARGET_POINT);
    place(&s, 4, 1, 0);
    s.velocity[0][0] = 0;
    scene_expect_velocity(&s, 0, 0, 0, 0);
    s.velocity[0][0] = 1;
    s.position[1][0] = s.position[1][1] = 50; /* nor is an agent at the same place */
    scene_expect_velocity(&s, 0, 1, 0, 0);
}

/* ---- against an oracle ------------------------------------------------------------------------------------------------- */

enum { MANY = 420, SOME = 20, STEPS = 3 }; /* so many more that the other species counts as few */

typedef struct trial {
    dunlin_behaviour_kind kind; /* SEEK or VIEW */
    dunlin_target_kind target;
    int dimensions;
    dunlin_boundary boundary;
    int observer, observed; /* 0: the many, 1: the few */
} trial;

static const float sight_radius = 9, side = 40;

/* Each species sees its own kind within 2, which sets the size of the cells. */
static dunlin_world *crowd(const trial *t, world_variant variant, int threads) {
    static const char *const names[] = {"many", "few"};
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    def.dimensions = t->dimensions;
    def.boundary = t->boundary;
    def.threads = threads;
    for (int a = 0; a < 3; a++) def.size[a] = side;
    dunlin_world *world = world_create(&def);
    for (int species = 0; species < 2; species++) {
        dunlin_species_def made = dunlin_species_def_default();
        made.name = names[species];
        made.max_speed = 3;
        made.max_force = 1e6f;
        world_add_species(world, &made);
        dunlin_interaction_def rules = world_interaction(species, species);
        rules.rules[DUNLIN_RULE_SEPARATION].radius = 2;
        rules.rules[DUNLIN_RULE_SEPARATION].weight = 0;
        world_add_interaction(world, &rules);
        dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
        scatter.count = species == 0 ? MANY : SOME;
        scatter.min_speed = scatter.max_speed = 2;
        ACCEPT(dunlin_world_scatter(world, species, &scatter, &refusal));
    }
    dunlin_behaviour_def look = dunlin_behaviour_def_default(world, t->kind);
    look.species = t->observer;
    look.radius = sight_radius;
    look.target.kind = t->target;
    look.target.species = look.sidestep.observed = t->observed;
    world_add_behaviour(world, &look);
    return world;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void to_length(double v[3], double length) {
    const double scale = length / sqrt(dot(v, v));
    for (int a = 0; a < 3; a++) v[a] *= scale;
}

static void offset_between(const trial *t, const dunlin_view *from, uint32_t i, const dunlin_view *to, uint32_t j,
                           double offset[3]) {
    for (int a = 0; a < t->dimensions; a++) {
        offset[a] = (double)to->position[a][j] - (double)from->position[a][i];
        if (t->boundary == DUNLIN_BOUNDARY_PERIODIC) offset[a] -= (double)side * round(offset[a] / (double)side);
    }
}

/* The velocity after a step. false: rounding may decide otherwise. */
static bool oracle(const trial *t, const dunlin_view *own, uint32_t i, const dunlin_view *others, double want[3]) {
    double heading[3] = {0}, sum[3] = {0}, nearest = HUGE_VAL;
    for (int a = 0; a < t->dimensions; a++) heading[a] = want[a] = (double)own->velocity[a][i];
    to_length(heading, 1);
    bool sure = true;
    uint32_t seen = 0;
    for (uint32_t j = 0; j < others->count; j++) {
        double offset[3] = {0};
        if (others->id[j] == own->id[i]) continue;
        offset_between(t, own, i, others, j, offset);
        const double d = sqrt(dot(offset, offset)), angle = acos(fmax(fmin(dot(offset, heading) / d, 1), -1));
        sure = sure && fabs(d - (double)sight_radius) > 1e-4;
        if (d > (double)sight_radius) continue;
        if (t->kind == DUNLIN_BEHAVIOUR_SIDESTEP) sure = sure && fabs(angle - atan(1)) > 1e-4;
        if (t->kind == DUNLIN_BEHAVIOUR_SIDESTEP && angle > atan(1)) continue;
        seen++;
        if (t->target == DUNLIN_TARGET_NEAREST) {
            sure = sure && fabs(d - nearest) > 1e-4;
            if (d > nearest) continue;
            nearest = d;
            memset(sum, 0, sizeof sum);
        }
        for (int a = 0; a < 3; a++) sum[a] += offset[a];
    }
    if (seen == 0) return sure;
    const double ahead = dot(sum, heading);
    for (int a = 0; a < 3 && t->kind == DUNLIN_BEHAVIOUR_SIDESTEP; a++) sum[a] = ahead * heading[a] - sum[a];
    if (dot(sum, sum) < 1e-4) return false;
    to_length(sum, 3);
    memcpy(want, sum, sizeof sum);
    return sure;
}

/* How many agents were compared. */
static uint32_t compare(const trial *t, world_variant variant, int threads, uint64_t *hash) {
    dunlin_world *world = crowd(t, variant, threads), *before = crowd(t, variant, 1);
    world_run(world, 1);
    const dunlin_view own = dunlin_world_view(before, t->observer), others = dunlin_world_view(before, t->observed);
    uint32_t compared = 0;
    for (uint32_t i = 0; i < own.count; i++) {
        double want[3] = {0};
        if (!oracle(t, &own, i, &others, want)) continue;
        const dunlin_view got = dunlin_world_view(world, t->observer);
        const uint32_t slot = dunlin_world_find_agent(world, own.id[i]).index;
        for (int a = 0; a < t->dimensions; a++) {
            if (fabs((double)got.velocity[a][slot] - want[a]) < 2e-3) continue;
            fail_msg(
                "kind %d, target %d, %dD, boundary %d, %d looks at %d: agent %u is %g instead of %g fast along %c (%s, %s, %d)",
                (int)t->kind, (int)t->target, t->dimensions, (int)t->boundary, t->observer, t->observed, own.id[i],
                (double)got.velocity[a][slot], want[a], "xyz"[a], variant.kernel, variant.index, threads);
        }
        compared++;
    }
    world_run(world, STEPS);
    assert_true(dunlin_world_stats(world).pairs_useful > 0);
    *hash = dunlin_world_state_hash(world);
    world_destroy(world);
    world_destroy(before);
    return compared;
}

/* All forces equal the oracle's, with the same bits for every kernel and number of threads. */
static void check(const trial *t) {
    static const int threads[] = TEST_THREADS(1, 4);
    uint64_t want[WORLD_INDEXES] = {0};
    for (int v = 0; v < world_variant_count(); v++) {
        const world_variant variant = world_variant_at(v);
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            uint64_t hash;
            const uint32_t agents = t->observer == 0 ? MANY : SOME;
            assert_true(compare(t, variant, threads[i], &hash) > agents / 2);
            uint64_t *const first = &want[v % WORLD_INDEXES];
            if (*first == 0) *first = hash;
            if (hash != *first) fail_msg("%s, %s, %d threads: other bits", variant.kernel, variant.index, threads[i]);
        }
    }
}

TEST(crowds_move_as_an_oracle_computes) {
    static const struct {
        dunlin_behaviour_kind kind;
        dunlin_target_kind target;
    } looks[] = {{DUNLIN_BEHAVIOUR_SEEK, DUNLIN_TARGET_NEAREST},
                 {DUNLIN_BEHAVIOUR_SEEK, DUNLIN_TARGET_CENTRE},
                 {DUNLIN_BEHAVIOUR_SIDESTEP, DUNLIN_TARGET_POINT}};
    static const int pairs[][2] = {{0, 0}, {0, 1}, {1, 0}};
    for (int look = 0; look < 3; look++)
        for (int pair = 0; pair < 3; pair++)
            for (int dimensions = 2; dimensions <= 3; dimensions++) {
                const dunlin_boundary boundary = pair == 2         ? DUNLIN_BOUNDARY_OPEN
                                                 : dimensions == 2 ? DUNLIN_BOUNDARY_PERIODIC
                                                                   : DUNLIN_BOUNDARY_TELEPORT;
                check(&(trial){looks[look].kind, looks[look].target, dimensions, boundary, pairs[pair][0], pairs[pair][1]});
                if (pair == 1)
                    check(&(trial){looks[look].kind, looks[look].target, dimensions, DUNLIN_BOUNDARY_PERIODIC, 0, 1});
            }
}

/* ---- changing ---------------------------------------------------------------------------------------------------------- */

/* From and to targets among observed agents: cells follow, and memory for them. */
TEST_EACH(targets_can_be_changed, v, 0, world_variant_count()) {
    const trial t = {DUNLIN_BEHAVIOUR_SEEK, DUNLIN_TARGET_NEAREST, 2, DUNLIN_BOUNDARY_PERIODIC, 0, 0};
    dunlin_world *world = crowd(&t, world_variant_at(v), 1);
    dunlin_behaviour_def look = dunlin_world_get_behaviour(world, 0), push = look, view = look, point = look;
    assert_true(look.target.kind == DUNLIN_TARGET_NEAREST && look.radius == sight_radius);
    push.kind = DUNLIN_BEHAVIOUR_FORCE;
    view.kind = DUNLIN_BEHAVIOUR_SIDESTEP;
    point.target.kind = DUNLIN_TARGET_POINT;
    const dunlin_behaviour_def kinds[] = {push, look, view, point, look, push};
    for (int k = 0; k < 6; k++) {
        ACCEPT(dunlin_world_set_behaviour(world, 0, &kinds[k], &refusal));
        assert_true(dunlin_world_get_behaviour(world, 0).kind == kinds[k].kind);
        world_run(world, 2);
        const bool looks = k == 1 || k == 2 || k == 4;
        const dunlin_metrics metrics = world_measure(world, 0);
        assert_true(metrics.neighbour_radius == (double)(looks ? sight_radius : 2.0f));
    }
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

TEST(mistakes_are_refused) {
    dunlin_world *world = world_of(NULL, 1, 10);
    for (int kind = DUNLIN_TARGET_NEAREST; kind <= DUNLIN_TARGET_CENTRE; kind++) {
        dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
        def.target.kind = (dunlin_target_kind)kind;
        REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.radius is inf", "1e+09");
        def.radius = 0;
        REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.radius is 0", "1e-09");
        def.radius = 1;
        def.target.species = 1;
        REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.target.species is 1");
        def.target.species = -1;
        REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.target.species is -1");
    }
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SIDESTEP);
    def.radius = INFINITY;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.radius is inf");
    def.radius = 1;
    def.sidestep.observed = 1;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.sidestep.observed is 1");
    def.sidestep.observed = 0;
    def.sidestep.half_angle = 0;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.sidestep.half_angle is 0",
           "above 0");
    def.sidestep.half_angle = 3.2f;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.sidestep.half_angle is 3.2");
    assert_int_equal(dunlin_world_behaviour_count(world), 0);
}
