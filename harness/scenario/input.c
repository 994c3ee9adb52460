/* SPDX-License-Identifier: MIT */
#include "harness/scenario/input.h"
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

static bool fail(const request *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(const request *r, const char *format, ...) {
    int length = snprintf(r->problem, SCENARIO_PROBLEM_LENGTH, "%.80s: ", r->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->problem + length, SCENARIO_PROBLEM_LENGTH - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- where it is ------------------------------------------------------------------------------------------------------ */

static bool find_folder(const dunlin_flight *flight, request *r) {
    r->folder = realpath(flight->folder, NULL);
    return r->folder ? true : fail(r, "the scenario's folder: %s", strerror(errno));
}

static bool fail_outside(const request *r) {
    return fail(r, "it lies outside the scenario's folder; allowed: files in it or below, or any with --allow-outside");
}

/* Of what is outside, messages do not tell whether it is there. */
static bool may_lead_outside(const char *name) {
    return *name == '/' || strstr(name, "..");
}

static bool lies_in(const char *path, const char *folder) {
    const size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool find_file(request *r, bool allow_outside) {
    char *joined = NULL;
    if (*r->name == '/') {
        joined = strdup(r->name);
    } else if (asprintf(&joined, "%s/%s", r->folder, r->name) < 0) {
        joined = NULL;
    }
    r->path = joined ? realpath(joined, NULL) : NULL;
    free(joined);
    if (!r->path) return !allow_outside && may_lead_outside(r->name) ? fail_outside(r) : fail(r, "%s", strerror(errno));
    return allow_outside || lies_in(r->path, r->folder) ? true : fail_outside(r);
}

/* ---- what is in it ---------------------------------------------------------------------------------------------------- */

/* Before it is opened: to open a device may do something, and to open a pipe may take for ever. */
static bool check_kind(const request *r, size_t most, size_t *length) {
    struct stat status;
    if (stat(r->path, &status) != 0) return fail(r, "%s", strerror(errno));
    if (S_ISDIR(status.st_mode)) return fail(r, "it is a folder; allowed: a file");
    if (!S_ISREG(status.st_mode)) return fail(r, "it is a device, pipe or socket; allowed: a file");
    if ((uint64_t)status.st_size > most)
        return fail(r, "it has %llu bytes; allowed here: %zu", (unsigned long long)status.st_size, most);
    *length = (size_t)status.st_size;
    return true;
}

static bool read_all(const request *r, int descriptor, scenario_input *input) {
    const size_t wanted = input->length;
    input->length = 0;
    while (input->length < wanted) {
        const ssize_t got = read(descriptor, input->bytes + input->length, wanted - input->length);
        if (got < 0) return fail(r, "%s", strerror(errno));
        if (got == 0) break;
        input->length += (size_t)got;
    }
    return true;
}

static bool read_file(const request *r, size_t most, scenario_input *input) {
    if (!check_kind(r, most, &input->length)) return false;
    const int descriptor = open(r->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return fail(r, "%s", strerror(errno));
    input->bytes = malloc(input->length + 1);
    const bool done = input->bytes ? read_all(r, descriptor, input) : fail(r, "out of memory");
    close(descriptor);
    return done;
}

/* What the caller's function finds. */
static bool ask_caller(const request *r, const dunlin_scenario_def *files, size_t max_bytes, scenario_input *input) {
    size_t length = 0;
    const void *bytes = files->read(files->user, r->name, &length);
    if (!bytes) return fail(r, "there is no such file");
    if (length > max_bytes) return fail(r, "it has %zu bytes; allowed here: %zu", length, max_bytes);
    input->bytes = malloc(length + 1);
    if (!input->bytes) return fail(r, "out of memory");
    memcpy(input->bytes, bytes, length);
    input->length = length;
    return true;
}

bool dun_input_read(const dunlin_flight *flight, const char *name, size_t max_bytes, scenario_input *input,
                    char problem[SCENARIO_PROBLEM_LENGTH]) {
    request r = {.name = name, .problem = problem};
    *input = (scenario_input){0};
    if (flight->files.read) return ask_caller(&r, &flight->files, max_bytes, input);
    const bool done = find_folder(flight, &r) && find_file(&r, flight->files.allow_outside) && read_file(&r, max_bytes, input);
    free(r.folder);
    free(r.path);
    return done;
}

void dun_input_free(scenario_input *input) {
    free(input->bytes);
    *input = (scenario_input){0};
}
