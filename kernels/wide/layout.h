/* SPDX-License-Identifier: MIT */
/*
 * How a group lies in the lanes. As a rule each agent has one lane, and each pass adds one candidate. With DUNLIN_PAIRS, which
 * is for fast kernels only, each agent has a lane in both halves of a vector, and each pass adds two candidates, one per half.
 */
#ifndef DUNLIN_KERNELS_WIDE_LAYOUT_H
#define DUNLIN_KERNELS_WIDE_LAYOUT_H

#include "kernels/wide/vector.h"

#ifdef DUNLIN_PAIRS

enum { CANDIDATES = 2 /* per pass */ };

/* Which agent of the group each lane is. */
WIDE_INLINE wide_int agent_number(void) { return wide_int_and(wide_int_load(lane_number), wide_int_set(DUNLIN_LANES / 2 - 1)); }

/* The numbers of the group's agents, by lane. */
WIDE_INLINE wide load_agents(const float *p) { return wide_load_twice(p); }

/* The numbers of the next candidates of a list, by lane. */
WIDE_INLINE wide load_candidates(const float *column, const int32_t *slot) {
    return wide_set_halves(column[(uint32_t)slot[0]], column[(uint32_t)slot[1]]);
}

WIDE_INLINE wide_int load_slots(const int32_t *slot) { return wide_int_set_halves(slot[0], slot[1]); }

/* The lanes of the first of a pass's candidates. */
WIDE_INLINE wide_mask first_candidate(void) { return first_lanes(DUNLIN_LANES / 2); }

/* Both lanes of an agent joined, in its first lane. */
WIDE_INLINE wide sum_agents(wide a) { return wide_add(a, wide_swap_halves(a)); }
WIDE_INLINE wide_int count_agents(wide_int a) { return wide_int_add(a, wide_to_bits(wide_swap_halves(wide_from_bits(a)))); }
WIDE_INLINE wide min_agents(wide a) { return wide_min(a, wide_swap_halves(a)); }

#else

enum { CANDIDATES = 1 };
WIDE_INLINE wide_int agent_number(void) { return wide_int_load(lane_number); }
WIDE_INLINE wide load_agents(const float *p) { return wide_load(p); }
WIDE_INLINE wide load_candidates(const float *column, const int32_t *slot) { return wide_set(column[(uint32_t)*slot]); }
#if DUNLIN_LANES == 16
/* A float, since compilers would broadcast an integer from the register that has it already, which takes a vector pipe. */
WIDE_INLINE wide_int load_slots(const int32_t *slot) {
    float bits;
    __builtin_memcpy(&bits, slot, sizeof bits);
    return wide_to_bits(wide_set(bits));
}
#else
WIDE_INLINE wide_int load_slots(const int32_t *slot) { return wide_int_set(*slot); }
#endif
WIDE_INLINE wide_mask first_candidate(void) { return first_lanes(DUNLIN_LANES); }
WIDE_INLINE wide sum_agents(wide a) { return a; }
WIDE_INLINE wide_int count_agents(wide_int a) { return a; }
WIDE_INLINE wide min_agents(wide a) { return a; }

#endif

#endif
