/* SPDX-License-Identifier: MIT */
/* The same as C++, with the handles and exceptions of dunlin.hpp. */
#include <dunlin/dunlin.hpp>
#define main main_in_c
#include "scenario.c"
#undef main

int main() {
    dunlin_scenario_def def = dunlin_scenario_def_default();
    def.name = "memory";
    dunlin_scenario *opened = nullptr;
    dunlin::call(dunlin_scenario_open_text, text, strlen(text), &def, &opened);
    const dunlin::handle<dunlin_scenario> scenario(opened, dunlin_scenario_close);
    dunlin::call(prepare, scenario.get());
    dunlin_simulation *created = nullptr;
    dunlin::call(simulate, scenario.get(), &created);
    const dunlin::handle<dunlin_simulation> simulation(created, dunlin_simulation_destroy);
    const dunlin::world world(dunlin_simulation_world(simulation.get()), false);
    printf("%s %016" PRIx64 " %d\n", dunlin_scenario_name(scenario.get()), world.state_hash(), 1);
}
