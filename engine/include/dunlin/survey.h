/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Measuring a flock: metrics, surveys of its structure, displacements. dunlin.h says what holds in all parts.
 */
#ifndef DUNLIN_SURVEY_H
#define DUNLIN_SURVEY_H

#include <dunlin/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- measurements ----------------------------------------------------------------------------------------------------- */

/** Measurements of a species. What no agent has, has no value: without agents all but the counts and neighbour_radius is NaN.
 */
typedef struct dunlin_metrics {
    uint64_t agents; /**< Agents of the species. */
    /** The length of the mean heading, 0 .. 1. An agent at rest has no heading and counts as a zero vector. */
    double polarization;
    /** Milling, 0 .. 1: the length of the mean of r × heading, with r the unit vector from the flock's centre to the agent. The
     * centre is the mean position, in a periodic world the circular mean. Couzin et al., J. Theor. Biol. 218, 1 (2002). */
    double rotation;
    /** The mean of r × v over all agents, with r the vector from the flock's centre to the agent and v its velocity. World
     * units squared per time unit. In 2D x and y are 0, and z is positive if the flock turns counterclockwise. With unit masses
     * it is the angular momentum per agent: D'Orsogna et al., Phys. Rev. Lett. 96, 104302 (2006). */
    double angular_momentum[3];
    double mean_speed;      /**< World units per time unit. */
    double mean_neighbours; /**< Neighbours per agent, of the same species, within neighbour_radius. */
    /** World units: the maximum radius with which the species observes itself, in interactions and behaviours; 0: it does
     * not. */
    double neighbour_radius;
    /** World units: the mean distance to the nearest agent of the same species; NaN if no agent has another within 1e19. */
    double mean_nearest;
    /** Agents outside the world and its margin. Always 0 in open worlds and with boundary_first. */
    uint64_t outside;
} dunlin_metrics;

/**
 * Measures the present state of a species. Sums over agents are exact, so threads, kernel, index and the agents' order in
 * memory do not change a bit of the result. Each agent's terms are computed in binary64; headings and what rotation sums are
 * rounded to multiples of 2^-50.
 *
 * The function uses spare buffers of the world, so it is not const; views stay valid. O(agents) unless agents are spread very
 * unevenly. Allocates memory.
 */
