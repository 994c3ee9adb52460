/* SPDX-License-Identifier: MIT */
#include "tests/lib/trajectory_image.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/trajectory/layout.h"

enum { FRAMES = 3, ROWS = 3, PREAMBLE = 96, MAX_BYTES = 4096 };

/* ---- what is right ---------------------------------------------------------------------------------------------------- */

static const int64_t steps[] = {0, 5, 10}, rows[] = {2, 3, 1};
static const uint64_t hashes[] = {11, 22, 33};
static const double times[] = {0.0, 2.5, 5.0}, edges[FRAMES][3] = {{8, 4, 2}, {8, 4, 2}, {8, 4, 2}};
static const int32_t ids[FRAMES][ROWS] = {{0, 3, -1}, {3, 4, -2}, {-2, -1, -1}},
                     slots[FRAMES][ROWS] = {{0, 0, -1}, {0, 1, 0}, {0, -1, -1}};
static const int8_t kinds[FRAMES][ROWS] = {{0, 1, -1}, {1, 1, 0}, {0, -1, -1}};
#define NONE TRAJECTORY_FILL
static const float positions[FRAMES][ROWS][3] = {{{0.1f, 1, 0}, {2, 3, 0}, {NONE, NONE, NONE}},
                                                 {{2.5f, 3, 0}, {7, 3.5f, 0}, {1, 1, 0}},
                                                 {{0, 0, 0}, {NONE, NONE, NONE}, {NONE, NONE, NONE}}};
#define LOST TRAJECTORY_NO_IMAGE
/* They are not known any more in the last frame. */
static const int32_t images[FRAMES][ROWS][3] = {{{0, 0, 0}, {1, -2, 0}, {LOST, LOST, LOST}},
                                                {{1, -2, 0}, {0, 0, 0}, {-1, 0, 0}},
                                                {{LOST, LOST, LOST}, {LOST, LOST, LOST}, {LOST, LOST, LOST}}};
static const float scents[FRAMES][1][2][3] = {{{{0, 0, 0}, {0, 0, 0}}}, {{{1, 2, 3}, {4, 5, 6}}}, {{{7, 0, 0}, {0, 0, 1e18f}}}};
static const float energies[FRAMES][ROWS] = {{NONE, 1.5f, NONE}, {1.25f, 3, NONE}, {NONE, NONE, NONE}};
#define PREAMBLE_OF(step, agents)                                                                                              \
    "# dunlin state 1\n# seed 7\n# step " step "\n# next_id 4294967295\n# spent_ids 4294967294\n# agents " agents "\n"
static const char preambles[FRAMES][PREAMBLE] = {PREAMBLE_OF("0", "2"), PREAMBLE_OF("5", "3"), PREAMBLE_OF("10", "1")};

typedef enum number_type { INT8, INT32, INT64, UINT8, UINT64, FLOAT, DOUBLE, TEXT } number_type;
static const size_t type_bytes[] = {1, 4, 8, 1, 8, 4, 8, 9};

typedef struct image_set {
    const char *path; /* of a data set, or of the object that has the attribute */
    const char *attribute;
    number_type type;
    int rank;
    hsize_t size[5];
    const void *values;
} image_set;

#define FACT(name_, type_, value_)                                                                                             \
    { TRAJECTORY_PARAMETERS, name_, type_, 0, {1}, value_ }
#define TEXTS(path_, name_, n_, values_)                                                                                       \
    { path_, name_, TEXT, 1, {n_}, values_ }
