/* SPDX-License-Identifier: MIT */
/* What agents steer by besides each other: targets, walls, paths, fields and obstacles, drawn below the agents in grey. */
#include "harness/picture/layers.h"

#include <math.h>

static const double full_turn = 6.283185307179586;

static double line_width(const picture_camera *camera) {
    return fmax(1.0, 0.0012 * fmax(camera->width, camera->height));
}

static void see_point(const picture_camera *camera, const float at[3], double *x, double *y) {
    camera_point(camera, (double[3]){(double)at[0], (double)at[1], (double)at[2]}, x, y);
}

/* Also begins a path. */
static void line_to(cairo_t *cairo, const picture_camera *camera, const float at[3]) {
    double x, y;
    see_point(camera, at, &x, &y);
    cairo_line_to(cairo, x, y);
}

/* How many pixels long that many world units are at a point. */
static double pixels_at(const picture_camera *camera, const float at[3], float units) {
    double x, y, x2, y2;
    const float beside[3] = {at[0] + units * (float)camera->right[0], at[1] + units * (float)camera->right[1],
                             at[2] + units * (float)camera->right[2]};
    see_point(camera, at, &x, &y);
    see_point(camera, beside, &x2, &y2);
    return hypot(x2 - x, y2 - y);
}

/* `dash` and `gap` are times the width of a line. */
static void stroke_dashed(cairo_t *cairo, const picture_camera *camera, double dash, double gap, double opacity) {
    const double dashes[] = {dash * line_width(camera), gap * line_width(camera)};
    cairo_set_dash(cairo, dashes, 2, 0.0);
    picture_set_ink(cairo, opacity);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0.0);
}

/* ---- targets ---------------------------------------------------------------------------------------------------------- */

enum { RING_POINTS = 120 };

/* A level ring of that radius; in space it is the equator of a ball, whose outline is drawn too. */
static void draw_reach(cairo_t *cairo, const picture_camera *camera, const float at[3], float radius) {
    if (!isfinite(radius)) return;
    cairo_new_path(cairo);
    for (int i = 0; i < RING_POINTS; i++) {
        const float angle = (float)(i * full_turn / RING_POINTS);
        line_to(cairo, camera, (float[3]){at[0] + radius * cosf(angle), at[1] + radius * sinf(angle), at[2]});
    }
    cairo_close_path(cairo);
    if (camera->dimensions == 3) {
        double x, y;
        see_point(camera, at, &x, &y);
        cairo_new_sub_path(cairo);
        cairo_arc(cairo, x, y, pixels_at(camera, at, radius), 0.0, full_turn);
    }
    stroke_dashed(cairo, camera, 4.0, 4.0, 0.45);
}

/* A ring with a cross through it. */
static void draw_mark(cairo_t *cairo, const picture_camera *camera, const float at[3]) {
    double x, y, radius = 0.008 * fmax(camera->width, camera->height), arm = 1.6 * radius;
    see_point(camera, at, &x, &y);
    cairo_new_path(cairo);
    cairo_arc(cairo, x, y, radius, 0.0, full_turn);
    cairo_new_sub_path(cairo);
    cairo_move_to(cairo, x - arm, y);
    cairo_line_to(cairo, x + arm, y);
    cairo_move_to(cairo, x, y - arm);
    cairo_line_to(cairo, x, y + arm);
    picture_set_ink(cairo, 0.9);
    cairo_stroke(cairo);
}

/* A target that is an agent has no mark, since the agent is drawn. The nearest agent and the centre differ for each agent. */
static void draw_target(cairo_t *cairo, const picture_camera *camera, dunlin_world *world, const dunlin_behaviour_def *def) {
    if (def->target.kind != DUNLIN_TARGET_POINT && def->target.kind != DUNLIN_TARGET_AGENT) return;
    float at[3] = {def->target.position[0], def->target.position[1], def->target.position[2]};
    if (def->target.kind == DUNLIN_TARGET_AGENT) {
        dunlin_slot slot = dunlin_world_find_agent(world, def->target.agent);
        if (slot.species < 0) return;
        dunlin_view view = dunlin_world_view(world, slot.species);
        for (int a = 0; a < camera->dimensions; a++) at[a] = view.position[a][slot.index];
    }
    draw_reach(cairo, camera, at, def->radius);
    if (def->kind == DUNLIN_BEHAVIOUR_ARRIVE) draw_reach(cairo, camera, at, def->slowing_radius);
    if (def->target.kind == DUNLIN_TARGET_POINT) draw_mark(cairo, camera, at);
}

