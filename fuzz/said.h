/* SPDX-License-Identifier: BSD-2-Clause */
/* What fuzz targets say to software boards. */
#ifndef FUZZ_SAID_H
#define FUZZ_SAID_H

#include "boards/peer.h"
#include "fuzz.h"
#include "goldwire/ib.h"
#include "goldwire/writer.h"
#include "harness/checksum.h"
#include "harness/transport.h"

/* gw_fuzz_close_udp does what gw_ib_close_udp does for a good packet, with the fast checksum. */
static inline size_t gw_fuzz_close_udp(uint8_t *out, size_t cap, const uint8_t *packet, size_t len,
                                       const gw_endpoint *src, const gw_endpoint *dst)
{
    if (cap < GW_IB_ICRC || cap - GW_IB_ICRC < len)
        return 0;
    uint32_t crc = gw_ib_icrc_udp(&gw_fast_env, src, dst, packet, len);
    if (len > 0 && out != packet)
        memcpy(out, packet, len);
    gw_store_le(out + len, crc, GW_IB_ICRC);
    return len + GW_IB_ICRC;
}

/* gw_fuzz_kept holds what a board sent until the input is over: most boards say what is right, so
 * that looking at it may wait until the input turns out to be worth it (worth.h). */
typedef struct gw_fuzz_kept {
    size_t used;
    uint8_t bytes[1 << 15];
} gw_fuzz_kept;

/* gw_fuzz_keep keeps |len| bytes. False when there is no room: they are to be looked at now. */
static inline bool gw_fuzz_keep(gw_fuzz_kept *kept, const uint8_t *data, size_t len)
{
    if (len > UINT16_MAX || sizeof kept->bytes - kept->used < len + 2)
        return false;
    gw_store_be(kept->bytes + kept->used, len, 2);
    memcpy(kept->bytes + kept->used + 2, data, len);
    kept->used += len + 2;
    return true;
}

/* gw_fuzz_kept_each calls |look| with each that was kept, a copy of its own length, in order, and
 * forgets them. */
static inline void gw_fuzz_kept_each(gw_fuzz_kept *kept,
                                     void (*look)(void *arg, const uint8_t *data, size_t len),
                                     void *arg)
{
    gw_cursor c = gw_cursor_over(kept->bytes, kept->used), one;
    uint16_t len;

    while (gw_cursor_be16(&c, &len) && gw_cursor_sub(&c, &one, len)) {
        uint8_t *data = gw_fuzz_lend(one.p, len);
        look(arg, data, len);
        gw_fuzz_take_back(data);
    }
    kept->used = 0;
}

/* gw_fuzz_said returns what |piece| is on link |link| of |board|, |*len| bytes of their own length,
 * which the caller gives back (gw_fuzz_take_back): over RoCE with the checksum that ends it, for
 * the ends of |t|. */
static inline uint8_t *gw_fuzz_said(const gw_board *board, unsigned link, const gw_transport *t,
                                    gw_cursor piece, size_t *len)
{
    *len = gw_cursor_left(&piece);
    if ((board->roce_links >> link & 1) == 0)
        return gw_fuzz_lend(piece.p, *len);
    uint8_t *bytes = gw_fuzz_lend(NULL, *len + GW_IB_ICRC);
    if (*len > 0)
        memcpy(bytes, piece.p, *len);
    *len = gw_fuzz_close_udp(bytes, *len + GW_IB_ICRC, bytes, *len, &t->local, &t->remote);
    return bytes;
}

#endif
