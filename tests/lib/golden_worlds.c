/* SPDX-License-Identifier: MIT */
#include "tests/lib/golden_worlds.h"

static void set_size(dunlin_world_def *def, int dimensions, float x, float y, float z) {
    def->dimensions = dimensions;
    def->size[0] = x;
    def->size[1] = y;
    def->size[2] = z;
}

static dunlin_rule steer(float radius, float weight) {
    dunlin_rule rule = dunlin_interaction_def_default().rules[0];
    rule.radius = radius;
    rule.weight = weight;
    return rule;
}

static dunlin_rule direct(float radius, float weight, float limit) {
    dunlin_rule rule = steer(radius, weight);
    rule.response = DUNLIN_RESPONSE_DIRECT;
    rule.limit = limit;
    return rule;
}

static dunlin_rule fading(dunlin_rule rule, dunlin_falloff falloff) {
    rule.falloff = falloff;
    return rule;
}

static int add_species(dunlin_world *world, const char *name, float min_speed, float max_speed) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = name;
    def.min_speed = min_speed;
    def.max_speed = max_speed;
    return world_add_species(world, &def);
}

static void scatter_ball(dunlin_world *world, int species, uint32_t count, float x, float y, float radius) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.region = DUNLIN_REGION_BALL;
    def.count = count;
    def.centre[0] = x;
    def.centre[1] = y;
    def.extent[0] = radius;
    ACCEPT(dunlin_world_scatter(world, species, &def, &refusal));
}

/* A flock on a torus. The radii are nested, as in most flocks. */

static void define_flock(dunlin_world_def *def) {
    set_size(def, 2, 80, 50, 0);
    def->time_step = 0.5f;
}

static void furnish_flock(dunlin_world *world) {
    add_species(world, "dunlins", 0.3f, 1.2f);
    dunlin_interaction_def flock = world_interaction(0, 0);
    flock.rules[DUNLIN_RULE_SEPARATION] = steer(1.5f, 1.6f);
    flock.rules[DUNLIN_RULE_ALIGNMENT] = steer(4, 1);
    flock.rules[DUNLIN_RULE_COHESION] = steer(4, 0.9f);
    world_add_interaction(world, &flock);
}

/* Three different radii in 3D. */

static void define_swarm(dunlin_world_def *def) {
    set_size(def, 3, 40, 30, 36);
    def->seed = 2;
}

static void furnish_swarm(dunlin_world *world) {
    add_species(world, "starlings", 0, 1);
    dunlin_interaction_def flock = world_interaction(0, 0);
    flock.rules[DUNLIN_RULE_SEPARATION] = steer(3, 1);
    flock.rules[DUNLIN_RULE_ALIGNMENT] = direct(5, 0.3f, 0.2f);
    flock.rules[DUNLIN_RULE_COHESION] = steer(7, 1);
    world_add_interaction(world, &flock);
}

/* Agents that leave on one side enter on the other, but do not see across the edge. */

static void define_teleport(dunlin_world_def *def) {
    set_size(def, 2, 60, 60, 0);
    def->boundary = DUNLIN_BOUNDARY_TELEPORT;
    def->margin = 2.5f;
}

static void furnish_teleport(dunlin_world *world) {
    add_species(world, "knots", 0.8f, 2);
    dunlin_interaction_def flock = world_interaction(0, 0);
    flock.rules[DUNLIN_RULE_SEPARATION] = fading(steer(3, 1.2f), DUNLIN_FALLOFF_CONSTANT);
    flock.rules[DUNLIN_RULE_ALIGNMENT] = steer(3, 1);
    flock.rules[DUNLIN_RULE_COHESION] = steer(5, 0.5f);
    world_add_interaction(world, &flock);
}

/* Prey flees hawks by a negative cohesion, hawks chase prey, and no species observes the drifters. */

static void define_hunt(dunlin_world_def *def) {
    set_size(def, 2, 80, 50, 0);
    def->boundary = DUNLIN_BOUNDARY_REFLECT;
    def->seed = 4;
}

