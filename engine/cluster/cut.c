/* SPDX-License-Identifier: MIT */
/*
 * Cuts: where one rank's cells end and the next one's begin, as shares of the way, so they are at about the same place for all
 * species. No bit of the state depends on them.
 *
 * All ranks know how much work there is along the way, in bins, by one sum, and each finds all cuts from that. In 2D the way
 * leads through the cells row by row. In 3D there are two sums: by the first, of work by slabs and by lines, bands are cut, and
 * by the second, of each band's work by lines, its ranks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "engine/cluster/cluster.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"

enum {
    BINS = 1 << 16,     /* of the way */
    STEPS_PER_LOOK = 32 /* at the balance */
};

#define SMALL_PART    0.02  /* of a rank's work */
#define MAX_IMBALANCE 1.05  /* the busiest rank's work over the mean: above it, cutting again pays */
#define BEHIND        1e-12 /* of the way: no rounding takes a cut back into the row before, and no cell is as short */

/* ---- for tests -------------------------------------------------------------------------------------------------------- */

void dun_cut_at_random(dunlin_world *world, uint64_t seed) {
    if (world->cluster) world->cluster->cut_seed = seed;
}

/* A share of the way; often its beginning or its end, so that some ranks get nothing. */
static double random_share(uint64_t bits) {
    return bits % 5 == 0 ? (double)(bits >> 8 & 1) : (double)(bits >> 11) * 0x1p-53;
}

/* A share from `from` on. The last of so many reaches the end. */
static double random_end(double from, uint64_t bits, bool last) {
    const double share = random_share(bits);
    return last ? 1.0 : share > from ? share : from;
}

static void cut_at_random(struct dun_cluster *cluster, int dimensions, uint64_t step) {
    const uint32_t ranks = cluster->transport.ranks;
    const uint64_t seed = dun_mix(cluster->cut_seed + step);
    double slab = 0.0, slab_end = 0.0;
    for (uint32_t first = 0, end; first < ranks; first = end, slab = slab_end) {
        end = dimensions == 2 ? ranks : first + 1 + (uint32_t)(dun_mix(seed + first) % (ranks - first));
        slab_end = random_end(slab, dun_mix(seed ^ end), end == ranks);
        for (uint32_t r = first; r < end; r++) {
            const double cell = r == first ? 0.0 : cluster->cut[r - 1].cell_end;
            cluster->cut[r] = (dun_cut){slab, slab_end, cell, random_end(cell, dun_mix(seed) ^ dun_mix(r), r + 1 == end)};
        }
    }
}

/* ---- work along the way ------------------------------------------------------------------------------------------------ */

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

/* An agent costs what it has cost this rank lately, in 1/16 ns. */
static uint64_t agent_cost(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    uint64_t agents = 0;
    for (int s = 0; s < world->species_count; s++)
        if (world->species[s]->indexed) agents += world->species[s]->count;
    const uint64_t steps = cluster->steps_counted;
    if (agents == 0 || steps == 0 || !cluster->balanced) return 1;
    const uint64_t cost = 16 * cluster->ns_worked / steps / agents;
    return cost < 1 ? 1 : cost < 1 << 20 ? cost : 1 << 20;
}

/* The cells of the species with the most agents: cuts are between its rows. */
static dun_cell_shape main_shape(const dunlin_world *world) {
    uint64_t most = 0;
    dun_cell_shape shape = {.cells = {1, 1, 1}};
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (!species->indexed || species->whole_count < most) continue;
        most = species->whole_count;
        shape = dun_grid_shape_of(species->index);
    }
    return shape;
}

/* The bin of a slab, line or cell: of the middle of it, so that with as many bins each has its own. */
static uint32_t bin_of(uint32_t number, uint32_t numbers, uint32_t bins) {
    return (uint32_t)(((double)number + 0.5) / numbers * bins);
}

/* Adds up, from the first bin on: sums[b] is that of the bins before b. */
static uint64_t add_up_bins(uint64_t *sums, uint32_t bins) {
    uint64_t sum = 0;
    for (uint32_t b = 0; b < bins; b++) {
        const uint64_t one = sums[b];
        sums[b] = sum;
        sum += one;
    }
    return sums[bins] = sum;
}

/* The last bin with no more than that before it. */
static uint32_t bin_with(const uint64_t *sums, uint32_t bins, double wanted) {
    uint32_t low = 0, high = bins;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        *((double)sums[middle] <= wanted ? &low : &high) = middle;
    }
    return low;
}

/* ---- 2D ---------------------------------------------------------------------------------------------------------------- */

static void count_cells(const dunlin_world *world, uint64_t cost) {
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (!species->indexed) continue;
        const uint32_t cells = (uint32_t)species->index->type->cells(species->index);
        for (uint32_t i = 0; i < species->count; i++)
            world->cluster->bins[bin_of(world->cluster->spread[s].keys[i], cells, BINS)] += cost;
    }
}

/* The work up to a place, if it is spread evenly in each bin. */
static double work_below(const uint64_t *sums, double place) {
    const double at = place * BINS;
    const uint32_t bin = at < BINS ? (uint32_t)at : BINS - 1;
    return (double)sums[bin] + (double)(sums[bin + 1] - sums[bin]) * (at - bin);
}

