/* SPDX-License-Identifier: MIT */
/* The only C++ file except a test of the public header. Running out of memory ends the program. */
#include "harness/microbench/gbench_shim.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

struct gbench_state {
    benchmark::State &google;
    bool is_void;
};

namespace {

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

int failures;

/* ---- one measurement -------------------------------------------------------------------------------------------------- */

bool renew(const gbench_benchmark &benchmark, gbench_state *state) {
    state->google.PauseTiming();
    if (!benchmark.renew(benchmark.user, state) || state->is_void) {
        gbench_fail(state, "renew failed without a reason");
        return false; /* a void measurement's clock must not be started again */
    }
    state->google.ResumeTiming();
    return true;
}

/* Without slices this is one call of run(). */
void time_run(const gbench_benchmark &benchmark, gbench_state *state) {
    const int64_t all = state->google.max_iterations;
    const int64_t slice = benchmark.slice > 0 ? std::min(benchmark.slice, all) : all;
    int64_t left = all;
    while (state->google.KeepRunningBatch(left > 0 ? std::min(slice, left) : 1)) {
        if (left < all && benchmark.renew && !renew(benchmark, state)) continue;
        benchmark.run(benchmark.user, std::min(slice, left));
        if (benchmark.seconds) state->google.SetIterationTime(benchmark.seconds(benchmark.user));
        left -= std::min(slice, left);
    }
}

void measure(benchmark::State &google, const gbench_benchmark &benchmark) {
    gbench_state state = {google, false};
    if (benchmark.setup && !benchmark.setup(benchmark.user, &state)) {
        gbench_fail(&state, "setup failed without a reason");
    } else if (!state.is_void) {
        time_run(benchmark, &state);
        if (!state.is_void && benchmark.report) benchmark.report(benchmark.user, &state);
    }
    if (benchmark.teardown) benchmark.teardown(benchmark.user);
}

/* ---- the command line ------------------------------------------------------------------------------------------------- */

const char *own_help;

void print_help() {
    std::cout << own_help << std::flush;
    benchmark::PrintDefaultHelp();
}

int run_all(const char *name) {
    failures = 0;
    const size_t found = benchmark::RunSpecifiedBenchmarks();
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0) {
        std::cerr << name << ": cannot write to standard output" << std::endl;
        return STATUS_FAILED;
    }
    return found == 0 ? STATUS_USAGE : failures > 0 ? STATUS_FAILED : STATUS_OK;
}

benchmark::TimeUnit unit_of(gbench_unit unit) {
    return unit == GBENCH_MILLISECONDS   ? benchmark::kMillisecond
           : unit == GBENCH_MICROSECONDS ? benchmark::kMicrosecond
                                         : benchmark::kNanosecond;
}

} // namespace

/* ---- for C ------------------------------------------------------------------------------------------------------------ */

void gbench_register(const gbench_benchmark *benchmark) {
    const auto *const bytes = static_cast<const unsigned char *>(benchmark->user);
    const auto copy = std::make_shared<std::vector<unsigned char>>(bytes, bytes + benchmark->user_bytes);
    gbench_benchmark kept = *benchmark;
    if (!copy->empty()) kept.user = copy->data();
    auto *const added =
        benchmark::RegisterBenchmark(benchmark->name, [kept, copy](benchmark::State &state) { measure(state, kept); });
    std::vector<std::string> names;
    std::vector<int64_t> values;
    for (int i = 0; i < GBENCH_MAX_ARGS && benchmark->args[i].name; i++) {
        names.emplace_back(benchmark->args[i].name);
        values.push_back(benchmark->args[i].value);
    }
    if (!names.empty()) added->ArgNames(names)->Args(values);
    added->Unit(unit_of(benchmark->unit));
    if (benchmark->real_time) added->UseRealTime();
    if (benchmark->seconds) added->UseManualTime();
}

void gbench_add_context(const char *key, const char *value) {
    benchmark::AddCustomContext(key, value);
}

int gbench_run(int argc, char **argv, const char *help) {
    own_help = help;
    benchmark::Initialize(&argc, argv, print_help);
    const int status = benchmark::ReportUnrecognizedArguments(argc, argv) ? STATUS_USAGE : run_all(argv[0]);
    benchmark::Shutdown();
    benchmark::ClearRegisteredBenchmarks();
    return status;
}

int64_t gbench_iterations(const gbench_state *state) {
    return state->google.iterations();
}

/* The library keeps the first reason. */
void gbench_fail(gbench_state *state, const char *message) {
    if (!state->is_void) failures++;
    gbench_skip(state, message);
}

void gbench_skip(gbench_state *state, const char *message) {
    state->is_void = true;
    state->google.SkipWithError(message);
}

void gbench_items(gbench_state *state, double items) {
    gbench_counter(state, "items_per_second", items, GBENCH_RATE);
}

void gbench_bytes(gbench_state *state, double bytes) {
    state->google.counters["bytes_per_second"] =
        benchmark::Counter(bytes, benchmark::Counter::kIsRate, benchmark::Counter::kIs1024);
}

void gbench_counter(gbench_state *state, const char *name, double value, gbench_kind kind) {
    static const benchmark::Counter::Flags flags[] = {benchmark::Counter::kDefaults, benchmark::Counter::kIsRate,
                                                      benchmark::Counter::kIsRate | benchmark::Counter::kInvert,
                                                      benchmark::Counter::kAvgIterations};
    state->google.counters[name] = benchmark::Counter(value, flags[kind]);
}
