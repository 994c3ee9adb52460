/* SPDX-License-Identifier: MIT */
#include "harness/scenario/yaml_tree_private.h"
#include "harness/report/control.h"
#include "harness/scenario/yaml_work.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dunlin_result fail_at_line(const char *path, size_t line, dunlin_error *error, const char *message) {
    error->code = DUNLIN_ERROR_FILE;
    snprintf(error->message, sizeof error->message, "%s:%zu: %s", path, line, message);
    return error->code;
}

static bool is_empty(const yaml_tree *tree) {
    return tree->document.nodes.top == tree->document.nodes.start;
}

static dunlin_result fail_parse(const yaml_tree *tree, const yaml_parser_t *parser, dunlin_error *error) {
    const char *problem = parser->problem ? parser->problem : "out of memory";
    /* A character that YAML cannot hold is found by the reader, which knows bytes but no lines. */
    size_t line = parser->error == YAML_READER_ERROR ? parser->mark.line : parser->problem_mark.line;
    return fail_at_line(tree->path, line + 1, error, problem);
}

/* A file may hold several YAML documents; a scenario is one, and silence about the others would mislead. */
static dunlin_result expect_end(const yaml_tree *tree, yaml_parser_t *parser, dunlin_error *error) {
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) return fail_parse(tree, parser, error);
    dunlin_result result = DUNLIN_OK;
    if (yaml_document_get_root_node(&next)) {
        result = fail_at_line(tree->path, next.start_mark.line + 1, error, "a second document begins; allowed: one");
    }
    yaml_document_delete(&next);
    return result;
}

static dunlin_result parse(yaml_tree *tree, const char *text, size_t length, dunlin_error *error) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return fail_at_line(tree->path, 1, error, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    dunlin_result result = yaml_parser_load(&parser, &tree->document) ? DUNLIN_OK : fail_parse(tree, &parser, error);
    if (result == DUNLIN_OK && !is_empty(tree)) result = expect_end(tree, &parser, error);
    yaml_parser_delete(&parser);
    return result;
}

dunlin_result yaml_tree_create(const char *path, const char *text, size_t length, yaml_tree **tree, dunlin_error *error) {
    *tree = NULL;
    yaml_tree *made = calloc(1, sizeof *made);
    char *path_copy = strdup(path);
    if (!made || !path_copy) {
        free(made);
        free(path_copy);
        return fail_at_line(path, 1, error, "out of memory");
    }
    made->path = path_copy;
    dunlin_result result = yaml_work_check(path, text, length, error);
    if (result == DUNLIN_OK) result = parse(made, text, length, error);
    if (result != DUNLIN_OK) {
        yaml_tree_destroy(made);
        return result;
    }
    *tree = made;
    return DUNLIN_OK;
}

void yaml_tree_destroy(yaml_tree *tree) {
    if (!tree) return;
    yaml_document_delete(&tree->document);
    free(tree->path);
    free(tree);
}

/* The pair of a mapping that has this key, or NULL. */
static const yaml_node_pair_t *find_pair(const yaml_tree *tree, const yaml_node_t *node, const char *key, size_t length) {
    if (node->type != YAML_MAPPING_NODE) return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_tree_node(tree, pair->key);
        if (name->type == YAML_SCALAR_NODE && strlen(yaml_scalar(name)) == length &&
            memcmp(yaml_scalar(name), key, length) == 0) {
            return pair;
        }
    }
    return NULL;
}

/* The entry of a sequence at the position that `text` begins with, or NULL. */
static const yaml_node_t *find_entry(const yaml_tree *tree, const yaml_node_t *node, const char *text) {
    if (node->type != YAML_SEQUENCE_NODE) return NULL;
    size_t position = strtoul(text, NULL, 10);
    size_t count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    return position < count ? yaml_tree_node(tree, node->data.sequence.items.start[position]) : NULL;
}

/* Follows `place` as far as it exists, sets *line (from 1) to where that is, and returns whether that was all the way. */
static bool find_line(const yaml_tree *tree, const char *place, size_t *line) {
    *line = 1;
    if (is_empty(tree)) return false;
    const yaml_node_t *node = yaml_tree_node(tree, 1);
    while (*place != '\0') {
        size_t length = strcspn(place, ".[]");
        if (place[length] == ']') {
            node = find_entry(tree, node, place);
            if (!node) return false;
            *line = node->start_mark.line + 1;
        } else {
            const yaml_node_pair_t *pair = find_pair(tree, node, place, length);
            if (!pair) return false;
            *line = yaml_tree_node(tree, pair->key)->start_mark.line + 1;
            node = yaml_tree_node(tree, pair->value);
        }
        place += length;
        place += strspn(place, ".[]");
    }
    return true;
}

size_t yaml_tree_line(const yaml_tree *tree, const char *place) {
    size_t line;
    find_line(tree, place, &line);
    return line;
}

/* A message is one line, and nothing in it is obeyed by a terminal. */
static void mask_control_characters(char *message) {
    for (; *message != '\0'; message++) {
        for (int length = control_length(message); length > 0; length--) message[length - 1] = '?';
    }
}

dunlin_result yaml_tree_fail(const yaml_tree *tree, const char *place, dunlin_result code, dunlin_error *error,
                             const char *format, ...) {
    int length = snprintf(error->message, sizeof error->message, "%s:%zu: %s%s", tree->path, yaml_tree_line(tree, place), place,
                          *place != '\0' ? ": " : "");
    if (length >= 0 && (size_t)length < sizeof error->message) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message + length, sizeof error->message - (size_t)length, format, arguments);
        va_end(arguments);
    }
    mask_control_characters(error->message);
    error->code = code;
    return code;
}

/* Bytes of the field name, such as `max_speed` or `separation.radius`, that a message of the engine begins with. */
static size_t leading_field(const char *message) {
    size_t length = 0;
    while (isalnum((unsigned char)message[length]) || (message[length] != '\0' && strchr("_.[]", message[length]))) {
        length++;
    }
    return length;
}

/* What follows "subject." in a message that begins with it: the place says already whose field it is. */
static const char *skip_subject(const char *message, const char *subject) {
    size_t length = strlen(subject);
    return strncmp(message, subject, length) == 0 && message[length] == '.' ? message + length + 1 : message;
}

dunlin_result yaml_tree_locate(const yaml_tree *tree, const char *place, const char *subject, dunlin_error *error) {
    const dunlin_error inner = *error;
    const char *message = skip_subject(inner.message, subject);
    char field[PLACE_LENGTH];
    snprintf(field, sizeof field, "%s%s%.*s", place, *place != '\0' ? "." : "", (int)leading_field(message), message);
    size_t line;
    if (!find_line(tree, field, &line)) line = yaml_tree_line(tree, place);
    int length =
        snprintf(error->message, sizeof error->message, "%s:%zu: %s%s", tree->path, line, place, *place != '\0' ? ": " : "");
    if (length >= 0 && (size_t)length < sizeof error->message) {
        size_t keep = strnlen(message, sizeof error->message - (size_t)length - 1);
        memcpy(error->message + length, message, keep);
        error->message[(size_t)length + keep] = '\0';
    }
    return error->code;
}
