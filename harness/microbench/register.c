/* SPDX-License-Identifier: MIT */
#include "harness/microbench/microbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- descriptions of rows --------------------------------------------------------------------------------------------- */

typedef struct kept {
    struct kept *next;
    max_align_t row[];
} kept;

static kept *first_kept;

void *microbench_keep(const void *row, size_t bytes) {
    kept *copy = malloc(sizeof *copy + bytes);
    if (!copy) return NULL;
    memcpy(copy->row, row, bytes);
    copy->next = first_kept;
    first_kept = copy;
    return copy->row;
}

void microbench_forget(void) {
    while (first_kept) {
        kept *next = first_kept->next;
        free(first_kept);
        first_kept = next;
    }
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

static bool register_skipped(const char *family, int position) {
    const char *instructions = dun_kernels_description(position);
    char name[64];
    snprintf(name, sizeof name, "%s/%s", family, dun_kernels_at(position)->name);
    void *user = microbench_keep(instructions, strlen(instructions) + 1);
    return user && gbench_register(&(gbench_benchmark){.name = name, .user = user, .setup = skip, .run = run_nothing});
}

bool register_for_kernels(const char *family, register_kernel_fn *rows) {
    for (int i = 0; i < dun_kernels_count(); i++) {
        bool registered = dun_kernels_runs_here(i) ? rows(dun_kernels_at(i)) : register_skipped(family, i);
        if (!registered) return false;
    }
    return true;
}
