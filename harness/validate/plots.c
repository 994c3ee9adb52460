/* SPDX-License-Identifier: MIT */
#include "harness/validate/plots.h"
#include "harness/report/numbers.h"
#include "harness/report/gnuplot.h"
#include "harness/validate/verdict.h"

#include <math.h>

typedef struct trial_plot {
    const trial_results *results;
    plot script;
    FILE *file; /* of the script */
} trial_plot;

static const trial *measured(const trial_plot *p, int number, trial_kind kind) {
    const trial *t = &p->results->list.at[number];
    return t->kind == kind && p->results->of[number].is_there ? t : NULL;
}

/* "x published low high" of each claim about a figure: what was published, NaN where nothing was, and the allowed range. */
static void write_claims(const trial_plot *p, const char *block, trial_kind kind, int figure) {
    fprintf(p->file, "$%s << EOD\n# x published low high\n", block);
    for (int i = 0; i < p->results->list.count; i++) {
        const trial *t = measured(p, i, kind);
        if (!t || figure >= t->claims) continue;
        const trial_claim *claim = &t->claim[figure];
        fprintf(p->file, "%.6g %.9g %.6g %.6g\n", (double)t->x, claim->published, fmax(claim->low, 0.0),
                fmin(claim->high, 1.0));
    }
    fputs("EOD\n", p->file);
}

/* ---- circles ---------------------------------------------------------------------------------------------------------- */

/* One start per size: others look the same. */
static void fill_circles(trial_plot *p) {
    int colour = 0;
    fputs("set xlabel 'step'\nset ylabel 'agents in 27 cells (mean)'\nset xrange [0:203]\n"
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
        plot_curve(&p->script, "$t%d using 1:2 with lines linewidth 2 linecolor rgb '%s' title '%s agents'", i,
                   plot_colours[colour], agents);
        plot_curve(&p->script, "%.6f with lines dashtype 2 linewidth 1.5 linecolor rgb '%s' notitle", t->claim[0].published,
                   plot_colours[colour]);
        fprintf(p->file, "$m%d << EOD\n200 %.6f\nEOD\n", i, verdict_mean(t, &p->results->of[i], 0).value);
        plot_curve(&p->script, "$m%d using 1:2 with points pointtype 7 pointsize 1 linecolor rgb '%s' notitle", i,
                   plot_colours[colour]);
        colour = (colour + 1) % PLOT_COLOURS;
    }
    plot_curve(&p->script,
               "keyentry with lines dashtype 2 linewidth 1.5 linecolor rgb '#888888' title 'published mean of the steps'");
    plot_curve(&p->script, "keyentry with points pointtype 7 pointsize 1 linecolor rgb '#888888' title 'measured mean'");
}

/* ---- Vicsek ----------------------------------------------------------------------------------------------------------- */

/* Of a curve of so many agents; 0: of all-to-all sight, no curve. */
static bool is_of(const trial *t, uint32_t agents) {
    return t && (agents > 0 ? t->is_curve && t->agents == agents : !t->is_curve);
}

