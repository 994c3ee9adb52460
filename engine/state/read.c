/* SPDX-License-Identifier: MIT */
/* Reads state files. A file is read whole and checked before any agent is spawned. */
#include "engine/state/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/state/columns.h"
#include "engine/state/preamble.h"
#include "engine/world/world.h"
#include "engine/state/text.h"
#include "engine/world/agents.h"
#include "engine/world/attribute.h"
#include "engine/world/ids.h"

static const char *const number_names[] = {"x", "y", "z", "vx", "vy", "vz"};

/* What a column of the file holds. 0 .. 5: one of number_names; from COLUMN_ATTRIBUTE on: an attribute. */
enum {
    NUMBERS = 6,
    COLUMN_ID = NUMBERS,
    COLUMN_SPECIES,
    COLUMN_ATTRIBUTE,
    MAX_COLUMNS = COLUMN_ATTRIBUTE + DUN_STATE_MAX_NAMES
};

/* The rows of one species, in the order of the file. */
typedef struct rows {
    uint32_t count, room;
    uint32_t *id;
    unsigned long *line;                           /* in the file */
    float *value[NUMBERS + DUNLIN_MAX_ATTRIBUTES]; /* number_names, then the species' attributes */
} rows;

typedef struct reader {
    dunlin_world *world; /* NULL: only the preamble is read */
    dunlin_error *error;
    dun_lines lines;
    dun_preamble preamble;
    int columns;
    int kind[MAX_COLUMNS];
    char *field[MAX_COLUMNS]; /* the present line's */
    dun_attribute_names names;
    bool has_name[DUN_STATE_MAX_NAMES]; /* whether the file has such a column */
    uint64_t agents;                    /* so far */
    rows species[DUNLIN_MAX_SPECIES];
} reader;

static bool is_used(const reader *r, int number) {
    return r->world->def.dimensions == 3 || number % 3 != 2;
}

static dunlin_result fail_line(const reader *r, const char *what, const char *value, const char *allowed) {
    return dun_lines_fail(&r->lines, what, value, allowed);
}

/* ---- the header ------------------------------------------------------------------------------------------------------- */

