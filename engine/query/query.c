/* SPDX-License-Identifier: MIT */
/*
 * Queries: checks, the sort, and the sharing out of many questions.
 *
 * One worker answers one question after another, straight into the caller's arrays. Several workers take blocks of questions in
 * rounds. So does one that is asked about places all over a large flock: it waits for memory unless questions near each other
 * follow each other. Where a question's hits begin is known only when all before it are answered, so a round is:
 *
 *   order    the questions by the cells of a lattice, if they are scattered
 *   answer   each block, into a part of the world's own memory                by blocks
 *   place    finds where each question's hits belong
 *   copy     them there                                                       by blocks
 *
 * Hits for which a block's part has no room are found again in the last region.
 */
#include <stdio.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/radix.h"
#include "engine/frame/stages.h"
#include "engine/prepare/prepare.h"
#include "engine/query/place.h"
#include "engine/query/search.h"
#include "engine/world/agents.h"
#include "engine/world/agree.h"
#include "engine/world/list.h"
#include "engine/world/look.h"
#include "engine/world/use.h"

enum {
    QUERY_BLOCK = 256,     /* questions */
    BLOCKS_PER_WORKER = 8, /* in a round, */
    ORDERED = 1 << 17,     /* or as many questions, if they are put into an order */
    COLUMNS_2D = 362,      /* by a lattice with about so many cells: its columns along each axis */
    COLUMNS_3D = 51,
    LEAST = 2048,           /* questions that are, */
    MANY_AGENTS = 1 << 16,  /* among more agents than a cache holds, */
    FEW_BETWEEN = 64,       /* if at most so many are between two questions */
    FETCHED_AHEAD = 12,     /* questions */
    PART = QUERY_BLOCK * 48 /* hits of a block that there is room for */
};

/* A question of a round that is answered. */
typedef struct query_answer {
    uint64_t hits, at; /* in the block's part */
    uint64_t to;       /* in the caller's arrays */
} query_answer;

/* What is kept from one call to the next. */
struct dun_query_memory {
    uint32_t *ids;
    dunlin_slot *slots;
    float *distances;
    query_answer *answered;   /* [questions of a round] */
    dun_keyed *order, *spare; /* [questions of a round] by cells, if they are put into an order */
    dun_met *met;             /* [workers][nearest that are wanted] */
    size_t id_room, slot_room, distance_room, answered_room, order_room, spare_room, met_room;
};

/* A shape of questions. */
typedef struct query_shape {
    const char *name; /* in messages */
    size_t size;
    dunlin_result (*check)(const dunlin_world *world, const void *question, dunlin_error *error);
    dun_answer_fn *answer;
    bool needs_around; /* the box around all agents */
    bool wants;        /* a number of agents */
} query_shape;

/* One call. */
typedef struct inquiry {
    dunlin_world *world;
    const query_shape *shape;
    const char *questions;
    uint32_t count;
    dunlin_found *found;
    uint32_t most; /* agents that a question wants */
    int species;
    dun_searched searched[DUNLIN_MAX_SPECIES];
    bool scattered;               /* they are put into an order */
    uint32_t round, first, asked; /* questions of a round at most, and those of this one */
} inquiry;

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_point(const dunlin_world *world, const char *field, const float point[3], dunlin_error *error) {
    const dun_limits limits = {field, (double)-DUN_MAX_COORDINATE, (double)DUN_MAX_COORDINATE, false, "world units"};
    for (int a = 0; a < world->def.dimensions; a++)
        if (!(fabsf(point[a]) <= DUN_MAX_COORDINATE)) return dun_check_axis((double)point[a], a, &limits, error);
    return DUNLIN_OK;
}

static dunlin_result check_length(const char *field, float length, double max, dunlin_error *error) {
    return dun_check((double)length, &(dun_limits){field, 0.0, max, false, "world units"}, error);
}

