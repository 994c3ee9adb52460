/* SPDX-License-Identifier: MIT */
/* The only C++ file except a test of the public header. No exception leaves it: what C calls returns a value or makes the
 * measurement void. */
#include "harness/microbench/gbench_shim.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <sstream>
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

void make_void(gbench_state *state, const char *message) noexcept {
    state->is_void = true;
    try {
        /* The library keeps the first reason. */
        state->google.SkipWithError(message);
    } catch (...) {
        std::fputs("no memory for the message of a benchmark that failed\n", stderr);
    }
}

/* Calls a function that may run out of memory. */
template <class Function> void guarded(gbench_state *state, Function function) noexcept {
    try {
        function();
    } catch (const std::exception &exception) {
        gbench_fail(state, exception.what());
    }
}

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

/* ---- what is printed -------------------------------------------------------------------------------------------------- */

/* The reporter that --benchmark_format asks for, with one line of its preamble replaced. */
class explaining_reporter : public benchmark::BenchmarkReporter {
  public:
    explaining_reporter(BenchmarkReporter &reporter, const char *debug_note) : reporter_(reporter), debug_note_(debug_note) {}

    bool ReportContext(const Context &context) override {
        std::ostringstream preamble;
        reporter_.SetErrorStream(&preamble);
        const bool proceed = reporter_.ReportContext(context);
        reporter_.SetErrorStream(&GetErrorStream());
        print_explained(preamble.str());
        return proceed;
    }
    void ReportRuns(const std::vector<Run> &runs) override {
        reporter_.ReportRuns(runs);
    }
    void Finalize() override {
        reporter_.Finalize();
    }

  private:
    void print_explained(const std::string &preamble) {
        std::istringstream lines(preamble);
        for (std::string line; std::getline(lines, line);) {
            const bool warns = line.find("WARNING*** Library was built as DEBUG") != std::string::npos;
            GetErrorStream() << (warns && debug_note_ ? debug_note_ : line) << "\n";
        }
        GetErrorStream().flush();
    }

    BenchmarkReporter &reporter_;
    const char *debug_note_;
};

/* ---- the command line ------------------------------------------------------------------------------------------------- */

/* The library calls this and then ends the program with 0: after --help, but also after an invalid value. */
struct help_wanted {};

void want_help() {
    throw help_wanted();
}

bool help_is_asked_for(int argc, char **argv) {
    return std::any_of(argv + 1, argv + argc,
                       [](const char *word) { return std::strcmp(word, "--help") == 0 || std::strcmp(word, "-h") == 0; });
}

int fail_usage(const gbench_program &program, const std::string &problem) {
    std::cerr << program.name << ": " << problem << "; see " << program.name << " --help" << std::endl;
    return STATUS_USAGE;
}

int print_help(const gbench_program &program) {
    std::cout << program.help << std::flush;
    benchmark::PrintDefaultHelp();
    return STATUS_OK;
}

std::string explain_unknown(const std::string &word) {
    const bool lacks_value = word.compare(0, 12, "--benchmark_") == 0 && word.find('=') == std::string::npos;
    return lacks_value ? word + " is unknown, or lacks its =VALUE" : "unknown option " + word;
}

/* The library's message about an invalid value, as one line. */
std::string first_line(const std::string &text) {
    std::string line = text.substr(0, text.find('\n'));
    while (!line.empty() && line.back() == '.') line.pop_back();
    return line;
}

/* Reads the flags; false: there is nothing to run, and *status says why. */
bool read_flags(int argc, char **argv, const gbench_program &program, int *status) {
    const bool asked = argc > 0 && help_is_asked_for(argc, argv);
    std::ostringstream said;
    std::streambuf *const terminal = std::cerr.rdbuf(said.rdbuf());
    bool understood = true;
    try {
        benchmark::Initialize(&argc, argv, want_help);
    } catch (const help_wanted &) {
        understood = false;
    }
    std::cerr.rdbuf(terminal);
    if (asked)
        *status = print_help(program);
    else if (!said.str().empty())
        *status = fail_usage(program, first_line(said.str()));
    else if (!understood)
        *status = fail_usage(program, "a format must be console, json or csv");
    else if (argc > 1)
        *status = fail_usage(program, explain_unknown(argv[1]));
    else
        return true;
    return false;
}

