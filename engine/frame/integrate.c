/* SPDX-License-Identifier: MIT */
/* Integrate: forces become motion, within the boundary and around obstacles that block. */
#include "engine/frame/stages.h"
#include "engine/world/edges.h"
#include "engine/world/frame.h"

static dun_edge edge_of(const dunlin_world_def *def, int axis) {
    switch (dun_boundary_of(def, axis)) {
    case DUNLIN_BOUNDARY_PERIODIC:
        return DUN_EDGE_PERIODIC;
    case DUNLIN_BOUNDARY_TELEPORT:
        return def->keep_overshoot ? DUN_EDGE_OVERSHOOT : DUN_EDGE_TELEPORT;
    case DUNLIN_BOUNDARY_REFLECT:
        return DUN_EDGE_REFLECT;
    default:
        return DUN_EDGE_OPEN;
    }
}

/* Of all axes, if they agree. */
static void set_edges(const dunlin_world_def *def, dun_integrate *motion) {
    motion->edge = edge_of(def, 0);
    for (int a = 0; a < def->dimensions; a++) {
        motion->edges[a] = edge_of(def, a);
        if (motion->edges[a] != motion->edges[0]) motion->edge = DUN_EDGE_MIXED;
    }
}

static dun_integrate motion_of(const dunlin_world *world, const dunlin_species_def *species) {
    const dunlin_world_def *def = &world->def;
    dun_integrate motion = {.dimensions = def->dimensions,
                            .size = {def->size[0], def->size[1], def->size[2]},
                            .margin = def->margin,
                            .time_step = def->time_step,
                            .force_scale = def->forces_are_increments ? 1.0f : def->time_step,
                            .min_speed = species->min_speed,
                            .max_speed = {.all = species->max_speed},
                            .keep = 1.0f - species->drag,
                            .friction = species->friction * def->time_step,
                            .explicit_motion = def->integrator == DUNLIN_INTEGRATOR_EXPLICIT};
    if (!def->boundary_first) set_edges(def, &motion);
    return motion;
}

typedef struct bound_job {
    const dunlin_world *world;
    const dun_species *species;
} bound_job;

static void bound_tile(void *context, uint32_t tile, uint32_t worker) {
    (void)worker;
    const bound_job *job = context;
    const dun_species *species = job->species;
    const uint32_t begin = tile * DUN_TILE;
    dun_integrate motion = motion_of(job->world, &species->def);
    set_edges(&job->world->def, &motion);
    for (int a = 0; a < motion.dimensions; a++) {
        motion.to_position[a] = species->buffer[species->current].position[a] + begin;
        motion.to_velocity[a] = species->buffer[species->current].velocity[a] + begin;
    }
    job->world->kernel->bound(&motion, min_u32(DUN_TILE, species->count - begin));
}

void dun_bound_first(dun_frame *f) {
    const dunlin_world *world = f->world;
    if (f->status || !world->def.boundary_first) return;
    for (int s = 0; s < world->species_count; s++) {
        bound_job job = {world, world->species[s]};
        world->executor.run(&world->executor, dun_tiles_of(job.species->count), bound_tile, &job);
    }
}

/* Nothing reads the sums any more: their memory lists the agents that may touch an obstacle. */
static void slide_tile(const dun_frame *f, const dun_tile *tile, const dun_integrate *motion) {
    const float clearance = f->world->species[tile->species]->def.clearance;
    dun_touch touch = {.bins = &f->world->obstacles.bins, .radius = clearance};
    dun_slide slide = {.bins = touch.bins, .radius = clearance};
    for (int a = 0; a < motion->dimensions; a++) {
        touch.from[a] = slide.from[a] = motion->position[a];
        touch.to[a] = slide.to_position[a] = motion->to_position[a];
        slide.to_velocity[a] = motion->to_velocity[a];
    }
    int32_t *touched = tile->scratch->sums.seen;
    const uint32_t touches = tile->kernel->touch(&touch, tile->end - tile->begin, touched);
    for (uint32_t t = 0; t < touches; t++) dun_slide_agent(&slide, (uint32_t)touched[t]);
}

static dun_integrate tile_motion(const dun_frame *f, const dun_tile *tile) {
    const dunlin_species_def *species = &f->world->species[tile->species]->def;
    const dun_agents *from = f->snapshot[tile->species], *to = f->next[tile->species];
    dun_integrate motion = motion_of(f->world, species);
    motion.max_speed = dun_tile_varied(f, tile, DUNLIN_ROLE_MAX_SPEED, species->max_speed);
    motion.mass = dun_tile_varied(f, tile, DUNLIN_ROLE_MASS, 1.0f).each;
    for (int a = 0; a < motion.dimensions; a++) {
        motion.position[a] = from->position[a] + tile->begin;
        motion.velocity[a] = from->velocity[a] + tile->begin;
        motion.force[a] = tile->scratch->force[a];
        motion.to_position[a] = to->position[a] + tile->begin;
        motion.to_velocity[a] = to->velocity[a] + tile->begin;
    }
    return motion;
}

/* Where obstacles block, agents move as in an open world, slide along the obstacles, and then meet the boundary. */
static void move_tile(const dun_frame *f, const dun_tile *tile) {
    const uint32_t count = tile->end - tile->begin;
    const bool blocks = f->world->species[tile->species]->def.obstacles_block && f->world->obstacles.count > 0;
    dun_integrate motion = tile_motion(f, tile);
    const dun_edge edge = motion.edge;
    if (blocks) motion.edge = DUN_EDGE_OPEN;
    tile->kernel->integrate(&motion, count);
    if (!blocks) return;
    slide_tile(f, tile, &motion);
    motion.edge = edge;
    tile->kernel->bound(&motion, count);
}

/* The next frame sorts by cells, and here the new positions are in the L1 cache. */
static void number_tile(const dun_frame *f, const dun_tile *tile) {
    const dun_species *species = f->world->species[tile->species];
    const float *position[3] = {NULL};
    if (!species->next_cell) return;
    for (int a = 0; a < f->world->def.dimensions; a++) position[a] = f->next[tile->species]->position[a] + tile->begin;
    tile->kernel->number(&species->cells, position, tile->end - tile->begin, species->next_cell + tile->begin);
}

void dun_integrate_tile(const dun_frame *f, const dun_tile *tile) {
    move_tile(f, tile);
    number_tile(f, tile);
    dun_lap(tile->scratch, &tile->scratch->ns_integrate);
}
