/* SPDX-License-Identifier: MIT */
/* What a scenario says of behaviours, as the engine takes it. */
#include "harness/scenario/builder.h"
#include "harness/scenario/schedules.h"

#include <stdio.h>
#include <string.h>

static const char *const names[SCENARIO_ACTIONS] = {
    [DUNLIN_BEHAVIOUR_SEEK] = "seek",       [DUNLIN_BEHAVIOUR_FLEE] = "flee",
    [DUNLIN_BEHAVIOUR_ARRIVE] = "arrive",   [DUNLIN_BEHAVIOUR_PURSUE] = "pursue",
    [DUNLIN_BEHAVIOUR_EVADE] = "evade",     [DUNLIN_BEHAVIOUR_WANDER] = "wander",
    [DUNLIN_BEHAVIOUR_CONTAIN] = "contain", [DUNLIN_BEHAVIOUR_FOLLOW_PATH] = "follow_path",
    [DUNLIN_BEHAVIOUR_FORCE] = "force",     [DUNLIN_BEHAVIOUR_DRAG] = "drag",
    [DUNLIN_BEHAVIOUR_FLOW] = "flow",       [DUNLIN_BEHAVIOUR_WIND] = "wind",
    [DUNLIN_BEHAVIOUR_AVOID] = "avoid",     [DUNLIN_BEHAVIOUR_VIEW] = "view",
};

static dunlin_result check_targets(const builder_entry *e, const scenario_action *file) {
    const bool given[] = {file->target, file->agent, file->nearest, file->centre};
    static const char *const fields[] = {"target", "agent", "nearest", "centre"};
    int count = 0, last = 0;
    for (int i = 0; i < 4; i++) {
        if (!given[i]) continue;
        last = i;
        count++;
    }
    if (count == 0)
        return builder_entry_fail(e, "target", "it is missing: where to, or which agent, or the nearest or centre of whom");
    if (count > 1) return builder_entry_fail(e, fields[last], "only one of target, agent, nearest, centre");
    if (!file->target && file->velocity) return builder_entry_fail(e, "velocity", "an agent has its own");
    if ((file->nearest || file->centre) && !file->radius)
        return builder_entry_fail(e, "radius", "it is missing: how far to look for others");
    return DUNLIN_OK;
}

static dunlin_result set_others(const builder_entry *e, const char *field, const char *name, dunlin_target_kind kind,
                                dunlin_target *target) {
    if (!name) return DUNLIN_OK;
    target->kind = kind;
    return builder_set_species(e->build, e->place, field, name, -1, &target->species);
}

static dunlin_result set_target(const builder_entry *e, const scenario_action *file, dunlin_behaviour_def *def) {
    dunlin_target *target = &def->target;
    SET(def->radius, file->radius);
    SET(def->slowing_radius, file->slowing_radius);
    SET(def->pursuit.prediction, file->prediction);
    SET(def->pursuit.time, file->prediction_time);
    SET(target->agent, file->agent);
    if (file->agent) target->kind = DUNLIN_TARGET_AGENT;
    dunlin_result result = check_targets(e, file);
    if (result == DUNLIN_OK) result = set_others(e, "nearest", file->nearest, DUNLIN_TARGET_NEAREST, target);
    if (result == DUNLIN_OK) result = set_others(e, "centre", file->centre, DUNLIN_TARGET_CENTRE, target);
    if (result == DUNLIN_OK) result = builder_entry_set(e, "target", target->position, file->target, file->target_count);
    return result != DUNLIN_OK ? result
                               : builder_entry_set(e, "velocity", target->velocity, file->velocity, file->velocity_count);
}

static dunlin_result set_view(const builder_entry *e, const scenario_action *file, dunlin_behaviour_def *def) {
    SET(def->radius, file->radius);
    if (file->angle) def->view.angle = builder_radians(*file->angle);
    if (file->angle && !(*file->angle > 0 && *file->angle <= 180))
        return builder_entry_fail(e, "angle", "it must be above 0 and at most 180 degrees");
    return builder_set_species(e->build, e->place, "observed", file->observed, def->species, &def->view.observed);
}

static dunlin_result set_contain(const builder_entry *e, const scenario_action *file, dunlin_contain *contain) {
    if (file->margin && file->margins) return builder_entry_fail(e, "margins", "either margin or margins, not both");
    for (unsigned a = 0; a < e->axes; a++) SET(contain->margin[a], file->margin);
    SET(contain->corner, file->corner);
    dunlin_result result = builder_entry_set(e, "margins", contain->margin, file->margins, file->margins_count);
    if (result == DUNLIN_OK) result = builder_entry_set(e, "low", contain->low, file->low, file->low_count);
    return result != DUNLIN_OK ? result : builder_entry_set(e, "high", contain->high, file->high, file->high_count);
}

/* The position of the field or path of that name; where none is named, of the only one there is. */
static dunlin_result find_named(const builder_entry *e, const char *field, const char *name, unsigned count,
                                const char *(*name_of)(const scenario_file *, unsigned), int *position) {
    const scenario_file *file = e->build->script->file;
    for (unsigned i = 0; i < count && name; i++) {
        const char *other = name_of(file, i);
        if (!other || strcmp(other, name) != 0) continue;
        *position = (int)i;
        return DUNLIN_OK;
    }
    *position = 0;
    if (!name && count == 1) return DUNLIN_OK;
    return builder_entry_fail(e, field,
                              name ? "there is none of that name" : "which one must be said, where there is not exactly one");
}

static const char *field_name(const scenario_file *file, unsigned position) {
    return file->fields[position].name;
}

