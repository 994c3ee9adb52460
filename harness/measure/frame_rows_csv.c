/* SPDX-License-Identifier: MIT */
#include "harness/measure/frame_rows.h"
#include "harness/report/csv.h"

static const char header[] =
    "date,commit,compiler,flags,cpu,cores,os,pinning,kernel,index,threads,dimensions,agents,neighbours,distribution,steps,"
    "repeats,"
    "agent_updates_per_second,agent_updates_per_second_min,agent_updates_per_second_max,pairs_tested_per_second,"
    "pairs_useful_per_second,pairs_tested_per_agent,neighbours_found,ms_snapshot,ms_interact,ms_steer,ms_integrate,ms_frame,"
    "bytes_per_agent,hash\n";

static void write_machine(FILE *file, const machine *host) {
    csv_text(file, host->date);
    csv_text(file, host->commit);
    csv_text(file, host->compiler);
    csv_text(file, host->flags);
    csv_text(file, host->cpu);
    csv_count(file, (uint64_t)host->cores);
    csv_text(file, host->os);
    csv_text(file, host->pinning);
}

static void write_case(FILE *file, const frame_row *row) {
    csv_text(file, row->kernel);
    csv_text(file, row->index);
    csv_count(file, (uint64_t)row->threads);
    csv_count(file, (uint64_t)row->workload.dimensions);
    csv_count(file, row->workload.agents);
    csv_number(file, row->workload.neighbours);
    csv_text(file, bench_distribution_name(row->workload.distribution));
    csv_count(file, (uint64_t)row->steps);
    csv_count(file, (uint64_t)row->repeats);
}

static void write_figures(FILE *file, const frame_row *row) {
    const double figures[] = {row->agent_updates_per_second,
                              row->agent_updates_per_second_min,
                              row->agent_updates_per_second_max,
                              row->pairs_tested_per_second,
                              row->pairs_useful_per_second,
                              row->pairs_tested_per_agent,
                              row->neighbours_found,
                              row->ms.snapshot,
                              row->ms.interact,
                              row->ms.steer,
                              row->ms.integrate,
                              row->ms.frame,
                              row->bytes_per_agent};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) csv_number(file, figures[i]);
    csv_hash(file, row->hash);
}

dunlin_result frame_rows_check_csv(const char *path, dunlin_error *error) {
    return csv_check(path, header, error);
}

dunlin_result frame_rows_append_csv(const char *path, const machine *host, const frame_row *rows, int count,
                                    dunlin_error *error) {
    output_file file;
    dunlin_result result = csv_open(&file, path, header, error);
    if (result != DUNLIN_OK) return result;
    for (int i = 0; i < count; i++) {
        if (rows[i].repeats == 0) continue;
        write_machine(file.stream, host);
        write_case(file.stream, &rows[i]);
        write_figures(file.stream, &rows[i]);
        csv_end_row(file.stream);
    }
    return output_file_finish(&file, error);
}
