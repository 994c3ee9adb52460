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
#include "kernels/neighbours/push.h"

/* How candidates are tested. A constant wherever it is used. */
typedef struct candidate_kind {
    bool own;   /* one of the lanes may be the candidate itself */
    bool folds; /* offsets go to the nearest image */
} candidate_kind;

/* The constants and sums of a pass, all in registers. */
typedef struct totals {
    wide at[3];
    wide max_r2, separation_r2, alignment_r2, cohesion_r2;
    wide inverse_radius; /* of separation, for DUN_PUSH_LINEAR only */
    wide push[3], velocity[3], offset[3];
    wide_int seen, aligned, cohered;
} totals;

/* ---- a candidate ------------------------------------------------------------------------------------------------------ */

/* Whether separation has a loop of its own, over the candidates within its radius of the box. */
WIDE_INLINE bool pushes_apart(dun_shape shape) {
    return PUSH_APART && shape.separation != DUN_PUSH_NONE && (shape.alignment || shape.cohesion);
}

WIDE_INLINE void add_candidate(const dun_interact *in, dun_shape shape, candidate_kind kind, totals *t, uint32_t j,
                               uint32_t lane) {
    const int dimensions = shape.dimensions;
    wide delta[3];
    const wide d2 = offset_to(in, dimensions, kind.folds, t->at, j, delta);
    wide_mask seen = wide_le(d2, t->max_r2);
    if (kind.own) seen = wide_and(seen, wide_other_lanes(lane));
    t->seen = wide_count_if(t->seen, seen);

    wide_mask aligned = seen, cohered = seen;
    if (!shape.nested) {
        aligned = wide_and(seen, wide_le(d2, t->alignment_r2));
        cohered = wide_and(seen, wide_le(d2, t->cohesion_r2));
        t->aligned = wide_count_if(t->aligned, aligned);
        t->cohered = wide_count_if(t->cohered, cohered);
    }
    for (int a = 0; a < dimensions; a++) {
        if (shape.alignment) t->velocity[a] = wide_add_if(t->velocity[a], aligned, wide_set(in->velocity[a][j]));
        if (shape.cohesion) t->offset[a] = wide_add_if(t->offset[a], cohered, delta[a]);
    }
    if (shape.separation == DUN_PUSH_NONE || pushes_apart(shape)) return;
    wide_mask within = seen;
    if (shape.alignment || shape.cohesion) within = wide_le(d2, t->separation_r2);
    if (kind.own) within = wide_and(within, seen);
    add_push(shape.separation, t->inverse_radius, shape.dimensions, within, delta, d2, t->push);
}

/* The lane that is the candidate needs no test: its Δ is 0. */
WIDE_INLINE void add_push_candidate(const dun_interact *in, dun_shape shape, bool folds, totals *t, uint32_t j) {
    wide delta[3];
    const wide d2 = offset_to(in, shape.dimensions, folds, t->at, j, delta);
    const wide_mask within = wide_le(d2, t->separation_r2);
    add_push(shape.separation, t->inverse_radius, shape.dimensions, within, delta, d2, t->push);
}

