/* SPDX-License-Identifier: MIT */
/*
 * Sums over a selection: fields of view, minimum radii, the k nearest, the first so many, no coincident ones.
 *
 * The candidates of a packet are listed (candidate_list.h). Then passes go over the list and broadcast each candidate to all
 * lanes: where only the nearest count, a first pass finds the distance of the last of them; the last pass adds those that are
 * seen, in storage order, and ends once all lanes have their maximum. A crowd that overflows the list is listed part by part
 * for each of these passes.
 *
 * In a crowd, hardly any candidate is among the nearest so far of any lane. The pass that finds the nearest skips the others,
 * and keeps a list of those that are: the later passes go over this list instead of the crowd.
 *
 * What a candidate is tested for depends on the interaction alone. All tests together would cost more than the sums, so the
 * common selections have passes without the other tests. Whether an obstacle hides a candidate (sight.h) is tested last.
 */
#ifndef DUNLIN_KERNELS_SELECT_H
#define DUNLIN_KERNELS_SELECT_H

#include "kernels/neighbours/candidate_list.h"
#include "kernels/neighbours/sight.h"
#include "kernels/neighbours/totals.h"

/* What a candidate is tested for. A constant wherever it is used. */
typedef enum test {
    TEST_DISTANCE, /* the distance */
    TEST_DISTINCT, /* and that it is above 0 */
    TEST_VIEW,     /* the distance and one field of view */
    TEST_ALL,      /* all that the selection says */
    TEST_FIRST,    /* the distance, and that the lane does not have its maximum; for sums only */
    TEST_SIGHT     /* all that the selection says, and that no obstacle hides it */
} test;

/* What a pass does with a candidate. Likewise a constant. */
typedef enum task {
    FIND_FEW,  /* keeps the FEW minimum squared distances, in registers */
    FIND_MANY, /* keeps as many as the selection needs, skips candidates that are above these, and lists the others */
    FIND_IDS,  /* keeps the ids of those at exactly the distance of the last of the nearest */
    ADD_ALL,   /* adds to all sums; to the push only with TEST_ALL */
    ADD_PUSH
} task;

enum {
    FEW = 8,
    RANKS = DUN_MAX_NEAREST + 1, /* one more than are seen, to find equal distances */
    MOST_NEAR = 1024,            /* at least LIST_ROOM, and as many as all lanes have ranks */
    VISITS = 8                   /* candidates: so often a pass asks whether it is over */
};

/* The work on one packet. */
typedef struct select_job {
    const dun_interact *in;
    const dun_selection *what;
    const dun_sums *sums;
    uint32_t at;
    const dun_range *ranges;
    uint32_t range_count;
    packet_lanes lanes;
    wide heading[3]; /* of length 1; 0 at rest */
    wide view[3];    /* of each rule; -1 at rest */
    kin_r2 r2[3];
    wide min_r2[3], inverse_radius;
    wide group;    /* where a rule distinguishes kin */
    wide_int most; /* max_neighbours; 0 in lanes without an agent */

    wide limit;      /* the maximum d² that is seen */
    wide_int before; /* at exactly the limit only ids below this one are seen; turned (wide_turned()) */
    bool tied;       /* whether to test for that */
    wide rank[RANKS];
    wide_int id[RANKS];

    uint32_t folds; /* the axes whose offsets fold, bit a */
    bool whole;     /* the list holds all candidates */
    bool at_first;  /* or the first part of them, over which no pass has gone */
    bool more;      /* some are left, from there on: */
    range_place from;
    candidate_list list;
    bool near_only; /* all that are among the nearest are these, in the order of the ranges: */
    uint32_t near_count;
    int32_t near[MOST_NEAR + LIST_ROOM + 2 * DUNLIN_LANES];
} select_job;

