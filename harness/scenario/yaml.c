/* SPDX-License-Identifier: MIT */
/*
 * A few bytes of YAML can ask for hours: an alias stands for all that its anchor names, and libyaml looks at every open bracket
 * for each of its tokens, and at all directives for each new one. So everything is counted as its events come, and the parser
 * stops at the first that is too many. An alias is not copied here: it refers to the node that it stands for.
 */
#include "harness/scenario/yaml.h"
#include "harness/scenario/tree.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct anchor {
    const char *name;
    const yaml_node *node;
    uint64_t values; /* that it stands for; 0: its end has not come yet */
} anchor;

/* A list or mapping whose end has not come yet. */
typedef struct opened {
    yaml_node *node;
    uint64_t before; /* values that came before it */
    anchor *anchor;  /* its own, or NULL */
} opened;

typedef struct reader {
    const char *name, *text;
    size_t length;
    uint32_t line;
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

#define FAIL_AT(r, at, code, ...)                                                                                              \
    dun_fail_at((r)->name, &(slot){.line = (r)->line ? (r)->line : (uint32_t)(at)}, code, (r)->error, __VA_ARGS__)
#define FAIL(r, ...) FAIL_AT(r, (r)->event.start_mark.line + 1, DUNLIN_ERROR_FILE, __VA_ARGS__)

/* ---- what is kept ----------------------------------------------------------------------------------------------------- */

/*
 * Two bytes of YAML, such as `?,`, make at most three nodes. Two bytes of its text become at most three of UTF-8. Pages that
 * nothing is written to cost nothing.
 */
static bool allocate(const reader *r, size_t length) {
    yaml *to = r->to;
    to->capacity = (uint32_t)(3 * length + 8 < YAML_MAX_VALUES + 2 ? 3 * length + 8 : YAML_MAX_VALUES + 2);
    to->size = 2 * length + to->capacity;
    to->nodes = malloc(to->capacity * sizeof *to->nodes);
    to->text = malloc(to->size);
    return to->nodes && to->text ? true : FAIL_AT(r, 1, DUNLIN_ERROR_MEMORY, "out of memory");
}

static yaml_node *add_node(reader *r, yaml_kind kind) {
    yaml_node *made = &r->to->nodes[r->to->count++];
    *made = (yaml_node){.kind = kind, .line = (uint32_t)r->event.start_mark.line + 1, .end = made + 1};
    return made;
}

static const char *add_text(reader *r, const yaml_char_t *text, size_t length) {
    char *made = r->to->text + r->to->used;
    memcpy(made, text, length);
    made[length] = '\0';
    r->to->used += length + 1;
    return made;
}

/* ---- events ----------------------------------------------------------------------------------------------------------- */

/* *made is NULL where the event has no anchor. */
static bool add_anchor(reader *r, const yaml_char_t *name, const yaml_node *node, anchor **made) {
    *made = NULL;
    if (!name) return true;
    if (r->anchor_count == YAML_MAX_ANCHORS) return FAIL(r, "the file has more anchors; allowed: %d", YAML_MAX_ANCHORS);
    *made = &r->anchors[r->anchor_count++];
    **made = (anchor){.name = add_text(r, name, strlen((const char *)name)), .node = node};
    return true;
}

static bool add_scalar(reader *r) {
    anchor *own;
    yaml_node *made = add_node(r, YAML_SCALAR);
    made->length = r->event.data.scalar.length;
    made->text = add_text(r, r->event.data.scalar.value, made->length);
    r->values++;
    if (!add_anchor(r, r->event.data.scalar.anchor, made, &own)) return false;
    if (own) own->values = 1;
    return true;
}

static bool open_collection(reader *r, yaml_kind kind, const yaml_char_t *name) {
    if (r->depth == YAML_MAX_DEPTH) return FAIL(r, "lists and mappings nest deeper; allowed: %d", YAML_MAX_DEPTH);
    opened *made = &r->opened[r->depth++];
    *made = (opened){.node = add_node(r, kind), .before = r->values++};
    return add_anchor(r, name, made->node, &made->anchor);
}

static bool close_collection(reader *r) {
    const opened *closed = &r->opened[--r->depth];
    closed->node->end = r->to->nodes + r->to->count;
    if (closed->anchor) closed->anchor->values = r->values - closed->before;
    return true;
}

static bool add_alias(reader *r) {
    int i = r->anchor_count - 1;
    while (i >= 0 && strcmp(r->anchors[i].name, (const char *)r->event.data.alias.anchor) != 0) i--;
    if (i < 0) return FAIL(r, "an alias refers to an anchor that is not there");
    if (r->anchors[i].values == 0) return FAIL(r, "an alias refers to a list or mapping that contains it");
    r->values += r->anchors[i].values;
    add_node(r, YAML_ALIAS)->from = r->anchors[i].node;
    return true;
}

static bool add_event(reader *r) {
    switch (r->event.type) {
    case YAML_DOCUMENT_START_EVENT:
        return r->documents++ == 0 ? true : FAIL(r, "a second document begins; allowed: one");
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
        return true;
    }
}

/* Whether a tab stands before what a line has; lines count from 0. */
static bool begins_with_tab(const reader *r, size_t line) {
    size_t at = 0;
    for (; line > 0 && at < r->length; at++) line -= r->text[at] == '\n';
    while (at < r->length && r->text[at] == ' ') at++;
    return at < r->length && r->text[at] == '\t';
}

/* A character that YAML cannot hold is found by libyaml's reader, which knows bytes but no lines. */
static bool fail_parser(const reader *r, const yaml_parser_t *parser) {
    const size_t line = parser->error == YAML_READER_ERROR ? parser->mark.line : parser->problem_mark.line;
    if (!parser->problem) return FAIL_AT(r, line + 1, DUNLIN_ERROR_MEMORY, "out of memory");
    if (parser->error == YAML_SCANNER_ERROR && begins_with_tab(r, line))
        return FAIL_AT(r, line + 1, DUNLIN_ERROR_FILE, "the line begins with a tab; YAML indents by spaces");
    return FAIL_AT(r, line + 1, DUNLIN_ERROR_FILE, "%s", parser->problem);
}

static bool read_events(reader *r, yaml_parser_t *parser) {
    bool done = true, ends = false;
    while (done && !ends) {
        if (!yaml_parser_parse(parser, &r->event)) return fail_parser(r, parser);
        ends = r->event.type == YAML_STREAM_END_EVENT || r->event.type == YAML_NO_EVENT;
        done = add_event(r);
        if (done && r->values > YAML_MAX_VALUES)
            done = FAIL(r, "the file has more values, with what its aliases stand for; allowed: %d", YAML_MAX_VALUES);
        yaml_event_delete(&r->event);
    }
    return done;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

/* libyaml reads all of them before the first event comes. */
static bool check_directives(const reader *r, const char *text, size_t length) {
    size_t line = 1;
    int count = 0;
    for (const char *at = text, *end = text + length; at < end; line++) {
        if (*at == '%' && ++count > YAML_MAX_DIRECTIVES)
            return FAIL_AT(r, line, DUNLIN_ERROR_FILE, "the file has more directives, lines with %%; allowed: %d",
                           YAML_MAX_DIRECTIVES);
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    return true;
}

bool dun_yaml_read(const char *name, const char *text, size_t length, uint32_t line, yaml *read, dunlin_error *error) {
    reader r = {.name = name, .text = text, .length = length, .line = line, .error = error, .to = read};
    *read = (yaml){0};
    if (!check_directives(&r, text, length) || !allocate(&r, length)) return false;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return FAIL_AT(&r, 1, DUNLIN_ERROR_MEMORY, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    const bool done = read_events(&r, &parser);
    yaml_parser_delete(&parser);
    return done;
}