/* ---- a pass ----------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void totals_load(const dun_interact *in, dun_shape shape, const lanes *l, const dun_sums *sums, uint32_t at,
                             totals *t) {
    for (int a = 0; a < shape.dimensions; a++) {
        t->at[a] = l->at[a];
        if (shape.separation != DUN_PUSH_NONE) t->push[a] = wide_load(sums->push[a] + at);
        if (shape.alignment) t->velocity[a] = wide_load(sums->velocity[a] + at);
        if (shape.cohesion) t->offset[a] = wide_load(sums->offset[a] + at);
    }
    t->max_r2 = lane_r2(l, in->max_r2);
    t->separation_r2 = lane_r2(l, in->separation_r2);
    const bool linear = shape.separation == DUN_PUSH_LINEAR;
    t->inverse_radius = linear ? lane_inverse(l, in->inverse_separation_radius) : wide_zero();
    t->seen = wide_int_load(sums->seen + at);
    if (shape.nested) return;
    t->alignment_r2 = lane_r2(l, in->alignment_r2);
    t->cohesion_r2 = lane_r2(l, in->cohesion_r2);
    t->aligned = wide_int_load(sums->aligned + at);
    t->cohered = wide_int_load(sums->cohered + at);
}

WIDE_INLINE void totals_store(dun_shape shape, const totals *t, const dun_sums *sums, uint32_t at) {
    for (int a = 0; a < shape.dimensions; a++) {
        if (shape.separation != DUN_PUSH_NONE) wide_store(sums->push[a] + at, t->push[a]);
        if (shape.alignment) wide_store(sums->velocity[a] + at, t->velocity[a]);
        if (shape.cohesion) wide_store(sums->offset[a] + at, t->offset[a]);
    }
    wide_int_store(sums->seen + at, t->seen);
    if (shape.nested) return;
    wide_int_store(sums->aligned + at, t->aligned);
    wide_int_store(sums->cohered + at, t->cohered);
}

WIDE_INLINE void add_listed(const dun_interact *in, dun_shape shape, bool folds, totals *t, const int32_t *slot,
                            uint32_t count) {
    const candidate_kind others = {.folds = folds};
    uint32_t next = (uint32_t)slot[0]; /* read one ahead, so that a candidate never waits for its slot */
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t j = next;
        next = (uint32_t)slot[k + 1];
        add_candidate(in, shape, others, t, j, NO_LANE);
    }
}

WIDE_INLINE void add_own(const dun_interact *in, dun_shape shape, candidate_kind kind, const lanes *l, totals *t,
                         uint32_t begin, uint32_t end) {
    for (uint32_t j = begin; j < end; j++) add_candidate(in, shape, kind, t, j, j - l->self);
}

WIDE_INLINE void add_push_list(const dun_interact *in, dun_shape shape, bool folds, totals *t, const candidate_list *list) {
    if (!pushes_apart(shape)) return;
    uint32_t next = (uint32_t)list->push_slot[0];
    for (uint32_t k = 0; k < list->push_count; k++) {
        const uint32_t j = next;
        next = (uint32_t)list->push_slot[k + 1];
        add_push_candidate(in, shape, folds, t, j);
    }
}

/* Adds all neighbours on the list to the sums. */
typedef void pass_fn(const dun_interact *in, const lanes *l, const candidate_list *list, const dun_sums *sums, uint32_t at);

