/* SPDX-License-Identifier: MIT */
#include "harness/scale/findings.h"
#include "harness/scale/scaling.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/numbers.h"

#include <math.h>
#include <string.h>

/* Two medians that differ by less are equal. */
static const double noise = 0.05;

static const frame_row *last_of(const sweep_rows *rows) {
    return &rows->row[rows->count - 1];
}

static void grouped_agents(const frame_row *row, char text[NUMBER_LENGTH]) {
    number_group(row->workload.agents, text);
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

/* The number of threads up to which the efficiency is at least `min`. */
static int efficient_threads(const sweep_rows *rows, double min) {
    int threads = rows->row[0].threads;
    for (int i = 1; i < rows->count && scaling_efficiency(&rows->row[i], &rows->row[0]) >= min; i++) {
        threads = rows->row[i].threads;
    }
    return threads;
}

static void write_falling_off(FILE *file, const sweep_rows *rows) {
    int threads = efficient_threads(rows, 0.8);
    if (threads == last_of(rows)->threads) {
        fputs(" It is above 80 % throughout.", file);
    } else {
        fprintf(file, " It is above 80 %% up to %d thread%s.", threads, threads > 1 ? "s" : "");
    }
}

static void write_cores(FILE *file, const machine *host, const sweep_rows *rows) {
    if (host->cores < 1 || host->cores >= last_of(rows)->threads) return;
    for (int i = 0; i < rows->count; i++) {
        if (rows->row[i].threads != host->cores) continue;
        double more = scaling_speed_up(last_of(rows), &rows->row[i]) - 1.0;
        fprintf(file, " The %d threads beyond one per core change the speed by %+.0f %%.", last_of(rows)->threads - host->cores,
                100.0 * more);
    }
}

static void write_serial_fraction(FILE *file, const sweep_rows *rows) {
    double serial = scaling_serial_fraction(last_of(rows), &rows->row[0]);
    if (serial >= 1.0) {
        fputs(" Several threads are slower than one: the flock is too small for them, or the machine is busy.", file);
    } else if (serial > 0.0001) {
        fprintf(file,
                " The serial fraction is %.2f %% of one thread's time; if nothing else limited the speed, no number of threads "
                "would "
                "be more than %.3g times as fast.",
                100.0 * serial, 1.0 / serial);
    } else {
        fputs(" No serial fraction is visible.", file);
    }
}

/* The frame's design promises equal bits, so a difference must be reported. */
static void write_bits(FILE *file, const sweep_rows *rows) {
    char complaint[256];
    if (frame_rows_agree(rows->row, rows->count, complaint, sizeof complaint)) {
        fputs(" All kernels' rows ended in the same state, bit for bit.", file);
    } else {
        fprintf(file, " **The states differ, which is a bug: %s.**", complaint);
    }
}

static void write_strong(FILE *file, const machine *host, const sweep_rows *rows) {
    const frame_row *last = last_of(rows), *one = &rows->row[0];
    fprintf(file, "%d threads are %.2f times as fast as one, an efficiency of %.0f %%.", last->threads,
            scaling_speed_up(last, one), 100.0 * scaling_efficiency(last, one));
    write_falling_off(file, rows);
    write_cores(file, host, rows);
    write_serial_fraction(file, rows);
    write_bits(file, rows);
}

static void write_weak(FILE *file, const machine *host, const sweep_rows *rows) {
    const frame_row *last = last_of(rows), *one = &rows->row[0];
    fprintf(
        file,
        "With %d threads and proportionally more agents a frame takes %.2f times as long as with one thread, an efficiency of "
        "%.0f %%.",
        last->threads, last->ms.frame / one->ms.frame, 100.0 * scaling_efficiency(last, one));
    write_falling_off(file, rows);
    write_cores(file, host, rows);
}

/* ---- density ---------------------------------------------------------------------------------------------------------- */

static void write_density(FILE *file, const machine *host, const sweep_rows *rows) {
    (void)host;
    double first = row_ns_per_useful_pair(&rows->row[0]), last = row_ns_per_useful_pair(last_of(rows)), worst = 0.0;
    for (int i = 1; i < rows->count; i++) {
        worst = fmax(worst, row_ns_per_useful_pair(&rows->row[i]) / row_ns_per_useful_pair(&rows->row[i - 1]) - 1.0);
    }
    fprintf(file, "From %.3g to %.3g neighbours the thread time per useful pair goes from %.3g to %.3g ns, %.2f times.",
            rows->row[0].neighbours_found, last_of(rows)->neighbours_found, first, last, last / first);
    if (worst <= noise)
        fputs(" It never rises by more than 5 % from row to row.", file);
    else
        fprintf(file, " Its steepest rise from one row to the next is %.0f %%.", 100.0 * worst);
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static const frame_row *fastest_row(const sweep_rows *rows, int threads) {
    const frame_row *fastest = NULL;
    for (int i = 0; i < rows->count; i++) {
        const frame_row *row = &rows->row[i];
        if (row->threads != threads) continue;
        if (!fastest || row->agent_updates_per_second > fastest->agent_updates_per_second) fastest = row;
    }
    return fastest;
}

static void write_fastest(FILE *file, const sweep_rows *rows, int threads) {
    const frame_row *fastest = fastest_row(rows, threads), *baseline = scaling_baseline(rows, threads);
    fprintf(file, "%sOn %d thread%s `%s` is the fastest", threads == rows->row[0].threads ? "" : " ", threads,
            threads > 1 ? "s" : "", fastest->kernel);
    if (baseline) fprintf(file, ", %.1f times `baseline-aos`", scaling_speed_up(fastest, baseline));
    fprintf(file, ": %.3g million agent-updates/s.", 1e-6 * fastest->agent_updates_per_second);
}

static void write_near(FILE *file, const sweep_rows *rows, int threads) {
    const frame_row *fastest = fastest_row(rows, threads);
    for (int i = 0; i < rows->count; i++) {
        const frame_row *row = &rows->row[i];
        if (row == fastest || row->threads != threads || scaling_speed_up(row, fastest) < 1.0 - noise) continue;
        fprintf(file, " `%s` is within 5 %% of it.", row->kernel);
    }
}

static void write_kernels(FILE *file, const machine *host, const sweep_rows *rows) {
    (void)host;
    int first = rows->row[0].threads, last = last_of(rows)->threads;
    write_fastest(file, rows, first);
    write_near(file, rows, first);
    if (last != first) {
        write_fastest(file, rows, last);
        write_near(file, rows, last);
    }
    write_bits(file, rows);
}

/* ---- distribution ----------------------------------------------------------------------------------------------------- */

static void write_distribution(FILE *file, const machine *host, const sweep_rows *rows) {
    (void)host;
    for (int i = 0; i + 1 < rows->count; i += 2) {
        const frame_row *row = &rows->row[i];
        fprintf(file, "%sA useful pair of %s agents (%.3g neighbours) takes %.2f times as long as one of uniform agents.",
                i > 0 ? " " : "", bench_distribution_name(row->workload.distribution), row->neighbours_found,
                scaling_against_uniform(rows, i));
    }
}

/* ---- size ------------------------------------------------------------------------------------------------------------- */

static const frame_row *row_of_size(const sweep_rows *rows, uint32_t agents) {
    for (int i = 0; i < rows->count; i++) {
        if (rows->row[i].workload.agents == agents) return &rows->row[i];
    }
    return NULL;
}

/* The smallest flock that reaches half the speed of the fastest. */
static const frame_row *half_speed_row(const sweep_rows *rows, const frame_row *fastest) {
    int i = 0;
    while (scaling_speed_up(&rows->row[i], fastest) < 0.5) i++;
    return &rows->row[i];
}

static void write_growth(FILE *file, const frame_row *from, const frame_row *to) {
    char small[NUMBER_LENGTH], large[NUMBER_LENGTH];
    if (!from || !to) return;
    grouped_agents(from, small);
    grouped_agents(to, large);
    fprintf(file, " The cost per agent at %s agents is %.2f times that at %s.", large, 1.0 / scaling_speed_up(to, from), small);
}

static void write_size(FILE *file, const machine *host, const sweep_rows *rows) {
    (void)host;
    const frame_row *fastest = fastest_row(rows, rows->row[0].threads), *last = last_of(rows);
    const frame_row *half = half_speed_row(rows, fastest), *usual = row_of_size(rows, 100000);
    char agents[NUMBER_LENGTH], half_agents[NUMBER_LENGTH];
    grouped_agents(fastest, agents);
    grouped_agents(half, half_agents);
    fprintf(file, "%s agents are the fastest: %.3g million agent-updates/s.", agents, 1e-6 * fastest->agent_updates_per_second);
    fprintf(file, " Half of that is reached with %s.", half_agents);
    write_growth(file, usual, row_of_size(rows, 10000000));
    if (last->workload.agents != 10000000 && last->workload.agents > 100000) write_growth(file, usual, last);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

void findings_write(FILE *file, const machine *host, sweep_kind sweep, const sweep_rows *rows) {
    static void (*const write[SWEEPS])(FILE *, const machine *, const sweep_rows *) = {
        [SWEEP_STRONG] = write_strong,   [SWEEP_WEAK] = write_weak, [SWEEP_DENSITY] = write_density,
        [SWEEP_KERNELS] = write_kernels, [SWEEP_SIZE] = write_size, [SWEEP_DISTRIBUTION] = write_distribution,
    };
    if (rows->count < 2) return;
    write[sweep](file, host, rows);
    fputc('\n', file);
}
