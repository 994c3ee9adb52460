/* SPDX-License-Identifier: MIT */
/* All of `dunlin roofline`: ceilings, counts, bounds, and how much of them kernels reach. */
#ifndef DUNLIN_HARNESS_ROOFLINE_ROOFLINE_H
#define DUNLIN_HARNESS_ROOFLINE_ROOFLINE_H

#include "harness/measure/frame_bench.h"
#include "harness/report/output_file.h"
#include "harness/roofline/model.h"

#include <stdio.h>

enum { ROOFLINE_MAX_KERNELS = 16 };

/* What to measure. */
typedef struct roofline_plan {
    bool runs[4]; /* [dimensions] */
    uint32_t agents;
    double neighbours;
    int kernel_count;
    const char *kernels[ROOFLINE_MAX_KERNELS]; /* all run here */
    int threads, repeats;
    bool quick, quiet; /* quiet: no progress */
} roofline_plan;

/* One kernel in 2D or 3D. */
typedef struct roofline_row {
    frame_row measured;
    model_input input; /* its pointers point into the roofline */
    stage_bound stages[STAGES];
} roofline_row;

typedef struct roofline {
    roofline_plan plan;
    machine host;
    int ceiling_repeats;
    int width_count;
    width_ceilings widths[ROOFLINE_MAX_KERNELS]; /* of every kernel, whether or not it runs here */
    int level_count;
    level_bandwidth levels[BANDWIDTH_LEVELS]; /* with as many threads as run */
    int row_count;
    roofline_row rows[2 * ROOFLINE_MAX_KERNELS]; /* 2D, then 3D */
} roofline;

/*
 * Measures, with progress on standard error, after interrupt_watch(). A signal ends it after the current measurement, with the
 * rows so far. The result points into itself, so it must not be copied.
 */
dunlin_result roofline_measure(const roofline_plan *plan, roofline *result, dunlin_error *error);

/* The seconds per agent and frame that a stage took, and bound / seconds; 0: there is no bound. */
double roofline_achieved(const roofline_row *row, stage s);
double roofline_share(const roofline_row *row, stage s);

/* "divides + roots", "memory: copy past the caches", "all stages", "not measured" */
void roofline_binds(const roofline_row *row, stage s, char text[64]);

/* ---- results ---------------------------------------------------------------------------------------------------------- */

/* The machine, ceilings and bounds, each with a line of explanation. */
void roofline_print(FILE *file, const roofline *r);

/* Everything as one document, as json_write() does. */
dunlin_result roofline_write_json(output_file *file, const roofline *r, dunlin_error *error);

/* Bounds and what was reached: a row per kernel, dimensions and stage. The check comes before measuring. */
dunlin_result roofline_check_csv(const char *path, dunlin_error *error);
dunlin_result roofline_append_csv(const char *path, const roofline *r, dunlin_error *error);

/* Writes the gnuplot script of the plot into the folder; there must be rows. */
#define ROOFLINE_PLOT "roofline"
dunlin_result roofline_write_plot(const char *folder, const roofline *r, dunlin_error *error);

#endif
