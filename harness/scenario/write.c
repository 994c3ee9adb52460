/* SPDX-License-Identifier: MIT */
/* A scenario as a file again: for people with every default written out, for checkpoints without what is left out. */
#include "engine/base/c_locale.h"
#include "engine/base/control.h"

#include "harness/scenario/reference.h"
#include "harness/scenario/scenario.h"
#include "engine/base/entry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COMMENTS = 40, WIDTH = 110 }; /* the columns where comments begin, and where long lists continue in the next line */

typedef struct writer {
    FILE *to;
    int column;
    bool only_given;   /* without defaults and comments */
    bool has_bad_text; /* one that no file can have */
} writer;

static void put(writer *w, const char *text) {
    fputs(text, w->to);
    const char *end = strrchr(text, '\n');
    w->column = end ? (int)strlen(end + 1) : w->column + (int)strlen(text);
}

static void indent(writer *w, int depth) {
    for (int i = 0; i < depth; i++) put(w, "  ");
}

/* ---- scalars ---------------------------------------------------------------------------------------------------------- */

/* The fewest digits that are read as the same number. */
static void put_number(writer *w, const slot *at) {
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, at->number);
        if (dun_is_wide(at->row) ? strtod(text, NULL) == at->number : strtof(text, NULL) == (float)at->number) break;
    }
    put(w, text);
}

/* Whether YAML reads it as this text also without quotes. */
static bool is_plain(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", others[] = "0123456789_-";
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    const size_t begin = strspn(text, letters);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i]) == 0) return false;
    }
    return begin > 0 && text[begin + strspn(text + begin, others)] == '\0';
}

/* What YAML does not read as it stands, and what a terminal would obey: control characters, byte order marks. */
static bool is_escaped(uint32_t point) {
    return dun_is_control(point) || point == 0xfeff || point == 0xfffe || point == 0xffff;
}

static void put_text(writer *w, const char *text) {
    char escaped[12];
    uint32_t point;
    if (is_plain(text)) {
        put(w, text);
        return;
    }
    put(w, "\"");
    for (int bytes; *text != '\0'; text += bytes) {
        bytes = dun_utf8_decode(text, &point);
        w->has_bad_text = w->has_bad_text || bytes == 0;
        if (bytes == 0) bytes = 1;
        if (is_escaped(point))
            snprintf(escaped, sizeof escaped, "\\u%04" PRIx32, point);
        else
            snprintf(escaped, sizeof escaped, "%s%.*s", point == '"' || point == '\\' ? "\\" : "", bytes, text);
        put(w, escaped);
    }
    put(w, "\"");
}

static void put_scalar(writer *w, const slot *at) {
    char text[24];
    switch (at->type) {
    case VALUE_NUMBER:
        put_number(w, at);
        break;
    case VALUE_WHOLE:
        snprintf(text, sizeof text, "%" PRIu64, at->whole);
        put(w, text);
        break;
    case VALUE_TEXT:
        put_text(w, at->text);
        break;
    default:
        put(w, dun_choice_name(at->row->choices, (int)at->whole));
    }
}

/* [1, 2], or where the file has a list for each place, [[1, 2], [3, 4]]. */
static void put_scalars(writer *w, const slot *list, int depth) {
    put(w, "[");
    for (uint32_t i = 0; i < list->count; i++) {
        const bool begins = list->place > 0 && i % list->place == 0, ends = list->place > 0 && (i + 1) % list->place == 0;
        put(w, i > 0 ? "," : "");
        if (w->column > WIDTH && (begins || list->place == 0)) {
            put(w, "\n");
            indent(w, depth + 1);
        } else if (i > 0) {
            put(w, " ");
        }
        put(w, begins ? "[" : "");
        put_scalar(w, dun_inside(list, i));
        put(w, ends ? "]" : "");
    }
    put(w, "]");
}

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

static void put_comment(writer *w, const slot *at) {
    const char *unit = at->row->unit ? at->row->unit : "";
    const bool is_default = at->line == 0;
    if (!w->only_given && (is_default || *unit)) {
        do put(w, " ");
        while (w->column < COMMENTS);
        put(w, "# ");
        put(w, unit);
        put(w, is_default && *unit ? "; default" : is_default ? "default" : "");
    }
    put(w, "\n");
}

