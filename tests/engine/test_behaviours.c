/* SPDX-License-Identifier: MIT */
/* Single steps of behaviours, worked out by hand. */
#include "tests/lib/scene.h"

/* One agent at (10, 10) with velocity (1, 0) and a maximum speed of 5; no other limits. */
static scene lone(void) {
    scene s = scene_empty(2);
    s.species.max_speed = 5;
    scene_add(&s, 10, 10, 0, 1, 0, 0);
    return s;
}

static dunlin_behaviour_def *aim(scene *s, dunlin_behaviour_kind kind, float x, float y) {
    dunlin_behaviour_def *def = scene_behave(s, kind);
    def->target.position[0] = x;
    def->target.position[1] = y;
    return def;
}

/* ---- seek, flee ------------------------------------------------------------------------------------------------------- */

/* Δ = (30, 40), d = 50: u = (3, 4). All of u - v is allowed, so v becomes u. */
TEST(seek_turns_to_the_target_at_full_speed) {
    scene s = lone();
    dunlin_behaviour_def *seek = aim(&s, DUNLIN_BEHAVIOUR_SEEK, 40, 50);
    scene_expect_velocity(&s, 0, 3, 4, 0);
    scene_expect_position(&s, 0, 13, 14, 0);
    seek->weight = 0.5f; /* half of (2, 4) */
    scene_expect_velocity(&s, 0, 2, 2, 0);
    seek->max_force = 1; /* (2, 4) at length 1, half of it */
    scene_expect_velocity(&s, 0, 1 + 0.5 / sqrt(5), 1 / sqrt(5), 0);
    seek->max_force = -1;
    s.species.max_force = 1;
    scene_expect_velocity(&s, 0, 1 + 0.5 / sqrt(5), 1 / sqrt(5), 0);
}

TEST(seek_in_space) {
    scene s = scene_empty(3);
    s.species.max_speed = 3;
    scene_rest(&s, 10, 10, 10);
    dunlin_behaviour_def *seek = aim(&s, DUNLIN_BEHAVIOUR_SEEK, 11, 12);
    seek->target.position[2] = 12;
    scene_expect_velocity(&s, 0, 1, 2, 2);
}

/* u = -(3, 4), where turning seek's force around gives 1 - (3 - 1) and -(4). */
TEST(flee_is_not_seek_turned_around) {
    scene s = lone();
    dunlin_behaviour_def *flee = aim(&s, DUNLIN_BEHAVIOUR_FLEE, 40, 50);
    scene_expect_velocity(&s, 0, -3, -4, 0);
    flee->kind = DUNLIN_BEHAVIOUR_SEEK;
    flee->negate_force = true;
    scene_expect_velocity(&s, 0, -1, -4, 0);
}

TEST(beyond_the_radius_there_is_no_effect) {
    scene s = lone();
    dunlin_behaviour_def *seek = aim(&s, DUNLIN_BEHAVIOUR_SEEK, 40, 50);
    seek->radius = 50; /* exactly */
    scene_expect_velocity(&s, 0, 3, 4, 0);
    seek->radius = 49.9f;
    scene_expect_velocity(&s, 0, 1, 0, 0);
}

TEST_EACH(at_the_target_there_is_no_direction, k, 0, 4) {
    static const dunlin_behaviour_kind kinds[] = {DUNLIN_BEHAVIOUR_SEEK, DUNLIN_BEHAVIOUR_FLEE, DUNLIN_BEHAVIOUR_PURSUE,
                                                  DUNLIN_BEHAVIOUR_EVADE};
    scene s = lone();
    aim(&s, kinds[k], 10, 10);
    scene_expect_velocity(&s, 0, 1, 0, 0);
}

/* So far away that the square overflows binary32. */
TEST(far_away_there_is_a_direction) {
    scene s = scene_empty(2);
    s.world.boundary = DUNLIN_BOUNDARY_OPEN;
    s.species.max_speed = 5;
    scene_add(&s, -1e25f, 3, 0, 1, 0, 0);
    aim(&s, DUNLIN_BEHAVIOUR_SEEK, 50, 3);
    scene_expect_velocity(&s, 0, 5, 0, 0);
}

