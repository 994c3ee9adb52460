/* SPDX-License-Identifier: MIT */
#include "tests/lib/crowds.h"
#include "tests/lib/random.h"

#include <math.h>

/* ---- crowds ------------------------------------------------------------------------------------------------------------ */

crowd crowd_new(const dun_index_type *type, const dun_space *space, uint32_t count) {
    crowd c = {.type = type, .heap = dun_heap_create(NULL), .space = *space, .count = count};
    c.index = type->create(c.heap);
    assert_true(c.heap && c.index);
    for (int a = 0; a < space->dimensions; a++) {
        c.from[a] = test_array_new(count);
        c.to[a] = test_array_new(count);
    }
    return c;
}

void crowd_sort(crowd *c) {
    const dun_executor executor = test_executor_serial(1);
    dun_columns columns = {.agents = c->count, .columns = c->space.dimensions};
    for (int a = 0; a < c->space.dimensions; a++) {
        columns.from[a] = (const dun_word *)c->from[a].at;
        columns.to[a] = (dun_word *)c->to[a].at;
        c->position[a] = c->type->sorts ? c->to[a].at : c->from[a].at;
    }
    assert_true(c->type->reserve(c->index, &c->space, c->count, executor.workers));
    c->type->build(c->index, &c->space, &columns, &executor);
    for (int a = 0; a < c->space.dimensions; a++) test_array_check(&c->to[a]);
}

void crowd_free(crowd *c) {
    c->type->destroy(c->index);
    dun_heap_end(c->heap);
    for (int a = 0; a < c->space.dimensions; a++) {
        test_array_free(&c->from[a]);
        test_array_free(&c->to[a]);
    }
}

/* ---- where agents are -------------------------------------------------------------------------------------------------- */

float crowd_held(const dun_space *space, int a, float x) {
    if (!space->periodic) return x;
    if (x < 0.0f) x += space->size[a];
    if (x > space->size[a]) x -= space->size[a];
    return fminf(fmaxf(x, 0.0f), space->size[a]);
}

static float anywhere(test_random *random, const dun_space *space, int a) {
    return test_uniform(random, space->min[a], space->min[a] + space->size[a]);
}

/* On an edge of the world or of a cell, or a bit beside it. A cell is a radius wide, or a little wider so that cells divide the
 * world evenly. */
static float some_edge(test_random *random, const dun_space *space, int a) {
    const float size = space->size[a], columns = fmaxf(1.0f, floorf(size / space->radius * (1.0f - 1e-6f)));
    const float column = (float)test_below(random, 1 + (uint32_t)fminf(columns, 1e6f));
    const float places[] = {0.0f, size, column * space->radius, column * (size / columns), size - column * space->radius};
    return test_nudge(random, space->min[a] + places[test_below(random, 5)], 2);
}

/* Around a corner, where all seams meet, or around one of two other places, which may be very far away in an open world. */
static float some_clump(test_random *random, const dun_space *space, int a) {
    static const float far_out[] = {1.0f, 1e3f, 1e6f, 1e9f, 1e12f, 1e25f};
    const uint32_t clump = test_below(random, 3);
    const float around = test_uniform(random, -1.5f, 1.5f) * space->radius;
    if (space->open) return ((float)clump - 1.0f) * far_out[test_below(random, 6)] * space->radius + around;
    return space->min[a] + 0.37f * (float)clump * space->size[a] + around;
}

static float place(test_random *random, const dun_space *space, int a, crowd_layout layout) {
    switch (layout) {
    case CLUMPS:
        return some_clump(random, space, a);
    case EDGES:
        return some_edge(random, space, a);
    case OUTSIDE:
        return test_uniform(random, space->min[a] - space->size[a], space->min[a] + 2.0f * space->size[a]);
    default:
        return anywhere(random, space, a);
    }
}

float crowd_blurred(test_random *random, const dun_space *space, int a, float x) {
    const float step = nextafterf(space->size[a], INFINITY) - space->size[a];
    return crowd_held(space, a, x + test_uniform(random, -1.0f, 1.0f) * step);
}

/* Puts every second agent a radius from the agent before it, or a bit more or less: such neighbours are hardest to find. */
static void set_apart(test_random *random, crowd *c) {
    for (uint32_t i = 1; i < c->count; i += 2) {
        const int along = (int)test_below(random, (uint32_t)c->space.dimensions);
        for (int a = 0; a < c->space.dimensions; a++) {
            if (test_below(random, 2)) c->from[a].at[i - 1] = crowd_held(&c->space, a, some_edge(random, &c->space, a));
            const float x = c->from[a].at[i - 1];
            c->from[a].at[i] = x;
            if (a != along) continue;
            const float apart = crowd_held(&c->space, a, test_nudge(random, x + c->space.radius, 2));
            c->from[a].at[i] = test_below(random, 2) ? crowd_blurred(random, &c->space, a, apart) : apart;
        }
    }
}

void crowd_scatter(test_random *random, crowd *c, crowd_layout layout) {
    for (int a = 0; a < c->space.dimensions; a++) {
        float *x = c->from[a].at;
        for (uint32_t i = 0; i < c->count; i++)
            x[i] = layout == POINT && i ? x[0] : crowd_held(&c->space, a, place(random, &c->space, a, layout));
    }
    if (layout == PAIRS) set_apart(random, c);
}

/* ---- any space --------------------------------------------------------------------------------------------------------- */

static float pick(test_random *random, const float *from, uint32_t count) {
    return from[test_below(random, count)];
}

uint32_t crowd_some_count(test_random *random) {
    static const uint32_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 60, 120, CROWD_MAX};
    return counts[test_below(random, 16)];
}

dun_space crowd_some_space(test_random *random) {
    static const float radii[] = {1.0f, 5.0f, 0.3f, 1e-3f, 777.0f};
    static const float ratios[] = {0.25f, 1.0f, 1.99f, 2.0f,  2.9f,   3.0f, 3.01f, 4.2f,
                                   5.0f,  6.5f, 8.0f,  17.0f, 100.0f, 1e4f, 1e6f};
    const uint32_t kind = test_below(random, 5);
    dun_space space = {.dimensions = 2 + (int)test_below(random, 2), .periodic = kind < 2, .open = kind == 2};
    if (space.periodic && test_below(random, 3) == 0) space.walled = (uint8_t)test_below(random, DUN_ALL_AXES);
    space.radius = pick(random, radii, 5);
    const uint32_t widest = 5 + test_below(random, 11);
    for (int a = 0; a < space.dimensions; a++) {
        space.size[a] = test_nudge(random, space.radius * pick(random, ratios, widest), 2);
        if (kind == 4) space.min[a] = -0.1f * space.size[a];
    }
    if (test_below(random, 4) == 0) space.size[test_below(random, (uint32_t)space.dimensions)] *= 1e4f;
    return space;
}

float crowd_some_radius(test_random *random, const dun_space *space) {
    static const float factors[] = {1.0f, 1.0f, 0.3f, 0.999f, 2.0f, 2.6f, 7.0f, 1e3f};
    return space->radius * pick(random, factors, 8);
}
