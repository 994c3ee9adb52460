/* SPDX-License-Identifier: MIT */
#include "harness/roofline/roofline.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/numbers.h"
#include "harness/report/table.h"

#include <math.h>

/* Where tables and the sentences around them go: a terminal or Markdown. */
typedef struct page {
    FILE *file;
    bool is_markdown;
} page;

/* "-" in tables if there is nothing. */
static double positive(double value) {
    return value > 0.0 ? value : (double)NAN;
}

static void print_title(const page *p, const char *title) {
    fprintf(p->file, p->is_markdown ? "\n## %s\n\n" : "\n%s\n\n", title);
}

static void end_table(const page *p, table *t) {
    if (p->is_markdown)
        table_print_markdown(p->file, t);
    else
        table_print(p->file, t);
    table_free(t);
}

/* ---- ceilings --------------------------------------------------------------------------------------------------------- */

/* LOOP_CLOCK: the lanes; LOOP_KINDS: the clock. */
static void put_widths(table *t, const roofline *r, const char *name, int kind) {
    table_begin_row(t);
    table_text(t, "", "%s", name);
    for (const width_ceilings *w = r->widths; w < r->widths + r->width_count; w++) {
        if (w->missing) continue;
        if (kind == LOOP_CLOCK)
            table_cell(t, w->kernel, "%d", w->lanes);
        else
            table_number(t, w->kernel, positive(kind == LOOP_KINDS ? 1e-9 * w->clock : w->kinds[kind].per_cycle));
    }
}

/* A median of the clock far below its best means that something disturbed the measurement. */
static void print_disturbances(const page *p, const roofline *r) {
    for (int i = 0; i < r->width_count; i++) {
        const width_ceilings *w = &r->widths[i];
        if (w->missing)
            fprintf(p->file, "%s: not measured: %s\n", w->kernel, w->missing);
        else if (w->clock_min < 0.97 * w->clock)
            fprintf(p->file, "%s: the machine was busy, or its clock was not steady: %.2f GHz at best, a median of %.2f\n",
                    w->kernel, 1e-9 * w->clock, 1e-9 * w->clock_min);
    }
}

static void print_ceilings(const page *p, const roofline *r) {
    print_title(p, "Ceilings of one core: instructions per cycle");
    table t = {0};
    put_widths(&t, r, "numbers per instruction", LOOP_CLOCK);
    for (int kind = LOOP_CLOCK + 1; kind < LOOP_KINDS; kind++) put_widths(&t, r, ceilings_kind_name((loop_kind)kind), kind);
    put_widths(&t, r, "clock (GHz)", LOOP_KINDS);
    end_table(p, &t);
    fprintf(p->file,
            "\nThe best of %d repeats; - means that the kernel has no such instruction. A cycle is the time of one integer "
            "add in a chain.\n",
            r->ceiling_repeats);
    print_disturbances(p, r);
}

static void put_level(table *t, const level_bandwidth *level) {
    table_begin_row(t);
    table_text(t, "level", "%s", level->name);
    table_cell(t, "threads", "%d", level->threads);
    table_number(t, "KiB used", positive((double)level->bytes / 1024.0));
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
        table_number(t, bandwidth_kind_name((bandwidth_kind)kind), positive(1e-9 * level->kinds[kind].best));
}

static void print_bandwidth(const page *p, const roofline *r) {
    const level_bandwidth *end = r->levels + r->level_count;
    print_title(p, "Ceilings of caches and memory: GB/s, all threads together");
    table t = {0};
    for (const level_bandwidth *level = r->levels; level < end; level++) put_level(&t, level);
    end_table(p, &t);
    fputs("\nCopies count the bytes that they read and those that they write. Half of each cache is in use.\n", p->file);
    for (const level_bandwidth *level = r->levels; level < end; level++) {
        char what[64];
        snprintf(what, sizeof what, "%s with %d thread%s", level->name, level->threads, level->threads == 1 ? "" : "s");
        if (level->missing)
            fprintf(p->file, "%s: not measured: %s\n", what, level->missing);
        else if (level->processor_share < 0.8)
            fprintf(p->file, "%s: the machine was busy: each thread moved bytes for only %.0f %% of the best repeat\n", what,
                    100.0 * level->processor_share);
    }
    if (r->host.threads == 1) fputs("This machine has a single thread.\n", p->file);
}