/* Cuts the line at its commas, in place. Returns how many fields it has; the first `max_fields` of them are kept. */
static int split(char *line, char *fields[], int max_fields) {
    int count = 0;
    for (char *field = line; field; count++) {
        if (count < max_fields) fields[count] = field;
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
    for (int n = 0; n < NUMBERS; n++)
        if (is_used(r, n) && strcmp(name, number_names[n]) == 0) return n;
    return -1;
}

static dunlin_result check_columns(const reader *r, const bool found[]) {
    for (int n = 0; n < NUMBERS; n++)
        if (is_used(r, n) && !found[n]) return fail_line(r, "no column", number_names[n], "the table needs it");
    if (!found[COLUMN_ID]) return fail_line(r, "no column", "id", "the table needs it");
    if (!found[COLUMN_SPECIES] && r->world->species_count != 1)
        return fail_line(r, "no column", "species", "only a table for a world with one species may leave it out");
    return DUNLIN_OK;
}

static dunlin_result fail_column(const reader *r, const char *name) {
    if (strcmp(name, "step") == 0 || strcmp(name, "time") == 0 || strcmp(name, "next_id") == 0)
        return fail_line(r, "column", name,
                         "it belongs above the header, as in `# step 37`, in a file that begins with `" DUN_STATE_FIRST_LINE
                         "`");
    return fail_line(r, "column", name,
                     r->world->def.dimensions == 3
                         ? "columns must be id, species, x, y, z, vx, vy, vz and attributes, each once"
                         : "columns must be id, species, x, y, vx, vy and attributes, each once");
}

static dunlin_result read_header(reader *r) {
    const int count = split(r->lines.text, r->field, MAX_COLUMNS);
    bool found[MAX_COLUMNS] = {false};
    if (count > MAX_COLUMNS)
        return dun_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: header has %d columns: it may have at most %d", r->lines.name,
                        r->lines.number, count, (int)MAX_COLUMNS);
    for (r->columns = 0; r->columns < count; r->columns++) {
        const int kind = column_of(r, r->field[r->columns]);
        if (kind < 0 || found[kind]) return fail_column(r, r->field[r->columns]);
        found[kind] = true;
        r->kind[r->columns] = kind;
    }
    memcpy(r->has_name, found + COLUMN_ATTRIBUTE, sizeof r->has_name);
    return check_columns(r, found);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

static bool grow_column(float **column, size_t room) {
    float *grown = realloc(*column, room * sizeof *grown);
    if (grown) *column = grown;
    return grown;
}

static bool grow_rows(rows *grown, int attributes) {
    if (grown->count < grown->room) return true;
    if (grown->room > UINT32_MAX / 2) return false;
    const size_t room = grown->room ? 2 * (size_t)grown->room : 1024;
    uint32_t *id = realloc(grown->id, room * sizeof *id);
    if (id) grown->id = id;
    unsigned long *line = realloc(grown->line, room * sizeof *line);
    if (line) grown->line = line;
    bool whole = id && line;
    for (int n = 0; n < NUMBERS + attributes && whole; n++) whole = grow_column(&grown->value[n], room);
    if (whole) grown->room = (uint32_t)room;
    return whole;
}

static dunlin_result read_id(const reader *r, const char *text, uint32_t *id) {
    unsigned long long value;
    if (!dun_parse_whole(text, &value) || value >= UINT32_MAX)
        return fail_line(r, "id", text, "it must be a whole number from 0 to 4294967294");
    *id = (uint32_t)value;
    const char *taken = dun_id_taken(r->world, *id);
    return taken ? fail_line(r, "id", text, taken) : DUNLIN_OK;
}

/* Checks the same ranges as for a batch, but reports the line. */
static dunlin_result check_number(const reader *r, int number, const char *text, float value) {
    float low = -DUN_MAX_VELOCITY, high = DUN_MAX_VELOCITY;
    if (number < 3) dun_world_limits(&r->world->def, number, &low, &high);
    if (value >= low && value <= high) return DUNLIN_OK;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "it must be from %.9g to %.9g", (double)low, (double)high);
    return fail_line(r, number_names[number], text, allowed);
}

static dunlin_result read_number(const reader *r, int column, const char *text, float *number) {
    if (!dun_parse_float(text, number))
        return fail_line(r, number_names[r->kind[column]], text, "it must be a finite number in decimal digits");
    return check_number(r, (int)r->kind[column], text, *number);
}

/* An attribute's field must be empty if the species has no such attribute. */
static dunlin_result read_attribute(const reader *r, int name, int species, const char *text) {
    const int attribute = dunlin_world_find_attribute(r->world, species, r->names.name[name]);
    if (attribute < 0)
        return text[0] == '\0' ? DUNLIN_OK
                               : fail_line(r, r->names.name[name], text, "it must be empty: the species has no such attribute");
    const rows *into = &r->species[species];
    float *value = &into->value[NUMBERS + attribute][into->count];
    if (!dun_parse_float(text, value))
        return fail_line(r, r->names.name[name], text, "it must be a finite number in decimal digits");
    dunlin_error error;
    if (dun_attribute_check(r->world, species, attribute, *value, &error) == DUNLIN_OK) return DUNLIN_OK;
    return dun_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: %.250s", r->lines.name, r->lines.number, error.message);
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
    case COLUMN_ID:
        return read_id(r, text, &into->id[into->count]);
    case COLUMN_SPECIES:
        return DUNLIN_OK;
    default:
        break;
    }
    if (kind >= COLUMN_ATTRIBUTE) return read_attribute(r, kind - COLUMN_ATTRIBUTE, species, text);
    return read_number(r, column, text, &into->value[kind][into->count]);
}

static dunlin_result check_row(const reader *r, int fields) {
    const uint64_t agents = r->preamble.whole[DUN_STATE_AGENTS];
    if (fields != r->columns)
        return dun_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: row has %d field%s: it must have as many as the header, %d",
                        r->lines.name, r->lines.number, fields, fields == 1 ? "" : "s", r->columns);
    if (r->preamble.there && r->agents == agents)
        return dun_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: row %llu is one too many: the preamble says `# agents %llu`",
                        r->lines.name, r->lines.number, (unsigned long long)agents + 1, (unsigned long long)agents);
    return DUNLIN_OK;
}

