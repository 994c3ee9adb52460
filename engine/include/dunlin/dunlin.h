/* SPDX-License-Identifier: MIT */
/*
 * Dunlin: flocks of millions.
 *
 * A world holds species, a species holds agents, an interaction says which species observes which and by which rules.
 * dunlin_world_step() moves every agent one time step ahead: each looks at a frozen snapshot of the others, so the order in
 * which agents are processed means nothing, and the state after n steps has the same bits for every kernel, every
 * thread count and every machine.
 *
 *     dunlin_world_def def = dunlin_world_def_default();
 *     dunlin_world *world = NULL;
 *     dunlin_error error;
 *     if (dunlin_world_create(&def, &world, &error) != DUNLIN_OK) puts(error.message);
 *
 * Units. Lengths are world units and times are time units of the caller's choice; a velocity is world units a time unit.
 * Coordinates start at 0 and end at dunlin_world_def.size. Vectors are structures of arrays: [0] points at all x, [1] at all
 * y, [2] at all z; in a 2D world [2] is never read.
 *
 * Errors. Every function that can fail returns a dunlin_result and, where `error` is not NULL, fills it with a message that
 * names the field, the value and what is allowed. After a failure the world is as it was before the call. Nothing aborts,
 * nothing prints.
 *
 * Threads. There are no globals: different worlds may be used from different threads at once. One world belongs to one thread
 * at a time, except that functions which take a `const dunlin_world *` may run at once with each other. A world's executor says
 * which threads share its work: see dunlin_world_def.executor. If the system cannot make as many threads as a world asks for,
 * the world works with fewer, and its state is the same: see dunlin_stats.threads.
 *
 * NULL is allowed where it is said; a world must not be NULL, other pointers that are NULL are an error like any other.
 */
#ifndef DUNLIN_H
#define DUNLIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUNLIN_VERSION_MAJOR 0
#define DUNLIN_VERSION_MINOR 1
#define DUNLIN_VERSION_PATCH 0

#if defined(_WIN32) || defined(DUNLIN_STATIC)
#define DUNLIN_API
#else
#define DUNLIN_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ----------------------------------------------------------------------------------------------------------- */

typedef enum dunlin_result {
    DUNLIN_OK = 0,
    DUNLIN_ERROR_VALUE,  /* an argument or a field is out of its range */
    DUNLIN_ERROR_FILE,   /* a file cannot be read or written, or says something that is not allowed */
    DUNLIN_ERROR_MEMORY, /* the system has no more memory */
    DUNLIN_ERROR_KERNEL  /* the kernel or index is unknown or cannot run on this machine */
} dunlin_result;

typedef struct dunlin_error {
    dunlin_result code;
    char message[320]; /* one line, no full stop, no newline; always terminated */
} dunlin_error;

/* "0.1.0". Static storage. */
DUNLIN_API const char *dunlin_version(void);

/* ---- the world -------------------------------------------------------------------------------------------------------- */

typedef struct dunlin_world dunlin_world;

typedef enum dunlin_boundary {
    DUNLIN_BOUNDARY_PERIODIC = 0, /* a torus: agents leave one side and enter the other, and see across the edge; who flies
                            further than the world's size in one step ends at the edge */
    DUNLIN_BOUNDARY_TELEPORT,     /* leave one side, enter the other; neighbours are not seen across */
    DUNLIN_BOUNDARY_REFLECT, /* position and velocity are mirrored at the edge, once; who would still be outside ends at the
                                edge */
    DUNLIN_BOUNDARY_OPEN     /* no edge: they fly as far as they like */
} dunlin_boundary;

typedef enum dunlin_integrator {
    DUNLIN_INTEGRATOR_SEMI_IMPLICIT = 0, /* positions move with the new velocity */
    DUNLIN_INTEGRATOR_EXPLICIT           /* positions move with the old velocity */
} dunlin_integrator;

/*
 * Executors run a world's parallel work. The state has the same bits with each of them.
 *
 * "openmp": OpenMP's threads, if the library was built with OpenMP. OpenMP keeps threads for each thread that steps worlds. It
 * ends the process if it must make new ones and cannot; this may happen after worlds with other numbers of threads, or parallel
 * regions of the caller's, have run on that thread. Within a parallel region of the caller's a world uses one thread, unless
 * OpenMP is told to nest. After fork() such a world may not be used in the child.
 * "pthreads": threads of the world's own, which are made when they are first needed, sleep while there is nothing to do, and
 * end with the world. On Linux, the world may be used in the child after fork(), where it makes new ones.
 * "serial": the calling thread alone.
 * "custom": the caller's own, for programs with a job system. It is the function dunlin_world_def.run.
 */

/* One worker's part of parallel work. Any thread may call it. */
typedef void dunlin_work_fn(void *job, uint32_t worker);

/*
 * The caller's own executor. It calls work(job, worker) once for each worker from 0 to workers - 1, on whatever threads, in any
 * order, at the same time or one after another, and returns when all these calls have returned. Workers help each other, so a
 * call may be left out; the work is done without it. `workers` is 2 .. dunlin_world_def.threads. As usual for jobs, a call must
 * see what was written before the executor began, and the thread that called the executor must see what the calls wrote.
 *
 * A world calls its executor several times per step, from the thread that is in a function of the world, one call at a time.
 * Worlds that share an executor may call it at the same time. It cannot fail, and must not use the world. `context` is
 * dunlin_world_def.run_context; what it points at must outlive the world.
 */
typedef void dunlin_run_fn(void *context, uint32_t workers, dunlin_work_fn *work, void *job);

typedef struct dunlin_world_def {
    int cookie;                   /* set by dunlin_world_def_default() */
    int dimensions;               /* 2 or 3; default 2 */
    float size[3];                /* world units, 1e-9 .. 1e9; an open world only uses it to place agents; default 100 */
    dunlin_boundary boundary;     /* default DUNLIN_BOUNDARY_PERIODIC */
    float margin;                 /* world units, 0 .. 1e9; TELEPORT only: how far out an agent flies before it re-enters,
                                     as far out, on the other side; default 0 */
    bool keep_overshoot;          /* TELEPORT only: re-enter by adding or subtracting the size (margin must be 0), no further
                                     than to the other edge, instead of exactly on the edge; default false */
    bool boundary_first;          /* TELEPORT and REFLECT only: the boundary is applied at the start of the next step, before
                                     anyone looks, so that states between steps may lie outside; default false */
    dunlin_integrator integrator; /* default DUNLIN_INTEGRATOR_SEMI_IMPLICIT */
    float time_step;              /* time units, > 0, <= 1e6; default 1 */
    bool forces_are_increments;   /* forces are added to velocities as they are, not times time_step; default false */
    uint64_t seed;                /* of every random number the world draws; default 1 */
    int threads;                  /* 1 .. 1024, or 0, the default: "openmp" takes as many as OpenMP would use, "pthreads" one
                                     per processor, "serial" 1; "custom" allows no 0 */
    const char *executor;         /* "openmp", "pthreads", "serial", "custom", or "auto", the default: "custom" if `run` is not
                                     NULL, otherwise the first that the library has; see above; read during create only */
    dunlin_run_fn *run;           /* "custom" only: the executor; default NULL */
    void *run_context;            /* what `run` gets as its context; default NULL */
    const char *kernel;           /* "auto" or a name of dunlin_kernel_at(); read during create only; default "auto" */
    const char *index; /* how neighbours are found, "grid", "tree" or "brute" (all pairs). All find the same ones, but each
                          stores agents in its own order (brute: as they were spawned), and in that order sums are added
                          up: states may differ in the last bits. "auto", the default: the grid, or in an OPEN world, step
                          by step, whichever suits where the agents are. docs/indices.md; read during create only */
} dunlin_world_def;

/* The defaults above. The only way to make a valid dunlin_world_def. */
DUNLIN_API dunlin_world_def dunlin_world_def_default(void);

/*
 * Makes an empty world in *world; destroy it with dunlin_world_destroy(). On failure *world is NULL.
 * A kernel that is unknown or cannot run here is an error that lists those that can: never a silent substitute.
 */
DUNLIN_API dunlin_result dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error);

/* Frees the world and everything that its views point at. NULL is fine. */
DUNLIN_API void dunlin_world_destroy(dunlin_world *world);

/* The world's definition as it is now, with `threads`, `executor`, `kernel` and `index` as chosen (static strings). */
DUNLIN_API dunlin_world_def dunlin_world_get_def(const dunlin_world *world);

/*
 * Changes the world, between steps: change what dunlin_world_get_def() says. dimensions, threads, executor, run,
 * run_context, kernel and index must stay as they are; threads 0 and "auto" leave them so. An agent that would be outside the
 * world as it becomes is an error that names it. Allocates nothing, but the next step may, once.
 *
 * The agents stay where they are, and so does a target that moves, which goes on from there. Time goes on too: what follows
 * from it, a target that moves or noise that changes, goes on at the new pace after a change of time_step, and
 * dunlin_stats.time is the sum of the time steps. What was given in numbers stays as given, also where they were once taken
 * from a default that follows from the world: contain's walls, a field's place, what it was filled with, and the seed that
 * fills it. Wander, and agents that are scattered from now on, draw by the new seed.
 */
