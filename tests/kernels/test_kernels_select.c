/* SPDX-License-Identifier: MIT */
/*
 * Selections: every kernel sees the same agents and has the bits of the scalar reference. The reference agrees with an oracle:
 * all pairs in plain C, with a sort for the nearest, in binary32 only where that decides which agents are seen
 * (docs/numerics.md), and with sums in binary64.
 */
#include <float.h>
#include "tests/lib/test.h"

#include "tests/lib/flocks.h"

enum { MOST = 1100, RULES = 3, MAX_SCALE = 2 };

/* An interaction with a selection, among agents with ids. */
typedef struct eyes {
    dun_interact in;
    dun_selection selection;
    flock observer, observed;
    test_array id, scale[1 + RULES]; /* of all radii, and of each rule's; up to MAX_SCALE */
    double cosine[RULES];            /* of half the field of view; -2: all around */
    bool own;
} eyes;

/* Resting, hardly moving, and with a zero of either sign. */
static void slow_some_down(flock *f, test_random *random) {
    static const float slow[] = {0.0f, -0.0f, 1e-25f, 1e-19f, 2e-19f};
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t which = test_below(random, 20);
        for (int a = 0; a < f->dimensions && which < 5; a++) f->velocity[a].at[i] *= slow[which];
        if (which == 5) f->velocity[0].at[i] = 0.0f;
    }
}

static float any_of(test_random *random, const float *some, uint32_t count) {
    return some[test_below(random, count)];
}

/* Mostly equal rules; others with a larger, smaller or minimum radius, or off; and radii at which lattices have agents. */
static void choose_rules(eyes *e, dun_rule_selection rule[RULES], test_random *random) {
    static const float radii[] = {FLOCK_RADIUS, FLOCK_RADIUS, 4.0f, 6.0f, 5.7f, 0.0f}, inner[] = {0.0f, 0.0f, 0.0f, 2.0f, 4.0f};
    static const float cosines[] = {-2.0f, -2.0f, -0.99f, -0.5f, 0.0f, 0.3f, 0.70710677f, 0.99f};
    const bool alike = test_below(random, 2);
    const float one = any_of(random, cosines, 8);
    float radius[RULES];
    for (int r = 0; r < RULES; r++) {
        radius[r] = alike && r > 0 ? FLOCK_RADIUS : any_of(random, radii, 6);
        const float least = alike ? 0.0f : any_of(random, inner, 5), c = alike ? one : any_of(random, cosines, 8);
        const float min = least < radius[r] ? least : radius[r];
        e->cosine[r] = (double)c;
        rule[r] = (dun_rule_selection){radius[r] > 0.0f ? radius[r] * radius[r] : -1.0f, min * min,
                                       c < -1.0f ? DUN_ALL_AROUND : c * fabsf(c), DUN_KIN_ALL};
    }
    if (rule[0].r2 < 0.0f && rule[1].r2 < 0.0f) rule[2].r2 = FLOCK_RADIUS * FLOCK_RADIUS;
    e->in.inverse_separation_radius = radius[0] > 0.0f ? 1.0f / radius[0] : 0.0f;
}

/* Some of all radii, some of one rule's: below and above 1, and the maximum. */
static void choose_scales(eyes *e, test_random *random) {
    float max = 1.0f;
    const uint32_t which = test_below(random, 3) ? 0 : test_below(random, 1u << (1 + RULES));
    e->in.radius_scale = which & 1 ? e->scale[0].at : NULL;
    if (which == 0) return;
    if (which & 1) max = MAX_SCALE;
    for (int s = 0; s <= RULES; s++)
        for (uint32_t i = 0; i < e->observer.count; i++)
            e->scale[s].at[i] = test_below(random, 4) ? test_uniform(random, 0.001f, MAX_SCALE) : MAX_SCALE;
    for (int r = 0; r < RULES; r++) {
        const float own = which >> (r + 1) & 1 ? max * MAX_SCALE : max;
        e->in.rule_scale[r] = own > max ? e->scale[r + 1].at : NULL;
        e->in.max_r2 = fmaxf(e->in.max_r2, e->selection.rule[r].r2 * (own * own));
    }
    e->selection.plain = e->selection.same = false;
}

