/* SPDX-License-Identifier: MIT */
/* Two golden worlds that have all at once what agents can do, and what is in their way. */
#include "tests/lib/golden_worlds.h"

enum { PREY, HAWKS, POINTS = 40, OBSTACLES = 120 };
enum { GUSTS, STEADY, TRAIL, FIELDS };
enum { MEMORY, MASS, SIGHT };

void define_reserve(dunlin_world_def *def) {
    def->size[0] = 60;
    def->size[1] = 50;
    def->size[2] = 24;
    def->time_step = 0.4f;
    def->seed = 14;
}

void define_reserve_in_space(dunlin_world_def *def) {
    define_reserve(def);
    def->dimensions = 3;
    def->boundary = DUNLIN_BOUNDARY_REFLECT;
}

/* ---- callbacks --------------------------------------------------------------------------------------------------------- */

static void live(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++) {
        float draw[4], at[3] = {0}, velocity[3] = {0.5f, 0.1f, -0.2f};
        dunlin_draw(5, tile->id[i], tile->step, 1, draw);
        for (int a = 0; a < 3; a++) at[a] = tile->position[a] ? tile->position[a][i] : 0;
        tile->next_attribute[MEMORY][i] *= 0.99f;
        tile->force[0][i] += 0.01f * (draw[0] - 0.5f);
        if (draw[0] < 0.03f) tile->dies[i] = 1;
        if (draw[1] < 0.03f) dunlin_tile_spawn(tile, i, draw[2] < 0.9f ? PREY : HAWKS, at, velocity, NULL, NULL);
    }
}

/* Only agents within the radius, which is 3, count: the other agents of the ranges depend on the kernel. */
static void lean(void *user, const dunlin_packet *packet) {
    (void)user;
    for (uint32_t k = 0; k < packet->count; k++)
        for (uint32_t r = 0; r < packet->range_count; r++)
            for (uint32_t j = packet->ranges[r].begin; j < packet->ranges[r].end; j++) {
                float d2 = 0;
                for (int a = 0; a < 3 && packet->position[a]; a++) {
                    const float d = packet->observed_position[a][j] - packet->position[a][packet->first + k];
                    d2 += d * d;
                }
                if (d2 < 9) packet->force[1][k] += 0.001f * (float)(packet->observed_id[j] % 3);
            }
}

void connect_reserve(void *context, int behaviour, dunlin_behaviour_def *def) {
    (void)context, (void)behaviour;
    def->custom = live;
    def->pairs.callback = lean;
}

/* ---- what is there ----------------------------------------------------------------------------------------------------- */

static void add_species(dunlin_world *world) {
    static const dunlin_role roles[] = {
        [MEMORY] = DUNLIN_ROLE_VALUE, [MASS] = DUNLIN_ROLE_MASS, [SIGHT] = DUNLIN_ROLE_RADIUS_SCALE};
    static const char *const names[] = {[MEMORY] = "memory", [MASS] = "mass", [SIGHT] = "sight"};
    dunlin_species_def species = dunlin_species_def_default();
    species.name = "prey";
    world_add_species(world, &species);
    species.name = "hawks";
    species.max_speed = 2;
    species.clearance = 0.25f;
    species.obstacles_block = true;
    world_add_species(world, &species);
    for (int i = 0; i < 3; i++) {
        dunlin_attribute_def attribute = world_attribute(PREY, names[i], roles[i]);
        attribute.distribution = DUNLIN_DISTRIBUTION_EVEN;
        attribute.min_value = 0.5f;
        attribute.mutation = 0.125f;
        world_add_attribute(world, &attribute);
    }
}

static void add_interactions(dunlin_world *world) {
    dunlin_interaction_def own = world_flocking_rules(4), flee = world_interaction(PREY, HAWKS),
                           chase = world_interaction(HAWKS, PREY);
    own.rules[DUNLIN_RULE_COHESION].half_angle = 2;
    own.rules[DUNLIN_RULE_ALIGNMENT].min_radius = 1;
    own.nearest = 7;
    flee.rules[DUNLIN_RULE_SEPARATION].radius = flee.rules[DUNLIN_RULE_ALIGNMENT].radius = 6;
    flee.rules[DUNLIN_RULE_SEPARATION].falloff = DUNLIN_FALLOFF_LINEAR;
    flee.rules[DUNLIN_RULE_ALIGNMENT].response = DUNLIN_RESPONSE_UNIT;
    flee.in_turn = true;
    chase.rules[DUNLIN_RULE_COHESION].radius = 9;
    chase.rules[DUNLIN_RULE_COHESION].half_angle = 1;
    chase.max_neighbours = 5; /* those that are first in storage order */
    world_add_interaction(world, &own);
    world_add_interaction(world, &flee);
    world_add_interaction(world, &chase);
    dunlin_meal_def meal = dunlin_meal_def_default();
    meal.eater = HAWKS;
    meal.food = PREY;
    world_add_meal(world, &meal);
}

