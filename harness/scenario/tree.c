/* SPDX-License-Identifier: MIT */
#include "engine/base/c_locale.h"
#include "engine/base/control.h"

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
    return entry->row->table;
}

const slot *dun_field(const slot *entry, const char *name) {
    return dun_inside(entry, (uint32_t)dun_table_find(dun_slot_table(entry), name, strlen(name)));
}

const slot *dun_one_of(const slot *entry) {
    const slot *at = dun_inside(entry, 0);
    while (!at->row->one_of || at->line == 0) at++;
    return at;
}

uint32_t dun_position(const slot *entry) {
    return (uint32_t)(entry - dun_inside(dun_parent(entry), 0));
}

const char *dun_fixed(const slot *number) {
    for (; number->parent > 0; number = dun_parent(number)) {
        if (number->row->fixed) return number->row->fixed;
    }
    return NULL;
}

/* ---- growing it ------------------------------------------------------------------------------------------------------- */

bool dun_tree_reserve(tree *grown, uint32_t count) {
    if (grown->count + count <= grown->capacity) return true;
    const uint32_t capacity = 2 * grown->capacity + count;
    slot *slots = realloc(grown->slots, capacity * sizeof *slots);
    if (!slots) return false;
    grown->slots = slots;
    grown->capacity = capacity;
    return true;
}

void dun_add_slots(tree *to, uint32_t parent, uint32_t count) {
    memset(to->slots + to->count, 0, count * sizeof *to->slots);
    to->slots[parent].first = to->count - parent;
    to->slots[parent].count = count;
    for (uint32_t i = 0; i < count; i++, to->count++) to->slots[to->count].parent = to->count - parent;
}

uint32_t dun_field_count(const slot *entry) {
    return (uint32_t)dun_table_count(dun_slot_table(entry));
}

void dun_add_fields(tree *to, uint32_t entry) {
    const table *fields = dun_slot_table(&to->slots[entry]);
    dun_add_slots(to, entry, dun_field_count(&to->slots[entry]));
    slot *made = to->slots + entry + to->slots[entry].first;
    for (int i = 0; i < dun_table_count(fields); i++, made++) {
        made->row = dun_table_row(fields, i);
        dun_clear(made);
    }
}

