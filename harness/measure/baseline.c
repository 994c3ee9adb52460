/* SPDX-License-Identifier: MIT */
#include "harness/measure/baseline.h"
#include "harness/report/message.h"

#include <stdlib.h>
#include <string.h>

/* Wider than the radius by more than the rounding of a cell's edge, in grids of up to a few thousand cells per row. */
static const double cell_width = 1.001;
enum { MIN_CELLS = 3 }; /* on an axis, so that the cells on both sides of an agent's own differ */

static const char *const names[] = {"baseline-aos", "baseline-brute"};

const char *baseline_name(baseline_kind kind) {
    return names[kind];
}

bool baseline_find(const char *name, baseline_kind *kind) {
    for (int i = 0; i <= BASELINE_BRUTE; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        *kind = (baseline_kind)i;
        return true;
    }
    return false;
}

static dunlin_result choose_cells(baseline *flock, int dimensions, dunlin_error *error) {
    double width = cell_width * (double)bench_radius;
    if (flock->kind != BASELINE_AOS) return DUNLIN_OK;
    flock->cells = (int)((double)flock->side / width);
    if (flock->cells < MIN_CELLS) {
        return bench_fail(error, DUNLIN_ERROR_VALUE, "baseline-aos: the world's side is %.9g, it must be at least %.9g",
                          (double)flock->side, MIN_CELLS * width);
    }
    flock->all_cells = 1;
    for (int a = 0; a < dimensions; a++) flock->all_cells *= (size_t)flock->cells;
    return DUNLIN_OK;
}

static dunlin_result allocate(baseline *flock, dunlin_error *error) {
    flock->agents = malloc(flock->count * flock->code->agent_bytes);
    flock->snapshot = malloc(flock->count * flock->code->agent_bytes);
    flock->cell_start = malloc((flock->all_cells + 1) * sizeof *flock->cell_start);
    if (flock->agents && flock->snapshot && flock->cell_start) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for a baseline's agents and cells");
}

dunlin_result baseline_create(const bench_start *start, baseline_kind kind, int threads, baseline **flock,
                              dunlin_error *error) {
    *flock = calloc(1, sizeof **flock);
    if (!*flock) return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for a baseline");
    **flock = (baseline){
        .code = start->workload.dimensions == 2 ? &baseline_code_2d : &baseline_code_3d,
        .kind = kind,
        .threads = threads,
        .count = start->workload.agents,
        .side = start->side,
        .radius2 = bench_radius * bench_radius,
        .separation_radius2 = bench_separation_radius * bench_separation_radius,
    };
    dunlin_result result = choose_cells(*flock, start->workload.dimensions, error);
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
    return sizeof *flock + 2 * flock->count * flock->code->agent_bytes + (flock->all_cells + 1) * sizeof *flock->cell_start;
}

void baseline_read(const baseline *flock, float *const position[3], float *const velocity[3]) {
    flock->code->read(flock, position, velocity);
}
