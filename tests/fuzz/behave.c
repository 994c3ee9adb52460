/* SPDX-License-Identifier: MIT */
/* Behaviours of every kind, first with all that each needs to work, then with other values. */
#include "tests/fuzz/simulation.h"

#include <math.h>

static int any_species(simulation *f) {
    return bytes_int(&f->bytes, 0, dunlin_world_species_count(f->world[0]) - 1);
}

static dunlin_target_kind any_target(simulation *f) {
    return (dunlin_target_kind)bytes_enum(&f->bytes, DUNLIN_TARGET_GROUP_LEADER + 1);
}

static void edit_target(simulation *f, dunlin_behaviour_def *def) {
    fuzz_bytes *b = &f->bytes;
    dunlin_target *target = &def->target;
    switch (bytes_choice(b, 7)) {
    case 0:
        target->kind = any_target(f);
        break;
    case 1:
        simulation_fill_vector(b, target->position, 0, 100);
        break;
    case 2:
        simulation_fill_vector(b, target->velocity, -2, 2);
        break;
    case 3:
        target->agent = bytes_choice(b, 8) ? bytes_choice(b, 256) : bytes_word(b);
        break;
    case 4:
        target->species = any_species(f);
        break;
    case 5:
        def->slowing_radius = bytes_number(b, 1, 20);
        break;
    default:
        def->pursuit.prediction = (dunlin_prediction)bytes_enum(b, 2);
        def->pursuit.time = bytes_number(b, 0, 20);
        break;
    }
}

static void edit_ahead(simulation *f, dunlin_ahead *ahead) {
    ahead->kind = (dunlin_ahead_kind)bytes_enum(&f->bytes, 2);
    ahead->distance = bytes_number(&f->bytes, 0, 30);
    ahead->time = bytes_number(&f->bytes, 0, 30);
}

static void edit_follow(simulation *f, dunlin_follow *follow) {
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 5)) {
    case 0:
        follow->path = bytes_int(b, 0, dunlin_world_path_count(f->world[0]));
        break;
    case 1:
        follow->radius = bytes_number(b, 0, 10);
        break;
    case 2:
        edit_ahead(f, &follow->prediction);
        break;
    case 3:
        edit_ahead(f, &follow->ahead);
        break;
    default:
        follow->off_segment = (dunlin_off_segment)bytes_enum(b, 3);
        break;
    }
}

static void edit_contain(simulation *f, dunlin_contain *contain) {
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 4)) {
    case 0:
        simulation_fill_vector(b, contain->margin, -1, 20);
        break;
    case 1:
        simulation_fill_vector(b, contain->min, 0, 30);
        break;
    case 2:
        simulation_fill_vector(b, contain->max, 30, 120);
        break;
    default:
        contain->corner = (dunlin_corner)bytes_enum(b, 2);
        break;
    }
}

static void edit_pairs(simulation *f, dunlin_behaviour_def *def) {
    if (bytes_choice(&f->bytes, 2))
        def->pairs.observed = any_species(f);
    else
        def->pairs.radius = bytes_number(&f->bytes, 0.5f, 8);
}

static void edit_adapt(simulation *f, dunlin_adapt *adapt) {
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 9)) {
    case 0:
        adapt->signal = (dunlin_signal)bytes_enum(b, DUNLIN_SIGNAL_FIELD + 1);
        break;
    case 1:
        adapt->observed = any_species(f);
        break;
    case 2:
        adapt->source = bytes_int(b, 0, 2);
        break;
    case 3:
        adapt->response = (dunlin_adapt_response)bytes_enum(b, 2);
        break;
    case 4:
        adapt->gain = bytes_number(b, -2, 2);
        break;
    case 5:
        adapt->offset = bytes_number(b, -1, 1);
        break;
    case 6:
        adapt->decay = bytes_number(b, 0, 1);
        adapt->rest = bytes_number(b, 0, 1);
        break;
    case 7:
        adapt->low = bytes_number(b, 0.1f, 0.5f);
        adapt->high = bytes_number(b, 0.5f, 1);
        break;
    default:
        adapt->rate = bytes_number(b, 0, 1);
        break;
    }
}

