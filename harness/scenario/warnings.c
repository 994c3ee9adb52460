/* SPDX-License-Identifier: MIT */
/* What a scenario has and nothing uses: no mistake that a world could not fly with, but seldom what was meant. */
#include "harness/scenario/builder.h"

#include <stdio.h>
#include <string.h>

static void warn(const builder *build, const char *list, unsigned position, const char *problem) {
    const builder_entry entry = builder_entry_at(build, list, position);
    dunlin_error said;
    yaml_tree_fail(build->script->tree, entry.place, DUNLIN_OK, &said, "%s", problem);
    build->options->warn(build->options->warn_user, said.message);
}

/* ---- fields and paths ------------------------------------------------------------------------------------------------- */

static bool uses_field(const dunlin_behaviour_def *def, int field) {
    return (def->kind == DUNLIN_BEHAVIOUR_FLOW || def->kind == DUNLIN_BEHAVIOUR_WIND) && def->flow.field == field;
}

static bool uses_path(const dunlin_behaviour_def *def, int path) {
    return def->kind == DUNLIN_BEHAVIOUR_FOLLOW_PATH && def->follow.path == path;
}

/* Fields and paths have the same numbers in the world as in the file. */
static void check_list(const builder *build, const char *list, unsigned count,
                       bool (*uses)(const dunlin_behaviour_def *def, int number), const char *problem) {
    const int behaviours = dunlin_world_behaviour_count(build->world);
    for (unsigned i = 0; i < count; i++) {
        bool used = false;
        for (int b = 0; b < behaviours && !used; b++) {
            const dunlin_behaviour_def def = dunlin_world_get_behaviour(build->world, b);
            used = uses(&def, (int)i);
        }
        if (!used) warn(build, list, i, problem);
    }
}

/* ---- attributes ------------------------------------------------------------------------------------------------------- */

/* Only for attributes of role value: the others act by their role. */
static bool uses_attribute(const builder *build, int species, int number) {
    const scenario_file *file = build->script->file;
    for (int i = 0; i < dunlin_world_meal_count(build->world); i++) {
        const dunlin_meal_def meal = dunlin_world_get_meal(build->world, i);
        if ((meal.eater == species && meal.energy == number) || (meal.food == species && meal.worth == number)) return true;
    }
    for (unsigned i = 0; i < file->lives_count; i++) {
        const int behaviour = (int)(file->behaviours_count + i);
        const bool own = dunlin_world_get_behaviour(build->world, behaviour).species == species;
        if (own && build->script->metabolism[i].energy == number) return true;
    }
    return false;
}

/* Whether that is what a role, but not this one, is called. */
static bool is_other_role(const char *name, dunlin_attribute_role role) {
    for (int other = DUNLIN_ROLE_VALUE + 1; other < DUNLIN_ROLE_COUNT; other++) {
        if (other != (int)role && strcmp(scenario_role_names[other].str, name) == 0) return true;
    }
    return false;
}

static void check_attribute(const builder *build, unsigned species, unsigned position) {
    const dunlin_attribute_def def = dunlin_world_get_attribute(build->world, (int)species, (int)position);
    const char *shown = build->options->shown;
    const bool inert = def.role == DUNLIN_ROLE_VALUE && !uses_attribute(build, (int)species, (int)position) &&
                       (!shown || strcmp(shown, def.name) != 0);
    char list[PLACE_LENGTH], problem[240];
    snprintf(list, sizeof list, "species[%u].attributes", species);
    if (is_other_role(def.name, def.role)) {
        snprintf(problem, sizeof problem, "it is only called %s, its role is %s; to act as one it needs role: %s", def.name,
                 scenario_role_names[def.role].str, def.name);
        warn(build, list, position, problem);
    } else if (inert) {
        warn(build, list, position, "nothing uses it: its role is value, and no meal or life names it");
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

void builder_warn(const builder *build) {
    const scenario_file *file = build->script->file;
    if (!build->options->warn) return;
    for (unsigned s = 0; s < file->species_count; s++) {
        for (unsigned i = 0; i < file->species[s].attributes_count; i++) check_attribute(build, s, i);
    }
    check_list(build, "fields", file->fields_count, uses_field, "nothing uses it: no flow or wind names it");
    check_list(build, "paths", file->paths_count, uses_path, "nothing uses it: no follow_path names it");
}
