/* SPDX-License-Identifier: MIT */
#include "harness/models/lanes.h"

typedef struct sums {
    wide offset[3], away[3], velocity[3], count;
} sums;

MODEL_INLINE void meet(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t j, offsets *o, sums *s) {
    const model_matching *c = &m->matching;
    leave_out_self(packet, l, j, o);
    const wide_mask near = o->squared <= c->radius * c->radius, close = near & (o->squared < c->distance * c->distance);
    for (int a = 0; a < l->axes; a++) {
        s->offset[a] += WIDE_KEEP(near, o->to[a]);
        s->away[a] -= WIDE_KEEP(close, o->to[a]);
        s->velocity[a] += WIDE_KEEP(near, (wide){0} + packet->observed_velocity[a][j]);
    }
    s->count += WIDE_KEEP(near, (wide){0} + 1.0f);
}

static void decide(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t k, const sums *s) {
    const model_matching *c = &m->matching;
    const float share = 1.0f / (s->count[k] > 0.0f ? s->count[k] : 1.0f);
    float heading[3] = {0.0f};
    for (int a = 0; a < l->axes; a++) {
        float pull = c->cohere * s->offset[a][k] + c->separate * s->away[a][k] + c->match * s->velocity[a][k];
        heading[a] = l->velocity[a][k] + pull * share;
    }
    if (to_unit(heading)) simulate(m, packet, l, k, heading);
}

MODEL_LOOP(sums, meet, decide)
MODEL_ACT(model_matching_act, act)
