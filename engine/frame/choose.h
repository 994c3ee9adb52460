/* SPDX-License-Identifier: MIT */
/* Which kernel and how many threads a world uses, where its definition leaves that to the world. */
#ifndef DUNLIN_ENGINE_CHOOSE_H
#define DUNLIN_ENGINE_CHOOSE_H

#include "engine/world/frame.h"

/* Lists what the definition leaves open. The world has the kernel that it begins with, and its workers. */
void dun_choice_create(dunlin_world *world, const dunlin_world_def *def);

/* Whether the world has, had or may get the kernel of that name. */
bool dun_choice_has(const dunlin_world *world, const char *name);

/* Whether the frame that begins is one of a trial of kernels. Then every tile is timed. */
bool dun_choice_tries_kernels(const dunlin_world *world);

/* The contender that runs a tile, by the tile's number; -1: the world's kernel. */
int dun_choice_contender(const dun_frame *f, uint32_t number);

/* At the end of a frame, when its statistics stand in the world: continues the trial, decides, or begins another trial. */
void dun_choose(const dun_frame *f);

#endif
