/* SPDX-License-Identifier: MIT */
/* Agents that enter a world. */
#ifndef DUNLIN_ENGINE_AGENTS_H
#define DUNLIN_ENGINE_AGENTS_H

#include "engine/world/edges.h"
#include "engine/world/world.h"

/* Where agents may be, along one axis. */
void dun_world_limits(const dunlin_world_def *def, int axis, float *min, float *max);

/* A position within those limits as the world keeps it: the far edge of a periodic axis is the near one. */
static inline float dun_world_place(const dunlin_world_def *def, int axis, float x) {
    return x == def->size[axis] && dun_repeats(def, axis) ? 0.0f : x;
}

/* The same for all agents. */
void dun_agents_place(dunlin_world *world);

/* Checks that every agent is inside the world that `def` describes. */
dunlin_result dun_agents_check_inside(const dunlin_world *world, const dunlin_world_def *def, dunlin_error *error);

/* Checks that the species may have so many more agents. */
dunlin_result dun_species_check_room(const dunlin_world *world, int species, uint32_t count, dunlin_error *error);

/* Makes room for so many agents, or for more unless `exactly`. */
dunlin_result dun_species_make_room(dunlin_world *world, int species, uint64_t count, bool exactly, dunlin_error *error);

/* Checks a batch's positions and velocities. */
dunlin_result dun_batch_check(const dunlin_world *world, const dunlin_batch *batch, dunlin_error *error);

/* The same for those of its arrays that are not NULL. */
dunlin_result dun_batch_check_numbers(const dunlin_world *world, const dunlin_batch *batch, dunlin_error *error);

/* Does all of spawning that can fail, including memory. Nothing changes but the room. */
dunlin_result dun_spawn_check(dunlin_world *world, int species, const dunlin_batch *batch, dunlin_error *error);

/* Makes room for this rank's share of so many new agents. */
dunlin_result dun_species_make_room_for_share(dunlin_world *world, int species, uint32_t count, dunlin_error *error);

/* Appends this rank's share of new agents, of which `begin` are other ranks' and come before. `next_id`: behind all of theirs.
 */
void dun_species_append_share(dunlin_world *world, int species, const dunlin_batch *share, uint32_t begin, uint32_t next_id);

/* What the public functions of these names give, whatever the world is doing. */
dunlin_view dun_view(const dunlin_world *world, int species);
static inline uint64_t dun_agent_count(const dunlin_world *world) {
    uint64_t count = 0;
    for (int s = 0; s < world->species_count; s++) count += world->species[s]->count;
    return count;
}

/* Appends a checked batch to a species that has room. */
void dun_species_append(dunlin_world *world, int species, const dunlin_batch *batch);

#endif
