/* SPDX-License-Identifier: MIT */
/* What the programs share that fly random things in parts, on ranks that are threads, as often as they are told. */
#ifndef DUNLIN_FUZZ_SOAK_RANKS_H
#define DUNLIN_FUZZ_SOAK_RANKS_H

#include "tests/fuzz/flight.h"

/* Flies the thing of that number in parts, or ends the process. All follows from these arguments. */
typedef flight_result soak_fly_fn(uint64_t seed, uint64_t number, uint32_t ranks, const flight_variant *part);

/*
 * The program's main(): PROGRAM COUNT [--seed N] [--from N] flies the things from that number on and below COUNT, and PROGRAM
 * [--seed N] --KIND N that one alone, as it was flown then. `kind` is a scene, or whatever they are. Returns the exit status.
 */
int soak_ranks(int argc, char **argv, const char *kind, soak_fly_fn *fly);

#endif
