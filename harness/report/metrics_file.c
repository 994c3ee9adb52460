/* SPDX-License-Identifier: MIT */
#include "harness/report/metrics_file.h"

#include <inttypes.h>
#include <math.h>

void metrics_file_begin(FILE *file) {
    fputs("step,species,agents,polarization,rotation,mean_speed,mean_neighbours,neighbour_radius,mean_nearest,outside\n", file);
}

static void write_number(FILE *file, double value) {
    if (isnan(value)) {
        fputc(',', file);
    } else {
        fprintf(file, ",%.9g", value);
    }
}

static void write_row(FILE *file, uint64_t step, const char *species, const dunlin_metrics *row) {
    fprintf(file, "%" PRIu64 ",%s,%" PRIu64, step, species, row->agents);
    write_number(file, row->polarization);
    write_number(file, row->rotation);
    write_number(file, row->mean_speed);
    write_number(file, row->mean_neighbours);
    write_number(file, row->neighbour_radius);
    write_number(file, row->mean_nearest);
    fprintf(file, ",%" PRIu64 "\n", row->outside);
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
