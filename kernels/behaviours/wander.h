/* SPDX-License-Identifier: MIT */
/*
 * Wander: each agent seeks a point on a circle or sphere ahead of it, which takes a random walk there: in 2D its angle to the
 * heading, in 3D a vector in its direction. Where the walk is in a step is a function of the agent's id and the step, so agents
 * need no memory. Time is cut into blocks. The walk is at independent places at their ends; in the middle it is between them,
 * with a random byte of noise, and so on in the half in which the step is (P. Lévy's construction of Brownian motion).
 */
#ifndef DUNLIN_KERNELS_WANDER_H
#define DUNLIN_KERNELS_WANDER_H

#include "kernels/wide/random.h"
#include "kernels/behaviours/steer.h"
#include "kernels/wide/trig.h"

enum { ABREAST = 2 }; /* packets that draw random numbers at once */

/* One call of the generator gives four words. `draw` is the same for all agents. */
WIDE_INLINE void draw_words(const dun_behave *b, const wide_keys *keys, const uint32_t i[ABREAST], uint32_t stream,
                            uint64_t draw, wide_int words[ABREAST][4]) {
    for (int g = 0; g < ABREAST; g++) {
        words[g][0] = wide_int_load((const int32_t *)(b->id + i[g]));
        words[g][1] = wide_int_set((int32_t)(uint32_t)draw);
        words[g][2] = wide_int_set((int32_t)stream);
        words[g][3] = wide_int_set((int32_t)(uint32_t)(draw >> 32));
    }
    wide_philox(words, ABREAST, keys);
}

/* What is known of an agent's walk: where it is at both ends of a stretch of time. In 2D there is one component, in turns. */
typedef struct walk_stretch {
    wide from[3], to[3];
} walk_stretch;

/*
 * From one random angle to the next, by the shorter way if a random byte is large and by the other way if it is small. The turn
 * then has the density 1 - |turn| on (-1, 1), nearly that of a walk with its variance, 1/6; and turns are independent.
 */
WIDE_INLINE void turn_between(wide_int from, wide_int to, walk_stretch *out) {
    const wide angle = unit_interval(from), turn = fold(wide_sub(unit_interval(to), angle), 1.0f);
    const wide size = wide_max(turn, wide_sub(wide_zero(), turn));
    const wide chance = wide_mul(wide_from_int(wide_int_and(from, wide_int_set(255))), wide_set(0x1p-8f));
    const wide back = wide_blend(wide_lt(wide_zero(), turn), wide_set(-1.0f), wide_set(1.0f));
    out->from[0] = angle;
    out->to[0] = wide_add(angle, wide_add(turn, wide_keep(wide_lt(chance, size), back)));
}

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

/* The places at the ends of the block. One call has the words for four in 2D, two in 3D, so mostly for both. */
WIDE_INLINE void draw_block(const dun_behave *b, const wide_keys *keys, const uint32_t i[ABREAST], int dimensions,
                            walk_stretch out[ABREAST]) {
    const uint32_t size = dimensions == 3 ? 2 : 1, in_draw = 4 / size;
    const uint64_t block = b->wander.block, after = block + 1;
    wide_int words[ABREAST][4], from[ABREAST][2];
    draw_words(b, keys, i, b->wander.stream, block / in_draw, words);
    for (int g = 0; g < ABREAST; g++)
        for (uint32_t w = 0; w < size; w++) from[g][w] = words[g][block % in_draw * size + w];
    if (after % in_draw == 0) draw_words(b, keys, i, b->wander.stream, after / in_draw, words);
    for (int g = 0; g < ABREAST; g++) {
        const wide_int *to = words[g] + after % in_draw * size;
        if (dimensions == 3) {
            point_on_sphere(from[g], out[g].from);
            point_on_sphere(to, out[g].to);
        } else {
            turn_between(from[g][0], *to, &out[g]);
        }
    }
}

/* Takes one part of the stretch. Middles are numbered as in a heap; which bytes are theirs is the same for all agents.
 */
