/* SPDX-License-Identifier: MIT */
/*
 * The concurrency of the engine, all of it. A parallel region is one call of dun_executor.run():
 *
 *   dunlin_world_step()                         one thread, which begins these regions:
 *     ├─ boundary first (if asked for)          tasks = tiles
 *     ├─ exchange of a part, per species        tasks = chunks of agents, twice: what goes where
 *     │                          messages       tasks = shares of what goes: how much; ranks: where; the shares again: what
 *     │                          merge          tasks = chunks of what comes
 *     ├─ snapshot, per species: grid            tasks = chunks of agents, then stripes or buckets of cells, then chunks
 *     │                         tree            tasks = chunks of agents, then shares of parts, then chunks
 *     ├─ fields that vary                       tasks = rows of cells
 *     ├─ estimating work                        tasks = blocks of tiles
 *     ├─ centres (if asked to measure)          tasks = tiles, per species
 *     ├─ interact, steer, integrate, measure    tasks = shares of tiles of about equal estimated work
 *     ├─ meals, per meal                        tasks = tiles of food, which find their eaters
 *     └─ deaths, per species                    tasks = columns
 *   dunlin_world_measure()                      snapshot as above, then tasks = tiles, for the centre and for all else
 *   dunlin_survey_components(), _density(), _correlation()
 *                                               sorts as above, then tasks = tiles of all that are surveyed
 *   dunlin_world_fill_field()                   tasks = rows of cells
 *   growing a species' arrays                   tasks = equal parts of them
 *
 * The rest is serial: cutting shares, what eaters gain, births, ids. Callbacks of the caller's run within tasks.
 *
 * A task writes only what is its own: its agents' slots, its cells, its worker's scratch. Only two things are atomic: the
 * hand-out of tasks, and the forest in which all workers join components (engine/survey/components.c). That forest ends up the
 * same in whatever order they come. The end of a region is a barrier, and there is no other order: a task reads what was
 * written before its region began. Which thread does which task, and when, changes nothing but the time.
 *
 *   dun_parallel_around(step)       OpenMP: one of its own regions around all of ours in a step
 *     └─ dun_executor.run(tasks)    cuts the tasks into a stretch per worker, once for all executors
 *          └─ dunlin_run_fn()       calls work() once per worker: helpers (helpers.h), serial, the caller's executor
 *               └─ work(worker)   does the tasks of its own stretch, then those that are left of the others'
 *
 * A helper that comes late finds its stretch done by others, and the region ends without it. It ends only when no helper is in
 * a task any more. So on a busy machine no step waits for a thread that another program keeps from running, except within a
 * task.
 *
 * In every region a worker's stretch is the same share of the tasks, so of agents, cells and tiles. It mostly reads what it
 * wrote in the region before, and memory that was first touched by the same rule (engine/world/memory.c) is near its core.
 */
#include "engine/base/parallel.h"

#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "kernels/contract/kernel.h"

/* A cache line each, since all workers write to it. */
typedef struct hand_out {
    alignas(DUN_CACHE_LINE) _Atomic uint32_t next;
    uint32_t end;
    _Atomic bool works; /* the worker of the same number is at work */
} hand_out;

typedef struct dun_threads {
    const char *name;
    const dun_executor_type *type; /* NULL: the caller's */
    dunlin_run_fn *run;
    void *context;
    uint32_t threads; /* how many work, as far as regions have shown */
    bool is_around;   /* type->around() is at work */
    uint32_t regions; /* since the last dun_parallel_around() began */

    /* the present region */
    bool running; /* it has begun and not ended */
    dun_task_fn *task;
    void *task_context;
    uint32_t asked;                                /* workers, each of which has a stretch */
    alignas(DUN_CACHE_LINE) _Atomic uint32_t came; /* workers that have begun */
    _Atomic uint64_t wrong; /* the last wrong worker number of the caller's executor, and 1 more; 0: none */
    hand_out stretch[];     /* [workers] */
} dun_threads;

/* ---- a region --------------------------------------------------------------------------------------------------------- */

static bool take_task(hand_out *from, uint32_t *task) {
    /* A look without a write first, which would take the cache line from others. */
    if (atomic_load_explicit(&from->next, memory_order_relaxed) >= from->end) return false;
    *task = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
    return *task < from->end;
}

static void stop_working(hand_out *const *own) {
    atomic_store_explicit(&(*own)->works, false, memory_order_release);
}

