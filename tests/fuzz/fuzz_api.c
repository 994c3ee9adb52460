/* SPDX-License-Identifier: MIT */
/* Sequences of calls of the public header, by every kernel and on several threads at once. See flight.h. */
#include "tests/fuzz/checks.h"
#include "tests/fuzz/flight.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const flight_limits limits = {.agents = 1100, .scale = 1, .steps = 24, .calls = 60, .work = 150000};
    flight_variant variants[FLIGHT_WORLDS];
    const int count = flight_every_variant(variants, size > 0 ? data[0] : 0);
    flight_fly(data, size, variants, count, &limits);
    return 0;
}
