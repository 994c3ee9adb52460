/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCALE_OUTPUT_FOLDER_H
#define DUNLIN_HARNESS_SCALE_OUTPUT_FOLDER_H

#include <dunlin/dunlin.h>

#include <stdio.h>

#define REPORT_NAME "report.md"
#define PLOTS_NAME  "plots"

/*
 * Makes the folder, with the folders above it and one for plots inside. `path` NULL: a new one named after the time. An error
 * where that fails, and where it holds something: hours of somebody's measuring are not overwritten. free() *folder, whatever
 * the result.
 */
dunlin_result output_folder_make(const char *path, char **folder, dunlin_error *error);

/* The same where it may be there already, for a run to go on from what it holds. */
dunlin_result output_folder_keep(const char *path, dunlin_error *error);

/* "FOLDER/NAME"; NULL: out of memory. free() it. */
__attribute__((format(printf, 2, 3))) char *output_folder_path(const char *folder, const char *format, ...);

#endif
