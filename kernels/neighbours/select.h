/* SPDX-License-Identifier: MIT */
/*
 * Interactions that do not count everyone within a radius: fields of view, shells, the k nearest, the first so many.
 *
 * The candidates near a group are listed (near.h), and the list is gone through once or more, a candidate broadcast to all
 * lanes: where only the nearest count, first to find out how far the last of them is, and then, for all, to add up those who
 * are seen, in storage order like everyone's. A crowd that fills the list is listed again, a part at a time, for each of these
 * passes.
 *
 * What is asked of a candidate differs by interaction and not by candidate. Asking it all would cost more than the sums, so
 * what interactions mostly want, one field of view or none, has loops without the rest.
 */
#ifndef DUNLIN_KERNELS_SELECT_H
#define DUNLIN_KERNELS_SELECT_H

#include "kernels/neighbours/near.h"
#include "kernels/neighbours/push.h"

/* What is asked of a candidate. A constant wherever it is used. */
typedef enum question {
    ASK_DISTANCE, /* the distance */
    ASK_APART,    /* and that it is not 0 */
    ASK_VIEW,     /* and one field of view */
    ASK_ALL       /* whatever the selection says */
} question;

/* What is done with it. Likewise. */
typedef enum errand {
    FIND_NEAREST, /* the FEW smallest squared distances, in registers */
    FIND_MANY,    /* as many as are asked for */
    FIND_IDS,     /* of those who are exactly as far as the last of the nearest */
    ADD_UP,       /* to all sums; but the push only if ASK_ALL */
    ADD_PUSH
} errand;

enum {
    FEW = 8,
    RANKS = DUN_MOST_NEAREST + 1, /* one more than are seen: whether it is as far as the last */
    SECTIONS = 24
};

/* Slots of the list that are asked alike. */
typedef struct section {
    uint32_t count, close_count; /* where it ends in the near_list's arrays */
    bool own, folds;             /* as a run folds; own: these are the lanes themselves */
} section;

/* One group. */
typedef struct select_job {
    const dun_interact *in;
    const dun_selection *what;
    const dun_sums *sums;
    uint32_t at;
    const dun_run *runs;
    uint32_t run_count;
    lanes lanes;
    wide heading[3]; /* of length 1; 0 at rest */
    wide view[3];    /* of each rule; -1 at rest */
    wide r2[3], min_r2[3], inverse_radius;

    wide limit;      /* d² of the farthest who is seen */
    wide_int before; /* of those at exactly the limit only ids below this one, their top bits turned */
    bool tied;       /* whether that has to be asked */
    wide rank[RANKS];
    wide_int id[RANKS];

    uint32_t run, slot; /* where the next listing goes on */
    bool whole;         /* the list holds all candidates */
    uint32_t sections;
    section section[SECTIONS];
    near_list near;
} select_job;

/* One pass' constants and sums: most of it lives in registers. */
typedef struct tally {
    wide at[3], heading[3];
    wide limit, view, inverse_radius;
    wide push[3], velocity[3], offset[3];
    wide_int seen, aligned, cohered;
    wide rank[FEW];
} tally;

/* ---- whom a lane sees ------------------------------------------------------------------------------------------------- */

/*
 * x·|x| for x = Δ·heading: with d² it says the same as the cosine x/d, and in the same order, without a root. Someone at the
 * very same place gives 0 twice, and is in view.
 */
WIDE_INLINE wide ahead_of(const tally *t, int dimensions, const wide delta[3]) {
    wide x = wide_add(wide_mul(delta[0], t->heading[0]), wide_mul(delta[1], t->heading[1]));
    if (dimensions == 3) x = wide_add(x, wide_mul(delta[2], t->heading[2]));
    return wide_mul(x, wide_from_bits(wide_int_and(wide_to_bits(x), wide_int_set(INT32_MAX))));
}

WIDE_INLINE wide_mask in_view(wide view, wide ahead, wide d2) {
    return wide_le(wide_mul(view, d2), ahead);
}

