/* SPDX-License-Identifier: MIT */
/* The preamble of state files: what the next step reads beside the agents and the world's definitions. */
#ifndef DUNLIN_ENGINE_STATE_PREAMBLE_H
#define DUNLIN_ENGINE_STATE_PREAMBLE_H

#include "engine/state/text.h"

/* Where a moving target was, and when. */
typedef struct dun_state_target {
    bool given;
    float position[3];
    double since;
} dun_state_target;

typedef struct dun_preamble {
    bool there;
    uint64_t seed, step, next_id, spent_ids, agents; /* 0: not given */
    double time;                                     /* below 0: not given, so it is steps times the time step */
    dun_state_target *targets;                       /* [the world's behaviours]; free() it */
} dun_preamble;

void dun_preamble_write(const dunlin_world *world, FILE *file);

/*
 * Reads the preamble, if there is one. Afterwards the present line is the table's header. `world`: the world that the state
 * must fit; NULL: any.
 */
dunlin_result dun_preamble_read(dun_preamble *preamble, const dunlin_world *world, dun_lines *lines);

/* Sets the world's step, time and moving targets. */
void dun_preamble_apply(const dun_preamble *preamble, dunlin_world *world);

#endif