DUNLIN_API dunlin_result dunlin_world_set_def(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error);

/* ---- species ---------------------------------------------------------------------------------------------------------- */

#define DUNLIN_MAX_SPECIES    64
#define DUNLIN_NAME_LENGTH    64 /* bytes, the terminator included */
#define DUNLIN_MAX_ATTRIBUTES 8  /* a species */

typedef struct dunlin_species_def {
    int cookie;       /* set by dunlin_species_def_default() */
    const char *name; /* 1 .. 63 bytes, no comma, quote or control character, unique in the world; copied; default "agents" */
    float min_speed;  /* world units a time unit, 0 .. max_speed; a resting agent has no direction and stays; default 0 */
    float max_speed;  /* world units a time unit, 0 .. 1e9; 0: it rests after its first step, whatever pulls; default 1 */
    float max_force;  /* velocity a time unit, 0 .. 1e9: limit of each `steer` response; default 0.1 */
    float drag;       /* share of the velocity lost each step, after the speed limits, 0 .. 1; default 0 */
    bool obstacles_block; /* they cannot pass through obstacles: see dunlin_obstacle; default false */
    float body_radius;    /* world units, 0 .. 1e9: how near to an obstacle that blocks them they get; default 0 */
} dunlin_species_def;

DUNLIN_API dunlin_species_def dunlin_species_def_default(void);

/* Adds a species without agents. *species receives its index: 0 for the first, then 1, … `species` may be NULL. */
DUNLIN_API dunlin_result dunlin_world_add_species(dunlin_world *world, const dunlin_species_def *def, int *species,
                                                  dunlin_error *error);

DUNLIN_API int dunlin_world_species_count(const dunlin_world *world);

/* The definition of a species; `name` lives as long as the world, and says what the species is called now. Out of range: a
 * zeroed struct. */
DUNLIN_API dunlin_species_def dunlin_world_get_species(const dunlin_world *world, int species);

/* Replaces a species' definition, its name too, between steps. Its agents stay as they are; the next step limits their speeds.
 * Allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_set_species(dunlin_world *world, int species, const dunlin_species_def *def,
                                                  dunlin_error *error);

/*
 * Removes a species and its agents, between steps. Interactions, behaviours or meals that use it are an error that names one.
 * As in an array, the numbers of later species drop by one, also where definitions say them; callbacks have to be told.
 * Removing anything else does the same to its kind. A world from which something was removed goes on as one that has never had
 * it, with the same agents and clock.
 */
DUNLIN_API dunlin_result dunlin_world_remove_species(dunlin_world *world, int species, dunlin_error *error);

/* The index of the species of that name, or -1; -1 for NULL. */
DUNLIN_API int dunlin_world_find_species(const dunlin_world *world, const char *name);

/* ---- agents ----------------------------------------------------------------------------------------------------------- */

#define DUNLIN_MAX_AGENTS 4294966783u /* a species; a world has 4294967295 ids, 0 .. 4294967294, for all of its agents ever */

/* Agents to be born. The arrays stay the caller's and are only read during the call. */
typedef struct dunlin_batch {
    uint32_t count;           /* agents; 0 is fine */
    const float *position[3]; /* [dimensions][count] world units; inside the world (with its margin), or within ±1e38 where it
                                 is open or boundary_first */
    const float *velocity[3]; /* [dimensions][count] world units a time unit, |component| <= 2e9; may exceed max_speed until
                                 the first step limits it */
    const uint32_t *ids; /* [count] ids not yet in the world, < UINT32_MAX, and not below what was one above the highest when an
                            agent last died; or NULL: ascending from one above the highest that there has been, of which there
                            must be enough */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES]; /* [count] each, by the attribute's number; NULL: drawn as it says */
} dunlin_batch;

/*
 * Appends the batch to the species' storage, in the batch's order. Where `first_id` is not NULL it receives the id of the
 * batch's first agent (UINT32_MAX for an empty batch). Ids are unique in the world and never used twice, also after a death.
 * O(count) where there is room, and with ids of one's own that are above all others; otherwise O(agents).
 */
DUNLIN_API dunlin_result dunlin_world_spawn(dunlin_world *world, int species, const dunlin_batch *batch, uint32_t *first_id,
                                            dunlin_error *error);

/*
 * Agents die, between steps: the world is without those of the ids[count], in any order, from all species. The others stay in
 * the order in which they lie. An id that the world has not, or that is given twice, is an error, and nobody dies. Where an id
 * is a target or a point of a path there is none of that id from now on. O(agents); allocates a table to look up ids and a flag
 * an agent, which are kept.
 */
DUNLIN_API dunlin_result dunlin_world_despawn(dunlin_world *world, const uint32_t *ids, uint32_t count, dunlin_error *error);

/* Where to place agents that dunlin_world_scatter() makes up. */
typedef enum dunlin_region {
    DUNLIN_REGION_BOX = 0, /* evenly in centre ± extent on each axis */
    DUNLIN_REGION_BALL     /* evenly in the disc or ball around centre with radius extent[0], in every direction */
} dunlin_region;

typedef struct dunlin_scatter_def {
    int cookie;           /* set by dunlin_scatter_def_default() */
    uint32_t count;       /* agents; default 0 */
    dunlin_region region; /* default DUNLIN_REGION_BOX */
    float centre[3];      /* world units, -1e9 .. 1e9; default the middle of the world */
    float extent[3];      /* world units, 0 .. 1e9, 0 for all at one point; default half the size: the whole world */
    float min_speed;      /* world units a time unit, 0 .. max_speed; default 0 */
    float max_speed;      /* each agent flies in a random direction at a speed drawn evenly from [min_speed, max_speed];
                             <= 1e9; default 1 */
    float velocity[3];    /* world units a time unit, -1e9 .. 1e9: all of them have it besides; default 0 */
} dunlin_scatter_def;

/* Defaults for this world: everywhere in it. */
DUNLIN_API dunlin_scatter_def dunlin_scatter_def_default(const dunlin_world *world);

/*
 * Spawns agents at random: place and velocity are a function of the world's seed and the agent's id alone (Philox 4x32-10,
 * Salmon et al., SC 2011). Agents that would lie outside a bounded world are an error.
 */
DUNLIN_API dunlin_result dunlin_world_scatter(dunlin_world *world, int species, const dunlin_scatter_def *def,
                                              dunlin_error *error);

/* Makes room for `count` agents of the species in all: spawning up to there, without ids of one's own, allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_reserve(dunlin_world *world, int species, uint32_t count, dunlin_error *error);

/* A species' agents as they lie in memory. Valid until the next step, spawn, despawn, scatter, reserve or load, even one that
 * fails, or the world's end. */
typedef struct dunlin_view {
    uint64_t generation; /* of the world when the view was made: see dunlin_world_generation() */
    uint32_t count;
    const float *position[3];                      /* [dimensions][count] world units; [2] is NULL in 2D */
    const float *velocity[3];                      /* [dimensions][count] world units a time unit */
    const uint32_t *id;                            /* [count] */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES]; /* [count] each, by the attribute's number; NULL where there is none */
} dunlin_view;

/* Zero-copy. Slots are in storage order, which is part of the state. No pointer is NULL where a species has no agents. Out of
 * range: a zeroed struct. */
DUNLIN_API dunlin_view dunlin_world_view(const dunlin_world *world, int species);

/*
 * A number that changes whenever views of agents may point at freed memory, or their slots may hold other agents: with steps,
 * spawning, despawning, growing, removing. A view whose `generation` is this number is good; another one must be made anew.
 */
DUNLIN_API uint64_t dunlin_world_generation(const dunlin_world *world);

/* Which agents dunlin_world_write() sets, and to what. */
typedef struct dunlin_write {
    int cookie;          /* set by dunlin_write_default() */
    uint32_t count;      /* agents; default 0 */
    const uint32_t *ids; /* [count] the agents' ids, of any species; or NULL, the default */
    int species;         /* not read where ids are given; default 0 */
    const uint32_t
        *slots; /* [count] slots of the species, as in its view; or NULL, the default: all of its agents, in storage order */
    const float *position[3]; /* [dimensions][count] as in dunlin_batch; or all NULL, the default: positions stay */
    const float *velocity[3]; /* [dimensions][count] as in dunlin_batch; or all NULL, the default: velocities stay */
} dunlin_write;

DUNLIN_API dunlin_write dunlin_write_default(void);

/*
 * Sets positions and velocities of agents, between steps: of all that are named, or, where one number is refused, of none. Of
 * an agent that is named twice the later numbers count. Views stay good. O(count), and where ids are given what
 * dunlin_world_find_agent() takes.
 */
DUNLIN_API dunlin_result dunlin_world_write(dunlin_world *world, const dunlin_write *write, dunlin_error *error);

typedef struct dunlin_slot {
    int species;    /* -1 where there is no such agent */
    uint32_t index; /* into the arrays of the species' view */
} dunlin_slot;

/*
 * Where the agent of that id lies now. The first look-up after the world has changed builds a table, O(agents), so it is not
 * const; later ones are O(1). When memory runs out the answer is found by a search, O(agents).
 */
DUNLIN_API dunlin_slot dunlin_world_find_agent(dunlin_world *world, uint32_t id);

