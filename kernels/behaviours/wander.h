/* SPDX-License-Identifier: MIT */
/*
 * Wander: each agent seeks a point on a circle or sphere ahead of it. The direction from the centre to that point passes
 * through random directions, one after another. Each is a function of the agent's id and the direction's number, so agents need
 * no memory.
 */
#ifndef DUNLIN_KERNELS_WANDER_H
#define DUNLIN_KERNELS_WANDER_H

#include "kernels/wide/random.h"
#include "kernels/behaviours/steer.h"
#include "kernels/wide/trig.h"

enum { ABREAST = 2 }; /* packets that draw random numbers at once */

/*
 * One call of the generator gives four words: the angles of four directions in 2D, angle and height of two in 3D. All agents
 * need the same of these, and one call mostly has both this direction and the next.
 */
WIDE_INLINE void draw_block(const dun_behave *b, const wide_keys *keys, const uint32_t i[ABREAST], uint64_t block,
                            wide_int words[ABREAST][4]) {
    for (int g = 0; g < ABREAST; g++) {
        words[g][0] = wide_int_load((const int32_t *)(b->id + i[g]));
        words[g][1] = wide_int_set((int32_t)(uint32_t)block);
        words[g][2] = wide_int_set((int32_t)b->wander.stream);
        words[g][3] = wide_int_set((int32_t)(uint32_t)(block >> 32));
    }
    wide_philox(words, ABREAST, keys);
}

/* The words of this direction and of the next, `size` of them each. */
typedef struct two_draws {
    wide_int from[2], to[2];
} two_draws;

WIDE_INLINE void draw_two(const dun_behave *b, const wide_keys *keys, const uint32_t i[ABREAST], uint32_t size,
                          two_draws draws[ABREAST]) {
    const uint64_t direction = b->wander.direction, in_block = 4 / size;
    const uint32_t place = (uint32_t)(direction % in_block);
    wide_int words[ABREAST][4];
    draw_block(b, keys, i, direction / in_block, words);
    for (int g = 0; g < ABREAST; g++)
        for (uint32_t w = 0; w < size; w++) draws[g].from[w] = words[g][place * size + w];
    if (place + 1 == in_block) draw_block(b, keys, i, (direction + 1) / in_block, words);
    const uint32_t next = place + 1 == in_block ? 0 : place + 1;
    for (int g = 0; g < ABREAST; g++)
        for (uint32_t w = 0; w < size; w++) draws[g].to[w] = words[g][next * size + w];
}

WIDE_INLINE wide between(wide from, wide to, float share) {
    return wide_add(from, wide_mul(wide_sub(to, from), wide_set(share)));
}

/* ---- 2D: the angle turns at an even rate, the short way ---------------------------------------------------------------- */

WIDE_INLINE void direction_on_circle(const two_draws *draws, float share, wide out[3]) {
    const wide angle = unit_interval(draws->from[0]), turn = fold(wide_sub(unit_interval(draws->to[0]), angle), 1.0f);
    wide_sincos_turns(wide_add(angle, wide_mul(turn, wide_set(share))), &out[1], &out[0]);
}

/* ---- 3D: near the shortest way ------------------------------------------------------------------------------------------ */

/* Uniform on the sphere: by Archimedes' hat-box theorem each coordinate is uniform, too. */
WIDE_INLINE void point_on_sphere(const wide_int words[2], wide out[3]) {
    const wide up = unit_interval(words[1]), one = wide_set(1.0f), two = wide_set(2.0f);
    const wide across = wide_mul(two, wide_sqrt(wide_mul(up, wide_sub(one, up))));
    wide sine, cosine;
    wide_sincos_turns(unit_interval(words[0]), &sine, &cosine);
    out[0] = wide_mul(across, cosine);
    out[1] = wide_mul(across, sine);
    out[2] = wide_sub(wide_mul(two, up), one);
}

/* A direction across the unit vector v: its cross product with the x or the y axis, whichever is at the larger angle. */
WIDE_INLINE void any_across(const wide v[3], wide out[3]) {
    const wide zero = wide_zero();
    const wide_mask x_smaller = wide_lt(wide_mul(v[0], v[0]), wide_mul(v[1], v[1]));
    out[0] = wide_blend(x_smaller, zero, wide_sub(zero, v[2]));
    out[1] = wide_blend(x_smaller, v[2], zero);
    out[2] = wide_blend(x_smaller, wide_sub(zero, v[1]), v[0]);
}

