/* SPDX-License-Identifier: MIT */
#include "harness/picture/layers.h"

#include <math.h>

/* The attribute's column, or NULL where the species has none of that name. */
static const float *values_of(const dunlin_world *world, int species, const char *attribute) {
    int number = dunlin_world_find_attribute(world, species, attribute);
    return number < 0 ? NULL : dunlin_world_view(world, species).attribute[number];
}

void picture_colour_by(picture_style *style, const dunlin_world *world, const char *attribute) {
    style->by_value = true;
    style->values = values_of(world, style->species, attribute);
    style->low = INFINITY;
    style->high = -INFINITY;
    for (int s = 0; s < dunlin_world_species_count(world); s++) {
        const float *values = values_of(world, s, attribute);
        uint32_t count = values ? dunlin_world_view(world, s).count : 0;
        for (uint32_t i = 0; i < count; i++) {
            style->low = fminf(style->low, values[i]);
            style->high = fmaxf(style->high, values[i]);
        }
    }
}

picture_tint picture_tint_of(const picture_style *style, const sighting *agent) {
    if (!style->by_value) return (picture_tint){agent->heading_x, agent->heading_y};
    if (!style->values) return (picture_tint){0.0f, 0.0f};
    float span = style->high - style->low;
    return (picture_tint){span > 0.0f ? (style->values[agent->slot] - style->low) / span : 0.5f, 0.0f};
}

colour picture_colour(const picture_style *style, picture_tint tint, float lightness) {
    return style->values ? palette_value(tint.x) : palette_heading(tint.x, tint.y, lightness);
}