/* ---- walls ------------------------------------------------------------------------------------------------------------ */

/* The edges of the box beyond which agents turn. An axis without walls has no sides. */
static void draw_walls(cairo_t *cairo, const picture_camera *camera, const dunlin_contain *contain) {
    double low[3], high[3];
    int walls = 0; /* the axes that have some */
    for (int a = 0; a < camera->dimensions; a++) {
        low[a] = (double)(contain->min[a] + fmaxf(contain->margin[a], 0.0f));
        high[a] = (double)(contain->max[a] - fmaxf(contain->margin[a], 0.0f));
        walls |= (contain->margin[a] >= 0.0f) << a;
    }
    for (int axis = 0; axis < camera->dimensions; axis++) {
        for (int corner = 0; corner < 1 << camera->dimensions; corner++)
            if (walls & ~(1 << axis)) picture_trace_edge(cairo, camera, low, high, corner, axis);
    }
    stroke_dashed(cairo, camera, 8.0, 6.0, 0.6);
}

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

/* Lit from above in space; flat in the plane. */
static void fill_ball(cairo_t *cairo, const picture_camera *camera, const dunlin_obstacle_def *ball) {
    double x, y, radius = pixels_at(camera, ball->a, ball->radius);
    see_point(camera, ball->a, &x, &y);
    cairo_pattern_t *light = cairo_pattern_create_radial(x - 0.3 * radius, y - 0.4 * radius, 0.1 * radius, x - 0.1 * radius,
                                                         y - 0.1 * radius, 1.1 * radius);
    cairo_pattern_add_color_stop_rgba(light, 0.0, 0.75, 0.73, 0.70, 0.5);
    cairo_pattern_add_color_stop_rgba(light, 1.0, 0.35, 0.33, 0.30, 0.6);
    if (camera->dimensions == 3) cairo_set_source(cairo, light);
    cairo_pattern_destroy(light);
    cairo_arc(cairo, x, y, radius, 0.0, full_turn);
    cairo_fill(cairo);
}

static void stroke_capsule(cairo_t *cairo, const picture_camera *camera, const dunlin_obstacle_def *capsule) {
    double across = pixels_at(camera, capsule->a, capsule->radius) + pixels_at(camera, capsule->b, capsule->radius);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cairo, fmax(across, 2.0 * line_width(camera)));
    line_to(cairo, camera, capsule->a);
    line_to(cairo, camera, capsule->b);
    cairo_stroke(cairo);
    cairo_set_line_width(cairo, line_width(camera));
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
}

/* The face of a box that lies across an axis, at its minimum or maximum. */
static void trace_face(cairo_t *cairo, const picture_camera *camera, const dunlin_obstacle_def *box, int axis, bool at_max) {
    static const bool corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    cairo_new_path(cairo);
    for (int i = 0; i < 4; i++) {
        float at[3];
        at[axis] = at_max ? box->b[axis] : box->a[axis];
        for (int k = 1; k < 3; k++) at[(axis + k) % 3] = corners[i][k - 1] ? box->b[(axis + k) % 3] : box->a[(axis + k) % 3];
        line_to(cairo, camera, at);
    }
    cairo_close_path(cairo);
}

/* In space all six faces are drawn, so that the box looks like glass; in the plane the one across z. */
static void fill_box(cairo_t *cairo, const picture_camera *camera, const dunlin_obstacle_def *box) {
    bool flat = camera->dimensions == 2;
    for (int face = flat ? 4 : 0; face < (flat ? 5 : 6); face++) {
        trace_face(cairo, camera, box, face / 2, face % 2);
        picture_set_ink(cairo, flat ? 0.45 : 0.10 + 0.06 * (face / 2));
        cairo_fill_preserve(cairo);
        picture_set_ink(cairo, 0.35);
        cairo_stroke(cairo);
    }
}

