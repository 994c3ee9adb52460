/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What agents do besides interactions: behaviours, of which some are callbacks. dunlin.h says what holds in all parts.
 *
 * Every step calls a callback once for every tile or packet of agents of its species, from several threads at the same time,
 * with dunlin_behaviour_def.user. Tiles and packets show the frozen snapshot and are valid during the call only. A call may
 * write what its tile or packet lets it write, and nothing that other calls read or write. Kernels and threads decide how
 * agents are divided into tiles and packets. To get the same bits for all of them, what a call writes for an agent may depend
 * only on this agent, on `user` and on the step; in packets also on observed agents within the radius, in their order.
 */
#ifndef DUNLIN_BEHAVIOURS_H
#define DUNLIN_BEHAVIOURS_H

#include <dunlin/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- callbacks -------------------------------------------------------------------------------------------------------- */

/** New agents until the end of the step, for dunlin_tile_spawn(). Only the library looks inside. */
typedef struct dunlin_nest dunlin_nest;

/** A tile: consecutive agents of a species, and what a callback may write for them. */
typedef struct dunlin_tile {
    int species;                                   /**< The agents' species. */
    uint32_t count;                                /**< Agents, >= 1. */
    const float *position[3];                      /**< [dimensions][count] World units. */
    const float *velocity[3];                      /**< [dimensions][count] Velocities. */
    const uint32_t *id;                            /**< [count] Each agent's id. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES]; /**< [count] Each attribute's values; NULL: no such attribute. */
    /** [count] Each attribute's values after this step, at first the present values, then those of earlier callbacks; NULL: no
     * such attribute. The engine clamps what a callback writes to the role's range; NaN becomes the value before the step. */
    float *next_attribute[DUNLIN_MAX_ATTRIBUTES];
    float *force[3]; /**< [dimensions][count] Velocity per time unit: add to it. The sums must stay within ±1e18. */
    /** [count] 1: the agent dies at the end of the step. Starts as 0; all callbacks of a species write the same flags. */
    uint8_t *dies;
    uint64_t step;           /**< Steps taken before this one; a repeated step has the same number. */
    const dunlin_nest *nest; /**< For dunlin_tile_spawn(). */
} dunlin_tile;

/** The callback of DUNLIN_BEHAVIOUR_CUSTOM. It may write force, next_attribute and dies. */
typedef void dunlin_tile_fn(void *user, const dunlin_tile *tile);

/** Consecutive slots of the observed species' snapshot. */
typedef struct dunlin_range {
    uint32_t begin; /**< The first slot. */
    uint32_t end;   /**< The slot after the last, > begin. */
    /** Axes, bit a each, that are periodic, and along which offsets to agents of the packet's ranges may be longer than half
     * the size: fold all of them to the nearest image. */
    uint32_t folds;
} dunlin_range;

/** A packet: a few agents of a species, the agents that they may see, and what a callback may write for them. The ranges hold
 * the slots of all observed agents within dunlin_pairs.radius of any agent of the packet, once each, in storage order, and of
 * others: test the distance. In a part of a flock slots need not ascend. If a species observes itself, skip the agent itself.
 */
typedef struct dunlin_packet {
    int species;                                   /**< The agents' species. */
    int observed;                                  /**< The observed species. */
    uint32_t first;                                /**< The slot of the packet's first agent. */
    uint32_t count;                                /**< Agents, 1 .. 16, in consecutive slots. */
    const float *position[3];                      /**< [dimensions][slot] World units, of all agents of the species. */
    const float *velocity[3];                      /**< [dimensions][slot] Velocities. */
    const uint32_t *id;                            /**< [slot] Each agent's id. */
    const float *observed_position[3];             /**< As `position`, of the observed species. */
    const float *observed_velocity[3];             /**< As `velocity`, of the observed species. */
    const uint32_t *observed_id;                   /**< As `id`, of the observed species. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES]; /**< [slot] Each attribute's values; NULL: no such attribute. */
    const float *observed_attribute[DUNLIN_MAX_ATTRIBUTES]; /**< As `attribute`, of the observed species. */
    const dunlin_range *ranges;                             /**< [range_count] The ranges. */
    uint32_t range_count;                                   /**< Ranges. */
    float size[3];                                          /**< World units: the size of the world. */
    float *force[3]; /**< [dimensions][count] As in dunlin_tile; element k belongs to slot first + k. */
    float *next_attribute[DUNLIN_MAX_ATTRIBUTES]; /**< [count] Likewise. */
    uint64_t step;                                /**< Steps taken before this one. */
} dunlin_packet;

