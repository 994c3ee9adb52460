/* SPDX-License-Identifier: MIT */
#include "harness/report/gnuplot.h"
#include "harness/sweep/summary.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one plot shows: a measure at all values of the first two parameters, at one combination of the others. */
typedef struct view {
    const sweep_results *results;
    const study *in;
    uint32_t measure, rest, rests; /* rest: the combination's number */
    const study_parameter *x, *y;  /* y: NULL if there is no second parameter */
    double low, high;              /* of the measure */
} view;

static uint32_t point_of(const view *v, uint32_t x, uint32_t y) {
    return (x * (v->y ? v->y->count : 1) + y) * v->rests + v->rest;
}

static seeds_mean mean_at(const view *v, uint32_t x, uint32_t y) {
    return summary_mean(v->results, point_of(v, x, y), v->measure);
}

/* ---- axes ------------------------------------------------------------------------------------------------------------- */

static bool is_numeric(const study_parameter *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (isnan(p->values[i].number)) return false;
    return true;
}

/* Words stand at 0, 1, 2, … */
static double place_of(const study_parameter *p, uint32_t i) {
    return is_numeric(p) ? p->values[i].number : i;
}

static int compare_places(const void *a, const void *b, void *parameter) {
    const double x = place_of(parameter, *(const uint32_t *)a), y = place_of(parameter, *(const uint32_t *)b);
    return (x > y) - (x < y);
}

/* The values from left to right. */
static void sort_places(const study_parameter *p, uint32_t order[STUDY_VALUES]) {
    for (uint32_t i = 0; i < p->count; i++) order[i] = i;
    qsort_r(order, p->count, sizeof *order, compare_places, (void *)p);
}

/* The borders between values, in the middle between them: count + 1. */
static void find_borders(const study_parameter *p, const uint32_t order[STUDY_VALUES], double border[STUDY_VALUES + 1]) {
    const uint32_t last = p->count - 1;
    double at[STUDY_VALUES];
    for (uint32_t i = 0; i < p->count; i++) at[i] = p->is_log ? log(place_of(p, order[i])) : place_of(p, order[i]);
    for (uint32_t i = 1; i < p->count; i++) border[i] = 0.5 * (at[i - 1] + at[i]);
    border[0] = last > 0 ? at[0] - (border[1] - at[0]) : at[0] - 0.5;
    border[last + 1] = last > 0 ? at[last] + (at[last] - border[last]) : at[0] + 0.5;
    for (uint32_t i = 0; i <= p->count && p->is_log; i++) border[i] = exp(border[i]);
}

static void write_axis(FILE *file, char axis, const study_parameter *p, double low, double high) {
    fprintf(file, "set %clabel ", axis);
    plot_quote(file, p->label);
    fprintf(file, "\nset %crange [%.9g:%.9g]\n", axis, low, high);
    if (p->is_log) plot_log_axis(file, axis, low, high, 1e4);
    if (is_numeric(p)) return;
    fprintf(file, "set %ctics (", axis);
    for (uint32_t i = 0; i < p->count; i++) {
        fputs(i > 0 ? ", " : "", file);
        plot_quote(file, p->values[i].label);
        fprintf(file, " %" PRIu32, i);
    }
    fputs(")\n", file);
}

/* Of all runs, so that plots of one measure have one scale. false: it could not be measured anywhere. */
static bool find_range(view *v) {
    v->low = (double)INFINITY;
    v->high = -(double)INFINITY;
    for (uint32_t run = 0; run < v->results->plan->runs; run++) {
        const double value = v->results->figures[run].measured[v->measure];
        if (!v->results->figures[run].is_there) continue;
        if (isfinite(value) && value < v->low) v->low = value;
        if (isfinite(value) && value > v->high) v->high = value;
    }
    return v->low <= v->high;
}

