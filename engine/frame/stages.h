/* SPDX-License-Identifier: MIT */
/* The stages of a frame, in the order in which dunlin_world_step() calls them. */
#ifndef DUNLIN_ENGINE_STAGES_H
#define DUNLIN_ENGINE_STAGES_H

#include "engine/world/frame.h"

/* Applies the boundary to the state, in a world where it comes first. */
void dun_bound_first(dun_frame *f);

/* Sorts each species' state into its other buffer, which then is the snapshot. */
void dun_take_snapshot(dun_frame *f);

/*
 * Sorts the current state of one species into the other buffer, or, where the index leaves agents where they are, takes the
 * current one as it is. Returns the snapshot's buffer.
 */
int dun_species_snapshot(const dunlin_world *world, int species, const dun_space *space);

/* Numbers the tiles, and cuts them into shares of about equal work. */
void dun_share_out(dun_frame *f);

/* ---- tile by tile ----------------------------------------------------------------------------------------------------- */

/* Fills the scratch's sums for the tile's agents, which are observers of the interaction. */
void dun_interact_tile(const dun_frame *f, const dun_tile *tile, const dun_interaction *interaction);

/* Turns these sums into forces, and adds them to the scratch's. */
void dun_steer_tile(const dun_frame *f, const dun_tile *tile, const dun_interaction *interaction);

/* Adds the forces of the species' behaviours. Overwrites the scratch's sums. */
void dun_behave_tile(const dun_frame *f, const dun_tile *tile);

/* Moves the tile's agents by the forces, and writes their new state. */
void dun_integrate_tile(const dun_frame *f, const dun_tile *tile);

/* Adds the time since the last lap to a stage's nanoseconds in the scratch. */
void dun_lap(dun_scratch *scratch, uint64_t *stage);

/* ---- after all tiles -------------------------------------------------------------------------------------------------- */

/* Flags the agents that are eaten, and adds to the eaters' attributes in the new state. */
void dun_take_meals(dun_frame *f);

/* Makes room for the agents that are born. If that fails, the agents are as they were. */
dunlin_result dun_life_prepare(const dun_frame *f, dunlin_error *error);

typedef struct dun_turnover {
    uint64_t births, deaths;
} dun_turnover;

/* Removes the dead and appends the newborn, in the order of the parents' species, their slots, and the calls. */
dun_turnover dun_turn_over(const dun_frame *f);

/* ---- what stages share ------------------------------------------------------------------------------------------------ */

/* The kernel's view of observers and observed agents in a snapshot. The caller adds shape and radii. */
dun_interact dun_interact_between(const dunlin_world *world, const dun_agents *observer, const dun_agents *observed);

/* The number of candidates of one agent alone. */
uint64_t dun_interact_candidates(const dun_frame *f, const dun_look *look, uint32_t agent, dun_scratch *scratch);

/* `all`, or each agent's own value if the species has an attribute of that role. */
dun_varied dun_tile_varied(const dun_frame *f, const dun_tile *tile, dunlin_attribute_role role, float all);

#endif
