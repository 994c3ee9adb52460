/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Dunlin: flocks of millions.
 *
 * A world holds species, and a species holds agents. An interaction says which species observes which, and by which rules.
 * dunlin_world_step() moves all agents by one time step. Every agent sees a frozen snapshot of the others, so the order in
 * which agents are processed does not matter. After n steps the state has the same bits for every kernel, every number of
 * threads and every machine.
 *
 *     dunlin_world_def def = dunlin_world_def_default();
 *     dunlin_world *world = NULL;
 *     dunlin_error error;
 *     if (dunlin_world_create(&def, &world, &error) != DUNLIN_OK) puts(error.message);
 *
 * Its parts stand in the order in which a program needs them: world, species, agents, interactions, step, statistics; then
 * attributes, paths, fields, obstacles, callbacks, behaviours, meals, measurements, surveys, state files, kernels.
 *
 * **Units.** Lengths are in world units and times in time units, both of the caller's choice. Velocities are in world units per
 * time unit, angles in radians. Coordinates run from 0 to dunlin_world_def.size. Vectors are structures of arrays: [0] points
 * to all x, [1] to all y, [2] to all z. In a 2D world [2] is not read.
 *
 * **Numbers of things.** Every dunlin_world_add_...() numbers what it adds: 0 for the first of its kind, then 1, and so on. Its
 * last argument but one receives the number, unless it is NULL. dunlin_world_get_...(), _set_...() and _remove_...() take this
 * number. Removing a thing lowers all higher numbers of its kind by one. The engine updates the numbers in its own definitions;
 * the caller updates those in callbacks and variables. Removing a thing that is still in use is an error that names its user.
 * After a removal the world has the same future as a world that never had the thing, given the same agents and clock. For a
 * number that does not exist, get functions and views return a zeroed struct.
 *
 * **Errors.** Every function that can fail returns a dunlin_result. If `error` is not NULL, the function fills it with a
 * message that names the field, its value and what is allowed. After a failure the world is as it was before the call. After a
 * success `error` holds nothing of use. The library itself never ends the process and never prints. NULL is allowed only where
 * this header says so. A world must never be NULL. Functions that return a dunlin_result report any other NULL as an error.
 *
 * **Changes.** Change a world between steps, never in callbacks. After definitions have changed, the next step may allocate
 * memory; the steps after it allocate nothing.
 *
 * **Callbacks** are the functions of the caller's that a world calls: those of behaviours, its executor, its transport, and
 * those that take or give bytes. They may read the world's definitions, by dunlin_world_get_...(), _find_species(),
 * _find_attribute() and ..._count(), except dunlin_world_agent_count(); its statistics, clock, generation and fingerprint; and
 * its views of fields, traces and obstacles. Functions that take bytes may also read everything else. All other functions of
 * the same world fail in a callback. Those that cannot fail, such as dunlin_world_view() and dunlin_world_destroy(), do nothing
 * and give 0; then the step, or the next one, fails and names them.
 *
 * A callback that cannot do its work calls dunlin_world_fail().
 *
 * A callback must return: it must not be left by an exception or longjmp(). After an exception all functions of the world fail
 * and say so, and it can only be destroyed; with several threads the process may end. After longjmp() it cannot be destroyed
 * either.
 *
 * **Floating-point mode.** A host may round as it likes, flush denormals to zero, or let exceptions trap (feenableexcept()):
 * every function computes in a mode of its own, and leaves the mode and the exception flags of the thread as they were.
 * Callbacks run in the engine's mode, which rounds to nearest, flushes nothing and never traps; a callback that changes it must
 * restore it. What a callback computes still depends on how it was compiled: with -ffast-math it may differ between machines.
 *
 * **Threads.** The library has no global state, so different threads may use different worlds at the same time. Only one thread
 * may use a world at a time, except that functions that take a `const dunlin_world *` may run at the same time as each other.
 * The world's executor decides which threads share its work: see dunlin_world_def.executor. If the system cannot create as many
 * threads as a world asks for, the world uses fewer, with the same state: see dunlin_stats.threads.
 *
 * **Unloading.** OpenMP's threads outlive the last world. So the shared library stays in memory when dlclose() closes it, or a
 * plugin that uses it. A plugin with the static library in it must stay, too: link it with -Wl,-z,nodelete, as CMake's target
 * dunlin::dunlin_static and `pkg-config --static` do. Destroy a plugin's worlds before it is closed.
 *
 * **Locale.** Numbers in files and messages have a decimal point, whatever the host's locale is.
 *
 * **ABI.** Versions follow semantic versioning. The SONAME carries the major version, or 0.minor while the major version is 0:
 * a program runs with every library of the same SONAME that is not older than the one it was built with. Within one SONAME
 * functions and enumerators may be added, so a ..._COUNT may grow; nothing else changes. If a struct changes in a new SONAME,
 * so does its cookie, and a definition from an older header is an error and not a misread struct. So make definitions with
 * their default functions only, and do not store data whose layout depends on a ..._COUNT.
 */
#ifndef DUNLIN_H
#define DUNLIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The header's major version; dunlin_version() is the library's version. */
#define DUNLIN_VERSION_MAJOR 0
/** The header's minor version. */
#define DUNLIN_VERSION_MINOR 1
/** The header's patch version. */
#define DUNLIN_VERSION_PATCH 0

/** Before every function that the library exports. */
#if defined(_WIN32) || defined(DUNLIN_STATIC)
#define DUNLIN_API
#else
#define DUNLIN_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ----------------------------------------------------------------------------------------------------------- */

/** The result of a function that can fail. */
typedef enum dunlin_result {
    DUNLIN_OK = 0,            /**< Success. */
    DUNLIN_ERROR_VALUE,       /**< An argument or a field is out of its range. */
    DUNLIN_ERROR_FILE,        /**< A file cannot be read or written, or its contents are not allowed. */
    DUNLIN_ERROR_MEMORY,      /**< There is not enough memory. */
    DUNLIN_ERROR_UNSUPPORTED, /**< The kernel, index or executor is unknown, or cannot run on this machine. */
    DUNLIN_ERROR_CALLBACK     /**< A callback has failed: see dunlin_world_fail(). */
} dunlin_result;

/** Why a function failed. */
typedef struct dunlin_error {
    dunlin_result code; /**< What the function returned. */
    char message[320];  /**< One line without a newline or a final full stop; always terminated. */
} dunlin_error;

/** The library's version, such as "0.1.0". Static storage; thread-safe. */
DUNLIN_API const char *dunlin_version(void);

/* ---- the world -------------------------------------------------------------------------------------------------------- */

/** A world with all that it holds. Only the library looks inside. */
typedef struct dunlin_world dunlin_world;

/** What happens at the edges of the world. */
typedef enum dunlin_boundary {
    /** A torus: an agent that leaves on one side enters on the other, and agents see each other across the edge. An agent that
     * moves farther than the world's size in one step ends on the edge. */
    DUNLIN_BOUNDARY_PERIODIC = 0,
    DUNLIN_BOUNDARY_TELEPORT, /**< An agent that leaves on one side enters on the other; agents do not see across the edge. */
    /** The edge mirrors position and velocity once. An agent that would still be outside ends on the edge. */
    DUNLIN_BOUNDARY_REFLECT,
    DUNLIN_BOUNDARY_OPEN /**< There is no edge. */
} dunlin_boundary;

/** How an agent moves in one step. */
typedef enum dunlin_integrator {
    DUNLIN_INTEGRATOR_SEMI_IMPLICIT = 0, /**< The position moves with the new velocity. */
    DUNLIN_INTEGRATOR_EXPLICIT           /**< The position moves with the old velocity. */
} dunlin_integrator;

/** One worker's part of parallel work. `job` is what the executor received, and `worker` is the worker's number. Any thread may
 * call it. */
typedef void dunlin_work_fn(void *job, uint32_t worker);

/**
 * An executor of the caller's own, for programs that have a job system. It calls work(job, worker) once for each worker from 0
 * to workers - 1, on any threads, in any order, at the same time or one after another, and returns when all these calls have
 * returned. Workers help each other, so the executor may leave out all calls but one: those that remain do the whole work.
 * `workers` is from 2 to dunlin_world_def.threads. A worker number that is too large, or that is at work already, does nothing,
 * and the step, or the next one, fails. As usual for jobs, a call must see what was written before the executor
 * began, and the thread that called the executor must see what the calls wrote.
 *
 * A world calls its executor several times per step, one call at a time, from the thread that called the world's function.
 * Worlds that share an executor may call it at the same time. The executor must not use the world, except that it may fail by
 * dunlin_world_fail(), and must return as usual then. `context` is
 * dunlin_world_def.run_context; what it points to must outlive the world.
 */
typedef void dunlin_run_fn(void *context, uint32_t workers, dunlin_work_fn *work, void *job);

/**
 * The definition of a world.
 *
 * Executors run a world's parallel work. The state has the same bits with each of them.
 *
 * "openmp" uses OpenMP's threads, if the library was built with OpenMP, which keeps threads for each thread that steps worlds.
 * A step is one parallel region of OpenMP's. Where other programs keep its threads from running, so that OpenMP waits for them,
 * steps run on the calling thread for a while. OpenMP's threads spin for some milliseconds before they sleep, as
 * OMP_WAIT_POLICY says, but only between steps. OpenMP ends the process if it must create threads and cannot; this may happen
 * after worlds with other numbers of threads, or parallel regions of the caller's, have run on that thread. Inside a parallel
 * region of the caller's a world uses one thread, unless OpenMP is told to nest. OpenMP's threads do not survive fork(), not
 * even those that only the parent's own regions used: in a child process "auto" never takes "openmp", which is an error there,
 * and a world of the parent's goes on with one thread.
 *
 * "pthreads" uses threads of the world's own. The world creates them when it first needs them; they sleep while there is no
 * work, and end with the world. They may run wherever the process may, even if OpenMP has bound the thread that creates them.
 * On Linux a child process may use the world after fork(), where it creates new ones.
 *
 * "serial" uses only the calling thread. "custom" is the caller's own executor, the function `run`.
 */
typedef struct dunlin_world_def {
    int cookie;     /**< Set by dunlin_world_def_default(). */
    int dimensions; /**< 2 or 3; default 2. */
    /** World units, 1e-9 .. 1e9; default 100 on each axis. An open world has no edges; its size only sets defaults, such as
     * where agents are scattered. */
    float size[3];
    dunlin_boundary boundary; /**< Default DUNLIN_BOUNDARY_PERIODIC. */
    /** TELEPORT only: an agent moves this far beyond the edge, and then enters this far beyond the opposite edge. World units,
     * 0 .. 1e9; default 0. */
    float margin;
    /** TELEPORT only, with margin 0: an agent enters as far inside the world as it ran beyond the edge, at most as far as the
     * opposite edge. Default false: it enters exactly on the edge. */
    bool keep_overshoot;
    /** TELEPORT and REFLECT only: the boundary applies at the start of the next step, before agents see each other, so agents
     * may be outside the world between steps. Default false. */
    bool boundary_first;
    dunlin_integrator integrator; /**< Default DUNLIN_INTEGRATOR_SEMI_IMPLICIT. */
    float time_step;              /**< Time units, > 0, <= 1e6; default 1. Numbers "per step" do not depend on it. */
    bool forces_are_increments;   /**< Forces are added to velocities without a factor time_step. Default false. */
    uint64_t seed;                /**< The seed of all random numbers that the world draws; default 1. */
    /** The number of workers, 1 .. 1024. 0, the default: one for "serial", an error for "custom", and for "openmp" and
     * "pthreads" one per processor that the process may use: those of its affinity mask, in which a container's cpuset is
     * contained, and no more than its control groups' quota of time (cpu.max, or cpu.cfs_quota_us), rounded up. But
     * OMP_NUM_THREADS and omp_set_num_threads() have priority for "openmp". With 0 a small flock may use fewer of them: its
     * first steps measure with how many it runs fastest. */
    int threads;
    /** "openmp", "pthreads", "serial", "custom", or "auto", the default: "custom" if `run` is not NULL, otherwise the first of
     * the others that the library has. Read during create only. */
    const char *executor;
    dunlin_run_fn *run; /**< "custom" only: the executor; default NULL. */
    void *run_context;  /**< What `run` gets as its context; default NULL. */
    /** "auto", the default, or a name from dunlin_kernel_at(). With "auto" the world measures in its first steps which kernel
     * is the fastest for its flock: parts of the flock take turns. It measures again when the work has doubled or halved, and
     * after some thousand steps. All these kernels give the same bits. Read during create only. */
    const char *kernel;
    /** How the world finds neighbours: "grid", "tree" or "brute" (all pairs). All find the same neighbours, but each stores
     * agents in its own order (brute: in the order of spawning) and adds up sums in this order, so states may differ in the
     * last bits. The default "auto" takes the grid, or in an open world, in each step, the one that suits the agents'
     * positions. See docs/indices.md. Read during create only. */
    const char *index;
} dunlin_world_def;

/** The defaults. */
DUNLIN_API dunlin_world_def dunlin_world_def_default(void);

/**
 * Creates an empty world in *world; dunlin_world_destroy() frees it. On failure *world is NULL. A kernel that is unknown or
 * cannot run on this machine is an error that lists the kernels that can. The library never takes another one silently.
 */
DUNLIN_API dunlin_result dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error);

/** Frees the world and everything that its views point to. NULL is allowed. In a callback of the world it does nothing. */
DUNLIN_API void dunlin_world_destroy(dunlin_world *world);

/** The present definition. `threads`, `executor`, `kernel` and `index` say what the world chose, `kernel` so far; the strings
 * are static. */
DUNLIN_API dunlin_world_def dunlin_world_get_def(const dunlin_world *world);

/**
 * Changes the world. Start from the definition that dunlin_world_get_def() returns. dimensions, threads, executor, run,
 * run_context, kernel and index must stay as they are; threads 0 and the name "auto" count as unchanged. An agent that would be
 * outside the new world is an error that names it. O(agents).
 *
 * Agents and moving targets stay where they are. Time goes on: after a change of time_step, moving targets and changing noise
 * go on at the new pace, and dunlin_stats.time is the sum of the time steps. Numbers in other definitions stay as they are,
 * even defaults that came from the world's size or seed: the walls of DUNLIN_BEHAVIOUR_CONTAIN, the place of a field, and the
 * contents and seed of its source. Wander, and agents that are scattered later, use the new seed.
 */
DUNLIN_API dunlin_result dunlin_world_set_def(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error);

/* ---- species ---------------------------------------------------------------------------------------------------------- */

#define DUNLIN_MAX_SPECIES    64      /**< The maximum number of species per world. */
#define DUNLIN_NAME_LENGTH    64      /**< The maximum length of a name in bytes, including the terminator. */
#define DUNLIN_MAX_ATTRIBUTES 8       /**< The maximum number of attributes per species. */
#define DUNLIN_MAX_GROUPS     1048576 /**< The maximum number of groups per species. */

