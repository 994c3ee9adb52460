/* SPDX-License-Identifier: MIT */
/* What agents steer by besides each other: targets, walls, paths, fields, obstacles. Drawn below them, in the grey of the
 * edges. */
#include "harness/picture/layers.h"

#include <math.h>

static const double full_turn = 6.283185307179586;

static void set_ink(cairo_t *cairo, double opacity) {
    cairo_set_source_rgba(cairo, 0.35, 0.33, 0.30, opacity);
}

static double line_width(const picture_camera *camera) {
    return fmax(1.0, 0.0012 * fmax(camera->width, camera->height));
}

static void see_point(const picture_camera *camera, const float at[3], double *x, double *y) {
    double point[3] = {(double)at[0], (double)at[1], (double)at[2]};
    camera_point(camera, point, x, y);
}

/* ---- targets ---------------------------------------------------------------------------------------------------------- */

/* A circle of so many world units: in 3D there is none to draw. */
static void draw_reach(cairo_t *cairo, const picture_camera *camera, double x, double y, float radius) {
    if (camera->dimensions == 3 || !isfinite(radius)) return;
    const double dashes[] = {4.0 * line_width(camera), 4.0 * line_width(camera)};
    cairo_new_path(cairo);
    cairo_arc(cairo, x, y, (double)radius * camera->scale, 0.0, full_turn);
    cairo_set_dash(cairo, dashes, 2, 0.0);
    set_ink(cairo, 0.45);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0.0);
}

/* A ring with a cross through it. */
static void draw_mark(cairo_t *cairo, const picture_camera *camera, double x, double y) {
    double radius = 0.008 * fmax(camera->width, camera->height), arm = 1.6 * radius;
    cairo_new_path(cairo);
    cairo_arc(cairo, x, y, radius, 0.0, full_turn);
    cairo_new_sub_path(cairo);
    cairo_move_to(cairo, x - arm, y);
    cairo_line_to(cairo, x + arm, y);
    cairo_move_to(cairo, x, y - arm);
    cairo_line_to(cairo, x, y + arm);
    set_ink(cairo, 0.9);
    cairo_stroke(cairo);
}

/* Where an agent is the target it is drawn anyway; what is around it stays. Others nearby are targets of some, each its own. */
static void draw_target(cairo_t *cairo, const picture_camera *camera, dunlin_world *world, const dunlin_behaviour_def *def) {
    if (def->target.kind == DUNLIN_TARGET_NEAREST || def->target.kind == DUNLIN_TARGET_CENTRE) return;
    float at[3] = {def->target.position[0], def->target.position[1], def->target.position[2]};
    if (def->target.kind == DUNLIN_TARGET_AGENT) {
        dunlin_slot slot = dunlin_world_find_agent(world, def->target.agent);
        if (slot.species < 0) return;
        dunlin_view view = dunlin_world_view(world, slot.species);
        for (int a = 0; a < camera->dimensions; a++) at[a] = view.position[a][slot.index];
    }
    double x, y;
    see_point(camera, at, &x, &y);
    draw_reach(cairo, camera, x, y, def->radius);
    if (def->kind == DUNLIN_BEHAVIOUR_ARRIVE) draw_reach(cairo, camera, x, y, def->slowing_radius);
    if (def->target.kind == DUNLIN_TARGET_POINT) draw_mark(cairo, camera, x, y);
}

/* ---- walls ------------------------------------------------------------------------------------------------------------ */

/* The rectangle beyond which agents turn; an axis without walls has none of its sides. */
static void draw_walls(cairo_t *cairo, const picture_camera *camera, const dunlin_contain *contain) {
    if (camera->dimensions == 3) return;
    float low[2], high[2];
    for (int a = 0; a < 2; a++) {
        low[a] = contain->low[a] + fmaxf(contain->margin[a], 0.0f);
        high[a] = contain->high[a] - fmaxf(contain->margin[a], 0.0f);
    }
    const double dashes[] = {8.0 * line_width(camera), 6.0 * line_width(camera)};
    cairo_set_dash(cairo, dashes, 2, 0.0);
    for (int a = 0; a < 2; a++) {
        for (int side = 0; side < 2 && contain->margin[a] >= 0.0f; side++) {
            float from[3] = {low[0], low[1], 0.0f}, to[3] = {high[0], high[1], 0.0f};
            from[a] = to[a] = side == 0 ? low[a] : high[a];
            double x, y;
            see_point(camera, from, &x, &y);
            cairo_move_to(cairo, x, y);
            see_point(camera, to, &x, &y);
            cairo_line_to(cairo, x, y);
        }
    }
    set_ink(cairo, 0.6);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0.0);
}

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

static void trace_obstacle(cairo_t *cairo, const picture_camera *camera, const dunlin_obstacle *obstacle) {
    double x, y, x2, y2, radius = (double)obstacle->radius * camera->scale;
    see_point(camera, obstacle->a, &x, &y);
    see_point(camera, obstacle->b, &x2, &y2);
    cairo_new_path(cairo);
    if (obstacle->shape == DUNLIN_OBSTACLE_BOX) {
        cairo_rectangle(cairo, fmin(x, x2), fmin(y, y2), fabs(x2 - x), fabs(y2 - y));
        cairo_fill(cairo);
    } else if (obstacle->shape == DUNLIN_OBSTACLE_BALL) {
        cairo_arc(cairo, x, y, radius, 0.0, full_turn);
        cairo_fill(cairo);
    } else {
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
        cairo_set_line_width(cairo, fmax(2.0 * radius, 2.0 * line_width(camera)));
        cairo_move_to(cairo, x, y);
        cairo_line_to(cairo, x2, y2);
        cairo_stroke(cairo);
        cairo_set_line_width(cairo, line_width(camera));
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
    }
}