/* Ranks see whole rows, so a cut through one is seen from both sides. So a cut is at the nearest end of a row where that is a
 * small part of a rank's work away. */
static double cut_at(const uint64_t *sums, double wanted, double small, uint32_t rows) {
    const uint32_t bin = bin_with(sums, BINS, wanted);
    const double work = (double)(sums[bin + 1] - sums[bin]);
    const double at = (bin + (work > 0.0 ? fmin((wanted - (double)sums[bin]) / work, 1.0) : 0.0)) / BINS;
    const double end = floor(at * rows + 0.5) / rows + BEHIND;
    return fabs(work_below(sums, end) - wanted) <= small ? end : at;
}

static void cut_cells(const dunlin_world *world, uint64_t cost) {
    struct dun_cluster *cluster = world->cluster;
    const uint32_t ranks = cluster->transport.ranks, rows = main_shape(world).cells[1];
    count_cells(world, cost);
    dun_all_reduce(world, cluster->bins, BINS);
    const double all = (double)add_up_bins(cluster->bins, BINS);
    for (uint32_t r = 0; r + 1 < ranks; r++)
        cluster->cut[r].cell_end = cut_at(cluster->bins, all * (r + 1) / ranks, SMALL_PART * all / ranks, rows);
    for (uint32_t r = 1; r < ranks; r++) {
        cluster->cut[r - 1].cell_end = fmin(cluster->cut[r - 1].cell_end, 1.0);
        cluster->cut[r].cell = cluster->cut[r - 1].cell_end;
    }
}

/* ---- 3D ---------------------------------------------------------------------------------------------------------------- */

/* Bins of slabs, and in each band bins of lines. The first sum has one band, and the second no slabs. */
typedef struct banding {
    uint32_t slabs, lines, bands;
    uint32_t *band_of; /* [slabs] */
    uint32_t *end;     /* [bands + 1] band b has the ranks from end[b] to end[b + 1] */
    uint64_t *by_slab; /* [slabs + 1] */
    uint64_t *by_line; /* [bands][lines], and one more */
} banding;

static void count_lines(const dunlin_world *world, const banding *b, uint64_t cost) {
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (!species->indexed) continue;
        const dun_cell_shape shape = dun_grid_shape_of(species->index);
        for (uint32_t i = 0; i < species->count; i++) {
            const uint32_t row = world->cluster->spread[s].keys[i] / shape.cells[0];
            const uint32_t slab = bin_of(row / shape.cells[1], shape.cells[2], b->slabs);
            const uint32_t line = bin_of(row % shape.cells[1], shape.cells[1], b->lines);
            if (b->by_slab) b->by_slab[slab] += cost;
            b->by_line[(size_t)b->band_of[slab] * b->lines + line] += cost;
        }
    }
}

/* How many bins would hold all work if they had the same: (Σ work)² / Σ work². */
static double spread_of(const uint64_t *work, uint32_t bins) {
    double sum = 0.0, squares = 0.0;
    for (uint32_t b = 0; b < bins; b++) {
        sum += (double)work[b];
        squares += (double)work[b] * (double)work[b];
    }
    return squares > 0.0 ? sum * sum / squares : 1.0;
}

/* Where bands end, in ranks. A rank's block is about a square if its band, of t slabs with the work w each, is as thick as it
 * is wide: t = lines / (ranks·w·t). So what all bands have in common is t·√w. */
static void choose_bands(banding *b, const dun_cell_shape *shape, uint32_t ranks) {
    const double lines = spread_of(b->by_line, b->lines) * shape->cells[1] / b->lines,
                 slabs = (double)shape->cells[2] / b->slabs;
    double roots = 0.0, all = 0.0, root = 0.0, work = 0.0;
    for (uint32_t s = 0; s < b->slabs; s++) {
        roots += sqrt((double)b->by_slab[s]);
        all += (double)b->by_slab[s];
    }
    const double wanted = floor(roots * sqrt(slabs * ranks / (lines * fmax(all, 1.0))) + 0.5);
    const double bands = fmax(1.0, fmin(fmax(wanted, ceil((double)ranks / shape->cells[1])), fmin(ranks, b->slabs)));
    b->bands = 0;
    b->end[0] = 0;
    for (uint32_t s = 0; s < b->slabs; s++) {
        root += sqrt((double)b->by_slab[s]);
        work += (double)b->by_slab[s];
        const uint32_t end = (uint32_t)(ranks * work / fmax(all, 1.0) + 0.5);
        const bool is_end = root * bands >= roots * (b->bands + 1);
        if (is_end && end > b->end[b->bands] && end < ranks) b->end[++b->bands] = end;
    }
    b->end[++b->bands] = ranks;
}

/* The number of bins, of which sums[0] is 0, that together come closest to some work. */
static uint32_t bins_for(const uint64_t *sums, uint32_t bins, double wanted) {
    const uint32_t bin = bin_with(sums, bins, wanted);
    return wanted - (double)sums[bin] < (double)sums[bin + 1] - wanted ? bin : bin + 1;
}