/* Agents of all species together. */
DUNLIN_API uint64_t dunlin_world_agent_count(const dunlin_world *world);

/* ---- interactions ----------------------------------------------------------------------------------------------------- */

typedef enum dunlin_response {
    DUNLIN_RESPONSE_STEER = 0, /* Reynolds: the vector at length max_speed, minus the agent's velocity, limited to max_force.
                         A zero vector steers nowhere. */
    DUNLIN_RESPONSE_DIRECT,    /* the vector itself, limited to dunlin_rule.limit */
    DUNLIN_RESPONSE_UNIT       /* the vector at length 1; a zero vector gives nothing */
} dunlin_response;

/* How separation falls with distance d; R is the rule's radius. The push is away from the neighbour, of length: */
typedef enum dunlin_falloff {
    DUNLIN_FALLOFF_INVERSE = 0, /* 1 / d */
    DUNLIN_FALLOFF_LINEAR,      /* 1 - d / R */
    DUNLIN_FALLOFF_CONSTANT     /* 1 */
} dunlin_falloff;

typedef struct dunlin_rule {
    float radius;             /* world units, 1e-9 .. 1e9; a neighbour at exactly the radius is seen; or 0, the default: the
                                 rule is off */
    float weight;             /* -1e6 .. 1e6; negative turns the rule around; default 1 */
    dunlin_response response; /* default DUNLIN_RESPONSE_STEER */
    float limit;              /* DIRECT only: velocity a time unit, >= 0; INFINITY for none, the default; others ignore it */
    dunlin_falloff falloff;   /* separation only; default DUNLIN_FALLOFF_INVERSE */
    float min_radius;         /* world units, 0 .. radius: nearer neighbours are not counted, one at exactly this distance is;
                                 default 0 */
    float view;               /* radians, > 0, <= pi: a neighbour is counted if the angle between the agent's velocity and the
                                 direction to it is at most this, half of the field of view; or 0, the default, or pi: all
                                 around. A resting agent sees all around, and everyone sees who is at the very same place */
} dunlin_rule;

typedef enum dunlin_rule_kind {
    DUNLIN_RULE_SEPARATION = 0,
    DUNLIN_RULE_ALIGNMENT,
    DUNLIN_RULE_COHESION,
    DUNLIN_RULE_COUNT
} dunlin_rule_kind;

/*
 * Who looks at whom, and what for. With Δ the vector to a neighbour (to its nearest image in a periodic world) and d = |Δ|:
 * separation sums -Δ·f(d), alignment averages neighbours' velocities (`direct` and `unit`: minus the agent's own), cohesion
 * averages Δ. An agent never sees itself.
 *
 * Seen is whoever at least one rule counts: who is neither out of its radius nor nearer than its min_radius nor out of its
 * view. Of these `nearest` leaves the nearest, and of those `max_neighbours` the first. Each rule takes whom it counts of the
 * rest, and averages divide by how many these are. (Seeing a number of neighbours, not a distance: Ballerini et al., PNAS 105,
 * 1232 (2008). Shells, and blind angles behind: Couzin et al., J. Theor. Biol. 218, 1 (2002).)
 */
typedef struct dunlin_interaction_def {
    int cookie;                                /* set by dunlin_interaction_def_default() */
    int observer;                              /* species index; default 0 */
    int observed;                              /* species index, may be the observer: a flock; default 0 */
    dunlin_rule rules[DUNLIN_RULE_COUNT];      /* by dunlin_rule_kind; all off by default */
    dunlin_rule_kind order[DUNLIN_RULE_COUNT]; /* the order in which the responses are added, each rule once;
                                                  default separation, alignment, cohesion */
    bool in_turn;           /* each response takes the agent's velocity as the responses before it have changed it, as
                               sketches do that add to the velocity rule by rule; default false: all take the same */
    bool ignore_coincident; /* a neighbour at exactly the same place is not seen at all; default false: it counts for
                               alignment and cohesion, and gives no separation, for it has no direction */
    int nearest;            /* 1 .. 32: an agent sees only so many of its neighbours, the nearest; of those at the same
                               distance the lower ids come first; or 0, the default: all */
    int max_neighbours;     /* >= 1: an agent sees only so many of its neighbours, those that come first in storage order,
                               which is arbitrary, if the same on every machine and with every kernel and thread count, and
                               another for another index; or 0, the default: all */
} dunlin_interaction_def;

DUNLIN_API dunlin_interaction_def dunlin_interaction_def_default(void);

/*
 * Adds an interaction. *interaction receives its number: 0 for the world's first, then 1, … It may be NULL. At least one rule
 * must be on; each pair of observer and observed may be there once. Forces are summed in the order in which interactions were
 * added.
 */
DUNLIN_API dunlin_result dunlin_world_add_interaction(dunlin_world *world, const dunlin_interaction_def *def, int *interaction,
                                                      dunlin_error *error);

DUNLIN_API int dunlin_world_interaction_count(const dunlin_world *world);

/* The definition of an interaction. Out of range: a zeroed struct. */
DUNLIN_API dunlin_interaction_def dunlin_world_get_interaction(const dunlin_world *world, int interaction);

/* Removes an interaction, between steps; the numbers of later ones drop by one. */
DUNLIN_API dunlin_result dunlin_world_remove_interaction(dunlin_world *world, int interaction, dunlin_error *error);

/* Replaces an interaction, between steps; observer and observed may change too. Its place in the order stays. Allocates
 * nothing, but the next step may, once. */
DUNLIN_API dunlin_result dunlin_world_set_interaction(dunlin_world *world, int interaction, const dunlin_interaction_def *def,
                                                      dunlin_error *error);

/* ---- the frame -------------------------------------------------------------------------------------------------------- */

/*
 * One time step. Allocates nothing once the world has stood unchanged for a step; where callbacks bear children, not until
 * there are more at once than ever before, or more than there is room for (see dunlin_world_reserve). Fails only for lack of
 * memory, or of ids and slots for the born, or after 2^53 steps, and then the agents are as they were, though perhaps in
 * another storage order, the one that the step would have given them anyway, and the boundary, where it comes first, has been
 * applied: the step, taken again, gives the same bits.
 */
DUNLIN_API dunlin_result dunlin_world_step(dunlin_world *world, dunlin_error *error);

/* Where a world is in time, and which id it gives next. */
typedef struct dunlin_clock {
    uint64_t step;    /* steps taken so far, 0 .. 2^53 */
    double time;      /* time units that have passed in them, 0 .. 1e22 */
    uint32_t next_id; /* above all ids that agents have */
} dunlin_clock;

DUNLIN_API dunlin_clock dunlin_world_get_clock(const dunlin_world *world);

/*
 * Sets the clock, between steps. What follows from time or from steps, such as targets that move, noise that changes and
 * wander, is where it would be then. Where next_id changes, no id below it is given from now on. O(agents), allocates nothing.
 */
DUNLIN_API dunlin_result dunlin_world_set_clock(dunlin_world *world, const dunlin_clock *clock, dunlin_error *error);

/* What the last step did and took. */
typedef struct dunlin_stats {
    uint64_t step;         /* steps taken so far */
    double time;           /* time units that have passed in them: step·time_step, unless that was changed after the first */
    uint64_t agents;       /* agents moved */
    uint64_t births;       /* of callbacks, in the step */
    uint64_t deaths;       /* by callbacks and meals, in the step */
    uint32_t threads;      /* dunlin_world_def.threads, or fewer where the executor has not so many */
    uint64_t cells;        /* cells of all species' bins */
    uint64_t groups;       /* groups of lanes, over all interactions */
    uint64_t pairs_tested; /* lanes x candidates */
    uint64_t pairs_useful; /* (agent, neighbour) pairs where the agent sees the neighbour, of all interactions */
    double ms_snapshot;    /* milliseconds of wall time */
    double ms_interact;    /* milliseconds, mean over the threads; the same for steer and integrate */
    double ms_steer;
    double ms_integrate;
    double ms_frame; /* milliseconds of wall time, everything included */
} dunlin_stats;

DUNLIN_API dunlin_stats dunlin_world_stats(const dunlin_world *world);

/* Bytes of memory the world holds now, all but the allocator's and the executor's threads' own. */
DUNLIN_API size_t dunlin_world_bytes(const dunlin_world *world);

/*
 * A hash of the state: of every agent's id, species, position, velocity and attribute bits, taken in the order of ids, so that
 * storage order does not matter. Equal states have equal hashes on every machine.
 */
DUNLIN_API uint64_t dunlin_world_state_hash(const dunlin_world *world);

/* ---- attributes ------------------------------------------------------------------------------------------------------- */

