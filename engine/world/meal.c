/* SPDX-License-Identifier: MIT */
/* Meals: which species is food for which. engine/frame/meals.c serves them. */
#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

dunlin_meal_def dunlin_meal_def_default(void) {
    return (dunlin_meal_def){.cookie = DUN_COOKIE, .food = 1, .radius = 1.0f, .energy = -1, .gain = 1.0f, .worth = -1};
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

/* Checks an attribute's number: -1, or one whose values are the caller's own. */
static dunlin_result check_meal_attribute(const dunlin_world *world, int species, int attribute, const char *field,
                                          dunlin_error *error) {
    if (attribute == -1) return DUNLIN_OK;
    const dunlin_result result = dun_check_position(attribute, dunlin_world_attribute_count(world, species), field,
                                                    " attributes of that species", error);
    if (result) return result;
    const dunlin_attribute_def def = dunlin_world_get_attribute(world, species, attribute);
    if (def.role == DUNLIN_ROLE_VALUE) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is %d, '%s': its role must be value, and it is %s", field, attribute,
                    def.name, dun_names_of_role.words[def.role]);
}

static dunlin_result check_meal(const dunlin_world *world, const dunlin_meal_def *def, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_meal_def_default()");
    const dun_number numbers[] = {{(double)def->radius, {"meal.radius", (double)1e-9f, 1e9, false, "world units"}},
                                  {(double)def->gain, {"meal.gain", -1e6, 1e6, false, NULL}}};
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_meal_def", error);
    if (!result) result = dun_list_check(world, DUN_LIST_SPECIES, def->eater, "meal.eater", error);
    if (!result) result = dun_list_check(world, DUN_LIST_SPECIES, def->food, "meal.food", error);
    if (!result && def->eater == def->food)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "meal.food is %d: it must be another species than meal.eater", def->food);
    if (!result) result = dun_check_numbers(numbers, 2, error);
    if (!result) result = check_meal_attribute(world, def->eater, def->energy, "meal.energy", error);
    return result ? result : check_meal_attribute(world, def->food, def->worth, "meal.worth", error);
}

/* ---- adding, setting, asking ------------------------------------------------------------------------------------------ */

dunlin_result dunlin_world_add_meal(dunlin_world *world, const dunlin_meal_def *def, int *meal, dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result result = check_meal(world, def, error);
    return result ? result : dun_list_add(world, DUN_LIST_MEALS, def, meal, error);
}

int dunlin_world_meal_count(const dunlin_world *world) {
    return world->meal_count;
}

dunlin_meal_def dunlin_world_get_meal(const dunlin_world *world, int meal) {
    return dun_list_check(world, DUN_LIST_MEALS, meal, NULL, NULL) ? (dunlin_meal_def){0} : world->meals[meal];
}

dunlin_result dunlin_world_set_meal(dunlin_world *world, int meal, const dunlin_meal_def *def, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_list_check(world, DUN_LIST_MEALS, meal, NULL, error);
    if (!result) result = check_meal(world, def, error);
    if (result) return result;
    world->meals[meal] = *def;
    dun_unprepare(world);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_remove_meal(dunlin_world *world, int meal, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return dun_list_remove(world, DUN_LIST_MEALS, meal, NULL, error);
}
