/* SPDX-License-Identifier: BSD-2-Clause */
#include "spool.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define CHUNK (UINT64_C(16) << 20)        /* bytes that are asked of the disk, and given back */
#define MEMORY_LIMIT (UINT64_C(64) << 20) /* of a spool that found no disk */
#define MAX_LIMIT (UINT64_C(64) << 30)    /* of any: addresses are what it costs */
#define ALIGNED(n) (((n) + 7) & ~UINT64_C(7))

/* What stands before a frame's bytes. A frame never wraps: before one that would, a mark says that
 * it is at the ring's start. */
typedef struct spooled {
    int64_t time_ns;
    uint32_t cap_len; /* WRAPS: no frame */
    uint32_t len;
} spooled;

#define WRAPS UINT32_MAX

struct gw_spool {
    uint8_t *ring;
    uint64_t size; /* a multiple of CHUNK */
    int file;      /* -1: memory */
    int bell;      /* an eventfd */
    /* Counted from the start on, over all rounds of the ring. */
    _Atomic uint64_t put;
    _Atomic uint64_t got;
    /* Of who puts: up to where the disk has promised its space. */
    uint64_t promised;
    /* Of who gets: behind the frame that was handed out, and up to where all was given back. */
    uint64_t behind;
    uint64_t returned;
};

/* ---- its place ---- */

static uint64_t whole_chunks(uint64_t bytes)
{
    return bytes - bytes % CHUNK;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A file without a name in |folder| that may grow to |*size| bytes, made smaller where less is
 * free; -1: there is none. */
static int open_file(const char *folder, uint64_t *size)
{
    struct statvfs fs;
    struct rlimit allowed;

    if (statvfs(folder, &fs) != 0)
        return -1;
    *size = smaller(*size, whole_chunks((uint64_t)fs.f_bavail * fs.f_frsize / 2));
    if (getrlimit(RLIMIT_FSIZE, &allowed) == 0)
        *size = smaller(*size, whole_chunks(allowed.rlim_cur)); /* beyond it there is a SIGXFSZ */
    if (*size < 2 * CHUNK)
        return -1;
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 && ftruncate(fd, (off_t)*size) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static bool map(gw_spool *spool, uint64_t size, int fd)
{
    const int flags = fd >= 0 ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS;
    void *ring = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0);

    if (ring == MAP_FAILED)
        return false;
    spool->ring = ring;
    spool->size = size;
    spool->file = fd;
    return true;
}

static bool find_place(gw_spool *spool, uint64_t limit)
{
    const char *folder = getenv("TMPDIR");
    const uint64_t wanted = whole_chunks(smaller(limit, MAX_LIMIT));
    uint64_t size = wanted;

    if (wanted < 2 * CHUNK)
        return false;
    int fd = open_file(folder != NULL && folder[0] != '\0' ? folder : "/var/tmp", &size);
    if (fd >= 0 && map(spool, size, fd))
        return true;
    if (fd >= 0)
        (void)close(fd);
    return map(spool, smaller(wanted, MEMORY_LIMIT), -1);
}

gw_spool *gw_spool_open(uint64_t limit)
{
    gw_spool *spool = calloc(1, sizeof(*spool));

    if (spool == NULL)
        return NULL;
    spool->file = -1;
    spool->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (spool->bell >= 0 && find_place(spool, limit))
        return spool;
    gw_spool_close(spool);
    return NULL;
}

void gw_spool_close(gw_spool *spool)
{
    if (spool == NULL)
        return;
    if (spool->ring != NULL)
        (void)munmap(spool->ring, spool->size);
    if (spool->file >= 0)
        (void)close(spool->file);
    if (spool->bell >= 0)
        (void)close(spool->bell);
    free(spool);
}

/* ---- who puts ---- */

/* Has the disk promise all up to |end|: writing to a mapped file that it has no more room for would
 * be a SIGBUS. */
static bool ask_for(gw_spool *spool, uint64_t end)
{
    while (spool->promised < end) {
        const off_t start = (off_t)(spool->promised % spool->size);
        if (spool->file >= 0 && posix_fallocate(spool->file, start, (off_t)CHUNK) != 0)
            return false;
        spool->promised += CHUNK;
    }
    return true;
}

bool gw_spool_put(gw_spool *spool, const gw_frame *frame)
{
    const uint64_t need = sizeof(spooled) + ALIGNED((uint64_t)frame->cap_len);
    /* What is given back is given back in chunks: the one that is read now is not free. */
    const uint64_t free_until =
        whole_chunks(atomic_load_explicit(&spool->got, memory_order_acquire)) + spool->size;
    uint64_t at = atomic_load_explicit(&spool->put, memory_order_relaxed);
    const uint64_t to_end = spool->size - at % spool->size;
    const bool wraps = to_end < need;
    const uint64_t end = at + (wraps ? to_end : 0) + need;

    if (end > free_until || !ask_for(spool, end))
        return false;
    if (wraps) {
        /* What is left of the ring is a multiple of 8, and may be too short for all of it. */
        spooled mark = {.cap_len = WRAPS};
        if (to_end >= sizeof(mark))
            memcpy(spool->ring + at % spool->size, &mark, sizeof(mark));
        at = end - need;
    }
    uint8_t *place = spool->ring + at % spool->size;
    const spooled head = {frame->time_ns, frame->cap_len, frame->len};
    memcpy(place, &head, sizeof(head));
    if (frame->cap_len > 0)
        memcpy(place + sizeof(head), frame->data, frame->cap_len);
    atomic_store_explicit(&spool->put, end, memory_order_release);
    return true;
}

void gw_spool_wake(gw_spool *spool)
{
    const uint64_t once = 1;
    (void)!write(spool->bell, &once, sizeof(once));
}

/* ---- who gets ---- */

/* Gives back what has been read, in whole chunks. */
static void give_back(gw_spool *spool)
{
    for (; spool->returned + CHUNK <= spool->behind; spool->returned += CHUNK)
        (void)madvise(spool->ring + spool->returned % spool->size, CHUNK, MADV_REMOVE);
    atomic_store_explicit(&spool->got, spool->behind, memory_order_release);
}

bool gw_spool_get(gw_spool *spool, gw_frame *frame)
{
    spooled head = {.cap_len = WRAPS};

    give_back(spool);
    if (spool->behind == atomic_load_explicit(&spool->put, memory_order_acquire))
        return false;
    const uint64_t to_end = spool->size - spool->behind % spool->size;
    if (to_end >= sizeof(head))
        memcpy(&head, spool->ring + spool->behind % spool->size, sizeof(head));
    if (head.cap_len == WRAPS) {
        spool->behind += to_end;
        memcpy(&head, spool->ring, sizeof(head));
    }
    frame->data = spool->ring + spool->behind % spool->size + sizeof(head);
    frame->cap_len = head.cap_len;
    frame->len = head.len;
    frame->time_ns = head.time_ns;
    spool->behind += sizeof(head) + ALIGNED((uint64_t)head.cap_len);
    return true;
}

void gw_spool_wait(gw_spool *spool, int timeout_ms)
{
    struct pollfd rung = {.fd = spool->bell, .events = POLLIN};
    uint64_t times;

    if (poll(&rung, 1, timeout_ms) > 0)
        (void)!read(spool->bell, &times, sizeof(times));
}