void dun_clear(slot *field) {
    const row *of = field->row;
    *field = (slot){.row = of, .parent = field->parent, .type = (uint8_t)of->type};
    if (of->type == VALUE_NUMBER)
        field->number = of->standard;
    else
        field->whole = (uint64_t)of->standard;
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

void dun_place(const slot *at, char place[PLACE_LENGTH]) {
    *place = '\0';
    if (at->parent == 0) return;
    dun_place(dun_parent(at), place);
    const size_t length = strlen(place);
    if (dun_parent(at)->type == VALUE_LIST)
        snprintf(place + length, PLACE_LENGTH - length, "[%u]", (unsigned)dun_position(at));
    else
        snprintf(place + length, PLACE_LENGTH - length, "%s%s", length > 0 ? "." : "", at->row->name);
}

/* On its way along a path. */
typedef struct walk {
    const tree *of;
    tree *grown; /* the same, if it may grow; else NULL */
    uint32_t at;
    const char *path, *rest; /* all of it, and what is still to be walked */
    char *problem;
} walk;

static bool stop(const walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool stop(const walk *w, const char *format, ...) {
    const int walked = w->rest - w->path < 80 ? (int)(w->rest - w->path) : 80;
    int length = w->grown ? 0 : snprintf(w->problem, PROBLEM_LENGTH, "'%.60s': ", w->path); /* a setting's stands before it */
    if (walked > 0 && *w->rest != '\0')
        length += snprintf(w->problem + length, PROBLEM_LENGTH - (size_t)length, "at '%.*s': ", walked, w->path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->problem + length, PROBLEM_LENGTH - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static const slot *here(const walk *w) {
    return &w->of->slots[w->at];
}

/* Moves to a slot inside, and past what names it. */
static bool go(walk *w, uint32_t position, const char *rest) {
    w->at += here(w)->first + position;
    w->rest = rest;
    return true;
}

static bool enter_field(walk *w) {
    const char *begin = w->rest + (*w->rest == '.');
    const size_t length = strcspn(begin, ".[");
    const table *fields = dun_slot_table(here(w));
    const int index = dun_table_find(fields, begin, length);
    if (index >= 0) return go(w, (uint32_t)index, begin + length);
    char key[64], allowed[WORDS_LENGTH];
    snprintf(key, sizeof key, "%.*s", (int)(length < 60 ? length : 60), begin);
    words all = {.wanted = key};
    dun_words_add_fields(&all, fields);
    return stop(w, "unknown field '%s'; %s", key, dun_words_say(&all, allowed));
}

/* The length of the entry's name where the path continues with it; else 0. */
static size_t match_name(const slot *entry, const char *begin) {
    if (entry->type != VALUE_ENTRY || dun_table_find(dun_slot_table(entry), "name", 4) < 0) return 0;
    const char *name = text_of(entry, "name");
    const size_t length = name ? strlen(name) : 0;
    if (length == 0 || strncmp(begin, name, length) != 0) return 0;
    return begin[length] == '.' || begin[length] == '\0' ? length : 0;
}

static bool enter_named(walk *w) {
    const char *begin = w->rest + (*w->rest == '.');
    const uint32_t count = here(w)->count;
    char wanted[64], allowed[WORDS_LENGTH];
    words all = {.wanted = wanted};
    snprintf(wanted, sizeof wanted, "%.*s", (int)(strcspn(begin, ".[") % sizeof wanted), begin);
    for (uint32_t i = 0; i < count; i++) {
        const slot *entry = dun_inside(here(w), i);
        const size_t length = match_name(entry, begin);
        if (length > 0) return go(w, i, begin + length);
        if (entry->type == VALUE_ENTRY && dun_table_find(dun_slot_table(entry), "name", 4) >= 0 && text_of(entry, "name"))
            dun_words_add(&all, text_of(entry, "name"));
    }
    dun_words_say(&all, allowed);
    return stop(w, "unknown entry '%s'; %s%s[0] .. [%u]", wanted, *all.list ? allowed : "allowed: ", *all.list ? ", " : "",
                count - 1);
}

static bool enter_list(walk *w) {
    if (*w->rest != '[') return enter_named(w);
    char *end;
    const unsigned long position = strtoul(w->rest + 1, &end, 10);
    if (!isdigit((unsigned char)w->rest[1]) || *end != ']' || position >= here(w)->count)
        return stop(w, "there is no such entry; allowed: [0] .. [%u]", here(w)->count - 1);
    return go(w, (uint32_t)position, end + 1);
}

static bool enter_left_out(walk *w) {
    if (!w->grown) return stop(w, "the file leaves it out; allowed: what the file has, even if only as {}");
    if (here(w)->type == VALUE_LIST) return stop(w, "the file leaves it out; allowed: the whole list, as [...]");
    w->grown->slots[w->at].line = LINE_SET;
    dun_add_fields(w->grown, w->at);
    return enter_field(w);
}

static bool enter(walk *w) {
    const slot *at = here(w);
    if (dun_is_number(at)) return stop(w, "that is a number, and has nothing inside");
    if (at->type != VALUE_ENTRY && at->type != VALUE_LIST)
        return stop(w, w->grown ? "that is a single value, and has nothing inside" : "that is no number");
    if (at->count == 0) return enter_left_out(w);
    return at->type == VALUE_ENTRY ? enter_field(w) : enter_list(w);
}

static bool walk_to(walk *w, uint32_t *at) {
    while (*w->rest != '\0') {
        if (!enter(w)) return false;
    }
    *at = w->at;
    return true;
}

bool dun_find_any(tree *of, const char *path, uint32_t *at, char problem[PROBLEM_LENGTH]) {
    walk w = {.of = of, .grown = of, .path = path, .rest = path, .problem = problem};
    return walk_to(&w, at);
}

bool dun_find_number(const tree *of, const char *path, uint32_t *number, char problem[PROBLEM_LENGTH]) {
    walk w = {.of = of, .path = path, .rest = path, .problem = problem};
    if (!walk_to(&w, number)) return false;
    if (dun_is_number(here(&w))) return true;
    if (here(&w)->type != VALUE_ENTRY) return stop(&w, "that is no number");
    words all = {0};
    dun_words_add_fields(&all, dun_slot_table(here(&w)));
    return stop(&w, "that is no number; allowed: a number of its %s", all.list);
}

/* A whole number, or the nearest float, except where the file's numbers are doubles. */
static double rounded(const slot *number, double value) {
    if (number->type == VALUE_WHOLE) return floor(value + 0.5);
    return dun_is_wide(number->row) || !(fabs(value) <= (double)FLT_MAX) ? value : (double)(float)value;
}

static bool is_in_range(const slot *number, double value) {
    const row *of = number->row;
    if (of->max <= of->min) return value >= 0.0 && value < 0x1p64;               /* only whole numbers may have no range */
    const double min = rounded(number, of->min), max = rounded(number, of->max); /* like the file's numbers */
    return (of->above ? value > min : value >= min) && (of->below ? value < max : value <= max);
}

void dun_set_whole(tree *of, const slot *number, uint64_t value) {
    slot *at = &of->slots[number - of->slots];
    at->whole = value;
    if (at->line == 0) at->line = LINE_SET;
}

bool dun_set_number(slot *number, double value, char allowed[RANGE_LENGTH]) {
    const double kept = rounded(number, value);
    dun_row_range(number->row, allowed, RANGE_LENGTH);
    if (!is_in_range(number, kept)) return false;
    if (number->type == VALUE_WHOLE)
        number->whole = (uint64_t)kept;
    else
        number->number = kept;
    if (number->line == 0) number->line = LINE_SET;
    return true;
}

static bool names(const char *name, const row *of) {
    return name && strcmp(name, of->name) == 0;
}

static bool excludes(const slot *at, const slot *other) {
    const row *a = at->row, *b = other->row;
    if (at == other || dun_parent(at) != dun_parent(other) || dun_parent(at)->type != VALUE_ENTRY) return false;
    return (a->one_of && b->one_of) || names(a->instead, b) || names(b->instead, a);
}

const char *dun_given_instead(const slot *at) {
    const slot *entry = dun_parent(at), *other = dun_inside(entry, 0), *end = dun_inside(entry, entry->count);
    while (other < end && !(other->line > 0 && excludes(at, other))) other++;
    return other < end ? other->row->name : NULL;
}

/* ---- what is wrong with it -------------------------------------------------------------------------------------------- */

static uint32_t line_of(const slot *at) {
    while (at->line == 0 && at->parent > 0) at = dun_parent(at);
    return at->line > 0 ? at->line : 1;
}

/* Returns the length of `file:line: place: `. */
static size_t begin_message(const char *file, const slot *at, uint32_t line, dunlin_error *error) {
    char place[PLACE_LENGTH];
    dun_place(at, place);
    char where[24] = ", as set";
    if (line == LINE_SETTING) *where = '\0';
    if (line < LINE_SETTING) snprintf(where, sizeof where, ":%u", line);
    const int length = snprintf(error->message, sizeof error->message, "%s%s: %s%s", file, where, place, *place ? ": " : "");
    return (size_t)length < sizeof error->message ? (size_t)length : sizeof error->message - 1;
}

bool dun_fail_at(const char *file, const slot *at, dunlin_result code, dunlin_error *error, const char *format, ...) {
    const size_t length = begin_message(file, at, line_of(at), error);
    DUN_C_LOCALE();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message + length, sizeof error->message - length, format, arguments);
    va_end(arguments);
    dun_escape(error->message, sizeof error->message);
    error->code = code;
    return false;
}

/* The line of the field, such as `max_speed` or `separation.radius`, that a message of the engine begins with. */
static uint32_t find_line(const slot *at, const char *message) {
    for (;;) {
        const size_t length = strspn(message, "abcdefghijklmnopqrstuvwxyz_");
        const int index = at->type == VALUE_ENTRY && at->count > 0 ? dun_table_find(dun_slot_table(at), message, length) : -1;
        if (index < 0) return line_of(at);
        at = dun_inside(at, (uint32_t)index);
        if (message[length] != '.') return line_of(at);
        message += length + 1;
    }
}

/* Behind the name and the dot, if that is how the message begins. */
static const char *behind(const char *name, const char *message) {
    const size_t length = strlen(name);
    return strncmp(message, name, length) == 0 && message[length] == '.' ? message + length + 1 : message;
}

bool dun_locate(const char *file, const slot *at, const char *subject, dunlin_error *error) {
    const dunlin_error inner = *error;
    const char *message = behind(at->row->name, behind(subject, inner.message));
    const size_t length = begin_message(file, at, find_line(at, message), error);
    snprintf(error->message + length, sizeof error->message - length, "%s", message);
    dun_escape(error->message, sizeof error->message);
    return false;
}

/* The line that stands in the message, after the file's name. */
static uint32_t line_in(const char *file, const char *message) {
    char name[sizeof(dunlin_error){0}.message];
    snprintf(name, sizeof name, "%s", file);
    dun_escape(name, sizeof name);
    const size_t length = strlen(name);
    if (strncmp(message, name, length) != 0 || message[length] != ':') return 0;
    return (uint32_t)strtoul(message + length + 1, NULL, 10);
}

void dun_report(findings *all, bool is_mistake, const char *file, const char *message) {
    const dunlin_scenario_finding finding = {is_mistake, line_in(file, message), message};
    all->report(all->user, &finding);
}

void dun_report_mistake(findings *all, const char *file, slot *at, const dunlin_error *mistake) {
    if (all->mistakes++ == 0) all->first = *mistake;
    for (; at->parent > 0; at -= at->parent) at->is_wrong = true;
    at->is_wrong = true;
    dun_report(all, true, file, mistake->message);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

bool dun_tree_copy(const tree *from, tree *to) {
    *to = *from;
    to->capacity = from->count;
    to->name = strdup(from->name);
    to->slots = malloc(from->count * sizeof *to->slots);
    to->text = malloc(from->text_size + 1);
    if (!to->name || !to->slots || !to->text) return false;
    memcpy(to->slots, from->slots, from->count * sizeof *to->slots);
    memcpy(to->text, from->text, from->text_size);
    for (slot *at = to->slots; at < to->slots + to->count; at++) {
        if (at->type == VALUE_TEXT && at->text) at->text = to->text + (at->text - from->text);
    }
    return true;
}

void dun_tree_free(tree *freed) {
    free(freed->name);
    free(freed->slots);
    free(freed->text);
    *freed = (tree){0};
}