/* The constants and sums of a pass, mostly in registers. */
typedef struct tally {
    wide at[3], heading[3];
    wide limit, view, inverse_radius;
    wide rank[FEW];
    totals sum;
    wide bound;    /* for FIND_MANY: d² that is not below it is not among the nearest */
    wide_int most; /* for sums: the maximum of agents that are seen */
    wide_int last; /* for TEST_FIRST: the place in the list of the last candidate that was added; -1: none of this list */
} tally;

WIDE_INLINE bool tests_all(test tested) {
    return tested == TEST_ALL || tested == TEST_SIGHT;
}

/* ---- what a lane sees ------------------------------------------------------------------------------------------------- */

/*
 * x·|x| for x = Δ·heading: compared with d² it gives the same answers as the cosine x/d, without a root. An agent at the same
 * place gives 0 for both, and is in view.
 */
WIDE_INLINE wide ahead_of(const tally *t, int dimensions, const wide delta[3]) {
    wide x = wide_add(wide_mul(delta[0], t->heading[0]), wide_mul(delta[1], t->heading[1]));
    if (dimensions == 3) x = wide_add(x, wide_mul(delta[2], t->heading[2]));
    return wide_mul(x, wide_from_bits(wide_int_and(wide_to_bits(x), wide_int_set(INT32_MAX))));
}

WIDE_INLINE wide_mask in_view(wide view, wide ahead, wide d2) {
    return wide_le(wide_mul(view, d2), ahead);
}

WIDE_INLINE wide_mask in_rule(const select_job *job, int rule, wide_mask other, wide ahead, wide d2) {
    const dun_rule_selection *which = &job->what->rule[rule];
    wide_mask in = within_kin(d2, other, job->r2[rule]);
    if (which->min_r2 > 0.0f) in = wide_and(in, wide_le(job->min_r2[rule], d2));
    if (which->view > DUN_ALL_AROUND) in = wide_and(in, in_view(job->view[rule], ahead, d2));
    return in;
}

WIDE_INLINE wide_mask among_nearest(const select_job *job, const tally *t, uint32_t j, wide d2) {
    const wide_mask within = wide_le(d2, t->limit);
    if (!job->tied) return within;
    return wide_and(within, wide_or(wide_lt(d2, t->limit), wide_int_lt(wide_turned(job->in->id[j]), job->before)));
}

/* Whether any rule counts the candidate, and it is among the nearest. `in`: by rule. */
WIDE_INLINE wide_mask seen_by_rules(const select_job *job, const tally *t, uint32_t j, wide ahead, wide d2, wide_mask in[3]) {
    const wide_mask other = job->in->group ? not_kin(job->group, wide_set(job->in->group[j])) : wide_lt(d2, wide_zero());
    for (int r = 0; r < 3; r++) in[r] = in_rule(job, r, other, ahead, d2);
    wide_mask seen = wide_or(wide_or(in[0], in[1]), in[2]);
    if (job->in->ignore_coincident) seen = wide_and(seen, wide_lt(wide_zero(), d2));
    return job->what->nearest ? wide_and(seen, among_nearest(job, t, j, d2)) : seen;
}

/* ---- what is done with a candidate ------------------------------------------------------------------------------------ */

/* Inserts d2 before a rank, which ascend, if it is smaller. Returns what moves on to the next rank. */
WIDE_INLINE wide rank_one(wide *rank, wide d2) {
    const wide later = wide_max(d2, *rank);
    *rank = wide_min(d2, *rank);
    return later;
}

WIDE_INLINE void rank_few(wide rank[FEW], wide d2) {
#pragma GCC unroll 8
    for (int r = 0; r < FEW; r++) d2 = rank_one(&rank[r], d2);
}

/* The last rank, or, where that is less, the number after the limit, which itself is within it. */
WIDE_INLINE wide bound_of(const select_job *job) {
    return wide_min(job->rank[job->what->nearest], wide_from_bits(wide_int_add(wide_to_bits(job->limit), wide_int_set(1))));
}