static void furnish_hunt(dunlin_world *world) {
    const int prey = add_species(world, "prey", 0.2f, 1), hawks = add_species(world, "hawks", 0.5f, 1.5f);
    add_species(world, "drifters", 0, 3);
    dunlin_interaction_def flock = world_interaction(prey, prey), flee = world_interaction(prey, hawks),
                           chase = world_interaction(hawks, prey);
    flock.rules[DUNLIN_RULE_SEPARATION] = direct(2, 0.05f, 0.5f);
    flock.rules[DUNLIN_RULE_ALIGNMENT] = direct(4, 0.1f, 0.25f);
    flock.rules[DUNLIN_RULE_COHESION] = direct(4, 0.01f, 0.1f);
    flock.order[0] = DUNLIN_RULE_COHESION;
    flock.order[2] = DUNLIN_RULE_SEPARATION;
    flee.rules[DUNLIN_RULE_COHESION] = direct(9, -0.2f, 0.8f);
    chase.rules[DUNLIN_RULE_COHESION] = steer(14, 1);
    chase.rules[DUNLIN_RULE_ALIGNMENT] = direct(14, 0.5f, 1);
    world_add_interaction(world, &flee);
    world_add_interaction(world, &flock);
    world_add_interaction(world, &chase);
}

/* Clumps that are far apart, one of them around the origin, where cell coordinates change sign. */

static void define_clumps(dunlin_world_def *def) {
    set_size(def, 2, 100, 100, 0);
    def->boundary = DUNLIN_BOUNDARY_OPEN;
    def->seed = 5;
}

static void furnish_clumps(dunlin_world *world) {
    add_species(world, "clumps", 0, 2);
    world_add_flocking(world, 0, 0, 3);
}

static void populate_clumps(dunlin_world *world) {
    scatter_ball(world, 0, 417, 0, 0, 12);
    scatter_ball(world, 0, 203, 5000, -70000, 8);
    scatter_ball(world, 0, 301, -1e6f, 3e5f, 10);
    scatter_ball(world, 0, 90, 5040, -70000, 6);
}

/* As in sketches: rules act in turn, forces are increments, positions move before velocities, edges teleport. */

static void define_sketch(dunlin_world_def *def) {
    set_size(def, 2, 64, 36, 0);
    def->boundary = DUNLIN_BOUNDARY_TELEPORT;
    def->keep_overshoot = true;
    def->integrator = DUNLIN_INTEGRATOR_EXPLICIT;
    def->forces_are_increments = true;
    def->time_step = 0.75f;
    def->seed = 6;
}

static void furnish_sketch(dunlin_world *world) {
    add_species(world, "boids", 0.1f, 2);
    dunlin_interaction_def flock = world_interaction(0, 0);
    flock.rules[DUNLIN_RULE_SEPARATION] = fading(direct(2, 0.05f, 1), DUNLIN_FALLOFF_LINEAR);
    flock.rules[DUNLIN_RULE_ALIGNMENT] = direct(4, 0.125f, 1);
    flock.rules[DUNLIN_RULE_COHESION] = direct(6, 0.01f, 1);
    flock.order[0] = DUNLIN_RULE_COHESION;
    flock.order[1] = DUNLIN_RULE_SEPARATION;
    flock.order[2] = DUNLIN_RULE_ALIGNMENT;
    flock.in_turn = true;
    flock.ignore_coincident = true;
    world_add_interaction(world, &flock);
}

static void populate_sketch(dunlin_world *world) {
    scatter_ball(world, 0, 6, 20, 20, 0); /* all at one point */
}

/* Walls in 3D that act before agents look, so that between steps agents may be outside. */

static void define_aquarium(dunlin_world_def *def) {
    set_size(def, 3, 30, 20, 16);
    def->boundary = DUNLIN_BOUNDARY_REFLECT;
    def->boundary_first = true;
    def->seed = 7;
}

