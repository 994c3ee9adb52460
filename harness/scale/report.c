/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/scale/scale.h"

#include <stdlib.h>

static const char crowded[] =
    "there are more threads than cores, so these figures show only that all ranks get the same bits, not how speed scales.";

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

/* The frame's design promises equal bits, so a difference must be reported. */
static void write_bits(FILE *file, sweep_kind sweep, const sweep_rows *rows) {
    const bool is_one_flock =
        sweep == SWEEP_STRONG || sweep == SWEEP_KERNELS || sweep == SWEEP_RANKS_STRONG || sweep == SWEEP_RANKS_SPLIT;
    char complaint[256];
    if (!is_one_flock || rows->count < 2) return;
    if (frame_rows_agree(rows->row, rows->count, complaint, sizeof complaint))
        fputs("All rows ended in the same state, bit for bit.\n", file);
    else
        fprintf(file, "**The states differ, which is a bug: %s.**\n", complaint);
}

static void write_table(FILE *file, sweep_kind sweep, const sweep_rows *rows, void (*print)(FILE *, const table *)) {
    json_t *list = sweep_json(sweep, rows);
    table t = json_table(list, sweeps[sweep].columns);
    print(file, &t);
    fputc('\n', file);
    write_bits(file, sweep, rows);
    table_free(&t);
    json_decref(list);
}

/* ---- on the terminal -------------------------------------------------------------------------------------------------- */

static void write_machine(FILE *file, const scale_run *run) {
    machine_print(file, &run->host);
    fprintf(file, "load        %.2f in the minute before%s\n", run->load,
            run->load >= 1.0 ? ": other work may disturb the figures" : "");
    if (!run->ranks) return;
    fprintf(file, "ranks       %u of %d thread%s, %u of them on this machine\n", (unsigned)run->ranks->ranks, run->threads,
            run->threads > 1 ? "s" : "", (unsigned)run->ranks->here);
}

void report_print_head(const scale_run *run) {
    write_machine(stdout, run);
    if (plan_is_crowded(run)) printf("\nWarning: %s\n", crowded);
    printf("\n%d rows; results go to ", run->rows_planned);
    message_write(stdout, "%s", run->folder);
    putchar('\n');
    fflush(stdout);
}

void report_print_sweep(const scale_run *run, sweep_kind sweep, int dimensions) {
    const sweep_rows *rows = &run->results[sweep][dimensions];
    if (rows->count == 0) return;
    printf("\n%s in %dD\n\n", sweeps[sweep].title, dimensions);
    write_table(stdout, sweep, rows, table_print);
    fflush(stdout);
}

/* ---- report.md -------------------------------------------------------------------------------------------------------- */

static void write_rows(FILE *file, const scale_run *run, sweep_kind sweep, int dimensions) {
    const sweep_rows *rows = &run->results[sweep][dimensions];
    if (rows->count == 0) return;
    const frame_row *last = &rows->row[rows->count - 1];
    fprintf(file, "### %s in %dD\n\n%s Here: ", sweeps[sweep].title, dimensions, sweeps[sweep].summary);
    sweep_describe(file, sweep, last);
    fprintf(file, "index `%s`.\n\n", last->index);
    write_table(file, sweep, rows, table_print_markdown);
    fputc('\n', file);
}

static void write_sweep(FILE *file, const scale_run *run, sweep_kind sweep) {
    const sweep_rows *of = run->results[sweep];
    if (of[2].count + of[3].count == 0) return;
    const sweep_def *def = &sweeps[sweep];
    fprintf(file, "## %s\n\n", def->title);
    for (int i = 0; i < run->drawn[sweep].count; i++) {
        fprintf(file, "![%s](%s/%s.svg)\n\n", def->summary, PLOTS_NAME, run->drawn[sweep].name[i]);
    }
    for (int dimensions = 2; dimensions <= 3; dimensions++) write_rows(file, run, sweep, dimensions);
    fprintf(file, "All columns: [%s.csv](%s.csv).\n\n", def->name, def->name);
}

static void write_head(FILE *file, const scale_run *run) {
    bool is_cut = run->rows_measured < run->rows_planned;
    fprintf(file, "# How Dunlin scales %son %s\n\nMeasured on %s by `%s`.\n\n", run->ranks ? "over ranks, " : "", run->host.cpu,
            run->host.date, run->command);
    if (run->options.quick) fputs("A quick look with small flocks and few steps: do not quote these figures.\n\n", file);
    if (run->problem)
        fprintf(file, "**Measuring failed: %s.** What follows was measured before.\n\n", run->problem);
    else if (is_cut)
        fputs("**The run was cut short.** ", file);
    if (is_cut) {
        fprintf(file, "%d of %d rows were measured, the last of them perhaps with fewer repeats.\n\n", run->rows_measured,
                run->rows_planned);
    }
    fputs("Speeds are medians of the repeats, with the minimum and the maximum beside them. A frame is everything from one "
          "state to the next. docs/benchmarking.md says how to read this.\n\n## Machine\n\n```text\n",
          file);
    write_machine(file, run);
    fputs("```\n\n", file);
    if (plan_is_crowded(run)) fprintf(file, "**Warning**: %s\n\n", crowded);
    if (!pin_binds(run->host.pinning)) {
        fputs("The threads were **not bound** to cores: the system may have moved them.\n\n", file);
    }
}

static void write_all(FILE *file, const scale_run *run) {
    int drawn = 0;
    write_head(file, run);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        write_sweep(file, run, (sweep_kind)sweep);
        drawn += run->drawn[sweep].count;
    }
    if (drawn > 0) {
        fputs("The plots are in `plots/`, also as PNG. To change one, edit its `.gp` and run `gnuplot` on it there.\n", file);
    }
}

dunlin_result report_write(const scale_run *run, dunlin_error *error) {
    char *path = output_folder_path(run->folder, REPORT_NAME);
    if (!path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    output_file file;
    dunlin_result result = output_file_open(&file, path, error);
    if (result == DUNLIN_OK) {
        write_all(file.stream, run);
        result = output_file_finish(&file, error);
    }
    free(path);
    return result;
}
