/* SPDX-License-Identifier: MIT */
/*
 * Flights that are compared with published figures. A trial is one flock, flown once per seed, and says what its figures must
 * be. The figures have the same bits on every machine, for all threads and kernels.
 */
#ifndef DUNLIN_HARNESS_VALIDATE_TRIAL_H
#define DUNLIN_HARNESS_VALIDATE_TRIAL_H

#include "harness/models/model.h"

typedef enum trial_kind {
    TRIAL_CIRCLES,     /* agents in the 27 cells around an agent */
    TRIAL_VICSEK,      /* order parameter */
    TRIAL_COUZIN,      /* polarization, rotation */
    TRIAL_TOPOLOGICAL, /* shares of headings that equal those of a scaled flock, with seven nearest and with a radius */
    TRIAL_MATCHING,    /* polarization, neighbours */
    TRIAL_KINDS
} trial_kind;

enum { TRIAL_FIGURES = 2, TRIAL_SAMPLES = 200, TRIAL_NAME = 48, TRIALS = 96 };

/* By kind: its name in options, files and pages, and those of its figures; NULL: there are no more. */
extern const char *const trial_kind_names[TRIAL_KINDS];
extern const char *const trial_figure_names[TRIAL_KINDS][TRIAL_FIGURES];

/* The allowed range of a figure's mean over the samples: low .. high, of which one may be infinite. {0}: no claim. */
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
    trial_claim claim[TRIAL_FIGURES];
    bool is_curve; /* a point of a curve in a plot, after those of the trials before it of the same kind and size */
} trial;

typedef struct trial_list {
    int count;
    trial at[TRIALS];
} trial_list;

/* All trials, one kind after another. `quick`: a few small ones of each kind, which take seconds and have wider ranges. */
void trials_make(trial_list *list, bool quick);

typedef struct trial_sample {
    double figure[TRIAL_FIGURES];
} trial_sample;

/* An estimate of the time that a trial takes. threads: >= 1 */
double trial_seconds(const trial *t, int threads);

/* Called with the share of the trial that is done, up to 1; false: stop now. `context` is the caller's. */
typedef bool trial_progress(void *context, double share);

/* A trial in flight. The caller fills in the first five. */
typedef struct trial_flight {
    const trial *t;
    int threads;              /* >= 1 */
    trial_progress *progress; /* or NULL */
    void *context;
    dunlin_error *error;

    dunlin_result result; /* of the last call */
    bool is_stopped;
    uint64_t steps_done, steps_all;
} trial_flight;

/* Flies the trial and fills in samples[trial.samples]. false: a call failed, or progress said stop; the samples are invalid. */
bool trial_fly(trial_flight *flight, trial_sample *samples);

/* ---- for the flights -------------------------------------------------------------------------------------------------- */

/* They return false once a call has failed or the flight was stopped. This notes the result of a call. */
bool flight_did(trial_flight *flight, dunlin_result result);

/* The trial's world with all lengths times `scale`. */
dunlin_world_def flight_world_def(const trial_flight *flight, float scale);

/* Makes a world with one species, which a model steers unless that is NULL. The model must live as long. */
bool flight_make_world(trial_flight *flight, const dunlin_world_def *def, const dunlin_species_def *species, model *m,
                       dunlin_world **world);

/* Takes steps of the world and reports progress. */
bool flight_step(trial_flight *flight, dunlin_world *world, int steps);

bool flight_circles(trial_flight *flight, trial_sample *samples);
bool flight_models(trial_flight *flight, trial_sample *samples); /* once per seed */
bool flight_topological(trial_flight *flight, trial_sample *samples);

#endif
