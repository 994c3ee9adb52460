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
#include "engine/frame/slide.h"

#include <math.h>
#include <stddef.h>

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

/* ---- one obstacle, grown ---------------------------------------------------------------------------------------------- */

typedef struct solid {
    dun_solid kind;
    int dimensions;
    double a[3], b[3], radius;
    double skin;
} solid;

static double inner(const double a[3], const double b[3], int dimensions) {
    double sum = 0.0;
    for (int axis = 0; axis < dimensions; axis++) sum += a[axis] * b[axis];
    return sum;
}

static void add_scaled(double to[3], double scale, const double by[3], int dimensions) {
    for (int a = 0; a < dimensions; a++) to[a] += scale * by[a];
}

static solid grown(const dun_obstacle_bins *bins, uint32_t k, float by) {
    solid s = {
        .kind = (dun_solid)bins->solid[k], .dimensions = bins->dimensions, .radius = (double)bins->radius[k] + (double)by};
    double largest = 0.0;
    for (int a = 0; a < s.dimensions; a++) {
        s.a[a] = (double)bins->a[a][k];
        s.b[a] = (double)bins->b[a][k];
        largest = max_double(largest, max_double(fabs(s.a[a]), fabs(s.b[a])));
    }
    s.skin = max_double(0x1p-20 * (largest + s.radius), 1e-30);
    return s;
}

/* The normal is that of the nearest face, the first of equals. */
static double gap_to_box(const solid *s, const double p[3], double normal[3]) {
    double gap = -never;
    for (int a = 0; a < s->dimensions; a++) {
        const double below = s->a[a] - s->radius - p[a], above = p[a] - s->b[a] - s->radius, more = max_double(below, above);
        if (more <= gap) continue;
        for (int other = 0; other < s->dimensions; other++) normal[other] = 0.0;
        normal[a] = below > above ? -1.0 : 1.0;
        gap = more;
    }
    return gap;
}

/* On the axis itself all ways out are equally short. */
static void any_normal(const double along[3], int dimensions, double normal[3]) {
    normal[0] = -along[1];
    normal[1] = along[0];
    if (dimensions == 3) {
        const bool flatter = fabs(along[2]) < fabs(along[0]);
        normal[0] = flatter ? -along[1] : 0.0;
        normal[1] = flatter ? along[0] : -along[2];
        normal[2] = flatter ? 0.0 : along[1];
    }
    double length = sqrt(inner(normal, normal, dimensions));
    if (length == 0.0) normal[0] = length = 1.0;
    for (int a = 0; a < dimensions; a++) normal[a] /= length;
}

static double gap_to_line(const solid *s, const double p[3], double normal[3]) {
    double along[3] = {0}, offset[3];
    for (int a = 0; a < s->dimensions; a++) {
        along[a] = s->b[a] - s->a[a];
        offset[a] = p[a] - s->a[a];
    }
    const double length2 = inner(along, along, s->dimensions);
    const double share = length2 > 0.0 ? inner(offset, along, s->dimensions) / length2 : 0.0;
    add_scaled(offset, -max_double(min_double(share, 1.0), 0.0), along, s->dimensions);
    const double distance = sqrt(inner(offset, offset, s->dimensions));
    if (distance > 0.0)
        for (int a = 0; a < s->dimensions; a++) normal[a] = offset[a] / distance;
    else
        any_normal(along, s->dimensions, normal);
    return distance - s->radius;
}

/* How far outside p is, negative inside, and the direction in which that grows. */
static double gap_to(const solid *s, const double p[3], double normal[3]) {
    return s->kind == DUN_SOLID_BOX ? gap_to_box(s, p, normal) : gap_to_line(s, p, normal);
}

/* ---- when a step that begins outside comes to the skin ------------------------------------------- */

/* A step that begins in between is there by rounding. */
static double enter_at(double in, double out) {
    return in <= out && out >= 0.0 && in <= 1.0 ? max_double(in, 0.0) : never;
}

static double time_to_box(const solid *s, const double p[3], const double step[3]) {
    double in = -never, out = never;
    for (int a = 0; a < s->dimensions; a++) {
        const double low = s->a[a] - s->radius - s->skin - p[a], high = s->b[a] + s->radius + s->skin - p[a];
        if (step[a] == 0.0) {
            if (low >= 0.0 || high <= 0.0) return never;
            continue;
        }
        in = max_double(in, min_double(low / step[a], high / step[a]));
        out = min_double(out, max_double(low / step[a], high / step[a]));
    }
    return enter_at(in, out);
}

