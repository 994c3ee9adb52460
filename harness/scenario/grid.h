/* SPDX-License-Identifier: MIT */
/* Files that a scenario names, and the grids of numbers in them: the brightness of a picture, or columns of vectors. */
#ifndef DUNLIN_HARNESS_SCENARIO_GRID_H
#define DUNLIN_HARNESS_SCENARIO_GRID_H

#include <dunlin/scenario.h>

enum { SCENARIO_PROBLEM_LENGTH = 200 };

typedef struct scenario_input {
    char *bytes; /* [length], not terminated */
    size_t length;
} scenario_input;

/*
 * Reads the regular file `name`, from the scenario's folder, of at most `max_bytes`. After links are resolved it must lie in
 * that folder or below it, unless the caller allows more. false: `problem` says why, and what is allowed.
 */
bool dun_input_read(const dunlin_simulation *simulation, const char *name, size_t max_bytes, scenario_input *input,
                    char problem[SCENARIO_PROBLEM_LENGTH]);

/* Fills `problem` with `name: message`, or with `name:line: message` where the line is not 0, and returns false. */
bool dun_input_fail(char problem[SCENARIO_PROBLEM_LENGTH], const char *name, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void dun_input_free(scenario_input *input);

#define SCENARIO_PNG_MAX_BYTES  ((size_t)256 << 20)
#define SCENARIO_PNG_MAX_PIXELS (UINT64_C(64) << 20) /* 256 MiB of memory: a file of a few kB may claim any number */

enum { SCENARIO_CSV_MAX_LINE = 256 }; /* bytes, its end not included */

typedef struct scenario_grid {
    float *columns[3]; /* [cells], in the order of the field's */
} scenario_grid;

/*
 * The brightness, 0 .. 1, of the PNG at the cells' centres, the picture spread over the field with its lower edge at low y; in
 * 3D every layer has the same. false: `problem` says why; it calls the picture `name`.
 */
bool dun_grid_read_png(const char *name, const char *bytes, size_t length, const dunlin_field_view *field, scenario_grid *grid,
                       char problem[SCENARIO_PROBLEM_LENGTH]);

/*
 * Rows `vx,vy[,vz]` below that header, x fastest, one a cell; lines end with LF or CRLF. false: `problem` says why, and in
 * which line; it calls the table `name`.
 */
bool dun_grid_read_csv(const char *name, const char *text, size_t length, const dunlin_field_view *field, scenario_grid *grid,
                       char problem[SCENARIO_PROBLEM_LENGTH]);

/* Bytes that such a table may have. */
size_t dun_grid_csv_max_bytes(const dunlin_field_view *field);

/* Also after a failure. */
void dun_grid_free(scenario_grid *grid);

#endif
