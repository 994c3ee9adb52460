/* SPDX-License-Identifier: MIT */
#include "harness/scenario/builder.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

float builder_radians(float degrees) {
    static const double pi = 3.14159265358979323846;
    return (float)((double)degrees * pi / 180.0);
}

int builder_int(uint32_t number) {
    return number < INT_MAX ? (int)number : INT_MAX;
}

dunlin_result builder_set_vector(const builder *build, const char *place, const char *field, float *target, const float *values,
                                 unsigned count, unsigned wanted) {
    if (!values) return DUNLIN_OK;
    if (count != wanted) {
        char inner[PLACE_LENGTH];
        snprintf(inner, sizeof inner, "%.100s.%s", place, field);
        return yaml_tree_fail(build->script->tree, inner, DUNLIN_ERROR_FILE, build->error,
                              "the list has %u numbers; allowed here: %u", count, wanted);
    }
    memcpy(target, values, count * sizeof *target);
    return DUNLIN_OK;
}

static dunlin_result fail_species(const builder *build, const char *place, const char *field, const char *problem) {
    char allowed[200] = "";
    for (int i = 0; i < dunlin_world_species_count(build->world); i++) {
        size_t length = strlen(allowed);
        snprintf(allowed + length, sizeof allowed - length, "%s%s", i > 0 ? ", " : "",
                 dunlin_world_get_species(build->world, i).name);
    }
    char inner[PLACE_LENGTH];
    snprintf(inner, sizeof inner, "%.100s.%s", place, field);
    return yaml_tree_fail(build->script->tree, inner, DUNLIN_ERROR_FILE, build->error, "%s; allowed: %s", problem, allowed);
}

dunlin_result builder_set_species(const builder *build, const char *place, const char *field, const char *name, int by_default,
                                  int *target) {
    if (!name && by_default < 0) {
        return fail_species(build, place, field, "it must be said where there are several species");
    }
    *target = name ? dunlin_world_find_species(build->world, name) : by_default;
    if (*target < 0) {
        char problem[100];
        snprintf(problem, sizeof problem, "it is '%.63s', which is no species", name);
        return fail_species(build, place, field, problem);
    }
    return DUNLIN_OK;
}

/* ---- an entry of a list ----------------------------------------------------------------------------------------------- */

builder_entry builder_entry_at(const builder *build, const char *list, unsigned position) {
    builder_entry entry = {.build = build, .axes = (unsigned)dunlin_world_get_def(build->world).dimensions};
    snprintf(entry.place, sizeof entry.place, "%s[%u]", list, position);
    return entry;
}

void builder_enter(builder_entry *entry, const char *field) {
    size_t length = strlen(entry->place);
    snprintf(entry->place + length, sizeof entry->place - length, ".%s", field);
}

dunlin_result builder_entry_set(const builder_entry *entry, const char *field, float *target, const float *values,
                                unsigned count) {
    return builder_set_vector(entry->build, entry->place, field, target, values, count, entry->axes);
}

dunlin_result builder_entry_fail(const builder_entry *entry, const char *field, const char *problem) {
    char inner[PLACE_LENGTH];
    snprintf(inner, sizeof inner, "%.100s%s%s", entry->place, *field != '\0' ? "." : "", field);
    return yaml_tree_fail(entry->build->script->tree, inner, DUNLIN_ERROR_FILE, entry->build->error, "%s", problem);
}

dunlin_result builder_entry_species(const builder_entry *entry, const char *name, unsigned first, unsigned position,
                                    int *species) {
    const dunlin_world *world = entry->build->world;
    const int by_default = dunlin_world_species_count(world) == 1 ? 0 : -1;
    dunlin_result result = builder_set_species(entry->build, entry->place, "species", name, by_default, species);
    for (unsigned i = 0; i < position && result == DUNLIN_OK; i++) {
        if (dunlin_world_get_behaviour(world, (int)(first + i)).species == *species)
            return builder_entry_fail(entry, "", "the species has such an entry already; allowed: one a species");
    }
    return result;
}

dunlin_result builder_entry_locate(const builder_entry *entry, dunlin_result result, const char *subject) {
    if (result == DUNLIN_OK) return DUNLIN_OK;
    return yaml_tree_locate(entry->build->script->tree, entry->place, subject, entry->build->error);
}
