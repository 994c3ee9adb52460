/* SPDX-License-Identifier: MIT */
/*
 * A scenario file as libcyaml lays it down. A NULL pointer is a field that the file leaves out: then the engine's default
 * holds, which therefore stands in one place only.
 */
#ifndef DUNLIN_HARNESS_SCENARIO_FILE_H
#define DUNLIN_HARNESS_SCENARIO_FILE_H

#include "harness/models/model.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/yaml_tree.h"

typedef struct scenario_world {
    int *dimensions;
    float *size;
    unsigned size_count;
    dunlin_boundary *boundary;
    float *margin;
    bool *keep_overshoot;
    bool *boundary_first;
    dunlin_integrator *integrator;
    float *time_step;
    bool *forces_are_increments;
} scenario_world;

typedef struct scenario_start {
    float *share;
    dunlin_region *region;
    float *centre;
    unsigned centre_count;
    float *extent;
    unsigned extent_count;
    float *min_speed;
    float *max_speed;
    float *velocity;
    unsigned velocity_count;
} scenario_start;

/* Agents that are born while the others fly. */
typedef struct scenario_growth {
    double per_step;
    uint32_t *most;
    uint64_t begin;
    uint64_t *end;
    scenario_start *start;
} scenario_growth;

typedef struct scenario_normal {
    float mean, deviation, low, high;
} scenario_normal;

/* A number of each agent's own, by one of value, even, normal. */
typedef struct scenario_attribute {
    char *name;
    dunlin_attribute_role *role;
    uint32_t *behaviour;
    float *value;
    float *even;
    unsigned even_count;
    scenario_normal *normal;
} scenario_attribute;

typedef struct scenario_species {
    char *name;
    float *min_speed;
    float *max_speed;
    float *max_force;
    float *drag;
    bool *obstacles_block;
    float *body_radius;
    uint32_t *agents;
    scenario_start *start;
    unsigned start_count;
    scenario_growth *growth;
    unsigned growth_count;
    scenario_attribute *attributes;
    unsigned attributes_count;
} scenario_species;

typedef struct scenario_rule {
    float *radius;
    float *weight;
    dunlin_response *response;
    float *limit;
    dunlin_falloff *falloff;
    float *min_radius;
    float *view;
} scenario_rule;

typedef struct scenario_interaction {
    char *observer;
    char *observed;
    bool *ignore_coincident;
    bool *in_turn;
    uint32_t *nearest;
    uint32_t *max_neighbours;
    dunlin_rule_kind *order;
    unsigned order_count;
    scenario_rule *separation;
    scenario_rule *alignment;
    scenario_rule *cohesion;
} scenario_interaction;

/* What fills a field: one of these. */
typedef struct scenario_noise {
    float *scale;
    uint32_t *octaves;
    float *angles;
    unsigned angles_count;
    float *rate;
    float *time;
} scenario_noise;

typedef struct scenario_source {
    float *vector;
    unsigned vector_count;
    float *centre;
    unsigned centre_count;
    float *axis;
    unsigned axis_count;
    char *file;
} scenario_source;

typedef struct scenario_field {
    char *name;
    uint32_t *cells;
    unsigned cells_count;
    float *low;
    unsigned low_count;
    float *high;
    unsigned high_count;
    dunlin_lookup *lookup;
    float *weight;
    uint64_t *seed;
    scenario_noise *noise;
    scenario_source *source[DUNLIN_FIELD_KIND_COUNT]; /* by dunlin_field_kind; all but noise */
} scenario_field;

typedef struct scenario_polyline {
    char *name;
    float *points;
    unsigned points_count;
    uint32_t *agents;
    unsigned agents_count;
    bool *closed;
} scenario_polyline;

/* One of these. */
typedef struct scenario_obstacle {
    float *ball;
    unsigned ball_count;
    float *box;
    unsigned box_count;
    float *capsule;
    unsigned capsule_count;
    float *radius;
} scenario_obstacle;

