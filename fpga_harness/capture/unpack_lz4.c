/* SPDX-License-Identifier: BSD-2-Clause */
/* lz4, by its library, in frames as the lz4 command writes them: blocks of at most 4 MiB. */
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>

#include "unpack_libraries.h"

#define HEADER 7 /* bytes of a frame's header, at the least */

typedef struct lz4_state {
    LZ4F_dctx *context;
    /* What the library asks for next. It forgets what it has unpacked in a call that fails, so it
     * gets no more than one block in a call. */
    size_t wanted;
} lz4_state;

/* What is wrong, in words: the library has names of its own for it. */
static const char *why(size_t code)
{
    static const char *const words[][2] = {
        {"ERROR_decompressionFailed", "a block does not unpack"},
        {"ERROR_contentChecksum_invalid", "what it unpacks to has another checksum"},
        {"ERROR_blockChecksum_invalid", "a block has another checksum"},
        {"ERROR_headerChecksum_invalid", "a frame's header has another checksum"},
        {"ERROR_frameType_unknown", "a frame begins with another magic"},
        {"ERROR_frameSize_wrong", "a frame's length is not what its header says"},
        {"ERROR_headerVersion_wrong", "a frame of another version"},
        {"ERROR_reservedFlag_set", "reserved bits of a frame's header are set"},
        {"ERROR_maxBlockSize_invalid", "a block is larger than its frame allows"},
    };
    const char *name = LZ4F_getErrorName(code);

    for (size_t i = 0; i < GW_ARRAY_LEN(words); i++) {
        if (strcmp(name, words[i][0]) == 0)
            return words[i][1];
    }
    return name;
}

static void close_lz4(void *state)
{
    (void)LZ4F_freeDecompressionContext(((lz4_state *)state)->context);
    free(state);
}

static void *open_lz4(void)
{
    lz4_state *s = calloc(1, sizeof(*s));

    if (s != NULL && LZ4F_isError(LZ4F_createDecompressionContext(&s->context, LZ4F_VERSION))) {
        free(s);
        return NULL;
    }
    if (s != NULL)
        s->wanted = HEADER;
    return s;
}

static gw_unpack_step step_lz4(void *state, gw_unpack_io *io)
{
    lz4_state *s = state;
    size_t in = io->in_len < s->wanted ? io->in_len : s->wanted;
    size_t out = io->out_len;
    const size_t left = LZ4F_decompress(s->context, io->out, &out, io->in, &in, NULL);

    if (LZ4F_isError(left)) {
        io->why = why(left);
        return GW_UNPACK_FAULT;
    }
    io->in += in;
    io->in_len -= in;
    io->out += out;
    io->out_len -= out;
    s->wanted = left > 0 ? left : HEADER;
    return left == 0 ? GW_UNPACK_WHOLE : GW_UNPACK_MORE;
}

const gw_unpack_ops gw_unpack_lz4 = {.open = open_lz4, .step = step_lz4, .close = close_lz4};
