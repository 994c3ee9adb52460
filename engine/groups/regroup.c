/* SPDX-License-Identifier: MIT */
/*
 * Regroup: groups become the flocks that are there. Which flock gets which number follows from sizes, ids and counts alone, so
 * neither threads nor the order of agents show.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/radix.h"
#include "engine/groups/groups.h"
#include "engine/survey/survey.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"
#include "engine/world/species.h"

typedef struct found_flock {
    uint32_t label, agents; /* the label is the minimum id of its agents */
    uint32_t prefers, group;
    bool settled;
} found_flock;

struct dun_regrouping {
    dunlin_survey *survey;
    dun_keyed *parts, *spare; /* [room] */
    found_flock *flocks;      /* [room] */
    uint8_t *taken;           /* [DUNLIN_MAX_GROUPS at most] by group */
    size_t room[4];           /* of these four */
};

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static bool reserve_regrouping(dun_heap *heap, struct dun_regrouping *r, uint32_t agents, uint32_t groups) {
    return dun_array_fit(heap, &r->parts, &r->room[0], agents, sizeof *r->parts) &&
           dun_array_fit(heap, &r->spare, &r->room[1], agents, sizeof *r->spare) &&
           dun_array_fit(heap, &r->flocks, &r->room[2], agents, sizeof *r->flocks) &&
           dun_array_fit(heap, &r->taken, &r->room[3], groups, sizeof *r->taken);
}

/* ---- parts: agents of one flock that are in one group ----------------------------------------------------------------- */

/* The value is the number of agents. */
static dun_keyed part_of(uint32_t label, uint32_t group) {
    return (dun_keyed){(uint64_t)label << 32 | group, 1};
}

static uint32_t label_of(const dun_keyed *part) {
    return (uint32_t)(part->key >> 32);
}

static uint32_t group_of(const dun_keyed *part) {
    return (uint32_t)part->key;
}

/* Adds the part to the last one if both are of one flock and group. Returns how many there are now. */
static uint32_t add_part(dun_keyed *parts, uint32_t count, dun_keyed part) {
    if (count == 0 || parts[count - 1].key != part.key) {
        parts[count] = part;
        return count + 1;
    }
    parts[count - 1].value += part.value;
    return count;
}

/* Neighbours in storage are likely in the same flock and group, so most agents are counted before anything is sorted. */
static uint32_t list_parts(struct dun_regrouping *r, const uint32_t *labels, const float *group, uint32_t agents) {
    uint32_t listed = 0, count = 0;
    for (uint32_t i = 0; i < agents; i++) listed = add_part(r->parts, listed, part_of(labels[i], (uint32_t)group[i]));
    dun_radix_sort(r->parts, r->spare, listed);
    for (uint32_t i = 0; i < listed; i++) count = add_part(r->parts, count, r->parts[i]);
    return count;
}

/* ---- flocks ----------------------------------------------------------------------------------------------------------- */

/* The end of the parts of the flock that begins there, and its agents and the group that most of them are in. */
static uint32_t sum_flock(const dun_keyed *parts, uint32_t begin, uint32_t count, found_flock *sum) {
    uint32_t end = begin, most = 0;
    *sum = (found_flock){.label = label_of(&parts[begin])};
    for (; end < count && label_of(&parts[end]) == sum->label; end++) {
        sum->agents += parts[end].value;
        if (parts[end].value <= most) continue;
        most = parts[end].value;
        sum->prefers = group_of(&parts[end]);
    }
    return end;
}

enum { FREE = 0, NEEDED, TAKEN };

