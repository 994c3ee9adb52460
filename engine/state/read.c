/* SPDX-License-Identifier: MIT */
/* Reads state files. A file is read whole and checked before any agent is spawned. */
#include "engine/state/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/c_locale.h"
#include "engine/base/check.h"
#include "engine/base/stream.h"
#include "engine/base/entry.h"
#include "engine/world/agree.h"
#include "engine/world/world.h"
#include "engine/world/agents.h"
#include "engine/world/attribute.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

/* The rows of one species, in the order of the file. */
typedef struct rows {
    uint32_t count, room;
    uint32_t *id, *line;                     /* line: in the file */
    float *value[6 + DUNLIN_MAX_ATTRIBUTES]; /* by dun_state_value_of() */
} rows;

typedef struct row_reader {
    dunlin_world *world; /* NULL: only the preamble is read */
    dunlin_error *error;
    dun_lines lines;
    dun_preamble preamble;
    dun_state_columns columns; /* that a table may have */
    int count;                 /* columns of the file */
    int column[DUN_MAX_STATE_COLUMNS];
    char *field[DUN_MAX_STATE_COLUMNS]; /* the present line's */
    bool found[DUN_MAX_STATE_COLUMNS];  /* whether the file has such a column */
    uint64_t agents;                    /* so far */
    rows species[DUNLIN_MAX_SPECIES];
} row_reader;

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

static int find_column(const row_reader *r, const char *name) {
    for (int c = 0; c < r->columns.count; c++)
        if (strcmp(name, r->columns.name[c]) == 0) return c;
    return -1;
}

static dunlin_result check_columns(const row_reader *r) {
    for (int c = 0; c < r->columns.first_attribute; c++) {
        if (r->found[c] || (c == DUN_COLUMN_SPECIES && r->world->species_count == 1)) continue;
        return dun_lines_fail(&r->lines, "no column", r->columns.name[c],
                              c == DUN_COLUMN_SPECIES ? "only a table for a world with one species may leave it out"
                                                      : "the table needs it");
    }
    return DUNLIN_OK;
}

static dunlin_result fail_column(const row_reader *r, const char *name) {
    if (strcmp(name, "step") == 0 || strcmp(name, "time") == 0 || strcmp(name, "next_id") == 0)
        return dun_lines_fail(
            &r->lines, "column", name,
            "it belongs above the header, as in `# step 37`, in a file that begins with `" DUN_STATE_FIRST_LINE "`");
    return dun_lines_fail(&r->lines, "column", name,
                          r->world->def.dimensions == 3
                              ? "columns must be id, species, x, y, z, vx, vy, vz and attributes, each once"
                              : "columns must be id, species, x, y, vx, vy and attributes, each once");
}

static dunlin_result read_header(row_reader *r) {
    r->count = split(r->lines.text, r->field, DUN_MAX_STATE_COLUMNS);
    if (r->count > DUN_MAX_STATE_COLUMNS)
        return dun_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: header has %d columns: it may have at most %d", r->lines.name,
                        r->lines.number, r->count, (int)DUN_MAX_STATE_COLUMNS);
    for (int c = 0; c < r->count; c++) {
        const int column = find_column(r, r->field[c]);
        if (column < 0 || r->found[column]) return fail_column(r, r->field[c]);
        r->found[column] = true;
        r->column[c] = column;
    }
    return check_columns(r);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

static bool grow_rows(dun_heap *heap, rows *grown, int values) {
    if (grown->count < grown->room) return true;
    if (grown->room > UINT32_MAX / 2) return false;
    const uint32_t room = grown->room ? 2 * grown->room : 1024;
    const size_t word = sizeof(uint32_t); /* of every column */
    bool whole = dun_array_grow(heap, &grown->id, room, word) && dun_array_grow(heap, &grown->line, room, word);
    for (int v = 0; v < values && whole; v++) whole = dun_array_grow(heap, &grown->value[v], room, word);
    if (whole) grown->room = room;
    return whole;
}

static dunlin_result read_id(const row_reader *r, const char *text, uint32_t *id) {
    unsigned long long value;
    if (!dun_parse_whole(text, &value) || value >= UINT32_MAX)
        return dun_lines_fail(&r->lines, "id", text, "it must be a whole number from 0 to 4294967294");
    *id = (uint32_t)value;
    const char *taken = dun_id_taken(r->world, *id);
    return taken ? dun_lines_fail(&r->lines, "id", text, taken) : DUNLIN_OK;
}