static dunlin_result check_direction(const dunlin_world *world, const float direction[3], dunlin_error *error) {
    bool any = false, within = true;
    for (int a = 0; a < world->def.dimensions; a++) {
        any = any || direction[a] != 0.0f;
        within = within && fabsf(direction[a]) <= 1e9f;
    }
    if (!within) return dun_check_vector(direction, world->def.dimensions, "direction", error);
    return any ? DUNLIN_OK : dun_fail(error, DUNLIN_ERROR_VALUE, "direction is 0: it must have a length");
}

static dunlin_result check_ball(const dunlin_world *world, const void *question, dunlin_error *error) {
    const dunlin_ball *ball = question;
    const dunlin_result result = check_point(world, "centre", ball->centre, error);
    return result ? result : check_length("radius", ball->radius, 1e9, error);
}

static dunlin_result check_box(const dunlin_world *world, const void *question, dunlin_error *error) {
    const dunlin_box *box = question;
    dunlin_result result = check_point(world, "min", box->min, error);
    for (int a = 0; a < world->def.dimensions && !result; a++) {
        if (box->min[a] <= box->max[a] && box->max[a] <= DUN_MAX_COORDINATE) continue;
        const dun_limits limits = {"max", (double)box->min[a], (double)DUN_MAX_COORDINATE, false, "world units"};
        result = dun_check_axis((double)box->max[a], a, &limits, error);
    }
    return result;
}

static dunlin_result check_cone(const dunlin_world *world, const void *question, dunlin_error *error) {
    const dunlin_cone *cone = question;
    const dun_limits angles = {"half_angle", 0.0, (double)DUN_PI, false, "radians"};
    dunlin_result result = check_point(world, "tip", cone->tip, error);
    if (!result) result = check_direction(world, cone->direction, error);
    if (!result) result = check_length("length", cone->length, 1e9, error);
    return result ? result : dun_check((double)cone->half_angle, &angles, error);
}

static dunlin_result check_nearest(const dunlin_world *world, const void *question, dunlin_error *error) {
    const dunlin_nearest *nearest = question;
    const dunlin_result result = check_point(world, "centre", nearest->centre, error);
    return result ? result : check_length("radius", nearest->radius, (double)INFINITY, error);
}

static dunlin_result check_ray(const dunlin_world *world, const void *question, dunlin_error *error) {
    const dunlin_ray *ray = question;
    double side = (double)INFINITY;
    for (int a = 0; a < world->def.dimensions; a++) side = fmin(side, (double)dun_fold_size(&world->def, a));
    dunlin_result result = check_point(world, "from", ray->from, error);
    if (!result) result = check_direction(world, ray->direction, error);
    if (!result) result = check_length("length", ray->length, fmin(1e9, 1e3 * side), error);
    return result ? result : check_length("radius", ray->radius, fmin(1e9, 0.25 * side), error);
}

static const query_shape balls = {"balls", sizeof(dunlin_ball), check_ball, dun_answer_ball, false, false};
static const query_shape boxes = {"boxes", sizeof(dunlin_box), check_box, dun_answer_box, false, false};
static const query_shape cones = {"cones", sizeof(dunlin_cone), check_cone, dun_answer_cone, false, false};
static const query_shape nearest_points = {"points", sizeof(dunlin_nearest), check_nearest, dun_answer_nearest, false, true};
static const query_shape rays = {"rays", sizeof(dunlin_ray), check_ray, dun_answer_ray, true, false};

static const void *question_of(const inquiry *q, uint32_t number) {
    return q->questions + number * q->shape->size;
}

static dunlin_result check_questions(inquiry *q, dunlin_error *error) {
    dunlin_error inner = {.message = ""};
    for (uint32_t i = 0; i < q->count; i++) {
        const dunlin_result result = q->shape->check(q->world, question_of(q, i), &inner);
        if (result) return dun_fail(error, result, "%s[%u].%.280s", q->shape->name, i, inner.message);
        if (q->shape->wants) q->most = max_u32(q->most, ((const dunlin_nearest *)question_of(q, i))->count);
    }
    return DUNLIN_OK;
}

