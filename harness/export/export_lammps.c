/* SPDX-License-Identifier: MIT */
/*
 * A LAMMPS dump in text. `type` counts species from 1 on, in the scenario's order; where species were not recorded it is 1.
 */
#include "harness/export/export.h"

#include <inttypes.h>

static void add_head(const exporter *e, const trajectory_frame *frame) {
    const trajectory_info *info = e->info;
    FILE *file = e->file.stream;
    static const char *const bounds[] = {"ff", "pp"};
    char word[EXPORT_WORD];
    fprintf(file, "ITEM: TIMESTEP\n%" PRIu64 "\nITEM: NUMBER OF ATOMS\n%" PRIu32 "\nITEM: BOX BOUNDS %s %s %s\n", frame->step,
            frame->count, bounds[info->is_periodic[0]], bounds[info->is_periodic[1]],
            info->dimensions == 3 ? bounds[info->is_periodic[2]] : "pp");
    for (int a = 0; a < 3; a++) fprintf(file, "0 %.9g\n", (double)frame->box[a]);
    fprintf(file, "ITEM: ATOMS id type x y z%s", info->has_velocity ? " vx vy vz" : "");
    if (frame->image) fputs(" ix iy iz", file);
    for (int i = 0; i < info->attribute_count; i++) fprintf(file, " %s", export_word(info->attributes[i], word));
    fputc('\n', file);
}

static void add_row(const exporter *e, const trajectory_frame *frame, uint32_t row) {
    FILE *file = e->file.stream;
    const float *p = &frame->position[3 * (size_t)row], *v = frame->velocity ? &frame->velocity[3 * (size_t)row] : NULL;
    const int32_t *n = frame->image ? &frame->image[3 * (size_t)row] : NULL;
    fprintf(file, "%" PRIu32 " %" PRIu32 " %.9g %.9g %.9g", frame->id[row], frame->species ? frame->species[row] + 1 : 1,
            (double)p[0], (double)p[1], (double)p[2]);
    if (v) fprintf(file, " %.9g %.9g %.9g", (double)v[0], (double)v[1], (double)v[2]);
    if (n) fprintf(file, " %" PRId32 " %" PRId32 " %" PRId32, n[0], n[1], n[2]);
    for (int i = 0; i < e->info->attribute_count; i++) fprintf(file, " %.9g", (double)frame->attribute[i][row]);
    fputc('\n', file);
}

const export_format export_lammps = {.name = "lammps", .ending = ".lammpstrj", .head = add_head, .row = add_row};
