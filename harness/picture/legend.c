/* SPDX-License-Identifier: MIT */
/*
 * What the colours and shapes of a picture mean: a wheel of headings, and the species by name. Both stand on a plate in the
 * corner with the fewest agents. Cairo's own font draws the names, so that a picture is the same on every machine.
 */
#include "harness/picture/layers.h"

#include <math.h>

enum { MAX_ROWS = 8, WEDGES = 60 };

typedef struct legend {
    const picture_camera *camera;
    dunlin_world *world;
    const char *colour; /* as in picture_look */
    bool has_wheel;
    int rows;             /* species */
    double font;          /* pixels */
    double width, height; /* pixels, of the plate */
    double x, y;          /* pixels: its top left corner */
} legend;

static const double wheel_radius = 2.0, row_height = 1.6; /* times the font's size */

static void measure(legend *made, cairo_t *cairo) {
    double longest = 0.0;
    for (int s = 0; s < made->rows; s++) {
        cairo_text_extents_t extents;
        cairo_text_extents(cairo, dunlin_world_get_species(made->world, s).name, &extents);
        longest = fmax(longest, extents.x_advance);
    }
    double pad = 0.6 * made->font, rows_width = made->rows > 0 ? longest + 2.0 * made->font : 0.0;
    double wheel = made->has_wheel ? 2.0 * wheel_radius * made->font : 0.0;
    made->width = wheel + rows_width + (wheel > 0.0 && rows_width > 0.0 ? 3.0 : 2.0) * pad;
    made->height = fmax(wheel, made->rows * row_height * made->font) + 2.0 * pad;
}

static void place(legend *made, int corner) {
    double margin = 0.02 * fmax(made->camera->width, made->camera->height) + 0.5 * made->font;
    made->x = corner & 1 ? margin : made->camera->width - made->width - margin;
    made->y = corner & 2 ? margin : made->camera->height - made->height - margin;
}

/* The sum over the species of the share of its agents that the plate would cover: a hawk counts for more than a starling. */
static double covered(const legend *made) {
    double sum = 0.0;
    for (int s = 0; s < dunlin_world_species_count(made->world); s++) {
        dunlin_view view = dunlin_world_view(made->world, s);
        uint32_t count = 0;
        for (uint32_t i = 0; i < view.count; i++) {
            sighting agent = camera_see(made->camera, &view, i);
            double x = (double)agent.x - made->x, y = (double)agent.y - made->y;
            count += x >= 0.0 && y >= 0.0 && x < made->width && y < made->height;
        }
        if (view.count > 0) sum += (double)count / view.count;
    }
    return sum;
}

/* Of equal corners the first: bottom right, bottom left, top right, top left. */
static void choose_corner(legend *made) {
    int best = 0;
    double minimum = HUGE_VAL;
    for (int corner = 0; corner < 4 && minimum > 0.0; corner++) {
        place(made, corner);
        double sum = covered(made);
        if (sum >= minimum) continue;
        minimum = sum;
        best = corner;
    }
    place(made, best);
}

static void draw_plate(const legend *made, cairo_t *cairo) {
    colour paper = palette_paper();
    cairo_new_path(cairo);
    cairo_rectangle(cairo, made->x, made->y, made->width, made->height);
    cairo_set_source_rgba(cairo, (double)paper.red, (double)paper.green, (double)paper.blue, 0.88);
    cairo_fill_preserve(cairo);
    cairo_set_line_width(cairo, 1.0);
    cairo_set_source_rgba(cairo, 0.35, 0.33, 0.30, 0.3);
    cairo_stroke(cairo);
}

/* A ring, each part of which has the colour of the heading from the middle to it. */
static void draw_wheel(cairo_t *cairo, double x, double y, double radius) {
    const double wedge = 6.283185307179586 / WEDGES;
    cairo_set_line_width(cairo, 0.45 * radius);
    for (int i = 0; i < WEDGES; i++) {
        colour c = palette_heading((float)cos(i * wedge), (float)sin(i * wedge), 0.62f);
        cairo_set_source_rgb(cairo, (double)c.red, (double)c.green, (double)c.blue);
        cairo_new_path(cairo);
        cairo_arc(cairo, x, y, 0.775 * radius, -(i + 0.6) * wedge, -(i - 0.6) * wedge);
        cairo_stroke(cairo);
    }
}

/* The species' dart, grey where colours mean headings, and its name. */
static void draw_row(const legend *made, cairo_t *cairo, int species, double x, double y) {
    picture_style style = picture_style_of(made->world, species, made->colour);
    if (!style.by_species) style.by_value = true;
    style.length = 1.4f * (float)made->font;
    style.opacity = 1.0f;
    bool rests = dunlin_world_get_species(made->world, species).max_speed == 0.0f;
    sighting marker = {.x = (float)(x + 0.7 * made->font), .y = (float)y, .heading_x = rests ? 0.0f : 1.0f};
    picture_draw_dart(cairo, &marker, &style, false);
    cairo_set_source_rgb(cairo, 0.2, 0.19, 0.18);
    cairo_move_to(cairo, x + 2.0 * made->font, y + 0.35 * made->font);
    cairo_show_text(cairo, dunlin_world_get_species(made->world, species).name);
}

static void draw_legend(const legend *made, cairo_t *cairo) {
    double pad = 0.6 * made->font, x = made->x + pad, middle = made->y + 0.5 * made->height;
    draw_plate(made, cairo);
    if (made->has_wheel) {
        draw_wheel(cairo, x + wheel_radius * made->font, middle, wheel_radius * made->font);
        x += 2.0 * wheel_radius * made->font + pad;
    }
    for (int s = 0; s < made->rows; s++)
        draw_row(made, cairo, s, x, middle + (s + 0.5 - 0.5 * made->rows) * row_height * made->font);
}

void picture_draw_legend(cairo_t *cairo, const picture_camera *camera, dunlin_world *world, const char *look_colour) {
    int species = dunlin_world_species_count(world);
    if (species == 0 || dunlin_world_agent_count(world) == 0) return;
    picture_style style = picture_style_of(world, 0, look_colour);
    legend made = {.camera = camera, .world = world, .colour = look_colour};
    made.has_wheel = !style.by_value && !style.by_species;
    made.rows = style.by_value || species == 1 ? 0 : (species < MAX_ROWS ? species : MAX_ROWS);
    if (!made.has_wheel && made.rows == 0) return;
    made.font = fmin(fmax(0.016 * fmax(camera->width, camera->height), 8.0), 22.0);
    cairo_select_font_face(cairo, "@cairo:", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, made.font);
    measure(&made, cairo);
    if (made.width > 0.4 * camera->width || made.height > 0.4 * camera->height) return;
    choose_corner(&made);
    draw_legend(&made, cairo);
}
