/* SPDX-License-Identifier: MIT */
/*
 * What JavaScript calls: a scenario that runs, behind functions whose arguments and results are numbers and addresses. Files
 * of scenarios lie in Emscripten's file system, in memory.
 *
 * page_error() gives the message of a function that failed.
 */
#ifndef DUNLIN_HARNESS_PAGE_H
#define DUNLIN_HARNESS_PAGE_H

#include <dunlin/scenario.h>

#include <stdio.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define PAGE_API EMSCRIPTEN_KEEPALIVE
#else
#define PAGE_API
#endif

/* An agent near a place. */
typedef struct page_near {
    float distance2;
    uint32_t id, slot;
} page_near;

typedef enum page_event_kind { PAGE_BIRTH, PAGE_DEATH, PAGE_MEAL } page_event_kind;

/* An agent that has appeared or disappeared in a step. */
typedef struct page_event {
    page_event_kind kind;
    int species;
    uint32_t id;
    uint32_t eater;    /* MEAL: the id of the agent that has eaten it; otherwise UINT32_MAX */
    float position[3]; /* BIRTH: after the step; otherwise before it */
} page_event;

/* A scenario and its simulation. */
typedef struct page_flock {
    dunlin_scenario *scenario;     /* NULL: none is open */
    dunlin_simulation *simulation; /* NULL: none */
    dunlin_world *world;           /* the simulation's; NULL: none */
    dunlin_error error;            /* the last */
    char *json;                    /* the last answer in JSON */
    FILE *stream;                  /* the answer that is being written */
    size_t length;
    dunlin_view view;
    dunlin_field_view field;
    double numbers[1 + DUNLIN_MAX_SPECIES]; /* the last answer in numbers */
    int pull[64];                           /* the behaviours that attract or repel, while the pointer does */
    int pulls;
    page_event *events; /* of the last watched step */
    uint32_t event_count, event_room;
} page_flock;

/* Whether there is a simulation; page_error() says that there is none. Until then the functions below that need one fail. */
bool page_runs(page_flock *flock);

/* Begins an answer in JSON; NULL: out of memory. page_end() has it whole; NULL: memory ran out. */
FILE *page_begin(page_flock *flock);
const char *page_end(page_flock *flock);
void page_put_numbers(FILE *json, const char *name, const float *numbers, int count);

/* The number of a species' attribute of that role; -1: it has none. */
int page_attribute_of(const dunlin_world *world, int species, dunlin_role role);

dunlin_result page_fail_memory(dunlin_error *error);

/* An agent's place, and the vector to its nearest image; returns its length squared. */
void page_place(const dunlin_view *view, uint32_t slot, float place[3]);
float page_distance2(const dunlin_world *world, const float from[3], const dunlin_view *view, uint32_t slot, float offset[3]);

/* flock.c: life and simulation. */
page_flock *page_create(void); /* NULL: out of memory */
void page_destroy(page_flock *flock);
const char *page_error(const page_flock *flock);
dunlin_result page_open(page_flock *flock, const char *text, const char *name);
dunlin_result page_check(page_flock *flock, const char *text, const char *name);
dunlin_result page_run(page_flock *flock, int threads, const char *kernel, const char *index, const char *init, int has_agents,
                       uint32_t agents, int has_seed, uint32_t seed_low, uint32_t seed_high, int keep);
dunlin_result page_step(page_flock *flock, int steps);
int page_set_number(page_flock *flock, const char *path, double value);
dunlin_result page_set_values(page_flock *flock, const dunlin_scenario_setting *settings, uint32_t count);
dunlin_result page_save(page_flock *flock, const char *path);

/* reading.c: what there is to see. */
const char *page_about(page_flock *flock);
const char *page_numbers(page_flock *flock);
const char *page_schema(page_flock *flock);
const char *page_scenery(page_flock *flock);
const double *page_stats(page_flock *flock);
const double *page_hash(page_flock *flock);
const double *page_rooms(page_flock *flock);
const double *page_measure(page_flock *flock, int species);
const dunlin_view *page_view(page_flock *flock, int species);
const dunlin_field_view *page_field(page_flock *flock, int field);
const float *page_trace(page_flock *flock, int trace);

/* neighbours.c: what agents see, and which are near a place. */
uint32_t page_find(page_flock *flock, int species, const float *place, float radius, uint32_t room, page_near *near);
const char *page_agent(page_flock *flock, uint32_t id);

/* events.c: births, deaths and meals. */
dunlin_result page_watch_step(page_flock *flock);
uint32_t page_event_count(const page_flock *flock);
const page_event *page_events(const page_flock *flock);

/* scripts.c: behaviours in JavaScript. */
dunlin_result page_add_script(page_flock *flock, int species, int number);
dunlin_result page_remove_script(page_flock *flock, int number);
void page_fail_script(page_flock *flock);
dunlin_result page_bear(page_flock *flock, const dunlin_tile *tile, uint32_t parent, int species, const float *position,
                        const float *velocity);
void page_call_script(int number, const dunlin_tile *tile); /* where there is no JavaScript, the caller's */
void page_draw(const page_flock *flock, const dunlin_tile *tile, uint32_t agent, uint32_t stream, float numbers[4]);

/* hands.c: what the pointer does. */
dunlin_result page_spawn(page_flock *flock, int species, uint32_t count, const float *positions, const float *velocities);
dunlin_result page_despawn(page_flock *flock, const uint32_t *ids, uint32_t count);
dunlin_result page_add_obstacle(page_flock *flock, int shape, const float *a, const float *b, float radius);
dunlin_result page_block(page_flock *flock, int species, int blocks);
dunlin_result page_add_path(page_flock *flock, int species, uint32_t count, const float *points, float radius);
dunlin_result page_pull(page_flock *flock, const float *place, float radius, float weight);

#endif
