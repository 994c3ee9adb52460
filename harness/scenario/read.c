/* SPDX-License-Identifier: MIT */
/* From YAML's nodes to checked slots, by the schema. */
#include "harness/scenario/tree.h"
#include "harness/scenario/words.h"
#include "harness/scenario/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD_BYTES = 100 }; /* of a number or switch: aliases could have a longer one read a million times */

/* The walk follows the schema, which is a finite tree, and yaml.h bounds what aliases add to it. */
typedef struct checker {
    tree *to;
    const yaml *from;
    dunlin_error *error;
} checker;

static dunlin_result read_value(const checker *check, uint32_t node, uint32_t at);

#define FAIL(check, at, ...) dun_tree_fail((check)->to, &(check)->to->slots[at], DUNLIN_ERROR_FILE, (check)->error, __VA_ARGS__)

static dunlin_result reject(const checker *check, uint32_t at, const char *value, const char *allowed) {
    return FAIL(check, at, "it is '%.60s'; allowed: %s", value, allowed);
}

static const yaml_node *resolve(const checker *check, uint32_t node) {
    const yaml_node *named = &check->from->nodes[node];
    return named->kind == YAML_ALIAS ? &check->from->nodes[named->target] : named;
}

static const char *text_of(const checker *check, const yaml_node *scalar) {
    return check->from->text + scalar->text;
}

/* C's strings end there, and would hide what follows. */
static bool has_nul(const checker *check, const yaml_node *scalar) {
    return strlen(text_of(check, scalar)) != scalar->length;
}

/* Adds `count` slots inside of one that is there. */
static dunlin_result add_slots(const checker *check, uint32_t parent, uint32_t count) {
    tree *to = check->to;
    if (to->count + count > to->capacity) {
        const uint32_t capacity = 2 * to->capacity + count;
        slot *grown = realloc(to->slots, capacity * sizeof *grown);
        if (!grown) return dun_tree_fail(to, to->slots, DUNLIN_ERROR_MEMORY, check->error, "out of memory");
        to->slots = grown;
        to->capacity = capacity;
    }
    memset(to->slots + to->count, 0, count * sizeof *to->slots);
    to->slots[parent].first = to->count;
    to->slots[parent].count = count;
    for (uint32_t i = 0; i < count; i++) to->slots[to->count + i].parent = parent;
    to->count += count;
    return DUNLIN_OK;
}

/* ---- scalars ---------------------------------------------------------------------------------------------------------- */

static bool is_decimal(const char *text) {
    char *end;
    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    strtod(text, &end);
    return *end == '\0';
}

static dunlin_result read_number(const checker *check, const char *text, uint32_t at) {
    char allowed[100];
    if (!is_decimal(text)) return reject(check, at, text, "a number, such as 0.5 or 1e3");
    if (!isfinite(strtof(text, NULL))) return reject(check, at, text, "a number of magnitude up to 3.4e38");
    const stored_as stored = check->to->slots[at].row->stored;
    const bool wide = stored == STORED_DOUBLE || stored == STORED_DOUBLE_TURNS;
    const double value = wide ? strtod(text, NULL) : (double)strtof(text, NULL);
    return dun_slot_set(&check->to->slots[at], value, allowed, sizeof allowed) ? DUNLIN_OK : reject(check, at, text, allowed);
}

static dunlin_result read_whole(const checker *check, const char *text, uint32_t at) {
    slot *to = &check->to->slots[at];
    char allowed[100];
    const bool digits = isdigit((unsigned char)*text) && text[strspn(text, "0123456789")] == '\0';
    const bool octal = text[0] == '0' && text[1] != '\0';
    errno = 0;
    const uint64_t value = strtoull(text, NULL, 10);
    dun_row_range(to->row, allowed, sizeof allowed);
    const bool ranged = to->row->high > to->row->low;
    const bool fits = !ranged || ((double)value >= to->row->low && (double)value <= to->row->high);
    if (!digits || octal || errno == ERANGE || !fits) return reject(check, at, text, allowed);
    to->whole = value;
    return DUNLIN_OK;
}

static dunlin_result read_switch(const checker *check, const char *text, uint32_t at) {
    const bool on = strcmp(text, "true") == 0;
    if (!on && strcmp(text, "false") != 0) return reject(check, at, text, "true, false");
    check->to->slots[at].chosen = on;
    return DUNLIN_OK;
}

