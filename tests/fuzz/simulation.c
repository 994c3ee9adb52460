/* SPDX-License-Identifier: MIT */
#include "engine/cluster/cluster.h"
#include "engine/world/edges.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/simulation.h"
#include "tests/lib/float_modes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEFINITIONS = 24 };

int simulation_every_variant(simulation_variant variants[SIMULATION_WORLDS], unsigned turn) {
    int count = 0;
    for (int threads = 1; threads <= 3; threads++)
        variants[count++] = (simulation_variant){.kernel = "scalar", .threads = threads};
    for (int k = 0; k < dunlin_kernel_count() && count < SIMULATION_WORLDS; k++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(k);
        if (!kernel.runs_here || strcmp(kernel.name, "scalar") == 0) continue;
        variants[count] = (simulation_variant){.kernel = kernel.name, .threads = 1 + (int)((turn + (unsigned)count) % 3)};
        count++;
    }
    for (int i = 1; i < count; i++) variants[i].float_mode = (int)(turn + (unsigned)i) % FLOAT_MODES;
    return count;
}

size_t simulation_draw_bytes(uint64_t seed, uint64_t number, uint8_t bytes[SIMULATION_BYTES]) {
    float numbers[4];
    for (size_t i = 0; i < SIMULATION_BYTES; i++) {
        if (i % 4 == 0) dunlin_draw(seed, (uint32_t)number, i, 0, numbers);
        bytes[i] = (uint8_t)(numbers[i % 4] * 256.0f);
    }
    return 300u + bytes[0] + bytes[1];
}

void *simulation_array(uint32_t words) {
    void *array = calloc(words ? words : 1, sizeof(float));
    if (!array) abort();
    return array;
}

/* ---- what must be the same --------------------------------------------------------------------------------------------- */

_Noreturn void simulation_fail(const simulation *f, int position, const char *what) {
    fprintf(stderr,
            "SIMULATION: after %" PRIu32 " calls and %" PRIu64 " steps, %s on %d threads (world %d, index %s, host %s): %s\n",
            f->calls, f->so_far.steps, f->variants[position].kernel, f->variants[position].threads, position,
            f->world[position] ? dunlin_world_get_def(f->world[position]).index : "none",
            float_mode_name(f->variants[position].float_mode), what);
    abort();
}

/* Of several agents that a call cannot take, a part names another one than the whole flock. */
static bool same_message(const simulation *f, int position, const dunlin_error *error) {
    const char *want = f->error.message;
    return strcmp(error->message, want) == 0 ||
           (f->variants[position].transport && (strstr(want, "id ") || strstr(want, "agent ")));
}

void simulation_enter(const simulation *f, int position) {
    float_mode_set(f->variants[position].float_mode);
}

void simulation_leave(const simulation *f, int position) {
    const bool kept = float_mode_kept();
    float_mode_set(0);
    if (!kept) simulation_fail(f, position, "the host's floating-point mode has changed");
}

void simulation_note(simulation *f, int position, dunlin_result result, const dunlin_error *error, const char *call) {
    check_answer(result, error, call);
    if (position == 0) {
        if (getenv("SIMULATION_TRACE")) fprintf(stderr, "%s: %d %s\n", call, result, error->message);
        f->result = result;
        f->error = *error;
        return;
    }
    if (result == f->result && (result == DUNLIN_OK || same_message(f, position, error))) return;
    fprintf(stderr, "SIMULATION: %s answers %d, \"%s\"; the first world's answer is %d, \"%s\"\n", call, result, error->message,
            f->result, f->error.message);
    simulation_fail(f, position, "another answer");
}

void simulation_compare(simulation *f) {
    f->hash = dunlin_world_state_hash(f->world[0]);
    for (int w = 1; w < f->count; w++)
        if (dunlin_world_state_hash(f->world[w]) != f->hash) simulation_fail(f, w, "another state");
}

/* ---- parts ------------------------------------------------------------------------------------------------------------- */

bool simulation_holds_whole(const simulation *f, int position) {
    const dunlin_transport *transport = f->variants[position].transport;
    return !transport || transport->rank == 0;
}

/* Agents lie as those of the first world. */
static void check_order(const simulation *f, int position) {
    for (int s = 0; s < dunlin_world_species_count(f->world[0]); s++) {
        const dunlin_view got = dunlin_world_view(f->world[position], s), want = dunlin_world_view(f->world[0], s);
        if (got.count != want.count || (want.count > 0 && memcmp(got.id, want.id, want.count * sizeof *want.id) != 0))
            simulation_fail(f, position, "another storage order");
    }
}

