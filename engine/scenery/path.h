/* SPDX-License-Identifier: MIT */
/* Paths as the frame uses them. */
#ifndef DUNLIN_ENGINE_PATH_H
#define DUNLIN_ENGINE_PATH_H

#include "engine/world/frame.h"

void dun_path_free(dun_path *path);
size_t dun_path_bytes(const dun_path *path);

/* Moves the points that are agents to the agents' positions in the snapshot. Call it before the tiles. */
void dun_paths_prepare(dun_frame *f);

#endif
