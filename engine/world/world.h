/* SPDX-License-Identifier: MIT */
/*
 * What a world is made of: data only, private to engine/. Each file that works on it has a header of its own beside it.
 *
 * The modules of the engine, each using those before it: base, world, scenery, behaviours, frame, state. Above them dunlin.c
 * makes and destroys worlds. tests/program/check_modules.sh holds the table of arrows and tests it.
 */
#ifndef DUNLIN_ENGINE_WORLD_H
#define DUNLIN_ENGINE_WORLD_H

#include <assert.h>
#include <stdatomic.h>

#include <dunlin/cluster.h>
#include <dunlin/dunlin.h>

#include "kernels/contract/kernel.h"
#include "spatial/heap.h"
#include "spatial/index.h"
#include "spatial/parts.h"

#define DUN_TILE         512u                /* agents; in 3D all sums and forces of a tile are 30 KiB */
#define DUN_MAX_STEPS    (UINT64_C(1) << 53) /* a binary64 counts so far, and time is steps times the time step */
#define DUN_MAX_TIME     1e22                /* time units: 2^53 steps of 1e6 take less */
#define DUN_MAX_VELOCITY 2e9f                /* per component: an agent limited to a max_speed of 1e9 may be an ulp above */
#define DUN_MAX_TARGET   1e18f               /* world units, per coordinate: no target moves further */
#define DUN_MAX_VALUE    1e30f               /* of a DUNLIN_ROLE_VALUE, either way */

static_assert(DUNLIN_MAX_AGENTS == UINT32_MAX - DUN_TILE, "slots have 32 bits, and loops end a tile later");
static_assert(DUN_CELL_PADDING == DUN_PADDING, "kernels write cells");

/* One copy of a species' agents: [axis][slot], padded, aligned. Columns that the species does not have are NULL. */
typedef struct dun_agents {
    float *position[3];
    float *velocity[3];
    uint32_t *id;
    float *attribute[DUNLIN_MAX_ATTRIBUTES];
    uint32_t shift; /* slots between the beginning of each column's memory and the first agent: see dun_species_keep() */
} dun_agents;

typedef struct dun_attribute {
    char name[DUNLIN_NAME_LENGTH];
    dunlin_attribute_def def; /* def.name points at name */
} dun_attribute;

/* Agents of one key, from a slot on. */
typedef struct dun_segment {
    uint32_t begin, key;
} dun_segment;

/*
 * Where a part of a flock stands in the whole flock's storage order. Its agents are segments, each with a key. The order is by
 * keys, and those with the same key are in the order of ranks. A batch, and the newborn of parents in one piece (see
 * engine/cluster/cluster.h), make a segment; each step merges them all.
 */
typedef struct dun_segments {
    uint32_t count;
    size_t room;
    dun_segment *list; /* [count] by ascending keys and slots: segments 1, 2, ...; segment 0 has key 0 and begins at slot 0 */
    uint32_t last_key; /* of all ranks */
} dun_segments;

typedef struct dun_species {
    char name[DUNLIN_NAME_LENGTH];
    dunlin_species_def def; /* def.name points at name */
    uint32_t count, room;   /* agents: how many there are, and how many fit */
    dun_agents buffer[2];
    int current; /* buffer[current] is the state; during a frame one buffer is the snapshot, the other is written */
    uint32_t own_begin, own_end; /* the species' own agents, by slots of the next snapshot; 0, UINT32_MAX: all. The others are
                                    only seen: they do not move, and are gone after the frame */
    uint64_t whole_count;        /* agents of the whole flock that this is a part of: cells are made for so many; 0: count */
    dun_segments segments;       /* of a part; none in a world alone */
    dun_stretch *order;          /* [parts] the order of slots in the whole flock, until the snapshot; no parts: as they are */
    uint32_t parts;
    size_t order_room;
    dun_index *index;
    uint32_t *next_cell;    /* [count] the tiles of this frame put the cells of new positions there; NULL: not needed */
    dun_cells cells;        /* those cells */
    uint64_t numbered;      /* the world's generation whose positions have the cells in `next_cell`; 0: none, … */
    uint32_t numbered_from; /* … from this element on */
    uint64_t sorted;        /* dunlin_world.changes when the other buffer was last known to have what the next snapshot has: see
                               dun_species_sort(); 0: it has not */
    bool sorted_slots;      /* and slots[1] what slots of the state these agents have */
    bool has_around;        /* and `around` is the box around them */
    dun_box around;
    uint32_t *slots[2]; /* [slot_room] 0, 1, 2, …; sorted */
    size_t slot_room[2];
    int attribute_count;
    dun_attribute attribute[DUNLIN_MAX_ATTRIBUTES];
    struct dun_group_table *groups; /* one block; NULL: nothing sums over its groups; see engine/groups/groups.h */
    uint8_t *dies;                  /* [dies_room] by slot, for callbacks, meals and despawning; cleared before each use */
    size_t dies_room;               /* at least `room` in a frame of a mortal species */

    /* dun_world_prepare() sets these */
    bool indexed;       /* it observes or is observed, so each frame sorts it */
    bool calls_back;    /* its tile callbacks may bear agents and let them die */
    uint32_t rewritten; /* a bit for each attribute that steps write again: callbacks, meals, adaptation */
    bool mortal;        /* its agents may die in a frame */
} dun_species;

