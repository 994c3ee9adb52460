/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/file.h"
#include "harness/report/message.h"
#include "harness/trajectory/datasets.h"
#include "harness/trajectory/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIN_ALIGNED = 1 << 16 }; /* bytes */

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

/* As few chunks as the rows need, and in none much that is empty. */
static hsize_t choose_chunk_rows(hsize_t rows) {
    const hsize_t chunks = (rows + TRAJECTORY_MAX_CHUNK_ROWS - 1) / TRAJECTORY_MAX_CHUNK_ROWS;
    const hsize_t even = chunks > 0 ? (rows + chunks - 1) / chunks : 0, unit = TRAJECTORY_MIN_CHUNK_ROWS;
    return even > unit ? (even + unit - 1) / unit * unit : unit;
}

static hid_t access_properties(void) {
    const hid_t properties = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(properties, false, true); /* a reader's lock would end the run */
    H5Pset_libver_bounds(properties, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_fclose_degree(properties, H5F_CLOSE_STRONG);
    return properties;
}

/* In memory: HDF5 cannot make files that have no name yet. Under a name that exists, it would read that file first. */
static hid_t create_in_memory(void) {
    const hid_t access = access_properties(), properties = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_fapl_core(access, 1 << 16, false);
    H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const hid_t file = H5Fcreate("no/such/file", H5F_ACC_TRUNC, properties, access);
    H5Pclose(properties);
    H5Pclose(access);
    return file;
}

/* Writes the file in memory to the disk. Some versions of HDF5 leave such an image with a wrong checksum. */
static bool write_image(const trajectory_file *file, FILE *to) {
    const bool is_flushed = H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t bytes = is_flushed ? H5Fget_file_image(file->file, NULL, 0) : -1;
    unsigned char *image = bytes > SUPERBLOCK_BYTES ? malloc((size_t)bytes) : NULL;
    bool is_written = image && H5Fget_file_image(file->file, image, (size_t)bytes) == bytes;
    if (is_written) superblock_seal(image, (uint64_t)bytes);
    is_written = is_written && fwrite(image, (size_t)bytes, 1, to) == 1 && fflush(to) == 0;
    free(image);
    return is_written;
}

static bool open_old(trajectory_file *file, unsigned flags) {
    const hid_t access = access_properties();
    if (file->def->compression == 0) H5Pset_alignment(access, MIN_ALIGNED, DRIVER_PAGE);
    file->file = driver_open(file->def->path, flags, access);
    file->driver = file->file < 0 ? NULL : driver_of(file->file);
    return file->driver && file_open_objects(file);
}

static bool get_grids(trajectory_file *file) {
    file->grids = calloc((size_t)file->selected->grids.count + 1, sizeof *file->grids);
    return file->grids;
}

static bool get_buffers(trajectory_file *file) {
    const size_t bytes = (size_t)file->chunk_rows * sizeof(float);
    file->chunk = malloc(bytes);
    file->shuffled = malloc(packed_room(bytes));
    file->packed = malloc(packed_room(bytes));
    return file->chunk && file->shuffled && file->packed;
}

static dunlin_result fail_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the trajectory's chunks");
}

static dunlin_result file_fail(const trajectory_file *file, dunlin_error *error) {
    return objects_fail(file->def->path, error);
}

dunlin_result file_create(trajectory_file *file, FILE *to, const dunlin_world *world, dunlin_error *error) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file->rows = selected_rows(file->selected, world);
    file->chunk_rows = choose_chunk_rows(file->rows);
    file_list(file, world);
    if (!get_grids(file) || !get_buffers(file)) return fail_memory(error);
    file->file = create_in_memory();
    const bool is_made = file->file > 0 && file_make_objects(file, world) && write_image(file, to);
    const dunlin_result result = is_made ? DUNLIN_OK : file_fail(file, error);
    if (file->file > 0) H5Fclose(file->file);
    file->file = 0;
    return result;
}

