/* SPDX-License-Identifier: MIT */
/* The options of all commands: tables of rows, read with popt. Commands share the rows below, so that a name means the same. */
#ifndef DUNLIN_HARNESS_OPTIONS_H
#define DUNLIN_HARNESS_OPTIONS_H

#include <dunlin/dunlin.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,       /* to: bool; takes no value */
    OPTION_TEXT,       /* to: const char *, which lives until options_free() */
    OPTION_INT,        /* to: int, low .. high */
    OPTION_UINT32,     /* to: uint32_t, low .. high */
    OPTION_UINT64,     /* to: uint64_t, low .. high */
    OPTION_REAL,       /* to: double, min .. max */
    OPTION_NAMES,      /* to: bool[name_count]; some of `names` with commas between */
    OPTION_DIMENSIONS, /* to: bool[4], of which [2] and [3] are set */
    OPTION_LIST,       /* to: option_list: all values, where the option is given several times */
    OPTION_GROUP,      /* no option, but the heading of those that follow it in help */
} option_kind;

/* Values in the order in which they are given. They live until options_free(). */
typedef struct option_list {
    char **items;
    int count;
} option_list;

/* Adds a text that free() takes, which becomes the list's, or is freed. false: there is no memory for it, or it is NULL. */
bool option_list_add(option_list *list, char *text);
void option_list_free(option_list *list);

typedef struct option_row {
    const char *name;
    option_kind kind;
    void *to;          /* keeps its value unless the option is given */
    const char *value; /* what help calls the value */
    const char *help;
    uint64_t low, high;
    double min, max;
    const char *const *names;
    int name_count;
    const char *words; /* what a shell offers for the value, with spaces between; may be NULL */
    bool *given;       /* becomes true where the option is given; may be NULL */
} option_row;

enum { OPTION_ROWS = 64 };

/* Ids have 32 bits, and the largest is reserved. */
#define OPTION_MAX_AGENTS 4294967294u

/* Rows of any option, with words for shells and without; of a whole number within [low, high]; and of one that says whether
 * it was given. */
#define ROW_WORDS(name_, kind_, to_, value_, words_, help_)                                                                    \
    { .name = (name_), .kind = (kind_), .to = (to_), .value = (value_), .words = (words_), .help = (help_) }
#define ROW(name, kind, to, value, help)                  ROW_WORDS(name, kind, to, value, NULL, help)
#define ROW_GROUP(heading)                                ROW(NULL, OPTION_GROUP, NULL, NULL, heading)
#define ROW_NUMBER(name_, kind_, to_, low_, high_, help_) ROW_GIVEN(name_, kind_, to_, NULL, low_, high_, help_)
#define ROW_GIVEN(name_, kind_, to_, given_, low_, high_, help_)                                                               \
    {                                                                                                                          \
        .name = (name_), .kind = (kind_), .to = (to_), .given = (given_), .low = (low_), .high = (high_), .value = "N",        \
        .help = (help_)                                                                                                        \
    }
#define ROW_REAL(name_, to_, given_, min_, max_, value_, help_)                                                                \
    {                                                                                                                          \
        .name = (name_), .kind = OPTION_REAL, .to = (to_), .given = (given_), .min = (min_), .max = (max_), .value = (value_), \
        .help = (help_)                                                                                                        \
    }
#define ROW_NAMES(name_, to_, names_, count_, help_)                                                                           \
    {                                                                                                                          \
        .name = (name_), .kind = OPTION_NAMES, .to = (to_), .names = (names_), .name_count = (count_), .value = "NAMES",       \
        .help = (help_)                                                                                                        \
    }

/* Rows that commands share. */
#define ROW_THREADS(to)                                                                                                        \
    ROW_NUMBER("threads", OPTION_INT, to, 0, 1024, "use N threads; default: 0, one per processor that is allowed")
#define ROW_DIMENSIONS(to)   ROW_WORDS("dimensions", OPTION_DIMENSIONS, to, "D", "2 3 both", "2, 3 or both; default: both")
#define ROW_QUIET(to)        ROW("quiet", OPTION_FLAG, to, NULL, "print only errors and what other options ask for")
#define ROW_QUICK(to, help)  ROW("quick", OPTION_FLAG, to, NULL, help)
#define ROW_AGENTS(to, help) ROW_NUMBER("agents", OPTION_UINT32, to, 1, OPTION_MAX_AGENTS, help)
#define ROW_STEPS(to, help)  ROW_NUMBER("steps", OPTION_INT, to, 1, 1000000, help)
#define ROW_REPEAT(to, help) ROW_NUMBER("repeat", OPTION_INT, to, 1, 1000, help)
#define ROW_KERNEL(to, help) ROW("kernel", OPTION_TEXT, to, "NAME", help)
#define ROW_INDEX(to)                                                                                                          \
    ROW_WORDS("index", OPTION_TEXT, to, "NAME", "auto grid tree brute",                                                        \
              "find neighbours with this index: grid, tree or brute; default: auto")
#define ROW_OUTPUT(to, help) ROW("output", OPTION_TEXT, to, "FOLDER", help)
#define ROW_JSON(to)         ROW("json", OPTION_TEXT, to, "FILE", "write the results as JSON; - is standard output, without tables")
#define ROW_CSV(to)                                                                                                            \
    ROW("csv", OPTION_TEXT, to, "FILE", "append the results to a CSV file; - is standard output, without tables")
#define ROW_NEIGHBOURS(to_)                                                                                                    \
    {                                                                                                                          \
        .name = "neighbours", .kind = OPTION_REAL, .to = (to_), .value = "N",                                                  \
        .help = "size the world for a mean of N neighbours; default: 20", .min = 0.01, .max = 1e6                              \
    }

typedef struct option_values {
    char *text[OPTION_ROWS];       /* as given, by row */
    option_list list[OPTION_ROWS]; /* of each OPTION_LIST */
    char *argument;                /* the one argument that is no option, or NULL */
    option_list arguments;         /* all of them, where a command takes several */
} option_values;

/*
 * Reads argv by the rows. If an option that is no list is given twice, the last value counts. `argument` names the one argument
 * that the command takes, or is NULL. Returns false when there is nothing left to do: help was printed, or a mistake was
 * reported on standard error; *status is then the exit status. Always free the result.
 */
bool options_read(option_values *read, int argc, const char **argv, const option_row *rows, int count, const char *argument,
                  int *status);
void options_free(option_values *read);

/* Reports that the value of --`option` is not allowed, and what is. Returns false. */
bool option_reject(const char *option, const char *text, const char *allowed);

/* Claims the places of ROW_JSON and ROW_CSV, which may be NULL: harness/report/claim.h. */
dunlin_result options_claim_outputs(const char *json, const char *csv, dunlin_error *error);

#endif
