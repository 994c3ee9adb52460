/* SPDX-License-Identifier: MIT */
/* Behaviours of every kind, first with all that each needs to work, then with other values. */
#include "tests/fuzz/simulation.h"

#include <math.h>

static dunlin_target_kind any_target(simulation *f) {
    return (dunlin_target_kind)bytes_enum(&f->bytes, DUNLIN_TARGET_GROUP_LEADER + 1);
}

static void edit_target(simulation *f, dunlin_behaviour_def *def) {
    static const fuzz_field fields[] = {
        FIELD(behaviour_def, ENUM, target.kind, 0, DUNLIN_TARGET_GROUP_LEADER + 1),
        FIELD(behaviour_def, VECTOR, target.position, 0, 100),
        FIELD(behaviour_def, VECTOR, target.velocity, -2, 2),
        FIELD(behaviour_def, SPECIES, target.species, 0, 0),
        FIELD(behaviour_def, NUMBER, slowing_radius, 1, 20),
        FIELD(behaviour_def, ENUM, pursuit.prediction, 0, 2),
        FIELD(behaviour_def, NUMBER, pursuit.time, 0, 20),
        FIELD(behaviour_def, NUMBER, pursuit.distance, 0, 20),
        FIELD(behaviour_def, NUMBER, attract.strength, -50, 50),
        FIELD(behaviour_def, NUMBER, attract.min_distance, 0.1f, 9),
        FIELD(behaviour_def, NUMBER, attract.max_distance, 9, 40),
        FIELD(behaviour_def, INT, attract.power, 0, 3),
    };
    fuzz_bytes *b = &f->bytes;
    if (EDIT(f, def, fields, 13) == 12) def->target.agent = bytes_choice(b, 8) ? bytes_choice(b, 256) : bytes_word(b);
}

static void edit_ahead(simulation *f, dunlin_ahead *ahead) {
    ahead->distance = bytes_number(&f->bytes, 0, 30);
    ahead->time = bytes_number(&f->bytes, 0, 30);
}

static void edit_follow(simulation *f, dunlin_follow *follow) {
    static const fuzz_field fields[] = {FIELD(follow, NUMBER, radius, 0, 10), FIELD(follow, ENUM, off_segment, 0, 3),
                                        FIELD(follow, NUMBER, ahead_share, 0, 2)};
    const unsigned choice = EDIT(f, follow, fields, 6);
    if (choice == 3) follow->path = bytes_int(&f->bytes, 0, dunlin_world_path_count(f->world[0]));
    if (choice > 3) edit_ahead(f, choice == 4 ? &follow->prediction : &follow->ahead);
}

static void edit_contain(simulation *f, dunlin_contain *contain) {
    static const fuzz_field fields[] = {FIELD(contain, VECTOR, margin, -1, 20), FIELD(contain, VECTOR, min, 0, 30),
                                        FIELD(contain, VECTOR, max, 30, 120), FIELD(contain, ENUM, corner, 0, 2)};
    EDIT(f, contain, fields, 4);
}

static void edit_pairs(simulation *f, dunlin_behaviour_def *def) {
    if (bytes_choice(&f->bytes, 2))
        def->pairs.observed = simulation_any_species(f);
    else
        def->pairs.radius = bytes_number(&f->bytes, 0.5f, 8);
}

static void edit_adapt(simulation *f, dunlin_adapt *adapt) {
    static const fuzz_field fields[] = {
        FIELD(adapt, ENUM, signal, 0, DUNLIN_SIGNAL_FIELD + 1),
        FIELD(adapt, SPECIES, observed, 0, 0),
        FIELD(adapt, INT, source, 0, 2),
        FIELD(adapt, ENUM, response, 0, 2),
        FIELD(adapt, NUMBER, gain, -2, 2),
        FIELD(adapt, NUMBER, offset, -1, 1),
        FIELD(adapt, NUMBER, decay, 0, 1),
        FIELD(adapt, NUMBER, rest, 0, 1),
        FIELD(adapt, NUMBER, low, 0.1f, 0.5f),
        FIELD(adapt, NUMBER, high, 0.5f, 1),
        FIELD(adapt, NUMBER, rate, 0, 1),
    };
    EDIT(f, adapt, fields, 11);
}

