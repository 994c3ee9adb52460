/* SPDX-License-Identifier: MIT */
/* plugin_host PLUGIN EXECUTOR: opens the plugin, calls and closes it, several times. It knows nothing of Dunlin. */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

enum { TIMES = 10, A_MOMENT = 10000 /* µs: a thread whose code is gone dies within it */ };

static int threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    while (tasks && readdir(tasks)) count++;
    if (tasks) closedir(tasks);
    return count;
}

int main(int argc, char **argv) {
    int before = 0;
    for (int i = 0; i < TIMES && argc == 3; i++) {
        void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!plugin) return fprintf(stderr, "%s\n", dlerror()), 1;
        int (*run_flock)(const char *) = __extension__(int (*)(const char *)) dlsym(plugin, "run_flock");
        if (!run_flock || run_flock(argv[2])) return fprintf(stderr, "the plugin does not run\n"), 1;
        if (dlclose(plugin)) return fprintf(stderr, "%s\n", dlerror()), 1;
        usleep(A_MOMENT);
        if (i == 0) before = threads();
    }
    printf("%d threads more than after the first time\n", threads() - before);
    return argc != 3 || threads() > before;
}
