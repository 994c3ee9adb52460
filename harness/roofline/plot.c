/* SPDX-License-Identifier: MIT */
/* The roofline: operations per second over operations per byte, below the ceilings of arithmetic and of the memory. */
#include "harness/report/gnuplot.h"
#include "harness/report/numbers.h"
#include "harness/roofline/bounds.h"

#include <math.h>

#define NAME "roofline"

static const stage stages[] = {STAGE_INTERACT, STAGE_FRAME};
static const int points[] = {7, 6}; /* filled, hollow */
enum { POINTS = sizeof stages / sizeof *stages };

/* Billion adds and multiplies per second of all threads and all lanes, masked or not. */
static double peak(const row_bounds *b) {
    const double *rate = b->ceilings.per_second;
    const double best = fmax(fmax(rate[LOOP_ADD_MULTIPLY], rate[LOOP_ADD]), fmax(rate[LOOP_FMA], rate[LOOP_ADD_FMA]));
    return 1e-9 * best * b->counts.lanes * b->cores;
}

static double operations(const row_bounds *b, stage s) {
    const double *of = b->stages[s].instructions.of;
    return b->counts.lanes * (of[INSTRUCTION_ADD] + of[INSTRUCTION_MULTIPLY] + of[INSTRUCTION_FMA] + of[INSTRUCTION_DIVIDE] +
                              of[INSTRUCTION_ROOT]);
}

static double per_byte(const row_bounds *b, stage s) {
    return operations(b, s) / b->stages[s].bytes;
}

static double speed(const row_bounds *b, const frame_row *row, stage s) {
    return 1e-6 * operations(b, s) * row->workload.agents / row->ms[s];
}

/* GB/s. */
static double slope(const row_bounds *b) {
    return 1e-9 * fmax(b->bandwidth.per_second[BANDWIDTH_READ], b->bandwidth.per_second[BANDWIDTH_COPY]);
}

/* There is room for all points, and for the slope's label below the highest peak. */
static void set_axes(plot *p, const frame_row *rows, const row_bounds *bounds, int count) {
    const double shape = 0.67; /* height of the plot / its width, for the label along the slope */
    double left = 0.125, right = 64.0, low = HUGE_VAL, high = 0.0;
    for (int i = 0; i < count; i++) {
        right = fmax(right, 4.0 * per_byte(&bounds[i], STAGE_INTERACT));
        high = fmax(high, 2.0 * peak(&bounds[i]));
        low = fmin(low, 0.25 * speed(&bounds[i], &rows[i], STAGE_FRAME));
    }
    fprintf(p->file,
            "set rmargin 16\nset logscale xy\nset samples 1000\nset xrange [%.5g:%.5g]\nset yrange [%.5g:%.5g]\n"
            "set xlabel 'operations per byte'\nset ylabel 'billion operations per second'\nset key bottom right\n"
            "set label 'bytes of the flock, %.3g GB/s' at %.5g, %.5g rotate by %.0f offset 0.2, 1.0 font ',12' "
            "textcolor rgb '#555555'\n",
            left, right, low, high, slope(bounds), 1.15 * fmax(left, low / slope(bounds)),
            1.15 * fmax(left * slope(bounds), low), 57.3 * atan(shape * log(right / left) / log(high / low)));
    plot_curve(p, "x*%.5g<=%.5g ? x*%.5g : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle",
               slope(bounds), high / 2.0, slope(bounds));
}

/* A line at the peak of each kernel. Labels never stand closer than a line of text. */
static void add_peaks(plot *p, const frame_row *rows, const row_bounds *bounds, int count) {
    double at = 0.0;
    for (int i = 0; i < count && rows[i].workload.dimensions == rows->workload.dimensions; i++) {
        const char *colour = plot_colours[i % PLOT_COLOURS];
        at = fmax(peak(&bounds[i]), 1.35 * at);
        plot_curve(p, "%.5g with lines linewidth 1.5 linecolor rgb '%s' notitle", peak(&bounds[i]), colour);
        fprintf(p->file, "set label '%s: %.3g' at graph 1.01, first %.5g font ',12' textcolor rgb '%s'\n", rows[i].kernel,
                peak(&bounds[i]), at, colour);
    }
}

/* In the colour of the kernel's peak. Labels of consecutive kernels stand on different sides. */
static void add_point(plot *p, const frame_row *row, const row_bounds *b, int kernel, int point) {
    const stage s = stages[point];
    const char *colour = plot_colours[kernel % PLOT_COLOURS];
    fprintf(p->file, "$p%d_%d_%d << EOD\n%.5g %.5g %dD\nEOD\n", row->workload.dimensions, kernel, point, per_byte(b, s),
            speed(b, row, s), row->workload.dimensions);
    plot_curve(p,
               "$p%d_%d_%d with points pointtype %d pointsize 1.2 linecolor rgb '%s' notitle, '' using 1:2:3 with labels %s "
               "font ',11' textcolor rgb '%s' notitle",
               row->workload.dimensions, kernel, point, points[point], colour,
               kernel % 2 == 0 ? "left offset 0.8, 0" : "right offset -0.8, 0", colour);
}

/* "AMD EPYC 7B13, 1 000 000 agents, 20 neighbours, 1 thread, commit ed67577" */
static void write_subtitle(const machine *host, const frame_row *row, char *subtitle, size_t size) {
    char agents[NUMBER_LENGTH];
    number_group(row->workload.agents, agents);
    snprintf(subtitle, size, "%.60s, %s agents, %g neighbours, %d thread%s, commit %.40s", host->cpu, agents,
             row->workload.neighbours, row->threads, row->threads == 1 ? "" : "s", host->commit);
}

dunlin_result bounds_plot(const char *folder, const machine *host, const frame_row *rows, const row_bounds *bounds, int count,
                          dunlin_error *error) {
    plot p;
    char subtitle[256];
    int kernels = 0;
    while (kernels < count && rows[kernels].workload.dimensions == rows->workload.dimensions) kernels++;
    write_subtitle(host, rows, subtitle, sizeof subtitle);
    dunlin_result result =
        plot_open(&p, folder, NAME, "Roofline: adds, multiplies, divides, roots of all lanes", subtitle, error);
    if (result != DUNLIN_OK) return result;
    set_axes(&p, rows, bounds, count);
    add_peaks(&p, rows, bounds, count);
    for (int point = 0; point < POINTS; point++) {
        for (int i = 0; i < count; i++) add_point(&p, &rows[i], &bounds[i], i % kernels, point);
        plot_curve(&p, "1/0 with points pointtype %d pointsize 1.2 linecolor rgb '#333333' title '%s'", points[point],
                   frame_stage_name(stages[point]));
    }
    result = plot_close(&p, error);
    if (result == DUNLIN_OK) plot_draw(folder, NAME);
    return result;
}
