/* SPDX-License-Identifier: MIT */
#include "harness/scenario/tree.h"
#include "harness/scenario/words.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- looking into it -------------------------------------------------------------------------------------------------- */

const table *dun_slot_table(const slot *entry) {
    return entry->row ? entry->row->table : &dun_schema;
}

const slot *dun_tree_inside(const tree *of, const slot *parent, uint32_t position) {
    return &of->slots[parent->first + position];
}

const slot *dun_tree_at(const tree *of, const slot *entry, const char *field) {
    return dun_tree_inside(of, entry, (uint32_t)dun_table_find(dun_slot_table(entry), field, strlen(field)));
}

const slot *dun_tree_entry(const tree *of, const char *list, uint32_t position) {
    return dun_tree_inside(of, dun_tree_at(of, of->slots, list), position);
}

uint32_t dun_tree_length(const tree *of, const char *list) {
    return dun_tree_at(of, of->slots, list)->count;
}

const slot *dun_tree_one(const tree *of, const slot *entry) {
    const slot *at = dun_tree_inside(of, entry, 0);
    while (!at->row->one_of || at->line == 0) at++;
    return at;
}

double dun_tree_number(const tree *of, const slot *entry, const char *field) {
    const slot *at = dun_tree_at(of, entry, field);
    return at->line > 0 ? at->number : at->row->standard;
}

uint64_t dun_tree_whole(const tree *of, const slot *entry, const char *field) {
    const slot *at = dun_tree_at(of, entry, field);
    return at->line > 0 ? at->whole : (uint64_t)at->row->standard;
}

const char *dun_tree_text(const tree *of, const slot *entry, const char *field) {
    const slot *at = dun_tree_at(of, entry, field);
    return at->line > 0 ? of->text + at->text : NULL;
}

/* ---- filling in C structs --------------------------------------------------------------------------------------------- */

#define PUT(type, value)                                                                                                       \
    do {                                                                                                                       \
        const type put = (type)(value);                                                                                        \
        memcpy(to, &put, sizeof put);                                                                                          \
    } while (0)

static double as_double(const slot *at) {
    return at->type == VALUE_NUMBER ? at->number : at->type == VALUE_WHOLE ? (double)at->whole : (double)at->chosen;
}

static void put_integer(const slot *at, void *to) {
    const uint64_t value = at->type == VALUE_WHOLE ? at->whole : (uint64_t)(int64_t)at->chosen;
    switch (at->row->stored) {
    case STORED_INT:
        PUT(int, value);
        break;
    case STORED_BOOL:
        PUT(bool, value != 0);
        break;
    case STORED_UINT32:
        PUT(uint32_t, value);
        break;
    default:
        PUT(uint64_t, value);
    }
}

static void put_scalar(const tree *of, const slot *at, void *to) {
    static const double pi = 3.14159265358979323846;
    switch (at->row->stored) {
    case STORED_FLOAT:
        PUT(float, as_double(at));
        break;
    case STORED_RADIANS:
        PUT(float, as_double(at) * pi / 180.0);
        break;
    case STORED_TURNS:
        PUT(float, as_double(at) / 360.0);
        break;
    case STORED_DOUBLE_TURNS:
        PUT(double, as_double(at) / 360.0);
        break;
    case STORED_DOUBLE:
    case STORED_WIDENED:
        PUT(double, as_double(at));
        break;
    case STORED_TEXT: {
        const char *text = of->text + at->text;
        memcpy(to, &text, sizeof text);
        break;
    }
    default:
        put_integer(at, to);
    }
}

/* The numbers of a list are stored one after another, 4 bytes each. */
static void put_value(const tree *of, const slot *at, char *to) {
    if (at->type == VALUE_ENTRY)
        dun_tree_bind(of, at, to);
    else if (at->type == VALUE_LIST)
        for (uint32_t i = 0; i < at->count; i++) put_scalar(of, dun_tree_inside(of, at, i), to + i * sizeof(float));
    else
        put_scalar(of, at, to);
}

static slot default_slot(const row *of) {
    slot made = {.row = of, .type = (uint8_t)of->type};
    if (of->type == VALUE_NUMBER)
        made.number = of->standard;
    else if (of->type == VALUE_WHOLE)
        made.whole = (uint64_t)of->standard;
    else
        made.chosen = (int)of->standard;
    return made;
}

