/* SPDX-License-Identifier: MIT */
/* From YAML's nodes to checked slots, by the schema. */
#include "engine/base/c_locale.h"

#include "harness/report/numerals.h"
#include "harness/scenario/read.h"
#include "harness/scenario/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD_BYTES = 100 }; /* of a number or switch: aliases could have a longer one read a million times */

bool dun_goes_on(const checker *check, const slot *at) {
    if (!check->all) return false;
    dun_report_mistake(check->all, check->name, SLOT(at - check->to->slots), check->error);
    return true;
}

static bool reject(const checker *check, const slot *at, const char *value, const char *allowed) {
    return FAIL(at, "it is '%.60s'; allowed: %s", value, allowed);
}

static uint32_t line_of(const checker *check, const yaml_node *node) {
    return check->sets ? LINE_SETTING : node->line;
}

static const yaml_node *resolve(const yaml_node *node) {
    return node->kind == YAML_ALIAS ? node->from : node;
}

/* C's strings end there, and would hide what follows. */
static bool has_nul(const yaml_node *scalar) {
    return strlen(scalar->text) != scalar->length;
}

bool dun_reserve(const checker *check, uint32_t count) {
    return dun_tree_reserve(check->to, count) ||
           dun_fail_at(check->name, check->to->slots, DUNLIN_ERROR_MEMORY, check->error, "out of memory");
}

static bool add_fields(const checker *check, uint32_t entry) {
    if (!dun_reserve(check, dun_field_count(SLOT(entry)))) return false;
    dun_add_fields(check->to, entry);
    return true;
}

/* ---- scalars ---------------------------------------------------------------------------------------------------------- */

static bool parse_number(const row *of, const char *text, double *value) {
    char *end;
    DUN_C_LOCALE();
    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    *value = dun_is_wide(of) ? strtod(text, &end) : (double)strtof(text, &end);
    return *end == '\0';
}

static bool read_number(const checker *check, const char *text, slot *to) {
    char allowed[RANGE_LENGTH], point[MAX_WORD_BYTES + 1];
    double value;
    if (comma_numeral(text, point, sizeof point)) return FAIL(to, "it is '%.60s': write %.60s", text, point);
    if (!parse_number(to->row, text, &value)) return reject(check, to, text, "a number, such as 0.5 or 1e3");
    return dun_set_number(to, value, allowed) ? true : reject(check, to, text, allowed);
}

static bool read_whole(const checker *check, const char *text, slot *to) {
    char allowed[RANGE_LENGTH];
    const bool octal = text[0] == '0' && isdigit((unsigned char)text[1]);
    const bool parsed = whole_parse(text, &to->whole), ranged = to->row->max > to->row->min;
    const bool fits = !ranged || ((double)to->whole >= to->row->min && (double)to->whole <= to->row->max);
    dun_row_range(to->row, allowed, sizeof allowed);
    return parsed && !octal && fits ? true : reject(check, to, text, allowed);
}

static bool read_choice(const checker *check, const char *text, slot *to) {
    char allowed[WORDS_LENGTH];
    words all = {.wanted = text};
    const choice *chosen = dun_choice_find(to->row->choices, text);
    if (chosen) {
        to->whole = (uint64_t)chosen->value;
        return true;
    }
    for (const choice *other = to->row->choices; other->name; other++) dun_words_add(&all, other->name);
    to->whole = 0;
    return FAIL(to, "it is '%.60s'; %s", text, dun_words_say(&all, allowed));
}

static bool read_text(const checker *check, const yaml_node *node, slot *to) {
    const row *of = to->row;
    to->text = node->text;
    if (node->length >= of->min_count && node->length <= of->max_count) return true;
    return FAIL(to, "it is '%.60s'; allowed: a text of %u .. %u bytes", node->text, of->min_count, of->max_count);
}

