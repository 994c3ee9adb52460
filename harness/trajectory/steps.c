/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/steps.h"

#include <inttypes.h>
#include <stdio.h>

void steps_describe(const trajectory_reader *of, uint64_t first, uint64_t last, char text[STEPS_TEXT]) {
    const uint64_t frames = reader_info(of)->frames;
    uint64_t begin = 0, end = 0; /* of those within */
    while (begin < frames && reader_step(of, begin) < first) begin++;
    while (end < frames && reader_step(of, end) <= last) end++;
    if (frames == 1)
        snprintf(text, STEPS_TEXT, "its only frame is of step %" PRIu64, reader_step(of, 0));
    else if (begin < end)
        snprintf(text, STEPS_TEXT, "its frames are of steps %" PRIu64 " to %" PRIu64, reader_step(of, begin),
                 reader_step(of, end - 1));
    else if (begin == 0)
        snprintf(text, STEPS_TEXT, "its first frame is of step %" PRIu64, reader_step(of, 0));
    else if (begin == frames)
        snprintf(text, STEPS_TEXT, "its last frame is of step %" PRIu64, reader_step(of, frames - 1));
    else
        snprintf(text, STEPS_TEXT, "the nearest frames are of steps %" PRIu64 " and %" PRIu64, reader_step(of, begin - 1),
                 reader_step(of, begin));
}