/* Checks the same ranges as for a batch, but reports the line. */
static dunlin_result check_row_number(const row_reader *r, int number, const char *text, float value) {
    float min = -DUN_MAX_VELOCITY, max = DUN_MAX_VELOCITY;
    if (number < r->world->def.dimensions) dun_world_limits(&r->world->def, number, &min, &max);
    if (value >= min && value <= max) return DUNLIN_OK;
    char allowed[80];
    snprintf(allowed, sizeof allowed, "it must be from %.9g to %.9g", (double)min, (double)max);
    return dun_lines_fail(&r->lines, r->columns.name[DUN_COLUMN_NUMBERS + number], text, allowed);
}

static dunlin_result check_attribute_value(const row_reader *r, int species, int attribute, float value) {
    dunlin_error error;
    if (dun_attribute_check(r->world, species, attribute, value, &error) == DUNLIN_OK) return DUNLIN_OK;
    return dun_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: %.250s", r->lines.name, r->lines.number, error.message);
}

static dunlin_result read_value(const row_reader *r, int column, int species, const char *text) {
    const int number = dun_state_value_of(r->world, &r->columns, column, species), numbers = 2 * r->world->def.dimensions;
    const char *name = r->columns.name[column];
    if (number < 0 && text[0] == '\0') return DUNLIN_OK;
    if (number < 0) return dun_lines_fail(&r->lines, name, text, "it must be empty: the species has no such attribute");
    float *value = &r->species[species].value[number][r->species[species].count];
    if (!dun_parse_float(text, value))
        return dun_lines_fail(&r->lines, name, text, "it must be a finite number in decimal digits");
    return number < numbers ? check_row_number(r, number, text, *value)
                            : check_attribute_value(r, species, number - numbers, *value);
}

static dunlin_result find_species(const row_reader *r, int *species) {
    *species = 0;
    for (int c = 0; c < r->count; c++) {
        if (r->column[c] != DUN_COLUMN_SPECIES) continue;
        *species = dunlin_world_find_species(r->world, r->field[c]);
        if (*species < 0) return dun_lines_fail(&r->lines, "species", r->field[c], "the world has no such species");
    }
    return DUNLIN_OK;
}

static dunlin_result read_field(const row_reader *r, int c, int species) {
    const rows *into = &r->species[species];
    if (r->column[c] == DUN_COLUMN_SPECIES) return DUNLIN_OK;
    if (r->column[c] == DUN_COLUMN_ID) return read_id(r, r->field[c], &into->id[into->count]);
    return read_value(r, r->column[c], species, r->field[c]);
}

static dunlin_result check_row(const row_reader *r, int fields) {
    const uint64_t agents = r->preamble.agents;
    if (fields != r->count)
        return dun_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: row has %d field%s: it must have as many as the header, %d",
                        r->lines.name, r->lines.number, fields, fields == 1 ? "" : "s", r->count);
    if (r->preamble.there && r->agents == agents)
        return dun_fail(r->error, DUNLIN_ERROR_FILE, "%s:%lu: row %llu is one too many: the preamble says `# agents %llu`",
                        r->lines.name, r->lines.number, (unsigned long long)agents + 1, (unsigned long long)agents);
    return DUNLIN_OK;
}

static dunlin_result read_row(row_reader *r) {
    const int count = split(r->lines.text, r->field, DUN_MAX_STATE_COLUMNS);
    int species;
    dunlin_result result = check_row(r, count);
    if (!result) result = find_species(r, &species);
    if (result) return result;
    rows *into = &r->species[species];
    const int values = 2 * r->world->def.dimensions + r->world->species[species]->attribute_count;
    if (!grow_rows(r->world->heap, into, values)) return dun_fail_memory(r->error, "the file's agents");
    for (int c = 0; c < count && !result; c++) result = read_field(r, c, species);
    if (result) return result;
    into->line[into->count++] = (uint32_t)r->lines.number;
    r->agents++;
    return DUNLIN_OK;
}

static dunlin_result read_table(row_reader *r) {
    const uint64_t agents = r->preamble.agents;
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

static dunlin_batch batch_of(const row_reader *r, int species) {
    const rows *read = &r->species[species];
    const int dimensions = r->world->def.dimensions;
    dunlin_batch batch = {.cookie = DUN_COOKIE, .count = read->count, .ids = read->id};
    for (int a = 0; a < dimensions; a++) {
        batch.position[a] = read->value[a];
        batch.velocity[a] = read->value[dimensions + a];
    }
    for (int c = r->columns.first_attribute; c < r->columns.count; c++) {
        const int value = dun_state_value_of(r->world, &r->columns, c, species);
        if (value >= 0 && r->found[c]) batch.attribute[value - 2 * dimensions] = read->value[value];
    }
    return batch;
}

typedef struct row_id {
    uint32_t id, line;
} row_id;

static int compare_row_ids(const void *a, const void *b) {
    const row_id *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->line > y->line) - (x->line < y->line);
}