/* What lies within 0 .. 1 is shown in the whole of it. */
static void write_range(FILE *file, const char *axis, const view *v, double above_one) {
    const char *name = v->in->measure[v->measure].column->name;
    if (strcmp(name, "polarization") == 0 || strcmp(name, "rotation") == 0)
        fprintf(file, "set %s [0:%g]\n", axis, 1.0 + above_one);
    else if (v->low < v->high)
        fprintf(file, "set %s [*:*]\n", axis);
    else
        fprintf(file, "set %s [%.9g:%.9g]\n", axis, v->low - 0.5, v->high + 0.5);
}

/* ---- curves ----------------------------------------------------------------------------------------------------------- */

/* $means0 has x, mean and deviation; $runs0 has x and the figure of every run. */
static void write_curve(FILE *file, const view *v, const uint32_t order[STUDY_VALUES], uint32_t y) {
    const uint32_t seeds = v->in->seeds;
    fprintf(file, "$means%" PRIu32 " << EOD\n# x, mean, standard deviation\n", y);
    for (uint32_t i = 0; i < v->x->count; i++) {
        const seeds_mean m = mean_at(v, order[i], y);
        if (m.count > 0) fprintf(file, "%.9g %.9g %.4g\n", place_of(v->x, order[i]), m.mean, m.deviation);
    }
    fprintf(file, "EOD\n$runs%" PRIu32 " << EOD\n# x, a run\n", y);
    for (uint32_t i = 0; i < v->x->count; i++)
        for (uint32_t s = 0; s < seeds; s++) {
            const run_figures *run = &v->results->figures[point_of(v, order[i], y) * seeds + s];
            if (run->is_there && !isnan(run->measured[v->measure]))
                fprintf(file, "%.9g %.9g\n", place_of(v->x, order[i]), run->measured[v->measure]);
        }
    fputs("EOD\n", file);
}

static void add_curve(plot *p, const view *v, uint32_t y) {
    static const int points[PLOT_COLOURS] = {7, 5, 9, 13, 11};
    const char *colour = plot_colours[y % PLOT_COLOURS];
    char title[STUDY_TITLE] = "";
    if (v->y) snprintf(title, sizeof title, "%s %.60s", v->y->name, v->y->values[y].label);
    if (v->in->seeds > 1)
        plot_curve(p, "$runs%" PRIu32 " with points pointtype 7 pointsize 0.25 linecolor rgb '#90%s' notitle", y, colour + 1);
    plot_curve(p, "$means%" PRIu32 " with %s linewidth 1.5 pointtype %d pointsize 0.7 linecolor rgb '%s' %s", y,
               v->in->seeds > 1 ? "yerrorlines" : "linespoints", points[y % PLOT_COLOURS], colour, v->y ? "title " : "notitle");
    if (v->y) plot_quote(p->curves, title);
}

/* What the means of this curve must be: bars from the smallest to the largest one, and rings for what was published. A bar
 * without an end goes to that of the axis. */
static void add_expected(plot *p, const view *v, uint32_t y) {
    const study_measure *m = &v->in->measure[v->measure];
    study_expectation of;
    uint32_t count = 0;
    bool is_published = false;
    for (uint32_t i = 0; i < m->expectations && v->in->shorter == 1; i++) {
        if (!study_expectation_of(v->in, m, i, &of) || of.point % v->rests != v->rest) continue;
        const uint32_t curve = of.point / v->rests % (v->y ? v->y->count : 1),
                       x = of.point / v->rests / (v->y ? v->y->count : 1);
        if (curve != y) continue;
        is_published = is_published || !isnan(of.published);
        if (count++ == 0) fprintf(p->file, "$expected%" PRIu32 " << EOD\n# x, published, min, max\n", y);
        fprintf(p->file, "%.9g %.9g %.9g %.9g\n", place_of(v->x, x), of.published, isnan(of.min) ? fmin(v->low, 0.0) : of.min,
                isnan(of.max) ? fmax(v->high, 1.0) : of.max);
    }
    if (count == 0) return;
    fputs("EOD\n", p->file);
    plot_curve(p, "$expected%" PRIu32 " using 1:3:(0):($4-$3) with vectors nohead linewidth 7 linecolor rgb '#a0%s' notitle", y,
               plot_colours[y % PLOT_COLOURS] + 1);
    if (is_published)
        plot_curve(p,
                   "$expected%" PRIu32
                   " using 1:2 with points pointtype 6 pointsize 1.5 linewidth 1.5 linecolor rgb '#000000' notitle",
                   y);
}

