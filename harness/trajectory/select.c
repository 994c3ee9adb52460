/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/trajectory/frame.h"
#include "harness/trajectory/layout.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- lists of names --------------------------------------------------------------------------------------------------- */

/* Whether the list has the name. NULL is a list of all names. */
static bool has(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
    return !list;
}

static bool is_attribute(const dunlin_world *world, const char *name) {
    for (int s = 0; s < dunlin_world_species_count(world); s++)
        if (dunlin_world_find_attribute(world, s, name) >= 0) return true;
    return false;
}

static bool is_field(const dunlin_world *world, const char *name) {
    static const char fields[] = "id,position,velocity,species,slot,image,groups,traces";
    return has(fields, name) || is_attribute(world, name);
}

static bool is_species(const dunlin_world *world, const char *name) {
    return dunlin_world_find_species(world, name) >= 0;
}

/* Adds to a text what fits. */
static void add_name(char *text, size_t size, const char *name) {
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", name);
}

static dunlin_result fail_name(const dunlin_world *world, const char *option, const char *name, dunlin_error *error) {
    char allowed[200] = "";
    const bool is_fields = strcmp(option, "fields") == 0;
    if (is_fields) add_name(allowed, sizeof allowed, "id, position, velocity, species, slot, image, groups, traces");
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        if (!is_fields) add_name(allowed, sizeof allowed, dunlin_world_get_species(world, s).name);
        for (int k = 0; is_fields && k < dunlin_world_attribute_count(world, s); k++)
            add_name(allowed, sizeof allowed, dunlin_world_get_attribute(world, s, k).name);
    }
    return bench_fail(error, DUNLIN_ERROR_VALUE, "--%s '%.60s': it must be names with commas between, of %s", option, name,
                      allowed);
}

static dunlin_result check_names(const char *list, const char *option, const dunlin_world *world,
                                 bool (*is_known)(const dunlin_world *, const char *), dunlin_error *error) {
    char name[DUNLIN_NAME_LENGTH];
    for (const char *at = list; at;) {
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (length >= sizeof name || !is_known(world, name)) return fail_name(world, option, name, error);
        at = at[length] ? at + length + 1 : NULL;
    }
    return DUNLIN_OK;
}

/* Whether all of HDF5, NetCDF and shells take the name, and nothing else of the layout has it. */
static bool is_plain_name(const char *name) {
    static const char *const taken[] = {
        "frame", "atom",      "spatial",     "cell_spatial", "cell_angular", "flock",       "text",     "step", "time",
        "h5md",  "particles", "observables", "parameters",   "box",          "position",    "velocity", "id",   "species",
        "slot",  "type",      "coordinates", "velocities",   "cell_lengths", "cell_angles", "image"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0) return false;
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_') return false;
    return !isdigit((unsigned char)*name) && strncmp(name, "attribute_", 10) != 0;
}

void trajectory_link(const char *name, int number, char *link) {
    if (is_plain_name(name))
        snprintf(link, DUNLIN_NAME_LENGTH, "%s", name);
    else
        snprintf(link, DUNLIN_NAME_LENGTH, "attribute_%d", number);
}

/* ---- columns ---------------------------------------------------------------------------------------------------------- */

static int find_column(const selection *s, const char *name) {
    for (int c = s->first_attribute; c < s->column_count; c++)
        if (strcmp(s->columns[c].name, name) == 0) return c;
    return -1;
}

static void add_attribute(selection *s, int species, int number, const char *name) {
    int c = find_column(s, name);
    if (c < 0) {
        c = s->column_count++;
        snprintf(s->columns[c].name, sizeof s->columns[c].name, "%s", name);
        memset(s->columns[c].number, -1, sizeof s->columns[c].number);
    }
    s->columns[c].number[species] = (signed char)number;
}

static void add_attributes(selection *s, const char *fields, const dunlin_world *world) {
    for (int species = 0; species < s->species_count; species++) {
        for (int k = 0; k < dunlin_world_attribute_count(world, species); k++) {
            const char *name = dunlin_world_get_attribute(world, species, k).name;
            if (!has(fields, name))
                s->is_whole = false;
            else if (s->is_wanted[species])
                add_attribute(s, species, k, name);
        }
    }
}

dunlin_result select_columns(selection *s, const trajectory_def *def, dunlin_world *world, dunlin_error *error) {
    const dunlin_world_def world_def = dunlin_world_get_def(world);
    *s = (selection){
        .dimensions = world_def.dimensions, .species_count = dunlin_world_species_count(world), .meter = def->meter};
    dunlin_result result = check_names(def->fields, "fields", world, is_field, error);
    if (result == DUNLIN_OK) result = check_names(def->species, "species", world, is_species, error);
    if (result != DUNLIN_OK) return result;
    s->has_velocity = has(def->fields, "velocity");
    s->has_species = has(def->fields, "species");
    s->has_slot = has(def->fields, "slot");
    for (int a = 0; a < 3; a++) s->repeats[a] = dunlin_world_boundary(world, a) == DUNLIN_BOUNDARY_PERIODIC;
    s->has_image = selection_is_periodic(s) && has(def->fields, "image");
    s->is_whole = s->has_velocity;
    for (int i = 0; i < s->species_count; i++) {
        s->is_wanted[i] = has(def->species, dunlin_world_get_species(world, i).name);
        s->is_whole = s->is_whole && s->is_wanted[i];
    }
    s->column_count = s->first_attribute = COLUMN_POSITION + (s->has_velocity ? 2 : 1) * s->dimensions;
    add_attributes(s, def->fields, world);
    s->slot_column = s->column_count;
    s->image_column = s->slot_column + 1;
    s->species_column = s->image_column + (s->has_image ? s->dimensions : 0);
    if (grids_list(&s->grids, world, has(def->fields, "groups"), has(def->fields, "traces"))) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a trajectory");
}

uint32_t selected_rows(const selection *s, const dunlin_world *world) {
    uint32_t rows = 0;
    for (int i = 0; i < s->species_count; i++)
        if (s->is_wanted[i]) rows += dunlin_world_view(world, i).count;
    return rows;
}