WIDE_INLINE wide_mask in_sight(const select_job *job, int rule, wide ahead, wide d2) {
    const dun_sight *sight = &job->what->rule[rule];
    wide_mask in = wide_le(d2, job->r2[rule]);
    if (sight->min_r2 > 0.0f) in = wide_and(in, wide_le(job->min_r2[rule], d2));
    if (sight->view > DUN_ALL_AROUND) in = wide_and(in, in_view(job->view[rule], ahead, d2));
    return in;
}

WIDE_INLINE wide_int turned_id(const select_job *job, uint32_t j) {
    return wide_turned(job->in->id[j]);
}

/* Whomever a rule counts, as far as the nearest go. `in`: by rule. */
WIDE_INLINE wide_mask asked_all(const select_job *job, const tally *t, uint32_t j, wide ahead, wide d2, wide_mask in[3]) {
    for (int r = 0; r < 3; r++) in[r] = in_sight(job, r, ahead, d2);
    wide_mask seen = wide_or(wide_or(in[0], in[1]), in[2]);
    if (job->in->ignore_coincident) seen = wide_and(seen, wide_lt(wide_zero(), d2));
    if (!job->what->nearest) return seen;
    seen = wide_and(seen, wide_le(d2, t->limit));
    if (!job->tied) return seen;
    return wide_and(seen, wide_or(wide_lt(d2, t->limit), wide_int_lt(turned_id(job, j), job->before)));
}

/* ---- what is done with a candidate ------------------------------------------------------------------------------------ */

/* Puts d2 in its place among the ranks, which ascend; what is moved on comes back. */
WIDE_INLINE wide rank_one(wide *rank, wide d2) {
    const wide later = wide_max(d2, *rank);
    *rank = wide_min(d2, *rank);
    return later;
}

WIDE_INLINE void rank_few(wide rank[FEW], wide d2) {
    d2 = rank_one(&rank[0], d2);
    d2 = rank_one(&rank[1], d2);
    d2 = rank_one(&rank[2], d2);
    d2 = rank_one(&rank[3], d2);
    d2 = rank_one(&rank[4], d2);
    d2 = rank_one(&rank[5], d2);
    d2 = rank_one(&rank[6], d2);
    rank_one(&rank[7], d2);
}

WIDE_INLINE void rank_many(select_job *job, wide d2) {
    const uint32_t last = job->what->nearest;
    if (!wide_any(wide_lt(d2, job->rank[last]))) return;
    for (uint32_t r = 0; r <= last; r++) d2 = rank_one(&job->rank[r], d2);
}

WIDE_INLINE void rank_id(select_job *job, wide_mask equal, uint32_t j) {
    wide_int id = select_int(equal, turned_id(job, j), wide_int_set(INT32_MAX));
    for (uint32_t r = 0; r < job->what->nearest; r++) {
        const wide_mask lower = wide_int_lt(id, job->id[r]);
        const wide_int later = select_int(lower, job->id[r], id);
        job->id[r] = select_int(lower, id, job->id[r]);
        id = later;
    }
}

WIDE_INLINE void add_seen(const select_job *job, int dimensions, wide_mask seen, wide_mask aligned, wide_mask cohered,
                          uint32_t j, const wide delta[3], tally *t) {
    t->seen = wide_count_if(t->seen, seen);
    for (int a = 0; a < dimensions; a++) {
        t->velocity[a] = wide_add_if(t->velocity[a], aligned, wide_set(job->in->velocity[a][j]));
        t->offset[a] = wide_add_if(t->offset[a], cohered, delta[a]);
    }
}

WIDE_INLINE void push_away(const select_job *job, int dimensions, wide_mask close, const wide delta[3], wide d2, tally *t) {
    add_push(job->in->shape.separation, t->inverse_radius, dimensions, close, delta, d2, t->push);
}

