/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_PICTURE_H
#define DUNLIN_HARNESS_PICTURE_H

#include "harness/picture/camera.h"

#include <stdio.h>

#define PICTURE_MAX_SIDE 4096 /* pixels */

typedef struct picture_look {
    picture_size size;
    const char *colour; /* the attribute that colours say; NULL: they say where agents fly */
} picture_look;

/* Whether the world can be drawn like that: some species must have the attribute. */
dunlin_result picture_check(const dunlin_world *world, const picture_look *look, dunlin_error *error);

/*
 * Draws the world as it is now as a PNG, written to the file: agents as darts that point where they fly, coloured by heading or
 * by an attribute, or as a density where darts would be too small to see; below them what they steer by: targets, walls. What
 * cannot be written, the file tells.
 */
dunlin_result picture_write(dunlin_world *world, const picture_look *look, FILE *file, dunlin_error *error);

#endif
