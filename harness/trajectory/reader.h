/* SPDX-License-Identifier: MIT */
/*
 * Reads trajectories, also one that is still being written and one whose run was killed. Nothing in the file is believed: what
 * does not fit is an error that names it. Faults of HDF5 itself in a file that was damaged are HDF5's.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_READER_H
#define DUNLIN_HARNESS_TRAJECTORY_READER_H

#include <dunlin/dunlin.h>

#include <stdio.h>

typedef struct trajectory_info {
    int dimensions;      /* 2 or 3 */
    bool is_periodic[3]; /* by axis */
    uint64_t frames;     /* whole ones, when the file was opened */
    uint64_t seed;       /* the world's */
    int precision;       /* bits of mantissa that numbers have; 0: all */
    bool is_complete;    /* with all fields of all species */
    bool has_velocity, has_species, has_image;
    int trace_count;     /* that were recorded */
    int traces;          /* that the world had */
    int species_count;   /* of the scenario, whether or not they were recorded */
    char **species;      /* [species_count] their names */
    int attribute_count; /* that were recorded */
    char **attributes;   /* [attribute_count] their names */
} trajectory_info;

typedef struct trajectory_frame {
    uint64_t step;
    double time;
    uint64_t state_hash; /* of all agents, whichever were recorded */
    uint32_t count;      /* agents; everything below is by ascending id */
    uint32_t *id;        /* [count] */
    uint32_t *species;   /* [count] below species_count; NULL: not recorded */
    uint32_t *slot;      /* [count] the agent's place in the storage of its species; NULL: not recorded */
    float *position;     /* [count][3]; z is 0 in 2D */
    float *velocity;     /* [count][3]; NULL: not recorded */
    int32_t *image;    /* [count][3] crossings of the world's edges, upwards less downwards; NULL: not known, or not recorded */
    float **attribute; /* [attribute_count][count]; NAN: the agent's species has no such attribute */
    float box[3];      /* the world's size; in 2D the third is the larger of the others */
    char *preamble;    /* of the state file */
} trajectory_frame;

typedef struct trajectory_reader trajectory_reader;

/* Opens the file; reader_close() frees it. On failure *opened is NULL. */
dunlin_result reader_open(const char *path, trajectory_reader **opened, dunlin_error *error);

/* The same of an open file without a name that HDF5 could open, of which it makes a copy; `name` stands for the path in
 * messages.
 */
dunlin_result reader_open_copy(const char *name, FILE *file, trajectory_reader **opened, dunlin_error *error);

/* The same of a file's bytes in memory. */
dunlin_result reader_open_image(const char *name, const void *bytes, size_t count, trajectory_reader **opened,
                                dunlin_error *error);

/* NULL is allowed. */
void reader_close(trajectory_reader *opened);

const trajectory_info *reader_info(const trajectory_reader *opened);

/* The step of a frame, 0 .. info->frames - 1. They ascend. */
uint64_t reader_step(const trajectory_reader *opened, uint64_t frame);

/* Reads the traces of a frame: views[info->trace_count], valid until the next are read or the trajectory is closed. */
dunlin_result reader_read_traces(trajectory_reader *opened, uint64_t frame, const dunlin_trace_view **views,
                                 dunlin_error *error);

/* Reads a frame. *read is valid until the next frame is read or the trajectory is closed. */
dunlin_result reader_read(trajectory_reader *opened, uint64_t frame, const trajectory_frame **read, dunlin_error *error);

#endif
