/* SPDX-License-Identifier: MIT */
/*
 * The inner loop: sums over all neighbours of a packet. The loop broadcasts one candidate at a time; every lane tests it and
 * adds it under its own mask.
 *
 * It is written once for all shapes. The argument `shape` is a constant wherever it is inlined, so each shape gets a loop of
 * only the operations that it needs, and its sums stay in registers from the first candidate to the last. Separation has loops
 * over the candidates within its own radius, one per falloff, that all shapes share.
 *
 * The loop has offsets from candidate to lane, -Δ: what is broadcast is then the subtrahend, which many processors take from
 * memory. No bit depends on it, since rounding is symmetric.
 */
#ifndef DUNLIN_KERNELS_INTERACT_H
#define DUNLIN_KERNELS_INTERACT_H

#include "kernels/neighbours/candidate_list.h"
#include "kernels/neighbours/totals.h"

/* The constants and sums of a packet, all in registers. */
typedef struct adder {
    packet_lanes lanes;
    wide max_r2, alignment_r2, cohesion_r2;
    wide group;       /* for shapes with kin only, like the rest */
    wide apart;       /* a power of two; its square is above max_r2 … */
    wide group_apart; /* … and the group times it, negative */
    totals sum;
} adder;

/* What separation counts. */
typedef enum push_test {
    PUSH_ALONE,  /* every neighbour, and there is no other rule: the neighbours are counted here */
    PUSH_WITHIN, /* every neighbour within its radius */
    PUSH_KIN,    /* likewise, and those of other groups are counted here, since nothing else sees them */
    PUSH_BY_KIN  /* and its radius differs between the own group and others */
} push_test;

/* Separation's constants and sums. */
typedef struct pusher {
    wide at[3];
    wide_int self; /* as in `lanes`, for PUSH_ALONE only */
    wide r2, inverse_radius;
    wide group; /* for kin only */
    kin_r2 kin;
    wide sum[3];
    wide_int counted;
} pusher;

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

