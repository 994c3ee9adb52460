/* SPDX-License-Identifier: MIT */
/*
 * Groups in a frame. Before it, groups are summed up where something asks for that, and each group with agents gets a body
 * where a species stands for its groups. In it, bodies feel their forces before the agents for which they stand, in as many
 * phases as there are levels. After it, bodies go to where their groups are.
 */
#include "engine/groups/groups.h"

#include "engine/base/check.h"
#include "engine/world/agree.h"
#include "engine/world/list.h"
#include "engine/world/species.h"
#include "engine/world/use.h"

/* ---- levels ----------------------------------------------------------------------------------------------------------- */

uint32_t dun_species_level(const dunlin_world *world, int species) {
    uint32_t level = 0;
    for (int s = world->species[species]->def.body_of; s >= 0; s = world->species[s]->def.body_of) level++;
    return level;
}

/* Whether something asks for sums over the species' groups. */
static bool asks(const dunlin_world *world, int species) {
    for (int s = 0; s < world->species_count; s++)
        if (world->species[s]->def.body_of == species) return true;
    for (int b = 0; b < world->behaviour_count; b++) {
        const dunlin_behaviour_def *def = &world->behaviours[b].def;
        if (dun_aims_at_groups(def) && def->target.species == species) return true;
    }
    return false;
}

/* ---- before and after a frame ----------------------------------------------------------------------------------------- */

/* From the agents of no group up to the bodies of bodies: each level's places follow from the sums of the one below. */
static dunlin_result settle(dunlin_world *world, bool may_change, bool *whole, dunlin_error *error) {
    bool any = true;
    for (uint32_t level = 0; any; level++) {
        any = false;
        for (int s = 0; s < world->species_count; s++) {
            if (dun_species_level(world, s) != level) continue;
            any = true;
            dunlin_result result = DUNLIN_OK;
            if (level > 0) result = dun_bodies_settle(world, s, may_change, whole, error);
            if (result) return result;
            if (!asks(world, s)) continue;
            if (!dun_groups_reserve(world, world->species[s])) result = dun_fail_memory(error, "group sums");
            result = dun_agree(world, result, error);
            if (result) return result;
            dun_groups_sum(world, s, false);
        }
    }
    return DUNLIN_OK;
}

dunlin_result dun_groups_settle(dunlin_world *world, dunlin_error *error) {
    bool whole = true;
    /* ranks may not have changed alike */
    if (!world->transport && world->groups_known == world->generation + 1) return DUNLIN_OK;
    const dunlin_result result = settle(world, true, &whole, error);
    if (!result) world->groups_known = world->generation + 1;
    return result;
}

dunlin_result dun_groups_begin(dunlin_world *world, dunlin_error *error) {
    const dunlin_result regrouped = dun_regroup(world, error);
    return regrouped ? regrouped : dun_groups_settle(world, error);
}

/* Where nothing stands for groups, the next step sums them up. All memory is there: the step before has used it. */
void dun_groups_end(dunlin_world *world) {
    bool whole = true;
    if (dun_has_bodies(world) && !settle(world, false, &whole, NULL) && whole) world->groups_known = world->generation + 1;
}

/* ---- for callers ------------------------------------------------------------------------------------------------------ */

dunlin_result dunlin_world_sum_groups(dunlin_world *world, int species, dunlin_group_sums *sums, dunlin_error *error) {
    if (!sums) return dun_fail(error, DUNLIN_ERROR_VALUE, "sums is NULL: it must point at a dunlin_group_sums");
    *sums = (dunlin_group_sums){0};
    DUN_CHANGE(world, error);
    dunlin_result result = dun_species_check(world, species, error);
    if (!result) result = dun_check_whole(world, "dunlin_world_sum_groups()", error);
    if (result) return result;
    if (world->species[species]->def.groups == 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "species is %d: it has no groups, set species.groups", species);
    if (!dun_groups_reserve(world, world->species[species])) return dun_fail_memory(error, "group sums");
    dun_groups_sum(world, species, true);
    const struct dun_group_table *t = world->species[species]->groups;
    *sums = (dunlin_group_sums){
        .count = t->count, .agents = t->agents, .leader = t->leader, .spread = t->spread, .polarization = t->polarization};
    for (int a = 0; a < world->def.dimensions; a++) {
        sums->centre[a] = t->centre[a];
        sums->velocity[a] = t->velocity[a];
    }
    return DUNLIN_OK;
}
