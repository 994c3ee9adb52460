/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What agents do besides interactions, and callbacks of your own. dunlin.h says what holds in all parts.
 */
#ifndef DUNLIN_BEHAVIOURS_H
#define DUNLIN_BEHAVIOURS_H

#include <dunlin/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- callbacks -------------------------------------------------------------------------------------------------------- */

/** Where dunlin_tile_spawn() keeps new agents until the end of the step. Only the library looks inside. */
typedef struct dunlin_nest dunlin_nest;

/** Consecutive agents of a species in the frozen snapshot, and what a callback may write for them. Valid during the call
 * only. */
typedef struct dunlin_tile {
    int species;                                   /**< The agents' species. */
    uint32_t count;                                /**< Agents, >= 1. */
    const float *position[3];                      /**< [dimensions][count] World units; [2] is NULL in 2D. */
    const float *velocity[3];                      /**< [dimensions][count] World units per time unit; [2] is NULL in 2D. */
    const uint32_t *id;                            /**< [count] Each agent's id. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES]; /**< [count] Each attribute's values; NULL: no such attribute. */
    /** [count] Each attribute's values after this step, whatever its role; NULL: no such attribute. They start as the present
     * values, and later callbacks see what earlier ones wrote. After each callback the engine clamps them to the role's range;
     * a NaN becomes the value before the step. The engine uses the new values from the next step on. */
    float *next_attribute[DUNLIN_MAX_ATTRIBUTES];
    float *force[3]; /**< [dimensions][count] Velocity per time unit: add to it. The sums must stay finite and within ±1e18. */
    /** [count] 1: the agent dies at the end of the step. Starts as 0; all callbacks of a species write the same flags. */
    uint8_t *dies;
    uint64_t step; /**< Steps taken before this one. If a step fails and is repeated, callbacks get the same number again. */
    const dunlin_nest *nest; /**< For dunlin_tile_spawn(). */
} dunlin_tile;

/**
 * The callback of DUNLIN_BEHAVIOUR_CUSTOM. Every step calls it once for every tile of the species, from several threads at the
 * same time. `user` is dunlin_behaviour_def.user. A call may write its own tile's force, next_attribute and dies, and nothing
 * that other calls read or write. The engine decides how to cut agents into tiles. To get the same bits for every number of
 * threads, what a call writes for an agent may depend only on this agent, on `user` and on the step.
 */
typedef void dunlin_tile_fn(void *user, const dunlin_tile *tile);

/** Consecutive slots of the observed species' snapshot. */
typedef struct dunlin_range {
    uint32_t begin; /**< The first slot. */
    uint32_t end;   /**< The slot after the last, > begin. */
    /** true, in periodic worlds: offsets to some agents of the packet's ranges may be longer than half the size on an axis;
     * fold all of them to the nearest image. */
    bool folds;
} dunlin_range;

/**
 * A packet: a few agents of a species in the frozen snapshot, the agents that they may see, and what a callback may write for
 * them. Together the ranges hold the slot of every observed agent within dunlin_pairs.radius of any agent of the packet, once
 * each, in ascending order. They also hold agents farther away, so test the distance. If a species observes itself, they also
 * hold the packet's own agents, so skip the agent itself. Valid during the call only.
 */
typedef struct dunlin_packet {
    int species;                       /**< The agents' species. */
    int observed;                      /**< The observed species. */
    uint32_t first;                    /**< The slot of the packet's first agent. */
    uint32_t count;                    /**< Agents, 1 .. 16, in consecutive slots. */
    const float *position[3];          /**< [dimensions][slot] World units, of all agents of the species; [2] is NULL in 2D. */
    const float *velocity[3];          /**< [dimensions][slot] World units per time unit; [2] is NULL in 2D. */
    const uint32_t *id;                /**< [slot] Each agent's id. */
    const float *observed_position[3]; /**< As `position`, of the observed species. */
    const float *observed_velocity[3]; /**< As `velocity`, of the observed species. */
    const uint32_t *observed_id;       /**< As `id`, of the observed species. */
    const float *attribute[DUNLIN_MAX_ATTRIBUTES];          /**< [slot] Each attribute's values; NULL: no such attribute. */
    const float *observed_attribute[DUNLIN_MAX_ATTRIBUTES]; /**< As `attribute`, of the observed species. */
    const dunlin_range *ranges;                             /**< [range_count] The ranges. */
    uint32_t range_count;                                   /**< Ranges. */
    float size[3];                                          /**< World units: the size of the world; [2] is 0 in 2D. */
    float *force[3]; /**< [dimensions][count] As in dunlin_tile; element k belongs to slot first + k. */
    float *next_attribute[DUNLIN_MAX_ATTRIBUTES]; /**< [count] As in dunlin_tile; element k belongs to slot first + k. */
    uint64_t step;                                /**< Steps taken before this one. */
} dunlin_packet;

