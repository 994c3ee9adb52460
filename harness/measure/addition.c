/* SPDX-License-Identifier: MIT */
#include "harness/measure/addition.h"

#include <math.h>

/* Weights are small, so that the flock stays about as dense as the plain one. */
static const float seek_weight = 0.1f, other_weight = 0.3f;
/* Lengths are shares of the world's side, so that they concern the same share of agents in every flock. */
static const float wall_share = 1.0f / 80.0f, noise_share = 1.0f / 8.0f, ring_share = 1.0f / 4.0f,
                   ring_width_share = 1.0f / 40.0f, ball_share = 1.0f / 40.0f;

enum { FIELD_CELLS = 64, RING_POINTS = 100, BALLS = 10, NEAREST = 7, AGENTS_PER_HAWK = 1000, AGENTS_PER_CELL = 4 };

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

static dunlin_result add_noise_field(dunlin_world *world, const bench_start *start, int *field, dunlin_error *error) {
    dunlin_field_def def = dunlin_field_def_default(world);
    for (int a = 0; a < start->workload.dimensions; a++) def.cells[a] = FIELD_CELLS;
    dunlin_result result = dunlin_world_add_field(world, &def, field, error);
    if (result != DUNLIN_OK) return result;
    dunlin_field_source source = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    source.noise.scale = noise_share * start->side;
    return dunlin_world_fill_field(world, *field, &source, error);
}

/* A cell for four agents. All agents leave the trace, and steer by it. */
static dunlin_result add_trace(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                               dunlin_error *error) {
    (void)addition;
    dunlin_field_def field = dunlin_field_def_default(world);
    dunlin_trace_def trace = dunlin_trace_def_default();
    dunlin_behaviour_def flow = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLOW);
    const double cells = ceil((double)start->workload.agents / AGENTS_PER_CELL), power = 1.0 / start->workload.dimensions;
    for (int a = 0; a < start->workload.dimensions; a++) field.cells[a] = (int)ceil(pow(cells, power));
    dunlin_result result = dunlin_world_add_field(world, &field, &trace.field, error);
    trace.diffusion = 0.2f;
    trace.evaporation = 0.02f;
    if (result == DUNLIN_OK) result = dunlin_world_add_trace(world, &trace, NULL, error);
    flow.flow.field = trace.field;
    flow.weight = seek_weight;
    return result == DUNLIN_OK ? dunlin_world_add_behaviour(world, &flow, NULL, error) : result;
}

/* A ring around the middle of the world, in 3D at right angles to the last axis. */
static dunlin_result add_ring(dunlin_world *world, const bench_start *start, int *path, dunlin_error *error) {
    static const double turn = 6.283185307179586;
    float points[3][RING_POINTS];
    for (int i = 0; i < RING_POINTS; i++) {
        double angle = turn * i / RING_POINTS;
        points[0][i] = start->side * (0.5f + ring_share * (float)cos(angle));
        points[1][i] = start->side * (0.5f + ring_share * (float)sin(angle));
        points[2][i] = start->side * 0.5f;
    }
    dunlin_path_def def = dunlin_path_def_default(world);
    def.count = RING_POINTS;
    for (int a = 0; a < start->workload.dimensions; a++) def.points[a] = points[a];
    def.closed = true;
    return dunlin_world_add_path(world, &def, path, error);
}

/* Balls apart from each other. */
static dunlin_result add_balls(dunlin_world *world, const bench_start *start, dunlin_error *error) {
    dunlin_obstacle_def ball = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
    ball.radius = ball_share * start->side;
    dunlin_result result = DUNLIN_OK;
    for (uint32_t i = 0; i < BALLS && result == DUNLIN_OK; i++) {
        for (int a = 0; a < start->workload.dimensions; a++)
            ball.a[a] = start->side * (float)bench_even_share(start->workload.dimensions, a, 0.5, i);
        result = dunlin_world_add_obstacle(world, &ball, NULL, error);
    }
    return result;
}

