/* SPDX-License-Identifier: MIT */
/* What was measured as JSON, of which tables, the report and CSV show parts. */
#include "harness/measure/frame_rows.h"
#include "harness/report/csv.h"
#include "harness/report/numbers.h"
#include "harness/roofline/roofline.h"

#include <math.h>

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
                     counts_to_json(&counts->interact_candidate), "interact_packet", counts_to_json(&counts->interact_packet),
                     "steer_packet", counts_to_json(&counts->steer_packet), "integrate_packet",
                     counts_to_json(&counts->integrate_packet), "stages", stages);
}

static json_t *levels_to_json(const roofline *r) {
    json_t *levels = json_array();
    for (int i = 0; i < r->level_count; i++) json_array_append_new(levels, level_to_json(&r->levels[i]));
    return levels;
}

static json_t *document(const roofline *r) {
    json_t *widths = json_array(), *rows = json_array();
    for (int i = 0; i < r->width_count; i++) json_array_append_new(widths, width_to_json(&r->widths[i]));
    for (int i = 0; i < r->row_count; i++) json_array_append_new(rows, row_to_json(&r->rows[i]));
    return json_pack("{s:o, s:o, s:o, s:o}", "machine", json_of_machine(&r->host), "ceilings", widths, "bandwidth",
                     levels_to_json(r), "rows", rows);
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

/* A row per kernel, dimensions and stage. */
static json_t *stage_rows(const roofline *r) {
    json_t *rows = json_array();
    for (int i = 0; i < r->row_count; i++)
        for (int s = 0; s < STAGES; s++) json_array_append_new(rows, stage_row(&r->rows[i], (stage)s));
    return rows;
}

dunlin_result roofline_append_csv(const char *path, const roofline *r, dunlin_error *error) {
    return json_append_csv(path, header, &r->host, stage_rows(r), error);
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

static void print_title(FILE *file, const char *title) {
    fprintf(file, "\n%s\n\n", title);
}

static void end_table(FILE *file, table t) {
    table_print(file, &t);
    table_free(&t);
}

static void print_rows(FILE *file, json_t *rows, const json_column *columns) {
    end_table(file, json_table(rows, columns));
    json_decref(rows);
}

/* "-" in tables if there is nothing. */
static double known(double value) {
    return value > 0.0 ? value : (double)NAN;
}

/* The kernels are the columns. LOOP_CLOCK: the lanes; LOOP_KINDS: the clock. */
static void put_widths(table *t, const roofline *r, const char *name, int kind) {
    table_begin_row(t);
    table_text(t, "", "%s", name);
    for (const width_ceilings *w = r->widths; w < r->widths + r->width_count; w++) {
        if (w->missing) continue;
        if (kind == LOOP_CLOCK)
            table_cell(t, w->kernel, "%d", w->lanes);
        else
            table_number(t, w->kernel, known(kind == LOOP_KINDS ? 1e-9 * w->clock : w->kinds[kind].per_cycle));
    }
}

/* A median of the clock far below its best means that something disturbed the measurement. */
static void print_disturbances(FILE *file, const roofline *r) {
    for (int i = 0; i < r->width_count; i++) {
        const width_ceilings *w = &r->widths[i];
        if (w->missing)
            fprintf(file, "%s: not measured: %s\n", w->kernel, w->missing);
        else if (w->clock_min < 0.97 * w->clock)
            fprintf(file, "%s: the machine was busy, or its clock was not steady: %.2f GHz at best, a median of %.2f\n",
                    w->kernel, 1e-9 * w->clock, 1e-9 * w->clock_min);
    }
}

static void print_ceilings(FILE *file, const roofline *r) {
    print_title(file, "Ceilings of one core: instructions per cycle");
    table t = {0};
    put_widths(&t, r, "numbers per instruction", LOOP_CLOCK);
    for (int kind = LOOP_CLOCK + 1; kind < LOOP_KINDS; kind++) put_widths(&t, r, ceilings_kind_name((loop_kind)kind), kind);
    put_widths(&t, r, "clock (GHz)", LOOP_KINDS);
    end_table(file, t);
    fprintf(file,
            "\nThe best of %d repeats; - means that the kernel has no such instruction. A cycle is the time of one integer "
            "add in a chain.\n",
            r->ceiling_repeats);
    print_disturbances(file, r);
}

static const json_column bandwidth_columns[] = {
    {"level", "level", SHOWN_TEXT, 0.0},
    {"threads", "threads", SHOWN_COUNT, 0.0},
    {"KiB used", "bytes", SHOWN_POSITIVE, 1.0 / 1024.0},
    {"read", "read", SHOWN_NUMBER, 1e-9},
    {"write", "write", SHOWN_NUMBER, 1e-9},
    {"copy", "copy", SHOWN_NUMBER, 1e-9},
    {"copy past the caches", "copy_past_caches", SHOWN_NUMBER, 1e-9},
    {0},
};

static void print_bandwidth(FILE *file, const roofline *r) {
    const level_bandwidth *end = r->levels + r->level_count;
    print_title(file, "Ceilings of caches and memory: GB/s, all threads together");
    print_rows(file, levels_to_json(r), bandwidth_columns);
    fputs("\nCopies count the bytes that they read and those that they write. Half of each cache is in use.\n", file);
    for (const level_bandwidth *level = r->levels; level < end; level++) {
        char what[64];
        snprintf(what, sizeof what, "%s with %d thread%s", level->name, level->threads, level->threads == 1 ? "" : "s");
        if (level->missing)
            fprintf(file, "%s: not measured: %s\n", what, level->missing);
        else if (level->processor_share < 0.8)
            fprintf(file, "%s: the machine was busy: each thread moved bytes for only %.0f %% of the best repeat\n", what,
                    100.0 * level->processor_share);
    }
}

static const json_column bound_columns[] = {
    {"dimensions", "dimensions", SHOWN_COUNT, 0.0},
    {"kernel", "kernel", SHOWN_TEXT, 0.0},
    {"stage", "stage", SHOWN_TEXT, 0.0},
    {"bound", "bound_ns", SHOWN_NUMBER, 0.0},
    {"took", "achieved_ns", SHOWN_NUMBER, 0.0},
    {"reached", "achieved_over_bound", SHOWN_PERCENT, 0.0},
    {"limited by", "binds", SHOWN_TEXT, 0.0},
    {0},
};

static void print_bounds(FILE *file, const roofline *r) {
    char agents[NUMBER_LENGTH];
    print_title(file, "How much of the bound is reached: ns per agent and frame");
    print_rows(file, stage_rows(r), bound_columns);
    number_group(r->plan.agents, agents);
    fprintf(file, "\n%s agents, %g neighbours, %d thread%s; medians of %d repeats.\n", agents, r->plan.neighbours,
            r->plan.threads, r->plan.threads == 1 ? "" : "s", r->plan.repeats);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

void roofline_print(FILE *file, const roofline *r) {
    machine_print(file, &r->host);
    print_ceilings(file, r);
    print_bandwidth(file, r);
    if (r->row_count > 0) print_bounds(file, r);
}
