/* SPDX-License-Identifier: MIT */
#include "engine/scenery/boxes.h"

int dun_boxes_stack(dun_boxes boxes[], int levels, uint32_t count) {
    while (count > DUN_BOX_FAN) {
        count = (count + DUN_BOX_FAN - 1) / DUN_BOX_FAN;
        boxes[levels++].count = count;
    }
    return levels;
}

void dun_boxes_carve(dun_boxes boxes[], int levels, int dimensions, dun_carver *carver) {
    for (int level = 0; level < levels; level++) {
        for (int a = 0; a < dimensions; a++) {
            boxes[level].min[a] = dun_carve(carver, boxes[level].count);
            boxes[level].max[a] = dun_carve(carver, boxes[level].count);
        }
    }
}

static void fit_level(const dun_boxes *below, const dun_boxes *boxes, int axis) {
    for (uint32_t b = 0; b < boxes->count; b++) {
        const uint32_t begin = b * DUN_BOX_FAN, end = min_u32(begin + DUN_BOX_FAN, below->count);
        float min = below->min[axis][begin], max = below->max[axis][begin];
        for (uint32_t k = begin; k < end; k++) {
            min = min_float(min, below->min[axis][k]);
            max = max_float(max, below->max[axis][k]);
        }
        boxes->min[axis][b] = min;
        boxes->max[axis][b] = max;
    }
}

void dun_boxes_fit(const dun_boxes boxes[], int levels, int dimensions) {
    for (int level = 1; level < levels; level++)
        for (int a = 0; a < dimensions; a++) fit_level(&boxes[level - 1], &boxes[level], a);
}
