/* SPDX-License-Identifier: MIT */
/* The parts of an exchange: which agents go where, messages, and what is done with those that come. */
#ifndef DUNLIN_ENGINE_EXCHANGE_H
#define DUNLIN_ENGINE_EXCHANGE_H

#include "engine/cluster/cluster.h"

/* ---- hits.c ------------------------------------------------------------------------------------------------------------ */

/* Chooses the species that take part; all of them if rank 0 gets all agents. */
void dun_choose_movers(const dunlin_world *world, bool gathers);

/* Learns the flock's numbers of agents, and, where agents go by their places, those of this rank's first in each segment. */
void dun_find_places(dunlin_world *world);

/* Finds the places in the flock's order of this rank's first agent of a species with each key; collective. place[2·keys]: the
 * second half is spare. */
void dun_find_places_of(const dunlin_world *world, const dun_species *species, uint64_t *place);

/* The rank that gets the thing of that place if all ranks get about as many, in their order (see dun_own_share()), and the
 * first place after its own. */
uint32_t dun_rank_of_place(const dunlin_transport *t, uint64_t place, uint64_t whole, uint64_t *end);

/* Lists which agents go to which rank; false: no memory. */
bool dun_find_hits(dunlin_world *world, bool gathers);

/* ---- messages.c -------------------------------------------------------------------------------------------------------- */

/* How many agents of a species go to a rank, or come from it, and in the upper half how many pieces these are from. */
static inline uint64_t *dun_agents_of(const dunlin_world *world, uint64_t *agents, uint32_t rank, int species) {
    return &agents[(size_t)rank * (size_t)world->species_count + (size_t)species];
}

static inline uint64_t dun_sent_of(uint32_t agents, uint32_t pieces) {
    return agents + ((uint64_t)pieces << 32);
}

static inline uint32_t dun_agents_in(uint64_t sent) {
    return (uint32_t)sent;
}

static inline uint32_t dun_pieces_in(uint64_t sent) {
    return (uint32_t)(sent >> 32);
}

/* Words per piece of a message. */
enum { DUN_PIECE_WORDS = 2 };

/* Nothing is sent. */
void dun_message_clear(const dunlin_world *world);

/* The bytes of messages with so many agents. */
void dun_message_sizes(const dunlin_world *world, uint64_t *agents, uint64_t *bytes);

/* Sets cursors to where each rank's message begins, in things of `size` bytes; returns how many all have. NULL: none
 * are set. */
uint64_t dun_message_cursors(const uint64_t *bytes, size_t size, uint32_t ranks, uint64_t *cursor);

/* Writes the messages of all hits; false: no memory. */
bool dun_write_messages(const dunlin_world *world);

/* All agents that come, and all that stay. */
uint64_t dun_arrivals(const dunlin_world *world, int species);
uint64_t dun_count_staying(const dun_spread *spread, const dun_species *species);

/* ---- gains.c ----------------------------------------------------------------------------------------------------------- */

/* Makes room for what this rank's eaters can gain from the food of others; false: no memory. All sizes are known. */
bool dun_gains_reserve(const dunlin_world *world);

/* How many numbers a rank sends to each other one before it sends gains: some, and then its births. */
enum { DUN_GAINS_HEAD = 2 };

static inline uint64_t dun_gains_numbers(const dunlin_world *world) {
    return DUN_GAINS_HEAD + world->cluster->born_count;
}

/* ---- merge.c ----------------------------------------------------------------------------------------------------------- */

/* Makes room for the lists of a merge; false: no memory. All sizes are known. */
bool dun_merge_reserve(const dunlin_world *world);

/* Puts the agents that have come in their places. */
void dun_merge(dunlin_world *world);

#endif