/* In space they would hide what is behind them. */
static void draw_obstacles(cairo_t *cairo, const picture_camera *camera, const dunlin_world *world) {
    dunlin_obstacle_view view = dunlin_world_obstacle_view(world);
    set_ink(cairo, 0.45);
    for (uint32_t i = 0; i < view.count && camera->dimensions == 2; i++) trace_obstacle(cairo, camera, &view.obstacles[i]);
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

static void trace_path(cairo_t *cairo, const picture_camera *camera, const dunlin_path_def *path) {
    cairo_new_path(cairo);
    for (uint32_t i = 0; i < path->count; i++) {
        float at[3] = {0.0f};
        for (int a = 0; a < camera->dimensions; a++) at[a] = path->points[a][i];
        double x, y;
        see_point(camera, at, &x, &y);
        cairo_line_to(cairo, x, y);
    }
    if (path->closed) cairo_close_path(cairo);
}

/* As broad as agents may stray without a force, with a line along its middle. */
static void draw_path(cairo_t *cairo, const picture_camera *camera, const dunlin_world *world, const dunlin_follow *follow) {
    dunlin_path_def path = dunlin_world_get_path(world, follow->path);
    trace_path(cairo, camera, &path);
    if (camera->dimensions == 2) {
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_width(cairo, 2.0 * (double)follow->radius * camera->scale);
        set_ink(cairo, 0.12);
        cairo_stroke_preserve(cairo);
        cairo_set_line_width(cairo, line_width(camera));
    }
    set_ink(cairo, 0.6);
    cairo_stroke(cairo);
}

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

enum { MOST_ARROWS = 48 }; /* along an axis: of finer fields every so many-th is drawn */

static float longest_vector(const dunlin_field_view *field) {
    float longest2 = 0.0f;
    for (int cell = 0; cell < field->cells[0] * field->cells[1]; cell++) {
        float x = field->vectors[0][cell], y = field->vectors[1][cell];
        if (isfinite(x * x + y * y)) longest2 = fmaxf(longest2, x * x + y * y);
    }
    return sqrtf(longest2);
}

static void draw_arrow(cairo_t *cairo, double x, double y, double along, double up) {
    const double barb = 0.28;
    double tip_x = x + 0.5 * along, tip_y = y - 0.5 * up;
    cairo_new_path(cairo);
    cairo_move_to(cairo, x - 0.5 * along, y + 0.5 * up);
    cairo_line_to(cairo, tip_x, tip_y);
    for (int side = -1; side <= 1; side += 2) {
        cairo_move_to(cairo, tip_x, tip_y);
        cairo_rel_line_to(cairo, -barb * (along + 0.6 * side * up), barb * (up - 0.6 * side * along));
    }
    cairo_stroke(cairo);
}

/* A field in space is not drawn: its arrows would hide everything. */
static void draw_field(cairo_t *cairo, const picture_camera *camera, dunlin_world *world, int number) {
    dunlin_field_view field = dunlin_world_field_view(world, number);
    float longest = camera->dimensions == 2 ? longest_vector(&field) : 0.0f;
    if (longest == 0.0f) return;
    int stride[2] = {(field.cells[0] - 1) / MOST_ARROWS + 1, (field.cells[1] - 1) / MOST_ARROWS + 1};
    double width[2], scale = HUGE_VAL;
    for (int a = 0; a < 2; a++) {
        width[a] = ((double)field.high[a] - (double)field.low[a]) / field.cells[a];
        scale = fmin(scale, 0.8 * width[a] * stride[a] * camera->scale / (double)longest);
    }
    set_ink(cairo, 0.35);
    for (int row = stride[1] / 2; row < field.cells[1]; row += stride[1]) {
        for (int column = stride[0] / 2; column < field.cells[0]; column += stride[0]) {
            int cell = column + field.cells[0] * row;
            float at[3] = {(float)((double)field.low[0] + (column + 0.5) * width[0]),
                           (float)((double)field.low[1] + (row + 0.5) * width[1]), 0.0f};
            double x, y, along = scale * (double)field.vectors[0][cell], up = scale * (double)field.vectors[1][cell];
            see_point(camera, at, &x, &y);
            if (isfinite(along) && isfinite(up) && (along != 0.0 || up != 0.0)) draw_arrow(cairo, x, y, along, up);
        }
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

void picture_draw_scenery(cairo_t *cairo, const picture_camera *camera, dunlin_world *world) {
    cairo_set_line_width(cairo, line_width(camera));
    draw_obstacles(cairo, camera, world);
    for (int i = 0; i < dunlin_world_behaviour_count(world); i++) {
        dunlin_behaviour_def def = dunlin_world_get_behaviour(world, i);
        if (def.kind == DUNLIN_BEHAVIOUR_FOLLOW_PATH) draw_path(cairo, camera, world, &def.follow);
        if (def.kind == DUNLIN_BEHAVIOUR_FLOW || def.kind == DUNLIN_BEHAVIOUR_WIND)
            draw_field(cairo, camera, world, def.flow.field);
        if (def.kind <= DUNLIN_BEHAVIOUR_EVADE) draw_target(cairo, camera, world, &def);
        if (def.kind == DUNLIN_BEHAVIOUR_CONTAIN) draw_walls(cairo, camera, &def.contain);
    }
}
