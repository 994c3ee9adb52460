/* SPDX-License-Identifier: MIT */
#include "harness/report/numbers.h"
#include "harness/scale/scale.h"

#include <math.h>
#include <string.h>

/* ---- columns ---------------------------------------------------------------------------------------------------------- */

#define KERNEL                                                                                                                 \
    { "kernel", "kernel", SHOWN_TEXT, 0.0 }
#define DISTRIBUTION                                                                                                           \
    { "distribution", "distribution", SHOWN_TEXT, 0.0 }
#define RANKS                                                                                                                  \
    { "ranks", "ranks", SHOWN_COUNT, 0.0 }
#define THREADS                                                                                                                \
    { "threads", "threads", SHOWN_COUNT, 0.0 }
#define AGENTS                                                                                                                 \
    { "agents", "agents", SHOWN_COUNT, 0.0 }
#define NEIGHBOURS                                                                                                             \
    { "neighbours", "neighbours_found", SHOWN_NUMBER, 0.0 }
#define SPEED                                                                                                                  \
    {"million agent-updates/s", "agent_updates_per_second", SHOWN_NUMBER, 1e-6}, {                                             \
        "min .. max", "agent_updates_per_second", SHOWN_RANGE, 1e-6                                                            \
    }
#define FRAME                                                                                                                  \
    { "ms per frame", "ms_frame", SHOWN_NUMBER, 0.0 }
#define SPEED_UP                                                                                                               \
    { "speed-up", "speed_up", SHOWN_NUMBER, 0.0 }
#define EFFICIENCY                                                                                                             \
    { "efficiency", "efficiency", SHOWN_PERCENT, 0.0 }
#define SERIAL                                                                                                                 \
    { "serial fraction", "serial_fraction", SHOWN_SMALL_PERCENT, 0.0 }
#define TESTED                                                                                                                 \
    { "tested per agent", "pairs_tested_per_agent", SHOWN_NUMBER, 0.0 }
#define USEFUL                                                                                                                 \
    { "useful", "pairs_useful_per_pair_tested", SHOWN_PERCENT, 0.0 }
#define PAIR                                                                                                                   \
    { "ns per useful pair", "thread_ns_per_useful_pair", SHOWN_NUMBER, 0.0 }
#define AGENT                                                                                                                  \
    { "thread ns per agent", "thread_ns_per_agent", SHOWN_NUMBER, 0.0 }
#define BYTES                                                                                                                  \
    { "bytes per agent", "bytes_per_agent", SHOWN_NUMBER, 0.0 }
#define TIMES                                                                                                                  \
    {"times baseline-aos", "times_baseline_aos", SHOWN_NUMBER, 0.0}, {                                                         \
        "times baseline-simd", "times_baseline_simd", SHOWN_NUMBER, 0.0                                                        \
    }
#define TRAFFIC                                                                                                                \
    {"MB per step", "bytes_per_step", SHOWN_NUMBER, 1e-6}, {"messages per step", "messages_per_step", SHOWN_NUMBER, 0.0},      \
        {"halo agents", "halo_agents", SHOWN_COUNT, 0.0}, {"imbalance", "imbalance", SHOWN_NUMBER, 0.0}, {                     \
        "exchange", "exchange_share", SHOWN_PERCENT, 0.0                                                                       \
    }

const sweep_def sweeps[SWEEPS] = {
    [SWEEP_STRONG] = {"strong",
                      "Strong scaling",
                      "The same flock with more and more threads.",
                      {THREADS, SPEED, FRAME, SPEED_UP, EFFICIENCY, SERIAL}},
    [SWEEP_WEAK] = {"weak",
                    "Weak scaling",
                    "The same number of agents per thread with more and more threads.",
                    {THREADS, AGENTS, SPEED, FRAME, EFFICIENCY}},
    [SWEEP_DENSITY] = {"density",
                       "Density",
                       "The same number of agents with more and more neighbours.",
                       {NEIGHBOURS, SPEED, TESTED, USEFUL, PAIR}},
    [SWEEP_KERNELS] = {"kernels",
                       "Kernels",
                       "Every kernel that runs here, and baselines: what a good programmer writes in an afternoon, and what "
                       "someone who knows SIMD does.",
                       {KERNEL, THREADS, SPEED, FRAME, TIMES}},
    [SWEEP_DISTRIBUTION] = {"distribution",
                            "Distribution",
                            "Clumped, uniform and flocked agents.",
                            {DISTRIBUTION, NEIGHBOURS, SPEED, USEFUL, PAIR}},
    [SWEEP_SIZE] = {"size", "Size", "More and more agents, with all threads.", {AGENTS, SPEED, FRAME, AGENT, BYTES}},
    [SWEEP_RANKS_STRONG] = {"strong",
                            "Strong scaling",
                            "The same flock with more and more ranks.",
                            {RANKS, THREADS, FRAME, SPEED, SPEED_UP, EFFICIENCY, TRAFFIC}},
    [SWEEP_RANKS_WEAK] = {"weak",
                          "Weak scaling",
                          "The same number of agents per rank with more and more ranks.",
                          {RANKS, THREADS, AGENTS, FRAME, SPEED, EFFICIENCY, TRAFFIC}},
    [SWEEP_RANKS_SPLIT] =
        {"split",
         "Ranks or threads",
         "The same flock on the same cores: one rank with all threads, and more ranks with fewer threads each.",
         {RANKS, THREADS, FRAME, SPEED, SPEED_UP, TRAFFIC}},
};

