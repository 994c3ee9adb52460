/* SPDX-License-Identifier: MIT */
/* What worlds that are parts of one flock agree on. In a world alone these functions do nothing. */
#ifndef DUNLIN_ENGINE_AGREE_H
#define DUNLIN_ENGINE_AGREE_H

#include "engine/world/world.h"

/* Whether this is rank 0, or a world alone. */
static inline bool dun_is_first(const dunlin_world *world) {
    return !world->transport || world->transport->rank == 0;
}

/* Gives all ranks the result of the lowest rank that has failed, and its message; collective. */
dunlin_result dun_agree(const dunlin_world *world, dunlin_result result, dunlin_error *error);

/* As dun_agree() where `failed` ranks are known to have failed. */
dunlin_result dun_agree_on_failure(const dunlin_world *world, uint64_t failed, dunlin_result result, dunlin_error *error);

/* Replaces numbers by their sums over all ranks. */
void dun_all_reduce(const dunlin_world *world, uint64_t *numbers, uint64_t count);

/* Replaces numbers by their maxima over all ranks. `spare`: room for dun_max_spare() numbers. */
void dun_max(const dunlin_world *world, uint64_t *numbers, uint32_t count, uint64_t *spare);
size_t dun_max_spare(uint32_t ranks, uint32_t count);

/* Sets how many agents of each species the whole flock has; all ranks know it. */
void dun_counts_set(dunlin_world *world, const uint64_t counts[]);

/* The whole flock has got so many more agents of a species, on whatever ranks, or lost `-more`. */
void dun_count_add(dunlin_world *world, int species, int64_t more);

/* Checks that the world holds the whole flock. `what`: what needs it, in the message. */
dunlin_result dun_check_whole(const dunlin_world *world, const char *what, dunlin_error *error);

/* Makes room for that many more segments of a part; false: no memory. */
bool dun_segments_reserve(const dunlin_world *world, int species, uint32_t more);

/* Begins another segment of a part, which has room for it, with the agents that the species gets from now on. All ranks do. */
void dun_segment_open(const dunlin_world *world, int species);

/* The same from a slot on, with a key that other ranks may not have; and once all have added theirs, the last one of all. */
void dun_segment_add(const dunlin_world *world, int species, uint32_t key, uint32_t begin);
void dun_segments_close(const dunlin_world *world, int species, uint32_t last_key);

/* How many segments the species has, where they begin and end, and their keys. */
static inline uint32_t dun_segment_count(const dun_species *species) {
    return species->segments.count + 1;
}

static inline uint32_t dun_segment_begin(const dun_species *species, uint32_t segment) {
    return segment == 0 ? 0 : segment <= species->segments.count ? species->segments.list[segment - 1].begin : species->count;
}

static inline uint32_t dun_segment_key(const dun_species *species, uint32_t segment) {
    return segment == 0 ? 0 : species->segments.list[segment - 1].key;
}

/* Before the agents whose flags are set leave: moves the segments' beginnings. */
void dun_segments_bury(dun_species *species, const uint8_t *dies);

/* The share [begin, end) of `count` things that this rank has. */
void dun_own_share(const dunlin_world *world, uint64_t count, uint64_t *begin, uint64_t *end);

#endif
