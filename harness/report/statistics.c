/* SPDX-License-Identifier: MIT */
#include "harness/report/statistics.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

spread spread_of(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
    return (spread){
        .low = numbers[0],
        .median = 0.5 * (numbers[(count - 1) / 2] + numbers[count / 2]),
        .high = numbers[count - 1],
    };
}
