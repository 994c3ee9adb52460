/* SPDX-License-Identifier: MIT */
/* What repeated measurements say together. */
#ifndef DUNLIN_HARNESS_STATISTICS_H
#define DUNLIN_HARNESS_STATISTICS_H

#include <stddef.h>

typedef struct spread {
    double low, median, high;
} spread;

/* Of `count` >= 1 numbers, which it sorts. */
spread spread_of(double *numbers, int count);

/* The same of a member of `count` >= 1 structs of `stride` bytes: `first` is the first struct's. `sorted` has room for all. */
spread spread_of_member(const double *first, size_t stride, int count, double *sorted);

typedef struct sample_mean {
    double value;
    double error; /* standard error of the mean; 0 of a single number */
} sample_mean;

/* Of a member of `count` >= 1 structs. */
sample_mean mean_of_member(const double *first, size_t stride, int count);

#endif
