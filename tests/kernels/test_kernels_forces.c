/* SPDX-License-Identifier: MIT */
/* Attract, friction and what is ahead, of every kernel, against their formulas in binary64. */
#include <math.h>

#include "tests/lib/support.h"

enum { AGENTS = 203 };

typedef struct agents {
    test_array position[3], velocity[3], force[3];
} agents;

static agents agents_new(test_random *random) {
    agents made;
    for (int a = 0; a < 3; a++) {
        made.position[a] = test_array_new(AGENTS);
        made.velocity[a] = test_array_new(AGENTS);
        made.force[a] = test_array_new(AGENTS);
        for (uint32_t i = 0; i < AGENTS; i++) {
            made.position[a].at[i] = test_uniform(random, -40, 40);
            made.velocity[a].at[i] = test_below(random, 8) ? test_uniform(random, -3, 3) : 0;
            made.force[a].at[i] = 0;
        }
    }
    return made;
}

static void agents_free(agents *all) {
    for (int a = 0; a < 3; a++) {
        test_array_check(&all->force[a]);
        test_array_free(&all->position[a]);
        test_array_free(&all->velocity[a]);
        test_array_free(&all->force[a]);
    }
}

static dun_behave job_of(int dimensions, const agents *all) {
    dun_behave job = {
        .dimensions = dimensions, .max_speed = {.all = 2}, .max_force = {.all = INFINITY}, .weight = {.all = 1.5f}};
    for (int a = 0; a < dimensions; a++) {
        job.position[a] = all->position[a].at;
        job.velocity[a] = all->velocity[a].at;
        job.force[a] = all->force[a].at;
    }
    return job;
}

/* ---- attract ----------------------------------------------------------------------------------------------------------- */

/* Every eighth agent each is at the target, and at exactly the minimum and the maximum distance from it, along an axis. */
static void place(const dun_behave_target *target, int dimensions, const agents *all) {
    const float distances[] = {0.0f, target->attract.min_distance, target->attract.max_distance};
    for (uint32_t i = 0; i < AGENTS; i++)
        for (int a = 0; a < dimensions && i % 8 < 3; a++)
            all->position[a].at[i] = target->position[a] + (a == 1 ? distances[i % 8] : 0.0f);
}

static void expect_attracted(const dun_behave *job, uint32_t i, const char *kernel) {
    const dun_behave_target *target = &job->target;
    const dun_behave_attract *t = &target->attract;
    double offset[3], d2 = 0;
    for (int a = 0; a < job->dimensions; a++) {
        offset[a] = (double)target->position[a] - (double)job->position[a][i];
        d2 += offset[a] * offset[a];
    }
    const double d = sqrt(d2), counted = fmax(fmin(d, (double)t->max_distance), (double)t->min_distance);
    const double size = (double)t->strength / pow(counted, t->power);
    for (int a = 0; a < job->dimensions; a++) {
        const double want = d > 0 ? 1.5 * size * offset[a] / d : 0, got = (double)job->force[a][i];
        if (!(fabs(got - want) <= 1e-6 * fabs(1.5 * size)))
            fail_msg("%s: at %g from the target, power %d: %.9g instead of %.9g", kernel, d, t->power, got, want);
    }
}

TEST_EACH(attract_is_the_formula, k, 0, test_kernel_count()) {
    test_random random = {.state = 21};
    for (int round = 0; round < TEST_ROUNDS(200); round++) {
        const int dimensions = 2 + round % 2;
        const float min = (float)(1 + test_below(&random, 8)), max = min + (float)test_below(&random, 30);
        agents all = agents_new(&random);
        dun_behave job = job_of(dimensions, &all);
        job.target = (dun_behave_target){.radius2 = INFINITY,
                                         .attract = {test_uniform(&random, -50, 50), min, max, (int)test_below(&random, 4)}};
        for (int a = 0; a < dimensions; a++) job.target.position[a] = (float)test_below(&random, 20);
        place(&job.target, dimensions, &all);
        test_kernel(k)->behave[DUN_BEHAVE_ATTRACT](&job, AGENTS);
        for (uint32_t i = 0; i < AGENTS; i++) expect_attracted(&job, i, test_kernel(k)->name);
        agents_free(&all);
    }
}

/* ---- what is ahead ----------------------------------------------------------------------------------------------------- */

