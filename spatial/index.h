/* SPDX-License-Identifier: MIT */
/*
 * A spatial index answers who is near whom with groups and runs (runs.h). An index is one file that fills in a dunlin_index_type;
 * grid.c, tree.c and brute.c are the three there are, and auto.c takes turns between two. All of an index's answers depend on the
 * space and the agents alone, never on the machine or the number of threads.
 */
#ifndef DUNLIN_SPATIAL_INDEX_H
#define DUNLIN_SPATIAL_INDEX_H

#include <stddef.h>

#include "executor.h"
#include "runs.h"

/* What an index has to cover. */
typedef struct dunlin_space {
    int dimensions;
    float low[3];  /* world units: where a bounded space begins; 0 where periodic */
    float size[3]; /* world units: its length, > 0 */
    bool periodic; /* neighbours are seen across the edges */
    bool open;     /* there are no edges */
    float radius;  /* the radius most queries will have, > 0: cells are made for it */
} dunlin_space;

#define DUNLIN_MAX_COLUMNS 16

/* A float or an integer, to be moved. */
typedef uint32_t __attribute__((may_alias)) dunlin_word;

/* Agents as columns of 32-bit words, to be moved from one buffer to another. Positions are columns 0 .. dimensions - 1. */
typedef struct dunlin_columns {
    uint32_t agents;
    int columns;
    const dunlin_word *from[DUNLIN_MAX_COLUMNS];
    dunlin_word *to[DUNLIN_MAX_COLUMNS];
} dunlin_columns;

/* How far a radius reaches, in whatever the index counts in. From dunlin_index_type.reach. */
typedef struct dunlin_reach {
    uint32_t axis[3]; /* cells */
    float radius;     /* world units */
    bool everywhere; /* every query of this reach covers all agents */
} dunlin_reach;

#define DUNLIN_QUERY_ROWS 9

/* What the groups of one stretch have in common, kept from one answer to the next. Only the index touches it. */
typedef struct dunlin_rows {
    uint32_t begin, end; /* slots that it holds for; at first none */
    uint32_t count;
    uint32_t cell[DUNLIN_QUERY_ROWS]; /* the first of each row */
    bool folds[DUNLIN_QUERY_ROWS];    /* as in a run */
} dunlin_rows;

/* One group's question. */
typedef struct dunlin_query {
    const float *position[3]; /* the observers' snapshot */
    dunlin_group group;
    bool own;                 /* the observers are this index's own agents, in its order, within one group_end() */
    bool box;                 /* the group is two: a low and a high corner, of a box that may hold observers everywhere; not `own` */
    dunlin_reach reach;
    dunlin_rows rows;         /* zeroed before the first group, and where `reach` has changed */
} dunlin_query;

typedef struct dunlin_index dunlin_index;

typedef struct dunlin_index_type {
    const char *name;
    bool sorts; /* build() moves the agents; otherwise they stay where they are and build() ignores `to` */

    dunlin_index *(*create)(void); /* NULL: no memory */
    void (*destroy)(dunlin_index *index);

    /* Allocates all that build() needs for so many agents and workers; false: no memory, the index is as before. */
    bool (*reserve)(dunlin_index *index, const dunlin_space *space, uint32_t agents, uint32_t workers);

    /* Sorts the columns and remembers the sorted positions, which must stay where they are until the last query. */
    void (*build)(dunlin_index *index, const dunlin_space *space, const dunlin_columns *columns, const dunlin_executor *executor);

    dunlin_reach (*reach)(const dunlin_index *index, float radius);

    /* The end of the longest stretch from `first` on that may form groups of which none asks for far more than its lanes see. */
    uint32_t (*group_end)(const dunlin_index *index, uint32_t first);

    /* The most runs that a query of this reach can have; no more for fewer agents than reserve() was told. */
    uint32_t (*max_runs)(const dunlin_index *index, const dunlin_reach *reach, bool own);
    uint32_t (*list_runs)(const dunlin_index *index, dunlin_query *query, dunlin_run *runs); /* returns how many */

    uint64_t (*cells)(const dunlin_index *index);
    size_t (*bytes)(const dunlin_index *index);
} dunlin_index_type;

/* Every index starts with this. */
struct dunlin_index {
    const dunlin_index_type *type;
};

extern const dunlin_index_type dunlin_grid_index;
extern const dunlin_index_type dunlin_auto_index;
extern const dunlin_index_type dunlin_tree_index;
extern const dunlin_index_type dunlin_brute_index;

#endif
