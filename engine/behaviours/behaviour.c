/* SPDX-License-Identifier: MIT */
/* Behaviours: checked, and turned into what kernels need of them in a frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/random.h"
#include "engine/behaviours/behaviour.h"
#include "engine/scenery/field.h"
#include "engine/scenery/path.h"
#include "engine/world/world.h"

dunlin_behaviour_def dunlin_behaviour_def_default(const dunlin_world *world, dunlin_behaviour_kind kind) {
    dunlin_behaviour_def def = {.cookie = DUN_COOKIE,
                                .kind = kind,
                                .weight = 1.0f,
                                .max_force = -1.0f,
                                .radius = INFINITY,
                                .slowing_radius = 10.0f,
                                .pursuit = {.time = 10.0f},
                                .pairs = {.radius = 1.0f},
                                .wander = {.distance = 10.0f, .radius = 5.0f, .jitter = 0.05f},
                                .follow = {.radius = 10.0f,
                                           .prediction = {.distance = 25.0f, .time = 10.0f},
                                           .ahead = {.distance = 10.0f, .time = 10.0f}},
                                .avoid = {.look_ahead = 10.0f},
                                .view = {.angle = 0.785398163f}};
    for (int a = 0; a < world->def.dimensions; a++) def.contain.high[a] = world->def.size[a];
    return def;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static const dun_range any_weight = {"behaviour.weight", -1e6, 1e6, false, NULL};
static const dun_range any_max_force = {"behaviour.max_force", 0, 1e9, false, "(or below 0: the species')"};
static const dun_range any_radius = {"behaviour.radius", 0, (double)INFINITY, false, "world units"};
static const dun_range any_sight = {"behaviour.radius", (double)1e-9f, 1e9, false, "world units, to look at others"};
static const dun_range any_slowing_radius = {"behaviour.slowing_radius", 0, 1e9, true, "world units"};
static const dun_range any_time = {"behaviour.pursuit.time", 0, 1e6, false, "time units"};
static const dun_range any_distance = {"behaviour.wander.distance", 0, 1e9, false, "world units"};
static const dun_range any_circle = {"behaviour.wander.radius", (double)1e-9f, 1e9, false, "world units"};
static const dun_range any_jitter = {"behaviour.wander.jitter", 0, 1, true, "directions a step"};
static const dun_range any_follow_radius = {"behaviour.follow.radius", 0, 1e9, false, "world units"};
static const dun_range any_look_ahead = {"behaviour.flow.look_ahead", 0, 1e6, false, "time units"};
static const dun_range any_avoid_ahead = {"behaviour.avoid.look_ahead", 0, 1e6, false, "time units"};
static const dun_range any_agent_radius = {"behaviour.avoid.agent_radius", 0, 1e9, false, "world units"};
static const dun_range any_view = {"behaviour.view.angle", 0, (double)3.14159274f, true, "radians"};
static const dun_range any_linear_drag = {"behaviour.linear_drag", 0, 1e6, false, NULL};
static const dun_range any_quadratic_drag = {"behaviour.quadratic_drag", 0, 1e6, false, NULL};

/* A vector's components, each within ±1e9. */
static dunlin_result check_vector(const dunlin_world *world, const float v[3], const char *const fields[3],
                                  dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int a = 0; a < world->def.dimensions && !result; a++)
        result = dun_check((double)v[a], &(dun_range){fields[a], -1e9, 1e9, false, NULL}, error);
    return result;
}

static dunlin_result check_choice(int value, const char *field, int last, dunlin_error *error) {
    return dun_check(value, &(dun_range){field, 0, last, false, NULL}, error);
}

static dunlin_result check_species(const dunlin_world *world, int species, const char *field, dunlin_error *error) {
    if (species >= 0 && species < world->species_count) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.%s is %d: the world has species 0 to %d", field, species,
                    world->species_count - 1);
}

static bool looks_for_others(const dunlin_target *target) {
    return target->kind == DUNLIN_TARGET_NEAREST || target->kind == DUNLIN_TARGET_CENTRE;
}

