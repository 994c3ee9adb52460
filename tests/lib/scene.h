/* SPDX-License-Identifier: MIT */
/* A few agents and a few steps, whose result is worked out by hand and expected of every kernel and every index. */
#ifndef DUNLIN_TESTS_SCENE_H
#define DUNLIN_TESTS_SCENE_H

#include "tests/lib/worlds.h"

#define SCENE_AGENTS      8
#define SCENE_BEHAVIOURS  4
#define SCENE_PATH_POINTS 8
#define SCENE_OBSTACLES   4

typedef struct scene {
    dunlin_world_def world;
    dunlin_species_def species;
    dunlin_interaction_def rules; /* without a rule there is no interaction */
    int behaviours;
    dunlin_behaviour_def behaviour[SCENE_BEHAVIOURS];
    uint32_t path_points; /* 0: no path */
    float path[3][SCENE_PATH_POINTS];
    bool path_closed;
    uint32_t obstacles;
    dunlin_obstacle_def obstacle[SCENE_OBSTACLES];
    int steps;
    uint32_t agents;
    float position[SCENE_AGENTS][3], velocity[SCENE_AGENTS][3];
} scene;

/* 100 world units wide; agents do not see across edges, limits have no effect, no rule is on; one step of time 1. */
scene scene_empty(int dimensions);

/* Adds an agent and returns its number. */
uint32_t scene_add(scene *s, float x, float y, float z, float vx, float vy, float vz);

/* Adds an agent at rest. */
uint32_t scene_rest(scene *s, float x, float y, float z);

/* Switches a rule on, with weight 1 and the direct response. */
void scene_direct(scene *s, dunlin_rule_kind rule, float radius);
void scene_steer(scene *s, dunlin_rule_kind rule, float radius);

/* Adds a behaviour with its defaults. Change it through the pointer. */
dunlin_behaviour_def *scene_behave(scene *s, dunlin_behaviour_kind kind);

/* Adds a point to the scene's only path, number 0. */
void scene_lead(scene *s, float x, float y, float z);

/* Adds an obstacle of radius 0. Change it through the pointer. */
dunlin_obstacle_def *scene_obstruct(scene *s, dunlin_obstacle_shape shape, float ax, float ay, float az, float bx, float by,
                                    float bz);

/* Fails if, with any kernel and index, the agent ends elsewhere by more than 1e-6 of the value, or of 1. */
void scene_expect_position(const scene *s, uint32_t agent, double x, double y, double z);
void scene_expect_velocity(const scene *s, uint32_t agent, double vx, double vy, double vz);

#endif
