/* SPDX-License-Identifier: MIT */
/* Fields as behaviours and the frame use them. */
#ifndef DUNLIN_ENGINE_FIELD_H
#define DUNLIN_ENGINE_FIELD_H

#include "engine/world/world.h"

void dun_field_free(dun_field *field);

size_t dun_field_cells(const dun_field *field);

/* Whether the field repeats: it covers a periodic world exactly. */
bool dun_field_wraps(const dunlin_world *world, const dun_field *field);

/* The field as kernels read it; the caller sets look_ahead. */
dun_behave_flow dun_field_flow(const dunlin_world *world, const dun_field *field);

#endif
