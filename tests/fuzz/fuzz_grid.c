/* SPDX-License-Identifier: MIT */
/*
 * The files that fill a field: bit 0 of the first byte says whether the rest is a picture or a table, the others how many cells
 * on how many axes there are. What is read has a finite number for every cell.
 */
#include "tests/fuzz/checks.h"
#include "harness/scenario/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_grid(const scenario_grid *grid, const dunlin_field_view *field, int columns) {
    const size_t cells = (size_t)field->cells[0] * (size_t)field->cells[1] * (size_t)field->cells[2];
    for (int c = 0; c < columns; c++)
        for (size_t i = 0; i < cells; i++)
            if (!isfinite(grid->columns[c][i])) check_fail("a cell", "it is not finite");
}

static void check_problem(const char *problem) {
    const size_t length = strnlen(problem, SCENARIO_PROBLEM_LENGTH);
    if (length == 0 || length == SCENARIO_PROBLEM_LENGTH || strchr(problem, '\n')) check_fail("no proper problem", problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const bool picture = data[0] & 1, space = data[0] & 2;
    const dunlin_field_view field = {
        .cells = {1 + (data[0] >> 2 & 7), 1 + (data[0] >> 5), space ? 2 : 1}, .max = {8, 8, 8}, .vectors = {NULL, NULL, NULL}};
    float third;
    dunlin_field_view view = field;
    if (space) view.vectors[2] = &third; /* says that there are three axes; nothing reads it */
    scenario_grid grid = {{NULL}};
    char problem[SCENARIO_PROBLEM_LENGTH] = "";
    const char *rest = (const char *)data + 1;
    const bool done = picture ? dun_grid_read_png("fuzz.png", rest, size - 1, &view, &grid, problem)
                              : dun_grid_read_csv("fuzz.csv", rest, size - 1, &view, &grid, problem);
    check_successes += done;
    if (done)
        check_grid(&grid, &view, picture ? 1 : space ? 3 : 2);
    else
        check_problem(problem);
    dun_grid_free(&grid);
    return 0;
}
