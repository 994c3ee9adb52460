/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_PICTURE_H
#define DUNLIN_HARNESS_PICTURE_H

#include "harness/picture/camera.h"

#include <dunlin/scenario.h>

#include <stdbool.h>
#include <stdio.h>

#define PICTURE_MAX_SIDE 4096 /* pixels */

/* low > high: of nothing. */
typedef struct picture_range {
    float low, high;
} picture_range;

typedef struct picture_look {
    picture_size size;
    const dunlin_scenario *scenario; /* how the agents of each species look; NULL: as suits the world */
    const char *colour; /* what colours mean instead: "heading", "species", "speed" or an attribute; NULL: as it says */
    bool has_range;
    picture_range range; /* has_range: the attribute's numbers that have the first and the last colour, low < high; or else
                            colours reach from its minimum to its maximum */
    picture_viewpoint viewpoint;
    int trail; /* frames of a series that the trails of agents reach back; 0: none */
    bool has_no_legend;
    bool has_camera; /* the viewpoint was asked for, which only a world in 3D has */
} picture_look;

/* Fails if `look` names an attribute that no species has, has a range for colours that mean no number, or a camera in 2D. */
dunlin_result picture_check(const dunlin_world *world, const picture_look *look, dunlin_error *error);

/*
 * Draws the world as it is now and writes a PNG to the file: agents as darts that point along their headings, or as a density
 * where darts would be too small to see; below them traces, targets, walls, paths, fields and obstacles; above them a legend. A
 * camera that orbits has made the share `turn` of its round. A failed write shows as the file's error.
 */
dunlin_result picture_write(dunlin_world *world, const picture_look *look, double turn, FILE *file, dunlin_error *error);

/*
 * Pictures of one world, one after the other, as of a film: the scales of darts, densities and attributes change slowly, so
 * that nothing flickers, the legend stays in its place, and memory is used again.
 */
typedef struct picture_series picture_series;

/* `look` must outlive the series. In each picture the scales move by the share `follow` of what they lack, 0 .. 1. */
dunlin_result picture_series_begin(dunlin_world *world, const picture_look *look, double follow, picture_series **series,
                                   dunlin_error *error);

/* The same in all pictures; no height is 0. */
picture_size picture_series_size(const picture_series *series);

/* Draws the world as it is now, to width * height pixels of 0x..RRGGBB. */
dunlin_result picture_series_draw(picture_series *series, dunlin_world *world, double turn, uint32_t *pixels,
                                  dunlin_error *error);

/* Writes pixels as picture_series_draw() makes them as a PNG to the file. A failed write shows as the file's error. */
dunlin_result picture_write_png(uint32_t *pixels, picture_size size, FILE *file, dunlin_error *error);

/* The colour of the background, 0x..RRGGBB. */
uint32_t picture_paper(void);

/* 256 colours, 0x..RRGGBB, from which all such pictures can be mixed. */
void picture_palette(const dunlin_world *world, const picture_look *look, uint32_t colours[256]);

/* NULL is allowed. */
void picture_series_end(picture_series *series);

#endif
