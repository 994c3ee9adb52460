/* SPDX-License-Identifier: MIT */
/*
 * A few bytes of YAML can ask for hours: an alias stands for all that its anchor names, libyaml looks at every open bracket for
 * each of its tokens, and at all anchors and directives for each new one. So the events are counted first, as they come,
 * without making anything of them, and the parser stops at the first that is too many.
 */
#include "harness/scenario/yaml_work.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct anchor {
    char *name;
    uint64_t values; /* that it names; 0: its end has not come yet */
} anchor;

/* A list or mapping whose end has not come yet. */
typedef struct opened {
    uint64_t before; /* values that came before it */
    int anchor;      /* its number, or -1 */
} opened;

typedef struct work {
    const char *path;
    dunlin_error *error;
    uint64_t values;
    anchor anchors[YAML_MAX_ANCHORS];
    int anchor_count;
    opened opened[YAML_MAX_DEPTH];
    int depth;
} work;

static dunlin_result fail(const char *path, size_t line, dunlin_result code, dunlin_error *error, const char *problem) {
    error->code = code;
    snprintf(error->message, sizeof error->message, "%s:%zu: %s", path, line, problem);
    return code;
}

static dunlin_result exceed(const work *w, const yaml_event_t *event, const char *what, int limit) {
    char problem[120];
    snprintf(problem, sizeof problem, "%s; allowed: %d", what, limit);
    return fail(w->path, event->start_mark.line + 1, DUNLIN_ERROR_FILE, w->error, problem);
}

/* *number is -1 where the event has no anchor. */
static dunlin_result add_anchor(work *w, const yaml_event_t *event, const yaml_char_t *name, int *number) {
    *number = -1;
    if (!name) return DUNLIN_OK;
    if (w->anchor_count == YAML_MAX_ANCHORS) return exceed(w, event, "the file has more anchors", YAML_MAX_ANCHORS);
    anchor *made = &w->anchors[w->anchor_count];
    *made = (anchor){.name = strdup((const char *)name)};
    if (!made->name) return fail(w->path, event->start_mark.line + 1, DUNLIN_ERROR_MEMORY, w->error, "out of memory");
    *number = w->anchor_count++;
    return DUNLIN_OK;
}

static dunlin_result add_scalar(work *w, const yaml_event_t *event) {
    int number;
    dunlin_result result = add_anchor(w, event, event->data.scalar.anchor, &number);
    if (number >= 0) w->anchors[number].values = 1;
    w->values += 1;
    return result;
}

static dunlin_result open_collection(work *w, const yaml_event_t *event, const yaml_char_t *name) {
    if (w->depth == YAML_MAX_DEPTH) return exceed(w, event, "lists and mappings nest deeper", YAML_MAX_DEPTH);
    opened *made = &w->opened[w->depth++];
    made->before = w->values++;
    return add_anchor(w, event, name, &made->anchor);
}

static void close_collection(work *w) {
    const opened *closed = &w->opened[--w->depth];
    if (closed->anchor >= 0) w->anchors[closed->anchor].values = w->values - closed->before;
}

/* One that is not known is left to the parser. */
static dunlin_result add_alias(work *w, const yaml_event_t *event) {
    for (int i = w->anchor_count - 1; i >= 0; i--) {
        if (strcmp(w->anchors[i].name, (const char *)event->data.alias.anchor) != 0) continue;
        if (w->anchors[i].values == 0)
            return fail(w->path, event->start_mark.line + 1, DUNLIN_ERROR_FILE, w->error,
                        "an alias refers to a list or mapping that contains it");
        w->values += w->anchors[i].values;
        break;
    }
    return DUNLIN_OK;
}

static dunlin_result add_event(work *w, const yaml_event_t *event) {
    dunlin_result result = DUNLIN_OK;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        result = add_scalar(w, event);
        break;
    case YAML_ALIAS_EVENT:
        result = add_alias(w, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        result = open_collection(w, event, event->data.sequence_start.anchor);
        break;
    case YAML_MAPPING_START_EVENT:
        result = open_collection(w, event, event->data.mapping_start.anchor);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_collection(w);
        break;
    default:
        break;
    }
    if (result == DUNLIN_OK && w->values > YAML_MAX_VALUES)
        return exceed(w, event, "the file has more values, with what its aliases name", YAML_MAX_VALUES);
    return result;
}

static dunlin_result count_events(work *w, yaml_parser_t *parser) {
    dunlin_result result = DUNLIN_OK;
    bool ends = false;
    while (result == DUNLIN_OK && !ends) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) return DUNLIN_OK;
        ends = event.type == YAML_STREAM_END_EVENT || event.type == YAML_NO_EVENT;
        result = add_event(w, &event);
        yaml_event_delete(&event);
    }
    return result;
}

/* All of them are read before the first event comes. */
static dunlin_result check_directives(const char *path, const char *text, size_t length, dunlin_error *error) {
    size_t line = 1;
    int count = 0;
    for (const char *at = text, *end = text + length; at < end; line++) {
        if (*at == '%' && ++count > YAML_MAX_DIRECTIVES) {
            char problem[80];
            snprintf(problem, sizeof problem, "the file has more directives, lines with %%; allowed: %d", YAML_MAX_DIRECTIVES);
            return fail(path, line, DUNLIN_ERROR_FILE, error, problem);
        }
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    return DUNLIN_OK;
}

dunlin_result yaml_work_check(const char *path, const char *text, size_t length, dunlin_error *error) {
    dunlin_result result = check_directives(path, text, length, error);
    if (result != DUNLIN_OK) return result;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return fail(path, 1, DUNLIN_ERROR_MEMORY, error, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    work w = {.path = path, .error = error};
    result = count_events(&w, &parser);
    for (int i = 0; i < w.anchor_count; i++) free(w.anchors[i].name);
    yaml_parser_delete(&parser);
    return result;
}
