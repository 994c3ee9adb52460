/* SPDX-License-Identifier: MIT */
#include "harness/bench/target_table.h"

#include <assert.h>

target *target_table_add(target_table *table, const char *what, target_sense sense, double bound, const char *unit) {
    assert(table->count < TARGETS);
    target *row = &table->rows[table->count++];
    *row = (target){.sense = sense, .bound = bound, .unit = unit};
    snprintf(row->what, sizeof row->what, "%s", what);
    return row;
}

void target_reach(target *row, double reached) {
    row->is_measured = true;
    row->reached = reached;
}

bool target_is_met(const target *row) {
    if (!row->is_measured) return false;
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

static void print_row(FILE *file, const target *row) {
    static const char *const signs[] = {">=", "<", "<="};
    char bound[32], reached[32] = "-", wanted[40];
    write_value(row->bound, 4, row->unit, bound);
    snprintf(wanted, sizeof wanted, "%s %s", signs[row->sense], bound);
    if (row->is_measured) write_value(row->reached, 3, row->unit, reached);
    const char *verdict = row->is_measured ? (target_is_met(row) ? "yes" : "no") : row->remark[0] != '\0' ? "not here" : "-";
    fprintf(file, "%-62s %-10s %9s   %s", row->what, wanted, reached, verdict);
    if (row->remark[0] != '\0') fprintf(file, ": %s", row->remark);
    fputc('\n', file);
}

void target_table_print(FILE *file, const target_table *table) {
    fprintf(file, "%-62s %-10s %9s   %s\n", "what", "target", "reached", "met");
    for (int i = 0; i < table->count; i++) print_row(file, &table->rows[i]);
}
