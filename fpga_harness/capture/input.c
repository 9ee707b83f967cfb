/* SPDX-License-Identifier: BSD-2-Clause */
/* The window on a capture file: block reads, and a buffer that grows only for a long record. */
#include "input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read.h"

bool gw_input_init(gw_input *in, int fd, bool owned)
{
    *in = (gw_input){.fd = fd, .owned = owned, .cap = GW_INPUT_WINDOW};
    in->buf = malloc(in->cap);
    return in->buf != NULL;
}

void gw_input_free(gw_input *in)
{
    if (in->owned)
        (void)close(in->fd);
    gw_unpacker_free(in->unpacker);
    free(in->buf);
    in->buf = NULL;
}

bool gw_input_unpack(gw_input *in)
{
    gw_cursor start = gw_input_want(in, GW_PACKER_MAGIC);
    const gw_packer *packer = gw_packer_of(start);

    if (packer == NULL || packer->ops == NULL)
        return true;
    in->unpacker = gw_unpacker_new(packer, gw_cursor_over(in->buf, in->end));
    in->start = in->end = 0;
    in->ended = false;
    return in->unpacker != NULL;
}

const char *gw_input_fault(const gw_input *in, uint64_t *offset)
{
    return in->unpacker != NULL ? gw_unpacker_fault(in->unpacker, offset) : NULL;
}

/* Whether a read would wait for somebody to write. */
static bool waits(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};

    return poll(&ready, 1, 0) == 0;
}

/* One read(2), or what it unpacks to. Notes the end and failures in |in|. */
static ptrdiff_t read_some(gw_input *in, void *out, size_t len)
{

    if (in->ended) {
        errno = in->error;
        return in->error == 0 ? 0 : -1;
    }
    if (in->idle != NULL && waits(in->fd))
        in->idle(in->idle_ctx);
    const ptrdiff_t got = in->unpacker != NULL ? gw_unpacker_read(in->unpacker, in->fd, out, len)
                                               : gw_read(in->fd, out, len);
    if (got <= 0)
        in->ended = true;
    if (got < 0)
        in->error = errno;
    return got;
}

void gw_input_drain(gw_input *in)
{
    struct stat st;

    if (in->unpacker == NULL || fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    in->start = in->end = 0;
    while (!gw_stopped() && read_some(in, in->buf, in->cap) > 0)
        ;
}

/* Makes room for |len| bytes from the start of the window. */
static bool make_room(gw_input *in, size_t len)
{
    memmove(in->buf, in->buf + in->start, in->end - in->start);
    in->end -= in->start;
    in->start = 0;
    if (len <= in->cap)
        return true;

    uint8_t *bigger = realloc(in->buf, len);
    if (bigger == NULL)
        return false;
    in->buf = bigger;
    in->cap = len;
    return true;
}

gw_cursor gw_input_refill(gw_input *in, size_t len)
{
    if (!make_room(in, len)) {
        in->ended = true;
        in->error = ENOMEM;
    }
    while (in->end - in->start < len) {
        ptrdiff_t got = read_some(in, in->buf + in->end, in->cap - in->end);
        if (got <= 0)
            break;
        in->end += (size_t)got;
    }
    size_t there = in->end - in->start;
    return gw_cursor_over(in->buf + in->start, there < len ? there : len);
}

ptrdiff_t gw_input_read(gw_input *in, void *out, size_t len)
{
    size_t buffered = in->end - in->start;

    if (buffered != 0) {
        size_t n = buffered < len ? buffered : len;
        memcpy(out, in->buf + in->start, n);
        gw_input_take(in, n);
        return (ptrdiff_t)n;
    }
    ptrdiff_t got = read_some(in, out, len);
    if (got > 0)
        in->offset += (size_t)got;
    return got;
}
