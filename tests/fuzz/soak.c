/* SPDX-License-Identifier: MIT */
/*
 * soak MINUTES [--seed N] [--world N] [--memory-may-grow]: runs worlds made of random bytes (simulation.h), small ones and ones
 * of many thousands of agents, each of them twice: kernels and numbers of threads take turns. Both simulations must give the
 * same digest, and the process' resident memory must stay flat: after a world is gone and free memory given back, in the last
 * half of the time it may at most be a quarter and 16 MiB above what it has been in the first. --world runs that one alone,
 * twice, as it was run then.
 */
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/simulation.h"
#include "tests/lib/effort.h"
#include "tests/lib/float_modes.h"

enum { MOST_VARIANTS = 16, MIB = 1 << 20 };

typedef struct soak {
    double seconds;
    uint64_t seed, world;
    bool memory_may_grow;
    int variants;
    simulation_variant variant[MOST_VARIANTS];
    uint64_t worlds, steps, agent_steps;
    double most[2]; /* bytes of memory, in either half of the time */
} soak;

static char whereabouts[160];

/* A world that disagrees with itself aborts, so say which world it was. */
static void on_abort(int number) {
    (void)number;
    const ssize_t written = write(STDERR_FILENO, whereabouts, strlen(whereabouts));
    (void)written;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Resident memory once all free memory has been given back. */
static double memory(void) {
    unsigned long pages = 0, resident = 0;
    malloc_trim(0);
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu %lu", &pages, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* Every kernel that runs here, on one to four threads. */
static void list_variants(soak *s) {
    for (int threads = 1; threads <= 4; threads++)
        for (int k = 0; k < dunlin_kernel_count() && s->variants < MOST_VARIANTS; k++) {
            const dunlin_kernel_info kernel = dunlin_kernel_at(k);
            if (!kernel.runs_here) continue;
            s->variant[s->variants] =
                (simulation_variant){.kernel = kernel.name, .threads = threads, .float_mode = s->variants % FLOAT_MODES};
            s->variants++;
        }
}

static void run_world(soak *s, uint64_t number) {
    const simulation_limits small = {.agents = 3000, .scale = 1, .steps = 60, .calls = 100, .work = 3000000};
    const simulation_limits large = {.agents = 40000,
                                     .start = 20000,
                                     .scale = 10,
                                     .steps = TEST_SLOW ? 5 : 30,
                                     .calls = TEST_SLOW ? 10 : 40,
                                     .work = TEST_SLOW ? 4000000 : 40000000};
    uint8_t bytes[SIMULATION_BYTES];
    const size_t size = simulation_draw_bytes(s->seed, number, bytes);
    const simulation_variant *first = &s->variant[number % (uint64_t)s->variants];
    const simulation_variant *second = &s->variant[(number * 7 + 3) % (uint64_t)s->variants];
    snprintf(whereabouts, sizeof whereabouts, "SOAK: seed %" PRIu64 ", world %" PRIu64 ", %s on %d threads, %s on %d\n",
             s->seed, number, first->kernel, first->threads, second->kernel, second->threads);
    simulation_limits limits = number % 8 == 7 ? large : small;
    const simulation_result got = simulation_advance(bytes, size, first, 1, &limits);
    limits.steps = (uint32_t)got.steps; /* each kernel tests another number of pairs, and so gets to another step */
    limits.work = UINT64_MAX;
    const simulation_result again = simulation_advance(bytes, size, second, 1, &limits);
    if (got.digest != again.digest || got.agent_steps != again.agent_steps) {
        fprintf(stderr, "SOAK: the second simulation ends in another state\n");
        abort();
    }
    s->worlds++;
    s->steps += got.steps + again.steps;
    s->agent_steps += got.agent_steps + again.agent_steps;
}

static bool read_options(soak *s, int argc, char **argv) {
    *s = (soak){.seed = 1, .world = UINT64_MAX};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--memory-may-grow") == 0)
            s->memory_may_grow = true;
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            s->seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--world") == 0 && i + 1 < argc)
            s->world = strtoull(argv[++i], NULL, 10);
        else
            s->seconds = strtod(argv[i], NULL) * 60;
    }
    return s->seconds > 0 || s->world != UINT64_MAX;
}

static void run_all(soak *s) {
    const double begin = now();
    for (uint64_t number = 0; now() - begin < s->seconds; number++) {
        run_world(s, number);
        double *most = &s->most[now() - begin > s->seconds / 2];
        const double bytes = memory();
        if (bytes > *most) *most = bytes;
    }
}

int main(int argc, char **argv) {
    soak s;
    if (!read_options(&s, argc, argv)) {
        fprintf(stderr, "usage: soak MINUTES [--seed N] [--world N] [--memory-may-grow]\n");
        return 2;
    }
    list_variants(&s);
    signal(SIGABRT, on_abort);
    if (s.world != UINT64_MAX)
        run_world(&s, s.world);
    else
        run_all(&s);
    const bool flat = s.memory_may_grow || s.most[1] <= s.most[0] * 1.25 + 16 * MIB;
    printf("%" PRIu64 " worlds, each run twice, %" PRIu64
           " steps, %.3g agent-steps; every state repeats; memory at most %.1f MiB, "
           "then %.1f MiB: %s\n",
           s.worlds, s.steps, (double)s.agent_steps, s.most[0] / MIB, s.most[1] / MIB, flat ? "flat" : "IT GROWS");
    return flat ? 0 : 1;
}
