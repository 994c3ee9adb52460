/* SPDX-License-Identifier: MIT */
/*
 * Connected components of agents within a radius, by a union-find that all workers share without locks.
 *
 * Slots of the sorted agents form a forest. A slot's parent is a slot below it, or the slot itself, which is then a root. A
 * worker links two trees by one compare-and-swap, which puts the higher root under the lower one, so that in the end each
 * component's root is its minimum slot, in whatever order they were linked. Parents are atomic and relaxed: no other memory
 * depends on them until the region has ended, and every parent that a slot ever had is a member of its component below it.
 *
 * A pair is met from its higher slot. In a dense flock nearly all candidates are known to be of the agent's component by then:
 * they cost one comparison, and no distance.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/survey/survey.h"
#include "engine/world/use.h"

enum { AGENTS_PER_PACKET = 8 }; /* that share a list of ranges */

typedef _Atomic uint32_t shared_u32;

typedef struct grouping {
    dun_sorted sorted;
    const uint32_t *id;       /* [agents] of the crowd */
    const uint32_t *slot;     /* [agents] of each sorted agent, its place in the crowd */
    shared_u32 *parent;       /* [agents] sorted */
    shared_u32 *size, *label; /* [agents] by root: agents, and their minimum id */
    uint32_t *label_of_agent; /* [agents] of the crowd */
} grouping;

/* ---- the forest ------------------------------------------------------------------------------------------------------- */

static inline uint32_t load(const shared_u32 *from) {
    return atomic_load_explicit(from, memory_order_relaxed);
}

static inline void store(shared_u32 *to, uint32_t value) {
    atomic_store_explicit(to, value, memory_order_relaxed);
}

/* Halves the way for later searches. */
static inline uint32_t find_root(shared_u32 *parent, uint32_t slot) {
    for (;;) {
        const uint32_t above = load(&parent[slot]);
        if (above == slot) return slot;
        const uint32_t next = load(&parent[above]);
        if (next == above) return above;
        store(&parent[slot], next);
        slot = next;
    }
}

/* Returns the root of both. */
static uint32_t link_slots(shared_u32 *parent, uint32_t i, uint32_t j) {
    for (;;) {
        i = find_root(parent, i);
        j = find_root(parent, j);
        if (i == j) return i;
        const uint32_t low = min_u32(i, j);
        uint32_t high = i ^ j ^ low;
        if (atomic_compare_exchange_strong_explicit(&parent[high], &high, low, memory_order_relaxed, memory_order_relaxed))
            return low;
    }
}

/* ---- the pairs -------------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) uint32_t link_range(const grouping *g, int dimensions, bool folds, uint32_t i,
                                                                 uint32_t root, uint32_t begin, uint32_t end) {
    for (uint32_t j = end; j-- > begin;) {
        if (load(&g->parent[j]) == root) continue;
        if (dun_sorted_distance2(&g->sorted, dimensions, folds, i, j) <= g->sorted.max_r2)
            root = link_slots(g->parent, root, j);
    }
    return root;
}

/* Only such an agent has neighbours beyond an edge: twice the radius is more than it and what positions are rounded by. */
static inline __attribute__((always_inline)) bool is_near_edge(const dun_sorted *sorted, int dimensions, uint32_t i) {
    const float reach = 2.0f * sorted->radius;
    bool is_near = false;
    for (int a = 0; a < dimensions; a++) {
        const float x = sorted->position[a][i];
        is_near |= x < reach || sorted->size[a] - x < reach;
    }
    return is_near;
}

/* From the agent downwards: what is near in storage is likely near in space, and has the root that the others have. */
static inline __attribute__((always_inline)) void link_agent(const grouping *g, int dimensions, uint32_t i,
                                                             const dun_range *ranges, uint32_t count) {
    const bool is_near = is_near_edge(&g->sorted, dimensions, i);
    uint32_t root = i;
    while (count-- > 0) {
        const dun_range range = ranges[count];
        if (range.begin >= i) continue;
        root = is_near && range.folds ? link_range(g, dimensions, true, i, root, range.begin, min_u32(range.end, i))
                                      : link_range(g, dimensions, false, i, root, range.begin, min_u32(range.end, i));
    }
}

