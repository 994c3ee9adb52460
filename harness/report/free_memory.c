/* SPDX-License-Identifier: MIT */
#include "harness/report/machine.h"

#include <inttypes.h>
#include <string.h>

/* The number after `key` in a file of "key   number" lines; with an empty key, the one that the file begins with. */
static bool read_field(const char *path, const char *key, uint64_t *value) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    char line[256];
    size_t length = strlen(key);
    bool found = false;
    while (!found && fgets(line, sizeof line, file)) {
        found = strncmp(line, key, length) == 0 && sscanf(line + length, "%" SCNu64, value) == 1;
    }
    fclose(file);
    return found;
}

/* What a container learns of itself from version 2 of control groups. Pages of files can be dropped. */
static uint64_t group_leaves(void) {
    uint64_t max, used, files = 0;
    if (!read_field("/sys/fs/cgroup/memory.max", "", &max)) return UINT64_MAX; /* "max": no limit */
    if (!read_field("/sys/fs/cgroup/memory.current", "", &used)) return UINT64_MAX;
    read_field("/sys/fs/cgroup/memory.stat", "inactive_file ", &files);
    used -= files < used ? files : used;
    return used < max ? max - used : 0;
}

/* What the system calls available, but no more than the control group leaves. */
uint64_t machine_free_memory(void) {
    uint64_t kibibytes = 0;
    if (!read_field("/proc/meminfo", "MemAvailable:", &kibibytes)) return 0;
    uint64_t available = kibibytes * 1024, group = group_leaves();
    return available < group ? available : group;
}
