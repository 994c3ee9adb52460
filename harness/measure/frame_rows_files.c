/* SPDX-License-Identifier: MIT */
#include "harness/measure/frame_rows.h"
#include "harness/report/csv.h"

#include <inttypes.h>

static json_t *stages_to_json(const stage_ms *ms) {
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "snapshot", ms->snapshot, "interact", ms->interact, "steer", ms->steer,
                     "integrate", ms->integrate, "frame", ms->frame);
}

/* A JSON number would lose bits. */
static json_t *hash_to_json(uint64_t hash) {
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return hash != 0 ? json_string(text) : json_null();
}

json_t *frame_rows_json_row(const frame_row *row) {
    const bench_workload *workload = &row->workload;
    return json_pack("{s:I, s:i, s:f, s:s, s:s, s:i, s:s, s:s, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:o}",
                     "agents", (json_int_t)workload->agents, "dimensions", workload->dimensions, "neighbours",
                     workload->neighbours, "distribution", bench_distribution_name(workload->distribution), "behaviours",
                     bench_addition_name(row->addition), "threads", row->threads, "kernel", row->kernel, "index", row->index,
                     "steps", row->steps, "repeats", row->repeats, "agent_updates_per_second", row->agent_updates_per_second,
                     "agent_updates_per_second_min", row->agent_updates_per_second_min, "agent_updates_per_second_max",
                     row->agent_updates_per_second_max, "pairs_tested_per_second", row->pairs_tested_per_second,
                     "pairs_useful_per_second", row->pairs_useful_per_second, "pairs_tested_per_agent",
                     row->pairs_tested_per_agent, "neighbours_found", row->neighbours_found, "ms", stages_to_json(&row->ms),
                     "bytes_per_agent", row->bytes_per_agent, "hash", hash_to_json(row->hash));
}

json_t *frame_rows_json(const frame_row *rows, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        if (rows[i].repeats > 0 && json_array_append_new(list, frame_rows_json_row(&rows[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* ---- CSV -------------------------------------------------------------------------------------------------------------- */

static const char header[] =
    "date,commit,compiler,flags,cpu,cores,os,pinning,kernel,index,threads,dimensions,agents,neighbours,distribution,steps,"
    "repeats,"
    "agent_updates_per_second,agent_updates_per_second_min,agent_updates_per_second_max,pairs_tested_per_second,"
    "pairs_useful_per_second,pairs_tested_per_agent,neighbours_found,ms_snapshot,ms_interact,ms_steer,ms_integrate,ms_frame,"
    "bytes_per_agent,hash\n";

dunlin_result frame_rows_check_csv(const char *path, dunlin_error *error) {
    return csv_check(path, header, error);
}

dunlin_result frame_rows_append_csv(const char *path, const machine *host, const frame_row *rows, int count,
                                    dunlin_error *error) {
    return json_append_csv(path, header, host, frame_rows_json(rows, count), error);
}
