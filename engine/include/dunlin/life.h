/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What makes agents differ, and come and go: attributes, groups and their bodies, births, meals. dunlin.h says what holds in
 * all parts.
 *
 * "Nearly normal" means: mean + deviation·(sum of twelve numbers, even in [0, 1), - 6).
 */
#ifndef DUNLIN_LIFE_H
#define DUNLIN_LIFE_H

#include <dunlin/behaviours.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- attributes ------------------------------------------------------------------------------------------------------- */

/** What the engine uses an attribute for, and the range of its values. */
typedef enum dunlin_role {
    /** Nothing; within ±1e30. A species may have several of this role, but only one of each other role; of BEHAVIOUR_WEIGHT one
     * per behaviour. */
    DUNLIN_ROLE_VALUE = 0,
    DUNLIN_ROLE_MAX_SPEED, /**< Replaces the species' max_speed, and also its min_speed if that is larger; 0 .. 1e9. */
    DUNLIN_ROLE_MAX_FORCE, /**< Replaces the species' max_force; 0 .. 1e9. */
    DUNLIN_ROLE_MASS,      /**< Divides the sum of all forces; 1e-6 .. 1e6. */
    /** Multiplies radius and min_radius of the agent's rules; 0.001 .. dunlin_attribute_def.max_scale. */
    DUNLIN_ROLE_RADIUS_SCALE,
    DUNLIN_ROLE_SEPARATION_WEIGHT, /**< Multiplies this rule's weight in all interactions of the observer; within ±1e6. */
    DUNLIN_ROLE_ALIGNMENT_WEIGHT,  /**< Likewise. */
    DUNLIN_ROLE_COHESION_WEIGHT,   /**< Likewise. */
    DUNLIN_ROLE_BEHAVIOUR_WEIGHT,  /**< Multiplies the weight of one behaviour; within ±1e6. */
    /** The number of the agent's group: a whole number, 0 .. dunlin_species_def.groups - 1; the species must have groups. What
     * is drawn, or written by a callback, is rounded down. */
    DUNLIN_ROLE_GROUP,
    DUNLIN_ROLE_LEADERSHIP, /**< The agent of a group with the largest value leads the group; within ±1e30. */
    /** The number of a body's group, which the engine sets. */
    DUNLIN_ROLE_BODY,
    /** Time units since the agent's last meal or birth, 0 .. 1e30: each step adds the time step, and a meal sets it to 0. */
    DUNLIN_ROLE_SINCE_MEAL,
    DUNLIN_ROLE_SEPARATION_RADIUS_SCALE, /**< As RADIUS_SCALE, for one rule. An agent may have both: each multiplies. */
    DUNLIN_ROLE_ALIGNMENT_RADIUS_SCALE,  /**< Likewise. */
    DUNLIN_ROLE_COHESION_RADIUS_SCALE,   /**< Likewise. */
    DUNLIN_ROLE_COUNT                    /**< The number of roles. */
} dunlin_role;

/** How the values of new agents are drawn: by the world's seed, the agent's id and the attribute's number. */
typedef enum dunlin_distribution {
    DUNLIN_DISTRIBUTION_SAME = 0, /**< Always `value`. */
    /** Evenly from [min_value, max_value]; with DUNLIN_ROLE_GROUP one of the whole numbers from min_value to max_value. */
    DUNLIN_DISTRIBUTION_EVEN,
    /** Nearly normal, with mean `value`, clamped to [min_value, max_value]. */
    DUNLIN_DISTRIBUTION_NORMAL,
    /** min_value + id mod n, where n is the number of whole numbers from min_value to max_value. */
    DUNLIN_DISTRIBUTION_IN_TURN
} dunlin_distribution;

