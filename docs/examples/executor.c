/* SPDX-License-Identifier: MIT */
/* The flock of embed.c on the threads of a small job system: the state has the same bits. */
#include <dunlin/dunlin.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3 };

/* A job system that knows one job at a time: calls of work(job, worker), which any thread may take. */
typedef struct crew {
    pthread_mutex_t lock;
    pthread_cond_t more, done;
    dunlin_work_fn *work; /* NULL: the threads are to end */
    void *job;
    uint32_t next, workers, unfinished; /* calls */
} crew;

/* Takes the next call, and makes it; the lock is held before and after. */
static void take_call(crew *c) {
    const uint32_t worker = c->next++;
    pthread_mutex_unlock(&c->lock);
    c->work(c->job, worker);
    pthread_mutex_lock(&c->lock);
    if (--c->unfinished == 0) pthread_cond_signal(&c->done);
}

static void *be_a_thread(void *crew_of_thread) {
    crew *c = crew_of_thread;
    pthread_mutex_lock(&c->lock);
    while (c->work) {
        if (c->next < c->workers)
            take_call(c);
        else
            pthread_cond_wait(&c->more, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* The dunlin_run_fn: the thread that steps the world takes calls, too, and then waits for those that others have taken. */
static void run(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    crew *c = context;
    pthread_mutex_lock(&c->lock);
    c->work = work;
    c->job = job;
    c->next = 0;
    c->workers = c->unfinished = workers;
    pthread_cond_broadcast(&c->more);
    while (c->next < c->workers) take_call(c);
    while (c->unfinished > 0) pthread_cond_wait(&c->done, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static void no_work(void *job, uint32_t worker) {
    (void)job, (void)worker;
}

static int simulate(crew *c) {
    dunlin_world_def def = dunlin_world_def_default();
    def.size[0] = def.size[1] = 1000.0f;
    def.run = run;
    def.run_context = c;
    def.threads = THREADS;
    dunlin_world *world = NULL;
    dunlin_error error;
    if (dunlin_world_create(&def, &world, &error)) return fprintf(stderr, "%s\n", error.message), 1;

    dunlin_species_def dunlins = dunlin_species_def_default();
    const dunlin_interaction_def flock = dunlin_interaction_boids(8.0f);
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = 100000;

    bool failed = dunlin_world_add_species(world, &dunlins, NULL, &error) ||
                  dunlin_world_add_interaction(world, &flock, NULL, &error) ||
                  dunlin_world_scatter(world, 0, &everywhere, &error);
    for (int step = 0; step < 100 && !failed; step++) failed = dunlin_world_step(world, &error);
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("state hash: %016" PRIx64 "\n", dunlin_world_state_hash(world));
    dunlin_world_destroy(world);
    return failed;
}

int main(void) {
    crew c = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER, .work = no_work};
    pthread_t threads[THREADS - 1];
    for (int t = 0; t < THREADS - 1; t++)
        if (pthread_create(&threads[t], NULL, be_a_thread, &c)) return 1;
    const int failed = simulate(&c);
    pthread_mutex_lock(&c.lock);
    c.work = NULL;
    pthread_cond_broadcast(&c.more);
    pthread_mutex_unlock(&c.lock);
    for (int t = 0; t < THREADS - 1; t++) pthread_join(threads[t], NULL);
    return failed;
}