/* From (10, 10) to (90, 10) it is 20 to the left, around the edge. */
TEST(the_nearest_image_is_sought) {
    scene s = lone();
    s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    dunlin_behaviour_def *seek = aim(&s, DUNLIN_BEHAVIOUR_SEEK, 90, 10);
    scene_expect_velocity(&s, 0, -5, 0, 0);
    seek->target.position[0] = 190; /* the same place */
    scene_expect_velocity(&s, 0, -5, 0, 0);
    s.world.boundary = DUNLIN_BOUNDARY_TELEPORT;
    scene_expect_velocity(&s, 0, 5, 0, 0);
}

/* ---- arrive ----------------------------------------------------------------------------------------------------------- */

TEST(arrive_slows_down_linearly) {
    scene s = lone();
    dunlin_behaviour_def *arrive = aim(&s, DUNLIN_BEHAVIOUR_ARRIVE, 13, 14); /* 5 away */
    arrive->slowing_radius = 10;
    scene_expect_velocity(&s, 0, 1.5, 2, 0);
    arrive->slowing_radius = 5;
    scene_expect_velocity(&s, 0, 3, 4, 0);
    arrive->slowing_radius = 1;
    scene_expect_velocity(&s, 0, 3, 4, 0);
}

TEST(an_agent_that_has_arrived_stops) {
    scene s = lone();
    aim(&s, DUNLIN_BEHAVIOUR_ARRIVE, 10, 10);
    scene_expect_velocity(&s, 0, 0, 0, 0);
}

/* ---- pursue, evade ---------------------------------------------------------------------------------------------------- */

/* In 10 the target will be at (13, 14), so at Δ = (3, 4). */
TEST(pursue_seeks_where_the_target_will_be) {
    scene s = lone();
    dunlin_behaviour_def *pursue = aim(&s, DUNLIN_BEHAVIOUR_PURSUE, 33, 4);
    pursue->target.velocity[0] = -2;
    pursue->target.velocity[1] = 1;
    scene_expect_velocity(&s, 0, 3, 4, 0);
    pursue->kind = DUNLIN_BEHAVIOUR_EVADE;
    scene_expect_velocity(&s, 0, -3, -4, 0);
}

/* In 10 the target will be here. */
TEST(an_agent_that_will_meet_the_target_runs_on) {
    scene s = lone();
    aim(&s, DUNLIN_BEHAVIOUR_PURSUE, 30, 20)->target.velocity[0] = -2;
    s.behaviour[0].target.velocity[1] = -1;
    scene_expect_velocity(&s, 0, 1, 0, 0);
}

/* d = 6 at speed 1: 6 ahead, where the target will be at Δ = (6 - 3, 4). At most 3 ahead: Δ = (6 - 1.5, 2). */
TEST(prediction_depends_on_distance_and_speed) {
    scene s = lone();
    dunlin_behaviour_def *pursue = aim(&s, DUNLIN_BEHAVIOUR_PURSUE, 16, 10);
    pursue->target.velocity[0] = -0.5f;
    pursue->target.velocity[1] = 4.0f / 6;
    pursue->pursuit.prediction = DUNLIN_PREDICTION_BY_DISTANCE;
    pursue->pursuit.time = 100;
    scene_expect_velocity(&s, 0, 3, 4, 0);
    pursue->pursuit.time = 3;
    const double length = sqrt(4.5 * 4.5 + 2 * 2);
    scene_expect_velocity(&s, 0, 5 * 4.5 / length, 5 * 2 / length, 0);
    s.velocity[0][0] = 0; /* at rest it would never get there, so the prediction is at its maximum */
    scene_expect_velocity(&s, 0, 5 * 4.5 / length, 5 * 2 / length, 0);
}

/* The target moves along (3, 4)/5 and is (30, 40) away. In 10 it will have moved (6, 8); (3, 4) further, the place is (30, 24).
 */
TEST(a_place_ahead_of_the_target_is_sought) {
    scene s = lone();
    dunlin_behaviour_def *pursue = aim(&s, DUNLIN_BEHAVIOUR_PURSUE, 31, 22);
    pursue->target.velocity[0] = 0.6f;
    pursue->target.velocity[1] = 0.8f;
    pursue->pursuit.distance = 5;
    scene_expect_velocity(&s, 0, 5 * 30 / sqrt(30 * 30 + 24 * 24), 5 * 24 / sqrt(30 * 30 + 24 * 24), 0);
    pursue->pursuit.time = 0;
    scene_expect_velocity(&s, 0, 5 * 24 / sqrt(24 * 24 + 16 * 16), 5 * 16 / sqrt(24 * 24 + 16 * 16), 0);
    pursue->target.velocity[0] = pursue->target.velocity[1] = 0; /* it faces nowhere */
    scene_expect_velocity(&s, 0, 5 * 21 / sqrt(21 * 21 + 12 * 12), 5 * 12 / sqrt(21 * 21 + 12 * 12), 0);
}

