/* SPDX-License-Identifier: MIT */
/* Springs between near agents, by a callback that sees pairs. It fails a step that would tear a spring, and continues. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>

/* What the callback gets as `user`. */
typedef struct springs {
    const dunlin_world *world;
    float length, too_short; /* world units */
} springs;

/* Threads call it at the same time: it reads `user`, and writes only the forces of its own group. */
static void pull(void *user, const dunlin_packet *packet) {
    const springs *s = user;
    for (uint32_t k = 0; k < packet->count; k++) {
        const uint32_t i = packet->first + k;
        const float from[3] = {packet->position[0][i], packet->position[1][i]};
        for (uint32_t r = 0; r < packet->range_count; r++)
            for (uint32_t j = packet->ranges[r].begin; j < packet->ranges[r].end; j++) {
                const float to[3] = {packet->observed_position[0][j], packet->observed_position[1][j]};
                float offset[3]; /* across the edge, where that way is shorter */
                dunlin_world_offset(s->world, from, to, offset);
                const float squared = offset[0] * offset[0] + offset[1] * offset[1];
                if (j == i || squared > s->length * s->length) continue;
                if (squared < s->too_short * s->too_short) dunlin_world_fail(s->world, "a spring is too short");
                const float share = 0.1f * (1.0f - squared / (s->length * s->length));
                for (int a = 0; a < 2; a++) packet->force[a][k] -= share * offset[a];
            }
    }
}

static int fail(const dunlin_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void) {
    dunlin_error error;
    const dunlin_world_def place = dunlin_world_def_default();
    dunlin_world *world;
    if (dunlin_world_create(&place, &world, &error)) return fail(&error);
    springs s = {.world = world, .length = 4.0f, .too_short = 0.5f};
    const dunlin_species_def agents = dunlin_species_def_default();
    if (dunlin_world_add_species(world, &agents, NULL, &error)) return fail(&error);
    dunlin_behaviour_def pairs = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    pairs.pairs.callback = pull;
    pairs.pairs.radius = s.length;
    pairs.user = &s;
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 500;
    if (dunlin_world_add_behaviour(world, &pairs, NULL, &error)) return fail(&error);
    if (dunlin_world_scatter(world, 0, &everywhere, &error)) return fail(&error);

    /* The step that fails has changed nothing: it is taken again with other springs. */
    if (dunlin_world_step(world, &error) != DUNLIN_ERROR_CALLBACK) return 1;
    printf("%s\n", error.message);
    s.too_short = 0.0f;
    for (int step = 0; step < 50; step++)
        if (dunlin_world_step(world, &error)) return fail(&error);
    printf("state hash: %016" PRIx64 "\n", dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return 0;
}
