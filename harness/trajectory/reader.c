/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/reader.h"
#include "harness/report/message.h"
#include "harness/trajectory/datasets.h"
#include "harness/trajectory/driver.h"
#include "harness/trajectory/layout.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_LINK = 256,
    MAX_NAMES = DUNLIN_MAX_SPECIES * DUNLIN_MAX_ATTRIBUTES,
    MAX_PREAMBLE = 1 << 24,
    MAX_CELLS = 1 << 28,
    MAX_TRACES = 1 << 16
};

/* A data set with a value, or three, for each of a frame's rows. */
typedef struct column {
    char path[MAX_LINK];
    hid_t set; /* below 0: not recorded */
    hid_t type;
    int components;
    size_t bytes;
    hsize_t rows; /* that any frame may have */
} column;

enum { ID, SPECIES, SLOT, POSITION, VELOCITY, IMAGE, ATTRIBUTES };

struct trajectory_reader {
    hdf5_source from;
    trajectory_info info;
    uint64_t *step, *rows, *state_hash; /* [info.frames] */
    double *time;                       /* [info.frames] */
    column *columns;                    /* [ATTRIBUTES + info.attribute_count] */
    hid_t box, preambles;
    hsize_t preamble_bytes;
    trajectory_frame frame;
    hid_t *trace_sets;         /* [info.trace_count] */
    dunlin_trace_view *traces; /* likewise */
    int8_t *numbers;           /* of species, as they are in the file */
    int32_t *images;           /* likewise */
    uint32_t room;             /* rows of the frame's arrays */
};

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

static dunlin_result fail_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a trajectory");
}

static dunlin_result fail_open(const char *path, const char *why, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s: cannot be read: %s", path, why);
}

/* Whether another program may write to it at the same time. Files that HDF5's tools rewrote may have another superblock. */
static bool may_grow(const char *path) {
    unsigned char superblock[SUPERBLOCK_BYTES] = {0};
    FILE *file = fopen(path, "rb");
    const bool is_read = file && fread(superblock, sizeof superblock, 1, file) == 1;
    if (file) fclose(file);
    return is_read && superblock_is_known(superblock);
}

/* HDF5 takes a file for truncated that grows after HDF5 has asked for its size; at the next try it has another size. */
static hid_t open_growing(const char *path, hid_t access) {
    enum { TRIES = 50 };
    const struct timespec pause = {.tv_nsec = 10000000};
    hid_t file = H5I_INVALID_HID;
    for (int i = 0; i < TRIES && file < 0; i++) {
        if (i > 0) nanosleep(&pause, NULL);
        file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    }
    return file;
}

static hid_t open_file(const char *path) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, false, true);  /* which writers need not wait for */
    H5Pset_metadata_read_attempts(access, 28); /* each waits twice as long, half a second in all; by default for hours */
    const hid_t file = may_grow(path) ? open_growing(path, access) : H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

/* The frames are those of /step, which grows last. Everything else is opened after it, and so is at least as long. */
static dunlin_result read_steps(trajectory_reader *t, dunlin_error *error) {
    hid_t set;
    hsize_t frames = 0;
    dunlin_result result =
        hdf5_open(&t->from, TRAJECTORY_STEP, H5T_NATIVE_INT64, 1, (const hsize_t[]){0}, &set, &frames, error);
    if (result == DUNLIN_OK && !hdf5_can_hold(&t->from, frames, sizeof *t->step))
        result = hdf5_fail(&t->from, TRAJECTORY_STEP, "says that there are more frames than the file can hold", error);
    if (result == DUNLIN_OK) {
        t->step = calloc((size_t)frames + 1, sizeof *t->step);
        result = t->step ? hdf5_read(&t->from, TRAJECTORY_STEP, set, H5T_NATIVE_INT64, 1, (const hsize_t[]){0}, &frames,
                                     t->step, error)
                         : fail_memory(error);
    }
    t->info.frames = frames;
    for (uint64_t f = 0; f < frames && result == DUNLIN_OK; f++)
        if (t->step[f] > INT64_MAX || (f > 0 && t->step[f] <= t->step[f - 1]))
            result = hdf5_fail(&t->from, TRAJECTORY_STEP, "does not ascend from 0 or more", error);
    if (set >= 0) H5Dclose(set);
    return result;
}

