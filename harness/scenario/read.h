/* SPDX-License-Identifier: MIT */
/* What reading a file and setting a value share. */
#ifndef DUNLIN_HARNESS_SCENARIO_READ_H
#define DUNLIN_HARNESS_SCENARIO_READ_H

#include "harness/scenario/tree.h"
#include "harness/scenario/yaml.h"

/* The walk follows the schema, which is a finite tree, and yaml.h bounds what aliases add to it. */
typedef struct checker {
    tree *to;
    const char *name; /* what messages call the text */
    bool sets;        /* it is the caller's, not the file's */
    findings *all;    /* where mistakes go; NULL: the first one ends it */
    dunlin_error *error;
} checker;

/* Slots move when some are added, so functions that add some take them by their number. */
#define SLOT(at)      (&check->to->slots[at])
#define FAIL(at, ...) (dun_fail_at(check->name, at, DUNLIN_ERROR_FILE, check->error, __VA_ARGS__) || dun_goes_on(check, at))

/* After a mistake. What continues sees a value that is left out. */
bool dun_goes_on(const checker *check, const slot *at);

/* Makes room for so many more slots. */
bool dun_reserve(const checker *check, uint32_t count);

/* Reads a node into a slot, whose row says what it must be. */
bool dun_read_value(const checker *check, const yaml_node *node, uint32_t at);

/* What an entry's fields must be together, and lists in this world. */
bool dun_check_fields(const checker *check, const slot *entry);
bool dun_check_shapes(const checker *check);

#endif
