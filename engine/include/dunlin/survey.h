/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Measuring a flock: metrics of a species, surveys of its structure, displacements. dunlin.h says what holds in all parts.
 *
 * No result depends on threads, kernel, index or storage order: results are counts, minima, maxima, and exact sums of terms
 * that are rounded first. `species` is a species' number, or, for surveys and displacements, DUNLIN_ALL_SPECIES. Results that
 * have no value are NaN, such as a mean over no agents.
 */
#ifndef DUNLIN_SURVEY_H
#define DUNLIN_SURVEY_H

#include <dunlin/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- measurements ----------------------------------------------------------------------------------------------------- */

/** Measurements of a species. */
typedef struct dunlin_metrics {
    uint64_t agents; /**< Agents of the species. */
    /** The length of the mean heading, 0 .. 1. An agent at rest counts as a zero vector. */
    double polarization;
    /** Milling, 0 .. 1: the length of the mean of r × heading, with r the unit vector from the flock's centre to the agent. The
     * centre is the mean position, in a periodic world the circular mean. Couzin et al., J. Theor. Biol. 218, 1 (2002). */
    double rotation;
    /** World units squared per time unit: the mean of r × v, with r the vector from the flock's centre to the agent and v its
     * velocity. In 2D x and y are 0, and z is positive if the flock turns counterclockwise. With unit masses it is the angular
     * momentum per agent: D'Orsogna et al., Phys. Rev. Lett. 96, 104302 (2006). */
    double angular_momentum[3];
    double mean_speed;      /**< World units per time unit. */
    double mean_neighbours; /**< Neighbours per agent, of the same species, within neighbour_radius. */
    /** World units: the maximum radius with which the species observes itself; 0: it does not. */
    double neighbour_radius;
    /** World units: the mean distance to the nearest agent of the same species within 1e19. */
    double mean_nearest;
    /** Agents outside the world and its margin. Always 0 in open worlds and with boundary_first. */
    uint64_t outside;
} dunlin_metrics;

/** Measures the present state of a species, in binary64; headings and the terms of rotation are rounded to multiples of 2^-50.
 * It uses spare buffers of the world, which is therefore not const; views stay valid. O(agents) unless agents are spread very
 * unevenly. Allocates memory. */
