/* SPDX-License-Identifier: MIT */
/* Reading states from memory, for tests and fuzzers. */
#ifndef DUNLIN_ENGINE_STATE_READ_H
#define DUNLIN_ENGINE_STATE_READ_H

#include <dunlin/dunlin.h>

/* dunlin_world_load() from memory; `name` stands for the path in messages. */
dunlin_result dun_state_read(dunlin_world *world, const char *name, const char *text, size_t length, dunlin_error *error);

#endif
