/* SPDX-License-Identifier: MIT */
#include "harness/scenario/yaml_tree_private.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD_BYTES = 100 }; /* of a number or switch: aliases could have a longer one read a million times */

/* The walk follows the schema, which is a finite tree, and yaml_work.h bounds what aliases add to it. */
typedef struct checker {
    const yaml_tree *tree;
    dunlin_error *error;
} checker;

static dunlin_result check_value(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                 const char *place);

static dunlin_result reject(const checker *check, const char *place, const char *value, const char *allowed) {
    return yaml_tree_fail(check->tree, place, DUNLIN_ERROR_FILE, check->error, "it is '%.60s'; allowed: %s", value, allowed);
}

/* C's strings end there, and would hide what follows. */
static bool has_nul(const yaml_node_t *scalar) {
    return strlen(yaml_scalar(scalar)) != scalar->data.scalar.length;
}

/* ---- scalars ---------------------------------------------------------------------------------------------------------- */

static bool is_decimal(const char *text) {
    char *end;
    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    strtod(text, &end);
    return *end == '\0';
}

static dunlin_result check_float(const checker *check, const yaml_node_t *node, const char *place) {
    const char *text = yaml_scalar(node);
    if (!is_decimal(text)) return reject(check, place, text, "a number, such as 0.5 or 1e3");
    if (!isfinite(strtof(text, NULL))) return reject(check, place, text, "a number of magnitude up to 3.4e38");
    return DUNLIN_OK;
}

static dunlin_result check_uint(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                const char *place) {
    uint64_t max = UINT64_MAX >> (64 - 8 * schema->data_size);
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a whole number, 0 .. %" PRIu64, max);
    const char *text = yaml_scalar(node);
    bool digits = isdigit((unsigned char)*text) && text[strspn(text, "0123456789")] == '\0';
    bool octal = text[0] == '0' && text[1] != '\0';
    errno = 0;
    if (!digits || octal || strtoull(text, NULL, 10) > max || errno == ERANGE) return reject(check, place, text, allowed);
    return DUNLIN_OK;
}

static dunlin_result check_bool(const checker *check, const yaml_node_t *node, const char *place) {
    const char *text = yaml_scalar(node);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) return DUNLIN_OK;
    return reject(check, place, text, "true, false");
}

/* Appends to a comma-separated list; what does not fit is left out. */
static void list_append(char *list, size_t size, const char *word) {
    size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", word);
}

static dunlin_result check_enum(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                const char *place) {
    char allowed[160] = "";
    for (uint32_t i = 0; i < schema->enumeration.count; i++) {
        const char *name = schema->enumeration.strings[i].str;
        if (strcmp(yaml_scalar(node), name) == 0) return DUNLIN_OK;
        list_append(allowed, sizeof allowed, name);
    }
    return reject(check, place, yaml_scalar(node), allowed);
}

static dunlin_result check_string(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                  const char *place) {
    const char *text = yaml_scalar(node);
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a text of %" PRIu32 " .. %" PRIu32 " bytes", schema->string.min, schema->string.max);
    bool fits = strlen(text) >= schema->string.min && strlen(text) <= schema->string.max;
    return fits ? DUNLIN_OK : reject(check, place, text, allowed);
}

static dunlin_result check_scalar(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                  const char *place) {
    if (node->type != YAML_SCALAR_NODE) {
        return yaml_tree_fail(check->tree, place, DUNLIN_ERROR_FILE, check->error, "a single value is expected here, not a %s",
                              node->type == YAML_SEQUENCE_NODE ? "list" : "mapping");
    }
    if (has_nul(node)) return reject(check, place, yaml_scalar(node), "a text without NUL bytes; there is one behind that");
    if (schema->type != CYAML_STRING && node->data.scalar.length > MAX_WORD_BYTES)
        return reject(check, place, yaml_scalar(node), "at most 100 bytes");
    switch (schema->type) {
    case CYAML_FLOAT:
        return check_float(check, node, place);
    case CYAML_UINT:
        return check_uint(check, schema, node, place);
    case CYAML_BOOL:
        return check_bool(check, node, place);
    case CYAML_ENUM:
        return check_enum(check, schema, node, place);
    case CYAML_STRING:
        return check_string(check, schema, node, place);
    default:
        return DUNLIN_OK;
    }
}

/* ---- lists ------------------------------------------------------------------------------------------------------------ */

