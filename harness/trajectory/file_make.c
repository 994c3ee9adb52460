/* SPDX-License-Identifier: MIT */
/* The objects of a trajectory's file. */
#include "harness/report/machine.h"
#include "harness/report/metrics.h"
#include "harness/trajectory/datasets.h"
#include "harness/trajectory/file.h"
#include "harness/trajectory/layout.h"

#include <hdf5_hl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ------------------------------------------------------------------------------------------------------------ */

static field *add_field(trajectory_file *file, const char *link, const char *alias, int column, size_t value_bytes) {
    field *f = &file->fields[file->field_count++];
    *f = (field){.column = column, .components = 1, .columns = 1, .value_bytes = value_bytes, .fill = UINT32_MAX};
    snprintf(f->link, sizeof f->link, "%s", link);
    snprintf(f->alias, sizeof f->alias, "%s", alias);
    return f;
}

static field *add_numbers(trajectory_file *file, const char *link, const char *alias, int column) {
    field *f = add_field(file, link, alias, column, sizeof(float));
    const float fill = TRAJECTORY_FILL;
    f->is_number = true;
    memcpy(&f->fill, &fill, sizeof fill);
    return f;
}

static void make_vectors(const trajectory_file *file, field *f) {
    f->components = 3;
    f->columns = file->selected->dimensions;
}

static void add_images(trajectory_file *file, int column) {
    field *f = add_field(file, "image", "image", column, sizeof(int32_t));
    make_vectors(file, f);
    f->is_steady = true;
    f->fill = (uint32_t)TRAJECTORY_NO_IMAGE;
}

static void add_attributes(trajectory_file *file) {
    const selection *s = file->selected;
    for (int c = s->first_attribute; c < s->column_count; c++) {
        char name[DUNLIN_NAME_LENGTH];
        trajectory_link(s->columns[c].name, c - s->first_attribute, name);
        add_numbers(file, name, name, c);
    }
}

__attribute__((format(printf, 4, 5))) static series *add_series(trajectory_file *file, hid_t type, hsize_t width,
                                                                const char *format, ...) {
    series *added = &file->series[file->series_count++];
    va_list values;
    *added = (series){.type = type, .width = width, .dataset = H5I_INVALID_HID};
    va_start(values, format);
    vsnprintf(added->path, sizeof added->path, format, values);
    va_end(values);
    return added;
}

void file_list(trajectory_file *file, const dunlin_world *world) {
    const selection *s = file->selected;
    const hsize_t species = (hsize_t)dunlin_world_species_count(world);
    make_vectors(file, add_numbers(file, "position", "coordinates", COLUMN_POSITION));
    if (s->has_velocity) make_vectors(file, add_numbers(file, "velocity", "velocities", COLUMN_POSITION + s->dimensions));
    add_field(file, "id", "id", COLUMN_ID, sizeof(int32_t))->is_steady = true;
    if (s->has_species) add_field(file, "species", "type", s->species_column, sizeof(int8_t))->is_steady = true;
    if (s->has_slot) add_field(file, "slot", "slot", s->slot_column, sizeof(int32_t));
    if (s->has_image) add_images(file, s->image_column);
    add_attributes(file);
    add_series(file, H5T_NATIVE_INT64, 0, TRAJECTORY_STEP);
    add_series(file, H5T_NATIVE_DOUBLE, 0, TRAJECTORY_TIME);
    add_series(file, H5T_NATIVE_DOUBLE, 3, TRAJECTORY_BOX);
    add_series(file, H5T_NATIVE_INT64, 0, TRAJECTORY_ROWS);
    add_series(file, H5T_NATIVE_UINT64, 0, TRAJECTORY_STATE_HASH);
    if (selection_is_periodic(s)) add_series(file, H5T_NATIVE_DOUBLE, 3, TRAJECTORY_EDGES)->height = 3;
    file->first_metric = file->series_count;
    for (const metrics_column *column = metrics_columns; column->name; column++)
        if (metrics_meter_has(s->meter, column))
            add_series(file, column->is_count ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE, species, "/observables/%s/value",
                       column->name);
}

