/* SPDX-License-Identifier: MIT */
#include "harness/report/gnuplot.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/validate/results.h"

#include <math.h>

/* ---- data ------------------------------------------------------------------------------------------------------------- */

/* Which points a block has: those of a curve of so many agents, or, with 0, those of no curve. */
typedef struct point_set {
    trial_kind kind;
    uint32_t agents;
} point_set;

static bool is_in(const trial_results *results, int number, point_set set) {
    const trial *t = &results->list.at[number];
    return t->kind == set.kind && results->of[number].is_there &&
           (set.agents > 0 ? t->is_curve && t->agents == set.agents : !t->is_curve);
}

/* Returns how many points there are. */
static int write_means(FILE *file, const trial_results *results, const char *block, point_set set) {
    int count = 0;
    fprintf(file, "$%s << EOD\n# x, then mean and error of each figure\n", block);
    for (int i = 0; i < results->list.count; i++) {
        const trial *t = &results->list.at[i];
        if (!is_in(results, i, set)) continue;
        fprintf(file, "%.6g", (double)t->x);
        for (int figure = 0; figure < TRIAL_FIGURES; figure++) {
            const sample_mean mean = verdict_mean(t, &results->of[i], figure);
            fprintf(file, " %.6g %.3g", mean.value, mean.error);
        }
        fputc('\n', file);
        count++;
    }
    fputs("EOD\n", file);
    return count;
}

/* Published figures; NaN: only a range was published. Consecutive points with the same range share a line. */
static void write_claims(FILE *file, const trial_results *results, const char *block, trial_kind kind, int figure) {
    const trial *end = results->list.at + results->list.count;
    fprintf(file, "$%s << EOD\n# first x, last x, published, low, high\n", block);
    for (const trial *t = results->list.at; t < end; t++) {
        const trial *first = t;
        const trial_claim *claim = &t->claim[figure];
        if (t->kind != kind || !results->of[t - results->list.at].is_there || claim->high == 0.0) continue;
        while (isnan(claim->published) && t + 1 < end && t[1].claim[figure].low == claim->low &&
               t[1].claim[figure].high == claim->high)
            t++;
        fprintf(file, "%.6g %.6g %.9g %.6g %.6g\n", (double)first->x, (double)t->x, claim->published, fmax(claim->low, 0.0),
                fmin(claim->high, 1.0));
    }
    fputs("EOD\n", file);
}

/* ---- plots ------------------------------------------------------------------------------------------------------------ */

/* One start per size: others look the same. */
static void fill_circles(plot *p, const trial_results *results) {
    int colours = 0;
    fputs("set xlabel 'step'\nset ylabel 'agents in 27 cells (mean)'\nset xrange [0:203]\nset yrange [160:215]\n"
          "set key bottom right maxrows 3\n",
          p->file);
    for (int i = 0; i < results->list.count; i++) {
        const trial *t = &results->list.at[i];
        if (t->kind != TRIAL_CIRCLES || !results->of[i].is_there || t->seed != 0) continue;
        char agents[NUMBER_LENGTH];
        const char *colour = plot_colours[colours++ % PLOT_COLOURS];
        number_group(t->agents, agents);
        fprintf(p->file, "$t%d << EOD\n# step agents\n", i);
        for (int s = 0; s < t->samples; s++) fprintf(p->file, "%d %.6f\n", s, results->of[i].samples[s].figure[0]);
        fprintf(p->file, "EOD\n$m%d << EOD\n200 %.6f\nEOD\n", i, verdict_mean(t, &results->of[i], 0).value);
        plot_curve(p, "$t%d with lines linewidth 2 linecolor rgb '%s' title '%s agents'", i, colour, agents);
        plot_curve(p, "%.6f with lines dashtype 2 linewidth 1.5 linecolor rgb '%s' notitle", t->claim[0].published, colour);
        plot_curve(p, "$m%d with points pointtype 7 pointsize 1 linecolor rgb '%s' notitle", i, colour);
    }
    plot_curve(p, "keyentry with lines dashtype 2 linewidth 1.5 linecolor rgb '#888888' title 'published mean of the steps'");
    plot_curve(p, "keyentry with points pointtype 7 pointsize 1 linecolor rgb '#888888' title 'measured mean'");
}