static dunlin_result check_sequence(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                    const char *place) {
    if (node->type != YAML_SEQUENCE_NODE) {
        return yaml_tree_fail(check->tree, place, DUNLIN_ERROR_FILE, check->error,
                              "a list is expected here: entries that begin with '- ', or [a, b]");
    }
    size_t count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (count < schema->sequence.min || count > schema->sequence.max) {
        return yaml_tree_fail(check->tree, place, DUNLIN_ERROR_FILE, check->error,
                              "the list has %zu entries; allowed: %" PRIu32 " .. %" PRIu32, count, schema->sequence.min,
                              schema->sequence.max);
    }
    for (size_t i = 0; i < count; i++) {
        char inner[PLACE_LENGTH];
        snprintf(inner, sizeof inner, "%.*s[%zu]", PLACE_LENGTH - 24, place, i);
        const yaml_node_t *entry = yaml_tree_node(check->tree, node->data.sequence.items.start[i]);
        dunlin_result result = check_value(check, schema->sequence.entry, entry, inner);
        if (result != DUNLIN_OK) return result;
    }
    return DUNLIN_OK;
}

/* ---- mappings --------------------------------------------------------------------------------------------------------- */

const cyaml_schema_field_t *yaml_schema_field(const cyaml_schema_value_t *schema, const char *key) {
    for (const cyaml_schema_field_t *field = schema->mapping.fields; field->key; field++) {
        if (strcmp(field->key, key) == 0) return field;
    }
    return NULL;
}

void yaml_schema_list(const cyaml_schema_value_t *schema, char *list, size_t size) {
    *list = '\0';
    for (const cyaml_schema_field_t *field = schema->mapping.fields; field->key; field++) {
        list_append(list, size, field->key);
    }
}

static dunlin_result fail_unknown(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *key,
                                  const char *place) {
    char allowed[240];
    yaml_schema_list(schema, allowed, sizeof allowed);
    char inner[PLACE_LENGTH];
    const char *name = key->type != YAML_SCALAR_NODE ? "(a list or mapping)" : has_nul(key) ? "(a NUL byte)" : yaml_scalar(key);
    snprintf(inner, sizeof inner, "%.*s%s%.40s", PLACE_LENGTH - 48, place, *place != '\0' ? "." : "", name);
    return yaml_tree_fail(check->tree, inner, DUNLIN_ERROR_FILE, check->error, "unknown field; allowed: %s", allowed);
}

static dunlin_result check_pair(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                const yaml_node_pair_t *pair, const char *place) {
    const yaml_node_t *key = yaml_tree_node(check->tree, pair->key);
    bool named = key->type == YAML_SCALAR_NODE && !has_nul(key);
    const cyaml_schema_field_t *field = named ? yaml_schema_field(schema, yaml_scalar(key)) : NULL;
    if (!field) return fail_unknown(check, schema, key, place);
    char inner[PLACE_LENGTH];
    snprintf(inner, sizeof inner, "%.*s%s%.40s", PLACE_LENGTH - 48, place, *place != '\0' ? "." : "", field->key);
    for (const yaml_node_pair_t *other = node->data.mapping.pairs.start; other < pair; other++) {
        if (strcmp(yaml_scalar(yaml_tree_node(check->tree, other->key)), field->key) == 0) {
            return yaml_tree_fail(check->tree, inner, DUNLIN_ERROR_FILE, check->error, "the field stands here twice");
        }
    }
    return check_value(check, &field->value, yaml_tree_node(check->tree, pair->value), inner);
}

static bool has_key(const checker *check, const yaml_node_t *node, const char *key) {
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        if (strcmp(yaml_scalar(yaml_tree_node(check->tree, pair->key)), key) == 0) return true;
    }
    return false;
}

static dunlin_result check_mapping(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                   const char *place) {
    if (node->type != YAML_MAPPING_NODE) {
        return yaml_tree_fail(check->tree, place, DUNLIN_ERROR_FILE, check->error, "fields are expected here: name: value");
    }
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        dunlin_result result = check_pair(check, schema, node, pair, place);
        if (result != DUNLIN_OK) return result;
    }
    for (const cyaml_schema_field_t *field = schema->mapping.fields; field->key; field++) {
        if (!(field->value.flags & CYAML_FLAG_OPTIONAL) && !has_key(check, node, field->key)) {
            return yaml_tree_fail(check->tree, place, DUNLIN_ERROR_FILE, check->error, "%s is missing", field->key);
        }
    }
    return DUNLIN_OK;
}

static dunlin_result check_value(const checker *check, const cyaml_schema_value_t *schema, const yaml_node_t *node,
                                 const char *place) {
    switch (schema->type) {
    case CYAML_MAPPING:
        return check_mapping(check, schema, node, place);
    case CYAML_SEQUENCE:
        return check_sequence(check, schema, node, place);
    default:
        return check_scalar(check, schema, node, place);
    }
}

dunlin_result yaml_tree_check(const yaml_tree *tree, const cyaml_schema_value_t *schema, dunlin_error *error) {
    const checker check = {.tree = tree, .error = error};
    if (tree->document.nodes.top == tree->document.nodes.start) {
        return yaml_tree_fail(tree, "", DUNLIN_ERROR_FILE, error, "the file is empty");
    }
    return check_value(&check, schema, yaml_tree_node(tree, 1), "");
}