/* Agent 1 leads and moves straight; agent 0 sees its position before the step. An agent does not pursue itself. */
TEST(an_agent_is_pursued) {
    scene s = lone();
    scene_add(&s, 33, 4, 0, -2, 1, 0);
    dunlin_behaviour_def *pursue = aim(&s, DUNLIN_BEHAVIOUR_PURSUE, 0, 0);
    pursue->target.kind = DUNLIN_TARGET_AGENT;
    pursue->target.agent = 1;
    scene_expect_velocity(&s, 0, 3, 4, 0);
    scene_expect_velocity(&s, 1, -2, 1, 0);
    pursue->target.agent = 7; /* there is none */
    scene_expect_velocity(&s, 0, 1, 0, 0);
}

/* ---- targets that move ------------------------------------------------------------------------------------------------ */

TEST(a_point_moves_after_each_step) {
    scene s = lone();
    s.world.time_step = 0.5f;
    dunlin_world *world = world_create(&s.world);
    world_add_species(world, &s.species);
    dunlin_behaviour_def *seek = aim(&s, DUNLIN_BEHAVIOUR_SEEK, 40, 50);
    seek->target.velocity[0] = 4;
    const int number = world_add_behaviour(world, seek);
    assert_int_equal(number, 0);
    world_run(world, 3);
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[0] == 46);
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[1] == 50);
    world_add_behaviour(world, seek); /* it moves from now on */
    seek->target.velocity[0] = -4;
    ACCEPT(dunlin_world_set_behaviour(world, 0, seek, &refusal));
    world_run(world, 1);
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[0] == 38);
    assert_true(dunlin_world_get_behaviour(world, 1).target.position[0] == 42);
}

TEST(a_point_moves_around_a_periodic_world) {
    scene s = lone();
    s.world.boundary = DUNLIN_BOUNDARY_PERIODIC;
    dunlin_world *world = world_create(&s.world);
    world_add_species(world, &s.species);
    dunlin_behaviour_def *seek = aim(&s, DUNLIN_BEHAVIOUR_SEEK, 1, 50);
    seek->target.velocity[0] = -3;
    world_add_behaviour(world, seek);
    world_run(world, 1);
    assert_true(dunlin_world_get_behaviour(world, 0).target.position[0] == 98);
}

/* ---- contain ---------------------------------------------------------------------------------------------------------- */

TEST(walls_turn_agents_near_them) {
    scene s = lone(); /* at (10, 10), v = (1, 0) */
    dunlin_contain *contain = &scene_behave(&s, DUNLIN_BEHAVIOUR_CONTAIN)->contain;
    contain->margin[0] = 11;
    contain->margin[1] = 5;
    scene_expect_velocity(&s, 0, 5, 0, 0); /* (5, 0) */
    contain->margin[0] = 10;               /* at exactly that distance: no effect */
    scene_expect_velocity(&s, 0, 1, 0, 0);
    contain->margin[0] = contain->margin[1] = 20;
    scene_expect_velocity(&s, 0, 5 / sqrt(2), 5 / sqrt(2), 0); /* (5, 5) */
    contain->corner = DUNLIN_CORNER_LAST;                      /* (1, 5) */
    scene_expect_velocity(&s, 0, 5 / sqrt(26), 25 / sqrt(26), 0);
    contain->margin[1] = -1; /* no wall there */
    scene_expect_velocity(&s, 0, 5, 0, 0);
}