static void link_tile(void *context, uint32_t tile, uint32_t worker) {
    const grouping *g = context;
    dun_range *ranges = g->sorted.ranges + (size_t)worker * g->sorted.range_room;
    dun_walk walk = dun_sorted_walk(&g->sorted, tile, AGENTS_PER_PACKET);
    while (dun_walk_on(&walk)) {
        const uint32_t count = dun_walk_ranges(&walk, ranges), end = walk.query.packet.first + walk.query.packet.count;
        for (uint32_t i = walk.query.packet.first; i < end; i++)
            walk.dimensions == 3 ? link_agent(g, 3, i, ranges, count) : link_agent(g, 2, i, ranges, count);
    }
}

/* ---- before and after ------------------------------------------------------------------------------------------------- */

static void group_tile(void *context, uint32_t tile, uint32_t worker) {
    (void)worker;
    const dun_crowd *crowd = context;
    uint32_t *slot = crowd->survey->kept[DUN_KEPT_SLOTS].array;
    for (uint32_t i = tile * DUN_TILE; i < dun_crowd_tile_end(crowd, tile); i++) slot[i] = i;
}

static void begin_tile(void *context, uint32_t tile, uint32_t worker) {
    (void)worker;
    const grouping *g = context;
    for (uint32_t i = tile * DUN_TILE; i < dun_crowd_tile_end(g->sorted.crowd, tile); i++) {
        store(&g->parent[i], i);
        store(&g->size[i], 0);
        store(&g->label[i], UINT32_MAX);
    }
}

static void add_to_root(const grouping *g, uint32_t root, uint32_t agents, uint32_t min_id) {
    atomic_fetch_add_explicit(&g->size[root], agents, memory_order_relaxed);
    uint32_t known = load(&g->label[root]);
    while (min_id < known && !atomic_compare_exchange_weak_explicit(&g->label[root], &known, min_id, memory_order_relaxed,
                                                                    memory_order_relaxed)) {
    }
}

/* Consecutive agents of one component are counted before they are added, because all workers may add to one root. */
static void count_tile(void *context, uint32_t tile, uint32_t worker) {
    (void)worker;
    const grouping *g = context;
    const uint32_t begin = tile * DUN_TILE, end = dun_crowd_tile_end(g->sorted.crowd, tile);
    uint32_t root = find_root(g->parent, begin), agents = 0, min_id = UINT32_MAX;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t own = find_root(g->parent, i);
        if (own != root) {
            add_to_root(g, root, agents, min_id);
            root = own, agents = 0, min_id = UINT32_MAX;
        }
        agents++;
        min_id = min_u32(min_id, g->id[g->slot[i]]);
    }
    add_to_root(g, root, agents, min_id);
}