/** The callback of DUNLIN_BEHAVIOUR_PAIRS. It may write force and next_attribute. */
typedef void dunlin_packet_fn(void *user, const dunlin_packet *packet);

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

/**
 * The kinds of behaviours. x and v are the agent's position and velocity, Δ is the vector to the target (in a periodic world:
 * to its nearest image), d its length, and m the agent's max_speed. Most kinds give a desired velocity u. The force is then u -
 * v, limited to max_force, times weight (C. Reynolds, "Steering Behaviors For Autonomous Characters", 1999). If u needs the
 * direction of a zero vector, such as Δ at the target itself, there is no force.
 */
typedef enum dunlin_behaviour_kind {
    DUNLIN_BEHAVIOUR_SEEK = 0, /**< u = m·Δ/d. */
    DUNLIN_BEHAVIOUR_FLEE,     /**< u = -m·Δ/d. */
    DUNLIN_BEHAVIOUR_ARRIVE,   /**< u = min(1, d / slowing_radius)·m·Δ/d; at the target u = 0, so the agent stops there. */
    DUNLIN_BEHAVIOUR_PURSUE,   /**< Seeks a place ahead of the target: see dunlin_pursuit. */
    DUNLIN_BEHAVIOUR_EVADE,    /**< Flees from that place. */
    DUNLIN_BEHAVIOUR_WANDER,   /**< Seeks a point that moves at random: see dunlin_wander. */
    /** u = v, but its component across a near wall is m, away from the wall; then u is scaled to length m. See
     * dunlin_contain. */
    DUNLIN_BEHAVIOUR_CONTAIN,
    DUNLIN_BEHAVIOUR_FOLLOW_PATH, /**< Keeps near a path: see dunlin_follow. */
    DUNLIN_BEHAVIOUR_AVOID,       /**< Steers aside from an obstacle ahead: see dunlin_avoid. */
    DUNLIN_BEHAVIOUR_SIDESTEP,    /**< Steers aside from agents that block its view: see dunlin_sidestep. */
    DUNLIN_BEHAVIOUR_FORCE,       /**< The force is dunlin_behaviour_def.force, for example gravity. */
    DUNLIN_BEHAVIOUR_DRAG,        /**< The force is -(linear_drag + quadratic_drag·|v|)·v. */
    DUNLIN_BEHAVIOUR_FLOW,        /**< u = m·f/|f|, with f a field's vector: see dunlin_flow. */
    DUNLIN_BEHAVIOUR_WIND,        /**< The force is f, the field's vector: see dunlin_flow. */
    DUNLIN_BEHAVIOUR_CUSTOM,      /**< A callback, a tile at a time: see dunlin_tile_fn. */
    DUNLIN_BEHAVIOUR_PAIRS,       /**< A callback, a packet at a time: see dunlin_packet_fn. */
    /** The force on the body of the agent's group: see dunlin_species_def.body_of. */
    DUNLIN_BEHAVIOUR_BODY,
    /** No force: a signal changes an attribute, the agent's memory. See dunlin_adapt. */
    DUNLIN_BEHAVIOUR_ADAPT,
    DUNLIN_BEHAVIOUR_ATTRACT, /**< Gravity towards the target: see dunlin_attract. */
    DUNLIN_BEHAVIOUR_COUNT    /**< The number of kinds. */
} dunlin_behaviour_kind;

/** What a target is. */
typedef enum dunlin_target_kind {
    DUNLIN_TARGET_POINT = 0, /**< A place, which may move. */
    DUNLIN_TARGET_AGENT,     /**< An agent of any species. */
    /** The nearest other agent of a species within dunlin_behaviour_def.radius; of equal distances that with the minimum id. */
    DUNLIN_TARGET_NEAREST,
    /** The mean position (in a periodic world: of the nearest images) and mean velocity of all other agents of a species within
     * that radius. */
    DUNLIN_TARGET_CENTRE,
    /** The centre of the agent's group in a species, with the group's mean velocity: see dunlin_group_sums. */
    DUNLIN_TARGET_GROUP_CENTRE,
    /** The place where the agent would be after one time unit with that mean velocity. */
    DUNLIN_TARGET_GROUP_VELOCITY,
    DUNLIN_TARGET_GROUP_LEADER /**< The leader of that group. */
} dunlin_target_kind;