int run_all(const gbench_program &program) {
    /* The library keeps this one. */
    explaining_reporter reporter(*benchmark::CreateDefaultDisplayReporter(), program.debug_note);
    failures = 0;
    const size_t found = benchmark::RunSpecifiedBenchmarks(&reporter);
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0) {
        std::cerr << program.name << ": cannot write to standard output" << std::endl;
        return STATUS_FAILED;
    }
    return found == 0 ? STATUS_USAGE : failures > 0 ? STATUS_FAILED : STATUS_OK;
}

benchmark::TimeUnit unit_of(gbench_unit unit) {
    return unit == GBENCH_MILLISECONDS   ? benchmark::kMillisecond
           : unit == GBENCH_MICROSECONDS ? benchmark::kMicrosecond
                                         : benchmark::kNanosecond;
}

void add(const gbench_benchmark &benchmark) {
    const auto *const bytes = static_cast<const unsigned char *>(benchmark.user);
    const auto copy = std::make_shared<std::vector<unsigned char>>(bytes, bytes + benchmark.user_bytes);
    gbench_benchmark kept = benchmark;
    if (!copy->empty()) kept.user = copy->data();
    auto *const added =
        benchmark::RegisterBenchmark(benchmark.name, [kept, copy](benchmark::State &state) { measure(state, kept); });
    std::vector<std::string> names;
    std::vector<int64_t> values;
    for (int i = 0; i < GBENCH_MAX_ARGS && benchmark.args[i].name; i++) {
        names.emplace_back(benchmark.args[i].name);
        values.push_back(benchmark.args[i].value);
    }
    if (!names.empty()) added->ArgNames(names)->Args(values);
    added->Unit(unit_of(benchmark.unit));
    if (benchmark.real_time) added->UseRealTime();
    if (benchmark.seconds) added->UseManualTime();
}

} // namespace

/* ---- for C ------------------------------------------------------------------------------------------------------------ */

bool gbench_register(const gbench_benchmark *benchmark) {
    try {
        add(*benchmark);
        return true;
    } catch (const std::exception &) {
        return false;
    }
}

bool gbench_add_context(const char *key, const char *value) {
    try {
        benchmark::AddCustomContext(key, value);
        return true;
    } catch (const std::exception &) {
        return false;
    }
}

int gbench_run(int argc, char **argv, const gbench_program *program) {
    int status = STATUS_FAILED;
    try {
        if (read_flags(argc, argv, *program, &status)) status = run_all(*program);
        benchmark::Shutdown();
        benchmark::ClearRegisteredBenchmarks();
    } catch (const std::exception &exception) {
        std::fprintf(stderr, "%s: %s\n", program->name, exception.what());
    }
    return status;
}

int64_t gbench_iterations(const gbench_state *state) {
    return state->google.iterations();
}

void gbench_fail(gbench_state *state, const char *message) {
    if (!state->is_void) failures++;
    make_void(state, message);
}

void gbench_skip(gbench_state *state, const char *message) {
    make_void(state, message);
}

void gbench_items(gbench_state *state, double items) {
    gbench_counter(state, "items_per_second", items, GBENCH_RATE);
}

void gbench_bytes(gbench_state *state, double bytes) {
    guarded(state, [=] {
        state->google.counters["bytes_per_second"] =
            benchmark::Counter(bytes, benchmark::Counter::kIsRate, benchmark::Counter::kIs1024);
    });
}

void gbench_counter(gbench_state *state, const char *name, double value, gbench_kind kind) {
    static const benchmark::Counter::Flags flags[] = {benchmark::Counter::kDefaults, benchmark::Counter::kIsRate,
                                                      benchmark::Counter::kIsRate | benchmark::Counter::kInvert,
                                                      benchmark::Counter::kAvgIterations};
    guarded(state, [=] { state->google.counters[name] = benchmark::Counter(value, flags[kind]); });
}
