/* SPDX-License-Identifier: MIT */
#include "harness/microbench/kernel_row.h"

#include "harness/microbench/cycles.h"
#include "harness/microbench/microbench.h"

#include <stdio.h>
#include <stdlib.h>

enum { SUM_COLUMNS = 12 }; /* three sums of three axes, three counts */

/* One of every kind of loop in kernels/neighbours/interact.h. Its other shapes leave out a sum of `flock` or push in another
 * way. */
static const rule_set rule_sets[] = {
    {"separation", DUN_PUSH_INVERSE, 1.0f, 0.0f, 0.0f},
    {"separation_linear", DUN_PUSH_LINEAR, 1.0f, 0.0f, 0.0f},
    {"separation_constant", DUN_PUSH_CONSTANT, 1.0f, 0.0f, 0.0f},
    {"alignment", DUN_PUSH_NONE, 0.0f, 1.0f, 0.0f},
    {"cohesion", DUN_PUSH_NONE, 0.0f, 0.0f, 1.0f},
    {"alignment_cohesion", DUN_PUSH_NONE, 0.0f, 1.0f, 1.0f},
    {"flock", DUN_PUSH_INVERSE, 0.5f, 1.0f, 1.0f},
    {"flock_own_radii", DUN_PUSH_INVERSE, 0.5f, 0.75f, 1.0f},
};
enum { RULE_SETS = sizeof rule_sets / sizeof *rule_sets, FLOCK_RULES = 6 };

static const int densities[] = {5, 20, 80, 200};
enum { DENSITIES = sizeof densities / sizeof *densities };

/* ---- what a row computes ---------------------------------------------------------------------------------------------- */

static float squared(float radius) {
    return radius > 0.0f ? radius * radius : -1.0f;
}

static dun_shape shape_of(const rule_set *rules, int dimensions) {
    bool both = rules->alignment > 0.0f && rules->cohesion > 0.0f;
    return (dun_shape){.dimensions = dimensions,
                       .separation = rules->push,
                       .alignment = rules->alignment > 0.0f,
                       .cohesion = rules->cohesion > 0.0f,
                       .nested = !both || rules->alignment >= rules->cohesion};
}

static void make_job(kernel_row *row) {
    const rule_set *rules = row->rules;
    row->job = (dun_interact){.shape = shape_of(rules, row->dimensions),
                              .max_r2 = 1.0f,
                              .separation_r2 = squared(rules->separation),
                              .alignment_r2 = squared(rules->alignment),
                              .cohesion_r2 = squared(rules->cohesion),
                              .inverse_separation_radius = rules->separation > 0.0f ? 1.0f / rules->separation : 0.0f,
                              .own = true};
    for (int a = 0; a < row->dimensions; a++) {
        row->job.observer[a] = row->job.position[a] = row->patch.position[a];
        row->job.velocity[a] = row->patch.velocity[a];
        row->job.size[a] = row->patch.size[a];
    }
    row->interact = row->kernel->interact(&row->job.shape);
}

static bool make_sums(kernel_row *row) {
    size_t stride = row->patch.end - row->patch.begin + DUN_PADDING; /* a whole number of cache lines */
    row->block = aligned_alloc(DUN_CACHE_LINE, SUM_COLUMNS * stride * sizeof *row->block);
    if (!row->block) return false;
    for (int a = 0; a < 3; a++) {
        row->sums.push[a] = row->block + (size_t)a * stride;
        row->sums.velocity[a] = row->block + (size_t)(3 + a) * stride;
        row->sums.offset[a] = row->block + (size_t)(6 + a) * stride;
    }
    row->sums.seen = (int32_t *)(row->block + 9 * stride);
    row->sums.aligned = (int32_t *)(row->block + 10 * stride);
    row->sums.cohered = (int32_t *)(row->block + 11 * stride);
    return true;
}

/* ---- the measurement -------------------------------------------------------------------------------------------------- */

bool kernel_row_setup(void *user, gbench_state *state) {
    kernel_row *row = user;
    row->block = NULL;
    if (!patch_make(&row->patch, row->dimensions, row->neighbours, row->kernel->name) || !make_sums(row)) {
        gbench_fail(state, "out of memory");
        return false;
    }
    make_job(row);
    kernel_row_run(row, 1); /* warms the caches, even if only one iteration follows */
    cycles_begin();
    return true;
}

void kernel_row_run(void *user, int64_t iterations) {
    const kernel_row *row = user;
    const patch_group *groups = row->patch.groups;
    for (int64_t i = 0; i < iterations; i++) {
        for (uint32_t g = 0; g < row->patch.group_count; g++) {
            row->interact(&row->job, groups[g].slots, row->patch.runs + groups[g].first_run, groups[g].run_count, &row->sums,
                          groups[g].slots.first - row->patch.begin);
        }
    }
}

void kernel_row_report(void *user, gbench_state *state) {
    kernel_row *row = user;
    row->cycles = cycles_end();
    uint32_t agents = row->patch.end - row->patch.begin;
    uint64_t tested = row->patch.candidates * row->kernel->lanes, useful = 0;
    for (uint32_t i = 0; i < agents; i++) useful += (uint64_t)row->sums.seen[i];
    double iterations = (double)gbench_iterations(state), vectors = (double)row->patch.near * iterations;
    gbench_items(state, agents * iterations);
    gbench_counter(state, "pairs_tested_per_second", (double)tested * iterations, GBENCH_RATE);
    gbench_counter(state, "pairs_useful_per_second", (double)useful * iterations, GBENCH_RATE);
    gbench_counter(state, "pairs_tested_per_agent", (double)tested / agents, GBENCH_PLAIN);
    gbench_counter(state, "pairs_useful_per_agent", (double)useful / agents, GBENCH_PLAIN);
    gbench_counter(state, "time_per_vector_iteration", vectors, GBENCH_TIME_EACH);
    if (!cycles_absence()) gbench_counter(state, "cycles_per_vector_iteration", (double)row->cycles / vectors, GBENCH_PLAIN);
}

void kernel_row_teardown(void *user) {
    kernel_row *row = user;
    patch_free(&row->patch);
    free(row->block);
    row->block = NULL;
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

const rule_set *const flock_rules = &rule_sets[FLOCK_RULES];

static bool register_row(const kernel_row *row) {
    char name[96];
    snprintf(name, sizeof name, "kernel/%s/%dd/%s", row->kernel->name, row->dimensions, row->rules->name);
    void *user = microbench_keep(row, sizeof *row);
    return user && gbench_register(&(gbench_benchmark){.name = name,
                                                       .args = {{"neighbours", row->neighbours}},
                                                       .user = user,
                                                       .setup = kernel_row_setup,
                                                       .run = kernel_row_run,
                                                       .report = kernel_row_report,
                                                       .teardown = kernel_row_teardown});
}

static bool register_rows(const dun_kernel *kernel) {
    bool registered = true;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int r = 0; r < RULE_SETS; r++) {
            for (int d = 0; d < DENSITIES && registered; d++) {
                registered = register_row(&(kernel_row){
                    .kernel = kernel, .rules = &rule_sets[r], .dimensions = dimensions, .neighbours = densities[d]});
            }
        }
    }
    return registered;
}

bool register_kernel_rows(void) {
    return register_for_kernels("kernel", register_rows);
}
