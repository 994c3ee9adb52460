/* SPDX-License-Identifier: MIT */
#include "harness/validate/plots.h"
#include "harness/report/fail.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/report/gnuplot.h"
#include "harness/report/output_folder.h"
#include "harness/validate/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* Okabe and Ito's, which colour-blind people tell apart. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* A plot being written. The plot command's arguments come in the end, after all data. */
typedef struct plot {
    const trial_results *results;
    FILE *file;
    FILE *curves;
    int curve_count;
} plot;

__attribute__((format(printf, 2, 3))) static void add_curve(plot *p, const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (p->curve_count++ > 0) fputs(", \\\n    ", p->curves);
    vfprintf(p->curves, format, values);
    va_end(values);
}

static const trial *measured(const plot *p, int number, trial_kind kind) {
    const trial *t = &p->results->list.at[number];
    return t->kind == kind && p->results->of[number].is_there ? t : NULL;
}

/* ---- circles ---------------------------------------------------------------------------------------------------------- */

/* One start a size: others look the same. */
static void fill_circles(plot *p) {
    int colour = 0;
    fputs("set xlabel 'step'\nset ylabel 'agents in 27 cells (mean)'\nset xrange [0:200]\n"
          "set yrange [150:*]\nset key bottom right\n",
          p->file);
    for (int i = 0; i < p->results->list.count; i++) {
        const trial *t = measured(p, i, TRIAL_CIRCLES);
        char agents[NUMBER_LENGTH];
        if (!t || t->seed != 0) continue;
        number_group(t->agents, agents);
        fprintf(p->file, "$t%d << EOD\n# step agents\n", i);
        for (int s = 0; s < t->samples; s++) fprintf(p->file, "%d %.6f\n", s, p->results->of[i].samples[s].figure[0]);
        fputs("EOD\n", p->file);
        add_curve(p, "$t%d using 1:2 with lines linewidth 2 linecolor rgb '%s' title '%s agents'", i, colours[colour], agents);
        add_curve(p, "%.6f with lines dashtype 2 linewidth 1.5 linecolor rgb '%s' notitle", t->claim[0].published,
                  colours[colour]);
        colour = (colour + 1) % COLOURS;
    }
    add_curve(p, "keyentry with lines dashtype 2 linewidth 1.5 linecolor rgb '#888888' title 'published mean of the steps'");
}

/* ---- Vicsek ----------------------------------------------------------------------------------------------------------- */

/* Of a curve of so many agents; 0: of all-to-all sight, no curve. */
static bool is_of(const trial *t, uint32_t agents) {
    return t && (agents > 0 ? t->is_curve && t->agents == agents : !t->is_curve);
}

/* "noise order error"; how many there are. */
static int write_order(plot *p, const char *block, uint32_t agents) {
    int count = 0;
    fprintf(p->file, "$%s << EOD\n# noise order error\n", block);
    for (int i = 0; i < p->results->list.count; i++) {
        const trial *t = measured(p, i, TRIAL_VICSEK);
        if (!is_of(t, agents)) continue;
        const sample_mean mean = verdict_mean(t, &p->results->of[i], 0);
        fprintf(p->file, "%.6g %.6g %.3g\n", (double)t->x, mean.value, mean.error);
        count++;
    }
    fputs("EOD\n", p->file);
    return count;
}

static void fill_vicsek(plot *p) {
    static const uint32_t agents[] = {40, 100, 400, 4000};
    static const int points[] = {5, 9, 7, 13};
    static const double quarter_pi = 0.785398163397448310;
    fputs("set xlabel 'noise η (radians)'\nset ylabel 'order parameter'\nset xrange [0:6.4]\nset yrange [0:1.05]\n"
          "set key bottom left\n",
          p->file);
    for (int i = 0; i < 4; i++) {
        char block[16];
        snprintf(block, sizeof block, "n%u", agents[i]);
        if (write_order(p, block, agents[i]) == 0) continue;
        add_curve(p,
                  "$%s using 1:2:3 with yerrorlines linewidth 1.5 pointtype %d pointsize 0.8 linecolor rgb '%s' title '%u "
                  "agents'",
                  block, points[i], colours[i], agents[i]);
        add_curve(p, "[5.5:6.4] %.6g with lines dashtype 3 linewidth 2 linecolor rgb '%s' notitle",
                  sqrt(quarter_pi / agents[i]), colours[i]);
    }
    add_curve(p, "keyentry with lines dashtype 3 linewidth 2 linecolor rgb '#888888' title 'floor √(π/4N)'");
    if (write_order(p, "all", 0) > 0)
        add_curve(p, "$all using 1:2 with points pointtype 2 linewidth 2 linecolor rgb '#444444' title 'all-to-all sight'");
    add_curve(p, "[0.01:6.28] sin(x/2)/(x/2) with lines dashtype 2 linecolor rgb '#888888' title 'sin(η/2)/(η/2)'");
}

