/* SPDX-License-Identifier: MIT */
/* The kernels that look up fields. */
#include "tests/lib/support.h"

enum { MOST_AGENTS = 37, MOST_CELLS = 6 * 5 * 4 };

typedef struct look_up {
    dun_behave job;
    test_array position[3], velocity[3], force[3];
    float *cells[3]; /* no byte longer than the field, so that address sanitizers see who reads beyond it */
    uint32_t count;
} look_up;

static float any_component(test_random *random, bool odd) {
    static const float odd_ones[] = {NAN, INFINITY, -INFINITY, 3e38f, -1e30f, 1e18f, 1e-30f, 1e-42f, -0.0f, 0.0f};
    if (odd && test_below(random, 3) == 0) return odd_ones[test_below(random, sizeof odd_ones / sizeof *odd_ones)];
    return test_uniform(random, -5.0f, 5.0f);
}

/* On a grid of 64ths, so that where an agent is is exact; or anywhere that an agent may be at all. */
static float any_place(test_random *random, const dun_behave_flow *f, int a, bool odd) {
    static const float far[] = {1e38f, -1e38f, 1e20f, -1e20f, 3e9f, -16777216.0f, 0.0f, -0.0f, 1e-40f};
    const float width = 1.0f / f->per_unit[a], from = f->min[a] - 9.0f * width, to = f->min[a] + 15.0f * width;
    if (!odd) return floorf(test_uniform(random, 64.0f * from, 64.0f * to)) / 64.0f;
    switch (test_below(random, 4)) {
    case 0:
        return far[test_below(random, sizeof far / sizeof *far)];
    case 1:
        return test_nudge(random, f->min[a] + 0.5f * width * (float)test_below(random, 14), 2);
    default:
        return test_uniform(random, from, to);
    }
}

static look_up look_up_new(test_random *random, int dimensions, bool odd) {
    look_up l = {.count = 1 + test_below(random, MOST_AGENTS)};
    dun_behave_flow *f = &l.job.flow;
    l.job =
        (dun_behave){.dimensions = dimensions, .max_speed = {.all = 7.0f}, .max_force = {.all = 3.0f}, .weight = {.all = 1.5f}};
    f->linear = test_below(random, 2);
    f->wraps = test_below(random, 3) ? test_below(random, 2) * DUN_ALL_AXES : test_below(random, DUN_ALL_AXES);
    f->look_ahead.time = odd ? test_uniform(random, 0.0f, 4.0f) : (float)test_below(random, 3);
    if (odd && test_below(random, 2)) f->look_ahead.distance = test_uniform(random, 0.0f, 9.0f);
    int32_t cells = 1;
    for (int a = 0; a < dimensions; a++) {
        const int most[] = {6, 5, 4};
        const int32_t here = 1 + (int32_t)test_below(random, (uint32_t)most[a]);
        f->cells[a] = (float)here;
        f->stride[a] = cells;
        f->min[a] = odd ? test_uniform(random, -20.0f, 20.0f) : (float)test_below(random, 9);
        f->per_unit[a] = odd ? test_uniform(random, 0.1f, 100.0f) : 0.25f;
        f->per_cell[a] = 1.0f / f->cells[a];
        cells *= here;
    }
    for (int a = 0; a < dimensions; a++) {
        l.cells[a] = malloc((size_t)cells * sizeof(float));
        assert_non_null(l.cells[a]);
        for (int32_t c = 0; c < cells; c++) l.cells[a][c] = any_component(random, odd);
        f->vectors[a] = l.cells[a];
        l.position[a] = test_array_new(l.count);
        l.velocity[a] = test_array_new(l.count);
        l.force[a] = test_array_new(l.count);
        for (uint32_t i = 0; i < l.count; i++) {
            l.position[a].at[i] = any_place(random, f, a, odd);
            l.velocity[a].at[i] = odd ? test_uniform(random, -3.0f, 3.0f) : (float)test_below(random, 5) - 2.0f;
        }
        l.job.position[a] = l.position[a].at;
        l.job.velocity[a] = l.velocity[a].at;
        l.job.force[a] = l.force[a].at;
    }
    return l;
}