/* Those a rule counts of those who are seen. A push takes a division, so it is asked whether there is anyone. */
WIDE_INLINE void add_counted(const select_job *job, int dimensions, wide_mask seen, const wide_mask in[3], uint32_t j,
                             const wide delta[3], wide d2, tally *t) {
    if (job->what->most) seen = wide_and(seen, wide_int_lt(t->seen, wide_int_set((int32_t)job->what->most)));
    const wide_mask close = wide_and(seen, in[0]), aligned = wide_and(seen, in[1]), cohered = wide_and(seen, in[2]);
    t->aligned = wide_count_if(t->aligned, aligned);
    t->cohered = wide_count_if(t->cohered, cohered);
    add_seen(job, dimensions, seen, aligned, cohered, j, delta, t);
    if (job->in->shape.separation != DUN_PUSH_NONE && wide_any(close)) push_away(job, dimensions, close, delta, d2, t);
}

/* ---- a pass over the list --------------------------------------------------------------------------------------------- */

WIDE_INLINE void meet(select_job *job, int dimensions, question asked, errand todo, const section *kind, tally *t, uint32_t j) {
    wide delta[3], ahead = wide_zero();
    const wide d2 = offset_to(job->in, dimensions, kind->folds, t->at, j, delta);
    if (asked == ASK_VIEW || asked == ASK_ALL) ahead = ahead_of(t, dimensions, delta);

    wide_mask seen = wide_le(d2, t->limit);
    if (asked == ASK_APART) seen = wide_and(seen, wide_lt(wide_zero(), d2));
    if (asked == ASK_VIEW) seen = wide_and(seen, in_view(t->view, ahead, d2));
    wide_mask in[3];
    if (asked == ASK_ALL) seen = asked_all(job, t, j, ahead, d2, in);
    if (kind->own && todo != ADD_PUSH) seen = wide_and(seen, wide_other_lanes(least(j - job->lanes.self, NOBODY)));

    /* the limit will turn away whom the distance alone does not */
    const bool all = asked == ASK_DISTANCE && !kind->own;
    const wide rank = all ? d2 : wide_blend(seen, d2, wide_set(__builtin_inff()));
    if (todo == FIND_NEAREST) rank_few(t->rank, rank);
    if (todo == FIND_MANY) rank_many(job, rank);
    if (todo == FIND_IDS) rank_id(job, wide_and(seen, wide_le(t->limit, d2)), j);
    if (todo == ADD_UP && asked == ASK_ALL) add_counted(job, dimensions, seen, in, j, delta, d2, t);
    if (todo == ADD_UP && asked != ASK_ALL) add_seen(job, dimensions, seen, seen, seen, j, delta, t);
    if (todo == ADD_PUSH) push_away(job, dimensions, seen, delta, d2, t);
}

WIDE_INLINE void meet_listed(select_job *job, int dimensions, question asked, errand todo, const section *kind, tally *t,
                             const int32_t *slot, uint32_t count) {
    uint32_t next = (uint32_t)slot[0]; /* read one ahead: a pass waits for nothing but its candidate */
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t j = next;
        next = (uint32_t)slot[k + 1];
        meet(job, dimensions, asked, todo, kind, t, j);
    }
}

/* Those who are close are on a list of their own, where there is one. */
WIDE_INLINE void meet_sections(select_job *job, int dimensions, question asked, errand todo, tally *t) {
    const bool close = todo == ADD_PUSH && CLOSE_APART;
    const int32_t *slot = close ? job->near.close : job->near.slot;
    uint32_t begin = 0;
    for (uint32_t s = 0; s < job->sections; s++) {
        static const section own = {.own = true}, own_folds = {.own = true, .folds = true}, folds = {.folds = true},
                             others = {0};
        const section *kind = &job->section[s];
        const uint32_t end = close ? kind->close_count : kind->count, count = end - begin;
        if (kind->own && kind->folds)
            meet_listed(job, dimensions, asked, todo, &own_folds, t, slot + begin, count);
        else if (kind->own)
            meet_listed(job, dimensions, asked, todo, &own, t, slot + begin, count);
        else if (kind->folds)
            meet_listed(job, dimensions, asked, todo, &folds, t, slot + begin, count);
        else
            meet_listed(job, dimensions, asked, todo, &others, t, slot + begin, count);
        begin = end;
    }
}