/* Fills in the definition, and adds what it refers to. */
static dunlin_result define(dunlin_behaviour_def *def, dunlin_world *world, const bench_start *start, dunlin_error *error) {
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_SEEK:
        for (int a = 0; a < start->workload.dimensions; a++) def->target.position[a] = 0.5f * start->side;
        def->weight = seek_weight;
        return DUNLIN_OK;
    case DUNLIN_BEHAVIOUR_WANDER:
        def->weight = other_weight;
        return DUNLIN_OK;
    case DUNLIN_BEHAVIOUR_CONTAIN:
        for (int a = 0; a < start->workload.dimensions; a++) def->contain.margin[a] = wall_share * start->side;
        return DUNLIN_OK;
    case DUNLIN_BEHAVIOUR_FLOW:
        def->weight = other_weight;
        return add_noise_field(world, start, &def->flow.field, error);
    case DUNLIN_BEHAVIOUR_DRAG:
        def->linear_drag = 0.01f;
        def->quadratic_drag = 0.1f;
        return DUNLIN_OK;
    case DUNLIN_BEHAVIOUR_FOLLOW_PATH:
        def->follow.radius = ring_width_share * start->side;
        def->follow.prediction.distance = bench_radius;
        def->follow.ahead.distance = bench_radius;
        def->weight = seek_weight;
        return add_ring(world, start, &def->follow.path, error);
    default: /* DUNLIN_BEHAVIOUR_AVOID */
        return add_balls(world, start, error);
    }
}

static dunlin_result add_behaviours(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                                    dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < addition->count && result == DUNLIN_OK; i++) {
        dunlin_behaviour_def def = dunlin_behaviour_def_default(world, addition->behaviours[i]);
        result = define(&def, world, start, error);
        if (result == DUNLIN_OK) result = dunlin_world_add_behaviour(world, &def, NULL, error);
    }
    return result;
}

/* ---- ways of seeing --------------------------------------------------------------------------------------------------- */

static dunlin_result add_view(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                              dunlin_error *error) {
    static const float two_thirds_of_pi = 2.0943951f;
    (void)start;
    (void)addition;
    dunlin_interaction_def def = dunlin_world_get_interaction(world, 0);
    for (int rule = 0; rule < DUNLIN_RULE_COUNT; rule++) def.rules[rule].half_angle = two_thirds_of_pi;
    return dunlin_world_set_interaction(world, 0, &def, error);
}

static dunlin_result add_nearest(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                                 dunlin_error *error) {
    (void)start;
    (void)addition;
    dunlin_interaction_def def = dunlin_world_get_interaction(world, 0);
    def.nearest = NEAREST;
    return dunlin_world_set_interaction(world, 0, &def, error);
}

/* ---- other agents, and different ones --------------------------------------------------------------------------------- */

static dunlin_result scatter_hawks(dunlin_world *world, const bench_start *start, int *hawks, dunlin_error *error) {
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.name = "hawks";
    dunlin_result result = dunlin_world_add_species(world, &species, hawks, error);
    if (result != DUNLIN_OK) return result;
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = (start->workload.agents + AGENTS_PER_HAWK - 1) / AGENTS_PER_HAWK;
    def.min_speed = bench_min_speed;
    def.max_speed = bench_max_speed;
    return dunlin_world_scatter(world, *hawks, &def, error);
}

static dunlin_result add_nearest_target(dunlin_world *world, dunlin_behaviour_kind kind, int species, int target, float radius,
                                        dunlin_error *error) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, kind);
    def.species = species;
    def.target.kind = DUNLIN_TARGET_NEAREST;
    def.target.species = target;
    def.radius = radius;
    return dunlin_world_add_behaviour(world, &def, NULL, error);
}

static dunlin_result add_hawks(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                               dunlin_error *error) {
    int hawks;
    const float radius = addition->hawk_radii * bench_radius;
    dunlin_result result = scatter_hawks(world, start, &hawks, error);
    if (result == DUNLIN_OK) result = add_nearest_target(world, DUNLIN_BEHAVIOUR_PURSUE, hawks, 0, radius, error);
    if (result == DUNLIN_OK) result = add_nearest_target(world, DUNLIN_BEHAVIOUR_FLEE, 0, hawks, radius, error);
    return result;
}

