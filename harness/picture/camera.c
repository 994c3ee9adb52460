/* SPDX-License-Identifier: MIT */
#include "harness/picture/camera.h"

#include <math.h>
#include <string.h>

enum { MAX_SIDE = 4096 };

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
        if (picture_aims(def) && def->target.kind == DUNLIN_TARGET_POINT)
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

bool picture_is_open(const dunlin_world *world) {
    bool open = true;
    for (int axis = 0; axis < dunlin_world_get_def(world).dimensions; axis++)
        open = open && dunlin_world_boundary(world, axis) == DUNLIN_BOUNDARY_OPEN;
    return open;
}

static void frame_box(picture_camera *camera, const dunlin_world *world) {
    dunlin_world_def def = dunlin_world_get_def(world);
    camera->dimensions = def.dimensions;
    if (picture_is_open(world) && dunlin_world_agent_count(world) > 0) {
        frame_agents(camera, world);
        return;
    }
    for (int axis = 0; axis < def.dimensions; axis++) {
        double margin = dunlin_world_boundary(world, axis) == DUNLIN_BOUNDARY_TELEPORT ? (double)def.margin : 0.0;
        camera->low[axis] = -margin;
        camera->high[axis] = (double)def.size[axis] + margin;
    }
}

static void follow_box(picture_camera *camera, const picture_camera *before, double follow) {
    for (int axis = 0; axis < camera->dimensions; axis++) {
        camera->low[axis] = fmin(camera->low[axis], before->low[axis] + follow * (camera->low[axis] - before->low[axis]));
        camera->high[axis] = fmax(camera->high[axis], before->high[axis] + follow * (camera->high[axis] - before->high[axis]));
    }
}

/* ---- from where ------------------------------------------------------------------------------------------------------- */

static const double full_turn = 6.283185307179586, fitting_distance = 2.2;
enum { ORBIT_PLACES = 72 };

picture_viewpoint picture_viewpoint_default(void) {
    /* No two edges of a cube coincide in the picture. */
    return (picture_viewpoint){.azimuth = 0.52, .elevation = 0.36, .distance = fitting_distance, .shading = 0.64};
}

static void look_from(picture_camera *camera, double azimuth, double elevation, double distance) {
    const double sa = sin(azimuth), ca = cos(azimuth), se = sin(elevation), ce = cos(elevation);
    memcpy(camera->right, (double[3]){ca, sa, 0.0}, sizeof camera->right);
    memcpy(camera->up, (double[3]){-se * sa, se * ca, ce}, sizeof camera->up);
    memcpy(camera->away, (double[3]){-ce * sa, ce * ca, -se}, sizeof camera->away);
    double diagonal = 0.0;
    for (int axis = 0; axis < 3; axis++) diagonal = hypot(diagonal, camera->high[axis] - camera->low[axis]);
    camera->eye_distance = distance * diagonal;
}

/* The offset from the middle of the box, in world units as seen at the middle. */
static void view_offset(const picture_camera *camera, const double point[3], double *x, double *y, double *away) {
    double from_middle[3];
    for (int axis = 0; axis < 3; axis++) from_middle[axis] = point[axis] - 0.5 * (camera->low[axis] + camera->high[axis]);
    const camera_offset at = camera_turn(camera, from_middle);
    const double nearness = camera_nearness(camera, at.away);
    *away = at.away;
    *x = nearness * at.right;
    *y = nearness * at.up;
}

/* ---- how large -------------------------------------------------------------------------------------------------------- */

/* What the box covers, in world units as seen at its middle. */
typedef struct extent {
    double min[2], max[2], away;
} extent;

static void include_corners(extent *covered, const picture_camera *camera) {
    for (int corner = 0; corner < 8; corner++) {
        double point[3], x, y, away;
        for (int axis = 0; axis < 3; axis++) point[axis] = corner >> axis & 1 ? camera->high[axis] : camera->low[axis];
        view_offset(camera, point, &x, &y, &away);
        covered->min[0] = fmin(covered->min[0], x);
        covered->min[1] = fmin(covered->min[1], y);
        covered->max[0] = fmax(covered->max[0], x);
        covered->max[1] = fmax(covered->max[1], y);
        covered->away = fmax(covered->away, fabs(away));
    }
}

/* Seen from the distance that fits; from all sides if the camera orbits. */
static extent cover(picture_camera *camera, const picture_viewpoint *from) {
    extent covered = {.min = {HUGE_VAL, HUGE_VAL}, .max = {-HUGE_VAL, -HUGE_VAL}};
    const bool turns = camera->dimensions == 3 && from->orbits;
    for (int i = 0; i < (turns ? ORBIT_PLACES : 1); i++) {
        if (camera->dimensions == 3)
            look_from(camera, from->azimuth + i * full_turn / ORBIT_PLACES, from->elevation, fitting_distance);
        include_corners(&covered, camera);
    }
    return covered;
}

/* Chooses scale and size so that every corner of the box is in the picture, inside a margin. */
static void fit(picture_camera *camera, const extent *covered, picture_size size) {
    double width = covered->max[0] - covered->min[0], height = covered->max[1] - covered->min[1];
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
    camera->span[0] = width * camera->scale + 2.0 * margin;
    camera->span[1] = height * camera->scale + 2.0 * margin;
    camera->middle_x = 0.5 * camera->width - 0.5 * (covered->min[0] + covered->max[0]) * camera->scale;
    camera->middle_y = 0.5 * camera->height + 0.5 * (covered->min[1] + covered->max[1]) * camera->scale;
    camera->depth_span = covered->away;
}

picture_camera camera_frame(const dunlin_world *world, picture_size size, const picture_viewpoint *from,
                            const picture_camera *before, double follow) {
    picture_camera made = {.shading = (float)from->shading};
    frame_box(&made, world);
    if (before) follow_box(&made, before, follow);
    made.right[0] = 1.0;
    made.up[1] = from->y_is_down ? -1.0 : 1.0;
    made.away[2] = -1.0;
    const extent covered = cover(&made, from);
    fit(&made, &covered, size);
    if (before && (made.width != before->width || made.height != before->height))
        fit(&made, &covered, (picture_size){.width = before->width, .height = before->height});
    if (made.dimensions == 3) {
        look_from(&made, from->azimuth, from->elevation, from->distance);
        made.scale *= fitting_distance / from->distance;
        for (int a = 0; a < 2; a++) made.span[a] *= fitting_distance / from->distance;
    }
    return made;
}

double camera_point(const picture_camera *camera, const double point[3], double *x, double *y) {
    double away;
    view_offset(camera, point, x, y, &away);
    *x = camera->middle_x + *x * camera->scale;
    *y = camera->middle_y - *y * camera->scale;
    return camera_depth(camera, away);
}
