/* SPDX-License-Identifier: MIT */
/* What happens at the edges of each axis. */
#ifndef DUNLIN_ENGINE_EDGES_H
#define DUNLIN_ENGINE_EDGES_H

#include <math.h>

#include <dunlin/dunlin.h>

static inline dunlin_boundary dun_boundary_of(const dunlin_world_def *def, int axis) {
    const dunlin_boundary own = def->axis_boundary[axis];
    return own == DUNLIN_BOUNDARY_SAME ? def->boundary : own;
}

static inline bool dun_repeats(const dunlin_world_def *def, int axis) {
    return dun_boundary_of(def, axis) == DUNLIN_BOUNDARY_PERIODIC;
}

/* Of the world's axes, bit a each. */
static inline uint32_t dun_axes_with(const dunlin_world_def *def, dunlin_boundary boundary) {
    uint32_t axes = 0;
    for (int a = 0; a < def->dimensions; a++) axes |= (uint32_t)(dun_boundary_of(def, a) == boundary) << a;
    return axes;
}

static inline bool dun_is_periodic(const dunlin_world_def *def) {
    return dun_axes_with(def, DUNLIN_BOUNDARY_PERIODIC) != 0;
}

/* Open along every axis. */
static inline bool dun_is_open(const dunlin_world_def *def) {
    return dun_axes_with(def, DUNLIN_BOUNDARY_OPEN) == (1u << def->dimensions) - 1;
}

/* Half of it is where offsets fold; INFINITY: they never do, along an axis that does not repeat. */
static inline float dun_fold_size(const dunlin_world_def *def, int axis) {
    return dun_repeats(def, axis) ? def->size[axis] : INFINITY;
}

/* How far agents go beyond the edges. */
static inline float dun_margin_of(const dunlin_world_def *def, int axis) {
    return dun_boundary_of(def, axis) == DUNLIN_BOUNDARY_TELEPORT ? def->margin : 0.0f;
}

/* The definition that says the same with `boundary` alone, or, where axes differ, with all of them. */
dunlin_world_def dun_boundary_plain(dunlin_world_def def);

/* As one number, which is the boundary's own where all axes agree; and back. false: no world has it. */
uint32_t dun_boundary_code(const dunlin_world_def *def);
bool dun_boundary_decode(dunlin_world_def *def, uint32_t code);

#endif
