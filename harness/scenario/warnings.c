/* SPDX-License-Identifier: MIT */
/* What a scenario has and nothing uses, or cannot be computed well: no mistake that would keep a world from running, but seldom
 * intended. */
#include "harness/scenario/build.h"

#include <math.h>
#include <string.h>

#define WARN(simulation, at, ...)                                                                                              \
    do {                                                                                                                       \
        dunlin_error said;                                                                                                     \
        dun_fail_at((simulation)->file.name, at, DUNLIN_OK, &said, __VA_ARGS__);                                               \
        (simulation)->def.warn((simulation)->def.user, said.message);                                                          \
    } while (0)

/* ---- fields and paths ------------------------------------------------------------------------------------------------- */

static bool uses_field(const dunlin_behaviour_def *def, int field) {
    if (def->kind == DUNLIN_BEHAVIOUR_ADAPT) return def->adapt.signal == DUNLIN_SIGNAL_FIELD && def->adapt.field == field;
    return (def->kind == DUNLIN_BEHAVIOUR_FLOW || def->kind == DUNLIN_BEHAVIOUR_WIND) && def->flow.field == field;
}

static bool uses_path(const dunlin_behaviour_def *def, int path) {
    return def->kind == DUNLIN_BEHAVIOUR_FOLLOW_PATH && def->follow.path == path;
}

/* Fields and paths have the same numbers in the world as in the file. */
static void check_list(const dunlin_simulation *simulation, const slot *list,
                       bool (*uses)(const dunlin_behaviour_def *def, int number), const char *problem) {
    for (uint32_t i = 0; i < list->count; i++) {
        bool used = false;
        for (int b = 0; b < dunlin_world_behaviour_count(simulation->world) && !used; b++) {
            const dunlin_behaviour_def def = dunlin_world_get_behaviour(simulation->world, b);
            used = uses(&def, (int)i);
        }
        if (!used) WARN(simulation, dun_inside(list, i), "%s", problem);
    }
}

/* A state file has agents alone. */
static bool check_trace(dunlin_simulation *simulation, const slot *entry) {
    if (!simulation->def.init || !has(entry, "trace")) return true;
    if (dun_has_trace(simulation, dun_trace_of(simulation->world, (int)dun_position(entry)))) return true;
    WARN(simulation, dun_field(entry, "trace"), "it begins at 0: %s",
         simulation->def.init_trace_count > 0 ? "the trajectory has no such trace of as many cells"
                                              : "a state file has no traces, but checkpoints and trajectories do");
    return true;
}

/* ---- attributes ------------------------------------------------------------------------------------------------------- */

/* Whether the look of the species names it, or would take it for the agents' size. */
static bool shows_attribute(const dunlin_simulation *simulation, int species, const char *name) {
    if (strcmp(name, "size") == 0) return true;
    const slot *look = dun_field(dun_inside(dun_part(simulation, "species"), (uint32_t)species), "look");
    for (uint32_t i = 0; i < look->count; i++) {
        const slot *field = dun_inside(look, i);
        if (field->type == VALUE_TEXT && field->text && strcmp(field->text, name) == 0) return true;
    }
    return false;
}

/* Only for attributes of role value: the others act by their role. */
static bool uses_attribute(const dunlin_simulation *simulation, int species, int number) {
    const dunlin_attribute_def shown = dunlin_world_get_attribute(simulation->world, species, number);
    if (shows_attribute(simulation, species, shown.name)) return true;
    for (int i = 0; i < dunlin_world_meal_count(simulation->world); i++) {
        const dunlin_meal_def meal = dunlin_world_get_meal(simulation->world, i);
        if ((meal.eater == species && meal.energy == number) || (meal.food == species && meal.worth == number)) return true;
    }
    for (int t = 0; t < dunlin_world_trace_count(simulation->world); t++) {
        const dunlin_trace_def trace = dunlin_world_get_trace(simulation->world, t);
        if (trace.species == species && trace.attribute == number) return true;
    }
    for (int b = 0; b < dunlin_world_behaviour_count(simulation->world); b++) {
        const dunlin_behaviour_def def = dunlin_world_get_behaviour(simulation->world, b);
        if (def.kind != DUNLIN_BEHAVIOUR_ADAPT || def.species != species) continue;
        if (def.adapt.attribute == number || (def.adapt.signal == DUNLIN_SIGNAL_ATTRIBUTE && def.adapt.source == number))
            return true;
    }
    const int first = simulation->first_behaviour[dun_part(simulation, "behaviours")->count];
    for (uint32_t i = 0; i < dun_part(simulation, "lives")->count; i++) {
        const bool own = dunlin_world_get_behaviour(simulation->world, first + (int)i).species == species;
        if (own && simulation->metabolisms[i].energy == number) return true;
    }
    return false;
}

/* What the role needs and the species lacks; NULL: nothing. */
static const char *lacks(const slot *species, dunlin_role role) {
    if (role == DUNLIN_ROLE_BODY && !has(species, "body_of")) return "body_of";
    return role == DUNLIN_ROLE_LEADERSHIP && !dun_has_role(species, DUNLIN_ROLE_GROUP) ? "attribute with role: group" : NULL;
}

