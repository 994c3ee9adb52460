/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/driver.h"
#include "harness/report/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

struct driver {
    H5FD_t base; /* HDF5's */
    int descriptor;
    int direct; /* the same file, past the page cache; below 0: the file system cannot do that */
    bool is_direct;
    const char *kept, *kept_end; /* memory from which blocks may wait */
    haddr_t used, end;           /* where the file ends for HDF5, and for readers */
    unsigned char superblock[SUPERBLOCK_BYTES];
    const char *waiting; /* blocks that lie side by side in memory and in the file */
    size_t waiting_bytes;
    haddr_t waiting_at;
    haddr_t log_last, log_end; /* of the log of a cut: its last record, or 0, and its end; 0: there is none */
    bool has_failed;
};

/* For HDF5's error stack, which objects_fail() reads. */
static bool fail(const char *cause) {
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR, "error message = '%s'", cause);
    return false;
}

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

static bool put(driver *d, haddr_t at, const char *from, size_t bytes) {
    if (dun_write_at(d->descriptor, from, bytes, (off_t)at)) return true;
    d->has_failed = true;
    return fail(strerror(errno));
}

/* What is behind the end reads as 0. */
static bool get(const driver *d, haddr_t at, char *to, size_t bytes) {
    const ssize_t got = dun_read_at(d->descriptor, to, bytes, (off_t)at);
    if (got < 0) return fail(strerror(errno));
    memset(to + got, 0, bytes - (size_t)got);
    return true;
}

/* Returns how much was written: less than all if the file system refuses, or has no room. */
static size_t put_directly(driver *d, haddr_t at, const char *from, size_t bytes) {
    if (!d->is_direct || d->direct < 0) return 0;
    ssize_t written;
    do written = pwrite(d->direct, from, bytes, (off_t)at);
    while (written < 0 && errno == EINTR);
    if (written >= 0) return (size_t)written;
    close(d->direct);
    d->direct = -1;
    return 0;
}

bool driver_flush(driver *d) {
    const size_t bytes = d->waiting_bytes, written = put_directly(d, d->waiting_at, d->waiting, bytes);
    d->waiting_bytes = 0;
    return put(d, d->waiting_at + written, d->waiting + written, bytes - written);
}

static bool may_wait(const driver *d, haddr_t at, const char *from, size_t bytes) {
    return from >= d->kept && from < d->kept_end && at % DRIVER_PAGE == 0 && (uintptr_t)from % DRIVER_PAGE == 0 &&
           bytes % DRIVER_PAGE == 0;
}

static bool wait_for_more(driver *d, haddr_t at, const char *from, size_t bytes) {
    const bool follows =
        d->waiting_bytes > 0 && at == d->waiting_at + d->waiting_bytes && from == d->waiting + d->waiting_bytes;
    if (!follows) {
        if (!driver_flush(d)) return false;
        d->waiting = from;
        d->waiting_at = at;
    }
    d->waiting_bytes += bytes;
    return true;
}

static bool put_superblock(driver *d) {
    superblock_seal(d->superblock, d->end);
    return put(d, 0, (const char *)d->superblock, SUPERBLOCK_BYTES);
}

/* How many of a block's bytes are of the superblock. */
static size_t superblock_part(haddr_t at, size_t bytes) {
    const size_t left = at < SUPERBLOCK_BYTES ? (size_t)(SUPERBLOCK_BYTES - at) : 0;
    return bytes < left ? bytes : left;
}

/* ---- cutting ---------------------------------------------------------------------------------------------------------- */

typedef struct log_head {
    char mark[8];
    uint64_t end; /* of the file before the cut */
} log_head;

typedef struct log_record {
    uint64_t before;    /* where the record before it is; 0: it is the first */
    uint64_t at, bytes; /* and then the bytes themselves */
} log_record;

static const char log_mark[8] = {'D', 'U', 'N', 'L', 'I', 'N', 'U', 'N'};

/* The superblock, written last, is what makes the log valid. */
bool driver_begin_cut(driver *d) {
    log_head head = {.end = d->end};
    memcpy(head.mark, log_mark, sizeof head.mark);
    d->end += DRIVER_RESERVE;
    if (dun_truncate(d->descriptor, (off_t)d->end) != 0) return fail(strerror(errno));
    d->log_end = d->end + sizeof head;
    return put(d, d->end, (const char *)&head, sizeof head) && put_superblock(d);
}

