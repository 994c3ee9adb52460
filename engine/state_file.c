/* SPDX-License-Identifier: MIT */
/*
 * States as CSV. The table is numbers and species names without commas or quotes, so a line is split at its commas and that is all
 * the CSV there is. Numbers are written and read in the C locale whatever the program's is, and nine significant digits give
 * a binary32 back bit for bit.
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "world.h"

enum { MOST_NAMES = DUNLIN_MAX_SPECIES * DUNLIN_MAX_ATTRIBUTES };

static const char *const number_names[] = {"x", "y", "z", "vx", "vy", "vz"};

/* The calling thread's locale is C between these two. false: no memory. */
static bool enter_c_locale(locale_t *c, locale_t *before) {
    *c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (*c) *before = uselocale(*c);
    return *c != (locale_t)0;
}

static void leave_c_locale(locale_t before, locale_t c) {
    uselocale(before);
    freelocale(c);
}

static dunlin_result fail_path(dunlin_error *error) {
    return dunlin_fail(error, DUNLIN_ERROR_VALUE, "path is NULL: it must name a file");
}

/* The names of all species' attributes, each once: columns. */
typedef struct attribute_names {
    int count;
    const char *name[MOST_NAMES];
} attribute_names;

static void list_attributes(const dunlin_world *world, attribute_names *names) {
    names->count = 0;
    for (int s = 0; s < world->species_count; s++) {
        for (int i = 0; i < world->species[s]->attribute_count; i++) {
            const char *name = world->species[s]->attribute[i].name;
            int known = 0;
            while (known < names->count && strcmp(names->name[known], name) != 0) known++;
            if (known == names->count) names->name[names->count++] = name;
        }
    }
}

/* ---- saving ----------------------------------------------------------------------------------------------------------- */

/* Which is not always one above the highest: that agent may have died. */
static bool needs_next_id(const dunlin_world *world) {
    return world->spent_ids > 0;
}

static void write_header(const dunlin_world *world, const attribute_names *names, FILE *file) {
    fputs(world->def.dimensions == 3 ? "id,species,x,y,z,vx,vy,vz" : "id,species,x,y,vx,vy", file);
    for (int n = 0; n < names->count; n++) fprintf(file, ",%s", names->name[n]);
    fputs(",step", file);
    if (world->uneven) fputs(",time", file);
    if (needs_next_id(world)) fputs(",next_id", file);
    fputc('\n', file);
}

static void write_attributes(const dunlin_world *world, int species, uint32_t agent, const attribute_names *names, FILE *file) {
    const dunlin_view view = dunlin_world_view(world, species);
    for (int n = 0; n < names->count; n++) {
        const int attribute = dunlin_world_find_attribute(world, species, names->name[n]);
        if (attribute < 0) fputc(',', file);
        else fprintf(file, ",%.9g", (double)view.attribute[attribute][agent]);
    }
}

static void write_agents(const dunlin_world *world, FILE *file) {
    const int dimensions = world->def.dimensions;
    attribute_names names;
    list_attributes(world, &names);
    write_header(world, &names, file);
    for (int s = 0; s < world->species_count && !ferror(file); s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        for (uint32_t i = 0; i < view.count; i++) {
            fprintf(file, "%u,%s", view.id[i], world->species[s]->name);
            for (int a = 0; a < dimensions; a++) fprintf(file, ",%.9g", (double)view.position[a][i]);
            for (int a = 0; a < dimensions; a++) fprintf(file, ",%.9g", (double)view.velocity[a][i]);
            write_attributes(world, s, i, &names, file);
            fprintf(file, ",%llu", (unsigned long long)world->stats.step);
            if (world->uneven) fprintf(file, ",%.17g", world->stats.time);
            if (needs_next_id(world)) fprintf(file, ",%u", world->next_id);
            fputc('\n', file);
        }
    }
}

