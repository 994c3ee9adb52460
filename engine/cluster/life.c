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

/* What a part learns from the others: whether one has failed, whether each agent has one owner, and what belongs to the whole
 * flock's statistics and ids. */
static dunlin_result add_up(dun_frame *f) {
    const uint32_t species = (uint32_t)f->world->species_count;
    uint64_t numbers[2 * DUNLIN_MAX_SPECIES + 5] = {f->status != DUNLIN_OK, f->deaths, f->groups, f->pairs_tested,
                                                    f->pairs_useful};
    memcpy(numbers + 5, f->born, species * sizeof *numbers);
    uint64_t *held = numbers + 5 + species;
    for (uint32_t s = 0; s < species; s++) held[s] = f->own_end[s] - f->own_begin[s];
    dun_all_reduce(f->world, numbers, 2 * species + 5);
    dunlin_result result = dun_agree_on_failure(f->world, numbers[0], f->status, f->error);
    if (!result) result = check_held(f->world, held, f->error);
    if (result) return result;
    f->deaths = numbers[1];
    f->groups = numbers[2];
    f->pairs_tested = numbers[3];
    f->pairs_useful = numbers[4];
    uint64_t births = 0;
    f->agents = 0;
    for (uint32_t s = 0; s < species; s++) {
        f->agents += held[s];
        births += f->born[s] = numbers[s + 5];
    }
    if (births) dun_births_share(f);
    return dun_ids_check(f->world, births, f->error);
}

void dun_agree_on_life(dun_frame *f) {
    const uint64_t begin = dun_now_ns();
    if (!f->world->transport) return;
    f->status = add_up(f);
    f->ns_waited += dun_now_ns() - begin;
    if (!f->status) dun_cut_count(f->world, f->at.moved - f->at.sort);
}
