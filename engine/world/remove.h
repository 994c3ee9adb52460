/* SPDX-License-Identifier: MIT */
/* Removal of what other parts of a world refer to by number. */
#ifndef DUNLIN_ENGINE_WORLD_REMOVE_H
#define DUNLIN_ENGINE_WORLD_REMOVE_H

#include <string.h>

#include "engine/world/world.h"

typedef enum dun_list { DUN_LIST_SPECIES, DUN_LIST_BEHAVIOURS, DUN_LIST_ATTRIBUTES, DUN_LIST_PATHS, DUN_LIST_FIELDS } dun_list;

/* A field of a behaviour's definition, an int, that refers to another part of the world. */
typedef struct dun_reference {
    const char *field; /* in messages; NULL: there is no such field */
    size_t offset;     /* in the definition */
    dun_list to;
    bool (*used)(const dunlin_behaviour_def *def); /* NULL: it always is */
} dun_reference;

static inline int dun_reference_number(const dun_reference *reference, const dunlin_behaviour_def *def) {
    int number;
    memcpy(&number, (const char *)def + reference->offset, sizeof number);
    return number;
}

static inline bool dun_reference_used(const dun_reference *reference, const dunlin_behaviour_def *def) {
    return reference->field && (!reference->used || reference->used(def));
}

typedef struct dun_removal {
    dun_list from;
    int number;
    int species;                        /* whose attribute */
    bool gone;                          /* references are renumbered; until then a user is looked for */
    char user[DUNLIN_NAME_LENGTH + 48]; /* the first part that refers to it; "": none */
} dun_removal;

/* Whether there is such a number, and nothing refers to it. `field`: what messages call it. `count`: how many there are. */
dunlin_result dun_removal_check(dunlin_world *world, dun_removal *r, const char *field, int count, dunlin_error *error);

/* Takes the entry, which has been freed, out of the array, and lowers all references above it. */
void dun_removal_finish(dunlin_world *world, dun_removal *r, void *all, size_t size, int *count);

#endif
