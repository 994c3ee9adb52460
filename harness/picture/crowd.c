/* SPDX-License-Identifier: MIT */
#include "harness/picture/crowd.h"

#include <math.h>

enum { SIDE = 64 /* squares along the longer side of the picture */, SAMPLES = 8192 };

static double longer_side(const picture_camera *camera) {
    return fmax(camera->span[0], camera->span[1]);
}

/* Of so many agents, if they are spread over the whole picture: pixels. */
static double distance_apart(const picture_camera *camera, uint32_t agents) {
    return sqrt(camera->span[0] * camera->span[1] / agents);
}

/* The square of the picture in which an agent is. */
static int square_of(const picture_camera *camera, const dunlin_view *view, uint32_t agent) {
    double at[3] = {0.0}, x, y;
    for (int a = 0; a < camera->dimensions; a++) at[a] = (double)view->position[a][agent];
    camera_point(camera, at, &x, &y);
    const double per_pixel = SIDE / longer_side(camera);
    const double column = (x - 0.5 * (camera->width - camera->span[0])) * per_pixel,
                 row = (y - 0.5 * (camera->height - camera->span[1])) * per_pixel;
    return (int)fmin(fmax(row, 0.0), SIDE - 1) * SIDE + (int)fmin(fmax(column, 0.0), SIDE - 1);
}

/*
 * Mean over the agents of how many agents share an agent's square. So it says how crowded it is where agents are, not how
 * crowded the picture is on average. Of many agents it takes every so many.
 */
static double mean_crowd(const picture_camera *camera, const dunlin_view *view) {
    const uint32_t stride = (view->count - 1) / SAMPLES + 1;
    uint32_t tally[SIDE * SIDE] = {0}, seen = 0;
    for (uint32_t i = 0; i < view->count; i += stride, seen++) tally[square_of(camera, view, i)]++;
    double squares = 0.0;
    for (int i = 0; i < SIDE * SIDE; i++) squares += (double)tally[i] * (double)tally[i];
    return (squares / seen - 1.0) * stride + 1.0;
}

static double closeness_of(const picture_camera *camera, const dunlin_view *view) {
    const double in_crowd = longer_side(camera) / SIDE / sqrt(mean_crowd(camera, view));
    return fmin(in_crowd / distance_apart(camera, view->count), 1.0);
}

double crowd_closeness(const dunlin_world *world, const picture_camera *camera) {
    double logarithms = 0.0, agents = 0.0;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        if (view.count > 0) logarithms += view.count * log(closeness_of(camera, &view));
        agents += view.count;
    }
    return agents > 0.0 ? exp(logarithms / agents) : 1.0;
}

double crowd_room(const picture_camera *camera, uint32_t agents, double closeness) {
    return 1.1 * distance_apart(camera, agents) * sqrt(closeness);
}

double crowd_longest(const picture_camera *camera) {
    return longer_side(camera) / (camera->dimensions == 2 ? 52.0 : 36.0);
}

double crowd_length(const picture_camera *camera, uint32_t agents, double closeness, const dunlin_look *look) {
    if (look->size > 0.0f) return (double)look->size * camera->scale;
    return fmin(crowd_room(camera, agents, closeness), crowd_longest(camera)) * (double)look->scale;
}