static const image_set parts[] = {
    {TRAJECTORY_STEP, NULL, INT64, 1, {FRAMES}, steps},
    {TRAJECTORY_TIME, NULL, DOUBLE, 1, {FRAMES}, times},
    {TRAJECTORY_ROWS, NULL, INT64, 1, {FRAMES}, rows},
    {TRAJECTORY_STATE_HASH, NULL, UINT64, 1, {FRAMES}, hashes},
    {TRAJECTORY_PREAMBLE, NULL, UINT8, 2, {FRAMES, PREAMBLE}, preambles},
    {TRAJECTORY_BOX, NULL, DOUBLE, 2, {FRAMES, 3}, edges},
    {TRAJECTORY_ID, NULL, INT32, 2, {FRAMES, ROWS}, ids},
    {TRAJECTORY_SPECIES, NULL, INT8, 2, {FRAMES, ROWS}, kinds},
    {TRAJECTORY_SLOT, NULL, INT32, 2, {FRAMES, ROWS}, slots},
    {TRAJECTORY_POSITION, NULL, FLOAT, 3, {FRAMES, ROWS, 3}, positions},
    {TRAJECTORY_VELOCITY, NULL, FLOAT, 3, {FRAMES, ROWS, 3}, positions},
    {TRAJECTORY_AGENTS "/energy/value", NULL, FLOAT, 2, {FRAMES, ROWS}, energies},
    {TRAJECTORY_IMAGE, NULL, INT32, 3, {FRAMES, ROWS, 3}, images},
    {TRAJECTORY_TRACE "0/value", NULL, FLOAT, 4, {FRAMES, 1, 2, 3}, scents},
    FACT(TRAJECTORY_TRACES, INT32, &(const int32_t){1}),
    FACT("format", INT32, &(const int32_t){TRAJECTORY_FORMAT}),
    FACT("dimensions", INT32, &(const int32_t){2}),
    FACT("seed", UINT64, &(const uint64_t){7}),
    FACT("precision", INT32, &(const int32_t){0}),
    FACT(TRAJECTORY_IS_COMPLETE, INT32, &(const int32_t){1}),
    TEXTS(TRAJECTORY_PARAMETERS, "species", 2, "grass\0\0\0\0rabbits\0"),
    TEXTS(TRAJECTORY_PARAMETERS, "attributes", 1, "energy\0\0"),
    TEXTS(TRAJECTORY_AGENTS "/box", "boundary", 3, "periodic\0periodic\0none\0\0\0\0"),
};
enum { PARTS = sizeof parts / sizeof *parts };

int image_parts(void) {
    return PARTS;
}

const char *image_part(int part) {
    return parts[part].attribute ? parts[part].attribute : parts[part].path;
}

/* ---- what is made ----------------------------------------------------------------------------------------------------- */

/* A part as it is written. */
typedef struct made {
    image_set as;
    bool is_missing, is_huge, is_soft, is_group, is_outside, is_wide, is_other_type, is_other_sign;
    char values[MAX_BYTES]; /* more than any has, since other types read up to eight times as many */
} made;

static hid_t type_of(const made *m) {
    hid_t types[] = {H5T_NATIVE_INT8,   H5T_NATIVE_INT32, H5T_NATIVE_INT64, H5T_NATIVE_UINT8,
                     H5T_NATIVE_UINT64, H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE};
    if (m->as.type == TEXT) {
        const hid_t text = H5Tcopy(m->is_other_type ? H5T_NATIVE_INT8 : H5T_C_S1);
        if (!m->is_other_type) H5Tset_size(text, m->is_wide ? H5T_VARIABLE : type_bytes[TEXT]);
        return text;
    }
    hid_t type = types[m->as.type];
    const bool is_real = m->as.type == FLOAT || m->as.type == DOUBLE;
    const size_t own = type_bytes[m->as.type], bytes = !m->is_wide ? own : own == 8 ? 4 : 2 * own;
    if (m->is_other_type != is_real)
        type = bytes == 8 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
    else if (m->is_wide || m->is_other_type)
        type = bytes == 1 ? H5T_NATIVE_INT8 : bytes == 2 ? H5T_NATIVE_INT16 : bytes == 4 ? H5T_NATIVE_INT32 : H5T_NATIVE_INT64;
    type = H5Tcopy(type);
    if (m->is_other_sign && H5Tget_class(type) == H5T_INTEGER)
        H5Tset_sign(type, H5Tget_sign(type) == H5T_SGN_NONE ? H5T_SGN_2 : H5T_SGN_NONE);
    return type;
}

static void apply(made *m, const image_fault *fault) {
    const size_t bytes = type_bytes[m->as.type];
    size_t count = 1;
    int last;
    for (int d = 0; d < m->as.rank; d++) count *= (size_t)m->as.size[d];
    switch (fault->kind) {
    case FAULT_MISSING:
        m->is_missing = true;
        break;
    case FAULT_TYPE:
        m->is_other_type = true;
        break;
    case FAULT_WIDTH:
        m->is_wide = true;
        break;
    case FAULT_SIGN:
        m->is_other_sign = true;
        break;
    case FAULT_RANK:
        if (m->as.rank == 3)
            m->as.rank--;
        else
            m->as.size[m->as.rank++] = 1;
        break;
    case FAULT_SHORT:
        m->as.size[0] -= m->as.size[0] > 0;
        break;
    case FAULT_THIN:
        last = m->as.rank > 1 ? m->as.rank - 1 : 0;
        m->as.size[last] -= m->as.size[last] > 0;
        break;
    case FAULT_HUGE:
        m->is_huge = !m->as.attribute;
        break;
    case FAULT_SOFT:
        m->is_soft = !m->as.attribute;
        break;
    case FAULT_GROUP:
        m->is_group = !m->as.attribute;
        break;
    case FAULT_OUTSIDE:
        m->is_outside = !m->as.attribute;
        break;
    case FAULT_VALUE:
        if ((size_t)fault->at < count) memcpy(m->values + (size_t)fault->at * bytes, &fault->value, bytes < 8 ? bytes : 8);
        break;
    default:
        break;
    }
}