static const char *path_name(const scenario_file *file, unsigned position) {
    return file->paths[position].name;
}

static dunlin_result set_ahead(const builder_entry *e, const char *field, const float *distance, const float *time,
                               dunlin_ahead *ahead) {
    if (distance && time) return builder_entry_fail(e, field, "either a distance or a time, not both");
    SET(ahead->distance, distance);
    SET(ahead->time, time);
    if (time) ahead->kind = DUNLIN_AHEAD_BY_SPEED;
    return DUNLIN_OK;
}

static dunlin_result set_follow(const builder_entry *e, const scenario_action *file, dunlin_follow *follow) {
    SET(follow->radius, file->radius);
    SET(follow->off_segment, file->off_segment);
    dunlin_result result = find_named(e, "path", file->path, e->build->script->file->paths_count, path_name, &follow->path);
    if (result == DUNLIN_OK)
        result = set_ahead(e, "prediction_time", file->prediction_distance, file->prediction_time, &follow->prediction);
    return result != DUNLIN_OK ? result : set_ahead(e, "ahead_time", file->ahead_distance, file->ahead_time, &follow->ahead);
}

static dunlin_result set_flow(const builder_entry *e, const scenario_action *file, dunlin_flow *flow) {
    SET(flow->look_ahead, file->look_ahead);
    return find_named(e, "field", file->field, e->build->script->file->fields_count, field_name, &flow->field);
}

static dunlin_result set_kind(const builder_entry *e, const scenario_action *file, dunlin_behaviour_def *def) {
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_CONTAIN:
        return set_contain(e, file, &def->contain);
    case DUNLIN_BEHAVIOUR_FORCE:
        return builder_entry_set(e, "vector", def->force, file->vector, file->vector_count);
    case DUNLIN_BEHAVIOUR_DRAG:
        SET(def->linear_drag, file->linear);
        SET(def->quadratic_drag, file->quadratic);
        return DUNLIN_OK;
    case DUNLIN_BEHAVIOUR_AVOID:
        SET(def->avoid.look_ahead, file->look_ahead);
        SET(def->avoid.agent_radius, file->agent_radius);
        return DUNLIN_OK;
    case DUNLIN_BEHAVIOUR_VIEW:
        return set_view(e, file, def);
    case DUNLIN_BEHAVIOUR_FOLLOW_PATH:
        return set_follow(e, file, &def->follow);
    case DUNLIN_BEHAVIOUR_FLOW:
    case DUNLIN_BEHAVIOUR_WIND:
        return set_flow(e, file, &def->flow);
    case DUNLIN_BEHAVIOUR_WANDER:
        SET(def->wander.distance, file->distance);
        SET(def->wander.radius, file->radius);
        SET(def->wander.jitter, file->jitter);
        return DUNLIN_OK;
    default:
        return set_target(e, file, def);
    }
}

/* A target that moves goes on from where it is; one that a schedule moves is where that says. */
static void keep_target(const builder *build, const scenario_action *file, unsigned position, dunlin_target *target) {
    if (!file->velocity || scenario_is_scheduled(build->script, "behaviours", position, "target")) return;
    const dunlin_behaviour_def now = dunlin_world_get_behaviour(build->world, (int)position);
    memcpy(target->position, now.target.position, sizeof target->position);
}

static dunlin_result put_action(const builder_entry *e, const scenario_action *file, unsigned position,
                                dunlin_behaviour_def def) {
    const builder *build = e->build;
    SET(def.weight, file->weight);
    SET(def.max_force, file->max_force);
    SET(def.negate_force, file->negate_force);
    dunlin_result result = set_kind(e, file, &def);
    if (result != DUNLIN_OK) return result;
    if ((int)position == dunlin_world_behaviour_count(build->world))
        return builder_entry_locate(e, dunlin_world_add_behaviour(build->world, &def, NULL, build->error), "behaviour");
    keep_target(build, file, position, &def.target);
    return builder_entry_locate(e, dunlin_world_set_behaviour(build->world, (int)position, &def, build->error), "behaviour");
}

static dunlin_result fail_count(const builder *build, const char *place, int count) {
    char allowed[200] = "";
    for (int kind = 0; kind < SCENARIO_ACTIONS; kind++) {
        size_t length = strlen(allowed);
        snprintf(allowed + length, sizeof allowed - length, "%s%s", kind > 0 ? ", " : "", names[kind]);
    }
    return yaml_tree_fail(build->script->tree, place, DUNLIN_ERROR_FILE, build->error, "it has %s; allowed: one of %s",
                          count == 0 ? "no behaviour" : "several behaviours", allowed);
}

dunlin_result builder_put_behaviour(const builder *build, unsigned position) {
    const scenario_behaviour *file = &build->script->file->behaviours[position];
    builder_entry e = builder_entry_at(build, "behaviours", position);
    int count = 0, found = 0;
    for (int kind = 0; kind < SCENARIO_ACTIONS; kind++) {
        if (!file->action[kind]) continue;
        found = kind;
        count++;
    }
    if (count != 1) return fail_count(build, e.place, count);
    int only_species = dunlin_world_species_count(build->world) == 1 ? 0 : -1;
    dunlin_behaviour_def def = dunlin_behaviour_def_default(build->world, (dunlin_behaviour_kind)found);
    dunlin_result result = builder_set_species(build, e.place, "species", file->species, only_species, &def.species);
    if (result != DUNLIN_OK) return result;
    builder_enter(&e, names[found]);
    return put_action(&e, file->action[found], position, def);
}
