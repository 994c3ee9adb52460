/* SPDX-License-Identifier: MIT */
#include "tests/lib/in_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cluster/cluster.h"
#include "tests/lib/effort.h"
#include "tests/lib/ranks.h"

enum { MEASURE_EVERY = 10 /* steps */, PARTS_RANKS = 5 };

/* What a simulation looks like after a step. */
typedef struct moment {
    uint64_t hash;
    dunlin_stats stats;
    int measured; /* species */
    dunlin_metrics metrics[DUNLIN_MAX_SPECIES];
} moment;

struct parts_record {
    const parts_simulation *simulation;
    moment *moment;             /* [steps] */
    dunlin_world *middle, *end; /* plain worlds that do not change any more */
};

typedef struct journey {
    const parts_record *record;
    const parts_crew *crew;
    void *checkpoint; /* [bytes] */
    size_t bytes;
} journey;

/* ---- what must be the same -------------------------------------------------------------------------------------------- */

static void same_column(const char *what, int species, const void *got, const void *want, uint32_t count) {
    const uint32_t *g = got, *w = want;
    if (count == 0 || memcmp(got, want, count * sizeof *g) == 0) return;
    for (uint32_t i = 0; i < count; i++)
        if (g[i] != w[i])
            fail_msg("species %d, slot %u of %u: %s is %08x instead of %08x", species, i, count, what, g[i], w[i]);
}

/* Every agent's bits, and its place in storage order. */
static void same_agents(const dunlin_world *got, const dunlin_world *want) {
    ASSERT_ON_RANK(dunlin_world_species_count(got) == dunlin_world_species_count(want));
    for (int s = 0; s < dunlin_world_species_count(want); s++) {
        const dunlin_view g = dunlin_world_view(got, s), w = dunlin_world_view(want, s);
        if (g.count != w.count) fail_msg("species %d has %u agents instead of %u", s, g.count, w.count);
        same_column("the id", s, g.id, w.id, w.count);
        for (int a = 0; a < dunlin_world_get_def(want).dimensions; a++) {
            same_column("a coordinate", s, g.position[a], w.position[a], w.count);
            same_column("a velocity", s, g.velocity[a], w.velocity[a], w.count);
        }
        for (int n = 0; n < dunlin_world_attribute_count(want, s); n++)
            same_column("an attribute", s, g.attribute[n], w.attribute[n], w.count);
    }
    char g[4096], w[4096]; /* the clock, ids that are spent, where targets are */
    ASSERT_ON_RANK(dunlin_world_preamble(want, w, sizeof w) < sizeof w && dunlin_world_preamble(got, g, sizeof g) < sizeof g);
    if (strcmp(g, w) != 0) fail_msg("the preamble is\n%sinstead of\n%s", g, w);
}

