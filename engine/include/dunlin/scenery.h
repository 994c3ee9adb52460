/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What stands in the world: paths, fields, traces that agents leave, obstacles. Agents steer by them with the behaviours of
 * behaviours.h. Only fields that cover the world repeat in a periodic world. dunlin.h says what holds in all parts.
 */
#ifndef DUNLIN_SCENERY_H
#define DUNLIN_SCENERY_H

#include <dunlin/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

/** A polyline that agents follow (DUNLIN_BEHAVIOUR_FOLLOW_PATH), through points or through agents. The points of a path through
 * agents are their positions at the start of each step, clamped to ±1e9. While one of its agents does not exist, no agent
 * follows it. Equal points are allowed. */
typedef struct dunlin_path_def {
    int cookie;             /**< Internal. */
    uint32_t count;         /**< Points, 2 .. 1 000 000. */
    const float *points[3]; /**< [dimensions][count] World units, within ±1e9. Not read if `agents` is not NULL. */
    const uint32_t *agents; /**< [count] Ids, which may repeat and need not exist yet. NULL: points. */
    bool closed;            /**< A last segment leads from the last point to the first. */
} dunlin_path_def;

/** A definition without points. */
DUNLIN_API dunlin_path_def dunlin_path_def_default(const dunlin_world *world);

/** Adds a path. */
DUNLIN_API dunlin_result dunlin_world_add_path(dunlin_world *world, const dunlin_path_def *def, int *path, dunlin_error *error);

/** The number of paths. */
DUNLIN_API int dunlin_world_path_count(const dunlin_world *world);

/** The definition of a path. If it goes through agents, `points` holds their positions at the start of the last step, or zeros
 * before the first. */
DUNLIN_API dunlin_path_def dunlin_world_get_path(const dunlin_world *world, int path);

/** Replaces a path. Allocates. */
DUNLIN_API dunlin_result dunlin_world_set_path(dunlin_world *world, int path, const dunlin_path_def *def, dunlin_error *error);

/** Moves the points of a path: points[dimensions][count], within ±1e9. A path through agents cannot be moved. O(count);
 * allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_move_path(dunlin_world *world, int path, const float *const points[3],
                                                dunlin_error *error);

/** Removes a path. */
DUNLIN_API dunlin_result dunlin_world_remove_path(dunlin_world *world, int path, dunlin_error *error);

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

/** How a field gives the vector at a place. */
typedef enum dunlin_lookup {
    DUNLIN_LOOKUP_NEAREST = 0, /**< The vector of the cell that holds the place. */
    DUNLIN_LOOKUP_LINEAR       /**< Linear interpolation between the centres of cells, along each axis. */
} dunlin_lookup;

/**
 * A grid of vectors, for DUNLIN_BEHAVIOUR_FLOW and DUNLIN_BEHAVIOUR_WIND. With w = (max - min) / cells on each axis, x is in
 * cell floor((x - min)·(1 / w)). A place outside the grid has the vector of the nearest place in the grid. If the world is
 * periodic and the grid covers it exactly (min is 0 and max is its size on every axis that is periodic), the grid repeats
 * instead along these axes.
 */
typedef struct dunlin_field_def {
    int cookie;           /**< Internal. */
    int cells[3];         /**< 1 .. 65536 on each axis, at most 2^28 in total; default 32; [2] is 1 in 2D. */
    float min[3];         /**< World units, within ±1e9. */
    float max[3];         /**< World units, > min, at most 1e9; default the world's size. */
    dunlin_lookup lookup; /**< Default DUNLIN_LOOKUP_NEAREST. */
} dunlin_field_def;

/** The defaults for this world: a field that covers it. */
DUNLIN_API dunlin_field_def dunlin_field_def_default(const dunlin_world *world);

/** Adds a field of zero vectors. */
DUNLIN_API dunlin_result dunlin_world_add_field(dunlin_world *world, const dunlin_field_def *def, int *field,
                                                dunlin_error *error);

/** The number of fields. */
DUNLIN_API int dunlin_world_field_count(const dunlin_world *world);

/** The definition of a field. */
DUNLIN_API dunlin_field_def dunlin_world_get_field(const dunlin_world *world, int field);

