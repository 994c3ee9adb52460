/* SPDX-License-Identifier: MIT */
/* Fields that change with time. */
#ifndef DUNLIN_ENGINE_FIELD_FILL_H
#define DUNLIN_ENGINE_FIELD_FILL_H

#include <dunlin/dunlin.h>

/* Fills every field that varies with this step's vectors. Call it before the tiles. */
void dun_fields_refill(const dunlin_world *world);

#endif
