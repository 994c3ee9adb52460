/* SPDX-License-Identifier: MIT */
#include "harness/measure/baseline.h"
#include "harness/report/numbers.h"
#include "harness/scale/scale.h"

#include <math.h>

/* Two medians that differ by less are equal. */
static const double noise = 0.05;

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

/* The number of threads, or of ranks, up to which the efficiency is at least 80 %. */
static void write_falling_off(FILE *file, const sweep_rows *rows, figure counted, const char *unit) {
    int last = 0;
    while (last + 1 < rows->count && figure_of(rows, last + 1, FIGURE_EFFICIENCY) >= 0.8) last++;
    const int count = (int)figure_of(rows, last, counted);
    if (last == rows->count - 1)
        fputs(" It is above 80 % throughout.", file);
    else
        fprintf(file, " It is above 80 %% up to %d %s%s.", count, unit, count > 1 ? "s" : "");
}

static void write_cores(FILE *file, int cores, const sweep_rows *rows) {
    const frame_row *last = &rows->row[rows->count - 1];
    for (int i = 0; i < rows->count - 1; i++) {
        if (rows->row[i].threads != cores) continue;
        fprintf(file, " The %d threads beyond one per core change the speed by %+.0f %%.", last->threads - cores,
                100.0 * (speed_ratio(last, &rows->row[i]) - 1.0));
    }
}

static void write_serial_fraction(FILE *file, double serial) {
    if (serial >= 1.0)
        fputs(" Several threads are slower than one: the flock is too small for them, or the machine is busy.", file);
    else if (serial > 0.0001)
        fprintf(file,
                " The serial fraction is %.2f %% of one thread's time; if nothing else limited the speed, no number of threads "
                "would be more than %.3g times as fast.",
                100.0 * serial, 1.0 / serial);
    else
        fputs(" No serial fraction is visible.", file);
}

static bool has_baselines(const sweep_rows *rows) {
    bool has = false;
    for (int i = 0; i < rows->count; i++) has = has || baseline_find(rows->row[i].kernel) < BASELINES;
    return has;
}

/* The frame's design promises equal bits, so a difference must be reported. */
static void write_bits(FILE *file, const sweep_rows *rows) {
    char complaint[256];
    if (frame_rows_agree(rows->row, rows->count, complaint, sizeof complaint))
        fprintf(file, " All%s rows ended in the same state, bit for bit.", has_baselines(rows) ? " kernels'" : "");
    else
        fprintf(file, " **The states differ, which is a bug: %s.**", complaint);
}

/* Strong and weak sweeps of threads or of ranks. Rows of a weak one have flocks of their own, so their states differ. */
static void write_scaling(FILE *file, const machine *host, sweep_kind sweep, const sweep_rows *rows) {
    const bool of_ranks = sweeps_are(true, sweep), is_strong = sweep == SWEEP_STRONG || sweep == SWEEP_RANKS_STRONG;
    const figure counted = of_ranks ? FIGURE_RANKS : FIGURE_THREADS;
    const char *unit = of_ranks ? "rank" : "thread";
    const int end = rows->count - 1, count = (int)figure_of(rows, end, counted);
    const frame_row *last = &rows->row[end], *one = &rows->row[0];
    if (is_strong)
        fprintf(file, "%d %ss are %.2f times as fast as one", count, unit, speed_ratio(last, one));
    else
        fprintf(file, "With %d %ss and proportionally more agents a frame takes %.2f times as long as with one %s", count, unit,
                last->ms.frame / one->ms.frame, unit);
    fprintf(file, ", an efficiency of %.0f %%.", 100.0 * figure_of(rows, end, FIGURE_EFFICIENCY));
    write_falling_off(file, rows, counted, unit);
    if (!of_ranks) write_cores(file, host->cores, rows);
    if (is_strong && !of_ranks) write_serial_fraction(file, figure_of(rows, end, FIGURE_SERIAL_FRACTION));
    if (is_strong) write_bits(file, rows);
}

static void write_split(FILE *file, const sweep_rows *rows) {
    for (int i = 1; i < rows->count; i++) {
        const frame_row *row = &rows->row[i];
        fprintf(file, "%s%u ranks of %d thread%s are %.2f times as fast as one rank of %d.", i > 1 ? " " : "",
                (unsigned)row->ranks, row->threads, row->threads > 1 ? "s" : "", speed_ratio(row, &rows->row[0]),
                rows->row[0].threads);
    }
    write_bits(file, rows);
}

/* ---- density and distribution ----------------------------------------------------------------------------------------- */

