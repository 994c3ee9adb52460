/* SPDX-License-Identifier: MIT */
#include "harness/picture/palette.h"

#include <math.h>

/* Green, blue, red, violet, gold, cyan: no two of the first three look alike to people who are colour-blind. */
oklab palette_species(int species, float lightness) {
    static const float hues[6] = {2.53f, 4.45f, 0.60f, 5.60f, 1.48f, 3.49f}; /* radians in OKLCH */
    float hue = hues[species % 6];
    return (oklab){lightness, 0.15f * cosf(hue), 0.15f * sinf(hue)};
}