#define SAME(number)                                                                                                           \
    if (got->number != want->number) fail_msg(#number " is %" PRIu64 " instead of %" PRIu64, got->number, want->number)

/* Groups depend on where a world's own agents begin, and pairs tested on the groups. */
static void same_stats(const dunlin_stats *got, const dunlin_stats *want) {
    SAME(step);
    SAME(agents);
    SAME(births);
    SAME(deaths);
    SAME(cells);
    SAME(pairs_useful);
    ASSERT_ON_RANK(got->pairs_tested >= got->pairs_useful);
    ASSERT_ON_RANK(memcmp(&got->time, &want->time, sizeof got->time) == 0);
}

static void same_metrics(const moment *got, const moment *want) {
    ASSERT_ON_RANK(got->measured == want->measured);
    for (int s = 0; s < want->measured; s++) {
        const dunlin_metrics *g = &got->metrics[s], *w = &want->metrics[s];
        if (memcmp(g, w, sizeof *g) == 0) continue;
        fail_msg("other metrics of species %d: agents %" PRIu64 ", %" PRIu64 "; polarization %a, %a; rotation %a, %a; angular "
                 "momentum %a, %a; mean speed %a, %a; neighbours %a, %a; nearest %a, %a; outside %" PRIu64 ", %" PRIu64,
                 s, g->agents, w->agents, g->polarization, w->polarization, g->rotation, w->rotation, g->angular_momentum[2],
                 w->angular_momentum[2], g->mean_speed, w->mean_speed, g->mean_neighbours, w->mean_neighbours, g->mean_nearest,
                 w->mean_nearest, g->outside, w->outside);
    }
}

static void same_moment(const moment *got, const moment *want) {
    same_stats(&got->stats, &want->stats);
    if (got->hash != want->hash) fail_msg("the hash is %016" PRIx64 " instead of %016" PRIx64, got->hash, want->hash);
    same_metrics(got, want);
}

/* ---- one step --------------------------------------------------------------------------------------------------------- */

static moment take_step(const parts_simulation *f, dunlin_world *world, int step) {
    moment now;
    memset(&now, 0, sizeof now);
    if (f->change) f->change(world, step);
    const bool measures = step % MEASURE_EVERY == 1;
    if (measures) ACCEPT(dunlin_world_measure_in_step(world, &refusal));
    ACCEPT(dunlin_world_step(world, &refusal));
    now.hash = dunlin_world_state_hash(world);
    now.stats = dunlin_world_stats(world);
    now.measured = measures ? dunlin_world_species_count(world) : 0;
    for (int s = 0; s < now.measured; s++) ACCEPT(dunlin_world_measured(world, s, &now.metrics[s], &refusal));
    return now;
}

static dunlin_world_def def_of(const parts_simulation *f) {
    dunlin_world_def def = dunlin_world_def_default();
    if (f->define) f->define(&def);
    def.index = "grid";
    return def;
}

/* ---- a plain world ---------------------------------------------------------------------------------------------------- */

static dunlin_world *plain(const parts_simulation *f, int steps, moment *moments) {
    dunlin_world_def def = def_of(f);
    def.kernel = "scalar";
    def.threads = 1;
    dunlin_world *world = world_create(&def);
    f->furnish(world);
    for (int step = 0; step < steps; step++) {
        if (step == f->steps / 2 && f->change_whole) f->change_whole(world, step);
        moments[step] = take_step(f, world, step);
    }
    return world;
}

parts_record *parts_record_new(const parts_simulation *simulation) {
    parts_record *record = calloc(1, sizeof *record);
    assert_non_null(record);
    record->simulation = simulation;
    record->moment = calloc((size_t)simulation->steps, sizeof *record->moment);
    assert_non_null(record->moment);
    record->middle = plain(simulation, simulation->steps / 2, record->moment);
    record->end = plain(simulation, simulation->steps, record->moment);
    return record;
}

void parts_record_free(parts_record *record) {
    world_destroy(record->middle);
    world_destroy(record->end);
    free(record->moment);
    free(record);
}

/* ---- parts ------------------------------------------------------------------------------------------------------------ */

/* The ranks' agents together are the flock. */
static void check_shares(const dunlin_transport *t, const dunlin_world *world, const moment *now) {
    uint64_t agents = dunlin_world_agent_count(world);
    t->all_reduce(t->context, &agents, 1);
    ASSERT_ON_RANK(agents == now->stats.agents + now->stats.births - now->stats.deaths);
}

static void gather(const journey *j, const dunlin_transport *t, dunlin_world *world, const dunlin_world *want, int step) {
    const parts_simulation *f = j->record->simulation;
    ACCEPT(dunlin_world_gather(world, &refusal));
    if (t->rank == 0)
        same_agents(world, want);
    else
        ASSERT_ON_RANK(dunlin_world_agent_count(world) == 0);
    if (t->rank == 0 && f->change_whole && step < f->steps) f->change_whole(world, step);
    ACCEPT(dunlin_world_share(world, &refusal));
}

static dunlin_world *make_part(const journey *j, const dunlin_transport *t, void (*furnish)(dunlin_world *world)) {
    dunlin_world_def def = def_of(j->record->simulation);
    dunlin_world *world = NULL;
    def.kernel = j->crew->kernel;
    def.threads = j->crew->threads;
    def.executor = j->crew->threads == 1 ? "serial" : "auto";
    ACCEPT(dunlin_world_create_part(&def, t, &world, &refusal));
    dun_cut_at_random(world, j->crew->cut_seed);
    furnish(world);
    return world;
}

static void run_steps(const journey *j, const dunlin_transport *t, dunlin_world *world, int begin, int end) {
    for (int step = begin; step < end; step++) {
        const moment now = take_step(j->record->simulation, world, step);
        same_moment(&now, &j->record->moment[step]);
        check_shares(t, world, &now);
    }
}

static void run_part(void *context, const dunlin_transport *t) {
    const journey *j = context;
    const int steps = j->record->simulation->steps;
    dunlin_world *world = make_part(j, t, j->record->simulation->furnish);
    run_steps(j, t, world, 0, steps / 2);
    gather(j, t, world, j->record->middle, steps / 2);
    run_steps(j, t, world, steps / 2, steps);
    gather(j, t, world, j->record->end, steps);
    world_destroy(world);
}

void parts_run(const parts_record *record, const parts_crew *crew) {
    journey j = {.record = record, .crew = crew};
    print_message("%s: %u ranks, %d threads, %s, %s\n", record->simulation->name, crew->ranks, crew->threads, crew->kernel,
                  crew->cut_seed ? "cut at random" : "cut by work");
    dun_local_run(crew->ranks, run_part, &j);
}

/* ---- from one crew to another ----------------------------------------------------------------------------------------- */

/* The ranks' checkpoint, which they write and read side by side. */
typedef struct sheet {
    journey *j;
    uint64_t written;
} sheet;

static bool put(void *context, const void *bytes, size_t count, uint64_t at) {
    sheet *s = context;
    ASSERT_ON_RANK(at <= s->j->bytes && count <= s->j->bytes - at);
    memcpy((char *)s->j->checkpoint + at, bytes, count);
    s->written += count;
    return true;
}

static bool take(void *context, void *bytes, size_t count, uint64_t at) {
    const journey *j = context;
    if (at > j->bytes || count > j->bytes - at) return false;
    memcpy(bytes, (const char *)j->checkpoint + at, count);
    return true;
}

/* Each byte is written once. */
static void save_part(void *context, const dunlin_transport *t) {
    journey *j = context;
    sheet own = {.j = j};
    dunlin_world *world = make_part(j, t, j->record->simulation->furnish);
    run_steps(j, t, world, 0, j->record->simulation->steps / 2);
    ACCEPT(dunlin_world_save_parts(world, put, &own, &refusal));
    if (t->ranks > 1) t->all_reduce(t->context, &own.written, 1);
    ASSERT_ON_RANK(own.written == j->bytes);
    world_destroy(world);
}

static void restore_part(void *context, const dunlin_transport *t) {
    journey *j = context;
    const parts_simulation *f = j->record->simulation;
    const int steps = f->steps;
    dunlin_world *world = make_part(j, t, f->refurnish ? f->refurnish : f->furnish);
    ACCEPT(dunlin_world_restore_parts(world, take, j, &refusal));
    run_steps(j, t, world, steps / 2, steps);
    gather(j, t, world, j->record->end, steps);
    world_destroy(world);
}

/* The plain world's bytes. */
static void compare_bytes(const journey *j) {
    char *plain = malloc(j->bytes);
    assert_non_null(plain);
    ACCEPT(dunlin_world_save_memory(j->record->middle, plain, j->bytes, &refusal));
    assert_memory_equal(j->checkpoint, plain, j->bytes);
    free(plain);
}

void parts_change_crews(const parts_record *record, const parts_crew *first, const parts_crew *second) {
    journey j = {.record = record, .crew = first, .bytes = dunlin_world_saved_bytes(record->middle)};
    print_message("%s: %u ranks, then %u\n", record->simulation->name, first->ranks, second->ranks);
    j.checkpoint = calloc(1, j.bytes);
    assert_non_null(j.checkpoint);
    dun_local_run(first->ranks, save_part, &j);
    compare_bytes(&j);
    j.crew = second;
    dun_local_run(second->ranks, restore_part, &j);
    free(j.checkpoint);
}

/* ---- what ranks refuse ------------------------------------------------------------------------------------------------ */

const char *parts_refusal(const dunlin_world *world) {
    if (dunlin_world_get_def(world).boundary == DUNLIN_BOUNDARY_OPEN) return "world: boundary is open";
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const dunlin_species_def species = dunlin_world_get_species(world, s);
        if (species.body_of >= 0 || species.regroup.every > 0) return "does not work across ranks";
    }
    return NULL;
}