static dunlin_result check_target(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const char *const positions[] = {"behaviour.target.position[0]", "behaviour.target.position[1]",
                                            "behaviour.target.position[2]"};
    static const char *const velocities[] = {"behaviour.target.velocity[0]", "behaviour.target.velocity[1]",
                                             "behaviour.target.velocity[2]"};
    dunlin_result result = check_choice((int)def->target.kind, "behaviour.target.kind", DUNLIN_TARGET_CENTRE, error);
    if (!result && def->target.kind == DUNLIN_TARGET_POINT) {
        result = check_vector(world, def->target.position, positions, error);
        if (!result) result = check_vector(world, def->target.velocity, velocities, error);
    }
    const bool others = looks_for_others(&def->target);
    if (!result && others) result = check_species(world, def->target.species, "target.species", error);
    if (!result) result = dun_check((double)def->radius, others ? &any_sight : &any_radius, error);
    if (!result && def->kind == DUNLIN_BEHAVIOUR_ARRIVE)
        result = dun_check((double)def->slowing_radius, &any_slowing_radius, error);
    if (!result && (def->kind == DUNLIN_BEHAVIOUR_PURSUE || def->kind == DUNLIN_BEHAVIOUR_EVADE)) {
        const int prediction = (int)def->pursuit.prediction;
        result = check_choice(prediction, "behaviour.pursuit.prediction", DUNLIN_PREDICTION_BY_DISTANCE, error);
        if (!result) result = dun_check((double)def->pursuit.time, &any_time, error);
    }
    return result;
}

static dunlin_result check_wander(const dunlin_wander *wander, dunlin_error *error) {
    dunlin_result result = dun_check((double)wander->distance, &any_distance, error);
    if (!result) result = dun_check((double)wander->radius, &any_circle, error);
    return result ? result : dun_check((double)wander->jitter, &any_jitter, error);
}

static dunlin_result check_contain(const dunlin_world *world, const dunlin_contain *contain, dunlin_error *error) {
    static const char *const margins[] = {"behaviour.contain.margin[0]", "behaviour.contain.margin[1]",
                                          "behaviour.contain.margin[2]"};
    static const char *const lows[] = {"behaviour.contain.low[0]", "behaviour.contain.low[1]", "behaviour.contain.low[2]"};
    static const char *const highs[] = {"behaviour.contain.high[0]", "behaviour.contain.high[1]", "behaviour.contain.high[2]"};
    dunlin_result result = check_choice((int)contain->corner, "behaviour.contain.corner", DUNLIN_CORNER_LAST, error);
    if (!result) result = check_vector(world, contain->low, lows, error);
    if (!result) result = check_vector(world, contain->high, highs, error);
    for (int a = 0; a < world->def.dimensions && !result; a++) {
        if (contain->margin[a] < 0.0f) continue;
        const dun_range beyond_low = {highs[a], (double)contain->low[a], 1e9, true, "(behaviour.contain.low)"};
        result =
            dun_check((double)contain->margin[a], &(dun_range){margins[a], 0, 1e9, false, "(or below 0: no walls)"}, error);
        if (!result) result = dun_check((double)contain->high[a], &beyond_low, error);
    }
    return result;
}

static dunlin_result check_pairs(const dunlin_world *world, const dunlin_pairs *pairs, dunlin_error *error) {
    const dun_range radius = {"behaviour.pairs.radius", (double)1e-9f, 1e9, false, "world units"};
    dunlin_result result =
        dun_check_position(pairs->observed, world->species_count, "behaviour.pairs.observed", " species", error);
    if (!result) result = dun_check((double)pairs->radius, &radius, error);
    if (!result && !pairs->callback) result = dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.pairs.callback is NULL");
    return result;
}

static dunlin_result check_ahead(const dunlin_ahead *ahead, const char *const fields[3], dunlin_error *error) {
    dunlin_result result = check_choice((int)ahead->kind, fields[0], DUNLIN_AHEAD_BY_SPEED, error);
    if (!result && ahead->kind == DUNLIN_AHEAD_FIXED)
        result = dun_check((double)ahead->distance, &(dun_range){fields[1], 0, 1e9, false, "world units"}, error);
    if (!result && ahead->kind == DUNLIN_AHEAD_BY_SPEED)
        result = dun_check((double)ahead->time, &(dun_range){fields[2], 0, 1e6, false, "time units"}, error);
    return result;
}