static bool has_column(sweep_kind sweep, const char *name) {
    const json_column *column = sweeps[sweep].columns;
    while (column->head && strcmp(column->name, name) != 0) column++;
    return column->head;
}

void sweep_describe(FILE *file, sweep_kind sweep, const frame_row *row) {
    char agents[NUMBER_LENGTH];
    const char *per = sweep == SWEEP_WEAK ? " per thread" : sweep == SWEEP_RANKS_WEAK ? " per rank" : "";
    const unsigned parts = sweep == SWEEP_WEAK ? (unsigned)row->threads : sweep == SWEEP_RANKS_WEAK ? row->ranks : 1u;
    number_group(row->workload.agents / parts, agents);
    if (!has_column(sweep, "kernel")) fprintf(file, "%s, ", row->kernel);
    if (sweep != SWEEP_SIZE) fprintf(file, "%s agents%s, ", agents, per);
    if (!has_column(sweep, "neighbours_found")) fprintf(file, "%.3g neighbours, ", row->workload.neighbours);
    if (sweep == SWEEP_RANKS_STRONG || sweep == SWEEP_RANKS_WEAK)
        fprintf(file, "%d thread%s per rank, ", row->threads, row->threads > 1 ? "s" : "");
    if (!has_column(sweep, "threads")) fprintf(file, "%d thread%s, ", row->threads, row->threads > 1 ? "s" : "");
}

/* ---- figures ---------------------------------------------------------------------------------------------------------- */

/*
 * Of one thread's time (Karp, Flatt: Measuring parallel processor performance, 1990): (1/s - 1/p) / (1 - 1/p) for a speed-up of
 * s with p threads. Everything that slows threads down counts: waiting, memory, the clock.
 */
static double serial_fraction(double speed_up, double threads) {
    return threads > 1.0 ? (1.0 / speed_up - 1.0 / threads) / (1.0 - 1.0 / threads) : 0.0;
}

/* What there is no figure for is null. */
static int set(json_t *json, const char *name, double value) {
    return json_object_set_new(json, name, value != 0.0 ? json_real(value) : json_null());
}

static double all_threads(const frame_row *row) {
    return (double)row->threads * (row->ranks > 0 ? row->ranks : 1);
}

static int add_figures(json_t *json, sweep_kind sweep, const frame_row *row, const frame_row *first) {
    const double speed = row->agent_updates_per_second, speed_up = speed / first->agent_updates_per_second;
    const double threads = all_threads(row) / all_threads(first), thread_ns = 1e9 * row->threads;
    int failures = json_object_set_new(json, "sweep", json_string(sweeps[sweep].name));
    failures += set(json, "speed_up", speed_up);
    failures += set(json, "efficiency", speed_up / threads);
    failures += set(json, "serial_fraction", serial_fraction(speed_up, threads));
    failures += set(json, "updates_per_second_per_thread", speed / row->threads);
    failures += set(json, "thread_ns_per_agent", thread_ns / speed);
    failures += set(json, "thread_ns_per_useful_pair",
                    row->pairs_useful_per_second > 0.0 ? thread_ns / row->pairs_useful_per_second : 0.0);
    if (row->ranks == 0) return failures;
    failures += set(json, "imbalance", row->ranks > 1 ? row->traffic.imbalance : 0.0);
    return failures + set(json, "exchange_share", row->traffic.ms_exchange / row->ms[STAGE_FRAME]);
}

json_t *sweep_json(sweep_kind sweep, const sweep_rows *rows) {
    json_t *list = frame_rows_json(rows->row, rows->count);
    int failures = list ? 0 : -1;
    for (int i = 0; i < rows->count && failures == 0; i++)
        failures = add_figures(json_array_get(list, (size_t)i), sweep, &rows->row[i], &rows->row[0]);
    if (failures == 0) return list;
    json_decref(list);
    return NULL;
}