dunlin_result file_start(trajectory_file *file, dunlin_error *error) {
    return open_old(file, H5F_ACC_SWMR_WRITE) ? DUNLIN_OK : file_fail(file, error);
}

/* ---- opening again ---------------------------------------------------------------------------------------------------- */

static bool get_size(hid_t dataset, hsize_t size[4]) {
    const hid_t space = H5Dget_space(dataset);
    const bool is_got = H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    H5Sclose(space);
    return is_got;
}

static bool cut_dataset(hid_t dataset, hsize_t frames) {
    hsize_t size[4] = {0};
    if (!get_size(dataset, size)) return false;
    size[0] = frames;
    return H5Dset_extent(dataset, size) >= 0;
}

static bool cut(const trajectory_file *file) {
    bool is_cut = cut_dataset(file->frame_scale, file->frames) && cut_dataset(file->angles, file->frames) &&
                  cut_dataset(file->preamble, file->frames);
    for (int i = 0; i < file->field_count && is_cut; i++) is_cut = cut_dataset(file->fields[i].dataset, file->frames);
    for (int i = 0; i < file->series_count && is_cut; i++) is_cut = cut_dataset(file->series[i].dataset, file->frames);
    for (int i = 0; i < file->selected->grids.count && is_cut; i++) is_cut = cut_dataset(file->grids[i], file->frames);
    return is_cut;
}

/* Nor are chunks unpacked that are cut. */
static bool are_known(const trajectory_file *file) {
    bool is_known = chunks_are_known(file->frame_scale, 1) && chunks_are_known(file->atom_scale, 1) &&
                    chunks_are_known(file->angles, 1) && chunks_are_known(file->preamble, 1);
    for (int i = 0; i < file->field_count && is_known; i++) is_known = chunks_are_known(file->fields[i].dataset, 1);
    for (int i = 0; i < file->series_count && is_known; i++) is_known = chunks_are_known(file->series[i].dataset, 1);
    for (int i = 0; i < file->selected->grids.count && is_known; i++) is_known = chunks_are_known(file->grids[i], 1);
    return is_known;
}

static bool read_sizes(trajectory_file *file) {
    hsize_t size[4] = {0}, chunk[3] = {0};
    const hid_t positions = file->fields[0].dataset, properties = H5Dget_create_plist(positions);
    H5Pget_chunk(properties, 3, chunk);
    H5Pclose(properties);
    file->chunk_rows = chunk[1];
    if (!get_size(file->preamble, size)) return false;
    file->preamble_width = size[1];
    if (!get_size(positions, size)) return false;
    file->rows = size[1];
    return get_size(file->series[SERIES_STEP].dataset, size) && size[0] >= file->frames;
}

dunlin_result file_reopen(trajectory_file *file, const dunlin_world *world, uint64_t frames, dunlin_error *error) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file->frames = frames;
    file_list(file, world);
    if (!get_grids(file)) return fail_memory(error);
    if (!open_old(file, 0)) return file_fail(file, error);
    if (!are_known(file))
        return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s is packed in another way than trajectories are", file->def->path);
    if (!read_sizes(file))
        return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s has fewer frames than the %llu from which it should continue",
                          file->def->path, (unsigned long long)frames);
    if (!get_buffers(file)) return fail_memory(error);
    const bool is_ready = driver_begin_cut(file->driver) && cut(file) && file_renew_scenario(file);
    return is_ready ? file_close(file, error) : file_fail(file, error);
}

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

enum { RAW = 3 }; /* bits: both filters are skipped */

/* One chunk of the frame that is being written. */
typedef struct place {
    const field *f;
    hsize_t first;
    int component;
} place;

static bool write_chunk(const trajectory_file *file, const place *at, uint32_t skipped, size_t bytes, const void *values) {
    const hsize_t offset[] = {file->frames, at->first, (hsize_t)at->component};
    return H5Dwrite_chunk(at->f->dataset, H5P_DEFAULT, skipped, offset, bytes, values) >= 0;
}

