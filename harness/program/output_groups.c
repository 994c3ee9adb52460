/* SPDX-License-Identifier: MIT */
/* Sums over the groups of species that have some, as CSV: a row per step, species and group with agents. */
#include "harness/program/output.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"

typedef struct groups_output {
    output_file file;
    bool has_head; /* not before all outputs are open: an error must leave nothing behind */
} groups_output;

static const char *path(const run_options *options) {
    return options->groups;
}

static uint64_t every(const run_options *options) {
    return options->groups_every;
}

static dunlin_result check_groups(const dunlin_world *world, dunlin_error *error) {
    for (int s = 0; s < dunlin_world_species_count(world); s++)
        if (dunlin_world_get_species(world, s).groups > 0) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_VALUE, "--groups: no species of the scenario has groups");
}

/* With checkpoints in place: a run that continues from one needs the rows that were written before it. */
static dunlin_result open(void *state, run_context *run, dunlin_error *error) {
    groups_output *output = state;
    dunlin_result result = check_groups(run->world, error);
    if (result != DUNLIN_OK) return result;
    return run->options->checkpoint ? output_file_open_in_place(&output->file, run->options->groups, 0, error)
                                    : output_file_open(&output->file, run->options->groups, error);
}

/* The mark is the length of the file. */
static dunlin_result mark(void *state, run_context *run, uint64_t *length, dunlin_error *error) {
    groups_output *output = state;
    (void)run;
    return output_file_sync(&output->file, length, error);
}

static dunlin_result reopen(void *state, run_context *run, uint64_t length, dunlin_error *error) {
    groups_output *output = state;
    output->has_head = true;
    dunlin_result result = output_file_open_in_place(&output->file, run->options->groups, length, error);
    return result == DUNLIN_OK ? output_file_cut(&output->file, length, error) : result;
}

static dunlin_result begin(groups_output *output, run_context *run, dunlin_error *error) {
    const bool space = dunlin_world_get_def(run->world).dimensions == 3;
    dunlin_result result = run->options->checkpoint ? output_file_cut(&output->file, 0, error) : DUNLIN_OK;
    if (result == DUNLIN_OK)
        fprintf(output->file.stream, "step,species,group,agents,leader,x,y,%svx,vy,%sspread,polarization\n", space ? "z," : "",
                space ? "vz," : "");
    output->has_head = true;
    return result;
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
    groups_output *output = state;
    dunlin_result result = output->has_head ? DUNLIN_OK : begin(output, run, error);
    for (int s = 0; s < dunlin_world_species_count(run->world) && result == DUNLIN_OK; s++)
        result = put_species(output->file.stream, run->world, s, error);
    return result == DUNLIN_OK ? output_file_check(&output->file, error) : result;
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    groups_output *output = state;
    (void)run;
    return output_file_finish(&output->file, error);
}

static void drop(void *state) {
    groups_output *output = state;
    output_file_drop(&output->file);
}

const output_type output_groups = {.bytes = sizeof(groups_output),
                                   .option = "--groups",
                                   .path = path,
                                   .open = open,
                                   .every = every,
                                   .record = record,
                                   .finish = finish,
                                   .mark = mark,
                                   .reopen = reopen,
                                   .drop = drop};
