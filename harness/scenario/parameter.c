/* SPDX-License-Identifier: MIT */
#include "harness/scenario/parameter.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On its way along libcyaml's schema, and along the data that it has laid down by it. */
typedef struct walk {
    const scenario *script;
    const char *name, *rest; /* all of it, and what is still to be walked */
    const char *place;
    const cyaml_schema_value_t *schema;
    char *data;         /* the value; NULL: left out */
    void **left_out;    /* where it would be */
    unsigned count;     /* entries, where it is a list */
    const char *key[3]; /* of the first mappings; the last one is that of the innermost */
    int depth;
    unsigned position; /* in the first list */
    dunlin_error *error;
} walk;

static dunlin_result stop(const walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static dunlin_result stop(const walk *w, const char *format, ...) {
    char problem[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, sizeof problem, format, arguments);
    va_end(arguments);
    return yaml_tree_fail(w->script->tree, w->place, DUNLIN_ERROR_FILE, w->error, "'%.60s' leads no further than '%.*s': %s",
                          w->name, (int)(w->rest - w->name), w->name, problem);
}

/* ---- one step ----------------------------------------------------------------------------------------------------------- */

static unsigned read_count(const char *from, uint8_t size) {
    uint64_t count = 0;
    memcpy(&count, from, size < sizeof count ? size : sizeof count);
    return (unsigned)count;
}

/* What is of the schema `value`, laid down at `at`. */
static void arrive(walk *w, const cyaml_schema_value_t *value, char *at) {
    w->schema = value;
    w->left_out = NULL;
    w->data = at;
    if (!(value->flags & CYAML_FLAG_POINTER)) return;
    memcpy(&w->data, at, sizeof w->data);
    if (!w->data) w->left_out = (void **)(void *)at;
}

static void note_key(walk *w, const char *key) {
    w->key[w->depth] = key;
    if (w->depth < 2) w->depth++;
}

static dunlin_result enter_mapping(walk *w) {
    char key[64], allowed[160];
    const char *begin = w->rest + (*w->rest == '.');
    size_t length = strcspn(begin, ".[");
    snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1), begin);
    const cyaml_schema_field_t *field = yaml_schema_field(w->schema, key);
    if (!field) {
        yaml_schema_list(w->schema, allowed, sizeof allowed);
        return stop(w, "unknown field '%s'; allowed: %s", key, allowed);
    }
    w->rest = begin + length;
    note_key(w, field->key);
    char *inside = w->data;
    arrive(w, &field->value, inside + field->data_offset);
    if (field->value.type == CYAML_SEQUENCE) w->count = read_count(inside + field->count_offset, field->count_size);
    return DUNLIN_OK;
}

/* The string that the entry has in its field `name`, or NULL. */
static const char *name_of(const cyaml_schema_value_t *entry, const char *data) {
    const cyaml_schema_field_t *field = entry->type == CYAML_MAPPING ? yaml_schema_field(entry, "name") : NULL;
    const char *name = NULL;
    if (field) memcpy(&name, data + field->data_offset, sizeof name);
    return name;
}

static dunlin_result enter_named(walk *w) {
    const cyaml_schema_value_t *entry = w->schema->sequence.entry;
    const char *begin = w->rest + (*w->rest == '.');
    for (unsigned i = 0; i < w->count; i++) {
        char *at = w->data + (size_t)i * entry->data_size;
        const char *name = name_of(entry, at);
        size_t length = name ? strlen(name) : 0;
        bool same = length > 0 && strncmp(begin, name, length) == 0;
        if (!same || (begin[length] != '.' && begin[length] != '\0')) continue;
        w->rest = begin + length;
        if (w->depth == 1) w->position = i;
        arrive(w, entry, at);
        return DUNLIN_OK;
    }
    return stop(w, "there is no entry of that name; allowed: [0] .. [%u], or an entry's name", w->count - 1);
}

static dunlin_result enter_sequence(walk *w) {
    if (*w->rest != '[') return enter_named(w);
    char *end;
    unsigned long position = strtoul(w->rest + 1, &end, 10);
    if (!isdigit((unsigned char)w->rest[1]) || *end != ']' || position >= w->count)
        return stop(w, "there is no such entry; allowed: [0] .. [%u]", w->count - 1);
    w->rest = end + 1;
    if (w->depth == 1) w->position = (unsigned)position;
    arrive(w, w->schema->sequence.entry, w->data + position * w->schema->sequence.entry->data_size);
    return DUNLIN_OK;
}

