/* SPDX-License-Identifier: MIT */
/*
 * Sums across the ranks of a flock in parts. Ranks find the leaders and the largest terms together, the leaders' owners say
 * where they are while the points are added up, and then the sums are added up.
 */
#include "engine/base/bits.h"
#include "engine/groups/sums.h"
#include "engine/world/agree.h"

/* A number that is the larger the larger the float; both zeros have the same. */
static uint32_t ordered(float x) {
    const uint32_t bits = dun_bits_of(x + 0.0f);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

static float from_ordered(uint32_t bits) {
    return dun_float_of(bits >> 31 ? bits ^ UINT32_C(1) << 31 : ~bits);
}

/* The leaders of the whole flock, and its extents. */
void dun_groups_share_leaders(const dun_group_pass *p, dun_group_extents *e) {
    struct dun_group_table *t = p->table;
    const int dimensions = p->world->def.dimensions;
    float *of_flock[] = {e->place, e->negated_place, e->speed};
    for (uint32_t g = 0; g < t->count; g++) {
        const dun_lead *own = &t->leads[g];
        t->shared[g] = own->id == UINT32_MAX ? 0 : (uint64_t)ordered(own->rank) << 32 | (UINT32_MAX - own->id);
    }
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < dimensions; a++) t->shared[t->count + (uint32_t)(i * dimensions + a)] = ordered(of_flock[i][a]);
    dun_max(p->world, t->shared, t->count + 3 * (uint32_t)dimensions, t->spare);
    for (uint32_t g = 0; g < t->count; g++) t->leader[g] = UINT32_MAX - (uint32_t)t->shared[g];
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < dimensions; a++)
            of_flock[i][a] = from_ordered((uint32_t)t->shared[t->count + (uint32_t)(i * dimensions + a)]);
}

/* Only a leader's own rank has numbers other than 0 of its place. In a periodic world the points follow. */
void dun_groups_share_places(const dun_group_pass *p) {
    struct dun_group_table *t = p->table;
    const int dimensions = p->world->def.dimensions;
    const uint64_t points = dun_pass_periodic(p) ? sizeof *t->turns / sizeof *t->places : 0;
    for (int a = 0; a < dimensions; a++)
        for (uint32_t g = 0; g < t->count; g++) {
            const bool own = t->leads[g].id == t->leader[g] && t->leader[g] != UINT32_MAX;
            const uint64_t place = dun_word_of(t->leader_place[a][g], t->leader_velocity[a][g]);
            t->places[(size_t)a * t->count + g] = own ? place : 0;
        }
    dun_all_reduce(p->world, t->places, t->count * ((uint64_t)dimensions + points));
    for (int a = 0; a < dimensions; a++)
        for (uint32_t g = 0; g < t->count; g++)
            dun_from_word(t->places[(size_t)a * t->count + g], &t->leader_place[a][g], &t->leader_velocity[a][g]);
}

/* All of a sum is words, which ranks add up. */
void dun_groups_share_sums(const dun_group_pass *p) {
    const struct dun_group_table *t = p->table;
    dun_all_reduce(p->world, &t->sums->agents, t->count * (sizeof *t->sums / sizeof t->sums->agents));
}
