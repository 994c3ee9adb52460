/* SPDX-License-Identifier: MIT */
/*
 * What a trajectory has of each agent, and frames: copies of the agents' columns, as they will lie in the file. Putting them in
 * the order of ids takes longer than anything else. If all processors simulate, their threads do it, since one that waits for
 * the writer's thread would make the others wait; else the writer's thread does.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_FRAME_H
#define DUNLIN_HARNESS_TRAJECTORY_FRAME_H

#include "harness/trajectory/trajectory.h"

#include <stddef.h>

enum {
    MAX_COLUMNS = 1 + 6 + DUNLIN_MAX_SPECIES * DUNLIN_MAX_ATTRIBUTES,
    COLUMN_ID = 0,
    COLUMN_POSITION /* then velocities, if wanted, and attributes */
};

/* A column of 32-bit words that frames copy. */
typedef struct agent_column {
    char name[DUNLIN_NAME_LENGTH];          /* of an attribute; else "" */
    signed char number[DUNLIN_MAX_SPECIES]; /* of the attribute in each species; -1: it has none */
} agent_column;

typedef enum grid_kind {
    GRID_AGENTS,
    GRID_LEADER,
    GRID_CENTRE,
    GRID_VELOCITY,
    GRID_SPREAD,
    GRID_POLARIZATION,
    GRID_TRACE
} grid_kind;

/* A block of 32-bit words in each frame. */
typedef struct grid {
    char path[64]; /* of the HDF5 group */
    grid_kind kind;
    int number; /* of the species, or of the trace */
    int rank;   /* 1 .. 3 */
    unsigned long long size[3];
    size_t first, words; /* in the frame's block */
} grid;

typedef struct grid_list {
    grid *grids; /* grids_free() */
    int count;
    size_t words; /* of all */
} grid_list;

typedef struct selection {
    int dimensions, species_count;
    bool is_wanted[DUNLIN_MAX_SPECIES];
    bool has_velocity, has_species, has_slot, has_image;
    bool repeats[3]; /* axes of the world that are periodic */
    bool is_whole;   /* all agents with all velocities and attributes */
    metrics_meter *meter;
    int column_count, first_attribute;
    int slot_column, image_column, species_column; /* of frames, behind the others; species are int8_t */
    agent_column columns[MAX_COLUMNS];
    grid_list grids;
} selection;

static inline bool selection_is_periodic(const selection *s) {
    return s->repeats[0] || s->repeats[1] || s->repeats[2];
}

/* Reads the definition's lists. grids_free() its grids in any case. */
dunlin_result select_columns(selection *s, const trajectory_def *def, dunlin_world *world, dunlin_error *error);

/* How many rows a frame of the present state has. */
uint32_t selected_rows(const selection *s, const dunlin_world *world);

/* Big memory, in huge pages where the system has them. Zero at first; free() the memory. */
typedef struct page_block {
    void *memory;
    size_t bytes;
} page_block;

/* Makes it at least as big, with other content. */
bool page_block_grow(page_block *block, size_t bytes);

/* The agents of the species that are wanted, one species behind the other: their place is a number in this order. */
typedef struct storage {
    dunlin_view views[DUNLIN_MAX_SPECIES];
    uint32_t first[DUNLIN_MAX_SPECIES + 1];
} storage;

/* All of it grows as needed, so it is zero at first. */
typedef struct frame {
    uint64_t step, state_hash;
    double time, box[3];
    char *preamble;
    size_t preamble_length, preamble_room;
    uint64_t *metrics;  /* [columns of metrics.h][species]: the bits of a double or a whole number */
    bool is_near;       /* no agent can have moved half the world's shortest side since the frame before */
    uint32_t rows;      /* in ascending order of ids */
    size_t room;        /* rows with those behind them, which are fill: whole chunks */
    page_block columns; /* [columns][room] words of 32 bits, and then the species */
    storage agents;     /* the world's own arrays, or copies of them */
    page_block copies;
    page_block grids; /* words of 32 bits: selection.grids */
} frame;

void frame_free(frame *f);

/* How frames are made. */
typedef struct frame_maker {
    const selection *selected;
    size_t chunk_rows;
    int precision;          /* of numbers: bits of mantissa; 0: all */
    bool is_later;          /* the writer's thread brings rows in order */
    int threads;            /* that do it */
    page_block places, ids; /* the rows' places, and their ids; grow as needed */
    bool has_all_ids;       /* from 0 to the last row, which is not in `ids` then */
} frame_maker;

void frame_maker_free(frame_maker *maker);

/* Copies the present state, and asks for its metrics. */
dunlin_result frame_copy(frame *f, frame_maker *maker, dunlin_world *world, dunlin_error *error);

/* Fills in the metrics. Without a step since the copy it measures; a meter that is not plain needs it to. */
dunlin_result frame_measure(frame *f, const selection *s, dunlin_world *world, dunlin_error *error);

/* What is left to do to write it, on the writer's thread. */
dunlin_result frame_complete(frame *f, frame_maker *maker, dunlin_error *error);

static inline void *frame_column(const frame *f, int column) {
    return (uint32_t *)f->columns.memory + (size_t)column * f->room;
}

/* The rows of frames: in the order of ids; and how chunks of them are packed. */

/* Finds the agents, and copies their columns as they are or, if that is not for later, does all. False: no memory. */
bool take_agents(frame *f, frame_maker *maker, const dunlin_world *world);

/* Copies all columns in the order of rows, and computes the hash of the world meanwhile; NULL: not. False: no memory. */
bool copy_rows(frame *f, frame_maker *maker, const dunlin_world *world);

/* Rounds to the nearest number with so many bits of mantissa, of two the even one. TRAJECTORY_FILL stays. */
void round_bits(uint32_t *bits, size_t count, int precision);

/* HDF5's filters shuffle and deflate. `room` for both buffers is packed_room(). Returns the packed length; 0: packing does not
 * make it smaller. Level RUNS is quick, and returns 0 where it does not make it a sixteenth. */
enum { RUNS = 0 };
size_t packed_room(size_t bytes);
size_t pack_chunk(const void *chunk, size_t bytes, size_t value_bytes, int level, void *shuffled, void *packed);

/* Deflates bytes that come in runs; 0: into more than a sixteenth. */
size_t pack_runs(const void *bytes, size_t count, void *packed);

/* ---- grids ------------------------------------------------------------------------------------------------------------ */

/* What a trajectory has of the world beside its agents: the numbers of traces, and sums over groups. */

/* Lists what the world has, and is wanted. False: no memory. */
bool grids_list(grid_list *list, dunlin_world *world, bool groups, bool traces);

void grids_free(grid_list *list);

bool grid_is_number(const grid *g);

/* Copies the present values, words[list->words]. Numbers are rounded to so many bits of mantissa; 0: not. */
dunlin_result grids_copy(const grid_list *list, dunlin_world *world, int precision, uint32_t *words, dunlin_error *error);

#endif