/* What an attribute is to the engine. */
typedef enum dunlin_attribute_role {
    DUNLIN_ROLE_VALUE = 0, /* nothing: it is the caller's own, -1e30 .. 1e30. A species may have several */
    DUNLIN_ROLE_MAX_SPEED, /* world units a time unit, 0 .. 1e9: instead of the species' max_speed; where the species' min_speed
                         is above it, it is both */
    DUNLIN_ROLE_MAX_FORCE, /* velocity a time unit, 0 .. 1e9: instead of the species' max_force */
    DUNLIN_ROLE_MASS,      /* 1e-6 .. 1e6: the sum of all forces is divided by it */
    DUNLIN_ROLE_RADIUS_SCALE, /* 0.001 .. 1: with so much of its rules' radii, min_radius among them, does the agent look at
                                 others */
    DUNLIN_ROLE_SEPARATION_WEIGHT, /* -1e6 .. 1e6: times the weight of that rule, in all interactions in which it observes; */
    DUNLIN_ROLE_ALIGNMENT_WEIGHT,  /* likewise */
    DUNLIN_ROLE_COHESION_WEIGHT,   /* likewise */
    DUNLIN_ROLE_BEHAVIOUR_WEIGHT,  /* -1e6 .. 1e6: times the weight of one behaviour */
    DUNLIN_ROLE_COUNT
} dunlin_attribute_role;

/* How the values of agents that bring none of their own are drawn: a function of the world's seed and the agent's id alone. */
typedef enum dunlin_distribution {
    DUNLIN_DISTRIBUTION_SAME = 0, /* `value` for everyone */
    DUNLIN_DISTRIBUTION_EVEN,     /* evenly from [low, high] */
    DUNLIN_DISTRIBUTION_NORMAL    /* value + deviation·(the sum of twelve numbers, even from [0, 1), - 6), which is close to a
                        normal distribution    of that mean and standard deviation; what is not within [low, high] becomes low or
                        high
                      */
} dunlin_distribution;

/* A number that every agent of a species has: its own strength, its age, the energy it has left. It goes where the agent goes.
 */
typedef struct dunlin_attribute_def {
    int cookie;       /* set by dunlin_attribute_def_default() */
    int species;      /* default 0 */
    const char *name; /* 1 .. 63 bytes as for a species; no other attribute of the species may have it; nor may it be what a
                         state file has (id, species, x, y, z, vx, vy, vz, step, time, next_id); copied */
    dunlin_attribute_role
        role;      /* default DUNLIN_ROLE_VALUE; each other role once a species, BEHAVIOUR_WEIGHT once a behaviour */
    int behaviour; /* BEHAVIOUR_WEIGHT: its number; one of the same species that has a weight */
    dunlin_distribution distribution;  /* default DUNLIN_DISTRIBUTION_SAME */
    float value, deviation, low, high; /* of the role's range; deviation 0 .. 1e30, low <= high; default 1, 0, 0 and 1 */
} dunlin_attribute_def;

DUNLIN_API dunlin_attribute_def dunlin_attribute_def_default(void);

/*
 * Gives a species an attribute; agents that there are draw their values. *attribute receives its number in the species: 0 for
 * the first, then 1, … It may be NULL.
 */
DUNLIN_API dunlin_result dunlin_world_add_attribute(dunlin_world *world, const dunlin_attribute_def *def, int *attribute,
                                                    dunlin_error *error);

/* How many the species has; out of range: 0. */
DUNLIN_API int dunlin_world_attribute_count(const dunlin_world *world, int species);

/* The definition of an attribute; `name` lives as long as the world. Out of range: a zeroed struct. */
DUNLIN_API dunlin_attribute_def dunlin_world_get_attribute(const dunlin_world *world, int species, int attribute);

/* Replaces an attribute's definition, between steps: its name, its role, and how values are drawn from now on. The values that
 * agents have stay; they must be of the new role's range. A meal uses only attributes of role DUNLIN_ROLE_VALUE. */
DUNLIN_API dunlin_result dunlin_world_set_attribute(dunlin_world *world, int species, int attribute,
                                                    const dunlin_attribute_def *def, dunlin_error *error);

/* Removes an attribute, between steps; the numbers of later ones drop by one. A meal that uses it is an error. */
DUNLIN_API dunlin_result dunlin_world_remove_attribute(dunlin_world *world, int species, int attribute, dunlin_error *error);

/* The number of the species' attribute of that name, or -1; -1 for NULL. */
DUNLIN_API int dunlin_world_find_attribute(const dunlin_world *world, int species, const char *name);

/*
 * Sets an attribute of all of the species' agents, between steps: values[count] in storage order, each of the role's range.
 * dunlin_view reads them. O(count), allocates nothing.
 */
DUNLIN_API dunlin_result dunlin_world_set_attribute_values(dunlin_world *world, int species, int attribute, const float *values,
                                                           dunlin_error *error);

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

/*
 * A polyline for agents to follow (DUNLIN_BEHAVIOUR_FOLLOW_PATH). It goes through points, or through agents: then its points
 * are where these are at the start of each step, no further out than ±1e9; while there is not an agent of every id, nobody
 * follows it. Two points that are the same do no harm. Paths lie in the plane or in space as they are, also in a periodic
 * world: they are not repeated, and nobody looks at them or flies to them across the edge.
 */
typedef struct dunlin_path_def {
    int cookie;             /* set by dunlin_path_def_default() */
    uint32_t count;         /* points, 2 .. 1 000 000 */
    const float *points[3]; /* [dimensions][count] world units, -1e9 .. 1e9; copied; not read where agents are given */
    const uint32_t
        *agents; /* [count] ids, which may repeat and need not exist yet; copied; NULL, the default: there are points */
    bool closed; /* from the last point a segment leads to the first; default false */
} dunlin_path_def;

/* The only way to make a valid dunlin_path_def. It has no points yet. */
DUNLIN_API dunlin_path_def dunlin_path_def_default(const dunlin_world *world);

/* Adds a path. *path receives its number: 0 for the world's first, then 1, … It may be NULL. */
DUNLIN_API dunlin_result dunlin_world_add_path(dunlin_world *world, const dunlin_path_def *def, int *path, dunlin_error *error);

DUNLIN_API int dunlin_world_path_count(const dunlin_world *world);

/*
 * The definition of a path. Its arrays are the world's own: read them until the path is set or removed, or the world is
 * destroyed. Where the points are agents, `points` says where these were at the start of the last step (at first the origin).
 * Out of range: a zeroed struct.
 */
DUNLIN_API dunlin_path_def dunlin_world_get_path(const dunlin_world *world, int path);

/* Replaces a path, between steps. What follows it follows the new one. */
DUNLIN_API dunlin_result dunlin_world_set_path(dunlin_world *world, int path, const dunlin_path_def *def, dunlin_error *error);

/* Removes a path, between steps; the numbers of later ones drop by one. A behaviour that follows it is an error. */
DUNLIN_API dunlin_result dunlin_world_remove_path(dunlin_world *world, int path, dunlin_error *error);

/*
 * Moves a path's points, between steps: as many as it has, points[dimensions][count], of the same range. O(count), allocates
 * nothing. The points of a path through agents cannot be moved.
 */
DUNLIN_API dunlin_result dunlin_world_move_path(dunlin_world *world, int path, const float *const points[3],
                                                dunlin_error *error);

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

/* How the vector at a place follows from those of the cells. */
typedef enum dunlin_lookup {
    DUNLIN_LOOKUP_NEAREST = 0, /* that of the cell the place is in */
    DUNLIN_LOOKUP_LINEAR       /* between the cells' centres, linear along each axis */
} dunlin_lookup;

/*
 * A grid of vectors, for DUNLIN_BEHAVIOUR_FLOW and DUNLIN_BEHAVIOUR_WIND. With w = (high - low) / cells on each axis, cell i
 * reaches from low + i·w to low + (i + 1)·w, and x lies in cell floor((x - low)·(1 / w)). Beyond the grid the cells of its edge
 * go on; in a periodic world that the grid covers exactly (low is 0 and high the world's size, on every axis) it goes on around
 * instead.
 */
typedef struct dunlin_field_def {
    int cookie;           /* set by dunlin_field_def_default() */
    int cells[3];         /* 1 .. 65536, together at most 2^28; [2] is 1 in 2D; default 32 */
    float low[3];         /* world units, -1e9 .. 1e9; default 0 … */
    float high[3];        /* … and the world's size; above low */
    dunlin_lookup lookup; /* default DUNLIN_LOOKUP_NEAREST */
} dunlin_field_def;

/* The defaults above. The only way to make a valid dunlin_field_def. */
DUNLIN_API dunlin_field_def dunlin_field_def_default(const dunlin_world *world);

/* Adds a field of zero vectors. *field receives its number: 0 for the world's first, then 1, … It may be NULL. */
DUNLIN_API dunlin_result dunlin_world_add_field(dunlin_world *world, const dunlin_field_def *def, int *field,
                                                dunlin_error *error);

DUNLIN_API int dunlin_world_field_count(const dunlin_world *world);

/* The definition of a field. Out of range: a zeroed struct. */
DUNLIN_API dunlin_field_def dunlin_world_get_field(const dunlin_world *world, int field);

/* Removes a field, between steps; the numbers of later ones drop by one. A behaviour that uses it is an error. */
DUNLIN_API dunlin_result dunlin_world_remove_field(dunlin_world *world, int field, dunlin_error *error);

/* Replaces a field's definition, between steps. Its vectors stay where the number of cells on each axis stays; otherwise they
 * become zero vectors. A field that is filled anew in every step goes on to be. */
DUNLIN_API dunlin_result dunlin_world_set_field(dunlin_world *world, int field, const dunlin_field_def *def,
                                                dunlin_error *error);

