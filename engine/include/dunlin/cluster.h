/* SPDX-License-Identifier: MIT */
/**
 * @file dunlin/cluster.h
 * One flock in several processes, or in several parts of one.
 *
 * Each of them, a *rank*, has a world that holds a part of the flock: a slab of the world's space. All ranks make the same
 * calls with the same arguments, in the same order, and the state has the same bits as that of one world that holds the whole
 * flock. docs/cluster.md says how.
 *
 * Ranks talk by a transport. dunlin/mpi.h makes one of an MPI communicator, and programs may bring their own.
 *
 * **What is collective.** Every rank makes a collective call, with the same arguments, and gets the same result: if one rank
 * fails, all of them do, with the message of the lowest one that failed. These are collective: all functions below but
 * dunlin_world_traffic(); dunlin_world_step(), dunlin_world_spawn(), dunlin_world_scatter(), dunlin_world_despawn(),
 * dunlin_world_state_hash(), dunlin_world_set_clock(), dunlin_world_measure_in_step(), dunlin_world_measured(),
 * dunlin_world_destroy(); and every function that changes definitions. The ranks must keep the same definitions: if one of them
 * has no memory for a definition, only that rank fails, and the job must end.
 *
 * **What a rank sees.** A view shows the agents that this rank holds, and dunlin_world_agent_count() counts them;
 * dunlin_world_find_agent() finds one of them. dunlin_world_stats() has this rank's milliseconds, and agents, births, deaths,
 * groups and pairs of the whole flock. Callbacks see this rank's agents, in tiles that may begin elsewhere.
 *
 * **The whole flock.** What needs all agents at once is done on rank 0, between dunlin_world_gather() and dunlin_world_share().
 * Elsewhere writing, loading, saving, measuring and surveys are errors.
 */
#ifndef DUNLIN_CLUSTER_H
#define DUNLIN_CLUSTER_H

#include <dunlin/dunlin.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How ranks talk. All functions are collective, and get `context` first. They cannot fail: what cannot be sent must end the
 * program. Rank r is the same one in each call. Start from dunlin_transport_default().
 */
typedef struct dunlin_transport {
    int cookie;     /**< Set by dunlin_transport_default(). */
    void *context;  /**< What it points to must outlive the world. */
    uint32_t rank;  /**< This rank, 0 .. ranks - 1. */
    uint32_t ranks; /**< How many there are, 1 .. 65536. */

    /** Tells each rank r `count` numbers, those from out[r·count] on, and learns as many from it: from in[r·count] on. */
    void (*tell)(void *context, const uint64_t *out, uint64_t *in, uint32_t count);
    /** Sends out_bytes[r] bytes to each rank r, and receives in_bytes[r] bytes from it. In `out` and `in` they lie one after
     * another, by rank. Nothing is sent to oneself: out_bytes[rank] and in_bytes[rank] are 0. */
    void (*exchange)(void *context, const void *out, const uint64_t *out_bytes, void *in, const uint64_t *in_bytes);
    /** Replaces each of `count` numbers by its sum over all ranks, modulo 2^64. */
    void (*sum)(void *context, uint64_t *numbers, uint32_t count);
    /** Replaces each of `count` numbers by its sum over all lower ranks, modulo 2^64; on rank 0 by 0. */
    void (*scan)(void *context, uint64_t *numbers, uint32_t count);
    /** Gives all ranks the bytes of rank `root`. */
    void (*broadcast)(void *context, uint32_t root, void *bytes, uint64_t count);
} dunlin_transport;

/** One rank alone, which needs no functions. */
DUNLIN_API dunlin_transport dunlin_transport_default(void);

/**
 * Makes a world that holds a part of a flock; collective. `transport` is copied. With one rank the world is a plain one.
 *
 * The index must be "grid" or "auto", and the boundary must not be DUNLIN_BOUNDARY_OPEN, also later. Otherwise as
 * dunlin_world_create().
 */
DUNLIN_API dunlin_result dunlin_world_create_part(const dunlin_world_def *def, const dunlin_transport *transport,
                                                  dunlin_world **world, dunlin_error *error);

/** Does so from saved definitions, which every rank reads; otherwise as dunlin_world_create_from(). Their index must be "grid"
 * or "auto". */
DUNLIN_API dunlin_result dunlin_world_create_part_from(const dunlin_world_def *def, const dunlin_transport *transport,
                                                       dunlin_read_fn *read, dunlin_connect_fn *connect, void *context,
                                                       dunlin_world **world, dunlin_error *error);

/**
 * Gives all ranks the result of the lowest rank whose `result` is not DUNLIN_OK, and its error; collective. For what ranks do
 * beside their worlds, such as reading a file: if one of them fails, all end alike, and none waits for another.
 */
DUNLIN_API dunlin_result dunlin_agree(const dunlin_transport *transport, dunlin_result result, dunlin_error *error);

/** How a step's messages went. */
typedef struct dunlin_traffic {
    uint64_t bytes;     /**< Sent by all ranks in the last step. */
    uint64_t messages;  /**< Sent by all ranks in the last step; a rank that gets nothing from another gets no message. */
    uint64_t halo;      /**< Agents that were sent only to be seen, to however many ranks. */
    uint64_t migrants;  /**< Agents whose rank changed. */
    uint64_t cuts;      /**< How many times slabs have been cut since the world was made. */
    double imbalance;   /**< Work of the busiest rank over the mean, when it was last measured; 1 is perfect. */
    double ms_exchange; /**< Milliseconds that this rank spent on messages in the last step, waiting included. */
} dunlin_traffic;

/** All zero for a plain world. Not collective. */
DUNLIN_API dunlin_traffic dunlin_world_traffic(const dunlin_world *world);

/**
 * Brings the whole flock to rank 0; collective. Until dunlin_world_share() the world of rank 0 is like one that is alone: it
 * may save, load, measure, write, spawn and so on, but not step. Its views show all agents, in the flock's order. The other
 * ranks hold no agents and must leave their worlds alone. Definitions must not change meanwhile.
 *
 * Errors: no memory for the whole flock on rank 0. Nothing has changed then but the order of agents.
 */
DUNLIN_API dunlin_result dunlin_world_gather(dunlin_world *world, dunlin_error *error);

/** Tells all ranks what has changed on rank 0 since dunlin_world_gather(), but for the agents, which the next step spreads;
 * collective. */
DUNLIN_API dunlin_result dunlin_world_share(dunlin_world *world, dunlin_error *error);

#ifdef __cplusplus
}
#endif

#endif
