/* SPDX-License-Identifier: MIT */
#include "harness/scale/table.h"
#include "harness/scale/scaling.h"
#include "harness/report/numbers.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Fills the cells of one row from left to right. */
typedef struct row_writer {
    text_table *table;
    int column;
} row_writer;

static row_writer next_row(text_table *table) {
    return (row_writer){.table = table, .column = 0};
}

__attribute__((format(printf, 3, 4))) static void put(row_writer *row, const char *head, const char *format, ...) {
    text_table *table = row->table;
    va_list values;
    va_start(values, format);
    vsnprintf(table->cells[table->rows][row->column], TABLE_CELL, format, values);
    va_end(values);
    table->heads[row->column++] = head;
    table->columns = row->column;
}

/* ---- cells ------------------------------------------------------------------------------------------------------------ */

/* Three digits that count: "0.123", "4.56", "78.9", "1234" */
static void put_number(row_writer *row, const char *head, double value) {
    int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3;
    if (isnan(value))
        put(row, head, "-");
    else
        put(row, head, "%.*f", decimals, value);
}

static void put_count(row_writer *row, const char *head, uint64_t value) {
    char text[NUMBER_LENGTH];
    number_group(value, text);
    put(row, head, "%s", text);
}

static void put_percent(row_writer *row, const char *head, double value, int decimals) {
    if (isnan(value))
        put(row, head, "-");
    else
        put(row, head, "%.*f %%", decimals, 100.0 * value);
}

static void put_speed(row_writer *cells, const frame_row *row) {
    put_number(cells, "million agent-updates/s", 1e-6 * row->agent_updates_per_second);
    put(cells, "lowest .. highest", "%.3g .. %.3g", 1e-6 * row->agent_updates_per_second_min,
        1e-6 * row->agent_updates_per_second_max);
}

/* ---- sweeps ----------------------------------------------------------------------------------------------------------- */

static void fill_strong(row_writer *cells, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i], *one = &rows->row[0];
    put(cells, "threads", "%d", row->threads);
    put_speed(cells, row);
    put_number(cells, "ms a frame", row->ms.frame);
    put_number(cells, "speed-up", scaling_speed_up(row, one));
    put_percent(cells, "efficiency", scaling_efficiency(row, one), 1);
    put_percent(cells, "serial fraction", scaling_serial_fraction(row, one), 2);
}

static void fill_weak(row_writer *cells, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    put(cells, "threads", "%d", row->threads);
    put_count(cells, "agents", row->workload.agents);
    put_speed(cells, row);
    put_number(cells, "ms a frame", row->ms.frame);
    put_percent(cells, "efficiency", scaling_efficiency(row, &rows->row[0]), 1);
}

static void fill_density(row_writer *cells, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    put_number(cells, "neighbours", row->neighbours_found);
    put_speed(cells, row);
    put_number(cells, "tested an agent", row->pairs_tested_per_agent);
    put_percent(cells, "useful", row->pairs_useful_per_second / row->pairs_tested_per_second, 1);
    put_number(cells, "ns a useful pair", row_ns_per_useful_pair(row));
}

static void fill_kernels(row_writer *cells, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i], *baseline = scaling_baseline(rows, row->threads);
    put(cells, "kernel", "%s", row->kernel);
    put(cells, "threads", "%d", row->threads);
    put_speed(cells, row);
    put_number(cells, "ms a frame", row->ms.frame);
    put_number(cells, "times baseline-aos", baseline ? scaling_speed_up(row, baseline) : (double)NAN);
}

/* Every other row is the uniform flock that the one before is compared with. */
static void fill_distribution(row_writer *cells, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    put(cells, "distribution", "%s", bench_distribution_name(row->workload.distribution));
    put_number(cells, "neighbours", row->neighbours_found);
    put_speed(cells, row);
    put_percent(cells, "useful", row->pairs_useful_per_second / row->pairs_tested_per_second, 1);
    put_number(cells, "ns a useful pair", row_ns_per_useful_pair(row));
    put_number(cells, "times uniform", scaling_against_uniform(rows, i));
}

static void fill_size(row_writer *cells, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    put_count(cells, "agents", row->workload.agents);
    put_speed(cells, row);
    put_number(cells, "ms a frame", row->ms.frame);
    put_number(cells, "ns an agent and thread", row_ns_per_agent(row));
    put_number(cells, "bytes an agent", row->bytes_per_agent);
}

void table_fill(text_table *table, sweep_kind sweep, const sweep_rows *rows) {
    static void (*const fill[SWEEPS])(row_writer *, const sweep_rows *, int) = {
        [SWEEP_STRONG] = fill_strong,   [SWEEP_WEAK] = fill_weak, [SWEEP_DENSITY] = fill_density,
        [SWEEP_KERNELS] = fill_kernels, [SWEEP_SIZE] = fill_size, [SWEEP_DISTRIBUTION] = fill_distribution,
    };
    table->rows = table->columns = 0;
    for (int i = 0; i < rows->count; i++) {
        row_writer cells = next_row(table);
        fill[sweep](&cells, rows, i);
        table->rows++;
    }
}

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

static int width_of(const text_table *table, int column) {
    size_t width = strlen(table->heads[column]);
    for (int row = 0; row < table->rows; row++) {
        size_t length = strlen(table->cells[row][column]);
        if (length > width) width = length;
    }
    return (int)width;
}

void table_print(FILE *file, const text_table *table) {
    for (int row = -1; row < table->rows; row++) {
        for (int column = 0; column < table->columns; column++) {
            const char *text = row < 0 ? table->heads[column] : table->cells[row][column];
            int width = width_of(table, column);
            fprintf(file, "  %*s", column == 0 ? -width : width, text);
        }
        fputc('\n', file);
    }
}

void table_write_markdown(FILE *file, const text_table *table) {
    for (int column = 0; column < table->columns; column++) fprintf(file, "| %s ", table->heads[column]);
    fputs("|\n", file);
    for (int column = 0; column < table->columns; column++) fputs(column == 0 ? "|:---" : "|---:", file);
    fputs("|\n", file);
    for (int row = 0; row < table->rows; row++) {
        for (int column = 0; column < table->columns; column++) fprintf(file, "| %s ", table->cells[row][column]);
        fputs("|\n", file);
    }
}