void dun_tree_bind(const tree *of, const slot *entry, void *def) {
    for (uint32_t i = 0; i < entry->count; i++) {
        const row *at = dun_tree_inside(of, entry, i)->row;
        const slot standard = default_slot(at);
        if (at->stored != STORED_NOT && at->has_default) put_scalar(of, &standard, (char *)def + at->offset);
    }
    for (uint32_t i = 0; i < entry->count; i++) {
        const slot *at = dun_tree_inside(of, entry, i);
        if (at->row->stored != STORED_NOT && at->line > 0) put_value(of, at, (char *)def + at->row->offset);
    }
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

static const slot *parent_of(const tree *of, const slot *at) {
    return &of->slots[at->parent];
}

static bool is_in_list(const tree *of, const slot *at) {
    return at != of->slots && parent_of(of, at)->type == VALUE_LIST;
}

void dun_tree_place(const tree *of, const slot *at, char place[PLACE_LENGTH]) {
    *place = '\0';
    if (at == of->slots) return;
    const slot *parent = parent_of(of, at);
    dun_tree_place(of, parent, place);
    const size_t length = strlen(place);
    if (is_in_list(of, at))
        snprintf(place + length, PLACE_LENGTH - length, "[%u]", (unsigned)(at - dun_tree_inside(of, parent, 0)));
    else
        snprintf(place + length, PLACE_LENGTH - length, "%s%s", length > 0 ? "." : "", at->row->name);
}

const char *dun_tree_fixed(const tree *of, const slot *at) {
    for (; at != of->slots; at = parent_of(of, at)) {
        if (at->row->fixed) return at->row->fixed;
    }
    return NULL;
}

/* On its way along a path. */
typedef struct walk {
    const tree *of;
    const slot *at;
    const char *path, *rest; /* all of it, and what is still to be walked */
    char *problem;
    size_t size;
} walk;

static bool stop(const walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool stop(const walk *w, const char *format, ...) {
    const int length = snprintf(w->problem, w->size, "'%.60s' leads no further than '%.*s': ", w->path,
                                (int)(w->rest - w->path < 80 ? w->rest - w->path : 80), w->path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->problem + length, w->size - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static void add_fields(const table *of, words *all) {
    for (int i = 0; i < dun_table_count(of); i++) {
        const row *at = dun_table_row(of, i);
        if (!at->newer) dun_words_add(all, at->name);
    }
}

static bool enter_field(walk *w) {
    const char *begin = w->rest + (*w->rest == '.');
    const size_t length = strcspn(begin, ".[");
    const table *fields = dun_slot_table(w->at);
    const int index = dun_table_find(fields, begin, length);
    if (index < 0) {
        char key[64], allowed[320];
        snprintf(key, sizeof key, "%.*s", (int)(length < 60 ? length : 60), begin);
        words all = {.wanted = key};
        add_fields(fields, &all);
        dun_words_say(&all, allowed, sizeof allowed);
        return stop(w, "unknown field '%s'; %s", key, allowed);
    }
    w->rest = begin + length;
    w->at = dun_tree_inside(w->of, w->at, (uint32_t)index);
    return true;
}

static bool has_name(const walk *w, const slot *entry, const char *begin, size_t *length) {
    if (entry->type != VALUE_ENTRY || dun_table_find(dun_slot_table(entry), "name", 4) < 0) return false;
    const char *name = dun_tree_text(w->of, entry, "name");
    *length = name ? strlen(name) : 0;
    if (*length == 0 || strncmp(begin, name, *length) != 0) return false;
    return begin[*length] == '.' || begin[*length] == '\0';
}

static bool enter_named(walk *w) {
    const char *begin = w->rest + (*w->rest == '.');
    for (uint32_t i = 0; i < w->at->count; i++) {
        const slot *entry = dun_tree_inside(w->of, w->at, i);
        size_t length;
        if (!has_name(w, entry, begin, &length)) continue;
        w->rest = begin + length;
        w->at = entry;
        return true;
    }
    return stop(w, "there is no entry of that name; allowed: [0] .. [%u], or an entry's name", w->at->count - 1);
}

static bool enter_list(walk *w) {
    if (*w->rest != '[') return enter_named(w);
    char *end;
    const unsigned long position = strtoul(w->rest + 1, &end, 10);
    if (!isdigit((unsigned char)w->rest[1]) || *end != ']' || position >= w->at->count)
        return stop(w, "there is no such entry; allowed: [0] .. [%u]", w->at->count - 1);
    w->rest = end + 1;
    w->at = dun_tree_inside(w->of, w->at, (uint32_t)position);
    return true;
}

static bool is_number(const slot *at) {
    return at->type == VALUE_NUMBER || at->type == VALUE_WHOLE;
}

static bool step_in(walk *w) {
    if (is_number(w->at)) return stop(w, "that is a number, and has nothing inside");
    if (w->at->type != VALUE_ENTRY && w->at->type != VALUE_LIST) return stop(w, "that is no number");
    if (w->at->count == 0) return stop(w, "the file leaves it out; allowed: what the file has, even if only as {}");
    return w->at->type == VALUE_ENTRY ? enter_field(w) : enter_list(w);
}

bool dun_tree_find(const tree *of, const char *path, found *number, char *problem, size_t size) {
    walk w = {.of = of, .at = of->slots, .path = path, .rest = path, .problem = problem, .size = size};
    while (*w.rest != '\0') {
        if (!step_in(&w)) return false;
    }
    if (w.at->type == VALUE_ENTRY) {
        words all = {0};
        add_fields(dun_slot_table(w.at), &all);
        return stop(&w, "that is no number; allowed: a number of its %s", all.list);
    }
    if (!is_number(w.at)) return stop(&w, "that is no number");
    *number = (found){.slot = (uint32_t)(w.at - of->slots), .fixed = dun_tree_fixed(of, w.at)};
    return true;
}

static bool is_in_range(const row *of, double value) {
    if (!isfinite(value)) return false;
    if (of->high <= of->low) return true;
    return (of->above ? value > of->low : value >= of->low) && (of->below ? value < of->high : value <= of->high);
}

/* The nearest float, except where the file's numbers are doubles. */
static double rounded(const row *of, double value) {
    if (of->stored == STORED_DOUBLE || of->stored == STORED_DOUBLE_TURNS) return value;
    return (double)(float)fmax(fmin(value, (double)FLT_MAX), -(double)FLT_MAX);
}

bool dun_slot_set(slot *at, double value, char *allowed, size_t size) {
    const bool whole = at->type == VALUE_WHOLE;
    const double kept = whole ? floor(value + 0.5) : rounded(at->row, value);
    dun_row_range(at->row, allowed, size);
    if (!is_in_range(at->row, kept) || (whole && !(kept >= 0.0 && kept < 0x1p64))) return false;
    if (whole)
        at->whole = (uint64_t)kept;
    else
        at->number = kept;
    if (at->line == 0) at->line = 1;
    return true;
}

/* ---- what is wrong with it -------------------------------------------------------------------------------------------- */

static uint32_t line_of(const tree *of, const slot *at) {
    while (at->line == 0 && at != of->slots) at = parent_of(of, at);
    return at->line > 0 ? at->line : 1;
}

/* Returns the length of `file:line: place: `. */
static size_t begin_message(const tree *of, const slot *at, uint32_t line, dunlin_error *error) {
    char place[PLACE_LENGTH];
    dun_tree_place(of, at, place);
    const int length =
        snprintf(error->message, sizeof error->message, "%s:%u: %s%s", of->name, line, place, *place != '\0' ? ": " : "");
    return (size_t)length < sizeof error->message ? (size_t)length : sizeof error->message - 1;
}

dunlin_result dun_tree_fail(const tree *of, const slot *at, dunlin_result code, dunlin_error *error, const char *format, ...) {
    const size_t length = begin_message(of, at, line_of(of, at), error);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message + length, sizeof error->message - length, format, arguments);
    va_end(arguments);
    dun_mask_control(error->message);
    error->code = code;
    return code;
}

/* The line of the field, such as `max_speed` or `separation.radius`, that a message of the engine begins with. */
static uint32_t find_line(const tree *of, const slot *at, const char *message) {
    for (;;) {
        const size_t length = strspn(message, "abcdefghijklmnopqrstuvwxyz_");
        const int index = at->type == VALUE_ENTRY && at->count > 0 ? dun_table_find(dun_slot_table(at), message, length) : -1;
        if (index < 0) return line_of(of, at);
        at = dun_tree_inside(of, at, (uint32_t)index);
        if (message[length] != '.') return line_of(of, at);
        message += length + 1;
    }
}

dunlin_result dun_tree_locate(const tree *of, const slot *at, const char *subject, dunlin_error *error) {
    const dunlin_error inner = *error;
    const size_t skipped = strlen(subject);
    const char *message = inner.message;
    if (strncmp(message, subject, skipped) == 0 && message[skipped] == '.') message += skipped + 1;
    const size_t length = begin_message(of, at, find_line(of, at, message), error);
    snprintf(error->message + length, sizeof error->message - length, "%s", message);
    return error->code;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

bool dun_tree_copy(const tree *from, tree *to) {
    *to = *from;
    to->capacity = from->count;
    to->name = strdup(from->name);
    to->slots = malloc(from->count * sizeof *to->slots);
    to->text = malloc(from->text_size + 1);
    const bool whole = to->name && to->slots && to->text;
    if (whole) memcpy(to->slots, from->slots, from->count * sizeof *to->slots);
    if (whole && from->text_size > 0) memcpy(to->text, from->text, from->text_size);
    return whole;
}

void dun_tree_free(tree *freed) {
    free(freed->name);
    free(freed->slots);
    free(freed->text);
    *freed = (tree){0};
}
