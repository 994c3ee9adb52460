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

#include <dunlin/common.h>
#include <dunlin/world.h>
#include <dunlin/behaviours.h>
#include <dunlin/scenery.h>
#include <dunlin/life.h>
#include <dunlin/survey.h>
#include <dunlin/state.h>

#endif