/** The target of SEEK, FLEE, ARRIVE, PURSUE, EVADE and ATTRACT. Without such an agent there is no force. GROUP_... means the
 * group of `species` with the agent's group number or, for a body of that species, the group that it stands for. Both species
 * need an attribute of DUNLIN_ROLE_GROUP, and bodies one of DUNLIN_ROLE_BODY, before the next step. */
typedef struct dunlin_target {
    dunlin_target_kind kind; /**< Default DUNLIN_TARGET_POINT. */
    float position[3];       /**< POINT: world units, within ±1e9. */
    /** POINT: world units per time unit, within ±1e9. The target is at `position` when the behaviour is added or
     * set, and then moves by velocity·time_step per step, in a periodic world around the torus. */
    float velocity[3];
    uint32_t agent; /**< AGENT: its id, which need not exist. */
    int species;    /**< NEAREST, CENTRE, GROUP_...: the target's species, possibly the agent's own. */
} dunlin_target;

/** The time t of dunlin_pursuit. */
typedef enum dunlin_prediction {
    DUNLIN_PREDICTION_FIXED = 0,  /**< t = time. */
    DUNLIN_PREDICTION_BY_DISTANCE /**< t = d / |v|, the time to the target's present place, at most `time`. */
} dunlin_prediction;

/** The prediction of PURSUE and EVADE: the place Δ + w·t + distance·w/|w|, where w is the target's velocity. */
typedef struct dunlin_pursuit {
    dunlin_prediction prediction; /**< Default DUNLIN_PREDICTION_FIXED. */
    float time;                   /**< Time units, 0 .. 1e6; default 10. */
    float distance;               /**< World units, 0 .. 1e9; 0 if the target rests. */
} dunlin_pursuit;

/**
 * ATTRACT: the force is strength/c^power·Δ/d, where c is d clamped to [min_distance, max_distance]. Power 2 is gravity, with
 * strength = G·mass. The defaults are from D. Shiffman, "The Nature of Code", example 2.6.
 */
typedef struct dunlin_attract {
    float strength;     /**< Velocity per time unit times world units^power, within ±1e9; < 0 repels; default 20. */
    float min_distance; /**< World units, 1e-9 .. 1e9; default 5. */
    float max_distance; /**< World units, min_distance .. 1e9; default 25. */
    int power;          /**< 0 .. 3; default 2. */
} dunlin_attract;

/**
 * WANDER: the agent seeks the point Δ = distance·h + radius·e on a circle ahead of it, where h = v/|v| and e is a unit vector
 * (C. Reynolds, "Steering Behaviors For Autonomous Characters", 1999; D. Shiffman, "The Nature of Code", exercise 5.4). An
 * agent at rest is in the middle of the circle.
 *
 * In 2D the angle from h to e takes a random walk: its change per step has the mean 0 and the variance angle_change²/3, as if
 * it were uniform in ±angle_change. Changes are independent, but even within a 256th of 2·pi²/angle_change² steps. At rest the
 * angle is that from the x axis. In 3D the point is on a sphere, and e itself takes a walk with nearly that variance along each
 * axis, independent of h: even within a 16th of 6/angle_change² steps. At the maximum, pi, there is a new e in each step.
 *
 * The agent has no memory of e: it depends only on the world's seed, the agent's id, the behaviour's number and the steps
 * taken. At every step all directions of e are equally likely.
 */
typedef struct dunlin_wander {
    float distance;     /**< World units, 0 .. 1e9: from the agent to the circle's centre; default 80. */
    float radius;       /**< World units, 1e-9 .. 1e9; default 25. Only its ratio to the distance matters. */
    float angle_change; /**< Radians per step, 0 .. pi; default 0.3 (17.2 degrees). */
} dunlin_wander;

/** Which walls count in a corner. */
typedef enum dunlin_corner {
    DUNLIN_CORNER_ALL = 0, /**< All near walls. */
    /** Only the wall of the last axis, z before y before x. */
    DUNLIN_CORNER_LAST
} dunlin_corner;

/** CONTAIN: walls that agents turn away from. */
typedef struct dunlin_contain {
    /** World units, 0 .. 1e9: agents turn when they are nearer than this to a wall of the axis, or beyond it; < 0: the axis has
     * no walls. */
    float margin[3];
    float min[3];         /**< World units, within ±1e9: the place of the lower wall. */
    float max[3];         /**< World units, > min, at most 1e9: the place of the upper wall; default the world's size. */
    dunlin_corner corner; /**< Default DUNLIN_CORNER_ALL. */
} dunlin_contain;

