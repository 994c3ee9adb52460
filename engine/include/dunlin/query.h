/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Finding agents by where they are: in a ball, a box or a cone, the nearest of a point, the first along a ray. dunlin.h says
 * what holds in all parts.
 *
 * Each function answers `count` questions of one shape about the present state. `species` is a species' number or
 * DUNLIN_ALL_SPECIES. Points may lie outside the world, within ±1e38. Along axes that repeat they stand for their images in it,
 * and distances are those to the nearest images. A lone question is fastest from one thread; many at once are shared
 * by the world's threads. They are answered fastest if questions that are near each other follow each other; thousands that are
 * scattered over a large flock are put into such an order, which gains a part of that.
 *
 * The first question after a change sorts the agents as the next step does, O(agents); the next step takes that over. Until the
 * world changes again, questions about the species need no sort. The state, storage order and views stay as they are: a run has
 * the same bits with and without questions. The functions use spare buffers of the world, which is therefore not const.
 * Steady runs allocate nothing; up to 1.5 MiB per thread are kept for the hits of many questions, or 100 MiB for more than a
 * hundred thousand scattered ones, and 16 bytes per thread for each agent of dunlin_nearest.count. In a flock in parts they
 * work on rank 0 after dunlin_world_gather(), as surveys do.
 *
 * Answers have the same bits for every kernel, number of threads and machine. A question's hits come by species; within one,
 * they have an order that follows from the state and the question alone, but means nothing.
 */
#ifndef DUNLIN_QUERY_H
#define DUNLIN_QUERY_H

#include <dunlin/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Arrays of the caller's for what is found. */
typedef struct dunlin_found {
    int cookie;    /**< Internal. */
    uint64_t room; /**< How many hits fit into each of the next three arrays. */
    uint32_t *ids; /**< [room] The agents' ids. NULL: not wanted; so are the others. */
    /** [room] Their species, and slots in views of the present state. The first time they are wanted costs 8 bytes per agent.
     */
    dunlin_slot *slots;
    float *distances; /**< [room] World units: how far they are, as the functions say. */
    /** [count + 1] The hits of question q are elements begins[q] .. begins[q + 1] - 1. */
    uint64_t *begins;
    /** Set by the functions: the hits of all questions. If it is larger than `room`, only the first `room` were written; that
     * is no error, and `begins` has all. */
    uint64_t count;
} dunlin_found;

/** No arrays: hits are only counted. */
DUNLIN_API dunlin_found dunlin_found_default(void);

/** A disc in 2D, a ball in 3D. */
typedef struct dunlin_ball {
    float centre[3]; /**< World units. */
    float radius;    /**< World units, 0 .. 1e9. */
} dunlin_ball;

/** Finds the agents whose distance to the centre is at most the radius. */
DUNLIN_API dunlin_result dunlin_world_find_in_balls(dunlin_world *world, int species, const dunlin_ball *balls, uint32_t count,
                                                    dunlin_found *found, dunlin_error *error);

/** A box along the axes. */
typedef struct dunlin_box {
    float min[3]; /**< World units. */
    float max[3]; /**< World units, at least `min`. Along an axis that repeats the box may extend across the edge. */
} dunlin_box;

/** Finds the agents in min .. max on every axis. Distances are those to the middle of the box. */
DUNLIN_API dunlin_result dunlin_world_find_in_boxes(dunlin_world *world, int species, const dunlin_box *boxes, uint32_t count,
                                                    dunlin_found *found, dunlin_error *error);

/** A field of view from a point: the part of a ball around a direction. */
typedef struct dunlin_cone {
    float tip[3];       /**< World units. */
    float direction[3]; /**< Of any length but 0, within ±1e9. */
    float length;       /**< World units, 0 .. 1e9. */
    float half_angle;   /**< Radians, 0 .. pi, from the direction; pi: all around. */
} dunlin_cone;

/** Finds the agents whose distance to the tip is at most the length, and whose direction from it is in the cone. An agent at
 * the tip is. */
DUNLIN_API dunlin_result dunlin_world_find_in_cones(dunlin_world *world, int species, const dunlin_cone *cones, uint32_t count,
                                                    dunlin_found *found, dunlin_error *error);

/** A point whose nearest agents are wanted. */
typedef struct dunlin_nearest {
    float centre[3]; /**< World units. */
    float radius;    /**< World units, 0 or more: how far they may be; INFINITY: anywhere within 1e19. */
    uint32_t count;  /**< How many are wanted; there may be fewer. */
} dunlin_nearest;

/** Finds the agents nearest to the centre, of all species together by ascending distance, of equal distances by ascending ids.
 */
DUNLIN_API dunlin_result dunlin_world_find_nearest(dunlin_world *world, int species, const dunlin_nearest *points,
                                                   uint32_t count, dunlin_found *found, dunlin_error *error);

/** A straight line through the world, on which agents are discs or balls. */
typedef struct dunlin_ray {
    float from[3];      /**< World units. */
    float direction[3]; /**< Of any length but 0, within ±1e9. */
    /** World units, 0 .. 1e9; at most a thousand times the shortest side along which the world repeats. */
    float length;
    /** World units, 0 .. 1e9: the agents' radius; at most a quarter of that side. */
    float radius;
} dunlin_ray;

/** Finds the first agent that each ray hits, across the edges where the world repeats. The distance is that from the ray's
 * beginning to where it enters the agent; 0: it begins in it. Of equal distances the minimum id counts. */
DUNLIN_API dunlin_result dunlin_world_find_on_rays(dunlin_world *world, int species, const dunlin_ray *rays, uint32_t count,
                                                   dunlin_found *found, dunlin_error *error);

#ifdef __cplusplus
}
#endif

#endif
