/* SPDX-License-Identifier: MIT */
/* The results on the terminal, as a Markdown report with plots, as JSON and as CSV. */
#ifndef DUNLIN_HARNESS_ROOFLINE_ROOFLINE_REPORT_H
#define DUNLIN_HARNESS_ROOFLINE_ROOFLINE_REPORT_H

#include "harness/report/output_file.h"
#include "harness/roofline/roofline.h"

#include <stdio.h>

/* The machine, ceilings, counts and bounds, each with a line of explanation. */
void roofline_print(FILE *file, const roofline *r);

/* The same in Markdown, with the picture plots/NAME.svg of each name; NULL ends the list. */
void roofline_print_markdown(FILE *file, const roofline *r, const char *const *plots);

/* Everything as one document, as json_write() does. */
dunlin_result roofline_write_json(output_file *file, const roofline *r, dunlin_error *error);

/* Bounds and what was reached: a row per kernel, dimensions and stage. The check comes before measuring. */
dunlin_result roofline_check_csv(const char *path, dunlin_error *error);
dunlin_result roofline_append_csv(const char *path, const roofline *r, dunlin_error *error);

/* Writes the gnuplot scripts plots/NAME.gp into the folder. `names` receives their names, and NULL after the last. */
enum { ROOFLINE_PLOTS = 2 };
dunlin_result roofline_write_plots(const char *folder, const roofline *r, const char *names[ROOFLINE_PLOTS + 1],
                                   dunlin_error *error);

#endif