static bool note(driver *d, haddr_t at, size_t bytes) {
    const log_record record = {d->log_last, at, bytes};
    char *noted = malloc(sizeof record + bytes);
    if (!noted) return fail("no memory");
    memcpy(noted, &record, sizeof record);
    const bool is_noted = get(d, at, noted + sizeof record, bytes) && put(d, d->log_end, noted, sizeof record + bytes);
    free(noted);
    d->log_last = d->log_end;
    d->log_end += sizeof record + bytes;
    return is_noted;
}

static bool undo_record(driver *d, haddr_t at, const log_record *record) {
    char *noted = malloc((size_t)record->bytes + 1);
    if (!noted) return fail("no memory");
    const bool is_put =
        get(d, at + sizeof *record, noted, (size_t)record->bytes) && put(d, record->at, noted, (size_t)record->bytes);
    free(noted);
    return is_put;
}

/* The last record comes first. What was not noted in whole was not overwritten. */
static bool undo_records(driver *d, haddr_t at, haddr_t end) {
    log_record record;
    haddr_t last = 0;
    while (at + sizeof record <= end) {
        if (!get(d, at, (char *)&record, sizeof record)) return false;
        if (record.bytes > end - at - sizeof record) break;
        last = at;
        at += sizeof record + record.bytes;
    }
    for (haddr_t next = end; last > 0; next = last, last = record.before) {
        if (last >= next) return fail("its log of a cut is damaged"); /* it would have no end */
        if (!get(d, last, (char *)&record, sizeof record) || !undo_record(d, last, &record)) return false;
    }
    return true;
}

/* A cut that was not finished. */
static bool undo_cut(driver *d, haddr_t log, haddr_t end) {
    log_head head;
    if (end < log + sizeof head) return true;
    if (!get(d, log, (char *)&head, sizeof head)) return false;
    if (memcmp(head.mark, log_mark, sizeof head.mark) != 0) return true;
    if (!undo_records(d, log + sizeof head, end)) return false;
    d->end = head.end;
    return put_superblock(d) && dun_truncate(d->descriptor, (off_t)d->end) == 0;
}

/* ---- blocks ----------------------------------------------------------------------------------------------------------- */

static herr_t write_block(H5FD_t *base, H5FD_mem_t type, hid_t how, haddr_t at, size_t bytes, const void *from) {
    driver *d = (driver *)base;
    const char *block = from;
    (void)type, (void)how;
    if (may_wait(d, at, block, bytes)) return wait_for_more(d, at, block, bytes) ? 0 : -1;
    if (!driver_flush(d)) return -1;
    const size_t first = superblock_part(at, bytes);
    if (first > 0) memcpy(d->superblock + at, block, first);
    if (first > 0 && !put_superblock(d)) return -1;
    if (d->log_end > 0 && !note(d, at + first, bytes - first)) return -1;
    return put(d, at + first, block + first, bytes - first) ? 0 : -1;
}

/* HDF5 must see the end that the file has: after a power cut the superblock may name a later one. */
static herr_t read_block(H5FD_t *base, H5FD_mem_t type, hid_t how, haddr_t at, size_t bytes, void *to) {
    driver *d = (driver *)base;
    const size_t first = superblock_part(at, bytes);
    (void)type, (void)how;
    if (!driver_flush(d) || !get(d, at, to, bytes)) return -1;
    superblock_seal(d->superblock, d->end);
    if (first > 0) memcpy(to, d->superblock + at, first);
    return 0;
}

/* ---- the end of the file ---------------------------------------------------------------------------------------------- */

/* The file grows before its superblock says so, and by more, unless there is a limit to its size. */
static bool grow(driver *d, haddr_t end, size_t ahead) {
    if (d->log_end > 0) return fail("no room for a cut");
    if (dun_truncate(d->descriptor, (off_t)(end + ahead)) != 0 && dun_truncate(d->descriptor, (off_t)end) != 0)
        return fail(strerror(errno));
    d->end = end;
    return put_superblock(d);
}

bool driver_expect(driver *d, size_t bytes) {
    const haddr_t end = d->used + bytes + DRIVER_RESERVE;
    return end <= d->end || grow(d, end, DRIVER_AHEAD + 8 * bytes);
}