static size_t chunk_bytes(const trajectory_file *file, const field *f) {
    return (size_t)file->chunk_rows * f->value_bytes;
}

static bool pack_and_write(trajectory_file *file, const place *at, const void *chunk) {
    const int level = file->def->compression;
    const size_t bytes = chunk_bytes(file, at->f);
    const size_t packed = level > 0 ? pack_chunk(chunk, bytes, at->f->value_bytes, level, file->shuffled, file->packed) : 0;
    if (packed == 0) return write_chunk(file, at, RAW, bytes, chunk);
    return write_chunk(file, at, 0, packed, file->packed);
}

static kept_chunk *find_kept(const trajectory_file *file, field *f, hsize_t first, int component) {
    const size_t number = (size_t)(first / file->chunk_rows) * 3 + (size_t)component;
    if (number >= f->kept_count) {
        kept_chunk *kept = realloc(f->kept, (number + 1) * sizeof *kept);
        if (!kept) return NULL;
        memset(kept + f->kept_count, 0, (number + 1 - f->kept_count) * sizeof *kept);
        f->kept = kept;
        f->kept_count = number + 1;
    }
    return &f->kept[number];
}

/* Packs the chunk to be kept. */
static bool keep(trajectory_file *file, const field *f, kept_chunk *kept, const void *chunk, int level) {
    const size_t bytes = chunk_bytes(file, f);
    const size_t packed = pack_chunk(chunk, bytes, f->value_bytes, level, file->shuffled, file->packed);
    void *plain = realloc(kept->plain, bytes), *room = plain ? realloc(kept->packed, packed + 1) : NULL;
    if (plain) kept->plain = plain;
    if (room) kept->packed = room;
    if (!room) return false;
    memcpy(plain, chunk, bytes);
    memcpy(room, file->packed, packed);
    kept->packed_bytes = packed;
    kept->level = level;
    return true;
}

static bool write_kept(const trajectory_file *file, const place *at, const kept_chunk *kept) {
    if (kept->packed_bytes == 0) return write_chunk(file, at, RAW, chunk_bytes(file, at->f), kept->plain);
    return write_chunk(file, at, 0, kept->packed_bytes, kept->packed);
}

static int level_to_keep(const trajectory_file *file) {
    return file->def->compression > 0 ? file->def->compression : 1;
}

/* What is not the same as in the frame before will hardly be the same in the next one, so zlib would not be worth its time. */
static bool write_steady(trajectory_file *file, const place *at, kept_chunk *kept, const void *chunk) {
    const bool is_known = kept->plain, is_same = is_known && memcmp(kept->plain, chunk, chunk_bytes(file, at->f)) == 0;
    const int level = is_known && !is_same && file->def->compression == 0 ? RUNS : level_to_keep(file);
    const bool is_kept = is_same && kept->level == level;
    return (is_kept || keep(file, at->f, kept, chunk, level)) && write_kept(file, at, kept);
}

/* So many values; the rest is fill. */
static bool write_zeros(trajectory_file *file, const place *at, kept_chunk *kept, hsize_t values) {
    const bool is_same = kept->plain && kept->zeros == values;
    uint32_t *chunk = file->chunk;
    for (hsize_t i = 0; i < file->chunk_rows && !is_same; i++) chunk[i] = i < values ? 0 : at->f->fill;
    kept->zeros = values;
    return (is_same || keep(file, at->f, kept, chunk, level_to_keep(file))) && write_kept(file, at, kept);
}

static bool append_chunk(trajectory_file *file, field *f, const frame *copy, hsize_t first, int component) {
    const place at = {f, first, component};
    const hsize_t left = copy->rows - first;
    const char *column = frame_column(copy, f->column + component);
    const bool is_zero = component >= f->columns;
    kept_chunk *kept = is_zero || f->is_steady ? find_kept(file, f, first, component) : NULL;
    if (is_zero) return kept && write_zeros(file, &at, kept, left < file->chunk_rows ? left : file->chunk_rows);
    if (f->is_steady) return kept && write_steady(file, &at, kept, column + first * f->value_bytes);
    return pack_and_write(file, &at, column + first * f->value_bytes);
}

