/* SPDX-License-Identifier: MIT */
/* A foreign program on ranks: each holds a part of one flock. Rank 0 prints the state's hash, which is that of one world. */
#include <stdio.h>

#include <dunlin/mpi.h>

static int fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
}

static void count_rank(void *context, uint64_t numbers[DUNLIN_STEP_SUMS]) {
    (void)context;
    numbers[0] = 1;
}

static dunlin_result furnish(dunlin_world *world, dunlin_error *error) {
    const dunlin_species_def birds = dunlin_species_def_default();
    dunlin_interaction_def rules = dunlin_interaction_def_default();
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) rules.rules[r].radius = 4.0f;
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = 1000;
    dunlin_result result = dunlin_world_add_species(world, &birds, NULL, error);
    if (!result) result = dunlin_world_add_interaction(world, &rules, NULL, error);
    return result ? result : dunlin_world_scatter(world, 0, &scatter, error);
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_transport transport;
    dunlin_world *world;
    dunlin_error error;
    dunlin_result result = dunlin_mpi_transport(MPI_COMM_WORLD, &transport, &error);
    if (!result) result = dunlin_world_create_part(&def, &transport, &world, &error);
    if (!result) result = furnish(world, &error);
    if (!result) result = dunlin_world_sum_in_step(world, count_rank, NULL, &error);
    for (int step = 0; step < 50 && !result; step++) result = dunlin_world_step(world, &error);
    if (result) return fail(error.message);
    const unsigned long long hash = (unsigned long long)dunlin_world_state_hash(world);
    if (!dunlin_world_gather(world, &error) && transport.rank == 0)
        printf("%s %016llx %u\n", dunlin_version(), hash, dunlin_world_view(world, 0).count);
    if (dunlin_world_share(world, &error)) return fail(error.message);
    if (dunlin_world_traffic(world).halo > 1000u * transport.ranks) return fail("more agents were sent than there are");
    if (transport.ranks > 1 && dunlin_world_traffic(world).sums[0] != transport.ranks) return fail("a rank was not counted");
    dunlin_world_destroy(world);
    dunlin_mpi_transport_free(&transport);
    MPI_Finalize();
    return 0;
}
