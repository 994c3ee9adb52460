/* SPDX-License-Identifier: MIT */
#include "engine/state/columns.h"

#include <string.h>

#include "engine/world/world.h"

static void add_name(dun_attribute_names *names, const char *name) {
    for (int n = 0; n < names->count; n++)
        if (strcmp(names->name[n], name) == 0) return;
    names->name[names->count++] = name;
}

void dun_attribute_names_list(const dunlin_world *world, dun_attribute_names *names) {
    names->count = 0;
    for (int s = 0; s < world->species_count; s++)
        for (int i = 0; i < world->species[s]->attribute_count; i++) add_name(names, world->species[s]->attribute[i].name);
}
