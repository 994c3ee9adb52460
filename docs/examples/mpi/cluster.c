/* SPDX-License-Identifier: MIT */
/* The flock of embed.c on the processes of an MPI job: mpirun -n 4 ./cluster. The state has the same bits. */
#include <dunlin/mpi.h>
#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int level;
    dunlin_error error;
    dunlin_transport transport;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    if (dunlin_mpi_transport(MPI_COMM_WORLD, &transport, &error)) MPI_Abort(MPI_COMM_WORLD, 1);

    dunlin_world_def def = dunlin_world_def_default();
    def.size[0] = def.size[1] = 1000.0f;
    dunlin_world *world = NULL;
    bool failed = dunlin_world_create_part(&def, &transport, &world, &error);

    dunlin_species_def dunlins = dunlin_species_def_default();
    const dunlin_interaction_def flock = dunlin_interaction_boids(8.0f);
    failed = failed || dunlin_world_add_species(world, &dunlins, NULL, &error) ||
             dunlin_world_add_interaction(world, &flock, NULL, &error);
    if (!failed) {
        dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
        everywhere.count = 100000;
        failed = dunlin_world_scatter(world, 0, &everywhere, &error);
    }
    for (int step = 0; step < 100 && !failed; step++) failed = dunlin_world_step(world, &error);

    const uint64_t hash = failed ? 0 : dunlin_world_state_hash(world); /* collective, like all of the above */
    if (transport.rank == 0 && !failed) printf("state hash: %016" PRIx64 "\n", hash);
    if (transport.rank == 0 && failed) fprintf(stderr, "%s\n", error.message);
    dunlin_world_destroy(world);
    dunlin_mpi_transport_free(&transport);
    MPI_Finalize();
    return failed;
}
