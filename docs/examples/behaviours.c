/* SPDX-License-Identifier: MIT */
/* Two behaviours of one's own: a swarm that drifts with a tide, and keeps apart by a rule that Dunlin has not. It needs -lm. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Shared by all threads, so only read. */
typedef struct tide {
    float strength; /* velocity a time unit */
    float width;    /* world units */
} tide;

/* A tile is handed to one thread: its forces are this call's alone. The tide runs to the right in the middle, back beside it.
 */
static void drift(void *user, const dunlin_tile *tile) {
    const tide *sea = user;
    for (uint32_t i = 0; i < tile->count; i++) {
        const float y = tile->position[1][i] / sea->width - 0.5f;
        tile->force[0][i] += sea->strength * (0.25f - 8.0f * y * y);
    }
}

/* The offset to the nearest image, where the range says that there may be another along this axis. dunlin_world_offset() does
 * the same for any two places. */
static float fold(float offset, float size, bool folds) {
    if (folds && offset > 0.5f * size) return offset - size;
    if (folds && offset < -0.5f * size) return offset + size;
    return offset;
}

/* Each pushes the other away by 0.01·(1 - d² / r²)², which is smooth at r. */
static void keep_apart(void *user, const dunlin_packet *packet) {
    const float r2 = *(const float *)user;
    for (uint32_t lane = 0; lane < packet->count; lane++) {
        const uint32_t i = packet->first + lane;
        float push[2] = {0.0f, 0.0f};
        for (uint32_t r = 0; r < packet->range_count; r++) {
            const dunlin_range range = packet->ranges[r];
            for (uint32_t j = range.begin; j < range.end; j++) {
                const float x =
                    fold(packet->observed_position[0][j] - packet->position[0][i], packet->size[0], range.folds & 1);
                const float y =
                    fold(packet->observed_position[1][j] - packet->position[1][i], packet->size[1], range.folds & 2);
                const float d2 = x * x + y * y;
                if (d2 >= r2 || d2 == 0.0f) continue; /* too far, the agent itself, or at its very place */
                const float fall = 1.0f - d2 / r2, factor = 0.01f * fall * fall / sqrtf(d2);
                push[0] -= factor * x;
                push[1] -= factor * y;
            }
        }
        for (int a = 0; a < 2; a++) packet->force[a][lane] += push[a];
    }
}

int main(void) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    dunlin_error error;
    if (dunlin_world_create(&def, &world, &error)) return fprintf(stderr, "%s\n", error.message), 1;

    dunlin_species_def drifters = dunlin_species_def_default();
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 10000;
    everywhere.max_speed = 0.1f;

    tide sea = {.strength = 0.02f, .width = def.size[1]};
    float reach2 = 2.0f * 2.0f; /* both live as long as the world */
    dunlin_behaviour_def tidal = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    tidal.custom = drift;
    tidal.user = &sea;
    dunlin_behaviour_def apart = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_PAIRS);
    apart.pairs.radius = 2.0f;
    apart.pairs.callback = keep_apart;
    apart.user = &reach2;

    bool failed =
        dunlin_world_add_species(world, &drifters, NULL, &error) || dunlin_world_add_behaviour(world, &tidal, NULL, &error) ||
        dunlin_world_add_behaviour(world, &apart, NULL, &error) || dunlin_world_scatter(world, 0, &everywhere, &error);
    for (int step = 0; step < 50 && !failed; step++) failed = dunlin_world_step(world, &error);
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("state hash: %016" PRIx64 "\n", dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return failed;
}
