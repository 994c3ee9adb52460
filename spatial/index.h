/* SPDX-License-Identifier: MIT */
/*
 * A spatial index lists the candidates of packets as ranges (ranges.h). Each index is one file that fills in a dun_index_type:
 * grid.c, tree.c, brute.c, and auto.c, which chooses between the first two. What an index answers depends on the space and the
 * agents alone, never on the machine or the number of threads.
 */
#ifndef DUNLIN_SPATIAL_INDEX_H
#define DUNLIN_SPATIAL_INDEX_H

#include <stdbool.h>

#include "spatial/executor.h"
#include "spatial/heap.h"
#include "spatial/ranges.h"

/*
 * What an index covers. The grid's cells follow from this struct alone. An index that holds only a part of a flock
 * therefore gets the whole flock's cells when `agents` is the whole flock's count: grid and brute then
 * list each agent's neighbours in the order in which they list the whole flock's. `auto` takes the grid, because a part cannot
 * say how the whole is spread. A tree halves the box around the agents it holds, so it suits whole flocks only.
 */
typedef struct dun_space {
    int dimensions;
    float min[3];    /* world units: where a bounded space begins; 0 in a periodic one */
    float size[3];   /* world units: its length, > 0 */
    bool periodic;   /* neighbours are seen across the edges */
    uint8_t walled;  /* if periodic: the axes, bit a each, along which neighbours are not seen across the edges after all */
    bool open;       /* there are no edges */
    float radius;    /* world units, > 0: the radius of most queries; cells are made for it */
    uint64_t agents; /* how many agents the cells are made for; 0: as many as the index holds */
} dun_space;

/* As in a range: the axes along which neighbours are seen across the edges. */
static inline uint8_t dun_space_folds(const dun_space *space) {
    return space->periodic ? (uint8_t)(DUN_ALL_AXES & ~space->walled) : 0;
}

#define DUN_MAX_COLUMNS  16
#define DUN_CELL_PADDING 16 /* elements; no kernel has more lanes */

/* A float or an integer that an index moves without looking at it. */
typedef uint32_t __attribute__((may_alias)) dun_word;

/* Consecutive slots or cells, [begin, end). */
typedef struct dun_stretch {
    uint32_t begin, end;
} dun_stretch;

/* Agents as columns of words, which an index moves from one buffer to another. Columns 0 .. dimensions - 1 are positions. */
typedef struct dun_columns {
    uint32_t agents;
    int columns;
    uint32_t parts;           /* 0: the order before the sort is that of slots */
    const dun_stretch *order; /* [parts] that order */
    bool numbered;            /* the index has the numbers of the agents' cells: see dun_index_type.next_cells */
    const dun_word *from[DUN_MAX_COLUMNS];
    dun_word *to[DUN_MAX_COLUMNS];
} dun_columns;

/* How far a radius reaches, in the index's own terms. dun_index_type.reach makes it. */
typedef struct dun_reach {
    uint32_t axis[3]; /* cells */
    float radius;     /* world units */
    bool everywhere;  /* every query with this reach covers all agents */
} dun_reach;

#define DUN_QUERY_ROWS 9

/* A row that the packets of one stretch see: its first cell; the rest as in dun_range, but of axes 1 and 2 only. */
typedef struct dun_row {
    uint32_t cell;
    uint8_t folds, image;
} dun_row;

/* What the packets of one stretch have in common. Only the index touches it, and keeps it from one query to the next. */
typedef struct dun_rows {
    uint32_t begin, end; /* slots that this holds for; none at first */
    uint32_t count;
    dun_row row[DUN_QUERY_ROWS];
} dun_rows;

/* One packet's question. */
typedef struct dun_query {
    const float *position[3]; /* [dimensions] the observers' snapshot */
    dun_packet packet;
    bool own; /* the observers are this index's agents, in its order, within one stretch of packet_end() */
    bool box; /* the packet is the minimum and the maximum corner of a box, with observers anywhere in it; not `own` */
    dun_reach reach;
    dun_rows rows; /* zeroed before the first packet, and whenever `reach` changes */
} dun_query;

typedef struct dun_index dun_index;

typedef struct dun_index_type {
    const char *name;
    bool sorts; /* build() moves the agents; otherwise they stay where they are, and build() ignores `to` */

    dun_index *(*create)(dun_heap *heap); /* NULL: no memory */
    void (*destroy)(dun_index *index);

    /* Allocates all that build() needs for this many agents and workers; false: no memory, the index is as before. */
    bool (*reserve)(dun_index *index, const dun_space *space, uint32_t agents, uint32_t workers);

    /* Sorts the columns. Keeps pointers to the sorted positions, which must stay in place until the last query. */
    void (*build)(dun_index *index, const dun_space *space, const dun_columns *columns, const dun_executor *executor);

    /* Where the caller puts the cell of each agent's next position, and DUN_CELL_PADDING more, while it has the position at
     * hand; NULL: this index asks for none, as one without such a function. The next build() uses them if its columns are
     * `numbered`, and its cells the same. */
    uint32_t *(*next_cells)(dun_index *index, dun_cells *cells);

    dun_reach (*reach)(const dun_index *index, float radius);

    /* The end of the stretch that begins at `first`. Packets may be cut from it anywhere, and still have few candidates. */
    uint32_t (*packet_end)(const dun_index *index, uint32_t first);

    /* Maximum number of ranges for a query with this reach; it does not grow when agents get fewer. */
    uint32_t (*max_ranges)(const dun_index *index, const dun_reach *reach, bool own);
    uint32_t (*list_ranges)(const dun_index *index, dun_query *query, dun_range *ranges); /* returns their number */

    uint64_t (*cells)(const dun_index *index);
} dun_index_type;

/* The type of an index whose functions are called name_create, name_destroy and so on. */
#define DUN_INDEX_TYPE(index_name, does_sort, finds_next_cells)                                                                \
    {                                                                                                                          \
        .name = #index_name, .sorts = does_sort, .create = index_name##_create, .destroy = index_name##_destroy,               \
        .reserve = index_name##_reserve, .build = index_name##_build, .next_cells = finds_next_cells,                          \
        .reach = index_name##_reach, .packet_end = index_name##_packet_end, .max_ranges = index_name##_max_ranges,             \
        .list_ranges = index_name##_list_ranges, .cells = index_name##_cells                                                   \
    }

/* Every index begins with this. */
struct dun_index {
    const dun_index_type *type;
    dun_heap *heap;
};

/* Allocates an index, which must begin with a dun_index, all zero but for that; NULL: no memory. */
static inline dun_index *dun_index_new(const dun_index_type *type, dun_heap *heap, size_t bytes) {
    dun_index *index = (dun_index *)dun_allocate_zeros(heap, 1, bytes);
    if (index) *index = (dun_index){type, heap};
    return index;
}

extern const dun_index_type dun_grid_index;
extern const dun_index_type dun_auto_index;
extern const dun_index_type dun_tree_index;
extern const dun_index_type dun_brute_index;

/*
 * For auto.c: where a grid over an open space would put `count` agents, picked evenly by storage order: the cell of its table,
 * and a number that stands for the cell of its lattice. Agents in the same cell of the table but in different cells of the
 * lattice are far apart.
 */
void dun_grid_places(dun_index *grid, const dun_space *space, const dun_columns *columns, uint32_t count, uint64_t *table_cell,
                     uint64_t *lattice_cell);

#endif