DUNLIN_API dunlin_result dunlin_world_measure(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/**
 * Makes the next step measure all species, too, in the state that the step begins with, bodies that it creates included: the
 * same bits as from dunlin_world_measure() in far less time, because the step visits all neighbours anyway. A steady run
 * allocates nothing. It takes a separate pass for each species of which no interaction counts all neighbours within
 * neighbour_radius. In a part of a flock each rank measures its own agents and a few kilobytes of totals are added up; only
 * with boundary_first the flock is gathered on rank 0 for it.
 */
DUNLIN_API dunlin_result dunlin_world_measure_in_step(dunlin_world *world, dunlin_error *error);

/** Returns what the last measuring step measured, by the species' numbers at that time. If no step followed
 * dunlin_world_measure_in_step(), it measures the present state instead, for which it gathers a flock in parts on rank 0, and
 * the next step does not. Call it before changing the state by other means. It fails if no measurement was ever requested. */
DUNLIN_API dunlin_result dunlin_world_measured(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/* ---- surveys ---------------------------------------------------------------------------------------------------------- */

/**
 * A survey measures a flock as a whole. It keeps its memory, so using it again for a world of the same size allocates nothing.
 * It may be used for any world, between steps, by one thread at a time. Arrays of its results are valid until it is used again
 * or destroyed. The functions use the world's threads, so the world is not const, but they change nothing in it.
 */
typedef struct dunlin_survey dunlin_survey;

/** Creates a survey in *survey; dunlin_survey_destroy() frees it. */
DUNLIN_API dunlin_result dunlin_survey_create(dunlin_survey **survey, dunlin_error *error);

/** Frees the survey and all that its results point to. NULL is allowed. */
DUNLIN_API void dunlin_survey_destroy(dunlin_survey *survey);

/** The connected components of a flock: two agents are in one component if a chain of agents leads from one to the other in
 * which each is within the radius of the next (in a periodic world by the nearest images). An agent without another within the
 * radius is a component of one. */
typedef struct dunlin_components {
    uint32_t agents;  /**< Agents, in all components together. */
    uint32_t count;   /**< Components. */
    uint32_t largest; /**< Agents of the largest component. */
    double mean_size; /**< Agents per component. */
    /** The size of an agent's component, averaged over the agents: Σ size² / Σ size. Jarman, Behaviour
     * 48, 215 (1974). */
    double typical_size;
    /** [count] Agents of each component, the largest first. */
    const uint32_t *sizes;
    /** [species][its agents] Each agent's component, by the slots of the species' view: the minimum id of its agents. NULL:
     * the species was not measured. */
    const uint32_t *labels[DUNLIN_MAX_SPECIES];
} dunlin_components;

/** Finds components. `radius`: world units, 1e-9 .. 1e9; agents at exactly this distance are connected. O(agents + pairs within
 * the radius). */
DUNLIN_API dunlin_result dunlin_survey_components(dunlin_survey *survey, dunlin_world *world, int species, float radius,
                                                  dunlin_components *components, dunlin_error *error);

/**
 * Agents in boxes of equal size that fill the world: each side is cut into a whole number of boxes, with sides close to the
 * requested one. In an open world the boxes have exactly that side, and cover the agents from their minimum coordinates on. An
 * agent outside a world with edges counts in the nearest box.
 *
 * The variance has boxes - 1 in the denominator. Fluctuations are giant if ΔN ∝ ⟨N⟩^a over boxes of several sizes, with a above
 * 1/2: Narayan et al., Science 317, 105 (2007); Chaté et al., Phys. Rev. E 77, 046113 (2008).
 */
typedef struct dunlin_density {
    uint64_t boxes;          /**< Boxes. */
    double box_size[3];      /**< World units: a box's sides. */
    double mean_count;       /**< ⟨N⟩: agents per box. */
    double count_variance;   /**< (ΔN)²: the variance of the agents per box; NaN if there is only one box. */
    double mean_density;     /**< Agents per square or cubic world unit. */
    double density_variance; /**< The variance of the density; NaN likewise. */
} dunlin_density;

/** The maximum number of boxes of dunlin_survey_density(). */
#define DUNLIN_MAX_BOXES 16777216

/** Counts agents in boxes. `box_size`: the requested side, world units, 1e-9 .. 1e9; more than DUNLIN_MAX_BOXES boxes are an
 * error. O(agents + boxes). */
DUNLIN_API dunlin_result dunlin_survey_density(dunlin_survey *survey, dunlin_world *world, int species, double box_size,
                                               dunlin_density *density, dunlin_error *error);

/** The exponent a of ΔN ∝ ⟨N⟩^a: the slope of log ΔN against log ⟨N⟩ over densities[count] for boxes of several sizes, by least
 * squares. Entries with zero variance are skipped; NaN if fewer than two different means remain. */
DUNLIN_API double dunlin_fluctuation_exponent(const dunlin_density *densities, int count);

/** Which pairs of agents dunlin_survey_correlation() compares. */
typedef struct dunlin_correlation_def {
    int cookie;  /**< Internal. */
    int species; /**< A species or DUNLIN_ALL_SPECIES. */
    /** World units, 1e-9 .. 1e9: the maximum distance of pairs; default half the world's shortest side, beyond which a periodic
     * world has no images in all directions. */
    float max_radius;
    int bins; /**< 1 .. 10 000: the correlation is averaged over bins of distances of max_radius / bins; default 50. */
    /** About how many agents to draw; each is compared with all agents within max_radius. 0: all agents, which in a
     * flock of millions may take days. The draw depends only on the world's seed, the step and the agents' ids. */
    uint32_t samples;
} dunlin_correlation_def;

/** The defaults for this world. */
DUNLIN_API dunlin_correlation_def dunlin_correlation_def_default(const dunlin_world *world);

/** How far the agents' velocities are correlated beyond their common motion. u = v - ⟨v⟩ is an agent's velocity minus the mean
 * velocity of all agents. C(r) is the mean of u_i·u_j over the pairs of agents at distance r, divided by the mean of u².
 * Cavagna et al., PNAS 107, 11865 (2010). */
typedef struct dunlin_correlation {
    /** World units: the correlation length, where C(r) first falls to 0, interpolated between the middles of bins, from
     * C(0) = 1. NaN: it does not fall to 0 within max_radius, or there are no fluctuations. */
    double length;
    double fluctuation; /**< World units per time unit: the root of the mean of u². */
    uint32_t samples;   /**< Agents that were drawn. */
    uint64_t pairs;     /**< Pairs of agents within max_radius of which at least one was drawn. */
    int bins;           /**< As in the definition. */
    double bin_width;   /**< World units. */
    /** [bins] C(r) for distances from k·bin_width up to (k + 1)·bin_width; the last bin includes max_radius. NaN: no pairs, or
     * no fluctuations. */
    const double *correlation;
    const uint64_t *bin_pairs; /**< [bins] Pairs of agents. */
} dunlin_correlation;

/** Correlates velocity fluctuations. They are rounded to 2^-30 of their maximum; those of at most 2^-50 of the maximum velocity
 * count as none. O(agents + pairs). */
DUNLIN_API dunlin_result dunlin_survey_correlation(dunlin_survey *survey, dunlin_world *world,
                                                   const dunlin_correlation_def *def, dunlin_correlation *correlation,
                                                   dunlin_error *error);

/* ---- displacements ---------------------------------------------------------------------------------------------------- */

/** How far agents have moved since a start. A displacement object keeps the ids of the agents at the start, and follows them
 * across the edges of a periodic or teleporting world: once around the world counts as the world's size. It takes 16 bytes per
 * agent and 12 more per dimension. */
typedef struct dunlin_displacement dunlin_displacement;

/** Creates a displacement object in *displacement, with the present state as its start; dunlin_displacement_destroy() frees it.
 */
DUNLIN_API dunlin_result dunlin_displacement_create(const dunlin_world *world, dunlin_displacement **displacement,
                                                    dunlin_error *error);

/** Frees a displacement object. NULL is allowed. */
DUNLIN_API void dunlin_displacement_destroy(dunlin_displacement *displacement);

/** Follows all agents to their present places. Call it before an agent can have moved by half the world's size (in teleporting
 * worlds with both margins), because it takes the shorter way. Agents born after the start do not count. O(agents). */
DUNLIN_API dunlin_result dunlin_displacement_follow(dunlin_displacement *displacement, const dunlin_world *world,
                                                    dunlin_error *error);

/** Displacements of the agents that were alive at the start and still are. */
typedef struct dunlin_displacements {
    uint64_t agents; /**< The number of these agents. */
    /** World units squared: the mean of |x(t) - x(0)|². In free diffusion it grows as 2·dimensions·D·t, in straight motion as
     * v²·t²: Frenkel and Smit, Understanding Molecular Simulation, 2nd ed., section 4.4 (2002). */
    double mean_squared;
    double mean[3]; /**< World units: the mean displacement. */
    double time;    /**< Time units since the start. */
} dunlin_displacements;

/** Measures displacements up to the places of the last dunlin_displacement_follow(). */
DUNLIN_API dunlin_result dunlin_displacement_measure(const dunlin_displacement *displacement, const dunlin_world *world,
                                                     int species, dunlin_displacements *measured, dunlin_error *error);

/** Writes a displacement object in binary, little-endian, with a checksum, beside a checkpoint of its world. */
DUNLIN_API dunlin_result dunlin_displacement_save_to(const dunlin_displacement *displacement, dunlin_write_fn *write,
                                                     void *context, dunlin_error *error);

/** Restores a saved displacement object, for a world that continues its run. Corrupt data is an error. */
DUNLIN_API dunlin_result dunlin_displacement_restore_from(const dunlin_world *world, dunlin_displacement **displacement,
                                                          dunlin_read_fn *read, void *context, dunlin_error *error);

#ifdef __cplusplus
}
#endif

#endif