static dunlin_result check_call(inquiry *q, int species, dunlin_error *error) {
    dunlin_result result = q->found ? dun_check_cookie(q->found->cookie, "dunlin_found", error)
                                    : dun_fail(error, DUNLIN_ERROR_VALUE, "found is NULL: it must point at a dunlin_found");
    if (!result && !q->questions && q->count > 0)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "%s is NULL: it must point at %u of them", q->shape->name, q->count);
    if (!result) result = dun_check_whole(q->world, "a query", error);
    if (!result && species != DUNLIN_ALL_SPECIES) result = dun_species_check(q->world, species, error);
    return result ? result : check_questions(q, error);
}

/* ---- order ------------------------------------------------------------------------------------------------------------ */

/* The first field of every shape: where it is, or at least where it begins. */
static const float *place_of_question(const inquiry *q, uint32_t number) {
    return question_of(q, number);
}

/* The box around every `step`th of the questions. */
static dun_box box_of_questions(const inquiry *q, uint32_t first, uint32_t count, uint32_t step) {
    dun_box box = {0};
    for (int a = 0; a < q->world->def.dimensions; a++) box.of[a][0] = box.of[a][1] = place_of_question(q, first)[a];
    for (uint32_t i = 0; i < count; i += step)
        for (int a = 0; a < q->world->def.dimensions; a++) {
            const float x = place_of_question(q, first + i)[a];
            if (x < box.of[a][0]) box.of[a][0] = x;
            if (x > box.of[a][1]) box.of[a][1] = x;
        }
    return box;
}

/* Whether, in a sample, most questions are farther from the one before than a sixteenth of the box around all. */
static bool are_scattered(const inquiry *q) {
    const uint32_t step = q->count / (LEAST / 2);
    const dun_box box = box_of_questions(q, 0, q->count, step);
    uint32_t sampled = 0, far = 0;
    for (uint32_t i = step; i < q->count; i += step, sampled++) {
        bool is_far = false;
        for (int a = 0; a < q->world->def.dimensions; a++)
            is_far = is_far ||
                     fabsf(place_of_question(q, i)[a] - place_of_question(q, i - 1)[a]) > (box.of[a][1] - box.of[a][0]) / 16.0f;
        far += is_far;
    }
    return 2 * far > sampled;
}

/* By the cells of a lattice over the box around the questions, about as many as these. */
static void order_round(const inquiry *q) {
    const int dimensions = q->world->def.dimensions;
    const uint32_t columns = dimensions == 2 ? COLUMNS_2D : COLUMNS_3D;
    const dun_box box = box_of_questions(q, q->first, q->asked, 1);
    float scale[3] = {0.0f};
    for (int a = 0; a < dimensions; a++)
        if (box.of[a][1] > box.of[a][0]) scale[a] = (float)columns / (box.of[a][1] - box.of[a][0]);
    dun_keyed *order = q->world->queries->order;
    for (uint32_t i = 0; i < q->asked; i++) {
        uint32_t cell = 0;
        for (int a = dimensions - 1; a >= 0; a--) {
            const float column = (place_of_question(q, q->first + i)[a] - box.of[a][0]) * scale[a];
            cell = cell * columns + (column < (float)columns ? (uint32_t)column : columns - 1);
        }
        order[i] = (dun_keyed){cell, i};
    }
    dun_radix_sort(order, q->world->queries->spare, q->asked);
}

/* The question of the round that is answered as the i-th. */
static uint32_t number_of(const inquiry *q, uint32_t i) {
    return q->scattered ? q->world->queries->order[i].value : i;
}

/* Whether hits go through the world's own memory. */
static bool in_rounds(const inquiry *q) {
    return q->scattered || (q->world->executor.workers > 1 && q->count > QUERY_BLOCK);
}

/* ---- before the search ------------------------------------------------------------------------------------------------ */

