// SPDX-License-Identifier: MIT
// dunlin.hpp: what it gives is what the C functions give, what fails throws, and no exception of a lambda's crosses the
// library.
#include <dunlin/dunlin.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>
#if __cplusplus >= 202002L
#include <span>
static_assert(std::is_convertible_v<dunlin::span<const float>, std::span<const float>>);
static_assert(std::is_convertible_v<std::span<float>, dunlin::span<const float>>);
#endif

static_assert(std::is_nothrow_move_constructible_v<dunlin::world> && std::is_nothrow_move_assignable_v<dunlin::world>);
static_assert(!std::is_copy_constructible_v<dunlin::world> && !std::is_copy_assignable_v<dunlin::world>);
static_assert(std::is_convertible_v<std::vector<float> &, dunlin::span<const float>>);
static_assert(!std::is_convertible_v<const std::vector<float> &, dunlin::span<float>>);

static void check(bool holds, const char *what, int line) {
    if (holds) return;
    std::fprintf(stderr, "test_hpp.cpp:%d: not so: %s\n", line, what);
    std::exit(1);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

template <class E, class F> static E caught(F call) {
    try {
        call();
    } catch (const E &e) {
        return e;
    }
    std::fprintf(stderr, "test_hpp.cpp: nothing was thrown\n");
    std::exit(1);
}

static constexpr std::uint32_t agents = 5000; // several tiles

static void fill(dunlin::world &world) {
    CHECK(world.add_species(dunlin_species_def_default()) == 0);
    CHECK(world.add_interaction(dunlin_interaction_boids(3)) == 0);
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world.get());
    everywhere.count = agents;
    world.scatter(0, everywhere);
}

static dunlin::world make_flock(int threads = 2) {
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = threads;
    dunlin::world world(def);
    fill(world);
    return world;
}

static dunlin_behaviour_def custom(dunlin::world &world) {
    return dunlin_behaviour_def_default(world.get(), DUNLIN_BEHAVIOUR_CUSTOM);
}

static std::uint64_t hash_in_c() {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = nullptr;
    CHECK(dunlin_world_create(&def, &world, nullptr) == DUNLIN_OK);
    const dunlin_species_def species = dunlin_species_def_default();
    const dunlin_interaction_def flock = dunlin_interaction_boids(3);
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = agents;
    CHECK(dunlin_world_add_species(world, &species, nullptr, nullptr) == DUNLIN_OK);
    CHECK(dunlin_world_add_interaction(world, &flock, nullptr, nullptr) == DUNLIN_OK);
    CHECK(dunlin_world_scatter(world, 0, &everywhere, nullptr) == DUNLIN_OK);
    for (int step = 0; step < 10; step++) CHECK(dunlin_world_step(world, nullptr) == DUNLIN_OK);
    const std::uint64_t hash = dunlin_world_state_hash(world);
    dunlin_world_destroy(world);
    return hash;
}

static void steps_as_in_c() {
    dunlin::world world = make_flock();
    world.step(9);
    world.step();
    CHECK(world.state_hash() == hash_in_c());
    CHECK(dunlin_world_stats(world.get()).step == 10);
}

static void shows_columns() {
    dunlin::world world = make_flock();
    dunlin_attribute_def energy = dunlin_attribute_def_default();
    energy.name = "energy";
    energy.value = 7;
    CHECK(world.add_attribute(energy) == 0);
    world.step();
    const dunlin_view view = dunlin_world_view(world.get(), 0);
    for (int axis = 0; axis < 2; axis++) {
        CHECK(world.position(0, axis).data() == view.position[axis] && world.position(0, axis).size() == agents);
        CHECK(world.velocity(0, axis).data() == view.velocity[axis] && world.velocity(0, axis).size() == agents);
    }
    CHECK(world.position(0, 2).empty() && world.attribute(0, 1).empty());
    CHECK(world.id(0).data() == view.id && world.id(0).size() == agents);
    const dunlin::span<const float> energies = world.attribute(0, 0);
    CHECK(std::accumulate(energies.begin(), energies.end(), 0.0f) == 7 * agents);
    CHECK(world.view(0).generation == dunlin_world_generation(world.get()));
    const dunlin::handle<dunlin_hold> hold = world.hold();
    world = dunlin::world();
    CHECK(energies[agents - 1] == 7); // the hold keeps the memory
}

