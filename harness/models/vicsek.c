/* SPDX-License-Identifier: MIT */
#include "harness/models/lanes.h"

typedef struct sums {
    wide velocity[3];
} sums;

/* The agent itself counts, at distance 0. */
MODEL_INLINE void meet(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t j, const offsets *o, sums *s) {
    const wide_mask near = o->squared <= m->vicsek.radius * m->vicsek.radius;
    (void)l;
    for (int a = 0; a < 2; a++) s->velocity[a] += WIDE_KEEP(near, (wide){0} + packet->observed_velocity[a][j]);
}

static void decide(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t k, const sums *s) {
    float heading[3], u[4];
    take_lane(s->velocity, 2, k, heading);
    if (!to_unit(heading)) take_lane(l->velocity, 2, k, heading);
    if (!to_unit(heading)) return;
    dunlin_draw(m->seed, id_of(packet, l, k), packet->step, 0, u);
    const double turns = (double)m->vicsek.noise * ((double)u[0] - 0.5) / TWO_PI;
    const float sine = dunlin_sine_of_turns(turns), cosine = dunlin_sine_of_turns(turns + 0.25);
    const float turned[3] = {cosine * heading[0] - sine * heading[1], sine * heading[0] + cosine * heading[1]};
    simulate(m, packet, l, k, turned);
}

MODEL_LOOP(sums, meet, decide)
MODEL_ACT(model_vicsek_act, act)
