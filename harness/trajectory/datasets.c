/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/datasets.h"
#include "harness/report/message.h"
#include "harness/trajectory/chunks.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 256, MAX_TEXT = 256 };

dunlin_result hdf5_fail(const hdf5_source *from, const char *path, const char *what, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.140s: %.80s %s", from->name, path, what);
}

static bool is_hard_link(hid_t file, const char *path) {
    H5L_info_t link;
    return H5Lget_info(file, path, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

bool hdf5_has(const hdf5_source *from, const char *path) {
    char part[MAX_PATH];
    for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        const size_t length = slash ? (size_t)(slash - path) : strlen(path);
        if (length >= sizeof part) return false;
        memcpy(part, path, length);
        part[length] = '\0';
        if (!is_hard_link(from->file, part)) return false;
        if (!slash) return true;
    }
}

bool hdf5_can_hold(const hdf5_source *from, uint64_t count, uint64_t bytes_each) {
    const uint64_t most_packed = 1032;
    return count / most_packed <= from->bytes / bytes_each;
}

/* ---- data sets -------------------------------------------------------------------------------------------------------- */

static bool is_of_type(hid_t set, hid_t type) {
    const hid_t own = H5Dget_type(set);
    const bool is_whole = H5Tget_class(type) == H5T_INTEGER;
    const bool is_same = own >= 0 && H5Tget_class(own) == H5Tget_class(type) && H5Tget_size(own) == H5Tget_size(type) &&
                         (!is_whole || H5Tget_sign(own) == H5Tget_sign(type));
    if (own >= 0) H5Tclose(own);
    return is_same;
}

/* Not a view of other data sets, and not somewhere outside. */
static bool is_inside(hid_t set) {
    const hid_t how = H5Dget_create_plist(set);
    const H5D_layout_t layout = how >= 0 ? H5Pget_layout(how) : H5D_LAYOUT_ERROR;
    const bool is_own =
        layout == H5D_COMPACT || layout == H5D_CHUNKED || (layout == H5D_CONTIGUOUS && H5Pget_external_count(how) == 0);
    if (how >= 0) H5Pclose(how);
    return is_own;
}

static bool has_size(hid_t set, int rank, const hsize_t least[], hsize_t extent[]) {
    const hid_t space = H5Dget_space(set);
    bool fits =
        space >= 0 && H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, extent, NULL) == rank;
    for (int d = 0; d < rank && fits; d++) fits = extent[d] >= least[d];
    if (space >= 0) H5Sclose(space);
    return fits;
}

dunlin_result hdf5_open(const hdf5_source *from, const char *path, hid_t type, int rank, const hsize_t least[], hid_t *set,
                        hsize_t extent[], dunlin_error *error) {
    const char *problem = NULL;
    *set = hdf5_has(from, path) ? H5Dopen2(from->file, path, H5P_DEFAULT) : H5I_INVALID_HID;
    if (*set < 0)
        problem = "is missing, or no data set";
    else if (!is_of_type(*set, type))
        problem = "has numbers of another type than trajectories have";
    else if (!is_inside(*set))
        problem = "lies outside of the file";
    else if (!chunks_are_known(*set, H5S_UNLIMITED))
        problem = "is packed in another way than trajectories are";
    else if (!has_size(*set, rank, least, extent))
        problem = "has another size than the frames need";
    return problem ? hdf5_fail(from, path, problem, error) : DUNLIN_OK;
}

dunlin_result hdf5_read(const hdf5_source *from, const char *path, hid_t set, hid_t type, int rank, const hsize_t start[],
                        const hsize_t count[], void *values, dunlin_error *error) {
    if (chunks_read(set, type, rank, start, count, values)) return DUNLIN_OK;
    return hdf5_fail(from, path, "cannot be read: it is damaged", error);
}

/* ---- attributes ------------------------------------------------------------------------------------------------------- */

static hid_t open_attribute(const hdf5_source *from, const char *path, const char *name) {
    return hdf5_has(from, path) ? H5Aopen_by_name(from->file, path, name, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
}

static dunlin_result fail_attribute(const hdf5_source *from, const char *path, const char *name, const char *what,
                                    dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.140s: %.60s: the attribute %s %s", from->name, path, name, what);
}

dunlin_result hdf5_read_number(const hdf5_source *from, const char *path, const char *name, int64_t *value,
                               dunlin_error *error) {
    const hid_t attribute = open_attribute(from, path, name);
    if (attribute < 0) return fail_attribute(from, path, name, "is missing", error);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const bool is_unsigned = H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE;
    const bool is_read = H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) <= sizeof *value &&
                         H5Sget_simple_extent_npoints(space) == 1 &&
                         H5Aread(attribute, is_unsigned ? H5T_NATIVE_UINT64 : H5T_NATIVE_INT64, value) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return is_read ? DUNLIN_OK : fail_attribute(from, path, name, "is not a whole number", error);
}

/* `bytes` each, zero or blank at their ends or not at all. */
static char **make_texts(const char *table, size_t count, size_t bytes) {
    char **texts = malloc((count + 1) * sizeof *texts + count * (bytes + 1));
    if (!texts) return NULL;
    char *at = (char *)(texts + count + 1);
    for (size_t i = 0; i < count; i++, at += bytes + 1) {
        memcpy(at, table + i * bytes, bytes);
        at[bytes] = '\0';
        texts[i] = at;
    }
    texts[count] = NULL;
    return texts;
}

static bool read_texts(hid_t attribute, hid_t type, hid_t space, int most, char ***texts, int *count) {
    const size_t bytes = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    if (bytes == 0 || bytes > MAX_TEXT || points < 0 || points > most) return false;
    char *table = calloc((size_t)points + 1, bytes);
    const bool is_read = table && (points == 0 || H5Aread(attribute, type, table) >= 0);
    if (is_read) *texts = make_texts(table, (size_t)points, bytes);
    free(table);
    *count = (int)points;
    return is_read && *texts;
}

dunlin_result hdf5_read_texts(const hdf5_source *from, const char *path, const char *name, int most, char ***texts, int *count,
                              dunlin_error *error) {
    const hid_t attribute = open_attribute(from, path, name);
    *texts = NULL;
    *count = 0;
    if (attribute < 0) return fail_attribute(from, path, name, "is missing", error);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const bool is_read = read_texts(attribute, type, space, most, texts, count);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return is_read ? DUNLIN_OK : fail_attribute(from, path, name, "is not a list of short texts", error);
}
