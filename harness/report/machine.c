/* SPDX-License-Identifier: MIT */
#include "harness/report/machine.h"
#include "engine/base/processors.h"
#include "dunlin_commit.h"

#include <dunlin/dunlin.h>

#include <hwloc.h>

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The engine is built by the same compiler as this file; its flags come from the build. */
#define TEXT_OF(number)                   #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)
#if defined(__clang__)
#define COMPILER "clang " VERSION_TEXT(__clang_major__, __clang_minor__, __clang_patchlevel__)
#else
#define COMPILER "gcc " VERSION_TEXT(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#endif

static void set_text(char text[MACHINE_TEXT], const char *value) {
    snprintf(text, MACHINE_TEXT, "%s", value && *value ? value : "unknown");
}

/* ---- what this process may use ---------------------------------------------------------------------------------------- */

int machine_threads(void) {
    return (int)dun_processors_here().threads;
}

/* A launcher may have given each process processors of its own, which it does not share. */
int machine_threads_of(uint32_t sharing) {
    const dun_processors p = dun_processors_here();
    const double all = fmin(p.all, ceil(p.quota)) / sharing;
    return all < 1.0 ? 1 : all < p.allowed ? (int)all : (int)p.allowed;
}

void machine_limit(char limit[MACHINE_TEXT]) {
    const dun_processors p = dun_processors_here();
    *limit = '\0';
    if (p.quota < p.allowed)
        snprintf(limit, MACHINE_TEXT, "quota %.4g of %u processors", p.quota, p.allowed);
    else if (p.allowed < p.all)
        snprintf(limit, MACHINE_TEXT, "%u of %u processors", p.allowed, p.all);
}

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

/* ---- pages of memory -------------------------------------------------------------------------------------------------- */

/* The word in brackets of "always [madvise] never". */
static void read_choice(const char *path, char choice[16]) {
    char line[64] = "";
    FILE *file = fopen(path, "r");
    const char *bracket = file && fgets(line, sizeof line, file) ? strchr(line, '[') : NULL;
    if (file) fclose(file);
    if (!bracket || sscanf(bracket, "[%15[a-z]]", choice) != 1) strcpy(choice, "unknown");
}

static uint64_t reserved_bytes(const char *folder) {
    uint64_t bytes = 0, kibibytes, count;
    DIR *sizes = opendir(folder);
    for (struct dirent *size; sizes && (size = readdir(sizes));) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/nr_hugepages", folder, size->d_name);
        if (sscanf(size->d_name, "hugepages-%" SCNu64 "kB", &kibibytes) == 1 && read_field(path, "", &count))
            bytes += kibibytes * 1024 * count;
    }
    if (sizes) closedir(sizes);
    return bytes;
}

static void describe_pages(machine *host) {
    char path[512], choice[16];
    const char *root = getenv("HWLOC_FSROOT");
    if (!root) root = "";
    snprintf(path, sizeof path, "%s/sys/kernel/mm/transparent_hugepage/enabled", root);
    read_choice(path, choice);
    snprintf(path, sizeof path, "%s/sys/kernel/mm/hugepages", root);
    snprintf(host->pages, MACHINE_TEXT, "%ld KiB, transparent huge pages: %s, reserved huge pages: %.1f GiB",
             sysconf(_SC_PAGESIZE) / 1024, choice, (double)reserved_bytes(path) / 0x1p30);
}

/* ---- where threads run ------------------------------------------------------------------------------------------------ */

/* Everything that decides where threads run: OpenMP's variables, and those of GNU's and LLVM's runtimes. */
static const char *const variables[] = {"OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
enum { VARIABLES = sizeof variables / sizeof *variables };

static bool is_decided(void) {
    for (int i = 0; i < VARIABLES; i++) {
        if (getenv(variables[i])) return true;
    }
    return false;
}

static void forget_all(void) {
    for (int i = 0; i < VARIABLES; i++) unsetenv(variables[i]);
}

/* By its own path if it is still there; otherwise the system would list it as "exe". */
static void restart(char **argv) {
    char *path = realpath("/proc/self/exe", NULL);
    if (path) execv(path, argv);
    free(path);
    execv("/proc/self/exe", argv);
}

static bool worlds_use_openmp(void) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    if (dunlin_world_create(&def, &world, NULL) != DUNLIN_OK) return true;
    bool is_openmp = strcmp(dunlin_world_get_def(world).executor, "openmp") == 0;
    dunlin_world_destroy(world);
    return is_openmp;
}