/* Half a chord back from the closest approach: no large squares are subtracted. `offset`: the step's begin, from the middle. */
static double time_to_round(const double offset[3], const double step[3], double radius, int dimensions) {
    const double step2 = inner(step, step, dimensions);
    if (!(step2 > 0.0)) return never;
    const double middle = -inner(offset, step, dimensions) / step2;
    double closest[3] = {offset[0], offset[1], dimensions == 3 ? offset[2] : 0.0};
    add_scaled(closest, middle, step, dimensions);
    const double half2 = (radius * radius - inner(closest, closest, dimensions)) / step2;
    if (!(half2 >= 0.0)) return never;
    return enter_at(middle - sqrt(half2), middle + sqrt(half2));
}

/* Between the ends of a capsule's line, which is a ball in cross-section. */
static double time_to_side(const solid *s, const double from_a[3], const double step[3], double radius) {
    double along[3], offset[3], across[3];
    for (int a = 0; a < s->dimensions; a++) {
        along[a] = s->b[a] - s->a[a];
        offset[a] = from_a[a];
        across[a] = step[a];
    }
    const double length2 = inner(along, along, s->dimensions);
    if (!(length2 > 0.0)) return never;
    const double share = inner(offset, along, s->dimensions) / length2, speed = inner(step, along, s->dimensions) / length2;
    add_scaled(offset, -share, along, s->dimensions);
    add_scaled(across, -speed, along, s->dimensions);
    const double time = time_to_round(offset, across, radius, s->dimensions);
    return time <= 1.0 && share + time * speed >= 0.0 && share + time * speed <= 1.0 ? time : never;
}

static double time_to(const solid *s, const double p[3], const double step[3]) {
    if (s->kind == DUN_SOLID_BOX) return time_to_box(s, p, step);
    const double radius = s->radius + s->skin;
    double from_a[3], from_b[3];
    for (int a = 0; a < s->dimensions; a++) {
        from_a[a] = p[a] - s->a[a];
        from_b[a] = p[a] - s->b[a];
    }
    const double ends =
        min_double(time_to_round(from_a, step, radius, s->dimensions), time_to_round(from_b, step, radius, s->dimensions));
    return min_double(ends, time_to_side(s, from_a, step, radius));
}

/* ---- obstacles nearby ------------------------------------------------------------------------------------------------- */

/* A search for the obstacles near a straight step, in any order. */
typedef struct search {
    const dun_obstacle_bins *bins;
    double low[3], high[3];
    dun_box_walk walk;
} search;

static search search_along(const dun_slide *slide, const double p[3], const double step[3]) {
    search s = {.bins = slide->bins, .walk = dun_walk_boxes(slide->bins)};
    const double by = (double)slide->radius * (double)DUN_RADIUS_SLACK;
    for (int a = 0; a < slide->bins->dimensions; a++) {
        s.low[a] = min_double(p[a], p[a] + step[a]) - by;
        s.high[a] = max_double(p[a], p[a] + step[a]) + by;
    }
    return s;
}

static bool comes_to(const search *s, uint32_t box) {
    const dun_boxes *boxes = &s->bins->boxes[s->walk.level];
    bool comes = true;
    for (int a = 0; a < s->bins->dimensions; a++)
        comes = comes && s->low[a] <= (double)boxes->max[a][box] && (double)boxes->min[a][box] <= s->high[a];
    return comes;
}

static bool next_obstacle(search *s, uint32_t *k) {
    while (dun_next_box(s->bins, &s->walk, k)) {
        if (!comes_to(s, *k)) continue;
        if (s->walk.level == 0) return true;
        dun_enter_box(s->bins, &s->walk, *k);
    }
    return false;
}

/* ---- the step --------------------------------------------------------------------------------------------------------- */

typedef struct contact {
    double time;
    uint32_t number; /* of the obstacle, in the order of adding */
    double normal[3];
    double lift; /* how far the step must lead away from it */
} contact;