static bool check_attribute(dunlin_simulation *simulation, const slot *entry) {
    const int species = (int)dun_position(dun_parent(dun_parent(entry))), number = (int)dun_position(entry);
    const dunlin_attribute_def def = dunlin_world_get_attribute(simulation->world, species, number);
    const char *shown = simulation->def.shown, *role = dun_choice_name(dun_role_names, (int)def.role);
    const char *lacking = lacks(dun_parent(dun_parent(entry)), def.role);
    const choice *named = dun_choice_find(dun_role_names, def.name);
    if (named && named->value != DUNLIN_ROLE_VALUE && named->value != (int)def.role)
        WARN(simulation, entry, "it is only called %s, its role is %s; to act as %s it needs role: %s", def.name, role,
             def.name, def.name);
    else if (def.role == DUNLIN_ROLE_VALUE && !uses_attribute(simulation, species, number) &&
             (!shown || strcmp(shown, def.name) != 0))
        WARN(simulation, entry, "nothing uses it: its role is value, and no meal, life, trace, adapt or look names it");
    else if (lacking)
        WARN(simulation, entry, "nothing uses it: its role is %s, and the species has no %s", role, lacking);
    return true;
}

/* Also warns about groups and about starts of bodies. */
static bool check_attributes(dunlin_simulation *simulation, const slot *species) {
    if (dun_field(species, "groups")->whole > 0 && !dun_has_role(species, DUNLIN_ROLE_GROUP))
        WARN(simulation, dun_field(species, "groups"), "nothing uses it: no attribute of the species has role: group");
    if (has(species, "body_of") && has(species, "start"))
        WARN(simulation, dun_field(species, "start"), "nothing uses it: bodies start where their groups are");
    return dun_put_all(simulation, dun_field(species, "attributes"), check_attribute);
}

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

static bool has_avoid(const dunlin_simulation *simulation) {
    for (int i = 0; i < dunlin_world_behaviour_count(simulation->world); i++) {
        if (dunlin_world_get_behaviour(simulation->world, i).kind == DUNLIN_BEHAVIOUR_AVOID) return true;
    }
    return false;
}

static void check_obstacles(const dunlin_simulation *simulation) {
    const slot *obstacles = dun_part(simulation, "obstacles");
    bool used = obstacles->count == 0 || has_avoid(simulation);
    for (int i = 0; i < dunlin_world_species_count(simulation->world) && !used; i++)
        used = dunlin_world_get_species(simulation->world, i).obstacles_block;
    if (!used) WARN(simulation, obstacles, "nothing uses them: no species avoids obstacles, and none is blocked by them");
}

/* ---- far from the origin ---------------------------------------------------------------------------------------------- */

/* How far agents may come from the origin along an axis, how far in one step at most, and what says so. */
typedef struct journey {
    double place, step;
    const slot *at;
} journey;

/* The distance between positions there. */
static double apart_at(double place) {
    const float at = (float)place;
    return (double)nextafterf(at, INFINITY) - (double)at;
}

/* The largest number of such a role among the agents; without an attribute of it, the species'. */
static double largest_of(const dunlin_world *world, int species, dunlin_role role, float otherwise) {
    for (int i = 0; i < dunlin_world_attribute_count(world, species); i++) {
        const dunlin_attribute_def def = dunlin_world_get_attribute(world, species, i);
        if (def.role != role) continue;
        return (double)(def.distribution == DUNLIN_DISTRIBUTION_SAME ? def.value : def.max_value);
    }
    return (double)otherwise;
}

static double max_speed_of(const dunlin_world *world, int species) {
    return largest_of(world, species, DUNLIN_ROLE_MAX_SPEED, dunlin_world_get_species(world, species).max_speed);
}

/* Where there are no edges, agents may move on all the time. `at`: an entry of `start`, or the species. */
static journey journey_from(dunlin_simulation *simulation, int species, const slot *start, const slot *at) {
    const dunlin_world_def world = dunlin_world_get_def(simulation->world);
    const double speed = max_speed_of(simulation->world, species), steps = (double)dun_part(simulation, "steps")->whole;
    dunlin_scatter_def def;
    journey j = {.step = speed * (double)world.time_step, .at = at};
    if (!dun_read_start(simulation, species, start, &def)) return j;
    double own2 = 0.0, open_place = 0.0;
    bool is_open = false;
    for (int a = 0; a < world.dimensions; a++) {
        const float extent = def.extent[def.region == DUNLIN_REGION_BALL ? 0 : a];
        const bool open = dunlin_world_boundary(simulation->world, a) == DUNLIN_BOUNDARY_OPEN;
        if (open)
            open_place = fmax(open_place, fabs((double)def.centre[a]) + (double)extent);
        else
            j.place = fmax(j.place, (double)(world.size[a] + world.margin));
        is_open = is_open || open;
        own2 += (double)def.velocity[a] * (double)def.velocity[a];
    }
    if (own2 > 0.0) j.step = fmin(j.step, sqrt(own2) * (double)world.time_step); /* all of them begin with it */
    if (is_open) j.place = fmax(j.place, open_place + steps * j.step);
    return j;
}

