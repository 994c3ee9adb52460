/* SPDX-License-Identifier: MIT */
#include "harness/roofline/roofline_tables.h"
#include "harness/bench/frame_rows.h"
#include "harness/report/numbers.h"
#include "harness/roofline/cells.h"

#include <stdlib.h>

/* Tables and the sentences around them, on the terminal or in Markdown. */
typedef struct page {
    FILE *file;
    bool is_markdown;
    cells *table; /* one at a time */
} page;

static void print_title(const page *p, const char *title) {
    fprintf(p->file, p->is_markdown ? "\n## %s\n\n" : "\n%s\n\n", title);
}

static void begin_table(const page *p) {
    *p->table = (cells){.columns = 0};
}

static void end_table(const page *p) {
    if (p->is_markdown)
        cells_print_markdown(p->file, p->table);
    else
        cells_print(p->file, p->table);
}

/* ---- ceilings --------------------------------------------------------------------------------------------------------- */

static void fill_ceilings(cells *t, const roofline *r) {
    cells_head(t, "a cycle", true);
    for (int i = 0; i < r->width_count; i++) {
        if (!r->widths[i].missing) cells_head(t, r->widths[i].kernel, false);
    }
    cells_row(t);
    cells_put(t, "numbers an instruction");
    for (int i = 0; i < r->width_count; i++) {
        if (!r->widths[i].missing) cells_put(t, "%d", r->widths[i].lanes);
    }
    for (int kind = LOOP_CLOCK + 1; kind < LOOP_KINDS; kind++) {
        cells_row(t);
        cells_put(t, "%s", ceilings_kind_name((loop_kind)kind));
        for (int i = 0; i < r->width_count; i++) {
            if (!r->widths[i].missing) cells_put_number(t, r->widths[i].kinds[kind].per_cycle);
        }
    }
    cells_row(t);
    cells_put(t, "clock (GHz)");
    for (int i = 0; i < r->width_count; i++) {
        if (!r->widths[i].missing) cells_put_number(t, 1e-9 * r->widths[i].clock);
    }
}

/* How far the worst of the clock's medians lies below the best clock: the quieter the machine, the less. */
static void print_quiet(const page *p, const roofline *r) {
    for (int i = 0; i < r->width_count; i++) {
        const width_ceilings *w = &r->widths[i];
        if (w->missing)
            fprintf(p->file, "%s: not measured: %s\n", w->kernel, w->missing);
        else if (w->clock_least < 0.97 * w->clock)
            fprintf(p->file, "%s: the machine was not quiet, or its clock not steady: %.2f GHz at best, %.2f in between\n",
                    w->kernel, 1e-9 * w->clock, 1e-9 * w->clock_least);
    }
}

static void print_ceilings(const page *p, const roofline *r) {
    print_title(p, "Ceilings of one core: instructions a cycle");
    begin_table(p);
    fill_ceilings(p->table, r);
    end_table(p);
    fprintf(p->file,
            "\nBest of %d repeats; - is no instruction of that kernel. A cycle is as long as one of a chain of integer adds.\n",
            r->ceiling_repeats);
    print_quiet(p, r);
}

static void put_level(cells *t, const level_bandwidth *level) {
    char name[16];
    bandwidth_level_name(level->level, name);
    cells_row(t);
    cells_put(t, "%s", name);
    cells_put(t, "%d", level->threads);
    if (level->missing[0] != '\0') return;
    cells_put(t, "%.4g", (double)level->bytes / 1024.0);
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++) cells_put_number(t, 1e-9 * level->kinds[kind].best);
}

static void print_bandwidth(const page *p, const roofline *r) {
    print_title(p, "Ceilings of caches and memory: GB/s, all threads together");
    begin_table(p);
    cells_head(p->table, "level", true);
    cells_head(p->table, "threads", false);
    cells_head(p->table, "KiB used", false);
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++) cells_head(p->table, bandwidth_kind_name((bandwidth_kind)kind), false);
    for (int t = 0; t < r->team_count; t++) {
        for (int i = 0; i < r->level_count; i++) put_level(p->table, &r->levels[t][i]);
    }
    end_table(p);
    fputs("\nCopies count what they read and what they write. Half of each cache is in use.\n", p->file);
    for (int t = 0; t < r->team_count; t++) {
        for (int i = 0; i < r->level_count; i++) {
            const level_bandwidth *level = &r->levels[t][i];
            char name[16];
            bandwidth_level_name(level->level, name);
            if (level->missing[0] == '\0') continue;
            fprintf(p->file, "%s with %d thread%s: not measured: %s\n", name, level->threads, level->threads == 1 ? "" : "s",
                    level->missing);
        }
    }
    if (r->host.threads == 1) fputs("One thread is all that this machine has.\n", p->file);
}

/* ---- counts ----------------------------------------------------------------------------------------------------------- */