/* One species observes another, or itself. */
typedef struct dun_look {
    int observer, observed; /* species */
    float radius;           /* world units, > 0: the maximum */
    bool searches;          /* only the nearest agent counts: a search begins with a smaller radius */
} dun_look;

/* What an interaction adds up. */
typedef enum dun_sums_over {
    DUN_SUMS_NONE,
    DUN_SUMS_NEIGHBOURS,
    DUN_SUMS_SELECTED, /* not every neighbour counts; the selection says which */
    DUN_SUMS_NEAREST
} dun_sums_over;

typedef struct dun_interaction {
    dunlin_interaction_def def;
    dun_look look;
    dun_shape shape;
    dun_sums_over sums_over;
    bool kin;    /* some rule distinguishes an agent's own group from others */
    bool scales; /* attributes scale an observer's radii */
    dun_selection selection;
    dun_selection in_sight; /* where obstacles hide agents: the same neighbours, never plain */
} dun_interaction;

typedef struct dun_field {
    dunlin_field_def def;       /* cells[2] is 1 in 2D */
    float *vectors[3];          /* [dimensions][cells] */
    bool varies;                /* every step fills it again from `source` */
    dunlin_field_source source; /* the last one; its arrays belong to the caller and may be gone */
    float *values, *spare;      /* [cells] of a trace: its numbers, and room for the next; NULL: it is none */
    uint64_t *deposits;         /* [cells] of a trace: what a step adds, in integers; 0 between steps */
} dun_field;

typedef struct dun_behaviour {
    dunlin_behaviour_def def;
    const struct dun_behaviour_type *type;         /* of its kind */
    const struct dun_reference *const *references; /* [DUNLIN_BEHAVIOUR_COUNT] of every kind: its kind may change */
    bool weightless;                               /* a callback adds the forces, or there are none */
    double since;                                  /* time at which a moving target is at the position in the definition */
    dun_look look;                                 /* at the agents it observes; radius 0: none */
    dun_interaction sums;                          /* over those agents, or none */
} dun_behaviour;

typedef struct dun_path {
    dun_polyline line;
    uint32_t count;   /* points */
    uint32_t *agents; /* [count] the ids of the agents that are the points; NULL: plain points */
    uint32_t *same;   /* [count] the next point of the same id, from 1; 0: none */
    uint32_t *table;  /* [table_room] id -> its first point, from 1; 0: empty. table_room is a power of two */
    uint32_t table_room;
    void *block; /* all of the arrays above */
} dun_path;

typedef struct dun_obstacles {
    uint32_t count;
    size_t room;
    dunlin_obstacle_def *given; /* [room] in the order in which they were added */
    dun_obstacle_bins bins;     /* of all obstacles, as of the last frame */
    void *block;                /* all of the bins' arrays */
} dun_obstacles;

/* id -> slot: open addressing, at most half full, built at the first use. */
typedef struct dun_id_table {
    dunlin_slot *slots; /* [room], a power of two; species -1: empty */
    size_t room;
    bool valid;
} dun_id_table;

/* The arrays of frames, kept from one to the next: see frame.h. */
typedef struct dun_frame_memory {
    struct dun_scratch *scratch; /* [executor.workers] */

    /* written before the tiles, read by behave */
    bool *path_is_whole;  /* [path_count] all agents that are its points exist */
    struct dun_act *acts; /* [behaviour_count] */

    /* written by share, read by what runs tiles */
    uint32_t *tile_work;      /* [tiles] estimated candidates */
    struct dun_share *shares; /* [dun_frame.share_count] */

    struct dun_tally *tallies; /* [tiles] written by behave, for species that call back, and by starve; read by life */
    uint32_t *eaters; /* of one meal: by the food's slot, the eater's; UINT32_MAX: none; written by meals, read by life */
    size_t path_room, act_room, tile_room, share_room, tally_room, eater_room;
} dun_frame_memory;