/**
 * The callback of DUNLIN_BEHAVIOUR_PAIRS. Every step calls it once for every packet of the species, from several threads at the
 * same time. `user` is dunlin_behaviour_def.user. A call may write its own packet's force and next_attribute, and nothing that
 * other calls read or write. The kernel decides how to cut agents into packets, and which agents beyond the radius the ranges
 * hold. To get the same bits for every kernel, what a call writes for an agent may depend only on the agent itself and on
 * agents within the radius, taken in the order of the ranges, on `user` and on the step.
 */
typedef void dunlin_packet_fn(void *user, const dunlin_packet *packet);

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

/**
 * The kinds of behaviours: what agents do besides interactions. x and v are the agent's position and velocity, Δ is the vector
 * to the target (in a periodic world: to its nearest image), d its length, and m the agent's max_speed. Most kinds give a
 * desired velocity u. The force is then u - v, limited to max_force, times weight (C. Reynolds, "Steering Behaviors For
 * Autonomous Characters", 1999). If u needs the direction of a zero vector, such as Δ at the target itself, there is no force.
 */
typedef enum dunlin_behaviour_kind {
    DUNLIN_BEHAVIOUR_SEEK = 0, /**< u = m·Δ/d. */
    DUNLIN_BEHAVIOUR_FLEE,     /**< u = -m·Δ/d. */
    DUNLIN_BEHAVIOUR_ARRIVE,   /**< u = min(1, d / slowing_radius)·m·Δ/d; at the target u = 0, so the agent stops there. */
    DUNLIN_BEHAVIOUR_PURSUE,   /**< Seeks the place Δ + w·t, where w is the target's velocity: see dunlin_pursuit. */
    DUNLIN_BEHAVIOUR_EVADE,    /**< Flees from that place. */
    DUNLIN_BEHAVIOUR_WANDER,   /**< Seeks a point that moves at random: see dunlin_wander. */
    /** u = v, but its component across a near wall is m, away from the wall; then u is scaled to length m. See
     * dunlin_contain. */
    DUNLIN_BEHAVIOUR_CONTAIN,
    DUNLIN_BEHAVIOUR_FOLLOW_PATH, /**< Seeks a point ahead on a path when it is about to leave the path: see dunlin_follow. */
    DUNLIN_BEHAVIOUR_AVOID,       /**< Steers aside from an obstacle ahead: see dunlin_avoid. */
    DUNLIN_BEHAVIOUR_SIDESTEP,    /**< Steers aside from agents that block its view: see dunlin_sidestep. */
    DUNLIN_BEHAVIOUR_FORCE,       /**< The force is dunlin_behaviour_def.force, for example gravity. */
    DUNLIN_BEHAVIOUR_DRAG,        /**< The force is -(linear_drag + quadratic_drag·|v|)·v. */
    DUNLIN_BEHAVIOUR_FLOW,        /**< u = m·f/|f|, with f a field's vector: see dunlin_flow. */
    DUNLIN_BEHAVIOUR_WIND,        /**< The force is f, the field's vector: see dunlin_flow. */
    /** A callback adds forces, a tile at a time: see dunlin_tile_fn. It has no weight and no max_force. */
    DUNLIN_BEHAVIOUR_CUSTOM,
    /** A callback adds forces between agents, a packet at a time: see dunlin_packet_fn. It has no weight and no max_force. */
    DUNLIN_BEHAVIOUR_PAIRS,
    /** The force is that which the body of the agent's group feels in the same step, from all its rules and behaviours: see
     * dunlin_species_def.body_of and dunlin_behaviour_def.body. */
    DUNLIN_BEHAVIOUR_BODY,
    /** There is no force: a signal moves an attribute of the agent, by which it remembers. See dunlin_adapt. It has no weight
     * and no max_force. */
    DUNLIN_BEHAVIOUR_ADAPT,
    DUNLIN_BEHAVIOUR_COUNT /**< The number of kinds. */
} dunlin_behaviour_kind;