static hid_t space_of(const made *m, bool *is_empty) {
    static const hsize_t most[] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
    const bool is_fixed = m->as.attribute || m->is_outside;
    hsize_t size[5];
    *is_empty = m->is_huge;
    for (int d = 0; d < 5; d++) {
        size[d] = m->as.size[d];
        if (d < m->as.rank) *is_empty = *is_empty || size[d] == 0;
    }
    if (m->is_huge) size[m->as.rank > 1 ? 1 : 0] = (hsize_t)1 << 33;
    return m->as.rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(m->as.rank, size, is_fixed ? NULL : most);
}

static void make_attribute(hid_t file, const made *m) {
    bool is_empty;
    const hid_t type = type_of(m), space = space_of(m, &is_empty);
    const hid_t attribute =
        H5Acreate_by_name(file, m->as.path, m->as.attribute, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    char text[] = "text", *texts[] = {text, text, text, text};
    const bool is_variable = m->as.type == TEXT && m->is_wide && !m->is_other_type;
    if (!is_empty) H5Awrite(attribute, type, is_variable ? (const void *)texts : m->values);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static hid_t creation_of(const made *m) {
    const hsize_t chunk[] = {1, 2, 1, 1, 1};
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (m->is_outside)
        H5Pset_external(how, "/dev/zero", 0, H5F_UNLIMITED);
    else if (m->as.rank > 0)
        H5Pset_chunk(how, m->as.rank, chunk);
    return how;
}

static void make_set(hid_t file, const made *m) {
    bool is_empty;
    const char *path = m->is_soft ? "/elsewhere" : m->as.path;
    const hid_t parents = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(parents, true);
    if (m->is_soft) H5Lcreate_soft("/elsewhere", file, m->as.path, parents, H5P_DEFAULT);
    if (m->is_group) {
        H5Gclose(H5Gcreate2(file, m->as.path, parents, H5P_DEFAULT, H5P_DEFAULT));
    } else {
        const hid_t type = type_of(m), space = space_of(m, &is_empty), how = creation_of(m);
        const hid_t set = H5Dcreate2(file, path, type, space, parents, how, H5P_DEFAULT);
        if (set >= 0 && !is_empty && !m->is_outside) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, m->values);
        if (set >= 0) H5Dclose(set);
        H5Pclose(how);
        H5Sclose(space);
        H5Tclose(type);
    }
    H5Pclose(parents);
}

static void make_part(hid_t file, int number, int dimensions, const image_fault faults[], int count) {
    made m = {.as = parts[number]};
    size_t bytes = type_bytes[m.as.type];
    for (int d = 0; d < (m.as.rank ? m.as.rank : 1); d++) bytes *= (size_t)m.as.size[d];
    memcpy(m.values, m.as.values, bytes);
    if (m.as.attribute && strcmp(m.as.attribute, "dimensions") == 0) memcpy(m.values, &(int32_t){dimensions}, 4);
    for (int i = 0; i < count; i++)
        if (faults[i].part == number) apply(&m, &faults[i]);
    if (m.is_missing) return;
    if (m.as.attribute)
        make_attribute(file, &m);
    else
        make_set(file, &m);
}

static void make_groups(hid_t file) {
    static const char *const paths[] = {TRAJECTORY_PARAMETERS, "/particles", TRAJECTORY_AGENTS, TRAJECTORY_AGENTS "/box"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        H5Gclose(H5Gcreate2(file, paths[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

void *image_make(int dimensions, const image_fault faults[], int count, size_t *bytes) {
    const hid_t in_memory = H5Pcreate(H5P_FILE_ACCESS);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Pset_fapl_core(in_memory, 1 << 16, false);
    const hid_t file = H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory);
    H5Pclose(in_memory);
    make_groups(file);
    for (int p = 0; p < PARTS; p++) make_part(file, p, dimensions, faults, count);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    *bytes = (size_t)H5Fget_file_image(file, NULL, 0);
    void *image = malloc(*bytes);
    if (image) H5Fget_file_image(file, image, *bytes);
    H5Fclose(file);
    return image;
}

int image_part_of(const char *name) {
    int part = 0;
    while (part < PARTS && strcmp(image_part(part), name) != 0) part++;
    if (part == PARTS) abort();
    return part;
}

void image_write(const char *path, int dimensions, const image_fault faults[], int count) {
    size_t bytes;
    void *image = image_make(dimensions, faults, count, &bytes);
    FILE *file = fopen(path, "wb");
    if (!image || !file || fwrite(image, 1, bytes, file) != bytes || fclose(file) != 0) abort();
    free(image);
}
