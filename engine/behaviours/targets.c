/* SPDX-License-Identifier: MIT */
/* Seek, flee, arrive, pursue and evade: steering by a target; and attract, the force of gravity towards it. */
#include "engine/behaviours/targets.h"

#include <math.h>

#include "engine/behaviours/type.h"
#include "engine/base/check.h"
#include "engine/groups/groups.h"
#include "engine/world/edges.h"
#include "engine/world/frame.h"
#include "engine/world/interaction.h"
#include "engine/world/species.h"

/* ---- places that move ------------------------------------------------------------------------------------------------- */

static float wrap(double x, float size) {
    const float around = (float)(x - (double)size * floor(x / (double)size));
    return around >= 0.0f && around < size ? around : 0.0f;
}

void dun_target_place(const dunlin_world *world, const dun_behaviour *behaviour, float position[3]) {
    const dunlin_target *target = &behaviour->def.target;
    const double time = world->stats.time - behaviour->since; /* below 0 after an older state has been loaded */
    for (int a = 0; a < world->def.dimensions; a++) {
        const double moved = (double)target->position[a] + (double)target->velocity[a] * time;
        position[a] = (float)fmax(fmin(moved, (double)DUN_MAX_TARGET), -(double)DUN_MAX_TARGET);
        if (dun_repeats(&world->def, a)) position[a] = wrap(moved, world->def.size[a]);
    }
}

bool dun_target_moves(const dunlin_world *world, const dun_behaviour *behaviour) {
    const dunlin_target *target = &behaviour->def.target;
    bool any = false;
    for (int a = 0; a < world->def.dimensions; a++) any = any || target->velocity[a] != 0.0f;
    return any && target->kind == DUNLIN_TARGET_POINT && behaviour->type->has_target;
}

bool dun_target_goes_on(const dunlin_world *world, const dun_behaviour *behaviour, const dunlin_target *target) {
    float now[3];
    bool same = dun_target_moves(world, behaviour) && target->kind == DUNLIN_TARGET_POINT;
    dun_target_place(world, behaviour, now);
    for (int a = 0; a < world->def.dimensions; a++)
        same = same && target->position[a] == now[a] && target->velocity[a] == behaviour->def.target.velocity[a];
    return same;
}

void dun_targets_rebase(dunlin_world *world) {
    for (int b = 0; b < world->behaviour_count; b++) {
        dun_behaviour *behaviour = &world->behaviours[b];
        if (!dun_target_moves(world, behaviour)) continue;
        dun_target_place(world, behaviour, behaviour->def.target.position);
        behaviour->since = world->stats.time;
    }
}

/* ---- definitions ------------------------------------------------------------------------------------------------------ */

static bool observes_others(const dunlin_behaviour_def *def) {
    return def->target.kind == DUNLIN_TARGET_NEAREST || def->target.kind == DUNLIN_TARGET_CENTRE;
}

static bool names_species(const dunlin_behaviour_def *def) {
    return observes_others(def) || dun_target_is_group(&def->target);
}

static bool predicts(const dunlin_behaviour_def *def) {
    return def->kind == DUNLIN_BEHAVIOUR_PURSUE || def->kind == DUNLIN_BEHAVIOUR_EVADE;
}

/* Both species know groups by number. */
static dunlin_result check_target_groups(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dunlin_species_def *own = &world->species[def->species]->def;
    if (world->species[def->target.species]->def.groups == 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.target.species is %d: that species has no groups",
                        def->target.species);
    if (own->groups > 0 || own->body_of == def->target.species) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.species is %d: the species has no groups and no bodies of species %d",
                    def->species, def->target.species);
}

/* Attributes may be added later than the behaviours. */
static dunlin_result check_attributes(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    if (!dun_target_is_group(&def->target)) return DUNLIN_OK;
    const dunlin_result result = dun_groups_check(world, def->target.species, def->target.species, error);
    return result ? result : dun_groups_check(world, def->species, def->target.species, error);
}

static dunlin_result check_attract(const dunlin_attract *attract, dunlin_error *error) {
    const dun_number numbers[] = {{(double)attract->max_distance,
                                   {"behaviour.attract.max_distance", (double)attract->min_distance, 1e9, false,
                                    "world units (behaviour.attract.min_distance)"}},
                                  {(double)attract->power, {"behaviour.attract.power", 0, 3, false, NULL}}};
    return dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
}

