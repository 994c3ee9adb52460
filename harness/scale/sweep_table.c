/* SPDX-License-Identifier: MIT */
#include "harness/scale/sweep_table.h"
#include "harness/scale/scaling.h"

#include <math.h>

static void put_speed(table *t, const frame_row *row) {
    table_number(t, "million agent-updates/s", 1e-6 * row->agent_updates_per_second);
    table_range(t, "min .. max", 1e-6 * row->agent_updates_per_second_min, 1e-6 * row->agent_updates_per_second_max);
}

static void put_useful(table *t, const frame_row *row) {
    table_percent(t, "useful", row->pairs_useful_per_second / row->pairs_tested_per_second, 1);
    table_number(t, "ns per useful pair", row_ns_per_useful_pair(row));
}

static void put_strong(table *t, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i], *one = &rows->row[0];
    table_text(t, "threads", "%d", row->threads);
    put_speed(t, row);
    table_number(t, "ms per frame", row->ms.frame);
    table_number(t, "speed-up", scaling_speed_up(row, one));
    table_percent(t, "efficiency", scaling_efficiency(row, one), 1);
    table_percent(t, "serial fraction", scaling_serial_fraction(row, one), 2);
}

static void put_weak(table *t, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    table_text(t, "threads", "%d", row->threads);
    table_count(t, "agents", row->workload.agents);
    put_speed(t, row);
    table_number(t, "ms per frame", row->ms.frame);
    table_percent(t, "efficiency", scaling_efficiency(row, &rows->row[0]), 1);
}

static void put_density(table *t, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    table_number(t, "neighbours", row->neighbours_found);
    put_speed(t, row);
    table_number(t, "tested per agent", row->pairs_tested_per_agent);
    put_useful(t, row);
}

static void put_kernels(table *t, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i], *baseline = scaling_baseline(rows, row->threads);
    table_text(t, "kernel", "%s", row->kernel);
    table_cell(t, "threads", "%d", row->threads);
    put_speed(t, row);
    table_number(t, "ms per frame", row->ms.frame);
    table_number(t, "times baseline-aos", baseline ? scaling_speed_up(row, baseline) : (double)NAN);
}

/* Every other row is the uniform flock with which the row before is compared. */
static void put_distribution(table *t, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    table_text(t, "distribution", "%s", bench_distribution_name(row->workload.distribution));
    table_number(t, "neighbours", row->neighbours_found);
    put_speed(t, row);
    put_useful(t, row);
    table_number(t, "times uniform", scaling_against_uniform(rows, i));
}

static void put_size(table *t, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    table_count(t, "agents", row->workload.agents);
    put_speed(t, row);
    table_number(t, "ms per frame", row->ms.frame);
    table_number(t, "thread ns per agent", row_ns_per_agent(row));
    table_number(t, "bytes per agent", row->bytes_per_agent);
}

table sweep_table(sweep_kind sweep, const sweep_rows *rows) {
    static void (*const put[SWEEPS])(table *, const sweep_rows *, int) = {
        [SWEEP_STRONG] = put_strong,   [SWEEP_WEAK] = put_weak, [SWEEP_DENSITY] = put_density,
        [SWEEP_KERNELS] = put_kernels, [SWEEP_SIZE] = put_size, [SWEEP_DISTRIBUTION] = put_distribution,
    };
    table t = {0};
    for (int i = 0; i < rows->count; i++) {
        table_begin_row(&t);
        put[sweep](&t, rows, i);
    }
    return t;
}