TEST(the_far_walls_turn_back) {
    scene s = scene_empty(3);
    s.species.max_speed = 5;
    scene_add(&s, 50, 50, 95, 3, 0, 0);
    dunlin_contain *contain = &scene_behave(&s, DUNLIN_BEHAVIOUR_CONTAIN)->contain;
    contain->margin[2] = 10;
    scene_expect_velocity(&s, 0, 3 * 5 / sqrt(34), 0, -25 / sqrt(34));
    contain->margin[2] = -1;
    contain->min[0] = 20;
    contain->max[0] = 60;
    contain->margin[0] = 15; /* beyond 45 */
    scene_expect_velocity(&s, 0, -5, 0, 0);
    s.world.boundary = DUNLIN_BOUNDARY_OPEN;
    s.position[0][0] = 500; /* far beyond the world's edge */
    contain->margin[0] = -1;
    scene_expect_velocity(&s, 0, 3, 0, 0);
}

/* ---- forces ----------------------------------------------------------------------------------------------------------- */

TEST(a_force_is_added_as_it_is) {
    scene s = lone();
    s.species.max_force = 0.25f; /* limits what steers */
    dunlin_behaviour_def *gravity = scene_behave(&s, DUNLIN_BEHAVIOUR_FORCE);
    gravity->force[1] = -2;
    scene_expect_velocity(&s, 0, 1, -2, 0);
    gravity->weight = 0.5f;
    scene_expect_velocity(&s, 0, 1, -1, 0);
    gravity->max_force = 1;
    scene_expect_velocity(&s, 0, 1, -0.5, 0);
}

TEST(drag_slows) {
    scene s = scene_empty(3);
    s.species.max_force = 0.25f; /* limits what steers */
    scene_add(&s, 10, 10, 10, 2, 4, 4);
    dunlin_behaviour_def *drag = scene_behave(&s, DUNLIN_BEHAVIOUR_DRAG);
    drag->linear_drag = 0.25f;
    scene_expect_velocity(&s, 0, 1.5, 3, 3);
    drag->quadratic_drag = 0.0625f; /* 0.25 + 6 / 16 */
    scene_expect_velocity(&s, 0, 2 * 0.375, 4 * 0.375, 4 * 0.375);
}

/* From (10, 10) the target is (3, 4) away, so at the minimum distance: 20/5² towards it. */
TEST(a_target_attracts_as_gravity_does) {
    scene s = scene_empty(2);
    s.species.max_force = 0.25f; /* limits what steers */
    scene_rest(&s, 10, 10, 0);
    dunlin_behaviour_def *attract = aim(&s, DUNLIN_BEHAVIOUR_ATTRACT, 13, 14);
    scene_expect_velocity(&s, 0, 0.8 * 0.6, 0.8 * 0.8, 0);
    attract->target.position[0] = 10 + 6; /* (6, 8), 10 away: 20/10² */
    attract->target.position[1] = 10 + 8;
    scene_expect_velocity(&s, 0, 0.2 * 0.6, 0.2 * 0.8, 0);
    attract->target.position[0] = 10 + 0.6f; /* nearer than the minimum distance */
    attract->target.position[1] = 10 + 0.8f;
    scene_expect_velocity(&s, 0, 0.8 * 0.6, 0.8 * 0.8, 0);
    attract->target.position[0] = 10 + 30; /* further than the maximum distance: 20/25² */
    attract->target.position[1] = 10 + 40;
    scene_expect_velocity(&s, 0, 0.032 * 0.6, 0.032 * 0.8, 0);
    attract->attract.strength = -5;
    attract->attract.power = 1;
    attract->weight = 10;
    scene_expect_velocity(&s, 0, -2 * 0.6, -2 * 0.8, 0);
    attract->attract.power = 0;
    attract->max_force = 1;
    scene_expect_velocity(&s, 0, -10 * 0.6, -10 * 0.8, 0);
    attract->radius = 49; /* it is 50 away */
    scene_expect_velocity(&s, 0, 0, 0, 0);
}

/* A drag whose square overflows binary32. */
TEST(the_strongest_drag_is_limited) {
    scene s = scene_empty(2);
    s.species.max_speed = 1e9f;
    scene_add(&s, 10, 10, 0, 1e9f, 0, 0);
    dunlin_behaviour_def *drag = scene_behave(&s, DUNLIN_BEHAVIOUR_DRAG);
    drag->quadratic_drag = 1e6f;
    drag->max_force = 1e8f;
    scene_expect_velocity(&s, 0, 9e8, 0, 0);
}