/** What a target is. */
typedef enum dunlin_target_kind {
    DUNLIN_TARGET_POINT = 0, /**< A place, which may move. */
    DUNLIN_TARGET_AGENT,     /**< An agent of any species. While it does not exist, the behaviour gives no force. */
    /** The nearest other agent of a species within dunlin_behaviour_def.radius; of equal distances the one with the minimum
     * id. */
    DUNLIN_TARGET_NEAREST,
    /** The mean position (in a periodic world: of the nearest images) and mean velocity of all other agents of a species within
     * that radius. */
    DUNLIN_TARGET_CENTRE,
    /** The centre of the agent's group in a species, with the group's mean velocity: see dunlin_group_sums. */
    DUNLIN_TARGET_GROUP_CENTRE,
    /** The place where the agent would be after one time unit if it ran with that mean velocity. To seek it is to run as the
     * group ranges. */
    DUNLIN_TARGET_GROUP_VELOCITY,
    DUNLIN_TARGET_GROUP_LEADER /**< The leader of that group. It has no direction to itself. */
} dunlin_target_kind;

/** The target of SEEK, FLEE, ARRIVE, PURSUE and EVADE. With NEAREST and CENTRE each agent has its own target, and gets no force
 * if no other agent is within the radius. With GROUP_... it is about the group of `species` that has the number of the agent's
 * own group; for a body of that species, about the group that it stands for. There is no force if that group has no agents.
 * Both species need an attribute of DUNLIN_ROLE_GROUP, and bodies one of DUNLIN_ROLE_BODY, when the world takes its next step.
 */
typedef struct dunlin_target {
    dunlin_target_kind kind; /**< Default DUNLIN_TARGET_POINT. */
    float position[3];       /**< POINT: world units, within ±1e9; default 0. */
    /** POINT: world units per time unit, within ±1e9; default 0. The target is at `position` when the behaviour is added or
     * set, and then moves by velocity·time_step per step, in a periodic world around the torus. */
    float velocity[3];
    uint32_t agent; /**< AGENT: its id, which need not exist; default 0. */
    int species;    /**< NEAREST, CENTRE, GROUP_...: the target's species, possibly the agent's own; default 0. */
} dunlin_target;

/** The time t for which PURSUE and EVADE predict the target's motion. */
typedef enum dunlin_prediction {
    DUNLIN_PREDICTION_FIXED = 0,  /**< t = time. */
    DUNLIN_PREDICTION_BY_DISTANCE /**< t = d / |v|, the time to the target's present place, at most `time`. */
} dunlin_prediction;

/** The prediction of PURSUE and EVADE. */
typedef struct dunlin_pursuit {
    dunlin_prediction prediction; /**< Default DUNLIN_PREDICTION_FIXED. */
    float time;                   /**< Time units, 0 .. 1e6; default 10. */
} dunlin_pursuit;

/**
 * WANDER: the agent seeks the point Δ = distance·v/|v| + radius·e, which lies on Reynolds' circle ahead of the agent (in 3D: a
 * sphere). e is a unit vector that turns at random. For an agent at rest the circle is around the agent itself. If Δ is zero,
 * there is no force.
 *
 * Reynolds' point takes a random walk, which needs memory for each agent. Here e instead turns smoothly from one random
 * direction to the next. There is a new direction every 1/jitter steps. The directions are independent of each other and evenly
 * distributed, and depend only on the world's seed, the agent's id, the behaviour's number and the steps taken, so two
 * behaviours of a species wander independently. In 2D e turns evenly by the shorter way, at most pi·jitter radians per step. In
 * 3D it turns to the direction halfway between the two, and from there to the second, at most 4·jitter radians per step. The
 * directions are relative to the world's axes, because in 3D a heading alone does not define a frame of reference.
 */
