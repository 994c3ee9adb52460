/* SPDX-License-Identifier: MIT */
#include "harness/report/json.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 10 }; /* of a number: more than any clock is precise */

static dunlin_result out_of_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for rows of figures");
}

static json_t *caches_to_json(const machine *host) {
    json_t *caches = json_array();
    for (int i = 0; i < host->cache_count; i++) {
        const machine_cache *cache = &host->caches[i];
        json_array_append_new(caches, json_pack("{s:i, s:I, s:i}", "level", cache->level, "bytes", (json_int_t)cache->bytes,
                                                "shared_by", cache->shared_by));
    }
    return caches;
}

json_t *json_of_machine(const machine *host) {
    return json_pack("{s:s, s:i, s:i, s:i, s:s, s:o, s:i, s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "cpu", host->cpu, "sockets",
                     host->sockets, "cores", host->cores, "threads", host->threads, "limit", host->limit, "caches",
                     caches_to_json(host), "numa_nodes", host->numa_nodes, "memory_bytes", (json_int_t)host->memory_bytes,
                     "pages", host->pages, "os", host->os, "compiler", host->compiler, "flags", host->flags, "commit",
                     host->commit, "date", host->date, "pinning", host->pinning);
}

dunlin_result json_write(output_file *file, json_t *json, dunlin_error *error) {
    if (!file->stream) {
        json_decref(json);
        return DUNLIN_OK;
    }
    bool is_written = json && json_dumpf(json, file->stream, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) == 0;
    json_decref(json);
    if (!is_written && !ferror(file->stream)) return out_of_memory(error);
    fputc('\n', file->stream);
    return output_file_finish(file, error);
}

dunlin_result json_write_rows(output_file *file, const machine *host, json_t *rows, dunlin_error *error) {
    return json_write(file, json_pack("{s:o, s:o}", "machine", json_of_machine(host), "rows", rows), error);
}

static json_t *find(json_t *row, const char *name) {
    json_t *found = json_object_get(row, name), *inner;
    const char *key;
    json_object_foreach(row, key, inner) {
        const size_t length = strlen(key);
        if (json_is_object(inner) && strncmp(name, key, length) == 0 && name[length] == '_')
            found = json_object_get(inner, name + length + 1);
    }
    return found;
}

double json_figure(json_t *row, const char *name) {
    const json_t *value = find(row, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void write_field(FILE *file, const json_t *value) {
    if (json_is_string(value))
        csv_text(file, json_string_value(value));
    else if (json_is_integer(value))
        csv_count(file, (uint64_t)json_integer_value(value));
    else
        csv_number(file, json_is_real(value) ? json_real_value(value) : (double)NAN);
}

static void write_row(FILE *file, const char *header, json_t *host, json_t *row) {
    for (const char *at = header; *at != '\0';) {
        char name[64];
        const int length = (int)strcspn(at, ",\n");
        snprintf(name, sizeof name, "%.*s", length, at);
        json_t *value = find(row, name);
        write_field(file, value ? value : json_object_get(host, name));
        at += length + 1;
    }
    csv_end_row(file);
}

dunlin_result json_append_csv(const char *path, const char *header, const machine *host, json_t *rows, dunlin_error *error) {
    output_file file;
    json_t *described = json_of_machine(host);
    dunlin_result result = rows && described ? csv_open(&file, path, header, error) : out_of_memory(error);
    if (result == DUNLIN_OK) {
        for (size_t i = 0; i < json_array_size(rows); i++) write_row(file.stream, header, described, json_array_get(rows, i));
        result = output_file_finish(&file, error);
    }
    json_decref(described);
    json_decref(rows);
    return result;
}

static void put_range(table *t, json_t *row, const json_column *column, double scale) {
    char low[64], high[64];
    snprintf(low, sizeof low, "%s_min", column->name);
    snprintf(high, sizeof high, "%s_max", column->name);
    table_range(t, column->head, scale * json_figure(row, low), scale * json_figure(row, high));
}

static void put_column(table *t, json_t *row, const json_column *column) {
    const char *head = column->head, *text = json_string_value(find(row, column->name));
    const double figure = json_figure(row, column->name), scale = column->scale > 0.0 ? column->scale : 1.0;
    switch (column->shown) {
    case SHOWN_TEXT:
        table_text(t, head, "%s", text ? text : "");
        break;
    case SHOWN_COUNT:
        table_count(t, head, isnan(figure) ? 0 : (uint64_t)figure);
        break;
    case SHOWN_PERCENT:
    case SHOWN_SMALL_PERCENT:
        table_percent(t, head, figure, column->shown == SHOWN_PERCENT ? 1 : 2);
        break;
    case SHOWN_INVERSE:
        table_number(t, head, figure > 0.0 ? scale / figure : (double)NAN);
        break;
    case SHOWN_RANGE:
        put_range(t, row, column, scale);
        break;
    default:
        table_number(t, head, column->shown == SHOWN_POSITIVE && figure <= 0.0 ? (double)NAN : scale * figure);
    }
}

table json_table(json_t *rows, const json_column *columns) {
    table t = {0};
    for (size_t i = 0; i < json_array_size(rows); i++) {
        table_begin_row(&t);
        for (const json_column *column = columns; column->head; column++) put_column(&t, json_array_get(rows, i), column);
    }
    return t;
}