static dunlin_result read_choice(const checker *check, const char *text, uint32_t at) {
    const choice *choices = check->to->slots[at].row->choices, *chosen = dun_choice_find(choices, text);
    if (chosen) {
        check->to->slots[at].chosen = chosen->value;
        return DUNLIN_OK;
    }
    char allowed[320];
    words all = {.wanted = text};
    for (; choices->name; choices++) dun_words_add(&all, choices->name);
    dun_words_say(&all, allowed, sizeof allowed);
    return FAIL(check, at, "it is '%.60s'; %s", text, allowed);
}

static dunlin_result read_text(const checker *check, const yaml_node *node, uint32_t at) {
    slot *to = &check->to->slots[at];
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a text of %u .. %u bytes", to->row->min_count, to->row->max_count);
    if (node->length < to->row->min_count || node->length > to->row->max_count)
        return reject(check, at, text_of(check, node), allowed);
    to->text = node->text;
    return DUNLIN_OK;
}

static dunlin_result read_scalar(const checker *check, const yaml_node *node, uint32_t at) {
    const uint8_t type = check->to->slots[at].type;
    if (node->kind != YAML_SCALAR)
        return FAIL(check, at, "a single value is expected here, not a %s", node->kind == YAML_LIST ? "list" : "mapping");
    const char *text = text_of(check, node);
    if (has_nul(check, node)) return reject(check, at, text, "a text without NUL bytes; there is one after that");
    if (type == VALUE_TEXT) return read_text(check, node, at);
    if (node->length > MAX_WORD_BYTES) return reject(check, at, text, "at most 100 bytes");
    if (type == VALUE_NUMBER) return read_number(check, text, at);
    if (type == VALUE_WHOLE) return read_whole(check, text, at);
    return type == VALUE_SWITCH ? read_switch(check, text, at) : read_choice(check, text, at);
}

/* ---- lists ------------------------------------------------------------------------------------------------------------ */

static uint32_t count_items(const checker *check, const yaml_node *list) {
    uint32_t count = 0;
    for (uint32_t i = (uint32_t)(list - check->from->nodes) + 1; i < list->end; i = check->from->nodes[i].end) count++;
    return count;
}

/* [[1, 2], [3, 4]] for [1, 2, 3, 4]: the lists' common length; 0: it is none of lists. */
static uint32_t count_per_place(const checker *check, const yaml_node *list, uint32_t at) {
    const row *of = check->to->slots[at].row;
    const uint32_t begin = (uint32_t)(list - check->from->nodes) + 1;
    if ((of->shape != SHAPE_PLACES && of->shape != SHAPE_TWO_PLACES) || begin >= list->end) return 0;
    const yaml_node *first = resolve(check, begin);
    const uint32_t count = first->kind == YAML_LIST ? count_items(check, first) : 0;
    for (uint32_t i = begin; i < list->end && count > 0; i = check->from->nodes[i].end) {
        const yaml_node *item = resolve(check, i);
        if (item->kind != YAML_LIST || count_items(check, item) != count) return 0;
    }
    return count <= 3 ? count : 0;
}

/* The items from slot `to` on; returns how many there are by *to. */
static dunlin_result read_items(const checker *check, const yaml_node *list, bool nested, uint32_t *to) {
    dunlin_result result = DUNLIN_OK;
    const uint32_t begin = (uint32_t)(list - check->from->nodes) + 1;
    for (uint32_t i = begin; i < list->end && result == DUNLIN_OK; i = check->from->nodes[i].end) {
        if (nested) {
            result = read_items(check, resolve(check, i), false, to);
            continue;
        }
        slot *item = &check->to->slots[*to];
        item->row = check->to->slots[item->parent].row;
        item->type = (uint8_t)item->row->of;
        item->line = check->from->nodes[i].line;
        result = read_value(check, i, (*to)++);
    }
    return result;
}

static dunlin_result read_list(const checker *check, const yaml_node *list, uint32_t at) {
    const row *of = check->to->slots[at].row;
    if (list->kind != YAML_LIST) return FAIL(check, at, "a list is expected here: entries that begin with '- ', or [a, b]");
    const uint32_t per_place = count_per_place(check, list, at);
    const uint32_t count = count_items(check, list) * (per_place > 0 ? per_place : 1);
    if (count < of->min_count || count > of->max_count)
        return FAIL(check, at, "the list has %u entries; allowed: %u .. %u", count, of->min_count, of->max_count);
    dunlin_result result = add_slots(check, at, count);
    if (result != DUNLIN_OK) return result;
    check->to->slots[at].place = (uint8_t)per_place;
    uint32_t first = check->to->slots[at].first;
    return read_items(check, list, per_place > 0, &first);
}

