/* SPDX-License-Identifier: MIT */
/* The schema for readers: as JSON Schema, and as the tables of docs/scenarios.md. */
#include "engine/base/c_locale.h"

#include "harness/scenario/reference.h"
#include "engine/base/entry.h"

#include <dunlin/scenario.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON Schema ------------------------------------------------------------------------------------------------------ */

static void put_string(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text; text++) fprintf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', to);
}

static void put_range(FILE *to, const row *of) {
    if (of->max <= of->min)
        fprintf(to, ", \"minimum\": 0, \"maximum\": %" PRIu64, UINT64_MAX);
    else
        fprintf(to, ", \"%s\": %.9g, \"%s\": %.10g", of->above ? "exclusiveMinimum" : "minimum", of->min,
                of->below ? "exclusiveMaximum" : "maximum", of->max);
}

/* YAML reads a digit as a number. */
static void put_choices(FILE *to, const choice *choices) {
    fprintf(to, "\"enum\": [");
    for (int i = 0; choices[i].name; i++) {
        fputs(i > 0 ? ", " : "", to);
        if (strspn(choices[i].name, "0123456789") > 0)
            fputs(choices[i].name, to);
        else
            put_string(to, choices[i].name);
    }
    fputc(']', to);
}

static void put_type(FILE *to, const row *of, value_type type);

/* Places may be lists in the list, and are then fewer than its numbers. */
static void put_list(FILE *to, const row *of) {
    const bool has_places = of->shape == SHAPE_PLACES || of->shape == SHAPE_TWO_PLACES;
    fprintf(to, "\"type\": \"array\", \"minItems\": %u, \"maxItems\": %u, \"items\": {", has_places ? 2 : of->min_count,
            of->max_count);
    if (has_places) {
        fputs("\"type\": [\"number\", \"array\"], \"items\": {\"type\": \"number\"", to);
        put_range(to, of);
        fputc('}', to);
        put_range(to, of);
    } else {
        put_type(to, of, of->of);
    }
    fputc('}', to);
}

static void put_type(FILE *to, const row *of, value_type type) {
    switch (type) {
    case VALUE_NUMBER:
    case VALUE_WHOLE:
        fprintf(to, "\"type\": \"%s\"", type == VALUE_NUMBER ? "number" : "integer");
        put_range(to, of);
        break;
    case VALUE_SWITCH:
        fputs("\"type\": \"boolean\"", to);
        break;
    case VALUE_CHOICE:
        put_choices(to, of->choices);
        break;
    case VALUE_TEXT:
        if (of->any_scalar)
            fputs("\"type\": [\"string\", \"number\", \"boolean\"]", to);
        else
            fprintf(to, "\"type\": \"string\", \"minLength\": %u, \"maxLength\": %u", of->min_count, of->max_count);
        break;
    case VALUE_ENTRY:
        fprintf(to, "\"$ref\": \"#/$defs/%s\"", of->table->name);
        break;
    case VALUE_LIST:
        put_list(to, of);
    }
}

static void put_property(FILE *to, const row *of, const char *before) {
    fprintf(to, "%s\n        \"%s\": {", before, of->name);
    put_type(to, of, of->type);
    fputs(", \"description\": ", to);
    put_string(to, of->doc);
    if (of->unit) {
        fputs(", \"$comment\": ", to);
        put_string(to, of->unit);
    }
    fputc('}', to);
}

/* A list with an item for each row of a kind; nothing if there is none. */
static void put_rows(FILE *to, const table *of, const char *key, bool (*is_one)(const row *), const char *item) {
    int count = 0;
    for (int i = 0; i < dun_table_count(of); i++) {
        const row *at = dun_table_row(of, i);
        if (!is_one(at)) continue;
        if (count++ > 0)
            fputs(", ", to);
        else
            fprintf(to, ",\n      \"%s\": [", key);
        fprintf(to, item, at->name, at->instead);
    }
    if (count > 0) fputc(']', to);
}

static bool is_required(const row *at) {
    return at->required;
}

static bool is_instead(const row *at) {
    return at->instead != NULL;
}

static bool is_one_of(const row *at) {
    return at->one_of;
}

static void put_object(FILE *to, const table *of) {
    fputs("\"type\": \"object\", \"additionalProperties\": false,\n      \"properties\": {", to);
    for (int i = 0; i < dun_table_count(of); i++) {
        put_property(to, dun_table_row(of, i), i > 0 ? "," : "");
    }
    fputs("}", to);
    put_rows(to, of, "required", is_required, "\"%s\"");
    put_rows(to, of, "allOf", is_instead, "{\"not\": {\"required\": [\"%s\", \"%s\"]}}");
    put_rows(to, of, "oneOf", is_one_of, "{\"required\": [\"%s\"]}");
}