/* The fields of every kind of behaviour; the schema says which of them a kind has. */
typedef struct scenario_action {
    float *weight;
    float *max_force;
    bool *negate_force;
    float *target;
    unsigned target_count;
    uint32_t *agent;
    char *nearest;
    char *centre;
    float *velocity;
    unsigned velocity_count;
    float *radius;
    float *slowing_radius;
    dunlin_prediction *prediction;
    float *prediction_time;
    float *margin;
    float *margins;
    unsigned margins_count;
    float *low;
    unsigned low_count;
    float *high;
    unsigned high_count;
    dunlin_corner *corner;
    float *vector;
    unsigned vector_count;
    float *distance;
    float *jitter;
    char *path;
    float *prediction_distance;
    float *ahead_distance;
    float *ahead_time;
    dunlin_off_segment *off_segment;
    char *field;
    float *look_ahead;
    float *agent_radius;
    char *observed;
    float *angle;
    float *linear;
    float *quadratic;
} scenario_action;

enum { SCENARIO_ACTIONS = DUNLIN_BEHAVIOUR_CUSTOM }; /* a file has no way to say the last, a callback */

typedef struct scenario_behaviour {
    char *species;
    scenario_action *action[SCENARIO_ACTIONS]; /* by dunlin_behaviour_kind; one of them */
} scenario_behaviour;

/* How a number follows from the steps taken: one of these. */
typedef struct scenario_constant {
    double value;
    uint64_t begin;
} scenario_constant;

typedef struct scenario_linear {
    double from, to;
    uint64_t begin, end;
} scenario_linear;

typedef struct scenario_sine {
    double mean, amplitude;
    double period; /* steps */
    double phase;  /* turns */
} scenario_sine;

typedef struct scenario_gust {
    double mean, amplitude;
    double scale; /* steps */
    uint32_t *octaves;
    uint64_t *seed;
} scenario_gust;

typedef struct scenario_schedule {
    char *parameter;
    scenario_constant *constant;
    scenario_linear *linear;
    scenario_sine *sine;
    scenario_gust *noise;
} scenario_schedule;

/* Who eats whom. */
typedef struct scenario_meal {
    char *eater, *food;
    float radius;
    char *energy;
    float *gain;
    char *worth;
} scenario_meal;

/* What a species lives on. */
typedef struct scenario_life {
    char *species;
    char *energy;
    float *cost;
    float *divides_at;
    float *share;
} scenario_life;

/* The same, for the callback. */
typedef struct scenario_metabolism {
    int energy;       /* the attribute's number */
    float cost;       /* a step */
    float divides_at; /* INFINITY: never */
    float share;      /* of the energy, a child's */
} scenario_metabolism;

/* One of these. */
typedef struct scenario_model {
    char *species;
    model_vicsek *vicsek;
    model_couzin *couzin;
    model_circles *circles;
    model_matching *matching;
} scenario_model;

typedef struct scenario_file {
    char *name;
    char *description;
    uint64_t *steps;
    uint64_t *seed;
    scenario_world *world;
    scenario_species *species;
    unsigned species_count;
    scenario_interaction *interactions;
    unsigned interactions_count;
    scenario_field *fields;
    unsigned fields_count;
    scenario_polyline *paths;
    unsigned paths_count;
    scenario_obstacle *obstacles;
    unsigned obstacles_count;
    scenario_behaviour *behaviours;
    unsigned behaviours_count;
    scenario_meal *meals;
    unsigned meals_count;
    scenario_life *lives;
    unsigned lives_count;
    scenario_model *models;
    unsigned models_count;
    scenario_schedule *schedules;
    unsigned schedules_count;
} scenario_file;

struct scenario {
    char *path;
    char *stem;      /* the file's name without folder and ending */
    yaml_tree *tree; /* for the lines of mistakes that only the engine finds */
    scenario_file *file;
    scenario_metabolism *metabolism; /* [lives_count] of the world that was built or has stepped last */
    model *models;                   /* [models_count], likewise */
    struct scheduled *scheduled;     /* one a schedule of the file; its numbers change as the flight goes on */
};

/* What an attribute's role is called in a file, by dunlin_attribute_role. */
extern const cyaml_strval_t scenario_role_names[DUNLIN_ROLE_COUNT];

/* What a scenario file may say. */
extern const cyaml_schema_value_t scenario_schema;

#endif