static void furnish_aquarium(dunlin_world *world) {
    dunlin_species_def fish = dunlin_species_def_default();
    fish.max_force = 0.3f;
    fish.drag = 0.01f;
    world_add_species(world, &fish);
    dunlin_interaction_def flock = world_interaction(0, 0);
    flock.rules[DUNLIN_RULE_SEPARATION] = fading(steer(2.5f, 1), DUNLIN_FALLOFF_LINEAR);
    flock.rules[DUNLIN_RULE_ALIGNMENT] = steer(2.5f, 1);
    flock.rules[DUNLIN_RULE_COHESION] = steer(2.5f, -0.5f);
    world_add_interaction(world, &flock);
}

/* A world less than three cells wide, in which runs meet themselves at the seam. */

static void define_strait(dunlin_world_def *def) {
    set_size(def, 3, 60, 13, 6);
    def->seed = 8;
}

static void furnish_strait(dunlin_world *world) {
    add_species(world, "terns", 0, 1);
    dunlin_interaction_def flock = world_interaction(0, 0);
    flock.rules[DUNLIN_RULE_SEPARATION] = fading(steer(4, 1.5f), DUNLIN_FALLOFF_CONSTANT);
    flock.rules[DUNLIN_RULE_COHESION] = steer(5, 1);
    world_add_interaction(world, &flock);
}

/* Agents are born between frames, at the end of the storage whatever their ids are. */

static void define_brood(dunlin_world_def *def) {
    set_size(def, 2, 50, 50, 0);
    def->seed = 9;
}

static void furnish_brood(dunlin_world *world) {
    for (int s = 0; s < 2; s++) {
        add_species(world, s == 0 ? "parents" : "young", 0, 1);
        world_add_flocking(world, s, s, 4);
    }
    dunlin_interaction_def follow = world_interaction(1, 0);
    follow.rules[DUNLIN_RULE_COHESION] = steer(8, 1);
    world_add_interaction(world, &follow);
}

/* Each agent's x, y and velocity on both axes. They are recorded because the brood's golden hash depends on them. */
enum { BORN = 37 };
static const float born[BORN][3] = {
    {0.010115071f, 38.264603f, -0.08782655f}, {1.2250746f, 35.580067f, 0.20720795f},  {31.73912f, 29.103775f, -0.13384451f},
    {34.580605f, 40.296497f, -0.45649064f},   {12.003363f, 14.304994f, -0.17273092f}, {30.270649f, 44.485256f, 0.45576093f},
    {26.79528f, 34.975113f, 0.17392087f},     {41.722874f, 4.7739606f, 0.37698853f},  {5.6904287f, 32.6899f, -0.017583603f},
    {36.094303f, 8.080054f, 0.14623535f},     {21.309618f, 36.59006f, 0.2761106f},    {31.701807f, 27.94339f, -0.39193922f},
    {10.113627f, 44.92276f, -0.16833414f},    {42.13346f, 24.26808f, 0.39033574f},    {19.797192f, 30.217348f, -0.068561755f},
    {47.78091f, 32.247856f, 0.2267306f},      {0.62358695f, 1.1650429f, 0.2557049f},  {31.604431f, 27.513634f, -0.2877265f},
    {32.690258f, 41.35915f, 0.449591f},       {35.393074f, 9.000156f, 0.43074918f},   {9.676074f, 23.765083f, -0.21330585f},
    {0.68167436f, 5.102117f, 0.18596381f},    {7.9587855f, 28.535742f, 0.47599667f},  {16.784962f, 26.873491f, -0.29326695f},
    {10.557133f, 3.3507082f, 0.34070355f},    {30.016464f, 24.716194f, 0.008042464f}, {35.88851f, 24.429396f, 0.12691714f},
    {45.861927f, 1.1040125f, 0.3357523f},     {30.0129f, 2.6936736f, 0.026409011f},   {14.467649f, 17.906502f, -0.20487061f},
    {9.52263f, 16.870451f, -0.43013516f},     {22.274017f, 39.077744f, -0.06566951f}, {28.365751f, 43.168602f, 0.33275038f},
    {34.650333f, 6.289865f, -0.13854489f},    {39.98316f, 26.988115f, 0.3657244f},    {19.171915f, 47.487743f, 0.11580164f},
    {18.045193f, 9.473664f, -0.43470195f}};

