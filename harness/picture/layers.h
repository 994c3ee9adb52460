/* SPDX-License-Identifier: MIT */
/*
 * The layers of a picture: scenery, species, legend. A species is drawn as one dart per agent, or as a density where darts
 * would be smaller than a few pixels.
 */
#ifndef DUNLIN_HARNESS_PICTURE_LAYERS_H
#define DUNLIN_HARNESS_PICTURE_LAYERS_H

#include "harness/picture/camera.h"
#include "harness/picture/palette.h"

#include <cairo.h>

/* Set what is drawn with next. Ink is the grey of everything but agents. */
void picture_set_source(cairo_t *cairo, colour c, float opacity);
void picture_set_ink(cairo_t *cairo, double opacity);

/* Adds to the path an edge of a box in the world: from a corner, of which bit 0 tells that x is high, along an axis. Nothing if
 * the corner is the end of that edge. */
void picture_trace_edge(cairo_t *cairo, const picture_camera *camera, const double low[3], const double high[3], int corner,
                        int axis);

/* Targets, walls, paths, fields and obstacles. The world is not const, because looking up an agent may change its index. */
void picture_draw_scenery(cairo_t *cairo, const picture_camera *camera, dunlin_world *world);

/* How a species looks: its number in the scenario picks the shape and the lightness. */
typedef struct picture_style {
    int species;
    float opacity;       /* 0 .. 1, of the whole layer */
    float length;        /* pixels, of a dart in the middle of the picture */
    float lightness;     /* OKLCH */
    bool by_species;     /* colours mean species; or else … */
    bool by_value;       /* … how much of an attribute agents have; or else headings */
    const float *values; /* [slot] the attribute; NULL: this species lacks it, and is grey */
    float low, high;     /* the attribute's minimum and maximum in the whole world */
} picture_style;

/* `look_colour` as in picture_look. The layer's opacity and length are 0. */
picture_style picture_style_of(const dunlin_world *world, int species, const char *look_colour);

/* What an agent's colour means, as a vector of length 0 .. 1. A crowd has the colour of the mean vector. */
typedef struct picture_tint {
    float x, y;
} picture_tint;

picture_tint picture_tint_of(const picture_style *style, const sighting *agent);
colour picture_colour(const picture_style *style, picture_tint tint, float lightness);

void picture_draw_dart(cairo_t *cairo, const sighting *agent, const picture_style *style, bool is_3d);

/* Both return false when memory runs out. */
bool picture_draw_darts(cairo_t *cairo, const picture_camera *camera, const dunlin_view *view, const picture_style *style);
bool picture_draw_density(cairo_surface_t *surface, const picture_camera *camera, const dunlin_view *view,
                          const picture_style *style);

/* Draws what the colours mean, over everything else; nothing where the picture is too small for it. */
void picture_draw_legend(cairo_t *cairo, cairo_surface_t *surface, const picture_camera *camera, const dunlin_world *world,
                         const char *look_colour);

#endif