/**
 * Groups that split and merge: before every so many steps, groups become the flocks that are there. A flock is a connected
 * component, as in dunlin_survey_components(), of at least min_agents; agents of smaller ones stay in their groups.
 *
 * Each flock prefers the group that most of its agents are in, of equal ones that with the minimum number. Flocks choose in the
 * order of their sizes, the largest first, of equal ones that with the minimum id. A flock whose preferred group has been taken
 * gets the minimum number that no flock prefers and no small one needs; if all numbers are in use, it stays in its preferred
 * group, together with the flock that has taken it. So the largest part of a group that splits keeps its number, and the
 * largest of groups that merge gives its number to all.
 */
typedef struct dunlin_regroup {
    int every;    /**< Steps, 0 .. 1e9: before every step whose number is a multiple, but not step 0; 0, the default: never. */
    float radius; /**< World units, 1e-9 .. 1e9: agents at most this far apart belong together; default 1. */
    int min_agents; /**< 1 .. 1e9; default 1. */
} dunlin_regroup;

/** The definition of a species. */
typedef struct dunlin_species_def {
    int cookie; /**< Set by dunlin_species_def_default(). */
    /** 1 .. 63 bytes without comma, quote or control character, unique in the world; copied. Default "agents". */
    const char *name;
    /** World units per time unit, 0 .. max_speed; default 0. It does not apply to an agent at rest, which has no direction. */
    float min_speed;
    float max_speed; /**< World units per time unit, 0 .. 1e9; default 1. With 0, agents are at rest after their first step. */
    /** Velocity per time unit, 0 .. 1e9; default 0.1. Limits the force of each rule with DUNLIN_RESPONSE_STEER, and of each
     * behaviour that steers and has no max_force of its own. */
    float max_force;
    float drag; /**< 0 .. 1, per step: the fraction of its velocity that an agent loses after the speed limits; default 0. */
    bool obstacles_block; /**< Agents cannot pass through obstacles: see dunlin_obstacle_def. Default false. */
    float clearance;      /**< World units, 0 .. 1e9: agents stop at this distance from obstacles that block them; default 0. */
    /** How many groups the species' agents may belong to, 0 .. DUNLIN_MAX_GROUPS; default 0. An attribute of DUNLIN_ROLE_GROUP
     * says to which one each agent belongs. It cannot fall to the number of a group that has agents, nor to 0 while the species
     * has such an attribute, or a behaviour aims at its groups. */
    int groups;
    /**
     * The agents of this species are *bodies*: each stands for a group of that species. -1, the default: they are agents like
     * others. The species needs an attribute of DUNLIN_ROLE_BODY, and the other one groups; it may be bodies itself, so that
     * creatures consist of creatures.
     *
     * The engine keeps one body for each group that has agents: before a step, a body is born at the end of the storage for
     * every group that lacks one, and bodies of empty groups die, as do all bodies of a group but that with the minimum id.
     * Neither counts in dunlin_stats. So a body that meals or callbacks kill is born anew while its group has agents.
     *
     * After a step, and after dunlin_world_make_bodies(), a body is at its group's centre, with its group's mean velocity (see
     * dunlin_group_sums). Bodies follow the rules and behaviours of their own species; the force that they feel moves their
     * groups' agents if these have a DUNLIN_BEHAVIOUR_BODY. It cannot change while a behaviour relies on it.
     */
    int body_of;
    dunlin_regroup regroup; /**< How groups split and merge. */
} dunlin_species_def;

/** The defaults. */
DUNLIN_API dunlin_species_def dunlin_species_def_default(void);

/** Adds a species without agents. */
DUNLIN_API dunlin_result dunlin_world_add_species(dunlin_world *world, const dunlin_species_def *def, int *species,
                                                  dunlin_error *error);

/** The number of species. */
DUNLIN_API int dunlin_world_species_count(const dunlin_world *world);

/** The definition of a species. `name` stays valid until the species is removed, and changes when the species gets another
 * name. */
DUNLIN_API dunlin_species_def dunlin_world_get_species(const dunlin_world *world, int species);

/** Replaces the definition of a species, including its name. Its agents stay as they are; the next step limits their speeds.
 * Allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_set_species(dunlin_world *world, int species, const dunlin_species_def *def,
                                                  dunlin_error *error);

/** Removes a species with its agents and attributes. A species that an interaction, a behaviour, a meal or a trace uses, or
 * whose groups have bodies, is an error. The ids of its agents are not used again. */
DUNLIN_API dunlin_result dunlin_world_remove_species(dunlin_world *world, int species, dunlin_error *error);

/** The number of the species with that name; -1 if there is none or `name` is NULL. */
DUNLIN_API int dunlin_world_find_species(const dunlin_world *world, const char *name);

/* ---- agents ----------------------------------------------------------------------------------------------------------- */

/** The maximum number of agents per species. A world has 4294967295 ids, 0 .. 4294967294, for all agents that it ever has. */
#define DUNLIN_MAX_AGENTS 4294966783u

/** New agents. The arrays are read during the call only. They may belong to the view of another species, but not to the
 * species' own view, because its arrays may move. */
