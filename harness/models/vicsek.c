/* SPDX-License-Identifier: MIT */
#include "harness/models/model_callbacks.h"

static void decide(const model *m, const dunlin_group_view *group, const lanes *l, uint32_t k, const wide sum[3]) {
    float heading[3], u[4];
    take_lane(sum, 2, k, heading);
    if (!to_unit(heading)) take_lane(l->velocity, 2, k, heading);
    if (!to_unit(heading)) return;
    dunlin_draw(m->seed, id_of(group, l, k), group->step, 0, u);
    const double turns = (double)m->vicsek.noise * ((double)u[0] - 0.5) / TWO_PI;
    const float sine = dunlin_sine_of_turns(turns), cosine = dunlin_sine_of_turns(turns + 0.25);
    const float turned[3] = {cosine * heading[0] - sine * heading[1], sine * heading[0] + cosine * heading[1]};
    fly(m, group, l, k, turned);
}

/* The agent itself counts, at distance 0. */
MODEL_INLINE void act(void *user, const dunlin_group_view *group) {
    const model *m = user;
    const float radius2 = m->vicsek.radius * m->vicsek.radius;
    lanes l;
    offsets o;
    FOR_LANES(group, &l) {
        wide sum[3] = {{0}};
        FOR_CANDIDATES(group, &l, j, &o) {
            const wide_mask near = o.squared <= radius2;
            for (int a = 0; a < 2; a++) sum[a] += WIDE_KEEP(near, (wide){0} + group->observed_velocity[a][j]);
        }
        for (uint32_t k = 0; k < l.count; k++) decide(m, group, &l, k, sum);
    }
}

MODEL_ACT(model_vicsek_act, act)
