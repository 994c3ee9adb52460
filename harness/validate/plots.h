/* SPDX-License-Identifier: MIT */
/* The plots of the trials. */
#ifndef DUNLIN_HARNESS_VALIDATE_PLOTS_H
#define DUNLIN_HARNESS_VALIDATE_PLOTS_H

#include "harness/validate/results.h"

/*
 * Writes FOLDER/plots/KIND.gp for the measured trials of circles, vicsek and couzin, and has gnuplot draw them. `subtitle`
 * names the program that measured them.
 */
dunlin_result plots_draw(const char *folder, const trial_results *results, const char *subtitle, dunlin_error *error);

#endif