static void moves() {
    dunlin::world world = make_flock(1);
    std::uint32_t called = 0;
    world.add_behaviour(custom(world), [&called](const dunlin_tile &tile) { called += tile.count; });
    dunlin::world other = std::move(world);
    const dunlin_world *const moved = other.get();
    world = std::move(other);
    CHECK(world.get() == moved);
    world.step(2);
    CHECK(called == 2 * agents);
    world = make_flock();
    world.step();
    CHECK(called == 2 * agents && world.get() != nullptr);
}

static void throws_errors() {
    dunlin_world_def def = dunlin_world_def_default();
    def.time_step = -1;
    dunlin_error wanted;
    dunlin_world *none = nullptr;
    CHECK(dunlin_world_create(&def, &none, &wanted) != DUNLIN_OK);
    const auto e = caught<dunlin::error>([&] { dunlin::world world(def); });
    CHECK(e.code == wanted.code && std::strcmp(e.what(), wanted.message) == 0);

    dunlin::world world = make_flock();
    CHECK(caught<dunlin::error>([&] { world.load("/none"); }).code == DUNLIN_ERROR_FILE);
    CHECK(caught<dunlin::error>([&] { world.call(dunlin_world_remove_meal, 3); }).code == DUNLIN_ERROR_VALUE);
    dunlin::found found;
    const std::vector<dunlin_ball> balls(1);
    CHECK(caught<dunlin::error>([&] { world.find(dunlin_world_find_in_balls, 5, balls, found); }).code == DUNLIN_ERROR_VALUE);
    dunlin_survey *survey = nullptr;
    dunlin::call(dunlin_survey_create, &survey);
    const dunlin::handle<dunlin_survey> owned(survey, dunlin_survey_destroy);
    CHECK(world.ask<dunlin_metrics>(dunlin_world_measure, 0).agents == agents && world.measure(0).agents == agents);
    dunlin_density density;
    CHECK(caught<dunlin::error>([&] { dunlin::call(dunlin_survey_density, survey, world.get(), 0, -1.0, &density); }).code ==
          DUNLIN_ERROR_VALUE);
    dunlin::call(dunlin_survey_density, survey, world.get(), 0, 10.0, &density);
    CHECK(density.boxes == 100);
}

struct storm : std::runtime_error {
    int strength;
    explicit storm(int s) : std::runtime_error("a storm"), strength(s) {}
};

// The exception of a behaviour's lambda comes back with its type, the step is undone, and the world continues with the same
// bits.
static void throws_again(const char *executor, int threads) {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = executor;
    def.threads = threads;
    dunlin::world world(def);
    fill(world);
    std::atomic<int> strength{0}, thrown{0};
    world.add_behaviour(custom(world), [&](const dunlin_tile &) {
        if (strength > 0) thrown++, throw storm(strength);
    });
    dunlin::world moved = std::move(world);
    moved.step(5);
    const std::uint64_t hash = moved.state_hash();
    for (int s = 1; s <= 2; s++) {
        strength = s;
        CHECK(caught<storm>([&] { moved.step(); }).strength == s);
        CHECK(thrown >= s && moved.state_hash() == hash);
    }
    CHECK(caught<dunlin::error>([&] { moved.call(dunlin_world_remove_meal, 0); }).code == DUNLIN_ERROR_VALUE);
    strength = 0;
    moved.step(5);
    CHECK(moved.state_hash() == hash_in_c());
}

// Both threads throw at the same time, and one exception comes back.
static void throws_on_two_threads() {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = "pthreads";
    def.threads = 2;
    dunlin::world world(def);
    fill(world);
    std::atomic<int> callers{0};
    world.add_behaviour(custom(world), [&callers](const dunlin_tile &) {
        callers++;
        while (callers < 2) std::this_thread::yield();
        throw storm(8);
    });
    CHECK(caught<storm>([&] { world.step(); }).strength == 8);
}

static void throws_what_is_no_exception() {
    dunlin::world world = make_flock();
    world.add_behaviour(custom(world), [](const dunlin_tile &) { throw 7; });
    CHECK(caught<int>([&] { world.step(); }) == 7);
}

static void sees_pairs() {
    dunlin::world world = make_flock();
    dunlin_behaviour_def def = dunlin_behaviour_def_default(world.get(), DUNLIN_BEHAVIOUR_PAIRS);
    std::atomic<std::uint32_t> seen{0};
    world.add_behaviour(def, [&seen](const dunlin_packet &packet) { seen += packet.count; });
    world.step();
    CHECK(seen == agents);
    world.add_behaviour(def, [](const dunlin_packet &) { throw storm(3); });
    CHECK(caught<storm>([&] { world.step(); }).strength == 3);
}