void pin_threads(char **argv) {
    if (!worlds_use_openmp()) {
        if (!is_decided()) return;
        dun_place_leave();
        forget_all();
        restart(argv);
    } else if (!is_decided() && setenv("OMP_PLACES", "cores", 1) == 0) {
        if (setenv("OMP_PROC_BIND", "close", 1) == 0) restart(argv);
        /* The restart failed, so nothing is bound, and nothing may claim that it is. */
        forget_all();
    }
}

static void describe_pinning(machine *host) {
    size_t length = 0;
    for (int i = 0; i < VARIABLES; i++) {
        const char *value = getenv(variables[i]);
        if (!value || length >= MACHINE_TEXT) continue;
        length += (size_t)snprintf(host->pinning + length, MACHINE_TEXT - length, "%s%s=%s", length > 0 ? " " : "",
                                   variables[i], value);
    }
    if (length == 0) set_text(host->pinning, "none");
}

bool pin_binds(const char *pinning) {
    return strcmp(pinning, "none") != 0 && !strstr(pinning, "OMP_PROC_BIND=false");
}

/* ---- processor -------------------------------------------------------------------------------------------------------- */

/* Where this process may run. */
static void find_usable(hwloc_topology_t topology, hwloc_bitmap_t usable) {
    const dun_place place = dun_place_leave();
    if (hwloc_get_cpubind(topology, usable, HWLOC_CPUBIND_PROCESS) != 0) hwloc_bitmap_fill(usable);
    dun_place_return(&place);
    hwloc_bitmap_and(usable, usable, hwloc_topology_get_allowed_cpuset(topology));
}

/* How many such objects this process may use, and the first of them. If cores differ, the caches of others may be smaller or
 * larger. */
static int find_objects(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_bitmap_t usable, hwloc_obj_t *first) {
    int count = 0;
    *first = NULL;
    for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(topology, type, at));) {
        if (hwloc_bitmap_intersects(at->cpuset, usable) && count++ == 0) *first = at;
    }
    return count;
}

static void describe_caches(machine *host, hwloc_topology_t topology, hwloc_const_bitmap_t usable) {
    static const hwloc_obj_type_t types[MACHINE_CACHES] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                                           HWLOC_OBJ_L4CACHE};
    for (int level = 1; level <= MACHINE_CACHES; level++) {
        hwloc_obj_t found;
        if (find_objects(topology, types[level - 1], usable, &found) == 0) continue;
        host->caches[host->cache_count++] = (machine_cache){
            .level = level,
            .bytes = found->attr->cache.size,
            .shared_by = hwloc_bitmap_weight(found->complete_cpuset),
        };
    }
}

static const char *cpu_model(hwloc_topology_t topology) {
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    return model ? model : hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
}

static void describe_topology(machine *host, hwloc_topology_t topology, hwloc_bitmap_t usable) {
    find_usable(topology, usable);
    set_text(host->cpu, cpu_model(topology));
    hwloc_obj_t first;
    host->sockets = find_objects(topology, HWLOC_OBJ_PACKAGE, usable, &first);
    host->cores = find_objects(topology, HWLOC_OBJ_CORE, usable, &first);
    host->all_cores = find_objects(topology, HWLOC_OBJ_CORE, hwloc_topology_get_allowed_cpuset(topology), &first);
    host->numa_nodes = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    /* If memory was added to the running machine, its nodes may not count all of it. */
    const uint64_t of_nodes = hwloc_get_root_obj(topology)->total_memory;
    const uint64_t of_system = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    host->memory_bytes = of_nodes > of_system ? of_nodes : of_system;
    describe_caches(host, topology, usable);
}

