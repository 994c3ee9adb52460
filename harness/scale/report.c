/* SPDX-License-Identifier: MIT */
#include "harness/scale/report.h"
#include "harness/report/message.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/machine.h"
#include "harness/report/numbers.h"
#include "harness/report/output_file.h"
#include "harness/scale/findings.h"
#include "harness/scale/sweep_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void report_print_load(FILE *file, double load) {
    fprintf(file, "load        %.2f in the minute before%s\n", load, load >= 1.0 ? ": other work may disturb the figures" : "");
}

static void write_machine(FILE *file, const scale_report *report) {
    fputs("## Machine\n\n```text\n", file);
    machine_print(file, report->host);
    report_print_load(file, report->load);
    fputs("```\n\n", file);
    if (!pin_binds(report->host->pinning)) {
        fputs("The threads were **not bound** to cores: the system may have moved them.\n\n", file);
    }
}

/* ---- sweeps ----------------------------------------------------------------------------------------------------------- */

/* What all rows share. */
static void write_setting(FILE *file, sweep_kind sweep, const frame_row *row) {
    char agents[NUMBER_LENGTH];
    number_group(row->workload.agents, agents);
    fputs(sweep_summary(sweep), file);
    if (sweep != SWEEP_KERNELS) fprintf(file, " Kernel `%s`, index `%s`.", row->kernel, row->index);
    if (sweep != SWEEP_WEAK && sweep != SWEEP_SIZE) fprintf(file, " %s agents.", agents);
    if (sweep != SWEEP_DENSITY && sweep != SWEEP_DISTRIBUTION) fprintf(file, " %.3g neighbours.", row->workload.neighbours);
    if (sweep != SWEEP_STRONG && sweep != SWEEP_WEAK && sweep != SWEEP_KERNELS) fprintf(file, " Threads: %d.", row->threads);
    fputs("\n\n", file);
}

static void write_rows(FILE *file, const scale_report *report, sweep_kind sweep, int dimensions) {
    const sweep_rows *rows = &report->results->of[sweep][dimensions];
    if (rows->count == 0) return;
    fprintf(file, "### %s in %dD\n\n", sweep_title(sweep), dimensions);
    write_setting(file, sweep, &rows->row[rows->count - 1]);
    table t = sweep_table(sweep, rows);
    table_print_markdown(file, &t);
    table_free(&t);
    fputc('\n', file);
    if (rows->count > 1) {
        findings_write(file, report->host, sweep, rows);
        fputc('\n', file);
    }
}

static void write_sweep(FILE *file, const scale_report *report, sweep_kind sweep) {
    const sweep_rows *of = report->results->of[sweep];
    if (of[2].count + of[3].count == 0) return;
    fprintf(file, "## %s\n\n", sweep_title(sweep));
    for (int i = 0; i < report->drawn[sweep].count; i++) {
        fprintf(file, "![%s](%s/%s.svg)\n\n", sweep_summary(sweep), PLOTS_NAME, report->drawn[sweep].name[i]);
    }
    for (int dimensions = 2; dimensions <= 3; dimensions++) write_rows(file, report, sweep, dimensions);
    fprintf(file, "All columns: [%s.csv](%s.csv).\n\n", sweep_name(sweep), sweep_name(sweep));
}

/* ---- the report ------------------------------------------------------------------------------------------------------- */

static void write_head(FILE *file, const scale_report *report) {
    fprintf(file, "# How Dunlin scales on %s\n\nMeasured on %s by `%s`.\n\n", report->host->cpu, report->host->date,
            report->command);
    if (report->quick) fputs("A quick look with small flocks and few steps: do not quote these figures.\n\n", file);
    if (report->problem)
        fprintf(file, "**Measuring failed: %s.** What follows was measured before.\n\n", report->problem);
    else if (report->rows_measured < report->rows_planned)
        fputs("**The run was cut short.** ", file);
    if (report->rows_measured < report->rows_planned) {
        fprintf(file, "%d of %d rows were measured, the last of them perhaps with fewer repeats.\n\n", report->rows_measured,
                report->rows_planned);
    }
    fputs("Speeds are medians of the repeats, with the minimum and the maximum beside them. A frame is everything from one "
          "state to the next. docs/benchmarking.md says how to read this.\n\n",
          file);
}

static bool has_plots(const scale_report *report) {
    int count = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) count += report->drawn[sweep].count;
    return count > 0;
}

static void write_all(FILE *file, const scale_report *report) {
    write_head(file, report);
    write_machine(file, report);
    for (int sweep = 0; sweep < SWEEPS; sweep++) write_sweep(file, report, (sweep_kind)sweep);
    if (has_plots(report)) {
        fputs("The plots are in `plots/`, also as PNG. To change one, edit its `.gp` and run `gnuplot` on it there.\n", file);
    }
}

dunlin_result scale_report_write(const scale_report *report, dunlin_error *error) {
    char *path = output_folder_path(report->folder, REPORT_NAME);
    if (!path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    output_file file;
    dunlin_result result = output_file_open(&file, path, error);
    if (result == DUNLIN_OK) {
        write_all(file.stream, report);
        result = output_file_finish(&file, error);
    }
    free(path);
    return result;
}
