/* SPDX-License-Identifier: MIT */
#include "harness/picture/picture.h"
#include "harness/picture/crowd.h"
#include "harness/picture/layers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a picture takes over from the one before. */
typedef struct exposure {
    bool is_known; /* the species has had agents */
    float length;  /* pixels, of a dart */
    picture_crowd crowd, trail_crowd;
    picture_range range; /* of what its colours show */
    block sights, speeds;
} exposure;

struct picture_series {
    const picture_look *look;
    double follow;
    int threads;
    picture_camera camera;
    int species;
    exposure exposures[DUNLIN_MAX_SPECIES];
    picture_sights seen[DUNLIN_MAX_SPECIES]; /* in this picture, as the next */
    picture_style styles[DUNLIN_MAX_SPECIES];
    picture_memory memory;
    picture_trail trail;
    int legend_place;
};

/* Between these lengths of darts, in pixels, darts fade in over the density. */
static const float density_below = 2.5f;
static const float darts_above = 4.5f;

/* ---- layers ----------------------------------------------------------------------------------------------------------- */

/* Scales follow as ratios. */
static float follow_ratio(float before, float now, double share) {
    return share < 1.0 ? (float)((double)before * pow((double)now / (double)before, share)) : now;
}

static float follow_length(exposure *kept, float length, double share) {
    if (!kept->is_known) kept->length = length;
    kept->is_known = true;
    return kept->length = follow_ratio(kept->length, length, share);
}

/* The speeds of a species, as an attribute would be. false: memory has run out. */
static bool see_speeds(block *memory, const dunlin_view *view, picture_style *style) {
    float *speeds = block_need(memory, (size_t)view->count * sizeof *speeds);
    if (!speeds) return false;
    for (uint32_t i = 0; i < view->count; i++) {
        float square = 0.0f;
        for (int axis = 0; axis < 3 && view->velocity[axis]; axis++)
            square += view->velocity[axis][i] * view->velocity[axis][i];
        speeds[i] = sqrtf(square);
    }
    style->values = speeds;
    return true;
}

static bool see_styles(picture_series *series, const dunlin_world *world) {
    series->species = dunlin_world_species_count(world);
    for (int s = 0; s < series->species; s++) {
        picture_style *style = &series->styles[s];
        const dunlin_view view = dunlin_world_view(world, s);
        *style = picture_style_of(world, s, series->look);
        const bool is_speed = style->colouring == PICTURE_BY_VALUE && !style->values;
        if (is_speed && view.count > 0 && !see_speeds(&series->exposures[s].speeds, &view, style)) return false;
    }
    return true;
}

static bool shows(const picture_style *style, const char *quantity) {
    return style->colouring == PICTURE_BY_VALUE && strcmp(style->quantity, quantity) == 0;
}

/* From the minimum to the maximum of all species that show the same quantity. */
static picture_range range_of(const picture_series *series, const dunlin_world *world, const char *quantity) {
    picture_range made = {INFINITY, -INFINITY};
    if (series->look->has_range) return series->look->range;
    for (int s = 0; s < series->species; s++) {
        const picture_style *style = &series->styles[s];
        const uint32_t count = shows(style, quantity) && style->values ? dunlin_world_view(world, s).count : 0;
        for (uint32_t i = 0; i < count; i++) {
            made.low = fminf(made.low, style->values[i]);
            made.high = fmaxf(made.high, style->values[i]);
        }
    }
    return made;
}

/* A range grows at once and shrinks slowly, so that no value is beyond it. */
static void follow_range(picture_range *kept, picture_range now, float by) {
    if (now.low > now.high) return;
    if (kept->low > kept->high) *kept = now;
    kept->low = fminf(now.low, kept->low + by * (now.low - kept->low));
    kept->high = fmaxf(now.high, kept->high + by * (now.high - kept->high));
}

/* The first species that shows it; one does. */
static int first_with(const picture_series *series, const char *quantity) {
    int first = 0;
    while (!shows(&series->styles[first], quantity)) first++;
    return first;
}

static void follow_ranges(picture_series *series, const dunlin_world *world) {
    for (int s = 0; s < series->species; s++) {
        picture_style *style = &series->styles[s];
        picture_range *kept = &series->exposures[s].range;
        if (style->colouring != PICTURE_BY_VALUE) continue;
        const int first = first_with(series, style->quantity);
        if (first == s)
            follow_range(kept, range_of(series, world, style->quantity), (float)series->follow);
        else
            *kept = series->exposures[first].range;
        style->range = *kept;
    }
}

static bool draw_density(picture_series *series, const picture_canvas *canvas, const picture_sights *seen,
                         const picture_style *style, picture_crowd *crowd) {
    if (!picture_draw_density(canvas, seen, style, crowd)) return false;
    crowd->mean = follow_ratio(crowd->mean, crowd->measured, series->follow);
    return true;
}

