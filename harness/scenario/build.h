/* SPDX-License-Identifier: MIT */
/* From the entries of a file to what the engine takes. */
#ifndef DUNLIN_HARNESS_SCENARIO_BUILD_H
#define DUNLIN_HARNESS_SCENARIO_BUILD_H

#include "harness/scenario/scenario.h"

/* Says what is wrong with an entry, or with a field of it. */
#define FAIL(flight, at, ...)                 dun_tree_fail(&(flight)->file, at, DUNLIN_ERROR_FILE, (flight)->error, __VA_ARGS__)
#define FAIL_FIELD(flight, entry, field, ...) FAIL(flight, dun_tree_at(&(flight)->file, entry, field), __VA_ARGS__)

/* Where the file says no scenario's worth, NULL; an entry's text, number, list. */
static inline const char *text_of(const dunlin_flight *flight, const slot *entry, const char *field) {
    return dun_tree_text(&flight->file, entry, field);
}

static inline double number_of(const dunlin_flight *flight, const slot *entry, const char *field) {
    return dun_tree_number(&flight->file, entry, field);
}

static inline bool has(const dunlin_flight *flight, const slot *entry, const char *field) {
    return dun_tree_at(&flight->file, entry, field)->line > 0;
}

/* The engine's result; its message, which begins with `subject`, gets the entry's place in the file. */
dunlin_result dun_located(dunlin_flight *flight, const slot *entry, const char *subject, dunlin_result result);

/* The number of the species that the field names; where it is left out, `otherwise` (< 0: it must be there). */
dunlin_result dun_find_species(dunlin_flight *flight, const slot *entry, const char *field, int otherwise, int *species);

/* The only species of the world; -1: there are several. */
int dun_only_species(const dunlin_flight *flight);

/* How many dimensions the world has. */
unsigned dun_axes(const dunlin_flight *flight);

/* Each entry's position in its list. */
uint32_t dun_position(const dunlin_flight *flight, const slot *entry);

/*
 * Makes of an entry of the file what the engine takes, and adds it to the world; or, where the world has it already, sets it:
 * numbers of the entry have changed since.
 */
typedef dunlin_result dun_put_fn(dunlin_flight *flight, const slot *entry);
dun_put_fn dun_put_world, dun_put_species, dun_put_interaction, dun_put_field, dun_put_behaviour, dun_put_meal, dun_put_life,
    dun_put_model;

/* Calls `put` for each entry of a list of the file. */
dunlin_result dun_put_all(dunlin_flight *flight, const char *list, dun_put_fn *put);

/* Puts the changed entry of one of the file's lists, or the world, into the world. */
dunlin_result dun_put_entry(dunlin_flight *flight, const slot *entry);

/* Paths and obstacles; the numbers of paths are the positions in the file. */
dunlin_result dun_add_paths(dunlin_flight *flight);
dunlin_result dun_add_obstacles(dunlin_flight *flight);

/* Before there are agents, and after the behaviours, whose weights may be among the attributes. */
dunlin_result dun_add_attributes(dunlin_flight *flight);

/* The agents that are there from the start. */
dunlin_result dun_place_agents(dunlin_flight *flight);

/* Whether agents can be born as the file says; and, before a step, the births that it brings. */
dunlin_result dun_check_growth(dunlin_flight *flight);
dunlin_result dun_grow(dunlin_flight *flight);

/* Tells the caller, if it wants to know, what the file has and nothing uses. */
void dun_warn(dunlin_flight *flight);

#endif