WIDE_INLINE void tally_begin(const select_job *job, int dimensions, tally *t) {
    for (int a = 0; a < dimensions; a++) {
        t->at[a] = job->lanes.at[a];
        t->heading[a] = job->heading[a];
    }
    t->limit = job->limit;
    t->inverse_radius = job->inverse_radius;
    t->view = job->view[0]; /* ASK_VIEW: all rules have the same */
}

WIDE_INLINE void find(select_job *job, int dimensions, question asked, errand todo) {
    tally t;
    tally_begin(job, dimensions, &t);
    for (int r = 0; r < FEW && todo == FIND_NEAREST; r++) t.rank[r] = job->rank[r];
    meet_sections(job, dimensions, asked, todo, &t);
    for (int r = 0; r < FEW && todo == FIND_NEAREST; r++) job->rank[r] = t.rank[r];
}

WIDE_INLINE void add_up(select_job *job, int dimensions, question asked) {
    const dun_sums *sums = job->sums;
    const uint32_t at = job->at;
    const bool pushes = asked == ASK_ALL && job->in->shape.separation != DUN_PUSH_NONE;
    tally t;
    tally_begin(job, dimensions, &t);
    for (int a = 0; a < dimensions; a++) {
        if (pushes) t.push[a] = wide_load(sums->push[a] + at);
        t.velocity[a] = wide_load(sums->velocity[a] + at);
        t.offset[a] = wide_load(sums->offset[a] + at);
    }
    t.seen = wide_int_load(sums->seen + at);
    if (asked == ASK_ALL) t.aligned = wide_int_load(sums->aligned + at);
    if (asked == ASK_ALL) t.cohered = wide_int_load(sums->cohered + at);
    meet_sections(job, dimensions, asked, ADD_UP, &t);
    for (int a = 0; a < dimensions; a++) {
        if (pushes) wide_store(sums->push[a] + at, t.push[a]);
        wide_store(sums->velocity[a] + at, t.velocity[a]);
        wide_store(sums->offset[a] + at, t.offset[a]);
    }
    wide_int_store(sums->seen + at, t.seen);
    if (asked == ASK_ALL) wide_int_store(sums->aligned + at, t.aligned);
    if (asked == ASK_ALL) wide_int_store(sums->cohered + at, t.cohered);
}

/* Oneself needs no test: Δ is 0. */
WIDE_INLINE void add_closes(select_job *job, int dimensions, question asked) {
    if (asked == ASK_ALL || job->in->shape.separation == DUN_PUSH_NONE) return;
    tally t;
    tally_begin(job, dimensions, &t);
    t.limit = wide_min(t.limit, lane_r2(&job->lanes, job->in->separation_r2));
    for (int a = 0; a < dimensions; a++) t.push[a] = wide_load(job->sums->push[a] + job->at);
    meet_sections(job, dimensions, asked, ADD_PUSH, &t);
    for (int a = 0; a < dimensions; a++) wide_store(job->sums->push[a] + job->at, t.push[a]);
}

typedef void select_pass_fn(select_job *job);

#define FIND_PASS(name, d, asked, todo)                                                                                        \
    static void name##_##d(select_job *job) {                                                                                  \
        find(job, d, asked, todo);                                                                                             \
    }
#define ADD_PASS(name, d, asked)                                                                                               \
    static void name##_##d(select_job *job) {                                                                                  \
        add_up(job, d, asked);                                                                                                 \
        add_closes(job, d, asked);                                                                                             \
    }
