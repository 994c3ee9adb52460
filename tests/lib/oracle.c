/* SPDX-License-Identifier: MIT */
#include "tests/lib/oracle.h"

#include <math.h>

/* ---- offsets ---------------------------------------------------------------------------------------------------------- */

static bool repeats(const oracle_scene *scene, int axis) {
    return scene->periodic && !(scene->walled >> axis & 1);
}

static float nearest_image(float offset, float size) {
    if (offset > size / 2.0f) return offset - size;
    if (offset < -size / 2.0f) return offset + size;
    return offset;
}

float oracle_offset(const oracle_scene *scene, const float at[3], uint32_t agent, float delta[3]) {
    float square[3] = {0.0f};
    for (int a = 0; a < scene->dimensions; a++) {
        delta[a] = scene->position[a][agent] - at[a];
        if (repeats(scene, a)) delta[a] = nearest_image(delta[a], scene->size[a]);
        square[a] = delta[a] * delta[a];
    }
    const float plane = square[0] + square[1];
    return scene->dimensions == 3 ? plane + square[2] : plane;
}

bool oracle_sees(const oracle_scene *scene, const float at[3], uint32_t agent, float radius) {
    float delta[3];
    return radius > 0.0f && oracle_offset(scene, at, agent, delta) <= radius * radius;
}