static bool read_scalar(const checker *check, const yaml_node *node, slot *to) {
    if (node->kind != YAML_SCALAR)
        return FAIL(to, "a single value is expected here, not a %s", node->kind == YAML_LIST ? "list" : "mapping");
    if (has_nul(node)) return reject(check, to, node->text, "a text without NUL bytes; there is one after that");
    if (to->type == VALUE_TEXT) return read_text(check, node, to);
    if (node->length > MAX_WORD_BYTES) return reject(check, to, node->text, "at most 100 bytes");
    if (to->type == VALUE_NUMBER) return read_number(check, node->text, to);
    if (to->type == VALUE_WHOLE) return read_whole(check, node->text, to);
    return read_choice(check, node->text, to);
}

/* ---- lists ------------------------------------------------------------------------------------------------------------ */

static uint32_t count_items(const yaml_node *list) {
    uint32_t count = 0;
    for (const yaml_node *item = list + 1; item < list->end; item = item->end) count++;
    return count;
}

/* [[1, 2], [3, 4]] for [1, 2, 3, 4]: the lists' common length; 0: it is none of lists. */
static uint32_t count_per_place(const row *of, const yaml_node *list) {
    if ((of->shape != SHAPE_PLACES && of->shape != SHAPE_TWO_PLACES) || list + 1 >= list->end) return 0;
    const yaml_node *first = resolve(list + 1);
    const uint32_t count = first->kind == YAML_LIST ? count_items(first) : 0;
    for (const yaml_node *item = list + 1; item < list->end && count > 0; item = item->end) {
        const yaml_node *place = resolve(item);
        if (place->kind != YAML_LIST || count_items(place) != count) return 0;
    }
    return count <= 3 ? count : 0;
}

/* The items from slot *to on; *to is then the slot after them. */
static bool read_items(const checker *check, const yaml_node *list, bool nested, uint32_t *to) {
    bool done = true;
    for (const yaml_node *item = list + 1; item < list->end && done; item = item->end) {
        if (nested) {
            done = read_items(check, resolve(item), false, to);
            continue;
        }
        slot *made = SLOT(*to);
        made->row = dun_parent(made)->row;
        made->type = (uint8_t)made->row->of;
        made->line = line_of(check, item);
        done = dun_read_value(check, item, (*to)++);
    }
    return done;
}

static bool read_list(const checker *check, const yaml_node *list, uint32_t at) {
    const row *of = SLOT(at)->row;
    if (list->kind != YAML_LIST) return FAIL(SLOT(at), "a list is expected here: entries that begin with '- ', or [a, b]");
    const uint32_t per_place = count_per_place(of, list);
    const uint32_t count = count_items(list) * (per_place > 0 ? per_place : 1);
    if (count == 0 && of->min_count == 0 && !of->required) {
        dun_clear(SLOT(at)); /* as if it were left out */
        return true;
    }
    if (count < of->min_count || count > of->max_count)
        return FAIL(SLOT(at), "the list has %u entries; allowed: %u .. %u", count, of->min_count, of->max_count);
    uint32_t first = check->to->count;
    if (!dun_reserve(check, count)) return false;
    dun_add_slots(check->to, at, count);
    SLOT(at)->place = (uint8_t)per_place;
    return read_items(check, list, per_place > 0, &first);
}

/* ---- entries ---------------------------------------------------------------------------------------------------------- */

/* What a misspelled field may have meant is not missing, too. */
static void count_as_given(slot *entry, const char *meant, uint32_t line) {
    slot *field = entry + entry->first + dun_table_find(dun_slot_table(entry), meant, strlen(meant));
    if (field->line > 0) return;
    field->line = line;
    field->is_wrong = true;
}

/* A mistake in another line than the slot's own. */
static bool fail_in_line(const checker *check, slot *at, uint32_t line, const char *problem) {
    const uint32_t own = at->line;
    at->line = line;
    const bool done = FAIL(at, "%s", problem);
    at->line = own;
    return done;
}

static bool fail_unknown(const checker *check, uint32_t line, const char *name, slot *entry) {
    char allowed[WORDS_LENGTH], problem[WORDS_LENGTH + 80];
    words all = {.wanted = name};
    dun_words_add_fields(&all, dun_slot_table(entry));
    snprintf(problem, sizeof problem, "unknown field '%.40s'; %s", name, dun_words_say(&all, allowed));
    const bool done = fail_in_line(check, entry, line, problem);
    if (done && all.closest) count_as_given(entry, all.closest, line);
    return done;
}