static void draw_obstacles(cairo_t *cairo, const picture_camera *camera, const dunlin_world *world) {
    dunlin_obstacle_view view = dunlin_world_obstacle_view(world);
    for (uint32_t i = 0; i < view.count; i++) {
        const dunlin_obstacle_def *obstacle = &view.obstacles[i];
        cairo_new_path(cairo);
        picture_set_ink(cairo, 0.45);
        if (obstacle->shape == DUNLIN_OBSTACLE_BOX) fill_box(cairo, camera, obstacle);
        if (obstacle->shape == DUNLIN_OBSTACLE_BALL) fill_ball(cairo, camera, obstacle);
        if (obstacle->shape == DUNLIN_OBSTACLE_CAPSULE) stroke_capsule(cairo, camera, obstacle);
    }
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

static void trace_path(cairo_t *cairo, const picture_camera *camera, const dunlin_path_def *path) {
    cairo_new_path(cairo);
    for (uint32_t i = 0; i < path->count; i++) {
        float at[3] = {0.0f};
        for (int a = 0; a < camera->dimensions; a++) at[a] = path->points[a][i];
        line_to(cairo, camera, at);
    }
    if (path->closed) cairo_close_path(cairo);
}

/* A band as wide as agents may stray without a force, with a line along its middle. */
static void draw_path(cairo_t *cairo, const picture_camera *camera, const dunlin_world *world, const dunlin_follow *follow) {
    dunlin_path_def path = dunlin_world_get_path(world, follow->path);
    trace_path(cairo, camera, &path);
    if (camera->dimensions == 2) {
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_width(cairo, 2.0 * (double)follow->radius * camera->scale);
        picture_set_ink(cairo, 0.12);
        cairo_stroke_preserve(cairo);
        cairo_set_line_width(cairo, line_width(camera));
    }
    picture_set_ink(cairo, 0.6);
    cairo_stroke(cairo);
}

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

enum { MAX_ARROWS_2D = 48, MAX_ARROWS_3D = 7 }; /* along an axis: of a finer field every second, third, … cell has one */

/* A behaviour that reads a field. `strength` is the force of a vector of length 1; flow reads directions alone. */
typedef struct field_use {
    dunlin_field_view field;
    float strength;
    bool reads_length;
    size_t cells;
    int stride[3];
    double cell[3]; /* world units */
} field_use;

/* Traces are drawn by themselves. */
static bool reads_field(const dunlin_world *world, const dunlin_behaviour_def *def) {
    bool reads = def->kind == DUNLIN_BEHAVIOUR_FLOW || def->kind == DUNLIN_BEHAVIOUR_WIND;
    for (int t = 0; t < dunlin_world_trace_count(world) && reads; t++)
        reads = dunlin_world_get_trace(world, t).field != def->flow.field;
    return reads;
}

static field_use field_use_of(dunlin_world *world, const dunlin_behaviour_def *def) {
    field_use made = {.field = dunlin_world_field_view(world, def->flow.field),
                      .strength = def->negate_force ? -def->weight : def->weight,
                      .reads_length = def->kind == DUNLIN_BEHAVIOUR_WIND,
                      .cells = 1};
    int dimensions = dunlin_world_get_def(world).dimensions, most = dimensions == 2 ? MAX_ARROWS_2D : MAX_ARROWS_3D;
    float limit = def->max_force < 0.0f ? dunlin_world_get_species(world, def->species).max_force : def->max_force;
    if (!made.reads_length) made.strength *= limit;
    for (int a = 0; a < 3; a++) {
        int cells = a < dimensions ? made.field.cells[a] : 1;
        made.cells *= (size_t)cells;
        made.stride[a] = (cells - 1) / most + 1;
        made.cell[a] = a < dimensions ? ((double)made.field.max[a] - (double)made.field.min[a]) / cells : HUGE_VAL;
    }
    return made;
}

/* The force in a cell, and its length; 0 where there is none. */
static double force_in(const field_use *use, size_t cell, double force[3]) {
    double length = 0.0;
    for (int a = 0; a < 3 && use->field.vectors[a]; a++) length = hypot(length, (double)use->field.vectors[a][cell]);
    if (!isfinite(length) || length == 0.0) return 0.0;
    double factor = (double)use->strength / (use->reads_length ? 1.0 : length);
    for (int a = 0; a < 3 && use->field.vectors[a]; a++) force[a] = factor * (double)use->field.vectors[a][cell];
    return fabs(factor * length);
}

/* World units of arrow per unit of force: one scale for all fields of a picture, at which no arrow leaves its cell. */
static double arrow_scale(dunlin_world *world, int dimensions) {
    double max_force = 0.0, room = HUGE_VAL;
    for (int i = 0; i < dunlin_world_behaviour_count(world); i++) {
        dunlin_behaviour_def def = dunlin_world_get_behaviour(world, i);
        if (!reads_field(world, &def)) continue;
        field_use use = field_use_of(world, &def);
        for (size_t cell = 0; cell < use.cells; cell++) max_force = fmax(max_force, force_in(&use, cell, (double[3]){0.0}));
        for (int a = 0; a < dimensions; a++) room = fmin(room, 0.8 * use.cell[a] * use.stride[a]);
    }
    return max_force > 0.0 ? room / max_force : 0.0;
}

static void draw_arrow(cairo_t *cairo, const picture_camera *camera, const double middle[3], const double along[3]) {
    double ends[2][3], x, y, tip_x, tip_y;
    for (int a = 0; a < 3; a++) {
        ends[0][a] = middle[a] - 0.5 * along[a];
        ends[1][a] = middle[a] + 0.5 * along[a];
    }
    camera_point(camera, ends[0], &x, &y);
    camera_point(camera, ends[1], &tip_x, &tip_y);
    double dx = tip_x - x, dy = tip_y - y;
    if (hypot(dx, dy) < 1.0) return;
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, tip_x, tip_y);
    for (int side = -1; side <= 1; side += 2) {
        cairo_move_to(cairo, tip_x, tip_y);
        cairo_rel_line_to(cairo, -0.28 * (dx + 0.6 * side * dy), -0.28 * (dy - 0.6 * side * dx));
    }
}