static void choose(eyes *e, test_random *random) {
    static const float counts[] = {0, 0, 1, 2, 3, 7, 8, 9, 20, 32}, firsts[] = {0, 0, 0, 1, 3, 40};
    dun_rule_selection rule[RULES];
    choose_rules(e, rule, random);
    e->in.ignore_coincident = test_below(random, 4) == 0;
    const uint32_t nearest = (uint32_t)any_of(random, counts, 10), most = (uint32_t)any_of(random, firsts, 6);
    e->selection = dun_selection_of(rule, nearest, most, e->in.ignore_coincident);
    e->in.selection = &e->selection;
    e->in.shape.separation = rule[0].r2 < 0.0f ? DUN_PUSH_NONE : (dun_push)(1 + test_below(random, 3));
    e->in.separation_r2 = rule[0].r2;
    e->in.max_r2 = fmaxf(rule[0].r2, fmaxf(rule[1].r2, rule[2].r2));
    for (int r = 0; r < RULES; r++) e->in.rule_scale[r] = NULL;
    choose_scales(e, random);
}

static eyes *eyes_new(flock_layout layout, int dimensions, uint32_t observers, uint32_t observed, bool own,
                      test_random *random) {
    eyes *e = malloc(sizeof *e);
    assert_non_null(e);
    *e = (eyes){.own = own};
    e->observer = flock_new(layout, dimensions, observers, random);
    e->observed = flock_new(layout, dimensions, observed, random);
    slow_some_down(&e->observer, random);
    const flock *others = own ? &e->observer : &e->observed;
    const dun_shape shape = {.dimensions = dimensions, .alignment = true, .cohesion = true};
    e->in = flock_interact(&e->observer, others, shape);
    for (int a = 0; a < dimensions; a++) e->in.observer_velocity[a] = e->observer.velocity[a].at;
    e->id = test_array_new(others->count);
    for (int s = 0; s <= RULES; s++) e->scale[s] = test_array_new(observers);
    uint32_t *id = (uint32_t *)e->id.at, order[MOST];
    test_shuffle(random, order, others->count);
    for (uint32_t i = 0; i < others->count; i++) id[i] = UINT32_MAX / (others->count + 1u) * order[i] + (order[i] % 2);
    if (others->count > 2) id[0] = UINT32_MAX - 1;
    e->in.id = id;
    return e;
}

static void eyes_free(eyes *e) {
    flock_free(&e->observer);
    flock_free(&e->observed);
    test_array_free(&e->id);
    for (int s = 0; s <= RULES; s++) test_array_free(&e->scale[s]);
    free(e);
}

static void select_sum(const dun_kernel *kernel, const eyes *e, const dun_range *ranges, uint32_t range_count,
                       flock_sums *sums) {
    flock_sums_reset(sums);
    for (dun_packet packet = {0}; packet.first < e->observer.count; packet.first += packet.count) {
        const uint32_t rest = e->observer.count - packet.first;
        packet.count = rest < kernel->lanes ? rest : kernel->lanes;
        kernel->select[e->in.shape.dimensions - 2](&e->in, packet, ranges, range_count, &sums->sums, packet.first);
    }
}

/* Sums that no rule needs may have any value: the sum of a rule that is off, and the counts of rules that count all. */
static void forget_the_unasked(const eyes *e, flock_sums *sums) {
    for (int c = 0; c < 3 * RULES; c++)
        if (e->selection.rule[c / 3].r2 < 0.0f) test_array_reset(&sums->column[c]);
    for (int c = 10; c < 12 && e->selection.same; c++) test_array_reset(&sums->column[c]);
}

/* ---- the oracle -------------------------------------------------------------------------------------------------------- */

typedef struct other {
    uint32_t slot, id;
    float delta[3], d2;
    bool counts[RULES];
} other;

