/* SPDX-License-Identifier: MIT */
/*
 * As a program of another project would, links every function of the library, simulates a flock with a callback and an executor
 * of its own, and prints the library's version and the state's hash. It is C and C++ alike: main.cpp includes it.
 */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

#include "memory.h"

typedef void any_fn(void);
#define F(name)   ((any_fn *)name)
#define LINK(...) static any_fn *const functions[] = {__VA_ARGS__};

LINK(F(dunlin_behaviour_def_default), F(dunlin_world_add_behaviour), F(dunlin_world_behaviour_count),
     F(dunlin_world_get_behaviour), F(dunlin_world_set_behaviour), F(dunlin_world_remove_behaviour), F(dunlin_draw),
     F(dunlin_sine_of_turns), F(dunlin_noise_over_time), F(dunlin_world_offset), F(dunlin_world_boundary), F(dunlin_world_hold),
     F(dunlin_world_replace_arrays), F(dunlin_hold_release), F(dunlin_interaction_boids), F(dunlin_version),
     F(dunlin_attribute_def_default), F(dunlin_world_add_attribute), F(dunlin_world_attribute_count),
     F(dunlin_world_get_attribute), F(dunlin_world_set_attribute), F(dunlin_world_remove_attribute),
     F(dunlin_world_find_attribute), F(dunlin_world_set_attribute_values), F(dunlin_world_sum_groups),
     F(dunlin_world_make_bodies), F(dunlin_tile_spawn), F(dunlin_tile_inherit), F(dunlin_meal_def_default),
     F(dunlin_world_add_meal), F(dunlin_world_meal_count), F(dunlin_world_get_meal), F(dunlin_world_set_meal),
     F(dunlin_world_remove_meal), F(dunlin_path_def_default), F(dunlin_world_add_path), F(dunlin_world_path_count),
     F(dunlin_world_get_path), F(dunlin_world_set_path), F(dunlin_world_move_path), F(dunlin_world_remove_path),
     F(dunlin_field_def_default), F(dunlin_world_add_field), F(dunlin_world_field_count), F(dunlin_world_get_field),
     F(dunlin_world_set_field), F(dunlin_world_remove_field), F(dunlin_world_field_view), F(dunlin_field_source_default),
     F(dunlin_world_fill_field), F(dunlin_trace_def_default), F(dunlin_world_add_trace), F(dunlin_world_trace_count),
     F(dunlin_world_get_trace), F(dunlin_world_set_trace), F(dunlin_world_remove_trace), F(dunlin_world_trace_view),
     F(dunlin_obstacle_def_default), F(dunlin_world_add_obstacle), F(dunlin_world_obstacle_count), F(dunlin_world_get_obstacle),
     F(dunlin_world_set_obstacle), F(dunlin_world_remove_obstacle), F(dunlin_world_obstacle_view), F(dunlin_world_state_hash),
     F(dunlin_agents_hash), F(dunlin_world_get_clock), F(dunlin_world_set_clock), F(dunlin_world_save),
     F(dunlin_world_preamble), F(dunlin_world_load), F(dunlin_state_read_info), F(dunlin_world_fingerprint),
     F(dunlin_world_saved_bytes), F(dunlin_world_save_to), F(dunlin_world_save_memory), F(dunlin_world_restore_from),
     F(dunlin_world_restore_memory), F(dunlin_world_save_definitions_to), F(dunlin_world_create_from), F(dunlin_world_measure),
     F(dunlin_world_measure_in_step), F(dunlin_world_measured), F(dunlin_survey_create), F(dunlin_survey_destroy),
     F(dunlin_survey_components), F(dunlin_survey_density), F(dunlin_fluctuation_exponent), F(dunlin_found_default),
     F(dunlin_world_find_in_balls), F(dunlin_world_find_in_boxes), F(dunlin_world_find_in_cones), F(dunlin_world_find_nearest),
     F(dunlin_world_find_on_rays), F(dunlin_correlation_def_default), F(dunlin_survey_correlation),
     F(dunlin_displacement_create), F(dunlin_displacement_destroy), F(dunlin_displacement_follow),
     F(dunlin_displacement_measure), F(dunlin_displacement_save_to), F(dunlin_displacement_restore_from),
     F(dunlin_world_def_default), F(dunlin_world_create), F(dunlin_world_destroy), F(dunlin_world_get_def),
     F(dunlin_world_set_def), F(dunlin_kernel_count), F(dunlin_kernel_at), F(dunlin_kernel_find), F(dunlin_species_def_default),
     F(dunlin_world_add_species), F(dunlin_world_species_count), F(dunlin_world_get_species), F(dunlin_world_set_species),
     F(dunlin_world_remove_species), F(dunlin_world_find_species), F(dunlin_batch_default), F(dunlin_world_spawn),
     F(dunlin_world_despawn), F(dunlin_scatter_def_default), F(dunlin_world_scatter), F(dunlin_world_reserve),
     F(dunlin_world_view), F(dunlin_world_generation), F(dunlin_world_find_agent), F(dunlin_world_agent_count),
     F(dunlin_write_default), F(dunlin_world_write), F(dunlin_interaction_def_default), F(dunlin_world_add_interaction),
     F(dunlin_world_interaction_count), F(dunlin_world_get_interaction), F(dunlin_world_set_interaction),
     F(dunlin_world_remove_interaction), F(dunlin_world_step), F(dunlin_world_fail), F(dunlin_world_stats),
     F(dunlin_world_bytes))

