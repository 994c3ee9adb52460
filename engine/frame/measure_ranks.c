/* SPDX-License-Identifier: MIT */
/*
 * The nearest agent across ranks. A rank knows its own agents and those that they see. So the distance to an agent's nearest is
 * certain if it is within the radius of sight, or if no other rank has agents as near as that: of these it knows the smallest
 * box that holds them. The other agents are few. All ranks learn where they are, each finds the nearest of its own agents, and
 * the minimum counts. Asking goes in rounds, so that memory does not depend on how many there are.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/base/bits.h"
#include "engine/base/check.h"
#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/world/agree.h"
#include "engine/world/interaction.h"
#include "engine/world/memory.h"

enum { ROUND = 1024 /* agents */, BOX_WORDS = 3 /* of a box */, ASKED_PER_TASK = 32 };

/* An agent, and the squared distance to the nearest that its rank knows. */
typedef struct lonely {
    uint32_t species, rank;
    float position[3], d2;
} lonely;

/* One of them, as ranks add it up: on all others it is 0. */
typedef union asked {
    lonely of;
    uint64_t words[sizeof(lonely) / sizeof(uint64_t)];
} asked;

typedef struct lonely_list {
    lonely *of; /* [room] */
    size_t count, room;
    bool lost; /* there was no memory for one */
    char padding[DUN_CACHE_LINE];
} lonely_list;

struct dun_asking {
    uint32_t workers, ranks; /* there is room for so many */
    lonely_list *lists;      /* [workers] */
    uint64_t *box;           /* [DUNLIN_MAX_SPECIES][ranks][BOX_WORDS] of each rank's agents */
    asked *asked;            /* [ROUND] */
    uint64_t *answer;        /* [ROUND] */
    uint64_t *spare;         /* of dun_max() */
};

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static size_t box_words(uint32_t ranks) {
    return (size_t)DUNLIN_MAX_SPECIES * ranks * BOX_WORDS;
}

static size_t block_words(uint32_t ranks) {
    return box_words(ranks) + ROUND * (sizeof(asked) / sizeof(uint64_t) + 1) + dun_max_spare(ranks, ROUND);
}

bool dun_asking_reserve(dunlin_world *world) {
    struct dun_measuring *all = world->measuring;
    if (!world->transport || all->asking) return true; /* neither ranks nor workers change */
    const uint32_t workers = (uint32_t)world->def.threads, ranks = world->transport->ranks;
    dun_asking *asking = dun_allocate(world->heap, sizeof *asking);
    lonely_list *lists = dun_allocate_zeros(world->heap, workers, sizeof *lists);
    uint64_t *block = dun_allocate_zeros(world->heap, block_words(ranks), sizeof *block);
    if (!asking || !lists || !block) {
        dun_free(asking);
        dun_free(lists);
        dun_free(block);
        return false;
    }
    *asking = (dun_asking){.workers = workers, .ranks = ranks, .lists = lists, .box = block};
    asking->asked = (asked *)(void *)(block + box_words(ranks));
    asking->answer = (uint64_t *)(void *)(asking->asked + ROUND);
    asking->spare = asking->answer + ROUND;
    all->asking = asking;
    return true;
}

/* ---- answers ---------------------------------------------------------------------------------------------------------- */

/* The smaller of two distances is the larger number. */
static uint64_t answer_of(float d2) {
    return UINT32_MAX - dun_bits_of(d2);
}

static float distance_in(uint64_t answer) {
    return dun_float_of(UINT32_MAX - (uint32_t)answer);
}

/* ---- boxes ------------------------------------------------------------------------------------------------------------ */

static uint64_t *box_of_rank(const dun_measured *m, uint32_t rank) {
    const dun_asking *asking = m->world->measuring->asking;
    return asking->box + ((size_t)m->species * asking->ranks + rank) * BOX_WORDS;
}

