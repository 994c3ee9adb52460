/* SPDX-License-Identifier: MIT */
/*
 * VTKHDF 1.0: a file per frame, each an unstructured grid with a cell for each agent, so that ParaView can select some, and a
 * list of them with their times.
 * Newer versions of the format keep all frames in one file, but ParaView 5.11, which Debian 12 has, does not read those.
 */
#include "harness/export/export.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct vtkhdf {
    double *times; /* [count] */
    uint64_t *steps;
    size_t count, room;
    int64_t *numbers; /* [most + 1] 0, 1, 2, ... */
    uint8_t *types;   /* [most] of cells */
    size_t most;
} vtkhdf;

enum { VTK_VERTEX = 1 };

/* ---- HDF5 ------------------------------------------------------------------------------------------------------------- */

/* A data set of rows × columns; columns 0: it has one dimension. */
static bool put(hid_t group, const char *name, hid_t type, hsize_t rows, hsize_t columns, const void *values) {
    const hsize_t size[] = {rows, columns};
    const hid_t space = H5Screate_simple(columns ? 2 : 1, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false); /* the same frame gives the same bytes */
    const hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const bool is_put = set >= 0 && (rows == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (set >= 0) H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
    return is_put;
}

static bool put_attribute(hid_t group, const char *name, hid_t type, hid_t space, const void *value) {
    const hid_t attribute = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_put = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    return is_put;
}

static bool put_type(hid_t root) {
    static const int64_t version[] = {1, 0};
    static const char type[] = "UnstructuredGrid";
    const hid_t pair = H5Screate_simple(1, &(hsize_t){2}, NULL), one = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, sizeof type - 1);
    const bool is_put =
        put_attribute(root, "Version", H5T_NATIVE_INT64, pair, version) && put_attribute(root, "Type", text, one, type);
    H5Tclose(text);
    H5Sclose(one);
    H5Sclose(pair);
    return is_put;
}

/* ---- a frame ---------------------------------------------------------------------------------------------------------- */

/* The cell of a number begins at its own number and has the agent of that number. */
static bool put_cells(hid_t root, const vtkhdf *to, const trajectory_frame *frame) {
    const int64_t count = frame->count;
    return put(root, "NumberOfPoints", H5T_NATIVE_INT64, 1, 0, &count) &&
           put(root, "NumberOfCells", H5T_NATIVE_INT64, 1, 0, &count) &&
           put(root, "NumberOfConnectivityIds", H5T_NATIVE_INT64, 1, 0, &count) &&
           put(root, "Points", H5T_NATIVE_FLOAT, frame->count, 3, frame->position) &&
           put(root, "Connectivity", H5T_NATIVE_INT64, frame->count, 0, to->numbers) &&
           put(root, "Offsets", H5T_NATIVE_INT64, (hsize_t)frame->count + 1, 0, to->numbers) &&
           put(root, "Types", H5T_NATIVE_UINT8, frame->count, 0, to->types);
}

static bool put_points(hid_t group, const trajectory_info *info, const trajectory_frame *frame) {
    bool is_put = put(group, "id", H5T_NATIVE_UINT32, frame->count, 0, frame->id);
    if (frame->species) is_put = is_put && put(group, "species", H5T_NATIVE_UINT32, frame->count, 0, frame->species);
    if (frame->velocity) is_put = is_put && put(group, "velocity", H5T_NATIVE_FLOAT, frame->count, 3, frame->velocity);
    if (frame->image) is_put = is_put && put(group, "image", H5T_NATIVE_INT32, frame->count, 3, frame->image);
    char word[EXPORT_WORD];
    for (int i = 0; i < info->attribute_count && is_put; i++)
        is_put = put(group, export_word(info->attributes[i], word), H5T_NATIVE_FLOAT, frame->count, 0, frame->attribute[i]);
    return is_put;
}

static bool put_facts(hid_t group, const trajectory_frame *frame) {
    return put(group, "step", H5T_NATIVE_UINT64, 1, 0, &frame->step) &&
           put(group, "time", H5T_NATIVE_DOUBLE, 1, 0, &frame->time);
}

