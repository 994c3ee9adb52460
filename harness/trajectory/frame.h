/* SPDX-License-Identifier: MIT */
/* What a trajectory has of each agent, and frames: copies of the agents' columns. */
#ifndef DUNLIN_HARNESS_TRAJECTORY_FRAME_H
#define DUNLIN_HARNESS_TRAJECTORY_FRAME_H

#include "harness/trajectory/trajectory.h"

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

typedef struct selection {
    int dimensions, species_count;
    bool is_wanted[DUNLIN_MAX_SPECIES];
    bool has_velocity, has_species, has_slot;
    bool is_whole; /* all agents with all that the state's hash needs */
    metrics_meter *meter;
    int column_count, first_attribute;
    agent_column columns[MAX_COLUMNS];
} selection;

/* Reads the definition's lists. */
dunlin_result select_columns(selection *s, const trajectory_def *def, const dunlin_world *world, dunlin_error *error);

/* How many rows a frame of the present state has. */
uint32_t selected_rows(const selection *s, const dunlin_world *world);

/* All of it grows as needed, so it is zero at first. */
typedef struct frame {
    uint64_t step, state_hash;
    double time, edges[3];
    char *preamble;
    size_t preamble_length, preamble_room;
    uint64_t *metrics;                      /* [columns of metrics.h][species]: the bits of a double or a whole number */
    uint32_t first[DUNLIN_MAX_SPECIES + 1]; /* row of each species, in storage order */
    uint32_t *words;                        /* [columns][rows] */
    size_t room;                            /* of words */
} frame;

void frame_free(frame *f);

/* Copies the present state, and asks for its metrics. */
dunlin_result frame_copy(frame *f, const selection *s, dunlin_world *world, dunlin_error *error);

/* Fills in the metrics. Without a step since the copy it measures; a meter that is not plain needs it to. */
dunlin_result frame_measure(frame *f, const selection *s, dunlin_world *world, dunlin_error *error);

/* The state's hash, computed from the copy where that is all of the state. */
uint64_t frame_hash(const frame *f, const selection *s);

static inline uint32_t frame_rows(const frame *f, const selection *s) {
    return f->first[s->species_count];
}

static inline const uint32_t *frame_column(const frame *f, const selection *s, int column) {
    return f->words + (size_t)column * frame_rows(f, s);
}

#endif
