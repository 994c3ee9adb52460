/* SPDX-License-Identifier: MIT */
#include "harness/models/lanes.h"

/* Sums over the agents in each zone, and the number in the zone of repulsion. */
typedef struct zones {
    wide repelled[3], oriented[3], attracted[3];
    wide too_near;
} zones;

MODEL_INLINE void meet(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t j, offsets *o, zones *z) {
    float their[3] = {0.0f};
    leave_out_self(packet, l, j, o);
    for (int a = 0; a < l->axes; a++) their[a] = packet->observed_velocity[a][j];
    to_unit(their);
    const wide one = (wide){0} + 1.0f;
    const wide_mask there = (o->squared > 0.0f) & (o->squared <= m->attraction2);
    const wide squared = WIDE_SELECT(there, o->squared, one);
    wide length, ahead = {0};
    wide_sqrt(&squared, &length);
    for (int a = 0; a < l->axes; a++) ahead += l->heading[a] * o->to[a];
    const wide_mask near = there & (o->squared <= m->repulsion2);
    const wide_mask seen = there & ~near & (ahead >= m->blind_cosine * length);
    const wide_mask orients = seen & (o->squared <= m->orientation2), attracts = seen & ~orients;
    for (int a = 0; a < l->axes; a++) {
        const wide unit = o->to[a] / length;
        z->repelled[a] -= WIDE_KEEP(near, unit);
        z->oriented[a] += WIDE_KEEP(orients, (wide){0} + their[a]);
        z->attracted[a] += WIDE_KEEP(attracts, unit);
    }
    z->too_near += WIDE_KEEP(near, one);
}

/* The direction that lane k chooses; false: none. */
static bool choose(const zones *z, int axes, uint32_t k, float wanted[3]) {
    for (int a = 0; a < 3; a++) wanted[a] = 0.0f;
    for (int a = 0; a < axes; a++) /* half of both sums is in no other direction */
        wanted[a] = z->too_near[k] > 0.0f ? z->repelled[a][k] : z->oriented[a][k] + z->attracted[a][k];
    return to_unit(wanted);
}

/* A uniform random unit vector at right angles to v. In the plane there are two. */
static void draw_across(const model *m, const dunlin_packet *packet, int axes, uint32_t id, const float v[3], float across[3]) {
    for (uint32_t draw = 0;; draw++) {
        float u[4], point[3] = {0.0f};
        dunlin_draw(m->seed, id, packet->step, 3 + draw, u);
        for (int a = 0; a < axes; a++) point[a] = 2.0f * u[a] - 1.0f;
        float along = dot(point, v);
        for (int a = 0; a < 3; a++) across[a] = point[a] - along * v[a];
        if (dot(point, point) <= 1.0f && dot(across, across) >= 1e-3f && to_unit(across)) return;
    }
}

static void turn(const float from[3], const float across[3], double turns, float turned[3]) {
    float sine = dunlin_sine_of_turns(turns), cosine = dunlin_sine_of_turns(turns + 0.25);
    for (int a = 0; a < 3; a++) turned[a] = cosine * from[a] + sine * across[a];
}

/* The sum of twelve uniform numbers has the variance 1. */
static double draw_normal(const model *m, const dunlin_packet *packet, uint32_t id) {
    double sum = -6.0;
    for (uint32_t draw = 0; draw < 3; draw++) {
        float u[4];
        dunlin_draw(m->seed, id, packet->step, draw, u);
        for (int i = 0; i < 4; i++) sum += (double)u[i];
    }
    return sum;
}

/* Turns by at most what the agent can turn in a step. */
static void turn_towards(const model *m, const float heading[3], const float wanted[3], const float anywhere[3],
                         float turned[3]) {
    const double max = (double)m->couzin.turning * (double)m->time_step / 360.0;
    const float ahead = dot(heading, wanted);
    float across[3];
    for (int a = 0; a < 3; a++) across[a] = wanted[a] - ahead * heading[a];
    const bool has_side = dot(across, across) >= 1e-10f && to_unit(across);
    /* The cosine of a small turn is rounded to 1; an agent that moves straight must not turn. */
    const bool is_there = !has_side && ahead > 0.0f;
    const bool reaches = is_there || max >= 0.5 || ahead >= dunlin_sine_of_turns(max + 0.25);
    if (reaches)
        memcpy(turned, wanted, 3 * sizeof *turned);
    else
        turn(heading, has_side ? across : anywhere, max, turned);
}

static void decide(const model *m, const dunlin_packet *packet, const lanes *l, uint32_t k, const zones *z) {
    const uint32_t id = id_of(packet, l, k);
    float heading[3], wanted[3], across[3], blurred[3], turned[3];
    take_lane(l->velocity, l->axes, k, heading);
    if (!to_unit(heading)) return;
    if (!choose(z, l->axes, k, wanted)) memcpy(wanted, heading, sizeof wanted);
    draw_across(m, packet, l->axes, id, wanted, across);
    turn(wanted, across, (double)m->couzin.noise * draw_normal(m, packet, id) / TWO_PI, blurred);
    draw_across(m, packet, l->axes, id, heading, across);
    turn_towards(m, heading, blurred, across, turned);
    to_unit(turned);
    simulate(m, packet, l, k, turned);
}

MODEL_LOOP(zones, meet, decide)
MODEL_ACT(model_couzin_act, act)
