/* SPDX-License-Identifier: MIT */
/* The world's behaviours: adding, asking and changing. What one kind does stands in its own file. */
#include "engine/behaviours/behaviour.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/random.h"
#include "engine/behaviours/targets.h"
#include "engine/behaviours/type.h"
#include "engine/scenery/field.h"
#include "engine/scenery/path.h"
#include "engine/world/world.h"

#define ENTRY(kind, type) [kind] = &(type),
static const dun_behaviour_type *const types[DUNLIN_BEHAVIOUR_COUNT] = {DUN_BEHAVIOUR_TABLE(ENTRY)};

/* A definition's kind may change later, so the fields of all kinds get their defaults. */
dunlin_behaviour_def dunlin_behaviour_def_default(const dunlin_world *world, dunlin_behaviour_kind kind) {
    dunlin_behaviour_def def = {.cookie = DUN_COOKIE, .kind = kind, .weight = 1.0f, .max_force = -1.0f, .radius = INFINITY};
    for (int k = 0; k < DUNLIN_BEHAVIOUR_COUNT; k++)
        if (types[k]->set_default) types[k]->set_default(world, &def);
    return def;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

dunlin_result dun_check_sight(const dunlin_behaviour_def *def, dunlin_error *error) {
    static const dun_range any_radius = {"behaviour.radius", (double)1e-9f, 1e9, false, "world units, to observe others"};
    return dun_check((double)def->radius, &any_radius, error);
}

static dunlin_result check_kind(dunlin_behaviour_kind kind, dunlin_error *error) {
    char names[256];
    int length = 0;
    if ((unsigned)kind < DUNLIN_BEHAVIOUR_COUNT) return DUNLIN_OK;
    for (int k = 0; k < DUNLIN_BEHAVIOUR_COUNT && length < (int)sizeof names; k++)
        length += snprintf(names + length, sizeof names - (size_t)length, "%s%s (%d)", k ? ", " : "", types[k]->name, k);
    return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.kind is %d: it must be one of %s", (int)kind, names);
}

static dunlin_result check_behaviour(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const dun_range any_weight = {"behaviour.weight", -1e6, 1e6, false, NULL};
    static const dun_range any_max_force = {"behaviour.max_force", 0, 1e9, false, "(or below 0: the species')"};
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_behaviour_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_behaviour_def", error);
    if (!result) result = dun_check_position(def->species, world->species_count, "behaviour.species", " species", error);
    if (!result) result = dun_check((double)def->weight, &any_weight, error);
    if (!result && !(def->max_force < 0.0f)) result = dun_check((double)def->max_force, &any_max_force, error);
    if (!result) result = check_kind(def->kind, error);
    return result ? result : types[def->kind]->check(world, def, error);
}

static dunlin_result check_number(const dunlin_world *world, int behaviour, dunlin_error *error) {
    return dun_check_position(behaviour, world->behaviour_count, "behaviour", "", error);
}

/* An attribute may weigh this behaviour: then it must stay with its species, and cannot become a callback. */
static dunlin_result check_weighted(const dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                    dunlin_error *error) {
    const int number = world->behaviours[behaviour].def.species;
    const dun_species *species = world->species[number];
    for (int i = 0; i < species->attribute_count; i++) {
        const dunlin_attribute_def *attribute = &species->attribute[i].def;
        if (attribute->role != DUNLIN_ROLE_BEHAVIOUR_WEIGHT || attribute->behaviour != behaviour) continue;
        if (def->species != number)
            return dun_fail(error, DUNLIN_ERROR_VALUE,
                            "behaviour.species is %d: it must stay %d, whose attribute '%s' weighs this behaviour",
                            def->species, number, attribute->name);
        if (dun_behaviour_calls_back(def))
            return dun_fail(error, DUNLIN_ERROR_VALUE,
                            "behaviour.kind is %d: a callback has no weight, and attribute '%s' weighs this behaviour",
                            (int)def->kind, attribute->name);
    }
    return DUNLIN_OK;
}

/* ---- adding, asking, changing ----------------------------------------------------------------------------------------- */

static dun_behaviour behaviour_of(const dunlin_world *world, const dunlin_behaviour_def *def) {
    dun_behaviour made = {.def = *def, .type = types[def->kind], .since = world->stats.time};
    if (made.type->look) made.sums = made.type->look(world, def);
    made.look = made.sums.look;
    return made;
}

/* dun_world_prepare() reserves memory by what behaviours observe, and by which species call back. */
static bool to_prepare(const dun_behaviour *behaviour) {
    return behaviour->def.kind == DUNLIN_BEHAVIOUR_CUSTOM || behaviour->look.radius > 0.0f;
}

dunlin_result dunlin_world_add_behaviour(dunlin_world *world, const dunlin_behaviour_def *def, int *behaviour,
                                         dunlin_error *error) {
    const dunlin_result result = check_behaviour(world, def, error);
    if (result) return result;
    dun_behaviour *grown = realloc(world->behaviours, ((size_t)world->behaviour_count + 1) * sizeof *grown);
    if (!grown) return dun_fail_memory(error, "a behaviour");
    world->behaviours = grown;
    grown[world->behaviour_count] = behaviour_of(world, def);
    world->prepared = false;
    if (behaviour) *behaviour = world->behaviour_count;
    world->behaviour_count++;
    return DUNLIN_OK;
}

int dunlin_world_behaviour_count(const dunlin_world *world) {
    return world->behaviour_count;
}

dunlin_behaviour_def dunlin_world_get_behaviour(const dunlin_world *world, int behaviour) {
    if (check_number(world, behaviour, NULL)) return (dunlin_behaviour_def){0};
    dunlin_behaviour_def def = world->behaviours[behaviour].def;
    dun_target_place(world, &world->behaviours[behaviour], def.target.position);
    return def;
}

dunlin_result dunlin_world_set_behaviour(dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                         dunlin_error *error) {
    dunlin_result result = check_number(world, behaviour, error);
    if (!result) result = check_behaviour(world, def, error);
    if (!result) result = check_weighted(world, behaviour, def, error);
    if (result) return result;
    dun_behaviour *changed = &world->behaviours[behaviour];
    dun_behaviour now = behaviour_of(world, def);
    world->prepared = world->prepared && !to_prepare(&now) && !to_prepare(changed);
    /* The target's present place is rounded: restarting there would give other bits. */
    if (dun_target_goes_on(world, changed, &def->target)) {
        memcpy(now.def.target.position, changed->def.target.position, sizeof now.def.target.position);
        now.since = changed->since;
    }
    *changed = now;
    return DUNLIN_OK;
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

/* Where the target is, and where it goes, unless it is each agent's own; false: there is none. */
static bool find_target(const dun_frame *f, const dun_behaviour *behaviour, dun_behave_target *now) {
    const dunlin_world *world = f->world;
    const dunlin_target *target = &behaviour->def.target;
    if (target->kind == DUNLIN_TARGET_POINT) {
        dun_target_place(world, behaviour, now->position);
        for (int a = 0; a < world->def.dimensions; a++) now->velocity[a] = target->velocity[a];
        return true;
    }
    if (target->kind != DUNLIN_TARGET_AGENT) return true;
    const dunlin_slot at = dun_frame_find(f, target->agent);
    for (int a = 0; a < world->def.dimensions && at.species >= 0; a++) {
        now->position[a] = f->snapshot[at.species]->position[a][at.index];
        now->velocity[a] = f->snapshot[at.species]->velocity[a][at.index];
    }
    return at.species >= 0;
}

static void prepare_target(const dun_frame *f, const dun_behaviour *behaviour, dun_act *act) {
    const dunlin_behaviour_def *def = &behaviour->def;
    dun_behave_target *target = &act->job.target;
    *target = (dun_behave_target){.radius2 = def->radius * def->radius,
                                  .away = def->kind == DUNLIN_BEHAVIOUR_FLEE || def->kind == DUNLIN_BEHAVIOUR_EVADE,
                                  .slows = def->kind == DUNLIN_BEHAVIOUR_ARRIVE,
                                  .slowing_radius = def->slowing_radius,
                                  .predicts = def->kind == DUNLIN_BEHAVIOUR_PURSUE || def->kind == DUNLIN_BEHAVIOUR_EVADE,
                                  .by_distance = def->pursuit.prediction == DUNLIN_PREDICTION_BY_DISTANCE,
                                  .time = def->pursuit.time};
    act->acts = find_target(f, behaviour, target);
}

/* Binary64 is exact here for the first 2^29 steps, and after them the same everywhere. */
static void prepare_wander(const dunlin_world *world, const dun_behaviour *behaviour, dun_behave_wander *wander) {
    const dunlin_wander *def = &behaviour->def.wander;
    const uint32_t number = (uint32_t)(behaviour - world->behaviours);
    const double passed = (double)def->jitter * (double)world->stats.step, whole = floor(passed);
    *wander = (dun_behave_wander){.distance = def->distance,
                                  .radius = def->radius,
                                  .key = {(uint32_t)world->def.seed, (uint32_t)(world->def.seed >> 32)},
                                  .stream = dun_stream(DUN_DRAW_WANDER, number),
                                  .direction = (uint64_t)fmod(whole, 0x1p64),
                                  .share = (float)(passed - whole)};
}

static void prepare_contain(const dunlin_contain *def, int dimensions, dun_behave_contain *contain) {
    *contain = (dun_behave_contain){.last = def->corner == DUNLIN_CORNER_LAST};
    for (int a = 0; a < dimensions; a++) {
        const bool walled = def->margin[a] >= 0.0f;
        contain->low[a] = walled ? def->low[a] + def->margin[a] : -INFINITY;
        contain->high[a] = walled ? def->high[a] - def->margin[a] : INFINITY;
    }
}

static void prepare_follow(const dunlin_world *world, const dunlin_follow *def, dun_act *act) {
    const dun_path *path = &world->paths[def->path];
    const bool predicts_by_speed = def->prediction.kind == DUNLIN_AHEAD_BY_SPEED;
    const bool ahead_by_speed = def->ahead.kind == DUNLIN_AHEAD_BY_SPEED;
    act->acts = path->whole;
    act->job.path = (dun_behave_path){.line = &path->line,
                                      .off = (dun_path_off)def->off_segment,
                                      .radius2 = def->radius * def->radius,
                                      .predicts_by_speed = predicts_by_speed,
                                      .ahead_by_speed = ahead_by_speed,
                                      .prediction = predicts_by_speed ? def->prediction.time : def->prediction.distance,
                                      .ahead = ahead_by_speed ? def->ahead.time : def->ahead.distance};
}

static dun_varied max_force_of(const dunlin_behaviour_def *def, const dun_species *species, const dun_agents *agents) {
    if (def->max_force >= 0.0f) return (dun_varied){.all = def->max_force};
    const bool steers =
        def->kind != DUNLIN_BEHAVIOUR_FORCE && def->kind != DUNLIN_BEHAVIOUR_DRAG && def->kind != DUNLIN_BEHAVIOUR_WIND;
    if (!steers) return (dun_varied){.all = INFINITY};
    return dun_attribute_varied(species, agents, DUNLIN_ROLE_MAX_FORCE, species->def.max_force);
}

static void prepare_behaviour(const dun_frame *f, const dun_behaviour *behaviour, dun_act *act) {
    const dunlin_world *world = f->world;
    const dunlin_behaviour_def *def = &behaviour->def;
    const dun_species *group = world->species[def->species];
    const dunlin_species_def *species = &group->def;
    const dun_agents *agents = f->snapshot[def->species];
    dun_behave *job = &act->job;
    *job = (dun_behave){.dimensions = world->def.dimensions,
                        .periodic = world->def.boundary == DUNLIN_BOUNDARY_PERIODIC,
                        .max_speed = dun_attribute_varied(group, agents, DUNLIN_ROLE_MAX_SPEED, species->max_speed),
                        .max_force = max_force_of(def, group, agents),
                        .weight = {def->negate_force ? -def->weight : def->weight,
                                   dun_behaviour_weights(group, agents, (int)(behaviour - world->behaviours))}};
    for (int a = 0; a < world->def.dimensions; a++) job->size[a] = world->def.size[a];
    act->acts = true;
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_WANDER:
        act->kind = DUN_BEHAVE_WANDER;
        prepare_wander(world, behaviour, &job->wander);
        break;
    case DUNLIN_BEHAVIOUR_CONTAIN:
        act->kind = DUN_BEHAVE_CONTAIN;
        prepare_contain(&def->contain, job->dimensions, &job->contain);
        break;
    case DUNLIN_BEHAVIOUR_FOLLOW_PATH:
        act->kind = DUN_BEHAVE_PATH;
        prepare_follow(world, &def->follow, act);
        break;
    case DUNLIN_BEHAVIOUR_AVOID:
        act->kind = DUN_BEHAVE_AVOID;
        act->acts = world->obstacles.count > 0;
        job->avoid = (dun_behave_avoid){&world->obstacles.bins, def->avoid.look_ahead, def->avoid.agent_radius};
        break;
    case DUNLIN_BEHAVIOUR_VIEW:
        act->kind = DUN_BEHAVE_VIEW;
        break;
    case DUNLIN_BEHAVIOUR_FORCE:
        act->kind = DUN_BEHAVE_FORCE;
        for (int a = 0; a < job->dimensions; a++) job->constant[a] = def->force[a];
        break;
    case DUNLIN_BEHAVIOUR_DRAG:
        act->kind = DUN_BEHAVE_DRAG;
        job->drag = (dun_behave_drag){def->linear_drag, def->quadratic_drag};
        break;
    case DUNLIN_BEHAVIOUR_FLOW:
    case DUNLIN_BEHAVIOUR_WIND:
        act->kind = def->kind == DUNLIN_BEHAVIOUR_FLOW ? DUN_BEHAVE_FLOW : DUN_BEHAVE_WIND;
        job->flow = dun_field_flow(world, &world->fields[def->flow.field]);
        job->flow.look_ahead = def->flow.look_ahead;
        break;
    case DUNLIN_BEHAVIOUR_CUSTOM:
    case DUNLIN_BEHAVIOUR_PAIRS:
        break;
    default:
        act->kind = DUN_BEHAVE_TARGET;
        prepare_target(f, behaviour, act);
        break;
    }
}

void dun_behaviours_prepare(dun_frame *f) {
    for (int b = 0; b < f->world->behaviour_count; b++) prepare_behaviour(f, &f->world->behaviours[b], &f->acts[b]);
}

static void call_custom(const dun_frame *f, const dun_tile *tile, const dunlin_behaviour_def *def, const dun_behave *job) {
    const dun_species *species = f->world->species[tile->species];
    const dun_agents *agents = f->snapshot[tile->species], *next = f->next[tile->species];
    const dunlin_nest nest = {f->world, &tile->scratch->births};
    dunlin_tile shown = {.species = tile->species,
                         .count = tile->end - tile->begin,
                         .id = job->id,
                         .dies = species->dies + tile->begin,
                         .step = f->world->stats.step,
                         .nest = &nest};
    for (int a = 0; a < f->world->def.dimensions; a++) {
        shown.position[a] = job->position[a];
        shown.velocity[a] = job->velocity[a];
        shown.force[a] = job->force[a];
    }
    for (int i = 0; i < species->attribute_count; i++) {
        shown.attribute[i] = agents->attribute[i] + tile->begin;
        if (dun_attribute_rewritten(species, i)) shown.next_attribute[i] = next->attribute[i] + tile->begin;
    }
    def->custom(def->user, &shown);
}

/*
 * A caller may assign −0, which no sum that begins with +0 comes to. What is added to it later, or whether anything is, may be
 * that of the lanes beside it, and where the velocity is −0 too that would show.
 */
static void clear_signs_of_zero(int dimensions, uint32_t count, float *const force[3]) {
    for (int a = 0; a < dimensions; a++)
        for (uint32_t i = 0; i < count; i++) force[a][i] += 0.0f;
}

void dun_behaviour_act(const dun_frame *f, const dun_tile *tile, int number, const dun_behave *job) {
    const dun_behaviour *behaviour = &f->world->behaviours[number];
    const uint32_t count = tile->end - tile->begin;
    if (!dun_behaviour_calls_back(&behaviour->def)) {
        f->world->kernel->behave[f->acts[number].kind](job, count);
        return;
    }
    if (behaviour->def.kind == DUNLIN_BEHAVIOUR_PAIRS)
        dun_pairs_act(f, tile, behaviour);
    else
        call_custom(f, tile, &behaviour->def, job);
    clear_signs_of_zero(f->world->def.dimensions, count, tile->scratch->force);
}
