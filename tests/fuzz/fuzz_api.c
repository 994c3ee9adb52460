/* SPDX-License-Identifier: MIT */
/* Sequences of calls of the public header, by every kernel and on several threads at once. See simulation.h. */
#include "tests/fuzz/checks.h"
#include "tests/fuzz/simulation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const simulation_limits limits = {.agents = 1100, .scale = 1, .steps = 24, .calls = 60, .work = 150000};
    simulation_variant variants[SIMULATION_WORLDS];
    const int count = simulation_every_variant(variants, size > 0 ? data[0] : 0);
    simulation_advance(data, size, variants, count, &limits);
    return 0;
}
