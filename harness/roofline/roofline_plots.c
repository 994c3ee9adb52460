/* SPDX-License-Identifier: MIT */
#include "harness/roofline/roofline_plots.h"
#include "harness/report/numbers.h"
#include "harness/report/gnuplot.h"

#include <math.h>

static const char *const stage_colours[STAGES] = {
    [STAGE_SNAPSHOT] = "#56b4e9", [STAGE_INTERACT] = "#0072b2", [STAGE_FRAME] = "#d55e00"};
static const char *const kernel_colours[] = {"#555555", "#009e73", "#0072b2", "#d55e00", "#cc79a7", "#e69f00"};
enum { COLOURS = sizeof kernel_colours / sizeof *kernel_colours };

/* "AMD EPYC 7B13, 1 000 000 agents, 20 neighbours, 1 thread, commit ed67577" */
static void describe(const roofline *r, char *text, size_t size) {
    char agents[NUMBER_LENGTH];
    number_group(r->plan.agents, agents);
    snprintf(text, size, "%.60s, %s agents, %g neighbours, %d thread%s, commit %.40s", r->host.cpu, agents, r->plan.neighbours,
             r->plan.threads, r->plan.threads == 1 ? "" : "s", r->host.commit);
}

typedef struct roofline_plot {
    const roofline *r;
    plot script;
} roofline_plot;

static dunlin_result begin(roofline_plot *p, const char *folder, const char *name, const char *title, dunlin_error *error) {
    char subtitle[256];
    describe(p->r, subtitle, sizeof subtitle);
    return plot_open(&p->script, folder, name, title, subtitle, error);
}

/* ---- bars: how much of the bound is reached ---------------------------------------------------------------------------- */

static const stage bar_stages[] = {STAGE_SNAPSHOT, STAGE_INTERACT, STAGE_FRAME};
enum { BARS = sizeof bar_stages / sizeof *bar_stages };

static void write_bar_data(const roofline_plot *p, int bar) {
    FILE *file = p->script.file;
    fprintf(file, "$bar%d << EOD\n# place percent\n", bar);
    for (int i = 0; i < p->r->row_count; i++) {
        const double share = 100.0 * roofline_share(&p->r->rows[i], bar_stages[bar]);
        if (share > 0.0) fprintf(file, "%g %.4g \"%.0f\"\n", i + 0.27 * (bar - 1), share, share);
    }
    fputs("EOD\n", file);
}

static bool has_bars(const roofline *r) {
    for (int i = 0; i < r->row_count; i++) {
        for (int bar = 0; bar < BARS; bar++) {
            if (roofline_share(&r->rows[i], bar_stages[bar]) > 0.0) return true;
        }
    }
    return false;
}

static void write_bar_axes(const roofline_plot *p) {
    FILE *file = p->script.file;
    fputs("set style fill solid noborder\nset boxwidth 0.25\nset yrange [0:100<*]\n"
          "set ylabel 'reached of the measured bound (%)'\nset offsets 0, 0, graph 0.12, 0\n"
          "set key top left horizontal\nset xtics scale 0 (",
          file);
    for (int i = 0; i < p->r->row_count; i++) {
        const frame_row *row = &p->r->rows[i].measured;
        fprintf(file, "%s\"%s\\n%dD\" %d", i > 0 ? ", " : "", row->kernel, row->workload.dimensions, i);
    }
    fprintf(file, ")\nset bmargin 3.5\nset xrange [-0.6:%g]\n", p->r->row_count - 0.4);
}

static dunlin_result plot_bars(const char *folder, const roofline *r, dunlin_error *error) {
    roofline_plot p = {.r = r};
    dunlin_result result = begin(&p, folder, "reached", "How much of its bound each kernel reaches", error);
    if (result != DUNLIN_OK) return result;
    for (int bar = 0; bar < BARS; bar++) write_bar_data(&p, bar);
    write_bar_axes(&p);
    for (int bar = 0; bar < BARS; bar++) {
        plot_curve(&p.script,
                   "$bar%d using 1:2 with boxes fillcolor rgb '%s' title '%s', \\\n"
                   "    $bar%d using 1:2:3 with labels offset 0, 0.6 font ',12' notitle",
                   bar, stage_colours[bar_stages[bar]], model_stage_name(bar_stages[bar]), bar);
    }
    return plot_close(&p.script, error);
}

/* ---- the roofline ------------------------------------------------------------------------------------------------------ */

/* Billion floating-point operations per second of all threads and all lanes, masked or not. */
static double peak(const roofline_row *row, int cores) {
    return 1e-9 * model_ceiling(row->ceilings, RESOURCE_ADD_MULTIPLY) * row->counts.lanes * cores;
}

static double flops_per_agent(const roofline_row *row, stage s) {
    const instruction_counts *n = &row->bounds.stages[s].instructions;
    const double adds = n->of[INSTRUCTION_ADD] + n->of[INSTRUCTION_MULTIPLY] + n->of[INSTRUCTION_FMA];
    return row->counts.lanes * (adds + n->of[INSTRUCTION_DIVIDE] + n->of[INSTRUCTION_ROOT]);
}

static const level_bandwidth *flying_levels(const roofline *r) {
    for (int t = 0; t < r->team_count; t++) {
        if (r->team_threads[t] == r->plan.threads) return r->levels[t];
    }
    return r->levels[0];
}

/* The ranges of the axes. */
typedef struct extent {
    double left, right, low, high;
} extent;

