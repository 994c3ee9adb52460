/* SPDX-License-Identifier: MIT */
#include "harness/picture/layers.h"

#include <math.h>
#include <stdlib.h>

/* The nose points to +x, and the length is 1. Species take the shapes in turn. */
enum { SHAPES = 4, CORNERS = 4 };
static const double shapes[SHAPES][CORNERS][2] = {
    {{0.58, 0.0}, {-0.42, 0.27}, {-0.22, 0.0}, {-0.42, -0.27}}, /* dart */
    {{0.52, 0.0}, {-0.33, 0.43}, {-0.10, 0.0}, {-0.33, -0.43}}, /* broad wings */
    {{0.70, 0.0}, {-0.12, 0.42}, {-0.48, 0.0}, {-0.12, -0.42}}, /* kite */
    {{0.60, 0.0}, {-0.40, 0.13}, {-0.40, 0.0}, {-0.40, -0.13}}, /* needle */
};

static int farther_first(const void *left, const void *right) {
    float a = ((const sighting *)left)->depth, b = ((const sighting *)right)->depth;
    return (a < b) - (a > b);
}

/* Sightings in drawing order, or NULL if memory runs out. */
static sighting *see_all(const picture_camera *camera, const dunlin_view *view) {
    sighting *seen = malloc((size_t)view->count * sizeof *seen);
    if (!seen) return NULL;
    for (uint32_t i = 0; i < view->count; i++) seen[i] = camera_see(camera, view, i);
    if (camera->dimensions == 3) qsort(seen, view->count, sizeof *seen, farther_first);
    return seen;
}

/*
 * Traces the outline of a dart. The length is a projection: an agent that flies towards or away from the viewer has a shorter
 * dart. An agent at rest is a dot.
 */
static void trace_dart(cairo_t *cairo, const sighting *agent, int shape, double length) {
    double along = hypot((double)agent->heading_x, (double)agent->heading_y);
    if (along < 1e-3) {
        cairo_new_path(cairo);
        cairo_arc(cairo, (double)agent->x, (double)agent->y, 0.25 * length, 0.0, 6.283185307179586);
        return;
    }
    double cx = (double)agent->heading_x / along, cy = -(double)agent->heading_y / along;
    double stretch = 0.45 + 0.55 * along;
    cairo_new_path(cairo);
    for (int i = 0; i < CORNERS; i++) {
        double u = shapes[shape][i][0] * length * stretch, v = shapes[shape][i][1] * length;
        cairo_line_to(cairo, (double)agent->x + cx * u - cy * v, (double)agent->y + cy * u + cx * v);
    }
    cairo_close_path(cairo);
}

void picture_draw_dart(cairo_t *cairo, const sighting *agent, const picture_style *style, bool is_3d) {
    colour paper = palette_paper();
    colour fill = picture_colour(style, picture_tint_of(style, agent), style->lightness);
    double length = (double)style->length;
    if (is_3d) {
        fill = colour_mix(paper, fill, palette_clarity(agent->depth));
        length *= 1.2 - 0.4 * (double)agent->depth;
    }
    trace_dart(cairo, agent, style->species % SHAPES, length);
    picture_set_source(cairo, fill, style->opacity);
    /* A rim of paper separates darts that overlap. It would only make small darts paler. */
    double rim = 0.05 * (length - 6.0);
    if (rim <= 0.1) {
        cairo_fill(cairo);
        return;
    }
    cairo_fill_preserve(cairo);
    picture_set_source(cairo, style->species % 2 == 0 ? paper : (colour){0.16f, 0.15f, 0.18f}, style->opacity);
    cairo_set_line_width(cairo, fmin(rim, 1.0));
    cairo_stroke(cairo);
}

bool picture_draw_darts(cairo_t *cairo, const picture_camera *camera, const dunlin_view *view, const picture_style *style) {
    if (view->count == 0) return true;
    sighting *seen = see_all(camera, view);
    if (!seen) return false;
    for (uint32_t i = 0; i < view->count; i++) picture_draw_dart(cairo, &seen[i], style, camera->dimensions == 3);
    free(seen);
    return true;
}