static void grow_brood(dunlin_world *world) {
    float x[BORN], y[BORN], v[BORN];
    uint32_t ids[BORN];
    for (uint32_t i = 0; i < BORN; i++) {
        x[i] = born[i][0];
        y[i] = born[i][1];
        v[i] = born[i][2];
        ids[i] = 5000 - 11 * i;
    }
    const dunlin_batch batch = {.cookie = WORLD_COOKIE, .count = BORN, .position = {x, y}, .velocity = {v, v}, .ids = ids};
    for (int s = 0; s < 2; s++) {
        const uint32_t before = dunlin_world_view(world, s).count;
        ACCEPT(dunlin_world_spawn(world, s, &batch, NULL, &refusal));
        assert_memory_equal(dunlin_world_view(world, s).id + before, ids, sizeof ids);
        for (int i = 0; i < BORN; i++) ids[i] += 1; /* the other species' */
    }
    world_scatter(world, 1, 50);
}

/* Agents die, and agents bear children of their own and of another species. */

static void define_colony(dunlin_world_def *def) {
    set_size(def, 2, 60, 40, 0);
    def->seed = 11;
}

static void die_or_divide(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const uint64_t fate = tile->id[i] * 31u + tile->step * 17u;
        const float place[] = {tile->position[0][i], tile->position[1][i]};
        const float back[] = {-tile->velocity[0][i], -tile->velocity[1][i]};
        tile->dies[i] = fate % 23 == 0;
        if (fate % 19 == 0) dunlin_tile_spawn(tile, i, tile->species, place, back, NULL, NULL);
        if (fate % 41 == 0) dunlin_tile_spawn(tile, i, 1 - tile->species, place, back, NULL, NULL);
    }
}

static void furnish_colony(dunlin_world *world) {
    furnish_brood(world);
    for (int s = 0; s < 2; s++) {
        world_call_back(world, s, die_or_divide, NULL);
    }
}

/* The same between frames. */
static void grow_colony(dunlin_world *world) {
    uint32_t ids[20];
    memcpy(ids, dunlin_world_view(world, 0).id + 100, sizeof ids);
    ACCEPT(dunlin_world_despawn(world, ids, 20, &refusal));
    world_scatter(world, 1, 30);
}

/* Enough agents for a sort by chunks and buckets, and for every thread to have tiles. */

static void define_multitude(dunlin_world_def *def) {
    set_size(def, 2, 500, 500, 0);
    def->seed = 10;
}

static void furnish_multitude(dunlin_world *world) {
    add_species(world, "dunlins", 0.5f, 1);
    world_add_flocking(world, 0, 0, 2);
}

static void populate_multitude(dunlin_world *world) {
    scatter_ball(world, 0, 10007, 100, 100, 60); /* so that tiles differ in density */
}

/* Groups, and agents that remember: rules distinguish kin, attributes move, and what is eaten is forgotten. */

static void define_elders(dunlin_world_def *def) {
    set_size(def, 2, 60, 60, 0);
    def->time_step = 0.5f;
    def->seed = 11;
}

static void add_attribute(dunlin_world *world, int species, const char *name, dunlin_role role, float min, float max) {
    dunlin_attribute_def def = world_attribute(species, name, role);
    def.distribution = DUNLIN_DISTRIBUTION_EVEN;
    def.min_value = min;
    def.max_value = max;
    def.mutation = 0.125f * (max - min);
    world_add_attribute(world, &def);
}

