/* SPDX-License-Identifier: MIT */
/*
 * The inner loop: one group of observers against runs of candidates. A candidate is broadcast; every lane tests it and adds it
 * under its own mask.
 *
 * interact_group() is written once for all shapes; its arguments `shape` and `dimensions` are constants wherever it is inlined,
 * so each dunlin_interact_fn below is a loop of only the operations that its shape needs.
 */
#ifndef DUNLIN_KERNELS_INTERACT_H
#define DUNLIN_KERNELS_INTERACT_H

#include <float.h>

#include "kernel.h"
#include "wide.h"

/* What a candidate has to be tested for besides its distance. */
typedef enum candidates {
    OTHERS,  /* nothing: none of them is a lane itself */
    CHECKED, /* may be a lane itself, or coincident ones are not to be seen */
    FOLDED   /* CHECKED, and offsets go to the nearest image */
} candidates;

/* One group, its constants and its sums so far: all of it lives in registers. */
typedef struct lanes {
    wide at[3];
    wide_int self; /* slots; no candidate has them where observers and observed differ */
    wide widest_r2, separation_r2, alignment_r2, cohesion_r2;
    wide push[3], velocity[3], offset[3];
    wide_int seen, aligned, cohered;
} lanes;

WIDE_INLINE lanes lanes_load(const dunlin_interact *in, int dimensions, uint32_t first) {
    lanes l;
    for (int a = 0; a < dimensions; a++) {
        l.at[a] = wide_load(in->observer[a] + first);
        l.push[a] = l.velocity[a] = l.offset[a] = wide_zero();
    }
    const int32_t no_slot = -1;
    int32_t self[DUNLIN_LANES];
    for (int i = 0; i < DUNLIN_LANES; i++) self[i] = in->own ? (int32_t)(first + (uint32_t)i) : no_slot;
    l.self = wide_int_load(self);
    l.widest_r2 = wide_set(in->widest_r2);
    l.separation_r2 = wide_set(in->separation_r2);
    l.alignment_r2 = wide_set(in->alignment_r2);
    l.cohesion_r2 = wide_set(in->cohesion_r2);
    l.seen = l.aligned = l.cohered = wide_int_set(0);
    return l;
}

/* The offset to the nearest image. Antisymmetric: fold(-d) = -fold(d). */
WIDE_INLINE wide fold(wide d, float size) {
    const wide half = wide_set(0.5f * size);
    const wide low = wide_select(wide_lt(half, d), wide_set(size), wide_zero());
    const wide high = wide_select(wide_lt(d, wide_sub(wide_zero(), half)), wide_set(size), wide_zero());
    return wide_add(wide_sub(d, low), high);
}

WIDE_INLINE wide length2(const wide v[3], int dimensions) {
    wide sum = wide_add(wide_mul(v[0], v[0]), wide_mul(v[1], v[1]));
    if (dimensions == 3) sum = wide_add(sum, wide_mul(v[2], v[2]));
    return sum;
}

/* f(d) of the push -Δ·f(d). The floor under d² keeps it finite for coincident agents, whose Δ is 0. */
WIDE_INLINE wide push_factor(const dunlin_interact *in, dunlin_push push, wide d2) {
    const wide safe = wide_max(d2, wide_set(FLT_MIN));
    if (push == DUNLIN_PUSH_INVERSE) return wide_div(wide_set(1.0f), safe);
    const wide d = wide_sqrt(safe);
    if (push == DUNLIN_PUSH_CONSTANT) return wide_div(wide_set(1.0f), d);
    const wide share = wide_sub(wide_set(1.0f), wide_mul(d, wide_set(in->inverse_separation_radius)));
    return wide_div(share, d);
}