/* Thin lines where agents are darts; where they are a density, as wide as that is blurred. */
static bool draw_trails(picture_series *series, const picture_canvas *canvas, const dunlin_view *view,
                        const picture_style *of_agents, picture_crowd *crowd) {
    picture_sights seen;
    picture_style style = *of_agents;
    if (!picture_trail_see(&series->trail, canvas->camera, view, canvas->threads, &seen)) return false;
    if (seen.count == 0) return true;
    style.opacity = 0.6f;
    style.length = fminf(style.length, 2.0f);
    crowd->least = 0.8f;
    return draw_density(series, canvas, &seen, &style, crowd);
}

static bool see_all_species(picture_series *series, const picture_canvas *canvas, const dunlin_world *world) {
    for (int s = 0; s < series->species; s++) {
        const dunlin_view view = dunlin_world_view(world, s);
        picture_sights *seen = &series->seen[s];
        *seen = (picture_sights){0};
        if (view.count == 0) continue;
        if (!picture_sights_make(seen, &series->exposures[s].sights, canvas->camera, view.count, false)) return false;
        picture_sights_see(seen, canvas->camera, &view, canvas->threads);
    }
    return true;
}

static bool draw_species(picture_series *series, const picture_canvas *canvas, const dunlin_world *world, int species,
                         double closeness) {
    const dunlin_view view = dunlin_world_view(world, species);
    const picture_sights *seen = &series->seen[species];
    if (view.count == 0) return true;
    picture_style style = series->styles[species];
    exposure *kept = &series->exposures[species];
    const float length = (float)crowd_length(canvas->camera, view.count, closeness, &style.look);
    style.length = follow_length(kept, length, series->follow);
    if (!draw_trails(series, canvas, &view, &style, &kept->trail_crowd)) return false;
    const float typical = style.look.size > 0.0f && style.sizes ? style.look.typical : 1.0f;
    float darts = fminf(fmaxf((typical * style.length - density_below) / (darts_above - density_below), 0.0f), 1.0f);
    style.opacity = 1.0f - darts;
    if (darts < 1.0f && !draw_density(series, canvas, seen, &style, &kept->crowd)) return false;
    style.opacity = darts;
    return darts <= 0.0f || picture_draw_darts(canvas, seen, &style);
}

/* The species with the most agents comes first, so that a few hawks lie on top of many starlings, and bodies on top of what
 * they consist of. */
static bool draw_all_species(picture_series *series, const picture_canvas *canvas, const dunlin_world *world) {
    bool drawn[DUNLIN_MAX_SPECIES] = {false};
    if (!see_all_species(series, canvas, world)) return false;
    const double closeness = crowd_closeness(world, canvas->camera);
    for (int round = 0; round < series->species; round++) {
        int next = -1;
        for (int i = 0; i < series->species; i++)
            if (!drawn[i] && (next < 0 || series->seen[i].count > series->seen[next].count)) next = i;
        drawn[next] = true;
        if (!draw_species(series, canvas, world, next, closeness)) return false;
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

/* Names the species that are drawn, and in a series also those that were drawn before: a row that vanished with the last fox,
 * and came back with the next, would distract. */
static void draw_legend(picture_series *series, const picture_canvas *canvas, const dunlin_world *world) {
    int species[DUNLIN_MAX_SPECIES];
    picture_key key = {.styles = series->styles, .species = species};
    for (int s = 0; s < series->species; s++)
        if (series->exposures[s].is_known) species[key.count++] = s;
    picture_draw_legend(canvas, world, &key, &series->legend_place);
}

static bool draw(picture_series *series, const picture_canvas *canvas, dunlin_world *world) {
    if (!see_styles(series, world)) return false;
    picture_set_source(canvas->cairo, palette_paper(), 1.0f);
    cairo_paint(canvas->cairo);
    picture_draw_traces(canvas->cairo, canvas->camera, world);
    bool has_edges = !picture_is_open(world);
    if (has_edges) draw_edges(canvas->cairo, canvas->camera, true);
    picture_draw_scenery(canvas->cairo, canvas->camera, world);
    follow_ranges(series, world);
    bool done = draw_all_species(series, canvas, world) && picture_trail_note(&series->trail, world);
    if (has_edges) draw_edges(canvas->cairo, canvas->camera, false);
    if (!series->look->has_no_legend) draw_legend(series, canvas, world);
    return done;
}

static dunlin_result fail(cairo_status_t status, dunlin_error *error) {
    error->code = status == CAIRO_STATUS_NO_MEMORY ? DUNLIN_ERROR_MEMORY : DUNLIN_ERROR_FILE;
    snprintf(error->message, sizeof error->message, "picture: %s", cairo_status_to_string(status));
    return error->code;
}

/* Threads that draw; 0: as many as the world has. */
#ifdef _OPENMP
static const int max_threads = 0;
#else
static const int max_threads = 1;
#endif

static picture_viewpoint viewpoint_of(const picture_look *look) {
    picture_viewpoint from = look->viewpoint;
    from.y_is_down = look->scenario && dunlin_scenario_y_is_down(look->scenario);
    return from;
}

dunlin_result picture_series_begin(dunlin_world *world, const picture_look *look, double follow, picture_series **series,
                                   dunlin_error *error) {
    picture_series *made = *series = calloc(1, sizeof *made);
    if (!made) return fail(CAIRO_STATUS_NO_MEMORY, error);
    made->look = look;
    made->follow = follow;
    made->threads = max_threads ? max_threads : dunlin_world_get_def(world).threads;
    made->trail.frames = look->trail;
    made->legend_place = -1;
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) made->exposures[s].range = (picture_range){1.0f, 0.0f};
    const picture_viewpoint from = viewpoint_of(look);
    made->camera = camera_frame(world, look->size, &from, NULL, follow);
    return DUNLIN_OK;
}

picture_size picture_series_size(const picture_series *series) {
    return (picture_size){.width = series->camera.width, .height = series->camera.height};
}

static const double full_turn = 6.283185307179586;

dunlin_result picture_series_draw(picture_series *series, dunlin_world *world, double turn, uint32_t *pixels,
                                  dunlin_error *error) {
    picture_viewpoint from = viewpoint_of(series->look);
    if (from.orbits) from.azimuth += full_turn * turn;
    series->camera = camera_frame(world, series->look->size, &from, &series->camera, series->follow);
    const picture_size size = picture_series_size(series);
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_RGB24, size.width,
                                                                   size.height, 4 * size.width);
    const picture_canvas canvas = {surface, cairo_create(surface), &series->camera, &series->memory, series->threads};
    cairo_status_t status = CAIRO_STATUS_NO_MEMORY;
    if (draw(series, &canvas, world)) status = cairo_status(canvas.cairo);
    cairo_destroy(canvas.cairo);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? DUNLIN_OK : fail(status, error);
}

