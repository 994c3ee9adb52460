/* SPDX-License-Identifier: MIT */
/*
 * How many instructions kernels execute, counted by running their own source over operations that count (count_operations.h).
 * Only kernels that run here can be counted here.
 */
#ifndef DUNLIN_HARNESS_ROOFLINE_COUNTING_H
#define DUNLIN_HARNESS_ROOFLINE_COUNTING_H

#include "harness/measure/workload.h"
#include "harness/roofline/instructions.h"
#include "kernels/contract/kernel.h"

/* Vector instructions; where the struct is used says of what. */
typedef struct instruction_counts {
    double of[INSTRUCTIONS];
} instruction_counts;

/* The counting twin of the kernel of that name, or NULL. */
const dun_kernel *counting_kernel_find(const char *name);

/* Resets the counter, and reads it. */
void counting_reset(void);
instruction_counts counting_read(void);

/* A kernel's work on a flock, by stages. */
typedef struct kernel_counts {
    uint32_t lanes;
    instruction_counts interact_candidate; /* per candidate of a packet, with its part of the packet's own cost */
    instruction_counts steer_packet;       /* `lanes` agents, all rules */
    instruction_counts integrate_packet;   /* `lanes` agents */
    double candidates_per_agent;           /* of all packets of a frame: pairs tested / lanes / agents */
    double cells_per_agent;
} kernel_counts;

/* Counts in two frames, instructions in a sample of the packets. It is an error if there is no memory, or if the kernel
 * cannot be counted here. */
dunlin_result counting_measure(const bench_start *start, const char *kernel, kernel_counts *counts, dunlin_error *error);

#endif
