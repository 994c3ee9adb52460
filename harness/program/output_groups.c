/* SPDX-License-Identifier: MIT */
/* Sums over the groups of species that have some, as CSV: a row per step, species and group with agents. */
#include "harness/program/output.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"

static dunlin_result check_groups(const dunlin_world *world, dunlin_error *error) {
    for (int s = 0; s < dunlin_world_species_count(world); s++)
        if (dunlin_world_get_species(world, s).groups > 0) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_VALUE, "--groups: no species of the scenario has groups");
}

static dunlin_result open(void *state, run_context *run, const char *path, dunlin_error *error) {
    dunlin_result result = check_groups(run->world, error);
    return result == DUNLIN_OK ? rows_open(state, run, path, error) : result;
}

static void write_head(FILE *file, const run_context *run) {
    const bool space = dunlin_world_get_def(run->world).dimensions == 3;
    fprintf(file, "step,species,group,agents,leader,x,y,%svx,vy,%sspread,polarization\n", space ? "z," : "",
            space ? "vz," : "");
}

static void put_group(FILE *file, const dunlin_group_sums *sums, uint32_t group) {
    csv_count(file, group);
    csv_count(file, sums->agents[group]);
    csv_count(file, sums->leader[group]);
    for (int a = 0; a < 3 && sums->centre[a]; a++) csv_number(file, (double)sums->centre[a][group]);
    for (int a = 0; a < 3 && sums->velocity[a]; a++) csv_number(file, (double)sums->velocity[a][group]);
    csv_number(file, (double)sums->spread[group]);
    csv_number(file, (double)sums->polarization[group]);
    csv_end_row(file);
}

static dunlin_result put_species(FILE *file, dunlin_world *world, int species, dunlin_error *error) {
    const dunlin_species_def def = dunlin_world_get_species(world, species);
    dunlin_group_sums sums;
    if (def.groups == 0) return DUNLIN_OK;
    dunlin_result result = dunlin_world_sum_groups(world, species, &sums, error);
    for (uint32_t g = 0; g < sums.count && result == DUNLIN_OK; g++) {
        if (sums.agents[g] == 0) continue;
        csv_count(file, dunlin_world_stats(world).step);
        csv_text(file, def.name);
        put_group(file, &sums, g);
    }
    return result;
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    rows_output *output = state;
    dunlin_result result = rows_begin(output, run, write_head, error);
    for (int s = 0; s < dunlin_world_species_count(run->world) && result == DUNLIN_OK; s++)
        result = put_species(output->file.stream, run->world, s, error);
    return result == DUNLIN_OK ? output_file_check(&output->file, error) : result;
}

const output_type output_groups = {.bytes = sizeof(rows_output),
                                   .option = "--groups",
                                   .path = offsetof(run_options, groups),
                                   .open = open,
                                   .every = offsetof(run_options, groups_every),
                                   .record = record,
                                   .mark = rows_mark,
                                   .reopen = rows_reopen};