static dunlin_result read_row(reader *r) {
    const int count = split(r->lines.text, r->field, MAX_COLUMNS);
    int species;
    dunlin_result result = check_row(r, count);
    if (!result) result = find_species(r, &species);
    if (result) return result;
    rows *into = &r->species[species];
    const int attributes = r->world->species[species]->attribute_count;
    if (!grow_rows(into, attributes)) return dun_fail_memory(r->error, "the file's agents");
    for (int c = 0; c < count && !result; c++) result = read_field(r, c, species);
    if (result) return result;
    into->line[into->count++] = r->lines.number;
    r->agents++;
    return DUNLIN_OK;
}

static dunlin_result read_table(reader *r) {
    const uint64_t agents = r->preamble.whole[DUN_STATE_AGENTS];
    bool found = true;
    dunlin_result result = read_header(r);
    while (!result) {
        result = dun_lines_next(&r->lines, &found);
        if (result || !found) break;
        result = r->preamble.there && !r->lines.ended ? dun_lines_fail_cut(&r->lines) : read_row(r);
    }
    if (!result && r->preamble.there && r->agents < agents)
        result =
            dun_fail(r->error, DUNLIN_ERROR_FILE, "%s: has %llu of the rows that `# agents %llu` announces: it is cut short",
                     r->lines.name, (unsigned long long)r->agents, (unsigned long long)agents);
    return result;
}

/* ---- spawning what was read ------------------------------------------------------------------------------------------- */