typedef struct dunlin_wander {
    float distance; /**< World units, 0 .. 1e9: from the agent to the circle's centre; default 10. */
    float radius;   /**< World units, 1e-9 .. 1e9; default 5. */
    float jitter;   /**< Per step, > 0, <= 1: random directions; default 0.05. */
} dunlin_wander;

/** Which walls count in a corner. */
typedef enum dunlin_corner {
    DUNLIN_CORNER_ALL = 0, /**< All near walls. */
    /** Only the wall of the last axis, z before y before x, as in sketches that test one axis after another. */
    DUNLIN_CORNER_LAST
} dunlin_corner;

/** CONTAIN: walls that agents turn away from. */
typedef struct dunlin_contain {
    /** World units, 0 .. 1e9: agents turn when they are nearer than this to a wall of the axis, or beyond it; < 0: the axis has
     * no walls; default 0. */
    float margin[3];
    float min[3];         /**< World units, within ±1e9: the place of the lower wall; default 0. */
    float max[3];         /**< World units, > min, at most 1e9: the place of the upper wall; default the world's size. */
    dunlin_corner corner; /**< Default DUNLIN_CORNER_ALL. */
} dunlin_contain;

/** How a length l ahead of the agent is given. */
typedef enum dunlin_ahead_kind {
    DUNLIN_AHEAD_FIXED = 0, /**< l = distance. */
    DUNLIN_AHEAD_BY_SPEED   /**< l = time·|v|. */
} dunlin_ahead_kind;

/** A length l ahead of the agent. */
typedef struct dunlin_ahead {
    dunlin_ahead_kind kind; /**< Default DUNLIN_AHEAD_FIXED. */
    float distance;         /**< FIXED: world units, 0 .. 1e9; default: see dunlin_follow. */
    float time;             /**< BY_SPEED: time units, 0 .. 1e6; default 10. */
} dunlin_ahead;

/** The point and direction that a path's segment from a to b gives if the foot of the perpendicular lies outside the
 * segment. */
typedef enum dunlin_off_segment {
    DUNLIN_OFF_SEGMENT_CLAMP = 0, /**< The end that is nearer to the foot, and the segment's direction. */
    DUNLIN_OFF_SEGMENT_END,       /**< Always b, and the segment's direction, as in The Nature of Code, example 5.6. */
    /** Always b, and the next segment's direction, or on the last segment of an open path its own, as in The Nature of Code,
     * exercise 5.13. */
    DUNLIN_OFF_SEGMENT_NEXT
} dunlin_off_segment;

/**
 * FOLLOW_PATH (D. Shiffman, "The Nature of Code", example 5.6, after Reynolds). p = x + l·v/|v| is the agent's predicted place,
 * with l from `prediction`; at rest p = x. Each segment of the path gives one point: the foot of the perpendicular from p, or
 * the point that off_segment says. n is the nearest of these points to p; of equal distances the first. If |p - n| is larger
 * than the radius, the agent seeks the point n + l·e, so Δ = n + l·e - x, never across the edge. Here l is from `ahead`, and e
 * is the direction of n's segment (zero if its ends are equal). Otherwise there is no force.
 */
typedef struct dunlin_follow {
    int path;                       /**< The path's number; default 0. */
    float radius;                   /**< World units, 0 .. 1e9: half the width of the path; default 10. */
    dunlin_ahead prediction;        /**< Default 25 world units. */
    dunlin_ahead ahead;             /**< Default 10 world units. */
    dunlin_off_segment off_segment; /**< Default DUNLIN_OFF_SEGMENT_CLAMP. */
} dunlin_follow;

/** The field of FLOW and WIND. */
typedef struct dunlin_flow {
    int field;        /**< The field's number; default 0. */
    float look_ahead; /**< Time units, 0 .. 1e6: f is the vector at x + v·look_ahead; default 0. */
} dunlin_flow;

