/* SPDX-License-Identifier: MIT */
/*
 * soak_parts SCENES [--seed N] [--from N] [--scene N]: runs worlds made of random bytes (simulation.h), each on 2 to 7 ranks
 * that are threads. Every rank runs a plain world beside its part, by the same calls, and the two must agree after each of
 * them.
 */
#include "tests/lib/local.h"
#include "tests/fuzz/soak_ranks.h"

/* One world made of random bytes, in parts. */
typedef struct scene {
    const uint8_t *bytes;
    size_t size;
    simulation_variant part;
    simulation_limits limits;
    simulation_result result; /* of rank 0 */
} scene;

static void run_rank(void *context, const dunlin_transport *transport) {
    scene *sc = context;
    simulation_variant variants[] = {{.kernel = "scalar", .threads = 1}, sc->part};
    variants[1].transport = transport;
    const simulation_result result = simulation_advance(sc->bytes, sc->size, variants, 2, &sc->limits);
    if (transport->rank == 0) sc->result = result;
}

static simulation_result run_scene(uint64_t seed, uint64_t number, uint32_t ranks, const simulation_variant *part) {
    const simulation_limits small = {.agents = 900, .scale = 1, .steps = 30, .calls = 60, .work = 300000};
    const simulation_limits large = {.agents = 30000, .start = 9000, .scale = 10, .steps = 10, .calls = 20, .work = 4000000};
    uint8_t bytes[SIMULATION_BYTES];
    scene sc = {.bytes = bytes, .size = simulation_draw_bytes(seed, number, bytes), .part = *part};
    sc.limits = number % 30 == 29 ? large : small;
    dun_local_run(ranks, run_rank, &sc);
    return sc.result;
}

int main(int argc, char **argv) {
    return soak_ranks(argc, argv, "scene", run_scene);
}
