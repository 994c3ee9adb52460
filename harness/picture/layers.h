/* SPDX-License-Identifier: MIT */
/*
 * The layers of a picture: traces, scenery, species, legend. A species is drawn as one dart per agent, or as a density where
 * darts would be smaller than a few pixels.
 */
#ifndef DUNLIN_HARNESS_PICTURE_LAYERS_H
#define DUNLIN_HARNESS_PICTURE_LAYERS_H

#include "harness/picture/palette.h"
#include "harness/picture/picture.h"
#include "harness/picture/sights.h"

#include <cairo.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Set what is drawn with next. Ink is the grey of everything but agents. */
void picture_set_source(cairo_t *cairo, colour c, float opacity);
void picture_set_ink(cairo_t *cairo, double opacity);

/* Adds to the path an edge of a box in the world: from a corner, of which bit 0 says that x is high, along an axis. Nothing if
 * the corner is the end of that edge. */
void picture_trace_edge(cairo_t *cairo, const picture_camera *camera, const double low[3], const double high[3], int corner,
                        int axis);

/* What agents have left in fields. */
void picture_draw_traces(cairo_t *cairo, const picture_camera *camera, dunlin_world *world);

/* Targets, walls, paths, fields but for traces, and obstacles. The world is not const, because looking up an agent may change
 * its index. */
void picture_draw_scenery(cairo_t *cairo, const picture_camera *camera, dunlin_world *world);

/* What colours mean. */
typedef enum picture_colouring {
    PICTURE_BY_HEADING,
    PICTURE_BY_SPECIES,
    PICTURE_BY_VALUE, /* how much of an attribute agents have */
    PICTURE_BY_GROUP, /* to which group agents belong, or for which one they stand */
    PICTURE_GREY,     /* nothing: the species lacks the attribute */
} picture_colouring;

/* How a species looks. */
typedef struct picture_style {
    dunlin_look look;
    float opacity;   /* 0 .. 1, of the whole layer */
    float length;    /* pixels, of an agent in the middle of the picture; with `sizes`, of one that has 1 there */
    float lightness; /* OKLCH */
    picture_colouring colouring;
    oklab own;                         /* PICTURE_BY_SPECIES, PICTURE_GREY: the hue */
    char quantity[DUNLIN_NAME_LENGTH]; /* PICTURE_BY_VALUE: "speed", or the attribute's name */
    const float *values;               /* [slot] PICTURE_BY_VALUE, PICTURE_BY_GROUP: the attribute, or the speed */
    const float *sizes;                /* [slot] to which lengths are proportional; NULL: all are as long */
    picture_range range;               /* PICTURE_BY_VALUE: the numbers that have the first and the last colour */
} picture_style;

/* What the scenario says, or what suits the world where it does not know the species, or is NULL. */
dunlin_look picture_look_of(const dunlin_world *world, const dunlin_scenario *scenario, int species);

/* Without `values` of speeds. The layer's opacity, length and range are 0. */
picture_style picture_style_of(const dunlin_world *world, int species, const picture_look *look);

/* Whether `colour` of picture_look is an attribute's name. */
bool picture_names_attribute(const char *look_colour);

/* Whether all colours mean how fast agents are, or how much of an attribute they have. */
bool picture_shows_values(const dunlin_world *world, const picture_look *look);

/* What an agent's colour means, as a vector of length 0 .. 1. A crowd has the colour of the mean vector. */
typedef struct picture_tint {
    float x, y;
} picture_tint;

/* A hue that stays the group's own, whatever groups there are. A golden section of the circle lies between one and the next. */
static inline picture_tint picture_tint_of_group(float group) {
    const float angle = 6.2831853f * (0.38196601f * group - floorf(0.38196601f * group));
    return (picture_tint){cosf(angle), sinf(angle)};
}

static inline picture_tint picture_tint_of(const picture_style *style, const sighting *agent) {
    if (style->colouring == PICTURE_BY_HEADING) return (picture_tint){agent->heading_x, agent->heading_y};
    if (style->colouring == PICTURE_BY_GROUP) return picture_tint_of_group(style->values[agent->slot]);
    if (style->colouring != PICTURE_BY_VALUE) return (picture_tint){0.0f, 0.0f};
    const float span = style->range.high - style->range.low;
    const float share = span > 0.0f ? (style->values[agent->slot] - style->range.low) / span : 0.5f;
    return (picture_tint){fminf(fmaxf(share, 0.0f), 1.0f), 0.0f};
}

