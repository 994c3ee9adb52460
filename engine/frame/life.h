/* SPDX-License-Identifier: MIT */
/* Birth and death, as behave and prepare use them. */
#ifndef DUNLIN_ENGINE_LIFE_H
#define DUNLIN_ENGINE_LIFE_H

#include "engine/world/frame.h"

/* Makes room for `agents` flags, at most the species' room; false: no memory. */
bool dun_life_reserve(dun_species *species, uint32_t agents);

/* Makes room for births; false: no memory. */
bool dun_births_reserve(dun_births *births, uint32_t room);

/* Before the behaviours of a tile whose species calls back: clears the flags of death. */
void dun_life_open(const dun_frame *f, const dun_tile *tile);

/* After them: counts deaths and orders births. The worker had `first` births before the tile. */
void dun_life_close(const dun_frame *f, const dun_tile *tile, uint32_t first);

#endif
