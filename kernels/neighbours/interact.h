/* SPDX-License-Identifier: MIT */
/*
 * The inner loop: sums over all neighbours of a group. The loop broadcasts one candidate at a time; every lane tests it and
 * adds it under its own mask.
 *
 * It is written once for all shapes. The argument `shape` is a constant wherever it is inlined, so each shape gets a loop of
 * only the operations that it needs, and its sums stay in registers from the first candidate to the last.
 *
 * The loop has offsets from candidate to lane, -Δ: what is broadcast is then the subtrahend, which many processors take from
 * memory. No bit depends on it, since rounding is symmetric.
 */
#ifndef DUNLIN_KERNELS_INTERACT_H
#define DUNLIN_KERNELS_INTERACT_H

#include "kernels/neighbours/candidate_list.h"
#include "kernels/neighbours/totals.h"

/* The constants and sums of a group, all in registers. */
typedef struct adder {
    lanes lanes;
    wide max_r2, separation_r2, alignment_r2, cohesion_r2;
    wide inverse_radius; /* of separation, for DUN_PUSH_LINEAR only */
    wide group;          /* for shapes with kin only, like the rest */
    wide apart;          /* a power of two whose square is above max_r2 … */
    wide group_apart;    /* … and the group times it, negative */
    kin_r2 separation;   /* instead of separation_r2, where separation tells kin */
    totals sum;
} adder;

/* ---- a candidate ------------------------------------------------------------------------------------------------------ */

WIDE_INLINE wide load_candidate(const float *column, const int32_t *slot) {
    return wide_set(column[(uint32_t)*slot]);
}

#if DUNLIN_LANES == 16
/* A float, since compilers would broadcast an integer from the register that has it already, which takes a vector pipe. */
WIDE_INLINE wide_int load_slot(const int32_t *slot) {
    float bits;
    __builtin_memcpy(&bits, slot, sizeof bits);
    return wide_to_bits(wide_set(bits));
}
#else
WIDE_INLINE wide_int load_slot(const int32_t *slot) {
    return wide_int_set(*slot);
}
#endif

/* Whether separation has a loop of its own, over the candidates within its radius of the box. */
WIDE_INLINE bool pushes_apart(dun_shape shape) {
    return shape.separation != DUN_PUSH_NONE && (shape.alignment || shape.cohesion);
}

/* The offset from the candidate to each lane. Returns its squared length. */
WIDE_INLINE wide offset_from(const dun_interact *in, int dimensions, uint32_t folds, const adder *t, const int32_t *slot,
                             wide from[3]) {
    for (int a = 0; a < dimensions; a++) {
        from[a] = wide_sub(t->lanes.at[a], load_candidate(in->position[a], slot));
        if (folds >> a & 1) from[a] = fold(from[a], in->size[a]);
    }
    return length2(from, dimensions);
}

/* A lane that is the candidate itself needs no test for `within`: its offset is 0. */
WIDE_INLINE void add_push_from(dun_shape shape, adder *t, wide_mask within, const wide from[3], wide d2) {
    const wide factor = push_factor(shape.separation, t->inverse_radius, d2);
    for (int a = 0; a < shape.dimensions; a++) {
        t->sum.push[a] = wide_add_if(t->sum.push[a], within, wide_mul(from[a], factor));
    }
}

/* Which lanes the candidate pushes. Shapes with kin count those that see it only for that, in `aligned` until the end.
 * `by_kin`: separation tells kin, too. */
WIDE_INLINE wide_mask pushed(const dun_interact *in, dun_shape shape, bool by_kin, adder *t, const int32_t *slot, wide d2,
                             wide_mask allowed) {
    if (!by_kin) allowed = wide_and(allowed, wide_le(d2, t->separation_r2));
    if (!shape.kin) return allowed;
    const wide_int own = wide_to_bits(t->group), group = wide_to_bits(load_candidate(in->group, slot));
    wide_mask within = allowed, other = wide_and_ne(allowed, own, group);
    if (by_kin) {
        within = wide_and(allowed, within_kin(d2, other, t->separation));
        other = wide_and(within, other);
    }
    t->sum.aligned = wide_count_if(t->sum.aligned, other);
    return within;
}

/* Whether candidates of other groups are too far away, where kin counts alone. On sixteen lanes a comparison of groups would
 * share its pipes with the sums, which FMAs do not. Other targets have the pipes, or no masks to spare. */
WIDE_INLINE bool tells_kin_by_distance(dun_shape shape) {
    return shape.kin && DUNLIN_LANES == 16;
}

/* The squared distance; to another group more than max_r2. Whole numbers times a power of two are exact, so the same group adds
 * exactly 0. */