/*
 * By way of the middle: on the chord between unit vectors at an angle w the direction turns by up to 2·tan(w/2) radians per
 * chord, which is 2 for a quarter turn but unbounded for half a turn. Opposite vectors have no middle, so any direction across
 * serves; they are too rare to show. Otherwise a rotation of both vectors rotates everything between them, so no direction is
 * more likely than others.
 */
WIDE_INLINE void direction_on_sphere(const two_draws *draws, float share, wide out[3]) {
    wide from[3], to[3], halfway[3], across[3];
    point_on_sphere(draws->from, from);
    point_on_sphere(draws->to, to);
    any_across(from, across);
    for (int a = 0; a < 3; a++) halfway[a] = wide_add(from[a], to[a]);
    const wide_mask opposite = wide_lt(length2(halfway, 3), wide_set(1e-6f));
    for (int a = 0; a < 3; a++) halfway[a] = wide_blend(opposite, across[a], halfway[a]);
    to_unit(halfway, 3);
    for (int a = 0; a < 3; a++) {
        if (share < 0.5f)
            out[a] = between(from[a], halfway[a], 2.0f * share);
        else
            out[a] = between(halfway[a], to[a], 2.0f * share - 1.0f);
    }
    to_unit(out, 3);
}

/* ---- steering ----------------------------------------------------------------------------------------------------------- */

/* The directions of some agents at a time: each is a long chain of operations, and in a loop of their own the chains overlap.
 */
enum { WANDER_BLOCK = 64 };

/* An odd last packet is computed twice. */
WIDE_INLINE void find_directions(const dun_behave *b, const wide_keys *keys, int dimensions, uint32_t begin, uint32_t end,
                                 float found[3][WANDER_BLOCK]) {
    for (uint32_t i = begin; i < end; i += ABREAST * DUNLIN_LANES) {
        const uint32_t groups[ABREAST] = {i, end - i > DUNLIN_LANES ? i + DUNLIN_LANES : i};
        two_draws draws[ABREAST];
        draw_two(b, keys, groups, dimensions == 3 ? 2 : 1, draws);
        for (int g = 0; g < ABREAST; g++) {
            wide direction[3];
            if (dimensions == 3)
                direction_on_sphere(&draws[g], b->wander.share, direction);
            else
                direction_on_circle(&draws[g], b->wander.share, direction);
            for (int a = 0; a < dimensions; a++) wide_store(found[a] + (groups[g] - begin), direction[a]);
        }
    }
}

WIDE_INLINE void wander_lanes(const dun_behave *b, int dimensions, uint32_t i, const float *const direction[3]) {
    wide velocity[3], offset[3];
    load(b->velocity, dimensions, i, velocity);
    const wide v2 = length2(velocity, dimensions);
    const wide ahead = wide_keep(has_direction(v2), wide_div(wide_set(b->wander.distance), wide_sqrt(v2)));
    for (int a = 0; a < dimensions; a++)
        offset[a] = wide_add(wide_mul(velocity[a], ahead), wide_mul(wide_load(direction[a]), wide_set(b->wander.radius)));
    steer_along(b, dimensions, i, has_direction(length2(offset, dimensions)), offset, velocity);
}

WIDE_INLINE void wander_all(const dun_behave *b, int dimensions, uint32_t count) {
    float found[3][WANDER_BLOCK];
    wide_keys keys;
    wide_keys_of(b->wander.key, &keys);
    for (uint32_t begin = 0; begin < count; begin += WANDER_BLOCK) {
        const uint32_t end = count - begin < WANDER_BLOCK ? count : begin + WANDER_BLOCK;
        find_directions(b, &keys, dimensions, begin, end, found);
        for (uint32_t i = begin; i < end; i += DUNLIN_LANES) {
            const uint32_t k = i - begin;
            wander_lanes(b, dimensions, i, (const float *const[3]){found[0] + k, found[1] + k, found[2] + k});
        }
    }
}

static void wander(const dun_behave *behave, uint32_t count) {
    const dun_behave b = *behave;
    if (b.dimensions == 3)
        wander_all(&b, 3, count);
    else
        wander_all(&b, 2, count);
}

#endif
