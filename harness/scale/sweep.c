/* SPDX-License-Identifier: MIT */
#include "harness/scale/sweep.h"
#include "harness/measure/baseline.h"
#include "harness/report/numbers.h"

#include <math.h>
#include <string.h>

#define TRAFFIC_FIGURES FIGURE_TRAFFIC, FIGURE_MESSAGES, FIGURE_HALO, FIGURE_IMBALANCE, FIGURE_EXCHANGE

const sweep_def sweeps[SWEEPS] = {
    [SWEEP_STRONG] = {"strong",
                      "Strong scaling",
                      "The same flock with more and more threads.",
                      {FIGURE_THREADS, FIGURE_SPEED, FIGURE_FRAME, FIGURE_SPEED_UP, FIGURE_EFFICIENCY, FIGURE_SERIAL_FRACTION}},
    [SWEEP_WEAK] = {"weak",
                    "Weak scaling",
                    "The same number of agents per thread with more and more threads.",
                    {FIGURE_THREADS, FIGURE_AGENTS, FIGURE_SPEED, FIGURE_FRAME, FIGURE_EFFICIENCY}},
    [SWEEP_DENSITY] = {"density",
                       "Density",
                       "The same number of agents with more and more neighbours.",
                       {FIGURE_NEIGHBOURS, FIGURE_SPEED, FIGURE_TESTED, FIGURE_USEFUL, FIGURE_PAIR}},
    [SWEEP_KERNELS] =
        {"kernels",
         "Kernels",
         "Every kernel that runs here, and baselines: what a good programmer writes in an afternoon, and what someone "
         "who knows SIMD does.",
         {FIGURE_KERNEL, FIGURE_THREADS, FIGURE_SPEED, FIGURE_FRAME, FIGURE_TIMES_AOS, FIGURE_TIMES_SIMD}},
    [SWEEP_DISTRIBUTION] = {"distribution",
                            "Distribution",
                            "Clumped and flocked agents, each beside uniform agents with as many neighbours.",
                            {FIGURE_DISTRIBUTION, FIGURE_NEIGHBOURS, FIGURE_SPEED, FIGURE_USEFUL, FIGURE_PAIR,
                             FIGURE_TIMES_UNIFORM}},
    [SWEEP_SIZE] = {"size",
                    "Size",
                    "More and more agents, with all threads.",
                    {FIGURE_AGENTS, FIGURE_SPEED, FIGURE_FRAME, FIGURE_AGENT, FIGURE_BYTES}},
    [SWEEP_RANKS_STRONG] = {"strong",
                            "Strong scaling",
                            "The same flock with more and more ranks.",
                            {FIGURE_RANKS, FIGURE_THREADS, FIGURE_FRAME, FIGURE_SPEED, FIGURE_SPEED_UP, FIGURE_EFFICIENCY,
                             TRAFFIC_FIGURES}},
    [SWEEP_RANKS_WEAK] = {"weak",
                          "Weak scaling",
                          "The same number of agents per rank with more and more ranks.",
                          {FIGURE_RANKS, FIGURE_THREADS, FIGURE_AGENTS, FIGURE_FRAME, FIGURE_SPEED, FIGURE_EFFICIENCY,
                           TRAFFIC_FIGURES}},
    [SWEEP_RANKS_SPLIT] =
        {"split",
         "Ranks or threads",
         "The same flock on the same cores: one rank with all threads, and more ranks with fewer threads each.",
         {FIGURE_RANKS, FIGURE_THREADS, FIGURE_FRAME, FIGURE_SPEED, FIGURE_SPEED_UP, TRAFFIC_FIGURES}},
};

bool sweeps_are(bool of_ranks, sweep_kind sweep) {
    return of_ranks == (sweep >= SWEEP_RANKS_STRONG);
}

int sweeps_count(bool of_ranks) {
    return of_ranks ? SWEEPS - SWEEP_RANKS_STRONG : SWEEP_RANKS_STRONG;
}

/* ---- figures ---------------------------------------------------------------------------------------------------------- */