WIDE_INLINE void rank_many(select_job *job, tally *t, wide d2, uint32_t j) {
    for (uint32_t r = 0; r <= job->what->nearest; r++) d2 = rank_one(&job->rank[r], d2);
    t->bound = bound_of(job);
    job->near[job->near_count++] = (int32_t)j;
}

WIDE_INLINE void rank_id(select_job *job, wide_mask equal, uint32_t j) {
    wide_int id = blend_int(equal, wide_turned(job->in->id[j]), wide_int_set(INT32_MAX));
    for (uint32_t r = 0; r < job->what->nearest; r++) {
        const wide_mask better = wide_int_lt(id, job->id[r]);
        const wide_int later = blend_int(better, job->id[r], id);
        job->id[r] = blend_int(better, id, job->id[r]);
        id = later;
    }
}

WIDE_INLINE void add_seen(const select_job *job, int dimensions, wide_mask seen, wide_mask aligned, wide_mask cohered,
                          uint32_t j, const wide delta[3], tally *t) {
    t->sum.seen = wide_count_if(t->sum.seen, seen);
    for (int a = 0; a < dimensions; a++) {
        t->sum.velocity[a] = wide_add_if(t->sum.velocity[a], aligned, wide_set(job->in->velocity[a][j]));
        t->sum.offset[a] = wide_add_if(t->sum.offset[a], cohered, delta[a]);
    }
}

/* Adds what each rule counts. The push needs a division, so it is skipped where no lane counts the candidate. */
WIDE_INLINE void add_counted(const select_job *job, int dimensions, wide_mask seen, const wide_mask in[3], uint32_t j,
                             const wide delta[3], wide d2, tally *t) {
    if (job->what->max_neighbours) seen = wide_and(seen, wide_int_lt(t->sum.seen, t->most));
    const wide_mask separated = wide_and(seen, in[0]), aligned = wide_and(seen, in[1]), cohered = wide_and(seen, in[2]);
    t->sum.aligned = wide_count_if(t->sum.aligned, aligned);
    t->sum.cohered = wide_count_if(t->sum.cohered, cohered);
    add_seen(job, dimensions, seen, aligned, cohered, j, delta, t);
    if (job->in->shape.separation != DUN_PUSH_NONE && wide_any(separated))
        add_push(job->in->shape.separation, t->inverse_radius, dimensions, separated, delta, d2, t->sum.push);
}

/* ---- a pass over the list --------------------------------------------------------------------------------------------- */

/* Whether no lane does anything with a candidate, by less than all tests. */
WIDE_INLINE bool skips(const select_job *job, test tested, task todo, const tally *t, uint32_t j, wide d2) {
    if (todo == FIND_MANY) return !wide_any(wide_lt(d2, t->bound));
    if (todo == FIND_IDS) {
        const wide_mask smaller = wide_int_lt(wide_turned(job->in->id[j]), job->id[job->what->nearest - 1]);
        return !wide_any(wide_and(wide_le(d2, t->limit), smaller));
    }
    return todo == ADD_ALL && tests_all(tested) && job->tied && !wide_any(among_nearest(job, t, j, d2));
}

