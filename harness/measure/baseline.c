/* SPDX-License-Identifier: MIT */
#include "harness/command/kernel_names.h"
#include "harness/measure/baseline.h"
#include "harness/report/message.h"

#include <stdlib.h>
#include <string.h>

/* Wider than the radius by more than the rounding of a cell's edge, in grids of up to a few thousand cells per row. */
static const double cell_width = 1.001;
enum { MIN_CELLS = 3 /* on an axis, so that the cells on both sides of an agent's own differ */, MOST_LANES = 16 };

#define CODE(name) extern const baseline_code baseline_##name##_2d, baseline_##name##_3d;
CODE(scalar)
CODE(simd128)
CODE(simd256)
CODE(simd512)
#undef CODE
#define CODE(name)                                                                                                             \
    { &baseline_##name##_2d, &baseline_##name##_3d }

typedef struct baseline_type {
    const char *name;
    const baseline_code *code[2]; /* 2D, 3D */
    const char *kernels;          /* those of the same instruction set: the first one's name, with which the others' begin */
} baseline_type;

static const baseline_type types[BASELINES] = {
    [BASELINE_AOS] = {"baseline-aos", CODE(scalar), NULL},
    [BASELINE_SIMD128] = {"baseline-simd128", CODE(simd128), "simd128"},
#if defined(__x86_64__)
    [BASELINE_SIMD256] = {"baseline-simd256", CODE(simd256), "avx2"},
    [BASELINE_SIMD512] = {"baseline-simd512", CODE(simd512), "avx512"},
#endif
};

const char *baseline_name(baseline_kind kind) {
    return types[kind].name;
}

bool baseline_runs_here(baseline_kind kind) {
    return kind < BASELINES && (!types[kind].kernels || kernel_find(types[kind].kernels).runs_here);
}

baseline_kind baseline_find(const char *name) {
    baseline_kind found = BASELINES;
    for (int kind = 0; kind < BASELINES; kind++) {
        if (strcmp(name, types[kind].name) == 0) return (baseline_kind)kind;
        if (strcmp(name, "baseline-simd") == 0 && types[kind].kernels && baseline_runs_here((baseline_kind)kind))
            found = (baseline_kind)kind;
    }
    return found;
}

baseline_kind baseline_find_twin(const char *kernel) {
    for (int kind = 0; kind < BASELINES; kind++) {
        const char *first = types[kind].kernels;
        if (first && strncmp(kernel, first, strlen(first)) == 0) return (baseline_kind)kind;
    }
    return BASELINES;
}

/* The error names the baseline. */
static dunlin_result choose_cells(baseline *flock, int dimensions, dunlin_error *error) {
    const double width = cell_width * (double)bench_radius;
    flock->cells = (int)((double)flock->side / width);
    if (flock->cells < MIN_CELLS) {
        return bench_fail(error, DUNLIN_ERROR_VALUE, "%s: the world's side is %.9g, it must be at least %.9g",
                          baseline_name(flock->kind), (double)flock->side, MIN_CELLS * width);
    }
    flock->cells_per_unit = (float)flock->cells / flock->side;
    flock->all_cells = (size_t)flock->code->finer;
    for (int a = 0; a < dimensions; a++) flock->all_cells *= (size_t)flock->cells;
    return DUNLIN_OK;
}

/* Lanes beyond the last agent compute with zeros. */
static dunlin_result allocate(baseline *flock, dunlin_error *error) {
    flock->agents = calloc(flock->room, flock->code->agent_bytes);
    flock->snapshot = calloc(flock->room, flock->code->agent_bytes);
    flock->cell_start = malloc((flock->all_cells + 1) * sizeof *flock->cell_start);
    if (flock->agents && flock->snapshot && flock->cell_start) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for a baseline's agents and cells");
}

dunlin_result baseline_create(const bench_start *start, baseline_kind kind, int threads, baseline **flock,
                              dunlin_error *error) {
    const int dimensions = start->workload.dimensions;
    *flock = NULL;
    if (!baseline_runs_here(kind))
        return bench_fail(error, DUNLIN_ERROR_UNSUPPORTED, "%s cannot run on this machine", baseline_name(kind));
    *flock = calloc(1, sizeof **flock);
    if (!*flock) return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for a baseline");
    **flock = (baseline){
        .code = types[kind].code[dimensions - 2],
        .kind = kind,
        .threads = threads,
        .count = start->workload.agents,
        .room = (size_t)start->workload.agents + MOST_LANES,
        .side = start->side,
        .radius2 = bench_radius * bench_radius,
        .separation_radius2 = bench_separation_radius * bench_separation_radius,
    };
    dunlin_result result = choose_cells(*flock, dimensions, error);
    if (result == DUNLIN_OK) result = allocate(*flock, error);
    if (result == DUNLIN_OK) {
        (*flock)->code->load(*flock, start);
    } else {
        baseline_destroy(*flock);
        *flock = NULL;
    }
    return result;
}

void baseline_destroy(baseline *flock) {
    if (!flock) return;
    free(flock->agents);
    free(flock->snapshot);
    free(flock->cell_start);
    free(flock);
}

baseline_stats baseline_step(baseline *flock) {
    return flock->code->step(flock);
}

size_t baseline_bytes(const baseline *flock) {
    return sizeof *flock + 2 * flock->room * flock->code->agent_bytes + (flock->all_cells + 1) * sizeof *flock->cell_start;
}

void baseline_read(const baseline *flock, float *const position[3], float *const velocity[3]) {
    flock->code->read(flock, position, velocity);
}
