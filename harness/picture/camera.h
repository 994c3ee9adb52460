/* SPDX-License-Identifier: MIT */
/*
 * From world units to pixels. A 2D world is seen from above, x to the right and y up. A 3D world is seen from a corner and
 * slightly from above, z up, with a little perspective.
 */
#ifndef DUNLIN_HARNESS_CAMERA_H
#define DUNLIN_HARNESS_CAMERA_H

#include <dunlin/dunlin.h>

typedef struct picture_size {
    int width;  /* pixels, 1 .. 4096 */
    int height; /* pixels, 1 .. 4096; 0: `width` is the longer side, and the other follows from the world */
} picture_size;

typedef struct picture_camera {
    int dimensions;
    int width, height;         /* pixels */
    double low[3];             /* world units: corner of the framed box */
    double high[3];            /* world units: the opposite corner */
    double right[3];           /* world direction that is to the right in the picture */
    double up[3];              /* world direction that is up */
    double away[3];            /* world direction into the picture */
    double eye_distance;       /* world units from the middle of the box; 3D only, for 2D has no perspective */
    double depth_span;         /* world units along `away` from the middle of the box to its farthest corner */
    double scale;              /* pixels per world unit, at the middle */
    double middle_x, middle_y; /* pixels: where the middle of the box is */
} picture_camera;

/* An agent as the camera sees it. */
typedef struct sighting {
    float x, y;                 /* pixels, y down */
    float heading_x, heading_y; /* direction in the picture, y up; of length 0 at rest, <= 1 in 3D */
    float depth;                /* 0 nearest .. 1 farthest; 0 in 2D */
    uint32_t slot;              /* of the view */
} sighting;

/* Frames the world; an open world's agents. */
picture_camera camera_frame(const dunlin_world *world, picture_size size);

/* Where a point of the world is in the picture. */
void camera_point(const picture_camera *camera, const double point[3], double *x, double *y);

/* `index` is a slot of the view. */
sighting camera_see(const picture_camera *camera, const dunlin_view *view, uint32_t index);

#endif