/** The length distance + time·|v| ahead of an agent. */
typedef struct dunlin_ahead {
    float distance; /**< World units, 0 .. 1e9. */
    float time;     /**< Time units, 0 .. 1e6. */
} dunlin_ahead;

/** The point and direction that a path's segment from a to b gives if the foot of the perpendicular lies outside the
 * segment. */
typedef enum dunlin_off_segment {
    DUNLIN_OFF_SEGMENT_CLAMP = 0, /**< The end that is nearer to the foot, and the segment's direction. */
    DUNLIN_OFF_SEGMENT_END,       /**< Always b, and the segment's direction. */
    /** Always b, and the next segment's direction, or on the last segment of an open path its own. */
    DUNLIN_OFF_SEGMENT_NEXT
} dunlin_off_segment;

/**
 * FOLLOW_PATH (D. Shiffman, "The Nature of Code", example 5.6, after Reynolds). p = x + l·v/|v| is the agent's predicted place,
 * with the length l of `prediction`; at rest p = x. Each segment of the path gives one point: the foot of the perpendicular
 * from p, or the point that off_segment says. n is the nearest of these points to p; of equal distances the first. If |p - n|
 * is larger than the radius, Δ = n + k·e - x, never across the edge, where k is the length of `ahead` plus ahead_share·|p - n|,
 * and e the direction of n's segment (zero if its ends are equal). Otherwise there is no force.
 */
typedef struct dunlin_follow {
    int path;                       /**< The path's number. */
    float radius;                   /**< World units, 0 .. 1e9: half the width of the path; default 10. */
    dunlin_ahead prediction;        /**< Default 25 world units. */
    dunlin_ahead ahead;             /**< Default 10 world units. */
    float ahead_share;              /**< 0 .. 1e6. */
    dunlin_off_segment off_segment; /**< Default DUNLIN_OFF_SEGMENT_CLAMP. */
} dunlin_follow;

/** The field of FLOW and WIND. */
typedef struct dunlin_flow {
    int field;           /**< The field's number. */
    float look_ahead;    /**< Time units, 0 .. 1e6: f is the vector at x + v·look_ahead + look_distance·v/|v|. */
    float look_distance; /**< World units, 0 .. 1e9. */
} dunlin_flow;

/**
 * AVOID (Reynolds 1999, obstacle avoidance). An agent steers aside if it would hit an obstacle, grown by agent_radius, within
 * look_ahead, and look_distance further, at its present velocity. The first hit counts; of several at the same time, the
 * obstacle with the minimum number. With h = v/|v| and n the outward normal at the hit, u = m·(h + s)/|h + s|, where s is the
 * direction of n - (n·h)·h. If that vector is shorter than 1e-4 (head on), s is to the left of h in 2D, (-hy, hx); in 3D it is
 * the direction of (-hy, hx, 0) if |hz| < |hx|, and otherwise of (0, -hz, hy).
 *
 * An agent inside an obstacle steers out: u = m·n, with n the outward normal at the nearest place on the surface, or -h at the
 * centre of a ball or on the line of a capsule. An agent at rest gets no force. Moving along a surface is not a hit, and in 3D
 * no agent hits a line without a radius.
 */
typedef struct dunlin_avoid {
    float look_ahead;    /**< Time units, 0 .. 1e6; default 10. */
    float look_distance; /**< World units, 0 .. 1e9. */
    float agent_radius;  /**< World units, 0 .. 1e9: obstacles grow by this. */
} dunlin_avoid;

/** SIDESTEP (after G. W. Flake, "The Computational Beauty of Nature", 1998, chapter 16). h = v/|v| is the heading. S is the sum
 * of Δ over all other agents of the observed species within dunlin_behaviour_def.radius in directions at most half_angle from
 * h; n = S/|S|. u = m·s, where s is the direction of
 * -(n - (n·h)·h). If that vector is shorter than 1e-4 (straight ahead), s is to the right of h in 2D, (hy, -hx); in 3D it is
 * the direction of (hy, -hx, 0) if |hz| < |hx|, and otherwise of (0, hz, -hy). If S is zero, or the agent is at rest, there is
 * no force. */
typedef struct dunlin_sidestep {
    int observed;     /**< The observed species. */
    float half_angle; /**< Radians, > 0, <= pi: half the field of view; default pi/4. */
} dunlin_sidestep;

