/* SPDX-License-Identifier: MIT */
/* What the models' callbacks share. */
#ifndef DUNLIN_HARNESS_MODEL_CALLBACKS_H
#define DUNLIN_HARNESS_MODEL_CALLBACKS_H

#include "harness/models/lanes.h"
#include "harness/models/model.h"

#define TWO_PI 6.283185307179586476925

/* One for each kind: a dunlin_group_fn; `user` is a model. */
void model_vicsek_act(void *user, const dunlin_group_view *group);
void model_couzin_act(void *user, const dunlin_group_view *group);
void model_circles_act(void *user, const dunlin_group_view *group);
void model_matching_act(void *user, const dunlin_group_view *group);

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

static inline uint32_t id_of(const dunlin_group_view *group, const lanes *l, uint32_t k) {
    return group->id[group->first + l->first + k];
}

/* Adds the force that gives lane k this velocity. */
static inline void set_velocity(const model *m, const dunlin_group_view *group, const lanes *l, uint32_t k,
                                const float velocity[3]) {
    for (int a = 0; a < l->axes; a++) group->force[a][l->first + k] += (velocity[a] - l->velocity[a][k]) * m->per_change;
}

/* Sets the velocity to that direction at full speed. */
static inline void fly(const model *m, const dunlin_group_view *group, const lanes *l, uint32_t k, const float direction[3]) {
    const float velocity[3] = {m->speed * direction[0], m->speed * direction[1], m->speed * direction[2]};
    set_velocity(m, group, l, k, velocity);
}

#endif