static void work(void *job, uint32_t self) {
    DUN_OWN_FLOATS();
    dun_threads *own = job;
    if (self >= own->asked || atomic_exchange_explicit(&own->stretch[self].works, true, memory_order_acquire)) {
        atomic_store_explicit(&own->wrong, (uint64_t)self + 1, memory_order_relaxed);
        return; /* its memory is another worker's, or no worker's */
    }
    __attribute__((cleanup(stop_working), unused)) hand_out *const working = &own->stretch[self];
    atomic_fetch_add_explicit(&own->came, 1, memory_order_relaxed);
    for (uint32_t s = 0, i; s < own->asked; s++)
        while (take_task(&own->stretch[(self + s) % own->asked], &i)) own->task(own->task_context, i, self);
}

static void cut_stretches(dun_threads *own, uint32_t tasks) {
    for (uint32_t s = 0; s < own->asked; s++) {
        atomic_store_explicit(&own->stretch[s].next, (uint32_t)((uint64_t)tasks * s / own->asked), memory_order_relaxed);
        own->stretch[s].end = (uint32_t)((uint64_t)tasks * (s + 1) / own->asked);
    }
}

/* The caller's may leave out calls. */
static void run_callers(dun_threads *own) {
    atomic_store_explicit(&own->came, 0, memory_order_relaxed);
    own->run(own->context, own->asked, work, own);
    if (atomic_load_explicit(&own->came, memory_order_relaxed) == 0) work(own, 0);
    const uint32_t came = atomic_load_explicit(&own->came, memory_order_relaxed);
    if (came < own->asked || came > own->threads) own->threads = came;
}

static void run_region(void *threads) {
    dun_threads *own = threads;
    if (!own->type) {
        run_callers(own);
        return;
    }
    own->run(own->context, own->asked, work, own);
    own->threads = own->type->threads ? own->type->threads(own->context) : 1;
}

static void run_around(dun_threads *own, uint32_t workers, dun_serial_fn *function, void *argument) {
    own->is_around = true;
    own->type->around(own->context, workers, function, argument);
    own->is_around = false;
}

/*
 * An exception leaves a callback, and with it the region. What the other workers work with lies on the stack that it unwinds,
 * so they get no more tasks, and it waits for them. On a thread of their own they would end the process.
 */
static void end_region(dun_threads *const *ended) {
    dun_threads *own = *ended;
    if (!own->running) return;
    for (uint32_t s = 0; s < own->asked; s++)
        atomic_store_explicit(&own->stretch[s].next, own->stretch[s].end, memory_order_relaxed);
    for (uint32_t w = 0; w < own->asked; w++)
        while (atomic_load_explicit(&own->stretch[w].works, memory_order_acquire)) sched_yield();
}

static void share_tasks(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    dun_threads *own = executor->own;
    own->regions++;
    own->asked = tasks < executor->workers ? tasks : executor->workers;
    own->task = task;
    own->task_context = context;
    own->running = true;
    cut_stretches(own, tasks);
    __attribute__((cleanup(end_region), unused)) dun_threads *const running = own;
    if (own->type && own->type->around && !own->is_around)
        run_around(own, executor->workers, run_region, own);
    else
        run_region(own);
    own->running = false;
}

void dun_parallel_run_here(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    executor->own->running = true;
    for (uint32_t i = 0; i < tasks; i++) task(context, i, 0);
    executor->own->running = false;
}

static void run_tasks(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    (executor->workers > 1 && tasks > 1 ? share_tasks : dun_parallel_run_here)(executor, tasks, task, context);
}

void dun_parallel_around(dun_executor *executor, dun_serial_fn *function, void *argument) {
    dun_threads *own = executor->own;
    const bool has_many = own->regions > 1; /* as the last time */
    own->regions = 0;
    if (executor->workers > 1 && has_many && own->type && own->type->around)
        run_around(own, executor->workers, function, argument);
    else
        function(argument);
}

/* ---- serial ----------------------------------------------------------------------------------------------------------- */

static uint32_t one_thread(void) {
    return 1;
}

static void run_serially(void *context, uint32_t workers, dunlin_work_fn *call, void *job) {
    (void)context, (void)workers;
    call(job, 0);
}

static const dun_executor_type serial_executor = {.name = "serial", .default_threads = one_thread, .run = run_serially};

/* ---- the choice ------------------------------------------------------------------------------------------------------- */

