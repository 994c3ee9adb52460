/* SPDX-License-Identifier: MIT */
#include "tests/lib/executors.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct call {
    dunlin_work_fn *work;
    void *job;
    uint32_t worker;
    bool has_thread;
    pthread_t thread;
} call;

static void *make_call(void *own) {
    const call *c = own;
    c->work(c->job, c->worker);
    return NULL;
}

void run_on_scrambled_threads(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    (void)context;
    call *calls = calloc(workers, sizeof *calls);
    if (!calls) abort();
    for (uint32_t i = 0; i < workers; i++) {
        calls[i] = (call){.work = work, .job = job, .worker = (7 * i + 3) % workers};
        if (workers % 7 == 0) calls[i].worker = workers - 1 - i; /* steps of 7 would not reach every worker */
        calls[i].has_thread = pthread_create(&calls[i].thread, NULL, make_call, &calls[i]) == 0;
        if (!calls[i].has_thread) make_call(&calls[i]);
    }
    for (uint32_t i = 0; i < workers; i++)
        if (calls[i].has_thread) pthread_join(calls[i].thread, NULL);
    free(calls);
}

void run_few_backwards(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    (void)context;
    for (uint32_t w = workers; w-- > 0;)
        if (w % 4 >= workers % 4) work(job, w);
}
