/* SPDX-License-Identifier: MIT */
/* Executors such as a caller of the public header may bring: for dunlin_world_def.run. */
#ifndef DUNLIN_TESTS_EXECUTORS_H
#define DUNLIN_TESTS_EXECUTORS_H

#include <dunlin/dunlin.h>

/* A thread of its own for every call, begun in a scrambled order. */
void run_on_scrambled_threads(void *context, uint32_t workers, dunlin_work_fn *work, void *job);

/* One thread makes the calls, the last worker's first; of each four it leaves out one, two or three. */
void run_few_backwards(void *context, uint32_t workers, dunlin_work_fn *work, void *job);

#endif
