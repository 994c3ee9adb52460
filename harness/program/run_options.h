/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_RUN_OPTIONS_H
#define DUNLIN_HARNESS_RUN_OPTIONS_H

#include "harness/command/scenario_open.h"
#include "harness/film/film.h"
#include "harness/picture/picture.h"
#include "harness/report/metrics.h"

#include <dunlin/scenario.h>

/* What `dunlin run` was asked for. */
typedef struct run_options {
    const char *scenario;
    option_list set;
    dunlin_scenario_def open;
    dunlin_simulation_def build;
    const char *final, *metrics, *groups, *picture; /* paths to write to, "-": standard output; NULL: not wanted */
    uint64_t state_every, metrics_every, groups_every, picture_every; /* steps; 0: no numbered files */
    const char *curves;                                               /* a path likewise */
    const char *measure;                                              /* what else to measure, as text ... */
    metrics_meter meter;                                              /* ... and as it is read */
    const char *trajectory, *fields, *species;                        /* where to, and lists of names; NULL: all */
    uint64_t every;                                                   /* steps per frame */
    int precision, compression;
    const char *checkpoint, *checkpoint_every; /* the path; every so many ... */
    uint64_t checkpoint_steps;                 /* ... steps; 0: ... */
    double checkpoint_seconds;                 /* ... seconds */
    const char *picture_size;
    const char *colour_range; /* as given; it goes to picture_look */
    picture_look picture_look;
    const char *film, *film_size_text;
    picture_size film_size;
    uint64_t film_every; /* steps; 0, while options are read: as `every` */
    int film_fps, trail;
    const char *camera;                                                  /* as given; all of it goes to picture_look */
    double azimuth, elevation;                                           /* degrees */
    bool has_fps, has_azimuth, has_elevation, has_distance, has_shading; /* whether these were given */
    bool watch, hash, quiet;
    const char
        *terminal; /* "the terminal": watch there; NULL: not wanted. Reports are printed once the screen is as it was before */
    uint64_t watch_every;                 /* 1 */
    bool has_agents, has_steps, has_seed; /* whether the next three were given */
    uint32_t agents;
    uint64_t steps, seed;

    option_values read;     /* owns the strings */
    const char **arguments; /* [argument_count] as they were given, for checkpoints */
    int argument_count;
} run_options;

/*
 * Reads the arguments. Returns false when there is nothing to run: help was printed or a mistake was reported, and *status is
 * the exit status. Always free the result. It points into itself, so it must not be copied.
 */
bool run_options_read(run_options *run, int argc, const char **argv, int *status);

void run_options_free(run_options *run);

#endif
