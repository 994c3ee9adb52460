/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/objects.h"
#include "harness/report/message.h"

#include <hdf5_hl.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool attribute_numbers(hid_t at, const char *object, const char *name, hid_t type, const void *numbers, int count) {
    const hsize_t size = (hsize_t)count;
    const hid_t space = count == SCALAR ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    const hid_t attribute = H5Acreate_by_name(at, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_written = attribute >= 0 && H5Awrite(attribute, type, numbers) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    return is_written;
}

static hid_t text_type(size_t length) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

bool attribute_text(hid_t at, const char *object, const char *name, const char *text) {
    const hid_t type = text_type(strlen(text) + 1);
    const bool is_written = attribute_numbers(at, object, name, type, text, SCALAR);
    H5Tclose(type);
    return is_written;
}

bool attribute_unit(hid_t at, const char *object, const char *text) {
    const hid_t type = text_type(H5T_VARIABLE);
    const bool is_written = attribute_numbers(at, object, "unit", type, &text, SCALAR);
    H5Tclose(type);
    return is_written;
}

bool attribute_texts(hid_t at, const char *object, const char *name, const char *const *texts, int count) {
    size_t length = 1;
    for (int i = 0; i < count; i++) length = strlen(texts[i]) + 1 > length ? strlen(texts[i]) + 1 : length;
    char *values = calloc((size_t)count + 1, length);
    if (!values) return false;
    for (int i = 0; i < count; i++) strcpy(values + (size_t)i * length, texts[i]);
    const hid_t type = text_type(length);
    const bool is_written = attribute_numbers(at, object, name, type, values, count);
    H5Tclose(type);
    free(values);
    return is_written;
}

/* NetCDF's readers want to know in which order things were made. */
static hid_t in_order(hid_t class_id) {
    const hid_t properties = H5Pcreate(class_id);
    if (class_id == H5P_GROUP_CREATE) H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    return properties;
}

bool group_make(hid_t at, const char *name) {
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), properties = in_order(H5P_GROUP_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t group = H5Gcreate2(at, name, links, properties, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
    H5Pclose(links);
    H5Pclose(properties);
    return group >= 0;
}

hid_t dataset_make(hid_t at, const char *name, hid_t type, int rank, const hsize_t *size, const hsize_t *max,
                   const hsize_t *chunk, hid_t properties) {
    const hid_t space = H5Screate_simple(rank, size, max);
    if (properties == H5P_DEFAULT) properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_attr_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    if (chunk) H5Pset_chunk(properties, rank, chunk);
    const hid_t dataset = H5Dcreate2(at, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Pclose(properties);
    H5Sclose(space);
    return dataset;
}

/* The words are NetCDF's own for a dimension that has no values. */
hid_t scale_make(hid_t at, const char *name, hsize_t size, bool grows) {
    const hsize_t max = grows ? H5S_UNLIMITED : size, chunk = 1024;
    char words[100];
    snprintf(words, sizeof words, "This is a netCDF dimension but not a netCDF variable. %10llu", (unsigned long long)size);
    const hid_t scale = dataset_make(at, name, H5T_IEEE_F32BE, 1, &size, &max, grows ? &chunk : NULL, H5P_DEFAULT);
    if (scale >= 0 && H5DSset_scale(scale, words) >= 0) return scale;
    return H5I_INVALID_HID;
}

/* Keeps what the system said, or else what the innermost function said. */
static herr_t find_cause(unsigned depth, const H5E_error2_t *entry, void *user) {
    static const char words[] = "error message = '";
    char *cause = user;
    const char *said = strstr(entry->desc, words);
    if (said)
        snprintf(cause, 100, "%.*s", (int)strcspn(said + sizeof words - 1, "'"), said + sizeof words - 1);
    else if (depth == 0)
        snprintf(cause, 100, "%s", entry->desc);
    return 0;
}

dunlin_result objects_fail(const char *path, dunlin_error *error) {
    char cause[100];
    snprintf(cause, sizeof cause, "%s", errno != 0 ? strerror(errno) : "HDF5 refuses");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_cause, cause);
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.180s: %s", path, cause);
}
