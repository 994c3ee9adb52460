/* SPDX-License-Identifier: MIT */
/*
 * Traces, drawn below everything else: ink that is the darker, the more agents have left in a cell. In space the cells along
 * a line of sight add up.
 */
#include "harness/picture/layers.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_IMAGE_SIDE = 2048, MAX_CELLS_IN_SPACE = 64 /* along an axis: of a finer trace every second, third, … is drawn */ };

static const double darkest = 0.8;

/* Where the trace is drawn so dark: the mean number of a cell, weighted by that number, which is about that of a trail. */
static double typical(const dunlin_trace_view *view) {
    const size_t cells = (size_t)view->cells[0] * (size_t)view->cells[1] * (size_t)view->cells[2];
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < cells; i++) {
        sum += (double)view->values[i];
        squares += (double)view->values[i] * (double)view->values[i];
    }
    return sum > 0.0 ? squares / sum : 0.0;
}

static unsigned char opacity(double share) {
    return (unsigned char)lrint(255.0 * darkest * (1.0 - exp(-share)));
}

/* ---- in the plane ----------------------------------------------------------------------------------------------------- */

/* The mean of the cells that a pixel of the image stands for. */
static double mean_of(const dunlin_trace_view *view, const int from[2], const int to[2]) {
    double sum = 0.0;
    for (int y = from[1]; y < to[1]; y++)
        for (int x = from[0]; x < to[0]; x++) sum += (double)view->values[(size_t)y * (size_t)view->cells[0] + (size_t)x];
    return sum / ((double)(to[0] - from[0]) * (to[1] - from[1]));
}

static int share_of(int cells, int at, int side) {
    return (int)((int64_t)cells * at / side);
}

/* A pixel per cell, up to a limit; the top row is the trace's last. */
static void fill_plane(cairo_surface_t *image, const dunlin_trace_view *view, double scale) {
    const int width = cairo_image_surface_get_width(image), height = cairo_image_surface_get_height(image);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    for (int y = 0; y < height && pixels; y++) {
        unsigned char *row = pixels + (ptrdiff_t)(height - 1 - y) * cairo_image_surface_get_stride(image);
        for (int x = 0; x < width; x++) {
            const int from[] = {share_of(view->cells[0], x, width), share_of(view->cells[1], y, height)};
            const int to[] = {share_of(view->cells[0], x + 1, width), share_of(view->cells[1], y + 1, height)};
            row[x] = opacity(mean_of(view, from, to) / scale);
        }
    }
}

static void draw_plane(cairo_t *cairo, const picture_camera *camera, const dunlin_trace_view *view, double scale) {
    const int width = view->cells[0] < MAX_IMAGE_SIDE ? view->cells[0] : MAX_IMAGE_SIDE;
    const int height = view->cells[1] < MAX_IMAGE_SIDE ? view->cells[1] : MAX_IMAGE_SIDE;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_A8, width, height);
    double left, top, right, bottom;
    camera_point(camera, (double[3]){(double)view->min[0], (double)view->max[1], 0.0}, &left, &top);
    camera_point(camera, (double[3]){(double)view->max[0], (double)view->min[1], 0.0}, &right, &bottom);
    cairo_surface_flush(image);
    fill_plane(image, view, scale);
    cairo_surface_mark_dirty(image);
    cairo_pattern_t *pattern = cairo_pattern_create_for_surface(image);
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD);
    cairo_save(cairo);
    cairo_rectangle(cairo, left, top, right - left, bottom - top);
    cairo_clip(cairo);
    cairo_translate(cairo, left, top);
    cairo_scale(cairo, (right - left) / width, (bottom - top) / height);
    picture_set_ink(cairo, 1.0);
    cairo_mask(cairo, pattern);
    cairo_restore(cairo);
    cairo_pattern_destroy(pattern);
    cairo_surface_destroy(image);
}

/* ---- in space --------------------------------------------------------------------------------------------------------- */

/* How much trace is on the line of sight through each pixel. */
typedef struct haze {
    int width, height;
    float *pixels;
} haze;

/* A cell is a soft disc in the picture, so that those of a trail run into each other. */
static void add_cell(const haze *to, double x, double y, double radius, double amount) {
    const int left = (int)fmax(0.0, x - radius), right = (int)fmin(to->width - 1.0, x + radius);
    const int top = (int)fmax(0.0, y - radius), bottom = (int)fmin(to->height - 1.0, y + radius);
    for (int row = top; row <= bottom; row++) {
        for (int column = left; column <= right; column++) {
            const double dx = (column + 0.5 - x) / radius, dy = (row + 0.5 - y) / radius;
            const double inside = fmax(0.0, 1.0 - dx * dx - dy * dy);
            to->pixels[(ptrdiff_t)row * to->width + column] += (float)(amount * inside * inside);
        }
    }
}

static void add_cells(const haze *to, const picture_camera *camera, const dunlin_trace_view *view, double scale) {
    double side[3];
    int stride[3];
    for (int a = 0; a < 3; a++) {
        stride[a] = (view->cells[a] - 1) / MAX_CELLS_IN_SPACE + 1;
        side[a] = ((double)view->max[a] - (double)view->min[a]) / view->cells[a];
    }
    const double radius = cbrt(side[0] * stride[0] * side[1] * stride[1] * side[2] * stride[2]) * camera->scale;
    for (int z = stride[2] / 2; z < view->cells[2]; z += stride[2]) {
        for (int y = stride[1] / 2; y < view->cells[1]; y += stride[1]) {
            for (int x = stride[0] / 2; x < view->cells[0]; x += stride[0]) {
                const size_t cell = (size_t)x + (size_t)view->cells[0] * ((size_t)y + (size_t)view->cells[1] * (size_t)z);
                const int at[] = {x, y, z};
                double middle[3], seen_x, seen_y;
                if (!((double)view->values[cell] > 0.01 * scale)) continue;
                for (int a = 0; a < 3; a++) middle[a] = (double)view->min[a] + (at[a] + 0.5) * side[a];
                camera_point(camera, middle, &seen_x, &seen_y);
                add_cell(to, seen_x, seen_y, fmax(radius, 1.0), 0.4 * (double)view->values[cell] / scale);
            }
        }
    }
}

static void draw_space(cairo_t *cairo, const picture_camera *camera, const dunlin_trace_view *view, double scale) {
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_A8, camera->width, camera->height);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    const haze seen = {camera->width, camera->height, calloc((size_t)camera->width * (size_t)camera->height, sizeof(float))};
    if (seen.pixels && pixels) {
        add_cells(&seen, camera, view, scale);
        cairo_surface_flush(image);
        for (int y = 0; y < seen.height; y++)
            for (int x = 0; x < seen.width; x++)
                pixels[(ptrdiff_t)y * cairo_image_surface_get_stride(image) + x] =
                    opacity((double)seen.pixels[(ptrdiff_t)y * seen.width + x]);
        cairo_surface_mark_dirty(image);
        picture_set_ink(cairo, 1.0);
        cairo_mask_surface(cairo, image, 0.0, 0.0);
    }
    free(seen.pixels);
    cairo_surface_destroy(image);
}

/* ---- both ------------------------------------------------------------------------------------------------------------- */

void picture_draw_traces(cairo_t *cairo, const picture_camera *camera, dunlin_world *world) {
    for (int t = 0; t < dunlin_world_trace_count(world); t++) {
        const dunlin_trace_view view = dunlin_world_trace_view(world, t);
        const double scale = typical(&view);
        if (scale > 0.0) (camera->dimensions == 2 ? draw_plane : draw_space)(cairo, camera, &view, scale);
    }
}
