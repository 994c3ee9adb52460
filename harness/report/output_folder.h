/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCALE_OUTPUT_FOLDER_H
#define DUNLIN_HARNESS_SCALE_OUTPUT_FOLDER_H

#include <dunlin/dunlin.h>

#include <stdio.h>

#define REPORT_NAME "report.md"
#define PLOTS_NAME  "plots"

/*
 * Makes the folder, the folders above it, and one for plots inside. If `path` is NULL the folder is named after the time. It is
 * an error if that fails, or if the folder holds something: hours of measurements are not overwritten. Always free() *folder.
 */
dunlin_result output_folder_make(const char *path, char **folder, dunlin_error *error);

/* The same, but the folder may hold something from which a run continues. */
dunlin_result output_folder_keep(const char *path, dunlin_error *error);

/* "FOLDER/NAME"; NULL: out of memory. free() it. */
__attribute__((format(printf, 2, 3))) char *output_folder_path(const char *folder, const char *format, ...);

#endif
