/* SPDX-License-Identifier: MIT */
/*
 * Where commands write.
 *
 * A file that appears only when it is whole (engine/base/replace_file.h): a wrong path fails before the first step, and an
 * interrupted run leaves the old file. Anything but a regular file, such as a pipe, is written directly.
 */
#ifndef DUNLIN_HARNESS_OUTPUT_FILE_H
#define DUNLIN_HARNESS_OUTPUT_FILE_H

#include "engine/base/replace_file.h"

#include <dunlin/dunlin.h>

#include <stdint.h>
#include <stdio.h>

typedef struct output_file {
    FILE *stream;     /* to write to; do not close it; NULL: not open, or not wanted */
    const char *path; /* what messages call it */
    dun_replacement replacement;
    bool is_new; /* output_file_open_in_place() has made it, and nothing has been written to it */
} output_file;

/* Begins the file; "-" and "/dev/stdout" are standard output. `path` must outlive the file, which must not be moved. If `path`
 * is NULL there is no file, and finishing and dropping it do nothing. A command claims its files first: claim.h. */
dunlin_result output_file_open(output_file *file, const char *path, dunlin_error *error);

/*
 * Opens a regular file that is written in place, so that a run that is killed leaves what it has written. What is in it stays
 * until output_file_cut(). `kept`: how many bytes of it, a whole number of lines, will be kept: there must be so many.
 */
dunlin_result output_file_open_in_place(output_file *file, const char *path, uint64_t kept, dunlin_error *error);

/* Cuts such a file off after so many bytes, and continues there. */
dunlin_result output_file_cut(output_file *file, uint64_t kept, dunlin_error *error);

/* Makes everything that was written to such a file safe on the disk, and returns its length. */
dunlin_result output_file_sync(output_file *file, uint64_t *length, dunlin_error *error);

/* Lets other processes write it, too: gives it a name that it has until it is finished, replacement.temporary. */
dunlin_result output_file_show(output_file *file, dunlin_error *error);

/* The file's descriptor, which fileno() does not always know. */
int output_file_descriptor(const output_file *file);

/* Whether that path, which may be NULL, is standard output. */
bool output_file_is_stdout(const char *path);

/* An error if something could not be written so far: a full disk is noticed now, not after another hour of steps. */
dunlin_result output_file_check(const output_file *file, dunlin_error *error);

/* Puts the file in place. */
dunlin_result output_file_finish(output_file *file, dunlin_error *error);

/* Removes what was written; does nothing once the file is finished. */
void output_file_drop(output_file *file);

/* For a signal handler that ends the program: removes all temporary files from the disk. */
void output_file_remove_all(void);

#define REPORT_NAME "report.md"
#define PLOTS_NAME  "plots"

/*
 * Makes the folder, the folders above it, and one for plots inside. If `path` is NULL the folder is named after the time. It is
 * an error if that fails, or if the folder holds something: hours of measurements are not overwritten. Always free() *folder.
 */
dunlin_result output_folder_make(const char *path, char **folder, dunlin_error *error);

/* The same, but the folder may hold something from which a run continues. */
dunlin_result output_folder_keep(const char *path, dunlin_error *error);

/* A folder that appears only when it is whole. */
typedef struct output_folder {
    char *path;      /* where it will be */
    char *temporary; /* where it is made: put files there. NULL: not open */
} output_folder;

/* It is an error if something other than an empty folder is there. output_folder_drop() it in any case. */
dunlin_result output_folder_open(output_folder *folder, const char *path, dunlin_error *error);

/* Puts the folder in place. */
dunlin_result output_folder_finish(output_folder *folder, dunlin_error *error);

/* Removes what was made; does nothing but free memory once the folder is finished. */
void output_folder_drop(output_folder *folder);

/* "FOLDER/NAME"; NULL: out of memory. free() it. */
__attribute__((format(printf, 2, 3))) char *output_folder_path(const char *folder, const char *format, ...);

/* What follows the last slash: a part of `path`. */
const char *path_name(const char *path);

/* How many bytes of `path` come before its ending: 8 of "data/run.h5". A name may begin with a dot, which begins no ending. */
int path_length_before_ending(const char *path);

#endif
