/* SPDX-License-Identifier: MIT */
/*
 * soak_scenarios SCENARIOS [--seed N] [--from N] [--scenario N]: runs random scenarios (random_scenario.h), each in one world,
 * and then on 2 to 7 ranks that are threads. After each step all ranks compare the call's answer, the state's hash and the
 * counts, and at the end rank 0 compares checkpoints, byte by byte. soak_scenarios --print N [SEED] prints one.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dunlin/scenario.h>

#include "engine/cluster/cluster.h"
#include "tests/lib/local.h"
#include "tests/fuzz/soak_ranks.h"
#include "tests/lib/random_scenario.h"

enum { STEPS = 16, MOST_AGENTS = 6000 };
#define MOST_PAIRS UINT64_C(3000000) /* tested in a step */

/* What a call has left: the first one makes the simulation, the others are steps. */
typedef struct moment {
    dunlin_result result;
    dunlin_error error;
    uint64_t hash;
    dunlin_stats stats;
} moment;

typedef struct course {
    char *text;
    simulation_variant part;
    int moments;
    moment moment[STEPS + 1]; /* of one world */
    unsigned char *saved;     /* [bytes] its last state; NULL: it was refused */
    unsigned char *parts;     /* [bytes] the same, as ranks write it side by side */
    size_t bytes;
} course;

/* ---- what must be the same --------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static _Noreturn void differ(const dunlin_transport *t, int call, const char *format,
                                                                   ...) {
    char what[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fprintf(stderr, "RANKS: rank %u, step %d: %s\n", t->rank, call, what);
    abort();
}

#define SAME(number)                                                                                                           \
    if (got->number != want->number)                                                                                           \
    differ(t, call, #number " is %" PRIu64 " instead of %" PRIu64, (uint64_t)got->number, (uint64_t)want->number)

static void same_moment(const dunlin_transport *t, int call, const moment *got, const moment *want) {
    if (got->result != want->result || strcmp(got->error.message, want->error.message) != 0)
        differ(t, call, "the answer is %d, \"%s\", instead of %d, \"%s\"", got->result, got->error.message, want->result,
               want->error.message);
    SAME(stats.agents);
    SAME(stats.births);
    SAME(stats.deaths);
    SAME(stats.cells);
    SAME(stats.pairs_useful);
    if (got->hash != want->hash) differ(t, call, "the hash is %016" PRIx64 " instead of %016" PRIx64, got->hash, want->hash);
}

static void same_bytes(const course *c, const dunlin_transport *t, const char *what, const unsigned char *saved, size_t bytes) {
    size_t same = 0;
    while (same < bytes && same < c->bytes && saved[same] == c->saved[same]) same++;
    if (bytes != c->bytes || same < bytes)
        differ(t, c->moments - 1, "the checkpoint %s differs from byte %zu on: it has %zu bytes, and that of one world %zu",
               what, same, bytes, c->bytes);
}

/* Storage order, clocks, ids that are spent, traces, what is due to be born: all that the next step reads. */
static void same_checkpoint(const course *c, const dunlin_transport *t, const dunlin_simulation *f) {
    const size_t bytes = dunlin_simulation_saved_bytes(f);
    unsigned char *saved = malloc(bytes);
    dunlin_error error;
    if (!saved || dunlin_simulation_save_memory(f, saved, bytes, &error)) abort();
    same_bytes(c, t, "of rank 0", saved, bytes);
    free(saved);
}

static bool put(void *context, const void *bytes, size_t count, uint64_t at) {
    const course *c = context;
    if (at > c->bytes || count > c->bytes - at) return false;
    memcpy(c->parts + at, bytes, count);
    return true;
}