/* An obstacle does not stop an agent that is inside. */
static bool meets(const solid *s, const double p[3], const double step[3], contact *c) {
    const double gap = gap_to(s, p, c->normal), level = -flat * sqrt(inner(step, step, s->dimensions));
    if (gap < 0.125 * s->skin) return false;
    c->time = 0.0;
    c->lift = gap < 0.75 * s->skin ? s->skin - gap : 0.0;
    if (gap <= s->skin) return inner(step, c->normal, s->dimensions) < 0.5 * c->lift + level;
    c->time = time_to(s, p, step);
    if (c->time > 1.0) return false;
    double there[3] = {p[0], p[1], s->dimensions == 3 ? p[2] : 0.0};
    add_scaled(there, c->time, step, s->dimensions);
    gap_to(s, there, c->normal);
    return inner(step, c->normal, s->dimensions) < level;
}

static bool first_contact(const dun_slide *slide, const double p[3], const double step[3], contact *first) {
    search s = search_along(slide, p, step);
    bool any = false;
    uint32_t k;
    while (next_obstacle(&s, &k)) {
        const solid o = grown(slide->bins, k, slide->radius);
        contact c = {.number = slide->bins->number[k]};
        if (!meets(&o, p, step, &c)) continue;
        if (any && (c.time > first->time || (c.time == first->time && c.number > first->number))) continue;
        *first = c;
        any = true;
    }
    return any;
}

/* Stops and slides, at most MAX_HITS times. Returns how often. */
static int go(const dun_slide *slide, double p[3], double step[3], double velocity[3]) {
    const int dimensions = slide->bins->dimensions;
    contact c;
    int hits = 0;
    for (; first_contact(slide, p, step, &c); hits++) {
        if (hits == MAX_HITS) return hits;
        add_scaled(p, c.time, step, dimensions);
        for (int a = 0; a < dimensions; a++) step[a] *= 1.0 - c.time;
        add_scaled(step, c.lift - inner(step, c.normal, dimensions), c.normal, dimensions);
        add_scaled(velocity, max_double(-inner(velocity, c.normal, dimensions), 0.0), c.normal, dimensions);
    }
    add_scaled(p, 1.0, step, dimensions);
    return hits;
}

/* ---- inside ----------------------------------------------------------------------------------------------------------- */

/* Finds the first obstacle that p is inside. One that holds `start`, which may be NULL, does not count. */
static bool is_inside(const dun_slide *slide, const double p[3], const double *start, contact *first) {
    static const double nowhere[3] = {0};
    search s = search_along(slide, p, nowhere);
    double normal[3];
    bool any = false;
    uint32_t k;
    while (next_obstacle(&s, &k)) {
        const solid o = grown(slide->bins, k, slide->radius);
        contact c = {.number = slide->bins->number[k]};
        const double gap = gap_to(&o, p, c.normal);
        if (gap >= 0.25 * o.skin || (any && c.number > first->number)) continue;
        if (start && gap_to(&o, start, normal) < 0.125 * o.skin) continue;
        c.lift = o.skin - gap;
        *first = c;
        any = true;
    }
    return any;
}

static int put_out(const dun_slide *slide, double p[3]) {
    contact c;
    int pushes = 0;
    for (; pushes < MAX_PUSHES && is_inside(slide, p, NULL, &c); pushes++)
        add_scaled(p, c.lift, c.normal, slide->bins->dimensions);
    return pushes;
}

/* ---- an agent --------------------------------------------------------------------------------------------------------- */

static void place_agent(const dun_slide *slide, uint32_t i, const double p[3]) {
    for (int a = 0; a < slide->bins->dimensions; a++) slide->to_position[a][i] = (float)p[a];
}

void dun_slide_agent(const dun_slide *slide, uint32_t i) {
    const int dimensions = slide->bins->dimensions;
    double start[3], p[3], step[3], velocity[3];
    contact c;
    for (int a = 0; a < dimensions; a++) {
        start[a] = p[a] = (double)slide->from[a][i];
        step[a] = (double)slide->to_position[a][i] - start[a];
        velocity[a] = (double)slide->to_velocity[a][i];
    }
    const int pushes = put_out(slide, start);
    for (int a = 0; a < dimensions; a++) p[a] = start[a];
    if (go(slide, p, step, velocity) + pushes == 0) return;
    place_agent(slide, i, p);
    for (int a = 0; a < dimensions; a++) {
        slide->to_velocity[a][i] = (float)velocity[a];
        p[a] = (double)slide->to_position[a][i];
    }
    if (is_inside(slide, p, start, &c)) place_agent(slide, i, start);
}