/** Replaces the definition of a field. Its vectors, and the numbers of its trace, stay if the number of cells on each axis
 * does. Otherwise they become zero, until the next step for noise that changes with time. */
DUNLIN_API dunlin_result dunlin_world_set_field(dunlin_world *world, int field, const dunlin_field_def *def,
                                                dunlin_error *error);

/** Removes a field. */
DUNLIN_API dunlin_result dunlin_world_remove_field(dunlin_world *world, int field, dunlin_error *error);

/** The vectors of a field, which the caller may write between steps. WIND takes a vector as velocity per time unit; FLOW uses
 * only its direction. A vector that is not finite, or longer than 1e18, counts as zero. */
typedef struct dunlin_field_view {
    int cells[3];      /**< As in the definition. */
    float min[3];      /**< As in the definition. */
    float max[3];      /**< As in the definition. */
    float *vectors[3]; /**< [dimensions][cells]; cell (i, j, k) is element i + cells[0]·(j + cells[1]·k). */
} dunlin_field_view;

/** A view of a field. */
DUNLIN_API dunlin_field_view dunlin_world_field_view(dunlin_world *world, int field);

/** What fills a field. All kinds but VECTORS and CONSTANT give each cell a vector of length 1, computed at the cell's centre,
 * or zero if there is no direction. r is the vector from the source's centre to the cell's (or its nearest image). */
typedef enum dunlin_field_kind {
    DUNLIN_FIELD_CONSTANT = 0, /**< The same vector everywhere. */
    DUNLIN_FIELD_RANDOM,       /**< A random direction for each cell, by seed and cell. */
    DUNLIN_FIELD_NOISE,        /**< Directions that change smoothly: see dunlin_field_noise. */
    DUNLIN_FIELD_SWIRL,        /**< axis × r: around the centre, counter-clockwise in 2D. */
    DUNLIN_FIELD_CENTRE,       /**< -r: towards the centre. */
    /** Uphill on a grid of numbers, by central differences, which are one-sided at the grid's edge, or cross it if the field
       repeats. */
    DUNLIN_FIELD_GRADIENT,
    DUNLIN_FIELD_VECTORS, /**< The caller's own vectors. */
    DUNLIN_FIELD_COUNT    /**< The number of kinds. */
} dunlin_field_kind;

/**
 * Gradient noise n, -1 .. 1, which is 0 at the points of a lattice (K. Perlin, "Improving Noise", SIGGRAPH 2002). The lattice's
 * axes are those of space and time; it repeats after 2^32 steps. Each component of the vector is a noise of its own, shifted by
 * a third of a lattice step along each axis of space, and the vector is scaled to length 1. In 2D with a range of angles there
 * is one noise instead, and the vector's angle, from the x axis towards y, is min_angle + (n + 1)/2·(max_angle - min_angle)
 * turns. n is mostly near 0, so angles in the middle of the range are the most frequent.
 */
typedef struct dunlin_field_noise {
    float scale;     /**< World units per lattice step, 1e-9 .. 1e9; default 10. */
    int octaves;     /**< 1 .. 8: each is twice as fine and half as strong as the one before, in space and time; default 1. */
    float min_angle; /**< 2D: turns, within ±1e3: the angle where n is -1; default INFINITY: no range of angles. */
    float max_angle; /**< Likewise where n is 1; it may be below min_angle. Both are finite or both INFINITY. */
    /** Lattice steps along the time axis per time unit, 0 .. 1e6. Above 0, every step fills the field again, until
     * dunlin_world_fill_field() changes its source. */
    float rate;
    /** Lattice steps, within ±1e9: the place on the time axis at time 0. */
    double time;
} dunlin_field_noise;

