/* SPDX-License-Identifier: MIT */
#include "harness/validate/trials.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

static trial *add(trial_list *list, trial t) {
    assert(list->count < TRIALS);
    list->at[list->count] = t;
    return &list->at[list->count++];
}

static void claim(trial *t, double published, double low, double high) {
    assert(t->claims < TRIAL_FIGURES);
    t->claim[t->claims++] = (trial_claim){published, low, high};
}

static void claim_near(trial *t, double published, double tolerance) {
    claim(t, published, published - tolerance, published + tolerance);
}

static void claim_below(trial *t, double bound) {
    claim(t, (double)NAN, -(double)INFINITY, bound);
}

static void claim_above(trial *t, double bound) {
    claim(t, (double)NAN, bound, (double)INFINITY);
}

/* ---- circles ---------------------------------------------------------------------------------------------------------- */

/* Chisholm, Richmond and Maddock 2016, as run by FLAME GPU 2. To 0.01 %. */
static void add_circles(trial_list *list, bool quick) {
    static const struct {
        uint32_t agents;
        float width;
        int seed;
        double published, seconds;
    } runs[] = {{10648, 22.0f, 0, 181.420044, 0.7},
                {10648, 22.0f, 1, 179.427017, 0.7},
                {10648, 22.0f, 2, 182.351822, 0.7},
                {64000, 40.0f, 0, 194.318497, 5.0},
                {1000000, 100.0f, 0, 204.508377, 100.0}};
    for (int i = 0; i < (quick ? 1 : 5); i++) {
        trial *t = add(list, (trial){.kind = TRIAL_CIRCLES,
                                     .agents = runs[i].agents,
                                     .size = runs[i].width,
                                     .seed = runs[i].seed,
                                     .samples = 200,
                                     .seconds = runs[i].seconds});
        snprintf(t->name, sizeof t->name, "%u agents seed %d", runs[i].agents, runs[i].seed);
        claim_near(t, runs[i].published, 1e-4 * runs[i].published);
    }
}

/* ---- Vicsek ----------------------------------------------------------------------------------------------------------- */

static trial *add_vicsek(trial_list *list, uint32_t agents, double noise, trial t) {
    t.kind = TRIAL_VICSEK;
    t.agents = agents;
    t.size = sqrtf((float)agents / 4.0f);
    t.radius = 1.0f;
    t.x = (float)noise;
    t.seed = 1;
    trial *added = add(list, t);
    snprintf(added->name, sizeof added->name, "%u agents noise %.4g", agents, noise);
    return added;
}

/* Vicsek et al. 1995, figure 2a: from 1 without noise down to the order of N random headings. */
static void add_vicsek_curve(trial_list *list, uint32_t agents, trial t) {
    for (int half = 0; half <= 13; half++) {
        const double noise = half < 13 ? 0.5 * half : 2.0 * pi;
        trial *added = add_vicsek(list, agents, noise, t);
        added->is_curve = true;
        const double floor = sqrt(pi / (4.0 * agents));
        static const double at_100[] = {[2] = 0.953, [4] = 0.822, [6] = 0.619, [8] = 0.366, [10] = 0.132};
        if (half == 0) claim_near(added, 1.0, 0.001);
        if (half == 13) claim_near(added, floor, 0.05 * floor);
        if (agents == 100 && half >= 2 && half <= 10 && half % 2 == 0) claim_near(added, at_100[half], 0.01);
    }
}

/* If every agent observes all others, the order is the mean of a heading that is turned by a uniform angle. */
static void add_vicsek_to_all(trial_list *list, uint32_t agents, int readings, double tolerance) {
    for (int noise = 1; noise <= 5; noise++) {
        trial *t = add_vicsek(
            list, agents, noise,
            (trial){.samples = 1, .warm_up = 50, .readings = readings, .steps = 1, .seconds = 6e-7 * agents * agents});
        t->radius = t->size;
        snprintf(t->name, sizeof t->name, "%u agents all-to-all noise %d", agents, noise);
        claim_near(t, sin(0.5 * noise) / (0.5 * noise), tolerance);
    }
}