static void add_adapt(dunlin_world *world, int species, int attribute, dunlin_signal signal, float high) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ADAPT);
    def.species = species;
    def.radius = 4;
    def.adapt.attribute = attribute;
    def.adapt.signal = signal;
    def.adapt.observed = 1 - species;
    def.adapt.source = 0;
    def.adapt.gain = 0.3f;
    def.adapt.rate = 0.1f;
    def.adapt.decay = 0.01f;
    def.adapt.low = 0.1f;
    def.adapt.high = high;
    world_add_behaviour(world, &def);
}

static int add_grouped(dunlin_world *world, const char *name, int groups) {
    const int number = add_species(world, name, 0.25f, 1);
    dunlin_species_def def = dunlin_world_get_species(world, number);
    def.groups = groups;
    ACCEPT(dunlin_world_set_species(world, number, &def, &refusal));
    add_attribute(world, number, "group", DUNLIN_ROLE_GROUP, 0, (float)groups - 1);
    return number;
}

static void furnish_elders(dunlin_world *world) {
    const int young = add_grouped(world, "young", 5), old = add_grouped(world, "old", 5);
    add_attribute(world, young, "unison", DUNLIN_ROLE_ALIGNMENT_WEIGHT, 0, 2);
    add_attribute(world, young, "sight", DUNLIN_ROLE_RADIUS_SCALE, 0.2f, 1);
    add_attribute(world, old, "fasting", DUNLIN_ROLE_SINCE_MEAL, 0, 0);
    dunlin_interaction_def own = world_flocking_rules(4);
    own.rules[DUNLIN_RULE_ALIGNMENT].kin = own.rules[DUNLIN_RULE_COHESION].kin = DUNLIN_KIN_SAME_GROUP;
    world_add_interaction(world, &own);
    dunlin_interaction_def others = world_interaction(old, young);
    others.rules[DUNLIN_RULE_COHESION] = steer(6, 1);
    others.rules[DUNLIN_RULE_COHESION].kin = DUNLIN_KIN_OTHER_GROUPS;
    world_add_interaction(world, &others);
    add_adapt(world, young, 1, DUNLIN_SIGNAL_SEES, 2);
    add_adapt(world, young, 2, DUNLIN_SIGNAL_NEAREST, 1);
    add_adapt(world, old, 1, DUNLIN_SIGNAL_SPEED, 9);
    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.eater = old;
    meal.food = young;
    world_add_meal(world, &meal);
}

/* Agents that follow their own groups, and the groups of another species; some groups are empty. */

static void define_packs(dunlin_world_def *def) {
    set_size(def, 2, 50, 30, 0);
    def->seed = 13;
}

static void add_followed(dunlin_world *world, int species, int followed, dunlin_behaviour_kind follow, float weight) {
    for (int kind = DUNLIN_TARGET_GROUP_CENTRE; kind <= DUNLIN_TARGET_GROUP_LEADER; kind++) {
        dunlin_behaviour_def def = dunlin_behaviour_def_default(world, follow);
        def.species = species;
        def.target.species = followed;
        def.target.kind = (dunlin_target_kind)kind;
        def.weight = weight;
        world_add_behaviour(world, &def);
    }
}

static void furnish_packs(dunlin_world *world) {
    const int wolves = add_grouped(world, "wolves", 30), hares = add_grouped(world, "hares", 38);
    add_attribute(world, wolves, "rank", DUNLIN_ROLE_LEADERSHIP, -2, 1);
    world_add_flocking(world, 0, 0, 3);
    add_followed(world, wolves, wolves, DUNLIN_BEHAVIOUR_PURSUE, 0.2f);
    add_followed(world, wolves, hares, DUNLIN_BEHAVIOUR_ARRIVE, 0.1f);
    add_followed(world, hares, wolves, DUNLIN_BEHAVIOUR_EVADE, 0.3f);
}

/* Flocks of flocks of flocks, which split and merge. */

static void define_creatures(dunlin_world_def *def) {
    set_size(def, 3, 40, 30, 20);
    def->seed = 12;
}