/* A number for each frame. */
static dunlin_result read_of_frames(trajectory_reader *t, const char *path, hid_t type, void **values, dunlin_error *error) {
    hid_t set;
    const hsize_t frames = t->info.frames;
    hsize_t extent;
    *values = calloc((size_t)frames + 1, sizeof(double));
    if (!*values) return fail_memory(error);
    dunlin_result result = hdf5_open(&t->from, path, type, 1, &frames, &set, &extent, error);
    if (result == DUNLIN_OK) result = hdf5_read(&t->from, path, set, type, 1, (const hsize_t[]){0}, &frames, *values, error);
    if (set >= 0) H5Dclose(set);
    return result;
}

/* Of a column that may be missing. */
static dunlin_result open_column(trajectory_reader *t, int number, const char *path, hid_t type, int components,
                                 dunlin_error *error) {
    column *c = &t->columns[number];
    *c = (column){
        .set = H5I_INVALID_HID, .type = type, .components = components, .bytes = H5Tget_size(type) * (size_t)components};
    snprintf(c->path, sizeof c->path, "%s", path);
    if (!hdf5_has(&t->from, path)) return DUNLIN_OK;
    hsize_t extent[3] = {0};
    const hsize_t least[] = {t->info.frames, 0, (hsize_t)components};
    const dunlin_result result = hdf5_open(&t->from, path, type, components > 1 ? 3 : 2, least, &c->set, extent, error);
    c->rows = extent[1];
    if (result == DUNLIN_OK && components > 1 && extent[2] != (hsize_t)components)
        return hdf5_fail(&t->from, path, "has another number of components than 3", error);
    return result;
}

static dunlin_result open_attributes(trajectory_reader *t, dunlin_error *error) {
    char **all;
    int count;
    dunlin_result result = hdf5_read_texts(&t->from, TRAJECTORY_PARAMETERS, "attributes", MAX_NAMES, &all, &count, error);
    t->info.attributes = all;
    t->columns = result == DUNLIN_OK ? calloc((size_t)(ATTRIBUTES + count), sizeof *t->columns) : NULL;
    if (result == DUNLIN_OK && !t->columns) return fail_memory(error);
    for (int c = 0; c < ATTRIBUTES && t->columns; c++) t->columns[c].set = H5I_INVALID_HID;
    for (int i = 0; i < count && result == DUNLIN_OK; i++) {
        char path[MAX_LINK], link[DUNLIN_NAME_LENGTH];
        trajectory_link(all[i], i, link);
        snprintf(path, sizeof path, TRAJECTORY_AGENTS "/%s/value", link);
        result = open_column(t, ATTRIBUTES + t->info.attribute_count, path, H5T_NATIVE_FLOAT, 1, error);
        if (t->columns[ATTRIBUTES + t->info.attribute_count].set < 0) continue;
        all[t->info.attribute_count++] = all[i];
    }
    return result;
}

static dunlin_result open_columns(trajectory_reader *t, dunlin_error *error) {
    dunlin_result result = open_attributes(t, error);
    if (result == DUNLIN_OK) result = open_column(t, ID, TRAJECTORY_ID, H5T_NATIVE_INT32, 1, error);
    if (result == DUNLIN_OK) result = open_column(t, SPECIES, TRAJECTORY_SPECIES, H5T_NATIVE_INT8, 1, error);
    if (result == DUNLIN_OK) result = open_column(t, SLOT, TRAJECTORY_SLOT, H5T_NATIVE_INT32, 1, error);
    if (result == DUNLIN_OK) result = open_column(t, POSITION, TRAJECTORY_POSITION, H5T_NATIVE_FLOAT, 3, error);
    if (result == DUNLIN_OK) result = open_column(t, VELOCITY, TRAJECTORY_VELOCITY, H5T_NATIVE_FLOAT, 3, error);
    if (result == DUNLIN_OK) result = open_column(t, IMAGE, TRAJECTORY_IMAGE, H5T_NATIVE_INT32, 3, error);
    if (result != DUNLIN_OK) return result;
    for (int i = 0; i < 2; i++) {
        const column *needed = &t->columns[i == 0 ? ID : POSITION];
        if (needed->set < 0) return hdf5_fail(&t->from, needed->path, "is missing", error);
    }
    t->info.has_species = t->columns[SPECIES].set >= 0;
    t->info.has_velocity = t->columns[VELOCITY].set >= 0;
    t->info.has_image = t->columns[IMAGE].set >= 0;
    return DUNLIN_OK;
}

