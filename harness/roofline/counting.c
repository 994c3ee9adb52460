/* SPDX-License-Identifier: MIT */
/*
 * Counts over the packets that a frame has: a callback of one step gets each packet with its ranges. Packets are sampled evenly
 * throughout the world. What they cost is divided among their candidates.
 */
#include "harness/roofline/counting.h"
#include "harness/report/message.h"

#include "roofline_kernels.h"

#include <string.h>

enum { SAMPLED_PACKETS = 2000, MAX_RANGES = 256 };

/* ---- the counter ------------------------------------------------------------------------------------------------------ */

uint64_t roofline_counted[INSTRUCTIONS];

#define DECLARE(name) extern const dun_kernel dun_kernel_counting_##name;
ROOFLINE_KERNELS(DECLARE)

const dun_kernel *counting_kernel_find(const char *name) {
#define ENTRY(kernel)                                                                                                          \
    if (strcmp(name, #kernel) == 0) return &dun_kernel_counting_##kernel;
    ROOFLINE_KERNELS(ENTRY)
    return NULL;
}

void counting_reset(void) {
    memset(roofline_counted, 0, sizeof roofline_counted);
}

instruction_counts counting_read(void) {
    instruction_counts counts;
    for (int i = 0; i < INSTRUCTIONS; i++) counts.of[i] = (double)roofline_counted[i];
    return counts;
}

/* Where kernels put their results: room for a packet of the widest. */
typedef struct scratch {
    _Alignas(DUN_CACHE_LINE) float column[9][2 * DUN_PADDING];
    int32_t seen[2 * DUN_PADDING];
} scratch;

static dun_sums sums_of(scratch *s) {
    dun_sums sums = {.seen = s->seen, .aligned = s->seen, .cohered = s->seen};
    for (int a = 0; a < 3; a++) {
        sums.push[a] = s->column[a];
        sums.velocity[a] = s->column[3 + a];
        sums.offset[a] = s->column[6 + a];
    }
    return sums;
}

/* ---- interact --------------------------------------------------------------------------------------------------------- */

typedef struct tally {
    const dun_kernel *kernel;
    uint64_t offered, stride; /* every so many packets one is sampled */
    instruction_counts sum;
    uint64_t candidates;
} tally;

/* The bench's interaction, as the engine hands it to kernels. */
static dun_interact interact_of(const dunlin_packet *view) {
    dun_interact in = {.shape = {.dimensions = view->position[2] ? 3 : 2,
                                 .separation = DUN_PUSH_INVERSE,
                                 .alignment = true,
                                 .cohesion = true,
                                 .nested = true},
                       .max_r2 = bench_radius * bench_radius,
                       .separation_r2 = bench_separation_radius * bench_separation_radius,
                       .own = true};
    for (int a = 0; a < in.shape.dimensions; a++) {
        in.observer[a] = in.position[a] = view->position[a];
        in.velocity[a] = view->velocity[a];
        in.size[a] = view->size[a];
    }
    return in;
}

/* The bench's worlds are so wide that each range is one image, that of its first agent. */
static uint8_t image_of(const dunlin_packet *view, const dunlin_range *range) {
    int image = range->folds ? DUN_IMAGE_KNOWN : 0;
    for (int a = 0; range->folds >> a; a++) {
        const float offset = view->position[a][range->begin] - view->position[a][view->first];
        if (range->folds >> a & 1 && offset > 0.5f * view->size[a]) image |= DUN_IMAGE_BACK(a);
        if (range->folds >> a & 1 && offset < -0.5f * view->size[a]) image |= DUN_IMAGE_AHEAD(a);
    }
    return (uint8_t)image;
}

static void count_packet(void *user, const dunlin_packet *view) {
    tally *t = user;
    dun_range ranges[MAX_RANGES];
    scratch results;
    const dun_sums sums = sums_of(&results);
    const dun_interact in = interact_of(view);
    if (t->offered++ % t->stride != 0 || view->range_count > MAX_RANGES) return;
    for (uint32_t r = 0; r < view->range_count; r++) {
        const dunlin_range *range = &view->ranges[r];
        ranges[r] = (dun_range){range->begin, range->end, (uint8_t)range->folds, image_of(view, range)};
        t->candidates += range->end - range->begin;
    }
    counting_reset();
    t->kernel->interact (&in.shape)(&in, (dun_packet){view->first, view->count}, ranges, view->range_count, &sums, 0);
    for (int i = 0; i < INSTRUCTIONS; i++) t->sum.of[i] += (double)roofline_counted[i];
}

/* Counts in a first step, and reads the statistics of a second one without the callback, whose packets they include. */
static dunlin_result step_twice(dunlin_world *world, tally *t, dunlin_error *error) {
    dunlin_behaviour_def count = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    count.pairs = (dunlin_pairs){0, bench_radius, count_packet};
    count.user = t;
    int number;
    dunlin_result result = dunlin_world_add_behaviour(world, &count, &number, error);
    if (result == DUNLIN_OK) result = dunlin_world_step(world, error);
    if (result == DUNLIN_OK) result = dunlin_world_remove_behaviour(world, number, error);
    return result == DUNLIN_OK ? dunlin_world_step(world, error) : result;
}

static dunlin_result count_interact(const bench_start *start, const char *kernel, const dun_kernel *counting,
                                    kernel_counts *counts, dunlin_error *error) {
    tally t = {.kernel = counting, .stride = start->workload.agents / counts->lanes / SAMPLED_PACKETS + 1};
    dunlin_world *world;
    dunlin_result result = bench_world_make(start, 1, kernel, "grid", &world, error);
    if (result != DUNLIN_OK) return result;
    result = step_twice(world, &t, error);
    const dunlin_stats stats = dunlin_world_stats(world);
    const double agents = (double)stats.agents;
    counts->candidates_per_agent = (double)stats.pairs_tested / counts->lanes / agents;
    counts->cells_per_agent = (double)stats.cells / agents;
    dunlin_world_destroy(world);
    for (int i = 0; i < INSTRUCTIONS; i++) counts->interact_candidate.of[i] = t.sum.of[i] / (double)t.candidates;
    return result;
}

/* ---- steer and integrate ---------------------------------------------------------------------------------------------- */

static instruction_counts count_steer(const bench_start *start, const dun_kernel *kernel) {
    scratch results = {.seen = {0}};
    const dun_sums sums = sums_of(&results);
    dun_respond respond = {.dimensions = start->workload.dimensions,
                           .steer = true,
                           .average = true,
                           .weight = {.all = 1.0f},
                           .max_speed = {.all = bench_max_speed},
                           .limit = {.all = bench_max_force},
                           .seen = sums.seen};
    for (int a = 0; a < respond.dimensions; a++) {
        respond.sum[a] = sums.push[a];
        respond.velocity[a] = start->velocity[a];
        respond.force[a] = sums.offset[a];
    }
    kernel->respond(&respond, kernel->lanes); /* loads what all agents share */
    counting_reset();
    for (int rule = 0; rule < DUNLIN_RULE_COUNT; rule++) kernel->respond(&respond, kernel->lanes);
    return counting_read();
}

static instruction_counts count_integrate(const bench_start *start, const dun_kernel *kernel) {
    scratch results = {.seen = {0}};
    const dun_sums to = sums_of(&results);
    dun_integrate motion = {.dimensions = start->workload.dimensions,
                            .edge = DUN_EDGE_PERIODIC,
                            .time_step = 1.0f,
                            .force_scale = 1.0f,
                            .max_speed = {.all = bench_max_speed},
                            .keep = 1.0f};
    for (int a = 0; a < motion.dimensions; a++) {
        motion.size[a] = start->side;
        motion.position[a] = start->position[a];
        motion.velocity[a] = start->velocity[a];
        motion.force[a] = to.offset[a];
        motion.to_position[a] = to.push[a];
        motion.to_velocity[a] = to.velocity[a];
    }
    kernel->integrate(&motion, kernel->lanes); /* loads what all agents share */
    counting_reset();
    kernel->integrate(&motion, kernel->lanes);
    return counting_read();
}

dunlin_result counting_measure(const bench_start *start, const char *kernel, kernel_counts *counts, dunlin_error *error) {
    const dun_kernel *counting = counting_kernel_find(kernel);
    if (!counting)
        return bench_fail(error, DUNLIN_ERROR_UNSUPPORTED, "the operations of kernel '%s' cannot be counted", kernel);
    *counts = (kernel_counts){.lanes = counting->lanes,
                              .steer_packet = count_steer(start, counting),
                              .integrate_packet = count_integrate(start, counting)};
    return count_interact(start, kernel, counting, counts, error);
}