static bool append_field(trajectory_file *file, field *f, const frame *copy) {
    const hsize_t size[] = {file->frames + 1, file->rows, 3};
    bool is_written = H5Dset_extent(f->dataset, size) >= 0;
    for (int c = 0; c < f->components; c++)
        for (hsize_t first = 0; first < copy->rows && is_written; first += file->chunk_rows)
            is_written = append_chunk(file, f, copy, first, c);
    return is_written;
}

/* ---- series ----------------------------------------------------------------------------------------------------------- */

/* `whole`: the size that the dataset gets. `count`: that of the values, which become its last ones. */
static bool append_block(hid_t dataset, hid_t type, int rank, const hsize_t whole[], const hsize_t count[],
                         const void *values) {
    const hsize_t start[4] = {whole[0] - 1};
    if (H5Dset_extent(dataset, whole) < 0) return false;
    const hid_t memory = H5Screate_simple(rank, count, NULL), space = H5Dget_space(dataset);
    const bool is_written = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                            H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return is_written;
}

static bool append_values(const trajectory_file *file, const series *s, const void *values) {
    const bool is_matrix = s->height > 0;
    const hsize_t first = is_matrix ? s->height : s->width;
    const hsize_t whole[] = {file->frames + 1, first, s->width}, count[] = {1, first, s->width};
    return append_block(s->dataset, s->type, series_rank(s), whole, count, values);
}

static bool append_series(trajectory_file *file, const frame *copy) {
    const int64_t step = (int64_t)copy->step, rows = (int64_t)copy->rows;
    const double vectors[9] = {[0] = copy->box[0], [4] = copy->box[1], [8] = copy->box[2]};
    const void *values[MAX_SERIES] = {[SERIES_STEP] = &step, [SERIES_TIME] = &copy->time,       [SERIES_BOX] = copy->box,
                                      [SERIES_ROWS] = &rows, [SERIES_HASH] = &copy->state_hash, [SERIES_EDGES] = vectors};
    const uint64_t *metrics = copy->metrics;
    bool is_written = true;
    for (int i = 0; i < file->series_count && is_written; i++) {
        if (i >= file->first_metric) values[i] = metrics, metrics += file->selected->species_count;
        is_written = append_values(file, &file->series[i], values[i]);
    }
    return is_written;
}

static bool append_preamble(trajectory_file *file, const frame *copy) {
    if (copy->preamble_length > file->preamble_width) file->preamble_width = copy->preamble_length;
    const hsize_t whole[] = {file->frames + 1, file->preamble_width}, count[] = {1, copy->preamble_length};
    return append_block(file->preamble, H5T_NATIVE_UINT8, 2, whole, count, copy->preamble);
}

static bool read_one(const series *s, hsize_t number, hid_t type, void *value) {
    return chunks_read(s->dataset, type, 1, &number, (const hsize_t[]){1}, value);
}

static dunlin_result fail_read(const trajectory_file *file, const char *what, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.180s: %.60s cannot be read: it is damaged", file->def->path, what);
}

dunlin_result file_read_frame(const trajectory_file *file, uint64_t number, uint64_t *step, double *time, uint64_t *rows,
                              dunlin_error *error) {
    const bool is_read = read_one(&file->series[SERIES_STEP], number, H5T_NATIVE_UINT64, step) &&
                         read_one(&file->series[SERIES_TIME], number, H5T_NATIVE_DOUBLE, time) &&
                         read_one(&file->series[SERIES_ROWS], number, H5T_NATIVE_UINT64, rows);
    return is_read ? DUNLIN_OK : fail_read(file, "the list of frames", error);
}