#define SELECT_PASSES(d)                                                                                                       \
    FIND_PASS(find_by_distance, d, ASK_DISTANCE, FIND_NEAREST)                                                                 \
    FIND_PASS(find_apart, d, ASK_APART, FIND_NEAREST)                                                                          \
    FIND_PASS(find_in_view, d, ASK_VIEW, FIND_NEAREST)                                                                         \
    FIND_PASS(find_many, d, ASK_ALL, FIND_MANY)                                                                                \
    FIND_PASS(find_ids, d, ASK_ALL, FIND_IDS)                                                                                  \
    ADD_PASS(add_by_distance, d, ASK_DISTANCE)                                                                                 \
    ADD_PASS(add_apart, d, ASK_APART)                                                                                          \
    ADD_PASS(add_in_view, d, ASK_VIEW)                                                                                         \
    ADD_PASS(add_any, d, ASK_ALL)                                                                                              \
    static const select_passes passes_##d = {{find_by_distance_##d, find_apart_##d, find_in_view_##d},                         \
                                             find_many_##d,                                                                    \
                                             find_ids_##d,                                                                     \
                                             {add_by_distance_##d, add_apart_##d, add_in_view_##d, add_any_##d}};

/* By question; whoever asks it all may ask for many of the nearest. */
typedef struct select_passes {
    select_pass_fn *find_nearest[ASK_ALL], *find_many, *find_ids, *add[ASK_ALL + 1];
} select_passes;

SELECT_PASSES(2)
SELECT_PASSES(3)

/* ---- the list --------------------------------------------------------------------------------------------------------- */

/* What has been listed since the last section joins it, if it is asked alike. */
WIDE_INLINE void list_section(select_job *job, bool own, bool folds) {
    uint32_t s = job->sections;
    if (s && job->section[s - 1].own == own && job->section[s - 1].folds == folds) s--;
    job->section[s] = (section){job->near.count, job->near.close_count, own, folds};
    job->sections = s + 1;
}

/* Lists on, until there are no more candidates or the list is full. A run is cut around the lanes themselves. */
WIDE_INLINE void list_candidates(select_job *job, int dimensions) {
    const uint32_t self = job->lanes.self, self_end = job->lanes.self_end;
    job->near.count = job->near.close_count = job->sections = 0;
    while (job->run < job->run_count && job->near.count <= NEAR_ROOM && job->sections < SECTIONS) {
        const dun_run run = job->runs[job->run];
        const bool own = job->slot >= self && job->slot < self_end;
        const uint32_t end = own ? least(run.end, self_end) : job->slot < self ? least(run.end, self) : run.end;
        if (run.folds)
            job->slot = list_near(job->in, dimensions, true, &job->lanes, job->slot, end, &job->near);
        else
            job->slot = list_near(job->in, dimensions, false, &job->lanes, job->slot, end, &job->near);
        list_section(job, own, run.folds);
        if (job->slot < end) return;
        job->slot = end;
        if (end < run.end) continue;
        if (++job->run < job->run_count) job->slot = job->runs[job->run].begin;
    }
}

WIDE_INLINE void list_first(select_job *job, int dimensions) {
    job->run = 0;
    if (job->run_count) job->slot = job->runs[0].begin;
    list_candidates(job, dimensions);
}

WIDE_INLINE void pass_all(select_job *job, int dimensions, select_pass_fn *pass) {
    if (!job->whole) list_first(job, dimensions);
    for (;;) {
        pass(job);
        if (job->run == job->run_count) return;
        list_candidates(job, dimensions);
    }
}

/* ---- a group ---------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void take_radii(select_job *job) {
    const lanes *l = &job->lanes;
    job->limit = lane_r2(l, job->in->widest_r2);
    job->inverse_radius = lane_inverse(l, job->in->inverse_separation_radius);
    for (int r = 0; r < 3; r++) {
        job->r2[r] = lane_r2(l, job->what->rule[r].r2);
        job->min_r2[r] = lane_r2(l, job->what->rule[r].min_r2);
    }
}

/* At rest `ahead` is 0 whoever is asked about, and that is in a view of -1. */
WIDE_INLINE void take_heading(select_job *job, int dimensions, dun_group group) {
    wide v[3];
    for (int a = 0; a < dimensions; a++) v[a] = wide_load(job->in->observer_velocity[a] + group.first);
    const wide v2 = length2(v, dimensions);
    const wide scale = wide_div(wide_set(1.0f), wide_sqrt(v2));
    const wide_mask moves = has_direction(v2);
    for (int a = 0; a < dimensions; a++) job->heading[a] = wide_keep(moves, wide_mul(v[a], scale));
    for (int r = 0; r < 3; r++) job->view[r] = wide_blend(moves, wide_set(job->what->rule[r].view), wide_set(-1.0f));
}

/* Who are seen of those at exactly the limit: those with the lowest ids, as many as there is room for after the nearer ones. */
static __attribute__((noinline)) void break_ties(select_job *job, int dimensions, select_pass_fn *find_ids) {
    const uint32_t nearest = job->what->nearest;
    wide_int nearer = wide_int_set(0);
    for (uint32_t r = 0; r < nearest; r++) {
        nearer = wide_count_if(nearer, wide_lt(job->rank[r], job->limit));
        job->id[r] = wide_int_set(INT32_MAX);
    }
    pass_all(job, dimensions, find_ids);
    wide_int last = job->id[0];
    for (uint32_t r = 1; r < nearest; r++) {
        const wide_int before = wide_int_add(nearer, wide_int_set((int32_t)r));
        last = select_int(wide_int_lt(before, wide_int_set((int32_t)nearest)), job->id[r], last);
    }
    job->before = wide_count_if(last, wide_int_lt(last, wide_int_set(INT32_MAX)));
    job->tied = true;
}

WIDE_INLINE question question_of(const select_job *job) {
    if (!job->what->plain || job->tied) return ASK_ALL;
    if (job->in->ignore_coincident) return ASK_APART;
    return job->what->rule[0].view > DUN_ALL_AROUND ? ASK_VIEW : ASK_DISTANCE;
}

/* How far the last of the nearest is, and, where others are exactly as far, which of them are seen. */
WIDE_INLINE void find_limit(select_job *job, int dimensions, const select_passes *passes) {
    const uint32_t nearest = job->what->nearest;
    const question asked = question_of(job);
    for (uint32_t r = 0; r < greatest(nearest + 1, FEW); r++) job->rank[r] = wide_set(__builtin_inff());
    pass_all(job, dimensions, asked == ASK_ALL || nearest >= FEW ? passes->find_many : passes->find_nearest[asked]);
    const wide last = job->rank[nearest - 1], next = job->rank[nearest];
    const wide_mask tied = wide_and(wide_le(next, last), wide_le(next, job->limit));
    job->limit = wide_min(last, job->limit);
    if (wide_any(tied)) break_ties(job, dimensions, passes->find_ids);
}

WIDE_INLINE void sums_zero(int dimensions, const dun_sums *sums, uint32_t at) {
    for (int a = 0; a < dimensions; a++) {
        wide_store(sums->push[a] + at, wide_zero());
        wide_store(sums->velocity[a] + at, wide_zero());
        wide_store(sums->offset[a] + at, wide_zero());
    }
    wide_int_store(sums->seen + at, wide_int_set(0));
    wide_int_store(sums->aligned + at, wide_int_set(0));
    wide_int_store(sums->cohered + at, wide_int_set(0));
}

WIDE_INLINE void select_group(const dun_interact *in, int dimensions, const select_passes *passes, dun_group group,
                              const dun_run *runs, uint32_t run_count, const dun_sums *sums, uint32_t at) {
    const dun_selection *what = in->selection;
    select_job job;
    job.in = in;
    job.what = what;
    job.sums = sums;
    job.at = at;
    job.runs = runs;
    job.run_count = run_count;
    job.tied = false;
    lanes_load(in, dimensions, group, &job.lanes);
    take_radii(&job);
    take_heading(&job, dimensions, group);
    sums_zero(dimensions, sums, at);
    list_first(&job, dimensions);
    job.whole = job.run == run_count;
    if (what->nearest) find_limit(&job, dimensions, passes);
    pass_all(&job, dimensions, passes->add[question_of(&job)]);
}

static void select_2(const dun_interact *in, dun_group group, const dun_run *runs, uint32_t run_count, const dun_sums *sums,
                     uint32_t at) {
    select_group(in, 2, &passes_2, group, runs, run_count, sums, at);
}

static void select_3(const dun_interact *in, dun_group group, const dun_run *runs, uint32_t run_count, const dun_sums *sums,
                     uint32_t at) {
    select_group(in, 3, &passes_3, group, runs, run_count, sums, at);
}

#endif
