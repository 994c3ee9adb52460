/* SPDX-License-Identifier: MIT */
#include "harness/picture/camera.h"

#include <math.h>
#include <string.h>

enum { MAX_SIDE = 4096 };

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- what to frame ---------------------------------------------------------------------------------------------------- */

static void include_agents(picture_camera *camera, const dunlin_view *view) {
    for (int axis = 0; axis < camera->dimensions; axis++) {
        for (uint32_t i = 0; i < view->count; i++) {
            double at = (double)view->position[axis][i];
            camera->low[axis] = fmin(camera->low[axis], at);
            camera->high[axis] = fmax(camera->high[axis], at);
        }
    }
}

static void include_point(picture_camera *camera, int axis, float at) {
    camera->low[axis] = fmin(camera->low[axis], (double)at);
    camera->high[axis] = fmax(camera->high[axis], (double)at);
}

/* Points and walls that agents steer by must be in the picture. */
static void include_behaviour(picture_camera *camera, const dunlin_behaviour_def *def) {
    for (int axis = 0; axis < camera->dimensions; axis++) {
        if (def->kind <= DUNLIN_BEHAVIOUR_EVADE && def->target.kind == DUNLIN_TARGET_POINT)
            include_point(camera, axis, def->target.position[axis]);
        if (def->kind != DUNLIN_BEHAVIOUR_CONTAIN || def->contain.margin[axis] < 0.0f) continue;
        include_point(camera, axis, def->contain.min[axis]);
        include_point(camera, axis, def->contain.max[axis]);
    }
}

static void include_path(picture_camera *camera, const dunlin_world *world, int path) {
    dunlin_path_def view = dunlin_world_get_path(world, path);
    for (int axis = 0; axis < camera->dimensions; axis++) {
        for (uint32_t i = 0; i < view.count; i++) include_point(camera, axis, view.points[axis][i]);
    }
}

/* Makes no side of the box shorter than a third of the longest, so that the picture is not a line, and adds a margin. */
static void widen_box(picture_camera *camera) {
    double longest = 0.0;
    for (int axis = 0; axis < camera->dimensions; axis++) longest = fmax(longest, camera->high[axis] - camera->low[axis]);
    double min_side = fmax(longest / 3.0, 1e-6);
    for (int axis = 0; axis < camera->dimensions; axis++) {
        double missing = fmax(min_side - (camera->high[axis] - camera->low[axis]), 0.0) + 0.04 * longest;
        camera->low[axis] -= missing / 2.0;
        camera->high[axis] += missing / 2.0;
    }
}

static void frame_agents(picture_camera *camera, const dunlin_world *world) {
    for (int axis = 0; axis < camera->dimensions; axis++) {
        camera->low[axis] = HUGE_VAL;
        camera->high[axis] = -HUGE_VAL;
    }
    for (int i = 0; i < dunlin_world_species_count(world); i++) {
        dunlin_view view = dunlin_world_view(world, i);
        include_agents(camera, &view);
    }
    for (int i = 0; i < dunlin_world_behaviour_count(world); i++) {
        dunlin_behaviour_def def = dunlin_world_get_behaviour(world, i);
        include_behaviour(camera, &def);
        if (def.kind == DUNLIN_BEHAVIOUR_FOLLOW_PATH) include_path(camera, world, def.follow.path);
    }
    widen_box(camera);
}

static void frame_box(picture_camera *camera, const dunlin_world *world) {
    dunlin_world_def def = dunlin_world_get_def(world);
    camera->dimensions = def.dimensions;
    if (def.boundary == DUNLIN_BOUNDARY_OPEN && dunlin_world_agent_count(world) > 0) {
        frame_agents(camera, world);
        return;
    }
    double margin = def.boundary == DUNLIN_BOUNDARY_TELEPORT ? (double)def.margin : 0.0;
    for (int axis = 0; axis < def.dimensions; axis++) {
        camera->low[axis] = -margin;
        camera->high[axis] = (double)def.size[axis] + margin;
    }
}

static void look_from_corner(picture_camera *camera) {
    const double azimuth = 0.52, elevation = 0.36; /* radians; no two edges of a cube coincide in the picture */
    const double sa = sin(azimuth), ca = cos(azimuth), se = sin(elevation), ce = cos(elevation);
    memcpy(camera->right, (double[3]){ca, sa, 0.0}, sizeof camera->right);
    memcpy(camera->up, (double[3]){-se * sa, se * ca, ce}, sizeof camera->up);
    memcpy(camera->away, (double[3]){-ce * sa, ce * ca, -se}, sizeof camera->away);
    double diagonal = 0.0;
    for (int axis = 0; axis < 3; axis++) diagonal = hypot(diagonal, camera->high[axis] - camera->low[axis]);
    camera->eye_distance = 2.2 * diagonal;
}

