/* SPDX-License-Identifier: MIT */
#include "harness/picture/sights.h"
#include "harness/picture/wide.h"

#include <math.h>
#include <stdlib.h>

void block_free(block *b) {
    free(b->bytes);
    *b = (block){0};
}

void *block_need(block *b, size_t size) {
    if (b->bytes && b->size >= size) return b->bytes;
    block_free(b);
    const size_t rounded = (size / BLOCK_ALIGNMENT + 1) * BLOCK_ALIGNMENT;
    b->bytes = aligned_alloc(BLOCK_ALIGNMENT, rounded);
    if (b->bytes) b->size = rounded;
    return b->bytes;
}

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

static inline void see_axis(float *restrict to, const float *restrict at, uint32_t count, double origin, double middle,
                            double scale) {
    for (uint32_t i = 0; i < count; i++) to[i] = (float)(origin + ((double)at[i] - middle) * scale);
}

/* A world that is seen from above. */
PICTURE_WIDE static void see_2d(const picture_sights *seen, const picture_camera *camera, const dunlin_view *view,
                                uint32_t from, uint32_t to) {
    const float *restrict vx = view->velocity[0], *restrict vy = view->velocity[1];
    float *restrict heading_x = seen->heading_x, *restrict heading_y = seen->heading_y;
    const double up = camera->up[1];
    see_axis(seen->x + from, view->position[0] + from, to - from, camera->middle_x, 0.5 * (camera->low[0] + camera->high[0]),
             camera->scale);
    see_axis(seen->y + from, view->position[1] + from, to - from, camera->middle_y, 0.5 * (camera->low[1] + camera->high[1]),
             -up * camera->scale);
    for (uint32_t i = from; i < to; i++) {
        const double x = (double)vx[i], y = (double)vy[i], speed = sqrt(x * x + y * y);
        const double per_speed = speed > 0.0 ? 1.0 / speed : 0.0;
        heading_x[i] = (float)(x * per_speed);
        heading_y[i] = (float)(up * y * per_speed);
    }
}

static inline sighting see_agent(const picture_camera *camera, const dunlin_view *view, const double middle[3],
                                 uint32_t index) {
    double from_middle[3], velocity[3];
    for (int axis = 0; axis < 3; axis++) {
        from_middle[axis] = (double)view->position[axis][index] - middle[axis];
        velocity[axis] = (double)view->velocity[axis][index];
    }
    const camera_offset at = camera_turn(camera, from_middle), simulation = camera_turn(camera, velocity);
    const double nearness = camera_nearness(camera, at.away);
    const double speed = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
    const double per_speed = speed > 0.0 ? 1.0 / speed : 0.0;
    return (sighting){
        .x = (float)(camera->middle_x + nearness * at.right * camera->scale),
        .y = (float)(camera->middle_y - nearness * at.up * camera->scale),
        .heading_x = (float)(simulation.right * per_speed),
        .heading_y = (float)(simulation.up * per_speed),
        .depth = (float)camera_depth(camera, at.away),
    };
}

PICTURE_WIDE static void see_3d(const picture_sights *seen, const picture_camera *from_camera, const dunlin_view *from_view,
                                uint32_t from, uint32_t to) {
    const picture_camera camera = *from_camera;
    const dunlin_view view = *from_view;
    float *restrict x = seen->x, *restrict y = seen->y, *restrict depth = seen->depth;
    float *restrict heading_x = seen->heading_x, *restrict heading_y = seen->heading_y;
    double middle[3];
    for (int axis = 0; axis < 3; axis++) middle[axis] = 0.5 * (camera.low[axis] + camera.high[axis]);
    for (uint32_t i = from; i < to; i++) {
        const sighting agent = see_agent(&camera, &view, middle, i);
        x[i] = agent.x;
        y[i] = agent.y;
        heading_x[i] = agent.heading_x;
        heading_y[i] = agent.heading_y;
        depth[i] = agent.depth;
    }
}

void picture_sights_see(picture_sights *seen, const picture_camera *camera, const dunlin_view *view, int threads) {
    enum { PIECE = 4096 };
    threads = picture_threads_for(seen->count, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t from = 0; from < seen->count; from += PIECE) {
        const uint32_t to = seen->count - from < PIECE ? seen->count : (uint32_t)from + PIECE;
        (camera->dimensions == 2 ? see_2d : see_3d)(seen, camera, view, (uint32_t)from, to);
    }
}