static int add_bodies(dunlin_world *world, const char *name, int of, int groups) {
    dunlin_species_def def = dunlin_species_def_default();
    def.name = name;
    def.body_of = of;
    def.groups = groups;
    const int number = world_add_species(world, &def);
    add_attribute(world, number, "body", DUNLIN_ROLE_BODY, 0, 0);
    if (groups) add_attribute(world, number, "group", DUNLIN_ROLE_GROUP, 0, (float)groups - 1);
    world_add_flocking(world, number, number, 9);
    dunlin_behaviour_def pass = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_BODY);
    pass.species = of;
    pass.body = number;
    world_add_behaviour(world, &pass);
    return number;
}

static void furnish_creatures(dunlin_world *world) {
    const int cells = add_grouped(world, "cells", 9);
    dunlin_species_def def = dunlin_world_get_species(world, cells);
    def.regroup = (dunlin_regroup){.every = 3, .radius = 1.5f, .min_agents = 20};
    ACCEPT(dunlin_world_set_species(world, cells, &def, &refusal));
    add_attribute(world, cells, "rank", DUNLIN_ROLE_LEADERSHIP, 0, 1);
    world_add_flocking(world, 0, 0, 2);
    const int creatures = add_bodies(world, "creatures", cells, 3);
    add_bodies(world, "giants", creatures, 0);
    for (int kind = DUNLIN_TARGET_GROUP_CENTRE; kind <= DUNLIN_TARGET_GROUP_LEADER; kind++) {
        dunlin_behaviour_def pursue = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PURSUE);
        pursue.target.kind = (dunlin_target_kind)kind;
        pursue.weight = 0.3f;
        world_add_behaviour(world, &pursue);
    }
}

static void populate_creatures(dunlin_world *world) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = 1407;
    def.group_radius = 4;
    ACCEPT(dunlin_world_scatter(world, 0, &def, &refusal));
}

/* Gravity and friction; targets, paths, obstacles and fields that are looked at by distance and speed. */

static void define_orbits(dunlin_world_def *def) {
    set_size(def, 2, 60, 40, 0);
    def->time_step = 0.5f;
    def->seed = 15;
}

static dunlin_behaviour_def of_dust(const dunlin_world *world, dunlin_behaviour_kind kind) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world, kind);
    def.weight = 0.3f;
    def.radius = 9;
    def.pursuit = (dunlin_pursuit){DUNLIN_PREDICTION_BY_DISTANCE, 4, 1.5f};
    def.follow.prediction = (dunlin_ahead){2, 3};
    def.follow.ahead = (dunlin_ahead){1, 5};
    def.follow.ahead_share = 0.5f;
    def.flow.look_distance = def.avoid.look_distance = 3;
    def.flow.look_ahead = 1;
    def.target.species = 1;
    return def;
}

static void add_landmarks(dunlin_world *world) {
    static const float x[] = {5, 50, 30}, y[] = {10, 5, 35};
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = 3;
    path.points[0] = x;
    path.points[1] = y;
    world_add_path(world, &path);
    world_add_field(world, NULL);
    const dunlin_field_source random = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
    ACCEPT(dunlin_world_fill_field(world, 0, &random, &refusal));
    const dunlin_obstacle_def wall = {.shape = DUNLIN_OBSTACLE_CAPSULE, .a = {45, 10}, .b = {45, 30}, .radius = 1};
    world_obstruct(world, &wall, 1);
}

