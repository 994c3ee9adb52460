/* SPDX-License-Identifier: MIT */
#include "harness/sweep/summary.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

seeds_mean summary_mean(const sweep_results *results, uint32_t point, uint32_t measure) {
    const uint32_t seeds = results->plan->study.seeds;
    const run_figures *first = &results->figures[point * seeds], *end = first + seeds;
    seeds_mean m = {.mean = 0.0};
    double squares = 0.0;
    for (const run_figures *run = first; run < end; run++) {
        if (!run->is_there || isnan(run->measured[measure])) continue;
        m.mean += run->measured[measure];
        m.count++;
    }
    m.mean /= m.count; /* NaN if there is none */
    for (const run_figures *run = first; run < end; run++)
        if (run->is_there && !isnan(run->measured[measure])) squares += pow(run->measured[measure] - m.mean, 2.0);
    if (m.count > 1) m.deviation = sqrt(squares / (m.count - 1.0));
    if (m.count > 1) m.error = m.deviation / sqrt(m.count);
    return m;
}

static const char *label_of(const sweep_plan *plan, uint32_t point, uint32_t parameter) {
    return plan->study.parameter[parameter].values[sweep_plan_value(plan, point, parameter)].label;
}

table summary_table(const sweep_results *results) {
    const sweep_plan *plan = results->plan;
    const study *in = &plan->study;
    table t = {0};
    for (uint32_t point = 0; point < plan->points; point++) {
        table_begin_row(&t);
        for (uint32_t i = 0; i < in->parameters; i++) table_text(&t, in->parameter[i].label, "%s", label_of(plan, point, i));
        for (uint32_t i = 0; i < in->measures; i++) {
            const seeds_mean m = summary_mean(results, point, i);
            char of[32] = ""; /* where some seeds have no value */
            if (m.count < in->seeds) snprintf(of, sizeof of, " (of %" PRIu32 ")", m.count);
            if (m.count > 1)
                table_cell(&t, in->measure[i].label, "%.4g +- %.2g%s", m.mean, m.deviation, of);
            else if (m.count == 1)
                table_cell(&t, in->measure[i].label, "%.4g%s", m.mean, of);
            else
                table_cell(&t, in->measure[i].label, "-");
        }
    }
    return t;
}

/* ---- what is expected ------------------------------------------------------------------------------------------------- */

/* "0.943 .. 0.963", "below 0.35", "above 0.55", "exactly 1" */
static void put_allowed(table *t, const study_expectation *of) {
    if (isnan(of->min))
        table_cell(t, "allowed", "below %.6g", of->max);
    else if (isnan(of->max))
        table_cell(t, "allowed", "above %.6g", of->min);
    else if (of->min == of->max)
        table_cell(t, "allowed", "exactly %.6g", of->min);
    else
        table_cell(t, "allowed", "%.6g .. %.6g", of->min, of->max);
}

/* Returns whether it holds. */
static bool put_expectation(table *t, const sweep_results *results, uint32_t measure, const study_expectation *of) {
    const study *in = &results->plan->study;
    const seeds_mean m = summary_mean(results, of->point, measure);
    const bool holds = m.count > 0 && !(m.mean < of->min) && !(m.mean > of->max);
    table_begin_row(t);
    for (uint32_t i = 0; i < in->parameters; i++)
        table_text(t, in->parameter[i].label, "%s", label_of(results->plan, of->point, i));
    table_text(t, "measure", "%s", in->measure[measure].label);
    if (isnan(of->published))
        table_text(t, "published", "%s", "");
    else
        table_cell(t, "published", "%.9g", of->published);
    put_allowed(t, of);
    table_cell(t, "measured", m.count > 1 ? "%.4f ± %.4f" : "%.4f", m.mean, m.error);
    table_text(t, "holds", "%s", holds ? "yes" : "no");
    return holds;
}

table summary_expected(const sweep_results *results, int *off) {
    const study *in = &results->plan->study;
    table t = {0};
    *off = 0;
    for (uint32_t m = 0; m < in->measures && in->shorter == 1; m++)
        for (uint32_t i = 0; i < in->measure[m].expectations; i++) {
            study_expectation of;
            if (study_expectation_of(in, &in->measure[m], i, &of)) *off += !put_expectation(&t, results, m, &of);
        }
    return t;
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

/* NAME, NAME_deviation, NAME_error, NAME_seeds */
static void write_head(const study *in, FILE *file) {
    static const char *const endings[] = {"", "_deviation", "_error", "_seeds"};
    for (uint32_t i = 0; i < in->parameters; i++) csv_text(file, in->parameter[i].name);
    csv_text(file, "seeds");
    for (uint32_t i = 0; i < in->measures; i++)
        for (int e = 0; e < 4; e++) {
            char name[STUDY_NAME + 16];
            snprintf(name, sizeof name, "%s%s", in->measure[i].name, endings[e]);
            csv_text(file, name);
        }
    csv_end_row(file);
}

static bool has_value(const study *in, const run_figures *run) {
    bool any = false;
    for (uint32_t i = 0; i < in->measures; i++) any = any || !isnan(run->measured[i]);
    return run->is_there && any;
}

static void write_row(const sweep_results *results, uint32_t point, FILE *file) {
    const study *in = &results->plan->study;
    uint32_t seeds = 0; /* with a value of any measure */
    for (uint32_t s = 0; s < in->seeds; s++) seeds += has_value(in, &results->figures[point * in->seeds + s]);
    for (uint32_t i = 0; i < in->parameters; i++) csv_text(file, label_of(results->plan, point, i));
    csv_count(file, seeds);
    for (uint32_t i = 0; i < in->measures; i++) {
        const seeds_mean m = summary_mean(results, point, i);
        csv_number(file, m.mean);
        csv_number(file, m.count > 1 ? m.deviation : (double)NAN);
        csv_number(file, m.count > 1 ? m.error : (double)NAN);
        csv_count(file, m.count);
    }
    csv_end_row(file);
}

static void write_means(const sweep_results *results, FILE *file) {
    write_head(&results->plan->study, file);
    for (uint32_t point = 0; point < results->plan->points; point++) write_row(results, point, file);
}

static void write_expected(const sweep_results *results, FILE *file) {
    int off;
    table t = summary_expected(results, &off);
    table_print_markdown(file, &t);
    table_free(&t);
}

static dunlin_result write_file(const sweep_results *results, const char *folder, const char *name,
                                void (*fill)(const sweep_results *, FILE *), dunlin_error *error) {
    output_file file;
    char *path = output_folder_path(folder, "%s", name);
    if (!path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    dunlin_result result = output_file_open(&file, path, error);
    if (result == DUNLIN_OK) {
        fill(results, file.stream);
        result = output_file_finish(&file, error);
    }
    free(path);
    return result;
}

dunlin_result summary_write(const sweep_results *results, const char *folder, dunlin_error *error) {
    const study *in = &results->plan->study;
    uint32_t expectations = 0;
    for (uint32_t m = 0; m < in->measures && in->shorter == 1; m++) expectations += in->measure[m].expectations;
    dunlin_result result = write_file(results, folder, "means.csv", write_means, error);
    return result == DUNLIN_OK && expectations > 0 ? write_file(results, folder, "expected.md", write_expected, error) : result;
}