/* The offset from the candidate to each lane. Returns its squared length. */
WIDE_INLINE wide offset_from(const dun_interact *in, int dimensions, folding by, const wide at[3], const int32_t *slot,
                             wide from[3]) {
    for (int a = 0; a < dimensions; a++) {
        from[a] = wide_sub(at[a], load_candidate(in->position[a], slot));
        if (by.shift) from[a] = wide_sub(from[a], wide_set(by.shift[a * LIST_COLUMN]));
        if (by.folds >> a & 1) from[a] = fold(from[a], in->size[a]);
    }
    return length2(from, dimensions);
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

/* `may_be_own`: the candidate may be one of the lanes. */
WIDE_INLINE void add_candidate(const dun_interact *in, dun_shape shape, folding by, bool may_be_own, adder *t,
                               const int32_t *slot) {
    wide from[3];
    const wide d2 = offset_from(in, shape.dimensions, by, t->lanes.at, slot, from);
    const bool by_distance = tells_kin_by_distance(shape);
    wide_mask seen = wide_le(by_distance ? kin_distance2(in, t, slot, d2) : d2, t->max_r2);
    if (may_be_own) seen = wide_and_ne(seen, t->lanes.self, load_slot(slot));
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
}

/* Only candidates of the packet itself may be a lane, and they lie together in the list: the others need no test for that.
 * Packets at the world's edge are too few to have loops of their own. */
WIDE_INLINE void add_listed(const dun_interact *in, dun_shape shape, folding by, dun_packet packet, adder *t,
                            candidate_list *list) {
    const uint32_t first = in->own ? packet.first : UINT32_MAX - DUNLIN_LANES;
    const bool is_plain = !by.folds && !by.shift;
    const int32_t *slot = list->slot, *end = slot + list->count;
    list->slot[list->count] = (int32_t)first; /* ends the first loop */
    if (is_plain) {
        for (; (uint32_t)*slot - first >= packet.count; slot++) add_candidate(in, shape, by, false, t, slot);
        for (; slot < end && (uint32_t)*slot - first < packet.count; slot++) add_candidate(in, shape, by, true, t, slot);
    }
    for (; slot < end; slot++) {
        add_candidate(in, shape, by, !is_plain, t, slot);
        if (by.shift) by.shift++;
    }
}

/* ---- separation ------------------------------------------------------------------------------------------------------- */

/* Which lanes the candidate pushes. A lane that is the candidate itself needs no test: its offset is 0. */
WIDE_INLINE wide_mask pushed(const dun_interact *in, push_test tested, pusher *p, const int32_t *slot, wide d2) {
    wide_mask within = wide_le(d2, p->r2);
    if (tested == PUSH_BY_KIN) within = wide_le(wide_zero(), wide_zero());
    if (tested == PUSH_ALONE) within = wide_and_ne(within, p->self, load_slot(slot));
    wide_mask counted = within;
    if (tested == PUSH_KIN || tested == PUSH_BY_KIN)
        counted = wide_and_ne(within, wide_to_bits(p->group), wide_to_bits(load_candidate(in->group, slot)));
    if (tested == PUSH_BY_KIN) {
        within = within_kin(d2, counted, p->kin);
        counted = wide_and(within, counted);
    }
    if (tested != PUSH_WITHIN) p->counted = wide_count_if(p->counted, counted);
    return within;
}

WIDE_INLINE void push_all(const dun_interact *in, int dimensions, dun_push push, push_test tested, folding by,
                          pusher *separation, const int32_t *slot, uint32_t count) {
    pusher p = *separation;
    for (const int32_t *end = slot + count; slot < end; slot++) {
        wide from[3];
        const wide d2 = offset_from(in, dimensions, by, p.at, slot, from);
        const wide_mask within = pushed(in, tested, &p, slot, d2);
        const wide factor = push_factor(push, p.inverse_radius, d2);
        for (int a = 0; a < dimensions; a++) p.sum[a] = wide_add_if(p.sum[a], within, wide_mul(from[a], factor));
        if (by.shift) by.shift++;
    }
    for (int a = 0; a < dimensions; a++) separation->sum[a] = p.sum[a];
    separation->counted = p.counted;
}

WIDE_INLINE void push_tested(const dun_interact *in, int dimensions, push_test tested, folding by, pusher *p,
                             const int32_t *slot, uint32_t count) {
    const dun_push push = in->shape.separation;
    if (push == DUN_PUSH_INVERSE) push_all(in, dimensions, DUN_PUSH_INVERSE, tested, by, p, slot, count);
    if (push == DUN_PUSH_LINEAR) push_all(in, dimensions, DUN_PUSH_LINEAR, tested, by, p, slot, count);
    if (push == DUN_PUSH_CONSTANT) push_all(in, dimensions, DUN_PUSH_CONSTANT, tested, by, p, slot, count);
}

WIDE_INLINE void push_by(const dun_interact *in, int dimensions, push_test tested, folding by, pusher *p, const int32_t *slot,
                         uint32_t count) {
    if (tested == PUSH_ALONE) push_tested(in, dimensions, PUSH_ALONE, by, p, slot, count);
    if (tested == PUSH_WITHIN) push_tested(in, dimensions, PUSH_WITHIN, by, p, slot, count);
    if (tested == PUSH_KIN) push_tested(in, dimensions, PUSH_KIN, by, p, slot, count);
    if (tested == PUSH_BY_KIN) push_tested(in, dimensions, PUSH_BY_KIN, by, p, slot, count);
}

/* At the world's edge only the usual push and test are constants: with all of them a kernel would be half as large again. */
WIDE_INLINE void push_at_edge(const dun_interact *in, int dimensions, push_test tested, folding by, pusher *p,
                              const int32_t *slot, uint32_t count) {
    const dun_push push = in->shape.separation;
    if (push == DUN_PUSH_INVERSE && tested == PUSH_WITHIN)
        push_all(in, dimensions, DUN_PUSH_INVERSE, PUSH_WITHIN, by, p, slot, count);
    else
        push_all(in, dimensions, push, tested, by, p, slot, count);
}

/* Adds these candidates to separation's sums. All shapes share these functions: the branches are outside of the loops. */
#define PUSH_FUNCTION(d)                                                                                                       \
    static __attribute__((noinline)) void push_##d(const dun_interact *in, push_test tested, folding by, pusher *p,            \
                                                   const int32_t *slot, uint32_t count) {                                      \
        if (by.shift)                                                                                                          \
            push_at_edge(in, d, tested, (folding){0, by.shift}, p, slot, count);                                               \
        else if (by.folds)                                                                                                     \
            push_at_edge(in, d, tested, (folding){by.folds, 0}, p, slot, count);                                               \
        else                                                                                                                   \
            push_by(in, d, tested, (folding){0, 0}, p, slot, count);                                                           \
    }
