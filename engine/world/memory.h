/* SPDX-License-Identifier: MIT */
/* The arrays of agents. */
#ifndef DUNLIN_ENGINE_MEMORY_H
#define DUNLIN_ENGINE_MEMORY_H

#include "engine/world/world.h"

/* DUN_CACHE_LINE-aligned, zeroed, with DUN_PADDING words of padding; dun_free() it. NULL: no memory. */
void *dun_array(dun_heap *heap, size_t words);
size_t dun_array_bytes(size_t words);

/* Hands out the words of a block. Without a block it only counts them. */
typedef struct dun_carver {
    uint32_t *block;
    size_t used;
} dun_carver;

void *dun_carve(dun_carver *carver, size_t words);

/* As dun_array_fit(), with room for some more. */
bool dun_array_reserve(dun_heap *heap, void *array, size_t *room, uint64_t count, size_t element);

/* A species' columns are DUN_CACHE_LINE-aligned, with DUN_PADDING words of padding. */
size_t dun_column_bytes(uint32_t room);
void dun_column_free(void *column);

/* An attribute's column, zeroed. NULL: no memory. */
float *dun_attribute_allocate(dun_heap *heap, int attribute, int buffer, uint32_t room);

void dun_agents_free(dun_agents *agents);

/* Makes the columns begin at the slot `shift` of their memory. The agents stay where they are. */
void dun_agents_shift(dun_agents *agents, uint32_t shift);

/* Keeps the agents [begin, begin + count) of the state, which become its first, without moving them. */
void dun_species_keep(dun_species *species, uint32_t begin, uint32_t count);

/* Moves the state's agents back to the beginning of their memory, behind which there then is all of the room. */
void dun_species_unshift(dunlin_world *world, dun_species *species);

/* All columns of agents, positions first. Returns how many. */
int dun_agents_columns(const dun_agents *agents, int dimensions, int attributes, dun_word *columns[DUN_MAX_COLUMNS]);

/* All columns of the state, from which an index takes them. */
dun_columns dun_species_columns(const dunlin_world *world, const dun_species *species);

/* Whether the addresses up to `last` suffice for all arrays of a species of so many agents. */
bool dun_room_fits(uint64_t room, uint64_t last);

/* Makes room for `room` agents in both buffers, which keep their contents. false: no memory, and the species is as before. */
bool dun_species_grow(const dunlin_world *world, dun_species *species, uint32_t room);

#endif
