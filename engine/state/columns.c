/* SPDX-License-Identifier: MIT */
#include "engine/state/state.h"

#include <string.h>

static void add_name(dun_state_columns *columns, const char *name) {
    for (int c = 0; c < columns->count; c++)
        if (strcmp(columns->name[c], name) == 0) return;
    columns->name[columns->count++] = name;
}

dun_state_columns dun_state_columns_of(const dunlin_world *world) {
    static const char *const numbers[] = {"x", "y", "z", "vx", "vy", "vz"};
    dun_state_columns columns = {.name = {"id", "species"}, .count = DUN_COLUMN_NUMBERS};
    for (int n = 0; n < 6; n++)
        if (n % 3 < world->def.dimensions) columns.name[columns.count++] = numbers[n];
    columns.first_attribute = columns.count;
    for (int s = 0; s < world->species_count; s++)
        for (int i = 0; i < world->species[s]->attribute_count; i++) add_name(&columns, world->species[s]->attribute[i].name);
    return columns;
}

int dun_state_value_of(const dunlin_world *world, const dun_state_columns *columns, int column, int species) {
    if (column < columns->first_attribute) return column - DUN_COLUMN_NUMBERS;
    const int attribute = dunlin_world_find_attribute(world, species, columns->name[column]);
    return attribute < 0 ? -1 : columns->first_attribute - DUN_COLUMN_NUMBERS + attribute;
}
