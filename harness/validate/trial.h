/* SPDX-License-Identifier: MIT */
/*
 * Flights that are compared with published figures. A trial is one flock, flown once per seed, and says what its figures must
 * be. The figures have the same bits on every machine, for all threads and kernels.
 */
#ifndef DUNLIN_HARNESS_VALIDATE_TRIAL_H
#define DUNLIN_HARNESS_VALIDATE_TRIAL_H

#include <dunlin/dunlin.h>

typedef enum trial_kind {
    TRIAL_CIRCLES,     /* agents in the 27 cells around an agent */
    TRIAL_VICSEK,      /* order parameter */
    TRIAL_COUZIN,      /* polarization, rotation */
    TRIAL_TOPOLOGICAL, /* shares of headings that equal those of a scaled flock, with seven nearest and with a radius */
    TRIAL_MATCHING,    /* polarization, neighbours */
    TRIAL_KINDS
} trial_kind;

enum { TRIAL_FIGURES = 2, TRIAL_SAMPLES = 200, TRIAL_NAME = 48 };

/* The allowed range of a figure's mean over the samples: low .. high, of which one may be infinite. */
typedef struct trial_claim {
    double published; /* NaN if only a range was published */
    double low, high;
} trial_claim;

typedef struct trial {
    trial_kind kind;
    char name[TRIAL_NAME]; /* unique within its kind */
    uint32_t agents;
    float size;          /* world units */
    float radius;        /* of sight, world units */
    float x;             /* VICSEK: noise, radians; COUZIN: width of the zone of orientation */
    int seed;            /* CIRCLES: of its start; others: of the first sample */
    int samples;         /* seeds; CIRCLES: steps; 1 .. TRIAL_SAMPLES */
    int warm_up;         /* steps before the first reading */
    int readings, steps; /* a sample's figures are means over the readings, one each after so many steps */
    int claims;          /* 0 .. TRIAL_FIGURES: the first figures have a claim */
    trial_claim claim[TRIAL_FIGURES];
    bool is_curve;  /* a point of a curve in a plot, after those of the trials before it of the same kind and size */
    double seconds; /* estimated, on one thread */
} trial;

typedef struct trial_sample {
    double figure[TRIAL_FIGURES];
} trial_sample;

/* "circles": its name in options, files and pages. */
const char *trial_kind_name(trial_kind kind);

/* "polarization"; NULL: the kind has no such figure. */
const char *trial_figure_name(trial_kind kind, int figure);

/* Called with the share of the trial that is done, up to 1; false: stop now. `context` is the caller's. */
typedef bool trial_progress(void *context, double share);

/*
 * Flies the trial and fills in samples[trial.samples]. If it was stopped, *whole is false and the samples are invalid.
 * `progress` may be NULL.
 */
dunlin_result trial_fly(const trial *t, int threads, trial_progress *progress, void *context, trial_sample *samples,
                        bool *whole, dunlin_error *error);

#endif
