/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/measure/frame_rows.h"

#include <inttypes.h>

enum { DIGITS = 10 }; /* of a number: more than any clock is precise */

static json_t *caches_to_json(const machine *host) {
    json_t *caches = json_array();
    for (int i = 0; i < host->cache_count; i++) {
        const machine_cache *cache = &host->caches[i];
        json_array_append_new(caches, json_pack("{s:i, s:I, s:i}", "level", cache->level, "bytes", (json_int_t)cache->bytes,
                                                "shared_by", cache->shared_by));
    }
    return caches;
}

json_t *frame_rows_json_machine(const machine *host) {
    return json_pack("{s:s, s:i, s:i, s:o, s:i, s:I, s:s, s:s, s:s, s:s, s:s, s:s}", "cpu", host->cpu, "cores", host->cores,
                     "threads", host->threads, "caches", caches_to_json(host), "numa_nodes", host->numa_nodes, "memory_bytes",
                     (json_int_t)host->memory_bytes, "os", host->os, "compiler", host->compiler, "flags", host->flags, "commit",
                     host->commit, "date", host->date, "pinning", host->pinning);
}

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

dunlin_result json_write(output_file *file, json_t *json, dunlin_error *error) {
    if (!file->stream) {
        json_decref(json);
        return DUNLIN_OK;
    }
    bool is_written = json && json_dumpf(json, file->stream, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) == 0;
    json_decref(json);
    if (!is_written && !ferror(file->stream)) return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for JSON");
    fputc('\n', file->stream);
    return output_file_finish(file, error);
}

dunlin_result frame_rows_write_json(output_file *file, const machine *host, json_t *rows, dunlin_error *error) {
    return json_write(file, json_pack("{s:o, s:o}", "machine", frame_rows_json_machine(host), "rows", rows), error);
}
