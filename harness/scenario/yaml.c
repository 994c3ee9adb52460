/* SPDX-License-Identifier: MIT */
/*
 * A few bytes of YAML can ask for hours: an alias stands for all that its anchor names, and libyaml looks at every open bracket
 * for each of its tokens, and at all directives for each new one. So everything is counted as its events come, and the parser
 * stops at the first that is too many. An alias is not copied here: it refers to the node that it stands for.
 */
#include "harness/scenario/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct anchor {
    char *name;
    uint32_t node;
    uint64_t values; /* that it stands for; 0: its end has not come yet */
} anchor;

/* A list or mapping whose end has not come yet. */
typedef struct opened {
    uint32_t node;
    uint64_t before; /* values that came before it */
    int anchor;      /* its number, or -1 */
} opened;

typedef struct reader {
    const char *name;
    dunlin_error *error;
    yaml *to;
    yaml_event_t event; /* the present one */
    uint64_t values;
    int documents;
    anchor anchors[YAML_MAX_ANCHORS];
    int anchor_count;
    opened opened[YAML_MAX_DEPTH];
    int depth;
} reader;

static dunlin_result fail_at(const char *name, size_t line, dunlin_result code, dunlin_error *error, const char *problem) {
    error->code = code;
    snprintf(error->message, sizeof error->message, "%s:%zu: %s", name, line, problem);
    return code;
}

static uint32_t line_of(const reader *r) {
    return (uint32_t)r->event.start_mark.line + 1;
}

static dunlin_result fail(const reader *r, const char *problem) {
    return fail_at(r->name, line_of(r), DUNLIN_ERROR_FILE, r->error, problem);
}

static dunlin_result fail_memory(const reader *r) {
    return fail_at(r->name, line_of(r), DUNLIN_ERROR_MEMORY, r->error, "out of memory");
}

static dunlin_result exceed(const reader *r, const char *what, int limit) {
    char problem[120];
    snprintf(problem, sizeof problem, "%s; allowed: %d", what, limit);
    return fail(r, problem);
}

/* ---- what is kept ----------------------------------------------------------------------------------------------------- */

/* Makes room for one thing more. */
static bool grow(void **things, size_t used, size_t more, size_t *capacity, size_t size) {
    if (used + more <= *capacity) return true;
    const size_t wanted = 2 * *capacity + more;
    void *grown = realloc(*things, wanted * size);
    if (!grown) return false;
    *things = grown;
    *capacity = wanted;
    return true;
}

/* The new node is the last one. */
static dunlin_result add_node(reader *r, yaml_kind kind) {
    yaml *to = r->to;
    void *nodes = to->nodes;
    size_t capacity = to->capacity;
    if (!grow(&nodes, to->count, 1, &capacity, sizeof *to->nodes)) return fail_memory(r);
    to->nodes = nodes;
    to->capacity = (uint32_t)capacity;
    to->nodes[to->count] = (yaml_node){.kind = kind, .line = line_of(r), .end = to->count + 1};
    to->count++;
    return DUNLIN_OK;
}

static dunlin_result add_text(reader *r) {
    yaml *to = r->to;
    void *text = to->text;
    const size_t length = r->event.data.scalar.length;
    if (!grow(&text, to->used, length + 1, &to->size, 1)) return fail_memory(r);
    to->text = text;
    memcpy(to->text + to->used, r->event.data.scalar.value, length + 1);
    to->nodes[to->count - 1].text = to->used;
    to->nodes[to->count - 1].length = length;
    to->used += length + 1;
    return DUNLIN_OK;
}

/* ---- events ----------------------------------------------------------------------------------------------------------- */

/* *number is -1 where the event has no anchor. */
static dunlin_result add_anchor(reader *r, const yaml_char_t *name, int *number) {
    *number = -1;
    if (!name) return DUNLIN_OK;
    if (r->anchor_count == YAML_MAX_ANCHORS) return exceed(r, "the file has more anchors", YAML_MAX_ANCHORS);
    anchor *made = &r->anchors[r->anchor_count];
    *made = (anchor){.name = strdup((const char *)name), .node = r->to->count - 1};
    if (!made->name) return fail_memory(r);
    *number = r->anchor_count++;
    return DUNLIN_OK;
}

static dunlin_result add_scalar(reader *r) {
    int number = -1;
    dunlin_result result = add_node(r, YAML_SCALAR);
    if (result == DUNLIN_OK) result = add_text(r);
    if (result == DUNLIN_OK) result = add_anchor(r, r->event.data.scalar.anchor, &number);
    if (number >= 0) r->anchors[number].values = 1;
    r->values++;
    return result;
}

