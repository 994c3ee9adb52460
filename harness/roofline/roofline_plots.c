/* SPDX-License-Identifier: MIT */
#include "harness/report/gnuplot.h"
#include "harness/report/numbers.h"
#include "harness/roofline/roofline.h"

#include <math.h>

static const char *const kernel_colours[] = {"#555555", "#009e73", "#0072b2", "#d55e00", "#cc79a7", "#e69f00"};
enum { COLOURS = sizeof kernel_colours / sizeof *kernel_colours };

/* ---- the roofline ------------------------------------------------------------------------------------------------------ */

static const stage point_stages[] = {STAGE_INTERACT, STAGE_FRAME};
static const int point_types[] = {7, 6}; /* filled, hollow */
enum { POINTS = sizeof point_stages / sizeof *point_stages };

/* Billion floating-point operations per second of all threads and all lanes, masked or not. */
static double peak(const roofline_row *row) {
    return 1e-9 * model_ceiling(row->input.ceilings, RESOURCE_ADD_MULTIPLY) * row->input.counts.lanes * row->input.cores;
}

static double flops_per_agent(const roofline_row *row, stage s) {
    const double *of = row->stages[s].instructions.of;
    const double vectors =
        of[INSTRUCTION_ADD] + of[INSTRUCTION_MULTIPLY] + of[INSTRUCTION_FMA] + of[INSTRUCTION_DIVIDE] + of[INSTRUCTION_ROOT];
    return row->input.counts.lanes * vectors;
}

static double flops_per_byte(const roofline_row *row, stage s) {
    return flops_per_agent(row, s) / row->stages[s].bytes;
}

static double billion_flops_per_second(const roofline_row *row, stage s) {
    return 1e-9 * flops_per_agent(row, s) / roofline_achieved(row, s);
}

/* GB/s; 0: not measured. */
static double slope_of(const level_bandwidth *level) {
    return 1e-9 * fmax(level->kinds[BANDWIDTH_READ].best, level->kinds[BANDWIDTH_COPY].best);
}

/* The ranges of the axes. */
typedef struct extent {
    double left, right, low, high;
} extent;

enum { LABEL = 8 }; /* the axis of intensity is so many times longer where a slope's label ends than where it begins */

/* There is room for the label of every slope below the highest peak, and for every point. */
static extent find_extent(const roofline *r) {
    extent e = {.left = 0.125, .right = 64.0, .low = HUGE_VAL};
    for (const roofline_row *row = r->rows; row < r->rows + r->row_count; row++) {
        e.right = fmax(e.right, 4.0 * flops_per_byte(row, STAGE_INTERACT));
        e.high = fmax(e.high, 2.0 * peak(row));
        e.low = fmin(e.low, 0.25 * billion_flops_per_second(row, STAGE_FRAME));
    }
    for (int i = 0; i < r->level_count; i++) {
        const double slope = slope_of(&r->levels[i]);
        if (slope > 0.0) e.left = fmin(e.left, e.high / slope / (4 * LABEL));
    }
    return e;
}

/* The bandwidth of each level, up to the highest peak. The label of a slope that is close to the one before stands further
 * right. */
static void add_slopes(plot *p, const roofline *r, const extent *e) {
    double before = 0.0, at = 0.0;
    for (int i = 0; i < r->level_count; i++) {
        const double slope = slope_of(&r->levels[i]);
        if (slope <= 0.0) continue;
        const bool is_close = before > 0.0 && fabs(log(slope / before)) < log(2.0);
        at = is_close ? at * LABEL : 1.15 * fmax(e->left, e->low / slope);
        plot_curve(p, "x*%.5g<=%.5g ? x*%.5g : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle", slope,
                   e->high / 2.0, slope);
        fprintf(p->file,
                "set label '%s, %.4g GB/s' at %.5g, %.5g rotate by SLOPE offset 0.4, 0.9 font ',12' "
                "textcolor rgb '#555555'\n",
                r->levels[i].name, slope < 100.0 ? slope : round(slope), at, at * slope);
        before = slope;
    }
}