static void write_density(FILE *file, const sweep_rows *rows) {
    int end = rows->count - 1;
    double first = figure_of(rows, 0, FIGURE_PAIR), last = figure_of(rows, end, FIGURE_PAIR), worst = 0.0;
    for (int i = 1; i <= end; i++) {
        worst = fmax(worst, figure_of(rows, i, FIGURE_PAIR) / figure_of(rows, i - 1, FIGURE_PAIR) - 1.0);
    }
    fprintf(file, "From %.3g to %.3g neighbours the thread time per useful pair goes from %.3g to %.3g ns, %.2f times.",
            rows->row[0].neighbours_found, rows->row[end].neighbours_found, first, last, last / first);
    if (worst <= noise)
        fputs(" It never rises by more than 5 % from row to row.", file);
    else
        fprintf(file, " Its steepest rise from one row to the next is %.0f %%.", 100.0 * worst);
}

static void write_distribution(FILE *file, const sweep_rows *rows) {
    for (int i = 0; i + 1 < rows->count; i += 2) {
        fprintf(file, "%sA useful pair of %s agents (%.3g neighbours) takes %.2f times as long as one of uniform agents.",
                i > 0 ? " " : "", figure_text(&rows->row[i], FIGURE_DISTRIBUTION), rows->row[i].neighbours_found,
                figure_of(rows, i, FIGURE_TIMES_UNIFORM));
    }
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static const frame_row *fastest_row(const sweep_rows *rows, int threads) {
    const frame_row *fastest = NULL;
    for (const frame_row *row = rows->row; row < rows->row + rows->count; row++) {
        if (row->threads != threads || baseline_find(row->kernel) < BASELINES) continue;
        if (!fastest || speed_ratio(row, fastest) > 1.0) fastest = row;
    }
    return fastest;
}

static void write_fastest(FILE *file, const sweep_rows *rows, int threads) {
    const frame_row *fastest = fastest_row(rows, threads);
    if (!fastest) return;
    const int number = (int)(fastest - rows->row);
    const double aos = figure_of(rows, number, FIGURE_TIMES_AOS), simd = figure_of(rows, number, FIGURE_TIMES_SIMD);
    fprintf(file, "%sOn %d thread%s `%s` is the fastest", threads == rows->row[0].threads ? "" : " ", threads,
            threads > 1 ? "s" : "", fastest->kernel);
    if (!isnan(aos)) fprintf(file, ", %.1f times `baseline-aos`", aos);
    if (!isnan(simd)) fprintf(file, " and %.2f times `baseline-simd`", simd);
    fprintf(file, ": %.3g million agent-updates/s.", 1e-6 * fastest->agent_updates_per_second);
    for (const frame_row *row = rows->row; row < rows->row + rows->count; row++) {
        if (row == fastest || row->threads != threads || baseline_find(row->kernel) < BASELINES) continue;
        if (speed_ratio(row, fastest) < 1.0 - noise) continue;
        fprintf(file, " `%s` is within 5 %% of it.", row->kernel);
    }
}

static void write_kernels(FILE *file, const sweep_rows *rows) {
    int first = rows->row[0].threads, last = rows->row[rows->count - 1].threads;
    write_fastest(file, rows, first);
    if (last != first) write_fastest(file, rows, last);
    write_bits(file, rows);
}

/* ---- size ------------------------------------------------------------------------------------------------------------- */

/* The cost per agent at that row beside the cost at 100 000 agents. */
static void write_growth(FILE *file, const sweep_rows *rows, const frame_row *to) {
    char agents[NUMBER_LENGTH];
    for (const frame_row *from = rows->row; from < to; from++) {
        if (from->workload.agents != 100000) continue;
        number_group(to->workload.agents, agents);
        fprintf(file, " The cost per agent at %s agents is %.2f times that at 100 000.", agents, speed_ratio(from, to));
    }
}

static void write_size(FILE *file, const sweep_rows *rows) {
    const frame_row *fastest = fastest_row(rows, rows->row[0].threads), *half = rows->row, *end = rows->row + rows->count;
    char agents[NUMBER_LENGTH], half_agents[NUMBER_LENGTH];
    while (speed_ratio(half, fastest) < 0.5) half++;
    number_group(fastest->workload.agents, agents);
    number_group(half->workload.agents, half_agents);
    fprintf(file, "%s agents are the fastest: %.3g million agent-updates/s. Half of that is reached with %s.", agents,
            1e-6 * fastest->agent_updates_per_second, half_agents);
    for (const frame_row *row = rows->row; row < end; row++) {
        if (row->workload.agents == 10000000 || row == end - 1) write_growth(file, rows, row);
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

void findings_write(FILE *file, const machine *host, sweep_kind sweep, const sweep_rows *rows) {
    static void (*const write[SWEEPS])(FILE *, const sweep_rows *) = {
        [SWEEP_DENSITY] = write_density, [SWEEP_KERNELS] = write_kernels,   [SWEEP_DISTRIBUTION] = write_distribution,
        [SWEEP_SIZE] = write_size,       [SWEEP_RANKS_SPLIT] = write_split,
    };
    if (rows->count < 2) return;
    if (write[sweep])
        write[sweep](file, rows);
    else
        write_scaling(file, host, sweep, rows);
    fputc('\n', file);
}
