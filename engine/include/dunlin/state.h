/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The state of a world: its hash and clock, state files for people and other programs, checkpoints. dunlin.h says
 * what holds in all parts.
 *
 * Files and checkpoints hold the agents in storage order, which is part of the state. A world with the same definitions
 * continues from them bit for bit, including the ids of new agents, with any kernel and number of threads, on any machine.
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

/** The hash of a world with these agents: species[count], in the order of its species, each with `count` agents in any order
 * and its attributes up to the first NULL. The arrays may be the caller's own. */
DUNLIN_API uint64_t dunlin_agents_hash(int dimensions, const dunlin_view *species, int count);

/** The world's place in time, and its next id. */
typedef struct dunlin_clock {
    uint64_t step;    /**< Steps taken so far, 0 .. 2^53. */
    double time;      /**< Time units passed, 0 .. 1e22. */
    uint32_t next_id; /**< The next agent's id, above the ids of all agents. */
} dunlin_clock;

/** The clock. */
DUNLIN_API dunlin_clock dunlin_world_get_clock(const dunlin_world *world);

/** Sets the clock. What depends on time or steps, such as moving targets, changing noise and wander, is then where it would be
 * at that time. If next_id changes, no lower id is used from now on. O(agents); allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_set_clock(dunlin_world *world, const dunlin_clock *clock, dunlin_error *error);

/* ---- state files ------------------------------------------------------------------------------------------------------ */

/**
 * Writes a state file: a table in CSV, after a preamble of lines that begin with "# ", which other programs skip as comments.
 *
 *     # dunlin state 1
 *     # seed 42
 *     # step 37
 *     # time 18.5               the time that has passed, if it is not step·time_step
 *     # next_id 1234            the id after all ids used so far, if agents have died or the clock was set
 *     # spent_ids 1200          its value when that last happened, if agents have been born since
 *     # target 2 12.5 30 at 37  a behaviour with a moving target, a place, and the time when it was there
 *     # agents 20012
 *     id,species,x,y,vx,vy,energy
 *
 * Each agent has a row, one species after another: `id,species,x,y[,z],vx,vy[,vz]`, with the species' name, and one column per
 * attribute name, which is empty for species without that attribute. Numbers read back with the same bits. A state file does
 * not hold the numbers of traces.
 *
 * An existing file is replaced as a whole or not at all, even if the machine stops: a new file in the same folder, which must
 * be writable, gets the old file's mode and takes its place once it is on the disk. A symbolic link stays, and the file that it
 * leads to is replaced. Pipes, devices, mount points, another user's file in a sticky folder such as /tmp, and the file behind
 * standard output or standard error cannot be replaced and are written directly.
 */
DUNLIN_API dunlin_result dunlin_world_save(const dunlin_world *world, const char *path, dunlin_error *error);

/** Writes the preamble of a state file, as snprintf() does: at most `size` bytes with the terminator; `text` may be NULL if
 * `size` is 0. Returns the whole length without the terminator; 0: out of memory. */
DUNLIN_API size_t dunlin_world_preamble(const dunlin_world *world, char *text, size_t size);

/**
 * Spawns the agents of a state file, in the order of its rows. If the world has no agents, it continues from the file's step
 * and time, and moving targets from their places in the file; traces keep their numbers. The file's seed must be the world's;
 * to continue with another seed, load first and then change the seed with dunlin_world_set_def(). The rules of dunlin_batch.ids
 * apply to ids. next_id must be above all of them; ids below spent_ids, or below next_id without spent_ids, are not used again.
 *
 * Columns may have any order. `species` may be missing if the world has one species. Missing attributes are drawn. Without a
 * preamble the world's step stays, and a table that was cut off goes unnoticed. Lines end with LF or CR LF, and have at most
 * 65536 bytes; up to a million blank lines are skipped. Memory grows with the number of rows, not with the file's size. An
 * error names file and line.
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

/** Reads the preamble of a state file, without a world and without reading the table. */
DUNLIN_API dunlin_result dunlin_state_read_info(const char *path, dunlin_state_info *info, dunlin_error *error);

