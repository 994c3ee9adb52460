/* SPDX-License-Identifier: MIT */
/* Attributes: checks, new agents' values, and what kernels read. */
#ifndef DUNLIN_ENGINE_ATTRIBUTE_H
#define DUNLIN_ENGINE_ATTRIBUTE_H

#include "engine/world/world.h"

/* Checks that the attribute may have that value. */
dunlin_result dun_attribute_check(const dunlin_world *world, int species, int attribute, float value, dunlin_error *error);

dunlin_result dun_attributes_check(const dunlin_world *world, int species, const dunlin_batch *batch, dunlin_error *error);

/* Checks that the species' agents and attributes allow it to have so many groups. */
dunlin_result dun_attributes_check_groups(const dun_species *species, int groups, dunlin_error *error);

/* Sets the attributes of agents that have slots, from `first` on, and ids: from the batch, or drawn. */
void dun_attributes_append(dunlin_world *world, int species, const dunlin_batch *batch, uint32_t first);

/* The value that a new agent of that id gets. */
float dun_attribute_draw(const dunlin_world *world, int species, int attribute, uint32_t id);

/* The number of the species' attribute of that role, of those that a species has at most once; -1: it has none. */
int dun_attribute_of_role(const dun_species *species, dunlin_role role);

/* Whether every step writes that attribute again. */
static inline bool dun_attribute_rewritten(const dun_species *species, int attribute) {
    return species->rewritten >> attribute & 1;
}

/* Clamps what a callback has written to each attribute's range. A NaN becomes the value before the step. */
void dun_attributes_clamp(const dun_species *species, const dun_agents *before, const dun_agents *after, uint32_t begin,
                          uint32_t end);

/* The maximum of the role's values, for a scale of radii; 1: the species has no attribute of that role. */
float dun_attribute_max_scale(const dun_species *species, dunlin_role role);

static inline dunlin_role dun_scale_of_rule(int rule) {
    return (dunlin_role)(DUNLIN_ROLE_SEPARATION_RADIUS_SCALE + rule);
}

/* The maximum by which an agent's attributes scale the rule's radius. */
static inline float dun_max_scale(const dun_species *species, int rule) {
    return dun_attribute_max_scale(species, DUNLIN_ROLE_RADIUS_SCALE) *
           dun_attribute_max_scale(species, dun_scale_of_rule(rule));
}

/* The column of that role; NULL: every agent has the species' value. Not for BEHAVIOUR_WEIGHT. */
const float *dun_attribute_column(const dun_species *species, const dun_agents *agents, dunlin_role role);

/* `all`, or each agent's own value if the species has an attribute of that role. An agent's own weight multiplies `all`. */
dun_varied dun_attribute_varied(const dun_species *species, const dun_agents *agents, dunlin_role role, float all);

/* The column that multiplies that behaviour's weight, or NULL. */
const float *dun_behaviour_weights(const dun_species *species, const dun_agents *agents, int behaviour);

#endif