/* Offset to candidate j, and whether each lane may see it at all. */
WIDE_INLINE wide_mask candidate_seen(const dunlin_interact *in, int dimensions, candidates kind, const lanes *l, uint32_t j,
                                     wide delta[3], wide *d2) {
    for (int a = 0; a < dimensions; a++) {
        delta[a] = wide_sub(wide_set(in->position[a][j]), l->at[a]);
        if (kind == FOLDED) delta[a] = fold(delta[a], in->size[a]);
    }
    *d2 = length2(delta, dimensions);
    wide_mask seen = wide_le(*d2, l->widest_r2);
    if (kind != OTHERS) {
        seen = wide_and(seen, wide_int_differ(l->self, wide_int_set((int32_t)j)));
        if (in->ignore_coincident) seen = wide_and(seen, wide_lt(wide_zero(), *d2));
    }
    return seen;
}

WIDE_INLINE void add_candidate(const dunlin_interact *in, dunlin_shape shape, candidates kind, lanes *l, uint32_t j) {
    const int dimensions = shape.dimensions;
    wide delta[3], d2;
    const wide_mask seen = candidate_seen(in, dimensions, kind, l, j, delta, &d2);
    l->seen = wide_count_if(l->seen, seen);

    wide_mask aligned = seen, cohered = seen, close = seen;
    if (!shape.nested) {
        aligned = wide_and(seen, wide_le(d2, l->alignment_r2));
        cohered = wide_and(seen, wide_le(d2, l->cohesion_r2));
        l->aligned = wide_count_if(l->aligned, aligned);
        l->cohered = wide_count_if(l->cohered, cohered);
    }
    if (!shape.nested || shape.alignment || shape.cohesion) close = wide_le(d2, l->separation_r2);
    if (kind != OTHERS) close = wide_and(close, seen);

    for (int a = 0; a < dimensions; a++) {
        if (shape.alignment) l->velocity[a] = wide_add_if(l->velocity[a], aligned, wide_set(in->velocity[a][j]));
        if (shape.cohesion) l->offset[a] = wide_add_if(l->offset[a], cohered, delta[a]);
    }
    if (shape.separation == DUNLIN_PUSH_NONE) return;
    const wide factor = push_factor(in, shape.separation, d2);
    for (int a = 0; a < dimensions; a++) l->push[a] = wide_add_if(l->push[a], close, wide_mul(delta[a], factor));
}

WIDE_INLINE void add_stretch(const dunlin_interact *in, dunlin_shape shape, candidates kind, lanes *l, uint32_t begin,
                             uint32_t end) {
    for (uint32_t j = begin; j < end; j++) add_candidate(in, shape, kind, l, j);
}

WIDE_INLINE uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Only the few candidates that are the group itself need the test for oneself: the run is cut around them. */
WIDE_INLINE void add_run(const dunlin_interact *in, dunlin_shape shape, lanes *l, uint32_t first, dunlin_run run) {
    if (run.folds) {
        add_stretch(in, shape, FOLDED, l, run.begin, run.end);
        return;
    }
    uint32_t check_begin = run.begin, check_end = run.end;
    if (!in->ignore_coincident) {
        check_begin = in->own && first > run.begin ? least(first, run.end) : run.begin;
        check_end = in->own && first + DUNLIN_LANES > check_begin ? least(first + DUNLIN_LANES, run.end) : check_begin;
    }
    add_stretch(in, shape, OTHERS, l, run.begin, check_begin);
    add_stretch(in, shape, CHECKED, l, check_begin, check_end);
    add_stretch(in, shape, OTHERS, l, check_end, run.end);
}

WIDE_INLINE void lanes_store(dunlin_shape shape, const lanes *l, const dunlin_sums *sums, uint32_t at) {
    for (int a = 0; a < shape.dimensions; a++) {
        /* The push was summed as +Δ·f; its sign is turned once, here. */
        if (shape.separation != DUNLIN_PUSH_NONE) wide_store(sums->push[a] + at, wide_sub(wide_zero(), l->push[a]));
        if (shape.alignment) wide_store(sums->velocity[a] + at, l->velocity[a]);
        if (shape.cohesion) wide_store(sums->offset[a] + at, l->offset[a]);
    }
    wide_int_store(sums->seen + at, l->seen);
    if (!shape.nested) {
        wide_int_store(sums->aligned + at, l->aligned);
        wide_int_store(sums->cohered + at, l->cohered);
    }
}