static inline oklab picture_shade(picture_colouring colouring, oklab own, picture_tint tint, float lightness) {
    if (colouring == PICTURE_BY_VALUE) return palette_value(tint.x);
    if (colouring == PICTURE_BY_SPECIES) return (oklab){lightness, own.a, own.b};
    return palette_heading(tint.x, tint.y, lightness);
}

/* The share of its colour that an agent keeps at a depth of 0 .. 1, front to back; the rest is paper. */
static inline float picture_clarity(float shading, float depth) {
    return 1.0f - shading * depth;
}

/* Memory for one layer after the other. */
typedef struct picture_memory {
    block bins, order, desks;
} picture_memory;

/* What is drawn on. */
typedef struct picture_canvas {
    cairo_surface_t *surface; /* CAIRO_FORMAT_RGB24 */
    cairo_t *cairo;
    const picture_camera *camera;
    picture_memory *memory;
    int threads;
} picture_canvas;

/* As in 2D. */
void picture_draw_dart(const picture_canvas *canvas, const sighting *agent, const picture_style *style);

/* How many agents share a pixel, on average over the agents: the scale of a density. */
typedef struct picture_crowd {
    bool is_known;  /* or else it is measured first */
    float least;    /* what is measured counts as at least this */
    float mean;     /* what is drawn with */
    float measured; /* in this picture */
} picture_crowd;

/* Both return false when memory runs out. */
bool picture_draw_darts(const picture_canvas *canvas, const picture_sights *seen, const picture_style *style);
bool picture_draw_density(const picture_canvas *canvas, const picture_sights *seen, const picture_style *style,
                          picture_crowd *crowd);

/* What a legend explains. */
typedef struct picture_key {
    const picture_style *styles; /* of each species */
    const int *species;          /* [count] the species that it names, if the world has several */
    int count;
} picture_key;

/*
 * Draws what the colours mean, over everything else; nothing where the picture is too small for it. *place, below 0 at first,
 * is where it lies, so that it stays there in the next picture.
 */
void picture_draw_legend(const picture_canvas *canvas, const dunlin_world *world, const picture_key *key, int *place);

/* ---- trails ----------------------------------------------------------------------------------------------------------- */

/* Where agents were in the frames before, and the trails that this makes: rows of dots that fade. */

typedef struct picture_trail {
    int frames;      /* that it reaches back; 0: none */
    uint64_t drawn;  /* frames so far */
    uint32_t agents; /* ids below this have room */
    float *points;   /* [id][frame % frames][axis] world units; NAN: there was no agent */
    block dots;
} picture_trail;

/* Puts the dots of a species' trails into `seen`. The trail owns the memory of `seen`. false: memory has run out. */
bool picture_trail_see(picture_trail *trail, const picture_camera *camera, const dunlin_view *view, int threads,
                       picture_sights *seen);

/* Notes where all agents are now. To be called once per frame, after it was drawn. false: memory has run out. */
bool picture_trail_note(picture_trail *trail, const dunlin_world *world);

void picture_trail_free(picture_trail *trail);

/* ---- polygons --------------------------------------------------------------------------------------------------------- */

/* Small filled polygons, of which a film draws a hundred thousand in every frame. Cairo takes ten times as long. */

enum { POLYGON_CORNERS = 24 };

typedef struct polygon {
    int corners;
    float x[POLYGON_CORNERS], y[POLYGON_CORNERS]; /* pixels, y down; edges do not cross */
} polygon;

/* Rows of a picture. */
typedef struct pixel_rows {
    unsigned char *pixels; /* of row 0: 4 bytes each, 0x..RRGGBB */
    size_t stride;         /* bytes per row */
    int width;
    int first, last; /* only rows first .. last - 1 are drawn */
} pixel_rows;

/* Fills it with exact coverage. It must not be wider than 4096 pixels. */
void polygon_fill(const pixel_rows *rows, const polygon *shape, colour fill, float opacity);

#endif
