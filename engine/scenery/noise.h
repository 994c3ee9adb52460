/* SPDX-License-Identifier: MIT */
/*
 * Gradient noise, which changes smoothly from place to place. K. Perlin, "Improving Noise", SIGGRAPH 2002, with two changes. A
 * hash replaces the table of permutations, so that every seed has a noise of its own. Gradients exist for any number of axes:
 * all vectors with one component 0 and the others ±1. For three axes these are Perlin's.
 */
#ifndef DUNLIN_ENGINE_NOISE_H
#define DUNLIN_ENGINE_NOISE_H

#include <stdint.h>

#define DUN_MAX_OCTAVES 8

/* The noise of a lattice with 3 or 4 axes at a finite point, in lattice steps: -1 .. 1, and 0 at lattice points. */
float dun_noise(uint32_t seed, int axes, const double point[4]);

/* A sum of octaves, -1 .. 1. Each octave is twice as fine and half as strong as the one before. seeds: [octaves] */
float dun_noise_octaves(const uint32_t *seeds, int octaves, int axes, const double point[4]);

/* The octaves' seeds of one of several noises. The noises are independent of each other. */
void dun_noise_seeds(uint64_t seed, uint32_t noise, uint32_t seeds[DUN_MAX_OCTAVES]);

#endif
