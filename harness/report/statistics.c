/* SPDX-License-Identifier: MIT */
#include "harness/report/statistics.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double member_of(const double *first, size_t stride, int i) {
    return *(const double *)(const void *)((const char *)first + (size_t)i * stride);
}

spread spread_of(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
    return (spread){
        .low = numbers[0],
        .median = 0.5 * (numbers[(count - 1) / 2] + numbers[count / 2]),
        .high = numbers[count - 1],
    };
}

spread spread_of_member(const double *first, size_t stride, int count, double *sorted) {
    for (int i = 0; i < count; i++) sorted[i] = member_of(first, stride, i);
    return spread_of(sorted, count);
}

sample_mean mean_of_member(const double *first, size_t stride, int count) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < count; i++) sum += member_of(first, stride, i);
    double value = sum / count;
    for (int i = 0; i < count; i++) squares += pow(member_of(first, stride, i) - value, 2.0);
    return (sample_mean){.value = value, .error = count > 1 ? sqrt(squares / (count - 1.0) / count) : 0.0};
}