/* ---- facts ------------------------------------------------------------------------------------------------------------ */

static bool put_text(hid_t file, const char *name, const char *text) {
    return attribute_text(file, TRAJECTORY_PARAMETERS, name, text ? text : "");
}

static bool put_number(hid_t file, const char *name, int number) {
    return attribute_numbers(file, TRAJECTORY_PARAMETERS, name, H5T_NATIVE_INT32, &(int32_t){number}, SCALAR);
}

static bool put_names(const trajectory_file *file, const dunlin_world *world) {
    const char *names[MAX_COLUMNS];
    int count = dunlin_world_species_count(world);
    for (int i = 0; i < count; i++) names[i] = dunlin_world_get_species(world, i).name;
    bool is_put = attribute_texts(file->file, TRAJECTORY_PARAMETERS, "species", names, count) &&
                  attribute_texts(file->file, "/observables", "species", names, count);
    count = 0;
    for (int c = file->selected->first_attribute; c < file->selected->column_count; c++)
        names[count++] = file->selected->columns[c].name;
    return attribute_texts(file->file, TRAJECTORY_PARAMETERS, "attributes", names, count) && is_put;
}

static bool put_machine(hid_t file) {
    const machine host = machine_describe();
    return put_text(file, "commit", host.commit) && put_text(file, "cpu", host.cpu) && put_text(file, "os", host.os) &&
           put_text(file, "compiler", host.compiler) && put_text(file, "flags", host.flags) &&
           put_text(file, "date", host.date) && put_text(file, "version", dunlin_version());
}

static bool put_scenario(hid_t file, const char *text) {
    const hsize_t one = 1;
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t dataset = dataset_make(file, TRAJECTORY_SCENARIO, type, 1, &one, &one, NULL, H5P_DEFAULT);
    const bool is_put = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (dataset >= 0) H5Dclose(dataset);
    H5Tclose(type);
    return is_put;
}

/* Whether the file has this text already. */
static bool has_scenario(hid_t file, const char *text) {
    const hid_t dataset = H5Dopen2(file, TRAJECTORY_SCENARIO, H5P_DEFAULT), type = dataset >= 0 ? H5Dget_type(dataset) : -1;
    const size_t bytes = type >= 0 ? H5Tget_size(type) : 0;
    char *own = bytes == strlen(text) + 1 ? malloc(bytes) : NULL;
    const bool has =
        own && chunks_read(dataset, type, 1, (const hsize_t[]){0}, (const hsize_t[]){1}, own) && memcmp(own, text, bytes) == 0;
    free(own);
    if (type >= 0) H5Tclose(type);
    if (dataset >= 0) H5Dclose(dataset);
    return has;
}

bool file_renew_scenario(const trajectory_file *file) {
    const char *text = file->def->scenario_text;
    return has_scenario(file->file, text) ||
           (H5Ldelete(file->file, TRAJECTORY_SCENARIO, H5P_DEFAULT) >= 0 && put_scenario(file->file, text));
}

static bool put_facts(const trajectory_file *file, const dunlin_world *world) {
    const trajectory_def *def = file->def;
    const selection *s = file->selected;
    const dunlin_world_def world_def = dunlin_world_get_def(world);
    const bool is_complete = s->is_whole && s->has_slot && s->has_species;
    const int every = def->every > INT32_MAX ? INT32_MAX : (int)def->every;
    return put_number(file->file, "format", TRAJECTORY_FORMAT) && put_number(file->file, "dimensions", s->dimensions) &&
           attribute_numbers(file->file, TRAJECTORY_PARAMETERS, "seed", H5T_NATIVE_UINT64, &world_def.seed, SCALAR) &&
           put_names(file, world) && put_number(file->file, TRAJECTORY_IS_COMPLETE, is_complete) &&
           put_number(file->file, TRAJECTORY_TRACES, dunlin_world_trace_count(world)) &&
           put_number(file->file, "precision", def->precision) && put_number(file->file, "compression", def->compression) &&
           put_number(file->file, "every", every) && put_text(file->file, "kernel", world_def.kernel) &&
           put_text(file->file, "index", world_def.index) && put_number(file->file, "threads", world_def.threads) &&
           put_text(file->file, "scenario", def->scenario) && put_text(file->file, "scenario_path", def->scenario_path) &&
           put_machine(file->file) && put_scenario(file->file, def->scenario_text);
}

