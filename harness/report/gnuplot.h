/* SPDX-License-Identifier: MIT */
/* Plots are gnuplot scripts that hold their own data, so that anyone can change one and draw it again. */
#ifndef DUNLIN_HARNESS_GNUPLOT_H
#define DUNLIN_HARNESS_GNUPLOT_H

#include "harness/report/output_file.h"

/* Okabe and Ito's colours, which colour-blind people can distinguish. */
enum { PLOT_COLOURS = 5 };
extern const char *const plot_colours[PLOT_COLOURS];

enum { PLOT_NAME = 160 }; /* bytes, with the terminator */

/* A script being written: plots/NAME.gp, which draws NAME.svg and NAME.png beside itself. */
typedef struct plot {
    FILE *file; /* for data and settings */
    char name[PLOT_NAME];

    /* for plot_curve() and plot_close() */
    FILE *curves;
    char *curve_text;
    size_t curve_length;
    int curve_count;
    char *path;
    output_file output;
} plot;

/* Begins with what all plots share, the title and the subtitle. */
dunlin_result plot_open(plot *p, const char *folder, const char *name, const char *title, const char *subtitle,
                        dunlin_error *error);

/* Writes a text as gnuplot takes one. */
void plot_quote(FILE *file, const char *text);

/* Makes an axis, 'x' or 'y', logarithmic, with tics at 1, 2, 5, 10, 20, … unless its ends' ratio is above `most`. */
void plot_log_axis(FILE *file, char axis, double low, double high, double most);

/* Adds a curve: an argument of gnuplot's plot command. */
__attribute__((format(printf, 2, 3))) void plot_curve(plot *p, const char *format, ...);

/* Ends the script with the curves, drawn once per format. */
dunlin_result plot_close(plot *p, dunlin_error *error);

/* Has gnuplot run plots/NAME.gp. false: it is missing, failed, or left no pictures, and standard error says so. */
bool plot_draw(const char *folder, const char *name);

/* Has gnuplot run a script that prints a picture, and copies that to the stream. The picture ends with the letters `end`. */
dunlin_result plot_print(const char *script, size_t length, const char *end, FILE *to, dunlin_error *error);

#endif
