/* SPDX-License-Identifier: MIT */
/* A host with its own memory: it gives a world so much and no more, and keeps a view that outlives the world's arrays. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What the allocator's functions get as `user`. A world calls them one at a time. */
typedef struct budget {
    size_t used, most; /* bytes */
} budget;

static void *take(void *user, size_t bytes, size_t alignment) {
    budget *b = user;
    if (bytes > b->most - b->used) return NULL;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory) b->used += bytes;
    return memory;
}

static void give_back(void *user, void *memory, size_t bytes, size_t alignment) {
    budget *b = user;
    (void)alignment;
    b->used -= bytes;
    free(memory);
}

static int fail(const dunlin_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void) {
    dunlin_error error;
    budget b = {.most = 4000000};
    const dunlin_allocator allocator = {take, give_back, &b};
    dunlin_world_def place = dunlin_world_def_default();
    place.allocator = &allocator; /* which is copied */
    place.threads = 1;
    dunlin_world *world;
    if (dunlin_world_create(&place, &world, &error)) return fail(&error);
    const dunlin_species_def starlings = dunlin_species_def_default();
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 1000;
    if (dunlin_world_add_species(world, &starlings, NULL, &error)) return fail(&error);
    if (dunlin_world_scatter(world, 0, &everywhere, &error)) return fail(&error);

    /* What a binding does when it makes an array of another language from a view. */
    dunlin_hold *hold;
    if (dunlin_world_hold(world, &hold, &error)) return fail(&error);
    const dunlin_view view = dunlin_world_view(world, 0);

    everywhere.count = 1000000; /* more than there is memory for: the world stays as it is */
    if (dunlin_world_scatter(world, 0, &everywhere, &error) != DUNLIN_ERROR_MEMORY) return 1;
    printf("%s, and there are %" PRIu64 " agents\n", error.message, dunlin_world_agent_count(world));
    everywhere.count = 5000; /* the arrays move, and the world frees those of the view */
    if (dunlin_world_scatter(world, 0, &everywhere, &error)) return fail(&error);
    if (dunlin_world_step(world, &error)) return fail(&error);
    dunlin_world_destroy(world);

    double sum = 0.0;
    for (uint32_t i = 0; i < view.count; i++) sum += (double)view.position[0][i];
    printf("the view still has %u agents, at x = %.2f on average\n", view.count, sum / view.count);
    dunlin_hold_release(hold);
    printf("in use: %zu bytes\n", b.used);
    return 0;
}