enum { DUN_MAX_CONTENDERS = 8 /* kernels */ };

/* What a world knows of the kernels and numbers of threads that it may choose: see engine/frame/choose.c. */
typedef struct dun_choice {
    int contender_count; /* 1: there is nothing to choose */
    const dun_kernel *contender[DUN_MAX_CONTENDERS];
    bool any_threads;  /* the world may use fewer threads than it has workers */
    uint32_t threads;  /* how many workers the next frame uses */
    uint64_t shuffled; /* for tests: above 0, each tile has any of the contenders, by this seed */
    enum { DUN_TRIAL_OF_KERNELS, DUN_TRIAL_OF_THREADS, DUN_TRIAL_OVER } phase;
    uint32_t frame;                                      /* of the phase, or of one number of threads */
    uint64_t ns[DUN_MAX_CONTENDERS][DUN_MAX_CONTENDERS]; /* [contender][class of tiles] the minimum; UINT64_MAX: none yet */
    double sum_ms, max_ms;                               /* of frames with the present number of threads */
    double best_ms;                                      /* a frame's mean */
    uint32_t best_threads;
    uint64_t work; /* agents and pairs of a frame, after the last trial */
} dun_choice;

/* What other parts of a world refer to by number. */
typedef enum dun_list {
    DUN_LIST_SPECIES,
    DUN_LIST_INTERACTIONS,
    DUN_LIST_BEHAVIOURS,
    DUN_LIST_PATHS,
    DUN_LIST_FIELDS,
    DUN_LIST_MEALS,
    DUN_LIST_TRACES,
    DUN_LIST_ATTRIBUTES,
    DUN_LISTS
} dun_list;

/* Whether a callback has failed, and, at last, has said why. */
typedef enum dun_failure { DUN_CALLBACKS_WORK, DUN_CALLBACK_FAILS, DUN_CALLBACK_FAILED } dun_failure;

/* Which function uses the world: see use.h. */
typedef struct dun_use {
    const char *_Atomic changing; /* the one that changes it; NULL: none */
    const char *_Atomic misuse;   /* one that cannot fail, and was called meanwhile; NULL: none */
    _Atomic uint32_t readers;     /* how many read it that may call functions of the caller's */
    const char *left;             /* the one that an exception has left; NULL: none */
    _Atomic int failure;          /* a dun_failure */
    char why[sizeof((dunlin_error *)NULL)->message];
} dun_use;

/* Nanoseconds of all tiles, estimated from those that are timed. */
typedef struct dun_stage_times {
    double interact, steer, integrate, measure;
} dun_stage_times;

struct dunlin_world {
    dun_heap *heap; /* all memory of the world comes from it */
    dun_use use;
    uint64_t changes; /* calls of functions that may change the world */
    dunlin_world_def def;
    dunlin_allocator allocator; /* the caller's, if it has one; def.allocator points at it */
    const dun_kernel *kernel;   /* the chosen one: for all but tiles of a trial */
    dun_choice choice;
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
    int trace_count;
    dunlin_trace_def *traces; /* likewise; their numbers lie in their fields */
    int path_count;
    dun_path *paths;
    size_t list_room[DUN_LISTS]; /* how many fit; 0: the list is not one that dun_list_add() makes grow */
    dun_obstacles obstacles;

    int look_count;
    size_t look_room;
    dun_look *looks; /* all of them; dun_world_prepare() lists them */
    dun_frame_memory memory;
    bool prepared; /* nothing that needs memory has changed since the last frame */
    bool counted;  /* in a part: all species' whole counts are known, on all ranks or on none */
    bool uneven;   /* the time step has changed: stats.time is a sum, not steps·time_step */

    uint32_t next_id;
    uint32_t spent_ids; /* next_id when an agent last died: ids below it are never given again */
    dun_id_table ids;
    struct dun_regrouping *regrouping; /* NULL: no species has been regrouped */
    uint64_t groups_known;             /* 1 + the generation whose group sums are known; 0: none are */
    uint64_t generation;               /* changes when views of agents move or show other agents */
    dunlin_stats stats;
    dun_stage_times stage_times;
    struct dun_measuring *measuring;  /* NULL: no step was asked to measure */
    struct dun_query_memory *queries; /* NULL: nothing was asked */

    struct dun_cluster *cluster;       /* NULL: the world was made alone */
    const dunlin_transport *transport; /* the cluster's; NULL: the world holds the whole flock */
};

/* A definition has changed, so the next step prepares again. In a part one rank may have no memory for that, so all agree
 * before any other call. */
static inline void dun_unprepare(dunlin_world *world) {
    world->prepared = world->counted = false;
}

#endif