/* ---- Couzin ----------------------------------------------------------------------------------------------------------- */

static void fill_couzin(plot *p) {
    fputs("set xlabel 'width of the zone of orientation, Δr_o'\nset ylabel 'mean of the groups'\nset xrange [-0.2:6.2]\n"
          "set yrange [0:1.05]\nset key center right\n"
          "set label 11 'swarm' at 0.12, 0.5 rotate by 90 textcolor rgb '#555555'\n"
          "set label 12 'torus' at 2.25, 0.9 center textcolor rgb '#555555'\n"
          "set label 13 'parallel' at 5, 0.9 center textcolor rgb '#555555'\n"
          "$groups << EOD\n# orientation polarization error rotation error\n",
          p->file);
    for (int i = 0; i < p->results->list.count; i++) {
        const trial *t = measured(p, i, TRIAL_COUZIN);
        if (!t) continue;
        const sample_mean along = verdict_mean(t, &p->results->of[i], 0), around = verdict_mean(t, &p->results->of[i], 1);
        fprintf(p->file, "%g %.6g %.3g %.6g %.3g\n", (double)t->x, along.value, along.error, around.value, around.error);
    }
    fputs("EOD\n", p->file);
    add_curve(p,
              "$groups using 1:2:3 with yerrorlines linewidth 2 pointtype 7 pointsize 0.8 linecolor rgb '%s' title "
              "'polarization'",
              colours[0]);
    add_curve(p,
              "$groups using 1:4:5 with yerrorlines linewidth 2 pointtype 5 pointsize 0.8 linecolor rgb '%s' title "
              "'rotation'",
              colours[1]);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

typedef struct plot_kind {
    trial_kind kind;
    const char *title;
    void (*fill)(plot *p);
} plot_kind;

static bool has_any(const trial_results *results, trial_kind kind) {
    for (int i = 0; i < results->list.count; i++)
        if (results->list.at[i].kind == kind && results->of[i].is_there) return true;
    return false;
}

static dunlin_result write(const char *folder, const trial_results *results, const plot_kind *kind, const char *subtitle,
                           dunlin_error *error) {
    gnuplot_script script;
    char *curves = NULL;
    size_t length = 0;
    dunlin_result result = gnuplot_open(&script, folder, trial_kind_name(kind->kind), kind->title, subtitle, error);
    if (result != DUNLIN_OK) return result;
    plot p = {.results = results, .file = script.file, .curves = open_memstream(&curves, &length)};
    if (p.curves) {
        kind->fill(&p);
        fclose(p.curves);
    }
    result = gnuplot_close(&script, curves ? curves : "", error);
    if (!curves) result = bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a plot");
    free(curves);
    return result;
}

dunlin_result plots_draw(const char *folder, const trial_results *results, const char *subtitle, dunlin_error *error) {
    static const plot_kind kinds[] = {
        {TRIAL_CIRCLES, "Circles: how many there are around an agent", fill_circles},
        {TRIAL_VICSEK, "Vicsek 1995, figure 2: order against noise, at density 4", fill_vicsek},
        {TRIAL_COUZIN, "Couzin 2002: swarm, torus, parallel flight", fill_couzin},
    };
    const bool can_draw = gnuplot_is_there();
    if (!can_draw) message_print("there is no gnuplot here, so plots are left as scripts in %s", folder);
    for (int i = 0; i < 3; i++) {
        const char *name = trial_kind_name(kinds[i].kind);
        if (!has_any(results, kinds[i].kind)) continue;
        dunlin_result result = write(folder, results, &kinds[i], subtitle, error);
        if (result != DUNLIN_OK) return result;
        if (can_draw && !gnuplot_run(folder, name))
            return bench_fail(error, DUNLIN_ERROR_FILE, "gnuplot could not draw %s/%s/%s.gp", folder, PLOTS_NAME, name);
    }
    return DUNLIN_OK;
}