static herr_t set_used(H5FD_t *base, H5FD_mem_t type, haddr_t used) {
    driver *d = (driver *)base;
    (void)type;
    d->used = used;
    return used <= d->end || grow(d, used + DRIVER_RESERVE, DRIVER_AHEAD) ? 0 : -1;
}

static haddr_t get_used(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver *)base)->used;
}

static haddr_t get_end(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver *)base)->end;
}

/* And it shrinks after that. */
static bool cut_reserve(driver *d) {
    d->end = d->used;
    if (!put_superblock(d)) return false;
    return dun_truncate(d->descriptor, (off_t)d->end) == 0 || fail(strerror(errno));
}

static herr_t truncate_file(H5FD_t *base, hid_t how, hbool_t is_closing) {
    driver *d = (driver *)base;
    (void)how;
    if (!is_closing || d->log_end > 0) return 0;
    return driver_flush(d) && cut_reserve(d) ? 0 : -1;
}

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

static herr_t close_file(H5FD_t *base) {
    driver *d = (driver *)base;
    bool is_written = driver_flush(d) && !d->has_failed;
    if (is_written && d->log_end > 0) is_written = cut_reserve(d);
    if (d->direct >= 0) close(d->direct);
    const bool is_closed = d->descriptor < 0 || close(d->descriptor) == 0;
    free(d);
    return is_written && is_closed ? 0 : -1;
}

/* A power cut may have left the file shorter than its superblock says. */
static bool read_ends(driver *d) {
    struct stat status;
    if (fstat(d->descriptor, &status) != 0 ||
        dun_read_at(d->descriptor, (char *)d->superblock, SUPERBLOCK_BYTES, 0) != SUPERBLOCK_BYTES ||
        !superblock_is_known(d->superblock))
        return false;
    const haddr_t bytes = (haddr_t)status.st_size, end = superblock_end(d->superblock);
    d->end = end < bytes ? end : bytes;
    return undo_cut(d, end, bytes);
}

static H5FD_t *open_file(const char *path, unsigned flags, hid_t access, haddr_t max) {
    driver *d = calloc(1, sizeof *d);
    (void)flags, (void)access, (void)max;
    if (!d) return NULL;
    d->descriptor = dun_open(path, O_RDWR, 0);
    d->direct = dun_open(path, O_WRONLY | O_DIRECT, 0);
    const bool is_taken = d->descriptor >= 0 && claim_is_taken(d->descriptor);
    if (d->descriptor >= 0 && !is_taken && read_ends(d)) return &d->base;
    fail(d->descriptor < 0 ? strerror(errno)
         : is_taken        ? "another process is writing it"
                           : "it is damaged, or was not made by this program");
    close_file(&d->base);
    return NULL;
}

static herr_t query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static herr_t get_handle(H5FD_t *base, hid_t access, void **handle) {
    (void)access;
    *handle = base;
    return 0;
}

static herr_t flush_all(H5FD_t *base, hid_t how, hbool_t is_closing) {
    (void)how, (void)is_closing;
    return driver_flush((driver *)base) ? 0 : -1;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 300, /* none of HDF5's own */
#endif
    .name = "dunlin",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = open_file,
    .close = close_file,
    .query = query,
    .get_eoa = get_used,
    .set_eoa = set_used,
    .get_eof = get_end,
    .get_handle = get_handle,
    .read = read_block,
    .write = write_block,
    .flush = flush_all,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY};

hid_t driver_open(const char *path, unsigned flags, hid_t access) {
    const hid_t id = H5FDregister(&driver_class);
    const bool is_set = id >= 0 && H5Pset_driver(access, id, NULL) >= 0;
    const hid_t file = is_set ? H5Fopen(path, H5F_ACC_RDWR | flags, access) : H5I_INVALID_HID;
    const hid_t errors = H5Eget_current_stack(); /* which the next calls would clear */
    if (id >= 0) H5FDunregister(id);
    H5Pclose(access);
    H5Eset_current_stack(errors);
    return file;
}

driver *driver_of(hid_t file) {
    void *handle;
    return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 ? handle : NULL;
}

void driver_keep(driver *d, const void *memory, size_t bytes) {
    d->kept = memory;
    d->kept_end = d->kept + bytes;
}

void driver_set_direct(driver *d, bool is_direct) {
    d->is_direct = is_direct;
}

bool driver_sync(driver *d) {
    return driver_flush(d) && fdatasync(d->descriptor) == 0;
}
