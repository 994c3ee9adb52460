/* SPDX-License-Identifier: MIT */
#include "harness/picture/picture.h"
#include "harness/picture/layers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Between these lengths of darts, in pixels, darts fade in over the density. */
static const float density_below = 2.5f;
static const float darts_above = 4.5f;

/* ---- how long a dart is ----------------------------------------------------------------------------------------------- */

enum { TALLY_SIDE = 64 };

/*
 * Mean over the agents of how many agents share an agent's square; a square's side is a 64th of the picture's longer side. So
 * it says how crowded it is where agents are, not how crowded the picture is on average.
 */
static double mean_crowd(const picture_camera *camera, const dunlin_view *view, double square) {
    uint32_t tally[TALLY_SIDE][TALLY_SIDE] = {{0}};
    for (uint32_t i = 0; i < view->count; i++) {
        sighting agent = camera_see(camera, view, i);
        int column = (int)fmin(fmax((double)agent.x / square, 0.0), TALLY_SIDE - 1);
        int row = (int)fmin(fmax((double)agent.y / square, 0.0), TALLY_SIDE - 1);
        tally[row][column]++;
    }
    double squares = 0.0;
    for (int i = 0; i < TALLY_SIDE * TALLY_SIDE; i++) {
        double count = tally[i / TALLY_SIDE][i % TALLY_SIDE];
        squares += count * count;
    }
    return squares / view->count;
}

/* About the distance between agents: the geometric mean of that in the whole picture and that in crowds. */
static float dart_length(const picture_camera *camera, const dunlin_view *view) {
    double longer = camera->width > camera->height ? camera->width : camera->height;
    double square = longer / TALLY_SIDE;
    double apart = sqrt((double)camera->width * camera->height / view->count);
    double apart_in_crowd = square / sqrt(mean_crowd(camera, view, square));
    return (float)fmin(1.1 * sqrt(apart * fmin(apart_in_crowd, apart)), longer / (camera->dimensions == 2 ? 52.0 : 36.0));
}

/* ---- layers ----------------------------------------------------------------------------------------------------------- */

static bool draw_species(cairo_t *cairo, cairo_surface_t *surface, const picture_camera *camera, const dunlin_world *world,
                         int species, const char *look_colour) {
    dunlin_view view = dunlin_world_view(world, species);
    if (view.count == 0) return true;
    picture_style style = picture_style_of(world, species, look_colour);
    style.length = dart_length(camera, &view);
    float darts = fminf(fmaxf((style.length - density_below) / (darts_above - density_below), 0.0f), 1.0f);
    if (darts < 1.0f) {
        style.opacity = 1.0f - darts;
        if (!picture_draw_density(surface, camera, &view, &style)) return false;
    }
    style.opacity = darts;
    return darts <= 0.0f || picture_draw_darts(cairo, camera, &view, &style);
}

/* The species with the most agents comes first, so that a few hawks lie on top of many starlings. */
static bool draw_all_species(cairo_t *cairo, cairo_surface_t *surface, const picture_camera *camera, const dunlin_world *world,
                             const char *look_colour) {
    int count = dunlin_world_species_count(world);
    bool drawn[DUNLIN_MAX_SPECIES] = {false};
    for (int round = 0; round < count; round++) {
        int next = -1;
        for (int i = 0; i < count; i++) {
            bool larger = next < 0 || dunlin_world_view(world, i).count > dunlin_world_view(world, next).count;
            if (!drawn[i] && larger) next = i;
        }
        drawn[next] = true;
        if (!draw_species(cairo, surface, camera, world, next, look_colour)) return false;
    }
    return true;
}

/* ---- the world's edges ------------------------------------------------------------------------------------------------ */

/* The corner of the box that is farthest from the eye: the three edges that meet there are behind everything. */
static int farthest_corner(const picture_camera *camera) {
    int corner = 0;
    for (int axis = 0; axis < 3; axis++) corner |= (camera->away[axis] > 0.0) << axis;
    return corner;
}

