/* SPDX-License-Identifier: MIT */
/*
 * A scenario file, checked and typed by the schema: every entry that the file has holds a slot for each of its fields, given or
 * left out. The slots are one array and refer to each other by distance, so a copy is cheap: each simulation has its own, in
 * which its schedules change numbers.
 */
#ifndef DUNLIN_HARNESS_SCENARIO_TREE_H
#define DUNLIN_HARNESS_SCENARIO_TREE_H

#include "harness/scenario/schema.h"

#include <dunlin/scenario.h>

enum {
    PLACE_LENGTH = 160,   /* bytes of a path such as species[0].start[2].centre, the terminator included */
    PROBLEM_LENGTH = 280, /* of a message about a path */
    RANGE_LENGTH = 100    /* of what dun_row_range() says */
};

#define LINE_SET UINT32_MAX
/* The same while a setting is read: messages have it in the place of file and line. */
#define LINE_SETTING (UINT32_MAX - 1)

/* Of a value that the file leaves out, the default; where the schema has no value for that, 0 or NULL. */
typedef struct slot {
    const row *row;  /* an entry of a list has the list's; the whole file has that of its format */
    uint32_t parent; /* how many slots before this one there is the entry or list that it is in; 0: the whole file */
    uint32_t line;   /* from 1; 0: left out; LINE_SET: set by the caller, not by the file */
    union {
        double number;
        uint64_t whole; /* a switch's and a choice's value, too */
        const char *text;
        struct {
            uint32_t first, count; /* the slots inside an entry or a list; the first is so many after this one */
        };
    };
    uint8_t type;  /* a value_type */
    bool is_wrong; /* a mistake in it, or inside, has been reported */
    uint8_t place; /* the numbers of each place, where a list has them in lists of their own; 0: it has not */
} slot;

typedef struct tree {
    char *name;  /* what messages call the file */
    slot *slots; /* the first is the whole file */
    uint32_t count, capacity;
    char *text; /* of all texts */
    size_t text_size;
} tree;

/* Reads and checks a text. `format` is a row whose table has the fields of the file. Free the result also after a failure. */
bool dun_tree_read(const row *format, const char *name, const char *text, size_t length, tree *read, dunlin_error *error);

/* Where all mistakes go, where the first one does not end the work. */
typedef struct findings {
    dunlin_scenario_report_fn *report;
    void *user;
    uint32_t mistakes;
    dunlin_error first;
} findings;

/*
 * The same of a scenario. A world and a species are there, though the file may leave them out. With `all` a mistake is reported
 * and reading continues: what is wrong is marked, and looks as if it were left out. NULL: it ends at the first one.
 */
bool dun_tree_read_scenario(const char *name, const char *text, size_t length, findings *all, tree *read, dunlin_error *error);

/* Reports a mistake at a slot, and marks the slot and all that it is in. */
void dun_report_mistake(findings *all, const char *file, slot *at, const dunlin_error *mistake);

/* Reports either kind. */
void dun_report(findings *all, bool is_mistake, const char *file, const char *message);

/* Writes YAML that reads as the same tree. Free *text, which ends with a zero, also after a failure. */
bool dun_tree_write(const tree *of, char **text, size_t *length, dunlin_error *error);

bool dun_tree_copy(const tree *from, tree *to);
void dun_tree_free(tree *freed);

/* Changes the value at a path: `value` is as a file has it, except that a text needs no quotes. Fields of entries that the file
 * leaves out can be set, too. What it replaces stays in the tree until dun_tree_settle(). */
bool dun_tree_set(tree *changed, const char *path, const char *value, dunlin_error *error);

/* Removes what has been replaced, and checks what a single value does not show. */
bool dun_tree_settle(tree *changed, dunlin_error *error);

/* ---- growing it ------------------------------------------------------------------------------------------------------- */

/* Makes room for so many more slots. false: out of memory. */
bool dun_tree_reserve(tree *grown, uint32_t count);

/* Adds slots inside of one that is there; or the fields of an entry, with their defaults. There must be room. */
void dun_add_slots(tree *to, uint32_t parent, uint32_t count);
void dun_add_fields(tree *to, uint32_t entry);

/* How many fields dun_add_fields() adds. */
uint32_t dun_field_count(const slot *entry);

/* As if the file left it out. */
void dun_clear(slot *field);

/* ---- looking into it -------------------------------------------------------------------------------------------------- */

static inline const slot *dun_inside(const slot *of, uint32_t position) {
    return of + of->first + position;
}

static inline const slot *dun_parent(const slot *at) {
    return at - at->parent;
}

static inline bool dun_is_number(const slot *at) {
    return at->type == VALUE_NUMBER || at->type == VALUE_WHOLE;
}

/* Whether numbers of this row are doubles; the others are floats. */
static inline bool dun_is_wide(const row *of) {
    return of->stored == STORED_DOUBLE || of->stored == STORED_DOUBLE_TURNS;
}

const table *dun_slot_table(const slot *entry);

/* An entry's field, also where the file leaves it out. The schema must have the field. */
const slot *dun_field(const slot *entry, const char *name);

static inline bool has(const slot *entry, const char *field) {
    return dun_field(entry, field)->line > 0;
}

static inline double number_of(const slot *entry, const char *field) {
    return dun_field(entry, field)->number;
}

static inline const char *text_of(const slot *entry, const char *field) {
    return dun_field(entry, field)->text;
}

/* The one field of the entry of which exactly one is given. */
const slot *dun_one_of(const slot *entry);

/* An entry's position in its list. */
uint32_t dun_position(const slot *entry);

/* Why a number does not change during a run; NULL: it may. */
const char *dun_fixed(const slot *number);

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

void dun_place(const slot *at, char place[PLACE_LENGTH]);

enum { MAX_PATH_SLOTS = 512 }; /* that dun_find_any() adds */

/* The slot at a path, for which it adds the fields of entries that the file leaves out; there must be room for them. Entries of
 * a list are counted, or called by their name. false: `problem` says why not. */
bool dun_find_any(tree *of, const char *path, uint32_t *at, char problem[PROBLEM_LENGTH]);

/* The slot of the number at a path. */
bool dun_find_number(const tree *of, const char *path, uint32_t *number, char problem[PROBLEM_LENGTH]);

/* Sets a whole number of this tree. It must be in its range. */
void dun_set_whole(tree *of, const slot *number, uint64_t value);

/* Sets a number. false: it is out of the range that `allowed` then says. */
bool dun_set_number(slot *number, double value, char allowed[RANGE_LENGTH]);

/* The name of a field that is given and excludes this one; NULL: none is. */
const char *dun_given_instead(const slot *at);

/* ---- what is wrong with it -------------------------------------------------------------------------------------------- */

/* Fills `error` with `file:line: place: message`, or `file, as set: place: message`, and returns false. */
bool dun_fail_at(const char *file, const slot *at, dunlin_result code, dunlin_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/*
 * Puts `file:line: place: ` before the engine's message in `error`, and returns false. Where the message begins with
 * `subject.field`, or with `subject.kind.field`, where `at` is a behaviour's kind, only the field's name is kept, and the line
 * is the field's if the file gives it.
 */
bool dun_locate(const char *file, const slot *at, const char *subject, dunlin_error *error);

#endif
