/* SPDX-License-Identifier: MIT */
/*
 * The inner loop: sums over all neighbours of a group. The loop broadcasts one candidate at a time; every lane tests it and
 * adds it under its own mask.
 *
 * A pass over a candidate list is written once for all shapes. Its argument `shape` is a constant wherever the pass is inlined,
 * so each shape gets a loop of only the operations that it needs. All shapes share the listing of candidates.
 */
#ifndef DUNLIN_KERNELS_INTERACT_H
#define DUNLIN_KERNELS_INTERACT_H

#include "kernels/neighbours/candidate_list.h"
#include "kernels/neighbours/totals.h"

/* The constants and sums of a pass, all in registers. */
typedef struct adder {
    wide at[3];
    wide max_r2, separation_r2, alignment_r2, cohesion_r2;
    wide inverse_radius; /* of separation, for DUN_PUSH_LINEAR only */
    totals sum;
} adder;

/* ---- a candidate ------------------------------------------------------------------------------------------------------ */

/* Whether separation has a loop of its own, over the candidates within its radius of the box. */
WIDE_INLINE bool pushes_apart(dun_shape shape) {
    return PUSH_APART && shape.separation != DUN_PUSH_NONE && (shape.alignment || shape.cohesion);
}

/* own: the candidate is the agent of that lane. */
WIDE_INLINE void add_candidate(const dun_interact *in, dun_shape shape, bool own, bool folds, adder *t, uint32_t j,
                               uint32_t lane) {
    const int dimensions = shape.dimensions;
    wide delta[3];
    const wide d2 = offset_to(in, dimensions, folds, t->at, j, delta);
    wide_mask seen = wide_le(d2, t->max_r2);
    if (own) seen = wide_and(seen, wide_other_lanes(lane));
    t->sum.seen = wide_count_if(t->sum.seen, seen);
    if (shape.nearest) t->sum.nearest = wide_min(own ? wide_blend(seen, d2, t->sum.nearest) : d2, t->sum.nearest);

    wide_mask aligned = seen, cohered = seen;
    if (!shape.nested) {
        aligned = wide_and(seen, wide_le(d2, t->alignment_r2));
        cohered = wide_and(seen, wide_le(d2, t->cohesion_r2));
        t->sum.aligned = wide_count_if(t->sum.aligned, aligned);
        t->sum.cohered = wide_count_if(t->sum.cohered, cohered);
    }
    for (int a = 0; a < dimensions; a++) {
        if (shape.alignment) t->sum.velocity[a] = wide_add_if(t->sum.velocity[a], aligned, wide_set(in->velocity[a][j]));
        if (shape.cohesion) t->sum.offset[a] = wide_add_if(t->sum.offset[a], cohered, delta[a]);
    }
    if (shape.separation == DUN_PUSH_NONE || pushes_apart(shape)) return;
    wide_mask within = seen;
    if (shape.alignment || shape.cohesion) within = wide_le(d2, t->separation_r2);
    if (own) within = wide_and(within, seen);
    add_push(shape.separation, t->inverse_radius, dimensions, within, delta, d2, t->sum.push);
}

/* ---- a pass ----------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void add_listed(const dun_interact *in, dun_shape shape, bool folds, adder *t, const int32_t *slot,
                            uint32_t count) {
    uint32_t next = (uint32_t)slot[0]; /* read one ahead, so that a candidate never waits for its slot */
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t j = next;
        next = (uint32_t)slot[k + 1];
        add_candidate(in, shape, false, folds, t, j, NO_LANE);
    }
}

/* A lane that is the candidate itself needs no test: its Δ is 0. */
WIDE_INLINE void add_push_list(const dun_interact *in, dun_shape shape, bool folds, adder *t, const candidate_list *list) {
    uint32_t next = (uint32_t)list->push_slot[0];
    for (uint32_t k = 0; k < list->push_count; k++) {
        const uint32_t j = next;
        next = (uint32_t)list->push_slot[k + 1];
        wide delta[3];
        const wide d2 = offset_to(in, shape.dimensions, folds, t->at, j, delta);
        const wide_mask within = wide_le(d2, t->separation_r2);
        add_push(shape.separation, t->inverse_radius, shape.dimensions, within, delta, d2, t->sum.push);
    }
}

WIDE_INLINE void adder_begin(const dun_interact *in, dun_shape shape, const lanes *l, adder *t) {
    for (int a = 0; a < shape.dimensions; a++) t->at[a] = l->at[a];
    t->max_r2 = lane_r2(l, in->max_r2);
    t->separation_r2 = lane_r2(l, in->separation_r2);
    const bool linear = shape.separation == DUN_PUSH_LINEAR;
    t->inverse_radius = linear ? lane_inverse(l, in->inverse_separation_radius) : wide_zero();
    if (shape.nested) return;
    t->alignment_r2 = lane_r2(l, in->alignment_r2);
    t->cohesion_r2 = lane_r2(l, in->cohesion_r2);
}

