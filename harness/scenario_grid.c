/* SPDX-License-Identifier: MIT */
#include "scenario_grid.h"

#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t cell_count(const dunlin_field_view *field) {
    return (size_t)field->cells[0] * (size_t)field->cells[1] * (size_t)field->cells[2];
}

static bool allocate(scenario_grid *grid, unsigned columns, size_t cells, char problem[SCENARIO_PROBLEM_LENGTH]) {
    for (unsigned c = 0; c < columns; ++c) {
        grid->columns[c] = malloc(cells * sizeof(float));
        if (grid->columns[c] != NULL) continue;
        strcpy(problem, "out of memory");
        return false;
    }
    return true;
}

void scenario_grid_free(scenario_grid *grid) {
    for (int c = 0; c < 3; ++c) free(grid->columns[c]);
    *grid = (scenario_grid){{NULL}};
}

/* ---- pictures --------------------------------------------------------------------------------------------------------- */

/* Rec. 709 luma of a pixel, transparent ones being black. */
static float brightness(const unsigned char *row, int column) {
    uint32_t pixel;
    memcpy(&pixel, row + 4 * (size_t)column, sizeof pixel);
    const float red = (float)(pixel >> 16 & 255), green = (float)(pixel >> 8 & 255), blue = (float)(pixel & 255);
    return (0.2126f * red + 0.7152f * green + 0.0722f * blue) / 255.0f;
}

/* In one format, whatever the file has. */
static cairo_surface_t *as_pixels(cairo_surface_t *picture) {
    cairo_surface_t *pixels = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, cairo_image_surface_get_width(picture),
                                                         cairo_image_surface_get_height(picture));
    cairo_t *cairo = cairo_create(pixels);
    cairo_set_source_surface(cairo, picture, 0.0, 0.0);
    cairo_paint(cairo);
    cairo_destroy(cairo);
    cairo_surface_flush(pixels);
    return pixels;
}

static void sample(cairo_surface_t *pixels, const dunlin_field_view *field, float *values) {
    const int width = cairo_image_surface_get_width(pixels), height = cairo_image_surface_get_height(pixels);
    const unsigned char *data = cairo_image_surface_get_data(pixels);
    const size_t stride = (size_t)cairo_image_surface_get_stride(pixels), cells = cell_count(field);
    for (size_t cell = 0; cell < cells; ++cell) {
        const int64_t x = (int64_t)(cell % (size_t)field->cells[0]);
        const int64_t y = (int64_t)(cell / (size_t)field->cells[0] % (size_t)field->cells[1]);
        const int column = (int)((2 * x + 1) * width / (2 * field->cells[0]));
        const int row = (int)((2 * (field->cells[1] - 1 - y) + 1) * height / (2 * field->cells[1]));
        values[cell] = brightness(data + (size_t)row * stride, column);
    }
}

bool scenario_grid_image(const char *path, const dunlin_field_view *field, scenario_grid *grid,
                         char problem[SCENARIO_PROBLEM_LENGTH]) {
    cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
    cairo_status_t status = cairo_surface_status(picture);
    bool done = status == CAIRO_STATUS_SUCCESS;
    if (!done) snprintf(problem, SCENARIO_PROBLEM_LENGTH, "%.100s: %s", path, cairo_status_to_string(status));
    if (done) done = allocate(grid, 1, cell_count(field), problem);
    if (done) {
        cairo_surface_t *pixels = as_pixels(picture);
        done = cairo_surface_status(pixels) == CAIRO_STATUS_SUCCESS;
        if (done)
            sample(pixels, field, grid->columns[0]);
        else
            strcpy(problem, "out of memory");
        cairo_surface_destroy(pixels);
    }
    cairo_surface_destroy(picture);
    return done;
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

/* The line's numbers, with commas between them and nothing else. */
static bool read_row(const char *line, unsigned axes, scenario_grid *grid, size_t cell) {
    for (unsigned a = 0; a < axes; ++a) {
        char *end;
        const float number = strtof(line, &end);
        if (end == line || !isfinite(number)) return false;
        grid->columns[a][cell] = number;
        line = end;
        if (a + 1 < axes && *line++ != ',') return false;
    }
    return line[strspn(line, "\r\n")] == '\0';
}

static bool read_rows(FILE *file, const char *path, const dunlin_field_view *field, unsigned axes, scenario_grid *grid,
                      char problem[SCENARIO_PROBLEM_LENGTH]) {
    const char *header = axes == 3 ? "vx,vy,vz" : "vx,vy";
    char line[256];
    const size_t cells = cell_count(field);
    if (fgets(line, sizeof line, file) == NULL || strncmp(line, header, strlen(header)) != 0 ||
        line[strlen(header) + strspn(line + strlen(header), "\r\n")] != '\0') {
        snprintf(problem, SCENARIO_PROBLEM_LENGTH, "%.100s:1: the header must be %s", path, header);
        return false;
    }
    size_t read = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (read < cells && read_row(line, axes, grid, read)) {
            ++read;
            continue;
        }
        snprintf(problem, SCENARIO_PROBLEM_LENGTH,
                 read < cells ? "%.100s:%zu: a row is %s, finite numbers" : "%.100s:%zu: a row too many: there are %s cells",
                 path, read + 2, read < cells ? header : "no more");
        return false;
    }
    if (read == cells) return true;
    snprintf(problem, SCENARIO_PROBLEM_LENGTH, "%.100s: it has %zu rows; there are %zu cells", path, read, cells);
    return false;
}

bool scenario_grid_csv(const char *path, const dunlin_field_view *field, unsigned axes, scenario_grid *grid,
                       char problem[SCENARIO_PROBLEM_LENGTH]) {
    if (!allocate(grid, axes, cell_count(field), problem)) return false;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        snprintf(problem, SCENARIO_PROBLEM_LENGTH, "%.100s: %s", path, strerror(errno));
        return false;
    }
    bool done = read_rows(file, path, field, axes, grid, problem);
    fclose(file);
    return done;
}
