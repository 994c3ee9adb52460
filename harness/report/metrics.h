/* SPDX-License-Identifier: MIT */
/* The metrics of a species, by the names that they have in files and tables. */
#ifndef DUNLIN_HARNESS_METRICS_H
#define DUNLIN_HARNESS_METRICS_H

#include <dunlin/dunlin.h>

#include <stddef.h>

/* What is always measured, and the surveys that are made where they are asked for. */
typedef enum metrics_part {
    METRICS_FLOCK = 0,
    METRICS_GROUPS,
    METRICS_DENSITY,
    METRICS_CORRELATION,
    METRICS_DISPLACEMENT,
    METRICS_KIN,
    METRICS_PARTS
} metrics_part;

/* The metrics of one species. NaN means that there is no value: no agent has it, or in surveys that it was not asked for, or
 * cannot be measured. Of no agents only counts have values. */
typedef struct metrics_row {
    dunlin_metrics flock;
    double groups, largest_group, mean_group_size, typical_group_size, group_radius; /* dunlin_components */
    double density, density_deviation, box_size, fluctuation_exponent;               /* dunlin_density */
    double velocity_fluctuation, correlation_length, correlation_radius;             /* dunlin_correlation */
    double mean_squared_displacement;                                                /* dunlin_displacements */
    double kin_groups, kin_size, kin_spread, kin_polarization;                       /* dunlin_group_sums */
} metrics_row;

typedef struct metrics_column {
    const char *name;  /* in files */
    const char *head;  /* in tables for people; NULL: it is not shown there */
    size_t offset;     /* in metrics_row */
    bool is_count;     /* a uint64_t there, else a double */
    metrics_part part; /* to which it belongs */
    const char *unit;  /* NULL: it has none */
} metrics_column;

/* In the order of files; ended by a column without a name. */
extern const metrics_column metrics_columns[];

/* The column of that name; NULL: there is none. */
const metrics_column *metrics_find(const char *name);

/* NaN if it has no value. */
double metrics_value(const metrics_row *row, const metrics_column *column);

/* What to measure, and the memory for it. Zeroed, it measures the flock. */
typedef struct metrics_meter {
    bool measures[METRICS_PARTS];      /* METRICS_FLOCK is always measured */
    double lengths[METRICS_PARTS];     /* world units: a radius, or the side of a box; 0: chosen by species or world */
    bool at_once;                      /* a state must be measured when it is asked for, since it is not there in a step */
    dunlin_survey *survey;             /* NULL until it is needed */
    dunlin_displacement *displacement; /* since the first call of metrics_follow(); NULL before it, or if it is not measured */

    /* The last rows, for all that show the same state: those of `world` while its generation is this. */
    const dunlin_world *world;
    uint64_t generation;
    bool is_known[DUNLIN_MAX_SPECIES];
    metrics_row known[DUNLIN_MAX_SPECIES];

    /* Of metrics_ask() and metrics_fetch(). */
    const dunlin_world *asked; /* NULL: none */
    bool is_fetched;
    uint64_t asked_step, fetched_step;
    metrics_row fetched[DUNLIN_MAX_SPECIES];
} metrics_meter;

#define METRICS_MEASURE_ALLOWED                                                                                                \
    "some of groups, density and correlation, each alone or with a length above 0, displacement and kin, as in "               \
    "groups=2.5,density,displacement"

/* Adds what a text such as "groups=2.5,density" names; false: it is not METRICS_MEASURE_ALLOWED. */
bool metrics_meter_read(metrics_meter *meter, const char *text);

/* Whether a length may be given: a radius, or the side of a box. */
bool metrics_part_has_length(metrics_part part);

/* Whether the meter measures what the column shows. */
bool metrics_meter_has(const metrics_meter *meter, const metrics_column *column);

/* Whether it measures in passing, with metrics_ask() and metrics_fetch(): nothing but the flock, and not at once. */
bool metrics_meter_in_passing(const metrics_meter *meter);

/* To be called before the first step and after each one, if it is measured how far agents have come since the first call. */
dunlin_result metrics_follow(metrics_meter *meter, const dunlin_world *world, dunlin_error *error);

/* Measures the present state of a species. Between two steps it does so once, so agents must not be written in between. */
dunlin_result metrics_measure(metrics_meter *meter, dunlin_world *world, int species, metrics_row *row, dunlin_error *error);

/*
 * Asks for the metrics of the present state, and gives them after the next step, which measures the state that it begins with
 * in passing. If no step has come, or the meter does not measure in passing, metrics_fetch() measures. A caller that asks for a
 * state must have fetched the state for which it asked before; several outputs may do so.
 */
dunlin_result metrics_ask(metrics_meter *meter, dunlin_world *world, dunlin_error *error);
dunlin_result metrics_fetch(metrics_meter *meter, dunlin_world *world, uint64_t step, int species, metrics_row *row,
                            dunlin_error *error);

/* A point of a curve behind the surveys, which `count` groups, boxes or pairs of agents make. */
typedef void metrics_point_fn(void *context, const char *curve, double x, double y, uint64_t count);

/*
 * Gives the curves of a species' present state, point by point:
 *     groups       the share of groups over their size
 *     density      the standard deviation of the agents per box over their mean, for boxes of several sizes
 *     correlation  C(r) over r
 */
dunlin_result metrics_draw(metrics_meter *meter, dunlin_world *world, int species, metrics_point_fn *point, void *context,
                           dunlin_error *error);

void metrics_meter_free(metrics_meter *meter);

#endif