/**
 * AVOID (Reynolds 1999, obstacle avoidance). An agent steers aside if it would hit an obstacle, grown by agent_radius, within
 * look_ahead at its present velocity. Only the first obstacle counts; of several that the agent would hit at the same time, the
 * one with the minimum number. With h = v/|v| and n the outward normal at the hit, u = m·(h + s)/|h + s|. s is the direction of
 * n - (n·h)·h: for a ball, seen along h, straight away from the centre. If that vector is shorter than 1e-4 (head on), s is to
 * the left of h in 2D, (-hy, hx); in 3D it is the direction of (-hy, hx, 0) if |hz| < |hx|, and otherwise of (0, -hz, hy).
 *
 * An agent that is already inside an obstacle steers out: u = m·n, with n the outward normal at the nearest place on the
 * surface, or -h at the centre of a ball or on the line of a capsule, where every direction is equally near. An agent at rest
 * gets no force. Moving along a surface is not a hit, and in 3D no agent hits a line without a radius.
 */
typedef struct dunlin_avoid {
    float look_ahead;   /**< Time units, 0 .. 1e6: how far ahead the agent looks; default 10. */
    float agent_radius; /**< World units, 0 .. 1e9: obstacles grow by this; default 0. */
} dunlin_avoid;

/**
 * SIDESTEP (after G. W. Flake, "The Computational Beauty of Nature", 1998, chapter 16, where boids move sideways until no other
 * boid blocks their view). h = v/|v| is the heading. S is the sum of Δ over all other agents of the observed species that are
 * within dunlin_behaviour_def.radius and whose direction is at most half_angle from h; n = S/|S|. u = m·s, where s is the
 * direction of -(n - (n·h)·h): seen along h, straight away from the agents' mean position. If that vector is shorter than 1e-4
 * (straight ahead), s is to the right of h in 2D, (hy, -hx); in 3D it is the direction of (hy, -hx, 0) if |hz| < |hx|, and
 * otherwise of (0, hz, -hy). If S is zero, or the agent is at rest, there is no force.
 */
typedef struct dunlin_sidestep {
    int observed;     /**< The observed species, possibly the agent's own; default 0. */
    float half_angle; /**< Radians, > 0, <= pi: half the field of view; default pi/4. */
} dunlin_sidestep;

/** What ADAPT attends to. */
typedef enum dunlin_signal {
    DUNLIN_SIGNAL_NEIGHBOURS = 0, /**< How many agents of the observed species are within dunlin_behaviour_def.radius. */
    DUNLIN_SIGNAL_NEAREST,        /**< World units: the distance to the nearest of them; without one, the radius. */
    DUNLIN_SIGNAL_ALIGNMENT, /**< The cosine of the angle between the agent's velocity and the sum of theirs; 0 without any. */
    DUNLIN_SIGNAL_SEES,      /**< 1 if there is at least one of them, for example a predator in sight; otherwise 0. */
    DUNLIN_SIGNAL_SPEED,     /**< World units per time unit: the agent's own speed. */
    DUNLIN_SIGNAL_ATTRIBUTE, /**< Another attribute of the agent, such as its energy or the time since its last meal. */
    /** The length of a field's vector at the agent's place. Of a trace it is the number there instead, by the field's lookup,
     * as it was at the beginning of the step; a number above 5e17 counts as 0. */
    DUNLIN_SIGNAL_FIELD
} dunlin_signal;

/** How ADAPT answers to a signal s. */
typedef enum dunlin_adapt_response {
    DUNLIN_ADAPT_LINEAR = 0, /**< r = offset + gain·s. */
    DUNLIN_ADAPT_THRESHOLD   /**< r = offset + gain if s >= threshold, otherwise r = offset. */
} dunlin_adapt_response;

/**
 * ADAPT: in every step the agent's attribute w becomes w + rate·(r - w) + decay·(rest - w), clamped to [low, high], where r is
 * the response to the signal. This is computed in binary32, from left to right. So with rate 0.01 the agent remembers about the
 * last hundred steps. An attribute that weighs a rule or a behaviour, scales radii or limits speed or force makes the agent's
 * history change how it steers: two flocks in the same surroundings may differ by what they have been through.
 *
 * Signals are from the snapshot, while w is what earlier behaviours and callbacks of the step have made of the attribute. Any
 * role may adapt but DUNLIN_ROLE_GROUP and DUNLIN_ROLE_BODY. The attributes must exist, and low and high be in the role's
 * range, when the world takes its next step; if the attribute exists already, that is checked at once.
 */