static dunlin_result fail_row(row_reader *r, row_id row, const char *allowed) {
    char text[16];
    snprintf(text, sizeof text, "%u", row.id);
    r->lines.number = row.line;
    return dun_lines_fail(&r->lines, "id", text, allowed);
}

static dunlin_result check_read_ids(row_reader *r) {
    size_t count = 0, filled = 0;
    for (int s = 0; s < r->world->species_count; s++) count += r->species[s].count;
    row_id *ids = dun_allocate(r->world->heap, (count + 1) * sizeof *ids);
    if (!ids) return dun_fail_memory(r->error, "the file's ids");
    for (int s = 0; s < r->world->species_count; s++)
        for (uint32_t i = 0; i < r->species[s].count; i++) ids[filled++] = (row_id){r->species[s].id[i], r->species[s].line[i]};
    qsort(ids, count, sizeof *ids, compare_row_ids);
    dunlin_result result = DUNLIN_OK;
    for (size_t i = 1; i < count && !result; i++)
        if (ids[i].id == ids[i - 1].id) result = fail_row(r, ids[i], "the file has this id twice");
    const uint64_t next_id = r->preamble.next_id;
    if (!result && count && next_id && ids[count - 1].id >= next_id)
        result = fail_row(r, ids[count - 1], "it must be below next_id");
    dun_free(ids);
    return result;
}

/* Without spent_ids the last agent died at next_id: all ids below it are spent. */
static void spend_ids(const row_reader *r) {
    const uint32_t next_id = (uint32_t)r->preamble.next_id, spent_ids = (uint32_t)r->preamble.spent_ids;
    if (next_id > r->world->next_id) r->world->next_id = next_id;
    dun_ids_spend(r->world, spent_ids ? spent_ids : next_id);
}

static dunlin_result spawn_rows(row_reader *r) {
    dunlin_result result = check_read_ids(r);
    dunlin_error error;
    for (int s = 0; s < r->world->species_count && !result; s++) {
        const dunlin_batch batch = batch_of(r, s);
        result = dun_spawn_check(r->world, s, &batch, &error);
        if (result) dun_fail(r->error, result, "%s: %.200s", r->lines.name, error.message);
    }
    if (result) return result;
    if (r->preamble.there && dun_agent_count(r->world) == 0) dun_preamble_apply(&r->preamble, r->world);
    for (int s = 0; s < r->world->species_count; s++) {
        const dunlin_batch batch = batch_of(r, s);
        dun_species_append(r->world, s, &batch);
    }
    spend_ids(r);
    return DUNLIN_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

static void reader_free(row_reader *r) {
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) {
        dun_free(r->species[s].id);
        dun_free(r->species[s].line);
        for (int v = 0; v < 6 + DUNLIN_MAX_ATTRIBUTES; v++) dun_free(r->species[s].value[v]);
    }
    dun_free(r->preamble.targets);
    dun_free(r);
}

static dunlin_result read_text(row_reader *r) {
    DUN_C_LOCALE();
    const dunlin_result result = dun_preamble_read(&r->preamble, r->world, &r->lines);
    return !result && r->world ? read_table(r) : result;
}

/* Reads a state into the world, or only its preamble if there is no world. */
static dunlin_result read_state(FILE *file, const char *name, dunlin_world *world, dunlin_state_info *info,
                                dunlin_error *error) {
    row_reader *r = dun_allocate_zeros(world ? world->heap : NULL, 1, sizeof *r);
    if (!r) return dun_fail_memory(error, "reading a file");
    r->world = world;
    r->error = r->lines.error = error;
    r->lines.file = file;
    r->lines.name = name;
    if (world) r->columns = dun_state_columns_of(world);
    dunlin_result result = read_text(r);
    if (!result && world) result = spawn_rows(r);
    const dun_preamble *p = &r->preamble;
    if (!result && info && p->there) *info = (dunlin_state_info){true, p->seed, p->step, p->time, p->agents};
    reader_free(r);
    return result;
}

static dunlin_result read_path(const char *path, dunlin_world *world, dunlin_state_info *info, dunlin_error *error) {
    if (!path) return dun_fail(error, DUNLIN_ERROR_VALUE, "path is NULL: it must name a file");
    FILE *file = dun_stream_open(path);
    if (!file) return dun_fail(error, DUNLIN_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    const dunlin_result result = read_state(file, path, world, info, error);
    fclose(file);
    return result;
}

dunlin_result dunlin_world_load(dunlin_world *world, const char *path, dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result whole = dun_check_whole(world, "loading", error);
    return whole ? whole : read_path(path, world, NULL, error);
}

dunlin_result dunlin_state_read_info(const char *path, dunlin_state_info *info, dunlin_error *error) {
    DUN_OWN_FLOATS();
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
