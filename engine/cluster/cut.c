/* SPDX-License-Identifier: MIT */
/*
 * Cuts: where one rank's cells end and the next one's begin. A cut is a share of the way through the cells, row by row, so it
 * is at about the same place for all species. No bit of the state depends on it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "engine/cluster/cluster.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum {
    BINS = 1 << 16,      /* of the way through the cells */
    STEPS_PER_LOOK = 32, /* at the balance */
    HALVINGS = 40,
    AT_ONCE = 64 /* cuts */
};

#define SMALL_PART    0.02 /* of a rank's work */
#define MAX_IMBALANCE 1.05 /* the busiest rank's work over the mean: above it, cutting again pays */

bool dun_cut_species(const dunlin_world *world, int species) {
    const struct dun_cluster *cluster = world->cluster;
    dun_spread *spread = &world->cluster->spread[species];
    const uint32_t ranks = cluster->transport.ranks;
    const dun_index *index = world->species[species]->index;
    const uint64_t cells = index->type->cells(index);
    if (!dun_array_reserve(world->heap, &spread->cells, &spread->cells_room, ranks, sizeof *spread->cells)) return false;
    uint32_t begin = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        const uint32_t end = r + 1 == ranks ? (uint32_t)cells : (uint32_t)(cluster->cut[r + 1] * (double)cells);
        spread->cells[r] = (dun_stretch){begin, end};
        begin = end;
    }
    return true;
}

/* ---- for tests -------------------------------------------------------------------------------------------------------- */

void dun_cut_at_random(dunlin_world *world, uint64_t seed) {
    if (world->cluster) world->cluster->cut_seed = seed;
}

static int compare_cuts(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Some ranks get nothing. */
static void cut_at_random(struct dun_cluster *cluster, uint64_t step) {
    const uint32_t ranks = cluster->transport.ranks;
    for (uint32_t r = 1; r < ranks; r++) {
        const uint64_t bits = dun_mix(dun_mix(cluster->cut_seed + step) + r);
        cluster->cut[r] = bits % 5 == 0 ? (double)(bits >> 8 & 1) : (double)(bits >> 11) * 0x1p-53;
    }
    qsort(cluster->cut + 1, ranks - 1, sizeof *cluster->cut, compare_cuts);
}

/* ---- the balance ------------------------------------------------------------------------------------------------------- */

void dun_cut_count(dunlin_world *world, uint64_t ns) {
    world->cluster->ns_worked += ns;
    world->cluster->steps_counted++;
}

/* The busiest rank's work over the mean. */
static double find_imbalance(const dunlin_world *world) {
    const dunlin_transport *t = world->transport;
    uint64_t max = 0, sum = 0, *work = world->cluster->out_cursor; /* of each rank; there are no messages yet */
    memset(work, 0, t->ranks * sizeof *work);
    work[t->rank] = world->cluster->ns_worked;
    dun_all_reduce(world, work, t->ranks);
    for (uint32_t r = 0; r < t->ranks; r++) {
        max = max_u64(max, work[r]);
        sum += work[r];
    }
    return sum ? (double)max * t->ranks / (double)sum : 1.0;
}

/* Adds this rank's agents to the bins; returns how many there are. */
static uint64_t fill_bins(const dunlin_world *world, uint32_t *bins) {
    uint64_t agents = 0;
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (!species->indexed) continue;
        const uint32_t *keys = world->cluster->spread[s].keys;
        const double scale = BINS / (double)species->index->type->cells(species->index);
        for (uint32_t i = 0; i < species->count; i++) bins[(uint32_t)(keys[i] * scale)]++;
        agents += species->count;
    }
    return agents;
}

/* The work up to a place, if agents are spread evenly in each bin. sums[b]: agents of the bins before b. */
static uint64_t work_below(const uint64_t *sums, double place, uint64_t cost) {
    const double at = place * BINS;
    const uint32_t bin = at < BINS ? (uint32_t)at : BINS - 1;
    const double share = at - bin;
    return (sums[bin] + (uint64_t)((double)(sums[bin + 1] - sums[bin]) * share)) * cost;
}

/* Rows in 2D, planes of rows in 3D: of the species with the most agents. */
static double count_slabs(const dunlin_world *world) {
    uint64_t most = 0;
    uint32_t slabs = 1;
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (!species->indexed || species->whole_count < most) continue;
        most = species->whole_count;
        slabs = dun_grid_slabs(species->index);
    }
    return slabs;
}

/* Ranks see whole slabs, so a cut through one is seen from both sides. Moves each cut to the nearest end of a slab where that
 * is a small part of a rank's work. */
