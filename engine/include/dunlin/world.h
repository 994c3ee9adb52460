/* SPDX-License-Identifier: MIT */
/**
 * \file
 * A world, its species, their agents, which species observes which, and the step: all that a flock needs. dunlin.h says what
 * holds in all parts.
 */
#ifndef DUNLIN_WORLD_H
#define DUNLIN_WORLD_H

#include <dunlin/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the world -------------------------------------------------------------------------------------------------------- */

/** What happens at the world's edges. */
typedef enum dunlin_boundary {
    /** A torus: an agent that leaves on one side enters on the other, and agents see each other across the edge. An agent that
       moves farther than the size in one step ends on the edge. */
    DUNLIN_BOUNDARY_PERIODIC = 0,
    DUNLIN_BOUNDARY_TELEPORT, /**< An agent that leaves on one side enters on the other; agents do not see across the edge. */
    /** The edge mirrors position and velocity once. An agent that would still be outside ends on the edge. */
    DUNLIN_BOUNDARY_REFLECT,
    DUNLIN_BOUNDARY_OPEN, /**< There is no edge. */
    DUNLIN_BOUNDARY_SAME  /**< dunlin_world_def.axis_boundary only: as `boundary` says. */
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
 * A caller's executor, for programs that have a job system. It calls work(job, worker) once for each worker from 0 to
 * workers - 1, where `workers` is 2 .. dunlin_world_def.threads, on any threads, in any order, at the same time or one after
 * another, and returns when all these calls have returned. It may leave out all calls but one. Calling work() with an invalid
 * or already running worker number does nothing and makes this or the next step fail. Calls must see what was written before,
 * and the executor's caller what they wrote.
 *
 * A world calls its executor several times per step, one call at a time, from the thread that called the world's function;
 * other worlds may call it at the same time. It must not use the world, except that it may fail by dunlin_world_fail(), and
 * must return as usual then. `context` is dunlin_world_def.run_context, which must outlive the world.
 */
typedef void dunlin_run_fn(void *context, uint32_t workers, dunlin_work_fn *work, void *job);

/**
 * An allocator of the caller's own. All memory of a world comes from it: its arrays, its index, its parts, and what a call
 * needs only until it returns. Surveys and displacements are the caller's own objects, and take theirs from the C library, as
 * do the system's functions for files and threads, and dunlin_world_create_from() for the bytes that it reads.
 *
 * A world makes one call at a time, from the thread that called the world's function, from any of its executor's threads, or
 * from one that releases a hold. Worlds that share an allocator may call it at the same time. It must not use the world.
 */
typedef struct dunlin_allocator {
    /** Returns `bytes` bytes, at least 1, at a multiple of `alignment`, a power of two up to 4096. They may hold
     * anything. NULL: there is no memory, so the call fails with DUNLIN_ERROR_MEMORY and the world is as before. */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    /** Frees what `allocate` has returned for the same numbers. */
    void (*release)(void *user, void *memory, size_t bytes, size_t alignment);
    void *user; /**< What both get first. What it points to must outlive the world and its holds. */
} dunlin_allocator;

/**
 * The definition of a world.
 *
 * Executors run a world's parallel work, all with the same bits. "serial" uses only the calling thread; "custom" is the
 * caller's, the function `run`.
 *
 * "openmp", if the library was built with it, uses one team of OpenMP's threads for each thread that steps worlds; a step is
 * one parallel region. Between steps they spin for some milliseconds, as OMP_WAIT_POLICY says. OpenMP ends the process if it
 * must create threads and cannot, for example after worlds with other numbers of threads. Inside a parallel region of the
 * caller a world uses one thread, unless OpenMP is set to nest. In a child process after fork() "openmp" is an error, which
 * "auto" avoids, and a world of the parent's uses one thread.
 *
 * "pthreads" uses threads of the world's own, which sleep while there is no work, run on any processor of the process, and end
 * with the world. On Linux a child process may use the world after fork().
 */
typedef struct dunlin_world_def {
    int cookie;     /**< Internal. */
    int dimensions; /**< 2 or 3; default 2. */
    /** World units, 1e-9 .. 1e9; default 100 on each axis. In an open world it only sets defaults, such as where agents are
     * scattered. */
    float size[3];
    dunlin_boundary boundary; /**< Default DUNLIN_BOUNDARY_PERIODIC. */
    /** The boundary along each axis, such as periodic along x and reflecting along y; default DUNLIN_BOUNDARY_SAME. If only
     * some axes are open, cells cover the size, and are slow for agents far beyond it. dunlin_world_get_def() has
     * DUNLIN_BOUNDARY_SAME if all axes agree. */
    dunlin_boundary axis_boundary[3];
    /** TELEPORT: world units, 0 .. 1e9: an agent moves this far beyond the edge, and then enters this far beyond the opposite
     * edge. */
    float margin;
    /** TELEPORT with margin 0: an agent enters as far inside the world as it moved beyond the edge, at most as far as the
     * opposite edge. Default false: it enters exactly on the edge. */
    bool keep_overshoot;
    /** TELEPORT, REFLECT, along every axis: the boundary applies at the start of the next step, before agents see each other,
     * so agents may be outside the world between steps. */
    bool boundary_first;
    dunlin_integrator integrator; /**< Default DUNLIN_INTEGRATOR_SEMI_IMPLICIT. */
    float time_step;              /**< Time units, > 0, <= 1e6; default 1. Numbers "per step" do not depend on it. */
    bool forces_are_increments;   /**< Forces are added to velocities without the factor time_step. */
    uint64_t seed;                /**< The seed of all random numbers that the world draws; default 1. */
    /** The number of workers, 1 .. 1024. 0: one for "serial", an error for "custom", and for "openmp" and
     * "pthreads" one per processor of the process's affinity mask, at most its control groups' quota (cpu.max), rounded up, or
     * what OpenMP is set to. With 0 a small flock may use fewer: its first steps benchmark thread counts and keep the fastest.
     */
    int threads;
    /** "openmp", "pthreads", "serial", "custom", or "auto", the default: "custom" if `run` is not NULL, otherwise the first of
     * the others that the library has. */
    const char *executor;
    dunlin_run_fn *run; /**< "custom": the executor. */
    void *run_context;  /**< What `run` gets as its context. */
    /** NULL, the default: the C library's malloc() and free(). Copied during create. */
    const dunlin_allocator *allocator;
    /** "auto", the default, or a name from dunlin_kernel_at(). "auto" benchmarks the kernels in the first steps, and now and
     * then later, and keeps the fastest. */
    const char *kernel;
    /** How the world finds neighbours: "grid", "tree" or "brute" (all pairs). Each stores agents and adds up sums in its own
     * order, so states may differ in the last bits. "auto", the default, is the grid, or in an open world, in each step, the
     * one that suits the agents' positions. */
    const char *index;
} dunlin_world_def;

/** The defaults. */
DUNLIN_API dunlin_world_def dunlin_world_def_default(void);

/** Creates an empty world in *world; dunlin_world_destroy() frees it. A kernel that is unknown or cannot run on this machine is
 * an error that lists the kernels that can; the library never substitutes another one. */
DUNLIN_API dunlin_result dunlin_world_create(const dunlin_world_def *def, dunlin_world **world, dunlin_error *error);

/** Frees the world. NULL is allowed. */
DUNLIN_API void dunlin_world_destroy(dunlin_world *world);

/** The present definition. `threads`, `executor`, `kernel` and `index` are what the world chose, `kernel` so far; the strings
 * are static. */
DUNLIN_API dunlin_world_def dunlin_world_get_def(const dunlin_world *world);

/** The boundary along an axis, 0 .. dimensions - 1; DUNLIN_BOUNDARY_SAME for any other. */
DUNLIN_API dunlin_boundary dunlin_world_boundary(const dunlin_world *world, int axis);

/**
 * Changes the world. Start from the definition that dunlin_world_get_def() returns. dimensions, threads, executor, run,
 * run_context, allocator, kernel and index must stay; threads 0 and "auto" count as unchanged. An agent that would be outside
 * the new world is an error. O(agents).
 *
 * Agents and moving targets stay where they are, and continue with the new time_step and seed. Other definitions keep numbers
 * that came from the world's size or seed, such as walls.
 */
DUNLIN_API dunlin_result dunlin_world_set_def(dunlin_world *world, const dunlin_world_def *def, dunlin_error *error);

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

/** A variant of the inner loops. All kernels give the same bits, on every machine. */
typedef struct dunlin_kernel_info {
    const char *name;        /**< For dunlin_world_def.kernel. Static storage. */
    const char *description; /**< The instruction set in words. Static storage. */
    int lanes;               /**< Agents per packet, >= 1. */
    bool runs_here;          /**< Whether this machine has the instructions. */
} dunlin_kernel_info;

/** The number of kernels, including those that cannot run here. */
DUNLIN_API int dunlin_kernel_count(void);

/** The kernel at a position, 0 .. dunlin_kernel_count() - 1, from slow to fast; a zeroed struct for any other position. */
DUNLIN_API dunlin_kernel_info dunlin_kernel_at(int position);

/** The position of the kernel with that name; for "auto", of the kernel that worlds begin with on this machine. -1 if there is
 * none or `name` is NULL. */
DUNLIN_API int dunlin_kernel_find(const char *name);

/* ---- species ---------------------------------------------------------------------------------------------------------- */

#define DUNLIN_MAX_SPECIES    64      /**< The maximum number of species per world. */
#define DUNLIN_NAME_LENGTH    64      /**< The maximum length of a name in bytes, including the terminator. */
#define DUNLIN_MAX_ATTRIBUTES 8       /**< The maximum number of attributes per species. */
#define DUNLIN_MAX_GROUPS     1048576 /**< The maximum number of groups per species. */

/**
 * Groups that split and merge: each connected component of at least min_agents (see dunlin_survey_components()) gets one group;
 * other agents keep theirs. The largest part of a group that splits keeps its number, and the largest of groups that merge
 * gives its number to all.
 *
 * A component prefers the group of most of its agents, of equal ones that with the minimum number. Components choose in the
 * order of their sizes, the largest first, of equal ones that with the minimum id. If the preferred group is taken, a component
 * gets the minimum number that no component prefers and no small one uses, or, if there is none, shares its preferred group.
 */
typedef struct dunlin_regroup {
    int every;      /**< Steps, 0 .. 1e9: before every step that is a multiple, but not step 0; 0: never. */
    float radius;   /**< World units, 1e-9 .. 1e9: agents at most this far apart are connected; default 1. */
    int min_agents; /**< 1 .. 1e9; default 1. */
} dunlin_regroup;

/** The definition of a species. */
typedef struct dunlin_species_def {
    int cookie; /**< Internal. */
    /** 1 .. 63 bytes without comma, quote or control character, unique in the world; default "agents". */
    const char *name;
    /** Speed, 0 .. max_speed. It does not apply to an agent at rest, which has no direction. */
    float min_speed;
    float max_speed; /**< Speed, 0 .. 1e9; default 1. */
    /** Velocity per time unit, 0 .. 1e9: limits the force of each rule with DUNLIN_RESPONSE_STEER, and of each behaviour that
     * steers and has no max_force of its own; default 0.1. */
    float max_force;
    float drag; /**< 0 .. 1, per step: the fraction of its velocity that an agent loses after the speed limits. */
    /** Velocity per time unit, 0 .. 1e9: a step takes friction·time_step from the speed after drag, down to 0, whatever the
     * mass. It is μ·N of D. Shiffman, "The Nature of Code", chapter 2, per mass. */
    float friction;
    bool obstacles_block; /**< Agents cannot pass through obstacles: see dunlin_obstacle_def. */
    float clearance;      /**< World units, 0 .. 1e9: agents stop at this distance from obstacles that block them. */
    /** The number of groups, 0 .. DUNLIN_MAX_GROUPS. An attribute of DUNLIN_ROLE_GROUP says to which one each agent
     * belongs. It must stay above the numbers of groups with agents, and above 0 while an attribute or a behaviour needs
     * groups. */
    int groups;
    /**
     * A species: the agents of this one are *bodies*, each of which stands for a group of that species. -1, the default: they
     * are not. This species needs an attribute of DUNLIN_ROLE_BODY, and the other one groups; it may consist of bodies itself.
     * It cannot change while a behaviour uses it.
     *
     * Before a step the engine creates a body for each group that has agents but no body, at the end of the storage, and
     * removes those of empty groups and all of a group but that with the minimum id. Neither counts in dunlin_stats. After a
     * step, and after dunlin_world_make_bodies(), a body has its group's centre and mean velocity (see dunlin_group_sums).
     * Bodies follow their own species' rules and behaviours; DUNLIN_BEHAVIOUR_BODY gives the force on a body to its group's
     * agents.
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

/** The definition of a species. `name` is valid until the species is removed, and changes with the species' name. */
DUNLIN_API dunlin_species_def dunlin_world_get_species(const dunlin_world *world, int species);

/** Replaces the definition of a species. Its agents stay; the next step limits their speeds. Allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_set_species(dunlin_world *world, int species, const dunlin_species_def *def,
                                                  dunlin_error *error);

/** Removes a species with its agents and attributes. The ids of its agents are not used again. */
DUNLIN_API dunlin_result dunlin_world_remove_species(dunlin_world *world, int species, dunlin_error *error);

/** The number of the species with that name; -1 if there is none or `name` is NULL. */
DUNLIN_API int dunlin_world_find_species(const dunlin_world *world, const char *name);

/* ---- agents ----------------------------------------------------------------------------------------------------------- */

/** The maximum number of agents per species. A world has ids 0 .. 4294967294 for all agents that it ever has. */
#define DUNLIN_MAX_AGENTS 4294966783u

/** New agents. The arrays may belong to the view of another species, but not to the species' own view, because its arrays may
 * move. */
typedef struct dunlin_batch {
    int cookie;     /**< Internal. */
    uint32_t count; /**< Agents. */
    /** [dimensions][count] World units; inside the world and its margin, or within ±1e38 if the world is open or has
     * boundary_first. In a periodic world, an agent at exactly the size is stored at 0. */
    const float *position[3];
    /** [dimensions][count] Velocities, within ±2e9; the next step limits the speed. */
    const float *velocity[3];
    /** [count] Different ids below UINT32_MAX that no agent has, above all ids that had been used when an agent last died.
     * NULL: the engine gives ascending ids, above all ids that were ever used. */
    const uint32_t *ids;
    /** [count] Each attribute's values, by its number, in its role's range; NULL: drawn as the attribute's definition says. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES];
} dunlin_batch;

/** An empty batch: all pointers are NULL. */
DUNLIN_API dunlin_batch dunlin_batch_default(void);

/**
 * Appends the batch to the species' storage, in the batch's order. If `first_id` is not NULL, it receives the id of the batch's
 * first agent, or UINT32_MAX for an empty batch. Ids are unique in the world and never used twice, not even after a death.
 * O(count) if there is room, otherwise O(agents); ids from the caller also cost a sort, and searches by
 * dunlin_world_find_agent() if they are not above all others.
 */
DUNLIN_API dunlin_result dunlin_world_spawn(dunlin_world *world, int species, const dunlin_batch *batch, uint32_t *first_id,
                                            dunlin_error *error);

/** Removes the agents with these ids[count], of any species and in any order. The others keep their storage order. An id that
 * no agent has, or that is given twice, is an error. O(agents). Allocates at first. */
DUNLIN_API dunlin_result dunlin_world_despawn(dunlin_world *world, const uint32_t *ids, uint32_t count, dunlin_error *error);

/** Where dunlin_world_scatter() places agents. */
typedef enum dunlin_region {
    DUNLIN_REGION_BOX = 0, /**< Evenly in centre ± extent along each axis. */
    DUNLIN_REGION_BALL     /**< Evenly in the disc or ball around centre with radius extent[0]. */
} dunlin_region;

/** Agents at random places. */
typedef struct dunlin_scatter_def {
    int cookie;           /**< Internal. */
    uint32_t count;       /**< Agents. */
    dunlin_region region; /**< Default DUNLIN_REGION_BOX. */
    float centre[3];      /**< World units, within ±1e9; default the middle of the world. */
    /** World units, 0 .. 1e9; BALL reads only [0]. All 0: one point. Default half the size, so the whole world. */
    float extent[3];
    float min_speed;   /**< Speed, 0 .. max_speed. */
    float max_speed;   /**< At most 1e9; default 1. Directions are random, and speeds even in [min_speed, max_speed]. */
    float velocity[3]; /**< World units per time unit, within ±1e9: added to each agent's velocity. */
    /** World units, 0 .. 1e9. Above 0, in a species with an attribute of DUNLIN_ROLE_GROUP: each group gets one place and
     * velocity as above, if possible this far from the region's edge, and its agents start evenly in a disc or ball of this
     * radius around it. */
    float group_radius;
} dunlin_scatter_def;

/** The defaults for this world: agents spread evenly over all of it. */
DUNLIN_API dunlin_scatter_def dunlin_scatter_def_default(const dunlin_world *world);

/** Spawns agents at random. Position and velocity depend only on the world's seed, the agent's id and its group (Philox
 * 4x32-10, Salmon et al., SC 2011). A region that extends beyond the positions that dunlin_batch allows is an error. */
DUNLIN_API dunlin_result dunlin_world_scatter(dunlin_world *world, int species, const dunlin_scatter_def *def,
                                              dunlin_error *error);

/** Makes room for `count` agents of the species in total: spawning up to this number, without ids, allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_reserve(dunlin_world *world, int species, uint32_t count, dunlin_error *error);

/** The world's own arrays of a species' agents, in storage order. A view is valid as long as its generation equals
 * dunlin_world_generation(world). After that, its pointers may point to freed memory: make a new view. */
typedef struct dunlin_view {
    uint64_t generation;      /**< The world's generation when the view was made. */
    uint32_t count;           /**< Agents. */
    const float *position[3]; /**< [dimensions][count] World units. */
    const float *velocity[3]; /**< [dimensions][count] Velocities. */
    const uint32_t *id;       /**< [count] Each agent's id. */
    /** [count] Each attribute's values, by its number; NULL: no such attribute. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES];
} dunlin_view;

/** A view of a species. The pointers of an empty species are not NULL. */
DUNLIN_API dunlin_view dunlin_world_view(const dunlin_world *world, int species);

/** A number that changes whenever views become invalid: in steps, also in most that fail; when agents are spawned, scattered,
 * loaded or despawned; when arrays grow; and when a species or an attribute is removed. */
DUNLIN_API uint64_t dunlin_world_generation(const dunlin_world *world);

/** What keeps a world's arrays. Only the library looks inside. */
typedef struct dunlin_hold dunlin_hold;

/**
 * Keeps the memory of all arrays that the world has now until *hold is released: those of views, fields, traces, paths,
 * obstacles and group sums, and names. A view in a language with garbage collection that is made together with a hold never
 * reads freed memory.
 *
 * A hold keeps memory, and not numbers. The world keeps using arrays that it does not replace, so after its generation has
 * passed a view may show other agents, or a step that is half taken. Arrays that the world replaces, or has when it is
 * destroyed, keep their last numbers. Each is freed when the last hold that was made while it was the world's is released.
 * While a step runs, other threads must not read. O(1).
 */
DUNLIN_API dunlin_result dunlin_world_hold(const dunlin_world *world, dunlin_hold **hold, dunlin_error *error);

/** Replaces the arrays of all agents by copies: what views that are held show then stays as it is, whatever the world does. No
 * bit of the state changes, and the generation does. If memory is missing, some species keep their arrays. O(agents). */
DUNLIN_API dunlin_result dunlin_world_replace_arrays(dunlin_world *world, dunlin_error *error);

/** Releases a hold. Any thread may do so at any time, also while the world is used or after it is destroyed, but not in the
 * allocator's functions. NULL is allowed. */
DUNLIN_API void dunlin_hold_release(dunlin_hold *hold);

/** Where an agent is stored. */
typedef struct dunlin_slot {
    int species;    /**< Its species; -1: there is no such agent. */
    uint32_t index; /**< Its slot in the species' views. */
} dunlin_slot;

/** Finds an agent by its id. The first search after agents have changed their slots builds a table, O(agents); later searches
 * are O(1). Without memory for the table every search is O(agents). */
DUNLIN_API dunlin_slot dunlin_world_find_agent(dunlin_world *world, uint32_t id);

/** The number of agents of all species. */
DUNLIN_API uint64_t dunlin_world_agent_count(const dunlin_world *world);

/** New positions and velocities, and the agents that get them. Agents are written one after another, so arrays of the world's
 * own views may change while they are read. */
typedef struct dunlin_write {
    int cookie;          /**< Internal. */
    uint32_t count;      /**< Agents. Without ids and slots it must be all agents of the species. */
    const uint32_t *ids; /**< [count] The agents' ids, of any species; NULL: by slot. */
    int species;         /**< The species, if `ids` is NULL. */
    /** [count] Slots of the species; NULL: all its agents in storage order. Not together with ids. */
    const uint32_t *slots;
    const float *position[3]; /**< [dimensions][count] As in dunlin_batch; all NULL: positions stay. */
    const float *velocity[3]; /**< [dimensions][count] As in dunlin_batch; all NULL: velocities stay. */
} dunlin_write;

/** The defaults. */
DUNLIN_API dunlin_write dunlin_write_default(void);

/** Sets positions and velocities of agents, by id, by slot, or of a whole species. If an agent is given twice, the later values
 * count. Views stay valid. O(count); with ids, also the time of dunlin_world_find_agent(). */
DUNLIN_API dunlin_result dunlin_world_write(dunlin_world *world, const dunlin_write *write, dunlin_error *error);

/* ---- interactions ----------------------------------------------------------------------------------------------------- */

/** How a rule's sum becomes a force. */
typedef enum dunlin_response {
    /** Reynolds: the vector scaled to max_speed, minus the agent's velocity, limited to max_force; a zero vector gives no
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

/** Which neighbours a rule counts, by their groups. */
typedef enum dunlin_kin {
    DUNLIN_KIN_ALL = 0,     /**< All. */
    DUNLIN_KIN_SAME_GROUP,  /**< Those with the agent's own group number. */
    DUNLIN_KIN_OTHER_GROUPS /**< All others. */
} dunlin_kin;

/** One rule. */
typedef struct dunlin_rule {
    float radius;             /**< World units, 1e-9 .. 1e9; a neighbour at exactly this distance counts. 0: no rule. */
    float weight;             /**< Within ±1e6; default 1. A negative weight reverses the rule. */
    dunlin_response response; /**< Default DUNLIN_RESPONSE_STEER. */
    float limit;              /**< DIRECT: velocity per time unit, >= 0; INFINITY, the default: none. */
    dunlin_falloff falloff;   /**< Separation; default DUNLIN_FALLOFF_INVERSE. */
    float min_radius;         /**< World units, 0 .. radius. Neighbours nearer than this do not count. */
    /** Half the field of view: radians, > 0, <= pi. A neighbour counts if the angle between the agent's velocity and the
     * direction to the neighbour is not larger. 0, the default, and pi: all around. An agent at rest sees all around, and every
     * agent sees a neighbour at exactly its own place. */
    float half_angle;
    /** Default DUNLIN_KIN_ALL. Any other value requires a DUNLIN_ROLE_GROUP attribute on both species before the next step. */
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
 * An agent sees a neighbour if at least one rule counts it: it is within the rule's radius, not nearer than its min_radius, in
 * its field of view, and of a group that the rule counts. `nearest`, and then `max_neighbours`, limit the number of neighbours
 * that the agent sees. Each rule sums over the seen neighbours that it counts, and averages divide by their number. Sources:
 * Ballerini et al., PNAS 105, 1232 (2008), for `nearest`; Couzin et al., J. Theor. Biol. 218, 1 (2002), for min_radius and the
 * field of view.
 */
typedef struct dunlin_interaction_def {
    int cookie;                           /**< Internal. */
    int observer;                         /**< The species that observes. */
    int observed;                         /**< The species that it observes, possibly itself. */
    dunlin_rule rules[DUNLIN_RULE_COUNT]; /**< By dunlin_rule_kind; default: all off. */
    /** The order in which responses are added, each rule once; default separation, alignment, cohesion. */
    dunlin_rule_kind order[DUNLIN_RULE_COUNT];
    /** Each response uses the velocity as the responses before it have changed it. Default false: all use the same velocity. */
    bool in_turn;
    /** Agents do not see neighbours at exactly their own place. Default false: these count for alignment and cohesion, and give
     * no separation. */
    bool ignore_coincident;
    /** 1 .. 32: the maximum number of neighbours that an agent sees, the nearest; of equal distances those with the minimum
     * ids. 0: all. */
    int nearest;
    /** >= 1: the maximum number of neighbours that an agent sees, the first in storage order, which depends on the index. 0:
     * all. */
    int max_neighbours;
    /** Agents do not see neighbours that an obstacle hides. An obstacle hides two agents from each other if it meets the
     * segment between them (in a periodic world: between nearest images, and obstacles repeat like the world) and contains
     * neither of them; its surface is part of it. In 3D a line without a radius hides nothing. Default false. */
    bool sight_blocked;
} dunlin_interaction_def;

/** The defaults: no rule is on. */
DUNLIN_API dunlin_interaction_def dunlin_interaction_def_default(void);

/** The defaults with all rules on: alignment and cohesion with this radius, in world units, separation with half of it. */
DUNLIN_API dunlin_interaction_def dunlin_interaction_boids(float radius);

/** Adds an interaction. A pair of observer and observed species can have only one. Forces are added in the order of their
 * numbers. */
DUNLIN_API dunlin_result dunlin_world_add_interaction(dunlin_world *world, const dunlin_interaction_def *def, int *interaction,
                                                      dunlin_error *error);

/** The number of interactions. */
DUNLIN_API int dunlin_world_interaction_count(const dunlin_world *world);

/** The definition of an interaction. */
DUNLIN_API dunlin_interaction_def dunlin_world_get_interaction(const dunlin_world *world, int interaction);

/** Replaces an interaction. */
DUNLIN_API dunlin_result dunlin_world_set_interaction(dunlin_world *world, int interaction, const dunlin_interaction_def *def,
                                                      dunlin_error *error);

/** Removes an interaction. */
DUNLIN_API dunlin_result dunlin_world_remove_interaction(dunlin_world *world, int interaction, dunlin_error *error);

/* ---- step and statistics ---------------------------------------------------------------------------------------------- */

/**
 * Takes one time step. It allocates nothing if nothing has changed since the step before, and there are not more agents than
 * ever before (see dunlin_world_reserve()).
 *
 * A step fails if memory, ids or slots for new agents run out, if a callback fails, if a caller's executor uses wrong worker
 * numbers, and after 2^53 steps. It also fails if an attribute is missing that an interaction, a behaviour or bodies need; then
 * nothing has changed. Otherwise the agents are as before, but may be in the step's storage order; with boundary_first the
 * boundary has acted on them; and groups may have split, merged, and got bodies. Repeating the step gives the same bits as if
 * it had not failed.
 */
DUNLIN_API dunlin_result dunlin_world_step(dunlin_world *world, dunlin_error *error);

/**
 * Called in a callback: the function that has called the callback fails with DUNLIN_ERROR_CALLBACK and this message, cut to the
 * room of dunlin_error.message; NULL: a message of the library's own. If several calls fail, one of their messages is taken. In
 * a flock in parts all ranks fail, with the message of the lowest rank that failed.
 *
 * A step that fails so leaves the world as dunlin_world_step() says. Until it returns, callbacks of behaviours may be left out.
 * If an executor calls it too late to undo the step, or in another function than a step, the next step fails instead. A
 * function that writes or gives bytes also returns false. While none of the world's functions is running, a call does nothing.
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
    uint64_t deaths; /**< Agents that died in the step, by callbacks, meals and dunlin_behaviour_def.vital. */
    /** The threads that worked: dunlin_world_def.threads, or fewer if the executor could not get as many, or the world chose
     * fewer. */
    uint32_t threads;
    uint64_t cells;        /**< Cells of all species' indexes. */
    uint64_t groups;       /**< Packets, summed over all interactions and behaviours that observe agents. */
    uint64_t pairs_tested; /**< Lanes times candidates, summed likewise, including those after max_neighbours. */
    uint64_t pairs_useful; /**< Pairs of an agent and a neighbour that it sees, summed likewise, without those of PAIRS. */
    double ms_snapshot;    /**< Wall time of the snapshot in milliseconds. */
    /** Milliseconds for sums over neighbours, averaged over the threads. This and the next two are estimated from one tile in
     * eight, round-robin; with the snapshot they never exceed ms_frame. */
    double ms_interact;
    double ms_steer;     /**< Milliseconds for responses and behaviours, likewise. */
    double ms_integrate; /**< Milliseconds for moving agents, likewise. */
    double ms_frame;     /**< Wall time of the whole step in milliseconds. */
    const char *kernel;  /**< The kernel that the next step uses. Static storage. */
} dunlin_stats;

/** The statistics of the last step. Before the first step all but step and time are 0. */
DUNLIN_API dunlin_stats dunlin_world_stats(const dunlin_world *world);

/** The bytes of memory that the world has, what holds keep included: those that its allocator has been asked for. */
DUNLIN_API size_t dunlin_world_bytes(const dunlin_world *world);

#ifdef __cplusplus
}
#endif

#endif