DUNLIN_API dunlin_result dunlin_world_measure(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/**
 * Asks the next step to measure, too: all species, in the state that the step begins with. This takes far less time than
 * dunlin_world_measure(), because the step visits all neighbours anyway, and gives the same bits. It costs no memory in a
 * steady simulation. Bodies that the step makes, because groups lack them, are measured, too.
 *
 * Some species are measured in separate passes when the step begins, because no interaction counts just the neighbours within
 * neighbour_radius: species that do not observe themselves; those observed with a field of view, a minimum radius, kin,
 * `nearest`, `max_neighbours` or `ignore_coincident`; those whose radii an attribute scales; those that a behaviour observes
 * from further away; and all species in a world with boundary_first.
 */
DUNLIN_API dunlin_result dunlin_world_measure_in_step(dunlin_world *world, dunlin_error *error);

/**
 * What the last step that was asked to measure has measured, by the species' numbers at that time. If no step has been taken
 * since the last call of dunlin_world_measure_in_step(), this function measures the present state of all species, and the next
 * step does not. To measure a state that something else than a step is about to change, call it before. An error if no step was
 * ever asked.
 */
DUNLIN_API dunlin_result dunlin_world_measured(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error);

/* ---- surveys ---------------------------------------------------------------------------------------------------------- */

/**
 * A survey measures what a flock does as a whole: its groups, the fluctuations of its density, the correlation of its
 * velocities. It keeps the memory for that from one use to the next, so using it again for a world of the same size allocates
 * nothing. It may be used for any world and at any time between steps, but by one thread at a time.
 *
 * The functions use the world's threads, so the world is not const, but they change nothing in it. Their numbers do not depend
 * on threads, kernel, index or storage order: they are counts, minima, maxima, and sums of whole numbers.
 */
typedef struct dunlin_survey dunlin_survey;

/** Creates a survey in *survey; dunlin_survey_destroy() frees it. On failure *survey is NULL. */
DUNLIN_API dunlin_result dunlin_survey_create(dunlin_survey **survey, dunlin_error *error);

/** Frees the survey and all that its results point to. NULL is allowed. */
DUNLIN_API void dunlin_survey_destroy(dunlin_survey *survey);

/**
 * The groups of a flock: two agents are in one group if a chain of agents leads from one to the other in which each is within
 * the radius of the next (connected components; in a periodic world by the nearest images). An agent without another within the
 * radius is a group of one. Without agents the sizes' means are NaN, and all other fields are 0.
 */
typedef struct dunlin_components {
    uint32_t agents;  /**< Agents, in all groups together. */
    uint32_t count;   /**< Groups. */
    uint32_t largest; /**< Agents of the largest group. */
    double mean_size; /**< Agents per group. */
    /** The size of the group that an agent is in, averaged over the agents: Σ size² / Σ size over the groups. Jarman, Behaviour
     * 48, 215 (1974). */
    double typical_size;
    /** [count] Agents of each group, the largest first. Valid until the survey is used again or destroyed. */
    const uint32_t *sizes;
    /** [species][its agents] Each agent's group, by the slots of the species' view: the minimum id of the group's agents. NULL
     * for a species that was not asked for. Valid like `sizes`. */
    const uint32_t *labels[DUNLIN_MAX_SPECIES];
} dunlin_components;

/**
 * Finds the groups of a species, or of DUNLIN_ALL_SPECIES. `radius`: world units, 1e-9 .. 1e9; agents at exactly this distance
 * belong together. O(agents), with a share for the neighbours within the radius. Allocates memory at first. If it fails,
 * *groups is zeroed.
 */
DUNLIN_API dunlin_result dunlin_survey_components(dunlin_survey *survey, dunlin_world *world, int species, float radius,
                                                  dunlin_components *groups, dunlin_error *error);

/**
 * How many agents there are in boxes of equal size that fill the world. The world's sides are cut into whole numbers of boxes,
 * so that a box's sides come close to what is asked for. In an open world the boxes have exactly the sides that are asked for,
 * and cover the agents from their minimum coordinates on. An agent outside a world with edges counts in the nearest box.
 *
 * The variance is that of a sample, with boxes - 1 in the denominator: for agents that are placed at random, independently of
 * each other, it equals mean_count on average, in as many boxes as there are. Fluctuations are called giant if the standard
 * deviation grows with the mean as ΔN ∝ ⟨N⟩^a over boxes of several sizes, with a above 1/2: Narayan, Ramaswamy and Menon,
 * Science 317, 105 (2007); Chaté, Ginelli, Grégoire and Raynaud, Phys. Rev. E 77, 046113 (2008).
 */
typedef struct dunlin_density {
    uint64_t boxes;          /**< Boxes. */
    double box_size[3];      /**< World units: a box's sides; [2] is 0 in 2D. */
    double mean_count;       /**< ⟨N⟩: agents per box. */
    double count_variance;   /**< (ΔN)²: the variance of the agents per box; NaN if there is only one box. */
    double mean_density;     /**< Agents per square or cubic world unit. */
    double density_variance; /**< The variance of the density; NaN likewise. */
} dunlin_density;

/** The maximum number of boxes of dunlin_survey_density(). */
#define DUNLIN_MAX_BOXES 16777216

/**
 * Counts the agents of a species, or of DUNLIN_ALL_SPECIES, in boxes. `box_size`: world units, 1e-9 .. 1e9; more than
 * DUNLIN_MAX_BOXES boxes are an error. O(agents + boxes). Allocates memory at first. If it fails, *density is zeroed.
 */
DUNLIN_API dunlin_result dunlin_survey_density(dunlin_survey *survey, dunlin_world *world, int species, double box_size,
                                               dunlin_density *density, dunlin_error *error);

/** The exponent a of ΔN ∝ ⟨N⟩^a: the slope of log ΔN against log ⟨N⟩ over densities[count] for boxes of several sizes, by least
 * squares. Those without fluctuations are left out; NaN if fewer than two different means are left. Thread-safe. */
DUNLIN_API double dunlin_fluctuation_exponent(const dunlin_density *densities, int count);

/** Which pairs of agents dunlin_survey_correlation() compares. */
typedef struct dunlin_correlation_def {
    int cookie;  /**< Set by dunlin_correlation_def_default(). */
    int species; /**< A species or DUNLIN_ALL_SPECIES; default 0. */
    /** World units, 1e-9 .. 1e9: pairs of agents at most this far apart; default half the world's shortest side, beyond which a
     * periodic world has no images in all directions. */
    float max_radius;
    int bins; /**< 1 .. 10 000: the correlation is averaged over bins of distances of max_radius / bins; default 50. */
    /** About how many agents to draw. Each is compared with all agents within max_radius; 0, the default: every agent is. In a
     * small flock this is quick; in a flock of millions all pairs at long distances would take days. Which agents are drawn
     * depends only on the world's seed, the step and the agents' ids. */
    uint32_t samples;
} dunlin_correlation_def;

/** The defaults for this world. */
DUNLIN_API dunlin_correlation_def dunlin_correlation_def_default(const dunlin_world *world);

/**
 * How far the agents' velocities are correlated beyond their common motion. u = v - ⟨v⟩ is an agent's velocity minus the mean
 * velocity of all agents. C(r) is the mean of u_i·u_j over the pairs of agents at distance r, divided by the mean of u². With
 * every agent drawn, the sum over C(r), weighted by pairs, and all agents with themselves is 0 if all pairs are within
 * max_radius, so C(r) must fall below 0 somewhere. Cavagna et al., PNAS 107, 11865 (2010).
 */
typedef struct dunlin_correlation {
    /** World units: the correlation length, where C(r) first falls to 0. It is interpolated between the middles of bins, from
     * C(0) = 1. NaN: it does not fall to 0 within max_radius, or there are no fluctuations. */
    double length;
    double fluctuation; /**< World units per time unit: the root of the mean of u². NaN: there are no agents. */
    uint32_t samples;   /**< Agents that were drawn. */
    uint64_t pairs;     /**< Pairs of agents within max_radius of which at least one was drawn. */
    int bins;           /**< As in the definition. */
    double bin_width;   /**< World units. */
    /** [bins] C(r) for distances from k·bin_width up to (k + 1)·bin_width; the last bin includes max_radius. NaN: no pairs, or
     * no fluctuations. Valid until the survey is used again or destroyed. */
    const double *correlation;
    const uint64_t *bin_pairs; /**< [bins] Pairs of agents. Valid likewise. */
} dunlin_correlation;

/** Correlates velocity fluctuations. They are rounded to 2^-30 of their maximum, so that sums have no order; those of at most
 * 2^-50 of the maximum velocity count as none. O(agents + pairs). Allocates memory at first. If it fails, *correlation is
 * zeroed. */
DUNLIN_API dunlin_result dunlin_survey_correlation(dunlin_survey *survey, dunlin_world *world,
                                                   const dunlin_correlation_def *def, dunlin_correlation *correlation,
                                                   dunlin_error *error);

/* ---- displacements ---------------------------------------------------------------------------------------------------- */

/**
 * How far agents have come since a state that was the start. A displacement object is the caller's: it keeps the ids of the
 * agents that were there, and follows their ways across the edges of a periodic or teleporting world, so that an agent which
 * runs once around the world has come its whole length. It takes 16 bytes per agent and 12 more per dimension.
 */
typedef struct dunlin_displacement dunlin_displacement;

/** Makes the present state the start, in *displacement; dunlin_displacement_destroy() frees it. On failure it is NULL. */
DUNLIN_API dunlin_result dunlin_displacement_create(const dunlin_world *world, dunlin_displacement **displacement,
                                                    dunlin_error *error);

/** Frees a displacement object. NULL is allowed. */
DUNLIN_API void dunlin_displacement_destroy(dunlin_displacement *displacement);

/**
 * Follows all agents to their present places: to be called after every step, or at least before an agent can have moved by half
 * the world's size, since the shorter way is taken for its way. In teleporting worlds the size includes both margins. Agents
 * that were born after the start are passed over. O(agents).
 */
DUNLIN_API dunlin_result dunlin_displacement_follow(dunlin_displacement *displacement, const dunlin_world *world,
                                                    dunlin_error *error);

/** Displacements of a species' agents that were there at the start and still are. */
typedef struct dunlin_displacements {
    uint64_t agents; /**< How many agents these are. */
    /** World units squared: the mean of |x(t) - x(0)|² over them; NaN without any. In free diffusion it grows as
     * 2·dimensions·D·t, in straight simulation as v²·t²: Frenkel and Smit, Understanding Molecular Simulation, 2nd ed.,
     * section 4.4 (2002). */
    double mean_squared;
    double mean[3]; /**< World units: the mean displacement; NaN likewise. In 2D [2] is 0. */
    double time;    /**< Time units since the start. */
} dunlin_displacements;

/** Measures displacements up to the places to which agents were followed last. `species`: its number, or DUNLIN_ALL_SPECIES.
 * Sums are exact, as in dunlin_world_measure(). */
DUNLIN_API dunlin_result dunlin_displacement_measure(const dunlin_displacement *displacement, const dunlin_world *world,
                                                     int species, dunlin_displacements *measured, dunlin_error *error);

/** Writes a displacement object in binary, little-endian, with a checksum, beside a checkpoint of its world. */
DUNLIN_API dunlin_result dunlin_displacement_save_to(const dunlin_displacement *displacement, dunlin_write_fn *write,
                                                     void *context, dunlin_error *error);

/** Reads one that was written so, for a world in which it goes on. What is damaged is refused; *displacement is then NULL. */
DUNLIN_API dunlin_result dunlin_displacement_restore_from(const dunlin_world *world, dunlin_displacement **displacement,
                                                          dunlin_read_fn *read, void *context, dunlin_error *error);

#ifdef __cplusplus
}
#endif

#endif
