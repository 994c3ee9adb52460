/* SPDX-License-Identifier: MIT */
/**
 * \file
 * A world's state: hash, clock, state files, checkpoints. dunlin.h says what holds in all parts.
 */
#ifndef DUNLIN_STATE_H
#define DUNLIN_STATE_H

#include <dunlin/behaviours.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the state -------------------------------------------------------------------------------------------------------- */

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

#ifdef __cplusplus
}
#endif

#endif