static dunlin_result check_follow(const dunlin_world *world, const dunlin_follow *follow, dunlin_error *error) {
    static const char *const prediction[] = {"behaviour.follow.prediction.kind", "behaviour.follow.prediction.distance",
                                             "behaviour.follow.prediction.time"};
    static const char *const ahead[] = {"behaviour.follow.ahead.kind", "behaviour.follow.ahead.distance",
                                        "behaviour.follow.ahead.time"};
    dunlin_result result = dun_check_position(follow->path, world->path_count, "behaviour.follow.path", " paths", error);
    if (!result) result = dun_check((double)follow->radius, &any_follow_radius, error);
    if (!result) result = check_ahead(&follow->prediction, prediction, error);
    if (!result) result = check_ahead(&follow->ahead, ahead, error);
    if (!result)
        result = check_choice((int)follow->off_segment, "behaviour.follow.off_segment", DUNLIN_OFF_SEGMENT_NEXT, error);
    return result;
}

static dunlin_result check_kind(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const char *const forces[] = {"behaviour.force[0]", "behaviour.force[1]", "behaviour.force[2]"};
    dunlin_result result;
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_SEEK:
    case DUNLIN_BEHAVIOUR_FLEE:
    case DUNLIN_BEHAVIOUR_ARRIVE:
    case DUNLIN_BEHAVIOUR_PURSUE:
    case DUNLIN_BEHAVIOUR_EVADE:
        return check_target(world, def, error);
    case DUNLIN_BEHAVIOUR_WANDER:
        return check_wander(&def->wander, error);
    case DUNLIN_BEHAVIOUR_CONTAIN:
        return check_contain(world, &def->contain, error);
    case DUNLIN_BEHAVIOUR_FOLLOW_PATH:
        return check_follow(world, &def->follow, error);
    case DUNLIN_BEHAVIOUR_AVOID:
        result = dun_check((double)def->avoid.look_ahead, &any_avoid_ahead, error);
        return result ? result : dun_check((double)def->avoid.agent_radius, &any_agent_radius, error);
    case DUNLIN_BEHAVIOUR_VIEW:
        result = check_species(world, def->view.observed, "view.observed", error);
        if (!result) result = dun_check((double)def->radius, &any_sight, error);
        return result ? result : dun_check((double)def->view.angle, &any_view, error);
    case DUNLIN_BEHAVIOUR_FORCE:
        return check_vector(world, def->force, forces, error);
    case DUNLIN_BEHAVIOUR_DRAG:
        result = dun_check((double)def->linear_drag, &any_linear_drag, error);
        return result ? result : dun_check((double)def->quadratic_drag, &any_quadratic_drag, error);
    case DUNLIN_BEHAVIOUR_FLOW:
    case DUNLIN_BEHAVIOUR_WIND:
        result = dun_check_position(def->flow.field, world->field_count, "behaviour.flow.field", " fields", error);
        return result ? result : dun_check((double)def->flow.look_ahead, &any_look_ahead, error);
    case DUNLIN_BEHAVIOUR_CUSTOM:
        return def->custom ? DUNLIN_OK : dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.custom is NULL");
    case DUNLIN_BEHAVIOUR_PAIRS:
        return check_pairs(world, &def->pairs, error);
    default:
        return check_choice((int)def->kind, "behaviour.kind", DUNLIN_BEHAVIOUR_COUNT - 1, error);
    }
}

static dunlin_result check_behaviour(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_behaviour_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_behaviour_def", error);
    if (!result) result = dun_check_position(def->species, world->species_count, "behaviour.species", " species", error);
    if (!result) result = dun_check((double)def->weight, &any_weight, error);
    if (!result && !(def->max_force < 0.0f)) result = dun_check((double)def->max_force, &any_max_force, error);
    return result ? result : check_kind(world, def, error);
}

/* ---- where a target is ------------------------------------------------------------------------------------------------ */

static float wrap(double x, float size) {
    const float around = (float)(x - (double)size * floor(x / (double)size));
    return around >= 0.0f && around < size ? around : 0.0f;
}

/* A point's place follows from the time alone, so that a state that is saved and loaded finds it where it was. */
static void point_now(const dunlin_world *world, const dun_behaviour *behaviour, float position[3]) {
    const dunlin_target *target = &behaviour->def.target;
    const double time = world->stats.time - behaviour->since; /* below 0 where an older state has been loaded */
    for (int a = 0; a < world->def.dimensions; a++) {
        const double moved = (double)target->position[a] + (double)target->velocity[a] * time;
        position[a] = (float)fmax(fmin(moved, (double)DUN_TARGET_FARTHEST), -(double)DUN_TARGET_FARTHEST);
        if (world->def.boundary == DUNLIN_BOUNDARY_PERIODIC) position[a] = wrap(moved, world->def.size[a]);
    }
}

