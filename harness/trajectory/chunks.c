/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/chunks.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

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