/* Draws the edges of the box that are behind the agents, or those in front of them. In 2D all are behind. */
static void draw_edges(cairo_t *cairo, const picture_camera *camera, bool behind) {
    int axes = camera->dimensions, far = farthest_corner(camera);
    cairo_set_line_width(cairo, fmax(1.0, 0.0009 * fmax(camera->width, camera->height)));
    for (int corner = 0; corner < 1 << axes; corner++) {
        for (int axis = 0; axis < axes; axis++) {
            bool is_behind = axes == 2 || corner == far || (corner | 1 << axis) == far;
            if (is_behind == behind) picture_trace_edge(cairo, camera, camera->low, camera->high, corner, axis);
        }
    }
    picture_set_ink(cairo, behind ? 0.30 : 0.16);
    cairo_stroke(cairo);
}

/* ---- the picture ------------------------------------------------------------------------------------------------------ */

static bool draw(cairo_t *cairo, cairo_surface_t *surface, const picture_camera *camera, dunlin_world *world,
                 const char *look_colour) {
    picture_set_source(cairo, palette_paper(), 1.0f);
    cairo_paint(cairo);
    bool has_edges = dunlin_world_get_def(world).boundary != DUNLIN_BOUNDARY_OPEN;
    if (has_edges) draw_edges(cairo, camera, true);
    picture_draw_scenery(cairo, camera, world);
    bool done = draw_all_species(cairo, surface, camera, world, look_colour);
    if (has_edges) draw_edges(cairo, camera, false);
    picture_draw_legend(cairo, surface, camera, world, look_colour);
    return done;
}

static dunlin_result fail(cairo_status_t status, dunlin_error *error) {
    error->code = status == CAIRO_STATUS_NO_MEMORY ? DUNLIN_ERROR_MEMORY : DUNLIN_ERROR_FILE;
    snprintf(error->message, sizeof error->message, "picture: %s", cairo_status_to_string(status));
    return error->code;
}

static cairo_status_t write_bytes(void *file, const unsigned char *bytes, unsigned count) {
    return fwrite(bytes, 1, count, file) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* The names of all attributes, each once. */
static void list_attributes(const dunlin_world *world, char *list, size_t size) {
    *list = '\0';
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        for (int i = 0; i < dunlin_world_attribute_count(world, s); i++) {
            const char *name = dunlin_world_get_attribute(world, s, i).name;
            bool known = false;
            for (int before = 0; before < s; before++) known = known || dunlin_world_find_attribute(world, before, name) >= 0;
            size_t length = strlen(list);
            if (!known) snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", name);
        }
    }
}

dunlin_result picture_check(const dunlin_world *world, const picture_look *look, dunlin_error *error) {
    if (!look->colour || strcmp(look->colour, "heading") == 0 || strcmp(look->colour, "species") == 0) return DUNLIN_OK;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        if (dunlin_world_find_attribute(world, s, look->colour) >= 0) return DUNLIN_OK;
    }
    char allowed[151];
    list_attributes(world, allowed, sizeof allowed);
    error->code = DUNLIN_ERROR_VALUE;
    snprintf(error->message, sizeof error->message,
             "colour is '%.63s', which is no attribute; allowed: heading, species%s%.150s", look->colour,
             *allowed != '\0' ? ", " : "", allowed);
    return error->code;
}

dunlin_result picture_write(dunlin_world *world, const picture_look *look, FILE *file, dunlin_error *error) {
    picture_camera view = camera_frame(world, look->size);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, view.width, view.height);
    cairo_t *cairo = cairo_create(surface);
    cairo_status_t status = CAIRO_STATUS_NO_MEMORY;
    if (draw(cairo, surface, &view, world, look->colour)) status = cairo_status(cairo);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface, write_bytes, file);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    bool done = status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR;
    return done ? DUNLIN_OK : fail(status, error);
}
