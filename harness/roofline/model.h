/* SPDX-License-Identifier: MIT */
/* The bound: the minimum time that a stage of the frame takes on this machine, from what was measured and counted. */
#ifndef DUNLIN_HARNESS_ROOFLINE_MODEL_H
#define DUNLIN_HARNESS_ROOFLINE_MODEL_H

#include "harness/roofline/ceilings.h"
#include "harness/roofline/counting.h"

typedef enum stage { STAGE_SNAPSHOT, STAGE_INTERACT, STAGE_STEER, STAGE_INTEGRATE, STAGE_FRAME, STAGES } stage;

/* What limits a stage. All but the last belong to one core. */
typedef enum resource {
    RESOURCE_ADD,
    RESOURCE_MULTIPLY,     /* and FMAs, which need a multiplier */
    RESOURCE_ADD_MULTIPLY, /* all of these together: they may share ports */
    RESOURCE_COMPARE,
    RESOURCE_ADD_COMPARE, /* both together */
    RESOURCE_LOGIC,
    RESOURCE_INTEGER,
    RESOURCE_DIVIDE, /* divides and roots */
    RESOURCE_VECTOR, /* all arithmetic, logic and comparisons together */
    RESOURCE_LOAD,
    RESOURCE_STORE,
    RESOURCE_ISSUE, /* all instructions together */
    RESOURCE_BYTES, /* to and from where the flock lies */
    RESOURCES
} resource;

const char *model_stage_name(stage s);
const char *model_resource_name(resource r);

/* The bound of a stage, per agent and frame. */
typedef struct stage_bound {
    instruction_counts instructions; /* vector instructions */
    double bytes;
    double seconds[RESOURCES]; /* that each resource alone needs; 0 if it is not used or its ceiling was not measured */
    double bound;              /* seconds: the maximum of these; for the frame, the sum over the stages. 0: unknown */
    resource binds;            /* the resource with the maximum; not for the frame */
} stage_bound;

/* The input of the bounds. */
typedef struct model_input {
    int dimensions;
    int cores;         /* that work at once */
    bool many_workers; /* with several threads the sort moves one more array */
    kernel_counts counts;
    const width_ceilings *ceilings;
    const level_bandwidth *level; /* that holds the flock, for as many threads; NULL: not measured */
} model_input;

void model_bound(const model_input *input, stage_bound stages[STAGES]);

/* Instructions per second of one core for a resource other than bytes; 0: not measured. */
double model_ceiling(const width_ceilings *ceilings, resource r);

/* How many of these instructions use a resource. */
double model_operations(const instruction_counts *counts, resource r);

/* The kind of bandwidth that a stage uses. */
bandwidth_kind model_bandwidth_kind(const level_bandwidth *level, stage s);

/* The level that holds so many bytes, a cache or memory; NULL: none. */
const level_bandwidth *model_level(const level_bandwidth *levels, int count, double bytes);

#endif
