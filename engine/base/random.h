/* SPDX-License-Identifier: MIT */
/*
 * Counter-based random numbers: a function of seed, agent, purpose and draw, never a shared stream. The key of the generator is
 * the seed. Its counter has four 32-bit words: the agent's id; the low half of the draw; the purpose in the low 8 bits and a
 * number above them, for several things with one purpose, such as behaviours; the high half of the draw. If
 * something is drawn again as time passes, the time is the draw. kernels/wide/random.h draws the same numbers for several
 * agents.
 */
#ifndef DUNLIN_ENGINE_RANDOM_H
#define DUNLIN_ENGINE_RANDOM_H

#include <stdint.h>

typedef enum dun_purpose {
    DUN_DRAW_POSITION = 1,
    DUN_DRAW_HEADING = 2,
    DUN_DRAW_SPEED = 3,
    DUN_DRAW_WANDER = 4,
    DUN_DRAW_ATTRIBUTE = 5, /* by the attribute's number */
    DUN_DRAW_CALLER = 6,    /* by the caller's stream */
    DUN_DRAW_SAMPLE = 7,    /* by step: which agents a survey draws */
    DUN_DRAW_GROUP = 8,     /* by group, not by agent: the group's first place */
    DUN_DRAW_GROUP_HEADING = 9,
    DUN_DRAW_GROUP_SPEED = 10,
    DUN_DRAW_MUTATION = 11,    /* by the attribute's number, and the child's */
    DUN_DRAW_WANDER_PART = 12, /* and 13: by level */
    DUN_DRAW_FIELD = 16,       /* by cell, not by agent */
    DUN_DRAW_NOISE = 17        /* by octave */
} dun_purpose;

/* The counter's third word. `number` is below 2^24. */
uint32_t dun_stream(dun_purpose purpose, uint32_t number);

/* Four numbers in [0, 1), each a multiple of 2^-24. A purpose by itself is the stream with number 0. Philox 4x32-10: Salmon et
 * al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
void dun_random(uint64_t seed, uint32_t agent, uint32_t stream, uint64_t draw, float out[4]);

/* A point in the disc or ball of radius 1, evenly distributed, never the centre. */
void dun_random_in_ball(uint64_t seed, uint32_t agent, dun_purpose purpose, int dimensions, float v[3]);

/* The generator itself, for its published test vectors. */
void dun_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