/* ---- traces ----------------------------------------------------------------------------------------------------------- */

static void name_trace(char path[MAX_LINK], int trace) {
    snprintf(path, MAX_LINK, TRAJECTORY_TRACE "%d/value", trace);
}

static dunlin_result open_trace(trajectory_reader *t, int trace, dunlin_error *error) {
    char path[MAX_LINK];
    const hsize_t least[] = {t->info.frames, 1, 1, 1};
    hsize_t extent[4];
    name_trace(path, trace);
    const dunlin_result result = hdf5_open(&t->from, path, H5T_NATIVE_FLOAT, 4, least, &t->trace_sets[trace], extent, error);
    if (result != DUNLIN_OK) return result;
    hsize_t cells = 1;
    for (int a = 0; a < 3; a++) {
        const hsize_t count = extent[3 - a] < MAX_CELLS ? extent[3 - a] : MAX_CELLS + 1;
        cells = cells <= MAX_CELLS ? cells * count : cells;
        t->traces[trace].cells[a] = (int)count;
    }
    if (cells > MAX_CELLS || !hdf5_can_hold(&t->from, cells, sizeof(float)))
        return hdf5_fail(&t->from, path, "has more cells than a trace or the file can have", error);
    return DUNLIN_OK;
}

static dunlin_result open_traces(trajectory_reader *t, dunlin_error *error) {
    char path[MAX_LINK];
    int64_t traces = 0;
    dunlin_result result = hdf5_read_number(&t->from, TRAJECTORY_PARAMETERS, TRAJECTORY_TRACES, &traces, error);
    if (result == DUNLIN_OK && (traces < 0 || traces > MAX_TRACES))
        return hdf5_fail(&t->from, TRAJECTORY_PARAMETERS, "has a number of traces that no world has", error);
    if (result != DUNLIN_OK) return result;
    t->info.traces = (int)traces;
    t->trace_sets = calloc((size_t)traces + 1, sizeof *t->trace_sets);
    t->traces = calloc((size_t)traces + 1, sizeof *t->traces);
    if (!t->trace_sets || !t->traces) return fail_memory(error);
    for (int i = 0; i < traces && result == DUNLIN_OK; i++) {
        name_trace(path, i);
        if (!hdf5_has(&t->from, path)) break;
        t->info.trace_count++;
        result = open_trace(t, i, error);
    }
    return result;
}

static dunlin_result read_trace(trajectory_reader *t, int trace, uint64_t frame, dunlin_error *error) {
    dunlin_trace_view *view = &t->traces[trace];
    char path[MAX_LINK];
    hsize_t count[4] = {1};
    size_t cells = 1;
    bool is_sound = true;
    for (int a = 0; a < 3; a++) cells *= (size_t)(count[3 - a] = (hsize_t)view->cells[a]);
    if (!view->values) view->values = malloc(cells * sizeof *view->values);
    if (!view->values) return fail_memory(error);
    name_trace(path, trace);
    const dunlin_result result = hdf5_read(&t->from, path, t->trace_sets[trace], H5T_NATIVE_FLOAT, 4,
                                           (const hsize_t[]){frame, 0, 0, 0}, count, view->values, error);
    if (result != DUNLIN_OK) return result;
    for (size_t i = 0; i < cells; i++) is_sound = is_sound && view->values[i] >= 0.0f && view->values[i] <= 1e18f;
    return is_sound ? DUNLIN_OK : hdf5_fail(&t->from, path, "has numbers that no trace has", error);
}