/* The fields that this kind reads. */
static void edit_kind(simulation *f, dunlin_behaviour_def *def) {
    fuzz_bytes *b = &f->bytes;
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_WANDER:
        def->wander.distance = bytes_number(b, 0, 10);
        def->wander.radius = bytes_number(b, 0.1f, 10);
        def->wander.angle_change = bytes_number(b, 0.01f, 3.14159274f);
        break;
    case DUNLIN_BEHAVIOUR_CONTAIN:
        edit_contain(f, &def->contain);
        break;
    case DUNLIN_BEHAVIOUR_FOLLOW_PATH:
        edit_follow(f, &def->follow);
        break;
    case DUNLIN_BEHAVIOUR_AVOID:
        def->avoid.look_ahead = bytes_number(b, 0, 20);
        def->avoid.look_distance = bytes_number(b, 0, 20);
        def->avoid.agent_radius = bytes_number(b, 0, 3);
        break;
    case DUNLIN_BEHAVIOUR_SIDESTEP:
        def->sidestep.observed = simulation_any_species(f);
        def->sidestep.half_angle = bytes_number(b, 0.1f, 3.14f);
        break;
    case DUNLIN_BEHAVIOUR_FORCE:
        simulation_fill_vector(b, def->force, -1, 1);
        break;
    case DUNLIN_BEHAVIOUR_DRAG:
        def->linear_drag = bytes_number(b, 0, 1);
        def->quadratic_drag = bytes_number(b, 0, 1);
        break;
    case DUNLIN_BEHAVIOUR_FLOW:
    case DUNLIN_BEHAVIOUR_WIND:
        def->flow.field = bytes_int(b, 0, dunlin_world_field_count(f->world[0]) - 1);
        def->flow.look_ahead = bytes_number(b, 0, 10);
        def->flow.look_distance = bytes_number(b, 0, 10);
        break;
    case DUNLIN_BEHAVIOUR_PAIRS:
        edit_pairs(f, def);
        break;
    case DUNLIN_BEHAVIOUR_BODY:
        def->body = simulation_any_species(f);
        break;
    case DUNLIN_BEHAVIOUR_ADAPT:
        edit_adapt(f, &def->adapt);
        break;
    default:
        edit_target(f, def);
        break;
    }
}

static void edit_behaviour(simulation *f, dunlin_behaviour_def *def) {
    static const fuzz_field fields[] = {
        FIELD(behaviour_def, SPECIES, species, 0, 0),   FIELD(behaviour_def, NUMBER, weight, -2, 2),
        FIELD(behaviour_def, NUMBER, max_force, -1, 2), FIELD(behaviour_def, FLAG, negate_force, 0, 0),
        FIELD(behaviour_def, NUMBER, radius, 0, 40),
    };
    if (EDIT(f, def, fields, 10) > 4) edit_kind(f, def);
}

/* A callback of its own, whose plan says how far it may observe others. */
static void give_callback(simulation *f, dunlin_behaviour_def *def) {
    if (def->kind != DUNLIN_BEHAVIOUR_CUSTOM && def->kind != DUNLIN_BEHAVIOUR_PAIRS) return;
    simulation_plan *plan = simulation_make_plan(f);
    def->user = plan;
    def->custom = plan && def->kind == DUNLIN_BEHAVIOUR_CUSTOM ? simulation_tile : NULL;
    def->pairs.callback = plan && def->kind == DUNLIN_BEHAVIOUR_PAIRS ? simulation_group : NULL;
    if (plan) plan->radius = def->pairs.radius;
    const int value = plan ? simulation_give_role(f, def->species, DUNLIN_ROLE_VALUE) : -1; /* to write, inherit, and live on */
    if (plan && def->kind == DUNLIN_BEHAVIOUR_CUSTOM) def->vital = plan->seed % 4 == 0 ? value : -1;
}

/* A callback that observes others needs at least this radius. */
static void give_radius(simulation *f, dunlin_behaviour_def *def) {
    const bool looks = def->target.kind == DUNLIN_TARGET_NEAREST || def->target.kind == DUNLIN_TARGET_CENTRE;
    const bool must_look = def->kind == DUNLIN_BEHAVIOUR_SIDESTEP || def->kind == DUNLIN_BEHAVIOUR_ADAPT;
    if ((looks || must_look) && isinf(def->radius)) def->radius = bytes_number(&f->bytes, 1, 15);
}

