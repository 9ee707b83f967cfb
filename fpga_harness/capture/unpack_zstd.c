/* SPDX-License-Identifier: BSD-2-Clause */
/* zstd, by its library, which takes at most 128 MiB for what packing looked back to. */
#include <stdlib.h>
#include <zstd.h>

#include "unpack_libraries.h"

#define WINDOW_LOG_MAX 27 /* as the zstd command's own; more needs --long=31 there as well */
#define HEADER 5          /* bytes that the library asks for of a frame's header */

typedef struct zstd_state {
    ZSTD_DStream *stream;
    /* What the library asks for next. It forgets what it has unpacked in a call that fails, so it
     * gets no more than one block in a call. */
    size_t wanted;
} zstd_state;

static void close_zstd(void *state)
{
    (void)ZSTD_freeDStream(((zstd_state *)state)->stream);
    free(state);
}

static void *open_zstd(void)
{
    zstd_state *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    s->stream = ZSTD_createDStream();
    s->wanted = s->stream != NULL ? ZSTD_initDStream(s->stream) : 0;
    if (s->wanted == 0 || ZSTD_isError(s->wanted) ||
        ZSTD_isError(ZSTD_DCtx_setParameter(s->stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
        close_zstd(s);
        return NULL;
    }
    return s;
}

static gw_unpack_step step_zstd(void *state, gw_unpack_io *io)
{
    zstd_state *s = state;
    ZSTD_inBuffer in = {.src = io->in, .size = io->in_len < s->wanted ? io->in_len : s->wanted};
    ZSTD_outBuffer out = {.dst = io->out, .size = io->out_len};
    const size_t left = ZSTD_decompressStream(s->stream, &out, &in);

    if (ZSTD_isError(left)) {
        io->why = ZSTD_getErrorName(left);
        return GW_UNPACK_FAULT;
    }
    io->in += in.pos;
    io->in_len -= in.pos;
    io->out += out.pos;
    io->out_len -= out.pos;
    s->wanted = left > 0 ? left : HEADER;
    return left == 0 ? GW_UNPACK_WHOLE : GW_UNPACK_MORE;
}

const gw_unpack_ops gw_unpack_zstd = {.open = open_zstd, .step = step_zstd, .close = close_zstd};
