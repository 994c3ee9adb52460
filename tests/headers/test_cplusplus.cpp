// SPDX-License-Identifier: MIT
// A C++ program gets at a library of C functions: names are not mangled, and the shared library is found.
#include <dunlin/dunlin.h>

int main() {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = nullptr;
    dunlin_error error;
    if (dunlin_world_create(&def, &world, &error) != DUNLIN_OK) return 1;
    const bool empty = dunlin_world_agent_count(world) == 0;
    dunlin_world_destroy(world);
    return empty ? 0 : 1;
}
