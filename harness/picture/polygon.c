/* SPDX-License-Identifier: MIT */
/*
 * Coverage by accumulation: within a row of pixels each edge adds to every pixel how much its own area changes the covered area
 * from there on to the right. A running sum over the row is then the coverage.
 */
#include "harness/picture/layers.h"

#include <math.h>

enum { MAX_WIDTH = 4096 };

/* Unlike fminf() and fmaxf(), one instruction each. */
static float lesser(float a, float b) {
    return a < b ? a : b;
}

static float greater(float a, float b) {
    return a > b ? a : b;
}

/* The part of an edge within one row, from x0 to x1; `height` of it, negative if it leads upwards. */
static void accumulate(float *change, float x0, float x1, float height) {
    const float left = lesser(x0, x1), right = greater(x0, x1);
    const int first = (int)left, last = (int)right;
    if (first == last) {
        const float beyond = 0.5f * (left + right) - (float)first;
        change[first] += height * (1.0f - beyond);
        change[first + 1] += height * beyond;
        return;
    }
    const float per_pixel = height / (right - left);
    float before = 0.0f; /* the coverage of the pixel to the left */
    for (int x = first; x <= last; x++) {
        const float from = greater(left, (float)x), to = lesser(right, (float)(x + 1));
        const float covered = per_pixel * ((to - from) * ((float)(x + 1) - 0.5f * (from + to)) + (from - left));
        change[x] += covered - before;
        before = covered;
    }
    change[last + 1] += height - before;
}

/* Adds what lies in the row from y to y + 1 of the edge between two corners; `left` is where the changes begin. */
static void add_edge(float *change, const polygon *shape, int from, int to, float y, float left) {
    float x0 = shape->x[from] - left, x1 = shape->x[to] - left;
    const float y0 = shape->y[from] - y, y1 = shape->y[to] - y;
    if ((y0 <= 0.0f && y1 <= 0.0f) || (y0 >= 1.0f && y1 >= 1.0f) || y0 == y1) return;
    const float clipped0 = lesser(greater(y0, 0.0f), 1.0f), clipped1 = lesser(greater(y1, 0.0f), 1.0f),
                slope = (x1 - x0) / (y1 - y0);
    x1 = x0 + (clipped1 - y0) * slope;
    x0 += (clipped0 - y0) * slope;
    accumulate(change, greater(x0, 0.0f), greater(x1, 0.0f), clipped1 - clipped0);
}

static uint32_t mix(uint32_t under, const float over[3], float opacity) {
    const float keep = 1.0f - opacity;
    const uint32_t red = (uint32_t)((float)(under >> 16 & 255) * keep + over[0] * opacity + 0.5f);
    const uint32_t green = (uint32_t)((float)(under >> 8 & 255) * keep + over[1] * opacity + 0.5f);
    const uint32_t blue = (uint32_t)((float)(under & 255) * keep + over[2] * opacity + 0.5f);
    return 0xff000000u | red << 16 | green << 8 | blue;
}

/* `left`: the column of the first change. Leaves zeros. */
static void fill_row(const pixel_rows *rows, int y, int left, int count, float *change, const float over[3], float opacity) {
    unsigned char *row = rows->pixels + (size_t)y * rows->stride;
    float covered = 0.0f;
    for (int i = 0; i < count; i++) {
        covered += change[i];
        change[i] = 0.0f;
        const float share = opacity * lesser(fabsf(covered), 1.0f);
        if (share < 1.0f / 512.0f || left + i < 0 || left + i >= rows->width) continue;
        uint32_t pixel;
        memcpy(&pixel, row + 4 * (left + i), sizeof pixel);
        pixel = mix(pixel, over, share);
        memcpy(row + 4 * (left + i), &pixel, sizeof pixel);
    }
}

void polygon_fill(const pixel_rows *rows, const polygon *shape, colour fill, float opacity) {
    const float over[3] = {255.0f * fill.red, 255.0f * fill.green, 255.0f * fill.blue};
    float change[MAX_WIDTH + 2], left = shape->x[0], right = left, top = shape->y[0], bottom = top;
    for (int i = 1; i < shape->corners; i++) {
        left = lesser(left, shape->x[i]);
        right = greater(right, shape->x[i]);
        top = lesser(top, shape->y[i]);
        bottom = greater(bottom, shape->y[i]);
    }
    const bool is_near = right > 0.0f && left < (float)rows->width && bottom > (float)rows->first && top < (float)rows->last;
    if (!is_near || right - left > (float)(MAX_WIDTH - 2)) return; /* nor is what is no number */
    const int column = (int)floorf(left), count = (int)floorf(right) - column + 2;
    const int first = top > (float)rows->first ? (int)top : rows->first;
    const int last = bottom < (float)rows->last ? (int)ceilf(bottom) : rows->last;
    memset(change, 0, (size_t)count * sizeof *change);
    for (int y = first; y < last; y++) {
        for (int i = 0; i < shape->corners; i++)
            add_edge(change, shape, i, i + 1 < shape->corners ? i + 1 : 0, (float)y, (float)column);
        fill_row(rows, y, column, count, change, over, opacity);
    }
}