dunlin_result dunlin_world_save(const dunlin_world *world, const char *path, dunlin_error *error) {
    if (!path) return fail_path(error);
    locale_t c, before;
    if (!enter_c_locale(&c, &before)) return dunlin_fail_memory(error, "writing a file");
    FILE *file = fopen(path, "w");
    if (file) write_agents(world, file);
    const int opening = errno;
    leave_c_locale(before, c);
    if (!file) return dunlin_fail(error, DUNLIN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(opening));
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return dunlin_fail(error, DUNLIN_ERROR_FILE, "%s: not all could be written: %s", path, strerror(errno));
    return DUNLIN_OK;
}

/* ---- loading ---------------------------------------------------------------------------------------------------------- */

/* What a column of the file holds. 0 .. 5: number_names; from COLUMN_ATTRIBUTE on: attributes. */
enum {
    COLUMN_ID = 6,
    COLUMN_SPECIES,
    COLUMN_STEP,
    COLUMN_TIME,
    COLUMN_NEXT_ID,
    COLUMN_ATTRIBUTE,
    MOST_COLUMNS = COLUMN_ATTRIBUTE + MOST_NAMES
};

/* The rows of one species, as they come. */
typedef struct rows {
    uint32_t count, room;
    uint32_t *id;
    unsigned long *line; /* of the file */
    float *number[6];
    float *attribute[DUNLIN_MAX_ATTRIBUTES];
} rows;

typedef struct reader {
    dunlin_world *world;
    const char *path;
    unsigned long line;
    int columns;
    int kind[MOST_COLUMNS];
    char *field[MOST_COLUMNS]; /* of the present line */
    attribute_names names;
    bool has_name[MOST_NAMES]; /* whether the file has such a column */
    bool has_step, has_time;
    uint64_t step;
    double time;
    uint32_t next_id; /* 0: none is given */
    rows species[DUNLIN_MAX_SPECIES];
    dunlin_error *error;
} reader;

static bool is_used(const reader *r, int number) {
    return r->world->def.dimensions == 3 || number % 3 != 2;
}

static dunlin_result fail_line(const reader *r, const char *what, const char *value, const char *allowed) {
    return dunlin_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: %s '%.40s': %s", r->path, r->line, what, value, allowed);
}

/* Cuts the line at its commas, in place; returns how many fields, or `most` + 1 for too many. */
static int split(char *line, char *fields[], int most) {
    line[strcspn(line, "\r\n")] = '\0';
    int count = 0;
    for (char *field = line; field; count++) {
        if (count == most) return most + 1;
        fields[count] = field;
        field = strchr(field, ',');
        if (field) *field++ = '\0';
    }
    return count;
}

static int column_of(const reader *r, const char *name) {
    for (int n = 0; n < r->names.count; n++)
        if (strcmp(name, r->names.name[n]) == 0) return COLUMN_ATTRIBUTE + n;
    if (strcmp(name, "id") == 0) return COLUMN_ID;
    if (strcmp(name, "species") == 0) return COLUMN_SPECIES;
    if (strcmp(name, "step") == 0) return COLUMN_STEP;
    if (strcmp(name, "next_id") == 0) return COLUMN_NEXT_ID;
    if (strcmp(name, "time") == 0) return COLUMN_TIME;
    for (int n = 0; n < 6; n++)
        if (is_used(r, n) && strcmp(name, number_names[n]) == 0) return n;
    return -1;
}

static dunlin_result check_columns(const reader *r, const bool found[]) {
    for (int n = 0; n < 6; n++)
        if (is_used(r, n) && !found[n]) return fail_line(r, "no column", number_names[n], "it is needed");
    if (!found[COLUMN_ID]) return fail_line(r, "no column", "id", "it is needed");
    if (found[COLUMN_TIME] && !found[COLUMN_STEP]) return fail_line(r, "no column", "step", "time needs it");
    if (!found[COLUMN_SPECIES] && r->world->species_count != 1)
        return fail_line(r, "no column", "species", "it may only be left out in a world with one species");
    return DUNLIN_OK;
}

