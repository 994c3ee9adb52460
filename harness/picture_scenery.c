/* SPDX-License-Identifier: MIT */
/* What agents steer by besides each other: targets, walls. Drawn below them, in the grey of the edges. */
#include "picture_layers.h"

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

/* Where an agent is the target it is drawn anyway; what is around it stays. */
static void draw_target(cairo_t *cairo, const picture_camera *camera, dunlin_world *world, const dunlin_behaviour_def *def) {
    float at[3] = {def->target.position[0], def->target.position[1], def->target.position[2]};
    if (def->target.kind == DUNLIN_TARGET_AGENT) {
        dunlin_slot slot = dunlin_world_find_agent(world, def->target.agent);
        if (slot.species < 0) return;
        dunlin_view view = dunlin_world_view(world, slot.species);
        for (int a = 0; a < camera->dimensions; ++a) at[a] = view.position[a][slot.index];
    }
    double x, y;
    see_point(camera, at, &x, &y);
    draw_reach(cairo, camera, x, y, def->radius);
    if (def->kind == DUNLIN_ARRIVE) draw_reach(cairo, camera, x, y, def->slowing_radius);
    if (def->target.kind == DUNLIN_TARGET_POINT) draw_mark(cairo, camera, x, y);
}

/* ---- walls ------------------------------------------------------------------------------------------------------------ */

/* The rectangle beyond which agents turn; an axis without walls has none of its sides. */
static void draw_walls(cairo_t *cairo, const picture_camera *camera, const dunlin_contain *contain) {
    if (camera->dimensions == 3) return;
    float low[2], high[2];
    for (int a = 0; a < 2; ++a) {
        low[a] = contain->low[a] + fmaxf(contain->margin[a], 0.0f);
        high[a] = contain->high[a] - fmaxf(contain->margin[a], 0.0f);
    }
    const double dashes[] = {8.0 * line_width(camera), 6.0 * line_width(camera)};
    cairo_set_dash(cairo, dashes, 2, 0.0);
    for (int a = 0; a < 2; ++a) {
        for (int side = 0; side < 2 && contain->margin[a] >= 0.0f; ++side) {
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

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

void picture_draw_scenery(cairo_t *cairo, const picture_camera *camera, dunlin_world *world) {
    cairo_set_line_width(cairo, line_width(camera));
    for (int i = 0; i < dunlin_world_behaviour_count(world); ++i) {
        dunlin_behaviour_def def = dunlin_world_behaviour_def(world, i);
        if (def.kind <= DUNLIN_EVADE) draw_target(cairo, camera, world, &def);
        if (def.kind == DUNLIN_CONTAIN) draw_walls(cairo, camera, &def.contain);
    }
}
