/* SPDX-License-Identifier: MIT */
/*
 * Regroup: groups become the flocks that are there. Which flock gets which number follows from sizes, ids and counts alone, so
 * neither threads nor the order of agents show.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/frame/stages.h"
#include "engine/world/attribute.h"
#include "engine/world/groups.h"
#include "engine/world/memory.h"

/* Agents of one flock that are in one group. */
typedef struct part {
    uint32_t flock; /* the minimum id of its agents */
    uint32_t group, agents;
} part;

typedef struct flock {
    uint32_t label, agents; /* the label is the minimum id of its agents */
    uint32_t prefers, group;
    bool settled;
} flock;

struct dun_regrouping {
    dunlin_survey *survey;
    part *parts;    /* [room] */
    flock *flocks;  /* [room] */
    uint8_t *taken; /* [DUNLIN_MAX_GROUPS at most] by group */
    uint32_t room, taken_room;
};

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static bool reserve(struct dun_regrouping *r, uint32_t agents, uint32_t groups) {
    if (agents > r->room) {
        if (!dun_array_grow(&r->parts, agents, sizeof *r->parts) || !dun_array_grow(&r->flocks, agents, sizeof *r->flocks))
            return false;
        r->room = agents;
    }
    if (groups > r->taken_room) {
        if (!dun_array_grow(&r->taken, groups, sizeof *r->taken)) return false;
        r->taken_room = groups;
    }
    return true;
}

void dun_regrouping_free(dunlin_world *world) {
    struct dun_regrouping *r = world->regrouping;
    if (!r) return;
    dunlin_survey_destroy(r->survey);
    free(r->parts);
    free(r->flocks);
    free(r->taken);
    free(r);
}

size_t dun_regrouping_bytes(const dunlin_world *world) {
    const struct dun_regrouping *r = world->regrouping;
    return r ? sizeof *r + r->room * (sizeof *r->parts + sizeof *r->flocks) + r->taken_room : 0;
}

/* ---- who is in which flock -------------------------------------------------------------------------------------------- */

static int compare_parts(const void *a, const void *b) {
    const part *p = a, *q = b;
    if (p->flock != q->flock) return p->flock < q->flock ? -1 : 1;
    return p->group < q->group ? -1 : p->group > q->group;
}

/* The larger first. */
static int compare_flocks(const void *a, const void *b) {
    const flock *p = a, *q = b;
    if (p->agents != q->agents) return p->agents > q->agents ? -1 : 1;
    return p->label < q->label ? -1 : p->label > q->label;
}

static int compare_labels(const void *a, const void *b) {
    const flock *p = a, *q = b;
    return p->label < q->label ? -1 : p->label > q->label;
}

/* Sorts parts, and joins those that are equal. Returns how many are left. */
static uint32_t join_parts(part *parts, uint32_t count) {
    uint32_t left = 0;
    qsort(parts, count, sizeof *parts, compare_parts);
    for (uint32_t i = 0; i < count; i++) {
        if (left > 0 && compare_parts(&parts[left - 1], &parts[i]) == 0)
            parts[left - 1].agents += parts[i].agents;
        else
            parts[left++] = parts[i];
    }
    return left;
}

/* Neighbours in storage are likely in the same flock and group, so most agents are counted before anything is sorted. */
static uint32_t list_parts(part *parts, const uint32_t *labels, const float *group, uint32_t agents) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < agents; i++) {
        const uint32_t g = (uint32_t)group[i];
        if (count > 0 && parts[count - 1].flock == labels[i] && parts[count - 1].group == g)
            parts[count - 1].agents++;
        else
            parts[count++] = (part){labels[i], g, 1};
    }
    return join_parts(parts, count);
}

/* A flock's parts follow each other, by ascending groups. */
static uint32_t list_flocks(flock *flocks, const part *parts, uint32_t count) {
    uint32_t made = 0, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (made == 0 || flocks[made - 1].label != parts[i].flock) {
            flocks[made++] = (flock){.label = parts[i].flock, .prefers = parts[i].group};
            most = 0;
        }
        flock *of = &flocks[made - 1];
        of->agents += parts[i].agents;
        if (parts[i].agents > most) {
            most = parts[i].agents;
            of->prefers = parts[i].group;
        }
    }
    return made;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

enum { FREE = 0, NEEDED, TAKEN };

/* Flocks are sorted from large to small; those from `count` on keep their groups, whose numbers are in use. */
static void choose_groups(struct dun_regrouping *r, uint32_t count, uint32_t groups) {
    for (uint32_t f = 0; f < count; f++) {
        flock *of = &r->flocks[f];
        of->group = of->prefers;
        of->settled = r->taken[of->prefers] != TAKEN;
        r->taken[of->prefers] = TAKEN;
    }
    uint32_t next = 0;
    for (uint32_t f = 0; f < count; f++) {
        if (r->flocks[f].settled) continue;
        while (next < groups && r->taken[next] != FREE) next++;
        if (next == groups) return;
        r->flocks[f].group = next++;
    }
}

/* The groups of agents in small flocks are in use, too. */
static void mark_needed(struct dun_regrouping *r, const part *parts, uint32_t count, uint32_t groups, uint32_t min_agents) {
    memset(r->taken, FREE, groups);
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i, agents = 0;
        for (; end < count && parts[end].flock == parts[i].flock; end++) agents += parts[end].agents;
        for (; i < end; i++)
            if (agents < min_agents) r->taken[parts[i].group] = NEEDED;
    }
}

static void renumber(const struct dun_regrouping *r, uint32_t count, const uint32_t *labels, float *group, uint32_t agents) {
    const flock *last = NULL;
    for (uint32_t i = 0; i < agents; i++) {
        const flock wanted = {.label = labels[i]};
        if (!last || last->label != labels[i]) last = bsearch(&wanted, r->flocks, count, sizeof wanted, compare_labels);
        if (last) group[i] = (float)last->group;
    }
}

static void regroup(struct dun_regrouping *r, const dun_species *species, const uint32_t *labels, float *group) {
    const uint32_t groups = (uint32_t)species->def.groups, least = (uint32_t)species->def.regroup.min_agents;
    const uint32_t parts = list_parts(r->parts, labels, group, species->count);
    uint32_t count = list_flocks(r->flocks, r->parts, parts);
    mark_needed(r, r->parts, parts, groups, least);
    qsort(r->flocks, count, sizeof *r->flocks, compare_flocks);
    while (count > 0 && r->flocks[count - 1].agents < least) count--;
    choose_groups(r, count, groups);
    qsort(r->flocks, count, sizeof *r->flocks, compare_labels);
    renumber(r, count, labels, group, species->count);
}

/* ---- all species ------------------------------------------------------------------------------------------------------ */

static dunlin_result regroup_species(dunlin_world *world, int number, dunlin_error *error) {
    dun_species *species = world->species[number];
    float *group = species->buffer[species->current].attribute[dun_attribute_of_role(species, DUNLIN_ROLE_GROUP)];
    dunlin_groups flocks;
    if (!world->regrouping) world->regrouping = calloc(1, sizeof *world->regrouping);
    struct dun_regrouping *r = world->regrouping;
    if (!r || !reserve(r, species->count, (uint32_t)species->def.groups)) return dun_fail_memory(error, "groups");
    dunlin_result result = r->survey ? DUNLIN_OK : dunlin_survey_create(&r->survey, error);
    if (!result) result = dunlin_survey_groups(r->survey, world, number, species->def.regroup.radius, &flocks, error);
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
