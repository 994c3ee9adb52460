/* SPDX-License-Identifier: MIT */
/*
 * Extended XYZ: a frame is the number of its agents, a line that names the columns, and a line per agent. The column of species
 * is called `type`, since ASE takes one called `species` for chemical elements. Numbers have nine digits, which give a binary32
 * back bit for bit.
 */
#include "harness/export/export.h"

#include <inttypes.h>

static void add_head(const exporter *e, const trajectory_frame *frame) {
    const trajectory_info *info = e->info;
    FILE *file = e->file.stream;
    char word[EXPORT_WORD];
    fprintf(file, "%" PRIu32 "\nLattice=\"%.9g 0 0 0 %.9g 0 0 0 %.9g\" Properties=%spos:R:3%s:id:I:1%s", frame->count,
            (double)frame->box[0], (double)frame->box[1], (double)frame->box[2], info->has_species ? "type:S:1:" : "",
            info->has_velocity ? ":velo:R:3" : "", frame->image ? ":image:I:3" : "");
    for (int i = 0; i < info->attribute_count; i++) fprintf(file, ":%s:R:1", export_word(info->attributes[i], word));
    fprintf(file, " Step=%" PRIu64 " Time=%.17g pbc=\"%c %c %c\"\n", frame->step, frame->time, "FT"[info->is_periodic[0]],
            "FT"[info->is_periodic[1]], "FT"[info->is_periodic[2]]);
}

static void add_row(const exporter *e, const trajectory_frame *frame, uint32_t row) {
    FILE *file = e->file.stream;
    const float *p = &frame->position[3 * (size_t)row], *v = frame->velocity ? &frame->velocity[3 * (size_t)row] : NULL;
    const int32_t *n = frame->image ? &frame->image[3 * (size_t)row] : NULL;
    char word[EXPORT_WORD];
    if (frame->species) fprintf(file, "%s ", export_word(e->info->species[frame->species[row]], word));
    fprintf(file, "%.9g %.9g %.9g", (double)p[0], (double)p[1], (double)p[2]);
    if (v) fprintf(file, " %.9g %.9g %.9g", (double)v[0], (double)v[1], (double)v[2]);
    fprintf(file, " %" PRIu32, frame->id[row]);
    if (n) fprintf(file, " %" PRId32 " %" PRId32 " %" PRId32, n[0], n[1], n[2]);
    for (int i = 0; i < e->info->attribute_count; i++) fprintf(file, " %.9g", (double)frame->attribute[i][row]);
    fputc('\n', file);
}

const export_format export_xyz = {.name = "xyz", .ending = ".xyz", .head = add_head, .row = add_row};