/** The contents of a field. */
typedef struct dunlin_field_source {
    int cookie;               /**< Internal. */
    dunlin_field_kind kind;   /**< Set by dunlin_field_source_default(). */
    float weight;             /**< Multiplies every vector; within ±1e6; default 1. */
    uint64_t seed;            /**< RANDOM, NOISE: the seed; default the world's. */
    float vector[3];          /**< CONSTANT: within ±1e9. */
    float centre[3];          /**< SWIRL, CENTRE: world units, within ±1e9; default the middle of the world. */
    float axis[3];            /**< SWIRL in 3D: within ±1e9, not all 0, of any length; default along z. */
    dunlin_field_noise noise; /**< NOISE. */
    const float *values;      /**< GRADIENT: [cells] numbers in the order of the field's cells. */
    const float *vectors[3];  /**< VECTORS: [dimensions][cells] likewise. */
} dunlin_field_source;

/** The defaults for this world and kind. */
DUNLIN_API dunlin_field_source dunlin_field_source_default(const dunlin_world *world, dunlin_field_kind kind);

/** Fills a field that is not a trace. Allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_fill_field(dunlin_world *world, int field, const dunlin_field_source *source,
                                                 dunlin_error *error);

/* ---- traces ----------------------------------------------------------------------------------------------------------- */

/**
 * A trace: a number in each cell of a field, which agents raise, and which spreads and fades, such as pheromones. The field's
 * vectors are the gradient of the numbers, per world unit, as in DUNLIN_FIELD_GRADIENT. FLOW steers uphill, with `negate_force`
 * downhill; for WIND the steepness counts, too.
 *
 * In each step
 *   1. agents read the trace as it was at the beginning of the step;
 *   2. each agent of the species adds `deposit`, times its attribute if there is one, to the cell that contains its position at
 *      the beginning of the step. An agent outside the grid adds nothing;
 *   3. each number v becomes (1 - evaporation)·((1 - diffusion)·v + diffusion·n), where n is the mean of the 2·dimensions
 *      neighbour cells. Beyond the grid's edge the cell itself takes the missing cell's place, unless the field repeats.
 * So diffusion keeps the total.
 *
 * Deposits are summed in integers. An attribute counts from 0 to 1024, in steps of 2^-20. Numbers are binary32, computed in
 * binary64; those below 1e-30 become 0, and none exceeds 1e18. In a flock in parts every rank has the whole field. Checkpoints
 * hold the numbers; state files and the state's hash do not.
 */
typedef struct dunlin_trace_def {
    int cookie;        /**< Internal. */
    int field;         /**< The field's number. A field has at most one trace. */
    int species;       /**< The species of the agents that leave it, or DUNLIN_ALL_SPECIES. */
    int attribute;     /**< The species' attribute that multiplies `deposit`; default -1: none. */
    float deposit;     /**< 0 .. 1e6, per step: what an agent adds; default 1. */
    float diffusion;   /**< 0 .. 1, per step: the share that spreads to the neighbour cells. */
    float evaporation; /**< 0 .. 1, per step: the share that vanishes. */
} dunlin_trace_def;

/** The defaults. */
DUNLIN_API dunlin_trace_def dunlin_trace_def_default(void);

/** Makes a field a trace, which begins at 0. The field no longer varies, and cannot be filled. */
DUNLIN_API dunlin_result dunlin_world_add_trace(dunlin_world *world, const dunlin_trace_def *def, int *trace,
                                                dunlin_error *error);

/** The number of traces. */
DUNLIN_API int dunlin_world_trace_count(const dunlin_world *world);

/** The definition of a trace. */
DUNLIN_API dunlin_trace_def dunlin_world_get_trace(const dunlin_world *world, int trace);

/** Replaces the definition of a trace. The numbers stay if the field stays; a field that is left has vectors of 0. */
DUNLIN_API dunlin_result dunlin_world_set_trace(dunlin_world *world, int trace, const dunlin_trace_def *def,
                                                dunlin_error *error);

/** Removes a trace. Its field stays, with vectors of 0. */
DUNLIN_API dunlin_result dunlin_world_remove_trace(dunlin_world *world, int trace, dunlin_error *error);

/** The numbers of a trace, which the caller may write between steps: 0 .. 1e18; in a flock in parts, the same on each rank. The
 * next step begins with their gradient, and clamps them to this range, NaN to 0. Also invalid after the next step, after a
 * change of the field, and after a restore. */
