/* SPDX-License-Identifier: MIT */
/* The curves behind the surveys of the last state, as CSV: a row per point. */
#include "harness/program/output.h"
#include "harness/report/csv.h"

typedef struct curve_writer {
    FILE *file;
    const char *species;
} curve_writer;

static void write_point(void *context, const char *curve, double x, double y, uint64_t count) {
    const curve_writer *writer = context;
    csv_text(writer->file, writer->species);
    csv_text(writer->file, curve);
    csv_number(writer->file, x);
    csv_number(writer->file, y);
    csv_count(writer->file, count);
    csv_end_row(writer->file);
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    output_file *file = state;
    dunlin_result result = DUNLIN_OK;
    fputs("species,curve,x,y,count\n", file->stream);
    for (int species = 0; species < dunlin_world_species_count(run->world) && result == DUNLIN_OK; species++) {
        curve_writer writer = {file->stream, dunlin_world_get_species(run->world, species).name};
        result = metrics_draw(&run->meter, run->world, species, write_point, &writer, error);
    }
    return result == DUNLIN_OK ? output_file_finish(file, error) : result;
}

const output_type output_curves = {
    .bytes = sizeof(output_file), .option = "--curves", .path = offsetof(run_options, curves), .finish = finish};
