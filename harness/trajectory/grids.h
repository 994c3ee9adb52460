/* SPDX-License-Identifier: MIT */
/* What a trajectory has of the world beside its agents: the numbers of traces, and sums over groups. */
#ifndef DUNLIN_HARNESS_TRAJECTORY_GRIDS_H
#define DUNLIN_HARNESS_TRAJECTORY_GRIDS_H

#include <dunlin/dunlin.h>

#include <stddef.h>

typedef enum grid_kind {
    GRID_AGENTS,
    GRID_LEADER,
    GRID_CENTRE,
    GRID_VELOCITY,
    GRID_SPREAD,
    GRID_POLARIZATION,
    GRID_TRACE
} grid_kind;

/* A block of 32-bit words in each frame. */
typedef struct grid {
    char path[64]; /* of the HDF5 group */
    grid_kind kind;
    int number; /* of the species, or of the trace */
    int rank;   /* 1 .. 3 */
    unsigned long long size[3];
    size_t first, words; /* in the frame's block */
} grid;

typedef struct grid_list {
    grid *grids; /* grids_free() */
    int count;
    size_t words; /* of all */
} grid_list;

/* Lists what the world has, and is wanted. False: no memory. */
bool grids_list(grid_list *list, dunlin_world *world, bool groups, bool traces);

void grids_free(grid_list *list);

bool grid_is_number(const grid *g);

/* Copies the present values, words[list->words]. Numbers are rounded to so many bits of mantissa; 0: not. */
dunlin_result grids_copy(const grid_list *list, dunlin_world *world, int precision, uint32_t *words, dunlin_error *error);

#endif
