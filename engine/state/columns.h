/* SPDX-License-Identifier: MIT */
/* The columns of a state's table, as they are written and read. */
#ifndef DUNLIN_ENGINE_STATE_COLUMNS_H
#define DUNLIN_ENGINE_STATE_COLUMNS_H

#include "engine/world/world.h"

enum {
    DUN_COLUMN_ID,
    DUN_COLUMN_SPECIES,
    DUN_COLUMN_NUMBERS, /* the first of positions and velocities; after them come attributes */
    DUN_MAX_STATE_COLUMNS = DUN_COLUMN_NUMBERS + 6 + DUNLIN_MAX_SPECIES * DUNLIN_MAX_ATTRIBUTES
};

typedef struct dun_state_columns {
    int count, first_attribute;
    const char *name[DUN_MAX_STATE_COLUMNS]; /* of attributes: the names of all species' attributes, each once */
} dun_state_columns;

dun_state_columns dun_state_columns_of(const dunlin_world *world);

/* Which of a species' values such a column holds: 0 .. 2·dimensions - 1, then its attributes. -1: it has no such attribute. */
int dun_state_value_of(const dunlin_world *world, const dun_state_columns *columns, int column, int species);

#endif
