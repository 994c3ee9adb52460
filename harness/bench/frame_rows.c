/* SPDX-License-Identifier: MIT */
#include "harness/bench/frame_rows.h"
#include "harness/report/numbers.h"
#include "harness/bench/baseline.h"
#include "harness/bench/pin.h"

#include <inttypes.h>
#include <string.h>

/* ---- the machine ------------------------------------------------------------------------------------------------------ */

static void print_caches(FILE *file, const machine *host) {
    for (int i = 0; i < host->cache_count; i++) {
        const machine_cache *cache = &host->caches[i];
        bool is_large = cache->bytes >= 1u << 20;
        fprintf(file, "%sL%d %.4g %s", i > 0 ? ", " : "", cache->level, (double)cache->bytes / (is_large ? 0x1p20 : 0x1p10),
                is_large ? "MiB" : "KiB");
        if (cache->shared_by > 1) fprintf(file, " shared by %d", cache->shared_by);
    }
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

void frame_rows_print_machine(FILE *file, const machine *host) {
    fprintf(file, "processor   %s: %d core%s, %d thread%s, %d NUMA node%s\n", host->cpu, host->cores, plural(host->cores),
            host->threads, plural(host->threads), host->numa_nodes, plural(host->numa_nodes));
    fputs("caches      ", file);
    print_caches(file, host);
    fprintf(file, "%smemory %.1f GiB\n", host->cache_count > 0 ? "; " : "", (double)host->memory_bytes / 0x1p30);
    fprintf(file, "system      %s, %s\n", host->os, host->date);
    fprintf(file, "build       commit %s, %s %s\n", host->commit, host->compiler, host->flags);
    fprintf(file, pin_binds(host->pinning) ? "threads     bound by %s\n" : "threads     not bound: %s\n", host->pinning);
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

static bool same_flock(const frame_row *a, const frame_row *b) {
    const bench_workload *x = &a->workload, *y = &b->workload;
    return x->dimensions == y->dimensions && x->agents == y->agents && x->neighbours == y->neighbours &&
           x->distribution == y->distribution && a->addition == b->addition;
}

const frame_row *frame_rows_find(const frame_row *rows, int count, const frame_row *row, const char *kernel) {
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

static const char *const costs_head[FRAME_ROWS_HEAD] = {
    "      ns   pairs tested          milliseconds a frame                   bytes",
    "   agent   G/s  useful      all  snapshot  interact  steer  integrate   agent",
};

void frame_rows_print_head(FILE *file, const char *const head[FRAME_ROWS_HEAD]) {
    for (int line = 0; line < FRAME_ROWS_HEAD; line++) fprintf(file, "%s%s\n", head[line], costs_head[line]);
}

static void print_ratio(FILE *file, double ratio) {
    if (ratio > 0.0) {
        fprintf(file, "%7.2f", ratio);
    } else {
        fprintf(file, "%7s", "-");
    }
}

/* A baseline doesn't tell its stages apart. */
static void print_stages(FILE *file, const stage_ms *ms) {
    fprintf(file, "  %7.4g", ms->frame);
    if (ms->snapshot + ms->interact + ms->steer + ms->integrate > 0.0) {
        fprintf(file, "  %8.4g  %8.4g  %5.3g  %9.3g", ms->snapshot, ms->interact, ms->steer, ms->integrate);
    } else {
        fprintf(file, "  %8s  %8s  %5s  %9s", "-", "-", "-", "-");
    }
}

void frame_rows_print_costs(FILE *file, const frame_row *row) {
    double tested = row->pairs_tested_per_second;
    fprintf(file, "  %6.1f  %5.3f  %4.1f %%", 1e9 / row->agent_updates_per_second, tested * 1e-9,
            tested > 0.0 ? 100.0 * row->pairs_useful_per_second / tested : 0.0);
    print_stages(file, &row->ms);
    fprintf(file, "  %6.1f\n", row->bytes_per_agent);
}

/* Millions; all pairs are counted in thousands. */
static int decimals(double updates_per_second) {
    return updates_per_second < 1e5 ? 4 : 2;
}

static void print_row(FILE *file, const frame_row *row, double ratio) {
    char range[48];
    int digits = decimals(row->agent_updates_per_second);
    snprintf(range, sizeof range, "(%.*f - %.*f)", digits, row->agent_updates_per_second_min * 1e-6, digits,
             row->agent_updates_per_second_max * 1e-6);
    fprintf(file, "%-15s %7.*f  %16s", row->kernel, digits, row->agent_updates_per_second * 1e-6, range);
    print_ratio(file, ratio);
    frame_rows_print_costs(file, row);
}

void frame_rows_print(FILE *file, const frame_row *rows, int count) {
    static const char *const head[FRAME_ROWS_HEAD] = {
        "                 million agent-updates/s        x",
        "kernel           median      (min - max)      aos",
    };
    bool has_head = false;
    for (int i = 0; i < count; i++) {
        if (rows[i].repeats == 0) continue;
        if (!has_head) {
            frame_rows_print_title(file, &rows[i]);
            frame_rows_print_head(file, head);
            has_head = true;
        }
        const frame_row *reference = frame_rows_find(rows, count, &rows[i], baseline_name(BASELINE_AOS));
        print_row(file, &rows[i], reference ? rows[i].agent_updates_per_second / reference->agent_updates_per_second : 0.0);
    }
}

/* ---- bits ------------------------------------------------------------------------------------------------------------- */

static bool is_strict(const char *kernel) {
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        dunlin_kernel_info info = dunlin_kernel_at(i);
        if (strcmp(info.name, kernel) == 0) return info.strict;
    }
    return false;
}

/* Whether the two must have come to the same state. */
static bool must_agree(const frame_row *a, const frame_row *b) {
    return a->repeats > 0 && b->repeats > 0 && same_flock(a, b) && a->steps == b->steps && strcmp(a->index, b->index) == 0 &&
           is_strict(a->kernel) && is_strict(b->kernel);
}

bool frame_rows_agree(const frame_row *rows, int count, char *complaint, size_t size) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (!must_agree(&rows[i], &rows[j]) || rows[i].hash == rows[j].hash) continue;
            snprintf(complaint, size,
                     "strict kernels differ: from the same start %s (%d thread%s) comes to state %016" PRIx64
                     ", %s (%d thread%s) to %016" PRIx64,
                     rows[j].kernel, rows[j].threads, plural(rows[j].threads), rows[j].hash, rows[i].kernel, rows[i].threads,
                     plural(rows[i].threads), rows[i].hash);
            return false;
        }
    }
    return true;
}
