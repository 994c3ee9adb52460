/* SPDX-License-Identifier: MIT */
#include "harness/bench/target_table.h"
#include "harness/report/table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>

target *target_table_add(target_table *targets, target_sense sense, double bound, const char *unit, const char *format, ...) {
    assert(targets->count < TARGETS);
    target *row = &targets->rows[targets->count++];
    *row =
        (target){.sense = sense, .bound = bound, .unit = unit, .reached = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    va_list values;
    va_start(values, format);
    vsnprintf(row->what, sizeof row->what, format, values);
    va_end(values);
    return row;
}

bool target_is_met(const target *row) {
    switch (row->sense) {
    case AT_LEAST:
        return row->reached >= row->bound;
    case BELOW:
        return row->reached < row->bound;
    default:
        return row->reached <= row->bound;
    }
}

/* "33x", "0.25 ms" */
static void write_value(double value, int digits, const char *unit, char text[32]) {
    bool is_factor = unit[0] == 'x';
    snprintf(text, 32, "%.*g%s%s", digits, value, is_factor || unit[0] == '\0' ? "" : " ", unit);
}

static void put_row(table *t, const target *row) {
    static const char *const signs[] = {">=", "<", "<="};
    char bound[32], reached[32] = "-";
    write_value(row->bound, 4, row->unit, bound);
    bool is_measured = !isnan(row->reached);
    if (is_measured) write_value(row->reached, 3, row->unit, reached);
    const char *verdict = is_measured ? (target_is_met(row) ? "yes" : "no") : row->remark[0] != '\0' ? "not here" : "-";
    table_begin_row(t);
    table_text(t, "what", "%s", row->what);
    table_text(t, "target", "%s %s", signs[row->sense], bound);
    table_cell(t, "reached", "%s", reached);
    table_text(t, "met", "%s", verdict);
    if (isnan(row->low))
        table_text(t, "min .. max", "%s", "");
    else
        table_range(t, "min .. max", row->low, row->high);
    table_text(t, "remark", "%s", row->remark);
}

void target_table_print(FILE *file, const target_table *targets) {
    table t = {0};
    for (int i = 0; i < targets->count; i++) put_row(&t, &targets->rows[i]);
    table_print(file, &t);
    table_free(&t);
}