WIDE_INLINE void pass(const dun_interact *in, dun_shape shape, candidate_kind own, const lanes *l, const candidate_list *list,
                      const dun_sums *sums, uint32_t at) {
    totals t;
    totals_load(in, shape, l, sums, at, &t);
    add_listed(in, shape, own.folds, &t, list->slot, list->before);
    add_own(in, shape, own, l, &t, list->own_begin, list->own_end);
    add_listed(in, shape, own.folds, &t, list->slot + list->before, list->count - list->before);
    add_push_list(in, shape, own.folds, &t, list);
    totals_store(shape, &t, sums, at);
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
    for (uint32_t j = begin; PUSH_APART && j < end; j++) list->push_slot[list->push_count++] = (int32_t)j;
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

WIDE_INLINE void sums_clear(dun_shape shape, const dun_sums *sums, uint32_t at) {
    for (int a = 0; a < shape.dimensions; a++) {
        if (shape.separation != DUN_PUSH_NONE) wide_store(sums->push[a] + at, wide_zero());
        if (shape.alignment) wide_store(sums->velocity[a] + at, wide_zero());
        if (shape.cohesion) wide_store(sums->offset[a] + at, wide_zero());
    }
    wide_int_store(sums->seen + at, wide_int_set(0));
    if (shape.nested) return;
    wide_int_store(sums->aligned + at, wide_int_set(0));
    wide_int_store(sums->cohered + at, wide_int_set(0));
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
    sums_clear(passes->shape, sums, at);
    add_runs(&job, dimensions, runs, run_count);
}

static void interact_group_2(const shape_passes *passes, const dun_interact *in, dun_group group, const dun_run *runs,
                             uint32_t run_count, const dun_sums *sums, uint32_t at) {
    interact_group(passes, 2, in, group, runs, run_count, sums, at);
}

static void interact_group_3(const shape_passes *passes, const dun_interact *in, dun_group group, const dun_run *runs,
                             uint32_t run_count, const dun_sums *sums, uint32_t at) {
    interact_group(passes, 3, in, group, runs, run_count, sums, at);
}

/* ---- one function per shape --------------------------------------------------------------------------------------------- */

#define PASS_NAME(name, d, push, ali, coh, nest) name##_##d##_##push##_##ali##_##coh##_##nest

#define PASS_FUNCTION(name, pass, stretch, d, push, ali, coh, nest)                                                            \
    static void PASS_NAME(name, d, push, ali, coh, nest)(const dun_interact *in, const lanes *l, const candidate_list *list,   \
                                                         const dun_sums *sums, uint32_t at) {                                  \
        const dun_shape shape = {d, DUN_PUSH_##push, ali, coh, nest};                                                          \
        pass(in, shape, stretch, l, list, sums, at);                                                                           \
    }

static const candidate_kind own_plain = {.own = true};
static const candidate_kind own_folded = {.own = true, .folds = true};

#define INTERACT_FUNCTION(d, push, ali, coh, nest)                                                                             \
    PASS_FUNCTION(plain, pass, own_plain, d, push, ali, coh, nest)                                                             \
    PASS_FUNCTION(folded, pass, own_folded, d, push, ali, coh, nest)                                                           \
    static void PASS_NAME(interact, d, push, ali, coh, nest)(const dun_interact *in, dun_group group, const dun_run *runs,     \
                                                             uint32_t run_count, const dun_sums *sums, uint32_t at) {          \
        static const shape_passes passes = {{d, DUN_PUSH_##push, ali, coh, nest},                                              \
                                            PASS_NAME(plain, d, push, ali, coh, nest),                                         \
                                            PASS_NAME(folded, d, push, ali, coh, nest)};                                       \
        interact_group_##d(&passes, in, group, runs, run_count, sums, at);                                                     \
    }

/* Where the radii differ, alignment and cohesion are always summed: one that is off has a radius below 0. A file that includes
 * this one for a purpose of its own may define which shapes it needs. */
#ifndef INTERACT_SHAPES
#define INTERACT_SHAPES(X, d)                                                                                                  \
    X(d, NONE, 1, 0, 1)                                                                                                        \
    X(d, NONE, 0, 1, 1)                                                                                                        \
    X(d, NONE, 1, 1, 1)                                                                                                        \
    X(d, NONE, 1, 1, 0)                                                                                                        \
    INTERACT_SHAPES_WITH(X, d, INVERSE)                                                                                        \
    INTERACT_SHAPES_WITH(X, d, LINEAR)                                                                                         \
    INTERACT_SHAPES_WITH(X, d, CONSTANT)

#define INTERACT_SHAPES_WITH(X, d, push)                                                                                       \
    X(d, push, 0, 0, 1)                                                                                                        \
    X(d, push, 1, 0, 1)                                                                                                        \
    X(d, push, 0, 1, 1)                                                                                                        \
    X(d, push, 1, 1, 1)                                                                                                        \
    X(d, push, 1, 1, 0)
#endif

INTERACT_SHAPES(INTERACT_FUNCTION, 2)
INTERACT_SHAPES(INTERACT_FUNCTION, 3)

static dun_interact_fn *interact_choose(const dun_shape *shape) {
    static const struct {
        dun_shape shape;
        dun_interact_fn *function;
    } table[] = {
#define INTERACT_ENTRY(d, push, ali, coh, nest)                                                                                \
    {{d, DUN_PUSH_##push, ali, coh, nest}, PASS_NAME(interact, d, push, ali, coh, nest)},
        INTERACT_SHAPES(INTERACT_ENTRY, 2) INTERACT_SHAPES(INTERACT_ENTRY, 3)};
    for (uint32_t i = 0; i < sizeof table / sizeof *table; i++) {
        const dun_shape *s = &table[i].shape;
        if (s->dimensions == shape->dimensions && s->separation == shape->separation && s->nested == shape->nested &&
            (!s->nested || (s->alignment == shape->alignment && s->cohesion == shape->cohesion)))
            return table[i].function;
    }
    return 0;
}

#endif