static dunlin_batch batch_of(const reader *r, int species) {
    const rows *read = &r->species[species];
    dunlin_batch batch = {.cookie = DUN_COOKIE, .count = read->count, .ids = read->id};
    for (int n = 0; n < NUMBERS; n++) (n < 3 ? batch.position : batch.velocity)[n % 3] = read->value[n];
    for (int n = 0; n < r->names.count; n++) {
        const int attribute = dunlin_world_find_attribute(r->world, species, r->names.name[n]);
        if (attribute >= 0 && r->has_name[n]) batch.attribute[attribute] = read->value[NUMBERS + attribute];
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
    r->lines.number = row.line;
    return fail_line(r, "id", text, allowed);
}

static dunlin_result check_ids(reader *r) {
    size_t count = 0, filled = 0;
    for (int s = 0; s < r->world->species_count; s++) count += r->species[s].count;
    row_id *ids = malloc((count + 1) * sizeof *ids);
    if (!ids) return dun_fail_memory(r->error, "the file's ids");
    for (int s = 0; s < r->world->species_count; s++)
        for (uint32_t i = 0; i < r->species[s].count; i++) ids[filled++] = (row_id){r->species[s].id[i], r->species[s].line[i]};
    qsort(ids, count, sizeof *ids, compare_ids);
    dunlin_result result = DUNLIN_OK;
    for (size_t i = 1; i < count && !result; i++)
        if (ids[i].id == ids[i - 1].id) result = fail_row(r, ids[i], "the file has this id twice");
    const uint64_t next_id = r->preamble.whole[DUN_STATE_NEXT_ID];
    if (!result && count && next_id && ids[count - 1].id >= next_id)
        result = fail_row(r, ids[count - 1], "it must be below next_id");
    free(ids);
    return result;
}

/* Without spent_ids the last agent died at next_id: all ids below it are spent. */
static void spend_ids(const reader *r) {
    const dun_preamble *p = &r->preamble;
    const uint32_t next_id = (uint32_t)p->whole[DUN_STATE_NEXT_ID], spent_ids = (uint32_t)p->whole[DUN_STATE_SPENT_IDS];
    if (next_id > r->world->next_id) r->world->next_id = next_id;
    dun_ids_spend(r->world, spent_ids ? spent_ids : next_id);
}

static dunlin_result spawn_rows(reader *r) {
    dunlin_result result = check_ids(r);
    dunlin_error error;
    for (int s = 0; s < r->world->species_count && !result; s++) {
        const dunlin_batch batch = batch_of(r, s);
        result = dun_spawn_check(r->world, s, &batch, &error);
        if (result) dun_fail(r->error, result, "%s: %.200s", r->lines.name, error.message);
    }
    if (result) return result;
    if (r->preamble.there && dunlin_world_agent_count(r->world) == 0) dun_preamble_apply(&r->preamble, r->world);
    for (int s = 0; s < r->world->species_count; s++) {
        const dunlin_batch batch = batch_of(r, s);
        dun_species_append(r->world, s, &batch);
    }
    spend_ids(r);
    return DUNLIN_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

static dunlin_result read_lines(reader *r) {
    locale_t c, before;
    if (!dun_c_locale_enter(&c, &before)) return dun_fail_memory(r->error, "reading a file");
    dunlin_result result = dun_preamble_read(&r->preamble, r->world, &r->lines);
    if (!result && r->world) result = read_table(r);
    dun_c_locale_leave(before, c);
    return result;
}

static void reader_free(reader *r) {
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) {
        free(r->species[s].id);
        free(r->species[s].line);
        for (int n = 0; n < NUMBERS + DUNLIN_MAX_ATTRIBUTES; n++) free(r->species[s].value[n]);
    }
    free(r->preamble.targets);
    free(r);
}

static dunlin_state_info info_of(const dun_preamble *p) {
    if (!p->there) return (dunlin_state_info){0};
    return (dunlin_state_info){.has_preamble = p->there,
                               .seed = p->whole[DUN_STATE_SEED],
                               .step = p->whole[DUN_STATE_STEP],
                               .time = p->has_time ? p->time : -1.0,
                               .agents = p->whole[DUN_STATE_AGENTS]};
}

/* Reads a state into the world, or only its preamble if there is no world. */
static dunlin_result read_state(FILE *file, const char *name, dunlin_world *world, dunlin_state_info *info,
                                dunlin_error *error) {
    reader *r = calloc(1, sizeof *r);
    if (!r) return dun_fail_memory(error, "reading a file");
    r->world = world;
    r->error = r->lines.error = error;
    r->lines.file = file;
    r->lines.name = name;
    if (world) dun_attribute_names_list(world, &r->names);
    dunlin_result result = read_lines(r);
    if (!result && world) result = spawn_rows(r);
    if (!result && info) *info = info_of(&r->preamble);
    reader_free(r);
    return result;
}

static dunlin_result read_path(const char *path, dunlin_world *world, dunlin_state_info *info, dunlin_error *error) {
    if (!path) return dun_fail(error, DUNLIN_ERROR_VALUE, "path is NULL: it must name a file");
    FILE *file = fopen(path, "rb");
    if (!file) return dun_fail(error, DUNLIN_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    const dunlin_result result = read_state(file, path, world, info, error);
    fclose(file);
    return result;
}

dunlin_result dunlin_world_load(dunlin_world *world, const char *path, dunlin_error *error) {
    return read_path(path, world, NULL, error);
}

dunlin_result dunlin_state_read_info(const char *path, dunlin_state_info *info, dunlin_error *error) {
    if (!info) return dun_fail(error, DUNLIN_ERROR_VALUE, "info is NULL: it must point at a dunlin_state_info");
    *info = (dunlin_state_info){0};
    return read_path(path, NULL, info, error);
}

/* The cast is safe: fmemopen() writes nothing into a text that is opened for reading. */
dunlin_result dun_state_read(dunlin_world *world, const char *name, const char *text, size_t length, dunlin_error *error) {
    if (length == 0) return dun_fail(error, DUNLIN_ERROR_FILE, "%s: is empty: it must begin with a header", name);
    FILE *file = fmemopen((void *)(uintptr_t)text, length, "rb");
    if (!file) return dun_fail_memory(error, "reading a state");
    const dunlin_result result = read_state(file, name, world, NULL, error);
    fclose(file);
    return result;
}
