/* SPDX-License-Identifier: MIT */
/*
 * Which function is using a world. Callbacks, executors, transports, and the functions that take or give bytes are called
 * within one, and must not change the world then: it would move the arrays that are being read and written. So each public
 * function begins with what it does:
 *
 *     DUN_CHANGE(world, error)      it changes the world: an error within any other
 *     DUN_READ(world, error)        it reads agents, and may call functions of the caller's: an error within a change
 *     dun_may_look(world, name)     it reads agents and cannot fail: within a change it gives nothing, and the change fails
 *     dun_may_destroy(world)        only outside of all
 *
 * Functions that read nothing but definitions need none of these: definitions stay while callbacks run. Between threads of the
 * caller's this is no lock. But it costs nothing to store these few words atomically, so most races are reported, too.
 */
#ifndef DUNLIN_ENGINE_USE_H
#define DUNLIN_ENGINE_USE_H

#include "engine/base/entry.h"
#include "engine/world/world.h"

#define DUN_CHANGE(world, error)                                                                                               \
    DUN_OWN_FLOATS();                                                                                                          \
    __attribute__((cleanup(dun_change_end))) dunlin_world *const changing_ = dun_change_begin(world, __func__);                \
    if (!changing_) return dun_use_refused(world, __func__, error)

#define DUN_READ(world, error)                                                                                                 \
    DUN_OWN_FLOATS();                                                                                                          \
    __attribute__((cleanup(dun_read_end))) const dunlin_world *const reading_ = dun_read_begin(world);                         \
    if (!reading_) return dun_use_refused(world, __func__, error)

/* NULL: it must not. */
dunlin_world *dun_change_begin(dunlin_world *world, const char *function);
const dunlin_world *dun_read_begin(const dunlin_world *world);
void dun_change_end(dunlin_world *const *world);
void dun_read_end(const dunlin_world *const *world);

/* After callbacks that read or give bytes: `result`, unless one of them has failed. */
dunlin_result dun_use_result(const dunlin_world *world, dunlin_result result, dunlin_error *error);

/* Why the function must not. */
dunlin_result dun_use_refused(const dunlin_world *world, const char *function, dunlin_error *error);

bool dun_may_look(const dunlin_world *world, const char *function);
bool dun_may_destroy(dunlin_world *world);

/* Whether a callback has failed since the last check. */
static inline bool dun_use_has_failed(const dunlin_world *world) {
    return atomic_load_explicit(&world->use.failure, memory_order_relaxed) != DUN_CALLBACKS_WORK;
}

/* Fails if since the last check a callback has failed, or has called a function that cannot fail itself. */
dunlin_result dun_use_check(const dunlin_world *world, dunlin_error *error);

#endif
