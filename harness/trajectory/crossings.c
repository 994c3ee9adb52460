/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/crossings.h"
#include "harness/report/message.h"
#include "harness/trajectory/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double max_speed_of(const dunlin_world *world, int species) {
    const dunlin_view view = dunlin_world_view(world, species);
    double max = view.count > 0 ? (double)dunlin_world_get_species(world, species).max_speed : 0.0;
    for (int k = 0; k < dunlin_world_attribute_count(world, species); k++) {
        if (dunlin_world_get_attribute(world, species, k).role != DUNLIN_ROLE_MAX_SPEED) continue;
        max = 0.0;
        for (uint32_t i = 0; i < view.count; i++) max = fmax(max, (double)view.attribute[k][i]);
    }
    return max;
}

double crossings_stride(const selection *s, const dunlin_world *world) {
    double max = 0.0;
    for (int k = 0; k < s->species_count; k++)
        if (s->is_wanted[k]) max = fmax(max, max_speed_of(world, k));
    return max * (double)dunlin_world_get_def(world).time_step;
}

double crossings_limit(const dunlin_world *world, int precision) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    double side = HUGE_VAL;
    for (int a = 0; a < def.dimensions; a++)
        if (dunlin_world_boundary(world, a) == DUNLIN_BOUNDARY_PERIODIC) side = fmin(side, (double)def.size[a]);
    return side * (0.5 - (precision > 0 ? ldexp(1.0, -precision) : 0.0));
}

/* Makes room for the rows, which have other content then. */
static bool reserve(crossings *before, const selection *s, uint32_t rows) {
    const size_t columns = 1 + 2 * (size_t)s->dimensions;
    before->rows = rows;
    if (rows <= before->room) return true;
    free(before->words);
    before->room = rows + rows / 8;
    before->words = malloc(columns * before->room * sizeof *before->words);
    if (!before->words) before->room = before->rows = 0;
    return before->words;
}

static void *column_of(const crossings *before, int column) {
    return before->words ? before->words + (size_t)column * before->room : NULL;
}

/* 1 or 0, without a branch or a comparison: compilers vectorise neither beside numbers of 32 bits. */
static int32_t is_negative(double a) {
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return (int32_t)(bits >> 63);
}

/* Over an upper edge, where the place becomes small, is one more. */
static int32_t crossed(float from, float to, double half_size) {
    const double way = (double)to - (double)from;
    return is_negative(way + half_size) - is_negative(half_size - way);
}

/* Ids ascend in both frames. */
static void count_by_id(const crossings *before, const selection *s, const frame *f, int axis) {
    const uint32_t *id = frame_column(f, COLUMN_ID), *old_id = column_of(before, 0);
    const float *x = frame_column(f, COLUMN_POSITION + axis), *old_x = column_of(before, 1 + axis);
    const int32_t *old_image = column_of(before, 1 + s->dimensions + axis);
    int32_t *image = frame_column(f, s->image_column + axis);
    for (uint32_t i = 0, k = 0; i < f->rows; i++) {
        while (k < before->rows && old_id[k] < id[i]) k++;
        const bool was_there = k < before->rows && old_id[k] == id[i];
        image[i] = was_there ? old_image[k] + crossed(old_x[k], x[i], 0.5 * f->box[axis]) : 0;
    }
}

/* The same where no agent was born or has died, in a vector loop. The frame becomes the frame before meanwhile. */
static void count_by_row(const crossings *before, const selection *s, const frame *f, int axis) {
    const float *restrict x = frame_column(f, COLUMN_POSITION + axis);
    float *restrict old_x = column_of(before, 1 + axis);
    int32_t *restrict old_image = column_of(before, 1 + s->dimensions + axis);
    int32_t *restrict image = frame_column(f, s->image_column + axis);
    const double half_size = 0.5 * f->box[axis];
    const uint32_t rows = f->rows;
    for (uint32_t i = 0; i < rows; i++) {
        image[i] = old_image[i] += crossed(old_x[i], x[i], half_size);
        old_x[i] = x[i];
    }
}

static void fill_axis(const selection *s, const frame *f, int axis, int32_t value) {
    int32_t *image = frame_column(f, s->image_column + axis);
    const uint32_t rows = f->rows;
    for (uint32_t i = 0; i < rows; i++) image[i] = value;
}

static bool has_same_agents(const crossings *before, const frame *f) {
    return before->rows == f->rows && memcmp(column_of(before, 0), frame_column(f, COLUMN_ID), f->rows * sizeof(uint32_t)) == 0;
}

static void keep(const crossings *before, int column, const void *words) {
    if (before->rows > 0) memcpy(column_of(before, column), words, before->rows * sizeof *before->words);
}

static bool keep_all(crossings *before, const selection *s, const frame *f) {
    if (!reserve(before, s, f->rows)) return false;
    keep(before, 0, frame_column(f, COLUMN_ID));
    for (int a = 0; a < s->dimensions; a++) {
        keep(before, 1 + a, frame_column(f, COLUMN_POSITION + a));
        keep(before, 1 + s->dimensions + a, frame_column(f, s->image_column + a));
    }
    return true;
}

bool crossings_count(crossings *before, const selection *s, frame *f) {
    before->is_lost = before->is_lost || !f->is_near;
    const bool by_row = !before->is_lost && f->rows > 0 && has_same_agents(before, f);
    for (int a = 0; a < s->dimensions; a++) {
        if (before->is_lost || !s->repeats[a])
            fill_axis(s, f, a, before->is_lost ? TRAJECTORY_NO_IMAGE : 0);
        else
            (by_row ? count_by_row : count_by_id)(before, s, f, a);
    }
    return before->is_lost || by_row || keep_all(before, s, f);
}

dunlin_result crossings_load(crossings *before, const selection *s, const trajectory_file *file, dunlin_error *error) {
    uint64_t step, rows = 0;
    double time;
    const uint64_t last = file->frames - 1;
    dunlin_result result = file->frames > 0 ? file_read_frame(file, last, &step, &time, &rows, error) : DUNLIN_OK;
    if (result != DUNLIN_OK || rows == 0) return result;
    if (!reserve(before, s, (uint32_t)rows)) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a trajectory");
    result = file_read_column(file, last, "id", 0, before->rows, column_of(before, 0), error);
    for (int a = 0; a < s->dimensions && result == DUNLIN_OK; a++) {
        result = file_read_column(file, last, "position", a, before->rows, column_of(before, 1 + a), error);
        if (result != DUNLIN_OK) break;
        result = file_read_column(file, last, "image", a, before->rows, column_of(before, 1 + s->dimensions + a), error);
    }
    before->is_lost = result == DUNLIN_OK && *(int32_t *)column_of(before, 1 + s->dimensions) == TRAJECTORY_NO_IMAGE;
    return result;
}