static dunlin_world *world;
static dunlin_error error;

#define TRY(call)                                                                                                              \
    do {                                                                                                                       \
        if ((call) != DUNLIN_OK) {                                                                                             \
            fprintf(stderr, "%s: %s\n", #call, error.message);                                                                 \
            return 1;                                                                                                          \
        }                                                                                                                      \
    } while (0)

static void work_in_order(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    (void)context;
    for (uint32_t worker = 0; worker < workers; worker++) work(job, worker);
}

/* Every agent ages; the first has a child in the first step, and dies in the second. */
static void live(void *user, const dunlin_tile *tile) {
    (void)user;
    float numbers[4];
    for (uint32_t i = 0; i < tile->count; i++) {
        tile->next_attribute[0][i] += 1.0f;
        dunlin_draw(1, tile->id[i], tile->step, 0, numbers);
        tile->force[0][i] += 0.01f * (numbers[0] - 0.5f) + 0.001f * dunlin_sine_of_turns(0.1 * (double)tile->step);
        const float position[2] = {50.0f, 50.0f}, velocity[2] = {0.0f, dunlin_noise_over_time(1, 2, (double)tile->step)};
        if (tile->id[i] == 0 && tile->step == 0) dunlin_tile_spawn(tile, i, tile->species, position, velocity, NULL, NULL);
        if (tile->id[i] == 0 && tile->step == 1) tile->dies[i] = 1;
    }
}

static int furnish(void) {
    dunlin_world_def def = dunlin_world_def_default();
    def.threads = 2;
    def.run = work_in_order;
    TRY(dunlin_world_create(&def, &world, &error));
    const dunlin_species_def starlings = dunlin_species_def_default();
    TRY(dunlin_world_add_species(world, &starlings, NULL, &error));
    dunlin_interaction_def flock = dunlin_interaction_def_default();
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) flock.rules[r].radius = 4.0f;
    TRY(dunlin_world_add_interaction(world, &flock, NULL, &error));
    dunlin_attribute_def age = dunlin_attribute_def_default();
    age.name = "age";
    TRY(dunlin_world_add_attribute(world, &age, NULL, &error));
    dunlin_behaviour_def life = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    life.custom = live;
    TRY(dunlin_world_add_behaviour(world, &life, NULL, &error));
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 500;
    TRY(dunlin_world_scatter(world, 0, &everywhere, &error));
    return 0;
}

/* Back to a checkpoint on the way. */
static int simulate(void) {
    for (int step = 0; step < 110; step++) {
        TRY(dunlin_world_step(world, &error));
        if (step == 50) TRY(dunlin_world_save_to(world, put, NULL, &error));
    }
    TRY(dunlin_world_restore_from(world, take, NULL, &error));
    TRY(dunlin_world_step(world, &error));
    return 0;
}

int main(void) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!functions[i]) return 1;
    if (furnish() || simulate()) return 1;
    printf("%s %016" PRIx64 "\n", dunlin_version(), dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return 0;
}
