/* SPDX-License-Identifier: MIT */
/* The families of micro-benchmarks. Each registers its rows from tables. */
#ifndef DUNLIN_HARNESS_MICROBENCH_H
#define DUNLIN_HARNESS_MICROBENCH_H

#include "harness/microbench/gbench_shim.h"
#include "kernels/contract/kernel.h"

void register_kernel_rows(void);    /* kernel/…: one stretch of agents interacts */
void register_respond_rows(void);   /* respond/… */
void register_integrate_rows(void); /* integrate/… */
void register_shim_rows(void);      /* shim/…: the overhead of the benchmark library */

/* Registers the rows of one kernel. */
typedef void register_kernel_fn(const dun_kernel *kernel);

/* Calls it for every kernel that runs here. Any other kernel gets one row, `family/name`, which is reported as skipped. */
void register_for_kernels(const char *family, register_kernel_fn *rows);

/* gbench_register() with a name. */
__attribute__((format(printf, 2, 3))) void microbench_register(const gbench_benchmark *benchmark, const char *name, ...);

/* Counters of pairs: totals over all iterations, for as many updates of agents. */
void microbench_report_pairs(gbench_state *state, double tested, double useful, double updates);

/* The time of each of so many vector iterations. */
void microbench_report_vectors(gbench_state *state, double vectors);

#endif
