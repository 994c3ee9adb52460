/* SPDX-License-Identifier: MIT */
/**
 * \file
 * dunlin.h for C++17 and newer: a world that throws exceptions, gives spans and takes lambdas.
 *
 *     dunlin::world world;
 *     world.add_species(dunlin_species_def_default());
 *     world.add_interaction(dunlin_interaction_boids(8));
 *     dunlin_scatter_def everywhere = dunlin_scatter_def_default(world.get());
 *     everywhere.count = 2000;
 *     world.scatter(0, everywhere);
 *     world.step(100);
 *     for (float x : world.position(0, 0)) std::cout << x << '\n'; // of species 0, along axis 0
 *
 * **Names.** A member is the C function of its name, and returns what that writes. call() and ask() are for those without a
 * member, such as world.call(dunlin_world_remove_meal, 0), and get() for those that cannot fail.
 *
 * **Exceptions.** What fails throws dunlin::error. An exception that leaves a lambda does not reach the library: the call
 * fails, as by dunlin_world_fail(), and then throws the first such exception again.
 *
 * **Lifetime.** A world owns its dunlin_world, and a lambda as long as a behaviour uses it. It can be moved; one that was moved
 * from can only be assigned to and destroyed. Spans own nothing: they are valid as long as a dunlin_view.
 *
 * **Threads.** As in dunlin.h; const members take a `const dunlin_world *`. Lambdas of behaviours and executors run on several
 * threads at the same time, so they cannot be `mutable`.
 */
#ifndef DUNLIN_HPP
#define DUNLIN_HPP
#include "dunlin.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef __cpp_exceptions
#error "dunlin.hpp needs exceptions, which dunlin.h does not"
#endif

namespace dunlin {
/** Why a call failed; what() is dunlin_error.message. */
struct error : std::runtime_error {
    dunlin_result code; /**< Not DUNLIN_OK. */
    explicit error(const dunlin_error &e) : std::runtime_error(e.message), code(e.code) {}
};

/** Calls a C function without its last argument, the error, which is thrown. */
template <class... P, class... A> void call(dunlin_result (*function)(P...), A &&...arguments) {
    dunlin_error e;
    if (function(std::forward<A>(arguments)..., &e) != DUNLIN_OK) throw error(e);
}

/** A part of an array. It becomes a std::span, but is the same type in every standard: their object files can be linked. */
template <class T> class span {
    T *first = nullptr;
    std::size_t count = 0;

  public:
    constexpr span() = default;
    constexpr span(T *data, std::size_t size) : first(data), count(data ? size : 0) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::data(std::declval<C &>())), T *>>>
    constexpr span(C &&array) : first(std::data(array)), count(std::size(array)) {}
    constexpr T *data() const { return first; }
    constexpr std::size_t size() const { return count; }
    constexpr bool empty() const { return count == 0; }
    constexpr T *begin() const { return first; }
    constexpr T *end() const { return first + count; }
    constexpr T &operator[](std::size_t i) const { return first[i]; }
};

/** Owns what a C function has created: handle<dunlin_survey>(survey, dunlin_survey_destroy). */
template <class T> using handle = std::unique_ptr<T, void (*)(T *)>;

namespace detail {
/** With it a vector does not set what it adds, which the library writes. For types whose values need no construction. */
template <class T> struct unset : std::allocator<T> {
    using std::allocator<T>::allocator;
    template <class U> struct rebind { using other = unset<U>; };
    template <class U> void construct(U *) {}
};

/** What stays in its place when a world is moved. */
struct state {
    std::atomic<bool> has_thrown{false};
    std::exception_ptr thrown{};
    std::shared_ptr<void> executor{};
    std::vector<std::shared_ptr<void>> callbacks{};
    dunlin_world *world = nullptr;
    bool owns = true;
    ~state() { dunlin_world_destroy(owns ? world : nullptr); }
    void check(dunlin_result result, const dunlin_error &e) {
        if (result != DUNLIN_OK && has_thrown.exchange(false)) std::rethrow_exception(std::exchange(thrown, nullptr));
        if (result != DUNLIN_OK) throw error(e);
    }
    /** Frees the callbacks that no behaviour uses any more. */
    void prune() {
        const auto is_unused = [this](const std::shared_ptr<void> &callback) {
            int b = world ? dunlin_world_behaviour_count(world) : 0;
            while (b > 0 && dunlin_world_get_behaviour(world, b - 1).user != callback.get()) b--;
            return b == 0;
        };
        callbacks.erase(std::remove_if(callbacks.begin(), callbacks.end(), is_unused), callbacks.end());
    }
};

/** A lambda as a context of the library. */
template <class F> struct callback {
    state &inner;
    F function;
    template <class... A> static bool run(void *self, A &&...arguments) noexcept {
        state &inner = static_cast<callback *>(self)->inner;
        try {
            static_cast<callback *>(self)->function(std::forward<A>(arguments)...);
            return true;
        } catch (...) {
            if (!inner.has_thrown.exchange(true)) inner.thrown = std::current_exception();
            if (inner.world) dunlin_world_fail(inner.world, nullptr);
            return false;
        }
    }
};
} // namespace detail