static void same_parts(course *c, const dunlin_transport *t, const dunlin_simulation *f) {
    dunlin_error error;
    if (dunlin_simulation_save_parts(f, put, c, &error)) differ(t, c->moments, "%s", error.message);
    if (t->rank == 0) same_bytes(c, t, "of all ranks", c->parts, c->bytes);
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

static dunlin_result make(const course *c, const dunlin_transport *t, dunlin_simulation **f, dunlin_error *error) {
    dunlin_scenario *scenario = NULL;
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.kernel = t ? c->part.kernel : "scalar";
    def.threads = t ? c->part.threads : 1;
    def.transport = t;
    *f = NULL;
    dunlin_result result = dunlin_scenario_open_text(c->text, strlen(c->text), NULL, &scenario, error);
    if (!result) result = dunlin_simulation_create(scenario, &def, f, error);
    dunlin_scenario_close(scenario);
    return result;
}

/* `call` 0 makes the simulation. */
static moment call_once(const course *c, const dunlin_transport *t, int call, dunlin_simulation **f) {
    moment now;
    memset(&now, 0, sizeof now);
    now.result = call == 0 ? make(c, t, f, &now.error) : dunlin_simulation_step(*f, &now.error);
    if (!now.result) now.error = (dunlin_error){0};
    if (!*f) return now;
    now.hash = dunlin_world_state_hash(dunlin_simulation_world(*f));
    now.stats = dunlin_world_stats(dunlin_simulation_world(*f));
    return now;
}

static void save(course *c, const dunlin_simulation *f) {
    dunlin_error error;
    c->bytes = dunlin_simulation_saved_bytes(f);
    c->saved = malloc(c->bytes);
    c->parts = calloc(1, c->bytes);
    if (!c->saved || !c->parts || dunlin_simulation_save_memory(f, c->saved, c->bytes, &error)) abort();
}

static void run_alone(course *c) {
    dunlin_simulation *f;
    const moment *now;
    do {
        now = &c->moment[c->moments];
        c->moment[c->moments] = call_once(c, NULL, c->moments, &f);
        c->moments++;
    } while (c->moments <= STEPS && !now->result && now->stats.agents < MOST_AGENTS && now->stats.pairs_tested < MOST_PAIRS);
    if (f) save(c, f);
    dunlin_simulation_destroy(f);
}

static void gather(const course *c, const dunlin_transport *t, dunlin_simulation *f) {
    dunlin_error error;
    if (dunlin_world_gather(dunlin_simulation_world(f), &error)) differ(t, c->moments, "%s", error.message);
    if (t->rank > 0 && dunlin_world_agent_count(dunlin_simulation_world(f)) > 0) differ(t, c->moments, "it keeps agents");
}

static void run_part(void *context, const dunlin_transport *t) {
    course *c = context;
    dunlin_simulation *f;
    for (int call = 0; call < c->moments; call++) {
        const moment now = call_once(c, t, call, &f);
        same_moment(t, call, &now, &c->moment[call]);
        if (f && call == 0) dun_cut_at_random(dunlin_simulation_world(f), c->part.cut_seed);
        if (f && c->part.cut_seed % 3 == 1 && call == c->moments / 2) {
            gather(c, t, f);
            dunlin_world_share(dunlin_simulation_world(f), NULL);
        }
    }
    if (!f) return;
    same_parts(c, t, f);
    gather(c, t, f);
    if (t->rank == 0) same_checkpoint(c, t, f);
    dunlin_simulation_destroy(f);
}

static simulation_result simulate(uint64_t seed, uint64_t number, uint32_t ranks, const simulation_variant *part) {
    course *c = calloc(1, sizeof *c);
    if (!c) abort();
    c->text = random_scenario(seed, number, true);
    c->part = *part;
    run_alone(c);
    dun_local_run(ranks, run_part, c);
    simulation_result result = {.steps = (uint64_t)c->moments - 1};
    for (int i = 1; i < c->moments; i++) result.agent_steps += c->moment[i].stats.agents;
    free(c->text);
    free(c->saved);
    free(c->parts);
    free(c);
    return result;
}

static int print(const char *number, const char *seed) {
    char *text = random_scenario(strtoull(seed, NULL, 10), strtoull(number, NULL, 10), true);
    puts(text);
    free(text);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--print") == 0) return print(argv[2], argc > 3 ? argv[3] : "1");
    return soak_ranks(argc, argv, "scenario", simulate);
}