static void describe_processor(machine *host) {
    set_text(host->cpu, NULL);
    host->threads = machine_threads();
    machine_limit(host->limit);
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) return;
    hwloc_bitmap_t usable = hwloc_bitmap_alloc();
    if (usable && hwloc_topology_load(topology) == 0) describe_topology(host, topology, usable);
    hwloc_bitmap_free(usable);
    hwloc_topology_destroy(topology);
}

/* ---- system ----------------------------------------------------------------------------------------------------------- */

/* PRETTY_NAME="Debian GNU/Linux 12 (bookworm)", as os-release(5) says, and ", "; "" if there is none. */
static void read_system_name(char name[MACHINE_TEXT]) {
    FILE *file = fopen("/etc/os-release", "r");
    char line[256];
    bool found = false;
    *name = '\0';
    while (file && !found && fgets(line, sizeof line, file)) {
        found = sscanf(line, "PRETTY_NAME=\"%70[^\"\n]", name) == 1 || sscanf(line, "PRETTY_NAME=%70[^\"\n]", name) == 1;
    }
    if (file) fclose(file);
    if (found) strcat(name, ", ");
}

static void describe_system(machine *host) {
    char name[MACHINE_TEXT];
    struct utsname kernel = {.sysname = "unknown"};
    read_system_name(name);
    uname(&kernel);
    snprintf(host->os, sizeof host->os, "%.72s%.10s %.50s %.20s", name, kernel.sysname, kernel.release, kernel.machine);
}

static void describe_date(machine *host) {
    time_t now = time(NULL);
    struct tm parts;
    set_text(host->date, NULL);
    if (gmtime_r(&now, &parts)) strftime(host->date, sizeof host->date, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

machine machine_describe(void) {
    machine described = {0};
    describe_processor(&described);
    describe_pages(&described);
    describe_system(&described);
    describe_date(&described);
    set_text(described.compiler, COMPILER);
    set_text(described.flags, DUNLIN_ENGINE_FLAGS);
    set_text(described.commit, DUNLIN_COMMIT);
    describe_pinning(&described);
    return described;
}

/* ---- in words --------------------------------------------------------------------------------------------------------- */

static void print_caches(FILE *file, const machine *host) {
    for (int i = 0; i < host->cache_count; i++) {
        const machine_cache *cache = &host->caches[i];
        bool is_large = cache->bytes >= 1u << 20;
        fprintf(file, "%sL%d %.4g %s", i > 0 ? ", " : "", cache->level, (double)cache->bytes / (is_large ? 0x1p20 : 0x1p10),
                is_large ? "MiB" : "KiB");
        if (cache->shared_by > 1) fprintf(file, " shared by %d", cache->shared_by);
    }
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

void machine_print(FILE *file, const machine *host) {
    const bool is_limited = *host->limit != '\0';
    fprintf(file, "processor   %s: %d socket%s, %d core%s, %d thread%s%s%s%s, %d NUMA node%s\n", host->cpu, host->sockets,
            plural(host->sockets), host->cores, plural(host->cores), host->threads, plural(host->threads),
            is_limited ? " (" : "", host->limit, is_limited ? ")" : "", host->numa_nodes, plural(host->numa_nodes));
    fputs("caches      ", file);
    print_caches(file, host);
    fprintf(file, "%smemory %.1f GiB\n", host->cache_count > 0 ? "; " : "", (double)host->memory_bytes / 0x1p30);
    fprintf(file, "pages       %s\n", host->pages);
    fprintf(file, "system      %s, %s\n", host->os, host->date);
    fprintf(file, "build       commit %s, %s %s\n", host->commit, host->compiler, host->flags);
    fprintf(file, pin_binds(host->pinning) ? "threads     bound by %s\n" : "threads     not bound: %s\n", host->pinning);
}