/* A target that is about groups needs species with groups; a body knows that for which it stands. */
static void give_target(simulation *f, const dunlin_behaviour_def *def) {
    const dunlin_target *target = &def->target;
    const bool aims = def->kind <= DUNLIN_BEHAVIOUR_EVADE || def->kind == DUNLIN_BEHAVIOUR_ATTRACT;
    const bool steers = aims && target->kind >= DUNLIN_TARGET_GROUP_CENTRE;
    if (!steers || bytes_rarely(&f->bytes, 16)) return;
    simulation_give_role(f, target->species, DUNLIN_ROLE_GROUP);
    if (dunlin_world_get_species(f->world[0], def->species).body_of != target->species)
        simulation_give_role(f, def->species, DUNLIN_ROLE_GROUP);
}

/* An attribute that may adapt, and what it attends to. */
static void give_attribute(simulation *f, dunlin_behaviour_def *def) {
    static const dunlin_role roles[] = {DUNLIN_ROLE_VALUE,
                                        DUNLIN_ROLE_MAX_SPEED,
                                        DUNLIN_ROLE_MAX_FORCE,
                                        DUNLIN_ROLE_MASS,
                                        DUNLIN_ROLE_RADIUS_SCALE,
                                        DUNLIN_ROLE_SEPARATION_WEIGHT,
                                        DUNLIN_ROLE_ALIGNMENT_WEIGHT,
                                        DUNLIN_ROLE_COHESION_WEIGHT,
                                        DUNLIN_ROLE_LEADERSHIP,
                                        DUNLIN_ROLE_SINCE_MEAL,
                                        DUNLIN_ROLE_COHESION_RADIUS_SCALE};
    if (def->kind != DUNLIN_BEHAVIOUR_ADAPT) return;
    def->adapt.attribute = simulation_give_role(f, def->species, roles[bytes_choice(&f->bytes, sizeof roles / sizeof *roles)]);
    def->adapt.source = bytes_int(&f->bytes, 0, dunlin_world_attribute_count(f->world[0], def->species) - 1);
    def->adapt.threshold = bytes_number(&f->bytes, 0, 2);
    if (def->adapt.signal == DUNLIN_SIGNAL_FIELD) def->adapt.field = simulation_give_field(f);
}

static dunlin_behaviour_def make(simulation *f) {
    const int kind = bytes_enum(&f->bytes, DUNLIN_BEHAVIOUR_COUNT);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(f->world[0], (dunlin_behaviour_kind)kind);
    def.species = simulation_any_species(f);
    def.target.species = simulation_any_species(f);
    if (bytes_choice(&f->bytes, 3) == 2) def.target.kind = any_target(f);
    if (def.kind == DUNLIN_BEHAVIOUR_BODY) {
        def.body = simulation_any_species(f);
        def.species = dunlin_world_get_species(f->world[0], def.body).body_of;
    }
    def.adapt.signal = (dunlin_signal)bytes_choice(&f->bytes, DUNLIN_SIGNAL_FIELD + 1);
    def.adapt.response = (dunlin_adapt_response)bytes_choice(&f->bytes, 2);
    def.adapt.low = 0.25f;
    for (unsigned edits = bytes_choice(&f->bytes, 6); edits > 0; edits--) edit_behaviour(f, &def);
    give_radius(f, &def);
    give_callback(f, &def);
    give_target(f, &def);
    give_attribute(f, &def);
    return def;
}

void simulation_add_behaviour(simulation *f) {
    const dunlin_behaviour_def def = make(f);
    AGREE(f, dunlin_world_add_behaviour(world, &def, NULL, &error))
}

/* Its target's present place, or another target. */
void simulation_set_behaviour(simulation *f) {
    const int number = bytes_int(&f->bytes, 0, dunlin_world_behaviour_count(f->world[0]) - 1);
    const unsigned edits = bytes_choice(&f->bytes, 5);
    dunlin_behaviour_def def = dunlin_world_get_behaviour(f->world[0], number);
    if (edits == 4)
        def = make(f);
    else {
        for (unsigned e = 0; e < edits; e++) edit_behaviour(f, &def);
        give_callback(f, &def);
        give_target(f, &def);
    }
    AGREE(f, dunlin_world_set_behaviour(world, number, &def, &error))
}