/* "noise order error"; how many there are. */
static int write_order(trial_plot *p, const char *block, uint32_t agents) {
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

static void fill_vicsek(trial_plot *p) {
    static const uint32_t agents[] = {40, 100, 400, 4000};
    static const int points[] = {5, 9, 7, 13};
    static const double quarter_pi = 0.785398163397448310;
    fputs("set xlabel 'noise η (radians)'\nset ylabel 'order parameter'\nset xrange [0:6.4]\nset yrange [0:1.05]\n"
          "set key bottom left\n",
          p->file);
    write_claims(p, "published", TRIAL_VICSEK, 0);
    for (int i = 0; i < 4; i++) {
        char block[16];
        snprintf(block, sizeof block, "n%u", agents[i]);
        if (write_order(p, block, agents[i]) == 0) continue;
        plot_curve(&p->script,
                   "$%s using 1:2:3 with yerrorlines linewidth 1.5 pointtype %d pointsize 0.8 linecolor rgb '%s' title '%u "
                   "agents'",
                   block, points[i], plot_colours[i], agents[i]);
        plot_curve(&p->script, "[5.5:6.4] %.6g with lines dashtype 3 linewidth 2 linecolor rgb '%s' notitle",
                   sqrt(quarter_pi / agents[i]), plot_colours[i]);
    }
    plot_curve(&p->script, "keyentry with lines dashtype 3 linewidth 2 linecolor rgb '#888888' title 'floor √(π/4N)'");
    if (write_order(p, "all", 0) > 0)
        plot_curve(&p->script,
                   "$all using 1:2 with points pointtype 2 linewidth 2 linecolor rgb '#444444' title 'all-to-all sight'");
    plot_curve(&p->script, "$published using 1:2 with points pointtype 6 pointsize 1.6 linewidth 1.5 linecolor rgb '#000000' "
                           "title 'published or exact'");
    plot_curve(&p->script, "[0.01:6.28] sin(x/2)/(x/2) with lines dashtype 2 linecolor rgb '#888888' title 'sin(η/2)/(η/2)'");
}

/* ---- Couzin ----------------------------------------------------------------------------------------------------------- */

static void fill_couzin(trial_plot *p) {
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
    for (int figure = 0; figure < 2; figure++) {
        const char *block = figure == 0 ? "allowed0" : "allowed1";
        write_claims(p, block, TRIAL_COUZIN, figure);
        plot_curve(&p->script,
                   "$%s using 1:3:($1-0.12):($1+0.12):3:4 with boxxyerror fillstyle transparent solid 0.2 noborder "
                   "linecolor rgb '%s' title 'allowed'",
                   block, plot_colours[figure]);
    }
    plot_curve(&p->script,
               "$groups using 1:2:3 with yerrorlines linewidth 2 pointtype 7 pointsize 0.8 linecolor rgb '%s' title "
               "'polarization'",
               plot_colours[0]);
    plot_curve(&p->script,
               "$groups using 1:4:5 with yerrorlines linewidth 2 pointtype 5 pointsize 0.8 linecolor rgb '%s' title "
               "'rotation'",
               plot_colours[1]);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

typedef struct plot_kind {
    trial_kind kind;
    const char *title;
    void (*fill)(trial_plot *p);
} plot_kind;

static bool has_any(const trial_results *results, trial_kind kind) {
    for (int i = 0; i < results->list.count; i++)
        if (results->list.at[i].kind == kind && results->of[i].is_there) return true;
    return false;
}

static dunlin_result write(const char *folder, const trial_results *results, const plot_kind *kind, const char *subtitle,
                           dunlin_error *error) {
    trial_plot p = {.results = results};
    dunlin_result result = plot_open(&p.script, folder, trial_kind_name(kind->kind), kind->title, subtitle, error);
    if (result != DUNLIN_OK) return result;
    p.file = p.script.file;
    kind->fill(&p);
    return plot_close(&p.script, error);
}

dunlin_result plots_draw(const char *folder, const trial_results *results, const char *subtitle, dunlin_error *error) {
    static const plot_kind kinds[] = {
        {TRIAL_CIRCLES, "Circles: agents in the 27 cells around an agent", fill_circles},
        {TRIAL_VICSEK, "Vicsek 1995, figure 2: order against noise, at density 4", fill_vicsek},
        {TRIAL_COUZIN, "Couzin 2002: swarm, torus, parallel flight", fill_couzin},
    };
    for (int i = 0; i < 3; i++) {
        const char *name = trial_kind_name(kinds[i].kind);
        if (!has_any(results, kinds[i].kind)) continue;
        dunlin_result result = write(folder, results, &kinds[i], subtitle, error);
        if (result != DUNLIN_OK) return result;
        plot_draw(folder, name);
    }
    return DUNLIN_OK;
}
