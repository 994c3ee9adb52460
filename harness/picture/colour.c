/* SPDX-License-Identifier: MIT */
#include "harness/picture/layers.h"
#include "harness/picture/picture.h"

#include <math.h>
#include <string.h>

/* The species' attribute of that role, or -1. */
static int attribute_of(const dunlin_world *world, int species, dunlin_role role) {
    for (int i = 0; i < dunlin_world_attribute_count(world, species); i++)
        if (dunlin_world_get_attribute(world, species, i).role == role) return i;
    return -1;
}

/* Whether agents belong to groups by attributes of that name. */
static bool says_groups(const dunlin_world *world, const char *attribute) {
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const int group = attribute_of(world, s, DUNLIN_ROLE_GROUP);
        if (group >= 0 && group == dunlin_world_find_attribute(world, s, attribute)) return true;
    }
    return false;
}

/* The attribute's column, or NULL where the species has no attribute of that name. Bodies look like their groups. */
static const float *values_of(const dunlin_world *world, int species, const char *attribute) {
    int number = dunlin_world_find_attribute(world, species, attribute);
    if (number < 0 && says_groups(world, attribute)) number = attribute_of(world, species, DUNLIN_ROLE_BODY);
    return number < 0 ? NULL : dunlin_world_view(world, species).attribute[number];
}

/* Lightness distinguishes two species, but no more. */
static bool is_by_species(const dunlin_world *world, const char *look_colour) {
    return look_colour ? strcmp(look_colour, "species") == 0 : dunlin_world_species_count(world) > 2;
}

bool picture_names_attribute(const char *look_colour) {
    return look_colour && strcmp(look_colour, "heading") != 0 && strcmp(look_colour, "species") != 0;
}

picture_style picture_style_of(const dunlin_world *world, int species, const char *look_colour) {
    const bool by_species = is_by_species(world, look_colour);
    picture_style made = {.species = species, .lightness = by_species || species % 2 == 0 ? 0.62f : 0.50f};
    if (by_species) {
        made.colouring = PICTURE_BY_SPECIES;
        made.own = palette_species(species, made.lightness);
    } else if (picture_names_attribute(look_colour)) {
        made.values = values_of(world, species, look_colour);
        made.colouring = !made.values ? PICTURE_GREY : says_groups(world, look_colour) ? PICTURE_BY_GROUP : PICTURE_BY_VALUE;
    }
    return made;
}

bool picture_shows_values(const dunlin_world *world, const picture_look *look) {
    return picture_names_attribute(look->colour) && !says_groups(world, look->colour);
}

picture_range picture_range_of(const dunlin_world *world, const picture_look *look) {
    picture_range made = {INFINITY, -INFINITY};
    if (!picture_shows_values(world, look)) return made;
    if (look->has_range) return look->range;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const float *values = values_of(world, s, look->colour);
        const uint32_t count = values ? dunlin_world_view(world, s).count : 0;
        for (uint32_t i = 0; i < count; i++) {
            made.low = fminf(made.low, values[i]);
            made.high = fmaxf(made.high, values[i]);
        }
    }
    return made;
}

void picture_set_source(cairo_t *cairo, colour c, float opacity) {
    cairo_set_source_rgba(cairo, (double)c.red, (double)c.green, (double)c.blue, (double)opacity);
}

void picture_set_ink(cairo_t *cairo, double opacity) {
    cairo_set_source_rgba(cairo, 0.35, 0.33, 0.30, opacity);
}

void picture_trace_edge(cairo_t *cairo, const picture_camera *camera, const double low[3], const double high[3], int corner,
                        int axis) {
    double at[3] = {0.0}, x, y;
    if (corner >> axis & 1) return;
    for (int a = 0; a < camera->dimensions; a++) at[a] = corner >> a & 1 ? high[a] : low[a];
    camera_point(camera, at, &x, &y);
    cairo_move_to(cairo, x, y);
    at[axis] = high[axis];
    camera_point(camera, at, &x, &y);
    cairo_line_to(cairo, x, y);
}

/* ---- palettes --------------------------------------------------------------------------------------------------------- */

/* Green, blue, red, violet, gold, cyan: no two of the first three look alike to people who are colour-blind. */
oklab palette_species(int species, float lightness) {
    static const float hues[6] = {2.53f, 4.45f, 0.60f, 5.60f, 1.48f, 3.49f}; /* radians in OKLCH */
    float hue = hues[species % 6];
    return (oklab){lightness, 0.15f * cosf(hue), 0.15f * sinf(hue)};
}

typedef struct swatches {
    uint32_t *colours;
    int count;
} swatches;

enum { PALETTE = 256 };

static uint32_t pixel_of(colour c) {
    const uint32_t red = (uint32_t)(255.0f * c.red + 0.5f), green = (uint32_t)(255.0f * c.green + 0.5f);
    return 0xff000000u | red << 16 | green << 8 | (uint32_t)(255.0f * c.blue + 0.5f);
}

uint32_t picture_paper(void) {
    return pixel_of(palette_paper());
}

static void add_swatch(swatches *to, colour c) {
    if (to->count < PALETTE) to->colours[to->count++] = pixel_of(c);
}

/* From the colour to paper, without the paper. */
static void add_steps(swatches *to, oklab c, int steps) {
    for (int i = 0; i < steps; i++) add_swatch(to, colour_mix(colour_of(c), palette_paper(), (float)i / (float)steps));
}

static void add_headings(swatches *to) {
    enum { HUES = 16 };
    for (int i = 0; i < HUES; i++) {
        const float angle = 6.2831853f * (float)i / HUES, x = cosf(angle), y = sinf(angle);
        add_steps(to, palette_heading(x, y, 0.60f), 7);
        add_steps(to, palette_heading(0.5f * x, 0.5f * y, 0.58f), 4);
        add_steps(to, palette_heading(x, y, 0.48f), 2);
    }
}

void picture_palette(const dunlin_world *world, const picture_look *look, uint32_t colours[PALETTE]) {
    enum { GREYS = 32, VALUES = 18, MAX_HUES = 6 };
    swatches made = {.colours = colours};
    const int species = dunlin_world_species_count(world), hues = species < MAX_HUES ? species : MAX_HUES;
    picture_colouring colouring = species > 0 ? picture_style_of(world, 0, look->colour).colouring : PICTURE_GREY;
    if (look->colour && says_groups(world, look->colour)) colouring = PICTURE_BY_GROUP;
    add_swatch(&made, palette_paper());
    add_steps(&made, (oklab){0.2f, 0.0f, 0.0f}, GREYS);
    const bool has_hues = colouring == PICTURE_BY_HEADING || colouring == PICTURE_BY_GROUP;
    if (has_hues) add_headings(&made);
    for (int i = 0; i < hues && colouring == PICTURE_BY_SPECIES; i++) {
        add_steps(&made, palette_species(i, 0.62f), 220 / hues / 2);
        add_steps(&made, palette_species(i, 0.52f), 220 / hues / 2);
    }
    for (int i = 0; i < VALUES && !has_hues && colouring != PICTURE_BY_SPECIES; i++)
        add_steps(&made, palette_value((float)i / (VALUES - 1)), 12);
    while (made.count < PALETTE) add_swatch(&made, palette_paper());
}