/* ---- entries ---------------------------------------------------------------------------------------------------------- */

static dunlin_result add_fields(const checker *check, uint32_t at) {
    const table *fields = dun_slot_table(&check->to->slots[at]);
    const int count = dun_table_count(fields);
    dunlin_result result = add_slots(check, at, (uint32_t)count);
    for (int i = 0; i < count && result == DUNLIN_OK; i++) {
        slot *made = &check->to->slots[check->to->slots[at].first + (uint32_t)i];
        made->row = dun_table_row(fields, i);
        made->type = (uint8_t)made->row->type;
    }
    return result;
}

static dunlin_result fail_unknown(const checker *check, uint32_t line, const char *name, uint32_t at) {
    slot *entry = &check->to->slots[at];
    const table *fields = dun_slot_table(entry);
    char allowed[320];
    words all = {.wanted = name};
    for (int i = 0; i < dun_table_count(fields); i++) {
        if (!dun_table_row(fields, i)->newer) dun_words_add(&all, dun_table_row(fields, i)->name);
    }
    dun_words_say(&all, allowed, sizeof allowed);
    entry->line = line;
    return FAIL(check, at, "unknown field '%.40s'; %s", name, allowed);
}

static dunlin_result read_field(const checker *check, uint32_t key, uint32_t entry) {
    const yaml_node *named = resolve(check, key);
    const bool plain = named->kind == YAML_SCALAR && !has_nul(check, named);
    const char *name = plain ? text_of(check, named) : named->kind == YAML_SCALAR ? "(a NUL byte)" : "(a list or mapping)";
    const int index = plain ? dun_table_find(dun_slot_table(&check->to->slots[entry]), name, strlen(name)) : -1;
    if (index < 0) return fail_unknown(check, check->from->nodes[key].line, name, entry);
    const uint32_t at = check->to->slots[entry].first + (uint32_t)index;
    if (check->to->slots[at].line > 0) return FAIL(check, at, "the field stands here twice");
    check->to->slots[at].line = check->from->nodes[key].line;
    return read_value(check, check->from->nodes[key].end, at);
}

static bool is_given(const checker *check, uint32_t entry, const char *name) {
    return dun_tree_at(check->to, &check->to->slots[entry], name)->line > 0;
}

/* Whether the field stands there in its older form. */
static bool has_older(const checker *check, uint32_t entry, const row *of) {
    const table *fields = dun_slot_table(&check->to->slots[entry]);
    for (int i = 0; i < dun_table_count(fields); i++) {
        const row *other = dun_table_row(fields, i);
        if (other->newer && strcmp(other->newer, of->name) == 0 && is_given(check, entry, other->name)) return true;
    }
    return false;
}

static dunlin_result check_one_of(const checker *check, uint32_t entry) {
    const slot *of = &check->to->slots[entry];
    words all = {0};
    uint32_t given = 0, last = entry;
    for (uint32_t i = 0; i < of->count; i++) {
        const slot *at = dun_tree_inside(check->to, of, i);
        if (!at->row->one_of) continue;
        dun_words_add(&all, at->row->name);
        if (at->line > 0) last = of->first + i;
        given += at->line > 0;
    }
    if (*all.list == '\0' || given == 1) return DUNLIN_OK;
    return FAIL(check, last, given == 0 ? "it needs one of %s" : "allowed: only one of %s", all.list);
}

static dunlin_result check_fields(const checker *check, uint32_t entry) {
    for (uint32_t i = 0; i < check->to->slots[entry].count; i++) {
        const uint32_t at = check->to->slots[entry].first + i;
        const row *of = check->to->slots[at].row;
        const bool given = check->to->slots[at].line > 0;
        if (of->required && !given && !has_older(check, entry, of)) return FAIL(check, entry, "%s is missing", of->name);
        if (of->newer && given && is_given(check, entry, of->newer))
            return FAIL(check, at, "it is the older form of %s; allowed: one of the two", of->newer);
    }
    return check_one_of(check, entry);
}

static dunlin_result read_entry(const checker *check, const yaml_node *node, uint32_t at) {
    if (node->kind != YAML_MAPPING) return FAIL(check, at, "fields are expected here: name: value");
    dunlin_result result = add_fields(check, at);
    uint32_t key = (uint32_t)(node - check->from->nodes) + 1;
    while (result == DUNLIN_OK && key < node->end) {
        result = read_field(check, key, at);
        key = check->from->nodes[check->from->nodes[key].end].end;
    }
    return result == DUNLIN_OK ? check_fields(check, at) : result;
}

