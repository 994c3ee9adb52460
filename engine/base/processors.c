/* SPDX-License-Identifier: MIT */
/*
 * All that the engine asks of the machine about processors. Tests link with another dun_processors_here(), which pretends: see
 * tests/lib/pretend.c.
 *
 * A container with a quota sees all processors, and may run on all of them. It only gets less of their time: once its threads
 * have used up the share of a period, all of them are stopped until the next one. With more threads than the quota allows, each
 * region would wait for one that is stopped.
 */
#include "engine/base/processors.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/place.h"

/* ---- quota ------------------------------------------------------------------------------------------------------------ */

#ifdef __linux__
enum { LONGEST_PATH = 2048 };

/* The words of a file, at most two of them, as numbers: microseconds. A word that is none, such as "max", becomes -1. */
static bool read_two(const char *folder, const char *name, double number[2]) {
    char path[LONGEST_PATH + 32], word[2][24] = {"", ""};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    const bool is_there = fscanf(file, "%23s %23s", word[0], word[1]) > 0;
    fclose(file);
    for (int i = 0; i < 2; i++) {
        long long read;
        number[i] = sscanf(word[i], "%lld", &read) == 1 ? (double)read : -1;
    }
    return is_there;
}

/* What one group allows: version 2 has a file of two numbers, version 1 two files. */
static double quota_of(const char *folder) {
    double both[2], period[2];
    if (!read_two(folder, "cpu.max", both)) {
        if (!read_two(folder, "cpu.cfs_quota_us", both) || !read_two(folder, "cpu.cfs_period_us", period)) return HUGE_VAL;
        both[1] = period[0];
    }
    return both[0] > 0 && both[1] > 0 ? both[0] / both[1] : HUGE_VAL;
}

/*
 * The minimum of a group and of those that it is in. Folders that are missing allow everything: the group's path is that of the
 * whole system, of which a container may see only the end, as the mount itself.
 */
static double quota_upwards(const char *mount, const char *group) {
    char folder[LONGEST_PATH];
    const int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    double least = HUGE_VAL;
    if (length < 0 || length >= LONGEST_PATH) return least;
    for (char *end = folder + length; end && end >= folder + strlen(mount); end = strrchr(folder, '/')) {
        *end = '\0';
        least = fmin(least, quota_of(folder));
    }
    return least;
}

/* A line is ID:CONTROLLERS:GROUP. Version 2 has no controllers, and version 1 a mount for each set of them. */
static double quota_of_line(const char *root, char *line) {
    char mount[LONGEST_PATH], between_commas[LONGEST_PATH + 2], *rest = line;
    line[strcspn(line, "\n")] = '\0';
    strsep(&rest, ":");
    const char *controllers = strsep(&rest, ":");
    if (!rest) return HUGE_VAL;
    snprintf(between_commas, sizeof between_commas, ",%s,", controllers);
    if (*controllers && !strstr(between_commas, ",cpu,")) return HUGE_VAL;
    snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s%s", root, *controllers ? "/" : "", controllers);
    return quota_upwards(mount, rest);
}

/* Of control groups, versions 1 and 2: the minimum of all groups that the process is in. */
static double quota_in(const char *root) {
    char line[LONGEST_PATH];
    double least = HUGE_VAL;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "re");
    while (file && fgets(line, sizeof line, file)) least = fmin(least, quota_of_line(root, line));
    if (file) fclose(file);
    return least;
}
#else
static double quota_in(const char *root) {
    (void)root;
    return HUGE_VAL;
}
#endif

/* ---- processors ------------------------------------------------------------------------------------------------------- */

dun_processors dun_processors_in(const char *root) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN), all = online < 1 ? 1 : online, allowed = dun_place_processors();
    dun_processors p = {.all = (uint32_t)all, .allowed = allowed < 1 ? 1 : (uint32_t)allowed, .quota = quota_in(root)};
    if (p.all < p.allowed) p.all = p.allowed;
    p.threads = p.quota < p.allowed ? (uint32_t)ceil(p.quota) : p.allowed;
    return p;
}

dun_processors dun_processors_here(void) {
    return dun_processors_in("");
}