/* ---- what H5MD and AMBER want ----------------------------------------------------------------------------------------- */

static bool make_conventions(hid_t file, const char *title) {
    static const int version[] = {1, 1};
    return attribute_text(file, ".", "Conventions", "AMBER") && attribute_text(file, ".", "ConventionVersion", "1.0") &&
           attribute_text(file, ".", "program", "dunlin") && attribute_text(file, ".", "programVersion", dunlin_version()) &&
           attribute_text(file, ".", "title", title) && group_make(file, "h5md/author") && group_make(file, "h5md/creator") &&
           attribute_numbers(file, "h5md", "version", H5T_NATIVE_INT32, version, 2) &&
           attribute_text(file, "h5md/author", "name", "unknown") && attribute_text(file, "h5md/creator", "name", "dunlin") &&
           attribute_text(file, "h5md/creator", "version", dunlin_version());
}

static bool make_box(hid_t file, const dunlin_world *world) {
    const char *boundary[3];
    for (int a = 0; a < 3; a++) boundary[a] = dunlin_world_boundary(world, a) == DUNLIN_BOUNDARY_PERIODIC ? "periodic" : "none";
    return group_make(file, TRAJECTORY_AGENTS "/box") &&
           attribute_numbers(file, TRAJECTORY_AGENTS "/box", "dimension", H5T_NATIVE_INT32, &(int32_t){3}, SCALAR) &&
           attribute_texts(file, TRAJECTORY_AGENTS "/box", "boundary", boundary, 3);
}

typedef struct scales {
    hid_t spatial, cell_spatial, cell_angular, flock, text;
} scales;

static bool make_scales(trajectory_file *file, scales *made) {
    const hsize_t species = (hsize_t)file->selected->species_count;
    file->frame_scale = scale_make(file->file, "frame", 0, true);
    file->atom_scale = scale_make(file->file, "atom", file->rows, true);
    made->spatial = scale_make(file->file, "spatial", 3, false);
    made->cell_spatial = scale_make(file->file, "cell_spatial", 3, false);
    made->cell_angular = scale_make(file->file, "cell_angular", 3, false);
    made->flock = scale_make(file->file, "flock", species, false);
    made->text = scale_make(file->file, "text", 0, true);
    return file->frame_scale >= 0 && file->atom_scale >= 0 && made->spatial >= 0 && made->cell_spatial >= 0 &&
           made->cell_angular >= 0 && made->flock >= 0 && made->text >= 0;
}

/* The units are names that readers of molecules know, and stand for the world's. AMBER and H5MD call them differently. */
static bool put_units(hid_t dataset, const char *h5md, const char *amber) {
    return attribute_unit(dataset, ".", h5md) && attribute_text(dataset, ".", "units", amber);
}

static bool link_to(hid_t file, const char *from, const char *to) {
    return H5Lcreate_hard(file, from, file, to, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

/* An H5MD element has its own names for the steps and times of all. */
static bool link_clock(hid_t file, const char *value) {
    char path[100];
    const int length = (int)(strlen(value) - strlen("value"));
    snprintf(path, sizeof path, "%.*sstep", length, value);
    if (!link_to(file, TRAJECTORY_STEP, path)) return false;
    snprintf(path, sizeof path, "%.*stime", length, value);
    return link_to(file, TRAJECTORY_TIME, path);
}

/* ---- datasets --------------------------------------------------------------------------------------------------------- */

enum { SERIES_CHUNK = 256, PREAMBLE_CHUNK = 32 };

static bool make_parent(hid_t file, const char *path) {
    char parent[100];
    snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(path, '/') - path), path);
    return *parent == '\0' || H5Lexists(file, parent, H5P_DEFAULT) > 0 || group_make(file, parent);
}

