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
    dun_max(p->world, t->shared, t->count + dun_shared_words(dimensions), t->spare);
    for (uint32_t g = 0; g < t->count; g++) t->leader[g] = UINT32_MAX - (uint32_t)t->shared[g];
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < dimensions; a++)
            of_flock[i][a] = from_ordered((uint32_t)t->shared[t->count + (uint32_t)(i * dimensions + a)]);
}

/* Only a leader's own rank has numbers other than 0 of its place. In a periodic world the points follow. */
void dun_groups_share_places(const dun_group_pass *p) {
    struct dun_group_table *t = p->table;
    const int dimensions = p->world->def.dimensions;
    const size_t places = (size_t)dimensions * t->count, all = dun_pass_periodic(p) ? 3 * places : places;
    for (int a = 0; a < dimensions; a++) {
        uint64_t *shared = t->shared + (size_t)a * t->count;
        for (uint32_t g = 0; g < t->count; g++) {
            const bool own = t->leads[g].id == t->leader[g] && t->leader[g] != UINT32_MAX;
            shared[g] = own ? dun_word_of(t->leader_place[a][g], t->leader_velocity[a][g]) : 0;
            if (!dun_pass_periodic(p)) continue;
            shared[places + g] = (uint64_t)t->turns[g].ahead[a];
            shared[2 * places + g] = (uint64_t)t->turns[g].aside[a];
        }
    }
    dun_all_reduce(p->world, t->shared, (uint32_t)all);
    for (int a = 0; a < dimensions; a++) {
        const uint64_t *shared = t->shared + (size_t)a * t->count;
        for (uint32_t g = 0; g < t->count; g++) {
            if (dun_pass_periodic(p)) {
                t->turns[g].ahead[a] = (int64_t)shared[places + g];
                t->turns[g].aside[a] = (int64_t)shared[2 * places + g];
            }
            dun_from_word(shared[g], &t->leader_place[a][g], &t->leader_velocity[a][g]);
        }
    }
}

void dun_groups_share_sums(const dun_group_pass *p) {
    const struct dun_group_table *t = p->table;
    const int dimensions = p->world->def.dimensions;
    const uint32_t per_group = 1 + 2 * (uint32_t)dimensions;
    for (uint32_t g = 0; g < t->count; g++) {
        uint64_t *shared = t->shared + (size_t)g * per_group;
        *shared++ = t->sums[g].agents;
        for (int a = 0; a < dimensions; a++) *shared++ = (uint64_t)t->sums[g].offset[a];
        for (int a = 0; a < dimensions; a++) *shared++ = (uint64_t)t->sums[g].velocity[a];
    }
    dun_all_reduce(p->world, t->shared, per_group * t->count);
    for (uint32_t g = 0; g < t->count; g++) {
        const uint64_t *shared = t->shared + (size_t)g * per_group;
        t->sums[g].agents = *shared++;
        for (int a = 0; a < dimensions; a++) t->sums[g].offset[a] = (int64_t)*shared++;
        for (int a = 0; a < dimensions; a++) t->sums[g].velocity[a] = (int64_t)*shared++;
    }
}
