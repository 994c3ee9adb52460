/* SPDX-License-Identifier: MIT */
#include "tests/lib/states.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/files.h"
#include "tests/lib/worlds.h"

dunlin_world *state_world(int dimensions, int species) {
    static const char *const names[] = {"dunlins", "knots", "black-tailed godwits"};
    dunlin_world_def def = dunlin_world_def_default();
    def.dimensions = dimensions;
    def.boundary = DUNLIN_BOUNDARY_OPEN;
    dunlin_world *world = world_create(&def);
    for (int s = 0; s < species; s++) {
        world_add_named(world, names[s]);
        world_add_flocking(world, s, s, 6);
    }
    return world;
}

void scatter_all(dunlin_world *world) {
    for (int s = 0; s < dunlin_world_species_count(world); s++) world_scatter(world, s, 300 + 100 * (uint32_t)s);
}
void write_state(const char *text) {
    write_file(state_path, text);
}

char *read_state(void) {
    char *text = malloc(1 << 20);
    assert_non_null(text);
    assert_true(read_text_file(state_path, text, 1 << 20) > 0);
    return text;
}

void expect_same_agents(const dunlin_world *a, const dunlin_world *b) {
    assert_int_equal(dunlin_world_species_count(a), dunlin_world_species_count(b));
    for (int s = 0; s < dunlin_world_species_count(a); s++) {
        const dunlin_view va = dunlin_world_view(a, s), vb = dunlin_world_view(b, s);
        assert_int_equal(va.count, vb.count);
        if (va.count == 0) continue;
        assert_memory_equal(va.id, vb.id, va.count * sizeof *va.id);
        for (int d = 0; d < dunlin_world_get_def(a).dimensions; d++) {
            assert_memory_equal(va.position[d], vb.position[d], va.count * sizeof(float));
            assert_memory_equal(va.velocity[d], vb.velocity[d], va.count * sizeof(float));
        }
    }
}

int remove_state(void **state) {
    (void)state;
    remove(state_path);
    return 0;
}
