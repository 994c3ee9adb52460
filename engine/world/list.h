/* SPDX-License-Identifier: MIT */
/* The lists of what a world is made of: how they grow, and how something leaves them that others refer to by number. */
#ifndef DUNLIN_ENGINE_WORLD_LIST_H
#define DUNLIN_ENGINE_WORLD_LIST_H

#include <string.h>

#include "engine/world/world.h"

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

/* Checks a number. `in`: the world, or the species whose attributes they are. `field`: its name in messages; NULL: the list's.
 */
dunlin_result dun_list_check(const void *in, dun_list list, int number, const char *field, dunlin_error *error);

/* Appends a copy of the item, which is checked. *number receives its number; `number` may be NULL. Not for species and
 * attributes, which have room for the maximum. */
dunlin_result dun_list_add(dunlin_world *world, dun_list to, const void *item, int *number, dunlin_error *error);

/* Whether the world has that species. */
static inline dunlin_result dun_species_check(const dunlin_world *world, int species, dunlin_error *error) {
    return dun_list_check(world, DUN_LIST_SPECIES, species, NULL, error);
}

/* Whether there is such a number, and nothing refers to it. */
dunlin_result dun_removal_check(dunlin_world *world, dun_removal *r, dunlin_error *error);

/* Takes the item, which has been freed, out of its list, and lowers all references above it. */
void dun_removal_finish(dunlin_world *world, dun_removal *r);

/* Both, and what frees the item between them; NULL: it owns nothing. Not for species and attributes. */
dunlin_result dun_list_remove(dunlin_world *world, dun_list from, int number, void (*release)(void *item), dunlin_error *error);

#endif
