/* SPDX-License-Identifier: MIT */
/*
 * kernel/…: a kernel, a rule set, a density.
 *
 * shim/… checks the measurements themselves. `empty` is an iteration that does nothing, so its time is the overhead.
 * `own_clock` is a row of kernel/… that also times itself: its counter `own_time` must equal the library's time of the row.
 */
#include "harness/microbench/microbench.h"
#include "harness/microbench/patch.h"
#include "harness/report/clock.h"

#include <stdlib.h>

/* A radius of 0 turns the rule off. */
typedef struct rule_set {
    const char *name;
    dun_push push;
    float separation, alignment, cohesion; /* radii, 0 .. 1; the widest is 1 */
} rule_set;

typedef struct kernel_row {
    const dun_kernel *kernel;
    const rule_set *rules;
    int dimensions;
    int neighbours;

    /* from setup to teardown */
    patch patch;
    dun_interact job;
    dun_interact_fn *interact;
    float *block; /* of all sums */
    dun_sums sums;
    double seconds; /* of the last run, by run_with_clock() */
} kernel_row;

enum { SUM_COLUMNS = 12 }; /* three sums of three axes, three counts */

/* One of every kind of loop in kernels/neighbours/interact.h. Its other shapes leave out a sum of `flock`. */
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
enum { RULE_SETS = sizeof rule_sets / sizeof *rule_sets };
static const rule_set *const flock_rules = &rule_sets[6]; /* with separation at half the radius, as in whole frames */

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
    for (size_t a = 0; a < 3; a++) {
        row->sums.push[a] = row->block + a * stride;
        row->sums.velocity[a] = row->block + (3 + a) * stride;
        row->sums.offset[a] = row->block + (6 + a) * stride;
    }
    row->sums.seen = (int32_t *)(row->block + 9 * stride);
    row->sums.aligned = (int32_t *)(row->block + 10 * stride);
    row->sums.cohered = (int32_t *)(row->block + 11 * stride);
    return true;
}

/* ---- the measurement: an iteration is the whole stretch of the patch -------------------------------------------------- */

static void run(void *user, int64_t iterations) {
    const kernel_row *row = user;
    const patch *p = &row->patch;
    for (int64_t i = 0; i < iterations; i++) {
        for (const patch_packet *g = p->packets; g < p->packets + p->packet_count; g++)
            row->interact(&row->job, g->slots, p->ranges + g->first_range, g->range_count, &row->sums,
                          g->slots.first - p->begin);
    }
}

static void run_with_clock(void *user, int64_t iterations) {
    kernel_row *row = user;
    const double begin = clock_seconds();
    run(row, iterations);
    row->seconds = clock_seconds() - begin;
}

static bool set_up(void *user, gbench_state *state) {
    kernel_row *row = user;
    row->block = NULL;
    if (!patch_make(&row->patch, row->dimensions, row->neighbours, row->kernel) || !make_sums(row)) {
        gbench_fail(state, "out of memory");
        return false;
    }
    make_job(row);
    run(row, 1); /* warms the caches, even if only one iteration follows */
    return true;
}

static void report(void *user, gbench_state *state) {
    const kernel_row *row = user;
    const patch *p = &row->patch;
    const double iterations = (double)gbench_iterations(state);
    uint64_t useful = 0;
    for (uint32_t i = 0; i < p->end - p->begin; i++) useful += (uint64_t)row->sums.seen[i];
    microbench_report_vectors(state, (double)p->near * iterations);
    gbench_items(state, (p->end - p->begin) * iterations);
    microbench_report_pairs(state, (double)(p->candidates * row->kernel->lanes) * iterations, (double)useful * iterations,
                            (p->end - p->begin) * iterations);
}

static void report_both(void *user, gbench_state *state) {
    report(user, state);
    gbench_counter(state, "own_time", ((const kernel_row *)user)->seconds, GBENCH_PER_ITERATION);
}

static void tear_down(void *user) {
    kernel_row *row = user;
    patch_free(&row->patch);
    free(row->block);
}

/* ---- the tables ------------------------------------------------------------------------------------------------------- */

static void register_row(const dun_kernel *kernel, int dimensions, const rule_set *rules, int neighbours) {
    kernel_row row = {.kernel = kernel, .rules = rules, .dimensions = dimensions, .neighbours = neighbours};
    const gbench_benchmark benchmark = {
        .user = &row, .user_bytes = sizeof row, .setup = set_up, .run = run, .report = report, .teardown = tear_down};
    microbench_register(&benchmark, "kernel/%s/%dd/%s/neighbours:%d", kernel->name, dimensions, rules->name, neighbours);
}

static void register_rows(const dun_kernel *kernel) {
    static const int densities[] = {5, 20, 80, 200};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int r = 0; r < RULE_SETS; r++) {
            for (size_t d = 0; d < sizeof densities / sizeof *densities; d++)
                register_row(kernel, dimensions, &rule_sets[r], densities[d]);
        }
    }
}

void register_kernel_rows(void) {
    register_for_kernels("kernel", register_rows);
}

static void register_own_clock(const dun_kernel *kernel) {
    kernel_row row = {.kernel = kernel, .rules = flock_rules, .dimensions = 2, .neighbours = 20};
    const gbench_benchmark benchmark = {.user = &row,
                                        .user_bytes = sizeof row,
                                        .real_time = true,
                                        .setup = set_up,
                                        .run = run_with_clock,
                                        .report = report_both,
                                        .teardown = tear_down};
    microbench_register(&benchmark, "shim/own_clock/%s", kernel->name);
}

static void run_empty(void *user, int64_t iterations) {
    (void)user;
    for (int64_t i = 0; i < iterations; i++) __asm__ volatile(""); /* keeps the loop */
}

void register_shim_rows(void) {
    gbench_register(&(gbench_benchmark){.name = "shim/empty", .run = run_empty});
    register_for_kernels("shim/own_clock", register_own_clock);
}