void simulation_gather(const simulation *f, int position) {
    dunlin_error error = {0};
    if (!f->variants[position].transport) return;
    if (dunlin_world_gather(f->world[position], &error) != DUNLIN_OK) simulation_fail(f, position, error.message);
    if (simulation_holds_whole(f, position)) check_order(f, position);
}

void simulation_share(const simulation *f, int position) {
    dunlin_error error = {0};
    if (!f->variants[position].transport) return;
    if (dunlin_world_share(f->world[position], &error) != DUNLIN_OK) simulation_fail(f, position, error.message);
}

static bool has_axes(const dunlin_world_def *def) {
    return def->dimensions == 2 || def->dimensions == 3;
}

static bool is_open(const dunlin_world_def *def) {
    return has_axes(def) && dun_is_open(def);
}

void simulation_bound(const simulation *f, dunlin_world_def *def) {
    if (!f->parted || !is_open(def)) return;
    def->boundary = DUNLIN_BOUNDARY_PERIODIC;
    for (int a = 0; a < 3; a++) def->axis_boundary[a] = DUNLIN_BOUNDARY_SAME;
}

/* Parts refuse what they do not have; then they get what comes nearest. */
static void refuse_part(const simulation *f, int position, dunlin_world_def *def) {
    dunlin_world *world = NULL;
    dunlin_error error = {0};
    const bool open = is_open(def);
    if (!open && strcmp(def->index, "tree") != 0 && strcmp(def->index, "brute") != 0) return;
    const dunlin_result result = dunlin_world_create_part(def, f->variants[position].transport, &world, &error);
    check_answer(result, &error, "dunlin_world_create_part");
    if (result != DUNLIN_ERROR_VALUE || world || !strstr(error.message, open ? "world.boundary is open" : "world.index is"))
        simulation_fail(f, position, "a part is not refused");
    simulation_bound(f, def);
    def->index = "grid";
}

/* ---- beginning and end ------------------------------------------------------------------------------------------------- */

static dunlin_world_def read_head(simulation *f) {
    static const char *const indexes[] = {"grid", "tree", "brute", "auto"};
    dunlin_world_def def = dunlin_world_def_default();
    def.index = indexes[bytes_choice(&f->bytes, 4)];
    def.dimensions = 2 + (int)bytes_choice(&f->bytes, 2);
    def.boundary = (dunlin_boundary)bytes_choice(&f->bytes, 4);
    for (unsigned edits = bytes_choice(&f->bytes, 6); edits > 0; edits--) simulation_edit_world(f, &def);
    return def;
}

static dunlin_result create(const simulation *f, int position, dunlin_world_def def, dunlin_world **world,
                            dunlin_error *error) {
    def.kernel = f->variants[position].kernel;
    def.threads = f->variants[position].threads;
    def.executor = position % 2 ? "pthreads" : "auto";
    if (!f->variants[position].transport) return dunlin_world_create(&def, world, error);
    const dunlin_result result = dunlin_world_create_part(&def, f->variants[position].transport, world, error);
    if (*world) dun_cut_at_random(*world, f->variants[position].cut_seed);
    return result;
}

bool simulation_begin(simulation *f) {
    f->bytes = (fuzz_bytes){f->data, f->end};
    dunlin_world_def def = read_head(f);
    for (int w = 0; w < f->count; w++) f->parted = f->parted || f->variants[w].transport;
    for (int w = 0; w < f->count; w++)
        if (f->variants[w].transport) refuse_part(f, w, &def);
    for (int w = 0; w < f->count; w++) {
        dunlin_error error = {0};
        simulation_enter(f, w);
        const dunlin_result result = create(f, w, def, &f->world[w], &error);
        simulation_leave(f, w);
        simulation_note(f, w, result, &error, "dunlin_world_create");
        if (!f->world[w] == (f->result == DUNLIN_OK)) simulation_fail(f, w, "a world, or none, against the answer");
    }
    if (f->result != DUNLIN_OK) return false;
    for (int call = 0; call < MOST_DEFINITIONS && simulation_define(f); call++) continue;
    return true;
}

void simulation_end(simulation *f) {
    for (int w = 0; w < f->count; w++) dunlin_world_destroy(f->world[w]);
}

simulation_result simulation_advance(const uint8_t *data, size_t size, const simulation_variant *variants, int count,
                                     const simulation_limits *limits) {
    simulation *f = calloc(1, sizeof *f);
    if (!f || !(f->plan = calloc(SIMULATION_PLANS, sizeof *f->plan))) abort();
    f->data = data;
    f->end = data + size;
    f->variants = variants;
    f->count = count;
    f->limits = limits;
    if (simulation_begin(f)) {
        simulation_populate(f);
        simulation_compare(f);
        while (simulation_act(f)) f->calls++;
    }
    simulation_end(f);
    const simulation_result result = f->so_far;
    free(f->plan);
    free(f);
    return result;
}