void dun_asking_begin(const dun_measured *m) {
    const dunlin_transport *t = m->world->transport;
    uint64_t *own = box_of_rank(m, t->rank);
    memset(box_of_rank(m, 0), 0, (size_t)t->ranks * BOX_WORDS * sizeof *own);
    for (int a = 0; a < m->motion.dimensions; a++) {
        float ends[2] = {INFINITY, -INFINITY};
        if (m->begin < m->end) m->world->kernel->min_max(m->agents->position[a] + m->begin, m->end - m->begin, ends);
        own[a] = dun_word_of(ends[0], ends[1]);
    }
    dun_all_reduce(m->world, box_of_rank(m, 0), t->ranks * BOX_WORDS);
}

/* How far at least a coordinate is from a box, less than kernels may round. */
static double gap_along(const dun_measured *m, int axis, double x, const uint64_t box[BOX_WORDS]) {
    const double size = m->motion.size[axis];
    float min, max;
    dun_from_word(box[axis], &min, &max);
    double below = (double)min - x, above = x - (double)max;
    if (below <= 0.0 && above <= 0.0) return 0.0;
    if (below < 0.0) below += size > 0.0 ? size : (double)INFINITY;
    if (above < 0.0) above += size > 0.0 ? size : (double)INFINITY;
    return fmax(0.0, fmin(below, above) * (1.0 - 1e-6) - 1e-6 * size);
}

static bool may_have_nearer(const dun_measured *m, const lonely *of, uint32_t rank) {
    const uint64_t *box = box_of_rank(m, rank);
    double gap2 = 0.0;
    for (int a = 0; a < m->motion.dimensions; a++) {
        const double gap = gap_along(m, a, (double)of->position[a], box);
        gap2 += gap * gap;
    }
    return gap2 < (double)of->d2;
}

/* ---- asking ----------------------------------------------------------------------------------------------------------- */

static void list_lonely(const dunlin_world *world, const lonely *of, lonely_list *list) {
    if (list->count == list->room &&
        !dun_array_reserve(world->heap, &list->of, &list->room, 2 * (uint64_t)list->count + ROUND, sizeof *list->of))
        list->lost = true;
    else
        list->of[list->count++] = *of;
}

void dun_asking_list(const dun_measured *m, uint32_t first, uint32_t count, float *nearest, const dun_scratch *scratch) {
    const dunlin_transport *t = m->world->transport;
    lonely_list *list = &m->world->measuring->asking->lists[scratch - m->world->memory.scratch];
    const float certain = dun_squared_radius(m->radius);
    for (uint32_t i = 0; i < count; i++) {
        if (nearest[i] <= certain) continue;
        lonely of = {.species = (uint32_t)m->species, .rank = t->rank, .d2 = nearest[i]};
        for (int a = 0; a < m->motion.dimensions; a++) of.position[a] = m->agents->position[a][first + i];
        bool any = false;
        for (uint32_t r = 0; r < t->ranks && !any; r++) any = r != t->rank && may_have_nearer(m, &of, r);
        if (!any) continue;
        list_lonely(m->world, &of, list);
        nearest[i] = INFINITY;
    }
}

/* ---- answering -------------------------------------------------------------------------------------------------------- */

/* Others' agents, which this rank only sees, may be the one that is asked about. Returns how many ranges are left. */
static uint32_t keep_own_ranges(const dun_measured *m, dun_range *ranges, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t r = 0; r < count; r++) {
        dun_range own = ranges[r];
        own.begin = max_u32(own.begin, m->begin);
        own.end = min_u32(own.end, m->end);
        if (own.begin < own.end) ranges[kept++] = own;
    }
    return kept;
}

/* The squared distance to the nearest of this rank's agents, if it is below that which is known. */
static float search_nearest(const dun_measured *m, const lonely *of, dun_scratch *scratch) {
    float at[3][2 * DUN_PADDING] = {{0}};
    const float *position[3] = {at[0], at[1], at[2]};
    const dun_index *index = m->world->species[m->species]->index;
    dun_interact job = dun_measure_interact(m);
    job.own = false;
    job.shape.nested = true;
    for (int a = 0; a < 3; a++) {
        at[a][0] = of->position[a];
        job.observer[a] = at[a];
    }
    dun_interact_fn *interact = m->world->kernel->interact(&job.shape);
    dun_walk walk = dun_walk_through(m->world, index, index, position, m->space.radius, 0, 1);
    walk.query.own = false;
    walk.query.packet.count = 1;
    for (;;) {
        const uint32_t ranges = keep_own_ranges(m, scratch->ranges, dun_measure_ranges(m, &walk, scratch));
        job.max_r2 = walk.query.reach.everywhere ? FLT_MAX : dun_squared_radius(walk.radius);
        interact(&job, walk.query.packet, scratch->ranges, ranges, &scratch->sums, 0);
        if (scratch->sums.nearest[0] <= job.max_r2 || walk.query.reach.everywhere) return scratch->sums.nearest[0];
        if (job.max_r2 >= of->d2) return INFINITY;
        dun_walk_set_radius(&walk, 2.0f * walk.radius);
    }
}