/* Beside the curves, whose ends it would hide. */
static void make_room_for_key(FILE *file, const study_parameter *p) {
    size_t longest = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const size_t length = strlen(p->name) + 1 + strlen(p->values[i].label);
        longest = length > longest ? length : longest;
    }
    fprintf(file, "set key outside right top\nset rmargin at screen %.3f\n", fmax(0.9 - 0.0125 * (double)longest, 0.5));
}

static void fill_curves(plot *p, const view *v) {
    uint32_t order[STUDY_VALUES];
    const uint32_t curves = v->y ? v->y->count : 1;
    sort_places(v->x, order);
    const double low = place_of(v->x, order[0]), high = place_of(v->x, order[v->x->count - 1]);
    const bool is_spread = is_numeric(v->x) && high > low;
    const double room = v->x->is_log ? pow(high / low, 0.03) : is_spread ? 0.03 * (high - low) : 0.5;
    write_axis(p->file, 'x', v->x, v->x->is_log ? low / room : low - room, v->x->is_log ? high * room : high + room);
    fputs("set ylabel ", p->file);
    plot_quote(p->file, v->in->measure[v->measure].label);
    fputc('\n', p->file);
    write_range(p->file, "yrange", v, 0.03);
    if (v->y) make_room_for_key(p->file, v->y);
    for (uint32_t y = 0; y < curves; y++) {
        write_curve(p->file, v, order, y);
        add_expected(p, v, y);
        add_curve(p, v, y);
    }
}

/* ---- heat maps -------------------------------------------------------------------------------------------------------- */

/* S. van der Walt and N. Smith's viridis, which is as bright as it is high, also for colour-blind people. */
static const char palette[] = "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', "
                              "5 '#1f9e89', 6 '#35b779', 7 '#6ece58', 8 '#b5de2b', 9 '#fde725')\n";

static void fill_map(plot *p, const view *v) {
    uint32_t xs[STUDY_VALUES], ys[STUDY_VALUES];
    double left[STUDY_VALUES + 1], below[STUDY_VALUES + 1];
    sort_places(v->x, xs);
    sort_places(v->y, ys);
    find_borders(v->x, xs, left);
    find_borders(v->y, ys, below);
    write_axis(p->file, 'x', v->x, left[0], left[v->x->count]);
    write_axis(p->file, 'y', v->y, below[0], below[v->y->count]);
    fputs(palette, p->file);
    fputs("set cblabel ", p->file);
    plot_quote(p->file, v->in->measure[v->measure].label);
    fputs(" offset 1\nunset grid\nunset key\nset border 15\nset tics out\nset rmargin at screen 0.84\n", p->file);
    write_range(p->file, "cbrange", v, 0.0);
    fputs("$map << EOD\n# x, y, the cell's borders, mean, standard deviation\n", p->file);
    for (uint32_t x = 0; x < v->x->count; x++)
        for (uint32_t y = 0; y < v->y->count; y++) {
            const seeds_mean m = mean_at(v, xs[x], ys[y]);
            if (m.count == 0) continue;
            fprintf(p->file, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.4g\n", place_of(v->x, xs[x]), place_of(v->y, ys[y]), left[x],
                    left[x + 1], below[y], below[y + 1], m.mean, m.deviation);
        }
    fputs("EOD\n", p->file);
    plot_curve(p, "$map using 1:2:3:4:5:6:7 with boxxyerror linecolor palette linewidth 0.5 fillstyle solid 1 border");
}

/* ---- one plot --------------------------------------------------------------------------------------------------------- */