typedef struct dunlin_trace_view {
    int cells[3];  /**< As in the field's definition. */
    float min[3];  /**< As in the field's definition. */
    float max[3];  /**< As in the field's definition. */
    float *values; /**< [cells] in the order of the field's cells. */
} dunlin_trace_view;

/** A view of a trace. */
DUNLIN_API dunlin_trace_view dunlin_world_trace_view(dunlin_world *world, int trace);

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

/** Shapes of obstacles. */
typedef enum dunlin_obstacle_shape {
    DUNLIN_OBSTACLE_BALL = 0, /**< A ball, in 2D a disc. */
    DUNLIN_OBSTACLE_BOX,      /**< A box with sides along the axes. */
    DUNLIN_OBSTACLE_CAPSULE   /**< All points within the radius of a line segment; in 2D with radius 0, a thin wall. */
} dunlin_obstacle_shape;

/**
 * A fixed obstacle. Agents steer around it (DUNLIN_BEHAVIOUR_AVOID, which grows it by dunlin_avoid.agent_radius), or cannot
 * pass through it (dunlin_species_def.obstacles_block, which grows it by clearance). A box grows on every side and keeps its
 * sharp corners. An obstacle that should act across a periodic edge needs a copy one world size away.
 *
 * An agent that obstacles block moves straight from its position, before the world's edge acts on it, until it touches the
 * grown obstacle with a skin of 2^-20 of its maximum coordinate, which is also its minimum thickness. There the rest of the
 * agent's way and its velocity lose their component into the obstacle, and the agent slides on, at most three times per step;
 * if its way then meets another obstacle, it stays there. So no agent passes through a wall, or between two walls that meet.
 *
 * An agent that is inside an obstacle at the start of a step moves to the surface by the shortest way, at most three times if
 * that is inside another one; obstacles that it is still inside do not block it in this step. Obstacles do not block moves by
 * the world's edge or the caller, so walls should reach beyond a reflecting edge.
 */
typedef struct dunlin_obstacle_def {
    int cookie;                  /**< Internal. */
    dunlin_obstacle_shape shape; /**< Set by dunlin_obstacle_def_default(). */
    /** World units, within ±1e9: a ball's centre, a box's corner with the minimum coordinates, an end of a capsule's line. */
    float a[3];
    /** Likewise, not read for balls: a box's corner with the maximum coordinates, >= a; the other end of a capsule's line.
     * Default 0; for a box 1. */
    float b[3];
    float radius; /**< Balls and capsules: world units, 0 .. 1e9; default 1. */
} dunlin_obstacle_def;

/** The defaults. */
DUNLIN_API dunlin_obstacle_def dunlin_obstacle_def_default(dunlin_obstacle_shape shape);

/** Adds an obstacle. A world can have at most a million, which the next step sorts. */
DUNLIN_API dunlin_result dunlin_world_add_obstacle(dunlin_world *world, const dunlin_obstacle_def *def, int *obstacle,
                                                   dunlin_error *error);

/** The number of obstacles. */
DUNLIN_API int dunlin_world_obstacle_count(const dunlin_world *world);

/** The definition of an obstacle. */
DUNLIN_API dunlin_obstacle_def dunlin_world_get_obstacle(const dunlin_world *world, int obstacle);

/** Replaces an obstacle. The next step sorts all obstacles. */
DUNLIN_API dunlin_result dunlin_world_set_obstacle(dunlin_world *world, int obstacle, const dunlin_obstacle_def *def,
                                                   dunlin_error *error);

/** Removes an obstacle. O(obstacles with higher numbers); the next step sorts the rest. */
DUNLIN_API dunlin_result dunlin_world_remove_obstacle(dunlin_world *world, int obstacle, dunlin_error *error);

/** All obstacles. Also invalid after an obstacle is added. */
typedef struct dunlin_obstacle_view {
    uint32_t count;                       /**< Obstacles. */
    const dunlin_obstacle_def *obstacles; /**< [count] In the order of their numbers; never NULL. */
} dunlin_obstacle_view;

/** A view of the obstacles. */
DUNLIN_API dunlin_obstacle_view dunlin_world_obstacle_view(const dunlin_world *world);

#ifdef __cplusplus
}
#endif

#endif
