/* SPDX-License-Identifier: MIT */
#include "harness/program/run_report.h"
#include "harness/command/ranks.h"
#include "harness/report/machine.h"
#include "harness/report/numbers.h"
#include "harness/report/table.h"
#include "harness/report/useful.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void run_totals_add(run_totals *totals, const dunlin_world *world) {
    dunlin_stats stats = dunlin_world_stats(world);
    totals->steps++;
    totals->agent_updates += stats.agents;
    totals->pairs_tested += stats.pairs_tested;
    totals->pairs_useful += stats.pairs_useful;
    totals->ms_snapshot += stats.ms_snapshot;
    totals->ms_interact += stats.ms_interact;
    totals->ms_steer += stats.ms_steer;
    totals->ms_integrate += stats.ms_integrate;
    totals->ms_frame += stats.ms_frame;
}

void run_ranks_add(run_ranks *ranks, const dunlin_world *world) {
    const dunlin_traffic traffic = dunlin_world_traffic(world);
    ranks->steps++;
    ranks->bytes += traffic.bytes;
    ranks->messages += traffic.messages;
    ranks->collectives += traffic.collectives;
    ranks->halo += traffic.halo;
    ranks->migrants += traffic.migrants;
    ranks->cuts = traffic.cuts;
    ranks->imbalance = traffic.imbalance;
}

/* ---- the run ---------------------------------------------------------------------------------------------------------- */

static void print_head(FILE *file, const dunlin_scenario *scenario, const dunlin_world *world, const run_totals *totals,
                       uint64_t steps_wanted) {
    char agents[NUMBER_LENGTH], steps[NUMBER_LENGTH], wanted[NUMBER_LENGTH], time[NUMBER_LENGTH];
    number_group(dunlin_world_agent_count(world), agents);
    number_group(totals->steps, steps);
    number_group(steps_wanted, wanted);
    number_duration(totals->seconds, time);
    fprintf(file, "%s: %s agent%s, %s step%s in %s\n", dunlin_scenario_name(scenario), agents,
            dunlin_world_agent_count(world) == 1 ? "" : "s", steps, totals->steps == 1 ? "" : "s", time);
    if (totals->steps < steps_wanted) fprintf(file, "stopped before all %s steps were taken\n", wanted);
}

static void print_pairs(FILE *file, const dunlin_world *world, const run_totals *totals) {
    char pairs[NUMBER_LENGTH];
    const double tested = (double)totals->pairs_tested;
    if (totals->pairs_tested == 0) return;
    number_short(tested / (totals->ms_frame * 1e-3), pairs);
    fprintf(file, "  pairs        %s tested/s", pairs);
    if (useful_counted(world)) fprintf(file, ", %.1f %% of them useful", 100.0 * (double)totals->pairs_useful / tested);
    fputc('\n', file);
}

static void print_speed(FILE *file, const dunlin_world *world, const run_totals *totals) {
    char updates[NUMBER_LENGTH], overall[NUMBER_LENGTH];
    double seconds = totals->ms_frame * 1e-3;
    if (totals->steps == 0 || seconds <= 0.0) return;
    double steps = (double)totals->steps;
    number_short((double)totals->agent_updates / seconds, updates);
    fprintf(file, "  speed        %s agent-updates/s", updates);
    if (totals->seconds > 1.1 * seconds) {
        number_short((double)totals->agent_updates / totals->seconds, overall);
        fprintf(file, ", %s with metrics and files", overall);
    }
    fputc('\n', file);
    print_pairs(file, world, totals);
    double stages = totals->ms_snapshot + totals->ms_interact + totals->ms_steer + totals->ms_integrate;
    fprintf(file, "  frame        %.3f ms = snapshot %.3f + interact %.3f + steer %.3f + integrate %.3f + other %.3f\n",
            totals->ms_frame / steps, totals->ms_snapshot / steps, totals->ms_interact / steps, totals->ms_steer / steps,
            totals->ms_integrate / steps, fmax(totals->ms_frame - stages, 0.0) / steps);
}

static void print_film(FILE *file, const run_totals *totals) {
    char frames[NUMBER_LENGTH];
    if (totals->frames == 0) return;
    const double count = (double)totals->frames;
    number_group(totals->frames, frames);
    fprintf(file, "  film         %s frame%s, each %.2f ms of drawing and %.2f ms of waiting for ffmpeg\n", frames,
            totals->frames == 1 ? "" : "s", totals->ms_drawing / count, totals->ms_waiting / count);
}