/*
 * A field's vectors, to be read, and written between steps. Cell (i, j, k) is at i + cells[0]·(j + cells[1]·k). A vector that
 * is not finite, or longer than 1e18, counts as a zero vector. Valid until the field is set or removed, or the world's end.
 */
typedef struct dunlin_field_view {
    int cells[3];          /* [2] is 1 in 2D */
    float low[3], high[3]; /* world units */
    float *vectors[3];     /* [dimensions][cells[2]·cells[1]·cells[0]]; [2] is NULL in 2D */
} dunlin_field_view;

/* Zero-copy. Out of range: a zeroed struct. */
DUNLIN_API dunlin_field_view dunlin_world_field_view(dunlin_world *world, int field);

typedef enum dunlin_field_kind {
    DUNLIN_FIELD_CONSTANT = 0, /* the same vector everywhere */
    DUNLIN_FIELD_RANDOM,       /* each cell a direction of its own, all as likely, by seed and cell */
    DUNLIN_FIELD_NOISE,        /* directions that change smoothly: Perlin's noise */
    DUNLIN_FIELD_SWIRL,        /* axis x r, around the centre, counter-clockwise; r from the centre to the cell */
    DUNLIN_FIELD_CENTRE,       /* -r, towards the centre */
    DUNLIN_FIELD_GRADIENT,     /* to where a grid of numbers has greater ones; by central differences, one-sided at edges */
    DUNLIN_FIELD_VECTORS,      /* the caller's own */
    DUNLIN_FIELD_KIND_COUNT
} dunlin_field_kind;

/*
 * NOISE: gradient noise n in -1 .. 1, 0 at the points of a lattice (K. Perlin, "Improving Noise", SIGGRAPH 2002). The lattice
 * has the axes of the world and time. In 2D the vectors' angle, from the x axis towards y, is angle_low + (n + 1)/2·(angle_high
 * - angle_low) turns. In 3D each component is a noise of its own, of a lattice a third of a step further on each axis of space,
 * and the three are brought to length 1. A lattice point's gradient is a hash of the point and the seed, of 32 bits: the
 * lattice repeats after 2^32 steps.
 */
typedef struct dunlin_field_noise {
    float scale; /* world units of one lattice step, 1e-9 .. 1e9; default 10 */
    int octaves; /* 1 .. 8: each further one is twice as fine and half as strong, in space and time; default 1 */
    float angle_low, angle_high; /* 2D: turns, -1e3 .. 1e3; default 0 and 1 */
    float rate;  /* lattice steps of time a time unit, 0 .. 1e6; above 0 the field is filled anew at the start of
                    every step, until dunlin_world_fill_field() fills it otherwise; default 0 */
    double time; /* lattice steps: where on the time axis step 0 is, -1e9 .. 1e9; default 0. With rate, the time is
                    time + dunlin_stats.time·rate, also after a state was loaded */
} dunlin_field_noise;

/*
 * What to fill a field with. RANDOM, NOISE, SWIRL, CENTRE and GRADIENT give vectors of length 1, times weight, for the centres
 * of the cells; a zero vector where there is no direction. Where a field goes around, r goes to the nearest image, and
 * differences are taken across the edge.
 */
typedef struct dunlin_field_source {
    int cookie;             /* set by dunlin_field_source_default() */
    dunlin_field_kind kind; /* set by dunlin_field_source_default() */
    float weight;           /* every vector is multiplied by it, -1e6 .. 1e6; default 1 */
    uint64_t seed;          /* RANDOM, NOISE: default the world's */
    float vector[3];        /* CONSTANT: |component| <= 1e9; default 0 */
    float centre[3];        /* SWIRL, CENTRE: world units, -1e9 .. 1e9; default the middle of the world */
    float axis[3];          /* SWIRL in 3D: |component| <= 1e9, not all 0; of any length; default along z */
    dunlin_field_noise noise;
    const float *values;     /* GRADIENT: [cells], in the order of the field's; read during the call only */
    const float *vectors[3]; /* VECTORS: [dimensions][cells], likewise */
} dunlin_field_source;

/* Defaults for this world and kind, which are the only way to make a valid dunlin_field_source. */
DUNLIN_API dunlin_field_source dunlin_field_source_default(const dunlin_world *world, dunlin_field_kind kind);

/* Fills a field, between steps, by all of the world's threads: the same bits for any number. Allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_fill_field(dunlin_world *world, int field, const dunlin_field_source *source,
                                                 dunlin_error *error);

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

typedef enum dunlin_obstacle_shape {
    DUNLIN_OBSTACLE_BALL = 0, /* a disc in 2D */
    DUNLIN_OBSTACLE_BOX,      /* its sides are along the axes */
    DUNLIN_OBSTACLE_CAPSULE   /* all that is no further than the radius from a line; of radius 0 it is a plain wall in 2D */
} dunlin_obstacle_shape;

/*
 * A thing that stands where it is: agents steer around it (DUNLIN_BEHAVIOUR_AVOID), or cannot pass
 * (dunlin_species_def.obstacles_block). Grown by an agent's radius, balls and capsules get a larger radius, and boxes get
 * larger to every side, with corners as sharp.
 *
 * Obstacles stand in the plane or in space as they are, also in a periodic world: nobody meets them across the edge. One that
 * stands on the edge is added once more, the world's size away, and so is one that is to be seen from beyond the edge.
 *
 * Whom obstacles block goes straight from where he is, before the world's edge does anything to him, as far as the obstacle
 * grown by his body_radius and by a skin, which is 2^-20 of the largest coordinate of what is so grown. There the rest of his
 * way, and his velocity, lose what leads into the obstacle, and he slides on, three times at most; then he stays where he got.
 * What is not thicker than the skin is as good as that thick: nobody gets through a wall, or where two meet, however fast.
 *
 * Who is inside an obstacle at the start of a step, being born there, or set down there by the edge, is put on its surface, by
 * the shortest way; where that is in another obstacle again, three times at most. What holds him still does not hinder him
 * then. What the edge and the caller do to agents between two steps is no way that is gone: walls that have to hold beside a
 * reflecting edge should reach beyond it.
 */
typedef struct dunlin_obstacle {
    dunlin_obstacle_shape shape;
    float a[3];   /* world units, -1e9 .. 1e9: the ball's centre, the box's low corner, one end of the capsule's line; in 2D
                     [2] is not read */
    float b[3];   /* likewise: the box's high corner, not below a; the capsule's other end, which may be a; not a ball's */
    float radius; /* world units, 0 .. 1e9; not a box's */
} dunlin_obstacle;

/* An obstacle of that shape: a ball of radius 1 around the origin, a box from 0 to 1 on each axis, a capsule of radius 1 whose
 * line is the origin. */
DUNLIN_API dunlin_obstacle dunlin_obstacle_default(dunlin_obstacle_shape shape);

/*
 * Adds obstacles, at most a million in all; they are copied. *first receives the number of the first of them: as many as there
 * were before. It may be NULL. The next step sorts all that there are then.
 */
DUNLIN_API dunlin_result dunlin_world_add_obstacles(dunlin_world *world, const dunlin_obstacle *obstacles, uint32_t count,
                                                    uint32_t *first, dunlin_error *error);

DUNLIN_API uint32_t dunlin_world_obstacle_count(const dunlin_world *world);

/* One obstacle. Out of range: a zeroed struct. */
DUNLIN_API dunlin_obstacle dunlin_world_get_obstacle(const dunlin_world *world, uint32_t obstacle);

/* Replaces the obstacles [first, first + count), between steps. The next step sorts all again. */
DUNLIN_API dunlin_result dunlin_world_set_obstacles(dunlin_world *world, uint32_t first, const dunlin_obstacle *obstacles,
                                                    uint32_t count, dunlin_error *error);

/* Takes the obstacles [first, first + count) away, between steps; the numbers of those behind drop by count. */
DUNLIN_API dunlin_result dunlin_world_remove_obstacles(dunlin_world *world, uint32_t first, uint32_t count,
                                                       dunlin_error *error);

typedef struct dunlin_obstacle_view {
    uint32_t count;
    const dunlin_obstacle *obstacles; /* [count] in the order in which they were added; not NULL, also where there are none */
} dunlin_obstacle_view;

/* Zero-copy. Valid until obstacles are added, set or removed next, or the world's end. */
DUNLIN_API dunlin_obstacle_view dunlin_world_obstacle_view(const dunlin_world *world);

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

/*
 * What an agent does by itself, whatever the others do. With x and v the agent's position and velocity, Δ the vector to the
 * target (to its nearest image in a periodic world), d = |Δ| and m the species' max_speed, each gives a desired velocity u, and
 * the force is u - v, limited to max_force, times weight (C. Reynolds, "Steering Behaviors For Autonomous Characters", 1999).
 * A vector that has no direction, such as Δ at the target itself, steers nowhere.
 */
