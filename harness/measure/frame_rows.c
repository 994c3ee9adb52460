/* SPDX-License-Identifier: MIT */
#include "harness/measure/frame_rows.h"
#include "harness/command/kernel_names.h"
#include "harness/report/csv.h"
#include "harness/report/numbers.h"
#include "harness/measure/baseline.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

static bool same_flock(const frame_row *a, const frame_row *b) {
    return bench_workload_equal(&a->workload, &b->workload) && a->addition == b->addition;
}

/* "(2 ranks of 1 thread)" */
static void describe_workers(const frame_row *row, char text[64]) {
    char ranks[32] = "";
    if (row->ranks > 0) snprintf(ranks, sizeof ranks, "%u rank%s of ", (unsigned)row->ranks, plural((int)row->ranks));
    snprintf(text, 64, "(%s%d thread%s)", ranks, row->threads, plural(row->threads));
}

/* The row of that kernel with the flock and threads of `row`, or NULL. */
static const frame_row *find_row(const frame_row *rows, int count, const frame_row *row, const char *kernel) {
    for (int i = 0; i < count; i++) {
        bool is_alike = same_flock(&rows[i], row) && rows[i].threads == row->threads;
        if (is_alike && rows[i].repeats > 0 && strcmp(rows[i].kernel, kernel) == 0) return &rows[i];
    }
    return NULL;
}

void frame_rows_print_title(FILE *file, const frame_row *row) {
    char agents[NUMBER_LENGTH];
    number_group(row->workload.agents, agents);
    fprintf(file, "%dD, %s agents, %g neighbours, %s, %d thread%s; medians of %d repeat%s of %d step%s\n\n",
            row->workload.dimensions, agents, row->workload.neighbours, bench_distribution_name(row->workload.distribution),
            row->threads, plural(row->threads), row->repeats, plural(row->repeats), row->steps, plural(row->steps));
}

const json_column frame_kernel_columns[] = {
    {"kernel", "kernel", SHOWN_TEXT, 0.0},
    {"million agent-updates/s", "agent_updates_per_second", SHOWN_NUMBER, 1e-6},
    {"min .. max", "agent_updates_per_second", SHOWN_RANGE, 1e-6},
    {"times baseline-aos", "times_baseline_aos", SHOWN_NUMBER, 0.0},
    {"times baseline-simd", "times_baseline_simd", SHOWN_NUMBER, 0.0},
    FRAME_COST_COLUMNS,
    {0},
};

void frame_rows_print(FILE *file, json_t *rows, const json_column *columns) {
    table t = json_table(rows, columns);
    table_print(file, &t);
    table_free(&t);
}

/* ---- bits ------------------------------------------------------------------------------------------------------------- */

static bool has_state(const frame_row *row) {
    return row->repeats > 0 && kernel_find(row->kernel).name;
}

/* Whether the two must have ended in the same state. */
static bool must_agree(const frame_row *a, const frame_row *b) {
    return has_state(a) && has_state(b) && same_flock(a, b) && a->steps == b->steps && strcmp(a->index, b->index) == 0;
}

bool frame_rows_agree(const frame_row *rows, int count, char *complaint, size_t size) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (!must_agree(&rows[i], &rows[j]) || rows[i].hash == rows[j].hash) continue;
            char first[64], second[64];
            describe_workers(&rows[j], first);
            describe_workers(&rows[i], second);
            snprintf(complaint, size,
                     "kernels differ: from the same start %s %s ends in state %016" PRIx64 ", %s %s in %016" PRIx64,
                     rows[j].kernel, first, rows[j].hash, rows[i].kernel, second, rows[i].hash);
            return false;
        }
    }
    return true;
}