static dunlin_result add_attributes(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                                    dunlin_error *error) {
    (void)start;
    (void)addition;
    dunlin_attribute_def def = dunlin_attribute_def_default();
    def.name = "max_speed";
    def.role = DUNLIN_ROLE_MAX_SPEED;
    def.distribution = DUNLIN_DISTRIBUTION_EVEN;
    def.value = bench_max_speed;
    def.min_value = 0.75f * bench_max_speed;
    def.max_value = bench_max_speed;
    return dunlin_world_add_attribute(world, &def, NULL, error);
}

/* ---- groups and memory ------------------------------------------------------------------------------------------------ */

enum { AGENTS_PER_GROUP = 1000 };

static dunlin_result add_groups(dunlin_world *world, const bench_start *start, dunlin_error *error) {
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.groups = (int)((start->workload.agents + AGENTS_PER_GROUP - 1) / AGENTS_PER_GROUP);
    dunlin_result result = dunlin_world_set_species(world, 0, &species, error);
    dunlin_attribute_def group = dunlin_attribute_def_default();
    group.name = "group";
    group.role = DUNLIN_ROLE_GROUP;
    group.distribution = DUNLIN_DISTRIBUTION_IN_TURN;
    group.max_value = (float)species.groups - 1.0f;
    return result == DUNLIN_OK ? dunlin_world_add_attribute(world, &group, NULL, error) : result;
}

static dunlin_result add_kin(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                             dunlin_error *error) {
    (void)addition;
    dunlin_interaction_def def = dunlin_world_get_interaction(world, 0);
    def.rules[DUNLIN_RULE_ALIGNMENT].kin = def.rules[DUNLIN_RULE_COHESION].kin = DUNLIN_KIN_SAME_GROUP;
    dunlin_result result = add_groups(world, start, error);
    return result == DUNLIN_OK ? dunlin_world_set_interaction(world, 0, &def, error) : result;
}

/* Flocks within a radius that connects some agents, and not all. */
static dunlin_result add_regroup(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                                 dunlin_error *error) {
    static const float share = 0.35f; /* of the rules' radius: 2.5 neighbours of 20 in 2D */
    (void)addition;
    dunlin_result result = add_groups(world, start, error);
    dunlin_species_def species = dunlin_world_get_species(world, 0);
    species.regroup = (dunlin_regroup){.every = 1, .radius = share * bench_radius, .min_agents = 10};
    return result == DUNLIN_OK ? dunlin_world_set_species(world, 0, &species, error) : result;
}

/* The force of the bodies is small, since groups are spread over the whole world. */
static dunlin_result add_bodies(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                                dunlin_error *error) {
    dunlin_species_def bodies = dunlin_world_get_species(world, 0);
    dunlin_attribute_def stands_for = dunlin_attribute_def_default();
    dunlin_behaviour_def pass = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_BODY);
    dunlin_behaviour_def wander = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_WANDER);
    dunlin_result result = add_kin(world, start, addition, error);
    bodies.name = "bodies";
    bodies.body_of = 0;
    bodies.groups = 0;
    if (result == DUNLIN_OK) result = dunlin_world_add_species(world, &bodies, &stands_for.species, error);
    pass.body = wander.species = stands_for.species;
    pass.weight = wander.weight = seek_weight;
    stands_for.name = "body";
    stands_for.role = DUNLIN_ROLE_BODY;
    if (result == DUNLIN_OK) result = dunlin_world_add_attribute(world, &stands_for, NULL, error);
    if (result == DUNLIN_OK) result = dunlin_world_add_behaviour(world, &pass, NULL, error);
    return result == DUNLIN_OK ? dunlin_world_add_behaviour(world, &wander, NULL, error) : result;
}

