/* SPDX-License-Identifier: MIT */
/*
 * The inner loop: one group of observers against the candidates near it. A candidate is broadcast; every lane tests it and adds
 * it under its own mask.
 *
 * A pass over a list of candidates is written once for all shapes; its argument `shape` is a constant wherever it is inlined,
 * so each pass is a loop of only the operations that its shape needs. Listing the candidates is the same for all shapes.
 */
#ifndef DUNLIN_KERNELS_INTERACT_H
#define DUNLIN_KERNELS_INTERACT_H

#include "kernels/neighbours/near.h"
#include "kernels/neighbours/push.h"

/* A constant wherever it is used. */
typedef struct candidates {
    bool own;   /* one of the lanes may be the candidate itself */
    bool folds; /* offsets go to the nearest image */
} candidates;

/* One pass' constants and sums: all of it lives in registers. */
typedef struct totals {
    wide at[3];
    wide widest_r2, separation_r2, alignment_r2, cohesion_r2;
    wide inverse_radius; /* of separation, DUN_PUSH_LINEAR only */
    wide push[3], velocity[3], offset[3];
    wide_int seen, aligned, cohered;
} totals;

/* ---- a candidate ------------------------------------------------------------------------------------------------------ */

/* Whether separation has a loop of its own, over fewer candidates: those close to the group. */
WIDE_INLINE bool separates_apart(dun_shape shape) {
    return CLOSE_APART && shape.separation != DUN_PUSH_NONE && (shape.alignment || shape.cohesion);
}

WIDE_INLINE void add_candidate(const dun_interact *in, dun_shape shape, candidates kind, totals *t, uint32_t j, uint32_t lane) {
    const int dimensions = shape.dimensions;
    wide delta[3];
    const wide d2 = offset_to(in, dimensions, kind.folds, t->at, j, delta);
    wide_mask seen = wide_le(d2, t->widest_r2);
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
    if (shape.separation == DUN_PUSH_NONE || separates_apart(shape)) return;
    wide_mask close = seen;
    if (shape.alignment || shape.cohesion) close = wide_le(d2, t->separation_r2);
    if (kind.own) close = wide_and(close, seen);
    add_push(shape.separation, t->inverse_radius, shape.dimensions, close, delta, d2, t->push);
}

/* Oneself needs no test: Δ is 0. */
WIDE_INLINE void add_close(const dun_interact *in, dun_shape shape, bool folds, totals *t, uint32_t j) {
    wide delta[3];
    const wide d2 = offset_to(in, shape.dimensions, folds, t->at, j, delta);
    const wide_mask close = wide_le(d2, t->separation_r2);
    add_push(shape.separation, t->inverse_radius, shape.dimensions, close, delta, d2, t->push);
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
    t->widest_r2 = lane_r2(l, in->widest_r2);
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
    const candidates others = {.folds = folds};
    uint32_t next = (uint32_t)slot[0]; /* read one ahead: a pass waits for nothing but its candidate */
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t j = next;
        next = (uint32_t)slot[k + 1];
        add_candidate(in, shape, others, t, j, NOBODY);
    }
}

WIDE_INLINE void add_stretch(const dun_interact *in, dun_shape shape, candidates kind, const lanes *l, totals *t,
                             uint32_t begin, uint32_t end) {
    for (uint32_t j = begin; j < end; j++) add_candidate(in, shape, kind, t, j, j - l->self);
}

WIDE_INLINE void add_closes(const dun_interact *in, dun_shape shape, bool folds, totals *t, const near_list *near) {
    if (!separates_apart(shape)) return;
    uint32_t next = (uint32_t)near->close[0];
    for (uint32_t k = 0; k < near->close_count; k++) {
        const uint32_t j = next;
        next = (uint32_t)near->close[k + 1];
        add_close(in, shape, folds, t, j);
    }
}

