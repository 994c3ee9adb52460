/* SPDX-License-Identifier: MIT */
/*
 * Kinds of behaviours. A kind is one file of this folder, which fills in a dun_behaviour_type, and one line of the table below.
 * docs/extending.md says how to add one.
 */
#ifndef DUNLIN_ENGINE_BEHAVIOUR_TYPE_H
#define DUNLIN_ENGINE_BEHAVIOUR_TYPE_H

#include <stddef.h>

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/world/frame.h"
#include "engine/world/list.h"

/* A float among the fields of a definition: its default and its range. */
typedef struct dun_behaviour_number {
    size_t offset; /* in the definition */
    float value;
    dun_limits range;
} dun_behaviour_number;

#define DUN_NUMBER(field, value, ...)                                                                                          \
    {                                                                                                                          \
        offsetof(dunlin_behaviour_def, field), value, {                                                                        \
            "behaviour." #field, __VA_ARGS__                                                                                   \
        }                                                                                                                      \
    }

#define DUN_REFERENCE(number, list)                                                                                            \
    .field = "behaviour." #number, .offset = offsetof(dunlin_behaviour_def, number), .to = (list)

typedef struct dun_behaviour_type {
    const char *name;  /* in messages */
    float radius;      /* the default of def.radius; 0: there is no limit */
    bool has_target;   /* def.target is read */
    bool pushes;       /* the force does not steer towards a desired velocity: the species' max_force does not limit it */
    bool bears;        /* the callback may bear agents and let them die */
    bool shows_ranges; /* the callback sees the ranges of each packet */

    /* What the kind refers to. If that is a species which a kernel sums over, def.radius is the radius. */
    dun_reference reference;

    /* The kind's own numbers, up to the first without a field. */
    dun_behaviour_number numbers[8];

    /* Sets the defaults of other fields. NULL: they are 0. */
    void (*set_default)(const dunlin_world *world, dunlin_behaviour_def *def);

    /* Checks other fields, except those that every kind has. NULL: there is nothing to check. */
    dunlin_result (*check)(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error);

    /* Checks before a step what may be added later than the behaviour. NULL: there is nothing of that kind. */
    dunlin_result (*check_step)(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error);

    /* Says which agents are observed, and what is summed over them. NULL, or a look without a radius: none. */
    dun_interaction (*look)(const dunlin_world *world, const dunlin_behaviour_def *def);

    /* Fills in the kind's part of the frame's job. false: the behaviour does nothing in this frame. NULL: there is no part. */
    bool (*prepare)(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job);

    /* Finds what each agent of a tile sees, where it is not the sums over neighbours. NULL: it always is. */
    void (*others)(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour, dun_behave_others *others);

    /* Adds the forces for one tile: a kernel, or, if it is not NULL, a function that calls back. A callback has no weight. */
    dun_behave_kind kernel;
    void (*call)(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour);

    /* Or rewrites def.adapt.attribute for one tile, instead of adding forces. It has no weight. */
    void (*rewrite)(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour, dun_behave *job);
} dun_behaviour_type;

/* The sums over the agents of a species within def.radius, or over the nearest of them alone. */
dun_interaction dun_behaviour_observe(const dunlin_world *world, const dunlin_behaviour_def *def, int observed, bool nearest);

/* The table: all kinds. */
#define DUN_BEHAVIOUR_TABLE(KIND)                                                                                              \
    KIND(DUNLIN_BEHAVIOUR_SEEK, dun_seek_behaviour)                                                                            \
    KIND(DUNLIN_BEHAVIOUR_FLEE, dun_flee_behaviour)                                                                            \
    KIND(DUNLIN_BEHAVIOUR_ARRIVE, dun_arrive_behaviour)                                                                        \
    KIND(DUNLIN_BEHAVIOUR_PURSUE, dun_pursue_behaviour)                                                                        \
    KIND(DUNLIN_BEHAVIOUR_EVADE, dun_evade_behaviour)                                                                          \
    KIND(DUNLIN_BEHAVIOUR_WANDER, dun_wander_behaviour)                                                                        \
    KIND(DUNLIN_BEHAVIOUR_CONTAIN, dun_contain_behaviour)                                                                      \
    KIND(DUNLIN_BEHAVIOUR_FOLLOW_PATH, dun_follow_path_behaviour)                                                              \
    KIND(DUNLIN_BEHAVIOUR_AVOID, dun_avoid_behaviour)                                                                          \
    KIND(DUNLIN_BEHAVIOUR_SIDESTEP, dun_sidestep_behaviour)                                                                    \
    KIND(DUNLIN_BEHAVIOUR_FORCE, dun_force_behaviour)                                                                          \
    KIND(DUNLIN_BEHAVIOUR_DRAG, dun_drag_behaviour)                                                                            \
    KIND(DUNLIN_BEHAVIOUR_FLOW, dun_flow_behaviour)                                                                            \
    KIND(DUNLIN_BEHAVIOUR_WIND, dun_wind_behaviour)                                                                            \
    KIND(DUNLIN_BEHAVIOUR_CUSTOM, dun_custom_behaviour)                                                                        \
    KIND(DUNLIN_BEHAVIOUR_PAIRS, dun_pairs_behaviour)                                                                          \
    KIND(DUNLIN_BEHAVIOUR_BODY, dun_body_behaviour)                                                                            \
    KIND(DUNLIN_BEHAVIOUR_ADAPT, dun_adapt_behaviour)                                                                          \
    KIND(DUNLIN_BEHAVIOUR_ATTRACT, dun_attract_behaviour)

#define DUN_DECLARE_BEHAVIOUR(kind, type) extern const dun_behaviour_type type;
DUN_BEHAVIOUR_TABLE(DUN_DECLARE_BEHAVIOUR)

#endif
