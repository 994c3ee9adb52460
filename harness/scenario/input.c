/* SPDX-License-Identifier: MIT */
#include "engine/base/stream.h"
#include "harness/report/broadcast.h"
#include "harness/scenario/grid.h"
#include "harness/scenario/scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is to be read, on its way to being read. */
typedef struct request {
    const char *name; /* as the scenario has it */
    char *folder;     /* the scenario's, */
    char *path;       /* and the file's, links resolved */
    char *problem;
} request;

bool dun_input_fail(char problem[SCENARIO_PROBLEM_LENGTH], const char *name, size_t line, const char *format, ...) {
    int length = line > 0 ? snprintf(problem, SCENARIO_PROBLEM_LENGTH, "%.80s:%zu: ", name, line)
                          : snprintf(problem, SCENARIO_PROBLEM_LENGTH, "%.80s: ", name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem + length, SCENARIO_PROBLEM_LENGTH - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

#define FAIL(r, ...) dun_input_fail((r)->problem, (r)->name, 0, __VA_ARGS__)

static bool fail_outside(const request *r) {
    return FAIL(r, "it lies outside the scenario's folder; allowed: files in it or below, or any with --allow-outside");
}

/* Messages do not say whether a file outside the folder exists. */
static bool may_lead_outside(const char *name) {
    return *name == '/' || strstr(name, "..");
}

static bool lies_in(const char *path, const char *folder) {
    const size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool find_file(request *r, const char *folder, bool allow_outside) {
    char *joined = NULL;
    r->folder = realpath(folder, NULL);
    if (!r->folder) return FAIL(r, "the scenario's folder: %s", strerror(errno));
    if (asprintf(&joined, "%s/%s", *r->name == '/' ? "" : r->folder, r->name) < 0) return FAIL(r, "out of memory");
    r->path = realpath(joined, NULL);
    free(joined);
    if (!r->path) return !allow_outside && may_lead_outside(r->name) ? fail_outside(r) : FAIL(r, "%s", strerror(errno));
    return allow_outside || lies_in(r->path, r->folder) ? true : fail_outside(r);
}

/* Before it is opened: to open a device may do something, and to open a pipe may take for ever. */
static bool check_kind(const request *r, size_t most, size_t *length) {
    struct stat status;
    if (stat(r->path, &status) != 0) return FAIL(r, "%s", strerror(errno));
    if (S_ISDIR(status.st_mode)) return FAIL(r, "it is a folder; allowed: a file");
    if (!S_ISREG(status.st_mode)) return FAIL(r, "it is a device, pipe or socket; allowed: a file");
    if ((uint64_t)status.st_size > most)
        return FAIL(r, "it has %llu bytes; allowed here: %zu", (unsigned long long)status.st_size, most);
    *length = (size_t)status.st_size;
    return true;
}

static bool read_file(const request *r, size_t most, scenario_input *input) {
    size_t length = 0;
    if (!check_kind(r, most, &length)) return false;
    const int descriptor = dun_open(r->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    FILE *file = descriptor >= 0 ? dun_stream_of(descriptor, "r") : NULL;
    if (!file) return FAIL(r, "%s", strerror(errno));
    input->bytes = malloc(length + 1);
    if (input->bytes) input->length = fread(input->bytes, 1, length, file);
    const bool done = input->bytes && !ferror(file);
    if (!done) FAIL(r, "%s", input->bytes ? strerror(errno) : "out of memory");
    fclose(file);
    return done;
}

/* What the caller's function finds. */
static bool ask_caller(const request *r, const dunlin_scenario_def *files, size_t max_bytes, scenario_input *input) {
    size_t length = 0;
    const void *bytes = files->read(files->user, r->name, &length);
    if (!bytes) return FAIL(r, "there is no such file");
    if (length > max_bytes) return FAIL(r, "it has %zu bytes; allowed here: %zu", length, max_bytes);
    input->bytes = malloc(length + 1);
    if (!input->bytes) return FAIL(r, "out of memory");
    memcpy(input->bytes, bytes, length);
    input->length = length;
    return true;
}

static bool read_input(const dunlin_simulation *simulation, const char *name, size_t max_bytes, scenario_input *input,
                       char problem[SCENARIO_PROBLEM_LENGTH]) {
    request r = {.name = name, .problem = problem};
    if (simulation->files.read) return ask_caller(&r, &simulation->files, max_bytes, input);
    const bool done = find_file(&r, simulation->folder, simulation->files.allow_outside) && read_file(&r, max_bytes, input);
    free(r.folder);
    free(r.path);
    return done;
}

/* Rank 0 reads it for all. */
bool dun_input_read(const dunlin_simulation *simulation, const char *name, size_t max_bytes, scenario_input *input,
                    char problem[SCENARIO_PROBLEM_LENGTH]) {
    dunlin_error error = {.code = DUNLIN_ERROR_FILE};
    dunlin_result result = DUNLIN_OK;
    *input = (scenario_input){0};
    if (simulation->transport.rank == 0 && !read_input(simulation, name, max_bytes, input, error.message)) result = error.code;
    result = broadcast_bytes(&simulation->transport, result, &input->bytes, &input->length, &error);
    if (result) memcpy(problem, error.message, SCENARIO_PROBLEM_LENGTH);
    return result == DUNLIN_OK;
}

void dun_input_free(scenario_input *input) {
    free(input->bytes);
    *input = (scenario_input){0};
}
