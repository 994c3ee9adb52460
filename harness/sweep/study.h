/* SPDX-License-Identifier: MIT */
/*
 * A study: a scenario, what varies in it, and what is measured. Its file is read by the reader of scenario files, so it has the
 * same limits and the same messages; docs/experiments.md lists its fields.
 */
#ifndef DUNLIN_HARNESS_SWEEP_STUDY_H
#define DUNLIN_HARNESS_SWEEP_STUDY_H

#include "harness/report/metrics.h"

#include <dunlin/scenario.h>

enum {
    STUDY_PARAMETERS = 6,
    STUDY_VALUES = 1000, /* of a parameter */
    STUDY_MEASURES = 12,
    STUDY_RUNS = 100000,
    /* bytes, with the terminator: of a value that a range makes, of a column's name, of what people read */
    STUDY_LABEL = 32,
    STUDY_NAME = 2 * DUNLIN_NAME_LENGTH,
    STUDY_TITLE = 200
};

/* The reader's: harness/scenario/tree.h, with names that users of a study do not need. */
struct slot;
struct tree;
struct table;

/* The fields of a study file. */
extern const struct table study_schema;

/* What the file has as PATH=VALUE. */
typedef struct study_settings {
    uint32_t count;
    dunlin_scenario_setting *all; /* owns the paths */
} study_settings;

typedef struct study_value {
    const char *label;     /* as it stands in files: "0.5"; unique in its parameter */
    double number;         /* NaN: it is none */
    const struct slot *at; /* where it stands in the file */
    study_settings set;    /* of a case; else the label is set at the parameter's path */
} study_value;

typedef struct study_parameter {
    const char *name;  /* a column of files */
    const char *label; /* for people */
    const char *path;  /* NULL: values have their own */
    const struct slot *at;
    bool is_log; /* a range with equal ratios */
    uint32_t count, capacity;
    study_value *values;        /* [capacity], of which count are run */
    char (*texts)[STUDY_LABEL]; /* [capacity], of a range */
} study_parameter;

/* Steps whose states count: the multiples of `every` from begin to end, and both of these. */
typedef struct study_window {
    uint64_t begin, end, every;
} study_window;

typedef struct study_measure {
    char name[STUDY_NAME];   /* a column of files: "dunlins.polarization"; "" until the species is known */
    char label[STUDY_TITLE]; /* for people; likewise */
    const metrics_column *column;
    double length;       /* world units, of a survey; 0: chosen by species or world */
    const char *species; /* NULL: the only one */
    const struct slot *at, *window, *expect;
    uint32_t expectations;
} study_measure;

/* What the mean of a point's seeds must be: min .. max. NaN: not given. */
typedef struct study_expectation {
    uint32_t point;
    double published, min, max;
} study_expectation;

/* As a run's options. */
typedef struct study_trajectory {
    uint64_t every; /* steps; 0: none is written */
    const char *fields, *species;
    int precision, compression;
} study_trajectory;

typedef struct study {
    struct tree *file;
    char *folder;     /* in which the scenario is searched */
    const char *stem; /* the file's name without its ending; owned */
    const char *name, *description, *scenario;
    study_settings set; /* for all runs */
    bool has_steps;
    uint64_t steps;   /* of each run, if given */
    uint64_t shorter; /* by which all numbers of steps are divided; 1, unless the study is quick */
    uint32_t seeds, parameters, measures;
    uint64_t *seed; /* [seeds] */
    study_parameter parameter[STUDY_PARAMETERS];
    study_measure measure[STUDY_MEASURES];
    study_trajectory trajectory;
} study;

/* Reads and checks a text; free the result also after a failure. `path` is that of the file. */
bool study_read(study *read, const char *path, const char *text, size_t length, dunlin_error *error);
void study_free(study *freed);

/* At most three values of each parameter, two seeds, and a tenth of the steps. */
void study_make_quick(study *made);

/* Gives measures that have none the names that follow from their species; `only` is that of measures without one. */
bool study_name_measures(study *made, const char *only, dunlin_error *error);

/* The window of a measure in a run of so many steps. false: it has no step. */
bool study_window_of(const study *in, const study_measure *measure, uint64_t steps, study_window *window);

/* The expectation of that number, below measure->expectations. false: the study is quick, and leaves the point out. */
bool study_expectation_of(const study *in, const study_measure *measure, uint32_t number, study_expectation *found);

/* Reports "study.yaml:12: parameters[0]: message", and is false. Where it is used, harness/scenario/tree.h is included. */
#define study_fail(in, at, error, ...) dun_fail_at((in)->file->name, at, DUNLIN_ERROR_FILE, error, __VA_ARGS__)

#endif
