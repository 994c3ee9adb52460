/* SPDX-License-Identifier: MIT */
#include "harness/microbench/microbench.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

void microbench_register(const gbench_benchmark *benchmark, const char *name, ...) {
    char text[96];
    va_list values;
    va_start(values, name);
    vsnprintf(text, sizeof text, name, values);
    va_end(values);
    gbench_benchmark named = *benchmark;
    named.name = text;
    gbench_register(&named);
}

void microbench_report_pairs(gbench_state *state, double tested, double useful, double updates) {
    gbench_counter(state, "pairs_tested_per_second", tested, GBENCH_RATE);
    gbench_counter(state, "pairs_useful_per_second", useful, GBENCH_RATE);
    gbench_counter(state, "pairs_tested_per_agent", tested / updates, GBENCH_PLAIN);
    gbench_counter(state, "pairs_useful_per_agent", useful / updates, GBENCH_PLAIN);
}

void microbench_report_vectors(gbench_state *state, double vectors) {
    gbench_counter(state, "time_per_vector_iteration", vectors, GBENCH_TIME_EACH);
}

/* ---- kernels that don't run here -------------------------------------------------------------------------------------- */

static bool skip(void *instructions, gbench_state *state) {
    char message[160];
    snprintf(message, sizeof message, "skipped: this machine does not run %s", (const char *)instructions);
    gbench_skip(state, message);
    return false;
}

static void run_nothing(void *instructions, int64_t iterations) {
    (void)instructions, (void)iterations;
}

void register_for_kernels(const char *family, register_kernel_fn *rows) {
    for (int i = 0; i < dun_kernels_count(); i++) {
        const dun_kernel *kernel = dun_kernels_at(i);
        const gbench_benchmark skipped = {.user = (void *)dun_kernels_description(i), .setup = skip, .run = run_nothing};
        if (dun_kernels_runs_here(i))
            rows(kernel);
        else
            microbench_register(&skipped, "%s/%s", family, kernel->name);
    }
}