static dunlin_result read_value(const checker *check, uint32_t node, uint32_t at) {
    const yaml_node *value = resolve(check, node);
    switch (check->to->slots[at].type) {
    case VALUE_ENTRY:
        return read_entry(check, value, at);
    case VALUE_LIST:
        return read_list(check, value, at);
    default:
        return read_scalar(check, value, at);
    }
}

/* ---- the file --------------------------------------------------------------------------------------------------------- */

/* What every scenario has, though the file may leave it out: a world, and a species. */
static dunlin_result add_left_out(const checker *check) {
    const uint32_t world = (uint32_t)(dun_tree_at(check->to, check->to->slots, "world") - check->to->slots);
    const uint32_t species = (uint32_t)(dun_tree_at(check->to, check->to->slots, "species") - check->to->slots);
    dunlin_result result = check->to->slots[world].line > 0 ? DUNLIN_OK : add_fields(check, world);
    if (result != DUNLIN_OK || check->to->slots[species].line > 0) return result;
    result = add_slots(check, species, 1);
    if (result != DUNLIN_OK) return result;
    const uint32_t only = check->to->slots[species].first;
    check->to->slots[only].row = check->to->slots[species].row;
    check->to->slots[only].type = VALUE_ENTRY;
    return add_fields(check, only);
}

/* A vector has one number per dimension, and a place as many. */
static dunlin_result check_shape(const checker *check, uint32_t at, uint32_t axes) {
    const slot *list = &check->to->slots[at];
    switch (list->row->shape) {
    case SHAPE_VECTOR:
        if (list->count == axes) return DUNLIN_OK;
        return FAIL(check, at, "the list has %u numbers; allowed here: %u, one per dimension", list->count, axes);
    case SHAPE_TWO_PLACES:
        if (list->count == 2 * axes && (list->place == 0 || list->place == axes)) return DUNLIN_OK;
        return FAIL(check, at, "it needs two places of %u numbers each, one per dimension", axes);
    case SHAPE_PLACES:
        if (list->count % axes == 0 && (list->place == 0 || list->place == axes)) return DUNLIN_OK;
        return FAIL(check, at, "each point needs %u numbers, one per dimension", axes);
    default:
        return DUNLIN_OK;
    }
}

static dunlin_result check_shapes(const checker *check) {
    const slot *world = dun_tree_at(check->to, check->to->slots, "world");
    const slot *dimensions = dun_tree_at(check->to, world, "dimensions");
    const uint32_t axes = dimensions->line > 0 ? (uint32_t)dimensions->chosen : (uint32_t)dimensions->row->standard;
    dunlin_result result = DUNLIN_OK;
    for (uint32_t i = 1; i < check->to->count && result == DUNLIN_OK; i++) {
        const slot *at = &check->to->slots[i];
        if (at->type == VALUE_LIST && at->line > 0) result = check_shape(check, i, axes);
    }
    return result;
}

static dunlin_result fail_memory(const char *name, dunlin_error *error) {
    error->code = DUNLIN_ERROR_MEMORY;
    snprintf(error->message, sizeof error->message, "%s: out of memory", name);
    return error->code;
}

static dunlin_result read_root(tree *to, yaml *from, dunlin_error *error) {
    const checker check = {.to = to, .from = from, .error = error};
    if (from->count == 0) return FAIL(&check, 0, "the file is empty");
    dunlin_result result = read_value(&check, 0, 0);
    if (result == DUNLIN_OK) result = add_left_out(&check);
    if (result == DUNLIN_OK) result = check_shapes(&check);
    to->text = from->text;
    to->text_size = from->used;
    from->text = NULL;
    return result;
}

dunlin_result dun_tree_read(const char *name, const char *text, size_t length, tree *read, dunlin_error *error) {
    *read = (tree){.name = strdup(name), .slots = calloc(64, sizeof *read->slots), .count = 1, .capacity = 64};
    if (!read->name || !read->slots) return fail_memory(name, error);
    read->slots[0] = (slot){.type = VALUE_ENTRY, .line = 1};
    yaml from;
    dunlin_result result = dun_yaml_read(name, text, length, &from, error);
    if (result == DUNLIN_OK) result = read_root(read, &from, error);
    dun_yaml_free(&from);
    return result;
}
