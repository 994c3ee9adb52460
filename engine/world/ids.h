/* SPDX-License-Identifier: MIT */
/* Ids: which are free, and where their agents lie. */
#ifndef DUNLIN_ENGINE_IDS_H
#define DUNLIN_ENGINE_IDS_H

#include "engine/world/world.h"

/* Checks that so many ids are left. */
dunlin_result dun_ids_check(const dunlin_world *world, uint64_t count, dunlin_error *error);

/* Why no new agent can have that id; NULL: it can. */
const char *dun_id_taken(dunlin_world *world, uint32_t id);

/* Makes sure that no id below this one is given again. */
void dun_ids_spend(dunlin_world *world, uint32_t next_id);

/* The table of ids: its room for so many agents, and the place where a search for an id begins. */
uint64_t dun_ids_room(uint64_t agents);
uint64_t dun_ids_place(uint32_t id, uint64_t room);

/* Builds the table of ids if there is none; false: no memory. */
bool dun_ids_prepare(dunlin_world *world);

/* The slot of that agent, found in the table if there is memory for one. */
dunlin_slot dun_ids_find(dunlin_world *world, uint32_t id);

/* The slot of that agent, found by searching all of them; species -1: there is none. */
dunlin_slot dun_ids_search(const dunlin_world *world, uint32_t id);

#endif
