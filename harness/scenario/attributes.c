/* SPDX-License-Identifier: MIT */
/* The numbers that each agent has of its own. */
#include "harness/scenario/build.h"

#include <string.h>

/* The entry of `behaviours` becomes the number of its behaviour of this species. */
static bool set_behaviour(dunlin_flight *flight, const slot *entry, dunlin_attribute_def *def) {
    const slot *given = dun_field(entry, "behaviour");
    const bool wanted = def->role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT;
    if (given->line > 0 && !wanted) return FAIL(flight, given, "allowed: only with role: behaviour_weight");
    if (given->line == 0 && wanted) return FAIL(flight, given, "it is missing: which of the behaviours, counted from 0");
    if (!wanted) return true;
    const uint32_t entries = dun_part(flight, "behaviours")->count;
    if (given->whole >= entries)
        return FAIL(flight, given, "it is %llu; the file has %u behaviours, counted from 0", (unsigned long long)given->whole,
                    entries);
    const int first = flight->first_behaviour[given->whole], count = flight->first_behaviour[given->whole + 1] - first;
    def->behaviour = count > 1 ? first + def->species : first;
    return true;
}

static bool set_name(dunlin_flight *flight, const slot *entry, dunlin_attribute_def *def) {
    if (has(entry, "name")) return true;
    def->name = dun_choice_name(dun_role_names, (int)def->role);
    return def->role != DUNLIN_ROLE_VALUE ||
           FAIL_FIELD(flight, entry, "name", "it is missing; only an attribute with another role is named after its role");
}

/* The engine's fields have other names in the file. */
static bool locate(dunlin_flight *flight, const slot *entry, dunlin_result result) {
    static const char *const fields[][2] = {{"attribute.value ", "mean"},
                                            {"attribute.deviation ", "deviation"},
                                            {"attribute.min_value ", "low"},
                                            {"attribute.max_value ", "high"}};
    const dunlin_error inner = *flight->error;
    const slot *one = dun_one_of(entry);
    for (size_t i = 0; i < 4 && result != DUNLIN_OK && one->type != VALUE_NUMBER; i++) {
        const size_t length = strlen(fields[i][0]);
        if (strncmp(inner.message, fields[i][0], length) != 0) continue;
        const slot *at = one->type == VALUE_LIST ? dun_inside(one, i == 3) : dun_field(one, fields[i][1]);
        return dun_fail_at(flight->file.name, at, inner.code, flight->error, "it %s", inner.message + length);
    }
    return dun_located(flight, entry, "attribute", result);
}

static bool add_attribute(dunlin_flight *flight, const slot *entry) {
    dunlin_attribute_def def = dunlin_attribute_def_default();
    def.species = (int)dun_position(dun_parent(dun_parent(entry)));
    const uint8_t type = dun_one_of(entry)->type;
    if (type == VALUE_LIST) def.distribution = DUNLIN_DISTRIBUTION_EVEN;
    if (type == VALUE_ENTRY) def.distribution = DUNLIN_DISTRIBUTION_NORMAL;
    return dun_bind(flight, entry, &def) && set_name(flight, entry, &def) && set_behaviour(flight, entry, &def) &&
           locate(flight, entry, dunlin_world_add_attribute(flight->world, &def, NULL, flight->error));
}

bool dun_add_attributes(dunlin_flight *flight, const slot *species) {
    return dun_put_all(flight, dun_field(species, "attributes"), add_attribute);
}
