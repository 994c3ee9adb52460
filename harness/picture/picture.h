/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_PICTURE_H
#define DUNLIN_HARNESS_PICTURE_H

#include "harness/picture/camera.h"

#include <stdio.h>

#define PICTURE_MAX_SIDE 4096 /* pixels */

typedef struct picture_look {
    picture_size size;
    const char *colour; /* what colours mean: "heading", "species" or an attribute; NULL: headings, but species if there are
                           more than two */
} picture_look;

/* Fails if `look` names an attribute that no species has. */
dunlin_result picture_check(const dunlin_world *world, const picture_look *look, dunlin_error *error);

/*
 * Draws the world as it is now and writes a PNG to the file: agents as darts that point along their headings, or as a density
 * where darts would be too small to see; below them targets, walls, paths, fields and obstacles; above them a legend. A failed
 * write shows as the file's error.
 */
dunlin_result picture_write(dunlin_world *world, const picture_look *look, FILE *file, dunlin_error *error);

#endif
