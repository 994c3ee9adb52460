/* SPDX-License-Identifier: MIT */
#include "harness/report/metrics_file.h"
#include "harness/report/csv.h"

void metrics_file_begin(FILE *file) {
    fputs("step,species,agents,polarization,rotation,mean_speed,mean_neighbours,neighbour_radius,mean_nearest,outside\n", file);
}

static void write_row(FILE *file, uint64_t step, const char *species, const dunlin_metrics *row) {
    csv_count(file, step);
    csv_text(file, species);
    csv_count(file, row->agents);
    csv_number(file, row->polarization);
    csv_number(file, row->rotation);
    csv_number(file, row->mean_speed);
    csv_number(file, row->mean_neighbours);
    csv_number(file, row->neighbour_radius);
    csv_number(file, row->mean_nearest);
    csv_count(file, row->outside);
    csv_end_row(file);
}

dunlin_result metrics_file_append(FILE *file, dunlin_world *world, dunlin_error *error) {
    for (int i = 0; i < dunlin_world_species_count(world); i++) {
        dunlin_metrics row;
        dunlin_result result = dunlin_world_measure(world, i, &row, error);
        if (result != DUNLIN_OK) return result;
        write_row(file, dunlin_world_stats(world).step, dunlin_world_get_species(world, i).name, &row);
    }
    return DUNLIN_OK;
}
