/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_PICTURE_H
#define DUNLIN_HARNESS_PICTURE_H

#include "camera.h"

#define PICTURE_MAX_SIDE 4096 /* pixels */

/*
 * Draws the world as it is now into a PNG file: agents as darts that point where they fly, coloured by heading, or as a density
 * where darts would be too small to see; below them what they steer by: targets, walls.
 */
dunlin_result picture_write(dunlin_world *world, picture_size size, const char *path, dunlin_error *error);

#endif