double oracle_offset_error(const oracle_scene *scene, const float at[3], uint32_t agent, int axis) {
    float delta[3] = {0};
    oracle_offset(scene, at, agent, delta);
    const double difference = (double)scene->position[axis][agent] - (double)at[axis], size = (double)scene->size[axis];
    const double images = repeats(scene, axis) ? nearbyint((difference - (double)delta[axis]) / size) : 0.0;
    const double exact = difference - size * images;
    const double made_from = fabs(difference) + fabs(exact);
    return made_from > 0.0 ? fabs((double)delta[axis] - exact) / (ORACLE_U * made_from) : fabs((double)delta[axis]);
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

/* f(d) of a push -Δ·f(d), and the size of its terms. */
static double push_of(const oracle_scene *scene, double d, double *measure) {
    const double radius = (double)scene->radius[ORACLE_SEPARATION];
    switch (scene->falloff) {
    case ORACLE_INVERSE:
        return *measure = 1.0 / (d * d);
    case ORACLE_LINEAR:
        *measure = (1.0 + d / radius) / d;
        return (1.0 - d / radius) / d;
    default:
        return *measure = 1.0 / d;
    }
}

static void add_term(oracle_sum *sum, int axis, double term, double measure) {
    sum->sum[axis] += term;
    sum->terms[axis] += fabs(measure);
}

static void add_neighbour(const oracle_scene *scene, oracle_view *view, uint32_t agent, const float delta[3], float d2) {
    double exact_d2 = 0.0, measure;
    for (int a = 0; a < scene->dimensions; a++) exact_d2 += (double)delta[a] * (double)delta[a];
    const double push = push_of(scene, sqrt(fmax(exact_d2, 0x1p-126)), &measure);
    for (int r = 0; r < ORACLE_RULES; r++) {
        if (!(scene->radius[r] > 0.0f) || !(d2 <= scene->radius[r] * scene->radius[r])) continue;
        oracle_sum *sum = &view->rule[r];
        sum->count++;
        for (int a = 0; a < scene->dimensions; a++) {
            const double offset = (double)delta[a], velocity = (double)scene->velocity[a][agent];
            if (r == ORACLE_SEPARATION) add_term(sum, a, -offset * push, offset * measure);
            if (r == ORACLE_ALIGNMENT) add_term(sum, a, velocity, velocity);
            if (r == ORACLE_COHESION) add_term(sum, a, offset, offset);
        }
    }
}

oracle_view oracle_look(const oracle_scene *scene, const float at[3], uint32_t self) {
    oracle_view view = {.nearest_d2 = INFINITY};
    const float widest = fmaxf(scene->radius[0], fmaxf(scene->radius[1], scene->radius[2]));
    for (uint32_t j = 0; j < scene->count; j++) {
        if (j == self) continue;
        float delta[3];
        const float d2 = oracle_offset(scene, at, j, delta);
        view.nearest_d2 = fminf(view.nearest_d2, d2);
        if (!(widest > 0.0f) || !(d2 <= widest * widest)) continue;
        if (scene->ignore_coincident && d2 == 0.0f) continue;
        view.seen++;
        add_neighbour(scene, &view, j, delta, d2);
    }
    return view;
}

double oracle_bound(uint32_t terms) {
    return (double)terms - 1.0 + 9.0 + 1.0;
}

/* ---- response --------------------------------------------------------------------------------------------------------- */

static double length(const double v[3], int dimensions) {
    double sum = 0.0;
    for (int a = 0; a < dimensions; a++) sum += v[a] * v[a];
    return sqrt(sum);
}

static double widened_length(const float v[3], int dimensions) {
    double wide[3] = {0};
    for (int a = 0; a < dimensions; a++) wide[a] = (double)v[a];
    return length(wide, dimensions);
}

void oracle_respond(const oracle_response *rule, const float sum[3], int32_t count, const float velocity[3], double force[3],
                    double *size) {
    double desired[3] = {0}, own[3] = {0}, response[3] = {0};
    for (int a = 0; a < rule->dimensions; a++) {
        desired[a] = (double)sum[a];
        own[a] = (double)velocity[a] + rule->in_turn * force[a];
    }
    *size = length(force, rule->dimensions);
    const double desired_length = length(desired, rule->dimensions);
    if (rule->steer ? desired_length == 0.0 : count == 0) return;

    const double scale = rule->steer ? rule->max_speed / desired_length : rule->average ? 1.0 / count : 1.0;
    const bool minus = rule->steer || rule->minus_velocity;
    for (int a = 0; a < rule->dimensions; a++) response[a] = desired[a] * scale - (minus ? own[a] : 0.0);
    const double response_length = length(response, rule->dimensions);
    const double limited = response_length > rule->limit ? rule->limit / response_length : 1.0;
    for (int a = 0; a < rule->dimensions; a++) force[a] += rule->weight * limited * response[a];

    double made_from = desired_length * scale;
    if (minus) made_from += widened_length(velocity, rule->dimensions) + fabs(rule->in_turn) * *size;
    *size += fabs(rule->weight) * limited * made_from;
}

/* ---- motion ----------------------------------------------------------------------------------------------------------- */

void oracle_move(const oracle_motion *motion, const float position[3], const float velocity[3], const float force[3],
                 double to_position[3], double to_velocity[3], double *size) {
    for (int a = 0; a < motion->dimensions; a++) to_velocity[a] = (double)velocity[a] + (double)force[a] * motion->force_scale;
    const double speed = length(to_velocity, motion->dimensions);
    double allowed = fmin(speed, motion->max_speed);
    if (speed > 0.0) allowed = fmax(allowed, motion->min_speed);
    const double made_from =
        widened_length(velocity, motion->dimensions) + fabs(motion->force_scale) * widened_length(force, motion->dimensions);
    *size = speed > 0.0 ? made_from * allowed / speed : 0.0;
    const double kept = allowed * (1.0 - motion->drag), slowed = fmax(kept - motion->friction * motion->time_step, 0.0);
    for (int a = 0; a < motion->dimensions; a++) {
        if (speed > 0.0) to_velocity[a] *= slowed / speed;
        const double moving = motion->explicit_motion ? (double)velocity[a] : to_velocity[a];
        to_position[a] = (double)position[a] + moving * motion->time_step;
    }
}

double oracle_bound_axis(oracle_edge edge, double size, double margin, double x, bool *turns) {
    *turns = edge == ORACLE_REFLECT && (x < 0.0 || x > size);
    switch (edge) {
    case ORACLE_PERIODIC:
        return x < 0.0 ? x + size : x >= size ? x - size : x;
    case ORACLE_TELEPORT:
        return x < -margin ? size + margin : x > size + margin ? -margin : x;
    case ORACLE_OVERSHOOT:
        return x < 0.0 ? x + size : x > size ? x - size : x;
    case ORACLE_REFLECT:
        return x < 0.0 ? -x : x > size ? 2.0 * size - x : x;
    default:
        return x;
    }
}
