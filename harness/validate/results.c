/* SPDX-License-Identifier: MIT */
#include "harness/validate/results.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char header[] = "commit,size,model,trial,sample,first,second\n";

static int find(const trial_list *list, const char *kind, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(kind, trial_kind_names[list->at[i].kind]) == 0 && strcmp(name, list->at[i].name) == 0) return i;
    return -1;
}

/* Ignores a line that belongs to something else. */
static void take_line(trial_results *results, const results_stamp *stamp, char *line) {
    enum { COMMIT, SIZE, KIND, NAME, SAMPLE, FIRST, SECOND, FIELDS };
    char *field[FIELDS], *at = line, *end = strchr(line, '\n');
    int count = 0;
    double number;
    trial_sample sample;
    if (!end) return; /* it was not written to its end */
    *end = '\0';
    while (at && count < FIELDS) field[count++] = csv_next(&at);
    if (at || count < FIELDS || strcmp(field[COMMIT], stamp->commit) != 0 || strcmp(field[SIZE], stamp->size) != 0) return;
    if (!csv_read_number(field[SAMPLE], &number) || !csv_read_number(field[FIRST], &sample.figure[0]) ||
        !csv_read_number(field[SECOND], &sample.figure[1]))
        return;
    const int i = find(&results->list, field[KIND], field[NAME]);
    if (i >= 0 && number >= 0.0 && number < results->list.at[i].samples) results->of[i].samples[(int)number] = sample;
}

/* Until they are found, samples are NaN. */
static void forget(trial_results *results) {
    for (int i = 0; i < results->list.count; i++)
        for (int s = 0; s < results->list.at[i].samples; s++) results->of[i].samples[s].figure[0] = (double)NAN;
}

static void mark(trial_results *results) {
    for (int i = 0; i < results->list.count; i++) {
        results->of[i].is_there = true;
        for (int s = 0; s < results->list.at[i].samples; s++)
            results->of[i].is_there &= !isnan(results->of[i].samples[s].figure[0]);
    }
}

dunlin_result results_read(trial_results *results, const char *path, const results_stamp *stamp, dunlin_error *error) {
    char line[512];
    forget(results);
    dunlin_result result = csv_check(path, header, error);
    FILE *file = result == DUNLIN_OK ? fopen(path, "r") : NULL;
    if (!file) return result;
    while (fgets(line, sizeof line, file)) take_line(results, stamp, line);
    if (ferror(file)) result = bench_fail(error, DUNLIN_ERROR_FILE, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    mark(results);
    return result;
}

dunlin_result results_append(const char *path, const results_stamp *stamp, const trial *t, const trial_sample *samples,
                             dunlin_error *error) {
    output_file file;
    dunlin_result result = csv_open(&file, path, header, error);
    if (result != DUNLIN_OK) return result;
    for (int i = 0; i < t->samples; i++) {
        const char *const texts[] = {stamp->commit, stamp->size, trial_kind_names[t->kind], t->name};
        for (int text = 0; text < 4; text++) csv_text(file.stream, texts[text]);
        csv_count(file.stream, (uint64_t)i);
        for (int f = 0; f < TRIAL_FIGURES; f++) csv_exact_number(file.stream, samples[i].figure[f]);
        csv_end_row(file.stream);
    }
    return output_file_finish(&file, error);
}
