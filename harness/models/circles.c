/* SPDX-License-Identifier: MIT */
#include "harness/models/lanes.h"

typedef struct sums {
    wide moved[3], count;
} sums;

/*
 * sin(2 pi t) for -1 <= t <= 0. Half a turn later it is -sin around 0, folded to a quarter turn either way. There the series to
 * the eleventh power is within 1e-7.
 */
MODEL_INLINE void sine_of_turns(const wide *t, wide *sine) {
    const wide half = *t + 0.5f;
    const wide_mask over = half > 0.25f, under = half < -0.25f;
    const wide y = WIDE_SELECT(over, 0.5f - half, WIDE_SELECT(under, -0.5f - half, half)) * (float)TWO_PI, y2 = y * y;
    wide series = 1.0f - y2 * (1.0f / 110);
    series = 1.0f - y2 * (1.0f / 72) * series;
    series = 1.0f - y2 * (1.0f / 42) * series;
    series = 1.0f - y2 * (1.0f / 20) * series;
    series = 1.0f - y2 * (1.0f / 6) * series;
    *sine = -y * series;
}

/* The agent itself, like any agent at the same place, is left out. */
MODEL_INLINE void meet(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t j, const offsets *o, sums *s) {
    const model_circles *c = &m->circles;
    const wide_mask near = (o->squared > 0.0f) & (o->squared < c->radius * c->radius);
    (void)packet, (void)l, (void)j;
    if (!wide_any(&near)) return;
    const wide one = (wide){0} + 1.0f, squared = WIDE_SELECT(near, o->squared, one);
    wide distance, sine;
    wide_sqrt(&squared, &distance);
    const wide turns = distance * (-2.0f * 3.141f / (float)TWO_PI / c->radius);
    sine_of_turns(&turns, &sine);
    const wide pull = c->strength * sine / distance;
    for (int a = 0; a < 3; a++) s->moved[a] += WIDE_KEEP(near, pull * o->to[a]);
    s->count += WIDE_KEEP(near, one);
}

static void decide(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t k, const sums *s) {
    const float share = 1.0f / (s->count[k] > 0.0f ? s->count[k] : 1.0f) / m->time_step;
    const float velocity[3] = {s->moved[0][k] * share, s->moved[1][k] * share, s->moved[2][k] * share};
    set_velocity(m, packet, l, k, velocity);
}

MODEL_LOOP(sums, meet, decide)
MODEL_ACT(model_circles_act, act)
