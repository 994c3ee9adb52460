/* SPDX-License-Identifier: MIT */
/*
 * Obstacles that block: each step is swept against all obstacles near it, in binary64, one agent after another. Only agents
 * that come near an obstacle get here, so this need not be fast. It has to hold.
 *
 * Every obstacle, grown by the agent's radius, is convex. So is the gap to it: the distance from its surface, or, for a box,
 * the maximum of the distances from the planes of its faces. Along a straight line a convex gap never falls below the line that
 * its slope at the start gives. An agent is stopped where the gap has shrunk to the skin: 2^-20 of the obstacle's maximum
 * coordinate M. There its coordinates are at most M and a skin, so rounding them to binary32 moves it by at most
 * sqrt(3)·2^-24·M, a ninth of the skin. From a gap below 3/4 of the skin the agent is moved back to a whole skin, so rounding
 * does not add up. A step that would still end below 1/4 is not taken. So from step to step gaps are at least 1/4. An agent
 * with less was put there: it counts as inside, and is pushed out.
 *
 * Along a surface, slopes are 0 but for rounding: down to -1e-12 they count as 0. An agent is beside an obstacle for at most
 * the obstacle's diagonal, 2·sqrt(3)·M. That costs 4e-12·M of gap, where a quarter of the skin is 2e-7·M. Rounding in binary64
 * costs as little for steps that begin at most some thousand M away.
 */
#include <math.h>
#include <stddef.h>

#include "engine/frame/stages.h"

enum { MAX_HITS = 3, MAX_PUSHES = 3 };
static const double flat = 1e-12; /* a slope that counts as 0 */
static const double never = (double)INFINITY;

/* fmin() and fmax() may choose either of two zeros. */
static double min_double(double a, double b) {
    return a < b ? a : b;
}

static double max_double(double a, double b) {
    return a > b ? a : b;
}

/* In 2D the third component is 0. */
typedef struct vector {
    double at[3];
} vector;

static double inner(vector a, vector b) {
    return 0.0 + a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2]; /* never -0 */
}

/* a + scale·b */
static vector plus(vector a, double scale, vector b) {
    for (int axis = 0; axis < 3; axis++) a.at[axis] += scale * b.at[axis];
    return a;
}

static vector minus(vector a, vector b) {
    for (int axis = 0; axis < 3; axis++) a.at[axis] -= b.at[axis];
    return a;
}

static vector divided(vector a, double by) {
    for (int axis = 0; axis < 3; axis++) a.at[axis] /= by;
    return a;
}

static vector take_vector(const float *const from[3], uint32_t i, int dimensions) {
    vector taken = {0};
    for (int a = 0; a < dimensions; a++) taken.at[a] = (double)from[a][i];
    return taken;
}

static void put_vector(vector v, float *const to[3], uint32_t i, int dimensions) {
    for (int a = 0; a < dimensions; a++) to[a][i] = (float)v.at[a];
}

/* ---- one obstacle, grown ---------------------------------------------------------------------------------------------- */

typedef struct solid {
    dun_solid kind;
    int dimensions;
    vector a, b;
    double radius, skin;
} solid;

static solid grown(const dun_obstacle_bins *bins, uint32_t k, float by) {
    solid s = {.kind = (dun_solid)bins->solid[k],
               .dimensions = bins->dimensions,
               .a = take_vector((const float *const *)bins->a, k, bins->dimensions),
               .b = take_vector((const float *const *)bins->b, k, bins->dimensions),
               .radius = (double)bins->radius[k] + (double)by};
    double max_coordinate = 0.0;
    for (int a = 0; a < 3; a++) max_coordinate = max_double(max_coordinate, max_double(fabs(s.a.at[a]), fabs(s.b.at[a])));
    s.skin = max_double(0x1p-20 * (max_coordinate + s.radius), 1e-30);
    return s;
}

/* The normal is that of the nearest face, the first of equals. */
static double gap_to_box(const solid *s, vector p, vector *normal) {
    double gap = -never;
    for (int a = 0; a < s->dimensions; a++) {
        const double below = s->a.at[a] - s->radius - p.at[a], above = p.at[a] - s->b.at[a] - s->radius;
        if (max_double(below, above) <= gap) continue;
        gap = max_double(below, above);
        *normal = (vector){0};
        normal->at[a] = below > above ? -1.0 : 1.0;
    }
    return gap;
}

/* On the axis itself all ways out are equally short. */
static vector any_normal(vector along, int dimensions) {
    const double *l = along.at;
    vector normal = {{-l[1], l[0], 0.0}};
    if (dimensions == 3 && !(fabs(l[2]) < fabs(l[0]))) normal = (vector){{0.0, -l[2], l[1]}};
    const double length = sqrt(inner(normal, normal));
    return length > 0.0 ? divided(normal, length) : (vector){{1.0}};
}

