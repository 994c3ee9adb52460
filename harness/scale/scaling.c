/* SPDX-License-Identifier: MIT */
#include "harness/scale/scaling.h"

#include <math.h>
#include <string.h>

double scaling_speed_up(const frame_row *row, const frame_row *one) {
    return row->agent_updates_per_second / one->agent_updates_per_second;
}

double scaling_efficiency(const frame_row *row, const frame_row *one) {
    return scaling_speed_up(row, one) * one->threads / row->threads;
}

double scaling_serial_fraction(const frame_row *row, const frame_row *one) {
    double threads = (double)row->threads / one->threads;
    if (threads <= 1.0) return (double)NAN;
    return (1.0 / scaling_speed_up(row, one) - 1.0 / threads) / (1.0 - 1.0 / threads);
}

const frame_row *scaling_baseline(const sweep_rows *rows, int threads) {
    for (int i = 0; i < rows->count; i++) {
        if (rows->row[i].threads == threads && strcmp(rows->row[i].kernel, "baseline-aos") == 0) return &rows->row[i];
    }
    return NULL;
}

double scaling_against_uniform(const sweep_rows *rows, int row) {
    if (row % 2 != 0 || row + 1 >= rows->count) return (double)NAN;
    return row_ns_per_useful_pair(&rows->row[row]) / row_ns_per_useful_pair(&rows->row[row + 1]);
}
