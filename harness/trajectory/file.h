/* SPDX-License-Identifier: MIT */
/* The HDF5 file of a trajectory. One thread at a time may use it. */
#ifndef DUNLIN_HARNESS_TRAJECTORY_FILE_H
#define DUNLIN_HARNESS_TRAJECTORY_FILE_H

#include "harness/trajectory/driver.h"
#include "harness/trajectory/objects.h"
#include "harness/trajectory/frame.h"

#include <stdio.h>

enum { MAX_FIELDS = 6 + DUNLIN_MAX_SPECIES * DUNLIN_MAX_ATTRIBUTES, MAX_METRICS = 64 };

/* The series in their order. Only periodic worlds have edges. The metrics are the last. */
enum {
    SERIES_STEP,
    SERIES_TIME,
    SERIES_BOX,
    SERIES_ROWS,
    SERIES_HASH,
    SERIES_EDGES,
    MAX_SERIES = SERIES_EDGES + 1 + MAX_METRICS
};

/* A chunk that is often the same as in the frame before. */
typedef struct kept_chunk {
    void *plain, *packed;
    size_t packed_bytes;
    int level;     /* at which it was packed */
    hsize_t zeros; /* values that are 0, before those that are fill */
} kept_chunk;

/* [frames][rows] or [frames][rows][3] values. */
typedef struct field {
    char link[DUNLIN_NAME_LENGTH];  /* of H5MD's element */
    char alias[DUNLIN_NAME_LENGTH]; /* at the root */
    int column;                     /* of frames, and as many after it as there are components */
    int components, columns;        /* the components from `columns` on are 0 */
    bool is_number;                 /* a float, else a whole number */
    size_t value_bytes;
    uint32_t fill;  /* its bits, or its first byte */
    bool is_steady; /* ids, species and images: the frame before may have had the same */
    hid_t dataset;
    kept_chunk *kept; /* [components][chunks] */
    size_t kept_count;
} field;

/* [frames], [frames][width] or [frames][height][width] values. */
typedef struct series {
    char path[80];
    hid_t type, dataset;
    hsize_t width, height; /* 0: there is no such dimension */
} series;

static inline int series_rank(const series *s) {
    return 1 + (s->width > 0) + (s->height > 0);
}

typedef struct trajectory_file {
    const trajectory_def *def;
    const selection *selected;
    hid_t file, frame_scale, atom_scale, angles, preamble;
    driver *driver;
    hsize_t frames, rows, chunk_rows, preamble_width;
    int field_count, series_count, first_metric; /* first_metric: of the series */
    field fields[MAX_FIELDS];
    series series[MAX_SERIES];
    hid_t *grids; /* datasets of selection.grids */
    void *chunk, *shuffled, *packed;
} trajectory_file;

/* Writes a file with all objects and no frames. file_start() opens it once it is in its place. */
dunlin_result file_create(trajectory_file *file, FILE *to, const dunlin_world *world, dunlin_error *error);

/* Opens the file at def->path, and cuts it to so many frames. Then file_start(). */
dunlin_result file_reopen(trajectory_file *file, const dunlin_world *world, uint64_t frames, dunlin_error *error);

dunlin_result file_start(trajectory_file *file, dunlin_error *error);

dunlin_result file_append(trajectory_file *file, const frame *f, dunlin_error *error);

/* What a frame is of. */
dunlin_result file_read_frame(const trajectory_file *file, uint64_t number, uint64_t *step, double *time, uint64_t *rows,
                              dunlin_error *error);

/* Reads the first rows of one component of a field, by its link; of a whole number, or a float. */
dunlin_result file_read_column(const trajectory_file *file, uint64_t number, const char *link, int component, uint32_t rows,
                               void *words, dunlin_error *error);

/* What was appended is on the disk. */
dunlin_result file_sync(const trajectory_file *file, dunlin_error *error);

dunlin_result file_close(trajectory_file *file, dunlin_error *error);

/* Frees the memory. A file that could not be written is left open: closing would write. */
void file_free(trajectory_file *file);

/* Lists fields and series, which have no datasets yet. */
void file_list(trajectory_file *file, const dunlin_world *world);

/* Makes all groups, datasets and attributes in the new file. */
bool file_make_objects(trajectory_file *file, const dunlin_world *world);

/* Replaces the text of the scenario if it is another one: a run may continue for more steps. */
bool file_renew_scenario(const trajectory_file *file);

/* Opens the datasets again. */
bool file_open_objects(trajectory_file *file);

#endif