static void label_tile(void *context, uint32_t tile, uint32_t worker) {
    (void)worker;
    const grouping *g = context;
    for (uint32_t i = tile * DUN_TILE; i < dun_crowd_tile_end(g->sorted.crowd, tile); i++)
        g->label_of_agent[g->slot[i]] = load(&g->label[find_root(g->parent, i)]);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------------ */

static void count_components(const grouping *g, dunlin_components *components) {
    uint64_t squares = 0; /* their sum is no larger than the square of the number of agents */
    for (uint32_t i = 0; i < components->agents; i++) {
        const uint32_t size = load(&g->size[i]);
        if (size == 0) continue;
        components->count++;
        components->largest = size > components->largest ? size : components->largest;
        squares += (uint64_t)size * size;
    }
    components->mean_size = (double)components->agents / (double)components->count;
    components->typical_size = (double)squares / (double)components->agents;
}

/* A counting sort, from the largest size down. */
static bool list_sizes(const grouping *g, dunlin_components *components) {
    dunlin_survey *survey = g->sorted.crowd->survey;
    uint32_t *histogram = dun_survey_keep(survey, DUN_KEPT_HISTOGRAM, (uint64_t)components->largest + 1, sizeof *histogram);
    uint32_t *sizes = dun_survey_keep(survey, DUN_KEPT_SIZES, components->count, sizeof *sizes);
    if (!histogram || !sizes) return false;
    memset(histogram, 0, ((size_t)components->largest + 1) * sizeof *histogram);
    for (uint32_t i = 0; i < components->agents; i++) histogram[load(&g->size[i])]++;
    uint32_t at = 0;
    for (uint32_t size = components->largest; size > 0; size--)
        for (uint32_t n = 0; n < histogram[size]; n++) sizes[at++] = size;
    components->sizes = sizes;
    return true;
}

/* ---- all together ----------------------------------------------------------------------------------------------------- */

static bool make_grouping_room(grouping *g, const dun_crowd *crowd, float radius) {
    dunlin_survey *survey = crowd->survey;
    uint32_t *slot = dun_survey_keep(survey, DUN_KEPT_SLOTS, crowd->count, sizeof *slot);
    g->parent = dun_survey_keep(survey, DUN_KEPT_PARENTS, crowd->count, sizeof *g->parent);
    g->size = dun_survey_keep(survey, DUN_KEPT_COUNTS, crowd->count, sizeof *g->size);
    g->label = dun_survey_keep(survey, DUN_KEPT_MINIMA, crowd->count, sizeof *g->label);
    g->label_of_agent = dun_survey_keep(survey, DUN_KEPT_LABELS, crowd->count, sizeof *g->label_of_agent);
    g->id = dun_crowd_column(crowd, 2 * crowd->world->def.dimensions);
    if (!slot || !g->parent || !g->size || !g->label || !g->label_of_agent || !g->id) return false;
    dun_crowd_run(crowd, group_tile, (void *)(uintptr_t)crowd);
    if (!dun_crowd_sort(crowd, radius, (const dun_word *const[]){slot}, 1, &g->sorted)) return false;
    g->slot = g->sorted.extra[0];
    return true;
}

static bool find_components(grouping *g, const dun_crowd *crowd, float radius, dunlin_components *components) {
    if (!make_grouping_room(g, crowd, radius)) return false;
    dun_crowd_run(crowd, begin_tile, g);
    dun_crowd_run(crowd, link_tile, g);
    dun_crowd_run(crowd, count_tile, g);
    dun_crowd_run(crowd, label_tile, g);
    count_components(g, components);
    for (int s = crowd->first; s < crowd->end; s++) components->labels[s] = g->label_of_agent + crowd->begin[s];
    return list_sizes(g, components);
}

dunlin_result dun_survey_components(dunlin_survey *survey, dunlin_world *world, int species, float radius,
                                    dunlin_components *components, dunlin_error *error) {
    static const dun_limits radii = {"radius", (double)1e-9f, 1e9, false, "world units"};
    dun_crowd crowd;
    dunlin_result result = dun_check((double)radius, &radii, error);
    if (!result) result = dun_crowd_gather(&crowd, survey, world, species, error);
    if (result) return result;
    components->mean_size = components->typical_size = (double)NAN;
    if (crowd.count == 0) return DUNLIN_OK;
    grouping g = {0};
    components->agents = crowd.count;
    if (find_components(&g, &crowd, radius, components)) return DUNLIN_OK;
    *components = (dunlin_components){0};
    return dun_fail_memory(error, "components");
}

dunlin_result dunlin_survey_components(dunlin_survey *survey, dunlin_world *world, int species, float radius,
                                       dunlin_components *components, dunlin_error *error) {
    if (!components) return dun_fail(error, DUNLIN_ERROR_VALUE, "components is NULL: it must point at a dunlin_components");
    *components = (dunlin_components){0};
    DUN_CHANGE(world, error);
    return dun_survey_components(survey, world, species, radius, components, error);
}