/** The signal of ADAPT; "they" are the agents of the observed species within dunlin_behaviour_def.radius. */
typedef enum dunlin_signal {
    DUNLIN_SIGNAL_NEIGHBOURS = 0, /**< Their number. */
    DUNLIN_SIGNAL_NEAREST,        /**< World units: the distance to the nearest of them; without one, the radius. */
    DUNLIN_SIGNAL_ALIGNMENT, /**< The cosine of the angle between the agent's velocity and the sum of theirs; 0 without any. */
    DUNLIN_SIGNAL_SEES,      /**< 1 if there is at least one of them; otherwise 0. */
    DUNLIN_SIGNAL_SPEED,     /**< World units per time unit: the agent's own speed. */
    DUNLIN_SIGNAL_ATTRIBUTE, /**< Another attribute of the agent. */
    /** The length of a field's vector at the agent's place; of a trace the number there, by the field's lookup, at the
     * beginning of the step (0 if it is above 5e17). */
    DUNLIN_SIGNAL_FIELD
} dunlin_signal;

/** The response r of ADAPT to a signal s. */
typedef enum dunlin_adapt_response {
    DUNLIN_ADAPT_LINEAR = 0, /**< r = offset + gain·s. */
    DUNLIN_ADAPT_THRESHOLD   /**< r = offset + gain if s >= threshold, otherwise r = offset. */
} dunlin_adapt_response;

/**
 * ADAPT: in every step the agent's attribute w becomes w + rate·(r - w) + decay·(rest - w), clamped to [low, high], in
 * binary32, from left to right.
 *
 * Signals are from the snapshot, while w is what earlier behaviours and callbacks of the step have written. Any role may adapt
 * but DUNLIN_ROLE_GROUP and DUNLIN_ROLE_BODY. The attributes must exist, and low and high be in the role's range, before the
 * next step.
 */
typedef struct dunlin_adapt {
    int attribute;                  /**< The number of the attribute that changes. */
    dunlin_signal signal;           /**< Default DUNLIN_SIGNAL_NEIGHBOURS. */
    int observed;                   /**< NEIGHBOURS, NEAREST, ALIGNMENT, SEES: the observed species. */
    int source;                     /**< ATTRIBUTE: its number. */
    int field;                      /**< FIELD: its number. */
    dunlin_adapt_response response; /**< Default DUNLIN_ADAPT_LINEAR. */
    float gain;                     /**< Within ±1e6; default 1. */
    float offset;                   /**< Within ±1e30. */
    float threshold;                /**< THRESHOLD: within ±1e30. */
    float rate;                     /**< Per step, 0 .. 1; default 0.01. */
    float decay;                    /**< Per step, 0 .. 1 - rate: how fast the attribute returns to `rest`. */
    float rest;                     /**< Within ±1e30. */
    float low;                      /**< Within ±1e30. */
    float high;                     /**< At least low, at most 1e30; default 1. */
} dunlin_adapt;

/** PAIRS: which agents the callback gets. */
typedef struct dunlin_pairs {
    int observed;               /**< The observed species. */
    float radius;               /**< World units, 1e-9 .. 1e9; default 1. */
    dunlin_packet_fn *callback; /**< Required. */
} dunlin_pairs;

/** The definition of a behaviour. All kinds but CUSTOM, PAIRS and ADAPT read `weight`, `max_force` and `negate_force`. */
typedef struct dunlin_behaviour_def {
    int cookie;                 /**< Internal. */
    dunlin_behaviour_kind kind; /**< Set by dunlin_behaviour_def_default(). */
    int species;                /**< The species of the agents. */
    float weight;               /**< Multiplies the force; within ±1e6; default 1. */
    /** Velocity per time unit, 0 .. 1e9: the limit of the force before it is weighted. Below 0, the default: the agent's
     * max_force; for FORCE, DRAG, WIND, BODY and ATTRACT no limit. */
    float max_force;
    bool negate_force; /**< Reverses the force. */
    /** World units. SIDESTEP, ADAPT, and targets of kind NEAREST or CENTRE: 1e-9 .. 1e9: the radius within which agents see
     * others; default 10 for SIDESTEP and ADAPT; set it for such targets. Other targets: >= 0: beyond this distance there is no
     * force; INFINITY, the default: no limit. */
    float radius;
    /** SIDESTEP, ADAPT, and targets but GROUP_...: agents do not see others, or the target, if an obstacle hides them: see
     * dunlin_interaction_def.sight_blocked. NEAREST is then the nearest that an agent sees. Default false. */
    bool sight_blocked;
    dunlin_target target;     /**< See dunlin_target. */
    float slowing_radius;     /**< ARRIVE: world units, > 0, <= 1e9; default 10. */
    dunlin_pursuit pursuit;   /**< PURSUE, EVADE. */
    dunlin_attract attract;   /**< ATTRACT. */
    dunlin_wander wander;     /**< WANDER. */
    dunlin_contain contain;   /**< CONTAIN. */
    dunlin_follow follow;     /**< FOLLOW_PATH. */
    dunlin_avoid avoid;       /**< AVOID. */
    dunlin_sidestep sidestep; /**< SIDESTEP. */
    float force[3];           /**< FORCE: velocity per time unit, within ±1e9. */
    float linear_drag;        /**< DRAG: per time unit, 0 .. 1e6. */
    float quadratic_drag;     /**< DRAG: per world unit, 0 .. 1e6. */
    dunlin_flow flow;         /**< FLOW, WIND. */
    int body;                 /**< BODY: the species of the bodies, which has `species` as its body_of. */
    dunlin_adapt adapt;       /**< ADAPT. */
    dunlin_tile_fn *custom;   /**< CUSTOM: the callback; required. */
    /** CUSTOM: an attribute of the species, of DUNLIN_ROLE_VALUE, such as an energy: an agent dies if it is 0 or less at the
     * end of a step, after all callbacks and meals. -1, the default: none. It must exist before the next step. Checkpoints do
     * not hold it: see dunlin_connect_fn. */
    int vital;
    dunlin_pairs pairs; /**< PAIRS. */
    /** CUSTOM, PAIRS: the callback's first argument. What it points to must outlive the behaviour. */
    void *user;
} dunlin_behaviour_def;

