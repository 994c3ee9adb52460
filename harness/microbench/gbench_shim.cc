/* SPDX-License-Identifier: MIT */
/* The only C++ file except a test of the public header. Running out of memory ends the program. */
#include "harness/microbench/gbench_shim.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <iostream>

struct gbench_state {
    benchmark::State &google;
    bool is_void;
};

namespace {

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

int failures;

/* ---- one measurement -------------------------------------------------------------------------------------------------- */

void measure(benchmark::State &google, const gbench_benchmark &benchmark) {
    gbench_state state = {google, false};
    if (benchmark.setup && !benchmark.setup(benchmark.user, &state)) {
        gbench_fail(&state, "setup failed without a reason");
    } else if (!state.is_void) {
        const int64_t iterations = google.max_iterations;
        while (google.KeepRunningBatch(iterations)) benchmark.run(benchmark.user, iterations);
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

} // namespace

/* ---- for C ------------------------------------------------------------------------------------------------------------ */

void gbench_register(const gbench_benchmark *benchmark) {
    const gbench_benchmark kept = *benchmark;
    benchmark::RegisterBenchmark(benchmark->name, [kept](benchmark::State &state) { measure(state, kept); });
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
    state->is_void = true;
    state->google.SkipWithError(message);
}

void gbench_counter(gbench_state *state, const char *name, double value, gbench_kind kind) {
    static const benchmark::Counter::Flags flags[] = {benchmark::Counter::kDefaults, benchmark::Counter::kIsRate,
                                                      benchmark::Counter::kIsRate | benchmark::Counter::kInvert};
    state->google.counters[name] = benchmark::Counter(value, flags[kind]);
}