static void find_around(const dunlin_world *world, dun_species *species, const dun_agents *agents) {
    for (int a = 0; a < world->def.dimensions; a++)
        world->kernel->min_max(agents->position[a], species->count, species->around.of[a]);
    species->has_around = true;
}

/* Ranges of any question about the species. */
static bool reserve_ranges(const dunlin_world *world, const dun_searched *s) {
    const dun_reach reach = s->index->type->reach(s->index, s->cell_radius);
    const uint32_t most = s->index->type->max_ranges(s->index, &reach, false);
    bool whole = true;
    for (uint32_t w = 0; w < world->executor.workers && whole; w++) {
        dun_scratch *scratch = &world->memory.scratch[w];
        whole = dun_array_fit(world->heap, &scratch->ranges, &scratch->range_room, most, sizeof *scratch->ranges);
    }
    return whole;
}

static bool add_searched(inquiry *q, int number) {
    const dunlin_world *world = q->world;
    dun_species *species = world->species[number];
    if (species->count == 0) return true;
    if (!dun_species_sort(world, number, q->found->slots)) return false;
    dun_searched *s = &q->searched[q->species++];
    *s = (dun_searched){.species = number,
                        .index = species->index,
                        .agents = &species->buffer[dun_species_sorted(species)],
                        .slot = species->sorted_slots ? species->slots[1] : NULL,
                        .cell_radius = dun_species_space(world, number, species->count).radius};
    if (q->shape->needs_around && !species->has_around) find_around(world, species, s->agents);
    s->around = &species->around;
    return reserve_ranges(world, s);
}

static bool reserve_hits(const inquiry *q) {
    const dunlin_world *world = q->world;
    struct dun_query_memory *m = world->queries;
    const uint64_t most = min_u32(q->count, q->round), asked = in_rounds(q) ? most : 0, ordered = q->scattered ? most : 0;
    const uint64_t hits = (asked + QUERY_BLOCK - 1) / QUERY_BLOCK * PART;
    return dun_array_fit(world->heap, &m->ids, &m->id_room, q->found->ids ? hits : 0, sizeof *m->ids) &&
           dun_array_fit(world->heap, &m->slots, &m->slot_room, q->found->slots ? hits : 0, sizeof *m->slots) &&
           dun_array_fit(world->heap, &m->distances, &m->distance_room, q->found->distances ? hits : 0, sizeof *m->distances) &&
           dun_array_fit(world->heap, &m->answered, &m->answered_room, asked, sizeof *m->answered) &&
           dun_array_fit(world->heap, &m->order, &m->order_room, ordered, sizeof *m->order) &&
           dun_array_fit(world->heap, &m->spare, &m->spare_room, ordered, sizeof *m->spare) &&
           dun_array_fit(world->heap, &m->met, &m->met_room, (uint64_t)world->executor.workers * q->most, sizeof *m->met);
}

static dunlin_result begin_inquiry(inquiry *q, int species, dunlin_error *error) {
    dunlin_world *world = q->world;
    const int first = species == DUNLIN_ALL_SPECIES ? 0 : species;
    const int end = species == DUNLIN_ALL_SPECIES ? world->species_count : species + 1;
    const dunlin_result result = dun_world_prepare(world, error);
    if (result) return result;
    uint64_t agents = 0;
    for (int s = first; s < end; s++) agents += world->species[s]->count;
    if (q->most > agents) q->most = (uint32_t)agents;
    q->scattered = q->count >= LEAST && agents >= MANY_AGENTS && agents / FEW_BETWEEN <= q->count && are_scattered(q);
    q->round = q->scattered ? ORDERED : world->executor.workers * BLOCKS_PER_WORKER * QUERY_BLOCK;
    if (!world->queries) world->queries = dun_allocate_zeros(world->heap, 1, sizeof *world->queries);
    bool whole = world->queries && reserve_hits(q);
    for (int s = first; s < end && whole; s++) whole = add_searched(q, s);
    return whole ? DUNLIN_OK : dun_fail_memory(error, "a query");
}