/* The fields that this kind reads. */
static void edit_kind(simulation *f, dunlin_behaviour_def *def) {
    fuzz_bytes *b = &f->bytes;
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_WANDER:
        def->wander.distance = bytes_number(b, 0, 10);
        def->wander.radius = bytes_number(b, 0.1f, 10);
        def->wander.jitter = bytes_number(b, 0.01f, 1);
        break;
    case DUNLIN_BEHAVIOUR_CONTAIN:
        edit_contain(f, &def->contain);
        break;
    case DUNLIN_BEHAVIOUR_FOLLOW_PATH:
        edit_follow(f, &def->follow);
        break;
    case DUNLIN_BEHAVIOUR_AVOID:
        def->avoid.look_ahead = bytes_number(b, 0, 20);
        def->avoid.agent_radius = bytes_number(b, 0, 3);
        break;
    case DUNLIN_BEHAVIOUR_SIDESTEP:
        def->sidestep.observed = any_species(f);
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
        break;
    case DUNLIN_BEHAVIOUR_PAIRS:
        edit_pairs(f, def);
        break;
    case DUNLIN_BEHAVIOUR_BODY:
        def->body = any_species(f);
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
    fuzz_bytes *b = &f->bytes;
    switch (bytes_choice(b, 10)) {
    case 0:
        def->species = any_species(f);
        break;
    case 1:
        def->weight = bytes_number(b, -2, 2);
        break;
    case 2:
        def->max_force = bytes_number(b, -1, 2);
        break;
    case 3:
        def->negate_force = !def->negate_force;
        break;
    case 4:
        def->radius = bytes_number(b, 0, 40);
        break;
    default:
        edit_kind(f, def);
        break;
    }
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
    const bool steers = def->kind <= DUNLIN_BEHAVIOUR_EVADE && target->kind >= DUNLIN_TARGET_GROUP_CENTRE;
    if (!steers || bytes_rarely(&f->bytes, 16)) return;
    simulation_give_role(f, target->species, DUNLIN_ROLE_GROUP);
    if (dunlin_world_get_species(f->world[0], def->species).body_of != target->species)
        simulation_give_role(f, def->species, DUNLIN_ROLE_GROUP);
}

/* An attribute that may adapt, and what it attends to. */
static void give_attribute(simulation *f, dunlin_behaviour_def *def) {
    static const dunlin_role roles[] = {
        DUNLIN_ROLE_VALUE,        DUNLIN_ROLE_MAX_SPEED,         DUNLIN_ROLE_MAX_FORCE,        DUNLIN_ROLE_MASS,
        DUNLIN_ROLE_RADIUS_SCALE, DUNLIN_ROLE_SEPARATION_WEIGHT, DUNLIN_ROLE_ALIGNMENT_WEIGHT, DUNLIN_ROLE_COHESION_WEIGHT,
        DUNLIN_ROLE_LEADERSHIP,   DUNLIN_ROLE_SINCE_MEAL};
    if (def->kind != DUNLIN_BEHAVIOUR_ADAPT) return;
    def->adapt.attribute = simulation_give_role(f, def->species, roles[bytes_choice(&f->bytes, sizeof roles / sizeof *roles)]);
    def->adapt.source = bytes_int(&f->bytes, 0, dunlin_world_attribute_count(f->world[0], def->species) - 1);
    def->adapt.threshold = bytes_number(&f->bytes, 0, 2);
    if (def->adapt.signal == DUNLIN_SIGNAL_FIELD) def->adapt.field = simulation_give_field(f);
}

static dunlin_behaviour_def make(simulation *f) {
    const int kind = bytes_enum(&f->bytes, DUNLIN_BEHAVIOUR_COUNT);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(f->world[0], (dunlin_behaviour_kind)kind);
    def.species = any_species(f);
    def.target.species = any_species(f);
    if (bytes_choice(&f->bytes, 3) == 2) def.target.kind = any_target(f);
    if (def.kind == DUNLIN_BEHAVIOUR_BODY) {
        def.body = any_species(f);
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
