/* SPDX-License-Identifier: MIT */
/* What auto.c asks the grid before it chooses an index. */
#ifndef DUNLIN_SPATIAL_GRID_H
#define DUNLIN_SPATIAL_GRID_H

#include "spatial/index.h"

/*
 * Where a grid over an open space would put `count` agents, picked evenly by storage order: the cell of its table, and a number
 * that stands for the cell of its lattice. Agents in the same cell of the table but in different cells of the lattice are far
 * apart.
 */
void dun_grid_places(dun_index *grid, const dun_space *space, const dun_columns *columns, uint32_t count, uint64_t *table_cell,
                     uint64_t *lattice_cell);

#endif
