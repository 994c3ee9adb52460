/* SPDX-License-Identifier: MIT */
#include "harness/measure/ranks.h"
#include "harness/measure/frame_bench.h"

void bench_ranks_order(const command_ranks *ranks, const bench_order *order) {
    bench_order told = *order;
    ranks->broadcast(ranks->context, &told, sizeof told);
}

void bench_ranks_dismiss(const command_ranks *ranks, int status) {
    bench_ranks_order(ranks, &(bench_order){.status = status});
}

/* The same calls as on rank 0, because it is the same function. If it fails here, it fails there, too, which says why. */
static void run_part(const command_ranks *ranks, const bench_order *order) {
    const bench_start start = {.workload = order->workload};
    const frame_case one = {.start = &start,
                            .crew = ranks,
                            .ranks = order->ranks,
                            .threads = order->threads,
                            .kernel = order->kernel,
                            .index = "grid",
                            .warm_up = order->warm_up,
                            .steps = order->steps,
                            .repeats = 1};
    frame_row row;
    frame_bench_run(&one, 1, &row, NULL, NULL, NULL, NULL);
}

int bench_ranks_follow(const command_ranks *ranks) {
    for (;;) {
        bench_order order;
        ranks->broadcast(ranks->context, &order, sizeof order);
        if (order.ranks == 0) return order.status;
        if (ranks->rank < order.ranks) run_part(ranks, &order);
    }
}