static void add_vicseks(trial_list *list, bool quick) {
    const trial small = {.samples = 8, .warm_up = 2000, .readings = 2000, .steps = 10, .seconds = 4.0};
    const trial large = {.samples = 2, .warm_up = 5000, .readings = 500, .steps = 10, .seconds = 20.0};
    if (quick) {
        const trial still = {.samples = 1, .warm_up = 2000, .readings = 1, .steps = 1, .is_curve = true, .seconds = 0.1};
        const trial noisy = {.samples = 2, .warm_up = 500, .readings = 500, .steps = 10, .is_curve = true, .seconds = 0.2};
        claim_near(add_vicsek(list, 40, 0.0, still), 1.0, 0.001);
        claim_near(add_vicsek(list, 100, 3.0, noisy), 0.619, 0.05);
        add_vicsek_to_all(list, 400, 100, 0.02);
        return;
    }
    add_vicsek_curve(list, 40, small);
    add_vicsek_curve(list, 100, small);
    add_vicsek_curve(list, 400, small);
    add_vicsek_curve(list, 4000, large);
    add_vicsek_to_all(list, 4000, 100, 0.01);
}

/* ---- Couzin ----------------------------------------------------------------------------------------------------------- */

static void add_couzin(trial_list *list, double orientation, trial t) {
    t.kind = TRIAL_COUZIN;
    t.agents = 100;
    t.size = 30.0f;
    t.radius = 5.0f;
    t.x = (float)orientation;
    t.seed = 1;
    t.steps = 10;
    trial *added = add(list, t);
    snprintf(added->name, sizeof added->name, "orientation %g", orientation);
    if (orientation <= 0.25) { /* a swarm */
        claim_below(added, 0.35);
        claim_below(added, 0.35);
    } else if (orientation >= 2.0 && orientation <= 2.5) { /* a torus */
        claim_below(added, 0.35);
        claim_above(added, 0.55);
    } else if (orientation >= 4.0) { /* parallel flight */
        claim_above(added, 0.95);
        claim_below(added, 0.15);
    }
}

/* Couzin et al. 2002: how the group flies as the zone of orientation grows. */
static void add_couzins(trial_list *list, bool quick) {
    static const double orientations[] = {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.25, 2.5, 3.0, 4.0, 6.0};
    const trial one = {.samples = 20, .warm_up = 3000, .readings = 100, .is_curve = true, .seconds = 7.0};
    const trial brief = {.samples = 1, .warm_up = 1500, .readings = 50, .is_curve = true, .seconds = 0.2};
    if (quick) {
        add_couzin(list, 0.0, brief);
        add_couzin(list, 6.0, brief);
        return;
    }
    for (int i = 0; i < 11; i++) add_couzin(list, orientations[i], one);
}

/* ---- the others ------------------------------------------------------------------------------------------------------- */

static void add_topological(trial_list *list, bool quick) {
    trial *t = add(list, (trial){.kind = TRIAL_TOPOLOGICAL,
                                 .agents = quick ? 300 : 2000,
                                 .radius = 6.0f,
                                 .size = quick ? 20.0f : 40.0f,
                                 .seed = 1,
                                 .samples = 1,
                                 .readings = 1,
                                 .steps = quick ? 50 : 500,
                                 .seconds = quick ? 0.1 : 20.0});
    snprintf(t->name, sizeof t->name, "%u agents", t->agents);
    claim(t, 1.0, 1.0, 1.0);
    claim_below(t, 0.01);
}

/* The flocking model with which Agents.jl and others are compared, with synchronous updates. */
static void add_matching(trial_list *list, uint32_t agents, float size, float radius, const trial_claim claims[TRIAL_FIGURES],
                         bool quick) {
    trial *t = add(list, (trial){.kind = TRIAL_MATCHING,
                                 .agents = agents,
                                 .size = size,
                                 .radius = radius,
                                 .seed = 1,
                                 .samples = quick ? 10 : 200,
                                 .readings = 1,
                                 .steps = 100,
                                 .seconds = quick ? 0.1 : 1.0});
    snprintf(t->name, sizeof t->name, "%u agents radius %g", agents, (double)radius);
    for (int i = 0; i < TRIAL_FIGURES; i++) {
        const double tolerance = quick ? 4.0 * claims[i].high : claims[i].high;
        claim_near(t, claims[i].published, tolerance);
    }
}

static void add_matchings(trial_list *list, bool quick) {
    static const trial_claim sparse[] = {{0.21, 0.0, 0.03}, {3.7, 0.0, 0.3}}, dense[] = {{0.117, 0.0, 0.03}, {47.0, 0.0, 3.0}};
    add_matching(list, 200, 100.0f, 5.0f, sparse, quick);
    add_matching(list, 400, 150.0f, 15.0f, dense, quick);
}

void trials_make(trial_list *list, bool quick) {
    list->count = 0;
    add_circles(list, quick);
    add_vicseks(list, quick);
    add_couzins(list, quick);
    add_topological(list, quick);
    add_matchings(list, quick);
}
