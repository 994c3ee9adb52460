/* SPDX-License-Identifier: MIT */
/* Grids of numbers from files: the brightness of a picture, or columns of vectors. */
#ifndef DUNLIN_HARNESS_SCENARIO_GRID_H
#define DUNLIN_HARNESS_SCENARIO_GRID_H

#include <dunlin/dunlin.h>

enum { SCENARIO_PROBLEM_LENGTH = 200 };

typedef struct scenario_grid {
    float *columns[3]; /* [cells], in the order of the field's */
} scenario_grid;

/*
 * The brightness, 0 .. 1, of the PNG at the cells' centres, the picture spread over the field with its lower edge at low y; in
 * 3D every layer has the same. false: `problem` says why.
 */
bool scenario_grid_image(const char *path, const dunlin_field_view *field, scenario_grid *grid,
                         char problem[SCENARIO_PROBLEM_LENGTH]);

/* Rows `vx,vy[,vz]` below that header, x fastest, one a cell. false: `problem` says why, and in which line. */
bool scenario_grid_csv(const char *path, const dunlin_field_view *field, unsigned axes, scenario_grid *grid,
                       char problem[SCENARIO_PROBLEM_LENGTH]);

void scenario_grid_free(scenario_grid *grid);

#endif