void dun_put_schema(FILE *to, const void *of) {
    const table *format = of;
    const table *all[DUN_MAX_TABLES];
    const int count = dun_tables_below(format, all, 0);
    fprintf(to, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"Dunlin %s\",\n  ",
            format->name);
    put_object(to, format);
    fputs(",\n  \"$defs\": {", to);
    for (int i = 1; i < count; i++) {
        fprintf(to, "%s\n    \"%s\": {", i > 1 ? "," : "", all[i]->name);
        put_object(to, all[i]);
        fputc('}', to);
    }
    fputs("\n  }\n}\n", to);
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

/* 10⁹ where it is a power of ten that is long otherwise. */
static void put_number(FILE *to, double value) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = value == 0.0 ? 0 : (int)lrint(log10(fabs(value)));
    const bool is_power = value != 0.0 && fabs(fabs(value) / pow(10.0, power) - 1.0) < 1e-12 && abs(power) > 3;
    fputs(value < 0.0 ? "−" : "", to);
    if (!is_power) {
        fprintf(to, "%.10g", fabs(value));
        return;
    }
    fprintf(to, "10%s", power < 0 ? "⁻" : "");
    if (abs(power) >= 10) fputs(digits[abs(power) / 10], to);
    fputs(digits[abs(power) % 10], to);
}

static void put_allowed(FILE *to, const row *of) {
    const bool whole = (of->type == VALUE_LIST ? of->of : of->type) == VALUE_WHOLE;
    if (of->range) {
        fputs(of->range, to);
    } else if (of->choices) {
        for (int i = 0; of->choices[i].name; i++) fprintf(to, "%s`%s`", i > 0 ? ", " : "", of->choices[i].name);
    } else if (of->max > of->min) {
        fputs(of->above ? "> " : "", to);
        put_number(to, of->min);
        fputs(of->above ? of->below ? ", < " : ", ≤ " : " .. ", to);
        put_number(to, of->max);
    } else if (whole) {
        fputs("0 .. 2⁶⁴ − 1", to);
    } else if (of->max_count > 0 && (of->type == VALUE_TEXT || of->of == VALUE_ENTRY)) {
        fprintf(to, "%u .. %u %s", of->min_count, of->max_count, of->type == VALUE_TEXT ? "bytes" : "entries");
    }
}

static void put_default(FILE *to, const row *of) {
    if (of->required) {
        fputs("**required**", to);
    } else if (of->otherwise) {
        fputs(of->otherwise, to);
    } else if (of->has_default && of->choices) {
        fprintf(to, "`%s`", dun_choice_name(of->choices, (int)of->standard));
    } else if (of->has_default) {
        fprintf(to, "%.6g", of->standard);
    }
}

static void put_line(FILE *to, const row *at) {
    fprintf(to, "| `%s` | %s", at->name, at->doc);
    fprintf(to, " | %s | ", at->unit ? at->unit : "");
    put_allowed(to, at);
    fputs(" | ", to);
    put_default(to, at);
    fputs(" |\n", to);
}

static void put_table(FILE *to, const table *format, const char *name, size_t length) {
    const table *all[DUN_MAX_TABLES];
    const int count = dun_tables_below(format, all, 0);
    for (int i = 0; i < count; i++) {
        const table *of = all[i];
        if (strlen(of->name) != length || strncmp(of->name, name, length) != 0) continue;
        fputs("| field | what it is | unit | range | default |\n|---|---|---|---|---|\n", to);
        for (int r = 0; r < of->count; r++) put_line(to, &of->rows[r]);
    }
}

void dun_put_page(FILE *to, const void *of) {
    const table *format = ((const reference_page *)of)->format;
    const char *page = ((const reference_page *)of)->text;
    static const char begin[] = "<!-- table ", end[] = "<!-- end -->";
    for (const char *mark = strstr(page, begin); mark; mark = strstr(page, begin)) {
        const char *name = mark + strlen(begin), *line_end = strchr(name, '\n'), *close = strstr(name, end);
        if (!line_end || !close) break;
        fwrite(page, 1, (size_t)(line_end + 1 - page), to);
        put_table(to, format, name, strcspn(name, " "));
        page = close;
    }
    fputs(page, to);
}

/* ---- both ------------------------------------------------------------------------------------------------------------- */

size_t dun_print(char *text, size_t size, void (*put)(FILE *, const void *), const void *of) {
    char *all = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&all, &length);
    if (!to) return 0;
    DUN_C_LOCALE();
    put(to, of);
    const bool whole = fclose(to) == 0;
    if (whole && size > 0) snprintf(text, size, "%s", all);
    free(all);
    return whole ? length : 0;
}

size_t dunlin_scenario_schema(char *text, size_t size) {
    DUN_OWN_FLOATS();
    return dun_print(text, size, dun_put_schema, &dun_schema);
}

size_t dunlin_scenario_reference(const char *page, char *text, size_t size) {
    DUN_OWN_FLOATS();
    return page ? dun_print(text, size, dun_put_page, &(reference_page){page, &dun_schema}) : 0;
}