typedef struct asking_round {
    dunlin_world *world;
    uint32_t agents;
} asking_round;

static void answer_some(void *context, uint32_t task, uint32_t worker) {
    const asking_round *round = context;
    const struct dun_measuring *all = round->world->measuring;
    const dun_asking *asking = all->asking;
    const uint32_t end = min_u32((task + 1) * ASKED_PER_TASK, round->agents), own = round->world->transport->rank;
    for (uint32_t i = task * ASKED_PER_TASK; i < end; i++) {
        const lonely of = asking->asked[i].of;
        const dun_measured *m = &all->species[of.species];
        float d2 = of.rank == own ? of.d2 : INFINITY;
        if (of.rank != own && may_have_nearer(m, &of, own)) d2 = search_nearest(m, &of, &round->world->memory.scratch[worker]);
        asking->answer[i] = d2 < INFINITY ? answer_of(d2) : 0;
    }
}

/* Adds what this rank learns about its own agents to the totals. */
static void take_own_answers(const asking_round *round) {
    const struct dun_measuring *all = round->world->measuring;
    for (uint32_t i = 0; i < round->agents; i++) {
        const lonely of = all->asking->asked[i].of;
        dun_totals *totals = &all->species[of.species].totals[0];
        if (of.rank != round->world->transport->rank || all->asking->answer[i] == 0) continue;
        dun_exact_add(&totals->sum[DUN_TOTAL_NEAREST], sqrt((double)distance_in(all->asking->answer[i])));
        totals->with_nearest++;
    }
}

/* Asks about the agents [begin, begin + round.agents) of all ranks' lists, of which this rank's begin at `first`. */
static void ask(const asking_round *round, uint64_t begin, uint64_t first) {
    const dun_asking *asking = round->world->measuring->asking;
    const dun_executor *executor = &round->world->executor;
    memset(asking->asked, 0, round->agents * sizeof *asking->asked);
    for (uint32_t w = 0; w < asking->workers; w++)
        for (size_t i = 0; i < asking->lists[w].count; i++, first++)
            if (first >= begin && first - begin < round->agents) asking->asked[first - begin].of = asking->lists[w].of[i];
    dun_all_reduce(round->world, asking->asked->words, round->agents * (sizeof *asking->asked / sizeof(uint64_t)));
    executor->run(executor, round->agents / ASKED_PER_TASK + 1, answer_some, (void *)(uintptr_t)round);
    dun_max(round->world, asking->answer, round->agents, asking->spare);
    take_own_answers(round);
}

dunlin_result dun_asking_answer(dunlin_world *world, dunlin_error *error) {
    const dunlin_transport *t = world->transport;
    const dun_asking *asking = world->measuring->asking;
    uint64_t first = 0, all;
    bool lost = false;
    for (uint32_t w = 0; w < asking->workers; w++) first += asking->lists[w].count;
    all = first;
    t->exclusive_scan(t->context, &first, 1);
    dun_all_reduce(world, &all, 1);
    for (uint64_t begin = 0; begin < all; begin += ROUND) {
        const asking_round round = {world, all - begin < ROUND ? (uint32_t)(all - begin) : ROUND};
        ask(&round, begin, first);
    }
    for (uint32_t w = 0; w < asking->workers; w++) {
        lost = lost || asking->lists[w].lost;
        asking->lists[w].count = 0;
        asking->lists[w].lost = false;
    }
    return lost ? dun_fail_memory(error, "a measurement") : DUNLIN_OK;
}
