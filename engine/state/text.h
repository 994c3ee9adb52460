/* SPDX-License-Identifier: MIT */
/*
 * The text of state files: lines and numbers. A state file is a table in CSV below a preamble. The preamble's lines begin with
 * "# " and hold what the next step reads beside the agents:
 *
 *     # dunlin state 1
 *     # seed 42
 *     # step 37
 *     # agents 2
 *     id,species,x,y,vx,vy
 *     0,boids,1,2,0,0
 *     1,boids,3,4,0,0
 *
 * `# agents` gives the number of rows, and every line ends with a line feed, so a reader detects a file that was cut short
 * anywhere. A table without a preamble holds agents only.
 *
 * The table holds numbers and species names without commas or quotes, so splitting a line at its commas is all the CSV that is
 * needed. Numbers are written and read in the C locale, whatever the program's locale is. Nine significant digits give a
 * binary32 back bit for bit, and seventeen a binary64.
 */
#ifndef DUNLIN_ENGINE_STATE_TEXT_H
#define DUNLIN_ENGINE_STATE_TEXT_H

#include <locale.h>
#include <stdio.h>

#include <dunlin/dunlin.h>

#define DUN_STATE_FIRST_LINE "# dunlin state 1"

enum {
    DUN_STATE_MAX_LINE = 1 << 16,  /* bytes; a header with every attribute name that fits in a world is half as long */
    DUN_STATE_MAX_BLANKS = 1 << 20 /* blank lines; a stream of blank lines may never end */
};

/* The calling thread's locale is C between these two calls. false: out of memory. */
bool dun_c_locale_enter(locale_t *c, locale_t *before);
void dun_c_locale_leave(locale_t before, locale_t c);

/* Parses a whole number of 64 bits and nothing else. */
bool dun_parse_whole(const char *text, unsigned long long *value);

/* Parse a finite decimal number and nothing else: no blanks, no hexadecimal digits. */
bool dun_parse_float(const char *text, float *value);
bool dun_parse_double(const char *text, double *value);

/* A file that is read line by line. */
typedef struct dun_lines {
    FILE *file;
    const char *name; /* the file's, for messages */
    dunlin_error *error;
    unsigned long number, blanks;      /* lines read so far, and how many of them are blank */
    bool ended;                        /* the present line ends with a line feed, … */
    char text[DUN_STATE_MAX_LINE + 1]; /* … which is not part of its text */
} dun_lines;

/* Reads the next line that is not blank; *found: there is one. */
dunlin_result dun_lines_next(dun_lines *lines, bool *found);

/* Reports a mistake in the present line: "state.csv:3: id '-1': it must be …" */
dunlin_result dun_lines_fail(const dun_lines *lines, const char *what, const char *value, const char *allowed);

/* Reports that the present line does not end with a line feed. */
dunlin_result dun_lines_fail_cut(const dun_lines *lines);

#endif