/* Why a left out field has no line: another one is given instead. */
static bool is_hidden(const slot *at) {
    const slot *entry = dun_parent(at);
    if (at->line > 0) return false;
    if (at->row->one_of) return true;
    for (const slot *other = dun_inside(entry, 0); other < dun_inside(entry, entry->count); other++) {
        const bool instead = other->row->instead && strcmp(other->row->instead, at->row->name) == 0;
        if (instead && other->line > 0) return true;
    }
    return false;
}

/* Whether the file or the caller gives the value, or something in it. */
static bool is_given(const slot *at) {
    const bool holds = at->type == VALUE_ENTRY || at->type == VALUE_LIST;
    bool given = at->line > 0;
    for (uint32_t i = 0; holds && i < at->count && !given; i++) given = is_given(dun_inside(at, i));
    return given;
}

static bool has_value(const slot *at) {
    const bool holds = at->type == VALUE_ENTRY || at->type == VALUE_LIST; /* what every scenario has, though it is left out */
    return at->line > 0 || (holds && at->count > 0) || (!holds && at->row->has_default);
}

static bool is_shown(const writer *w, const slot *at) {
    return w->only_given ? is_given(at) : !is_hidden(at) && (has_value(at) || at->row->otherwise);
}

/* Comments alone are no mapping. */
static bool is_empty(const writer *w, const slot *entry) {
    for (const slot *at = dun_inside(entry, 0); at < dun_inside(entry, entry->count); at++) {
        if (is_shown(w, at) && has_value(at)) return false;
    }
    return true;
}

static void put_fields(writer *w, const slot *entry, int depth, bool in_list);

static void put_entries(writer *w, const slot *list, int depth) {
    put(w, "\n");
    for (uint32_t i = 0; i < list->count; i++) {
        indent(w, depth + 1);
        put(w, is_empty(w, dun_inside(list, i)) ? "- {}\n" : "- ");
        put_fields(w, dun_inside(list, i), depth + 2, true);
    }
}

static void put_value(writer *w, const slot *at, int depth) {
    if (at->type == VALUE_ENTRY) {
        put(w, is_empty(w, at) ? " {}\n" : "\n");
        put_fields(w, at, depth + 1, false);
    } else if (at->type == VALUE_LIST && at->row->of == VALUE_ENTRY) {
        put_entries(w, at, depth);
    } else {
        put(w, " ");
        if (at->type == VALUE_LIST)
            put_scalars(w, at, depth);
        else
            put_scalar(w, at);
        put_comment(w, at);
    }
}

/* Without value there is a default in words, which are those of docs/scenarios.md. */
static void put_in_words(writer *w, const slot *at) {
    put(w, "# ");
    put(w, at->row->name);
    put(w, ": ");
    for (const char *c = at->row->otherwise; *c != '\0'; c++) {
        if (*c != '*' && *c != '`') put(w, (const char[]){*c, '\0'});
    }
    put(w, "\n");
}

static void put_fields(writer *w, const slot *entry, int depth, bool in_list) {
    bool first = in_list;
    for (const slot *at = dun_inside(entry, 0); at < dun_inside(entry, entry->count); at++) {
        if (!is_shown(w, at)) continue;
        if (!first) indent(w, depth);
        first = false;
        if (!has_value(at)) {
            put_in_words(w, at);
            continue;
        }
        put(w, at->row->name);
        put(w, ":");
        put_value(w, at, depth);
    }
}

static void put_scenario(FILE *to, const void *of) {
    const dunlin_scenario *scenario = of;
    writer w = {.to = to};
    put_fields(&w, scenario->file.slots, 0, false);
}

size_t dunlin_scenario_write(const dunlin_scenario *scenario, char *text, size_t size) {
    DUN_OWN_FLOATS();
    return dun_print(text, size, put_scenario, scenario);
}

bool dun_tree_write(const tree *of, char **text, size_t *length, dunlin_error *error) {
    writer w = {.only_given = true};
    DUN_C_LOCALE();
    *text = NULL;
    w.to = open_memstream(text, length);
    if (w.to && is_empty(&w, of->slots)) put(&w, "{}\n");
    if (w.to) put_fields(&w, of->slots, 0, false);
    if (!w.to || fclose(w.to) != 0) return dun_fail_at(of->name, of->slots, DUNLIN_ERROR_MEMORY, error, "out of memory");
    return !w.has_bad_text || dun_fail_at(of->name, of->slots, DUNLIN_ERROR_VALUE, error, "a text that was set is not UTF-8");
}