WIDE_INLINE void divide(const dun_wander_level *level, int dimensions, const wide_int words[4], walk_stretch *s) {
    const int halvings = dimensions == 3 ? 2 : 4;
    const uint32_t components = dimensions == 3 ? 3 : 1;
    float scale = level->scale;
    for (int h = 0; h < halvings; h++) {
        const uint32_t middle = (1u << h) - 1 + (level->part >> (halvings - h));
        const bool later = level->part >> (halvings - 1 - h) & 1;
        for (uint32_t c = 0; c < components; c++) {
            const uint32_t at = middle * components + c;
            const wide_int byte = wide_int_and(wide_int_shift_right(words[at / 4], (int)(at % 4 * 8)), wide_int_set(255));
            const wide noise = wide_mul(wide_sub(wide_from_int(byte), wide_set(127.5f)), wide_set(scale));
            const wide place = wide_add(wide_mul(wide_add(s->from[c], s->to[c]), wide_set(0.5f)), noise);
            *(later ? &s->from[c] : &s->to[c]) = place;
        }
        scale *= 0.70710678f; /* in half the time there is half the variance */
    }
}

/* In 2D relative to the heading; in 3D, where only memory could know a direction across the heading, absolute. */
WIDE_INLINE void direction_in(const walk_stretch *s, float share, int dimensions, wide out[3]) {
    for (int c = 0; c < (dimensions == 3 ? 3 : 1); c++)
        out[c] = wide_add(s->from[c], wide_mul(wide_sub(s->to[c], s->from[c]), wide_set(share)));
    if (dimensions == 3)
        to_unit(out, 3);
    else
        wide_sincos_turns(out[0], &out[1], &out[0]);
}

/* ---- steering ----------------------------------------------------------------------------------------------------------- */

/* The directions of some agents at a time: each is a long chain of operations, and in a loop of their own the chains overlap.
 */
enum { WANDER_BLOCK = 64 };

/* An odd last packet is computed twice. */
WIDE_INLINE void find_directions(const dun_behave *b, const wide_keys *keys, int dimensions, uint32_t begin, uint32_t end,
                                 float found[3][WANDER_BLOCK]) {
    for (uint32_t i = begin; i < end; i += ABREAST * DUNLIN_LANES) {
        const uint32_t packets[ABREAST] = {i, end - i > DUNLIN_LANES ? i + DUNLIN_LANES : i};
        walk_stretch part[ABREAST];
        draw_block(b, keys, packets, dimensions, part);
        for (int l = 0; l < b->wander.levels; l++) {
            const dun_wander_level *level = &b->wander.level[l];
            wide_int words[ABREAST][4];
            draw_words(b, keys, packets, level->stream, level->stretch, words);
            for (int g = 0; g < ABREAST; g++) divide(level, dimensions, words[g], &part[g]);
        }
        for (int g = 0; g < ABREAST; g++) {
            wide direction[3];
            direction_in(&part[g], b->wander.share, dimensions, direction);
            for (int a = 0; a < dimensions; a++) wide_store(found[a] + (packets[g] - begin), direction[a]);
        }
    }
}

/* An agent at rest is in the middle of the circle, and its heading is the x axis. */
WIDE_INLINE void wander_lanes(const dun_behave *b, int dimensions, uint32_t i, const float *const found[3]) {
    wide velocity[3], heading[3], direction[3], offset[3];
    load(b->velocity, dimensions, i, velocity);
    load(found, dimensions, 0, direction);
    const wide v2 = length2(velocity, dimensions), scale = wide_div(wide_set(1.0f), wide_sqrt(v2));
    const wide_mask moves = has_direction(v2);
    for (int a = 0; a < dimensions; a++)
        heading[a] = wide_blend(moves, wide_mul(velocity[a], scale), wide_set(a == 0 ? 1.0f : 0.0f));
    if (dimensions == 2) {
        const wide ahead = direction[0], left = direction[1];
        direction[0] = wide_sub(wide_mul(ahead, heading[0]), wide_mul(left, heading[1]));
        direction[1] = wide_add(wide_mul(ahead, heading[1]), wide_mul(left, heading[0]));
    }
    const wide distance = wide_keep(moves, wide_set(b->wander.distance)), radius = wide_set(b->wander.radius);
    for (int a = 0; a < dimensions; a++) offset[a] = wide_add(wide_mul(heading[a], distance), wide_mul(direction[a], radius));
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

static void behave_wander(const dun_behave *behave, uint32_t count) {
    const dun_behave b = *behave;
    if (b.dimensions == 3)
        wander_all(&b, 3, count);
    else
        wander_all(&b, 2, count);
}

#endif