static double gap_to_line(const solid *s, vector p, vector *normal) {
    const vector along = minus(s->b, s->a), from_a = minus(p, s->a);
    const double length2 = inner(along, along), share = length2 > 0.0 ? inner(from_a, along) / length2 : 0.0;
    const vector offset = plus(from_a, -max_double(min_double(share, 1.0), 0.0), along);
    const double distance = sqrt(inner(offset, offset));
    *normal = distance > 0.0 ? divided(offset, distance) : any_normal(along, s->dimensions);
    return distance - s->radius;
}

/* How far outside p is, negative inside, and the direction in which that grows. */
static double gap_to(const solid *s, vector p, vector *normal) {
    return s->kind == DUN_SOLID_BOX ? gap_to_box(s, p, normal) : gap_to_line(s, p, normal);
}

/* ---- when a step that begins outside comes to the skin ---------------------------------------------------------------- */

/* A step that begins in between is there by rounding. */
static double enter_at(double in, double out) {
    return in <= out && out >= 0.0 && in <= 1.0 ? max_double(in, 0.0) : never;
}

static double time_to_box(const solid *s, vector p, vector step) {
    double in = -never, out = never;
    for (int a = 0; a < s->dimensions; a++) {
        const double min = s->a.at[a] - s->radius - s->skin - p.at[a], max = s->b.at[a] + s->radius + s->skin - p.at[a];
        if (step.at[a] == 0.0) {
            if (min >= 0.0 || max <= 0.0) return never;
            continue;
        }
        in = max_double(in, min_double(min / step.at[a], max / step.at[a]));
        out = min_double(out, max_double(min / step.at[a], max / step.at[a]));
    }
    return enter_at(in, out);
}

/* Half a chord back from the closest approach: no large squares are subtracted. `offset`: the step's begin, from the middle. */
static double time_to_round(vector offset, vector step, double radius) {
    const double step2 = inner(step, step);
    if (!(step2 > 0.0)) return never;
    const double middle = -inner(offset, step) / step2;
    const vector closest = plus(offset, middle, step);
    const double half2 = (radius * radius - inner(closest, closest)) / step2;
    if (!(half2 >= 0.0)) return never;
    return enter_at(middle - sqrt(half2), middle + sqrt(half2));
}

/* Between the ends of a capsule's line, which is a ball in cross-section. */
static double time_to_side(const solid *s, vector from_a, vector step, double radius) {
    const vector along = minus(s->b, s->a);
    const double length2 = inner(along, along);
    if (!(length2 > 0.0)) return never;
    const double share = inner(from_a, along) / length2, speed = inner(step, along) / length2;
    const double time = time_to_round(plus(from_a, -share, along), plus(step, -speed, along), radius);
    return time <= 1.0 && share + time * speed >= 0.0 && share + time * speed <= 1.0 ? time : never;
}

static double time_to(const solid *s, vector p, vector step) {
    if (s->kind == DUN_SOLID_BOX) return time_to_box(s, p, step);
    const double radius = s->radius + s->skin;
    const vector from_a = minus(p, s->a);
    const double ends = min_double(time_to_round(from_a, step, radius), time_to_round(minus(p, s->b), step, radius));
    return min_double(ends, time_to_side(s, from_a, step, radius));
}

/* ---- obstacles nearby ------------------------------------------------------------------------------------------------- */

/* A search for the obstacles near a straight step, in any order. */
typedef struct step_search {
    const dun_obstacle_bins *bins;
    float radius; /* the agent's */
    double min[3], max[3];
    dun_box_walk walk;
} step_search;

static step_search search_along(const dun_slide *slide, vector p, vector step) {
    step_search s = {
        .bins = slide->bins, .radius = slide->radius, .walk = dun_walk_boxes(slide->bins->boxes, slide->bins->levels)};
    const double by = (double)slide->radius * (double)DUN_RADIUS_SLACK;
    for (int a = 0; a < slide->bins->dimensions; a++) {
        s.min[a] = min_double(p.at[a], p.at[a] + step.at[a]) - by;
        s.max[a] = max_double(p.at[a], p.at[a] + step.at[a]) + by;
    }
    return s;
}

static bool comes_to(const step_search *s, uint32_t box) {
    const dun_boxes *boxes = s->walk.boxes;
    bool comes = true;
    for (int a = 0; a < s->bins->dimensions; a++)
        comes = comes && s->min[a] <= (double)boxes->max[a][box] && (double)boxes->min[a][box] <= s->max[a];
    return comes;
}

