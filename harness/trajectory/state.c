/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/state.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>

static const char *find_missing(const trajectory_info *info, const trajectory_frame *frame) {
    if (!frame->velocity) return "velocities were left out";
    if (!frame->species) return "species were left out";
    if (!frame->slot) return "the order in which agents are stored was left out";
    if (info->trace_count < info->traces) return "traces were left out";
    return info->is_complete ? NULL : "some species or attributes were left out";
}

static dunlin_result check(const char *name, const trajectory_info *info, const trajectory_frame *frame, dunlin_error *error) {
    const char *missing = find_missing(info, frame);
    if (missing)
        return bench_fail(error, DUNLIN_ERROR_FILE,
                          "%.160s: no run can continue from it, because %s; record it with all fields and species", name,
                          missing);
    if (info->precision > 0)
        return bench_fail(error, DUNLIN_ERROR_FILE,
                          "%.160s: no run can continue from it, because its numbers are rounded to %d bits; record it without "
                          "--precision",
                          name, info->precision);
    return DUNLIN_OK;
}

/* Rows of a frame in the order in which agents are stored: by species and slot. NULL: there is no such order, or no memory. */
static uint32_t *sort_rows(const trajectory_info *info, const trajectory_frame *frame) {
    uint32_t first[DUNLIN_MAX_SPECIES + 1] = {0};
    uint32_t *order = malloc(((size_t)frame->count + 1) * sizeof *order);
    if (!order) return NULL;
    for (uint32_t i = 0; i < frame->count; i++) {
        first[frame->species[i] + 1]++;
        order[i] = UINT32_MAX;
    }
    for (int s = 0; s < info->species_count; s++) first[s + 1] += first[s];
    for (uint32_t i = 0; i < frame->count; i++) {
        const uint32_t begin = first[frame->species[i]], end = first[frame->species[i] + 1], slot = frame->slot[i];
        if (slot >= end - begin || order[begin + slot] != UINT32_MAX) {
            free(order);
            return NULL;
        }
        order[begin + slot] = i;
    }
    return order;
}

static void write_header(const trajectory_info *info, FILE *file) {
    fputs(info->dimensions == 3 ? "id,species,x,y,z,vx,vy,vz" : "id,species,x,y,vx,vy", file);
    for (int i = 0; i < info->attribute_count; i++) fprintf(file, ",%s", info->attributes[i]);
    fputc('\n', file);
}

static void write_row(const trajectory_info *info, const trajectory_frame *frame, uint32_t row, FILE *file) {
    csv_count(file, frame->id[row]);
    csv_text(file, info->species[frame->species[row]]);
    for (int a = 0; a < info->dimensions; a++) csv_number(file, (double)frame->position[3 * (size_t)row + (size_t)a]);
    for (int a = 0; a < info->dimensions; a++) csv_number(file, (double)frame->velocity[3 * (size_t)row + (size_t)a]);
    for (int i = 0; i < info->attribute_count; i++) csv_number(file, (double)frame->attribute[i][row]);
    csv_end_row(file);
}

dunlin_result trajectory_write_state(const char *name, const trajectory_info *info, const trajectory_frame *frame, FILE *file,
                                     dunlin_error *error) {
    const dunlin_result result = check(name, info, frame, error);
    if (result != DUNLIN_OK) return result;
    uint32_t *order = sort_rows(info, frame);
    if (!order)
        return bench_fail(error, DUNLIN_ERROR_FILE, "%.160s: no run can continue from it, because its slots are damaged", name);
    fputs(frame->preamble, file);
    write_header(info, file);
    for (uint32_t i = 0; i < frame->count && !ferror(file); i++) write_row(info, frame, order[i], file);
    free(order);
    return DUNLIN_OK;
}

void steps_describe(const trajectory_reader *of, uint64_t first, uint64_t last, char text[STEPS_TEXT]) {
    const uint64_t frames = reader_info(of)->frames;
    uint64_t begin = 0, end = 0; /* of those within */
    while (begin < frames && reader_step(of, begin) < first) begin++;
    while (end < frames && reader_step(of, end) <= last) end++;
    if (frames == 1)
        snprintf(text, STEPS_TEXT, "its only frame is of step %" PRIu64, reader_step(of, 0));
    else if (begin < end)
        snprintf(text, STEPS_TEXT, "its frames are of steps %" PRIu64 " to %" PRIu64, reader_step(of, begin),
                 reader_step(of, end - 1));
    else if (begin == 0)
        snprintf(text, STEPS_TEXT, "its first frame is of step %" PRIu64, reader_step(of, 0));
    else if (begin == frames)
        snprintf(text, STEPS_TEXT, "its last frame is of step %" PRIu64, reader_step(of, frames - 1));
    else
        snprintf(text, STEPS_TEXT, "the nearest frames are of steps %" PRIu64 " and %" PRIu64, reader_step(of, begin - 1),
                 reader_step(of, begin));
}