dunlin_result reader_read_traces(trajectory_reader *t, uint64_t frame, const dunlin_trace_view **views, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    *views = t->traces;
    for (int i = 0; i < t->info.trace_count && result == DUNLIN_OK; i++) result = read_trace(t, i, frame, error);
    return result;
}

static void close_traces(trajectory_reader *t) {
    for (int i = 0; i < t->info.trace_count; i++) {
        if (t->trace_sets[i] >= 0) H5Dclose(t->trace_sets[i]);
        free(t->traces[i].values);
    }
    free(t->trace_sets);
    free(t->traces);
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

static dunlin_result open_rest(trajectory_reader *t, dunlin_error *error) {
    hsize_t extent[2] = {0};
    const hsize_t three[] = {t->info.frames, 3}, any[] = {t->info.frames, 0};
    dunlin_result result = hdf5_open(&t->from, TRAJECTORY_BOX, H5T_NATIVE_DOUBLE, 2, three, &t->box, extent, error);
    if (result != DUNLIN_OK) return result;
    result = hdf5_open(&t->from, TRAJECTORY_PREAMBLE, H5T_NATIVE_UINT8, 2, any, &t->preambles, extent, error);
    t->preamble_bytes = extent[1];
    if (result == DUNLIN_OK && extent[1] > MAX_PREAMBLE)
        result = hdf5_fail(&t->from, TRAJECTORY_PREAMBLE, "is too long", error);
    return result;
}

static dunlin_result read_boundary(trajectory_reader *t, dunlin_error *error) {
    char **boundary;
    int count;
    const dunlin_result result = hdf5_read_texts(&t->from, TRAJECTORY_AGENTS "/box", "boundary", 3, &boundary, &count, error);
    for (int a = 0; a < 3; a++) t->info.is_periodic[a] = a < count && strcmp(boundary[a], "periodic") == 0;
    free(boundary);
    return result;
}

static dunlin_result read_facts(trajectory_reader *t, dunlin_error *error) {
    trajectory_info *info = &t->info;
    int64_t format = 0, dimensions = 0, seed = 0, precision = 0, is_complete = 0;
    const char *at = TRAJECTORY_PARAMETERS;
    dunlin_result result = hdf5_read_number(&t->from, at, "format", &format, error);
    if (result == DUNLIN_OK && format != TRAJECTORY_FORMAT)
        return hdf5_fail(&t->from, at, "is of another version of Dunlin's trajectories than this program reads", error);
    if (result == DUNLIN_OK) result = hdf5_read_number(&t->from, at, "dimensions", &dimensions, error);
    if (result == DUNLIN_OK && dimensions != 2 && dimensions != 3)
        return hdf5_fail(&t->from, at, "has neither 2 nor 3 dimensions", error);
    if (result == DUNLIN_OK) result = hdf5_read_number(&t->from, at, "seed", &seed, error);
    if (result == DUNLIN_OK) result = hdf5_read_number(&t->from, at, "precision", &precision, error);
    if (result == DUNLIN_OK) result = hdf5_read_number(&t->from, at, TRAJECTORY_IS_COMPLETE, &is_complete, error);
    if (result == DUNLIN_OK)
        result = hdf5_read_texts(&t->from, at, "species", DUNLIN_MAX_SPECIES, &info->species, &info->species_count, error);
    info->dimensions = (int)dimensions;
    info->seed = (uint64_t)seed;
    info->precision = precision > 0 && precision < 24 ? (int)precision : 0;
    info->is_complete = is_complete == 1;
    return result;
}

static dunlin_result open_parts(trajectory_reader *t, dunlin_error *error) {
    t->from.bytes = 0;
    hsize_t bytes;
    if (H5Fget_filesize(t->from.file, &bytes) >= 0) t->from.bytes = bytes;
    if (!hdf5_has(&t->from, TRAJECTORY_PARAMETERS))
        return fail_open(t->from.name, "it is HDF5, but not a trajectory of Dunlin's", error);
    dunlin_result result = read_facts(t, error);
    if (result == DUNLIN_OK) result = read_boundary(t, error);
    if (result == DUNLIN_OK) result = read_steps(t, error);
    if (result == DUNLIN_OK) result = read_of_frames(t, TRAJECTORY_TIME, H5T_NATIVE_DOUBLE, (void **)&t->time, error);
    if (result == DUNLIN_OK) result = read_of_frames(t, TRAJECTORY_ROWS, H5T_NATIVE_INT64, (void **)&t->rows, error);
    if (result == DUNLIN_OK)
        result = read_of_frames(t, TRAJECTORY_STATE_HASH, H5T_NATIVE_UINT64, (void **)&t->state_hash, error);
    if (result == DUNLIN_OK) result = open_columns(t, error);
    if (result == DUNLIN_OK) result = open_traces(t, error);
    if (result == DUNLIN_OK) result = open_rest(t, error);
    if (result == DUNLIN_OK && t->info.frames == 0) result = fail_open(t->from.name, "it has no frame yet", error);
    return result;
}

static dunlin_result open_all(const char *name, hid_t file, trajectory_reader **opened, dunlin_error *error) {
    trajectory_reader *t = *opened = calloc(1, sizeof *t);
    if (!t) {
        H5Fclose(file);
        return fail_memory(error);
    }
    t->from = (hdf5_source){.file = file, .name = name};
    t->box = t->preambles = H5I_INVALID_HID;
    const dunlin_result result = open_parts(t, error);
    if (result != DUNLIN_OK) {
        reader_close(t);
        *opened = NULL;
    }
    return result;
}

dunlin_result reader_open(const char *path, trajectory_reader **opened, dunlin_error *error) {
    *opened = NULL;
    if (access(path, R_OK) != 0) return fail_open(path, strerror(errno), error);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = open_file(path);
    return file < 0 ? fail_open(path, "it is not HDF5, or damaged", error) : open_all(path, file, opened, error);
}

dunlin_result reader_open_image(const char *name, const void *bytes, size_t count, trajectory_reader **opened,
                                dunlin_error *error) {
    *opened = NULL;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t in_memory = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(in_memory, 1 << 16, false);
    /* HDF5 copies the bytes and does not change these. */
    const bool is_set = H5Pset_file_image(in_memory, (void *)(uintptr_t)bytes, count) >= 0;
    /* HDF5 refuses the name of a file that exists. */
    const hid_t file = is_set ? H5Fopen("no/such/file", H5F_ACC_RDONLY, in_memory) : H5I_INVALID_HID;
    H5Pclose(in_memory);
    return file < 0 ? fail_open(name, "it is not HDF5, or damaged", error) : open_all(name, file, opened, error);
}

dunlin_result reader_open_copy(const char *name, FILE *file, trajectory_reader **opened, dunlin_error *error) {
    struct stat status;
    *opened = NULL;
    if (fstat(fileno(file), &status) != 0 || status.st_size == 0) return fail_open(name, "it is empty", error);
    const size_t count = (size_t)status.st_size;
    void *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    if (bytes == MAP_FAILED) return fail_open(name, strerror(errno), error);
    const dunlin_result result = reader_open_image(name, bytes, count, opened, error);
    munmap(bytes, count);
    return result;
}

static void free_frame(trajectory_frame *frame, int attributes) {
    free(frame->id);
    free(frame->species);
    free(frame->slot);
    free(frame->position);
    free(frame->velocity);
    for (int i = 0; i < attributes && frame->attribute; i++) free(frame->attribute[i]);
    free(frame->attribute);
    free(frame->preamble);
}

void reader_close(trajectory_reader *t) {
    if (!t) return;
    free_frame(&t->frame, t->info.attribute_count);
    for (int c = 0; c < ATTRIBUTES + t->info.attribute_count && t->columns; c++)
        if (t->columns[c].set >= 0) H5Dclose(t->columns[c].set);
    close_traces(t);
    if (t->box >= 0) H5Dclose(t->box);
    if (t->preambles >= 0) H5Dclose(t->preambles);
    H5Fclose(t->from.file);
    free(t->columns);
    free(t->info.species);
    free(t->info.attributes);
    free(t->step);
    free(t->rows);
    free(t->state_hash);
    free(t->time);
    free(t->numbers);
    free(t->images);
    free(t);
}

const trajectory_info *reader_info(const trajectory_reader *t) {
    return &t->info;
}

uint64_t reader_step(const trajectory_reader *t, uint64_t frame) {
    return t->step[frame];
}

/* ---- a frame ---------------------------------------------------------------------------------------------------------- */

static bool grow(void *array, size_t bytes) {
    void *grown = realloc(*(void **)array, bytes);
    if (grown) *(void **)array = grown;
    return grown;
}

static bool reserve(trajectory_reader *t, uint32_t rows) {
    trajectory_frame *frame = &t->frame;
    const int attributes = t->info.attribute_count;
    const size_t words = ((size_t)rows + 1) * sizeof(uint32_t);
    if (!frame->attribute) frame->attribute = calloc((size_t)attributes + 1, sizeof *frame->attribute);
    if (!frame->preamble) frame->preamble = calloc(1, (size_t)t->preamble_bytes + 1);
    if (!frame->attribute || !frame->preamble) return false;
    if (frame->id && rows <= t->room) return true;
    bool is_grown = grow(&frame->id, words);
    if (t->info.has_species) is_grown = is_grown && grow(&frame->species, words) && grow(&t->numbers, (size_t)rows + 1);
    if (t->columns[SLOT].set >= 0) is_grown = is_grown && grow(&frame->slot, words);
    is_grown = is_grown && grow(&frame->position, 3 * words);
    if (t->info.has_velocity) is_grown = is_grown && grow(&frame->velocity, 3 * words);
    if (t->info.has_image) is_grown = is_grown && grow(&t->images, 3 * words);
    for (int i = 0; i < attributes; i++) is_grown = is_grown && grow(&frame->attribute[i], words);
    if (is_grown) t->room = rows;
    return is_grown;
}

static dunlin_result read_column(trajectory_reader *t, int number, uint64_t frame, void *values, dunlin_error *error) {
    const column *c = &t->columns[number];
    const hsize_t start[] = {frame, 0, 0}, count[] = {1, t->frame.count, (hsize_t)c->components};
    if (c->set < 0 || t->frame.count == 0) return DUNLIN_OK;
    if (c->rows < t->frame.count) return hdf5_fail(&t->from, c->path, "has fewer rows than the frame", error);
    return hdf5_read(&t->from, c->path, c->set, c->type, c->components > 1 ? 3 : 2, start, count, values, error);
}

static dunlin_result read_ids(trajectory_reader *t, uint64_t number, dunlin_error *error) {
    trajectory_frame *frame = &t->frame;
    const dunlin_result result = read_column(t, ID, number, frame->id, error);
    bool ascends = frame->count == 0 || frame->id[frame->count - 1] < UINT32_MAX;
    for (uint32_t i = 1; i < frame->count; i++) ascends = ascends && frame->id[i] > frame->id[i - 1];
    return result != DUNLIN_OK || ascends ? result : hdf5_fail(&t->from, TRAJECTORY_ID, "has ids that do not ascend", error);
}

static dunlin_result read_species(trajectory_reader *t, uint64_t number, dunlin_error *error) {
    trajectory_frame *frame = &t->frame;
    bool exists = true;
    if (!t->info.has_species) return DUNLIN_OK;
    const dunlin_result result = read_column(t, SPECIES, number, t->numbers, error);
    if (result != DUNLIN_OK) return result;
    for (uint32_t i = 0; i < frame->count; i++) {
        exists = exists && t->numbers[i] >= 0 && t->numbers[i] < t->info.species_count;
        frame->species[i] = (uint32_t)t->numbers[i];
    }
    return exists ? DUNLIN_OK : hdf5_fail(&t->from, TRAJECTORY_SPECIES, "has a number that no species has", error);
}

static dunlin_result read_vectors(trajectory_reader *t, int number, uint64_t frame, float *values, dunlin_error *error) {
    const dunlin_result result = read_column(t, number, frame, values, error);
    if (result != DUNLIN_OK || !values) return result;
    bool is_finite = true;
    for (size_t i = 0; i < 3 * (size_t)t->frame.count; i++) is_finite = is_finite && isfinite(values[i]);
    return is_finite ? DUNLIN_OK : hdf5_fail(&t->from, t->columns[number].path, "has numbers that are not finite", error);
}

static dunlin_result read_images(trajectory_reader *t, uint64_t number, dunlin_error *error) {
    const dunlin_result result = read_column(t, IMAGE, number, t->images, error);
    bool is_known = t->info.has_image;
    if (result != DUNLIN_OK) return result;
    for (size_t i = 0; i < 3 * (size_t)t->frame.count && is_known; i++) is_known = t->images[i] != TRAJECTORY_NO_IMAGE;
    t->frame.image = is_known ? t->images : NULL;
    return DUNLIN_OK;
}

static dunlin_result read_attribute(trajectory_reader *t, int number, uint64_t frame, dunlin_error *error) {
    float *values = t->frame.attribute[number];
    const dunlin_result result = read_column(t, ATTRIBUTES + number, frame, values, error);
    for (uint32_t i = 0; i < t->frame.count && result == DUNLIN_OK; i++)
        if (values[i] == TRAJECTORY_FILL) values[i] = NAN;
    return result;
}

static dunlin_result read_box(trajectory_reader *t, uint64_t number, dunlin_error *error) {
    double box[3];
    dunlin_result result = hdf5_read(&t->from, TRAJECTORY_BOX, t->box, H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){number, 0},
                                     (const hsize_t[]){1, 3}, box, error);
    for (int a = 0; a < 3 && result == DUNLIN_OK; a++) {
        if (!((float)box[a] >= 1e-9f && (float)box[a] <= 1e9f))
            result = hdf5_fail(&t->from, TRAJECTORY_BOX, "has a size that no world has", error);
        t->frame.box[a] = (float)box[a];
    }
    return result;
}