/* Adds all neighbours on the list to the sums. */
typedef void pass_fn(const dun_interact *in, const lanes *l, const candidate_list *list, const dun_sums *sums, uint32_t at);

WIDE_INLINE void pass(const dun_interact *in, dun_shape shape, bool folds, const lanes *l, const candidate_list *list,
                      const dun_sums *sums, uint32_t at) {
    adder t;
    adder_begin(in, shape, l, &t);
    totals_load(shape, sums, at, &t.sum);
    add_listed(in, shape, folds, &t, list->slot, list->before);
    for (uint32_t j = list->own_begin; j < list->own_end; j++) add_candidate(in, shape, true, folds, &t, j, j - l->self);
    add_listed(in, shape, folds, &t, list->slot + list->before, list->count - list->before);
    if (pushes_apart(shape)) add_push_list(in, shape, folds, &t, list);
    totals_store(shape, &t.sum, sums, at);
}

/* A shape's passes. */
typedef struct shape_passes {
    dun_shape shape;
    pass_fn *plain, *folded;
} shape_passes;

/* ---- a group ---------------------------------------------------------------------------------------------------------- */

/* The work on one group. */
typedef struct group_job {
    const dun_interact *in;
    const shape_passes *passes;
    const dun_sums *sums;
    uint32_t at;
    lanes lanes;
    candidate_list list;
} group_job;

/* Passes over the list, and empties it. */
WIDE_INLINE void flush(group_job *job, bool folds) {
    candidate_list *list = &job->list;
    if (list->count || list->own_begin < list->own_end)
        (folds ? job->passes->folded : job->passes->plain)(job->in, &job->lanes, list, job->sums, job->at);
    list->before = list->count = list->push_count = list->own_begin = list->own_end = 0;
}

WIDE_INLINE void list_part(group_job *job, int dimensions, bool folds, uint32_t begin, uint32_t end) {
    for (;;) {
        begin = list_candidates(job->in, dimensions, folds, &job->lanes, begin, end, &job->list);
        if (begin >= end) return;
        flush(job, folds);
    }
}

WIDE_INLINE void list_own(group_job *job, uint32_t begin, uint32_t end) {
    candidate_list *list = &job->list;
    list->before = list->count;
    list->own_begin = begin;
    list->own_end = end;
    if (!PUSH_APART) return;
    wide_int_store(list->push_slot + list->push_count, wide_int_add(wide_int_set((int32_t)begin), wide_int_load(lane_number)));
    list->push_count += end - begin;
}

/* Only the group's own agents need the test for being the lane itself, so runs are cut around them. */
WIDE_INLINE void list_run(group_job *job, int dimensions, bool folds, dun_run run) {
    const uint32_t self = max_u32(job->lanes.self, run.begin), self_end = min_u32(job->lanes.self_end, run.end);
    uint32_t begin = run.begin;
    if (self < self_end) {
        list_part(job, dimensions, folds, begin, self);
        if (job->list.own_begin < job->list.own_end) flush(job, folds);
        list_own(job, self, self_end);
        begin = self_end;
    }
    list_part(job, dimensions, folds, begin, run.end);
}

static __attribute__((noinline)) void add_folded(group_job *job, dun_run run) {
    if (job->passes->shape.dimensions == 3)
        list_run(job, 3, true, run);
    else
        list_run(job, 2, true, run);
    flush(job, true);
}

WIDE_INLINE void add_runs(group_job *job, int dimensions, const dun_run *runs, uint32_t run_count) {
    for (uint32_t r = 0; r < run_count; r++) {
        if (runs[r].folds) {
            flush(job, false);
            add_folded(job, runs[r]);
        } else {
            list_run(job, dimensions, false, runs[r]);
        }
    }
    flush(job, false);
}

WIDE_INLINE void interact_group(const shape_passes *passes, int dimensions, const dun_interact *in, dun_group group,
                                const dun_run *runs, uint32_t run_count, const dun_sums *sums, uint32_t at) {
    group_job job;
    job.in = in;
    job.passes = passes;
    job.sums = sums;
    job.at = at;
    job.list.before = job.list.count = job.list.push_count = job.list.own_begin = job.list.own_end = 0;
    lanes_load(in, dimensions, group, &job.lanes);
    dun_shape shape = passes->shape;
    shape.dimensions = dimensions; /* the same number, but a constant */
    totals_clear(shape, sums, at);
    add_runs(&job, dimensions, runs, run_count);
}

