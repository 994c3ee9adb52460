/* SPDX-License-Identifier: MIT */
/*
 * What several grids over parts of one flock have in common: the numbers of cells, in whose order the whole flock is stored,
 * and the rows that some agent sees. A row is a line of cells along x; its cells have consecutive numbers.
 */
#ifndef DUNLIN_SPATIAL_GRID_H
#define DUNLIN_SPATIAL_GRID_H

#include "spatial/index.h"

/* What a grid's cells follow from, and nothing else. Along x there are cells[0] in a row, along y cells[1] rows in a slab,
 * along z cells[2] slabs, one in 2D. */
typedef struct dun_cell_shape {
    double width[3];
    float min[3];
    uint32_t cells[3], lattice[3], wraps[3];
} dun_cell_shape;

/* Cells that one rank owns: in each of these slabs those from cells.begin on, counted from the slab's first one. */
typedef struct dun_block {
    dun_stretch slab, cells;
} dun_block;

/* The row of a cell. A half more than the cell's number is never so close to a whole row that rounding shows. */
static inline uint32_t dun_row_of(uint32_t cell, double rows_per_cell) {
    return (uint32_t)(int32_t)(((double)(int32_t)cell + 0.5) * rows_per_cell);
}

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

#define DUN_NOT_HELD UINT32_MAX

/* Rows that a grid holds, in an order of their own. The places of a row's cells follow each other, from place[row] on. */
typedef struct dun_held {
    const uint32_t *place; /* [rows] DUN_NOT_HELD: the row is not held */
    uint32_t cells;        /* of all rows that are */
    dun_stretch own;       /* places of one's own cells */
} dun_held;

/*
 * The next build(), of the same columns, makes a grid that holds only agents in these rows, sorted by places; `place` stays
 * where it is until the next shape. Its tables are no longer than these. The agents elsewhere come last, and no query finds
 * them. `known`: agents with known cells; those after them arrived since. Returns where the agents at the places `own` will be.
 * Space must have a number of agents.
 */
dun_stretch dun_grid_hold(dun_index *grid, const dun_held *held, const dun_columns *columns, uint32_t known,
                          const dun_executor *executor);

/* After the build that follows dun_grid_hold(): the first slot of the agents at this place or a later one. */
uint32_t dun_grid_place_begin(const dun_index *grid, uint32_t place);

/* After a build: the slot of the first agent in a cell, or behind it. */
uint32_t dun_grid_cell_begin(const dun_index *grid, uint32_t cell);

dun_cell_shape dun_grid_shape_of(const dun_index *grid);

/* Rows that some agent sees: row = slab·cells[1] + line, for each slab of these and each line of these. */
typedef struct dun_seen {
    dun_stretch slab[2], line[2];
    int slabs, lines; /* stretches of each */
} dun_seen;

/* The rows of `observed` that agents in a block of `observer` may see within a radius. The block has cells. */
dun_seen dun_grid_seen(const dun_index *observer, dun_block block, const dun_index *observed, float radius);

#endif
