/* SPDX-License-Identifier: BSD-2-Clause */
/* What cases do with whole frames: speak as stations that the board has not met, shape what they
 * send, and look at what comes back. For cases that need GW_NEEDS_RAW. */
#ifndef GOLDWIRE_SUITE_WIRE_H
#define GOLDWIRE_SUITE_WIRE_H

#include "harness/raw.h"
#include "run/case.h"

/* gw_wire_station is somebody on the board's Ethernet. */
typedef struct gw_wire_station {
    uint8_t mac[6];
    gw_endpoint end; /* address and port, IPv4 */
} gw_wire_station;

/* gw_wire_frame is a frame that the board sent. Pointers are valid until the next one. */
typedef struct gw_wire_frame {
    const uint8_t *data;
    size_t len;
    unsigned number; /* in the evidence */
    gw_net net;
    gw_net_status status;
    gw_arp arp;  /* when ... */
    bool is_arp; /* ... it is one */
} gw_wire_frame;

/* gw_wire_us returns who we are on the usual connection, and gw_wire_board who the board is: found
 * by ARP, or whom its frames came from; the broadcast address when neither tells. */
gw_wire_station gw_wire_us(gw_ctx *ctx);
gw_wire_station gw_wire_board(gw_ctx *ctx);

/* gw_wire_stranger makes a station up that the board is unlikely to have met, another than |but|
 * (NULL: any), near our own address, after nobody but perhaps the board answered for it. Its port
 * is ours. */
gw_wire_station gw_wire_stranger(gw_ctx *ctx, const gw_wire_station *but);

/* gw_wire_send sends |frame| as it is and returns its number in the evidence. */
unsigned gw_wire_send(gw_ctx *ctx, const uint8_t *frame, size_t len);

/* gw_wire_datagram lays a datagram from |from| to the board into |frame|, which has room for
 * GW_ETHER_FRAME_MAX bytes, padded with zeros, and returns the frame's length. */
size_t gw_wire_datagram(gw_ctx *ctx, uint8_t *frame, const gw_wire_station *from, const void *data,
                        size_t len);

/* gw_wire_send_datagram sends such a datagram and returns its number. */
unsigned gw_wire_send_datagram(gw_ctx *ctx, const gw_wire_station *from, const void *data,
                               size_t len);

/* gw_wire_send_arp_request sends an ARP request of |from| for the address |ip| to |dst| and returns
 * its number.
 */
unsigned gw_wire_send_arp_request(gw_ctx *ctx, const gw_wire_station *from, uint32_t ip,
                                  const uint8_t dst[6]);

/* gw_wire_send_arp_reply answers the board that |who| is at |mac|; the frame itself comes from
 * |who->mac|. */
unsigned gw_wire_send_arp_reply(gw_ctx *ctx, const gw_wire_station *who, const uint8_t mac[6]);

/* gw_wire_next waits until |deadline| of the usual connection's clock for the next frame of the
 * board. */
GW_MUST_USE bool gw_wire_next(gw_ctx *ctx, gw_wire_frame *out, int64_t deadline);

/* gw_wire_deadline returns the moment |time_ns| from now. */
int64_t gw_wire_deadline(gw_ctx *ctx, int64_t time_ns);

/* gw_wire_is_to says whether |f| is a whole datagram to |to|; gw_wire_is_arp_request whether it is
 * an ARP request for that address. */
bool gw_wire_is_to(const gw_wire_frame *f, const gw_wire_station *to);
bool gw_wire_is_arp_request(const gw_wire_frame *f, const gw_wire_station *whom);

/* gw_wire_settle takes what the board still sends, and answers what it asks |who|, until it has
 * been silent for the settle time. */
void gw_wire_settle(gw_ctx *ctx, const gw_wire_station *who);

#endif
