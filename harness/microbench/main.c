/* SPDX-License-Identifier: MIT */
/* dunlin_microbench measures kernels one by one: a kernel, a rule set, a density. `dunlin bench` measures whole frames and
 * their stages. */
#include "harness/microbench/gbench_shim.h"
#include "harness/microbench/patch.h"
#include "harness/report/machine.h"

#include <stdio.h>
#include <string.h>

static const char help[] = "Usage: dunlin_microbench [--benchmark_FLAG=VALUE ...]\n"
                           "\n"
                           "Measures kernels one by one, in cache. docs/benchmarking.md says how to read it.\n"
                           "\n"
                           "  kernel/KERNEL/2d|3d/RULES/neighbours:K            a small flock interacts\n"
                           "\n"
                           "All rows together take many minutes; pick some by a regular expression:\n"
                           "\n"
                           "  dunlin_microbench --benchmark_filter='kernel/.*/2d/flock/neighbours:20$'\n"
                           "  dunlin_microbench --benchmark_filter=kernel/avx2 --benchmark_out=rows.json\n"
                           "  dunlin_microbench --benchmark_list_tests\n"
                           "\n"
                           "Google Benchmark's flags:\n"
                           "\n";

/* A radius of 0 turns the rule off. */
typedef struct rule_set {
    const char *name;
    dun_push push;
    float separation, alignment, cohesion; /* radii, 0 .. 1; the widest is 1 */
} rule_set;

/* One of every kind of loop in kernels/neighbours/interact.h. Its other shapes leave out a sum of `flock`. */
static const rule_set rule_sets[] = {
    {"separation", DUN_PUSH_INVERSE, 1.0f, 0.0f, 0.0f},
    {"separation_linear", DUN_PUSH_LINEAR, 1.0f, 0.0f, 0.0f},
    {"separation_constant", DUN_PUSH_CONSTANT, 1.0f, 0.0f, 0.0f},
    {"alignment", DUN_PUSH_NONE, 0.0f, 1.0f, 0.0f},
    {"cohesion", DUN_PUSH_NONE, 0.0f, 0.0f, 1.0f},
    {"alignment_cohesion", DUN_PUSH_NONE, 0.0f, 1.0f, 1.0f},
    {"flock", DUN_PUSH_INVERSE, 0.5f, 1.0f, 1.0f}, /* as in whole frames */
    {"flock_own_radii", DUN_PUSH_INVERSE, 0.5f, 0.75f, 1.0f},
};
static const int densities[] = {5, 20, 80, 200};

typedef struct kernel_row {
    const dun_kernel *kernel;
    const rule_set *rules;
    int dimensions, neighbours;
} kernel_row;

/* The row that is measured, from set_up() to tear_down(). */
static struct {
    patch patch;
    dun_interact job;
    dun_interact_fn *interact;
    dun_sums sums;   /* of one packet */
    uint64_t useful; /* pairs of all packets */
} now;

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

static void make_job(const kernel_row *row) {
    static _Alignas(DUN_CACHE_LINE) float columns[9][2 * DUN_PADDING];
    static int32_t counts[3][2 * DUN_PADDING];
    const rule_set *rules = row->rules;
    now.job = (dun_interact){.shape = shape_of(rules, row->dimensions),
                             .max_r2 = 1.0f,
                             .separation_r2 = squared(rules->separation),
                             .alignment_r2 = squared(rules->alignment),
                             .cohesion_r2 = squared(rules->cohesion),
                             .inverse_separation_radius = rules->separation > 0.0f ? 1.0f / rules->separation : 0.0f,
                             .own = true};
    now.sums = (dun_sums){.seen = counts[0], .aligned = counts[1], .cohered = counts[2]};
    for (int a = 0; a < row->dimensions; a++) {
        now.job.observer[a] = now.job.position[a] = now.patch.position[a];
        now.job.velocity[a] = now.patch.velocity[a];
        now.job.size[a] = now.patch.size[a];
        now.sums.push[a] = columns[a];
        now.sums.velocity[a] = columns[3 + a];
        now.sums.offset[a] = columns[6 + a];
    }
    now.interact = row->kernel->interact(&now.job.shape);
}

/* ---- the measurement: an iteration is all packets of the patch -------------------------------------------------------- */