/* The offset from the middle of the box, in world units as seen at the middle. */
static void view_offset(const picture_camera *camera, const double point[3], double *x, double *y, double *depth) {
    double from_middle[3];
    for (int axis = 0; axis < 3; axis++) from_middle[axis] = point[axis] - 0.5 * (camera->low[axis] + camera->high[axis]);
    *depth = dot(from_middle, camera->away);
    double nearness =
        camera->dimensions == 2 ? 1.0 : camera->eye_distance / fmax(camera->eye_distance + *depth, 0.1 * camera->eye_distance);
    *x = nearness * dot(from_middle, camera->right);
    *y = nearness * dot(from_middle, camera->up);
}

/* Chooses scale and size so that every corner of the box is in the picture, inside a margin. */
static void fit(picture_camera *camera, picture_size size) {
    double min[2] = {HUGE_VAL, HUGE_VAL}, max[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int corner = 0; corner < 8; corner++) {
        double point[3], x, y, depth;
        for (int axis = 0; axis < 3; axis++) point[axis] = corner >> axis & 1 ? camera->high[axis] : camera->low[axis];
        view_offset(camera, point, &x, &y, &depth);
        min[0] = fmin(min[0], x);
        min[1] = fmin(min[1], y);
        max[0] = fmax(max[0], x);
        max[1] = fmax(max[1], y);
        camera->depth_span = fmax(camera->depth_span, fabs(depth));
    }
    double width = max[0] - min[0], height = max[1] - min[1];
    double margin = 0.02 * fmax(size.width, size.height);
    if (size.height == 0) {
        camera->scale = (size.width - 2.0 * margin) / fmax(width, height);
        camera->width = (int)fmin(fmax(round(width * camera->scale + 2.0 * margin), 1.0), MAX_SIDE);
        camera->height = (int)fmin(fmax(round(height * camera->scale + 2.0 * margin), 1.0), MAX_SIDE);
    } else {
        camera->width = size.width;
        camera->height = size.height;
        margin = fmin(margin, 0.1 * fmin(size.width, size.height));
        camera->scale = fmin((size.width - 2.0 * margin) / width, (size.height - 2.0 * margin) / height);
    }
    camera->middle_x = 0.5 * camera->width - 0.5 * (min[0] + max[0]) * camera->scale;
    camera->middle_y = 0.5 * camera->height + 0.5 * (min[1] + max[1]) * camera->scale;
}

picture_camera camera_frame(const dunlin_world *world, picture_size size) {
    picture_camera made = {0};
    frame_box(&made, world);
    made.right[0] = made.up[1] = 1.0;
    made.away[2] = -1.0;
    if (made.dimensions == 3) look_from_corner(&made);
    fit(&made, size);
    return made;
}

void camera_point(const picture_camera *camera, const double point[3], double *x, double *y) {
    double depth;
    view_offset(camera, point, x, y, &depth);
    *x = camera->middle_x + *x * camera->scale;
    *y = camera->middle_y - *y * camera->scale;
}

sighting camera_see(const picture_camera *camera, const dunlin_view *view, uint32_t index) {
    double point[3] = {0.0}, velocity[3] = {0.0}, x, y, depth;
    for (int axis = 0; axis < camera->dimensions; axis++) {
        point[axis] = (double)view->position[axis][index];
        velocity[axis] = (double)view->velocity[axis][index];
    }
    view_offset(camera, point, &x, &y, &depth);
    double speed = sqrt(dot(velocity, velocity));
    double per_speed = speed > 0.0 ? 1.0 / speed : 0.0;
    double far = camera->depth_span > 0.0 ? 0.5 + 0.5 * depth / camera->depth_span : 0.0;
    return (sighting){
        .x = (float)(camera->middle_x + x * camera->scale),
        .y = (float)(camera->middle_y - y * camera->scale),
        .heading_x = (float)(dot(velocity, camera->right) * per_speed),
        .heading_y = (float)(dot(velocity, camera->up) * per_speed),
        .depth = (float)fmin(fmax(far, 0.0), 1.0),
        .slot = index,
    };
}