static bool make_series(trajectory_file *file, series *made, const scales *scale) {
    const hsize_t first = made->height > 0 ? made->height : made->width, width = made->width;
    const hsize_t size[] = {0, first, width}, max[] = {H5S_UNLIMITED, first, width}, chunk[] = {SERIES_CHUNK, first, width};
    if (!make_parent(file->file, made->path)) return false;
    made->dataset = dataset_make(file->file, made->path, made->type, series_rank(made), size, max, chunk, H5P_DEFAULT);
    if (made->dataset < 0 || H5DSattach_scale(made->dataset, file->frame_scale, 0) < 0) return false;
    const bool is_cell = made == &file->series[SERIES_BOX] || made->height > 0;
    const hid_t second = is_cell ? scale->cell_spatial : scale->flock;
    if (made->width > 0 && H5DSattach_scale(made->dataset, second, 1) < 0) return false;
    if (made->height > 0 && H5DSattach_scale(made->dataset, scale->spatial, 2) < 0) return false;
    return strrchr(made->path, '/') == made->path || link_clock(file->file, made->path);
}

static bool make_all_series(trajectory_file *file, const scales *scale) {
    if (!group_make(file->file, "/observables")) return false;
    for (int i = 0; i < file->series_count; i++)
        if (!make_series(file, &file->series[i], scale)) return false;
    return true;
}

/* All angles are 90 degrees, which the fill value says without a chunk. */
static bool make_cell(trajectory_file *file, const scales *scale) {
    const hsize_t size[] = {0, 3}, max[] = {H5S_UNLIMITED, 3}, chunk[] = {SERIES_CHUNK, 3};
    const double right = 90.0;
    const hid_t box = file->series[SERIES_BOX].dataset, time = file->series[SERIES_TIME].dataset,
                properties = H5Pcreate(H5P_DATASET_CREATE);
    const bool has_edges = file->first_metric > SERIES_EDGES;
    H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &right);
    file->angles = dataset_make(file->file, "cell_angles", H5T_NATIVE_DOUBLE, 2, size, max, chunk, properties);
    return file->angles >= 0 && H5DSattach_scale(file->angles, file->frame_scale, 0) >= 0 &&
           H5DSattach_scale(file->angles, scale->cell_angular, 1) >= 0 &&
           attribute_text(file->angles, ".", "units", "degree") && put_units(box, "Angstrom", "angstrom") &&
           put_units(time, "ps", "picosecond") &&
           (!has_edges || put_units(file->series[SERIES_EDGES].dataset, "Angstrom", "angstrom"));
}

static bool make_preamble(trajectory_file *file, const scales *scale) {
    const hsize_t size[] = {0, file->preamble_width}, max[] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[] = {PREAMBLE_CHUNK, 128};
    if (!make_parent(file->file, TRAJECTORY_PREAMBLE)) return false;
    file->preamble = dataset_make(file->file, TRAJECTORY_PREAMBLE, H5T_NATIVE_UINT8, 2, size, max, chunk, H5P_DEFAULT);
    return file->preamble >= 0 && H5DSattach_scale(file->preamble, file->frame_scale, 0) >= 0 &&
           H5DSattach_scale(file->preamble, scale->text, 1) >= 0 && link_clock(file->file, TRAJECTORY_PREAMBLE);
}

static hid_t field_properties(const trajectory_file *file, hid_t type, const void *fill) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_value(properties, type, fill);
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, file->def->compression > 0 ? (unsigned)file->def->compression : 1);
    return properties;
}