static dunlin_result read_header(reader *r, char *line) {
    const int count = split(line, r->field, MOST_COLUMNS);
    const char *allowed = r->world->def.dimensions == 3
                              ? "columns are id, species, x, y, z, vx, vy, vz, step, time, next_id and attributes, each once"
                              : "columns are id, species, x, y, vx, vy, step, time, next_id and attributes, each once";
    if (count > MOST_COLUMNS) return fail_line(r, "header", line, allowed);
    bool found[MOST_COLUMNS] = {false};
    for (r->columns = 0; r->columns < count; r->columns++) {
        const int kind = column_of(r, r->field[r->columns]);
        if (kind < 0 || found[kind]) return fail_line(r, "column", r->field[r->columns], allowed);
        found[kind] = true;
        r->kind[r->columns] = kind;
    }
    memcpy(r->has_name, found + COLUMN_ATTRIBUTE, sizeof r->has_name);
    return check_columns(r, found);
}

/* A file of more rows than a species holds is refused when they are spawned, long after memory has run out. */
static bool grow_column(float **column, size_t room) {
    float *grown = realloc(*column, room * sizeof *grown);
    if (grown) *column = grown;
    return grown != NULL;
}

static bool grow_rows(rows *grown, int dimensions, int attributes) {
    if (grown->count < grown->room) return true;
    if (grown->room > UINT32_MAX / 2) return false;
    const size_t room = grown->room ? 2 * (size_t)grown->room : 1024;
    uint32_t *id = realloc(grown->id, room * sizeof *id);
    if (!id) return false;
    grown->id = id;
    unsigned long *line = realloc(grown->line, room * sizeof *line);
    if (!line) return false;
    grown->line = line;
    for (int n = 0; n < 6; n++) {
        if (dimensions == 2 && n % 3 == 2) continue;
        if (!grow_column(&grown->number[n], room)) return false;
    }
    for (int i = 0; i < attributes; i++)
        if (!grow_column(&grown->attribute[i], room)) return false;
    grown->room = (uint32_t)room;
    return true;
}

/* A whole number of 64 bits and nothing else. */
static bool parse_whole(const char *text, unsigned long long *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

static dunlin_result read_id(const reader *r, const char *text, uint32_t *id) {
    unsigned long long value;
    if (!parse_whole(text, &value) || value >= UINT32_MAX)
        return fail_line(r, "id", text, "it must be a whole number from 0 to 4294967294");
    *id = (uint32_t)value;
    const char *taken = dunlin_id_taken(r->world, *id);
    return taken ? fail_line(r, "id", text, taken) : DUNLIN_OK;
}

static dunlin_result read_next_id(reader *r, const char *text) {
    unsigned long long value;
    if (!parse_whole(text, &value) || value < 1 || value > UINT32_MAX)
        return fail_line(r, "next_id", text, "it must be a whole number from 1 to 4294967295");
    if (r->next_id && value != r->next_id) return fail_line(r, "next_id", text, "it must be the same in every row");
    r->next_id = (uint32_t)value;
    return DUNLIN_OK;
}

static dunlin_result read_step(reader *r, const char *text) {
    unsigned long long value;
    if (!parse_whole(text, &value)) return fail_line(r, "step", text, "it must be a whole number");
    if (r->has_step && value != r->step) return fail_line(r, "step", text, "it must be the same in every row");
    r->has_step = true;
    r->step = value;
    return DUNLIN_OK;
}

static dunlin_result read_time(reader *r, const char *text) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0.0) || isinf(value))
        return fail_line(r, "time", text, "it must be a finite number, at least 0");
    if (r->has_time && value != r->time) return fail_line(r, "time", text, "it must be the same in every row");
    r->has_time = true;
    r->time = value;
    return DUNLIN_OK;
}

/* The same ranges as a batch's, but with a line. */
static dunlin_result check_number(const reader *r, int number, const char *text, float value) {
    float low = -DUNLIN_MAX_VELOCITY, high = DUNLIN_MAX_VELOCITY;
    if (number < 3) dunlin_world_limits(&r->world->def, number, &low, &high);
    if (value >= low && value <= high) return DUNLIN_OK;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "it must be from %.9g to %.9g", (double)low, (double)high);
    return fail_line(r, number_names[number], text, allowed);
}

static dunlin_result read_number(const reader *r, int column, const char *text, float *number) {
    char *end;
    *number = strtof(text, &end);
    if (end == text || *end || !isfinite(*number))
        return fail_line(r, number_names[r->kind[column]], text, "it must be a finite number");
    return check_number(r, (int)r->kind[column], text, *number);
}

