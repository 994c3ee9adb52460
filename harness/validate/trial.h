/* SPDX-License-Identifier: MIT */
/*
 * What is flown to be compared with what was published: a trial is one flock, flown once a seed, and says what its figures must
 * be. Its figures have the same bits on every machine, whatever the threads and the kernel.
 */
#ifndef DUNLIN_HARNESS_VALIDATE_TRIAL_H
#define DUNLIN_HARNESS_VALIDATE_TRIAL_H

#include <dunlin/dunlin.h>

typedef enum trial_kind {
    TRIAL_CIRCLES,     /* how many there are in the 27 cells around an agent */
    TRIAL_VICSEK,      /* order parameter */
    TRIAL_COUZIN,      /* polarization, rotation */
    TRIAL_TOPOLOGICAL, /* shares of headings that a scaled flock has too, by seven nearest and by a radius */
    TRIAL_MATCHING,    /* polarization, neighbours */
    TRIAL_KINDS
} trial_kind;

enum { TRIAL_FIGURES = 2, TRIAL_SAMPLES = 200, TRIAL_NAME = 48 };

/* What a figure's mean over the samples must be: low .. high, of which one may be infinite. */
typedef struct trial_claim {
    double published; /* NaN where there is no number, but a range */
    double low, high;
} trial_claim;

typedef struct trial {
    trial_kind kind;
    char name[TRIAL_NAME]; /* unique among its kind */
    uint32_t agents;
    float size;          /* world units */
    float radius;        /* of sight, world units */
    float x;             /* VICSEK: noise, radians; COUZIN: width of the zone of orientation */
    int seed;            /* CIRCLES: of its start; others: of the first sample */
    int samples;         /* seeds; CIRCLES: steps; 1 .. TRIAL_SAMPLES */
    int warm_up;         /* steps before the first reading */
    int readings, steps; /* so many, a sample's figures being their mean, each after so many more steps */
    int claims;          /* 0 .. TRIAL_FIGURES, of the first figures */
    trial_claim claim[TRIAL_FIGURES];
    bool is_curve;  /* a point of a plot's curve, which the trials before it of the same kind and size begin */
    double seconds; /* roughly, of one thread */
} trial;

typedef struct trial_sample {
    double figure[TRIAL_FIGURES];
} trial_sample;

/* "circles": what options, files and pages call it. */
const char *trial_kind_name(trial_kind kind);

/* "polarization"; NULL: it has no such figure. */
const char *trial_figure_name(trial_kind kind, int figure);

/* Told again and again which share of the trial is done, up to 1; false: stop now. `context` is the caller's. */
typedef bool trial_progress(void *context, double share);

/*
 * Flies it: samples[trial.samples]. *whole is false where it was stopped, and the samples then say nothing. `progress` may be
 * NULL.
 */
dunlin_result trial_fly(const trial *t, int threads, trial_progress *progress, void *context, trial_sample *samples,
                        bool *whole, dunlin_error *error);

#endif