/* Candidate j, the nth in the list, from 0 on. */
WIDE_INLINE void visit(select_job *job, int dimensions, test tested, task todo, uint32_t folds, tally *t, uint32_t j,
                       uint32_t nth) {
    wide delta[3], ahead = wide_zero();
    const wide d2 = offset_to(job->in, dimensions, folds, t->at, j, delta);
    if (skips(job, tested, todo, t, j, d2)) return;
    if (tested == TEST_VIEW || tests_all(tested)) ahead = ahead_of(t, dimensions, delta);

    wide_mask seen = wide_le(d2, t->limit);
    if (tested == TEST_DISTINCT) seen = wide_and(seen, wide_lt(wide_zero(), d2));
    if (tested == TEST_VIEW) seen = wide_and(seen, in_view(t->view, ahead, d2));
    if (tested == TEST_FIRST && todo == ADD_ALL) seen = wide_and(seen, wide_int_lt(t->sum.seen, t->most));
    if (tested == TEST_FIRST && todo == ADD_PUSH) seen = wide_and(seen, wide_int_lt(wide_int_set((int32_t)nth), t->last));
    wide_mask in[3];
    if (tests_all(tested)) seen = seen_by_rules(job, t, j, ahead, d2, in);
    if (todo == FIND_MANY) seen = wide_and(seen, wide_lt(d2, t->bound));
    if (todo != ADD_PUSH) seen = other_than(&job->lanes, j, seen); /* there its Δ is 0 */
    if (tested == TEST_SIGHT && wide_any(seen))
        seen = dimensions == 3 ? in_sight_3(job->in, t->at, j, delta, seen) : in_sight_2(job->in, t->at, j, delta, seen);

    if (tested == TEST_FIRST && todo == ADD_ALL) t->last = blend_int(seen, wide_int_set((int32_t)nth), t->last);

    const wide rank = wide_blend(seen, d2, wide_set(__builtin_inff()));
    if (todo == FIND_FEW) rank_few(t->rank, rank);
    if (todo == FIND_MANY && (tested == TEST_DISTANCE || wide_any(seen))) rank_many(job, t, rank, j);
    if (todo == FIND_IDS) rank_id(job, wide_and(seen, wide_le(t->limit, d2)), j);
    if (todo == ADD_ALL && tests_all(tested)) add_counted(job, dimensions, seen, in, j, delta, d2, t);
    if (todo == ADD_ALL && !tests_all(tested)) add_seen(job, dimensions, seen, seen, seen, j, delta, t);
    if (todo == ADD_PUSH) add_push(job->in->shape.separation, t->inverse_radius, dimensions, seen, delta, d2, t->sum.push);
}

/* Whether no lane counts a candidate from now on. */
WIDE_INLINE bool is_over(const select_job *job, test tested, task todo, const tally *t) {
    if (todo != ADD_ALL || (tested != TEST_FIRST && !tests_all(tested)) || job->what->max_neighbours == 0) return false;
    return !wide_any(wide_int_lt(t->sum.seen, t->most));
}

/* Ends the pass before candidate k: separation does not count what comes after it either. */
WIDE_INLINE void end_pass(select_job *job, uint32_t k) {
    candidate_list *list = &job->list;
    job->more = false;
    if (job->near_only) job->near_count = k;
    if (job->near_only) return;
    for (uint32_t nth = list->count; nth > k && list->push_count > 0; nth--)
        list->push_count -= list->push_slot[list->push_count - 1] == list->slot[nth - 1];
}

/* Where in the list the candidate for separation is, from a place on: these are listed in the same order. */
WIDE_INLINE uint32_t nth_of(const candidate_list *list, uint32_t nth, int32_t slot) {
    while (list->slot[nth] != slot) nth++;
    return nth;
}

WIDE_INLINE void visit_listed(select_job *job, int dimensions, test tested, task todo, uint32_t folds, tally *t) {
    const candidate_list *list = &job->list;
    const int32_t *slot = job->near_only ? job->near : todo == ADD_PUSH ? list->push_slot : list->slot;
    const uint32_t count = job->near_only ? job->near_count : todo == ADD_PUSH ? list->push_count : list->count;
    const bool finds_places = tested == TEST_FIRST && todo == ADD_PUSH && !job->near_only;
    for (uint32_t k = 0, nth = 0; k < count; k++) {
        if (k % VISITS == 0 && is_over(job, tested, todo, t)) {
            end_pass(job, k);
            return;
        }
        nth = finds_places ? nth_of(list, nth, slot[k]) : k;
        visit(job, dimensions, tested, todo, folds, t, (uint32_t)slot[k], nth);
    }
}