/* ---- adding and changing ---------------------------------------------------------------------------------------------- */

bool dun_target_moves(const dunlin_world *world, const dun_behaviour *behaviour) {
    const dunlin_target *target = &behaviour->def.target;
    bool any = false;
    for (int a = 0; a < world->def.dimensions; a++) any = any || target->velocity[a] != 0.0f;
    return any && target->kind == DUNLIN_TARGET_POINT && behaviour->def.kind <= DUNLIN_BEHAVIOUR_EVADE;
}

void dun_targets_rebase(dunlin_world *world) {
    for (int b = 0; b < world->behaviour_count; b++) {
        dun_behaviour *behaviour = &world->behaviours[b];
        if (!dun_target_moves(world, behaviour)) continue;
        point_now(world, behaviour, behaviour->def.target.position);
        behaviour->since = world->stats.time;
    }
}

/* Whether the definition leaves a target that moves where it is. */
static bool goes_on(const dunlin_world *world, const dun_behaviour *behaviour, const dunlin_target *target) {
    float now[3];
    bool same = dun_target_moves(world, behaviour) && target->kind == DUNLIN_TARGET_POINT;
    point_now(world, behaviour, now);
    for (int a = 0; a < world->def.dimensions; a++)
        same = same && target->position[a] == now[a] && target->velocity[a] == behaviour->def.target.velocity[a];
    return same;
}

static dun_interaction look_for(const dunlin_world *world, const dunlin_behaviour_def *def) {
    dunlin_interaction_def look = dunlin_interaction_def_default();
    look.observer = def->species;
    look.observed = def->target.species;
    look.nearest = def->target.kind == DUNLIN_TARGET_NEAREST;
    look.rules[DUNLIN_RULE_ALIGNMENT].radius = look.rules[DUNLIN_RULE_COHESION].radius = def->radius;
    dun_interaction made = dun_interaction_of(world, &look);
    if (look.nearest) made.interact = world->kernel->closest[world->def.dimensions - 2];
    return made;
}

static dun_interaction look_ahead(const dunlin_world *world, const dunlin_behaviour_def *def) {
    dunlin_interaction_def look = dunlin_interaction_def_default();
    look.observer = def->species;
    look.observed = def->view.observed;
    look.rules[DUNLIN_RULE_COHESION].radius = def->radius;
    look.rules[DUNLIN_RULE_COHESION].view = def->view.angle;
    return dun_interaction_of(world, &look);
}

/* Whom a behaviour looks at. */
static dun_interaction look_of(const dunlin_world *world, const dunlin_behaviour_def *def) {
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_SEEK:
    case DUNLIN_BEHAVIOUR_FLEE:
    case DUNLIN_BEHAVIOUR_ARRIVE:
    case DUNLIN_BEHAVIOUR_PURSUE:
    case DUNLIN_BEHAVIOUR_EVADE:
        return looks_for_others(&def->target) ? look_for(world, def) : (dun_interaction){0};
    case DUNLIN_BEHAVIOUR_VIEW:
        return look_ahead(world, def);
    case DUNLIN_BEHAVIOUR_PAIRS:
        return (dun_interaction){.def = {.observer = def->species, .observed = def->pairs.observed},
                                 .widest_radius = def->pairs.radius,
                                 .first_radius = def->pairs.radius};
    default:
        return (dun_interaction){0};
    }
}

/* What dun_world_prepare() finds out follows from these: who looks how far at whom, and who calls back. */
static bool to_prepare(const dun_behaviour *behaviour) {
    return behaviour->def.kind == DUNLIN_BEHAVIOUR_CUSTOM || behaviour->look.widest_radius > 0.0f;
}

static dun_behaviour behaviour_of(const dunlin_world *world, const dunlin_behaviour_def *def) {
    return (dun_behaviour){.def = *def, .since = world->stats.time, .look = look_of(world, def)};
}

