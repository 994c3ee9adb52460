/* SPDX-License-Identifier: MIT */
/*
 * Sums over the agents of each group of a species. They are sums of whole numbers, so neither threads nor the order of agents
 * show in them, and they need not be computed again while the agents stay as they are.
 */
#ifndef DUNLIN_ENGINE_GROUPS_H
#define DUNLIN_ENGINE_GROUPS_H

#include "engine/base/wide_sum.h"
#include "engine/world/edges.h"
#include "engine/world/frame.h"

/* The agent that leads a group: that with the maximum rank; of equal ranks the one with the minimum id. */
typedef struct dun_lead {
    float rank;
    uint32_t id, slot; /* id UINT32_MAX: the group has no agents */
} dun_lead;

/* The largest numbers of a species, by axis. Without agents all are -INFINITY. */
typedef struct dun_group_extents {
    float place[3], negated_place[3], speed[3];
} dun_group_extents;

/* In a periodic world: sums over points of a diamond, one per axis. See sums.c. */
typedef struct dun_group_turns {
    int64_t ahead[3], aside[3];
} dun_group_turns;

/* Offsets are from the group's reference to the agents. */
typedef struct dun_group_sum {
    uint64_t agents;
    int64_t offset[3], velocity[3], heading[3];
    dun_wide_sum offset2;
} dun_group_sum;

struct dun_group_table {
    uint32_t count, workers, ranks, kinds; /* how many groups, workers, ranks, and species of bodies there is room for */

    /* [count] by group: what the sums say */
    uint32_t *agents, *leader; /* a number, and an id */
    float *there;              /* 1 where there are agents, otherwise 0 */
    float *centre[3], *velocity[3], *leader_place[3], *leader_velocity[3];
    float *reference[3];          /* the place that offsets are counted from */
    float *spread, *polarization; /* only where a caller asks for them */
    uint32_t *body;               /* the slot of its body when bodies were last counted; UINT32_MAX: none */
    float *felt[3];               /* [kinds][count]: the force that the group's body feels in this step */

    dun_lead *leads;            /* [workers][count] */
    dun_group_turns *turns;     /* [workers][count] */
    dun_group_sum *sums;        /* [workers][count] */
    dun_group_extents *extents; /* [workers] */

    uint64_t *shared, *spare, *places; /* in a part of a flock: what ranks exchange; places: [dimensions][count] of leaders */
};

/* ---- for the frame ---------------------------------------------------------------------------------------------------- */

/*
 * Before a frame: splits and merges groups where that is due, sums them up where something asks for that, and makes their
 * bodies. Definitions have been checked, so only memory and ids can lack.
 */
dunlin_result dun_groups_begin(dunlin_world *world, dunlin_error *error);

/* The same but for splitting and merging. */
dunlin_result dun_groups_settle(dunlin_world *world, dunlin_error *error);

/* After a frame: puts bodies where their groups are. */
void dun_groups_end(dunlin_world *world);

/* A species of bodies is one level above the species that has their groups. Level 0: its agents are no bodies. */
uint32_t dun_species_level(const dunlin_world *world, int species);

/* Keeps the forces of a tile of bodies for the agents of their groups. */
void dun_bodies_feel(const dun_frame *f, const dun_tile *tile);

/* ---- the tables -------------------------------------------------------------------------------------------------------- */

/* Makes the species' table; false: no memory. */
bool dun_groups_reserve(const dunlin_world *world, dun_species *species);

/* The forces along an axis that these bodies feel: [count] by group. */
float *dun_groups_felt(const dunlin_world *world, int bodies, int axis);

/* Sums over the agents of the present state; `all`: spread and polarization, too. The species has a table. In a part of a flock
 * the sums are those of the whole flock: collective, and `all` must be false. */
void dun_groups_sum(const dunlin_world *world, int species, bool all);

/* Whether agents of the species have numbers by which they know their groups of another one, which may be their own species. */
dunlin_result dun_groups_check(const dunlin_world *world, int species, int of, dunlin_error *error);

/* The column of these numbers: the groups whose bodies they are, or their own. NULL: they have none. */
const float *dun_groups_own(const dunlin_world *world, int species, const dun_agents *agents, int of);

/* ---- for the files of this module ---------------------------------------------------------------------------------------- */

/* Splits and merges groups, where that is due. */
dunlin_result dun_regroup(dunlin_world *world, dunlin_error *error);

bool dun_has_bodies(const dunlin_world *world);

/* Gives a species of bodies a body for each group with agents, and puts them there. `may_change`: bodies may be born and die;
 * otherwise *whole becomes false where that is to be done. */
dunlin_result dun_bodies_settle(dunlin_world *world, int bodies, bool may_change, bool *whole, dunlin_error *error);

#endif
