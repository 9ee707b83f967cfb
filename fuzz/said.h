/* SPDX-License-Identifier: BSD-2-Clause */
/* What fuzz targets say to software boards. */
#ifndef FUZZ_SAID_H
#define FUZZ_SAID_H

#include "boards/peer.h"
#include "fuzz.h"
#include "goldwire/ib.h"
#include "harness/transport.h"

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
    *len = gw_ib_close_udp(bytes, *len + GW_IB_ICRC, bytes, *len, &t->local, &t->remote, 0);
    return bytes;
}

#endif