static int by_distance(const void *a, const void *b) {
    const other *p = a, *q = b;
    if (p->d2 < q->d2 || p->d2 > q->d2) return p->d2 < q->d2 ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

static int by_slot(const void *a, const void *b) {
    const other *p = a, *q = b;
    return p->slot < q->slot ? -1 : p->slot > q->slot;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double worst_cosine;

/* By the contract's expressions, and, since the angle is in binary64, wherever rounding leaves no doubt. */
static bool in_view(const float delta[3], float d2, const float v[3], float view, double cosine) {
    const float plane = v[0] * v[0] + v[1] * v[1], v2 = plane + v[2] * v[2];
    if (view < -1.5f || v2 < FLT_MIN) return true;
    const float scale = 1.0f / sqrtf(v2);
    const float x = delta[0] * (v[0] * scale) + delta[1] * (v[1] * scale), ahead = x + delta[2] * (v[2] * scale);
    const bool in = ahead * fabsf(ahead) >= view * d2;
    const double exact_delta[3] = {(double)delta[0], (double)delta[1], (double)delta[2]};
    const double exact_v[3] = {(double)v[0], (double)v[1], (double)v[2]};
    if (d2 < 0x1p-100f) return in;
    const double angle = dot(exact_delta, exact_v) / sqrt(dot(exact_delta, exact_delta) * dot(exact_v, exact_v));
    if (in != (angle >= cosine)) worst_cosine = fmax(worst_cosine, fabs(angle - cosine));
    return in;
}

static float scale_of(const eyes *e, uint32_t i, int rule) {
    const float all = e->in.radius_scale ? e->in.radius_scale[i] : 1.0f;
    return e->in.rule_scale[rule] ? all * e->in.rule_scale[rule][i] : all;
}

static bool meet(const eyes *e, const oracle_scene *scene, uint32_t i, uint32_t j, other *o) {
    float at[3] = {0.0f}, v[3] = {0.0f};
    for (int a = 0; a < scene->dimensions; a++) {
        at[a] = e->in.observer[a][i];
        v[a] = e->in.observer_velocity[a][i];
    }
    *o = (other){.slot = j, .id = e->in.id[j]};
    o->d2 = oracle_offset(scene, at, j, o->delta);
    if ((e->in.own && i == j) || (e->in.ignore_coincident && o->d2 == 0.0f)) return false;
    bool any = false;
    for (int r = 0; r < RULES; r++) {
        const dun_rule_selection *rule = &e->selection.rule[r];
        const float scale = scale_of(e, i, r), scale2 = scale * scale;
        o->counts[r] = o->d2 <= rule->r2 * scale2 && o->d2 >= rule->min_r2 * scale2 &&
                       in_view(o->delta, o->d2, v, rule->view, e->cosine[r]);
        any = any || o->counts[r];
    }
    return any;
}

static uint32_t look(const eyes *e, const oracle_scene *scene, uint32_t i, other *others) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < scene->count; j++) count += meet(e, scene, i, j, &others[count]);
    if (e->selection.nearest && count > e->selection.nearest) {
        qsort(others, count, sizeof *others, by_distance);
        count = e->selection.nearest;
        qsort(others, count, sizeof *others, by_slot);
    }
    return e->selection.max_neighbours && count > e->selection.max_neighbours ? e->selection.max_neighbours : count;
}

static double push_of(const eyes *e, uint32_t i, double d, double *measure) {
    const double inverse_radius = (double)(e->in.inverse_separation_radius / scale_of(e, i, 0));
    if (e->in.shape.separation == DUN_PUSH_INVERSE) return *measure = 1.0 / (d * d);
    if (e->in.shape.separation == DUN_PUSH_CONSTANT) return *measure = 1.0 / d;
    *measure = (1.0 + d * inverse_radius) / d;
    return (1.0 - d * inverse_radius) / d;
}

static double worst_sum;

static void check_sum(float got, double want, double terms, uint32_t count) {
    const double error = fabs((double)got - want);
    if (error <= count * 0x1p-149) return;
    worst_sum = fmax(worst_sum, error / (ORACLE_U * terms) / oracle_bound(count));
    if (!(error <= oracle_bound(count) * ORACLE_U * terms)) fail_msg("%.9g instead of %.17g", (double)got, want);
}

static void check_axis(const eyes *e, const other *others, uint32_t count, int axis, const dun_sums *got, uint32_t agent) {
    double sum[RULES] = {0}, terms[RULES] = {0};
    for (uint32_t k = 0; k < count; k++) {
        const other *o = &others[k];
        const double delta[3] = {(double)o->delta[0], (double)o->delta[1], (double)o->delta[2]};
        double measure;
        const double push = push_of(e, agent, sqrt(fmax(dot(delta, delta), 0x1p-126)), &measure);
        const double velocity = (double)e->in.velocity[axis][o->slot];
        sum[0] -= o->counts[0] * delta[axis] * push;
        sum[1] += o->counts[1] * velocity;
        sum[2] += o->counts[2] * delta[axis];
        terms[0] += o->counts[0] * fabs(delta[axis]) * measure;
        terms[1] += o->counts[1] * fabs(velocity);
        terms[2] += o->counts[2] * fabs(delta[axis]);
    }
    /* a rule that is off in an interaction with equal rules may or may not be summed */
    const bool asked[RULES] = {e->in.shape.separation != DUN_PUSH_NONE, e->selection.rule[1].r2 > 0,
                               e->selection.rule[2].r2 > 0};
    const float *const columns[RULES] = {got->push[axis], got->velocity[axis], got->offset[axis]};
    for (int r = 0; r < RULES; r++)
        if (asked[r]) check_sum(columns[r][agent], sum[r], terms[r], count);
}