static void look_up_free(look_up *l) {
    for (int a = 0; a < l->job.dimensions; a++) {
        free(l->cells[a]);
        test_array_free(&l->position[a]);
        test_array_free(&l->velocity[a]);
        test_array_free(&l->force[a]);
    }
}

static void look_up_by(look_up *l, const dun_kernel *kernel, dun_behave_kind kind) {
    for (int a = 0; a < l->job.dimensions; a++) {
        test_array_reset(&l->force[a]);
        for (uint32_t i = 0; i < l->count; i++) l->force[a].at[i] = 0.25f * (float)a;
    }
    kernel->behave[kind](&l->job, l->count);
    for (int a = 0; a < l->job.dimensions; a++) test_array_check(&l->force[a]);
}

TEST_EACH(every_kernel_looks_up_the_same_bits, round, 0, TEST_ROUNDS(4000)) {
    static test_random random = {11};
    const dun_behave_kind kind = round % 2 ? DUN_BEHAVE_WIND : DUN_BEHAVE_FLOW;
    look_up l = look_up_new(&random, 2 + round / 2 % 2, round % 8 >= 4);
    float want[3][MOST_AGENTS];
    look_up_by(&l, test_kernel(0), kind);
    for (int a = 0; a < l.job.dimensions; a++) {
        memcpy(want[a], l.force[a].at, l.count * sizeof(float));
        for (uint32_t i = 0; i < l.count; i++) assert_true(fabs((double)want[a][i]) < 1e19);
    }
    for (int k = 1; k < test_kernel_count(); k++) {
        look_up_by(&l, test_kernel(k), kind);
        for (int a = 0; a < l.job.dimensions; a++) test_same_bits(l.force[a].at, want[a], l.count, test_kernel(k)->name);
    }
    look_up_free(&l);
}

/* In binary64, by floor and by a sum over weighted corners, each index by itself around or to the edge. */
static void look_up_slowly(const dun_behave_flow *f, int dimensions, const double x[3], double out[3]) {
    double share[3], lower[3];
    out[0] = out[1] = out[2] = 0;
    for (int a = 0; a < dimensions; a++) {
        const double at = (x[a] - (double)f->min[a]) * (double)f->per_unit[a] - (f->linear ? 0.5 : 0.0);
        lower[a] = floor(at);
        share[a] = f->linear ? at - lower[a] : 0.0;
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        size_t index = 0;
        for (int a = 0; a < dimensions; a++) {
            const double cells = (double)f->cells[a], cell = lower[a] + (corner >> a & 1);
            const double inside = f->wraps >> a & 1 ? cell - cells * floor(cell / cells) : fmin(fmax(cell, 0), cells - 1);
            weight *= corner >> a & 1 ? share[a] : 1 - share[a];
            index += (size_t)inside * (size_t)f->stride[a];
        }
        if (dimensions == 2 && corner >= 4) continue;
        for (int a = 0; a < dimensions; a++) out[a] += weight * (double)f->vectors[a][index];
    }
}

TEST_EACH(the_scalar_kernel_looks_up_what_it_should, round, 0, TEST_ROUNDS(4000)) {
    static test_random random = {12};
    look_up l = look_up_new(&random, 2 + round % 2, false);
    l.job.max_force.all = INFINITY;
    look_up_by(&l, test_kernel(0), DUN_BEHAVE_WIND);
    for (uint32_t i = 0; i < l.count; i++) {
        double x[3], want[3];
        for (int a = 0; a < l.job.dimensions; a++)
            x[a] = (double)l.position[a].at[i] + (double)l.velocity[a].at[i] * (double)l.job.flow.look_ahead.time;
        look_up_slowly(&l.job.flow, l.job.dimensions, x, want);
        for (int a = 0; a < l.job.dimensions; a++)
            assert_true(fabs((double)l.force[a].at[i] - 0.25 * a - 1.5 * want[a]) < 1e-5);
    }
    look_up_free(&l);
}