TEST(forces_are_summed) {
    scene s = lone();
    scene_behave(&s, DUNLIN_BEHAVIOUR_FORCE)->force[0] = 1;
    scene_behave(&s, DUNLIN_BEHAVIOUR_FORCE)->force[1] = 2;
    scene_behave(&s, DUNLIN_BEHAVIOUR_DRAG)->linear_drag = 0.5f;
    scene_expect_velocity(&s, 0, 1.5, 2, 0);
}

TEST(a_behaviour_moves_only_its_species) {
    const scene s = lone();
    dunlin_world *world = world_create(&s.world);
    dunlin_species_def other = s.species;
    other.name = "others";
    world_add_species(world, &s.species);
    world_add_species(world, &other);
    dunlin_behaviour_def push = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FORCE);
    push.species = 1;
    push.force[0] = 2;
    world_add_behaviour(world, &push);
    for (int species = 0; species < 2; species++) world_spawn(world, species, s.position[0], s.velocity[0]);
    world_run(world, 1);
    assert_true(dunlin_world_view(world, 0).velocity[0][0] == 1);
    assert_true(dunlin_world_view(world, 1).velocity[0][0] == 3);
}

/* ---- of one's own ----------------------------------------------------------------------------------------------------- */

typedef struct calls {
    uint32_t agents[4]; /* by step */
    bool fits;
} calls;

/* Pushes each agent by its id, sideways; one thread calls it. */
static void push_by_id(void *user, const dunlin_tile *tile) {
    calls *seen = user;
    seen->agents[tile->step] += tile->count;
    seen->fits = seen->fits && tile->species == 0 && !tile->position[2] && !tile->force[2];
    for (uint32_t i = 0; i < tile->count; i++) {
        seen->fits = seen->fits && tile->position[0][i] == (float)tile->id[i] && tile->velocity[0][i] == 0.0f;
        tile->force[1][i] += (float)tile->id[i];
    }
}

TEST_EACH(a_callback_sees_every_agent_once, v_number, 0, world_variant_count()) {
    enum { AGENTS = 3000 };
    static float x[AGENTS], y[AGENTS], v[AGENTS];
    for (int i = 0; i < AGENTS; i++) x[i] = (float)i;
    const dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_OPEN, .threads = 1});
    const dunlin_world_def varied = world_def_for(def, world_variant_at(v_number));
    dunlin_world *world = world_create(&varied);
    world_add_fliers(world, "agents", 1e6f);
    calls seen = {.fits = true};
    world_call_back(world, 0, push_by_id, &seen);
    const dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = AGENTS, .position = {x, y}, .velocity = {v, v}};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    world_run(world, 3);
    assert_true(seen.fits);
    for (int step = 0; step < 3; step++) assert_int_equal(seen.agents[step], AGENTS);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < AGENTS; i++) assert_true(view.velocity[1][i] == 3.0f * (float)view.id[i]);
}

/* ---- pairs of one's own ----------------------------------------------------------------------------------------------- */

/* Linear separation, written as a callback: -Δ·(1 - d / radius) / d. */
static void push_apart(void *user, const dunlin_packet *packet) {
    const float radius = *(const float *)user;
    for (uint32_t lane = 0; lane < packet->count; lane++) {
        const uint32_t i = packet->first + lane;
        for (uint32_t r = 0; r < packet->range_count; r++) {
            for (uint32_t j = packet->ranges[r].begin; j < packet->ranges[r].end; j++) {
                if (packet->id[i] == packet->observed_id[j]) continue;
                float offset[2], d2 = 0.0f;
                for (int a = 0; a < 2; a++) {
                    offset[a] = packet->observed_position[a][j] - packet->position[a][i];
                    if (packet->ranges[r].folds && offset[a] > 0.5f * packet->size[a]) offset[a] -= packet->size[a];
                    if (packet->ranges[r].folds && offset[a] < -0.5f * packet->size[a]) offset[a] += packet->size[a];
                    d2 += offset[a] * offset[a];
                }
                if (d2 > radius * radius || d2 == 0.0f) continue;
                const float d = sqrtf(d2), factor = (1.0f - d / radius) / d;
                for (int a = 0; a < 2; a++) packet->force[a][lane] -= factor * offset[a];
            }
        }
    }
}

