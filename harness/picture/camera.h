/* SPDX-License-Identifier: MIT */
/*
 * From world units to pixels. A 2D world is seen from above, x to the right and y up or down. A 3D world is seen by a camera
 * outside it that looks at its middle, z up, in perspective.
 */
#ifndef DUNLIN_HARNESS_CAMERA_H
#define DUNLIN_HARNESS_CAMERA_H

#include <dunlin/dunlin.h>

typedef struct picture_size {
    int width;  /* pixels, 1 .. 4096 */
    int height; /* pixels, 1 .. 4096; 0: `width` is the longer side, and the other follows from the world */
} picture_size;

/* Where the camera stands; 3D only. */
typedef struct picture_viewpoint {
    double azimuth;   /* radians: 0 looks along +y, and larger ones from farther to the right */
    double elevation; /* radians, -pi/2 .. pi/2, above the middle of the world */
    double distance;  /* from the middle, in diagonals of the world, > 0.5; from farther away the world is smaller */
    double shading;   /* 0 .. 1: how much of its colour the farthest agent loses */
    bool orbits;      /* the scale suits all azimuths */
    bool y_is_down;   /* in 2D, the only one that counts there */
} picture_viewpoint;

typedef struct picture_camera {
    int dimensions;
    int width, height;         /* pixels */
    double span[2];            /* pixels: width and height that the framed box needs with its margins, at most those */
    double low[3];             /* world units: corner of the framed box */
    double high[3];            /* world units: the opposite corner */
    double right[3];           /* world direction that is to the right in the picture */
    double up[3];              /* world direction that is up */
    double away[3];            /* world direction into the picture */
    double eye_distance;       /* world units from the middle of the box; 3D only, for 2D has no perspective */
    double depth_span;         /* world units along `away` from the middle of the box to its farthest corner */
    double scale;              /* pixels per world unit, at the middle */
    double middle_x, middle_y; /* pixels: where the middle of the box is */
    float shading;             /* as in picture_viewpoint */
} picture_camera;

/* An agent as the camera sees it. */
typedef struct sighting {
    float x, y;                 /* pixels, y down */
    float heading_x, heading_y; /* direction in the picture, y up; of length 0 at rest, <= 1 in 3D */
    float depth;                /* 0 nearest .. 1 farthest; 0 in 2D */
    uint32_t slot;              /* of the view */
} sighting;

/* Whether the behaviour has a target. */
static inline bool picture_aims(const dunlin_behaviour_def *def) {
    return def->kind <= DUNLIN_BEHAVIOUR_EVADE || def->kind == DUNLIN_BEHAVIOUR_ATTRACT;
}

/* Along every axis. */
bool picture_is_open(const dunlin_world *world);

/* Looks from the corner, slightly from above. */
picture_viewpoint picture_viewpoint_default(void);

/*
 * Frames the world; an open world's agents. `before`, if not NULL, is the camera of the frame before. Its size in pixels stays,
 * and the box of an open world only grows at once: it shrinks by the share `follow` of the difference.
 */
picture_camera camera_frame(const dunlin_world *world, picture_size size, const picture_viewpoint *from,
                            const picture_camera *before, double follow);

/* Where a point of the world is in the picture. Returns its depth, as a sighting has it. */
double camera_point(const picture_camera *camera, const double point[3], double *x, double *y);

/* A vector in the camera's directions. */
typedef struct camera_offset {
    double right, up, away;
} camera_offset;

static inline camera_offset camera_turn(const picture_camera *camera, const double v[3]) {
    return (camera_offset){
        .right = v[0] * camera->right[0] + v[1] * camera->right[1] + v[2] * camera->right[2],
        .up = v[0] * camera->up[0] + v[1] * camera->up[1] + v[2] * camera->up[2],
        .away = v[0] * camera->away[0] + v[1] * camera->away[1] + v[2] * camera->away[2],
    };
}

/* How much larger something looks than in the middle of the box, from which it is `away`. */
static inline double camera_nearness(const picture_camera *camera, double away) {
    if (camera->dimensions == 2) return 1.0;
    const double distance = camera->eye_distance + away, nearest = 0.1 * camera->eye_distance;
    return camera->eye_distance / (distance > nearest ? distance : nearest);
}

/* 0 nearest .. 1 farthest; 0 in 2D. */
static inline double camera_depth(const picture_camera *camera, double away) {
    const double far = camera->depth_span > 0.0 ? 0.5 + 0.5 * away / camera->depth_span : 0.0;
    return far < 0.0 ? 0.0 : far > 1.0 ? 1.0 : far;
}

#endif
