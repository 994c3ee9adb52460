/* SPDX-License-Identifier: MIT */
#include "harness/validate/trial.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

__attribute__((format(printf, 3, 4))) static void add(trial_list *list, trial t, const char *name, ...) {
    assert(list->count < TRIALS);
    va_list values;
    va_start(values, name);
    vsnprintf(t.name, sizeof t.name, name, values);
    va_end(values);
    list->at[list->count++] = t;
}

static trial_claim near(double published, double tolerance) {
    return (trial_claim){published, published - tolerance, published + tolerance};
}

static trial_claim below(double bound) {
    return (trial_claim){(double)NAN, -(double)INFINITY, bound};
}

static trial_claim above(double bound) {
    return (trial_claim){(double)NAN, bound, (double)INFINITY};
}

/* Chisholm, Richmond and Maddock 2016, as run by FLAME GPU 2. To 0.01 %. */
static void add_circles(trial_list *list, bool quick) {
    static const struct {
        uint32_t agents;
        float width;
        int seed;
        double published;
    } runs[] = {{10648, 22.0f, 0, 181.420044},
                {10648, 22.0f, 1, 179.427017},
                {10648, 22.0f, 2, 182.351822},
                {64000, 40.0f, 0, 194.318497},
                {1000000, 100.0f, 0, 204.508377}};
    for (int i = 0; i < (quick ? 1 : 5); i++) {
        const trial t = {.kind = TRIAL_CIRCLES,
                         .agents = runs[i].agents,
                         .size = runs[i].width,
                         .seed = runs[i].seed,
                         .samples = 200,
                         .claim = {near(runs[i].published, 1e-4 * runs[i].published)}};
        add(list, t, "%u agents seed %d", t.agents, t.seed);
    }
}

/* ---- Vicsek ----------------------------------------------------------------------------------------------------------- */

/* `t` says how it is flown. */
static trial vicsek(uint32_t agents, double noise, trial t, trial_claim claim) {
    t.kind = TRIAL_VICSEK;
    t.agents = agents;
    t.size = sqrtf((float)agents / 4.0f);
    t.radius = t.is_curve ? 1.0f : t.size;
    t.x = (float)noise;
    t.seed = 1;
    t.claim[0] = claim;
    return t;
}

static void add_vicsek(trial_list *list, uint32_t agents, double noise, trial t, trial_claim claim) {
    add(list, vicsek(agents, noise, t, claim), "%u agents noise %.4g", agents, noise);
}

/* If every agent observes all others, the order is the mean of a heading that is turned by a uniform angle. */
static void add_vicsek_to_all(trial_list *list, uint32_t agents, double tolerance) {
    const trial t = {.samples = 1, .warm_up = 50, .readings = 100, .steps = 1};
    for (int noise = 1; noise <= 5; noise++) {
        const trial_claim claim = near(sin(0.5 * noise) / (0.5 * noise), tolerance);
        add(list, vicsek(agents, noise, t, claim), "%u agents all-to-all noise %d", agents, noise);
    }
}

/* Vicsek et al. 1995, figure 2a: from 1 without noise down to the order of N random headings. */
static void add_vicsek_curve(trial_list *list, uint32_t agents, trial t) {
    static const double at_100[14] = {[2] = 0.953, [4] = 0.822, [6] = 0.619, [8] = 0.366, [10] = 0.132};
    const double floor = sqrt(pi / (4.0 * agents));
    add_vicsek(list, agents, 0.0, t, near(1.0, 0.001));
    for (int half = 1; half < 13; half++) {
        const bool is_known = agents == 100 && at_100[half] > 0.0;
        add_vicsek(list, agents, 0.5 * half, t, is_known ? near(at_100[half], 0.01) : (trial_claim){0});
    }
    add_vicsek(list, agents, 2.0 * pi, t, near(floor, 0.05 * floor));
}