PUSH_FUNCTION(2)
PUSH_FUNCTION(3)

WIDE_INLINE void pusher_begin(const dun_interact *in, dun_shape shape, dun_packet packet, const packet_lanes *l, pusher *p) {
    p->r2 = lane_r2(l->scale, in->separation_r2);
    if (in->shape.separation == DUN_PUSH_LINEAR) p->inverse_radius = lane_inverse(l->scale, in->inverse_separation_radius);
    for (int a = 0; a < shape.dimensions; a++) {
        p->at[a] = l->at[a];
        p->sum[a] = wide_zero();
    }
    p->self = l->self;
    p->counted = wide_int_set(0);
    if (!shape.kin) return;
    p->group = wide_load(in->observer_group + packet.first);
    p->kin = lane_kin_r2(l->scale, in->separation_r2, in->separation_kin);
}

/* ---- a packet --------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void adder_begin(const dun_interact *in, dun_shape shape, dun_packet packet, adder *t) {
    const packet_lanes *l = &t->lanes;
    lanes_load(in, shape.dimensions, packet, &t->lanes);
    t->max_r2 = lane_r2(l->scale, in->max_r2);
    t->sum = totals_none();
    if (shape.kin) {
        t->group = wide_load(in->observer_group + packet.first);
        t->apart = wide_set(in->kin_apart);
        t->group_apart = wide_mul(t->group, wide_set(-in->kin_apart));
    }
    if (shape.nested || shape.kin) return;
    t->alignment_r2 = lane_r2(l->scale, in->alignment_r2);
    t->cohesion_r2 = lane_r2(l->scale, in->cohesion_r2);
}

/* `shape` says nothing of separation; in->shape does. */
WIDE_INLINE void interact_packet(const dun_interact *in, dun_shape shape, uint32_t folds, bool shifts, dun_packet packet,
                                 const dun_range *ranges, uint32_t range_count, const dun_sums *sums, uint32_t at) {
    adder t;
    pusher p;
    candidate_list list;
    range_place from = {0, 0};
    const bool alone = !shape.alignment && !shape.cohesion, pushes = in->shape.separation != DUN_PUSH_NONE;
    push_test tested = alone ? PUSH_ALONE : PUSH_WITHIN;
    if (shape.kin) tested = in->separation_kin == DUN_KIN_ALL ? PUSH_KIN : PUSH_BY_KIN;
    bool more;
    adder_begin(in, shape, packet, &t);
    if (pushes) pusher_begin(in, shape, packet, &t.lanes, &p);
    do {
        more = list_ranges(in, shape.dimensions, folds, shifts, pushes && !alone, &t.lanes, ranges, range_count, &from, &list);
        const int32_t *slot = alone ? list.slot : list.push_slot;
        const uint32_t count = alone ? list.count : list.push_count;
        const folding by = {folds, shifts ? alone ? list.shift : list.push_shift : 0};
        if (pushes) shape.dimensions == 3 ? push_3(in, tested, by, &p, slot, count) : push_2(in, tested, by, &p, slot, count);
        if (!alone) add_listed(in, shape, (folding){folds, shifts ? list.shift : 0}, packet, &t, &list);
    } while (more);
    if (alone) t.sum.seen = p.counted;
    if (shape.kin) {
        t.sum.aligned = t.sum.cohered = t.sum.seen;
        if (pushes) t.sum.seen = wide_int_add(t.sum.seen, p.counted);
    }
    for (int a = 0; a < shape.dimensions && pushes; a++) wide_store(sums->push[a] + at, p.sum[a]);
    for (int a = 0; a < shape.dimensions && shape.cohesion; a++) t.sum.offset[a] = wide_sub(wide_zero(), t.sum.offset[a]);
    totals_store(shape, &t.sum, sums, at);
}

/* ---- one function per shape --------------------------------------------------------------------------------------------- */

#define SHAPE_NAME(name, d, ali, coh, nest, near, kin) name##_##d##_##ali##_##coh##_##nest##_##near##_##kin