static dunlin_result open_collection(reader *r, yaml_kind kind, const yaml_char_t *name) {
    if (r->depth == YAML_MAX_DEPTH) return exceed(r, "lists and mappings nest deeper", YAML_MAX_DEPTH);
    dunlin_result result = add_node(r, kind);
    if (result != DUNLIN_OK) return result;
    opened *made = &r->opened[r->depth++];
    *made = (opened){.node = r->to->count - 1, .before = r->values++};
    return add_anchor(r, name, &made->anchor);
}

static dunlin_result close_collection(reader *r) {
    const opened *closed = &r->opened[--r->depth];
    r->to->nodes[closed->node].end = r->to->count;
    if (closed->anchor >= 0) r->anchors[closed->anchor].values = r->values - closed->before;
    return DUNLIN_OK;
}

static dunlin_result add_alias(reader *r) {
    int i = r->anchor_count - 1;
    while (i >= 0 && strcmp(r->anchors[i].name, (const char *)r->event.data.alias.anchor) != 0) i--;
    if (i < 0) return fail(r, "an alias refers to an anchor that is not there");
    if (r->anchors[i].values == 0) return fail(r, "an alias refers to a list or mapping that contains it");
    r->values += r->anchors[i].values;
    dunlin_result result = add_node(r, YAML_ALIAS);
    if (result == DUNLIN_OK) r->to->nodes[r->to->count - 1].target = r->anchors[i].node;
    return result;
}

static dunlin_result add_event(reader *r) {
    switch (r->event.type) {
    case YAML_DOCUMENT_START_EVENT:
        return r->documents++ == 0 ? DUNLIN_OK : fail(r, "a second document begins; allowed: one");
    case YAML_SCALAR_EVENT:
        return add_scalar(r);
    case YAML_ALIAS_EVENT:
        return add_alias(r);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(r, YAML_LIST, r->event.data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return open_collection(r, YAML_MAPPING, r->event.data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_collection(r);
    default:
        return DUNLIN_OK;
    }
}

/* A character that YAML cannot hold is found by libyaml's reader, which knows bytes but no lines. */
static dunlin_result fail_parser(const reader *r, const yaml_parser_t *parser) {
    const size_t line = parser->error == YAML_READER_ERROR ? parser->mark.line : parser->problem_mark.line;
    if (!parser->problem) return fail_at(r->name, line + 1, DUNLIN_ERROR_MEMORY, r->error, "out of memory");
    return fail_at(r->name, line + 1, DUNLIN_ERROR_FILE, r->error, parser->problem);
}

static dunlin_result read_events(reader *r, yaml_parser_t *parser) {
    dunlin_result result = DUNLIN_OK;
    bool ends = false;
    while (result == DUNLIN_OK && !ends) {
        if (!yaml_parser_parse(parser, &r->event)) return fail_parser(r, parser);
        ends = r->event.type == YAML_STREAM_END_EVENT || r->event.type == YAML_NO_EVENT;
        result = add_event(r);
        if (result == DUNLIN_OK && r->values > YAML_MAX_VALUES)
            result = exceed(r, "the file has more values, with what its aliases stand for", YAML_MAX_VALUES);
        yaml_event_delete(&r->event);
    }
    return result;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

/* libyaml reads all of them before the first event comes. */
static dunlin_result check_directives(const char *name, const char *text, size_t length, dunlin_error *error) {
    size_t line = 1;
    int count = 0;
    for (const char *at = text, *end = text + length; at < end; line++) {
        if (*at == '%' && ++count > YAML_MAX_DIRECTIVES) {
            char problem[80];
            snprintf(problem, sizeof problem, "the file has more directives, lines with %%; allowed: %d", YAML_MAX_DIRECTIVES);
            return fail_at(name, line, DUNLIN_ERROR_FILE, error, problem);
        }
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    return DUNLIN_OK;
}

dunlin_result dun_yaml_read(const char *name, const char *text, size_t length, yaml *read, dunlin_error *error) {
    *read = (yaml){0};
    dunlin_result result = check_directives(name, text, length, error);
    if (result != DUNLIN_OK) return result;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return fail_at(name, 1, DUNLIN_ERROR_MEMORY, error, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    reader r = {.name = name, .error = error, .to = read};
    result = read_events(&r, &parser);
    for (int i = 0; i < r.anchor_count; i++) free(r.anchors[i].name);
    yaml_parser_delete(&parser);
    return result;
}

void dun_yaml_free(yaml *read) {
    free(read->nodes);
    free(read->text);
    *read = (yaml){0};
}
