/* SPDX-License-Identifier: MIT */
/*
 * GSD 2.0 with HOOMD's schema 1.4: chunks of data one after another, and behind them an index of 32 bytes per chunk, by frame
 * and name, and a list of names. The header is written last, since it says where these are.
 *
 * The schema puts a box around the origin, so positions are moved by half of the world's size and rounded once. Where they
 * must be the trajectory's bits, `log/particles/position` has them. Ids and attributes are in the log too.
 */
#include "harness/report/message.h"
#include "harness/export/export.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_UINT8 = 1, TYPE_UINT32 = 3, TYPE_UINT64 = 4, TYPE_INT8 = 5, TYPE_INT32 = 7, TYPE_FLOAT = 9, TYPE_DOUBLE = 10 };
static const uint8_t type_bytes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};

typedef struct header {
    uint64_t magic, index_at, index_entries, names_at, names_entries;
    uint32_t schema_version, version;
    char application[64], schema[64], reserved[80];
} header;

typedef struct entry {
    uint64_t frame, rows;
    int64_t at;
    uint32_t columns;
    uint16_t name;
    uint8_t type, flags;
} entry;

enum { NAME_BYTES = 64 }; /* of a block of the list */

static_assert(sizeof(header) == 256 && sizeof(entry) == 32, "as they are in the file");

/* The names that all files have, and the first of an attribute; a frame's chunks are in this order. */
enum { STEP, DIMENSIONS, BOX, COUNT, TYPES, TYPE_IDS, POSITION, VELOCITY, IMAGE, TIME, EXACT_POSITION, ID, ATTRIBUTES };
static const char *const names[] = {"configuration/step", "configuration/dimensions", "configuration/box",
                                    "particles/N",        "particles/types",          "particles/typeid",
                                    "particles/position", "particles/velocity",       "particles/image",
                                    "log/time",           "log/particles/position",   "log/particles/id"};
static_assert(sizeof names / sizeof *names == ATTRIBUTES, "a name each");

typedef struct gsd {
    entry *entries;
    size_t count, room;
    uint64_t frames, at; /* at: bytes written so far */
    float *moved;        /* a frame's positions around the origin */
} gsd;

static void put(exporter *e, const void *bytes, size_t count) {
    gsd *to = e->state;
    if (count) fwrite(bytes, 1, count, e->file.stream);
    to->at += count;
}

static dunlin_result begin(exporter *e, dunlin_error *error) {
    const header later = {0};
    put(e, &later, sizeof later);
    return output_file_check(&e->file, error);
}

/* ---- a frame ---------------------------------------------------------------------------------------------------------- */

static bool put_chunk(exporter *e, int name, uint8_t type, uint64_t rows, uint32_t columns, const void *values) {
    gsd *to = e->state;
    if (to->count == to->room) {
        const size_t room = to->room ? 2 * to->room : 256;
        entry *grown = realloc(to->entries, room * sizeof *grown);
        if (!grown) return false;
        to->entries = grown;
        to->room = room;
    }
    to->entries[to->count++] = (entry){to->frames, rows, (int64_t)to->at, columns, (uint16_t)name, type, 0};
    put(e, values, (size_t)rows * columns * type_bytes[type]);
    return true;
}

/* A row of 64 bytes for each. */
static bool put_types(exporter *e) {
    char *table = calloc((size_t)e->info->species_count, NAME_BYTES);
    if (!table) return false;
    for (int s = 0; s < e->info->species_count; s++) snprintf(table + s * NAME_BYTES, NAME_BYTES, "%s", e->info->species[s]);
    const bool is_put = put_chunk(e, TYPES, TYPE_INT8, (uint64_t)e->info->species_count, NAME_BYTES, table);
    free(table);
    return is_put;
}

static bool move(gsd *to, const trajectory_frame *frame, int dimensions) {
    const size_t numbers = 3 * (size_t)frame->count;
    float *moved = realloc(to->moved, numbers * sizeof *moved + 1);
    if (!moved) return false;
    to->moved = moved;
    for (size_t i = 0; i < numbers; i++) {
        const int axis = (int)(i % 3);
        moved[i] = axis < dimensions ? frame->position[i] - 0.5f * frame->box[axis] : 0.0f;
    }
    return true;
}