static void print_traffic(FILE *file, const run_ranks *ranks) {
    char messages[NUMBER_LENGTH], bytes[NUMBER_LENGTH], halo[NUMBER_LENGTH], migrants[NUMBER_LENGTH];
    if (ranks->count == 1 || ranks->steps == 0) return;
    const double steps = (double)ranks->steps;
    number_short((double)ranks->messages / steps, messages);
    number_short((double)ranks->bytes / steps, bytes);
    number_short((double)ranks->halo / steps, halo);
    number_short((double)ranks->migrants / steps, migrants);
    fprintf(file, "  exchange     %s bytes in %s messages per step; %s agents in halos, %s change ranks\n", bytes, messages,
            halo, migrants);
    fprintf(file, "  collectives  %.2f calls per step\n", (double)ranks->collectives / steps);
    fprintf(file, "  balance      the busiest rank works %.2f times the mean, after %" PRIu64 " cuts\n", ranks->imbalance,
            ranks->cuts);
}

static void print_machine(FILE *file, const dunlin_world *world, const run_ranks *ranks, bool is_auto) {
    dunlin_world_def def = dunlin_world_get_def(world);
    uint64_t agents = dunlin_world_agent_count(world);
    const dunlin_stats stats = dunlin_world_stats(world);
    const char *mpi = ranks_here()->mpi;
    char limit[MACHINE_TEXT];
    machine_limit(limit);
    const bool some_rest = stats.threads > 0 && stats.threads < (uint32_t)def.threads;
    fprintf(file, "  kernel       %s%s\n  index        %s\n", is_auto ? "auto: " : "", stats.kernel, def.index);
    fprintf(file, "  threads      ");
    if (some_rest) fprintf(file, "%u of ", stats.threads);
    fprintf(file, "%d%s%s%s\n", def.threads, *limit ? " (" : "", limit, *limit ? ")" : "");
    fprintf(file, "  ranks        %u (%s)%s\n", ranks->count, *mpi ? mpi : "without MPI",
            ranks->count > 1 ? ", with as many threads each" : "");
    print_traffic(file, ranks);
    if (agents > 0) fprintf(file, "  memory       %.1f bytes per agent\n", (double)ranks->memory / (double)agents);
}

/* ---- the flock -------------------------------------------------------------------------------------------------------- */

static void put_species(table *t, const metrics_meter *meter, const char *name, const metrics_row *row) {
    table_begin_row(t);
    table_text(t, "species", "%s", name);
    for (const metrics_column *column = metrics_columns; column->name; column++) {
        const double value = metrics_value(row, column);
        if (!column->head || !metrics_meter_has(meter, column)) continue;
        if (column->is_count)
            table_count(t, column->head, (uint64_t)value);
        else if (isnan(value))
            table_cell(t, column->head, "-");
        else
            table_cell(t, column->head, "%.4g", value);
    }
}

static dunlin_result print_flock(FILE *file, metrics_meter *meter, dunlin_world *world, dunlin_error *error) {
    table t = {0};
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < dunlin_world_species_count(world) && result == DUNLIN_OK; i++) {
        metrics_row row;
        result = metrics_measure(meter, world, i, &row, error);
        if (result == DUNLIN_OK) put_species(&t, meter, dunlin_world_get_species(world, i).name, &row);
    }
    fputc('\n', file);
    if (result == DUNLIN_OK) table_print(file, &t);
    table_free(&t);
    return result;
}

dunlin_result run_report_print(FILE *file, const dunlin_scenario *scenario, dunlin_world *world, metrics_meter *meter,
                               const run_totals *totals, const run_ranks *ranks, uint64_t steps_wanted, const char *kernel,
                               dunlin_error *error) {
    print_head(file, scenario, world, totals, steps_wanted);
    print_speed(file, world, totals);
    print_film(file, totals);
    print_machine(file, world, ranks, !kernel || strcmp(kernel, "auto") == 0);
    run_remarks_print(file, world, totals);
    dunlin_result result = print_flock(file, meter, world, error);
    if (result == DUNLIN_OK) fputc('\n', file);
    return result;
}
