/* SPDX-License-Identifier: MIT */
/* What other programs read, made from trajectories. Each format is a file, export_NAME.c, and a row of the table in export.c.
 */
#ifndef DUNLIN_HARNESS_EXPORT_H
#define DUNLIN_HARNESS_EXPORT_H

#include "harness/report/output_file.h"
#include "harness/trajectory/reader.h"

/* What is being written. */
typedef struct exporter {
    const trajectory_info *info;
    output_file file;   /* to write to, ... */
    const char *folder; /* ... or where to make files */
    void *state;        /* the format's own, zero at first; what it points to, drop frees */
} exporter;

typedef struct export_format {
    const char *name;   /* as the command line has it */
    const char *ending; /* of its files */
    bool is_binary;     /* not for a pipe: it is not written from its beginning to its end */
    bool is_folder;     /* of one file per frame, and one that lists them */
    size_t bytes;       /* of the state */
    dunlin_result (*begin)(exporter *e, dunlin_error *error);
    /* A frame; or, of text, what stands before its rows (NULL: nothing), and a line per agent. */
    dunlin_result (*add)(exporter *e, const trajectory_frame *frame, dunlin_error *error);
    void (*head)(const exporter *e, const trajectory_frame *frame);
    void (*row)(const exporter *e, const trajectory_frame *frame, uint32_t row);
    dunlin_result (*end)(exporter *e, dunlin_error *error);
    void (*drop)(exporter *e);
} export_format;

extern const export_format export_csv, export_xyz, export_lammps, export_gsd, export_vtkhdf;

/* The formats by position; NULL after the last. */
const export_format *export_format_at(int position);
const export_format *export_format_find(const char *name);

/* Adds a frame. A full disk is an error. */
dunlin_result export_add(const export_format *format, exporter *e, const trajectory_frame *frame, dunlin_error *error);

/* There is no memory for exporting a frame. */
dunlin_result export_fail_memory(dunlin_error *error);

enum { EXPORT_WORD = 64 };

/* The name with _ for what would end a word, a column's name or a step of a path: blanks, colons, slashes. Returns `word`. */
const char *export_word(const char *name, char word[EXPORT_WORD]);

#endif
