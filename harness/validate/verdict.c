/* SPDX-License-Identifier: MIT */
#include "harness/validate/results.h"

#include <math.h>

/* ---- judging ---------------------------------------------------------------------------------------------------------- */

sample_mean verdict_mean(const trial *t, const trial_result *result, int figure) {
    sample_mean found = mean_of_member(&result->samples[0].figure[figure], sizeof(trial_sample), t->samples);
    if (t->kind == TRIAL_CIRCLES) found.error = 0.0;
    return found;
}

static bool falls(const trial_results *results, int number) {
    const trial *t = &results->list.at[number], *before = t - 1;
    if (t->kind != TRIAL_VICSEK || !t->is_curve || number == 0 || !before->is_curve || before->agents != t->agents) return true;
    if (!results->of[number - 1].is_there) return true;
    return verdict_mean(t, &results->of[number], 0).value <= verdict_mean(before, &results->of[number - 1], 0).value + 0.01;
}

/* A figure of a trial beside its claim. */
typedef struct verdict {
    const char *model, *trial, *figure, *holds; /* holds: NULL if nothing is claimed */
    trial_claim claim;
    bool has_claim;
    int decimals, samples;
    sample_mean measured;
} verdict;

static verdict judge(const trial_results *results, int number, int figure) {
    const trial *t = &results->list.at[number];
    verdict v = {.model = trial_kind_names[t->kind],
                 .trial = t->name,
                 .figure = trial_figure_names[t->kind][figure],
                 .claim = t->claim[figure],
                 .has_claim = t->claim[figure].high != 0.0,
                 .decimals = t->kind == TRIAL_CIRCLES ? 6 : 4,
                 .samples = t->samples,
                 .measured = verdict_mean(t, &results->of[number], figure)};
    if (v.has_claim) v.holds = v.measured.value >= v.claim.low && v.measured.value <= v.claim.high ? "yes" : "no";
    if (figure == 0 && !falls(results, number)) v.holds = "no, it rises";
    return v;
}

bool verdict_holds(const trial_results *results, int number) {
    bool holds = true;
    for (int figure = 0; figure < TRIAL_FIGURES; figure++) {
        const char *word = judge(results, number, figure).holds;
        holds &= !word || word[0] == 'y';
    }
    return holds;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

/* "0.943 .. 0.963", "below 0.35", "above 0.55", "exactly 1"; "" without a claim. */
static void put_allowed(table *t, const verdict *v) {
    if (!v->has_claim)
        table_cell(t, "allowed", "%s", "");
    else if (isinf(v->claim.low))
        table_cell(t, "allowed", "below %.6g", v->claim.high);
    else if (isinf(v->claim.high))
        table_cell(t, "allowed", "above %.6g", v->claim.low);
    else if (v->claim.low == v->claim.high)
        table_cell(t, "allowed", "exactly %.6g", v->claim.low);
    else
        table_cell(t, "allowed", "%.6g .. %.6g", v->claim.low, v->claim.high);
}

/* `between` stands between the mean and its error. */
static void put_row(table *t, const verdict *v, const char *between) {
    table_begin_row(t);
    table_text(t, "trial", "%s", v->trial);
    table_text(t, "figure", "%s", v->figure);
    if (v->has_claim && !isnan(v->claim.published))
        table_cell(t, "published", "%.9g", v->claim.published);
    else
        table_cell(t, "published", "%s", "");
    put_allowed(t, v);
    if (v->measured.error > 0.0)
        table_cell(t, "measured", "%.4f %s %.4f", v->measured.value, between, v->measured.error);
    else
        table_cell(t, "measured", "%.*f", v->decimals, v->measured.value);
    table_text(t, "holds", "%s", v->holds ? v->holds : "");
}

/* All figures that were measured of these kinds; returns how many. */
static int judge_all(const trial_results *results, const bool kinds[TRIAL_KINDS], verdict rows[TRIALS * TRIAL_FIGURES]) {
    int count = 0;
    for (int i = 0; i < results->list.count; i++) {
        const trial_kind kind = results->list.at[i].kind;
        for (int figure = 0; figure < TRIAL_FIGURES && trial_figure_names[kind][figure]; figure++)
            if (kinds[kind] && results->of[i].is_there) rows[count++] = judge(results, i, figure);
    }
    return count;
}

table verdict_table(const trial_results *results, trial_kind kind, bool claims_only) {
    table t = {0};
    bool kinds[TRIAL_KINDS] = {false};
    verdict rows[TRIALS * TRIAL_FIGURES];
    kinds[kind] = true;
    const int count = judge_all(results, kinds, rows);
    for (int i = 0; i < count; i++)
        if (rows[i].holds || !claims_only) put_row(&t, &rows[i], claims_only ? "±" : "+-");
    return t;
}

const char verdict_csv_header[] = "date,commit,compiler,flags,cpu,cores,os,pinning,model,trial,samples,figure,published,"
                                  "min_allowed,max_allowed,measured,error,holds\n";

static json_t *number_or_null(bool is_there, double value) {
    return is_there && isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_to_json(const verdict *v) {
    return json_pack("{s:s, s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:s?}", "model", v->model, "trial", v->trial, "samples",
                     v->samples, "figure", v->figure, "published", number_or_null(v->has_claim, v->claim.published),
                     "min_allowed", number_or_null(v->has_claim, v->claim.low), "max_allowed",
                     number_or_null(v->has_claim, v->claim.high), "measured", number_or_null(true, v->measured.value), "error",
                     number_or_null(v->measured.error > 0.0, v->measured.error), "holds", v->holds);
}

json_t *verdict_json(const trial_results *results, const bool kinds[TRIAL_KINDS]) {
    verdict rows[TRIALS * TRIAL_FIGURES];
    json_t *list = json_array();
    const int count = judge_all(results, kinds, rows);
    for (int i = 0; i < count; i++) json_array_append_new(list, row_to_json(&rows[i]));
    return list;
}
