/* SPDX-License-Identifier: MIT */
/*
 * On which processors the threads and programs that a thread starts may run. OpenMP may bind threads to places, and then it has
 * bound the process' first thread before any code of ours runs: all that this thread starts would share its place. What the
 * process may use is then all places together.
 */
#ifndef DUNLIN_ENGINE_PLACE_H
#define DUNLIN_ENGINE_PLACE_H

#include <stdbool.h>

#ifdef __linux__
#include <sched.h>
#endif

typedef struct dun_place {
    bool is_left;
#ifdef __linux__
    cpu_set_t processors; /* of the calling thread before */
#endif
} dun_place;

/* Threads and programs that the calling thread starts between these two may run wherever the process may. */
dun_place dun_place_leave(void);
void dun_place_return(const dun_place *place);

/* How many processors the process may use. */
long dun_place_processors(void);

#endif