typedef enum dunlin_behaviour_kind {
    DUNLIN_BEHAVIOUR_SEEK = 0, /* u = m·Δ/d */
    DUNLIN_BEHAVIOUR_FLEE,     /* u = -m·Δ/d */
    DUNLIN_BEHAVIOUR_ARRIVE,   /* u = min(1, d / slowing_radius)·m·Δ/d; at the target itself u = 0, so it stops there */
    DUNLIN_BEHAVIOUR_PURSUE, /* seek where the target will be: Δ + w·t for Δ, w the target's velocity, t as in dunlin_pursuit */
    DUNLIN_BEHAVIOUR_EVADE,   /* flee from there */
    DUNLIN_BEHAVIOUR_WANDER,  /* seek the point at Δ = distance·v/|v| + radius·e, e a random direction that turns; see
                                 dunlin_wander */
    DUNLIN_BEHAVIOUR_CONTAIN, /* u = v with the component across a near wall turned to m away from it, then brought to length m
                               */
    DUNLIN_BEHAVIOUR_FOLLOW_PATH, /* u = m·Δ/d, Δ to a point on a path and a little further along it, while the agent is about
                           to leave it: see dunlin_follow */
    DUNLIN_BEHAVIOUR_AVOID,  /* u = m·(h + s)/|h + s|, h the heading and s aside from an obstacle ahead: see dunlin_avoid */
    DUNLIN_BEHAVIOUR_VIEW,   /* u = m·s, s aside from those who are in the way of the view ahead: see dunlin_view_rule */
    DUNLIN_BEHAVIOUR_FORCE,  /* the force itself is dunlin_behaviour_def.force: gravity, say. max_force limits it only if given
                              */
    DUNLIN_BEHAVIOUR_DRAG,   /* the force is -(linear + quadratic·|v|)·v. max_force limits it only if given */
    DUNLIN_BEHAVIOUR_FLOW,   /* u = m·f/|f|, f a field's vector where the agent is, or will be; a zero vector steers nowhere */
    DUNLIN_BEHAVIOUR_WIND,   /* the force is f itself. max_force limits it only if given */
    DUNLIN_BEHAVIOUR_CUSTOM, /* the forces are a callback's, a tile at a time; neither weight nor max_force apply */
    DUNLIN_BEHAVIOUR_PAIRS,  /* the forces are a callback's, who gets a group of agents and those whom they may see; likewise */
    DUNLIN_BEHAVIOUR_COUNT
} dunlin_behaviour_kind;

typedef enum dunlin_target_kind {
    DUNLIN_TARGET_POINT = 0, /* a place, which may move */
    DUNLIN_TARGET_AGENT,     /* an agent of any species; while there is none of that id the behaviour does nothing */
    DUNLIN_TARGET_NEAREST,   /* the nearest other agent of a species, within dunlin_behaviour_def.radius; of several at the same
                                distance the one with the lowest id */
    DUNLIN_TARGET_CENTRE     /* the middle of all other agents of a species within that radius: their mean place (each at its
                                nearest image in a periodic world) and mean velocity */
} dunlin_target_kind;

/* SEEK, FLEE, ARRIVE, PURSUE, EVADE. A NEAREST and a CENTRE are each agent's own, and who sees none feels nothing. */
typedef struct dunlin_target {
    dunlin_target_kind kind; /* default DUNLIN_TARGET_POINT */
    float position[3];       /* POINT: world units, -1e9 .. 1e9; default the origin */
    float velocity[3]; /* POINT: world units a time unit, |component| <= 1e9; with every step from now on the position moves
                          by velocity·time_step, in a periodic world around it; default 0 */
    uint32_t agent;    /* AGENT: its id */
    int species;       /* NEAREST, CENTRE: whose agents, maybe the species' own; an agent is never its own target; default 0 */
} dunlin_target;

typedef enum dunlin_prediction {
    DUNLIN_PREDICTION_FIXED = 0,  /* t = time */
    DUNLIN_PREDICTION_BY_DISTANCE /* t = d / |v|, at most time: as long as the agent takes to get where the target is now */
} dunlin_prediction;

/* PURSUE, EVADE. */
typedef struct dunlin_pursuit {
    dunlin_prediction prediction; /* default DUNLIN_PREDICTION_FIXED */
    float time;                   /* time units, 0 .. 1e6; default 10 */
} dunlin_pursuit;

/*
 * WANDER: Reynolds' circle ahead of the agent, a sphere in 3D, and the point on it that is sought. An agent at rest has nothing
 * ahead: its circle is around itself. Where distance and radius cancel it steers nowhere.
 *
 * Reynolds lets the point take a random walk, which needs memory an agent. Here e passes through random directions instead,
 * evenly distributed and independent of each other, one every 1/jitter steps, and is a function of the world's seed, the
 * agent's id, the behaviour's number and the steps taken alone. In 2D its angle turns evenly from one to the next, the short
 * way: at most pi·jitter radians a step. In 3D it goes by way of the middle between the two: at most 4·jitter radians a step.
 * So it turns smoothly, forgets after two directions at the latest, and two behaviours of one species are independent.
 * Directions are of the world, not of the agent, whose heading is no complete frame in 3D: an agent turns towards e, where one
 * whose point kept its place beside the heading would circle.
 */
typedef struct dunlin_wander {
    float distance; /* world units, 0 .. 1e9: from the agent to the middle; default 10 */
    float radius;   /* world units, 1e-9 .. 1e9; default 5 */
    float jitter;   /* random directions a step, > 0, <= 1; 1: a new one in every step; default 0.05 */
} dunlin_wander;

typedef enum dunlin_corner {
    DUNLIN_CORNER_ALL = 0, /* all walls that are near count */
    DUNLIN_CORNER_LAST     /* only that across the last axis, z before y before x, as in sketches that look axis by axis */
} dunlin_corner;

/* CONTAIN. */
typedef struct dunlin_contain {
    float margin[3]; /* world units, 0 .. 1e9: who is nearer to this axis' two walls turns; < 0: it has no walls; default 0 */
    float low[3];    /* world units, -1e9 .. 1e9: where the walls stand; default 0 … */
    float high[3];   /* … and the world's size; above low */
    dunlin_corner corner; /* default DUNLIN_CORNER_ALL */
} dunlin_contain;

typedef enum dunlin_ahead_kind {
    DUNLIN_AHEAD_FIXED = 0, /* l = distance */
    DUNLIN_AHEAD_BY_SPEED   /* l = time·|v| */
} dunlin_ahead_kind;

/* A length l. */
typedef struct dunlin_ahead {
    dunlin_ahead_kind kind; /* default DUNLIN_AHEAD_FIXED */
    float distance;         /* FIXED: world units, 0 .. 1e9 */
    float time;             /* BY_SPEED: time units, 0 .. 1e6; default 10 */
} dunlin_ahead;

/* What stands for a segment a -> b where the foot of the perpendicular is not between a and b; and the direction from there. */
typedef enum dunlin_off_segment {
    DUNLIN_OFF_SEGMENT_CLAMP = 0, /* a or b, whichever is nearer to the foot; the segment's */
    DUNLIN_OFF_SEGMENT_END,       /* b, also where the foot is before a; the segment's: The Nature of Code, example 5.6 */
    DUNLIN_OFF_SEGMENT_NEXT       /* b; that of the segment after it, on an open path's last segment its own: exercise 5.13 */
} dunlin_off_segment;

/*
 * FOLLOW_PATH (D. Shiffman, "The Nature of Code", example 5.6, after Reynolds). p = x + l·v/|v| is where the agent is about to
 * be, l of `prediction`; at rest p = x. On each segment of the path the foot of the perpendicular from p is found, or what
 * off_segment puts in its stead; n is the nearest of them to p, the first of several. Where |p - n| is above the radius,
 * Δ = n + e·l - x, never across the edge, e the direction of n's segment (none where its ends are the same), l of `ahead`;
 * otherwise there is no force.
 */
typedef struct dunlin_follow {
    int path;                       /* default 0 */
    float radius;                   /* world units, 0 .. 1e9: half the width of the path; default 10 */
    dunlin_ahead prediction;        /* default 25 world units */
    dunlin_ahead ahead;             /* default 10 world units */
    dunlin_off_segment off_segment; /* default DUNLIN_OFF_SEGMENT_CLAMP */
} dunlin_follow;

/* FLOW, WIND. */
typedef struct dunlin_flow {
    int field;        /* its number; default 0 */
    float look_ahead; /* time units, 0 .. 1e6: f is that at x + v·look_ahead; default 0 */
} dunlin_flow;

/*
 * AVOID (Reynolds 1999, obstacle avoidance). Where the agent, were it to fly on as it does, would hit an obstacle grown by
 * agent_radius within look_ahead, it steers aside from the one it would hit first, of several at once from that which was added
 * first. With h = v/|v| and n the obstacle's outward normal where it would be hit, u = m·(h + s)/|h + s|, s the direction of
 * n - (n·h)·h, which for a ball is straight away from its centre, seen along h. Head on, where that is shorter than 1e-4, s is
 * to the left of h in 2D, (-hy, hx); in 3D it is the direction of (-hy, hx, 0) where |hz| < |hx|, otherwise of (0, -hz, hy).
 *
 * An agent that is inside already steers out, u = m·n, n the normal of the nearest place on the surface. At the middle of a
 * ball or a line, where there is no such, n is -h. At rest an agent looks nowhere. To pass along a surface is no hit; nor is,
 * in space, a line without a radius.
 */
typedef struct dunlin_avoid {
    float look_ahead;   /* time units, 0 .. 1e6; default 10 */
    float agent_radius; /* world units, 0 .. 1e9; default 0 */
} dunlin_avoid;

typedef struct dunlin_nest dunlin_nest;