// A lambda lives as long as a behaviour uses it.
static void frees_lambdas() {
    const auto token = std::make_shared<int>(0);
    const auto uses = [token](const dunlin_tile &) { ++*token; };
    const auto before = token.use_count();
    {
        dunlin::world world = make_flock(1);
        const int first = world.add_behaviour(custom(world), uses);
        dunlin_behaviour_def def = custom(world);
        const int second = world.add_behaviour(world.connect(def, uses));
        CHECK(token.use_count() == before + 2);
        world.call(dunlin_world_remove_behaviour, first);
        def = dunlin_world_get_behaviour(world.get(), second - 1);
        def.species = 0;
        world.call(dunlin_world_set_behaviour, second - 1, &def);
        world.connect(def, [](const dunlin_tile &) {});
        CHECK(token.use_count() == before + 1);
        world.step();
        CHECK(*token > 0);
        world.call(dunlin_world_set_behaviour, second - 1, &def);
        world.connect(def, [](const dunlin_tile &) {});
        CHECK(token.use_count() == before);
        world.add_behaviour(custom(world), uses);
        world = dunlin::world();
        CHECK(token.use_count() == before);
        dunlin_world_def alone = dunlin_world_def_default();
        alone.threads = 1;
        const dunlin::world other(alone, [token](std::uint32_t, auto) {});
        CHECK(token.use_count() == before + 1);
    }
    CHECK(token.use_count() == before);
}

static void runs_on_an_executor() {
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = 3;
    std::atomic<bool> fails{false};
    dunlin::world world(def, [&fails](std::uint32_t workers, auto work) {
        std::vector<std::thread> threads;
        for (std::uint32_t worker = 1; worker < workers; worker++) threads.emplace_back(work, worker);
        work(0);
        for (std::thread &thread : threads) thread.join();
        if (fails) throw storm(4);
    });
    fill(world);
    world.step(10);
    CHECK(world.state_hash() == hash_in_c());
    fails = true;
    CHECK(caught<storm>([&] { world.step(2); }).strength == 4);
    fails = false;
}

static void finds() {
    dunlin::world world = make_flock();
    world.step();
    const std::vector<dunlin_ball> balls = {{{50, 50, 0}, 20}, {{0, 0, 0}, 0}, {{20, 20, 0}, 5}};
    dunlin::found found;
    for (int again = 0; again < 3; again++) {
        if (again == 1) found = dunlin::found();
        world.find(dunlin_world_find_in_balls, 0, again == 2 ? dunlin::span<const dunlin_ball>(&balls[2], 1) : balls, found);
        CHECK(found.begins.size() == (again == 2 ? 2u : 4u) && found.begins.back() == found.ids.size());
        CHECK(found.slots.size() == found.ids.size() && found.distances.size() == found.ids.size() && !found.ids.empty());
        for (std::size_t q = 0; q + 1 < found.begins.size(); q++)
            for (std::size_t h = found.begins[q]; h < found.begins[q + 1]; h++) {
                const dunlin_ball &ball = balls[again == 2 ? 2 : q];
                const std::uint32_t slot = found.slots[h].index;
                CHECK(world.id(0)[slot] == found.ids[h] && found.distances[h] <= ball.radius);
                const float x = world.position(0, 0)[slot] - ball.centre[0], y = world.position(0, 1)[slot] - ball.centre[1];
                CHECK(std::abs(std::sqrt(x * x + y * y) - found.distances[h]) < 1e-4f);
            }
    }
    std::size_t inside = 0;
    for (std::size_t i = 0; i < agents; i++)
        inside += std::hypot(double(world.position(0, 0)[i]) - 20, double(world.position(0, 1)[i]) - 20) <= 5;
    CHECK(found.ids.size() == inside);
    const std::array<dunlin_nearest, 1> nearest = {{{{50, 50, 0}, 1000, 4}}};
    world.find(dunlin_world_find_nearest, DUNLIN_ALL_SPECIES, nearest, found);
    CHECK(found.ids.size() == 4 && std::is_sorted(found.distances.begin(), found.distances.end()));
    world.find(dunlin_world_find_in_balls, 0, std::vector<dunlin_ball>(), found);
    CHECK(found.ids.empty() && found.begins.size() == 1);
}

