/* SPDX-License-Identifier: MIT */
/*
 * What a scenario file may say: one table per kind of entry, one row per field. The checks of a file, the numbers that callers
 * list, the tables of docs/scenarios.md and the JSON Schema for editors all follow from these rows.
 */
#ifndef DUNLIN_HARNESS_SCENARIO_SCHEMA_H
#define DUNLIN_HARNESS_SCENARIO_SCHEMA_H

#include "harness/models/model.h"

typedef enum value_type {
    VALUE_NUMBER,
    VALUE_WHOLE,
    VALUE_SWITCH,
    VALUE_CHOICE,
    VALUE_TEXT,
    VALUE_ENTRY, /* fields of their own */
    VALUE_LIST
} value_type;

/* How a value is stored in the C struct that its entry fills in. */
typedef enum stored_as {
    STORED_NOT = 0,
    STORED_FLOAT,
    STORED_DOUBLE,
    STORED_WIDENED, /* a float of the file, as a double */
    STORED_INT,
    STORED_BOOL,
    STORED_UINT32,
    STORED_UINT64,
    STORED_TEXT,
    STORED_SPECIES,      /* the number of what the text names, an int */
    STORED_FIELD,        /* likewise; where there is one, it need not be named */
    STORED_PATH,         /* likewise */
    STORED_RADIANS,      /* a float; degrees in the file */
    STORED_TURNS,        /* a float; degrees in the file */
    STORED_DOUBLE_TURNS, /* likewise, a double */
    STORED_INSIDE        /* the fields of an entry, each at its offset from here */
} stored_as;

/* How many numbers a list has. */
typedef enum list_shape {
    SHAPE_ANY = 0,
    SHAPE_VECTOR,     /* one per dimension */
    SHAPE_TWO_PLACES, /* the numbers of two places */
    SHAPE_PLACES      /* the numbers of any number of places */
} list_shape;

typedef struct choice {
    const char *name; /* NULL after the last */
    int value;
} choice;

typedef struct row {
    const char *name;
    value_type type;
    stored_as stored;
    size_t offset;
    value_type of; /* the entries of a list */
    list_shape shape;
    uint32_t min_count, max_count; /* entries of a list, bytes of a text */
    double min, max;               /* the range of a number; of a whole one 0, 0, if it may have any 64 bits */
    bool above, below;             /* min itself, and max itself, are out of range */
    bool has_default;
    double standard;       /* the default of a number, switch or choice */
    const char *otherwise; /* the default in words, where there is no value for it */
    const char *range;     /* the range in words, where it needs some */
    bool required;
    const char *instead; /* the row that this one is given instead of; NULL: none */
    bool one_of;         /* exactly one such field of an entry is given */
    bool any_scalar;     /* a text that may look like a number or switch, which YAML distinguishes */
    const char *fixed;   /* why a number does not change during a run; NULL: it may */
    int tag;             /* what the row stands for: a dunlin_behaviour_kind, … */
    const choice *choices;
    const struct table *table; /* of an entry, or of a list's entries */
    const char *unit, *doc;
} row;

typedef struct table {
    const char *name;
    const struct table *base; /* its rows come first; NULL: none */
    const row *rows;
    int count; /* of its own rows */
} table;

enum { DUN_MAX_TABLES = 64 };

/* Adds a table, its base and all that its rows refer to, unless they are among the first `count` of `all`; returns the new
 * count. */
int dun_tables_below(const table *of, const table *all[DUN_MAX_TABLES], int count);

/* The rows of the base first, then the table's own. */
int dun_table_count(const table *of);
const row *dun_table_row(const table *of, int index);

/* The index of the row with this name; -1: none. */
int dun_table_find(const table *of, const char *name, size_t length);

/* What a value of that name means; NULL: there is no such choice. */
const choice *dun_choice_find(const choice *choices, const char *name);
const char *dun_choice_name(const choice *choices, int value);

/* "0 .. 10", "> 0, <= 5": what the row allows of a number. */
void dun_row_range(const row *of, char *text, size_t size);

extern const table dun_schema;          /* the file */
extern const choice dun_role_names[];   /* by dunlin_role */
extern const choice dun_shape_names[];  /* by dunlin_shape */
extern const choice dun_colour_names[]; /* by dunlin_colour, without DUNLIN_COLOUR_ATTRIBUTE */

/* What a field of the file fills in. */
typedef struct field_defs {
    dunlin_field_def grid;
    dunlin_field_source source;
    dunlin_trace_def trace;
} field_defs;

/* What a schedule's curve fills in. */
typedef struct curve {
    double value, from, to, mean, amplitude, period, phase, scale;
    uint64_t begin, end, seed;
    int octaves;
} curve;
enum { CURVE_CONSTANT, CURVE_LINEAR, CURVE_SINE, CURVE_NOISE };

/* What an entry of `growth` fills in. */
typedef struct growth {
    double per_step;
    uint32_t max_agents;
    uint64_t begin, end;
} growth;

/* What an entry of `lives` fills in, and what its callback reads. */
typedef struct metabolism {
    int energy;       /* the attribute's number */
    float cost;       /* per step, when the callback reads it; per time unit in the file */
    float divides_at; /* INFINITY: never */
    float share;      /* of the energy, which a child gets */
} metabolism;

#endif
