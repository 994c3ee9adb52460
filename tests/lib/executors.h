/* SPDX-License-Identifier: MIT */
/* Executors that a caller of the public header might bring, for dunlin_world_def.run. */
#ifndef DUNLIN_TESTS_EXECUTORS_H
#define DUNLIN_TESTS_EXECUTORS_H

#include <dunlin/dunlin.h>

/* Gives each call its own thread, and starts the threads in a scrambled order. */
void run_on_scrambled_threads(void *context, uint32_t workers, dunlin_work_fn *work, void *job);

/* One thread makes the calls, from the last worker to the first, and leaves out one, two or three of each four. */
void run_few_backwards(void *context, uint32_t workers, dunlin_work_fn *work, void *job);

#endif