WIDE_INLINE void visit_all(select_job *job, int dimensions, test tested, task todo, tally *t) {
    if (job->folds)
        visit_listed(job, dimensions, tested, todo, job->folds, t);
    else
        visit_listed(job, dimensions, tested, todo, 0, t);
}

WIDE_INLINE void tally_begin(const select_job *job, int dimensions, tally *t) {
    for (int a = 0; a < dimensions; a++) {
        t->at[a] = job->lanes.at[a];
        t->heading[a] = job->heading[a];
    }
    t->limit = job->limit;
    t->inverse_radius = job->inverse_radius;
    t->view = job->view[0]; /* for TEST_VIEW: all rules have the same */
    t->most = job->most;
}

WIDE_INLINE void find(select_job *job, int dimensions, test tested, task todo) {
    tally t;
    tally_begin(job, dimensions, &t);
    if (todo == FIND_MANY) t.bound = bound_of(job);
    for (int r = 0; r < FEW && todo == FIND_FEW; r++) t.rank[r] = job->rank[r];
    visit_all(job, dimensions, tested, todo, &t);
    for (int r = 0; r < FEW && todo == FIND_FEW; r++) job->rank[r] = t.rank[r];
}

/* `last`: for TEST_FIRST; only places below it count. */
WIDE_INLINE void add_push_list(select_job *job, int dimensions, test tested, wide_int last) {
    if (tests_all(tested) || job->in->shape.separation == DUN_PUSH_NONE) return;
    tally t;
    tally_begin(job, dimensions, &t);
    t.last = last;
    t.limit = wide_min(t.limit, lane_r2(job->lanes.scale, job->in->separation_r2));
    for (int a = 0; a < dimensions; a++) t.sum.push[a] = wide_load(job->sums->push[a] + job->at);
    visit_all(job, dimensions, tested, ADD_PUSH, &t);
    for (int a = 0; a < dimensions; a++) wide_store(job->sums->push[a] + job->at, t.sum.push[a]);
}

WIDE_INLINE void add_up(select_job *job, int dimensions, test tested) {
    const dun_push push = tests_all(tested) ? job->in->shape.separation : DUN_PUSH_NONE;
    const dun_shape shape = {dimensions, push, true, true, !tests_all(tested), false, false};
    tally t;
    tally_begin(job, dimensions, &t);
    t.last = wide_int_set(-1);
    totals_load(shape, job->sums, job->at, &t.sum);
    visit_all(job, dimensions, tested, ADD_ALL, &t);
    totals_store(shape, &t.sum, job->sums, job->at);
    const wide_int behind = wide_int_add(t.last, wide_int_set(1));
    add_push_list(job, dimensions, tested, blend_int(wide_int_lt(t.sum.seen, t.most), wide_int_set(INT32_MAX), behind));
}

/* ---- the list --------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void list_part(select_job *job, int dimensions) {
    const dun_interact *in = job->in;
    const packet_lanes *l = &job->lanes;
    if (job->folds)
        job->more =
            list_ranges(in, dimensions, job->folds, false, true, l, job->ranges, job->range_count, &job->from, &job->list);
    else
        job->more = list_ranges(in, dimensions, 0, false, true, l, job->ranges, job->range_count, &job->from, &job->list);
}

/* Keeps of the near those that still are: some lane has not as many others that are nearer. */
WIDE_INLINE void keep_near(select_job *job, int dimensions) {
    const wide bound = bound_of(job);
    uint32_t count = 0;
    for (uint32_t k = 0; k < job->near_count; k++) {
        wide delta[3];
        const int32_t slot = job->near[k];
        const wide d2 = offset_to(job->in, dimensions, job->folds, job->lanes.at, (uint32_t)slot, delta);
        job->near[count] = slot;
        count += wide_any(wide_lt(d2, bound));
    }
    job->near_count = count;
}

/* ---- passes ----------------------------------------------------------------------------------------------------------- */

