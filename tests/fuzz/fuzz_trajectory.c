/* SPDX-License-Identifier: MIT */
/*
 * A trajectory with faults in it: what our reader believes of a file that HDF5 itself finds whole. (Bytes that are no HDF5 are
 * HDF5's own matter.) The first byte chooses the dimensions, and each 11 bytes after it are a fault. What is read keeps the
 * promises of harness/trajectory/reader.h, and can be exported and written as a state.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/export/export.h"
#include "harness/trajectory/state.h"
#include "tests/fuzz/checks.h"
#include "tests/lib/trajectory_image.h"

enum { MAX_FAULTS = 8, FAULT_BYTES = 11 };

_Noreturn static void fail(const char *what) {
    fprintf(stderr, "CHECK: %s\n", what);
    abort();
}

static int read_faults(const uint8_t *data, size_t size, image_fault faults[]) {
    int count = 0;
    for (; size >= FAULT_BYTES && count < MAX_FAULTS; size -= FAULT_BYTES, data += FAULT_BYTES, count++) {
        faults[count] = (image_fault){data[0] % image_parts(), data[1] % FAULT_KINDS, data[2], 0};
        memcpy(&faults[count].value, data + 3, sizeof faults[count].value);
    }
    return count;
}

static void check_frame(const trajectory_info *info, const trajectory_frame *frame) {
    for (uint32_t i = 0; i < frame->count; i++) {
        if (i > 0 && frame->id[i] <= frame->id[i - 1]) fail("ids do not ascend");
        if (frame->species && frame->species[i] >= (uint32_t)info->species_count) fail("a species that does not exist");
        for (size_t a = 0; a < 3; a++) {
            if (!isfinite(frame->position[3 * (size_t)i + a])) fail("a position that is not finite");
            if (frame->velocity && !isfinite(frame->velocity[3 * (size_t)i + a])) fail("a velocity that is not finite");
        }
    }
    for (int a = 0; a < 3; a++)
        if (!(frame->box[a] > 0.0f)) fail("a box without a size");
}

/* All frames in a format that is one file, which is thrown away. */
static void export_all(trajectory_reader *reader, const export_format *format) {
    char *text = NULL;
    size_t length;
    const trajectory_frame *frame;
    dunlin_error error = {0};
    exporter e = {.info = reader_info(reader), .state = calloc(1, format->bytes + 1)};
    if (!e.state) fail("memory");
    e.file.stream = open_memstream(&text, &length);
    e.file.path = "nowhere";
    dunlin_result result = format->begin ? format->begin(&e, &error) : DUNLIN_OK;
    for (uint64_t f = 0; result == DUNLIN_OK && f < e.info->frames; f++) {
        result = reader_read(reader, f, &frame, &error);
        if (result == DUNLIN_OK) result = export_add(format, &e, frame, &error);
    }
    if (result == DUNLIN_OK && format->end) result = format->end(&e, &error);
    check_answer(result, &error, format->name);
    if (format->drop) format->drop(&e);
    free(e.state);
    fclose(e.file.stream);
    free(text);
}

static void write_state(const trajectory_info *info, const trajectory_frame *frame) {
    char *text = NULL;
    size_t length;
    dunlin_error error = {0};
    FILE *file = open_memstream(&text, &length);
    check_answer(trajectory_write_state("simulation.h5@1", info, frame, file, &error), &error, "trajectory_write_state");
    fclose(file);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    image_fault faults[MAX_FAULTS];
    if (size == 0) return 0;
    const int count = read_faults(data + 1, size - 1, faults);
    size_t bytes;
    void *image = image_make(data[0] & 1 ? 3 : 2, faults, count, &bytes);
    if (!image) fail("memory");
    trajectory_reader *reader;
    const trajectory_frame *frame;
    dunlin_error error = {0};
    dunlin_result result = reader_open_image("simulation.h5", image, bytes, &reader, &error);
    free(image);
    check_answer(result, &error, "reader_open_image");
    if ((result == DUNLIN_OK) != (reader != NULL)) fail("a reader without a trajectory, or the other way round");
    if (!reader) return 0;
    for (uint64_t f = 0; f < reader_info(reader)->frames; f++) {
        result = reader_read(reader, f, &frame, &error);
        check_answer(result, &error, "reader_read");
        if (result != DUNLIN_OK) continue;
        check_frame(reader_info(reader), frame);
        write_state(reader_info(reader), frame);
    }
    for (int i = 0; export_format_at(i); i++)
        if (!export_format_at(i)->is_folder) export_all(reader, export_format_at(i));
    reader_close(reader);
    return 0;
}
