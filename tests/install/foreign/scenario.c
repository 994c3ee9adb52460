/* SPDX-License-Identifier: MIT */
/* Reads a scenario from memory, sets some of its values, runs it on two threads, continues from a checkpoint on the way, and
 * prints the state's hash; C and C++ alike. */
#include <dunlin/scenario.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

static const char text[] = "species: [{name: knots, agents: 300}]\n"
                           "interactions: [{separation: {radius: 2}, cohesion: {radius: 6, half_angle: 120}}]\n"
                           "schedules: [{parameter: species.knots.max_speed, linear: {from: 0.5, to: 1, end: 9}}]\n";

/* Another simulation, which has nothing but the checkpoint, takes the place of this one. */
static dunlin_result change_planes(dunlin_simulation **simulation, dunlin_error *error) {
    dunlin_scenario *scenario = NULL;
    dunlin_result result = dunlin_simulation_save_to(*simulation, put, NULL, error);
    dunlin_simulation_destroy(*simulation);
    *simulation = NULL;
    if (result == DUNLIN_OK) result = dunlin_simulation_open_from(NULL, take, NULL, &scenario, simulation, error);
    dunlin_scenario_close(scenario);
    if (result != DUNLIN_OK) return result;
    if (dunlin_simulation_saved_bytes(*simulation) != saved) return DUNLIN_ERROR_VALUE;
    result = dunlin_simulation_save_memory(*simulation, checkpoint, sizeof checkpoint, error);
    dunlin_simulation_destroy(*simulation);
    *simulation = NULL;
    return result == DUNLIN_OK ? dunlin_simulation_open_memory(NULL, checkpoint, saved, NULL, simulation, error) : result;
}

static dunlin_result simulate(const dunlin_scenario *scenario, dunlin_simulation **simulation, dunlin_error *error) {
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.threads = 2;
    dunlin_result result = dunlin_simulation_create(scenario, &def, simulation, error);
    for (int step = 0; step < 10 && result == DUNLIN_OK; step++) {
        if (step == 5) result = change_planes(simulation, error);
        if (result == DUNLIN_OK) result = dunlin_simulation_step(*simulation, error);
    }
    return result;
}

static dunlin_result set_values(dunlin_scenario *scenario, dunlin_error *error) {
    const dunlin_scenario_setting settings[] = {{"world.boundary", "reflect"}, {"species.knots.agents", "200"}};
    return dunlin_scenario_set(scenario, settings, 2, error);
}

static dunlin_result prepare(dunlin_scenario *scenario, dunlin_error *error) {
    dunlin_scenario_number radius;
    dunlin_result result = dunlin_scenario_check(scenario, error);
    if (result == DUNLIN_OK) result = dunlin_scenario_find_number(scenario, "interactions[0].cohesion.radius", &radius, error);
    if (result == DUNLIN_OK) result = dunlin_scenario_set_number(scenario, radius.path, radius.value - 1, error);
    if (result == DUNLIN_OK) result = set_values(scenario, error);
    for (uint32_t i = 0; i < dunlin_scenario_number_count(scenario); i++) {
        radius = dunlin_scenario_number_at(scenario, i);
        if (radius.value < radius.min || radius.value > radius.max) return DUNLIN_ERROR_VALUE;
    }
    if (result == DUNLIN_OK && dunlin_scenario_find_number(scenario, NULL, NULL, NULL) != DUNLIN_ERROR_VALUE)
        return DUNLIN_ERROR_VALUE;
    return result;
}

int main(void) {
    dunlin_scenario_def def = dunlin_scenario_def_default();
    dunlin_scenario *scenario = NULL;
    dunlin_simulation *simulation = NULL;
    dunlin_error error;
    def.name = "memory";
    dunlin_result result = dunlin_scenario_open_text(text, strlen(text), &def, &scenario, &error);
    if (result == DUNLIN_OK) result = prepare(scenario, &error);
    if (result == DUNLIN_OK) result = simulate(scenario, &simulation, &error);
    if (result == DUNLIN_OK)
        printf("%s %016" PRIx64 " %d\n", dunlin_scenario_name(scenario),
               dunlin_world_state_hash(dunlin_simulation_world(simulation)),
               dunlin_scenario_schema(NULL, 0) > 1000 && dunlin_scenario_write(scenario, NULL, 0) > 1000);
    else
        fprintf(stderr, "%s\n", error.message);
    dunlin_simulation_destroy(simulation);
    dunlin_scenario_close(scenario);
    return result == DUNLIN_OK ? 0 : 1;
}
