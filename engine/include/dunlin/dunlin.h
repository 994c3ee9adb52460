/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Dunlin: flocks of millions.
 *
 * A world holds species, and a species holds agents. An interaction says which species observes which, and by which rules.
 * dunlin_world_step() moves all agents by one time step; every agent sees a frozen snapshot of the others. The state has the
 * same bits for every kernel, number of threads and machine.
 *
 *     dunlin_world_def def = dunlin_world_def_default();
 *     dunlin_world *world = NULL;
 *     dunlin_error error;
 *     if (dunlin_world_create(&def, &world, &error) != DUNLIN_OK) puts(error.message);
 *
 * This header includes all parts. Open the one that you need:
 *
 *   - world.h: worlds, kernels, species, agents, interactions, step and statistics;
 *   - behaviours.h: what agents do besides interactions, and callbacks;
 *   - scenery.h: paths, fields, traces, obstacles;
 *   - life.h: attributes, groups and their bodies, births, meals;
 *   - survey.h: measurements, surveys, displacements;
 *   - query.h: agents in balls, boxes and cones, nearest ones, rays;
 *   - state.h: hash, clock, state files, checkpoints.
 *
 * What follows holds in all parts.
 *
 * **Units.** Lengths are in world units and times in time units, both of the caller's choice; velocities in world units per
 * time unit, forces in velocity per time unit, angles in radians. Coordinates run from 0 to dunlin_world_def.size.
 *
 * **Arrays.** Vectors are structures of arrays: [0] points to all x, [1] to all y, [2] to all z. In 2D the library does not
 * read [2], and returns NULL or 0 there. A comment such as "[dimensions][count]" gives an array's shape. The library copies the
 * arrays and strings that it gets, or reads them during the call only.
 *
 * **Definitions.** Make every definition with its default function, which sets its cookie. Where a comment gives no default, it
 * is 0, false, NULL or the first enumerator. A default lacks only what identifies something: a name, path, field, points,
 * callback; the error then says what to set. A field that names kinds, such as "SEEK, FLEE", is read for these only. "a .. b"
 * includes both ends.
 *
 * **Numbers of things.** Every dunlin_world_add_...() numbers what it adds: 0 for the first of its kind, then 1, and so on. Its
 * last argument but one receives the number, unless it is NULL. Removing a thing lowers all higher numbers of its kind by one,
 * also in the engine's own definitions; the caller updates those in callbacks and variables. Removing a thing that is still in
 * use is an error that names its user. After a removal the world has the same future as one that never had the thing, given the
 * same agents and clock. For a number that does not exist, get functions and views return a zeroed struct.
 *
 * **Views** copy nothing. Unless a comment says otherwise, what a view or a get function points to is the world's own, valid
 * until the thing is set or removed, or the world is destroyed.
 *
 * **Errors.** Every function that can fail returns a dunlin_result. If `error` is not NULL, the function fills it with a
 * message that names the field, its value and what is allowed; on success *error is unspecified. After a failure the world is
 * as it was before the call, and results are zeroed or NULL. The library never ends the process and never prints. NULL is
 * allowed only where a comment says so; functions that return a dunlin_result report any other NULL but a world's as an error.
 *
 * **Changes.** Change a world between steps, never in callbacks. After definitions have changed, the next step may allocate
 * memory; the steps after it allocate nothing.
 *
 * **Callbacks** are the caller's functions that a world calls: those of behaviours, its executor, its transport, and those that
 * take or give bytes. They may read the world's definitions, by dunlin_world_get_...(), _find_species(), _find_attribute() and
 * ..._count(), except dunlin_world_agent_count(); its statistics, clock, generation and fingerprint; and its views of fields,
 * traces and obstacles. Functions that take bytes may also read everything else. All other functions of the same world fail in
 * a callback. Those that cannot fail, such as dunlin_world_view() and dunlin_world_destroy(), do nothing and return 0; then
 * this step or the next one fails and names them.
 *
 * A callback that cannot do its work calls dunlin_world_fail(). It must not be left by an exception or longjmp(). After an
 * exception all functions of the world fail and say so, and it can only be destroyed; with several threads the process may end.
 * After longjmp() it cannot be destroyed either.
 *
 * **Floating-point mode.** Functions and callbacks run in a mode that rounds to nearest, flushes nothing and never traps, and
 * leave the host's mode and exception flags as they were. A callback that changes the mode must restore it; compiled with
 * -ffast-math, it may still give other bits on other machines.
 *
 * **Threads.** The library has no global state, so different threads may use different worlds at the same time. Only one thread
 * may use a world at a time, except that functions that take a `const dunlin_world *` may run at the same time as each other.
 * Functions that take no such object are thread-safe. dunlin_world_def.executor decides which threads share a world's work. If
 * the system cannot create enough threads, the world uses fewer (dunlin_stats.threads), with the same state.
 *
 * **Unloading.** OpenMP's threads outlive the last world. So the shared library stays in memory after dlclose(). A plugin with
 * the static library in it must stay, too: link it with -Wl,-z,nodelete, as CMake's target dunlin::dunlin_static and
 * `pkg-config --static` do. Destroy a plugin's worlds before it is closed.
 *
 * **Locale.** Numbers in files and messages have a decimal point, whatever the host's locale is.
 *
 * **ABI.** Versions follow semantic versioning. The SONAME carries the major version, or 0.minor while the major version is 0:
 * a program runs with every library of the same SONAME that is not older than the one it was built with. Within one SONAME
 * only functions and enumerators are added, so a ..._COUNT may grow: do not store data with a layout that depends on it. A
 * struct that changes gets another cookie, so a definition from an older header is an error and not a misread struct.
 */
#ifndef DUNLIN_H
#define DUNLIN_H

#include <dunlin/common.h>
#include <dunlin/world.h>
#include <dunlin/behaviours.h>
#include <dunlin/scenery.h>
#include <dunlin/life.h>
#include <dunlin/survey.h>
#include <dunlin/query.h>
#include <dunlin/state.h>

#endif
