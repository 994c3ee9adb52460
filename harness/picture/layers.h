/* SPDX-License-Identifier: MIT */
/*
 * What a picture is made of: scenery, and the two ways to draw a species: one dart an agent, or, where darts would be smaller
 * than a few pixels, a density.
 */
#ifndef DUNLIN_HARNESS_PICTURE_LAYERS_H
#define DUNLIN_HARNESS_PICTURE_LAYERS_H

#include "harness/picture/camera.h"
#include "harness/picture/palette.h"

#include <cairo.h>

/* Targets, walls and what else agents steer by, below them. Not const: an agent that is a target is looked up. */
void picture_draw_scenery(cairo_t *cairo, const picture_camera *camera, dunlin_world *world);

/* How a species looks: its place in the scenario picks the shape and the lightness. */
typedef struct picture_style {
    int species;
    float opacity;   /* 0 .. 1, of the whole layer */
    float length;    /* pixels, of a dart in the middle of the picture */
    float lightness; /* OKLCH */
    bool by_value;   /* colours say not where agents fly, but … */
    const float
        *values; /* … [slot] how much they have of something, between these two; NULL: this species has none, and is grey */
    float low, high;
} picture_style;

/* What an agent's colour stands for, as a vector of length 0 .. 1 of which a crowd has the mean, and the colour of that. */
typedef struct picture_tint {
    float x, y;
} picture_tint;

picture_tint picture_tint_of(const picture_style *style, const sighting *agent);
colour picture_colour(const picture_style *style, picture_tint tint, float lightness);

/* Sets the style's values to those of the attribute, which some species must have, with its least and most in the whole world.
 */
void picture_colour_by(picture_style *style, const dunlin_world *world, const char *attribute);

/* Both return false when memory runs out. */
bool picture_draw_darts(cairo_t *cairo, const picture_camera *camera, const dunlin_view *view, const picture_style *style);
bool picture_draw_density(cairo_surface_t *surface, const picture_camera *camera, const dunlin_view *view,
                          const picture_style *style);

#endif