/* A measure's name, without what names of files should not have. */
static void write_measure(const study_measure *m, char name[STUDY_NAME]) {
    size_t i = 0;
    for (; m->name[i] != '\0'; i++) {
        const unsigned char c = (unsigned char)m->name[i];
        name[i] = isalnum(c) || strchr("._-", c) || c >= 0x80 ? m->name[i] : '_';
    }
    name[i] = '\0';
}

/* That of the column in means.csv, whatever else the study has. A measure that would share it with one before it gets its
 * number, too, and so does each combination of further parameters. */
static void write_name(const view *v, char name[PLOT_NAME]) {
    char own[STUDY_NAME], other[STUDY_NAME];
    bool is_taken = false;
    write_measure(&v->in->measure[v->measure], own);
    for (uint32_t i = 0; i < v->measure && !is_taken; i++) {
        write_measure(&v->in->measure[i], other);
        is_taken = strcmp(own, other) == 0;
    }
    int length = snprintf(name, PLOT_NAME, "%s", own);
    if (is_taken) length += snprintf(name + length, (size_t)(PLOT_NAME - length), "~%" PRIu32, v->measure + 1);
    if (v->in->parameters > 2) snprintf(name + length, (size_t)(PLOT_NAME - length), "-%" PRIu32, v->rest + 1);
}

static void write_title(const view *v, char *title, size_t size) {
    int length = snprintf(title, size, "%s", v->in->name);
    for (uint32_t i = 2; i < v->in->parameters && length >= 0 && (size_t)length < size; i++) {
        const study_parameter *p = &v->in->parameter[i];
        const uint32_t value = sweep_plan_value(v->results->plan, point_of(v, 0, 0), i);
        length += snprintf(title + length, size - (size_t)length, ", %s %s", p->name, p->values[value].label);
    }
}

static void write_subtitle(const view *v, bool is_map, char *subtitle, size_t size) {
    const uint32_t seeds = v->in->seeds;
    if (seeds == 1)
        snprintf(subtitle, size, "%s, one run each", v->in->measure[v->measure].label);
    else if (is_map)
        snprintf(subtitle, size, "%s, mean of %" PRIu32 " seeds", v->in->measure[v->measure].label, seeds);
    else
        snprintf(subtitle, size, "mean and standard deviation of %" PRIu32 " seeds; a dot for each run", seeds);
}

static dunlin_result draw(const view *v, const char *folder, int *drawn, dunlin_error *error) {
    const bool is_map = v->y && v->y->count > PLOT_COLOURS;
    char name[PLOT_NAME], title[STUDY_TITLE], subtitle[2 * STUDY_TITLE];
    plot p;
    write_name(v, name);
    write_title(v, title, sizeof title);
    write_subtitle(v, is_map, subtitle, sizeof subtitle);
    dunlin_result result = plot_open(&p, folder, name, title, subtitle, error);
    if (result != DUNLIN_OK) return result;
    if (is_map)
        fill_map(&p, v);
    else
        fill_curves(&p, v);
    result = plot_close(&p, error);
    if (result == DUNLIN_OK) *drawn += plot_draw(folder, name);
    return result;
}

dunlin_result plots_draw_sweep(const sweep_results *results, const char *folder, int *drawn, dunlin_error *error) {
    const study *in = &results->plan->study;
    view v = {.results = results, .in = in, .rests = 1, .x = &in->parameter[0]};
    dunlin_result result = DUNLIN_OK;
    int plots = 0;
    *drawn = 0;
    if (in->parameters == 0) return DUNLIN_OK;
    if (in->parameters > 1) v.y = &in->parameter[1];
    for (uint32_t i = 2; i < in->parameters; i++) v.rests *= in->parameter[i].count;
    for (v.measure = 0; v.measure < in->measures; v.measure++) {
        if (!find_range(&v)) continue;
        for (v.rest = 0; v.rest < v.rests && plots < PLOTS_MOST && result == DUNLIN_OK; v.rest++, plots++)
            result = draw(&v, folder, drawn, error);
    }
    return result;
}
