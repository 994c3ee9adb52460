/* SPDX-License-Identifier: MIT */
/* A YAML text as a flat list of nodes, each with its line. */
#ifndef DUNLIN_HARNESS_SCENARIO_YAML_H
#define DUNLIN_HARNESS_SCENARIO_YAML_H

#include <dunlin/dunlin.h>

/* What a text may ask for. A scenario nests 8 deep, and 1 MiB holds at most half a million values without aliases. */
enum {
    YAML_MAX_VALUES = 1000000, /* scalars, lists and mappings, keys included; an alias counts as all that it stands for */
    YAML_MAX_DEPTH = 32,
    YAML_MAX_ANCHORS = 1000,
    YAML_MAX_DIRECTIVES = 100, /* lines that begin with % */
};

typedef enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAPPING, YAML_ALIAS } yaml_kind;

typedef struct yaml_node {
    yaml_kind kind;
    uint32_t line;   /* from 1 */
    uint32_t end;    /* the node after this one and all inside; a mapping holds key, value, key, value, … */
    uint32_t target; /* YAML_ALIAS: the node that it stands for */
    size_t text;     /* YAML_SCALAR: the offset of its text, terminated, … */
    size_t length;   /* … and its bytes, in which there may be more terminators */
} yaml_node;

typedef struct yaml {
    yaml_node *nodes;
    uint32_t count, capacity;
    char *text;
    size_t used, size;
} yaml;

/*
 * Reads a text of one document within these bounds, in time and memory proportional to its length. `name` is for messages.
 * Free the result also after a failure. A text without a document has no nodes.
 */
dunlin_result dun_yaml_read(const char *name, const char *text, size_t length, yaml *read, dunlin_error *error);

void dun_yaml_free(yaml *read);

#endif
