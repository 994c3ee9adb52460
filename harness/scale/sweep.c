/* SPDX-License-Identifier: MIT */
#include "harness/scale/sweep.h"

#include <math.h>

typedef struct sweep_text {
    const char *name, *title, *summary;
} sweep_text;

static const sweep_text texts[SWEEPS] = {
    [SWEEP_STRONG] = {"strong", "Strong scaling", "The same flock with more and more threads."},
    [SWEEP_WEAK] = {"weak", "Weak scaling", "The same number of agents per thread with more and more threads."},
    [SWEEP_DENSITY] = {"density", "Density", "The same number of agents with more and more neighbours."},
    [SWEEP_KERNELS] = {"kernels", "Kernels",
                       "Every kernel that runs here, and `baseline-aos`: what a good programmer writes in an afternoon."},
    [SWEEP_DISTRIBUTION] = {"distribution", "Distribution",
                            "Clumped and flocked agents, each beside uniform agents with as many neighbours."},
    [SWEEP_SIZE] = {"size", "Size", "More and more agents, with all threads."},
};

const char *sweep_name(sweep_kind sweep) {
    return texts[sweep].name;
}

const char *sweep_title(sweep_kind sweep) {
    return texts[sweep].title;
}

const char *sweep_summary(sweep_kind sweep) {
    return texts[sweep].summary;
}

double row_ns_per_useful_pair(const frame_row *row) {
    return row->pairs_useful_per_second > 0.0 ? 1e9 * row->threads / row->pairs_useful_per_second : (double)NAN;
}

double row_ns_per_agent(const frame_row *row) {
    return 1e9 * row->threads / row->agent_updates_per_second;
}