/** What queries find: hits begins[q] .. begins[q + 1] - 1 answer question q. Used again, it keeps its memory. */
struct found {
    template <class T> using array = std::vector<T, detail::unset<T>>;
    array<std::uint32_t> ids;
    array<dunlin_slot> slots;
    array<float> distances;
    std::vector<std::uint64_t> begins;
};

/** A world of dunlin.h. */
class world {
    std::unique_ptr<detail::state> inner = std::make_unique<detail::state>();

    template <class F> std::shared_ptr<detail::callback<const F>> keep(F &function) {
        return std::make_shared<detail::callback<const F>>(detail::callback<const F>{*inner, std::move(function)});
    }
    void create(const dunlin_world_def &def) { dunlin::call(dunlin_world_create, &def, &inner->world); }

  public:
    explicit world(const dunlin_world_def &def = dunlin_world_def_default()) { create(def); }
    /** With a lambda (std::uint32_t workers, auto work) as dunlin_run_fn, which calls work(worker). */
    template <class F> world(dunlin_world_def def, F executor) {
        inner->executor = keep(executor);
        def.run_context = inner->executor.get();
        def.run = [](void *self, std::uint32_t workers, dunlin_work_fn *work, void *job) {
            detail::callback<const F>::run(self, workers, [=](std::uint32_t worker) { work(job, worker); });
        };
        create(def);
    }
    /** Owns a world that a C function has created, or only uses it. */
    explicit world(dunlin_world *created, bool owns = true) { inner->world = created, inner->owns = owns; }

    dunlin_world *get() { return inner->world; }
    const dunlin_world *get() const { return inner->world; }
    /** Calls a C function without its first argument, the world, and its last, the error. */
    template <class F, class... A> void call(F *function, A &&...arguments) {
        dunlin_error e;
        inner->check(function(get(), std::forward<A>(arguments)..., &e), e);
    }
    /** Does so without the argument before the error, too, and returns what the function writes there. */
    template <class T, class F, class... A> T ask(F *function, A &&...arguments) {
        T answer{};
        call(function, std::forward<A>(arguments)..., &answer);
        return answer;
    }

    int add_species(const dunlin_species_def &def) { return ask<int>(dunlin_world_add_species, &def); }
    int add_interaction(const dunlin_interaction_def &def) { return ask<int>(dunlin_world_add_interaction, &def); }
    int add_attribute(const dunlin_attribute_def &def) { return ask<int>(dunlin_world_add_attribute, &def); }
    int add_path(const dunlin_path_def &def) { return ask<int>(dunlin_world_add_path, &def); }
    int add_field(const dunlin_field_def &def) { return ask<int>(dunlin_world_add_field, &def); }
    int add_trace(const dunlin_trace_def &def) { return ask<int>(dunlin_world_add_trace, &def); }
    int add_obstacle(const dunlin_obstacle_def &def) { return ask<int>(dunlin_world_add_obstacle, &def); }
    int add_meal(const dunlin_meal_def &def) { return ask<int>(dunlin_world_add_meal, &def); }
    int add_behaviour(const dunlin_behaviour_def &def) { return ask<int>(dunlin_world_add_behaviour, &def); }
    /** With a lambda of a `const dunlin_tile &` or, for DUNLIN_BEHAVIOUR_PAIRS, of a `const dunlin_packet &`. */
    template <class F> int add_behaviour(dunlin_behaviour_def def, F f) { return add_behaviour(connect(def, std::move(f))); }
    /** Gives a definition its lambda. Add or set it before you connect another one. */
    template <class F> dunlin_behaviour_def &connect(dunlin_behaviour_def &def, F function) {
        inner->prune();
        def.user = inner->callbacks.emplace_back(keep(function)).get();
        if constexpr (std::is_invocable_v<const F &, const dunlin_tile &>)
            def.custom = [](void *self, const dunlin_tile *tile) { detail::callback<const F>::run(self, *tile); };
        else
            def.pairs.callback = [](void *self, const dunlin_packet *packet) { detail::callback<const F>::run(self, *packet); };
        return def;
    }
    void scatter(int species, const dunlin_scatter_def &def) { call(dunlin_world_scatter, species, &def); }
    auto spawn(int species, const dunlin_batch &batch) { return ask<std::uint32_t>(dunlin_world_spawn, species, &batch); }
    void despawn(span<const std::uint32_t> ids) { call(dunlin_world_despawn, ids.data(), std::uint32_t(ids.size())); }
    void write(const dunlin_write &agents) { call(dunlin_world_write, &agents); }

