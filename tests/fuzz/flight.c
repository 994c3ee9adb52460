/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/checks.h"
#include "tests/fuzz/flight.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEFINITIONS = 24 };

int flight_every_variant(flight_variant variants[FLIGHT_WORLDS], unsigned turn) {
    int count = 0;
    for (int threads = 1; threads <= 3; threads++) variants[count++] = (flight_variant){"scalar", threads};
    for (int k = 0; k < dunlin_kernel_count() && count < FLIGHT_WORLDS; k++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(k);
        if (!kernel.runs_here || kernel.fast || strcmp(kernel.name, "scalar") == 0) continue;
        variants[count] = (flight_variant){kernel.name, 1 + (int)((turn + (unsigned)count) % 3)};
        count++;
    }
    return count;
}

void *flight_array(uint32_t words) {
    void *array = calloc(words ? words : 1, sizeof(float));
    if (!array) abort();
    return array;
}

/* ---- what must be the same --------------------------------------------------------------------------------------------- */

_Noreturn void flight_fail(const flight *f, int position, const char *what) {
    fprintf(stderr, "FLIGHT: after %" PRIu32 " calls and %" PRIu64 " steps, %s on %d threads (world %d, index %s): %s\n",
            f->calls, f->so_far.steps, f->variants[position].kernel, f->variants[position].threads, position,
            f->world[position] ? dunlin_world_get_def(f->world[position]).index : "none", what);
    abort();
}

void flight_note(flight *f, int position, dunlin_result result, const dunlin_error *error, const char *call) {
    check_answer(result, error, call);
    if (position == 0) {
        if (getenv("FLIGHT_TRACE")) fprintf(stderr, "%s: %d %s\n", call, result, error->message);
        f->result = result;
        f->error = *error;
        return;
    }
    if (result == f->result && (result == DUNLIN_OK || strcmp(error->message, f->error.message) == 0)) return;
    fprintf(stderr, "FLIGHT: %s answers %d, \"%s\"; the first world's answer is %d, \"%s\"\n", call, result, error->message,
            f->result, f->error.message);
    flight_fail(f, position, "another answer");
}

void flight_compare(flight *f) {
    f->hash = dunlin_world_state_hash(f->world[0]);
    for (int w = 1; w < f->count; w++)
        if (dunlin_world_state_hash(f->world[w]) != f->hash) flight_fail(f, w, "another state");
}

/* ---- beginning and end ------------------------------------------------------------------------------------------------- */

static dunlin_world_def read_head(flight *f) {
    static const char *const indexes[] = {"grid", "tree", "brute", "auto"};
    dunlin_world_def def = dunlin_world_def_default();
    def.index = indexes[bytes_choice(&f->bytes, 4)];
    def.dimensions = 2 + (int)bytes_choice(&f->bytes, 2);
    def.boundary = (dunlin_boundary)bytes_choice(&f->bytes, 4);
    for (unsigned edits = bytes_choice(&f->bytes, 6); edits > 0; edits--) flight_edit_world(f, &def);
    return def;
}

static dunlin_result create(const flight *f, int position, dunlin_world_def def, dunlin_world **world, dunlin_error *error) {
    def.kernel = f->variants[position].kernel;
    def.threads = f->variants[position].threads;
    def.executor = position % 2 ? "pthreads" : "auto";
    return dunlin_world_create(&def, world, error);
}

bool flight_begin(flight *f) {
    f->bytes = (fuzz_bytes){f->data, f->end};
    const dunlin_world_def def = read_head(f);
    for (int w = 0; w < f->count; w++) {
        dunlin_error error = {0};
        flight_note(f, w, create(f, w, def, &f->world[w], &error), &error, "dunlin_world_create");
        if (!f->world[w] == (f->result == DUNLIN_OK)) flight_fail(f, w, "a world, or none, against the answer");
    }
    if (f->result != DUNLIN_OK) return false;
    for (int call = 0; call < MOST_DEFINITIONS && flight_define(f); call++) continue;
    return true;
}

void flight_end(flight *f) {
    for (int w = 0; w < f->count; w++) dunlin_world_destroy(f->world[w]);
}

flight_result flight_fly(const uint8_t *data, size_t size, const flight_variant *variants, int count,
                         const flight_limits *limits) {
    flight *f = calloc(1, sizeof *f);
    if (!f || !(f->plan = calloc(FLIGHT_PLANS, sizeof *f->plan))) abort();
    f->data = data;
    f->end = data + size;
    f->variants = variants;
    f->count = count;
    f->limits = limits;
    if (flight_begin(f)) {
        flight_populate(f);
        flight_compare(f);
        while (flight_act(f)) f->calls++;
    }
    flight_end(f);
    const flight_result result = f->so_far;
    free(f->plan);
    free(f);
    return result;
}
