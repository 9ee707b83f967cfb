/* SPDX-License-Identifier: BSD-2-Clause */
/* How IMS packets reach a board and leave it: datagrams of RoCEv2 with their ICRC. */
#ifndef GOLDWIRE_FORMATS_IMS_REMOTE_H
#define GOLDWIRE_FORMATS_IMS_REMOTE_H

#include "boards/peer.h"
#include "goldwire/ims.h"

/* Adapters that count identifications, or draw lots for them, come by 0 too, but not so often
 * before another one. */
#define GW_IMS_REMOTE_EXACT 4

/* gw_ims_remote is what is known of one other side. */
typedef struct gw_ims_remote {
    bool open;
    uint8_t exact; /* how many datagrams were what gw_ib_icrc_udp assumes, before another one came;
                      from GW_IMS_REMOTE_EXACT on any other ICRC is damage */
    bool loose;    /* another one came: its identifications are not known */
    gw_endpoint here;
    gw_endpoint there; /* where to, not necessarily where from */
} gw_ims_remote;

/* gw_ims_remote_open begins a way between the ends of |event|. */
void gw_ims_remote_open(gw_ims_remote *remote, const gw_peer_event *event);

/* gw_ims_remote_take judges the ICRC of the datagram that |event| brings and decodes the packet in
 * it into |out|, whose pointers live as long as the event. False when an adapter would have dropped
 * it: damaged, or cut short. From a side that is not exact one damaged packet in 2^15 gets through.
 */
GW_MUST_USE bool gw_ims_remote_take(gw_ims_remote *remote, gw_ims_packet *out,
                                    const gw_peer_event *event, const gw_dialect *dialect);

/* gw_ims_remote_build writes |draft| with its ICRC as a datagram for |remote| and returns its
 * length, 0 when |cap| is too small. */
size_t gw_ims_remote_build(const gw_ims_remote *remote, uint8_t *out, size_t cap,
                           const gw_ims_draft *draft, const gw_dialect *dialect);

#endif
