/* SPDX-License-Identifier: MIT */
/* Small filled polygons, of which a film draws a hundred thousand in every frame. Cairo takes ten times as long. */
#ifndef DUNLIN_HARNESS_PICTURE_POLYGON_H
#define DUNLIN_HARNESS_PICTURE_POLYGON_H

#include "harness/picture/palette.h"

#include <stdbool.h>
#include <stddef.h>

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
