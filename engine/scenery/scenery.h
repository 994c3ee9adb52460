/* SPDX-License-Identifier: MIT */
/* Paths, fields and obstacles as behaviours, the frame and worlds use them. */
#ifndef DUNLIN_ENGINE_SCENERY_H
#define DUNLIN_ENGINE_SCENERY_H

#include "engine/world/frame.h"

/* Free what an item of a world's lists owns: a dun_path, a dun_field. */
void dun_path_free(void *path);
void dun_field_free(void *field);

/* Moves the points that are agents to the agents' positions in the snapshot. Call it before the tiles. */
void dun_paths_prepare(dun_frame *f);

size_t dun_field_cells(const dun_field *field);

/* Gives a field the arrays of a trace, which are 0; false: no memory, and it has none. */
bool dun_field_begin_trace(dun_heap *heap, dun_field *field);
void dun_field_end_trace(dun_field *field);

/* The numbers in the room for the next ones become the trace's. */
static inline void dun_field_take_spare(dun_field *field) {
    float *const values = field->values;
    field->values = field->spare;
    field->spare = values;
}

/* Along which axes the field repeats, bit a each: those of a periodic world that it covers exactly. */
uint32_t dun_field_wraps(const dunlin_world *world, const dun_field *field);

/* The field as kernels read it; the caller sets look_ahead. */
dun_behave_flow dun_field_flow(const dunlin_world *world, const dun_field *field);

/* Fills every field that varies with this step's vectors. Call it before the tiles. */
void dun_fields_refill(const dunlin_world *world);

/* Sorts all obstacles into bins if they have changed. false: out of memory, and nothing has changed. */
bool dun_obstacles_prepare(dunlin_world *world);

#endif