/* The dimensions are a constant, and so are the three rules with common radii and with radii of their own. */
WIDE_INLINE void interact_at_edge(const dun_interact *in, dun_shape shape, int dimensions, uint32_t folds, bool shifts,
                                  dun_packet packet, const dun_range *ranges, uint32_t range_count, const dun_sums *sums,
                                  uint32_t at) {
    const bool has_all = shape.alignment && shape.cohesion && !shape.nearest && !shape.kin;
    shape.dimensions = dimensions;
    if (has_all && shape.nested)
        interact_packet(in, (dun_shape){dimensions, DUN_PUSH_NONE, true, true, true, false, false}, folds, shifts, packet,
                        ranges, range_count, sums, at);
    else if (has_all)
        interact_packet(in, (dun_shape){dimensions, DUN_PUSH_NONE, true, true, false, false, false}, folds, shifts, packet,
                        ranges, range_count, sums, at);
    else
        interact_packet(in, shape, folds, shifts, packet, ranges, range_count, sums, at);
}

/* Packets at the world's edge. */
static __attribute__((noinline)) void interact_edge(const dun_interact *in, dun_shape shape, dun_packet packet,
                                                    const dun_range *ranges, uint32_t range_count, const dun_sums *sums,
                                                    uint32_t at) {
    if (ranges->image && shape.dimensions == 3)
        interact_at_edge(in, shape, 3, 0, true, packet, ranges, range_count, sums, at);
    else if (ranges->image)
        interact_at_edge(in, shape, 2, 0, true, packet, ranges, range_count, sums, at);
    else if (shape.dimensions == 3)
        interact_at_edge(in, shape, 3, ranges->folds, false, packet, ranges, range_count, sums, at);
    else
        interact_at_edge(in, shape, 2, ranges->folds, false, packet, ranges, range_count, sums, at);
}

#define INTERACT_FUNCTION(d, ali, coh, nest, near, kin)                                                                        \
    INTERACT_FUNCTION_OF(SHAPE_NAME(interact, d, ali, coh, nest, near, kin),                                                   \
                         const dun_shape shape = (dun_shape){d, DUN_PUSH_NONE, ali, coh, nest, near, kin};                     \
                         if (folded_axes(ranges, range_count))                                                                 \
                             interact_edge(in, shape, packet, ranges, range_count, sums, at);                                  \
                         else interact_packet(in, shape, 0, false, packet, ranges, range_count, sums, at))

/* Where the radii differ, or the nearest is found, alignment and cohesion are always summed: one that is off has a radius below
 * 0, or nothing reads its sum. A file that includes this one for a purpose of its own may define which shapes it needs. */
#ifndef INTERACT_SHAPES
#define INTERACT_SHAPES(X, d)                                                                                                  \
    X(d, 0, 0, 1, 0, 0)                                                                                                        \
    X(d, 1, 0, 1, 0, 0)                                                                                                        \
    X(d, 0, 1, 1, 0, 0)                                                                                                        \
    X(d, 1, 1, 1, 0, 0)                                                                                                        \
    X(d, 1, 1, 0, 0, 0)                                                                                                        \
    X(d, 1, 1, 1, 1, 0)                                                                                                        \
    X(d, 1, 1, 0, 1, 0)                                                                                                        \
    X(d, 1, 1, 0, 0, 1)
#endif

INTERACT_SHAPES(INTERACT_FUNCTION, 2)
INTERACT_SHAPES(INTERACT_FUNCTION, 3)

static dun_interact_fn *interact_choose(const dun_shape *shape) {
    static const struct {
        dun_shape shape;
        dun_interact_fn *function;
    } table[] = {
#define INTERACT_ENTRY(d, ali, coh, nest, near, kin)                                                                           \
    {{d, DUN_PUSH_NONE, ali, coh, nest, near, kin}, SHAPE_NAME(interact, d, ali, coh, nest, near, kin)},
        INTERACT_SHAPES(INTERACT_ENTRY, 2) INTERACT_SHAPES(INTERACT_ENTRY, 3)};
    if (shape->separation == DUN_PUSH_NONE && !shape->alignment && !shape->cohesion) return 0;
    for (uint32_t i = 0; i < sizeof table / sizeof *table; i++) {
        const dun_shape *s = &table[i].shape;
        const bool same_rules = s->alignment == shape->alignment && s->cohesion == shape->cohesion;
        if (s->dimensions == shape->dimensions && s->nested == shape->nested && s->nearest == shape->nearest &&
            s->kin == shape->kin && (!s->nested || s->nearest || same_rules))
            return table[i].function;
    }
    return 0;
}

#endif