static inline void interact(const patch_packet *packet) {
    now.interact(&now.job, packet->slots, now.patch.ranges + packet->first_range, packet->range_count, &now.sums, 0);
}

static void run(const void *user, int64_t iterations) {
    (void)user;
    for (int64_t i = 0; i < iterations; i++)
        for (uint32_t p = 0; p < now.patch.packet_count; p++) interact(&now.patch.packets[p]);
}

/* Counting warms the caches, even if only one iteration follows. */
static bool set_up(const void *user, gbench_state *state) {
    const kernel_row *row = user;
    if (!patch_make(&now.patch, row->dimensions, row->neighbours, row->kernel)) {
        gbench_fail(state, "out of memory");
        return false;
    }
    make_job(row);
    now.useful = 0;
    for (uint32_t p = 0; p < now.patch.packet_count; p++) {
        interact(&now.patch.packets[p]);
        for (uint32_t i = 0; i < now.patch.packets[p].slots.count; i++) now.useful += (uint64_t)now.sums.seen[i];
    }
    return true;
}

static void report(const void *user, gbench_state *state) {
    const kernel_row *row = user;
    const double iterations = (double)gbench_iterations(state), agents = now.patch.agents;
    const double tested = (double)(now.patch.candidates * row->kernel->lanes), useful = (double)now.useful;
    gbench_counter(state, "items_per_second", agents * iterations, GBENCH_RATE);
    gbench_counter(state, "time_per_vector_iteration", (double)now.patch.near * iterations, GBENCH_TIME_EACH);
    gbench_counter(state, "pairs_tested_per_second", tested * iterations, GBENCH_RATE);
    gbench_counter(state, "pairs_useful_per_second", useful * iterations, GBENCH_RATE);
    gbench_counter(state, "pairs_tested_per_agent", tested / agents, GBENCH_PLAIN);
    gbench_counter(state, "pairs_useful_per_agent", useful / agents, GBENCH_PLAIN);
}

static void tear_down(const void *user) {
    (void)user;
    patch_free(&now.patch);
}

/* ---- the rows --------------------------------------------------------------------------------------------------------- */

enum { RULE_SETS = sizeof rule_sets / sizeof *rule_sets, DENSITIES = sizeof densities / sizeof *densities };
enum { ROWS_PER_KERNEL = 2 * RULE_SETS * DENSITIES, KERNELS = 32 };

static void register_rows(const dun_kernel *kernel, kernel_row *rows) {
    for (int i = 0; i < ROWS_PER_KERNEL; i++) {
        kernel_row *row = &rows[i];
        char name[96];
        *row = (kernel_row){.kernel = kernel,
                            .rules = &rule_sets[i / DENSITIES % RULE_SETS],
                            .dimensions = 2 + i / DENSITIES / RULE_SETS,
                            .neighbours = densities[i % DENSITIES]};
        snprintf(name, sizeof name, "kernel/%s/%dd/%s/neighbours:%d", kernel->name, row->dimensions, row->rules->name,
                 row->neighbours);
        gbench_register(&(gbench_benchmark){
            .name = name, .user = row, .setup = set_up, .run = run, .report = report, .teardown = tear_down});
    }
}

static void append(char *list, size_t size, const char *name) {
    const size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", name);
}

/* What does not run here is in the context alone. */
static void register_kernels(void) {
    static kernel_row rows[KERNELS][ROWS_PER_KERNEL];
    char run_here[128] = "", skipped[128] = "";
    for (int i = 0; i < dun_kernels_count() && i < KERNELS; i++) {
        const bool runs = dun_kernels_runs_here(i);
        append(runs ? run_here : skipped, sizeof run_here, dun_kernels_at(i)->name);
        if (runs) register_rows(dun_kernels_at(i), rows[i]);
    }
    if (*skipped == '\0') append(skipped, sizeof skipped, "none");
    gbench_add_context("kernels", run_here);
    gbench_add_context("kernels_skipped", skipped);
}

int main(int argc, char **argv) {
    const machine host = machine_describe();
    const char *const texts[][2] = {{"cpu", host.cpu},     {"os", host.os},         {"compiler", host.compiler},
                                    {"flags", host.flags}, {"commit", host.commit}, {"pinning", host.pinning}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) gbench_add_context(texts[i][0], texts[i][1]);
    register_kernels();
    return gbench_run(argc, argv, help);
}
