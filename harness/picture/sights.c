/* SPDX-License-Identifier: MIT */
#include "harness/picture/sights.h"

#include <math.h>

enum { MAX_COLUMNS = 7 };

bool picture_sights_make(picture_sights *seen, block *memory, const picture_camera *camera, uint32_t count, bool is_weighted) {
    const size_t column = ((size_t)count + 15) / 16 * 16;
    const bool has_depth = camera->dimensions == 3;
    float *at = block_need(memory, (size_t)(4 + has_depth + 2 * is_weighted) * column * sizeof *at), *columns[MAX_COLUMNS];
    *seen = (picture_sights){.count = at ? count : 0};
    if (!at) return false;
    for (int i = 0; i < MAX_COLUMNS; i++) columns[i] = at + (size_t)i * column;
    seen->x = columns[0];
    seen->y = columns[1];
    seen->heading_x = columns[2];
    seen->heading_y = columns[3];
    if (has_depth) seen->depth = columns[4];
    if (is_weighted) seen->weight = columns[4 + has_depth];
    if (is_weighted) seen->slot = (uint32_t *)(void *)columns[5 + has_depth];
    return true;
}

/* Along one axis of a world that is seen from above. */
static void see_axis(float *to, const float *from, uint32_t count, double origin, double middle, double scale, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t i = 0; i < count; i++) to[i] = (float)(origin + ((double)from[i] - middle) * scale);
}

static void see_headings_2d(const picture_sights *seen, const float *vx, const float *vy, int threads) {
    float *restrict to_x = seen->heading_x, *restrict to_y = seen->heading_y;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t i = 0; i < seen->count; i++) {
        const double x = (double)vx[i], y = (double)vy[i], speed = sqrt(x * x + y * y);
        const double per_speed = speed > 0.0 ? 1.0 / speed : 0.0;
        to_x[i] = (float)(x * per_speed);
        to_y[i] = (float)(y * per_speed);
    }
}

static void see_2d(const picture_sights *seen, const picture_camera *camera, const dunlin_view *view, int threads) {
    const double middle[2] = {0.5 * (camera->low[0] + camera->high[0]), 0.5 * (camera->low[1] + camera->high[1])};
    see_axis(seen->x, view->position[0], seen->count, camera->middle_x, middle[0], camera->scale, threads);
    see_axis(seen->y, view->position[1], seen->count, camera->middle_y, middle[1], -camera->scale, threads);
    see_headings_2d(seen, view->velocity[0], view->velocity[1], threads);
}

static sighting see_3d(const picture_camera *camera, const dunlin_view *view, uint32_t index) {
    double from_middle[3], velocity[3];
    for (int axis = 0; axis < 3; axis++) {
        from_middle[axis] = (double)view->position[axis][index] - 0.5 * (camera->low[axis] + camera->high[axis]);
        velocity[axis] = (double)view->velocity[axis][index];
    }
    const camera_offset at = camera_turn(camera, from_middle), flight = camera_turn(camera, velocity);
    const double nearness = camera_nearness(camera, at.away);
    const double speed = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
    const double per_speed = speed > 0.0 ? 1.0 / speed : 0.0;
    return (sighting){
        .x = (float)(camera->middle_x + nearness * at.right * camera->scale),
        .y = (float)(camera->middle_y - nearness * at.up * camera->scale),
        .heading_x = (float)(flight.right * per_speed),
        .heading_y = (float)(flight.up * per_speed),
        .depth = (float)camera_depth(camera, at.away),
    };
}

void picture_sights_see(picture_sights *seen, const picture_camera *camera, const dunlin_view *view, int threads) {
    threads = picture_threads_for(seen->count, threads);
    if (camera->dimensions == 2) {
        see_2d(seen, camera, view, threads);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t i = 0; i < seen->count; i++) {
        const sighting agent = see_3d(camera, view, i);
        seen->x[i] = agent.x;
        seen->y[i] = agent.y;
        seen->heading_x[i] = agent.heading_x;
        seen->heading_y[i] = agent.heading_y;
        seen->depth[i] = agent.depth;
    }
}