/* ---- every crew ------------------------------------------------------------------------------------------------------- */

static const char *kernel_at(int turn) {
    const char *names[64];
    int count = 0;
    for (int k = 0; k < dunlin_kernel_count() && count < 64; k++)
        if (dunlin_kernel_at(k).runs_here) names[count++] = dunlin_kernel_at(k).name;
    return names[turn % count];
}

static void run_turn(const parts_record *record, int r, int threads, int turn) {
    static const uint32_t ranks[PARTS_RANKS] = {1, 2, 3, 5, 7};
    parts_run(record, &(parts_crew){ranks[r], threads, kernel_at(turn), turn % 4 == 0 ? 0 : (uint64_t)turn});
}

void parts_run_all(const parts_simulation *simulation) {
    parts_record *record = parts_record_new(simulation);
    for (int r = 0; r < PARTS_RANKS; r++)
        for (int threads = 1; threads <= 2; threads++)
            if (!TEST_SLOW || (2 * r + threads) % 3 == 0) run_turn(record, r, threads, 2 * r + threads);
    parts_record_free(record);
}

void parts_run_some(const parts_simulation *simulations, int count) {
    for (int i = 0; i < count; i++) {
        parts_record *record = parts_record_new(&simulations[i]);
        for (int r = 0; r < PARTS_RANKS; r++)
            if (!TEST_SLOW || (r + i) % 3 == 1) run_turn(record, r, 1 + (i + r) % 2, i + r);
        parts_record_free(record);
    }
}