/* The direction to a place that is ahead of the target by distance + time·speed. */
static void expect_pursued(const dun_behave *job, uint32_t i, const char *kernel) {
    const dun_behave_target *target = &job->target;
    double offset[3], w2 = 0, d2 = 0, speed2 = 0;
    for (int a = 0; a < job->dimensions; a++) {
        offset[a] = (double)target->position[a] - (double)job->position[a][i];
        d2 += offset[a] * offset[a];
        w2 += (double)target->velocity[a] * (double)target->velocity[a];
        speed2 += (double)job->velocity[a][i] * (double)job->velocity[a][i];
    }
    double time = (double)target->ahead.time, place2 = 0;
    if (target->by_distance) time = fmin(sqrt(d2 / speed2), time);
    for (int a = 0; a < job->dimensions; a++) {
        const double heading = w2 > 0 ? (double)target->velocity[a] / sqrt(w2) : 0;
        offset[a] += heading * ((double)target->ahead.distance + time * sqrt(w2));
        place2 += offset[a] * offset[a];
    }
    for (int a = 0; a < job->dimensions; a++) {
        const double want = 1.5 * (2 * offset[a] / sqrt(place2) - (double)job->velocity[a][i]);
        if (fabs((double)job->force[a][i] - want) > 1e-4)
            fail_msg("%s: %.9g instead of %.9g", kernel, (double)job->force[a][i], want);
    }
}

TEST_EACH(a_target_is_pursued_ahead_by_distance_and_speed, k, 0, test_kernel_count()) {
    test_random random = {.state = 22};
    for (int round = 0; round < TEST_ROUNDS(200); round++) {
        const int dimensions = 2 + round % 2;
        agents all = agents_new(&random);
        dun_behave job = job_of(dimensions, &all);
        job.target = (dun_behave_target){.radius2 = INFINITY,
                                         .predicts = true,
                                         .by_distance = test_below(&random, 2),
                                         .ahead = {(float)test_below(&random, 3) * 7, (float)test_below(&random, 3) * 4}};
        const bool rests = test_below(&random, 4) == 0;
        for (int a = 0; a < dimensions; a++) {
            job.target.position[a] = 200; /* so that it is ahead of no agent */
            job.target.velocity[a] = rests ? 0 : test_uniform(&random, 0, 2);
        }
        test_kernel(k)->behave[DUN_BEHAVE_TARGET](&job, AGENTS);
        for (uint32_t i = 0; i < AGENTS; i++) expect_pursued(&job, i, test_kernel(k)->name);
        agents_free(&all);
    }
}

/* ---- friction ---------------------------------------------------------------------------------------------------------- */

static void move(const dun_kernel *kernel, dun_integrate job, const agents *all, agents *to) {
    for (int a = 0; a < job.dimensions; a++) {
        job.position[a] = all->position[a].at;
        job.velocity[a] = all->velocity[a].at;
        job.force[a] = all->force[a].at;
        job.to_position[a] = to->position[a].at;
        job.to_velocity[a] = to->velocity[a].at;
    }
    kernel->integrate(&job, AGENTS);
}

/* Against the velocity that an agent has without friction. */
static void expect_slowed(const agents *free, const agents *slow, int dimensions, float friction, uint32_t i) {
    double free2 = 0, slow2 = 0;
    for (int a = 0; a < dimensions; a++) {
        const float before = free->velocity[a].at[i], after = slow->velocity[a].at[i];
        if (fabsf(after) > fabsf(before) || (after != 0 && signbit(after) != signbit(before)))
            fail_msg("friction %g turns %.9g into %.9g", (double)friction, (double)before, (double)after);
        free2 += (double)before * (double)before;
        slow2 += (double)after * (double)after;
    }
    const double want = fmax(sqrt(free2) - (double)friction, 0);
    if (fabs(sqrt(slow2) - want) > 1e-6 * (1 + sqrt(free2)))
        fail_msg("friction %g: a speed of %.9g becomes %.9g", (double)friction, sqrt(free2), sqrt(slow2));
}

TEST_EACH(friction_takes_speed_and_turns_no_agent_back, k, 0, test_kernel_count()) {
    test_random random = {.state = 23};
    for (int round = 0; round < TEST_ROUNDS(200); round++) {
        agents all = agents_new(&random), free = agents_new(&random), slow = agents_new(&random);
        dun_integrate job = {.dimensions = 2 + round % 2,
                             .time_step = 1,
                             .force_scale = 1,
                             .min_speed = test_below(&random, 2) ? 0.5f : 0,
                             .max_speed = {.all = 4},
                             .keep = test_below(&random, 2) ? 1 : 0.5f};
        for (int a = 0; a < 3; a++)
            for (uint32_t i = 0; i < AGENTS; i++) all.force[a].at[i] = test_uniform(&random, -2, 2) * (float)(i % 3);
        move(test_kernel(k), job, &all, &free);
        static const float frictions[] = {0.01f, 0.7f, 2.0f, 1e-20f, 1e9f};
        job.friction = frictions[round % 5];
        move(test_kernel(k), job, &all, &slow);
        for (uint32_t i = 0; i < AGENTS; i++) expect_slowed(&free, &slow, job.dimensions, job.friction, i);
        agents_free(&all);
        agents_free(&free);
        agents_free(&slow);
    }
}