const char *frame_verdict(const char *sign, double bound, double reached) {
    if (isnan(reached)) return "-";
    return (*sign == '>' ? reached >= bound : reached <= bound) ? "yes" : "no";
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

static json_t *stages_to_json(const double ms[STAGES]) {
    json_t *json = json_object();
    for (int i = 0; i < STAGES; i++) json_object_set_new(json, frame_stage_name((stage)i), json_real(ms[i]));
    return json;
}

/* A JSON number would lose bits. */
static json_t *hash_to_json(uint64_t hash) {
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return hash != 0 ? json_string(text) : json_null();
}

static json_t *useful_to_json(const frame_row *row) {
    const double tested = row->pairs_tested_per_second;
    return tested > 0.0 ? json_real(row->pairs_useful_per_second / tested) : json_null();
}

static json_t *alone_to_json(const frame_row *row) {
    const bench_workload *workload = &row->workload;
    return json_pack(
        "{s:I, s:i, s:f, s:s, s:s, s:i, s:s, s:s, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:f, s:o, s:f, s:o}", "agents",
        (json_int_t)workload->agents, "dimensions", workload->dimensions, "neighbours", workload->neighbours, "distribution",
        bench_distribution_name(workload->distribution), "behaviours", bench_addition_name(row->addition), "threads",
        row->threads, "kernel", row->kernel, "index", row->index, "steps", row->steps, "repeats", row->repeats,
        "agent_updates_per_second", row->agent_updates_per_second, "agent_updates_per_second_min",
        row->agent_updates_per_second_min, "agent_updates_per_second_max", row->agent_updates_per_second_max,
        "pairs_tested_per_second", row->pairs_tested_per_second, "pairs_useful_per_second", row->pairs_useful_per_second,
        "pairs_useful_per_pair_tested", useful_to_json(row), "pairs_tested_per_agent", row->pairs_tested_per_agent,
        "neighbours_found", row->neighbours_found, "ms", stages_to_json(row->ms), "bytes_per_agent", row->bytes_per_agent,
        "hash", hash_to_json(row->hash));
}

json_t *frame_rows_json_row(const frame_row *row) {
    const rank_traffic *traffic = &row->traffic;
    json_t *json = alone_to_json(row);
    if (!json || row->ranks == 0) return json;
    json_t *ranks =
        json_pack("{s:I, s:f, s:f, s:f, s:f}", "ranks", (json_int_t)row->ranks, "bytes_per_step", traffic->bytes,
                  "messages_per_step", traffic->messages, "halo_agents", traffic->halo, "imbalance", traffic->imbalance);
    int failures = ranks ? json_object_update(json, ranks) : 1;
    failures += json_object_set_new(json_object_get(json, "ms"), "exchange", json_real(traffic->ms_exchange));
    json_decref(ranks);
    if (failures == 0) return json;
    json_decref(json);
    return NULL;
}

static int set_ratio(json_t *json, const char *name, const frame_row *row, const frame_row *reference) {
    const double ratio = reference ? row->agent_updates_per_second / reference->agent_updates_per_second : 0.0;
    return json_object_set_new(json, name, reference ? json_real(ratio) : json_null());
}

json_t *frame_rows_json(const frame_row *rows, int count) {
    json_t *list = json_array();
    int failures = 0;
    for (const frame_row *row = rows; row < rows + count; row++) {
        if (row->repeats == 0) continue;
        json_t *json = frame_rows_json_row(row);
        const baseline_kind twin = baseline_find_twin(row->kernel);
        failures += set_ratio(json, "times_baseline_aos", row, find_row(rows, count, row, baseline_name(BASELINE_AOS)));
        failures += set_ratio(json, "times_baseline_simd", row,
                              twin < BASELINES ? find_row(rows, count, row, baseline_name(twin)) : NULL);
        failures += json_array_append_new(list, json);
    }
    if (failures == 0) return list;
    json_decref(list);
    return NULL;
}

/* ---- CSV -------------------------------------------------------------------------------------------------------------- */

#define HEADER                                                                                                                 \
    "date,commit,compiler,flags,cpu,cores,os,pinning,kernel,index,threads,dimensions,agents,neighbours,distribution,steps,"    \
    "repeats,"                                                                                                                 \
    "agent_updates_per_second,agent_updates_per_second_min,agent_updates_per_second_max,pairs_tested_per_second,"              \
    "pairs_useful_per_second,pairs_tested_per_agent,neighbours_found,ms_snapshot,ms_interact,ms_steer,ms_integrate,ms_frame,"  \
    "bytes_per_agent,hash"
static const char header[] = HEADER "\n";
static const char header_of_ranks[] = HEADER ",ranks,bytes_per_step,messages_per_step,halo_agents,imbalance,ms_exchange\n";

dunlin_result frame_rows_check_csv(const char *path, bool of_ranks, dunlin_error *error) {
    return csv_check(path, of_ranks ? header_of_ranks : header, error);
}

dunlin_result frame_rows_append_csv(const char *path, const machine *host, bool of_ranks, json_t *rows, dunlin_error *error) {
    return json_append_csv(path, of_ranks ? header_of_ranks : header, host, rows, error);
}