static dunlin_result check_target(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const dun_limits any_radius = {"behaviour.radius", 0, (double)INFINITY, false, "world units"};
    const dunlin_target *target = &def->target;
    const int dimensions = world->def.dimensions;
    dunlin_result result = dun_check_choice((int)target->kind, "behaviour.target.kind", &dun_names_of_target, error);
    if (!result && dun_target_is_group(target)) result = check_target_groups(world, def, error);
    if (!result && target->kind == DUNLIN_TARGET_POINT) {
        result = dun_check_vector(target->position, dimensions, "behaviour.target.position", error);
        if (!result) result = dun_check_vector(target->velocity, dimensions, "behaviour.target.velocity", error);
    }
    if (!result) result = dun_check((double)def->radius, &any_radius, error);
    if (!result && def->sight_blocked && dun_target_is_group(target))
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.sight_blocked: no obstacle hides a group, set it to false");
    if (!result && def->kind == DUNLIN_BEHAVIOUR_ATTRACT) result = check_attract(&def->attract, error);
    if (result || !predicts(def)) return result;
    return dun_check_choice((int)def->pursuit.prediction, "behaviour.pursuit.prediction", &dun_names_of_prediction, error);
}

static dun_interaction observe_target(const dunlin_world *world, const dunlin_behaviour_def *def) {
    if (!observes_others(def)) return (dun_interaction){0};
    return dun_behaviour_observe(world, def, def->target.species, def->target.kind == DUNLIN_TARGET_NEAREST);
}