/* A field of an attribute: empty where the species has none of that name. */
static dunlin_result read_attribute(const reader *r, int name, int species, const char *text) {
    const int attribute = dunlin_world_find_attribute(r->world, species, r->names.name[name]);
    if (attribute < 0)
        return text[0] == '\0' ? DUNLIN_OK
                               : fail_line(r, r->names.name[name], text, "the species has no such attribute: it must be empty");
    char *end;
    const float value = strtof(text, &end);
    const rows *into = &r->species[species];
    into->attribute[attribute][into->count] = value;
    if (end == text || *end || !isfinite(value)) return fail_line(r, r->names.name[name], text, "it must be a finite number");
    dunlin_error error;
    if (dunlin_attribute_check(r->world, species, attribute, value, &error) == DUNLIN_OK) return DUNLIN_OK;
    return dunlin_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: %.250s", r->path, r->line, error.message);
}

static dunlin_result find_species(const reader *r, int *species) {
    *species = 0;
    for (int c = 0; c < r->columns; c++) {
        if (r->kind[c] != COLUMN_SPECIES) continue;
        *species = dunlin_world_find_species(r->world, r->field[c]);
        if (*species < 0) return fail_line(r, "species", r->field[c], "the world has no such species");
    }
    return DUNLIN_OK;
}

static dunlin_result read_field(reader *r, int column, int species) {
    const char *text = r->field[column];
    rows *into = &r->species[species];
    const int kind = r->kind[column];
    switch (kind) {
    case COLUMN_ID: return read_id(r, text, &into->id[into->count]);
    case COLUMN_STEP: return read_step(r, text);
    case COLUMN_NEXT_ID: return read_next_id(r, text);
    case COLUMN_TIME: return read_time(r, text);
    case COLUMN_SPECIES: return DUNLIN_OK;
    default: break;
    }
    if (kind >= COLUMN_ATTRIBUTE) return read_attribute(r, kind - COLUMN_ATTRIBUTE, species, text);
    return read_number(r, column, text, &into->number[kind][into->count]);
}

static dunlin_result read_row(reader *r, char *line) {
    const int count = split(line, r->field, MOST_COLUMNS);
    if (count != r->columns) return fail_line(r, "row", line, "it must have as many fields as the header");
    int species;
    dunlin_result result = find_species(r, &species);
    if (result) return result;
    rows *into = &r->species[species];
    const int attributes = r->world->species[species]->attribute_count;
    if (!grow_rows(into, r->world->def.dimensions, attributes)) return dunlin_fail_memory(r->error, "the file's agents");
    for (int c = 0; c < count && !result; c++) result = read_field(r, c, species);
    if (!result) into->line[into->count++] = r->line;
    return result;
}

static dunlin_result read_lines(reader *r, FILE *file) {
    char *line = NULL;
    size_t room = 0;
    dunlin_result result = DUNLIN_OK;
    ssize_t length;
    while (!result && (length = getline(&line, &room, file)) >= 0) {
        r->line++;
        if (strlen(line) != (size_t)length)
            result = fail_line(r, "text", line, "a zero byte follows it, so this is not CSV");
        else if (r->line == 1) result = read_header(r, line);
        else if (line[strspn(line, " \t\r\n")]) result = read_row(r, line);
    }
    free(line);
    if (!result && ferror(file)) result = dunlin_fail(r->error, DUNLIN_ERROR_FILE, "%s: cannot be read: %s", r->path, strerror(errno));
    if (!result && r->line == 0) result = dunlin_fail(r->error, DUNLIN_ERROR_FILE, "%s: is empty: it must begin with a header", r->path);
    return result;
}

/* ---- spawning what was read ------------------------------------------------------------------------------------------- */