typedef struct dunlin_batch {
    int cookie;     /**< Set by dunlin_batch_default(). */
    uint32_t count; /**< Agents; default 0. */
    /** [dimensions][count] World units; inside the world and its margin, or within ±1e38 if the world is open or has
     * boundary_first. The far edge of a periodic world is the near one: an agent at exactly its size is kept at 0. */
    const float *position[3];
    /** [dimensions][count] World units per time unit, within ±2e9; the next step limits the speed. */
    const float *velocity[3];
    /** [count] Different ids below UINT32_MAX that no agent has. They must also be above all ids that had been used when an
     * agent last died. NULL: the engine gives ascending ids, above all ids that were ever used. */
    const uint32_t *ids;
    /** [count] Each attribute's values, by its number, in its role's range; NULL: drawn as the attribute's definition says. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES];
} dunlin_batch;

/** An empty batch: all pointers are NULL. */
DUNLIN_API dunlin_batch dunlin_batch_default(void);

/**
 * Appends the batch to the species' storage, in the batch's order. If `first_id` is not NULL, it receives the id of the batch's
 * first agent, or UINT32_MAX for an empty batch. Ids are unique in the world and never used twice, not even after a death.
 * O(count) if there is room, O(agents) if the arrays have to grow; ids from the caller also cost a sort, and searches by
 * dunlin_world_find_agent() if they are not above all others.
 */
DUNLIN_API dunlin_result dunlin_world_spawn(dunlin_world *world, int species, const dunlin_batch *batch, uint32_t *first_id,
                                            dunlin_error *error);

/**
 * Removes the agents with these ids[count], of any species and in any order. The others keep their storage order. An id that no
 * agent has, or that is given twice, is an error, and no agent dies. For targets and paths that use one of these ids, the agent
 * no longer exists. O(agents). Allocates a table of ids and one flag per agent, which the world keeps.
 */
DUNLIN_API dunlin_result dunlin_world_despawn(dunlin_world *world, const uint32_t *ids, uint32_t count, dunlin_error *error);

/** Where dunlin_world_scatter() places agents. */
typedef enum dunlin_region {
    DUNLIN_REGION_BOX = 0, /**< Evenly in centre ± extent along each axis. */
    DUNLIN_REGION_BALL     /**< Evenly in the disc or ball around centre with radius extent[0]. */
} dunlin_region;

/** Agents at random places. */
typedef struct dunlin_scatter_def {
    int cookie;           /**< Set by dunlin_scatter_def_default(). */
    uint32_t count;       /**< Agents; default 0. */
    dunlin_region region; /**< Default DUNLIN_REGION_BOX. */
    float centre[3];      /**< World units, within ±1e9; default the middle of the world. */
    /** World units, 0 .. 1e9; BALL reads only [0]. All 0: one point. Default half the size, so the whole world. */
    float extent[3];
    float min_speed; /**< World units per time unit, 0 .. max_speed; default 0. */
    /** World units per time unit, at most 1e9; default 1. Each agent gets a random direction and a random speed, evenly from
     * [min_speed, max_speed]. */
    float max_speed;
    float velocity[3]; /**< World units per time unit, within ±1e9: added to each agent's velocity; default 0. */
    /** World units, 0 .. 1e9; default 0. Above 0, in a species with an attribute of DUNLIN_ROLE_GROUP: agents of a group start
     * together, evenly in a disc or ball of this radius, and run alike. Then what is drawn above is a place and a velocity for
     * each group; places keep this distance from the region's edge, where it is wide enough. */
    float group_radius;
} dunlin_scatter_def;

/** The defaults for this world: agents spread evenly over all of it. */
DUNLIN_API dunlin_scatter_def dunlin_scatter_def_default(const dunlin_world *world);

/**
 * Spawns agents at random. Position and velocity depend only on the world's seed, the agent's id and its group (Philox 4x32-10,
 * Salmon et al., SC 2011). A region that extends beyond the positions that dunlin_batch allows is an error.
 */
DUNLIN_API dunlin_result dunlin_world_scatter(dunlin_world *world, int species, const dunlin_scatter_def *def,
                                              dunlin_error *error);

/** Makes room for `count` agents of the species in total: spawning up to this number, without ids, allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_reserve(dunlin_world *world, int species, uint32_t count, dunlin_error *error);

/**
 * The world's own arrays of a species' agents. A view is valid as long as its generation equals dunlin_world_generation(world).
 * After that, its pointers may point to freed memory and its slots may hold other agents: make a new view.
 */
typedef struct dunlin_view {
    uint64_t generation;      /**< The world's generation when the view was made. */
    uint32_t count;           /**< Agents. */
    const float *position[3]; /**< [dimensions][count] World units; [2] is NULL in 2D. */
    const float *velocity[3]; /**< [dimensions][count] World units per time unit; [2] is NULL in 2D. */
    const uint32_t *id;       /**< [count] Each agent's id. */
    /** [count] Each attribute's values, by its number; NULL: no such attribute. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES];
} dunlin_view;

/** A view of a species; nothing is copied. Slots are in storage order, which is part of the state. The pointers of an empty
 * species are not NULL. */
DUNLIN_API dunlin_view dunlin_world_view(const dunlin_world *world, int species);

/** A number that changes whenever views become invalid: in every step, even in one that fails, unless it fails at once for lack
 * of memory or after 2^53 steps; when agents are spawned, scattered, loaded or despawned; when the arrays move to get more
 * room; and when a species or an attribute is removed. */
DUNLIN_API uint64_t dunlin_world_generation(const dunlin_world *world);

/** Where an agent lies. */
typedef struct dunlin_slot {
    int species;    /**< Its species; -1: there is no such agent. */
    uint32_t index; /**< Its slot in the species' views. */
} dunlin_slot;

/**
 * Finds an agent by its id. The first search after agents have changed their slots builds a table, O(agents), so the function
 * is not const; later searches are O(1). Without memory for the table every search is O(agents).
 */
DUNLIN_API dunlin_slot dunlin_world_find_agent(dunlin_world *world, uint32_t id);

/** The number of agents of all species. */
DUNLIN_API uint64_t dunlin_world_agent_count(const dunlin_world *world);

/** New positions and velocities, and the agents that get them. The arrays are read during the call only. Agents are written one
 * after another, so arrays of the world's own views may change while they are read. */
typedef struct dunlin_write {
    int cookie;          /**< Set by dunlin_write_default(). */
    uint32_t count;      /**< Agents; default 0. Without ids and slots it must be all agents of the species. */
    const uint32_t *ids; /**< [count] The agents' ids, of any species; NULL, the default: by slot. */
    int species;         /**< The species, if `ids` is NULL; default 0. */
    /** [count] Slots of the species; NULL, the default: all its agents in storage order. Not together with ids. */
    const uint32_t *slots;
    const float *position[3]; /**< [dimensions][count] As in dunlin_batch; all NULL, the default: positions stay. */
    const float *velocity[3]; /**< [dimensions][count] As in dunlin_batch; all NULL, the default: velocities stay. */
} dunlin_write;

/** The defaults. */
DUNLIN_API dunlin_write dunlin_write_default(void);

/**
 * Sets positions and velocities of agents, by id, by slot, or of a whole species. If one value is refused, nothing changes. If
 * an agent is given twice, the later values count. Views stay valid. O(count); with ids, also the time of
 * dunlin_world_find_agent().
 */
DUNLIN_API dunlin_result dunlin_world_write(dunlin_world *world, const dunlin_write *write, dunlin_error *error);

/* ---- groups ----------------------------------------------------------------------------------------------------------- */

/**
 * Sums over the agents of each group of a species. Offsets are rounded to multiples of 2^-29 of the extent of the whole
 * species, velocities to multiples of 2^-29 of its maximum along an axis, or less, and added as whole numbers. So threads,
 * kernel, index and storage order do not change a bit of the result. But an agent that is very far from all others makes all
 * sums coarse. In a world with boundary_first they are of the places before the boundary.
 *
 * The leader is the agent with the maximum DUNLIN_ROLE_LEADERSHIP, of equal ones, or without such an attribute, that with the
 * minimum id. The centre is the mean place. In a periodic world it is that of the images that are nearest to a reference, which
 * follows from all agents and not from the leader: it is the direction of the sum of their points on a diamond that stands for
 * the axis, |c| + |s| = 1 with c = 1 - 4·min(t, 1 - t), t = x/size, and s likewise a quarter later. Where agents are
 * everywhere, and these points nearly cancel out, the centre means little, and it jumps. If they cancel out exactly, the leader
 * is the reference. The spread is the root of the mean squared distance from the centre. Polarization is the length of the mean
 * heading, as in dunlin_metrics.
 */
typedef struct dunlin_group_sums {
    uint32_t count;            /**< Groups: dunlin_species_def.groups. */
    const uint32_t *agents;    /**< [count] Agents of each group. Where there are none, all numbers below are NaN. */
    const uint32_t *leader;    /**< [count] The leader's id; UINT32_MAX: there are no agents. */
    const float *centre[3];    /**< [dimensions][count] World units; [2] is NULL in 2D. */
    const float *velocity[3];  /**< [dimensions][count] The mean velocity, world units per time unit; [2] is NULL in 2D. */
    const float *spread;       /**< [count] World units. */
    const float *polarization; /**< [count] 0 .. 1. */
} dunlin_group_sums;

/** Sums over the groups of a species in its present state. The arrays are the world's own, valid until the next step, until the
 * next call for this species, or until the species' groups change. O(agents + groups·threads). Allocates memory at first. If it
 * fails, *sums is zeroed. */
DUNLIN_API dunlin_result dunlin_world_sum_groups(dunlin_world *world, int species, dunlin_group_sums *sums,
                                                 dunlin_error *error);

/**
 * Gives every group its body now, as the next step does when it begins: see dunlin_species_def.body_of. So bodies are there for
 * whoever looks at a world before its first step. It changes no bit of the states that follow, unless the next step regroups,
 * or agents are added or changed before it. In a world without bodies it does nothing. O(agents + groups·threads).
 *
 * It fails like dunlin_world_step() if attributes, ids or memory lack; bodies of lower levels may have been born then.
 */
DUNLIN_API dunlin_result dunlin_world_make_bodies(dunlin_world *world, dunlin_error *error);

/* ---- interactions ----------------------------------------------------------------------------------------------------- */

/** How a rule's sum becomes a force. */
typedef enum dunlin_response {
    /** Reynolds: the vector scaled to max_speed, minus the agent's velocity, limited to max_force. A zero vector gives no
       force. */
    DUNLIN_RESPONSE_STEER = 0,
    DUNLIN_RESPONSE_DIRECT, /**< The vector itself, limited to dunlin_rule.limit. */
    DUNLIN_RESPONSE_UNIT    /**< The vector scaled to length 1; a zero vector gives no force. */
} dunlin_response;

/** The length of separation's push away from a neighbour at distance d; R is the rule's radius. */
typedef enum dunlin_falloff {
    DUNLIN_FALLOFF_INVERSE = 0, /**< 1 / d. */
    DUNLIN_FALLOFF_LINEAR,      /**< 1 - d / R. */
    DUNLIN_FALLOFF_CONSTANT     /**< 1. */
} dunlin_falloff;

/** Which neighbours a rule counts, by their groups: see dunlin_species_def.groups. */
typedef enum dunlin_kin {
    DUNLIN_KIN_ALL = 0,     /**< All, whatever their group. */
    DUNLIN_KIN_SAME_GROUP,  /**< Those whose group has the number of the agent's own. */
    DUNLIN_KIN_OTHER_GROUPS /**< All but those. */
} dunlin_kin;

/** One rule of an interaction. */
typedef struct dunlin_rule {
    float radius; /**< World units, 1e-9 .. 1e9; a neighbour at exactly this distance counts. 0, the default: no rule. */
    float weight; /**< Within ±1e6; default 1. A negative weight reverses the rule. */
    dunlin_response response; /**< Default DUNLIN_RESPONSE_STEER. */
    float limit;              /**< DIRECT only: velocity per time unit, >= 0; INFINITY, the default: none. */
    dunlin_falloff falloff;   /**< Separation only; default DUNLIN_FALLOFF_INVERSE. */
    float min_radius;         /**< World units, 0 .. radius; default 0. Neighbours nearer than this do not count. */
    /** Half the field of view: radians, > 0, <= pi. A neighbour counts if the angle between the agent's velocity and the
     * direction to the neighbour is not larger. 0, the default, and pi: all around. An agent at rest sees all around, and every
     * agent sees a neighbour at exactly its own place. */
    float half_angle;
    /** Default DUNLIN_KIN_ALL. The others need an attribute of DUNLIN_ROLE_GROUP in both species, at the latest when the world
     * takes its next step. */
    dunlin_kin kin;
} dunlin_rule;

/** The rules of an interaction. */
typedef enum dunlin_rule_kind {
    DUNLIN_RULE_SEPARATION = 0, /**< Away from neighbours. */
    DUNLIN_RULE_ALIGNMENT,      /**< With the neighbours' velocities. */
    DUNLIN_RULE_COHESION,       /**< Towards the neighbours. */
    DUNLIN_RULE_COUNT           /**< The number of rules. */
} dunlin_rule_kind;

/**
 * One species observes another, or itself, by rules.
 *
 * Δ is the vector from the agent to a neighbour (in a periodic world: to its nearest image), and d its length. Separation sums
 * -Δ·f(d), where d·f(d) is the falloff. Alignment averages the neighbours' velocities; with DIRECT and UNIT it then subtracts
 * the agent's own. Cohesion averages Δ. An agent is never its own neighbour.
 *
 * An agent sees a neighbour if at least one rule counts it: it is within the rule's radius, not nearer than its min_radius,
 * in its field of view, and of a group that the rule counts. If `nearest` is set, the agent sees only that many of these
 * neighbours, the nearest; if `max_neighbours` is set, only that many of those that remain, the first. Each rule then sums over
 * the neighbours that the agent sees and that the rule counts, and averages divide by their number. Sources: Ballerini et al.,
 * PNAS 105, 1232 (2008), for a number of neighbours instead of a distance; Couzin et al., J. Theor. Biol. 218, 1 (2002), for
 * shells and for blind angles behind the agent.
 */
typedef struct dunlin_interaction_def {
    int cookie;                           /**< Set by dunlin_interaction_def_default(). */
    int observer;                         /**< The species that observes; default 0. */
    int observed;                         /**< The species that it observes, possibly itself; default 0. */
    dunlin_rule rules[DUNLIN_RULE_COUNT]; /**< By dunlin_rule_kind; default: all off. */
    /** The order in which responses are added, each rule once; default separation, alignment, cohesion. */
    dunlin_rule_kind order[DUNLIN_RULE_COUNT];
    /** Each response uses the velocity as the responses before it have changed it, as in sketches that add rule by rule to the
     * velocity. Default false: all use the same velocity. */
    bool in_turn;
    /** Agents do not see neighbours at exactly their own place. Default false: these count for alignment and cohesion, and have
     * no direction for separation. */
    bool ignore_coincident;
    /** 1 .. 32: the maximum number of neighbours that an agent sees, the nearest ones; of equal distances those with the
     * minimum ids. 0, the default: all. */
    int nearest;
    /** >= 1: the maximum number of neighbours that an agent sees, the first ones in storage order. This order is arbitrary, but
     * the same for every kernel, number of threads and machine; other indexes have other orders. 0, the default: all. */
    int max_neighbours;
} dunlin_interaction_def;

/** The defaults. */
DUNLIN_API dunlin_interaction_def dunlin_interaction_def_default(void);

/**
 * Adds an interaction. At least one rule must be on, and a pair of observer and observed species can have only one interaction.
 * Forces are added in the order of the interactions' numbers.
 */
DUNLIN_API dunlin_result dunlin_world_add_interaction(dunlin_world *world, const dunlin_interaction_def *def, int *interaction,
                                                      dunlin_error *error);

/** The number of interactions. */
DUNLIN_API int dunlin_world_interaction_count(const dunlin_world *world);

/** The definition of an interaction. */
DUNLIN_API dunlin_interaction_def dunlin_world_get_interaction(const dunlin_world *world, int interaction);

/** Replaces an interaction. The species may change. */
DUNLIN_API dunlin_result dunlin_world_set_interaction(dunlin_world *world, int interaction, const dunlin_interaction_def *def,
                                                      dunlin_error *error);

/** Removes an interaction. */
DUNLIN_API dunlin_result dunlin_world_remove_interaction(dunlin_world *world, int interaction, dunlin_error *error);

/* ---- step and statistics ---------------------------------------------------------------------------------------------- */

/**
 * Takes one time step. A step allocates nothing if nothing has changed since the step before; if callbacks create agents, a
 * step may allocate when there are more agents than ever before (see dunlin_world_reserve()).
 *
 * A step fails if memory runs out, or ids or slots for new agents do, if a callback fails, if a caller's executor uses wrong
 * worker numbers, and after 2^53 steps. It also fails if an interaction, a behaviour or bodies lack an attribute that they
 * need; then nothing has changed. Otherwise the agents are as before, with three exceptions: they may be in the storage order
 * that the step has given them; if dunlin_world_def.boundary_first is set, the boundary has acted on them; and groups may have
 * split, merged, and got bodies. Repeating the step gives the same bits as if it had not failed.
 */
DUNLIN_API dunlin_result dunlin_world_step(dunlin_world *world, dunlin_error *error);

/**
 * Called in a callback: the function that has called the callback fails with DUNLIN_ERROR_CALLBACK and this message, which is
 * copied and cut to the room of dunlin_error.message. If several calls fail, one of their messages is taken. In a flock in
 * parts all ranks fail, with the message of the lowest rank that failed. NULL: a message of the library's own.
 *
 * A step that fails so leaves the world as dunlin_world_step() says. Until it returns, callbacks of behaviours may be left out.
 * An executor may call it too late to undo the step; then the step succeeds, and the next one fails. So it is if an executor
 * fails in another function than a step. A function that writes or gives bytes returns false,
 * too. While none of the world's functions is running, a call does nothing.
 *
 * Thread-safe. A program in another language calls it where it catches an exception, and raises the exception again when the
 * step has returned.
 */
DUNLIN_API void dunlin_world_fail(const dunlin_world *world, const char *message);

/** What the last step did, and how long it took. */
typedef struct dunlin_stats {
    uint64_t step;   /**< Steps taken so far. */
    double time;     /**< Time units passed: step·time_step, or a sum if time_step or the clock has changed. */
    uint64_t agents; /**< Agents moved. */
    uint64_t births; /**< Agents that callbacks created in the step. */
    uint64_t deaths; /**< Agents that died in the step: by callbacks, by meals, and as dunlin_behaviour_def.vital says. */
    /** The number of threads that worked: dunlin_world_def.threads, or fewer if the executor could not get as many, or the
     * world chose fewer. */
    uint32_t threads;
    uint64_t cells;        /**< Cells of all species' indexes. */
    uint64_t groups;       /**< Groups of lanes, summed over all interactions and behaviours that observe agents. */
    uint64_t pairs_tested; /**< Lanes times candidates, summed likewise; of max_neighbours, too, those behind the maximum. */
    uint64_t pairs_useful; /**< Pairs of an agent and a neighbour that it sees, summed likewise, but not for PAIRS. */
    double ms_snapshot;    /**< Wall time of the snapshot in milliseconds. */
    /** Milliseconds spent on sums over neighbours, averaged over the threads. This and the next two are shares of the time that
     * the threads spend on agents. How large each share is follows from a sample: each step times about one in eight of its
     * tiles of up to 512 agents, at least one, and each tile in its turn. The snapshot and these three together never exceed
     * ms_frame. */
    double ms_interact;
    double ms_steer;     /**< Milliseconds spent on responses and behaviours, likewise. */
    double ms_integrate; /**< Milliseconds spent on moving agents, likewise. */
    double ms_frame;     /**< Wall time of the whole step in milliseconds. */
    const char *kernel;  /**< The kernel that the next step uses: see dunlin_world_def.kernel. A static string. */
} dunlin_stats;

/** The statistics of the last step. Before a world's first step all are 0, but for the step and time that
 * dunlin_world_set_clock() or dunlin_world_load() have set. */
DUNLIN_API dunlin_stats dunlin_world_stats(const dunlin_world *world);

/** The bytes of memory that the world holds, without the overhead of the allocator and of the executor's threads. */
DUNLIN_API size_t dunlin_world_bytes(const dunlin_world *world);

/** A hash of every agent's id, species, position, velocity and attributes, in the order of ids, so it does not depend on
 * storage order. Equal states have equal hashes on every machine. */
DUNLIN_API uint64_t dunlin_world_state_hash(const dunlin_world *world);

/** The hash that a world would have with these agents: species[count], in the order of its species, each with `count` agents in
 * any order and its attributes up to the first NULL. The arrays may be the caller's own. Thread-safe. */
DUNLIN_API uint64_t dunlin_agents_hash(int dimensions, const dunlin_view *species, int count);

/** The world's place in time, and its next id. */
typedef struct dunlin_clock {
    uint64_t step;    /**< Steps taken so far, 0 .. 2^53. */
    double time;      /**< Time units passed, 0 .. 1e22. */
    uint32_t next_id; /**< The next agent's id, above the ids of all agents. */
} dunlin_clock;

/** The clock. */
DUNLIN_API dunlin_clock dunlin_world_get_clock(const dunlin_world *world);

/**
 * Sets the clock. What depends on time or steps, such as moving targets, changing noise and wander, is then where it would be
 * at that time. If next_id changes, no lower id is used from now on. O(agents); allocates nothing.
 */
DUNLIN_API dunlin_result dunlin_world_set_clock(dunlin_world *world, const dunlin_clock *clock, dunlin_error *error);

/* ---- attributes ------------------------------------------------------------------------------------------------------- */

/** What the engine uses an attribute for, and the range of its values. */
typedef enum dunlin_role {
    /** Nothing; within ±1e30. A species may have several attributes of this role, but only one of each other role; of
     * BEHAVIOUR_WEIGHT one per behaviour. */
    DUNLIN_ROLE_VALUE = 0,
    DUNLIN_ROLE_MAX_SPEED,         /**< Replaces the species' max_speed, and also its min_speed if that is larger; 0 .. 1e9. */
    DUNLIN_ROLE_MAX_FORCE,         /**< Replaces the species' max_force; 0 .. 1e9. */
    DUNLIN_ROLE_MASS,              /**< Divides the sum of all forces; 1e-6 .. 1e6. */
    DUNLIN_ROLE_RADIUS_SCALE,      /**< Multiplies radius and min_radius of the agent's rules; 0.001 .. 1. */
    DUNLIN_ROLE_SEPARATION_WEIGHT, /**< Multiplies this rule's weight in all interactions of the observer; within ±1e6. */
    DUNLIN_ROLE_ALIGNMENT_WEIGHT,  /**< Likewise. */
    DUNLIN_ROLE_COHESION_WEIGHT,   /**< Likewise. */
    DUNLIN_ROLE_BEHAVIOUR_WEIGHT,  /**< Multiplies the weight of one behaviour; within ±1e6. */
    /** The number of the agent's group: a whole number, 0 .. dunlin_species_def.groups - 1, which must not be 0. What is drawn,
     * or written by a callback, is rounded down. */
    DUNLIN_ROLE_GROUP,
    DUNLIN_ROLE_LEADERSHIP, /**< The agent of a group with the largest value leads the group; within ±1e30. */
    /** The number of the group that a body stands for: see dunlin_species_def.body_of. A whole number, which the engine gives
     * to bodies. */
    DUNLIN_ROLE_BODY,
    /** Time units since the agent's last meal, or its birth: each step adds the time step, and a meal sets it to 0. 0 .. 1e30.
     */
    DUNLIN_ROLE_SINCE_MEAL,
    DUNLIN_ROLE_COUNT /**< The number of roles. */
} dunlin_role;

/** How the values of new agents are drawn if the batch gives none. They depend only on the world's seed, the agent's id and the
 * attribute's number. */
typedef enum dunlin_distribution {
    DUNLIN_DISTRIBUTION_SAME = 0, /**< Always `value`. */
    /** Evenly from [min_value, max_value]; with DUNLIN_ROLE_GROUP one of the whole numbers from min_value to max_value. */
    DUNLIN_DISTRIBUTION_EVEN,
    /** value + deviation·(sum of twelve numbers, even in [0, 1), - 6), clamped to [min_value, max_value]: nearly a normal
       distribution. */
    DUNLIN_DISTRIBUTION_NORMAL,
    /** min_value + id mod n, with n the whole numbers from min_value to max_value: agents take turns, so that as many get each
       number. */
    DUNLIN_DISTRIBUTION_IN_TURN
} dunlin_distribution;

/** A number that each agent of a species has: its strength, its age, its energy. */
typedef struct dunlin_attribute_def {
    int cookie;  /**< Set by dunlin_attribute_def_default(). */
    int species; /**< Default 0. */
    /** 1 .. 63 bytes without comma, quote or control character; copied. Unique in the species, and none of the words of state
     * files: id, species, x, y, z, vx, vy, vz, step, time, next_id. */
    const char *name;
    dunlin_role role; /**< Default DUNLIN_ROLE_VALUE. */
    int behaviour;    /**< BEHAVIOUR_WEIGHT: the number of a behaviour of the same species, not a callback; default 0. */
    dunlin_distribution distribution; /**< Default DUNLIN_DISTRIBUTION_SAME. */
    float value;                      /**< SAME, NORMAL: in the role's range; default 1. */
    float deviation;                  /**< NORMAL: 0 .. 1e30; default 0. */
    float min_value;                  /**< EVEN, NORMAL, IN_TURN: in the role's range; default 0. */
    float max_value;                  /**< EVEN, NORMAL, IN_TURN: in the role's range, >= min_value; default 1. */
    float mutation;                   /**< 0 .. 1e30: see dunlin_tile_inherit(); default 0. */
} dunlin_attribute_def;

/** The defaults. */
DUNLIN_API dunlin_attribute_def dunlin_attribute_def_default(void);

/** Adds an attribute to a species, within which it is numbered, and draws values for its agents. */
DUNLIN_API dunlin_result dunlin_world_add_attribute(dunlin_world *world, const dunlin_attribute_def *def, int *attribute,
                                                    dunlin_error *error);

/** The number of attributes of a species; 0 if there is no such species. */
DUNLIN_API int dunlin_world_attribute_count(const dunlin_world *world, int species);

/** The definition of an attribute. `name` is valid until an attribute of the species is set or removed, or the species is
 * removed. */
DUNLIN_API dunlin_attribute_def dunlin_world_get_attribute(const dunlin_world *world, int species, int attribute);

/** Replaces an attribute's name, role and distribution. The species must stay. Agents keep their values, which must be in the
 * new role's range. An attribute that a meal uses keeps DUNLIN_ROLE_VALUE. O(agents); allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_set_attribute(dunlin_world *world, int species, int attribute,
                                                    const dunlin_attribute_def *def, dunlin_error *error);

/** Removes an attribute. An attribute that a meal, a trace, an ADAPT or a CUSTOM's `vital` uses is an error. Agents that are
 * created later draw the values of attributes with higher numbers by their new numbers. */
DUNLIN_API dunlin_result dunlin_world_remove_attribute(dunlin_world *world, int species, int attribute, dunlin_error *error);

/** The number of the species' attribute with that name; -1 if there is none or `name` is NULL. */
DUNLIN_API int dunlin_world_find_attribute(const dunlin_world *world, int species, const char *name);

/** Sets an attribute of all agents of a species: values[agents] in storage order, in the role's range. Allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_set_attribute_values(dunlin_world *world, int species, int attribute, const float *values,
                                                           dunlin_error *error);

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

/**
 * A polyline that agents follow (DUNLIN_BEHAVIOUR_FOLLOW_PATH). It goes through points or through agents. The points of a path
 * through agents are the positions of these agents at the start of each step, clamped to ±1e9. While one of its agents does not
 * exist, no agent follows it. Equal points are allowed. Paths do not repeat in a periodic world, and agents do not follow them
 * across the edge.
 */
typedef struct dunlin_path_def {
    int cookie;             /**< Set by dunlin_path_def_default(). */
    uint32_t count;         /**< Points, 2 .. 1 000 000. */
    const float *points[3]; /**< [dimensions][count] World units, within ±1e9; copied. Not read if agents are given. */
    const uint32_t *agents; /**< [count] Ids, which may repeat and need not exist yet; copied. NULL, the default: points. */
    bool closed;            /**< A last segment leads from the last point to the first; default false. */
} dunlin_path_def;

/** A definition without points. */
DUNLIN_API dunlin_path_def dunlin_path_def_default(const dunlin_world *world);

/** Adds a path. */
DUNLIN_API dunlin_result dunlin_world_add_path(dunlin_world *world, const dunlin_path_def *def, int *path, dunlin_error *error);

/** The number of paths. */
DUNLIN_API int dunlin_world_path_count(const dunlin_world *world);

/** The definition of a path. The arrays are the world's own, valid until the path is set or removed, or the world is destroyed.
 * If the path goes through agents, `points` holds their positions at the start of the last step, or zeros before the first. */
DUNLIN_API dunlin_path_def dunlin_world_get_path(const dunlin_world *world, int path);

/** Replaces a path. Behaviours that follow it follow the new one. Allocates. */
DUNLIN_API dunlin_result dunlin_world_set_path(dunlin_world *world, int path, const dunlin_path_def *def, dunlin_error *error);

/** Moves the points of a path: points[dimensions][count], as many as the path has, within ±1e9. A path through agents cannot be
 * moved. O(count); allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_move_path(dunlin_world *world, int path, const float *const points[3],
                                                dunlin_error *error);

/** Removes a path. A path that a behaviour follows is an error. */
DUNLIN_API dunlin_result dunlin_world_remove_path(dunlin_world *world, int path, dunlin_error *error);

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

/** How a field gives the vector at a place. */
typedef enum dunlin_lookup {
    DUNLIN_LOOKUP_NEAREST = 0, /**< The vector of the cell that holds the place. */
    DUNLIN_LOOKUP_LINEAR       /**< Linear interpolation between the centres of cells, along each axis. */
} dunlin_lookup;

/**
 * A grid of vectors, for DUNLIN_BEHAVIOUR_FLOW and DUNLIN_BEHAVIOUR_WIND. With w = (max - min) / cells on each axis, cell i
 * reaches from min + i·w to min + (i + 1)·w, and x is in cell floor((x - min)·(1 / w)). A place outside the grid has the vector
 * of the nearest place in the grid. If the world is periodic and the grid covers it exactly (min is 0 and max is its size on
 * every axis), the grid repeats instead.
 */
typedef struct dunlin_field_def {
    int cookie;           /**< Set by dunlin_field_def_default(). */
    int cells[3];         /**< 1 .. 65536 on each axis, at most 2^28 in total; [2] is 1 in 2D; default 32. */
    float min[3];         /**< World units, within ±1e9; default 0. */
    float max[3];         /**< World units, > min, at most 1e9; default the world's size. */
    dunlin_lookup lookup; /**< Default DUNLIN_LOOKUP_NEAREST. */
} dunlin_field_def;

/** The defaults for this world: a field that covers it. */
DUNLIN_API dunlin_field_def dunlin_field_def_default(const dunlin_world *world);

/** Adds a field of zero vectors. */
DUNLIN_API dunlin_result dunlin_world_add_field(dunlin_world *world, const dunlin_field_def *def, int *field,
                                                dunlin_error *error);

/** The number of fields. */
DUNLIN_API int dunlin_world_field_count(const dunlin_world *world);

/** The definition of a field. */
DUNLIN_API dunlin_field_def dunlin_world_get_field(const dunlin_world *world, int field);

/** Replaces the definition of a field. The vectors, and the numbers of a trace, stay if the number of cells on each axis stays.
 * Otherwise all become zero, until the next step if the field's noise changes with time. */
DUNLIN_API dunlin_result dunlin_world_set_field(dunlin_world *world, int field, const dunlin_field_def *def,
                                                dunlin_error *error);

/** Removes a field. A field that a behaviour or a trace uses is an error. */
DUNLIN_API dunlin_result dunlin_world_remove_field(dunlin_world *world, int field, dunlin_error *error);

/** The vectors of a field. The caller may read them, and may write them between steps. WIND takes a vector as velocity per time
 * unit; FLOW uses only its direction. A vector that is not finite, or longer than 1e18, counts as zero. Valid until the field
 * is set or removed, or the world is destroyed. */
typedef struct dunlin_field_view {
    int cells[3];      /**< As in the definition. */
    float min[3];      /**< As in the definition. */
    float max[3];      /**< As in the definition. */
    float *vectors[3]; /**< [dimensions][cells]; cell (i, j, k) is element i + cells[0]·(j + cells[1]·k). [2] is NULL in 2D. */
} dunlin_field_view;

/** A view of a field; nothing is copied. */
DUNLIN_API dunlin_field_view dunlin_world_field_view(dunlin_world *world, int field);

/** What fills a field. All kinds but VECTORS and CONSTANT give each cell a vector of length 1, computed at the cell's centre,
 * or zero if there is no direction. r is the vector from the source's centre to the cell's; if the field repeats, to its
 * nearest image. */
typedef enum dunlin_field_kind {
    DUNLIN_FIELD_CONSTANT = 0, /**< The same vector everywhere. */
    DUNLIN_FIELD_RANDOM,       /**< A random direction for each cell, by seed and cell. */
    DUNLIN_FIELD_NOISE,        /**< Directions that change smoothly: see dunlin_field_noise. */
    DUNLIN_FIELD_SWIRL,        /**< axis × r: around the centre, counter-clockwise in 2D. */
    DUNLIN_FIELD_CENTRE,       /**< -r: towards the centre. */
    /** Uphill on a grid of numbers, by central differences. At the grid's edge they are one-sided, or cross the edge if the
     * field repeats. */
    DUNLIN_FIELD_GRADIENT,
    DUNLIN_FIELD_VECTORS, /**< The caller's own vectors. */
    DUNLIN_FIELD_COUNT    /**< The number of kinds. */
} dunlin_field_kind;

/**
 * Gradient noise n, -1 .. 1, which is 0 at the points of a lattice (K. Perlin, "Improving Noise", SIGGRAPH 2002). The lattice's
 * axes are those of space and time. Each component of the vector is a noise of its own, shifted by a third of a lattice step
 * along each axis of space, and the vector is scaled to length 1. So a direction and its opposite are equally frequent. In 2D
 * with a range of angles there is one noise instead, and the vector's angle, from the x axis towards y, is min_angle +
 * (n + 1)/2·(max_angle - min_angle) turns. As n is mostly near 0, angles in the middle of the range are the most frequent: from
 * 0 to 1, the mean of all vectors is about 0.7 towards -x. Each lattice point's gradient is a 32-bit hash of the point and the
 * seed, so the lattice repeats after 2^32 steps.
 */
typedef struct dunlin_field_noise {
    float scale;     /**< World units per lattice step, 1e-9 .. 1e9; default 10. */
    int octaves;     /**< 1 .. 8: each is twice as fine and half as strong as the one before, in space and time; default 1. */
    float min_angle; /**< 2D: turns, within ±1e3: the angle where n is -1; default INFINITY: no range of angles. */
    float max_angle; /**< Likewise where n is 1; it may be below min_angle. Both are finite, or both INFINITY. */
    /** Lattice steps along the time axis per time unit, 0 .. 1e6; default 0. If it is above 0, every step fills the field anew,
     * until dunlin_world_fill_field() fills it from another source. */
    float rate;
    /** Lattice steps, within ±1e9: the place on the time axis at step 0; default 0. The present place is time +
     * dunlin_stats.time·rate. */
    double time;
} dunlin_field_noise;

/** The contents of a field. */
typedef struct dunlin_field_source {
    int cookie;               /**< Set by dunlin_field_source_default(). */
    dunlin_field_kind kind;   /**< Set by dunlin_field_source_default(). */
    float weight;             /**< Multiplies every vector; within ±1e6; default 1. */
    uint64_t seed;            /**< RANDOM, NOISE: the seed; default the world's. */
    float vector[3];          /**< CONSTANT: within ±1e9; default 0. */
    float centre[3];          /**< SWIRL, CENTRE: world units, within ±1e9; default the middle of the world. */
    float axis[3];            /**< SWIRL in 3D: within ±1e9, not all 0, of any length; default along z. */
    dunlin_field_noise noise; /**< NOISE. */
    const float *values;      /**< GRADIENT: [cells] numbers in the order of the field's cells; read during the call only. */
    const float *vectors[3];  /**< VECTORS: [dimensions][cells] likewise. */
} dunlin_field_source;

/** The defaults for this world and kind. */
DUNLIN_API dunlin_field_source dunlin_field_source_default(const dunlin_world *world, dunlin_field_kind kind);

/** Fills a field. A field that is a trace is an error. Allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_fill_field(dunlin_world *world, int field, const dunlin_field_source *source,
                                                 dunlin_error *error);

/* ---- traces ----------------------------------------------------------------------------------------------------------- */

/**
 * A trace: a number in each cell of a field, which agents raise, and which spreads and fades: pheromones, trampled grass,
 * memory that lies in the world. The field's vectors are the gradient of the numbers, per world unit, by central differences;
 * at the grid's edge they are one-sided, or cross the edge if the field repeats. FLOW with such a field steers uphill, with
 * `negate_force` downhill; it uses only the direction. For WIND the steepness counts, too.
 *
 * In each step
 *   1. agents read the trace as it was at the beginning of the step: without what this step adds;
 *   2. each agent of the species adds `deposit`, times its attribute if there is one, to the cell that contains its position at
 *      the beginning of the step. An agent outside the grid adds nothing;
 *   3. each number v becomes (1 - evaporation)·((1 - diffusion)·v + diffusion·n), where n is the mean of the 2·dimensions
 *      neighbour cells. Beyond the grid's edge the cell itself takes the missing cell's place, unless the field repeats.
 * So diffusion alone keeps the total, and no number leaves the range of the numbers before it, at any accepted rate. The rates
 * are per step, and do not depend on the time step.
 *
 * What agents add is summed in integers, so no order shows. An attribute counts from 0 to 1024, in steps of 2^-20. Numbers are
 * binary32, computed in binary64; those below 1e-30 become 0, and none exceeds 1e18. In a flock in parts every rank has the
 * whole field. The numbers are part of the state: checkpoints have them. State files and the state's hash do not.
 */
typedef struct dunlin_trace_def {
    int cookie;        /**< Set by dunlin_trace_def_default(). */
    int field;         /**< The field's number; default 0. A field has at most one trace. */
    int species;       /**< The species whose agents leave it, or DUNLIN_ALL_SPECIES; default 0. */
    int attribute;     /**< The species' attribute that multiplies `deposit`; default -1: none. */
    float deposit;     /**< 0 .. 1e6, per step: what an agent adds; default 1. */
    float diffusion;   /**< 0 .. 1, per step: the share that spreads to the neighbour cells; default 0. */
    float evaporation; /**< 0 .. 1, per step: the share that vanishes; default 0. */
} dunlin_trace_def;

/** The defaults. */
DUNLIN_API dunlin_trace_def dunlin_trace_def_default(void);

/** Makes a field a trace, which begins at 0. The field no longer varies, and cannot be filled. */
DUNLIN_API dunlin_result dunlin_world_add_trace(dunlin_world *world, const dunlin_trace_def *def, int *trace,
                                                dunlin_error *error);

/** The number of traces. */
DUNLIN_API int dunlin_world_trace_count(const dunlin_world *world);

/** The definition of a trace. */
DUNLIN_API dunlin_trace_def dunlin_world_get_trace(const dunlin_world *world, int trace);

/** Replaces the definition of a trace. The numbers stay if the field does; a field that is left has vectors of 0. */
DUNLIN_API dunlin_result dunlin_world_set_trace(dunlin_world *world, int trace, const dunlin_trace_def *def,
                                                dunlin_error *error);

/** Removes a trace. Its field stays, with vectors of 0. */
DUNLIN_API dunlin_result dunlin_world_remove_trace(dunlin_world *world, int trace, dunlin_error *error);

/** The numbers of a trace. The caller may read them, and may write them between steps: 0 .. 1e18; in a flock in parts, the same
 * on each rank. The next step begins with their gradient, and then brings others into this range, NaN to 0. Valid until the
 * next step, until the trace or its field is set or removed, or the world is restored or destroyed. */
typedef struct dunlin_trace_view {
    int cells[3];  /**< As in the field's definition. */
    float min[3];  /**< As in the field's definition. */
    float max[3];  /**< As in the field's definition. */
    float *values; /**< [cells] in the order of the field's cells. */
} dunlin_trace_view;

/** A view of a trace; nothing is copied. */
DUNLIN_API dunlin_trace_view dunlin_world_trace_view(dunlin_world *world, int trace);

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

/** Shapes of obstacles. */
typedef enum dunlin_obstacle_shape {
    DUNLIN_OBSTACLE_BALL = 0, /**< A ball, in 2D a disc. */
    DUNLIN_OBSTACLE_BOX,      /**< A box with sides along the axes. */
    DUNLIN_OBSTACLE_CAPSULE   /**< All points within the radius of a line segment; in 2D with radius 0, a thin wall. */
} dunlin_obstacle_shape;

/**
 * A fixed obstacle. Agents steer around it (DUNLIN_BEHAVIOUR_AVOID), or cannot pass through it
 * (dunlin_species_def.obstacles_block), or both. Both grow the obstacle by a radius of the agent, dunlin_avoid.agent_radius or
 * dunlin_species_def.clearance: a ball or capsule gets a larger radius; a box grows on every side and keeps its sharp
 * corners.
 *
 * Obstacles do not repeat in a periodic world: add one that should act across the edge again, one world size away.
 *
 * An agent that obstacles block moves straight from its position, before the world's edge acts on it, until it touches the
 * obstacle, grown by its clearance and by a skin of 2^-20 of the grown obstacle's maximum coordinate. There the rest of its
 * way and its velocity lose their component into the obstacle, and the agent slides on. It slides at most three times per step;
 * if its way then meets another obstacle, it stays where it is. Anything thinner than the skin counts as being as thick as the
 * skin. So no agent passes through a wall, or between two walls that meet, however fast it is.
 *
 * An agent that is inside an obstacle at the start of a step, because it was born there or the world's edge put it there, moves
 * to the obstacle's surface by the shortest way. If it is then inside another obstacle, it moves again, at most three times;
 * obstacles that it is still inside do not block it in this step. Obstacles do not block moves by the world's edge or by the
 * caller, so walls beside a reflecting edge should reach beyond it.
 */
typedef struct dunlin_obstacle_def {
    int cookie;                  /**< Set by dunlin_obstacle_def_default(). */
    dunlin_obstacle_shape shape; /**< Set by dunlin_obstacle_def_default(). */
    /** World units, within ±1e9: a ball's centre, a box's corner with the minimum coordinates, an end of a capsule's line. In
     * 2D [2] is not read. Default 0. */
    float a[3];
    /** Likewise, not read for balls: a box's corner with the maximum coordinates, >= a; the other end of a capsule's line.
     * Default 0; for a box 1. */
    float b[3];
    float radius; /**< Balls and capsules: world units, 0 .. 1e9; default 1. */
} dunlin_obstacle_def;

/** The defaults. */
DUNLIN_API dunlin_obstacle_def dunlin_obstacle_def_default(dunlin_obstacle_shape shape);

/** Adds an obstacle. A world can have at most a million, which the next step sorts. */
DUNLIN_API dunlin_result dunlin_world_add_obstacle(dunlin_world *world, const dunlin_obstacle_def *def, int *obstacle,
                                                   dunlin_error *error);

/** The number of obstacles. */
DUNLIN_API int dunlin_world_obstacle_count(const dunlin_world *world);

/** The definition of an obstacle. */
DUNLIN_API dunlin_obstacle_def dunlin_world_get_obstacle(const dunlin_world *world, int obstacle);

/** Replaces an obstacle. The next step sorts all obstacles. */
DUNLIN_API dunlin_result dunlin_world_set_obstacle(dunlin_world *world, int obstacle, const dunlin_obstacle_def *def,
                                                   dunlin_error *error);

/** Removes an obstacle. O(obstacles with higher numbers); the next step sorts the rest. */
DUNLIN_API dunlin_result dunlin_world_remove_obstacle(dunlin_world *world, int obstacle, dunlin_error *error);

/** All obstacles. Valid until obstacles are added, set or removed, or the world is destroyed. */
typedef struct dunlin_obstacle_view {
    uint32_t count;                       /**< Obstacles. */
    const dunlin_obstacle_def *obstacles; /**< [count] In the order of their numbers; never NULL. */
} dunlin_obstacle_view;

/** A view of the obstacles; nothing is copied. */
DUNLIN_API dunlin_obstacle_view dunlin_world_obstacle_view(const dunlin_world *world);

/* ---- callbacks -------------------------------------------------------------------------------------------------------- */

/** Where dunlin_tile_spawn() keeps new agents until the end of the step. Only the library looks inside. */
typedef struct dunlin_nest dunlin_nest;

/** Consecutive agents of a species in the frozen snapshot, and what a callback may write for them. Valid during the call
 * only. */
typedef struct dunlin_tile {
    int species;                                   /**< The agents' species. */
    uint32_t count;                                /**< Agents, >= 1. */
    const float *position[3];                      /**< [dimensions][count] World units; [2] is NULL in 2D. */
    const float *velocity[3];                      /**< [dimensions][count] World units per time unit; [2] is NULL in 2D. */
    const uint32_t *id;                            /**< [count] Each agent's id. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES]; /**< [count] Each attribute's values; NULL: no such attribute. */
    /** [count] Each attribute's values after this step, whatever its role; NULL: no such attribute. They start as the present
     * values, and later callbacks see what earlier ones wrote. After each callback the engine clamps them to the role's range;
     * a NaN becomes the value before the step. The engine uses the new values from the next step on. */
    float *next_attribute[DUNLIN_MAX_ATTRIBUTES];
    float *force[3]; /**< [dimensions][count] Velocity per time unit: add to it. The sums must stay finite and within ±1e18. */
    /** [count] 1: the agent dies at the end of the step. Starts as 0; all callbacks of a species write the same flags. */
    uint8_t *dies;
    uint64_t step; /**< Steps taken before this one. If a step fails and is repeated, callbacks get the same number again. */
    const dunlin_nest *nest; /**< For dunlin_tile_spawn(). */
} dunlin_tile;

/**
 * The callback of DUNLIN_BEHAVIOUR_CUSTOM. Every step calls it once for every tile of the species, from several threads at the
 * same time. `user` is dunlin_behaviour_def.user. A call may write its own tile's force, next_attribute and dies, and nothing
 * that other calls read or write. The engine decides how to cut agents into tiles. To get the same bits for every number of
 * threads, what a call writes for an agent may depend only on this agent, on `user` and on the step.
 */
typedef void dunlin_tile_fn(void *user, const dunlin_tile *tile);

/**
 * Creates a child of agent `parent` of the tile, 0 .. count - 1, at the end of the step, even if the parent dies in it. Call
 * this function only from a dunlin_tile_fn, with the tile that the callback got. `species` is the child's species, which may
 * differ from its parent's. position[dimensions] and velocity[dimensions] are in the ranges of dunlin_batch. The child has
 * exactly these after the step; no agent sees it before. `attribute` holds a value for each attribute of the child's species,
 * in its role's range; NULL: they are drawn. All arrays are copied. Children go to the end of their species' storage, ordered
 * by the parents' species, then by the parents' slots, then by calls, and get ascending ids in this order, whatever the threads
 * and tiles.
 *
 * A refused value is an error of this call only, and the step goes on. If memory for the child runs out, the step fails, too.
 */
DUNLIN_API dunlin_result dunlin_tile_spawn(const dunlin_tile *tile, uint32_t parent, int species, const float *position,
                                           const float *velocity, const float *attribute, dunlin_error *error);

/**
 * Gives values[attributes] that a child of agent `parent` of the tile inherits: the parent's present values, to each of which
 * mutation·(sum of twelve numbers, even in [0, 1), - 6) is added, nearly a normal deviate. The sum is clamped to [min_value,
 * max_value] of a distribution that has them, otherwise to the role's range. Pass them to dunlin_tile_spawn(), with the
 * parent's species. The numbers depend only on the world's seed, the parent's id, the step, the attribute and `child`, 0 ..
 * 2^20 - 1, which tells apart several children of a parent in one step. Call this function only from a dunlin_tile_fn.
 */
DUNLIN_API void dunlin_tile_inherit(const dunlin_tile *tile, uint32_t parent, uint32_t child,
                                    float values[DUNLIN_MAX_ATTRIBUTES]);

/** Consecutive slots of the observed species' snapshot. */
typedef struct dunlin_range {
    uint32_t begin; /**< The first slot. */
    uint32_t end;   /**< The slot after the last, > begin. */
    /** true, in periodic worlds: offsets to some agents of the packet's ranges may be longer than half the size on an axis;
     * fold all of them to the nearest image. */
    bool folds;
} dunlin_range;

/**
 * A packet: a few agents of a species in the frozen snapshot, the agents that they may see, and what a callback may write for
 * them. Together the ranges hold the slot of every observed agent within dunlin_pairs.radius of any agent of the packet, once
 * each, in ascending order. They also hold agents farther away, so test the distance. If a species observes itself, they also
 * hold the packet's own agents, so skip the agent itself. Valid during the call only.
 */
typedef struct dunlin_packet {
    int species;                       /**< The agents' species. */
    int observed;                      /**< The observed species. */
    uint32_t first;                    /**< The slot of the packet's first agent. */
    uint32_t count;                    /**< Agents, 1 .. 16, in consecutive slots. */
    const float *position[3];          /**< [dimensions][slot] World units, of all agents of the species; [2] is NULL in 2D. */
    const float *velocity[3];          /**< [dimensions][slot] World units per time unit; [2] is NULL in 2D. */
    const uint32_t *id;                /**< [slot] Each agent's id. */
    const float *observed_position[3]; /**< As `position`, of the observed species. */
    const float *observed_velocity[3]; /**< As `velocity`, of the observed species. */
    const uint32_t *observed_id;       /**< As `id`, of the observed species. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES];          /**< [slot] Each attribute's values; NULL: no such attribute. */
    const float *observed_attribute[DUNLIN_MAX_ATTRIBUTES]; /**< As `attribute`, of the observed species. */
    const dunlin_range *ranges;                             /**< [range_count] The ranges. */
    uint32_t range_count;                                   /**< Ranges. */
    float size[3];                                          /**< World units: the size of the world; [2] is 0 in 2D. */
    float *force[3]; /**< [dimensions][count] As in dunlin_tile; element k belongs to slot first + k. */
    float *next_attribute[DUNLIN_MAX_ATTRIBUTES]; /**< [count] As in dunlin_tile; element k belongs to slot first + k. */
    uint64_t step;                                /**< Steps taken before this one. */
} dunlin_packet;

/**
 * The callback of DUNLIN_BEHAVIOUR_PAIRS. Every step calls it once for every packet of the species, from several threads at the
 * same time. `user` is dunlin_behaviour_def.user. A call may write its own packet's force and next_attribute, and nothing that
 * other calls read or write. The kernel decides how to cut agents into packets, and which agents beyond the radius the ranges
 * hold. To get the same bits for every kernel, what a call writes for an agent may depend only on the agent itself and on
 * agents within the radius, taken in the order of the ranges, on `user` and on the step.
 */
typedef void dunlin_packet_fn(void *user, const dunlin_packet *packet);

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

/**
 * The kinds of behaviours: what agents do besides interactions. x and v are the agent's position and velocity, Δ is the vector
 * to the target (in a periodic world: to its nearest image), d its length, and m the agent's max_speed. Most kinds give a
 * desired velocity u. The force is then u - v, limited to max_force, times weight (C. Reynolds, "Steering Behaviors For
 * Autonomous Characters", 1999). If u needs the direction of a zero vector, such as Δ at the target itself, there is no force.
 */
typedef enum dunlin_behaviour_kind {
    DUNLIN_BEHAVIOUR_SEEK = 0, /**< u = m·Δ/d. */
    DUNLIN_BEHAVIOUR_FLEE,     /**< u = -m·Δ/d. */
    DUNLIN_BEHAVIOUR_ARRIVE,   /**< u = min(1, d / slowing_radius)·m·Δ/d; at the target u = 0, so the agent stops there. */
    DUNLIN_BEHAVIOUR_PURSUE,   /**< Seeks the place Δ + w·t, where w is the target's velocity: see dunlin_pursuit. */
    DUNLIN_BEHAVIOUR_EVADE,    /**< Flees from that place. */
    DUNLIN_BEHAVIOUR_WANDER,   /**< Seeks a point that moves at random: see dunlin_wander. */
    /** u = v, but its component across a near wall is m, away from the wall; then u is scaled to length m. See
     * dunlin_contain. */
    DUNLIN_BEHAVIOUR_CONTAIN,
    DUNLIN_BEHAVIOUR_FOLLOW_PATH, /**< Seeks a point ahead on a path when it is about to leave the path: see dunlin_follow. */
    DUNLIN_BEHAVIOUR_AVOID,       /**< Steers aside from an obstacle ahead: see dunlin_avoid. */
    DUNLIN_BEHAVIOUR_SIDESTEP,    /**< Steers aside from agents that block its view: see dunlin_sidestep. */
    DUNLIN_BEHAVIOUR_FORCE,       /**< The force is dunlin_behaviour_def.force, for example gravity. */
    DUNLIN_BEHAVIOUR_DRAG,        /**< The force is -(linear_drag + quadratic_drag·|v|)·v. */
    DUNLIN_BEHAVIOUR_FLOW,        /**< u = m·f/|f|, with f a field's vector: see dunlin_flow. */
    DUNLIN_BEHAVIOUR_WIND,        /**< The force is f, the field's vector: see dunlin_flow. */
    /** A callback adds forces, a tile at a time: see dunlin_tile_fn. It has no weight and no max_force. */
    DUNLIN_BEHAVIOUR_CUSTOM,
    /** A callback adds forces between agents, a packet at a time: see dunlin_packet_fn. It has no weight and no max_force. */
    DUNLIN_BEHAVIOUR_PAIRS,
    /** The force is that which the body of the agent's group feels in the same step, from all its rules and behaviours: see
     * dunlin_species_def.body_of and dunlin_behaviour_def.body. */
    DUNLIN_BEHAVIOUR_BODY,
    /** There is no force: a signal moves an attribute of the agent, by which it remembers. See dunlin_adapt. It has no weight
     * and no max_force. */
    DUNLIN_BEHAVIOUR_ADAPT,
    DUNLIN_BEHAVIOUR_COUNT /**< The number of kinds. */
} dunlin_behaviour_kind;

/** What a target is. */
typedef enum dunlin_target_kind {
    DUNLIN_TARGET_POINT = 0, /**< A place, which may move. */
    DUNLIN_TARGET_AGENT,     /**< An agent of any species. While it does not exist, the behaviour gives no force. */
    /** The nearest other agent of a species within dunlin_behaviour_def.radius; of equal distances the one with the minimum
     * id. */
    DUNLIN_TARGET_NEAREST,
    /** The mean position (in a periodic world: of the nearest images) and mean velocity of all other agents of a species within
     * that radius. */
    DUNLIN_TARGET_CENTRE,
    /** The centre of the agent's group in a species, with the group's mean velocity: see dunlin_group_sums. */
    DUNLIN_TARGET_GROUP_CENTRE,
    /** The place where the agent would be after one time unit if it ran with that mean velocity. To seek it is to run as the
     * group ranges. */
    DUNLIN_TARGET_GROUP_VELOCITY,
    DUNLIN_TARGET_GROUP_LEADER /**< The leader of that group. It has no direction to itself. */
} dunlin_target_kind;

/** The target of SEEK, FLEE, ARRIVE, PURSUE and EVADE. With NEAREST and CENTRE each agent has its own target, and gets no force
 * if no other agent is within the radius. With GROUP_... it is about the group of `species` that has the number of the agent's
 * own group; for a body of that species, about the group that it stands for. There is no force if that group has no agents.
 * Both species need an attribute of DUNLIN_ROLE_GROUP, and bodies one of DUNLIN_ROLE_BODY, when the world takes its next step.
 */
typedef struct dunlin_target {
    dunlin_target_kind kind; /**< Default DUNLIN_TARGET_POINT. */
    float position[3];       /**< POINT: world units, within ±1e9; default 0. */
    /** POINT: world units per time unit, within ±1e9; default 0. The target is at `position` when the behaviour is added or
     * set, and then moves by velocity·time_step per step, in a periodic world around the torus. */
    float velocity[3];
    uint32_t agent; /**< AGENT: its id, which need not exist; default 0. */
    int species;    /**< NEAREST, CENTRE, GROUP_...: the target's species, possibly the agent's own; default 0. */
} dunlin_target;

/** The time t for which PURSUE and EVADE predict the target's motion. */
typedef enum dunlin_prediction {
    DUNLIN_PREDICTION_FIXED = 0,  /**< t = time. */
    DUNLIN_PREDICTION_BY_DISTANCE /**< t = d / |v|, the time to the target's present place, at most `time`. */
} dunlin_prediction;

/** The prediction of PURSUE and EVADE. */
typedef struct dunlin_pursuit {
    dunlin_prediction prediction; /**< Default DUNLIN_PREDICTION_FIXED. */
    float time;                   /**< Time units, 0 .. 1e6; default 10. */
} dunlin_pursuit;

/**
 * WANDER: the agent seeks the point Δ = distance·v/|v| + radius·e, which lies on Reynolds' circle ahead of the agent (in 3D: a
 * sphere). e is a unit vector that turns at random. For an agent at rest the circle is around the agent itself. If Δ is zero,
 * there is no force.
 *
 * Reynolds' point takes a random walk, which needs memory for each agent. Here e instead turns smoothly from one random
 * direction to the next. There is a new direction every 1/jitter steps. The directions are independent of each other and evenly
 * distributed, and depend only on the world's seed, the agent's id, the behaviour's number and the steps taken, so two
 * behaviours of a species wander independently. In 2D e turns evenly by the shorter way, at most pi·jitter radians per step. In
 * 3D it turns to the direction halfway between the two, and from there to the second, at most 4·jitter radians per step. The
 * directions are relative to the world's axes, because in 3D a heading alone does not define a frame of reference.
 */
typedef struct dunlin_wander {
    float distance; /**< World units, 0 .. 1e9: from the agent to the circle's centre; default 10. */
    float radius;   /**< World units, 1e-9 .. 1e9; default 5. */
    float jitter;   /**< Per step, > 0, <= 1: random directions; default 0.05. */
} dunlin_wander;

/** Which walls count in a corner. */
typedef enum dunlin_corner {
    DUNLIN_CORNER_ALL = 0, /**< All near walls. */
    /** Only the wall of the last axis, z before y before x, as in sketches that test one axis after another. */
    DUNLIN_CORNER_LAST
} dunlin_corner;

/** CONTAIN: walls that agents turn away from. */
typedef struct dunlin_contain {
    /** World units, 0 .. 1e9: agents turn when they are nearer than this to a wall of the axis, or beyond it; < 0: the axis has
     * no walls; default 0. */
    float margin[3];
    float min[3];         /**< World units, within ±1e9: the place of the lower wall; default 0. */
    float max[3];         /**< World units, > min, at most 1e9: the place of the upper wall; default the world's size. */
    dunlin_corner corner; /**< Default DUNLIN_CORNER_ALL. */
} dunlin_contain;

/** How a length l ahead of the agent is given. */
typedef enum dunlin_ahead_kind {
    DUNLIN_AHEAD_FIXED = 0, /**< l = distance. */
    DUNLIN_AHEAD_BY_SPEED   /**< l = time·|v|. */
} dunlin_ahead_kind;

/** A length l ahead of the agent. */
typedef struct dunlin_ahead {
    dunlin_ahead_kind kind; /**< Default DUNLIN_AHEAD_FIXED. */
    float distance;         /**< FIXED: world units, 0 .. 1e9; default: see dunlin_follow. */
    float time;             /**< BY_SPEED: time units, 0 .. 1e6; default 10. */
} dunlin_ahead;

/** The point and direction that a path's segment from a to b gives if the foot of the perpendicular lies outside the
 * segment. */
typedef enum dunlin_off_segment {
    DUNLIN_OFF_SEGMENT_CLAMP = 0, /**< The end that is nearer to the foot, and the segment's direction. */
    DUNLIN_OFF_SEGMENT_END,       /**< Always b, and the segment's direction, as in The Nature of Code, example 5.6. */
    /** Always b, and the next segment's direction, or on the last segment of an open path its own, as in The Nature of Code,
     * exercise 5.13. */
    DUNLIN_OFF_SEGMENT_NEXT
} dunlin_off_segment;

/**
 * FOLLOW_PATH (D. Shiffman, "The Nature of Code", example 5.6, after Reynolds). p = x + l·v/|v| is the agent's predicted place,
 * with l from `prediction`; at rest p = x. Each segment of the path gives one point: the foot of the perpendicular from p, or
 * the point that off_segment says. n is the nearest of these points to p; of equal distances the first. If |p - n| is larger
 * than the radius, the agent seeks the point n + l·e, so Δ = n + l·e - x, never across the edge. Here l is from `ahead`, and e
 * is the direction of n's segment (zero if its ends are equal). Otherwise there is no force.
 */
typedef struct dunlin_follow {
    int path;                       /**< The path's number; default 0. */
    float radius;                   /**< World units, 0 .. 1e9: half the width of the path; default 10. */
    dunlin_ahead prediction;        /**< Default 25 world units. */
    dunlin_ahead ahead;             /**< Default 10 world units. */
    dunlin_off_segment off_segment; /**< Default DUNLIN_OFF_SEGMENT_CLAMP. */
} dunlin_follow;

/** The field of FLOW and WIND. */
typedef struct dunlin_flow {
    int field;        /**< The field's number; default 0. */
    float look_ahead; /**< Time units, 0 .. 1e6: f is the vector at x + v·look_ahead; default 0. */
} dunlin_flow;

/**
 * AVOID (Reynolds 1999, obstacle avoidance). An agent steers aside if it would hit an obstacle, grown by agent_radius, within
 * look_ahead at its present velocity. Only the first obstacle counts; of several that the agent would hit at the same time, the
 * one with the minimum number. With h = v/|v| and n the outward normal at the hit, u = m·(h + s)/|h + s|. s is the direction of
 * n - (n·h)·h: for a ball, seen along h, straight away from the centre. If that vector is shorter than 1e-4 (head on), s is to
 * the left of h in 2D, (-hy, hx); in 3D it is the direction of (-hy, hx, 0) if |hz| < |hx|, and otherwise of (0, -hz, hy).
 *
 * An agent that is already inside an obstacle steers out: u = m·n, with n the outward normal at the nearest place on the
 * surface, or -h at the centre of a ball or on the line of a capsule, where every direction is equally near. An agent at rest
 * gets no force. Moving along a surface is not a hit, and in 3D no agent hits a line without a radius.
 */
typedef struct dunlin_avoid {
    float look_ahead;   /**< Time units, 0 .. 1e6: how far ahead the agent looks; default 10. */
    float agent_radius; /**< World units, 0 .. 1e9: obstacles grow by this; default 0. */
} dunlin_avoid;

/**
 * SIDESTEP (after G. W. Flake, "The Computational Beauty of Nature", 1998, chapter 16, where boids move sideways until no other
 * boid blocks their view). h = v/|v| is the heading. S is the sum of Δ over all other agents of the observed species that are
 * within dunlin_behaviour_def.radius and whose direction is at most half_angle from h; n = S/|S|. u = m·s, where s is the
 * direction of -(n - (n·h)·h): seen along h, straight away from the agents' mean position. If that vector is shorter than 1e-4
 * (straight ahead), s is to the right of h in 2D, (hy, -hx); in 3D it is the direction of (hy, -hx, 0) if |hz| < |hx|, and
 * otherwise of (0, hz, -hy). If S is zero, or the agent is at rest, there is no force.
 */
typedef struct dunlin_sidestep {
    int observed;     /**< The observed species, possibly the agent's own; default 0. */
    float half_angle; /**< Radians, > 0, <= pi: half the field of view; default pi/4. */
} dunlin_sidestep;

/** What ADAPT attends to. */
typedef enum dunlin_signal {
    DUNLIN_SIGNAL_NEIGHBOURS = 0, /**< How many agents of the observed species are within dunlin_behaviour_def.radius. */
    DUNLIN_SIGNAL_NEAREST,        /**< World units: the distance to the nearest of them; without one, the radius. */
    DUNLIN_SIGNAL_ALIGNMENT, /**< The cosine of the angle between the agent's velocity and the sum of theirs; 0 without any. */
    DUNLIN_SIGNAL_SEES,      /**< 1 if there is at least one of them, for example a predator in sight; otherwise 0. */
    DUNLIN_SIGNAL_SPEED,     /**< World units per time unit: the agent's own speed. */
    DUNLIN_SIGNAL_ATTRIBUTE, /**< Another attribute of the agent, such as its energy or the time since its last meal. */
    /** The length of a field's vector at the agent's place. Of a trace it is the number there instead, by the field's lookup,
     * as it was at the beginning of the step; a number above 5e17 counts as 0. */
    DUNLIN_SIGNAL_FIELD
} dunlin_signal;

/** How ADAPT answers to a signal s. */
typedef enum dunlin_adapt_response {
    DUNLIN_ADAPT_LINEAR = 0, /**< r = offset + gain·s. */
    DUNLIN_ADAPT_THRESHOLD   /**< r = offset + gain if s >= threshold, otherwise r = offset. */
} dunlin_adapt_response;

/**
 * ADAPT: in every step the agent's attribute w becomes w + rate·(r - w) + decay·(rest - w), clamped to [low, high], where r is
 * the response to the signal. This is computed in binary32, from left to right. So with rate 0.01 the agent remembers about the
 * last hundred steps. An attribute that weighs a rule or a behaviour, scales radii or limits speed or force makes the agent's
 * history change how it steers: two flocks in the same surroundings may differ by what they have been through.
 *
 * Signals are from the snapshot, while w is what earlier behaviours and callbacks of the step have made of the attribute. Any
 * role may adapt but DUNLIN_ROLE_GROUP and DUNLIN_ROLE_BODY. The attributes must exist, and low and high be in the role's
 * range, when the world takes its next step; if the attribute exists already, that is checked at once.
 */
typedef struct dunlin_adapt {
    int attribute;        /**< The number of the attribute that moves; default 0. */
    dunlin_signal signal; /**< Default DUNLIN_SIGNAL_NEIGHBOURS. */
    int observed; /**< NEIGHBOURS, NEAREST, ALIGNMENT, SEES: the observed species, possibly the agent's own; default 0. */
    int source;   /**< ATTRIBUTE: its number; default 0. */
    int field;    /**< FIELD: its number; default 0. */
    dunlin_adapt_response response; /**< Default DUNLIN_ADAPT_LINEAR. */
    float gain;                     /**< Within ±1e6; default 1. */
    float offset;                   /**< Within ±1e30; default 0. */
    float threshold;                /**< THRESHOLD: within ±1e30; default 0. */
    float rate;                     /**< Per step, 0 .. 1; default 0.01. */
    float decay;                    /**< Per step, 0 .. 1 - rate: how fast the attribute returns to `rest`; default 0. */
    float rest;                     /**< Within ±1e30; default 0. */
    float low;                      /**< Within ±1e30; default 0. */
    float high;                     /**< At least low, at most 1e30; default 1. */
} dunlin_adapt;

/** PAIRS: which agents the callback gets. */
typedef struct dunlin_pairs {
    int observed;               /**< The observed species, possibly the agent's own; default 0. */
    float radius;               /**< World units, 1e-9 .. 1e9; default 1. */
    dunlin_packet_fn *callback; /**< Not NULL; default NULL, so it must be set. */
} dunlin_pairs;

/** The definition of a behaviour. Every kind reads `kind` and `species`. All but callbacks also read `weight`, `max_force` and
 * `negate_force`. Each of the other fields names the kinds that read it. */
typedef struct dunlin_behaviour_def {
    int cookie;                 /**< Set by dunlin_behaviour_def_default(). */
    dunlin_behaviour_kind kind; /**< Set by dunlin_behaviour_def_default(). */
    int species;                /**< The species whose agents behave so; default 0. */
    float weight;               /**< Multiplies the force; within ±1e6; default 1. */
    /** Velocity per time unit, 0 .. 1e9: the limit of the force before it is weighted. Below 0, the default: the agent's
     * max_force; for FORCE, DRAG, WIND and BODY no limit. */
    float max_force;
    bool negate_force; /**< Reverses the force, as some sketches do to flee; default false. */
    /** Kinds with a target of kind POINT, AGENT or GROUP_...: world units, >= 0; there is no force if the target is farther
     * away. INFINITY, the default: no limit. SIDESTEP, ADAPT, and targets of kind NEAREST or CENTRE: the radius within which
     * agents see others, world units, 1e-9 .. 1e9; it must be set. */
    float radius;
    dunlin_target target;     /**< SEEK, FLEE, ARRIVE, PURSUE, EVADE. */
    float slowing_radius;     /**< ARRIVE: world units, > 0, <= 1e9; default 10. */
    dunlin_pursuit pursuit;   /**< PURSUE, EVADE. */
    dunlin_wander wander;     /**< WANDER. */
    dunlin_contain contain;   /**< CONTAIN. */
    dunlin_follow follow;     /**< FOLLOW_PATH. */
    dunlin_avoid avoid;       /**< AVOID. */
    dunlin_sidestep sidestep; /**< SIDESTEP. */
    float force[3];           /**< FORCE: velocity per time unit, within ±1e9; default 0. */
    float linear_drag;        /**< DRAG: per time unit, 0 .. 1e6; default 0. */
    float quadratic_drag;     /**< DRAG: per world unit, 0 .. 1e6; default 0. */
    dunlin_flow flow;         /**< FLOW, WIND. */
    int body;                 /**< BODY: the species of the bodies, whose body_of is `species`; default 0. */
    dunlin_adapt adapt;       /**< ADAPT. */
    dunlin_tile_fn *custom;   /**< CUSTOM: the callback, not NULL; default NULL, so it must be set. */
    /** CUSTOM: the number of an attribute of the species, of DUNLIN_ROLE_VALUE, such as an energy. An agent in which it is 0 or
     * less at the end of a step, after all callbacks and meals, dies. -1, the default: none. The attribute must exist when the
     * world takes its next step. Checkpoints do not hold it: what connects the callback sets it, too. */
    int vital;
    dunlin_pairs pairs; /**< PAIRS. */
    /** CUSTOM, PAIRS: the callback's first argument; default NULL. What it points to must outlive the behaviour. */
    void *user;
} dunlin_behaviour_def;

/** The defaults for this world and kind. */
DUNLIN_API dunlin_behaviour_def dunlin_behaviour_def_default(const dunlin_world *world, dunlin_behaviour_kind kind);

/**
 * Adds a behaviour. A species may have any number of behaviours, including several of one kind. Their forces are added in the
 * order of their numbers, after those of all interactions.
 */
DUNLIN_API dunlin_result dunlin_world_add_behaviour(dunlin_world *world, const dunlin_behaviour_def *def, int *behaviour,
                                                    dunlin_error *error);

/** The number of behaviours. */
DUNLIN_API int dunlin_world_behaviour_count(const dunlin_world *world);

/** The definition of a behaviour. A moving target's position is its present place. */
DUNLIN_API dunlin_behaviour_def dunlin_world_get_behaviour(const dunlin_world *world, int behaviour);

/**
 * Replaces a behaviour. If an attribute weighs it (DUNLIN_ROLE_BEHAVIOUR_WEIGHT), its species must stay, and it cannot become a
 * callback. A moving target whose position and velocity are as dunlin_world_get_behaviour() returns them goes on as if nothing
 * had been set, with the same bits.
 */
DUNLIN_API dunlin_result dunlin_world_set_behaviour(dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                                    dunlin_error *error);

/** Removes a behaviour. A behaviour that an attribute weighs is an error. Behaviours of kind WANDER with higher numbers draw
 * their directions by their new numbers. */
DUNLIN_API dunlin_result dunlin_world_remove_behaviour(dunlin_world *world, int behaviour, dunlin_error *error);

/* ---- meals ------------------------------------------------------------------------------------------------------------ */

/**
 * One species eats another. In every step, an agent of the food species is eaten if the snapshot has an eater within the
 * radius; of several eaters, the one with the minimum id eats it. The food is still seen and moved in this step, and dies at
 * its end. An eater may eat several agents. If several meals could take an agent, the meal with the minimum number takes it.
 * Agents that die by a callback are not eaten, but eat. Values of `worth` are those from before the step; what a meal adds to
 * `energy` comes after what callbacks have written. So an agent that is to starve unless it eats is not for the callback to
 * kill: see dunlin_behaviour_def.vital.
 */
typedef struct dunlin_meal_def {
    int cookie;   /**< Set by dunlin_meal_def_default(). */
    int eater;    /**< The species that eats; default 0. */
    int food;     /**< The species that is eaten, another one; default 1. */
    float radius; /**< World units, 1e-9 .. 1e9; an agent at exactly this distance is eaten; default 1. */
    int energy; /**< The number of the eater's attribute, of DUNLIN_ROLE_VALUE, to which a meal adds; -1, the default: none. */
    float gain; /**< What each eaten agent adds, within ±1e6; default 1. The sum is clamped to ±1e30. */
    int worth;  /**< The number of the food's attribute, of DUNLIN_ROLE_VALUE, that multiplies gain; -1, the default: none. */
} dunlin_meal_def;

/** The defaults. */
DUNLIN_API dunlin_meal_def dunlin_meal_def_default(void);

/** Adds a meal. */
DUNLIN_API dunlin_result dunlin_world_add_meal(dunlin_world *world, const dunlin_meal_def *def, int *meal, dunlin_error *error);

/** The number of meals. */
DUNLIN_API int dunlin_world_meal_count(const dunlin_world *world);

/** The definition of a meal. */
DUNLIN_API dunlin_meal_def dunlin_world_get_meal(const dunlin_world *world, int meal);

/** Replaces a meal. */
DUNLIN_API dunlin_result dunlin_world_set_meal(dunlin_world *world, int meal, const dunlin_meal_def *def, dunlin_error *error);

/** Removes a meal. */
DUNLIN_API dunlin_result dunlin_world_remove_meal(dunlin_world *world, int meal, dunlin_error *error);

/* ---- measurements ----------------------------------------------------------------------------------------------------- */

/** Measurements of a species. What no agent has, has no value: without agents all but the counts and neighbour_radius is NaN.
 */
typedef struct dunlin_metrics {
    uint64_t agents; /**< Agents of the species. */
    /** The length of the mean heading, 0 .. 1. An agent at rest has no heading and counts as a zero vector. */
    double polarization;
    /** Milling, 0 .. 1: the length of the mean of r × heading, with r the unit vector from the flock's centre to the agent. The
     * centre is the mean position, in a periodic world the circular mean. Couzin et al., J. Theor. Biol. 218, 1 (2002). */
    double rotation;
    /** The mean of r × v over all agents, with r the vector from the flock's centre to the agent and v its velocity. World
     * units squared per time unit. In 2D x and y are 0, and z is positive if the flock turns counterclockwise. With unit masses
     * it is the angular momentum per agent: D'Orsogna et al., Phys. Rev. Lett. 96, 104302 (2006). */
    double angular_momentum[3];
    double mean_speed;      /**< World units per time unit. */
    double mean_neighbours; /**< Neighbours per agent, of the same species, within neighbour_radius. */
    /** World units: the maximum radius with which the species observes itself, in interactions and behaviours; 0: it does
     * not. */
    double neighbour_radius;
    /** World units: the mean distance to the nearest agent of the same species; NaN if no agent has another within 1e19. */
    double mean_nearest;
    /** Agents outside the world and its margin. Always 0 in open worlds and with boundary_first. */
    uint64_t outside;
} dunlin_metrics;

/**
 * Measures the present state of a species. Sums over agents are exact, so threads, kernel, index and the agents' order in
 * memory do not change a bit of the result. Each agent's terms are computed in binary64; headings and what rotation sums are
 * rounded to multiples of 2^-50.
 *
 * The function uses spare buffers of the world, so it is not const; views stay valid. O(agents) unless agents are spread very
 * unevenly. Allocates memory.
 */
DUNLIN_API dunlin_result dunlin_world_measure(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/**
 * Asks the next step to measure, too: all species, in the state that the step begins with. This takes far less time than
 * dunlin_world_measure(), because the step visits all neighbours anyway, and gives the same bits. It costs no memory in a
 * steady simulation. Bodies that the step makes, because groups lack them, are measured, too.
 *
 * Some species are measured in separate passes when the step begins, because no interaction counts just the neighbours within
 * neighbour_radius: species that do not observe themselves; those observed with a field of view, a minimum radius, kin,
 * `nearest`, `max_neighbours` or `ignore_coincident`; those whose radii an attribute scales; those that a behaviour observes
 * from further away; and all species in a world with boundary_first.
 */
DUNLIN_API dunlin_result dunlin_world_measure_in_step(dunlin_world *world, dunlin_error *error);

/**
 * What the last step that was asked to measure has measured, by the species' numbers at that time. If no step has been taken
 * since the last call of dunlin_world_measure_in_step(), this function measures the present state of all species, and the next
 * step does not. To measure a state that something else than a step is about to change, call it before. An error if no step was
 * ever asked.
 */
DUNLIN_API dunlin_result dunlin_world_measured(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/* ---- surveys ---------------------------------------------------------------------------------------------------------- */

/**
 * A survey measures what a flock does as a whole: its groups, the fluctuations of its density, the correlation of its
 * velocities. It keeps the memory for that from one use to the next, so using it again for a world of the same size allocates
 * nothing. It may be used for any world and at any time between steps, but by one thread at a time.
 *
 * The functions use the world's threads, so the world is not const, but they change nothing in it. Their numbers do not depend
 * on threads, kernel, index or storage order: they are counts, minima, maxima, and sums of whole numbers.
 */
typedef struct dunlin_survey dunlin_survey;

/** Instead of a species: the agents of all species together. */
#define DUNLIN_ALL_SPECIES (-1)

/** Creates a survey in *survey; dunlin_survey_destroy() frees it. On failure *survey is NULL. */
DUNLIN_API dunlin_result dunlin_survey_create(dunlin_survey **survey, dunlin_error *error);

/** Frees the survey and all that its results point to. NULL is allowed. */
DUNLIN_API void dunlin_survey_destroy(dunlin_survey *survey);

/**
 * The groups of a flock: two agents are in one group if a chain of agents leads from one to the other in which each is within
 * the radius of the next (connected components; in a periodic world by the nearest images). An agent without another within the
 * radius is a group of one. Without agents the sizes' means are NaN, and all other fields are 0.
 */
typedef struct dunlin_components {
    uint32_t agents;  /**< Agents, in all groups together. */
    uint32_t count;   /**< Groups. */
    uint32_t largest; /**< Agents of the largest group. */
    double mean_size; /**< Agents per group. */
    /** The size of the group that an agent is in, averaged over the agents: Σ size² / Σ size over the groups. Jarman, Behaviour
     * 48, 215 (1974). */
    double typical_size;
    /** [count] Agents of each group, the largest first. Valid until the survey is used again or destroyed. */
    const uint32_t *sizes;
    /** [species][its agents] Each agent's group, by the slots of the species' view: the minimum id of the group's agents. NULL
     * for a species that was not asked for. Valid like `sizes`. */
    const uint32_t *labels[DUNLIN_MAX_SPECIES];
} dunlin_components;

/**
 * Finds the groups of a species, or of DUNLIN_ALL_SPECIES. `radius`: world units, 1e-9 .. 1e9; agents at exactly this distance
 * belong together. O(agents), with a share for the neighbours within the radius. Allocates memory at first. If it fails,
 * *groups is zeroed.
 */
DUNLIN_API dunlin_result dunlin_survey_components(dunlin_survey *survey, dunlin_world *world, int species, float radius,
                                                  dunlin_components *groups, dunlin_error *error);

/**
 * How many agents there are in boxes of equal size that fill the world. The world's sides are cut into whole numbers of boxes,
 * so that a box's sides come close to what is asked for. In an open world the boxes have exactly the sides that are asked for,
 * and cover the agents from their minimum coordinates on. An agent outside a world with edges counts in the nearest box.
 *
 * The variance is that of a sample, with boxes - 1 in the denominator: for agents that are placed at random, independently of
 * each other, it equals mean_count on average, in as many boxes as there are. Fluctuations are called giant if the standard
 * deviation grows with the mean as ΔN ∝ ⟨N⟩^a over boxes of several sizes, with a above 1/2: Narayan, Ramaswamy and Menon,
 * Science 317, 105 (2007); Chaté, Ginelli, Grégoire and Raynaud, Phys. Rev. E 77, 046113 (2008).
 */
typedef struct dunlin_density {
    uint64_t boxes;          /**< Boxes. */
    double box_size[3];      /**< World units: a box's sides; [2] is 0 in 2D. */
    double mean_count;       /**< ⟨N⟩: agents per box. */
    double count_variance;   /**< (ΔN)²: the variance of the agents per box; NaN if there is only one box. */
    double mean_density;     /**< Agents per square or cubic world unit. */
    double density_variance; /**< The variance of the density; NaN likewise. */
} dunlin_density;

/** The maximum number of boxes of dunlin_survey_density(). */
#define DUNLIN_MAX_BOXES 16777216

/**
 * Counts the agents of a species, or of DUNLIN_ALL_SPECIES, in boxes. `box_size`: world units, 1e-9 .. 1e9; more than
 * DUNLIN_MAX_BOXES boxes are an error. O(agents + boxes). Allocates memory at first. If it fails, *density is zeroed.
 */
DUNLIN_API dunlin_result dunlin_survey_density(dunlin_survey *survey, dunlin_world *world, int species, double box_size,
                                               dunlin_density *density, dunlin_error *error);

/** The exponent a of ΔN ∝ ⟨N⟩^a: the slope of log ΔN against log ⟨N⟩ over densities[count] for boxes of several sizes, by least
 * squares. Those without fluctuations are left out; NaN if fewer than two different means are left. Thread-safe. */
DUNLIN_API double dunlin_fluctuation_exponent(const dunlin_density *densities, int count);

/** Which pairs of agents dunlin_survey_correlation() compares. */
typedef struct dunlin_correlation_def {
    int cookie;  /**< Set by dunlin_correlation_def_default(). */
    int species; /**< A species or DUNLIN_ALL_SPECIES; default 0. */
    /** World units, 1e-9 .. 1e9: pairs of agents at most this far apart; default half the world's shortest side, beyond which a
     * periodic world has no images in all directions. */
    float max_radius;
    int bins; /**< 1 .. 10 000: the correlation is averaged over bins of distances of max_radius / bins; default 50. */
    /** About how many agents to draw. Each is compared with all agents within max_radius; 0, the default: every agent is. In a
     * small flock this is quick; in a flock of millions all pairs at long distances would take days. Which agents are drawn
     * depends only on the world's seed, the step and the agents' ids. */
    uint32_t samples;
} dunlin_correlation_def;

/** The defaults for this world. */
DUNLIN_API dunlin_correlation_def dunlin_correlation_def_default(const dunlin_world *world);

/**
 * How far the agents' velocities are correlated beyond their common motion. u = v - ⟨v⟩ is an agent's velocity minus the mean
 * velocity of all agents. C(r) is the mean of u_i·u_j over the pairs of agents at distance r, divided by the mean of u². With
 * every agent drawn, the sum over C(r), weighted by pairs, and all agents with themselves is 0 if all pairs are within
 * max_radius, so C(r) must fall below 0 somewhere. Cavagna et al., PNAS 107, 11865 (2010).
 */
typedef struct dunlin_correlation {
    /** World units: the correlation length, where C(r) first falls to 0. It is interpolated between the middles of bins, from
     * C(0) = 1. NaN: it does not fall to 0 within max_radius, or there are no fluctuations. */
    double length;
    double fluctuation; /**< World units per time unit: the root of the mean of u². NaN: there are no agents. */
    uint32_t samples;   /**< Agents that were drawn. */
    uint64_t pairs;     /**< Pairs of agents within max_radius of which at least one was drawn. */
    int bins;           /**< As in the definition. */
    double bin_width;   /**< World units. */
    /** [bins] C(r) for distances from k·bin_width up to (k + 1)·bin_width; the last bin includes max_radius. NaN: no pairs, or
     * no fluctuations. Valid until the survey is used again or destroyed. */
    const double *correlation;
    const uint64_t *bin_pairs; /**< [bins] Pairs of agents. Valid likewise. */
} dunlin_correlation;

/** Correlates velocity fluctuations. They are rounded to 2^-30 of their maximum, so that sums have no order; those of at most
 * 2^-50 of the maximum velocity count as none. O(agents + pairs). Allocates memory at first. If it fails, *correlation is
 * zeroed. */
DUNLIN_API dunlin_result dunlin_survey_correlation(dunlin_survey *survey, dunlin_world *world,
                                                   const dunlin_correlation_def *def, dunlin_correlation *correlation,
                                                   dunlin_error *error);

/* ---- state files ------------------------------------------------------------------------------------------------------ */

/**
 * Writes the state to a file: a table in CSV, after a preamble of lines that begin with "# ", which other programs can skip as
 * comments.
 *
 *     # dunlin state 1
 *     # seed 42
 *     # step 37
 *     # time 18.5               only if the time step has changed or the clock was set: the time that has passed
 *     # next_id 1234            only if agents have died or the clock was set: the id after all ids used so far, ...
 *     # spent_ids 1200          ... and its value when that last happened, if agents have been born since
 *     # target 2 12.5 30 at 37  for each behaviour with a moving target: its number, a place, and the time when it was there
 *     # agents 20012
 *     id,species,x,y,vx,vy,energy
 *
 * Each agent has a row: `id,species,x,y[,z],vx,vy[,vz]`, and one column per attribute name, which is empty for species without
 * that attribute. `species` is the species' name. Rows are in storage order, one species after another. Numbers have enough
 * digits to read back the same bits.
 *
 * A state that is loaded into a world without agents, with the same definitions as the saved world had, continues bit for bit,
 * including the ids of new agents, unless the world has traces: a state file has none of their numbers, so they stay.
 *
 * An existing file is replaced as a whole or not at all, even if the program or machine stops: a new file in the same folder,
 * which must be writable, gets the old file's mode and takes its place once it is on the disk. A symbolic link stays, and the
 * file that it leads to is replaced. Some files cannot be replaced and are written directly: pipes, devices, mount points,
 * another user's file in a sticky folder such as /tmp, and the file behind standard output or standard error.
 */
DUNLIN_API dunlin_result dunlin_world_save(const dunlin_world *world, const char *path, dunlin_error *error);

/** Writes the preamble of the file that dunlin_world_save() would write, as snprintf() does: at most `size` bytes including the
 * terminator. `text` may be NULL if `size` is 0. Returns the length of the whole preamble in bytes, without the terminator; 0:
 * out of memory. With a table after it, the preamble is a state file. */
DUNLIN_API size_t dunlin_world_preamble(const dunlin_world *world, char *text, size_t size);

/**
 * Spawns the agents of a state file, in the order of its rows. If the world has no agents, it continues from the file's step
 * and time, and moving targets continue from their places in the file. The file's seed must be the world's; to continue with
 * another seed, load first and then change the seed with dunlin_world_set_def(). The rules of dunlin_batch.ids apply to the ids
 * of rows. next_id must be above all of them; ids below spent_ids, or below next_id if there is no spent_ids, are not used
 * again.
 *
 * Columns may have any order. `species` may be missing if the world has one species. Attributes may be missing; then they are
 * drawn. A file without a preamble holds agents only: the world's step stays, and a table that was cut off goes unnoticed.
 *
 * Lines end with a line feed, or with a carriage return and a line feed, and have at most 65536 bytes. Up to a million blank
 * lines are skipped. `step` is at most 2^53. The memory used grows with the number of rows and not with the file's size. An
 * error names file and line; then no agent is spawned and the world is as before.
 */
DUNLIN_API dunlin_result dunlin_world_load(dunlin_world *world, const char *path, dunlin_error *error);

/** The preamble of a state file. */
typedef struct dunlin_state_info {
    bool has_preamble; /**< false: the file is only a table of agents, and the other fields are 0. */
    uint64_t seed;     /**< The seed of the saved world. */
    uint64_t step;     /**< Steps taken, 0 .. 2^53. */
    double time;       /**< Time units passed; below 0: step·time_step of the saved world. */
    uint64_t agents;   /**< Agents of all species. */
} dunlin_state_info;

/** Reads the preamble of a state file, without a world and without reading the table. On failure *info is zeroed.
 * Thread-safe. */
DUNLIN_API dunlin_result dunlin_state_read_info(const char *path, dunlin_state_info *info, dunlin_error *error);

/* ---- checkpoints ------------------------------------------------------------------------------------------------------ */

/**
 * A checkpoint is a world's state in binary: quick to save and to restore, and checked so that damage anywhere is noticed. It
 * is for going on, in the same program or in another one; state files are for people and for other programs.
 *
 * A checkpoint has the agents in storage order, the step, the time, the ids that have been used, and the places of moving
 * targets. It does not have the definitions, only a fingerprint of them. dunlin_world_save_definitions_to() saves these, so
 * that another program needs no more than the two, one after the other in one file:
 *
 *     dunlin_world_save_definitions_to(world, write, context, &error);
 *     dunlin_world_save_to(world, write, context, &error);
 *
 *     dunlin_world_create_from(NULL, read, NULL, context, &world, &error);
 *     dunlin_world_restore_from(world, read, context, &error);
 *
 * All numbers are little-endian, so any machine, kernel and number of threads continues from it. Both formats have a version,
 * and their checksums are XXH3 with 64 bits, which find damage but not forgery: a forged checkpoint that comes piece by piece
 * may ask for memory for as many agents as a world can have, and forged definitions for as many cells of fields.
 */

/** Takes the next `count` bytes of a checkpoint; false: it cannot, and the checkpoint is abandoned. */
typedef bool dunlin_write_fn(void *context, const void *bytes, size_t count);

/** Fills `bytes` with the next `count` bytes of a checkpoint; false: there are not so many. */
typedef bool dunlin_read_fn(void *context, void *bytes, size_t count);

/** A fingerprint of the world's definitions: of everything that was added, changed or set, but for agents, the places of moving
 * targets, threads, executor and kernel. Callbacks are known only by being there. The same on every machine. O(cells of fields,
 * points of paths and obstacles). */
DUNLIN_API uint64_t dunlin_world_fingerprint(const dunlin_world *world);

/** The size in bytes of a checkpoint of the present state. */
DUNLIN_API size_t dunlin_world_saved_bytes(const dunlin_world *world);

/** Writes a checkpoint, piece by piece from the first byte to the last. DUNLIN_ERROR_FILE: `write` has refused. */
DUNLIN_API dunlin_result dunlin_world_save_to(const dunlin_world *world, dunlin_write_fn *write, void *context,
                                              dunlin_error *error);

/** Writes a checkpoint to bytes[count]; dunlin_world_saved_bytes() says how many are needed. */
DUNLIN_API dunlin_result dunlin_world_save_memory(const dunlin_world *world, void *bytes, size_t count, dunlin_error *error);

/**
 * Restores a checkpoint, which `read` gives piece by piece. The world's agents are replaced by the checkpoint's, and everything
 * continues bit for bit as in the saved world, including the ids of new agents. The definitions must be those of the saved
 * world. If it fails, the world is as before, but there may be more room. Allocates memory, at least a bit for each id that has
 * been used.
 */
DUNLIN_API dunlin_result dunlin_world_restore_from(dunlin_world *world, dunlin_read_fn *read, void *context,
                                                   dunlin_error *error);

/** Restores a checkpoint that begins at bytes[0] and ends within bytes[count]. */
DUNLIN_API dunlin_result dunlin_world_restore_memory(dunlin_world *world, const void *bytes, size_t count, dunlin_error *error);

/** Writes all definitions, piece by piece: everything that dunlin_world_fingerprint() covers. DUNLIN_ERROR_FILE: `write` has
 * refused. */
DUNLIN_API dunlin_result dunlin_world_save_definitions_to(const dunlin_world *world, dunlin_write_fn *write, void *context,
                                                          dunlin_error *error);

/** Gives a callback to a behaviour that is read: sets def->custom and def->vital, which is -1 before, or def->pairs.callback,
 * by def->kind, and def->user. What else it sets is ignored. `behaviour` is the behaviour's number. */
typedef void dunlin_connect_fn(void *context, int behaviour, dunlin_behaviour_def *def);

/**
 * Creates a world without agents, at step 0, in *world, with the definitions that `read` gives piece by piece. Moving targets
 * are at 0 until a checkpoint is restored. `def` says how it runs: only its threads, executor, run, run_context and kernel are
 * read; NULL: the defaults. `connect` is called for each behaviour that is a callback; it may be NULL if none is. Both
 * functions get `context`. On failure *world is NULL.
 */
DUNLIN_API dunlin_result dunlin_world_create_from(const dunlin_world_def *def, dunlin_read_fn *read, dunlin_connect_fn *connect,
                                                  void *context, dunlin_world **world, dunlin_error *error);

/* ---- displacements ---------------------------------------------------------------------------------------------------- */

/**
 * How far agents have come since a state that was the start. A displacement object is the caller's: it keeps the ids of the
 * agents that were there, and follows their ways across the edges of a periodic or teleporting world, so that an agent which
 * runs once around the world has come its whole length. It takes 16 bytes per agent and 12 more per dimension.
 */
typedef struct dunlin_displacement dunlin_displacement;

/** Makes the present state the start, in *displacement; dunlin_displacement_destroy() frees it. On failure it is NULL. */
DUNLIN_API dunlin_result dunlin_displacement_create(const dunlin_world *world, dunlin_displacement **displacement,
                                                    dunlin_error *error);

/** Frees a displacement object. NULL is allowed. */
DUNLIN_API void dunlin_displacement_destroy(dunlin_displacement *displacement);

/**
 * Follows all agents to their present places: to be called after every step, or at least before an agent can have moved by half
 * the world's size, since the shorter way is taken for its way. In teleporting worlds the size includes both margins. Agents
 * that were born after the start are passed over. O(agents).
 */
DUNLIN_API dunlin_result dunlin_displacement_follow(dunlin_displacement *displacement, const dunlin_world *world,
                                                    dunlin_error *error);

/** Displacements of a species' agents that were there at the start and still are. */
typedef struct dunlin_displacements {
    uint64_t agents; /**< How many agents these are. */
    /** World units squared: the mean of |x(t) - x(0)|² over them; NaN without any. In free diffusion it grows as
     * 2·dimensions·D·t, in straight simulation as v²·t²: Frenkel and Smit, Understanding Molecular Simulation, 2nd ed.,
     * section 4.4 (2002). */
    double mean_squared;
    double mean[3]; /**< World units: the mean displacement; NaN likewise. In 2D [2] is 0. */
    double time;    /**< Time units since the start. */
} dunlin_displacements;

/** Measures displacements up to the places to which agents were followed last. `species`: its number, or DUNLIN_ALL_SPECIES.
 * Sums are exact, as in dunlin_world_measure(). */
DUNLIN_API dunlin_result dunlin_displacement_measure(const dunlin_displacement *displacement, const dunlin_world *world,
                                                     int species, dunlin_displacements *measured, dunlin_error *error);

/** Writes a displacement object in binary, little-endian, with a checksum, beside a checkpoint of its world. */
DUNLIN_API dunlin_result dunlin_displacement_save_to(const dunlin_displacement *displacement, dunlin_write_fn *write,
                                                     void *context, dunlin_error *error);

/** Reads one that was written so, for a world in which it goes on. What is damaged is refused; *displacement is then NULL. */
DUNLIN_API dunlin_result dunlin_displacement_restore_from(const dunlin_world *world, dunlin_displacement **displacement,
                                                          dunlin_read_fn *read, void *context, dunlin_error *error);

/* ---- numbers for callers ---------------------------------------------------------------------------------------------- */

/**
 * Draws four random numbers for a callback: evenly from [0, 1), multiples of 2^-24. They depend only on the seed, the agent's
 * id, the step and `stream`, which distinguishes several draws for one agent in one step (0 .. 2^24 - 1; larger values count
 * modulo 2^24). The engine itself uses none of these numbers. The generator is Philox 4x32-10, Salmon et al., SC 2011.
 * `numbers` must not be NULL. The same bits on every machine. Thread-safe.
 */
DUNLIN_API void dunlin_draw(uint64_t seed, uint32_t id, uint64_t step, uint32_t stream, float numbers[4]);

/** sin(2·pi·turns), with an error of at most 1e-7 for |turns| < 2^51, where doubles still tell quarter turns apart; 0 for
 * infinities and NaN. The same bits on every machine, which libm does not promise. Thread-safe. */
DUNLIN_API float dunlin_sine_of_turns(double turns);

/** Gradient noise that changes smoothly with time: -1 .. 1, mostly within ±0.6, about one swing per unit of time. It is the
 * noise of dunlin_field_noise with three axes, along the line (time, 1/3, 2/3), with 1 .. 8 octaves. Each seed gives another
 * noise. Returns 0 if `octaves` is out of range or `time` is not finite. The same bits on every machine. Thread-safe. */
DUNLIN_API float dunlin_noise_over_time(uint64_t seed, int octaves, double time);

/**
 * The offset between two places, with the bits that interactions and behaviours have: offset[a] = to[a] - from[a] in binary32,
 * where the world is periodic to the nearest image. In 2D [2] of the places is not read, and offset[2] is 0. Callbacks may call
 * it. No pointer may be NULL.
 */
DUNLIN_API void dunlin_world_offset(const dunlin_world *world, const float from[3], const float to[3], float offset[3]);

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

/** A variant of the inner loops. All kernels give the same bits, on every machine. */
typedef struct dunlin_kernel_info {
    const char *name;        /**< For dunlin_world_def.kernel. Static storage. */
    const char *description; /**< The instruction set in words. Static storage. */
    int lanes;               /**< Agents per group, >= 1. */
    bool runs_here;          /**< Whether this machine has the instructions. */
} dunlin_kernel_info;

/** The number of kernels in the library, including those that cannot run here. Thread-safe. */
DUNLIN_API int dunlin_kernel_count(void);

/** The kernel at a position, 0 .. dunlin_kernel_count() - 1; a zeroed struct for any other position. They go from
 * slow to quick. Thread-safe. */
DUNLIN_API dunlin_kernel_info dunlin_kernel_at(int position);

/** The position of the kernel with that name; for "auto", of the kernel that worlds begin with on this machine. -1 if there is
 * none or `name` is NULL. Thread-safe. */
DUNLIN_API int dunlin_kernel_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