static const char *colour_of(const roofline *r, const roofline_row *row) {
    return kernel_colours[(row->input.ceilings - r->widths) % COLOURS];
}

/* A horizontal line per kernel: the ceiling of adds and multiplies together. Labels never stand closer than a line of text. */
static void add_peaks(plot *p, const roofline *r, const extent *e) {
    const double line = pow(e->high / e->low, 0.05);
    double at = 0.0;
    for (const roofline_row *row = r->rows; row < r->rows + r->row_count; row++) {
        if (row->input.dimensions != r->rows->input.dimensions) break;
        at = fmax(peak(row), at * line);
        plot_curve(p, "%.5g with lines linewidth 1.5 linecolor rgb '%s' notitle", peak(row), colour_of(r, row));
        fprintf(p->file, "set label '%s: %.3g' at graph 1.01, first %.5g font ',12' textcolor rgb '%s'\n", row->measured.kernel,
                peak(row), at, colour_of(r, row));
    }
}

/* In its kernel's colour, which is that of the kernel's peak. Labels of consecutive kernels stand on different sides. */
static void add_point(plot *p, const roofline *r, const roofline_row *row, int point) {
    const stage s = point_stages[point];
    const int number = (int)(row - r->rows);
    const char *colour = colour_of(r, row);
    fprintf(p->file, "$p%d_%d << EOD\n%.5g %.5g %dD\nEOD\n", number, point, flops_per_byte(row, s),
            billion_flops_per_second(row, s), row->input.dimensions);
    plot_curve(p,
               "$p%d_%d with points pointtype %d pointsize 1.2 linecolor rgb '%s' notitle, \\\n"
               "    $p%d_%d using 1:2:3 with labels %s font ',11' textcolor rgb '%s' notitle",
               number, point, point_types[point], colour, number, point,
               (row->input.ceilings - r->widths) % 2 == 0 ? "left offset 0.8, 0" : "right offset -0.8, 0", colour);
}

/* "AMD EPYC 7B13, 1 000 000 agents, 20 neighbours, 1 thread, commit ed67577" */
static void write_subtitle(const roofline *r, char *subtitle, size_t size) {
    char agents[NUMBER_LENGTH];
    number_group(r->plan.agents, agents);
    snprintf(subtitle, size, "%.60s, %s agents, %g neighbours, %d thread%s, commit %.40s", r->host.cpu, agents,
             r->plan.neighbours, r->plan.threads, r->plan.threads == 1 ? "" : "s", r->host.commit);
}

dunlin_result roofline_write_plot(const char *folder, const roofline *r, dunlin_error *error) {
    plot p;
    char subtitle[256];
    const extent e = find_extent(r);
    write_subtitle(r, subtitle, sizeof subtitle);
    dunlin_result result =
        plot_open(&p, folder, ROOFLINE_PLOT, "Roofline: adds, multiplies, divides, roots of all lanes", subtitle, error);
    if (result != DUNLIN_OK) return result;
    const double shape = 0.59; /* height of the plot / its width, for labels along slopes */
    fprintf(p.file,
            "SLOPE = %.0f\nset rmargin 14\nset logscale xy\nset samples 1000\nset xrange [%.5g:%.5g]\nset yrange [%.5g:%.5g]\n"
            "set xlabel 'operations per byte'\nset ylabel 'billion operations per second'\nset key bottom right\n",
            57.3 * atan(shape * log(e.right / e.left) / log(e.high / e.low)), e.left, e.right, e.low, e.high);
    add_slopes(&p, r, &e);
    add_peaks(&p, r, &e);
    for (int point = 0; point < POINTS; point++) {
        for (int i = 0; i < r->row_count; i++) add_point(&p, r, &r->rows[i], point);
        plot_curve(&p, "1/0 with points pointtype %d pointsize 1.2 linecolor rgb '#333333' title '%s'", point_types[point],
                   model_stage_name(point_stages[point]));
    }
    return plot_close(&p, error);
}