static bool put_configuration(exporter *e, const trajectory_frame *frame) {
    const uint8_t dimensions = (uint8_t)e->info->dimensions;
    const float box[6] = {frame->box[0], frame->box[1], dimensions == 3 ? frame->box[2] : 0.0f};
    return put_chunk(e, STEP, TYPE_UINT64, 1, 1, &frame->step) && put_chunk(e, DIMENSIONS, TYPE_UINT8, 1, 1, &dimensions) &&
           put_chunk(e, BOX, TYPE_FLOAT, 6, 1, box) && put_chunk(e, COUNT, TYPE_UINT32, 1, 1, &frame->count) &&
           (!e->info->has_species || ((const gsd *)e->state)->frames > 0 || put_types(e));
}

/* Where they are not known, each is as wrong as can be: without the chunk, readers take 0 for granted. */
static bool put_images(exporter *e, const trajectory_frame *frame) {
    if (frame->image) return put_chunk(e, IMAGE, TYPE_INT32, frame->count, 3, frame->image);
    int32_t *unknown = malloc(3 * (size_t)frame->count * sizeof *unknown + 1);
    for (size_t i = 0; unknown && i < 3 * (size_t)frame->count; i++) unknown[i] = INT32_MIN;
    const bool is_put = unknown && put_chunk(e, IMAGE, TYPE_INT32, frame->count, 3, unknown);
    free(unknown);
    return is_put;
}

static bool put_agents(exporter *e, const trajectory_frame *frame) {
    const gsd *to = e->state;
    const uint32_t count = frame->count;
    bool is_put = !frame->species || put_chunk(e, TYPE_IDS, TYPE_UINT32, count, 1, frame->species);
    is_put = is_put && put_chunk(e, POSITION, TYPE_FLOAT, count, 3, to->moved);
    is_put = is_put && (!frame->velocity || put_chunk(e, VELOCITY, TYPE_FLOAT, count, 3, frame->velocity));
    if (e->info->has_image) is_put = is_put && put_images(e, frame);
    is_put = is_put && put_chunk(e, TIME, TYPE_DOUBLE, 1, 1, &frame->time);
    is_put = is_put && put_chunk(e, EXACT_POSITION, TYPE_FLOAT, count, 3, frame->position);
    is_put = is_put && put_chunk(e, ID, TYPE_UINT32, count, 1, frame->id);
    for (int i = 0; i < e->info->attribute_count && is_put; i++)
        is_put = put_chunk(e, ATTRIBUTES + i, TYPE_FLOAT, count, 1, frame->attribute[i]);
    return is_put;
}

static dunlin_result add(exporter *e, const trajectory_frame *frame, dunlin_error *error) {
    gsd *to = e->state;
    if (!move(to, frame, e->info->dimensions) || !put_configuration(e, frame) || !put_agents(e, frame))
        return export_fail_memory(error);
    to->frames++;
    return output_file_check(&e->file, error);
}

/* ---- the end ---------------------------------------------------------------------------------------------------------- */

/* The names one after another, each with its terminator, and zeros up to whole blocks. Returns how many blocks. */
static uint64_t put_names(exporter *e) {
    static const char zeros[NAME_BYTES];
    const gsd *to = e->state;
    const uint64_t start = to->at;
    for (int i = 0; i < ATTRIBUTES; i++) put(e, names[i], strlen(names[i]) + 1);
    for (int i = 0; i < e->info->attribute_count; i++) {
        char name[128];
        put(e, name, (size_t)snprintf(name, sizeof name, "log/particles/%s", e->info->attributes[i]) + 1);
    }
    const uint64_t blocks = (to->at - start) / NAME_BYTES + 1;
    put(e, zeros, (size_t)(start + blocks * NAME_BYTES - to->at));
    return blocks;
}

static dunlin_result end(exporter *e, dunlin_error *error) {
    gsd *to = e->state;
    header head = {.magic = 0x65DF65DF65DF65DF, .index_entries = to->count, .schema_version = 1 << 16 | 4, .version = 2 << 16};
    snprintf(head.application, sizeof head.application, "dunlin %s", dunlin_version());
    snprintf(head.schema, sizeof head.schema, "hoomd");
    head.index_at = to->at;
    put(e, to->entries, to->count * sizeof *to->entries);
    head.names_at = to->at;
    head.names_entries = put_names(e);
    if (fseeko(e->file.stream, 0, SEEK_SET) != 0)
        return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: %s", e->file.path, strerror(errno));
    put(e, &head, sizeof head);
    return output_file_check(&e->file, error);
}

static void drop(exporter *e) {
    gsd *to = e->state;
    free(to->entries);
    free(to->moved);
}

const export_format export_gsd = {.name = "gsd",
                                  .ending = ".gsd",
                                  .is_binary = true,
                                  .bytes = sizeof(gsd),
                                  .begin = begin,
                                  .add = add,
                                  .end = end,
                                  .drop = drop};
