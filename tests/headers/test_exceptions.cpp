// SPDX-License-Identifier: MIT
// An exception leaves a callback, which none may: the world says so, and can only be destroyed. The host's float mode is back.
#include <dunlin/dunlin.h>

#include <atomic>
#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

static const std::thread::id host = std::this_thread::get_id();
static dunlin_error error;

#define CHECK(condition)                                                                                                       \
    do {                                                                                                                       \
        if (condition) break;                                                                                                  \
        std::fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, error.message);                       \
        std::exit(1);                                                                                                          \
    } while (false)

static std::atomic<bool> has_thrown;

// On a thread of the world's own nothing would catch it. These wait, so that the host has something to do.
static void throw_on_host(void *, const dunlin_tile *) {
    while (std::this_thread::get_id() != host && !has_thrown) std::this_thread::yield();
    if (std::this_thread::get_id() != host) return;
    has_thrown = true;
    throw std::runtime_error("from a callback");
}

static void do_nothing(void *, const dunlin_tile *) {}

static void run_and_throw(void *, std::uint32_t workers, dunlin_work_fn *work, void *job) {
    for (std::uint32_t worker = 0; worker < workers; worker++) work(job, worker);
    throw std::runtime_error("from an executor");
}

static bool refuse_and_throw(void *, const void *, std::size_t) {
    throw std::runtime_error("from a sink");
}

static dunlin_world *make_world(const char *executor, int threads, dunlin_tile_fn *callback) {
    dunlin_world *world = nullptr;
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = executor;
    def.threads = threads;
    if (std::strcmp(executor, "custom") == 0) def.run = run_and_throw;
    CHECK(dunlin_world_create(&def, &world, &error) == DUNLIN_OK);
    const dunlin_species_def species = dunlin_species_def_default();
    CHECK(dunlin_world_add_species(world, &species, nullptr, &error) == DUNLIN_OK);
    dunlin_behaviour_def behaviour = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    behaviour.custom = callback;
    CHECK(dunlin_world_add_behaviour(world, &behaviour, nullptr, &error) == DUNLIN_OK);
    static float numbers[5000];
    dunlin_batch batch = dunlin_batch_default();
    batch.count = 5000; // several tiles, and too few for growing them to need the executor
    for (int a = 0; a < 2; a++) batch.position[a] = batch.velocity[a] = numbers;
    CHECK(dunlin_world_spawn(world, 0, &batch, nullptr, &error) == DUNLIN_OK);
    return world;
}

template <typename Call> static bool throws(Call call) {
    try {
        call();
    } catch (const std::runtime_error &) {
        return true;
    }
    return false;
}

static void leave(const char *executor, int threads, dunlin_tile_fn *callback) {
    dunlin_world *world = make_world(executor, threads, callback);
    has_thrown = false;
    std::fesetround(FE_UPWARD);
    CHECK(throws([&] { dunlin_world_step(world, &error); }));
    CHECK(std::fegetround() == FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    CHECK(dunlin_world_step(world, &error) == DUNLIN_ERROR_VALUE);
    CHECK(std::strstr(error.message, "an exception has left a callback within dunlin_world_step()"));
    CHECK(dunlin_world_remove_behaviour(world, 0, &error) == DUNLIN_ERROR_VALUE);
    CHECK(std::strstr(error.message, "can only be destroyed"));
    CHECK(dunlin_world_view(world, 0).count == 0);
    dunlin_world_destroy(world); // a sanitizer would see what remains
}

static void leave_a_sink() {
    dunlin_world *world = make_world("serial", 1, do_nothing);
    CHECK(throws([&] { dunlin_world_save_to(world, refuse_and_throw, nullptr, &error); }));
    CHECK(dunlin_world_step(world, &error) == DUNLIN_OK);
    dunlin_world_destroy(world);
}

int main() {
    leave("serial", 1, throw_on_host);
    leave("pthreads", 3, throw_on_host);
    leave("custom", 2, do_nothing);
    leave_a_sink();
}