/* ---- checkpoints ------------------------------------------------------------------------------------------------------ */

/**
 * A checkpoint is a world's state in binary, with a checksum: the agents, the step, the time, the ids that have been used, the
 * places of moving targets and the numbers of traces. Of the definitions it has only a fingerprint.
 * dunlin_world_save_definitions_to() saves these, so that another program needs no more than the two, one after the other in
 * one file:
 *
 *     dunlin_world_save_definitions_to(world, write, context, &error);
 *     dunlin_world_save_to(world, write, context, &error);
 *
 *     dunlin_world_create_from(NULL, read, NULL, context, &world, &error);
 *     dunlin_world_restore_from(world, read, context, &error);
 *
 * `write` and `read` are called with `context`, piece by piece, from the first byte to the last; if they return false, the
 * result is DUNLIN_ERROR_FILE. Both formats are little-endian and have a version; checkpoints of older versions are read, too.
 * The checksums, XXH3 with 64 bits, find damage but not forgery: a forged checkpoint may ask for memory for as many agents as a
 * world can have, and forged definitions for as many cells of fields.
 */

/** A fingerprint of the world's definitions: of everything that was added, changed or set, except agents, places of moving
 * targets, threads, executor and kernel; of callbacks only their presence. The same on every machine. O(cells + points +
 * obstacles). */
DUNLIN_API uint64_t dunlin_world_fingerprint(const dunlin_world *world);

/** The size of a checkpoint in bytes. */
DUNLIN_API size_t dunlin_world_saved_bytes(const dunlin_world *world);

/** Writes a checkpoint. */
DUNLIN_API dunlin_result dunlin_world_save_to(const dunlin_world *world, dunlin_write_fn *write, void *context,
                                              dunlin_error *error);

/** Writes a checkpoint to bytes[count], where count >= dunlin_world_saved_bytes(). */
DUNLIN_API dunlin_result dunlin_world_save_memory(const dunlin_world *world, void *bytes, size_t count, dunlin_error *error);

/** Replaces the world's state by a checkpoint's. The definitions must be those of the saved world. After a failure the world
 * may have more room than before. Allocates memory, at least a bit for each used id. */
DUNLIN_API dunlin_result dunlin_world_restore_from(dunlin_world *world, dunlin_read_fn *read, void *context,
                                                   dunlin_error *error);

/** Restores a checkpoint that begins at bytes[0] and ends within bytes[count]. */
DUNLIN_API dunlin_result dunlin_world_restore_memory(dunlin_world *world, const void *bytes, size_t count, dunlin_error *error);

/** Writes all definitions: everything that dunlin_world_fingerprint() covers. */
DUNLIN_API dunlin_result dunlin_world_save_definitions_to(const dunlin_world *world, dunlin_write_fn *write, void *context,
                                                          dunlin_error *error);

/** Connects a behaviour that is read with its callback: sets def->custom and def->vital, which is -1 before, or
 * def->pairs.callback, by def->kind, and def->user. Other changes are ignored. */
typedef void dunlin_connect_fn(void *context, int behaviour, dunlin_behaviour_def *def);

/**
 * Creates a world without agents, at step 0, in *world, from saved definitions. Moving targets are at 0 until a checkpoint is
 * restored. Of `def` only threads, executor, run, run_context, allocator and kernel are read; NULL: the defaults. `connect` is
 * called for each behaviour that is a callback; it may be NULL if there is none. Both functions get `context`.
 */
DUNLIN_API dunlin_result dunlin_world_create_from(const dunlin_world_def *def, dunlin_read_fn *read, dunlin_connect_fn *connect,
                                                  void *context, dunlin_world **world, dunlin_error *error);

#ifdef __cplusplus
}
#endif

#endif
