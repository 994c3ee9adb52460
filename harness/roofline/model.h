/* SPDX-License-Identifier: MIT */
/* The bound: the least time that a stage of the frame can take on this machine, by what was measured and counted. */
#ifndef DUNLIN_HARNESS_ROOFLINE_MODEL_H
#define DUNLIN_HARNESS_ROOFLINE_MODEL_H

#include "harness/roofline/bandwidth.h"
#include "harness/roofline/counting.h"

typedef enum stage { STAGE_SNAPSHOT, STAGE_INTERACT, STAGE_STEER, STAGE_INTEGRATE, STAGE_FRAME, STAGES } stage;

/* What a stage may run out of. All but the last are of each core's own. */
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

/* What bounds a stage, an agent and frame. */
typedef struct stage_bound {
    instruction_counts instructions; /* vector instructions */
    double bytes;
    double seconds[RESOURCES]; /* that each resource alone needs; 0 where it is not used, or its ceiling was not measured */
    double bound;              /* seconds: the largest of them; of the frame, the sum over the stages. 0: unknown */
    resource binds;            /* which that is; not of the frame */
} stage_bound;

/* What the bound follows from. */
typedef struct model_input {
    int dimensions;
    int cores;                   /* that work at once */
    bool many_workers;           /* the sort of several threads moves one more array */
    double groups_per_agent;     /* from dunlin_world_stats(), like the next two */
    double candidates_per_agent; /* passes of the inner loop: pairs tested / lanes / agents */
    double cells_per_agent;
    const kernel_counts *counts;
    const width_ceilings *ceilings;
    const level_bandwidth *level; /* in which the flock lies, for as many threads */
} model_input;

typedef struct model_bounds {
    stage_bound stages[STAGES];
} model_bounds;

model_bounds model_bound(const model_input *input);

/* Instructions a second of one core for a resource other than bytes; 0: not measured. */
double model_ceiling(const width_ceilings *ceilings, resource r);

/* How many of these instructions use a resource. */
double model_operations(const instruction_counts *counts, resource r);

/* Bytes an agent and frame, at least, between the cores and where the flock lies. */
double model_bytes(stage s, int dimensions, double cells_per_agent, bool many_workers);

/* As what a stage moves its bytes. */
bandwidth_kind model_bandwidth_kind(const level_bandwidth *level, stage s);

/* The level in which so many bytes fit, for as many threads as `levels` was measured with: a cache, or memory. */
const level_bandwidth *model_level(const level_bandwidth *levels, int count, double bytes);

#endif