static dunlin_result add_group_target(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                                      dunlin_error *error) {
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    (void)addition;
    seek.target.kind = DUNLIN_TARGET_GROUP_VELOCITY;
    seek.weight = seek_weight;
    dunlin_result result = add_groups(world, start, error);
    return result == DUNLIN_OK ? dunlin_world_add_behaviour(world, &seek, NULL, error) : result;
}

static dunlin_result add_memory(dunlin_world *world, const bench_start *start, const bench_addition *addition,
                                dunlin_error *error) {
    dunlin_attribute_def weight = dunlin_attribute_def_default();
    dunlin_behaviour_def adapt = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ADAPT);
    (void)start;
    weight.name = "alignment_weight";
    weight.role = DUNLIN_ROLE_ALIGNMENT_WEIGHT;
    dunlin_result result = dunlin_world_add_attribute(world, &weight, NULL, error);
    adapt.adapt.signal = addition->signal;
    adapt.radius = bench_radius;
    return result == DUNLIN_OK ? dunlin_world_add_behaviour(world, &adapt, NULL, error) : result;
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

const bench_addition bench_additions[BENCH_ADDITIONS] = {
    {"seek", 0.0, add_behaviours, {DUNLIN_BEHAVIOUR_SEEK}, 1, 0.0f, 0},
    {"wander", 0.0, add_behaviours, {DUNLIN_BEHAVIOUR_WANDER}, 1, 0.0f, 0},
    {"contain", 0.0, add_behaviours, {DUNLIN_BEHAVIOUR_CONTAIN}, 1, 0.0f, 0},
    {"flow", 0.0, add_behaviours, {DUNLIN_BEHAVIOUR_FLOW}, 1, 0.0f, 0},
    {"seek, wander, contain, flow",
     1.25,
     add_behaviours,
     {DUNLIN_BEHAVIOUR_SEEK, DUNLIN_BEHAVIOUR_WANDER, DUNLIN_BEHAVIOUR_CONTAIN, DUNLIN_BEHAVIOUR_FLOW},
     4,
     0.0f,
     0},
    {"field of view", 1.30, add_view, {0}, 0, 0.0f, 0},
    {"nearest 7", 2.5, add_nearest, {0}, 0, 0.0f, 0},
    {"hawks at 2 radii", 1.10, add_hawks, {0}, 0, 2.0f, 0},
    {"hawks at 5 radii", 1.10, add_hawks, {0}, 0, 5.0f, 0},
    {"drag", 0.0, add_behaviours, {DUNLIN_BEHAVIOUR_DRAG}, 1, 0.0f, 0},
    {"path", 0.0, add_behaviours, {DUNLIN_BEHAVIOUR_FOLLOW_PATH}, 1, 0.0f, 0},
    {"obstacles", 0.0, add_behaviours, {DUNLIN_BEHAVIOUR_AVOID}, 1, 0.0f, 0},
    {"attributes", 0.0, add_attributes, {0}, 0, 0.0f, 0},
    {"trace", 0.0, add_trace, {0}, 0, 0.0f, 0},
    {"kin", 1.1, add_kin, {0}, 0, 0.0f, 0},
    {"velocity of the group", 0.0, add_group_target, {0}, 0, 0.0f, 0},
    {"kin and bodies", 2.0, add_bodies, {0}, 0, 0.0f, 0},
    {"regroup in every step", 0.0, add_regroup, {0}, 0, 0.0f, 0},
    {"memory of speed", 0.0, add_memory, {0}, 0, 0.0f, DUNLIN_SIGNAL_SPEED},
    {"memory of neighbours", 0.0, add_memory, {0}, 0, 0.0f, DUNLIN_SIGNAL_NEIGHBOURS},
};

dunlin_result bench_addition_make(const bench_addition *addition, dunlin_world *world, const bench_start *start,
                                  dunlin_error *error) {
    return addition ? addition->add(world, start, addition, error) : DUNLIN_OK;
}

const char *bench_addition_name(const bench_addition *addition) {
    return addition ? addition->name : "plain";
}
