/* SPDX-License-Identifier: BSD-2-Clause */
/* What all compressions share: their magic numbers, reading, ends and bounds. */
#include "unpack.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"
#include "unpack_libraries.h"

#define RAW_BUFFER ((size_t)256 << 10)

#define UNBUILT "this goldwire was built without it"

static const gw_packer packers[] = {
    {{0x1f, 0x8b}, 2, "gzip", "gzip -dc", UNBUILT, GW_UNPACK_GZIP},
    {{0x28, 0xb5, 0x2f, 0xfd}, 4, "zstd", "zstd -dc", UNBUILT, GW_UNPACK_ZSTD},
    {{0x04, 0x22, 0x4d, 0x18}, 4, "lz4", "lz4 -dc", UNBUILT, GW_UNPACK_LZ4},
    {{0x02, 0x21, 0x4c, 0x18}, 4, "lz4's old format", "lz4 -dc", "not read here", NULL},
    {{0xfd, 0x37, 0x7a, 0x58}, 4, "xz", "xz -dc", "not read here", NULL},
    {{0x42, 0x5a, 0x68}, 3, "bzip2", "bzip2 -dc", "not read here", NULL},
};

struct gw_unpacker {
    const gw_packer *packer;
    void *state;
    bool inside;    /* of a piece */
    bool raw_ended; /* read(2) told the end */
    size_t start;   /* raw[start .. end-1] is still packed */
    size_t end;
    uint64_t taken;  /* bytes of the file */
    uint64_t made;   /* bytes that came of them */
    char fault[160]; /* empty: none was found */
    bool failed;     /* the last read told of it */
    size_t raw_cap;
    uint8_t raw[];
};

const gw_packer *gw_packer_of(gw_cursor start)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(packers); i++) {
        gw_cursor c = start;
        const uint8_t *p;
        if (gw_cursor_bytes(&c, &p, packers[i].magic_len) &&
            memcmp(p, packers[i].magic, packers[i].magic_len) == 0)
            return &packers[i];
    }
    return NULL;
}

gw_unpacker *gw_unpacker_new(const gw_packer *packer, gw_cursor start)
{
    const size_t len = gw_cursor_left(&start);
    const size_t cap = len > RAW_BUFFER ? len : RAW_BUFFER;
    gw_unpacker *u = calloc(1, sizeof(*u) + cap);

    if (u == NULL)
        return NULL;
    u->packer = packer;
    u->raw_cap = cap;
    u->state = packer->ops->open();
    if (u->state == NULL) {
        free(u);
        return NULL;
    }
    memcpy(u->raw, start.p, len);
    u->end = len;
    return u;
}

/* Reads when nothing is left to unpack. False when reading fails. */
static bool fill(gw_unpacker *u, int fd)
{
    if (u->start < u->end || u->raw_ended)
        return true;
    const ssize_t got = gw_read(fd, u->raw, u->raw_cap);
    if (got < 0)
        return false;
    u->raw_ended = got == 0;
    u->start = 0;
    u->end = (size_t)got;
    return true;
}

static GW_PRINTF(2, 3) void refuse(gw_unpacker *u, const char *fmt, ...)
{
    int n = snprintf(u->fault, sizeof(u->fault), "%s data ", u->packer->name);
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(u->fault + n, sizeof(u->fault) - (size_t)n, fmt, args);
    va_end(args);
}

/* One step of the library's. Returns how many bytes it made; |u| has a fault when it came to one,
 * which is told once these are read. */
static size_t step(gw_unpacker *u, uint8_t *out, size_t len)
{
    const bool over = u->raw_ended;
    const size_t left = u->end - u->start;
    gw_unpack_io io = {.in = u->raw + u->start, .in_len = left, .out = out, .out_len = len};
    const gw_unpack_step result = u->packer->ops->step(u->state, &io);
    const size_t taken = left - io.in_len;
    const size_t made = len - io.out_len;

    u->start += taken;
    u->taken += taken;
    u->made += made;
    u->inside = result != GW_UNPACK_WHOLE && (u->inside || taken > 0);
    if (result == GW_UNPACK_FAULT)
        refuse(u, "is broken: %s; what came of it before may be wrong too", io.why);
    else if (u->made > GW_UNPACK_GRACE && u->made / GW_UNPACK_GROWTH > u->taken)
        refuse(u, "grows more than %d times, as no capture does", GW_UNPACK_GROWTH);
    else if (over && made == 0 && u->inside)
        refuse(u, "is cut or damaged: its end is missing");
    return made;
}

ptrdiff_t gw_unpacker_read(gw_unpacker *u, int fd, void *out, size_t len)
{
    size_t made = 0;

    while (made == 0 && u->fault[0] == '\0') {
        if (!fill(u, fd))
            return -1;
        if (u->raw_ended && !u->inside)
            return 0;
        made = step(u, out, len);
    }
    if (made > 0)
        return (ptrdiff_t)made;
    u->failed = true;
    errno = EBADMSG;
    return -1;
}

const char *gw_unpacker_fault(const gw_unpacker *u, uint64_t *offset)
{
    *offset = u->taken;
    return u->failed ? u->fault : NULL;
}

void gw_unpacker_free(gw_unpacker *u)
{
    if (u == NULL)
        return;
    u->packer->ops->close(u->state);
    free(u);
}
