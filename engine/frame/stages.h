/* SPDX-License-Identifier: MIT */
/* The frame module: its stages, in the order in which dunlin_world_step() calls them, and what they share. */
#ifndef DUNLIN_ENGINE_STAGES_H
#define DUNLIN_ENGINE_STAGES_H

#include "engine/base/clock.h"
#include "engine/world/edges.h"
#include "engine/world/walk.h"

/* ---- before the tiles ------------------------------------------------------------------------------------------------- */

/* Applies the boundary to the state, in a world where it comes first. */
void dun_bound_first(dun_frame *f);

/* Sorts each species' state into its other buffer, which then is the snapshot. */
void dun_take_snapshot(dun_frame *f);

/*
 * Sorts the current state of one species into the other buffer, or, where the index leaves agents where they are, takes the
 * current one as it is. Returns the snapshot's buffer. `slots`: sorts the species' slots, too.
 */
int dun_species_snapshot(const dunlin_world *world, int species, const dun_space *space, bool slots);

/* At the beginning of a function that changes no agents: what was sorted before stays so. */
void dun_sorts_keep(const dunlin_world *world);

/*
 * Does so between steps, as the next step's snapshot would, unless it has been done since the world last changed. Then the next
 * step takes it over, unless the world changes before. `slots`: knows their slots afterwards. false: no memory.
 */
bool dun_species_sort(const dunlin_world *world, int species, bool slots);

/* In which buffer the sorted agents are. */
int dun_species_sorted(const dun_species *species);

/* Before a step: forgets it where something may change agents before the snapshot, or where their cells may be others. */
void dun_sorts_check(dunlin_world *world);

/* Finds out what each behaviour does in this frame. */
void dun_behaviours_prepare(dun_frame *f);

/* Numbers the tiles, and cuts them into shares of about equal work. */
void dun_share_out(dun_frame *f);

/* Runs the stages below for all tiles. */
void dun_run_tiles(dun_frame *f);

/* Of how many tiles one is timed. */
uint32_t dun_tiles_per_timed(const dun_frame *f);

/* ---- tile by tile ----------------------------------------------------------------------------------------------------- */

/* Fills the scratch's sums for the tile's agents, which are observers of the interaction. */
void dun_interact_tile(const dun_frame *f, const dun_tile *tile, const dun_interaction *interaction);

/* Turns these sums into forces, and adds them to the scratch's. */
void dun_steer_tile(const dun_frame *f, const dun_tile *tile, const dun_interaction *interaction);

/* Adds the forces of the species' behaviours. Overwrites the scratch's sums. */
void dun_behave_tile(const dun_frame *f, const dun_tile *tile);

/* Moves the tile's agents by the forces, and writes their new state. */
void dun_integrate_tile(const dun_frame *f, const dun_tile *tile);

/* ---- after all tiles -------------------------------------------------------------------------------------------------- */

/* Flags the agents that are eaten, and adds to the eaters' attributes in the new state. */
void dun_take_meals(dun_frame *f);

/* Flags the agents in which what is vital is at or below 0 after callbacks and meals. */
void dun_starve(const dun_frame *f);

/* Counts births and deaths, and makes room for the agents that are born. */
void dun_count_life(dun_frame *f);

/* Makes the new state the state, or, if a stage since the snapshot has failed, the snapshot, which is the state before the step
 * in another order. Agents that were only seen leave it. */
void dun_commit(const dun_frame *f);

/* Removes the dead and appends the newborn, in the order of the parents' species, their slots, and the calls. */
void dun_turn_over(dun_frame *f);

/* Counts the step, and adds up the workers' statistics. */
void dun_count_frame(const dun_frame *f);

/* ---- interact ---------------------------------------------------------------------------------------------------------- */

/* The number of candidates of one agent alone. */
uint64_t dun_interact_candidates(const dun_frame *f, const dun_look *look, uint32_t agent, dun_scratch *scratch);

/* One interaction of one tile. */
typedef struct dun_summing {
    const dun_interaction *interaction;
    dun_interact_fn *interact; /* the interaction's, or one that measures, too */
    const dun_kernel *kernel;
    dun_scratch *scratch; /* the sums go there */
    dun_interact job;
    uint32_t begin; /* the slot whose sums are element 0 */
} dun_summing;

/* How many agents ranges hold. */
static inline uint64_t dun_candidates(const dun_range *ranges, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < count; r++) sum += ranges[r].end - ranges[r].begin;
    return sum;
}

/* Whether the observed agents are few and the observers many. Then copies of the few are faster, and give the same bits. */
bool dun_observed_are_few(const dunlin_world *world, const dun_look *look);

/* Copies all observed agents that the observers of a stretch may see to the scratch, from 0 on. The copies are one range.
 * false: there may be too many. */
bool dun_few_find(const dun_summing *s, const dun_walk *stretch, dun_range *copies);

/* ---- integrate -------------------------------------------------------------------------------------------------------- */

/* A step of many agents, taken as if there were no obstacles. */
typedef struct dun_slide {
    const dun_obstacle_bins *bins;
    float radius;                           /* world units, of the agents */
    const float *from[3];                   /* positions before the step */
    float *to_position[3], *to_velocity[3]; /* after it */
} dun_slide;

/* Shortens or bends the step of agent i so that it enters no obstacle. */
void dun_slide_agent(const dun_slide *slide, uint32_t i);

/* ---- life -------------------------------------------------------------------------------------------------------------- */

/* After the behaviours of a tile whose species calls back: counts deaths and orders births. The worker had `first` births
 * before the tile. */
void dun_life_close(const dun_frame *f, const dun_tile *tile, uint32_t first);

/* ---- what stages share ------------------------------------------------------------------------------------------------ */

/* Adds the time since the last lap to a stage's nanoseconds in the scratch, if the tile is timed. */
static inline void dun_lap(dun_scratch *scratch, uint64_t *stage) {
    if (!scratch->timed) return;
    const uint64_t now = dun_now_ns();
    *stage += now - scratch->clock;
    scratch->clock = now;
}

/* `all`, or each agent's own value if the species has an attribute of that role. */
dun_varied dun_tile_varied(const dun_frame *f, const dun_tile *tile, dunlin_role role, float all);

/* Traces: before the tiles their fields' vectors follow their numbers; after them the snapshot's agents leave their deposits,
 * in a part of a flock those of all ranks. */
void dun_traces_read(const dunlin_world *world);
void dun_traces_leave(const dun_frame *f);

#endif
