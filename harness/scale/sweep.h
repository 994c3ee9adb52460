/* SPDX-License-Identifier: MIT */
/* The sweeps of `dunlin scale` and of `dunlin-mpi scale`, their rows, and the figures of a row, which tables, JSON, plots and
 * findings share. */
#ifndef DUNLIN_HARNESS_SCALE_SWEEP_H
#define DUNLIN_HARNESS_SCALE_SWEEP_H

#include "harness/measure/frame_rows.h"

#define SCALE_MAX_AGENTS 4000000000u /* a little less than the library allows */

/* In the order in which they are measured. Size comes last, because it takes longest and needs nearly all memory. */
typedef enum sweep_kind {
    SWEEP_STRONG = 0,   /* the same flock, more and more threads */
    SWEEP_WEAK,         /* the same number of agents per thread, more and more threads */
    SWEEP_DENSITY,      /* more and more neighbours */
    SWEEP_KERNELS,      /* every kernel that runs here, and baselines */
    SWEEP_DISTRIBUTION, /* clumped and flocked, each beside a uniform flock with as many neighbours */
    SWEEP_SIZE,         /* more and more agents */

    SWEEP_RANKS_STRONG, /* of a program with ranks: the same flock, more and more ranks */
    SWEEP_RANKS_WEAK,   /* the same number of agents per rank, more and more ranks */
    SWEEP_RANKS_SPLIT,  /* the same flock on the same cores: few ranks with many threads each, or many with few */
    SWEEPS
} sweep_kind;

/* Whether a program with ranks, or without them, has the sweep; and how many it has. */
bool sweeps_are(bool of_ranks, sweep_kind sweep);
int sweeps_count(bool of_ranks);

/* What a row says, some of it in comparison with other rows of its sweep. */
typedef enum figure {
    FIGURE_NONE = 0,
    FIGURE_KERNEL,       /* a text */
    FIGURE_DISTRIBUTION, /* a text */
    FIGURE_RANKS,
    FIGURE_THREADS, /* per rank */
    FIGURE_AGENTS,
    FIGURE_NEIGHBOURS,       /* the mean that was found */
    FIGURE_SPEED,            /* million agent-updates per second */
    FIGURE_SPEED_PER_THREAD, /* so that one thread and all threads can stand side by side */
    FIGURE_FRAME,            /* ms */
    FIGURE_SPEED_UP,         /* times the first row */
    FIGURE_EFFICIENCY,       /* speed-up per thread of all ranks: 1 is ideal */
    FIGURE_SERIAL_FRACTION,
    FIGURE_TESTED, /* pairs per agent */
    FIGURE_USEFUL, /* pairs / pairs tested */
    FIGURE_PAIR,   /* thread time per useful pair, ns */
    FIGURE_AGENT,  /* thread time per agent, ns */
    FIGURE_BYTES,  /* per agent */
    FIGURE_TIMES_AOS,
    FIGURE_TIMES_SIMD,    /* of the kernel's instruction set */
    FIGURE_TIMES_UNIFORM, /* the time per useful pair over that of the uniform row below; NAN for that row */
    FIGURE_TRAFFIC,       /* MB per step, of all ranks */
    FIGURE_MESSAGES,      /* per step, of all ranks */
    FIGURE_HALO,          /* agents */
    FIGURE_IMBALANCE,     /* NAN for a single rank */
    FIGURE_EXCHANGE,      /* its part of the frame, in the mean of all ranks */
    FIGURES
} figure;

enum { SWEEP_ROWS = 64, SWEEP_COLUMNS = 12 };

typedef struct sweep_def {
    const char *name;              /* on the command line and in file names */
    const char *title;             /* "Strong scaling" */
    const char *summary;           /* what it keeps and what it varies, in a sentence */
    figure columns[SWEEP_COLUMNS]; /* of its tables, ended by FIGURE_NONE */
} sweep_def;

extern const sweep_def sweeps[SWEEPS];

/* The rows of one sweep in 2D or in 3D, in the order of its plan. */
typedef struct sweep_rows {
    int count;
    frame_row row[SWEEP_ROWS];
} sweep_rows;

typedef struct scale_results {
    sweep_rows of[SWEEPS][4]; /* [sweep][dimensions] */
} scale_results;

/* NAN where the row has no such figure. Not for a text. */
double figure_of(const sweep_rows *rows, int row, figure which);
const char *figure_text(const frame_row *row, figure which);

/* The ratio of the agent-updates per second. */
double speed_ratio(const frame_row *row, const frame_row *reference);

/* What the rows share: "avx512, 1 000 000 agents, 20 neighbours, 4 threads, ". */
void sweep_describe(FILE *file, sweep_kind sweep, const frame_row *row);

/* The rows as a table; free it. */
table sweep_table(sweep_kind sweep, const sweep_rows *rows);

/* All rows as JSON objects: those of frame_rows_json_row(), with the sweep and its figures. A new reference; NULL: out of
 * memory.
 */
json_t *scale_results_json(const scale_results *results);

#endif