static double share_of(uint32_t bin, uint32_t bins) {
    return bin == 0 ? 0.0 : bin == bins ? 1.0 : (double)bin / bins + BEHIND;
}

/* Each band gets as much work as it has of the ranks. */
static void cut_bands(const dunlin_world *world, banding *b) {
    dun_cut *cut = world->cluster->cut;
    const uint32_t ranks = world->cluster->transport.ranks;
    const double all = (double)add_up_bins(b->by_slab, b->slabs);
    for (uint32_t band = 0, begin = 0; band < b->bands; band++) {
        const uint32_t first = b->end[band], next = b->end[band + 1];
        const uint32_t end = next == ranks ? b->slabs : max_u32(begin, bins_for(b->by_slab, b->slabs, all * next / ranks));
        for (uint32_t r = first; r < next; r++)
            cut[r] = (dun_cut){share_of(begin, b->slabs), share_of(end, b->slabs), 0.0, 1.0};
        for (; begin < end; begin++) b->band_of[begin] = band;
    }
}

static void cut_band(const dunlin_world *world, const banding *b, uint32_t band) {
    dun_cut *cut = world->cluster->cut;
    const uint32_t first = b->end[band], next = b->end[band + 1];
    uint64_t *sums = b->by_line + (size_t)band * b->lines;
    const uint64_t behind = sums[b->lines];
    const double all = (double)add_up_bins(sums, b->lines);
    for (uint32_t r = first; r + 1 < next; r++) {
        cut[r].cell_end = share_of(bins_for(sums, b->lines, all * (r + 1 - first) / (next - first)), b->lines);
        cut[r + 1].cell = cut[r].cell_end;
    }
    sums[b->lines] = behind; /* the next band's first */
}

static void cut_blocks(const dunlin_world *world, uint64_t cost) {
    struct dun_cluster *cluster = world->cluster;
    const dun_cell_shape shape = main_shape(world);
    banding b = {.slabs = min_u32(shape.cells[2], BINS / 4), .lines = min_u32(shape.cells[1], BINS / 4), .bands = 1};
    b.by_slab = cluster->bins;
    b.by_line = b.by_slab + b.slabs + 1;
    b.band_of = (uint32_t *)(cluster->bins + 2 * BINS);
    b.end = cluster->band_end;
    memset(b.band_of, 0, b.slabs * sizeof *b.band_of);
    count_lines(world, &b, cost);
    dun_all_reduce(world, cluster->bins, b.slabs + 1 + b.lines);
    choose_bands(&b, &shape, cluster->transport.ranks);
    cut_bands(world, &b);
    b.by_slab = NULL;
    b.lines = min_u32(b.lines, BINS / b.bands);
    b.by_line = cluster->bins;
    memset(b.by_line, 0, (size_t)b.bands * b.lines * sizeof *b.by_line);
    count_lines(world, &b, cost);
    dun_all_reduce(world, b.by_line, (uint64_t)b.bands * b.lines);
    for (uint32_t band = 0; band < b.bands; band++) cut_band(world, &b, band);
}

/* ---- the balance ------------------------------------------------------------------------------------------------------- */

static void cut_by_work(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    memset(cluster->bins, 0, (BINS + 1) * sizeof *cluster->bins);
    (world->def.dimensions == 2 ? cut_cells : cut_blocks)(world, agent_cost(world));
    cluster->balanced = true;
    cluster->traffic.cuts++;
}

bool dun_cut_is_due(const dunlin_world *world) {
    const struct dun_cluster *cluster = world->cluster;
    return !cluster->cut_seed && (!cluster->balanced || cluster->steps_counted >= STEPS_PER_LOOK);
}

void dun_cut_again(dunlin_world *world) {
    struct dun_cluster *cluster = world->cluster;
    if (cluster->cut_seed) cut_at_random(cluster, world->def.dimensions, world->stats.step);
    if (!dun_cut_is_due(world)) return;
    if (cluster->balanced) cluster->traffic.imbalance = find_imbalance(world);
    if (!cluster->balanced || cluster->traffic.imbalance > MAX_IMBALANCE) cut_by_work(world);
    cluster->ns_worked = cluster->steps_counted = 0;
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

bool dun_cut_create(dun_heap *heap, struct dun_cluster *cluster) {
    const uint32_t ranks = cluster->transport.ranks;
    cluster->cut = dun_allocate_zeros(heap, ranks, sizeof *cluster->cut);
    cluster->routed_cut = dun_allocate_zeros(heap, ranks, sizeof *cluster->cut);
    cluster->band_end = dun_allocate_zeros(heap, (size_t)ranks + 1, sizeof *cluster->band_end);
    cluster->bins = dun_allocate_zeros(heap, 3 * BINS, sizeof *cluster->bins);
    for (uint32_t r = 0; r < ranks && cluster->cut; r++)
        cluster->cut[r] = (dun_cut){0.0, 1.0, (double)r / ranks, (double)(r + 1) / ranks};
    return cluster->cut && cluster->routed_cut && cluster->band_end && cluster->bins;
}