/* ---- counts ----------------------------------------------------------------------------------------------------------- */

static void begin_row(table *t, const roofline_row *row) {
    table_begin_row(t);
    table_text(t, "", "%dD", row->measured.workload.dimensions);
    table_text(t, "kernel", "%s", row->measured.kernel);
}

static void put_counts(table *t, const roofline_row *row, const char *of, const instruction_counts *counts) {
    begin_row(t, row);
    table_text(t, "for each", "%s", of);
    for (int i = 0; i < INSTRUCTIONS; i++) table_number(t, counting_instruction_name((instruction)i), positive(counts->of[i]));
}

static void put_frame(table *t, const roofline_row *row) {
    const kernel_counts *of = &row->input.counts;
    begin_row(t, row);
    table_number(t, "agents per group", 1.0 / of->groups_per_agent);
    table_number(t, "candidates per group", of->candidates_per_agent / of->groups_per_agent);
    table_number(t, "candidates per agent", of->candidates_per_agent);
    table_number(t, "cells per agent", of->cells_per_agent);
}

static void print_counts(const page *p, const roofline *r) {
    print_title(p, "What kernels execute: counted vector instructions");
    table counts = {0}, frame = {0};
    for (const roofline_row *row = r->rows; row < r->rows + r->row_count; row++) {
        const kernel_counts *of = &row->input.counts;
        put_counts(&counts, row, "candidate (interact)", &of->interact_candidate);
        put_counts(&counts, row, "group (interact)", &of->interact_group);
        put_counts(&counts, row, "group (steer)", &of->steer_group);
        put_counts(&counts, row, "group (integrate)", &of->integrate_group);
        put_frame(&frame, row);
    }
    end_table(p, &counts);
    print_title(p, "Groups and candidates of a frame");
    end_table(p, &frame);
}

/* ---- bounds ----------------------------------------------------------------------------------------------------------- */

static void put_stage(table *t, const roofline_row *row, stage s) {
    char binds[64];
    roofline_binds(row, s, binds);
    begin_row(t, row);
    table_text(t, "stage", "%s", model_stage_name(s));
    table_number(t, "bound", positive(1e9 * row->stages[s].bound));
    table_number(t, "took", 1e9 * roofline_achieved(row, s));
    table_percent(t, "reached", positive(roofline_share(row, s)), 1);
    table_text(t, "limited by", "%s", binds);
}

static void print_bounds(const page *p, const roofline *r) {
    char agents[NUMBER_LENGTH];
    print_title(p, "How much of the bound is reached: ns per agent and frame");
    table t = {0};
    for (int i = 0; i < r->row_count; i++)
        for (int s = 0; s < STAGES; s++) put_stage(&t, &r->rows[i], (stage)s);
    end_table(p, &t);
    number_group(r->plan.agents, agents);
    fprintf(p->file, "\n%s agents, %g neighbours, %d thread%s; medians of %d repeats.\n", agents, r->plan.neighbours,
            r->plan.threads, r->plan.threads == 1 ? "" : "s", r->plan.repeats);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

static void print_page(FILE *file, const roofline *r, bool is_markdown) {
    const page p = {.file = file, .is_markdown = is_markdown};
    if (is_markdown) fputs("```text\n", file);
    machine_print(file, &r->host);
    if (is_markdown) fputs("```\n", file);
    print_ceilings(&p, r);
    print_bandwidth(&p, r);
    if (r->row_count > 0) print_counts(&p, r);
    if (r->row_count > 0) print_bounds(&p, r);
}

void roofline_print(FILE *file, const roofline *r) {
    print_page(file, r, false);
}

void roofline_print_markdown(FILE *file, const roofline *r, const char *const *plots) {
    fputs("# Roofline\n\nWhat `dunlin roofline` measured on this machine; docs/benchmarking.md says how to read it.\n\n", file);
    for (; *plots; plots++) fprintf(file, "![%s](plots/%s.svg)\n\n", *plots, *plots);
    print_page(file, r, true);
}
