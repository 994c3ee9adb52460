/* SPDX-License-Identifier: MIT */
/*
 * One question at a time. All shapes but boxes ask the index for the agents in a ball, which holds what they look for, and test
 * these one by one. Distances are rounded as in kernels.
 */
#ifndef DUNLIN_ENGINE_SEARCH_H
#define DUNLIN_ENGINE_SEARCH_H

#include "engine/world/frame.h"

/* An agent among the nearest, or on a ray. */
typedef struct dun_met {
    float distance; /* squared among the nearest */
    uint32_t id;
    dunlin_slot slot;
} dun_met;

/* The sorted agents of a species. */
typedef struct dun_searched {
    int species;
    const dun_index *index;
    const dun_agents *agents;
    const uint32_t *slot;  /* of each in views; NULL: the same as here */
    float cell_radius;     /* world units: a search for the nearest begins with it */
    const dun_box *around; /* all agents, for rays along axes that do not repeat */
} dun_searched;

/* Where hits go. What has no room is only counted. */
typedef struct dun_hits {
    uint32_t *ids;
    dunlin_slot *slots;
    float *distances;
    uint64_t room, count;
} dun_hits;

/* What one worker needs. */
typedef struct dun_searcher {
    const dunlin_world *world;
    const dun_searched *all;
    int count; /* species */
    dun_range *ranges;
    dun_met *met; /* [met_room] as many as any question wants of the nearest */
    uint32_t met_room;
    float size[3]; /* where offsets fold; INFINITY: they do not */
    float guess;   /* world units: where the last search for the nearest ended; 0: there was none */

    const dun_searched *now; /* the species that is searched */
    dun_interact job;
    dun_query query;
    float radius; /* of the query's reach */
} dun_searcher;

dun_searcher dun_searcher_begin(const dunlin_world *world, const dun_searched *all, int count, dun_range *ranges, dun_met *met,
                                uint32_t met_room);

/* Each adds the hits of one question, which is checked. */
typedef void dun_answer_fn(dun_searcher *s, const void *question, dun_hits *hits);
dun_answer_fn dun_answer_ball, dun_answer_box, dun_answer_cone, dun_answer_nearest, dun_answer_ray;

#endif
