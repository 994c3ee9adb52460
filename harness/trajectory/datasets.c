/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/datasets.h"
#include "harness/report/message.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- chunks ----------------------------------------------------------------------------------------------------------- */

enum { ENTRY_BYTES = 16, MOST_PACKED = 1032 }; /* a chunk's place in the file's index, at least; what deflate achieves */

typedef struct form {
    bool is_chunked;
    int rank, filters, deflate; /* deflate: which filter it is; below 0: none */
    hsize_t chunk[CHUNK_RANK];
    hsize_t bytes; /* of a chunk, unpacked */
} form;

static H5Z_filter_t filter_of(hid_t how, int number) {
    size_t values = 0;
    return H5Pget_filter2(how, (unsigned)number, NULL, &values, NULL, 0, NULL, NULL);
}

/* Shuffle, deflate, or both in this order: others may unpack to any length. */
static bool get_filters(hid_t how, form *f) {
    f->filters = H5Pget_nfilters(how);
    f->deflate = f->filters > 0 && filter_of(how, f->filters - 1) == H5Z_FILTER_DEFLATE ? f->filters - 1 : -1;
    const int others = f->filters - (f->deflate >= 0);
    return others == 0 || (others == 1 && filter_of(how, 0) == H5Z_FILTER_SHUFFLE);
}

static size_t value_bytes(hid_t set) {
    const hid_t type = H5Dget_type(set);
    const size_t bytes = type >= 0 ? H5Tget_size(type) : 0;
    if (type >= 0) H5Tclose(type);
    return bytes;
}

static bool get_form(hid_t set, form *f) {
    *f = (form){.deflate = -1};
    const hid_t how = H5Dget_create_plist(set);
    if (how < 0) return false;
    f->is_chunked = H5Pget_layout(how) == H5D_CHUNKED;
    bool is_got = true;
    if (f->is_chunked) {
        f->rank = H5Pget_chunk(how, CHUNK_RANK, f->chunk);
        is_got = f->rank > 0 && f->rank <= CHUNK_RANK && get_filters(how, f);
    }
    H5Pclose(how);
    f->bytes = value_bytes(set);
    for (int d = 0; d < f->rank && is_got; d++) f->bytes *= f->chunk[d]; /* HDF5 lets it be 4 GiB at most */
    return is_got && f->bytes > 0;
}

static int rank_of(hid_t set) {
    const hid_t space = H5Dget_space(set);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if (space >= 0) H5Sclose(space);
    return rank;
}

bool chunks_are_known(hid_t set, hsize_t frames) {
    form f;
    const int rank = rank_of(set);
    return rank >= 0 && rank <= CHUNK_RANK && get_form(set, &f) &&
           (f.filters == 0 || (f.bytes <= CHUNK_BYTES && f.chunk[0] <= frames));
}

/* ---- what a block needs ----------------------------------------------------------------------------------------------- */

static hsize_t file_bytes(hid_t set) {
    hsize_t bytes = 0;
    const hid_t file = H5Iget_file_id(set);
    if (file < 0 || H5Fget_filesize(file, &bytes) < 0) bytes = 0;
    if (file >= 0) H5Fclose(file);
    return bytes;
}

/* Whether as many chunks, or numbers, as the block has can lie in the file. */
static bool can_be_there(hid_t set, const form *f, int rank, const hsize_t start[], const hsize_t count[]) {
    const hsize_t stored = f->filters > 0 ? f->bytes / MOST_PACKED : f->bytes;
    hsize_t left = f->is_chunked ? file_bytes(set) / (ENTRY_BYTES + stored) : H5Dget_storage_size(set) / f->bytes;
    for (int d = 0; d < rank; d++) {
        const hsize_t parts = f->is_chunked ? (start[d] + count[d] - 1) / f->chunk[d] - start[d] / f->chunk[d] + 1 : count[d];
        left /= parts;
    }
    return left > 0;
}

static bool unpacks_to(hsize_t bytes, const unsigned char *packed, hsize_t packed_bytes, unsigned char *room) {
    uLongf length = (uLongf)bytes;
    return uncompress(room, &length, packed, (uLong)packed_bytes) == Z_OK && length == bytes;
}

/* One that is not in the file is fill. */
static bool is_sound(hid_t set, const form *f, const hsize_t at[]) {
    hsize_t packed = 0;
    uint32_t skipped = 0;
    if (H5Dget_chunk_storage_size(set, at, &packed) < 0) return false;
    if (packed == 0) return true;
    unsigned char *room = packed <= 2 * CHUNK_BYTES ? malloc((size_t)(f->bytes + packed)) : NULL;
    bool sound = room && H5Dread_chunk(set, H5P_DEFAULT, at, &skipped, room + f->bytes) >= 0;
    const bool is_packed = f->deflate >= 0 && !(skipped >> f->deflate & 1);
    sound = sound && (is_packed ? unpacks_to(f->bytes, room + f->bytes, packed, room) : packed == f->bytes);
    free(room);
    return sound;
}

/* To the next chunk of the block. False: there is none. */
static bool go_on(const form *f, const hsize_t start[], const hsize_t count[], hsize_t at[]) {
    for (int d = f->rank; d-- > 0;) {
        at[d] += f->chunk[d];
        if (at[d] < start[d] + count[d]) return true;
        at[d] = start[d] / f->chunk[d] * f->chunk[d];
    }
    return false;
}

static bool are_sound(hid_t set, const form *f, const hsize_t start[], const hsize_t count[]) {
    hsize_t at[CHUNK_RANK];
    for (int d = 0; d < f->rank; d++) at[d] = start[d] / f->chunk[d] * f->chunk[d];
    bool sound = true;
    do sound = is_sound(set, f, at);
    while (sound && go_on(f, start, count, at));
    return sound;
}

static bool is_bounded(hid_t set, int rank, const hsize_t start[], const hsize_t count[]) {
    form f;
    for (int d = 0; d < rank; d++)
        if (count[d] == 0) return true;
    if (!get_form(set, &f) || (f.is_chunked && f.rank != rank) || !can_be_there(set, &f, rank, start, count)) return false;
    return f.filters == 0 || (f.bytes <= CHUNK_BYTES && are_sound(set, &f, start, count));
}

bool chunks_read(hid_t set, hid_t type, int rank, const hsize_t start[], const hsize_t count[], void *values) {
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(rank, count, NULL);
    const bool is_read = space >= 0 && memory >= 0 && is_bounded(set, rank, start, count) &&
                         H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                         H5Dread(set, type, memory, space, H5P_DEFAULT, values) >= 0;
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    return is_read;
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

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
