/* SPDX-License-Identifier: MIT */
/* The end of a step: ranks agree on whether it has failed, and add up what belongs to the whole flock. */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/cluster/cluster.h"
#include "engine/world/agree.h"
#include "engine/world/ids.h"

/* `held`: agents that all ranks together own. A rank that computes other cells than the others would lose some of them, or own
 * another's. */
static dunlin_result check_held(const dunlin_world *world, const uint64_t held[], dunlin_error *error) {
    for (int s = 0; s < world->species_count; s++)
        if (held[s] != world->species[s]->whole_count)
            return dun_fail(error, DUNLIN_ERROR_VALUE,
                            "species '%s': the ranks hold %llu agents after the exchange instead of %llu, so the flock is "
                            "damaged: all ranks must make the same calls, and a transport must lose nothing",
                            world->species[s]->name, (unsigned long long)held[s],
                            (unsigned long long)world->species[s]->whole_count);
    return DUNLIN_OK;
}

/* The numbers that a sum at the end of a step gives to all ranks. Arrays have a number per species. */
enum { END_FAILED, DEATHS, GROUPS, PAIRS_TESTED, PAIRS_USEFUL, CALLERS, ARRAYS = CALLERS + DUNLIN_STEP_SUMS };
enum { END_BORN, NEWBORN, HELD, AFTER, ARRAY_COUNT };

typedef struct ending {
    uint64_t numbers[ARRAYS + ARRAY_COUNT * DUNLIN_MAX_SPECIES];
    uint32_t species;
} ending;

static uint64_t *array_of(ending *e, int array) {
    return e->numbers + ARRAYS + (uint32_t)array * e->species;
}

static void bring(const dun_frame *f, ending *e) {
    const struct dun_cluster *cluster = f->world->cluster;
    e->numbers[END_FAILED] = f->status != DUNLIN_OK;
    e->numbers[DEATHS] = f->deaths;
    e->numbers[GROUPS] = f->groups;
    e->numbers[PAIRS_TESTED] = f->pairs_tested;
    e->numbers[PAIRS_USEFUL] = f->pairs_useful;
    if (cluster->brings) cluster->brings(cluster->brings_context, e->numbers + CALLERS);
    memcpy(array_of(e, END_BORN), f->born, e->species * sizeof *f->born);
    memcpy(array_of(e, NEWBORN), f->newborn, e->species * sizeof *f->newborn);
    memcpy(array_of(e, AFTER), f->after, e->species * sizeof *f->after);
    for (uint32_t s = 0; s < e->species; s++) array_of(e, HELD)[s] = f->own_end[s] - f->own_begin[s];
}

/* What belongs to the whole flock's statistics. Returns how many agents are born. */
static uint64_t take(dun_frame *f, ending *e) {
    uint64_t births = 0;
    f->deaths = e->numbers[DEATHS];
    f->groups = e->numbers[GROUPS];
    f->pairs_tested = e->numbers[PAIRS_TESTED];
    f->pairs_useful = e->numbers[PAIRS_USEFUL];
    f->agents = 0;
    memcpy(f->world->cluster->traffic.sums, e->numbers + CALLERS, sizeof f->world->cluster->traffic.sums);
    memcpy(f->born, array_of(e, END_BORN), e->species * sizeof *f->born);
    memcpy(f->newborn, array_of(e, NEWBORN), e->species * sizeof *f->newborn);
    memcpy(f->after, array_of(e, AFTER), e->species * sizeof *f->after);
    for (uint32_t s = 0; s < e->species; s++) {
        f->agents += array_of(e, HELD)[s];
        births += f->born[s];
    }
    return births;
}

/* What a part learns from the others: whether one has failed, whether each agent has one owner, and what belongs to the whole
 * flock's statistics and ids. */
static dunlin_result add_up_end(dun_frame *f) {
    ending e = {.species = (uint32_t)f->world->species_count};
    bring(f, &e);
    dun_all_reduce(f->world, e.numbers, ARRAYS + ARRAY_COUNT * e.species);
    dunlin_result result = dun_agree_on_failure(f->world, e.numbers[END_FAILED], f->status, f->error);
    if (!result) result = check_held(f->world, array_of(&e, HELD), f->error);
    if (result) return result;
    const uint64_t births = take(f, &e);
    if (births && !f->births_known) dun_births_share(f);
    return dun_ids_check(f->world, births, f->error);
}

void dun_agree_on_life(dun_frame *f) {
    const uint64_t begin = dun_now_ns();
    if (!f->world->transport) return;
    f->status = add_up_end(f);
    f->ns_waited += dun_now_ns() - begin;
    if (!f->status) dun_cut_count(f->world, f->at.moved - f->at.sort);
}

void dun_keep_counts(const dun_frame *f) {
    dunlin_world *world = f->world;
    if (world->transport) dun_counts_set(world, f->after);
}
