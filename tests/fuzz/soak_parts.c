/* SPDX-License-Identifier: MIT */
/*
 * soak_parts SCENES [--seed N] [--scene N]: flies worlds made of random bytes (flight.h), each on 2 to 7 ranks that are
 * threads. Every rank flies a plain world beside its part, by the same calls, and the two must agree after each of them.
 * --scene flies that one alone, as it was flown then.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/cluster/local.h"
#include "tests/fuzz/flight.h"

enum { MOST_KERNELS = 16 };

typedef struct soak {
    uint64_t seed, first, end; /* scenes */
    int kernels;
    const char *kernel[MOST_KERNELS];
    uint64_t worlds, steps, agent_steps;
} soak;

/* One world made of random bytes, in parts. */
typedef struct scene {
    const uint8_t *bytes;
    size_t size;
    uint32_t ranks;
    flight_variant part;
    flight_limits limits;
    flight_result result; /* of rank 0 */
} scene;

static char whereabouts[160];

/* A rank whose worlds disagree aborts, so say which scene it was. */
static void on_abort(int number) {
    (void)number;
    const ssize_t written = write(STDERR_FILENO, whereabouts, strlen(whereabouts));
    (void)written;
}

static void list_kernels(soak *s) {
    for (int k = 0; k < dunlin_kernel_count() && s->kernels < MOST_KERNELS; k++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(k);
        if (kernel.runs_here && !kernel.fast) s->kernel[s->kernels++] = kernel.name;
    }
}

static void fly_rank(void *context, const dunlin_transport *transport) {
    scene *sc = context;
    flight_variant variants[] = {{.kernel = "scalar", .threads = 1}, sc->part};
    variants[1].transport = transport;
    const flight_result result = flight_fly(sc->bytes, sc->size, variants, 2, &sc->limits);
    if (transport->rank == 0) sc->result = result;
}

static void fly_scene(soak *s, uint64_t number) {
    const flight_limits small = {.agents = 900, .scale = 1, .steps = 30, .calls = 60, .work = 300000};
    const flight_limits large = {.agents = 30000, .start = 9000, .scale = 10, .steps = 10, .calls = 20, .work = 4000000};
    uint8_t bytes[FLIGHT_BYTES];
    scene sc = {.bytes = bytes, .size = flight_draw_bytes(s->seed, number, bytes), .ranks = 2 + (uint32_t)(number % 6)};
    sc.limits = number % 30 == 29 ? large : small;
    sc.part.kernel = s->kernel[number / 2 % (uint64_t)s->kernels];
    sc.part.threads = number % 5 == 0 ? 2 : 1;
    sc.part.cut_seed = number % 4 ? number : 0;
    snprintf(whereabouts, sizeof whereabouts,
             "SOAK: seed %" PRIu64 ", scene %" PRIu64 ", %u ranks, %s on %d threads, cuts %s\n", s->seed, number, sc.ranks,
             sc.part.kernel, sc.part.threads, sc.part.cut_seed ? "at random" : "by work");
    dun_local_run(sc.ranks, fly_rank, &sc);
    s->worlds++;
    s->steps += sc.result.steps;
    s->agent_steps += sc.result.agent_steps;
}

static bool read_options(soak *s, int argc, char **argv) {
    *s = (soak){.seed = 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            s->seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--scene") == 0 && i + 1 < argc) {
            s->first = strtoull(argv[++i], NULL, 10);
            s->end = s->first + 1;
        } else
            s->end = strtoull(argv[i], NULL, 10);
    }
    return s->first < s->end;
}

int main(int argc, char **argv) {
    soak s;
    if (!read_options(&s, argc, argv)) {
        fprintf(stderr, "usage: soak_parts SCENES [--seed N] [--scene N]\n");
        return 2;
    }
    list_kernels(&s);
    signal(SIGABRT, on_abort);
    for (uint64_t number = s.first; number < s.end; number++) fly_scene(&s, number);
    printf("%" PRIu64 " scenes in parts, %" PRIu64 " steps, %.3g agent-steps; every state is that of one world\n", s.worlds,
           s.steps, (double)s.agent_steps);
    return 0;
}
