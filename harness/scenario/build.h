/* SPDX-License-Identifier: MIT */
/* From the entries of a file to what the engine takes. Functions that fail say so in the simulation's error, and return false.
 */
#ifndef DUNLIN_HARNESS_SCENARIO_BUILD_H
#define DUNLIN_HARNESS_SCENARIO_BUILD_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/words.h"

/* Says what is wrong with an entry, or with a field of it. */
#define FAIL(simulation, at, ...)                 dun_fail_at((simulation)->file.name, at, DUNLIN_ERROR_FILE, (simulation)->error, __VA_ARGS__)
#define FAIL_FIELD(simulation, entry, field, ...) FAIL(simulation, dun_field(entry, field), __VA_ARGS__)

/* Adds a definition to the world; or, where the world has one of that number already, sets it. */
#define PUT(simulation, entry, kind, number, def)                                                                              \
    dun_located(simulation, entry, #kind,                                                                                      \
                (number) < dunlin_world_##kind##_count((simulation)->world)                                                    \
                    ? dunlin_world_set_##kind((simulation)->world, number, def, (simulation)->error)                           \
                    : dunlin_world_add_##kind((simulation)->world, def, NULL, (simulation)->error))

/* Whether the engine took it; its message, which begins with `subject`, gets the entry's place in the file. */
static inline bool dun_located(dunlin_simulation *simulation, const slot *entry, const char *subject, dunlin_result result) {
    return result == DUNLIN_OK || dun_locate(simulation->file.name, entry, subject, simulation->error);
}

/* The world, or one of the file's lists. */
static inline const slot *dun_part(const dunlin_simulation *simulation, const char *name) {
    return dun_field(simulation->file.slots, name);
}

/* The only species of the world; -1: there are several. */
static inline int dun_only_species(const dunlin_simulation *simulation) {
    return dunlin_world_species_count(simulation->world) == 1 ? 0 : -1;
}

/* How many dimensions the world has. */
static inline unsigned dun_axes(const dunlin_simulation *simulation) {
    return (unsigned)dunlin_world_get_def(simulation->world).dimensions;
}

/* Fills the C struct `def` with what the entry gives, and with the schema's defaults. */
bool dun_bind(dunlin_simulation *simulation, const slot *entry, void *def);

/* The number of the species that the field names; where it is left out, `otherwise` (< 0: it must be there). */
bool dun_find_species(dunlin_simulation *simulation, const slot *field, int otherwise, int *species);

/* The position of the entry of a list that the field names; below 0: there is none, and `others` are all that there are. */
int dun_find_entry(const slot *list, const slot *field, words *others);

/* The number of the attribute that the field names. The file says it, for attributes are added after behaviours. */
bool dun_find_attribute(dunlin_simulation *simulation, const slot *field, int species, int *number);

/* The position of the entry of `fields` or `paths` that the field names; where it names none, of the only one there is. */
bool dun_find_named(dunlin_simulation *simulation, const slot *field, const char *list, int *position);

/*
 * Makes of an entry of the file what the engine takes, and adds it to the world; or, where the world has it already, sets it:
 * numbers of the entry have changed since.
 */
typedef bool dun_put_fn(dunlin_simulation *simulation, const slot *entry);
dun_put_fn dun_put_world, dun_put_species, dun_put_interaction, dun_put_field, dun_put_behaviour, dun_put_meal, dun_put_life,
    dun_put_model;

/* What agents leave in a field, if it is a trace: after the attributes. */
dun_put_fn dun_put_trace;

/* Only adds. The numbers of paths are the positions in the file. */
dun_put_fn dun_add_path, dun_add_obstacle;

/* A species' attributes: before it has agents, and after the behaviours, whose weights may be among them. */
dun_put_fn dun_add_attributes;

/* A behaviour that moves an attribute: once more, for its role says between which numbers. */
dun_put_fn dun_check_adapt;

/* Calls `put` for each entry of a list. Where all mistakes are reported, it continues after one, and leaves out what is wrong.
 */
bool dun_put_all(dunlin_simulation *simulation, const slot *list, dun_put_fn *put);

/* Calls `visit` for each entry of a list, also of those that are wrong: it looks at lists inside of them. */
bool dun_visit_all(dunlin_simulation *simulation, const slot *list, dun_put_fn *visit);

/* Instead of an entry that is wrong, where all mistakes are reported: adds what those that come after it count on. */
bool dun_stand_in(dunlin_simulation *simulation, const slot *entry);

/* Whether it has been put, or where all mistakes are reported, reports why not and stands in for it. */
bool dun_try(dunlin_simulation *simulation, const slot *entry, dun_put_fn *put);

/* Whether a species, an entry of the file, has an attribute of that role. */
bool dun_has_role(const slot *species, dunlin_role role);

/* The same of a species by its number; `at` asks for the attribute. The engine would miss it only in the first step. */
bool dun_check_role(dunlin_simulation *simulation, const slot *at, int species, dunlin_role role);

/* Whether a species' agents can start as the file says. */
dun_put_fn dun_check_starts;

/* What an entry of `start` asks for, but for the number of agents. NULL: that of the whole world. */
bool dun_read_start(dunlin_simulation *simulation, int species, const slot *start, dunlin_scatter_def *def);

/* Finds which numbers the behaviours of each entry have in the world: before the first is put into it. */
void dun_number_behaviours(dunlin_simulation *simulation);

/* Sets the callback of the world's behaviour of that number, which `lives` or `models` has made. */
void dun_connect(dunlin_simulation *simulation, int number, dunlin_behaviour_def *def);

/* What changes with the time step or the species: before each step. */
bool dun_put_lives_and_models(dunlin_simulation *simulation);

/* Puts all parts of the file but the agents into the world, as they are before the first step. */
bool dun_put_parts(dunlin_simulation *simulation);

/* Puts the changed entry of one of the file's lists, or the world, into the world. */
bool dun_put_entry(dunlin_simulation *simulation, const slot *entry);

/* Divides so many agents among the species of a file, in proportion to what they have. */
bool dun_divide_agents(tree *file, uint32_t total, dunlin_error *error);

/* The agents that are there from the start. */
bool dun_place_agents(dunlin_simulation *simulation);

/* Whether agents can be born as the file says; and, before a step, the births that it brings. */
bool dun_check_growth(dunlin_simulation *simulation);
bool dun_grow(dunlin_simulation *simulation);

/* Whether any species has agents that are born so. */
bool dun_grows(dunlin_simulation *simulation);

/* The number of the field's trace; where it has none, of the next. */
int dun_trace_of(const dunlin_world *world, int field);

/* Whether the caller gave the numbers of this trace. */
bool dun_has_trace(const dunlin_simulation *simulation, int trace);

/* Reports to the caller, if it asks for that, what the file has and nothing uses. */
void dun_warn(dunlin_simulation *simulation);

#endif