static bool describe_field(const trajectory_file *file, const field *f, hid_t type, const void *fill, hid_t spatial) {
    const hid_t dataset = f->dataset;
    const bool is_velocity = strcmp(f->link, "velocity") == 0;
    bool is_put = attribute_numbers(dataset, ".", "_FillValue", type, fill, 1) &&
                  H5DSattach_scale(dataset, file->frame_scale, 0) >= 0 && H5DSattach_scale(dataset, file->atom_scale, 1) >= 0;
    if (f->components == 3) is_put = is_put && H5DSattach_scale(dataset, spatial, 2) >= 0;
    if (f->components == 3 && f->is_number)
        is_put = is_put && put_units(dataset, is_velocity ? "Angstrom ps-1" : "Angstrom",
                                     is_velocity ? "angstrom/picosecond" : "angstrom");
    if (f->is_number && f->column >= file->selected->first_attribute)
        is_put = is_put && attribute_text(dataset, ".", "name", file->selected->columns[f->column].name);
    if (f->is_number && file->def->precision)
        is_put = is_put && attribute_numbers(dataset, ".", "_QuantizeBitRoundNumberOfSignificantBits", H5T_NATIVE_INT32,
                                             &file->def->precision, 1);
    return is_put;
}

/* Where MDAnalysis sees it. */
static bool show(hid_t file, const char *link) {
    char element[2 * DUNLIN_NAME_LENGTH], observable[2 * DUNLIN_NAME_LENGTH];
    snprintf(element, sizeof element, TRAJECTORY_AGENTS "/%s", link);
    snprintf(observable, sizeof observable, "/observables/%s", link);
    return link_to(file, element, observable);
}

static bool make_field(trajectory_file *file, field *f, hid_t spatial) {
    const hid_t type = f->is_number ? H5T_NATIVE_FLOAT : f->value_bytes == sizeof(int8_t) ? H5T_NATIVE_INT8 : H5T_NATIVE_INT32;
    const hsize_t size[] = {0, file->rows, 3}, max[] = {H5S_UNLIMITED, H5S_UNLIMITED, 3}, chunk[] = {1, file->chunk_rows, 1};
    char path[2 * DUNLIN_NAME_LENGTH];
    snprintf(path, sizeof path, TRAJECTORY_AGENTS "/%s/value", f->link);
    if (!make_parent(file->file, path)) return false;
    f->dataset = dataset_make(file->file, path, type, f->components == 3 ? 3 : 2, size, max, chunk,
                              field_properties(file, type, &f->fill));
    return f->dataset >= 0 && describe_field(file, f, type, &f->fill, spatial) && link_clock(file->file, path) &&
           link_to(file->file, path, f->alias) && (f->is_number || show(file->file, f->link));
}

/* ---- grids ------------------------------------------------------------------------------------------------------------ */

enum { GRID_CHUNK = CHUNK_BYTES / sizeof(float) }; /* values, but a row of cells at least */

/* A frame, or slabs of it. */
static void choose_chunk(const grid *g, hsize_t chunk[4]) {
    size_t values = 1;
    chunk[0] = 1;
    for (int a = g->rank; a-- > 0;) {
        const size_t most = GRID_CHUNK / values > 0 ? GRID_CHUNK / values : 1;
        chunk[a + 1] = g->size[a] < most ? g->size[a] : most;
        values *= (size_t)chunk[a + 1];
    }
}

/* NetCDF's readers want a name for each dimension. */
static bool attach_scales(const trajectory_file *file, const grid *g, hid_t dataset) {
    static const char *const of_cells[] = {"z", "y", "x"}, *const of_groups[] = {"group", "component"};
    bool is_attached = H5DSattach_scale(dataset, file->frame_scale, 0) >= 0;
    for (int a = 0; a < g->rank && is_attached; a++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", g->path, g->kind == GRID_TRACE ? of_cells[a] : of_groups[a]);
        const hid_t scale = scale_make(file->file, path, g->size[a], false);
        is_attached = scale >= 0 && H5DSattach_scale(dataset, scale, (unsigned)a + 1) >= 0;
        if (scale >= 0) H5Dclose(scale);
    }
    return is_attached;
}

