/* SPDX-License-Identifier: MIT */
/*
 * State files: what writing and reading them share. A state is a table in CSV below a preamble, whose lines begin with "# " and
 * carry what the next step reads beside the agents:
 *
 *     # dunlin state 1
 *     # seed 42
 *     # step 37
 *     # agents 2
 *     id,species,x,y,vx,vy
 *     0,boids,1,2,0,0
 *     1,boids,3,4,0,0
 *
 * The number of rows is known from `# agents`, and each line has an end, so that a file that was cut anywhere is recognized. A
 * table without a preamble holds agents alone.
 *
 * The table is numbers and species names without commas or quotes, so a line is split at its commas and that is all the CSV
 * there is. Numbers are written and read in the C locale whatever the program's is, and nine significant digits give a binary32
 * back bit for bit, seventeen a binary64.
 */
#ifndef DUNLIN_ENGINE_STATE_FILE_H
#define DUNLIN_ENGINE_STATE_FILE_H

#include <locale.h>
#include <stdio.h>

#include "engine/world/world.h"

#define DUN_STATE_FIRST_LINE "# dunlin state 1"

enum {
    DUN_STATE_MOST_NAMES = DUNLIN_MAX_SPECIES * DUNLIN_MAX_ATTRIBUTES,
    DUN_STATE_LINE = 1 << 16,  /* bytes, at most: a header of so many names of attributes is half as long */
    DUN_STATE_BLANKS = 1 << 20 /* blank lines, at most: a stream of nothing else may have no end */
};

/* The names of all species' attributes, each once: columns. */
typedef struct dun_attribute_names {
    int count;
    const char *name[DUN_STATE_MOST_NAMES];
} dun_attribute_names;

/* ---- state_text.c ----------------------------------------------------------------------------------------------------- */

void dun_attribute_names_list(const dunlin_world *world, dun_attribute_names *names);

/* The calling thread's locale is C between these two. false: no memory. */
bool dun_c_locale_enter(locale_t *c, locale_t *before);
void dun_c_locale_leave(locale_t before, locale_t c);

/* A whole number of 64 bits and nothing else. */
bool dun_parse_whole(const char *text, unsigned long long *value);

/* A finite decimal number and nothing else: no blanks, no hexadecimal digits. */
bool dun_parse_float(const char *text, float *value);
bool dun_parse_double(const char *text, double *value);

/* A file that is read line by line. */
typedef struct dun_lines {
    FILE *file;
    const char *name; /* of the file, for messages */
    dunlin_error *error;
    unsigned long number, blanks;  /* lines read so far, and blank ones of them */
    bool ended;                    /* the present line has an end, … */
    char text[DUN_STATE_LINE + 1]; /* … which is not in its text */
} dun_lines;

/* Reads the next line that is not blank; *found: there is one. */
dunlin_result dun_lines_next(dun_lines *lines, bool *found);

/* Something is wrong with the present line: "state.csv:3: id '-1': it must be …" */
dunlin_result dun_lines_fail(const dun_lines *lines, const char *what, const char *value, const char *allowed);

/* The present line has no end. */
dunlin_result dun_lines_fail_cut(const dun_lines *lines);

/* ---- state_preamble.c ------------------------------------------------------------------------------------------------- */

typedef enum dun_state_key {
    DUN_STATE_SEED = 0,
    DUN_STATE_STEP,
    DUN_STATE_NEXT_ID,
    DUN_STATE_SPENT_IDS,
    DUN_STATE_AGENTS,
    DUN_STATE_WHOLES /* so many whole numbers */
} dun_state_key;

/* Where a target that moves was, and when. */
typedef struct dun_state_target {
    bool given;
    float position[3];
    double since;
} dun_state_target;

typedef struct dun_preamble {
    bool there;
    bool given[DUN_STATE_WHOLES];
    uint64_t whole[DUN_STATE_WHOLES]; /* by dun_state_key; 0 where it is not given */
    bool has_time;
    double time;
    dun_state_target *targets; /* [the world's behaviours]; free() it */
} dun_preamble;

void dun_preamble_write(const dunlin_world *world, FILE *file);

/*
 * Reads the preamble, if there is one, up to the table's header, which is then the present line. The world is the one that the
 * state must fit; NULL: any.
 */
dunlin_result dun_preamble_read(dun_preamble *preamble, const dunlin_world *world, dun_lines *lines);

/* The world goes on from there. */
void dun_preamble_apply(const dun_preamble *preamble, dunlin_world *world);

#endif