static const dun_executor_type *const executor_types[] = {
#ifdef DUNLIN_OPENMP
    &dun_openmp_executor,
#endif
    &dun_pthreads_executor, &serial_executor};
enum { TYPES = sizeof executor_types / sizeof *executor_types };

static const char *why_not(const dun_executor_type *type) {
    return type->why_not ? type->why_not() : NULL;
}

static dunlin_result fail_name(const char *name, dunlin_error *error) {
    char names[64] = "auto";
    const char *why = NULL;
    for (int t = 0; t < TYPES; t++) {
        const size_t used = strlen(names);
        if (!why_not(executor_types[t]))
            snprintf(names + used, sizeof names - used, ", %s", executor_types[t]->name);
        else if (strcmp(name, executor_types[t]->name) == 0)
            why = why_not(executor_types[t]);
    }
    return dun_fail(error, DUNLIN_ERROR_UNSUPPORTED, "%sexecutor '%.40s'%s%s: it must be one of %s, custom",
                    why ? "" : "unknown ", name, why ? " cannot run: " : "", why ? why : "", names);
}

static dunlin_result check_custom(const dunlin_world_def *def, dunlin_error *error) {
    if (!def->run) return dun_fail(error, DUNLIN_ERROR_VALUE, "world.run is NULL: a custom executor needs a function");
    if (def->threads > 0) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "world.threads is 0: with a custom executor it must be 1 to %d",
                    DUN_MAX_THREADS);
}

/* *type is NULL for the caller's own. */
static dunlin_result choose_type(const dunlin_world_def *def, const dun_executor_type **type, dunlin_error *error) {
    const char *name = def->executor ? def->executor : "(null)";
    const bool is_auto = strcmp(name, "auto") == 0;
    *type = NULL;
    if (strcmp(name, "custom") == 0 || (is_auto && def->run)) return check_custom(def, error);
    for (int t = 0; t < TYPES && !*type; t++)
        if ((is_auto || strcmp(name, executor_types[t]->name) == 0) && !why_not(executor_types[t])) *type = executor_types[t];
    if (!*type) return fail_name(name, error);
    if (!def->run) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "world.run is set, but world.executor is '%s': it must be 'custom'", name);
}

dunlin_result dun_parallel_create(dun_executor *executor, dun_heap *heap, const dunlin_world_def *def, dunlin_error *error) {
    const dun_executor_type *type;
    *executor = (dun_executor){0};
    const dunlin_result result = choose_type(def, &type, error);
    if (result) return result;
    const uint32_t most = def->threads ? (uint32_t)def->threads : type->default_threads();
    const uint32_t workers = most < DUN_MAX_THREADS ? most : DUN_MAX_THREADS;
    const size_t bytes = sizeof(dun_threads) + workers * sizeof(hand_out);
    dun_threads *own = dun_allocate_aligned(heap, DUN_CACHE_LINE, bytes);
    if (!own) return dun_fail_memory(error, "a world");
    memset(own, 0, bytes);
    *own = (dun_threads){.name = "custom", .type = type, .run = def->run, .context = def->run_context, .threads = workers};
    if (type) own->name = type->name, own->run = type->run;
    if (type && type->create) own->context = type->create(heap, workers);
    *executor = (dun_executor){.workers = workers, .run = run_tasks, .own = own};
    if (!type || !type->create || own->context) return DUNLIN_OK;
    dun_parallel_destroy(executor);
    return dun_fail_memory(error, "a world");
}

void dun_parallel_destroy(dun_executor *executor) {
    dun_threads *own = executor->own;
    if (own && own->context && own->type && own->type->destroy) own->type->destroy(own->context);
    dun_free(own);
    *executor = (dun_executor){0};
}

dunlin_result dun_parallel_check(const dun_executor *executor, dunlin_error *error) {
    const uint64_t wrong = atomic_exchange_explicit(&executor->own->wrong, 0, memory_order_relaxed);
    if (!wrong) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "world.run called work() for worker %llu, which is invalid or already running",
                    (unsigned long long)wrong - 1);
}

bool dun_parallel_is_running(const dun_executor *executor) {
    return executor->own->running;
}

const char *dun_parallel_name(const dun_executor *executor) {
    return executor->own->name;
}

uint32_t dun_parallel_threads(const dun_executor *executor) {
    return executor->own->threads < executor->workers ? executor->own->threads : executor->workers;
}
