/* SPDX-License-Identifier: MIT */
/**
 * @file dunlin/cluster.h
 * One flock in several processes, or in several parts of one.
 *
 * Each of them, a *rank*, has a world that holds a part of the flock: a slab of the world's space in 2D, a block in 3D. The
 * state has the same bits as that of one world that holds the whole flock. The guide cluster.md says how. Ranks communicate by
 * a transport: dunlin/mpi.h makes one of an MPI communicator, and programs may bring their own.
 *
 * **What is collective.** All ranks make collective calls, in the same order and with the same arguments, and get the same
 * result: if one rank fails, all fail, with the message of the lowest one that failed. These are collective: all functions
 * below but dunlin_world_traffic() and dunlin_world_sum_in_step(); dunlin_world_step(), dunlin_world_spawn(),
 * dunlin_world_scatter(), dunlin_world_despawn(), dunlin_world_state_hash(), dunlin_world_set_clock(),
 * dunlin_world_measure_in_step(), dunlin_world_measured(), dunlin_world_destroy(); and every function that changes definitions.
 * The definitions must be the same on all ranks: if one rank has no memory for a definition, only that rank fails, and the job
 * must end.
 *
 * **What a rank sees.** Views, dunlin_world_agent_count() and dunlin_world_find_agent() show the agents that this rank holds.
 * dunlin_world_stats() has this rank's milliseconds, and the whole flock's agents, births, deaths, groups and pairs. Callbacks
 * get this rank's agents, in tiles that may begin elsewhere.
 *
 * **The whole flock.** Writing, loading, saving, measuring, surveys and queries work on rank 0 only, between
 * dunlin_world_gather() and dunlin_world_share(); elsewhere they are errors. Only dunlin_world_save_parts() and
 * dunlin_world_restore_parts() are for a flock that is spread.
 */
#ifndef DUNLIN_CLUSTER_H
#define DUNLIN_CLUSTER_H

#include <dunlin/dunlin.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How ranks communicate. All functions are collective, and get `context` first. They cannot fail: what cannot be sent must end
 * the program. Rank r is the same one in each call. */
typedef struct dunlin_transport {
    int cookie;     /**< Set by dunlin_transport_default(). */
    void *context;  /**< What it points to must outlive the world. */
    uint32_t rank;  /**< This rank, 0 .. ranks - 1. */
    uint32_t ranks; /**< How many there are, 1 .. 65536. */

    /** All-to-all: sends `count` numbers to each rank r, from out[r·count] on, and receives as many from it, to in[r·count]. */
    void (*all_to_all)(void *context, const uint64_t *out, uint64_t *in, uint32_t count);
    /** Sends out_bytes[r] bytes to each rank r, and receives in_bytes[r] bytes from it. In `out` and `in` ranks follow each
     * other. out_bytes[rank] and in_bytes[rank] are 0. */
    void (*exchange)(void *context, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes);
    /** All-reduce: replaces each of `count` numbers by its sum over all ranks, modulo 2^64. */
    void (*all_reduce)(void *context, uint64_t *numbers, uint32_t count);
    /** Exclusive scan: replaces each of `count` numbers by its sum over all lower ranks, modulo 2^64; on rank 0 by 0. */
    void (*exclusive_scan)(void *context, uint64_t *numbers, uint32_t count);
    /** Gives all ranks the bytes of rank `root`. */
    void (*broadcast)(void *context, uint32_t root, void *bytes, uint64_t count);
} dunlin_transport;

/** One rank alone, which needs no functions. */
DUNLIN_API dunlin_transport dunlin_transport_default(void);

/** Creates a world that holds a part of a flock, as dunlin_world_create(). With one rank the world is a plain one. The index
 * must be "grid" or "auto", and some axis is never DUNLIN_BOUNDARY_OPEN. */
DUNLIN_API dunlin_result dunlin_world_create_part(const dunlin_world_def *def, const dunlin_transport *transport,
                                                  dunlin_world **world, dunlin_error *error);