static void furnish_orbits(dunlin_world *world) {
    static const dunlin_behaviour_kind ahead[] = {DUNLIN_BEHAVIOUR_FOLLOW_PATH, DUNLIN_BEHAVIOUR_FLOW, DUNLIN_BEHAVIOUR_AVOID};
    for (int s = 0; s < 2; s++) {
        dunlin_species_def species = dunlin_species_def_default();
        species.name = s ? "moons" : "dust";
        species.max_speed = 3;
        species.friction = s ? 0.0f : 0.01f;
        world_add_species(world, &species);
    }
    world_add_flocking(world, 0, 0, 3);
    add_landmarks(world);
    dunlin_behaviour_def sun = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_ATTRACT);
    sun.target.position[0] = 20;
    sun.target.position[1] = 20;
    sun.target.velocity[0] = 0.2f;
    for (sun.species = 0; sun.species < 2; sun.species++) world_add_behaviour(world, &sun);
    for (int power = 0; power < 4; power++) {
        dunlin_behaviour_def moon = of_dust(world, DUNLIN_BEHAVIOUR_ATTRACT);
        moon.target.kind = power % 2 ? DUNLIN_TARGET_NEAREST : DUNLIN_TARGET_CENTRE;
        moon.attract = (dunlin_attract){power % 2 ? -0.5f : 0.5f, 0.5f, 6, power};
        world_add_behaviour(world, &moon);
    }
    for (int kind = DUNLIN_BEHAVIOUR_PURSUE; kind <= DUNLIN_BEHAVIOUR_EVADE; kind++) {
        dunlin_behaviour_def follow = of_dust(world, (dunlin_behaviour_kind)kind);
        follow.target.kind = DUNLIN_TARGET_NEAREST;
        world_add_behaviour(world, &follow);
    }
    for (int k = 0; k < 3; k++) {
        const dunlin_behaviour_def looks = of_dust(world, ahead[k]);
        world_add_behaviour(world, &looks);
    }
}

const golden_world golden_worlds[] = {
    {"flock", define_flock, furnish_flock, {1203}, NULL, NULL, 8, false, false},
    {"swarm", define_swarm, furnish_swarm, {901}, NULL, NULL, 5, false, false},
    {"teleport", define_teleport, furnish_teleport, {1107}, NULL, NULL, 10, false, false},
    {"hunt", define_hunt, furnish_hunt, {1013, 21, 35}, NULL, NULL, 10, false, false},
    {"clumps", define_clumps, furnish_clumps, {0}, populate_clumps, NULL, 10, false, false},
    {"sketch", define_sketch, furnish_sketch, {999}, populate_sketch, NULL, 6, false, false},
    {"aquarium", define_aquarium, furnish_aquarium, {1201}, NULL, NULL, 8, false, false},
    {"strait", define_strait, furnish_strait, {517}, NULL, NULL, 6, false, false},
    {"brood", define_brood, furnish_brood, {511, 2}, NULL, grow_brood, 10, false, false},
    {"colony", define_colony, furnish_colony, {911, 702}, NULL, grow_colony, 10, false, false},
    {"multitude", define_multitude, furnish_multitude, {40000}, populate_multitude, NULL, 2, true, false},
    {"elders", define_elders, furnish_elders, {1503, 37}, NULL, NULL, 10, false, false},
    {"packs", define_packs, furnish_packs, {1309, 23}, NULL, NULL, 8, false, false},
    {"creatures", define_creatures, furnish_creatures, {0}, populate_creatures, NULL, 8, false, false},
    {"orbits", define_orbits, furnish_orbits, {803, 21}, NULL, NULL, 10, false, false},
    {"reserve", define_reserve, furnish_reserve, {1207, 45}, NULL, NULL, 8, false, true},
    {"reserve in space", define_reserve_in_space, furnish_reserve, {1207, 45}, NULL, NULL, 6, false, true},
};
_Static_assert(GOLDEN_WORLDS == sizeof golden_worlds / sizeof *golden_worlds, "GOLDEN_WORLDS is how many there are");

void golden_populate(const golden_world *golden, dunlin_world *world) {
    for (int s = 0; s < 3; s++)
        if (golden->agents[s]) world_scatter(world, s, golden->agents[s]);
    if (golden->populate) golden->populate(world);
}

dunlin_world *golden_make(const golden_world *golden, dunlin_world_def how) {
    golden->define(&how);
    dunlin_world *world = world_create(&how);
    golden->furnish(world);
    return world;
}
