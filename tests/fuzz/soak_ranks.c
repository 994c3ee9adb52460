/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/soak_ranks.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_KERNELS = 16 };

typedef struct soak {
    uint64_t seed, first, end; /* numbers */
    int kernels;
    const char *kernel[MOST_KERNELS];
    uint64_t steps, agent_steps;
} soak;

static char whereabouts[240];

/* A rank that finds a difference, or reads or writes where it must not, ends the process, so say what it was running. */
static void say_where(void) {
    const ssize_t written = write(STDERR_FILENO, whereabouts, strlen(whereabouts));
    (void)written;
}

static void on_signal(int number) {
    say_where();
    signal(number, SIG_DFL);
    raise(number);
}

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void watch(void) {
    signal(SIGABRT, on_signal);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(say_where);
    else
        signal(SIGSEGV, on_signal);
}

static void list_kernels(soak *s) {
    for (int k = 0; k < dunlin_kernel_count() && s->kernels < MOST_KERNELS; k++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(k);
        if (kernel.runs_here) s->kernel[s->kernels++] = kernel.name;
    }
}

static void run_one(soak *s, uint64_t number, const char *kind, soak_run_fn *simulate) {
    const uint32_t ranks = 2 + (uint32_t)(number % 6);
    const simulation_variant part = {.kernel = s->kernel[number / 2 % (uint64_t)s->kernels],
                                     .threads = number % 5 == 0 ? 2 : 1,
                                     .cut_seed = number % 4 ? number : 0};
    snprintf(whereabouts, sizeof whereabouts,
             "SOAK: %s %" PRIu64 " on %u ranks, %s on %d threads, cuts %s; alone: --seed %" PRIu64 " --%s %" PRIu64 "\n", kind,
             number, ranks, part.kernel, part.threads, part.cut_seed ? "at random" : "by work", s->seed, kind, number);
    const simulation_result result = simulate(s->seed, number, ranks, &part);
    s->steps += result.steps;
    s->agent_steps += result.agent_steps;
}

static bool read_options(soak *s, int argc, char **argv, const char *kind) {
    *s = (soak){.seed = 1};
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (option[0] == '-' && ++i == argc) return false;
        const uint64_t value = strtoull(argv[i], NULL, 10);
        if (option[0] != '-')
            s->end = value;
        else if (strcmp(option, "--seed") == 0)
            s->seed = value;
        else if (strcmp(option, "--from") == 0)
            s->first = value;
        else if (strcmp(option + 2, kind) == 0)
            s->first = value, s->end = value + 1;
        else
            return false;
    }
    return s->first < s->end;
}

int soak_ranks(int argc, char **argv, const char *kind, soak_run_fn *simulate) {
    soak s;
    if (!read_options(&s, argc, argv, kind)) {
        fprintf(stderr, "usage: %s COUNT [--seed N] [--from N], or %s [--seed N] --%s N\n", argv[0], argv[0], kind);
        return 2;
    }
    list_kernels(&s);
    watch();
    for (uint64_t number = s.first; number < s.end; number++) run_one(&s, number, kind, simulate);
    printf("%" PRIu64 " %ss in parts, %" PRIu64 " steps, %.3g agent-steps; every state is that of one world\n", s.end - s.first,
           kind, s.steps, (double)s.agent_steps);
    return 0;
}