/** A number that each agent of a species has: its strength, its age, its energy. */
typedef struct dunlin_attribute_def {
    int cookie;  /**< Internal. */
    int species; /**< Default 0. */
    /** As dunlin_species_def.name; unique in the species, and none of the words of state files: id, species, x, y, z, vx, vy,
     * vz, step, time, next_id. NULL, the default, is an error. */
    const char *name;
    dunlin_role role;                 /**< Default DUNLIN_ROLE_VALUE. */
    int behaviour;                    /**< BEHAVIOUR_WEIGHT: the number of a behaviour of the same species, not a callback. */
    dunlin_distribution distribution; /**< Default DUNLIN_DISTRIBUTION_SAME. */
    float value;                      /**< SAME, NORMAL: in the role's range; default 1. */
    float deviation;                  /**< NORMAL: 0 .. 1e30. */
    float min_value;                  /**< EVEN, NORMAL, IN_TURN: in the role's range. */
    float max_value;                  /**< EVEN, NORMAL, IN_TURN: in the role's range, >= min_value; default 1. */
    float mutation;                   /**< 0 .. 1e30: see dunlin_tile_inherit(). */
    /** RADIUS_SCALE, also of one rule: the maximum of all values, 1 .. 1000; default 1. For every agent the engine searches so
     * many times as far. */
    float max_scale;
} dunlin_attribute_def;

/** The defaults. */
DUNLIN_API dunlin_attribute_def dunlin_attribute_def_default(void);

/** Adds an attribute and draws values for the species' agents. Attributes are numbered within their species. */
DUNLIN_API dunlin_result dunlin_world_add_attribute(dunlin_world *world, const dunlin_attribute_def *def, int *attribute,
                                                    dunlin_error *error);

/** The number of attributes of a species; 0 if there is no such species. */
DUNLIN_API int dunlin_world_attribute_count(const dunlin_world *world, int species);

/** The definition of an attribute. `name` is valid until an attribute of the species is set or removed, or the species is
 * removed. */
DUNLIN_API dunlin_attribute_def dunlin_world_get_attribute(const dunlin_world *world, int species, int attribute);

/** Replaces an attribute's name, role and distribution; its species must stay. Agents keep their values, which must be in the
 * new role's range. An attribute that a meal uses keeps DUNLIN_ROLE_VALUE. O(agents); allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_set_attribute(dunlin_world *world, int species, int attribute,
                                                    const dunlin_attribute_def *def, dunlin_error *error);

/** Removes an attribute. Agents that are created later draw the values of attributes with higher numbers by their new numbers.
 */
DUNLIN_API dunlin_result dunlin_world_remove_attribute(dunlin_world *world, int species, int attribute, dunlin_error *error);

/** The number of the species' attribute with that name; -1 if there is none or `name` is NULL. */
DUNLIN_API int dunlin_world_find_attribute(const dunlin_world *world, int species, const char *name);

/** Sets an attribute of all agents of a species: values[agents] in storage order, in the role's range. Allocates nothing. */
DUNLIN_API dunlin_result dunlin_world_set_attribute_values(dunlin_world *world, int species, int attribute, const float *values,
                                                           dunlin_error *error);

/* ---- groups ----------------------------------------------------------------------------------------------------------- */

/**
 * Sums over the agents of each group of a species. Offsets are rounded to multiples of 2^-29 of the extent of the whole
 * species, velocities to multiples of 2^-29 of its maximum along an axis, or less, and added as whole numbers: with the same
 * bits in any order, but coarsely if one agent is very far from all others. With boundary_first they are of the places before
 * the boundary.
 *
 * In a periodic world the centre is the mean of the images that are nearest to a reference: the direction of the sum of the
 * agents' points on a diamond that stands for the axis, |c| + |s| = 1 with c = 1 - 4·min(t, 1 - t), t = x/size, and s likewise
 * a quarter later; if they cancel out, the leader. The centre of agents that are everywhere means little, and jumps.
 */
typedef struct dunlin_group_sums {
    uint32_t count;         /**< Groups: dunlin_species_def.groups. */
    const uint32_t *agents; /**< [count] Agents of each group. Where there are none, all floats below are NaN. */
    /** [count] The id of the agent with the maximum DUNLIN_ROLE_LEADERSHIP, of equal ones, or without such an attribute, of
     * that with the minimum id; UINT32_MAX: there are no agents. */
    const uint32_t *leader;
    const float *centre[3];    /**< [dimensions][count] World units: the mean place. */
    const float *velocity[3];  /**< [dimensions][count] The mean velocity, world units per time unit. */
    const float *spread;       /**< [count] World units: the root of the mean squared distance from the centre. */
    const float *polarization; /**< [count] 0 .. 1: as in dunlin_metrics. */
} dunlin_group_sums;

/** Sums over the groups of a species in its present state. The arrays are the world's own, valid until the next step, the next
 * call for this species, or a change of its groups. O(agents + groups·threads). Allocates memory at first. */
