/* SPDX-License-Identifier: MIT */
/* To keep some of 4 lanes, by the bits of their mask: which bytes follow one another, and how many lanes there are. */
#ifndef DUNLIN_KERNELS_WIDE_PACK4_H
#define DUNLIN_KERNELS_WIDE_PACK4_H

#include <stdint.h>

#define LANE(n) 4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3
static const int8_t pack_order[16][16] = {
    {0},
    {LANE(0)},
    {LANE(1)},
    {LANE(0), LANE(1)},
    {LANE(2)},
    {LANE(0), LANE(2)},
    {LANE(1), LANE(2)},
    {LANE(0), LANE(1), LANE(2)},
    {LANE(3)},
    {LANE(0), LANE(3)},
    {LANE(1), LANE(3)},
    {LANE(0), LANE(1), LANE(3)},
    {LANE(2), LANE(3)},
    {LANE(0), LANE(2), LANE(3)},
    {LANE(1), LANE(2), LANE(3)},
    {LANE(0), LANE(1), LANE(2), LANE(3)},
};
#undef LANE

static const uint8_t pack_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

#endif