dunlin_result file_read_column(const trajectory_file *file, uint64_t number, const char *link, int component, uint32_t rows,
                               void *words, dunlin_error *error) {
    const field *f = file->fields;
    while (strcmp(f->link, link) != 0) f++;
    const hsize_t start[] = {number, 0, (hsize_t)component}, count[] = {1, rows, 1};
    const hid_t type = f->is_number ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT32;
    const int rank = f->components == 3 ? 3 : 2;
    if (chunks_read(f->dataset, type, rank, start, count, words)) return DUNLIN_OK;
    return fail_read(file, link, error);
}

/* ---- grids ------------------------------------------------------------------------------------------------------------ */

static bool append_grid(const trajectory_file *file, int number, const frame *copy) {
    const grid *g = &file->selected->grids.grids[number];
    const hid_t type = grid_is_number(g) ? H5T_NATIVE_FLOAT : H5T_NATIVE_UINT32, dataset = file->grids[number];
    hsize_t whole[4] = {file->frames + 1}, count[4] = {1};
    for (int a = 0; a < g->rank; a++) whole[a + 1] = count[a + 1] = g->size[a];
    return append_block(dataset, type, g->rank + 1, whole, count, (const uint32_t *)copy->grids.memory + g->first);
}

/* ---- frames ----------------------------------------------------------------------------------------------------------- */

static bool append_all(trajectory_file *file, const frame *copy) {
    const hsize_t frames = file->frames + 1, angles[] = {frames, 3};
    bool is_written = append_series(file, copy) && append_preamble(file, copy) && H5Dset_extent(file->angles, angles) >= 0 &&
                      H5Dset_extent(file->frame_scale, &frames) >= 0 && H5Dset_extent(file->atom_scale, &file->rows) >= 0;
    for (int i = 0; i < file->field_count && is_written; i++) is_written = append_field(file, &file->fields[i], copy);
    for (int i = 0; i < file->selected->grids.count && is_written; i++) is_written = append_grid(file, i, copy);
    return is_written;
}

/* The steps come last: they say how many frames there are. */
static bool flush(const trajectory_file *file) {
    bool is_flushed = H5Dflush(file->preamble) >= 0 && H5Dflush(file->angles) >= 0 && H5Dflush(file->frame_scale) >= 0 &&
                      H5Dflush(file->atom_scale) >= 0;
    for (int i = 0; i < file->field_count && is_flushed; i++) is_flushed = H5Dflush(file->fields[i].dataset) >= 0;
    for (int i = 0; i < file->selected->grids.count && is_flushed; i++) is_flushed = H5Dflush(file->grids[i]) >= 0;
    for (int i = file->series_count - 1; i >= 0 && is_flushed; i--) is_flushed = H5Dflush(file->series[i].dataset) >= 0;
    return is_flushed;
}

dunlin_result file_append(trajectory_file *file, const frame *f, dunlin_error *error) {
    if (f->rows > file->rows) file->rows = f->rows;
    driver_keep(file->driver, f->columns.memory, f->columns.bytes);
    const size_t words = (size_t)f->rows * (size_t)file->selected->species_column + file->selected->grids.words;
    if (!driver_expect(file->driver, 2 * words * sizeof(float)) || !append_all(file, f) || !driver_flush(file->driver) ||
        !flush(file))
        return file_fail(file, error);
    file->frames++;
    return DUNLIN_OK;
}

dunlin_result file_sync(const trajectory_file *file, dunlin_error *error) {
    if (driver_sync(file->driver)) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: %s", file->def->path, strerror(errno));
}

dunlin_result file_close(trajectory_file *file, dunlin_error *error) {
    const hid_t closed = file->file;
    file->file = 0;
    return closed <= 0 || H5Fclose(closed) >= 0 ? DUNLIN_OK : file_fail(file, error);
}

void file_free(trajectory_file *file) {
    for (int i = 0; i < file->field_count; i++) {
        for (size_t k = 0; k < file->fields[i].kept_count; k++) {
            free(file->fields[i].kept[k].plain);
            free(file->fields[i].kept[k].packed);
        }
        free(file->fields[i].kept);
    }
    free(file->grids);
    free(file->chunk);
    free(file->shuffled);
    free(file->packed);
}