static void fill_vicsek(plot *p, const trial_results *results) {
    static const uint32_t agents[] = {40, 100, 400, 4000};
    static const int points[] = {5, 9, 7, 13};
    static const double quarter_pi = 0.785398163397448310;
    fputs("set xlabel 'noise η (radians)'\nset ylabel 'order parameter'\nset xrange [0:6.4]\nset yrange [0:1.05]\n"
          "set key bottom left\n",
          p->file);
    write_claims(p->file, results, "published", TRIAL_VICSEK, 0);
    for (int i = 0; i < 4; i++) {
        char block[20];
        snprintf(block, sizeof block, "n%u", agents[i]);
        if (write_means(p->file, results, block, (point_set){TRIAL_VICSEK, agents[i]}) == 0) continue;
        plot_curve(
            p, "$%s using 1:2:3 with yerrorlines linewidth 1.5 pointtype %d pointsize 0.8 linecolor rgb '%s' title '%u agents'",
            block, points[i], plot_colours[i], agents[i]);
        plot_curve(p, "[5.2:6.4] %.6g with lines dashtype 3 linewidth 2 linecolor rgb '%s' notitle",
                   sqrt(quarter_pi / agents[i]), plot_colours[i]);
    }
    plot_curve(p, "keyentry with lines dashtype 3 linewidth 2 linecolor rgb '#888888' title 'floor √(π/4N)'");
    plot_curve(p, "[0.01:6.28] sin(x/2)/(x/2) with lines linewidth 1.5 linecolor rgb '#bbbbbb' title 'sin(η/2)/(η/2)'");
    if (write_means(p->file, results, "all", (point_set){TRIAL_VICSEK, 0}) > 0)
        plot_curve(p, "$all using 1:2 with points pointtype 2 linewidth 2 linecolor rgb '#444444' title 'all-to-all sight'");
    plot_curve(p, "$published using 1:3 with points pointtype 6 pointsize 1.6 linewidth 1.5 linecolor rgb '#000000' "
                  "title 'published or exact'");
}

static void fill_couzin(plot *p, const trial_results *results) {
    static const struct {
        const char *name;
        int column, point;
    } figures[TRIAL_FIGURES] = {{"polarization", 2, 7}, {"rotation", 4, 5}};
    fputs(
        "set xlabel 'width of the zone of orientation (world units)'\nset ylabel 'mean of the groups'\nset xrange [-0.2:6.2]\n"
        "set yrange [0:1.05]\nset key center right\n"
        "set label 11 'swarm' at 0.12, 0.5 rotate by 90 textcolor rgb '#555555'\n"
        "set label 12 'torus' at 2.25, 0.9 center textcolor rgb '#555555'\n"
        "set label 13 'parallel' at 5, 0.9 center textcolor rgb '#555555'\n",
        p->file);
    for (int i = 0; i < TRIAL_FIGURES; i++) {
        char block[20];
        snprintf(block, sizeof block, "allowed%d", i);
        write_claims(p->file, results, block, TRIAL_COUZIN, i);
        plot_curve(p,
                   "$%s using 1:4:($1-0.12):($2+0.12):4:5 with boxxyerror fillstyle transparent solid 0.2 noborder linecolor "
                   "rgb '%s' notitle",
                   block, plot_colours[i]);
    }
    write_means(p->file, results, "groups", (point_set){TRIAL_COUZIN, 100});
    for (int i = 0; i < TRIAL_FIGURES; i++)
        plot_curve(
            p, "$groups using 1:%d:%d with yerrorlines linewidth 2 pointtype %d pointsize 0.8 linecolor rgb '%s' title '%s'",
            figures[i].column, figures[i].column + 1, figures[i].point, plot_colours[i], figures[i].name);
    plot_curve(p, "keyentry with boxes fillstyle solid 0.2 noborder linecolor rgb '#444444' title 'allowed'");
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

static bool has_any(const trial_results *results, trial_kind kind) {
    for (int i = 0; i < results->list.count; i++)
        if (results->list.at[i].kind == kind && results->of[i].is_there) return true;
    return false;
}

dunlin_result plots_draw(const char *folder, const trial_results *results, const char *subtitle, dunlin_error *error) {
    static const struct {
        trial_kind kind;
        const char *title;
        void (*fill)(plot *p, const trial_results *results);
    } plots[] = {
        {TRIAL_CIRCLES, "Circles: agents in the 27 cells around an agent", fill_circles},
        {TRIAL_VICSEK, "Vicsek 1995, figure 2: order against noise, at density 4", fill_vicsek},
        {TRIAL_COUZIN, "Couzin 2002: swarm, torus, parallel flight", fill_couzin},
    };
    dunlin_result first = DUNLIN_OK;
    for (int i = 0; i < 3; i++) {
        plot p;
        dunlin_error own;
        const char *name = trial_kind_names[plots[i].kind];
        if (!has_any(results, plots[i].kind)) continue;
        dunlin_result result = plot_open(&p, folder, name, plots[i].title, subtitle, &own);
        if (result == DUNLIN_OK) {
            plots[i].fill(&p, results);
            result = plot_close(&p, &own);
        }
        if (result == DUNLIN_OK) plot_draw(folder, name);
        first = first_failure(first, error, result, &own);
    }
    return first;
}
