/* SPDX-License-Identifier: MIT */
#include "harness/picture/layers.h"
#include "harness/picture/picture.h"

#include <math.h>
#include <stdio.h>
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

bool picture_names_attribute(const char *look_colour) {
    bool is_kind = !look_colour;
    for (int kind = 0; kind < DUNLIN_COLOUR_ATTRIBUTE && !is_kind; kind++)
        is_kind = strcmp(look_colour, dunlin_colour_name((dunlin_colour)kind)) == 0;
    return !is_kind;
}

/* What is asked for, or what the scenario says. */
static const char *colour_name(const dunlin_world *world, int species, const picture_look *look, const dunlin_look *of) {
    if (look->colour) return look->colour;
    if (of->colour != DUNLIN_COLOUR_ATTRIBUTE) return dunlin_colour_name(of->colour);
    const char *name = dunlin_world_get_attribute(world, species, of->colour_by).name;
    return name ? name : "species"; /* it may have been removed from the world */
}

static void colour_by(picture_style *made, const dunlin_world *world, int species, const char *by) {
    if (strcmp(by, "species") == 0) {
        made->colouring = PICTURE_BY_SPECIES;
    } else if (strcmp(by, "speed") == 0) {
        made->colouring = PICTURE_BY_VALUE;
    } else if (picture_names_attribute(by)) {
        made->values = values_of(world, species, by);
        made->colouring = !made->values ? PICTURE_GREY : says_groups(world, by) ? PICTURE_BY_GROUP : PICTURE_BY_VALUE;
    }
    if (made->colouring == PICTURE_BY_VALUE) snprintf(made->quantity, sizeof made->quantity, "%s", by);
}

picture_style picture_style_of(const dunlin_world *world, int species, const picture_look *look) {
    picture_style made = {.look = picture_look_of(world, look->scenario, species), .lightness = 0.62f};
    made.own = palette_species(species, made.lightness);
    colour_by(&made, world, species, colour_name(world, species, look, &made.look));
    if (made.look.size_by >= 0) made.sizes = dunlin_world_view(world, species).attribute[made.look.size_by];
    return made;
}

bool picture_shows_values(const dunlin_world *world, const picture_look *look) {
    const bool is_speed = look->colour && strcmp(look->colour, "speed") == 0;
    return is_speed || (picture_names_attribute(look->colour) && !says_groups(world, look->colour));
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
    const int species = dunlin_world_species_count(world);
    bool has[PICTURE_GREY + 1] = {false}, is_own[MAX_HUES] = {false};
    int hues = 0;
    for (int i = 0; i < species; i++) {
        const picture_colouring colouring = picture_style_of(world, i, look).colouring;
        const int hue = i % MAX_HUES;
        has[colouring] = true;
        if (colouring == PICTURE_BY_SPECIES && !is_own[hue]) hues++, is_own[hue] = true;
    }
    add_swatch(&made, palette_paper());
    add_steps(&made, (oklab){0.2f, 0.0f, 0.0f}, GREYS);
    const bool has_wheel = has[PICTURE_BY_HEADING] || has[PICTURE_BY_GROUP];
    const int share = hues == 0 ? 0 : (has_wheel || has[PICTURE_BY_VALUE] ? 14 : 220) / hues;
    for (int i = 0; i < MAX_HUES; i++) {
        if (!is_own[i]) continue;
        add_steps(&made, palette_species(i, 0.62f), share / 2);
        add_steps(&made, palette_species(i, 0.52f), share / 2);
    }
    if (has_wheel) add_headings(&made);
    for (int i = 0; i < VALUES && has[PICTURE_BY_VALUE]; i++) add_steps(&made, palette_value((float)i / (VALUES - 1)), 12);
    while (made.count < PALETTE) add_swatch(&made, palette_paper());
}