/** Does so from saved definitions, which every rank reads, as dunlin_world_create_from(). */
DUNLIN_API dunlin_result dunlin_world_create_part_from(const dunlin_world_def *def, const dunlin_transport *transport,
                                                       dunlin_read_fn *read, dunlin_connect_fn *connect, void *context,
                                                       dunlin_world **world, dunlin_error *error);

/** Gives all ranks the result and error of the lowest rank with a `result` other than DUNLIN_OK. For what ranks do beside their
 * worlds, such as reading a file: if one rank fails, all fail, and none waits for another. */
DUNLIN_API dunlin_result dunlin_agree(const dunlin_transport *transport, dunlin_result result, dunlin_error *error);

#define DUNLIN_STEP_SUMS 4 /**< Numbers of the caller's that a step adds up. */

/** The messages of a step. */
typedef struct dunlin_traffic {
    uint64_t bytes;                  /**< Sent by all ranks in the last step. */
    uint64_t messages;               /**< Sent by all ranks in the last step; empty ones are not sent. */
    uint64_t halo;                   /**< Halo agents sent, counted once per receiving rank. */
    uint64_t migrants;               /**< Agents that changed their rank. */
    uint64_t cuts;                   /**< How many times the flock has been cut since the world was created. */
    double imbalance;                /**< Work of the busiest rank over the mean, when it was last measured; 1 is perfect. */
    double ms_exchange;              /**< Milliseconds that this rank spent on messages in the last step, waiting included. */
    uint64_t collectives;            /**< Calls of the transport in the last step, without `exchange`. */
    uint64_t sums[DUNLIN_STEP_SUMS]; /**< See dunlin_world_sum_in_step(). */
} dunlin_traffic;

/** All zero for a plain world. Not collective. */
DUNLIN_API dunlin_traffic dunlin_world_traffic(const dunlin_world *world);

/** Sets numbers of this rank, which are 0 before. It must not use the world. */
typedef void dunlin_sum_fn(void *context, uint64_t numbers[DUNLIN_STEP_SUMS]);

/** Adds up numbers of the caller's over all ranks, such as whether one has received a signal. They are a part of the sum that
 * ends each step, so they cost no call of the transport. From now on each step calls `brings` on this rank; other ranks may
 * have none. dunlin_traffic.sums has the sums of the last step that did not fail. NULL: no longer. In a plain world nothing
 * happens. Not collective. */
DUNLIN_API dunlin_result dunlin_world_sum_in_step(dunlin_world *world, dunlin_sum_fn *brings, void *context,
                                                  dunlin_error *error);

/** Gathers the whole flock on rank 0. Until dunlin_world_share() rank 0 may save, load, measure, write, spawn and so on, but
 * not step; its views show all agents, in the flock's order. The other ranks hold no agents and must not use their worlds.
 * Definitions must not change. If rank 0 has no memory for the whole flock, only the order of agents has changed. */
DUNLIN_API dunlin_result dunlin_world_gather(dunlin_world *world, dunlin_error *error);

/** Gives all ranks what has changed on rank 0 since dunlin_world_gather(); the next step distributes the agents. */
DUNLIN_API dunlin_result dunlin_world_share(dunlin_world *world, dunlin_error *error);

/**
 * Writes a checkpoint, of which each rank writes a part: the same bytes as dunlin_world_save_to() of the whole flock. Ranks
 * call `write` at the same time, each with its own `context`, for places of which no two overlap; rank 0 writes the first byte
 * and the last ones. Agents that another rank writes go to it first. Collective; a plain world writes all,
 * from the first byte to the last.
 */
DUNLIN_API dunlin_result dunlin_world_save_parts(const dunlin_world *world, dunlin_write_at_fn *write, void *context,
                                                 dunlin_error *error);

/** Restores a checkpoint, of which each rank reads a part and what all need. All must read the same bytes. A checkpoint of
 * version 1, which older libraries wrote, is read by rank 0, which then needs memory for the whole flock. Collective. */
DUNLIN_API dunlin_result dunlin_world_restore_parts(dunlin_world *world, dunlin_read_at_fn *read, void *context,
                                                    dunlin_error *error);

#ifdef __cplusplus
}
#endif

#endif
