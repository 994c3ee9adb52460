/* SPDX-License-Identifier: MIT */
/* What the parts of building a world from a scenario share. */
#ifndef DUNLIN_HARNESS_SCENARIO_BUILDER_H
#define DUNLIN_HARNESS_SCENARIO_BUILDER_H

#include "harness/scenario/file.h"

/* Takes over what the file says; what it leaves out stays the engine's default. */
#define SET(target, pointer)                                                                                                   \
    do {                                                                                                                       \
        if ((pointer)) (target) = *(pointer);                                                                                  \
    } while (0)

/* An angle of the file, which is in degrees there. */
float builder_radians(float degrees);

typedef struct builder {
    const scenario *script;
    const scenario_options *options;
    dunlin_world *world;
    dunlin_error *error;
} builder;

/* A whole number of the file; what an int does not hold is refused by the engine as it would be. */
int builder_int(uint32_t number);

/* A vector from the file: one number an axis. `values` may be NULL. */
dunlin_result builder_set_vector(const builder *build, const char *place, const char *field, float *target, const float *values,
                                 unsigned count, unsigned wanted);

/* The index of the species that `name` names; where it is NULL, of the one that is meant by default (< 0: none is). */
dunlin_result builder_set_species(const builder *build, const char *place, const char *field, const char *name, int by_default,
                                  int *target);

/* One entry of a list of the file, `fields[3]`, or what is in it, `behaviours[3].seek`. */
typedef struct builder_entry {
    const builder *build;
    unsigned axes;
    char place[PLACE_LENGTH];
} builder_entry;

builder_entry builder_entry_at(const builder *build, const char *list, unsigned position);

/* What follows is of the entry's field of that name. */
void builder_enter(builder_entry *entry, const char *field);

/* A vector of the entry: one number an axis. `values` may be NULL. */
dunlin_result builder_entry_set(const builder_entry *entry, const char *field, float *target, const float *values,
                                unsigned count);

/* Says what is wrong with a field of the entry, or, where its name is empty, with the entry. */
dunlin_result builder_entry_fail(const builder_entry *entry, const char *field, const char *problem);

/*
 * The species of an entry of a list of which a species has one entry at most, each a behaviour of the world: the list's first
 * is number `first`. By default the only species.
 */
dunlin_result builder_entry_species(const builder_entry *entry, const char *name, unsigned first, unsigned position,
                                    int *species);

/* Says where in the file the engine's message, which begins with `subject`, comes from. */
dunlin_result builder_entry_locate(const builder_entry *entry, dunlin_result result, const char *subject);

/* Paths and obstacles; the numbers of paths are the positions in the file. */
dunlin_result builder_add_paths(const builder *build);
dunlin_result builder_add_obstacles(const builder *build);

/* What each agent of a species has of its own; before there are agents, and after the behaviours, whose weights may be among
 * it. */
dunlin_result builder_add_attributes(const builder *build);

/* The agents that are there from the start. */
dunlin_result builder_place_agents(const builder *build);

/* Whether those who are to be born can be; and, before a step, the birth of those whom it brings. */
dunlin_result builder_check_growth(const builder *build);
dunlin_result builder_grow(const builder *build);

/*
 * Makes of an entry of the file what the engine takes, and adds that to the world; or, where the world has that entry already,
 * sets it: what the file says has changed since.
 */
dunlin_result builder_put_world(builder *build);
dunlin_result builder_put_species(const builder *build, unsigned position);
dunlin_result builder_put_interaction(const builder *build, unsigned position);
dunlin_result builder_put_field(const builder *build, unsigned position);
dunlin_result builder_put_behaviour(const builder *build, unsigned position);
dunlin_result builder_put_meal(const builder *build, unsigned position);
dunlin_result builder_put_life(const builder *build, unsigned position);
dunlin_result builder_put_model(const builder *build, unsigned position);

/* Tells the caller, if it wants to know, what the file has and nothing uses. */
void builder_warn(const builder *build);

/* Sets what the file's schedules make of it after the steps that the world has taken. */
dunlin_result builder_apply_schedules(builder *build);

#endif