static uint32_t seen_in_all;

static void check_agent(const eyes *e, const oracle_scene *scene, uint32_t agent, const dun_sums *got) {
    static other others[MOST];
    const uint32_t count = look(e, scene, agent, others);
    uint32_t counted[RULES] = {0};
    for (uint32_t k = 0; k < count; k++)
        for (int r = 0; r < RULES; r++) counted[r] += others[k].counts[r];
    assert_int_equal(got->seen[agent], count);
    for (int r = 1; r < RULES; r++) {
        if (e->selection.same && e->selection.rule[r].r2 > 0)
            assert_int_equal(counted[r], count);
        else if (!e->selection.same)
            assert_int_equal((r == 1 ? got->aligned : got->cohered)[agent], counted[r]);
    }
    for (int a = 0; a < scene->dimensions; a++) check_axis(e, others, count, a, got, agent);
    seen_in_all += count;
}

/* ---- layouts ----------------------------------------------------------------------------------------------------------- */

/* Of all agents, as one range. */
static void check_oracle(const eyes *e, bool periodic) {
    const dun_range all = {0, e->own ? e->observer.count : e->observed.count, periodic ? DUN_ALL_AXES : 0, 0};
    flock_sums got = flock_sums_new(e->observer.count);
    select_sum(test_kernel(0), e, &all, all.end > 0, &got);
    const oracle_scene scene = flock_scene(&e->in, all.end, periodic);
    for (uint32_t i = 0; i < e->observer.count; i++) check_agent(e, &scene, i, &got.sums);
    flock_sums_free(&got);
}

static void check_kernels(const eyes *e, const dun_range *ranges, uint32_t range_count, const char *what) {
    flock_sums want = flock_sums_new(e->observer.count), got = flock_sums_new(e->observer.count);
    select_sum(test_kernel(0), e, ranges, range_count, &want);
    forget_the_unasked(e, &want);
    for (int k = 1; k < test_kernel_count(); k++) {
        char name[256];
        snprintf(name, sizeof name, "%s: %s", test_kernel(k)->name, what);
        select_sum(test_kernel(k), e, ranges, range_count, &got);
        forget_the_unasked(e, &got);
        flock_sums_same(&got, &want, e->observer.count, name);
    }
    flock_sums_free(&want);
    flock_sums_free(&got);
}

/* In pieces with gaps. */
static uint32_t cut(uint32_t observed, test_random *random, dun_range *ranges, uint32_t most) {
    const uint8_t folds = (uint8_t)test_below(random, DUN_ALL_AXES + 1);
    uint32_t count = 0;
    for (uint32_t at = test_below(random, 3); at < observed && count < most;) {
        const uint32_t end = at + 1 + test_below(random, observed / 3 + 1);
        ranges[count++] = (dun_range){at, end < observed ? end : observed, folds, 0};
        at = ranges[count - 1].end + test_below(random, 3);
    }
    return count;
}

enum { MOST_RUNS = 40, ROUNDS = TEST_EFFORT(1, 2, 6) };

static void check_layout(flock_layout layout, uint32_t observers, uint32_t observed, int variant, test_random *random) {
    const int dimensions = 2 + (variant & 1);
    const bool own = variant & 2, periodic = variant & 4;
    eyes *e = eyes_new(layout, dimensions, observers, observed, own, random);
    const uint32_t others = own ? observers : observed;
    const dun_range all = {0, others, periodic ? DUN_ALL_AXES : 0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        choose(e, random);
        char what[160];
        snprintf(what, sizeof what, "%s, %u see %u, variant %d, round %d", flock_layout_name(layout), observers, others,
                 variant, round);
        check_oracle(e, periodic);
        check_kernels(e, &all, others > 0, what);
        dun_range pieces[MOST_RUNS];
        check_kernels(e, pieces, cut(others, random, pieces, MOST_RUNS), what);
    }
    eyes_free(e);
}

