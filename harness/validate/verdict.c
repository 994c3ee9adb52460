/* SPDX-License-Identifier: MIT */
#include "harness/validate/verdict.h"

#include <math.h>
#include <string.h>

enum { CELL = 48 };

/* ---- judging ---------------------------------------------------------------------------------------------------------- */

sample_mean verdict_mean(const trial *t, const trial_result *result, int figure) {
    sample_mean found = mean_of_member(&result->samples[0].figure[figure], sizeof(trial_sample), t->samples);
    if (t->kind == TRIAL_CIRCLES) found.error = 0.0;
    return found;
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

/* "0.943 .. 0.963", "below 0.35", "above 0.55", "exactly 1"; "" without a claim. */
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
    const sample_mean of = verdict_mean(t, result, figure);
    if (t->kind == TRIAL_CIRCLES)
        snprintf(text, CELL, "%.6f", of.value);
    else if (of.error > 0.0)
        snprintf(text, CELL, "%.4f %s %.4f", of.value, between, of.error);
    else
        snprintf(text, CELL, "%.4f", of.value);
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

static void put_row(table *t, const trial_results *results, int number, int figure, const char *between) {
    const trial *of = &results->list.at[number];
    char text[CELL];
    table_begin_row(t);
    table_text(t, "trial", "%s", of->name);
    table_text(t, "figure", "%s", trial_figure_name(of->kind, figure));
    write_published(of, figure, text);
    table_cell(t, "published", "%s", text);
    write_allowed(of, figure, text);
    table_cell(t, "allowed", "%s", text);
    write_measured(of, &results->of[number], figure, between, text);
    table_cell(t, "measured", "%s", text);
    table_text(t, "holds", "%s", verdict_of(results, number, figure));
}

table verdict_table(const trial_results *results, trial_kind kind, bool claims_only) {
    table t = {0};
    for (int i = 0; i < results->list.count; i++) {
        if (results->list.at[i].kind != kind || !results->of[i].is_there) continue;
        for (int figure = 0; figure < TRIAL_FIGURES && trial_figure_name(kind, figure); figure++) {
            if (claims_only && verdict_of(results, i, figure)[0] == '\0') continue;
            put_row(&t, results, i, figure, claims_only ? "±" : "+-");
        }
    }
    return t;
}