typedef struct dunlin_adapt {
    int attribute;        /**< The number of the attribute that moves; default 0. */
    dunlin_signal signal; /**< Default DUNLIN_SIGNAL_NEIGHBOURS. */
    int observed; /**< NEIGHBOURS, NEAREST, ALIGNMENT, SEES: the observed species, possibly the agent's own; default 0. */
    int source;   /**< ATTRIBUTE: its number; default 0. */
    int field;    /**< FIELD: its number; default 0. */
    dunlin_adapt_response response; /**< Default DUNLIN_ADAPT_LINEAR. */
    float gain;                     /**< Within ±1e6; default 1. */
    float offset;                   /**< Within ±1e30; default 0. */
    float threshold;                /**< THRESHOLD: within ±1e30; default 0. */
    float rate;                     /**< Per step, 0 .. 1; default 0.01. */
    float decay;                    /**< Per step, 0 .. 1 - rate: how fast the attribute returns to `rest`; default 0. */
    float rest;                     /**< Within ±1e30; default 0. */
    float low;                      /**< Within ±1e30; default 0. */
    float high;                     /**< At least low, at most 1e30; default 1. */
} dunlin_adapt;

/** PAIRS: which agents the callback gets. */
typedef struct dunlin_pairs {
    int observed;               /**< The observed species, possibly the agent's own; default 0. */
    float radius;               /**< World units, 1e-9 .. 1e9; default 1. */
    dunlin_packet_fn *callback; /**< Not NULL; default NULL, so it must be set. */
} dunlin_pairs;

/** The definition of a behaviour. Every kind reads `kind` and `species`. All but callbacks also read `weight`, `max_force` and
 * `negate_force`. Each of the other fields names the kinds that read it. */
typedef struct dunlin_behaviour_def {
    int cookie;                 /**< Set by dunlin_behaviour_def_default(). */
    dunlin_behaviour_kind kind; /**< Set by dunlin_behaviour_def_default(). */
    int species;                /**< The species whose agents behave so; default 0. */
    float weight;               /**< Multiplies the force; within ±1e6; default 1. */
    /** Velocity per time unit, 0 .. 1e9: the limit of the force before it is weighted. Below 0, the default: the agent's
     * max_force; for FORCE, DRAG, WIND and BODY no limit. */
    float max_force;
    bool negate_force; /**< Reverses the force, as some sketches do to flee; default false. */
    /** Kinds with a target of kind POINT, AGENT or GROUP_...: world units, >= 0; there is no force if the target is farther
     * away. INFINITY, the default: no limit. SIDESTEP, ADAPT, and targets of kind NEAREST or CENTRE: the radius within which
     * agents see others, world units, 1e-9 .. 1e9; it must be set. */
    float radius;
    dunlin_target target;     /**< SEEK, FLEE, ARRIVE, PURSUE, EVADE. */
    float slowing_radius;     /**< ARRIVE: world units, > 0, <= 1e9; default 10. */
    dunlin_pursuit pursuit;   /**< PURSUE, EVADE. */
    dunlin_wander wander;     /**< WANDER. */
    dunlin_contain contain;   /**< CONTAIN. */
    dunlin_follow follow;     /**< FOLLOW_PATH. */
    dunlin_avoid avoid;       /**< AVOID. */
    dunlin_sidestep sidestep; /**< SIDESTEP. */
    float force[3];           /**< FORCE: velocity per time unit, within ±1e9; default 0. */
    float linear_drag;        /**< DRAG: per time unit, 0 .. 1e6; default 0. */
    float quadratic_drag;     /**< DRAG: per world unit, 0 .. 1e6; default 0. */
    dunlin_flow flow;         /**< FLOW, WIND. */
    int body;                 /**< BODY: the species of the bodies, whose body_of is `species`; default 0. */
    dunlin_adapt adapt;       /**< ADAPT. */
    dunlin_tile_fn *custom;   /**< CUSTOM: the callback, not NULL; default NULL, so it must be set. */
    /** CUSTOM: the number of an attribute of the species, of DUNLIN_ROLE_VALUE, such as an energy. An agent in which it is 0 or
     * less at the end of a step, after all callbacks and meals, dies. -1, the default: none. The attribute must exist when the
     * world takes its next step. Checkpoints do not hold it: what connects the callback sets it, too. */
    int vital;
    dunlin_pairs pairs; /**< PAIRS. */
    /** CUSTOM, PAIRS: the callback's first argument; default NULL. What it points to must outlive the behaviour. */
    void *user;
} dunlin_behaviour_def;

