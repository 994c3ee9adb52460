/* SPDX-License-Identifier: MIT */
#include "harness/export/export.h"
#include "harness/report/message.h"

#include <stdio.h>
#include <string.h>

static const export_format *const formats[] = {&export_vtkhdf, &export_xyz, &export_lammps, &export_gsd, &export_csv};
enum { FORMATS = sizeof formats / sizeof *formats };

const export_format *export_format_at(int position) {
    return position < FORMATS ? formats[position] : NULL;
}

const export_format *export_format_find(const char *name) {
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0) return formats[i];
    return NULL;
}

dunlin_result export_add(const export_format *format, exporter *e, const trajectory_frame *frame, dunlin_error *error) {
    if (format->add) return format->add(e, frame, error);
    if (format->head) format->head(e, frame);
    for (uint32_t row = 0; row < frame->count; row++) format->row(e, frame, row);
    return output_file_check(&e->file, error);
}

dunlin_result export_fail_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for exporting a frame");
}

const char *export_word(const char *name, char word[EXPORT_WORD]) {
    snprintf(word, EXPORT_WORD, "%s", name);
    for (char *at = word; (at = strpbrk(at, " \t:=\"'\\/.")); at++) *at = '_';
    return word;
}