WIDE_INLINE void interact_group(const dunlin_interact *in, dunlin_shape shape, uint32_t first, const dunlin_run *runs,
                                uint32_t run_count, const dunlin_sums *sums, uint32_t at) {
    lanes l = lanes_load(in, shape.dimensions, first);
    for (uint32_t r = 0; r < run_count; r++) add_run(in, shape, &l, first, runs[r]);
    lanes_store(shape, &l, sums, at);
}

/* ---- one function a shape --------------------------------------------------------------------------------------------- */

#define INTERACT_NAME(d, push, ali, coh, nest) interact_##d##_##push##_##ali##_##coh##_##nest

#define INTERACT_FUNCTION(d, push, ali, coh, nest)                                                                             \
    static void INTERACT_NAME(d, push, ali, coh, nest)(const dunlin_interact *in, uint32_t first, const dunlin_run *runs,       \
                                                       uint32_t run_count, const dunlin_sums *sums, uint32_t at) {              \
        const dunlin_shape shape = {d, DUNLIN_PUSH_##push, ali, coh, nest};                                                    \
        interact_group(in, shape, first, runs, run_count, sums, at);                                                           \
    }

/* Where the radii differ alignment and cohesion are always summed: one that is off has a radius below 0. */
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

INTERACT_SHAPES(INTERACT_FUNCTION, 2)
INTERACT_SHAPES(INTERACT_FUNCTION, 3)

static dunlin_interact_fn *interact_choose(const dunlin_shape *shape) {
    static const struct {
        dunlin_shape shape;
        dunlin_interact_fn *function;
    } table[] = {
#define INTERACT_ENTRY(d, push, ali, coh, nest)                                                                                \
    {{d, DUNLIN_PUSH_##push, ali, coh, nest}, INTERACT_NAME(d, push, ali, coh, nest)},
        INTERACT_SHAPES(INTERACT_ENTRY, 2) INTERACT_SHAPES(INTERACT_ENTRY, 3)};
    for (uint32_t i = 0; i < sizeof table / sizeof *table; i++) {
        const dunlin_shape *s = &table[i].shape;
        if (s->dimensions == shape->dimensions && s->separation == shape->separation && s->nested == shape->nested &&
            (!s->nested || (s->alignment == shape->alignment && s->cohesion == shape->cohesion)))
            return table[i].function;
    }
    return 0;
}

/* ---- the nearest neighbour, for metrics ------------------------------------------------------------------------------- */

WIDE_INLINE void nearest_group(const dunlin_interact *in, int dimensions, uint32_t first, const dunlin_run *runs,
                               uint32_t run_count, float *nearest_d2, int32_t *seen) {
    lanes l = lanes_load(in, dimensions, first);
    wide nearest = wide_set(__builtin_inff());
    for (uint32_t r = 0; r < run_count; r++) {
        for (uint32_t j = runs[r].begin; j < runs[r].end; j++) {
            wide delta[3], d2;
            const candidates kind = runs[r].folds ? FOLDED : CHECKED;
            l.seen = wide_count_if(l.seen, candidate_seen(in, dimensions, kind, &l, j, delta, &d2));
            const wide_mask other = wide_int_differ(l.self, wide_int_set((int32_t)j));
            nearest = wide_select(wide_and(other, wide_lt(d2, nearest)), d2, nearest);
        }
    }
    wide_store(nearest_d2, nearest);
    wide_int_store(seen, l.seen);
}

static void nearest_2(const dunlin_interact *in, uint32_t first, const dunlin_run *runs, uint32_t run_count, float *nearest_d2,
                      int32_t *seen) {
    nearest_group(in, 2, first, runs, run_count, nearest_d2, seen);
}

static void nearest_3(const dunlin_interact *in, uint32_t first, const dunlin_run *runs, uint32_t run_count, float *nearest_d2,
                      int32_t *seen) {
    nearest_group(in, 3, first, runs, run_count, nearest_d2, seen);
}

static dunlin_nearest_fn *nearest_choose(int dimensions) {
    return dimensions == 3 ? nearest_3 : nearest_2;
}

#endif
