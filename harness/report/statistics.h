/* SPDX-License-Identifier: MIT */
/* What repeated measurements say together. */
#ifndef DUNLIN_HARNESS_STATISTICS_H
#define DUNLIN_HARNESS_STATISTICS_H

typedef struct spread {
    double low, median, high;
} spread;

/* Of `count` >= 1 numbers, which it sorts. */
spread spread_of(double *numbers, int count);

#endif