/* How tables show them, and their names in JSON. */
static const json_column figures[FIGURES] = {
    [FIGURE_KERNEL] = {"kernel", "kernel", SHOWN_TEXT, 0.0},
    [FIGURE_DISTRIBUTION] = {"distribution", "distribution", SHOWN_TEXT, 0.0},
    [FIGURE_RANKS] = {"ranks", "ranks", SHOWN_COUNT, 0.0},
    [FIGURE_THREADS] = {"threads", "threads", SHOWN_COUNT, 0.0},
    [FIGURE_AGENTS] = {"agents", "agents", SHOWN_COUNT, 0.0},
    [FIGURE_NEIGHBOURS] = {"neighbours", "neighbours_found", SHOWN_NUMBER, 0.0},
    [FIGURE_SPEED] = {"million agent-updates/s", "agent_updates_per_second", SHOWN_NUMBER, 1e-6},
    [FIGURE_FRAME] = {"ms per frame", "ms_frame", SHOWN_NUMBER, 0.0},
    [FIGURE_SPEED_UP] = {"speed-up", "speed_up", SHOWN_NUMBER, 0.0},
    [FIGURE_EFFICIENCY] = {"efficiency", "efficiency", SHOWN_PERCENT, 0.0},
    [FIGURE_SERIAL_FRACTION] = {"serial fraction", "serial_fraction", SHOWN_SMALL_PERCENT, 0.0},
    [FIGURE_TESTED] = {"tested per agent", "pairs_tested_per_agent", SHOWN_NUMBER, 0.0},
    [FIGURE_USEFUL] = {"useful", "pairs_useful_per_pair_tested", SHOWN_PERCENT, 0.0},
    [FIGURE_PAIR] = {"ns per useful pair", "thread_ns_per_useful_pair", SHOWN_NUMBER, 0.0},
    [FIGURE_AGENT] = {"thread ns per agent", "thread_ns_per_agent", SHOWN_NUMBER, 0.0},
    [FIGURE_BYTES] = {"bytes per agent", "bytes_per_agent", SHOWN_NUMBER, 0.0},
    [FIGURE_TIMES_AOS] = {"times baseline-aos", "times_baseline_aos", SHOWN_NUMBER, 0.0},
    [FIGURE_TIMES_SIMD] = {"times baseline-simd", "times_baseline_simd", SHOWN_NUMBER, 0.0},
    [FIGURE_TIMES_UNIFORM] = {"times uniform", "times_uniform", SHOWN_NUMBER, 0.0},
    [FIGURE_TRAFFIC] = {"MB per step", "bytes_per_step", SHOWN_NUMBER, 1e-6},
    [FIGURE_MESSAGES] = {"messages per step", "messages_per_step", SHOWN_NUMBER, 0.0},
    [FIGURE_HALO] = {"halo agents", "halo_agents", SHOWN_COUNT, 0.0},
    [FIGURE_IMBALANCE] = {"imbalance", "imbalance", SHOWN_NUMBER, 0.0},
    [FIGURE_EXCHANGE] = {"exchange", "exchange_share", SHOWN_PERCENT, 0.0},
};

double speed_ratio(const frame_row *row, const frame_row *reference) {
    return row->agent_updates_per_second / reference->agent_updates_per_second;
}

static double ratio_or_nan(const frame_row *row, const frame_row *reference) {
    return reference ? speed_ratio(row, reference) : (double)NAN;
}

/*
 * Of one thread's time (Karp, Flatt: Measuring parallel processor performance, 1990): (1/s - 1/p) / (1 - 1/p) for a speed-up of
 * s with p threads. Everything that slows threads down counts: waiting, memory, the clock.
 */
static double serial_fraction(double speed_up, double threads) {
    return threads > 1.0 ? (1.0 / speed_up - 1.0 / threads) / (1.0 - 1.0 / threads) : (double)NAN;
}

/* What an agent or a pair costs, of which the row has so many per second. */
static double thread_ns(const frame_row *row, double per_second) {
    return per_second > 0.0 ? 1e9 * row->threads / per_second : (double)NAN;
}

static double times_uniform(const sweep_rows *rows, int i) {
    if (i % 2 != 0 || i + 1 >= rows->count) return (double)NAN;
    return figure_of(rows, i, FIGURE_PAIR) / figure_of(rows, i + 1, FIGURE_PAIR);
}

static double all_threads(const frame_row *row) {
    return (double)row->threads * (row->ranks > 0 ? row->ranks : 1);
}