    /** The columns of a species' view; one that does not exist is empty. */
    dunlin_view view(int species) const { return dunlin_world_view(get(), species); }
    span<const std::uint32_t> id(int species) const { return {view(species).id, view(species).count}; }
    span<const float> position(int species, int axis) const { return {view(species).position[axis], view(species).count}; }
    span<const float> velocity(int species, int axis) const { return {view(species).velocity[axis], view(species).count}; }
    span<const float> attribute(int species, int n) const { return {view(species).attribute[n], view(species).count}; }
    handle<dunlin_hold> hold() { return {ask<dunlin_hold *>(dunlin_world_hold), dunlin_hold_release}; }
    std::uint64_t state_hash() const { return dunlin_world_state_hash(get()); }
    dunlin_metrics measure(int species) { return ask<dunlin_metrics>(dunlin_world_measure, species); }
    void step(std::uint64_t steps = 1) {
        while (steps-- > 0) call(dunlin_world_step);
    }

    /** Answers questions of one shape by its function: world.find(dunlin_world_find_in_balls, 0, balls, found). */
    template <class Q, class C>
    void find(dunlin_result (*function)(dunlin_world *, int, const Q *, std::uint32_t, dunlin_found *, dunlin_error *),
              int species, const C &questions, found &into) {
        const auto resize = [&into](std::size_t n) { into.ids.resize(n), into.slots.resize(n), into.distances.resize(n); };
        const span<const Q> all(questions);
        dunlin_found c = dunlin_found_default();
        into.begins.assign(all.size() + 1, 0), c.begins = into.begins.data();
        do {
            c.room = std::max(std::size_t(c.count), into.ids.capacity());
            resize(0), resize(std::size_t(c.room)); // without a copy
            c.ids = into.ids.data(), c.slots = into.slots.data(), c.distances = into.distances.data();
            call(function, species, all.data(), std::uint32_t(all.size()), &c);
        } while (c.count > c.room);
        resize(std::size_t(c.count));
    }
    void save(const std::string &path) { call(dunlin_world_save, path.c_str()); }
    void load(const std::string &path) { call(dunlin_world_load, path.c_str()); }
    /** Saves by a lambda of a span<const std::byte>, restores by one of a span<std::byte>, which throw if they cannot. */
    template <class F> void save_to(F sink) { pass(dunlin_world_save_to, sink); }
    template <class F> void restore_from(F source) { pass(dunlin_world_restore_from, source); }
    template <class W, class B, class F>
    void pass(dunlin_result (*function)(W *, bool (*)(void *, B *, std::size_t), void *, dunlin_error *), F &lambda) {
        using byte = std::conditional_t<std::is_const_v<B>, const std::byte, std::byte>;
        detail::state here;
        detail::callback<F &> context{here, lambda};
        const auto run = [](void *self, B *bytes, std::size_t count) {
            return detail::callback<F &>::run(self, span<byte>(static_cast<byte *>(bytes), count));
        };
        dunlin_error e;
        const dunlin_result result = function(get(), run, &context, &e);
        (here.has_thrown ? here : *inner).check(result, e);
    }
};
} // namespace dunlin
#endif
