/* SPDX-License-Identifier: MIT */
/* What a world is made of. Private to engine/. */
#ifndef DUNLIN_ENGINE_WORLD_H
#define DUNLIN_ENGINE_WORLD_H

#include <assert.h>

#include <dunlin/dunlin.h>

#include "kernels/contract/kernel.h"
#include "spatial/index.h"

#define DUN_TILE            512u                /* agents; in 3D all sums and forces of a tile are 30 KiB */
#define DUN_MAX_STEPS       (UINT64_C(1) << 53) /* a binary64 counts so far, and time is steps times the time step */
#define DUN_MAX_VELOCITY    2e9f                /* a component: an agent limited to a max_speed of 1e9 may be an ulp above it */
#define DUN_TARGET_FARTHEST 1e18f               /* world units, a coordinate: no target moves further */
#define DUN_MAX_VALUE       1e30f               /* of a DUNLIN_ROLE_VALUE, either way */

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
    dun_index *index;
    bool indexed; /* looks at someone or is looked at, so is sorted each frame; dun_world_prepare() finds it out, … */
    int attribute_count;
    dun_attribute attribute[DUNLIN_MAX_ATTRIBUTES];
    bool calls_back; /* … whether it has callbacks, which may rewrite attributes, and of which agents may be born and die, … */
    bool rewrites;      /* … whether attributes change in a frame, by callbacks or by meals, … */
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
    dunlin_stats stats;
};

/* ---- memory.c: arrays ------------------------------------------------------------------------------------------------- */

/* DUN_CACHE_LINE-aligned, zeroed, with DUN_PADDING words to spare; free() it. NULL: no memory. */
void *dun_array(size_t words);
size_t dun_array_bytes(size_t words);

/* A species' columns, each DUN_CACHE_LINE-aligned, with DUN_PADDING words to spare. */
size_t dun_column_bytes(uint32_t room);
void dun_column_free(void *column);

/* An attribute's column, zeroed. NULL: no memory. */
float *dun_attribute_allocate(int attribute, int buffer, uint32_t room);

void dun_agents_free(dun_agents *agents);

/* All that an agent is, column by column, positions first. Returns how many columns there are. */
int dun_agents_columns(const dun_agents *agents, int dimensions, int attributes, dun_word *columns[DUN_MAX_COLUMNS]);

/* Whether all arrays of a species of so many agents fit addresses up to `last`. */
bool dun_room_fits(uint64_t room, uint64_t last);

/* Room for `room` agents in both buffers, which keep what they hold; the species is unchanged on failure. */
bool dun_species_grow(const dunlin_world *world, dun_species *species, uint32_t room);

/* ---- agents.c --------------------------------------------------------------------------------------------------------- */

/* Where agents may be: low and high of an axis. */
void dun_world_limits(const dunlin_world_def *def, int axis, float *low, float *high);

/* Whether every agent is inside the world that `def` describes. */
dunlin_result dun_agents_check_inside(const dunlin_world *world, const dunlin_world_def *def, dunlin_error *error);

dunlin_result dun_species_check(const dunlin_world *world, int species, dunlin_error *error);

/* Whether the species may have so many more agents at all. */
dunlin_result dun_species_check_room(const dunlin_world *world, int species, uint32_t count, dunlin_error *error);

/* Room for so many agents, or more where not `exactly`. */
dunlin_result dun_species_make_room(dunlin_world *world, int species, uint64_t count, bool exactly, dunlin_error *error);

/* A batch's positions and velocities. */
dunlin_result dun_batch_check(const dunlin_world *world, const dunlin_batch *batch, dunlin_error *error);

/* Whether there are so many ids left. */
dunlin_result dun_ids_check(const dunlin_world *world, uint64_t count, dunlin_error *error);

/* Why no agent can have that id; NULL: it can. */
const char *dun_id_taken(dunlin_world *world, uint32_t id);

/* No id below that is given again. */
void dun_ids_spend(dunlin_world *world, uint32_t next_id);

/* The table of ids: how many places it has for so many agents, and which of them an id is looked for first. */
uint64_t dun_ids_room(uint64_t agents);
uint64_t dun_ids_place(uint32_t id, uint64_t room);

/* Builds the table of ids, if there is none; false: no memory. */
bool dun_ids_prepare(dunlin_world *world);

/* Appends a batch that has been checked, to a species that has room. */
void dun_species_append(dunlin_world *world, int species, const dunlin_batch *batch);

/* All that spawning a batch can fail for, the memory included; nothing is changed but the room. */
dunlin_result dun_spawn_check(dunlin_world *world, int species, const dunlin_batch *batch, dunlin_error *error);

/* ---- attribute.c ------------------------------------------------------------------------------------------------------ */

/* Whether the attribute may have that value. */
dunlin_result dun_attribute_check(const dunlin_world *world, int species, int attribute, float value, dunlin_error *error);

dunlin_result dun_attributes_check(const dunlin_world *world, int species, const dunlin_batch *batch, dunlin_error *error);

/* The attributes of agents that are in their slots already, with their ids, from `first` on: the batch's, or drawn. */
void dun_attributes_append(dunlin_world *world, int species, const dunlin_batch *batch, uint32_t first);

/* Whether that attribute is written anew in every step. */
static inline bool dun_attribute_rewritten(const dun_species *species, int attribute) {
    return species->rewrites && species->attribute[attribute].def.role == DUNLIN_ROLE_VALUE;
}

/* The column of that role, or NULL: then everyone has what the species says. Not for BEHAVIOUR_WEIGHT. */
const float *dun_attribute_column(const dun_species *species, const dun_agents *agents, dunlin_attribute_role role);

/* `all`, or, where the species has an attribute of that role, each agent's own instead; of weights, each one's times `all`. */
dun_varied dun_attribute_varied(const dun_species *species, const dun_agents *agents, dunlin_attribute_role role, float all);

/* The column by which that behaviour's weight is multiplied, or NULL. */
const float *dun_behaviour_weights(const dun_species *species, const dun_agents *agents, int behaviour);

/* ---- interaction.c ---------------------------------------------------------------------------------------------------- */

/* What a definition that has been checked comes to. */
dun_interaction dun_interaction_of(const dunlin_world *world, const dunlin_interaction_def *def);

/* Of a radius; a rule that is off sees nobody: no squared distance is below 0. */
static inline float dun_squared_radius(float radius) {
    return radius > 0.0f ? radius * radius : -1.0f;
}

static inline uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static inline float lower(float a, float b) {
    return a < b ? a : b;
}

static inline float higher(float a, float b) {
    return a > b ? a : b;
}

#endif
