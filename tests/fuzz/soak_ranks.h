/* SPDX-License-Identifier: MIT */
/* What the programs share that run random things in parts, on ranks that are threads, as often as they are asked to. */
#ifndef DUNLIN_FUZZ_SOAK_RANKS_H
#define DUNLIN_FUZZ_SOAK_RANKS_H

#include "tests/fuzz/simulation.h"

/* Runs the thing of that number in parts, or ends the process. All follows from these arguments. */
typedef simulation_result soak_run_fn(uint64_t seed, uint64_t number, uint32_t ranks, const simulation_variant *part);

/*
 * The program's main(): PROGRAM COUNT [--seed N] [--from N] runs the things from that number on and below COUNT, and PROGRAM
 * [--seed N] --KIND N that one alone, as it was run then. `kind` is a scene, or whatever they are. Returns the exit status.
 */
int soak_ranks(int argc, char **argv, const char *kind, soak_run_fn *simulate);

#endif