static bool read_field(const checker *check, const yaml_node *key, uint32_t entry) {
    const yaml_node *named = resolve(key);
    const bool plain = named->kind == YAML_SCALAR && !has_nul(named);
    const char *name = plain ? named->text : named->kind == YAML_SCALAR ? "(a NUL byte)" : "(a list or mapping)";
    const int index = plain ? dun_table_find(dun_slot_table(SLOT(entry)), name, strlen(name)) : -1;
    if (index < 0) return fail_unknown(check, line_of(check, key), name, SLOT(entry));
    const uint32_t at = entry + SLOT(entry)->first + (uint32_t)index;
    if (SLOT(at)->line > 0) return fail_in_line(check, SLOT(at), line_of(check, key), "the field is there twice");
    SLOT(at)->line = line_of(check, key);
    return dun_read_value(check, key->end, at);
}

static bool check_one_of(const checker *check, const slot *entry) {
    words all = {0};
    const slot *last = entry;
    int given = 0;
    for (const slot *at = dun_inside(entry, 0); at < dun_inside(entry, entry->count); at++) {
        if (!at->row->one_of) continue;
        dun_words_add(&all, at->row->name);
        if (at->line > 0) last = at;
        given += at->line > 0;
    }
    if (*all.list == '\0' || given == 1) return true;
    return FAIL(last, given == 0 ? "it needs one of %s" : "allowed: only one of %s", all.list);
}

bool dun_check_fields(const checker *check, const slot *entry) {
    for (const slot *at = dun_inside(entry, 0); at < dun_inside(entry, entry->count); at++) {
        const row *of = at->row;
        if (of->required && at->line == 0 && !FAIL(entry, "%s is missing", of->name)) return false;
        if (of->instead && at->line > 0 && has(entry, of->instead) &&
            !FAIL(at, "allowed: either %s or %s, not both", of->instead, of->name))
            return false;
    }
    return check_one_of(check, entry);
}

/* Whether the scalar has digits alone, after a sign where one may be. */
static bool is_whole(const yaml_node *node, bool may_have_sign) {
    const yaml_node *scalar = resolve(node);
    const size_t sign = may_have_sign && scalar->kind == YAML_SCALAR && *scalar->text == '-';
    return scalar->kind == YAML_SCALAR && scalar->length > sign &&
           strspn(scalar->text + sign, "0123456789") + sign == scalar->length;
}

/* In {radius: 0,5} YAML sees a field that is 0, and then one that is called 5 and is empty. */
static bool has_comma(const yaml_node *mapping, const yaml_node *key) {
    const yaml_node *whole = key->end, *decimals = whole->end;
    if (decimals >= mapping->end || !is_whole(whole, true) || !is_whole(decimals, false)) return false;
    const yaml_node *nothing = resolve(decimals->end);
    return resolve(key)->kind == YAML_SCALAR && nothing->kind == YAML_SCALAR && nothing->length == 0;
}

static bool fail_comma(const checker *check, const yaml_node *key, uint32_t entry) {
    const char *name = resolve(key)->text, *whole = resolve(key->end)->text, *decimals = resolve(key->end->end)->text;
    char problem[WORDS_LENGTH];
    snprintf(problem, sizeof problem, "%.40s is '%.30s,%.30s': write %.30s.%.30s", name, whole, decimals, whole, decimals);
    const bool done = fail_in_line(check, SLOT(entry), line_of(check, key), problem);
    if (done && dun_table_find(dun_slot_table(SLOT(entry)), name, strlen(name)) >= 0)
        count_as_given(SLOT(entry), name, line_of(check, key));
    return done;
}

static bool read_entry(const checker *check, const yaml_node *node, uint32_t at) {
    bool done = add_fields(check, at);
    if (done && node->kind != YAML_MAPPING) return FAIL(SLOT(at), "fields are expected here: name: value");
    for (const yaml_node *key = node + 1; key < node->end && done; key = key->end->end) {
        const bool comma = has_comma(node, key);
        done = comma ? fail_comma(check, key, at) : read_field(check, key, at);
        if (comma) key = key->end->end;
    }
    return done && dun_check_fields(check, SLOT(at));
}