static void add_vicseks(trial_list *list, bool quick) {
    const trial small = {.samples = 8, .warm_up = 2000, .readings = 2000, .steps = 10, .is_curve = true};
    const trial large = {.samples = 2, .warm_up = 5000, .readings = 500, .steps = 10, .is_curve = true};
    const trial still = {.samples = 1, .warm_up = 2000, .readings = 1, .steps = 1, .is_curve = true};
    const trial noisy = {.samples = 2, .warm_up = 500, .readings = 500, .steps = 10, .is_curve = true};
    if (quick) {
        add_vicsek(list, 40, 0.0, still, near(1.0, 0.001));
        add_vicsek(list, 100, 3.0, noisy, near(0.619, 0.05));
    } else {
        add_vicsek_curve(list, 40, small);
        add_vicsek_curve(list, 100, small);
        add_vicsek_curve(list, 400, small);
        add_vicsek_curve(list, 4000, large);
    }
    add_vicsek_to_all(list, quick ? 400 : 4000, quick ? 0.02 : 0.01);
}

/* ---- the others ------------------------------------------------------------------------------------------------------- */

/* Couzin et al. 2002: how the group flies as the zone of orientation grows. */
static void add_couzins(trial_list *list, bool quick) {
    static const double all[] = {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.25, 2.5, 3.0, 4.0, 6.0}, few[] = {0.0, 6.0};
    static const trial_claim none[TRIAL_FIGURES]; /* are claimed in between */
    const trial_claim swarm[] = {below(0.35), below(0.35)}, torus[] = {below(0.35), above(0.55)},
                      parallel[] = {above(0.95), below(0.15)};
    for (int i = 0; i < (quick ? 2 : 11); i++) {
        const double width = quick ? few[i] : all[i];
        const trial_claim *claim = width <= 0.25                  ? swarm
                                   : width >= 2.0 && width <= 2.5 ? torus
                                   : width >= 4.0                 ? parallel
                                                                  : none;
        const trial t = {.kind = TRIAL_COUZIN,
                         .agents = 100,
                         .size = 30.0f,
                         .radius = 5.0f,
                         .x = (float)width,
                         .seed = 1,
                         .samples = quick ? 1 : 20,
                         .warm_up = quick ? 1500 : 3000,
                         .readings = quick ? 50 : 100,
                         .steps = 10,
                         .claim = {claim[0], claim[1]},
                         .is_curve = true};
        add(list, t, "orientation %g", width);
    }
}

static void add_topological(trial_list *list, bool quick) {
    const trial t = {.kind = TRIAL_TOPOLOGICAL,
                     .agents = quick ? 300 : 2000,
                     .radius = 6.0f,
                     .size = quick ? 20.0f : 40.0f,
                     .seed = 1,
                     .samples = 1,
                     .readings = 1,
                     .steps = quick ? 50 : 500,
                     .claim = {near(1.0, 0.0), below(0.01)}};
    add(list, t, "%u agents", t.agents);
}

/* The flocking model with which Agents.jl and others are compared, with synchronous updates. */
static void add_matching(trial_list *list, uint32_t agents, float size, float radius, trial_claim order, trial_claim neighbours,
                         bool quick) {
    const trial t = {.kind = TRIAL_MATCHING,
                     .agents = agents,
                     .size = size,
                     .radius = radius,
                     .seed = 1,
                     .samples = quick ? 10 : 200,
                     .readings = 1,
                     .steps = 100,
                     .claim = {order, neighbours}};
    add(list, t, "%u agents radius %g", agents, (double)radius);
}

void trials_make(trial_list *list, bool quick) {
    list->count = 0;
    add_circles(list, quick);
    add_vicseks(list, quick);
    add_couzins(list, quick);
    add_topological(list, quick);
    const double width = quick ? 4.0 : 1.0; /* of ranges */
    add_matching(list, 200, 100.0f, 5.0f, near(0.21, 0.03 * width), near(3.7, 0.3 * width), quick);
    add_matching(list, 400, 150.0f, 15.0f, near(0.117, 0.03 * width), near(47.0, 3.0 * width), quick);
}
