/* SPDX-License-Identifier: MIT */
#include "harness/microbench/cycles.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter = -1;
static char absence[96] = "not asked for";

const char *cycles_absence(void) {
    return counter < 0 ? absence : NULL;
}

void cycles_close(void) {
    if (counter >= 0) close(counter);
    counter = -1;
}

bool cycles_open_event(uint32_t type, uint64_t config) {
    struct perf_event_attr event = {
        .type = type, .size = sizeof event, .config = config, .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1};
    cycles_close();
    /* This thread, on whatever processor it is; glibc has no function for it. */
    counter = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (counter < 0) snprintf(absence, sizeof absence, "perf_event_open: %s", strerror(errno));
    return counter >= 0;
}

bool cycles_open(void) {
    return cycles_open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
}

void cycles_begin(void) {
    if (counter < 0) return;
    ioctl(counter, PERF_EVENT_IOC_RESET, 0);
    ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
}

uint64_t cycles_end(void) {
    if (counter < 0) return 0;
    ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
    uint64_t count = 0;
    return read(counter, &count, sizeof count) == (ssize_t)sizeof count ? count : 0;
}