static void set_power(const dunlin_world *world, dunlin_behaviour_def *def) {
    (void)world;
    def->attract.power = 2;
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

/* Finds where the target is and where it goes, unless each agent has its own. false: there is none. */
static bool find_target(const dun_frame *f, const dun_behaviour *behaviour, dun_behave_target *now) {
    const dunlin_world *world = f->world;
    const dunlin_target *target = &behaviour->def.target;
    if (target->kind == DUNLIN_TARGET_POINT) {
        dun_target_place(world, behaviour, now->position);
        for (int a = 0; a < world->def.dimensions; a++) now->velocity[a] = target->velocity[a];
        return true;
    }
    if (f->named)
        return dun_named_take(&f->named[behaviour - world->behaviours], world->def.dimensions, now->position, now->velocity);
    const dunlin_slot at = dun_frame_find(f, target->agent);
    for (int a = 0; a < world->def.dimensions && at.species >= 0; a++) {
        now->position[a] = f->snapshot[at.species]->position[a][at.index];
        now->velocity[a] = f->snapshot[at.species]->velocity[a][at.index];
    }
    return at.species >= 0;
}

/* Group velocities are targets ahead of agents, wherever the groups are. */
static dun_behave_groups groups_of(const dunlin_world *world, const dunlin_target *target) {
    const struct dun_group_table *table = world->species[target->species]->groups;
    const bool leads = target->kind == DUNLIN_TARGET_GROUP_LEADER, ahead = target->kind == DUNLIN_TARGET_GROUP_VELOCITY;
    dun_behave_groups groups = {.last = (float)(table->count - 1), .there = table->there};
    for (int a = 0; a < world->def.dimensions; a++) {
        groups.velocity[a] = leads ? table->leader_velocity[a] : table->velocity[a];
        if (!ahead) groups.place[a] = leads ? table->leader_place[a] : table->centre[a];
    }
    return groups;
}

static bool prepare_target(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_behaviour_def *def = &behaviour->def;
    job->target = (dun_behave_target){
        .radius2 = def->radius * def->radius,
        .away = def->kind == DUNLIN_BEHAVIOUR_FLEE || def->kind == DUNLIN_BEHAVIOUR_EVADE,
        .slows = def->kind == DUNLIN_BEHAVIOUR_ARRIVE,
        .slowing_radius = def->slowing_radius,
        .predicts = predicts(def),
        .by_distance = def->pursuit.prediction == DUNLIN_PREDICTION_BY_DISTANCE,
        .ahead = {def->pursuit.distance, def->pursuit.time},
        .attract = {def->attract.strength, def->attract.min_distance, def->attract.max_distance, def->attract.power}};
    if (dun_target_is_group(&def->target)) job->groups = groups_of(f->world, &def->target);
    return names_species(def) || find_target(f, behaviour, &job->target);
}

/* Sums over one observed agent, the target, for those agents of the tile that see it. */
static void see_target(const dun_frame *f, const dun_tile *tile, const dun_behave_target *target, dun_behave_others *others) {
    const dunlin_world *world = f->world;
    const dun_rule_selection rules[3] = {{.r2 = -1.0f}, {target->radius2, 0.0f, DUN_ALL_AROUND, DUN_KIN_ALL}, rules[1]};
    const dun_range range = {.end = 1, .folds = (uint8_t)dun_axes_with(&world->def, DUNLIN_BOUNDARY_PERIODIC)};
    const dun_shape shape = {.dimensions = world->def.dimensions, .alignment = true, .cohesion = true, .nested = true};
    const dun_sums *sums = &tile->scratch->sums;
    dun_sight sight = {&world->obstacles.bins, tile->kernel->interact(&shape), dun_selection_of(rules, 0, 0, false)};
    float position[3][1 + DUN_PADDING] = {{0}}, velocity[3][1 + DUN_PADDING] = {{0}};
    dun_interact job = dun_interact_between(world, f->snapshot[tile->species], f->snapshot[tile->species]);
    job.own = false;
    job.shape = shape;
    job.max_r2 = target->radius2;
    job.separation_r2 = -1.0f;
    job.sight = &sight;
    sight.selection.plain = false;
    for (int a = 0; a < shape.dimensions; a++) {
        position[a][0] = target->position[a];
        velocity[a][0] = target->velocity[a];
        job.position[a] = position[a];
        job.velocity[a] = velocity[a];
        others->offset[a] = sums->offset[a];
        others->velocity[a] = sums->velocity[a];
    }
    others->seen = sums->seen;
    tile->kernel->sight[shape.dimensions - 2](&job, (dun_packet){tile->begin, tile->end - tile->begin}, &range, 1, sums, 0);
}

/* The numbers by which the tile's agents know their groups, or which of them see the target. */
static void find_others(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour, dun_behave_others *others) {
    const dunlin_target *target = &behaviour->def.target;
    if (dun_target_is_group(target))
        others->group = dun_groups_own(f->world, tile->species, f->snapshot[tile->species], target->species) + tile->begin;
    else if (behaviour->def.sight_blocked && !observes_others(&behaviour->def) && f->world->obstacles.count > 0)
        see_target(f, tile, &f->memory->acts[behaviour - f->world->behaviours].job.target, others);
}

/* ---- the kinds -------------------------------------------------------------------------------------------------------- */

#define BY_TARGET(does)                                                                                                        \
    .has_target = true, .reference = {DUN_REFERENCE(target.species, DUN_LIST_SPECIES), .used = names_species},                 \
    .check = check_target, .check_step = check_attributes, .look = observe_target, .prepare = prepare_target,                  \
    .others = find_others, .kernel = DUN_BEHAVE_##does

#define PREDICTS                                                                                                               \
    .numbers = {DUN_NUMBER(pursuit.time, 10.0f, 0, 1e6, false, "time units"),                                                  \
                DUN_NUMBER(pursuit.distance, 0.0f, 0, 1e9, false, "world units")}

const dun_behaviour_type dun_seek_behaviour = {.name = "seek", BY_TARGET(TARGET)};
const dun_behaviour_type dun_flee_behaviour = {.name = "flee", BY_TARGET(TARGET)};
const dun_behaviour_type dun_arrive_behaviour = {
    .name = "arrive", .numbers = {DUN_NUMBER(slowing_radius, 10.0f, 0, 1e9, true, "world units")}, BY_TARGET(TARGET)};
const dun_behaviour_type dun_pursue_behaviour = {.name = "pursue", PREDICTS, BY_TARGET(TARGET)};
const dun_behaviour_type dun_evade_behaviour = {.name = "evade", PREDICTS, BY_TARGET(TARGET)};
const dun_behaviour_type dun_attract_behaviour = {
    .name = "attract",
    .pushes = true,
    .numbers = {DUN_NUMBER(attract.strength, 20.0f, -1e9, 1e9, false, NULL),
                DUN_NUMBER(attract.min_distance, 5.0f, (double)1e-9f, 1e9, false, "world units"),
                DUN_NUMBER(attract.max_distance, 25.0f, (double)1e-9f, 1e9, false, "world units")},
    .set_default = set_power,
    BY_TARGET(ATTRACT)};
