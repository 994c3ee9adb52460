/* SPDX-License-Identifier: MIT */
/*
 * Counts over the groups that a frame would have: the start's agents, sorted by the grid, cut into tiles and groups as
 * engine/frame/frame.c does. Tiles are sampled evenly through the world. A group is run twice, once with its runs and once with
 * all of them listed twice: the difference is what its candidates cost, whatever a kernel does with them, and the rest is the
 * group's own.
 */
#include "harness/roofline/counting.h"

#include "spatial/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLED_TILES = 48, TILE = 512, SUMS = 12 };

typedef struct flock {
    int dimensions;
    uint32_t agents;
    float *block;       /* all of these: [column][agents + padding] */
    float *position[3]; /* in the grid's order */
    float *velocity[3];
    dun_index *index;
    dun_run *runs; /* room for a group's, twice */
    dun_reach reach;
    float *scratch; /* [SUMS][DUN_PADDING * 2] */
} flock;

/* ---- the flock, sorted ------------------------------------------------------------------------------------------------ */

static void run_serially(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    (void)executor;
    for (uint32_t i = 0; i < tasks; i++) task(context, i, 0);
}

static bool sort_flock(flock *f, const bench_start *start) {
    const dun_executor serial = {.workers = 1, .run = run_serially};
    dun_space space = {.dimensions = f->dimensions, .periodic = true, .radius = bench_radius};
    dun_columns columns = {.agents = f->agents};
    for (int a = 0; a < f->dimensions; a++) {
        space.size[a] = start->side;
        columns.from[a] = (const dun_word *)start->position[a];
        columns.to[a] = (dun_word *)f->position[a];
        columns.from[f->dimensions + a] = (const dun_word *)start->velocity[a];
        columns.to[f->dimensions + a] = (dun_word *)f->velocity[a];
    }
    columns.columns = 2 * f->dimensions;
    if (!f->index->type->reserve(f->index, &space, f->agents, 1)) return false;
    f->index->type->build(f->index, &space, &columns, &serial);
    f->reach = f->index->type->reach(f->index, bench_radius);
    f->runs = malloc((size_t)2 * f->index->type->max_runs(f->index, &f->reach, true) * sizeof *f->runs);
    return f->runs;
}

static bool make_flock(flock *f, const bench_start *start) {
    *f = (flock){.dimensions = start->workload.dimensions, .agents = start->workload.agents};
    const size_t column = (size_t)f->agents + DUN_PADDING;
    f->block = calloc(column * 6, sizeof *f->block);
    f->scratch = calloc((size_t)SUMS * 2 * DUN_PADDING, sizeof *f->scratch);
    f->index = dun_grid_index.create();
    if (!f->block || !f->scratch || !f->index) return false;
    for (int a = 0; a < 3; a++) {
        f->position[a] = f->block + column * (size_t)a;
        f->velocity[a] = f->block + column * (size_t)(3 + a);
    }
    return sort_flock(f, start);
}

static void drop_flock(flock *f) {
    if (f->index) f->index->type->destroy(f->index);
    free(f->runs);
    free(f->scratch);
    free(f->block);
}

/* ---- interact --------------------------------------------------------------------------------------------------------- */

/* The sums of one group, of which nobody looks at the results. */
static dun_sums sums_of(const flock *f) {
    float *column[SUMS];
    for (int i = 0; i < SUMS; i++) column[i] = f->scratch + (size_t)i * 2 * DUN_PADDING;
    dun_sums sums = {.seen = (int32_t *)column[9], .aligned = (int32_t *)column[10], .cohered = (int32_t *)column[11]};
    for (int a = 0; a < 3; a++) {
        sums.push[a] = column[a];
        sums.velocity[a] = column[3 + a];
        sums.offset[a] = column[6 + a];
    }
    return sums;
}

/* The bench's interaction, as engine/frame/frame.c would state it. */
static dun_interact interact_of(const flock *f, const bench_start *start) {
    dun_interact in = {.shape = {f->dimensions, DUN_PUSH_INVERSE, true, true, true},
                       .widest_r2 = bench_radius * bench_radius,
                       .separation_r2 = bench_separation_radius * bench_separation_radius,
                       .alignment_r2 = bench_radius * bench_radius,
                       .cohesion_r2 = bench_radius * bench_radius,
                       .inverse_separation_radius = 1.0f / bench_separation_radius,
                       .own = true};
    for (int a = 0; a < f->dimensions; a++) {
        in.observer[a] = in.position[a] = f->position[a];
        in.velocity[a] = f->velocity[a];
        in.size[a] = start->side;
    }
    return in;
}

typedef struct tally {
    instruction_counts once, twice; /* over all groups, with their runs and with these twice */
    uint64_t groups, agents, candidates;
} tally;

static void accumulate(instruction_counts *sum, instruction_counts more) {
    for (int i = 0; i < INSTRUCTIONS; i++) sum->of[i] += more.of[i];
}