static bool is_lost(const journey *j) {
    return j->step > 0.0 && j->step < apart_at(j->place);
}

/* One warning per species. */
static bool check_journeys(dunlin_simulation *simulation, const slot *entry) {
    const slot *starts = dun_field(entry, "start"), *births = dun_field(entry, "growth");
    const int species = (int)dun_position(entry);
    journey j = {.step = 0.0};
    if (simulation->def.init) return true; /* its agents start elsewhere */
    if (starts->count == 0) j = journey_from(simulation, species, NULL, entry);
    for (uint32_t i = 0; i < starts->count && !is_lost(&j); i++)
        j = journey_from(simulation, species, dun_inside(starts, i), dun_inside(starts, i));
    for (uint32_t i = 0; i < births->count && !is_lost(&j); i++)
        if (has(dun_inside(births, i), "start"))
            j = journey_from(simulation, species, dun_field(dun_inside(births, i), "start"), dun_inside(births, i));
    if (is_lost(&j))
        WARN(simulation, j.at,
             "agents may be %.3g world units from the origin, where positions are %.3g apart: a step of at most %.3g is lost "
             "or rounded there",
             j.place, apart_at(j.place), j.step);
    return true;
}

/* ---- across the world in a step --------------------------------------------------------------------------------------- */

static bool check_speed(dunlin_simulation *simulation, const slot *entry) {
    const dunlin_world_def world = dunlin_world_get_def(simulation->world);
    const double step = max_speed_of(simulation->world, (int)dun_position(entry)) * (double)world.time_step;
    int shortest = -1;
    for (int a = 0; a < world.dimensions; a++)
        if (dunlin_world_boundary(simulation->world, a) != DUNLIN_BOUNDARY_OPEN &&
            (shortest < 0 || world.size[a] < world.size[shortest]))
            shortest = a;
    if (shortest >= 0 && step > (double)world.size[shortest])
        WARN(simulation, entry,
             "agents may move by %.3g world units in a step (max_speed times time_step), more than the size of the world along"
             " %c, %.3g: they end on its edge",
             step, "xyz"[shortest], (double)world.size[shortest]);
    return true;
}

/* ---- too weak to be seen ------------------------------------------------------------------------------------------------ */

/* The most that a behaviour changes a velocity by in a step; HUGE_VAL: it has no limit. */
static double most_per_step(const dunlin_world *world, const dunlin_behaviour_def *def) {
    const dunlin_world_def all = dunlin_world_get_def(world);
    const bool is_free = def->kind == DUNLIN_BEHAVIOUR_FORCE || def->kind == DUNLIN_BEHAVIOUR_DRAG ||
                         def->kind == DUNLIN_BEHAVIOUR_WIND || def->kind == DUNLIN_BEHAVIOUR_BODY ||
                         def->kind == DUNLIN_BEHAVIOUR_ATTRACT;
    double limit = (double)def->max_force;
    if (limit < 0.0 && is_free) return HUGE_VAL;
    if (limit < 0.0)
        limit = largest_of(world, def->species, DUNLIN_ROLE_MAX_FORCE, dunlin_world_get_species(world, def->species).max_force);
    return limit * fmax(fabs((double)def->weight), 1.0) * (all.forces_are_increments ? 1.0 : (double)all.time_step);
}

/* A behaviour for all species is as many of the world, and is warned about once. */
static bool check_strength(dunlin_simulation *simulation, const slot *entry) {
    const int *first = &simulation->first_behaviour[dun_position(entry)];
    for (int i = first[0]; i < first[1]; i++) {
        const dunlin_behaviour_def def = dunlin_world_get_behaviour(simulation->world, i);
        if (def.kind == DUNLIN_BEHAVIOUR_ADAPT || def.weight == 0.0f) continue;
        const double most = most_per_step(simulation->world, &def), speed = max_speed_of(simulation->world, def.species);
        if (most >= 0.01 * speed) continue;
        WARN(simulation, entry,
             "it changes velocities by at most %.3g in a step, and max_speed is %.3g: hardly anything will be seen of it "
             "without a "
             "larger max_force",
             most, speed);
        break;
    }
    return true;
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

void dun_warn(dunlin_simulation *simulation) {
    if (!simulation->def.warn) return;
    dun_put_all(simulation, dun_part(simulation, "species"), check_attributes);
    dun_put_all(simulation, dun_part(simulation, "species"), check_journeys);
    dun_put_all(simulation, dun_part(simulation, "species"), check_speed);
    dun_put_all(simulation, dun_part(simulation, "behaviours"), check_strength);
    check_obstacles(simulation);
    dun_put_all(simulation, dun_part(simulation, "fields"), check_trace);
    check_list(simulation, dun_part(simulation, "fields"), uses_field, "nothing uses it: no flow, wind or adapt names it");
    check_list(simulation, dun_part(simulation, "paths"), uses_path, "nothing uses it: no follow_path names it");
}