dunlin_result dunlin_world_add_behaviour(dunlin_world *world, const dunlin_behaviour_def *def, int *behaviour,
                                         dunlin_error *error) {
    const dunlin_result result = check_behaviour(world, def, error);
    if (result) return result;
    dun_behaviour *grown = realloc(world->behaviours, ((size_t)world->behaviour_count + 1) * sizeof *grown);
    if (!grown) return dun_fail_memory(error, "a behaviour");
    world->behaviours = grown;
    grown[world->behaviour_count] = behaviour_of(world, def);
    world->prepared = world->prepared && !to_prepare(&grown[world->behaviour_count]);
    if (behaviour) *behaviour = world->behaviour_count;
    world->behaviour_count++;
    return DUNLIN_OK;
}

int dunlin_world_behaviour_count(const dunlin_world *world) {
    return world->behaviour_count;
}

static dunlin_result check_number(const dunlin_world *world, int behaviour, dunlin_error *error) {
    return dun_check_position(behaviour, world->behaviour_count, "behaviour", "", error);
}

dunlin_behaviour_def dunlin_world_get_behaviour(const dunlin_world *world, int behaviour) {
    if (check_number(world, behaviour, NULL)) return (dunlin_behaviour_def){0};
    dunlin_behaviour_def def = world->behaviours[behaviour].def;
    point_now(world, &world->behaviours[behaviour], def.target.position);
    return def;
}

