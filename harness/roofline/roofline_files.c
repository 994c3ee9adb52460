/* SPDX-License-Identifier: MIT */
/* JSON and CSV. */
#include "harness/measure/frame_rows.h"
#include "harness/report/csv.h"
#include "harness/roofline/roofline.h"

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

/* What was not measured is null. */
static json_t *positive(double value) {
    return value > 0.0 ? json_real(value) : json_null();
}

static json_t *rate_to_json(const char *name, const ceiling *rate) {
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", name, "per_second", positive(rate->best), "per_second_median",
                     positive(rate->median), "per_second_min", positive(rate->min), "per_cycle", positive(rate->per_cycle));
}

static json_t *width_to_json(const width_ceilings *width) {
    json_t *rates = json_array();
    for (int kind = LOOP_CLOCK + 1; kind < LOOP_KINDS && !width->missing; kind++) {
        json_array_append_new(rates, rate_to_json(ceilings_kind_name((loop_kind)kind), &width->kinds[kind]));
    }
    return json_pack("{s:s, s:i, s:s?, s:o, s:o}", "kernel", width->kernel, "lanes", width->lanes, "missing", width->missing,
                     "clock_hz", positive(width->clock), "operations", rates);
}

static json_t *level_to_json(const level_bandwidth *level) {
    const ceiling *kinds = level->kinds;
    return json_pack("{s:s, s:i, s:I, s:s?, s:o, s:o, s:o, s:o}", "level", level->name, "threads", level->threads, "bytes",
                     (json_int_t)level->bytes, "missing", level->missing, "read", positive(kinds[BANDWIDTH_READ].best), "write",
                     positive(kinds[BANDWIDTH_WRITE].best), "copy", positive(kinds[BANDWIDTH_COPY].best), "copy_past_caches",
                     positive(kinds[BANDWIDTH_STREAM].best));
}

static json_t *counts_to_json(const instruction_counts *counts) {
    json_t *object = json_object();
    for (int i = 0; i < INSTRUCTIONS; i++) {
        json_object_set_new(object, counting_instruction_name((instruction)i), json_real(counts->of[i]));
    }
    return object;
}

static json_t *stage_to_json(const roofline_row *row, stage s) {
    const stage_bound *b = &row->stages[s];
    char binds[64];
    roofline_binds(row, s, binds);
    json_t *needs = json_object();
    for (int i = 0; i < RESOURCES && s != STAGE_FRAME; i++) {
        json_object_set_new(needs, model_resource_name((resource)i), json_real(1e9 * b->seconds[i]));
    }
    return json_pack("{s:o, s:f, s:o, s:s, s:f, s:o, s:o}", "bound_ns", positive(1e9 * b->bound), "achieved_ns",
                     1e9 * roofline_achieved(row, s), "achieved_over_bound", positive(roofline_share(row, s)), "binds", binds,
                     "bytes", b->bytes, "instructions", counts_to_json(&b->instructions), "resource_ns", needs);
}

static json_t *row_to_json(const roofline_row *row) {
    json_t *stages = json_object();
    for (int s = 0; s < STAGES; s++) json_object_set_new(stages, model_stage_name((stage)s), stage_to_json(row, (stage)s));
    const kernel_counts *counts = &row->input.counts;
    return json_pack("{s:o, s:f, s:f, s:f, s:{s:o, s:o, s:o, s:o}, s:o}", "measured", frame_rows_json_row(&row->measured),
                     "groups_per_agent", counts->groups_per_agent, "candidates_per_agent", counts->candidates_per_agent,
                     "cells_per_agent", counts->cells_per_agent, "counts", "interact_candidate",
                     counts_to_json(&counts->interact_candidate), "interact_group", counts_to_json(&counts->interact_group),
                     "steer_group", counts_to_json(&counts->steer_group), "integrate_group",
                     counts_to_json(&counts->integrate_group), "stages", stages);
}

static json_t *document(const roofline *r) {
    json_t *widths = json_array(), *levels = json_array(), *rows = json_array();
    for (int i = 0; i < r->width_count; i++) json_array_append_new(widths, width_to_json(&r->widths[i]));
    for (int i = 0; i < r->level_count; i++) json_array_append_new(levels, level_to_json(&r->levels[i]));
    for (int i = 0; i < r->row_count; i++) json_array_append_new(rows, row_to_json(&r->rows[i]));
    return json_pack("{s:o, s:o, s:o, s:o}", "machine", json_of_machine(&r->host), "ceilings", widths, "bandwidth", levels,
                     "rows", rows);
}

dunlin_result roofline_write_json(output_file *file, const roofline *r, dunlin_error *error) {
    return json_write(file, document(r), error);
}

/* ---- CSV -------------------------------------------------------------------------------------------------------------- */

static const char header[] =
    "date,commit,compiler,flags,cpu,pinning,kernel,threads,dimensions,agents,neighbours,stage,bound_ns,"
    "achieved_ns,achieved_over_bound,bytes,vector_instructions,binds\n";

dunlin_result roofline_check_csv(const char *path, dunlin_error *error) {
    return csv_check(path, header, error);
}

static json_t *stage_row(const roofline_row *row, stage s) {
    json_t *object = stage_to_json(row, s), *measured = frame_rows_json_row(&row->measured);
    json_object_update_missing(object, measured);
    json_decref(measured);
    json_object_set_new(object, "stage", json_string(model_stage_name(s)));
    json_object_set_new(object, "vector_instructions",
                        json_real(model_operations(&row->stages[s].instructions, RESOURCE_VECTOR)));
    return object;
}

dunlin_result roofline_append_csv(const char *path, const roofline *r, dunlin_error *error) {
    json_t *rows = json_array();
    for (int i = 0; i < r->row_count; i++)
        for (int s = 0; s < STAGES; s++) json_array_append_new(rows, stage_row(&r->rows[i], (stage)s));
    return json_append_csv(path, header, &r->host, rows, error);
}