static dunlin_world *crowd(world_variant variant, int threads) {
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    def.size[0] = def.size[1] = 30;
    def.threads = threads;
    dunlin_world *world = world_create(&def);
    dunlin_species_def fast = dunlin_species_def_default();
    fast.max_speed = 1000;
    world_add_species(world, &fast);
    fast.name = "others";
    world_add_species(world, &fast);
    for (int species = 0; species < 2; species++) world_scatter(world, species, 700);
    return world;
}

/* Equal to the rule up to rounding, since the rule multiplies by 1 / radius. */
TEST_EACH(a_pair_callback_equals_an_interaction, observed, 0, 2) {
    static float radius = 3;
    dunlin_world *rule = crowd(world_variant_at(0), 1);
    dunlin_interaction_def separation = world_interaction(0, observed);
    separation.rules[DUNLIN_RULE_SEPARATION] = (dunlin_rule){
        .radius = radius, .weight = 1, .response = DUNLIN_RESPONSE_DIRECT, .limit = INFINITY, .falloff = DUNLIN_FALLOFF_LINEAR};
    world_add_interaction(rule, &separation);
    world_run(rule, 1);
    uint64_t hash = 0;
    for (int v = 0; v < 2 * world_variant_count(); v++) {
        dunlin_world *own = crowd(world_variant_at(v / 2), 1 + 2 * (v % 2));
        dunlin_behaviour_def pairs = dunlin_behaviour_def_default(own, DUNLIN_BEHAVIOUR_PAIRS);
        pairs.pairs = (dunlin_pairs){observed, radius, push_apart};
        pairs.user = &radius;
        world_add_behaviour(own, &pairs);
        world_run(own, 1);
        for (int species = 0; species < 2; species++) {
            const dunlin_view want = dunlin_world_view(rule, species), got = dunlin_world_view(own, species);
            for (uint32_t i = 0; i < want.count; i++) {
                const uint32_t slot = dunlin_world_find_agent(own, want.id[i]).index;
                for (int a = 0; a < 2; a++) assert_true(fabsf(got.velocity[a][slot] - want.velocity[a][i]) < 2e-5f);
            }
        }
        assert_true(dunlin_world_stats(own).pairs_tested > 700);
        world_run(own, 3); /* brute force adds up in another order */
        if (strcmp(world_variant_at(v / 2).index, "grid") == 0) {
            if (hash == 0) hash = dunlin_world_state_hash(own);
            assert_true(dunlin_world_state_hash(own) == hash);
        }
        world_destroy(own);
    }
}

/* ---- zeros of one's own ----------------------------------------------------------------------------------------------- */

static void assign_zero(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) tile->force[1][i] = -0.0f;
}

static void assign_zero_to_group(void *user, const dunlin_packet *packet) {
    (void)user;
    for (uint32_t i = 0; i < packet->count; i++) packet->force[1][i] = -0.0f;
}

/* Eight agents in a row, at rest except for the signs of their zeros; one of them sees its target. */
static uint64_t hash_of_zeros(world_variant variant, dunlin_behaviour_kind kind) {
    static const float x[8] = {10, 11, 12, 13, 14, 15, 16, 17}, y[8] = {0}, still[8] = {0};
    static const float falling[8] = {-0.0f, -0.0f, -0.0f, -0.0f, -0.0f, -0.0f, -0.0f, -0.0f};
    const dunlin_world_def def = world_def_for(dunlin_world_def_default(), variant);
    dunlin_world *world = world_create(&def);
    world_add_species(world, NULL);
    dunlin_behaviour_def own = dunlin_behaviour_def_default(world, kind);
    own.custom = assign_zero;
    own.pairs.callback = assign_zero_to_group;
    world_add_behaviour(world, &own);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.position[0] = 17.25f;
    seek.radius = 0.5f;
    world_add_behaviour(world, &seek);
    const dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = 8, .position = {x, y}, .velocity = {still, falling}};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    world_run(world, 1);
    assert_true(dunlin_world_view(world, 0).velocity[0][dunlin_world_find_agent(world, 7).index] > 0.0f);
    return world_end(world);
}

TEST_EACH(the_sign_of_a_zero_does_not_affect_other_agents, v, 0, world_variant_count()) {
    const uint64_t custom = hash_of_zeros(world_variant_at(v), DUNLIN_BEHAVIOUR_CUSTOM);
    assert_true(custom == hash_of_zeros(world_variant_at(0), DUNLIN_BEHAVIOUR_CUSTOM));
    assert_true(custom == hash_of_zeros(world_variant_at(v), DUNLIN_BEHAVIOUR_PAIRS));
}

