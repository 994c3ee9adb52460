/* SPDX-License-Identifier: MIT */
/*
 * What the models' callbacks share: eight agents of a packet side by side, in the vectors that gcc and clang offer for every
 * processor. Lanes are agents, and every candidate is compared with all of them. Each operation is rounded as for a single
 * agent, so the bits are the same for every width.
 */
#ifndef DUNLIN_HARNESS_MODEL_LANES_H
#define DUNLIN_HARNESS_MODEL_LANES_H

#include "harness/models/model.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586476925

#define MODEL_INLINE static inline __attribute__((always_inline))

/*
 * Defines `name`, a dunlin_packet_fn that calls the inline function `body`, and compiles it a second time for wider vectors
 * where there are any. Neither form fuses multiply and add. target_clones does not work: clang 14 changes the function's name,
 * and its resolver runs before sanitizers are ready.
 */
#if defined(__x86_64__) && defined(__GNUC__)
#define MODEL_WIDER     __attribute__((flatten, target("avx2")))
#define MODEL_HAS_WIDER __builtin_cpu_supports("avx2")
#else
#define MODEL_WIDER     __attribute__((flatten))
#define MODEL_HAS_WIDER false
#endif
#define MODEL_ACT(name, body)                                                                                                  \
    static MODEL_WIDER void name##_wider(void *user, const dunlin_packet *packet) {                                            \
        body(user, packet);                                                                                                    \
    }                                                                                                                          \
    __attribute__((flatten)) void name(void *user, const dunlin_packet *packet) {                                              \
        if (MODEL_HAS_WIDER)                                                                                                   \
            name##_wider(user, packet);                                                                                        \
        else                                                                                                                   \
            body(user, packet);                                                                                                \
    }

enum { LANES = 8 };

typedef float wide __attribute__((vector_size(32)));
typedef int32_t wide_mask __attribute__((vector_size(32))); /* of comparisons: -1 where true, else 0 */

/* a where the mask is set, else b; else 0. */
#define WIDE_SELECT(mask, a, b) ((wide)(((mask) & (wide_mask)(a)) | (~(mask) & (wide_mask)(b))))
#define WIDE_KEEP(mask, a)      ((wide)((mask) & (wide_mask)(a)))

MODEL_INLINE bool wide_any(const wide_mask *mask) {
    uint64_t half[4];
    memcpy(half, mask, sizeof half);
    return (half[0] | half[1] | half[2] | half[3]) != 0;
}

MODEL_INLINE void wide_sqrt(const wide *a, wide *root) {
    for (int k = 0; k < LANES; k++) (*root)[k] = sqrtf((*a)[k]);
}

/* The packet's agents [first, first + count) in as many lanes; the other lanes repeat the last agent. */
typedef struct lanes {
    uint32_t first, count;
    int axes;
    wide at[3], velocity[3], heading[3]; /* heading: 0 at rest */
} lanes;

/* The offsets to a candidate, and their squared lengths. */
typedef struct offsets {
    wide to[3], squared;
} offsets;

MODEL_INLINE void load_lanes(const dunlin_packet *packet, uint32_t first, lanes *l) {
    const uint32_t left = packet->count - first;
    wide squared = {0}, speed;
    *l = (lanes){.first = first, .count = left < LANES ? left : LANES, .axes = packet->position[2] ? 3 : 2};
    for (int a = 0; a < l->axes; a++) {
        for (uint32_t k = 0; k < LANES; k++) {
            uint32_t slot = packet->first + first + (k < l->count ? k : l->count - 1);
            l->at[a][k] = packet->position[a][slot];
            l->velocity[a][k] = packet->velocity[a][slot];
        }
        squared += l->velocity[a] * l->velocity[a];
    }
    wide_sqrt(&squared, &speed);
    for (int a = 0; a < l->axes; a++) l->heading[a] = WIDE_KEEP(speed > 0.0f, l->velocity[a] / speed);
}