static dunlin_result read_preamble(trajectory_reader *t, uint64_t number, dunlin_error *error) {
    if (t->preamble_bytes == 0) return DUNLIN_OK;
    return hdf5_read(&t->from, TRAJECTORY_PREAMBLE, t->preambles, H5T_NATIVE_UINT8, 2, (const hsize_t[]){number, 0},
                     (const hsize_t[]){1, t->preamble_bytes}, t->frame.preamble, error);
}

static dunlin_result check_rows(const trajectory_reader *t, uint64_t rows, dunlin_error *error) {
    if (rows <= DUNLIN_MAX_AGENTS && rows <= t->columns[ID].rows && hdf5_can_hold(&t->from, rows, sizeof(uint32_t)))
        return DUNLIN_OK;
    return hdf5_fail(&t->from, TRAJECTORY_ROWS, "says that a frame has more agents than " TRAJECTORY_ID " can have", error);
}

dunlin_result reader_read(trajectory_reader *t, uint64_t number, const trajectory_frame **read, dunlin_error *error) {
    trajectory_frame *frame = &t->frame;
    dunlin_result result = check_rows(t, t->rows[number], error);
    if (result != DUNLIN_OK) return result;
    if (!reserve(t, (uint32_t)t->rows[number])) return fail_memory(error);
    frame->step = t->step[number];
    frame->time = t->time[number];
    frame->state_hash = t->state_hash[number];
    frame->count = (uint32_t)t->rows[number];
    result = read_ids(t, number, error);
    if (result == DUNLIN_OK) result = read_species(t, number, error);
    if (result == DUNLIN_OK) result = read_column(t, SLOT, number, frame->slot, error);
    if (result == DUNLIN_OK) result = read_vectors(t, POSITION, number, frame->position, error);
    if (result == DUNLIN_OK) result = read_vectors(t, VELOCITY, number, frame->velocity, error);
    if (result == DUNLIN_OK) result = read_images(t, number, error);
    for (int i = 0; i < t->info.attribute_count && result == DUNLIN_OK; i++) result = read_attribute(t, i, number, error);
    if (result == DUNLIN_OK) result = read_box(t, number, error);
    if (result == DUNLIN_OK) result = read_preamble(t, number, error);
    *read = frame;
    return result;
}