static void draw_field(cairo_t *cairo, const picture_camera *camera, const field_use *use, double scale) {
    int dimensions = camera->dimensions, at[3];
    cairo_new_path(cairo);
    for (size_t cell = 0; cell < use->cells; cell++) {
        size_t rest = cell;
        bool is_drawn = true;
        double middle[3] = {0.0}, along[3] = {0.0};
        for (int a = 0; a < dimensions; a++) {
            at[a] = (int)(rest % (size_t)use->field.cells[a]);
            rest /= (size_t)use->field.cells[a];
            is_drawn = is_drawn && at[a] % use->stride[a] == use->stride[a] / 2;
            middle[a] = (double)use->field.min[a] + (at[a] + 0.5) * use->cell[a];
        }
        if (!is_drawn || force_in(use, cell, along) == 0.0) continue;
        for (int a = 0; a < 3; a++) along[a] *= scale;
        draw_arrow(cairo, camera, middle, along);
    }
    picture_set_ink(cairo, dimensions == 2 ? 0.35 : 0.25);
    cairo_stroke(cairo);
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

static void draw_behaviour(cairo_t *cairo, const picture_camera *camera, dunlin_world *world, const dunlin_behaviour_def *def,
                           double scale) {
    if (def->kind == DUNLIN_BEHAVIOUR_FOLLOW_PATH) draw_path(cairo, camera, world, &def->follow);
    if (reads_field(world, def)) {
        field_use use = field_use_of(world, def);
        draw_field(cairo, camera, &use, scale);
    }
    if (picture_aims(def)) draw_target(cairo, camera, world, def);
    if (def->kind == DUNLIN_BEHAVIOUR_CONTAIN) draw_walls(cairo, camera, &def->contain);
}

/* A behaviour that a schedule has turned off moves no agent, so it has no mark either. */
void picture_draw_scenery(cairo_t *cairo, const picture_camera *camera, dunlin_world *world) {
    double scale = arrow_scale(world, camera->dimensions);
    cairo_set_line_width(cairo, line_width(camera));
    draw_obstacles(cairo, camera, world);
    for (int i = 0; i < dunlin_world_behaviour_count(world); i++) {
        dunlin_behaviour_def def = dunlin_world_get_behaviour(world, i);
        if (def.weight != 0.0f) draw_behaviour(cairo, camera, world, &def, scale);
    }
}
