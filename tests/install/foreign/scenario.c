/* SPDX-License-Identifier: MIT */
/* Reads a scenario from memory, sets some of its values, flies it on two threads, goes on from a checkpoint on the way, and
 * prints the state's hash; C and C++ alike. */
#include <dunlin/scenario.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

static const char text[] = "species: [{name: knots, agents: 300}]\n"
                           "interactions: [{separation: {radius: 2}, cohesion: {radius: 6, half_view: 120}}]\n"
                           "schedules: [{parameter: species.knots.max_speed, linear: {from: 0.5, to: 1, end: 9}}]\n";

/* Another flight, which has nothing but the checkpoint, takes the place of this one. */
static dunlin_result change_planes(dunlin_flight **flight, dunlin_error *error) {
    dunlin_scenario *scenario = NULL;
    dunlin_result result = dunlin_flight_save_to(*flight, put, NULL, error);
    dunlin_flight_destroy(*flight);
    *flight = NULL;
    if (result == DUNLIN_OK) result = dunlin_flight_open_from(NULL, take, NULL, &scenario, flight, error);
    dunlin_scenario_close(scenario);
    if (result != DUNLIN_OK) return result;
    if (dunlin_flight_saved_bytes(*flight) != saved) return DUNLIN_ERROR_VALUE;
    result = dunlin_flight_save_memory(*flight, checkpoint, sizeof checkpoint, error);
    dunlin_flight_destroy(*flight);
    *flight = NULL;
    return result == DUNLIN_OK ? dunlin_flight_open_memory(NULL, checkpoint, saved, NULL, flight, error) : result;
}

static dunlin_result fly(const dunlin_scenario *scenario, dunlin_flight **flight, dunlin_error *error) {
    dunlin_flight_def def = dunlin_flight_def_default();
    def.threads = 2;
    dunlin_result result = dunlin_flight_create(scenario, &def, flight, error);
    for (int step = 0; step < 10 && result == DUNLIN_OK; step++) {
        if (step == 5) result = change_planes(flight, error);
        if (result == DUNLIN_OK) result = dunlin_flight_step(*flight, error);
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
    dunlin_flight *flight = NULL;
    dunlin_error error;
    def.name = "memory";
    dunlin_result result = dunlin_scenario_open_text(text, strlen(text), &def, &scenario, &error);
    if (result == DUNLIN_OK) result = prepare(scenario, &error);
    if (result == DUNLIN_OK) result = fly(scenario, &flight, &error);
    if (result == DUNLIN_OK)
        printf("%s %016" PRIx64 " %d\n", dunlin_scenario_name(scenario), dunlin_world_state_hash(dunlin_flight_world(flight)),
               dunlin_scenario_schema(NULL, 0) > 1000 && dunlin_scenario_write(scenario, NULL, 0) > 1000);
    else
        fprintf(stderr, "%s\n", error.message);
    dunlin_flight_destroy(flight);
    dunlin_scenario_close(scenario);
    return result == DUNLIN_OK ? 0 : 1;
}