/* ---- changing --------------------------------------------------------------------------------------------------------- */

TEST(a_behaviour_can_be_replaced) {
    const scene s = lone();
    dunlin_world *world = world_create(&s.world);
    world_add_species(world, &s.species);
    dunlin_behaviour_def push = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FORCE);
    push.force[0] = 1;
    world_add_behaviour(world, &push);
    world_spawn(world, 0, s.position[0], s.velocity[0]);
    world_run(world, 1);
    push.force[0] = -0.5f;
    ACCEPT(dunlin_world_set_behaviour(world, 0, &push, &refusal));
    world_run(world, 1);
    assert_true(dunlin_world_view(world, 0).velocity[0][0] == 1.5f);
    push.force[0] = INFINITY;
    REFUSE(dunlin_world_set_behaviour(world, 0, &push, &refusal), DUNLIN_ERROR_VALUE, "behaviour.force[0]", "inf");
    assert_true(dunlin_world_get_behaviour(world, 0).force[0] == -0.5f);
    push.force[0] = 0;
    assert_int_equal(dunlin_world_behaviour_count(world), 1);
    assert_int_equal(dunlin_world_get_behaviour(world, 1).cookie, 0);
}

/* So that a behaviour can change its kind. */
TEST(a_definition_has_the_defaults_of_all_kinds) {
    dunlin_world *world = world_create(NULL);
    for (int kind = 0; kind < DUNLIN_BEHAVIOUR_COUNT; kind++) {
        const dunlin_behaviour_def def = dunlin_behaviour_def_default(world, (dunlin_behaviour_kind)kind);
        assert_int_equal(def.kind, kind);
        assert_true(def.slowing_radius == 10 && def.pursuit.time == 10 && def.wander.angle_change == 0.300196631f);
        assert_true(def.contain.max[1] == 100 && def.follow.radius == 10 && def.follow.prediction.distance == 25);
        assert_true(def.attract.strength == 20 && def.attract.min_distance == 5 && def.attract.max_distance == 25);
        assert_true(def.attract.power == 2 && def.avoid.look_ahead == 10 && def.sidestep.half_angle > 0.785f &&
                    def.pairs.radius == 1);
    }
}

/* ---- mistakes --------------------------------------------------------------------------------------------------------- */

typedef struct mistake {
    dunlin_behaviour_kind kind;
    size_t offset; /* of a float in the definition */
    float value;
    const char *field, *said;
} mistake;

#define AT(field) offsetof(dunlin_behaviour_def, field)

