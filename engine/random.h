/* SPDX-License-Identifier: MIT */
/* Counter-based random numbers: a function of seed, agent, purpose and draw, never a shared stream. */
#ifndef DUNLIN_ENGINE_RANDOM_H
#define DUNLIN_ENGINE_RANDOM_H

#include <stdint.h>

typedef enum dunlin_purpose { DUNLIN_DRAW_POSITION = 1, DUNLIN_DRAW_HEADING, DUNLIN_DRAW_SPEED } dunlin_purpose;

/* Four numbers in [0, 1), each a multiple of 2^-24. Philox 4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
 * SC 2011. */
void dunlin_random(uint64_t seed, uint32_t agent, dunlin_purpose purpose, uint32_t draw, float out[4]);

/* The generator itself, for its published test vectors. */
void dunlin_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