/* ---- what may change ---------------------------------------------------------------------------------------------------- */

/* Where agents may be cannot change: a state of a later step would lie outside the world that is to load it. Nor can what makes
 * memory, or the past; and how many have been born by a step follows from a pace that stays. */
static dunlin_result check_changeable(const walk *w) {
    static const char *const lists[] = {"world", "species", "interactions", "fields", "behaviours", "meals", "lives", "models"};
    static const char *const fixed[][2] = {{"world", "size"},    {"world", "margin"},   {"species", "agents"},
                                           {"species", "start"}, {"species", "growth"}, {"fields", "cells"},
                                           {"fields", "low"},    {"fields", "high"},    {"fields", "seed"}};
    bool known = false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) known = known || strcmp(w->key[0], lists[i]) == 0;
    if (!known)
        return stop(w, "it cannot change while they fly; allowed: numbers of world, species, interactions, fields, behaviours, "
                       "meals, lives, models");
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (w->key[1] && strcmp(w->key[0], fixed[i][0]) == 0 && strcmp(w->key[1], fixed[i][1]) == 0)
            return stop(w, "it cannot change while they fly");
    }
    if (strcmp(w->key[0], "species") == 0 && w->key[1] && strcmp(w->key[1], "attributes") == 0)
        return stop(w, "an agent has its numbers from its birth, and they cannot change while it flies");
    if (strcmp(w->key[0], "behaviours") == 0 && w->key[2] && strcmp(w->key[2], "velocity") == 0)
        return stop(w, "it cannot change while they fly; allowed: a schedule for target, which says where it is");
    if (strcmp(w->key[0], "fields") != 0 || !w->key[1]) return DUNLIN_OK;
    const scenario_field *field = &w->script->file->fields[w->position];
    if (!field->source[DUNLIN_FIELD_GRADIENT] && !field->source[DUNLIN_FIELD_VECTORS]) return DUNLIN_OK;
    return stop(w, "what comes from a file cannot change while they fly; allowed: the weight of the behaviour");
}

static dunlin_result check_number(const walk *w) {
    bool number = w->schema->type == CYAML_FLOAT || w->schema->type == CYAML_UINT;
    size_t size = w->schema->data_size;
    if (w->schema->type == CYAML_MAPPING) {
        char allowed[160];
        yaml_schema_list(w->schema, allowed, sizeof allowed);
        return stop(w, "that is no number; allowed: a number of its %s", allowed);
    }
    if (!number || size != sizeof(float)) return stop(w, "that is no number that can change");
    return *w->rest == '\0' ? DUNLIN_OK : stop(w, "that is a number, and has nothing inside");
}

/* ---- all steps ---------------------------------------------------------------------------------------------------------- */

static dunlin_result step_in(walk *w) {
    if (!w->data) return stop(w, "the file leaves it out; allowed: what the file has, were it as {}");
    dunlin_result result = w->schema->type == CYAML_MAPPING ? enter_mapping(w) : enter_sequence(w);
    return result == DUNLIN_OK ? check_changeable(w) : result;
}

dunlin_result scenario_parameter_find(const scenario *script, const char *name, const char *place, scenario_parameter *found,
                                      dunlin_error *error) {
    walk w = {.script = script, .name = name, .rest = name, .place = place, .error = error};
    w.schema = &scenario_schema;
    w.data = (char *)script->file;
    dunlin_result result = DUNLIN_OK;
    while (result == DUNLIN_OK && *w.rest != '\0' && (w.schema->type == CYAML_MAPPING || w.schema->type == CYAML_SEQUENCE)) {
        result = step_in(&w);
    }
    if (result == DUNLIN_OK) result = check_number(&w);
    if (result != DUNLIN_OK) return result;
    *found = (scenario_parameter){.list = w.key[0],
                                  .position = w.position,
                                  .field = w.key[2] ? w.key[2] : w.key[1],
                                  .whole = w.schema->type == CYAML_UINT,
                                  .number = w.data,
                                  .left_out = w.left_out};
    return DUNLIN_OK;
}