WIDE_INLINE wide kin_distance2(const dun_interact *in, const adder *t, const int32_t *slot, wide d2) {
    const wide between = wide_fma(t->apart, load_candidate(in->group, slot), t->group_apart);
    return wide_fma(between, between, d2);
}

WIDE_INLINE void add_candidate(const dun_interact *in, dun_shape shape, uint32_t folds, adder *t, const int32_t *slot) {
    wide from[3];
    const wide d2 = offset_from(in, shape.dimensions, folds, t, slot, from);
    const bool by_distance = tells_kin_by_distance(shape);
    const wide_mask near = wide_le(by_distance ? kin_distance2(in, t, slot, d2) : d2, t->max_r2);
    wide_mask seen = wide_and_ne(near, t->lanes.self, load_slot(slot));
    if (shape.kin && !by_distance)
        seen = wide_and_eq(seen, wide_to_bits(t->group), wide_to_bits(load_candidate(in->group, slot)));
    t->sum.seen = wide_count_if(t->sum.seen, seen);
    if (shape.nearest) t->sum.nearest = wide_blend(seen, wide_min(d2, t->sum.nearest), t->sum.nearest);

    wide_mask aligned = seen, cohered = seen;
    if (!shape.nested && !shape.kin) {
        aligned = wide_and(seen, wide_le(d2, t->alignment_r2));
        cohered = wide_and(seen, wide_le(d2, t->cohesion_r2));
        t->sum.aligned = wide_count_if(t->sum.aligned, aligned);
        t->sum.cohered = wide_count_if(t->sum.cohered, cohered);
    }
    for (int a = 0; a < shape.dimensions; a++) {
        if (shape.alignment)
            t->sum.velocity[a] = wide_add_if(t->sum.velocity[a], aligned, load_candidate(in->velocity[a], slot));
        if (shape.cohesion) t->sum.offset[a] = wide_add_if(t->sum.offset[a], cohered, from[a]);
    }
    if (shape.separation != DUN_PUSH_NONE && !pushes_apart(shape)) add_push_from(shape, t, seen, from, d2);
}

/* ---- a group ---------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void add_push_list(const dun_interact *in, dun_shape shape, bool by_kin, uint32_t folds, adder *t,
                               const candidate_list *list) {
    for (uint32_t k = 0; k < list->push_count; k++) {
        wide from[3];
        const int32_t *slot = list->push_slot + k;
        const wide d2 = offset_from(in, shape.dimensions, folds, t, slot, from);
        const wide_mask within = pushed(in, shape, by_kin, t, slot, d2, wide_le(wide_zero(), wide_zero()));
        add_push_from(shape, t, within, from, d2);
    }
}

WIDE_INLINE void adder_begin(const dun_interact *in, dun_shape shape, dun_group group, adder *t) {
    const lanes *l = &t->lanes;
    lanes_load(in, shape.dimensions, group, &t->lanes);
    t->max_r2 = lane_r2(l, in->max_r2);
    t->separation_r2 = lane_r2(l, in->separation_r2);
    const bool linear = shape.separation == DUN_PUSH_LINEAR;
    t->inverse_radius = linear ? lane_inverse(l, in->inverse_separation_radius) : wide_zero();
    t->sum = totals_none();
    if (shape.kin) {
        t->group = wide_load(in->observer_group + group.first);
        t->apart = wide_set(in->kin_apart);
        t->group_apart = wide_mul(t->group, wide_set(-in->kin_apart));
        t->separation = lane_kin_r2(l, in->separation_r2, in->separation_kin);
    }
    if (shape.nested || shape.kin) return;
    t->alignment_r2 = lane_r2(l, in->alignment_r2);
    t->cohesion_r2 = lane_r2(l, in->cohesion_r2);
}

/* Runs ascend, and so do candidates: sums are added in the order of slots. */
WIDE_INLINE void interact_group(const dun_interact *in, dun_shape shape, uint32_t folds, dun_group group, const dun_run *runs,
                                uint32_t run_count, const dun_sums *sums, uint32_t at) {
    adder t;
    candidate_list list;
    place from = {0, 0};
    bool more;
    adder_begin(in, shape, group, &t);
    do {
        more = list_runs(in, shape.dimensions, folds, pushes_apart(shape), &t.lanes, runs, run_count, &from, &list);
        for (uint32_t k = 0; k < list.count; k++) add_candidate(in, shape, folds, &t, list.slot + k);
        if (!pushes_apart(shape)) continue;
        if (shape.kin && in->separation_kin != DUN_KIN_ALL)
            add_push_list(in, shape, true, folds, &t, &list);
        else
            add_push_list(in, shape, false, folds, &t, &list);
    } while (more);
    if (shape.kin) {
        const wide_int others = t.sum.aligned;
        t.sum.aligned = t.sum.cohered = t.sum.seen;
        t.sum.seen = wide_int_add(t.sum.seen, others);
    }
    for (int a = 0; a < shape.dimensions && shape.cohesion; a++) t.sum.offset[a] = wide_sub(wide_zero(), t.sum.offset[a]);
    totals_store(shape, &t.sum, sums, at);
}

