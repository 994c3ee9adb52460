/* SPDX-License-Identifier: MIT */
#include "engine/scenery/boxes.h"

#include "engine/world/world.h"

uint32_t dun_boxes_around(uint32_t count) {
    return (count + DUN_BOX_FAN - 1) / DUN_BOX_FAN;
}

void dun_boxes_fit(const dun_boxes *below, const dun_boxes *boxes, int dimensions) {
    for (int a = 0; a < dimensions; a++) {
        for (uint32_t b = 0; b < boxes->count; b++) {
            const uint32_t begin = b * DUN_BOX_FAN, end = min_u32(begin + DUN_BOX_FAN, below->count);
            float min = below->min[a][begin], max = below->max[a][begin];
            for (uint32_t k = begin; k < end; k++) {
                min = min_float(min, below->min[a][k]);
                max = max_float(max, below->max[a][k]);
            }
            boxes->min[a][b] = min;
            boxes->max[a][b] = max;
        }
    }
}

void *dun_carve(dun_carver *carver, size_t words) {
    uint32_t *at = carver->block ? carver->block + carver->used : NULL;
    carver->used += words;
    return at;
}
