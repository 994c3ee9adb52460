/* SPDX-License-Identifier: MIT */
#include "engine/base/c_locale.h"

#include "harness/scenario/grid.h"

#include <inttypes.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t cell_count(const dunlin_field_view *field) {
    return (size_t)field->cells[0] * (size_t)field->cells[1] * (size_t)field->cells[2];
}

static bool allocate(scenario_grid *grid, unsigned columns, size_t cells, char problem[SCENARIO_PROBLEM_LENGTH]) {
    for (unsigned c = 0; c < columns; c++) {
        grid->columns[c] = malloc(cells * sizeof(float));
        if (grid->columns[c]) continue;
        strcpy(problem, "out of memory");
        return false;
    }
    return true;
}

void dun_grid_free(scenario_grid *grid) {
    for (int c = 0; c < 3; c++) free(grid->columns[c]);
    *grid = (scenario_grid){{NULL}};
}

/* ---- pictures --------------------------------------------------------------------------------------------------------- */

/* Rec. 709 luma of a pixel of four bytes; transparent pixels are black. */
static float brightness(const unsigned char rgba[4]) {
    unsigned colour[3];
    for (int i = 0; i < 3; i++) {
        const unsigned product = (unsigned)rgba[i] * rgba[3] + 128;
        colour[i] = (product + (product >> 8)) >> 8;
    }
    return (0.2126f * (float)colour[0] + 0.7152f * (float)colour[1] + 0.0722f * (float)colour[2]) / 255.0f;
}

/* A picture on its way from PNG to the red, green, blue and opacity of its pixels, each as sRGB has it. */
typedef struct picture {
    uint32_t width, height;
    unsigned char *pixels; /* [height][width][4] */
    png_struct *png;
    png_info *info;
    char message[80]; /* of libpng's error */
} picture;

static void sample(const picture *from, const dunlin_field_view *field, float *values) {
    const int64_t width = from->width, height = from->height;
    for (size_t cell = 0; cell < cell_count(field); cell++) {
        const int64_t x = (int64_t)(cell % (size_t)field->cells[0]);
        const int64_t y = (int64_t)(cell / (size_t)field->cells[0] % (size_t)field->cells[1]);
        const int64_t column = (2 * x + 1) * width / (2 * field->cells[0]);
        const int64_t row = (2 * (field->cells[1] - 1 - y) + 1) * height / (2 * field->cells[1]);
        values[cell] = brightness(from->pixels + 4 * (row * width + column));
    }
}

static uint32_t big_endian(const char *bytes) {
    uint32_t number = 0;
    for (int i = 0; i < 4; i++) number = number << 8 | (unsigned char)bytes[i];
    return number;
}

enum { MAX_ALONG = 32767 };

