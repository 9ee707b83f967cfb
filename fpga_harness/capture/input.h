/* SPDX-License-Identifier: BSD-2-Clause */
/* A window on a file that is read once from front to back, so that a pipe is as good as a disk. */
#ifndef HARNESS_CAPTURE_INPUT_H
#define HARNESS_CAPTURE_INPUT_H

#include "goldwire/base.h"
#include "goldwire/cursor.h"
#include "unpack.h"

/* GW_INPUT_WINDOW is the window's first size: big enough that a read(2) costs nothing per frame.
 * Fuzzing takes less, so that short files fill it. */
#ifndef GW_INPUT_WINDOW
#define GW_INPUT_WINDOW ((size_t)1 << 20)
#endif

/* GW_INPUT_MAX is how far the window grows, and so the longest record any reader here accepts. */
#define GW_INPUT_MAX ((size_t)16 << 20)

/* gw_input is an open file, what was read of it and is not consumed yet. */
typedef struct gw_input {
    int fd;
    bool owned;              /* fd is closed with the input */
    bool ended;              /* read(2) told the end, or failed */
    int error;               /* errno of that failure, or 0 */
    gw_unpacker *unpacker;   /* NULL: the file is read as it is */
    void (*idle)(void *ctx); /* called before a read that would wait; NULL: nobody asks */
    void *idle_ctx;
    uint8_t *buf;
    size_t cap;
    size_t start; /* buf[start .. end-1] is not consumed yet */
    size_t end;
    uint64_t offset; /* of buf[start] in the file, or in what it unpacks to */
} gw_input;

/* gw_input_init starts reading at |fd|, which is closed with the input when |owned|. False when
 * memory is short; then |fd| is still the caller's. */
GW_MUST_USE bool gw_input_init(gw_input *in, int fd, bool owned);

/* gw_input_unpack unpacks the file from here on, its beginning, if it is compressed in a way that
 * this program can unpack. False when memory is short. */
GW_MUST_USE bool gw_input_unpack(gw_input *in);

/* gw_input_fault says what is wrong with a compressed file, NULL when nothing was found, and in
 * |*offset| at which byte of it. */
const char *gw_input_fault(const gw_input *in, uint64_t *offset);

/* gw_input_drain reads a compressed file to its end, for what its check sums say of bytes that made
 * no sense; what was not consumed is lost. Does nothing with a pipe, whose end may never come. */
void gw_input_drain(gw_input *in);

/* gw_input_free closes and frees. */
void gw_input_free(gw_input *in);

/* gw_input_refill is the slow half of gw_input_want. */
gw_cursor gw_input_refill(gw_input *in, size_t len);

/* gw_input_want returns a cursor over the next |len| bytes, at most GW_INPUT_MAX, without consuming
 * them. It has fewer only when the file has, or when reading failed (|error|) or memory is short
 * (|error| is ENOMEM). The bytes stay in place until the next want or read. */
static inline gw_cursor gw_input_want(gw_input *in, size_t len)
{
    if (GW_UNLIKELY(in->end - in->start < len))
        return gw_input_refill(in, len);
    return gw_cursor_over(in->buf + in->start, len);
}

/* gw_input_take consumes |len| bytes, at most what the last want returned. */
static inline void gw_input_take(gw_input *in, size_t len)
{
    in->start += len;
    in->offset += len;
}

/* gw_input_read copies up to |len| bytes to |out| and consumes them, as read(2) does: 0 at the end,
 * -1 and errno on failure. */
ptrdiff_t gw_input_read(gw_input *in, void *out, size_t len);

#endif