/** The defaults for this world and kind. */
DUNLIN_API dunlin_behaviour_def dunlin_behaviour_def_default(const dunlin_world *world, dunlin_behaviour_kind kind);

/** Adds a behaviour. Forces are added in the order of behaviours' numbers, after those of all interactions. */
DUNLIN_API dunlin_result dunlin_world_add_behaviour(dunlin_world *world, const dunlin_behaviour_def *def, int *behaviour,
                                                    dunlin_error *error);

/** The number of behaviours. */
DUNLIN_API int dunlin_world_behaviour_count(const dunlin_world *world);

/** The definition of a behaviour. A moving target's position is its present one. */
DUNLIN_API dunlin_behaviour_def dunlin_world_get_behaviour(const dunlin_world *world, int behaviour);

/** Replaces a behaviour. If an attribute weighs it (DUNLIN_ROLE_BEHAVIOUR_WEIGHT), its species must stay, and it cannot become
 * a callback. A moving target with the position and velocity that dunlin_world_get_behaviour() returned continues with the same
 * bits. */
DUNLIN_API dunlin_result dunlin_world_set_behaviour(dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                                    dunlin_error *error);

/** Removes a behaviour. Behaviours of kind WANDER with higher numbers draw their directions by their new numbers. */
DUNLIN_API dunlin_result dunlin_world_remove_behaviour(dunlin_world *world, int behaviour, dunlin_error *error);

/* ---- numbers for callers ---------------------------------------------------------------------------------------------- */

/* Functions for callbacks, with the same bits on every machine, which libm does not promise. */

/** Draws four random numbers, evenly from [0, 1), multiples of 2^-24 (Philox 4x32-10, Salmon et al., SC 2011). They depend only
 * on the seed, the agent's id, the step and `stream`, which distinguishes draws for one agent in one step (modulo 2^24). The
 * engine itself uses none of them. */
DUNLIN_API void dunlin_draw(uint64_t seed, uint32_t id, uint64_t step, uint32_t stream, float numbers[4]);

/** sin(2·pi·turns), with an error of at most 1e-7 for |turns| < 2^51; 0 for infinities and NaN. */
DUNLIN_API float dunlin_sine_of_turns(double turns);

/** Gradient noise that changes smoothly with time: -1 .. 1, mostly within ±0.6, about one swing per unit of time. It is the
 * noise of dunlin_field_noise with three axes, along the line (time, 1/3, 2/3), with 1 .. 8 octaves. Returns 0 if `octaves` is
 * out of range or `time` is not finite. */
DUNLIN_API float dunlin_noise_over_time(uint64_t seed, int octaves, double time);

/** The offset between two places, with the bits that interactions and behaviours have: offset[a] = to[a] - from[a] in binary32,
 * along periodic axes to the nearest image. In 2D offset[2] is 0. */
DUNLIN_API void dunlin_world_offset(const dunlin_world *world, const float from[3], const float to[3], float offset[3]);

#ifdef __cplusplus
}
#endif

#endif
