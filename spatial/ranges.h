/* SPDX-License-Identifier: MIT */
/*
 * Packets and ranges: all that kernels know about space.
 *
 * A packet is up to `lanes` consecutive agents of a snapshot, [first, first + count). A range is a stretch of the observed
 * snapshot. For every packet an index lists ranges that together hold every agent that any lane may see, each exactly once, in
 * the storage order of the whole flock. An agent's neighbours are therefore added up in this order, however many lanes the
 * packet has. In a part of a flock in 3D it is not the order of slots, since the part's own rows come first.
 */
#ifndef DUNLIN_SPATIAL_RANGES_H
#define DUNLIN_SPATIAL_RANGES_H

#include <stdint.h>

enum { DUN_ALL_AXES = 7 };

typedef struct dun_packet {
    uint32_t first; /* slot of the observers' snapshot */
    uint32_t count; /* 1 .. the kernel's lanes */
} dun_packet;

/*
 * How a grid numbers its cells. The column on an axis is (x - min)·per_unit, at least 0 and at most `last`, rounded towards 0.
 * A cell's number is the sum of column·stride over all axes.
 */
typedef struct dun_cells {
    int32_t dimensions;
    float min[3], per_unit[3], last[3];
    uint32_t stride[3];
} dun_cells;

/* In dun_range.image: the agents are seen behind the end of the axis, so their offsets grow by its side; or before its begin.
 */
#define DUN_IMAGE_KNOWN       0x80
#define DUN_IMAGE_AHEAD(axis) (1 << (axis))
#define DUN_IMAGE_BACK(axis)  (8 << (axis))

/*
 * Where a packet may see across an edge of a periodic world, offsets are folded to the nearest image. All ranges of a packet
 * fold along the same axes: those on which some lane may see across an edge. In the ranges that lie across no edge, folding
 * brings no agent within the radius, and changes no offset of one that is. Folding makes Δ(i, j) = -Δ(j, i) to the last bit, so
 * "sees" is symmetric.
 *
 * An index may know which image each range is. Adding that image's shift, a side or none along each axis, to an offset gives
 * what folding gives, to the last bit, for every agent that folding brings within the radius, and no other agent is within it
 * (docs/numerics.md). In a world narrower than two radii one candidate may need different shifts for different lanes, so no
 * image is known.
 */
typedef struct dun_range {
    uint32_t begin; /* slots of the observed snapshot, [begin, end), begin < end */
    uint32_t end;
    uint8_t folds; /* axes, bit a each, along which offsets must be folded to the nearest image of a periodic world: the same
                      in all ranges of a packet */
    uint8_t image; /* where they fold: which image the range is, DUN_IMAGE_KNOWN and its shifts; or 0 in all ranges of a packet:
                      not known */
} dun_range;

#endif