static extent find_extent(const roofline *r, int cores) {
    extent e = {.left = 0.125, .right = 64.0, .low = HUGE_VAL};
    for (int i = 0; i < r->row_count; i++) {
        const roofline_row *row = &r->rows[i];
        const double intensity = flops_per_agent(row, STAGE_INTERACT) / row->bounds.stages[STAGE_INTERACT].bytes;
        e.right = fmax(e.right, 4.0 * intensity);
        e.high = fmax(e.high, 2.0 * peak(row, cores));
        e.low = fmin(e.low, 0.25e-9 * flops_per_agent(row, STAGE_FRAME) / roofline_achieved(row, STAGE_FRAME));
    }
    return e;
}

/* Slopes: the bandwidth of each level, up to the maximum peak. */
static void add_slopes(roofline_plot *p, const extent *e) {
    const level_bandwidth *levels = flying_levels(p->r);
    for (int i = 0; i < p->r->level_count; i++) {
        const double bandwidth = 1e-9 * fmax(levels[i].kinds[BANDWIDTH_READ].best, levels[i].kinds[BANDWIDTH_COPY].best);
        if (bandwidth <= 0.0) continue;
        char name[16];
        bandwidth_level_name(levels[i].level, name);
        const double top = e->high / 2.0, at = fmax(e->left, e->low / bandwidth) * 1.15;
        plot_curve(&p->script,
                   "x*%.5g<=%.5g ? x*%.5g : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle", bandwidth,
                   top, bandwidth);
        fprintf(p->script.file,
                "set label '%s, %.3g GB/s' at %.5g, %.5g rotate by SLOPE offset 0.4, 0.9 font ',12' "
                "textcolor rgb '#555555'\n",
                name, bandwidth, at, at * bandwidth);
    }
}

static int kernel_number(const roofline *r, const roofline_row *row) {
    for (int i = 0; i < r->plan.kernel_count; i++) {
        if (row->ceilings->kernel == r->plan.kernels[i]) return i;
    }
    return 0;
}

/* A horizontal line per width: the ceiling of adds and multiplies together. */
static void add_peaks(roofline_plot *p, int cores) {
    for (int i = 0; i < p->r->row_count; i++) {
        const roofline_row *row = &p->r->rows[i];
        if (row->measured.workload.dimensions != p->r->rows[0].measured.workload.dimensions) break;
        const char *colour = kernel_colours[kernel_number(p->r, row) % COLOURS];
        plot_curve(&p->script, "%.5g with lines linewidth 1.5 linecolor rgb '%s' notitle", peak(row, cores), colour);
        fprintf(p->script.file, "set label '%s: %.3g' at graph 1.01, first %.5g font ',12' textcolor rgb '%s'\n",
                row->measured.kernel, peak(row, cores), peak(row, cores), colour);
    }
}

/* Interacting is filled, the frame hollow. */
static int point_type(stage s) {
    return s == STAGE_INTERACT ? 7 : 6;
}

/* In its kernel's colour, the same as the kernel's peak. */
static void add_point(roofline_plot *p, int number, const roofline_row *row, stage s) {
    const double flops = flops_per_agent(row, s), intensity = flops / row->bounds.stages[s].bytes;
    const double rate = 1e-9 * flops / roofline_achieved(row, s);
    const char *colour = kernel_colours[kernel_number(p->r, row) % COLOURS];
    fprintf(p->script.file, "$p%d_%d << EOD\n%.5g %.5g %dD\nEOD\n", number, s, intensity, rate,
            row->measured.workload.dimensions);
    plot_curve(&p->script,
               "$p%d_%d with points pointtype %d pointsize 1.2 linecolor rgb '%s' notitle, \\\n"
               "    $p%d_%d using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '%s' notitle",
               number, s, point_type(s), colour, number, s, colour);
}

/* Curves without points, for the key alone. */
static void add_key(roofline_plot *p, stage s) {
    plot_curve(&p->script, "1/0 with points pointtype %d pointsize 1.2 linecolor rgb '#333333' title '%s'", point_type(s),
               model_stage_name(s));
}

static dunlin_result plot_roofline(const char *folder, const roofline *r, dunlin_error *error) {
    roofline_plot p = {.r = r};
    const int cores = r->host.cores > 0 && r->plan.threads > r->host.cores ? r->host.cores : r->plan.threads;
    const extent e = find_extent(r, cores);
    dunlin_result result = begin(&p, folder, "roofline", "Roofline: adds, multiplies, divides, roots of all lanes", error);
    if (result != DUNLIN_OK) return result;
    /* How steep bandwidths are, for the labels along their lines. */
    const double page = 0.59; /* height of the plot over its width */
    fprintf(p.script.file, "SLOPE = %.0f\n", 57.3 * atan(page * log(e.right / e.left) / log(e.high / e.low)));
    fprintf(p.script.file,
            "set rmargin 14\nset logscale xy\nset samples 1000\nset xrange [%.5g:%.5g]\nset yrange [%.5g:%.5g]\n"
            "set xlabel 'operations per byte'\n"
            "set ylabel 'billion operations per second'\nset key bottom left\n",
            e.left, e.right, e.low, e.high);
    add_slopes(&p, &e);
    add_peaks(&p, cores);
    for (int i = 0; i < r->row_count; i++) {
        add_point(&p, i, &r->rows[i], STAGE_INTERACT);
        add_point(&p, i, &r->rows[i], STAGE_FRAME);
    }
    add_key(&p, STAGE_INTERACT);
    add_key(&p, STAGE_FRAME);
    return plot_close(&p.script, error);
}

dunlin_result roofline_plots_write(const char *folder, const roofline *r, const char *names[ROOFLINE_PLOTS],
                                   dunlin_error *error) {
    int count = 0;
    dunlin_result result = DUNLIN_OK;
    if (has_bars(r)) {
        result = plot_bars(folder, r, error);
        names[count++] = "reached";
    }
    if (result == DUNLIN_OK && r->row_count > 0) {
        result = plot_roofline(folder, r, error);
        names[count++] = "roofline";
    }
    names[count] = NULL;
    return result;
}
