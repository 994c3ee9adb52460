/* SPDX-License-Identifier: MIT */
/* What a world is made of. Private to engine/. */
#ifndef DUNLIN_ENGINE_WORLD_H
#define DUNLIN_ENGINE_WORLD_H

#include <assert.h>

#include <dunlin/dunlin.h>

#include "kernels/contract/kernel.h"
#include "spatial/index.h"

#define DUN_TILE            512u /* agents; in 3D all sums and forces of a tile are 30 KiB */
#define DUN_SCRATCH_COLUMNS 22   /* three sums of three axes, three counts, a force of three axes, seven of a few agents */
#define DUN_SCRATCH_WORDS   (DUN_SCRATCH_COLUMNS * (DUN_TILE + DUN_PADDING))
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
    uint32_t eaten;     /* in this frame */
} dun_species;

typedef struct dun_interaction {
    dunlin_interaction_def def;
    dun_shape shape;
    dun_interact_fn *interact;
    float widest_radius; /* world units */
    float first_radius;  /* who looks for the nearest only looks this far first, and further where it found nobody */
    bool scales;         /* an observer's radii, by its DUNLIN_ROLE_RADIUS_SCALE */
    bool selects;        /* not everyone within a radius counts: */
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
    double since;                          /* the time at which a target that moves was where the definition says */
    dun_interaction look; /* at others: who they are, how far, and but for PAIRS what is summed; no widest_radius: at nobody */

    /* of this frame */
    bool acts;            /* its target exists */
    dun_behave_kind kind; /* not for DUNLIN_BEHAVIOUR_CUSTOM, which calls back */
    dun_behave job;       /* all but the arrays, which are each tile's */
} dun_behaviour;

typedef struct dun_meal {
    dunlin_meal_def def;
    dun_interaction look; /* the food's, for its eater */
} dun_meal;

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

typedef struct dun_birth {
    uint32_t parent; /* in its tile */
    int species;     /* the child's */
    float position[3], velocity[3], attribute[DUNLIN_MAX_ATTRIBUTES];
    bool drawn; /* attributes are not given */
} dun_birth;

/* A worker's, of all tiles that it has had in this frame. */
typedef struct dun_births {
    uint32_t count, room;
    dun_birth *list; /* [room] in the order of the calls */
    uint32_t *order; /* [room] of each tile: by parent, then by call */
    bool lost;       /* there was no memory for one */
} dun_births;

/* What a tile's callbacks are handed, for the born. */
struct dunlin_nest {
    const dunlin_world *world;
    dun_births *births;
};

/* What a tile's callbacks asked for. Who dies is flagged in the species. */
typedef struct dun_tally {
    uint32_t deaths, births;
    const dun_births *list; /* the births are those from order[first] on */
    uint32_t first;
} dun_tally;

/* A worker's own memory: one tile's sums and forces, a group's runs, the few whom a stretch of many may see, and who is born.
 */
typedef struct dun_scratch {
    float *block; /* all of the arrays below */
    dun_sums sums;
    float *force[3];
    dun_agents few;
    dun_run *runs;
    dunlin_run_view *views; /* the runs that a callback is shown */
    uint32_t run_room, view_room;
    dun_births births;
    uint64_t groups, pairs_tested, pairs_useful;
    uint64_t clock; /* when the present stage began */
    uint64_t ns_interact, ns_steer, ns_integrate;
    char padding[DUN_CACHE_LINE]; /* workers count without sharing a cache line */
} dun_scratch;

/* Consecutive tiles, of about as much estimated work as every other share. */
typedef struct dun_share {
    int species;
    uint32_t begin, end; /* agents */
} dun_share;

/* id -> slot: open addressing, at most half full. Built when first asked for. */
typedef struct dun_id_table {
    dunlin_slot *slots; /* [room], room a power of two; species -1: empty */
    uint64_t room;
    bool valid;
} dun_id_table;

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
    dun_meal *meals;  /* likewise */
    uint32_t *eaters; /* [eater_room] of one meal: by the food's slot, the eater's; UINT32_MAX: none */
    uint32_t eater_room;
    int path_count;
    dun_path *paths;
    dun_obstacles obstacles;

    dun_scratch *scratch; /* [executor.workers] */
    uint32_t *tile_work;  /* [tile_room] a frame's estimate */
    uint32_t tile_room;
    dun_tally *tallies; /* [tally_room] a frame's, of the tiles of species that call back */
    uint32_t tally_room;
    dun_share *shares;
    uint32_t share_room;
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

/* Whether it is a callback of the caller's, which has no weight. */
static inline bool dun_behaviour_calls_back(const dunlin_behaviour_def *def) {
    return def->kind == DUNLIN_BEHAVIOUR_CUSTOM || def->kind == DUNLIN_BEHAVIOUR_PAIRS;
}

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

/* ---- life.c ----------------------------------------------------------------------------------------------------------- */

/* Room for `agents` flags, at most the species' room; false: no memory. */
bool dun_life_reserve(dun_species *species, uint32_t agents);

/* Likewise for births, of which a list has room for some from the first frame on. */
bool dun_births_reserve(dun_births *births, uint32_t room);