/*
 * VIEW (after G. W. Flake, "The Computational Beauty of Nature", 1998, chapter 16, whose boids move sideways until nobody
 * blocks their view). S is the sum of Δ over all others of a species who are within dunlin_behaviour_def.radius and no more
 * than `angle` from the agent's heading h = v/|v|, and n = S/|S|. u = m·s, s the direction of -(n - (n·h)·h): straight away
 * from where they mostly are, seen along h. Straight ahead, where that is shorter than 1e-4, s is to the right of h in 2D, (hy,
 * -hx); in 3D it is the direction of (hy, -hx, 0) where |hz| < |hx|, otherwise of (0, hz, -hy). Where S is 0 nobody is in the
 * way, nor is anybody in that of an agent at rest.
 */
typedef struct dunlin_view_rule {
    int observed; /* species index, maybe the agent's own; default 0 */
    float angle;  /* radians, > 0, <= pi: half of the field that is to be free; default pi/4 */
} dunlin_view_rule;

/* A stretch of a species' agents in the frozen snapshot, where their forces go, and who dies. Valid during the call only. */
typedef struct dunlin_tile {
    int species;
    uint32_t count;                                /* agents, >= 1 */
    const float *position[3];                      /* [dimensions][count] world units; [2] is NULL in 2D */
    const float *velocity[3];                      /* [dimensions][count] world units a time unit */
    const uint32_t *id;                            /* [count] */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES]; /* [count] each, by the attribute's number; NULL where there is none */
    float *next_attribute[DUNLIN_MAX_ATTRIBUTES];  /* [count] each, or NULL where there is none: what they will be after this
                                                      step; so far, what they are or what callbacks before have made of them.
                                                      After the call each is brought into its role's range, and a NaN becomes the
                                                      value before the step */
    float *force[3];         /* [dimensions][count] velocity a time unit, so far; add to it. Finite, |component| <= 1e18 */
    uint8_t *dies;           /* [count] set to 1, the agent is gone after this step, in which it is still seen and moved; all 0
                                for the first callback of a step, and shared by all of the species' */
    uint64_t step;           /* steps taken before this one; a step that failed is taken again */
    const dunlin_nest *nest; /* the engine's, for dunlin_tile_spawn() */
} dunlin_tile;

/*
 * Called for every tile of the species in every step, from many threads at once, each tile from one: it may write the tile's
 * forces and `dies` and nothing that another call reads or writes. How agents are cut into tiles is the engine's; for the same
 * bits with every thread count, what is added to an agent, and whether it dies or has children, must follow from that agent,
 * `user` and the step alone.
 */
typedef void dunlin_tile_fn(void *user, const dunlin_tile *tile);

/*
 * A child of the tile's agent number `parent`, 0 .. count - 1, to be born when the step ends, whether or not the parent then
 * dies. It is of any species of the world; position[dimensions] and velocity[dimensions] are of the same range as a batch's and
 * are where and how it is after the step: it neither moves nor is seen in it. attribute: a number for each that its species
 * has, of that one's range; or NULL: drawn as they say. Children are appended behind all who are left, in the order of their
 * parents' species, then of the parents' slots, then of the calls, and so their ids ascend. Neither threads nor tiles change
 * that.
 *
 * A value that is refused is an error of this call alone: nobody is born of it, and the step goes on. Where there is no memory
 * for the child, the step fails. From inside a dunlin_tile_fn only, with its own tile.
 */
DUNLIN_API dunlin_result dunlin_tile_spawn(const dunlin_tile *tile, uint32_t parent, int species, const float *position,
                                           const float *velocity, const float *attribute, dunlin_error *error);

/* Consecutive slots of the observed snapshot. */
typedef struct dunlin_run_view {
    uint32_t begin, end; /* [begin, end), begin < end */
    bool folds;          /* in a periodic world: an offset of more than half the size, either way, is to a farther image */
} dunlin_run_view;

/*
 * A few agents of a species in the frozen snapshot, those whom they may see, and where their forces go. The runs together hold
 * everyone of the observed species within dunlin_behaviour_def.pairs.radius of any of these agents, each once, in ascending
 * order, themselves included where they observe their own kind, and others who are farther: test the distance. Valid during
 * the call only.
 */
typedef struct dunlin_group_view {
    int species, observed;    /* their numbers */
    uint32_t first, count;    /* these agents are slots [first, first + count) of the snapshot; 1 .. 16 of them */
    const float *position[3]; /* [dimensions][slot] world units: the whole snapshot of the species; [2] is NULL in 2D */
    const float *velocity[3]; /* [dimensions][slot] world units a time unit */
    const uint32_t *id;       /* [slot] */
    const float *observed_position[3]; /* the same of the observed species: the same arrays where they observe their own kind */
    const float *observed_velocity[3];
    const uint32_t *observed_id;
    const float *attribute[DUNLIN_MAX_ATTRIBUTES]; /* [slot] each, by its number; NULL where there is none */
    const float *observed_attribute[DUNLIN_MAX_ATTRIBUTES];
    const dunlin_run_view *runs; /* [run_count] */
    uint32_t run_count;
    float size[3];                                /* world units: of the world */
    float *force[3];                              /* [dimensions][count] as in dunlin_tile: force[a][k] is of slot first + k */
    float *next_attribute[DUNLIN_MAX_ATTRIBUTES]; /* [count] as in dunlin_tile, of slot first + k likewise */
    uint64_t step;                                /* steps taken before this one */
} dunlin_group_view;

/*
 * Called for every group of the species in every step, from many threads at once. How agents are cut into groups follows from
 * the kernel, and who is in the runs besides those in sight from the group: for the same bits with every kernel, what is added
 * to an agent must be summed over those within the radius alone, in the order of the runs.
 */
typedef void dunlin_group_fn(void *user, const dunlin_group_view *group);

/* PAIRS. */
typedef struct dunlin_pairs {
    int observed;              /* species index; default 0 */
    float radius;              /* world units, 1e-9 .. 1e9; default 1 */
    dunlin_group_fn *callback; /* not NULL */
} dunlin_pairs;

typedef struct dunlin_behaviour_def {
    int cookie;                 /* set by dunlin_behaviour_def_default() */
    dunlin_behaviour_kind kind; /* set by dunlin_behaviour_def_default() */
    int species;                /* who behaves so; default 0 */
    float weight;               /* -1e6 .. 1e6; default 1 */
    float max_force;            /* velocity a time unit, 0 .. 1e9; or < 0, the default: the species' */
    bool negate_force;          /* turn the finished force around, as some sketches flee; default false */
    float radius;               /* world units, >= 0: only who is no further from the target; INFINITY, the default: everyone.
                                   NEAREST, CENTRE, VIEW: 1e-9 .. 1e9, how far they look, and there is no default */
    dunlin_target target;
    float slowing_radius; /* ARRIVE: world units, > 0, <= 1e9; default 10 */
    dunlin_pursuit pursuit;
    dunlin_wander wander;
    dunlin_contain contain;
    dunlin_follow follow;
    dunlin_avoid avoid;
    dunlin_view_rule view;
    float force[3];       /* FORCE: velocity a time unit, |component| <= 1e9; default 0 */
    float linear_drag;    /* DRAG: 1 / time unit, 0 .. 1e6; default 0 */
    float quadratic_drag; /* DRAG: 1 / world unit, 0 .. 1e6; default 0 */
    dunlin_flow flow;
    dunlin_tile_fn *custom; /* CUSTOM: not NULL */
    dunlin_pairs pairs;
    void *user; /* CUSTOM, PAIRS: handed to the callback; must live as long as the world */
} dunlin_behaviour_def;

/* Defaults for this world and kind, which are the only way to make a valid dunlin_behaviour_def. */
DUNLIN_API dunlin_behaviour_def dunlin_behaviour_def_default(const dunlin_world *world, dunlin_behaviour_kind kind);

/*
 * Adds a behaviour. A species may have any number, of one kind several. Forces are summed in the order in which behaviours were
 * added, after those of all interactions. *behaviour receives its number: 0 for the world's first, then 1, … It may be NULL.
 */
DUNLIN_API dunlin_result dunlin_world_add_behaviour(dunlin_world *world, const dunlin_behaviour_def *def, int *behaviour,
                                                    dunlin_error *error);

DUNLIN_API int dunlin_world_behaviour_count(const dunlin_world *world);

/* The definition of a behaviour, its target where it is now. Out of range: a zeroed struct. */
DUNLIN_API dunlin_behaviour_def dunlin_world_get_behaviour(const dunlin_world *world, int behaviour);

/* Removes a behaviour, between steps; the numbers of later ones drop by one, and they wander by their new numbers. An attribute
 * that weighs it is an error. */
DUNLIN_API dunlin_result dunlin_world_remove_behaviour(dunlin_world *world, int behaviour, dunlin_error *error);

/* Replaces a behaviour, between steps. Its place in the order stays. One that an attribute weighs
 * (DUNLIN_ROLE_BEHAVIOUR_WEIGHT) must stay with its species, and cannot become a callback. A target that is as
 * dunlin_world_get_behaviour() says goes on to the same bits. Allocates nothing, but where one calls back or looks at others
 * (CUSTOM, PAIRS, VIEW, a NEAREST, a CENTRE), before or from now on, the next step may. */