TEST(selections_agree) {
    static const uint32_t counts[] = {0, 1, 2, 4, 7, 8, 9, 16, 17, 53, 120};
    test_random random = {.state = 11};
    for (int layout = 0; layout < FLOCK_LAYOUTS; layout++)
        for (int variant = 0; variant < 8; variant++)
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check_layout((flock_layout)layout, counts[i], counts[(i * 5 + 1) % 11], variant, &random);
    assert_true(seen_in_all > 40000 * ROUNDS);
    print_message("views: cosines are off by %.3g at most; sums: at most %.1f %% of what their terms explain\n", worst_cosine,
                  100.0 * worst_sum);
    assert_true(worst_cosine < 12.0 * ORACLE_U); /* docs/numerics.md */
}

/* More candidates than a list has room for: each pass makes the list again. */
TEST_EACH(crowds_do_not_overflow_a_list, round, 0, TEST_ROUNDS(24)) {
    static test_random random = {.state = 12};
    check_layout(FLOCK_LATTICE, 17, MOST, round % 8 & ~2, &random);
    check_layout(FLOCK_POINT, 21, MOST - 1, round % 8 & ~2, &random);
    if (round % 6 == 0) check_layout(FLOCK_PAIRS, 700, 0, round % 8 | 2, &random);
}

/* Ranges of two agents, so that a list has no room for all of their sections. */
TEST_EACH(many_ranges_do_not_overflow_a_list, round, 0, TEST_ROUNDS(40)) {
    static test_random random = {.state = 13};
    eyes *e = eyes_new(FLOCK_SPREAD, 2 + round % 2, 9, 120, round % 3 == 0, &random);
    const uint32_t others = e->own ? 9 : 120;
    dun_range ranges[MOST_RUNS];
    uint32_t count = 0;
    for (uint32_t at = 0; at + 3 < others && count < MOST_RUNS; at += 3, count++)
        ranges[count] = (dun_range){at, at + 2, round % 2 ? DUN_ALL_AXES : 0, 0};
    choose(e, &random);
    check_kernels(e, ranges, count, "many ranges");
    eyes_free(e);
}

/* ---- of those within a radius, one -------------------------------------------------------------------------------------- */

/* All neighbours within one radius count, all around. */
static void choose_nearest(eyes *e, float radius) {
    const dun_rule_selection off = {-1.0f, 0.0f, DUN_ALL_AROUND, DUN_KIN_ALL},
                             all = {radius * radius, 0.0f, DUN_ALL_AROUND, DUN_KIN_ALL};
    e->selection = dun_selection_of((const dun_rule_selection[RULES]){off, all, all}, 1, 0, false);
    e->in.selection = &e->selection;
    e->in.shape.separation = DUN_PUSH_NONE;
    e->in.separation_r2 = -1.0f;
    e->in.max_r2 = radius * radius;
}

/* Groups of up to `most` agents, of any length. */
static void nearest_sum(const dun_kernel *kernel, const eyes *e, const dun_range *ranges, uint32_t range_count, uint32_t most,
                        flock_sums *sums) {
    flock_sums_reset(sums);
    for (dun_packet packet = {0}; packet.first < e->observer.count; packet.first += packet.count) {
        const uint32_t rest = e->observer.count - packet.first;
        packet.count = rest < most ? rest : most;
        kernel->nearest[e->in.shape.dimensions - 2](&e->in, packet, ranges, range_count, &sums->sums, packet.first);
    }
}

/* The sums that `nearest` does not write. */
static void forget_all_but_one(flock_sums *sums, int dimensions) {
    for (int c = 0; c < 12; c++)
        if (c < 3 || c > 9 || c % 3 >= dimensions) test_array_reset(&sums->column[c]);
}

