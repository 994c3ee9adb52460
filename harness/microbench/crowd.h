/* SPDX-License-Identifier: MIT */
/* Agents at random places in a box, as columns that the grid sorts: what the engine's snapshot stage has before it. */
#ifndef DUNLIN_HARNESS_MICROBENCH_CROWD_H
#define DUNLIN_HARNESS_MICROBENCH_CROWD_H

#include "spatial/index.h"

/* Columns: positions, velocities, ids. columns.from is sorted into columns.to. */
typedef struct crowd {
    dun_space space;
    dun_columns columns;
    dun_index *index;
    dun_executor executor;
} crowd;

/*
 * The same agents for the same arguments, on every machine, at up to `speed` an axis. `space` is the grid's. Arrays have room
 * for kernels to read past their end. false: no memory. Always free it.
 */
bool crowd_make(crowd *made, const dun_space *space, uint32_t agents, float speed, uint32_t workers);
void crowd_free(crowd *made);

void crowd_sort(crowd *sorted);

/* The sorted agents fly on by one time unit, around the edges of their box, and are what is to be sorted next. */
void crowd_move(crowd *sorted);

#endif
