/* SPDX-License-Identifier: MIT */
#include "engine/world/use.h"

#include <stdio.h>

#include "engine/base/check.h"
#include "engine/base/parallel.h"

/* Readers are counted even in a const world. */
static dun_use *use_of(const dunlin_world *world) {
    return (dun_use *)(uintptr_t)&world->use;
}

static const char *changing(const dunlin_world *world) {
    return atomic_load_explicit(&world->use.changing, memory_order_relaxed);
}

static bool is_read(const dunlin_world *world) {
    return atomic_load_explicit(&world->use.readers, memory_order_relaxed) > 0;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------------ */

dunlin_world *dun_change_begin(dunlin_world *world, const char *function) {
    if (changing(world) || is_read(world) || world->use.left) return NULL;
    atomic_store_explicit(&world->use.changing, function, memory_order_relaxed);
    world->changes++;
    return world;
}

/* An exception that leaves a callback comes by here during parallel work. */
void dun_change_end(dunlin_world *const *changed) {
    dunlin_world *world = *changed;
    if (!world) return;
    if (dun_parallel_is_running(&world->executor)) world->use.left = changing(world);
    atomic_store_explicit(&world->use.changing, NULL, memory_order_relaxed);
}

const dunlin_world *dun_read_begin(const dunlin_world *world) {
    if (changing(world) || world->use.left) return NULL;
    atomic_fetch_add_explicit(&use_of(world)->readers, 1, memory_order_relaxed);
    return world;
}

void dun_read_end(const dunlin_world *const *read) {
    if (*read) atomic_fetch_sub_explicit(&use_of(*read)->readers, 1, memory_order_relaxed);
}

/* ---- misuse ----------------------------------------------------------------------------------------------------------- */

dunlin_result dun_use_refused(const dunlin_world *world, const char *function, dunlin_error *error) {
    const char *other = changing(world);
    if (world->use.left)
        return dun_fail(error, DUNLIN_ERROR_VALUE,
                        "%s(): an exception has left a callback within %s(), so the world can only be destroyed", function,
                        world->use.left);
    return dun_fail(error, DUNLIN_ERROR_VALUE,
                    "%s() was called before %s%s has returned: by a callback, by another thread, or after a callback was "
                    "left by longjmp",
                    function, other ? other : "a function that reads the world", other ? "()" : "");
}

static bool refuse(const dunlin_world *world, const char *function) {
    atomic_store_explicit(&use_of(world)->misuse, function, memory_order_relaxed);
    return false;
}

bool dun_may_look(const dunlin_world *world, const char *function) {
    return !(changing(world) || world->use.left) || refuse(world, function);
}

bool dun_may_destroy(dunlin_world *world) {
    return !(changing(world) || is_read(world)) || refuse(world, "dunlin_world_destroy");
}

/* ---- failures of callbacks -------------------------------------------------------------------------------------------- */

void dunlin_world_fail(const dunlin_world *world, const char *message) {
    dun_use *use = use_of(world);
    int none = DUN_CALLBACKS_WORK;
    if (!changing(world) && !is_read(world)) return;
    if (!atomic_compare_exchange_strong_explicit(&use->failure, &none, DUN_CALLBACK_FAILS, memory_order_relaxed,
                                                 memory_order_relaxed))
        return;
    snprintf(use->why, sizeof use->why, "%s", message ? message : "a callback has failed");
    atomic_store_explicit(&use->failure, DUN_CALLBACK_FAILED, memory_order_release);
}

dunlin_result dun_use_result(const dunlin_world *world, dunlin_result result, dunlin_error *error) {
    dun_use *use = use_of(world);
    if (atomic_load_explicit(&use->failure, memory_order_acquire) != DUN_CALLBACK_FAILED) return result;
    dun_fail(error, DUNLIN_ERROR_CALLBACK, "%s", use->why);
    atomic_store_explicit(&use->failure, DUN_CALLBACKS_WORK, memory_order_release);
    return DUNLIN_ERROR_CALLBACK;
}

dunlin_result dun_use_check(const dunlin_world *world, dunlin_error *error) {
    const dunlin_result result = dun_use_result(world, DUNLIN_OK, error);
    if (result) return result;
    const char *misuse = atomic_exchange_explicit(&use_of(world)->misuse, NULL, memory_order_relaxed);
    if (!misuse) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s() was called by a callback of the world: it did nothing", misuse);
}