static void count_group(const flock *f, const dun_kernel *kernel, const dun_interact *in, dun_query *query, tally *t) {
    dun_interact_fn *interact = kernel->interact(&in->shape);
    const dun_sums sums = sums_of(f);
    const uint32_t runs = f->index->type->list_runs(f->index, query, f->runs);
    memcpy(f->runs + runs, f->runs, runs * sizeof *f->runs);
    for (uint32_t r = 0; r < runs; r++) t->candidates += f->runs[r].end - f->runs[r].begin;
    counting_reset();
    interact(in, query->group, f->runs, runs, &sums, 0);
    accumulate(&t->once, counting_read(kernel));
    counting_reset();
    interact(in, query->group, f->runs, 2 * runs, &sums, 0);
    accumulate(&t->twice, counting_read(kernel));
    t->groups++;
    t->agents += query->group.count;
}

static void count_tile(const flock *f, const dun_kernel *kernel, const dun_interact *in, uint32_t begin, tally *t) {
    const uint32_t end = f->agents - begin < TILE ? f->agents : begin + TILE;
    dun_query query = {.own = true, .reach = f->reach};
    for (int a = 0; a < 3; a++) query.position[a] = f->position[a];
    uint32_t stretch_end = begin;
    for (uint32_t first = begin; first < end; first += query.group.count) {
        if (first >= stretch_end) stretch_end = f->index->type->group_end(f->index, first);
        if (stretch_end > end) stretch_end = end;
        const uint32_t rest = stretch_end - first;
        query.group = (dun_group){first, kernel->lanes < rest ? kernel->lanes : rest};
        count_group(f, kernel, in, &query, t);
    }
}

static void count_interact(const flock *f, const bench_start *start, const dun_kernel *kernel, kernel_counts *counts) {
    const dun_interact in = interact_of(f, start);
    const uint32_t tiles = f->agents / TILE + (f->agents % TILE != 0);
    const uint32_t sampled = tiles < SAMPLED_TILES ? tiles : SAMPLED_TILES;
    tally t = {.groups = 0};
    for (uint32_t i = 0; i < sampled; i++) count_tile(f, kernel, &in, (uint32_t)((uint64_t)tiles * i / sampled) * TILE, &t);
    const double groups = (double)t.groups;
    for (int i = 0; i < INSTRUCTIONS; i++) {
        counts->interact_candidate.of[i] = (t.twice.of[i] - t.once.of[i]) / (double)t.candidates;
        counts->interact_group.of[i] = (2.0 * t.once.of[i] - t.twice.of[i]) / groups;
    }
    counts->candidates_per_group = (double)t.candidates / groups;
    counts->agents_per_group = (double)t.agents / groups;
}

/* ---- steer and integrate ---------------------------------------------------------------------------------------------- */

static instruction_counts count_steer(const flock *f, const dun_kernel *kernel) {
    const dun_sums sums = sums_of(f);
    dun_respond respond = {.dimensions = f->dimensions,
                           .steer = true,
                           .average = true,
                           .weight = {.all = 1.0f},
                           .max_speed = {.all = bench_max_speed},
                           .limit = {.all = bench_max_force},
                           .seen = sums.seen};
    for (int a = 0; a < f->dimensions; a++) {
        respond.sum[a] = sums.push[a];
        respond.velocity[a] = f->velocity[a];
        respond.force[a] = sums.offset[a];
    }
    kernel->respond(&respond, kernel->lanes); /* fetches what all agents have in common */
    counting_reset();
    for (int rule = 0; rule < DUNLIN_RULE_COUNT; rule++) kernel->respond(&respond, kernel->lanes);
    return counting_read(kernel);
}

static instruction_counts count_integrate(const flock *f, const bench_start *start, const dun_kernel *kernel) {
    const dun_sums to = sums_of(f);
    dun_integrate motion = {.dimensions = f->dimensions,
                            .edge = DUN_EDGE_PERIODIC,
                            .time_step = 1.0f,
                            .force_scale = 1.0f,
                            .max_speed = {.all = bench_max_speed},
                            .keep = 1.0f};
    for (int a = 0; a < f->dimensions; a++) {
        motion.size[a] = start->side;
        motion.position[a] = f->position[a];
        motion.velocity[a] = f->velocity[a];
        motion.force[a] = to.offset[a];
        motion.to_position[a] = to.push[a];
        motion.to_velocity[a] = to.velocity[a];
    }
    kernel->integrate(&motion, kernel->lanes); /* likewise */
    counting_reset();
    kernel->integrate(&motion, kernel->lanes);
    return counting_read(kernel);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

dunlin_result counting_measure(const bench_start *start, const char *kernel, kernel_counts *counts, dunlin_error *error) {
    const dun_kernel *counting = counting_kernel_find(kernel);
    flock f = {.dimensions = 0};
    if (!counting) {
        error->code = DUNLIN_ERROR_KERNEL;
        snprintf(error->message, sizeof error->message, "the operations of kernel '%s' cannot be counted", kernel);
    } else if (!make_flock(&f, start)) {
        error->code = DUNLIN_ERROR_MEMORY;
        snprintf(error->message, sizeof error->message, "no memory to count operations in");
    } else {
        error->code = DUNLIN_OK;
        *counts = (kernel_counts){.lanes = counting->lanes};
        count_interact(&f, start, counting, counts);
        counts->steer_group = count_steer(&f, counting);
        counts->integrate_group = count_integrate(&f, start, counting);
    }
    drop_flock(&f);
    return error->code;
}