typedef void select_job_fn(select_job *job);

/* [test]; TEST_ALL always finds many. */
typedef struct select_passes {
    select_job_fn *list, *keep_near, *find_few[TEST_ALL], *find_many[TEST_FIRST], *find_ids, *add[TEST_FIRST + 1];
} select_passes;

#define SELECT_PASS(name, d, ...)                                                                                              \
    static void name##_##d(select_job *job) {                                                                                  \
        __VA_ARGS__;                                                                                                           \
    }
#define SELECT_TESTED(X, d)                                                                                                    \
    X(by_distance, d, TEST_DISTANCE)                                                                                           \
    X(distinct, d, TEST_DISTINCT)                                                                                              \
    X(in_view, d, TEST_VIEW)
#define SELECT_FIND_FEW(name, d, tested)  SELECT_PASS(find_few_##name, d, find(job, d, tested, FIND_FEW))
#define SELECT_FIND_MANY(name, d, tested) SELECT_PASS(find_many_##name, d, find(job, d, tested, FIND_MANY))
#define SELECT_ADD(name, d, tested)       SELECT_PASS(add_##name, d, add_up(job, d, tested))
#define SELECT_PASSES(d)                                                                                                       \
    SELECT_PASS(list, d, list_part(job, d))                                                                                    \
    SELECT_PASS(keep_near, d, keep_near(job, d))                                                                               \
    SELECT_TESTED(SELECT_FIND_FEW, d)                                                                                          \
    SELECT_TESTED(SELECT_FIND_MANY, d)                                                                                         \
    SELECT_FIND_MANY(any, d, TEST_ALL)                                                                                         \
    SELECT_PASS(find_ids, d, find(job, d, TEST_ALL, FIND_IDS))                                                                 \
    SELECT_TESTED(SELECT_ADD, d)                                                                                               \
    SELECT_ADD(any, d, TEST_ALL)                                                                                               \
    SELECT_ADD(first, d, TEST_FIRST)                                                                                           \
    SELECT_FIND_MANY(in_sight, d, TEST_SIGHT)                                                                                  \
    SELECT_PASS(find_ids_in_sight, d, find(job, d, TEST_SIGHT, FIND_IDS))                                                      \
    SELECT_ADD(in_sight, d, TEST_SIGHT)                                                                                        \
    static const select_passes passes_##d = {                                                                                  \
        .list = list_##d,                                                                                                      \
        .keep_near = keep_near_##d,                                                                                            \
        .find_few = {find_few_by_distance_##d, find_few_distinct_##d, find_few_in_view_##d},                                   \
        .find_many = {find_many_by_distance_##d, find_many_distinct_##d, find_many_in_view_##d, find_many_any_##d},            \
        .find_ids = find_ids_##d,                                                                                              \
        .add = {add_by_distance_##d, add_distinct_##d, add_in_view_##d, add_any_##d, add_first_##d}};                          \
    static const select_passes passes_in_sight_##d = {.list = list_##d,                                                        \
                                                      .keep_near = keep_near_##d,                                              \
                                                      .find_many = {[TEST_ALL] = find_many_in_sight_##d},                      \
                                                      .find_ids = find_ids_in_sight_##d,                                       \
                                                      .add = {[TEST_ALL] = add_in_sight_##d}};

SELECT_PASSES(2)
SELECT_PASSES(3)

static void pass_all(select_job *job, const select_passes *passes, select_job_fn *pass) {
    if (!job->whole && !job->near_only && !job->at_first) {
        job->from = (range_place){0, 0};
        passes->list(job);
    }
    job->at_first = false;
    for (;;) {
        pass(job);
        if (!job->more) return;
        passes->list(job);
    }
}

/* ---- a packet --------------------------------------------------------------------------------------------------------- */

/* Above all rules' radii is what a search for the nearest has not reached. */
WIDE_INLINE void take_radii(select_job *job, dun_packet packet) {
    const dun_interact *in = job->in;
    wide limit = wide_zero();
    for (int r = 0; r < 3; r++) {
        const dun_rule_selection *rule = &job->what->rule[r];
        wide scale = job->lanes.scale;
        if (in->rule_scale[r]) scale = wide_mul(scale, wide_load(in->rule_scale[r] + packet.first));
        if (r == 0) job->inverse_radius = lane_inverse(scale, in->inverse_separation_radius);
        job->r2[r] = lane_kin_r2(scale, rule->r2, rule->kin);
        job->min_r2[r] = lane_r2(scale, rule->min_r2);
        limit = wide_max(limit, lane_r2(scale, rule->r2));
    }
    job->limit = wide_min(limit, wide_set(in->max_r2));
}

/* At rest `ahead` is 0 for every candidate, and a view of -1 includes that. */
WIDE_INLINE void take_heading(select_job *job, int dimensions, dun_packet packet) {
    wide v[3];
    for (int a = 0; a < dimensions; a++) v[a] = wide_load(job->in->observer_velocity[a] + packet.first);
    const wide v2 = length2(v, dimensions);
    const wide scale = wide_div(wide_set(1.0f), wide_sqrt(v2));
    const wide_mask moves = has_direction(v2);
    for (int a = 0; a < dimensions; a++) job->heading[a] = wide_keep(moves, wide_mul(v[a], scale));
    for (int r = 0; r < 3; r++) job->view[r] = wide_blend(moves, wide_set(job->what->rule[r].view), wide_set(-1.0f));
}

/* Of the candidates at exactly the limit those with the minimum ids are seen, as many as are missing from the nearest. */
static __attribute__((noinline)) void break_ties(select_job *job, const select_passes *passes) {
    const uint32_t nearest = job->what->nearest;
    wide_int nearer = wide_int_set(0);
    for (uint32_t r = 0; r < nearest; r++) {
        nearer = wide_count_if(nearer, wide_lt(job->rank[r], job->limit));
        job->id[r] = wide_int_set(INT32_MAX);
    }
    pass_all(job, passes, passes->find_ids);
    wide_int last = job->id[0];
    for (uint32_t r = 1; r < nearest; r++) {
        const wide_int before = wide_int_add(nearer, wide_int_set((int32_t)r));
        last = blend_int(wide_int_lt(before, wide_int_set((int32_t)nearest)), job->id[r], last);
    }
    job->before = wide_count_if(last, wide_int_lt(last, wide_int_set(INT32_MAX)));
    job->tied = true;
}

WIDE_INLINE test test_of(const select_job *job) {
    if (!job->what->plain || job->tied) return TEST_ALL;
    if (job->in->ignore_coincident) return TEST_DISTINCT;
    return job->what->rule[0].view > DUN_ALL_AROUND ? TEST_VIEW : TEST_DISTANCE;
}

/* The sums of the first neighbours need no other tests where the distance alone says which agents are neighbours. */
WIDE_INLINE test test_of_sums(const select_job *job) {
    const test tested = test_of(job);
    if (!job->what->max_neighbours) return tested;
    return tested == TEST_DISTANCE ? TEST_FIRST : TEST_ALL;
}

/*
 * In a crowd: finds the ranks, the first part's by one pass and those of the others by another, and lists the candidates that
 * may be among the nearest. Returns whether there was room for them.
 */
static __attribute__((noinline)) bool find_in_parts(select_job *job, const select_passes *passes, select_job_fn *first,
                                                    select_job_fn *other) {
    bool fits = true;
    first(job);
    job->at_first = false;
    if (first != other) {
        for (uint32_t k = 0; k < job->list.count; k++) job->near[k] = job->list.slot[k];
        job->near_count = job->list.count;
    }
    while (job->more) {
        passes->list(job);
        other(job);
        if (job->near_count > MOST_NEAR) passes->keep_near(job);
        fits = fits && job->near_count <= MOST_NEAR;
        if (!fits) job->near_count = 0;
    }
    passes->keep_near(job);
    return fits;
}

/* Finds the distance of the last of the nearest and, where several are exactly as far, which of them are seen. */
WIDE_INLINE void find_limit(select_job *job, const select_passes *passes) {
    const uint32_t nearest = job->what->nearest;
    const test tested = test_of(job);
    for (uint32_t r = 0; r < max_u32(nearest + 1, FEW); r++) job->rank[r] = wide_set(__builtin_inff());
    job->near_count = 0;
    select_job_fn *const many = passes->find_many[tested];
    select_job_fn *const first = tested == TEST_ALL || nearest >= FEW ? many : passes->find_few[tested];
    bool fits = false;
    if (job->whole)
        first(job);
    else
        fits = find_in_parts(job, passes, first, many);
    const wide last = job->rank[nearest - 1], next = job->rank[nearest];
    const wide_mask tied = wide_and(wide_le(next, last), wide_le(next, job->limit));
    job->limit = wide_min(last, job->limit);
    if (wide_any(tied))
        break_ties(job, passes);
    else
        job->near_only = fits;
}

WIDE_INLINE void select_packet(const dun_interact *in, int dimensions, const select_passes *passes, dun_packet packet,
                               const dun_range *ranges, uint32_t range_count, const dun_sums *sums, uint32_t at) {
    const dun_selection *what = in->selection;
    select_job job;
    job.in = in;
    job.what = what;
    job.sums = sums;
    job.at = at;
    job.ranges = ranges;
    job.range_count = range_count;
    job.tied = job.near_only = false;
    job.most = blend_int(first_lanes(packet.count), wide_int_set((int32_t)what->max_neighbours), wide_int_set(0));
    lanes_load(in, dimensions, packet, &job.lanes);
    take_radii(&job, packet);
    job.group = in->observer_group ? wide_load(in->observer_group + packet.first) : wide_zero();
    take_heading(&job, dimensions, packet);
    totals_clear((dun_shape){dimensions, DUN_PUSH_INVERSE, true, true, false, false, false}, sums, at);
    job.folds = folded_axes(ranges, range_count);
    job.from = (range_place){0, 0};
    list_part(&job, dimensions);
    job.at_first = true;
    job.whole = !job.more;
    if (what->nearest) find_limit(&job, passes);
    pass_all(&job, passes, passes->add[test_of_sums(&job)]);
}

INTERACT_FUNCTION_OF(select_2, select_packet(in, 2, &passes_2, packet, ranges, range_count, sums, at))
INTERACT_FUNCTION_OF(select_3, select_packet(in, 3, &passes_3, packet, ranges, range_count, sums, at))

/* Among obstacles: no selection is plain there, so all its passes test for all. */
WIDE_INLINE void sight_packet(const dun_interact *in, int dimensions, const select_passes *passes, dun_packet packet,
                              const dun_range *ranges, uint32_t range_count, const dun_sums *sums, uint32_t at) {
    for (uint32_t i = 0; i < packet.count; i += DUNLIN_LANES) {
        const dun_packet here = {packet.first + i, min_u32(packet.count - i, DUNLIN_LANES)};
        dun_near near;
        if (!find_near(in, dimensions, here, &near)) {
            in->sight->clear(in, here, ranges, range_count, sums, at + i);
            continue;
        }
        dun_interact job = *in;
        job.selection = &in->sight->selection;
        job.near = &near;
        select_packet(&job, dimensions, passes, here, ranges, range_count, sums, at + i);
    }
}

INTERACT_FUNCTION_OF(sight_2, sight_packet(in, 2, &passes_in_sight_2, packet, ranges, range_count, sums, at))
INTERACT_FUNCTION_OF(sight_3, sight_packet(in, 3, &passes_in_sight_3, packet, ranges, range_count, sums, at))

#endif
