/* SPDX-License-Identifier: MIT */
/* One long table: a row per agent and frame. */
#include "harness/report/csv.h"
#include "harness/export/export.h"

#include <math.h>

static const char *const axes[] = {"x", "y", "z"}, *const speeds[] = {"vx", "vy", "vz"}, *const images[] = {"ix", "iy", "iz"};

static dunlin_result begin(exporter *e, dunlin_error *error) {
    const trajectory_info *info = e->info;
    FILE *file = e->file.stream;
    csv_text(file, "step");
    csv_text(file, "time");
    csv_text(file, "id");
    if (info->has_species) csv_text(file, "species");
    for (int a = 0; a < info->dimensions; a++) csv_text(file, axes[a]);
    for (int a = 0; a < info->dimensions && info->has_velocity; a++) csv_text(file, speeds[a]);
    for (int a = 0; a < info->dimensions && info->has_image; a++) csv_text(file, images[a]);
    for (int i = 0; i < info->attribute_count; i++) csv_text(file, info->attributes[i]);
    csv_end_row(file);
    return output_file_check(&e->file, error);
}

static void add_row(const exporter *e, const trajectory_frame *frame, uint32_t row) {
    const trajectory_info *info = e->info;
    FILE *file = e->file.stream;
    csv_count(file, frame->step);
    csv_exact_number(file, frame->time);
    csv_count(file, frame->id[row]);
    if (frame->species) csv_text(file, info->species[frame->species[row]]);
    for (int a = 0; a < info->dimensions; a++) csv_number(file, (double)frame->position[3 * (size_t)row + (size_t)a]);
    for (int a = 0; a < info->dimensions && frame->velocity; a++)
        csv_number(file, (double)frame->velocity[3 * (size_t)row + (size_t)a]);
    for (int a = 0; a < info->dimensions && info->has_image; a++)
        csv_number(file, frame->image ? frame->image[3 * (size_t)row + (size_t)a] : (double)NAN);
    for (int i = 0; i < info->attribute_count; i++) csv_number(file, (double)frame->attribute[i][row]);
    csv_end_row(file);
}

const export_format export_csv = {.name = "csv", .ending = ".csv", .begin = begin, .row = add_row};
