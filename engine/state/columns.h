/* SPDX-License-Identifier: MIT */
/* The columns of state files that hold attributes. */
#ifndef DUNLIN_ENGINE_STATE_COLUMNS_H
#define DUNLIN_ENGINE_STATE_COLUMNS_H

#include <dunlin/dunlin.h>

enum { DUN_STATE_MAX_NAMES = DUNLIN_MAX_SPECIES * DUNLIN_MAX_ATTRIBUTES };

/* The names of all species' attributes, each once. */
typedef struct dun_attribute_names {
    int count;
    const char *name[DUN_STATE_MAX_NAMES];
} dun_attribute_names;

void dun_attribute_names_list(const dunlin_world *world, dun_attribute_names *names);

#endif
