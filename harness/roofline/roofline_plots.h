/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_ROOFLINE_ROOFLINE_PLOTS_H
#define DUNLIN_HARNESS_ROOFLINE_ROOFLINE_PLOTS_H

#include "harness/roofline/roofline.h"

enum { ROOFLINE_PLOTS = 4 };

/*
 * Writes the gnuplot scripts plots/NAME.gp of all plots into the folder, except for what was not measured. `names` receives
 * their names, and NULL after the last.
 */
dunlin_result roofline_plots_write(const char *folder, const roofline *r, const char *names[ROOFLINE_PLOTS],
                                   dunlin_error *error);

#endif