/* Noise that changes in each step, random vectors that are interpolated, and a trace of the prey. */
static void add_fields(dunlin_world *world) {
    for (int field = 0; field < FIELDS; field++) {
        dunlin_field_def def = dunlin_field_def_default(world);
        for (int a = 0; a < 2; a++) def.cells[a] = 9 + field;
        def.lookup = field == STEADY ? DUNLIN_LOOKUP_LINEAR : DUNLIN_LOOKUP_NEAREST;
        world_add_field(world, &def);
    }
    dunlin_field_source noise = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    noise.noise.rate = 0.3f;
    noise.noise.octaves = 3;
    ACCEPT(dunlin_world_fill_field(world, GUSTS, &noise, &refusal));
    const dunlin_field_source random = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
    ACCEPT(dunlin_world_fill_field(world, STEADY, &random, &refusal));
    dunlin_trace_def trail = dunlin_trace_def_default();
    trail.field = TRAIL;
    trail.diffusion = 0.2f;
    trail.evaporation = 0.1f;
    world_add_trace(world, &trail);
}

static void add_places(dunlin_world *world) {
    static const uint32_t followed[] = {11, 12, 40};
    float points[3][POINTS];
    const dunlin_world_def def = dunlin_world_get_def(world);
    test_random random = {7};
    dunlin_path_def path = dunlin_path_def_default(world);
    path.count = POINTS;
    for (int a = 0; a < def.dimensions; a++) {
        for (int i = 0; i < POINTS; i++) points[a][i] = test_uniform(&random, 0, def.size[a]);
        path.points[a] = points[a];
    }
    world_add_path(world, &path);
    path = dunlin_path_def_default(world);
    path.count = 3;
    path.agents = followed;
    world_add_path(world, &path);
    for (int i = 0; i < OBSTACLES; i++) {
        dunlin_obstacle_def o = dunlin_obstacle_def_default((dunlin_obstacle_shape)(i % 3));
        o.radius = test_uniform(&random, 0, 0.5f);
        for (int a = 0; a < 3; a++) {
            o.a[a] = test_uniform(&random, 0, def.size[a]);
            o.b[a] = o.a[a] + test_uniform(&random, 0, 2);
        }
        world_add_obstacle(world, &o);
    }
}

/* All kinds, except for bodies and attract, which other golden worlds have. */
static void add_behaviours(dunlin_world *world) {
    for (int kind = 0; kind < DUNLIN_BEHAVIOUR_COUNT; kind++) {
        dunlin_behaviour_def def = dunlin_behaviour_def_default(world, (dunlin_behaviour_kind)kind);
        if (kind == DUNLIN_BEHAVIOUR_BODY || kind == DUNLIN_BEHAVIOUR_ATTRACT) continue;
        def.weight = 0.2f;
        def.radius = 8;
        def.target.kind = kind % 2 ? DUNLIN_TARGET_NEAREST : DUNLIN_TARGET_CENTRE;
        def.target.species = def.sidestep.observed = def.adapt.observed = HAWKS;
        def.force[1] = 0.01f;
        def.linear_drag = 0.001f;
        def.contain.margin[0] = 5;
        def.flow.field = kind == DUNLIN_BEHAVIOUR_WIND ? STEADY : GUSTS;
        def.flow.look_ahead = 2;
        def.pairs = (dunlin_pairs){.observed = HAWKS, .radius = 3};
        connect_reserve(NULL, kind, &def);
        def.adapt.signal = DUNLIN_SIGNAL_NEAREST;
        def.adapt.attribute = MEMORY;
        world_add_behaviour(world, &def);
    }
    dunlin_behaviour_def along = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FOLLOW_PATH);
    along.species = HAWKS;
    along.follow.path = 1;
    world_add_behaviour(world, &along);
    dunlin_behaviour_def after = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PURSUE);
    after.species = HAWKS;
    after.target.velocity[0] = -1.5f;
    world_add_behaviour(world, &after);
    dunlin_behaviour_def climb = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_FLOW);
    climb.flow.field = TRAIL;
    climb.weight = 0.1f;
    world_add_behaviour(world, &climb);
    world_add_default(world, DUNLIN_BEHAVIOUR_WANDER);
}

void furnish_reserve(dunlin_world *world) {
    add_species(world);
    add_interactions(world);
    add_fields(world);
    add_places(world);
    add_behaviours(world);
}
