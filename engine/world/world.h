/* SPDX-License-Identifier: MIT */
/*
 * What a world is made of: data only, private to engine/. Each file that works on it has a header of its own beside it.
 *
 * The rooms of the engine, each using those before it: base, world, scenery, behaviours, frame, state. Above them dunlin.c
 * makes and destroys worlds. tests/program/check_rooms.sh holds the table of arrows and tests it.
 */
#ifndef DUNLIN_ENGINE_WORLD_H
#define DUNLIN_ENGINE_WORLD_H

#include <assert.h>

#include <dunlin/dunlin.h>

#include "engine/base/minmax.h"
#include "kernels/contract/kernel.h"
#include "spatial/index.h"

#define DUN_TILE         512u                /* agents; in 3D all sums and forces of a tile are 30 KiB */
#define DUN_MAX_STEPS    (UINT64_C(1) << 53) /* a binary64 counts so far, and time is steps times the time step */
#define DUN_MAX_TIME     1e22                /* time units: 2^53 steps of 1e6 take less */
#define DUN_MAX_VELOCITY 2e9f                /* a component: an agent limited to a max_speed of 1e9 may be an ulp above it */
#define DUN_MAX_TARGET   1e18f               /* world units, a coordinate: no target moves further */
#define DUN_MAX_VALUE    1e30f               /* of a DUNLIN_ROLE_VALUE, either way */

static_assert(DUNLIN_MAX_AGENTS == UINT32_MAX - DUN_TILE, "slots have 32 bits, and loops end a tile further");

/* One copy of a species' agents: [axis][slot], padded, aligned. What the species does not have is NULL. */
typedef struct dun_agents {
    float *position[3];
    float *velocity[3];
    uint32_t *id;
    float *attribute[DUNLIN_MAX_ATTRIBUTES];
} dun_agents;

typedef struct dun_attribute {
    char name[DUNLIN_NAME_LENGTH];
    dunlin_attribute_def def; /* def.name points at name */
} dun_attribute;

typedef struct dun_species {
    char name[DUNLIN_NAME_LENGTH];
    dunlin_species_def def; /* def.name points at name */
    uint32_t count, room;   /* agents there are, and fit */
    dun_agents buffer[2];
    int current; /* buffer[current] is the state; during a frame one buffer is the snapshot, the other is written */
    uint32_t own_begin, own_end; /* the species' own agents, by slots of the next snapshot; 0, UINT32_MAX: all */
    uint64_t whole_count;        /* agents of the whole flock that this is a part of: cells are made for so many; 0: count */
    dun_index *index;
    bool indexed; /* looks at someone or is looked at, so is sorted each frame; dun_world_prepare() finds it out, … */
    int attribute_count;
    dun_attribute attribute[DUNLIN_MAX_ATTRIBUTES];
    bool calls_back;    /* … whether it has tile callbacks, by which agents may be born and die, … */
    bool rewrites_all;  /* … whether callbacks may rewrite its attributes, … */
    bool rewrites;      /* … whether callbacks or meals change its attributes of role VALUE, … */
    bool mortal;        /* … and whether its agents may die in one */
    uint8_t *dies;      /* [dies_room] by slot, for callbacks, meals and despawning; cleared before it is used */
    uint32_t dies_room; /* in a frame of a species that is mortal no less than `room` */
} dun_species;

/* That one species observes another, or itself. */
typedef struct dun_look {
    int observer, observed; /* species */
    float radius;           /* world units, > 0: the maximum */
    bool searches;          /* only the nearest agent counts: a search begins with a smaller radius */
} dun_look;

typedef struct dun_interaction {
    dunlin_interaction_def def;
    dun_look look;
    dun_shape shape;
    dun_interact_fn *interact;
    bool scales;  /* an observer's radii, by its DUNLIN_ROLE_RADIUS_SCALE */
    bool selects; /* not everyone within a radius counts: */
    dun_selection selection;
} dun_interaction;

typedef struct dun_field {
    dunlin_field_def def;       /* cells[2] is 1 in 2D */
    float *vectors[3];          /* [dimensions][cells] */
    bool varies;                /* filled anew from `source` in every step */
    dunlin_field_source source; /* the last; its arrays are the caller's, and gone */
} dun_field;

typedef struct dun_behaviour {
    dunlin_behaviour_def def;
    const struct dun_behaviour_type *type; /* its kind's */
    bool calls_back;                       /* a callback adds the forces, and has no weight */
    double since;                          /* the time at which a target that moves was where the definition says */
    dun_look look;                         /* at the agents it observes; radius 0: none */
    dun_interaction sums;                  /* over those agents; without an interact function: none */
} dun_behaviour;

typedef struct dun_path {
    dun_polyline line;
    uint32_t count;   /* points */
    uint32_t *agents; /* [count] ids that the points are; NULL: they are points */
    uint32_t *same;   /* [count] the next point, from 1, of the same id; 0: none */
    uint32_t *table;  /* [table_room] id -> a point, from 1; 0: empty. table_room is a power of two */
    uint32_t table_room;
    bool whole;  /* all of its agents exist in this frame */
    void *block; /* all of the arrays above */
    size_t words;
} dun_path;

typedef struct dun_obstacles {
    uint32_t count, room;
    dunlin_obstacle *given; /* [room] in the order in which they were added */
    dun_obstacle_bins bins; /* of all that there were at the last frame */
    void *block;            /* all of the bins' arrays */
    size_t words;
} dun_obstacles;

/* id -> slot: open addressing, at most half full. Built when first asked for. */
typedef struct dun_id_table {
    dunlin_slot *slots; /* [room], room a power of two; species -1: empty */
    uint64_t room;
    bool valid;
} dun_id_table;

/* The memory of frames, kept from one to the next. frame.h says what lies in it. */
typedef struct dun_frame_memory {
    struct dun_scratch *scratch; /* [executor.workers] */
    struct dun_act *acts;        /* [act_room] */
    uint32_t *tile_work;         /* [tile_room] */
    struct dun_tally *tallies;   /* [tally_room] */
    struct dun_share *shares;    /* [share_room] */
    uint32_t *eaters;            /* [eater_room] */
    uint32_t act_room, tile_room, tally_room, share_room, eater_room;
} dun_frame_memory;

struct dunlin_world {
    dunlin_world_def def;
    const dun_kernel *kernel;
    const dun_index_type *index_type;
    dun_executor executor;

    int species_count;
    dun_species *species[DUNLIN_MAX_SPECIES];
    int interaction_count;
    dun_interaction *interactions; /* in the order they were added */
    int field_count;
    dun_field *fields; /* likewise */
    int behaviour_count;
    dun_behaviour *behaviours; /* likewise */
    int meal_count;
    dunlin_meal_def *meals; /* likewise */
    int path_count;
    dun_path *paths;
    dun_obstacles obstacles;

    int look_count;
    dun_look *looks; /* all of them; dun_world_prepare() lists them */
    dun_frame_memory memory;
    bool prepared; /* nothing that needs memory has changed since the last frame */
    bool uneven;   /* the time step has changed: stats.time is a sum, not steps·time_step */

    uint32_t next_id;
    uint32_t spent_ids; /* next_id when an agent last died: ids below it are never given again */
    dun_id_table ids;
    uint64_t generation; /* changes when views of agents move or show other agents */
    dunlin_stats stats;
};

#endif