bool dun_read_value(const checker *check, const yaml_node *node, uint32_t at) {
    const yaml_node *value = resolve(node);
    switch (SLOT(at)->type) {
    case VALUE_ENTRY:
        return read_entry(check, value, at);
    case VALUE_LIST:
        return read_list(check, value, at);
    default:
        return read_scalar(check, value, SLOT(at));
    }
}

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static bool read_file(const checker *check, const row *format, const char *text, size_t length) {
    const slot root = {.row = format, .type = VALUE_ENTRY, .line = 1};
    tree *to = check->to;
    yaml from;
    *to = (tree){.name = strdup(check->name), .slots = malloc(64 * sizeof *to->slots), .count = 1, .capacity = 64};
    if (!to->name || !to->slots) return dun_fail_at(check->name, &root, DUNLIN_ERROR_MEMORY, check->error, "out of memory");
    to->slots[0] = root;
    bool done = dun_yaml_read(check->name, text, length, 0, &from, check->error);
    if (done && from.count == 0) done = dun_fail_at(check->name, &root, DUNLIN_ERROR_FILE, check->error, "the file is empty");
    done = done && dun_read_value(check, from.nodes, 0);
    to->text = from.text;
    to->text_size = from.used;
    free(from.nodes);
    return done;
}

bool dun_tree_read(const row *format, const char *name, const char *text, size_t length, tree *read, dunlin_error *error) {
    const checker check = {.to = read, .name = name, .error = error};
    return read_file(&check, format, text, length);
}

/* ---- scenarios -------------------------------------------------------------------------------------------------------- */

/* What every scenario has, though the file may leave it out: a world, and a species. */
static bool add_left_out(const checker *check) {
    const uint32_t world = (uint32_t)(dun_field(SLOT(0), "world") - SLOT(0));
    const uint32_t species = (uint32_t)(dun_field(SLOT(0), "species") - SLOT(0));
    if (SLOT(world)->count == 0 && !add_fields(check, world)) return false;
    if (SLOT(species)->line > 0) return true;
    const uint32_t only = check->to->count;
    if (!dun_reserve(check, 1)) return false;
    dun_add_slots(check->to, species, 1);
    SLOT(only)->row = SLOT(species)->row;
    SLOT(only)->type = VALUE_ENTRY;
    return add_fields(check, only);
}

/* A vector has one number per dimension, and a place as many. */
static bool check_shape(const checker *check, const slot *list, uint32_t axes) {
    const bool places = list->place == 0 || list->place == axes;
    switch (list->row->shape) {
    case SHAPE_VECTOR:
        if (list->count == axes) return true;
        return FAIL(list, "the list has %u numbers; allowed here: %u, one per dimension", list->count, axes);
    case SHAPE_TWO_PLACES:
        if (list->count == 2 * axes && places) return true;
        return FAIL(list, "it needs two places of %u numbers each, one per dimension", axes);
    case SHAPE_PLACES:
        if (list->count % axes == 0 && places) return true;
        return FAIL(list, "each point needs %u numbers, one per dimension", axes);
    default:
        return true;
    }
}

bool dun_check_shapes(const checker *check) {
    const uint32_t axes = (uint32_t)dun_field(dun_field(SLOT(0), "world"), "dimensions")->whole;
    bool done = true;
    if (axes == 0) return true; /* it is wrong, and has been reported */
    for (uint32_t i = 1; i < check->to->count && done; i++) {
        if (SLOT(i)->type == VALUE_LIST && SLOT(i)->line > 0 && !SLOT(i)->is_wrong) done = check_shape(check, SLOT(i), axes);
    }
    return done;
}

bool dun_tree_read_scenario(const char *name, const char *text, size_t length, findings *all, tree *read, dunlin_error *error) {
    static const row format = {.type = VALUE_ENTRY, .table = &dun_schema};
    const checker checked = {.to = read, .name = name, .all = all, .error = error}, *check = &checked;
    return read_file(check, &format, text, length) && add_left_out(check) && dun_check_shapes(check);
}