/* ---- one function per shape --------------------------------------------------------------------------------------------- */

#define SHAPE_NAME(name, d, push, ali, coh, nest, near, kin) name##_##d##_##push##_##ali##_##coh##_##nest##_##near##_##kin

#define INTERACT_FUNCTION(d, push, ali, coh, nest, near, kin)                                                                  \
    __attribute__((noinline))                                                                                                  \
    INTERACT_FUNCTION_OF(SHAPE_NAME(folded, d, push, ali, coh, nest, near, kin),                                               \
                         interact_group(in, (dun_shape){d, DUN_PUSH_##push, ali, coh, nest, near, kin},                        \
                                        folded_axes(runs, run_count), group, runs, run_count, sums, at))                       \
        INTERACT_FUNCTION_OF(SHAPE_NAME(interact, d, push, ali, coh, nest, near, kin),                                         \
                             if (folded_axes(runs, run_count))                                                                 \
                                 SHAPE_NAME(folded, d, push, ali, coh, nest, near, kin)(in, group, runs, run_count, sums, at); \
                             else interact_group(in, (dun_shape){d, DUN_PUSH_##push, ali, coh, nest, near, kin}, 0, group,     \
                                                 runs, run_count, sums, at))

/* Where the radii differ, or the nearest is found, alignment and cohesion are always summed: one that is off has a radius below
 * 0, or nothing reads its sum. A file that includes this one for a purpose of its own may define which shapes it needs. */
#ifndef INTERACT_SHAPES
#define INTERACT_SHAPES(X, d)                                                                                                  \
    X(d, NONE, 1, 0, 1, 0, 0)                                                                                                  \
    X(d, NONE, 0, 1, 1, 0, 0)                                                                                                  \
    INTERACT_SHAPES_WITH_BOTH(X, d, NONE)                                                                                      \
    INTERACT_SHAPES_WITH(X, d, INVERSE)                                                                                        \
    INTERACT_SHAPES_WITH(X, d, LINEAR)                                                                                         \
    INTERACT_SHAPES_WITH(X, d, CONSTANT)

#define INTERACT_SHAPES_WITH(X, d, push)                                                                                       \
    X(d, push, 0, 0, 1, 0, 0)                                                                                                  \
    X(d, push, 1, 0, 1, 0, 0)                                                                                                  \
    X(d, push, 0, 1, 1, 0, 0)                                                                                                  \
    INTERACT_SHAPES_WITH_BOTH(X, d, push)

#define INTERACT_SHAPES_WITH_BOTH(X, d, push)                                                                                  \
    X(d, push, 1, 1, 1, 0, 0)                                                                                                  \
    X(d, push, 1, 1, 0, 0, 0)                                                                                                  \
    X(d, push, 1, 1, 1, 1, 0)                                                                                                  \
    X(d, push, 1, 1, 0, 1, 0)                                                                                                  \
    X(d, push, 1, 1, 0, 0, 1)
#endif

INTERACT_SHAPES(INTERACT_FUNCTION, 2)
INTERACT_SHAPES(INTERACT_FUNCTION, 3)

static dun_interact_fn *interact_choose(const dun_shape *shape) {
    static const struct {
        dun_shape shape;
        dun_interact_fn *function;
    } table[] = {
#define INTERACT_ENTRY(d, push, ali, coh, nest, near, kin)                                                                     \
    {{d, DUN_PUSH_##push, ali, coh, nest, near, kin}, SHAPE_NAME(interact, d, push, ali, coh, nest, near, kin)},
        INTERACT_SHAPES(INTERACT_ENTRY, 2) INTERACT_SHAPES(INTERACT_ENTRY, 3)};
    for (uint32_t i = 0; i < sizeof table / sizeof *table; i++) {
        const dun_shape *s = &table[i].shape;
        const bool same_rules = s->alignment == shape->alignment && s->cohesion == shape->cohesion;
        if (s->dimensions == shape->dimensions && s->separation == shape->separation && s->nested == shape->nested &&
            s->nearest == shape->nearest && s->kin == shape->kin && (!s->nested || s->nearest || same_rules))
            return table[i].function;
    }
    return 0;
}

#endif
