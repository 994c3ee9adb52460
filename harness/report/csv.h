/* SPDX-License-Identifier: MIT */
/* CSV as RFC 4180 has it, and files to which runs append rows. */
#ifndef DUNLIN_HARNESS_CSV_H
#define DUNLIN_HARNESS_CSV_H

#include "harness/report/output_file.h"

#include <stdint.h>

/* The fields of a row, in order. The file's error flag shows what cannot be written. */
void csv_text(FILE *file, const char *text);     /* in quotes where it must be */
void csv_number(FILE *file, double value);       /* nine digits; NAN: an empty field */
void csv_exact_number(FILE *file, double value); /* all digits; likewise */
void csv_count(FILE *file, uint64_t value);
void csv_end_row(FILE *file);

/* The field of a line that begins at *at, ended and without quotes; *at is then where the next one begins, or NULL. */
char *csv_next(char **at);

/* Reads a field; an empty one is NAN. false: it is no number. */
bool csv_read_number(const char *text, double *value);

/* An error where rows with this header line cannot be appended to the file: to be asked before anything takes time. Makes no
 * file. `path` "-" is standard output. */
dunlin_result csv_check(const char *path, const char *header, dunlin_error *error);

/* Opens the file to append rows, after the header line where it is new or empty. They appear once output_file_finish() puts the
 * file in its place: all of them, or none. */
dunlin_result csv_open(output_file *file, const char *path, const char *header, dunlin_error *error);

#endif