DUNLIN_API dunlin_result dunlin_world_set_behaviour(dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                                    dunlin_error *error);

/* ---- meals ------------------------------------------------------------------------------------------------------------ */

/*
 * Who eats whom. In every step each agent of the food with an eater in reach, both where they are in the snapshot, is eaten by
 * the one with the lowest id of these, and is gone after the step, in which it is still seen and moved. An eater may eat
 * several. Of several meals the first that finds an eater counts, and who dies by a callback in the step is not eaten.
 */
typedef struct dunlin_meal_def {
    int cookie;   /* set by dunlin_meal_def_default() */
    int eater;    /* species index; default 0 */
    int food;     /* species index, another one; default 1 */
    float radius; /* world units, 1e-9 .. 1e9: the reach; one at exactly the radius is eaten; default 1 */
    int energy; /* number of the eater's attribute, of role DUNLIN_ROLE_VALUE, to which each one eaten adds; or -1, the default:
                   none */
    float gain; /* what is added, -1e6 .. 1e6; default 1. The sum ends at ±1e30, as far as a DUNLIN_ROLE_VALUE goes */
    int worth; /* number of the food's attribute, of role DUNLIN_ROLE_VALUE, that is multiplied by gain and added instead, as it
                  was before the step; or -1, the default: none */
} dunlin_meal_def;

DUNLIN_API dunlin_meal_def dunlin_meal_def_default(void);

/* Adds a meal. *meal receives its number: 0 for the world's first, then 1, … It may be NULL. */
DUNLIN_API dunlin_result dunlin_world_add_meal(dunlin_world *world, const dunlin_meal_def *def, int *meal, dunlin_error *error);

DUNLIN_API int dunlin_world_meal_count(const dunlin_world *world);

/* The definition of a meal. Out of range: a zeroed struct. */
DUNLIN_API dunlin_meal_def dunlin_world_get_meal(const dunlin_world *world, int meal);

/* Removes a meal, between steps; the numbers of later ones drop by one. */
DUNLIN_API dunlin_result dunlin_world_remove_meal(dunlin_world *world, int meal, dunlin_error *error);

/* Replaces a meal, between steps; the next step may allocate. */
DUNLIN_API dunlin_result dunlin_world_set_meal(dunlin_world *world, int meal, const dunlin_meal_def *def, dunlin_error *error);

/* ---- what a flock looks like ------------------------------------------------------------------------------------------ */

typedef struct dunlin_metrics {
    uint64_t agents;
    double polarization; /* |mean heading|, 0 .. 1; a resting agent has no heading and counts as 0 */
    double rotation;     /* milling: |mean of r x heading|, r the unit vector from the centre of mass (in a periodic world: of
                            the circular mean), 0 .. 1; Couzin et al., J. Theor. Biol. 218, 1 (2002) */
    double mean_speed;   /* world units a time unit */
    double mean_neighbours;  /* neighbours of the same species within the radius below */
    double neighbour_radius; /* world units: the widest radius with which the species observes itself; 0 where it doesn't */
    double mean_nearest;     /* world units: mean distance to the nearest of the same species; NaN where nobody has another
                                within 1e19, so for fewer than two agents */
    uint64_t outside; /* agents outside the world (and its margin): 0. Not counted in an open world, which has no outside, and
                         where the boundary comes first, whose states between steps may lie outside */
} dunlin_metrics;

/*
 * Measures the present state of a species. O(agents) for anything that looks like a flock. The same numbers for every thread
 * count and kernel. Not const: it uses the world's spare buffer; views stay valid.
 */
DUNLIN_API dunlin_result dunlin_world_measure(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/* ---- state files ------------------------------------------------------------------------------------------------------ */

/*
 * Writes the state: a table in CSV, below a preamble of lines that begin with "# ", which other programs can skip as comments.
 *
 *     # dunlin state 1
 *     # seed 42
 *     # step 37
 *     # time 18.5               only where the time step has changed: the time that has passed
 *     # next_id 1234            only where agents have died: the id after all that there have been, …
 *     # spent_ids 1200          … and what that was when the last one died, if agents have been born since
 *     # target 2 12.5 30 at 37  each behaviour with a target that moves: its number, from where it moves on, and since when
 *     # agents 20012
 *     id,species,x,y,vx,vy,energy
 *
 * Then a row for each agent, `id,species,x,y[,z],vx,vy[,vz]` and a column for every name that attributes have, empty for a
 * species without it, in storage order, one species after another. Binary32 has nine significant digits, binary64 seventeen.
 *
 * What is saved and loaded into an empty world of the same definitions, as they are now, continues bit for bit, the ids of the
 * born included.
 *
 * A file that is there is replaced whole or not at all: the state is written to a new file in its folder, synced to the disk,
 * and put in its place, with the mode of the file that was there, and the folder is synced. If this fails, or the program or
 * the machine ends in the middle, the old file is as it was. So the folder must be writable. A link stays, and the file that it
 * leads to is replaced. Some things cannot be replaced, and are written directly: a pipe or a device, a file that is a mount
 * point, another user's file in a sticky folder such as /tmp, and the file that standard output or standard error goes to.
 */
DUNLIN_API dunlin_result dunlin_world_save(const dunlin_world *world, const char *path, dunlin_error *error);

/*
 * Spawns the agents of a state file, in the order of its rows. A world that has no agents goes on from the file's step and
 * time, and its moving targets from where they were. The state's seed must equal the world's; to go on with another seed, load
 * the state into a world with the state's, and change that with dunlin_world_set_def(). A `next_id`, above all of the file's
 * ids, counts as if an agent had just died at it, or at `spent_ids`: see dunlin_batch.ids, which holds for rows, too.
 *
 * Columns are found by their names, in any order; `species` may be left out when the world has one, and attributes, which are
 * then drawn. A table without a preamble holds agents alone: the world's step stays, and it does not show whether the table was
 * cut.
 *
 * Lines end with a line feed, or with a carriage return and a line feed; blank ones are skipped, up to a million. A line has at
 * most 65536 bytes, and `step` is at most 2^53. The memory it takes grows with the rows, not with the file. Mistakes are
 * reported with file and line, and nothing is spawned.
 */
DUNLIN_API dunlin_result dunlin_world_load(dunlin_world *world, const char *path, dunlin_error *error);

/* What a state file's preamble says. */
typedef struct dunlin_state_info {
    bool has_preamble; /* false: the file is a table of agents alone, and the rest is 0 */
    uint64_t seed;     /* of the world that it was saved from */
    uint64_t step;     /* steps taken, 0 .. 2^53 */
    double time;       /* time units that have passed; or below 0: step·time_step */
    uint64_t agents;   /* of all species together */
} dunlin_state_info;

/* Reads a state file's preamble and nothing more: neither a world's definitions nor the table's rows are looked at. On failure
 * *info is zeroed. Thread-safe. */
DUNLIN_API dunlin_result dunlin_state_read_info(const char *path, dunlin_state_info *info, dunlin_error *error);

/* ---- numbers for callers ---------------------------------------------------------------------------------------------- */

/*
 * For callbacks, and for callers who set parameters between steps: the same bits on every machine, which libm does not promise.
 */

/*
 * Four even random numbers in [0, 1), multiples of 2^-24: a function of seed, agent's id, step and `stream` alone, which tells
 * apart what is drawn for one agent in one step (0 .. 2^24 - 1; more counts modulo that). The engine itself draws none of them.
 * Philox 4x32-10, Salmon et al., SC 2011. Thread-safe.
 */
DUNLIN_API void dunlin_draw(uint64_t seed, uint32_t id, uint64_t step, uint32_t stream, float numbers[4]);

/* sin(2·pi·turns), -1 .. 1, no further than 1e-7 from it where 1/4 turn is not lost in the number's own rounding. Infinite or
 * NaN: 0. */
DUNLIN_API float dunlin_sine_of_turns(double turns);

/*
 * Gradient noise that changes smoothly with time, -1 .. 1 and mostly within ±0.6, about one swing a unit of time: that of
 * DUNLIN_FIELD_NOISE with three axes, along the line (time, 1/3, 2/3), its octaves (1 .. 8) doubled likewise. Another seed,
 * another noise. Where octaves are out of range, or time is infinite or NaN: 0.
 */
DUNLIN_API float dunlin_noise_over_time(uint64_t seed, int octaves, double time);

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

/* A variant of the inner loops. All kernels give the same bits. Strings have static storage. */
typedef struct dunlin_kernel_info {
    const char *name;        /* what dunlin_world_def.kernel takes */
    const char *description; /* instruction set, in words */
    int lanes;               /* agents a group, >= 1 */
    bool runs_here;          /* this machine has its instructions */
} dunlin_kernel_info;

/* How many kernels this library carries, whether or not they run here. */
DUNLIN_API int dunlin_kernel_count(void);

/* The kernel at `position`, 0 <= position < dunlin_kernel_count(); slow before fast. Out of range: a zeroed struct. */
DUNLIN_API dunlin_kernel_info dunlin_kernel_at(int position);

/* The position of the kernel of that name, or of the one that "auto" chooses here; -1: there is none. NULL: -1. */
DUNLIN_API int dunlin_kernel_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
