/* SPDX-License-Identifier: MIT */
/* The numbers that each agent has of its own. */
#include "harness/scenario/build.h"

#include <string.h>

/* The entry of `behaviours` becomes the number of its behaviour of this species. */
static dunlin_result set_behaviour(dunlin_flight *flight, const slot *entry, dunlin_attribute_def *def) {
    const bool given = has(flight, entry, "behaviour"), wanted = def->role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT;
    if (given && !wanted) return FAIL_FIELD(flight, entry, "behaviour", "allowed: only with role: behaviour_weight");
    if (!given && wanted)
        return FAIL_FIELD(flight, entry, "behaviour", "it is missing: which of the behaviours, counted from 0");
    if (!given) return DUNLIN_OK;
    const uint64_t position = dun_tree_whole(&flight->file, entry, "behaviour");
    const uint32_t entries = dun_tree_length(&flight->file, "behaviours");
    if (position >= entries)
        return FAIL_FIELD(flight, entry, "behaviour", "it is %llu; the file has %u behaviours, counted from 0",
                          (unsigned long long)position, entries);
    const int first = flight->first_behaviour[position], count = flight->first_behaviour[position + 1] - first;
    def->behaviour = count > 1 ? first + def->species : first;
    return DUNLIN_OK;
}

static dunlin_result set_role(dunlin_flight *flight, const slot *entry, dunlin_attribute_def *def) {
    if (!has(flight, entry, "name")) def->name = dun_choice_name(dun_role_names, (int)def->role);
    if (!has(flight, entry, "name") && def->role == DUNLIN_ROLE_VALUE)
        return FAIL_FIELD(flight, entry, "name", "it is missing; only an attribute with another role is named after its role");
    return set_behaviour(flight, entry, def);
}

/* The engine's fields have other names in the file. */
static dunlin_result locate(dunlin_flight *flight, const slot *entry, dunlin_result result) {
    static const char *const fields[][2] = {{"attribute.value ", "mean"},
                                            {"attribute.deviation ", "deviation"},
                                            {"attribute.min_value ", "low"},
                                            {"attribute.max_value ", "high"}};
    const dunlin_error inner = *flight->error;
    const slot *one = dun_tree_one(&flight->file, entry);
    for (size_t i = 0; i < 4 && result != DUNLIN_OK && one->type != VALUE_NUMBER; i++) {
        const size_t length = strlen(fields[i][0]);
        if (strncmp(inner.message, fields[i][0], length) != 0) continue;
        const slot *at = one->type == VALUE_LIST ? dun_tree_inside(&flight->file, one, i == 3)
                                                 : dun_tree_at(&flight->file, one, fields[i][1]);
        return dun_tree_fail(&flight->file, at, inner.code, flight->error, "it %s", inner.message + length);
    }
    return dun_located(flight, entry, "attribute", result);
}

static dunlin_result add_attribute(dunlin_flight *flight, int species, const slot *entry) {
    dunlin_attribute_def def = dunlin_attribute_def_default();
    def.species = species;
    dun_tree_bind(&flight->file, entry, &def);
    const uint8_t type = dun_tree_one(&flight->file, entry)->type;
    if (type == VALUE_LIST) def.distribution = DUNLIN_DISTRIBUTION_EVEN;
    if (type == VALUE_ENTRY) def.distribution = DUNLIN_DISTRIBUTION_NORMAL;
    dunlin_result result = set_role(flight, entry, &def);
    if (result != DUNLIN_OK) return result;
    return locate(flight, entry, dunlin_world_add_attribute(flight->world, &def, NULL, flight->error));
}

static dunlin_result add_attributes(dunlin_flight *flight, const slot *species) {
    const slot *list = dun_tree_at(&flight->file, species, "attributes");
    dunlin_result result = DUNLIN_OK;
    for (uint32_t i = 0; i < list->count && result == DUNLIN_OK; i++)
        result = add_attribute(flight, (int)dun_position(flight, species), dun_tree_inside(&flight->file, list, i));
    return result;
}

dunlin_result dun_add_attributes(dunlin_flight *flight) {
    return dun_put_all(flight, "species", add_attributes);
}
