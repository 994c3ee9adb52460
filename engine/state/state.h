/* SPDX-License-Identifier: MIT */
/*
 * State files. A state file is a table in CSV below a preamble. The preamble's lines begin with
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
 * needed. Numbers are written and read in the C locale (engine/base/c_locale.h). Nine significant digits give a
 * binary32 back bit for bit, and seventeen a binary64.
 */
#ifndef DUNLIN_ENGINE_STATE_H
#define DUNLIN_ENGINE_STATE_H

#include <stdio.h>

#include "engine/world/world.h"

#define DUN_STATE_FIRST_LINE "# dunlin state 1"

enum {
    DUN_STATE_MAX_LINE = 1 << 16,  /* bytes; a header with every attribute name that fits in a world is half as long */
    DUN_STATE_MAX_BLANKS = 1 << 20 /* blank lines; a stream of blank lines may never end */
};

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

/* ---- the preamble: what the next step reads beside the agents and the world's definitions ------------------------------ */

/* Where a moving target was, and when. */
typedef struct dun_state_target {
    bool given;
    float position[3];
    double since;
} dun_state_target;

typedef struct dun_preamble {
    bool there;
    uint64_t seed, step, next_id, spent_ids, agents; /* 0: not given */
    double time;                                     /* below 0: not given, so it is steps times the time step */
    dun_state_target *targets;                       /* [the world's behaviours]; dun_free() it */
} dun_preamble;

void dun_preamble_write(const dunlin_world *world, FILE *file);

/*
 * Reads the preamble, if there is one. Afterwards the present line is the table's header. `world`: the world that the state
 * must fit; NULL: any.
 */
dunlin_result dun_preamble_read(dun_preamble *preamble, const dunlin_world *world, dun_lines *lines);

/* Sets the world's step, time and moving targets. */
void dun_preamble_apply(const dun_preamble *preamble, dunlin_world *world);

/* ---- the columns of the table ------------------------------------------------------------------------------------------ */

enum {
    DUN_COLUMN_ID,
    DUN_COLUMN_SPECIES,
    DUN_COLUMN_NUMBERS, /* the first of positions and velocities; after them come attributes */
    DUN_MAX_STATE_COLUMNS = DUN_COLUMN_NUMBERS + 6 + DUNLIN_MAX_SPECIES * DUNLIN_MAX_ATTRIBUTES
};

typedef struct dun_state_columns {
    int count, first_attribute;
    const char *name[DUN_MAX_STATE_COLUMNS]; /* of attributes: the names of all species' attributes, each once */
} dun_state_columns;

dun_state_columns dun_state_columns_of(const dunlin_world *world);

/* Which of a species' values such a column holds: 0 .. 2·dimensions - 1, then its attributes. -1: it has no such attribute. */
int dun_state_value_of(const dunlin_world *world, const dun_state_columns *columns, int column, int species);

/* dunlin_world_load() from memory, for tests and fuzzers; `name` stands for the path in messages. */
dunlin_result dun_state_read(dunlin_world *world, const char *name, const char *text, size_t length, dunlin_error *error);

#endif
