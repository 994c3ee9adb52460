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
    uint32_t line;                /* from 1 */
    const struct yaml_node *end;  /* after this one and all inside; a mapping holds key, value, key, value, … */
    const struct yaml_node *from; /* YAML_ALIAS: what it stands for */
    const char *text;             /* YAML_SCALAR: terminated; … */
    size_t length;                /* … its bytes, in which there may be more terminators */
} yaml_node;

typedef struct yaml {
    yaml_node *nodes;
    uint32_t count, capacity;
    char *text; /* of all scalars */
    size_t used, size;
} yaml;

/*
 * Reads a text of one document within these bounds, in time and memory proportional to its length. `name` is for messages, and
 * `line`, where all of it stands in that one; 0: they count lines. free() the result's nodes and text also after a failure. A
 * text without a document has no nodes.
 */
bool dun_yaml_read(const char *name, const char *text, size_t length, uint32_t line, yaml *read, dunlin_error *error);

#endif