static void cut_between_slabs(const dunlin_world *world, const uint64_t *sums, uint64_t cost, uint64_t all, uint32_t first,
                              uint32_t count) {
    struct dun_cluster *cluster = world->cluster;
    const double slabs = count_slabs(world), ranks = cluster->transport.ranks;
    const double behind = 1e-12; /* of the way: no rounding takes a cut back into the slab before, and no cell is as short */
    double end[AT_ONCE];
    uint64_t below[AT_ONCE];
    for (uint32_t i = 0; i < count; i++) {
        end[i] = floor(cluster->cut[first + i] * slabs + 0.5) / slabs + behind;
        below[i] = work_below(sums, end[i], cost);
    }
    dun_all_reduce(world, below, count);
    for (uint32_t i = 0; i < count; i++) {
        const double wanted = (double)all * (first + i) / ranks;
        if (fabs((double)below[i] - wanted) <= SMALL_PART * (double)all / ranks) cluster->cut[first + i] = end[i];
    }
}

/* Halves the range of each cut until it is so small that no agent is left in it. */
static void find_cuts(const dunlin_world *world, const uint64_t *sums, uint64_t cost, uint32_t first, uint32_t count) {
    struct dun_cluster *cluster = world->cluster;
    double low[AT_ONCE], high[AT_ONCE];
    uint64_t all = sums[BINS] * cost;
    dun_all_reduce(world, &all, 1);
    for (uint32_t i = 0; i < count; i++) {
        low[i] = 0.0;
        high[i] = 1.0;
    }
    for (int halving = 0; halving < HALVINGS; halving++) {
        uint64_t below[AT_ONCE];
        for (uint32_t i = 0; i < count; i++) below[i] = work_below(sums, 0.5 * (low[i] + high[i]), cost);
        dun_all_reduce(world, below, count);
        for (uint32_t i = 0; i < count; i++) {
            const double wanted = (double)all * (first + i) / cluster->transport.ranks;
            *((double)below[i] < wanted ? &low[i] : &high[i]) = 0.5 * (low[i] + high[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) cluster->cut[first + i] = high[i];
    cut_between_slabs(world, sums, cost, all, first, count);
}

/* An agent costs what it has cost this rank lately, in 1/16 ns. */
static uint64_t cost_of(const struct dun_cluster *cluster, uint64_t agents) {
    const uint64_t steps = cluster->steps_counted;
    if (agents == 0 || steps == 0 || !cluster->balanced) return 1;
    const uint64_t cost = 16 * cluster->ns_worked / steps / agents;
    return cost < 1 ? 1 : cost < 1 << 20 ? cost : 1 << 20;
}

static void cut_by_work(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    const uint32_t ranks = cluster->transport.ranks;
    memset(cluster->bins, 0, BINS * sizeof *cluster->bins);
    const uint64_t agents = fill_bins(world, cluster->bins), cost = cost_of(cluster, agents);
    cluster->bin_sums[0] = 0;
    for (uint32_t b = 0; b < BINS; b++) cluster->bin_sums[b + 1] = cluster->bin_sums[b] + cluster->bins[b];
    for (uint32_t first = 1; first < ranks; first += AT_ONCE)
        find_cuts(world, cluster->bin_sums, cost, first, min_u32(AT_ONCE, ranks - first));
    cluster->balanced = true;
    cluster->traffic.cuts++;
}

bool dun_cut_is_due(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    return !cluster->cut_seed && (!cluster->balanced || cluster->steps_counted >= STEPS_PER_LOOK);
}

void dun_cut_again(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    if (cluster->cut_seed) cut_at_random(cluster, world->stats.step);
    if (!dun_cut_is_due(world)) return;
    if (cluster->balanced) cluster->traffic.imbalance = find_imbalance(world);
    if (!cluster->balanced || cluster->traffic.imbalance > MAX_IMBALANCE) cut_by_work(world);
    cluster->ns_worked = cluster->steps_counted = 0;
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

bool dun_cut_create(dun_heap *heap, struct dun_cluster *cluster) {
    const uint32_t ranks = cluster->transport.ranks;
    cluster->cut = dun_allocate_zeros(heap, (size_t)ranks + 1, sizeof *cluster->cut);
    cluster->bins = dun_allocate_zeros(heap, BINS, sizeof *cluster->bins);
    cluster->bin_sums = dun_allocate_zeros(heap, BINS + 1, sizeof *cluster->bin_sums);
    for (uint32_t r = 0; r <= ranks && cluster->cut; r++) cluster->cut[r] = (double)r / ranks;
    return cluster->cut && cluster->bins && cluster->bin_sums;
}