/* Offsets are to the nearest image along the axes that the range folds. */
MODEL_INLINE void find_offsets(const dunlin_packet *packet, const lanes *l, uint32_t j, uint32_t folds, offsets *o) {
    o->squared = (wide){0};
    for (int a = 0; a < l->axes; a++) {
        const float size = packet->size[a];
        wide d = packet->observed_position[a][j] - l->at[a];
        if (folds >> a & 1) {
            const wide_mask far_ahead = d > 0.5f * size, far_behind = d < -0.5f * size;
            d = WIDE_SELECT(far_ahead, d - size, WIDE_SELECT(far_behind, d + size, d));
        }
        o->to[a] = d;
        o->squared += d * d;
    }
}

/* An agent does not observe itself: its own offset becomes infinite. */
MODEL_INLINE void leave_out_self(const dunlin_packet *packet, const lanes *l, uint32_t j, offsets *o) {
    uint32_t lane = j - packet->first - l->first;
    if (packet->species == packet->observed && lane < l->count) o->squared[lane] = INFINITY;
}

/* ---- one lane ------------------------------------------------------------------------------------------------------------ */

static inline float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* false: the vector is too short or too long to have a direction, and becomes 0. */
static inline bool to_unit(float v[3]) {
    float squared = dot(v, v);
    bool has_one = squared >= 1e-30f && squared <= 1e30f;
    float scale = has_one ? 1.0f / sqrtf(squared) : 0.0f;
    for (int a = 0; a < 3; a++) v[a] *= scale;
    return has_one;
}

/* One lane of a vector of lanes. */
static inline void take_lane(const wide from[3], int axes, uint32_t k, float v[3]) {
    for (int a = 0; a < 3; a++) v[a] = a < axes ? from[a][k] : 0.0f;
}

static inline uint32_t id_of(const dunlin_packet *packet, const lanes *l, uint32_t k) {
    return packet->id[packet->first + l->first + k];
}

/* Adds the force that gives lane k this velocity. */
static inline void set_velocity(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t k,
                                const float velocity[3]) {
    for (int a = 0; a < l->axes; a++) packet->force[a][l->first + k] += (velocity[a] - l->velocity[a][k]) * m->per_change;
}

/* Sets the velocity to that direction at full speed. */
static inline void simulate(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t k, const float direction[3]) {
    const float velocity[3] = {m->speed * direction[0], m->speed * direction[1], m->speed * direction[2]};
    set_velocity(m, packet, l, k, velocity);
}

/* ---- the callbacks ------------------------------------------------------------------------------------------------------- */

/* One for each kind: a dunlin_packet_fn; `user` is a model. */
void model_vicsek_act(void *user, const dunlin_packet *packet);
void model_couzin_act(void *user, const dunlin_packet *packet);
void model_circles_act(void *user, const dunlin_packet *packet);
void model_matching_act(void *user, const dunlin_packet *packet);

/*
 * Defines act(), a body for MODEL_ACT: calls meet(m, packet, lanes, j, offsets, &sums) for every candidate, then decide(m,
 * packet, lanes, k, &sums) for every lane. `sums` is the type of what begins at 0.
 */
#define MODEL_LOOP(sums, meet, decide)                                                                                         \
    MODEL_INLINE void act(void *user, const dunlin_packet *packet) {                                                           \
        const model *m = user;                                                                                                 \
        for (uint32_t first = 0; first < packet->count; first += LANES) {                                                      \
            lanes l;                                                                                                           \
            sums s;                                                                                                            \
            load_lanes(packet, first, &l);                                                                                     \
            memset(&s, 0, sizeof s);                                                                                           \
            for (const dunlin_range *r = packet->ranges; r < packet->ranges + packet->range_count; r++)                        \
                for (uint32_t j = r->begin; j < r->end; j++) {                                                                 \
                    offsets o;                                                                                                 \
                    find_offsets(packet, &l, j, r->folds, &o);                                                                 \
                    meet(m, packet, &l, j, &o, &s);                                                                            \
                }                                                                                                              \
            for (uint32_t k = 0; k < l.count; k++) decide(m, packet, &l, k, &s);                                               \
        }                                                                                                                      \
    }

#endif
