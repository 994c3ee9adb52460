/* SPDX-License-Identifier: MIT */
#include "tests/lib/flocks.h"
#include "tests/lib/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- layouts ---------------------------------------------------------------------------------------------------------- */

const char *flock_layout_name(flock_layout layout) {
    static const char *const names[FLOCK_LAYOUTS] = {"spread", "point",    "pairs",    "lattice", "edges",
                                                     "far",    "very far", "denormal", "tiny",    "around zero"};
    return names[layout];
}

static float place(flock_layout layout, uint32_t agent, int axis, const float *earlier, test_random *random) {
    const float spread = test_uniform(random, 0.0f, FLOCK_SIZE);
    const float step = (float)test_below(random, (uint32_t)(2.0f * FLOCK_SIZE / FLOCK_RADIUS) + 1) * (0.5f * FLOCK_RADIUS);
    switch (layout) {
    case FLOCK_POINT:
        return 3.0f + (float)axis;
    case FLOCK_PAIRS:
        return agent % 2 ? earlier[agent - 1] : spread;
    case FLOCK_LATTICE:
        return step;
    case FLOCK_EDGES:
        return test_nudge(random, step, 3);
    case FLOCK_FAR:
        return 1e6f + spread;
    case FLOCK_VERY_FAR:
        return 1e8f + (axis == 1 ? -2.0f : 1.0f) * spread;
    case FLOCK_DENORMAL:
        return (float)((int)test_below(random, 9) - 4) * 0x1p-149f;
    case FLOCK_TINY:
        return test_uniform(random, -1.0f, 1.0f) * 0x1p-66f;
    case FLOCK_AROUND_ZERO:
        return agent % 4 == 0 ? 0.0f : agent % 4 == 1 ? -0.0f : test_uniform(random, -4.0f, 4.0f);
    default:
        return spread;
    }
}

flock flock_new(flock_layout layout, int dimensions, uint32_t count, test_random *random) {
    flock made = {.dimensions = dimensions, .count = count};
    const float speed = layout == FLOCK_DENORMAL ? 0x1p-140f : 2.0f;
    for (int a = 0; a < dimensions; a++) {
        made.position[a] = test_array_new(count);
        made.velocity[a] = test_array_new(count);
        for (uint32_t i = 0; i < count; i++) {
            made.position[a].at[i] = place(layout, i, a, made.position[a].at, random);
            made.velocity[a].at[i] = test_uniform(random, -1.0f, 1.0f) * speed;
        }
    }
    return made;
}

void flock_free(flock *agents) {
    for (int a = 0; a < agents->dimensions; a++) {
        test_array_free(&agents->position[a]);
        test_array_free(&agents->velocity[a]);
    }
}

/* ---- shapes ----------------------------------------------------------------------------------------------------------- */

dun_shape flock_shape(int dimensions, int number) {
    dun_shape shape = {.dimensions = dimensions};
    if (number < 4) { /* every rule has its own radius */
        shape.separation = (dun_push)number;
        shape.alignment = shape.cohesion = true;
        return shape;
    }
    const int combination = number - 4 + 1; /* 0 would switch every rule off */
    shape.separation = (dun_push)(combination / 4);
    shape.alignment = combination & 1;
    shape.cohesion = combination & 2;
    shape.nested = true;
    return shape;
}

/* Derives the kernel's numbers from the radii, as the engine does. */
static void set_radii(dun_interact *in, float separation, float alignment, float cohesion) {
    const float widest = fmaxf(separation, fmaxf(alignment, cohesion));
    in->max_r2 = widest * widest;
    in->separation_r2 = separation > 0.0f ? separation * separation : -1.0f;
    in->alignment_r2 = alignment > 0.0f ? alignment * alignment : -1.0f;
    in->cohesion_r2 = cohesion > 0.0f ? cohesion * cohesion : -1.0f;
    in->inverse_separation_radius = separation > 0.0f ? 1.0f / separation : 0.0f;
}