/* Before the tile's behaviours, of a species that calls back: nobody dies. */
void dun_life_open(const dunlin_world *world, int species, uint32_t begin, uint32_t end);

/* After them; `births` had `first` births before. */
void dun_life_close(const dunlin_world *world, int species, uint32_t begin, uint32_t end, dun_births *births, uint32_t first,
                    dun_tally *tally);

/* After all tiles. Makes room for the born. first_tile: [species + 1]. On failure the agents are as they were. */
dunlin_result dun_life_prepare(dunlin_world *world, const uint32_t first_tile[], dunlin_error *error);

typedef struct dun_turnover {
    uint64_t births, deaths;
} dun_turnover;

/* Who dies is gone, and who is born is there: in the order of the parents' species, their slots, and the calls. */
dun_turnover dun_life_take(dunlin_world *world, const uint32_t first_tile[]);

/* ---- meal.c ----------------------------------------------------------------------------------------------------------- */

/* false: no memory. */
bool dun_meals_reserve(dunlin_world *world);

/* After all tiles: flags who is eaten, and adds to the eaters' attributes in the new state. Both arrays: one a species. */
void dun_meals_take(const dunlin_world *world, const dun_agents *const snapshot[], dun_agents *const next[]);

/* ---- interaction.c ---------------------------------------------------------------------------------------------------- */

/* What a definition that has been checked comes to. */
dun_interaction dun_interaction_of(const dunlin_world *world, const dunlin_interaction_def *def);

/* ---- prepare.c -------------------------------------------------------------------------------------------------------- */

/* Whoever looks at anyone, and how far: the interactions, the behaviours, of which one that looks at nobody is NULL, the meals.
 */
int dun_look_count(const dunlin_world *world);
const dun_interaction *dun_look_at(const dunlin_world *world, int position);

/* Allocates all that frames and measurements need; at once if nothing has changed since the last time. */
dunlin_result dun_world_prepare(dunlin_world *world, dunlin_error *error);

/* About one agent a cell of this size, were they spread evenly. World units. */
float dun_world_spacing(const dunlin_world *world, uint64_t agents);

/* The space that a species' index has to cover for so many agents. Of an indexed species more agents never make fewer cells. */
dun_space dun_species_space(const dunlin_world *world, int species, uint32_t agents);

/* The widest radius with which the species observes itself; 0: it doesn't. */
float dun_species_own_radius(const dunlin_world *world, int species);

/* ---- snapshot --------------------------------------------------------------------------------------------------------- */

/* Where the agent of that id lies in the snapshot; species -1: nowhere. A search. */
dunlin_slot dun_snapshot_find(const dunlin_world *world, const dun_agents *const snapshot[], uint32_t id);

/* ---- pairs.c ---------------------------------------------------------------------------------------------------------- */

/* Calls back for every group of the agents [begin, end). */
void dun_pairs_act(const dunlin_world *world, const dun_agents *const snapshot[], const dunlin_behaviour_def *def,
                   uint32_t begin, uint32_t end, dun_scratch *scratch);

/* ---- slide.c ---------------------------------------------------------------------------------------------------------- */

/* A step that was taken as if there were no obstacles. */
typedef struct dun_slide {
    const dun_obstacle_bins *bins;
    float radius;                           /* the agents' */
    const float *from[3];                   /* positions before it */
    float *to_position[3], *to_velocity[3]; /* after it: to be changed */
} dun_slide;

/* Agent i goes only as far as obstacles let it. */
void dun_slide_agent(const dun_slide *slide, uint32_t i);

/* ---- interact.c ------------------------------------------------------------------------------------------------------- */

/* The kernel's view of an interaction between two snapshots. */
dun_interact dun_interact_between(const dunlin_world *world, const dun_agents *observer, const dun_agents *observed);

/* Fills the scratch's sums for the agents [begin, end) of the observers. `snapshot`: one a species. */
void dun_interact_tile(const dunlin_world *world, const dun_agents *const snapshot[], const dun_interaction *interaction,
                       uint32_t begin, uint32_t end, dun_scratch *scratch);

/* How many candidates one agent has. */
uint64_t dun_interact_candidates(const dunlin_world *world, const dun_agents *const snapshot[],
                                 const dun_interaction *interaction, uint32_t agent, dun_scratch *scratch);

/* ---- frame.c ---------------------------------------------------------------------------------------------------------- */

/*
 * Makes the snapshot: sorts the current state into the other buffer, or, where the index leaves agents where they are, takes
 * the current one as it is. Returns the snapshot's buffer.
 */
int dun_species_snapshot(const dunlin_world *world, int species, const dun_space *space);

/* Of a radius; a rule that is off sees nobody: no squared distance is below 0. */
static inline float dun_squared_radius(float radius) {
    return radius > 0.0f ? radius * radius : -1.0f;
}

uint64_t dun_now_ns(void);

/* A stage ends, and the next begins. `stage`: the scratch's nanoseconds for it. */
void dun_lap(dun_scratch *scratch, uint64_t *stage);

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