TEST(mistakes_are_refused) {
    static const mistake mistakes[] = {
        {DUNLIN_BEHAVIOUR_SEEK, AT(weight), 2e6f, "behaviour.weight", "2e+06"},
        {DUNLIN_BEHAVIOUR_SEEK, AT(max_force), NAN, "behaviour.max_force", "nan"},
        {DUNLIN_BEHAVIOUR_SEEK, AT(max_force), 2e9f, "behaviour.max_force", "1e+09"},
        {DUNLIN_BEHAVIOUR_SEEK, AT(radius), -1, "behaviour.radius", "-1"},
        {DUNLIN_BEHAVIOUR_FLEE, AT(target.position[1]), NAN, "behaviour.target.position[1]", "nan"},
        {DUNLIN_BEHAVIOUR_ARRIVE, AT(slowing_radius), 0, "behaviour.slowing_radius", "above 0"},
        {DUNLIN_BEHAVIOUR_PURSUE, AT(target.velocity[2]), 2e9f, "behaviour.target.velocity[2]", "2e+09"},
        {DUNLIN_BEHAVIOUR_PURSUE, AT(pursuit.time), -1, "behaviour.pursuit.time", "at least 0"},
        {DUNLIN_BEHAVIOUR_WANDER, AT(wander.distance), -1, "behaviour.wander.distance", "at least 0"},
        {DUNLIN_BEHAVIOUR_WANDER, AT(wander.radius), 0, "behaviour.wander.radius", "1e-09"},
        {DUNLIN_BEHAVIOUR_WANDER, AT(wander.radius), 2e9f, "behaviour.wander.radius", "2e+09"},
        {DUNLIN_BEHAVIOUR_WANDER, AT(wander.angle_change), -1, "behaviour.wander.angle_change", "at least 0"},
        {DUNLIN_BEHAVIOUR_WANDER, AT(wander.angle_change), 3.5f, "behaviour.wander.angle_change", "3.5"},
        {DUNLIN_BEHAVIOUR_WANDER, AT(wander.angle_change), NAN, "behaviour.wander.angle_change", "nan"},
        {DUNLIN_BEHAVIOUR_CONTAIN, AT(contain.margin[1]), 2e9f, "behaviour.contain.margin[1]", "2e+09"},
        {DUNLIN_BEHAVIOUR_CONTAIN, AT(contain.max[0]), 0, "behaviour.contain.max[0]", "above 0"},
        {DUNLIN_BEHAVIOUR_CONTAIN, AT(contain.min[0]), -INFINITY, "behaviour.contain.min[0]", "-inf"},
        {DUNLIN_BEHAVIOUR_FORCE, AT(force[2]), INFINITY, "behaviour.force[2]", "inf"},
        {DUNLIN_BEHAVIOUR_FLOW, AT(flow.look_ahead), -0.5f, "behaviour.flow.look_ahead", "-0.5"},
        {DUNLIN_BEHAVIOUR_WIND, AT(flow.look_ahead), NAN, "behaviour.flow.look_ahead", "nan"},
        {DUNLIN_BEHAVIOUR_FLOW, AT(flow.look_distance), -1, "behaviour.flow.look_distance", "at least 0"},
        {DUNLIN_BEHAVIOUR_AVOID, AT(avoid.look_distance), 2e9f, "behaviour.avoid.look_distance", "world units"},
        {DUNLIN_BEHAVIOUR_EVADE, AT(pursuit.distance), NAN, "behaviour.pursuit.distance", "nan"},
        {DUNLIN_BEHAVIOUR_ATTRACT, AT(attract.strength), 2e9f, "behaviour.attract.strength", "1e+09"},
        {DUNLIN_BEHAVIOUR_ATTRACT, AT(attract.min_distance), 0, "behaviour.attract.min_distance", "1e-09"},
        {DUNLIN_BEHAVIOUR_ATTRACT, AT(attract.max_distance), 4, "behaviour.attract.max_distance", "min_distance"},
        {DUNLIN_BEHAVIOUR_ATTRACT, AT(target.position[0]), NAN, "behaviour.target.position[0]", "nan"},
        {DUNLIN_BEHAVIOUR_DRAG, AT(linear_drag), -1, "behaviour.linear_drag", "at least 0"},
        {DUNLIN_BEHAVIOUR_DRAG, AT(quadratic_drag), -1, "behaviour.quadratic_drag", "at least 0"},
    };
    const dunlin_world_def three = world_def_with((world_parts){.dimensions = 3});
    dunlin_world *world = world_create(&three);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.species is 0");
    world_add_species(world, NULL);
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLOW);
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.flow.field is 0", "has 0");
    world_add_field(world, NULL);
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; m++) {
        def = dunlin_behaviour_def_default(world, mistakes[m].kind);
        world_add_behaviour(world, &def);
        memcpy((char *)&def + mistakes[m].offset, &mistakes[m].value, sizeof(float));
        REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, mistakes[m].field,
               mistakes[m].said);
    }
    const int count = dunlin_world_behaviour_count(world);
    assert_int_equal(count, (int)(sizeof mistakes / sizeof *mistakes));
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WANDER);
    def.wander.radius = 1e-9f; /* the least there may be */
    ACCEPT(dunlin_world_set_behaviour(world, 0, &def, &refusal));
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ATTRACT);
    def.attract.power = 4;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.attract.power is 4", "3");
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.custom is NULL");
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.pairs.callback is NULL");
    def.pairs = (dunlin_pairs){.observed = 1, .radius = 1, .callback = push_apart};
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.pairs.observed is 1");
    def.pairs = (dunlin_pairs){.radius = 0, .callback = push_apart};
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.pairs.radius is 0");
    def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    def.species = -1;
    REFUSE(dunlin_world_add_behaviour(world, &def, NULL, &refusal), DUNLIN_ERROR_VALUE, "behaviour.species is -1");
    assert_int_equal(dunlin_world_behaviour_count(world), count);
}