/* One function for all shapes; only their passes differ. */
static void interact_by_passes(const shape_passes *passes, const dun_interact *in, dun_group group, const dun_run *runs,
                               uint32_t run_count, const dun_sums *sums, uint32_t at) {
    if (passes->shape.dimensions == 3)
        interact_group(passes, 3, in, group, runs, run_count, sums, at);
    else
        interact_group(passes, 2, in, group, runs, run_count, sums, at);
}

/* ---- one function per shape --------------------------------------------------------------------------------------------- */

#define PASS_NAME(name, d, push, ali, coh, nest, near) name##_##d##_##push##_##ali##_##coh##_##nest##_##near

#define PASS_FUNCTION(name, folds, d, push, ali, coh, nest, near)                                                              \
    static void PASS_NAME(name, d, push, ali, coh, nest, near)(                                                                \
        const dun_interact *in, const lanes *l, const candidate_list *list, const dun_sums *sums, uint32_t at) {               \
        const dun_shape shape = {d, DUN_PUSH_##push, ali, coh, nest, near};                                                    \
        pass(in, shape, folds, l, list, sums, at);                                                                             \
    }

#define INTERACT_FUNCTION(d, push, ali, coh, nest, near)                                                                       \
    PASS_FUNCTION(plain, false, d, push, ali, coh, nest, near)                                                                 \
    PASS_FUNCTION(folded, true, d, push, ali, coh, nest, near)                                                                 \
    INTERACT_FUNCTION_OF(PASS_NAME(interact, d, push, ali, coh, nest, near),                                                   \
                         static const shape_passes passes = {{d, DUN_PUSH_##push, ali, coh, nest, near},                       \
                                                             PASS_NAME(plain, d, push, ali, coh, nest, near),                  \
                                                             PASS_NAME(folded, d, push, ali, coh, nest, near)};                \
                         interact_by_passes(&passes, in, group, runs, run_count, sums, at))

/* Where the radii differ, or the nearest is found, alignment and cohesion are always summed: one that is off has a radius below
 * 0, or nothing reads its sum. A file that includes this one for a purpose of its own may define which shapes it needs. */
#ifndef INTERACT_SHAPES
#define INTERACT_SHAPES(X, d)                                                                                                  \
    X(d, NONE, 1, 0, 1, 0)                                                                                                     \
    X(d, NONE, 0, 1, 1, 0)                                                                                                     \
    INTERACT_SHAPES_WITH_BOTH(X, d, NONE)                                                                                      \
    INTERACT_SHAPES_WITH(X, d, INVERSE)                                                                                        \
    INTERACT_SHAPES_WITH(X, d, LINEAR)                                                                                         \
    INTERACT_SHAPES_WITH(X, d, CONSTANT)

#define INTERACT_SHAPES_WITH(X, d, push)                                                                                       \
    X(d, push, 0, 0, 1, 0)                                                                                                     \
    X(d, push, 1, 0, 1, 0)                                                                                                     \
    X(d, push, 0, 1, 1, 0)                                                                                                     \
    INTERACT_SHAPES_WITH_BOTH(X, d, push)

#define INTERACT_SHAPES_WITH_BOTH(X, d, push)                                                                                  \
    X(d, push, 1, 1, 1, 0)                                                                                                     \
    X(d, push, 1, 1, 0, 0)                                                                                                     \
    X(d, push, 1, 1, 1, 1)                                                                                                     \
    X(d, push, 1, 1, 0, 1)
#endif

INTERACT_SHAPES(INTERACT_FUNCTION, 2)
INTERACT_SHAPES(INTERACT_FUNCTION, 3)

static dun_interact_fn *interact_choose(const dun_shape *shape) {
    static const struct {
        dun_shape shape;
        dun_interact_fn *function;
    } table[] = {
#define INTERACT_ENTRY(d, push, ali, coh, nest, near)                                                                          \
    {{d, DUN_PUSH_##push, ali, coh, nest, near}, PASS_NAME(interact, d, push, ali, coh, nest, near)},
        INTERACT_SHAPES(INTERACT_ENTRY, 2) INTERACT_SHAPES(INTERACT_ENTRY, 3)};
    for (uint32_t i = 0; i < sizeof table / sizeof *table; i++) {
        const dun_shape *s = &table[i].shape;
        const bool same_rules = s->alignment == shape->alignment && s->cohesion == shape->cohesion;
        if (s->dimensions == shape->dimensions && s->separation == shape->separation && s->nested == shape->nested &&
            s->nearest == shape->nearest && (!s->nested || s->nearest || same_rules))
            return table[i].function;
    }
    return 0;
}

#endif