static bool describe_trace(hid_t dataset, int trace, const dunlin_world *world) {
    const int of = dunlin_world_get_trace(world, trace).field;
    const dunlin_field_def def = dunlin_world_get_field(world, of);
    return attribute_numbers(dataset, ".", "field", H5T_NATIVE_INT32, &(int32_t){of}, SCALAR) &&
           attribute_numbers(dataset, ".", "min", H5T_NATIVE_FLOAT, def.min, 3) &&
           attribute_numbers(dataset, ".", "max", H5T_NATIVE_FLOAT, def.max, 3);
}

static hid_t grid_properties(const trajectory_file *file) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (file->def->compression > 0) {
        H5Pset_shuffle(properties);
        H5Pset_deflate(properties, (unsigned)file->def->compression);
    }
    return properties;
}

static bool make_grid(const trajectory_file *file, int number, const dunlin_world *world) {
    const grid *g = &file->selected->grids.grids[number];
    const hid_t type = grid_is_number(g) ? H5T_NATIVE_FLOAT : H5T_NATIVE_UINT32;
    hsize_t size[4] = {0}, max[4] = {H5S_UNLIMITED}, chunk[4];
    char path[100];
    for (int a = 0; a < g->rank; a++) size[a + 1] = max[a + 1] = g->size[a];
    choose_chunk(g, chunk);
    snprintf(path, sizeof path, "%s/value", g->path);
    if (!make_parent(file->file, path)) return false;
    const hid_t dataset = file->grids[number] =
        dataset_make(file->file, path, type, g->rank + 1, size, max, chunk, grid_properties(file));
    if (dataset < 0 || !attach_scales(file, g, dataset) || !link_clock(file->file, path)) return false;
    return g->kind == GRID_TRACE ? describe_trace(dataset, g->number, world)
                                 : attribute_text(dataset, ".", "species", dunlin_world_get_species(world, g->number).name);
}

bool file_make_objects(trajectory_file *file, const dunlin_world *world) {
    scales scale;
    bool is_made = make_conventions(file->file, file->def->scenario) && make_scales(file, &scale) &&
                   make_box(file->file, world) && group_make(file->file, TRAJECTORY_PARAMETERS) &&
                   make_all_series(file, &scale) && make_cell(file, &scale) && make_preamble(file, &scale) &&
                   put_facts(file, world);
    for (int i = 0; i < file->field_count && is_made; i++) is_made = make_field(file, &file->fields[i], scale.spatial);
    for (int i = 0; i < file->selected->grids.count && is_made; i++) is_made = make_grid(file, i, world);
    return is_made;
}

bool file_open_objects(trajectory_file *file) {
    char path[2 * DUNLIN_NAME_LENGTH];
    bool is_open = (file->frame_scale = H5Dopen2(file->file, "frame", H5P_DEFAULT)) >= 0 &&
                   (file->atom_scale = H5Dopen2(file->file, "atom", H5P_DEFAULT)) >= 0 &&
                   (file->angles = H5Dopen2(file->file, "cell_angles", H5P_DEFAULT)) >= 0 &&
                   (file->preamble = H5Dopen2(file->file, TRAJECTORY_PREAMBLE, H5P_DEFAULT)) >= 0;
    for (int i = 0; i < file->field_count && is_open; i++) {
        snprintf(path, sizeof path, TRAJECTORY_AGENTS "/%s/value", file->fields[i].link);
        is_open = (file->fields[i].dataset = H5Dopen2(file->file, path, H5P_DEFAULT)) >= 0;
    }
    for (int i = 0; i < file->selected->grids.count && is_open; i++) {
        snprintf(path, sizeof path, "%s/value", file->selected->grids.grids[i].path);
        is_open = (file->grids[i] = H5Dopen2(file->file, path, H5P_DEFAULT)) >= 0;
    }
    for (int i = 0; i < file->series_count && is_open; i++)
        is_open = (file->series[i].dataset = H5Dopen2(file->file, file->series[i].path, H5P_DEFAULT)) >= 0;
    return is_open;
}
