/* SPDX-License-Identifier: BSD-2-Clause */
/* gzip, by zlib. */
#include <stdlib.h>
#include <zlib.h>

#include "unpack_libraries.h"

#define GZIP_WINDOW (16 + MAX_WBITS) /* a header and a check sum around it, as gzip writes them */

static void *open_gzip(void)
{
    z_stream *z = calloc(1, sizeof(*z));

    if (z != NULL && inflateInit2(z, GZIP_WINDOW) != Z_OK) {
        free(z);
        z = NULL;
    }
    return z;
}

static gw_unpack_step step_gzip(void *state, gw_unpack_io *io)
{
    z_stream *z = state;

    z->next_in = (z_const Bytef *)io->in;
    z->avail_in = (uInt)io->in_len;
    z->next_out = io->out;
    z->avail_out = (uInt)io->out_len;
    const int result = inflate(z, Z_NO_FLUSH);
    io->in = z->next_in;
    io->in_len = z->avail_in;
    io->out = z->next_out;
    io->out_len = z->avail_out;
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR: /* nothing more to be had of what there is */
        return GW_UNPACK_MORE;
    case Z_STREAM_END:
        if (inflateReset(z) == Z_OK)
            return GW_UNPACK_WHOLE;
        break;
    case Z_MEM_ERROR:
        io->why = "out of memory";
        return GW_UNPACK_FAULT;
    default:
        break;
    }
    io->why = z->msg != NULL ? z->msg : "it is not understood";
    return GW_UNPACK_FAULT;
}

static void close_gzip(void *state)
{
    (void)inflateEnd(state);
    free(state);
}

const gw_unpack_ops gw_unpack_gzip = {.open = open_gzip, .step = step_gzip, .close = close_gzip};