/** The defaults for this world and kind. */
DUNLIN_API dunlin_behaviour_def dunlin_behaviour_def_default(const dunlin_world *world, dunlin_behaviour_kind kind);

/**
 * Adds a behaviour. A species may have any number of behaviours, including several of one kind. Their forces are added in the
 * order of their numbers, after those of all interactions.
 */
DUNLIN_API dunlin_result dunlin_world_add_behaviour(dunlin_world *world, const dunlin_behaviour_def *def, int *behaviour,
                                                    dunlin_error *error);

/** The number of behaviours. */
DUNLIN_API int dunlin_world_behaviour_count(const dunlin_world *world);

/** The definition of a behaviour. A moving target's position is its present place. */
DUNLIN_API dunlin_behaviour_def dunlin_world_get_behaviour(const dunlin_world *world, int behaviour);

/**
 * Replaces a behaviour. If an attribute weighs it (DUNLIN_ROLE_BEHAVIOUR_WEIGHT), its species must stay, and it cannot become a
 * callback. A moving target whose position and velocity are as dunlin_world_get_behaviour() returns them goes on as if nothing
 * had been set, with the same bits.
 */
DUNLIN_API dunlin_result dunlin_world_set_behaviour(dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                                    dunlin_error *error);

/** Removes a behaviour. A behaviour that an attribute weighs is an error. Behaviours of kind WANDER with higher numbers draw
 * their directions by their new numbers. */
DUNLIN_API dunlin_result dunlin_world_remove_behaviour(dunlin_world *world, int behaviour, dunlin_error *error);

/* ---- numbers for callers ---------------------------------------------------------------------------------------------- */

/**
 * Draws four random numbers for a callback: evenly from [0, 1), multiples of 2^-24. They depend only on the seed, the agent's
 * id, the step and `stream`, which distinguishes several draws for one agent in one step (0 .. 2^24 - 1; larger values count
 * modulo 2^24). The engine itself uses none of these numbers. The generator is Philox 4x32-10, Salmon et al., SC 2011.
 * `numbers` must not be NULL. The same bits on every machine. Thread-safe.
 */
DUNLIN_API void dunlin_draw(uint64_t seed, uint32_t id, uint64_t step, uint32_t stream, float numbers[4]);

/** sin(2·pi·turns), with an error of at most 1e-7 for |turns| < 2^51, where doubles still tell quarter turns apart; 0 for
 * infinities and NaN. The same bits on every machine, which libm does not promise. Thread-safe. */
DUNLIN_API float dunlin_sine_of_turns(double turns);

/** Gradient noise that changes smoothly with time: -1 .. 1, mostly within ±0.6, about one swing per unit of time. It is the
 * noise of dunlin_field_noise with three axes, along the line (time, 1/3, 2/3), with 1 .. 8 octaves. Each seed gives another
 * noise. Returns 0 if `octaves` is out of range or `time` is not finite. The same bits on every machine. Thread-safe. */
DUNLIN_API float dunlin_noise_over_time(uint64_t seed, int octaves, double time);

/**
 * The offset between two places, with the bits that interactions and behaviours have: offset[a] = to[a] - from[a] in binary32,
 * where the world is periodic to the nearest image. In 2D [2] of the places is not read, and offset[2] is 0. Callbacks may call
 * it. No pointer may be NULL.
 */
DUNLIN_API void dunlin_world_offset(const dunlin_world *world, const float from[3], const float to[3], float offset[3]);

#ifdef __cplusplus
}
#endif

#endif