/* ---- answers ---------------------------------------------------------------------------------------------------------- */

static dun_searcher begin_search(const inquiry *q, uint32_t worker) {
    const dunlin_world *world = q->world;
    dun_met *met = world->queries->met ? world->queries->met + (size_t)worker * q->most : NULL;
    return dun_searcher_begin(world, q->searched, q->species, world->memory.scratch[worker].ranges, met, q->most);
}

static dun_hits hits_from(const dunlin_found *found, uint64_t begin) {
    dun_hits hits = {.room = found->room > begin ? found->room - begin : 0};
    if (hits.room == 0) return hits;
    hits.ids = found->ids ? found->ids + begin : NULL;
    hits.slots = found->slots ? found->slots + begin : NULL;
    hits.distances = found->distances ? found->distances + begin : NULL;
    return hits;
}

static dun_hits hits_of_part(const inquiry *q, uint32_t block, uint64_t at) {
    const struct dun_query_memory *m = q->world->queries;
    const size_t begin = (size_t)block * PART + (size_t)at;
    return (dun_hits){.ids = q->found->ids ? m->ids + begin : NULL,
                      .slots = q->found->slots ? m->slots + begin : NULL,
                      .distances = q->found->distances ? m->distances + begin : NULL,
                      .room = PART - at};
}

static uint32_t block_end(const inquiry *q, uint32_t block) {
    return min_u32((block + 1) * QUERY_BLOCK, q->asked);
}

static uint32_t number_ahead(const inquiry *q, uint32_t i, uint32_t ahead) {
    return number_of(q, min_u32(i + ahead, q->asked - 1));
}

/* What will be needed soon, in an order that the processor cannot foresee. gcc takes functions that only prefetch for ones
 * without effect, and leaves their calls out, unless it inlines them early. */
static inline __attribute__((always_inline)) void fetch_question(const inquiry *q, uint32_t i) {
    const uint32_t number = number_ahead(q, i, FETCHED_AHEAD);
    __builtin_prefetch(question_of(q, q->first + number));
    __builtin_prefetch(&q->world->queries->answered[number], 1);
}

static void answer_block(void *context, uint32_t block, uint32_t worker) {
    const inquiry *q = context;
    dun_searcher s = begin_search(q, worker);
    dun_hits hits = hits_of_part(q, block, 0);
    for (uint32_t i = block * QUERY_BLOCK; i < block_end(q, block); i++) {
        const uint32_t number = number_of(q, i);
        fetch_question(q, i);
        query_answer *a = &q->world->queries->answered[number];
        a->at = hits.count;
        q->shape->answer(&s, question_of(q, q->first + number), &hits);
        a->hits = hits.count - a->at;
    }
}

static void place_round(const inquiry *q) {
    for (uint32_t i = 0; i < q->asked; i++) {
        query_answer *a = &q->world->queries->answered[i];
        a->to = q->found->count;
        if (q->found->begins) q->found->begins[q->first + i] = a->to;
        q->found->count += a->hits;
    }
}

static void copy(void *to, const void *from, uint64_t count, size_t size) {
    if (to && count) memcpy(to, from, (size_t)count * size);
}

static inline __attribute__((always_inline)) void fetch_hits(const void *array, const query_answer *a, size_t size) {
    if (!array || a->hits == 0) return;
    __builtin_prefetch((const char *)array + a->to * size, 1);
    __builtin_prefetch((const char *)array + (a->to + a->hits) * size - 1, 1);
}

static inline __attribute__((always_inline)) void fetch_places(const inquiry *q, uint32_t i) {
    const dunlin_found *found = q->found;
    const query_answer *soon = &q->world->queries->answered[number_ahead(q, i, FETCHED_AHEAD)];
    __builtin_prefetch(&q->world->queries->answered[number_ahead(q, i, 2 * FETCHED_AHEAD)]);
    if (soon->to + soon->hits > found->room) return;
    fetch_hits(found->ids, soon, sizeof *found->ids);
    fetch_hits(found->slots, soon, sizeof *found->slots);
    fetch_hits(found->distances, soon, sizeof *found->distances);
}

