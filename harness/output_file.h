/* SPDX-License-Identifier: MIT */
/*
 * A file that appears only when it is whole. It is written under a temporary name beside its place and renamed at the end, so
 * that a wrong path fails before the first step and a broken run leaves nothing that looks finished. What is not a regular
 * file, such as /dev/stdout, is written directly.
 */
#ifndef DUNLIN_HARNESS_OUTPUT_FILE_H
#define DUNLIN_HARNESS_OUTPUT_FILE_H

#include <dunlin/dunlin.h>

typedef struct output_file {
    char *target;      /* NULL: closed, or never wanted */
    char *work_path;   /* where to write: beside the target, or the target itself where that is no regular file */
    bool is_temporary; /* work_path is to be renamed or removed */
} output_file;

/* Claims the place. With `path` NULL there is no file: finishing and dropping it then do nothing. */
dunlin_result output_file_open(output_file *file, const char *path, dunlin_error *error);

/* Puts the file in its place. The caller has written and closed `work_path`. */
dunlin_result output_file_finish(output_file *file, dunlin_error *error);

/* Removes what was written. Does nothing once the file is finished. */
void output_file_drop(output_file *file);

#endif