static void put_counts(cells *t, const roofline_row *row, const char *of, const instruction_counts *counts) {
    cells_row(t);
    cells_put(t, "%dD", row->measured.workload.dimensions);
    cells_put(t, "%s", row->measured.kernel);
    cells_put(t, "%s", of);
    for (int i = 0; i < INSTRUCTIONS; i++) cells_put_number(t, counts->of[i]);
}

static void print_counts(const page *p, const roofline *r) {
    print_title(p, "What kernels do: vector instructions, counted");
    begin_table(p);
    cells_head(p->table, "", true);
    cells_head(p->table, "kernel", true);
    cells_head(p->table, "for each", true);
    for (int i = 0; i < INSTRUCTIONS; i++) cells_head(p->table, counting_instruction_name((instruction)i), false);
    for (int i = 0; i < r->row_count; i++) {
        const roofline_row *row = &r->rows[i];
        put_counts(p->table, row, "candidate (interact)", &row->counts.interact_candidate);
        put_counts(p->table, row, "group (interact)", &row->counts.interact_group);
        put_counts(p->table, row, "group (steer)", &row->counts.steer_group);
        put_counts(p->table, row, "group (integrate)", &row->counts.integrate_group);
    }
    end_table(p);
    print_title(p, "What a frame does, an agent");
    begin_table(p);
    static const char *const heads[] = {"agents a group", "candidates a group", "candidates an agent", "cells an agent"};
    cells_head(p->table, "", true);
    cells_head(p->table, "kernel", true);
    for (int i = 0; i < 4; i++) cells_head(p->table, heads[i], false);
    for (int i = 0; i < r->row_count; i++) {
        const roofline_row *row = &r->rows[i];
        cells_row(p->table);
        cells_put(p->table, "%dD", row->measured.workload.dimensions);
        cells_put(p->table, "%s", row->measured.kernel);
        cells_put_number(p->table, 1.0 / row->groups_per_agent);
        cells_put_number(p->table, row->candidates_per_agent / row->groups_per_agent);
        cells_put_number(p->table, row->candidates_per_agent);
        cells_put_number(p->table, row->cells_per_agent);
    }
    end_table(p);
}

/* ---- bounds ----------------------------------------------------------------------------------------------------------- */

static void put_stage(cells *t, const roofline_row *row, stage s) {
    const stage_bound *b = &row->bounds.stages[s];
    const double achieved = roofline_achieved(row, s);
    char binds[64];
    roofline_binds(row, s, binds);
    cells_row(t);
    cells_put(t, "%dD", row->measured.workload.dimensions);
    cells_put(t, "%s", row->measured.kernel);
    cells_put(t, "%s", model_stage_name(s));
    cells_put_number(t, 1e9 * b->bound);
    cells_put_number(t, 1e9 * achieved);
    if (b->bound > 0.0)
        cells_put(t, "%.1f %%", 100.0 * roofline_share(row, s));
    else
        cells_put(t, "-");
    cells_put(t, "%s", binds);
}

static void print_bounds(const page *p, const roofline *r) {
    char agents[NUMBER_LENGTH];
    print_title(p, "What is reached of the bound: ns an agent and frame");
    begin_table(p);
    static const char *const heads[] = {"bound", "took", "reached"};
    cells_head(p->table, "", true);
    cells_head(p->table, "kernel", true);
    cells_head(p->table, "stage", true);
    for (int i = 0; i < 3; i++) cells_head(p->table, heads[i], false);
    cells_head(p->table, "what binds", true);
    for (int i = 0; i < r->row_count; i++) {
        for (int s = 0; s < STAGES; s++) put_stage(p->table, &r->rows[i], (stage)s);
    }
    end_table(p);
    number_group(r->plan.agents, agents);
    fprintf(p->file, "\n%s agents, %g neighbours, %d thread%s; medians of %d.\n", agents, r->plan.neighbours, r->plan.threads,
            r->plan.threads == 1 ? "" : "s", r->plan.repeats);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

static void print_page(FILE *file, const roofline *r, bool is_markdown) {
    page p = {.file = file, .is_markdown = is_markdown, .table = malloc(sizeof *p.table)};
    if (!p.table) return;
    if (is_markdown) fputs("```text\n", file);
    frame_rows_print_machine(file, &r->host);
    if (is_markdown) fputs("```\n", file);
    print_ceilings(&p, r);
    print_bandwidth(&p, r);
    if (r->row_count > 0) print_counts(&p, r);
    if (r->row_count > 0) print_bounds(&p, r);
    free(p.table);
}

void roofline_print(FILE *file, const roofline *r) {
    print_page(file, r, false);
}

void roofline_print_markdown(FILE *file, const roofline *r, const char *const *plots) {
    fputs("# Roofline\n\nWhat `dunlin roofline` measured here; docs/benchmarking.md says how to read it.\n\n", file);
    for (; *plots; plots++) fprintf(file, "![%s](plots/%s.svg)\n\n", *plots, *plots);
    print_page(file, r, true);
}