static void copy_block(void *context, uint32_t block, uint32_t worker) {
    const inquiry *q = context;
    dun_searcher s = begin_search(q, worker);
    for (uint32_t i = block * QUERY_BLOCK; i < block_end(q, block); i++) {
        const uint32_t number = number_of(q, i);
        const query_answer *a = &q->world->queries->answered[number];
        fetch_places(q, i);
        dun_hits hits = hits_from(q->found, a->to);
        if (a->at + a->hits > PART) {
            q->shape->answer(&s, question_of(q, q->first + number), &hits);
            continue;
        }
        const dun_hits part = hits_of_part(q, block, a->at);
        const uint64_t count = a->hits < hits.room ? a->hits : hits.room;
        copy(hits.ids, part.ids, count, sizeof *part.ids);
        copy(hits.slots, part.slots, count, sizeof *part.slots);
        copy(hits.distances, part.distances, count, sizeof *part.distances);
    }
}

static void answer_rounds(inquiry *q) {
    const dun_executor *executor = &q->world->executor;
    for (; q->first < q->count; q->first += q->asked) {
        q->asked = min_u32(q->round, q->count - q->first);
        const uint32_t blocks = (q->asked + QUERY_BLOCK - 1) / QUERY_BLOCK;
        if (q->scattered) order_round(q);
        executor->run(executor, blocks, answer_block, q);
        place_round(q);
        executor->run(executor, blocks, copy_block, q);
    }
}

static void answer_here(inquiry *q) {
    dun_searcher s = begin_search(q, 0);
    dun_hits hits = hits_from(q->found, 0);
    for (uint32_t i = 0; i < q->count; i++) {
        if (q->found->begins) q->found->begins[i] = hits.count;
        q->shape->answer(&s, question_of(q, i), &hits);
    }
    q->found->count = hits.count;
}

static dunlin_result inquire(dunlin_world *world, const query_shape *shape, int species, const void *questions, uint32_t count,
                             dunlin_found *found, dunlin_error *error) {
    inquiry q = {.world = world, .shape = shape, .questions = questions, .count = count, .found = found};
    dun_sorts_keep(world);
    dunlin_result result = check_call(&q, species, error);
    if (!result) result = begin_inquiry(&q, species, error);
    if (found && found->cookie == DUN_COOKIE) found->count = 0;
    if (result) return result;
    (in_rounds(&q) ? answer_rounds : answer_here)(&q);
    if (found->begins) found->begins[count] = found->count;
    return DUNLIN_OK;
}

/* ---- for callers ------------------------------------------------------------------------------------------------------ */

dunlin_found dunlin_found_default(void) {
    return (dunlin_found){.cookie = DUN_COOKIE};
}

dunlin_result dunlin_world_find_in_balls(dunlin_world *world, int species, const dunlin_ball *questions, uint32_t count,
                                         dunlin_found *found, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return inquire(world, &balls, species, questions, count, found, error);
}

dunlin_result dunlin_world_find_in_boxes(dunlin_world *world, int species, const dunlin_box *questions, uint32_t count,
                                         dunlin_found *found, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return inquire(world, &boxes, species, questions, count, found, error);
}

dunlin_result dunlin_world_find_in_cones(dunlin_world *world, int species, const dunlin_cone *questions, uint32_t count,
                                         dunlin_found *found, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return inquire(world, &cones, species, questions, count, found, error);
}

dunlin_result dunlin_world_find_nearest(dunlin_world *world, int species, const dunlin_nearest *questions, uint32_t count,
                                        dunlin_found *found, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return inquire(world, &nearest_points, species, questions, count, found, error);
}

dunlin_result dunlin_world_find_on_rays(dunlin_world *world, int species, const dunlin_ray *questions, uint32_t count,
                                        dunlin_found *found, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return inquire(world, &rays, species, questions, count, found, error);
}