dun_interact flock_interact(const flock *observer, const flock *observed, dun_shape shape) {
    dun_interact in = {.shape = shape, .own = observer == observed};
    for (int a = 0; a < shape.dimensions; a++) {
        in.observer[a] = observer->position[a].at;
        in.observer_velocity[a] = observer->velocity[a].at;
        in.position[a] = observed->position[a].at;
        in.velocity[a] = observed->velocity[a].at;
        in.size[a] = FLOCK_SIZE;
    }
    const bool only_separation = !shape.alignment && !shape.cohesion;
    const float separation = shape.separation == DUN_PUSH_NONE ? 0.0f : only_separation ? FLOCK_RADIUS : 0.5f * FLOCK_RADIUS;
    if (shape.nested)
        set_radii(&in, separation, shape.alignment * FLOCK_RADIUS, shape.cohesion * FLOCK_RADIUS);
    else if (shape.separation == DUN_PUSH_LINEAR)
        set_radii(&in, FLOCK_RADIUS, 0.75f * FLOCK_RADIUS, 0.0f);
    else
        set_radii(&in, separation, 0.75f * FLOCK_RADIUS, FLOCK_RADIUS);
    return in;
}

oracle_scene flock_scene(const dun_interact *in, uint32_t observed, bool periodic) {
    oracle_scene scene = {.dimensions = in->shape.dimensions, .periodic = periodic, .count = observed};
    for (int a = 0; a < scene.dimensions; a++) {
        scene.size[a] = in->size[a];
        scene.position[a] = in->position[a];
        scene.velocity[a] = in->velocity[a];
    }
    const float r2[ORACLE_RULES] = {in->separation_r2, in->alignment_r2, in->cohesion_r2};
    for (int r = 0; r < ORACLE_RULES; r++) scene.radius[r] = r2[r] > 0.0f ? sqrtf(r2[r]) : 0.0f;
    scene.falloff = in->shape.separation == DUN_PUSH_LINEAR     ? ORACLE_LINEAR
                    : in->shape.separation == DUN_PUSH_CONSTANT ? ORACLE_CONSTANT
                                                                : ORACLE_INVERSE;
    scene.ignore_coincident = in->ignore_coincident;
    return scene;
}

/* ---- a stretch of groups ---------------------------------------------------------------------------------------------- */

flock_sums flock_sums_new(uint32_t count) {
    flock_sums made;
    for (int c = 0; c < 12; c++) made.column[c] = test_array_new(count);
    for (int a = 0; a < 3; a++) {
        made.sums.push[a] = made.column[a].at;
        made.sums.velocity[a] = made.column[3 + a].at;
        made.sums.offset[a] = made.column[6 + a].at;
    }
    made.sums.seen = (int32_t *)made.column[9].at;
    made.sums.aligned = (int32_t *)made.column[10].at;
    made.sums.cohered = (int32_t *)made.column[11].at;
    return made;
}

void flock_sums_free(flock_sums *sums) {
    for (int c = 0; c < 12; c++) test_array_free(&sums->column[c]);
}

void flock_sums_reset(flock_sums *sums) {
    for (int c = 0; c < 12; c++) test_array_reset(&sums->column[c]);
}

/* All neighbours within the rules' radii except the coincident ones. */
static dun_selection without_coincident(const dun_interact *in) {
    const dun_rule_selection rules[] = {{in->separation_r2, 0.0f, DUN_ALL_AROUND, DUN_KIN_ALL},
                                        {in->alignment_r2, 0.0f, DUN_ALL_AROUND, DUN_KIN_ALL},
                                        {in->cohesion_r2, 0.0f, DUN_ALL_AROUND, DUN_KIN_ALL}};
    return dun_selection_of(rules, 0, 0, true);
}

void flock_sum(const dun_kernel *kernel, const dun_interact *given, uint32_t begin, uint32_t end, const dun_range *ranges,
               uint32_t range_count, flock_sums *sums) {
    dun_interact in = *given;
    const dun_selection selection = without_coincident(given);
    in.selection = &selection;
    dun_interact_fn *interact =
        given->ignore_coincident ? kernel->select[in.shape.dimensions - 2] : kernel->interact(&in.shape);
    assert_non_null(interact);
    for (dun_packet packet = {.first = begin}; packet.first < end; packet.first += packet.count) {
        packet.count = end - packet.first < kernel->lanes ? end - packet.first : kernel->lanes;
        interact(&in, packet, ranges, range_count, &sums->sums, packet.first - begin);
    }
}

void flock_sums_same(const flock_sums *got, const flock_sums *want, uint32_t count, const char *what) {
    static const char *const columns[12] = {"push x",   "push y",   "push z",   "velocity x", "velocity y", "velocity z",
                                            "offset x", "offset y", "offset z", "seen",       "aligned",    "cohered"};
    for (int c = 0; c < 12; c++) {
        char name[256];
        snprintf(name, sizeof name, "%s: %s", what, columns[c]);
        test_same_bits(got->column[c].at, want->column[c].at, count, name);
        test_array_check(&got->column[c]);
    }
}
