/* SPDX-License-Identifier: MIT */
/*
 * Gradient noise: smooth, with no two places alike. K. Perlin, "Improving Noise", SIGGRAPH 2002, with his fade but a hash for
 * his table of permutations, so that there is a noise for every seed, and with gradients for any number of axes: every vector
 * with one component 0 and the others ±1, of which his are those of three axes.
 */
#ifndef DUNLIN_ENGINE_NOISE_H
#define DUNLIN_ENGINE_NOISE_H

#include <stdint.h>

#define DUN_MAX_OCTAVES 8

/* Of a lattice with 3 or 4 axes, at a point in lattice steps, finite: -1 .. 1, 0 at lattice points. */
float dun_noise(uint32_t seed, int axes, const double point[4]);

/* The sum of octaves, each twice as fine and half as strong as the one before, brought back to -1 .. 1. seeds: [octaves] */
float dun_noise_octaves(const uint32_t *seeds, int octaves, int axes, const double point[4]);

/* Seeds for the octaves of one of several noises that have nothing to do with each other. */
void dun_noise_seeds(uint64_t seed, uint32_t noise, uint32_t seeds[DUN_MAX_OCTAVES]);

#endif
