/* SPDX-License-Identifier: MIT */
/**
 * \file
 * A world, its species, their agents, which species observes which, and the step. A flock needs no other part. dunlin.h says
 * what holds in all parts.
 */
#ifndef DUNLIN_WORLD_H
#define DUNLIN_WORLD_H

#include <dunlin/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the world -------------------------------------------------------------------------------------------------------- */

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

#ifdef __cplusplus
}
#endif

#endif
