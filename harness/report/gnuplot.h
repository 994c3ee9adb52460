/* SPDX-License-Identifier: MIT */
/* Plots are gnuplot scripts that hold their own data, so that whoever wants them otherwise can draw them anew. */
#ifndef DUNLIN_HARNESS_SCALE_GNUPLOT_H
#define DUNLIN_HARNESS_SCALE_GNUPLOT_H

#include "harness/report/output_file.h"

/* A script being written: plots/NAME.gp, which draws NAME.svg and NAME.png beside itself. */
typedef struct gnuplot_script {
    FILE *file;
    const char *name;
    char *path;
    output_file output;
} gnuplot_script;

/* Begins with what all plots have in common, title and subtitle. */
dunlin_result gnuplot_open(gnuplot_script *script, const char *folder, const char *name, const char *title,
                           const char *subtitle, dunlin_error *error);

/* A string of the script, quotes around it. */
void gnuplot_quote(FILE *file, const char *text);

/* Ends it with `plot` and what is drawn, twice: once a format. The string is the plot command's arguments. */
dunlin_result gnuplot_close(gnuplot_script *script, const char *plot, dunlin_error *error);

/* Whether there is a gnuplot to be run. */
bool gnuplot_is_there(void);

/* Runs plots/NAME.gp. false: gnuplot failed, or left no pictures. What it had to say stands on stderr. */
bool gnuplot_run(const char *folder, const char *name);

#endif
