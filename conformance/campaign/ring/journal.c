/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring is a mapped file: what is in it survives the process, and msync has it survive the
 * machine. A record that does not fit before the end of the ring goes to its beginning. */
#include "campaign/ring/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x31676e6972736c67) /* "glsring1" */
#define ALIGN 8u
#define PAGE 4096u

/* The first page of the file. */
typedef struct head {
    uint64_t magic;
    uint64_t size;    /* of the ring */
    uint64_t oldest;  /* where the oldest record is that is whole, counted from the beginning of the
                         ring's life */
    uint64_t newest;  /* where the next one goes */
    uint64_t settled; /* the board was well after all before it */
} head;

typedef struct record {
    uint32_t size; /* of all of it; 0: the ring goes on at its beginning */
    uint32_t len;
    uint32_t was_len;
    uint32_t part_arg;
    uint8_t link;
    uint8_t line;
    uint8_t part;
    uint8_t anew;
    uint8_t mutated;
    uint8_t joined;
    uint8_t unused[2];
} record;

struct gw_journal {
    int fd;
    head *head;
    uint8_t *ring;
};

static uint64_t rounded(uint64_t size)
{
    return (size + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
}

static void path_of(char *out, size_t cap, const char *dir, const char *name)
{
    (void)snprintf(out, cap, "%s/%s", dir, name);
}

/* Whether the ring at |path| has something in it that the board was not seen well after. */
static bool is_open_ended(const char *path)
{
    head h = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool whole = read(fd, &h, sizeof(h)) == (ssize_t)sizeof(h);
    close(fd);
    return whole && h.magic == MAGIC && h.newest > h.settled;
}

/* Nobody has looked at what a campaign that was killed had sent: that is not for the next one to
 * throw away. */
static void make_way(const char *dir, const char *path)
{
    char earlier[4096];
    path_of(earlier, sizeof(earlier), dir, GW_JOURNAL_EARLIER);
    if (!is_open_ended(path) || rename(path, earlier) != 0)
        (void)unlink(path);
}

gw_journal *gw_journal_create(const char *dir, char *why, size_t why_cap)
{
    char path[4096];
    path_of(path, sizeof(path), dir, GW_JOURNAL_FILE);
    gw_journal *j = calloc(1, sizeof(*j));
    if (j == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    make_way(dir, path);
    j->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    /* Room is taken now: a disk that fills later would end us by a signal. */
    int error = j->fd < 0 ? errno : posix_fallocate(j->fd, 0, PAGE + GW_JOURNAL_BYTES);
    void *map = error != 0 ? MAP_FAILED
                           : mmap(NULL, PAGE + GW_JOURNAL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                                  j->fd, 0);
    if (map == MAP_FAILED) {
        (void)snprintf(why, why_cap, "%s: %s; a campaign keeps %zu MiB there", path,
                       strerror(error != 0 ? error : errno), GW_JOURNAL_BYTES >> 20);
        if (j->fd >= 0) {
            close(j->fd);
            (void)unlink(path);
        }
        free(j);
        return NULL;
    }
    j->head = map;
    j->ring = (uint8_t *)map + PAGE;
    *j->head = (head){.magic = MAGIC, .size = GW_JOURNAL_BYTES};
    return j;
}

static record *at(const gw_journal *j, uint64_t place)
{
    return (record *)(void *)(j->ring + place % GW_JOURNAL_BYTES);
}

/* The record behind that at |place|. */
static uint64_t behind(const uint8_t *ring, uint64_t size, uint64_t place)
{
    uint64_t left = size - place % size;
    const record *r = (const record *)(const void *)(ring + place % size);
    return left < sizeof(*r) || r->size == 0 ? place + left : place + r->size;
}

/* Forgets the oldest records until |size| bytes are free behind the newest one. */
static void make_room(gw_journal *j, uint64_t size)
{
    head *h = j->head;
    while (h->newest + size > h->oldest + GW_JOURNAL_BYTES)
        h->oldest = behind(j->ring, GW_JOURNAL_BYTES, h->oldest);
    if (h->settled < h->oldest)
        h->settled = h->oldest;
}

static void put(gw_journal *j, const gw_shots *shots, const gw_shot *shot)
{
    head *h = j->head;
    uint32_t was_len = shot->mutated ? shot->was_len : 0;
    uint64_t size = rounded(sizeof(record) + shot->len + was_len);
    uint64_t left = GW_JOURNAL_BYTES - h->newest % GW_JOURNAL_BYTES;
    if (left < size) {
        make_room(j, left);
        if (left >= sizeof(record))
            at(j, h->newest)->size = 0;
        h->newest += left;
    }
    make_room(j, size);
    record *r = at(j, h->newest);
    *r = (record){.size = (uint32_t)size,
                  .len = shot->len,
                  .was_len = was_len,
                  .part_arg = shot->part_arg,
                  .link = shot->link,
                  .line = shot->line,
                  .part = shot->part,
                  .anew = shot->anew,
                  .mutated = shot->mutated,
                  .joined = shot->joined};
    uint8_t *bytes = (uint8_t *)(r + 1);
    memcpy(bytes, gw_shots_data(shots, shot), shot->len);
    if (was_len > 0)
        memcpy(bytes + shot->len, gw_shots_was(shots, shot), was_len);
    h->newest += size;
}

void gw_journal_put(gw_journal *j, const gw_shots *shots, size_t first, size_t num)
{
    for (size_t i = first; i < first + num; i++)
        put(j, shots, &shots->list[i]);
}

bool gw_journal_write(gw_journal *j, const gw_shots *shots, size_t first, size_t num, char *why,
                      size_t why_cap)
{
    gw_journal_put(j, shots, first, num);
    return gw_journal_flush(j, why, why_cap);
}

bool gw_journal_flush(gw_journal *j, char *why, size_t why_cap)
{
    if (msync(j->head, PAGE + GW_JOURNAL_BYTES, MS_SYNC) == 0)
        return true;
    (void)snprintf(why, why_cap, "%s: %s", GW_JOURNAL_FILE, strerror(errno));
    return false;
}

void gw_journal_settle(gw_journal *j)
{
    j->head->settled = j->head->newest;
}

void gw_journal_close(gw_journal *j)
{
    if (j == NULL)
        return;
    (void)msync(j->head, PAGE + GW_JOURNAL_BYTES, MS_SYNC);
    (void)munmap(j->head, PAGE + GW_JOURNAL_BYTES);
    close(j->fd);
    free(j);
}

/* ---- reading ---- */

/* One that somebody else may have written: nothing in it is believed. */
static bool take(gw_shots *out, const uint8_t *ring, uint64_t place)
{
    uint64_t in = place % GW_JOURNAL_BYTES;
    const record *r = (const record *)(const void *)(ring + in);
    uint64_t wanted = sizeof(*r) + (uint64_t)r->len + r->was_len;
    if (r->len > GW_SHOT_MAX || r->was_len > GW_SHOT_MAX || r->size != rounded(wanted) ||
        in + r->size > GW_JOURNAL_BYTES || r->line >= GW_SHOT_LINES)
        return false;
    const uint8_t *bytes = (const uint8_t *)(r + 1);
    gw_shot like = {.link = r->link,
                    .line = r->line,
                    .part = r->part,
                    .part_arg = r->part_arg,
                    .anew = r->anew != 0,
                    .joined = r->joined != 0};
    return gw_shots_add(out, &like, bytes, r->len, r->mutated != 0 ? bytes + r->len : NULL,
                        r->was_len);
}

static bool read_ring(gw_shots *out, size_t *unsettled, const head *h, const uint8_t *ring)
{
    if (h->magic != MAGIC || h->size != GW_JOURNAL_BYTES || h->newest < h->oldest ||
        h->newest - h->oldest > GW_JOURNAL_BYTES || h->oldest % ALIGN != 0)
        return false;
    *unsettled = 0;
    for (uint64_t place = h->oldest; place < h->newest;) {
        uint64_t left = GW_JOURNAL_BYTES - place % GW_JOURNAL_BYTES;
        const record *r = (const record *)(const void *)(ring + place % GW_JOURNAL_BYTES);
        if (left >= sizeof(*r) && r->size != 0) {
            if (!take(out, ring, place))
                return false;
            *unsettled += place >= h->settled;
        }
        place = behind(ring, GW_JOURNAL_BYTES, place);
    }
    return true;
}

bool gw_journal_read(gw_shots *out, size_t *unsettled, const char *dir, const char *name, char *why,
                     size_t why_cap)
{
    char path[4096];
    struct stat info;
    path_of(path, sizeof(path), dir, name);
    why[0] = '\0';
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT)
        return false;
    if (fd < 0 || fstat(fd, &info) != 0) {
        (void)snprintf(why, why_cap, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    size_t size = PAGE + GW_JOURNAL_BYTES;
    void *map = S_ISREG(info.st_mode) && (uint64_t)info.st_size == size
                    ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0)
                    : MAP_FAILED;
    bool ok = map != MAP_FAILED && read_ring(out, unsettled, map, (const uint8_t *)map + PAGE);
    if (!ok)
        (void)snprintf(why, why_cap, "%s: is no ring of packets that goldwire fuzz has written",
                       path);
    if (map != MAP_FAILED)
        (void)munmap(map, size);
    close(fd);
    return ok;
}