static dunlin_batch batch_of(const reader *r, int species) {
    const rows *read = &r->species[species];
    dunlin_batch batch = {.count = read->count, .ids = read->id};
    for (int n = 0; n < 6; n++) (n < 3 ? batch.position : batch.velocity)[n % 3] = read->number[n];
    for (int n = 0; n < r->names.count; n++) {
        const int attribute = dunlin_world_find_attribute(r->world, species, r->names.name[n]);
        if (attribute >= 0 && r->has_name[n]) batch.attribute[attribute] = read->attribute[attribute];
    }
    return batch;
}

typedef struct row_id {
    uint32_t id;
    unsigned long line;
} row_id;

static int compare_ids(const void *a, const void *b) {
    const row_id *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->line > y->line) - (x->line < y->line);
}

static dunlin_result fail_row(reader *r, row_id row, const char *allowed) {
    char text[16];
    snprintf(text, sizeof text, "%u", row.id);
    r->line = row.line;
    return fail_line(r, "id", text, allowed);
}

static dunlin_result check_ids(reader *r) {
    size_t count = 0, filled = 0;
    for (int s = 0; s < r->world->species_count; s++) count += r->species[s].count;
    row_id *ids = malloc((count + 1) * sizeof *ids);
    if (!ids) return dunlin_fail_memory(r->error, "the file's ids");
    for (int s = 0; s < r->world->species_count; s++)
        for (uint32_t i = 0; i < r->species[s].count; i++) ids[filled++] = (row_id){r->species[s].id[i], r->species[s].line[i]};
    qsort(ids, count, sizeof *ids, compare_ids);
    dunlin_result result = DUNLIN_OK;
    for (size_t i = 1; i < count && !result; i++)
        if (ids[i].id == ids[i - 1].id) result = fail_row(r, ids[i], "the file has it twice");
    if (!result && count && r->next_id && ids[count - 1].id >= r->next_id)
        result = fail_row(r, ids[count - 1], "it must be below next_id");
    free(ids);
    return result;
}

static void go_on_from(const reader *r) {
    dunlin_world *world = r->world;
    world->stats.step = r->step;
    world->stats.time = r->has_time ? r->time : (double)r->step * (double)world->def.time_step;
    world->uneven = r->has_time;
}

static dunlin_result spawn_rows(reader *r) {
    dunlin_result result = check_ids(r);
    dunlin_error error;
    for (int s = 0; s < r->world->species_count && !result; s++) {
        const dunlin_batch batch = batch_of(r, s);
        result = dunlin_spawn_check(r->world, s, &batch, &error);
        if (result) dunlin_fail(r->error, result, "%s: %.200s", r->path, error.message);
    }
    if (result) return result;
    if (r->has_step && dunlin_world_agent_count(r->world) == 0) go_on_from(r);
    for (int s = 0; s < r->world->species_count; s++) {
        const dunlin_batch batch = batch_of(r, s);
        dunlin_species_append(r->world, s, &batch);
    }
    dunlin_ids_spend(r->world, r->next_id);
    return DUNLIN_OK;
}

static dunlin_result read_file(reader *r) {
    FILE *file = fopen(r->path, "r");
    if (!file) return dunlin_fail(r->error, DUNLIN_ERROR_FILE, "%s: cannot be read: %s", r->path, strerror(errno));
    locale_t c, before;
    dunlin_result result;
    if (enter_c_locale(&c, &before)) {
        result = read_lines(r, file);
        leave_c_locale(before, c);
    } else {
        result = dunlin_fail_memory(r->error, "reading a file");
    }
    fclose(file);
    return result;
}

dunlin_result dunlin_world_load(dunlin_world *world, const char *path, dunlin_error *error) {
    if (!path) return fail_path(error);
    reader *r = calloc(1, sizeof *r);
    if (!r) return dunlin_fail_memory(error, "reading a file");
    *r = (reader){.world = world, .path = path, .error = error};
    list_attributes(world, &r->names);
    dunlin_result result = read_file(r);
    if (!result) result = spawn_rows(r);
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) {
        free(r->species[s].id);
        free(r->species[s].line);
        for (int n = 0; n < 6; n++) free(r->species[s].number[n]);
        for (int i = 0; i < DUNLIN_MAX_ATTRIBUTES; i++) free(r->species[s].attribute[i]);
    }
    free(r);
    return result;
}
