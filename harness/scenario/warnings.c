/* SPDX-License-Identifier: MIT */
/* What a scenario has and nothing uses: no mistake that would keep a world from flying, but seldom intended. */
#include "harness/scenario/build.h"

#include <string.h>

static void warn(const dunlin_flight *flight, const slot *entry, const char *problem) {
    dunlin_error said;
    dun_tree_fail(&flight->file, entry, DUNLIN_OK, &said, "%s", problem);
    flight->def.warn(flight->def.user, said.message);
}

/* ---- fields and paths ------------------------------------------------------------------------------------------------- */

static bool uses_field(const dunlin_behaviour_def *def, int field) {
    return (def->kind == DUNLIN_BEHAVIOUR_FLOW || def->kind == DUNLIN_BEHAVIOUR_WIND) && def->flow.field == field;
}

static bool uses_path(const dunlin_behaviour_def *def, int path) {
    return def->kind == DUNLIN_BEHAVIOUR_FOLLOW_PATH && def->follow.path == path;
}

/* Fields and paths have the same numbers in the world as in the file. */
static void check_list(const dunlin_flight *flight, const char *list, bool (*uses)(const dunlin_behaviour_def *def, int number),
                       const char *problem) {
    const int behaviours = dunlin_world_behaviour_count(flight->world);
    for (uint32_t i = 0; i < dun_tree_length(&flight->file, list); i++) {
        bool used = false;
        for (int b = 0; b < behaviours && !used; b++) {
            const dunlin_behaviour_def def = dunlin_world_get_behaviour(flight->world, b);
            used = uses(&def, (int)i);
        }
        if (!used) warn(flight, dun_tree_entry(&flight->file, list, i), problem);
    }
}

/* ---- attributes ------------------------------------------------------------------------------------------------------- */

/* Only for attributes of role value: the others act by their role. */
static bool uses_attribute(const dunlin_flight *flight, int species, int number) {
    for (int i = 0; i < dunlin_world_meal_count(flight->world); i++) {
        const dunlin_meal_def meal = dunlin_world_get_meal(flight->world, i);
        if ((meal.eater == species && meal.energy == number) || (meal.food == species && meal.worth == number)) return true;
    }
    const int first = flight->first_behaviour[dun_tree_length(&flight->file, "behaviours")];
    for (uint32_t i = 0; i < dun_tree_length(&flight->file, "lives"); i++) {
        const bool own = dunlin_world_get_behaviour(flight->world, first + (int)i).species == species;
        if (own && flight->metabolisms[i].energy == number) return true;
    }
    return false;
}

static void check_attribute(const dunlin_flight *flight, int species, int number, const slot *entry) {
    const dunlin_attribute_def def = dunlin_world_get_attribute(flight->world, species, number);
    const char *shown = flight->def.shown, *role = dun_choice_name(dun_role_names, (int)def.role);
    const choice *named = dun_choice_find(dun_role_names, def.name);
    dunlin_error said;
    if (named && named->value != DUNLIN_ROLE_VALUE && named->value != (int)def.role) {
        dun_tree_fail(&flight->file, entry, DUNLIN_OK, &said,
                      "it is only called %s, its role is %s; to act as %s it needs role: %s", def.name, role, def.name,
                      def.name);
        flight->def.warn(flight->def.user, said.message);
    } else if (def.role == DUNLIN_ROLE_VALUE && !uses_attribute(flight, species, number) &&
               (!shown || strcmp(shown, def.name) != 0)) {
        warn(flight, entry, "nothing uses it: its role is value, and no meal or life names it");
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

void dun_warn(dunlin_flight *flight) {
    if (!flight->def.warn) return;
    for (uint32_t s = 0; s < dun_tree_length(&flight->file, "species"); s++) {
        const slot *list = dun_tree_at(&flight->file, dun_tree_entry(&flight->file, "species", s), "attributes");
        for (uint32_t i = 0; i < list->count; i++)
            check_attribute(flight, (int)s, (int)i, dun_tree_inside(&flight->file, list, i));
    }
    check_list(flight, "fields", uses_field, "nothing uses it: no flow or wind names it");
    check_list(flight, "paths", uses_path, "nothing uses it: no follow_path names it");
}
