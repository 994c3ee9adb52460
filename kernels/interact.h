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

enum {
    NEAR_ROOM = 256,      /* slots: a kilobyte of L1 */
    NOBODY = DUNLIN_LANES /* no lane */
};

/* What a candidate has to be tested for besides its distance. */
typedef enum candidates {
    OTHERS,  /* nothing: none of them is a lane itself */
    OWN,     /* is one of the lanes itself */
    CHECKED, /* may be a lane itself, and coincident ones may not have to be seen */
    FOLDED   /* CHECKED, and offsets go to the nearest image */
} candidates;

/* One group, its constants and its sums so far. */
typedef struct lanes {
    wide at[3];
    wide low[3], high[3]; /* the box around the group, the same in every lane */
    wide widest_r2, separation_r2, alignment_r2, cohesion_r2;
    wide push[3], velocity[3], offset[3];
    wide_int seen, aligned, cohered;
} lanes;

static const int32_t lane_number[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Lanes that the group has no agent for repeat its first, so that they don't widen the box. */
WIDE_INLINE void lanes_place(const dunlin_interact *in, int dimensions, dunlin_group group, lanes *l) {
    const wide_mask taken = wide_int_lt(wide_int_load(lane_number), wide_int_set((int32_t)group.count));
    for (int a = 0; a < dimensions; a++) {
        const float *position = in->observer[a] + group.first;
        l->at[a] = wide_select(taken, wide_load(position), wide_set(*position));
        l->low[a] = wide_least(l->at[a]);
        l->high[a] = wide_greatest(l->at[a]);
    }
}

/* Into a struct of the caller's: returned by value it would go through memory, as a string of bytes. */
WIDE_INLINE void lanes_load(const dunlin_interact *in, int dimensions, dunlin_group group, lanes *l) {
    lanes_place(in, dimensions, group, l);
    for (int a = 0; a < dimensions; a++) l->push[a] = l->velocity[a] = l->offset[a] = wide_zero();
    l->widest_r2 = wide_set(in->widest_r2);
    l->separation_r2 = wide_set(in->separation_r2);
    l->alignment_r2 = wide_set(in->alignment_r2);
    l->cohesion_r2 = wide_set(in->cohesion_r2);
    l->seen = l->aligned = l->cohered = wide_int_set(0);
}

WIDE_INLINE uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

WIDE_INLINE uint32_t greatest(uint32_t a, uint32_t b) {
    return a < b ? b : a;
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

/* Offset to candidate j, and whether each lane may see it at all. `lane` is the one that j is itself, if any; not for OTHERS. */
WIDE_INLINE wide_mask candidate_seen(const dunlin_interact *in, int dimensions, candidates kind, const lanes *l, uint32_t j,
                                     uint32_t lane, wide delta[3], wide *d2) {
    for (int a = 0; a < dimensions; a++) {
        delta[a] = wide_sub(wide_set(in->position[a][j]), l->at[a]);
        if (kind == FOLDED) delta[a] = fold(delta[a], in->size[a]);
    }
    *d2 = length2(delta, dimensions);
    wide_mask seen = wide_le(*d2, l->widest_r2);
    if (kind != OTHERS) {
        seen = wide_and(seen, wide_other_lanes(lane));
        if (kind != OWN && in->ignore_coincident) seen = wide_and(seen, wide_lt(wide_zero(), *d2));
    }
    return seen;
}

WIDE_INLINE void add_candidate(const dunlin_interact *in, dunlin_shape shape, candidates kind, lanes *l, uint32_t j,
                               uint32_t lane) {
    const int dimensions = shape.dimensions;
    wide delta[3], d2;
    const wide_mask seen = candidate_seen(in, dimensions, kind, l, j, lane, delta, &d2);
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
    const wide factor = wide_keep(close, push_factor(in, shape.separation, d2));
    for (int a = 0; a < dimensions; a++) l->push[a] = wide_add(l->push[a], wide_mul(delta[a], factor));
}

/* The candidates [begin, end), of which candidate `self` is the group's first agent, and so on. */
WIDE_INLINE void add_stretch(const dunlin_interact *in, dunlin_shape shape, candidates kind, lanes *l, uint32_t begin,
                             uint32_t end, uint32_t self) {
    for (uint32_t j = begin; j < end; j++) {
        const uint32_t lane = j - self;
        add_candidate(in, shape, kind, l, j, kind == OWN ? lane : least(lane, NOBODY));
    }
}

/*
 * The candidates that any lane may see, in their order: those within the widest radius of the box around the group. Rounding is
 * monotone, so no lane's squared distance is below the box's. In 2D a fifth, in 3D more than a third of the candidates don't get
 * here, where each would cost a pass for all lanes; and one loop over the list ends once, where one over every run would end, and
 * be mispredicted, with every run.
 */
WIDE_INLINE void add_near(const dunlin_interact *in, dunlin_shape shape, lanes *l, const int32_t *near, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) add_candidate(in, shape, OTHERS, l, (uint32_t)near[k], NOBODY);
}

WIDE_INLINE wide_mask near_box(const dunlin_interact *in, int dimensions, const lanes *l, uint32_t j) {
    wide away[3];
    for (int a = 0; a < dimensions; a++) {
        const wide at = wide_load(in->position[a] + j);
        away[a] = wide_sub(at, wide_min(wide_max(at, l->low[a]), l->high[a]));
    }
    return wide_le(length2(away, dimensions), l->widest_r2);
}

/* Goes on with the list, DUNLIN_LANES candidates at a time; adds it up where it is full. Returns its length. */
WIDE_INLINE uint32_t list_near(const dunlin_interact *in, dunlin_shape shape, lanes *l, uint32_t begin, uint32_t end,
                               int32_t *near, uint32_t count) {
    /* Slots have 32 bits and comparisons a sign: with its top bit turned a slot is compared like any number. */
    const uint32_t sign = 1u << 31;
    const wide_int last = wide_int_set((int32_t)(end ^ sign)), step = wide_int_set(DUNLIN_LANES);
    wide_int slot = wide_int_add(wide_int_set((int32_t)begin), wide_int_load(lane_number));
    wide_int turned = wide_int_add(slot, wide_int_set((int32_t)sign));
    for (uint32_t j = begin; j < end; j += DUNLIN_LANES) {
        const wide_mask keep = wide_and(near_box(in, shape.dimensions, l, j), wide_int_lt(turned, last));
        count += wide_int_pack(near + count, keep, slot);
        if (count > NEAR_ROOM) {
            add_near(in, shape, l, near, count);
            count = 0;
        }
        slot = wide_int_add(slot, step);
        turned = wide_int_add(turned, step);
    }
    return count;
}

/* Only the few candidates that are the group itself need the test for oneself: the run is cut around them. */
WIDE_INLINE uint32_t add_run(const dunlin_interact *in, dunlin_shape shape, lanes *l, dunlin_group group, dunlin_run run,
                             int32_t *near, uint32_t count) {
    const uint32_t self = in->own ? group.first : UINT32_MAX - DUNLIN_LANES;
    const uint32_t self_end = self + group.count;
    if (run.folds || in->ignore_coincident) {
        add_near(in, shape, l, near, count);
        if (run.folds) add_stretch(in, shape, FOLDED, l, run.begin, run.end, self);
        else add_stretch(in, shape, CHECKED, l, run.begin, run.end, self);
        return 0;
    }
    if (self_end <= run.begin || self >= run.end) return list_near(in, shape, l, run.begin, run.end, near, count);
    count = list_near(in, shape, l, run.begin, self, near, count);
    add_near(in, shape, l, near, count);
    add_stretch(in, shape, OWN, l, greatest(self, run.begin), least(self_end, run.end), self);
    return list_near(in, shape, l, self_end, run.end, near, 0);
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

WIDE_INLINE void interact_group(const dunlin_interact *in, dunlin_shape shape, dunlin_group group, const dunlin_run *runs,
                                uint32_t run_count, const dunlin_sums *sums, uint32_t at) {
    lanes l;
    lanes_load(in, shape.dimensions, group, &l);
    int32_t near[NEAR_ROOM + 2 * DUNLIN_LANES];
    uint32_t count = 0;
    for (uint32_t r = 0; r < run_count; r++) count = add_run(in, shape, &l, group, runs[r], near, count);
    add_near(in, shape, &l, near, count);
    lanes_store(shape, &l, sums, at);
}

/* ---- one function a shape --------------------------------------------------------------------------------------------- */

#define INTERACT_NAME(d, push, ali, coh, nest) interact_##d##_##push##_##ali##_##coh##_##nest

#define INTERACT_FUNCTION(d, push, ali, coh, nest)                                                                             \
    static void INTERACT_NAME(d, push, ali, coh, nest)(const dunlin_interact *in, dunlin_group group, const dunlin_run *runs,   \
                                                       uint32_t run_count, const dunlin_sums *sums, uint32_t at) {              \
        const dunlin_shape shape = {d, DUNLIN_PUSH_##push, ali, coh, nest};                                                    \
        interact_group(in, shape, group, runs, run_count, sums, at);                                                           \
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

WIDE_INLINE void nearest_group(const dunlin_interact *in, int dimensions, dunlin_group group, const dunlin_run *runs,
                               uint32_t run_count, float *nearest_d2, int32_t *seen) {
    lanes l;
    lanes_load(in, dimensions, group, &l);
    wide nearest = wide_set(__builtin_inff());
    for (uint32_t r = 0; r < run_count; r++) {
        for (uint32_t j = runs[r].begin; j < runs[r].end; j++) {
            wide delta[3], d2;
            const candidates kind = runs[r].folds ? FOLDED : CHECKED;
            const uint32_t lane = in->own ? least(j - group.first, NOBODY) : NOBODY;
            l.seen = wide_count_if(l.seen, candidate_seen(in, dimensions, kind, &l, j, lane, delta, &d2));
            const wide_mask other = wide_other_lanes(lane);
            nearest = wide_select(wide_and(other, wide_lt(d2, nearest)), d2, nearest);
        }
    }
    wide_store(nearest_d2, nearest);
    wide_int_store(seen, l.seen);
}

static void nearest_2(const dunlin_interact *in, dunlin_group group, const dunlin_run *runs, uint32_t run_count, float *nearest_d2,
                      int32_t *seen) {
    nearest_group(in, 2, group, runs, run_count, nearest_d2, seen);
}

static void nearest_3(const dunlin_interact *in, dunlin_group group, const dunlin_run *runs, uint32_t run_count, float *nearest_d2,
                      int32_t *seen) {
    nearest_group(in, 3, group, runs, run_count, nearest_d2, seen);
}

static dunlin_nearest_fn *nearest_choose(int dimensions) {
    return dimensions == 3 ? nearest_3 : nearest_2;
}

#endif
