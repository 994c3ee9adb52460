/* SPDX-License-Identifier: MIT */
/* What callers change between steps besides definitions: they remove parts, write agents and set the clock. */
#include "tests/fuzz/simulation.h"

#include <stdlib.h>

static int any_of(simulation *f, int count) {
    return bytes_int(&f->bytes, 0, count > 0 ? count - 1 : 0);
}

typedef struct part {
    int (*count)(const dunlin_world *world);
    dunlin_result (*remove)(dunlin_world *world, int number, dunlin_error *error);
} part;

static const part parts[] = {{dunlin_world_species_count, dunlin_world_remove_species},
                             {dunlin_world_interaction_count, dunlin_world_remove_interaction},
                             {dunlin_world_path_count, dunlin_world_remove_path},
                             {dunlin_world_field_count, dunlin_world_remove_field},
                             {dunlin_world_meal_count, dunlin_world_remove_meal},
                             {dunlin_world_trace_count, dunlin_world_remove_trace},
                             {dunlin_world_behaviour_count, dunlin_world_remove_behaviour}};
enum { PARTS = sizeof parts / sizeof *parts };

/* Mostly parts that nothing uses, since removing a used part is refused. */
void simulation_remove(simulation *f) {
    const unsigned choice = bytes_choice(&f->bytes, PARTS + 1);
    if (choice < PARTS) {
        const int number = any_of(f, parts[choice].count(f->world[0]));
        AGREE(f, parts[choice].remove(world, number, &error))
    } else {
        const int species = any_of(f, dunlin_world_species_count(f->world[0]));
        const int number = any_of(f, dunlin_world_attribute_count(f->world[0], species));
        AGREE(f, dunlin_world_remove_attribute(world, species, number, &error))
    }
}

/* Names some agents by id or by slot, or all of a species. All worlds store agents in the same order. */
void simulation_write(simulation *f) {
    fuzz_bytes *b = &f->bytes;
    const int species = any_of(f, dunlin_world_species_count(f->world[0]));
    const dunlin_view view = dunlin_world_view(f->world[0], species);
    dunlin_write write = dunlin_write_default();
    const unsigned named = bytes_choice(b, 3);
    write.species = species;
    write.count = named && view.count > 8 ? 8 : view.count;
    uint32_t *names = simulation_array(write.count);
    float *numbers = simulation_array(write.count);
    for (uint32_t i = 0; i < write.count; i++) {
        const uint32_t slot = named ? bytes_choice(b, 256) % view.count : i;
        names[i] = named == 1 ? view.id[slot] : slot;
        numbers[i] = i < 8 ? bytes_number(b, 0, 2) : 1.0f;
    }
    if (named == 1) write.ids = names;
    if (named == 2) write.slots = names;
    const bool places = bytes_choice(b, 2), speeds = bytes_choice(b, 2);
    for (int a = 0; a < 3; a++) {
        if (places) write.position[a] = numbers;
        if (speeds) write.velocity[a] = numbers;
    }
    AGREE_WHOLE(f, dunlin_world_write(world, &write, &error))
    free(names);
    free(numbers);
}

void simulation_set_clock(simulation *f) {
    dunlin_clock clock = dunlin_world_get_clock(f->world[0]);
    clock.step += bytes_choice(&f->bytes, 200);
    clock.time = bytes_double(&f->bytes, 0, 1000);
    clock.next_id += bytes_choice(&f->bytes, 8) ? 3 : 0u - 3;
    AGREE(f, dunlin_world_set_clock(world, &clock, &error))
}