/* Its size stands in the first chunk: before memory is taken for it, and the rest is unpacked. */
static bool check_picture(const char *name, const char *bytes, size_t length, picture *found,
                          char problem[SCENARIO_PROBLEM_LENGTH]) {
    static const char begin[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    if (length < 24 || memcmp(bytes, begin, 16) != 0) return dun_input_fail(problem, name, 0, "it is not a PNG picture");
    const uint32_t width = big_endian(bytes + 16), height = big_endian(bytes + 20);
    found->width = width;
    found->height = height;
    const bool fits = width >= 1 && width <= MAX_ALONG && height >= 1 && height <= MAX_ALONG;
    if (fits && (uint64_t)width * height <= SCENARIO_PNG_MAX_PIXELS) return true;
    return dun_input_fail(problem, name, 0,
                          "it is %" PRIu32 "x%" PRIu32 " pixels; allowed: 1 .. %d on a side, %" PRIu64 " in all", width, height,
                          (int)MAX_ALONG, SCENARIO_PNG_MAX_PIXELS);
}

static _Noreturn void note_error(png_struct *png, const char *message) {
    picture *of = png_get_error_ptr(png);
    snprintf(of->message, sizeof of->message, "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_struct *png, const char *message) {
    (void)png, (void)message;
}

/* Whatever the file has becomes eight bits of red, green, blue and opacity. Without a word about it, 16 bits are linear. */
static void choose_form(png_struct *png, png_info *info) {
    const unsigned type = png_get_color_type(png, info);
    const bool is_opaque = !(type & PNG_COLOR_MASK_ALPHA) && !png_get_valid(png, info, PNG_INFO_tRNS);
    const bool is_wide = png_get_bit_depth(png, info) == 16;
    png_set_expand(png);
    if (!(type & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(png);
    png_set_alpha_mode_fixed(png, PNG_ALPHA_PNG, is_wide ? PNG_GAMMA_LINEAR : PNG_DEFAULT_sRGB);
    if (is_wide) png_set_scale_16(png);
    if (is_opaque) png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_set_alpha_mode_fixed(png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

static void put_row(png_struct *png, unsigned char *row, uint32_t number, int pass) {
    picture *of = png_get_progressive_ptr(png);
    (void)pass;
    if (row) png_progressive_combine_row(png, of->pixels + 4 * (size_t)number * of->width, row);
}

/* Of texts and other things nothing is unpacked. */
static void choose_chunks(png_struct *png) {
    static const png_byte wanted[] = "cHRM\0gAMA\0iCCP\0sRGB";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, wanted, 4);
}

/*
 * Fed to libpng, since its reader that fetches the bytes itself unpacks all that follows the last pixel, a thousandfold;
 * and all at once, since it copies a chunk that comes in pieces again with every piece.
 */
static void feed(picture *to, const char *bytes, size_t length) {
    if (setjmp(png_jmpbuf(to->png))) return;
    png_set_benign_errors(to->png, 1);
    choose_chunks(to->png);
    png_set_progressive_read_fn(to->png, to, choose_form, put_row, NULL);
    png_process_data(to->png, to->info, (unsigned char *)(uintptr_t)bytes, length);
}

/* A mistake behind the last pixel is none. */
static bool is_complete(const picture *of) {
    return png_get_interlace_type(of->png, of->info) == PNG_INTERLACE_NONE ? png_get_current_row_number(of->png) >= of->height
                                                                           : png_get_current_pass_number(of->png) > 6;
}

static bool unpack(picture *to, const char *bytes, size_t length) {
    to->pixels = calloc((size_t)to->width * to->height, 4);
    to->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, to, note_error, ignore_warning);
    to->info = to->png ? png_create_info_struct(to->png) : NULL;
    const bool is_ready = to->pixels && to->info;
    strcpy(to->message, is_ready ? "it is cut short" : "no memory");
    if (is_ready) feed(to, bytes, length);
    const bool is_done = is_ready && is_complete(to);
    png_destroy_read_struct(&to->png, &to->info, NULL);
    return is_done;
}

bool dun_grid_read_png(const char *name, const char *bytes, size_t length, const dunlin_field_view *field, scenario_grid *grid,
                       char problem[SCENARIO_PROBLEM_LENGTH]) {
    picture read = {.pixels = NULL};
    if (!check_picture(name, bytes, length, &read, problem)) return false;
    bool done = unpack(&read, bytes, length);
    if (!done) dun_input_fail(problem, name, 0, "it is damaged, or there is too little memory for it: %s", read.message);
    done = done && allocate(grid, 1, cell_count(field), problem);
    if (done) sample(&read, field, grid->columns[0]);
    free(read.pixels);
    return done;
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

typedef struct table {
    const char *name, *at, *end; /* what is still to be read */
    size_t line;                 /* the current one, from 1, without its end */
    char text[SCENARIO_CSV_MAX_LINE + 1];
    unsigned axes;
    char *problem;
} table;

#define FAIL(t, ...) dun_input_fail((t)->problem, (t)->name, (t)->line, __VA_ARGS__)

static bool take_line(table *t) {
    const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    const char *next = end ? end + 1 : t->end;
    if (!end) end = t->end;
    if (next > end && end > t->at && end[-1] == '\r') end--;
    const size_t length = (size_t)(end - t->at);
    t->line++;
    if (length > SCENARIO_CSV_MAX_LINE) return FAIL(t, "the line has %zu bytes; allowed: %d", length, SCENARIO_CSV_MAX_LINE);
    if (memchr(t->at, '\0', length)) return FAIL(t, "there is a NUL byte in the line");
    memcpy(t->text, t->at, length);
    t->text[length] = '\0';
    t->at = next;
    return true;
}

/* strtof() alone would take hexadecimal digits, nan, and blanks before them. */
static bool read_number(char *text, float *number) {
    char *end;
    DUN_C_LOCALE();
    if (text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    *number = strtof(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

static bool read_row(table *t, scenario_grid *grid, size_t cell) {
    static const char *const names[] = {"vx", "vy", "vz"};
    char *text = t->text, *comma;
    unsigned count = 1;
    for (comma = text; (comma = strchr(comma, ',')); comma++) count++;
    if (count != t->axes) return FAIL(t, "the row has %u columns; needed: %u, finite numbers", count, t->axes);
    for (unsigned a = 0; a < t->axes; a++) {
        text[strcspn(text, ",")] = '\0';
        if (!read_number(text, &grid->columns[a][cell]))
            return FAIL(t, "%s is '%.40s'; allowed: a finite number, such as 0.5 or 1e3", names[a], text);
        text += strlen(text) + 1;
    }
    return true;
}

static bool read_header(table *t) {
    static const char mark[] = "\xef\xbb\xbf"; /* with which some programs begin a UTF-8 file */
    const char *header = t->axes == 3 ? "vx,vy,vz" : "vx,vy";
    if (t->end - t->at >= 3 && memcmp(t->at, mark, 3) == 0) t->at += 3;
    if (!take_line(t)) return false;
    return strcmp(t->text, header) == 0 ? true : FAIL(t, "the header is '%.40s'; it must be %s", t->text, header);
}

static bool read_rows(table *t, size_t cells, scenario_grid *grid) {
    if (!read_header(t)) return false;
    for (size_t cell = 0; cell < cells; cell++) {
        if (t->at == t->end) return FAIL(t, "it has %zu rows; there are %zu cells", cell, cells);
        if (!take_line(t) || !read_row(t, grid, cell)) return false;
    }
    t->line++;
    return t->at == t->end ? true : FAIL(t, "a row too many: there are no more than %zu cells", cells);
}

bool dun_grid_read_csv(const char *name, const char *text, size_t length, const dunlin_field_view *field, scenario_grid *grid,
                       char problem[SCENARIO_PROBLEM_LENGTH]) {
    const unsigned axes = field->vectors[2] ? 3 : 2;
    table t = {.name = name, .at = text, .end = text + length, .axes = axes, .problem = problem};
    return allocate(grid, axes, cell_count(field), problem) && read_rows(&t, cell_count(field), grid);
}

/* No table is so small that its message could not be about a line. */
size_t dun_grid_csv_max_bytes(const dunlin_field_view *field) {
    return ((size_t)1 << 20) + cell_count(field) * (SCENARIO_CSV_MAX_LINE + 2);
}
