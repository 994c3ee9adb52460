/* SPDX-License-Identifier: MIT */
/* What the trials look like. */
#ifndef DUNLIN_HARNESS_VALIDATE_PLOTS_H
#define DUNLIN_HARNESS_VALIDATE_PLOTS_H

#include "harness/validate/results.h"

/*
 * Writes FOLDER/plots/KIND.gp of what was measured of circles, vicsek and couzin, and has gnuplot draw them; where there is no
 * gnuplot says so. `subtitle` says by which program it was measured.
 */
dunlin_result plots_draw(const char *folder, const trial_results *results, const char *subtitle, dunlin_error *error);

#endif
