/* SPDX-License-Identifier: MIT */
/* What the grid says of itself to who chooses an index. */
#ifndef DUNLIN_SPATIAL_GRID_H
#define DUNLIN_SPATIAL_GRID_H

#include "spatial/index.h"

/*
 * Where a grid over an open space would put `count` of the agents, evenly picked by storage order: the cell of its table, and a
 * number that stands for the cell of the lattice. Agents in one cell of the table but in two of the lattice are far apart.
 */
void dun_grid_places(dun_index *grid, const dun_space *space, const dun_columns *columns, uint32_t count, uint64_t *table_cell,
                     uint64_t *lattice_cell);

#endif