double figure_of(const sweep_rows *rows, int i, figure which) {
    const frame_row *row = &rows->row[i], *one = &rows->row[0];
    double threads = all_threads(row) / all_threads(one), million = 1e-6 * row->agent_updates_per_second;
    const double of[FIGURES] = {
        [FIGURE_RANKS] = row->ranks,
        [FIGURE_THREADS] = row->threads,
        [FIGURE_AGENTS] = row->workload.agents,
        [FIGURE_NEIGHBOURS] = row->neighbours_found,
        [FIGURE_SPEED] = million,
        [FIGURE_SPEED_PER_THREAD] = million / row->threads,
        [FIGURE_FRAME] = row->ms.frame,
        [FIGURE_SPEED_UP] = speed_ratio(row, one),
        [FIGURE_EFFICIENCY] = speed_ratio(row, one) / threads,
        [FIGURE_SERIAL_FRACTION] = serial_fraction(speed_ratio(row, one), threads),
        [FIGURE_TESTED] = row->pairs_tested_per_agent,
        [FIGURE_USEFUL] = row->pairs_useful_per_second / row->pairs_tested_per_second,
        [FIGURE_PAIR] = thread_ns(row, row->pairs_useful_per_second),
        [FIGURE_AGENT] = thread_ns(row, row->agent_updates_per_second),
        [FIGURE_BYTES] = row->bytes_per_agent,
        [FIGURE_TIMES_AOS] = ratio_or_nan(row, frame_rows_find(rows->row, rows->count, row, baseline_name(BASELINE_AOS))),
        [FIGURE_TIMES_SIMD] = ratio_or_nan(row, frame_rows_find_twin(rows->row, rows->count, row)),
        [FIGURE_TRAFFIC] = 1e-6 * row->traffic.bytes,
        [FIGURE_MESSAGES] = row->traffic.messages,
        [FIGURE_HALO] = row->traffic.halo,
        [FIGURE_IMBALANCE] = row->ranks > 1 ? row->traffic.imbalance : (double)NAN,
        [FIGURE_EXCHANGE] = row->traffic.ms_exchange / row->ms.frame,
    };
    return which == FIGURE_TIMES_UNIFORM ? times_uniform(rows, i) : of[which];
}

const char *figure_text(const frame_row *row, figure which) {
    return which == FIGURE_KERNEL ? row->kernel : bench_distribution_name(row->workload.distribution);
}

static bool has_column(sweep_kind sweep, figure which) {
    for (int i = 0; i < SWEEP_COLUMNS; i++) {
        if (sweeps[sweep].columns[i] == which) return true;
    }
    return false;
}

void sweep_describe(FILE *file, sweep_kind sweep, const frame_row *row) {
    char agents[NUMBER_LENGTH];
    const char *per = sweep == SWEEP_WEAK ? " per thread" : sweep == SWEEP_RANKS_WEAK ? " per rank" : "";
    const unsigned parts = sweep == SWEEP_WEAK ? (unsigned)row->threads : sweep == SWEEP_RANKS_WEAK ? row->ranks : 1u;
    number_group(row->workload.agents / parts, agents);
    if (!has_column(sweep, FIGURE_KERNEL)) fprintf(file, "%s, ", row->kernel);
    if (sweep != SWEEP_SIZE) fprintf(file, "%s agents%s, ", agents, per);
    if (!has_column(sweep, FIGURE_NEIGHBOURS)) fprintf(file, "%.3g neighbours, ", row->workload.neighbours);
    if (sweep == SWEEP_RANKS_STRONG || sweep == SWEEP_RANKS_WEAK)
        fprintf(file, "%d thread%s per rank, ", row->threads, row->threads > 1 ? "s" : "");
    if (!has_column(sweep, FIGURE_THREADS)) fprintf(file, "%d thread%s, ", row->threads, row->threads > 1 ? "s" : "");
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

/* Has what the row itself lacks. What there is no figure for is null. */
static json_t *row_json(sweep_kind sweep, const sweep_rows *rows, int i) {
    json_t *row = frame_rows_json_row(&rows->row[i]);
    int failures = json_object_set_new(row, "sweep", json_string(sweeps[sweep].name));
    for (const figure *column = sweeps[sweep].columns; *column != FIGURE_NONE; column++) {
        const char *name = figures[*column].name;
        const double value = figure_of(rows, i, *column);
        if (figures[*column].shown == SHOWN_TEXT || (!isnan(json_figure(row, name)) && !isnan(value))) continue;
        failures += json_object_set_new(row, name, isnan(value) ? json_null() : json_real(value));
    }
    if (failures == 0) return row;
    json_decref(row);
    return NULL;
}

table sweep_table(sweep_kind sweep, const sweep_rows *rows) {
    json_column columns[SWEEP_COLUMNS + 2] = {{0}}, *to = columns;
    json_t *list = json_array();
    for (const figure *column = sweeps[sweep].columns; *column != FIGURE_NONE; column++) {
        *to++ = figures[*column];
        if (*column == FIGURE_SPEED) *to++ = (json_column){"min .. max", "agent_updates_per_second", SHOWN_RANGE, 1e-6};
    }
    for (int i = 0; i < rows->count; i++) json_array_append_new(list, row_json(sweep, rows, i));
    table t = json_table(list, columns);
    json_decref(list);
    return t;
}

json_t *scale_results_json(const scale_results *results) {
    json_t *list = json_array();
    int failures = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            const sweep_rows *rows = &results->of[sweep][dimensions];
            for (int i = 0; i < rows->count; i++) failures += json_array_append_new(list, row_json((sweep_kind)sweep, rows, i));
        }
    }
    if (failures == 0) return list;
    json_decref(list);
    return NULL;
}