void picture_series_end(picture_series *series) {
    if (!series) return;
    for (int s = 0; s < DUNLIN_MAX_SPECIES; s++) {
        block_free(&series->exposures[s].sights);
        block_free(&series->exposures[s].speeds);
    }
    block_free(&series->memory.bins);
    block_free(&series->memory.order);
    block_free(&series->memory.desks);
    picture_trail_free(&series->trail);
    free(series);
}

/* ---- one picture ------------------------------------------------------------------------------------------------------ */

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

static dunlin_result check_colour(const dunlin_world *world, const picture_look *look, dunlin_error *error) {
    if (!picture_names_attribute(look->colour)) return DUNLIN_OK;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        if (dunlin_world_find_attribute(world, s, look->colour) >= 0) return DUNLIN_OK;
    }
    char allowed[151];
    list_attributes(world, allowed, sizeof allowed);
    error->code = DUNLIN_ERROR_VALUE;
    snprintf(error->message, sizeof error->message, "unknown colour '%.63s'; allowed: heading, species, speed%s%.150s",
             look->colour, *allowed != '\0' ? ", " : "", allowed);
    return error->code;
}

static dunlin_result refuse(const char *why, dunlin_error *error) {
    error->code = DUNLIN_ERROR_VALUE;
    snprintf(error->message, sizeof error->message, "%s", why);
    return error->code;
}

dunlin_result picture_check(const dunlin_world *world, const picture_look *look, dunlin_error *error) {
    if (look->has_camera && dunlin_world_get_def(world).dimensions == 2)
        return refuse("a camera needs a world in three dimensions", error);
    const dunlin_result result = check_colour(world, look, error);
    if (result == DUNLIN_OK && look->has_range && !picture_shows_values(world, look))
        return refuse("a range of colours needs colours that mean speed or an attribute, and not a group", error);
    return result;
}

dunlin_result picture_write_png(uint32_t *pixels, picture_size size, FILE *file, dunlin_error *error) {
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_RGB24, size.width,
                                                                   size.height, 4 * size.width);
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface, write_bytes, file);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR ? DUNLIN_OK : fail(status, error);
}

dunlin_result picture_write(dunlin_world *world, const picture_look *look, double turn, FILE *file, dunlin_error *error) {
    picture_series *series;
    dunlin_result result = picture_series_begin(world, look, 1.0, &series, error);
    if (result != DUNLIN_OK) return result;
    const picture_size size = picture_series_size(series);
    uint32_t *pixels = malloc((size_t)size.width * (size_t)size.height * sizeof *pixels);
    result = pixels ? picture_series_draw(series, world, turn, pixels, error) : fail(CAIRO_STATUS_NO_MEMORY, error);
    if (result == DUNLIN_OK) result = picture_write_png(pixels, size, file, error);
    free(pixels);
    picture_series_end(series);
    return result;
}