static bool put_frame(hid_t image, const exporter *e, const trajectory_frame *frame) {
    const hid_t root = H5Gcreate2(image, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t points = H5Gcreate2(root, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t facts = H5Gcreate2(root, "FieldData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_put =
        put_type(root) && put_cells(root, e->state, frame) && put_points(points, e->info, frame) && put_facts(facts, frame);
    H5Gclose(facts);
    H5Gclose(points);
    H5Gclose(root);
    return is_put;
}

/* The file's bytes; free() them. NULL: out of memory. */
static void *make_image(const exporter *e, const trajectory_frame *frame, size_t *bytes) {
    const hid_t in_memory = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(in_memory, 1 << 20, false);
    const hid_t image = H5Fcreate("frame", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory);
    H5Pclose(in_memory);
    if (image < 0) return NULL;
    bool is_made = put_frame(image, e, frame) && H5Fflush(image, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t size = is_made ? H5Fget_file_image(image, NULL, 0) : 0;
    void *made = size > 0 ? malloc((size_t)size) : NULL;
    if (made && H5Fget_file_image(image, made, (size_t)size) != size) {
        free(made);
        made = NULL;
    }
    H5Fclose(image);
    *bytes = (size_t)size;
    return made;
}

/* ---- the files -------------------------------------------------------------------------------------------------------- */

static bool reserve(vtkhdf *to, const trajectory_frame *frame) {
    if (to->count == to->room) {
        const size_t room = to->room ? 2 * to->room : 256;
        double *times = realloc(to->times, room * sizeof *times);
        if (times) to->times = times;
        uint64_t *steps = times ? realloc(to->steps, room * sizeof *steps) : NULL;
        if (!steps) return false;
        to->steps = steps;
        to->room = room;
    }
    if (to->numbers && frame->count <= to->most) return true;
    int64_t *numbers = realloc(to->numbers, ((size_t)frame->count + 1) * sizeof *numbers);
    if (numbers) to->numbers = numbers;
    uint8_t *types = numbers ? realloc(to->types, (size_t)frame->count + 1) : NULL;
    if (!types) return false;
    to->types = types;
    to->most = frame->count;
    for (size_t i = 0; i <= to->most; i++) numbers[i] = (int64_t)i;
    memset(types, VTK_VERTEX, to->most);
    return true;
}

#define FRAME_NAME "frame_%010" PRIu64 ".vtkhdf" /* so that sorting by name sorts by step */

static dunlin_result write_frame(exporter *e, const void *image, size_t bytes, uint64_t step, dunlin_error *error) {
    output_file file;
    char *path = output_folder_path(e->folder, FRAME_NAME, step);
    if (!path) return export_fail_memory(error);
    dunlin_result result = output_file_open(&file, path, error);
    if (result == DUNLIN_OK) {
        fwrite(image, 1, bytes, file.stream);
        result = output_file_finish(&file, error);
    }
    free(path);
    return result;
}

static dunlin_result add(exporter *e, const trajectory_frame *frame, dunlin_error *error) {
    vtkhdf *to = e->state;
    size_t bytes;
    void *image = reserve(to, frame) ? make_image(e, frame, &bytes) : NULL;
    if (!image) return export_fail_memory(error);
    const dunlin_result result = write_frame(e, image, bytes, frame->step, error);
    free(image);
    to->times[to->count] = frame->time;
    to->steps[to->count++] = frame->step;
    return result;
}

/* In JSON, as ParaView reads lists of files. */
static dunlin_result end(exporter *e, dunlin_error *error) {
    const vtkhdf *to = e->state;
    output_file file;
    char *path = output_folder_path(e->folder, "frames.vtkhdf.series");
    if (!path) return export_fail_memory(error);
    dunlin_result result = output_file_open(&file, path, error);
    if (result == DUNLIN_OK) {
        fputs("{\"file-series-version\": \"1.0\", \"files\": [\n", file.stream);
        for (size_t i = 0; i < to->count; i++)
            fprintf(file.stream, "{\"name\": \"" FRAME_NAME "\", \"time\": %.17g}%s\n", to->steps[i], to->times[i],
                    i + 1 < to->count ? "," : "");
        fputs("]}\n", file.stream);
        result = output_file_finish(&file, error);
    }
    free(path);
    return result;
}

static void drop(exporter *e) {
    vtkhdf *to = e->state;
    free(to->times);
    free(to->steps);
    free(to->numbers);
    free(to->types);
}

const export_format export_vtkhdf = {
    .name = "vtkhdf", .ending = "_vtkhdf", .is_folder = true, .bytes = sizeof(vtkhdf), .add = add, .end = end, .drop = drop};
