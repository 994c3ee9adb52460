/* SPDX-License-Identifier: MIT */
#include "metrics_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static dunlin_result fail(const metrics_file *metrics, dunlin_error *error) {
    error->code = DUNLIN_ERROR_FILE;
    snprintf(error->message, sizeof error->message, "cannot write %s: %s", metrics->path, strerror(errno));
    return error->code;
}

dunlin_result metrics_file_open(metrics_file *metrics, const char *work_path, const char *path, dunlin_error *error) {
    *metrics = (metrics_file){.path = path};
    if (work_path == NULL) return DUNLIN_OK;
    metrics->file = fopen(work_path, "w");
    if (metrics->file == NULL) return fail(metrics, error);
    fputs("step,species,agents,polarization,rotation,mean_speed,mean_neighbours,neighbour_radius,mean_nearest,outside\n",
          metrics->file);
    return DUNLIN_OK;
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

dunlin_result metrics_file_append(metrics_file *metrics, dunlin_world *world, dunlin_error *error) {
    if (metrics->file == NULL) return DUNLIN_OK;
    for (int i = 0; i < dunlin_world_species_count(world); ++i) {
        dunlin_metrics row;
        dunlin_result result = dunlin_world_measure(world, i, &row, error);
        if (result != DUNLIN_OK) return result;
        write_row(metrics->file, dunlin_world_stats(world).step, dunlin_world_species_def(world, i).name, &row);
    }
    /* A full disk is noticed now and not after an hour of further steps. */
    return ferror(metrics->file) ? fail(metrics, error) : DUNLIN_OK;
}

dunlin_result metrics_file_close(metrics_file *metrics, dunlin_error *error) {
    if (metrics->file == NULL) return DUNLIN_OK;
    bool failed = ferror(metrics->file) != 0;
    failed = fclose(metrics->file) != 0 || failed;
    metrics->file = NULL;
    return failed ? fail(metrics, error) : DUNLIN_OK;
}