/* Adds all candidates of the list to the sums. */
typedef void pass_fn(const dun_interact *in, const lanes *l, const near_list *near, const dun_sums *sums, uint32_t at);

WIDE_INLINE void pass(const dun_interact *in, dun_shape shape, candidates stretch, const lanes *l, const near_list *near,
                      const dun_sums *sums, uint32_t at) {
    totals t;
    totals_load(in, shape, l, sums, at, &t);
    add_listed(in, shape, stretch.folds, &t, near->slot, near->before);
    add_stretch(in, shape, stretch, l, &t, near->stretch_begin, near->stretch_end);
    add_listed(in, shape, stretch.folds, &t, near->slot + near->before, near->count - near->before);
    add_closes(in, shape, stretch.folds, &t, near);
    totals_store(shape, &t, sums, at);
}

/* A shape's passes. */
typedef struct shape_passes {
    dun_shape shape;
    pass_fn *plain, *folded;
} shape_passes;

/* ---- a group ---------------------------------------------------------------------------------------------------------- */

/* A group's sums in the making. */
typedef struct group_job {
    const dun_interact *in;
    const shape_passes *passes;
    const dun_sums *sums;
    uint32_t at;
    lanes lanes;
    near_list near;
} group_job;

/* Adds up what is listed so far. */
WIDE_INLINE void flush(group_job *job, bool folds) {
    near_list *near = &job->near;
    if (near->count || near->stretch_begin < near->stretch_end)
        (folds ? job->passes->folded : job->passes->plain)(job->in, &job->lanes, near, job->sums, job->at);
    near->before = near->count = near->close_count = near->stretch_begin = near->stretch_end = 0;
}

WIDE_INLINE void list_part(group_job *job, int dimensions, bool folds, uint32_t begin, uint32_t end) {
    for (;;) {
        begin = list_near(job->in, dimensions, folds, &job->lanes, begin, end, &job->near);
        if (begin >= end) return;
        flush(job, folds);
    }
}

WIDE_INLINE void list_stretch(group_job *job, uint32_t begin, uint32_t end) {
    near_list *near = &job->near;
    near->before = near->count;
    near->stretch_begin = begin;
    near->stretch_end = end;
    for (uint32_t j = begin; CLOSE_APART && j < end; j++) near->close[near->close_count++] = (int32_t)j;
}

/* Only the few candidates that are the group itself need the test for oneself: the run is cut around them. */
WIDE_INLINE void list_run(group_job *job, int dimensions, bool folds, dun_run run) {
    const uint32_t self = greatest(job->lanes.self, run.begin), self_end = least(job->lanes.self_end, run.end);
    uint32_t begin = run.begin;
    if (self < self_end) {
        list_part(job, dimensions, folds, begin, self);
        if (job->near.stretch_begin < job->near.stretch_end) flush(job, folds);
        list_stretch(job, self, self_end);
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
    job.near.before = job.near.count = job.near.close_count = job.near.stretch_begin = job.near.stretch_end = 0;
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

/* ---- one function a shape --------------------------------------------------------------------------------------------- */

#define PASS_NAME(name, d, push, ali, coh, nest) name##_##d##_##push##_##ali##_##coh##_##nest

#define PASS_FUNCTION(name, pass, stretch, d, push, ali, coh, nest)                                                            \
    static void PASS_NAME(name, d, push, ali, coh, nest)(const dun_interact *in, const lanes *l, const near_list *near,        \
                                                         const dun_sums *sums, uint32_t at) {                                  \
        const dun_shape shape = {d, DUN_PUSH_##push, ali, coh, nest};                                                          \
        pass(in, shape, stretch, l, near, sums, at);                                                                           \
    }

static const candidates own_plain = {.own = true};
static const candidates own_folded = {.own = true, .folds = true};

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

/* Where the radii differ alignment and cohesion are always summed: one that is off has a radius below 0. Who includes this for
 * a purpose of its own may have said which shapes it needs. */
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