static bool next_solid(step_search *s, solid *o, uint32_t *number) {
    uint32_t k;
    while (dun_next_box(&s->walk, &k)) {
        if (!comes_to(s, k)) continue;
        if (s->walk.level > 0) {
            dun_enter_box(&s->walk, k);
            continue;
        }
        *o = grown(s->bins, k, s->radius);
        *number = s->bins->number[k];
        return true;
    }
    return false;
}

/* ---- the step --------------------------------------------------------------------------------------------------------- */

typedef struct contact {
    double time;
    uint32_t number; /* of the obstacle, in the order of adding */
    vector normal;
    double lift; /* how far the step must lead away from it */
} contact;

/* An obstacle does not stop an agent that is inside. */
static bool meets(const solid *s, vector p, vector step, contact *c) {
    const double gap = gap_to(s, p, &c->normal), level = -flat * sqrt(inner(step, step));
    if (gap < 0.125 * s->skin) return false;
    c->time = 0.0;
    c->lift = gap < 0.75 * s->skin ? s->skin - gap : 0.0;
    if (gap <= s->skin) return inner(step, c->normal) < 0.5 * c->lift + level;
    c->time = time_to(s, p, step);
    if (c->time > 1.0) return false;
    gap_to(s, plus(p, c->time, step), &c->normal);
    return inner(step, c->normal) < level;
}

static bool first_contact(const dun_slide *slide, vector p, vector step, contact *first) {
    step_search s = search_along(slide, p, step);
    contact c = {0};
    solid o;
    *first = (contact){.time = never};
    while (next_solid(&s, &o, &c.number)) {
        if (!meets(&o, p, step, &c)) continue;
        if (c.time < first->time || (c.time == first->time && c.number < first->number)) *first = c;
    }
    return first->time < never;
}

/* Stops and slides, at most MAX_HITS times. Returns how often. */
static int go(const dun_slide *slide, vector *p, vector step, vector *velocity) {
    contact c;
    int hits = 0;
    for (; first_contact(slide, *p, step, &c); hits++) {
        if (hits == MAX_HITS) return hits;
        *p = plus(*p, c.time, step);
        for (int a = 0; a < 3; a++) step.at[a] *= 1.0 - c.time;
        step = plus(step, c.lift - inner(step, c.normal), c.normal);
        *velocity = plus(*velocity, max_double(-inner(*velocity, c.normal), 0.0), c.normal);
    }
    *p = plus(*p, 1.0, step);
    return hits;
}

/* ---- inside ----------------------------------------------------------------------------------------------------------- */

/* Finds the first obstacle that p is inside. One that holds `start`, which may be NULL, does not count. */
static bool is_inside(const dun_slide *slide, vector p, const vector *start, contact *first) {
    step_search s = search_along(slide, p, (vector){0});
    contact c = {0};
    vector normal;
    solid o;
    *first = (contact){.number = UINT32_MAX};
    while (next_solid(&s, &o, &c.number)) {
        const double gap = gap_to(&o, p, &c.normal);
        if (gap >= 0.25 * o.skin || c.number > first->number) continue;
        if (start && gap_to(&o, *start, &normal) < 0.125 * o.skin) continue;
        c.lift = o.skin - gap;
        *first = c;
    }
    return first->number < UINT32_MAX;
}

/* Returns how often it pushes. */
static int put_out(const dun_slide *slide, vector *p) {
    contact c;
    int pushes = 0;
    for (; pushes < MAX_PUSHES && is_inside(slide, *p, NULL, &c); pushes++) *p = plus(*p, c.lift, c.normal);
    return pushes;
}

/* ---- an agent --------------------------------------------------------------------------------------------------------- */

void dun_slide_agent(const dun_slide *slide, uint32_t i) {
    const int dimensions = slide->bins->dimensions;
    const float *const *to_position = (const float *const *)slide->to_position;
    vector start = take_vector(slide->from, i, dimensions),
           velocity = take_vector((const float *const *)slide->to_velocity, i, dimensions);
    const vector step = minus(take_vector(to_position, i, dimensions), start);
    const int pushes = put_out(slide, &start);
    vector p = start;
    contact c;
    if (go(slide, &p, step, &velocity) + pushes == 0) return;
    put_vector(p, slide->to_position, i, dimensions);
    put_vector(velocity, slide->to_velocity, i, dimensions);
    if (is_inside(slide, take_vector(to_position, i, dimensions), &start, &c))
        put_vector(start, slide->to_position, i, dimensions);
}
