/* SPDX-License-Identifier: MIT */
/*
 * A scenario file, checked and typed by the schema: every entry that the file has holds a slot for each of its fields, given or
 * left out. The slots are one array, so a copy is cheap: each flight has its own, in which its schedules change numbers.
 */
#ifndef DUNLIN_HARNESS_SCENARIO_TREE_H
#define DUNLIN_HARNESS_SCENARIO_TREE_H

#include "harness/scenario/schema.h"

#define PLACE_LENGTH 160 /* bytes of a path such as species[0].start[2].centre, the terminator included */

typedef struct slot {
    const row *row;  /* an entry of a list has the list's; NULL: the whole file */
    uint32_t parent; /* the entry or list that it is in */
    uint32_t line;   /* from 1; 0: left out */
    union {
        double number;
        uint64_t whole;
        int chosen; /* a switch's value, too */
        size_t text;
        struct {
            uint32_t first, count; /* the slots inside an entry or a list */
        };
    };
    uint8_t type;  /* a value_type */
    uint8_t place; /* the numbers of each place, where a list has them in lists of their own; 0: it has not */
} slot;

typedef struct tree {
    char *name; /* what messages call the file */
    slot *slots;
    uint32_t count, capacity;
    char *text; /* of all texts */
    size_t text_size;
} tree;

/* Reads and checks a text. Free the result also after a failure. */
dunlin_result dun_tree_read(const char *name, const char *text, size_t length, tree *read, dunlin_error *error);
bool dun_tree_copy(const tree *from, tree *to);
void dun_tree_free(tree *freed);

/* ---- looking into it -------------------------------------------------------------------------------------------------- */

const table *dun_slot_table(const slot *entry);
const slot *dun_tree_inside(const tree *of, const slot *parent, uint32_t position);

/* The field's slot, also where the file leaves it out. The schema must have the field. */
const slot *dun_tree_at(const tree *of, const slot *entry, const char *field);

/* The slot of an entry in one of the file's lists. */
const slot *dun_tree_entry(const tree *of, const char *list, uint32_t position);
uint32_t dun_tree_length(const tree *of, const char *list);

/* The one field of the entry of which exactly one is given. */
const slot *dun_tree_one(const tree *of, const slot *entry);

double dun_tree_number(const tree *of, const slot *entry, const char *field); /* or its default */
uint64_t dun_tree_whole(const tree *of, const slot *entry, const char *field);
const char *dun_tree_text(const tree *of, const slot *entry, const char *field); /* NULL: left out */

/* Fills `def` with what the entry gives, and with the schema's defaults. */
void dun_tree_bind(const tree *of, const slot *entry, void *def);

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

void dun_tree_place(const tree *of, const slot *at, char place[PLACE_LENGTH]);

typedef struct found {
    uint32_t slot;
    const char *fixed; /* why the number does not change in flight; NULL: it may */
} found;

/* The number at a path; entries of a list are counted, or called by their name. false: `problem` says what is wrong. */
bool dun_tree_find(const tree *of, const char *path, found *number, char *problem, size_t size);

/* Why a number does not change in flight; NULL: it may. */
const char *dun_tree_fixed(const tree *of, const slot *at);

/* Sets a number. false: it is out of the range that `allowed` then says. */
bool dun_slot_set(slot *at, double value, char *allowed, size_t size);

/* ---- what is wrong with it -------------------------------------------------------------------------------------------- */

/* Fills `error` with `file:line: place: message` and returns `code`. */
dunlin_result dun_tree_fail(const tree *of, const slot *at, dunlin_result code, dunlin_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/*
 * Puts `file:line: place: ` before the engine's message in `error`. Where that begins with `subject.field`, the subject is left
 * out, and the line is that field's if the file gives it. Returns the error's code.
 */
dunlin_result dun_tree_locate(const tree *of, const slot *at, const char *subject, dunlin_error *error);

#endif
