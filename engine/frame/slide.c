/* SPDX-License-Identifier: MIT */
/*
 * Obstacles that block: a step is swept against all that is near, in binary64, one agent after another. Only who comes near an
 * obstacle is asked for, so this need not be fast; it has to hold.
 *
 * Every obstacle, grown by the agent's radius, is convex, and so is the gap to it: the distance from its surface, or, at a box,
 * the largest of the distances from its faces' planes. Along a straight way the gap is then never less than what its slope at
 * the start lets expect. An agent is stopped where the gap has come down to the skin. The skin is 2^-20 of the obstacle's
 * largest coordinate M. Where it is stopped, its coordinates are no larger than M and a skin, so that rounding them to binary32
 * moves it by sqrt(3)·2^-24·M at most, a ninth of the skin. From a gap below 3/4 of the skin it is moved back to the whole, so
 * rounding does not add up. What would end below 1/4 all the same does not take place. So from one step to the next gaps are at
 * least 1/4: who has less was put there, counts as inside, and is put out.
 *
 * Along a surface, slopes are only zero but for rounding: down to -1e-12 they count as such. Nobody is beside an obstacle for
 * longer than its diagonal, 2·sqrt(3)·M, which costs him 4e-12·M of gap, when a quarter of the skin is 2e-7·M. Rounding in
 * binary64 costs as little for ways that begin no further than some thousand M away.
 */
#include "engine/frame/slide.h"

#include <math.h>
#include <stddef.h>

enum { MOST_HITS = 3, MOST_PUSHES = 3 };
static const double flat = 1e-12; /* a slope that is none */
static const double never = (double)INFINITY;

/* fmin() and fmax() may choose either of two zeros. */
static double least(double a, double b) {
    return a < b ? a : b;
}

static double most(double a, double b) {
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
        largest = most(largest, most(fabs(s.a[a]), fabs(s.b[a])));
    }
    s.skin = most(0x1p-20 * (largest + s.radius), 1e-30);
    return s;
}

/* Towards the nearest face, the first of equals. */
static double gap_to_box(const solid *s, const double p[3], double normal[3]) {
    double gap = -never;
    for (int a = 0; a < s->dimensions; a++) {
        const double below = s->a[a] - s->radius - p[a], above = p[a] - s->b[a] - s->radius, more = most(below, above);
        if (more <= gap) continue;
        for (int other = 0; other < s->dimensions; other++) normal[other] = 0.0;
        normal[a] = below > above ? -1.0 : 1.0;
        gap = more;
    }
    return gap;
}

/* On the axis itself there is no way out that is shorter than others. */
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
    add_scaled(offset, -most(least(share, 1.0), 0.0), along, s->dimensions);
    const double distance = sqrt(inner(offset, offset, s->dimensions));
    if (distance > 0.0)
        for (int a = 0; a < s->dimensions; a++) normal[a] = offset[a] / distance;
    else
        any_normal(along, s->dimensions, normal);
    return distance - s->radius;
}

/* How far outside p is, negative inside; and the direction in which that grows. */
static double gap_to(const solid *s, const double p[3], double normal[3]) {
    return s->kind == DUN_SOLID_BOX ? gap_to_box(s, p, normal) : gap_to_line(s, p, normal);
}

/* ---- when a way comes to the skin of an obstacle outside of which it begins ------------------------------------------- */

/* Who is in between already is there by rounding. */
static double enter_at(double in, double out) {
    return in <= out && out >= 0.0 && in <= 1.0 ? most(in, 0.0) : never;
}

static double time_to_box(const solid *s, const double p[3], const double way[3]) {
    double in = -never, out = never;
    for (int a = 0; a < s->dimensions; a++) {
        const double low = s->a[a] - s->radius - s->skin - p[a], high = s->b[a] + s->radius + s->skin - p[a];
        if (way[a] == 0.0) {
            if (low >= 0.0 || high <= 0.0) return never;
            continue;
        }
        in = most(in, least(low / way[a], high / way[a]));
        out = least(out, most(low / way[a], high / way[a]));
    }
    return enter_at(in, out);
}

/* From the closest approach half a chord back: no large squares are subtracted. `offset` is from the middle to the way's begin.
 */
static double time_to_round(const double offset[3], const double way[3], double radius, int dimensions) {
    const double way2 = inner(way, way, dimensions);
    if (!(way2 > 0.0)) return never;
    const double middle = -inner(offset, way, dimensions) / way2;
    double closest[3] = {offset[0], offset[1], dimensions == 3 ? offset[2] : 0.0};
    add_scaled(closest, middle, way, dimensions);
    const double half2 = (radius * radius - inner(closest, closest, dimensions)) / way2;
    if (!(half2 >= 0.0)) return never;
    return enter_at(middle - sqrt(half2), middle + sqrt(half2));
}

/* Between the ends of a capsule's line: across it, it is a ball. */
static double time_to_side(const solid *s, const double from_a[3], const double way[3], double radius) {
    double along[3], offset[3], across[3];
    for (int a = 0; a < s->dimensions; a++) {
        along[a] = s->b[a] - s->a[a];
        offset[a] = from_a[a];
        across[a] = way[a];
    }
    const double length2 = inner(along, along, s->dimensions);
    if (!(length2 > 0.0)) return never;
    const double share = inner(offset, along, s->dimensions) / length2, speed = inner(way, along, s->dimensions) / length2;
    add_scaled(offset, -share, along, s->dimensions);
    add_scaled(across, -speed, along, s->dimensions);
    const double time = time_to_round(offset, across, radius, s->dimensions);
    return time <= 1.0 && share + time * speed >= 0.0 && share + time * speed <= 1.0 ? time : never;
}

