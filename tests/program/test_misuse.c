/* SPDX-License-Identifier: MIT */
/* A world that is used from its own callbacks: every public function, in every kind of callback. */
#include <stdatomic.h>

#include "tests/lib/public_calls.h"
#include "tests/lib/worlds.h"

/* The call that is to be made, once, in the next callback of this kind. */
static public_call call;
static callback_kind place;
static _Atomic bool made;

static void misuse(callback_kind kind) {
    if (kind == place && !atomic_exchange(&made, true)) call_within(&call);
}

/* Functions that read agents and cannot fail. */
static bool is_look(const public_function *function) {
    static const char *const looks[] = {"dunlin_world_view",       "dunlin_world_find_agent", "dunlin_world_agent_count",
                                        "dunlin_world_state_hash", "dunlin_world_bytes",      "dunlin_world_saved_bytes",
                                        "dunlin_world_preamble"};
    bool found = false;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) found = found || strcmp(function->name, looks[i]) == 0;
    return found;
}

static bool take(void *context, const void *bytes, size_t count) {
    (void)context, (void)bytes, (void)count;
    misuse(CALLBACK_WRITE);
    return true;
}

typedef struct source {
    const char *at;
} source;

static bool give(void *context, void *bytes, size_t count) {
    source *from = context;
    misuse(CALLBACK_READ);
    memcpy(bytes, from->at, count);
    from->at += count;
    return true;
}

/* Does what calls a callback of that kind. */
static dunlin_result do_something(const char *saved, dunlin_error *error) {
    if (place == CALLBACK_WRITE) return dunlin_world_save_to(things.world, take, NULL, error);
    if (place == CALLBACK_READ) return dunlin_world_restore_from(things.world, give, &(source){saved}, error);
    return dunlin_world_step(things.world, error);
}

static void check_answer(bool reads) {
    const public_function *function = call.function;
    char said[80];
    snprintf(said, sizeof said, "%s() was called before dunlin_world_", function->name);
    if (!function->fails || reads) {
        if (call.result) fail_msg("%s() may read, but fails: %s", function->name, call.error.message);
        return;
    }
    if (place == CALLBACK_WRITE) snprintf(said, sizeof said, "%s() was called before a function that reads", function->name);
    if (call.result != DUNLIN_ERROR_VALUE || !strstr(call.error.message, said))
        fail_msg("%s() in a callback returns %d: %s", function->name, (int)call.result, call.error.message);
}

/* The world fails, in this step or the next, where a function could not. */
static void check_world(dunlin_result result, const dunlin_error *error, bool fails) {
    dunlin_error later = *error;
    if (fails && (place == CALLBACK_WRITE || place == CALLBACK_READ)) result = dunlin_world_step(things.world, &later);
    if (!fails && result) fail_msg("after %s() in a callback: %s", call.function->name, error->message);
    if (fails && (result != DUNLIN_ERROR_VALUE || !strstr(later.message, call.function->name)))
        fail_msg("nothing says that %s() was called in a callback", call.function->name);
}

static void misuse_one(const public_function *function, dunlin_world *twin) {
    static char saved[1 << 20];
    dunlin_error error = {0};
    call = (public_call){.function = function};
    atomic_store(&made, false);
    ACCEPT(dunlin_world_save_memory(things.world, saved, sizeof saved, &refusal));
    in_callback = misuse;
    const dunlin_result result = do_something(saved, &error);
    in_callback = NULL;
    assert_true(atomic_load(&made));
    const bool destroys = strcmp(function->name, "dunlin_world_destroy") == 0;
    check_answer(place == CALLBACK_WRITE && function->world == 1);
    check_world(result, &error, destroys || (place != CALLBACK_WRITE && is_look(function)));
    ACCEPT(dunlin_world_restore_memory(twin, saved, sizeof saved, &refusal));
    ACCEPT(dunlin_world_restore_memory(things.world, saved, sizeof saved, &refusal));
    ACCEPT(dunlin_world_step(twin, &refusal));
    ACCEPT(dunlin_world_step(things.world, &refusal));
    if (dunlin_world_state_hash(twin) != dunlin_world_state_hash(things.world))
        fail_msg("%s() in a callback has changed the world", function->name);
}

/* The same world, which is never misused. */
static dunlin_world *make_twin(const char *executor, int threads) {
    things_make(executor, threads);
    dunlin_world *twin = things.world;
    things.world = NULL;
    things_free();
    return twin;
}

static void misuse_all(const char *executor, int threads) {
    dunlin_world *twin = make_twin("serial", 1);
    things_make(executor, threads);
    for (int kind = 0; kind < CALLBACK_KINDS; kind++) {
        if (kind == CALLBACK_RUN && strcmp(executor, "custom") != 0) continue;
        place = (callback_kind)kind;
        for (int i = 0; i < public_function_count; i++)
            if (public_functions[i].world && !is_called(&public_functions[i], "world_fail"))
                misuse_one(&public_functions[i], twin);
    }
    things_free();
    world_destroy(twin);
}

TEST(test_alone) {
    misuse_all("serial", 1);
}

TEST(test_on_threads) {
    misuse_all("pthreads", 3);
}

TEST(test_on_a_custom_executor) {
    misuse_all("custom", 2);
}

/* ---- simulations ----------------------------------------------------------------------------------------------------------
 */

static void use_simulation(const char *user) {
    static char bytes[1 << 16];
    char said[80];
    dunlin_error error[3];
    const dunlin_result results[] = {
        dunlin_simulation_step(things.simulation, &error[0]),
        dunlin_simulation_set_number(things.simulation, "species[0].max_speed", 1.0, &error[1]),
        dunlin_simulation_save_memory(things.simulation, bytes, sizeof bytes, &error[2]),
    };
    snprintf(said, sizeof said, "was called by a callback, before %s() has returned", user);
    for (int i = 0; i < 3; i++)
        if (results[i] != DUNLIN_ERROR_VALUE || !strstr(error[i].message, said)) fail_msg("says: %s", error[i].message);
    dunlin_simulation_destroy(things.simulation);
}

static void use_simulation_once(void *user, const dunlin_tile *tile) {
    (void)user, (void)tile;
    if (!atomic_exchange(&made, true)) use_simulation("dunlin_simulation_step");
}

static bool use_simulation_in_sink(void *context, const void *bytes, size_t count) {
    (void)context, (void)bytes, (void)count;
    if (!atomic_exchange(&made, true)) use_simulation("dunlin_simulation_save_to");
    return true;
}

TEST(test_a_simulation) {
    things_make("serial", 1);
    dunlin_world *world = dunlin_simulation_world(things.simulation);
    world_call_back(world, 0, use_simulation_once, NULL);
    atomic_store(&made, false);
    REFUSE(dunlin_simulation_step(things.simulation, &refusal), DUNLIN_ERROR_VALUE, "dunlin_simulation_destroy()",
           "did nothing");
    ACCEPT(dunlin_simulation_step(things.simulation, &refusal));
    atomic_store(&made, false);
    ACCEPT(dunlin_simulation_save_to(things.simulation, use_simulation_in_sink, NULL, &refusal));
    REFUSE(dunlin_simulation_step(things.simulation, &refusal), DUNLIN_ERROR_VALUE, "dunlin_simulation_destroy()",
           "did nothing");
    ACCEPT(dunlin_simulation_step(things.simulation, &refusal));
    things_free();
}
