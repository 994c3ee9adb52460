/* SPDX-License-Identifier: MIT */
/* What a scenario says of the numbers that each agent has of its own, as the engine takes it. */
#include "harness/scenario/builder.h"

#include <stdio.h>
#include <string.h>

static dunlin_result set_role(const builder_entry *e, const scenario_attribute *file, dunlin_attribute_def *def) {
    SET(def->role, file->role);
    def->name = file->name ? file->name : scenario_role_names[def->role].str;
    if (!file->name && def->role == DUNLIN_ROLE_VALUE)
        return builder_entry_fail(e, "name", "it is missing: only an attribute with another role is called by that");
    if (file->behaviour && def->role != DUNLIN_ROLE_BEHAVIOUR_WEIGHT)
        return builder_entry_fail(e, "behaviour", "only with role: behaviour_weight");
    if (!file->behaviour && def->role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT)
        return builder_entry_fail(e, "behaviour", "it is missing: which of the behaviours, counted from 0");
    if (file->behaviour) def->behaviour = builder_int(*file->behaviour);
    return DUNLIN_OK;
}

static dunlin_result set_values(const builder_entry *e, const scenario_attribute *file, dunlin_attribute_def *def) {
    if (!!file->value + !!file->even + !!file->normal != 1)
        return builder_entry_fail(e, "", "it needs one of value, even, normal");
    SET(def->value, file->value);
    if (file->even) {
        def->distribution = DUNLIN_DISTRIBUTION_EVEN;
        def->low = file->even[0];
        def->high = file->even[1];
    } else if (file->normal) {
        def->distribution = DUNLIN_DISTRIBUTION_NORMAL;
        def->value = file->normal->mean;
        def->deviation = file->normal->deviation;
        def->low = file->normal->low;
        def->high = file->normal->high;
    }
    return DUNLIN_OK;
}

/* A field of the engine's that the message is about may be called otherwise in the file. */
static dunlin_result locate(const builder_entry *e, const scenario_attribute *file, dunlin_result result) {
    static const struct {
        const char *engine, *even, *normal;
    } fields[] = {{"attribute.value ", NULL, "normal.mean"},
                  {"attribute.deviation ", NULL, "normal.deviation"},
                  {"attribute.low ", "even[0]", "normal.low"},
                  {"attribute.high ", "even[1]", "normal.high"}};
    const dunlin_error inner = *e->build->error;
    for (size_t i = 0; i < sizeof fields / sizeof *fields && result != DUNLIN_OK && !file->value; i++) {
        size_t length = strlen(fields[i].engine);
        if (strncmp(inner.message, fields[i].engine, length) != 0) continue;
        char place[PLACE_LENGTH];
        snprintf(place, sizeof place, "%.100s.%s", e->place, file->even ? fields[i].even : fields[i].normal);
        return yaml_tree_fail(e->build->script->tree, place, inner.code, e->build->error, "it %s", inner.message + length);
    }
    return builder_entry_locate(e, result, "attribute");
}

static dunlin_result add_attribute(const builder *build, unsigned species, unsigned position) {
    const scenario_attribute *file = &build->script->file->species[species].attributes[position];
    char list[PLACE_LENGTH];
    snprintf(list, sizeof list, "species[%u].attributes", species);
    const builder_entry e = builder_entry_at(build, list, position);
    dunlin_attribute_def def = dunlin_attribute_def_default();
    def.species = (int)species;
    dunlin_result result = set_role(&e, file, &def);
    if (result == DUNLIN_OK) result = set_values(&e, file, &def);
    if (result != DUNLIN_OK) return result;
    return locate(&e, file, dunlin_world_add_attribute(build->world, &def, NULL, build->error));
}

dunlin_result builder_add_attributes(const builder *build) {
    const scenario_file *file = build->script->file;
    dunlin_result result = DUNLIN_OK;
    for (unsigned s = 0; s < file->species_count; s++) {
        for (unsigned i = 0; i < file->species[s].attributes_count && result == DUNLIN_OK; i++) {
            result = add_attribute(build, s, i);
        }
    }
    return result;
}
