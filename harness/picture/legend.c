/* SPDX-License-Identifier: MIT */
/*
 * What the colours and shapes of a picture mean: a wheel of headings, or a ramp between the least and the greatest number of an
 * attribute; and the species by name. They stand on a plate where it hides least. Cairo's own font draws the names, so that a
 * picture is the same on every machine.
 */
#include "harness/picture/layers.h"

#include <math.h>
#include <stdio.h>

enum { MAX_ROWS = 8, WEDGES = 60, PLACES_ACROSS = 5, STRIPES = 48 };

typedef struct legend {
    const picture_canvas *canvas;
    const picture_camera *camera;
    const dunlin_world *world;
    const picture_key *key;
    bool has_wheel;
    bool has_ramp;
    char labels[3][32];   /* of the ramp: the attribute's name, and the ends; no second end if they are equal */
    int rows;             /* of key->species */
    double font;          /* pixels */
    double key_width;     /* pixels, of the wheel or the ramp */
    double width, height; /* pixels, of the plate */
    double x, y;          /* pixels: its top left corner */
} legend;

/* Times the font's size. The ramp has its name above, and its ends below. */
static const double wheel_radius = 2.0, row_height = 1.6, ramp_width = 8.0, ramp_height = 1.0;

static double width_of(cairo_t *cairo, const char *text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

/* The width of the wheel or the ramp. */
static double key_width(const legend *made, cairo_t *cairo) {
    if (made->has_wheel) return 2.0 * wheel_radius * made->font;
    if (!made->has_ramp) return 0.0;
    const double ends = width_of(cairo, made->labels[1]) + width_of(cairo, made->labels[2]) + made->font;
    return fmax(ramp_width * made->font, fmax(width_of(cairo, made->labels[0]), ends));
}

static void measure(legend *made, cairo_t *cairo) {
    double longest = 0.0;
    for (int row = 0; row < made->rows; row++)
        longest = fmax(longest, width_of(cairo, dunlin_world_get_species(made->world, made->key->species[row]).name));
    const double pad = 0.6 * made->font, rows_width = made->rows > 0 ? longest + 2.0 * made->font : 0.0;
    const double key = made->key_width = key_width(made, cairo);
    const double key_height = made->has_wheel ? key : made->has_ramp ? (2.0 * row_height + ramp_height) * made->font : 0.0;
    made->width = key + rows_width + (key > 0.0 && rows_width > 0.0 ? 3.0 : 2.0) * pad;
    made->height = fmax(key_height, made->rows * row_height * made->font) + 2.0 * pad;
}

/* Place 0 is the bottom right corner. The next are to the left of it, then those above. */
static void place(legend *made, int which) {
    const double margin = 0.02 * fmax(made->camera->width, made->camera->height) + 0.5 * made->font;
    const double left = (double)(which % PLACES_ACROSS) / (PLACES_ACROSS - 1);
    const double above = (double)(which / PLACES_ACROSS) / (PLACES_ACROSS - 1);
    made->x = margin + (1.0 - left) * (made->camera->width - made->width - 2.0 * margin);
    made->y = margin + (1.0 - above) * (made->camera->height - made->height - 2.0 * margin);
}

/* How much the plate would hide: 0 if only paper, 1 if all below it is black. */
static double hidden_ink(const legend *made, cairo_surface_t *surface) {
    const int left = (int)made->x, top = (int)made->y, right = (int)(made->x + made->width);
    const int bottom = (int)(made->y + made->height), stride = cairo_image_surface_get_stride(surface);
    const unsigned char *bytes = cairo_image_surface_get_data(surface);
    const double paper = 255.0 * (double)palette_paper().blue; /* its darkest channel */
    double ink = 0.0;
    for (int y = top; y < bottom; y++)
        for (int x = 4 * left; x < 4 * right; x++) ink += x % 4 < 3 ? fmax(paper - bytes[y * stride + x], 0.0) : 0.0;
    return ink / (3.0 * paper * (right - left) * (bottom - top));
}

/* A corner is preferred unless it hides more than a few darts, and far more than another place. Of equal corners the right one,
 * and the lower one, is chosen. */
static int choose_place(legend *made, cairo_surface_t *surface) {
    int best = 0;
    double minimum = HUGE_VAL;
    cairo_surface_flush(surface);
    for (int i = 0; i < PLACES_ACROSS * PLACES_ACROSS; i++) {
        place(made, i);
        const bool is_corner = i % PLACES_ACROSS % (PLACES_ACROSS - 1) == 0 && i / PLACES_ACROSS % (PLACES_ACROSS - 1) == 0;
        const double hidden = hidden_ink(made, surface), ink = is_corner ? hidden : 0.012 + 4.0 * hidden;
        if (ink >= minimum) continue;
        minimum = ink;
        best = i;
    }
    return best;
}

static void draw_plate(const legend *made, cairo_t *cairo) {
    cairo_new_path(cairo);
    cairo_rectangle(cairo, made->x, made->y, made->width, made->height);
    picture_set_source(cairo, palette_paper(), 0.88f);
    cairo_fill_preserve(cairo);
    cairo_set_line_width(cairo, 1.0);
    picture_set_ink(cairo, 0.3);
    cairo_stroke(cairo);
}

/* A ring, each part of which has the colour of the heading from the middle to it. */
static void draw_wheel(cairo_t *cairo, double x, double y, double radius) {
    const double wedge = 6.283185307179586 / WEDGES;
    cairo_set_line_width(cairo, 0.45 * radius);
    for (int i = 0; i < WEDGES; i++) {
        picture_set_source(cairo, colour_of(palette_heading((float)cos(i * wedge), (float)sin(i * wedge), 0.62f)), 1.0f);
        cairo_new_path(cairo);
        cairo_arc(cairo, x, y, 0.775 * radius, -(i + 0.6) * wedge, -(i - 0.6) * wedge);
        cairo_stroke(cairo);
    }
}

static void write_text(cairo_t *cairo, double x, double y, const char *text) {
    cairo_set_source_rgb(cairo, 0.2, 0.19, 0.18);
    cairo_move_to(cairo, x, y);
    cairo_show_text(cairo, text);
}

/* The ends, or in the middle the one number that all agents have: it has the middle colour. */
static void write_ends(const legend *made, cairo_t *cairo, double x, double y) {
    const double left = made->key_width - width_of(cairo, made->labels[1]),
                 right = made->key_width - width_of(cairo, made->labels[2]);
    const bool is_one = made->labels[2][0] == '\0';
    write_text(cairo, is_one ? x + 0.5 * left : x, y, made->labels[1]);
    write_text(cairo, x + right, y, made->labels[2]);
}

/* Stripes overlap, so that no paper shows between them. */
static void draw_ramp(const legend *made, cairo_t *cairo, double x, double middle) {
    const double font = made->font, width = made->key_width, height = ramp_height * font, top = middle - 0.5 * height;
    for (int i = 0; i < STRIPES; i++) {
        picture_set_source(cairo, colour_of(palette_value((float)i / (STRIPES - 1))), 1.0f);
        cairo_rectangle(cairo, x + width * i / STRIPES, top, width * (STRIPES - i) / STRIPES, height);
        cairo_fill(cairo);
    }
    write_text(cairo, x, top - 0.5 * font, made->labels[0]);
    write_ends(made, cairo, x, top + height + 1.1 * font);
}

static bool is_at_rest(const dunlin_view *view) {
    for (int axis = 0; axis < 3 && view->velocity[axis]; axis++) {
        for (uint32_t i = 0; i < view->count; i++)
            if (view->velocity[axis][i] != 0.0f) return false;
    }
    return view->count > 0;
}

/* The species' dart, grey where colours mean headings, and its name. */
static void draw_row(const legend *made, cairo_t *cairo, int species, double x, double y) {
    picture_style style = made->key->styles[species];
    if (style.colouring != PICTURE_BY_SPECIES) style.colouring = PICTURE_GREY;
    style.sizes = NULL;
    style.length = 1.4f * (float)made->font;
    style.opacity = 1.0f;
    dunlin_view view = dunlin_world_view(made->world, species);
    bool rests = dunlin_world_get_species(made->world, species).max_speed == 0.0f || is_at_rest(&view);
    sighting marker = {.x = (float)(x + 0.7 * made->font), .y = (float)y, .heading_x = rests ? 0.0f : 1.0f};
    picture_draw_dart(made->canvas, &marker, &style);
    write_text(cairo, x + 2.0 * made->font, y + 0.35 * made->font, dunlin_world_get_species(made->world, species).name);
}

static void draw_legend(const legend *made, cairo_t *cairo) {
    double pad = 0.6 * made->font, x = made->x + pad, middle = made->y + 0.5 * made->height;
    draw_plate(made, cairo);
    if (made->has_wheel) draw_wheel(cairo, x + wheel_radius * made->font, middle, wheel_radius * made->font);
    if (made->has_ramp) draw_ramp(made, cairo, x, middle);
    if (made->key_width > 0.0) x += made->key_width + pad;
    for (int row = 0; row < made->rows; row++)
        draw_row(made, cairo, made->key->species[row], x, middle + (row + 0.5 - 0.5 * made->rows) * row_height * made->font);
}

/* Rows of species say what shapes mean, and colours where these mean species. Of several quantities it shows the first. */
static legend describe(const picture_canvas *canvas, const dunlin_world *world, const picture_key *key) {
    legend made = {.canvas = canvas, .camera = canvas->camera, .world = world, .key = key};
    const picture_style *shown = NULL;
    for (int s = dunlin_world_species_count(world) - 1; s >= 0; s--) {
        const picture_style *style = &key->styles[s];
        made.has_wheel = made.has_wheel || style->colouring == PICTURE_BY_HEADING;
        if (style->colouring == PICTURE_BY_VALUE && style->range.low <= style->range.high) shown = style;
    }
    made.rows = dunlin_world_species_count(world) == 1 ? 0 : (key->count < MAX_ROWS ? key->count : MAX_ROWS);
    made.has_ramp = shown && !made.has_wheel;
    if (!made.has_ramp) return made;
    snprintf(made.labels[0], sizeof made.labels[0], "%.31s", shown->quantity);
    snprintf(made.labels[1], sizeof made.labels[1], "%.3g", (double)shown->range.low);
    if (shown->range.low < shown->range.high)
        snprintf(made.labels[2], sizeof made.labels[2], "%.3g", (double)shown->range.high);
    return made;
}

void picture_draw_legend(const picture_canvas *canvas, const dunlin_world *world, const picture_key *key, int *place_number) {
    const picture_camera *camera = canvas->camera;
    cairo_t *cairo = canvas->cairo;
    if (dunlin_world_agent_count(world) == 0) return;
    legend made = describe(canvas, world, key);
    if (!made.has_wheel && !made.has_ramp && made.rows == 0) return;
    made.font = fmin(fmax(0.016 * fmax(camera->width, camera->height), 8.0), 22.0);
    cairo_select_font_face(cairo, "@cairo:", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, made.font);
    measure(&made, cairo);
    if (made.width > 0.4 * camera->width || made.height > 0.4 * camera->height) return;
    if (*place_number < 0) *place_number = choose_place(&made, canvas->surface);
    place(&made, *place_number);
    draw_legend(&made, cairo);
}
