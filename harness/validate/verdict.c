/* SPDX-License-Identifier: MIT */
#include "harness/validate/verdict.h"

#include <math.h>
#include <string.h>

enum { CELL = 48 };

/* ---- judging ---------------------------------------------------------------------------------------------------------- */

figure_mean verdict_mean(const trial *t, const trial_result *result, int figure) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < t->samples; i++) sum += result->samples[i].figure[figure];
    const double mean = sum / t->samples;
    for (int i = 0; i < t->samples; i++) squares += pow(result->samples[i].figure[figure] - mean, 2.0);
    const bool has_error = t->samples > 1 && t->kind != TRIAL_CIRCLES;
    return (figure_mean){mean, has_error ? sqrt(squares / (t->samples - 1.0) / t->samples) : 0.0};
}

static bool is_within(const trial_claim *claim, double value) {
    return value >= claim->low && value <= claim->high;
}

static bool falls(const trial_results *results, int number) {
    const trial *t = &results->list.at[number], *before = t - 1;
    if (t->kind != TRIAL_VICSEK || !t->is_curve || number == 0 || !before->is_curve || before->agents != t->agents) return true;
    if (!results->of[number - 1].is_there) return true;
    return verdict_mean(t, &results->of[number], 0).value <= verdict_mean(before, &results->of[number - 1], 0).value + 0.01;
}

bool verdict_holds(const trial_results *results, int number) {
    const trial *t = &results->list.at[number];
    for (int i = 0; i < t->claims; i++)
        if (!is_within(&t->claim[i], verdict_mean(t, &results->of[number], i).value)) return false;
    return falls(results, number);
}

static const char *verdict_of(const trial_results *results, int number, int figure) {
    const trial *t = &results->list.at[number];
    if (figure == 0 && !falls(results, number)) return "no, it rises";
    if (figure >= t->claims) return "";
    return is_within(&t->claim[figure], verdict_mean(t, &results->of[number], figure).value) ? "yes" : "no";
}

/* ---- in words --------------------------------------------------------------------------------------------------------- */

/* "0.943 .. 0.963", "below 0.35", "above 0.55", "exactly 1"; nothing, where nothing is claimed. */
static void write_allowed(const trial *t, int figure, char text[CELL]) {
    const trial_claim *claim = &t->claim[figure];
    text[0] = '\0';
    if (figure >= t->claims) return;
    if (isinf(claim->low))
        snprintf(text, CELL, "below %.6g", claim->high);
    else if (isinf(claim->high))
        snprintf(text, CELL, "above %.6g", claim->low);
    else if (claim->low == claim->high)
        snprintf(text, CELL, "exactly %.6g", claim->low);
    else
        snprintf(text, CELL, "%.6g .. %.6g", claim->low, claim->high);
}

static void write_published(const trial *t, int figure, char text[CELL]) {
    text[0] = '\0';
    if (figure < t->claims && !isnan(t->claim[figure].published)) snprintf(text, CELL, "%.9g", t->claim[figure].published);
}

/* `between` stands between the mean and its error. */
static void write_measured(const trial *t, const trial_result *result, int figure, const char *between, char text[CELL]) {
    const figure_mean mean = verdict_mean(t, result, figure);
    if (t->kind == TRIAL_CIRCLES)
        snprintf(text, CELL, "%.6f", mean.value);
    else if (mean.error > 0.0)
        snprintf(text, CELL, "%.4f %s %.4f", mean.value, between, mean.error);
    else
        snprintf(text, CELL, "%.4f", mean.value);
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

void verdict_print_head(FILE *file) {
    fprintf(file, "%-11s  %-32s  %-24s  %11s  %-20s  %-18s  %s\n", "model", "trial", "figure", "published", "allowed",
            "measured", "holds");
}

void verdict_print(FILE *file, const trial_results *results, int number) {
    const trial *t = &results->list.at[number];
    for (int i = 0; i < TRIAL_FIGURES && results->of[number].is_there && trial_figure_name(t->kind, i); i++) {
        char allowed[CELL], published[CELL], measured[CELL];
        write_allowed(t, i, allowed);
        write_published(t, i, published);
        write_measured(t, &results->of[number], i, "+-", measured);
        fprintf(file, "%-11s  %-32s  %-24s  %11s  %-20s  %-18s  %s\n", trial_kind_name(t->kind), t->name,
                trial_figure_name(t->kind, i), published, allowed, measured, verdict_of(results, number, i));
    }
}

static void write_row(FILE *file, const trial_results *results, int number, int figure) {
    const trial *t = &results->list.at[number];
    const char *verdict = verdict_of(results, number, figure);
    if (verdict[0] == '\0') return;
    char allowed[CELL], published[CELL], measured[CELL];
    write_allowed(t, figure, allowed);
    write_published(t, figure, published);
    write_measured(t, &results->of[number], figure, "±", measured);
    fprintf(file, "| %s | %s | %s | %s | %s | %s |\n", t->name, trial_figure_name(t->kind, figure), published, allowed,
            measured, verdict);
}

void verdict_write_table(FILE *file, const trial_results *results, trial_kind kind) {
    fputs("| trial | figure | published | allowed | measured | holds |\n|:---|:---|---:|---:|---:|:---|\n", file);
    for (int i = 0; i < results->list.count; i++)
        for (int figure = 0; figure < TRIAL_FIGURES && results->list.at[i].kind == kind; figure++)
            write_row(file, results, i, figure);
}