static double time_to(const solid *s, const double p[3], const double way[3]) {
    if (s->kind == DUN_SOLID_BOX) return time_to_box(s, p, way);
    const double radius = s->radius + s->skin;
    double from_a[3], from_b[3];
    for (int a = 0; a < s->dimensions; a++) {
        from_a[a] = p[a] - s->a[a];
        from_b[a] = p[a] - s->b[a];
    }
    const double ends =
        least(time_to_round(from_a, way, radius, s->dimensions), time_to_round(from_b, way, radius, s->dimensions));
    return least(ends, time_to_side(s, from_a, way, radius));
}

/* ---- all that is near ------------------------------------------------------------------------------------------------- */

/* The obstacles near a straight way, in any order. */
typedef struct search {
    const dun_obstacle_bins *bins;
    double low[3], high[3];
    dun_box_walk walk;
} search;

static search search_along(const dun_slide *slide, const double p[3], const double way[3]) {
    search s = {.bins = slide->bins, .walk = dun_walk_boxes(slide->bins)};
    const double by = (double)slide->radius * (double)DUN_RADIUS_SLACK;
    for (int a = 0; a < slide->bins->dimensions; a++) {
        s.low[a] = least(p[a], p[a] + way[a]) - by;
        s.high[a] = most(p[a], p[a] + way[a]) + by;
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

/* ---- going ------------------------------------------------------------------------------------------------------------ */

typedef struct contact {
    double time;
    uint32_t number; /* of the obstacle, as it was added */
    double normal[3];
    double lift; /* by which the way has to lead away from it */
} contact;

/* Who is inside is not hindered. */
static bool meets(const solid *s, const double p[3], const double way[3], contact *c) {
    const double gap = gap_to(s, p, c->normal), level = -flat * sqrt(inner(way, way, s->dimensions));
    if (gap < 0.125 * s->skin) return false;
    c->time = 0.0;
    c->lift = gap < 0.75 * s->skin ? s->skin - gap : 0.0;
    if (gap <= s->skin) return inner(way, c->normal, s->dimensions) < 0.5 * c->lift + level;
    c->time = time_to(s, p, way);
    if (c->time > 1.0) return false;
    double there[3] = {p[0], p[1], s->dimensions == 3 ? p[2] : 0.0};
    add_scaled(there, c->time, way, s->dimensions);
    gap_to(s, there, c->normal);
    return inner(way, c->normal, s->dimensions) < level;
}

static bool first_contact(const dun_slide *slide, const double p[3], const double way[3], contact *first) {
    search s = search_along(slide, p, way);
    bool any = false;
    uint32_t k;
    while (next_obstacle(&s, &k)) {
        const solid o = grown(slide->bins, k, slide->radius);
        contact c = {.number = slide->bins->number[k]};
        if (!meets(&o, p, way, &c)) continue;
        if (any && (c.time > first->time || (c.time == first->time && c.number > first->number))) continue;
        *first = c;
        any = true;
    }
    return any;
}

/* Stops, slides, at most so often. */
static int go(const dun_slide *slide, double p[3], double way[3], double velocity[3]) {
    const int dimensions = slide->bins->dimensions;
    contact c;
    int hits = 0;
    for (; first_contact(slide, p, way, &c); hits++) {
        if (hits == MOST_HITS) return hits;
        add_scaled(p, c.time, way, dimensions);
        for (int a = 0; a < dimensions; a++) way[a] *= 1.0 - c.time;
        add_scaled(way, c.lift - inner(way, c.normal, dimensions), c.normal, dimensions);
        add_scaled(velocity, most(-inner(velocity, c.normal, dimensions), 0.0), c.normal, dimensions);
    }
    add_scaled(p, 1.0, way, dimensions);
    return hits;
}

/* ---- inside ----------------------------------------------------------------------------------------------------------- */

/* The first that p is inside of. What holds `start` does not count, where there is one. */
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
    for (; pushes < MOST_PUSHES && is_inside(slide, p, NULL, &c); pushes++)
        add_scaled(p, c.lift, c.normal, slide->bins->dimensions);
    return pushes;
}

/* ---- an agent --------------------------------------------------------------------------------------------------------- */

static void place_agent(const dun_slide *slide, uint32_t i, const double p[3]) {
    for (int a = 0; a < slide->bins->dimensions; a++) slide->to_position[a][i] = (float)p[a];
}

void dun_slide_agent(const dun_slide *slide, uint32_t i) {
    const int dimensions = slide->bins->dimensions;
    double start[3], p[3], way[3], velocity[3];
    contact c;
    for (int a = 0; a < dimensions; a++) {
        start[a] = p[a] = (double)slide->from[a][i];
        way[a] = (double)slide->to_position[a][i] - start[a];
        velocity[a] = (double)slide->to_velocity[a][i];
    }
    const int pushes = put_out(slide, start);
    for (int a = 0; a < dimensions; a++) p[a] = start[a];
    if (go(slide, p, way, velocity) + pushes == 0) return;
    place_agent(slide, i, p);
    for (int a = 0; a < dimensions; a++) {
        slide->to_velocity[a][i] = (float)velocity[a];
        p[a] = (double)slide->to_position[a][i];
    }
    if (is_inside(slide, p, start, &c)) place_agent(slide, i, start);
}