DUNLIN_API dunlin_result dunlin_world_sum_groups(dunlin_world *world, int species, dunlin_group_sums *sums,
                                                 dunlin_error *error);

/** Creates the bodies now that the next step would create: see dunlin_species_def.body_of. The states that follow have the same
 * bits, unless the next step regroups, or agents are changed before it. O(agents + groups·threads). Fails as
 * dunlin_world_step() does if an attribute, ids or memory are missing; lower-level bodies may already have been created. */
DUNLIN_API dunlin_result dunlin_world_make_bodies(dunlin_world *world, dunlin_error *error);

/* ---- births ----------------------------------------------------------------------------------------------------------- */

/**
 * Creates a child of agent `parent` of the tile, 0 .. count - 1, at the end of the step, even if the parent dies in it. Call
 * this function only from a dunlin_tile_fn, with the tile that the callback got. `species` is the child's. position[dimensions]
 * and velocity[dimensions], in the ranges of dunlin_batch, are the child's after the step. `attribute` holds a value for each
 * attribute of the child's species, in its role's range; NULL: they are drawn. Children go to the end of their species' storage
 * and get ascending ids, ordered by the parents' species, then by the parents' slots, then by calls.
 *
 * An invalid value is an error of this call only. If memory for the child runs out, the step fails, too.
 */
DUNLIN_API dunlin_result dunlin_tile_spawn(const dunlin_tile *tile, uint32_t parent, int species, const float *position,
                                           const float *velocity, const float *attribute, dunlin_error *error);

/** Fills values[attributes] for dunlin_tile_spawn() with the parent's species: the parent's present values plus nearly normal
 * deviates with dunlin_attribute_def.mutation, clamped to [min_value, max_value] of a distribution that has them, otherwise to
 * the role's range. They depend only on the world's seed, the parent's id, the step, the attribute and `child`, 0 .. 2^20 - 1,
 * which distinguishes children of a parent in one step. Call it only from a dunlin_tile_fn. */
DUNLIN_API void dunlin_tile_inherit(const dunlin_tile *tile, uint32_t parent, uint32_t child,
                                    float values[DUNLIN_MAX_ATTRIBUTES]);

/* ---- meals ------------------------------------------------------------------------------------------------------------ */

/**
 * One species eats another. In every step, an agent of the food species is eaten if the snapshot has an eater within the
 * radius; of several eaters, that with the minimum id eats it, and of several meals, that with the minimum number. The food is
 * still seen and moved in this step, and dies at its end. Agents that die by a callback are not eaten, but eat. `worth` is read
 * before the step; a meal adds to `energy` after callbacks. So let agents starve by dunlin_behaviour_def.vital, not by a
 * callback.
 */
typedef struct dunlin_meal_def {
    int cookie;   /**< Internal. */
    int eater;    /**< The species that eats. */
    int food;     /**< The species that is eaten, another one; default 1. */
    float radius; /**< World units, 1e-9 .. 1e9; an agent at exactly this distance is eaten; default 1. */
    int energy;   /**< The eater's attribute, of DUNLIN_ROLE_VALUE, to which a meal adds; -1, the default: none. */
    float gain;   /**< What each eaten agent adds, within ±1e6; default 1. The sum is clamped to ±1e30. */
    int worth;    /**< The food's attribute, of DUNLIN_ROLE_VALUE, that multiplies gain; -1, the default: none. */
} dunlin_meal_def;

/** The defaults. */
DUNLIN_API dunlin_meal_def dunlin_meal_def_default(void);

/** Adds a meal. */
DUNLIN_API dunlin_result dunlin_world_add_meal(dunlin_world *world, const dunlin_meal_def *def, int *meal, dunlin_error *error);

/** The number of meals. */
DUNLIN_API int dunlin_world_meal_count(const dunlin_world *world);

/** The definition of a meal. */
DUNLIN_API dunlin_meal_def dunlin_world_get_meal(const dunlin_world *world, int meal);

/** Replaces a meal. */
DUNLIN_API dunlin_result dunlin_world_set_meal(dunlin_world *world, int meal, const dunlin_meal_def *def, dunlin_error *error);

/** Removes a meal. */
DUNLIN_API dunlin_result dunlin_world_remove_meal(dunlin_world *world, int meal, dunlin_error *error);

#ifdef __cplusplus
}
#endif

#endif