/* Lists the flocks that are large enough, by ascending labels. The groups of agents in others are in use, too. */
static uint32_t list_flocks(struct dun_regrouping *r, uint32_t parts, uint32_t groups, uint32_t min_agents) {
    uint32_t made = 0;
    memset(r->taken, FREE, groups);
    for (uint32_t begin = 0, end; begin < parts; begin = end) {
        end = sum_flock(r->parts, begin, parts, &r->flocks[made]);
        if (r->flocks[made].agents >= min_agents)
            made++;
        else
            for (uint32_t i = begin; i < end; i++) r->taken[group_of(&r->parts[i])] = NEEDED;
    }
    return made;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

/* The flocks in the order in which they choose: the larger first, of equal ones that with the smaller label. */
static const dun_keyed *order_flocks(struct dun_regrouping *r, uint32_t count) {
    for (uint32_t f = 0; f < count; f++)
        r->parts[f] = (dun_keyed){(uint64_t)(UINT32_MAX - r->flocks[f].agents) << 32 | r->flocks[f].label, f};
    dun_radix_sort(r->parts, r->spare, count);
    return r->parts;
}

static void choose_groups(struct dun_regrouping *r, uint32_t count, uint32_t groups) {
    const dun_keyed *order = order_flocks(r, count);
    for (uint32_t i = 0; i < count; i++) {
        found_flock *of = &r->flocks[order[i].value];
        of->group = of->prefers;
        of->settled = r->taken[of->prefers] != TAKEN;
        r->taken[of->prefers] = TAKEN;
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        found_flock *of = &r->flocks[order[i].value];
        if (of->settled) continue;
        while (next < groups && r->taken[next] != FREE) next++;
        if (next == groups) return;
        of->group = next++;
    }
}

static int compare_labels(const void *a, const void *b) {
    const found_flock *p = a, *q = b;
    return p->label < q->label ? -1 : p->label > q->label;
}

static void renumber(const struct dun_regrouping *r, uint32_t count, const uint32_t *labels, float *group, uint32_t agents) {
    const found_flock *last = NULL;
    for (uint32_t i = 0; i < agents; i++) {
        const found_flock wanted = {.label = labels[i]};
        if (!last || last->label != labels[i]) last = bsearch(&wanted, r->flocks, count, sizeof wanted, compare_labels);
        if (last) group[i] = (float)last->group;
    }
}

static void regroup(struct dun_regrouping *r, const dun_species *species, const uint32_t *labels, float *group) {
    const uint32_t groups = (uint32_t)species->def.groups;
    const uint32_t parts = list_parts(r, labels, group, species->count);
    const uint32_t count = list_flocks(r, parts, groups, (uint32_t)species->def.regroup.min_agents);
    choose_groups(r, count, groups);
    renumber(r, count, labels, group, species->count);
}

/* ---- all species ------------------------------------------------------------------------------------------------------ */

static dunlin_result regroup_species(dunlin_world *world, int number, dunlin_error *error) {
    dun_species *species = world->species[number];
    float *group = species->buffer[species->current].attribute[dun_attribute_of_role(species, DUNLIN_ROLE_GROUP)];
    dunlin_components flocks = {0};
    if (!world->regrouping) world->regrouping = dun_allocate_zeros(world->heap, 1, sizeof *world->regrouping);
    struct dun_regrouping *r = world->regrouping;
    if (!r || !reserve_regrouping(world->heap, r, species->count, (uint32_t)species->def.groups))
        return dun_fail_memory(error, "groups");
    dunlin_result result = r->survey ? DUNLIN_OK : dun_survey_create(world->heap, &r->survey, error);
    if (!result) result = dun_survey_components(r->survey, world, number, species->def.regroup.radius, &flocks, error);
    if (!result) regroup(r, species, flocks.labels[number], group);
    return result;
}

dunlin_result dun_regroup(dunlin_world *world, dunlin_error *error) {
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        const uint64_t every = (uint64_t)species->def.regroup.every;
        if (every == 0 || world->stats.step == 0 || world->stats.step % every > 0 || species->count == 0) continue;
        if (dun_attribute_of_role(species, DUNLIN_ROLE_GROUP) < 0) continue;
        const dunlin_result result = regroup_species(world, s, error);
        if (result) return result;
        dun_groups_forget(world);
    }
    return DUNLIN_OK;
}