// What one call finds costs the next one nothing: it does not set memory that it does not use.
static void finds_few_after_many() {
    dunlin::world world = make_flock();
    dunlin::found found;
    world.find(dunlin_world_find_in_balls, 0, std::vector<dunlin_ball>{{{50, 50, 0}, 40}}, found);
    const std::size_t many = found.ids.size();
    CHECK(many > 100);
    const dunlin::found copy = found;
    CHECK(copy.ids == found.ids && copy.distances == found.distances && copy.ids.data() != found.ids.data());
    found.ids.back() = found.slots.back().index = 77;
    found.distances.back() = 77;
    world.find(dunlin_world_find_in_balls, 0, std::vector<dunlin_ball>{{{50, 50, 0}, 2}}, found);
    CHECK(!found.ids.empty() && found.ids.size() < many);
    found.ids.resize(many), found.slots.resize(many), found.distances.resize(many);
    CHECK(found.ids.back() == 77 && found.slots.back().index == 77 && std::lround(found.distances.back()) == 77);
    found.ids.push_back(78);
    CHECK(found.ids.back() == 78);
}

static void saves() {
    dunlin::world world = make_flock();
    world.step(4);
    std::vector<std::byte> bytes;
    world.save_to([&bytes](dunlin::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
    CHECK(bytes.size() == dunlin_world_saved_bytes(world.get()));
    std::vector<std::byte> in_c(bytes.size());
    world.call(dunlin_world_save_memory, in_c.data(), in_c.size());
    CHECK(bytes == in_c);
    world.step(6);
    const std::uint64_t hash = world.state_hash();
    std::size_t read = 0;
    const auto source = [&](dunlin::span<std::byte> into) {
        if (read + into.size() > bytes.size()) throw storm(5);
        std::copy_n(bytes.data() + read, into.size(), into.data());
        read += into.size();
    };
    world.restore_from(source);
    CHECK(dunlin_world_stats(world.get()).step == 4 || dunlin_world_get_clock(world.get()).step == 4);
    world.step(6);
    CHECK(world.state_hash() == hash);

    bytes.pop_back();
    read = 0;
    CHECK(caught<storm>([&] { world.restore_from(source); }).strength == 5);
    CHECK(caught<storm>([&] { world.save_to([](dunlin::span<const std::byte>) { throw storm(6); }); }).strength == 6);
    CHECK(world.state_hash() == hash);

    world.save("test_hpp.csv");
    dunlin::world other;
    other.add_species(dunlin_species_def_default());
    other.load("test_hpp.csv");
    std::remove("test_hpp.csv");
    CHECK(other.state_hash() == hash);
}

static void changes_agents() {
    dunlin::world world;
    world.add_species(dunlin_species_def_default());
    const std::array<float, 3> x = {1, 2, 3}, v = {0, 0, 0};
    dunlin_batch batch = dunlin_batch_default();
    batch.count = 3;
    for (int axis = 0; axis < 2; axis++) batch.position[axis] = x.data(), batch.velocity[axis] = v.data();
    CHECK(world.spawn(0, batch) == 0 && world.spawn(0, batch) == 3);
    world.despawn(std::array<std::uint32_t, 2>{1, 4});
    CHECK(world.id(0).size() == 4 && world.id(0)[1] == 2);
    dunlin_write write = dunlin_write_default();
    const std::array<float, 4> y = {5, 6, 7, 8};
    write.count = 4;
    write.position[0] = write.position[1] = y.data();
    world.write(write);
    CHECK(std::equal(y.begin(), y.end(), world.position(0, 1).begin()));
}

// A world of a C function's, owned or only used.
static void takes_over() {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *created = nullptr;
    CHECK(dunlin_world_create(&def, &created, nullptr) == DUNLIN_OK);
    {
        dunlin::world user(created, false);
        fill(user);
    }
    CHECK(dunlin_world_agent_count(created) == agents);
    dunlin::world owner(created); // a sanitizer would see what remains
    owner.step(10);
    CHECK(owner.state_hash() == hash_in_c());
}

int main() {
    steps_as_in_c();
    shows_columns();
    moves();
    throws_errors();
    throws_again("serial", 1);
    throws_again("pthreads", 3);
    throws_again("auto", 2);
    throws_on_two_threads();
    throws_what_is_no_exception();
    sees_pairs();
    frees_lambdas();
    runs_on_an_executor();
    finds();
    finds_few_after_many();
    saves();
    changes_agents();
    takes_over();
}
