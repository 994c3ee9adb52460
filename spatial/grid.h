/* SPDX-License-Identifier: MIT */
/*
 * What several grids over parts of one flock have in common: the numbers of cells, in whose order the whole flock is stored,
 * and the rows that some agent sees. A row is a line of cells along x; its cells have consecutive numbers.
 */
#ifndef DUNLIN_SPATIAL_GRID_H
#define DUNLIN_SPATIAL_GRID_H

#include "spatial/index.h"

/* Cells whose numbers are consecutive. */
typedef struct dun_stretch {
    uint32_t begin, end;
} dun_stretch;

/* Gives a grid, which must not be in use, the cells that dun_index_type.build() would give it. */
void dun_grid_shape(dun_index *grid, const dun_space *space, uint32_t agents);

/* The numbers of the cells of the agents [begin, end), whose positions are columns->from: key[begin .. end). */
void dun_grid_keys(const dun_index *grid, const dun_columns *columns, uint32_t begin, uint32_t end, uint32_t *key);

/*
 * After dun_grid_shape(): the same of all agents, in an array of the grid's own, which has room for as many as were reserved.
 * If the columns are `numbered`, and the cells the same as then, dun_index_type.next_cells() has given the numbers, from
 * element `from` on; otherwise they are found.
 */
const uint32_t *dun_grid_numbers(dun_index *grid, const dun_columns *columns, uint32_t from, const dun_executor *executor);

/*
 * The next build(), of the same columns, makes a grid that holds only agents in these cells: two ascending stretches of whole
 * rows, of which one or both may be empty. Its tables are no longer than these. The agents elsewhere come last, and no query
 * finds them. `known`: agents with known cells; those after them arrived since. Returns where the agents in the cells `own`
 * will be. Space must have a number of agents.
 */
dun_stretch dun_grid_hold(dun_index *grid, const dun_stretch cells[2], const dun_columns *columns, uint32_t known,
                          dun_stretch own, const dun_executor *executor);

/* After a build: the slot of the first agent in a cell, or behind it. */
uint32_t dun_grid_cell_begin(const dun_index *grid, uint32_t cell);

/* How many cells a row has. */
uint32_t dun_grid_row_cells(const dun_index *grid);

/* How many rows there are in 2D, how many planes of rows in 3D. */
uint32_t dun_grid_slabs(const dun_index *grid);

/* Rows that some agent sees: row = slab·rows + line, for each slab of these and each line of these. In 2D there is one slab. */
typedef struct dun_seen {
    uint32_t rows; /* per slab */
    dun_stretch slab[2], line[2];
    int slabs, lines; /* stretches of each */
} dun_seen;

/* The rows of `observed` that agents in these cells of `observer` may see within a radius. */
dun_seen dun_grid_seen(const dun_index *observer, dun_stretch cells, const dun_index *observed, float radius);

#endif
