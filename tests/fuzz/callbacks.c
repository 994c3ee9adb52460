/* SPDX-License-Identifier: MIT */
/* Callbacks that obey the public header: what they do depends on agent, plan and step alone. */
#include "tests/fuzz/simulation.h"

#include <math.h>

/* What a child brings. */
enum { DRAWN, OWN, INHERITED };

simulation_plan *simulation_make_plan(simulation *f) {
    if (f->plans == SIMULATION_PLANS) return NULL;
    simulation_plan *plan = &f->plan[f->plans++];
    *plan = (simulation_plan){.seed = bytes_choice(&f->bytes, 256)};
    plan->force = bytes_number(&f->bytes, -2, 2);
    if (!isfinite(plan->force)) plan->force = 0;
    plan->dies = (float)bytes_choice(&f->bytes, 4) * 0.05f;
    plan->bears = (float)bytes_choice(&f->bytes, 4) * 0.08f;
    plan->child = bytes_int(&f->bytes, 0, 2);
    plan->brings = bytes_choice(&f->bytes, INHERITED + 1);
    return plan;
}

/* Adds to a force that stays within what the header allows. */
static void push(float *force, float more) {
    if (isfinite(more)) *force = fminf(fmaxf(*force + more, -1e18f), 1e18f);
}

static int axes_of(const float *const vector[3]) {
    return vector[2] ? 3 : 2;
}

static void bear(const simulation_plan *plan, const dunlin_tile *tile, uint32_t parent, const float numbers[4]) {
    float attributes[DUNLIN_MAX_ATTRIBUTES] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    float position[3] = {0}, velocity[3] = {0};
    for (int a = 0; a < axes_of(tile->position); a++) {
        position[a] = tile->position[a][parent];
        velocity[a] = numbers[a] - 0.5f;
    }
    dunlin_error error = {0};
    const int species = plan->brings == INHERITED ? tile->species : plan->child;
    if (plan->brings == INHERITED) dunlin_tile_inherit(tile, parent, (uint32_t)plan->seed, attributes);
    dunlin_tile_spawn(tile, parent, species, position, velocity, plan->brings ? attributes : NULL, &error);
}

void simulation_tile(void *user, const dunlin_tile *tile) {
    const simulation_plan *plan = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        float numbers[4];
        dunlin_draw(plan->seed, tile->id[i], tile->step, 0, numbers);
        for (int a = 0; a < axes_of(tile->position); a++) push(&tile->force[a][i], plan->force * (numbers[a] - 0.5f));
        for (int n = 0; n < DUNLIN_MAX_ATTRIBUTES; n++) {
            float *next = tile->next_attribute[n];
            if (next) next[i] = numbers[1] < 0.01f ? NAN : next[i] * 1.5f + numbers[0]; /* the engine clamps it */
        }
        if (numbers[3] < plan->dies) tile->dies[i] = 1;
        if (numbers[2] < plan->bears) bear(plan, tile, i, numbers);
    }
}

/* To the nearest image. */
static float offset(const dunlin_packet *packet, const dunlin_range *range, int axis, uint32_t from, uint32_t to) {
    const float size = packet->size[axis], half = size * 0.5f;
    const float straight = packet->observed_position[axis][to] - packet->position[axis][from];
    if (!(range->folds >> axis & 1)) return straight;
    return straight > half ? straight - size : straight < -half ? straight + size : straight;
}

/* Each neighbour pulls a little. A neighbour whose distance is within rounding of the radius does not count. */
static void pull(const simulation_plan *plan, const dunlin_packet *packet, uint32_t k, float sum[3]) {
    const int axes = axes_of(packet->position);
    const double reach = (double)plan->radius * 0.999;
    for (uint32_t r = 0; r < packet->range_count; r++) {
        const dunlin_range *range = &packet->ranges[r];
        for (uint32_t j = range->begin; j < range->end; j++) {
            float delta[3] = {0};
            double squares = 0;
            for (int a = 0; a < axes; a++) {
                delta[a] = offset(packet, range, a, packet->first + k, j);
                squares += (double)delta[a] * (double)delta[a];
            }
            if (squares > reach * reach) continue;
            for (int a = 0; a < axes; a++) sum[a] += delta[a] + packet->observed_velocity[a][j];
        }
    }
}

void simulation_group(void *user, const dunlin_packet *packet) {
    const simulation_plan *plan = user;
    for (uint32_t k = 0; k < packet->count; k++) {
        float sum[3] = {0};
        pull(plan, packet, k, sum);
        if (packet->next_attribute[0]) packet->next_attribute[0][k] *= -1.5f;
        for (int a = 0; a < axes_of(packet->position); a++) push(&packet->force[a][k], plan->force * 0.01f * sum[a]);
    }
}