static void check_nearest(const eyes *e, const dun_range *ranges, uint32_t range_count, const char *what) {
    flock_sums want = flock_sums_new(e->observer.count), got = flock_sums_new(e->observer.count);
    select_sum(test_kernel(0), e, ranges, range_count, &want);
    forget_all_but_one(&want, e->in.shape.dimensions);
    for (int k = 0; k < test_kernel_count(); k++) {
        char name[256];
        snprintf(name, sizeof name, "%s: %s", test_kernel(k)->name, what);
        for (uint32_t most = test_kernel(k)->lanes; most < 100; most += 37) {
            nearest_sum(test_kernel(k), e, ranges, range_count, most, &got);
            forget_all_but_one(&got, e->in.shape.dimensions);
            flock_sums_same(&got, &want, e->observer.count, name);
        }
    }
    flock_sums_free(&want);
    flock_sums_free(&got);
}

static int32_t min_id_of(const eyes *e, const dun_range *ranges, uint32_t range_count, uint32_t i) {
    const uint32_t count = e->observed.count;
    const oracle_scene plane = flock_scene(&e->in, count, false), torus = flock_scene(&e->in, count, true);
    float at[3] = {0.0f}, delta[3];
    for (int a = 0; a < e->in.shape.dimensions; a++) at[a] = e->in.observer[a][i];
    int32_t found = -1;
    for (uint32_t r = 0; r < range_count; r++)
        for (uint32_t j = ranges[r].begin; j < ranges[r].end; j++)
            if (oracle_offset(ranges[r].folds ? &torus : &plane, at, j, delta) <= e->in.max_r2 &&
                (found < 0 || e->in.id[j] < e->in.id[found]))
                found = (int32_t)j;
    return found;
}

static void check_min_id(const eyes *e, const dun_range *ranges, uint32_t range_count, const char *what) {
    test_array want = test_array_new(e->observer.count), got = test_array_new(e->observer.count);
    for (uint32_t i = 0; i < e->observer.count; i++) ((int32_t *)want.at)[i] = min_id_of(e, ranges, range_count, i);
    for (int k = 0; k < test_kernel_count(); k++) {
        const dun_kernel *kernel = test_kernel(k);
        test_array_reset(&got);
        for (dun_packet packet = {0}; packet.first < e->observer.count; packet.first += packet.count) {
            const uint32_t rest = e->observer.count - packet.first;
            packet.count = rest < kernel->lanes ? rest : kernel->lanes;
            kernel->min_id(&e->in, packet, ranges, range_count, (int32_t *)got.at + packet.first);
        }
        test_same_bits(got.at, want.at, e->observer.count, what);
        test_array_check(&got);
    }
    test_array_free(&want);
    test_array_free(&got);
}

static void check_one(flock_layout layout, uint32_t observers, uint32_t observed, int variant, test_random *random) {
    static const float radii[] = {FLOCK_RADIUS, 4.0f, 5.7f, 1e9f};
    const bool own = variant & 2, periodic = variant & 4;
    eyes *e = eyes_new(layout, 2 + (variant & 1), observers, observed, own, random);
    const uint32_t others = own ? observers : observed;
    const dun_range all = {0, others, periodic ? DUN_ALL_AXES : 0, 0};
    for (int r = 0; r < 4; r++) {
        dun_range pieces[MOST_RUNS];
        const uint32_t count = cut(others, random, pieces, MOST_RUNS);
        for (uint32_t p = 0; p < count; p++) pieces[p].folds = periodic ? DUN_ALL_AXES : 0; /* agents may be anywhere */
        char what[160];
        snprintf(what, sizeof what, "%s, %u see %u, variant %d, radius %g", flock_layout_name(layout), observers, others,
                 variant, (double)radii[r]);
        choose_nearest(e, radii[r]);
        check_nearest(e, &all, others > 0, what);
        check_nearest(e, pieces, count, what);
        if (!own) check_min_id(e, &all, others > 0, what);
        if (!own) check_min_id(e, pieces, count, what);
    }
    eyes_free(e);
}

/* `nearest` equals a selection of one; the minimum id equals that of a plain loop. */
TEST(the_nearest_and_the_minimum_id_are_found) {
    static const uint32_t counts[] = {0, 1, 5, 9, 17, 53, 120};
    test_random random = {.state = 14};
    for (int layout = 0; layout < FLOCK_LAYOUTS; layout++)
        for (int variant = 0; variant < 8; variant++)
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check_one((flock_layout)layout, counts[i], counts[(i * 5 + 1) % 7], variant, &random);
    for (int layout = 0; layout < FLOCK_LAYOUTS; layout++) /* more candidates than a list has room for */
        check_one((flock_layout)layout, 45, 800, 4 * (layout % 2) + layout / 2 % 2, &random);
}