dunlin_result dunlin_world_set_behaviour(dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                         dunlin_error *error) {
    dunlin_result result = check_number(world, behaviour, error);
    if (!result) result = check_behaviour(world, def, error);
    if (!result) result = dun_behaviour_check_weighted(world, behaviour, def, error);
    if (result) return result;
    dun_behaviour *changed = &world->behaviours[behaviour];
    dun_behaviour now = behaviour_of(world, def);
    world->prepared = world->prepared && !to_prepare(&now) && !to_prepare(changed);
    /* Its place now is rounded: to begin there anew would not lead to the same bits. */
    if (goes_on(world, changed, &def->target)) {
        memcpy(now.def.target.position, changed->def.target.position, sizeof now.def.target.position);
        now.since = changed->since;
    }
    *changed = now;
    return DUNLIN_OK;
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

/* Blocks are searched whole, which the compiler can do for several ids at once. */
static uint32_t find_id(const uint32_t *ids, uint32_t count, uint32_t id) {
    enum { BLOCK = 64 };
    for (uint32_t block = 0; block < count; block += BLOCK) {
        const uint32_t end = smaller(block + BLOCK, count);
        bool found = false;
        for (uint32_t i = block; i < end; i++) found |= ids[i] == id;
        if (!found) continue;
        while (ids[block] != id) block++;
        return block;
    }
    return count;
}

dunlin_slot dun_snapshot_find(const dunlin_world *world, const dun_agents *const snapshot[], uint32_t id) {
    for (int s = 0; s < world->species_count; s++) {
        const uint32_t count = world->species[s]->count, index = find_id(snapshot[s]->id, count, id);
        if (index < count) return (dunlin_slot){s, index};
    }
    return (dunlin_slot){.species = -1};
}

/* Where the target is, and where it goes, unless it is each agent's own; false: there is none. */
static bool find_target(const dunlin_world *world, const dun_agents *const snapshot[], const dun_behaviour *behaviour,
                        dun_behave_target *now) {
    const dunlin_target *target = &behaviour->def.target;
    if (target->kind == DUNLIN_TARGET_POINT) {
        point_now(world, behaviour, now->position);
        for (int a = 0; a < world->def.dimensions; a++) now->velocity[a] = target->velocity[a];
        return true;
    }
    if (looks_for_others(target)) return true;
    const dunlin_slot at = dun_snapshot_find(world, snapshot, target->agent);
    for (int a = 0; a < world->def.dimensions && at.species >= 0; a++) {
        now->position[a] = snapshot[at.species]->position[a][at.index];
        now->velocity[a] = snapshot[at.species]->velocity[a][at.index];
    }
    return at.species >= 0;
}

static void prepare_target(const dunlin_world *world, const dun_agents *const snapshot[], dun_behaviour *behaviour) {
    const dunlin_behaviour_def *def = &behaviour->def;
    dun_behave_target *target = &behaviour->job.target;
    *target = (dun_behave_target){.radius2 = def->radius * def->radius,
                                  .away = def->kind == DUNLIN_BEHAVIOUR_FLEE || def->kind == DUNLIN_BEHAVIOUR_EVADE,
                                  .slows = def->kind == DUNLIN_BEHAVIOUR_ARRIVE,
                                  .slowing_radius = def->slowing_radius,
                                  .predicts = def->kind == DUNLIN_BEHAVIOUR_PURSUE || def->kind == DUNLIN_BEHAVIOUR_EVADE,
                                  .by_distance = def->pursuit.prediction == DUNLIN_PREDICTION_BY_DISTANCE,
                                  .time = def->pursuit.time};
    behaviour->acts = find_target(world, snapshot, behaviour, target);
}

/* The nearest is first looked for as far as the cells of its kind are made for, unless that is everywhere already. */
static void prepare_look(const dunlin_world *world, dun_interaction *look) {
    if (look->def.nearest != 1) return;
    const dun_species *observed = world->species[look->def.observed];
    const float radius = dun_species_space(world, look->def.observed, observed->count).radius;
    const bool everywhere = world->index_type->reach(observed->index, radius).everywhere;
    look->first_radius = everywhere ? look->widest_radius : lower(radius, look->widest_radius);
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

static void prepare_follow(const dunlin_world *world, const dunlin_follow *def, dun_behaviour *behaviour) {
    const dun_path *path = &world->paths[def->path];
    const bool predicts_by_speed = def->prediction.kind == DUNLIN_AHEAD_BY_SPEED;
    const bool ahead_by_speed = def->ahead.kind == DUNLIN_AHEAD_BY_SPEED;
    behaviour->acts = path->whole;
    behaviour->job.path = (dun_behave_path){.line = &path->line,
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

static void prepare_behaviour(const dunlin_world *world, const dun_agents *const snapshot[], dun_behaviour *behaviour) {
    const dunlin_behaviour_def *def = &behaviour->def;
    const dun_species *group = world->species[def->species];
    const dunlin_species_def *species = &group->def;
    const dun_agents *agents = snapshot[def->species];
    dun_behave *job = &behaviour->job;
    *job = (dun_behave){.dimensions = world->def.dimensions,
                        .periodic = world->def.boundary == DUNLIN_BOUNDARY_PERIODIC,
                        .max_speed = dun_attribute_varied(group, agents, DUNLIN_ROLE_MAX_SPEED, species->max_speed),
                        .max_force = max_force_of(def, group, agents),
                        .weight = {def->negate_force ? -def->weight : def->weight,
                                   dun_behaviour_weights(group, agents, (int)(behaviour - world->behaviours))}};
    for (int a = 0; a < world->def.dimensions; a++) job->size[a] = world->def.size[a];
    behaviour->acts = true;
    prepare_look(world, &behaviour->look);
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_WANDER:
        behaviour->kind = DUN_BEHAVE_WANDER;
        prepare_wander(world, behaviour, &job->wander);
        break;
    case DUNLIN_BEHAVIOUR_CONTAIN:
        behaviour->kind = DUN_BEHAVE_CONTAIN;
        prepare_contain(&def->contain, job->dimensions, &job->contain);
        break;
    case DUNLIN_BEHAVIOUR_FOLLOW_PATH:
        behaviour->kind = DUN_BEHAVE_PATH;
        prepare_follow(world, &def->follow, behaviour);
        break;
    case DUNLIN_BEHAVIOUR_AVOID:
        behaviour->kind = DUN_BEHAVE_AVOID;
        behaviour->acts = world->obstacles.count > 0;
        job->avoid = (dun_behave_avoid){&world->obstacles.bins, def->avoid.look_ahead, def->avoid.agent_radius};
        break;
    case DUNLIN_BEHAVIOUR_VIEW:
        behaviour->kind = DUN_BEHAVE_VIEW;
        break;
    case DUNLIN_BEHAVIOUR_FORCE:
        behaviour->kind = DUN_BEHAVE_FORCE;
        for (int a = 0; a < job->dimensions; a++) job->constant[a] = def->force[a];
        break;
    case DUNLIN_BEHAVIOUR_DRAG:
        behaviour->kind = DUN_BEHAVE_DRAG;
        job->drag = (dun_behave_drag){def->linear_drag, def->quadratic_drag};
        break;
    case DUNLIN_BEHAVIOUR_FLOW:
    case DUNLIN_BEHAVIOUR_WIND:
        behaviour->kind = def->kind == DUNLIN_BEHAVIOUR_FLOW ? DUN_BEHAVE_FLOW : DUN_BEHAVE_WIND;
        job->flow = dun_field_flow(world, &world->fields[def->flow.field]);
        job->flow.look_ahead = def->flow.look_ahead;
        break;
    case DUNLIN_BEHAVIOUR_CUSTOM:
    case DUNLIN_BEHAVIOUR_PAIRS:
        break;
    default:
        behaviour->kind = DUN_BEHAVE_TARGET;
        prepare_target(world, snapshot, behaviour);
        break;
    }
}

void dun_behaviours_prepare(dunlin_world *world, const dun_agents *const snapshot[]) {
    dun_paths_prepare(world, snapshot);
    for (int b = 0; b < world->behaviour_count; b++) prepare_behaviour(world, snapshot, &world->behaviours[b]);
}

static void call_custom(const dunlin_world *world, const dun_behaviour *behaviour, const dun_behave *job,
                        const dun_agents *agents, const dun_agents *next, uint32_t begin, uint32_t end, dun_births *births) {
    const dun_species *species = world->species[behaviour->def.species];
    const dunlin_nest nest = {world, births};
    dunlin_tile tile = {.species = behaviour->def.species,
                        .count = end - begin,
                        .id = job->id,
                        .dies = species->dies + begin,
                        .step = world->stats.step,
                        .nest = &nest};
    for (int a = 0; a < world->def.dimensions; a++) {
        tile.position[a] = job->position[a];
        tile.velocity[a] = job->velocity[a];
        tile.force[a] = job->force[a];
    }
    for (int i = 0; i < species->attribute_count; i++) {
        tile.attribute[i] = agents->attribute[i] + begin;
        if (dun_attribute_rewritten(species, i)) tile.next_attribute[i] = next->attribute[i] + begin;
    }
    behaviour->def.custom(behaviour->def.user, &tile);
}

static void begin_at(dun_varied *varied, uint32_t begin) {
    if (varied->each) varied->each += begin;
}

/* Sums over those whom the behaviour looks at. */
static dun_behave_others look_around(const dunlin_world *world, const dun_agents *const snapshot[], const dun_interaction *look,
                                     uint32_t begin, uint32_t end, dun_scratch *scratch) {
    dun_lap(scratch, &scratch->ns_steer);
    dun_interact_tile(world, snapshot, look, begin, end, scratch);
    dun_lap(scratch, &scratch->ns_interact);
    dun_behave_others others = {.seen = scratch->sums.seen};
    for (int a = 0; a < world->def.dimensions; a++) {
        others.offset[a] = scratch->sums.offset[a];
        others.velocity[a] = scratch->sums.velocity[a];
    }
    return others;
}

/*
 * A caller may assign −0, which no sum that begins with +0 comes to. What is added to it later, or whether anything is, may be
 * that of the lanes beside it, and where the velocity is −0 too that would show.
 */
static void clear_signs_of_zero(int dimensions, uint32_t count, float *const force[3]) {
    for (int a = 0; a < dimensions; a++)
        for (uint32_t i = 0; i < count; i++) force[a][i] += 0.0f;
}

void dun_behaviours_act(const dunlin_world *world, const dun_agents *const snapshot[], const dun_agents *next, int species,
                        uint32_t begin, uint32_t end, dun_scratch *scratch) {
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &world->behaviours[b];
        if (behaviour->def.species != species || !behaviour->acts) continue;
        dun_behave job = behaviour->job;
        job.id = snapshot[species]->id + begin;
        begin_at(&job.max_speed, begin);
        begin_at(&job.max_force, begin);
        begin_at(&job.weight, begin);
        for (int a = 0; a < world->def.dimensions; a++) {
            job.position[a] = snapshot[species]->position[a] + begin;
            job.velocity[a] = snapshot[species]->velocity[a] + begin;
            job.force[a] = scratch->force[a];
        }
        if (behaviour->look.interact) job.others = look_around(world, snapshot, &behaviour->look, begin, end, scratch);
        switch (behaviour->def.kind) {
        case DUNLIN_BEHAVIOUR_PAIRS:
            dun_pairs_act(world, snapshot, &behaviour->def, begin, end, scratch);
            break;
        case DUNLIN_BEHAVIOUR_CUSTOM:
            call_custom(world, behaviour, &job, snapshot[species], next, begin, end, &scratch->births);
            break;
        default:
            world->kernel->behave[behaviour->kind](&job, end - begin);
            break;
        }
        if (dun_behaviour_calls_back(&behaviour->def)) clear_signs_of_zero(world->def.dimensions, end - begin, scratch->force);
    }
}
