/* SPDX-License-Identifier: MIT */
/*
 * soak_parts SCENES [--seed N] [--from N] [--scene N]: flies worlds made of random bytes (flight.h), each on 2 to 7 ranks that
 * are threads. Every rank flies a plain world beside its part, by the same calls, and the two must agree after each of them.
 */
#include "engine/cluster/local.h"
#include "tests/fuzz/soak_ranks.h"

/* One world made of random bytes, in parts. */
typedef struct scene {
    const uint8_t *bytes;
    size_t size;
    flight_variant part;
    flight_limits limits;
    flight_result result; /* of rank 0 */
} scene;

static void fly_rank(void *context, const dunlin_transport *transport) {
    scene *sc = context;
    flight_variant variants[] = {{.kernel = "scalar", .threads = 1}, sc->part};
    variants[1].transport = transport;
    const flight_result result = flight_fly(sc->bytes, sc->size, variants, 2, &sc->limits);
    if (transport->rank == 0) sc->result = result;
}

static flight_result fly_scene(uint64_t seed, uint64_t number, uint32_t ranks, const flight_variant *part) {
    const flight_limits small = {.agents = 900, .scale = 1, .steps = 30, .calls = 60, .work = 300000};
    const flight_limits large = {.agents = 30000, .start = 9000, .scale = 10, .steps = 10, .calls = 20, .work = 4000000};
    uint8_t bytes[FLIGHT_BYTES];
    scene sc = {.bytes = bytes, .size = flight_draw_bytes(seed, number, bytes), .part = *part};
    sc.limits = number % 30 == 29 ? large : small;
    dun_local_run(ranks, fly_rank, &sc);
    return sc.result;
}

int main(int argc, char **argv) {
    return soak_ranks(argc, argv, "scene", fly_scene);
}
